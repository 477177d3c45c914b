package lookup

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestGrams holds that no word which stands in a text is ruled out, whatever its length, and that of those that do not most are.
func TestGrams(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	word := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('a' + rng.IntN(26))
		}
		return b
	}
	for _, size := range []int{0, 1, 3, 4, 63, 64, 65, 1000, 10_000, 200_000} {
		text := word(size)
		g := newGrams(text)
		if len(g) > maxGrams || size > 256 && len(g)*8 > size/4 {
			t.Errorf("of %d bytes %d words are kept", size, len(g))
		}
		kept := 0
		for range 1000 {
			from := rng.IntN(size + 1)
			to := from + rng.IntN(min(12, size-from)+1)
			if !g.mayHold(text[from:to]) {
				t.Fatalf("%q stands in a text of %d bytes, and is ruled out", text[from:to], size)
			}
			if w := word(10); g.mayHold(w) && !bytes.Contains(text, w) {
				kept++
			}
		}
		if size <= 10_000 && kept > 150 {
			t.Errorf("of %d bytes: %d of 1,000 words that it does not say are not ruled out", size, kept)
		}
	}
	if g := newGrams([]byte("é = größe()")); !g.mayHold([]byte("größe")) || g.mayHold([]byte(strings.Repeat("z", 9))) {
		t.Error("a word beyond ASCII")
	}
}
