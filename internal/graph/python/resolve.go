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
	roots  map[string][]string
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
	stem = strings.TrimSuffix(stem, ".py")
	p := t.places[stem]
	if stub {
		p.stub = f
	} else {
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

// path returns the folders in which a file of dir looks for modules, in order.
func (t *folders) path(dir string) []string {
	if r, ok := t.roots[dir]; ok {
		return r
	}
	var list []string
	add := func(d string) {
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	add(t.own(dir))
	for d := dir; !outsideRoot(dir); d = path.Dir(d) {
		// pytest puts the folders of conftest.py on the path.
		if t.places[below(d, "conftest")].file != nil {
			add(t.own(d))
		}
		for _, r := range t.projects[d] {
			add(r)
		}
		if d == "." {
			break
		}
	}
	t.roots[dir] = list
	return list
}

// module is what a dotted name leads to.
type module struct {
	// file is nil for a namespace.
	file *file
	// stub is the stub beside a file that is none.
	stub *file
	// dir is the folder of a package or namespace; "" for a plain module.
	dir string
}

// in finds a name below a folder. rest is what of the name is no module.
func (t *folders) in(dir string, parts []string) (m module, rest []string, ok bool) {
	at := dir
	for i, name := range parts {
		next := below(at, name)
		switch p := t.places[next]; {
		case p.dir && t.isPackage(next):
			m = t.module(t.places[below(next, "__init__")], next)
		case p.isModule():
			return t.module(p, ""), parts[i+1:], true
		case p.dir:
			m = module{dir: next}
		default:
			return m, parts[i:], i > 0
		}
		at = next
	}
	return m, nil, true
}

// module is the module at a place, read. Where there is the stub alone, it is the file.
func (t *folders) module(p place, dir string) module {
	m := module{t.fill(p.file), t.fill(p.stub), dir}
	if m.file == nil {
		m.file, m.stub = m.stub, nil
	}
	return m
}

// found says how a search ended.
type found int

const (
	outside found = iota
	inside
	// absent is a name of a package of the repository that is not there.
	absent
	// beside is a package of another project of the repository.
	beside
)

// absolute finds the module of a dotted name, as a file sees it. With loose, as
// much of the name as is a module.
func (t *folders) absolute(f *file, name string, loose bool) (module, []string, found) {
	parts := strings.Split(name, ".")
	if standard[parts[0]] && !t.sees(f, parts[0]) {
		return module{}, nil, outside
	}
	if f.installed != nil && f.installed.top != parts[0] {
		return module{}, nil, outside // from one package to another nothing is followed
	}
	search := func(roots []string) (module, []string, found) {
		state := outside
		var namespace module
		for _, r := range roots {
			m, rest, ok := t.in(r, parts)
			if !ok {
				continue
			}
			regular := t.isPackage(below(r, parts[0])) || m.dir == "" && len(rest) == len(parts)-1
			switch {
			case len(rest) == 0 && (m.file != nil || regular):
				return m, nil, inside
			case len(rest) == 0:
				// A namespace gives way to whatever stands behind it.
				if namespace.dir == "" {
					namespace = m
				}
			case regular:
				if loose && m.file != nil {
					return m, rest, inside
				}
				return module{}, nil, absent
			case loose && m.file != nil:
				return m, rest, inside
			}
		}
		if namespace.dir != "" {
			return namespace, nil, inside
		}
		return module{}, nil, state
	}
	m, rest, state := search(t.path(f.dir))
	if state != outside {
		return m, rest, state
	}
	// Another project of the repository, installed beside this one: when it is
	// the only one that has the package.
	var only []string
	for _, r := range t.others {
		if t.isPackage(below(r, parts[0])) {
			only = append(only, r)
		}
	}
	if len(only) == 1 {
		if m, rest, state = search(only); state == inside {
			return m, rest, beside
		}
	}
	// What is installed and has no source, such as an extension in C, is left out.
	if m, rest, state = search(t.sites); state == inside {
		return m, rest, inside
	}
	return module{}, nil, outside
}

// sees reports whether a name of the standard library is a file's own: that of
// its package, or of a module beside a script.
func (t *folders) sees(f *file, name string) bool {
	own := t.own(f.dir)
	at := below(own, name)
	if f.dir == own {
		m := t.places[at].file
		return m != nil && m != f
	}
	return f.dir == at || strings.HasPrefix(f.dir, at+"/")
}

// relative finds the module of a name with dots before it.
func (t *folders) relative(f *file, level int, name string) (module, []string, found) {
	dir := f.dir
	for range level - 1 {
		if dir == "." {
			return module{}, nil, absent
		}
		dir = path.Dir(dir)
	}
	if name == "" {
		return t.module(t.places[below(dir, "__init__")], dir), nil, inside
	}
	m, rest, ok := t.in(dir, strings.Split(name, "."))
	if !ok || len(rest) > 0 {
		return module{}, nil, absent
	}
	return m, nil, inside
}
