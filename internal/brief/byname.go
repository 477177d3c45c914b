package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// namedShare is the part of the first layer that is held for the names of what its files define besides. A line of a method has five times the
// tokens of its name: where it stands is told of a hundred more, which says more of a program than its last twenty lines.
const namedShare = 20

// namedOfFile is how many names are told of a file at most.
const namedOfFile = 12

// chooseFirst takes what is offered for the first layer: lines, and then the names of what else the files define of which lines are told. Where
// there is the room of a second layer and little more, most of that stands there by its lines: names would take theirs. It returns the rest, with what was named, and the room that is left.
func (w *shelves) chooseFirst(offers []offer, room int) (rest []offer, left int) {
	held := 0
	if free := min(room, w.front()-w.spentIn(0)); free > w.front()/4 && (w.small() || w.budget > wide) {
		held = free / namedShare
	}
	w.rest -= held
	_, room = w.choose(offers, 0, room-held)
	w.rest += held
	rest = slices.DeleteFunc(slices.Clone(offers), func(o offer) bool { return o.shelf.lines[o.line].taken })
	return w.choose(rest, 0, room+held-w.nameMore(rest, held))
}

// nameMore tells names of what is offered, of files of which lines are told, and returns the tokens of them: room at most. It tells none where
// there is room for all lines.
func (w *shelves) nameMore(offers []offer, room int) (spent int) {
	type naming struct {
		offer
		cost int
	}
	var list []naming
	all := 0
	for _, o := range offers {
		l := &o.shelf.lines[o.line]
		all += l.cost
		if o.shelf.shown[0] > 0 && l.nameable() {
			n := w.Counter.Count([]byte(", " + l.numberedName()))
			list = append(list, naming{o, n})
		}
	}
	if all <= room {
		return 0
	}
	slices.SortStableFunc(list, func(a, b naming) int { return cmp.Compare(b.gain/int64(b.cost+1), a.gain/int64(a.cost+1)) })
	named := map[*shelf]int{}
	for _, one := range list {
		if spent+one.cost > room || named[one.shelf] == namedOfFile {
			continue
		}
		named[one.shelf]++
		one.shelf.lines[one.line].byName = true
		spent += one.cost
		w.taken = append(w.taken, choice{shelf: one.shelf, line: one.line, tokens: one.cost, byName: true})
	}
	w.rest -= spent
	return spent
}

// nameable reports whether the name of a line says what it is about: it is one word, and no other line tells it.
func (l *signature) nameable() bool {
	name := l.lastName()
	return name != "" && !l.Setting && l.first == 0 && !l.repeats() && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '$' && r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// lastName is the name of a line without that of what it is of.
func (l *signature) lastName() string { return l.Name[strings.LastIndexByte(l.Name, '.')+1:] }

// numberedName is where a line stands, and what it defines.
func (l *signature) numberedName() string { return fmt.Sprintf("%d %s", l.Line, l.lastName()) }

// besides writes what stands below the lines of a file in a layer: names of what it defines besides, and whether there is more. It does not say
// how much: in 8,000 tokens there are two hundred files, and the counts of all have the room of fifty definitions.
func (s *shelf) besides(layer int, more bool) string {
	var said []string
	for n := range s.lines {
		if l := &s.lines[n]; layer == 0 && l.byName && !(l.taken && l.layer == 0) {
			said = append(said, l.numberedName())
		}
	}
	if more {
		said = append(said, "…")
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(said, ", ") + "\n"
}

// named reports whether any name is told alone.
func (w *shelves) named() bool {
	return slices.ContainsFunc(w.taken, func(c choice) bool { return c.byName })
}

// namedBelow is what the head says of names that are told alone.
var namedBelow = map[bool]string{true: "names with their lines are of what it defines besides, and "}
