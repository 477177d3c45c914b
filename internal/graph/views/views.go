// Package views finds the templates that programs and other templates name: what a view of Django or Flask renders, what a
// controller of Rails does, what Blade, Twig, Jinja, Thymeleaf, Handlebars and their kin include.
//
// Only names that are written out are read. A name is a path below a folder of templates, which is told by what it is called
// (templates, views, partials), or is one above the text that names it; where several folders have it, the nearest is meant. Where two
// are as near none is drawn, and it is counted.
package views

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
)

// Reference is a template, or what belongs to one, as a text names it.
type Reference struct {
	Name string
	How  How
}

// How is by which rule a name is looked for.
type How byte

// The rules.
const (
	// Path is a path of a tag, with its extension: {% include "shop/row.html" %}.
	Path How = 'p'
	// Literal is a text of a program that looks like such a path: it counts where a folder of templates has it.
	Literal How = 'l'
	// Partial is one of Rails, whose file begins with an underscore; Action and Layout are its other templates.
	Partial How = 'r'
	Action  How = 't'
	Layout  How = 'y'
	// Actions are all templates of a controller whose names are in a list, with spaces between.
	Actions How = 'A'
	// Sidecar is the template of a component that has the component's name.
	Sidecar How = 'S'
	// Dotted is one of Blade: posts.item; Component one of its tags, <x-forms.input>.
	Dotted    How = 'b'
	Component How = 'x'
	// Bare is a path without an extension below a folder of templates: Spring's and Thymeleaf's.
	Bare How = 'h'
	// Beside is a path from the text's own folder, with its own extension where it has none; a folder of partials may have it too.
	Beside How = 'j'
	// Named is what templates of Go define, or their file's name.
	Named How = 'g'
	// Page is a component of a page that Inertia shows, by its path below a folder of pages.
	Page How = 'i'
	// Library is one of Django's tags, Static a file that is served.
	Library How = 'm'
	Static  How = 's'
	// Asset is an address of a page.
	Asset How = 'a'
	// Class is one of Play's controllers, Routes another file of routes.
	Class  How = 'c'
	Routes How = 'R'
	// Unknown is a name that an expression makes.
	Unknown How = '?'
)

// maxReferences bounds those of one text, maxName the bytes of a name.
const (
	maxReferences = 2_000
	maxName       = 300
)

// add adds a reference to those of a text.
func add(list []Reference, name string, how How) []Reference {
	if name == "" || len(name) > maxName || len(list) >= maxReferences || strings.ContainsAny(name, "\x00\n") {
		return list
	}
	r := Reference{strings.Clone(name), how}
	if slices.Contains(list[max(0, len(list)-50):], r) {
		return list
	}
	return append(list, r)
}

// roots are the folders that hold templates, or parts of them.
var roots = language.WordSet("templates template views jinja2 layouts _layouts _includes includes partials snippets twig jsp tpl ftl")

// Index knows the files that names may mean.
type Index struct {
	has map[string]bool
	// stems are files by their name without extensions: .html.erb goes as a whole.
	stems map[string][]string
	// defined are files by the names of Go's templates that they define.
	defined map[string][]string
	// made is when has and stems are, of lists: most repositories have no text that asks.
	made  sync.Once
	lists [][]graph.SourceFile
}

// NewIndex makes one of lists of sources.
func NewIndex(lists ...[]graph.SourceFile) *Index {
	return &Index{has: map[string]bool{}, stems: map[string][]string{}, defined: map[string][]string{}, lists: lists}
}

func (x *Index) make() {
	for _, list := range x.lists {
		for i := range list {
			p := list[i].Path
			x.has[p] = true
			x.stems[stem(p)] = append(x.stems[stem(p)], p)
		}
	}
}

// Define notes that a file defines a template of a name.
func (x *Index) Define(name, file string) {
	if list := x.defined[name]; !slices.Contains(list, file) && len(list) < maxSame {
		x.defined[name] = append(list, file)
	}
}

// stem is the last element of a path up to its first dot.
func stem(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}

// maxSame bounds how many files of one name are compared; of more, none is meant.
const maxSame = 1_000

// stemmed are the files of a name without its extensions; none where they are too many.
func (x *Index) stemmed(s string) []string {
	if list := x.stems[s]; len(list) <= maxSame {
		return list
	}
	return nil
}

// Answer is where a reference leads: to several files where each may be meant, by its format.
type Answer struct {
	Paths      []string
	Resolution graph.Resolution
	// Undecided says that it may be one of several, Outside that no file has the name.
	Undecided, Outside bool
}

// Lead finds where a reference of a file leads.
func (x *Index) Lead(from string, r Reference) Answer {
	x.made.Do(x.make)
	switch r.How {
	case Unknown:
		return Answer{Undecided: true}
	case Path:
		if strings.HasPrefix(r.Name, ".") {
			return x.explicit(path.Join(path.Dir(from), r.Name))
		}
		return x.below(from, r.Name, true, x.exactly(r.Name))
	case Literal:
		a := x.below(from, r.Name, false, x.exactly(r.Name))
		a.Outside = false
		return a
	case Partial, Action, Layout:
		return x.rails(from, r)
	case Actions:
		return x.actions(from, strings.Fields(r.Name))
	case Sidecar:
		return x.sidecar(from)
	case Dotted, Component:
		return x.blade(from, r)
	case Bare:
		return x.below(from, r.Name, false, x.extended(r.Name, ".html", ".jsp", ".ftl", ".ftlh", ".mustache", ".jte"))
	case Page:
		return nearest(from, append(x.extended("Pages/"+r.Name, pages...), x.extended("pages/"+r.Name, pages...)...))
	case Beside:
		return x.beside(from, r.Name)
	case Named:
		return x.named(from, r.Name)
	case Library:
		return x.ends(from, "templatetags/"+r.Name+".py")
	case Static:
		return x.ends(from, "static/"+r.Name)
	case Asset:
		return x.asset(from, r.Name)
	case Class:
		return x.class(from, r.Name)
	case Routes:
		return x.explicit(path.Join(path.Dir(from), r.Name))
	}
	return Answer{Outside: true}
}

// pages are the extensions of components.
var pages = []string{".vue", ".tsx", ".jsx", ".svelte", ".ts", ".js"}

// exactly are the files whose path ends with a name, extended those that do with one of the extensions behind it.
func (x *Index) exactly(name string) []string { return x.extended(name, "") }

func (x *Index) extended(name string, extensions ...string) (list []string) {
	for _, p := range x.stemmed(stem(name)) {
		for _, ext := range extensions {
			if p == name+ext || strings.HasSuffix(p, "/"+name+ext) {
				list = append(list, p)
			}
		}
	}
	return list
}

// explicit leads to the file of a path.
func (x *Index) explicit(p string) Answer {
	if !x.has[p] {
		return Answer{Outside: true}
	}
	return Answer{Paths: []string{p}, Resolution: graph.Explicit}
}

// below leads to one of the files that end with a name, which has to be a path below a folder of templates; where near is set, one below a
// folder above the text will do.
func (x *Index) below(from, name string, near bool, list []string) Answer {
	depth := strings.Count(name, "/") + 1
	var below, above []string
	for _, p := range list {
		root := p
		for range depth {
			root = path.Dir(root)
		}
		switch {
		case p == from:
		case roots[path.Base(root)]:
			below = append(below, p)
		case near && (root == "." || strings.HasPrefix(from, root+"/")):
			above = append(above, p)
		}
	}
	if len(below) == 0 {
		below = above
	}
	return nearest(from, below)
}

// ends leads to the nearest file whose path ends with a name.
func (x *Index) ends(from, name string) Answer { return nearest(from, x.exactly(name)) }

// nearest leads to the file that shares the most folders with the text.
func nearest(from string, list []string) Answer {
	if len(list) == 0 {
		return Answer{Outside: true}
	}
	var best []string
	most := -1
	for _, p := range list {
		n := common(from, p)
		if n > most {
			best, most = nil, n
		}
		if n == most && !slices.Contains(best, p) {
			best = append(best, p)
		}
	}
	if len(best) > 1 {
		return Answer{Undecided: true}
	}
	return Answer{Paths: best, Resolution: graph.Implicit}
}

// common counts the folders in which both paths lie.
func common(a, b string) (n int) {
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// beside leads to a partial: from the text's own folder on, or below a folder of templates.
func (x *Index) beside(from, name string) Answer {
	if path.Ext(name) == "" {
		name += path.Ext(from)
	}
	if a := x.explicit(path.Join(path.Dir(from), name)); !a.Outside && a.Paths[0] != from {
		return a
	}
	name = path.Clean(name)
	for strings.HasPrefix(name, "../") {
		name = name[3:]
	}
	return x.below(from, name, true, x.exactly(name))
}

// named leads to the file that defines a template of Go, or is called so.
func (x *Index) named(from, name string) Answer {
	if list := x.defined[name]; len(list) > 0 {
		if slices.Contains(list, from) {
			return Answer{}
		}
		return nearest(from, list)
	}
	if path.Ext(name) == "" {
		return Answer{Outside: true}
	}
	return nearest(from, slices.DeleteFunc(x.exactly(name), func(p string) bool { return p == from }))
}

// served are the folders below which what a page loads by a path from the server's root may stand.
var served = []string{"", "public", "static", "www", "assets", "src"}

// asset leads to what a page loads: from its own folder on; a path from the server's root is looked for in the folders above.
func (x *Index) asset(from, name string) Answer {
	rest, rooted := strings.CutPrefix(name, "/")
	if !rooted {
		return x.explicit(path.Join(path.Dir(from), rest))
	}
	for d := path.Dir(from); ; d = path.Dir(d) {
		for _, s := range served {
			if p := path.Join(d, s, rest); x.has[p] {
				return Answer{Paths: []string{p}, Resolution: graph.Implicit}
			}
		}
		if d == "." || d == "/" {
			return Answer{Outside: true}
		}
	}
}

// class leads to a controller of Play: the class that has the name, below app or a folder of sources.
func (x *Index) class(from, name string) Answer {
	p := strings.ReplaceAll(name, ".", "/")
	a := nearest(from, x.extended(p, ".scala", ".java", ".kt"))
	if len(a.Paths) > 0 {
		a.Resolution = graph.Explicit
	}
	return a
}
