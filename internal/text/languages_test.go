package text

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// Of texts in languages that were written in encodings of their own, 95 of 100 are named right: their lines in any order, as
// comments of a program and as prose.
func TestDetectLanguages(t *testing.T) {
	a, err := txtar.ParseFile("testdata/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	encodings := map[Encoding]bool{}
	right, all := 0, 0
	rng := rand.New(rand.NewPCG(3, 4))
	for _, f := range a.Files {
		language, names, _ := strings.Cut(f.Name, ": ")
		lines := strings.SplitAfter(strings.TrimSpace(string(f.Data))+"\n", "\n")
		for _, name := range strings.Fields(names) {
			e := Encoding(name)
			encodings[e] = true
			for i := range 6 {
				rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
				s := strings.Join(lines, "")
				if i%2 == 1 {
					s = "int main(void) { return 0; }\n// " + strings.Join(lines, "// ")
				}
				b := Encode([]byte(s), e)
				if utf8.Valid(b) {
					t.Fatalf("%s in %s is UTF-8", language, e)
				}
				all++
				if got := Detect(b); got == e || string(Decode(b, got)) == string(Decode(b, e)) {
					right++
				} else {
					t.Logf("%s in %s: %q", language, e, got)
				}
			}
		}
	}
	t.Logf("%d of %d, in %d encodings", right, all, len(encodings))
	if len(encodings) < 20 || all < 200 || right*100 < all*95 {
		t.Error("fewer than 95 of 100")
	}
}

// A byte that is wrong in a short text of UTF-8 is one that is replaced: what is whole says what the text is in.
func TestDetectStrayByte(t *testing.T) {
	for _, s := range []string{
		"# Größe über alles – naïve façade, 日本語\nsee caf%s\nGrüße aus Köln, 日本語\n",
		"Zażółć gęślą jaźń%s\n",
		"Привет, мир%s. Это настройки.\n",
		"設定ファイル%s\n",
		"it’s “quoted” – and%s so on …\n",
	} {
		for _, bad := range []string{"\xE9", "\xFF", "\xC3", "\x92"} {
			b := fmt.Appendf(nil, s, bad)
			if e := Detect(b); e != UTF8 || Undecodable(b, e) != 1 {
				t.Errorf("%q: %q, %d undecodable", b, e, Undecodable(b, e))
			}
		}
	}
}

// What is in no encoding is read as UTF-8, and counted; it is never called text of a language.
func TestDetectNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		b := []byte("key: ")
		for range 200 {
			b = append(b, 0x80+byte(rng.IntN(128)), 'a'+byte(rng.IntN(26)))
		}
		if e := Detect(b); e != UTF8 || Undecodable(b, e) == 0 {
			t.Fatalf("%q: %q", b, e)
		}
	}
}

// TestAlphabets holds that each alphabet's languages are in the table of letters.
func TestAlphabets(t *testing.T) {
	for _, a := range alphabets {
		for _, l := range a.languages {
			if len(letters()[l]) == 0 {
				t.Errorf("%s: no letters of %s", a.encoding, l)
			}
		}
	}
}
