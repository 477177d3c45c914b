package golang

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

// TestInstalled finds files of required modules in a module cache and in a GOPATH, and the meta that
// comes of it can be read and selected from.
func TestInstalled(t *testing.T) {
	roots, sources := graphtest.New(t, map[string]string{
		"go.mod": `module example.org/me

go 1.22

require (
	example.org/lib v1.2.0
	example.org/lib/deep v0.9.0
	github.com/Upper/Case/v2 v2.0.0 // indirect
	example.org/old v1.0.0
	example.org/gone v1.0.0
	example.org/folder v1.0.0
)

replace example.org/old => example.org/fork v1.1.0

replace example.org/folder => ./folder
`,
		"a.go": `package me

import (
	"fmt"

	"example.org/folder"
	"example.org/gone"
	"example.org/lib"
	"example.org/lib/deep/x"
	"example.org/lib/sub"
	"example.org/never"
	_ "example.org/old"
	"github.com/Upper/Case/v2"
)

type T = lib.T

var _ = fmt.Sprint(lib.F(), x.X, sub.Gone, upper.U, gone.G, never.N, folder.F)
`,
		"b.go":             "package me\n\nvar _ T\n",
		"folder/go.mod":    "module example.org/folder\n",
		"folder/folder.go": "package folder\n\nconst F = 1\n",
	})
	at := graphtest.Declare(t, &roots, graphtest.Folder(t, map[string]string{
		"example.org/lib@v1.2.0/f.go":          "package lib\n\nimport \"example.org/other\"\n\nfunc F() int { return other.X }\n",
		"example.org/lib@v1.2.0/t.go":          "package lib\n\ntype T struct{}\n",
		"example.org/lib@v1.2.0/t_test.go":     "package lib\n\ntype T struct{}\n",
		"example.org/lib@v1.2.0/broken.go":     "package lib\n\nfunc (",
		"example.org/lib@v1.2.0/sub/sub.go":    "package sub\n\nconst S = 1\n",
		"example.org/lib@v1.1.0/f.go":          "package lib\n\nfunc F() {}\n",
		"example.org/lib/deep@v0.9.0/x/x.go":   "package x\n\nconst X = 1\n",
		"example.org/fork@v1.1.0/fork.go":      "package old\n",
		"example.org/old@v1.0.0/old.go":        "package old\n",
		"example.org/never@v1.0.0/n.go":        "package never\n\nconst N = 1\n",
		"example.org/folder@v1.0.0/f.go":       "package folder\n\nconst F = 1\n",
		"internal/example.org/lib@v1.2.0/f.go": "package lib\n",
	}))
	path := graphtest.Declare(t, &roots, graphtest.Folder(t, map[string]string{"pkg/mod/github.com/!upper/!case/v2@v2.0.0/u.go": "package upper\n\nconst U = 1\n"}))
	a := graphtest.Answer(t, Provider, roots, sources)
	if d := cmp.Diff(`a.go -> <cache>/example.org/fork@v1.1.0/fork.go runtime external
a.go -> <cache>/example.org/lib/deep@v0.9.0/x/x.go runtime external
a.go -> <cache>/example.org/lib@v1.2.0/f.go runtime external
a.go -> <cache>/example.org/lib@v1.2.0/t.go runtime external
a.go -> <gopath>/pkg/mod/github.com/!upper/!case/v2@v2.0.0/u.go runtime external
a.go -> folder/folder.go runtime
a.go -> go:fmt runtime builtin
b.go -> a.go runtime implicit
left out 2
`, strings.NewReplacer(at, "<cache>", path, "<gopath>").Replace(graphtest.Lines(a))); d != "" {
		t.Error(d)
	}
	meta, got := graphtest.External(t, roots, sources, a)
	if d := cmp.Diff([]string{
		".stan/context/go/example.org/fork/v1.1.0/fork.go",
		".stan/context/go/example.org/lib/deep/v0.9.0/x/x.go",
		".stan/context/go/example.org/lib/v1.2.0/f.go",
		".stan/context/go/example.org/lib/v1.2.0/t.go",
		".stan/context/go/github.com/Upper/Case/v2/v2.0.0/u.go",
	}, got); d != "" {
		t.Error(d)
	}
	one := graph.State{Include: []graph.Entry{{ID: "a.go", Depth: 1, Uses: graph.Runtime}}}
	if s := graph.Select(meta, graph.Wish{State: one}); len(s.IDs) < len(got) || !slices.Equal(s.IDs[:len(got)], got) {
		t.Errorf("selected %q", s.IDs)
	}
}

// TestInstalledWorkspace takes the version that the modules of a workspace are built with.
func TestInstalledWorkspace(t *testing.T) {
	roots, sources := graphtest.New(t, map[string]string{
		"go.work":  "go 1.22\n\nuse (\n\t./a\n\t./b\n)\n",
		"a/go.mod": "module a.org/a\n\nrequire example.org/lib v1.9.0\n",
		"a/a.go":   "package a\n\nimport \"example.org/lib\"\n\nvar _ = lib.F\n",
		"b/go.mod": "module a.org/b\n\nrequire example.org/lib v1.10.0\n",
	})
	at := graphtest.Declare(t, &roots, graphtest.Folder(t, map[string]string{
		"example.org/lib@v1.9.0/f.go":  "package lib\n\nfunc F() {}\n",
		"example.org/lib@v1.10.0/f.go": "package lib\n\nfunc F() {}\n",
	}))
	a := graphtest.Answer(t, Provider, roots, sources)
	want := []graph.Edge{{Target: at + "/example.org/lib@v1.10.0/f.go", Uses: graph.Runtime, Resolution: graph.Explicit}}
	if d := cmp.Diff(want, a.Edges["a/a.go"]); d != "" {
		t.Error(d)
	}
}
