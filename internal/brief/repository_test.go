package brief

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// described is a repository of these files, of which the first imports the second, and so on.
func described(files map[string]string, budget, part int) *Repository {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	edges := make([][]int32, len(names))
	users := make([][]string, len(names))
	for i := range len(names) - 1 {
		edges[i] = []int32{int32(i + 1)}
		users[i+1] = []string{names[i]}
	}
	standing := rank.Standing(len(names), edges)
	r := &Repository{Counter: new(tokens.Counter), Tokens: budget, Part: part}
	for i, name := range names {
		r.Members = append(r.Members, Member{Path: name, Size: int64(len(files[name])), Role: RoleOf(name), Standing: standing[i], Users: users[i], Introduces: project.ReadmeOrder(name)})
	}
	r.Read = func(i int) Content {
		text := files[names[i]]
		p, ok := provider.For(names[i])
		if !ok {
			return Content{Text: text}
		}
		found, err := p.Define(names[i], []byte(text))
		if err != nil {
			return Content{Text: text}
		}
		c := Content{Text: text, Generated: language.IsGenerated(names[i], []byte(text))}
		for _, d := range found {
			c.Definitions = append(c.Definitions, Definition{Line: d.Line, From: d.From, End: d.End, Name: d.Name, Exported: d.Exported, Bound: strings.Contains(d.Name, "."),
				Declared: Declared(names[i], &d, strings.Split(text, "\n"))})
		}
		return c
	}
	return r
}

// The documents of the repositories of testdata/repository.txtar are those that stand below them: files are those below a
// folder, the wanted document is that folder's name with .want.
func TestRepository(t *testing.T) {
	a, err := txtar.ParseFile("testdata/repository.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files, want := map[string]map[string]string{}, map[string]string{}
	for _, f := range a.Files {
		if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
			want[name] = string(f.Data)
			continue
		}
		dir, name, _ := strings.Cut(f.Name, "/")
		if files[dir] == nil {
			files[dir] = map[string]string{}
		}
		files[dir][name] = string(f.Data)
	}
	for name, list := range files {
		got := strings.Join(described(list, 0, 0).Document(), "\f")
		if got != want[name] {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// made is a repository drawn by lot.
func made(rng *rand.Rand, n int) map[string]string {
	files := map[string]string{"README.md": "# Made\n\n" + strings.Repeat("It does much of what is wanted. ", rng.IntN(200)) + "\n", "Makefile": "test:\n\tgo test ./...\n"}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n\n", i)
		for j := range rng.IntN(40) {
			fmt.Fprintf(&b, "// F%d does the %dth thing.\nfunc F%d_%d(a, b int) (int, error) {\n%s\treturn a, nil\n}\n\n", j, j, i, j, strings.Repeat("\ta += b\n", rng.IntN(30)))
		}
		dir := strings.Repeat("deeply-nested-folder/", rng.IntN(12))
		files[fmt.Sprintf("%sp%d/file%d.go", dir, i, i)] = b.String()
	}
	return files
}

// A document is never larger than its budget, whatever the repository; what is asked for twice is the same; and a file's
// lines are those of the file.
func TestRepositoryBudget(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 43))
		files := made(rng, 1+rng.IntN(120))
		for _, budget := range []int{2000, 8000, 32_000, 128_000} {
			part := []int{0, 20_000, 1000}[rng.IntN(3)]
			r := described(files, budget, part)
			parts := r.Document()
			n := 0
			for _, p := range parts {
				n += r.Counter.Count([]byte(p))
			}
			if n > budget {
				t.Errorf("seed %d: %d tokens in %d parts, of %d", seed, n, len(parts), budget)
			}
			if again := described(files, budget, part).Document(); !slices.Equal(parts, again) {
				t.Errorf("seed %d, budget %d: two documents", seed, budget)
			}
			if all := strings.Join(parts, ""); !strings.Contains(all, "func F") {
				t.Errorf("seed %d, budget %d: nothing is defined:\n%s", seed, budget, all)
			}
		}
	}
}

// addCounts adds files of Go, each of which defines so many functions.
func addCounts(files map[string]string, count, functions int) {
	for i := range count {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n", i)
		for n := range functions {
			fmt.Fprintf(&b, "func Count%dOf%d(text string, from, to int) (found []string, err error) {\n\treturn\n}\n", n, i)
		}
		files[fmt.Sprintf("internal/part%d/count.go", i)] = b.String()
	}
}

// Below what is told of a file stands whether it defines more, and the head says how.
func TestRepositoryBesides(t *testing.T) {
	files := map[string]string{"README.md": "It counts.\n"}
	addCounts(files, 60, 12)
	for budget, want := range map[int]bool{2000: true, 128_000: false} {
		text := strings.Join(described(files, budget, 0).Document(), "")
		below, head := strings.Contains(text, "\n…\n"), strings.Contains(text, "… says that it defines more.")
		if below != want || want && !head {
			t.Errorf("%d tokens: below a file %v, in the head %v, want %v:\n%s", budget, below, head, want, text)
		}
	}
}

// A part of a large document is what a smaller one would be: definitions fill its first tokens, and what few ask for comes behind them.
func TestRepositoryLayers(t *testing.T) {
	files := map[string]string{"README.md": "It counts.\n"}
	addCounts(files, 200, 12)
	r := described(files, 128_000, 0)
	text := strings.Join(r.Document(), "")
	for _, one := range []struct {
		title string
		layer int
	}{{"What else it defines", 8_000}, {"What else lies where", 32_000}} {
		before, _, found := strings.Cut(text, "\n## "+one.title+"\n")
		if n := r.Counter.Count([]byte(before)); !found || n > one.layer || n < one.layer/100*97 {
			t.Errorf("%q stands behind %d tokens (%v), not %d", one.title, n, found, one.layer)
		}
	}
}

// Members whose owner is defined elsewhere stand below the line that says whose they are.
func TestRepositoryOwners(t *testing.T) {
	many := "pub fn long() {\n" + strings.Repeat("    tie(\"a long rope\");\n", 200) + "}\n"
	text := "pub enum Quay {\n    A,\n}\npub enum Pier {\n    B,\n}\n" + many + "impl Quay {\n    pub fn moor() -> Pier {\n        Pier::B\n    }\n\n    pub fn free() {}\n}\nimpl Drop for Pier {\n    fn drop(&mut self) {}\n}\npub fn last() {}\n"
	r := described(map[string]string{"README.md": "It moors.\n", "src/lib.rs": text, "src/quay.ts": "export class Buoy {\n  light() {}\n}\n"}, 900, 0)
	got := strings.Join(r.Document(), "")
	want := "209 impl Quay\n210\tpub fn moor() -> Pier\n214\tpub fn free()\n216 impl Drop for Pier\n217\tfn drop(&mut self)\n219 pub fn last()\n"
	if !strings.Contains(got, want) || strings.Count(got, "Buoy") > 1 {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Names as long as names may be, and many of them, do not break a budget either.
func TestRepositoryNames(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[strings.Repeat(strings.Repeat("n", 200)+"/", 15)+fmt.Sprint(i)+"/package.json"] = `{"description": "` + strings.Repeat("w ", 500) + `"}`
	}
	r := described(files, 2000, 0)
	if n := r.Counter.Count([]byte(strings.Join(r.Document(), ""))); n > 2000 {
		t.Errorf("%d tokens", n)
	}
}

func TestRoleOf(t *testing.T) {
	for name, want := range map[string]Role{
		"src/a.ts": Code, "lib/x.py": Code, "ch2/tide.ipynb": Code, "roles/quay/tasks/main.yml": Code, "docs/roles/quay/tasks/main.yml": Aside, "docs/tide.ipynb": Aside, "a.go": Code, "package.json": Manifest, "packages/x/package.json": Manifest, ".github/workflows/ci.yml": Manifest, "Makefile": Manifest,
		"Dockerfile": Manifest, "vite.config.ts": Configuration, ".eslintrc.cjs": Configuration, "karma.conf.js": Configuration, "src/main/resources/application-dev.yml": Configuration, "src/App/appsettings.json": Configuration, "constraints.txt": Configuration, "src/config.ts": Code, "messages.properties": Rest, "src/http/ext.conf": Configuration, "config/default.json": Configuration, "quay.ini": Configuration, "src/App/App.csproj": Manifest, "App.sln": Manifest, "settings.gradle.kts": Manifest, "src/main/java/org/quay/samples/A.java": Code, "samples/src/main/java/org/quay/A.java": Aside, "src/jvmMain/kotlin/org/quay/test/B.kt": Code, "src/test/java/org/quay/B.java": Test, "vendor/x/a.go": Aside, "crane/gradlew": Aside, "mvnw.cmd": Aside, "examples/a/package.json": Aside, "docs/conf.py": Aside, "a_test.go": Test, "tests/unit/x.py": Test, "src/a.spec.ts": Test,
		".examples/quay/compose.yaml": Aside, "go.sum": Rest, "package-lock.json": Rest, "LICENSE": Rest, "CHANGELOG.md": Rest, "quay/History.java": Code, "src/license.ts": Code, "news.py": Code, "data.json": Rest, "x.pb.go": Rest, "README.md": Manual, "requirements-dev.txt": Manifest, "requirements/base.txt": Manifest, "guide/intro.md": Manual, "logo.svg": Rest, "make/test.mk": Manifest, "tests/x.mk": Test, "vendor/a.mk": Aside,
	} {
		if got := RoleOf(name); got != want {
			t.Errorf("%s is %s, want %s", name, roleNames[got], roleNames[want])
		}
	}
}

// Code below hidden folders serves tools, where it is not most of the code.
func TestPutAside(t *testing.T) {
	for names, want := range map[string][]Role{
		"a.sh src/b.go .tide/c.sh":          {Code, Code, Aside},
		".rope/a.sh .tide/b.sh .rope/c.sh":  {Code, Code, Code},
		"a.sh x/.tide/b.sh .rope/README.md": {Code, Aside, Manual},
	} {
		list := strings.Fields(names)
		roles := make([]Role, len(list))
		for i, name := range list {
			roles[i] = RoleOf(name)
		}
		if PutAside(list, roles); !slices.Equal(roles, want) {
			t.Errorf("%s: %v, want %v", names, roles, want)
		}
	}
}

func TestSteps(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"package.json", "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"test\": \"ava\"\n  },\n  \"dependencies\": {\n    \"a\": \"1\"\n  },\n  \"bin\": \"cli.js\"\n}\n", "2 3 4 5 9"},
		{"composer.json", "{\n  \"scripts\": {\n    \"post-autoload-dump\": [\n      \"@php artisan discover\"\n    ],\n    \"test\": [\n      \"phpunit\"\n    ],\n    \"post-update-cmd\": \"x\"\n  }\n}\n", "2 6 7 8 10"},
		{".github/workflows/d.yml", "jobs:\n  a:\n    steps:\n      - run: |\n          cmake .. \\\n            -DA=1 \\\n            -DB=2 \\\n            -DBUILD_TESTS=1 \\\n            -DC=3\n          make\n          one\n          two\n          three\n          four\n          ctest -j2\n", "5 6 7 10 11 12 15"},
		{"Makefile", "X := 1\n.PHONY: all\nall: a b\n\tone\n\ttwo\n\tthree\n\tfour\n\nclean:\n\trm\n", "3 4 5 6 7 9 10"},
		{"Makefile", "test: quay\n\t@echo \"Running tests\"\n\t@TIDE=1 quay test ./...\nhelp:\n\t@printf 'make test'\n\t# that is all\nload:\n\techo 1 > load\n\t@echo a; quay load\n", "1 3 4 7 8 9"},
		{"Makefile", "test:\nifndef one\n\trun all\nelse\n\trun ${one}\nendif\n\nX = 1\n", "1 3 5"},
		{".github/workflows/e.yml", "jobs:\n  a:\n    steps:\n      - run: echo \"::add-matcher::x.json\"\n      - run: echo \"dir=$(quay dir)\" >> $GITHUB_OUTPUT\n      - run: |\n          echo \"A=1\" >> \"$GITHUB_ENV\"\n          make test\n      - run: echo ahoy\n      - run: |\n          echo \"::group::x\"\n", "8"},
		{"Makefile.am", "SRC = a.c\nbin_PROGRAMS = quay\nquay_SOURCES = $(SRC)\nTESTS = tests/tide\nTESTS += tests/rope\nquay.1: man\n\tmake-man\n", "2 4 5 6 7"},
		{".github/workflows/a.yml", "on: push\njobs:\n  a:\n    steps:\n      - run: one\n      - name: x\n        run: |\n          two\n          three\n      - uses: y\n      - run: one\n", "5 8 9"},
		{"pyproject.toml", "[project]\nname = \"x\"\nrequires-python = \">=3.9\"\ndependencies = [\"a\"]\n[project.scripts]\nx = \"x:main\"\n[tool.black]\nl = 1\n", "2 3 5 6"},
		{"Cargo.toml", "[workspace]\nmembers = [\"a\"]\n[workspace.metadata.tide]\nx = 1\n", "1 2"},
		{"Dockerfile", "FROM a\nRUN <<EOF\nset -eu\n\n# c\nmake\nEOF\nCOPY <<EOF /a\nRUN no\nEOF\nRUN b\n", "1 2 6 11"},
		{".github/workflows/f.yml", "jobs:\n  a:\n    steps:\n      - run: |\n          set -euo pipefail\n          Set-StrictMode -Version Latest\n          $ErrorActionPreference = 'Stop'\n          make\n      - run: set -x\n", "8"},
		{".github/workflows/g.yml", "jobs:\n  a:\n    steps:\n      - run: df -h\n      - run: node --version\n      - run: |\n          echo \"npm: $(npm -v)\"\n          ls -la build\n          echo \"a\" | quay load\n          npm ci\n      - run: free -m\n", "9 10"},
		{"Dockerfile", "# c\nFROM a\nCOPY b c\nRUN d\nCMD e\n", "2 4 5"},
		{"Dockerfile", "FROM a\nHEALTHCHECK --interval=1m \\\n  CMD wget -q b || exit 1\nCMD e\n", "1 4"},
		{".github/workflows/b.yml", "defaults:\n  run:\n    shell: bash\njobs:\n  a:\n    steps:\n      - run: one\n", "7"},
		{"Taskfile.yml", "tasks:\n  py:test:\n    desc: x\n    cmds:\n      - pytest\n  lint:\n    cmd: ruff\n", "2 5 7"},
		{".gitlab-ci.yml", "default:\n  image: x\nquay:\n  stage: build\n  script:\n  # c\n  - ./configure\n  - make check\n", "3 7 8"},
		{".travis.yml", "language: c\nscript:\n  - make\n", "2 3"},
		{".github/workflows/c.yml", "jobs:\n  a:\n    steps:\n      - uses: x\n        with:\n          script: |\n            await x()\n      - run: one\n", "8"},
		{"Rakefile", "require \"rake\"\nRubo::Cop.new\nGem::PackageTask.new(spec).define\n# ::Rake::Task is\nnamespace :x do\n  desc \"builds\"\n  task :build => [:a] do\n    sh \"x: y\"\n  end\nend\ntask = 3\n", "3 5 6 7"},
		{"pom.xml", "<project xmlns=\"x\">\n  <!-- <artifactId>no</artifactId>\n  -->\n  <artifactId>quay</artifactId>\n  <properties>\n    <java.version>17</java.version>\n  </properties>\n  <modules>\n    <module>crane</module>\n  </modules>\n</project>\n", "4 6 9"},
		{"src/Quay.csproj", "<Project Sdk=\"Microsoft.NET.Sdk.Web\">\n  <PropertyGroup>\n    <TargetFramework>net9.0</TargetFramework>\n    <Nullable>enable</Nullable>\n  </PropertyGroup>\n  <PackageReference Include=\"A\" />\n</Project>\n", "1 3 6"},
		{"Quay.sln", "# v\nProject(\"{F}\") = \"Quay\", \"src\\Quay.csproj\", \"{A}\"\nEndProject\nProject(\"{2150E333-8FDC-42A3-9474-1A3956D46DE8}\") = \"tests\", \"tests\", \"{B}\"\nEndProject\nGlobal\nEndGlobal\n", "2"},
		{"build.gradle.kts", "// c\nplugins {\n  java\n}\nval x = 1\napplication {\n  mainClass = \"a.B\"\n}\ntasks.register(\"dock\") {\n  doLast { }\n}\n", "2 3 6 7 9"},
		{"build.gradle", "plugins {\n  id 'a' version '1' apply false\n  id 'b'\n}\n", "1 3"},
		{"CMakeLists.txt", "# c\nproject(quay C)\nset(X 1)\nif(X)\n  add_executable(quay main.c)\nendif()\nenable_testing()\n", "2 5 7"},
		{"go.mod", "module x\n\ngo 1.26\n\nrequire a.b/c v1\n\ntool (\n\td.e/f\n)\n\nrequire (\n\tg.h/i v2\n)\n", "1 3 7 8"},
		{"Gemfile", "source 'https://quay.org'\n\nruby '>=3.4'\ngemspec\ngem 'rails'\n", "3 4"},
		{"mix.exs", "defmodule Quay.MixProject do\n  def project do\n    [\n      app: :quay,\n      elixir: \"~> 1.18\",\n      aliases: aliases()\n    ]\n  end\n\n  defp aliases do\n    [\n      # c\n      setup: [\"deps.get\"],\n    ]\n  end\nend\n", "4 5 10 13"},
		{"meson.build", "project('x')\n\nsubdir('src')\n", "1 3"},
		{"BUILD", "a = 1\n\nb(c)\n", "1 2 3"},
	} {
		if got := strings.Trim(fmt.Sprint(steps(c.name, strings.Split(c.text, "\n"))), "[]"); got != c.want {
			t.Errorf("%s: lines %s, want %s", c.name, got, c.want)
		}
	}
}

// What is only looked at stands whole behind what runs and what sets it up, and what many files hold is shown once.
func TestRepositoryShowsOnce(t *testing.T) {
	files := map[string]string{"quay.css": strings.Repeat(".tide { top: 0 }\n", 300), "application.yml": "port: 7\n"}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		files["crane/"+name+".sh"] = "#!/bin/sh\n" + strings.Repeat("hoist crane\n", 700)
	}
	doc := strings.Join(described(files, 64_000, 0).Document(), "")
	at := 0
	for _, want := range []string{"### `crane/e.sh`", "The same stands in `crane/d.sh`, `crane/c.sh`, `crane/b.sh` and 1 more.", "### `application.yml`", "### `quay.css`"} {
		n := strings.Index(doc[at:], want)
		if n < 0 {
			t.Fatalf("no %q behind what stands before it in\n%s", want, doc)
		}
		at += n
	}
	if n := strings.Count(doc, "hoist crane"); n != 700 {
		t.Errorf("%d lines of what is there once", n)
	}
}

// What a generator makes for each part, but for the names of their folders, is shown once as long as the rest is not there, and then too; what
// a copy defines is told once.
func TestRepositoryShowsWhatIsAlikeOnce(t *testing.T) {
	files := map[string]string{}
	var values strings.Builder
	for n := range 150 {
		fmt.Fprintf(&values, "hoist berth%d to tide %d\n", n, n*n)
	}
	for _, name := range []string{"north", "south"} {
		files["quays/"+name+"/lift.sh"] = "cd " + name + "-quay\n" + values.String()
	}
	for _, name := range []string{"a/crane.py", "b/crane.py"} {
		files[name] = "def hoist(load):\n    pass\n\n\ndef lower(load):\n    pass\n\n\ndef turn(angle):\n    pass\n" + strings.Repeat("# a long word of a crane that nobody reads\n", 700)
	}
	for budget, shown := range map[int]int{3000: 1, 64_000: 2} {
		doc := strings.Join(described(files, budget, 0).Document(), "")
		for want, times := range map[string]int{
			"### `quays/":                          shown,
			"Nearly the same stands in `quays/":    2 - shown,
			"b/crane.py  (the same: a/crane.py)\n": 1,
		} {
			if n := strings.Count(doc, want); n != times {
				t.Errorf("%d tokens: %d times %q, want %d, in\n%s", budget, n, want, times, doc[:min(len(doc), 3000)])
			}
		}
	}
}

// Whatever a manifest is, the lines that are taken are lines of it, in order, and few.
func FuzzSteps(f *testing.F) {
	f.Add("package.json", "{\n\"scripts\": {\n\"a\": \"b\"}}")
	f.Add("Makefile", "a: b\n\tc\n")
	f.Add(".github/workflows/x.yml", "- run: |\n    a\n\n  b")
	f.Fuzz(func(t *testing.T, name, text string) {
		lines := strings.Split(text, "\n")
		at := 0
		list := steps(name, lines)
		for _, n := range list {
			if n <= at || n > len(lines) {
				t.Fatalf("line %d after %d of %d", n, at, len(lines))
			}
			at = n
		}
		if len(list) > maxSteps {
			t.Fatalf("%d lines", len(list))
		}
	})
}

func TestBodiless(t *testing.T) {
	for line, want := range map[string]string{
		"func (f File) Open() error { return f.open() }": "func (f File) Open() error",
		"func F(a struct{ b int }) int {":                "func F(a struct{ b int }) int",
		"const a = (b) => {":                             "const a = (b) =>",
		"const defaults = {a: 1, b: f(2)}":               "const defaults = {a: 1, b: f(2)}",
		"var x = f(1)":                                   "var x = f(1)",
		"function f(o = { a: 1 }) { return o }":          "function f(o = { a: 1 })",
		"type T = (a: string) => { b: number }":          "type T = (a: string) => { b: number }",
		"x = f(a) ? { b: 1 } : { c: 2 }":                 "x = f(a) ? { b: 1 } : { c: 2 }",
		"pub fn f() {}":                                  "pub fn f()",
		"  public string Name { get; set; }":             "public string Name",
		"  public int Length { get; }":                   "public int Length",
		"  public int Ports { get; set; } = 8096;":       "public int Ports { get; set; } = 8096;",
		"  public int Left { get; init; }":               "public int Left { get; init; }",
	} {
		if got := SignatureLine(line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// What a header declares and a source defines is told by the source, clauses and overloads by the first of them, and code that
// programs write comes last.
func TestRepositoryFolds(t *testing.T) {
	files := map[string]string{
		"lib/mooring.ex":  "defmodule Mooring do\n  def tie(:bow, line) do\n    line\n  end\n\n  def tie(:stern, line) do\n    line\n  end\n\n  def tie(_, line) do\n    line\n  end\n\n  def cast(line) do\n    line\n  end\nend\n",
		"src/winch.c":     "#include \"winch.h\"\n\nstatic int turns(int n);\n\nint winch_haul(int n) {\n  return turns(n);\n}\n\nstatic int turns(int n) {\n  return n * 2;\n}\n",
		"src/winch.h":     "int winch_haul(int n);\nint winch_brake(void);\n",
		"src/table.c":     "/* A Bison parser, made by GNU Bison 3.0.4.  */\n\nint yy_table(int n) {\n  return n;\n}\n",
		"src/Anchor.java": "class Anchor {\n  public void drop(int depth) {\n    drop(depth, 1);\n  }\n\n  public void drop(int depth, int chains) {\n    run(depth);\n  }\n}\n",
	}
	at := func(text, part string) int {
		i := strings.Index(text, part)
		if i < 0 {
			t.Errorf("no %q in\n%s", part, text)
		}
		return i
	}
	seen := map[string]bool{}
	for budget := 150; budget < 700; budget += 5 {
		text := strings.Join(described(files, budget, 0).Document(), "")
		hidden := 0
		for _, one := range []string{"def tie(:stern", "def tie(_"} {
			if !strings.Contains(text, one) {
				hidden++
			}
		}
		for n, line := range []string{"def tie(:bow, line) do\n", "def tie(:bow, line) do  (+1 clause)\n", "def tie(:bow, line) do  (+2 clauses)\n", "drop(int depth)  (+1 of its name)\n"} {
			if !strings.Contains(text, line) {
				continue
			}
			seen[line] = true
			if n < 3 && n != hidden {
				t.Errorf("%d tokens: %d clauses are not shown, said is %q:\n%s", budget, hidden, line, text)
			}
		}
	}
	if len(seen) < 3 {
		t.Errorf("seen in documents of any size: %v", seen)
	}
	all := strings.Join(described(files, 0, 0).Document(), "")
	if strings.Contains(all, "(+") {
		t.Errorf("what is shown is counted too:\n%s", all)
	}
	if at(all, "int winch_haul(int n)") > at(all, "yy_table") {
		t.Errorf("what a program writes comes first:\n%s", all)
	}
}

// Of a header a row of constants says less the longer it is, a field that is written like one above nothing new, nor does what a macro is
// otherwise; what has its name behind its body says what it is.
func TestRepositoryHeaders(t *testing.T) {
	files := map[string]string{"lib/quay.h": "#define QUAY_REG_0 0\n#define QUAY_REG_1 1\n#define QUAY_REG_2 2\n\n/* How long. */\n#define QUAY_DEPTH_OF 7\n\n#ifdef GNU\n#define QUAY_LOST gone\n#else\n#define QUAY_LOST\n#endif\n" +
		"typedef struct {\n  int len;\n  int mast;\n} boat_t;\nstruct ship {\n  int len;\n};\nint quay_haul(int n);\n"}
	w := described(files, 0, 0).newShelves()
	place := map[string]int{}
	var all strings.Builder
	for n, o := range w.offers(w.open([]int{0}), 0) {
		l := &o.shelf.lines[o.line]
		place[fmt.Sprint(l.Line)] = n
		all.WriteString(l.text)
	}
	for _, c := range [][2]string{{"1", "2"}, {"2", "3"}, {"6", "3"}, {"20", "3"}, {"9", "11"}, {"15", "18"}, {"14", "18"}} {
		if _, ok := place[c[1]]; !ok || place[c[0]] > place[c[1]] {
			t.Errorf("line %s stands behind line %s in\n%s", c[0], c[1], all.String())
		}
	}
	if want := "16 typedef struct { … } boat_t;\n"; !strings.Contains(all.String(), want) {
		t.Errorf("no %q in\n%s", want, all.String())
	}
}

func TestDeclared(t *testing.T) {
	for _, c := range []struct {
		name, kind, text string
		want             bool
	}{
		{"a.h", "func", "int haul(int n);", true},
		{"a.h", "func", "int haul(int n,\n         int m)\n  NOTHROW;", true},
		{"a.h", "func", "static inline int haul(int n) { return n; }", false},
		{"a.h", "struct", "struct haul;", false},
		{"a.c", "func", "int haul(int n)\n{\n  return n;\n}", false},
		{"A.kt", "method", "expect fun haul(n: Int): Int", true},
		{"A.kt", "method", "actual fun haul(n: Int): Int = n", false},
		{"a.pyi", "func", "def haul(n: int) -> int: ...", true},
		{"a.py", "func", "def haul(n): return n", false},
		{"a.rb", "method", "def haul(n) = n", false},
		{"a.proto", "method", "  rpc Haul(Rope) returns (Ship) {}", true},
	} {
		d := graph.Definition{Kind: c.kind, Line: 1, End: 1 + strings.Count(c.text, "\n")}
		if got := Declared(c.name, &d, strings.Split(c.text, "\n")); got != c.want {
			t.Errorf("%s %q: %v, want %v", c.name, c.text, got, c.want)
		}
	}
}

// What a README announces where it is cut off is left out with what it announces.
func TestIntroductionEnds(t *testing.T) {
	text := "# Mill\n\nIt grinds.\n\n## Stones\n\n> [!CAUTION]\n> " + strings.Repeat("Mind the stones. ", 100) + "\n"
	if got, want := introduction("README.md", text, new(tokens.Counter), 40), "# Mill\n\nIt grinds.\n\n… 3 lines"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := introduction("README.md", "It grinds. [![ci](https://a.b/c.svg)](https://a.b)&nbsp; [![x](y)](z) Fine.\n", new(tokens.Counter), 40), "It grinds. Fine."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	licensed := "# Mill\n\nIt grinds.\n\n## License\n\n    Apache License, Version 2.0\n\n    Licensed so\n    that you may\n    grind\n\n## Licensing and copyright\n\nMIT\n"
	if got, want := introduction("README.md", licensed, new(tokens.Counter), 100), "# Mill\n\nIt grinds.\n\n… 5 lines\n\n## Licensing and copyright\n\nMIT"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	thanking := "# Mill\n\n## 💖 Gold Sponsors\n\n### Stone & Co\n\nThey pay.\n[![x](y)](z)\n\n## What it does\n\nIt grinds.\n\n## Backers\n\nAnn\n"
	if got, want := introduction("README.md", thanking, new(tokens.Counter), 100), "# Mill\n\n… 3 lines\n\n## What it does\n\nIt grinds.\n\n… 2 lines"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := introduction("README.md", "# Mill\n\n## Stones\n", new(tokens.Counter), 40), "# Mill\n\n## Stones"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A subcommand is told behind the command that it is one of, where the same folder declares that.
func TestTyped(t *testing.T) {
	of := func(path, name, above string) command {
		return command{source.CommandLine{NameLine: source.NameLine{Name: name, Line: 1}, Above: above}, path, 0}
	}
	got := typed([]command{
		of("cmd/rope.go", "rope", ""), of("cmd/add.go", "add [flags]", "rope"), of("cmd/x.go", "far", "rope add"), of("cmd/ship.go", "add", "ship"),
		of("other/y.go", "cut", "rope"), of("a.py", "tide", "tide"), of("b.py", "low", "tide"),
	})
	if want := []string{"rope", "rope add [flags]", "rope add far", "add", "cut", "tide", "tide low"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What a folder says of itself is a sentence, no code; what a README says of a repository are no tables of its own contents.
func TestAboutProse(t *testing.T) {
	for readme, want := range map[string]string{
		"# Docs\n\n- [One](https://quay.example)\n":                       "Docs",
		"# Pier\n\n## Usage\n\nTo build it, execute:\n":                   "Pier",
		"[a]: https://a.example\n[b]: https://b.example \"B\"\n\nPier.\n": "Pier",
		"# Pier\n\n**On a ship:**\n```\nmake\n```\n":                      "Pier",
		"# Pier\n\nThere are two:\n\n1. one\n\nBoth float.\n":             "Both float",
		"pier\n----\nIt holds ships\nof all kinds.\n":                     "It holds ships of all kinds",
		"Pier\n====\n": "Pier",
		"| a | b |\n":  "",
		"[Home][quay]\n| [Rules](https://quay.example/rules)\n| [Status](https://quay.example/status)\n\nIt loads ships.\n": "It loads ships",
		"# Pier\n\nPlease have a look at *this* first.\n":                                                                   "",
		"# Pier\n\nThis directory contains the ships of Quay.\n":                                                            "ships of Quay",
		"# Pier\n\nDocumentation: https://quay.example/a.html\n":                                                            "",
		"# Quick Start\n\n1. Install it\n\nThen it runs.\n":                                                                 "",
		"# Overview\n\nIt holds ships.\n":                                                                                   "It holds ships",
		"# Pier\n\nThis is not a ship.\n":                                                                                   "This is not a ship",
		"# Pier\n\nIt holds ships of\n[Quay](https://quay.example) and\n- others\n":                                         "It holds ships of Quay and - others",
		"<!--\nmade by a tool\n-->\n# Pier\n":                                                                               "Pier",
	} {
		if got := aboutOf("README.md", readme); got != want {
			t.Errorf("%q: got %q, want %q", readme, got, want)
		}
	}
	for _, c := range [][3]string{
		{"pier.go", "// Copyright\n\n// Package pier holds\n// ships. Fast.\npackage pier\n", "pier holds ships"},
		{"Cargo.toml", "[package]\nname = \"x\"\ndescription = \"Holds ships\"\n", "Holds ships"},
		{"Cargo.toml", "description = \"\"\"\nHolds ships\nof all kinds.\n\"\"\"\n", "Holds ships of all kinds"},
		{"pubspec.yaml", "name: x\ndescription: Holds ships\n", "Holds ships"},
		{"pier.csproj", "<Project>\n  <Description>Holds ships</Description>\n", "Holds ships"},
		{"package-info.java", "/* licence */\n/**\n * Holds {@code ships}.\n */\n@X\npackage quay;\n", "Holds ships"},
		{"composer.json", "{\"description\": \"Holds ships\"}", "Holds ships"},
		{"package.json", "{\"description\": \"...\"}", ""},
	} {
		if got := aboutOf(c[0], c[1]); got != c[2] {
			t.Errorf("%s: got %q, want %q", c[0], got, c[2])
		}
	}
	if got, want := aboutOf("README.md", "# Quay\n\n> **Elsewhere: [docs](https://quay.example)**\n\n```sh\nmake\n```\n\nIt loads ships. Fast.\n"), "It loads ships"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got := introduction("README.md", "It counts.\n\n## Table of Contents\n- [Use](#use)\n  1. [More](#more)\n\n## Use\n- [Quay](https://quay.example/a_(b) \"Ours\"), [`Pier`](p.md), `boats[n](rope)`\n", new(tokens.Counter), 100)
	if want := "It counts.\n\n## Use\n- Quay, `Pier`, `boats[n](rope)`"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What several folders say alike is not told of them.
func TestAboutAlike(t *testing.T) {
	r := &Repository{Counter: &tokens.Counter{}, Tokens: 8_000}
	texts := map[string]string{"package.json": `{"description": "Loads a ship. Fast."}`, "d/package.json": `{"description": "Loads a ship"}`, "a/README.md": "# A\n\nA description of this package.\n", "b/README.md": "# B\n\nA description of this package.\n", "c/README.md": "# C\n\nHolds ships.\n"}
	for _, name := range []string{"a/README.md", "a/x.go", "b/README.md", "b/x.go", "c/README.md", "c/x.go", "d/package.json", "d/x.go", "package.json"} {
		r.Members = append(r.Members, Member{Path: name, Size: 10, Role: RoleOf(name)})
	}
	r.Read = func(i int) Content { return Content{Text: texts[r.Members[i].Path]} }
	if got := strings.Join(r.Document(), ""); strings.Contains(got, "manuals 1: A description") || !strings.Contains(got, "- `c/` code 1, manuals 1: Holds ships") || !strings.Contains(got, "- `d/` code 1, manifests 1\n") {
		t.Error(got)
	}
}

// TestPathsLikeDefinitions: a path that begins as a line of an outline does is told from one.
func TestPathsLikeDefinitions(t *testing.T) {
	w := shelves{Repository: &Repository{Members: []Member{{Path: "12 func Evil() {}.go"}, {Path: "sea/12.go"}}}}
	for i, want := range []string{"./12 func Evil() {}.go\n", "sea/12.go\n"} {
		if got := w.headed(&shelf{member: i}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A file of all types has its part of the first layer, and what is left of it when the others had theirs.
func TestRepositoryGiantFile(t *testing.T) {
	files := map[string]string{"README.md": "It moors.\n"}
	var giant strings.Builder
	giant.WriteString("package quay\n")
	for i := range 1500 {
		fmt.Fprintf(&giant, "\n// Berth%d holds a ship.\ntype Berth%d struct{ Depth, Length int }\n", i, i)
	}
	files["structs.go"] = giant.String()
	one := "package quay\n\nfunc Moor%[1]d(name string, berth Berth%[1]d) (length int, err error) { return len(name), nil }\n"
	for i := range 600 {
		files[fmt.Sprintf("moor%03d.go", i)] = fmt.Sprintf(one, i)
	}
	inGiant := func(files map[string]string) int {
		r := described(files, 8_000, 0)
		for i := range r.Members {
			if r.Members[i].Path == "structs.go" {
				r.Members[i].Standing *= 1000
			}
		}
		return strings.Count(strings.Join(r.Document(), ""), " type Berth")
	}
	beside := inGiant(files)
	alone := inGiant(map[string]string{"README.md": files["README.md"], "structs.go": files["structs.go"], "moor000.go": files["moor000.go"]})
	if beside < 50 || beside > 150 || alone < 3*beside {
		t.Errorf("%d types of the giant beside the others, %d alone", beside, alone)
	}
}

// Where there is room for files whole, what programs write is defined before them, each line of it once.
func TestWrittenBeforeWhole(t *testing.T) {
	files := map[string]string{"go.mod": "module quay\n"}
	var made strings.Builder
	made.WriteString("// Code generated by a tool. DO NOT EDIT.\n\npackage made\n")
	for n := range 60 {
		fmt.Fprintf(&made, "\n// Moor%d moors.\nfunc Moor%d(ctx Context) error {\n\treturn nil\n}\n", n, n)
	}
	files["made/client.go"] = made.String()
	body := strings.Repeat("\tif err := rope.Tighten(berth, 17, tide); err != nil {\n\t\treturn err\n\t}\n", 80)
	for n := range 60 {
		files[fmt.Sprintf("quay/berth%02d.go", n)] = fmt.Sprintf("package quay\n\nfunc Berth%d() error {\n%s\treturn nil\n}\n", n, body)
	}
	r := described(files, wide+4_000, 0)
	text := strings.Join(r.Document(), "")
	if !strings.Contains(text, "### `quay/berth") {
		t.Fatal("no file is shown whole")
	}
	for n := range 60 {
		if got := strings.Count(text, fmt.Sprintf(" func Moor%d(ctx Context) error\n", n)); got != 1 {
			t.Errorf("Moor%d stands there %d times", n, got)
		}
	}
}
