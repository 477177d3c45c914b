package report

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/review"
)

// TestDiffering shows of long signatures what differs.
func TestDiffering(t *testing.T) {
	long := strings.Repeat("a int, ", 40)
	for _, c := range [][4]string{
		{"f(a)", "f(b)", "f(a)", "f(b)"},
		{"f(" + long + "x int)", "f(" + long + "y int)", "…t, a int, a int, a int, x int)", "…t, a int, a int, a int, y int)"},
		{"f(" + long + ")", "g(" + long + ")", "f(a int, a int, a int, a …", "g(a int, a int, a int, a …"},
		{"", "f(" + long + ")", "", "f(" + long + ")"},
	} {
		if was, is := differing(c[0], c[1]); was != c[2] || is != c[3] {
			t.Errorf("%q and %q: %q and %q", c[0], c[1], was, is)
		}
	}
}

// TestSentence says no more than is known.
func TestSentence(t *testing.T) {
	for want, c := range map[string]record.Impact{
		"M: 3 files changed (+9 −1), changes what is there; 2 other files import them; no test reaches 1 of 4 changed functions by name; of 2 more that is not known.": {Files: 3, Added: 9, Removed: 1, Dependents: 2, Sources: 3, Size: "M", Kind: "change", Functions: 4, Unnamed: 1, FunctionsUnknown: 2},
		"XS: 1 file changed (+1 −0), exports more than before; no import that was read leads to it; a test reaches the changed function by name.":                      {Files: 1, Added: 1, Sources: 1, Size: "XS", Kind: "feature", Functions: 1},
		"L: 9 files changed (+0 −0), mostly moved; who uses them is not known.":                                                                                        {Files: 9, Unknown: 9, Size: "L", Kind: "refactoring"},
		"S: 2 files changed (+1 −1), other versions of dependencies alone.":                                                                                            {Files: 2, Added: 1, Removed: 1, Unknown: 1, Size: "S", Kind: "dependencies"},
		"2 files changed (+1 −1); 1 other file imports them.":                                                                                                          {Files: 2, Added: 1, Removed: 1, Dependents: 1}, // of a record that says no more
	} {
		if got := (&Report{Tally: record.Tally{Change: &c}}).sentence(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestLine is all that is said of a bump.
func TestLine(t *testing.T) {
	p := &Report{Tally: record.Tally{Change: &record.Impact{Files: 1, Size: "XS", Kind: "dependencies", Quiet: true}}, review: &review.Review{Dependencies: []review.Dependency{
		{Name: "a", From: "1.0", To: "2.0"}, {Name: "b/c", From: "0123456789abcdef0123456789abcdef01234567", To: "x"}}}}
	const want = "XS: 1 file changed (+0 −0), other versions of dependencies alone. <code>a</code> <code>&#49;.0</code> → <code>&#50;.0</code>, <code>b/c</code> <code>&#48;123456789ab</code> → <code>x</code>. [context](https://example.com/a)\n"
	if got := p.Line(artifact.Result{Name: "context", URL: "https://example.com/a"}); got != want || !p.Quiet() {
		t.Errorf("got  %swant %s", got, want)
	}
}

// TestHostileComment: however many names a change has, and however long they are, a comment is bounded and has its link.
func TestHostileComment(t *testing.T) {
	r := &review.Review{}
	for range 7 {
		g := review.Group{Name: strings.Repeat("<`|&", 300) + "/"}
		for range 50 {
			g.Files = append(g.Files, len(r.Files))
			r.Files = append(r.Files, review.File{Change: diff.Change{Path: strings.Repeat("[x](y)|", 40), Status: diff.Added}})
		}
		r.Groups = append(r.Groups, g)
	}
	for range 500 {
		r.Definitions = append(r.Definitions, review.Definition{Path: strings.Repeat("@a/", 90), Name: strings.Repeat("![x]", 500), Was: strings.Repeat("</code>", 90), Is: strings.Repeat("| ", 300), Change: review.Altered})
	}
	p := &Report{Tally: record.Tally{Change: &record.Impact{Files: 350}}, review: r, Links: Links{Head: "https://example.com/blob/"}}
	body := p.Markdown(false, artifact.Result{Name: "context", URL: "https://example.com/artifact"})
	if len(body) > maxComment+200 || !strings.Contains(body, "(https://example.com/artifact)") || strings.Contains(body, "](y)") || strings.Contains(body, "@a/") {
		t.Errorf("%d bytes: %.2000s", len(body), body)
	}
}
