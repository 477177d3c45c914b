package graph

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/text"
)

// maxDocLines bounds the lines of a comment, and of a type, in an outline.
const maxDocLines = 12

// Outline prints what a file defines, without the bodies: the lines of each
// definition from its comment to the end of its signature, numbered as in the
// file. Definitions that others cannot see are left out where there are any
// that they can. It is "" for a file that defines nothing.
func Outline(content []byte, definitions []Definition) string {
	lines := bytes.Split(content, []byte{'\n'})
	any := false
	for _, d := range definitions {
		any = any || d.Exported
	}
	var b strings.Builder
	last := 0
	show := func(from, to int) {
		for n := max(from, last+1); n <= min(to, len(lines)); n++ {
			fmt.Fprintf(&b, "%d\t%s\n", n, bytes.ToValidUTF8(bytes.TrimRight(lines[n-1], "\r \t"), []byte("\uFFFD")))
			last = n
		}
	}
	for _, d := range definitions {
		if any && !d.Exported || d.Line < 1 || d.End < d.Line || d.From > d.Line {
			continue
		}
		if d.From+maxDocLines < d.Line {
			show(d.From, d.From+maxDocLines-1)
		} else {
			show(d.From, d.Line-1)
		}
		show(d.Line, min(d.Head, d.Line+4*maxDocLines))
	}
	return b.String()
}

// maxSignature bounds the lines of a signature that is told apart.
const maxSignature = 40

// Signatures returns the signature of each definition as it stands, without the body: what its reader said, or else its lines
// from that of its name, without a brace that begins the body.
func Signatures(content []byte, definitions []Definition) []string {
	list := make([]string, len(definitions))
	var lines [][]byte
	for i, d := range definitions {
		if list[i] = d.Signature; d.Signature != "" || d.Line < 1 {
			continue
		}
		if lines == nil {
			lines = bytes.Split(content, []byte{'\n'})
		}
		to := min(max(d.Head, d.Line), d.Line+maxSignature, len(lines))
		if d.Line > to {
			continue
		}
		one := bytes.TrimRight(bytes.Join(lines[d.Line-1:to], []byte{'\n'}), " \t\r\n")
		if to < d.End || d.Head < d.End {
			one = bytes.TrimRight(bytes.TrimSuffix(one, []byte{'{'}), " \t\r\n")
		}
		list[i] = string(bytes.ToValidUTF8(bytes.TrimLeft(one, " \t"), []byte("\uFFFD")))
	}
	return list
}

// FirstSentence returns the first sentence of a comment's text, in one line and
// of at most 200 bytes.
func FirstSentence(said string) string {
	said = strings.TrimSpace(said)
	for strings.HasPrefix(said, "!!! ") || strings.HasPrefix(said, "??? ") { // a box that MkDocs draws
		_, said, _ = strings.Cut(said, "\n\n")
		said = strings.TrimSpace(said)
	}
	said, _, _ = strings.Cut(said, "\n\n")
	said = strings.Join(strings.Fields(said), " ")
	for i := 0; i+1 < len(said); i++ {
		if (said[i] == '!' || said[i] == '?') && said[i+1] == ' ' || text.EndsSentence(said, i) {
			said = said[:i+1]
			break
		}
	}
	if len(said) > 200 {
		said = strings.ToValidUTF8(said[:200], "") + "..."
	}
	return said
}
