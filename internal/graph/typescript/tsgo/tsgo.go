// Package tsgo is the one place where the TypeScript compiler is touched. What
// goes in are texts, paths and the file system to look in; what comes out are
// plain values of this package.
//
// Every call is guarded: a panic in the compiler's code becomes an error.
//
// All paths are absolute and slash-separated. The file system is
// case-sensitive, whatever the machine.
package tsgo

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/collections"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/module"
	"github.com/microsoft/typescript-go/internal/packagejson"
	"github.com/microsoft/typescript-go/internal/scanner"
	"github.com/microsoft/typescript-go/internal/tsoptions"
	"github.com/microsoft/typescript-go/internal/tspath"
	"github.com/microsoft/typescript-go/internal/vfs"
)

// Version is the version of TypeScript whose parser and resolver are used.
//
//go:noinline so that the compiler's types stay here
func Version() string { return core.Version() }

// FS is where the compiler looks. Its functions are called from several
// goroutines. Whatever they do not know is absent.
type FS struct {
	FileExists      func(name string) bool
	DirectoryExists func(name string) bool
	ReadFile        func(name string) (string, bool)
	Realpath        func(name string) string
}

// Compiler resolves modules in one file system. Like Config it holds functions and
// none of the compiler's own types, which are so many that whatever sees one takes seconds to build.
type Compiler struct {
	config func(file string) (*Config, []string)
}

// Config reads the configuration file and what it extends; "" stands for the
// defaults. It always returns a usable configuration; faults says, one line
// each, what could not be read or understood.
func (c *Compiler) Config(file string) (config *Config, faults []string) { return c.config(file) }

// compiler is what a Compiler does.
type compiler struct {
	host host
	// configs is where configurations are looked for.
	configs  host
	packages *packagejson.InfoCache
	bases    bases
}

// bases are the configurations that others extend, each read once, by path.
type bases struct{ m sync.Map }

// base is a configuration and how many it extends, all of them counted as often
// as they are extended.
type base struct {
	entry  *tsoptions.ExtendedConfigCacheEntry
	weight int
}

// maxBases bounds the weight of one configuration: what is extended twice, by
// what is extended twice, and so on, doubles the compiler's work each time.
const maxBases = 100

// reading reads what one configuration extends.
type reading struct {
	*bases
	// weights are those of the configurations being read, outermost first.
	weights []int
}

// GetExtendedConfig is called by the compiler, and panics where it goes too far.
func (r *reading) GetExtendedConfig(file string, path tspath.Path, stack []tspath.Path, host tsoptions.ParseConfigHost) *tsoptions.ExtendedConfigCacheEntry {
	var b base
	if known, ok := r.m.Load(path); ok {
		b = known.(base)
	} else {
		r.weights = append(r.weights, 1)
		b.entry = tsoptions.ParseExtendedConfig(file, path, stack, host, r)
		b.weight = r.weights[len(r.weights)-1]
		r.weights = r.weights[:len(r.weights)-1]
		r.m.Store(path, b)
	}
	if n := len(r.weights); n > 0 {
		r.weights[n-1] += b.weight
		b.weight = r.weights[n-1]
	}
	if b.weight > maxBases {
		panic("extends too much")
	}
	return b.entry
}

// New returns a compiler whose current directory is dir. It reads
// configurations through configs, which may show more than fsys: the packages
// that configurations extend.
//
//go:noinline so that the compiler's types stay here
func New(fsys, configs FS, dir string) *Compiler {
	c := &compiler{
		host:     host{fs: system{fsys}, dir: dir},
		configs:  host{fs: system{configs}, dir: dir},
		packages: packagejson.NewInfoCache(dir, true),
	}
	return &Compiler{func(file string) (*Config, []string) {
		s, faults := c.open(file)
		return &Config{s.OtherMode, s.References, s.modes, s.mapped, s.resolve, s.resolveTypes}, faults
	}}
}

// Mode is the syntax that a module name is resolved for.
type Mode int

const (
	// Any is no mode: CommonJS under node16 and nodenext, ESM under bundler.
	Any Mode = iota
	CommonJS
	ESM
)

// Config is what a tsconfig.json says about resolution.
type Config struct {
	// OtherMode is the mode that Any is not.
	OtherMode Mode
	// References are the configurations that this one refers to.
	References []string

	modes        func(file string) (Modes, error)
	mapped       func(name string) []string
	resolve      func(name, from string, mode Mode) (Resolution, error)
	resolveTypes func(name, from string) (Resolution, error)
}

// Modes says what the file's extension, the nearest package.json and the
// options make of its names, as TypeScript's own program decides it.
func (c *Config) Modes(file string) (Modes, error) { return c.modes(file) }

// Mapped returns the paths that the configuration's paths (and baseUrl) give
// for a name, in their order.
func (c *Config) Mapped(name string) []string { return c.mapped(name) }

// Resolve finds the module that name means in file from.
func (c *Config) Resolve(name, from string, mode Mode) (Resolution, error) {
	return c.resolve(name, from, mode)
}

// ResolveTypes finds the file that /// <reference types="name" /> means in from.
func (c *Config) ResolveTypes(name, from string) (Resolution, error) {
	return c.resolveTypes(name, from)
}

// settings are what a Config does.
type settings struct {
	// OtherMode is the mode that Any is not.
	OtherMode Mode
	// References are the configurations that this one refers to.
	References []string

	resolver *resolver
	// rooted resolves names that begin with "/", where it must differ.
	rooted  *resolver
	options *core.CompilerOptions
}

// maxMisses bounds the names that lead nowhere and that a resolver remembers, with all the
// places where it looked: some KB each.
const maxMisses = 2000

// resolver is the compiler's, made anew when it remembers too much: a hostile repository has
// thousands of configurations, and each has a resolver of its own.
type resolver struct {
	now    atomic.Pointer[module.Resolver]
	make   func() *module.Resolver
	misses atomic.Int32
}

func newResolver(host host, options *core.CompilerOptions, opts module.ResolverOptions) *resolver {
	r := &resolver{make: func() *module.Resolver { return module.NewResolverWithOptions(host, options, "", "", opts) }}
	r.now.Store(r.make())
	return r
}

// missed counts a name that leads nowhere.
func (r *resolver) missed() {
	if r.misses.Add(1) == maxMisses {
		r.now.Store(r.make())
		r.misses.Store(0)
	}
}

// open is Compiler.Config.
func (c *compiler) open(file string) (config *settings, faults []string) {
	if file == "" {
		return c.config(&core.CompilerOptions{}), nil
	}
	config, faults, err := c.read(file)
	if err != nil {
		// The compiler does not survive a configuration that extends itself.
		faults = []string{"what it extends cannot be read; does it extend itself, or too much?"}
		if config, err = c.readAlone(file); err != nil {
			return c.config(&core.CompilerOptions{}), append(faults, err.Error())
		}
	}
	return config, faults
}

// read reads a configuration and what it extends.
func (c *compiler) read(file string) (config *settings, faults []string, err error) {
	defer guard(&err)
	parsed, errs := tsoptions.GetParsedCommandLineOfConfigFile(file, &core.CompilerOptions{}, nil, c.configs, &reading{bases: &c.bases, weights: []int{0}})
	if parsed == nil {
		for _, d := range errs {
			faults = append(faults, d.String())
		}
		return c.config(&core.CompilerOptions{}), faults, nil
	}
	if parsed.ConfigFile != nil && parsed.ConfigFile.SourceFile != nil {
		errs = append(errs, parsed.ConfigFile.SourceFile.Diagnostics()...)
	}
	for _, d := range append(errs, parsed.Errors...) {
		if d.Code() == circular {
			faults = append(faults, "it extends itself")
		} else if fault(d.Code()) {
			faults = append(faults, d.String())
		}
	}
	options := parsed.CompilerOptions()
	faults = append(faults, bound(options)...)
	slices.Sort(faults)
	config = c.config(options)
	for _, r := range parsed.ProjectReferences() {
		config.References = append(config.References, core.ResolveProjectReferencePath(r))
	}
	return config, slices.Compact(faults), nil
}

// Bounds on lists that are gone through for every name that is resolved.
const (
	maxPaths    = 5000
	maxRoots    = 64
	maxSuffixes = 16
)

// bound takes lists away that are too long, and says so.
func bound(o *core.CompilerOptions) (faults []string) {
	over := func(what string, n, most int) bool {
		if n > most {
			faults = append(faults, fmt.Sprintf("limit: more than %d %s; they are passed over", most, what))
		}
		return n > most
	}
	targets := 0
	for _, to := range o.Paths.Entries() {
		targets += 1 + len(to)
	}
	if over("paths", targets, 2*maxPaths) {
		o.Paths = nil
	}
	if over("rootDirs", len(o.RootDirs), maxRoots) {
		o.RootDirs = nil
	}
	if over("typeRoots", len(o.TypeRoots), maxRoots) {
		o.TypeRoots = nil
	}
	if over("moduleSuffixes", len(o.ModuleSuffixes), maxSuffixes) {
		o.ModuleSuffixes = nil
	}
	return faults
}

// readAlone reads a configuration without what it extends.
func (c *compiler) readAlone(file string) (config *settings, err error) {
	defer guard(&err)
	text, _ := c.configs.fs.ReadFile(file)
	json, _ := tsoptions.ParseConfigFileTextToJson(file, tspath.Path(file), text)
	if m, ok := json.(*collections.OrderedMap[string, any]); ok {
		m.Delete("extends")
	}
	parsed := tsoptions.ParseJsonConfigFileContent(json, c.configs, tspath.GetDirectoryPath(file), nil, file, nil, nil, nil)
	options := parsed.CompilerOptions()
	bound(options)
	return c.config(options), nil
}

// circular is the code of the diagnostic for a configuration that extends itself.
const circular = 18000

// fault reports whether a diagnostic is about what resolution needs: syntax,
// files that are absent or cannot be read. That no input files are
// found, or that an option is unknown, does not matter here.
func fault(code int32) bool {
	switch {
	case code >= 1000 && code < 2000, code == 5012, code == 5024, code >= 5061 && code <= 5066, code == 5083, code == 6053, code == 6096:
		return true
	}
	return false
}

// config lays the options over the defaults (module node16 or esnext,
// moduleResolution node16, resolveJsonModule) and gives back what TypeScript 7
// took away: baseUrl, and node10 without package.json exports.
func (c *compiler) config(options *core.CompilerOptions) *settings {
	o := options.Clone()
	config := &settings{}
	switch o.ModuleResolution {
	case core.ModuleResolutionKindUnknown:
		o.ModuleResolution = core.ModuleResolutionKindNode16
	case core.ModuleResolutionKindNode10, core.ModuleResolutionKindClassic:
		o.ModuleResolution = core.ModuleResolutionKindBundler
		for _, option := range []*core.Tristate{&o.ResolvePackageJsonExports, &o.ResolvePackageJsonImports} {
			if *option == core.TSUnknown {
				*option = core.TSFalse
			}
		}
	}
	// A file that is there is needed, whatever the checker would say of it.
	o.ResolveJsonModule = core.TSTrue
	config.OtherMode = ESM
	if o.ModuleResolution == core.ModuleResolutionKindBundler {
		config.OtherMode = CommonJS
	}
	if o.Module == core.ModuleKindNone {
		if o.Module = core.ModuleKindNode16; config.OtherMode == CommonJS {
			o.Module = core.ModuleKindESNext
		}
	}
	config.options = o
	opts := module.ResolverOptions{PackageJsonCache: c.packages}
	if o.BaseUrl != "" {
		if o.Paths.Size() > 0 {
			o.PathsBasePath = o.BaseUrl
		}
		if o.Paths == nil || !o.Paths.Has("*") {
			// A name that no pattern matches is looked for below baseUrl, but
			// not one that begins with "/".
			plain := o.Clone()
			config.rooted = newResolver(c.host, plain, opts)
			paths := collections.NewOrderedMapWithSizeHint[string, []string](o.Paths.Size() + 1)
			for k, v := range o.Paths.Entries() {
				paths.Set(k, v)
			}
			paths.Set("*", []string{tspath.CombinePaths(o.BaseUrl, "*")})
			o.Paths = paths
			o.PathsBasePath = o.BaseUrl
		}
	}
	config.resolver = newResolver(c.host, o, opts)
	if config.rooted == nil {
		config.rooted = config.resolver
	}
	return config
}

// Modes are those in which the names of one file resolve.
type Modes struct {
	// Static is that of declarations, Call that of import().
	Static, Call Mode
}

// Of returns the mode for references of a form.
func (m Modes) Of(f Form) Mode {
	switch f {
	case ImportEquals, Require:
		return CommonJS
	case ImportCall:
		return m.Call
	}
	return m.Static
}

func (c *settings) modes(file string) (m Modes, err error) {
	defer guard(&err)
	o := c.options
	node := core.ModuleResolutionKindNode16 <= o.ModuleResolution && o.ModuleResolution <= core.ModuleResolutionKindNodeNext
	if !node && !o.GetResolvePackageJsonExports() && !o.GetResolvePackageJsonImports() {
		return Modes{}, nil
	}
	var meta ast.SourceFileMetaData
	if node || strings.Contains(file, "/node_modules/") {
		if scope := c.resolver.now.Load().GetPackageScopeForPath(tspath.GetDirectoryPath(file)); scope.Exists() {
			if value, ok := scope.Contents.Type.GetValue(); ok {
				meta.PackageJsonType = value
			}
		}
		meta.ImpliedNodeFormat = ast.GetImpliedNodeFormatForFile(file, meta.PackageJsonType)
	} else if tspath.FileExtensionIsOneOf(file, []string{tspath.ExtensionMts, tspath.ExtensionMjs, tspath.ExtensionCts, tspath.ExtensionCjs}) {
		meta.ImpliedNodeFormat = ast.GetImpliedNodeFormatForFile(file, "")
	}
	emitted := ast.GetEmitModuleFormatOfFileWorker(file, o, meta)
	switch {
	case emitted == core.ModuleKindCommonJS:
		m.Static = CommonJS
	case emitted.IsNonNodeESM() || emitted == core.ModuleKindPreserve:
		m.Static = ESM
	}
	m.Call = ESM
	if ast.ShouldTransformImportCall(file, o, emitted) {
		m.Call = CommonJS
	}
	return m, nil
}

func (c *settings) mapped(name string) []string {
	if c.options.Paths.Size() == 0 || name == "" || name[0] == '.' || name[0] == '/' {
		return nil
	}
	var targets []string
	star, longest := "", -1
	for pattern, to := range c.options.Paths.Entries() {
		head, tail, ok := strings.Cut(pattern, "*")
		if !ok {
			if pattern == name {
				targets, star = to, ""
				break
			}
			continue
		}
		if len(head) > longest && len(name) >= len(head)+len(tail) && strings.HasPrefix(name, head) && strings.HasSuffix(name, tail) {
			targets, star, longest = to, name[len(head):len(name)-len(tail)], len(head)
		}
	}
	base := c.options.GetPathsBasePath("/")
	var list []string
	for _, t := range targets {
		list = append(list, tspath.GetNormalizedAbsolutePath(strings.Replace(t, "*", star, 1), base))
	}
	return list
}

// Resolution is the file that a name leads to.
type Resolution struct {
	// File is "" where the name leads nowhere.
	File string
	// External is set when the file was found below a node_modules folder.
	External bool
}

func (c *settings) resolve(name, from string, mode Mode) (found Resolution, err error) {
	defer guard(&err)
	resolver := c.resolver
	if strings.HasPrefix(name, "/") {
		resolver = c.rooted
	}
	m, _ := resolver.now.Load().ResolveModuleName(name, from, mode.kind(), nil)
	if !m.IsResolved() {
		resolver.missed()
		return Resolution{}, nil
	}
	return Resolution{m.ResolvedFileName, m.IsExternalLibraryImport}, nil
}

func (c *settings) resolveTypes(name, from string) (found Resolution, err error) {
	defer guard(&err)
	m, _ := c.rooted.now.Load().ResolveTypeReferenceDirective(name, from, core.ResolutionModeNone, nil)
	if m == nil || !m.IsResolved() {
		c.rooted.missed()
		return Resolution{}, nil
	}
	return Resolution{m.ResolvedFileName, m.IsExternalLibraryImport}, nil
}

func (m Mode) kind() core.ResolutionMode {
	switch m {
	case CommonJS:
		return core.ResolutionModeCommonJS
	case ESM:
		return core.ResolutionModeESM
	}
	return core.ResolutionModeNone
}

func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("compiler: %v", r)
	}
}

type host struct {
	fs  vfs.FS
	dir string
}

func (h host) FS() vfs.FS                  { return h.fs }
func (h host) GetCurrentDirectory() string { return h.dir }

// system is the compiler's view of FS. It lists nothing, so that reading a
// configuration does not look for the files it includes.
type system struct{ FS }

func (s system) UseCaseSensitiveFileNames() bool { return true }
func (s system) FileExists(name string) bool     { return s.FS.FileExists(name) }
func (s system) DirectoryExists(name string) bool {
	return s.FS.DirectoryExists(name)
}
func (s system) ReadFile(name string) (string, bool)        { return s.FS.ReadFile(name) }
func (s system) Realpath(name string) string                { return s.FS.Realpath(name) }
func (s system) GetAccessibleEntries(string) vfs.Entries    { return vfs.Entries{} }
func (s system) Stat(string) vfs.FileInfo                   { return nil }
func (s system) WalkDir(string, vfs.WalkDirFunc) error      { return nil }
func (s system) WriteFile(string, string) error             { return fs.ErrPermission }
func (s system) AppendFile(string, string) error            { return fs.ErrPermission }
func (s system) Remove(string) error                        { return fs.ErrPermission }
func (s system) Chtimes(string, time.Time, time.Time) error { return fs.ErrPermission }

// Kind says when a reference takes effect.
type Kind uint8

const (
	Runtime Kind = iota
	Type
	Dynamic
)

// Form is the syntax of a reference.
type Form uint8

const (
	Import Form = iota
	Export
	ImportEquals
	ImportCall
	Require
	ImportType
	JSDoc
	ReferencePath
	ReferenceTypes
	// Augmentation is declare module "name" in a module.
	Augmentation
	// Address names a file by its path: new URL(name, import.meta.url), a component's template.
	Address
	// Glob names files by a pattern: import.meta.glob(name), require.context(name).
	Glob
)

// Ref is one reference to another module.
type Ref struct {
	Name string
	Kind Kind
	Form Form
	// Bindings are the names that an import declaration asks of the module. An
	// import that binds the whole module asks for none.
	Bindings []Binding
}

// Binding is a name asked of a module.
type Binding struct {
	// Name is the name as the module exports it.
	Name string
	// Type is set when only types are wanted.
	Type bool
}

// Forward says that one exported name is another module's.
type Forward struct {
	// Name is "" when every name is forwarded (export *).
	Name string
	// Module is the other module's name, as an index into File.Refs.
	Module int
	// Of is the name there; "" stands for the module itself.
	Of string
}

// Augment is a declaration that adds to another module.
type Augment struct {
	Module string
	Names  []string
}

// File is what one source text says about modules.
type File struct {
	Refs     []Ref
	Defines  []string
	Forwards []Forward
	Augments []Augment
	// Ambient are the modules that the text declares.
	Ambient []string
	// Faults is the number of syntax errors, Fault the first of them and Line
	// its line, from 1.
	Faults int
	Fault  string
	Line   int
	// Approximate: not the parser has read the text. What it refers to is a guess.
	Approximate bool
}

// Parser parses source texts. Its zero value is ready for use, by several
// goroutines.
type Parser struct {
	// Limit replaces maxTime.
	Limit time.Duration
	// Before is called by whoever reads a text, before it does. Tests keep it waiting there.
	Before func()
	// lost is the time, in nanoseconds, of the texts that were stopped.
	lost atomic.Int64
}

// Parse reads a source text. The name's extension decides on the language.
//
//go:noinline so that the compiler's types stay here
func (p *Parser) Parse(name, text string) (*File, error) {
	file, _, err := p.ParseDefining(name, text, false)
	return file, err
}

// ParseDefining is Parse and, where defining is asked for, Define, of one reading of the text. The list is nil where only Define can
// tell it.
//
//go:noinline so that the compiler's types stay here
func (p *Parser) ParseDefining(name, text string, defining bool) (*File, []Definition, error) {
	type both struct {
		file *File
		list []Definition
	}
	r, err := stoppable(p, text, func(text string) (both, error) {
		file, source, err := parse(name, text)
		if err != nil {
			return both{}, err
		}
		r := both{file: file.own()}
		if defining && source.ScriptKind == core.GetScriptKindFromFileName(name) {
			r.list, _ = definitions(source, text) // what it fails for Define says
		}
		return r, nil
	})
	return r.file, r.list, err
}

func parse(name, text string) (file *File, source *ast.SourceFile, err error) {
	defer guard(&err)
	kind := core.GetScriptKindFromFileName(name)
	js := kind == core.ScriptKindJS || kind == core.ScriptKindJSX
	// The parser looks every import call up by its position, from the top.
	// That is quadratic, and a file of nothing but calls would take minutes. Few texts
	// are so long that it is worth counting them.
	if (len(text)/6)*(len(text)/16) > lookups && (strings.Count(text, "import")+strings.Count(text, "require"))*(len(text)/16) > lookups {
		if !js {
			if strings.Contains(text, "import(") {
				return nil, nil, fmt.Errorf("the imports in %d bytes are more than can be read", len(text))
			}
		} else {
			kind, js = core.ScriptKindTSX, false
		}
	}
	if err := shallow(text, kind); err != nil {
		return nil, nil, err
	}
	source = sourceFile(name, text, kind)
	x := extractor{source: source, js: js, file: &File{}}
	x.statements()
	x.references()
	if needsWalk(text) {
		x.walk()
	}
	if faults := source.Diagnostics(); len(faults) > 0 {
		x.file.Faults = len(faults)
		x.file.Fault = faults[0].String()
		x.file.Line = 1 + strings.Count(text[:min(max(faults[0].Pos(), 0), len(text))], "\n")
	}
	return x.file, source, nil
}

// lookups bounds the work of the parser's look-ups: about a second.
const lookups = 400_000_000

// deepWords are those by which something else than an import names a file, or by which a name may be written otherwise.
var deepWords = []string{"require", "@import", "templateUrl", "styleUrl", `\u`, "jest.", "vi.", "setupFiles", "globalSetup", "globalTeardown"}

// needsWalk reports whether references can stand deeper than at the top: in
// calls of import and require, in import types, and in JSDoc.
func needsWalk(text string) bool {
	for _, word := range deepWords {
		if strings.Contains(text, word) {
			return true
		}
	}
	for {
		_, rest, found := strings.Cut(text, "import")
		if !found {
			return false
		}
		if r := strings.TrimLeft(rest, " \t\r\n"); r != "" && (r[0] == '(' || r[0] == '/' || r[0] == '.') {
			return true
		}
		text = rest
	}
}

// extractor reads one syntax tree.
type extractor struct {
	source *ast.SourceFile
	js     bool
	file   *File
	seen   map[string]bool
}

// importBinding is a local name that stands for what another module exports.
type importBinding struct {
	module int
	of     string
}

// topLevel is what the statements at the top of a file declare and bind, which exports by name refer to.
type topLevel struct {
	locals  map[string]bool
	imports map[string]importBinding
	exports []localExport
}

// localExport is a name of the file that is exported, and as what.
type localExport struct{ local, name string }

// statements reads what stands at the top of the file.
func (x *extractor) statements() {
	f := x.file
	top := topLevel{locals: map[string]bool{}, imports: map[string]importBinding{}}
	for _, n := range x.source.Statements.Nodes {
		if n.Flags&ast.NodeFlagsReparsed != 0 {
			continue
		}
		switch n.Kind {
		case ast.KindImportDeclaration:
			x.importDeclaration(&top, n.AsImportDeclaration())
		case ast.KindImportEqualsDeclaration:
			if name, typeOnly, ok := importEquals(n); ok {
				f.Refs = append(f.Refs, Ref{Name: name, Form: ImportEquals, Kind: kindOf(typeOnly)})
			}
		case ast.KindExportDeclaration:
			x.exportDeclaration(&top, n.AsExportDeclaration())
		case ast.KindExportAssignment:
			if !n.AsExportAssignment().IsExportEquals {
				f.define("default")
			}
		case ast.KindFunctionDeclaration, ast.KindClassDeclaration, ast.KindInterfaceDeclaration,
			ast.KindTypeAliasDeclaration, ast.KindEnumDeclaration:
			x.declaration(&top, n)
		case ast.KindVariableStatement:
			x.variables(&top, n)
		case ast.KindModuleDeclaration:
			name := n.Name()
			switch {
			case name == nil:
			case ast.IsIdentifier(name):
				top.locals[name.Text()] = true
			case ast.IsStringLiteral(name):
				x.ambient(n, name.Text())
			}
		}
	}
	for _, e := range top.exports {
		if top.locals[e.local] {
			f.define(e.name)
		} else if i, ok := top.imports[e.local]; ok {
			f.forward(e.name, i.module, i.of)
		}
	}
}

// importDeclaration reads import … from "…".
func (x *extractor) importDeclaration(top *topLevel, d *ast.ImportDeclaration) {
	if !ast.IsStringLiteral(d.ModuleSpecifier) {
		return
	}
	ref := Ref{Name: d.ModuleSpecifier.Text(), Form: Import}
	var local [][2]string
	if d.ImportClause != nil {
		ref.Kind, ref.Bindings, local = clause(d.ImportClause)
	}
	x.file.Refs = append(x.file.Refs, ref)
	for _, l := range local {
		top.imports[l[0]] = importBinding{len(x.file.Refs) - 1, l[1]}
	}
}

// exportDeclaration reads export {…}, and export … from "…".
func (x *extractor) exportDeclaration(top *topLevel, d *ast.ExportDeclaration) {
	f := x.file
	var elements []*ast.Node
	named := d.ExportClause != nil && ast.IsNamedExports(d.ExportClause)
	if named {
		elements = d.ExportClause.AsNamedExports().Elements.Nodes
	}
	if d.ModuleSpecifier == nil {
		for _, e := range elements {
			name, local := exportNames(e)
			top.exports = append(top.exports, localExport{local, name})
		}
		return
	}
	if !ast.IsStringLiteral(d.ModuleSpecifier) {
		return
	}
	typeOnly := d.IsTypeOnly || len(elements) > 0 && !slices.ContainsFunc(elements, func(e *ast.Node) bool { return !e.AsExportSpecifier().IsTypeOnly })
	f.Refs = append(f.Refs, Ref{Name: d.ModuleSpecifier.Text(), Form: Export, Kind: kindOf(typeOnly)})
	module := len(f.Refs) - 1
	switch {
	case d.ExportClause == nil:
		f.Forwards = append(f.Forwards, Forward{Module: module})
	case named:
		for _, e := range elements {
			name, of := exportNames(e)
			f.forward(name, module, of)
		}
	default:
		f.forward(d.ExportClause.Name().Text(), module, "")
	}
}

// exportNames returns what an element of export {…} is called outside, and where it comes from.
func exportNames(e *ast.Node) (name, of string) {
	s := e.AsExportSpecifier()
	name = s.Name().Text()
	if s.PropertyName != nil {
		return name, s.PropertyName.Text()
	}
	return name, name
}

// declaration reads what declares one name: a function, a class, a type.
func (x *extractor) declaration(top *topLevel, n *ast.Node) {
	name := ""
	if n.Name() != nil {
		name = n.Name().Text()
	}
	if name != "" {
		top.locals[name] = true
	}
	switch {
	case !ast.HasSyntacticModifier(n, ast.ModifierFlagsExport):
	case !ast.HasSyntacticModifier(n, ast.ModifierFlagsDefault):
		x.file.define(name)
	case n.Kind == ast.KindFunctionDeclaration || n.Kind == ast.KindClassDeclaration:
		x.file.define("default")
	}
}

// variables reads const, let and var.
func (x *extractor) variables(top *topLevel, n *ast.Node) {
	exported := ast.HasSyntacticModifier(n, ast.ModifierFlagsExport)
	for _, d := range n.AsVariableStatement().DeclarationList.AsVariableDeclarationList().Declarations.Nodes {
		if name := d.Name(); name != nil && ast.IsIdentifier(name) && name.Text() != "" {
			top.locals[name.Text()] = true
			if exported {
				x.file.define(name.Text())
			}
		}
	}
}

func kindOf(typeOnly bool) Kind {
	if typeOnly {
		return Type
	}
	return Runtime
}

// clause reads what an import declaration binds: its kind, the names it asks
// for, and pairs of local and imported name.
func clause(n *ast.Node) (kind Kind, asks []Binding, local [][2]string) {
	c := n.AsImportClause()
	typeOnly := c.PhaseModifier == ast.KindTypeKeyword
	if c.Name() != nil {
		asks = append(asks, Binding{"default", typeOnly})
		local = append(local, [2]string{c.Name().Text(), "default"})
	}
	if c.NamedBindings == nil {
		return kindOf(typeOnly), asks, local
	}
	if !ast.IsNamedImports(c.NamedBindings) {
		// The whole module is bound: nothing is asked for by name.
		return kindOf(typeOnly), nil, append(local, [2]string{c.NamedBindings.Name().Text(), ""})
	}
	elements := c.NamedBindings.AsNamedImports().Elements.Nodes
	inline := c.Name() == nil && len(elements) > 0
	for _, e := range elements {
		s := e.AsImportSpecifier()
		of := s.Name()
		if s.PropertyName != nil {
			of = s.PropertyName
		}
		inline = inline && s.IsTypeOnly
		if of.Text() == "" {
			continue
		}
		asks = append(asks, Binding{of.Text(), typeOnly || s.IsTypeOnly})
		local = append(local, [2]string{s.Name().Text(), of.Text()})
	}
	return kindOf(typeOnly || inline), asks, local
}

func importEquals(n *ast.Node) (name string, typeOnly, ok bool) {
	d := n.AsImportEqualsDeclaration()
	if d.ModuleReference == nil || !ast.IsExternalModuleReference(d.ModuleReference) {
		return "", false, false
	}
	e := d.ModuleReference.AsExternalModuleReference().Expression
	if e == nil || !ast.IsStringLiteralLike(e) {
		return "", false, false
	}
	return e.Text(), d.IsTypeOnly, true
}

// ambient reads declare module "name" {}: what it adds to another module, or
// the module it declares. Inside, TypeScript follows names that are not
// relative, and only where a module is declared.
func (x *extractor) ambient(n *ast.Node, name string) {
	body := n.Body()
	var statements []*ast.Node
	if body != nil && ast.IsModuleBlock(body) {
		statements = body.Statements()
	}
	if ast.IsExternalModule(x.source) {
		a := Augment{Module: name}
		for _, s := range statements {
			switch s.Kind {
			case ast.KindInterfaceDeclaration, ast.KindModuleDeclaration, ast.KindClassDeclaration,
				ast.KindEnumDeclaration, ast.KindFunctionDeclaration:
				if s.Name() != nil && ast.IsIdentifier(s.Name()) {
					a.Names = append(a.Names, s.Name().Text())
				}
			case ast.KindVariableStatement:
				for _, d := range s.AsVariableStatement().DeclarationList.AsVariableDeclarationList().Declarations.Nodes {
					if d.Name() != nil && ast.IsIdentifier(d.Name()) {
						a.Names = append(a.Names, d.Name().Text())
					}
				}
			}
		}
		x.file.Augments = append(x.file.Augments, a)
		x.add(Ref{Name: name, Kind: Type, Form: Augmentation})
		return
	}
	x.file.Ambient = append(x.file.Ambient, name)
	for _, s := range statements {
		switch s.Kind {
		case ast.KindImportDeclaration:
			d := s.AsImportDeclaration()
			if ast.IsStringLiteral(d.ModuleSpecifier) && !tspath.IsExternalModuleNameRelative(d.ModuleSpecifier.Text()) {
				ref := Ref{Name: d.ModuleSpecifier.Text(), Form: Import}
				if d.ImportClause != nil {
					ref.Kind, ref.Bindings, _ = clause(d.ImportClause)
				}
				x.file.Refs = append(x.file.Refs, ref)
			}
		case ast.KindImportEqualsDeclaration:
			if name, typeOnly, ok := importEquals(s); ok && !tspath.IsExternalModuleNameRelative(name) {
				x.file.Refs = append(x.file.Refs, Ref{Name: name, Form: ImportEquals, Kind: kindOf(typeOnly)})
			}
		case ast.KindExportDeclaration:
			d := s.AsExportDeclaration()
			if d.ModuleSpecifier != nil && ast.IsStringLiteral(d.ModuleSpecifier) && !tspath.IsExternalModuleNameRelative(d.ModuleSpecifier.Text()) {
				x.file.Refs = append(x.file.Refs, Ref{Name: d.ModuleSpecifier.Text(), Form: Export, Kind: kindOf(d.IsTypeOnly)})
			}
		}
	}
}

func (f *File) define(name string) {
	if name != "" {
		f.Defines = append(f.Defines, name)
	}
}

func (f *File) forward(name string, module int, of string) {
	if name != "" {
		f.Forwards = append(f.Forwards, Forward{Name: name, Module: module, Of: of})
	}
}

// references reads the triple-slash comments.
func (x *extractor) references() {
	for _, r := range x.source.ReferencedFiles {
		x.add(Ref{Name: r.FileName, Kind: Type, Form: ReferencePath})
	}
	for _, r := range x.source.TypeReferenceDirectives {
		x.add(Ref{Name: r.FileName, Kind: Type, Form: ReferenceTypes})
	}
}

// add adds a reference that binds no names, once.
func (x *extractor) add(r Ref) {
	if x.seen == nil {
		x.seen = map[string]bool{}
	}
	key := string([]byte{byte(r.Kind), byte(r.Form)}) + r.Name
	if !x.seen[key] {
		x.seen[key] = true
		x.file.Refs = append(x.file.Refs, r)
	}
}

// walk visits every node, without recursion: a tree can be as deep as its text
// is long (a + a + a ...).
func (x *extractor) walk() {
	type item struct {
		node *ast.Node
		// deferred is set inside a function: what is required there is not
		// required when the module is loaded.
		deferred bool
		// clone is set in what the parser made of JSDoc. Only types count
		// there: they are missing from the comments of a statement that is
		// parsed twice, for an await at the top.
		clone bool
	}
	stack := make([]item, 0, 256)
	var deferred, clone bool
	push := func(n *ast.Node) bool {
		stack = append(stack, item{n, deferred, clone || n.Flags&ast.NodeFlagsReparsed != 0})
		return false
	}
	stack = append(stack, item{node: x.source.AsNode()})
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := at.node
		deferred, clone = at.deferred, at.clone
		if !clone {
			x.assets(n)
		}
		switch n.Kind {
		case ast.KindCallExpression:
			call := n.AsCallExpression()
			if !clone && len(call.Arguments.Nodes) > 0 && ast.IsStringLiteralLike(call.Arguments.Nodes[0]) {
				name := call.Arguments.Nodes[0].Text()
				switch {
				case ast.IsImportCall(n):
					x.add(Ref{Name: name, Kind: Dynamic, Form: ImportCall})
				case ast.IsIdentifier(call.Expression) && call.Expression.Text() == "require":
					kind := Runtime
					if deferred {
						kind = Dynamic
					}
					x.add(Ref{Name: name, Kind: kind, Form: Require})
				}
			}
		case ast.KindImportType:
			form := ImportType
			if n.Flags&ast.NodeFlagsJSDoc != 0 {
				form = JSDoc
			}
			if a := n.AsImportTypeNode().Argument; ast.IsLiteralTypeNode(a) {
				if l := a.AsLiteralTypeNode().Literal; l != nil && ast.IsStringLiteralLike(l) {
					x.add(Ref{Name: l.Text(), Kind: Type, Form: form})
				}
			}
		case ast.KindJSImportDeclaration:
			if m := n.AsImportDeclaration().ModuleSpecifier; m != nil && ast.IsStringLiteral(m) {
				x.add(Ref{Name: m.Text(), Kind: Type, Form: JSDoc})
			}
		case ast.KindJSDocImportTag:
			if m := n.AsJSDocImportTag().ModuleSpecifier; m != nil && ast.IsStringLiteral(m) {
				x.add(Ref{Name: m.Text(), Kind: Type, Form: JSDoc})
			}
		}
		if ast.IsFunctionLike(n) {
			deferred = true
		}
		if x.js {
			for _, doc := range n.JSDoc(x.source) {
				push(doc)
			}
		}
		n.ForEachChild(push)
	}
}

// shallow returns an error for a text whose nesting might take more stack than
// Go allows a parser that recurses; nothing recovers from a full stack.
//
// The nesting is measured by tokens: brackets that are open, and whatever else
// stands between two statement ends, for operators and keywords nest without
// brackets. The scanner alone cannot tell every regular expression from a
// division, nor text in JSX from code. So where either may occur, the text in
// literals and comments counts as if all of it nested.
func shallow(text string, kind core.ScriptKind) error {
	if len(text)*levelStack <= maxStack {
		return nil
	}
	s := scanner.NewScanner() // of its own, as parsers are
	s.SetText(text)
	s.SetLanguageVariant(core.LanguageVariantStandard)
	// A level is an open bracket: the token before it, what had gathered
	// outside it, and whether it is the hole of a template.
	type level struct {
		before ast.Kind
		chain  int
		hole   bool
	}
	var levels []level
	below, chain, deepest, hidden := 0, 0, 0, 0
	previous, heads := ast.KindUnknown, false
	exact := kind == core.ScriptKindTS
	hide := func(text string) { hidden += opening(text)*levelStack + len(text)*wordStack }
	open := func(hole bool) {
		levels = append(levels, level{previous, chain, hole})
		below += chain + 1
		chain = 0
	}
	for {
		token := s.Scan()
		if token == ast.KindSlashToken || token == ast.KindSlashEqualsToken {
			exact = false
			if !endsExpression(previous) {
				token = s.ReScanSlashToken()
			}
		}
		if full, start := s.TokenFullStart(), s.TokenStart(); full < start {
			hide(text[full:start])
		}
		if s.HasPrecedingLineBreak() && endsExpression(previous) && !heads && continues[token] != 1 {
			chain = 0
		}
		heads = false
		switch token {
		case ast.KindEndOfFile:
			if exact {
				hidden = 0
			}
			if deepest*levelStack+hidden > maxStack {
				return errors.New("might nest too deeply to be read safely")
			}
			return nil
		case ast.KindOpenParenToken, ast.KindOpenBracketToken, ast.KindOpenBraceToken:
			open(false)
		case ast.KindTemplateHead:
			hide(s.TokenText())
			open(true)
		case ast.KindCloseParenToken, ast.KindCloseBracketToken, ast.KindCloseBraceToken:
			if len(levels) == 0 {
				break
			}
			top := levels[len(levels)-1]
			if token == ast.KindCloseBraceToken && top.hole {
				token = s.ReScanTemplateToken(false)
				hide(s.TokenText())
				if token == ast.KindTemplateMiddle {
					chain = 0
					break
				}
			}
			levels = levels[:len(levels)-1]
			below -= top.chain + 1
			chain = top.chain
			// if (a) if (b): what follows hangs on it.
			heads = token == ast.KindCloseParenToken && continues[top.before] == 2
		case ast.KindSemicolonToken:
			chain = 0
		case ast.KindCommaToken:
			if len(levels) > 0 {
				chain = 0
			}
		case ast.KindStringLiteral, ast.KindNoSubstitutionTemplateLiteral, ast.KindRegularExpressionLiteral:
			hide(s.TokenText())
		case ast.KindIdentifier, ast.KindNumericLiteral:
		default:
			chain++
		}
		deepest = max(deepest, below+chain)
		previous = token
	}
}

// endsExpression reports whether an expression can end with the token.
func endsExpression(k ast.Kind) bool {
	switch k {
	case ast.KindIdentifier, ast.KindNumericLiteral, ast.KindStringLiteral, ast.KindNoSubstitutionTemplateLiteral,
		ast.KindCloseParenToken, ast.KindCloseBracketToken, ast.KindCloseBraceToken, ast.KindTemplateTail,
		ast.KindRegularExpressionLiteral, ast.KindPlusPlusToken, ast.KindMinusMinusToken,
		ast.KindThisKeyword, ast.KindTrueKeyword, ast.KindFalseKeyword, ast.KindNullKeyword:
		return true
	}
	return false
}

// continues tells what keeps a statement going over a line end: 1 for tokens
// that do so at the start of a line, 2 for keywords whose statement goes on
// after the closing parenthesis.
var continues = map[ast.Kind]int{
	ast.KindElseKeyword: 1, ast.KindDotToken: 1, ast.KindQuestionDotToken: 1, ast.KindQuestionToken: 1, ast.KindColonToken: 1,
	ast.KindPlusToken: 1, ast.KindMinusToken: 1, ast.KindAsteriskToken: 1, ast.KindSlashToken: 1, ast.KindPercentToken: 1,
	ast.KindAsteriskAsteriskToken: 1, ast.KindLessThanToken: 1, ast.KindGreaterThanToken: 1, ast.KindEqualsToken: 1,
	ast.KindEqualsEqualsToken: 1, ast.KindEqualsEqualsEqualsToken: 1, ast.KindExclamationEqualsToken: 1,
	ast.KindExclamationEqualsEqualsToken: 1, ast.KindAmpersandToken: 1, ast.KindAmpersandAmpersandToken: 1, ast.KindBarToken: 1,
	ast.KindBarBarToken: 1, ast.KindQuestionQuestionToken: 1, ast.KindCaretToken: 1, ast.KindEqualsGreaterThanToken: 1,
	ast.KindOpenParenToken: 1, ast.KindOpenBracketToken: 1, ast.KindExtendsKeyword: 1, ast.KindAsKeyword: 1,
	ast.KindInKeyword: 1, ast.KindInstanceOfKeyword: 1, ast.KindTemplateHead: 1,
	ast.KindIfKeyword: 2, ast.KindWhileKeyword: 2, ast.KindForKeyword: 2, ast.KindWithKeyword: 2, ast.KindAwaitKeyword: 2,
}

// Bytes of stack that the parser takes, as measured: at most levelStack for one
// level of nesting, wordStack for each byte of keywords that nest. maxStack is
// below what Go allows a goroutine (512 MB; stacks double).
const (
	levelStack = 2300
	wordStack  = 170
	maxStack   = 450 << 20
)

// opening counts the bytes in text that can begin a level by themselves.
func opening(text string) int {
	n := 0
	for i := range len(text) {
		n += int(openers[text[i]])
	}
	return n
}

var openers = func() (t [256]uint8) {
	for _, c := range "([{<!~+-=?:@" {
		t[c] = 1
	}
	return t
}()
