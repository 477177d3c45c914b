package secret

import (
	"strings"
	"testing"
)

// TestPhrases: the words that a wallet is made anew from are found under what they are called, whole, and a sentence is none.
func TestPhrases(t *testing.T) {
	s := newScanner(t)
	const phrase = "effort acid gaze canoe work drink achieve action bargain actual adapt afford"
	const sentence = "this is what you must write down and keep in a safe place at home always"
	for _, place := range []string{"Recovery phrase: %\n", "BACKUP_PHRASE=\"%\"\n", "WALLET_WORDS=%\n", "seed_phrase: '%'\n", "MNEMONIC=% # of the old one\n", "# Recovery phrase:\n\n%\n"} {
		for _, path := range []string{"a.env", "a.md"} {
			text := strings.Replace(place, "%", phrase, 1)
			list, err := s.Scan(path, []byte(text), nil)
			if err != nil || len(list) != 1 || !strings.HasPrefix(text[list[0].Start:], phrase) {
				t.Errorf("%s: %q: %v, %v", path, text, list, err)
			}
			if list, err = s.Scan(path, []byte(strings.Replace(place, "%", sentence, 1)), nil); err != nil || len(list) > 0 {
				t.Errorf("%s: %q: %v, %v", path, place, list, err)
			}
		}
	}
}
