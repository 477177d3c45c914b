package pack

import (
	"strings"
	"testing"
)

// TestSaysWhatItDefines holds the sentences about files whose authors say nothing of them.
func TestSaysWhatItDefines(t *testing.T) {
	for _, c := range []struct{ name, text, want, not string }{
		{name: "lib/index.ts", text: "import x from './x'\ntype Told = 1\nconst LIMIT = 3\nconst make = () => {}\nexport class Maker {}\nexport default class Hub {}\n", want: "It defines Hub, Maker, make, Told (lib/index.ts:2-6)", not: "LIMIT"},
		{name: "lib/index.ts", text: "const LIMIT = 3\nfunction plugin() {}\nfunction helper() {}\nexport default plugin\nexport { helper }\nexport { other } from './other'\n", want: "It defines plugin, helper (lib/index.ts:2-3)", not: "other"},
		{name: "lib/index.js", text: "const vue = require('vue')\nmodule.exports = {\n  jsx: vue.h,\n  Fragment,\n}\nfunction late() {}\n", want: "It defines jsx, Fragment, late"},
		{name: "lib/index.ts", text: "/*\nexport function gone() {}\n*/\nconst s = `\nexport function text() {}\n`\nexport function real() {}\n", want: "It defines real (lib/index.ts:7)", not: "gone"},
		{name: "src/all/__init__.py", text: "import a\n\n\ndef _hidden():\n    pass\n\n\nclass Shown:\n    def method(self):\n        pass\n", want: "It defines Shown, _hidden (src/all/__init__.py:4-8)", not: "method"},
		{name: "src/all/__init__.py", text: "from .cli import main\nmain()\n", want: `It imports ".cli"`},
		{name: "tsconfig.json", text: "{\n  // settings\n  \"$schema\": \"x\",\n  \"extends\": \"./base.json\",\n  \"compilerOptions\": {\"strict\": true, \"lib\": [\"a\"]},\n  \"include\": [\"src\"],\n}\n", want: "It sets extends (./base.json), compilerOptions (strict, lib), include (src) (tsconfig.json:1-6)"},
		{name: "pnpm-workspace.yaml", text: "packages:\n  - 'packages/*'\ncatalog:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\n  e: 5\nshell: true\n", want: "It sets packages (packages/*), catalog (a, b, c, d, …), shell (true) (pnpm-workspace.yaml:1-9)"},
		{name: "cmd/tool/main.go", text: "package main\n\nconst usage = `Usage:\n    tool [-v] FILE\n`\n\nfunc main() {}\n\nfunc run() {}\n", want: "It is the command \"tool\" (go.mod, cmd/tool/main.go). Its usage begins with \"tool [-v] FILE\" (cmd/tool/main.go:4). It defines run, usage"},
		{name: "cmd/tool/main.go", text: "package main\n\nvar root = &cobra.Command{\n\tUse:   \"tool\",\n\tShort: \"Backs things up\",\n}\n\nfunc main() {}\n\nvar late = &cobra.Command{Use: \"x\",\n\tShort: \"Does another thing\",\n}\n", want: "It describes itself as \"Backs things up\" (cmd/tool/main.go:5). It is the command \"tool\""},
		{name: "src/all/__main__.py", text: "import argparse\np = argparse.ArgumentParser(description=\"Counts sheep at night\")\n", want: "It describes itself as \"Counts sheep at night\" (src/all/__main__.py:2)"},
		{name: "src/index.js", text: "const tool = {\n  description: 'One of many tools',\n}\n", want: "JavaScript, 3 lines", not: "many tools"},
		{name: "go.work", text: "go 1.26\n\nuse (\n\t. // all\n\t./a\n)\nuse ./b\n", want: "It joins the modules in ., ./a, ./b (go.work:1-7)"},
		{name: "api/v1/api.proto", text: "syntax = \"proto3\";\nmessage Ask {}\nservice Store {}\n", want: "It defines Store, Ask (api/v1/api.proto:2-3)"},
		{name: "cmd/tool/main.go", text: "package main\n\nimport \"x\"\n\nfunc main() {}\n\nfunc (t *tool) run() {}\n", want: "It defines tool.run (cmd/tool/main.go:7)"},
		{name: "cmd/tool/main.go", text: "package main\n\nfunc die() {}\n\nfunc main() {\n}\n\nfunc build() {\n\tdie()\n}\n", want: "It defines build, die (cmd/tool/main.go:3-8)"},
		{name: "flake.nix", text: "{\n  description = \"Packs repositories whole\";\n}\n", want: "It describes itself as \"Packs repositories whole\" (flake.nix:2)"},
	} {
		_, sum := both(t, fromFiles(map[string][]byte{c.name: []byte(c.text), "go.mod": []byte("module example.com/all\n"), "pyproject.toml": []byte("[project]\nname = \"all\"\n")}))
		got := ""
		for _, k := range sum.KeyFilesSummary {
			if k.Path == c.name {
				got = k.Summary
			}
		}
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(strings.Replace(got, c.want, "", 1), c.not) {
			t.Errorf("%s\n%s\nsays %q\nwant %q", c.name, c.text, got, c.want)
		}
	}
}

// TestEvidence holds claims against what they rest on.
func TestEvidence(t *testing.T) {
	said := func(files map[string][]byte) string {
		_, sum := both(t, fromFiles(files))
		return strings.Join(append(sum.RepoSummary.NotablePatterns, sum.RepoSummary.KeyTechnologies...), "\n")
	}
	code := []byte("package migrations\n")
	if s := said(map[string][]byte{"go.mod": []byte("module x\n"), "internal/migrations/doc.go": code, "internal/migrations/upgrade.go": code, "internal/migrations/s3.go": code}); strings.Contains(s, "Database") {
		t.Errorf("migrations of something else: %s", s)
	}
	if s := said(map[string][]byte{"go.mod": []byte("module x\n"), "db/migrations/a.up.sql": []byte("create table a;\n"), "db/migrations/b.up.sql": []byte("create table b;\n")}); !strings.Contains(s, "Database migrations are kept in the repository: 2 files") {
		t.Errorf("no migrations: %s", s)
	}
	s := said(map[string][]byte{"package.json": []byte(`{"name": "x", "dependencies": {"react": "^19.0.0"}, "devDependencies": {"vite": "catalog:", "express": "^5.2.1"}}`)})
	for _, want := range []string{"React ^19.0.0 (", "Vite, for development (", "Express ^5.2.1, for development ("} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not in %s", want, s)
		}
	}
}

// What those run who work on a program is not what its users start.
func TestIsErrand(t *testing.T) {
	for name, want := range map[string]bool{
		"build.sh": true, "script/authors.go": true, "cmd/dev/tide/main.go": true, "cmd/pier/testutil/main.go": true,
		"cmd/pier/main.go": false, "main.go": false, "develop/main.go": false,
	} {
		if got := isErrand(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
