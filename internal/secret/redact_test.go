package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/known"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

func TestRedact(t *testing.T) {
	for _, c := range []struct {
		text     string
		findings []value.Finding
		want     string
	}{
		{"a b c", nil, "a b c"},
		{"key=VALUE;", []value.Finding{{Rule: "r", Line: 1, Start: 4, End: 9}}, "key=[REDACTED:r];"},
		{"a\nB\nC\nd", []value.Finding{{Rule: "k", Line: 2, Start: 2, End: 5}}, "a\n[REDACTED:k]\n\nd"},
		{"XY", []value.Finding{{Rule: "r", Line: 1, Start: 0, End: 1}, {Rule: "s", Line: 1, Start: 1, End: 2}}, "[REDACTED:r][REDACTED:s]"},
		{"XY", []value.Finding{{Rule: "r", Line: 1, Start: 0, End: 9}}, "XY"}, // of another text
	} {
		if got := string(Redact([]byte(c.text), c.findings)); got != c.want {
			t.Errorf("Redact(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// checkRedaction holds what redaction promises of any text.
func checkRedaction(t *testing.T, s *Scanner, path string, text []byte) {
	t.Helper()
	found, err := s.Scan(path, text, nil)
	if err != nil {
		return
	}
	marks := 0
	for i, f := range found {
		if f.Start >= f.End || f.End > len(text) || i > 0 && f.Start < found[i-1].End {
			t.Fatalf("finding %d of %d out of order or bounds: %+v", i, len(found), f)
		}
		if want := 1 + bytes.Count(text[:f.Start], value.Newline); f.Line != want {
			t.Fatalf("finding on line %d, want %d", f.Line, want)
		}
		marks += len("[REDACTED:") + len(f.Rule) + 1
	}
	red := Redact(text, found)
	if a, b := bytes.Count(text, value.Newline), bytes.Count(red, value.Newline); a != b {
		t.Errorf("%d lines became %d", a, b)
	}
	if len(red) > len(text)+marks {
		t.Errorf("%d bytes became %d with marks of %d", len(text), len(red), marks)
	}
	// A value that was found must not be found again; what its going uncovers may.
	again, err := s.Scan(path, red, nil)
	if err != nil {
		return
	}
	for _, f := range again {
		if bytes.Contains(red[f.Start:f.End], []byte("[REDACTED:")) {
			t.Errorf("a mark was found: %q by %s", red[f.Start:f.End], f.Rule)
		}
	}
	// Redacting until nothing is found takes a few rounds at most.
	for range 5 {
		if len(again) == 0 {
			return
		}
		red = Redact(red, again)
		if again, err = s.Scan(path, red, nil); err != nil {
			return
		}
	}
	if len(again) > 0 {
		t.Errorf("still %d findings after six rounds", len(again))
	}
}

func TestRedactionOfCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	s := newScanner(t)
	for _, f := range append(makeCorpus(11), makeHoldout(11)...) {
		text := []byte(f.text)
		checkRedaction(t, s, f.path, text)
		found, _ := s.Scan(f.path, text, nil)
		red := Redact(text, found)
		if again, _ := s.Scan(f.path, red, nil); len(again) > 0 {
			t.Errorf("%s in %s: redacted text has findings: %q", f.kind, f.context, red)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, p := range append(makeCorpus(5), makeHoldout(5)...) {
		f.Add(p.path, p.text)
	}
	s := newScanner(f)
	f.Fuzz(func(t *testing.T, path, text string) {
		checkRedaction(t, s, path, []byte(text))
	})
}

func TestMostlyKey(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(1, 1))}
	key := m.privateKey()
	for _, c := range []struct {
		text string
		want bool
	}{
		{key, true},
		{"# the key\n" + key, true},
		{strings.Repeat("line of code that goes on\n", 200) + key, false},
		{strings.Repeat("line of code that goes on\n", 20) + key, false},
		{"password: " + m.of(base62, 20) + "\n", false},
		{"nothing\n", false},
	} {
		found, err := s.Scan("x.txt", []byte(c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := MostlyKey([]byte(c.text), found); got != c.want {
			t.Errorf("MostlyKey(%.20q..., %d findings) = %v", c.text, len(found), got)
		}
	}
}

// TestProgramsOfKeys holds that a program that writes keys is no key: its marks stand round names and calls.
func TestProgramsOfKeys(t *testing.T) {
	for path, text := range map[string]string{
		"Keys/PKCS8.php": `return "-----BEGIN ENCRYPTED PRIVATE KEY-----\r\n" .
            chunk_split(Strings::base64_encode($encryptedPrivateKeyInfo), 64) .
            "-----END ENCRYPTED PRIVATE KEY-----";`,
		"pem.py": "lines = ['-----BEGIN PRIVATE KEY-----'] + wrap(base64.standard_b64encode(private_key_bytes_of(pair)), 64) + ['-----END PRIVATE KEY-----']\n",
	} {
		found, err := newScanner(t).Scan(path, []byte(text), nil)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", path, found, err)
		}
	}
}

func TestTooMany(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(1, 2))}
	var b strings.Builder
	for range 3 * MaxFindings {
		fmt.Fprintf(&b, "password = %q\n", m.of(base62, 20))
	}
	found, err := s.Scan("x.ini", []byte(b.String()), nil)
	if err != nil || len(found) <= MaxFindings {
		t.Errorf("%d findings, error %v; want more than %d", len(found), err, MaxFindings)
	}
}

func TestKnown(t *testing.T) {
	var k known.Values
	m := maker{rand.New(rand.NewPCG(1, 3))}
	v, w := m.of(base62, 30), m.of(base62, 30)
	if !k.Add("api-key", []byte(v)) || !k.Give("masked-value", "short-ish") || !k.Give("masked-value", w) {
		t.Error("a value was refused")
	}
	if k.Add("x", []byte("summer")) || k.Add("x", []byte("a-name-of-some-words")) || k.Give("x", "seven77") {
		t.Error("a weak value was taken")
	}
	text := []byte("a " + v + "\nb short-ish\n" + v[:20] + " x" + w + "y\n")
	got := k.Find(text, nil)
	if len(got) != 3 || got[0].Rule != "api-key" || got[0].Line != 1 || got[1].Line != 2 || got[2].Line != 3 || string(text[got[2].Start:got[2].End]) != w {
		t.Errorf("found %+v", got)
	}
	if k.Find(nil, nil) != nil || k.Find([]byte("short"), nil) != nil {
		t.Error("found something in nothing")
	}
	k.Give("late", "another1")
	if got := k.Find([]byte("xx another1"), nil); len(got) != 1 || got[0].Rule != "late" {
		t.Errorf("a value given later: %+v", got)
	}
	// Overlapping values merge.
	k.Give("o", "abcdefgh-ij")
	k.Give("o", "fgh-ijklmn")
	if got := k.Find([]byte("_abcdefgh-ijklmn_"), nil); len(got) != 1 || got[0].Start != 1 || got[0].End != 16 {
		t.Errorf("overlap: %+v", got)
	}
}

func TestKnownOfKey(t *testing.T) {
	var k known.Values
	m := maker{rand.New(rand.NewPCG(1, 4))}
	key := m.armour("EC PRIVATE"+" KEY", m.bytes(120))
	if !k.Add("private-key", []byte(key)) {
		t.Fatal("key refused")
	}
	lines := strings.Split(strings.TrimSpace(key), "\n")
	if got := k.Find([]byte("x "+lines[1]+" y"), nil); len(got) != 1 {
		t.Errorf("a line of the key alone: %+v", got)
	}
	if got := k.Find([]byte(lines[0]+"\n"), nil); len(got) != 0 {
		t.Errorf("the armour alone: %+v", got)
	}
	k.Give("masked", key)
	if got := k.Find([]byte("    "+lines[2]+"\n"), nil); len(got) != 1 {
		t.Errorf("an indented line of a masked key: %+v", got)
	}
}

// TestKnownIsMute prints a Known in every way there is.
func TestKnownIsMute(t *testing.T) {
	k := &known.Values{}
	v := strings.Repeat("Zx9Kq3Lm", 4)
	k.Give("r", v)
	var b bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T", "%p"} {
		fmt.Fprintf(&b, verb, k)
		fmt.Fprintf(&b, verb, struct{ K *known.Values }{k})
		fmt.Fprintf(&b, verb, []any{k})
		fmt.Fprintf(&b, verb, map[string]*known.Values{"k": k})
	}
	type holder struct {
		K known.Values
		N int
	}
	h := &holder{}
	h.K.Give("r", v)
	h.K.Find([]byte(v), nil)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		fmt.Fprintf(&b, verb, h)
		fmt.Fprintf(&b, verb, []*holder{h})
	}
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "k", k)
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "k", k)
	j, err := json.Marshal(map[string]any{"k": k})
	if err != nil {
		t.Error(err)
	}
	b.Write(j)
	if s := b.String(); strings.Contains(s, "Zx9Kq3Lm") || strings.Contains(s, fmt.Sprintf("%x", "Zx9K")) {
		t.Errorf("a value was printed: %s", s)
	}
}

func TestKnownConcurrently(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var k known.Values
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			m := maker{rand.New(rand.NewPCG(uint64(i), 5))}
			// Each value makes the index anew: five times as many take twenty times as long.
			for range 40 {
				v := m.of(base62, 24)
				k.Add("r", []byte(v))
				if got := k.Find([]byte("x"+v+"y"), nil); len(got) != 1 {
					t.Errorf("added, not found")
				}
			}
		})
	}
	wg.Wait()
	if k.Len() != 320 {
		t.Errorf("%d values", k.Len())
	}
}

// TestKnownWhileFound: values are found and counted while they are learned under
// another rule and given. It needs the race detector.
func TestKnownWhileFound(t *testing.T) {
	value := []byte("q7Zk2LxT9vBn4Rw8YcMd5Hs1")
	for range 50 {
		var k known.Values
		k.Add("second", value)
		var wg sync.WaitGroup
		for _, call := range []func(){
			func() { k.Find(value, nil) },
			func() { k.Holds(value) },
			func() { k.Add("first", value) },
			func() { k.Give("third", string(value)) },
		} {
			wg.Go(call)
		}
		wg.Wait()
		if got := k.Find(value, nil); len(got) != 1 || got[0].Rule != "first" {
			t.Fatalf("found %v", got)
		}
	}
}

func FuzzKnown(f *testing.F) {
	f.Add("abcdefgh", "xx abcdefgh yy abcdefghabcdefgh")
	f.Fuzz(func(t *testing.T, given, text string) {
		var k known.Values
		taken := k.Give("r", given)
		got := k.Find([]byte(text), nil)
		red := Redact([]byte(text), got)
		v := strings.TrimSpace(given)
		if len(v) > known.MaxLength || strings.Contains("[REDACTED:r]", v) {
			return
		}
		if taken && strings.Contains(text, v) && len(got) == 0 && !strings.Contains(v, "\n") {
			t.Errorf("%q in %q: %d findings", v, text, len(got))
		}
		if taken && len(got) > 0 && bytes.Count(red, value.Newline) != strings.Count(text, "\n") {
			t.Error("lines lost")
		}
	})
}

func TestMerge(t *testing.T) {
	a := []value.Finding{{Rule: "a", Line: 1, Start: 0, End: 5}, {Rule: "a", Line: 1, Start: 20, End: 30}}
	b := []value.Finding{{Rule: "b", Line: 1, Start: 3, End: 8}, {Rule: "b", Line: 1, Start: 10, End: 12}, {Rule: "b", Line: 1, Start: 19, End: 21}}
	got := Merge(a, b)
	want := []value.Finding{{Rule: "a", Line: 1, Start: 0, End: 8}, {Rule: "b", Line: 1, Start: 10, End: 12}, {Rule: "a", Line: 1, Start: 19, End: 30}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
