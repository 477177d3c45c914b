package typescript

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/graphtest"
	"github.com/haversack-dev/haversack/internal/tree"
	"github.com/microsoft/typescript-go/tsshim"
)

func TestTables(t *testing.T) { graphtest.Tables(t, Provider) }

// TestSame builds the same tree in two folders, on one processor and on two,
// with and without a cache: all bytes are the same.
func TestSame(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var files map[string]string
	readJSON(t, "testdata/golden/syntax/files.json", &files)
	files["broken.ts"] = "import {A} from './t'; const = ;"
	files["broken.vue"] = "<script>import {A} from './t'"
	cacheDir := t.TempDir()
	var first string
	for i, o := range []Options{{}, {}, {Cache: cacheDir}, {Cache: cacheDir}} {
		procs := runtime.GOMAXPROCS(1 + i%2)
		roots, sources := graphtest.New(t, files)
		r, err := Build(t.Context(), roots, sources, o)
		runtime.GOMAXPROCS(procs)
		if err != nil {
			t.Fatal(err)
		}
		c := graph.Canonicalize(r.Graph, roots, ".stan")
		got := string(c.Meta.Encode()) + string(c.Map("/root").Encode()) + fmt.Sprint(r.Unresolved, r.Warnings, len(r.Outlines))
		if i == 0 {
			first = got
		} else if got != first {
			t.Errorf("run %d differs", i)
		}
	}
	// A cache that is not ours, or cut short, is as good as none.
	names, err := filepath.Glob(filepath.Join(cacheDir, "*.cache"))
	if err != nil || len(names) != 1 {
		t.Fatalf("cache files: %v %v", names, err)
	}
	good, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, []byte("x"), good[:len(good)/2], append([]byte{1}, good...), bytes.Repeat([]byte{0xff}, 1000)} {
		if err := os.WriteFile(names[0], bad, 0o600); err != nil {
			t.Fatal(err)
		}
		roots, sources := graphtest.New(t, files)
		r, err := Build(t.Context(), roots, sources, Options{Cache: cacheDir})
		if err != nil {
			t.Fatal(err)
		}
		if c := graph.Canonicalize(r.Graph, roots, ".stan"); !strings.HasPrefix(first, string(c.Meta.Encode())) {
			t.Error("a bad cache changes the graph")
		}
	}
	if again, err := os.ReadFile(names[0]); err != nil || !bytes.Equal(again, good) {
		t.Errorf("the cache is not written again: %v", err)
	}
}

// TestKeptDefinitions has a run told what files define, after one in which nobody asked, and again by the cache alone: each time it is
// what Define says.
func TestKeptDefinitions(t *testing.T) {
	files := map[string]string{
		"a.ts":   "/** Serves. */\nexport class Server {\n  serve(): void {}\n}\nexport default function main() {}\n",
		"b.vue":  "<template/>\n<script>\nconst held = 1\n</script>\n",
		"c.js":   "export const jsx = () => <b/>\n",
		"d.d.ts": "export declare const told: number\n",
		"e.mjs":  "import './a.js'\n",
	}
	dir := t.TempDir()
	for run := range 3 {
		roots, sources := graphtest.New(t, files)
		var mu sync.Mutex
		told := map[string][]graph.Definition{}
		q := graph.Request{Roots: roots, Files: sources, Cache: dir}
		if run > 0 {
			q.Defined = func(name string, content []byte, list []graph.Definition) {
				mu.Lock()
				defer mu.Unlock()
				if told[name] = list; string(content) != files[name] {
					t.Errorf("run %d: %s is told of another text", run, name)
				}
			}
		}
		if _, err := respond(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		for _, s := range sources {
			want, err := Define(s.Path, []byte(files[s.Path]))
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := told[s.Path]; ok != (run > 0) || ok && !cmp.Equal(got, want) {
				t.Errorf("run %d: %s defines\n%v, not\n%v", run, s.Path, got, want)
			}
			if r, ok := openCache(dir).get(cacheKey(s.Path, digest([]byte(files[s.Path])))); !ok || r.asked != (run > 0) {
				t.Errorf("run %d: kept of %s: %v, its definitions: %v", run, s.Path, ok, r.asked)
			}
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte{})
	f.Add(record{file: &tsgo.File{
		Refs:     []tsgo.Ref{{Name: "./a", Kind: tsgo.Type, Bindings: []tsgo.Binding{{Name: "b", Type: true}}}},
		Defines:  []string{"c"},
		Forwards: []tsgo.Forward{{Name: "d", Of: "e"}},
		Augments: []tsgo.Augment{{Module: "./f", Names: []string{"G"}}},
		Ambient:  []string{"h"},
	}, size: 9, description: "i", asked: true, defines: []graph.Definition{{Name: "c", Kind: "func", From: 1, Line: 2, Head: 3, End: 4, Exported: true, Doc: "d"}}}.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		r, ok := decodeRecord(b)
		if !ok {
			return
		}
		first := r.encode()
		again, ok := decodeRecord(first)
		if !ok || !bytes.Equal(again.encode(), first) {
			t.Fatalf("%x", b)
		}
	})
}

// watched counts what is asked of a root, and what of it is no path in it.
type watched struct {
	tree.Source
	mu      sync.Mutex
	opened  []string
	outside []string
}

func (w *watched) note(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !tree.Valid(name) {
		w.outside = append(w.outside, name)
	}
}

func (w *watched) Lstat(name string) (tree.Info, error) { w.note(name); return w.Source.Lstat(name) }
func (w *watched) List(name string) ([]tree.Entry, error) {
	w.note(name)
	return w.Source.List(name)
}
func (w *watched) Readlink(name string) (string, error) {
	w.note(name)
	return w.Source.Readlink(name)
}
func (w *watched) Open(name string) (io.ReadCloser, tree.Info, error) {
	w.note(name)
	w.mu.Lock()
	w.opened = append(w.opened, name)
	w.mu.Unlock()
	return w.Source.Open(name)
}

// rootSource makes a tree.Root a tree.Source again.
type rootSource struct{ *tree.Root }

// TestOutside imports, extends and links to what lies outside, by every way
// there is, and counts what is opened.
func TestOutside(t *testing.T) {
	outside := graphtest.Folder(t, map[string]string{
		"secret.ts":                     "export const secret = 1",
		"tsconfig.json":                 `{"compilerOptions":{"baseUrl":"."}}`,
		"node_modules/out/package.json": `{"name":"out","version":"1.0.0","types":"i.d.ts"}`,
		"node_modules/out/i.d.ts":       "export const out: 1",
		"repo/src/a.ts":                 "",
	})
	dir := filepath.Join(outside, "repo")
	secret := filepath.ToSlash(filepath.Join(outside, "secret"))
	for name, text := range map[string]string{
		"src/a.ts": `import '../../secret'; import '` + secret + `'; import 'out'; import 'up/secret'; import 'abs/secret'; import 'rel/secret';
import './link'; import './linkdir/secret'; import '../../../../../../../../../../../../../etc/passwd'; import '#up';
/// <reference path="../../secret.ts" />
import '../..` + base + `/src/b'; import 'pkg'; import 'star'; import 'linked';`,
		"src/b.ts":                       "export const b = 1",
		"tsconfig.json":                  `{"extends":["../tsconfig.json","` + filepath.ToSlash(outside) + `/tsconfig.json"],"compilerOptions":{"moduleResolution":"bundler","typeRoots":["../.."],"rootDirs":["..","../.."],"paths":{"up/*":["../*"],"abs/*":["` + filepath.ToSlash(outside) + `/*"],"rel/*":["./x/../../*"]}},"references":[{"path":".."}]}`,
		"package.json":                   `{"name":"repo","imports":{"#up":"../secret.ts"}}`,
		"node_modules/pkg/package.json":  `{"name":"pkg","types":"../../../secret.ts"}`,
		"node_modules/star/package.json": `{"name":"star","exports":{".":"./../../../secret.ts"}}`,
		"link src/link.ts":               "../../secret.ts",
		"link src/linkdir":               "../..",
		"link src/absolute.ts":           secret + ".ts",
		"link node_modules/linked":       "../../node_modules/out",
	} {
		graphtest.Write(t, dir, name, text)
	}
	roots, _ := graphtest.Open(t, dir)
	w := &watched{Source: rootSource{roots.Root}}
	roots.Root = tree.New(w)
	r := build(t, roots, graphtest.Sources(t, roots.Root))
	if len(w.outside) > 0 {
		t.Errorf("asked for outside of the root: %q", w.outside)
	}
	if len(w.opened) == 0 {
		t.Error("nothing opened")
	}
	for id, n := range r.Graph.Nodes {
		if n.Kind == graph.External || strings.HasPrefix(id, "/") && n.Kind.File() {
			t.Errorf("%s node %s", n.Kind, id)
		}
	}
	for _, e := range r.Graph.Edges["src/a.ts"] {
		if n := r.Graph.Nodes[e.Target]; n.Kind != graph.Missing && e.Target != "src/b.ts" {
			t.Errorf("edge to %s", e.Target)
		}
	}

	// Declared, the same folder is reached, and its files have addresses.
	graphtest.Declare(t, &roots, outside)
	r = build(t, roots, graphtest.Sources(t, roots.Root))
	c := graph.Canonicalize(r.Graph, roots, ".stan")
	var got []string
	for id, n := range c.Meta.Nodes {
		if n.Kind == graph.External {
			got = append(got, id)
		}
		if n.Kind.File() && strings.Contains(id, outside) {
			t.Errorf("absolute path in the meta: %s", id)
		}
	}
	slices.Sort(got)
	if len(got) != 2 || !strings.HasPrefix(got[0], ".stan/context/abs/") || got[1] != ".stan/context/npm/out/1.0.0/i.d.ts" {
		t.Errorf("external nodes %q", got)
	}
}

// TestLarge reads a file of 100,000 imports, of each kind.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	files := map[string]string{"src/t.ts": "export const a = 1"}
	var static, call, require strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&static, "import { a as a%d } from './t';\n", i)
		fmt.Fprintf(&call, "void import('./t%d');\n", i)
		fmt.Fprintf(&require, "require('./t');\n")
	}
	files["src/static.ts"], files["src/call.ts"], files["src/require.js"] = static.String(), call.String(), require.String()
	roots, sources := graphtest.New(t, files)
	r := build(t, roots, sources)
	if e := r.Graph.Edges["src/static.ts"]; len(e) != 2 || e[0].Target != "src/t.ts" {
		t.Errorf("static: %v", e)
	}
	if e := r.Graph.Edges["src/require.js"]; len(e) != 1 || e[0].Target != "src/t.ts" {
		t.Errorf("require: %v", e)
	}
	// The parser is not asked for so many calls, and not all that lead nowhere are kept;
	// of the declarations the first 20,000 are resolved.
	var about []string
	for _, w := range r.Warnings {
		about = append(about, w.Path)
	}
	if d := cmp.Diff([]string{"src/call.ts", "src/call.ts", "src/static.ts"}, about); d != "" {
		t.Errorf("%s: %v", d, r.Warnings)
	}
}

// TestDeep parses texts that nest without end: none may take the program down.
func TestDeep(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	n := 300_000
	files := map[string]string{}
	for name, unit := range map[string]string{
		"paren.ts": "(", "bracket.ts": "[", "brace.ts": "{", "not.ts": "!", "arrow.ts": "a=>", "if.ts": "if(1)", "else.ts": "if(1){}else ",
		"template.ts": "`${", "type.ts": "A<", "jsx.tsx": "<a>", "plus.ts": "a+", "class.ts": "class extends ", "new.ts": "new ",
		"assign.ts": "a=", "cond.ts": "a?", "label.ts": "a:", "quote.js": "/`/(", "comment.js": "/[/*]/(/*)*/", "namespace.ts": "namespace a.b{",
		"typeof.js": "typeof ", "lines.ts": "if (a)\n", "jsdoc.js": "/** @type {(",
	} {
		files[name] = "import './t';\n" + strings.Repeat(unit, n)
	}
	files["namespace2.ts"] = "import './t';\nnamespace a" + strings.Repeat(".a", n) + "{}"
	files["keyof.ts"] = "import './t';\ntype A=" + strings.Repeat("keyof ", n)
	files["t.ts"] = "import './paren';"
	files["large.ts"] = strings.Repeat("export const a = { b: [1, 2, (3 + 4) * 5], c: `x${1}` }\nif (a.b) { f(`y`) } else { g(!a) }\n", 10_000)
	roots, sources := graphtest.New(t, files)
	b := newBuilder(roots, sources, ".stan")
	b.parser.Limit = time.Minute // memory stops these; the clock would stop large.ts, too, on a machine that is busy
	r, err := b.build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Graph.Edges["t.ts"]) != 1 {
		t.Errorf("t.ts: %v", r.Graph.Edges["t.ts"])
	}
	for _, w := range r.Warnings {
		if w.Path == "large.ts" {
			t.Error(w)
		}
	}
}

// TestBombs reads small files that would take for ever: what doubles at each
// level, in configurations, manifests, barrels, links and code.
func TestBombs(t *testing.T) {
	files := map[string]string{
		"package.json":    `{"name":"r","imports":{"#a":"#a","#b*":"*"}}`,
		"main.ts":         "import '#a'; import '#b#b#b'; import 'x'; import { nope, v7 } from './star0'; import './link0/main'",
		"a/main.ts":       "import './b'",
		"a/b.ts":          "",
		"a/tsconfig.json": `{"extends":["./t1.json","./t1.json"]}`,
	}
	for i := range 40 {
		next := (i + 1) % 40
		files[fmt.Sprintf("a/t%d.json", i+1)] = fmt.Sprintf(`{"extends":["./t%d.json","./t%d.json","./gone%d.json"]}`, i+2, i+2, i)
		var star strings.Builder
		for j := range 40 {
			fmt.Fprintf(&star, "export * from './star%d'; export { v%d as w%d } from './star%d';\n", j, j, j, next)
		}
		files[fmt.Sprintf("star%d.ts", i)] = star.String() + fmt.Sprintf("export const v%d = 1", i)
		files[fmt.Sprintf("link link%d", i)] = fmt.Sprintf("link%d/../link%d", i+1, i+1)
	}
	roots, sources := graphtest.New(t, files)
	r := build(t, roots, sources)
	if e := r.Graph.Edges["a/main.ts"]; len(e) != 1 || e[0].Target != "a/b.ts" {
		t.Errorf("a/main.ts: %v", e)
	}
	want := graph.Edge{Target: "star7.ts", Uses: graph.Runtime, Resolution: graph.Implicit}
	if !slices.Contains(r.Graph.Edges["main.ts"], want) {
		t.Errorf("main.ts: %v", r.Graph.Edges["main.ts"])
	}
}

// TestSpeculation stops the parser on texts that keep it busy for ever, and reads
// what they import without it.
func TestSpeculation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	bomb := func(head string) string { return "import './t'; " + strings.Repeat(head, 60) }
	roots, sources := graphtest.New(t, map[string]string{
		"a.ts": bomb("async("), "b.ts": bomb("async(x="), "c.ts": bomb("async<T>("),
		"t.ts": "import './u'",
		"u.ts": "",
	})
	b := newBuilder(roots, sources, ".stan")
	b.parser.Limit = time.Second
	r, err := b.build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []graph.Edge{{Target: "t.ts", Uses: graph.Runtime, Resolution: graph.Implicit}}
	for _, name := range []string{"a.ts", "b.ts", "c.ts"} {
		if d := cmp.Diff(want, r.Graph.Edges[name]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if len(r.Graph.Edges["t.ts"]) != 1 || len(r.Warnings) != 3 {
		t.Errorf("edges %v, warnings %v", r.Graph.Edges, r.Warnings)
	}
	for _, w := range r.Warnings {
		if s := w.String(); !strings.Contains(s, "limit: the parser ") || !strings.HasSuffix(s, "; its imports are read approximately") {
			t.Error(s)
		}
	}
	// What is lent again is nobody's any more.
	if _, err := tsgo.Define("a.ts", bomb("async(")); err == nil {
		t.Error("read again")
	}
}

// TestStarved reads a text, and resolves its names, on a machine that has other things to do: the clock goes on, and
// the thread does nothing. The graph is that of an idle machine.
func TestStarved(t *testing.T) {
	if _, ok := tsgo.ThreadTime(); !ok {
		t.Skip("the system does not tell the time of a thread")
	}
	roots, sources := graphtest.New(t, map[string]string{"a.ts": "import './t'", "t.ts": ""})
	b := newBuilder(roots, sources, ".stan")
	b.parser.Limit = 10 * time.Millisecond
	tries := 0
	b.parser.Before = func() {
		tries++
		<-time.After(80 * time.Millisecond) // the parser is looked at after 40 ms
	}
	file, err := b.parser.Parse("/a.ts", "import './t'")
	if err != nil || len(file.Refs) != 1 {
		t.Errorf("%+v, %v", file, err)
	}
	if tries != 2 {
		t.Errorf("%d tries", tries)
	}
	m := b.startMeter()
	defer m.stop()
	m.looked = m.looked.Add(-time.Hour)
	if !m.more() || m.took > time.Minute {
		t.Errorf("an hour of waiting took %v", m.took)
	}
	m.own -= time.Hour // as if the thread had been at work
	m.looked = m.looked.Add(-time.Hour)
	if m.more() || m.took < time.Minute {
		t.Errorf("an hour of work took %v", m.took)
	}
}

func TestApproximate(t *testing.T) {
	f := approximate("/* import 'no1' */ import a, {b as c} from './a'; // from 'no2'\nimport type {T} from \"./t\"\nimport './s'\n" +
		"export * from './x'; export {q} from './q'; const d = await import('./d'), r = require('./r'), s = \"import './no3'\"; o.import('no4'); don't\nimport z from './z'")
	var got []string
	for _, r := range f.Refs {
		got = append(got, fmt.Sprint(r.Name, r.Form, r.Kind))
	}
	want := []string{"./a0 0", "./t0 1", "./s0 0", "./x1 0", "./q1 0", "./d3 2", "./r4 0", "./z0 0"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	roots, sources := graphtest.New(t, map[string]string{"a.ts": "import './b'"})
	if _, err := Build(ctx, roots, sources, Options{}); err == nil {
		t.Error("no error")
	}
}

func TestRead(t *testing.T) {
	o, err := Read("src/a.tsx", "import x from 'b'; import 'a'; export * from './c'; export const k = 1; export { x as y }; export default class {}")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(o); got != "{[* default k y] [./c a b]}" {
		t.Error(got)
	}
}

func FuzzRead(f *testing.F) {
	var files map[string]string
	readJSON(f, "testdata/golden/syntax/files.json", &files)
	for name, text := range files {
		f.Add(filepath.Ext(name), text)
	}
	f.Fuzz(func(t *testing.T, ext, text string) {
		if !Analyses("x"+ext) || len(text) > 1000 {
			return
		}
		_, _ = Read("x"+ext, text)
		_ = describe(text)
	})
}

func FuzzApproximate(f *testing.F) {
	f.Add("import a from './a'; export * from \"b\"; require('c'); import('d') // `")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range approximate(text).Refs {
			if r.Name == "" || !strings.Contains(text, r.Name) {
				t.Errorf("%q", r.Name)
			}
		}
	})
}
