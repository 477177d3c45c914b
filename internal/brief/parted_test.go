package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestSaysNothing: what asks a preprocessor, closes, or is a key without a value tells a reader nothing alone; comments of other languages do.
func TestSaysNothing(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a.cpp", "#if defined(__clang__)\n#    pragma clang diagnostic pop\n#endif\n", true},
		{"a.cpp", "#    if defined(X)\n#    define WIDE 3\n#    endif\n", false},
		{"a.swift", "    >\n", true},
		{"a.c", "} /* end of it */\nint n;\n", false},
		{"a.py", "# if it rains, stay\n", false},
		{"a.yml", "complexity:\n", true},
		{"a.yaml", "style:\n  active: true\n", false},
		{"a.py", "else:\n", false},
	} {
		e := &entry{Source: &Source{Path: c.name}, lines: strings.SplitAfter(c.text, "\n")}
		e.blocks = []Block{{From: 1, To: strings.Count(c.text, "\n")}}
		if got := e.framesAlone(0); got != c.want {
			t.Errorf("%s %q: %v", c.name, c.text, got)
		}
	}
}

// TestImportsInBrackets: a list of imports that a comment stands above is one, unless the change writes the comment and fits.
func TestImportsInBrackets(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		touched      []int
		want, parted bool
	}{
		{"a.ts", "/* no coverage */\nimport type {\n  Berth,\n  Crane,\n} from '@quay/core'\n\n", []int{4}, true, true},
		{"a.ts", "/* no coverage */\nimport { Berth } from '@quay/core'\n", []int{1}, false, true},
		{"a.ts", "import { Berth } from '@quay/core'\nconst most = 3\n", []int{1}, false, false},
		{"a.go", "package quay\n\nimport (\n\t\"fmt\"\n\n\tcrane \"example.com/crane\"\n)\n", []int{4}, true, true},
		{"a.go", "// What a quay is.\n\n", []int{2}, false, false},
		{"a.rb", "# frozen_string_literal: true\n\nrequire \"crane\"\nrequire_relative \"berth\"\n", []int{4}, true, true},
		{"a.rb", "# How ships are moored.\nrequire \"crane\"\n", []int{1}, false, true},
		{"a.py", "from quay import (\n    berth,\n    crane,\n)\nlog = crane()\n", []int{2}, false, false},
	} {
		e := &entry{Source: &Source{Path: c.name, Touched: c.touched}, lines: strings.SplitAfter(c.text, "\n")}
		e.blocks = []Block{{From: 1, To: strings.Count(c.text, "\n")}}
		for parted, want := range map[bool]bool{false: c.want, true: c.parted} {
			if got := e.imports(0, parted); got != want {
				t.Errorf("%s %q, parted %v: %v", c.name, c.text, parted, got)
			}
		}
	}
}

// TestPartedOutline: of a change that does not fit the signatures of what it touches and does not show are told, of the file with the most of
// them first, and no end of a definition stands without its beginning.
func TestPartedOutline(t *testing.T) {
	one := functions(60)
	for n := range strings.Count(one.Text, "\n") {
		if n < 200 {
			one.Touched = append(one.Touched, n+1)
		}
	}
	two := functions(3)
	two.Path, two.Name = "b.go", "b.go"
	two.Touched = []int{2}
	d := NewDocument([]Source{two, one}, new(tokens.Counter), 100, Budget{Tokens: 2000, Least: 1})
	files := d.Files()
	if !d.parted || len(files) != 2 {
		t.Fatalf("fits: %v", files)
	}
	told := files[slices.IndexFunc(files, func(f File) bool { return f.Path == "a.go" })].Outline
	if len(told) == 0 || told[len(told)-1] != "…" {
		t.Fatalf("outline %q", told)
	}
	for _, line := range told {
		number := 0
		if fmt.Sscanf(line, "%d", &number); number > 200 {
			t.Errorf("%q is not of the change", line)
		}
	}
}

// TestGoesOn: the end of a definition that a change writes, and that does not fit, is not shown without what stands before it.
func TestGoesOn(t *testing.T) {
	var text strings.Builder
	text.WriteString("func f() {\n")
	for i := range 300 {
		fmt.Fprintf(&text, "\tprintln(%d, %q)\n", i, "what it does, and for whom")
		if i%50 == 49 {
			text.WriteString("\n")
		}
	}
	text.WriteString("\tprintln()\n}\n")
	n := strings.Count(text.String(), "\n")
	s := Source{Path: "a.go", Name: "a.go", Text: text.String(), Changed: true, Definitions: []graph.Definition{{Name: "f", Kind: "func", From: 1, Line: 1, Head: 1, End: n}}}
	for i := range n {
		s.Touched = append(s.Touched, i+1)
	}
	d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 1200, Least: 1})
	for _, one := range d.Files()[0].Stretches {
		if one.From > 1 {
			t.Errorf("lines %d–%d stand without the beginning", one.From, one.To)
		}
	}
	if len(d.Files()[0].Outline) == 0 {
		t.Error("its signature is not told")
	}
}

// TestExpected: of a change that does not fit, what tests are to print is told by the patch alone.
func TestExpected(t *testing.T) {
	for name, want := range map[string]bool{"tests/baseline/out.approved.txt": true, "tests/crane_test.go": false, "tests/README.md": false, "src/names.txt": false} {
		e := &entry{Source: &Source{Path: name}}
		if got := e.isExpected(); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestNamespacesOnce: an outline tells once of a namespace that is opened again and again.
func TestNamespacesOnce(t *testing.T) {
	text := strings.Repeat("namespace quay {\nint berth();\n}\n\n", 3) + "int most = 3;\n"
	s := Source{Path: "a.cpp", Name: "a.cpp", Text: text, Changed: true, Touched: []int{13}}
	for i := range 3 {
		at := 4*i + 1
		s.Definitions = append(s.Definitions, graph.Definition{Name: "quay", Kind: "namespace", From: at, Line: at, Head: at, End: at + 2})
	}
	d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 2000, Least: 1 << 40})
	e := d.entries[0]
	for b := range e.blocks {
		e.taken[b] = false
	}
	if list := d.signatures(e); len(list) != 1 {
		t.Errorf("%q", list)
	}
}
