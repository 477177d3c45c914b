// Package typescript finds what TypeScript and JavaScript files need from one
// another, as TypeScript itself resolves it.
//
// Each file whose name ends in .ts .tsx .mts .cts .js .jsx .mjs .cjs is parsed
// by TypeScript's parser, and so are the script blocks of .vue .svelte .astro,
// those of one file together (component.go). Each module name is resolved by
// TypeScript's resolver, with the options of the nearest tsconfig.json or
// jsconfig.json over these defaults: moduleResolution node16, module as that
// implies. JavaScript and JSON are always looked at: allowJs and
// resolveJsonModule say what is checked, not what is needed. Names are resolved
// in the mode (import or require) of the file and the form, where that leads
// nowhere without one, and then in the other.
//
//	runtime   import, export from, import = require(), require() at the top
//	type      the same with the word type; import("x") as a type, in JSDoc too;
//	          /// <reference path> and <reference types>; declare module "x"
//	          in a module
//	dynamic   import(), require() inside a function
//
// An explicit edge leads to the file that a name resolves to; a name that is no
// module's, but the path of a file that is there (a style sheet, a component,
// with what follows a "?" left out), leads to that file. Implicit edges
// lead on, through files that hand imported names on, to the files that define
// them (and to those that add to a definition by declare module). From a file
// of a dependency they lead only to files of the same package.
//
// A package of the repository itself that does not resolve, because it is not
// installed or not built, leads to its source, by an implicit edge. So does a
// name that Nuxt or SvelteKit give to a folder of each project (~, @, $lib),
// where no configuration says otherwise.
//
// What bundlers and frameworks follow beside imports is an implicit edge where it is
// written out: new URL("x", import.meta.url), import.meta.glob, require.context,
// templateUrl and styleUrl, the files that a configuration of tests runs first. A pattern that begins with ! takes nothing away, and what
// leads nowhere may be a server's.
//
// Files that are no sources, because their folder is left out as a dependency
// by its name (vendor), are followed from the imports that lead there.
//
// Nothing outside the roots is opened. A file that cannot be read or parsed
// costs a warning and its own edges, nothing else.
package typescript

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/microsoft/typescript-go/tsshim"
)

// Options are those of Build.
type Options struct {
	// StanPath is where the program's own files are; ".stan" by default.
	StanPath string
	// Cache is a folder outside the repository in which what was parsed is
	// kept for the next run; "" means no cache. Whatever is wrong with the
	// cache costs time, nothing else.
	Cache string
}

// Result is what Build finds.
type Result struct {
	Graph *graph.Graph
	// Unresolved imports, sorted by name.
	Unresolved []graph.MissingImport
	Warnings   []graph.Warning
	// Outlines of the parsed sources by path.
	Outlines map[string]Outline
}

// Outline is what a file offers and asks for.
type Outline struct {
	// Exports are the names that it exports; "*" where it hands on all of
	// another module's. Sorted.
	Exports []string
	// Imports are the modules that it names, as written. Sorted.
	Imports []string
}

// Read returns the outline of one text.
func Read(name, text string) (Outline, error) {
	file, _, _, err := parseFile(new(tsgo.Parser), base+"/"+name, text, false)
	if err != nil {
		return Outline{}, fmt.Errorf("parsing %s: %w", name, err)
	}
	return outline(file), nil
}

func outline(f *tsgo.File) Outline {
	var o Outline
	o.Exports = append(o.Exports, f.Defines...)
	for _, w := range f.Forwards {
		o.Exports = append(o.Exports, cmp.Or(w.Name, "*"))
	}
	for _, r := range f.Refs {
		if r.Form < tsgo.Address {
			o.Imports = append(o.Imports, r.Name)
		}
	}
	slices.Sort(o.Exports)
	slices.Sort(o.Imports)
	o.Exports, o.Imports = slices.Compact(o.Exports), slices.Compact(o.Imports)
	return o
}

// Analyses reports whether files of this name are parsed.
func Analyses(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs":
		return true
	}
	return isComponent(name)
}

// Build makes the graph of the sources, which are files of roots.Root. Those
// in .git, in node_modules and in the program's own folders are passed over.
// The error is ctx's.
func Build(ctx context.Context, roots graph.Roots, sources []graph.SourceFile, o Options) (*Result, error) {
	b := newBuilder(roots, sources, cmp.Or(o.StanPath, ".stan"))
	b.cached = openCache(o.Cache)
	return b.build(ctx)
}

func (b *builder) build(ctx context.Context) (*Result, error) {
	if err := graph.Each(ctx, len(b.sources), b.load); err != nil {
		return nil, err
	}
	b.index()
	if err := graph.Each(ctx, len(b.sources), b.connect); err != nil {
		return nil, err
	}
	if err := b.follow(ctx); err != nil {
		return nil, err
	}
	if err := b.describe(ctx); err != nil {
		return nil, err
	}
	b.cached.save()
	return b.result(), nil
}

// builder makes one graph.
type builder struct {
	roots    graph.Roots
	files    *files
	compiler *tsgo.Compiler
	parser   tsgo.Parser
	sources  []graph.SourceFile
	// known are the sources by path: their index in sources.
	known  map[string]int
	cached *cache
	// defined takes what a source defines that was parsed; nil where nobody asks.
	defined func(name string, content []byte, list []graph.Definition)
	// wanted are the files whose users are asked for.
	wanted map[string]bool

	// modules are the parsed files by the compiler's path.
	modules modules
	configs configs

	// augments are the files that add to a name of a file, by the file's path.
	augments map[string][]augment
	// ambient are the files that declare a module.
	ambient  map[string]string
	packages workspace
	// frameworks are asked where no configuration knows a name.
	frameworks frameworks

	// out is by source, and then by followed file.
	out      []output
	followed []string

	// resolving is the time, in nanoseconds, that names took to resolve (meter); steps are
	// those of all definers.
	resolving, steps atomic.Int64
	// missed are the names of packages that lead nowhere.
	missedMu sync.Mutex
	missed   map[string]bool

	mu       sync.Mutex
	external map[string]*graph.Node
	warnings []graph.Warning
}

// augment is a name that the file from adds to.
type augment struct{ name, from string }

// output is what was found in one source.
type output struct {
	edges      []graph.Edge
	nodes      []edgeTarget
	unresolved []string
}

// edgeTarget is the target of an edge.
type edgeTarget struct {
	id   string
	node graph.Node
}

func newBuilder(roots graph.Roots, sources []graph.SourceFile, stan string) *builder {
	b := &builder{roots: roots, files: newFiles(roots), known: map[string]int{}, wanted: map[string]bool{}, external: map[string]*graph.Node{}, missed: map[string]bool{}, ambient: map[string]string{}, augments: map[string][]augment{}}
	b.compiler = b.files.compiler(&b.packages)
	b.modules.b, b.configs.b, b.packages.b, b.frameworks.b = b, b, b, b
	for _, s := range sources {
		if !graph.PassedOver(s.Path, stan) {
			b.known[s.Path] = len(b.sources)
			b.sources = append(b.sources, s)
		}
	}
	b.out = make([]output, len(b.sources))
	return b
}

func (b *builder) warn(id, format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.warnings = append(b.warnings, graph.Warning{Path: id, Text: fmt.Sprintf(format, args...)})
}

// load parses source i.
func (b *builder) load(i int) {
	s := &b.sources[i]
	if !Analyses(s.As()) {
		return
	}
	b.modules.source(b.files.abs(s.Path), s)
}

// index makes what needs all parsed sources: who adds to whose definitions,
// and who declares modules.
func (b *builder) index() {
	for i := range b.sources {
		s := &b.sources[i]
		m := b.modules.get(b.files.abs(s.Path))
		if m == nil {
			continue
		}
		for _, name := range m.file.Ambient {
			if _, ok := b.ambient[name]; !ok {
				b.ambient[name] = s.Path
			}
		}
		for _, a := range m.file.Augments {
			if !strings.HasPrefix(a.Module, ".") {
				continue
			}
			to := b.resolve(m, tsgo.Ref{Name: a.Module})
			for _, name := range a.Names {
				if to.file != "" {
					b.augments[to.file] = append(b.augments[to.file], augment{name, m.path})
				}
			}
		}
	}
}

// Limits of resolution. What they cut off is given up, file by file.
const (
	// maxRefs are the references of one file; generated lists of icons have 10,000.
	maxRefs = 20_000
	// maxMissing are those of one file that lead nowhere.
	maxMissing = 2000
	// maxMissed are the names of packages, of all files together, that lead nowhere. What
	// is not installed has some hundred names.
	maxMissed = 30_000
	// maxSegments bounds a name: "../../x" has 2.
	maxSegments = 128
	// fileTime is what the names of one file may take together, of a processor; some microseconds a
	// name are usual. Once all files together took hurryAfter, it is hurryTime, and
	// after maxResolving nothing is resolved any more.
	fileTime, hurryTime      = 4 * time.Second, 200 * time.Millisecond
	hurryAfter, maxResolving = 16 * time.Second, 40 * time.Second
)

// glance is how much of the clock goes by before the thread's own time is asked for, which takes longer.
const glance = time.Millisecond

// meter takes the time of one file's names: its thread's, for another machine, or one that has other things to do, must
// not draw another graph. Where the system does not tell that, it is by the clock.
type meter struct {
	b    *builder
	took time.Duration
	// looked is the clock when own was the thread's time; measured says that it is that.
	looked   time.Time
	own      time.Duration
	measured bool
}

// startMeter starts one. Its goroutine stays on its thread until the meter is stopped.
func (b *builder) startMeter() *meter {
	runtime.LockOSThread()
	m := &meter{b: b, looked: time.Now()}
	m.own, m.measured = tsgo.ThreadTime()
	return m
}

// more reports whether another name may be resolved.
func (m *meter) more() bool {
	if now := time.Now(); now.Sub(m.looked) > glance {
		m.read(now)
	}
	all, most := time.Duration(m.b.resolving.Load()), fileTime
	if all > hurryAfter {
		most = hurryTime
	}
	return m.took < most && all < maxResolving
}

func (m *meter) read(now time.Time) {
	d := now.Sub(m.looked)
	if m.measured {
		own, _ := tsgo.ThreadTime()
		d, m.own = own-m.own, own
	}
	m.looked, m.took = now, m.took+d
	m.b.resolving.Add(int64(d))
}

func (m *meter) stop() {
	m.read(time.Now())
	runtime.UnlockOSThread()
}

// target is what a module name leads to.
type target struct {
	// file is the compiler's path, "" when there is none.
	file string
	// library is set when it was found below a node_modules folder.
	library bool
	builtin string
	// skipped is set when it was not looked for.
	skipped bool
	// how says what found it: "" is TypeScript as it is configured.
	how string
}

const (
	anyMode   = "any"       // without a mode
	otherMode = "mode"      // by the other mode
	asset     = "asset"     // a file that is no module
	byProject = "project"   // by a configuration that the nearest one refers to
	unbuilt   = "workspace" // the source of a package of the repository
	// convention is a framework's own name for a folder.
	convention = "convention"
)

// resolve finds what a reference in m means.
func (b *builder) resolve(m *module, r tsgo.Ref) (found target) {
	if name, ok := builtin(r.Name); ok {
		return target{builtin: name}
	}
	// A name that holds a NUL byte, or is longer or deeper than any path, is no path.
	if strings.IndexByte(r.Name, 0) >= 0 || len(r.Name) > 4096 || strings.Count(r.Name, "/") > maxSegments {
		return target{}
	}
	config := b.configs.of(m.path)
	switch r.Form {
	case tsgo.Glob:
		return target{} // of many: globbed
	case tsgo.Address:
		if strings.Contains(r.Name, ":") || strings.HasPrefix(r.Name, "/") {
			return target{}
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(r.Name, "<rootDir>/"), "?")
		for _, ext := range []string{"", ".ts", ".js", ".mjs", ".tsx"} {
			if at := path.Join(path.Dir(m.path), name) + ext; b.files.fileExists(at) {
				return b.found(tsgo.Resolution{File: at}, asset)
			}
		}
		return target{}
	case tsgo.ReferencePath:
		at := path.Join(path.Dir(m.path), r.Name)
		for _, ext := range []string{"", ".ts", ".tsx", ".d.ts"} {
			if b.files.fileExists(at + ext) {
				return b.found(tsgo.Resolution{File: at + ext}, "")
			}
		}
		return target{}
	case tsgo.ReferenceTypes:
		t, err := config.ResolveTypes(r.Name, m.path)
		if err != nil {
			b.warn(b.files.id(m.path), "resolving %q: %v", r.Name, err)
		}
		if t.File == "" {
			return b.unbuilt(r.Name)
		}
		return b.found(t, "")
	}
	bare := !relative(r.Name)
	if bare && b.tooMany(r.Name) {
		return target{skipped: true}
	}
	defer func() {
		if bare && found.file == "" {
			b.miss(r.Name)
		}
	}()
	if t := b.module(m, config, r.Name, m.modes().Of(r.Form)); t.file != "" || r.Form == tsgo.Augmentation {
		return t
	}
	if t := b.asset(m, config, r); t.file != "" || !bare {
		return t
	}
	return b.aliased(m, config, r)
}

// tooMany reports whether a name is given up untried: each that leads nowhere takes
// some KB, for the compiler remembers where it looked.
func (b *builder) tooMany(name string) bool {
	b.missedMu.Lock()
	defer b.missedMu.Unlock()
	return len(b.missed) >= maxMissed && !b.missed[name]
}

func (b *builder) miss(name string) {
	b.missedMu.Lock()
	defer b.missedMu.Unlock()
	b.missed[name] = true
}

// relative reports whether a name is a path from the file that holds it.
func relative(name string) bool {
	return strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || name == "." || name == ".."
}

// module finds the module that a name means in a mode.
func (b *builder) module(m *module, config *config, name string, mode tsgo.Mode) target {
	from := m.path
	if !relative(name) {
		// The compiler remembers answers by folder, and what is not installed is looked for in each above it.
		from = path.Join(b.files.scope(path.Dir(m.path)), path.Base(m.path))
	}
	try := func(c *tsgo.Config, mode tsgo.Mode, how string) (target, bool) {
		t, err := c.Resolve(name, from, mode)
		if err != nil {
			b.warn(b.files.id(m.path), "resolving %q: %v", name, err)
		}
		return b.found(t, how), t.File != ""
	}
	if t, ok := try(config.Config, mode, ""); ok {
		return t
	}
	if mode != tsgo.Any {
		if t, ok := try(config.Config, tsgo.Any, anyMode); ok {
			return t
		}
	}
	if relative(name) {
		return target{}
	}
	if mode != config.OtherMode {
		if t, ok := try(config.Config, config.OtherMode, otherMode); ok {
			return t
		}
	}
	for _, c := range b.configs.references(config) {
		if t, ok := try(c.Config, tsgo.Any, byProject); ok {
			return t
		}
	}
	return b.unbuilt(name)
}

// unbuilt finds the source of a package of the repository.
func (b *builder) unbuilt(name string) target {
	if file := b.packages.source(name); file != "" {
		return target{file: b.files.abs(file), how: unbuilt}
	}
	return target{}
}

// asset finds the file that is named by its path, though it is no module: what
// a bundler makes one of. It may say how after a "?".
func (b *builder) asset(m *module, config *config, r tsgo.Ref) target {
	name, _, asked := strings.Cut(r.Name, "?")
	var at []string
	if relative(name) {
		at = []string{path.Join(path.Dir(m.path), name)}
	} else {
		at = config.Mapped(name)
	}
	for _, file := range at {
		if b.files.fileExists(file) {
			return b.found(tsgo.Resolution{File: file}, asset)
		}
		if index := file + "/index.vue"; name != "" && b.files.fileExists(index) {
			return b.found(tsgo.Resolution{File: index}, asset)
		}
	}
	if asked && name != "" {
		if t := b.module(m, config, name, m.modes().Of(r.Form)); t.file != "" && t.how != unbuilt {
			t.how = asset
			return t
		}
	}
	return target{}
}

// found is the target of a resolution. A source that is reached by links is
// itself.
func (b *builder) found(r tsgo.Resolution, how string) target {
	if r.File == "" {
		return target{}
	}
	t := target{file: r.File, library: r.External || strings.Contains(r.File, "/node_modules/"), how: how}
	if _, ok := b.known[b.files.id(t.file)]; !ok {
		if real := b.files.realpath(t.file); real != t.file {
			t.file = real
			t.library = t.library || strings.Contains(real, "/node_modules/")
		}
	}
	return t
}

// connect finds the edges of source i.
func (b *builder) connect(i int) {
	if m := b.modules.get(b.files.abs(b.sources[i].Path)); m != nil {
		b.out[i] = b.edges(m)
	}
}

// edges finds what a module needs.
func (b *builder) edges(m *module) (out output) {
	seen := map[graph.Edge]bool{}
	nodes := map[string]bool{}
	add := func(id string, n graph.Node, u graph.Uses, res graph.Resolution) {
		e := graph.Edge{Target: id, Uses: u, Resolution: res}
		if !seen[e] {
			seen[e] = true
			out.edges = append(out.edges, e)
		}
		if !nodes[id] {
			nodes[id] = true
			out.nodes = append(out.nodes, edgeTarget{id, n})
		}
	}
	targets := m.resolved()
	steps, lost := 0, 0
	for j, r := range m.file.Refs[:m.given] {
		u := graph.Uses(1) << r.Kind
		t := targets[j]
		switch {
		case t.builtin != "":
			add(t.builtin, graph.Node{Kind: graph.Builtin, Language: "other"}, u, graph.Explicit)
			continue
		case t.skipped:
			lost++
			continue
		case t.file == "" && r.Form == tsgo.Augmentation:
			// It declares names of modules, more often than one that is there.
			continue
		case r.Form == tsgo.Glob:
			for _, id := range b.globbed(m, r.Name) {
				add(id, graph.Node{Kind: graph.Source, Language: graph.Language(id)}, u, graph.Implicit)
			}
			continue
		case t.file == "" && r.Form == tsgo.Address:
			continue // what a server may give
		case t.file == "":
			name := missing(r.Name)
			if _, taken := b.known[name]; taken {
				name = "missing:" + name
			}
			if len(out.unresolved) == maxMissing {
				lost++
				continue
			}
			add(name, graph.Node{Kind: graph.Missing, Language: "other"}, u, graph.Explicit)
			out.unresolved = append(out.unresolved, r.Name)
			continue
		}
		res := graph.Explicit
		if t.how == unbuilt || t.how == convention || m.file.Approximate || r.Form == tsgo.Address {
			res = graph.Implicit
		}
		id, n := b.node(t.file, t.library)
		add(id, n, u, res)
		for _, only := range []bool{false, true} {
			for _, file := range b.definers(t, r.Bindings, only, &steps) {
				id, n := b.node(file, t.library)
				if only {
					u = graph.Type
				}
				add(id, n, u, graph.Implicit)
			}
		}
	}
	if lost > 0 {
		b.warn(b.files.id(m.path), "limit: %d of its imports are left out: too many lead nowhere", lost)
	}
	return out
}

// maxFollowed bounds the files that are read though they are no sources.
const maxFollowed = 20_000

// follow finds the edges of the files in folders of dependencies that the
// repository holds itself, as far as imports lead there.
func (b *builder) follow(ctx context.Context) error {
	seen := map[string]bool{}
	at := b.out
	for len(at) > 0 {
		var list []string
		for i := range at {
			for _, f := range at[i].nodes {
				if _, ok := b.known[f.id]; !ok && !seen[f.id] && f.node.Kind == graph.Source && Analyses(f.id) && vendored(f.id) {
					seen[f.id] = true
					list = append(list, f.id)
				}
			}
		}
		slices.Sort(list)
		if len(b.followed)+len(list) > maxFollowed {
			b.warn("", "only %d of the files in vendor folders are followed", maxFollowed)
			list = list[:maxFollowed-len(b.followed)]
		}
		out := make([]output, len(list))
		if err := graph.Each(ctx, len(list), func(i int) {
			if m := b.modules.any(b.files.abs(list[i])); m != nil {
				out[i] = b.edges(m)
			}
		}); err != nil {
			return err
		}
		for i, id := range list {
			b.followed = append(b.followed, id)
			b.out = append(b.out, out[i])
		}
		at = out
	}
	return nil
}

// vendored reports whether a file lies in a folder of dependencies.
func vendored(id string) bool {
	return strings.HasPrefix(id, "vendor/") || strings.Contains(id, "/vendor/")
}

// missing is the id of an import that leads nowhere: its text, which may be no name at
// all (data: URLs).
func missing(name string) string { return strings.ToValidUTF8(graph.Bounded(name), "\uFFFD") }

// node is the id and node of a file. Sizes and descriptions of files that are
// no sources come later, when each is known once.
func (b *builder) node(file string, library bool) (string, graph.Node) {
	id := b.files.id(file)
	if _, ok := b.known[id]; ok {
		return id, graph.Node{Kind: graph.Source, Language: graph.Language(id)}
	}
	kind := graph.Source
	if library || strings.HasPrefix(id, "/") || strings.Contains(file, "/node_modules/") {
		kind = graph.External
	}
	return id, graph.Node{Kind: kind, Language: graph.Language(id)}
}

// describe makes the nodes of the files that edges lead to.
func (b *builder) describe(ctx context.Context) error {
	var list []string
	for i := range b.out {
		for _, f := range b.out[i].nodes {
			if _, ok := b.known[f.id]; ok {
				continue
			}
			n, ok := b.external[f.id]
			if !ok {
				n = &graph.Node{}
				*n = f.node
				b.external[f.id] = n
				if n.Kind.File() {
					list = append(list, f.id)
				}
			}
			// The same file may be found as a library and by its path.
			if f.node.Kind == graph.External && n.Kind == graph.Source {
				n.Kind = graph.External
			}
		}
	}
	return graph.Each(ctx, len(list), func(i int) {
		id := list[i]
		n := b.external[id]
		abs := b.files.abs(id)
		if m := b.modules.get(abs); m != nil {
			n.Size, n.SHA256, n.Description = m.size, m.sha256, m.description
			return
		}
		content, err := b.files.read(abs)
		if err != nil {
			n.Size, n.SHA256, err = b.measure(abs)
			if err != nil {
				b.warn(id, "not read: %v", err)
			}
			return
		}
		n.Size, n.SHA256 = int64(len(content)), digest(content)
		if n.Language == "ts" || n.Language == "js" {
			if s, err := decode(content); err == nil {
				n.Description = describe(s)
			}
		}
	})
}

// measure returns size and hash of a file that is too large to be held.
func (b *builder) measure(abs string) (int64, string, error) {
	real, _ := b.files.follow(abs, 0)
	m, rel, ok := b.files.mounted(real)
	if !ok {
		return 0, "", errAbsent
	}
	r, in, err := m.root.Open(rel)
	if err != nil {
		return 0, "", err
	}
	defer r.Close()
	if in.Size > graph.MaxHashed {
		return in.Size, "", fmt.Errorf("larger than %d bytes", int64(graph.MaxHashed))
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return 0, "", err
	}
	return in.Size, hex.EncodeToString(h.Sum(nil)), nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// result puts the outputs together.
func (b *builder) result() *Result {
	g := &graph.Graph{Nodes: make(map[string]*graph.Node, len(b.sources)+len(b.external)), Edges: make(map[string][]graph.Edge, len(b.sources))}
	r := &Result{Graph: g, Outlines: map[string]Outline{}}
	unresolved := map[string]*graph.MissingImport{}
	for i := range b.sources {
		s := &b.sources[i]
		n := &graph.Node{Kind: graph.Source, Language: graph.Language(s.Path), Size: s.Size, SHA256: s.SHA256}
		if m := b.modules.get(b.files.abs(s.Path)); m != nil {
			n.Description = m.description
			r.Outlines[s.Path] = outline(m.file)
		}
		g.Nodes[s.Path] = n
	}
	for i := range b.out {
		var from string
		if i < len(b.sources) {
			from = b.sources[i].Path
		} else {
			from = b.followed[i-len(b.sources)]
		}
		if len(b.out[i].edges) > 0 {
			g.Edges[from] = graph.SortEdges(b.out[i].edges)
		}
		if i >= len(b.sources) {
			// What a dependency lacks is not for the record.
			continue
		}
		slices.Sort(b.out[i].unresolved)
		for _, name := range slices.Compact(b.out[i].unresolved) {
			u := unresolved[name]
			if u == nil {
				u = &graph.MissingImport{Name: name, Ambient: b.declared(name)}
				unresolved[name] = u
			}
			u.Importers = append(u.Importers, from)
		}
	}
	for id, n := range b.external {
		g.Nodes[id] = n
	}
	for _, u := range unresolved {
		slices.Sort(u.Importers)
		r.Unresolved = append(r.Unresolved, *u)
	}
	slices.SortFunc(r.Unresolved, func(a, b graph.MissingImport) int { return strings.Compare(a.Name, b.Name) })
	r.Warnings = graph.SortWarnings(slices.Concat(b.warnings, b.configs.warnings(), b.files.warnings()))
	return r
}

// declared returns the file that declares the module name, or a pattern of it.
func (b *builder) declared(name string) string {
	if file, ok := b.ambient[name]; ok {
		return file
	}
	var best, file string
	for pattern, f := range b.ambient {
		head, tail, ok := strings.Cut(pattern, "*")
		if !ok || len(name) < len(head)+len(tail) || !strings.HasPrefix(name, head) || !strings.HasSuffix(name, tail) {
			continue
		}
		if file == "" || len(pattern) > len(best) || len(pattern) == len(best) && pattern < best {
			best, file = pattern, f
		}
	}
	return file
}

// modules are the parsed files, each parsed once.
type modules struct {
	b *builder
	m sync.Map // compiler's path -> *module
}

// module is one parsed file.
type module struct {
	b    *builder
	path string
	// as is the name by which the text is read.
	as string

	parse sync.Once
	// file is nil when it could not be parsed.
	file        *tsgo.File
	size        int64
	sha256      string
	description string

	link    sync.Once
	targets []target
	// given is how many of the references have targets.
	given int

	mode  sync.Once
	asked tsgo.Modes

	names   sync.Once
	defines map[string]bool
	handsOn map[string][]tsgo.Forward

	reach sync.Once
	stars []*module
}

// get returns the module when it was parsed, else nil.
func (ms *modules) get(abs string) *module {
	if v, ok := ms.m.Load(abs); ok && v.(*module).file != nil {
		return v.(*module)
	}
	return nil
}

func (ms *modules) at(abs string) *module {
	v, ok := ms.m.Load(abs)
	if !ok {
		v, _ = ms.m.LoadOrStore(abs, &module{b: ms.b, path: abs, as: abs})
	}
	return v.(*module)
}

// source parses a source: the bytes that it yields, which are the screened ones.
func (ms *modules) source(abs string, s *graph.SourceFile) {
	m := ms.at(abs)
	m.parse.Do(func() {
		m.as = language.WithEnding(abs, s.Script)
		hash := s.SHA256
		if s.Mode&fs.ModeSymlink != 0 {
			hash = ""
		}
		m.read(hash, func() ([]byte, error) { return ms.b.files.readSource(s) })
	})
}

// any parses a file wherever it is, and returns nil where that is not possible.
func (ms *modules) any(abs string) *module {
	if !Analyses(abs) {
		return nil
	}
	m := ms.at(abs)
	m.parse.Do(func() {
		m.read("", func() ([]byte, error) { return ms.b.files.read(abs) })
	})
	if m.file == nil {
		return nil
	}
	return m
}

// read parses the bytes that open yields; sum is their hash when it is known.
func (m *module) read(sum string, open func() ([]byte, error)) {
	id := m.b.files.id(m.path)
	known := false
	if sum != "" {
		if m.cached(sum, open) {
			return
		}
		known = true
	}
	content, err := open()
	if err != nil {
		if !errors.Is(err, errAbsent) {
			m.b.warn(id, "not read: %v", err)
		}
		return
	}
	if !known {
		sum = digest(content)
		if m.cached(sum, func() ([]byte, error) { return content, nil }) {
			return
		}
	}
	m.size, m.sha256 = int64(len(content)), sum
	text, err := decode(content)
	if err == nil && notCode(text) && !isComponent(m.as) {
		err = errMarkup
	}
	if err != nil {
		m.b.warn(id, "not parsed: %v", err)
		return
	}
	file, found, code, err := parseFile(&m.b.parser, m.as, text, m.defining())
	var defines []graph.Definition
	if found != nil {
		defines = told(found)
		m.b.defined(id, content, defines)
	}
	m.description = describe(code)
	if err != nil {
		// It depends on the machine where this is, so that it is not kept.
		m.b.warn(id, "limit: %v; its imports are read approximately", err)
		m.file = file
		return
	}
	m.b.cached.put(cacheKey(m.as, sum), record{file, m.size, m.description, m.defining(), defines})
	m.accept(file)
}

func (m *module) accept(file *tsgo.File) {
	if file.Faults > 0 && !strings.Contains(m.path, "/node_modules/") {
		m.b.warn(m.b.files.id(m.path), "line %d: %s (%d syntax errors; what could be read is in the graph)", file.Line, file.Fault, file.Faults)
	}
	m.file = file
}

// notCode reports whether a text is markup in spite of its name: translations
// of Qt end in .ts, and HTML is served in place of scripts.
func notCode(text string) bool {
	text = strings.TrimLeft(text[:min(len(text), 512)], " \t\r\n\uFEFF")
	return strings.HasPrefix(text, "<?xml") || len(text) >= 9 && strings.EqualFold(text[:9], "<!doctype")
}

// modes returns the modes in which the module's names resolve.
func (m *module) modes() tsgo.Modes {
	m.mode.Do(func() {
		var err error
		name := m.as
		if isComponent(name) {
			name += ".mts" // whatever the packages around say, bundlers make modules of it
		}
		if m.asked, err = m.b.configs.of(m.path).Modes(name); err != nil {
			m.b.warn(m.b.files.id(m.path), "reading its package.json: %v", err)
		}
	})
	return m.asked
}

// resolved returns the targets of the module's references, in their order.
func (m *module) resolved() []target {
	m.link.Do(func() {
		m.targets = make([]target, len(m.file.Refs))
		if len(m.file.Refs) == 0 {
			return
		}
		meter := m.b.startMeter()
		defer meter.stop()
		for i, r := range m.file.Refs {
			if i == maxRefs || !meter.more() {
				m.b.warn(m.b.files.id(m.path), "limit: of its %d imports not all are resolved: they are too many, or take too long", len(m.file.Refs))
				m.given = i
				return
			}
			m.targets[i] = m.b.resolve(m, r)
		}
		m.given = len(m.file.Refs)
	})
	return m.targets
}

// configs are the configurations, each read once.
type configs struct {
	b     *builder
	files sync.Map // tsconfig.json -> *config
	dirs  sync.Map // folder -> *config

	mu sync.Mutex
	// faults are the files by what is wrong in them.
	faults map[string][]string
}

// config is one tsconfig.json or jsconfig.json.
type config struct {
	*tsgo.Config
	once sync.Once
	file string

	refs     sync.Once
	projects []*config
}

// of returns the configuration for a file: the nearest, but no dependency's own.
func (cs *configs) of(file string) *config {
	dir := path.Dir(file)
	if i := strings.Index(file, "/node_modules/"); i >= 0 {
		dir = file[:i]
	}
	return cs.nearest(dir)
}

func (cs *configs) nearest(dir string) *config {
	if c, ok := cs.dirs.Load(dir); ok {
		return c.(*config)
	}
	var c *config
	_, _, mounted := cs.b.files.mounted(dir)
	switch {
	case !mounted || dir == "/":
		c = cs.read("")
	case cs.b.files.fileExists(dir + "/tsconfig.json"):
		c = cs.read(dir + "/tsconfig.json")
	case cs.b.files.fileExists(dir + "/jsconfig.json"):
		c = cs.read(dir + "/jsconfig.json")
	default:
		c = cs.nearest(path.Dir(dir))
	}
	cs.dirs.Store(dir, c)
	return c
}

func (cs *configs) read(file string) *config {
	v, ok := cs.files.Load(file)
	if !ok {
		v, _ = cs.files.LoadOrStore(file, &config{file: file})
	}
	c := v.(*config)
	c.once.Do(func() {
		var faults []string
		c.Config, faults = cs.b.compiler.Config(file)
		for _, f := range faults {
			cs.fault(strings.ReplaceAll(f, cs.b.files.mounts[0].dir+"/", ""), cs.b.files.id(file))
		}
	})
	return c
}

// fault notes what is wrong with a configuration.
func (cs *configs) fault(text, file string) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.faults == nil {
		cs.faults = map[string][]string{}
	}
	cs.faults[text] = append(cs.faults[text], file)
}

// warnings returns the faults, each once: a base that is not installed is
// missed by every package of a repository.
func (cs *configs) warnings() (list []graph.Warning) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for text, files := range cs.faults {
		slices.Sort(files)
		if n := len(files) - 1; n > 0 {
			text += fmt.Sprintf(" (and so in %d more configurations)", n)
		}
		list = append(list, graph.Warning{Path: files[0], Text: text})
	}
	return list
}

// maxProjects bounds the configurations that one refers to.
const maxProjects = 50

// references returns the configurations that c refers to, without their own.
func (cs *configs) references(c *config) []*config {
	c.refs.Do(func() {
		for _, file := range c.References {
			if path.Ext(file) != ".json" {
				file = path.Join(file, "tsconfig.json")
			}
			if file != c.file && len(c.projects) < maxProjects && cs.b.files.fileExists(file) {
				c.projects = append(c.projects, cs.read(file))
			}
		}
	})
	return c.projects
}
