// Package ruby finds what files of Ruby need from one another.
//
// require, load and autoload of literals lead to files beside, or below the folders that gems and tests load from: lib, test and
// spec of the folders above, nearest first, then lib of the repository's other gems. A constant is looked for as Ruby does: in the
// modules around it, in what these extend and include, at the top; it leads to the file that defines it. Of several that open a
// class or module the one is meant that is named after it, as Zeitwerk wants it, or the only one that puts more into it than
// others; else none.
//
//	explicit  to what is required
//	implicit  to what defines a constant
package ruby

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

// Provider is Ruby.
var Provider = graph.Provider{
	Name:     "ruby",
	Language: "Ruby",
	Claims: func(name string) bool {
		l := language.Of(name)
		return l != nil && l.Name == "Ruby"
	},
	Reads:  func(string) bool { return false },
	Build:  build,
	Define: declaration.Define,

	SameNeeds: names.SameNeeds(parse),
}

// builder makes one answer.
type builder struct {
	files  []*file
	paths  []string
	byPath map[string]bool
	views  *views.Index
	// gems are the folders with a gemspec.
	gems   []string
	index  *names.Index
	wanted map[string]bool
}

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b := &builder{index: names.NewIndex(nil), wanted: q.Wanted(), byPath: map[string]bool{}}
	files, warnings, err := names.Read(ctx, q, parse)
	if err != nil {
		return nil, err
	}
	b.files = files
	b.paths = make([]string, len(b.files))
	var templates []graph.SourceFile // which are code
	for i := range b.files {
		b.paths[i] = q.Files[i].Path
		if path.Ext(b.paths[i]) == ".jbuilder" {
			templates = append(templates, q.Files[i])
		}
		b.byPath[b.paths[i]] = true
		if strings.HasSuffix(b.paths[i], ".gemspec") && len(b.gems) < maxGems {
			b.gems = append(b.gems, path.Dir(b.paths[i]))
		}
	}
	b.declare()
	b.views = views.NewIndex(q.Others, templates)
	slices.Sort(b.gems)
	b.gems = slices.Compact(b.gems)
	if err := graph.Each(ctx, len(b.files), func(i int) { b.supers(b.files[i]) }); err != nil {
		return nil, err
	}
	found := make([]names.FileNames, len(b.files))
	if err := graph.Share(ctx, len(b.files), func(i int, w *graph.Work) {
		if b.files[i] != nil {
			found[i] = b.connect(b.files[i], w)
		}
	}); err != nil {
		return nil, err
	}
	return names.Answer(b.paths, found, warnings), nil
}

// declare adds what the files declare to the index: what only opens a module for others comes last, and is cut first.
func (b *builder) declare() {
	for _, filled := range []bool{true, false} {
		for i, f := range b.files {
			if f == nil {
				continue
			}
			for k := range f.scopes {
				if s := &f.scopes[k]; filled == (s.filled || named(f.path, s.Name)) {
					b.index.Add("", s.Name, names.Place{File: int32(i), Type: int32(k)})
				}
			}
			if filled {
				for _, c := range f.constants {
					b.index.Add("", c, names.Place{File: int32(i), Type: -1})
				}
			}
		}
	}
}

// maxGems bounds the gems of a repository.
const maxGems = 1000

// supers finds what the classes and modules of a file extend.
func (b *builder) supers(f *file) {
	if f == nil {
		return
	}
	for i := range f.scopes {
		s := &f.scopes[i]
		for _, super := range s.Supers {
			name, rooted := strings.CutPrefix(super, ".")
			if full := b.look(f, &ref{chain: name, in: s.Outer, rooted: rooted}, nil); full != "" {
				places := b.index.Get("", full)
				s.Places = append(s.Places, places[:min(len(places), maxSupers)]...)
			}
		}
	}
}

func (b *builder) typeOf(at names.Place) *names.Type {
	if at.Type < 0 {
		return nil
	}
	return &b.files[at.File].scopes[at.Type].Type
}

// look returns the full name of the constant that is meant, "" where none is known. w is nil while what modules extend is not
// known yet.
func (b *builder) look(f *file, r *ref, w *graph.Work) string {
	head, rest, _ := strings.Cut(r.chain, ".")
	full := ""
	if b.index.Knows(head) {
		if !r.rooted {
			full = b.around(f, head, r.in, w)
		}
		if full == "" && len(b.index.Get("", head)) > 0 {
			full = head
		}
	}
	for full != "" && rest != "" {
		var name string
		name, rest, _ = strings.Cut(rest, ".")
		if len(b.index.Get(full, name)) == 0 {
			break
		}
		full += "." + name
	}
	return full
}

// around looks for a constant in the modules around a place, then in what the innermost extends.
func (b *builder) around(f *file, head string, in int32, w *graph.Work) string {
	for s := in; s >= 0; s = f.scopes[s].Outer {
		if name := f.scopes[s].Name; len(b.index.Get(name, head)) > 0 {
			return name + "." + head
		}
	}
	if in < 0 || w == nil || !w.Take(1) {
		return ""
	}
	left := names.MaxLooked
	for _, p := range b.index.Get("", f.scopes[in].Name) {
		list := b.index.Inherited(p, head, names.MaxUp, &left, b.typeOf)
		if len(list) == 0 {
			continue
		}
		if t := b.typeOf(list[0]); t != nil {
			return t.Name
		}
		for _, c := range b.files[list[0].File].constants { // a value: its name in full
			if strings.HasSuffix(c, "."+head) {
				return c
			}
		}
	}
	return ""
}

// defines returns the file that a constant is defined in, of those that define it; undecided says that several are.
func (b *builder) defines(f *file, full string) (to string, undecided bool) {
	if slices.ContainsFunc(f.scopes, func(s scope) bool { return s.Name == full }) {
		return "", false
	}
	list := b.index.Get("", full)
	var in, filled, tests []string
	for _, p := range list {
		name := b.paths[p.File]
		if name == f.path {
			return "", false
		}
		if named(name, full) {
			in = append(in, name)
		}
		if p.Type < 0 || b.files[p.File].scopes[p.Type].filled {
			if language.IsTest(name) && !language.IsTest(f.path) {
				tests = append(tests, name)
			} else {
				filled = append(filled, name)
			}
		}
	}
	slices.Sort(filled)
	filled = slices.Compact(filled)
	switch {
	case len(in) > 0: // a file may open it more than once
		slices.Sort(in)
		return b.nearest(f.path, slices.Compact(in))
	case len(filled) == 1:
		return filled[0], false
	case len(filled) > 1:
		return "", true
	case len(list) == 1 && len(tests) == 0:
		return b.paths[list[0].File], false
	}
	return "", len(tests) > 0 || len(list) > 1
}

// nearest returns the path that is nearest to a file.
func (b *builder) nearest(from string, list []string) (to string, undecided bool) {
	var places []names.Place
	for i := range list {
		places = append(places, names.Place{File: int32(i)})
	}
	near := names.Nearest(from, places, func(i int32) string { return list[i] })
	if len(near) != 1 {
		return "", true
	}
	return list[near[0].File], false
}

// connect finds the edges of a file.
func (b *builder) connect(f *file, w *graph.Work) names.FileNames {
	found := names.NewFound(w)
	found.Undecided = f.unknown
	for _, l := range f.loads {
		found.Names.Imports = append(found.Names.Imports, l.name)
		to := b.loaded(f.path, l, w)
		switch {
		case to == "":
			found.LeftOut++
		case to != f.path:
			found.Edge(to, graph.Explicit)
			if b.wanted[to] {
				found.Use(to, "*")
			}
		}
	}
	for k := range f.refs {
		if !w.Take(1) {
			break
		}
		full := b.look(f, &f.refs[k], w)
		if full == "" {
			continue
		}
		to, undecided := b.defines(f, full)
		if undecided {
			found.Undecided++
		}
		if to != "" {
			found.Edge(to, graph.Implicit)
			if b.wanted[to] {
				name, _, _ := strings.Cut(full, ".")
				found.Use(to, name)
			}
		}
	}
	b.views.Draw(f.path, f.views, &found)
	for k := range f.scopes {
		found.Names.Exports = append(found.Names.Exports, strings.ReplaceAll(f.scopes[k].Name, ".", "::"))
	}
	return found
}

// loaded returns the file that is loaded, "" where it is none of the repository's.
func (b *builder) loaded(from string, l load, w *graph.Work) string {
	name := l.name
	if path.Ext(name) != ".rb" && l.how != 'l' {
		name += ".rb"
	}
	dir := path.Dir(from)
	if l.how == '.' {
		if to := path.Join(dir, name); b.byPath[to] {
			return to
		}
		return ""
	}
	if path.IsAbs(name) {
		return ""
	}
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || l.how == 'l' {
		// From where it is run: most run in the same folder, or in one above.
		for d := dir; ; d = path.Dir(d) {
			if to := path.Join(d, name); b.byPath[to] {
				return to
			}
			if d == "." || !w.Take(1) {
				break
			}
		}
		if l.how != 'l' {
			return ""
		}
	}
	for d := dir; ; d = path.Dir(d) {
		for _, folder := range []string{"lib", "test", "spec"} {
			if folder != "lib" && !strings.HasPrefix(from, path.Join(d, folder)+"/") {
				continue
			}
			if to := path.Join(d, folder, name); b.byPath[to] {
				return to
			}
		}
		if d == "." || !w.Take(1) {
			break
		}
	}
	to := ""
	for _, gem := range b.gems {
		if one := path.Join(gem, "lib", name); b.byPath[one] && w.Take(1) {
			if to != "" {
				return ""
			}
			to = one
		}
	}
	return to
}
