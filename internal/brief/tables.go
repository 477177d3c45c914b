package brief

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// tablesPart is the part of the first layer that tables may take before the definitions: what a program keeps is asked of most that keep
// anything.
const tablesPart = 32

// madeUp are words in names of files whose tables only show what one looks like.
var madeUp = language.WordSet("fixture fixtures sample samples demo example examples")

// arrangeTables puts tables as they stand in the file that names most of them, then those of the next, and those last that are made up. Where a
// table is named by more than the steps from one schema to the next, the steps say nothing of it.
func (w *shelves) arrangeTables(r *register) {
	of := map[int]int{} // tables by member
	step := func(at surfacePlace) int {
		name := w.Members[at.member].Path
		if language.IsSchemaStep(name) {
			return 1
		}
		if slices.ContainsFunc(language.Words(path.Base(name)), func(word string) bool { return madeUp[word] }) {
			return 2
		}
		return 0
	}
	for _, places := range r.places {
		for _, at := range places {
			of[at.member]++
		}
	}
	order := func(a, b surfacePlace) int {
		return cmp.Or(step(a)-step(b), of[b.member]-of[a.member], a.member-b.member, a.line-b.line)
	}
	for name, places := range r.places {
		slices.SortStableFunc(places, order)
		if step(places[0]) == 0 {
			r.places[name] = slices.DeleteFunc(places, func(at surfacePlace) bool { return step(at) > 0 })
		}
	}
	slices.SortStableFunc(r.names, func(a, b string) int { return order(r.places[a][0], r.places[b][0]) })
}

// upToName returns a line up to a name in it that is no part of another, with the quote that ends it; all of it where it does not stand there.
func upToName(line, name string) string {
	for at := 0; ; {
		i := strings.Index(line[at:], name)
		if i < 0 || name == "" {
			return line
		}
		from, end := at+i, at+i+len(name)
		if (from == 0 || !isWordByte(line[from-1])) && (end == len(line) || !isWordByte(line[end])) {
			if end < len(line) && strings.IndexByte("\"'`", line[end]) >= 0 {
				end++
			}
			return line[:end]
		}
		at = from + 1
	}
}
