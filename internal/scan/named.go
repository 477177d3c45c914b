package scan

import (
	"strings"
)

// NameList are files that a list names: paths, each for itself and all below it, are looked up, so that a list may be long; globs
// are tried. The zero value names every file.
type NameList struct {
	lines Patterns
	paths map[Pattern]bool
	globs Patterns
}

// ParseNamed reads a list, one path or pattern a line; see ParsePatterns.
func ParseNamed(lines []string) (NameList, error) {
	ps, err := ParsePatterns(lines)
	n := NameList{lines: ps, paths: make(map[Pattern]bool, len(ps))}
	for _, p := range ps {
		n.paths[p] = true
		if p.glob() || strings.Contains(string(p), `\`) || p == "." {
			n.globs = append(n.globs, p)
		}
	}
	return n, err
}

// All reports whether there is no list: every file is named.
func (n NameList) All() bool { return len(n.lines) == 0 }

// Match reports whether the list names a path.
func (n NameList) Match(name string) bool {
	return n.All() || len(n.matches(name)) > 0 || n.globs.Match(name) != ""
}

// matches are the lines that stand for a path as they are.
func (n NameList) matches(name string) (list []Pattern) {
	for end := len(name); end > 0; end = strings.LastIndexByte(name[:end], '/') {
		if p := Pattern(name[:end]); n.paths[p] {
			list = append(list, p)
		}
	}
	return list
}

// Idle are the lines that name none of the files which a search took, in their order.
func (n NameList) Idle(files []File) (list Patterns) {
	met := map[Pattern]bool{}
	for i := range files {
		for _, p := range n.matches(files[i].Path) {
			met[p] = true
		}
		for _, p := range n.globs {
			if !met[p] && p.match(files[i].Path) {
				met[p] = true
			}
		}
	}
	for _, p := range n.lines {
		if !met[p] {
			list = append(list, p)
			met[p] = true // a line that stands twice is told once
		}
	}
	return list
}
