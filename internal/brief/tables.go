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
// table is named by more than the steps from one schema to the next, the steps say nothing of it, and
// what takes a step back never does: the tables that only it makes are as they were.
func (w *shelves) arrangeTables(r *register) {
	of := map[int]int{} // tables by member
	const back = 3      // what takes a step back makes what is kept no more
	step := func(at surfacePlace) int {
		name := w.Members[at.member].Path
		if takesBack(name) {
			return back
		}
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
		switch step(places[0]) {
		case 0:
			places = slices.DeleteFunc(places, func(at surfacePlace) bool { return step(at) > 0 })
		case back:
			delete(r.places, name)
			continue
		default:
			places = slices.DeleteFunc(places, func(at surfacePlace) bool { return step(at) == back })
		}
		r.places[name] = places
	}
	r.names = slices.DeleteFunc(r.names, func(name string) bool { return r.places[name] == nil })
	slices.SortStableFunc(r.names, func(a, b string) int { return order(r.places[a][0], r.places[b][0]) })
}

// takesBack reports whether a file says how a step from one schema to the next is taken back.
func takesBack(name string) bool {
	return language.IsSchemaStep(name) && slices.ContainsFunc(language.Words(path.Base(name)), func(word string) bool { return takenBack[word] })
}

// takenBack are words in names of files that say how a step of a schema is taken back.
var takenBack = language.WordSet("down rollback undo revert")

// dropTables takes away the tables that a step from one schema to the next drops, or renames, and no later one makes again: what nothing but
// such steps names is kept no more.
func (w *shelves) dropTables(r *register, dropped map[string][]surfacePlace) {
	later := func(a, b surfacePlace) bool { // of two places in steps of one folder
		return cmp.Or(strings.Compare(w.Members[a.member].Path, w.Members[b.member].Path), a.line-b.line) > 0
	}
	for name, drops := range dropped {
		gone := func(made surfacePlace) bool {
			of := w.stepsOf(made)
			return of != "" && slices.ContainsFunc(drops, func(at surfacePlace) bool { return w.stepsOf(at) == of && later(at, made) })
		}
		if r.places[name] = slices.DeleteFunc(r.places[name], gone); len(r.places[name]) == 0 {
			delete(r.places, name)
		}
	}
	r.names = slices.DeleteFunc(r.names, func(name string) bool { return r.places[name] == nil })
}

// stepsOf is the folder whose steps one is that a place stands in; "" where it is none, or says how one is taken back.
func (w *shelves) stepsOf(at surfacePlace) string {
	name := w.Members[at.member].Path
	if !language.IsSchemaStep(name) || takesBack(name) {
		return ""
	}
	dir := path.Dir(name)
	for dir != "." && language.IsSchemaStep(dir+"/000_") {
		dir = path.Dir(dir)
	}
	return dir + "/"
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
