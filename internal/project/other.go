package project

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
		p.members, p.MembersLine = w.Members, at.of("workspace", "members")
		for _, x := range w.Exclude {
			p.members = append(p.members, "!"+x)
		}
		p.tomlDeps(at, "workspace.dependencies", w.Deps, "runtime")
	}
	if t.Lib != nil && t.Lib.Path != "" {
		p.enter(t.Lib.Path, "library", t.Lib.Name, at.of("lib", "path"))
	} else {
		p.enter("src/lib.rs", "library", p.Name, 0)
	}
	for _, bin := range firstN(t.Bin) {
		file := bin.Path
		if file == "" {
			file = "src/bin/" + bin.Name + ".rs"
		}
		p.enter(file, "cli", bin.Name, lineOf(b, file))
	}
	p.enter("src/main.rs", "cli", p.Name, 0)
	p.framework("proptest", "rstest", "quickcheck")
	if p.Test = "cargo test"; p.TestLine > 0 {
		p.TestLine = 0
	}
	return err
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
	gradleDep   = lazyregexp.New(`^\s*(api|implementation|compileOnly|runtimeOnly|compile|kapt|annotationProcessor|testImplementation|testRuntimeOnly|testCompile|androidTestImplementation)\s*\(?\s*(?:platform\s*\(\s*)?['"]([\w.-]+:[\w.-]+)(?::([^'"@:]*))?`)
	gradleAlias = lazyregexp.New(`^\s*(api|implementation|compileOnly|runtimeOnly|testImplementation|testRuntimeOnly)\s*\(?\s*(libs\.[\w.]+)`)
	gradleName  = lazyregexp.New(`^\s*rootProject\.name\s*=\s*['"]([^'"]+)['"]`)
	gradleDesc  = lazyregexp.New(`^\s*description\s*=\s*['"]([^'"]+)['"]`)
	gradleSub   = lazyregexp.New(`['"]:?([\w.:/-]+)['"]`)
	gradleMain  = lazyregexp.New(`mainClass(?:Name)?(?:\.set\(|\s*=)\s*['"]([\w.]+)['"]`)
	gradleUnit  = lazyregexp.New(`useJUnitPlatform\s*\(`)
)

func parseGradle(f *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "jvm", "gradle"
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
					m[2], m[3] = lib.Name, lib.Version
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
				if f.Files[joinDir(p.Dir, c)] != nil {
					p.enter(c, "cli", string(m[1]), n)
				}
			}
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

var gem = lazyregexp.New(`^(\s*)gem\s*\(?\s*['"]([^'"]+)['"](?:\s*,\s*['"]([^'"]*)['"])?`)

func parseGemfile(_ *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "ruby", "bundler"
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

func parsePubspec(_ *Facts, p *Project, b []byte) error {
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
		}
	}
	p.framework("flutter_test", "test")
	return nil
}

// parseMSBuild reads a .NET project file.
func parseMSBuild(_ *Facts, p *Project, b []byte) error {
	p.Ecosystem, p.Build = "dotnet", "msbuild"
	base := path.Base(p.Path)
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
