package csharp

import (
	"bytes"
	"encoding/xml"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// manifest is what a project's file says, or a file of settings that projects take in, as it stands there.
type manifest struct {
	path string
	// refers are projects, links files that are compiled, imports files of settings: paths with properties in them.
	refers, links, imports []string
	// packages are names of those that are referred to.
	packages   []string
	usings     []using
	properties []property
	// implicit says that all files use what the SDK does; saysImplicit that the file tells.
	implicit, saysImplicit bool
	// below says that all files of its folder are compiled, as the SDK does; listed that only those are that it names, and removes are
	// the patterns of what it leaves out.
	below, listed bool
	removes       []string
}

// property is a name that values may be written by: $(name).
type property struct{ name, value string }

func isProject(name string) bool { return strings.HasSuffix(name, ".csproj") }

// reads reports whether a file says something of projects; one of a solution does by where it is.
func reads(name string) bool {
	return isManifest(name) || strings.HasSuffix(name, ".sln") || strings.HasSuffix(name, ".slnx")
}

// names is the name of the package that a project makes: what it says itself, or that of its file; "" where it is a property's.
func (m *manifest) names() string {
	name := strings.TrimSuffix(path.Base(m.path), path.Ext(m.path))
	for _, p := range m.properties {
		if p.name == "packageid" {
			name = p.value
		}
	}
	if strings.Contains(name, "$(") {
		return ""
	}
	return strings.ToLower(name)
}

// isManifest reports whether a file is a project's, or may be taken in by one.
func isManifest(name string) bool {
	return isProject(name) || strings.HasSuffix(name, ".props") || strings.HasSuffix(name, ".targets") || strings.HasSuffix(name, ".projitems")
}

// maxValue bounds, in bytes, what a property is given.
const maxValue = 1000

// readManifest reads a file of a project, or of settings.
func readManifest(s *graph.SourceFile, roots graph.Roots) (*manifest, error) {
	m := &manifest{path: s.Path}
	err := graph.CopySource(s, roots, func(content []byte) error {
		d := xml.NewDecoder(bytes.NewReader(content[:min(len(content), maxManifest)]))
		d.Strict = false
		within := false // a group of properties
		for range maxElements {
			t, err := d.RawToken()
			if err != nil {
				return nil // what was read before counts
			}
			if end, ok := t.(xml.EndElement); ok && end.Name.Local == "PropertyGroup" {
				within = false
			}
			e, ok := t.(xml.StartElement)
			if !ok {
				continue
			}
			if within {
				m.set(e.Name.Local, d)
			}
			within = within || e.Name.Local == "PropertyGroup"
			m.take(e)
		}
		return nil
	})
	return m, err
}

// set takes the value of a property, which is the next token if it is a text.
func (m *manifest) set(name string, d *xml.Decoder) {
	t, err := d.RawToken()
	text, ok := t.(xml.CharData)
	if err != nil || !ok {
		return
	}
	value := strings.TrimSpace(string(text))
	if len(value) <= maxValue {
		m.properties = append(m.properties, property{strings.ToLower(name), m.here(value)})
	}
	switch name {
	case "ImplicitUsings":
		m.implicit, m.saysImplicit = strings.EqualFold(value, "enable") || strings.EqualFold(value, "true"), true
	case "EnableDefaultItems", "EnableDefaultCompileItems":
		m.listed = m.listed || !strings.EqualFold(value, "true")
	case "DefaultItemExcludes":
		m.leave(value)
	}
}

// here replaces the property that names the folder of the file in which it stands. A path that begins with a slash is one from the root
// of the repository.
func (m *manifest) here(value string) string {
	return strings.ReplaceAll(value, "$(MSBuildThisFileDirectory)", path.Join("/", path.Dir(m.path))+"/")
}

// leave takes the patterns of the files that are not compiled.
func (m *manifest) leave(values string) {
	for value := range strings.SplitSeq(values, ";") {
		if value = strings.TrimSpace(value); value != "" && len(value) <= maxValue {
			m.removes = append(m.removes, m.here(value))
		}
	}
}

// take takes what an element refers to.
func (m *manifest) take(e xml.StartElement) {
	get := func(name string) string {
		for _, a := range e.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	each := func(list *[]string, values string) {
		for value := range strings.SplitSeq(values, ";") {
			if value = strings.TrimSpace(value); value != "" && len(value) <= maxValue {
				*list = append(*list, m.here(value))
			}
		}
	}
	switch include := get("Include"); e.Name.Local {
	case "Project":
		m.below = m.below || strings.HasPrefix(get("Sdk"), "Microsoft.NET.Sdk")
	case "Compile":
		each(&m.links, include)
		m.leave(get("Remove"))
	case "ProjectReference":
		each(&m.refers, include)
	case "PackageReference":
		if include != "" && len(include) <= maxValue {
			m.packages = append(m.packages, strings.ToLower(include))
		}
	case "Import":
		each(&m.imports, get("Project"))
	case "Using":
		if include != "" {
			m.usings = append(m.usings, using{name: include, as: get("Alias"), static: strings.EqualFold(get("Static"), "true")})
		}
	}
}

// properties are those of one project by their names in lower case: what its own file gives them counts before what those of the folders
// above do. One that is given two values at one level is not known, as conditions are not weighed.
type properties struct {
	dir    string
	files  *graph.Request
	values map[string]given
	left   int // steps
}

type given struct {
	value  string
	level  int
	unlike bool
}

// maxSteps bounds the properties that are looked up for one project.
const maxSteps = 10_000

func newProperties(dir string, q *graph.Request) *properties {
	root := path.Join("/", dir)
	return &properties{dir, q, map[string]given{"msbuildprojectdirectory": {value: root, level: -1}, "projectdir": {value: root + "/", level: -1}}, maxSteps}
}

func (p *properties) give(list []property, level int) {
	for _, one := range list {
		old, known := p.values[one.name]
		switch {
		case !known:
			p.values[one.name] = given{value: one.value, level: level}
		case old.level == level && old.value != one.value:
			old.unlike = true
			p.values[one.name] = old
		}
	}
}

// expand returns a value with its properties replaced, false where one is not known.
func (p *properties) expand(value string, depth int) (string, bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(value, "$(")
		b.WriteString(before)
		if !found {
			return b.String(), b.Len() <= maxValue
		}
		end := closing(rest)
		if p.left--; end < 0 || depth == 0 || p.left < 0 || b.Len() > maxValue {
			return "", false
		}
		text, ok := p.property(rest[:end], depth)
		if !ok {
			return "", false
		}
		b.WriteString(text)
		value = rest[end+1:]
	}
}

// property returns the value of what stands between $( and ).
func (p *properties) property(name string, depth int) (string, bool) {
	if strings.HasPrefix(name, "[") {
		return p.call(name, depth)
	}
	one, known := p.values[strings.ToLower(name)]
	if !known || one.unlike {
		return "", false
	}
	return p.expand(one.value, depth-1)
}

// maxDepth bounds properties that are given by others.
const maxDepth = 8

// place returns the path that a value names, from the root of the repository, relative to a folder where it does not say otherwise.
func (p *properties) place(value, dir string) (string, bool) {
	if strings.HasPrefix(value, "$(MSBuildExtensionsPath") {
		return "", false
	}
	text, ok := p.expand(value, maxDepth)
	if !ok || text == "" {
		return "", false
	}
	text = strings.ReplaceAll(text, `\`, "/")
	if strings.HasPrefix(text, "/") {
		return strings.TrimPrefix(path.Clean(text), "/"), true
	}
	return path.Join(dir, text), true
}
