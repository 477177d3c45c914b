package lookup

import (
	"slices"

	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
)

// inherit adds to an inquiry the types that have a member from what they extend.
func (x *Index) inherit(q *inquiry, w source.WantedDefinition) {
	for _, h := range x.users().Heirs(w, x.splits.split) {
		reached := map[string]bool{h.Path: true}
		for _, name := range x.users().Reaching(h) {
			reached[name] = true
		}
		q.heirs, q.inherits = append(q.heirs, h), append(q.inherits, reached)
	}
}

// inherited are the places of a text at which a member surely is one that a type has from what it extends.
func (x *Index) inherited(q *inquiry, t *nameSearch) (list []source.Use) {
	for k, h := range q.heirs {
		switch {
		case h.Path == t.path:
			list = append(list, t.mentions.Within(h, nil)...)
		case q.inherits[k][t.path]:
			h.Told, h.Twice = x.imported(t.path, h)
			list = append(list, snapshot.Of(t.mentions, h)...)
		}
	}
	return slices.DeleteFunc(list, func(u source.Use) bool { return !u.Sure })
}
