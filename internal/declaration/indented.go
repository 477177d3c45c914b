package declaration

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// indented puts what stands further right behind a type whose head ends with a colon into that type, as Scala 3 does: the block ends
// before the next declaration that does not stand further right. The list is in the order of its lines.
func indented(src []byte, list []graph.Definition) []graph.Definition {
	begins := func(d *graph.Definition) bool {
		return strings.HasSuffix(d.Signature, ":") && holdsMembers(d.Kind)
	}
	some := false
	for i := range list {
		some = some || begins(&list[i])
	}
	if !some {
		return list
	}
	columns, starts := columnsOf(src)
	type holder struct{ at, column int }
	var open []holder
	inner := 0 // the last line of what was declared before
	shut := func(column int) {
		for n := len(open); n > 0 && column <= open[n-1].column; n-- {
			holder, last := &list[open[n-1].at], 0
			at := max(inner, holder.Head) + 1
			for ; at < len(columns) && (columns[at] < 0 || columns[at] > open[n-1].column); at++ {
				if columns[at] >= 0 {
					last = at
				}
			}
			if at < len(columns) && columns[at] == open[n-1].column && closes(src, starts[at]+columns[at]) {
				last = at
			}
			holder.End = max(holder.End, inner, last)
			inner = holder.End
			open = open[:n-1]
		}
	}
	for i := range list {
		d := &list[i]
		column := columns[min(d.Line, len(columns)-1)]
		var around []holder
		if n := len(open); n > 0 && d.Line <= list[open[n-1].at].Head { // a parameter of its constructor
			around = open[:n-1]
		} else {
			shut(column)
			inner, around = d.End, open
		}
		if n := len(around); n > 0 {
			in := &list[around[n-1].at]
			if len(in.Name)+1+len(d.Name) > maxName {
				continue
			}
			if !strings.Contains(d.Name, ".") {
				d.Kind = memberKind(d.Kind)
			}
			d.Name = in.Name + "." + d.Name
			d.Exported = d.Exported && in.Exported
		}
		if begins(d) && len(open) < maxScopes {
			open = append(open, holder{i, column})
		}
	}
	shut(-1)
	return list
}

// memberKind is the kind of what is declared in a type.
func memberKind(kind string) string {
	switch kind {
	case "func":
		return "method"
	case "var":
		return "property"
	}
	return kind
}

// closes reports whether a line of an end marker begins at a place: end Cart.
func closes(src []byte, at int) bool { return bytes.HasPrefix(src[at:], []byte("end ")) }

// columnsOf are the columns in which lines begin, by their number, -1 of those that say nothing, and where the lines are.
func columnsOf(src []byte) (columns, starts []int) {
	columns, starts = []int{-1}, []int{0}
	at := 0
	for line := range bytes.Lines(src) {
		rest := bytes.TrimLeft(line, " \t")
		column := len(line) - len(rest)
		if len(bytes.TrimSpace(rest)) == 0 {
			column = -1
		}
		columns, starts = append(columns, column), append(starts, at)
		at += len(line)
	}
	return columns, starts
}
