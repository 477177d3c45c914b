package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/scan"
)

// A variable that a branch of a script sets is a step of what it does, but for what is named as a constant or a type is.
func TestPassing(t *testing.T) {
	lines := strings.Split("port = 1\nif x:\n    depth = 2\n    DEPTH = 3\n    Tide = int\n    def sail(): pass\nclass A:\n    depth = 4\n", "\n")
	for _, c := range []struct {
		file string
		d    graph.Definition
		want bool
	}{
		{"a.py", graph.Definition{Name: "port", Kind: "var", Line: 1}, false},
		{"a.py", graph.Definition{Name: "depth", Kind: "var", Line: 3}, true},
		{"a.py", graph.Definition{Name: "DEPTH", Kind: "var", Line: 4}, false},
		{"a.py", graph.Definition{Name: "Tide", Kind: "var", Line: 5}, false},
		{"a.py", graph.Definition{Name: "sail", Kind: "func", Line: 6}, false},
		{"a.py", graph.Definition{Name: "A.depth", Kind: "var", Line: 8}, false},
		{"a.rb", graph.Definition{Name: "depth", Kind: "var", Line: 3}, false},
		{"a.py", graph.Definition{Name: "depth", Kind: "var", Line: 30}, false},
	} {
		if got := passing(c.file, &c.d, lines); got != c.want {
			t.Errorf("%s %s: %v", c.file, c.d.Name, got)
		}
	}
}

// TestLead: who depends on a header of C depends on the file of its name that includes it; of no other, and in no other language.
func TestLead(t *testing.T) {
	var files []*scan.File
	for _, name := range []string{"include/quay.h", "src/quay.c", "src/crane.c", "quay.py", "src/quay_test.cc"} {
		f := &scan.File{}
		f.Path = name
		files = append(files, f)
	}
	edges := [][]int32{nil, {0}, {0}, {0}, {0}}
	lead(files, edges)
	if got, want := fmt.Sprint(edges), "[[1] [0] [0] [0] [0]]"; got != want {
		t.Errorf("edges %s, want %s", got, want)
	}
}
