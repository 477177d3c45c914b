package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
)

// TestNarrow: a changed entry of release notes stands alone, below its headings.
func TestNarrow(t *testing.T) {
	entries := func(from, to int) (s string) {
		for n := from; n <= to; n++ {
			s += fmt.Sprintf("- Entry %d says in so many words what is new,\n  and goes on.\n", n)
		}
		return s
	}
	text := "# Changes\n\nAll that changed.\n\n" + strings.Repeat("Words of the introduction. ", 40) + "\n\n## Unreleased\n\n### Mended\n\n" + entries(1, 20) + "\n### New\n\n" + entries(21, 40)
	lines := strings.Split(text, "\n")
	at := func(begin string) int {
		for i, line := range lines {
			if strings.HasPrefix(line, begin) {
				return i + 1
			}
		}
		t.Fatal(begin)
		return 0
	}
	s := Source{Path: "CHANGELOG.md", Text: text, Changed: true, Touched: []int{at("- Entry 7 ") + 1, at("- Entry 30 ")}}
	s.Narrow()
	e := entry{Source: &s, lines: strings.SplitAfter(text, "\n")}
	var shown strings.Builder
	next := 1
	for b, block := range s.blocks {
		if block.From != next || block.To < block.From {
			t.Fatalf("block %d: lines %d to %d behind %d", b, block.From, block.To, next-1)
		}
		if next = block.To + 1; e.touches(b) {
			shown.WriteString(e.text(b))
		}
	}
	if next != len(lines) { // the last line has its end
		t.Errorf("the blocks end before line %d of %d", next, len(lines))
	}
	want := "## Unreleased\n\n### Mended\n\n" + entries(7, 7) + "### New\n\n" + entries(30, 30)
	if shown.String() != want {
		t.Errorf("shown:\n%s\nwant:\n%s", shown.String(), want)
	}
}

// TestNarrowNothing: what is all new stays in its sections.
func TestNarrowNothing(t *testing.T) {
	for _, text := range []string{"", "x", "# A\n", "```\n# A\n- b\n", "# A\n" + strings.Repeat("- b\n", 400)} {
		s := Source{Path: "x.md", Text: text, Changed: true}
		for n := range strings.Count(text, "\n") + 1 {
			s.Touched = append(s.Touched, n+1)
		}
		want := fmt.Sprint(Blocks(s.Path, []byte(text), nil))
		if s.Narrow(); fmt.Sprint(s.Blocks()) != want {
			t.Errorf("%q: blocks %v, want %s", text, s.blocks, want)
		}
	}
}

// TestNarrowStretches: of a long list what is near the touched lines is a block of its own, up to an empty line, and every line is in one.
func TestNarrowStretches(t *testing.T) {
	text := strings.Repeat("ENTRY(of_a_list_without_end)\n", 100)
	s := Source{Path: "list.h", Text: text, Touched: []int{4, 50, 60}}
	s.Narrow()
	var got []string
	for _, b := range s.Blocks() {
		got = append(got, fmt.Sprint(b.From, "-", b.To))
	}
	if want := "1-14 15-39 40-70 71-100"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
	lines := strings.Split(text, "\n")
	lines[51], lines[46] = "", ""
	s = Source{Path: "list.h", Text: strings.Join(lines, "\n"), Touched: []int{50}}
	s.Narrow()
	got = nil
	for b, block := range s.Blocks() {
		if (&entry{Source: &s, lines: strings.SplitAfter(s.Text, "\n")}).touches(b) {
			got = append(got, fmt.Sprint(block.From, "-", block.To))
		}
	}
	if want := "48-51"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
}

// TestTouches: a function that is written behind another touches that one no more than the empty line between them does.
func TestTouches(t *testing.T) {
	text := "package a\n\nfunc a() {\n\tb()\n\n\tc()\n}\n\nfunc d() {\n}\n"
	definitions := []graph.Definition{{Name: "a", Kind: "function", From: 3, Line: 3, End: 7}, {Name: "d", Kind: "function", From: 9, Line: 9, End: 10}}
	for _, c := range []struct {
		touched []int
		want    string
	}{
		{[]int{8, 9, 10}, "d"},
		{[]int{8}, ""},
		{[]int{5}, "a"},
		{[]int{7, 8, 9}, "a d"},
	} {
		s := Source{Path: "a.go", Text: text, Touched: c.touched, Definitions: definitions}
		e := &entry{Source: &s, lines: strings.SplitAfter(text, "\n")}
		var got []string
		for b, block := range s.Blocks() {
			if e.touches(b) {
				got = append(got, block.Name)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%d touch %q, want %q", c.touched, got, c.want)
		}
	}
}

// TestTouchesEnd: what is written before the end of a module touches that end no more than the empty line between them does.
func TestTouchesEnd(t *testing.T) {
	text := "module A\n\nfunction b()\nend\n\nend # module\n"
	s := Source{Path: "a.jl", Text: text, Touched: []int{3, 4, 5}, Definitions: []graph.Definition{{Name: "b", Kind: "func", From: 3, Line: 3, End: 4}}}
	e := &entry{Source: &s, lines: strings.SplitAfter(text, "\n")}
	for b, block := range s.Blocks() {
		if e.touches(b) != (block.Name == "b") {
			t.Errorf("lines %d to %d, %q: %v", block.From, block.To, block.Name, e.touches(b))
		}
	}
}

// TestFlat: a list is flat, and what holds a block within a block is not.
func TestFlat(t *testing.T) {
	for text, want := range map[string]bool{"a\nb\n": true, "BEGIN\n  a\n\n  b\nEND\n": true, "f:\n\ta\n\tb\n": true, "f:\n\ta\n\t\tb\n": false, "\t\ta\n\t\tb\n": true} {
		if got := flat(strings.SplitAfter(text, "\n")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestHeadings: a heading is named without its badges, and is no part of a change without what stands below it.
func TestHeadings(t *testing.T) {
	for name, want := range map[string]string{
		"Quay [![Build](https://a.example/b.svg)](https://a.example)": "Quay",
		"Quay ![a][b]":  "Quay",
		"![a](b.svg)":   "![a](b.svg)",
		"What [is](it)": "What [is](it)",
	} {
		if got := plainHeading(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	s := &Source{Path: "a.md", Text: "## Quay\n\n- moors\n", blocks: []Block{{From: 1, To: 2}, {From: 3, To: 3}}}
	e := &entry{Source: s, lines: strings.SplitAfter(s.Text, "\n")}
	if !e.framesAlone(0) || e.framesAlone(1) {
		t.Error("a heading alone says something, or an entry nothing")
	}
}

// TestTitle: the title of a manual is no part of a change below another heading, and is where nothing else heads it.
func TestTitle(t *testing.T) {
	lines := strings.SplitAfter("# Quay\n\n- moors\n\n## Cranes\n\n- lift\n\n# Berths\n\n- wait\n", "\n")
	for touched, want := range map[int][]int{3: {1, 3}, 7: {5, 7}, 11: {9, 11}} {
		if _, above := entriesOf(lines, []int{touched}); !slices.Equal(above, want) {
			t.Errorf("line %d: below %v, want %v", touched, above, want)
		}
	}
}
