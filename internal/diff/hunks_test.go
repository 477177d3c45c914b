package diff

import (
	"bytes"
	"strings"
	"testing"
)

const twoHunks = `diff --git a/x.go b/x.go
--- a/x.go
+++ b/x.go
@@ -1,3 +1,3 @@
 package x
-import "a"
+import "b"
 
@@ -10,4 +10,5 @@ func F() {
 	one
-	old 1
-	old 2
+	new 1
+	new 2
+	new 3
 }
\ No newline at end of file
# The hunks above are larger than they need be.
`

// TestHunks: the parts of a patch put together are the patch.
func TestHunks(t *testing.T) {
	for _, patch := range []string{twoHunks, "", "# Content not shown: binary\n",
		"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n",
		"diff --git a/n b/n\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n",
		"--- a\n+++ b\n@@ -1,9 +1,9 @@ cut\n-a\n"} {
		head, list, tail := Hunks([]byte(patch))
		if strings.HasSuffix(patch, "cut\n-a\n") { // the head of a cut hunk is said anew
			if len(list) != 1 || string(list[0].Text()) != "@@ -1 +1,0 @@ cut\n-a\n" && string(list[0].Text()) != "@@ -1 +0,0 @@ cut\n-a\n" {
				t.Errorf("%q", list[0].Text())
			}
			continue
		}
		var b bytes.Buffer
		b.Write(head)
		for i := range list {
			b.Write(list[i].Text())
		}
		b.Write(tail)
		if b.String() != patch {
			t.Errorf("%q is\n%q", patch, b.String())
		}
	}
}

// TestCutHunk: what is taken away stands with what comes for it, and the head says what is there.
func TestCutHunk(t *testing.T) {
	_, list, _ := Hunks([]byte(twoHunks))
	h := list[1]
	for n, want := range map[int]string{
		0: "@@ -9,0 +9,0 @@ func F() {\n",
		1: "@@ -10,2 +10 @@ func F() {\n \tone\n-\told 1\n",
		2: "@@ -10,2 +10,2 @@ func F() {\n \tone\n-\told 1\n+\tnew 1\n",
		4: "@@ -10,3 +10,3 @@ func F() {\n \tone\n-\told 1\n-\told 2\n+\tnew 1\n+\tnew 2\n",
		5: "@@ -10,4 +10,5 @@ func F() {\n \tone\n-\told 1\n-\told 2\n+\tnew 1\n+\tnew 2\n+\tnew 3\n }\n\\ No newline at end of file\n",
	} {
		cut := h.First(n)
		if n == 5 {
			cut = h.First(6) // what stands behind the last changed line comes where there is room for more
		}
		if got := string(cut.Text()); got != want {
			t.Errorf("first %d: %q, want %q", n, got, want)
		}
	}
	near := list[0].Close(0)
	if got, want := string(near.Text()), "@@ -2 +2 @@\n-import \"a\"\n+import \"b\"\n"; got != want {
		t.Errorf("close by 0: %q", got)
	}
	near = h.Close(1)
	if got := string(near.Text()); got != string(h.Text()) {
		t.Errorf("close by 1: %q", got)
	}
	rest := h.From(3)
	if got, want := string(rest.Text()), "@@ -13 +11,4 @@ func F() {\n+\tnew 1\n"; !strings.HasPrefix(got, want) {
		t.Errorf("from 3: %q", got)
	}
}
