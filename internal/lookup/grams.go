package lookup

import "iter"

// gram is the length of the runs of bytes that are noted of a text.
const gram = 4

// maxGrams bounds what is noted of one text, in words of 64 bits. Of a text that is longer than 64 KiB less can be ruled out.
const maxGrams = 1 << 10

// grams notes which runs of bytes stand in a text, so that most words which it does not say are ruled out without reading it again. It takes
// at most a quarter of the text.
type grams []uint64

func newGrams(content []byte) grams {
	size := 1
	for size < maxGrams && size*64 <= len(content) {
		size *= 2
	}
	g := make(grams, size)
	for at := range g.of(content) {
		g[at>>6] |= 1 << (at & 63)
	}
	return g
}

// of are the places of a text's runs.
func (g grams) of(content []byte) iter.Seq[int] {
	room := len(g)*64 - 1 // of a power of two
	return func(yield func(at int) bool) {
		var run uint32
		for i, c := range content {
			if run = run<<8 | uint32(c); i < gram-1 {
				continue
			}
			if h := run * 0x9e3779b1; !yield(int(h^h>>15) & room) {
				return
			}
		}
	}
}

// mayHold reports whether a word may stand in the text: one that is shorter than a run may always.
func (g grams) mayHold(word []byte) bool {
	for at := range g.of(word) {
		if g[at>>6]&(1<<(at&63)) == 0 {
			return false
		}
	}
	return true
}
