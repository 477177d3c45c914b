package brief

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

const wellKept = `// Package a does things.
package a

import "fmt"

// limit is how many.
const limit = 3

// Server serves.
type Server struct {
	// Addr is where.
	Addr string
}

// Serve serves until it is told to stop.
func (s *Server) Serve() error {
	fmt.Println(s.Addr)
	return nil
}

func helper() int {
	return limit
}
`

func define(t *testing.T, name, text string) []graph.Definition {
	t.Helper()
	p, ok := provider.For(name)
	if !ok {
		return nil
	}
	list, err := p.Define(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A definition is a block with its comment, and what stands between is one of its own.
func TestBlocks(t *testing.T) {
	var got strings.Builder
	for _, b := range Blocks("a.go", []byte(wellKept), define(t, "a.go", wellKept)) {
		fmt.Fprintf(&got, "%d-%d %s\n", b.From, b.To, b.Name)
	}
	if want := "1-5 \n6-8 limit\n9-14 Server\n15-20 Server.Serve\n21-23 helper\n"; got.String() != want {
		t.Errorf("%q, want %q", got.String(), want)
	}
}

// What only closes is no block of its own, whatever closes, nor is a word that says who may use what comes: a reader who is handed it
// alone is handed nothing.
func TestBlocksClose(t *testing.T) {
	long := strings.Repeat("  # what it does, and for whom, in as many words as it takes\n", 20)
	for name, text := range map[string]string{
		"a.rb": "module A\n  class B\n" + long + "    def one\n" + long + "    end\n\n    private\n\n" + long + "    def two\n" + long + "    end\n  end\nend\n",
		"a.kt": "class B {\n" + strings.Repeat("    // what it does, and for whom\n", 100) + "    fun two() {\n" + strings.Repeat("        two()\n", 9) + "    }\n\n    }\n}\n",
		"a.c":  "#ifdef A\n" + strings.Repeat("int x;\n", 400) + "int two(void)\n{\n  return 0;\n}\n\n#endif /* A */\n",
	} {
		list := Blocks(name, []byte(text), define(t, name, text))
		last := list[len(list)-1]
		for _, b := range list {
			if words := strings.TrimSpace(strings.Join(strings.SplitAfter(text, "\n")[b.From-1:b.To], "")); words == "private" {
				t.Errorf("%s: line %d is a block of its own", name, b.From)
			}
		}
		if !strings.HasSuffix(last.Name, "two") || last.To != strings.Count(text, "\n") {
			t.Errorf("%s: the last block is %+v of %d lines", name, last, strings.Count(text, "\n"))
		}
	}
}

// Whatever a text and its definitions are, every line is in exactly one block.
func FuzzBlocks(f *testing.F) {
	f.Add("a.go", wellKept, uint64(1))
	f.Add("a.md", "# a\n\ntext\n```\n# no\n```\n## b\n", uint64(2))
	f.Add("a.c", strings.Repeat("int f(void) {\n\treturn 0;\n}\n\n", 300), uint64(3))
	f.Fuzz(func(t *testing.T, name, text string, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		lines := strings.Count(text, "\n") + 1
		var definitions []graph.Definition
		for range rng.IntN(8) {
			from := rng.IntN(lines+3) - 1
			line := from + rng.IntN(3)
			head := line + rng.IntN(3)
			definitions = append(definitions, graph.Definition{Name: "x", From: from, Line: line, Head: head, End: head + rng.IntN(lines+1)})
		}
		next := 1
		for _, b := range Blocks(name, []byte(text), definitions) {
			if b.From != next || b.To < b.From {
				t.Fatalf("lines %d to %d follow line %d", b.From, b.To, next-1)
			}
			if s := b.Signature; s[0] > s[1] {
				t.Fatalf("a signature from %d to %d", s[0], s[1])
			}
			next = b.To + 1
		}
		if n := len(strings.SplitAfter(text, "\n")); text != "" && next != n+1 && !(strings.HasSuffix(text, "\n") && next == n) {
			t.Fatalf("the last block ends at line %d of %d", next-1, n)
		}
	})
}

// world makes sources: a changed one and others, some of them long.
func world(t *testing.T, n int) []Source {
	rng := rand.New(rand.NewPCG(7, 8))
	list := []Source{{Path: "a.go", Text: wellKept, Definitions: define(t, "a.go", wellKept), Changed: true, Touched: []int{17}, Why: []string{"changed"}}}
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("// Serve%d is served.\nfunc Serve%d() {\n\tprintln(limit)\n}\n\n", i, i), 1+rng.IntN(200))
		one := Source{Path: fmt.Sprintf("b%02d.go", i), Text: text, Why: []string{"rank", "uses Serve"}}
		for range Blocks(one.Path, []byte(text), nil) {
			one.Needs = append(one.Needs, int64(n-i)*10_000+int64(rng.IntN(1_000_000)))
		}
		list = append(list, one)
	}
	return list
}

// orderOf has these files in the order of what the changes need.
func orderOf(t *testing.T, files map[string]string, changes ...rank.Change) *rank.Order {
	t.Helper()
	in := rank.Input{Changes: changes}
	for name, text := range files {
		in.Files = append(in.Files, tree.Bytes(name, []byte(text)))
	}
	order, err := rank.Files(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return order
}

// What a file imports stands in a document with something else of it, or not at all.
func TestImportsAlone(t *testing.T) {
	head := "package b\n\nimport (\n\t\"fmt\"\n)\n\nimport \"a/freightOf\"\nimport \"a/freightOf/orders\"\nimport \"a/freightOf/walls\"\nimport \"a/freightOf/ships\"\n\n"
	long := "func Ship(o Order) int {\n" + strings.Repeat("\tfmt.Println(freightOf(o), \"what it does\")\n", 50) + "\treturn 1\n}\n"
	files := map[string]string{"a/freight.go": "package a\n\nfunc freightOf(o Order) int { return 2 }\n", "b/ship.go": head + long, "c/ship.go": head}
	order := orderOf(t, files, rank.Change{Path: "a/freight.go", Patch: []byte("@@ -3 +3 @@\n-func freightOf(o Order) int { return 1 }\n+func freightOf(o Order) int { return 2 }\n")})
	read := func(p string, _ bool) (*Source, error) {
		return &Source{Path: p, Text: files[p], Definitions: define(t, p, files[p])}, nil
	}
	for tokensOf, want := range map[int][2]Level{500: {Listed, Whole}, 2000: {Whole, Whole}} {
		budget := Budget{Tokens: tokensOf, Least: math.MinInt64 / 2}
		list, err := Needed(order, budget, nil, read)
		if err != nil {
			t.Fatal(err)
		}
		d := NewDocument(list, new(tokens.Counter), 10, budget)
		if got := [2]Level{d.Level("b/ship.go"), d.Level("c/ship.go")}; got != want {
			t.Errorf("%d tokens: %v, want %v", tokensOf, got, want)
		}
	}
}

// A document keeps its budget as it is written, in one part or in many, and shows what was touched.
func TestBudget(t *testing.T) {
	counter := new(tokens.Counter)
	for _, limit := range []int{600, 2000, 8000, 32000} {
		for _, part := range []int{0, 500, 3000} {
			d := NewDocument(world(t, 40), counter, 10, Budget{Tokens: limit, Least: -1 << 40})
			changed, needed := d.Sections()
			parts, told := Parts("# Head\n", changed, needed, counter, part)
			total := 0
			for _, p := range parts {
				total += counter.Count([]byte(p))
			}
			if told != total {
				t.Errorf("limit %d, part %d: %d tokens told, %d written", limit, part, told, total)
			}
			if total > limit+20*len(parts) {
				t.Errorf("limit %d, part %d: %d tokens in %d parts", limit, part, total, len(parts))
			}
			if limit > 600 && total < limit/2 {
				t.Errorf("limit %d, part %d: %d tokens alone", limit, part, total)
			}
			if !strings.Contains(strings.Join(parts, ""), "func (s *Server) Serve() error {\n\tfmt.Println") {
				t.Errorf("limit %d, part %d: the changed definition is missing", limit, part)
			}
			if part > 0 && limit > 2*part && len(parts) < 2 {
				t.Errorf("limit %d: one part", limit)
			}
		}
	}
}

// A document may be bound by the tokens of its change, but for so many as any may have; what the change touches stands in it.
func TestTimes(t *testing.T) {
	counter := new(tokens.Counter)
	for _, c := range []struct{ limit, fixed, least, most int }{{0, 100, 3000, enoughOfText}, {32000, 2000, 7500, 12000}, {3000, 100, 2000, 3000}} {
		d := NewDocument(world(t, 40), counter, c.fixed, Budget{Tokens: c.limit, Least: -1 << 40, Times: 4})
		if d.spent < c.least || d.spent > c.most {
			t.Errorf("limit %d, %d tokens before: %d tokens, want %d to %d", c.limit, c.fixed, d.spent, c.least, c.most)
		}
		changed, _ := d.Sections()
		if len(changed) == 0 {
			t.Errorf("limit %d, %d tokens before: nothing of the change", c.limit, c.fixed)
		}
	}
}

// Taken back one by one, nothing is left of what is not changed, and what is left costs nothing more.
func TestDrop(t *testing.T) {
	d := NewDocument(world(t, 10), new(tokens.Counter), 10, Budget{Tokens: 8000, Least: -1 << 40})
	for d.Drop(1) {
	}
	if changed, needed := d.Sections(); len(changed)+len(needed) > 1 || d.spent > 8000 {
		t.Errorf("%d and %d files are left, %d tokens spent", len(changed), len(needed), d.spent)
	}
}

// Nobody's words end a span or a fence, or begin a line as mark-up.
func TestQuoting(t *testing.T) {
	for _, words := range []string{"`", "a`b``c", "```", " ", "a\nb", "\u202ex", "@user", "[x](http://y)", "<b>", "www.x.org"} {
		for _, shown := range []string{Span(words), Words(words)} {
			if strings.ContainsAny(shown, "\n\u202e") {
				t.Errorf("%q: %q", words, shown)
			}
		}
		fence := Fence("go", words)
		mark := fence[:strings.IndexByte(fence, 'g')]
		if strings.Count(fence, mark) != 2 {
			t.Errorf("%q: %q", words, fence)
		}
	}
}

// The innermost definition of a touched line counts, and not the one that holds it.
func TestTouchedDefinitions(t *testing.T) {
	definitions := []graph.Definition{{Name: "A", From: 1, Line: 1, End: 50}, {Name: "A.b", From: 5, Line: 6, End: 10},
		{Name: "A.c", From: 20, Line: 20, End: 30}, {Name: "d", From: 60, Line: 60, End: 61}}
	for _, c := range []struct {
		touched []int
		want    string
	}{
		{[]int{7, 9, 25}, "[[5 10] [20 30]]"}, {[]int{7, 12}, "[[5 10] [1 50]]"}, {[]int{55}, "[]"}, {[]int{50, 60, 61}, "[[60 61] [1 50]]"}, {nil, "[]"},
	} {
		if got := fmt.Sprint(touchedDefinitions(definitions, c.touched, 70)); got != c.want {
			t.Errorf("%v: %s, want %s", c.touched, got, c.want)
		}
	}
}

// TestTakeDefinition: of a definition that is too long its head and the lines around a touched one are taken, and never its end alone.
func TestTakeDefinition(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n\nfunc long() {\n")
	for i := range 400 {
		words := 1
		if i > 190 && i < 210 {
			words = 60
		}
		fmt.Fprintf(&b, "\tstatement%d(%s)\n", i, strings.Repeat("first, second, ", words))
	}
	b.WriteString("}\n")
	sources := func() []Source {
		return []Source{{Path: "a.go", Text: b.String(), Definitions: define(t, "a.go", b.String()), Changed: true, Touched: []int{200}}}
	}
	for _, limit := range []int{700, 2_500, 6_000, 40_000} {
		d := NewDocument(sources(), new(tokens.Counter), 10, Budget{Tokens: limit})
		e := d.entries[0]
		stretches := 0
		for at, taken := range e.taken {
			if taken && (at == 0 || !e.taken[at-1]) {
				stretches++
			}
			if e.touches(at) && !taken && stretches > 0 {
				t.Errorf("%d tokens: %v are taken, and not the touched %d", limit, e.taken, at)
			}
		}
		if stretches > 2 || limit == 40_000 && stretches == 0 {
			t.Errorf("%d tokens: %v are taken, in %d stretches", limit, e.taken, stretches)
		}
	}
}

// TestChangeRoom: a change that fits into half of a budget, the heads of its files aside, is there whole; of one that does not, the
// blocks take what its patch leaves of the half, or touchedPart, so that what it needs has the rest.
func TestChangeRoom(t *testing.T) {
	counter := new(tokens.Counter)
	var text strings.Builder
	text.WriteString("package mill\n\n")
	for i := range 60 {
		fmt.Fprintf(&text, "// Grind%d grinds.\nfunc Grind%d(grain int) int {\n\tflour := grain * %d // as fine as the stone allows, and no finer\n\treturn flour - husks(%d)\n}\n\n", i, i, i, i)
	}
	for _, c := range []struct {
		limit, fixed, touched int
		whole                 bool
	}{
		{8_000, 2_300, 20, true},
		{8_000, 3_500, 60, false},
		{8_000, 300, 60, true},
		{8_000, 5_000, 5, true}, // beside a patch that is longer than the half
		{8_000, 5_000, 60, false},
		{32_000, 8_000, 60, true},
		{0, 9_000, 60, true},
	} {
		s := Source{Path: "mill.go", Text: text.String(), Definitions: define(t, "mill.go", text.String()), Changed: true}
		for i := range c.touched {
			s.Touched = append(s.Touched, 5+6*i)
		}
		d := NewDocument([]Source{s}, counter, c.fixed, Budget{Tokens: c.limit, Least: 1 << 40})
		missing := 0
		for b, taken := range d.entries[0].taken {
			if d.entries[0].touches(b) && !taken {
				missing++
			}
		}
		if (missing == 0) != c.whole {
			t.Errorf("%d tokens, %d of them fixed: %d of %d touched blocks are missing", c.limit, c.fixed, missing, c.touched)
		}
		if !c.whole && d.spent > max(c.fixed+c.limit/touchedPart, c.limit/2) {
			t.Errorf("%d tokens, %d of them fixed: the change takes %d", c.limit, c.fixed, d.spent)
		}
	}
}

// TestSeenMember: a long class of which the patch shows what is touched, and not the rest, stands whole where it fits, and not in parts
// where it does not.
func TestSeenMember(t *testing.T) {
	var b strings.Builder
	b.WriteString("#ifndef MILL_H\n\nclass Mill {\n public:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  // Grinds with stone %d, which is as heavy as it is old, and turns slowly.\n  int Grind%d(int grain) const {\n    return grain * %d;\n  }\n\n", i, i, i)
	}
	at := strings.Count(b.String(), "\n") + 2
	b.WriteString(" private:\n  friend class Miller;\n\n  int stones_;\n};\n\n#endif\n")
	for limit, whole := range map[int]bool{20_000: true, 2_000: false} {
		s := Source{Path: "mill.h", Text: b.String(), Definitions: define(t, "mill.h", b.String()), Changed: true, Touched: []int{at}}
		for n := at - 3; n <= at+5; n++ {
			s.Seen = append(s.Seen, n)
		}
		e := NewDocument([]Source{s}, new(tokens.Counter), 10, Budget{Tokens: limit, Least: 1 << 40}).entries[0]
		if held := slices.Contains(e.taken, true); held != whole || whole && e.level() != Whole && e.bytes < len(e.Text)*9/10 {
			t.Errorf("%d tokens: of the class %v are taken", limit, e.taken)
		}
	}
}

// What fits into a room costs there what it costs anywhere, and what does not is not counted to its end.
func TestCostWithin(t *testing.T) {
	counter := new(tokens.Counter)
	d := NewDocument(world(t, 12), counter, 10, Budget{Tokens: 3000, Least: -1 << 40})
	fit, not := 0, 0
	for _, e := range d.entries {
		for b := range e.blocks {
			if e.taken[b] {
				continue
			}
			whole := d.cost(e, b)
			for _, room := range []int{-5, 0, 1, 13, 40, whole - 1, whole, whole + 1, 100_000} {
				switch got := d.costWithin(e, b, room); {
				case whole <= room && got == whole:
					fit++
				case whole > room && got > room:
					not++
				default:
					t.Errorf("%s, block %d: %d in a room of %d, want %d", e.Path, b, got, room, whole)
				}
			}
		}
	}
	if fit < 20 || not < 20 {
		t.Errorf("%d fit and %d do not: too few to tell", fit, not)
	}
}

// Text that is printed as it is is not made anew.
func TestPrintableIsFree(t *testing.T) {
	code := strings.Repeat("\tx := \"~\" // plain\n", 100)
	if n := testing.AllocsPerRun(10, func() { Printable(code) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for _, c := range []struct{ text, want string }{{"a\r\nb\x7f", "a\nb?"}, {"\u2028é\x01\xff", "?é?\uFFFD"}, {"a\rb", "a?b"}} {
		if got := Printable(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestOpensAlone: what a file opens with says nothing of what it holds.
func TestOpensAlone(t *testing.T) {
	for text, want := range map[string]bool{
		"package a.b;\n\n":                    true,
		"<?php\n\ndeclare(strict_types=1);\n": true,
		"package a\n\nconst b = 1\n":          false,
	} {
		e := &entry{Source: &Source{Path: "a", blocks: []Block{{From: 1, To: strings.Count(text, "\n")}}}, lines: strings.SplitAfter(text, "\n")}
		if got := e.opensAlone(0); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestFramesAlone: what a preprocessor asks, and what others stand in, is no block to read where none of that stands there.
func TestFramesAlone(t *testing.T) {
	for text, want := range map[string]bool{
		"#endif\n\n#ifndef P_\n#if defined(__STDC__)\n": true,
		"#ifndef P_\n# define P_(args) args\n#endif\n":  false,
		"#include <time.h>\n":                           false,
		"#else\n#elif X\n":                              true,
		"module Quay\n\n":                               true,
		"end # module\n":                                true,
		"defmodule Quay do\n":                           true,
		"}  // namespace quay\n":                        true,
		"module Quay where\n":                           false,
		"ending = 1\n":                                  false,
		"{ \"tides\": {\n":                              true,
		"{ \"tide\": 3,\n":                              false,
		"<project xmlns=\"quay\">\n":                    true,
		"<tide high=\"3\"/>\n":                          false,
		"<tide>3</tide>\n":                              false,
	} {
		s := &Source{Path: "a.h", Text: text}
		e := &entry{Source: s, lines: strings.SplitAfter(text, "\n")}
		s.blocks = []Block{{From: 1, To: strings.Count(text, "\n")}}
		if got := e.framesAlone(0); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestSeen: what the patch shows whole of a changed file is not shown again, but for what is a part of a longer definition.
func TestSeen(t *testing.T) {
	var b strings.Builder
	b.WriteString("package p\n\n")
	var definitions []graph.Definition
	add := func(name string, lines int) (from, to int) {
		from = strings.Count(b.String(), "\n") + 1
		b.WriteString("func " + name + "() {\n" + strings.Repeat("\tcall(with, some, words)\n", lines) + "}\n")
		to = strings.Count(b.String(), "\n")
		b.WriteString("\n")
		definitions = append(definitions, graph.Definition{Name: name, From: from, Line: from, Head: from, End: to})
		return from, to
	}
	add("Before", 60)
	from, to := add("New", 5)
	long, _ := add("Long", 300)
	add("After", 60)
	span := func(from, to int) (list []int) {
		for n := from; n <= to; n++ {
			list = append(list, n)
		}
		return list
	}
	s := Source{Path: "p.go", Text: b.String(), Definitions: definitions, Changed: true, Touched: append(span(from, to), long+100)}
	s.Seen = append(span(from-3, to+3), span(long+97, long+103)...)
	d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 16000})
	shown := func(n int) bool {
		return slices.ContainsFunc(d.Lines("p.go"), func(r [2]int) bool { return r[0] <= n && n <= r[1] })
	}
	if shown(from) || !shown(long) || !shown(long+100) || !shown(long+300) || !d.InPatch("p.go") {
		t.Errorf("%v of New at %d, Long at %d", d.Lines("p.go"), from, long)
	}
	if slices.ContainsFunc(d.Files()[0].Outline, func(line string) bool { return strings.Contains(line, "New") }) {
		t.Error(d.Files()[0].Outline)
	}
	// A long one of which every line is in the patch is not either, however it is parted.
	s.Touched, s.Seen, s.blocks = span(long, long+301), span(long, long+301), nil
	if d = NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 16000}); shown(long) || shown(long+100) || shown(long+300) {
		t.Errorf("%v of Long at %d, which the patch shows", d.Lines("p.go"), long)
	}
}

// TestParted: a class of which a line of its own changes, and a method, stands whole where half of the budget holds it; else they do, and
// the outline of the rest.
func TestParted(t *testing.T) {
	for _, c := range []struct {
		lines, budget int
		whole         bool
	}{{2, 6000, true}, {40, 6000, false}, {40, 32000, true}} {
		lines, whole := c.lines, c.whole
		var b strings.Builder
		b.WriteString("class C {\n\tsize = 1\n\n")
		definitions := []graph.Definition{{Name: "C", Kind: "class", From: 1, Line: 1, Head: 1}}
		var starts []int
		for n := range 12 {
			from := strings.Count(b.String(), "\n") + 1
			fmt.Fprintf(&b, "\tmethod%d() {\n%s\t}\n\n", n, strings.Repeat("\t\tcall(with, some, words, and, more)\n", lines))
			definitions = append(definitions, graph.Definition{Name: fmt.Sprintf("C.method%d", n), Kind: "method", From: from, Line: from, Head: from, End: from + lines + 1})
			starts = append(starts, from)
		}
		b.WriteString("}\n")
		definitions[0].End = strings.Count(b.String(), "\n")
		s := Source{Path: "c.ts", Text: b.String(), Definitions: definitions, Changed: true, Touched: []int{2, starts[6] + 1}}
		d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: c.budget})
		shown := func(n int) bool {
			return slices.ContainsFunc(d.Lines("c.ts"), func(r [2]int) bool { return r[0] <= n && n <= r[1] })
		}
		if !shown(2) || !shown(starts[6]) || !shown(starts[6]+lines+1) || shown(starts[3]+1) != whole || shown(starts[9]+1) != whole {
			t.Errorf("methods of %d lines in %d tokens: %v", lines, c.budget, d.Lines("c.ts"))
		}
		if outline := strings.Join(d.Files()[0].Outline, "\n"); !whole && (!strings.Contains(outline, "method9") || strings.Contains(outline, "method6")) {
			t.Errorf("the outline: %s", outline)
		}
	}
}

// What a module imports at its head is no change of all that it holds.
func TestImportsWithin(t *testing.T) {
	for line, want := range map[string]bool{"alias Ecto.Query.{A, B}": true, "use super::*;": true, "pub use a::b;": true, "using System;": true, "use HasFactory;": false,
		"import = 3": false, "require (x)": false, "pub fn a() -> b::C;": false, "import": false, "user::call();": false} {
		if got := ImportsWithin(line); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
	for path, want := range map[string][]int{"a.ex": {1, 4, 9}, "a.md": {1, 2, 4, 9}} {
		e := &entry{Source: &Source{Path: path, Touched: []int{1, 2, 3, 4, 9}}, lines: []string{"defmodule A do\n", "  import B\n", "\n", "  x\n"}}
		if got := e.touchedWords(); !slices.Equal(got, want) {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// What names the namespace of a file is a part of what stands next to it, and no block of its own.
func TestBlocksNamespace(t *testing.T) {
	body := strings.Repeat("        tie(\"a long rope of the quay\");\n", 40)
	text := "using Rope;\n\nnamespace Quay.Ships;\n\npublic class Ship\n{\n    public void Moor()\n    {\n" + body + "    }\n\n    public void Free()\n    {\n" + body + "    }\n}\n"
	for _, b := range Blocks("Ship.cs", []byte(text), declaration.Read("Ship.cs", []byte(text))) {
		if b.Name == "Quay.Ships" {
			t.Errorf("lines %d to %d are %s", b.From, b.To, b.Name)
		}
	}
}
