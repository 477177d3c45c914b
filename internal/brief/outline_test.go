package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// functions is a file of n functions of one name each, with what they define.
func functions(n int) Source {
	var text strings.Builder
	s := Source{Path: "a.go", Name: "a.go", Changed: true}
	for i := range n {
		at := 5*i + 1
		fmt.Fprintf(&text, "func f%d() {\n\tprintln(%q)\n\tprintln(%d)\n}\n\n", i, strings.Repeat("a word ", 20), i)
		s.Definitions = append(s.Definitions, graph.Definition{Name: fmt.Sprint("f", i), Kind: "func", From: at, Line: at, Head: at, End: at + 3})
	}
	s.Text = text.String()
	return s
}

// TestShortOutline: a small document has the signatures nearest to what the change touches, and says that there are more.
func TestShortOutline(t *testing.T) {
	for _, c := range []struct {
		tokens int
		want   string // numbers of functions, and what is left out
	}{
		{2_000, "… 18 19 21 … 35 37 …"},
		{8_000, "… 15 16 17 18 19 21 22 23 24 25 … 31 32 33 34 35 37 38 39 40 41 …"},
		{24_000, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 37 38 39 40 41 42 43 44 45 46 47 48 49"},
	} {
		s := functions(50)
		s.Touched = []int{5*20 + 2, 5*36 + 2}
		d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: c.tokens, Least: 1})
		got := ""
		for _, line := range d.Files()[0].Outline {
			_, name, _ := strings.Cut(line, "func f")
			number, _, _ := strings.Cut(name, "(")
			got += " " + cmp.Or(number, line)
		}
		if got[1:] != c.want {
			t.Errorf("%d tokens:%s, want %s", c.tokens, got, c.want)
		}
	}
}

// TestNamedStretch: lines are named by what they define where that is one thing.
func TestNamedStretch(t *testing.T) {
	for touched, want := range map[[2]int]string{{2, 2}: "1–5 f0", {2, 7}: "1–10 ", {7, 17}: "6–10 f1, 16–20 f3"} {
		s := functions(60)
		s.Touched = slices.Compact(touched[:])
		d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 3000, Least: 1})
		var got []string
		for _, one := range d.Files()[0].Stretches {
			got = append(got, fmt.Sprintf("%d–%d %s", one.From, one.To, one.Name))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("touched %v: %q, want %q", touched, got, want)
		}
	}
}

// TestOutlineOfTests: of a test whose touched lines all stand in the patch no other test is told; of one that is shown in part, and of code, they are.
func TestOutlineOfTests(t *testing.T) {
	for _, c := range []struct {
		path string
		seen []int
		want bool
	}{{"a_test.go", []int{101, 102, 103, 104}, false}, {"a_test.go", []int{101}, true}, {"a.go", []int{101, 102, 103, 104}, true}} {
		s := functions(50)
		s.Path, s.Touched, s.Seen = c.path, []int{102, 103}, c.seen
		d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 4_000, Least: 1})
		if got := d.entries[0].outlined; got != c.want {
			t.Errorf("%s, lines %v in the patch: an outline: %v", c.path, c.seen, got)
		}
	}
}
