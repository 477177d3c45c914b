package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestKeeper: what is kept is never more than was allowed, grows with it, and every kept line is a line of the text.
func TestKeeper(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 200 {
		var s strings.Builder
		n := 1 + r.IntN(60)
		for range n {
			s.WriteString(strings.Repeat("x", r.IntN(40)) + "\n")
		}
		var pieces []Stretch
		for range r.IntN(12) {
			from := 1 + r.IntN(n)
			pieces = append(pieces, Stretch{from, from + r.IntN(8)})
		}
		pieces = append(pieces, Stretch{1, n})
		k := NewKeeper([]byte(s.String()), pieces, "\n--\n")
		before, shown := 0, 0
		for most := range s.Len() + 2 {
			c := k.Cut(most)
			got := c.String()
			if c.Truncated != (most < s.Len()) || c.Bytes() > 0 && len(got) > most {
				t.Fatalf("%d of %d bytes: %d kept, truncated %v", most, s.Len(), len(got), c.Truncated)
			}
			if c.Bytes() < before || c.Bytes() > 0 && len(got) < shown {
				t.Fatalf("%d bytes allowed: %d kept, %d written; with fewer %d, %d", most, c.Bytes(), len(got), before, shown)
			}
			if c.Bytes() > 0 {
				before, shown = c.Bytes(), len(got)
			}
			if strings.Count(got, "x") > strings.Count(s.String(), "x") {
				t.Fatal("lines are kept twice")
			}
		}
	}
}

// TestKeeperKeepsWorth: what stands first among the pieces is kept, wherever in the text it stands.
func TestKeeperKeepsWorth(t *testing.T) {
	text := "package tides\n" + strings.Repeat("// of no use to anybody who reads\n", 50) + "func Ebb() int\n" + strings.Repeat("// of no use to anybody who reads\n", 50)
	got := NewKeeper([]byte(text), []Stretch{{52, 52}, {1, 1}, {2, 51}}, "\n[cut]\n").Cut(60)
	if got.String() != "package tides\n\n[cut]\nfunc Ebb() int\n\n[cut]\n" || got.HeadLines != 1 || got.TailLines != 0 || got.KeptLines != 2 {
		t.Errorf("%q %+v", got.String(), got)
	}
}
