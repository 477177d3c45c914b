package tokens

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWithin: whether a text is within a limit is what its count says, asked before and after it was counted.
func TestWithin(t *testing.T) {
	for _, text := range []string{"", "x", "Hello, world.\n", strings.Repeat("func f(a, b int) error {\n\treturn nil\n}\n", 40), "\xff\xfe\xff bytes", strings.Repeat("字", 50)} {
		n := new(Counter).Count([]byte(text))
		for _, limit := range []int{0, 1, n - 1, n, n + 1, 3 * n} {
			c := new(Counter)
			for range 2 {
				if got := c.Within([]byte(text), limit); got != (n <= limit) {
					t.Errorf("%.20q of %d tokens within %d: %v", text, n, limit, got)
				}
			}
			if got := c.Count([]byte(text)); got != n {
				t.Errorf("%.20q: %d tokens after Within %d, %d without", text, got, limit, n)
			}
		}
	}
}

// TestMerged: what is remembered of a piece is what it is merged to, however many come between.
func TestMerged(t *testing.T) {
	v, m, plain := &o200k, new(merger), new(merger)
	rng := rand.New(rand.NewPCG(2, 5))
	var pieces [][]byte
	for range 8_000 {
		piece := make([]byte, 2+rng.IntN(34))
		for i := range piece {
			piece[i] = "abcdefghij"[rng.IntN(10)]
		}
		pieces = append(pieces, piece)
	}
	for range 2 {
		for _, piece := range pieces {
			want := 1
			if v.rank(piece) == none {
				want = plain.merge(v, piece)
			}
			for range 2 {
				if got := m.count(v, piece); got != want {
					t.Fatalf("%q: %d tokens, want %d", piece, got, want)
				}
			}
		}
	}
}
