package golang

import (
	"context"
	"path"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/haversack-dev/haversack/internal/graph"
)

// moduleCache is what external roots hold of the modules that are required: each of them may be a
// module cache, or a GOPATH around one.
type moduleCache struct {
	// dirs are the folders of packages by module of the repository and import path; "" where there is none.
	dirs map[packageQuestion]string
	// homes are the modules by folder of a package.
	homes map[string]home
}

type packageQuestion struct {
	mod  *mod
	path string
}

// home is the module that a package is of, and the package's folder in it.
type home struct {
	module module.Version
	rest   string
}

// outside reports whether a folder is in an external root.
func outside(dir string) bool { return strings.HasPrefix(dir, "/") }

// of is the folder of the package of an import path, as far as it was found; "" where it was not.
func (c *moduleCache) of(p string, m *mod) string { return c.dirs[packageQuestion{m, p}] }

// requirements are the versions that a go.mod asks for.
func requirements(f *modfile.File) map[string]module.Version {
	needs := make(map[string]module.Version, len(f.Require))
	for _, r := range f.Require {
		needs[r.Mod.Path] = r.Mod
	}
	for _, r := range f.Replace {
		if old, ok := needs[r.Old.Path]; ok && (r.Old.Version == "" || r.Old.Version == old.Version) {
			if needs[r.Old.Path] = r.New; r.New.Version == "" {
				delete(needs, r.Old.Path) // a folder, which is found as such
			}
		}
	}
	return needs
}

// required is the version of a module that m is built with. A workspace takes the highest that its
// modules ask for; what their dependencies ask for, go.mod files hold since Go 1.17.
func (ms *modules) required(m *mod, p string) (best module.Version, ok bool) {
	best, ok = m.needs[p]
	if m.work != nil {
		for _, dir := range m.work.uses {
			if u := ms.byDir[dir]; u != nil {
				if v, has := u.needs[p]; has && (!ok || semver.Compare(v.Version, best.Version) > 0) {
					best, ok = v, true
				}
			}
		}
	}
	return best, ok
}

// maxInstalled bounds the files of dependencies that are read.
const maxInstalled = 20_000

// installed reads the packages of dependencies that are imported and that an external root holds.
func (b *builder) installed(ctx context.Context) error {
	c := &b.cache
	c.dirs, c.homes = map[packageQuestion]string{}, map[string]home{}
	if len(b.roots.External) == 0 {
		return nil
	}
	known := func(dir string) bool { return len(b.folders[dir]) > 0 }
	var list []graph.SourceFile
	read := map[string]bool{}
	for _, f := range b.files {
		if f == nil {
			continue
		}
		m := b.modules.of(f.dir)
		if m == nil {
			continue
		}
		for _, i := range f.imports {
			key := packageQuestion{m, i.path}
			if _, ok := c.dirs[key]; ok || module.CheckImportPath(i.path) != nil {
				continue
			}
			c.dirs[key] = ""
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if _, how := b.modules.find(i.path, f.dir, known); how != external {
				continue
			}
			dir, h, files := b.search(m, i.path)
			if c.dirs[key] = dir; dir == "" || read[dir] {
				continue
			}
			if len(list)+len(files) > maxInstalled {
				b.warn("", "limit: only %d of the files in module caches are read", maxInstalled)
				return b.readInstalled(ctx, list)
			}
			read[dir], c.homes[dir] = true, h
			list = append(list, files...)
		}
	}
	return b.readInstalled(ctx, list)
}

func (b *builder) readInstalled(ctx context.Context, list []graph.SourceFile) error {
	files := make([]*file, len(list))
	if err := graph.Each(ctx, len(list), func(i int) { files[i] = b.parse(&list[i]) }); err != nil {
		return err
	}
	for _, f := range files {
		if f != nil {
			b.folders[f.dir] = append(b.folders[f.dir], f)
		}
	}
	return nil
}

// search looks for the package of an import path in the caches: in the module with the longest path
// that has it.
func (b *builder) search(m *mod, p string) (dir string, h home, files []graph.SourceFile) {
	for prefix := p; prefix != "."; prefix = path.Dir(prefix) {
		v, ok := b.modules.required(m, prefix)
		if !ok {
			continue
		}
		escaped, err := module.EscapePath(v.Path)
		if err != nil {
			continue
		}
		version, err := module.EscapeVersion(v.Version)
		if err != nil {
			continue
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(p, prefix), "/")
		for _, e := range b.roots.External {
			for _, cache := range []string{".", "pkg/mod"} {
				at := path.Join(cache, escaped+"@"+version, rest)
				if files := sourcesIn(e, at); len(files) > 0 {
					return path.Join(e.Dir, at), home{v, rest}, files
				}
			}
		}
	}
	return "", home{}, nil
}

// sourcesIn are the Go files in a folder of an external root, but for tests.
func sourcesIn(e graph.ExternalRoot, dir string) (list []graph.SourceFile) {
	entries, err := e.Root.List(dir)
	if err != nil {
		return nil
	}
	for _, x := range entries {
		if x.Mode.IsRegular() && strings.HasSuffix(x.Name, ".go") && !strings.HasSuffix(x.Name, "_test.go") {
			if f, err := e.Root.File(dir + "/" + x.Name); err == nil {
				f.Path = path.Join(e.Dir, dir, x.Name)
				list = append(list, graph.SourceFile{File: f})
			}
		}
	}
	return list
}

// address is where a file has its place below <stan>/context.
func (b *builder) address(name string) string {
	h := b.cache.homes[path.Dir(name)]
	return path.Join("go", h.module.Path, h.module.Version, h.rest, path.Base(name))
}
