package typescript

import (
	"path"
	"strings"
	"sync"

	"github.com/microsoft/typescript-go/tsshim"
)

// Nuxt and SvelteKit write the configuration that their projects extend when they run (.nuxt/tsconfig.json,
// .svelte-kit/tsconfig.json), and nobody commits it. What it says of names is the same wherever nobody says
// otherwise, so that a file that is there is more likely meant than not.

// frameworks find the project that a folder belongs to.
type frameworks struct {
	b    *builder
	dirs sync.Map // folder -> project
	// configs are the sources of each folder that say what names stand for.
	once    sync.Once
	configs map[string][]int
}

// project is the nearest folder with a framework's own configuration, none where dir is empty, and what tools are told.
type project struct {
	dir     string
	aliases []alias
	// stated is what the files of the folder say, and of those above it, nearest first.
	stated []stated
}

// alias is a name and the folders of a project for which it may stand.
type alias struct {
	name string
	to   []string
}

var (
	nuxtAliases = []alias{
		{"~~", []string{"."}}, {"@@", []string{"."}}, {"~", []string{"app", "src", "."}}, {"@", []string{"app", "src", "."}},
		{"#shared", []string{"shared"}},
	}
	kitAliases = []alias{{"$lib", []string{"src/lib"}}}
	ownConfigs = []struct {
		name    string
		aliases []alias
	}{
		{"nuxt.config.ts", nuxtAliases}, {"nuxt.config.js", nuxtAliases}, {"nuxt.config.mjs", nuxtAliases},
		{"svelte.config.js", kitAliases}, {"svelte.config.ts", kitAliases}, {"svelte.config.mjs", kitAliases},
	}
)

// of returns the nearest project around dir.
func (fs *frameworks) of(dir string) project {
	if p, ok := fs.dirs.Load(dir); ok {
		return p.(project)
	}
	var p project
	if _, _, mounted := fs.b.files.mounted(dir); mounted && dir != "/" {
		p = fs.of(path.Dir(dir))
		for _, c := range ownConfigs {
			if fs.b.files.fileExists(dir + "/" + c.name) {
				p.dir, p.aliases = dir, c.aliases
				break
			}
		}
		if own := fs.statedIn(dir); len(own) > 0 {
			p.stated = append(own, p.stated...)
		}
	}
	fs.dirs.Store(dir, p)
	return p
}

// aliased finds what a name leads to that a tool's configuration, or a framework, gives to a folder or a file.
func (b *builder) aliased(m *module, config *config, r tsgo.Ref) target {
	p := b.frameworks.of(path.Dir(m.path))
	for i := range p.stated {
		for _, name := range p.stated[i].leads(r.Name) {
			if name[0] != '/' {
				return b.unbuilt(name)
			}
			if t := b.at(m, config, name, r.Form); t.file != "" {
				t.how = convention
				return t
			}
		}
	}
	first, rest, deep := strings.Cut(r.Name, "/")
	if !strings.ContainsAny(first, "~@#$") {
		return target{}
	}
	for _, a := range p.aliases {
		if a.name != first {
			continue
		}
		for _, dir := range a.to {
			name := path.Join(p.dir, dir)
			if deep {
				name += "/" + rest
			}
			if t := b.at(m, config, name, r.Form); t.file != "" {
				t.how = convention
				return t
			}
		}
	}
	return target{}
}

// at finds the module, or the file, at an absolute path that is written as in an import.
func (b *builder) at(m *module, config *config, name string, form tsgo.Form) target {
	for _, mode := range []tsgo.Mode{m.modes().Of(form), tsgo.Any} {
		if t, err := config.Resolve(name, m.path, mode); err == nil && t.File != "" {
			return b.found(t, "")
		}
	}
	if file, _, _ := strings.Cut(name, "?"); b.files.fileExists(path.Clean(file)) {
		return b.found(tsgo.Resolution{File: path.Clean(file)}, "")
	}
	return target{}
}
