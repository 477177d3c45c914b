package python

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

// request asks for all sources.
func request(roots graph.Roots, sources []graph.SourceFile, usersOf ...string) graph.Request {
	q := graph.Request{Roots: roots, StanPath: ".stan", UsersOf: usersOf}
	for _, s := range sources {
		if Provider.Claims(s.Path) {
			q.Files = append(q.Files, s)
		} else {
			q.Others = append(q.Others, s)
		}
	}
	return q
}

// answerOf asks the provider about the sources.
func answerOf(t testing.TB, roots graph.Roots, sources []graph.SourceFile, usersOf ...string) *graph.Response {
	t.Helper()
	a, err := Provider.Build(t.Context(), request(roots, sources, usersOf...))
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

// TestLarge reads a million imports, a manifest of 5 MB, and what nests.
func TestLarge(t *testing.T) {
	dir := t.TempDir()
	var imports, toml strings.Builder
	for i := range 700_000 {
		fmt.Fprintf(&imports, "import a%d\n", i%1000)
	}
	for toml.Len() < 5<<20 {
		toml.WriteString("[[tool.x]]\ny = 1\n")
	}
	for name, text := range map[string]string{
		"many.py": imports.String(), "pyproject.toml": toml.String(), "x.py": "y = 1\n", "use.py": "from x import y\n",
		"deep/pyproject.toml": "x = " + strings.Repeat("[", 100_000), "deep/a.py": strings.Repeat("(", 1_000_000),
		"dots/pyproject.toml": "[tool.poetry]\n" + strings.Repeat("a.", 60_000) + "b=1\n", "dots/a.py": "",
		"f.py": strings.Repeat("f'{", 300_000), "indent.py": indents(3000),
		"dots.py":       "from " + strings.Repeat(".", 100_000) + " import x\n" + "import " + strings.Repeat("a.", 500_000) + "b\n",
		"s/__init__.py": stars(300),
	} {
		write(t, dir, name, text)
	}
	for i := range 300 {
		write(t, dir, fmt.Sprintf("s/m%d.py", i), stars(300))
	}
	began := time.Now()
	roots, sources := open(t, dir)
	a := answerOf(t, roots, sources)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	if len(a.Edges["use.py"]) != 1 || len(a.Warnings) != 1 {
		t.Errorf("edges %v, warnings %v", a.Edges["use.py"], a.Warnings)
	}
}

// indents is code whose every line is deeper than the one before.
func indents(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return b.String()
}

// stars imports all of everything, and asks for what is nowhere.
func stars(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "from s.m%d import *\n", i)
	}
	return b.String() + "from s.m0 import nowhere\n"
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
		if f.Name != "want" {
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
	f.Add("from .a import (b as c, d)\nif TYPE_CHECKING:\n\timport e.f\n")
	f.Add("x = f'{a[\"b\"]!r:>{w}}' \\\n + \"\"\"y\"\"\"\nclass C:\n  @d\n  def m(self): \"doc\"\n")
	f.Add("a = b = c: int; import d; async def e(): import_module('.f', __package__)")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		n := 1 + strings.Count(text, "\n")
		list, err := Define("x.py", []byte(text))
		if err != nil {
			return
		}
		for _, d := range list {
			if d.From < 1 || d.From > d.Line || d.Head < d.Line || d.End < d.Head || d.End > n+1 {
				t.Errorf("%+v of %d lines", d, n)
			}
		}
		graph.Outline([]byte(text), list)
	})
}

// FuzzManifest reads any pyproject.toml and setup.py.
func FuzzManifest(f *testing.F) {
	f.Add("[tool.poetry]\npackages = [{include = 'a', from = 'b'}]\n")
	f.Add("setup(package_dir={'': 'src'}, packages=find_packages(where='lib'))")
	f.Fuzz(func(t *testing.T, text string) {
		_ = pyproject([]byte(text))
		_ = setup([]byte(text))
	})
}

func TestPyproject(t *testing.T) {
	text := `[project]
where = ["no"]
[tool.setuptools.packages.find]
where = ["a", # first
  'b',
]
[tool.setuptools]
package-dir = {"" = "c", x = "no"}
[tool.hatch.build.targets.wheel]
packages = ["d/e"]
[tool.poetry]
packages = [{ include = "no", from = "f" }]
[tool.pytest.ini_options]
pythonpath = "g"
`
	if got := strings.Join(pyproject([]byte(text)), " "); got != "a b c d f g" {
		t.Error(got)
	}
}
