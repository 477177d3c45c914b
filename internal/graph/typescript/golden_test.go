package typescript

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

func build(t testing.TB, roots graph.Roots, sources []graph.SourceFile) *Result {
	t.Helper()
	r, err := Build(t.Context(), roots, sources, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// compare checks got against want, both sets of lines. The permitted
// differences are the rows of a file: "+ line # reason" for one that only got
// has, "- line # reason" for one that only want has. A row that is not needed
// fails the test.
func compare(t *testing.T, permitted string, got, want []string) {
	t.Helper()
	b, err := os.ReadFile(permitted)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]bool{}
	for row := range strings.Lines(string(b)) {
		row = strings.TrimSpace(row)
		if row == "" || row[0] == '#' {
			continue
		}
		line, reason, ok := strings.Cut(row, " # ")
		if !ok || strings.TrimSpace(reason) == "" {
			t.Errorf("%s: %q gives no reason", permitted, row)
		}
		allowed[strings.TrimSpace(line)] = true
	}
	in := func(list []string) map[string]bool {
		m := map[string]bool{}
		for _, l := range list {
			m[l] = true
		}
		return m
	}
	differs := func(sign string, a []string, b map[string]bool) {
		for _, l := range a {
			if b[l] {
				continue
			}
			if row := sign + " " + l; allowed[row] {
				delete(allowed, row)
			} else {
				t.Error(row)
			}
		}
	}
	sort.Strings(got)
	sort.Strings(want)
	differs("+", slices.Compact(got), in(want))
	differs("-", slices.Compact(want), in(got))
	for row := range allowed {
		t.Errorf("%s: not needed: %s", permitted, row)
	}
}

// metaLines prints the files of a meta and the edges between them.
func metaLines(m *graph.Meta) []string {
	var lines []string
	for id, n := range m.Nodes {
		if !n.Kind.File() {
			continue
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("node %s %s %d %s", id, n.Kind, n.Size, n.Description)))
		for _, e := range n.Edges {
			if m.Nodes[e.Target].Kind.File() {
				lines = append(lines, fmt.Sprintf("edge %s -> %s %s %s", id, e.Target, e.Uses, e.Resolution))
			}
		}
	}
	return lines
}

// rawGraph is a graph as the reference writes it.
type rawGraph struct {
	Graph struct {
		Nodes map[string]struct {
			Kind        string
			Description string
			Metadata    struct {
				Size int64
				Hash string
			}
		}
		Edges map[string][]struct{ Target, Kind, Resolution string }
	}
}

func (g rawGraph) lines() []string {
	var lines []string
	for id, n := range g.Graph.Nodes {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("node %s %s %d %s", id, n.Kind, n.Metadata.Size, n.Description)))
	}
	for id, edges := range g.Graph.Edges {
		for _, e := range edges {
			lines = append(lines, fmt.Sprintf("edge %s -> %s %s %s", id, e.Target, e.Kind, e.Resolution))
		}
	}
	return lines
}

func graphLines(g *graph.Graph) []string {
	var lines []string
	for id, n := range g.Nodes {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("node %s %s %d %s", id, n.Kind, n.Size, n.Description)))
	}
	for id, edges := range g.Edges {
		for _, e := range edges {
			lines = append(lines, fmt.Sprintf("edge %s -> %s %s %s", id, e.Target, e.Uses, e.Resolution))
		}
	}
	return lines
}

func TestFixture(t *testing.T) {
	const dir = "testdata/golden/fixture/"
	var files map[string]string
	readJSON(t, dir+"files.json", &files)
	roots, sources := graphtest.New(t, files, "ignored", "/.stan/context")
	r := build(t, roots, sources)
	t.Run("raw", func(t *testing.T) {
		var want rawGraph
		readJSON(t, dir+"raw.typefix.json", &want)
		compare(t, dir+"permitted-raw.txt", graphLines(r.Graph), want.lines())
	})
	c := graph.Canonicalize(r.Graph, roots, ".stan")
	// A manifest below a package's own only says how its files are to be read.
	if len(c.Warnings)+len(c.Collisions) > 0 {
		t.Errorf("warnings %v, collisions %v", c.Warnings, c.Collisions)
	}
	t.Run("meta", func(t *testing.T) {
		b, err := os.ReadFile(dir + "meta.typefix.json")
		if err != nil {
			t.Fatal(err)
		}
		want, err := graph.ParseMeta(b)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, dir+"permitted-meta.txt", metaLines(c.Meta), metaLines(want))
	})
	t.Run("map", func(t *testing.T) {
		b, err := os.ReadFile(dir + "map.json")
		if err != nil {
			t.Fatal(err)
		}
		want, err := graph.ParseMap(b)
		if err != nil {
			t.Fatal(err)
		}
		lines := func(m *graph.Map) (lines []string) {
			for id, n := range m.Nodes {
				lines = append(lines, fmt.Sprint(id, " ", n.Locator, " ", n.Size, " ", n.SHA256))
			}
			return lines
		}
		compare(t, dir+"permitted-map.txt", lines(c.Map("${ROOT}")), lines(want))
	})
}

func TestSyntax(t *testing.T) {
	const dir = "testdata/golden/syntax/"
	var files map[string]string
	readJSON(t, dir+"files.json", &files)
	roots, sources := graphtest.New(t, files)
	r := build(t, roots, sources)
	var want rawGraph
	readJSON(t, dir+"raw.typefix.json", &want)
	compare(t, dir+"permitted.txt", graphLines(r.Graph), want.lines())
}

func TestResolution(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const dir = "testdata/golden/resolution/"
	var golden struct {
		Configs         map[string]json.RawMessage
		Files, Symlinks map[string]string
		Table           map[string]json.RawMessage
	}
	readJSON(t, dir+"table.json", &golden)
	var got, want []string
	for name, options := range golden.Configs {
		var specifiers []string
		table := map[string]string{}
		if err := json.Unmarshal(golden.Table[name], &table); err != nil {
			t.Fatal(err)
		}
		for s := range table {
			specifiers = append(specifiers, s)
		}
		sort.Strings(specifiers)
		files := map[string]string{}
		for k, v := range golden.Files {
			files[k] = v
		}
		for k, to := range golden.Symlinks {
			files["link "+k] = to
		}
		delete(files, "tsconfig.json")
		if string(options) != "null" {
			files["tsconfig.json"] = `{"compilerOptions":` + string(options) + `}`
		}
		for i, s := range specifiers {
			q, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			files[fmt.Sprintf("src/s%d.ts", i)] = "import " + string(q) + ";"
		}
		roots, sources := graphtest.New(t, files, "dist")
		r := build(t, roots, sources)
		for i, s := range specifiers {
			edges := r.Graph.Edges[fmt.Sprintf("src/s%d.ts", i)]
			if len(edges) != 1 {
				t.Errorf("%s: %q: %d edges", name, s, len(edges))
				continue
			}
			got = append(got, fmt.Sprintf("%s %q %s:%s", name, s, r.Graph.Nodes[edges[0].Target].Kind, edges[0].Target))
			want = append(want, fmt.Sprintf("%s %q %s", name, s, table[s]))
		}
	}
	compare(t, dir+"permitted.txt", got, want)
}
