package inclusion

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

// TestGCC compares includes with those that GCC's preprocessor takes: in published modules that hold C, or in the folders of
// HAVERSACK_TREES. What stands in a branch that it does not take is right too, unless another file of that name was taken.
func TestGCC(t *testing.T) {
	trees := graphtest.Trees(t, "GCC")
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		graphtest.Missing(t, "gcc: %v", err)
	}
	if len(trees) == 0 {
		for _, m := range []string{"github.com/gen2brain/raylib-go/raylib@v0.55.1", "github.com/DataDog/zstd@v1.5.6"} {
			cmd := exec.Command("go", "mod", "download", "-json", m)
			cmd.Dir = t.TempDir()
			out, err := cmd.Output()
			var got struct{ Dir string }
			if err != nil || json.Unmarshal(out, &got) != nil {
				graphtest.Missing(t, "go mod download %s: %v\n%s", m, err, out)
			}
			trees = append(trees, got.Dir)
		}
	}
	for _, dir := range trees {
		t.Run(filepath.Base(dir), func(t *testing.T) { compareGCC(t, gcc, dir) })
	}
}

func compareGCC(t *testing.T, gcc, dir string) {
	roots, sources := graphtest.OpenReal(t, dir)
	a := graphtest.Answer(t, provider("c"), roots, sources)
	flags := []string{"-E", "-H", "-I."}
	for _, pattern := range []string{"include", "src", "lib", "*/include", "*/src", "deps/*", "deps/*/src", "deps/*/include", "third_party/*/include"} {
		list, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, d := range list {
			if rel, err := filepath.Rel(dir, d); err == nil {
				flags = append(flags, "-I"+rel)
			}
		}
	}
	known := map[string]bool{}
	for _, s := range sources {
		known[s.Path] = true
	}
	truth, visited, named := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range sources {
		ext := filepath.Ext(s.Path)
		if ext != ".c" && ext != ".cc" && ext != ".cpp" {
			continue
		}
		cmd := exec.Command(gcc, append(flags, s.Path)...)
		cmd.Dir = roots.Dir
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		var said strings.Builder
		cmd.Stderr = &said
		_ = cmd.Run() // a header that is nowhere ends it: what it took until then counts
		stack := []string{s.Path}
		visited[s.Path] = true
		for line := range strings.Lines(said.String()) {
			dots, name, ok := strings.Cut(strings.TrimSpace(line), " ")
			if strings.HasPrefix(line, "Multiple include guards") {
				break
			}
			if !ok || strings.Trim(dots, ".") != "" || len(dots) > len(stack) {
				continue
			}
			stack = append(stack[:len(dots)], filepath.ToSlash(filepath.Clean(name)))
			from, to := stack[len(dots)-1], stack[len(dots)]
			visited[to] = true
			if known[from] && known[to] && from != to {
				truth[from+"\t"+to] = true
				named[from+"\t"+filepath.Base(to)] = true
			}
		}
	}
	ours := map[string]bool{}
	for from, edges := range a.Edges {
		for _, e := range edges {
			row := from + "\t" + e.Target
			if visited[from] && (truth[row] || named[from+"\t"+filepath.Base(e.Target)]) {
				ours[row] = true
			}
		}
	}
	t.Logf("%d files, %d edges, left out %d, undecided %d", len(sources), len(a.Edges), a.LeftOut, a.Undecided)
	graphtest.Compare(t, "GCC's includes", ours, truth, .98, .98)
}
