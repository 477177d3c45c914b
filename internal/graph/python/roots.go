package python

import (
	"path"
	"slices"
	"strings"
)

// search is where the files of a folder look for modules, in order: the folders that stand before the standard library
// on Python's path (a script's own, those that pytest puts there), and those behind it (what is installed).
type search struct {
	before, behind []string
	all            []string
}

// isTest reports whether pytest collects a file of this name.
func isTest(base string) bool {
	return strings.HasPrefix(base, "test_") && strings.HasSuffix(base, ".py") || strings.HasSuffix(base, "_test.py")
}

// maxPrefixes bounds the names of packages that are kept of all imports, maxPrefix their length: each is kept with all that
// it begins with.
const (
	maxPrefixes = 500_000
	maxPrefix   = 300
)

// uses notes which packages the absolute imports of a file go through: google and google.cloud for "import google.cloud.x".
func (t *folders) uses(f *file) {
	for i := range f.imports {
		d := &f.imports[i]
		if d.level > 0 || standard[d.module] || len(d.module) > maxPrefix {
			continue
		}
		if d.names != nil && len(t.used) < maxPrefixes {
			t.used[d.module] = true
		}
		for n := d.module; len(t.used) < maxPrefixes; {
			dot := strings.LastIndexByte(n, '.')
			if dot < 0 {
				break
			}
			if n = n[:dot]; t.used[n] {
				break
			}
			t.used[n] = true
		}
	}
}

// namespaceOf returns the root above a folder without __init__ in which others import it by its full name, so that it is
// a package there and no place of scripts; "" where there is none. packed is set where the root holds packages alone.
func (t *folders) namespaceOf(p string) (root string, packed bool) {
	for d := p; d != "."; {
		d = path.Dir(d)
		for _, r := range t.projects[d] {
			rel, ok := strings.CutPrefix(p, r+"/")
			if r == "." {
				rel, ok = p, p != "."
			}
			if ok && t.used[strings.ReplaceAll(rel, "/", ".")] && !strings.Contains(rel, ".") {
				return r, t.packed[r]
			}
		}
	}
	return "", false
}

// path returns where the files of a folder look for modules.
//
//   - Before the standard library: the folder that pytest inserts for tests and conftest.py (the first above them that is
//     no package), and that of scripts, for files outside of any package.
//   - Behind it: the first folder above the file's package that is no package, where no manifest's root gives the
//     package its name; then the roots of the projects around it, nearest first.
func (t *folders) path(dir string) *search {
	if s, ok := t.roots[dir]; ok {
		return s
	}
	s := &search{}
	t.roots[dir] = s
	add := func(list *[]string, d string) {
		if !slices.Contains(s.before, d) && !slices.Contains(s.behind, d) {
			*list = append(*list, d)
		}
	}
	own := t.own(dir)
	if outsideRoot(dir) {
		add(&s.behind, own)
		s.all = s.behind
		return s
	}
	root, packed := t.namespaceOf(own)
	built := false
	for d := dir; ; d = path.Dir(d) {
		built = built || t.built[d]
		if d == "." {
			break
		}
	}
	switch {
	case t.collected[own]:
		add(&s.before, own)
	case root != "":
	case own == dir || !built:
		add(&s.before, own)
	default:
		add(&s.behind, own)
	}
	for d := dir; ; d = path.Dir(d) {
		// pytest puts the folders of conftest.py on the path.
		if t.places[below(d, "conftest")].file != nil {
			add(&s.before, t.own(d))
		}
		for _, r := range t.projects[d] {
			add(&s.behind, r)
		}
		if d == "." {
			break
		}
	}
	if root != "" && !packed {
		add(&s.behind, own)
	}
	s.all = append(slices.Clone(s.before), s.behind...)
	return s
}
