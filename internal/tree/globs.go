package tree

import (
	"sync"
	"unicode/utf8"
)

// Globs are patterns that are matched all at once: a path costs its length, and a word of the processor for 64
// signs of the patterns, whatever they are. A pattern is in doublestar's syntax without alternatives, whose braces stand
// for themselves: `*` and `?` stay within one element, `**/` spans any number of them, `[...]` is one sign but a slash, `\` takes
// the next one as it is. Names are valid without a slash at the end. The zero value holds none.
//
// A bit stands for a place in a pattern; that of a pattern's first place is set when a path begins, and whether
// that behind its last one is set at the end of the path says whether it matches.
type Globs struct {
	items []item
	// ends are the places at which a pattern has matched, with its number, in order.
	ends []ending
	n    int // patterns

	made  sync.Once
	start []uint64
	// moves are the places that each sign of ASCII leads on from.
	moves [utf8.RuneSelf][]uint64
	// star are those that stay at any sign but a slash, and may be left at once; deep those that stay at any
	// sign, and may be left where an element begins; rest those that stay.
	star, deep, rest []uint64

	mu     sync.Mutex
	others map[rune][]uint64 // of signs that are not ASCII
}

// item is a place in a pattern.
type item struct {
	kind   byte // 'c' for sign, '?', '[' for ranges, '*', 'd' for **/, 'r' for the rest, 0 behind the last
	sign   rune
	negate bool
	ranges []rune // in pairs
	first  bool
}

type ending struct{ at, glob int }

// maxOthers bounds the signs beyond ASCII whose moves are kept.
const maxOthers = 1 << 10

// Len is how many patterns there are.
func (g *Globs) Len() int { return g.n }

// Add adds a pattern and returns its number, which counts up from 0. What is no pattern matches nothing. None is
// added after the first match.
func (g *Globs) Add(glob string) int {
	from := len(g.items)
	add := func(it item) { g.items = append(g.items, it) }
	begins, ok := true, true // an element begins
	runes := []rune(glob)
	for i := 0; i < len(runes) && ok; {
		c := runes[i]
		i++
		switch {
		case c == '*':
			double := i < len(runes) && runes[i] == '*'
			if double {
				i++
			}
			switch {
			case double && begins && i == len(runes):
				add(item{kind: 'r'})
			case double && begins && runes[i] == '/':
				i++
				if n := len(g.items); n == from || g.items[n-1].kind != 'd' {
					add(item{kind: 'd'})
				}
				continue
			default:
				if n := len(g.items); n == from || g.items[n-1].kind != '*' {
					add(item{kind: '*'})
				}
			}
			begins = false
		case c == '?':
			add(item{kind: '?'})
			begins = false
		case c == '[':
			var it item
			it, i, ok = class(runes, i)
			add(it)
			begins = false
		case c == '\\':
			if ok = i < len(runes); ok {
				add(item{kind: 'c', sign: runes[i]})
				begins = runes[i] == '/'
				i++
			}
		default:
			add(item{kind: 'c', sign: c})
			begins = c == '/'
		}
	}
	id := g.n
	g.n++
	if !ok {
		g.items = g.items[:from]
		return id
	}
	// "a/**" is a, too.
	if n := len(g.items); n-from > 1 && (g.items[n-1].kind == 'r' || g.items[n-1].kind == 'd') && g.items[n-2].sign == '/' {
		g.ends = append(g.ends, ending{n - 2, id})
	}
	g.ends = append(g.ends, ending{len(g.items), id})
	add(item{})
	if n := len(g.items); n-2 >= from && g.items[n-2].kind == 'r' {
		g.items = append(g.items[:n-2], item{kind: 'r'})
		g.ends[len(g.ends)-1].at = n - 2
	}
	g.items[from].first = true
	return id
}

// class reads what stands between brackets.
func class(runes []rune, i int) (it item, next int, ok bool) {
	it.kind = '['
	if i < len(runes) && (runes[i] == '!' || runes[i] == '^') {
		it.negate = true
		i++
	}
	take := func() (r rune) {
		if r = runes[i]; r == '\\' && i+1 < len(runes) {
			i++
			r = runes[i]
		}
		i++
		return r
	}
	for begin := i; i < len(runes); {
		if runes[i] == ']' {
			return it, i + 1, i > begin
		}
		lo := take()
		hi := lo
		if i+1 < len(runes) && runes[i] == '-' && runes[i+1] != ']' {
			i++
			hi = take()
		}
		it.ranges = append(it.ranges, lo, hi)
	}
	return it, i, false
}

// takes reports whether a sign leads on from the place.
func (it *item) takes(c rune) bool {
	switch it.kind {
	case 'c':
		return it.sign == c
	case '?':
		return c != '/'
	case '[':
		if c == '/' {
			return false
		}
		for i := 0; i < len(it.ranges); i += 2 {
			if it.ranges[i] <= c && c <= it.ranges[i+1] {
				return !it.negate
			}
		}
		return it.negate
	}
	return false
}

// make makes the tables.
func (g *Globs) make() {
	words := (len(g.items) + 63) / 64
	tables := make([]uint64, words*(4+utf8.RuneSelf))
	next := func() []uint64 {
		t := tables[:words:words]
		tables = tables[words:]
		return t
	}
	g.start, g.star, g.deep, g.rest = next(), next(), next(), next()
	for c := range g.moves {
		g.moves[c] = next()
	}
	for i := range g.items {
		it := &g.items[i]
		bit := uint64(1) << (i % 64)
		if it.first {
			g.start[i/64] |= bit
		}
		switch it.kind {
		case '*':
			g.star[i/64] |= bit
		case 'd':
			g.deep[i/64] |= bit
		case 'r':
			g.rest[i/64] |= bit
		case 'c':
			if it.sign < utf8.RuneSelf {
				g.moves[it.sign][i/64] |= bit
			}
		case '?', '[':
			for c := range g.moves {
				if it.takes(rune(c)) {
					g.moves[c][i/64] |= bit
				}
			}
		}
	}
	leave(g.start, g.deep)
	leave(g.start, g.star)
}

// of are the places that a sign leads on from.
func (g *Globs) of(c rune) []uint64 {
	if c < utf8.RuneSelf {
		return g.moves[c]
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if m, ok := g.others[c]; ok {
		return m
	}
	m := make([]uint64, len(g.start))
	for i := range g.items {
		if g.items[i].takes(c) {
			m[i/64] |= 1 << (i % 64)
		}
	}
	if g.others == nil {
		g.others = map[rune][]uint64{}
	}
	if len(g.others) < maxOthers {
		g.others[c] = m
	}
	return m
}

// leave sets the bit behind each that is in both sets.
func leave(set, from []uint64) {
	carry := uint64(0)
	for i := range set {
		x := set[i] & from[i]
		set[i] |= x<<1 | carry
		carry = x >> 63
	}
}

// Match calls yield with the numbers of the patterns that match a path, in order, each once or twice.
func (g *Globs) Match(name string, yield func(glob int)) {
	if g.n == 0 {
		return
	}
	g.made.Do(g.make)
	var room [64]uint64
	set := append(room[:0], g.start...)
	for _, c := range name {
		moves := g.of(c)
		carry, some := uint64(0), uint64(0)
		for i, s := range set {
			x := s & moves[i]
			stay := s & (g.deep[i] | g.rest[i])
			if c != '/' {
				stay |= s & g.star[i]
			}
			set[i] = x<<1 | carry | stay
			carry = x >> 63
			some |= set[i]
		}
		if some == 0 {
			return
		}
		if c == '/' {
			leave(set, g.deep)
		}
		leave(set, g.star)
	}
	for _, e := range g.ends {
		if set[e.at/64]>>(e.at%64)&1 != 0 {
			yield(e.glob)
		}
	}
}
