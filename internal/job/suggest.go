package job

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/haversack-dev/haversack/internal/text"
)

// maxSuggested is the longest word, in bytes, for which another is suggested: the distance
// of two words takes the product of their lengths.
const maxSuggested = 64

// Suggest says which of the known words a user may have meant by another, with what stands
// before each: " (did you mean --base?)". It is "" where none is near.
func Suggest(word string, known []string, before string) string {
	if len(word) > maxSuggested {
		return ""
	}
	// One slip in three letters, and no word of which nothing is left.
	best, least := "", max(len(word)/3, 1)+1
	for _, k := range known {
		d := levenshtein.ComputeDistance(strings.ToLower(word), k)
		if len(word) > 2 && (strings.HasPrefix(k, word) || strings.HasPrefix(word, k)) {
			d = min(d, 1)
		}
		if d < least && d < max(len(word), len(k)) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s%s?)", before, text.Name(best))
}
