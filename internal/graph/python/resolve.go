package python

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// maxManifest bounds the manifests that are read.
const maxManifest = 512 << 10

// tree knows which Python files and folders there are, and where packages
// begin.
type folders struct {
	files map[string]*file
	// places are what stands at each path, without the extension.
	places map[string]place
	// projects are the folders with a manifest, and where their packages are.
	projects map[string][]string
	// others are the folders of all projects.
	others []string
	owns   map[string]string
	roots  map[string]*search
	// packed are the folders that hold packages alone: those that manifests declare, and src. built are those of projects that
	// are installed, collected those that pytest inserts on the path.
	packed, built, collected map[string]bool
	// used are the packages that absolute imports go through.
	used map[string]bool
	// sites are the folders of installed packages, and reach is where they are read.
	sites []string
	reach graph.Roots
}

// place is what a path without an extension leads to: a module and its stub, and whether it is a folder that holds
// Python files, at any depth.
type place struct {
	file, stub *file
	dir        bool
}

func (p place) isModule() bool { return p.file != nil || p.stub != nil }

// add adds a file, and the folders that it is in.
func (t *folders) add(f *file) {
	t.files[f.path] = f
	stem, stub := strings.CutSuffix(f.path, ".pyi")
	stem, is := strings.CutSuffix(stem, ".py")
	p := t.places[stem]
	switch {
	case stub:
		p.stub = f
	case is: // a script without an ending is no module
		p.file = f
	}
	t.places[stem] = p
	for d := f.dir; !t.places[d].dir && d != "/"; d = path.Dir(d) {
		p = t.places[d]
		p.dir = true
		t.places[d] = p
	}
}

// isPackage reports whether a folder is a package that is no namespace.
func (t *folders) isPackage(dir string) bool { return t.places[below(dir, "__init__")].isModule() }

// below is the path of a name in a folder.
func below(dir, name string) string {
	switch dir {
	case ".":
		return name
	case "/":
		return "/" + name
	}
	return dir + "/" + name
}

// own is the folder that must be on the path for a file of dir to have its full
// name: the first above it that is no package.
func (t *folders) own(dir string) string {
	if o, ok := t.owns[dir]; ok {
		return o
	}
	o := dir
	if t.isPackage(dir) && dir != "." && dir != "/" {
		o = t.own(path.Dir(dir))
	}
	t.owns[dir] = o
	return o
}

// markers are the files whose folder is a project: where it is installed from,
// or run in.
var markers = map[string]bool{
	"pyproject.toml": true, "setup.py": true, "setup.cfg": true, "manage.py": true, "Pipfile": true, "requirements.txt": true,
	"tox.ini": true, "pytest.ini": true, "noxfile.py": true,
}

// manifests finds the projects among the sources.
func (b *builder) manifests(sources []graph.SourceFile) {
	t := &b.tree
	t.projects = map[string][]string{".": nil}
	t.packed, t.built = map[string]bool{}, map[string]bool{}
	for i := range sources {
		s := &sources[i]
		base := path.Base(s.Path)
		if !markers[base] {
			continue
		}
		dir := path.Dir(s.Path)
		t.projects[dir] = append(t.projects[dir], dir)
		if base != "pyproject.toml" && base != "setup.cfg" && base != "setup.py" {
			continue
		}
		t.built[dir] = true
		if s.Size > maxManifest {
			b.warn(s.Path, "larger than %d bytes", maxManifest)
			continue
		}
		content, err := graph.ReadSource(s, b.roots)
		if err != nil {
			b.warn(s.Path, "not read: %v", err)
			continue
		}
		var declared []string
		if base == "pyproject.toml" {
			declared = pyproject(content)
		} else {
			declared = setup(content)
		}
		for _, d := range declared {
			if at := path.Join(dir, d); !strings.HasPrefix(d, "/") && at != ".." && !strings.HasPrefix(at, "../") {
				t.projects[dir] = append(t.projects[dir], at)
			}
		}
	}
	for dir, list := range t.projects {
		var kept []string
		// What is declared stands before the folder itself, and that before src.
		for _, d := range append(slices.DeleteFunc(slices.Clone(list), func(d string) bool { return d == dir }), dir, path.Join(dir, "src")) {
			if t.places[d].dir && !slices.Contains(kept, d) && (d != path.Join(dir, "src") || !t.isPackage(d)) {
				kept = append(kept, d)
				if d != dir {
					t.packed[d] = true
				}
			}
		}
		t.projects[dir] = kept
		for _, d := range kept {
			if !slices.Contains(t.others, d) {
				t.others = append(t.others, d)
			}
		}
	}
	slices.Sort(t.others)
}

// maxLines bounds the lines of one value.
const maxLines = 500

// pyproject returns the folders, relative to the manifest, in which packages
// are. It reads lines, not TOML: a general reader takes for ever on some texts,
// and the few keys that matter are written plainly.
func pyproject(content []byte) (dirs []string) {
	section := ""
	lines := strings.Split(string(content), "\n")
	for i := 0; i < len(lines) && len(dirs) < 100; i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") {
			section, _, _ = strings.Cut(strings.Trim(line, "[ "), "]")
			section = strings.Trim(section, " ")
			continue
		}
		if !strings.HasPrefix(section, "tool") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		key = section + "." + strings.Trim(key, " ")
		if !placing[key] {
			continue
		}
		for n := 0; n < maxLines && i+1 < len(lines) && strings.Count(value, "[") > strings.Count(value, "]"); n++ {
			i++
			comment, _, _ := strings.Cut(lines[i], " #")
			value += " " + strings.TrimSpace(comment)
		}
		switch key {
		case "tool.poetry.packages":
			for _, m := range poetryFrom.FindAllStringSubmatch(value, 100) {
				dirs = append(dirs, m[1])
			}
		case "tool.setuptools.package-dir":
			for _, m := range emptyKey.FindAllStringSubmatch(value, 1) {
				dirs = append(dirs, m[1])
			}
		case "tool.hatch.build.targets.wheel.packages":
			for _, m := range quotedText.FindAllStringSubmatch(value, 100) {
				dirs = append(dirs, path.Dir(m[1]))
			}
		default:
			for _, m := range quotedText.FindAllStringSubmatch(value, 100) {
				dirs = append(dirs, m[1])
			}
		}
	}
	return dirs
}

// placing are the keys that say where packages are.
var placing = map[string]bool{
	"tool.setuptools.packages.find.where": true, `tool.setuptools.package-dir.""`: true, "tool.setuptools.package-dir": true,
	"tool.pytest.ini_options.pythonpath": true, "tool.pdm.build.package-dir": true, "tool.maturin.python-source": true,
	"tool.uv.build-backend.module-root": true, "tool.hatch.build.targets.wheel.packages": true,
	"tool.hatch.build.targets.wheel.sources": true, "tool.poetry.packages": true,
}

var (
	quotedText = lazyregexp.New(`["']([^"']*)["']`)
	poetryFrom = lazyregexp.New(`\bfrom\s*=\s*["']([^"']*)["']`)
	emptyKey   = lazyregexp.New(`(?:""|'')\s*=\s*["']([^"']*)["']`)
)

var (
	setupDir   = lazyregexp.New(`package_dir\s*=\s*\{\s*["']["']\s*:\s*["']([\w./-]+)["']`)
	setupWhere = lazyregexp.New(`find(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?["']([\w./-]+)["']`)
	cfgDir     = lazyregexp.New(`(?m)^package_dir\s*=\s*(?:\n\s+)?=\s*([\w./-]+)`)
	cfgWhere   = lazyregexp.New(`(?m)^where\s*=\s*([\w./-]+)`)
)

// setup returns the same of a setup.py or setup.cfg, as far as it is written
// out.
func setup(content []byte) (dirs []string) {
	for _, re := range []*lazyregexp.Regexp{setupDir, setupWhere, cfgDir, cfgWhere} {
		for _, m := range re.FindAllSubmatch(content, 20) {
			dirs = append(dirs, string(m[1]))
		}
	}
	return dirs
}

// module is what a dotted name leads to.
type module struct {
	// file is nil for a namespace.
	file *file
	// stub is the stub beside a file that is none.
	stub *file
	// dir is the folder of a package; "" for a plain module. A namespace may have more of them.
	dir  string
	more []string
}

// in finds a dotted name in folders, as CPython's path finder does: the first folder that has a regular package or a module
// of the name ends the search; else all that have a folder of the name are parts of a namespace. rest is what of the name is
// no module; regular says that the first of it is no namespace.
func (t *folders) in(dirs []string, parts []string) (m module, rest []string, regular bool) {
	for i, name := range parts {
		var next module
		found := false
		for _, dir := range dirs {
			at := below(dir, name)
			p := t.places[at]
			if p.dir && t.isPackage(at) {
				next, found = t.module(t.places[below(at, "__init__")], at), true
			} else if p.isModule() {
				next, found = t.module(p, ""), true
			}
			if found {
				break
			}
			if p.dir {
				if next.dir == "" {
					next.dir = at
				} else {
					next.more = append(next.more, at)
				}
			}
		}
		if !found && next.dir == "" {
			return m, parts[i:], regular
		}
		if i == 0 {
			regular = found
		}
		m = next
		if m.dir == "" {
			return m, parts[i+1:], regular
		}
		if len(m.more) == 0 {
			dirs = []string{m.dir}
		} else {
			dirs = append([]string{m.dir}, m.more...)
		}
	}
	return m, nil, regular
}

// module is the module at a place, read. Where there is the stub alone, it is the file.
func (t *folders) module(p place, dir string) module {
	m := module{file: t.fill(p.file), stub: t.fill(p.stub), dir: dir}
	if m.file == nil {
		m.file, m.stub = m.stub, nil
	}
	return m
}

// searchEnd says how a search ended.
type searchEnd int

const (
	outside searchEnd = iota
	inside
	// absent is a name of a package of the repository that is not there.
	absent
	// beside is a package of another project of the repository.
	beside
)

// absolute finds the module of a dotted name, as a file sees it. With loose, as
// much of the name as is a module.
func (t *folders) absolute(f *file, name string, loose bool) (module, []string, searchEnd) {
	parts := strings.Split(name, ".")
	s := t.path(f.dir)
	roots := s.all
	if standard[parts[0]] {
		if roots = t.shadows(f, s, parts[0]); roots == nil {
			return module{}, nil, outside
		}
	}
	if f.installed != nil && f.installed.top != parts[0] {
		return module{}, nil, outside // from one package to another nothing is followed
	}
	if m, rest, state := t.ask(roots, parts, loose); state != outside {
		return m, rest, state
	}
	// Another project of the repository, installed beside this one: when it is
	// the only one that has the package.
	var only []string
	for _, r := range t.others {
		at := below(r, parts[0])
		if t.isPackage(at) || t.packed[r] && t.places[at].isModule() {
			only = append(only, r)
		} else if t.packed[r] && t.places[at].dir && len(parts) > 1 {
			if m, rest, _ := t.in([]string{r}, parts); len(rest) == 0 && (m.file != nil || len(parts) > 2) {
				only = append(only, r)
			}
		}
	}
	if len(only) == 1 {
		if m, rest, state := t.ask(only, parts, loose); state == inside {
			return m, rest, beside
		}
	}
	// What is installed and has no source, such as an extension in C, is left out.
	if m, rest, state := t.ask(t.sites, parts, loose); state == inside {
		return m, rest, inside
	}
	return module{}, nil, outside
}

// ask finds a name in roots. What it cannot find in a module that is no package, it looks for behind it: that folder is on
// no path, or the import fails.
func (t *folders) ask(roots, parts []string, loose bool) (module, []string, searchEnd) {
	state := outside
	for i := 0; i < len(roots); i++ {
		m, rest, regular := t.in(roots[i:], parts)
		if len(rest) == 0 || loose && m.file != nil {
			return m, rest, inside
		}
		if !regular {
			break
		}
		state = absent
		// On with the roots behind the one that has it, if that is a plain module.
		for i < len(roots) && !t.isPackage(below(roots[i], parts[0])) && !t.places[below(roots[i], parts[0])].isModule() {
			i++
		}
		if i < len(roots) && t.isPackage(below(roots[i], parts[0])) {
			break
		}
	}
	return module{}, nil, state
}

// shadows are the roots in which a name of the standard library is a file's own: nil where it is the library's. What the
// machine has built in is never; what stands beside a script, or where pytest looks first, is; and so is the package in
// which the file is itself.
func (t *folders) shadows(f *file, s *search, name string) []string {
	if builtIn[name] {
		return nil
	}
	for _, r := range s.before {
		at := below(r, name)
		if t.isPackage(at) {
			return s.all
		}
		if m := t.places[at].file; m != nil && m != f {
			return s.all
		}
	}
	for _, r := range s.behind {
		if at := below(r, name); t.isPackage(at) && (f.dir == at || strings.HasPrefix(f.dir, at+"/")) {
			return s.all
		}
	}
	// Stubs of the standard library are read beside one another.
	if f.stub {
		at := below(t.own(f.dir), name)
		if p := t.places[at]; p.stub != nil && p.stub != f || t.isPackage(at) {
			return s.all
		}
	}
	return nil
}

// relative finds the module of a name with dots before it.
func (t *folders) relative(f *file, level int, name string) (module, searchEnd) {
	dir := f.dir
	for range level - 1 {
		if dir == "." {
			return module{}, absent
		}
		dir = path.Dir(dir)
	}
	if name == "" {
		return t.module(t.places[below(dir, "__init__")], dir), inside
	}
	m, rest, _ := t.in([]string{dir}, strings.Split(name, "."))
	if len(rest) > 0 {
		return module{}, absent
	}
	return m, inside
}
