package brief

import (
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// Without takes out of a document what another of the same sources shows.
func (d *Document) Without(other *Document) {
	shown := func(file, block int) bool { return other.entries[file].taken[block] }
	rest := d.order[:0:0]
	for _, c := range d.order {
		if !shown(c.file, c.block) {
			rest = append(rest, c)
		}
	}
	d.order = rest
	for n, e := range d.entries {
		for b := range e.blocks {
			if e.taken[b] && shown(n, b) {
				e.taken[b] = false
				e.bytes -= e.size(b)
			}
		}
	}
}

// indexPart is the part of a first part that the index of the others may take.
const indexPart = 5

// FirstFixed is what of a first part of so many tokens is not for files: its head, and the index of the others.
func FirstFixed(head string, counter *tokens.Counter, limit int) int {
	return counter.Count([]byte(head)) + limit/indexPart
}

// FirstAndRest writes a document in parts of at most limit tokens each, as PartsOf does, the first of which is of what is needed most,
// whatever its file. At its end stand the places of the rest, as many as there is room for.
func FirstAndRest(head, title string, first, rest *Document, limit int) []string {
	_, most := first.Sections()
	_, others := rest.Sections()
	lead := head + join(title, most)
	if len(others) == 0 {
		return []string{lead}
	}
	places := rest.places(max(limit/indexPart, limit-rest.counter.Count([]byte(lead))))
	return append([]string{lead + places}, divided("", []Chapter{{Title: title + ", too", Sections: others}}, rest.counter, limit).list()...)
}

// places is an index of a document: what it shows of definitions, the most needed first, each with its place and its first line, as far
// as there is room; and how many files it shows besides.
func (d *Document) places(room int) string {
	head := "\n## In the other parts\n\n"
	more := func(n int) string {
		if n == 1 {
			return "- 1 file more\n"
		}
		return fmt.Sprintf("- %d files more\n", n)
	}
	room -= d.counter.Count([]byte(head + more(len(d.entries))))
	var b strings.Builder
	told := map[int]bool{}
	for _, c := range d.order {
		e := d.entries[c.file]
		one := e.blocks[c.block]
		if one.Name == "" {
			continue
		}
		line := fmt.Sprintf("- %s: %s\n", Span(e.Path+":"+lineNumbers(one.From, one.To)), Span(one.Name))
		n := d.counter.Count([]byte(line))
		if n > room {
			break
		}
		room, told[c.file] = room-n, true
		b.WriteString(line)
	}
	if n := len(d.shown()) - len(told); n > 0 {
		b.WriteString(more(n))
	}
	return head + b.String()
}
