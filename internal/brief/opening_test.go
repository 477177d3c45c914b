package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// An opening begins with what manifests say of tests, and has lines of many files, each as its file has it.
func TestOpening(t *testing.T) {
	files := map[string]string{"Makefile": "test:\n\tgo test ./...\n", "README.md": "It counts.\n", "docs/a.md": "# A\n", "go.mod": "module count\n\ngo 1.26\n"}
	addCounts(files, 40, 30)
	got := described(files, 32_000, 0).Opening()
	if len(got) == 0 || len(got[0].Lines) == 0 || got[0].Path != "Makefile" || !slices.Equal(got[0].Lines, []string{"1 test:", "2 go test ./..."}) {
		t.Fatalf("%+v", got)
	}
	seen, defined := map[string]bool{}, 0
	for _, e := range got {
		lines := strings.Split(files[e.Path], "\n")
		for _, l := range e.Lines {
			number, said, _ := strings.Cut(l, " ")
			var n int
			fmt.Sscan(number, &n)
			if at := e.Path + ":" + number; seen[at] || said == "" || n < 1 || n > len(lines) || !strings.Contains(lines[n-1], strings.TrimSuffix(said, "…")) {
				t.Errorf("%s: %q", at, l)
			} else {
				seen[at] = true
			}
		}
		if strings.HasSuffix(e.Path, ".go") {
			defined += len(e.Lines)
		}
	}
	if defined < 500 {
		t.Errorf("%d of 1200 definitions", defined)
	}
	if again := described(files, 32_000, 0).Opening(); len(again) != len(got) {
		t.Errorf("%d and %d files", len(again), len(got))
	}
}
