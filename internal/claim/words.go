package claim

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/text"
)

// Plainly names somebody's words one by one, in quotation marks where one is more than a
// plain word.
func Plainly(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = text.Name(w)
	}
	return strings.Join(list, ", ")
}

// Quoted puts a stranger's text into quotation marks, one pair in all.
func Quoted(s string) Own { return Own(text.Quote(s)) }

// Count is a number and its noun.
func Count(n int, noun string) Own {
	switch {
	case n == 1:
		return Own("1 " + noun)
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay"):
		noun = noun[:len(noun)-1] + "ies"
	default:
		noun += "s"
	}
	return Own(fmt.Sprintf("%d %s", n, noun))
}

// OneLine makes a stranger's text fit into a sentence: one line, no control or
// direction characters, at most n runes.
func OneLine(s string, n int) string {
	var b strings.Builder
	space, runes := false, 0
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = true
			continue
		case r == utf8.RuneError || unicode.Is(unicode.Cf, r):
			continue
		}
		if runes >= n {
			b.WriteString("…")
			break
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
			runes++
		}
		space = false
		b.WriteRune(r)
		runes++
	}
	return b.String()
}
