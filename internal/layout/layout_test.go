package layout

import (
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/declaration"
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
		{"a.html", "<!DOCTYPE HTML>\n<P class='x' >a  b<BR/>\nc</P>", "<!doctype html>\n<p\n  class=\"x\"\n>a b<br />\nc</p>", true},
		{"a.html", "<a href=b/>c</a>", "<a href=b>c</a>", false},
		{"a.html", "<input value=b/>", "<input value=b>", false},
		{"a.html", "<p title='a \"b\"'>", "<p title='a \"b\" '>", false},
		{"a.html", "<a title=\"b  c\">", "<a title=\"b c\">", false},
		{"a.html", "<pre>a\n b</pre>", "<PRE>a b</pre>", false},
		{"a.html", "<!-- <B> -->", "<!-- <b> -->", false},
		{"a.html", "<script>f('A')</script>", "<script>f('a')</script>", false},
		{"a.html", "<svg><g/></svg>", "<svg><g></svg>", false},
		{"a.html", "a < B", "a < b", false},
		{"a.css", "a{b:c;d:\"e\"}", "a {\n  b:c;\n  d:'e';\n}\n", true},
		{"a.css", "a { b: c 1s, d }", "a {\n  b:\n    c 1s,\n    d;\n}", true},
		{"a.css", "a b {}", "ab {}", false},
		{"a.css", "a :b {}", "a:b {}", false},
		{"a.css", "a { b: 'c  d' }", "a { b: 'c d' }", false},
		{"a.css", "/* 'a' */", "/* \"a\" */", false},
		{"a.css", "a { b: 'c", "a {b: 'c", false},
		{"a.scss", "// a\nb {}", "// a b {}", false},
		{"a.json", "{\"a\": [1, 2], // b\n}", "{\n  \"a\": [\n    1,\n    2,\n  ], // b\n}", true},
		{"a.json", "{\"a\": 1.5}", "{\"a\": 15}", false},
		{"a.json", "[1, 2]", "[12]", false},
		{"a.json", "[\"a, \"]", "[\"a,\"]", false},
		{"a.md", "a\n```ts\nf(\n  b\n)\n```\n", "a\n```ts\nf(\n  b,\n);\n```\n", true},
		{"a.md", "a\n```\nf(b)\n```\n", "a\n```\nf( b )\n```\n", false},
		{"a.md", "a, b\n", "a b\n", false},
		{"a.md", "```ts\nf()\n```\na, b\n", "```ts\nf();\n```\na b\n", false},
		{"notes", "a b", "a  b", false},
	} {
		if got := Same(c.name, []byte(c.a), []byte(c.b)); got != c.same {
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
		if got := Same(c.name, []byte(c.a), []byte(c.b)); got != c.same {
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
		{"a.json", ",3:a \"", ",3:a \"", true},
	} {
		got := Same(c.name, []byte(c.a), []byte(c.b))
		if got != c.same {
			t.Errorf("%s: %q and %q: %v", c.name, c.a, c.b, got)
		}
	}
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
		if len(text) > maxCompared {
			return
		}
		if !Same(name, []byte(text), []byte(text)) {
			t.Error("a text is not like itself")
		}
		if provider.SameUnformatted(name, []byte(text), []byte(text)) && strings.HasSuffix(text, "\n") && !Same(name, []byte(text), []byte(text+"\n")) {
			t.Error("a line without anything makes it another")
		}
		if other := strings.Replace(text, "a", "b", 1); other != text && Same(name, []byte(text), []byte(other)) {
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
