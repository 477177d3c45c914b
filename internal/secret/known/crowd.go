package known

import (
	"cmp"
	"slices"
	"strings"
)

// crowd finds texts of which too many share the bytes that an index hashes for them to be compared one by one. It is
// an automaton of Aho and Corasick with its edges in a table: a byte of a text costs the same however many they are.
type crowd struct {
	next map[crowdEdge]int32
	fail []int32
	// plain and wide are the longest forms that end at a state, those that are a part of a value's base64 apart; -1
	// for none. What ends there and is shorter lies within.
	plain, wide []int32
	forms       []knownForm
	// before and behind are the most bytes that a form has before the bytes that are hashed, and from them on.
	before, behind int
}

// crowdEdge leads from a state on by a byte.
type crowdEdge struct {
	state int32
	by    byte
}

// newCrowd returns what finds forms. Their order does not matter.
func newCrowd(forms []knownForm) *crowd {
	if len(forms) == 0 {
		return nil
	}
	c := &crowd{next: map[crowdEdge]int32{}, forms: forms}
	slices.SortFunc(forms, func(a, b knownForm) int {
		return cmp.Or(strings.Compare(a.text, b.text), b.wide-a.wide, strings.Compare(a.value.text, b.value.text), a.back-b.back)
	})
	c.grow(-1)
	for id, f := range forms {
		c.before, c.behind = max(c.before, f.back), max(c.behind, len(f.text)-f.back)
		if id > 0 && f.text == forms[id-1].text && (f.wide > 0) == (forms[id-1].wide > 0) {
			continue // by another head, or of another value: the first tells
		}
		at := int32(0)
		for i := range len(f.text) {
			edge := crowdEdge{at, f.text[i]}
			to, ok := c.next[edge]
			if !ok {
				to = c.grow(0)
				c.next[edge] = to
			}
			at = to
		}
		if f.wide > 0 {
			c.wide[at] = int32(id)
		} else {
			c.plain[at] = int32(id)
		}
	}
	c.link()
	return c
}

// grow adds a state.
func (c *crowd) grow(fail int32) int32 {
	c.fail, c.plain, c.wide = append(c.fail, fail), append(c.plain, -1), append(c.wide, -1)
	return int32(len(c.fail) - 1)
}

// link sets where each state falls back to, those near the root first.
func (c *crowd) link() {
	type child struct {
		of int32
		by byte
	}
	from := make([]child, len(c.fail))
	for edge, to := range c.next {
		from[to] = child{edge.state, edge.by}
	}
	// A state is made after the one that leads to it, and falls back to one that is nearer to the root.
	depth := make([]int32, len(c.fail))
	order := make([]int32, 0, len(c.fail))
	for to := 1; to < len(from); to++ {
		depth[to] = depth[from[to].of] + 1
		order = append(order, int32(to))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(depth[a], depth[b]) })
	for _, to := range order {
		at := c.step(c.fail[from[to].of], from[to].by)
		c.fail[to] = at
		if c.plain[to] < 0 {
			c.plain[to] = c.plain[at]
		}
		if c.wide[to] < 0 {
			c.wide[to] = c.wide[at]
		}
	}
}

// step returns the state after a byte; before the root, whose number is -1, there is the root.
func (c *crowd) step(state int32, b byte) int32 {
	for ; state >= 0; state = c.fail[state] {
		if to, ok := c.next[crowdEdge{state, b}]; ok {
			return to
		}
	}
	return 0
}

// crowdWalk is one walk along a text: up to where it was read, and the state there.
type crowdWalk struct {
	upTo  int
	state int32
}

// look calls found for the forms round a place whose bytes are hashed. Places come in order; no byte is read twice.
func (c *crowd) look(text []byte, at int, w *crowdWalk, found func(f *knownForm, end int)) {
	if lo := max(0, at-c.before); lo >= w.upTo {
		w.upTo, w.state = lo, 0
	}
	for hi := min(len(text), at+c.behind); w.upTo < hi; {
		w.state = c.step(w.state, text[w.upTo])
		w.upTo++
		for _, id := range [...]int32{c.plain[w.state], c.wide[w.state]} {
			if id >= 0 {
				found(&c.forms[id], w.upTo)
			}
		}
	}
}
