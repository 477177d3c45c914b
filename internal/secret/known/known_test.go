package known

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"mime/quotedprintable"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
	"github.com/haversack-dev/haversack/internal/seedtest"
)

// escapeAll writes each byte of v by format.
func escapeAll(v, format string) string {
	var b strings.Builder
	for i := range len(v) {
		fmt.Fprintf(&b, format, v[i])
	}
	return b.String()
}

func quotedPrintable(v string) string {
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(v))
	_ = w.Close()
	return b.String()
}

// TestKnownForms holds that a value is found in each form, whole: nothing that is
// left tells it.
func TestKnownForms(t *testing.T) {
	m := dice{rand.New(rand.NewPCG(9, 1))}
	for _, v := range []string{m.of(alnum, 40), m.of(alnum64, 20) + "+/" + m.of(alnum64, 20) + "==", m.of(alnum, 16), m.of(smallHex, 64), "a&b\"c\\" + m.of(alnum, 20) + "=/'<%", m.of(alnum64, 300)} {
		var k Values
		if !k.Add("r", []byte(v)) && !k.Give("r", v) {
			t.Fatal("not taken")
		}
		b64 := base64.StdEncoding.EncodeToString
		wrapped := func(text string) string {
			e := b64([]byte(text))
			var lines []string
			for len(e) > 76 {
				lines, e = append(lines, e[:76]), e[76:]
			}
			return strings.Join(append(lines, e), "\r\n")
		}
		zero := ""
		for i := range len(v) {
			zero += v[i:i+1] + []string{"\u200b", "", "\u00ad", "\ufeff", "\u2060"}[i%5]
		}
		for name, form := range map[string]string{
			"as it is":               v,
			"\\u":                    escapeAll(v, `\u%04x`),
			"\\u, upper":             escapeAll(v, `\u%04X`),
			"\\u, twice":             escapeAll(v, `\\u%04x`),
			"\\u{}":                  escapeAll(v, `\u{%x}`),
			"\\x":                    escapeAll(v, `\x%02x`),
			"octal":                  escapeAll(v, `\%03o`),
			"JSON":                   fmt.Sprintf("%q", v),
			"percent":                escapeAll(v, `%%%02X`),
			"percent, lower":         escapeAll(v, `%%%02x`),
			"query":                  url.QueryEscape(v),
			"entities":               escapeAll(v, `&#%d;`),
			"entities, hexadecimal":  escapeAll(v, `&#x%x;`),
			"entities by name":       strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "+", "&plus;", "/", "&sol;", "=", "&equals;").Replace(v),
			"hexadecimal":            hex.EncodeToString([]byte(v)),
			"hexadecimal, upper":     strings.ToUpper(hex.EncodeToString([]byte(v))),
			"no width":               zero,
			"quoted-printable":       quotedPrintable("Subject: " + v + "\n"),
			"quoted-printable, all":  escapeAll(v, `=%02X`),
			"base64":                 b64([]byte(v)),
			"base64 of URLs":         base64.RawURLEncoding.EncodeToString([]byte(v)),
			"base64 of a text":       b64([]byte("user:" + v + "@host and more of it")),
			"base64 of a text, 1 on": b64([]byte("user1:" + v + "@host and more of it")),
			"base64 of a text, 2 on": b64([]byte("user12:" + v + "@host and more of it")),
			"base64 in lines":        wrapped(strings.Repeat("some text before it; ", 5) + v + strings.Repeat(" and after it", 6)),
			"base64 in lines, 2 on":  wrapped(strings.Repeat("some text before it;; ", 5) + v + strings.Repeat(" and after it", 6)),
			"hexadecimal of a text":  hex.EncodeToString([]byte("user:" + v + "@host")),
		} {
			text := []byte("line 1\n  before " + form + " after\nlast\n")
			got := k.Find(text, nil)
			if len(got) == 0 {
				t.Errorf("%s of %d bytes: not found in %.100q", name, len(v), text)
				continue
			}
			left := string(without(text, got))
			if !strings.HasPrefix(left, "line 1\n  before ") || !strings.HasSuffix(left, " after\nlast\n") && !strings.Contains(name, "lines") && !strings.Contains(name, "printable") {
				t.Errorf("%s: too much is gone: %q", name, left)
			}
			// Of the form itself no six bytes in a row stay but of what stood round it.
			if name == "as it is" || strings.HasPrefix(name, "\\") || strings.HasPrefix(name, "percent") || strings.HasPrefix(name, "entities,") {
				if n := len(left) - len("line 1\n  before [REDACTED:r] after\nlast\n"); n > 0 {
					t.Errorf("%s: %d bytes stay: %q", name, n, left)
				}
			}
			if bytes.Contains(text, []byte(v)) && strings.Contains(left, v) {
				t.Errorf("%s: the value stays", name)
			}
		}
	}
}

// TestKnownBeginAlike holds that what begins as a value does is not that value: keys
// and certificates of a kind share their first bytes.
func TestKnownBeginAlike(t *testing.T) {
	m := dice{rand.New(rand.NewPCG(9, 12))}
	head := m.of(alnum, 32)
	var k Values
	if !k.Add("r", []byte(head+m.of(alnum, 32))) {
		t.Fatal("not taken")
	}
	other := head + m.of(alnum, 32)
	for skip := range 3 {
		text := base64.StdEncoding.EncodeToString([]byte("ab"[:skip%3] + other))
		if got := k.Find([]byte(text), nil); len(got) > 0 {
			t.Errorf("found %v", got)
		}
	}
	if got := k.Find([]byte(other+" "+hex.EncodeToString([]byte(other))), nil); len(got) > 0 {
		t.Errorf("found %v", got)
	}
}

// TestKnownPlainForm holds that a value found escaped or in base64 is known as
// what it stands for.
func TestKnownPlainForm(t *testing.T) {
	m := dice{rand.New(rand.NewPCG(9, 2))}
	v := m.of(alnum, 20) + "+/" + m.of(alnum, 8)
	for name, form := range map[string]string{
		"query": url.QueryEscape(v), "entities": strings.NewReplacer("+", "&#43;", "/", "&#47;").Replace(v), "\\u": strings.ReplaceAll(v, "+", `\u002b`), "base64": base64.StdEncoding.EncodeToString([]byte(v)), "base64 of a pair": base64.StdEncoding.EncodeToString([]byte("user:" + v)),
	} {
		var k Values
		if !k.AddFile("a.env", []byte(form), []value.Finding{{Rule: "r", Line: 1, Start: 0, End: len(form)}}) {
			t.Fatal("refused")
		}
		if got := k.Find([]byte("x "+v+" y"), nil); len(got) != 1 || got[0].Start != 2 || got[0].End != 2+len(v) {
			t.Errorf("%s: found %v", name, got)
		}
		if got := k.Find([]byte("x "+form+" y"), nil); len(got) != 1 {
			t.Errorf("%s: the form itself: %v", name, got)
		}
	}
}

// TestKnownIsNoName holds that nothing is learned that things are named with.
func TestKnownIsNoName(t *testing.T) {
	var k Values
	for _, v := range []string{
		`Symfony\Component\Form\Extension\Core\Type\RepeatedType`, `Acme\\Http\\Controller\\Security2`, "org.springframework.security.crypto.Argon2PasswordEncoder",
		"pkcs8P256PrivateKeyHex", "internationalization", "react-dom-server-browser", "SomeVeryLongIdentifierName", "include_stale_entries_v2",
		"content-security-policy-2", "uncharacteristically", "MAX_RETRY_COUNT_DEFAULT_2", "UserTokenRepository", "testTokenServiceV2Factory", "delay_messages__5000_retry", "getElementById2Cached", "configuration.yaml.example",
	} {
		if k.Add("password-assignment", []byte(v)) {
			t.Errorf("%s is learned", v)
		}
	}
	m := dice{rand.New(rand.NewPCG(9, 3))}
	for _, v := range []string{m.of(alnum, 20), m.of(smallHex, 32), "Scenic-Improving-Payphone", "Zx81" + "kLq0!vR-acme-prod", "gh" + "p_" + m.of(alnum, 36), "sk-ant-api03-" + m.of(alnum, 40)} {
		if !k.Add("password-assignment", []byte(v)) {
			t.Errorf("%s is not learned", v)
		}
	}
}

// TestKnownCrowd holds that as many values as there are, alike in whatever part, are all found, and nothing else.
func TestKnownCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	seed := seedtest.Seed(t)
	m := dice{rand.New(rand.NewPCG(seed, 13))}
	shared := m.of(alnum, 64)
	for name, of := range map[string]func(i int) string{
		"middle":    func(int) string { return m.of(alnum, 12) + shared[:16] + m.of(alnum, 12) },
		"beginning": func(int) string { return shared + m.of(alnum, 4) },
		"end":       func(int) string { return m.of(alnum, 4) + shared },
		"lengths":   func(i int) string { return m.of(alnum, 3+i%17) + shared[:20] + m.of(alnum, 3+i%13) },
		"nested":    func(i int) string { return m.of(alnum, 2) + shared[:16+i%48] },
	} {
		var k Values
		var list []string
		for i := range 400 {
			if v := of(i); k.Add("r", []byte(v)) {
				list = append(list, v)
			}
		}
		if len(list) < 350 {
			t.Fatalf("%s: %d values are learned", name, len(list))
		}
		for _, v := range list {
			for form, text := range map[string]string{"plain": v, "base64": base64.StdEncoding.EncodeToString([]byte("x:" + v + " y")), "hexadecimal": hex.EncodeToString([]byte(v)), "escaped": escapeAll(v, `\u%04x`)} {
				got := k.Find([]byte("see "+text+" here"), nil)
				left := string(without([]byte("see "+text+" here"), got))
				if len(got) == 0 || form != "base64" && left != "see [REDACTED:r] here" {
					t.Fatalf("%s, %s: %d findings of %s, left %q", name, form, len(got), v, left)
				}
			}
		}
		if got := k.Find([]byte(strings.Repeat("x"+shared[2:14]+"y ", 100)), nil); len(got) > 0 {
			t.Errorf("%s: %d findings of the part that all share", name, len(got))
		}
	}
}

// teach makes a file of n values and adds it.
func teach(k *Values, m dice, path string, n int) bool {
	var b strings.Builder
	var found []value.Finding
	for i := range n {
		at := b.Len()
		v := []byte(m.of(alnum, 24))
		for _, ok := learnable("r", v, minFound); !ok; _, ok = learnable("r", v, minFound) {
			v = []byte(m.of(alnum, 24))
		}
		b.Write(v)
		found = append(found, value.Finding{Rule: "r", Line: i + 1, Start: at, End: b.Len()})
		b.WriteByte('\n')
	}
	return k.AddFile(path, []byte(b.String()), found)
}

func TestKnownTooMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	type file struct {
		path string
		n    int
	}
	var files []file
	for i := range 210 {
		files = append(files, file{fmt.Sprintf("made/%03d.txt", i), manyFindings})
	}
	for i := range 50 {
		files = append(files, file{fmt.Sprintf("src/%02d.go", i), 1 + i%7})
	}
	files = append(files, file{"more.txt", manyFindings + 1})
	var want []string
	for round := range 2 {
		m := dice{rand.New(rand.NewPCG(9, uint64(round)))}
		m.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		var k Values
		for _, f := range files {
			teach(&k, dice{rand.New(rand.NewPCG(10, uint64(len(f.path)*1000+int(f.path[len(f.path)-5]))))}, f.path, f.n)
		}
		over := k.Over()
		if want == nil {
			want = over
		}
		if !slices.Equal(over, want) {
			t.Fatalf("round %d: other files are left out", round)
		}
	}
	// Each file with values of its own.
	var k Values
	m := dice{rand.New(rand.NewPCG(9, 9))}
	for _, f := range files {
		teach(&k, m, f.path, f.n)
	}
	over := k.Over()
	if len(over) != 211 || over[0] != "made/000.txt" || over[210] != "more.txt" {
		t.Errorf("%d files are left out", len(over))
	}
	if k.Full() || k.Len() == 0 || k.Len() > 50*7 {
		t.Errorf("%d values are held, full %v", k.Len(), k.Full())
	}
	if teach(&k, m, "made/late.txt", manyFindings) || !teach(&k, m, "late.go", 3) {
		t.Error("a late file is not judged as the others were")
	}
}

// TestKnownLinear counts steps: no text costs more than its length, whatever the
// values are.
func TestKnownLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	m := dice{rand.New(rand.NewPCG(9, 11))}
	var k Values
	k.Add("r", []byte(m.of(alnum, 512)+strings.Repeat("A", 3500)))
	k.Add("r", []byte(m.of(alnum, 512)+strings.Repeat("AAAA%41", 500)))
	v := m.of(alnum, 16)
	for i := range 100 {
		k.Add("r", []byte(v+fmt.Sprint(i)))
	}
	b64 := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("A", 300)))
	for name, unit := range map[string]string{
		"value": v, "base64": b64[:4], "hex": "41", "percent": "%41", "entities": "&#65;", "u": `\u0041`, "backslashes": `\\\\`, "qp": "=41", "qp lines": "=\n", "qp almost": "=4", "zero": "\u200b", "percent and space": "%41 ", "quote": `\"`, "amp": "&", "A": "A",
	} {
		steps := func(n int) int {
			var d decoder
			k.indexed().searchWith(&d, bytes.Repeat([]byte(unit), n/len(unit)), func(*knownValue, int, int) {})
			return d.steps
		}
		once, twice := steps(1<<18), steps(1<<19)
		t.Logf("%s: %.1f steps a byte, %.2f times as many for twice the text", name, float64(once)/(1<<18), float64(twice)/float64(once))
		if float64(twice) > 2.3*float64(once) {
			t.Errorf("%s: %d steps for 256 KiB, %d for 512", name, once, twice)
		}
	}
}

func FuzzKnownForms(f *testing.F) {
	f.Add("abcdefgh12345678", `x \u0061bc %41 &#65; =41`)
	f.Fuzz(func(t *testing.T, value, text string) {
		var k Values
		k.Give("r", value)
		got := k.Find([]byte(text), nil)
		last := 0
		for _, g := range got {
			if g.Start < last || g.End <= g.Start || g.End > len(text) || g.Line != 1+strings.Count(text[:g.Start], "\n") {
				t.Fatalf("finding %+v after %d in %d bytes", g, last, len(text))
			}
			last = g.End
		}
	})
}
