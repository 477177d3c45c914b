package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// TestHunksIn: hunks have the files whose patches stand in the patch as they are, not cut, and no line of a file ends a patch. Of their lines
// those are shown that the file holds.
func TestHunksIn(t *testing.T) {
	patch := func(status diff.Status, path, text string) snapshot.FilePatch {
		return snapshot.FilePatch{Change: diff.Change{Status: status, Path: path}, Text: []byte("diff --git a/" + path + " b/" + path + "\n" + text)}
	}
	patches := []snapshot.FilePatch{
		patch(diff.Added, "a.go", "--- /dev/null\n+++ b/a.go\n@@ -0,0 +1,3 @@\n+package a\n+# no end\n+diff --git a/x b/x\n"),
		patch(diff.Modified, "b.go", "--- a/b.go\n+++ b/b.go\n@@ -2,2 +2,3 @@\n package a\n-x\n+package b\n+y\n@@ -9 +10 @@\n-u\n+v\n"),
		patch(diff.Added, "cut.go", "--- /dev/null\n+++ b/cut.go\n@@ -0,0 +1,2 @@\n+package c\n+func F() {}\n"),
		patch(diff.Added, "end.go", "--- /dev/null\n+++ b/end.go\n@@ -0,0 +1 @@\n+package d\n\\ No newline at end of file\n"),
	}
	all := diff.PatchHead
	for i := range patches {
		text := string(patches[i].Text)
		if i == 2 {
			text = text[:len(text)-len("+func F() {}\n")] + "# Left out here: 1 of 2 changed lines.\n"
		}
		all += text
	}
	hunks := hunksIn(all+"# 3 more changes are too long to be shown here; archive.diff.tar has them:\n", patches)
	for name, c := range map[string]struct {
		text string
		want []int
	}{
		"a.go":   {"package a\n# no end\ndiff --git a/x b/x", []int{1, 2, 3}},
		"b.go":   {"\npackage a\npackage b\nredacted\n\n\n\n\n\nv", []int{2, 3, 10}},
		"cut.go": {"package c\nfunc F() {}", []int{1}},
		"end.go": {"package d", []int{1}},
	} {
		if got := linesOf(hunks[name], strings.Split(c.text, "\n")); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A move is told as git tells it, where its paths have something in common and nothing could be taken for git's own signs.
func TestMoved(t *testing.T) {
	for _, c := range [][3]string{
		{"lib/old/a.ts", "lib/new/a.ts", "`lib/{old => new}/a.ts`"},
		{"lib/a.ts", "lib/b.ts", "`lib/{a.ts => b.ts}`"},
		{"a/x.go", "b/x.go", "`{a => b}/x.go`"},
		{"a.go", "b.go", "`a.go` → `b.go`"},
		{"a/b/b/x.go", "a/b/x.go", "`a/b/{b => }/x.go`"},
		{"a/x.go", "a/b/x.go", "`a/{ => b}/x.go`"},
		{"x.go", "a/x.go", "`x.go` → `a/x.go`"},
		{"a/{b}/x.go", "a/c/x.go", "`a/{b}/x.go` → `a/c/x.go`"},
		{"a/é/x.go", "a/è/x.go", "`a/{é => è}/x.go`"},
	} {
		if got := moved(c[0], c[1]); got != c[2] {
			t.Errorf("%s to %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
