package pack

import (
	"strings"
	"testing"
)

// Key files are what they are called: a file about v-model is no database, one called
// handler needs something that handles. Programs and what is imported most are key.
func TestKeyFilesAreWhatTheyAreCalled(t *testing.T) {
	src := fromFiles(map[string][]byte{
		"go.mod":                         []byte("module example.com/tool\n"),
		"cmd/tool/run.go":                []byte("package main\n\nfunc main() {\n}\n"),
		"lib/compiler/vModel.ts":         []byte("export const transformModel = () => {}\n"),
		"lib/reactivity/baseHandlers.ts": []byte("export class BaseReactiveHandler {}\n"),
		"lib/tree/queries/queryCss.ts":   []byte("export const queryCss = '(rule) @x'\n"),
		"lib/store/model.ts":             []byte("import {Sequelize} from 'sequelize'\n"),
		"app/people.ts":                  []byte("app.get('/people', list)\napp.post('/people', add)\n"),
		"lib/handlerOf.ts":               []byte("app.get('/x', y)\n"),
		"lib/snapshotPolicy.ts":          []byte("export const keep = 1 // snapshots\n"),
		"lib/core.ts":                    []byte("export const core = 1\n"),
		"benchmark/index.ts":             []byte(strings.Repeat("run()\n", 100)),
	})
	src.Edges = map[string][]string{}
	for _, from := range []string{"lib/handlerOf.ts", "lib/store/model.ts", "lib/compiler/vModel.ts"} {
		src.Edges[from] = []string{"lib/core.ts"}
	}
	_, sum := both(t, src)
	var got []string
	for _, k := range sum.KeyFilesSummary {
		got = append(got, k.Path)
		if k.Path == "lib/core.ts" && !strings.Contains(k.Summary, "It defines core (lib/core.ts:1). Imported by 3 files (lib/compiler/vModel.ts, ") {
			t.Errorf("%s", k.Summary)
		}
	}
	want := "go.mod cmd/tool/run.go lib/handlerOf.ts lib/core.ts app/people.ts lib/store/model.ts"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("key files %s\nwant %s", s, want)
	}
}

// A pattern has evidence that is listed, or none is named.
func TestArchitecture(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a website beside a tool", map[string]string{"package.json": `{"name":"pack","bin":{"pack":"bin/pack.js"}}`, "bin/pack.js": "x()\n", "website/client/a.ts": "x\n", "website/server/b.ts": "x\n"},
			`command-line tool: "pack" declares the command "pack" (package.json:1, bin/pack.js)`},
		{"packages called ui and backend", map[string]string{"go.mod": "module example.com/x\n", "internal/ui/a.go": "package ui\n", "internal/backend/b.go": "package backend\n"}, unclassified},
		{"client and server", map[string]string{"client/package.json": `{"name":"c"}`, "client/a.ts": "x\n", "server/package.json": `{"name":"s"}`, "server/b.ts": "x\n"},
			"client and server: a folder for each (client/package.json, server/package.json)"},
		{"a framework with a command", map[string]string{"pyproject.toml": "[project]\nname = \"Flask\"\n[project.scripts]\nflask = \"flask.cli:main\"\n", "src/flask/cli.py": "x\n", "src/flask/__init__.py": "x\n"},
			`command and library: "Flask" declares the command "flask", and is a package for others to import (pyproject.toml:4, src/flask/cli.py, src/flask/__init__.py)`},
		{"an introduction is no library", map[string]string{"go.mod": "module example.com/restic\n", "doc.go": "// Package restic introduces.\npackage restic\n"}, unclassified},
	} {
		files := map[string][]byte{}
		for name, s := range c.files {
			files[name] = []byte(s)
		}
		_, sum := both(t, fromFiles(files))
		if got := sum.RepoSummary.ArchitecturePattern; got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// What a part of a workspace says of itself is the purpose where the root says nothing.
func TestPurposeOfWorkspace(t *testing.T) {
	src := fromFiles(map[string][]byte{
		"pnpm-workspace.yaml":              []byte("packages:\n  - 'packages/*'\n"),
		"package.json":                     []byte(`{"private":true}`),
		"README.md":                        []byte("# core\n\n## Getting Started\n\nPlease follow the documentation at example.com!\n"),
		"packages/vue/package.json":        []byte(`{"name":"vue","description":"The progressive framework.","dependencies":{"@vue/shared":"workspace:*","@vue/core":"workspace:*"}}`),
		"packages/vue-compat/package.json": []byte(`{"name":"@vue/compat","description":"Compatibility.","dependencies":{"@vue/shared":"workspace:*","@vue/core":"workspace:*"}}`),
		"packages/shared/package.json":     []byte(`{"name":"@vue/shared","description":"Shared."}`),
		"packages/core/package.json":       []byte(`{"name":"@vue/core","description":"Core of it.","dependencies":{"@vue/shared":"workspace:*"}}`),
	})
	src.Name = "monorepo"
	full, _ := both(t, src)
	if want := `"The progressive framework." (packages/vue/package.json:1)`; full.Manifest.PurposeGuess != want {
		t.Errorf("%s, want %s", full.Manifest.PurposeGuess, want)
	}
}
