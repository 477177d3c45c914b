package typescript

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
	"golang.org/x/tools/txtar"
)

var componentKinds = []string{"x.vue", "x.svelte", "x.astro"}

// TestComponentBombs reads what would take for ever if anything were read twice.
func TestComponentBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const n = 500_000
	for _, unit := range []string{
		"<script>", "<script ", "<script></script>", "<script src=a>", "<script a='", "<SCRIPT></SCRIPT>", "</script", "</", "<", "<a ", `<a b="`,
		"<a b = ", "<!--", "{/*", "---\n", "<template>", "<template lang=pug>", "<template/>", "<svelte:head>", "<style>", "a='>", "<aaaa", "\n", "<b>{", "<a{/*",
	} {
		for _, name := range componentKinds {
			for _, before := range []string{"", "---\n", "<script>", "<template>"} {
				c := readComponent(name, before+strings.Repeat(unit, n))
				if len(c.code) > len(before)+len(unit)*n+n {
					t.Errorf("%s %s%s: %d bytes of code", name, before, unit, len(c.code))
				}
			}
		}
	}
}

// TestComponentMany reads a file of ten thousand blocks, one of 10 MB, and blocks that the parser is stopped at.
func TestComponentMany(t *testing.T) {
	var many, front strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, "<script setup>import './t'; import './gone%d'</script>\n", i)
	}
	front.WriteString("---\nimport './t'\n---\n" + strings.Repeat("<p>{a}</p><script>import './u'</script>\n", 10_000))
	roots, sources := graphtest.New(t, map[string]string{
		"many.vue":   many.String(),
		"many.astro": front.String(),
		"deep.vue":   "<script lang=ts>import './t'\n" + strings.Repeat("(", 300_000) + "</script>",
		"large.vue":  "<script>import './t'</script>" + strings.Repeat("<p>text</p>\n", 10<<20/12),
		"half.vue":   "<script>import './t'</script>" + strings.Repeat("<p>text</p>\n", 5<<20/12),
		"t.ts":       "", "u.ts": "",
	})
	r := build(t, roots, sources)
	edge := func(to string) graph.Edge {
		return graph.Edge{Target: to, Uses: graph.Runtime, Resolution: graph.Explicit}
	}
	guess := graph.Edge{Target: "t.ts", Uses: graph.Runtime, Resolution: graph.Implicit}
	want := map[string][]graph.Edge{
		"many.astro": {edge("t.ts"), edge("u.ts")}, "half.vue": {edge("t.ts")}, "deep.vue": {guess},
	}
	for name, edges := range want {
		if d := cmp.Diff(edges, r.Graph.Edges[name]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if !slices.Contains(r.Graph.Edges["many.vue"], edge("t.ts")) {
		t.Error("many.vue")
	}
	var about []string
	for _, w := range r.Warnings {
		about = append(about, w.String())
	}
	if d := cmp.Diff([]string{
		"deep.vue: limit: might nest too deeply to be read safely; its imports are read approximately",
		"large.vue: not read: larger than 8388608 bytes",
		"many.vue: limit: 8000 of its imports are left out: too many lead nowhere",
	}, about); d != "" {
		t.Error(d)
	}
}

func TestDefineComponent(t *testing.T) {
	list, err := Define("x.vue", []byte("<template>\n</template>\n<script>\nexport const a = 1\n</script>\n\n<script setup lang='ts'>\n// no\n\n/** It runs. */\nfunction run(x: number) {\n}\n</script>\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []graph.Definition{
		{Name: "a", Kind: "const", From: 4, Line: 4, Head: 4, End: 4, Exported: true},
		{Name: "run", Kind: "func", From: 10, Line: 11, Head: 11, End: 12, Doc: "It runs."},
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Error(d)
	}
}

// FuzzComponent holds the code of a component against the lines from which it was taken.
func FuzzComponent(f *testing.F) {
	a, err := txtar.ParseFile("testdata/components.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range a.Files {
		for i, name := range componentKinds {
			if strings.HasSuffix(file.Name, name[1:]) {
				f.Add(i, string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind int, text string) {
		if kind < 0 || kind >= len(componentKinds) {
			return
		}
		c := readComponent(componentKinds[kind], text)
		lines := strings.Split(text, "\n")
		for i, line := range strings.Split(c.code, "\n") {
			for part := range strings.SplitSeq(line, ";") {
				if i >= len(lines) || !strings.Contains(lines[i], part) {
					t.Fatalf("line %d: %q is not in %q", i+1, part, text)
				}
			}
		}
		for _, s := range c.sources {
			if !strings.Contains(text, s) {
				t.Fatalf("%q is not in %q", s, text)
			}
		}
		if c.fault != "" && (c.line < 1 || c.line > len(lines)) {
			t.Fatalf("line %d of %q", c.line, text)
		}
		if len(text) < 1000 {
			_, _ = Read(componentKinds[kind], text)
		}
	})
}
