package lookup

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// tell reads a text to be asked what it says.
func (x *Index) tell(f *scan.File) (*nameSearch, error) {
	raw, err := f.Read()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	return x.newTold(f, text.Decode(raw, f.Encoding)), nil
}

// Named are the definitions that a definition names for sure, those of its own file first, in the order in which it does. Those that it lies
// in, or that lie in it, are left out.
func (x *Index) Named(d Definition) (list []Definition, err error) {
	if err := x.read(); err != nil {
		return nil, err
	}
	t, err := x.tell(x.files[d.Path])
	if err != nil || t.mentions == nil {
		return nil, err
	}
	words := t.mentions.Said(d.From, d.End)
	type named struct {
		Definition
		at int
	}
	var found []named
	for _, name := range x.beside(d.Path) {
		if !x.namesOf(name).says(func(n string) bool { return words[lastOf(n)] }) {
			continue
		}
		all, err := Define(x.files[name])
		if err != nil {
			return nil, err
		}
		for _, o := range all {
			own := o.Path == d.Path
			if !words[lastOf(o.Name)] || own && (o.Name == d.Name || strings.HasPrefix(d.Name, o.Name+".") || o.From <= d.From && o.End >= d.End || o.From >= d.From && o.End <= d.End) {
				continue
			}
			if at := x.firstUse(t, o, d); at > 0 {
				found = append(found, named{o, at})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b named) int {
		return cmp.Or(order(a.Path != d.Path, b.Path != d.Path), cmp.Compare(a.at, b.at))
	})
	for _, n := range found {
		list = append(list, n.Definition)
	}
	return list, nil
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// firstUse is the first line of a definition's text that surely names another, 0 for none.
func (x *Index) firstUse(t *nameSearch, o, d Definition) int {
	w := wanted(o)
	uses := t.mentions.Within(w, []int{o.Line})
	if o.Path != d.Path {
		w.Told, w.Twice = x.imported(d.Path, w)
		uses = snapshot.Of(t.mentions, w)
	}
	for _, u := range uses {
		if u.Sure && !u.Imports && u.Line >= d.From && u.Line <= d.End {
			return u.Line
		}
	}
	return 0
}

// beside are a file, those that it imports, and of Go those of its package.
func (x *Index) beside(name string) []string {
	list := []string{name}
	if x.sealed.Meta != nil {
		for _, e := range x.sealed.Meta.Nodes[name].Edges {
			if x.files[e.Target] != nil && !slices.Contains(list, e.Target) {
				list = append(list, e.Target)
			}
		}
	}
	if path.Ext(name) == ".go" {
		for i := range x.sealed.Files {
			if other := x.sealed.Files[i].Path; path.Ext(other) == ".go" && path.Dir(other) == path.Dir(name) && !slices.Contains(list, other) {
				list = append(list, other)
			}
		}
	}
	return list
}

// lastOf is the last part of a qualified name.
func lastOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Implementing are the definitions of a member by the types that say that they extend, or implement, the one which it belongs to.
func (x *Index) Implementing(d Definition) (list []Definition, err error) {
	outer := outerOf(d.Name)
	if outer == "" {
		return nil, nil
	}
	found, err := x.Definitions(func(_, name string) bool { return lastOf(name) == lastOf(d.Name) && outerOf(name) != "" })
	if err != nil {
		return nil, err
	}
	types := map[string][]string{}
	for _, o := range found {
		if o.Path == d.Path && o.Line == d.Line {
			continue
		}
		if _, ok := types[o.Path]; !ok {
			t, err := x.tell(x.files[o.Path])
			if err != nil {
				return nil, err
			}
			types[o.Path] = nil
			if t.mentions != nil {
				types[o.Path] = t.mentions.Extending(outer)
			}
		}
		if slices.Contains(types[o.Path], outerOf(o.Name)) {
			list = append(list, o)
		}
	}
	return list, nil
}
