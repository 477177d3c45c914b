package plan

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// patchOf is the patch of a file between two texts.
func patchOf(name, before, after string) snapshot.FilePatch {
	c := diff.Change{Status: diff.Modified, Path: name}
	p := new(diff.Drawing).Draw(c, &diff.Side{Text: []byte(before)}, &diff.Side{Text: []byte(after)})
	return snapshot.FilePatch{Change: c, Text: p.Text}
}

// apart are texts in which these lines stand far apart.
func apart(lines ...string) string {
	return strings.Join(lines, strings.Repeat("\tsame()\n\n", 8))
}

func newCutter() cutter {
	return cutter{counter: new(tokens.Counter)}
}

// TestCutPatch: a patch that has no room shows the hunks that tell most, and says what it leaves out.
func TestCutPatch(t *testing.T) {
	before := apart("// The first remark of all, old.\n", "import \"old\"\n", "func F() {\n", "\told(body)\n", "// The last remark of all, old.\n")
	p := patchOf("x.go", before, strings.ReplaceAll(before, "old", "new"))
	for i, line := range strings.Split(strings.ReplaceAll(before, "old", "new"), "\n") {
		if line == "func F() {" {
			p.Begins = []int{i + 1}
		}
	}
	c := newCutter()
	last := 0
	for room := 0; room < 400; room += 5 {
		text := c.cut(&p, nil, room)
		if n := c.counter.Count(text); n > room {
			t.Errorf("%d tokens of %d:\n%s", n, room, text)
		}
		n := bytes.Count(text, []byte("\n@@"))
		if n < last {
			t.Errorf("%d tokens show fewer hunks:\n%s", room, text)
		}
		if last = n; n == 1 && !bytes.Contains(text, []byte("+\tnew(body)")) {
			t.Errorf("%d tokens: the first hunk that is shown is another one than the body's:\n%s", room, text)
		}
		if n > 0 && n < 4 && !bytes.Contains(text, fmt.Appendf(nil, "# Left out here: %d of 4 hunks, ", 4-n)) {
			t.Errorf("%d tokens: not said what is left out:\n%s", room, text)
		}
	}
	if last != 4 {
		t.Errorf("400 tokens show %d hunks of 4", last)
	}
}

// TestCutPatchSection: of a test and of a manual what is added in one piece comes before a shorter hunk that follows from it, in code not.
func TestCutPatchSection(t *testing.T) {
	before := apart("\tt.plan(15)\n", "\tend()\n")
	after := apart("\tt.plan(16)\n", "\tend()\n\tnew one of some words()\n\tnew two of some words()\n\tnew three of some words()\n")
	for name, section := range map[string]bool{"x.test.js": true, "x.md": true, "x.js": false} {
		p := patchOf(name, before, after)
		text := newCutter().cut(&p, nil, 100)
		if bytes.Contains(text, []byte("three")) != section || bytes.Contains(text, []byte("plan(16)")) == section {
			t.Errorf("%s shows the section: %v is meant:\n%s", name, section, text)
		}
	}
	before = apart("A list.\n", "Old.\n", "The end.\n")
	after = apart("A list.\nOne.\nTwo.\nThree.\n", "New.\n", "The end.\n## A section of words\n"+strings.Repeat("Words of it.\n", 20))
	p := patchOf("x.md", before, after)
	if text := newCutter().cut(&p, nil, 120); !bytes.Contains(text, []byte("+## A section")) || bytes.Contains(text, []byte("One.")) {
		t.Errorf("the section that has a heading is not first:\n%s", text)
	}
	replaced := patchOf("x.test.js", apart("a1\na2\na3\na4\n"), apart("b1\nb2\nb3\nb4\n"))
	_, hunks, _ := diff.Hunks(replaced.Text)
	if told, _ := readingOf(&replaced).tells(&hunks[0]); told == ofSection {
		t.Error("lines that are put for as many others count as a section")
	}
}

// TestCutPatchNew: of a test what is defined anew comes before definitions that change, from its first line on, and with the rest of what
// tells something; of a file that goes, what stands behind its licence.
func TestCutPatchNew(t *testing.T) {
	before := apart("def test_old(data):\n", "def test_other(data):\n", "    call()\n")
	after := apart("def test_old():\n", "def test_other():\n"+strings.Repeat("    said(here, with, some, words)\n", 20)+"\ndef test_new():\n    first(here)\n    first(there)\n", "    call()\n    second(one)\n    second(two)\n    second(three)\n")
	p := patchOf("test_x.py", before, after)
	for i, line := range strings.Split(after, "\n") {
		if strings.HasPrefix(line, "def ") {
			p.Begins = append(p.Begins, i+1)
		}
	}
	text := string(newCutter().cut(&p, nil, 130))
	for what, want := range map[string]bool{"+def test_new": true, "+    first": true, "second(three)": true, "said(here": false, "-def test_old": false} {
		if strings.Contains(text, what) != want {
			t.Errorf("%q stands there: %v is meant\n%s", what, want, text)
		}
	}
	licence := "<?xml version=\"1.0\"?>\n<!--\n" + strings.Repeat("  Licensed to somebody under some conditions.\n", 20) + "-->\n<project>\n" + strings.Repeat("  <module>words</module>\n", 20) + "</project>\n"
	p = patchOf("pom.xml", licence, "")
	if text := newCutter().cut(&p, nil, 150); !bytes.Contains(text, []byte("-<project>")) || bytes.Contains(text, []byte("Licensed")) {
		t.Errorf("a file that goes begins with its licence:\n%s", text)
	}
}

// TestCutChronicle: of a changelog that is cut old entries which go are not shown, unless nothing comes.
func TestCutChronicle(t *testing.T) {
	old, between := "", ""
	for i := range 30 {
		old += fmt.Sprintf("\n## 1.2.%d\n\n- Thing %d was mended, and somebody wrote of it.\n", i, i)
	}
	for i := range 5 {
		between += fmt.Sprintf("\n## 3.0.%d\n\n- What stays %d.\n", i, i)
	}
	head := "# Changelog\n"
	p := patchOf("changelog.md", head+between+old, head+"\n## 4.0.0\n\n- It is new.\n"+between)
	if text := string(newCutter().cut(&p, nil, 400)); !strings.Contains(text, "+- It is new.") || strings.Contains(text, "-## 1.2.") || !strings.Contains(text, "# Left out here") {
		t.Error(text)
	}
	p = patchOf("changelog.md", head+between+old, head+between)
	if text := string(newCutter().cut(&p, nil, 400)); !strings.Contains(text, "-## 1.2.") {
		t.Error(text)
	}
	p = patchOf("notes.md", head+between+old, head+"\n## 4.0.0\n\n- It is new.\n"+between)
	if text := string(newCutter().cut(&p, nil, 400)); !strings.Contains(text, "-## 1.2.") {
		t.Error(text)
	}
}

// TestRepeatsOfMoves: files that move with the edit that others make repeat, and name their paths once.
func TestRepeatsOfMoves(t *testing.T) {
	var patches []snapshot.FilePatch
	for _, name := range []string{"A", "B", "C"} {
		c := diff.Change{Status: diff.Renamed, Path: "to/" + name + ".java", OldPath: "from/" + name + ".java", Similarity: 90}
		body := ";\nimport other.one;\n" + strings.Repeat("words of "+name+"\n", 20)
		d := new(diff.Drawing).Draw(c, &diff.Side{Text: []byte("package from.it" + body)}, &diff.Side{Text: []byte("package to.it" + body)})
		patches = append(patches, snapshot.FilePatch{Change: c, Text: d.Text})
	}
	if got := fmt.Sprint(repeats(patches, []int{0, 1, 2}, maphash.MakeSeed())); got != "[[false] [false] [true]]" {
		t.Error(got)
	}
	patches[0] = snapshot.NamedOnce(patches[0])
	text := string(patches[0].Read())
	if strings.Contains(text, "rename from") || !strings.Contains(text, "--- a/from/A.java\n+++ b/to/A.java\n@@") || !strings.Contains(string(patches[0].Text), "rename from") {
		t.Error(text)
	}
}

func shared(c cutter, list []snapshot.FilePatch, room int, said string) [][]byte {
	return c.share(list, patchClaims(list, said), room, said)
}

// TestSharePatches: each file has a share of the room; code has more than tests and prose, and nothing is over.
func TestSharePatches(t *testing.T) {
	var list []snapshot.FilePatch
	for i := range 12 {
		var before strings.Builder
		for n := range 40 {
			fmt.Fprintf(&before, "\told(%d, %d)\n%s", i, n, strings.Repeat("\tsame()\n\n", 8))
		}
		list = append(list, patchOf(fmt.Sprintf("f%d%s", i, []string{".go", "_test.go", ".md"}[i%3]), before.String(), strings.ReplaceAll(before.String(), "old", "new")))
	}
	long := strings.Repeat("x y ", 5000)
	list = append(list, patchOf("endless.go", "a"+long, "b"+long))
	c := newCutter()
	for _, room := range []int{0, 100, 1000, 4000, 40_000, patchPart.of(0)} {
		sum, shown := 0, 0
		texts := shared(c, list, room, "")
		for _, text := range texts {
			if text != nil {
				sum, shown = sum+c.counter.Count(text), shown+1
			}
		}
		if sum > room {
			t.Errorf("%d tokens of %d", sum, room)
		}
		if room == 4000 && (shown != 12 || len(texts[0]) < 2*len(texts[1]) || len(texts[0]) < 2*len(texts[2])) {
			t.Errorf("of %d files of code %d bytes, of tests %d, of prose %d", shown, len(texts[0]), len(texts[1]), len(texts[2]))
		}
		if room > 1_000_000 && shown != 13 {
			t.Errorf("without a limit %d of 13 are shown", shown)
		}
	}
	if texts := shared(c, list, 1000, "mends f5.md"); !bytes.Contains(texts[5], []byte("\n@@")) {
		t.Errorf("the file that the authors name is not shown: %s", texts[5])
	}
}

// TestPatchOfHalf: no hunk of a change that takes less than half of a budget is left out of its patch.
func TestPatchOfHalf(t *testing.T) {
	var list []snapshot.FilePatch
	for i := range 24 {
		before := apart("func F() {\n", fmt.Sprintf("\told(%d)\n", i), "\told(last)\n")
		list = append(list, patchOf(fmt.Sprintf("f%d.go", i), before, strings.ReplaceAll(before, "old", "new")))
	}
	c, sum := newCutter(), 0
	for i, text := range shared(c, list, patchPart.of(8000), "") {
		if sum += c.counter.Count(text); !bytes.Equal(text, list[i].Read()) {
			t.Errorf("f%d.go is cut:\n%s", i, text)
		}
	}
	if sum < 8000/4 || sum > 8000/2 {
		t.Fatalf("the patches are of %d tokens", sum)
	}
}

// TestDefinedFirst: of a change of a hundred files that use what one of them defines anew, that one is shown whole.
func TestDefinedFirst(t *testing.T) {
	var fresh strings.Builder
	for i := range 30 {
		fmt.Fprintf(&fresh, "func Answer%d(w io.Writer) { answer(w, %d) }\n", i, i)
	}
	list := []snapshot.FilePatch{patchOf("answers.go", "", fresh.String())}
	list[0].Change.Status = diff.Added
	for i := range 100 {
		before := apart(fmt.Sprintf("\told.Answer(one, %d)\n", i), "\told.Answer(two)\n", "\told.Answer(three)\n")
		list = append(list, patchOf(fmt.Sprintf("user%d.go", i), before, strings.ReplaceAll(before, "old", "new")))
	}
	texts := shared(newCutter(), list, 8000, "")
	if !bytes.Equal(texts[0], list[0].Read()) {
		t.Errorf("what is defined anew is cut:\n%s", texts[0])
	}
}

// TestRepeats: a hunk repeats when all that it changes was changed so twice before, whatever stands around it and on the rest of the line.
func TestRepeats(t *testing.T) {
	one := func(n int) (string, string) {
		before := fmt.Sprintf("import old\n\n\n\n\n\n\n\nfunc f%d() {\n\told.Call(a%d, b)\n}\n", n, n)
		return before, strings.ReplaceAll(before, "old", "fresh")
	}
	var list []snapshot.FilePatch
	for n := range 6 {
		before, after := one(n)
		switch n {
		case 3:
			after = strings.ReplaceAll(after, "(a3, b)", "(a3, c)")
		case 4:
			after = strings.ReplaceAll(after, "fresh.Call(", "fresh.Called(")
		}
		list = append(list, patchOf(fmt.Sprintf("f%d.go", n), before, after))
	}
	got := repeats(list, readingOrder(list), maphash.MakeSeed())
	if want := [][]bool{{false, false}, {true, true}, {true, true}, {true, false}, {true, false}, {true, true}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	c := newCutter()
	c.repeats = got
	texts := shared(c, list, 3*leastShown/2, "")
	if texts[0] == nil || texts[3] == nil || texts[4] == nil || texts[5] != nil {
		t.Errorf("what repeats has room before the rest: %q", texts)
	}
	texts = shared(c, list, 100_000, "")
	for i := range texts {
		if !bytes.Equal(texts[i], list[i].Read()) {
			t.Errorf("f%d.go is not shown whole where there is room", i)
		}
	}
}

// TestSubstitution: what goes and what comes, in whole words.
func TestSubstitution(t *testing.T) {
	for _, c := range [][4]string{
		{"json.OK(w)", "response.OK(w)", "json", "response"},
		{"call(a)", "call(ctx, a)", "", "ctx, "},
		{"abc", "abd", "abc", "abd"},
		{"abc", "abcd", "abc", "abcd"},
		{"a.old", "a.old.new", "", ".new"},
		{"a(b", "a(b, b", "", ", b"},
		{"x", "x", "", ""},
	} {
		away, came := substitution([]byte(c[0]), []byte(c[1]))
		if string(away) != c[2] || string(came) != c[3] {
			t.Errorf("%q → %q: %q → %q", c[0], c[1], away, came)
		}
	}
}

// TestTextAsked: what is laid out anew asks for nothing beside what means more, and for what stands around it where nothing does.
func TestTextAsked(t *testing.T) {
	layout := snapshot.FilePatch{Alone: "layout alone changes", Text: []byte("+(a)\n")}
	more := snapshot.FilePatch{Text: []byte("+b\n")}
	if asked := textAsked([]snapshot.FilePatch{layout}); string(asked(&layout)) != "+(a)\n" {
		t.Errorf("alone: %q", asked(&layout))
	}
	if asked := textAsked([]snapshot.FilePatch{layout, more}); string(asked(&layout)) != "" || string(asked(&more)) != "+b\n" {
		t.Errorf("beside more: %q, %q", asked(&layout), asked(&more))
	}
}

// TestWithoutTold: why files are not shown goes where a document says it; what stands behind stays.
func TestWithoutTold(t *testing.T) {
	for _, c := range [][2]string{
		{"+a\n" + firstUntold + "# M a: generated, +1 -1\n# D b: binary (3 bytes)\n# and 2 more\n# 1 more change is too long to be shown here.\n", "+a\n# 1 more change is too long to be shown here.\n"},
		{firstUntold + "# M a: generated\n", ""},
		{"+" + firstUntold + "# M a: generated\n", "+" + firstUntold + "# M a: generated\n"},
		{"+a\n", "+a\n"},
		{"", ""},
	} {
		if got := WithoutTold(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

// TestWithoutNames: names of what is left out go where a document has them; a line of a file that says the same is none.
func TestWithoutNames(t *testing.T) {
	for _, c := range [][2]string{
		{"+a\n# 2 more changes are too long to be shown here; archive.diff.tar has them:\n# M a\n# A b\n", "+a\n# 2 more changes are too long to be shown here; archive.diff.tar has them.\n"},
		{"+# 2 more changes are too long to be shown here:\n# M a: generated\n", "+# 2 more changes are too long to be shown here:\n# M a: generated\n"},
		{"+a\n# 1 more change is too long to be shown here:\n# M a\n", "+a\n# 1 more change is too long to be shown here.\n"},
		{"+x more changes are too long to be shown here:\n", "+x more changes are too long to be shown here:\n"},
		{"+a\n# Nothing but edits like those above is made in 2 more: M a, M b\n# M c: generated\n", "+a\n# Nothing but edits like those above is made in 2 more.\n# M c: generated\n"},
		{"+a\n", "+a\n"},
		{"", ""},
	} {
		if got := WithoutNames(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}
