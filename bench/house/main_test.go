package main

import (
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCounts counts a file in which everything stands that is counted.
func TestCounts(t *testing.T) {
	const src = `package p

// Kept is a type.
type Kept struct{ Name, other string }

type (
	speed int
	builtTree struct{}
)

const Most = 1

func (k *Kept) Six(a, b, c int, d, e, f string) bool {
	/* a comment
	   alone */
	return a > 0 && b > 0 || c > 0
}

func run(e *Env, in *job.Inputs) {
	for range 3 {
		if e != nil {
			_ = ` + "`a\nb`" + `
		}
	}
}
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var c counts
	c.file(f, []byte(src))
	if c.lines != 18 || c.functions != 2 || c.operators != 2 || c.exported != 4 {
		t.Errorf("%d lines, %d functions, %d operators, %d exported", c.lines, c.functions, c.operators, c.exported)
	}
	for name, lists := range map[string][2][]string{
		"parameters":  {c.parameters, {"p.Kept.Six (6)"}},
		"participles": {c.participles, {"p.Kept"}},
		"environment": {c.whole, {"p.run"}},
		"inputs":      {c.asks, {"p.run"}},
		"branches":    {c.branches, nil},
	} {
		if !slices.Equal(lists[0], lists[1]) {
			t.Errorf("%s: %s, want %s", name, lists[0], lists[1])
		}
	}
}

// grammars are the types whose methods may have more than 30 branches: lexers and parsers have a case for each sign or word.
var grammars = regexp.MustCompile(`\.(lexer|parser|reader|[a-z]+Reader)\.`)

// TestBounds holds the bounds of functions for the whole product.
func TestBounds(t *testing.T) {
	packages, err := countModule("../..")
	if err != nil {
		t.Fatal(err)
	}
	var all counts
	for _, c := range packages {
		all.add(c)
	}
	if all.functions < 3000 {
		t.Fatalf("%d functions counted, want those of the product", all.functions)
	}
	if len(all.parameters) > 0 {
		t.Errorf("more than %d parameters: %s: make a value of what belongs together", mostParameters, all.parameters)
	}
	for _, f := range all.branches {
		name, _, _ := strings.Cut(f, " ")
		if !grammars.MatchString(name) {
			t.Errorf("%s: more than %d branches: give a step of it a name of its own", f, mostBranches)
		}
	}
}
