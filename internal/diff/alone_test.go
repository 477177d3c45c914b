package diff

import (
	"fmt"
	"strings"
	"testing"
)

// patchOf is a diff of one hunk.
func patchOf(before, after string) []byte {
	n := func(s string) int { return strings.Count(s, "\n") }
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,%d +1,%d @@\n", n(before), n(after))
	for l := range strings.Lines(before) {
		b.WriteString("-" + l)
	}
	for l := range strings.Lines(after) {
		b.WriteString("+" + l)
	}
	return []byte(b.String())
}

// TestSpaceAlone: what is the same but for white space that means nothing, and what only seems so.
func TestSpaceAlone(t *testing.T) {
	free, lines, indents := Space{}, Space{Lines: true}, Space{Indents: true}
	for _, c := range []struct {
		before, after string
		means         Space
		want          bool
	}{
		{"int f(int a){return a+1;}\n", "int f( int a )\n{\n\treturn a + 1;\n}\n", free, true},
		{"f(a, (b));\n", "f(\n  a,\n  ( b )\n);\n", free, true},
		{"x = 1\n\n\ny = 2\n", "x = 1\ny = 2\n", indents, true},
		{"x = a+b\n", "x = a + b\n", indents, true},
		{"if x:\n  y()\n  z()\n", "if x:\n  y()\nz()\n", indents, false},
		{"return\nx\n", "return x\n", lines, false},
		{"\tf(a)\n", "    f(a)\n", lines, true},
		{"say(\"a  b\");\n", "say(\"a b\");\n", free, false},
		{"a = b - -c;\n", "a = b --c;\n", free, false},
		{"int ab;\n", "inta b;\n", free, false},
		{"f(); // now\ng();\n", "f(); // now g();\n", free, false},
		{"// it's  so\nf();\n", "// it's so\nf();\n", free, false},
		{"#define A 1\nint b;\n", "#define A 1 int b;\n", free, false},
		{"f();\n", "f();\n", free, true},
		{"f();\n", "g();\n", free, false},
	} {
		if got := SpaceAlone(patchOf(c.before, c.after), c.means); got != c.want {
			t.Errorf("%q → %q, %+v: %v", c.before, c.after, c.means, got)
		}
	}
	if SpaceAlone([]byte("diff --git a/x b/x\nrename from x\n"), free) {
		t.Error("a patch without lines changes white space")
	}
}

// TestMovedTo: what goes in one file and comes in another, whole, is moved; what changes on the way is not.
func TestMovedTo(t *testing.T) {
	const one = "func one() {\n\tcall(the, first, thing)\n\tcall(the, second, thing)\n\treturn\n}\n\n"
	const two = "func two() {\n\tcall(the, third, thing)\n\tcall(the, fourth, thing)\n\treturn\n}\n\n"
	indented := "class X {\n" + strings.ReplaceAll(one, "\n", "\n  ") + "\n}\n"
	slid := "}\n\nfunc one() {\n\tcall(the, first, thing)\n\tcall(the, second, thing)\n\treturn\n"
	for name, c := range map[string]struct {
		patches [][]byte
		want    []int
	}{
		"moved":             {[][]byte{patchOf(one, ""), patchOf("", one)}, []int{1, -1}},
		"slid":              {[][]byte{patchOf(slid, ""), patchOf("", one)}, []int{1, -1}},
		"in another order":  {[][]byte{patchOf("a = first()\nb = second()\nc = third()\nd = the_fourth_of_them()\nx = a_line_that_is_long_enough()\n", ""), patchOf("", "b = second()\na = first()\nc = third()\nd = the_fourth_of_them()\nx = a_line_that_is_long_enough()\n")}, []int{-1, -1}},
		"edited on the way": {[][]byte{patchOf(one, ""), patchOf("", strings.ReplaceAll(one, "second", "other"))}, []int{-1, -1}},
		"part of more":      {[][]byte{patchOf(one, ""), patchOf("", indented)}, []int{1, -1}},
		"more is lost":      {[][]byte{append(patchOf(one, ""), patchOf(two, "")...), patchOf("", one)}, []int{-1, -1}},
		"to two":            {[][]byte{append(patchOf(one, ""), patchOf(two, "")...), patchOf("", one), patchOf("", two)}, []int{1, -1, -1}},
		"something comes":   {[][]byte{patchOf(one, "x\n"), patchOf("", one)}, []int{-1, -1}},
		"short":             {[][]byte{patchOf("a\nb\nc\n", ""), patchOf("", "a\nb\nc\n")}, []int{-1, -1}},
		"within a file":     {[][]byte{append(patchOf(one, ""), patchOf("", one)...)}, []int{-1}},
	} {
		if got := MovedTo(c.patches); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
