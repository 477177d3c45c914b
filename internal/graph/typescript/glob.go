package typescript

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// Bounds of what a pattern may name.
const (
	// maxGlobbed are the files of one pattern.
	maxGlobbed = 2000
	// maxGlob are the signs of a pattern, maxGlobStars its stars.
	maxGlob, maxGlobStars = 300, 6
)

// globbed lists the sources that a pattern names, from the folder of a module.
func (b *builder) globbed(m *module, pattern string) (ids []string) {
	if strings.HasPrefix(pattern, "!") || len(pattern) > maxGlob || strings.Count(pattern, "*") > maxGlobStars || !relative(pattern) {
		return nil
	}
	self := b.files.id(m.path)
	pattern = path.Join(path.Dir(self), pattern)
	if strings.HasPrefix(pattern, "../") {
		return nil
	}
	prefix, _, _ := strings.Cut(pattern, "*")
	parts := strings.Split(pattern, "/")
	at, _ := slices.BinarySearchFunc(b.sources, prefix, func(s graph.SourceFile, want string) int { return strings.Compare(s.Path, want) })
	for looked := 0; at < len(b.sources) && looked < 10*maxGlobbed && len(ids) < maxGlobbed; at++ {
		id := b.sources[at].Path
		if !strings.HasPrefix(id, prefix) {
			break
		}
		looked++
		if id != self && matches(parts, strings.Split(id, "/")) {
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
