// Package golang finds what Go files need from one another.
//
// Every file is parsed by go/parser. An import leads to the files of its
// package that declare a name which the importing file uses; one that is blank
// or binds all names leads to all files of the package. A name that stands for
// another package's (type A = b.B, var F = b.F) leads to the file that says so,
// and implicitly to where it is defined. Implicit edges also lead to files of
// the same package that declare a name in use, and to those that declare a
// method which is selected, of a type that is used.
//
// Packages are found as the go command finds them: by go.mod, go.work, replace
// with a folder, vendor, and the rule for folders called internal. A module of
// the repository that none of these leads to, but whose path is imported, is a
// guess: its edges are implicit. The standard library is "go:fmt". What a go.mod
// requires is looked for in the module caches among the external roots; what
// these packages need in turn is not. Packages in no root are left out and counted.
//
// Files that cannot be built together (by their names or //go:build) do not
// see each other; nor do tests of a package's own show to anyone but its tests.
//
//	explicit   imports; headers that import "C" names; files of //go:embed
//	implicit   the same package; names handed on; guesses
//	dynamic    files that //go:generate names (it is not run)
package golang

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
)

// Provider is Go.
var Provider = graph.Provider{
	Name:     "go",
	Language: "Go",
	Claims:   func(name string) bool { return strings.HasSuffix(name, ".go") },
	Reads: func(name string) bool {
		base := path.Base(name)
		return base == "go.mod" || base == "go.work"
	},
	Build:     build,
	Define:    Define,
	SameNeeds: sameNeeds,
}

// builder makes one answer.
type builder struct {
	roots   graph.Roots
	modules modules
	// sources are all files by path.
	sources []string
	exists  map[string]bool
	// folders are the Go files by folder.
	folders map[string][]*file
	// packages are what these declare.
	packages map[string]*listing
	files    []*file
	wanted   map[string]bool
	cache    moduleCache

	mu       sync.Mutex
	warnings []graph.Warning
}

// output is what was found in one file.
type output struct {
	edges    []graph.Edge
	builtins []string
	missing  []string
	leftOut  int
	users    []user
}

// user says that a file uses a name of another.
type user struct{ file, name string }

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b := &builder{roots: q.Roots, exists: map[string]bool{}, folders: map[string][]*file{}, wanted: q.Wanted()}
	for _, list := range [][]graph.SourceFile{q.Files, q.Others} {
		for i := range list {
			b.sources = append(b.sources, list[i].Path)
			b.exists[list[i].Path] = true
		}
	}
	slices.Sort(b.sources)
	b.load(q.Others)
	b.files = make([]*file, len(q.Files))
	if err := graph.Each(ctx, len(q.Files), func(i int) { b.files[i] = b.parse(&q.Files[i]) }); err != nil {
		return nil, err
	}
	for _, f := range b.files {
		if f != nil {
			b.folders[f.dir] = append(b.folders[f.dir], f)
		}
	}
	if err := b.vendored(ctx); err != nil {
		return nil, err
	}
	// The memo is filled before it is shared.
	for dir := range b.folders {
		b.modules.of(dir)
	}
	if err := b.installed(ctx); err != nil {
		return nil, err
	}
	if err := b.link(ctx); err != nil {
		return nil, err
	}
	if err := b.list(ctx); err != nil {
		return nil, err
	}
	out := make([]output, len(b.files))
	if err := graph.Share(ctx, len(b.files), func(i int, w *graph.Work) {
		if b.files[i] != nil {
			out[i] = b.connect(b.files[i], w)
		}
	}); err != nil {
		return nil, err
	}
	return b.answer(ctx, out)
}

func (b *builder) warn(name, format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.warnings = append(b.warnings, graph.Warning{Path: name, Text: fmt.Sprintf(format, args...)})
}

// parse reads a source; nil when that is not possible.
func (b *builder) parse(s *graph.SourceFile) (f *file) {
	quiet := inTestdata(s.Path) || outside(s.Path)
	err := graph.CopySource(s, b.roots, func(content []byte) (err error) {
		f, err = parse(s.Path, content)
		return err
	})
	switch {
	case err != nil:
		if !quiet {
			b.warn(s.Path, "not parsed: %v", err)
		}
		return nil
	case f.fault != "" && !quiet:
		b.warn(s.Path, "%s (what could be read is in the graph)", f.fault)
	}
	if f.when != nil && f.when.loose && !quiet {
		b.warn(s.Path, "limit: its build constraint is not worked out: it has more than %d bytes, %d terms, or %d tags in many of them", maxConstraint, maxTerms, maxTags)
	}
	f.wanted = b.wanted[s.Path]
	return f
}

// inTestdata reports whether the go command passes a folder over: sources there
// may be wrong on purpose.
func inTestdata(name string) bool {
	for elem := range strings.SplitSeq(path.Dir(name), "/") {
		if elem == "testdata" || strings.HasPrefix(elem, "_") || elem != "." && strings.HasPrefix(elem, ".") {
			return true
		}
	}
	return false
}

// maxVendored bounds the files that are read in vendor folders.
const maxVendored = 20_000

// vendored reads the packages in vendor folders that are no sources, as far as
// imports lead there.
func (b *builder) vendored(ctx context.Context) error {
	vendors := map[*mod][]string{}
	seen := map[packageQuestion]bool{}
	tried := map[string]bool{}
	at := b.files
	for round := 0; len(at) > 0; round++ {
		var dirs []string
		for _, f := range at {
			if f == nil {
				continue
			}
			m := b.modules.of(f.dir)
			if _, known := vendors[m]; !known {
				vendors[m] = b.vendors(m)
			}
			for _, i := range f.imports {
				if len(vendors[m]) == 0 || !strings.Contains(i.path, ".") || seen[packageQuestion{m, i.path}] {
					continue
				}
				seen[packageQuestion{m, i.path}] = true
				for _, v := range vendors[m] {
					if d := path.Join(v, i.path); !tried[d] && strings.HasPrefix(d, v+"/") && b.folders[d] == nil {
						tried[d] = true
						dirs = append(dirs, d)
					}
				}
			}
		}
		slices.Sort(dirs)
		var list []graph.SourceFile
		for _, d := range dirs {
			entries, err := b.roots.Root.List(d)
			if err != nil {
				continue
			}
			for _, e := range entries {
				name := d + "/" + e.Name
				if e.Mode.IsRegular() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !b.exists[name] {
					if f, err := b.roots.Root.File(name); err == nil {
						list = append(list, graph.SourceFile{File: f})
					}
				}
			}
		}
		if len(b.files)+len(list) > maxVendored+len(b.sources) {
			b.warn("", "only %d of the files in vendor folders are followed", maxVendored)
			return nil
		}
		read := make([]*file, len(list))
		if err := graph.Each(ctx, len(list), func(i int) { read[i] = b.parse(&list[i]) }); err != nil {
			return err
		}
		for _, f := range read {
			if f != nil {
				b.folders[f.dir] = append(b.folders[f.dir], f)
				b.files = append(b.files, f)
			}
		}
		at = read
	}
	return nil
}

// vendors are the vendor folders for the files of a module, or for those of none.
func (b *builder) vendors(m *mod) (list []string) {
	roots := []string{"."}
	if m != nil {
		if roots[0] = m.dir; m.work != nil {
			roots = append(roots, m.work.dir)
		}
	}
	for _, r := range roots {
		v := path.Join(r, "vendor")
		if in, err := b.roots.Root.Stat(v); err == nil && in.Mode.IsDir() {
			list = append(list, v)
		}
	}
	return list
}

// link is what an import means.
type link struct {
	dir string
	how where
	// name is the package's, called what files call it that give it no name.
	name, called string
}

// link resolves all imports.
func (b *builder) link(ctx context.Context) error {
	dirs := slices.Sorted(maps.Keys(b.folders))
	names := make(map[string]string, len(dirs))
	for _, d := range dirs {
		names[d] = b.packageName(d)
	}
	known := func(dir string) bool { return len(b.folders[dir]) > 0 }
	shared := map[packageQuestion]*link{}
	// find fills the memo of folders: one after the other.
	for _, d := range dirs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if outside(d) {
			continue // what a dependency needs is not looked for
		}
		m, found := b.modules.of(d), shared
		if m == nil {
			found = map[packageQuestion]*link{} // outside of a module, paths mean something else in each folder
		}
		for _, f := range b.folders[d] {
			for i := range f.imports {
				p := f.imports[i].path
				l := found[packageQuestion{m, p}]
				if l == nil || strings.HasPrefix(p, ".") { // what is relative means something else in each folder, too
					l = b.means(p, d, known)
					l.name = names[l.dir]
					l.called = cmp.Or(l.name, lastName(p))
					found[packageQuestion{m, p}] = l
				}
				f.imports[i].to = l
			}
		}
	}
	return nil
}

// means finds the folder of the package that an import path means in a folder.
func (b *builder) means(p, from string, known func(dir string) bool) *link {
	l := &link{}
	switch {
	case p == "C":
	case strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../"):
		if at, ok := under(from, p); ok && known(at) {
			l.dir, l.how = at, local
		}
	default:
		if l.dir, l.how = b.modules.find(p, from, known); l.how == external {
			if at := b.cache.of(p, b.modules.of(from)); known(at) {
				l.dir, l.how = at, local
			}
		}
	}
	return l
}

// packageName is the name of the package that a folder holds for others: that
// of most of its files that are no tests, the first of them in a tie.
func (b *builder) packageName(dir string) string {
	count := map[string]int{}
	best := ""
	for _, f := range b.folders[dir] {
		if f.test || !together(f.when, nil, nil) {
			continue
		}
		if count[f.name]++; count[f.name] > count[best] {
			best = f.name
		}
	}
	return best
}

// offers reports whether an import of the package name, or the package itself, shows g to f.
func offers(g *file, name string, f *file, w *graph.Work) bool {
	return g.name == name && (!g.test || f.test && f.dir == g.dir) && together(f.when, g.when, w)
}

// listing is what the files of a folder declare.
type listing struct {
	members []*file
	// first are the first entries by the name of a declaration, or of the type of a method, each one more than its
	// index; 0 is for none.
	first   map[string]int32
	entries []entry
}

// entry is a declaration or a method in a file of a folder.
type entry struct {
	file, next int32
	// declared is nil for a method.
	declared *declaration
	method   string
}

// list lists what the files declare, folder by folder.
func (b *builder) list(ctx context.Context) error {
	dirs := slices.Collect(maps.Keys(b.folders))
	all := make([]listing, len(dirs))
	b.packages = make(map[string]*listing, len(dirs))
	for i, d := range dirs {
		b.packages[d] = &all[i]
	}
	return graph.Each(ctx, len(dirs), func(i int) { all[i].fill(b.folders[dirs[i]]) })
}

// fill lists what the files declare; the entries of a name follow one another as the files do.
func (c *listing) fill(files []*file) {
	n := 0
	for _, f := range files {
		n += len(f.declares) + len(f.methods)
	}
	*c = listing{files, make(map[string]int32, n), make([]entry, 0, n)}
	for i, f := range files {
		f.at = int32(i)
	}
	add := func(name string, e entry) {
		e.next = c.first[name]
		c.entries = append(c.entries, e)
		c.first[name] = int32(len(c.entries))
	}
	for i, f := range slices.Backward(files) {
		for _, m := range f.methods {
			add(m.of, entry{file: int32(i), method: m.name})
		}
		for k := range f.declares {
			add(f.declares[k].name, entry{file: int32(i), declared: &f.declares[k]})
		}
	}
}

// connector finds the edges of one file.
type connector struct {
	*builder
	*graph.Work
	output
	f *file
	// selected are the names that the file selects from what is no package, sorted.
	selected []string
	// Of the package that is being looked at: what its folder holds, its name, and what is known of each file.
	*listing
	name string
	seen []uint8
}

// What is known of a file: whether it was looked at and shows to the other, and what edges there are already.
const (
	looked = 1 << iota
	shows
	explicit
	implicit
)

// look turns to a package.
func (c *connector) look(dir, name string) bool {
	c.listing, c.name = c.packages[dir], name
	if !c.Take(1 + len(c.members)/16) { // what is known of each is cleared
		return false
	}
	c.seen = append(c.seen[:0], make([]uint8, len(c.members))...)
	return true
}

// shown is a file of the package, nil when it does not show.
func (c *connector) shown(i int32) *file {
	g, s := c.members[i], &c.seen[i]
	if *s == 0 {
		if *s = looked; offers(g, c.name, c.f, c.Work) {
			*s |= shows
		}
	}
	if *s&shows == 0 {
		return nil
	}
	return g
}

func (c *connector) add(to string, u graph.Uses, r graph.Resolution) {
	if to != c.f.path && c.Draw() {
		c.edges = append(c.edges, graph.Edge{Target: to, Uses: u, Resolution: r})
	}
}

func (c *connector) use(g *file, name string) {
	if g.wanted && g != c.f && c.Draw() {
		c.users = append(c.users, user{g.path, name})
	}
}

// draw adds the edge to a file of the package.
func (c *connector) draw(i int32, r graph.Resolution) {
	once := uint8(explicit)
	if r == graph.Implicit {
		once = implicit
	}
	if c.seen[i]&once == 0 {
		c.seen[i] |= once
		c.add(c.members[i].path, graph.Runtime, r)
	}
}

// follow adds what a name in use leads to: the files that declare it, and what it stands for; and of
// the type that it is or yields, the methods that are selected. It reports whether there is any.
func (c *connector) follow(name string, r graph.Resolution, far bool) (found bool) {
	for at := c.first[name]; at > 0 && c.Take(1); at = c.entries[at-1].next {
		e := &c.entries[at-1]
		if e.declared == nil {
			continue
		}
		g := c.shown(e.file)
		if g == nil {
			continue
		}
		found = true
		c.draw(e.file, r)
		c.use(g, name)
		if far {
			for h := range c.behind(g, *e.declared) {
				c.add(h.file.path, graph.Runtime, graph.Implicit)
				c.use(h.file, h.name)
			}
		}
		c.methods(name)
		for _, t := range e.declared.types {
			c.methods(t)
		}
	}
	return found
}

// methods adds the files that declare methods of a type which are selected.
func (c *connector) methods(of string) {
	for at := c.first[of]; at > 0 && c.Take(1); at = c.entries[at-1].next {
		e := &c.entries[at-1]
		if e.declared != nil {
			continue
		}
		g := c.shown(e.file)
		if g == nil || g == c.f || c.seen[e.file]&implicit != 0 && !g.wanted {
			continue
		}
		if _, ok := slices.BinarySearch(c.selected, e.method); ok {
			c.draw(e.file, graph.Implicit)
			if g.wanted {
				c.use(g, of+"."+e.method)
			}
		}
	}
}

// connect finds the edges of a file.
func (b *builder) connect(f *file, w *graph.Work) output {
	c := connector{builder: b, Work: w, f: f}
	bindings := newBindings(f)
	from := make([][]string, len(f.imports))
	c.selected = append(c.selected, f.selects...)
	for _, s := range f.from {
		packages := bindings.of(s.base)
		if len(packages) == 0 {
			// A variable of the package.
			c.selected = append(c.selected, s.names...)
		}
		for _, p := range packages {
			from[p.at] = s.names
		}
	}
	slices.Sort(c.selected)
	for i := range f.imports {
		if m := &f.imports[i]; m.path != "C" && c.leads(m) && !c.follows(m, from[i]) {
			break
		}
	}
	if c.look(f.dir, f.name) {
		c.seen[f.at] = looked
		for _, n := range f.free {
			if c.first[n] > 0 && len(bindings.of(n)) == 0 {
				c.follow(n, graph.Implicit, false)
			}
		}
	}
	c.around(f)
	c.templates()
	if c.Cut {
		b.warn(f.path, "limit: what it needs is not found out in full: it leads to too much")
	}
	return c.output
}

// leads reports whether an import leads to a package of the repository, or of what is installed, that is read; where it does not, what
// it is instead is noted.
func (c *connector) leads(m *importSpec) bool {
	l := m.to
	switch {
	case l.how == standard:
		c.builtins = append(c.builtins, m.path)
	case l.how == external:
		c.leftOut++
	case len(c.folders[l.dir]) == 0 || l.name == "":
		c.missing = append(c.missing, m.path)
	case !visible(l.dir, c.f.dir):
		c.missing = append(c.missing, m.path)
	default:
		return true
	}
	return false
}

// follows draws the edges of an import that leads to a package: to the files that declare the names which are taken of it. It
// reports whether there is work left for others.
func (c *connector) follows(m *importSpec, names []string) bool {
	l, res := m.to, graph.Explicit
	if l.how == guessed {
		res = graph.Implicit
	}
	if !c.look(l.dir, l.name) {
		return false
	}
	all := func(r graph.Resolution) {
		for i := range c.members {
			if c.Take(1) && c.shown(int32(i)) != nil {
				c.draw(int32(i), r)
			}
		}
	}
	if m.local == "_" || m.local == "." {
		all(res)
		if m.local == "." && len(c.wanted) > 0 {
			c.useFree()
		}
		return true
	}
	drawn := outside(l.dir) // what a dependency lacks, no build makes
	for _, n := range names {
		drawn = c.follow(n, res, true) || drawn
	}
	if !drawn {
		// The name is declared where nobody reads: made by a build.
		all(graph.Implicit)
	}
	return true
}

// useFree notes the users of what a file takes of the package that is looked at, without its name before it.
func (c *connector) useFree() {
	for _, n := range c.f.free {
		for at := c.first[n]; at > 0 && c.Take(1); at = c.entries[at-1].next {
			if e := &c.entries[at-1]; e.declared != nil && c.shown(e.file) != nil {
				c.use(c.members[e.file], n)
			}
		}
	}
}

// binding is an import under the name that a file gives it.
type binding struct {
	name string
	at   int // of the file's imports
}

// bindings are a file's imports by name.
type bindings []binding

func newBindings(f *file) bindings {
	list := make(bindings, len(f.imports))
	for i := range f.imports {
		m := &f.imports[i]
		list[i] = binding{cmp.Or(m.local, m.to.called), i}
	}
	slices.SortFunc(list, func(a, b binding) int { return strings.Compare(a.name, b.name) })
	return list
}

// of are the imports of a name: more than one where files of a platform import another.
func (l bindings) of(name string) bindings {
	from, ok := slices.BinarySearchFunc(l, name, func(b binding, name string) int { return strings.Compare(b.name, name) })
	to := from
	for ok && to < len(l) && l[to].name == name {
		to++
	}
	return l[from:to]
}

// fileName is a name in a file.
type fileName struct {
	file *file
	name string
}

// maxChain bounds how far a name is followed that stands for another.
const maxChain = 20

// behind yields the declarations that a declaration in g stands for.
func (c *connector) behind(g *file, d declaration) func(yield func(fileName) bool) {
	return func(yield func(fileName) bool) {
		for range maxChain {
			if d.base == "" {
				return
			}
			var to *file
			name := d.of
			for _, m := range g.imports {
				l := m.to
				if !c.Take(1) {
					return
				}
				if l == nil || l.how != local || cmp.Or(m.local, l.name) != d.base || l.name == "" {
					continue
				}
				p := c.packages[l.dir]
				for at := p.first[name]; at > 0 && to == nil && c.Take(1); at = p.entries[at-1].next {
					e := &p.entries[at-1]
					if h := p.members[e.file]; e.declared != nil && offers(h, l.name, g, c.Work) {
						to, d = h, *e.declared
					}
				}
				break
			}
			if to == nil || !yield(fileName{to, name}) {
				return
			}
			g = to
		}
	}
}

// maxFiles bounds the files that one directive leads to.
const maxFiles = 5000

// around adds what directives name.
func (c *connector) around(f *file) {
	for _, i := range f.includes {
		for _, d := range append([]string{""}, i.dirs...) {
			if !c.Take(8 + (len(d)+len(i.name))/8) {
				return
			}
			if at, ok := under(f.dir, path.Join(d, i.name)); ok && c.exists[at] {
				c.add(at, graph.Runtime, graph.Explicit)
				break
			}
		}
	}
	for _, p := range f.embeds {
		for _, at := range c.embedded(f.dir, p, c.Work) {
			c.add(at, graph.Runtime, graph.Explicit)
		}
	}
	for _, g := range f.generate {
		if at, ok := under(f.dir, g); ok {
			if c.exists[at] {
				c.add(at, graph.Dynamic, graph.Explicit)
			}
			for _, h := range c.folders[at] {
				if !c.Take(1) {
					return
				}
				if h.name == "main" && !h.test && strings.HasPrefix(g, ".") {
					c.add(h.path, graph.Dynamic, graph.Explicit)
				}
			}
		}
	}
}

// embedded are the files that a pattern of //go:embed takes.
func (b *builder) embedded(dir, pattern string, w *graph.Work) (list []string) {
	pattern, all := strings.CutPrefix(pattern, "all:")
	if pattern == "" || strings.HasPrefix(pattern, "/") {
		return nil
	}
	at, ok := under(dir, pattern)
	if !ok {
		return nil
	}
	if dir != "." && at != dir && !strings.HasPrefix(at, dir+"/") {
		return nil
	}
	// Only what begins like the pattern can match.
	prefix := at
	if i := strings.IndexAny(prefix, `*?[\`); i >= 0 {
		prefix = prefix[:i]
	}
	if at == "." {
		prefix = ""
	}
	depth := strings.Count(at, "/") + 1
	i, _ := slices.BinarySearch(b.sources, prefix)
	for ; i < len(b.sources) && strings.HasPrefix(b.sources[i], prefix) && len(list) < maxFiles; i++ {
		name := b.sources[i]
		if !w.Take(1 + len(name)/16) {
			break
		}
		parts := strings.Split(name, "/")
		if at == "." {
			parts, depth = append([]string{"."}, parts...), 1
		}
		if len(parts) < depth {
			continue
		}
		if ok, err := path.Match(at, strings.Join(parts[:depth], "/")); err != nil || !ok {
			continue
		}
		hidden := slices.ContainsFunc(parts[depth:], func(s string) bool { return s[0] == '.' || s[0] == '_' })
		if all || !hidden {
			list = append(list, name)
		}
	}
	return list
}

// lastName is what a package of the path is probably called.
func lastName(p string) string {
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && strings.Contains(p, "/") {
		base = path.Base(path.Dir(p))
	}
	base, _, _ = strings.Cut(base, ".v")
	return strings.TrimPrefix(strings.TrimSuffix(base, "-go"), "go-")
}

var standards = strings.Fields(`archive bufio bytes cmd cmp compress container context crypto database debug embed encoding errors
expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort
strconv strings structs sync syscall testing text time unicode unique unsafe weak`)

// isStandard reports whether an import path is the standard library's.
func isStandard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return slices.Contains(standards, first)
}

// answer puts the outputs together.
func (b *builder) answer(ctx context.Context, out []output) (*graph.Response, error) {
	a := graph.Assemble("go:", len(out))
	for i := range out {
		f, o := b.files[i], &out[i]
		if f == nil {
			continue
		}
		a.Add(f.path, o.edges, o.builtins, o.missing)
		if !b.exists[f.path] {
			// A vendored file is no source: it needs a node.
			a.Nodes[f.path] = graph.Node{Kind: graph.Source, Language: "other"}
		} else {
			a.LeftOut += o.leftOut
			a.Names[f.path] = names(f)
		}
		for _, u := range o.users {
			a.Use(u.file, u.name, f.path)
		}
	}
	a.Warnings = b.warnings
	err := a.Outside(ctx, b.roots, b.address)
	return a.End(), err
}

func names(f *file) (n graph.Names) {
	for _, d := range f.declares {
		if r := d.name[0]; r >= 'A' && r <= 'Z' {
			n.Exports = append(n.Exports, d.name)
		}
	}
	for _, m := range f.imports {
		n.Imports = append(n.Imports, m.path)
	}
	slices.Sort(n.Exports)
	slices.Sort(n.Imports)
	n.Imports = slices.Compact(n.Imports)
	return n
}
