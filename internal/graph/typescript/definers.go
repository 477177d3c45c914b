package typescript

import (
	"path"
	"slices"
	"strings"

	"github.com/microsoft/typescript-go/tsshim"
)

// fileName is a name asked of a file.
type fileName struct{ file, name string }

// definers returns the files that define the names which an import asks of the
// module at t, as types only or not, sorted. Every way by which a name is
// handed on is followed, for two files may define one name. steps counts those of the
// file that imports.
func (b *builder) definers(t target, names []tsgo.Binding, typeOnly bool, steps *int) []string {
	if t.file == "" || !Analyses(t.file) || *steps > maxFileSteps || b.steps.Load() > maxAllSteps {
		return nil
	}
	before := *steps
	defer func() { b.steps.Add(int64(*steps - before)) }()
	found := map[string]bool{}
	seen := map[fileName]bool{}
	var todo []fileName
	ask := func(a fileName) {
		if !seen[a] {
			seen[a] = true
			todo = append(todo, a)
		}
	}
	for _, n := range names {
		if n.Type == typeOnly {
			ask(fileName{t.file, n.Name})
		}
	}
	for len(todo) > 0 {
		a := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		entry := b.modules.any(a.file)
		if entry == nil {
			continue
		}
		for _, m := range entry.reached() {
			if *steps++; *steps-before > maxSteps || *steps > maxFileSteps || b.steps.Load() > maxAllSteps {
				b.warn(b.files.id(t.file), "limit: hands names on through too many files; not every one that defines them is in the graph")
				return nil
			}
			if m.defines[a.name] {
				found[m.path] = true
				for _, add := range b.augments[m.path] {
					if add.name == a.name {
						found[add.from] = true
					}
				}
			}
			for _, f := range m.handsOn[a.name] {
				switch to := m.resolved()[f.Module]; {
				case to.file == "":
				case f.Of == "":
					found[to.file] = true
				default:
					ask(fileName{to.file, f.Of})
				}
			}
		}
	}
	out := make([]string, 0, len(found))
	var home string
	if t.library {
		home = b.packageOf(t.file)
	}
	for file := range found {
		if !t.library || b.packageOf(file) == home {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out
}

// Bounds on the search for what imports ask for: of one import, one file, all files.
// Of the largest repositories all together take some ten million steps.
const (
	maxSteps     = 2_000_000
	maxFileSteps = 10_000_000
	maxAllSteps  = 100_000_000
)

// maxStars bounds the modules that one hands on in full.
const maxStars = 2000

// reached returns the module and all those that it hands on in full (export *),
// and they in turn, with their exports indexed.
func (m *module) reached() []*module {
	m.reach.Do(func() {
		m.stars = []*module{m}
		seen := map[*module]bool{m: true}
		steps := 0
		defer func() { m.b.steps.Add(int64(steps)) }()
		for i := 0; i < len(m.stars); i++ {
			x := m.stars[i]
			x.index()
			for _, f := range x.file.Forwards {
				if f.Name != "" {
					continue
				}
				if steps++; len(m.stars) >= maxStars || steps > maxSteps/10 || m.b.steps.Load() > maxAllSteps {
					break
				}
				to := x.resolved()[f.Module]
				if to.file == "" {
					continue
				}
				if next := m.b.modules.any(to.file); next != nil && !seen[next] {
					seen[next] = true
					m.stars = append(m.stars, next)
				}
			}
		}
	})
	return m.stars
}

// index makes the module's exports quick to find.
func (m *module) index() {
	m.names.Do(func() {
		m.defines = make(map[string]bool, len(m.file.Defines))
		for _, n := range m.file.Defines {
			m.defines[n] = true
		}
		m.handsOn = map[string][]tsgo.Forward{}
		for _, f := range m.file.Forwards {
			if f.Name != "" {
				m.handsOn[f.Name] = append(m.handsOn[f.Name], f)
			}
		}
	})
}

// packageOf returns the nearest folder that holds a package.json, or "".
func (b *builder) packageOf(file string) string {
	for dir := path.Dir(file); dir != "/" && dir != "."; dir = path.Dir(dir) {
		if _, _, ok := b.files.mounted(dir); !ok {
			return ""
		}
		if b.files.fileExists(dir + "/package.json") {
			return dir
		}
		if strings.HasSuffix(dir, "/node_modules") {
			return ""
		}
	}
	return ""
}
