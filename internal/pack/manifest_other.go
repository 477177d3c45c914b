package pack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

func unmarshalLenient(b []byte, v any) bool { return json.Unmarshal(b, v) == nil }

// present reports whether a path was selected, also when packs do not hold it.
func (f *facts) present(name string) bool {
	_, ok := slices.BinarySearchFunc(f.src.Snapshot.Files, name, func(file scan.File, name string) int { return cmp.Compare(file.Path, name) })
	return ok
}

// anyTest reports whether there is a test file below dir whose name ends in suffix.
func (f *facts) anyTest(dir, suffix string) bool {
	for i := range f.src.Snapshot.Files {
		file := &f.src.Snapshot.Files[i]
		if file.Category == scan.CategoryTest && strings.HasSuffix(file.Path, suffix) && under(source.DirOf(file.Path), dir) {
			return true
		}
	}
	return false
}

func parseCargo(f *facts, p *project, b []byte) error {
	p.ecosystem, p.build = "rust", "cargo"
	type target struct{ Name, Path string }
	var t struct {
		Package struct {
			Name        any
			Description any
		}
		Lib       *target
		Bin       []target
		Deps      map[string]any `toml:"dependencies"`
		Dev       map[string]any `toml:"dev-dependencies"`
		Build     map[string]any `toml:"build-dependencies"`
		Workspace *struct {
			Members, Exclude []string
			Deps             map[string]any `toml:"dependencies"`
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
	p.tomlDeps(at, "dependencies", t.Deps, "runtime")
	p.tomlDeps(at, "dev-dependencies", t.Dev, "dev")
	p.tomlDeps(at, "build-dependencies", t.Build, "dev")
	if w := t.Workspace; w != nil {
		p.members, p.membersLine = w.Members, at.of("workspace", "members")
		for _, x := range w.Exclude {
			p.members = append(p.members, "!"+x)
		}
		p.tomlDeps(at, "workspace.dependencies", w.Deps, "runtime")
	}
	if t.Lib != nil && t.Lib.Path != "" {
		p.enter(t.Lib.Path, "library", t.Lib.Name, at.of("lib", "path"))
	} else {
		p.enter("src/lib.rs", "library", p.name, 0)
	}
	for _, bin := range firstN(t.Bin) {
		file := bin.Path
		if file == "" {
			file = "src/bin/" + bin.Name + ".rs"
		}
		p.enter(file, "cli", bin.Name, lineOf(b, file))
	}
	p.enter("src/main.rs", "cli", p.name, 0)
	p.framework("proptest", "rstest", "quickcheck")
	if p.test = "cargo test"; p.testLine > 0 {
		p.testLine = 0
	}
	return err
}

// parsePOM reads a Maven project. Entities from a DTD are not expanded.
func parsePOM(f *facts, p *project, b []byte) error {
	p.ecosystem, p.build = "jvm", "maven"
	dec := xml.NewDecoder(bytes.NewReader(b))
	// Declared encodings: the text is UTF-8 by now.
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var stack []string
	var text strings.Builder
	props := map[string]string{}
	var dep struct {
		group, artifact, version, scope string
		line                            int
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
				dep.group, dep.artifact, dep.version, dep.scope = "", "", "", ""
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
				if p.membersLine == 0 {
					p.membersLine = line
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
			case "project/dependencies/dependency":
				kind := "runtime"
				if dep.scope == "test" {
					kind = "dev"
				}
				p.need(dep.group+":"+dep.artifact, property(dep.version, props), kind, dep.line)
			default:
				if strings.HasPrefix(at, "project/properties/") && len(stack) == 3 {
					props[stack[2]] = v
				}
			}
			stack = stack[:max(0, len(stack)-1)]
			text.Reset()
		}
	}
	p.jvmTest()
	return nil
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

func (p *project) jvmTest() {
	for _, d := range p.deps {
		for _, t := range [][2]string{{"kotest", "kotest"}, {"spock", "spock"}, {"scalatest", "scalatest"}, {"testng", "testng"}, {"junit", "junit"}} {
			if strings.Contains(d.name, t[0]) {
				p.test, p.testLine = t[1], d.line
				return
			}
		}
	}
}

// A Gradle build is a program and is not run; these are the ways that nearly
// all of them name dependencies.
var (
	gradleDep   = lazyregexp.New(`^\s*(api|implementation|compileOnly|runtimeOnly|compile|kapt|annotationProcessor|testImplementation|testRuntimeOnly|testCompile|androidTestImplementation)\s*\(?\s*(?:platform\s*\(\s*)?['"]([\w.-]+:[\w.-]+)(?::([^'"@:]*))?`)
	gradleAlias = lazyregexp.New(`^\s*(api|implementation|compileOnly|runtimeOnly|testImplementation|testRuntimeOnly)\s*\(?\s*(libs\.[\w.]+)`)
	gradleName  = lazyregexp.New(`^\s*rootProject\.name\s*=\s*['"]([^'"]+)['"]`)
	gradleDesc  = lazyregexp.New(`^\s*description\s*=\s*['"]([^'"]+)['"]`)
	gradleSub   = lazyregexp.New(`['"]:?([\w.:/-]+)['"]`)
	gradleMain  = lazyregexp.New(`mainClass(?:Name)?(?:\.set\(|\s*=)\s*['"]([\w.]+)['"]`)
	gradleUnit  = lazyregexp.New(`useJUnitPlatform\s*\(`)
)

func parseGradle(f *facts, p *project, b []byte) error {
	p.ecosystem, p.build = "jvm", "gradle"
	catalog := f.catalog()
	n := 0
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
					m[2], m[3] = lib.name, lib.version
				}
			}
		}
		if m != nil {
			kind := "runtime"
			if strings.Contains(strings.ToLower(m[1]), "test") {
				kind = "dev"
			}
			p.need(m[2], m[3], kind, n)
		}
		if m := gradleDesc.FindSubmatch(line); m != nil {
			p.describe(string(m[1]), n)
		}
		if m := gradleMain.FindSubmatch(line); m != nil {
			class := strings.ReplaceAll(strings.TrimSuffix(string(m[1]), "Kt"), ".", "/")
			for _, c := range []string{"src/main/java/" + class + ".java", "src/main/kotlin/" + class + ".kt"} {
				if f.files[joinDir(p.dir, c)] != nil {
					p.enter(c, "cli", string(m[1]), n)
				}
			}
		}
		if gradleUnit.Match(line) && p.test == "" {
			p.test, p.testLine = "junit", n
		}
	}
	if p.test == "" {
		p.jvmTest()
	}
	return nil
}

// catalog is Gradle's version catalog, gradle/libs.versions.toml, by alias as
// build files write it. Empty where it is absent or broken.
func (f *facts) catalog() map[string]dependency {
	if f.gradleCatalog != nil {
		return f.gradleCatalog
	}
	f.gradleCatalog = map[string]dependency{}
	file := f.files["gradle/libs.versions.toml"]
	if file == nil || file.Size > maxManifestBytes {
		return f.gradleCatalog
	}
	b, _, err := source.Read(file)
	if err != nil {
		return f.gradleCatalog
	}
	var t struct {
		Versions  map[string]any
		Libraries map[string]any
	}
	if err := decodeTOML(b, &t); err != nil {
		f.warn(file.Path, 0, err)
	}
	for alias, v := range t.Libraries {
		var lib dependency
		switch v := v.(type) {
		case string: // group:name:version
			if i := strings.LastIndexByte(v, ':'); i > 0 {
				lib.name, lib.version = v[:i], v[i+1:]
			}
		case map[string]any:
			lib.name, _ = v["module"].(string)
			if group, ok := v["group"].(string); ok {
				name, _ := v["name"].(string)
				lib.name = group + ":" + name
			}
			switch version := v["version"].(type) {
			case string:
				lib.version = version
			case map[string]any:
				ref, _ := version["ref"].(string)
				lib.version, _ = t.Versions[ref].(string)
			}
		}
		if lib.name != "" {
			f.gradleCatalog[strings.NewReplacer("-", ".", "_", ".").Replace(alias)] = lib
		}
	}
	return f.gradleCatalog
}

func parseGradleSettings(_ *facts, p *project, b []byte) error {
	p.ecosystem, p.build, p.tool = "jvm", "gradle", true
	n, including := 0, false
	for line := range bytes.Lines(b) {
		n++
		s := strings.TrimSpace(string(line))
		if m := gradleName.FindStringSubmatch(s); m != nil {
			p.call(m[1], n)
		}
		if strings.HasPrefix(s, "include ") || strings.HasPrefix(s, "include(") || including {
			for _, m := range gradleSub.FindAllStringSubmatch(s, 100) {
				if p.membersLine == 0 {
					p.membersLine = n
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

func parseComposer(_ *facts, p *project, b []byte) error {
	p.ecosystem, p.build = "php", "composer"
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
	if p.test != "" {
		p.test = path.Base(p.test)
	}
	return err
}

var gem = lazyregexp.New(`^(\s*)gem\s*\(?\s*['"]([^'"]+)['"](?:\s*,\s*['"]([^'"]*)['"])?`)

func parseGemfile(_ *facts, p *project, b []byte) error {
	p.ecosystem, p.build = "ruby", "bundler"
	n := 0
	dev := false
	for line := range bytes.Lines(b) {
		n++
		s := string(line)
		t := strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(t, "group "):
			dev = strings.Contains(t, ":development") || strings.Contains(t, ":test")
		case t == "end":
			dev = false
		}
		if m := gem.FindStringSubmatch(s); m != nil && len(s) < 2000 {
			kind := "runtime"
			if dev || strings.Contains(t, "group: :test") || strings.Contains(t, "group: :development") {
				kind = "dev"
			}
			p.need(m[2], m[3], kind, n)
		}
	}
	p.framework("rspec", "rspec-rails", "minitest", "test-unit", "cucumber")
	return nil
}

func parsePubspec(_ *facts, p *project, b []byte) error {
	p.ecosystem, p.build = "dart", "pub"
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
		}
	}
	p.framework("flutter_test", "test")
	return nil
}

// parseMSBuild reads a .NET project file.
func parseMSBuild(_ *facts, p *project, b []byte) error {
	p.ecosystem, p.build = "dotnet", "msbuild"
	base := path.Base(p.path)
	p.call(strings.TrimSuffix(base, path.Ext(base)), 0)
	dec := xml.NewDecoder(bytes.NewReader(b))
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	name := ""
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
		line, _ := dec.InputPos()
		switch t := tok.(type) {
		case xml.StartElement:
			name = t.Name.Local
			if name != "PackageReference" {
				continue
			}
			var include, version string
			for _, a := range t.Attr {
				switch a.Name.Local {
				case "Include":
					include = a.Value
				case "Version":
					version = a.Value
				}
			}
			p.need(include, version, "runtime", line)
		case xml.CharData:
			if name == "Description" && strings.TrimSpace(string(t)) != "" {
				p.describe(string(t), line)
			}
		case xml.EndElement:
			name = ""
		}
	}
	p.framework("xunit", "NUnit", "MSTest.TestFramework")
	return nil
}
