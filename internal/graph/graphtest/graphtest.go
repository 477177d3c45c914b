// Package graphtest is what the tests of providers have in common: trees of files, tables of wanted edges, and
// comparisons with the tools of the languages.
package graphtest

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tree"
	"golang.org/x/tools/txtar"
)

// Write makes the file name below dir. "link NAME" makes NAME a link to what text says.
func Write(t testing.TB, dir, name, text string) {
	t.Helper()
	link, isLink := strings.CutPrefix(name, "link ")
	name = filepath.Join(dir, filepath.FromSlash(link))
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil && isLink {
		err = os.Symlink(strings.TrimSpace(text), name)
	} else if err == nil {
		err = os.WriteFile(name, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Folder writes the files to a new folder, and returns it.
func Folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		Write(t, dir, name, text)
	}
	return dir
}

// New writes the files to a new folder, and opens it.
func New(t testing.TB, files map[string]string, skip ...string) (graph.Roots, []graph.SourceFile) {
	t.Helper()
	return Open(t, Folder(t, files), skip...)
}

// Open returns the folder dir as a root, and its Sources.
func Open(t testing.TB, dir string, skip ...string) (graph.Roots, []graph.SourceFile) {
	t.Helper()
	roots := graph.Roots{Dir: filepath.ToSlash(dir), Root: open(t, dir)}
	return roots, Sources(t, roots.Root, skip...)
}

// OpenReal opens dir for a comparison with another tool. Links on the way to it are resolved, because tools tell files
// by their real names; links in it are no sources, because each tool follows them in its own way.
func OpenReal(t testing.TB, dir string, skip ...string) (graph.Roots, []graph.SourceFile) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	roots, sources := Open(t, dir, skip...)
	return roots, slices.DeleteFunc(sources, func(s graph.SourceFile) bool { return s.Mode&fs.ModeSymlink != 0 })
}

func open(t testing.TB, dir string) *tree.Root {
	t.Helper()
	root, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// Sources are the files and links of a root, sorted by path. node_modules and .git are skipped wherever they are, and
// so is what skip names; "/NAME" is skipped at the top alone.
func Sources(t testing.TB, root *tree.Root, skip ...string) []graph.SourceFile {
	t.Helper()
	skip = append(skip, "node_modules", ".git")
	var files []graph.SourceFile
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := root.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name)
			switch {
			case slices.Contains(skip, e.Name) || slices.Contains(skip, "/"+name):
			case e.Mode.IsDir():
				walk(name)
			case e.Mode.IsRegular() || e.Mode&fs.ModeSymlink != 0:
				f, err := root.File(name)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, graph.SourceFile{File: f})
			}
		}
	}
	walk(".")
	slices.SortFunc(files, func(a, b graph.SourceFile) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// Declare adds the folder dir to the external roots, and returns its name as edges have it.
func Declare(t testing.TB, roots *graph.Roots, dir string) string {
	t.Helper()
	e := graph.ExternalRoot{Dir: filepath.ToSlash(dir), Root: open(t, dir)}
	roots.External = append(roots.External, e)
	return e.Dir
}

// Request gives the provider those of the sources that it claims.
func Request(p graph.Provider, roots graph.Roots, sources []graph.SourceFile) graph.Request {
	q := graph.Request{Roots: roots, StanPath: ".stan"}
	for _, s := range sources {
		if p.Claims(s.Path) {
			q.Files = append(q.Files, s)
		} else {
			q.Others = append(q.Others, s)
		}
	}
	return q
}

// Answer is what the provider finds in the sources.
func Answer(t testing.TB, p graph.Provider, roots graph.Roots, sources []graph.SourceFile) *graph.Response {
	t.Helper()
	a, err := p.Build(t.Context(), Request(p, roots, sources))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Benchmark builds the graph of the folder HAVERSACK_TREES again and again, or of another if that is not said, and reports what
// the provider claims as what is read. It skips where there is no folder.
func Benchmark(b *testing.B, p graph.Provider, or string, skip ...string) {
	dir := cmp.Or(os.Getenv("HAVERSACK_TREES"), or)
	if dir == "" {
		b.Skip("set HAVERSACK_TREES to a folder of sources")
	}
	roots, sources := OpenReal(b, dir, skip...)
	var size int64
	for _, s := range sources {
		if p.Claims(s.Path) {
			size += s.Size
		}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		Answer(b, p, roots, sources)
	}
}

// Lines are an answer as tables have it: edges with what their targets are where those are no sources, imports that
// lead nowhere, what is left out, and warnings.
func Lines(a *graph.Response) string {
	var list []string
	for id, edges := range a.Edges {
		for _, e := range edges {
			line := fmt.Sprintf("%s -> %s %s", id, e.Target, e.Uses)
			if e.Resolution == graph.Implicit {
				line += " implicit"
			}
			if n, ok := a.Nodes[e.Target]; ok {
				line += " " + n.Kind.String()
			}
			list = append(list, line)
		}
	}
	slices.Sort(list)
	for _, u := range a.Unresolved {
		line := fmt.Sprintf("unresolved %q in %s", u.Name, strings.Join(u.Importers, " "))
		if u.File != "" {
			line += " file " + u.File
		}
		if u.Ambient != "" {
			line += " ambient " + u.Ambient
		}
		list = append(list, line)
	}
	if a.LeftOut > 0 {
		list = append(list, fmt.Sprintf("left out %d", a.LeftOut))
	}
	for _, w := range a.Warnings {
		list = append(list, "warning "+w.String())
	}
	return strings.ReplaceAll(strings.Join(list, "\n")+"\n", "\x00", "<NUL>")
}

// Tables runs testdata/*.txtar: a tree of files, and beside it "want", the Lines of the answer, and "ignored", the
// names that Sources skips. "link NAME" holds a link's target; <NUL> stands for a zero byte. Each is asked several
// times, on one processor and on more: the answer must not differ. UPDATE=1 writes what is answered.
func Tables(t *testing.T, p graph.Provider) { TablesIn(t, p, "testdata") }

// TablesIn runs those of a folder, for packages that have several providers.
func TablesIn(t *testing.T, p graph.Provider, dir string) {
	names, err := filepath.Glob(dir + "/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			table, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir, want := t.TempDir(), new([]byte)
			var ignored []string
			for i, f := range table.Files {
				switch text := strings.ReplaceAll(string(f.Data), "<NUL>", "\x00"); f.Name {
				case "want":
					want = &table.Files[i].Data
				case "ignored":
					ignored = strings.Fields(text)
				default:
					Write(t, dir, f.Name, text)
				}
			}
			roots, sources := Open(t, dir, ignored...)
			known := map[string]bool{}
			for _, s := range sources {
				known[s.Path] = true
			}
			for i := range 4 {
				procs := runtime.GOMAXPROCS(1 + i%2*3)
				a := Answer(t, p, roots, sources)
				runtime.GOMAXPROCS(procs)
				for from, edges := range a.Edges {
					for _, e := range edges {
						if _, ok := a.Nodes[e.Target]; !ok && !known[e.Target] {
							t.Errorf("%s -> %s, which is neither a source nor a node", from, e.Target)
						}
					}
				}
				if got := Lines(a); got != string(*want) {
					t.Errorf("run %d: got\n%s\nwant\n%s", i, got, *want)
					if os.Getenv("UPDATE") != "" {
						*want = []byte(got)
						if err := os.WriteFile(name, txtar.Format(table), 0o644); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		})
	}
}

// Users are, as text, the users of what the files of names define: an answer's Users.
func Users(t testing.TB, p graph.Provider, files map[string]string, names ...string) string {
	t.Helper()
	return fmt.Sprint(built(t, p, files, names).Users)
}

// Edges asks what the files need, and who uses what those of names define. Each edge leads to another of the files.
func Edges(t testing.TB, p graph.Provider, files map[string]string, names ...string) {
	t.Helper()
	for from, list := range built(t, p, files, names).Edges {
		for _, e := range list {
			if _, ok := files[e.Target]; !ok || e.Target == from {
				t.Fatalf("%s -> %s", from, e.Target)
			}
		}
	}
}

func built(t testing.TB, p graph.Provider, files map[string]string, usersOf []string) *graph.Response {
	t.Helper()
	roots, sources := New(t, files)
	q := Request(p, roots, sources)
	q.UsersOf = usersOf
	a, err := p.Build(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Stress asks about the worst that a tree may hold. It must end, nor may a warning repeat what is in it; how work grows with the
// text is counted in internal/hostile. Under the race detector, and where tests are to be short, it is left out.
func Stress(t testing.TB, p graph.Provider, files map[string]string) *graph.Response {
	t.Helper()
	if underRace {
		t.Skip("the race detector makes it ten times as slow; other tests ask the same at once")
	}
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := Folder(t, files)
	began := time.Now()
	roots, sources := Open(t, dir)
	a := Answer(t, p, roots, sources)
	if took := time.Since(began); took > 5*time.Minute {
		t.Errorf("took %v", took)
	}
	for _, w := range a.Warnings {
		if len(w.Text) > 300 {
			t.Errorf("a warning of %d bytes", len(w.Text))
		}
	}
	return a
}

// External makes the meta of an answer, encodes it and reads it again. It returns the meta and the ids of the files in
// external roots: each must be told as the root holds it, and no path of the machine may be told.
func External(t testing.TB, roots graph.Roots, sources []graph.SourceFile, a *graph.Response) (*graph.Meta, []string) {
	t.Helper()
	g := &graph.Graph{Nodes: map[string]*graph.Node{}, Edges: a.Edges}
	for _, s := range sources {
		g.Nodes[s.Path] = &graph.Node{Language: "other", Size: s.Size}
	}
	for id, n := range a.Nodes {
		g.Nodes[id] = &n
	}
	c := graph.Canonicalize(g, roots, ".stan")
	text := c.Meta.Encode()
	meta, err := graph.ParseMeta(text)
	if err != nil || len(c.Warnings) > 0 {
		t.Fatal(err, c.Warnings)
	}
	var ids []string
	for id, n := range meta.Nodes {
		if n.Kind == graph.External {
			ids = append(ids, id)
			f := c.Files[id]
			content, err := roots.ReadFile(f.Path, graph.MaxSource)
			if err != nil || n.Size != f.Size || f.Size != int64(len(content)) || f.SHA256 != fmt.Sprintf("%x", sha256.Sum256(content)) {
				t.Errorf("%s: %+v: %v", id, f, err)
			}
		}
	}
	for _, e := range roots.External {
		if strings.Contains(string(text), e.Dir) {
			t.Error("a path of the machine is in the meta")
		}
	}
	slices.Sort(ids)
	return meta, ids
}

// Outline makes the outline of a text, if it can be parsed. The lines of each definition must be in order, and in the text.
func Outline(t testing.TB, p graph.Provider, name, text string) {
	t.Helper()
	n := 1 + strings.Count(text, "\n")
	list, err := p.Define(name, []byte(text))
	if err != nil {
		return
	}
	for _, d := range list {
		if d.From < 1 || d.From > d.Line || d.Head < d.Line || d.End < d.Head || d.End > n+1 {
			t.Errorf("%+v of %d lines", d, n)
		}
	}
	graph.Outline([]byte(text), list)
	graph.Outline([]byte(text), slices.DeleteFunc(list, func(d graph.Definition) bool { return d.Promised }))
}

// Trees are the folders of HAVERSACK_TREES (a list, as PATH is one), which are compared in place of published packages.
// The test is skipped where HAVERSACK_PEERS does not ask for a comparison; peer says with what.
func Trees(t testing.TB, peer string) []string {
	t.Helper()
	if os.Getenv("HAVERSACK_PEERS") == "" {
		t.Skip("set HAVERSACK_PEERS=require to compare with " + peer)
	}
	return filepath.SplitList(os.Getenv("HAVERSACK_TREES"))
}

// Missing skips a test that lacks what it compares with, or fails it where HAVERSACK_PEERS=require.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("HAVERSACK_PEERS") == "require" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// Compare fails where less of truth is among ours than recall, or less of ours is true than precision. It tells the
// rows that only one of them has: "+" those of ours, "-" those of truth. 0 is for what need not agree, and tells none.
func Compare(t testing.TB, what string, ours, truth map[string]bool, recall, precision float64) {
	t.Helper()
	both := 0
	var rows []string
	for row := range ours {
		if truth[row] {
			both++
		} else if precision > 0 {
			rows = append(rows, "+ "+row)
		}
	}
	for row := range truth {
		if !ours[row] && recall > 0 {
			rows = append(rows, "- "+row)
		}
	}
	r, p := float64(both)/float64(max(len(truth), 1)), float64(both)/float64(max(len(ours), 1))
	t.Logf("%s: %d true, %d ours, recall %.5f precision %.5f", what, len(truth), len(ours), r, p)
	if r < recall || p < precision {
		t.Errorf("%s: want recall %.2f, precision %.2f", what, recall, precision)
	}
	slices.SortFunc(rows, func(a, b string) int { return cmp.Or(strings.Compare(a[2:], b[2:]), strings.Compare(a, b)) })
	for i, row := range rows {
		if i == 400 {
			t.Logf("and %d more", len(rows)-i)
			break
		}
		t.Log(row)
	}
}
