package value

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAutomatonDepth compares an automaton with plain search: literals that are longer than its rows go, begin and end alike, hold
// bytes beyond ASCII, and ask for a case.
func TestAutomatonDepth(t *testing.T) {
	rnd := rand.New(rand.NewPCG(17, 4))
	word := func(signs []string, n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(signs[rnd.IntN(len(signs))])
		}
		return b.String()
	}
	signs := []string{"a", "b", "ß", "-", "a"}
	var literals, exact []string
	for range 60 {
		l := word(signs, 1+rnd.IntN(4*maxDense))
		literals, exact = append(literals, l), append(exact, "")
		if rnd.IntN(2) > 0 {
			exact[len(exact)-1] = strings.ToUpper(l)
		}
	}
	a := NewAutomaton(literals, exact)
	var b strings.Builder
	for range 2000 {
		b.WriteString(word([]string{"a", "b", "B", "A", "ß", "-", "x"}, 1+rnd.IntN(3)))
		if l := literals[rnd.IntN(len(literals))]; rnd.IntN(3) == 0 {
			b.WriteString(l[:rnd.IntN(len(l)+1)])
		}
	}
	text := []byte(b.String())
	type place struct{ id, end int }
	got := map[place]int{}
	var lanes [4][]Hit
	for lo := 0; lo < len(text); lo += 333 {
		a.Find(text, lo, min(lo+333, len(text)), &lanes)
		for _, lane := range lanes {
			for _, h := range lane {
				for _, id := range a.Literals(h) {
					got[place{int(id), h.End}]++
				}
			}
		}
	}
	low := string(Lower(make([]byte, len(text)), text))
	for id, l := range literals {
		for end := len(l); end <= len(text); end++ {
			n := got[place{id, end}]
			switch is := low[end-len(l):end] == l; {
			case !is && n > 0 || n > 1:
				t.Fatalf("%q ends %d times at %d", l, n, end)
			case is && n == 0 && (exact[id] == "" || exact[id][len(l)-1] == text[end-1]):
				t.Fatalf("%q is not found to end at %d", l, end)
			}
		}
	}
}
