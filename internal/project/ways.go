package project

import (
	"path"
	"slices"
	"strings"
)

// ProjectOf is the project with the nearest manifest above a path.
func (f *Facts) ProjectOf(name string) *Project {
	var best *Project
	for _, p := range f.Projects {
		if !p.Tool && Under(name, p.Dir) && (best == nil || len(p.Dir) > len(best.Dir)) {
			best = p
		}
	}
	return best
}

// Declared are the files that manifests declare, that programs start in, and that a
// package is named for.
func (f *Facts) Declared() map[string]bool {
	out := map[string]bool{}
	for _, p := range f.Projects {
		for _, e := range p.Entries {
			out[f.SourceOf(e.Path)] = true
		}
	}
	for _, p := range slices.Concat(f.Programs, f.PackageFiles()) {
		out[p] = true
	}
	return out
}

// PackageFiles are the files that a library is named for: <name>.go at the root, and
// __init__.py of the package.
func (f *Facts) PackageFiles() []string {
	var out []string
	for _, p := range f.Root() {
		name := strings.ToLower(path.Base(p.Name))
		if name == "" || name == "." {
			continue
		}
		tries := []string{}
		switch p.Ecosystem {
		case "go":
			tries = []string{name + ".go"}
		case "python":
			name = strings.ReplaceAll(name, "-", "_")
			tries = []string{"src/" + name + "/__init__.py", name + "/__init__.py", "lib/" + name + "/__init__.py"}
		}
		for _, t := range tries {
			if f.Files[t] != nil && !slices.Contains(f.Programs, t) {
				out = append(out, t)
				break
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// SourceOf is the file that a manifest's entry means: the file itself, or, when
// it is made by a build, the source it is made from. "" without one.
func (f *Facts) SourceOf(name string) string {
	if f.Files[name] != nil {
		return name
	}
	ext := path.Ext(name)
	stems := []string{name, name + "/index"}
	if ext != "" {
		stems = []string{strings.TrimSuffix(name, ext)}
	}
	for _, stem := range stems {
		dirs := strings.Split(stem, "/")
		for i, d := range dirs {
			var tries []string
			if slices.Contains([]string{"dist", "build", "lib", "out", "esm", "cjs"}, d) {
				head, tail := dirs[:i], dirs[i+1:]
				tries = append(tries, path.Join(slices.Concat(head, []string{"src"}, tail)...), path.Join(slices.Concat(head, tail)...))
			} else if i == len(dirs)-1 {
				tries = append(tries, stem)
			}
			for _, t := range tries {
				for _, e := range []string{".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"} {
					if f.Files[t+e] != nil {
						return t + e
					}
				}
			}
		}
	}
	return ""
}
