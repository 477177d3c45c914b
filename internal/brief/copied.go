package brief

import (
	"maps"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// licenceWords are those that the name of a licence's text ends with, up to the first dot: LICENSE, ORIGINAL-LICENSE, COPYING.LESSER.
var licenceWords = language.WordSet("license licence unlicense copying")

// isLicence reports whether a path is that of a licence's text, rather than of code that tells of licences.
func isLicence(name string) bool {
	stem, _, _ := strings.Cut(path.Base(name), ".")
	words := language.Words(stem)
	l := language.Of(name)
	text := l == nil || l.Kind == language.Prose || l.Kind == language.Data
	return text && len(words) > 0 && licenceWords[words[len(words)-1]]
}

// Copied returns the folders of these paths that hold a copy of another project: those with a licence of their own, where the root has
// one too, and without a manifest of their own, which would make them a part of the whole. A folder that holds half of the code is
// what the program is made of, whoever wrote it, and so are all of them where they leave little: each mod of a game has its licence. A
// folder that is called src holds what the one above it is made of: another project's has a name.
// roles are those of the paths.
func Copied(names []string, roles []Role) map[string]bool {
	licensed, own := map[string]bool{}, false
	for _, name := range names {
		if isLicence(name) {
			dir := path.Dir(name)
			own = own || dir == "."
			licensed[dir] = !sourceFolders[strings.ToLower(path.Base(dir))]
		}
	}
	delete(licensed, ".")
	maps.DeleteFunc(licensed, func(_ string, copied bool) bool { return !copied })
	if !own || len(licensed) == 0 {
		return nil
	}
	code, all := map[string]int{}, 0
	for i, name := range names {
		switch role := roles[i]; {
		case role == Manifest:
			delete(licensed, path.Dir(name))
		case role == Code:
			all++
			for dir := path.Dir(name); dir != path.Dir(dir); dir = path.Dir(dir) {
				if licensed[dir] {
					code[dir]++
				}
			}
		}
	}
	outside := 0
	for i, name := range names {
		if roles[i] == Code && !Within(name, licensed) {
			outside++
		}
	}
	if littleLeft*outside < all {
		return nil
	}
	for dir := range licensed {
		if 2*code[dir] >= all {
			delete(licensed, dir)
		}
	}
	return licensed
}

// sourceFolders are names of folders that no project has.
var sourceFolders = language.WordSet("src source sources")

// littleLeft is the part of the code that stands outside of copies at least: a program is more than what it took over.
const littleLeft = 10

// Within reports whether a path lies below one of the folders.
func Within(name string, folders map[string]bool) bool {
	if len(folders) == 0 {
		return false
	}
	for dir := path.Dir(name); dir != path.Dir(dir); dir = path.Dir(dir) {
		if folders[dir] {
			return true
		}
	}
	return false
}
