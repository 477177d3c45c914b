package brief

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/language"
)

// A stretch that begins within a long definition of a changed file says what it stands in: of more than mostEnclosing lines the outermost and the
// innermost, if none of them is longer than maxEnclosing bytes, and the definition begins mostAbove lines above it at most.
const (
	mostEnclosing = 3
	mostAbove     = 500
	maxEnclosing  = 100
)

// enclosing tells in what a stretch from a line on stands within its definition, the outermost first: the loops and conditions whose
// heads are not shown with it. "" where it stands in the definition itself.
func (e *entry) enclosing(from int) string {
	head := e.headAbove(from)
	if head == 0 {
		return ""
	}
	var list []string
	outer := indentOf(e.lines[head-1])
	deep := indentOf(e.lines[from-1])
	for n := from - 1; n > head && deep > outer; n-- {
		line := e.lines[n-1]
		if silent(line) || indentOf(line) >= deep {
			continue
		}
		if deep = indentOf(line); deep <= outer {
			break
		}
		bare := strings.TrimSpace(line)
		if !strings.ContainsFunc(bare, unicode.IsLetter) {
			deep++ // a bracket on a line of its own: what it is of has the same indentation
			continue
		}
		if len(bare) > maxEnclosing {
			return ""
		}
		list = append(list, fmt.Sprintf("%s (%d)", Span(bare), n))
	}
	slices.Reverse(list)
	if n := len(list); n > mostEnclosing {
		list = slices.Concat(list[:1], []string{"…"}, list[n-mostEnclosing+1:])
	}
	return strings.Join(list, ", ")
}

// keysAbove tells the keys that a line of YAML stands in, the outermost first, as far as they are not shown themselves: from one on that was
// told before, whose line tells the rest.
func (e *entry) keysAbove(from int, told map[int]bool) string {
	if from >= len(e.outer) {
		return ""
	}
	var list []string
	for p, n := e.outer[from], 0; p > 0 && n < outerKeys; p, n = e.outer[p], n+1 {
		b, _ := e.blocksOf([2]int{p, p})
		bare := strings.TrimSpace(e.lines[p-1])
		if b < len(e.blocks) && b < len(e.taken) && e.taken[b] || len(bare) > maxEnclosing {
			continue
		}
		list = append([]string{fmt.Sprintf("%s (%d)", Span(bare), p)}, list...)
		if told[p] {
			break
		}
		told[p] = true
	}
	return strings.Join(list, ", ")
}

// headAbove is the line on which the definition begins that a block goes on with, if it begins at a line of code of a changed file; else 0.
func (e *entry) headAbove(from int) int {
	if !e.Changed || !language.Is(e.Path, language.Code) {
		return 0
	}
	b, _ := e.blocksOf([2]int{from, from})
	if b == len(e.blocks) || e.blocks[b].From > from || e.blocks[b].Name == "" || e.blocks[b].Signature[0] > 0 {
		return 0
	}
	for at := b - 1; at >= 0 && e.blocks[at].Name == e.blocks[b].Name; at-- {
		if head := e.blocks[at].Signature[0]; head > 0 && from-head <= mostAbove {
			return head
		}
	}
	return 0
}
