// Package csharp finds what files of C# need from one another.
//
// A using directive names a namespace, no file: edges lead to the files that declare the types which are used. A name is looked for
// as the language does: in the types around it and in what these extend, in the namespaces around it from the innermost outwards,
// and at each among its using directives, those for the whole project too. Of types that are declared in several projects those
// count that the project of the file refers to; all parts of a partial type are meant.
//
// A method that extends a type leads to its class where no type of the repository, nor one of .NET's that is often used, has a
// method of that name, and one class in sight declares it. Of an attribute the longer name is looked for first.
//
// Nothing is compiled: what a member returns is not known, and a name that a member of the file has too is a type only where no
// value may stand, or where the member is called as its type. All edges are implicit: nothing but a type's full name, or a using
// directive of one, names what a file declares.
package csharp

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// Provider is C#.
var Provider = graph.Provider{
	Name:     "csharp",
	Language: "C#",
	Claims:   func(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".cs") },
	Reads:    reads,
	Build:    build,
	Define:   declaration.Define,

	SameNeeds: names.SameNeeds(parse),
}

// builder makes one answer.
type builder struct {
	files    []*file
	paths    []string
	index    *names.Index
	wanted   map[string]bool
	projects projects
	// globals are the directives for all files of a project; nil is for files of none.
	globals map[*project][]using
	// extends are the methods that extend a type, by name, with the types that declare them; of those that a type of the repository
	// has too nothing is kept.
	extends  map[string][]names.Place
	warnings []graph.Warning
}

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b := &builder{index: names.NewIndex(nil), wanted: q.Wanted(), globals: map[*project][]using{}}
	var err error
	if b.files, b.warnings, err = names.Read(ctx, q, parse); err != nil {
		return nil, err
	}
	b.readProjects(q)
	b.paths = make([]string, len(b.files))
	known := map[string]*project{}
	for i, f := range b.files {
		if b.paths[i] = q.Files[i].Path; f == nil {
			continue
		}
		f.project = b.projects.of(path.Dir(f.path), known)
		for k := range f.spaces {
			b.index.Space(f.spaces[k].name)
		}
		for k := range f.types {
			b.index.Add(f.types[k].Space, f.types[k].Name, names.Place{File: int32(i), Type: int32(k)})
		}
	}
	if err := graph.Each(ctx, len(b.files), func(i int) { b.usings(b.files[i]) }); err != nil {
		return nil, err
	}
	b.forAll()
	// What is named within a namespace may be found by what is used in all files.
	if err := graph.Each(ctx, len(b.files), func(i int) { b.usings(b.files[i]) }); err != nil {
		return nil, err
	}
	if err := graph.Each(ctx, len(b.files), func(i int) { b.supers(b.files[i]) }); err != nil {
		return nil, err
	}
	b.extensions()
	found := make([]names.FileNames, len(b.files))
	if err := graph.Share(ctx, len(b.files), func(i int, w *graph.Work) {
		if b.files[i] != nil {
			found[i] = b.connect(b.files[i], w)
		}
	}); err != nil {
		return nil, err
	}
	return names.Answer(b.paths, found, b.warnings), nil
}

// forAll gathers the directives that hold for all files of a project.
func (b *builder) forAll() {
	for _, p := range b.projects.byDir {
		f := &file{project: p, spaces: []space{{outer: -1, usings: p.usings}}}
		b.usings(f)
		b.globals[p] = append(b.globals[p], p.usings...)
	}
	for _, f := range b.files {
		if f == nil {
			continue
		}
		for _, u := range f.spaces[0].usings {
			if u.global {
				b.globals[f.project] = append(b.globals[f.project], u)
			}
		}
	}
}

// usings finds what the directives of a file lead to that name types, and the namespaces that are named from those around them on.
func (b *builder) usings(f *file) {
	if f == nil {
		return
	}
	for s := range f.spaces {
		for k := range f.spaces[s].usings {
			u := &f.spaces[s].usings[k]
			if u.space != "" && (len(u.places) > 0 || s == 0 || !u.static && u.as == "") {
				continue
			}
			name, arity, _ := strings.Cut(u.name, "`")
			n, _ := strconv.ParseInt(arity, 10, 32) // none is 0
			if u.static || u.as != "" {
				u.places = b.look(f, &ref{chain: name, arity: int32(n), in: -1, space: int32(s)}, nil)
			}
			if len(u.places) == 0 {
				within(f.spaces[s].name, "", func(space string) bool {
					full := names.Join(space, name)
					if b.index.HasSpace(full) {
						u.space = full
						return false
					}
					return true
				})
			}
			if u.space == "" {
				u.space = u.name
			}
		}
	}
}

// supers finds the types that those of a file extend.
func (b *builder) supers(f *file) {
	if f == nil {
		return
	}
	for i := range f.types {
		t := &f.types[i]
		for _, s := range t.Supers {
			name, arity, _ := strings.Cut(s, "`")
			n, _ := strconv.ParseInt(arity, 10, 32) // none is 0
			t.Places = append(t.Places, b.look(f, &ref{chain: name, arity: int32(n), in: t.Outer, space: f.scopes[i]}, nil)...)
		}
	}
}

func (b *builder) typeOf(at names.Place) *names.Type { return &b.files[at.File].types[at.Type] }

// get returns the places of a name that a file can see.
func (b *builder) get(f *file, space, name string) []names.Place {
	list := b.index.Get(space, name)
	if !slices.ContainsFunc(list, func(p names.Place) bool { return !b.sees(f, p) }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(p names.Place) bool { return !b.sees(f, p) })
}

// sees reports whether a project that compiles a file refers to one that compiles that of a place, or compiles it too; files of no
// project see all, and are seen by all.
func (b *builder) sees(f *file, p names.Place) bool {
	to := b.files[p.File].project
	return to == nil || f.project == nil || f.project.sees[to] || f.project.takes[b.paths[p.File]] || f.project.around.seen(to) ||
		to.around != nil && (f.project.sees[to.around] || f.project.around.seen(to.around))
}

// seen is whether a project, if there is one, refers to another.
func (p *project) seen(to *project) bool { return p != nil && p.sees[to] }

// generic is a name with the number of its arguments.
func generic(name string, arity int32) string {
	if arity == 0 {
		return name
	}
	return name + "`" + strconv.Itoa(int(arity))
}

// look returns what a name leads to. w is nil while what types extend is not known yet.
func (b *builder) look(f *file, r *ref, w *graph.Work) []names.Place {
	head, rest, dotted := strings.Cut(r.chain, ".")
	if !dotted {
		head = generic(head, r.arity)
	}
	if !r.rooted {
		if f.hidden[head] || r.value && f.members[head] {
			return nil
		}
		if list := b.simple(f, head, r, w); list != nil {
			return b.down(list, rest, r.arity, w)
		}
	}
	if !dotted {
		return nil
	}
	var found []names.Place
	try := func(space string) bool {
		full := names.Join(space, head)
		if !b.index.HasSpace(full) {
			return true
		}
		found = b.qualified(f, full, rest, r.arity, w)
		return false
	}
	if r.rooted {
		try("")
		return found
	}
	for s := r.space; s >= 0; s = f.spaces[s].outer {
		for _, u := range f.spaces[s].usings {
			if u.as == head && b.index.HasSpace(u.space) {
				return b.qualified(f, u.space, rest, r.arity, w)
			}
		}
	}
	within(f.spaces[r.space].name, "", try)
	if found == nil && f.spaces[r.space].name != "" {
		try("")
	}
	return found
}

// qualified returns the types that the rest of a name says from a namespace on.
func (b *builder) qualified(f *file, space, rest string, arity int32, w *graph.Work) []names.Place {
	for {
		name, more, dotted := strings.Cut(rest, ".")
		if !dotted {
			return b.get(f, space, generic(name, arity))
		}
		if list := b.get(f, space, name); len(list) > 0 {
			return b.down(list, more, arity, w)
		}
		if space = names.Join(space, name); !b.index.HasSpace(space) {
			return nil
		}
		rest = more
	}
}

// down goes on from a type to those within it.
func (b *builder) down(list []names.Place, rest string, arity int32, w *graph.Work) []names.Place {
	all := list
	for rest != "" && len(list) > 0 {
		name, more, dotted := strings.Cut(rest, ".")
		if !dotted {
			name = generic(name, arity)
		}
		if rest = more; !b.index.Knows(name) {
			break
		}
		left, up := names.MaxLooked, names.MaxUp
		if w == nil || !w.Take(1) {
			left, up = 1, 0
		}
		next := b.index.Inherited(list[0], name, up, &left, b.typeOf)
		if len(next) == 0 {
			break
		}
		if next[0].File != list[0].File {
			all = append(all[:len(all):len(all)], next...)
		}
		list = next
	}
	return all
}

// simple returns what a name without dots leads to.
func (b *builder) simple(f *file, name string, r *ref, w *graph.Work) []names.Place {
	known := b.index.Knows(name)
	for t := r.in; known && t >= 0; t = f.types[t].Outer {
		own := f.types[t].Name
		if own[strings.LastIndexByte(own, '.')+1:] == name {
			return b.get(f, f.types[t].Space, own)
		}
		if w == nil || !w.Take(1) {
			continue
		}
		for _, p := range b.index.Get(f.types[t].Space, own) {
			if b.sees(f, p) {
				left := names.MaxLooked
				if list := b.index.Inherited(p, name, names.MaxUp, &left, b.typeOf); len(list) > 0 {
					return list
				}
			}
		}
	}
	var found []names.Place
	for s := r.space; s >= 0 && found == nil; s = f.spaces[s].outer {
		stop := ""
		if o := f.spaces[s].outer; o >= 0 {
			stop = f.spaces[o].name
		}
		within(f.spaces[s].name, stop, func(space string) bool {
			if known {
				found = b.get(f, space, name)
			}
			if len(found) == 0 && space == f.spaces[s].name {
				found = b.used(f, f.spaces[s].usings, name, known)
			}
			return len(found) == 0
		})
		if s == 0 && len(found) == 0 {
			found = b.used(f, b.globals[f.project], name, known)
		}
	}
	return found
}

// used returns what using directives make of a name.
func (b *builder) used(f *file, list []using, name string, known bool) []names.Place {
	for _, u := range list {
		if u.as == name {
			return u.places
		}
	}
	if !known {
		return nil
	}
	var found []names.Place
	for _, u := range list {
		if u.as != "" {
			continue
		}
		if found = append(found, b.get(f, u.space, name)...); u.static {
			for _, p := range u.places {
				t := b.typeOf(p)
				found = append(found, b.get(f, names.Join(t.Space, t.Name), name)...)
			}
		}
	}
	return found
}

// connect finds the edges of a file.
func (b *builder) connect(f *file, w *graph.Work) names.FileNames {
	found := names.NewFound(w)
	for k := range f.spaces {
		for _, u := range f.spaces[k].usings {
			found.Names.Imports = append(found.Names.Imports, u.name)
			if u.static || u.as != "" {
				b.lead(f, &found, u.places, "")
			}
			if !b.index.HasSpace(u.space) && len(u.places) == 0 {
				found.LeftOut++
			}
		}
	}
	for k := range f.refs {
		r := &f.refs[k]
		if !w.Take(1 + len(f.spaces[0].usings)/8) {
			break
		}
		var list []names.Place
		if r.attribute { // a type that is no attribute is not meant
			suffixed := *r
			suffixed.chain += "Attribute"
			list = b.look(f, &suffixed, w)
		}
		if len(list) == 0 {
			list = b.look(f, r, w)
		}
		b.lead(f, &found, list, r.chain)
	}
	for _, c := range f.calls {
		if list := b.extends[c.name]; len(list) > 0 && w.Take(len(list)) {
			b.lead(f, &found, b.extending(f, c, list), "")
		}
	}
	for k := range f.types {
		if t := &f.types[k]; t.Outer < 0 {
			name, _, _ := strings.Cut(t.Name, "`")
			found.Names.Exports = append(found.Names.Exports, name)
		}
	}
	return found
}

// maxParts bounds the parts of a type that are meant where nothing tells which.
const maxParts = 4

// parts returns which of the parts of a type a name means: those that declare the member that it goes on with; else the one that
// is in the file of the type's name, if there are many.
func (b *builder) parts(list []names.Place, chain string) []names.Place {
	t := b.typeOf(list[0])
	simple, _, _ := strings.Cut(t.Name[strings.LastIndexByte(t.Name, '.')+1:], "`")
	if _, rest, ok := strings.Cut("."+chain+".", "."+simple+"."); ok && rest != "" {
		member, _, _ := strings.Cut(rest, ".")
		var kept []names.Place
		for _, p := range list {
			if b.files[p.File].members[member] {
				kept = append(kept, p)
			}
		}
		if len(kept) > 0 {
			return kept
		}
	}
	if len(list) <= maxParts {
		return list
	}
	for _, p := range list {
		if path.Base(b.files[p.File].path) == simple+".cs" {
			return []names.Place{p}
		}
	}
	return nil
}

// lead draws the edges to the files that declare a type, which is called so.
func (b *builder) lead(f *file, found *names.FileNames, list []names.Place, chain string) {
	if len(list) == 0 {
		return
	}
	// Several are the parts of one type, or types of several projects; or two namespaces have the name.
	by := list[:0:0]
	for _, p := range list {
		if b.files[p.File].project == f.project {
			by = append(by, p)
		}
	}
	if len(by) == 0 {
		by = list
	}
	first := b.files[by[0].File]
	for _, p := range by {
		if to := b.files[p.File]; to.project != first.project || b.typeOf(p).Space != b.typeOf(by[0]).Space {
			found.Undecided++
			return
		}
	}
	if len(by) > 1 {
		if by = b.parts(by, chain); len(by) == 0 {
			found.Undecided++
		}
	}
	for _, p := range by {
		to := b.files[p.File]
		if to == f {
			continue
		}
		found.Edge(to.path, graph.Implicit)
		if b.wanted[to.path] {
			name, _, _ := strings.Cut(b.typeOf(p).Name, ".")
			name, _, _ = strings.Cut(name, "`")
			found.Use(to.path, name)
		}
	}
}
