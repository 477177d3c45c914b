package brief

import (
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/rank"
)

// What still names a path that a change leaves no file of is broken, or says what is no more: settings, workflows, manuals. No import tells
// of it. ofLeft is how much more such a block is needed; together they have nearPart of a budget.
const (
	ofLeft = 8_000_000
	// maxGone bounds the paths that are looked for: every file is passed over for each.
	maxGone = 16
	// maxLeft bounds the lines of one file that count: what is named more often is named as another thing, or is listed.
	maxLeft = 12
)

// gonePaths are the paths, and the names of packages, that are looked for in other files: paths with a folder in them, as one word may name
// another thing.
func gonePaths(order *rank.Order) (list []string) {
	list = append(list, order.GonePackages()...)
	for _, one := range order.Gone() {
		if strings.Contains(one.Path, "/") && len(list) < maxGone {
			list = append(list, one.Path)
		}
	}
	return list
}

// linesNaming are the lines of a text that name one of the paths, none where there are too many, and the first path that one names.
func linesNaming(text string, paths []string) (lines []int, first string) {
	for _, name := range paths {
		for at := 0; ; {
			n := strings.Index(text[at:], name)
			if n < 0 {
				break
			}
			from := at + n
			if at = from + len(name); !isPathEnd(text, from, at) {
				continue
			}
			line := 1 + strings.Count(text[:from], "\n")
			if first = cmp.Or(first, name); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
			if len(lines) > maxLeft {
				return nil, ""
			}
		}
	}
	slices.Sort(lines)
	return lines, first
}

// isPathEnd reports whether a stretch of a text is a path by itself, or with what lies in it: no part of a longer name.
func isPathEnd(text string, from, to int) bool {
	inName := func(c byte) bool { return isWordByte(c) || c == '-' || c >= 0x80 }
	if from > 0 && inName(text[from-1]) {
		return false
	}
	if from > 1 && text[from-1] == '/' && (inName(text[from-2]) || text[from-2] == '.' && from > 2 && text[from-3] == '.') {
		return false // below another folder
	}
	return to == len(text) || !inName(text[to]) && !(text[to] == '.' && to+1 < len(text) && inName(text[to+1]))
}

// touchLeft marks the lines of a file that name what the change leaves no file of as touched, and says so.
func (s *Source) touchLeft(gone []string) {
	if len(gone) == 0 || rank.IsChronicle(cmp.Or(s.Name, s.Path)) || language.IsLock(s.Path) {
		return
	}
	lines, first := linesNaming(s.Text, gone)
	if len(lines) == 0 {
		return
	}
	s.Touched = append(s.Touched, lines...)
	slices.Sort(s.Touched)
	s.Left = true
	s.Why = []string{"still names " + first + ", of which nothing is left"}
	s.Narrow()
}

// raiseLeft raises the needs of blocks that name what is gone, those of the best files first, as far as there is room.
func raiseLeft(those []*Source, left [][]bool, room int) {
	for i, s := range those {
		for b := range s.Needs {
			if b >= len(left[i]) || !left[i][b] {
				continue
			}
			if size := int(s.sizes[b]); size <= room {
				room -= size
				s.Needs[b] += ofLeft
			}
		}
	}
}
