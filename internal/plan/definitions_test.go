package plan

import (
	"slices"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
)

func TestDefinitionsAreOfTheText(t *testing.T) {
	known := newDefinitions()
	for _, want := range []string{"Left", "Left", "Right", "Left"} { // a text that changed under the same name is read anew
		list, err := known.define("turn.go", []byte("package turn\n\nfunc "+want+"() {}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(list, func(d graph.Definition) bool { return d.Name == want }) {
			t.Errorf("%v has no %s", list, want)
		}
	}
}
