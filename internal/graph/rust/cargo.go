package rust

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// pack is a package of Cargo: its folder, the crates that it makes, and what it calls others by.
type pack struct {
	dir, name string
	// lib is the path of the library's root, roots are those of all other crates.
	lib   string
	roots []string
	// others are the folders of the packages that it depends on by path, by the name in code.
	others map[string]string
	// inherited are names in code of what the workspace depends on, with its name there.
	inherited map[string]string
	// workspace are the folders of packages that members may depend on, by name there.
	workspace map[string]string
	// called are the names of packages by the name in code, where it is another; patched are the folders of packages that stand
	// in for those of a registry, by name.
	called, patched map[string]string
	// asked are the packages that it depends on by their own names.
	asked []string
	// old says that paths begin at the root of the crate: the edition of 2015.
	old  bool
	root *node
}

// Bounds of a manifest and of one of its values, in bytes, and of what it depends on.
const (
	maxManifest = 1 << 20
	maxValue    = 10_000
	maxDepends  = 5_000
)

// manifests reads the packages of the repository.
func (b *builder) manifests(q graph.Request) {
	for i := range q.Others {
		s := &q.Others[i]
		if path.Base(s.Path) != "Cargo.toml" {
			continue
		}
		if s.Size > maxManifest {
			b.warnings = append(b.warnings, graph.Warning{Path: s.Path, Text: fmt.Sprintf("larger than %d bytes", maxManifest)})
			continue
		}
		content, err := graph.ReadSource(s, q.Roots)
		if err != nil {
			b.warnings = append(b.warnings, graph.Warning{Path: s.Path, Text: fmt.Sprintf("not read: %v", err)})
			continue
		}
		p := readManifest(path.Dir(s.Path), string(content))
		b.packs = append(b.packs, p)
		b.packOf[p.dir] = p
	}
}

// code is a package's name as code has it.
func code(name string) string { return strings.ReplaceAll(name, "-", "_") }

// readManifest reads a manifest line by line: the few keys that matter are written plainly.
func readManifest(dir, content string) *pack {
	p := &pack{dir: dir, others: map[string]string{}, inherited: map[string]string{}, workspace: map[string]string{}, called: map[string]string{}, patched: map[string]string{}, old: true}
	section, open, depth := "", "", 0
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if open != "" {
			// The value of a dependency goes on.
			open += " " + line
			if depth += braces(line); depth > 0 {
				if len(open) > maxValue {
					open = ""
				}
				continue
			}
			line, open = open, ""
		}
		if strings.HasPrefix(line, "[") {
			section = strings.ReplaceAll(strings.Trim(line, "[] \t"), `"`, "")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if depth = braces(value); depth > 0 {
			if len(line) <= maxValue {
				open = line
			}
			continue
		}
		p.take(section, strings.Trim(strings.TrimSpace(key), `"`), strings.TrimSpace(value))
	}
	return p
}

// braces counts those that open more than shut.
func braces(s string) int { return strings.Count(s, "{") - strings.Count(s, "}") }

// take takes in one key of a manifest.
func (p *pack) take(section, key, value string) {
	switch section {
	case "package":
		if key == "name" {
			p.name = code(quoted(value))
		} else if strings.HasPrefix(key, "edition") {
			p.old = quoted(value) == "2015"
		} else if key == "build" && quoted(value) != "" {
			p.roots = append(p.roots, path.Join(p.dir, quoted(value)))
		}
		return
	case "lib":
		if key == "path" {
			p.lib = path.Join(p.dir, quoted(value))
		} else if key == "name" {
			p.name = code(quoted(value))
		}
		return
	case "bin", "example", "test", "bench":
		if key == "path" {
			p.roots = append(p.roots, path.Join(p.dir, quoted(value)))
		}
		return
	}
	if strings.HasPrefix(section, "patch.") && len(p.patched) < maxDepends {
		p.patch(section, key, value)
		return
	}
	kind, name, ok := cutDependency(section)
	if !ok || len(p.others)+len(p.inherited)+len(p.workspace) > maxDepends {
		return
	}
	if name != "" { // [dependencies.name]
		p.depend(kind, name, "{ "+key+" = "+value+" }")
		return
	}
	if base, field, dotted := strings.Cut(key, "."); dotted { // name.workspace = true
		p.depend(kind, base, "{ "+field+" = "+value+" }")
		return
	}
	p.depend(kind, key, value)
}

// cutDependency tells a section of dependencies, and the one that it is about.
func cutDependency(section string) (kind, name string, ok bool) {
	kind = "own"
	if rest, found := strings.CutPrefix(section, "workspace."); found {
		kind, section = "workspace", rest
	}
	for _, s := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
		at := strings.LastIndex(section, s)
		if at > 0 && section[at-1] != '.' || at < 0 {
			continue
		}
		rest := section[at+len(s):]
		if rest == "" {
			return kind, "", true
		}
		if rest[0] == '.' {
			return kind, rest[1:], true
		}
	}
	return "", "", false
}

// patch takes in which folder stands in for a package of a registry: [patch.crates-io] name = { path }, or [patch.crates-io.name].
func (p *pack) patch(section, key, value string) {
	name := key
	if parts := strings.SplitN(section, ".", 3); len(parts) == 3 && key == "path" {
		name, value = parts[2], "{ path = "+value+" }"
	}
	fields := inline(value)
	if at := quoted(fields["path"]); at != "" {
		if as := quoted(fields["package"]); as != "" {
			name = as
		}
		p.patched[name] = path.Join(p.dir, at)
	}
}

// inline are the fields of a table in one line, nil of what is none.
func inline(value string) map[string]string {
	if !strings.HasPrefix(value, "{") {
		return nil
	}
	fields := map[string]string{}
	for part := range strings.SplitSeq(strings.Trim(value, "{} \t"), ",") {
		if k, v, ok := strings.Cut(part, "="); ok {
			fields[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return fields
}

// depend takes in what is said of a dependency.
func (p *pack) depend(kind, name, value string) {
	fields := inline(value)
	if at := quoted(fields["path"]); at != "" {
		dir := path.Join(p.dir, at)
		if kind == "workspace" {
			p.workspace[name] = dir
		} else {
			p.others[code(name)] = dir
		}
	}
	if strings.HasPrefix(fields["workspace"], "true") {
		p.inherited[code(name)] = name
	}
	as := quoted(fields["package"])
	switch {
	case kind == "workspace":
		if as != "" {
			p.called["workspace "+name] = as
		}
	case as != "":
		p.called[code(name)] = as
	case p.called[code(name)] == "" && len(p.asked) <= maxDepends:
		p.asked = append(p.asked, name)
	}
}

// settle finds the folders of all that packages depend on: what the workspace says for its members, what stands in for a package
// of a registry, and libraries that are called otherwise than their packages.
func (b *builder) settle() {
	for _, p := range b.packs {
		for _, as := range slices.Sorted(maps.Keys(p.inherited)) {
			for d := p.dir; p.others[as] == ""; d = path.Dir(d) {
				if w := b.packOf[d]; w != nil {
					if dir, ok := w.workspace[p.inherited[as]]; ok {
						p.others[as] = dir
					}
					if name := w.called["workspace "+p.inherited[as]]; name != "" {
						p.called[as] = name
					}
				}
				if d == "." {
					break
				}
			}
		}
		names := map[string]string{} // in code, of the packages
		for _, name := range p.asked {
			names[code(name)] = name
		}
		maps.Copy(names, p.inherited)
		maps.Copy(names, p.called)
		for as, name := range names {
			for d := p.dir; p.others[as] == ""; d = path.Dir(d) {
				if w := b.packOf[d]; w != nil && w.patched[name] != "" {
					p.others[as] = w.patched[name]
				}
				if d == "." {
					break
				}
			}
		}
		for _, as := range slices.Sorted(maps.Keys(p.others)) {
			if to := b.packOf[p.others[as]]; to != nil && p.called[as] == "" && to.name != "" && p.others[to.name] == "" {
				p.others[to.name] = p.others[as]
			}
		}
	}
}

// quoted is what a plain string says.
func quoted(value string) string {
	value = strings.TrimSpace(value)
	if len(value) < 2 || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	end := strings.IndexByte(value[1:], value[0])
	if end < 0 {
		return ""
	}
	return value[1 : 1+end]
}

// crates finds the roots of all crates: those that manifests name, and those that Cargo finds by their place.
func (b *builder) crates() {
	slices.SortFunc(b.packs, func(x, y *pack) int { return strings.Compare(x.dir, y.dir) })
	b.settle()
	for _, p := range b.packs {
		if p.lib == "" {
			p.lib = path.Join(p.dir, "src/lib.rs")
		}
		if i, ok := b.byPath[p.lib]; ok {
			p.root = b.plant(p, i)
		}
		for _, r := range p.roots {
			if i, ok := b.byPath[r]; ok {
				b.plant(p, i)
			}
		}
	}
	for i, f := range b.files {
		if f == nil {
			continue
		}
		if p := b.packAbove(f.dir); p != nil && conventional(strings.TrimPrefix(strings.TrimPrefix(f.path, p.dir), "/")) {
			b.plant(p, int32(i))
		}
	}
	for _, base := range []string{"lib.rs", "main.rs", ""} {
		for i, f := range b.files {
			if f != nil && len(f.nodes) == 0 && (base == "" || path.Base(f.path) == base) {
				b.plant(b.packAbove(f.dir), int32(i))
			}
		}
	}
}

// conventional reports whether Cargo takes a path below a package's folder for the root of a crate.
func conventional(rel string) bool {
	parts := strings.Split(rel, "/")
	switch {
	case rel == "src/main.rs" || rel == "build.rs":
		return true
	case len(parts) >= 2 && parts[0] == "src" && parts[1] == "bin":
		parts = parts[1:]
	case parts[0] != "examples" && parts[0] != "tests" && parts[0] != "benches":
		return false
	}
	return len(parts) == 2 || len(parts) == 3 && parts[2] == "main.rs"
}

// packAbove is the package in whose folder a folder is.
func (b *builder) packAbove(dir string) *pack {
	for d := dir; ; d = path.Dir(d) {
		if p := b.packOf[d]; p != nil && p.name != "" {
			return p
		}
		if d == "." {
			return nil
		}
	}
}

// crate is the library that a name in code means in a package.
func (b *builder) crate(p *pack, name string) *node {
	if p == nil {
		return nil
	}
	if name == p.name {
		return p.root
	}
	if other := b.packOf[p.others[name]]; p.others[name] != "" && other != nil {
		return other.root
	}
	return nil
}
