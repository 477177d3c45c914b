package report

import (
	"fmt"
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
		patch(diff.Renamed, "moved.go", "similarity index 90%\nrename from old.go\nrename to moved.go\n--- a/old.go\n+++ b/moved.go\n@@ -1 +1 @@\n-package d\n+package e\n"),
		patch(diff.Added, "end.go", "--- /dev/null\n+++ b/end.go\n@@ -0,0 +1 @@\n+package d\n\\ No newline at end of file\n"),
	}
	all := diff.PatchHead
	for i := range patches {
		once := snapshot.NamedOnce(patches[i])
		text := string(once.Read())
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
		"a.go":     {"package a\n# no end\ndiff --git a/x b/x", []int{1, 2, 3}},
		"b.go":     {"\npackage a\npackage b\nredacted\n\n\n\n\n\nv", []int{2, 3, 10}},
		"cut.go":   {"package c\nfunc F() {}", []int{1}},
		"moved.go": {"package e", []int{1}},
		"end.go":   {"package d", []int{1}},
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

// Where there is no room the patch is the last thing to go: before it the authors' words and the names of most files.
func TestHeadSpares(t *testing.T) {
	c := &ChangePack{Patch: "diff --git a/f0.go b/f0.go\n--- a/f0.go\n+++ b/f0.go\n@@ -1 +1 @@\n-a\n+b\n", Author: &Words{Title: strings.Repeat("word ", 100)}}
	for n := range 300 {
		c.Changes = append(c.Changes, ChangedPath{Path: fmt.Sprintf("f%d.go", n), Status: diff.Modified})
	}
	for spare, want := range []int{maxToldChanges, maxToldChanges, someTold, fewTold, fewTold} {
		head := headOf(c, nil, nil, room{tokens: 8000}, spare)
		if named := strings.Count(head, "`f"); named != want {
			t.Errorf("step %d: %d names, want %d", spare, named, want)
		}
		if patched := strings.Contains(head, "+b\n"); patched != (spare < sparePatch) {
			t.Errorf("step %d: the patch is there: %v", spare, patched)
		}
		if short := !strings.Contains(head, strings.Repeat("word ", 60)); short != (spare >= spareWords) {
			t.Errorf("step %d: the words are short: %v", spare, short)
		}
	}
}
