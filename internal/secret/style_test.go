package secret

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestPartHead asks for the heads of a patch's parts in order and out of it: each is the one that a search of its own finds.
func TestPartHead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var text []byte
		for range 60 {
			text = append(text, []string{partMark, "\n", "+++", "x", "+", " ", "\n++"}[r.IntN(7)]...)
		}
		var head partHead
		for at := 0; at <= len(text); at += 1 + r.IntN(9) {
			if r.IntN(20) == 0 {
				at = r.IntN(at + 1)
			}
			lo := max(0, at-40)
			want := bytes.LastIndex(text[lo:at], []byte(partMark))
			if want >= 0 {
				want += lo
			}
			if got := head.lastBefore(text, lo, at); got != want {
				t.Fatalf("head before %d of %q is at %d, want %d", at, text, got, want)
			}
		}
	}
}

// TestPartHeadLooksOnce counts what is looked at: a text that was searched is not searched again from the same place on.
func TestPartHeadLooksOnce(t *testing.T) {
	text := []byte(partMark + "b/a.go\n" + string(bytes.Repeat([]byte("+x = 1\n"), 100)))
	var head partHead
	head.lastBefore(text, 0, 400)
	copy(text, "\n+++++") // what is behind the last look is known
	if got := head.lastBefore(text, 0, 500); got != 0 {
		t.Errorf("the head is at %d, want 0, as it was found", got)
	}
}
