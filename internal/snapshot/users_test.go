package snapshot

import (
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// TestManyUsers checks that a definition which more files may use than are looked through for a change has its users where it is asked for.
func TestManyUsers(t *testing.T) {
	files := map[string]*scan.File{}
	meta := &graph.Meta{Nodes: map[string]graph.MetaNode{}}
	add := func(name, content string) {
		files[name] = &scan.File{File: tree.Bytes(name, []byte(content)), Encoding: text.UTF8}
	}
	add("mill.py", "def grind(): pass\n")
	for i := range MaxUserFiles + 1 {
		name := fmt.Sprintf("a%03d.py", i)
		add(name, "from mill import grind\ngrind()\n")
		meta.Nodes[name] = graph.MetaNode{Edges: []graph.Edge{{Target: "mill.py"}}}
	}
	wanted := source.WantedDefinition{Path: "mill.py", Name: "grind"}
	users := NewUsers(files, meta, nil, nil)
	if list, known := users.Of(wanted); known {
		t.Errorf("%d files are looked through for a change", len(list))
	}
	users = NewUsers(files, meta, nil, nil)
	users.All()
	if list, known := users.Of(wanted); !known || len(list) != MaxUserFiles+1 {
		t.Errorf("%d files, known %v; want all %d", len(list), known, MaxUserFiles+1)
	}
}
