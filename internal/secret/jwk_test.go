package secret

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// jwkMember is a member of a made key.
type jwkMember struct {
	name, value string
	private     bool
}

// jwkOf draws a key of a kind, its members in a drawn order.
func (m maker) jwkOf(kind string) []jwkMember {
	public := func(name, value string) jwkMember { return jwkMember{name, value, false} }
	private := func(name string, n int) jwkMember { return jwkMember{name, m.of(url64, n), true} }
	var k []jwkMember
	switch kind {
	case "oct":
		k = []jwkMember{public("kty", "oct"), public("alg", "HS256"), private("k", 43)}
	case "EC":
		k = []jwkMember{public("kty", "EC"), public("crv", "P-256"), public("x", m.of(url64, 43)), public("y", m.of(url64, 43)), private("d", 43)}
	case "OKP":
		k = []jwkMember{public("kty", "OKP"), public("crv", "Ed25519"), public("x", m.of(url64, 43)), private("d", 43)}
	default:
		k = []jwkMember{public("kty", "RSA"), public("n", m.of(url64, 342)), public("e", "AQAB"), private("d", 342)}
		for _, name := range []string{"p", "q", "dp", "dq", "qi"} {
			k = append(k, private(name, 171))
		}
	}
	k = append(k, public("kid", m.of(url64, 24)), public("use", "sig"))
	m.Shuffle(len(k), func(i, j int) { k[i], k[j] = k[j], k[i] })
	return k
}

// jwkNotations write a key as a literal of a language, on lines of their own or on one.
var jwkNotations = []struct {
	path         string
	before, each string // %s: the name, the value
	between      string
	after        string
}{
	{"key.json", "{\"keys\": [{%[1]s", `"%s": "%s"`, ",%[1]s", "%[1]s}]}\n"},
	{"key.js", "const key = {%[1]s", `%s: '%s'`, ",%[1]s", "%[1]s};\n"},
	{"key.ts", "export const keys = [{%[1]s", `'%s': "%s"`, ",%[1]s", "%[1]s}];\n"},
	{"key.py", "KEY = {%[1]s", `'%s': '%s'`, ",%[1]s", "%[1]s}\n"},
	{"call.py", "key = jwk.JWK(%[1]s", `%s="%s"`, ",%[1]s", "%[1]s)\n"},
	{"key.go", "var key = map[string]string{%[1]s", `"%s": "%s"`, ",%[1]s", ",%[1]s}\n"},
	{"text.go", "var key = []byte(\"{%[1]s", `\"%s\":\"%s\"`, ",%[1]s", "%[1]s}\")\n"},
	{"key.rb", "KEY = {%[1]s", `%s: '%s'`, ",%[1]s", "%[1]s}.freeze\n"},
	{"rocket.rb", "key = {%[1]s", `:%s => "%s"`, ",%[1]s", "%[1]s}\n"},
	{"key.yaml", "key: {%[1]s", "%s: %s", ",%[1]s", "%[1]s}\n"},
	{"lines.yaml", "keys:\n  - ", "%s: %s", "\n    ", "\n"},
}

// TestKeyLiterals: the private members of a key are found in whatever order and notation its members stand, and nothing else of it.
func TestKeyLiterals(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(27, 7))}
	literals := 0
	for _, n := range jwkNotations {
		for _, kind := range []string{"oct", "EC", "OKP", "RSA"} {
			for _, parted := range []string{" ", "\n    "} {
				if n.path == "text.go" {
					parted = ""
				}
				literals++
				key := m.jwkOf(kind)
				write := func(key []jwkMember) string {
					var list []string
					for _, e := range key {
						list = append(list, fmt.Sprintf(n.each, e.name, e.value))
					}
					fill := func(s string) string { return strings.ReplaceAll(s, "%[1]s", parted) }
					return fill(n.before) + strings.Join(list, fill(n.between)) + fill(n.after)
				}
				text := write(key)
				found, err := s.Scan(n.path, []byte(text), nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range key {
					written := fmt.Sprintf(n.each, e.name, e.value)
					at := strings.Index(text, written) + strings.LastIndex(written, e.value)
					whole := slices.ContainsFunc(found, func(f value.Finding) bool { return f.Start <= at && at+len(e.value) <= f.End })
					touched := slices.ContainsFunc(found, func(f value.Finding) bool { return f.Start < at+len(e.value) && at < f.End })
					if e.private && !whole || !e.private && touched {
						t.Errorf("%s, %s, %q: %s, private %t, is found %t", n.path, kind, parted, e.name, e.private, touched)
					}
				}
				if found, err := s.Scan(n.path, []byte(write(slices.DeleteFunc(key, func(e jwkMember) bool { return e.private }))), nil); err != nil || len(found) > 0 {
					t.Errorf("%s, %s: the public key: %v, %v", n.path, kind, found, err)
				}
			}
		}
	}
	if literals < 40 {
		t.Errorf("%d literals", literals)
	}
}

// TestKeyForms are further ways in which a key is written.
func TestKeyForms(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(5, 9))}
	d, x := m.of(url64, 43), m.of(url64, 43)
	a, b := m.of(url64, 60), m.of(url64, 26)
	for _, c := range []struct {
		name, path, text string
		values           []string
	}{
		{"name with a brace", "k.json", `{"d": "` + d + `", "kid": "a}b{", "kty": "EC", "x": "` + x + `"}`, []string{d}},
		{"further primes", "k.json", `{"oth": [{"r": "` + d + `", "d": "` + a + `", "t": "` + x + `"}], "kty": "RSA"}`, []string{d, a, x}},
		{"no kty", "k.js", `load({crv: "P-256", x: "` + x + `", d: "` + d + `"})`, []string{d}},
		{"joined", "k.py", "k = {'kty': 'RSA', 'd': '" + a + "'\n     '" + b + "', 'e': 'AQAB'}\n", []string{a, b}},
		{"joined by a sign", "k.js", "k = {kty: 'RSA', d: '" + a + "' +\n '" + b + "', e: 'AQAB'}\n", []string{a, b}},
		{"folded", "k.yaml", "key:\n  d: >-\n    " + a + "\n    " + b[:9] + "\n  kty: RSA\n", []string{a, b[:9]}},
		{"struct", "k.go", "k := rawKey{Kty: \"EC\", D: fromBase64URL(\"" + d + "\"), X: fromBase64URL(\"" + x + "\")}\n", []string{d}},
		{"Erlang", "k.erl", "#{<<\"d\">> => <<\"" + d + "\">>, <<\"kty\">> => <<\"EC\">>}", []string{d}},
		{"PHP", "k.php", "['d' => '" + d + "', 'kty' => 'EC']", []string{d}},
		{"Kotlin", "k.kt", "mapOf(\"d\" to \"" + d + "\", \"kty\" to \"EC\")", []string{d}},
		{"set of keys", "k.json", `{"keys":[{"x":"` + x + `","kty":"EC"},{"d":"` + d + `","kty":"OKP"}]}`, []string{d}},
		{"names", "k.js", "const k = {kty: 'oct', k: 'base64UrlOfTheSharedSecretKey', d: decodeTheWholeOfThisPrivateExponentForMe}", nil},
		{"in a call", "k.js", "if (k.kty === 'RSA') { d = bufferOfTheBigIntegerThatIsThePrivateExponent(k.d) }", nil},
	} {
		found, err := s.Scan(c.path, []byte(c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		covered := func(v string) bool {
			at := strings.Index(c.text, v)
			return slices.ContainsFunc(found, func(f value.Finding) bool { return f.Start <= at && at+len(v) <= f.End })
		}
		for _, v := range c.values {
			if !covered(v) {
				t.Errorf("%s: not found whole: %v", c.name, found)
			}
		}
		if c.values == nil && len(found) > 0 || strings.Contains(c.text, `"x"`) && c.name != "further primes" && covered(x) {
			t.Errorf("%s: %v", c.name, found)
		}
	}
}
