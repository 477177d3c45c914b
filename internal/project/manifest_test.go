package project

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/tree"
)

// What each format of manifest says is needed to run apart from what is needed to work on it; what the project is called; where it
// is entered.
func TestManifests(t *testing.T) {
	for _, c := range []struct {
		path, text string
		// files that lie beside it
		files string
		// want are its name, what it needs as name=kind, and its entries as path=kind:name.
		name, needs, entries string
	}{
		{"Gemfile", "gemspec\ngem 'rack'\n", "", "", "rack=dev", ""},
		{"Gemfile", "gem 'rack'\n", "x.gemspec", "", "rack=dev", ""},
		{"Gemfile", "gem 'rails'\ngroup :development, :test do\n  if RUBY_VERSION > '3'\n    gem 'byebug'\n  end\n  gem 'rspec-rails'\nend\n# gem 'no'\ngem 'pg', group: :production\n" +
			"gem 'web-console', :group => [:development]\ngem 'puma' unless ENV['X'] # why\n", "", "", "rails=runtime byebug=dev rspec-rails=dev pg=runtime web-console=dev puma=runtime", ""},
		{"puma.gemspec", "Gem::Specification.new do |s|\n  s.name = \"puma\"\n  s.description = <<~D\n    Serves.\n    s.name = \"not\"\n  D\n  s.executables = [\"puma\", 'pumactl']\n" +
			"  s.add_runtime_dependency \"nio4r\", \"~> 2.0\"\n  s.add_development_dependency('rake')\n  s.add_dependency %q<json>\nend\n", "bin/puma bin/pumactl lib/puma.rb", "puma",
			"nio4r=runtime rake=dev json=runtime", "bin/puma=cli:puma bin/pumactl=cli:pumactl lib/puma.rb=library:puma"},
		{"gems/a-b/a-b.gemspec", "spec.name = %q{a}\nspec.name = 'a-b'\nspec.bindir = 'exe'\nspec.executables = spec.files.grep(%r{\\Aexe/}) { |f| File.basename(f) }\n",
			"gems/a-b/exe/ab gems/a-b/bin/setup gems/a-b/lib/a/b.rb", "a-b", "", "gems/a-b/exe/ab=cli:ab gems/a-b/lib/a/b.rb=library:a-b"},
		{"package.json", `{"name": "x", "dependencies": {"a": "1"}, "optionalDependencies": {"b": "1"}, "peerDependencies": {"c": "1"}, "devDependencies": {"d": "1"}, "bin": {"x": "./cli.js"}}`, "cli.js",
			"x", "a=runtime b=optional c=peer d=dev", "cli.js=cli:x"},
		{"pyproject.toml", "[project]\nname = 'x'\ndependencies = ['a']\n[project.optional-dependencies]\nsocial = ['b']\ntest = ['c']\n[dependency-groups]\nlint = ['d']\n[tool.uv]\ndev-dependencies = ['e']\n" +
			"[project.scripts]\nrun = 'x.main:go'\n", "x/main.py", "x", "a=runtime b=optional c=dev d=dev e=dev", "x/main.py=cli:run"},
		{"pyproject.toml", "[tool.poetry]\nname = 'x'\n[tool.poetry.dependencies]\na = '1'\nb = {version = '1', optional = true}\n[tool.poetry.group.dev.dependencies]\nc = '1'\n", "", "x", "a=runtime b=optional c=dev", ""},
		{"setup.cfg", "[metadata]\nname = x\n[options]\ninstall_requires =\n  a\n[options.extras_require]\ndocs = b\nsocks = c\n[options.entry_points]\nconsole_scripts =\n  run = x:go\n", "x/__init__.py", "x",
			"a=runtime b=dev c=optional", "x/__init__.py=cli:run"},
		{"setup.py", "setup(\n    name='x',\n    entry_points={'console_scripts': [\n        'run=x.cli:main',\n    ]},\n)\n", "src/x/cli.py", "x", "", "src/x/cli.py=cli:run"},
		{"Pipfile", "[packages]\na = '*'\n[dev-packages]\nb = '1'\n", "", "", "a=runtime b=dev", ""},
		{"Cargo.toml", "[package]\nname = 'x'\n[dependencies]\na = '1'\nb = {version = '1', optional = true}\n[dev-dependencies]\nc = '1'\n[build-dependencies]\nd = '1'\n[target.'cfg(unix)'.dependencies]\ne = '1'\n" +
			"[[bin]]\nname = 'tool'\n", "src/lib.rs src/bin/tool/main.rs src/bin/other.rs src/bin/deep/part.rs", "x", "a=runtime b=optional c=dev d=dev e=runtime",
			"src/lib.rs=library:x src/bin/tool/main.rs=cli:tool src/main.rs=cli:x src/bin/other.rs=cli:other"},
		{"Cargo.toml", "[workspace]\nmembers = ['a']\n[workspace.dependencies]\nserde = '1'\n", "", "", "serde=shared", "src/lib.rs=library: src/main.rs=cli:"},
		{"pom.xml", "<project><artifactId>x</artifactId><dependencies>" +
			"<dependency><groupId>g</groupId><artifactId>a</artifactId></dependency>" +
			"<dependency><groupId>g</groupId><artifactId>b</artifactId><scope>test</scope></dependency>" +
			"<dependency><groupId>g</groupId><artifactId>c</artifactId><scope>provided</scope></dependency>" +
			"<dependency><groupId>g</groupId><artifactId>d</artifactId><optional>true</optional></dependency>" +
			"</dependencies><build><plugins><plugin><configuration><mainClass>org.x.Main</mainClass></configuration></plugin></plugins></build></project>", "src/main/java/org/x/Main.java", "x",
			"g:a=runtime g:b=dev g:c=dev g:d=optional", "src/main/java/org/x/Main.java=cli:org.x.Main"},
		{"build.gradle.kts", "dependencies {\n  implementation(\"g:a:1\")\n  testImplementation(\"g:b:1\")\n  compileOnly(\"g:c:1\")\n  kapt(\"g:d:1\")\n  androidTestImplementation(\"g:e:1\")\n}\n" +
			"kotlin {\n  sourceSets {\n    commonMain.dependencies {\n      api(\"g:f:1\")\n    }\n    commonTest.dependencies {\n      implementation(\"g:g:1\")\n    }\n  }\n}\napplication { mainClass.set(\"x.MainKt\") }\n", "src/main/kotlin/Main.kt", "",
			"g:a=runtime g:b=dev g:c=dev g:d=dev g:e=dev g:f=runtime g:g=dev", "src/main/kotlin/Main.kt=cli:x.MainKt"},
		{"composer.json", `{"name": "v/x", "require": {"php": "^8", "a/a": "1"}, "require-dev": {"b/b": "1"}, "bin": ["bin/x"]}`, "bin/x", "v/x", "a/a=runtime b/b=dev", "bin/x=cli:x"},
		{"src/X/X.csproj", `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup><ItemGroup><PackageReference Include="a" Version="1"/>` +
			`<PackageReference Include="b" PrivateAssets="all"/><PackageReference Include="c"><Version>1</Version><PrivateAssets>all</PrivateAssets></PackageReference></ItemGroup></Project>`, "src/X/Program.cs", "X",
			"a=runtime b=dev c=dev", "src/X/Program.cs=cli:X"},
		{"X/X.csproj", `<Project Sdk="Microsoft.NET.Sdk.Web"></Project>`, "X/Program.cs", "X", "", "X/Program.cs=web:X"},
		{"X/X.csproj", `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup><ItemGroup><PackageReference Include="Microsoft.NET.Test.Sdk"/><PackageReference Include="b"/></ItemGroup></Project>`,
			"X/Program.cs", "X", "Microsoft.NET.Test.Sdk=dev b=dev", ""},
		{"x.slnx", "<Solution/>", "", "x", "", ""},
		{"pubspec.yaml", "name: x\ndependencies:\n  a: ^1\ndev_dependencies:\n  b: ^1\nexecutables:\n  run:\n  go: other\n", "bin/run.dart bin/other.dart lib/x.dart", "x", "a=runtime b=dev",
			"bin/run.dart=cli:run bin/other.dart=cli:go lib/x.dart=library:x"},
		{"mix.exs", "defmodule X.MixProject do\n  def project do\n    [\n      app: :x,\n", "", "x", "", ""},
		{"Package.swift", "let package = Package(\n    name: \"x\",\n", "", "x", "", ""},
		{"CMakeLists.txt", "cmake_minimum_required(VERSION 3.1)\nproject(x VERSION 1)\n", "", "x", "", ""},
		{"meson.build", "project('x', 'c')\n", "", "x", "", ""},
		{"build.sbt", "lazy val root = project\nname := \"x\"\n", "", "x", "", ""},
		{"go.mod", "module example.com/x/v2\n", "main.go cmd/y/main.go", "example.com/x/v2", "", "cmd/y/main.go=cli:y main.go=cli:x"},
	} {
		f := &Facts{Snapshot: &scan.Snapshot{}, Files: map[string]*scan.File{}}
		for name := range strings.FieldsSeq(c.files) {
			f.Snapshot.Files = append(f.Snapshot.Files, scan.File{File: tree.File{Path: name}})
		}
		slices.SortFunc(f.Snapshot.Files, func(a, b scan.File) int { return strings.Compare(a.Path, b.Path) })
		for i := range f.Snapshot.Files {
			file := &f.Snapshot.Files[i]
			f.Files[file.Path] = file
			if strings.HasSuffix(file.Path, "main.go") {
				f.mains, f.Programs = append(f.mains, file.Path), append(f.Programs, file.Path)
			}
		}
		p := &Project{Path: c.path, Dir: strings.TrimSuffix(c.path[:strings.LastIndexByte(c.path, '/')+1], "/")}
		if err := ReaderOf(c.path)(f, p, []byte(c.text)); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		var needs, entries []string
		for _, d := range p.Dependencies {
			needs = append(needs, d.Name+"="+d.Kind)
		}
		for _, e := range p.Entries {
			entries = append(entries, fmt.Sprintf("%s=%s:%s", e.Path, e.Kind, e.Name))
		}
		if got := strings.Join(needs, " "); got != c.needs {
			t.Errorf("%s needs %s, want %s", c.path, got, c.needs)
		}
		if got := strings.Join(entries, " "); got != c.entries {
			t.Errorf("%s is entered at %s, want %s", c.path, got, c.entries)
		}
		if p.Name != c.name {
			t.Errorf("%s is called %q, want %q", c.path, p.Name, c.name)
		}
	}
}

// What a part for tests, benchmarks or a website needs, the repository needs for development.
func TestForDevelopment(t *testing.T) {
	for name, want := range map[string]bool{
		"package.json": false, "packages/test-runner/package.json": false, "src/App/App.csproj": false, "lib/go.mod": false,
		"src/App.Tests/App.Tests.csproj": true, "benchmarks/local/Gemfile": true, "crates/x-bench/Cargo.toml": true, "website/package.json": true, "integration-tests/pom.xml": true,
	} {
		if got := forDevelopment(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// What others import is no way in, although it is called like one.
func TestIsPart(t *testing.T) {
	f := &Facts{Imported: map[string]bool{}, Files: map[string]*scan.File{}, Projects: []*Project{{Path: "Gemfile"}, {Path: "x.gemspec", Entries: []Way{{Path: "bin/x", Kind: "cli"}}}}}
	for _, name := range []string{"lib/x/server.rb", "lib/x/cli.rb", "src/index.ts", "src/button/index.ts", "src/main.ts"} {
		f.Imported[name] = true
	}
	for name, want := range map[string]bool{
		"lib/x/server.rb": true, "lib/x/cli.rb": true, "src/index.ts": false, "src/button/index.ts": true, "src/main.ts": false, "server.js": false,
	} {
		if got := f.isPart(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
