package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/rank"
)

// item is the beginning of an entry of a list that stands in no other.
var item = lazyregexp.New(`^ ?(?:[-*+]|\d+[.)]) `)

// innerHeadings are how many headings, from the innermost out, stand above a touched entry.
const innerHeadings = 2

// Narrow divides the sections of a changed manual around what the change touches: an entry of a list or a paragraph of a long section
// is a block of its own, and so is each heading that it stands below, which then counts as touched. One line of release notes does not
// bring all of a release.
//
// Of other files the functions that have a name in a long definition become parts of it, and a long stretch that defines nothing and is
// hardly indented, such as a list, is divided around the touched lines, and so are long lists of values and other long definitions.
func (s *Source) Narrow() {
	if len(s.Touched) == 0 {
		return
	}
	lines := strings.SplitAfter(s.Text, "\n")
	if !sectioned(s.Path) {
		s.findInner(lines)
		s.findValues(lines)
		if itemised(s.Path) {
			s.narrowItems(lines)
		} else {
			s.narrowStretches(lines)
			s.narrowLong(lines)
		}
		return
	}
	lines = lines[:lineCount(lines)]
	starts, above := entriesOf(lines, s.Touched)
	s.Touched = append(s.Touched, above...)
	slices.Sort(s.Touched)
	s.Touched = slices.Compact(s.Touched)
	e := entry{Source: s, lines: lines}
	var list []Block
	for b, block := range s.Blocks() {
		if e.touches(b) && e.size(b) > joined {
			list = append(list, s.divide(block, starts)...)
		} else {
			list = append(list, block)
		}
	}
	s.blocks = list
}

// nearLines is how many lines above and below a touched one of a long stretch that defines nothing stand with it, at most: what is
// farther away, or beyond an empty line, is another matter.
const nearLines = 10

// narrowStretches divides long flat touched blocks that define nothing into what is near touched lines, and what is not.
func (s *Source) narrowStretches(lines []string) {
	e, code := entry{Source: s, lines: lines}, language.Is(s.Path, language.Code)
	var list []Block
	for b, block := range s.Blocks() {
		short := e.size(b) <= joined && block.To-block.From+1 < longList
		if block.Name != "" || block.Signature[0] > 0 || !e.touches(b) || short || !flat(lines[block.From-1:block.To]) {
			list = append(list, block)
			continue
		}
		near, imports := make([]bool, block.To+1), true
		begins, upTo := block.From, block.From // of the paragraph of a line
		at, _ := slices.BinarySearch(s.Touched, block.From)
		for _, line := range s.Touched[at:] {
			if line > block.To {
				break
			}
			most := nearLines
			for ; upTo < line; upTo++ {
				if strings.TrimSpace(lines[upTo-1]) == "" {
					begins = upTo + 1
				}
			}
			if code && rank.Importing([]byte(strings.TrimSpace(lines[begins-1]))) {
				most = nearValues
			} else {
				imports = false
			}
			for _, step := range []int{-1, 1} {
				for n := line; n >= block.From && n <= block.To && (n-line)*step <= most; n += step {
					if n != line && strings.TrimSpace(lines[n-1]) == "" {
						break
					}
					near[n] = true
				}
			}
		}
		for from := block.From; from <= block.To; {
			to := from
			for to < block.To && near[to+1] == near[from] {
				to++
			}
			list = append(list, Block{From: from, To: to, OfList: imports})
			from = to + 1
		}
	}
	s.blocks = list
}

// flat reports whether no line is indented by more than a step, of four blanks or a tab, beside another.
func flat(lines []string) bool {
	least, most := maxIndent*4, 0
	for _, line := range lines {
		bare := strings.TrimLeft(line, " \t")
		if strings.TrimSpace(bare) == "" {
			continue
		}
		deep := indentOf(line)
		least, most = min(least, deep), max(most, deep)
	}
	return most-least <= 4
}

// divide divides a block into what the change touches of it, and what it does not.
func (s *Source) divide(block Block, starts []int) (list []Block) {
	touched := false
	for from := block.From; from <= block.To; {
		at, _ := slices.BinarySearch(starts, from+1)
		to := block.To
		if at < len(starts) {
			to = min(to, starts[at]-1)
		}
		n, _ := slices.BinarySearch(s.Touched, from)
		hit := n < len(s.Touched) && s.Touched[n] <= to
		if len(list) > 0 && hit == touched {
			list[len(list)-1].To = to
		} else {
			list = append(list, Block{From: from, To: to, Name: block.Name})
		}
		from, touched = to+1, hit
	}
	return list
}

// entriesOf returns the lines of a manual at which headings, entries and paragraphs begin, and of the touched lines those at which their
// entries begin and the headings above them, but for the title of the manual where another one heads them.
func entriesOf(lines []string, touched []int) (starts, above []int) {
	type head struct{ line, level int }
	var heads []head
	fence, empty, title := "", true, 0
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		within := fence != ""
		if mark := fenceOf(bare); mark != "" && (fence == "" || fence == mark) {
			if fence = mark; within {
				fence = ""
			}
		}
		headed := !within && heading(bare) != ""
		if headed {
			level := len(bare) - len(strings.TrimLeft(bare, "#="))
			for len(heads) > 0 && heads[len(heads)-1].level >= level {
				heads = heads[:len(heads)-1]
			}
			heads = append(heads, head{i + 1, level})
			if title == 0 {
				title = i + 1
			}
		}
		flush := bare != "" && line[0] != ' ' && line[0] != '\t'
		if headed || !within && (empty && flush || item.MatchString(line)) {
			starts = append(starts, i+1)
		}
		if _, hit := slices.BinarySearch(touched, i+1); hit {
			if n := len(starts); n > 0 {
				above = append(above, starts[n-1]) // a long section is in several blocks: what begins in the one before
			}
			for _, h := range heads[max(0, len(heads)-innerHeadings):] {
				if h.line != title || h.level > 1 || len(heads) == 1 {
					above = append(above, h.line)
				}
			}
		}
		empty = bare == ""
	}
	slices.Sort(above)
	return starts, slices.Compact(above)
}
