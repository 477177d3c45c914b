package typescript

import (
	"strings"
	"unicode/utf16"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// tags mark the comment that describes a file.
var tags = []string{"@module", "@packageDocumentation"}

// describe returns the prose of the documentation comment that holds one of
// the tags: of each tag the longest, and of these the longest again as they are
// told, ties in the order of tags. Text on the line of a tag is no
// prose. Comments in strings and templates do not count.
func describe(text string) string {
	if !strings.Contains(text, tags[0]) && !strings.Contains(text, tags[1]) {
		return ""
	}
	var best string
	for _, tag := range tags {
		var prose string
		for _, block := range docBlocks(text) {
			if s, ok := blockProse(block, tag); ok && units(s) > units(prose) {
				prose = s
			}
		}
		if units(graph.ShortDescription(prose)) > units(graph.ShortDescription(best)) {
			best = prose
		}
	}
	return graph.Bounded(best)
}

func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// docBlocks returns the inner text of every /** */ comment outside strings and
// templates.
func docBlocks(s string) []string {
	var blocks []string
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\'' || c == '"' || c == '`':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' {
					i++
				} else if s[i] == '\n' && c != '`' {
					break
				}
			}
			i++
		case strings.HasPrefix(s[i:], "//"):
			end := strings.IndexByte(s[i:], '\n')
			if end < 0 {
				return blocks
			}
			i += end
		case strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return blocks
			}
			if inner := s[i+2 : i+2+end]; strings.HasPrefix(inner, "*") {
				blocks = append(blocks, inner[1:])
			}
			i += end + 4
		default:
			i++
		}
	}
	return blocks
}

var (
	linkTag    = lazyregexp.New(`\{@link\s+([^}|]*?)(?:\s*\|\s*([^}]*?))?\s*\}`)
	inlineTag  = lazyregexp.New(`\{@[^}]*\}`)
	markupLink = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)`)
)

// blockProse returns the prose of a block that holds the tag at the start of a
// line: all lines that do not start with a tag, without their markup.
func blockProse(block, tag string) (string, bool) {
	var lines []string
	tagged := false
	for line := range strings.SplitSeq(block, "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "*"))
		if rest, ok := strings.CutPrefix(line, tag); ok && (rest == "" || !isWord(rest[0])) {
			tagged = true
		}
		if line != "" && line[0] != '@' {
			lines = append(lines, line)
		}
	}
	if !tagged {
		return "", false
	}
	s := strings.Join(lines, " ")
	s = linkTag.ReplaceAllStringFunc(s, func(m string) string {
		g := linkTag.FindStringSubmatch(m)
		if g[2] != "" {
			return g[2]
		}
		return g[1]
	})
	s = inlineTag.ReplaceAllString(s, "")
	s = markupLink.ReplaceAllString(s, "$1")
	s = strings.ReplaceAll(s, "`", "")
	return strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD"), true
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
