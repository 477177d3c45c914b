package secret

// hit is one literal found: the offset just after it, and the state reached.
type hit struct {
	end   int
	state uint32
}

// outFlag marks a transition into a state that ends at least one literal.
const outFlag = 1 << 31

// automaton finds every occurrence of every literal in one pass, whatever the case of its ASCII letters. It is a dense
// Aho-Corasick automaton over byte classes.
type automaton struct {
	class [256]uint8
	width uint32     // number of classes
	next  []uint32   // state (a multiple of width) + class -> state, outFlag where it ends literals
	out   [][]uint16 // state/width -> literals that end there, longest first
	reach int        // length of the longest literal
}

// newAutomaton builds the automaton of lower-case literals; the index of a literal in the list is its number in out.
func newAutomaton(literals []string) *automaton {
	a := &automaton{width: 1} // class 0: bytes that no literal holds
	sum := 1
	for _, l := range literals {
		a.reach = max(a.reach, len(l))
		sum += len(l)
		for i := range len(l) {
			if a.class[l[i]] == 0 {
				a.class[l[i]] = uint8(a.width)
				a.width++
			}
		}
	}
	copy(a.class['A':'Z'+1], a.class['a':])
	w := a.width

	// States are made level by level: those that texts are mostly in, near the root, lie side by side.
	next := make([]uint32, w, sum/2*int(w)) // state numbers not yet multiplied; 0 = none
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
		out[s] = append(out[s], out[fail[s]]...)
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
	a.next, a.out = next, out
	return a
}

// literals returns the numbers of the literals that end at h.
func (a *automaton) literals(h hit) []uint16 { return a.out[h.state/a.width] }

// step returns the state after b; it has outFlag where literals end.
func (a *automaton) step(s uint32, b byte) uint32 {
	return a.next[s&(outFlag-1)+uint32(a.class[b])]
}

// find appends to lanes the hits whose end lies in (lo, hi]; within a lane they
// are in order, and lane i holds only hits before those of lane i+1.
//
// One cursor waits for memory at every byte. Four cursors over four quarters hide that wait; each starts a literal's length
// early, to be in the right state where its quarter begins.
func (a *automaton) find(text []byte, lo, hi int, lanes *[4][]hit) {
	q := (hi - lo) / 4
	var states [4]uint32
	var parts [4][]byte
	for i := range lanes {
		lanes[i] = lanes[i][:0]
		from := lo + i*q
		for _, b := range text[max(0, from-a.reach):from] {
			states[i] = a.step(states[i], b)
		}
		parts[i] = text[from : from+q]
	}
	found := func(lane, end int, s uint32) {
		if s&outFlag != 0 {
			lanes[lane] = append(lanes[lane], hit{end, s & (outFlag - 1)})
		}
	}
	s0, s1, s2, s3 := states[0], states[1], states[2], states[3]
	t0, t1, t2, t3 := parts[0], parts[1][:q], parts[2][:q], parts[3][:q]
	for i := range t0 {
		s0, s1, s2, s3 = a.step(s0, t0[i]), a.step(s1, t1[i]), a.step(s2, t2[i]), a.step(s3, t3[i])
		if (s0|s1|s2|s3)&outFlag != 0 {
			for lane, s := range [4]uint32{s0, s1, s2, s3} {
				found(lane, lo+lane*q+i+1, s)
			}
		}
	}
	for i := lo + 4*q; i < hi; i++ {
		s3 = a.step(s3, text[i])
		found(3, i+1, s3)
	}
}

// holds reports whether text holds any literal.
func (a *automaton) holds(text []byte) bool {
	s := uint32(0)
	for _, b := range text {
		if s = a.step(s, b); s&outFlag != 0 {
			return true
		}
	}
	return false
}
