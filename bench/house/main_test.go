package main

import (
	"go/parser"
	"go/token"
	"slices"
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
