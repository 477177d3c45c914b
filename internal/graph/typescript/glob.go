package typescript

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	tsgo "github.com/microsoft/typescript-go/tsshim"
)

// Bounds of what a pattern may name.
const (
	// maxGlobbed are the files of one pattern.
	maxGlobbed = 2000
	// maxGlob are the signs of a pattern, maxGlobStars its stars.
	maxGlob, maxGlobStars = 300, 6
	// maxBraces are the patterns that one with braces stands for.
	maxBraces = 32
)

// globbed lists the sources that a pattern names, from the folder of a module, but for those that another pattern of it takes away.
func (b *builder) globbed(m *module, pattern string) (ids []string) {
	if strings.HasPrefix(pattern, "!") {
		return nil
	}
	var without [][]string
	for i := range m.file.Refs {
		if r := &m.file.Refs[i]; r.Form == tsgo.Glob && strings.HasPrefix(r.Name, "!") && len(without) < maxBraces {
			for _, p := range b.patterns(m, r.Name[1:]) {
				without = append(without, strings.Split(p, "/"))
			}
		}
	}
	for _, p := range b.patterns(m, pattern) {
		ids = b.globInto(ids, b.files.id(m.path), p, without)
	}
	return ids
}

// patterns are those that one is of the repository's paths: one for each name in braces.
func (b *builder) patterns(m *module, pattern string) (list []string) {
	dir := path.Dir(m.path)
	switch {
	case relative(pattern):
	case strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "**/"): // of the project
		dir = b.packageOf(m.path)
	default:
		return nil
	}
	if dir == "" || len(pattern) > maxGlob || strings.Count(pattern, "*") > maxGlobStars {
		return nil
	}
	for _, one := range braces(path.Join(b.files.id(dir), pattern)) {
		if !strings.HasPrefix(one, "../") {
			list = append(list, one)
		}
	}
	return list
}

// braces are the patterns that one with names in braces stands for: a/{b,c}/*.
func braces(pattern string) []string {
	list := []string{pattern}
	for i := 0; i < len(list) && len(list) < maxBraces; {
		open := strings.IndexByte(list[i], '{')
		n := strings.IndexByte(list[i][max(open, 0):], '}')
		if open < 0 || n < 0 {
			i++
			continue
		}
		before, inner, behind := list[i][:open], list[i][open+1:open+n], list[i][open+n+1:]
		var each []string
		for name := range strings.SplitSeq(inner, ",") {
			each = append(each, before+name+behind)
		}
		list = slices.Replace(list, i, i+1, each...)
	}
	return list
}

// globInto adds the sources that a pattern names and none of others.
func (b *builder) globInto(ids []string, self, pattern string, without [][]string) []string {
	prefix, _, _ := strings.Cut(pattern, "*")
	parts := strings.Split(pattern, "/")
	at, _ := slices.BinarySearchFunc(b.sources, prefix, func(s graph.SourceFile, want string) int { return strings.Compare(s.Path, want) })
	for looked := 0; at < len(b.sources) && looked < 10*maxGlobbed && len(ids) < maxGlobbed; at++ {
		id := b.sources[at].Path
		if !strings.HasPrefix(id, prefix) {
			break
		}
		looked++
		name := strings.Split(id, "/")
		if id != self && matches(parts, name) && !slices.ContainsFunc(without, func(p []string) bool { return matches(p, name) }) {
			ids = append(ids, id)
		}
	}
	return ids
}

// matches reports whether the parts of a path are what the parts of a pattern say: ** are any folders, and at the end any file.
func matches(pattern, name []string) bool {
	for len(pattern) > 0 && pattern[0] != "**" {
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], name[0]); !ok || err != nil {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if len(pattern) == 1 {
		return len(name) > 0
	}
	for i := range name {
		if matches(pattern[1:], name[i:]) {
			return true
		}
	}
	return false
}
