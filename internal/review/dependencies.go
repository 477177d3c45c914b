package review

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/project"
)

// Dependency is a package of which the change takes another version.
type Dependency struct {
	Name string
	// From and To are versions; From is "" of a new one, To of one that went.
	From, To string
	// Path is the manifest, or the lock file, that says so.
	Path string
	// Locked: no manifest of the change names it; other packages bring it.
	Locked bool
}

// maxLock bounds, in bytes, a lock file that is read.
const maxLock = 16 << 20

// versions are the versions of packages by name.
type versions map[string][]string

// add notes a version of a package.
func (v versions) add(name, version string) {
	if name != "" && !slices.Contains(v[name], version) {
		v[name] = append(v[name], version)
	}
}

// dependencies are the packages whose versions differ.
func (c *changeView) dependencies() (list []Dependency) {
	named := map[string]bool{}
	for _, locked := range []bool{false, true} {
		seen := map[Dependency]bool{}
		for i := range c.list {
			f := &c.list[i]
			read := manifestOf(f.Path)
			if locked {
				read = lockOf(f.Path)
			}
			if read == nil {
				continue
			}
			for _, d := range c.differ(f, read) {
				d.Locked = locked
				if key := (Dependency{Name: d.Name, From: d.From, To: d.To}); !seen[key] && !(locked && named[d.Name]) {
					seen[key] = true
					list = append(list, d)
				}
			}
		}
		for _, d := range list {
			named[d.Name] = true
		}
	}
	return list
}

// differ compares what a file says of packages before and after; nothing where one side cannot be read.
func (c *changeView) differ(f *File, read func(string, []byte) versions) (list []Dependency) {
	before, after := versions{}, versions{}
	if f.Status != diff.Added {
		b, ok := c.before(f.Change)
		if !ok || len(b) > maxLock {
			return nil
		}
		before = read(cmp.Or(f.OldPath, f.Path), b)
	}
	if f.Status != diff.Deleted {
		if f.file == nil || f.file.Size > maxLock {
			return nil
		}
		after = read(f.Path, c.head(f.file))
	}
	var names []string
	for name := range before {
		names = append(names, name)
	}
	for name := range after {
		if before[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		from, to := lacking(before[name], after[name]), lacking(after[name], before[name])
		for n := range max(len(from), len(to)) {
			d := Dependency{Name: name, Path: f.Path}
			if n < len(from) {
				d.From = from[n]
			} else if len(before[name]) > 0 {
				d.From = before[name][0] // a second version beside the one that stays
			}
			if n < len(to) {
				d.To = to[n]
			} else if len(after[name]) > 0 {
				d.To = after[name][0]
			}
			list = append(list, d)
		}
	}
	return list
}

// lacking are the versions of a that b lacks.
func lacking(a, b []string) (list []string) {
	for _, v := range a {
		if !slices.Contains(b, v) {
			list = append(list, v)
		}
	}
	return list
}

// noVersion stands for the version of a package that is named without one.
const noVersion = "any"

// manifestOf reads the manifests that name packages: those that a project has, what workflows use, what images are built from.
func manifestOf(name string) func(string, []byte) versions {
	base := strings.ToLower(path.Base(name))
	switch ext := path.Ext(base); {
	case (ext == ".yml" || ext == ".yaml") && (strings.HasPrefix(name, ".github/workflows/") || base == "action.yml" || base == "action.yaml"):
		return lineReader(uses)
	case language.IsDockerfile(name):
		return lineReader(from)
	case base == ".pre-commit-config.yaml":
		return hooks
	case strings.HasSuffix(base, ".versions.toml"), base == "directory.packages.props":
		return lineReader(catalog)
	case project.ReaderOf(name) != nil && lockOf(name) == nil:
		return declared
	}
	return nil
}

var (
	uses    = lazyregexp.New(`^\s*(?:-\s+)?uses:\s*['"]?([^\s@'"#]+)@([^\s'"#]+)`)
	from    = lazyregexp.New(`(?i)^\s*FROM\s+(?:--\S+\s+)*([^\s:@]+(?::\d+/[^\s:@]+)?)[:@]([^\s]+)`)
	catalog = lazyregexp.New(`^\s*(?:<PackageVersion\s+Include=")?([A-Za-z0-9_.-]+)"?\s*(?:=|Version=)\s*"([0-9][^"]*)"`)
	repo    = lazyregexp.New(`^\s*(?:-\s+)?repo:\s*['"]?(\S+?)['"]?\s*$`)
	rev     = lazyregexp.New(`^\s*(?:-\s+)?rev:\s*['"]?([^\s'"#]+)`)
)

// lineReader reads lines that name a package and its version.
func lineReader(form *lazyregexp.Regexp) func(string, []byte) versions {
	return func(_ string, content []byte) versions {
		v := versions{}
		for line := range bytes.Lines(content) {
			if m := form.FindSubmatch(line); m != nil {
				v.add(string(m[1]), string(m[2]))
			}
		}
		return v
	}
}

// hooks are the repositories of pre-commit.
func hooks(_ string, content []byte) versions {
	v, name := versions{}, ""
	for line := range bytes.Lines(content) {
		if m := repo.FindSubmatch(line); m != nil {
			name = string(m[1])
		} else if m := rev.FindSubmatch(line); m != nil {
			v.add(name, string(m[1]))
		}
	}
	return v
}

// declared are the dependencies of a project's manifest.
func declared(name string, content []byte) versions {
	v := versions{}
	for _, d := range project.Dependencies(name, content) {
		v.add(d.Name, cmp.Or(d.Version, noVersion))
	}
	return v
}

// lockOf reads the lock files that are known.
func lockOf(name string) func(string, []byte) versions {
	switch strings.ToLower(path.Base(name)) {
	case "package-lock.json", "npm-shrinkwrap.json":
		return npmLock
	case "yarn.lock":
		return yarnLock
	case "pnpm-lock.yaml":
		return lineReader(pnpm)
	case "go.sum":
		return goSum
	case "bun.lock":
		return lineReader(bun)
	case "deno.lock":
		return lineReader(deno)
	case "mix.lock":
		return lineReader(mix)
	case "gradle.lockfile":
		return lineReader(gradle)
	case "pubspec.lock":
		return pubLock
	case "packages.lock.json":
		return nugetLock
	case "package.resolved":
		return swiftLock
	case "cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "gopkg.lock":
		return tomlLock
	case "gemfile.lock":
		return lineReader(gem)
	case "composer.lock", "pipfile.lock":
		return jsonLock
	}
	return nil
}

var (
	pnpm    = lazyregexp.New(`^  ['"]?/?((?:@[^/\s]+/)?[^@/\s'"]+)[@/]([^\s:'"(]+)(?:\([^:]*\))?['"]?:`)
	bun     = lazyregexp.New(`^\s+"[^"]+":\s*\["((?:@[^/"@]+/)?[^"@]+)@(?:npm:)?([0-9][^"]*)"`)
	deno    = lazyregexp.New(`^\s+"((?:@[^/"@]+/)?[^"@:]+)@([0-9][^"_]*)[^"]*":\s*\{`)
	mix     = lazyregexp.New(`^\s+"([^"]+)":\s*\{:(?:hex,\s*:\w+,\s*"([^"]+)")`)
	gradle  = lazyregexp.New(`^([^#=:\s]+:[^=:\s]+):([^=:\s]+)=`)
	pubName = lazyregexp.New(`^  ([A-Za-z0-9_]+):\s*$`)
	pubIs   = lazyregexp.New(`^    version:\s*"?([^"\s]+)`)
	gem     = lazyregexp.New(`^    ([A-Za-z0-9_.-]+) \(([^)]+)\)`)
	yarnAt  = lazyregexp.New(`^"?((?:@[^/\s"]+/)?[^@\s"]+)@`)
	yarnIs  = lazyregexp.New(`^  version:? "?([^"\s]+)`)
	tomlKey = lazyregexp.New(`^\s*(name|version) = "([^"]*)"`)
)

func npmLock(_ string, content []byte) versions {
	var lock struct {
		Packages map[string]struct {
			Version string `json:"version"`
			Link    bool   `json:"link"`
		} `json:"packages"`
		Dependencies map[string]struct {
			Version string `json:"version"`
		} `json:"dependencies"`
	}
	v := versions{}
	if json.Unmarshal(content, &lock) != nil {
		return v
	}
	var names []string
	for name := range lock.Packages {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if i := strings.LastIndex(name, "node_modules/"); i >= 0 && !lock.Packages[name].Link {
			v.add(name[i+len("node_modules/"):], lock.Packages[name].Version)
		}
	}
	if len(names) == 0 {
		for name, d := range lock.Dependencies {
			v.add(name, d.Version)
		}
	}
	return v
}

func yarnLock(_ string, content []byte) versions {
	v, name := versions{}, ""
	for line := range bytes.Lines(content) {
		if m := yarnAt.FindSubmatch(line); m != nil {
			name = string(m[1])
		} else if m := yarnIs.FindSubmatch(line); m != nil && name != "" {
			v.add(name, string(m[1]))
			name = ""
		}
	}
	return v
}

func pubLock(_ string, content []byte) versions {
	v, name := versions{}, ""
	for line := range bytes.Lines(content) {
		if m := pubName.FindSubmatch(line); m != nil {
			name = string(m[1])
		} else if m := pubIs.FindSubmatch(line); m != nil && name != "" {
			v.add(name, string(m[1]))
			name = ""
		}
	}
	return v
}

func nugetLock(_ string, content []byte) versions {
	var lock struct {
		Dependencies map[string]map[string]struct {
			Resolved string `json:"resolved"`
		} `json:"dependencies"`
	}
	v := versions{}
	if json.Unmarshal(content, &lock) != nil {
		return v
	}
	for _, framework := range slices.Sorted(maps.Keys(lock.Dependencies)) {
		for name, d := range lock.Dependencies[framework] {
			if d.Resolved != "" { // a project of the same repository has none
				v.add(name, d.Resolved)
			}
		}
	}
	return v
}

func swiftLock(_ string, content []byte) versions {
	type pin struct {
		Identity string `json:"identity"`
		Package  string `json:"package"`
		State    struct {
			Version  string `json:"version"`
			Revision string `json:"revision"`
		} `json:"state"`
	}
	var lock struct {
		Pins   []pin `json:"pins"`
		Object struct {
			Pins []pin `json:"pins"`
		} `json:"object"`
	}
	v := versions{}
	if json.Unmarshal(content, &lock) != nil {
		return v
	}
	for _, p := range slices.Concat(lock.Pins, lock.Object.Pins) {
		v.add(cmp.Or(p.Identity, p.Package), cmp.Or(p.State.Version, p.State.Revision))
	}
	return v
}

func goSum(_ string, content []byte) versions {
	v := versions{}
	for line := range bytes.Lines(content) {
		if f := strings.Fields(string(line)); len(f) == 3 && !strings.HasSuffix(f[1], "/go.mod") {
			v.add(f[0], f[1])
		}
	}
	return v
}

func tomlLock(_ string, content []byte) versions {
	v, name := versions{}, ""
	for line := range bytes.Lines(content) {
		if bytes.HasPrefix(line, []byte("[")) {
			name = ""
		} else if m := tomlKey.FindSubmatch(line); m != nil {
			if string(m[1]) == "name" {
				name = string(m[2])
			} else if name != "" {
				v.add(name, string(m[2]))
				name = ""
			}
		}
	}
	return v
}

func jsonLock(_ string, content []byte) versions {
	type entry struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	var lock struct {
		Packages    []entry          `json:"packages"`
		PackagesDev []entry          `json:"packages-dev"`
		Default     map[string]entry `json:"default"`
		Develop     map[string]entry `json:"develop"`
	}
	v := versions{}
	if json.Unmarshal(content, &lock) != nil {
		return v
	}
	for _, e := range slices.Concat(lock.Packages, lock.PackagesDev) {
		v.add(e.Name, e.Version)
	}
	for _, m := range []map[string]entry{lock.Default, lock.Develop} {
		for name, e := range m {
			v.add(name, strings.TrimPrefix(e.Version, "=="))
		}
	}
	return v
}

// onlyVersions reports whether a change is a bump: each of its files is a lock file, or a manifest whose changed lines name a
// package that changed; and there is one such package.
func (c *changeView) onlyVersions(r *Review) bool {
	if len(r.Dependencies) == 0 {
		return false
	}
	changed := map[string]bool{}
	for _, d := range r.Dependencies {
		changed[d.Name] = true
	}
	for i := range c.list {
		f := &c.list[i]
		switch {
		case lockOf(f.Path) != nil:
		case manifestOf(f.Path) == nil || f.Status != diff.Modified || f.file == nil:
			return false
		default:
			before, ok := c.before(f.Change)
			if !ok || !onlyNames(before, c.head(f.file), changed) {
				return false
			}
		}
	}
	return true
}

// onlyNames reports whether each line that one of two texts alone has names a package, or says nothing but brackets, or the rev of
// a package above it.
func onlyNames(a, b []byte, packages map[string]bool) bool {
	lines := func(content []byte) map[string]int {
		m := map[string]int{}
		for line := range strings.Lines(string(content)) {
			m[strings.TrimRight(strings.TrimSpace(line), ",")]++
		}
		return m
	}
	x, y := lines(a), lines(b)
	named := func(line string) bool {
		if strings.Trim(line, "[]{}(), \t") == "" || rev.MatchString(line) || versionAlone.MatchString(line) {
			return true
		}
		for name := range packages {
			if strings.Contains(line, name) {
				return true
			}
		}
		return false
	}
	for line, n := range x {
		if y[line] != n && !named(line) {
			return false
		}
	}
	for line, n := range y {
		if x[line] != n && !named(line) {
			return false
		}
	}
	return true
}

// versionAlone is a line of a manifest that names a version apart from the package's name, or that a program keeps for indirect
// dependencies: where such a line comes or goes, a lock file may say the same as before.
var versionAlone = lazyregexp.New(`^(<version>[^<]*</version>|version\s*=\s*"[^"]*"|toolchain .*|# .*|\S+ v[0-9]\S* // indirect)$`)

// scripts are the names of a package.json's scripts, sorted.
func scripts(content []byte) (list []string) {
	var manifest struct {
		Scripts map[string]json.RawMessage `json:"scripts"`
	}
	if json.Unmarshal(content, &manifest) != nil {
		return nil
	}
	for name := range manifest.Scripts {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
