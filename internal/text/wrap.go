package text

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks words into lines of at most n characters where it can: a longer word has a
// line of its own.
func Wrap(s string, n int) []string {
	var lines []string
	var line strings.Builder
	length := 0
	for _, w := range strings.Fields(s) {
		size := utf8.RuneCountInString(w)
		if length > 0 && length+1+size > n {
			lines = append(lines, line.String())
			line.Reset()
			length = 0
		}
		if length > 0 {
			line.WriteByte(' ')
			length++
		}
		line.WriteString(w)
		length += size
	}
	return append(lines, line.String())
}
