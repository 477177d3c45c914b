// Package rust finds what files of Rust need from one another.
//
// A crate is a tree of modules: from its root (Cargo.toml says which, or the place does) each "mod name;" leads to the file of that
// name, or to the ones that #[path] gives it, under any cfg. A path is followed through that tree as the language does: from crate,
// self and super, from what the module declares or imports, and from the crates that the package depends on by path.
//
//	explicit  from a module to those it declares; from a use, or a path in code, to the file of the module that it names; to
//	          what include! and its like load
//	implicit  to where what is named is defined, behind modules that hand it on (pub use, with * too); to the impl of a type that
//	          declares the member that a path names, where that is in another file than the type
//
// A name without a path leads to where it is defined where a "*" gives it, and a macro's where it is in sight; where a name is
// imported, the import leads there. Macros are not expanded: what they are given in braces at a module's top is the module's.
package rust

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// Provider is Rust.
var Provider = graph.Provider{
	Name:     "rust",
	Language: "Rust",
	Claims:   func(name string) bool { return strings.HasSuffix(name, ".rs") },
	Reads:    func(name string) bool { return path.Base(name) == "Cargo.toml" },
	Build:    build,
	Define:   declaration.Define,

	SameNeeds: names.SameNeeds(parse),
}

// node is a module of a crate.
type node struct {
	file, scope int32
	pack        *pack
	root, outer *node
	children    map[string][]*node
	// macros are those that the crate exports, at its root.
	macros map[string]*node
	// spreads are the modules in it whose macros are its own too.
	spreads []*node
	depth   int
}

// builder makes one answer.
type builder struct {
	files  []*file
	byPath map[string]int32
	others map[string]bool
	packs  []*pack
	packOf map[string]*pack
	nodes  int
	// members are the impls of types by what they declare.
	members map[memberKey][]memberPlace

	wanted   map[string]bool
	warnings []graph.Warning
}

// Bounds of the tree of modules: of all crates, and of one in another.
const (
	maxNodes = 500_000
	maxDeep  = 100
)

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b := &builder{byPath: map[string]int32{}, others: map[string]bool{}, packOf: map[string]*pack{}, wanted: q.Wanted()}
	var err error
	if b.files, b.warnings, err = names.Read(ctx, q, parse); err != nil {
		return nil, err
	}
	paths := make([]string, len(q.Files))
	for i := range q.Files {
		paths[i] = q.Files[i].Path
		b.byPath[paths[i]] = int32(i)
	}
	for i := range q.Others {
		b.others[q.Others[i].Path] = true
	}
	b.manifests(q)
	b.crates()
	b.implementations()
	found := make([]names.FileNames, len(b.files))
	if err := graph.Share(ctx, len(b.files), func(i int, w *graph.Work) {
		if b.files[i] != nil {
			found[i] = b.connect(int32(i), w)
		}
	}); err != nil {
		return nil, err
	}
	return names.Answer(paths, found, b.warnings), nil
}

// plant makes the tree of a crate from its root, if that file is no root yet.
func (b *builder) plant(p *pack, i int32) *node {
	f := b.files[i]
	if f == nil {
		return nil
	}
	for _, n := range f.nodes {
		if n.outer == nil {
			return n
		}
	}
	root := &node{file: i, pack: p, macros: map[string]*node{}}
	root.root = root
	b.grow(root, f.dir)
	return root
}

// grow adds to a module those that it declares; dir is the folder of their files.
func (b *builder) grow(n *node, dir string) {
	f := b.files[n.file]
	if f == nil {
		return
	}
	if b.nodes++; b.nodes > maxNodes {
		return
	}
	if n.scope == 0 {
		f.nodes = append(f.nodes, n)
		for _, m := range f.macros {
			n.root.macros[m] = n
		}
	}
	s := &f.scopes[n.scope]
	n.children = map[string][]*node{}
	for _, at := range s.inner {
		child := &node{file: n.file, scope: at, pack: n.pack, root: n.root, outer: n, depth: n.depth + 1}
		name := f.scopes[at].name
		n.children[name] = append(n.children[name], child)
		if f.scopes[at].spread {
			n.spreads = append(n.spreads, child)
		}
		b.grow(child, path.Join(dir, name))
	}
	if n.depth >= maxDeep {
		return
	}
	for _, m := range s.mods {
		for _, to := range b.modFiles(f, n, m, dir) {
			if b.above(n, to.file) {
				continue
			}
			child := &node{file: to.file, pack: n.pack, root: n.root, outer: n, depth: n.depth + 1}
			n.children[m.name] = append(n.children[m.name], child)
			if m.spread {
				n.spreads = append(n.spreads, child)
			}
			b.grow(child, to.dir)
		}
	}
}

// above reports whether a file is one of those that a module lies in.
func (b *builder) above(n *node, file int32) bool {
	for ; n != nil; n = n.outer {
		if n.file == file && n.scope == 0 {
			return true
		}
	}
	return false
}

// place is a file of a module, and the folder of those that it declares.
type place struct {
	file int32
	dir  string
}

// modFiles are the files that a module may be.
func (b *builder) modFiles(f *file, n *node, m mod, dir string) (list []place) {
	add := func(p, below string) bool {
		i, ok := b.byPath[p]
		if ok && !slices.ContainsFunc(list, func(x place) bool { return x.file == i }) {
			list = append(list, place{i, below})
		}
		return ok
	}
	for _, given := range m.paths {
		// From a file it is beside that, from a module in braces in the module's folder.
		at := f.dir
		if n.scope != 0 {
			at = dir
		}
		p := path.Join(at, given)
		add(p, path.Dir(p))
	}
	if !m.plain && !add(path.Join(dir, m.name+".rs"), path.Join(dir, m.name)) {
		add(path.Join(dir, m.name, "mod.rs"), path.Join(dir, m.name))
	}
	return list
}

// goal is what a path leads to: the module in which the last name was looked for, or that it is; and where that name is defined.
type goal struct {
	// named is nil where no path leads there.
	named, at *node
	item      string
}

// finder follows paths for one file, within what that may take.
type finder struct {
	*builder
	w     *graph.Work
	known map[lookupKey][]goal
}

// lookupKey is a name that was looked for in a module, from outside of it too, or a path that was followed from it.
type lookupKey struct {
	n    *node
	name string
	as   byte
}

// What is asked: a path, a name of a module, one that others see.
const (
	aPath = iota
	aName
	aHanded
)

// maxLooks bounds how far one name is followed through modules that hand it on, maxGoals what it may mean.
const (
	maxLooks = 12
	maxGoals = 8
)

// resolve follows a path from a module.
func (b *finder) resolve(n *node, p string, up int) (list []goal) {
	k := lookupKey{n, p, aPath}
	if known, ok := b.known[k]; ok || up <= 0 || !b.w.Take(1) {
		return known
	}
	b.known[k] = nil // while it is looked for, it leads nowhere
	defer func() { b.known[k] = list }()
	rest, rooted := strings.CutPrefix(p, "::")
	first, rest, _ := strings.Cut(rest, "::")
	var at []*node
	switch {
	case rooted:
		if c := b.crate(n.pack, first); c != nil {
			at = []*node{c}
		} else if n.pack != nil && n.pack.old {
			return b.resolve(n.root, strings.TrimPrefix(p, "::"), up-1)
		}
	case first == "crate":
		at = []*node{n.root}
	case first == "self":
		at = []*node{n}
	case first == "super":
		if n.outer == nil {
			return nil
		}
		at = []*node{n.outer}
	default:
		goals := b.look(n, first, aName, up-1)
		if len(goals) == 0 {
			if c := b.crate(n.pack, first); c != nil {
				goals = []goal{{c, c, ""}}
			} else {
				goals = b.renamed(n, first, up-1)
			}
		}
		for _, g := range onTheWay(goals, rest) {
			if rest == "" || g.item != "" {
				list = append(list, g)
			} else {
				at = append(at, g.at)
			}
		}
	}
	for _, m := range at {
		list = append(list, b.walk(m, rest, up)...)
		if len(list) > maxGoals {
			return list[:maxGoals]
		}
	}
	return list
}

// walk follows the rest of a path from a module.
func (b *finder) walk(n *node, rest string, up int) (list []goal) {
	if rest == "" {
		return []goal{{n, n, ""}}
	}
	name, more, _ := strings.Cut(rest, "::")
	if name == "super" {
		if n.outer == nil {
			return nil
		}
		return b.walk(n.outer, more, up)
	}
	for _, g := range onTheWay(b.look(n, name, aName, up-1), more) {
		switch {
		case g.item != "":
			list = append(list, goal{n, g.at, g.item})
		case more == "":
			// A module that another hands on is named there.
			if named := n; slices.Contains(n.children[name], g.at) {
				list = append(list, goal{g.at, g.at, ""})
			} else {
				list = append(list, goal{named, g.at, ""})
			}
		default:
			list = append(list, b.walk(g.at, more, up-1)...)
		}
	}
	return list
}

// renamed finds a crate by the name that the root of the crate gives it.
func (b *finder) renamed(n *node, name string, up int) []goal {
	s := &b.files[n.root.file].scopes[0]
	for _, i := range s.called[name] {
		if p := s.uses[i].path; n != n.root && (p == "crate" || strings.HasPrefix(p, "::")) {
			return b.resolve(n.root, p, up)
		}
	}
	return nil
}

// onTheWay leaves what is no module aside where a path goes on and a module has that name too.
func onTheWay(goals []goal, rest string) []goal {
	if rest == "" || !slices.ContainsFunc(goals, func(g goal) bool { return g.item == "" }) {
		return goals
	}
	return slices.DeleteFunc(slices.Clone(goals), func(g goal) bool { return g.item != "" })
}

// look finds a name in a module: what it declares and imports, under any cfg, and else what it imports with *.
func (b *finder) look(n *node, name string, as byte, up int) (list []goal) {
	k := lookupKey{n, name, as}
	if known, ok := b.known[k]; ok || up <= 0 || !b.w.Take(1) {
		return known
	}
	b.known[k] = nil
	defer func() { b.known[k] = list }()
	if c := n.children[name]; len(c) > 0 {
		for _, m := range c {
			list = append(list, goal{m, m, ""})
		}
	}
	f := b.files[n.file]
	s := &f.scopes[n.scope]
	if handed, ok := s.items[name]; ok && (handed || as == aName) {
		list = append(list, goal{n, n, name})
	}
	for _, i := range s.called[name] {
		if u := &s.uses[i]; u.handed || as == aName {
			list = append(list, b.resolve(n, u.path, up-1)...)
		}
		if len(list) > maxGoals {
			return list[:maxGoals]
		}
	}
	if len(list) > 0 {
		return list
	}
	if n == n.root && n.macros[name] != nil {
		return []goal{{n, n.macros[name], name}}
	}
	return b.spread(n, name, as, up)
}

// spread finds a name in what a module imports with *.
func (b *finder) spread(n *node, name string, as byte, up int) (list []goal) {
	s := &b.files[n.file].scopes[n.scope]
	for _, i := range s.stars {
		if !b.w.Take(1) {
			break
		}
		if as == aHanded && !s.uses[i].handed {
			continue
		}
		for _, g := range b.resolve(n, s.uses[i].path, up-2) {
			if g.item != "" || g.at == n {
				continue
			}
			// Of a module around it a module sees all.
			seen := byte(aHanded)
			if g.at.holds(n) {
				seen = aName
			}
			list = append(list, b.look(g.at, name, seen, up-2)...)
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// holds reports whether a module lies in this one, or is it.
func (n *node) holds(m *node) bool {
	for ; m != nil; m = m.outer {
		if m == n {
			return true
		}
	}
	return false
}

// textual finds a macro that is called without a path: one that a module around it declares, or is given by those within it.
func (b *finder) textual(n *node, name string) *node {
	for ; n != nil && b.w.Take(1); n = n.outer {
		if at := b.given(n, name, maxLooks); at != nil {
			return at
		}
	}
	return nil
}

// given is the module that declares a macro, among a module and those whose macros are its own.
func (b *finder) given(n *node, name string, up int) *node {
	if b.files[n.file].scopes[n.scope].macros[name] {
		return n
	}
	if up == 0 || !b.w.Take(1) {
		return nil
	}
	for _, c := range n.spreads {
		if at := b.given(c, name, up-1); at != nil {
			return at
		}
	}
	return nil
}

// languageCrates are those that come with the language.
var languageCrates = map[string]bool{"std": true, "core": true, "alloc": true, "proc_macro": true, "test": true}

// connect finds the edges of a file.
func (b *builder) connect(i int32, w *graph.Work) names.FileNames {
	f, found := b.files[i], names.NewFound(w)
	for _, p := range f.loaded {
		at := path.Join(f.dir, p)
		if _, ok := b.byPath[at]; (ok || b.others[at]) && at != f.path {
			found.Edge(at, graph.Explicit)
		}
	}
	for item := range f.scopes[0].items {
		found.Names.Exports = append(found.Names.Exports, item)
	}
	for k := range f.scopes {
		for _, u := range f.scopes[k].uses {
			found.Names.Imports = append(found.Names.Imports, strings.TrimPrefix(u.path, "::"))
		}
	}
	// A file that several crates include has the edges of all.
	c := finder{b, w, map[lookupKey][]goal{}}
	for _, n := range f.nodes {
		c.follow(n, f, &found)
	}
	return found
}

// follow draws the edges of a file as a module, and of those in its braces.
func (b *finder) follow(top *node, f *file, found *names.FileNames) {
	nodes := make([]*node, len(f.scopes))
	var walk func(n *node)
	walk = func(n *node) {
		nodes[n.scope] = n
		for _, name := range slices.Sorted(maps.Keys(n.children)) {
			for _, c := range n.children[name] {
				if c.file == n.file && c.scope != 0 {
					walk(c)
				} else {
					b.lead(n, goal{c, c, ""}, found)
				}
			}
		}
	}
	walk(top)
	for k, n := range nodes {
		if n == nil {
			continue
		}
		for _, u := range f.scopes[k].uses {
			goals := b.resolve(n, u.path, maxLooks)
			if len(goals) == 0 && n.root != n {
				// Before 2018 a use begins at the root.
				goals = b.resolve(n.root, u.path, maxLooks)
			}
			first, _, _ := strings.Cut(strings.TrimPrefix(u.path, "::"), "::")
			if len(goals) == 0 && !languageCrates[first] {
				found.LeftOut++
			}
			for _, g := range goals {
				b.lead(n, g, found)
			}
		}
	}
	for _, r := range f.refs {
		if n := nodes[r.scope]; n != nil {
			for _, g := range b.resolve(n, r.path, maxLooks) {
				b.lead(n, g, found)
				b.leadMember(n, g, r.path, found)
			}
		}
	}
	b.bareNames(f, nodes, found)
}

// bareNames draws the edges to what names without a path mean: macros that are in sight, and what a "*" gives.
func (b *finder) bareNames(f *file, nodes []*node, found *names.FileNames) {
	for _, r := range f.bare {
		n := nodes[r.scope]
		if n == nil || b.own(n, r.path) {
			continue
		}
		for _, g := range b.spread(n, r.path, aName, maxLooks) {
			b.lead(n, goal{nil, g.at, g.item}, found)
		}
	}
	for _, r := range f.called {
		n := nodes[r.scope]
		if n == nil || b.own(n, r.path) {
			continue
		}
		at := b.textual(n, r.path)
		if at == nil {
			for _, g := range b.spread(n, r.path, aName, maxLooks) {
				at = g.at
			}
		}
		for i := 0; at == nil && i < len(f.spread); i++ {
			if c := b.crate(n.pack, f.spread[i]); c != nil {
				at = c.macros[r.path]
			}
		}
		for root := n.root; at == nil && root != nil; root = nil {
			for _, name := range b.files[root.file].spread {
				if c := b.crate(n.pack, name); c != nil && at == nil {
					at = c.macros[r.path]
				}
			}
		}
		if at != nil {
			b.lead(n, goal{nil, at, r.path}, found)
		}
	}
}

// own reports whether a module declares a name, or imports it by that name.
func (b *finder) own(n *node, name string) bool {
	s := &b.files[n.file].scopes[n.scope]
	_, ok := s.items[name]
	return ok || len(n.children[name]) > 0 || len(s.called[name]) > 0
}

// lead draws the edges to what a path leads to.
func (b *builder) lead(from *node, g goal, found *names.FileNames) {
	own := b.files[from.file].path
	if g.named != nil {
		if to := b.files[g.named.file]; to != nil && to.path != own {
			found.Edge(to.path, graph.Explicit)
		}
	}
	if to := b.files[g.at.file]; to != nil && to.path != own {
		if g.named == nil || g.at.file != g.named.file {
			found.Edge(to.path, graph.Implicit)
		}
		if b.wanted[to.path] && g.item != "" {
			found.Use(to.path, g.item)
		}
	}
}
