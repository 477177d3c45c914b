package golang

import (
	"fmt"
	"os"
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

// open returns the root dir and its files, but for folders that skip names.
func open(t testing.TB, dir string, skip ...string) (graph.Roots, []graph.SourceFile) {
	t.Helper()
	root, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	var files []graph.SourceFile
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := root.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := e.Name
			if dir != "." {
				name = dir + "/" + name
			}
			switch {
			case slices.Contains(skip, e.Name):
			case e.Mode.IsDir():
				walk(name)
			case e.Mode.IsRegular():
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
	return graph.Roots{Dir: filepath.ToSlash(dir), Root: root}, files
}

// answerOf asks the provider about the sources.
func answerOf(t testing.TB, roots graph.Roots, sources []graph.SourceFile, usersOf ...string) *graph.Response {
	t.Helper()
	q := graph.Request{Roots: roots, StanPath: ".stan", UsersOf: usersOf}
	for _, s := range sources {
		if Provider.Claims(s.Path) {
			q.Files = append(q.Files, s)
		} else {
			q.Others = append(q.Others, s)
		}
	}
	a, err := Provider.Build(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// lines prints an answer.
func lines(a *graph.Response) string {
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
		list = append(list, fmt.Sprintf("unresolved %q in %s", u.Name, strings.Join(u.Importers, " ")))
	}
	if a.LeftOut > 0 {
		list = append(list, fmt.Sprintf("left out %d", a.LeftOut))
	}
	for _, w := range a.Warnings {
		list = append(list, "warning "+w.String())
	}
	return strings.Join(list, "\n") + "\n"
}

// TestTables runs testdata/*.txtar: a tree, and beside it want.
func TestTables(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			var want string
			var ignored []string
			at := -1
			for i, f := range a.Files {
				switch f.Name {
				case "want":
					want, at = string(f.Data), i
					continue
				case "ignored":
					ignored = strings.Fields(string(f.Data))
					continue
				}
				write(t, dir, f.Name, string(f.Data))
			}
			roots, sources := open(t, dir, ignored...)
			if got := lines(answerOf(t, roots, sources)); got != want {
				if os.Getenv("UPDATE") != "" && at >= 0 {
					a.Files[at].Data = []byte(got)
					if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestLarge reads 300,000 imports, a manifest of 5 MB, and what nests.
func TestLarge(t *testing.T) {
	dir := t.TempDir()
	var imports, mod strings.Builder
	imports.WriteString("package m\n\nimport (\n")
	for i := range 300_000 {
		fmt.Fprintf(&imports, "\t\"a%d/b\"\n", i)
	}
	imports.WriteString(")\n")
	mod.WriteString("module m\n\nrequire (\n")
	for mod.Len() < 5<<20 {
		mod.WriteString("\texample.com/some/long/module/path v1.2.3\n")
	}
	mod.WriteString(")\n")
	for name, text := range map[string]string{
		"go.mod": "module m\n", "many.go": imports.String(), "big/go.mod": mod.String(), "big/a.go": "package a\n\nimport \"m/x\"\n\nvar _ = x.X\n",
		"x/x.go": "package x\n\nvar X = 1\n", "deep.go": "package m\n\nvar x = " + strings.Repeat("(", 200_000),
		"unary.go": "package m\n\nvar y = " + strings.Repeat("-", 500_000), "tags.go": "//go:build " + strings.Repeat("(", 3000) + "\n\npackage m\n",
		"sum.go": "package m\n\nvar z = a" + strings.Repeat("+a", 500_000) + "\n",
	} {
		write(t, dir, name, text)
	}
	began := time.Now()
	roots, sources := open(t, dir)
	a := answerOf(t, roots, sources)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	if a.Edges["big/a.go"] == nil || len(a.Warnings) == 0 {
		t.Errorf("edges %d, warnings %v", len(a.Edges), a.Warnings)
	}
	for _, w := range a.Warnings {
		if len(w.Text) > 300 {
			t.Errorf("a warning of %d bytes", len(w.Text))
		}
	}
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSame asks twice, on one processor and on several: the answers are equal.
func TestSame(t *testing.T) {
	dir := t.TempDir()
	a, err := txtar.ParseFile("testdata/imports.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if f.Name != "want" && f.Name != "ignored" {
			write(t, dir, f.Name, string(f.Data))
		}
	}
	roots, sources := open(t, dir)
	var first string
	for i := range 4 {
		procs := runtime.GOMAXPROCS(1 + i%2*3)
		got := lines(answerOf(t, roots, sources))
		runtime.GOMAXPROCS(procs)
		if i == 0 {
			first = got
		} else if got != first {
			t.Errorf("run %d differs", i)
		}
	}
}

// FuzzParse reads any text: nothing panics, and what is found is in the text.
func FuzzParse(f *testing.F) {
	f.Add("package a\n\nimport b \"c\"\n\nvar x = b.C\n")
	f.Add("//go:build a && !b\n\npackage a\n\n//go:embed x \"y z\" `w`\nvar x string\n")
	f.Add("package a\n\n// #include \"x.h\"\nimport \"C\"\n\ntype A = b.C\n\nfunc (a *A[T]) M() {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		if a, err := parse("x_linux.go", []byte(text)); err == nil {
			together(a.when, nil)
			for _, p := range a.embeds {
				if b := (&builder{sources: []string{"a/b", "c"}}); len(b.embedded("a", p)) > 1 {
					t.Error(p)
				}
			}
		}
		list, err := Define("x.go", []byte(text))
		if err != nil {
			return
		}
		for _, d := range list {
			if d.From < 1 || d.From > d.Line || d.Head < d.Line || d.End < d.Head {
				t.Errorf("%+v", d)
			}
		}
		graph.Outline([]byte(text), list)
	})
}

// FuzzManifest reads any go.mod and go.work.
func FuzzManifest(f *testing.F) {
	f.Add("module a\n\nreplace b => ../c\n")
	f.Add("go 1.22\n\nuse ./a\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = parseMod("d", []byte(text))
		_, _ = parseWork("d", []byte(text))
	})
}
