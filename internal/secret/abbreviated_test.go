package secret

import "testing"

// TestAbbreviated: names that password is written short in, and words that only look so.
func TestAbbreviated(t *testing.T) {
	for name, want := range map[string]noun{
		"pword": passNoun, "pwrd": passNoun, "psw": passNoun, "pswd": passNoun, "paswd": passNoun, "pssword": passNoun, "passwrd": passNoun, "userpw": passNoun, "dbpword": passNoun, "dbpw": passNoun,
		"adminPsw": passNoun, "ROOT_PWRD": passNoun, "loginpw": passNoun, "ftp_passw": passNoun, "mysqlpswrd": passNoun, "user_pword": passNoun,
		"stopword": noNoun, "power": noNoun, "pwr": noNoun, "paw": noNoun, "sword": noNoun, "crossword": noNoun, "keyword": noNoun, "upward": noNoun, "preview": noNoun, "wrapped": noNoun, "helpword": noNoun, "ipw": noNoun,
	} {
		if got := classify([]byte(name)).noun; got != want {
			t.Errorf("%s: noun %d, want %d", name, got, want)
		}
	}
}
