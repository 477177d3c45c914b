package text

import "strings"

// What a comment begins and ends with in Markdown, as in HTML, and what Shown leaves of one.
const (
	commentBegin = "<!--"
	commentEnd   = "-->"
	leftOfIt     = "<!-- … -->"
)

// Shown returns Markdown with what its page hides from people left out: of each comment <!-- … --> stays, so that it can be seen that
// there was one. Comments in fenced code and between backticks are shown on a page, and stay. One without an end hides all that
// follows where it begins a line, as CommonMark has it, and nothing elsewhere. What nobody reads is not what its author says to
// readers: hints of a template, marks of bots, words that are meant for a model alone.
func Shown(markdown string) string {
	if !strings.Contains(markdown, commentBegin) {
		return markdown
	}
	var b strings.Builder
	last := strings.LastIndex(markdown, commentEnd)
	fence := ""
	for at := 0; at < len(markdown); {
		end := len(markdown)
		if n := strings.IndexByte(markdown[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := markdown[at:end]
		if bare := strings.TrimLeft(line, " "); len(line)-len(bare) < 4 {
			switch mark := fenceOf(bare); {
			case fence == "" && mark != "":
				fence = mark
			case fence != "" && len(mark) >= len(fence) && mark[0] == fence[0] && strings.TrimSpace(bare[len(mark):]) == "":
				fence = ""
			}
		}
		from := hiddenFrom(line)
		switch {
		case fence != "" || from < 0:
			b.WriteString(line)
			at = end
			continue
		case at+from+len(commentBegin) <= last: // it ends
			b.WriteString(line[:from] + leftOfIt)
			at += from + len(commentBegin)
			at += strings.Index(markdown[at:], commentEnd) + len(commentEnd)
			continue
		case strings.TrimLeft(line[:from], " ") == "":
			b.WriteString(line[:from] + leftOfIt + "\n")
			return b.String()
		}
		b.WriteString(line)
		at = end
	}
	return b.String()
}

// fenceOf returns the backticks or tildes, three or more, that a line begins with.
func fenceOf(bare string) string {
	for _, sign := range []string{"`", "~"} {
		if n := len(bare) - len(strings.TrimLeft(bare, sign)); n >= 3 {
			return bare[:n]
		}
	}
	return ""
}

// hiddenFrom returns where in a line a comment begins that is not between backticks, or -1.
func hiddenFrom(line string) int {
	ticks := 0
	for at := 0; ; {
		n := strings.Index(line[at:], commentBegin)
		if n < 0 {
			return -1
		}
		if ticks += strings.Count(line[at:at+n], "`"); ticks%2 == 0 {
			return at + n
		}
		at += n + len(commentBegin)
	}
}
