package diff

import (
	"strings"
)

// pairing is the lines of two texts, and which of them are in one alone. What is taken
// away and what is added is what `git diff` says: the search for the shortest way from
// one text to the other, what it passes over, and where it gives up to find a good way
// instead of the best, are git's.
type pairing struct {
	old, cur listing
	// most is the work that may still be done, in steps of a few nanoseconds.
	most int
	// coarse says that the work was not enough: some lines that both have are taken away
	// and added again.
	coarse bool
}

// listing is one of the two.
type listing struct {
	// lines with their ends; the last one may have none.
	lines []string
	// class of each line: two lines of the two texts are equal if their classes are.
	class []int32
	// changed lines are in this text alone. One more than lines, so that a group of them
	// always ends.
	changed []bool
}

// mark finds the changed lines, wherever of several places they are taken to stand.
func (p *pairing) mark(before, after string) {
	of := make(map[string]int32)
	p.old, p.cur = newListing(before, of), newListing(after, of)
	p.search(len(of))
}

func newListing(s string, of map[string]int32) listing {
	n := strings.Count(s, "\n") + 1
	v := listing{lines: make([]string, 0, n), class: make([]int32, 0, n), changed: make([]bool, n+1)}
	for line := range strings.Lines(s) {
		c, ok := of[line]
		if !ok {
			c = int32(len(of))
			of[line] = c
		}
		v.lines, v.class = append(v.lines, line), append(v.class, c)
	}
	v.changed = v.changed[:len(v.lines)+1]
	return v
}

// same reports whether the texts are one.
func (p *pairing) same() bool { return p.old.count()+p.cur.count() == 0 }

// count returns how many lines this text has alone.
func (v *listing) count() (n int) {
	for _, c := range v.changed {
		if c {
			n++
		}
	}
	return n
}

// search marks the changed lines. Lines that the other text has not are changed, whatever
// else is; the way is looked for among the others.
func (p *pairing) search(classes int) {
	x, y := p.old.class, p.cur.class
	start := 0
	for start < len(x) && start < len(y) && x[start] == y[start] {
		start++
	}
	end := 0
	for end < len(x)-start && end < len(y)-start && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	inOld, inCur := make([]int32, classes), make([]int32, classes)
	for _, c := range x {
		inOld[c]++
	}
	for _, c := range y {
		inCur[c]++
	}
	a := p.old.sought(start, len(x)-end, inCur)
	b := p.cur.sought(start, len(y)-end, inOld)
	w := &way{a: a, b: b, most: &p.most}
	w.begin()
	w.between(box{0, len(a.class), 0, len(b.class)}, false)
	p.coarse = w.coarse
}

// sought are the lines of a text that are looked for in the other.
type sought struct {
	class []int32
	// at is where each line stands in its text.
	at      []int
	changed []bool
}

// maxFrequent is how often, at most, a line may stand in the other text and be looked for
// wherever it stands.
const maxFrequent = 1024

// sought picks the lines of v from a place to another that are looked for in the other
// text, where each class stands so many times, and marks the rest as changed: lines that
// are not there, and lines that are there very often and stand between such.
func (v *listing) sought(from, to int, there []int32) sought {
	const (
		absent = iota
		rare
		frequent
	)
	often := min(root(len(v.class)), maxFrequent)
	kind := make([]byte, to-from)
	for i := range kind {
		switch n := int(there[v.class[from+i]]); {
		case n == 0:
			kind[i] = absent
		case n >= often:
			kind[i] = frequent
		default:
			kind[i] = rare
		}
	}
	// around counts the absent lines on one side of a line, and the frequent ones among them.
	around := func(i, step int) (gone, many int) {
		for n := 1; n <= 100; n++ {
			j := i + n*step
			if j < 0 || j >= len(kind) || kind[j] == rare {
				break
			}
			if kind[j] == absent {
				gone++
			} else {
				many++
			}
		}
		return gone, many
	}
	between := func(i int) bool {
		gone, many := around(i, -1)
		if gone == 0 {
			return false
		}
		more, others := around(i, 1)
		if more == 0 {
			return false
		}
		gone, many = gone+more, many+others+2
		return 4*many < many+gone
	}
	s := sought{changed: v.changed}
	for i, k := range kind {
		if k == rare || k == frequent && !between(i) {
			s.class, s.at = append(s.class, v.class[from+i]), append(s.at, from+i)
		} else {
			v.changed[from+i] = true
		}
	}
	return s
}

// root is about the square root of n, a power of two.
func root(n int) int {
	r := 1
	for ; n > 0; n >>= 2 {
		r <<= 1
	}
	return r
}
