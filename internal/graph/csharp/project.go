package csharp

import (
	"bytes"
	"encoding/xml"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// project is a folder with a project's file: the folders of the projects that it refers to, and what it uses in all files.
type project struct {
	dir    string
	refers []string
	usings []using
	// sees are the projects whose types it can use, itself included.
	sees map[*project]bool
}

// Bounds of projects: bytes of a file, elements that are looked at.
const (
	maxManifest = 1 << 20
	maxElements = 20_000
)

// shared are names of files whose settings hold for the projects below them.
func shared(name string) bool {
	base := path.Base(name)
	return base == "Directory.Build.props" || base == "Directory.Build.targets"
}

func isProject(name string) bool { return strings.HasSuffix(name, ".csproj") }

// readProject reads what a project's file says.
func readProject(s *graph.SourceFile, roots graph.Roots) (*project, error) {
	p := &project{dir: path.Dir(s.Path)}
	err := graph.CopySource(s, roots, func(content []byte) error {
		d := xml.NewDecoder(bytes.NewReader(content[:min(len(content), maxManifest)]))
		d.Strict = false
		for range maxElements {
			t, err := d.RawToken()
			if err != nil {
				return nil // what was read before counts
			}
			e, ok := t.(xml.StartElement)
			if !ok {
				continue
			}
			get := func(name string) string {
				for _, a := range e.Attr {
					if a.Name.Local == name {
						return a.Value
					}
				}
				return ""
			}
			include := get("Include")
			switch e.Name.Local {
			case "ProjectReference":
				for name := range strings.SplitSeq(include, ";") {
					name = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"), "$(MSBuildThisFileDirectory)")
					if name != "" && !strings.Contains(name, "$(") {
						p.refers = append(p.refers, path.Dir(path.Join(p.dir, name)))
					}
				}
			case "Using":
				if include != "" {
					p.usings = append(p.usings, using{name: include, as: get("Alias"), static: strings.EqualFold(get("Static"), "true")})
				}
			}
		}
		return nil
	})
	return p, err
}

// projects are those of a repository by their folders.
type projects struct {
	byDir map[string]*project
	// settings are those of shared files, by their folders.
	settings map[string][]*project
}

// readProjects reads the files of projects.
func (b *builder) readProjects(q graph.Request) {
	b.projects = projects{map[string]*project{}, map[string][]*project{}}
	for i := range q.Others {
		s := &q.Others[i]
		if !isProject(s.Path) && !shared(s.Path) {
			continue
		}
		p, err := readProject(s, q.Roots)
		if err != nil {
			b.warnings = append(b.warnings, graph.Warning{Path: s.Path, Text: "not read: " + err.Error()})
			continue
		}
		if shared(s.Path) {
			b.projects.settings[p.dir] = append(b.projects.settings[p.dir], p)
		} else if old := b.projects.byDir[p.dir]; old != nil { // two in one folder: what either sees
			old.refers = append(old.refers, p.refers...)
			old.usings = append(old.usings, p.usings...)
		} else {
			b.projects.byDir[p.dir] = p
		}
	}
	for dir, p := range b.projects.byDir {
		for d := dir; ; d = path.Dir(d) {
			for _, s := range b.projects.settings[d] {
				p.refers = append(p.refers, s.refers...)
				p.usings = append(p.usings, s.usings...)
			}
			if d == "." || d == "/" {
				break
			}
		}
		slices.Sort(p.refers)
		p.refers = slices.Compact(p.refers)
	}
	left := maxElements * 10
	for _, p := range b.projects.byDir {
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
