package project

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
)

// decodeTOML parses b into v, and turns the error into one with a line.
func decodeTOML(b []byte, v any) error {
	if d := nesting(b); d > 1000 {
		return fmt.Errorf("reading TOML: nested %d deep", d)
	}
	err := toml.Unmarshal(b, v)
	if err == nil {
		return nil
	}
	says := strings.TrimPrefix(err.Error(), "toml: ")
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return fmt.Errorf("reading TOML: %s", says)
	}
	if strings.HasPrefix(says, "cannot decode ") {
		// What follows is a type of Go's, which tells the reader nothing.
		says, _, _ = strings.Cut(says, " into ")
		says = fmt.Sprintf("key %q: %s", strings.Join(at.Key(), "."), says)
	}
	line, _ := at.Position()
	return source.LineError{Line: line, Err: fmt.Errorf("reading TOML: %s", says)}
}

// tomlLines has the lines of keys, and of tables under the empty key, as files
// are written by hand: [table], then key = value.
type tomlLines map[[2]string]int

func linesOfTOML(b []byte) tomlLines {
	out := tomlLines{}
	table, n := "", 0
	add := func(key string) {
		if k := [2]string{table, key}; out[k] == 0 {
			out[k] = n
		}
	}
	for line := range bytes.Lines(b) {
		n++
		s := strings.TrimSpace(string(line))
		if strings.HasPrefix(s, "[") {
			head, _, _ := strings.Cut(s, "#")
			table = strings.Trim(head, "[] \t")
			add("")
		} else if k, _, ok := strings.Cut(s, "="); ok {
			k = strings.Trim(strings.TrimSpace(k), `"'`)
			add(k)
			if table, _, dotted := strings.Cut(k, "."); dotted { // serde.workspace = true
				add(table)
			}
		}
	}
	return out
}

// of is the line of a key in a table, 0 when it is written otherwise.
func (l tomlLines) of(table, key string) int { return l[[2]string{table, key}] }

// lineOf is the first line that holds s, 0 without one. For values in lists.
func lineOf(b []byte, s string) int {
	i := bytes.Index(b, []byte(s))
	if i < 0 || s == "" {
		return 0
	}
	return 1 + bytes.Count(b[:i], newline)
}

// A requirement of PEP 508, as far as the name and the version.
var requirement = lazyregexp.New(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#)]*)`)

func (p *Project) require(spec, kind string, line int) {
	m := requirement.FindStringSubmatch(spec)
	if m == nil {
		return
	}
	version := strings.TrimSpace(m[2])
	if strings.HasPrefix(version, "@") { // a URL, which may hold credentials
		version = "url"
	}
	p.need(m[1], version, kind, line)
}

// firstN bounds the searching for lines.
func firstN[T any](list []T) []T { return list[:min(len(list), maxDepsRead)] }

var pythonTests = []string{"pytest", "nose2", "nose", "hypothesis", "tox", "nox", "behave", "robotframework"}

func parsePyproject(f *Facts, p *Project, b []byte) error {
	p.Ecosystem = "python"
	var t struct {
		Project struct {
			Name, Description string
			Dependencies      []string
			Optional          map[string][]string `toml:"optional-dependencies"`
			Scripts           map[string]string
			GUIScripts        map[string]string `toml:"gui-scripts"`
		}
		Groups      map[string][]any `toml:"dependency-groups"`
		BuildSystem struct {
			Backend string `toml:"build-backend"`
		} `toml:"build-system"`
		Tool struct {
			Poetry struct {
				Name, Description string
				Dependencies      map[string]any
				Dev               map[string]any `toml:"dev-dependencies"`
				Group             map[string]struct{ Dependencies map[string]any }
				Scripts           map[string]any
			}
			UV struct {
				Workspace struct{ Members []string }
				Dev       []string `toml:"dev-dependencies"`
			}
			PDM struct {
				Dev map[string][]string `toml:"dev-dependencies"`
			}
			Pytest map[string]any
		}
	}
	err := decodeTOML(b, &t)
	at := linesOfTOML(b)
	p.call(t.Project.Name, at.of("project", "name"))
	p.describe(t.Project.Description, at.of("project", "description"))
	for _, d := range firstN(t.Project.Dependencies) {
		p.require(d, "runtime", lineOf(b, d))
	}
	for _, group := range slices.Sorted(maps.Keys(t.Project.Optional)) {
		for _, d := range firstN(t.Project.Optional[group]) {
			p.require(d, extra(group), lineOf(b, d))
		}
	}
	for _, group := range slices.Sorted(maps.Keys(t.Groups)) {
		for _, d := range firstN(t.Groups[group]) {
			if s, ok := d.(string); ok {
				p.require(s, "dev", lineOf(b, s))
			}
		}
	}
	for _, d := range firstN(t.Tool.UV.Dev) {
		p.require(d, "dev", lineOf(b, d))
	}
	for _, group := range slices.Sorted(maps.Keys(t.Tool.PDM.Dev)) {
		for _, d := range firstN(t.Tool.PDM.Dev[group]) {
			p.require(d, "dev", lineOf(b, d))
		}
	}
	po := &t.Tool.Poetry
	if p.Name == "" {
		p.call(po.Name, at.of("tool.poetry", "name"))
	}
	if p.Description.Text == "" {
		p.describe(po.Description, at.of("tool.poetry", "description"))
	}
	p.tomlDeps(at, "tool.poetry.dependencies", po.Dependencies, "runtime", nil)
	p.tomlDeps(at, "tool.poetry.dev-dependencies", po.Dev, "dev", nil)
	for _, group := range slices.Sorted(maps.Keys(po.Group)) {
		kind := "dev"
		if group == "main" {
			kind = "runtime"
		}
		p.tomlDeps(at, "tool.poetry.group."+group+".dependencies", po.Group[group].Dependencies, kind, nil)
	}
	for _, s := range slices.Sorted(maps.Keys(t.Project.Scripts)) {
		p.command(f, s, t.Project.Scripts[s], at.of("project.scripts", s))
	}
	for _, s := range slices.Sorted(maps.Keys(po.Scripts)) {
		if target, ok := po.Scripts[s].(string); ok {
			p.command(f, s, target, at.of("tool.poetry.scripts", s))
		}
	}
	p.members = t.Tool.UV.Workspace.Members
	p.MembersLine = at.of("tool.uv.workspace", "members")
	backend, _, _ := strings.Cut(t.BuildSystem.Backend, ".")
	if p.Build = map[string]string{"poetry": "poetry", "setuptools": "setuptools", "hatchling": "hatch", "flit_core": "flit", "pdm": "pdm", "maturin": "maturin", "mesonpy": "meson", "uv_build": "uv", "scikit_build_core": "scikit-build"}[backend]; p.Build == "" {
		p.Build = claim.OneLine(backend, 50)
	}
	if p.Build == "" {
		p.Build = "pip"
	}
	p.BuildLine = at.of("build-system", "build-backend")
	p.pythonTest(f)
	if t.Tool.Pytest != nil && p.Test != "pytest" {
		p.Test, p.TestLine = "pytest", at.of("tool.pytest.ini_options", "")
	}
	return err
}

func (p *Project) pythonTest(f *Facts) {
	p.framework(pythonTests...)
	if p.Test == "" && f.anyTest(p.Dir, ".py") {
		if f.Present(joinDir(p.Dir, "pytest.ini")) || f.Present(joinDir(p.Dir, "tests/conftest.py")) || f.Present(joinDir(p.Dir, "conftest.py")) {
			p.Test = "pytest"
		}
	}
}

// devGroups are words of the names of groups of dependencies that only those need who work on the project.
var devGroups = language.WordSet("dev devel develop development developer developers test tests testing doc docs documentation lint linting lints linter linters typing typecheck " +
	"mypy bench benchmark benchmarks benchmarking ci style format formatting quality coverage release")

// devGroup reports whether a group of this name is for those who work on the project.
func devGroup(name string) bool {
	return slices.ContainsFunc(language.Words(name), func(w string) bool { return devGroups[w] })
}

// extra is the kind of what a project of Python needs where a group of this name is asked for.
func extra(group string) string {
	if devGroup(group) {
		return "dev"
	}
	return Optional
}

// tomlDeps adds a table of name = "version" or name = {version = "..."}. shared are versions that a workspace sets for its members.
func (p *Project) tomlDeps(at tomlLines, table string, deps map[string]any, kind string, shared map[string]string) {
	for _, name := range firstN(slices.Sorted(maps.Keys(deps))) {
		if name == "python" && p.Ecosystem == "python" {
			continue
		}
		version, kind := "", kind
		switch v := deps[name].(type) {
		case string:
			version = v
		case map[string]any:
			version, _ = v["version"].(string)
			if optional, _ := v["optional"].(bool); optional && kind == "runtime" {
				kind = Optional
			}
			if inherits, _ := v["workspace"].(bool); inherits {
				version = shared[name]
			}
			if _, ok := v["path"]; ok && version == "" {
				version = "path"
			}
		}
		line := at.of(table, name)
		if line == 0 {
			line = at.of(table+"."+name, "")
		}
		p.need(name, version, kind, line)
		if version == "*" {
			p.Concerns = append(p.Concerns, claim.New([]claim.Citation{claim.Cite(p.Path, line)}, "The version of dependency %s is not bounded: *", claim.OneLine(name, 200)))
		}
	}
}

// command adds a console script "module.sub:function".
func (p *Project) command(f *Facts, name, target string, line int) {
	p.Scripts = append(p.Scripts, Script{claim.OneLine(name, 100), claim.OneLine(target, 200), line})
	module, _, _ := strings.Cut(target, ":")
	file := strings.ReplaceAll(strings.TrimSpace(module), ".", "/")
	for _, top := range []string{"", "src/"} {
		for _, tail := range []string{".py", "/__init__.py", "/__main__.py"} {
			if path := joinDir(p.Dir, top+file+tail); f.Files[path] != nil {
				p.Entries = append(p.Entries, Way{path, "cli", claim.OneLine(name, 200), line})
				return
			}
		}
	}
}

func joinDir(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func parseRequirements(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "python", "pip"
	kind := "runtime"
	if devGroup(strings.TrimPrefix(strings.ToLower(p.Path[strings.LastIndexByte(p.Path, '/')+1:]), "requirements")) {
		kind = "dev"
	}
	n := 0
	for line := range bytes.Lines(b) {
		n++
		s := strings.TrimSpace(string(line))
		if s == "" || s[0] == '#' || s[0] == '-' || strings.Contains(strings.SplitN(s, " ", 2)[0], "://") {
			continue
		}
		if !requirement.MatchString(s) {
			f.Warn(p.Path, n, fmt.Errorf("not a requirement: %q", claim.OneLine(s, 60)))
			continue
		}
		p.require(s, kind, n)
	}
	p.pythonTest(f)
	return nil
}

// parseSetupCfg reads the INI dialect of Python's configparser: no parser in Go
// keeps both its continuation lines and line numbers.
func parseSetupCfg(f *Facts, p *Project, b []byte) error {
	section, key := "", ""
	n := 0
	var bad error
	value := func(s string, line int) {
		if s = strings.TrimSpace(s); s == "" {
			return
		}
		switch section + "/" + key {
		case "metadata/name":
			p.call(s, line)
		case "metadata/description":
			p.describe(s, line)
		case "options/install_requires":
			for spec := range strings.SplitSeq(s, ";") {
				p.require(spec, "runtime", line)
				break // what follows is a marker
			}
		case "options/tests_require":
			p.require(s, "dev", line)
		case "options.entry_points/console_scripts":
			if name, target, ok := strings.Cut(s, "="); ok {
				p.command(f, strings.TrimSpace(name), strings.TrimSpace(target), line)
			}
		default:
			if section == "options.extras_require" {
				p.require(s, extra(key), line)
			}
		}
	}
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, MaxManifestBytes+1)
	for sc.Scan() {
		n++
		line := sc.Text()
		t := strings.TrimSpace(line)
		switch {
		case t == "" || t[0] == '#' || t[0] == ';':
		case t[0] == '[' && line[0] == '[':
			end := strings.IndexByte(t, ']')
			if end < 0 {
				bad = errors.Join(bad, source.LineError{Line: n, Err: errors.New("reading INI: section without ]")})
				continue
			}
			section, key = t[1:end], ""
			p.Ecosystem, p.Build = "python", "setuptools"
		case (line[0] == ' ' || line[0] == '\t') && key != "":
			value(t, n)
		default:
			i := strings.IndexAny(t, "=:")
			if i < 0 || section == "" {
				if bad == nil {
					bad = source.LineError{Line: n, Err: errors.New("reading INI: neither a section nor key = value")}
				}
				continue
			}
			key = strings.ToLower(strings.TrimSpace(t[:i]))
			value(t[i+1:], n)
		}
	}
	if section == "" && p.Name == "" {
		p.Ecosystem = ""
	}
	p.pythonTest(f)
	return bad
}

// A setup.py is a program and is not run; these are the ways that nearly all of them are written.
var (
	setupName   = lazyregexp.New(`^\s*name\s*=\s*["']([^"'{}]+)["']\s*,?\s*(?:#.*)?$|^setup\(\s*name\s*=\s*["']([^"'{}]+)["']`)
	setupSays   = lazyregexp.New(`^\s*description\s*=\s*["']([^"'{}]+)["']\s*,?\s*(?:#.*)?$`)
	setupScript = lazyregexp.New(`["']([\w.-]+)\s*=\s*([\w.]+(?::[\w.]+))["']`)
)

// parseSetupPy reads what a setup.py calls the project, and the commands that it makes.
func parseSetupPy(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "python", "setuptools"
	n, commands := 0, false
	for line := range bytes.Lines(b) {
		n++
		if len(line) > 2000 {
			continue
		}
		if m := setupName.FindSubmatch(line); m != nil && p.Name == "" {
			p.call(string(m[1])+string(m[2]), n)
		}
		if m := setupSays.FindSubmatch(line); m != nil && p.Description.Text == "" {
			p.describe(string(m[1]), n)
		}
		commands = commands || bytes.Contains(line, []byte("console_scripts"))
		if commands {
			for _, m := range setupScript.FindAllSubmatch(line, 100) {
				p.command(f, string(m[1]), string(m[2]), n)
			}
			commands = !bytes.Contains(line, []byte("]"))
		}
	}
	p.pythonTest(f)
	return nil
}

// parsePipfile reads what pipenv installs.
func parsePipfile(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "python", "pipenv"
	var t struct {
		Packages map[string]any
		Dev      map[string]any `toml:"dev-packages"`
	}
	err := decodeTOML(b, &t)
	at := linesOfTOML(b)
	p.tomlDeps(at, "packages", t.Packages, "runtime", nil)
	p.tomlDeps(at, "dev-packages", t.Dev, "dev", nil)
	p.pythonTest(f)
	return err
}
