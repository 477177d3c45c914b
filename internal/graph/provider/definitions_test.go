package provider

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tree"
)

func TestDefinitionsAreOfTheText(t *testing.T) {
	known := NewDefinitions()
	for _, want := range []string{"Left", "Left", "Right", "Left"} { // a text that changed under the same name is read anew
		list, err := known.Define("turn.go", []byte("package turn\n\nfunc "+want+"() {}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(list, func(d graph.Definition) bool { return d.Name == want }) {
			t.Errorf("%v has no %s", list, want)
		}
	}
}

// Lines of settings are asked for once of a text, also where it has none, and again of another text of the name.
func TestDefinitionsSettings(t *testing.T) {
	known := NewDefinitions()
	asked := 0
	for i, content := range []string{"package a\n\nfunc A() {}\n", "package a\n\nfunc A() {}\n", "package a\n\nvar b = 1\n", "package a\n\nvar b = 1\n"} {
		if _, err := known.Define("a.go", []byte(content)); err != nil {
			t.Fatal(err)
		}
		var want []int
		if i > 1 {
			want = []int{3, 7}
		}
		got := known.Settings("a.go", []byte(content), func() []int { asked++; return slices.Clone(want) })
		if !slices.Equal(got, want) || asked != 1+i/2 {
			t.Errorf("call %d: %v, asked %d times", i, got, asked)
		}
		for j := range got {
			got[j] = 0
		}
	}
	if n := len(known.of["a.go"].list)*int(unsafe.Sizeof(graph.Definition{})) + 2*int(unsafe.Sizeof(0)); known.held < n {
		t.Errorf("%d bytes are held, and counted %d", n, known.held)
	}
}

func TestDefinitionsAreTheCallersOwn(t *testing.T) {
	known := NewDefinitions()
	content := []byte("package ferry\n\n// Board takes one on.\nfunc Board() {}\n\ntype Deck struct{}\n")
	want, err := Define("ferry.go", content)
	if err != nil || len(want) != 2 {
		t.Fatal(want, err)
	}
	for range 3 {
		list, err := known.Define("ferry.go", content)
		if err != nil || !reflect.DeepEqual(list, want) {
			t.Fatalf("%v, %v: not %v", list, err, want)
		}
		slices.Reverse(list)
		list[0].Name = "Mast"
	}
}

func TestDefinitionsStayBounded(t *testing.T) {
	known := NewDefinitions()
	var b bytes.Buffer
	b.WriteString("package long\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "func %s%d() {}\n", strings.Repeat("Knot", 50), i)
	}
	for i := range 20 {
		list, err := known.Define(fmt.Sprintf("rope%d.go", i), b.Bytes())
		if err != nil || len(list) != 2000 {
			t.Fatal(len(list), err)
		}
	}
	if known.held > maxHeldDefinitions || len(known.of) == 0 || len(known.of) == 20 {
		t.Errorf("%d bytes of %d texts are held", known.held, len(known.of))
	}
}

// What the graph's provider finds on its way is what is told of the same text, which is not read again, and of no other.
func TestDefinitionsTaken(t *testing.T) {
	known := NewDefinitions()
	content := []byte("/** Boards one. */\nexport function board() {}\nexport class Deck { open() {} }\n")
	want, err := Define("ferry.ts", content)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), graph.Roots{}, []graph.SourceFile{{File: tree.Bytes("ferry.ts", content)}}, Options{Definitions: known}); err != nil {
		t.Fatal(err)
	}
	if _, ok := known.of["ferry.ts"]; !ok {
		t.Fatal("nothing was taken")
	}
	if list, err := known.Define("ferry.ts", content); err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("%v, %v: not %v", list, err, want)
	}
	if list, err := known.Define("ferry.ts", []byte("export const mast = 1\n")); err != nil || len(list) != 1 || list[0].Name != "mast" {
		t.Errorf("%v, %v of another text", list, err)
	}
}
