package secret

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// TestCharacters: what is written sign by sign, escaped in an address, or handed to a statement by name, is withheld. ‹V› is the value, ‹c›, ‹d›,
// ‹x› and ‹r› are its signs in quotes, their codes, those in hexadecimal, and as a registry has them.
func TestCharacters(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(30, 2))}
	for _, row := range rowsOf(characterRows) {
		v := m.of(value.LetterSigns+value.DigitSigns, 24)
		var c, d, x, r []string
		for i := range len(v) {
			c, d = append(c, "'"+v[i:i+1]+"'"), append(d, fmt.Sprint(v[i]))
			x, r = append(x, fmt.Sprintf("0x%02x", v[i])), append(r, hex.EncodeToString([]byte{v[i]}))
		}
		forms := map[string]string{"‹V›": v, "‹c›": strings.Join(c, ","), "‹d›": strings.Join(d, ", "), "‹x›": strings.Join(x, ", "), "‹r›": strings.Join(r, ","), "‹w›": strings.Join(r, ",00,")}
		text, secretText := row[1], ""
		for mark, form := range forms {
			if strings.Contains(text, mark) {
				text, secretText = strings.ReplaceAll(text, mark, form), form
			}
		}
		found, err := s.Scan(row[0], []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		red := Redact([]byte(text), found)
		if half := len(secretText) / 2; bytes.Contains(red, []byte(secretText[:half])) || bytes.Contains(red, []byte(secretText[half:])) {
			t.Errorf("%s: %q left as %q", row[0], text, red)
		}
	}
}

const characterRows = `
a.reg "Password"=hex:‹r›
a.reg "Password"=hex(1):‹w›,00
a.go var password = []byte{‹x›}
a.go var password = []byte{‹d›}
a.c const char password[] = {‹c›,0};
a.json {"password": [‹d›]}
a.js const password = String.fromCharCode(‹d›);
a.py password = bytes([‹d›])
a.txt https://x/login?next=%2Fa%3Ftoken%3D‹V›%26b%3D1
a.txt https://x/login?next=%252Fa%253Ftoken%253D‹V›%2526b%253D1
a.log POST /x body=user%3Dada%26password%3D‹V›
a.log payload=%7B%22user%22%3A%22ada%22%2C%22password%22%3A%22‹V›%22%7D
a.txt see a?u=password%3A%20‹V›
a.json {"query":"mutation($u:String!,$p:String!){login(user:$u,password:$p){id}}","variables":{"u":"ada","p":"‹V›"}}
a.py cur.execute("update users set password = %(p)s", {"p": "‹V›"})
a.py cur.execute("update users set password = :p", {"p": "‹V›"})
a.xml <Table><Row><Cell><Data>User</Data></Cell><Cell><Data>Password</Data></Cell></Row><Row><Cell><Data>ada</Data></Cell><Cell><Data>‹V›</Data></Cell></Row></Table>
`

// TestCharacterTwins: what only looks so stays byte for byte.
func TestCharacterTwins(t *testing.T) {
	s := newScanner(t)
	for _, row := range rowsOf(characterTwins) {
		found, err := s.Scan(row[0], []byte(row[1]), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			t.Errorf("%s: %q: found %q", row[0], row[1], row[1][f.Start:f.End])
		}
	}
}

const characterTwins = `
a.go var tokens = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}
a.c const char password_chars[] = {'a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p'};
a.go var password = []byte{112, 108, 101, 97, 115, 101, 32, 101, 110, 116, 101, 114, 32, 105, 116}
a.txt https://x/login?next=%2Freset%3Ftoken%3Drequired%26b%3D1
a.py cur.execute("select id from users where password = :p", {"p": digest})
a.txt 100%25 of the tokens
`
