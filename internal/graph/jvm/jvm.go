// Package jvm finds what files of Java, Kotlin and Scala need from one another. The three see one another's names.
//
// A package is what the files say that they are in, wherever they lie. A name is looked for as the languages do: in the types
// around it and in what these extend, among the imports, in the file's own package, in packages that are imported as a whole;
// a qualified name from the root of all packages. Where several files declare the same, as modules may, the nearest is meant.
// Nothing is compiled: what a call returns is not known, and types that are not named in a file lead to no edge.
//
//	explicit  to what an import names, and to what a qualified name leads to
//	implicit  to what is named without being imported: in the same package, in one that is imported as a whole
//
// Of Kotlin and Scala, functions and values outside of types are found where an import names them, and functions where they are
// called by their name alone and the file declares no such name. Files that declare the same
// name as near as one another are no edge, but counted; the parts of a Kotlin module for several platforms are all meant.
package jvm

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/graph/views"
	"github.com/haversack-dev/haversack/internal/language"
)

// Provider is Java, Kotlin and Scala.
var Provider = graph.Provider{
	Name:     "jvm",
	Language: "Java",
	Claims:   claims,
	Reads:    func(string) bool { return false },
	Build:    build,
	Define:   declaration.Define,

	SameNeeds: names.SameNeeds(parse),
}

func claims(name string) bool {
	l := language.Of(name)
	return l != nil && (l.Name == "Java" || l.Name == "Kotlin" || l.Name == "Scala")
}

// builder makes one answer.
type builder struct {
	files  []*file
	paths  []string
	index  *names.Index
	wanted map[string]bool
	// nested are the last parts of the names of types that are declared in others.
	nested map[string]bool
	views  *views.Index
}

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b := &builder{index: names.NewIndex(nil), wanted: q.Wanted(), nested: map[string]bool{}}
	var warnings []graph.Warning
	var err error
	if b.files, warnings, err = names.Read(ctx, q, parse); err != nil {
		return nil, err
	}
	b.views = views.NewIndex(q.Others)
	b.paths = make([]string, len(b.files))
	for i, f := range b.files {
		b.paths[i] = q.Files[i].Path
		if f != nil {
			b.declare(int32(i), f)
		}
	}
	if err := graph.Each(ctx, len(b.files), func(i int) { b.imports(b.files[i]) }); err != nil {
		return nil, err
	}
	if err := graph.Each(ctx, len(b.files), func(i int) { b.supers(b.files[i]) }); err != nil {
		return nil, err
	}
	found := make([]names.FileNames, len(b.files))
	if err := graph.Share(ctx, len(b.files), func(i int, w *graph.Work) {
		if b.files[i] != nil {
			found[i] = b.connect(int32(i), w)
		}
	}); err != nil {
		return nil, err
	}
	return names.Answer(b.paths, found, warnings), nil
}

// declare adds what a file declares to the index.
func (b *builder) declare(i int32, f *file) {
	b.index.Space(f.space)
	for k := range f.types {
		t := &f.types[k]
		t.Space = f.space
		if first, _, _ := strings.Cut(t.Name, "."); f.own[first] {
			continue
		}
		b.index.Add(f.space, t.Name, names.Place{File: i, Type: int32(k)})
		if t.Outer >= 0 {
			b.nested[t.Name[strings.LastIndexByte(t.Name, '.')+1:]] = true
		}
	}
	for _, m := range f.members {
		b.index.Add(f.space, m, names.Place{File: i, Type: -1})
	}
	if f.dialect == kotlin && len(f.members) > 0 {
		b.index.Add(f.space, f.facade, names.Place{File: i, Type: -1})
	}
}

// imports finds what the imports of a file lead to.
func (b *builder) imports(f *file) {
	if f == nil {
		return
	}
	for i := range f.imports {
		d := &f.imports[i]
		spaces := []string{""}
		if f.dialect == scala { // they are looked for in the packages around them first
			spaces = append(append([]string{f.space}, f.outer...), "")
		}
		first, _, _ := strings.Cut(d.name, ".")
		for _, space := range spaces {
			if space != "" && !b.within(space, first) {
				continue
			}
			name := names.Join(space, d.name)
			if d.star {
				if d.in = name; b.index.HasSpace(name) {
					break
				}
			}
			if d.places = b.named(name); len(d.places) > 0 {
				break
			}
			if f.dialect == scala && b.index.HasSpace(name) { // a package
				d.in = name
				break
			}
		}
	}
}

// within reports whether a package, or something that is declared, has this name in a package.
func (b *builder) within(space, name string) bool {
	return len(b.index.Get(space, name)) > 0 || b.index.HasSpace(names.Join(space, name))
}

// called returns the functions that a file may call by a name alone: of its package, of those around it, and of those that are
// imported as a whole.
func (b *builder) called(f *file, name string) []names.Place {
	if f.locals[name] || !b.index.Knows(name) {
		return nil
	}
	for i := range f.imports {
		if !f.imports[i].star && f.imports[i].as == name {
			return nil // its edge is drawn
		}
	}
	list := b.packaged(f, name)
	if list == nil || f.dialect == scala {
		for i := range f.imports {
			if d := &f.imports[i]; d.star && d.in != "" {
				if wide := b.index.Get(d.in, name); len(wide) > 0 {
					list = wide
					break
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(p names.Place) bool {
		return p.Type >= 0 || b.files[p.File].received[name]
	})
}

// named returns what a qualified name leads to: to the type, function or value, or to the type that it is a member of.
func (b *builder) named(name string) []names.Place {
	for ; name != ""; name = name[:max(0, strings.LastIndexByte(name, '.'))] {
		if list := b.index.Get("", name); len(list) > 0 {
			return list
		}
		if b.index.HasSpace(name) {
			return nil
		}
	}
	return nil
}

// supers finds the types that those of a file extend.
func (b *builder) supers(f *file) {
	if f == nil {
		return
	}
	for i := range f.types {
		t := &f.types[i]
		for _, s := range t.Supers {
			list, _ := b.look(f, s, t.Outer, nil)
			t.Places = append(t.Places, list...)
		}
	}
}

// typeOf is the type at a place, nil where there is none.
func (b *builder) typeOf(at names.Place) *names.Type {
	if at.Type < 0 {
		return nil
	}
	return &b.files[at.File].types[at.Type]
}

// inherited returns the types of this name that are declared in a type, or in what it extends.
func (b *builder) inherited(at names.Place, name string, up int, left *int) []names.Place {
	return b.index.Inherited(at, name, up, left, b.typeOf)
}

// look returns what a name leads to that is used in a type of a file, and whether it is named by an import or in full. w is nil
// while what types extend is not known yet.
func (b *builder) look(f *file, chain string, in int32, w *graph.Work) ([]names.Place, bool) {
	head, rest, _ := strings.Cut(chain, ".")
	if f.hidden[head] {
		return nil, false
	}
	list, explicit := b.simple(f, head, in, w)
	if list == nil && rest != "" && !names.Upper([]byte(head)) {
		for i := 0; i < len(rest); i++ {
			end := len(head) + 1 + i
			if rest[i] == '.' {
				if list, explicit = b.qualified(f, head, chain[:end]); list != nil {
					return b.down(f, list, rest[i+1:], w), explicit
				}
			}
		}
		return b.qualified(f, head, chain)
	}
	return b.down(f, list, rest, w), explicit
}

// qualified returns the types of a qualified name, and whether it is named in full or by an import. Scala looks for its first word
// among the imports and in the packages around it too: mutable.Queue in package app is app.mutable.Queue.
func (b *builder) qualified(f *file, head, chain string) ([]names.Place, bool) {
	if f.dialect == scala {
		for i := range f.imports {
			if d := &f.imports[i]; !d.star && d.as == head && d.in != "" {
				return b.type_(d.in + chain[len(head):]), true
			}
		}
		for i := -1; i < len(f.outer); i++ {
			space := f.space
			if i >= 0 {
				space = f.outer[i]
			}
			if b.index.HasSpace(names.Join(space, head)) {
				return b.type_(names.Join(space, chain)), false
			}
		}
		for i := range f.imports {
			if d := &f.imports[i]; d.star && b.index.HasSpace(names.Join(d.in, head)) {
				return b.type_(names.Join(d.in, chain)), false
			}
		}
	}
	return b.type_(chain), true
}

// type_ returns the types of a qualified name.
func (b *builder) type_(name string) []names.Place {
	list := b.index.Get("", name)
	if len(list) > 0 && list[0].Type < 0 && !names.Upper([]byte(name[strings.LastIndexByte(name, '.')+1:])) {
		return nil
	}
	return list
}

// down goes on from a type to the types within it that the rest of a name says.
func (b *builder) down(f *file, list []names.Place, rest string, w *graph.Work) []names.Place {
	all := list
	for rest != "" && len(list) > 0 {
		var name string
		name, rest, _ = strings.Cut(rest, ".")
		if !b.nested[name] {
			break
		}
		left, up := 1, 0
		if w != nil {
			left, up = names.MaxLooked, names.MaxUp
			w.Take(1)
		}
		next := b.inherited(b.nearest(f, list)[0], name, up, &left)
		if len(next) == 0 {
			break
		}
		if next[0].File != list[0].File {
			all = append(slices.Clone(all), next...)
		}
		list = next
	}
	return all
}

// simple returns what a name without dots leads to.
func (b *builder) simple(f *file, head string, in int32, w *graph.Work) ([]names.Place, bool) {
	known := b.index.Knows(head)
	for t := in; known && t >= 0; t = f.types[t].Outer {
		name := f.types[t].Name
		if name[strings.LastIndexByte(name, '.')+1:] == head {
			return b.index.Get(f.space, name), false
		}
		if w == nil || !b.nested[head] {
			continue
		}
		left := names.MaxLooked
		var self names.Place
		for _, p := range b.index.Get(f.space, name) {
			if b.files[p.File] == f {
				self = p
				left = names.MaxLooked
				if list := b.inherited(self, head, names.MaxUp, &left); len(list) > 0 {
					return list, false
				}
				break
			}
		}
		w.Take(names.MaxLooked - left)
	}
	for i := range f.imports {
		if d := &f.imports[i]; !d.star && d.as == head {
			return d.places, true
		}
	}
	if !known {
		return nil, false
	}
	list := b.packaged(f, head)
	if f.dialect == scala && !b.own(f, list) { // what other files declare in the package comes last
		if wide := b.wide(f, head); wide != nil {
			return wide, false
		}
	}
	if list == nil {
		list = b.wide(f, head)
	}
	return list, false
}

// packaged returns what a name leads to in the package of a file, and in those around it.
func (b *builder) packaged(f *file, name string) []names.Place {
	if list := b.index.Get(f.space, name); len(list) > 0 {
		return list
	}
	for _, space := range f.outer {
		if list := b.index.Get(space, name); len(list) > 0 {
			return list
		}
	}
	return nil
}

// own reports whether one of the places is in the file.
func (b *builder) own(f *file, list []names.Place) bool {
	return slices.ContainsFunc(list, func(p names.Place) bool { return b.files[p.File] == f })
}

// wide returns what a name leads to in the packages and types that a file imports as a whole.
func (b *builder) wide(f *file, name string) []names.Place {
	for i := range f.imports {
		d := &f.imports[i]
		if !d.star {
			continue
		}
		if list := b.index.Get(d.in, name); len(list) > 0 {
			return list
		}
		for _, p := range d.places { // what is declared in a type
			left := names.MaxLooked
			if list := b.inherited(p, name, names.MaxUp, &left); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// nearest returns which places a file means: those below its own folder of sources first. Where none is, all.
func (b *builder) nearest(f *file, list []names.Place) []names.Place {
	if len(list) < 2 {
		return list
	}
	list = b.visible(f, b.together(f, list))
	var same []names.Place
	for _, p := range list {
		if b.files[p.File].root == f.root {
			same = append(same, p)
		}
	}
	if len(same) > 0 {
		return same
	}
	return names.Nearest(f.path, list, func(i int32) string { return b.paths[i] })
}

// together returns the places that are built for a platform for which the file is built too: all, where none is.
func (b *builder) together(f *file, list []names.Place) []names.Place {
	own := platforms(f.root)
	if own == 0 {
		return list
	}
	var same []names.Place
	for _, p := range list {
		if other := platforms(b.files[p.File].root); other == 0 || own&other != 0 {
			same = append(same, p)
		}
	}
	if len(same) == 0 {
		return list
	}
	return same
}

// visible returns the places that a file can see: the tests of another module it cannot, and its own those of tests alone can. All,
// where none is left.
func (b *builder) visible(f *file, list []names.Place) []names.Place {
	module, tests := sourceSet(f.root)
	var seen []names.Place
	for _, p := range list {
		if m, hidden := sourceSet(b.files[p.File].root); !hidden || tests && m == module {
			seen = append(seen, p)
		}
	}
	if len(seen) == 0 {
		return list
	}
	return seen
}

// sourceSet is the module that a folder of sources is of, by the layout of Maven and Gradle, and whether it holds tests:
// src/test/java, src/androidTest/kotlin, src/commonTest/kotlin.
func sourceSet(root string) (module string, tests bool) {
	part := path.Dir(root)
	name := path.Base(part)
	if path.Base(path.Dir(part)) != "src" {
		return "", false
	}
	return path.Dir(path.Dir(part)), name == "test" || strings.HasSuffix(name, "Test")
}

// platforms are those that a folder of sources is for, as a set of bits, by Scala's layout of modules for several:
// core/jvm/src/main/scala, core/js-native/src, core/shared; 0 where it says none.
func platforms(root string) (set uint8) {
	part, _, ok := strings.Cut(root, "/src/")
	if !ok {
		return 0
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(path.Base(part), "."), "-") {
		switch name {
		case "jvm":
			set |= 1
		case "js":
			set |= 2
		case "native":
			set |= 4
		case "shared":
			set |= 7
		default:
			return 0
		}
	}
	return set
}

// connect finds the edges of a file.
func (b *builder) connect(i int32, w *graph.Work) names.FileNames {
	f := b.files[i]
	c := connector{builder: b, f: f, FileNames: names.NewFound(w)}
	for k := range f.imports {
		d := &f.imports[k]
		c.Names.Imports = append(c.Names.Imports, d.name)
		if len(d.places) > 0 {
			c.lead(d.places, true, d.name[strings.LastIndexByte(d.name, '.')+1:])
		} else if d.in == "" || !b.index.HasSpace(d.in) {
			c.LeftOut++
		}
	}
	for k := range f.refs {
		r := &f.refs[k]
		if !w.Take(1 + len(f.imports)/8) {
			break
		}
		if list, explicit := b.look(f, r.chain, r.in, w); len(list) > 0 {
			c.lead(list, explicit, "*")
			for _, p := range list {
				c.renamed(p, w)
			}
		}
	}
	for _, name := range f.calls {
		if !w.Take(1 + len(f.imports)/8) {
			break
		}
		if list := b.called(f, name); len(list) > 0 {
			c.lead(list, false, name)
		}
	}
	for k := range f.types {
		if t := &f.types[k]; t.Outer < 0 && !f.own[t.Name] {
			c.Names.Exports = append(c.Names.Exports, t.Name)
		}
	}
	c.Names.Exports = append(c.Names.Exports, f.members...)
	b.views.Draw(f.path, f.views, &c.FileNames)
	return c.FileNames
}

// connector finds the edges of one file.
type connector struct {
	*builder
	f *file
	names.FileNames
}

// lead draws the edges to the files that declare a name. member is the name if it is no type's.
func (c *connector) lead(list []names.Place, explicit bool, member string) {
	if len(list) == 1 {
		c.edge(list[0], explicit, member)
		return
	}
	byName := map[string][]names.Place{}
	for _, p := range list {
		g := c.files[p.File]
		name := ""
		if p.Type >= 0 {
			name = g.types[p.Type].Name
		}
		name = names.Join(g.space, name)
		byName[name] = append(byName[name], p)
	}
	for _, same := range byName {
		if len(same) > 1 {
			near := c.nearest(c.f, same)
			near = slices.CompactFunc(near, func(a, b names.Place) bool { return a.File == b.File }) // a class and its companion
			if near[0].Type >= 0 && len(near) > 1 && !c.parts(near) {
				c.Undecided++
				continue
			}
			same = near
		}
		for _, p := range same {
			c.edge(p, explicit, member)
		}
	}
}

// renamed draws the edges to what a type of Scala stands for that gives another on by its own name: type Map = immutable.Map.
func (c *connector) renamed(at names.Place, w *graph.Work) {
	g := c.files[at.File]
	if at.Type < 0 || g == c.f || !g.aliases[at.Type] {
		return
	}
	t := &g.types[at.Type]
	for _, p := range t.Places {
		if p.Type >= 0 && c.files[p.File].types[p.Type].Name == t.Name && w.Take(1) {
			c.edge(p, false, "*")
		}
	}
}

// parts reports whether files are those of one module for several platforms: src/commonMain, src/jvmMain; js/src, jvm/src.
func (c *connector) parts(list []names.Place) bool {
	module := ""
	for i, p := range list {
		m := moduleOf(c.files[p.File].root)
		if m == "" || i > 0 && m != module {
			return false
		}
		module = m
	}
	return true
}

// moduleOf is the folder above src/<part>/kotlin, above <part>/src/main/scala or above scala-<version>, "" where the folder is none
// of such.
func moduleOf(root string) string {
	if platforms(root) != 0 {
		part, _, _ := strings.Cut(root, "/src/")
		return path.Dir(part) + "/"
	}
	if strings.HasPrefix(path.Base(root), "scala-") {
		return path.Dir(root) + "/"
	}
	part := path.Dir(root)
	if base := path.Base(part); path.Base(path.Dir(part)) != "src" || !strings.HasSuffix(base, "Main") && !strings.HasSuffix(base, "Test") {
		return ""
	}
	return path.Dir(path.Dir(part)) + "/"
}

func (c *connector) edge(p names.Place, explicit bool, member string) {
	to := c.files[p.File]
	if to == c.f {
		return
	}
	r := graph.Implicit
	if explicit {
		r = graph.Explicit
	}
	c.Edge(to.path, r)
	if c.wanted[to.path] {
		if p.Type >= 0 {
			name, _, _ := strings.Cut(to.types[p.Type].Name, ".")
			c.Use(to.path, name)
		} else {
			c.Use(to.path, member)
		}
	}
}
