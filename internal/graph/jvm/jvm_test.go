package jvm

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
		"a/A.java": "package a; public class A { class In { } }", "a/B.java": "package a; class B { A.In in; }",
		"b/C.kt": "package b\nimport a.A\nimport a.go\nval c = go(A())", "a/d.kt": "package a\nfun go() = 1\nclass D\n",
	}
	if got, want := graphtest.Users(t, Provider, files, "a/A.java", "a/d.kt"), "map[a/A.java:map[A:[a/B.java b/C.kt]] a/d.kt:map[go:[b/C.kt]]]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestWorst asks for a million imports and names, types within types, and chains of what extends.
func TestWorst(t *testing.T) {
	var many, deep, chain strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "import a.b.C%d;\nimport a.b%d.*;\n", i, i)
	}
	many.WriteString("class Many { ")
	for i := range 100_000 {
		fmt.Fprintf(&many, "N%d.O.P x; ", i)
	}
	for i := range 20_000 {
		fmt.Fprintf(&deep, "class D%d extends D%d { ", i, i+1)
		fmt.Fprintf(&chain, "class N%d extends N%d { } ", i, (i+1)%20_000)
	}
	a := graphtest.Stress(t, Provider, map[string]string{
		"Many.java": many.String(), "Deep.java": deep.String(), "Chain.java": chain.String() + "class O { class P { } }",
		"Same.java": strings.Repeat("class O { N1.O o; } ", 50_000), "Open.java": strings.Repeat("class X<", 200_000), "Line.kt": strings.Repeat("fun f(", 200_000), "Dots.scala": "import " + strings.Repeat("a.", 500_000),
	})
	if len(a.Edges["Many.java"]) == 0 {
		t.Error("no edges")
	}
}

func FuzzBuild(f *testing.F) {
	f.Add("package a; import a.B; class A extends B<C> { enum E { X, Y } @F a.b.C c() { return new D() { }; } }", "package a\nimport a.{B => C, _}\nobject X : Y(), Z by w { fun <T> f() = \"${A.b}\" }")
	f.Fuzz(func(t *testing.T, one, other string) {
		graphtest.Edges(t, Provider, map[string]string{"A.java": one, "B.kt": other, "C.scala": other, "D.java": other}, "A.java", "B.kt")
	})
}

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
