package golang

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

func TestTables(t *testing.T) { graphtest.Tables(t, Provider) }

// TestLarge reads 300,000 imports, a manifest of 5 MB, and what nests.
func TestLarge(t *testing.T) {
	var imports, mod strings.Builder
	imports.WriteString("package m\n\nimport (\n")
	for i := range 300_000 {
		fmt.Fprintf(&imports, "\t\"a%d/b\"\n", i)
	}
	imports.WriteString(")\n")
	mod.WriteString("module m\n\nrequire (\n")
	for mod.Len() < 5<<20 {
		mod.WriteString("\texample.com/some/long/module/path v1.2.3\n")
	}
	mod.WriteString(")\n")
	a := graphtest.Stress(t, Provider, map[string]string{
		"go.mod": "module m\n", "many.go": imports.String(), "big/go.mod": mod.String(), "big/a.go": "package a\n\nimport \"m/x\"\n\nvar _ = x.X\n",
		"x/x.go": "package x\n\nvar X = 1\n", "deep.go": "package m\n\nvar x = " + strings.Repeat("(", 200_000),
		"unary.go": "package m\n\nvar y = " + strings.Repeat("-", 500_000), "tags.go": "//go:build " + strings.Repeat("(", 3000) + "\n\npackage m\n",
		"sum.go": "package m\n\nvar z = a" + strings.Repeat("+a", 500_000) + "\n",
	})
	if a.Edges["big/a.go"] == nil || len(a.Warnings) == 0 {
		t.Errorf("edges %d, warnings %v", len(a.Edges), a.Warnings)
	}
}

// FuzzParse reads any text: nothing panics, and what is found is in the text.
func FuzzParse(f *testing.F) {
	f.Add("package a\n\nimport b \"c\"\n\nvar x = b.C\n")
	f.Add("//go:build a && !b\n\npackage a\n\n//go:embed x \"y z\" `w`\nvar x string\n")
	f.Add("package a\n\n// #include \"x.h\"\nimport \"C\"\n\ntype A = b.C\n\nfunc (a *A[T]) M() {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		if a, err := parse("x_linux.go", []byte(text)); err == nil {
			together(a.when, nil, &graph.Work{})
			for _, p := range a.embeds {
				if b := (&builder{sources: []string{"a/b", "c"}}); len(b.embedded("a", p, &graph.Work{Steps: 9})) > 1 {
					t.Error(p)
				}
			}
		}
		graphtest.Outline(t, Provider, "x.go", text)
	})
}

// FuzzManifest reads any go.mod and go.work.
func FuzzManifest(f *testing.F) {
	f.Add("module a\n\nreplace b => ../c\n")
	f.Add("go 1.22\n\nuse ./a\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = parseMod("d", []byte(text))
		_, _ = parseWork("d", []byte(text))
	})
}
