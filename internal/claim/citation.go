package claim

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/text"
)

// Shown is a path as it stands in packs: valid UTF-8, each wrong byte as \xNN.
func Shown(p string) string {
	if utf8.ValidString(p) {
		return p
	}
	var b strings.Builder
	for len(p) > 0 {
		r, n := utf8.DecodeRuneInString(p)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, p[0])
		} else {
			b.WriteString(p[:n])
		}
		p = p[n:]
	}
	return b.String()
}

// At is a path and, when it is known, a line.
func At(path string, line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", Shown(path), line)
	}
	return Shown(path)
}

// Citation is a place as it stands in a sentence.
type Citation string

// Cite is a citation: a path and, when it is known, a line. A path that is more than one
// plain word stands in quotation marks.
func Cite(path string, line int) Citation {
	name := text.Name(Shown(path))
	if line > 0 {
		return Citation(fmt.Sprintf("%s:%d", name, line))
	}
	return Citation(name)
}

// Span cites the lines from one to another; where the second is not larger, the first alone.
func Span(path string, from, to int) Citation {
	if to <= from {
		return Cite(path, from)
	}
	return Citation(fmt.Sprintf("%s-%d", Cite(path, from), to))
}

// CiteAll cites files as a whole, in the order given.
func CiteAll(paths []string) []Citation {
	var out []Citation
	for _, p := range paths {
		out = append(out, Cite(p, 0))
	}
	return out
}
