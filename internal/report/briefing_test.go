package report

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// TestAddedIn: of new files those have a text that stand in the patch as they are, not cut, and no line of a file ends a patch.
func TestAddedIn(t *testing.T) {
	patch := func(status diff.Status, path, text string) snapshot.FilePatch {
		return snapshot.FilePatch{Change: diff.Change{Status: status, Path: path}, Text: []byte("diff --git a/" + path + " b/" + path + "\n" + text)}
	}
	patches := []snapshot.FilePatch{
		patch(diff.Added, "a.go", "--- /dev/null\n+++ b/a.go\n@@ -0,0 +1,3 @@\n+package a\n+# no end\n+diff --git a/x b/x\n"),
		patch(diff.Modified, "b.go", "--- a/b.go\n+++ b/b.go\n@@ -1 +1 @@\n-package a\n+package b\n"),
		patch(diff.Added, "cut.go", "--- /dev/null\n+++ b/cut.go\n@@ -0,0 +1,2 @@\n+package c\n+func F() {}\n"),
		patch(diff.Added, "end.go", "--- /dev/null\n+++ b/end.go\n@@ -0,0 +1 @@\n+package d\n\\ No newline at end of file\n"),
	}
	all := diff.PatchHead
	for i := range patches {
		text := string(patches[i].Text)
		if i == 2 {
			text = text[:len(text)-len("+func F() {}\n")] + "# Left out of cut.go: 1 of 2 changed lines.\n"
		}
		all += text
	}
	got := addedIn(all+"# 3 more changes are too long to be shown here; archive.diff.tar has them:\n", patches)
	want := map[string]string{"a.go": "package a\n# no end\ndiff --git a/x b/x", "end.go": "package d"}
	if len(got) != len(want) {
		t.Errorf("%q", got)
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %q, want %q", name, got[name], text)
		}
	}
}
