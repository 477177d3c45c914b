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
	Build:  build,
	Define: Define,
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
	files   []*file
	wanted  map[string]bool
	cache   moduleCache

	mu       sync.Mutex
	warnings []graph.Warning
}

// output is what was found in one file.
type output struct {
	edges    map[graph.Edge]bool
	builtins []string
	missing  []string
	leftOut  int
	users    []user
}

// user says that a file uses a name of another.
type user struct{ file, name string }

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b := &builder{roots: q.Roots, exists: map[string]bool{}, folders: map[string][]*file{}, wanted: map[string]bool{}}
	for _, list := range [][]graph.SourceFile{q.Files, q.Others} {
		for i := range list {
			b.sources = append(b.sources, list[i].Path)
			b.exists[list[i].Path] = true
		}
	}
	slices.Sort(b.sources)
	for _, name := range q.UsersOf {
		b.wanted[name] = true
	}
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
	links, err := b.link(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]output, len(b.files))
	if err := graph.Each(ctx, len(b.files), func(i int) {
		if b.files[i] != nil {
			out[i] = b.connect(b.files[i], links)
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
func (b *builder) parse(s *graph.SourceFile) *file {
	content, err := graph.ReadSource(s, b.roots)
	if err == nil {
		var f *file
		if f, err = parse(s.Path, content); err == nil {
			if f.fault != "" && !inTestdata(s.Path) && !outside(s.Path) {
				b.warn(s.Path, "%s (what could be read is in the graph)", f.fault)
			}
			return f
		}
	}
	if !inTestdata(s.Path) && !outside(s.Path) {
		b.warn(s.Path, "not parsed: %v", err)
	}
	return nil
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
	hasVendor := map[string]bool{}
	tried := map[string]bool{}
	at := b.files
	for round := 0; len(at) > 0; round++ {
		var dirs []string
		for _, f := range at {
			if f == nil {
				continue
			}
			var roots []string
			if m := b.modules.of(f.dir); m != nil {
				roots = append(roots, m.dir)
				if m.work != nil {
					roots = append(roots, m.work.dir)
				}
			} else {
				roots = append(roots, ".")
			}
			for _, r := range roots {
				v := path.Join(r, "vendor")
				has, ok := hasVendor[v]
				if !ok {
					in, err := b.roots.Root.Stat(v)
					has = err == nil && in.Mode.IsDir()
					hasVendor[v] = has
				}
				if !has {
					continue
				}
				for _, i := range f.imports {
					if d := path.Join(v, i.path); strings.Contains(i.path, ".") && !tried[d] && strings.HasPrefix(d, v+"/") && b.folders[d] == nil {
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

// link is what the imports of a file mean.
type link struct {
	dir  string
	how  where
	name string
}

// link resolves all imports, by folder and path.
func (b *builder) link(ctx context.Context) (map[string]map[string]link, error) {
	dirs := slices.Sorted(maps.Keys(b.folders))
	found := make([]map[string]link, len(dirs))
	names := make(map[string]string, len(dirs))
	for _, d := range dirs {
		names[d] = b.packageName(d)
	}
	known := func(dir string) bool { return len(b.folders[dir]) > 0 }
	// find fills the memo of folders: one after the other.
	for i, d := range dirs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if outside(d) {
			continue // what a dependency needs is not looked for
		}
		found[i] = map[string]link{}
		for _, f := range b.folders[d] {
			for _, m := range f.imports {
				if _, ok := found[i][m.path]; ok || m.path == "C" {
					continue
				}
				var l link
				if strings.HasPrefix(m.path, "./") || strings.HasPrefix(m.path, "../") {
					if at, ok := under(d, m.path); ok && known(at) {
						l = link{dir: at, how: local}
					}
				} else if l.dir, l.how = b.modules.find(m.path, d, known); l.how == external {
					if at := b.cache.of(m.path, b.modules.of(d)); known(at) {
						l = link{dir: at, how: local}
					}
				}
				l.name = names[l.dir]
				found[i][m.path] = l
			}
		}
	}
	links := make(map[string]map[string]link, len(dirs))
	for i, d := range dirs {
		links[d] = found[i]
	}
	return links, nil
}

// packageName is the name of the package that a folder holds for others: that
// of most of its files that are no tests, the first of them in a tie.
func (b *builder) packageName(dir string) string {
	count := map[string]int{}
	best := ""
	for _, f := range b.folders[dir] {
		if f.test || !together(f.when, nil) {
			continue
		}
		if count[f.name]++; count[f.name] > count[best] {
			best = f.name
		}
	}
	return best
}

// offered are the files of a folder's package that an import shows to f.
func (b *builder) offered(dir, name string, f *file) (list []*file) {
	for _, g := range b.folders[dir] {
		if g.name == name && (!g.test || f.test && f.dir == dir) && together(f.when, g.when) {
			list = append(list, g)
		}
	}
	return list
}

// connect finds the edges of a file.
func (b *builder) connect(f *file, links map[string]map[string]link) output {
	out := output{edges: map[graph.Edge]bool{}}
	add := func(to string, u graph.Uses, r graph.Resolution) {
		if to != f.path {
			out.edges[graph.Edge{Target: to, Uses: u, Resolution: r}] = true
		}
	}
	use := func(g *file, name string) {
		if b.wanted[g.path] && g.path != f.path {
			out.users = append(out.users, user{g.path, name})
		}
	}
	packages := map[string]bool{}
	for _, m := range f.imports {
		packages[cmp.Or(m.local, links[f.dir][m.path].name, lastName(m.path))] = true
	}
	selected := map[string]bool{}
	for _, n := range f.selects {
		selected[n] = true
	}
	for name, used := range f.from {
		if !packages[name] {
			// A variable of the package.
			for _, n := range used {
				selected[n] = true
			}
		}
	}
	for _, m := range f.imports {
		if m.path == "C" {
			continue
		}
		l := links[f.dir][m.path]
		switch {
		case l.how == standard:
			out.builtins = append(out.builtins, m.path)
			continue
		case l.how == external:
			out.leftOut++
			continue
		case len(b.folders[l.dir]) == 0 || l.name == "":
			out.missing = append(out.missing, m.path)
			continue
		case !visible(l.dir, f.dir):
			out.missing = append(out.missing, m.path)
			continue
		}
		res := graph.Explicit
		if l.how == guessed {
			res = graph.Implicit
		}
		offered := b.offered(l.dir, l.name, f)
		if m.local == "_" || m.local == "." {
			for _, g := range offered {
				add(g.path, graph.Runtime, res)
				if m.local == "." {
					for _, n := range f.free {
						if _, ok := g.declares[n]; ok {
							use(g, n)
						}
					}
				}
			}
			continue
		}
		drawn := outside(l.dir) // what a dependency lacks, no build makes
		for _, n := range f.from[cmp.Or(m.local, l.name)] {
			for _, g := range offered {
				d, ok := g.declares[n]
				if !ok {
					continue
				}
				drawn = true
				add(g.path, graph.Runtime, res)
				use(g, n)
				for at := range b.behind(g, d, links) {
					add(at.file.path, graph.Runtime, graph.Implicit)
					use(at.file, at.name)
				}
				for _, h := range methods(f, offered, n, d, selected) {
					add(h.file.path, graph.Runtime, graph.Implicit)
					use(h.file, h.name)
				}
			}
		}
		if !drawn {
			// The name is declared where nobody reads: made by a build.
			for _, g := range offered {
				add(g.path, graph.Runtime, graph.Implicit)
			}
		}
	}
	own := b.beside(f)
	for _, n := range f.free {
		if packages[n] {
			continue
		}
		for _, g := range own {
			if d, ok := g.declares[n]; ok {
				add(g.path, graph.Runtime, graph.Implicit)
				use(g, n)
				for _, h := range methods(f, own, n, d, selected) {
					add(h.file.path, graph.Runtime, graph.Implicit)
					use(h.file, h.name)
				}
			}
		}
	}
	b.around(f, add)
	return out
}

// beside are the other files of the package that a file is of.
func (b *builder) beside(f *file) (list []*file) {
	for _, g := range b.folders[f.dir] {
		if g != f && g.name == f.name && (f.test || !g.test) && together(f.when, g.when) {
			list = append(list, g)
		}
	}
	return list
}

// named is a name in a file.
type named struct {
	file *file
	name string
}

// maxChain bounds how far a name is followed that stands for another.
const maxChain = 20

// behind yields the declarations that a declaration in g stands for.
func (b *builder) behind(g *file, d declared, links map[string]map[string]link) func(yield func(named) bool) {
	return func(yield func(named) bool) {
		for range maxChain {
			if d.base == "" {
				return
			}
			var to *file
			name := d.of
			for _, m := range g.imports {
				l := links[g.dir][m.path]
				if l.how != local || cmp.Or(m.local, l.name) != d.base || l.name == "" {
					continue
				}
				for _, h := range b.offered(l.dir, l.name, g) {
					if next, ok := h.declares[name]; ok {
						to, d = h, next
						break
					}
				}
				break
			}
			if to == nil || !yield(named{to, name}) {
				return
			}
			g = to
		}
	}
}

// methods are the declarations, in the given files, of methods that f selects
// and that the types have which a name is or yields.
func methods(f *file, files []*file, name string, d declared, selected map[string]bool) (list []named) {
	for _, g := range files {
		if len(g.methods) == 0 || g == f {
			continue
		}
		for i := -1; i < len(d.types); i++ {
			t := name
			if i >= 0 {
				t = d.types[i]
			}
			for _, m := range g.methods[t] {
				if selected[m] {
					list = append(list, named{g, t + "." + m})
				}
			}
		}
	}
	return list
}

// maxFiles bounds the files that one directive leads to.
const maxFiles = 5000

// around adds what directives name.
func (b *builder) around(f *file, add func(to string, u graph.Uses, r graph.Resolution)) {
	for _, i := range f.includes {
		for _, d := range append([]string{""}, i.dirs...) {
			if at, ok := under(f.dir, path.Join(d, i.name)); ok && b.exists[at] {
				add(at, graph.Runtime, graph.Explicit)
				break
			}
		}
	}
	for _, p := range f.embeds {
		for _, at := range b.embedded(f.dir, p) {
			add(at, graph.Runtime, graph.Explicit)
		}
	}
	for _, g := range f.generate {
		if at, ok := under(f.dir, g); ok {
			if b.exists[at] {
				add(at, graph.Dynamic, graph.Explicit)
			}
			for _, h := range b.folders[at] {
				if h.name == "main" && !h.test && strings.HasPrefix(g, ".") {
					add(h.path, graph.Dynamic, graph.Explicit)
				}
			}
		}
	}
}

// embedded are the files that a pattern of //go:embed takes.
func (b *builder) embedded(dir, pattern string) (list []string) {
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
			if a.Users == nil {
				a.Users = map[string]map[string][]string{}
			}
			if a.Users[u.file] == nil {
				a.Users[u.file] = map[string][]string{}
			}
			a.Users[u.file][u.name] = append(a.Users[u.file][u.name], f.path)
		}
	}
	for _, m := range a.Users {
		for n, list := range m {
			slices.Sort(list)
			m[n] = slices.Compact(list)
		}
	}
	a.Lost()
	a.Warnings = b.warnings
	err := a.Outside(ctx, b.roots, b.address)
	a.Warnings = graph.SortWarnings(a.Warnings)
	return a.Response, err
}

func names(f *file) (n graph.Names) {
	for name := range f.declares {
		if r := name[0]; r >= 'A' && r <= 'Z' {
			n.Exports = append(n.Exports, name)
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
