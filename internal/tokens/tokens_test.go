package tokens

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	// Counted by OpenAI's tiktoken and by npm's gpt-tokenizer.
	for text, want := range map[string]int{
		"":              0,
		"hello world":   2,
		"a\n\n\nb":      3,
		"<|endoftext|>": 7,
	} {
		if got := new(Counter).Count([]byte(text)); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}

// Cutting changes nothing in ordinary text.
func TestCutIsExact(t *testing.T) {
	text, err := os.ReadFile("tokens.go")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Repeat(text, 20)
	want, err := load().Count(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := new(Counter).Count(text); got != want {
		t.Errorf("%d tokens in pieces, %d in one", got, want)
	}
}

func TestCountedOnce(t *testing.T) {
	var c Counter
	text := []byte("one two three")
	n := c.Count(text)
	if got := c.CountSum(sha256.Sum256(text), func() []byte { t.Error("read again"); return nil }); got != n {
		t.Errorf("%d tokens, then %d", n, got)
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
	load()
	for name, text := range hostile(1 << 18) {
		start := time.Now()
		n := new(Counter).Count(text)
		t.Logf("%-14s %8d tokens %8.1f ms", name, n, float64(time.Since(start).Microseconds())/1000)
		if n < 1 || n > 3*len(text) {
			t.Errorf("%s: %d tokens of %d bytes", name, n, len(text))
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add([]byte("a\nb"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for rest := text; len(rest) > 0; {
			n := cut(rest)
			if n < 1 || n > len(rest) {
				t.Fatalf("cut %d of %d bytes", n, len(rest))
			}
			rest = rest[n:]
		}
	})
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
