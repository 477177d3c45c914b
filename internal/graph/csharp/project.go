package csharp

import (
	"bytes"
	"encoding/xml"
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
	usings []using
	// links are the patterns of the files of other folders that it compiles too, takes are those files.
	links []string
	takes map[string]bool
	// implicit says that it uses what its SDK does; saysImplicit that its file tells.
	implicit, saysImplicit bool
	// sees are the projects whose types it can use, itself included.
	sees map[*project]bool
}

// Bounds of projects: bytes of a file, elements that are looked at, patterns of files of other folders that one compiles, and files
// that all such patterns are compared with.
const (
	maxManifest = 1 << 20
	maxElements = 20_000
	maxLinks    = 200
	maxLooks    = 20_000_000
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
			case "ImplicitUsings":
				if text, err := d.RawToken(); err == nil {
					value, _ := text.(xml.CharData)
					on := strings.ToLower(strings.TrimSpace(string(value)))
					p.implicit, p.saysImplicit = on == "enable" || on == "true", true
				}
			case "Compile":
				for name := range strings.SplitSeq(include, ";") {
					name = path.Join(p.dir, strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"), "$(MSBuildThisFileDirectory)"))
					if strings.HasSuffix(name, ".cs") && !strings.Contains(name, "$(") && len(p.links) < maxLinks {
						p.links = append(p.links, name)
					}
				}
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
			old.links = append(old.links, p.links[:min(len(p.links), maxLinks-len(old.links))]...)
			old.implicit, old.saysImplicit = old.implicit || p.implicit, old.saysImplicit || p.saysImplicit
		} else {
			b.projects.byDir[p.dir] = p
		}
	}
	for dir, p := range b.projects.byDir {
		for d := dir; ; d = path.Dir(d) {
			for _, s := range b.projects.settings[d] {
				p.refers = append(p.refers, s.refers...)
				p.usings = append(p.usings, s.usings...)
				p.links = append(p.links, s.links[:min(len(s.links), maxLinks-len(p.links))]...)
				if s.saysImplicit && !p.saysImplicit { // the nearest counts
					p.implicit, p.saysImplicit = s.implicit, true
				}
			}
			if d == "." || d == "/" {
				break
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
		for i := range files {
			if *left--; *left < 0 {
				return
			}
			file := files[i].Path
			match := pattern
			if rest, below := strings.CutPrefix(file, dir+"/"); deep && below {
				match, file = base, path.Base(rest)
			}
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
