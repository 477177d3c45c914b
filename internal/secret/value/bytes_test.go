package value

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWalks compares each walk over a text with one byte after the other, for sets that begin with a sort of bytes and others.
func TestWalks(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 39))
	sets := []string{"", "a", Spaces, Quotes, DigitSigns, HexSigns, LetterSigns, WordSigns, WordSigns + "-.$", Base64Signs, DigitSigns + LetterSigns, LetterSigns[1:], LetterSigns + "1", "Zz0\xff"}
	const signs = "azAZ09_-.$ \n\"'+/@[`{\x7f\x80\xff"
	for range 2000 {
		text := make([]byte, rng.IntN(12))
		for i := range text {
			text[i] = signs[rng.IntN(len(signs))]
		}
		set, at, n := sets[rng.IntN(len(sets))], rng.IntN(len(text)+1), rng.IntN(8)
		walk := func(within bool, step int) int {
			i := at
			for k := 0; k < n; k, i = k+1, i+step {
				next := i
				if step < 0 {
					next--
				}
				if next < 0 || next >= len(text) || (strings.IndexByte(set, text[next]) >= 0) != within {
					break
				}
			}
			return i
		}
		for _, w := range []struct {
			name      string
			got, want int
		}{
			{"Past", Past(text, at, n, set), walk(true, 1)}, {"UpTo", UpTo(text, at, n, set), walk(false, 1)},
			{"Back", Back(text, at, n, set), walk(true, -1)}, {"BackTo", BackTo(text, at, n, set), walk(false, -1)},
		} {
			if w.got != w.want {
				t.Fatalf("%s(%q, %d, %d, %q) = %d, want %d", w.name, text, at, n, set, w.got, w.want)
			}
		}
	}
}
