package brief

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// longFunction is a source with a function of 302 lines, in each ten of which stands a loop.
func longFunction(touched ...int) Source {
	var b strings.Builder
	b.WriteString("func render(words, more string) {\n")
	for n := range 30 {
		fmt.Fprintf(&b, "\tfor one := range part%d {\n%s\t}\n\n", n, strings.Repeat("\t\tcall(with, some, words, and, more)\n", 7))
	}
	b.WriteString("}\n")
	return Source{Path: "a.go", Text: b.String(), Changed: true, Touched: touched, Definitions: []graph.Definition{
		{Name: "render", Kind: "func", From: 1, Line: 1, Head: 1, End: 302}}}
}

// TestLong: of a long definition the head and what stands around touched lines are shown, until all else that is needed is there.
func TestLong(t *testing.T) {
	other := "package other\n\nfunc other() {\n" + strings.Repeat("\tneeded(of, what, is, changed)\n", 40) + "}\n"
	for _, c := range []struct {
		name    string
		budget  int
		touched []int
		beside  int // other files
		want    string
	}{
		{"beside nothing else", 16_000, []int{155}, 0, "[[1 302]]"},
		{"beside what has the room", 8_000, []int{155}, 40, "[[1 1] [145 165]]"},
		{"beside what has the room of a large document", 40_000, []int{155}, 40, "[[1 302]]"},
		{"no room for the rest", 2_000, []int{155}, 0, "[[1 1] [92 181]]"},
		{"two places", 8_000, []int{155, 250}, 40, "[[1 1] [122 165] [240 260]]"},
		{"side by side", 8_000, []int{155, 175}, 40, "[[1 1] [122 185]]"},
		{"next to the head", 8_000, []int{9}, 40, "[[1 31]]"},
		{"an empty line", 8_000, []int{11}, 40, "[[1 31]]"},
	} {
		s := longFunction(c.touched...)
		s.Narrow()
		list := []Source{s}
		for n := range c.beside {
			list = append(list, Source{Path: fmt.Sprintf("other%d.go", n), Text: other, Need: 100})
		}
		d := NewDocument(list, new(tokens.Counter), 100, Budget{Tokens: c.budget})
		var got [][2]int
		for _, one := range d.Files() {
			for _, stretch := range one.Stretches {
				if one.Changed {
					got = append(got, [2]int{stretch.From, stretch.To})
				}
			}
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
		at := 1
		for _, b := range s.Blocks() {
			if b.From != at || b.To < b.From {
				t.Errorf("%s: the blocks %v", c.name, s.Blocks())
				break
			}
			at = b.To + 1
		}
	}
}

// TestLongIsNew: a long definition that is touched in every line is divided as it was.
func TestLongIsNew(t *testing.T) {
	s := longFunction(every(302)...)
	before := fmt.Sprint(Blocks(s.Path, []byte(s.Text), s.Definitions))
	s.Narrow()
	if got := fmt.Sprint(s.Blocks()); got != before {
		t.Errorf("%s, want %s", got, before)
	}
}

func every(n int) (list []int) {
	for i := range n {
		list = append(list, i+1)
	}
	return list
}

// TestAround: the outermost of what is indented around a line that is not long, and some lines on each side.
func TestAround(t *testing.T) {
	python := "def f(a):\n" + strings.Repeat("    other(a)\n", 20) + "    if a:\n" + strings.Repeat("        call(a)\n", 30) + "    else:\n" + strings.Repeat("        call(a)\n", 40)
	lines := strings.SplitAfter(python, "\n")
	for _, c := range [][3]int{{24, 14, 52}, {5, 1, 15}, {70, 60, 80}, {93, 83, 93}} {
		if first, last := around(lines, c[0], 1, 93); first != c[1] || last != c[2] {
			t.Errorf("line %d: %d to %d, want %d to %d", c[0], first, last, c[1], c[2])
		}
	}
}

// TestNear: the ends of what stands around a line cut nothing in two that is indented more than it.
func TestNear(t *testing.T) {
	text := "void F()\n{\n" + strings.Repeat("    call();\n", 5) + "    check(() =>\n    {\n" + strings.Repeat("        other();\n", 4) + "    });\n\n" +
		strings.Repeat("    call();\n", 8) + "    if (x)\n    {\n" + strings.Repeat("        other();\n", 20) + "    }\n}\n"
	lines := strings.SplitAfter(text, "\n")
	for _, c := range [][3]int{{21, 16, 23}, {17, 7, 23}, {3, 1, 7}} {
		if first, last := near(lines, c[0], 1, 47); first != c[1] || last != c[2] {
			t.Errorf("line %d: %d to %d, want %d to %d", c[0], first, last, c[1], c[2])
		}
	}
}
