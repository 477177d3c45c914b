package tokens

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

func TestCount(t *testing.T) {
	// Counted by OpenAI's tiktoken and by npm's gpt-tokenizer.
	for text, want := range map[string]int{
		"":              0,
		"hello world":   2,
		"a\n\n\nb":      3,
		"<|endoftext|>": 7,
		"\x7f":          1,
		"\n \n":         1,
		"a\r\n\t\r\nb":  3,
	} {
		if got := new(Counter).Count([]byte(text)); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}

var blankLines = regexp.MustCompile(`([\r\n])[\s\v\x{85}\p{Z}]+[\r\n]`)

// library is another encoder with the same vocabulary, and an engine of expressions for the pieces.
var library = sync.OnceValue(codec.NewO200kBase)

// alike holds that both encoders count alike, and split alike.
func alike(t *testing.T, text []byte) {
	t.Helper()
	text = bytes.ReplaceAll(text, []byte("\x7f"), nil) // which the library counts as nothing
	valid := strings.ToValidUTF8(string(text), "\uFFFD")
	// Lines of blanks alone belong to the piece of the line ends around them; the library cuts there (TestCount).
	valid = blankLines.ReplaceAllString(valid, "$1")
	text = []byte(valid)
	want, err := library().Count(valid)
	if err != nil {
		t.Fatal(err)
	}
	if got := count(text); got != want {
		var pieces []string
		for i := 0; i < len(valid); {
			end := next([]byte(valid), i)
			pieces, i = append(pieces, valid[i:end]), end
		}
		t.Errorf("%.200q: %d tokens, want %d; pieces %.20q", text, got, want, pieces[:min(len(pieces), 100)])
	}
}

// TestOtherEncoder counts what stands in this project, and texts at the borders of what a piece is.
func TestOtherEncoder(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, text := range []string{
		"it's IT'S it'S don't we're WE'RE we've I'll I'd I'm x'y 'tis ''s", "HTTPServer getHTTPServer ABCdef ABC abcDEF aB Ab aBC",
		"a  b   c\td \n\n  e\r\n\r\n f \n ", "  ", " \n", "\n ", " a", "  a", "\t\ta", "1234567 12 1a2b", "x1 x12 x1234", "((a (a a) a)) //\n//\n", "#!/\r\n/ /// \n/",
		"caf\u00e9 cafe\u0301 \u0301a \u0301A \u0301 \u0301\u0301b A\u0301B AB\u0301CD", "漢字かな交じり文 한국어 العربية עברית हिन्दी ไทย", "ǅungla ʰa Aʰ AʰB", "½ Ⅷ ٣٤٥٦ ²³", "\u00a0x \u2003 y\u2028z\u0085w\u3000",
		"👩‍👩‍👧 ❤️ 🇩🇪", "naïve façade Ünder ÜBER Straße", "a\xffb\xfe\xfec \xe2\x82", "\x00\x01\x1f", "<|endoftext|>", "ſ'ſ K'K", "'S'T'RE'VE'M'LL'D'LX", "a'L a'LE a'R",
	} {
		alike(t, []byte(text))
	}
	for _, pattern := range []string{"*.go", "../*/*.go", "../../*.md", "../../docs/*.md", "../../go.sum"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			alike(t, text)
		}
	}
}

// TestVocabulary holds that each token has its rank.
func TestVocabulary(t *testing.T) {
	var list [Ranks]string
	for i := range Ranks {
		is := o200k.at(i)
		list[is.rank()] = o200k.text[is.from():][:is.size()]
	}
	for rank, word := range list {
		if got := o200k.rank([]byte(word)); got != uint32(rank) {
			t.Fatalf("%q has rank %d, want %d", word, got, rank)
		}
		if want, err := library().Decode([]uint{uint(rank)}); err != nil || word != want {
			t.Fatalf("rank %d is %q, want %q, %v", rank, word, want, err)
		}
	}
	if got, err := Lay(list[:]); err != nil || string(got) != laid {
		t.Errorf("laid out again they are %d bytes, want the same %d, %v", len(got), len(laid), err)
	}
}

// TestLay holds what a vocabulary that does not fit is told as.
func TestLay(t *testing.T) {
	list := make([]string, Ranks)
	for i := range list {
		list[i] = strconv.Itoa(i)
	}
	for want, list := range map[string][]string{
		"1 tokens of 1 bytes do not fit":         {"a"},
		"the token of rank 199997 has 0 bytes":   append(slices.Clone(list[:Ranks-1]), ""),
		"the token of rank 199997 has 129 bytes": append(slices.Clone(list[:Ranks-1]), strings.Repeat("a", 129)),
	} {
		if _, err := Lay(list); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func FuzzOtherEncoder(f *testing.F) {
	for _, s := range []string{"a\nb", "It's  HTTPServers'S\n\n /x", "\u0301A\u0301b \u00a0\u2003漢ǅʰ½"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if text = bytes.ToValidUTF8(text, []byte("\uFFFD")); len(text) <= maxPiece { // what is longer, each wrong byte being three, may be cut
			alike(t, text)
		}
	})
}

func TestCountedOnce(t *testing.T) {
	var c Counter
	text := []byte("one two three")
	n := c.Count(text)
	read := 0
	for range 2 {
		if got := c.CountSum(sha256.Sum256(text), func() []byte { read++; return text }); got != n {
			t.Errorf("%d tokens, then %d", n, got)
		}
	}
	if read != 1 {
		t.Errorf("read %d times", read)
	}
	if !c.Within(text, n) || c.Within(text, n-1) {
		t.Errorf("%d tokens are not within what they are, or less", n)
	}
}

// hostile are texts that the encoder alone would take minutes for.
func hostile(size int) map[string][]byte {
	random := rand.NewChaCha8([32]byte{})
	noise := make([]byte, size)
	random.Read(noise)
	letters := make([]byte, size)
	for i := range letters {
		letters[i] = 'a' + noise[i]%26
	}
	return map[string][]byte{
		"letters":       bytes.Repeat([]byte("a"), size),
		"capitals":      bytes.Repeat([]byte("A"), size),
		"aA":            bytes.Repeat([]byte("aA"), size/2),
		"spaces":        bytes.Repeat([]byte(" "), size),
		"tabs":          bytes.Repeat([]byte("\t"), size),
		"lines":         bytes.Repeat([]byte("\n"), size),
		"lines spaces":  bytes.Repeat([]byte(" \n"), size/2),
		"signs":         bytes.Repeat([]byte("="), size),
		"slashes":       bytes.Repeat([]byte("/"), size),
		"slashed lines": bytes.Repeat([]byte("/\n"), size/2),
		"digits":        bytes.Repeat([]byte("7"), size),
		"marks":         []byte(strings.Repeat("\u0301", size/2)),
		"han":           []byte(strings.Repeat("漢", size/3)),
		"emoji":         []byte(strings.Repeat("👩‍👩‍👧", size/18)),
		"quotes":        bytes.Repeat([]byte("a'"), size/2),
		"noise":         noise,
		"random":        letters,
		"nul":           make([]byte, size),
	}
}

func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for name, text := range hostile(1 << 18) {
		start := time.Now()
		n := new(Counter).Count(text)
		t.Logf("%-14s %8d tokens %8.1f ms", name, n, float64(time.Since(start).Microseconds())/1000)
		if n < 1 || n > 3*len(text) {
			t.Errorf("%s: %d tokens of %d bytes", name, n, len(text))
		}
	}
}

// TestRuns holds that a run of one byte is what merging makes of it, whether another of its length came before or not.
func TestRuns(t *testing.T) {
	for c := range byte(utf8.RuneSelf) {
		m := new(merger)
		for _, n := range []int{1, 2, 31, 64, 100, 257, maxPiece, 100} {
			piece := bytes.Repeat([]byte{c}, n)
			want := 1
			if o200k.rank(piece) == none {
				want = new(merger).merge(&o200k, piece)
			}
			for range 2 {
				if got := m.count(&o200k, piece); got != want {
					t.Errorf("%d of %q: %d tokens, want %d", n, c, got, want)
				}
			}
		}
	}
}

func BenchmarkCount(b *testing.B) {
	text, err := os.ReadFile("tokens.go")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		count(text)
	}
}
