package python

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

func TestTables(t *testing.T) { graphtest.Tables(t, Provider) }

// TestLarge reads a million imports, a manifest of 5 MB, and what nests.
func TestLarge(t *testing.T) {
	var imports, toml strings.Builder
	for i := range 700_000 {
		fmt.Fprintf(&imports, "import a%d\n", i%1000)
	}
	for toml.Len() < 5<<20 {
		toml.WriteString("[[tool.x]]\ny = 1\n")
	}
	files := map[string]string{
		"many.py": imports.String(), "pyproject.toml": toml.String(), "x.py": "y = 1\n", "use.py": "from x import y\n",
		"deep/pyproject.toml": "x = " + strings.Repeat("[", 100_000), "deep/a.py": strings.Repeat("(", 1_000_000),
		"dots/pyproject.toml": "[tool.poetry]\n" + strings.Repeat("a.", 60_000) + "b=1\n", "dots/a.py": "",
		"f.py": strings.Repeat("f'{", 300_000), "indent.py": indents(3000),
		"dots.py":       "from " + strings.Repeat(".", 100_000) + " import x\n" + "import " + strings.Repeat("a.", 500_000) + "b\n",
		"s/__init__.py": stars(300),
	}
	for i := range 300 {
		files[fmt.Sprintf("s/m%d.py", i)] = stars(300)
	}
	a := graphtest.Stress(t, Provider, files)
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

// FuzzParse reads any text: nothing panics, and what is found is in the text.
func FuzzParse(f *testing.F) {
	f.Add("from .a import (b as c, d)\nif TYPE_CHECKING:\n\timport e.f\n")
	f.Add("x = f'{a[\"b\"]!r:>{w}}' \\\n + \"\"\"y\"\"\"\nclass C:\n  @d\n  def m(self): \"doc\"\n")
	f.Add("a = b = c: int; import d; async def e(): import_module('.f', __package__)")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		graphtest.Outline(t, Provider, "x.py", text)
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

// TestAnnotated asks for the names that statements with a type bind, and for no part of the type.
func TestAnnotated(t *testing.T) {
	const text = `
X: TypeAlias = int
Y: 'TypeAlias' = dict[str, int]
type Pair[T] = tuple[T, T]
type = 3
a: int = b = 4
c: dict[str, int]
d, e = f = 1, 2
T = TypeVar('T')
`
	found, err := Define("a.py", []byte(text))
	var names []string
	for _, d := range found {
		names = append(names, fmt.Sprint(d.Line, " ", d.Name))
	}
	if got, want := strings.Join(names, ", "), "2 X, 3 Y, 4 Pair, 5 type, 6 a, 7 c, 8 d, 8 e, 8 f, 9 T"; err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}
