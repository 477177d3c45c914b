package typescript

import (
	"path"
	"slices"
	"strings"

	"github.com/microsoft/typescript-go/tsshim"
)

// asked is a name asked of a file.
type asked struct{ file, name string }

// definers returns the files that define the names which an import asks of the
// module at t, as types only or not, sorted. Every way by which a name is
// handed on is followed, for two files may define one name.
func (b *builder) definers(t target, names []tsgo.Binding, typeOnly bool) []string {
	if t.file == "" || !Analyses(t.file) {
		return nil
	}
	found := map[string]bool{}
	seen := map[asked]bool{}
	var todo []asked
	ask := func(a asked) {
		if !seen[a] {
			seen[a] = true
			todo = append(todo, a)
		}
	}
	for _, n := range names {
		if n.Type == typeOnly {
			ask(asked{t.file, n.Name})
		}
	}
	for len(todo) > 0 {
		a := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		m := b.modules.any(a.file)
		if m == nil {
			continue
		}
		m.prepare()
		if m.defines[a.name] {
			found[a.file] = true
			for _, add := range b.augments[a.file] {
				if add.name == a.name {
					found[add.from] = true
				}
			}
		}
		follow := func(f tsgo.Forward, name string) {
			to := m.resolved()[f.Module]
			switch {
			case to.file == "":
			case name == "":
				found[to.file] = true
			default:
				ask(asked{to.file, name})
			}
		}
		for _, f := range m.handsOn[a.name] {
			follow(f, f.Of)
		}
		for _, f := range m.stars {
			follow(f, a.name)
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

// prepare indexes what the module exports.
func (m *module) prepare() {
	m.names.Do(func() {
		m.defines = make(map[string]bool, len(m.file.Defines))
		for _, n := range m.file.Defines {
			m.defines[n] = true
		}
		m.handsOn = map[string][]tsgo.Forward{}
		for _, f := range m.file.Forwards {
			if f.Name == "" {
				m.stars = append(m.stars, f)
			} else {
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
