// Package inclusion finds what files need from one another in the languages that name the other file: C, C++ and Objective-C,
// shell, Make, Dockerfiles, Terraform, Protocol Buffers, GraphQL, Lua, Dart, SQL, MDX, templates, pages and style sheets; and in Elixir, where a module
// has one name in all files.
//
// A reader a language finds what a text names (reference), comments and strings left aside, both branches of its conditions. Where
// that leads is the same question for all: a path beside the file, below a folder that is searched, or the end of one path in the
// repository.
//
//   - An explicit edge leads to the file of that name in the file's own folder, or in a folder that the project says is searched.
//   - An implicit one to the only file whose path ends so, or, of several, to the one that is nearest.
//   - Where several are as near, or a variable holds the name, none is drawn, and it is counted as undecided.
package inclusion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/views"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/text"
)

// Providers are the languages of this package.
var Providers = []graph.Provider{
	provide("c", "C, C++ and Objective-C", dialect{claims: named("C", "C++", "CUDA", "Objective-C"), read: readC, resolve: resolveC, reads: configuresC}),
	provide("shell", "Shell", dialect{claims: named("Shell"), read: readShell, resolve: resolveShell}),
	provide("make", "Make", dialect{claims: named("Make"), read: readMake, resolve: resolveMake, bare: true}),
	provide("docker", "Dockerfile", dialect{claims: language.IsDockerfile, read: readDocker, resolve: resolveDocker, bare: true}),
	provide("terraform", "Terraform", dialect{claims: named("Terraform"), read: readTerraform, resolve: resolveTerraform}),
	provide("protobuf", "Protocol Buffers", dialect{claims: named("Protocol Buffers"), read: readProto, resolve: resolveProto}),
	provide("graphql", "GraphQL", dialect{claims: named("GraphQL"), read: readGraphQL, resolve: resolveBeside}),
	provide("lua", "Lua", dialect{claims: named("Lua"), read: readLua, resolve: resolveLua}),
	provide("dart", "Dart", dialect{claims: named("Dart"), read: readDart, resolve: resolveDart, reads: isPubspec}),
	provide("elixir", "Elixir", dialect{claims: named("Elixir"), read: readElixir, resolve: resolveElixir}),
	provide("sql", "SQL", dialect{claims: named("SQL"), read: readSQL, resolve: resolveSQL}),
	provide("mdx", "MDX", dialect{claims: func(name string) bool { return strings.HasSuffix(name, ".mdx") }, read: readMDX, resolve: resolveMDX, bare: true}),
	provide("template", "Templates", dialect{claims: views.IsTemplate, read: readTemplate, resolve: resolveTemplate, bare: true}),
	provide("style", "Style sheets", dialect{claims: named("CSS", "Sass", "Less"), read: readStyle, resolve: resolveStyle, bare: true, reads: configuresStyle}),
}

var errBinary = errors.New("no text")

// dialect is how one language names files.
type dialect struct {
	claims, reads func(name string) bool
	// read finds what a text names.
	read func(f *file, src []byte)
	// resolve leads there.
	resolve func(b *builder, f *file, r reference) answer
	// bare is set where texts define nothing.
	bare bool
}

func provide(name, title string, d dialect) graph.Provider {
	if d.reads == nil {
		d.reads = func(string) bool { return false }
	}
	return graph.Provider{
		Name: name, Language: title, Claims: d.claims, Reads: d.reads, Bare: d.bare,
		Build:  func(ctx context.Context, q graph.Request) (*graph.Response, error) { return build(ctx, &d, q) },
		Define: declaration.Define,

		SameNeeds: d.sameNeeds,
	}
}

// named claims the files of languages.
func named(languages ...string) func(string) bool {
	return func(name string) bool {
		l := language.Of(name)
		return l != nil && slices.Contains(languages, l.Name)
	}
}

// reference is another file as a text names it.
type reference struct {
	name string
	// how is what stands around the name: " or < of C, or a letter that the language's reader and resolver agree on.
	how byte
}

// Ways that several languages share.
const (
	plain   = 0
	unknown = '?' // a variable or an expression holds the name
)

// file is what is kept of a text.
type file struct {
	path, dir string
	// as is the name by which the text is read.
	as         string
	references []reference
	// modules are those that the text declares, module the one of C++ that it is a part of.
	modules []string
	module  string
	// provided are the files of modules that a manifest names.
	provided []moduleFile
	// places are the values of variables that say where the text itself is, relative to its folder.
	places map[string]string
}

// moduleFile is a module that a file has.
type moduleFile struct{ module, path string }

// maxReferences bounds those of one text.
const maxReferences = 20_000

// maxName bounds a name in bytes: no path is longer.
const maxName = 1024

func (f *file) refer(name string, how byte) {
	if len(f.references) < maxReferences && len(name) <= maxName && name != "" && !strings.ContainsAny(name, "\x00\n") {
		f.references = append(f.references, reference{strings.Clone(name), how})
	}
}

// answer is where a reference leads.
type answer struct {
	paths      []string
	resolution graph.Resolution
	// undecided says that it may lead to several files, or that nobody knows; outside that it leads out of the repository.
	undecided, outside bool
}

// builder knows which files there are.
type builder struct {
	// sources are those of the language, and all others; both sorted by path.
	sources [2][]graph.SourceFile
	// ends are the files by their last name, dirs those by their folder: made when they are asked for.
	ends, dirs func() map[string][]string
	// views are the templates by name.
	views func() *views.Index
	// searched are the folders that the project says are searched, sorted.
	searched []string
	// loads are the folders in which sheets are looked for, by that of the configuration that says so.
	loads map[string][]string
	// modules are the files by the modules that they declare, at most two of each.
	modules map[string][]string
	// packages are Dart's, by name: their folders.
	packages map[string][]string
	// provided are the files of modules that a manifest names.
	provided map[string][]string
}

// file is what is kept of a text.
func (d *dialect) file(name, as string, content []byte) (*file, error) {
	switch e := text.Detect(content); e {
	case text.Binary:
		return nil, errBinary
	case text.UTF8:
	default:
		content = []byte(text.Decode(content, e))
	}
	f := &file{path: name, dir: path.Dir(name), as: as}
	d.read(f, bytes.TrimPrefix(content, []byte("\ufeff")))
	return f, nil
}

// sameNeeds reports whether what is kept of two texts is the same, in its order.
func (d *dialect) sameNeeds(name string, a, b []byte) bool {
	was, err := d.file(name, name, a)
	if err != nil {
		return false
	}
	is, err := d.file(name, name, b)
	return err == nil && reflect.DeepEqual(was, is)
}

func build(ctx context.Context, d *dialect, q graph.Request) (*graph.Response, error) {
	files := make([]*file, len(q.Files))
	faults := make([]error, len(q.Files))
	if err := graph.Each(ctx, len(files), func(i int) {
		s := &q.Files[i]
		faults[i] = graph.CopySource(s, q.Roots, func(content []byte) error {
			f, err := d.file(s.Path, s.As(), content)
			files[i] = f
			return err
		})
	}); err != nil {
		return nil, err
	}
	b := &builder{sources: [2][]graph.SourceFile{q.Files, q.Others}, packages: map[string][]string{}, loads: map[string][]string{}, modules: map[string][]string{}, provided: map[string][]string{}}
	b.ends = sync.OnceValue(func() map[string][]string { return b.group(path.Base) })
	b.dirs = sync.OnceValue(func() map[string][]string { return b.group(path.Dir) })
	b.views = sync.OnceValue(b.indexViews)
	var manifests []graph.SourceFile
	for _, list := range b.sources {
		for i := range list {
			if d.reads(list[i].Path) {
				manifests = append(manifests, list[i])
			}
		}
	}
	for _, f := range files {
		if f == nil {
			continue
		}
		for _, m := range f.modules {
			if list := b.modules[m]; len(list) < 2 && (len(list) == 0 || list[0] != f.path) {
				b.modules[m] = append(list, f.path)
			}
		}
		for _, p := range f.provided {
			if list := b.provided[p.module]; len(list) < maxFolder && !slices.Contains(list, p.path) && b.has(p.path) {
				b.provided[p.module] = append(list, p.path)
			}
		}
	}
	warnings := b.configure(q.Roots, manifests)
	a := graph.Assemble("", len(files))
	found := make([]output, len(files))
	if err := graph.Share(ctx, len(files), func(i int, w *graph.Work) {
		if files[i] != nil {
			found[i] = b.connect(d, files[i], w)
		}
	}); err != nil {
		return nil, err
	}
	for i, o := range found {
		if faults[i] != nil {
			warnings = append(warnings, graph.Warning{Path: q.Files[i].Path, Text: fmt.Sprintf("not parsed: %v", faults[i])})
			continue
		}
		if o.cut {
			warnings = append(warnings, graph.Warning{Path: q.Files[i].Path, Text: "limit: what it needs is not found out in full: it leads to too much"})
		}
		a.Add(q.Files[i].Path, o.edges, nil, nil)
		a.LeftOut += o.leftOut
		a.Undecided += o.undecided
		a.Names[q.Files[i].Path] = graph.Names{Imports: o.names}
	}
	a.Warnings = graph.SortWarnings(warnings)
	return a.Response, nil
}

// has reports whether there is a file of this path.
func (b *builder) has(p string) bool {
	for _, list := range b.sources {
		if _, ok := slices.BinarySearchFunc(list, p, func(s graph.SourceFile, p string) int { return strings.Compare(s.Path, p) }); ok {
			return true
		}
	}
	return false
}

// group are the paths of all files by what key makes of them.
func (b *builder) group(key func(string) string) map[string][]string {
	m := map[string][]string{}
	for _, list := range b.sources {
		for i := range list {
			k := key(list[i].Path)
			m[k] = append(m[k], list[i].Path)
		}
	}
	return m
}

// output is what was found in one file.
type output struct {
	edges              []graph.Edge
	names              []string
	leftOut, undecided int
	cut                bool
}

// connect finds the edges of a file.
func (b *builder) connect(d *dialect, f *file, w *graph.Work) (o output) {
	seen := map[reference]bool{}
	for _, r := range f.references {
		if seen[r] || !w.Take(1) {
			continue
		}
		seen[r] = true
		if r.how == unknown {
			o.undecided++
			continue
		}
		o.names = append(o.names, r.name)
		a := d.resolve(b, f, r)
		if a.undecided {
			o.undecided++
		}
		if a.outside {
			o.leftOut++
		}
		for _, to := range a.paths {
			if to != f.path && w.Draw() {
				o.edges = append(o.edges, graph.Edge{Target: to, Uses: graph.Runtime, Resolution: a.resolution})
			}
		}
	}
	o.cut = w.Cut
	slices.Sort(o.names)
	o.names = slices.Compact(o.names)
	return o
}

// at is the path of a name from a folder; "" where it leads out of the repository.
func at(dir, name string) string {
	if strings.HasPrefix(name, "/") {
		return ""
	}
	p := path.Join(dir, name)
	if p == ".." || strings.HasPrefix(p, "../") {
		return ""
	}
	return p
}

// beside is the file of this name in a folder.
func (b *builder) beside(dir, name string) (answer, bool) {
	p := at(dir, name)
	if p == "" || !b.has(p) {
		return answer{}, false
	}
	return answer{paths: []string{p}, resolution: graph.Explicit}, true
}

// maxEnds bounds how many files of one name are compared; of more, none is meant.
const maxEnds = 200

// end is the file whose path ends with a name: the only one, or the nearest.
func (b *builder) end(f *file, name string) answer {
	name = path.Clean(name)
	for strings.HasPrefix(name, "../") {
		name = name[3:]
	}
	list := b.ends()[path.Base(name)]
	if len(list) > maxEnds {
		return answer{undecided: true}
	}
	best, most := []string(nil), -1
	for _, p := range list {
		if p != name && !strings.HasSuffix(p, "/"+name) || p == f.path {
			continue
		}
		near := common(f.path, p)
		if near > most {
			best, most = nil, near
		}
		if near == most {
			best = append(best, p)
		}
	}
	switch len(best) {
	case 0:
		return answer{outside: true}
	case 1:
		return answer{paths: best, resolution: graph.Implicit}
	}
	return answer{undecided: true}
}

// common counts the folders in which both paths lie.
func common(a, b string) (n int) {
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// resolveBeside leads to the file of this name beside the text, and nowhere else.
func resolveBeside(b *builder, f *file, r reference) answer {
	if a, ok := b.beside(f.dir, r.name); ok {
		return a
	}
	return answer{outside: true}
}

// maxManifest bounds, in bytes, what is read of what says which folders are searched.
const maxManifest = 4 << 20

// maxSearched bounds the folders that are searched.
const maxSearched = 300

// configure reads what says which folders are searched, and where packages are.
func (b *builder) configure(roots graph.Roots, manifests []graph.SourceFile) (warnings []graph.Warning) {
	found, folders := map[string]bool{}, map[string]bool{}
	if len(manifests) == 0 {
		return nil
	}
	for d := range b.dirs() {
		for ; d != "." && !folders[d]; d = path.Dir(d) {
			folders[d] = true
		}
	}
	for i := range manifests {
		s := &manifests[i]
		if s.Size > maxManifest {
			warnings = append(warnings, graph.Warning{Path: s.Path, Text: fmt.Sprintf("larger than %d bytes", maxManifest)})
			continue
		}
		content, err := graph.ReadSource(s, roots)
		if err != nil {
			warnings = append(warnings, graph.Warning{Path: s.Path, Text: fmt.Sprintf("not read: %v", err)})
			continue
		}
		dir := path.Dir(s.Path)
		if isPubspec(s.Path) {
			if name := pubspecName(content); name != "" && len(b.packages[name]) < maxFolder {
				b.packages[name] = append(b.packages[name], dir)
			}
			continue
		}
		if configuresStyle(s.Path) {
			for _, d := range loadsOf(content) {
				if p := at(dir, d); p != "" && folders[p] && len(b.loads[dir]) < maxFolder {
					b.loads[dir] = append(b.loads[dir], p)
				}
			}
			continue
		}
		for _, d := range searchedBy(path.Base(s.Path), content) {
			if p := at(dir, d); p != "" && len(found) < maxSearched && (p == "." || folders[p]) {
				found[p] = true
			}
		}
	}
	for p := range found {
		b.searched = append(b.searched, p)
	}
	slices.Sort(b.searched)
	return warnings
}
