package forge

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// Code returns a name, which may be anybody's words, as code in Markdown. It reads
// as it is, on one line, inside tables and lists too, and does nothing: no mark-up,
// no HTML, no link, no mention, no picture, no command. Characters that cannot be
// seen are spelled out.
//
// An address would be made a link even inside of code, once the text is decoded: an
// empty remark behind the sign keeps its two sides apart, and is in no copy of the name.
func Code(name string) string {
	return "<code>" + strings.ReplaceAll(escape(name, ""), "&#64;", "<!-- -->&#64;") + "</code>"
}

// www starts a link without any mark-up, wherever it stands.
var www = lazyregexp.New(`(?i)w\.`)

// Text returns words that may be anybody's as plain text in Markdown; see Code.
// Mentions and references are found in the rendered text, outside of code, so
// something that cannot be seen stands behind their signs.
func Text(words string) string { return escape(words, "&#8203;") }

// Sentence returns a sentence of ours, in which others' words stand in quotation marks,
// in Markdown: what is quoted as Code, and the rest as Text. A backslash before a mark
// takes its meaning.
func Sentence(words string) string {
	var b strings.Builder
	for {
		start := strings.IndexByte(words, '"')
		end := start + 1
		for ; start >= 0 && end < len(words) && words[end] != '"'; end++ {
			if words[end] == '\\' {
				end++
			}
		}
		if start < 0 || end >= len(words) {
			b.WriteString(Text(words))
			return b.String()
		}
		b.WriteString(Text(words[:start]))
		b.WriteString(Code(words[start+1 : end]))
		words = words[end+1:]
	}
}

// escape writes words without any mark-up, with apart behind what would make a
// mention or a reference.
func escape(words, apart string) string {
	var b strings.Builder
	for i := 0; i < len(words); {
		r, size := utf8.DecodeRuneInString(words[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "&#92;x%02x", words[i])
		case r == '@' || r == '#':
			fmt.Fprintf(&b, "&#%d;%s", r, apart)
		case r < utf8.RuneSelf && strings.ContainsRune("\\`*_{}[]<>()+!|&~$:\"'=^", r):
			fmt.Fprintf(&b, "&#%d;", r)
		case r == '-' && i > 1 && strings.EqualFold(words[i-2:i], "gh"):
			b.WriteString("-" + apart)
		case r == '.' && i > 0 && www.MatchString(words[i-1:i+1]):
			b.WriteString("&#46;")
		case r == ' ' && (i == 0 || i+1 == len(words) || words[i+1] == ' '):
			b.WriteString("&#32;") // a leading, trailing or doubled one is part of the name
		case r == '-' && i == 0, r >= '0' && r <= '9' && i == 0:
			fmt.Fprintf(&b, "&#%d;", r) // not the start of a list
		case text.Seen(r):
			b.WriteRune(r)
		default:
			b.WriteString("&#92;" + strings.Trim(strconv.QuoteRuneToASCII(r), `'\`))
		}
		i += size
	}
	return b.String()
}

// Label returns words that may be anybody's as the quoted label of a node in a
// mermaid diagram, with the quotes. What means nothing inside quotes, such as the
// underscores and brackets that file names are full of, stays as it is: renderers
// do not always turn an entity back.
func Label(words string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text.Visible(words) {
		if r < utf8.RuneSelf && strings.ContainsRune("\"#<>&`;\\{}@%", r) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Fence returns text as a fenced block that nothing in it can end.
func Fence(language, content string) string {
	longest, run := 2, 0
	for i := 0; i < len(content); i++ {
		if content[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	mark := strings.Repeat("`", longest+1)
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return mark + language + "\n" + content + mark + "\n"
}

const cutNote = "\n_Cut here: the rest is too long for this place._\n"

// units is the length that the service counts: UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

var (
	fenceLine   = lazyregexp.New("^ {0,3}(`{3,}|~{3,})(.*)$")
	openDetail  = lazyregexp.New(`(?i)<details[\s>]`)
	closeDetail = lazyregexp.New(`(?i)</details>`)
)

// Truncate returns body, or as many of its first lines as leave it within limit
// UTF-16 units. What was open at the cut, a fence or a <details>, is closed, and
// a line says that it was cut. A limit too small for that line gives "".
func Truncate(body string, limit int) string {
	if units(body) <= limit {
		return body
	}
	var fence string // the mark of the open one
	details := 0
	ending := func() string {
		end := ""
		if fence != "" {
			end = fence + "\n"
		}
		if details > 0 {
			end += "\n" + strings.Repeat("</details>\n", details)
		}
		return end + cutNote
	}
	used := 0
	taken, kept := 0, 0 // bytes of body
	best := ""          // how it ends after those kept
	fits := func() {
		if end := ending(); used+units(end) <= limit {
			best, kept = end, taken
		}
	}
	fits()
	for line := range strings.Lines(body) {
		if used += units(line); used > limit {
			break
		}
		taken += len(line)
		text := strings.TrimRight(line, "\r\n")
		if m := fenceLine.FindStringSubmatch(text); m != nil {
			switch {
			case fence == "" && !(m[1][0] == '`' && strings.Contains(m[2], "`")):
				fence = m[1]
			case fence != "" && m[1][0] == fence[0] && len(m[1]) >= len(fence) && strings.TrimSpace(m[2]) == "":
				fence = ""
			}
		} else if fence == "" {
			details = max(0, details+len(openDetail.FindAllString(text, -1))-len(closeDetail.FindAllString(text, -1)))
		}
		fits()
	}
	return body[:kept] + best
}
