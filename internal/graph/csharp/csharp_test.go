package csharp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

func TestTables(t *testing.T) { graphtest.Tables(t, Provider) }

// TestUsers asks who uses what a file declares.
func TestUsers(t *testing.T) {
	files := map[string]string{
		"A.cs": "namespace N { public class A<T> { public class In { } } }", "B.cs": "using N; class B { A<int> a; }", "C.cs": "class C { N.A<int> a; }", "D.cs": "class D { A<int> a; }",
	}
	if got, want := graphtest.Users(t, Provider, files, "A.cs"), "map[A.cs:map[A:[B.cs C.cs]]]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestWorst asks for a million directives and names, types within types, chains of what extends, and projects that all refer to all.
func TestWorst(t *testing.T) {
	var many, deep, chain strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "using a.b%d;\nusing c%d = a.b.c%d;\n", i, i, i)
	}
	many.WriteString("class Many { ")
	for i := range 100_000 {
		fmt.Fprintf(&many, "N%d.O.P x; ", i)
	}
	for i := range 20_000 {
		fmt.Fprintf(&deep, "class D%d : D%d { ", i, i+1)
		fmt.Fprintf(&chain, "class N%d : N%d { } ", i, (i+1)%20_000)
	}
	files := map[string]string{
		"Many.cs": many.String(), "Deep.cs": deep.String(), "Chain.cs": chain.String() + "class O { class P { } }", "If.cs": strings.Repeat("#if X\n{\n#else\n", 50_000),
		"Same.cs": strings.Repeat("class O { N1.O o; } ", 50_000), "Open.cs": strings.Repeat("class X<", 200_000), "Line.cs": strings.Repeat("A<B,", 200_000), "Spaces.cs": strings.Repeat("namespace a { ", 100_000),
	}
	for i := range 300 {
		var refers strings.Builder
		for k := range 300 {
			fmt.Fprintf(&refers, `<ProjectReference Include="..\p%d\p.csproj"/>`, k)
		}
		files[fmt.Sprintf("p%d/p.csproj", i)] = refers.String()
	}
	if a := graphtest.Stress(t, Provider, files); len(a.Edges["Many.cs"]) == 0 {
		t.Error("no edges")
	}
}

func FuzzBuild(f *testing.F) {
	f.Add("using A; namespace N { [X] class C<T> : D<T>, E { enum F { G } H.I<J> k() => new L { M = 1 }; } }", "<Project><ProjectReference Include=\"..\\a\\a.csproj\"/><Using Include=\"N\"/>")
	f.Fuzz(func(t *testing.T, text, project string) {
		graphtest.Edges(t, Provider, map[string]string{"a/A.cs": text, "b/B.cs": text + "class C { }", "a/a.csproj": project, "b/b.csproj": project}, "a/A.cs")
	})
}

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
