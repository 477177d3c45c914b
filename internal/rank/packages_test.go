package rank

import (
	"fmt"
	"testing"
)

// TestGonePackages: what a deleted manifest names is gone, unless another one of the change names it anew, or one word does.
func TestGonePackages(t *testing.T) {
	deleted := func(name, text string) Change { return Change{Path: name, Deleted: true, Patch: []byte(text)} }
	for _, c := range []struct {
		changes []Change
		want    string
	}{
		{[]Change{deleted("packages/mill/package.json", "@@ -1,3 +0,0 @@\n-{\n-  \"name\": \"@works/mill\",\n-  \"version\": \"1.0.0\"\n-}\n")}, "[@works/mill]"},
		{[]Change{deleted("a/package.json", "-{\n-\t\"name\": \"mill\"\n-}\n")}, "[]"},
		{[]Change{deleted("a/package.json", "-{\n-  \"author\": {\n-      \"name\": \"A-B\"\n-  }\n-}\n")}, "[]"},
		{[]Change{deleted("crates/a/Cargo.toml", "-[package]\n-name = \"mill-core\"\n"), deleted("go.mod", "-module example.com/mill\n")}, "[mill-core example.com/mill]"},
		{[]Change{deleted("old/go.mod", "-module example.com/mill\n"), {Path: "new/go.mod", Patch: []byte("+module example.com/mill\n")}}, "[]"},
		{[]Change{{Path: "go.mod", Patch: []byte("-module example.com/mill\n+module example.com/mill/v2\n")}}, "[]"},
	} {
		if got := fmt.Sprint(gonePackages(c.changes)); got != c.want {
			t.Errorf("%s: %s, want %s", c.changes[0].Path, got, c.want)
		}
	}
}
