package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
)

// TestSameTokens: white space alone, and where it means nothing.
func TestSameTokens(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"a.go", "func f(a int) {\n\treturn a\n}\n", "func f( a   int ) {\nreturn a }\n", true},
		{"a.go", "return a", "returna", false},
		{"a.go", `x := "a b"`, `x := "a  b"`, false},
		{"a.go", `x := "a\" b"`, `x := "a\"  b"`, false},
		{"a.ts", "f(a,b)", "f(\n  a,\n  b\n)", true},
		{"a.ts", "f(a,b)", "f(\n  a,\n  b,\n)", true},
		{"a.ts", "f([,])", "f([])", false},
		{"a.ts", "f([a,,])", "f([a,])", false},
		{"a.ts", "x = ','", "x = ',  '", false},
		{"a.ts", "x = `a\n  b`", "x = `a\n b`", false},
		{"a.py", "x = (a,)", "x = (a)", false},
		{"a.rs", "let x = (a,);", "let x = (a);", false},
		{"a.py", "if x:\n    a()\n    b()\n", "if x:\n    a()\nb()\n", false},
		{"a.py", "x = 1  \n\n\ny = 2\n", "x = 1\ny  =  2\n", true},
		{"a.yml", "a:\n  b: 1\n", "a:\nb: 1\n", false},
		{"a.html", "<b>a</b> c", "<b>a</b>c", false},
		{"notes", "a b", "a  b", false},
	} {
		if got := sameLayout(c.name, []byte(c.a), []byte(c.b)); got != c.same {
			t.Errorf("%s: %q and %q: %v", c.name, c.a, c.b, got)
		}
	}
}

// TestSameLayout: what the formatters of languages make of a text is the same text, and what only looks so is not.
func TestSameLayout(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		// gofmt, gofumpt
		{"a.go", "import (\n\t\"b\"\n\t\"a\"\n)\n", "import (\n\t\"a\"\n\t\"b\"\n)\n", true},
		{"a.go", "var (\n\ta = 1; b = 2\n)\n", "var (\n\ta = 1\n\tb = 2\n)\n", true},
		{"a.go", "var (\n\ta\n\tb\n)\n", "var (\n\ta b\n)\n", false},
		{"a.go", "f(a,\n\tb)\n", "f(\n\ta,\n\tb,\n)\n", true},
		{"a.go", "func f() int {\n\treturn\n\tg()\n}\n", "func f() int {\n\treturn g()\n}\n", false},
		{"a.go", "x := a &^ b\n", "x := a & ^b\n", true},
		{"a.go", "x = a <- b\n", "x = a < -b\n", false},
		{"a.go", "//go:noinline\nfunc f() {}\n", "// go:noinline\nfunc f() {}\n", false},
		{"a.go", "f() // so\ng()\n", "f() // so g()\n", false},
		{"a.go", "x := 'a'\n", "x := \"a\"\n", false},
		// rustfmt
		{"a.rs", "use b::{d, c};\nuse a;\n", "use a;\nuse b::{c, d};\n", true},
		{"a.rs", "use a::{b};\n", "use a::b;\n", true},
		{"a.rs", "use a::{self};\n", "use a::self;\n", false},
		{"a.rs", "#[cfg(x)]\nuse b;\nuse a;\n", "#[cfg(x)]\nuse a;\nuse b;\n", false},
		{"a.rs", "match x { A => { f() } B => { g(); } }\n", "match x {\n    A => f(),\n    B => {\n        g();\n    }\n}\n", true},
		{"a.rs", "match x { A => { f(); } }\n", "match x { A => f(), }\n", false},
		{"a.rs", "match x { A => { if a { b } f() } }\n", "match x { A => if a { b } f() }\n", false},
		{"a.rs", "fn f<T>(a: T) where T: A { g(a) }\n", "fn f<T>(\n    a: T,\n) where\n    T: A,\n{\n    g(a)\n}\n", true},
		{"a.rs", "v.map(|x| { x + 1 })\n", "v.map(|x| x + 1)\n", true},
		{"a.rs", "v.map(|x| { f(); x })\n", "v.map(|x| f(); x)\n", false},
		{"a.rs", "let x = a | { b == c };\n", "let x = a | b == c;\n", false},
		{"a.rs", "return (a,);\n", "return (a);\n", false},
		{"a.rs", "let x: (u8,) = y;\n", "let x: (u8) = y;\n", false},
		{"a.rs", "m!(a,)\n", "m!(a)\n", false},
		{"a.rs", "f(S, { a })\n", "f(S { a })\n", false},
		{"a.rs", "f::<'a>( 'b' )\n", "f::<'a>('b')\n", true},
		{"a.rs", "f(r#\"a  b\"#)\n", "f(r#\"a b\"#)\n", false},
		{"a.rs", "let x = a && b;\n", "let x = a & &b;\n", false},
		// ktlint, ktfmt
		{"a.kt", "import b.B\nimport a.A\n\nfun f(a: Int, b: Int) = g(a,\n    b)", "import a.A\nimport b.B\n\nfun f(\n    a: Int,\n    b: Int,\n) =\n    g(a, b)\n", true},
		{"a.kt", "val x = a\n    .b()\n    ?: c\n", "val x = a.b() ?: c\n", true},
		{"a.kt", "val x = a\n-b\n", "val x = a - b\n", false},
		{"a.kt", "return\nf()\n", "return f()\n", false},
		{"a.kt", "if (a) f() else\n    g()\nh()\n", "if (a) {\n    f()\n} else {\n    g()\n}\nh()\n", true},
		{"a.kt", "if (a) { if (b) f() } else g()\n", "if (a) if (b) f() else g()\n", false},
		{"a.kt", "if (a) {\n    f()\n    g()\n}\n", "if (a) f()\n    g()\n", false},
		{"a.kt", "x.map { it; f() }\n", "x.map {\n    it\n    f()\n}\n", true},
		{"a.kt", "//a\nval x = \"\"\"a\n  b\"\"\"\n", "// a\nval x = \"\"\"a\n b\"\"\"\n", false},
		{"a.kt", "@A(1) @B fun f() = g()\n", "@A(1)\n@B\nfun f() = g()\n", true},
		{"a.kt", "@A\nf()\n@B\ng()\n", "@A f() @B\ng()\n", false},
		{"a.kt", "enum class A { B, C }\n", "enum class A {\n    B,\n    C,\n}\n", true},
		// google-java-format
		{"A.java", "import b.B;\nimport a.A;\nclass A { int[] x = {1, 2}; }\n", "import a.A;\nimport b.B;\n\nclass A {\n  int[] x = {\n    1, 2,\n  };\n}\n", true},
		{"A.java", "/** A text\n  * of lines. */\nint x;\n", "/**\n * A text of\n * lines.\n */\nint x;\n", true},
		{"A.java", "if (a) return;\nf();\n", "if (a) {\n  return;\n}\nf();\n", true},
		{"A.java", "if (a) { f(); g(); }\n", "if (a) f(); g();\n", false},
		{"A.java", "if (a) { f(); }\ng();\n", "if (a) {\n  f();\n  g();\n}\n", false},
		{"A.java", "x = a + ++b;\n", "x = a++ + b;\n", false},
		{"A.java", "static public final int a;\n", "public static final int a;\n", true},
		{"A.java", "public int a; static int b;\n", "public static int a; int b;\n", false},
		{"A.java", "f(\"a  b\");\n", "f(\"a b\");\n", false},
		{"A.java", "import a.A;\nimport b.B;\n", "import a.A;\nimport c.B;\n", false},
		// dotnet format, CSharpier
		{"a.cs", "using B;\nusing A;\nvar x = new[] { 1, 2 };\n", "\ufeffusing A;\nusing B;\n\nvar x = new[]\n{\n    1,\n    2,\n};\n", true},
		{"a.cs", "using var b = B();\nusing var a = A();\n", "using var a = A();\nusing var b = B();\n", false},
		{"a.cs", "int[,] x;\n", "int[] x;\n", false},
		{"a.cs", "f(@\"a\n  b\");\n", "f(@\"a\n b\");\n", false},
		// clang-format
		{"a.c", "char *f(int a,\n        int b) { return a?b:0; }\n", "char* f(int a, int b)\n{\n  return a ? b : 0;\n}\n", true},
		{"a.c", "#define F(x) g(x)\n", "#define F (x) g(x)\n", false},
		{"a.c", "#define F(a,b) \\\n  g(a,b)\nint x;\n", "#define F(a, b) g(a, b)\nint x;\n", true},
		{"a.c", "#define F \\\n  g();\nint x;\n", "#define F \\\n  g(); \\\nint x;\n", false},
		{"a.c", "#include <b.h>\n#include <a.h>\n", "#include <a.h>\n#include <b.h>\n", false},
		{"a.c", "if (a) if (b) f(); else g();\n", "if (a) { if (b) f(); } else g();\n", false},
		{"a.cc", "x = R\"(a  b)\";\n", "x = R\"(a b)\";\n", false},
		// PHP-CS-Fixer, Pint
		{"a.php", "<?php\nuse B;\nuse A;\nf(array('a', \"b\"));\n", "<?php\n\nuse A;\nuse B;\n\nf(array(\n    'a',\n    'b',\n));\n", true},
		{"a.php", "<?php\n$x = \"a$b\";\n", "<?php\n$x = 'a$b';\n", false},
		{"a.php", "<p>a  b</p><?php f(); ?>\n", "<p>a b</p><?php f(); ?>\n", false},
		{"a.php", "<?php\n$x = <<<A\n  a\n  A;\n", "<?php\n$x = <<<A\n a\n  A;\n", false},
		{"a.php", "<?php\nf(function () use ($b, $a) {});\n", "<?php\nf(function () use ($a, $b) {});\n", false},
		// swift-format
		{"a.swift", "import B\nimport A\nlet x = f(a:1,\n  b:2)\n", "import A\nimport B\n\nlet x = f(\n  a: 1,\n  b: 2\n)\n", true},
		{"a.swift", "let x = a - b\n", "let x = a -b\n", false},
		{"a.swift", "a! = b\n", "a != b\n", false},
		{"a.swift", "for i in 0 ..< n { f(i) }\n", "for i in 0..<n {\n  f(i)\n}\n", true},
		{"a.swift", "let x = a\nf()\n", "let x = a f()\n", false},
		// dart format, scalafmt, RuboCop, mix format, StyLua, terraform fmt
		{"a.dart", "f(a, [b]);\n", "f(\n  a,\n  [\n    b,\n  ],\n);\n", true},
		{"a.dart", "return (a,);\n", "return (a);\n", false},
		{"a.scala", "def f(a: Int, b: Int) = a.g(b)\n", "def f(\n    a: Int,\n    b: Int\n) =\n  a.g(b)\n", true},
		{"a.scala", "val x = a\nf(b)\n", "val x = a f(b)\n", false},
		{"a.rb", "x = ['a','b']\n", "x = [\n  \"a\",\n  \"b\",\n]\n", true},
		{"a.rb", "x = 'a\\n'\n", "x = \"a\\n\"\n", false},
		{"a.rb", "x = '#{a}'\n", "x = \"#{a}\"\n", false},
		{"a.rb", "f [1]\n", "f[1]\n", false},
		{"a.rb", "f -1\n", "f - 1\n", false},
		{"a.rb", "a\n(b)\n", "a(b)\n", false},
		{"a.rb", "x = <<~A\n  a\n    b\nA\n", "x = <<~A\n  a\n   b\nA\n", false},
		{"a.rb", "f do g(1) end\n", "f do\n  g(1) end\n", true},
		{"a.ex", "f(a,b)\n", "f(\n  a,\n  b\n)\n", true},
		{"a.ex", "f -1\n", "f - 1\n", false},
		{"a.lua", "f({a=1,b='c'})\n", "f({\n\ta = 1,\n\tb = \"c\",\n})\n", true},
		{"a.lua", "x = a --b\n", "x = a - -b\n", false},
		{"a.tf", "a = 1\nbcd = [1,2]\n", "a   = 1\nbcd = [\n  1,\n  2,\n]\n", true},
		{"a.tf", "a {\n  b = 1\n}\n", "a { b = 1 }\n", true},
		{"a.sql", "select a,b from c\n", "select a,\n       b\n  from c\n", true},
		{"a.sql", "select 'a  b'\n", "select 'a b'\n", false},
		// no row: lines stay, and what stands apart
		{"a.sh", "if a;then b  c;fi\n", "if a;then b c;fi\n", true},
		{"a.sh", "a=b\n", "a =b\n", false},
		{"a.sh", "a\nb\n", "a b\n", false},
		{"a.sh", "a=\nb\n", "a=b\n", false},
		{"a.zig", "fn f() void {\n  g();\n}\n", "fn f() void {\n    g();\n}\n", true},
		{"a.pl", "f(<<A);\n  a\nA\n", "f(<<A);\n a\nA\n", false},
		{"a.groovy", "f '\n a'\n", "f '\n  a'\n", false},
		{"a.hs", "f x =\n  a\n", "f x =\n    a\n", false},
		{"Makefile", "a:\n\tb\n", "a:\n b\n", false},
		{"a.json", "{\"a\": [1, 2]}", "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", true},
		{"a.json", "{\"a\": \"b  c\"}", "{\"a\": \"b c\"}", false},
		{"a.vue", "<p>a b</p>\n", "<p>ab</p>\n", false},
	} {
		if got := sameLayout(c.name, []byte(c.a), []byte(c.b)); got != c.same {
			x, _ := statements(c.name, language.Of(c.name), []byte(c.a))
			y, _ := statements(c.name, language.Of(c.name), []byte(c.b))
			t.Errorf("%s: %q and %q: %v\n%q\n%q", c.name, c.a, c.b, got, x, y)
		}
	}
}

// TestSameUnformatted: what prettier and black make of a text is the same text, and what only looks so is not.
func TestSameUnformatted(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"a.ts", "import {a} from 'b'\nexport const f = x => a('it\\'s', x)\n", "import { a } from \"b\";\nexport const f = (x) => a(\"it's\", x);\n", true},
		{"a.ts", "type T = 'a' | 'b'\n", "type T =\n  | \"a\"\n  | \"b\";\n", true},
		{"a.ts", "interface T { a: string, 'b': number }\n", "interface T {\n  a: string;\n  b: number;\n}\n", true},
		{"a.ts", "let x = (a + b) + c\n", "let x = a + b + c;\n", true},
		{"a.ts", "let x = a + (b + c)\n", "let x = a + b + c;\n", false},
		{"a.ts", "f(a)\n", "f(a);;\n", true},
		{"a.ts", "while (a()) b()\n", "while (a()); b()\n", false},
		{"a.ts", "return1: for (;x;) {}\n", "return1: for (;;x) {}\n", false},
		{"a.ts", "function f() { return\n1 }\n", "function f() { return 1 }\n", false},
		{"a.ts", "(a?.b).c\n", "a?.b.c\n", false},
		{"a.ts", "('use strict')\n", "'use strict'\n", false},
		{"a.ts", "x = -a\n", "x = +a\n", false},
		{"a.ts", "const a = 1\n", "let a = 1\n", false},
		{"a.ts", "// don't\nf()\n", "// don\"t\nf()\n", false},
		{"a.ts", "f(/'/)\n", "f(/\"/)\n", false},
		{"a.ts", "f('\\n')\n", "f('n')\n", false},
		{"a.ts", "f([a,,b])\n", "f([a,b])\n", false},
		{"a.ts", "f(`a\n  b`)\n", "f(`a\n b`)\n", false},
		{"a.ts", "f(a, b)\n", "f((a, b))\n", false},
		{"a.ts", "type T = keyof (A | B)\n", "type T = (keyof A) | B\n", false},
		{"a.ts", "let x = {\n", "let x = {;\n", false},
		{"a.tsx", "const a = <p class='x'>it's <b>so</b></p>\n", "const a = (\n  <p class=\"x\">\n    it's <b>so</b>\n  </p>\n);\n", true},
		{"a.tsx", "const a = <p>'x'</p>\n", "const a = <p>\"x\"</p>\n", false},
		{"a.tsx", "const a = <p>a <b/></p>\n", "const a = <p>a<b/></p>\n", false},
		{"a.js", "const a = require('b'), c = 0XFF, d = 1.5\n", "const a = require(\"b\"),\n  c = 0xff,\n  d = 1.5;\n", true},
		{"a.py", "x = {'a': 1, 'b': 0XFF}\n", "x = {\n    \"a\": 1,\n    \"b\": 0xFF,\n}\n", true},
		{"a.py", "def f(a, b):\n  return a + b\n", "def f(\n    a,\n    b,\n):\n    return (\n        a\n        + b\n    )\n", true},
		{"a.py", "x = f(a)[b]\n", "x = f(\n    a,\n)[b]\n", true},
		{"a.py", "x = f(a)[b]\n", "x = f(a)[b,]\n", false},
		{"a.py", "x = (a)\n", "x = (a,)\n", false},
		{"a.py", "return (a,)\n", "return (a)\n", false},
		{"a.py", "if x:\n  a()\n  if y:\n      b()\nc()\n", "if x:\n    a()\n    if y:\n        b()\nc()\n", true},
		{"a.py", "if x:\n    a()\n    b()\n", "if x:\n    a()\nb()\n", false},
		{"a.py", "x = a \\\n  + b\n", "x = a + b\n", true},
		{"a.py", "x = a\n+b\n", "x = a + b\n", false},
		{"a.py", "x = (a + b) * c\n", "x = a + b * c\n", false},
		{"a.py", "x = (a + b)\n", "x = a + b\n", true},
		{"a.py", "from x import a, b\n", "from x import (\n    a,\n    b,\n)\n", true},
		{"a.py", "from x import a\n", "from x import (a,)\n", true},
		{"a.py", "x = [(a if b else c), d]\n", "x = [a if b else c, d]\n", true},
		{"a.py", "f((a, b))\n", "f(a, b)\n", false},
		{"a.py", "f((a for a in b), c)\n", "f(a for a in b, c)\n", false},
		{"a.py", "f(a=(b or c))\n", "f(a=b or c)\n", true},
		{"a.py", "f(a == (b or c))\n", "f(a == b or c)\n", false},
		{"a.py", "f([(a or b) and c])\n", "f([a or b and c])\n", false},
		{"a.py", "x = (a or b) == c\n", "x = a or b == c\n", false},
		{"a.py", "x = (a) = b\n", "x = a = b\n", true},
		{"a.py", "{a: (b, c)}\n", "{a: b, c}\n", false},
		{"a.py", "with a as b, c:\n    pass\n", "with (\n    a as b,\n    c,\n):\n    pass\n", true},
		{"a.py", "return (a), b\n", "return a, b\n", true},
		{"a.py", "x = (a, b), c\n", "x = a, b, c\n", false},
		{"a.py", "x = [(a if b else c) for a in b]\n", "x = [a if b else c for a in b]\n", true},
		{"a.py", "x = [(a, b) for a in b]\n", "x = [a, b for a in b]\n", false},
		{"a.py", "x = [a for a in (b for c in d)]\n", "x = [a for a in b for c in d]\n", false},
		{"a.py", "x = y == (a or b)\n", "x = y == a or b\n", false},
		{"a.py", "x = y in (a or b)\n", "x = y in a or b\n", false},
		{"a.py", "x = y <= (a or b)\n", "x = y <= a or b\n", false},
		{"a.py", "assert (a, b)\n", "assert a, b\n", false},
		{"a.py", "x += (a or b)\n", "x += a or b\n", true},
		{"a.py", "for x in (a or b):\n    pass\n", "for x in a or b:\n    pass\n", true},
		{"a.py", "x = a,\n", "x = (a,)\n", true},
		{"a.py", "x = (a, b)[0]\n", "x = a, b[0]\n", false},
		{"a.py", "class A: pass\nx = 1\n", "class A:\n    pass\n\n\nx = 1\n", true},
		{"a.py", "if x: a(); b()\n", "if x:\n    a()\nb()\n", false},
		{"a.py", "x = '\\u00E9'\n", "x = \"\\u00e9\"\n", true},
		{"a.py", "x = b'\\u00E9'\n", "x = b\"\\u00e9\"\n", false},
		{"a.py", "x = 'É'\n", "x = 'é'\n", false},
		{"a.py", "x = Y\n", "x = y\n", false},
		{"a.py", "x = r'\\''\n", "x = r\"'\"\n", false},
		{"a.py", "x = 'it\\'s'\n", "x = \"it's\"\n", true},
		{"a.py", "x = b'a'\n", "x = 'a'\n", false},
		{"a.py", "#a\nx = 1\n", "# a\nx = 1\n", true},
		{"a.py", "# it's\nx = 1\n", "# it\"s\nx = 1\n", false},
		{"a.py", "def f():\n  \"\"\" It runs.\n  So. \"\"\"\n", "def f():\n    \"\"\"It runs.\n    So.\"\"\"\n", true},
		{"a.py", "x = \"\"\" a\n b\"\"\"\n", "x = \"\"\"a\nb\"\"\"\n", false},
		{"a.py", "x = 'a' 'b'\n", "x = 'a', 'b'\n", false},
		{"a.py", "x = (i for i in y)\n", "x = (\n    i for i in y\n)\n", true},
		{"a.py", "f((\n", "f((\n\n", true},
		{"a.go", "x := `a`", "x := \"a\"", false},
	} {
		got := sameLayout(c.name, []byte(c.a), []byte(c.b))
		if got != c.same {
			t.Errorf("%s: %q and %q: %v", c.name, c.a, c.b, got)
		}
	}
}

// TestLocks reads a package and its version from each kind of file that names some.
func TestLocks(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"package-lock.json", `{"packages":{"":{"version":"9"},"node_modules/a":{"version":"1.2.3"},"node_modules/x/node_modules/@s/b":{"version":"4.0.0"},"node_modules/own":{"link":true}}}`, "@s/b 4.0.0, a 1.2.3"},
		{"package-lock.json", `{"dependencies":{"a":{"version":"1.2.3"}}}`, "a 1.2.3"},
		{"yarn.lock", "# yarn lockfile v1\n\n\"@s/b@^4.0.0\", \"@s/b@4\":\n  version \"4.0.1\"\n  resolved \"x\"\n\na@^1:\n  version \"1.2.3\"\n", "@s/b 4.0.1, a 1.2.3"},
		{"yarn.lock", "__metadata:\n  version: 8\n\n\"a@npm:^1\":\n  version: 1.2.3\n", "a 1.2.3"},
		{"pnpm-lock.yaml", "packages:\n\n  '@s/b@4.0.0':\n    resolution: {}\n\n  a@1.2.3(react@18.0.0):\n    resolution: {}\n", "@s/b 4.0.0, a 1.2.3"},
		{"go.sum", "example.com/a v1.2.3 h1:x=\nexample.com/a v1.2.3/go.mod h1:y=\nexample.com/b v1.0.0/go.mod h1:z=\n", "example.com/a v1.2.3"},
		{"Cargo.lock", "version = 3\n\n[[package]]\nname = \"a\"\nversion = \"1.2.3\"\ndependencies = [\n \"b\",\n]\n\n[[package]]\nname = \"b\"\nversion = \"4.0.0\"\n", "a 1.2.3, b 4.0.0"},
		{"poetry.lock", "[[package]]\nname = \"a\"\nversion = \"1.2.3\"\n\n[package.dependencies]\nb = \">=4\"\n", "a 1.2.3"},
		{"Gemfile.lock", "GEM\n  remote: x\n  specs:\n    a (1.2.3)\n      b (>= 4)\n    b (4.0.0)\n", "a 1.2.3, b 4.0.0"},
		{"composer.lock", `{"packages":[{"name":"v/a","version":"1.2.3"}],"packages-dev":[{"name":"v/b","version":"v4"}]}`, "v/a 1.2.3, v/b v4"},
		{"bun.lock", "{\n  \"packages\": {\n    \"@s/b\": [\"@s/b@4.0.0\", \"\", {}, \"sha512-x\"],\n    \"c/a\": [\"a@1.2.3\", \"\", {}, \"sha512-y\"],\n    \"own\": [\"own@workspace:packages/own\"],\n", "@s/b 4.0.0, a 1.2.3"},
		{"deno.lock", "{\n  \"npm\": {\n    \"@s/b@4.0.0\": {\n      \"integrity\": \"x\"\n    },\n    \"a@1.2.3_c@2.0.0\": {\n", "@s/b 4.0.0, a 1.2.3"},
		{"mix.lock", "%{\n  \"a\": {:hex, :a, \"1.2.3\", \"x\", [:mix], [], \"hexpm\", \"y\"},\n}\n", "a 1.2.3"},
		{"gradle.lockfile", "# written by gradle\ng:a:1.2.3=compileClasspath,runtimeClasspath\nempty=annotationProcessor\n", "g:a 1.2.3"},
		{"pubspec.lock", "packages:\n  a:\n    dependency: transitive\n    description:\n      name: a\n    source: hosted\n    version: \"1.2.3\"\nsdks:\n  dart: \">=3\"\n", "a 1.2.3"},
		{"packages.lock.json", `{"version":1,"dependencies":{"net8.0":{"A.B":{"type":"Direct","resolved":"1.2.3"},"own":{"type":"Project"}}}}`, "A.B 1.2.3"},
		{"Package.resolved", `{"pins":[{"identity":"a","state":{"revision":"0","version":"1.2.3"}}],"version":2}`, "a 1.2.3"},
		{"Gopkg.lock", "[[projects]]\n  digest = \"x\"\n  name = \"g/a\"\n  version = \"v1.2.3\"\n", "g/a v1.2.3"},
		{"Pipfile.lock", `{"default":{"a":{"version":"==1.2.3"}},"develop":{}}`, "a 1.2.3"},
		{"go.mod", "module m\n\nrequire example.com/a v1.2.3\n", "example.com/a v1.2.3"},
		{"package.json", `{"version":"3","dependencies":{"a":"^1"},"devDependencies":{"b":"4"}}`, "a ^1, b 4"},
		{".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4 # x\n      - uses: ./local\n", "actions/checkout v4"},
		{"Dockerfile", "FROM --platform=$BUILDPLATFORM golang:1.26 AS build\nFROM host:5000/base@sha256:abc\n", "golang 1.26, host:5000/base sha256:abc"},
		{".pre-commit-config.yaml", "repos:\n- repo: https://example.com/a\n  rev: v1.2.3\n", "https://example.com/a v1.2.3"},
		{"gradle/libs.versions.toml", "[versions]\nkotlin = \"1.2.3\"\n", "kotlin 1.2.3"},
		{"Directory.Packages.props", "  <PackageVersion Include=\"A.B\" Version=\"1.2.3\" />\n", "A.B 1.2.3"},
	} {
		read := lockOf(c.name)
		if read == nil {
			read = manifestOf(c.name)
		}
		if read == nil {
			t.Errorf("%s is not read", c.name)
			continue
		}
		var list []string
		for name, versions := range read(c.name, []byte(c.content)) {
			list = append(list, name+" "+strings.Join(versions, " "))
		}
		slices.Sort(list)
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestGroups: what is used comes before who uses it, and no more groups than are read.
func TestGroups(t *testing.T) {
	c := &changeView{place: map[string]int{}, imports: map[string][]string{}, importers: map[string][]string{}}
	add := func(name string, class Class, lines int) {
		c.place[name] = len(c.list)
		c.list = append(c.list, File{Change: diff.Change{Path: name}, Class: class, Added: lines})
	}
	add("app/main.go", Source, 100)
	add("lib/parse.go", Source, 3)
	add("lib/parse_test.go", Test, 3)
	add("go.sum", Written, 1000)
	add("README.md", Document, 1)
	for i := range 30 {
		add(fmt.Sprintf("plugins/p%02d/x.go", i), Source, 1)
		add(fmt.Sprintf("z%02d/x.go", i), Source, 1)
	}
	c.imports["app/main.go"] = []string{"lib/parse.go"}
	c.importers["lib/parse.go"] = []string{"app/main.go", "other/x.go"}
	c.list[c.place["lib/parse.go"]].importers = 20
	var list []string
	for _, g := range c.groups() {
		list = append(list, fmt.Sprintf("%s %d: %s", g.Name, len(g.Files), g.Reason))
	}
	const want = `lib/ 1: used below, and by 1 file outside
app/ 1: uses what stands above
/ 30: the code
plugins/ 30: the code
tests 1: what is asked of the code
docs 1: what is said of it
generated 1: written by programs`
	if got := strings.Join(list, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestBody: where the signature of a function of one line ends.
func TestBody(t *testing.T) {
	for in, want := range map[string]string{
		"func f(a int) int { return a }": "func f(a int) int ", "func f(g func(){}) {}": "func f(g func(){}) ", "func f[T any]()": "func f[T any]()",
	} {
		if got := withoutBody(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzReaders: whatever files that name packages hold, reading them ends, and says the same twice; a text has the tokens that it has.
func FuzzReaders(f *testing.F) {
	names := []string{"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "go.sum", "Cargo.lock", "Gemfile.lock", "composer.lock", "Pipfile.lock", "go.mod", "package.json", "pom.xml",
		"Cargo.toml", "pyproject.toml", "requirements.txt", "Gemfile", "a.csproj", ".github/workflows/x.yml", "Dockerfile", ".pre-commit-config.yaml", "a.py", "a.go"}
	f.Add(0, []byte(`{"packages":{"node_modules/a":{"version":"1"}}}`))
	f.Add(1, []byte("a@1:\n  version \"1\"\n"))
	f.Add(4, []byte("[[package]]\nname = \"a\"\nversion = \"1\"\n"))
	f.Fuzz(func(t *testing.T, n int, content []byte) {
		name := names[((n%len(names))+len(names))%len(names)]
		for _, read := range []func(string, []byte) versions{lockOf(name), manifestOf(name)} {
			if read == nil {
				continue
			}
			if a, b := fmt.Sprint(read(name, content)), fmt.Sprint(read(name, content)); a != b {
				t.Errorf("%s: %s, then %s", name, a, b)
			}
		}
		if !sameLayout("a.go", content, content) && len(content) <= maxDefinedBytes || len(tokens(content, false, true)) > 2*len(content) {
			t.Error("a text is not like itself")
		}
	})
}

// FuzzUnformatted: a text is like itself with ends of lines behind it, and unlike itself with another letter.
func FuzzUnformatted(f *testing.F) {
	names := []string{"a.py", "a.tsx", "a.rs", "a.kt", "a.go", "a.c", "a.php", "a.swift", "a.rb", "a.ex", "a.java", "a.scala", "a.tf", "a.clj", "a.vue", "a.json", "a.sh"}
	f.Add(0, "def f(a, b):\n    return (a,) # it's\n")
	f.Add(1, "type T = | 'a'\nconst f = (x) => <p>it's {x}</p>;\n")
	f.Add(2, "use a::{c, b};\nmatch x { A => { |y| { z } } }\n")
	f.Add(3, "import a.b\nif (a) { b } else c\n")
	f.Add(5, "#define F(a) \\\n  g(a)\n#if a\n")
	f.Add(6, "<p><?php\nuse A;\n$x = <<<A\n a\nA;\n")
	f.Fuzz(func(t *testing.T, n int, text string) {
		name := names[((n%len(names))+len(names))%len(names)]
		if len(text) > maxDefinedBytes {
			return
		}
		if !sameLayout(name, []byte(text), []byte(text)) {
			t.Error("a text is not like itself")
		}
		if provider.SameUnformatted(name, []byte(text), []byte(text)) && strings.HasSuffix(text, "\n") && !sameLayout(name, []byte(text), []byte(text+"\n")) {
			t.Error("a line without anything makes it another")
		}
		if other := strings.Replace(text, "a", "b", 1); other != text && sameLayout(name, []byte(text), []byte(other)) {
			t.Errorf("%q and %q are the same", text, other)
		}
	})
}

// TestLayouts: of each language whose layout is known, it is known how it is split.
func TestLayouts(t *testing.T) {
	for name := range layouts {
		i := slices.IndexFunc(language.All, func(l language.Language) bool { return l.Name == name })
		if i < 0 {
			t.Errorf("%s is no language", name)
			continue
		}
		l := &language.All[i]
		if _, ok := statements("a."+strings.Fields(l.Extensions)[0], l, []byte("<?php a = b\n")); !ok {
			t.Errorf("%s is not split", name)
		}
	}
}

// TestLayoutGrows: twice the text is twice the work, whatever it holds.
func TestLayoutGrows(t *testing.T) {
	for _, unit := range []string{"//\n", "{", "||{", "if(a){", "else{", "x else{b;}", "#/**/", "-", "import {", "use a::{", "];use b::{c,", "a\n\n", "\\\n", "<?=", "=>{", "'", "/*", "<<A\n"} {
		for _, name := range []string{"a.rs", "a.kt", "a.c", "a.php", "a.go", "a.rb", "a.sh"} {
			steps := func(n int) int {
				text := []byte(strings.Repeat(unit, n/len(unit)))
				tokens := declaration.Tokens(nil, name, text)
				r := layoutReader{layout: layouts[language.Of(name).Name], language: language.Of(name), name: name, text: text, tail: -1}
				if r.layout == nil {
					r.layout = unknown
				}
				r.read(tokens)
				return r.steps + len(r.parts)
			}
			if a, b := steps(1<<12), steps(1<<13); b > 3*a+1000 {
				t.Errorf("%s of %q: %d steps, and %d of twice of it", name, unit, a, b)
			}
		}
	}
}

// TestWrites: a credential is the change's where it writes one of its lines, and a key has many.
func TestWrites(t *testing.T) {
	lines := strings.Split("a\nkey: [REDACTED:private-key]\n\n\nb\nc", "\n")
	for line, want := range map[int]bool{1: false, 2: true, 3: true, 4: true, 5: false, 6: false} {
		if got := writes([]int{line}, lines, 2); got != want {
			t.Errorf("line %d is written: %v", line, got)
		}
	}
	if writes(nil, lines, 2) || !writes([]int{9}, nil, 9) {
		t.Error("nothing is written, or what is known not to be read")
	}
}

// TestThin: of a picture in which all lead to all, the heavy edges stay, and every node has one.
func TestThin(t *testing.T) {
	p := Picture{Nodes: make([]Node, maxPicture)}
	for from := range p.Nodes {
		for to := range p.Nodes {
			if from != to {
				p.Edges = append(p.Edges, Edge{from, to, 1 + from*to%7})
			}
		}
	}
	all := len(p.Edges)
	p.thin()
	if len(p.Edges) != maxEdges || p.Undrawn != all-maxEdges {
		t.Errorf("%d edges of %d, %d undrawn", len(p.Edges), all, p.Undrawn)
	}
	used := map[int]bool{}
	for _, e := range p.Edges {
		used[e.From], used[e.To] = true, true
	}
	if len(used) != len(p.Nodes) {
		t.Errorf("%d nodes of %d have an edge", len(used), len(p.Nodes))
	}
}

// TestGained: what is called otherwise is no gain, a type with another field is one.
func TestGained(t *testing.T) {
	came, went := Definition{Change: Came}, Definition{Change: Went}
	grown := Definition{Change: Altered, Kind: "struct", Was: "struct{a int}", Is: "struct{a, b int}"}
	for _, c := range []struct {
		list []Definition
		want int
	}{
		{nil, 0}, {[]Definition{came}, 1}, {[]Definition{came, went}, 0}, {[]Definition{went, went, came}, -1}, {[]Definition{grown}, 1}, {[]Definition{{Change: Moved}, {Change: Renamed}}, 0},
	} {
		if got := gained(c.list); got != c.want {
			t.Errorf("%v: %d, want %d", c.list, got, c.want)
		}
	}
}

// TestScriptTest: tests of Node.js are run by the package manager whose lock file is there.
func TestScriptTest(t *testing.T) {
	for _, c := range []struct{ manager, at, want string }{
		{"npm", "", "npm test"}, {"npm", "web/app", "npm --prefix web/app test"}, {"pnpm", "", "pnpm test"}, {"pnpm", "web", "pnpm --dir web test"},
		{"yarn", "web", "yarn --cwd web test"}, {"bun", "", "bun run test"}, {"bun", "web", "bun --cwd web run test"},
	} {
		if got := scriptTest(c.manager, c.at); got != c.want {
			t.Errorf("%s in %q: %s, want %s", c.manager, c.at, got, c.want)
		}
	}
}

// TestOnlyNames: of a bump each line that differs names a package that differs, or is one that programs keep.
func TestOnlyNames(t *testing.T) {
	packages := map[string]bool{"example.com/a": true}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"require example.com/a v1.0.0\n", "require example.com/a v1.1.0\n", true},
		{"require (\n\texample.com/a v1.0.0\n\texample.com/b v0.3.0 // indirect\n)\n", "require (\n\texample.com/a v1.1.0\n)\n", true},
		{"require example.com/b v1.0.0\n", "require example.com/b v1.1.0\n", false},
		{"require example.com/a v1.0.0\n", "require example.com/a v1.1.0\nreplace example.com/b => ../b\n", false},
		{"go 1.24\n", "go 1.25\n", false},
	} {
		if got := onlyNames([]byte(c.a), []byte(c.b), packages); got != c.want {
			t.Errorf("%q to %q: %v", c.a, c.b, got)
		}
	}
}
