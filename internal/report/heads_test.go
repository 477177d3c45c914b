package report

import "testing"

func TestShortHeads(t *testing.T) {
	for _, tt := range []struct{ name, patch, want string }{
		{"edited", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"},
		{"new and gone", "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n" +
			"diff --git a/g b/g\ndeleted file mode 100644\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
			"--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n"},
		{"with another mode", "diff --git a/f b/f\nnew file mode 100755\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n",
			"diff --git a/f b/f\nnew file mode 100755\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n"},
		{"without text", "# x\ndiff --git a/f b/f\nnew file mode 100644\ndiff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n--- a\n+++ b\n",
			"# x\n\ndiff --git a/f b/f\nnew file mode 100644\n\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n--- a\n+++ b\n"},
		{"moved", "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n", "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n"},
		{"lines that seem heads", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-diff --git a/x b/x\n+diff --git a/y b/y\n",
			"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-diff --git a/x b/x\n+diff --git a/y b/y\n"},
		{"headed", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -3 +3 @@   def one(a)\n-a\n+@@ -1 +1 @@   b\n", "--- a/f\n+++ b/f\n@@ -3 +3 @@ def one(a)\n-a\n+@@ -1 +1 @@   b\n"},
		{"cut short", "diff --git a/f b/f", "diff --git a/f b/f"},
		{"none", "", ""},
	} {
		if got := shortHeads(tt.patch); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
