package rank

import "testing"

// Of a path of somebody's machine the file's name is left, of words with letters beyond ASCII no short piece.
func TestWithoutMachine(t *testing.T) {
	for text, want := range map[string]string{
		`D:\Media\Serien\Die Folge\a.de.srt is not read`: `                         \a.de.srt is not read`,
		"see `C:\\Users\\Jo\\x.log` and App\\Models":     "see `           \\x.log` and App\\Models",
		"in /home/jo/shop/till.py or /etc/shop/till.py":  "in               till.py or /etc/shop/till.py",
		"nothing of it": "nothing of it",
	} {
		if got := string(withoutMachine([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"Die Brücke fehlt":                "Die   ü    fehlt",
		"a autenticação, Größe":           "a autenticaçã ,   öß ",
		"Podcastの購読(subscribe) заголовок": "Podcastの購読(subscribe) заголовок",
		"plain": "plain",
		"":      "",
		"é":     "é",
	} {
		if got := string(withoutPieces([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
