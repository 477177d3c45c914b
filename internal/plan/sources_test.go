package plan

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

func TestSayOnce(t *testing.T) {
	for _, c := range []struct{ why, want string }{
		{"", ""},
		{"changed|changed", "changed"},
		{"imports src/a.go|uses F, G of src/a.go|named like src/a.go: a", "uses F, G of src/a.go"},
		{"uses F, which the change touches (src/a.go:3)|holds 2 words of the change: f, g|uses F of src/a.go", "uses F, which the change touches (src/a.go:3)|holds 2 words of the change: f, g"},
		{"imported by b.go|holds 1 word of the change: f|tests a.go", "imported by b.go|holds 1 word of the change: f|tests a.go"},
		{"imports a.go|imports a.go, which the change deletes", "imports a.go, which the change deletes"},
		{"a test|holds 1 word of the change: f|a test, as a_test.go is|says f", "a test, as a_test.go is|holds 1 word of the change: f|says f"},
		{"a test, beside a.go|a test|says f", "a test, beside a.go|says f"},
	} {
		if got := strings.Join(sayOnce(strings.Split(c.why, "|")), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
	}
}

// TestReadingOrder: what is defined anew is read before what uses it, then tests, then prose and data.
func TestReadingOrder(t *testing.T) {
	var list []snapshot.FilePatch
	for _, name := range []string{"README.md", "a/use.go", "a/use_test.go", "b/defines.go", "c/new.go", "testdata/x.json"} {
		p := patchOf(name, "package x\n\nfunc F() {\n\told()\n}\n", "package x\n\nfunc F(new int) {\n\tnew()\n}\n")
		if name == "b/defines.go" {
			p.Begins = []int{3}
		}
		if name == "c/new.go" {
			p.Change.Status = diff.Added
		}
		list = append(list, p)
	}
	var got []string
	for _, i := range readingOrder(list) {
		got = append(got, list[i].Change.Path)
	}
	want := []string{"b/defines.go", "c/new.go", "a/use.go", "a/use_test.go", "README.md", "testdata/x.json"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	changed := []string{"testdata/x.json", "a/use.go", "b/defines.go", "a/use.go"}
	if got := readFirst(changed, list); !slices.Equal(got, []string{"b/defines.go", "a/use.go", "testdata/x.json"}) {
		t.Errorf("changed files are read in the order %v", got)
	}
}

// TestReasonsOf: what ties a file to the change stands before the words that both hold, and where nothing does the file beside it.
func TestReasonsOf(t *testing.T) {
	text := func(path, content string) tree.File { return tree.Bytes(path, []byte(content)) }
	order, err := rank.Files(context.Background(), rank.Input{
		Files: []tree.File{
			text("src/text.go", "package src\n\nfunc resolve(target string) {}\n"),
			text("src/run.go", "package src\n\n// quickly\n"),
			text("docs/speed.md", "Quickly.\n"),
			text("lib/use.go", "package lib\n\n// resolve target, resolve target\n"),
		},
		Edges:   map[string][]string{"lib/use.go": {"src/text.go"}},
		Changes: []rank.Change{{Path: "src/text.go", Patch: []byte("@@ -3 +3 @@\n-func find() {}\n+func resolve(target string) { quickly() }\n")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := &Ranking{Order: order}
	for name, want := range map[string]string{
		"lib/use.go":    "uses resolve of src/text.go|says resolve, target",
		"src/run.go":    "next to src/text.go|says quickly",
		"docs/speed.md": "holds 1 word of the change: quickly",
	} {
		if got := strings.Join(sayOnce(r.reasonsOf(name, map[string]string{"src": "src/text.go"})), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
