package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// longList is how many lines a list of values, or of imports, has at least that is divided around what a change touches of it.
const longList = 16

// nearValues is how many lines of a list stand around a touched one, as in a patch: that of another entry is another matter.
const nearValues = 3

// valueKinds are the kinds of definitions that may be lists of values.
var valueKinds = map[string]bool{"const": true, "var": true, "field": true, "property": true, "enum": true}

// findValues divides the blocks of long lists of values around the touched entries. Where a change does not fit, those alone are shown.
func (s *Source) findValues(lines []string) {
	l := language.Of(s.Path)
	if l == nil || l.Kind != language.Code {
		return
	}
	for _, one := range s.touchedLong(lines, joined, s.Definitions) {
		held := [2]int{one.From, one.End}
		if !valueKinds[one.Kind] || held[1]-held[0]+1 < longList || holdsFunctions(held, s.defined()) {
			continue
		}
		if starts := entriesOfList(lines, one.Line, held[1], l); len(starts) > 0 {
			s.divideList(held, starts)
		}
	}
}

// entriesOfList are the lines at which the entries begin of a list between two lines, nil where it is none: most entries of a list end
// with a comma.
func entriesOfList(lines []string, head, end int, l *language.Language) (starts []int) {
	least := 1 << 20
	for n := head + 1; n < end; n++ {
		if strings.TrimSpace(lines[n-1]) != "" {
			least = min(least, indentOf(lines[n-1]))
		}
	}
	entries, commas, last := 0, 0, ""
	ended := func() {
		if last != "" {
			entries++
			if strings.HasSuffix(last, ",") {
				commas++
			}
		}
		last = ""
	}
	for n := head + 1; n < end; n++ {
		bare := strings.TrimSpace(lines[n-1])
		if bare == "" {
			continue
		}
		if indentOf(lines[n-1]) == least && strings.IndexByte("})]", bare[0]) < 0 {
			ended()
			starts = append(starts, n)
		}
		if commentMark(l, bare, "") == "" {
			last, _, _ = strings.Cut(bare, " "+l.Comment())
			last = strings.TrimSpace(last)
		}
	}
	if ended(); entries < longList/4 || commas*4 < entries*3 {
		return nil
	}
	return starts
}

// divideList divides the blocks of a definition, by its first and its last line, which is a list with entries at these lines, into
// touched entries with what is near them, and what is not.
func (s *Source) divideList(held [2]int, starts []int) {
	near := make([]bool, held[1]-held[0]+1)
	at, _ := slices.BinarySearch(s.Touched, held[0])
	for _, line := range s.Touched[at:] {
		if line > held[1] {
			break
		}
		from, to := max(held[0], line-nearValues), min(held[1], line+nearValues)
		if i, here := slices.BinarySearch(starts, line); here || i > 0 { // all of its entry
			if !here {
				i--
			}
			from = min(from, max(starts[i], line-nearLines))
			if i+1 < len(starts) {
				to = max(to, min(starts[i+1]-1, line+nearLines))
			}
		}
		for n := from; n <= to; n++ {
			near[n-held[0]] = true
		}
	}
	var list []Block
	for _, block := range s.Blocks() {
		if block.From < held[0] || block.From > held[1] {
			list = append(list, block)
			continue
		}
		for from := block.From; from <= block.To; {
			to := from
			for to < block.To && (to >= held[1] || near[to+1-held[0]] == near[from-held[0]]) { // an empty line may follow it
				to++
			}
			one := Block{From: from, To: to, Name: block.Name, OfList: true}
			if from == block.From {
				one.Signature = block.Signature
			}
			list = append(list, one)
			from = to + 1
		}
	}
	s.blocks = list
}
