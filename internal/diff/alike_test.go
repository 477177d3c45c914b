package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// editOf are the lines that a patch takes away and adds, with their marks.
func editOf(patch []byte) (list []string) {
	eachLine(patch, func(mark byte, line []byte) bool {
		if mark == '+' || mark == '-' {
			list = append(list, string(mark)+string(line))
		}
		return true
	})
	return list
}

// TestSameEdits: an edit of some length that two files have, and a short one that five have, is told once; what differs in a sign, in
// order, in indentation, or in which side ends without a line's end is another one.
func TestSameEdits(t *testing.T) {
	const was, is = "  open(the, first, barrel)\n  pour(the, first, barrel)\n  note(\"first\", now)\n  close(the, first, barrel)\n", "  drain(the, first, barrel)\n"
	long := patchOf(was, is)
	short := patchOf("version 1\n", "version 2\n")
	around := []byte(strings.Replace(string(short), "@@ -1,1 +1,1 @@\n", "@@ -8,2 +9,2 @@\n else\n", 1))
	for name, c := range map[string]struct {
		patches [][]byte
		want    []int
	}{
		"two of a long one":      {[][]byte{long, short, long}, []int{-1, -1, 0}},
		"four of a short one":    {[][]byte{short, short, short, short}, []int{-1, -1, -1, -1}},
		"five of a short one":    {[][]byte{short, long, short, around, short, short}, []int{-1, -1, 0, 0, 0, 0}},
		"another sign":           {[][]byte{long, patchOf(was, strings.ReplaceAll(is, "drain", "grain"))}, []int{-1, -1}},
		"indented otherwise":     {[][]byte{long, patchOf(was, "  "+is)}, []int{-1, -1}},
		"the other way":          {[][]byte{long, patchOf(is, was)}, []int{-1, -1}},
		"no end of the line":     {[][]byte{long, append(slices.Clone(long), "\\ No newline at end of file\n"...)}, []int{-1, -1}},
		"empty lines alone":      {[][]byte{patchOf("", strings.Repeat("\n", 200)), patchOf("", strings.Repeat("\n", 200))}, []int{-1, -1}},
		"moves and not shown":    {[][]byte{[]byte("rename from a\nrename to b\n"), nil, nil, []byte("rename from a\nrename to b\n")}, []int{-1, -1, -1, -1}},
		"lines that look marked": {[][]byte{patchOf("-- a/x of some length, or more\n++ b/x\n@@ -1 +1 @@\n and more of it, to a hundred bytes\n", "x\n+x of thirty bytes and some more\n"), long}, []int{-1, -1}},
	} {
		if got := SameEdits(c.patches); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// FuzzSameEdits: what is told by another patch can be made again from that one, line by line, and that one is shown itself.
func FuzzSameEdits(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n", "x\na\nb\n", "x\na\nc\n")
	f.Add(strings.Repeat("barrel\n", 20), "", strings.Repeat("barrel\n", 20), "")
	f.Add("a", "b\n", "a\n", "b")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		var drawn Drawing
		var patches [][]byte
		for i, pair := range [][2]string{{a, b}, {c, d}, {a, d}, {a + c, b + c}, {c + a, c + b}, {a + "\n" + c, b + "\n" + c}, {a, b}, {d, c}} {
			name := fmt.Sprint("f", i)
			p := drawn.Draw(Change{Status: Modified, Path: name}, &Side{Mode: 0o644, Text: []byte(pair[0])}, &Side{Mode: 0o644, Text: []byte(pair[1])})
			patches = append(patches, p.Text)
		}
		for i, to := range SameEdits(patches) {
			if to < 0 {
				continue
			}
			if to >= i || SameEdits(patches)[to] >= 0 {
				t.Fatalf("%d is told by %d, which is not shown before it", i, to)
			}
			if x, y := editOf(patches[i]), editOf(patches[to]); !slices.Equal(x, y) {
				t.Fatalf("%q is told by %q", x, y)
			}
			if bytes.Contains(patches[i], []byte("\n\\ No newline")) != bytes.Contains(patches[to], []byte("\n\\ No newline")) {
				t.Fatalf("%d and %d end otherwise", i, to)
			}
		}
	})
}
