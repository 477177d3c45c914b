package secret

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// TestMeant: what nothing gives to a name, and yet stands beside one, is found where it can be no word: ‹V› is drawn by lot, ‹P› made up.
func TestMeant(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(30, 3))}
	for _, row := range rowsOf(meantRows) {
		v := m.of(value.LetterSigns+value.DigitSigns, 20)
		text := strings.NewReplacer("‹V›", v, "‹P›", "gorse.tun"+"dra71x").Replace(row[1])
		found, err := s.Scan(row[0], []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if red := Redact([]byte(text), found); bytes.Contains(red, []byte(v)) || bytes.Contains(red, []byte("gorse.tun"+"dra71x")) {
			t.Errorf("%s: %q left as %q", row[0], text, red)
		}
	}
}

const meantRows = `
boot.ipxe set username bob|set password ‹P›|chain http://boot.acme.io/x
grub.cfg set superusers="bob"|password bob ‹P›
todo.txt - rotate the old deploy password (‹P›) before Friday
creds.json {"id": "mysql", "shop": {"root": "‹V›", "repl": "‹V›"}, "_comment": "passwords of the database, by account"}
`

// TestMeantTwins: what stands beside the name of a secret and is public stays byte for byte.
func TestMeantTwins(t *testing.T) {
	s := newScanner(t)
	for _, row := range rowsOf(meantTwins) {
		found, err := s.Scan(row[0], []byte(row[1]), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			t.Errorf("%s: %q: found %q", row[0], row[1], row[1][f.Start:f.End])
		}
	}
}

const meantTwins = `
todo.txt - the password rules (see spring-boot-3.2.1) before Friday
a.go if x == "" { y.password() == "release-2024-alpha1" }
a.md The invite code is on the back, the password on the front: spring-2024-alpha1.
`
