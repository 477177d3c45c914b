package plan

import "testing"

// A file is named by its path or its last name, alone.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		said, file string
		want       bool
	}{
		{"see `build.gradle`.", "build.gradle", true},
		{"see src/a/build.gradle", "b/build.gradle", true},
		{"rebuild.gradle", "build.gradle", false},
		{"build.gradle.kts is new", "build.gradle", true},
		{"my-build.gradle then build.gradle", "build.gradle", true},
		{"go to a.c", "a.c", false},
		{"größe.go", "e.go", false},
		{"", "build.gradle", false},
	} {
		if got := names(c.said, c.file); got != c.want {
			t.Errorf("%q names %s: %t", c.said, c.file, got)
		}
	}
}
