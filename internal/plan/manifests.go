package plan

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// listed are the manifests that list packages, and how a line of one names a package.
var listed = map[string]*lazyregexp.Regexp{
	"package.json":     lazyregexp.New(`^\s*"((?:@[\w.-]+/)?[\w.-]+)"\s*:\s*"(?:[~^<>=*\dv]|npm:|workspace:|file:|catalog:)`),
	"go.mod":           lazyregexp.New(`^\s*(?:require\s+)?([\w-]+\.[\w./~-]+)\s+v\d`),
	"requirements.txt": lazyregexp.New(`^\s*([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*[=<>~!]=?`),
	"pyproject.toml":   lazyregexp.New(`^\s*["']?([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[=<>~!]=|=\s*["'{^~])`),
}

// maxImporters is how many files may import a package that the change touches in a
// manifest: one that more do is no reason to read any of them.
const maxImporters = 100

// maxAsked bounds the changed files whose new imports are looked for.
const maxAsked = 50

// tiePackages ties manifests to those who import what they list: the importers of
// a package on a touched line of a changed manifest, and the manifest above a changed
// file that imports a package anew. It adds edges, and says what each means.
func tiePackages(edges map[string][]string, d *snapshot.Dependencies, s *snapshot.Contents, patches []snapshot.FilePatch) map[string]string {
	says := map[string]string{}
	if d == nil {
		return says
	}
	var manifests []string
	for i := range s.Files {
		if f := &s.Files[i]; listed[path.Base(f.Path)] != nil {
			manifests = append(manifests, f.Path)
		}
	}
	asked := 0
	var own *ownPlaces
	for _, p := range patches {
		name := p.Change.Path
		if p.Change.Status == diff.Deleted {
			continue
		}
		if form := listed[path.Base(name)]; form != nil {
			dir := path.Dir(name) + "/"
			for _, pack := range named(form, p.Text) {
				var importers []string
				for file, names := range d.Result.Names {
					if (dir == "./" || strings.HasPrefix(file, dir)) && slices.ContainsFunc(names.Imports, func(spec string) bool { return ofPackage(spec, pack, path.Base(name)) }) {
						importers = append(importers, file)
					}
				}
				if len(importers) > maxImporters {
					continue
				}
				slices.Sort(importers)
				for _, file := range importers {
					if says[file] == "" {
						edges[file] = append(edges[file], name)
						says[file] = "imports " + pack + ", which the change touches in " + name
					}
				}
			}
			continue
		}
		at := manifestAbove(manifests, name)
		if at == "" || says[at] != "" || asked == maxAsked {
			continue
		}
		if asked++; own == nil {
			own = placesOf(s)
		}
		if importsAnew(foreign(d, own, d.Result.Names[name].Imports), p.Text) {
			edges[name] = append(edges[name], at)
			says[at] = "lists the packages of " + name + ", which imports one anew"
		}
	}
	return says
}

// named are the packages on the lines that a patch of a manifest writes or takes away.
func named(form *lazyregexp.Regexp, patch []byte) []string {
	var list []string
	for line := range bytes.Lines(patch) {
		if len(line) > 1 && (line[0] == '+' || line[0] == '-') && line[1] != line[0] && len(line) < 400 {
			if m := form.FindSubmatch(line[1:]); m != nil && !slices.Contains(list, string(m[1])) && len(list) < 50 {
				list = append(list, string(m[1]))
			}
		}
	}
	return list
}

// ofPackage reports whether an import is of a package as a manifest of this name
// lists it.
func ofPackage(spec, pack, manifest string) bool {
	switch manifest {
	case "package.json":
		return spec == pack || strings.HasPrefix(spec, pack+"/") || spec == typesOf(pack)
	case "go.mod":
		return spec == pack || strings.HasPrefix(spec, pack+"/")
	}
	module := strings.ReplaceAll(strings.ToLower(pack), "-", "_")
	spec = strings.ToLower(spec)
	return spec == module || strings.HasPrefix(spec, module+".")
}

// typesOf is the package that @types/… has the types of.
func typesOf(pack string) string { return strings.TrimPrefix(pack, "@types/") }

// manifestAbove is the nearest manifest in a file's folder or above, "" without one.
func manifestAbove(manifests []string, name string) string {
	best := ""
	for _, m := range manifests {
		dir := path.Dir(m)
		if (dir == "." || strings.HasPrefix(name, dir+"/")) && (best == "" || len(path.Dir(best)) < len(dir) || path.Dir(best) == "." && dir != ".") {
			best = m
		}
	}
	return best
}

// foreign are the imports that are packages of others: no builtins, and nothing that
// has a place in the repository.
func foreign(d *snapshot.Dependencies, own *ownPlaces, imports []string) []string {
	var list []string
	for _, spec := range imports {
		if len(spec) < 2 || strings.ContainsAny(spec[:1], "./#~") || strings.HasPrefix(spec, "@/") || strings.HasPrefix(spec, "node:") {
			continue
		}
		builtin := false
		for _, prefix := range []string{"go:", "python:", "node:"} {
			builtin = builtin || d.Result.Graph.Nodes[prefix+spec] != nil
		}
		if !builtin && !own.has(spec) {
			list = append(list, spec)
		}
	}
	return list
}

// ownPlaces are the places of the repository that an import may mean: every folder, and the modules of Python.
type ownPlaces struct {
	dirs    map[string]bool
	modules []string // of .py files: their paths without it, and their folders
}

func placesOf(s *snapshot.Contents) *ownPlaces {
	own := &ownPlaces{dirs: map[string]bool{}}
	for i := range s.Files {
		p := s.Files[i].Path
		dir := path.Dir(p)
		own.dirs[dir] = dir != "."
		if strings.HasSuffix(p, ".py") {
			own.modules = append(own.modules, Stem(p), dir)
		}
	}
	return own
}

// has reports whether an import's name ends with a folder of the repository, or is a module of its Python.
func (o *ownPlaces) has(spec string) bool {
	for rest := spec; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			break
		}
		if rest = rest[i+1:]; o.dirs[rest] {
			return true
		}
	}
	module := strings.ReplaceAll(spec, ".", "/")
	return slices.ContainsFunc(o.modules, func(m string) bool { return m == module || strings.HasSuffix(m, "/"+module) })
}

// importsAnew reports whether a patch writes a line that names a package of the file's
// imports, and takes none away that does.
func importsAnew(imports []string, patch []byte) bool {
	for _, spec := range imports {
		anew := 0
		for line := range bytes.Lines(patch) {
			if len(line) > len(spec) && (line[0] == '+' || line[0] == '-') && line[1] != line[0] && bytes.Contains(line, []byte(spec)) {
				if line[0] == '+' {
					anew++
				} else {
					anew--
				}
			}
		}
		if anew > 0 {
			return true
		}
	}
	return false
}
