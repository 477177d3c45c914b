package rust

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// TestRustc compares the files of each crate's tree of modules with those that rustc reads, in the folders of HAVERSACK_TREES.
// It is asked with all features, and for tests: what only other systems have is all that it does not read.
func TestRustc(t *testing.T) {
	trees := graphtest.Trees(t, "rustc")
	if len(trees) == 0 {
		t.Skip("set HAVERSACK_TREES to folders of Rust")
	}
	rustc, err := exec.LookPath("rustc")
	if err != nil {
		graphtest.Missing(t, "rustc: %v", err)
	}
	for _, dir := range trees {
		t.Run(filepath.Base(dir), func(t *testing.T) { compareRustc(t, rustc, dir) })
	}
}

var feature = regexp.MustCompile(`\bfeature\s*=\s*"([\w-]+)"`)

func compareRustc(t *testing.T, rustc, dir string) {
	roots, sources := graphtest.OpenReal(t, dir)
	q := graphtest.Request(Provider, roots, sources)
	b := &builder{byPath: map[string]int32{}, others: map[string]bool{}, packOf: map[string]*pack{}}
	var err error
	if b.files, _, err = names.Read(context.Background(), q, parse); err != nil {
		t.Fatal(err)
	}
	for i := range q.Files {
		b.byPath[q.Files[i].Path] = int32(i)
	}
	b.manifests(q)
	b.crates()
	ours, truth := map[string]bool{}, map[string]bool{}
	var features []string // all that any text asks for
	named := map[string]bool{}
	for _, s := range q.Files {
		content, err := graph.ReadSource(&s, roots)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range feature.FindAllSubmatch(content, -1) {
			if name := string(m[1]); !named[name] {
				named[name] = true
				features = append(features, "--cfg=feature=\""+name+"\"")
			}
		}
	}
	crates := 0
	for _, f := range b.files {
		if f == nil {
			continue
		}
		for _, n := range f.nodes {
			if n.outer != nil {
				continue
			}
			crates++
			for _, kind := range [][]string{{"--crate-type=lib"}, {"--test"}} {
				said := filepath.Join(t.TempDir(), "d")
				cmd := exec.Command(rustc, append(append([]string{"--edition=2021", "--cap-lints=allow", "--emit=dep-info=" + said, f.path}, features...), kind...)...)
				cmd.Dir = roots.Dir
				_ = cmd.Run() // crates from elsewhere are not there: which files are read is said all the same
				text, err := os.ReadFile(said)
				if err != nil {
					continue
				}
				for line := range strings.Lines(string(text)) {
					name, ok := strings.CutSuffix(strings.TrimSpace(line), ":")
					if _, known := b.byPath[filepath.ToSlash(name)]; ok && known {
						truth[f.path+"\t"+filepath.ToSlash(name)] = true
					}
				}
			}
			var walk func(m *node)
			walk = func(m *node) {
				ours[f.path+"\t"+b.files[m.file].path] = true
				for _, p := range b.files[m.file].loaded {
					if at := filepath.ToSlash(filepath.Join(b.files[m.file].dir, p)); graph.Language(at) != "" {
						if _, ok := b.byPath[at]; ok {
							ours[f.path+"\t"+at] = true
						}
					}
				}
				for _, list := range m.children {
					for _, c := range list {
						walk(c)
					}
				}
			}
			walk(n)
		}
	}
	t.Logf("%d crates", crates)
	graphtest.Compare(t, "rustc's files of crates", ours, truth, .98, .98)
}
