//go:build linux

package hostile

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var shapes = flag.Int("shapes", 0, "how many texts TestShapes makes; 120 with -long or among peers")

// dialect is what the texts of one language are made of.
type dialect struct {
	exts []string
	// opens begin something that may hold anything, and close; bits stand for themselves.
	opens [][2]string
	bits  []string
}

var dialects = []dialect{
	{exts: []string{"ts", "tsx", "mts", "js", "jsx"},
		opens: [][2]string{
			{"async(", ")"}, {"(", ")"}, {"[", "]"}, {"{", "}"}, {"({a:", "})"}, {"<T>(", ")"}, {"<T,>(x=", ")"}, {"async<T>(", ")=>0"}, {"(x=", ")=>0"}, {"({x=", "})"},
			{"`${", "}`"}, {"function(){", "}"}, {"class{", "}"}, {"class{a=", "}"}, {"@(", ")"}, {"if(a)", ""}, {"a?", ":0"}, {"a?(b)=>c:", ""}, {"a?(b):(c=", ")"},
			{"<a b={", "}/>"}, {"<a>{", "}</a>"}, {"<a>", "</a>"}, {"type A=", ";"}, {"A extends infer B extends ", "?1:2"}, {"[a:", "]"}, {"{[k in ", "]:1}"}, {"a<", ">"}, {"a<(b:", ")=>c>"},
			{"import('./b',", ")"}, {"export default ", ""}, {"declare module 'x' {", "}"}, {"namespace N {", "}"}, {"new ", ""}, {"typeof ", ""}, {"await ", ""}, {"yield ", ""}, {"...", ""}, {"!", ""}, {"- ", ""},
			{"/** @type {", "} */"}, {"/*", "*/"}, {"for(;;)", ""}, {"switch(a){case ", ":}"}, {"try{", "}catch{}"}, {"label:", ""}, {"x=>", ""}, {"as ", ""}, {"satisfies ", ""}, {"keyof ", ""}, {"unique symbol|", ""},
		},
		bits: []string{"a", ",", ";", "\n", "=", "=>", "'./b'", "\"", "`", "/", "//", "<", ">", "?.", "??", "...", ":", "import './b'\n", "export * from './b'\n", "import {a} from './b';", "0", "#a", "@a", "async", "\\u0061", "\u2028", "漢"},
	},
	{exts: []string{"go"},
		opens: [][2]string{{"(", ")"}, {"[", "]"}, {"{", "}"}, {"func(){", "}"}, {"func(a ", "){}"}, {"[]", ""}, {"map[string]", ""}, {"struct{a ", "}"}, {"interface{a() ", "}"}, {"a[", "]"}, {"a(", ")"}, {"*", ""}, {"&", ""}, {"<-", ""}, {"chan ", ""}, {"if a {", "}"}, {"go ", ""}, {"x:=", ""}, {"type A[T ", "] int"}, {"/*", "*/"}},
		bits:  []string{"package a\n", "import \"fmt\"\n", "import (\n", "fmt.Println", "a", ",", ";", "\n", "\"", "`", "'", "0", ".", "//", "func ", "var ", "const ", "type "},
	},
	{exts: []string{"py", "pyi"},
		opens: [][2]string{{"(", ")"}, {"[", "]"}, {"{", "}"}, {"{a:", "}"}, {"lambda a:", ""}, {"f'{", "}'"}, {"f\"\"\"{", "}\"\"\""}, {"def f(a=", "):\n"}, {"class A(", "):\n"}, {"if a:\n ", ""}, {"@a\n", ""}, {"not ", ""}, {"await ", ""}, {"*", ""}, {"'''", "'''"}, {"\"\"\"", "\"\"\""}},
		bits:  []string{"import a\n", "from . import b\n", "from .b import (", "a", ",", ":", "\n", "\n    ", "\t", "\\\n", "#", "'", "\"", "0", "=", "import_module('a.b')", "__all__ = ['a']\n", "r'", "b'"},
	},
}

// text makes a text of up to size bytes: a few patterns of productions, each repeated, some closed.
func (d *dialect) text(r *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		var open, shut string
		for range 1 + r.IntN(3) {
			if r.IntN(4) == 0 {
				open += d.bits[r.IntN(len(d.bits))]
				continue
			}
			o := d.opens[r.IntN(len(d.opens))]
			open, shut = open+o[0], o[1]+shut
		}
		left := size - b.Len()
		n := max(1, left/max(1, len(open)))
		if r.IntN(3) > 0 {
			n = 1 + r.IntN(n) // else to the end
		}
		b.WriteString(strings.Repeat(open, n))
		if r.IntN(3) == 0 {
			b.WriteString(strings.Repeat(shut, n))
		}
		if r.IntN(2) == 0 {
			b.WriteString(d.bits[r.IntN(len(d.bits))])
		}
	}
	return b.String()
}

// perRun is how many texts one run is given: what ten of them do not do, none does.
const perRun = 10

// shapeAttack is the run of texts number n and on.
func shapeAttack(n int) attack {
	return attack{class: "shapes", name: fmt.Sprint(n), run: graphed, seconds: 20, set: func(t *testing.T, dir string) {
		write(t, dir, "b.ts", []byte("export const b = 1\n"))
		write(t, dir, "go.mod", []byte("module a\n"))
		for i := n; i < n+perRun; i++ {
			r := rand.New(rand.NewPCG(uint64(i), 20))
			d := &dialects[[]int{0, 0, 0, 1, 2}[i%5]]
			// As many of ten bytes as of a hundred, of a thousand, up to a million.
			size := 10
			for range r.IntN(6) {
				size *= 10
			}
			name := fmt.Sprintf("s%d/a.%s", i, d.exts[r.IntN(len(d.exts))])
			text := d.text(r, size/10+r.IntN(size))
			write(t, dir, name, []byte(text[:min(len(text), 1<<20)]))
		}
	}}
}

// TestShapes gives the readers of sources texts that nobody thought of. None takes a run over 20 seconds or 512 MiB.
func TestShapes(t *testing.T) {
	if raced {
		t.Skip("time and memory mean nothing under the race detector")
	}
	n := *shapes
	if n == 0 && (*long || os.Getenv("HAVERSACK_PEERS") != "") {
		n = 120
	}
	if n == 0 {
		t.Skip("takes long: -shapes N, -long, or HAVERSACK_PEERS=1")
	}
	for i := 0; i < n; i += perRun {
		t.Run(fmt.Sprint(i), func(t *testing.T) { watch(t, shapeAttack(i)) })
	}
}
