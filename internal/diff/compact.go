package diff

// group is a run of changed lines, which may be empty: one stands between each two lines
// that did not change.
type group struct{ start, end int }

func (v *listing) firstGroup() (g group) {
	for v.changed[g.end] {
		g.end++
	}
	return g
}

func (v *listing) next(g *group) bool {
	if g.end == len(v.lines) {
		return false
	}
	g.start = g.end + 1
	for g.end = g.start; v.changed[g.end]; g.end++ {
	}
	return true
}

func (v *listing) previous(g *group) {
	if g.start == 0 {
		return
	}
	g.end = g.start - 1
	for g.start = g.end; g.start > 0 && v.changed[g.start-1]; g.start-- {
	}
}

// up moves a group by a line towards the start, if that makes no difference to what the
// change does, and takes in the group that it meets.
func (v *listing) up(g *group) bool {
	if g.start == 0 || v.class[g.start-1] != v.class[g.end-1] {
		return false
	}
	g.start, g.end = g.start-1, g.end-1
	v.changed[g.start], v.changed[g.end] = true, false
	for g.start > 0 && v.changed[g.start-1] {
		g.start--
	}
	return true
}

// down is the same towards the end.
func (v *listing) down(g *group) bool {
	if g.end == len(v.lines) || v.class[g.start] != v.class[g.end] {
		return false
	}
	v.changed[g.start], v.changed[g.end] = false, true
	g.start, g.end = g.start+1, g.end+1
	for v.changed[g.end] {
		g.end++
	}
	return true
}

// compact moves each group of changed lines of v to where it reads best, as git does:
// joined with those it can be joined with, beside a group of the other text if there is
// one to stand beside, else where the indentation parts best. It stops where the work is
// done that may be done; every place is a true one.
func (v *listing) compact(other *listing, most *int) {
	g, o := v.firstGroup(), other.firstGroup()
	for *most > 0 {
		if g.end > g.start {
			v.place(&g, other, &o, most)
		}
		if !v.next(&g) || !other.next(&o) {
			return
		}
	}
}

// place moves one group; o is the group of the other text at the same place.
func (v *listing) place(g *group, other *listing, o *group, most *int) {
	size, highest, beside := 0, 0, -1
	for {
		size, beside = g.end-g.start, -1
		for v.up(g) {
			other.previous(o)
			*most--
		}
		highest = g.end
		if o.end > o.start {
			beside = g.end
		}
		for v.down(g) {
			other.next(o)
			*most--
			if o.end > o.start {
				beside = g.end
			}
		}
		if size == g.end-g.start || *most <= 0 {
			break
		}
	}
	switch {
	case g.end == highest:
	case beside >= 0:
		for o.end == o.start && v.up(g) {
			other.previous(o)
		}
	default:
		best := v.bestEnd(highest, *g, size)
		for g.end > best && v.up(g) {
			other.previous(o)
		}
	}
}

// maxSlide is over how many lines a group is moved for its looks.
const maxSlide = 100

// bestEnd is where a group that may end anywhere from highest to where it ends now parts
// best from the lines around it.
func (v *listing) bestEnd(highest int, g group, size int) int {
	best, bestCost := -1, cost{}
	for end := max(highest, g.end-size-1, g.end-maxSlide); end <= g.end; end++ {
		c := v.costOf(end).plus(v.costOf(end - size))
		if best < 0 || c.compare(bestCost) <= 0 {
			best, bestCost = end, c
		}
	}
	return best
}

// cost says how badly a place divides a text: little where a block of less indentation
// begins, or after an empty line. The weights are git's, which were fitted to what people
// chose.
type cost struct{ indent, penalty int }

func (c cost) plus(d cost) cost { return cost{c.indent + d.indent, c.penalty + d.penalty} }

func (c cost) compare(d cost) int {
	order := 0
	if c.indent > d.indent {
		order = 60
	} else if c.indent < d.indent {
		order = -60
	}
	return order + c.penalty - d.penalty
}

// maxBlank is how many empty lines are looked over.
const maxBlank = 20

// beyond is the indentation of the next line with text from i on, step by step, and how
// many empty ones stand before it; -1 where the text ends.
func (v *listing) beyond(i, step int) (indent, blank int) {
	for ; i >= 0 && i < len(v.lines); i += step {
		if indent = indentOf(v.lines[i]); indent >= 0 {
			return indent, blank
		}
		if blank++; blank == maxBlank {
			return 0, blank
		}
	}
	return -1, blank
}

// costOf is the cost of dividing the text before a line.
func (v *listing) costOf(at int) (c cost) {
	indent := -1
	if at < len(v.lines) {
		indent = indentOf(v.lines[at])
	} else {
		c.penalty += 21
	}
	before, blankBefore := v.beyond(at-1, -1)
	after, blankAfter := v.beyond(at+1, 1)
	if before < 0 && blankBefore == 0 {
		c.penalty++
	}
	blank := 0
	if indent < 0 {
		blank = 1 + blankAfter
		indent = after
	}
	c.penalty += 6*blank - 30*(blank+blankBefore)
	c.indent = indent
	blanks := blank+blankBefore > 0
	weigh := func(without, with int) {
		if blanks {
			without = with
		}
		c.penalty += without
	}
	switch {
	case indent < 0 || before < 0 || indent == before:
	case indent > before:
		weigh(-4, 10)
	case after > indent:
		weigh(24, 17)
	default:
		weigh(23, 17)
	}
	return c
}

// indentOf is how far a line is indented, at most 200, tabs to the next multiple of 8; -1
// if it is empty.
func indentOf(line string) int {
	n := 0
	for i := range min(len(line), 1000) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		case '\n', '\r', '\v', '\f':
		default:
			return n
		}
		if n >= 200 {
			return 200
		}
	}
	return -1
}
