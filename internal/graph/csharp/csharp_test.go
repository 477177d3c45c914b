package csharp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
	"github.com/haversack-dev/haversack/internal/tree"
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

// TestGatherBounded lets one file of settings speak for many projects: what it says is counted each time, and an end comes.
func TestGatherBounded(t *testing.T) {
	shared := &manifest{path: "Directory.Build.props", imports: make([]string, 400), properties: make([]property, 100)}
	files := map[string]*manifest{shared.path: shared}
	left, asked := 2_000, 0
	for ; asked < 100; asked++ {
		if g := gather(&manifest{path: fmt.Sprintf("p%d/p.csproj", asked)}, files, &graph.Request{}, &left); len(g.list) == 0 {
			break
		}
	}
	if asked != 5 {
		t.Errorf("%d projects asked, not 5", asked)
	}
}

// TestPatternsBounded compares files with patterns that try each of their letters again.
func TestPatternsBounded(t *testing.T) {
	p := &project{takes: map[string]bool{}}
	for range maxLinks {
		p.links = append(p.links, "a/"+strings.Repeat("*a", 400)+"b.cs")
	}
	p.links = append(p.links, "b/*.cs")
	file := func(name string) graph.SourceFile {
		return graph.SourceFile{File: tree.File{Path: name}}
	}
	files, looks := []graph.SourceFile{file("b/A.cs")}, 1_000_000
	for i := range 100 {
		files = append(files, file(fmt.Sprintf("a/%s%d.cs", strings.Repeat("a", 100), i)))
	}
	p.take(files, &looks)
	if looks > 0 || len(p.takes) > 0 {
		t.Errorf("%d looks are left, %v", looks, p.takes)
	}
	p.links, looks = p.links[maxLinks:], 1_000
	if p.take(files, &looks); !p.takes["b/A.cs"] || looks < 800 {
		t.Errorf("%d looks are left, %v", looks, p.takes)
	}
}

func FuzzBuild(f *testing.F) {
	f.Add("using A; namespace N { [X] class C<T> : D<T>, E { enum F { G } H.I<J> k() => new L { M = 1 }; } }", "<Project><ProjectReference Include=\"..\\a\\a.csproj\"/><Using Include=\"N\"/>")
	f.Fuzz(func(t *testing.T, text, project string) {
		graphtest.Edges(t, Provider, map[string]string{"a/A.cs": text, "b/B.cs": text + "class C { }", "a/a.csproj": project, "b/b.csproj": project}, "a/A.cs")
	})
}

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
