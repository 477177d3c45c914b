package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// What a manifest says besides is counted, between the lines that are shown and behind them; and of one that does not fit stand the
// lines that tell most, in their order.
func TestManifest(t *testing.T) {
	const makefile = "all: a\n\tone\n\ttwo\n\tthree\n\tfour\n\tfive\n\nclean:\n\trm\n\ntest:\n\tgo test\n\nX = 1\n"
	m := manifestOf("Makefile", makefile)
	var counter tokens.Counter
	_, whole := m.section(m.steps, &counter)
	for _, c := range []struct {
		room int
		want string
	}{
		{whole, "1\tall: a\n2\t\tone\n3\t\ttwo\n4\t\tthree\n5\t\tfour\n6\t\tfive\n8\tclean:\n9\t\trm\n11\ttest:\n12\t\tgo test\n… 1 line\n"},
		{whole - 10, "1\tall: a\n2\t\tone\n3\t\ttwo\n4\t\tthree\n… 4 lines\n11\ttest:\n12\t\tgo test\n… 1 line\n"},
		{20, ""},
	} {
		list, got := m.within(m.steps, c.room, &counter), ""
		if len(list) > 0 {
			one, n := m.section(list, &counter)
			if n > c.room {
				t.Errorf("%d tokens for %d", n, c.room)
			}
			got = strings.TrimSuffix(strings.SplitN(one.Pieces[0], "\n", 2)[1], "```\n\n")
		}
		if got != c.want {
			t.Errorf("for %d:\n%swant\n%s", c.room, got, c.want)
		}
	}
}

// TestManifestOfJust: recipes whatever their parameters, with what they run; attributes and values are none.
func TestManifestOfJust(t *testing.T) {
	m := manifestOf("justfile", "log := \"a:b\"\n[group: 'dev']\nwatch +args='a: b':\n  cargo watch '{{ args }}'\n\nalias t := test\n@test FILTER=(\"x\" + \"y:\"): build\n\tcargo test\n# note: this\nset shell := ['sh', '-c']\n")
	if want := []int{3, 4, 7, 8}; !slices.Equal(m.steps, want) {
		t.Errorf("%v, want %v", m.steps, want)
	}
}

// Of many scripts those stand that are called by one word, before their variants.
func TestManifestTellsTheThing(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\n  \"scripts\": {\n    \"build\": \"make\",\n")
	for _, what := range []string{"icons", "tracker", "recorder", "client", "geo", "lang", "docker", "schema"} {
		b.WriteString("    \"build-" + what + "\": \"node scripts/build-" + what + ".js\",\n")
	}
	b.WriteString("    \"test\": \"vitest run\"\n  }\n}\n")
	m := manifestOf("package.json", b.String())
	var counter tokens.Counter
	_, whole := m.section(m.steps, &counter)
	if list := m.within(m.steps, whole/2, &counter); len(list) == 0 || !slices.Contains(list, 12) || !slices.Contains(list, 3) {
		t.Errorf("%v of\n%s", list, b.String())
	}
}

// A line of a recipe is never told without its target: it would stand below that of another.
func TestManifestTellsTargets(t *testing.T) {
	m := manifestOf("makefile", "default: read\n\nfuzz-a: base.c $(LIB)\n\tcc $< -o $@\n\nfuzz-b: base.c $(LIB)\n\tcc -DTEST $< -o $@\n\nsan-c: base.c\n\tcc -DBUILD $< -o $@\n")
	var counter tokens.Counter
	for room := range 100 {
		first := m.within(m.steps, room, &counter)
		second, _ := m.rest(first, room, &counter)
		for _, list := range [][]int{first, second} {
			for _, line := range list {
				if above := m.above(line); above > 0 && !slices.Contains(list, above) {
					t.Errorf("in %d tokens line %d stands without line %d", room, line, above)
				}
			}
		}
	}
}

// A manifest of Android tells what can be started, and which activity a launcher starts; a script of Autoconf what can be switched.
func TestManifestTellsParts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []int
	}{
		{"app/src/main/AndroidManifest.xml", "<manifest>\n<uses-permission android:name=\"x.NET\"/>\n<application\n  android:name=\".Quay\"\n  android:label=\"q\">\n<activity\n  android:name=\".Main\">\n<intent-filter>\n" +
			"<action android:name=\"android.intent.action.MAIN\"/>\n</intent-filter>\n<meta-data\n  android:name=\"y\"/>\n</activity>\n</application>\n</manifest>\n", []int{3, 4, 6, 7, 9}},
		{"Dockerfile", "FROM a\nCOPY . .\nRUN \\\n  b && \\\n  c\nENV X=1\nCMD [\"d\"]\n", []int{1, 3, 4, 5, 7}},
		{"docker-compose.yml", "volumes:\n  data:\nservices:\n  db:\n    image: x\n    environment:\n      - A=1\n  web:\n    # no\n    build:\n      context: .\n    ports:\n      - 1:1\n    command: sh\nnetworks:\n  n:\n", []int{3, 4, 5, 8, 10, 11, 12, 13, 14}},
		{"configure.ac", "AC_ARG_ENABLE(\n  [tide],\n  [AS_HELP_STRING(\n    [--enable-tide],\n    [a tide]\n  )],\n  [],\n)\nAC_ARG_WITH(\n  x)\n", []int{1, 4, 5, 9}},
		{"configure.ac", "dnl AC_INIT(no)\nAC_INIT([quay], [1])\nAC_PROG_CC\nif x; then\n  AC_CHECK_LIB(z, inflate)\nfi\nAC_ARG_ENABLE(tide,\n  [AS_HELP_STRING([--disable-tide], [No tide])])\nAC_OUTPUT\n", []int{2, 5, 7, 8}},
		{"build.sbt", "ThisBuild / scalaVersion := v\nimport a\nval x = 1\naddCommandAlias(\"check\", \"test\")\nlazy val core = (project in file(\"core\"))\n  .settings(\n    name := \"core\",\n  )\nlazy val cli = libraryProject(\"cli\").enablePlugins(X)\nlazy val n = 3\nlazy val js = crossProject(JSPlatform)\n", []int{1, 4, 5, 9, 11}},
		{"build.sbt", "val x = 1\n", []int{1}},
		{"a/Package.swift", "import PackageDescription\nlet package = Package(\n  name: \"A\",\n  platforms: [\n    .iOS(.v18),\n  ],\n  products: [\n    .library(name: \"A\", targets: [\"A\"])\n  ],\n  targets: [\n    .testTarget(\n      name: \"ATests\",\n      dependencies: [\"A\"]\n    )\n  ]\n)\n", []int{3, 8, 11, 12}},
		{"quay.cabal", "name: quay\n\nexecutable quay\n  build-depends:\n    base\n  hs-source-dirs:\n    src\n    app\n  -- c\n  main-is: Main.hs\ntest-suite t\n", []int{1, 3, 6, 7, 8, 10, 11}},
		{"rebar.config", "%% c\n{erl_opts, []}.\n{alias, [\n  %% d\n  {check, [xref]}\n]}.\n{deps, [\n  a\n]}.\n", []int{2, 3, 5, 7}},
		{"quay.opam", "opam-version: \"2.0\"\nsynopsis: \"Quays\"\nbuild: [\n  [\"dune\" \"build\"]\n]\nurl { }\n", []int{2, 3, 4}},
		{"dune-project", "(lang dune 3.0)\n(package\n (name quay)\n (depends\n  (ocaml (>= 5))))\n", []int{1, 2, 3, 5}},
		{"shard.yml", "name: quay\nversion: 1\ntargets:\n  quay:\n    main: src/quay.cr\nlicense: MIT\n", []int{1, 3, 4, 5}},
		{"stack.yaml", "resolver: lts-22\npackages:\n- .\n- core\nflags: {}\n", []int{1, 2, 3, 4}},
		{"deps.edn", "{:paths [\"src\"]\n :deps {a/b {:mvn/version \"1\"}}\n :aliases\n {:test\n  {:main-opts [\"-m\" \"x\"]}}}\n", []int{1, 3, 5}},
		{"quay.gemspec", "Gem::Specification.new do |s|\n  s.name = 'quay'\n  s.email = 'x'\n  s.executables = ['quay']\nend\n", []int{2, 4}},
		{"build.zig", "const std = @import(\"std\");\nconst exe = b.addExecutable(.{\n    .name = \"quay\",\n});\nconst s = b.step(\"run\", \"Run it\");\n", []int{2, 3, 5}},
		{"DESCRIPTION", "Package: quay\nTitle: Quays\nDescription: Reads tides,\n    and says so.\nLicense: MIT\n", []int{1, 2, 3, 4}},
		{"Jenkinsfile", "pipeline {\n  stage('Build') {\n    sh 'make'\n  }\n}\n", []int{2, 3}},
		{"build.xml", "<project default=\"jar\">\n  <!-- <target> -->\n  <target name=\"jar\">\n", []int{1, 3}},
		{"app/build.gradle.kts", "android {\n    defaultConfig {\n        minSdk = 28\n        versionCode = 3\n    }\n}\n", []int{3}},
	} {
		if m := manifestOf(c.name, c.text); !slices.Equal(m.steps, c.want) || RoleOf(c.name) != Manifest {
			t.Errorf("%s: %v, want %v; role %v", c.name, m.steps, c.want, RoleOf(c.name))
		}
	}
}

// What manifests of one name say alike is told once before the definitions; a workflow's commands each time.
func TestManifestsAlike(t *testing.T) {
	alike := "{\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"test\": \"vitest\",%s\n    \"x\": \"y\"\n  }\n}\n"
	list := []*manifest{
		manifestOf("package.json", fmt.Sprintf(alike, "")), manifestOf("b/package.json", fmt.Sprintf(alike, "")),
		manifestOf("c/package.json", fmt.Sprintf(alike, "\n    \"moor\": \"node rope\",\n    \"sail\": \"node sail\",\n    \"knot\": \"node knot\",\n    \"dock\": \"node dock\",\n    \"tide\": \"node tide\",")),
		manifestOf(".github/workflows/a.yml", "steps:\n  - run: make\n"), manifestOf(".github/workflows/b.yml", "steps:\n  - run: make\n"),
	}
	list = append(list, manifestOf("d/package.json", "{\n  \"name\": \"d\",\n  \"description\": \"Docks.\"\n}\n")) // the layout says so of its folder
	freshen(list)
	for n, want := range []int{5, 0, 5, 1, 1, 0} {
		if got := len(list[n].fresh); got != want {
			t.Errorf("%s: %d of %v, want %d", list[n].path, got, list[n].steps, want)
		}
	}
}

// Of workflows those stand first that are called after tests and run them: what only is called so, or looks at a signature, runs none.
func TestManifestsLater(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{".github/workflows/ci.yml", "- run: cargo test\n", 0},
		{".github/workflows/build_test.yml", "- run: cargo build\n", 1},
		{".github/workflows/release.yml", "- run: make test\n", 1},
		{".github/workflows/sign.yml", "- run: X='CN=Test of a ship'\n- run: signtool verify x\n", 2},
		{".github/workflows/maven.yml", "- run: mvn verify\n", 1},
		{".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n  - id: test\n", 3},
	} {
		if got := manifestOf(c.name, c.text).later(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestManifestLong: of a manifest with more lines than a document takes those that test stand wherever they are, and the first others.
func TestManifestLong(t *testing.T) {
	var b strings.Builder
	for n := range 2 * maxSteps {
		fmt.Fprintf(&b, "quay%d:\n    sail %d\n", n, n)
	}
	b.WriteString("test *args:\n    pytest\n")
	m := manifestOf("justfile", b.String())
	if n := len(m.lines); len(m.steps) > maxSteps+1 || !slices.Contains(m.steps, n-1) || !slices.Contains(m.steps, n-2) || !slices.Contains(m.steps, 1) {
		t.Errorf("%d steps: %v", len(m.steps), m.steps)
	}
}

// TestCommandsOfScript: what a script runs, its first commands and its tests, without what it says, sets and asks.
func TestCommandsOfScript(t *testing.T) {
	lines := strings.Split("#!/bin/sh\nset -e\nDIR=quay\ncd $DIR\nif [ -d x ]; then\n  dune build @all\nfi\necho done\na\nb\nc\nd\ne\nf\ng\nmake test\n", "\n")
	if got, want := commandsOf(lines), []int{6, 9, 10, 11, 12, 13, 16}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestScriptIn: scripts are found by the words of commands, however they are called.
func TestScriptIn(t *testing.T) {
	for word, want := range map[string]string{"./ci/test.sh": "ci/test.sh", "\"ci/test.sh\"": "ci/test.sh", "${{github.workspace}}/ci/test.sh": "ci/test.sh",
		"../test.sh": "", "test": "", "sh": "", "ci/test.py": ""} {
		if got := scriptIn(word); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// TestTestCommands: of a manual what is typed to test is told, no program, prose or message.
func TestTestCommands(t *testing.T) {
	text := "Run the tests with `x`.\n```\nmake test\nTest passed\nfix(dock): test it\nthis is a test;\n```\n    run the tests\n    $ pytest tests\n```python\ndef test_a():\n    test a\n```\n```console\n$ ctest\n# test\nA=1 ./ci/test.sh\n```\n~~~sh\ngo test ./...\n~~~\n"
	if got, want := testCommands(strings.Split(text, "\n")), []int{3, 9, 15, 17}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for name, want := range map[string]bool{"INSTALL.md": true, "docs/contributing.rst": true, ".github/CONTRIBUTING.md": true, "HACKING": false, "pkg/INSTALL.md": false, "README.md": false} {
		if IsGuide(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// The list that a key begins is told with it, however deep what was chosen of it stands, and what runs tests before other lists.
func TestListsOfCommands(t *testing.T) {
	text := "[tool.tox]\nenv_list = [\n    \"a\",\n    \"b\",\n    \"c\",\n    \"d\",\n    \"e\",\n    \"f\",\n]\n\n[tool.tox.env_run_base]\ncommands = [\n    [\n        \"pytest\",\n        \"--cov\",\n    ],\n]\n"
	m := manifestOf("pyproject.toml", text)
	got := m.within(m.steps, 70, new(tokens.Counter))
	if want := []int{11, 12, 13, 14}; len(got) < 4 || !slices.Equal(got[max(0, slices.Index(got, 11)):][:4], want) {
		t.Errorf("%v does not tell %v", got, want)
	}
}

// What a container runs is told before what its image is made of, however much that is.
func TestContainerRuns(t *testing.T) {
	text := "FROM quay\n" + strings.Repeat("RUN apk add a-rope && install it\n", 90) + "ENTRYPOINT [\"moor\"]\nCMD [\"--wait\"]\n"
	m := manifestOf("Dockerfile", text)
	got := m.within(m.fresh, 100, new(tokens.Counter))
	if !slices.Contains(got, 92) || !slices.Contains(got, 93) {
		t.Errorf("of %d lines these are told first: %v", len(m.steps), got)
	}
}
