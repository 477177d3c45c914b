// Package swift finds what files of Swift need from one another.
//
// An import names a module, no file: edges lead to the files that declare what is used, of the file's own module, and of those
// that it imports. A module is a target of a package: its folder is the one that Package.swift says, else the one of its name in
// Sources or Tests. Files of no package are one module.
//
//	explicit  to what an import names of a module
//	implicit  to the types that are named, and the functions of no type that are called
//
// A type is looked for within the types around its name, in the module, and then in the imported ones. What a module declares
// several times, under conditions, is meant each time. What is private, and what a function declares, is seen by its own file only.
// Members that extensions add are not followed, nor is what a call returns.
package swift

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// Provider is Swift.
var Provider = graph.Provider{
	Name:     "swift",
	Language: "Swift",
	Claims:   func(name string) bool { return strings.HasSuffix(name, ".swift") },
	Reads:    func(string) bool { return false },
	Build:    build,
	Define:   declaration.Define,

	SameNeeds: names.SameNeeds(parse),
}

// module is a target of a package; id is its name in the index.
type module struct {
	id, name, dir string
	// handed are the modules that it hands on to who imports it.
	handed []string
}

// builder makes one answer.
type builder struct {
	files  []*file
	paths  []string
	index  *names.Index
	wanted map[string]bool
	// modules are those of a name, byDir those of a folder.
	modules map[string][]*module
	byDir   map[string]*module
	// packages are the manifests of folders.
	packages map[string]*file
	loose    *module
}

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b := &builder{index: names.NewIndex(nil), wanted: q.Wanted(), modules: map[string][]*module{}, byDir: map[string]*module{}, packages: map[string]*file{}, loose: &module{id: "-"}}
	files, warnings, err := names.Read(ctx, q, parse)
	if err != nil {
		return nil, err
	}
	b.files = files
	for _, f := range files {
		if f != nil && isManifest(f.path) {
			if dir := path.Dir(f.path); b.packages[dir] == nil {
				b.packages[dir] = f
			}
			for _, t := range f.targets {
				if t.path != "" {
					b.module(path.Join(path.Dir(f.path), t.path), t.name)
				}
			}
		}
	}
	b.paths = make([]string, len(files))
	for i, f := range files {
		if b.paths[i] = q.Files[i].Path; f == nil {
			continue
		}
		f.module = b.moduleOf(f.path)
		for _, t := range f.types {
			if !f.own[t] {
				b.index.Add(f.module.id, t, names.Place{File: int32(i)})
			}
		}
		for _, t := range f.functions {
			if !f.own[t+"()"] {
				b.index.Add(f.module.id, t+"()", names.Place{File: int32(i)})
			}
		}
		for _, x := range f.imports {
			if x.handed && !slices.Contains(f.module.handed, x.module) && len(f.module.handed) < maxHanded {
				f.module.handed = append(f.module.handed, x.module)
			}
		}
	}
	found := make([]names.FileNames, len(files))
	if err := graph.Share(ctx, len(files), func(i int, w *graph.Work) {
		if files[i] != nil {
			found[i] = b.connect(files[i], w)
		}
	}); err != nil {
		return nil, err
	}
	return names.Answer(b.paths, found, warnings), nil
}

// Bounds of the modules that one hands on, that one file sees, and that have one name; of more, none is meant.
const (
	maxHanded = 50
	maxSeen   = 200
	maxSame   = 200
)

// module is the one of a folder.
func (b *builder) module(dir, name string) *module {
	m := b.byDir[dir]
	if m == nil {
		m = &module{id: strings.ReplaceAll(dir, ".", "·"), name: name, dir: dir}
		b.byDir[dir] = m
		b.modules[name] = append(b.modules[name], m)
	}
	return m
}

// moduleOf is the module that a file belongs to.
func (b *builder) moduleOf(file string) *module {
	below := ""
	for d := path.Dir(file); ; d = path.Dir(d) {
		if m := b.byDir[d]; m != nil {
			return m
		}
		if manifest := b.packages[d]; manifest != nil {
			first, rest, _ := strings.Cut(below, "/")
			if !slices.Contains(targetFolders, first) {
				return b.loose
			}
			name, _, _ := strings.Cut(rest, "/")
			// The only target may be the folder itself.
			if only := manifest.only(first); only != "" && name != only {
				return b.module(path.Join(d, first), only)
			} else if name != "" {
				return b.module(path.Join(d, first, name), name)
			}
			return b.loose
		}
		if d == "." {
			return b.loose
		}
		below = path.Join(path.Base(d), below)
	}
}

// targetFolders are those in which a package's targets are looked for.
var targetFolders = []string{"Sources", "Source", "src", "srcs", "Tests", "Plugins"}

// only is the name of a manifest's one target whose kind is that of a folder, "" where there are several or none, or where it says
// where it is.
func (f *file) only(folder string) (name string) {
	for _, t := range f.targets {
		if t.test != (folder == "Tests") || t.plugin != (folder == "Plugins") {
			continue
		}
		if name != "" || t.path != "" {
			return ""
		}
		name = t.name
	}
	return name
}

// called is the module of a name that a file means: the only one, or the nearest.
func (b *builder) called(f *file, name string) *module {
	list := b.modules[name]
	if len(list) > maxSame {
		return nil
	}
	var best *module
	most, several := -1, false
	for _, m := range list {
		n := 0
		for n < min(len(m.dir), len(f.path)) && m.dir[n] == f.path[n] {
			n++
		}
		near := strings.Count(m.dir[:n], "/")
		if several = several && near <= most || near == most; near > most {
			best, most = m, near
		}
	}
	if several {
		return nil
	}
	return best
}

// connector finds the edges of one file.
type connector struct {
	*builder
	f *file
	// seen are the modules whose names the file has, its own first.
	seen []*module
	w    *graph.Work
	names.FileNames
}

func (b *builder) connect(f *file, w *graph.Work) names.FileNames {
	c := connector{b, f, []*module{f.module}, w, names.NewFound(w)}
	for _, x := range f.imports {
		c.Names.Imports = append(c.Names.Imports, x.module)
		m := b.called(f, x.module)
		if m == nil {
			c.LeftOut++
			continue
		}
		if x.item == "" {
			c.see(m)
			continue
		}
		list := b.index.Get(m.id, x.item)
		if len(list) == 0 {
			list = b.index.Get(m.id, x.item+"()")
		}
		c.lead(list, x.item, graph.Explicit)
	}
	for _, r := range f.refs {
		if !w.Take(len(c.seen) * (1 + strings.Count(r.in, "."))) {
			break
		}
		c.follow(r)
	}
	for _, t := range f.types {
		if !strings.Contains(t, ".") && !f.own[t] {
			c.Names.Exports = append(c.Names.Exports, t)
		}
	}
	for _, t := range f.functions {
		if !f.own[t+"()"] {
			c.Names.Exports = append(c.Names.Exports, t)
		}
	}
	return c.FileNames
}

// see adds a module, and those that it hands on.
func (c *connector) see(m *module) {
	if slices.Contains(c.seen, m) || len(c.seen) >= maxSeen {
		return
	}
	c.seen = append(c.seen, m)
	for _, name := range m.handed {
		if next := c.called(c.f, name); next != nil {
			c.see(next)
		}
	}
}

// follow draws the edges of a name.
func (c *connector) follow(r ref) {
	if r.call {
		if !c.f.own[r.chain+"()"] && c.index.Knows(r.chain+"()") {
			for _, m := range c.seen {
				if list := c.index.Get(m.id, r.chain+"()"); len(list) > 0 {
					c.lead(list, r.chain, graph.Implicit)
					return
				}
			}
		}
		return
	}
	head, rest, _ := strings.Cut(r.chain, ".")
	if c.f.hidden[head] {
		return
	}
	list, full := c.find(r.in, head)
	if len(list) == 0 {
		// It may be a module's name.
		if i := slices.IndexFunc(c.seen, func(m *module) bool { return m.name == head }); i >= 0 && rest != "" {
			full, rest, _ = strings.Cut(rest, ".")
			list = c.index.Get(c.seen[i].id, full)
		}
	}
	for len(list) > 0 {
		c.lead(list, full, graph.Implicit)
		var name string
		if name, rest, _ = strings.Cut(rest, "."); name == "" {
			return
		}
		full += "." + name
		list = c.any(full)
	}
}

// find looks for a name within the types around it, then in the modules; full is what it is called there.
func (c *connector) find(in, head string) (list []names.Place, full string) {
	if !c.index.Knows(head) {
		return nil, ""
	}
	for in != "" {
		if c.f.own[in+"."+head] {
			return nil, ""
		}
		if list = c.any(in + "." + head); len(list) > 0 {
			return list, in + "." + head
		}
		in = in[:max(0, strings.LastIndexByte(in, '.'))]
	}
	if c.f.own[head] {
		return nil, ""
	}
	return c.any(head), head
}

// any are the places of a full name in the first module that has it.
func (c *connector) any(full string) []names.Place {
	for _, m := range c.seen {
		if list := c.index.Get(m.id, full); len(list) > 0 {
			return list
		}
	}
	return nil
}

// maxParts bounds the files of a module that declare one name.
const maxParts = 4

// lead draws the edges to the files that declare a name.
func (c *connector) lead(list []names.Place, name string, r graph.Resolution) {
	if len(list) == 0 {
		return
	}
	if slices.ContainsFunc(list, func(p names.Place) bool { return c.files[p.File] == c.f }) {
		return
	}
	if len(list) > maxParts || c.files[list[0].File].module == c.loose {
		list = names.Nearest(c.f.path, list, func(i int32) string { return c.paths[i] })
		if len(list) > 1 {
			c.Undecided++
			return
		}
	}
	for _, p := range list {
		to := c.files[p.File]
		c.Edge(to.path, r)
		if c.wanted[to.path] {
			first, _, _ := strings.Cut(name, ".")
			c.Use(to.path, first)
		}
	}
}
