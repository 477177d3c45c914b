package value

import (
	"testing"
)

// TestAbbreviated: names that password is written short in, and words that only look so.
func TestAbbreviated(t *testing.T) {
	for name, want := range map[string]Noun{
		"pword": PassNoun, "pwrd": PassNoun, "psw": PassNoun, "pswd": PassNoun, "paswd": PassNoun, "pssword": PassNoun, "passwrd": PassNoun, "userpw": PassNoun, "dbpword": PassNoun, "dbpw": PassNoun,
		"adminPsw": PassNoun, "ROOT_PWRD": PassNoun, "loginpw": PassNoun, "ftp_passw": PassNoun, "mysqlpswrd": PassNoun, "user_pword": PassNoun,
		"stopword": NoNoun, "power": NoNoun, "pwr": NoNoun, "paw": NoNoun, "sword": NoNoun, "crossword": NoNoun, "keyword": NoNoun, "upward": NoNoun, "preview": NoNoun, "wrapped": NoNoun, "helpword": NoNoun, "ipw": NoNoun,
	} {
		if got := Classify([]byte(name)).Noun; got != want {
			t.Errorf("%s: noun %d, want %d", name, got, want)
		}
	}
}
