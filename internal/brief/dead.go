package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// ofDead is how much less a block is needed that holds nothing but code which a comment takes out: nobody calls it, and it is seldom changed.
const ofDead = 1_500_000

// leastDead is how many lines such a block has at least.
const leastDead = 10

// isDead reports whether a block is of code that a comment takes out: nine of ten lines that hold anything are comments, and half of those end,
// or begin, as lines of code do.
func (e *entry) isDead(b int) bool {
	l := language.Of(e.Path)
	if l == nil || l.Kind != language.Code || e.blocks[b].To-e.blocks[b].From < leastDead-1 {
		return false
	}
	marks := strings.Fields(l.Comments)
	all, comments, code := 0, 0, 0
	for _, line := range e.linesOf(e.blocks[b]) {
		bare := strings.TrimSpace(line)
		if bare == "" {
			continue
		}
		all++
		at := slices.IndexFunc(marks, func(mark string) bool { return strings.HasPrefix(bare, mark) })
		if at < 0 {
			continue
		}
		comments++
		inner := strings.TrimPrefix(bare, marks[at])
		if strings.HasPrefix(inner, "/") || strings.HasPrefix(inner, "!") {
			continue // it documents
		}
		if inner = strings.TrimSpace(inner); inner != "" && strings.IndexByte(";{}()[]=", inner[len(inner)-1]) >= 0 || closing(inner) {
			code++
		}
	}
	return 10*comments >= 9*all && 2*code >= comments
}
