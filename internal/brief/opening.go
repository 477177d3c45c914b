package brief

import (
	"fmt"
	"strconv"
	"strings"
)

// Excerpt is some lines of a member.
type Excerpt struct {
	Path string
	// Lines in their order, each behind its number and a space, without its indentation.
	Lines []string
}

// Opening returns the lines that a document of the repository's tokens takes from manifests and code, those first that stand in its
// first layer; a member may be there more than once. It is for documents of another form, whose beginning is to tell as much: the first layer
// is as large as that of the document, whatever marks the other form has, as what stands last in it is missed least.
func (r *Repository) Opening() []Excerpt {
	w := r.newShelves()
	var first, second []Excerpt
	list := w.manifests()
	begun := w.begun(list, w.front()/manifestShare)
	for i, m := range list {
		if len(begun[i]) > 0 {
			_, n := m.section(begun[i], w.Counter)
			w.rest -= n
			first = append(first, m.excerpt(begun[i]))
		}
		if rest, n := m.rest(begun[i], w.budget/20, w.Counter); n > 0 {
			w.postpone(0, n)
			second = append(second, m.excerpt(rest))
		}
	}
	w.define(w.roles(Code), w.rest-layers[0]/openingShare)
	for layer, list := range w.defined {
		for _, s := range list {
			e := Excerpt{Path: w.Members[s.member].Path}
			for n := range s.lines {
				if l := &s.lines[n]; l.taken && l.layer == layer {
					e.Lines = append(e.Lines, strconv.Itoa(l.Line)+" "+l.bare())
				}
			}
			first = append(first, e)
		}
		if layer == 0 {
			first = append(first, second...)
		}
	}
	return first
}

// openingShare is the part of the first layer that an opening leaves behind its first to what stands before it, and to marks of another form:
// what does not fit into its tokens any more takes the room of what tells more.
const openingShare = 2

// excerpt returns lines of a manifest, without empty ones.
func (m *manifest) excerpt(list []int) Excerpt {
	e := Excerpt{Path: m.path}
	for _, n := range list {
		if line := strings.TrimSpace(m.lines[n-1]); line != "" {
			e.Lines = append(e.Lines, fmt.Sprintf("%d %s", n, cutLine(line)))
		}
	}
	return e
}
