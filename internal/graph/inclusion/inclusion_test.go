package inclusion

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

// TestTables runs a table a language: the file's name is the provider's.
func TestTables(t *testing.T) {
	for _, p := range Providers {
		t.Run(p.Name, func(t *testing.T) {
			if list, err := filepath.Glob("testdata/" + p.Name + "/*.txtar"); err != nil || len(list) == 0 {
				t.Fatalf("no tables: %v", err)
			}
			graphtest.TablesIn(t, p, "testdata/"+p.Name)
		})
	}
}

// TestWorst asks for a million names, comments and strings that nothing shuts, and files that all end alike.
func TestWorst(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	names := map[string]string{"c": "a.c", "shell": "a.sh", "make": "Makefile", "docker": "Dockerfile", "terraform": "a.tf", "protobuf": "a.proto", "graphql": "a.graphql", "lua": "a.lua", "dart": "a.dart", "style": "a.scss", "elixir": "a.ex", "sql": "a.sql", "mdx": "a.mdx", "template": "a.html"}
	for _, p := range Providers {
		name := names[p.Name]
		if name == "" {
			t.Fatalf("%s has no text", p.Name)
		}
		files := map[string]string{}
		var many strings.Builder
		for i := range 10_000 {
			fmt.Fprintf(&many, "#include \"x%d.h\"\nsource x%d.sh\ninclude x%d\nCOPY x%d y\nimport \"x%d\";\nrequire(\"x%d\")\n@import \"x%d\";\n", i, i, i, i, i, i, i)
		}
		for i, text := range []string{
			many.String(), strings.Repeat("/*", 500_000), strings.Repeat("\"'", 500_000), strings.Repeat("R\"(", 300_000), strings.Repeat("<<A\n", 200_000), strings.Repeat("--[[", 300_000),
			strings.Repeat("import '", 200_000), strings.Repeat("@import url(", 100_000), strings.Repeat("a=$(dirname $0)/..\n", 100_000), strings.Repeat("module \"a\" {\n", 100_000),
			"#include <" + strings.Repeat("../", 300_000) + ">", strings.Repeat("import 'a' if (", 100_000), "\x00\xff" + strings.Repeat("\\\n", 300_000), strings.Repeat("require(a..", 100_000), strings.Repeat("COPY a \\\n", 100_000),
			strings.Repeat("\\i x\n@@x\n.read x\n", 30_000), strings.Repeat("{{ ref('x') ", 60_000), strings.Repeat("{% ref( ", 100_000), strings.Repeat("~H\"\"\"{\"#{", 60_000), strings.Repeat("A = $(A)$(A)\ninclude $(A)\n", 30_000),
			"A = " + strings.Repeat("a", 4000) + "\ninclude " + strings.Repeat("$(A)", 1000) + "\n" + strings.Repeat("include $(A)$(A)$(A)$(A)$(A)\n", 10_000), strings.Repeat("modules = { [\"a\"] = \"b\", ", 30_000), strings.Repeat("@a(", 200_000), strings.Repeat("RUN --mount=source=a,b ", 30_000),
			strings.Repeat("file(\"${path.module}/x\") module \"a\" {", 30_000), strings.Repeat("$(dir $(abspath ", 60_000), strings.Repeat("COPY [\"a\",", 60_000),
			strings.Repeat("{% include \"a.html\" %}{% load a", 60_000), strings.Repeat("{#", 300_000), strings.Repeat("<script src=", 100_000), strings.Repeat("{{> a {{template \"a\"", 60_000), strings.Repeat("{% include [", 60_000),
		} {
			files[fmt.Sprintf("d%d/%s", i, name)] = text
		}
		for i := range 500 {
			files[fmt.Sprintf("e%d/x1.h", i)] = "#include <x1.h>\n"
		}
		graphtest.Stress(t, p, files)
	}
}

// FuzzBuild reads any text as each language: nothing panics, edges lead to files that are there and to no file itself.
func FuzzBuild(f *testing.F) {
	f.Add("#include \"b.h\"\n#include <b.h> // x\nR\"x(#include \"c.h\")x\"\n", "set(X) include_directories(a)")
	f.Add("source \"$(dirname \"$0\")/../b.sh\"\nD=${BASH_SOURCE%/*}\n. $D/b.sh\ncat <<E\nE\n", "-Ia -I b")
	f.Add("COPY --chown=a b.h c/ \\\n d\nADD [\"b.h\", \"x\"]\nmodule \"m\" {\n source = \"./m\"\n}\n", "name: b")
	f.Add("import 'package:b/b.dart' if (dart.library.io) 'b.dart';\npart of 'x';\n@use \"b\" with (a: b);\n", "name: b # x")
	f.Add("-- [[\nrequire \"b\" require('a.'..b) --[==[ ]==] dofile 'b.lua'\n#import \"b.graphql\"\nimport public \"b.proto\";", "")
	f.Add("\\i 'b.sql'\n@@b\nprompt it's\nstart b\n.read b.sql\n:r b.sql\n{{ ref('b') }}", "A := .\ninclude $(A)/b.mk $(wildcard *.mk)")
	f.Add("a = file(\"${path.module}/b.h\")\nmodule \"m\" { source = \"./m\" }\nRUN --mount=type=bind,source=b.h,target=x\nCOPY b*.h /\n# shellcheck source=b.sh\n. \"$x\"", "modules = { b = \"b.lua\" }")
	f.Add("~H\"\"\"<A.b c={D.e()} />\"\"\" ~S|#{F}| \"#{A.B.c(\"d\")}\" ?\"", "")
	f.Add("defmodule A.B do\n alias C.{D, E}\n defmodule F do\n D.g(%E{})\n", "import X from './b'\n```\nimport './c'")
	f.Add("<% render 'b' %><%# x %>\n= render partial: 'b'\n{% extends \"b.html\" %}{{> b}}<script src=b.js>{{template \"b\"}}\ninclude b", "GET /b a.B.c(x)")
	names := []string{"conf/routes", "views/a.erb", "views/_b.html.erb", "views/b.haml", "b.html", "b.hbs", "b.pug", "b.ejs", "b.tmpl", "a.ex", "a.mdx", "a.c", "b.h", "a.sh", "b.sh", "Makefile", "b.mk", "Dockerfile", "a.tf", "m/m.tf", "a.proto", "b.proto", "a.graphql", "b.graphql", "a.lua", "b.lua", "a.dart", "lib/b.dart", "a.scss", "_b.scss", "b.css", "a.sql", "b.sql"}
	f.Fuzz(func(t *testing.T, text, build string) {
		if len(text) > 5_000 || len(build) > 5_000 {
			return
		}
		files := map[string]string{"CMakeLists.txt": build, "pubspec.yaml": build, "c.mk": build, "b.rockspec": build}
		for _, n := range names {
			files[n] = text
		}
		roots, sources := graphtest.New(t, files)
		for _, p := range Providers {
			for from, list := range graphtest.Answer(t, p, roots, sources).Edges {
				for _, e := range list {
					if _, ok := files[e.Target]; !ok || e.Target == from {
						t.Fatalf("%s -> %s", from, e.Target)
					}
				}
			}
		}
	})
}

func BenchmarkC(b *testing.B) { graphtest.Benchmark(b, provider("c"), "") }

func provider(name string) graph.Provider {
	for _, p := range Providers {
		if p.Name == name {
			return p
		}
	}
	panic(name)
}
