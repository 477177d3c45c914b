package brief

import (
	"slices"
	"testing"

	"github.com/haversack-dev/haversack/internal/rank"
)

// Where a change touches a resource, what says the versions of the folder's providers is needed; a change of outputs asks for none.
func TestPinned(t *testing.T) {
	text := "resource \"aws_quay\" \"this\" {\n  name = var.name\n}\n\noutput \"quay\" {\n  value = aws_quay.this\n}\n"
	for _, test := range []struct {
		name  string
		lines []int
		want  bool
	}{
		{"port/main.tf", []int{2}, true},
		{"port/main.tf", []int{6}, false},
		{"port/main.tf", nil, false},
		{"port/main.hcl", []int{2}, false},
	} {
		changed := []Source{{Path: test.name, Text: text, Changed: true, Touched: test.lines,
			Definitions: define(t, "main.tf", text)}}
		if got := resourceFolders(changed)["port"]; got != test.want {
			t.Errorf("%s, lines %v: %v", test.name, test.lines, got)
		}
	}
	for name, want := range map[string]bool{"aws_quay.this": true, "data.aws_region.here": true, "var.name": false, "output.quay": false, "module.quay": false, "": false} {
		if got := isResource(name); got != want {
			t.Errorf("%q is a resource: %v", name, got)
		}
	}
	list := []rank.Passage{{Text: []byte("locals {\n  a = 1\n}\n")}, {Text: []byte("terraform {\n  required_providers {\n  }\n}\n")}}
	folders := map[string]bool{"port": true}
	versions := &Source{Path: "port/versions.tf", Needs: []int64{1, 1}}
	pinned := versions.pinning(list, folders)
	if raisePinned([]*Source{versions}, [][]bool{pinned}); !slices.Equal(versions.Needs, []int64{1, 1 + ofPinned}) {
		t.Errorf("needs %v", versions.Needs)
	}
	if got := (&Source{Path: "sea/versions.tf"}).pinning(list, folders); got != nil {
		t.Errorf("another folder pins %v", got)
	}
}
