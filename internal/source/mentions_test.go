package source_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/source"
)

// mark says in a comment what its line uses: =NAME for sure, ?NAME perhaps.
var mark = regexp.MustCompile(`[=?][A-Za-z_][\w.]*=?`)

// TestUses reads a table a language: what is wanted, and texts whose comments say which lines name it.
func TestUses(t *testing.T) {
	tables, err := filepath.Glob("testdata/uses/*.txtar")
	if err != nil || len(tables) < 10 {
		t.Fatal(len(tables), err)
	}
	for _, table := range tables {
		a, err := txtar.ParseFile(table)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			own, err := provider.Define(f.Name, f.Data)
			if err != nil {
				t.Fatal(err)
			}
			m := source.NewMentions(f.Name, f.Data, own)
			if m == nil {
				t.Fatalf("%s: %s is not split", table, f.Name)
			}
			var got, want []string
			for line := range strings.Lines(string(a.Comment)) {
				word := strings.Fields(line)
				if len(word) < 3 || word[0] != "wanted" {
					continue
				}
				w := source.WantedDefinition{Path: word[1], Name: word[2], Returned: len(word) > 3 && word[3] == "returned"}
				if len(word) > 4 && word[3] == "extends" {
					w.Extends = word[4]
				}
				if len(word) > 4 && word[3] == "kind" {
					w.Kind = word[4]
				}
				found := m.Of(w)
				if len(found) > 0 && !w.MayStandIn(f.Data) {
					t.Errorf("%s %s: %s stands there, and no word of it", table, f.Name, word[2])
				}
				for _, u := range found {
					got = append(got, fmt.Sprintf("%3d %s%s", u.Line, map[bool]string{true: "=", false: "?"}[u.Sure], word[2]))
				}
			}
			n := 0
			for line := range strings.Lines(string(f.Data)) {
				n++
				comment := max(strings.LastIndex(line, "//"), strings.LastIndex(line, "# "), strings.LastIndex(line, "/* "), strings.LastIndex(line, "-- "))
				if comment < 0 {
					continue
				}
				for _, x := range mark.FindAllString(line[comment:], -1) {
					want = append(want, fmt.Sprintf("%3d %s", n, x))
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			for _, x := range want {
				if !slices.Contains(got, x) {
					t.Errorf("%s %s: missing %s", table, f.Name, x)
				}
			}
			for _, x := range got {
				if !slices.Contains(want, x) {
					t.Errorf("%s %s: wrong %s", table, f.Name, x)
				}
			}
		}
	}
}

// TestMentionsGrow splits texts that are hard to split, and eight times as much of each.
func TestMentionsGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const n = 60_000
	for name, part := range map[string]string{
		"a.java": "f(", "b.java": "class A<", "c.java": "import a.A; ", "d.java": "A a = new A(); a.b(); ", "e.java": "x -> a.", "f.kt": "fun f(a: A) = a.b\n", "g.py": "    def f(a, b):\n a.b\n",
		"h.py": "\tx, ", "i.rb": "def f(a) | a.b(", "j.cpp": "void A::b(A &a) { ", "k.rs": "impl A for B { ", "l.ts": "`${a.b(", "m.go": "a *A, a.b(", "n.php": "<?php $a->b(", "o.c": "#if A\n",
		"p.ts": "import { A as B,\n", "q.cs": "using A = B.A", "r.lua": "local function f(a) ",
	} {
		spent := func(n int) time.Duration {
			text := []byte(strings.Repeat(part, n/len(part)))
			start := time.Now()
			m := source.NewMentions(name, text, nil)
			for _, asked := range []string{"A", "A.b", "b", "A.A", ""} {
				m.Of(source.WantedDefinition{Path: "lib/a.x", Name: asked})
			}
			return time.Since(start)
		}
		// A guard against hanging alone, some fifty times what the slowest takes: a machine that has other things to do is slower
		// by some times, not by as many as what is quadratic.
		if once, more := spent(n), spent(8*n); more > 40*once && more > 30*time.Second {
			t.Errorf("%s: %v, and eight times the text %v", name, once, more)
		}
	}
}

// FuzzMentions checks that uses stand on lines of the text, each once, in order, and that the same text has the same.
func FuzzMentions(f *testing.F) {
	for _, extension := range []string{"java", "kt", "scala", "cs", "php", "rb", "rs", "cpp", "c", "swift", "dart", "go", "py", "ts", "lua", "ex", "tf", "sh"} {
		f.Add(extension, []byte("import x.A as B\nclass C extends A {\n A a = new A(); void f(b: A) { this.a.b(1); b?.b(); A::b(); a->b; } }\n<?php `${a.b}` def f(a):\n  a.b\n"))
	}
	f.Fuzz(func(t *testing.T, extension string, content []byte) {
		if len(content) > 1<<16 {
			return
		}
		name := "a." + extension
		own, err := provider.Define(name, content)
		if err != nil {
			own = nil
		}
		lines := 1 + strings.Count(string(content), "\n")
		for _, asked := range []string{"A", "A.b", "b", "A.A", ""} {
			w := source.WantedDefinition{Path: "x/A.x", Name: asked}
			m, again := source.NewMentions(name, content, own), source.NewMentions(name, content, own)
			if m == nil {
				return
			}
			list := m.Of(w)
			for i, u := range list {
				if u.Line < 1 || u.Line > lines || i > 0 && list[i-1].Line >= u.Line {
					t.Fatalf("%s: %+v of %d lines", asked, list, lines)
				}
			}
			if slices.Contains(m.Extending(asked), "") {
				t.Fatalf("%s: a type without a name extends it", asked)
			}
			if !slices.Equal(list, again.Of(w)) {
				t.Fatalf("%s: not twice the same", asked)
			}
		}
	})
}

// TestExtended: the first place of the name in the signature tells whether a type stands before it.
func TestExtended(t *testing.T) {
	for _, row := range [][4]string{
		{"a.kt", "f", "fun A.f(", "A"},
		{"a.kt", "f", "inline fun <reified T : B> a.b.C<Map<T, T>>?.f(x: T.f)", "C"},
		{"a.kt", "f", "val A.f: Int", "A"},
		{"a.kt", "f", "val f: Int = a.f", ""},
		{"a.kt", "f", "fun f(x: A.f)", ""},
		{"a.kt", "A.f", "fun B.f()", ""},
		{"a.java", "f", "A.f", ""},
		{"a.kt", "f", ">.f", ""},
		{"a.kt", "f", "", ""},
	} {
		if got := source.Extended(row[0], row[1], row[2]); got != row[3] {
			t.Errorf("%q: %q, want %q", row[2], got, row[3])
		}
	}
}

// A text that is kept split is asked by several at once.
func TestMentionsAtOnce(t *testing.T) {
	for _, c := range []struct{ path, text, wanted, of string }{
		{"a.lua", "local q = require('quay')\nlocal M = {}\nfunction M.go() return q end\nM.go():moor()\nq.moor()\n", "moor", "quay.lua"},
		{"A.java", "import b.Quay;\nclass A {\n  Quay q() { return new Quay(); }\n  void f() { q().moor(); Quay r = q(); r.moor(); r.rope().moor(); }\n}\n", "Quay.moor", "b/Quay.java"},
	} {
		own, err := provider.DefineAll(c.path, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		m := source.NewMentions(c.path, []byte(c.text), own)
		w := source.WantedDefinition{Name: c.wanted, Path: c.of}
		want := fmt.Sprint(m.Of(w), m.Chains("moor"), m.Within(w, nil))
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 20 {
					if got := fmt.Sprint(m.Of(w), m.Chains("moor"), m.Within(w, nil)); got != want {
						t.Errorf("%s: %s, want %s", c.path, got, want)
					}
				}
			})
		}
		group.Wait()
	}
}
