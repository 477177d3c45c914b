// Package python finds what Python files need from one another.
//
// A lexer of its own reads every import statement, wherever it stands; no code
// is run. A module is looked for as CPython does: relative to the package of the
// file; else in a list of folders (folders.path), the first of which that has a
// regular package or a module of the name wins, while folders without __init__
// are parts of one namespace; then in another project of
// the repository, if only one has a package of that name (a guess: its edges are
// implicit). What the standard
// library has is "python:os", except where a folder stands before it on the list
// and in the package of that name itself.
// Packages in no root are left out and counted; an external root may be a
// virtualenv, or the folder of its packages.
//
//	runtime   import, from import, in functions too
//	type      the same under TYPE_CHECKING, and all that stubs (.pyi) import
//	dynamic   import_module("literal"), and dotted paths where Django, pytest
//	          and their like expect them, when they lead to a file
//
// An explicit edge leads to the module that is named: for "from a import b" to
// a.b when that is a module and a does not define b itself, else to a. Implicit
// edges lead on to the file that defines the name, through those that hand it
// on (import, star import with or without __all__); from a test to the conftest
// files above it; and from what imports a module to the stub beside it.
//
// An edge that cannot be decided is not drawn.
package python

import (
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/views"
	"github.com/haversack-dev/haversack/internal/text"
)

// Provider is Python.
var Provider = graph.Provider{
	Name:     "python",
	Language: "Python",
	Claims:   func(name string) bool { return strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".pyi") },
	Reads:    func(name string) bool { return markers[path.Base(name)] },
	Build:    build,
	Define:   Define,

	Unformatted: Unformatted,
	SameNeeds:   sameNeeds,
}

// sameNeeds reports whether what is kept of two texts is the same, in its order.
func sameNeeds(name string, a, b []byte) bool {
	a, err := decode(a)
	if err != nil {
		return false
	}
	b, err = decode(b)
	return err == nil && reflect.DeepEqual(parse(name, a, nil), parse(name, b, nil))
}

var (
	errBinary = errors.New("no text")
)

// Define lists the definitions in one text: functions, classes with their
// methods, and names bound at the top.
func Define(name string, content []byte) ([]graph.Definition, error) {
	if len(content) > graph.MaxSource {
		return nil, graph.ErrSourceSize
	}
	decoded, err := decode(content)
	if err != nil {
		return nil, err
	}
	var list []graph.Definition
	parse(name, decoded, &list)
	return list, nil
}

// decode returns the text of a source in UTF-8.
func decode(b []byte) ([]byte, error) {
	e := text.Detect(b)
	if e == text.Binary {
		return nil, errBinary
	}
	if e == text.UTF8 {
		return b, nil
	}
	return []byte(text.Decode(b, e)), nil
}

// builder makes one answer.
type builder struct {
	roots  graph.Roots
	tree   folders
	files  []*file
	wanted map[string]bool
	views  *views.Index
	sites  []*site

	mu       sync.Mutex
	warnings []graph.Warning
}

func (b *builder) warn(name, format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.warnings = append(b.warnings, graph.Warning{Path: name, Text: fmt.Sprintf(format, args...)})
}

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b, err := load(ctx, q)
	if err != nil {
		return nil, err
	}
	out, err := b.connectAll(ctx)
	if err != nil {
		return nil, err
	}
	return b.answer(ctx, out)
}

// load reads the sources and the manifests.
func load(ctx context.Context, q graph.Request) (*builder, error) {
	b := &builder{roots: q.Roots, wanted: q.Wanted(), views: views.NewIndex(q.Others)}
	b.files = make([]*file, len(q.Files))
	if err := graph.Each(ctx, len(q.Files), func(i int) { b.files[i] = b.parse(&q.Files[i]) }); err != nil {
		return nil, err
	}
	t := &b.tree
	t.files, t.places, t.owns, t.roots = map[string]*file{}, map[string]place{}, map[string]string{}, map[string]*search{}
	t.collected, t.used = map[string]bool{}, map[string]bool{}
	for i, f := range b.files {
		if f == nil {
			// It is there, though it cannot be read.
			f = &file{path: q.Files[i].Path, dir: path.Dir(q.Files[i].Path)}
		}
		t.add(f)
	}
	manifests := slices.Clone(q.Others)
	for _, s := range q.Files {
		if markers[path.Base(s.Path)] {
			manifests = append(manifests, s)
		}
	}
	b.manifests(manifests)
	for _, f := range b.files {
		if f != nil {
			t.uses(f)
			if isTest(path.Base(f.path)) {
				t.collected[t.own(f.dir)] = true
			}
		}
	}
	t.reach = b.roots
	if err := b.installed(ctx); err != nil {
		return nil, err
	}
	// The memos are filled before they are shared.
	for d, p := range t.places {
		if p.dir {
			t.path(d)
		}
	}
	return b, nil
}

// connectAll finds the edges of all files.
func (b *builder) connectAll(ctx context.Context) ([]output, error) {
	out := make([]output, len(b.files))
	if err := graph.Share(ctx, len(b.files), func(i int, w *graph.Work) {
		if b.files[i] != nil {
			out[i] = b.connect(b.files[i], w)
		}
	}); err != nil {
		return nil, err
	}
	return out, nil
}

// parse reads a source; nil when that is not possible.
func (b *builder) parse(s *graph.SourceFile) *file {
	f, err := read(s, b.roots)
	if err != nil {
		b.warn(s.Path, "not parsed: %v", err)
	}
	return f
}

// read reads and parses a source.
func read(s *graph.SourceFile, roots graph.Roots) (f *file, err error) {
	err = graph.CopySource(s, roots, func(content []byte) error {
		content, err := decode(content)
		if err == nil {
			f = parse(s.Path, content, nil)
		}
		return err
	})
	return f, err
}

// output is what was found in one file.
type output struct {
	edges    []graph.Edge
	builtins []string
	missing  []string
	leftOut  int
	users    []fileName
}

// fileName is a name in a file.
type fileName struct {
	file *file
	name string
}

// connect finds the edges of a file.
func (b *builder) connect(f *file, w *graph.Work) output {
	c := connector{b: b, Work: w, f: f}
	for i, to := range b.tree.links(f).targets {
		c.imported(&f.imports[i], to.module, to.state)
	}
	for _, s := range f.named {
		m, rest, state := b.tree.absolute(f, s, true)
		if (state == inside || state == beside) && m.file != nil && (len(rest) == 0 || m.file.has(rest[0])) {
			c.add(m, graph.Dynamic, graph.Implicit)
		}
	}
	for _, s := range f.views {
		for _, to := range b.views.Lead(f.path, views.Reference{Name: s, How: views.Literal}).Paths {
			if c.Draw() {
				c.edges = append(c.edges, graph.Edge{Target: to, Uses: graph.Runtime, Resolution: graph.Implicit})
			}
		}
	}
	base := path.Base(f.path)
	if isTest(base) {
		for d := f.dir; ; d = path.Dir(d) {
			if conf := b.tree.places[below(d, "conftest")].file; conf != nil {
				c.add(module{file: conf}, graph.Runtime, graph.Implicit)
			}
			if d == "." {
				break
			}
		}
	}
	if c.Cut {
		b.warn(f.path, "limit: what it needs is not found out in full: it leads to too much")
	}
	return c.output
}

// connector finds the edges of one file.
type connector struct {
	b *builder
	*graph.Work
	f *file
	output
}

// add adds an edge to a module, and to its stub.
func (c *connector) add(m module, u graph.Uses, r graph.Resolution) {
	if m.file == nil {
		return
	}
	if m.file.stub {
		u = graph.Type
	}
	if m.file.path != c.f.path && c.Draw() {
		c.edges = append(c.edges, graph.Edge{Target: m.file.path, Uses: u, Resolution: r})
	}
	if m.stub != nil && m.stub.path != c.f.path && c.Draw() {
		c.edges = append(c.edges, graph.Edge{Target: m.stub.path, Uses: graph.Type, Resolution: graph.Implicit})
	}
}

func (c *connector) use(n fileName) {
	if c.b.wanted[n.file.path] && n.file != c.f && c.Draw() {
		c.users = append(c.users, n)
	}
}

// imported adds what one import leads to.
func (c *connector) imported(i *importStatement, m module, state searchEnd) {
	t := &c.b.tree
	written := strings.Repeat(".", min(i.level, 20)) + i.module
	switch state {
	case outside:
		if top, _, _ := strings.Cut(i.module, "."); standard[top] {
			c.builtins = append(c.builtins, i.module)
		} else {
			c.leftOut++
		}
		return
	case absent:
		c.missing = append(c.missing, written)
		return
	}
	res := graph.Explicit
	if state == beside {
		res = graph.Implicit
	}
	if i.names == nil && !i.star {
		c.add(m, i.use, res)
		bound := i.as
		if bound == "" && !strings.Contains(i.module, ".") {
			bound = i.module
		}
		for name := range c.f.attrs[bound] {
			c.follow(m, name, i.use)
		}
		return
	}
	if i.star {
		c.add(m, i.use, res)
		return
	}
	for _, n := range i.names {
		if sub, ok := t.submodule(m, n.name); ok && (m.file == nil || !m.file.binds(n.name)) {
			c.add(sub, i.use, res)
			for name := range c.f.attrs[n.as] {
				c.follow(sub, name, i.use)
			}
			continue
		}
		if m.file == nil && outsideRoot(m.dir) {
			c.leftOut++
			continue
		}
		if m.file == nil {
			c.missing = append(c.missing, written+"."+n.name)
			continue
		}
		c.add(m, i.use, res)
		c.use(fileName{m.file, n.name})
		c.follow(m, n.name, i.use)
	}
}

// submodule is the module of a package that has the name.
func (t *folders) submodule(m module, name string) (module, bool) {
	if m.dir == "" {
		return module{}, false
	}
	s, rest, _ := t.in(append([]string{m.dir}, m.more...), []string{name})
	if len(rest) > 0 || s.file == nil {
		return module{}, false
	}
	return s, true
}

// maxFollowed bounds the files that are looked at for one name.
const maxFollowed = 500

// follow adds implicit edges to the files that define a name which a module
// hands on.
func (c *connector) follow(m module, name string, u graph.Uses) {
	if m.file == nil {
		return
	}
	for _, to := range c.b.tree.behind(m, name, c.Work) {
		c.add(to.module, u, graph.Implicit)
		c.use(fileName{to.module.file, to.name})
	}
	c.use(fileName{m.file, name})
}

// moduleName is a name of a module.
type moduleName struct {
	module module
	name   string
}

// behind returns where a name is defined that a module does not define itself,
// and the modules on the way.
func (t *folders) behind(m module, name string, w *graph.Work) (list []moduleName) {
	if m.file.binds(name) {
		return nil
	}
	type asked struct {
		path, name string
	}
	seen := map[asked]bool{{m.file.path, name}: true}
	todo := []moduleName{{m, name}}
	push := func(m module, name string) {
		a := asked{m.file.path, name}
		if !seen[a] && len(seen) < maxFollowed {
			seen[a] = true
			todo = append(todo, moduleName{m, name})
		}
	}
	for len(todo) > 0 && w.Take(1) {
		at := todo[0]
		todo = todo[1:]
		f := at.module.file
		if f.path != m.file.path {
			if f.binds(at.name) || at.name == "" {
				list = append(list, at)
			}
		}
		if f.binds(at.name) || at.name == "" {
			continue
		}
		l := t.links(f)
		for _, h := range f.origins()[at.name] {
			if !w.Take(1) {
				break
			}
			next, match := l.targets[h.imported], h.name
			if next.state == outside || next.state == absent {
				continue
			}
			if sub, ok := t.submodule(next.module, match); ok && (next.file == nil || !next.file.binds(match)) {
				push(sub, "")
			} else if next.file != nil {
				push(next.module, match)
			}
		}
		for _, i := range l.stars {
			if !w.Take(1) {
				break
			}
			if next := l.targets[i]; next.file != nil && next.file.offers(at.name) {
				push(next.module, at.name)
			}
		}
	}
	return list
}

// target is what an import leads to.
type target struct {
	module
	state searchEnd
}

// links are a file's imports, found once.
type links struct {
	targets []target
	// stars are the imports of all names.
	stars []int
	// names are the names that the module binds by importing them: the index
	// of the import, and the name there.
	names map[string][]origin
}

type origin struct {
	imported int
	name     string
}

func (t *folders) links(f *file) *links {
	l := &f.links
	f.linked.Do(func() {
		l.targets = make([]target, len(f.imports))
		for i := range f.imports {
			d := &f.imports[i]
			m := &l.targets[i]
			if d.level > 0 {
				m.module, m.state = t.relative(f, d.level, d.module)
			} else {
				m.module, _, m.state = t.absolute(f, d.module, false)
			}
			if d.star && m.file != nil && (d.top || f.stub) {
				l.stars = append(l.stars, i)
			}
		}
	})
	return l
}

// origins are where the imported names of a module come from, found when they are
// asked for: most modules hand nothing on.
func (f *file) origins() map[string][]origin {
	f.bound.Do(func() {
		f.links.names = map[string][]origin{}
		for i := range f.imports {
			if d := &f.imports[i]; d.top || f.stub {
				for _, n := range d.names {
					f.links.names[n.as] = append(f.links.names[n.as], origin{i, n.name})
				}
			}
		}
	})
	return f.links.names
}

// has reports whether the module has the name, its own or another's.
func (f *file) has(name string) bool {
	return f.binds(name) || len(f.origins()[name]) > 0
}

// offers reports whether a star import of the file can bind the name.
func (f *file) offers(name string) bool {
	if f.all != nil {
		return slices.Contains(f.all, name)
	}
	return !strings.HasPrefix(name, "_")
}

// answer puts the outputs together.
func (b *builder) answer(ctx context.Context, out []output) (*graph.Response, error) {
	a := graph.Assemble("python:", len(out))
	for i := range out {
		f, o := b.files[i], &out[i]
		if f == nil {
			continue
		}
		a.Add(f.path, o.edges, o.builtins, o.missing)
		a.LeftOut += o.leftOut
		a.Names[f.path] = names(f)
		for _, u := range o.users {
			a.Use(u.file.path, u.name, f.path)
		}
	}
	a.Warnings = b.warnings
	err := a.Outside(ctx, b.roots, b.address)
	return a.End(), err
}

func names(f *file) (n graph.Names) {
	if n.Exports = slices.Clone(f.all); n.Exports == nil {
		for _, name := range f.defines {
			if !strings.HasPrefix(name, "_") {
				n.Exports = append(n.Exports, name)
			}
		}
	}
	for _, i := range f.imports {
		n.Imports = append(n.Imports, strings.Repeat(".", i.level)+i.module)
	}
	slices.Sort(n.Exports)
	slices.Sort(n.Imports)
	n.Exports, n.Imports = slices.Compact(n.Exports), slices.Compact(n.Imports)
	return n
}
