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

// TestBound asks for the names that assignments bind, and which of them others see (+).
func TestBound(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"A, B = 1, 2\n(c, d) = [e, f] = 1, 2\ng, *h = i = x\n(j, (k,\n [l])) = y\n", "+A 1, +B 1, +c 2, +d 2, +e 2, +f 2, +g 3, +h 3, +i 3, +j 4, +k 4, +l 5"},
		{"a.b = 1\na[0] = 2\na[0], z = 3\nprint(x, y=1)\n(x)\n[x for x in y]\nx == y\n(x == y)\nf(a)(b=2)\nx if y else z\n*a, b\nb: int\n_c = lambda d=1: d\n", "+b 12, _c 13"},
		{"def f():\n    (a, b) = 1, 2\nclass C:\n    [x, y] = 1, 2\n", "+f 1, +C 3"},
		{"__all__ = ['a', '_b', 'C']\na = 1\n_b = 2\nc = 3\nclass C:\n    def m(self): pass\n    def _n(self): pass\nclass D:\n    def m(self): pass\n", "__all__ 1, +a 2, +_b 3, c 4, +C 5, +C.m 6, C._n 7, D 8, D.m 9"},
		{"__all__: tuple[str, ...] = (\n  'a',\n)\na = b = 1\n", "__all__ 1, +a 4, b 4"},
		{"__all__ = ['a']\n__all__ += ['b']\n__all__.extend(['c'])\na, b, c, d = x\n", "__all__ 1, +a 4, +b 4, +c 4, d 4"},
		{"__all__ = ['a', '_b'] + base.__all__\na = _b = c = _d = 1\n", "__all__ 1, +a 2, +_b 2, +c 2, _d 2"},
		{"__all__ = [n for n in dir()]\na = 1\n", "__all__ 1, +a 2"},
	} {
		found, err := Define("a.py", []byte(c.text))
		var names []string
		for _, d := range found {
			mark := ""
			if d.Exported {
				mark = "+"
			}
			names = append(names, fmt.Sprint(mark, d.Name, " ", d.Line))
		}
		if got := strings.Join(names, ", "); err != nil || got != c.want {
			t.Errorf("%q:\n got %s, %v\nwant %s", c.text, got, err, c.want)
		}
	}
}
