package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// The lines that are read of the READMEs of testdata/readme.txtar stand in NAME.want.
func TestReadmeLines(t *testing.T) {
	for f, want := range wanted(t, "testdata/readme.txtar") {
		lines, behind := readmeLines(f.Name, string(f.Data))
		var got strings.Builder
		for _, line := range lines {
			got.WriteString(line.text + "\n")
		}
		if got := strings.TrimSpace(got.String()); got != strings.TrimSpace(want) || behind != 0 {
			t.Errorf("%s: got %d and\n%s\nwant\n%s", f.Name, behind, got, want)
		}
	}
}

// FuzzReadme: no text is a panic, and what is read is never longer than what is there, but for what a link and an item are written with.
func FuzzReadme(f *testing.F) {
	for _, s := range []string{"<a href=\"x\">", "<h1>", "[![", "`", "|a|\n|-|", "<li", "</a>", "[](x", ".. image::\n x", ":a:\n", "# a\n# b\n", "```\n", "&nbsp;"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		text := strings.Repeat(s, min(max(n, 1), 20))
		for _, name := range []string{"README.md", "README.rst", "README.adoc"} {
			lines, _ := readmeLines(name, text)
			for _, line := range lines {
				if strings.Contains(line.text, "\n") {
					t.Fatalf("%q has a line of two: %q", text, line.text)
				}
			}
			introduction(name, text, new(tokens.Counter), 100)
		}
	})
}
