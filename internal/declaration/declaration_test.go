package declaration

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what is read as what is wanted")

// TestRead runs the tables: of every source the declarations that are wanted of it, a line each.
func TestRead(t *testing.T) {
	tables, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(tables) < 8 {
		t.Fatalf("%d tables: %v", len(tables), err)
	}
	for _, table := range tables {
		t.Run(strings.TrimSuffix(filepath.Base(table), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(table)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i+1 < len(a.Files); i += 2 {
				source, want := a.Files[i], &a.Files[i+1]
				if want.Name != source.Name+".want" {
					t.Fatalf("%s: behind it %s.want is wanted, not %s", source.Name, source.Name, want.Name)
				}
				got := told(source.Name, source.Data)
				if *update {
					want.Data = []byte(got)
				} else if got != string(want.Data) {
					t.Errorf("%s: got\n%s\nwant\n%s", source.Name, got, want.Data)
				}
			}
			if *update {
				if err := os.WriteFile(table, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// told is what is read of a text, a line a declaration: its lines, kind, name, + where it can be seen, signature and comment.
func told(name string, text []byte) string {
	var b strings.Builder
	for _, d := range Read(name, text) {
		seen := " "
		if d.Exported {
			seen = "+"
		}
		fmt.Fprintf(&b, "%d:%d-%d %s%s %s | %s", d.From, d.Line, d.End, seen, d.Kind, d.Name, strings.ReplaceAll(d.Signature, "\n", "⏎"))
		if d.Doc != "" {
			b.WriteString(" | " + d.Doc)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// extensions are those of the languages that are read.
var extensions = []string{".c", ".h", ".cc", ".java", ".cs", ".rs", ".kt", ".php", ".dart", ".rb", ".ex", ".lua", ".sh", ".ps1", ".sql", ".proto", ".graphql", ".tf", ".m", ".swift", ".scala",
	".hs", ".elm", ".ml", ".fs", ".erl", ".clj", ".jl", ".r", ".pl", ".nim", ".zig", ".groovy", ".sol", ".cr", ".gd", ".pyx", ".f90", ".el", ".sv", ".d", ".tcl", ".cmake"}

// FuzzRead reads any bytes as every language: declarations lie in the text, in order, in one another or apart.
func FuzzRead(f *testing.F) {
	tables, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, table := range tables {
		a, err := txtar.ParseFile(table)
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; i < len(a.Files); i += 2 {
			f.Add(a.Files[i].Data)
		}
	}
	for _, bad := range []string{"class A {", "/*", "\"", "#if X\nint f(\n#else\n{", "int a(\n);int b(\n);", "<?php \"{$", "r#\"", "template<<<<", "\ufeffclass A{}", "a<a<a<a<a", "#define", "fn(fn(fn(", "<<<A\n",
		"@", "#[", "R\"(", "$@\"", "'", "`", "\\", "enum{", "};};}", strings.Repeat("A", 400) + " = 1\n"} {
		f.Add([]byte(bad))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := 1 + strings.Count(string(text), "\n")
		for _, e := range extensions {
			from := 0
			var open []int
			for _, d := range Read("a"+e, text) {
				if d.From < 1 || d.From > d.Line || d.Line > d.Head || d.Head > d.End || d.End > lines || d.From < from || d.Name == "" || d.Kind == "" {
					t.Fatalf("%s: %+v of %d lines, behind one from %d", e, d, lines, from)
				}
				from = d.From
				for len(open) > 0 && (open[len(open)-1] < d.From || open[len(open)-1] == d.From && d.End > d.From) {
					open = open[:len(open)-1]
				}
				if len(open) > 0 && d.End > open[len(open)-1] {
					t.Fatalf("%s: %+v ends behind line %d", e, d, open[len(open)-1])
				}
				open = append(open, d.End)
			}
		}
	})
}

// TestOthers holds that prose, values and languages that are not read declare nothing.
func TestOthers(t *testing.T) {
	for _, name := range []string{"a.md", "a.json", "a.yaml", "a.txt", "a.toml", "a.csv", "a", "a.go", "a.py", "a.ts"} {
		if Knows(name) || Read(name, []byte("class A { void f() {} }\n")) != nil {
			t.Errorf("%s declares", name)
		}
	}
}

// TestGrowth reads texts made to be slow: of twice the bytes, no more than about twice the steps.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, unit := range []string{"a<", "f(", "{", "class A {", "/*", "\"${", "#if X\n", "<<A ", "a::", "template<", "@A(", "#[", "x=", "int a,", "fn f", "R\"(", "'a", "f()()", "enum {", "}", "\\\n", "@", "$", "#", "[", "%", "~", "<", "/", "?", "`", "\"", "'", ":", "-", "public int f();\n", "#define A(x\n", "-export([a,\n", "export a,\n", "module A (\n"} {
		for _, e := range extensions {
			steps := func(n int) int {
				r := newReader("a"+e, []byte(strings.Repeat(unit, n)))
				r.all()
				return r.steps
			}
			if a, b := steps(2000), steps(4000); b > 5*a/2+1000 {
				t.Errorf("%s in %s: %d steps for 2000, %d for 4000", unit, e, a, b)
			}
		}
	}
}

// BenchmarkRead reads a made-up text of each language.
func BenchmarkRead(b *testing.B) {
	tables, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		b.Fatal(err)
	}
	for _, table := range tables {
		a, err := txtar.ParseFile(table)
		if err != nil {
			b.Fatal(err)
		}
		var text []byte
		for len(text) < 1<<20 {
			text = append(text, a.Files[0].Data...)
		}
		b.Run(strings.TrimSuffix(filepath.Base(table), ".txtar"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Read(a.Files[0].Name, text)
			}
		})
	}
}
