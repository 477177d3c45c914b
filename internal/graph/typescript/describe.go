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
		end, comment := commentEnd(s, i)
		switch c := s[i]; {
		case comment:
			if block := s[i:end]; strings.HasPrefix(block, "/**") && strings.HasSuffix(block, "*/") && len(block) > len("/**/") {
				blocks = append(blocks, block[len("/**"):len(block)-len("*/")])
			}
			i = end
		case c == '\'' || c == '"' || c == '`':
			i = stringEnd(s, i) + 1
		default:
			i++
		}
	}
	return blocks
}

// commentEnd is where a comment ends that begins at i, at the end of its line or behind its last sign, and whether one does. One that
// nothing ends goes on to the end of the text.
func commentEnd(s string, i int) (end int, is bool) {
	last, past := "\n", 0
	switch {
	case strings.HasPrefix(s[i:], "//"):
	case strings.HasPrefix(s[i:], "/*"):
		last, past = "*/", len("*/")
	default:
		return i, false
	}
	if n := strings.Index(s[i+2:], last); n >= 0 {
		return i + 2 + n + past, true
	}
	return len(s), true
}

// stringEnd is where a string or a template ends that begins at i: at its last quote, at the end of the line of a string without one, or
// at that of the text.
func stringEnd(s string, i int) int {
	end := i + 1
	for end < len(s) && s[end] != s[i] && (s[i] == '`' || s[end] != '\n') {
		if s[end] == '\\' {
			end++
		}
		end++
	}
	return min(end, len(s))
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
