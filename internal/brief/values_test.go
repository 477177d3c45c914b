package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// valueList is a source with a long list of values in 60 entries, and a function of 60 lines.
func valueList(touched ...int) Source {
	text := "const keys = {\n" + strings.Repeat("  entry: Symbol('of a list of values'),\n", 60) + "}\n\nfunction f () {\n" + strings.Repeat("  call(with, some, words, and, more)\n", 60) + "}\n"
	return Source{Path: "k.js", Text: text, Changed: true, Touched: touched, Definitions: []graph.Definition{
		{Name: "keys", Kind: "const", From: 1, Line: 1, Head: 1, End: 62}, {Name: "f", Kind: "func", From: 64, Line: 64, Head: 64, End: 125}}}
}

// TestLists: of a long list of values a change that does not fit shows what is near its lines, and nothing of what the patch shows; one that
// fits shows all.
func TestLists(t *testing.T) {
	for _, c := range []struct {
		budget int
		seen   bool
		want   string
	}{
		{16_000, false, "[[1 125]]"}, {2000, false, "[[27 33] [64 125]]"}, {2000, true, "[[64 125]]"}, {16_000, true, "[[1 125]]"},
	} {
		s := valueList(30, 100)
		if c.seen {
			s.Seen = []int{28, 29, 30, 31, 32}
		}
		s.Narrow()
		d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: c.budget})
		var got [][2]int
		for _, one := range d.Files() {
			for _, stretch := range one.Stretches {
				got = append(got, [2]int{stretch.From, stretch.To})
			}
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%d tokens, seen %v: %v, want %s", c.budget, c.seen, got, c.want)
		}
	}
}

// TestListOf: what counts as a list of values, and which lines are near a touched one: its entry, and some around it.
func TestListOf(t *testing.T) {
	entry := "\t\"some name of one\": {\n\t\tValue: 1,\n\t\tOther: \"of it\", // said\n\t\tThird: \"of it\",\n\t\tFourth: \"of it\",\n\t\tFifth: \"of it\",\n\t},\n"
	code := "\tif some(name, of, one) {\n\t\tcall(it, with, words)\n\t}\n\treturn it.that(is, no, list)\n\n"
	for _, c := range []struct{ name, body, want string }{
		{"entries", strings.Repeat(entry, 10), "1-15 16-22 23-73"},
		{"code", strings.Repeat(code, 10), "1-53"},
		{"few", strings.Repeat(entry, 2), "1-17"},
	} {
		text := "var table = map[string]thing{\n" + c.body + "}\n\n"
		end := strings.Count(text, "\n") - 1
		s := Source{Path: "t.go", Text: text, Touched: []int{19}, Definitions: []graph.Definition{{Name: "table", Kind: "var", From: 1, Line: 1, Head: 1, End: end}}}
		if c.name == "few" {
			s.Touched = []int{9}
		}
		s.Narrow()
		var got []string
		for _, b := range s.Blocks() {
			if b.Name != "table" {
				t.Errorf("%s: %v is not of the table", c.name, b)
			}
			got = append(got, fmt.Sprint(b.From, "-", b.To))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, strings.Join(got, " "), c.want)
		}
	}
}

// TestLongImports: of a long list of imports three lines stand around what changes, as in a patch.
func TestLongImports(t *testing.T) {
	text := "import {\n" + strings.Repeat("  oneOfMany,\n", 50) + "} from './many.js'\nimport { other } from './other.js'\n\nsetup(here)\n"
	s := Source{Path: "x.js", Text: text, Changed: true, Touched: []int{20}}
	s.Narrow()
	at := slices.IndexFunc(s.Blocks(), func(b Block) bool { return b.From <= 20 && b.To >= 20 })
	if b := s.Blocks()[at]; b.From != 17 || b.To != 23 || !b.OfList {
		t.Errorf("%v", s.Blocks())
	}
	for name, imports := range map[string]bool{"x.js": true, "x.json": false} {
		s := Source{Path: name, Text: strings.ReplaceAll(text, "oneOfMany", "oneOfMany, another, and, some, more, of, them, here"), Changed: true, Touched: []int{20}}
		s.Narrow()
		d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 4000})
		if shown := len(d.Lines(name)) > 0; shown == imports {
			t.Errorf("%s: %v", name, d.Lines(name))
		}
	}
}
