package brief

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
)

// A long definition that the change touches is divided into its head, what stands around each touched line, and the rest. Around it stand
// nearLines lines on each side, and what is indented with it, of that the outermost that has no more than wideLines lines. What lies between
// two such stretches, or beside one, and has fewer than leastLeft lines is of them. The head has mostHead lines at most.
const (
	wideLines = 40
	leastLeft = 5
	mostHead  = 40
)

// narrowLong divides the blocks of long definitions that the change touches: those that are of no other, each run of them that stand side
// by side.
func (s *Source) narrowLong(lines []string) {
	if !language.Is(s.Path, language.Code) {
		return
	}
	long := map[string][]graph.Definition{} // by name, those of one in their order
	for _, one := range s.touchedLong(lines, maxBlock, s.defined()) {
		long[one.Name] = append(long[one.Name], one)
	}
	if len(long) == 0 {
		return
	}
	for _, list := range long {
		slices.SortFunc(list, func(a, b graph.Definition) int { return cmp.Or(a.From-b.From, a.End-b.End) })
	}
	var list []Block
	blocks := s.Blocks()
	for b := 0; b < len(blocks); b++ {
		first := blocks[b]
		same := long[first.Name]
		for len(same) > 0 && same[0].End < first.From {
			same = same[1:]
		}
		if long[first.Name] = same; len(same) == 0 || first.From < same[0].From || first.OfList {
			list = append(list, first)
			continue
		}
		end := b
		for end+1 < len(blocks) && blocks[end+1].Name == first.Name && blocks[end+1].From <= same[0].End && !blocks[end+1].OfList {
			end++
		}
		list = append(list, s.narrowRun(blocks[b:end+1], same[0], lines)...)
		b = end
	}
	s.blocks = list
}

// part is what a line of a long definition is of.
type part uint8

const (
	ofTheRest part = iota
	ofHead
	ofAround
)

// narrowRun divides blocks side by side of one definition.
func (s *Source) narrowRun(run []Block, one graph.Definition, lines []string) (list []Block) {
	from, to := run[0].From, min(run[len(run)-1].To, len(lines))
	parts := make([]part, to-from+1)
	if from == one.From {
		for n := from; n <= min(one.Head, from+mostHead-1, to); n++ {
			parts[n-from] = ofHead
		}
	}
	at, _ := slices.BinarySearch(s.Touched, from)
	for upTo := 0; at < len(s.Touched) && s.Touched[at] <= to; at++ {
		if s.Touched[at] <= upTo || silent(lines[s.Touched[at]-1]) {
			continue
		}
		first, last := around(lines, s.Touched[at], from, to)
		for n := first; n <= last; n++ {
			parts[n-from] = ofAround
		}
		upTo = last - nearLines
	}
	joinShort(parts)
	begins := map[int]bool{}
	for _, b := range run {
		begins[b.From] = true
	}
	for n := from; n <= to; {
		end, size := n, 0
		for end <= to && parts[end-from] == parts[n-from] {
			size += len(lines[end-1])
			end++
		}
		for at := n + 1; at <= end; at++ { // what is long is divided where it was
			if at == end || begins[at] && (parts[n-from] == ofTheRest || size > maxBlock) {
				list = append(list, Block{From: n, To: at - 1, Name: one.Name})
				n = at
			}
		}
	}
	for _, b := range run {
		for i := 0; b.Signature[0] > 0 && i < len(list); i++ { // one of the run has one
			if b.Signature[0] >= list[i].From && b.Signature[0] <= list[i].To {
				list[i].Signature = [2]int{b.Signature[0], min(b.Signature[1], list[i].To)}
			}
		}
	}
	return list
}

// joinShort makes short stretches of the rest a part of what stands beside them.
func joinShort(parts []part) {
	for n := 0; n < len(parts); {
		end := n
		for end < len(parts) && parts[end] == parts[n] {
			end++
		}
		if parts[n] == ofTheRest && end-n < leastLeft {
			as := ofTheRest
			if n > 0 {
				as = parts[n-1]
			}
			if end < len(parts) {
				as = max(as, parts[end])
			}
			for i := n; i < end; i++ {
				parts[i] = as
			}
		}
		n = end
	}
}

// silent reports whether a line is empty.
func silent(line string) bool { return strings.TrimSpace(line) == "" }

// closing reports whether a line closes what began above it.
func closing(line string) bool {
	bare := strings.TrimSpace(line)
	return bare == "end" || bare != "" && strings.IndexByte("})]", bare[0]) >= 0
}

// near are the lines, of from and to, that stand nearLines around one at most, without the part at either end of what is indented more than
// that one and begins above, or ends below.
func near(lines []string, line, from, to int) (first, last int) {
	first, last = max(from, line-nearLines), min(to, line+nearLines)
	deep := indentOf(lines[line-1])
	within := func(n int) bool { return silent(lines[n-1]) || indentOf(lines[n-1]) > deep }
	if first > from && within(first) {
		for first < line && (within(first) || closing(lines[first-1])) {
			first++
		}
	}
	if last < to && (within(last+1) || closing(lines[last])) && !silent(lines[last]) {
		for last > line && within(last) {
			last--
		}
		for opens := true; last > line && opens; last-- { // what begins there, by a brace on a line of its own too
			opens = strings.TrimSpace(lines[last-1]) == "{"
		}
		for last > line && silent(lines[last-1]) {
			last--
		}
	}
	return first, last
}

// around are the lines, of from and to, that stand around one.
func around(lines []string, line, from, to int) (first, last int) {
	first, last = near(lines, line, from, to)
	up, down := line, line+1
	for deep := indentOf(lines[line-1]); deep > 0; {
		for up--; up >= max(from, line-wideLines) && (silent(lines[up-1]) || indentOf(lines[up-1]) >= deep); {
			up--
		}
		if up < max(from, line-wideLines) {
			return first, last
		}
		deep = indentOf(lines[up-1])
		for down <= to && down-up < wideLines && (silent(lines[down-1]) || indentOf(lines[down-1]) > deep) {
			down++
		}
		if down > to || down-up >= wideLines {
			return first, last
		}
		end := down
		if !closing(lines[down-1]) {
			end-- // it begins something else
		}
		first, last = min(first, up), max(last, end)
	}
	return first, last
}

// longDefinition is a definition that the change touches, of which what it touches and its head stand in the document until all
// that is needed does, by its file and its first and last line.
type longDefinition struct {
	file  int
	lines [2]int
}

// longPart is the part of a budget that the rest of one definition may take, beside what is touched of it, before other things that
// the change needs have their room.
const longPart = 8

// isLong reports whether what is not taken of a definition costs more than its part of the budget.
func (d *Document) isLong(e *entry, lines [2]int) bool {
	if d.limit == 0 || e.sees(lines[0], lines[1]) {
		return false
	}
	left := 0
	from, to := e.blocksOf(lines)
	for b := from; b < to; b++ {
		if !e.taken[b] {
			left += e.size(b)
		}
	}
	return left > d.limit/longPart*BytesOfToken
}

// takeHead takes the block in which a definition begins, if something of it is taken, and returns what it costs.
func (d *Document) takeHead(file int, lines [2]int, room int) int {
	e := d.entries[file]
	from, to := e.blocksOf(lines)
	if e.taken[from] || e.blocks[from].OfList || !slices.Contains(e.taken[from:to], true) {
		return 0
	}
	return d.take(candidate{file: file, block: from, tokens: d.cost(e, from)}, room)
}

// takeLong takes the rest of long definitions that the change touches, as far as what else is needed left the change's room.
func (d *Document) takeLong() {
	for _, one := range d.long {
		d.longRoom -= d.takeDefinition(one.file, one.lines, min(d.longRoom, d.rest()))
	}
}

// blocksOf are the first block of a definition, and the one behind its last.
func (e *entry) blocksOf(lines [2]int) (from, to int) {
	from, _ = slices.BinarySearchFunc(e.blocks, lines[0], func(b Block, line int) int { return b.To - line })
	to = from
	for to < len(e.blocks) && e.blocks[to].From <= lines[1] {
		to++
	}
	return from, to
}
