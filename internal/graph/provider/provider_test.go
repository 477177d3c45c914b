package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tree"
)

func sources(files map[string]string) []graph.SourceFile {
	var list []graph.SourceFile
	for name, text := range files {
		list = append(list, graph.SourceFile{File: tree.Bytes(name, []byte(text)), Script: language.Script(name, []byte(text))})
	}
	slices.SortFunc(list, func(a, b graph.SourceFile) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// root writes the files to a new folder.
func root(t *testing.T, files map[string]string) graph.Roots {
	roots, _ := graphtest.New(t, files)
	return roots
}

var three = map[string]string{
	"go.mod":               "module m\n",
	"a.go":                 "package m\n\nimport \"fmt\"\n\nvar _ = fmt.Sprint(B)\n",
	"b.go":                 "package m\n\n// B is one. It is used.\nconst B = 1\n",
	"p/__init__.py":        "from .x import f\n",
	"p/x.py":               "import os\ndef f(): pass\n",
	"use.py":               "from p import f\n",
	"web/a.ts":             "import { b } from './b'; import fs from 'node:fs'",
	"web/b.ts":             "export const b = 1",
	"web/c.vue":            "<script setup>import { b } from './b'</script>",
	"web/d.astro":          "<p/>",
	"j/A.java":             "package j; class A { B b; }",
	"j/B.kt":               "package j\nclass B",
	"s/A.cs":               "namespace S; class A { B b; }",
	"s/B.cs":               "namespace S; class B { }",
	"w/A.php":              "<?php namespace W; class A extends B {}",
	"w/B.php":              "<?php namespace W; class B {}",
	"r/a.rb":               "require_relative 'b'\n",
	"r/b.rb":               "class B; end\n",
	"README.md":            "# Read me",
	"node_modules/x/i.ts":  "export {}",
	".stan/output/gone.go": "package gone",
	"image.png":            "\x89PNG",
	"ios/a.swift":          "class A: B {}",
	"ios/b.swift":          "class B {}",
	"zig/main.zig":         "const a = 1;",
}

// byPath are files of the languages that name others by path.
var byPath = map[string]string{
	"r/lib.rs": "mod a;", "r/a.rs": "",
	"c/a.c": "#include \"b.h\"", "c/b.h": "", "c/a.sh": ". ./b.sh", "c/b.sh": "", "c/Makefile": "include b.mk", "c/b.mk": "", "c/Dockerfile": "COPY b.h /",
	"c/a.tf": "module \"m\" {\n source = \"./m\"\n}", "c/m/m.tf": "", "c/a.proto": "import \"b.proto\";", "c/b.proto": "", "c/a.gql": "#import \"b.gql\"", "c/b.gql": "",
	"c/a.lua": "require 'b'", "c/b.lua": "", "c/a.sql": "\\i b.sql\n", "c/b.sql": "", "c/a.dart": "import 'b.dart';", "c/b.dart": "", "c/a.ex": "defmodule A do\n B.f()\nend", "c/b.ex": "defmodule B do\nend", "c/a.mdx": "import './a.css'", "c/a.css": "@import 'b.css';", "c/b.css": "", "c/a.html": "<script src=\"b.js\"></script>", "c/b.js": "",
}

func TestBuild(t *testing.T) {
	roots, list := root(t, three), sources(three)
	r, err := Build(t.Context(), roots, list, Options{UsersOf: []string{"b.go", "p/x.py", "web/b.ts"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for id, edges := range r.Graph.Edges {
		for _, e := range edges {
			got = append(got, fmt.Sprint(id, " ", e.Target, " ", e.Uses, " ", e.Resolution, " ", r.Graph.Nodes[e.Target].Kind))
		}
	}
	slices.Sort(got)
	want := []string{
		"a.go b.go runtime implicit source",
		"a.go go:fmt runtime explicit builtin",
		"ios/a.swift ios/b.swift runtime implicit source",
		"j/A.java j/B.kt runtime implicit source",
		"p/__init__.py p/x.py runtime explicit source",
		"p/x.py python:os runtime explicit builtin",
		"r/a.rb r/b.rb runtime explicit source",
		"s/A.cs s/B.cs runtime implicit source",
		"use.py p/__init__.py runtime explicit source",
		"use.py p/x.py runtime implicit source",
		"w/A.php w/B.php runtime implicit source",
		"web/a.ts node:fs runtime explicit builtin",
		"web/a.ts web/b.ts runtime explicit source",
		"web/a.ts web/b.ts runtime implicit source",
		"web/c.vue web/b.ts runtime explicit source",
		"web/c.vue web/b.ts runtime implicit source",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	users := map[string]map[string][]string{
		"b.go":     {"B": {"a.go"}},
		"p/x.py":   {"f": {"p/__init__.py", "use.py"}},
		"web/b.ts": {"b": {"web/a.ts", "web/c.vue"}},
	}
	if !reflect.DeepEqual(r.Users, users) {
		t.Errorf("users %v", r.Users)
	}
	if _, ok := r.Graph.Nodes["node_modules/x/i.ts"]; ok || r.Graph.Nodes["image.png"] == nil || r.Graph.Nodes[".stan/output/gone.go"] != nil {
		t.Error("nodes are not those of the repository's own files")
	}
	if want := []Language{{"TypeScript and JavaScript", 2, true, 0, 0}, {"Astro", 1, true, 0, 0}, {"Vue", 1, true, 0, 0}, {"Go", 2, true, 0, 0}, {"Python", 3, true, 0, 0}, {"Java", 1, true, 0, 0}, {"Kotlin", 1, true, 0, 0}, {"C#", 2, true, 0, 0}, {"PHP", 2, true, 0, 0}, {"Ruby", 2, true, 0, 0}, {"Swift", 2, true, 0, 0}, {"Zig", 1, false, 0, 0}}; !slices.Equal(r.Languages, want) {
		t.Errorf("languages %v", r.Languages)
	}
	c := graph.Canonicalize(r.Graph, roots, ".stan")
	meta, err := graph.ParseMeta(c.Meta.Encode())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"go:fmt", "python:os", "node:fs"} {
		if meta.Nodes[id].Kind != graph.Builtin {
			t.Errorf("%s is %v in the meta", id, meta.Nodes[id].Kind)
		}
	}
}

// TestPlain passes each provider's answer through JSON: nothing of it is lost,
// so that it can come from another process.
func TestPlain(t *testing.T) {
	files := maps.Clone(three)
	maps.Copy(files, byPath)
	roots := root(t, files)
	for _, p := range All {
		q := graphtest.Request(p, roots, sources(files))
		q.UsersOf = []string{"b.go", "p/x.py", "web/b.ts"}
		a, err := p.Build(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var again graph.Response
		if err := json.Unmarshal(b, &again); err != nil {
			t.Fatal(err)
		}
		c, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if string(b) != string(c) || len(a.Edges) == 0 {
			t.Errorf("%s: %s\n%s", p.Name, b, c)
		}
	}
}

// TestAssign gives a file that two languages claim to one.
func TestAssign(t *testing.T) {
	table := []graph.Provider{
		{Name: "one", Claims: func(name string) bool { return strings.HasSuffix(name, ".h") }, Refuses: func(head []byte) bool { return strings.Contains(string(head), "@interface") }},
		{Name: "two", Claims: func(name string) bool { return strings.HasSuffix(name, ".h") || strings.HasSuffix(name, ".m") }},
	}
	list := sources(map[string]string{"a.h": "int a;", "b.h": "@interface B", "c.m": "", "d.txt": ""})
	if got := assign(table, list); !slices.Equal(got, []int{0, 1, 1, -1}) {
		t.Error(got)
	}
}

// A script without an extension leads to what it loads, by the language that its first line names.
func TestPrograms(t *testing.T) {
	files := map[string]string{
		"bin/quay": "#!/usr/bin/env ruby\nrequire 'quay/cli'\n", "lib/quay/cli.rb": "class Cli; end\n", "quay.gemspec": "Gem::Specification.new\n",
		"bin/tow": "#!/usr/bin/php8.3\n<?php\nrequire __DIR__ . '/../src/tow.php';\n", "src/tow.php": "<?php\n",
		"bin/data": "require 'quay/cli'\n", "doc/quay": "#!/usr/bin/env ruby\nrequire 'quay/cli'\n", "bin/empty": "#!", "bin/env": "#!/usr/bin/env -S A=b\n",
	}
	r, err := Build(t.Context(), root(t, files), sources(files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"bin/quay": "lib/quay/cli.rb", "bin/tow": "src/tow.php", "bin/data": "", "doc/quay": "lib/quay/cli.rb", "bin/empty": "", "bin/env": ""} {
		got := ""
		for _, e := range r.Graph.Edges[id] {
			got += e.Target
		}
		if got != want {
			t.Errorf("%s leads to %q, want %q", id, got, want)
		}
	}
}

// TestTable checks what the table promises of every provider.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All {
		if p.Name == "" || strings.ToLower(p.Name) != p.Name || p.Language == "" || seen[p.Name] {
			t.Errorf("provider %q of %q", p.Name, p.Language)
		}
		seen[p.Name] = true
		if p.Claims == nil || p.Reads == nil || p.Build == nil || p.Define == nil {
			t.Errorf("%s lacks a function", p.Name)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Build(ctx, graph.Request{Roots: root(t, nil), Files: sources(map[string]string{"a.ts": "", "a.go": "", "a.py": "", "a.java": "", "a.cs": "", "a.php": "", "a.rb": ""})}); err == nil {
			t.Errorf("%s does not stop", p.Name)
		}
	}
}

func TestDefine(t *testing.T) {
	for name, c := range map[string]struct{ text, want, outline string }{
		"a.go": {
			"package a\n\n// T is a type. It is more.\ntype T struct {\n\tF int\n}\n\n// Run runs.\nfunc (t *T) Run(\n\ta int,\n) error {\n\treturn nil\n}\n\nfunc hidden() {}\n\nconst (\n\t// C is one.\n\tC = 1\n)\n",
			"T struct 3 4 6 6 true T is a type.|T.Run method 8 9 11 13 true Run runs.|hidden func 15 15 15 15 false |C const 18 19 19 19 true C is one.",
			"3\t// T is a type. It is more.\n4\ttype T struct {\n5\t\tF int\n6\t}\n8\t// Run runs.\n9\tfunc (t *T) Run(\n10\t\ta int,\n11\t) error {\n18\t\t// C is one.\n19\t\tC = 1\n",
		},
		"a.py": {
			"X = 1\n\n@decorated\ndef f(\n    a,\n) -> int:\n    \"\"\"Does it. Well.\"\"\"\n    return a\n\n\nclass C(Base):\n    'A class.'\n\n    def m(self):\n        def inner(): pass\n        return 1\n    # end\n\ndef _private(): pass\n",
			"X var 1 1 1 1 true |f func 3 4 6 8 true Does it.|C class 11 11 11 16 true A class.|C.m method 14 14 14 16 true |_private func 19 19 19 19 false ",
			"1\tX = 1\n3\t@decorated\n4\tdef f(\n5\t    a,\n6\t) -> int:\n11\tclass C(Base):\n14\t    def m(self):\n",
		},
		"a.ts": {
			"/** Makes one.\n * @param a what */\nexport function make(\n  a: number,\n): Thing {\n  return { a };\n}\nexport interface Thing {\n  a: number;\n}\nconst hidden = 1, shown = () => {\n  return 2;\n};\nexport { shown };\nexport default class {\n  private p = 1;\n  run(): void {\n  }\n}\n",
			"make func 1 3 5 7 true Makes one.|Thing interface 8 8 10 10 true |hidden const 11 11 11 13 false |shown func 11 11 11 13 true |default class 15 15 15 19 true |default.p field 16 16 16 16 false |default.run method 17 17 17 18 true ",
			"1\t/** Makes one.\n2\t * @param a what */\n3\texport function make(\n4\t  a: number,\n5\t): Thing {\n8\texport interface Thing {\n9\t  a: number;\n10\t}\n11\tconst hidden = 1, shown = () => {\n15\texport default class {\n17\t  run(): void {\n",
		},
	} {
		p, ok := For(name)
		if !ok {
			t.Fatal(name)
		}
		list, err := p.Define(name, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range list {
			got = append(got, fmt.Sprint(d.Name, " ", d.Kind, " ", d.From, d.Line, d.Head, d.End, d.Exported, " ", d.Doc))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, s, c.want)
		}
		if s := graph.Outline([]byte(c.text), list); s != c.outline {
			t.Errorf("%s: outline\n%s\nwant\n%s", name, s, c.outline)
		}
	}
}

// TestDefineAll: what interfaces and literal types ask for is defined for those who ask for it by name, and Define leaves it out.
func TestDefineAll(t *testing.T) {
	for _, c := range []struct{ name, text, all, shown string }{
		{
			"a.go", "package a\n\ntype I interface {\n\tJ\n\t~int | string\n\t// Get gets.\n\tGet(k string) (\n\t\tint, error)\n\tset()\n}\n\ntype s struct{ I }\n\ntype F func()\n\ntype e interface{ A(); B() }\n",
			"I interface 3 10 true|I.Get method 7 8 true Get gets.|I.set method 9 9 false|s struct 12 12 false|F type 14 14 true|e interface 16 16 false|e.A method 16 16 false|e.B method 16 16 false",
			"I interface 3 10 true|s struct 12 12 false|F type 14 14 true|e interface 16 16 false",
		},
		{
			"a.ts", "export interface I<T> {\n  a: number\n  /** Gets. */\n  get(k: T): void;\n  get(k: T, n: number): void;\n  on?: (e: Event) => void\n  [k: string]: unknown\n  (x: T): T\n  new (x: T): I<T>\n  'x-y'(): void\n}\ntype L = { go(): void } | { no(): void }\ntype M = {\n  go(): void\n  b: { c(): void }\n}\n",
			"I interface 1 11 true|I.get method 4 4 true Gets.|I.get method 5 5 true|I.on method 6 6 true|L type 12 12 false|M type 13 16 false|M.go method 14 14 false",
			"I interface 1 11 true|L type 12 12 false|M type 13 16 false",
		},
		{
			"b.ts", "interface { (): void; (", "", "",
		},
		{
			"A.java", "interface I {\n  int get(String k);\n}\n", "I interface 1 3 false|I.get method 2 2 false", "I interface 1 3 false|I.get method 2 2 false",
		},
	} {
		for _, x := range []struct {
			define func(string, []byte) ([]graph.Definition, error)
			want   string
		}{{DefineAll, c.all}, {Define, c.shown}} {
			list, err := x.define(c.name, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range list {
				got = append(got, strings.TrimSpace(fmt.Sprint(d.Name, " ", d.Kind, " ", d.Line, d.End, d.Exported, " ", d.Doc)))
			}
			if s := strings.Join(got, "|"); s != x.want {
				t.Errorf("%s: got\n%s\nwant\n%s", c.name, s, x.want)
			}
		}
	}
}
