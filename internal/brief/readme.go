package brief

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// A README is written for a page: with pictures, buttons, links to its translations, in HTML where Markdown has no words for how it
// should look. A line of it is what is left of that for whoever reads words.

// Bounds of how a README is read.
const (
	// maxReadme is where its reading ends, in bytes: what it is stands at the beginning.
	maxReadme = 64 << 10
	// maxTag is the length in bytes above which nothing is a tag.
	maxTag = 2000
	// maxSpan is how far, in bytes, what is in a code span is looked for.
	maxSpan = 1000
)

// readmeLine is a line of a README, as it is read.
type readmeLine struct {
	text string
	code bool // it stands in a block of code, fences too
}

// readmeLines returns the lines of a README with words in them, and the empty ones between, and how many with words stand behind
// those that are read.
func readmeLines(name, content string) (lines []readmeLine, behind int) {
	content = text.Shown(content)
	if len(content) > maxReadme {
		end := strings.LastIndexByte(content[:maxReadme], '\n') + 1
		for line := range strings.Lines(content[end:]) {
			behind += said([]string{line})
		}
		content = content[:end]
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".rst":
		content = withoutDirectives(content)
	case ".adoc", ".asciidoc":
		content = adocAside.ReplaceAllString(content, "")
	default:
		content = withoutSponsors(content)
	}
	var prose strings.Builder
	flush := func() {
		if prose.Len() > 0 {
			for _, line := range worded(prose.String()) {
				lines = append(lines, readmeLine{line, false})
			}
			prose.Reset()
		}
	}
	fence := ""
	for line := range strings.Lines(content) {
		bare := strings.TrimSpace(line)
		switch {
		case fence != "":
			lines = append(lines, readmeLine{strings.TrimRight(line, " \t\r\n"), true})
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"):
			flush()
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
			lines = append(lines, readmeLine{strings.TrimRight(line, " \t\r\n"), true})
		default:
			prose.WriteString(line)
		}
	}
	flush()
	return withoutEmptySections(lines), behind
}

// maxSponsors is how many lines what is said of sponsors above a title has at most.
const maxSponsors = 80

// withoutSponsors leaves out what a README says of who pays for it before it says what it is: from the line that thanks them to the end of
// a table, a rule, or a heading.
func withoutSponsors(content string) string {
	at, from, n := 0, -1, 0
	for line := range strings.Lines(content) {
		bare := strings.TrimSpace(line)
		titled := strings.HasPrefix(bare, "# ") || strings.HasPrefix(bare, "## ") || titleTag.MatchString(bare)
		over := strings.HasPrefix(bare, "<hr") || strings.Contains(bare, "</table>")
		switch {
		case titled && from < 0 || n > maxSponsors:
			return content
		case titled:
			return content[:from] + content[at:]
		case from >= 0 && (over || rule.MatchString(bare)):
			return content[:from] + content[at+len(line):]
		case from < 0 && thanked.MatchString(strings.TrimSpace(withoutTags(bare))):
			from = at
		}
		at += len(line)
		n++
	}
	return content
}

var (
	titleTag = lazyregexp.New(`^<h[12]\b`)
	// thanked is a line that only thanks those who pay.
	thanked = lazyregexp.New(`(?i)^\PL*(?:special thanks(?: to)?|(?:proudly |generously |kindly )?(?:sponsored|supported) by|(?:our |gold |platinum )?sponsors)\PL*$`)
)

var (
	// adocAside are attributes, conditions and pictures of AsciiDoc, a line each.
	adocAside = lazyregexp.New(`(?m)^(?::[\w!-]+:.*|(?:image|ifdef|ifndef|ifeval|endif|toc|include)::.*)$`)
	// rstDirective begins a picture, mark-up of another kind, a table of contents or a target of reStructuredText.
	rstDirective = lazyregexp.New(`^\s*\.\. (?:(?:\|[^|]+\| )?(?:image|figure|raw|contents|sectnum|highlight|meta|only|tag)::|_[^:]+:\s*$)`)
)

// withoutDirectives leaves out what reStructuredText draws and sets, with the indented lines that belong to it.
func withoutDirectives(content string) string {
	var b strings.Builder
	inside, indent := false, 0
	for line := range strings.Lines(content) {
		bare := strings.TrimLeft(line, " \t")
		in := len(line) - len(bare)
		if inside && (strings.TrimSpace(line) == "" || in > indent) {
			continue
		}
		if inside = rstDirective.MatchString(line); inside {
			indent = in
			b.WriteString("\n")
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

var (
	// pictures are images, and links that show nothing but one; then what is left of links round them.
	pictures = []*lazyregexp.Regexp{
		lazyregexp.New(`[ \t]*\[\s*!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?\s*\](?:\([^)]*\)|\[[^\]]*\])`),
		lazyregexp.New(`[ \t]*!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])`),
		lazyregexp.New(`[ \t]*\[\s*\](?:\([^)]*\)|\[[^\]]*\])`),
	}
	// substituted are pictures by their names, as reStructuredText has them, alone in a line.
	substituted = lazyregexp.New(`^(?:\|[\w .-]+\|_{0,2}\s*)+$`)
	// linked is a link with its words.
	linked = lazyregexp.New(`\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	// led is code, or a link with its words and the place that it leads to: group 1 is the code, group 2 are the words.
	led    = lazyregexp.New("(`+[^`]*`+)|" + `\[([^\]]+)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: +"[^"]*")?\)`)
	spaces = strings.NewReplacer("&nbsp;", " ", "&ensp;", " ", "&emsp;", " ", "&thinsp;", " ", "\u00a0", " ")
)

// worded returns the lines of prose with words in them: without mark-up of HTML, pictures, rows and tables without words, paragraphs that
// only lead elsewhere, and rules. Empty lines stay, one between two.
func worded(prose string) (out []string) {
	marked := withoutTags(spaces.Replace(prose))
	for _, p := range pictures {
		marked = p.ReplaceAllString(marked, "")
	}
	lines := strings.Split(marked, "\n")
	for i := 0; i < len(lines); {
		end := i + 1
		table := isRow(lines[i])
		for end < len(lines) && strings.TrimSpace(lines[end]) != "" && strings.TrimSpace(lines[i]) != "" && isRow(lines[end]) == table {
			end++
		}
		switch group := lines[i:end]; {
		case table:
			out = append(out, rowsWithWords(group)...)
		case strings.TrimSpace(group[0]) == "":
			if len(out) == 0 || out[len(out)-1] != "" {
				out = append(out, "")
			}
		case !navigation(group):
			for _, line := range group {
				above := ""
				if len(out) > 0 {
					above = out[len(out)-1]
				}
				if !unworded(strings.TrimSpace(line), above) {
					out = append(out, strings.TrimRight(line, " \t\r"))
				}
			}
		}
		i = end
	}
	return out
}

// isRow reports whether a line is one of a table.
func isRow(line string) bool {
	bare := strings.TrimSpace(line)
	return strings.HasPrefix(bare, "|") && !substituted.MatchString(bare)
}

// unworded reports whether a line has no words, and is no part of a title above it.
func unworded(bare, above string) bool {
	if substituted.MatchString(bare) || contents.MatchString(bare) || linkTarget.MatchString(bare) || strings.HasPrefix(bare, "[//]") {
		return true
	}
	if strings.ContainsFunc(bare, isWordRune) {
		return false
	}
	switch above = strings.TrimSpace(above); {
	case strings.Contains(above, "|") && strings.Trim(bare, "|:- ") == "": // below the first row of a table
		return false
	case above != "" && len(bare) > 1 && strings.Trim(bare, bare[:1]) == "": // below a title
		return strings.IndexByte("=-~^\"'#*+", bare[0]) < 0
	}
	return true
}

// linkTarget is a line of Markdown that says where links of a name lead to, and is not shown.
var linkTarget = lazyregexp.New(`^\[[^\]^][^\]]*\]:\s*\S+(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)|<!-- … -->))?$`)

// isWordRune reports whether a sign is one that words and numbers are written with.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// navigation reports whether a paragraph only leads elsewhere: to translations, to a site.
func navigation(lines []string) bool {
	leads := false
	for _, line := range lines {
		bare := strings.TrimSpace(line)
		if navigates(bare) {
			leads = true
		} else if strings.ContainsFunc(bare, isWordRune) {
			return false
		}
	}
	return leads
}

// navigates reports whether a line is of short links alone, no item of a list: it leads elsewhere, and says nothing itself.
func navigates(bare string) bool {
	if listItem.MatchString(bare) || !strings.Contains(bare, "](") && !strings.Contains(bare, "][") {
		return false
	}
	if strings.ContainsFunc(linked.ReplaceAllString(bare, ""), isWordRune) {
		return false
	}
	return !slices.ContainsFunc(linked.FindAllStringSubmatch(bare, -1), func(m []string) bool { return len(strings.Fields(m[1])) > linkWords })
}

// linkWords are the words of a link above which it is a sentence.
const linkWords = 6

// rowsWithWords leaves out rows of a table with nothing but their first cell, and a table with no other rows.
func rowsWithWords(rows []string) (out []string) {
	if !slices.ContainsFunc(rows, func(row string) bool { return !navigates(strings.Trim(row, "| \t\r")) }) {
		return nil // links one below another, divided by what makes rows
	}
	said := 0
	for i, row := range rows {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		ruled := strings.Trim(row, "|:- \t\r") == ""
		switch {
		case ruled && i == 1:
		case i == 0:
			said = 0
		case len(cells) > 1 && !slices.ContainsFunc(cells[1:], func(c string) bool { return strings.ContainsFunc(c, isWordRune) }):
			continue
		default:
			said++
		}
		out = append(out, strings.TrimRight(row, " \t\r"))
	}
	if said == 0 && len(rows) > 1 || len(out) == 1 && !strings.ContainsFunc(out[0], isWordRune) {
		return nil
	}
	return out
}

// withoutEmptySections leaves out headings with nothing below them but a heading of their level or a higher one: of what stood there
// no words are left. The first heading is the title.
func withoutEmptySections(lines []readmeLine) []readmeLine {
	out := make([]readmeLine, 0, len(lines))
	open := -1 // place in out of a heading with nothing below it yet
	titled := false
	for _, line := range lines {
		bare := strings.TrimSpace(line.text)
		level := 0
		if !line.code && heading(bare) != "" {
			level = len(bare) - len(strings.TrimLeft(bare, "#="))
		}
		if level > 0 {
			if open >= 0 {
				if before := strings.TrimSpace(out[open].text); len(before)-len(strings.TrimLeft(before, "#=")) >= level {
					out = out[:open]
				}
			}
			out = withoutAnnouncement(out)
		}
		switch {
		case level > 0 && titled:
			open = len(out)
		case level > 0:
			titled = true
		case bare != "":
			open = -1
		}
		out = append(out, line)
	}
	return out
}

// withoutAnnouncement leaves out a line at the end of lines that only announces what is below it.
func withoutAnnouncement(lines []readmeLine) []readmeLine {
	last := len(lines) - 1
	for last >= 0 && strings.TrimSpace(lines[last].text) == "" {
		last--
	}
	if last >= 0 && !lines[last].code && strings.HasSuffix(lines[last].text, ":") {
		return lines[:last]
	}
	return lines
}

// tagNames are the elements that pages of Markdown are drawn with.
var tagNames = setOf(strings.Fields("a abbr article b big blockquote body br button caption center cite code col colgroup dd del details div dl dt em " +
	"figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li link main mark nav ol p path picture pre q s samp section " +
	"small source span strike strong style sub summary sup svg table tbody td tfoot th thead tr tt u ul var video"))

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// withoutTags leaves the words of HTML: a link as one of Markdown, a heading as one of its level, an item as one. What stands between
// backticks is code.
func withoutTags(prose string) string {
	w := words{out: make([]byte, 0, len(prose)), link: -1}
	closes := true // some tag may end
	for i := 0; i < len(prose); {
		next := strings.IndexAny(prose[i:], "<`")
		if next < 0 {
			next = len(prose) - i
		}
		w.write(prose[i : i+next])
		if i += next; i == len(prose) {
			break
		}
		if prose[i] == '`' {
			n := codeSpan(prose[i:])
			w.write(prose[i : i+n])
			i += n
			continue
		}
		end := -1
		if closes {
			end = strings.IndexByte(prose[i:], '>')
			closes = end >= 0
		}
		name, closing := tagName(prose[i:])
		if end < 0 || end > maxTag || !tagNames[name] {
			w.write("<")
			i++
			continue
		}
		w.tag(name, closing, prose[i:i+end+1])
		i += end + 1
	}
	w.endLink()
	return string(w.out)
}

// words are what is left of HTML, as Markdown.
type words struct {
	out    []byte
	link   int    // where the link that is open begins in out, or -1
	target string // of it
	begins bool   // a heading or an item has begun, and has no words yet
	within bool   // of an element, until an empty line: its lines are indented as HTML is
	tagged bool   // the line has a tag so far, and so is not empty
}

// write adds a stretch of text.
func (w *words) write(s string) {
	for line := range strings.Lines(s) {
		if w.begins {
			if line = strings.TrimLeft(line, " \t\r\n"); line == "" {
				continue
			}
			w.begins = false
		}
		if len(w.out) == 0 || w.out[len(w.out)-1] == '\n' {
			if strings.TrimSpace(line) == "" && strings.HasSuffix(line, "\n") && !w.tagged {
				w.within = false
			}
			if w.within {
				line = strings.TrimLeft(line, " \t")
			}
		}
		w.tagged = w.tagged && !strings.HasSuffix(line, "\n")
		w.out = append(w.out, line...)
	}
}

// tag adds what a tag stands for.
func (w *words) tag(name string, closing bool, tag string) {
	if at := bytes.LastIndexByte(w.out, '\n') + 1; len(bytes.Trim(w.out[at:], " \t")) == 0 {
		w.out = w.out[:at]
	}
	w.within, w.tagged = true, true
	if closing {
		w.begins = false
		if name == "a" {
			w.endLink()
		}
		return
	}
	switch {
	case name == "a":
		w.endLink()
		if w.target = attributeOf(tag, "href"); w.target != "" {
			w.link = len(w.out)
		}
	case name == "br":
		w.out = append(w.out, ' ')
	case name == "li":
		w.out = append(w.out, "- "...)
		w.begins = true
	case headingTags[name] > 0:
		w.out = append(append(w.out, strings.Repeat("#", headingTags[name])...), ' ')
		w.begins = true
	}
}

// endLink writes the words since a link began as those of a link, in one line.
func (w *words) endLink() {
	if w.link < 0 {
		return
	}
	said := strings.Join(strings.Fields(string(w.out[w.link:])), " ")
	if w.out = w.out[:w.link]; said != "" {
		w.out = append(w.out, "["+said+"]("+w.target+")"...)
	}
	w.link = -1
}

var headingTags = map[string]int{"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}

// codeSpan is the length of a code span at the beginning of a text, or of the backticks alone where none ends it.
func codeSpan(s string) int {
	ticks := len(s) - len(strings.TrimLeft(s, "`"))
	if ticks < maxSpan {
		if end := strings.Index(s[ticks:min(len(s), ticks+maxSpan)], s[:ticks]); end >= 0 {
			return ticks + end + ticks
		}
	}
	return ticks
}

// tagName is the name of a tag at the beginning of a text, in small letters, and whether it closes an element.
func tagName(s string) (name string, closing bool) {
	s, closing = strings.CutPrefix(s[1:min(len(s), 16)], "/")
	n := strings.IndexFunc(s, func(c rune) bool { return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') })
	if n < 0 || !strings.ContainsAny(s[n:n+1], " \t\r\n/>") {
		return "", false
	}
	return strings.ToLower(s[:n]), closing
}

// attributeOf is the value of an attribute of a tag, "" where it has none in quotes.
func attributeOf(tag, name string) string {
	for _, quote := range []string{`"`, "'"} {
		if _, rest, ok := strings.Cut(tag, name+"="+quote); ok {
			value, _, _ := strings.Cut(rest, quote)
			return strings.TrimSpace(value)
		}
	}
	return ""
}
