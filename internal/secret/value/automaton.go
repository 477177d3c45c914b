package value

// Hit is one place where literals end.
type Hit struct {
	End   int // offset in the text, just after the literals
	state uint32
}

const (
	// outFlag marks a transition into a state that ends at least one literal whose last byte may be of the case that was read.
	outFlag = 1 << 31
	// deepFlag marks a state that is deeper than maxDense; its number stands beside it.
	deepFlag = 1 << 30
	// maxDense is the depth, in bytes of a literal, up to which each state has a row with a column for each class of bytes. Texts
	// are deeper for one byte of two hundred, and half of the states are.
	maxDense = 6
)

// Automaton finds every occurrence of every literal in one pass, whatever the case of its ASCII letters. It is an Aho-Corasick
// automaton over byte classes, dense near its root.
type Automaton struct {
	class [256]uint8
	width uint32      // number of classes
	next  []uint32    // dense state (a multiple of width) + class -> state
	deep  []deepState // by number
	edges []edge      // of the deep states, one after the other
	out   [][]uint16  // by order of states -> literals that end there, longest first
	reach int         // length of the longest literal
}

// deepState is a state that has edges for what its literals go on with, and is left for another with all else.
type deepState struct {
	fail        uint32
	first, last uint32 // edges are those from first to before last
}

type edge struct {
	class uint8
	to    uint32
}

// trie is what an automaton is made of, its states in the order of depth.
type trie struct {
	branches []branch // by state: the one that leads to it
	first    []uint32 // by state: the last that was made of those it leads to, 0 for none
	fail     []uint32
	out      [][]uint16
	dense    int // number of the states that are no deeper than maxDense
}

// branch leads from a state by a byte to that of its number.
type branch struct {
	b    byte
	next uint32 // the branch of the same state that was made before; 0 for none
}

func (t *trie) child(s uint32, b byte) (uint32, bool) {
	for to := t.first[s]; to > 0; to = t.branches[to].next {
		if t.branches[to].b == b {
			return to, true
		}
	}
	return 0, false
}

// children calls do for each state that s leads to, and the byte by which.
func (t *trie) children(s uint32, do func(b byte, to uint32)) {
	for to := t.first[s]; to > 0; to = t.branches[to].next {
		do(t.branches[to].b, to)
	}
}

func newTrie(literals []string, reach int) *trie {
	most := 1
	for _, l := range literals {
		most += len(l)
	}
	t := &trie{branches: make([]branch, 1, most), first: make([]uint32, 1, most)}
	at := make([]uint32, len(literals)) // the state that each literal has reached
	// States are made level by level: those that texts are mostly in, near the root, lie side by side.
	for depth := range reach {
		if depth <= maxDense {
			t.dense = len(t.first)
		}
		for id, l := range literals {
			if depth >= len(l) {
				continue
			}
			s := at[id]
			to, ok := t.child(s, l[depth])
			if !ok {
				to = uint32(len(t.first))
				t.branches, t.first = append(t.branches, branch{l[depth], t.first[s]}), append(t.first, 0)
				t.first[s] = to
			}
			at[id] = to
		}
	}
	if reach <= maxDense {
		t.dense = len(t.first)
	}
	t.fail, t.out = make([]uint32, len(t.first)), make([][]uint16, len(t.first))
	for id := range literals {
		t.out[at[id]] = append(t.out[at[id]], uint16(id))
	}
	for s := range uint32(len(t.first)) { // by depth: what a state falls back to is done
		t.out[s] = append(t.out[s], t.out[t.fail[s]]...)
		t.children(s, func(b byte, child uint32) {
			f := t.fail[s]
			to, ok := t.child(f, b)
			for !ok && f > 0 {
				f = t.fail[f]
				to, ok = t.child(f, b)
			}
			if s > 0 {
				t.fail[child] = to
			}
		})
	}
	return t
}

// NewAutomaton builds the automaton of lower-case literals; the index of a literal in the list is its number in out. exact holds
// each as a text must have its last byte, "" where any case will do; a nil list is one of these.
func NewAutomaton(literals, exact []string) *Automaton {
	a := &Automaton{width: 1} // class 0: bytes that no literal holds
	var used ByteSet
	for _, l := range literals {
		a.reach = max(a.reach, len(l))
		for i := range len(l) {
			used.Add(l[i])
		}
	}
	add := func(b byte) {
		a.class[b] = uint8(a.width)
		a.width++
	}
	// Letters first: what texts are mostly of lies side by side in a row.
	for b := byte('a'); b <= 'z'; b++ {
		if used.Has(b) {
			add(b)
		}
	}
	for b := range a.class {
		if b := byte(b); !IsLetter(b) && used.Has(b) || IsUpper(b) && used.Has(b|0x20) {
			add(b)
		}
	}
	t := newTrie(literals, a.reach)
	a.out = t.out

	// state is how a transition to s says so that reads b.
	state := func(s uint32, b byte) uint32 {
		n := s * a.width
		if d := uint32(t.dense); s >= d {
			n = s - d | deepFlag
		}
		for _, id := range t.out[s] {
			if exact == nil || exact[id] == "" || exact[id][len(exact[id])-1] == b {
				return n | outFlag
			}
		}
		return n
	}
	a.next = make([]uint32, t.dense*int(a.width))
	for s := range t.dense {
		row := a.next[s*int(a.width):][:a.width]
		copy(row, a.next[int(t.fail[s])*int(a.width):])
		t.children(uint32(s), func(lower byte, to uint32) {
			for _, b := range cases(lower) {
				row[a.class[b]] = state(to, b)
			}
		})
	}
	a.deep = make([]deepState, 0, len(t.first)-t.dense)
	for s := t.dense; s < len(t.first); s++ {
		d := deepState{fail: state(t.fail[s], 0) &^ outFlag, first: uint32(len(a.edges))}
		t.children(uint32(s), func(lower byte, to uint32) {
			for _, b := range cases(lower) {
				a.edges = append(a.edges, edge{a.class[b], state(to, b)})
			}
		})
		d.last = uint32(len(a.edges))
		a.deep = append(a.deep, d)
	}
	return a
}

// cases are the bytes that a byte of a literal stands for.
func cases(b byte) []byte {
	if b >= 'a' && b <= 'z' {
		return []byte{b, b &^ 0x20}
	}
	return []byte{b}
}

// Literals returns the numbers of the literals that end at h, also of those whose last byte is of another case than theirs.
func (a *Automaton) Literals(h Hit) []uint16 {
	if h.state&deepFlag != 0 {
		return a.out[uint32(len(a.next))/a.width+h.state&^deepFlag]
	}
	return a.out[h.state/a.width]
}

// step returns the state after b; it has outFlag where literals end.
func (a *Automaton) step(s uint32, b byte) uint32 {
	s &^= outFlag
	class := a.class[b]
	for s&deepFlag != 0 {
		d := &a.deep[s&^deepFlag]
		for _, e := range a.edges[d.first:d.last] {
			if e.class == class {
				return e.to
			}
		}
		s = d.fail
	}
	return a.next[s+uint32(class)]
}

// Find appends to lanes the hits whose end lies in (lo, hi]; within a lane they
// are in order, and lane i holds only hits before those of lane i+1.
//
// One cursor waits for memory at every byte. Four cursors over four quarters hide that wait; each starts a literal's length
// early, to be in the right state where its quarter begins.
func (a *Automaton) Find(text []byte, lo, hi int, lanes *[4][]Hit) {
	q := (hi - lo) / 4
	var states [4]uint32
	var parts [4][]byte
	for i := range lanes {
		lanes[i] = lanes[i][:0]
		from := lo + i*q
		for _, b := range text[max(0, from-a.reach):from] {
			states[i] = a.step(states[i], b) &^ outFlag
		}
		parts[i] = text[from : from+q]
	}
	for i := 0; i < q; {
		if i = a.cursors(&states, &parts, i); (states[0]|states[1]|states[2]|states[3])&outFlag != 0 {
			a.note(lanes, &states, lo+i, q)
		}
		for i < q && (states[0]|states[1]|states[2]|states[3])&deepFlag != 0 {
			for k := range states {
				states[k] = a.step(states[k], parts[k][i])
			}
			if i++; (states[0]|states[1]|states[2]|states[3])&outFlag != 0 {
				a.note(lanes, &states, lo+i, q)
			}
		}
	}
	s3 := states[3]
	for i := lo + 4*q; i < hi; i++ {
		if s3 = a.step(s3, text[i]); s3&outFlag != 0 {
			s3 &^= outFlag
			lanes[3] = append(lanes[3], Hit{i + 1, s3})
		}
	}
}

// cursors moves the four cursors on from byte i of their parts, which are of one length, until a literal ends at one, one is in a deep
// state, or the parts end. It returns the byte behind the last that was read.
func (a *Automaton) cursors(states *[4]uint32, parts *[4][]byte, i int) int {
	next, class := a.next, &a.class
	s0, s1, s2, s3 := states[0], states[1], states[2], states[3]
	t0 := parts[0]
	t1, t2, t3 := parts[1][:len(t0)], parts[2][:len(t0)], parts[3][:len(t0)]
	for ; i < len(t0) && (s0|s1|s2|s3)&(outFlag|deepFlag) == 0; i++ {
		s0 = next[s0+uint32(class[t0[i]])]
		s1 = next[s1+uint32(class[t1[i]])]
		s2 = next[s2+uint32(class[t2[i]])]
		s3 = next[s3+uint32(class[t3[i]])]
	}
	*states = [4]uint32{s0, s1, s2, s3}
	return i
}

// note adds the hits of literals that end at a cursor, the first of which stands at end and each other by far further on, and takes the
// mark from its state.
func (a *Automaton) note(lanes *[4][]Hit, states *[4]uint32, end, by int) {
	for k, s := range states {
		if s&outFlag != 0 {
			states[k] = s &^ outFlag
			lanes[k] = append(lanes[k], Hit{end + k*by, s &^ outFlag})
		}
	}
}

// Holds reports whether text holds any literal.
func (a *Automaton) Holds(text []byte) bool {
	s := uint32(0)
	for _, b := range text {
		if s = a.step(s, b); s&outFlag != 0 {
			return true
		}
	}
	return false
}
