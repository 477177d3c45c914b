package text

import "strings"

// What a comment begins and ends with in Markdown, as in HTML, and what Shown leaves of one.
const (
	commentBegin = "<!--"
	commentEnd   = "-->"
	leftOfIt     = "<!-- … -->"
)

// Shown returns Markdown with the comments left out that its page hides from people: hints of a template, marks of bots, words that
// are meant for a model alone. Of each <!-- … --> stays, so that it can be seen that there was one. That is so in code too, which a page
// shows: what is code depends on all that stands before it, and a reader who is deceived about that would be told what nobody sees. A
// comment without an end hides all that follows where nothing but marks of lists and quotes stands before it in its line. Of links'
// definitions no title stays, [//]: # (words), which hides words as well.
func Shown(markdown string) string {
	return withoutTitles(withoutComments(markdown))
}

func withoutComments(markdown string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(markdown, commentBegin)
		if !found {
			b.WriteString(markdown)
			return b.String()
		}
		b.WriteString(before)
		if _, after, ends := strings.Cut(rest, commentEnd); ends {
			b.WriteString(leftOfIt)
			markdown = after
			continue
		}
		for first := true; ; first = false { // none of those that follow ends
			at := strings.LastIndexByte(before, '\n')
			within := at < 0 && !first // a line that an earlier one stands in, and is of
			if !within && strings.Trim(before[at+1:], " \t>-*+.)0123456789") == "" {
				b.WriteString(leftOfIt + "\n")
				return b.String()
			}
			b.WriteString(commentBegin)
			if before, rest, found = strings.Cut(rest, commentBegin); !found {
				b.WriteString(before)
				return b.String()
			}
			b.WriteString(before)
		}
	}
}
