package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// listed are files by path, and what adds one.
func listed() (files map[string]*scan.File, add func(name, content string)) {
	files = map[string]*scan.File{}
	return files, func(name, content string) {
		files[name] = &scan.File{File: tree.Bytes(name, []byte(content)), Encoding: text.UTF8}
	}
}

// TestManyUsers checks that a definition which more files may use than are looked through for a change has its users where it is asked for.
func TestManyUsers(t *testing.T) {
	files, add := listed()
	meta := &graph.Meta{Nodes: map[string]graph.MetaNode{}}
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

// TestNamelessHeirs: what is written for any type, or for one without a name of its own, is no type that others extend.
func TestNamelessHeirs(t *testing.T) {
	files, add := listed()
	meta := &graph.Meta{Nodes: map[string]graph.MetaNode{}}
	add("src/tide.rs", "pub trait Tide {\n    fn turn(&self) {}\n}\n")
	add("src/coast.rs", "use crate::tide::Tide;\nimpl Tide for () {}\nimpl Tide for [u8] {}\nimpl Tide for ! {}\nimpl<T: Clone, U> Tide for T {}\nimpl<'a, U> Tide for &'a U {}\nimpl Tide for Bay {}\nimpl Tide for {}\nfn go(b: Bay) { b.turn() }\n")
	meta.Nodes["src/coast.rs"] = graph.MetaNode{Edges: []graph.Edge{{Target: "src/tide.rs"}}}
	users := NewUsers(files, meta, nil, nil)
	wanted := source.WantedDefinition{Path: "src/tide.rs", Name: "Tide.turn"}
	for _, h := range users.Heirs(wanted, users.split) {
		switch h.Name {
		case ".turn", "T.turn", "U.turn":
			t.Errorf("%q is an heir", h.Name)
		}
	}
	list, known := users.Of(wanted)
	if !known || len(list) != 1 || len(list[0].Uses) != 2 || !list[0].Uses[1].Sure {
		t.Errorf("%+v, known %v", list, known)
	}
}

func TestHeaded(t *testing.T) {
	far := strings.Repeat("x ", maxHead)
	for _, c := range []struct {
		content, name string
		want          bool
	}{
		{"class Sloop extends Ship {}", "Ship", true},
		{"class Sloop extends Shipyard {}", "Ship", false},
		{"Ship class", "Ship", false},
		{"class " + far + "Ship", "Ship", false},
		{"Ship Ship " + far + "Ship; interface A extends Ship", "Ship", true},
		{"Ship inter" + "Ship face Ship", "Ship", false},
		{"impl Tide for {}", "", false},
		{"", "Ship", false},
	} {
		if got := headed([]byte(c.content), []byte(c.name)); got != c.want {
			t.Errorf("%.40q, %q: %v", c.content, c.name, got)
		}
	}
}

// TestSplitTexts: what is kept is bounded by what it takes, and a large text is kept alone.
func TestSplitTexts(t *testing.T) {
	var k splitTexts
	m := new(source.Mentions)
	for i := range 10 {
		k.keep(fmt.Sprint(i), m, maxSplit/4)
	}
	if len(k.of) != 4 || k.bytes > maxSplit || k.of["9"] == nil {
		t.Errorf("%d are kept, of %d bytes", len(k.of), k.bytes)
	}
	if k.keep("large", m, 2*maxSplit); len(k.of) != 1 || k.of["large"] == nil {
		t.Errorf("%d are kept beside a large one", len(k.of)-1)
	}
}
