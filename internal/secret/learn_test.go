package secret

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/known"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

func TestLearn(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(11, 1))}
	key, pw, short, url := m.of(base62, 32), "Sommer!"+"Wind83", "Zx81"+"kq!L", m.of(base62, 14)
	env := "NODE_ENV=production\nPORT=3000\nLOG_LEVEL=information\nAPI_KEY=" + key + "\nDB_PASS" + "WORD=" + pw + "\nexport SMTP_PASS" + "WORD='" + short + "'\n" +
		"DATABASE_URL=postgres://app:" + url + "@db/x\nPUBLIC_URL=https://www.example.com/path\nADMIN_PASS" + "WORD=changeme\nFEATURE_TOKEN=enabled\nTOKEN_FILE=/run/secrets/token-v2\n"
	var k known.Values
	found, err := sharedScanner(t).Scan("deploy/.env", []byte(env), nil)
	if err != nil {
		t.Fatal(err)
	}
	k.AddStore("deploy/.env", []byte(env), found)
	for _, v := range []string{key, pw, short, url} {
		if got := k.Find([]byte("see "+v+" in the notes"), nil); len(got) != 1 {
			t.Errorf("%s is not known", v)
		}
	}
	other := "production on port 3000, information, www.example.com/path, changeme, enabled, /run/secrets/token-v2, DATABASE_URL, postgres"
	if got := k.Find([]byte(other), nil); len(got) > 0 {
		t.Errorf("ordinary values are known: %v", got)
	}
	if k.Len() != 4 {
		t.Errorf("%d values are known", k.Len())
	}
}

// TestBare: a file that is nothing but a key, as its name says, and one that holds words.
func TestBare(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(11, 3))}
	key, other := m.of(hexes, 32), m.of(base62, 40)
	for text, want := range map[string]int{key: 1, key + "\n": 1, "\n  " + other + "\r\n": 1, key + "\n" + other + "\n": 2, "see " + key + "\n": 0, "A_NAME=" + key + "\n": 0, "production\n": 0, key + "\n\n" + other + "\n" + key + "\n": 0, "": 0} {
		found := Bare([]byte(text))
		if len(found) != want {
			t.Errorf("%q: found %v", text, found)
		}
		for _, f := range found {
			if v := text[f.Start:f.End]; v != key && v != other {
				t.Errorf("%q: found %q", text, v)
			}
		}
	}
}

func TestCodeOrProse(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(11, 2))}
	assign := func() string { return "API_TOKEN = '" + m.of(base62, 32) + "'\n" }
	code := strings.Repeat("def f(x):\n    return x\n\n", 10)
	prose := strings.Repeat("This page says how tokens are made and kept.\n", 10)
	for _, c := range []struct {
		path, text string
		want       bool
	}{
		{"lib/secure_password.rb", code + "# " + assign(), true},
		{"test/token_test.go", code + assign() + assign(), true},
		{"src/credential.d.ts", code, true},
		{"bin/get-token.sh", code + assign(), true},
		{"docs/password-storage.adoc", prose + assign(), true},
		{"docs/tokens.md", prose + assign(), true},
		{"notes/secrets.txt", prose + assign(), true},
		{"config/secrets.py", assign() + assign() + assign(), false},
		{"secrets.sh", "export A=1\n" + assign() + assign(), false},
		{"passwords.txt", "mail\n" + m.of(base62, 16) + "\nbank\n" + m.of(base62, 16) + "\n" + assign(), false},
		{"passwords.md", "| host | pass" + "word |\n|---|---|\n| a | " + m.of(base62, 16) + " |\n| b | " + m.of(base62, 16) + " |\n", false},
		{"config/secrets.yml", strings.Repeat("a: b\n", 50) + assign(), false},
		{"credentials", code, false},
		{"server.key", code, false},
		{"a.token", code, false},
	} {
		found, err := sharedScanner(t).Scan(c.path, []byte(c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := CodeOrProse(c.path, []byte(c.text), found); got != c.want {
			t.Errorf("%s, %d findings: %v", c.path, len(found), got)
		}
		// A private key is lines of findings.
		if key := m.privateKey(); CodeOrProse("a_token.go", []byte(key), []value.Finding{{Rule: "private-key", Line: 1, Start: 0, End: len(key)}}) {
			t.Error("a key alone is taken for code")
		}
	}
}
