package secret

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestEncoded holds that a text in base64 is taken out where it holds a credential, on each of its lines, and that what holds none stays: texts,
// bytes, tokens' parts.
func TestEncoded(t *testing.T) {
	const settings = "user=bob\npass" + "word=q7Rt2mXw9LkPz4BvNc8\nhost=db.acme.io\nretries=3\n"
	wide := func(text string) string { return strings.Join(strings.Split(text, ""), "\x00") + "\x00" }
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"settings", settings, true},
		{"twice as wide", wide("$p = 'q7Rt2mXw9LkPz4BvNc8'" + " | ConvertTo-SecureString -AsPlainText -Force"), true},
		{"a token of its own form", "curl -H 'X: gh" + "p_q7Rt2mXw9LkPz4BvNc8Hs6Jd5Kf3Ag1Zx0Y7'", true},
		{"other settings", "user=bob\nrevision=q7Rt2mXw9LkPz4BvNc8\nhost=db.acme.io\n", false},
		{"a stand-in", "user=bob\npassword=changeme\nhost=db.acme.io\n", false},
		{"bytes", "pass" + "word=\x01\x02q7Rt2mXw9LkPz4BvNc8\xff\xfe", false},
	} {
		code := base64.StdEncoding.EncodeToString([]byte(c.text))
		lines := code
		for at := 76; at < len(lines); at += 77 + 4 {
			lines = lines[:at] + "\n    " + lines[at:]
		}
		for path, text := range map[string]string{"cloud.yaml": "content: " + code + "\n", "a.sh": "echo " + code + " | base64 -d > .env\n", "wrapped.yaml": "content: |\n    " + lines + "\nother: 1\n"} {
			red := string(Redact([]byte(text), mustScan(t, path, text)))
			if hidden := !strings.Contains(red, strings.TrimRight(code[len(code)-20:], "=")); hidden != c.want {
				t.Errorf("%s, %s: %q", c.name, path, red)
			}
			if path == "wrapped.yaml" && !strings.HasSuffix(red, "\nother: 1\n") {
				t.Errorf("%s: the line behind is lost: %q", c.name, red)
			}
		}
	}
}

func mustScan(t *testing.T, path, text string) []Finding {
	t.Helper()
	found, err := sharedScanner(t).Scan(path, []byte(text), nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return found
}

// TestEncodedWork holds that twice as many texts in base64 take twice the work, in lines of their own or in one.
func TestEncodedWork(t *testing.T) {
	s := newScanner(t)
	for name, unit := range map[string]string{
		"texts":  base64.StdEncoding.EncodeToString([]byte("user=bob\npassword = changeme, token: y\n# and more of it")) + " \n",
		"one":    base64.StdEncoding.EncodeToString([]byte("password = token: secret, key=value or what")),
		"broken": base64.StdEncoding.EncodeToString([]byte("password = token: secret, key=value\x00 or what ")) + "\n",
	} {
		work := func(size int) int64 {
			r := s.runs.Get().(*run)
			defer s.runs.Put(r)
			r.reset("a.yaml", []byte(strings.Repeat(unit, size/len(unit))))
			r.encoded()
			return r.spent
		}
		if once, twice := work(1<<18), work(1<<19); twice*10 > once*23 {
			t.Errorf("%s: %d units, of twice as many %d", name, once, twice)
		}
	}
}
