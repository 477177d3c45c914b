package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestEnclosing: a stretch of a long definition says in which loops and conditions it stands, of many the outermost and the innermost.
func TestEnclosing(t *testing.T) {
	many := func(indent string) string {
		return strings.Repeat(indent+"call(again, with, many, more, words)\n", 200)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"in the definition itself", "", "", ""},
		{"in a loop", "\tfor one := range part8 {", "\tfor one := range part8 {\n" + many("\t\t"), "`for one := range part8 {` (82)"},
		{"in a loop whose bracket is on a line of its own", "\tfor one := range part8 {", "\tfor one := range part8\n\t{\n" + many("\t\t"), "`for one := range part8` (82)"},
		{"deep", "\tfor one := range part8 {", "\tfor one := range part8 {\n\t\tif b {\n\t\t\tif c {\n\t\t\t\tif d {\n" + many("\t\t\t\t\t"), "`for one := range part8 {` (82), …, `if c {` (84), `if d {` (85)"},
	} {
		s := longFunction()
		s.Text = strings.Replace(s.Text, c.old, c.new, 1)
		end := strings.Count(s.Text, "\n")
		s.Definitions[0].End = end
		touched := 1 + strings.Count(s.Text[:strings.Index(s.Text, "part8")], "\n") + max(5, strings.Count(c.new, "\n")-90)
		s.Touched = []int{touched}
		s.Narrow()
		d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 1500, Least: 1 << 40})
		text := strings.Join(d.Files()[0].Pieces, "")
		got := ""
		for line := range strings.Lines(text) {
			if _, in, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "`render`, in "); ok {
				got = in
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q:\n%s", c.name, got, c.want, text)
		}
	}
}
