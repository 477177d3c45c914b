package secret

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// TestAbbreviated: names that password is written short in, and words that only look so.
func TestAbbreviated(t *testing.T) {
	for name, want := range map[string]value.Noun{
		"pword": value.PassNoun, "pwrd": value.PassNoun, "psw": value.PassNoun, "pswd": value.PassNoun, "paswd": value.PassNoun, "pssword": value.PassNoun, "passwrd": value.PassNoun, "userpw": value.PassNoun, "dbpword": value.PassNoun, "dbpw": value.PassNoun,
		"adminPsw": value.PassNoun, "ROOT_PWRD": value.PassNoun, "loginpw": value.PassNoun, "ftp_passw": value.PassNoun, "mysqlpswrd": value.PassNoun, "user_pword": value.PassNoun,
		"stopword": value.NoNoun, "power": value.NoNoun, "pwr": value.NoNoun, "paw": value.NoNoun, "sword": value.NoNoun, "crossword": value.NoNoun, "keyword": value.NoNoun, "upward": value.NoNoun, "preview": value.NoNoun, "wrapped": value.NoNoun, "helpword": value.NoNoun, "ipw": value.NoNoun,
	} {
		if got := value.Classify([]byte(name)).Noun; got != want {
			t.Errorf("%s: noun %d, want %d", name, got, want)
		}
	}
}
