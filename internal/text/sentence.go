package text

import "strings"

// EndsSentence reports whether the full stop at s[i] ends a sentence: a space is next, and before it stands none of the shortened
// words that are common in comments, nor another full stop. The last byte of s ends none.
func EndsSentence(s string, i int) bool {
	if i < 3 || i+1 >= len(s) || s[i] != '.' || s[i+1] != ' ' || s[i-1] == '.' {
		return false
	}
	for _, short := range []string{"e.g", "i.e", "etc", "vs", "cf", "approx", "Dr", "Mr", "No", "incl", "resp"} {
		if before, ok := strings.CutSuffix(s[:i], short); ok && (before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "(")) {
			return false
		}
	}
	return true
}
