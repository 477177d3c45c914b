package python

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

// published installs the distributions whose sources are compared.
func published(t *testing.T, python string) (trees []string) {
	t.Helper()
	for _, d := range []string{"scrapy==2.11.2", "rich==13.9.4"} {
		dir := filepath.Join(t.TempDir(), strings.ReplaceAll(d, "==", "-"))
		cmd := exec.Command(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", dir, d)
		if out, err := cmd.CombinedOutput(); err != nil {
			graphtest.Missing(t, "pip install %s: %v\n%s", d, err, out)
		}
		trees = append(trees, dir)
	}
	return trees
}

// TestPeers compares what imports lead to with what CPython's parser, its readers of manifests and its path
// finder say: in the sources of published packages, or in the folders of
// HAVERSACK_TREES.
func TestPeers(t *testing.T) {
	trees := graphtest.Trees(t, "CPython (needs python3 and pip)")
	python, err := exec.LookPath("python3")
	if err != nil {
		graphtest.Missing(t, "python3: %v", err)
	}
	if len(trees) == 0 {
		trees = published(t, python)
	}
	for _, dir := range trees {
		t.Run(filepath.Base(dir), func(t *testing.T) { comparePeer(t, python, dir) })
	}
}

func comparePeer(t *testing.T, python, dir string) {
	roots, sources := graphtest.OpenReal(t, dir)
	q := graphtest.Request(Provider, roots, sources)
	began := time.Now()
	b, err := load(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	out, err := b.connectAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a, err := b.answer(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	var size int64
	var in bytes.Buffer
	for i := range q.Files {
		size += q.Files[i].Size
		if b.files[i] == nil {
			continue
		}
		in.WriteString(q.Files[i].Path + "\n")
	}
	t.Logf("%d files, %d bytes in %v; left out %d, unresolved %d, warnings %d", len(q.Files), size, took, a.LeftOut, len(a.Unresolved), len(a.Warnings))
	cmd := exec.Command(python, "testdata/oracle.py", roots.Dir)
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	truth, broken := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "!\t"); ok {
			name, _, _ := strings.Cut(rest, "\t")
			broken[name] = true
			continue
		}
		if name, _, _ := strings.Cut(line, "\t"); !strings.HasSuffix(name, ".pyi") {
			truth[line] = true
		}
	}
	ours := map[string]bool{}
	for from, edges := range a.Edges {
		if broken[from] || strings.HasSuffix(from, ".pyi") { // CPython reads no stubs
			continue
		}
		for _, e := range edges {
			if _, ok := a.Nodes[e.Target]; !ok && e.Resolution == graph.Explicit {
				ours[from+"\t"+e.Target+"\t"+e.Uses.String()] = true
			}
		}
	}
	t.Logf("%d files that CPython does not parse", len(broken))
	graphtest.Compare(t, "CPython's edges", ours, truth, .99, .99)
}

// TestGrimp compares the modules that import each other with what grimp finds:
// in published packages, or in the packages of HAVERSACK_TREES (folders whose
// subfolders are packages).
func TestGrimp(t *testing.T) {
	trees := graphtest.Trees(t, "grimp (needs python3 and pip)")
	base, err := exec.LookPath("python3")
	if err != nil {
		graphtest.Missing(t, "python3: %v", err)
	}
	venv := filepath.Join(t.TempDir(), "venv")
	python := filepath.Join(venv, "bin", "python")
	for _, args := range [][]string{{base, "-m", "venv", venv}, {python, "-m", "pip", "install", "--quiet", "grimp==3.13"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			graphtest.Missing(t, "%v: %v\n%s", args, err, out)
		}
	}
	if len(trees) == 0 {
		trees = published(t, python)
	}
	for _, dir := range trees {
		roots, sources := graphtest.OpenReal(t, dir)
		inits, err := filepath.Glob(filepath.Join(roots.Dir, "*", "__init__.py"))
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"testdata/grimp_pairs.py", roots.Dir}
		var packages []string
		for _, i := range inits {
			packages = append(packages, filepath.Base(filepath.Dir(i)))
		}
		cmd := exec.Command(python, append(args, packages...)...)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		truth := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			truth[strings.TrimSpace(line)] = true
		}
		a := graphtest.Answer(t, Provider, roots, sources)
		ours := map[string]bool{}
		for from, edges := range a.Edges {
			for _, e := range edges {
				first, _, _ := strings.Cut(from, "/")
				in := false
				for _, p := range packages {
					in = in || p == first
				}
				if _, ok := a.Nodes[e.Target]; !ok && in && e.Resolution == graph.Explicit && e.Uses != graph.Dynamic && strings.HasPrefix(e.Target, first+"/") && strings.HasSuffix(from, ".py") {
					ours[from+"\t"+e.Target] = true
				}
			}
		}
		graphtest.Compare(t, filepath.Base(dir)+": grimp's pairs", ours, truth, .99, .99)
	}
}
