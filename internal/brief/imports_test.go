package brief

import (
	"strings"
	"testing"
)

func TestImportsMost(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"nothing", "", false},
		{"Rust", "//! About.\n\npub(crate) use {\n  crate::{\n    alias::Alias,\n    ast::Ast,\n  },\n  std::fs,\n};\n\n#[cfg(test)]\nmod testing;\npub mod alias;\n\npub fn run() {}\n", true},
		{"a module with a body", "mod tests {\n  fn a() {\n    one();\n  }\n}\n", false},
		{"TypeScript", "export * from './a'\nexport {\n  b,\n  c\n} from './b'\nexport const d = 1\n", true},
		{"Go", "package x\n\nimport (\n\t\"fmt\"\n)\n\nfunc F() {\n\tfmt.Println()\n\tfmt.Println()\n\tfmt.Println()\n}\n", false},
		{"Python", "from .a import (\n    b,\n    c,\n)\nimport d\n__all__ = ['b']\n", true},
		{"C", "#include <stdio.h>\n#define A 1\n#define B 2\n", false},
		{"Scala", "package object x {\n  val a = 1\n  val b = 2\n}\n", false},
		{"Lua", "require('x').setup({\n  a = 1,\n  b = 2,\n})\n", false},
		{"Ruby", "require 'a'\nrequire_relative \"b\"\n", true},
		{"a package of Java", "/**\n * Quays.\n */\n@NullMarked\npackage a.b;\n\nimport c.NullMarked;\n", true},
		{"never closed", "import (\nx\ny\n", true},
	} {
		if got := importsMost(c.text); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestModules: a line that only names the file of a module stands in no outline.
func TestModules(t *testing.T) {
	r := described(map[string]string{"lib.rs": "mod a;\npub mod b;\npub(crate) mod c;\nmod inner {\n  pub fn within() {}\n}\npub struct Kept;\n"}, 8000, 0)
	var names []string
	for _, l := range (&shelves{Repository: r}).outlineOf(0).lines {
		names = append(names, l.Name)
	}
	if got := strings.Join(names, " "); strings.HasPrefix(got, "a ") || strings.Contains(got, "b c") || !strings.HasSuffix(got, "Kept") {
		t.Errorf("the outline holds %s", got)
	}
}

// TestNamespaces: a line that only says in which namespace what stands below it is stands in no outline.
func TestNamespaces(t *testing.T) {
	for name, text := range map[string]string{
		"src/A.php": "<?php\n\nnamespace App\\Http;\n\nclass Kept\n{\n    public function run(): void {}\n}\n",
		"src/A.cs":  "namespace App.Http;\n\npublic class Kept\n{\n    public void Run() {}\n}\n",
		"src/B.cs":  "namespace App.Http\n{\n    public class Kept\n    {\n        public void Run() {}\n    }\n}\n",
		"src/a.cc":  "namespace app {\n\nclass Kept {\n public:\n  void Run();\n};\n\n}  // namespace app\n",
	} {
		var got strings.Builder
		for _, l := range (&shelves{Repository: described(map[string]string{name: text}, 8000, 0)}).outlineOf(0).lines {
			got.WriteString(l.text)
		}
		if strings.Contains(got.String(), "namespace") || !strings.Contains(got.String(), "class Kept") {
			t.Errorf("the outline of %s holds\n%s", name, got.String())
		}
	}
}

// A file adds nothing to its outline where the rest of it are comments, imports, its place and brackets.
func TestAddsNothing(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		want       bool
	}{
		{"a.php", "<?php\n\ndeclare(strict_types=1);\n\n/**\n * Quay\n */\n\nnamespace A\\B;\n\nuse Exception;\n\nclass Full extends Exception {\n}\n", 13, true},
		{"a.java", "// c\npackage a;\n\nimport b.C;\n\npublic interface D extends C {\n}\n", 6, true},
		{"a.py", "import a\n\n\nclass Full(a.B):\n    pass\n", 4, true},
		{"a.py", "import a\n\n\nclass Full(a.B):\n    code = 7\n", 4, false},
		{"a.go", "package a\n\nfunc f() int { return 7 }\n", 3, false},
		{"a.java", "/* c */\nclass A {}\n", 2, true},
		{"a.ts", "class A {\n  a(): void { b() }\n}\n", 1, false},
		{"a.java", "x = 1\n", 0, false},
		{"a.ts", "import { b } from './b'\nexport const a = 1\n", 2, false},
	} {
		var defined []Definition
		if c.line > 0 {
			defined = append(defined, Definition{Line: c.line, End: strings.Count(c.text, "\n")})
		}
		if got := addsNothing(c.name, c.text, defined); got != c.want {
			t.Errorf("%v of\n%s", got, c.text)
		}
	}
}

// A file that is shown whole has no long licence at its head, but how long that is.
func TestUnlicensed(t *testing.T) {
	licence := "/*\n * Copyright 2026 Quay.\n *\n * Licensed under the Quay License.\n *\n * Distributed\n * without\n * warranties.\n */\n"
	for text, want := range map[string]string{
		licence + "package quay;\n":                "… 9 lines\npackage quay;\n",
		licence + "\npackage quay;\n":              "… 10 lines\npackage quay;\n",
		"// Copyright 2026 Quay.\npackage quay;\n": "// Copyright 2026 Quay.\npackage quay;\n",
		"package quay;\n" + licence:                "package quay;\n" + licence,
	} {
		if got := unlicensed("A.java", text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
