package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// outerKeys is how many lines, from the innermost out, stand above a touched item that say what it stands in.
const outerKeys = 8

// itemised reports whether a file of this name holds items within items, by how they are indented, or sections of them.
func itemised(name string) bool {
	l := language.Of(name)
	return l != nil && l.Kind == language.Data && l.Name != "Tables" && l.Name != "Notebook"
}

// narrowItems divides a long file of data around the items that the change touches: the largest one of a touched line that has no more
// than joined bytes, what is next to the line, and the lines above that say what it stands in, which then count as touched. One value
// does not bring all of a list. Of YAML a stretch itself says what it stands in.
func (s *Source) narrowItems(lines []string) {
	lines = lines[:lineCount(lines)]
	if len(s.Text) <= maxBlock || len(s.Definitions) > 0 {
		return
	}
	items := itemsOf(lines, language.Of(s.Path))
	near := make([]bool, len(lines)+1)
	var above []int
	last, rooted := 0, language.Of(s.Path).Name == "XML"
	if isYAML(s.Path) {
		s.outer = items.outer
	}
	for _, line := range s.Touched {
		if line < 1 || line > len(lines) || strings.TrimSpace(lines[line-1]) == "" {
			continue
		}
		for n := max(1, line-nearValues); n <= min(len(lines), line+nearValues); n++ {
			near[n] = true
		}
		at := items.widest(line)
		if at == last {
			continue
		}
		last = at
		if items.bytes(at) <= joined {
			for n := at; n <= items.end[at]; n++ {
				near[n] = true
			}
		}
		for p, n := items.outer[at], 0; p > 0 && n < outerKeys && s.outer == nil; p, n = items.outer[p], n+1 {
			if rooted && items.outer[p] == 0 && frames.MatchString(strings.TrimSpace(lines[p-1])) {
				break // what all of the file stands in says nothing
			}
			if !strings.ContainsFunc(lines[p-1], isWord) && p < len(lines) { // a bracket alone: what stands behind it tells which it is
				if items.outer[p] == 0 && items.end[p+1] > p+1 {
					break // the first of many things says nothing of the others
				}
				above = append(above, p+1)
			}
			above = append(above, p)
		}
	}
	for _, n := range above {
		near[n] = true
	}
	s.Touched = append(s.Touched, above...)
	slices.Sort(s.Touched)
	s.Touched = slices.Compact(s.Touched)
	s.divideNear(near)
}

func isWord(c rune) bool { return c < 0x80 && isWordByte(byte(c)) || c >= 0x80 }

// divideNear divides blocks into lines that are near, and those that are not; a few of these are of the block above.
func (s *Source) divideNear(near []bool) {
	var list []Block
	for _, block := range s.Blocks() {
		for from := block.From; from <= block.To; {
			to := from
			for to < block.To && near[to+1] == near[from] {
				to++
			}
			part := block
			part.From, part.To = from, to
			n := len(list)
			if n > 0 && !near[from] && !near[from-1] && to-from < longList {
				list[n-1].To = to
			} else {
				list = append(list, part)
			}
			from = to + 1
		}
	}
	s.blocks = list
}

// items are those of a text, each known by the line at which it begins; where none begins, all is 0.
type items struct {
	outer, end []int // by line: the item that it stands in, and the last line
	of         []int // by line: the item that begins there, or that it is the end of
	sums       []int // bytes before the line
}

// itemsOf finds items by how their lines are indented: what is indented deeper belongs to the line above.
func itemsOf(lines []string, l *language.Language) *items {
	sections := l.Name == "TOML" || l.Name == "Configuration" // lines in brackets head them
	elements := l.Name == "XML"
	n := len(lines) + 2
	t := &items{make([]int, n), make([]int, n), make([]int, n), make([]int, n)}
	type open struct{ line, deep int }
	var stack []open
	for i, line := range lines {
		at, bare := i+1, strings.TrimSpace(line)
		t.sums[at+1] = t.sums[at] + len(line)
		if bare == "" {
			continue
		}
		deep := 2 * indentOf(line)
		if commentMark(l, bare, "") != "" { // it begins nothing, however little it is indented
			t.of[at], t.end[at] = at, at
			for i := len(stack) - 1; i >= max(0, len(stack)-outerKeys) && t.outer[at] == 0; i-- {
				if stack[i].deep < deep {
					t.outer[at] = stack[i].line
				}
			}
			continue
		}
		switch {
		case strings.HasPrefix(bare, "- ") || bare == "-":
			deep++ // an entry may be indented as its key is
		case sections && bare[0] == '[':
			deep = -1
		}
		if top := len(stack) - 1; elements && bare[0] != '<' && top >= 0 && deep <= stack[top].deep {
			t.of[at], t.end[stack[top].line] = t.of[stack[top].line], at // words between two signs, which may begin anywhere in their line
			continue
		}
		for len(stack) > 0 && stack[len(stack)-1].deep > deep {
			stack = stack[:len(stack)-1]
		}
		if len(stack) > 0 && stack[len(stack)-1].deep == deep {
			top := stack[len(stack)-1].line
			stack = stack[:len(stack)-1]
			if strings.IndexByte("})]", bare[0]) >= 0 || strings.HasPrefix(bare, "</") {
				t.of[at], t.end[top] = top, at
				if !goesOn(bare) {
					continue
				}
			}
		}
		if t.of[at] == 0 {
			t.of[at] = at
		}
		t.end[at] = max(t.end[at], at)
		if len(stack) > 0 {
			t.outer[at] = stack[len(stack)-1].line
		}
		stack = append(stack, open{at, deep})
	}
	for at := len(lines); at > 0; at-- { // what stands in an item ends no later than it
		if p := t.outer[at]; p > 0 {
			t.end[p] = max(t.end[p], t.end[at])
		}
	}
	return t
}

// bytes are those of an item.
func (t *items) bytes(at int) int { return t.sums[t.end[at]+1] - t.sums[at] }

// widest is the largest item that a line stands in, of no more than joined bytes; the innermost where that is larger.
func (t *items) widest(line int) int {
	at := t.of[line]
	for p := t.outer[at]; p > 0 && t.bytes(p) <= joined; p = t.outer[at] {
		at = p
	}
	return at
}
