package csharp

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// project is a folder with a project's file: the folders of the projects that it refers to, and what it uses in all files.
type project struct {
	dir    string
	refers []string
	// packages are the names of those that it refers to: what another project here makes under such a name is that project.
	packages []string
	usings   []using
	// links are the patterns of the files of other folders that it compiles too, takes are those files.
	links []string
	takes map[string]bool
	// implicit says that it uses what its SDK does.
	implicit bool
	// sees are the projects whose types it can use, itself included.
	sees map[*project]bool
	// below says that it compiles all files of its folder but those of the patterns in removes; around is the project above that
	// compiles its files so.
	below   bool
	removes []string
	around  *project
}

// Bounds of projects: bytes of a file, elements that are looked at, patterns of files of other folders that one compiles, and files
// that all such patterns are compared with.
const (
	maxManifest = 1 << 20
	maxElements = 20_000
	maxLinks    = 1_000
	maxLooks    = 20_000_000 // and, of files whose path begins as the pattern does, steps of the comparison
)

// projects are those of a repository by their folders.
type projects struct {
	byDir map[string]*project
}

// readProjects reads the files of projects, and what they take in.
func (b *builder) readProjects(q graph.Request) {
	b.projects = projects{byDir: map[string]*project{}}
	files := map[string]*manifest{}
	var own []*manifest
	for i := range q.Others {
		s := &q.Others[i]
		if !isManifest(s.Path) {
			continue
		}
		m, err := readManifest(s, q.Roots)
		if err != nil {
			b.warnings = append(b.warnings, graph.Warning{Path: s.Path, Text: "not read: " + err.Error()})
			continue
		}
		if files[s.Path] = m; isProject(s.Path) {
			own = append(own, m)
		}
	}
	said := maxTaken
	for _, m := range own {
		dir := path.Dir(m.path)
		p := b.projects.byDir[dir]
		if p == nil {
			p = &project{dir: dir}
			b.projects.byDir[dir] = p
		}
		p.say(gather(m, files, &q, &said), &said) // of two in one folder: what either sees
	}
	made := map[string]string{} // the folders of projects by the packages that they make, "" where several do
	for _, m := range own {
		if _, twice := made[m.names()]; twice {
			made[m.names()] = ""
		} else {
			made[m.names()] = path.Dir(m.path)
		}
	}
	for _, p := range b.projects.byDir {
		for _, name := range p.packages {
			if dir := made[name]; name != "" && dir != "" && dir != p.dir {
				p.refers = append(p.refers, dir)
			}
		}
		if p.implicit {
			p.usings = append(p.usings, ofSDK...)
		}
		slices.Sort(p.refers)
		p.refers = slices.Compact(p.refers)
	}
	looks := maxLooks
	for _, dir := range slices.Sorted(maps.Keys(b.projects.byDir)) {
		p := b.projects.byDir[dir]
		p.takes = map[string]bool{}
		p.take(q.Files, &looks)
	}
	above := map[string]*project{}
	for dir, p := range b.projects.byDir {
		if o := b.projects.of(path.Dir(dir), above); o != p && o.compiles(dir) {
			p.around = o
		}
	}
	left := maxTaken
	for _, dir := range slices.Sorted(maps.Keys(b.projects.byDir)) { // where too much is referred to, the same ones go without
		p := b.projects.byDir[dir]
		p.sees = map[*project]bool{p: true}
		for todo := []*project{p}; len(todo) > 0 && left > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, dir := range at.refers {
				left--
				if to := b.projects.byDir[dir]; to != nil && !p.sees[to] {
					p.sees[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
}

// Bounds of what projects say together, of their files as of what is followed from one to another, and of the files that one takes in.
const (
	maxTaken    = 2_000_000
	maxGathered = 100
)

// gathered are the files that speak for a project, its own first, those of the folders above last, and its properties.
type gathered struct {
	list  []*manifest
	known *properties
}

// gather finds the files that speak for a project. left counts what they say for all projects, as one file may speak for each.
func gather(own *manifest, files map[string]*manifest, q *graph.Request, left *int) gathered {
	g := gathered{known: newProperties(path.Dir(own.path), q)}
	taken := map[*manifest]bool{}
	type later struct {
		from  *manifest
		value string
		level int
	}
	var waiting []later
	var take func(m *manifest, level int)
	take = func(m *manifest, level int) {
		if m == nil || taken[m] || len(g.list) >= maxGathered || *left < 0 {
			return
		}
		*left -= len(m.properties) + len(m.imports)
		taken[m] = true
		g.list = append(g.list, m)
		g.known.give(m.properties, level)
		for _, value := range m.imports {
			if name, ok := g.known.place(value, path.Dir(m.path)); ok {
				take(files[name], level)
			} else {
				waiting = append(waiting, later{m, value, level})
			}
		}
	}
	take(own, 0)
	for dir, level := g.known.dir, 1; ; dir, level = path.Dir(dir), level+1 {
		take(files[path.Join(dir, "Directory.Build.props")], level)
		take(files[path.Join(dir, "Directory.Build.targets")], level)
		if dir == "." || dir == "/" {
			break
		}
	}
	again := waiting
	waiting = nil
	for _, w := range again { // by properties of the folders above
		if name, ok := g.known.place(w.value, path.Dir(w.from.path)); ok {
			take(files[name], w.level)
		}
	}
	return g
}

// compiles reports whether a project, if there is one, compiles the files of a folder below its own.
func (p *project) compiles(dir string) bool {
	return p != nil && p.below && !slices.ContainsFunc(p.removes, func(pattern string) bool {
		begins, _, _ := strings.Cut(pattern, "*")
		return strings.HasPrefix(dir+"/", begins)
	})
}

// say takes what files say of a project.
func (p *project) say(g gathered, left *int) {
	says, below, listed := false, false, false
	defer func() { p.below = p.below || below && !listed }()
	for _, m := range g.list {
		if *left -= 1 + len(m.refers) + len(m.packages) + len(m.links) + len(m.usings) + len(m.removes); *left < 0 {
			return
		}
		below, listed = below || m.below, listed || m.listed
		for _, value := range m.removes {
			if name, ok := g.known.place(value, p.dir); ok && len(p.removes) < maxLinks {
				p.removes = append(p.removes, name)
			}
		}
		for _, value := range m.refers {
			if name, ok := g.known.place(value, p.dir); ok {
				p.refers = append(p.refers, path.Dir(name))
			}
		}
		p.packages = append(p.packages, m.packages...)
		for _, value := range m.links {
			if name, ok := g.known.place(value, p.dir); ok && strings.HasSuffix(name, ".cs") && len(p.links) < maxLinks {
				p.links = append(p.links, name)
			}
		}
		p.usings = append(p.usings, m.usings...)
		if m.saysImplicit && !says { // the nearest counts
			p.implicit, says = p.implicit || m.implicit, true
		}
	}
}

// ofSDK are the directives that Microsoft.NET.Sdk adds with ImplicitUsings.
var ofSDK = []using{{name: "System"}, {name: "System.Collections.Generic"}, {name: "System.IO"}, {name: "System.Linq"}, {name: "System.Net.Http"}, {name: "System.Threading"}, {name: "System.Threading.Tasks"}}

// take finds the files of other folders that a project compiles too; left counts the files that patterns are compared with.
func (p *project) take(files []graph.SourceFile, left *int) {
	for _, pattern := range p.links {
		if !strings.ContainsAny(pattern, "*?[") {
			p.takes[pattern] = true
			continue
		}
		dir, base, deep := strings.Cut(pattern, "/**/")
		begins := pattern[:strings.IndexAny(pattern, "*?[\\")]
		for i := range files {
			if *left--; *left < 0 {
				return
			}
			file := files[i].Path
			if !strings.HasPrefix(file, begins) {
				continue
			}
			match := pattern
			if rest, below := strings.CutPrefix(file, dir+"/"); deep && below {
				match, file = base, path.Base(rest)
			}
			*left -= len(match) * len(file) / 64
			if ok, err := path.Match(match, file); err == nil && ok {
				p.takes[files[i].Path] = true
			}
		}
	}
}

// of returns the project that a folder lies in, nil where there is none.
func (p *projects) of(dir string, known map[string]*project) *project {
	if found, ok := known[dir]; ok {
		return found
	}
	found := p.byDir[dir]
	if found == nil && dir != "." && dir != "/" {
		found = p.of(path.Dir(dir), known)
	}
	known[dir] = found
	return found
}
