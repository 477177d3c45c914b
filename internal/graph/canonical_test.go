package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

func openTree(t testing.TB, files map[string]string) *tree.Root {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func TestCanonicalIDs(t *testing.T) {
	roots := Roots{Dir: "/repo", Root: openTree(t, map[string]string{
		"package.json":                                       `{"name":"repo","version":"1.0.0"}`,
		"node_modules/a/package.json":                        `{"name":"a","version":"1.2.3"}`,
		"node_modules/a/esm/package.json":                    `{"type":"module"}`,
		"node_modules/a/sub/package.json":                    `{"name":"a-sub"}`,
		"node_modules/@s/b/package.json":                     `{"name":"@s/b","version":"2.0.0-rc.1"}`,
		"node_modules/alias/package.json":                    `{"name":"real","version":"3.0.0"}`,
		"node_modules/bare/index.js":                         ``,
		"node_modules/nover/package.json":                    `{"name":"nover"}`,
		"node_modules/evil/package.json":                     `{"name":"../../../x","version":"../.."}`,
		"node_modules/evil2/package.json":                    `{"name":["x"],"version":1}`,
		"node_modules/evil3/package.json":                    `{"name":"evil3","version":"1/../../.."}`,
		"node_modules/broken/package.json":                   `{"name":`,
		"node_modules/.pnpm/c@1/node_modules/c/package.json": `{"name":"c","version":"1.0.0"}`,
		"packages/w/package.json":                            `{"name":"@me/w","version":"0.1.0"}`,
		"packages/n/x.ts":                                    ``,
	})}
	for address, want := range map[string]string{
		"go/example.org/m/v1.0.0/a.go": ".stan/context/go/example.org/m/v1.0.0/a.go", "pypi/p/1.0/p.py": ".stan/context/pypi/p/1.0/p.py",
		"": "", "go": "", "go/": "", "output/x": "", "go/../x": "", "go//x": "", "../go/x": "", "go/a\nb": "",
	} {
		if got := addressed(address, ".stan"); got != want {
			t.Errorf("%q is %q", address, got)
		}
	}
	ext := openTree(t, map[string]string{"lib/package.json": `{"name":"lib","version":"9.0.0"}`})
	roots.External = []ExternalRoot{{"/ext", ext}}
	sum := sha256.Sum256([]byte("/ext/loose/y.d.ts"))
	for raw, want := range map[string]string{
		"node_modules/a/i.d.ts":                        "npm/a/1.2.3/i.d.ts",
		"node_modules/a/esm/i.d.ts":                    "npm/a/1.2.3/esm/i.d.ts",
		"node_modules/a/sub/i.d.ts":                    "npm/a/1.2.3/sub/i.d.ts",
		"node_modules/@s/b/lib/i.d.ts":                 "npm/@s/b/2.0.0-rc.1/lib/i.d.ts",
		"node_modules/alias/i.d.ts":                    "npm/real/3.0.0/i.d.ts",
		"node_modules/bare/index.js":                   "npm/bare/0.0.0/index.js",
		"node_modules/nover/i.js":                      "npm/nover/0.0.0/i.js",
		"node_modules/evil/i.js":                       "npm/evil/0.0.0/i.js",
		"node_modules/evil2/i.js":                      "npm/evil2/0.0.0/i.js",
		"node_modules/evil3/i.js":                      "npm/evil3/0.0.0/i.js",
		"node_modules/broken/i.js":                     "npm/broken/0.0.0/i.js",
		"node_modules/.pnpm/c@1/node_modules/c/i.d.ts": "npm/c/1.0.0/i.d.ts",
		"packages/w/dist/i.d.ts":                       "npm/@me/w/0.1.0/dist/i.d.ts",
		"packages/n/x.ts":                              "packages/n/x.ts",
		"dist/x.d.ts":                                  "dist/x.d.ts",
		"/ext/lib/z.d.ts":                              "npm/lib/9.0.0/z.d.ts",
		"/ext/loose/y.d.ts":                            "abs/" + hex.EncodeToString(sum[:]) + "/y.d.ts",
	} {
		g := &Graph{Nodes: map[string]*Node{raw: {Kind: External, Size: 1}}}
		c := Canonicalize(g, roots, ".stan")
		ids := slices.Collect(maps.Keys(c.Meta.Nodes))
		if strings.HasPrefix(want, "npm/") || strings.HasPrefix(want, "abs/") {
			want = ".stan/context/" + want
			if got := c.Files[want].Path; got != raw {
				t.Errorf("%s: located at %q", raw, got)
			}
		} else if c.Meta.Nodes[want].Kind != Source || len(c.Files) > 0 {
			t.Errorf("%s: is no source", raw)
		}
		if len(ids) != 1 || ids[0] != want {
			t.Errorf("%s: got %q, want %q", raw, ids, want)
		}
	}
}

func TestCollisions(t *testing.T) {
	pnpm := func(i int) string { return fmt.Sprintf("node_modules/.pnpm/p@1_peer%d/node_modules/p/", i) }
	files := map[string]string{}
	for i := range 3 {
		files[pnpm(i)+"package.json"] = `{"name":"p","version":"1.0.0"}`
		files[pnpm(i)+"same.d.ts"] = "same"
		files[pnpm(i)+"other.d.ts"] = fmt.Sprint("other", i)
	}
	g := &Graph{Nodes: map[string]*Node{"a.ts": {Kind: Source}}, Edges: map[string][]Edge{}}
	for i := range 3 {
		for _, name := range []string{"same.d.ts", "other.d.ts"} {
			n := &Node{Kind: External, Size: int64(len(files[pnpm(i)+name]))}
			if i == 1 {
				n.Description = "longer wins"
			}
			g.Nodes[pnpm(i)+name] = n
			g.Edges["a.ts"] = append(g.Edges["a.ts"], Edge{pnpm(i) + name, 1 << i, Explicit})
		}
	}
	c := Canonicalize(g, Roots{Root: openTree(t, files)}, ".stan")
	const id = ".stan/context/npm/p/1.0.0/"
	if len(c.Collisions) != 1 || len(c.Collisions[id+"other.d.ts"]) != 3 || len(c.Warnings) != 1 {
		t.Errorf("collisions %v, warnings %v", c.Collisions, c.Warnings)
	}
	if n := c.Meta.Nodes[id+"same.d.ts"]; n.Description != "longer wins" || c.Files[id+"same.d.ts"].Path != pnpm(0)+"same.d.ts" {
		t.Errorf("%+v %+v", n, c.Files)
	}
	if e := c.Meta.Nodes["a.ts"].Edges; len(e) != 2 || e[1].Uses != All {
		t.Errorf("edges %v", e)
	}
}

// TestMergeOfWhatIsNotKnown: a node that lacks size or hash is in no conflict, and the
// one that has both is kept.
func TestMergeOfWhatIsNotKnown(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	for _, known := range []string{"1", "2"} {
		files, g := map[string]string{}, &Graph{Nodes: map[string]*Node{}}
		for _, i := range []string{"1", "2"} {
			dir := "node_modules/.pnpm/p@" + i + "/node_modules/p/"
			files[dir+"package.json"] = `{"name":"p","version":"1.0.0"}`
			n := &Node{Kind: External}
			if i == known {
				n.Size, n.SHA256 = 7, sum
			}
			g.Nodes[dir+"i.d.ts"] = n
		}
		c := Canonicalize(g, Roots{Root: openTree(t, files)}, ".stan")
		const id = ".stan/context/npm/p/1.0.0/i.d.ts"
		if len(c.Collisions) > 0 || c.Files[id].SHA256 != sum || c.Files[id].Size != 7 || c.Meta.Nodes[id].Size != 7 {
			t.Errorf("known of %s: %v %v %v", known, c.Collisions, c.Files, c.Meta.Nodes)
		}
	}
}

// TestManifestWithoutName: one that gives no name is no package's, and nothing to warn of; one
// whose name none may have, or that cannot be read, is told, all of them once.
func TestManifestWithoutName(t *testing.T) {
	c := Canonicalize(&Graph{Nodes: map[string]*Node{"node_modules/a/esm/i.js": {Kind: External}, "node_modules/a/cjs/i.js": {Kind: External}, "node_modules/a/odd/i.js": {Kind: External}, "node_modules/a/bad/i.js": {Kind: External}}}, Roots{Root: openTree(t, map[string]string{
		"node_modules/a/package.json": `{"name":"a","version":"1.0.0"}`, "node_modules/a/esm/package.json": `{"type":"module"}`, "node_modules/a/cjs/package.json": `{}`,
		"node_modules/a/odd/package.json": `{"name":"a b/c"}`, "node_modules/a/bad/package.json": `{`,
	})}, ".stan")
	if c.Files[".stan/context/npm/a/1.0.0/esm/i.js"].Path == "" || len(c.Warnings) != 1 ||
		c.Warnings[0].String() != "node_modules/a/bad/package.json: has no name that a package may have; the files below it are addressed by the package around it (and so with 1 more manifests)" {
		t.Errorf("%v %q", c.Files, c.Warnings)
	}
}

func TestNames(t *testing.T) {
	g := &Graph{Nodes: map[string]*Node{}, Edges: map[string][]Edge{}}
	g.Nodes["a.ts"] = &Node{Kind: Source}
	g.Nodes["b\xff.ts"] = &Node{Kind: Source}
	want := map[string]string{"": "missing:"}
	for _, name := range []string{"./nope", "@/x", "../up", "a/../../b", "/abs", " ", ".", "./", "..", `..\x`, "virtual:x", "./x?raw"} {
		want[name] = name
	}
	for name := range want {
		g.Nodes[name] = &Node{Kind: Missing}
	}
	c := Canonicalize(g, Roots{Root: openTree(t, nil)}, ".stan")
	for name, id := range want {
		if n, ok := c.Meta.Nodes[id]; !ok || n.Kind != Missing {
			t.Errorf("%q is not %q: %q", name, id, slices.Sorted(maps.Keys(c.Meta.Nodes)))
		}
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0].Text, `"b\xff.ts": the name is not UTF-8`) {
		t.Errorf("warnings %v", c.Warnings)
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	m := chain()
	u := []MissingImport{{Name: "x\n::error::", Importers: []string{"a", "b", "c", "d e"}}, {Name: "./s.css", Importers: []string{"a"}, File: "s.css"}, {Name: "z"}}
	if err := WriteTable(&b, m, u, 2); err != nil {
		t.Fatal(err)
	}
	want := `nodes  source 6  external 0  builtin 1  missing 1
edges  all 7  runtime 5  type 1  dynamic 1  only implicit 0

most used
     1  a
     1  b
     1  c
     1  d
     1  t

unresolved 3
  "x\n::error::" in a b c and 1 more
  "./s.css" (s.css is no module) in a
  and 1 more
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}
