package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/diff"
)

// TestLocks reads a package and its version from each kind of file that names some.
func TestLocks(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"package-lock.json", `{"packages":{"":{"version":"9"},"node_modules/a":{"version":"1.2.3"},"node_modules/x/node_modules/@s/b":{"version":"4.0.0"},"node_modules/own":{"link":true}}}`, "@s/b 4.0.0, a 1.2.3"},
		{"package-lock.json", `{"dependencies":{"a":{"version":"1.2.3"}}}`, "a 1.2.3"},
		{"yarn.lock", "# yarn lockfile v1\n\n\"@s/b@^4.0.0\", \"@s/b@4\":\n  version \"4.0.1\"\n  resolved \"x\"\n\na@^1:\n  version \"1.2.3\"\n", "@s/b 4.0.1, a 1.2.3"},
		{"yarn.lock", "__metadata:\n  version: 8\n\n\"a@npm:^1\":\n  version: 1.2.3\n", "a 1.2.3"},
		{"pnpm-lock.yaml", "packages:\n\n  '@s/b@4.0.0':\n    resolution: {}\n\n  a@1.2.3(react@18.0.0):\n    resolution: {}\n", "@s/b 4.0.0, a 1.2.3"},
		{"go.sum", "example.com/a v1.2.3 h1:x=\nexample.com/a v1.2.3/go.mod h1:y=\nexample.com/b v1.0.0/go.mod h1:z=\n", "example.com/a v1.2.3"},
		{"Cargo.lock", "version = 3\n\n[[package]]\nname = \"a\"\nversion = \"1.2.3\"\ndependencies = [\n \"b\",\n]\n\n[[package]]\nname = \"b\"\nversion = \"4.0.0\"\n", "a 1.2.3, b 4.0.0"},
		{"poetry.lock", "[[package]]\nname = \"a\"\nversion = \"1.2.3\"\n\n[package.dependencies]\nb = \">=4\"\n", "a 1.2.3"},
		{"Gemfile.lock", "GEM\n  remote: x\n  specs:\n    a (1.2.3)\n      b (>= 4)\n    b (4.0.0)\n", "a 1.2.3, b 4.0.0"},
		{"composer.lock", `{"packages":[{"name":"v/a","version":"1.2.3"}],"packages-dev":[{"name":"v/b","version":"v4"}]}`, "v/a 1.2.3, v/b v4"},
		{"bun.lock", "{\n  \"packages\": {\n    \"@s/b\": [\"@s/b@4.0.0\", \"\", {}, \"sha512-x\"],\n    \"c/a\": [\"a@1.2.3\", \"\", {}, \"sha512-y\"],\n    \"own\": [\"own@workspace:packages/own\"],\n", "@s/b 4.0.0, a 1.2.3"},
		{"deno.lock", "{\n  \"npm\": {\n    \"@s/b@4.0.0\": {\n      \"integrity\": \"x\"\n    },\n    \"a@1.2.3_c@2.0.0\": {\n", "@s/b 4.0.0, a 1.2.3"},
		{"mix.lock", "%{\n  \"a\": {:hex, :a, \"1.2.3\", \"x\", [:mix], [], \"hexpm\", \"y\"},\n}\n", "a 1.2.3"},
		{"gradle.lockfile", "# written by gradle\ng:a:1.2.3=compileClasspath,runtimeClasspath\nempty=annotationProcessor\n", "g:a 1.2.3"},
		{"pubspec.lock", "packages:\n  a:\n    dependency: transitive\n    description:\n      name: a\n    source: hosted\n    version: \"1.2.3\"\nsdks:\n  dart: \">=3\"\n", "a 1.2.3"},
		{"packages.lock.json", `{"version":1,"dependencies":{"net8.0":{"A.B":{"type":"Direct","resolved":"1.2.3"},"own":{"type":"Project"}}}}`, "A.B 1.2.3"},
		{"Package.resolved", `{"pins":[{"identity":"a","state":{"revision":"0","version":"1.2.3"}}],"version":2}`, "a 1.2.3"},
		{"Gopkg.lock", "[[projects]]\n  digest = \"x\"\n  name = \"g/a\"\n  version = \"v1.2.3\"\n", "g/a v1.2.3"},
		{"Pipfile.lock", `{"default":{"a":{"version":"==1.2.3"}},"develop":{}}`, "a 1.2.3"},
		{"go.mod", "module m\n\nrequire example.com/a v1.2.3\n", "example.com/a v1.2.3"},
		{"package.json", `{"version":"3","dependencies":{"a":"^1"},"devDependencies":{"b":"4"}}`, "a ^1, b 4"},
		{".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4 # x\n      - uses: ./local\n", "actions/checkout v4"},
		{"Dockerfile", "FROM --platform=$BUILDPLATFORM golang:1.26 AS build\nFROM host:5000/base@sha256:abc\n", "golang 1.26, host:5000/base sha256:abc"},
		{".pre-commit-config.yaml", "repos:\n- repo: https://example.com/a\n  rev: v1.2.3\n", "https://example.com/a v1.2.3"},
		{"gradle/libs.versions.toml", "[versions]\nkotlin = \"1.2.3\"\n", "kotlin 1.2.3"},
		{"Directory.Packages.props", "  <PackageVersion Include=\"A.B\" Version=\"1.2.3\" />\n", "A.B 1.2.3"},
	} {
		read := lockOf(c.name)
		if read == nil {
			read = manifestOf(c.name)
		}
		if read == nil {
			t.Errorf("%s is not read", c.name)
			continue
		}
		var list []string
		for name, versions := range read(c.name, []byte(c.content)) {
			list = append(list, name+" "+strings.Join(versions, " "))
		}
		slices.Sort(list)
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestGroups: what is used comes before who uses it, and no more groups than are read.
func TestGroups(t *testing.T) {
	c := &changeView{place: map[string]int{}, imports: map[string][]string{}, importers: map[string][]string{}}
	add := func(name string, class Class, lines int) {
		c.place[name] = len(c.list)
		c.list = append(c.list, File{Change: diff.Change{Path: name}, Class: class, Added: lines})
	}
	add("app/main.go", Source, 100)
	add("lib/parse.go", Source, 3)
	add("lib/parse_test.go", Test, 3)
	add("go.sum", Written, 1000)
	add("README.md", Document, 1)
	for i := range 30 {
		add(fmt.Sprintf("plugins/p%02d/x.go", i), Source, 1)
		add(fmt.Sprintf("z%02d/x.go", i), Source, 1)
	}
	c.imports["app/main.go"] = []string{"lib/parse.go"}
	c.importers["lib/parse.go"] = []string{"app/main.go", "other/x.go"}
	c.list[c.place["lib/parse.go"]].importers = 20
	var list []string
	for _, g := range c.groups() {
		list = append(list, fmt.Sprintf("%s %d: %s", g.Name, len(g.Files), g.Reason))
	}
	const want = `lib/ 1: used below, and by 1 file outside
app/ 1: uses what stands above
/ 30: the code
plugins/ 30: the code
tests 1: what checks the code
docs 1: what describes it
generated 1: written by programs`
	if got := strings.Join(list, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestBody: where the signature of a function of one line ends.
func TestBody(t *testing.T) {
	for in, want := range map[string]string{
		"func f(a int) int { return a }": "func f(a int) int ", "func f(g func(){}) {}": "func f(g func(){}) ", "func f[T any]()": "func f[T any]()",
	} {
		if got := withoutBody(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzReaders: whatever files that name packages hold, reading them ends, and says the same twice; a text has the tokens that it has.
func FuzzReaders(f *testing.F) {
	names := []string{"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "go.sum", "Cargo.lock", "Gemfile.lock", "composer.lock", "Pipfile.lock", "go.mod", "package.json", "pom.xml",
		"Cargo.toml", "pyproject.toml", "requirements.txt", "Gemfile", "a.csproj", ".github/workflows/x.yml", "Dockerfile", ".pre-commit-config.yaml", "a.py", "a.go"}
	f.Add(0, []byte(`{"packages":{"node_modules/a":{"version":"1"}}}`))
	f.Add(1, []byte("a@1:\n  version \"1\"\n"))
	f.Add(4, []byte("[[package]]\nname = \"a\"\nversion = \"1\"\n"))
	f.Fuzz(func(t *testing.T, n int, content []byte) {
		name := names[((n%len(names))+len(names))%len(names)]
		for _, read := range []func(string, []byte) versions{lockOf(name), manifestOf(name)} {
			if read == nil {
				continue
			}
			if a, b := fmt.Sprint(read(name, content)), fmt.Sprint(read(name, content)); a != b {
				t.Errorf("%s: %s, then %s", name, a, b)
			}
		}
		if len(tokens(content, false, true)) > 2*len(content) {
			t.Error("a text is not like itself")
		}
	})
}

// TestWrites: a credential is the change's where it writes one of its lines, and a key has many.
func TestWrites(t *testing.T) {
	lines := strings.Split("a\nkey: [REDACTED:private-key]\n\n\nb\nc", "\n")
	for line, want := range map[int]bool{1: false, 2: true, 3: true, 4: true, 5: false, 6: false} {
		if got := writes([]int{line}, lines, 2); got != want {
			t.Errorf("line %d is written: %v", line, got)
		}
	}
	if writes(nil, lines, 2) || !writes([]int{9}, nil, 9) {
		t.Error("nothing is written, or what is known not to be read")
	}
}

// TestThin: of a picture in which all lead to all, the heavy edges stay, and every node has one.
func TestThin(t *testing.T) {
	p := Picture{Nodes: make([]Node, maxPicture)}
	for from := range p.Nodes {
		for to := range p.Nodes {
			if from != to {
				p.Edges = append(p.Edges, Edge{from, to, 1 + from*to%7})
			}
		}
	}
	all := len(p.Edges)
	p.thin()
	if len(p.Edges) != maxEdges || p.Undrawn != all-maxEdges {
		t.Errorf("%d edges of %d, %d undrawn", len(p.Edges), all, p.Undrawn)
	}
	used := map[int]bool{}
	for _, e := range p.Edges {
		used[e.From], used[e.To] = true, true
	}
	if len(used) != len(p.Nodes) {
		t.Errorf("%d nodes of %d have an edge", len(used), len(p.Nodes))
	}
}

// TestGained: what is called otherwise is no gain, a type with another field is one.
func TestGained(t *testing.T) {
	came, went := Definition{Change: Came}, Definition{Change: Went}
	grown := Definition{Change: Altered, Kind: "struct", Was: "struct{a int}", Is: "struct{a, b int}"}
	for _, c := range []struct {
		list []Definition
		want int
	}{
		{nil, 0}, {[]Definition{came}, 1}, {[]Definition{came, went}, 0}, {[]Definition{went, went, came}, -1}, {[]Definition{grown}, 1}, {[]Definition{{Change: Moved}, {Change: Renamed}}, 0},
	} {
		if got := gained(c.list); got != c.want {
			t.Errorf("%v: %d, want %d", c.list, got, c.want)
		}
	}
}

// TestScriptTest: tests of Node.js are run by the package manager whose lock file is there.
func TestScriptTest(t *testing.T) {
	for _, c := range []struct{ manager, at, want string }{
		{"npm", "", "npm test"}, {"npm", "web/app", "npm --prefix web/app test"}, {"pnpm", "", "pnpm test"}, {"pnpm", "web", "pnpm --dir web test"},
		{"yarn", "web", "yarn --cwd web test"}, {"bun", "", "bun run test"}, {"bun", "web", "bun --cwd web run test"},
	} {
		if got := scriptTest(c.manager, c.at); got != c.want {
			t.Errorf("%s in %q: %s, want %s", c.manager, c.at, got, c.want)
		}
	}
}

// TestOnlyNames: of a bump each line that differs names a package that differs, or is one that programs keep.
func TestOnlyNames(t *testing.T) {
	packages := map[string]bool{"example.com/a": true}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"require example.com/a v1.0.0\n", "require example.com/a v1.1.0\n", true},
		{"require (\n\texample.com/a v1.0.0\n\texample.com/b v0.3.0 // indirect\n)\n", "require (\n\texample.com/a v1.1.0\n)\n", true},
		{"require example.com/b v1.0.0\n", "require example.com/b v1.1.0\n", false},
		{"require example.com/a v1.0.0\n", "require example.com/a v1.1.0\nreplace example.com/b => ../b\n", false},
		{"go 1.24\n", "go 1.25\n", false},
	} {
		if got := onlyNames([]byte(c.a), []byte(c.b), packages); got != c.want {
			t.Errorf("%q to %q: %v", c.a, c.b, got)
		}
	}
}
