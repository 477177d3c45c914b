package brief

import (
	"fmt"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
)

// Levels say of files, by patterns, how much of them a document shows, whatever speaks for them.
type Levels []levelRule

// levelRule is the level of the files that a pattern matches.
type levelRule struct {
	pattern scan.Patterns // one
	level   Level
}

// LevelRequest is what was asked of a file: nothing, which is the zero value, or a level.
type LevelRequest struct {
	Level Level
	Set   bool
}

// below reports whether the file is to be shown at a lower level.
func (a LevelRequest) below(level Level) bool { return a.Set && a.Level < level }

// is reports whether this level was asked for.
func (a LevelRequest) is(level Level) bool { return a.Set && a.Level == level }

// ParseLevels reads rules, glob=level, one a line; see scan.Patterns. The error says what is allowed.
func ParseLevels(lines []string) (Levels, error) {
	var list Levels
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		at := strings.LastIndexByte(line, '=')
		if at <= 0 {
			return nil, fmt.Errorf("%q: must be glob=level, one a line; levels are %s", line, strings.Join(levelNames[:], ", "))
		}
		name := strings.TrimSpace(line[at+1:])
		level := slices.Index(levelNames[:], name)
		if level < 0 {
			return nil, fmt.Errorf("%q: %q is no level; allowed are %s", line, name, strings.Join(levelNames[:], ", "))
		}
		pattern, err := scan.ParsePatterns([]string{line[:at]})
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		if len(pattern) == 0 {
			return nil, fmt.Errorf("%q: no pattern stands before the level", line)
		}
		list = append(list, levelRule{pattern, Level(level)})
	}
	return list, nil
}

// Of is what was asked of a file: the last line that matches its path decides.
func (l Levels) Of(name string) LevelRequest {
	for _, rule := range slices.Backward(l) {
		if rule.pattern.Match(name) != "" {
			return LevelRequest{rule.level, true}
		}
	}
	return LevelRequest{}
}

// Patterns are those of the rules, in their order.
func (l Levels) Patterns() (list scan.Patterns) {
	for _, rule := range l {
		list = append(list, rule.pattern...)
	}
	return list
}

// maxListed bounds the paths that are listed because that was asked for.
const maxListed = 200

// ListedChapter names the files of which the path alone was asked for; nil where there are none.
func ListedChapter(paths []string) []Chapter {
	if len(paths) == 0 {
		return nil
	}
	var b strings.Builder
	for _, p := range paths[:min(len(paths), maxListed)] {
		b.WriteString("- " + Span(p) + "\n")
	}
	if n := len(paths) - maxListed; n > 0 {
		fmt.Fprintf(&b, "- and %d more\n", n)
	}
	return []Chapter{{Title: "Listed alone, as asked for", Sections: []Section{{Pieces: []string{b.String() + "\n"}}}}}
}
