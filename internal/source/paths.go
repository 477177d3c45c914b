package source

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// asideFolders hold projects that are not the project: what tests read, what
// examples show, what templates generate.
var asideFolders = []string{"test", "tests", "testdata", "__tests__", "fixtures", "__fixtures__", "fixture", "example", "examples", "sample", "samples",
	"demo", "demos", "playground", "playgrounds", "template", "templates", "node_modules", "vendor", "third_party", "dist", "build", "out", "target"}

// Aside reports whether a path stands in a folder of tests, examples, templates or what others wrote.
func Aside(p string) bool {
	for dir := range strings.SplitSeq(strings.ToLower(DirOf(language.AboveSources(p))), "/") {
		if slices.Contains(asideFolders, dir) || strings.HasPrefix(dir, "template-") {
			return true
		}
	}
	return false
}

// DirOf is the folder of a path, "" for the root.
func DirOf(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}
