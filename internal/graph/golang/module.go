package golang

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/haversack-dev/haversack/internal/graph"
)

// maxMod bounds a go.mod or go.work: parsing is quick up to there, and no one
// writes a longer.
const maxMod = 1 << 20

// mod is one module of the repository.
type mod struct {
	dir  string
	path string
	// replaced are the folders that stand for module paths.
	replaced map[string]string
	// needs are the versions of the modules that it requires, those that stand for them taken.
	needs map[string]module.Version
	// work is the workspace that uses the module, or nil.
	work *work
}

// work is one go.work.
type work struct {
	dir      string
	uses     []string
	replaced map[string]string
}

// modules are the modules of the repository.
type modules struct {
	byDir map[string]*mod
	// byPath holds for each module path its folders; the first by path counts.
	byPath map[string][]string
	memo   map[string]*mod
}

// under is the path of a name relative to dir in the repository; "" where it
// leads outside.
func under(dir, name string) (string, bool) {
	if strings.HasPrefix(name, "/") || len(name) > 1000 {
		return "", false
	}
	p := path.Join(dir, name)
	return p, p != ".." && !strings.HasPrefix(p, "../")
}

// load reads the manifests among the sources.
func (b *builder) load(sources []graph.SourceFile) {
	ms := &b.modules
	ms.byDir, ms.byPath, ms.memo = map[string]*mod{}, map[string][]string{}, map[string]*mod{}
	var works []*work
	for i := range sources {
		s := &sources[i]
		base := path.Base(s.Path)
		if base != "go.mod" && base != "go.work" {
			continue
		}
		if s.Size > maxMod {
			b.warn(s.Path, "larger than %d bytes", maxMod)
			continue
		}
		content, err := graph.ReadSource(s, b.roots)
		if err != nil {
			b.warn(s.Path, "not read: %v", err)
			continue
		}
		dir := path.Dir(s.Path)
		if base == "go.work" {
			w, err := parseWork(dir, content)
			if err != nil {
				b.warn(s.Path, "%v", err)
				continue
			}
			works = append(works, w)
			continue
		}
		m, err := parseMod(dir, content)
		if err != nil {
			b.warn(s.Path, "%v", err)
		}
		if m != nil {
			ms.byDir[dir] = m
			ms.byPath[m.path] = append(ms.byPath[m.path], dir)
		}
	}
	for _, dirs := range ms.byPath {
		slices.Sort(dirs)
	}
	for _, w := range works {
		for _, dir := range w.uses {
			if m := ms.byDir[dir]; m != nil && (m.work == nil || len(w.dir) > len(m.work.dir)) {
				m.work = w
			}
		}
	}
}

func parseMod(dir string, content []byte) (m *mod, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("not parsed: %v", r)
		}
	}()
	f, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		// What is unknown to this version does not matter to paths.
		lax, fault := modfile.ParseLax("go.mod", content, nil)
		if fault != nil {
			p := modfile.ModulePath(content)
			if p == "" {
				return nil, err
			}
			return &mod{dir: dir, path: p}, err
		}
		f, err = lax, nil
	}
	if f.Module == nil || f.Module.Mod.Path == "" {
		return nil, fmt.Errorf("names no module")
	}
	return &mod{dir: dir, path: f.Module.Mod.Path, replaced: replacements(dir, f.Replace), needs: requirements(f)}, err
}

func parseWork(dir string, content []byte) (w *work, err error) {
	defer func() {
		if r := recover(); r != nil {
			w, err = nil, fmt.Errorf("not parsed: %v", r)
		}
	}()
	f, err := modfile.ParseWork("go.work", content, nil)
	if err != nil {
		return nil, err
	}
	w = &work{dir: dir, replaced: replacements(dir, f.Replace)}
	for _, u := range f.Use {
		if p, ok := under(dir, u.Path); ok {
			w.uses = append(w.uses, p)
		}
	}
	return w, nil
}

func replacements(dir string, list []*modfile.Replace) map[string]string {
	m := map[string]string{}
	for _, r := range list {
		if r.New.Version != "" {
			continue
		}
		if p, ok := under(dir, r.New.Path); ok {
			m[r.Old.Path] = p
		}
	}
	return m
}

// of returns the module that a folder belongs to, or nil.
func (ms *modules) of(dir string) *mod {
	if m, ok := ms.memo[dir]; ok {
		return m
	}
	m := ms.byDir[dir]
	if m == nil && dir != "." {
		m = ms.of(path.Dir(dir))
	}
	ms.memo[dir] = m
	return m
}

// where says what an import path means.
type where int

const (
	// external is a package that is in no root.
	external where = iota
	standard
	local
	// guessed is a module of the repository that nothing leads to: it is built
	// with a published version of it.
	guessed
)

// find returns the folder of the package that an import path means in a file
// of the folder from. known says whether a folder holds Go files.
func (ms *modules) find(p, from string, known func(dir string) bool) (dir string, w where) {
	m := ms.of(from)
	best := -1
	try := func(prefix, at string, how where) {
		if rest, ok := below(prefix, p); ok && len(prefix) > best {
			if d := path.Join(at, rest); ms.of(d) == ms.byDir[at] || ms.byDir[at] == nil {
				dir, w, best = d, how, len(prefix)
			}
		}
	}
	if m != nil {
		try(m.path, m.dir, local)
		if m.work != nil {
			for _, use := range m.work.uses {
				if u := ms.byDir[use]; u != nil {
					try(u.path, use, local)
				}
			}
			for prefix, at := range m.work.replaced {
				try(prefix, at, local)
			}
		}
		for prefix, at := range m.replaced {
			try(prefix, at, local)
		}
	}
	if w == local {
		return dir, local
	}
	first, _, _ := strings.Cut(p, "/")
	if !strings.Contains(first, ".") && isStandard(p) {
		return "", standard
	}
	vendors := []string{}
	if m != nil {
		vendors = append(vendors, m.dir)
		if m.work != nil {
			vendors = append(vendors, m.work.dir)
		}
	} else {
		// Before there were modules, any folder above could hold one.
		for d := from; ; d = path.Dir(d) {
			vendors = append(vendors, d)
			if d == "." {
				break
			}
		}
		if known("src/" + p) {
			return "src/" + p, local
		}
	}
	for _, v := range vendors {
		if d := path.Join(v, "vendor", p); known(d) {
			return d, local
		}
	}
	if m != nil {
		for prefix, dirs := range ms.byPath {
			try(prefix, dirs[0], guessed)
		}
		if w == guessed && known(dir) {
			return dir, guessed
		}
	}
	return "", external
}

// below returns the rest of an import path after a module's path.
func below(prefix, p string) (string, bool) {
	if p == prefix {
		return "", true
	}
	rest, ok := strings.CutPrefix(p, prefix)
	if !ok || rest[0] != '/' || module.CheckImportPath(p) != nil {
		return "", false
	}
	return rest[1:], true
}

// visible reports whether a file of the folder from may import the folder dir:
// what lies in a folder internal is for what lies beside that folder.
func visible(dir, from string) bool {
	i := strings.LastIndex("/"+dir+"/", "/internal/")
	if i < 0 || strings.Contains(dir, "vendor/") || outside(dir) {
		return true
	}
	parent := strings.TrimSuffix(("/" + dir + "/")[1:max(i, 1)], "/")
	return parent == "" || from == parent || strings.HasPrefix(from, parent+"/")
}
