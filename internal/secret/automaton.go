package secret

import "slices"

// hit is one literal found: the offset just after it, and the state reached.
type hit struct {
	end   int
	state uint32
}

// outFlag marks a transition into a state that ends at least one literal.
const outFlag = 1 << 31

// automaton finds every occurrence of every literal in one pass, whatever the
// case of its ASCII letters. It is a dense Aho-Corasick automaton over byte
// classes.
type automaton struct {
	class [256]uint8
	width uint32     // number of classes
	next  []uint32   // state (a multiple of width) + class -> state, outFlag where it ends literals
	out   [][]uint16 // state/width -> literals that end there, longest first
	reach int        // length of the longest literal
}

// newAutomaton builds the automaton of lower-case literals; the index of a
// literal in the list is its number in out.
func newAutomaton(literals []string) *automaton {
	a := &automaton{}
	var used [256]bool
	for _, l := range literals {
		a.reach = max(a.reach, len(l))
		for i := range len(l) {
			used[l[i]] = true
		}
	}
	n := uint8(1) // class 0: bytes that no literal holds
	for b := range 256 {
		if used[b] {
			a.class[b] = n
			n++
		}
	}
	for b := 'A'; b <= 'Z'; b++ {
		a.class[b] = a.class[b+'a'-'A']
	}
	w := uint32(n)
	a.width = w

	// States are made level by level: those that texts are mostly in, near the root, lie side by side.
	sum := 1
	for _, l := range literals {
		sum += len(l)
	}
	next := make([]uint32, int(w), sum/2*int(w)) // state numbers not yet multiplied; 0 = none
	out := make([][]uint16, 1, sum/2)
	at := make([]uint32, len(literals)) // the state that each literal has reached
	for depth := range a.reach {
		for id, l := range literals {
			if depth >= len(l) {
				continue
			}
			edge := at[id]*w + uint32(a.class[l[depth]])
			if next[edge] == 0 {
				next[edge] = uint32(len(out))
				next = append(next, make([]uint32, w)...)
				out = append(out, nil)
			}
			at[id] = next[edge]
			if depth == len(l)-1 {
				out[at[id]] = append(out[at[id]], uint16(id))
			}
		}
	}
	fail := make([]uint32, len(out))
	for s := range uint32(len(out)) { // by depth: what a state falls back to is done
		if s > 0 {
			out[s] = append(out[s], out[fail[s]]...)
		}
		for c := range w {
			f := next[fail[s]*w+c]
			if t := next[s*w+c]; t == 0 {
				next[s*w+c] = f
			} else if s > 0 {
				fail[t] = f
			}
		}
	}
	for i, t := range next {
		next[i] = t * w
		if len(out[t]) > 0 {
			next[i] |= outFlag
		}
	}
	a.next, a.out = slices.Clip(next), out
	return a
}

// literals returns the numbers of the literals that end at h.
func (a *automaton) literals(h hit) []uint16 { return a.out[h.state/a.width] }

// find appends to lanes the hits whose end lies in (lo, hi]; within a lane they
// are in order, and lane i holds only hits before those of lane i+1.
//
// One cursor waits for memory at every byte. Four cursors over four quarters
// hide that wait; each starts a literal's length early, to be in the right
// state where its quarter begins.
func (a *automaton) find(text []byte, lo, hi int, lanes *[4][]hit) {
	for i := range lanes {
		lanes[i] = lanes[i][:0]
	}
	if hi-lo < 256 {
		s := a.warm(text, lo)
		lanes[0] = a.run(text, lo, hi, s, lanes[0])
		return
	}
	q := (hi - lo) / 4
	p0, p1, p2, p3 := lo, lo+q, lo+2*q, lo+3*q
	s0, s1, s2, s3 := a.warm(text, p0), a.warm(text, p1), a.warm(text, p2), a.warm(text, p3)
	t0, t1, t2, t3 := text[p0:p0+q], text[p1:p1+q], text[p2:p2+q], text[p3:p3+q]
	next, class := a.next, &a.class
	const mask = outFlag - 1
	t1, t2, t3 = t1[:len(t0)], t2[:len(t0)], t3[:len(t0)]
	for i := range t0 {
		s0 = next[s0&mask+uint32(class[t0[i]])]
		s1 = next[s1&mask+uint32(class[t1[i]])]
		s2 = next[s2&mask+uint32(class[t2[i]])]
		s3 = next[s3&mask+uint32(class[t3[i]])]
		if (s0|s1|s2|s3)&outFlag == 0 {
			continue
		}
		if s0&outFlag != 0 {
			lanes[0] = append(lanes[0], hit{p0 + i + 1, s0 & mask})
		}
		if s1&outFlag != 0 {
			lanes[1] = append(lanes[1], hit{p1 + i + 1, s1 & mask})
		}
		if s2&outFlag != 0 {
			lanes[2] = append(lanes[2], hit{p2 + i + 1, s2 & mask})
		}
		if s3&outFlag != 0 {
			lanes[3] = append(lanes[3], hit{p3 + i + 1, s3 & mask})
		}
	}
	lanes[3] = a.run(text, p3+q, hi, s3, lanes[3])
}

// warm returns the state just before text[at].
func (a *automaton) warm(text []byte, at int) uint32 {
	s := uint32(0)
	for _, b := range text[max(0, at-a.reach):at] {
		s = a.next[s&(outFlag-1)+uint32(a.class[b])]
	}
	return s
}

func (a *automaton) run(text []byte, lo, hi int, s uint32, to []hit) []hit {
	for i := lo; i < hi; i++ {
		s = a.next[s&(outFlag-1)+uint32(a.class[text[i]])]
		if s&outFlag != 0 {
			to = append(to, hit{i + 1, s & (outFlag - 1)})
		}
	}
	return to
}

// holds reports whether text holds any literal.
func (a *automaton) holds(text []byte) bool {
	s := uint32(0)
	for _, b := range text {
		if s = a.next[s+uint32(a.class[b])]; s&outFlag != 0 {
			return true
		}
	}
	return false
}
