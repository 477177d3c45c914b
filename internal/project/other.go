package project

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

func unmarshalLenient(b []byte, v any) bool { return json.Unmarshal(b, v) == nil }

// Present reports whether a path was selected, also when packs do not hold it.
func (f *Facts) Present(name string) bool {
	_, ok := slices.BinarySearchFunc(f.Snapshot.Files, name, func(file scan.File, name string) int { return cmp.Compare(file.Path, name) })
	return ok
}

// anyTest reports whether there is a test file below dir whose name ends in suffix.
func (f *Facts) anyTest(dir, suffix string) bool {
	for i := range f.Snapshot.Files {
		file := &f.Snapshot.Files[i]
		if file.Category == scan.CategoryTest && strings.HasSuffix(file.Path, suffix) && Under(source.DirOf(file.Path), dir) {
			return true
		}
	}
	return false
}

func parseCargo(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "rust", "cargo"
	type target struct{ Name, Path string }
	type needs struct {
		Deps  map[string]any `toml:"dependencies"`
		Dev   map[string]any `toml:"dev-dependencies"`
		Build map[string]any `toml:"build-dependencies"`
	}
	var t struct {
		Package struct {
			Name        any
			Description any
			Autobins    *bool
		}
		Lib *target
		Bin []target
		needs
		Target    map[string]needs
		Workspace *struct {
			Members, Exclude []string
			Deps             map[string]any `toml:"dependencies"`
			Package          struct{ Description string }
		}
	}
	err := decodeTOML(b, &t)
	at := linesOfTOML(b)
	if name, ok := t.Package.Name.(string); ok {
		p.call(name, at.of("package", "name"))
	}
	if d, ok := t.Package.Description.(string); ok { // {workspace = true} is none
		p.describe(d, at.of("package", "description"))
	}
	if w := t.Workspace; w != nil {
		if p.Description.Text == "" {
			p.describe(w.Package.Description, at.of("workspace.package", "description"))
		}
		p.members, p.MembersLine = w.Members, at.of("workspace", "members")
		for _, x := range w.Exclude {
			p.members = append(p.members, "!"+x)
		}
		named := len(p.Dependencies)
		p.tomlDeps(at, "workspace.dependencies", w.Deps, Shared, nil)
		f.cargoVersions = map[string]string{}
		for _, d := range p.Dependencies[named:] {
			f.cargoVersions[d.Name] = d.Version
		}
	}
	add := func(table string, n needs) {
		p.tomlDeps(at, table+"dependencies", n.Deps, "runtime", f.cargoVersions)
		p.tomlDeps(at, table+"dev-dependencies", n.Dev, "dev", f.cargoVersions)
		p.tomlDeps(at, table+"build-dependencies", n.Build, "dev", f.cargoVersions)
	}
	add("", t.needs)
	for _, on := range firstN(slices.Sorted(maps.Keys(t.Target))) {
		table := "target." + on + "."
		for _, quote := range []string{"'", `"`} {
			if bytes.Contains(b, []byte("target."+quote+on+quote)) {
				table = "target." + quote + on + quote + "."
			}
		}
		add(table, t.Target[on])
	}
	if t.Lib != nil && t.Lib.Path != "" {
		p.enter(t.Lib.Path, "library", t.Lib.Name, at.of("lib", "path"))
	} else {
		p.enter("src/lib.rs", "library", p.Name, 0)
	}
	for _, bin := range firstN(t.Bin) {
		files := []string{bin.Path}
		if bin.Path == "" {
			files = []string{"src/bin/" + bin.Name + ".rs", "src/bin/" + bin.Name + "/main.rs", "src/main.rs"}
		}
		for _, file := range files {
			if f.Files[path.Join(p.Dir, file)] != nil {
				p.enter(file, "cli", bin.Name, lineOf(b, `"`+cmp.Or(bin.Path, bin.Name)+`"`))
				break
			}
		}
	}
	p.enter("src/main.rs", "cli", p.Name, 0)
	if t.Package.Autobins == nil || *t.Package.Autobins {
		p.enterBins(f)
	}
	p.framework("proptest", "rstest", "quickcheck")
	if p.Test = "cargo test"; p.TestLine > 0 {
		p.TestLine = 0
	}
	return err
}

// enterBins adds the programs that Cargo finds by their place: src/bin/x.rs and src/bin/x/main.rs.
func (p *Project) enterBins(f *Facts) {
	for i := range f.Snapshot.Files {
		name := f.Snapshot.Files[i].Path
		bin, ok := strings.CutPrefix(name, joinDir(p.Dir, "src/bin/"))
		if !ok || slices.ContainsFunc(p.Entries, func(w Way) bool { return w.Path == name }) {
			continue
		}
		bin = strings.TrimSuffix(strings.TrimSuffix(bin, "/main.rs"), ".rs")
		if !strings.Contains(bin, "/") && path.Ext(name) == ".rs" {
			p.Entries = append(p.Entries, Way{Path: name, Kind: "cli", Name: claim.OneLine(bin, 200)})
		}
	}
}

// parsePOM reads a Maven project. Entities from a DTD are not expanded.
func parsePOM(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "jvm", "maven"
	dec := xml.NewDecoder(bytes.NewReader(b))
	// Declared encodings: the text is UTF-8 by now.
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var stack []string
	var text strings.Builder
	props := map[string]string{}
	var dep struct {
		group, artifact, version, scope, optional string
		line                                      int
	}
	line := 0
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				return source.LineError{Line: syntax.Line, Err: fmt.Errorf("reading XML: %s", syntax.Msg)}
			}
			return fmt.Errorf("reading XML: %w", err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			stack = append(stack, t.Name.Local)
			text.Reset()
			line, _ = dec.InputPos()
			if len(stack) > 200 {
				return source.LineError{Line: line, Err: errors.New("reading XML: nested 200 deep")}
			}
			if t.Name.Local == "dependency" {
				dep.group, dep.artifact, dep.version, dep.scope, dep.optional = "", "", "", "", ""
				dep.line = line
			}
		case xml.CharData:
			if text.Len() < 1000 {
				text.Write(t)
			}
		case xml.EndElement:
			v := strings.TrimSpace(text.String())
			switch at := strings.Join(stack, "/"); at {
			case "project/artifactId":
				p.call(v, line)
			case "project/description":
				p.describe(v, line)
			case "project/modules/module":
				if p.MembersLine == 0 {
					p.MembersLine = line
				}
				p.members = append(p.members, v)
			case "project/dependencies/dependency/groupId":
				dep.group = v
			case "project/dependencies/dependency/artifactId":
				dep.artifact = v
			case "project/dependencies/dependency/version":
				dep.version = v
			case "project/dependencies/dependency/scope":
				dep.scope = v
			case "project/dependencies/dependency/optional":
				dep.optional = v
			case "project/dependencies/dependency":
				kind := "runtime"
				switch {
				case dep.scope == "test", dep.scope == "provided", dep.scope == "system": // to build, or there already
					kind = "dev"
				case dep.optional == "true":
					kind = Optional
				}
				p.need(dep.group+":"+dep.artifact, property(dep.version, props), kind, dep.line)
			default:
				if strings.HasPrefix(at, "project/properties/") && len(stack) == 3 {
					props[stack[2]] = v
				}
				if last := stack[len(stack)-1]; last == "mainClass" || last == "start-class" {
					p.enterClass(f, property(v, props), line)
				}
			}
			stack = stack[:max(0, len(stack)-1)]
			text.Reset()
		}
	}
	p.jvmTest()
	return nil
}

// enterClass adds the program that starts in a class of the JVM.
func (p *Project) enterClass(f *Facts, class string, line int) {
	file := strings.ReplaceAll(strings.TrimSuffix(class, "Kt"), ".", "/")
	base := path.Base(file)
	var found []string // files of its name; those of Kotlin need not lie in the folders of their package
	for i := range f.Snapshot.Files {
		name := f.Snapshot.Files[i].Path
		ext := path.Ext(name)
		if ext != ".java" && ext != ".kt" && ext != ".scala" && ext != ".groovy" || !Under(name, p.Dir) {
			continue
		}
		switch stem := strings.TrimSuffix(name, ext); {
		case strings.HasSuffix(stem, "/"+file):
			found = []string{name}
		case path.Base(stem) == base && ext != ".java":
			found = append(found, name)
			continue
		default:
			continue
		}
		break
	}
	if len(found) == 1 && base != "" {
		p.enter(strings.TrimPrefix(strings.TrimPrefix(found[0], p.Dir), "/"), "cli", class, line)
	}
}

// property resolves ${name} once; what it stands for is not looked into.
func property(v string, props map[string]string) string {
	if name, ok := strings.CutPrefix(v, "${"); ok {
		if r, ok := props[strings.TrimSuffix(name, "}")]; ok {
			return r
		}
	}
	return v
}

func (p *Project) jvmTest() {
	for _, d := range p.Dependencies {
		for _, t := range [][2]string{{"kotest", "kotest"}, {"spock", "spock"}, {"scalatest", "scalatest"}, {"testng", "testng"}, {"junit", "junit"}} {
			if strings.Contains(d.Name, t[0]) {
				p.Test, p.TestLine = t[1], d.Line
				return
			}
		}
	}
}

// A Gradle build is a program and is not run; these are the ways that nearly
// all of them name dependencies.
var (
	gradleDep   = lazyregexp.New(`^\s*((?:\w*?)(?:[aA]pi|[iI]mplementation|[cC]ompileOnly(?:Api)?|[rR]untimeOnly|[cC]ompile|[kK]apt|[kK]sp|[aA]nnotationProcessor))\s*\(?\s*(?:(?:platform|enforcedPlatform)\s*\(\s*)?['"]([\w.-]+:[\w.-]+)(?::([^'"@:]*))?`)
	gradleAlias = lazyregexp.New(`^\s*((?:\w*?)(?:[aA]pi|[iI]mplementation|[cC]ompileOnly(?:Api)?|[rR]untimeOnly|[kK]apt|[kK]sp|[aA]nnotationProcessor))\s*\(?\s*(?:(?:platform|enforcedPlatform)\s*\(\s*)?(libs\.[\w.]+)`)
	gradleTests = lazyregexp.New(`\b[a-z]\w*Tests?\b|\b(?:test|testing|integrationTest|testFixtures)\b`)
	gradleName  = lazyregexp.New(`^\s*rootProject\.name\s*=\s*['"]([^'"]+)['"]`)
	gradleDesc  = lazyregexp.New(`^\s*description\s*=\s*['"]([^'"]+)['"]`)
	gradleSub   = lazyregexp.New(`['"]:?([\w.:/-]+)['"]`)
	gradleMain  = lazyregexp.New(`(?:mainClass(?:Name)?(?:\.set\(|\s*=)|\bmainClass\s*:|["']Main-Class["']\s*(?:to|:|,|\]?\s*=))\s*['"]([\w.]+)['"]`)
	gradleUnit  = lazyregexp.New(`useJUnitPlatform\s*\(`)
)

func parseGradle(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "jvm", "gradle"
	catalog := f.catalog()
	n := 0
	var around []bool // blocks that the line stands in, and whether they are of tests: a source set's
	for line := range bytes.Lines(b) {
		n++
		if len(line) > 2000 {
			continue
		}
		m := gradleDep.FindStringSubmatch(string(line))
		if m == nil {
			if a := gradleAlias.FindStringSubmatch(string(line)); a != nil {
				m = []string{"", a[1], a[2], ""}
				if lib, ok := catalog[strings.TrimPrefix(a[2], "libs.")]; ok {
					m[2], m[3] = lib.Name, lib.Version
				}
			}
		}
		if m != nil {
			p.need(m[2], m[3], gradleKind(m[1], slices.Contains(around, true)), n)
		}
		if m := gradleDesc.FindSubmatch(line); m != nil {
			p.describe(string(m[1]), n)
		}
		if m := gradleMain.FindSubmatch(line); m != nil {
			p.enterClass(f, string(m[1]), n)
		}
		opens, shuts := bytes.Count(line, []byte{'{'}), bytes.Count(line, []byte{'}'})
		for range min(shuts, len(around)) {
			around = around[:len(around)-1]
		}
		for range min(opens, maxGradleDepth-len(around)) {
			around = append(around, gradleTests.Match(line))
		}
		if gradleUnit.Match(line) && p.Test == "" {
			p.Test, p.TestLine = "junit", n
		}
	}
	if p.Test == "" {
		p.jvmTest()
	}
	return nil
}

// maxGradleDepth bounds the blocks of a build file that stand in one another.
const maxGradleDepth = 100

// gradleKind is what a dependency is for by the configuration that it is added to.
func gradleKind(configuration string, tests bool) string {
	c := strings.ToLower(configuration)
	for _, part := range []string{"test", "compileonly", "kapt", "ksp", "annotationprocessor", "debug", "lint", "jmh", "benchmark"} {
		if tests || strings.Contains(c, part) {
			return "dev"
		}
	}
	return "runtime"
}

// catalog is Gradle's version catalog, gradle/libs.versions.toml, by alias as
// build files write it. Empty where it is absent or broken.
func (f *Facts) catalog() map[string]Dependency {
	if f.gradleCatalog != nil {
		return f.gradleCatalog
	}
	f.gradleCatalog = map[string]Dependency{}
	file := f.Files["gradle/libs.versions.toml"]
	if file == nil || file.Size > MaxManifestBytes {
		return f.gradleCatalog
	}
	b, _, err := f.texts.Read(file)
	if err != nil {
		return f.gradleCatalog
	}
	var t struct {
		Versions  map[string]any
		Libraries map[string]any
	}
	if err := decodeTOML(b, &t); err != nil {
		f.Warn(file.Path, 0, err)
	}
	for alias, v := range t.Libraries {
		var lib Dependency
		switch v := v.(type) {
		case string: // group:name:version
			if i := strings.LastIndexByte(v, ':'); i > 0 {
				lib.Name, lib.Version = v[:i], v[i+1:]
			}
		case map[string]any:
			lib.Name, _ = v["module"].(string)
			if group, ok := v["group"].(string); ok {
				name, _ := v["name"].(string)
				lib.Name = group + ":" + name
			}
			switch version := v["version"].(type) {
			case string:
				lib.Version = version
			case map[string]any:
				ref, _ := version["ref"].(string)
				lib.Version, _ = t.Versions[ref].(string)
			}
		}
		if lib.Name != "" {
			f.gradleCatalog[strings.NewReplacer("-", ".", "_", ".").Replace(alias)] = lib
		}
	}
	return f.gradleCatalog
}

func parseGradleSettings(_ *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build, p.Tool = "jvm", "gradle", true
	n, including := 0, false
	for line := range bytes.Lines(b) {
		n++
		s := strings.TrimSpace(string(line))
		if m := gradleName.FindStringSubmatch(s); m != nil {
			p.call(m[1], n)
		}
		if strings.HasPrefix(s, "include ") || strings.HasPrefix(s, "include(") || including {
			for _, m := range gradleSub.FindAllStringSubmatch(s, 100) {
				if p.MembersLine == 0 {
					p.MembersLine = n
				}
				p.members = append(p.members, strings.ReplaceAll(m[1], ":", "/"))
			}
			// A list goes on while its line ends in a comma or its bracket is open.
			including = strings.HasSuffix(s, ",") || strings.Contains(s, "include(") && !strings.Contains(s, ")") ||
				including && !strings.Contains(s, ")") && s != ""
		}
	}
	return nil
}

func parseComposer(_ *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "php", "composer"
	top, err := object(b)
	for _, m := range top {
		switch m.key {
		case "name":
			p.call(m.str(), m.line)
		case "description":
			p.describe(m.str(), m.line)
		case "require", "require-dev":
			kind := map[string]string{"require": "runtime", "require-dev": "dev"}[m.key]
			for _, d := range m.inner() {
				if strings.Contains(d.key, "/") { // php and its extensions are no packages
					p.need(d.key, d.str(), kind, d.line)
				}
			}
		case "bin":
			for _, s := range m.strs() {
				p.enter(s, "cli", path.Base(s), m.line)
			}
		}
	}
	p.framework("phpunit/phpunit", "pestphp/pest", "codeception/codeception")
	if p.Test != "" {
		p.Test = path.Base(p.Test)
	}
	return err
}

func parsePubspec(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "dart", "pub"
	root, err := yamlRoot(b)
	if err != nil {
		return err
	}
	for _, kv := range yamlPairs(root) {
		switch kv.key.Value {
		case "name":
			p.call(kv.value.Value, kv.key.Line)
		case "description":
			p.describe(kv.value.Value, kv.key.Line)
		case "dependencies", "dev_dependencies":
			kind := map[string]string{"dependencies": "runtime", "dev_dependencies": "dev"}[kv.key.Value]
			for _, d := range yamlPairs(kv.value) {
				p.need(d.key.Value, d.value.Value, kind, d.key.Line)
			}
		case "executables": // by the file in bin, where it is not that of the command
			for _, c := range yamlPairs(kv.value) {
				file := c.value.Value
				if c.value.Tag == "!!null" || file == "" {
					file = c.key.Value
				}
				p.enter("bin/"+file+".dart", "cli", c.key.Value, c.key.Line)
			}
		case "workspace":
			p.MembersLine = kv.key.Line
			for _, n := range kv.value.Content {
				p.members = append(p.members, n.Value)
			}
		}
	}
	if file := "lib/" + p.Name + ".dart"; f.Files[joinDir(p.Dir, file)] != nil {
		p.enter(file, "library", p.Name, p.NameLine)
	}
	p.framework("flutter_test", "test")
	return nil
}
