package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Canonical is a graph whose ids are archive addresses, and what is known of
// the files behind them.
type Canonical struct {
	Meta *Meta
	// Files holds every external node's file.
	Files map[string]Locator
	// Collisions are ids that more than one file would have, though their
	// bytes differ, each with the files' paths. The first of them stands in
	// Files. Selecting such an id is an error.
	Collisions map[string][]string
	Warnings   []Warning
}

// Locator is where an external node's file is.
type Locator struct {
	// Path is relative to the root, or absolute in an external root.
	Path   string
	Size   int64
	SHA256 string
}

// Map returns the map of the external nodes; dir is the root's absolute path.
func (c *Canonical) Map(dir string) *Map {
	m := &Map{Nodes: make(map[string]ExternalFile, len(c.Files))}
	for id, f := range c.Files {
		abs := f.Path
		if !strings.HasPrefix(abs, "/") {
			abs = strings.TrimSuffix(dir, "/") + "/" + abs
		}
		m.Nodes[id] = ExternalFile{abs, f.Size, f.SHA256}
	}
	return m
}

// Canonicalize gives every file its canonical id, merges the edges, and drops
// files that have no address. What is no file keeps the name that it has: the import as
// it is written, "../x" too.
//
// An external file has the address that its provider gives it. One without belongs to the package whose package.json is nearest to it,
// inside the dependency, and has a name and a version; else to the nearest that
// has a name, with version 0.0.0; else, below node_modules, to the folder that
// it is installed in. A file of a workspace package that lies in the root and
// in no named package but the repository's own is a source.
func Canonicalize(g *Graph, roots Roots, stanPath string) *Canonical {
	c := &Canonical{Meta: &Meta{Nodes: make(map[string]MetaNode, len(g.Nodes))}, Files: map[string]Locator{}, Collisions: map[string][]string{}}
	packages := packages{roots: roots, read: map[string]manifest{}, passed: map[string]bool{}}
	ids := make(map[string]string, len(g.Nodes))
	raws := slices.Sorted(maps.Keys(g.Nodes))
	// Files first: an import that leads nowhere never takes a file's id.
	slices.SortStableFunc(raws, func(a, b string) int { return rank(g.Nodes[a]) - rank(g.Nodes[b]) })
	for _, raw := range raws {
		n := g.Nodes[raw]
		id, kind := raw, n.Kind
		if n.Kind == External {
			if id = addressed(n.Address, stanPath); id == "" {
				id = packages.id(raw, stanPath)
			}
			if id == "" {
				id, kind = raw, Source
			}
		}
		if kind == Source && strings.HasPrefix(id, "/") {
			continue
		}
		if !utf8.ValidString(id) {
			c.Warnings = append(c.Warnings, Warning{Text: fmt.Sprintf("%q: the name is not UTF-8; the file is not in the graph", id)})
			continue
		}
		if !kind.File() {
			if id == "" {
				id = kinds[Missing] + ":"
			}
			if _, taken := c.Meta.Nodes[id]; taken {
				id = kind.String() + ":" + id
			}
		}
		ids[raw] = id
		old, taken := c.Meta.Nodes[id]
		if taken && kind == External {
			first, next := c.Files[id], Locator{raw, n.Size, n.SHA256}
			if packages.differ(first, next) {
				if c.Collisions[id] == nil {
					c.Collisions[id] = []string{first.Path}
				}
				c.Collisions[id] = append(c.Collisions[id], raw)
			} else if !first.measured() && next.measured() {
				c.Files[id], old.Size = next, next.Size
			}
			if len(ShortDescription(n.Description)) > len(ShortDescription(old.Description)) {
				old.Description = n.Description
			}
			c.Meta.Nodes[id] = old
			continue
		}
		m := MetaNode{Kind: kind, Description: n.Description}
		if kind.File() {
			m.Size = n.Size
		}
		c.Meta.Nodes[id] = m
		if kind == External {
			c.Files[id] = Locator{raw, n.Size, n.SHA256}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.Collisions)) {
		c.Warnings = append(c.Warnings, Warning{id, "stands for files with different content: " + strings.Join(c.Collisions[id], ", ")})
	}
	for raw, edges := range g.Edges {
		id, ok := ids[raw]
		if !ok {
			continue
		}
		n := c.Meta.Nodes[id]
		for _, e := range edges {
			if target, ok := ids[e.Target]; ok {
				n.Edges = append(n.Edges, Edge{target, e.Uses, e.Resolution})
			}
		}
		n.Edges = mergeEdges(n.Edges)
		c.Meta.Nodes[id] = n
	}
	if w, ok := packages.nameless(); ok {
		c.Warnings = append(c.Warnings, w)
	}
	c.Warnings = SortWarnings(c.Warnings)
	return c
}

func rank(n *Node) int {
	if n.Kind.File() {
		return 0
	}
	return 1
}

// Ecosystems are the folders below <stan>/context in which files of dependencies have their addresses.
var Ecosystems = []string{"npm", "abs", "go", "pypi"}

// addressed is the id of an address that a provider gives, or "".
func addressed(address, stanPath string) string {
	first, rest, _ := strings.Cut(address, "/")
	if rest == "" || !slices.Contains(Ecosystems, first) {
		return ""
	}
	for elem := range strings.SplitSeq(rest, "/") {
		if !pathElement(elem) {
			return ""
		}
	}
	return path.Join(stanPath, "context", address)
}

// packages finds out which package a file belongs to.
type packages struct {
	roots Roots
	read  map[string]manifest // by folder
	// passed are the manifests whose name no package may have that files of dependencies lie
	// below. One that gives none says how files are read, {"type":"module"}, and is no package's.
	passed map[string]bool
}

// nameless is the warning of manifests with a name that no package may have, if there are any.
func (p *packages) nameless() (Warning, bool) {
	list := slices.Sorted(maps.Keys(p.passed))
	if len(list) == 0 {
		return Warning{}, false
	}
	text := "has no name that a package may have; the files below it are addressed by the package around it"
	if len(list) > 1 {
		text += fmt.Sprintf(" (and so with %d more manifests)", len(list)-1)
	}
	return Warning{list[0], text}, true
}

// manifest is what a package.json says of itself.
type manifest struct {
	name, version string
	// misnamed: it cannot be read, or gives a name that no package may have.
	misnamed bool
}

// maxManifest is more than any package.json holds.
const maxManifest = 4 << 20

func (p *packages) manifest(dir string) manifest {
	if m, ok := p.read[dir]; ok {
		return m
	}
	var m manifest
	if b, err := p.roots.ReadFile(path.Join(dir, "package.json"), maxManifest); err == nil {
		m.misnamed = true
		var file struct{ Name, Version any }
		if json.Unmarshal(b, &file) == nil {
			s, ok := file.Name.(string)
			if ok && packageName(s) {
				m.name = s
			}
			m.misnamed = file.Name != nil && m.name == ""
			if s, ok := file.Version.(string); ok && pathElement(s) {
				m.version = s
			}
		}
	}
	p.read[dir] = m
	return m
}

// packageName reports whether s is a package's name: one path element, or two
// of which the first begins with "@".
func packageName(s string) bool {
	if scope, name, ok := strings.Cut(s, "/"); ok && strings.HasPrefix(s, "@") && len(scope) > 1 {
		return pathElement(scope) && pathElement(name)
	}
	return pathElement(s)
}

func pathElement(s string) bool {
	return s != "" && len(s) <= 214 && s != "." && s != ".." && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return r == '/' || r == '\\' || r < 0x20 || r == 0x7f })
}

// id returns an external file's canonical id, or "" for a file that is the
// repository's own.
func (p *packages) id(file, stanPath string) string {
	top, folder := p.bounds(file)
	var named, nameDir string
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if _, in := Below(top, dir); !in && top != "." {
			break
		}
		if top == "." && dir == "." {
			break
		}
		m := p.manifest(dir)
		if m.name != "" && m.version != "" {
			return npm(stanPath, m.name, m.version, dir, file)
		}
		if m.misnamed && dir != top {
			p.passed[path.Join(dir, "package.json")] = true
		}
		if m.name != "" && named == "" {
			named, nameDir = m.name, dir
		}
		if dir == top || dir == "/" || dir == "." {
			break
		}
	}
	if named != "" {
		return npm(stanPath, named, "0.0.0", nameDir, file)
	}
	if folder != "" {
		version := p.manifest(top).version
		if version == "" {
			version = "0.0.0"
		}
		return npm(stanPath, folder, version, top, file)
	}
	if !strings.HasPrefix(file, "/") && !strings.Contains("/"+file, "/node_modules/") {
		return ""
	}
	sum := sha256.Sum256([]byte(file))
	return path.Join(stanPath, "context/abs", hex.EncodeToString(sum[:]), path.Base(file))
}

// bounds returns the topmost folder that can be the file's package, and the
// package's name as the folder tells it where that is below node_modules.
func (p *packages) bounds(file string) (top, folder string) {
	if i := strings.LastIndex("/"+file, "/node_modules/"); i >= 0 {
		at := i + len("node_modules/")
		name, rest, ok := strings.Cut(file[at:], "/")
		if ok && strings.HasPrefix(name, "@") {
			var second string
			if second, _, ok = strings.Cut(rest, "/"); ok {
				name += "/" + second
			}
		}
		if ok && packageName(name) {
			return file[:at] + name, name
		}
		return path.Dir(file), ""
	}
	if strings.HasPrefix(file, "/") {
		for _, e := range p.roots.External {
			if _, in := Below(e.Dir, file); in {
				return e.Dir, ""
			}
		}
	}
	return ".", ""
}

func npm(stanPath, name, version, dir, file string) string {
	rel, _ := Below(dir, file)
	if dir == "." {
		rel = file
	}
	return path.Join(stanPath, "context/npm", name, version, rel)
}

// measured reports whether it is known what the file holds.
func (l Locator) measured() bool { return l.SHA256 != "" }

// differ reports whether two files hold different bytes. What is not known of one, and
// cannot be found out, is no difference.
func (p *packages) differ(a, b Locator) bool {
	if a.Size > 0 && b.Size > 0 && a.Size != b.Size {
		return true
	}
	for _, l := range []*Locator{&a, &b} {
		if l.SHA256 == "" {
			l.SHA256 = p.hash(l.Path)
		}
	}
	return a.SHA256 != "" && b.SHA256 != "" && a.SHA256 != b.SHA256
}

// MaxHashed bounds a file whose hash is taken although it is not read otherwise, in bytes:
// an image that a script imports.
const MaxHashed = 256 << 20

func (p *packages) hash(name string) string {
	root, rel, err := p.roots.In(name)
	if err != nil {
		return ""
	}
	if rel, err = root.Resolve(rel); err != nil {
		return ""
	}
	r, in, err := root.Open(rel)
	if err != nil {
		return ""
	}
	defer r.Close()
	if in.Size > MaxHashed {
		return ""
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
