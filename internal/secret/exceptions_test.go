package secret

import (
	"strings"
	"testing"
)

// TestExceptions holds that each exception clears its example, and lets the one beside it be found.
func TestExceptions(t *testing.T) {
	s := newScanner(t)
	const db, pass = "db_pass" + "word: ", "pa" + "ss: "
	examples := map[string]struct{ path, clears, lets string }{
		"stands for another value":                     {"app.yml", db + "${DB_PASSWORD}", db + "kolibri-27-Fels"},
		"is a truth, nothing, or a number with a unit": {"app.yml", db + "none", db + "nonesuch-91"},
		"is left out":                       {"app.yml", db + "xxxxxxxxxxxx", db + "xxpRq71xx-Taube"},
		"is the name of a secret":           {"app.js", "tokens: ['main', 'backup'],", "tok" + "ens: ['k8Zt29fQwLx7Vb31'],"},
		"says the name again":               {"app.yml", "smtp-relay-pass" + "word: smtpRelayPass" + "word", "smtp-relay-pass" + "word: smtpRelayPassage9"},
		"is of a locked dependency":         {"yarn.lock", "  min" + "i" + pass + "npm:^7.0.4", "  min" + "i" + pass + "k8Zt29fQwLx7Vb31k8Rt2"},
		"is a word of a sentence":           {"notes.md", "- " + db + "minimum length is now 14", "- " + db + "Tau7-Kranich!x is now it"},
		"asks to be changed":                {"app.yml", db + "changeme", db + "charge-Me-71"},
		"is printed in a manual":            {"app.yml", "basic_" + db + "QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "basic_" + db + "TWF1cml0ejpLYXJ0b2ZmZWwtNzc="},
		"is what a command prints":          {"make.sh", "pass" + "word=`pwgen -s 16`", "pass" + "word='pwgen-s-16'"},
		"is a public key, or a hash of one": {"app.yml", "host_key_" + db + "ssh-dss AAAAB3NzaC1kc3MAAACBAOkTX", "host_key_" + db + "dss-AAAAB3-Kranich"},
		"is a user without a password":      {"api.http", "Authorization: Basic " + "dXNlcjo=", "Authorization: Basic " + "bWF1cml0ejpLYXJ0b2ZmZWwtNzc="},
		"is sealed for another":             {"app.yml", db + "AgB" + strings.Repeat("x7Kq2LmT", 30), db + "BgA" + strings.Repeat("x7Kq2LmT", 30)},
		"is the id of a key of GnuPG's":     {"home/.gitconfig", "signing" + "key = BF13C175E13A24561437D00D48CA37351E0F5136", db + "BF13C175E13A24561437D00D48CA37351E0F51"},
	}
	for _, e := range exceptions {
		x, ok := examples[e.reason]
		if !ok {
			t.Errorf("%s: no examples", e.reason)
		}
		for line, want := range map[string]int{x.clears: 0, x.lets: 1} {
			found, err := s.Scan(x.path, []byte(line+"\n"), nil)
			if err != nil || len(found) != want {
				t.Errorf("%s: %s: %d findings, want %d, %v", e.reason, line, len(found), want, err)
			}
		}
	}
}
