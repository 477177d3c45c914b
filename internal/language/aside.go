package language

import (
	"path"
	"strings"
)

// asides are folders that hold what a program is not made of.
var asides = WordSet("vendor third_party third-party thirdparty node_modules examples example samples sample playground playgrounds demo demos sandbox generated gen dist deprecated legacy " +
	"archive archived docs doc documentation website site benchmark benchmarks bench gallery galleries tutorial tutorials")

// IsAside reports whether a path lies below a folder of what a program is not made of: examples, manuals, what others wrote. Case
// does not matter.
func IsAside(name string) bool {
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if asides[strings.ToLower(dir)] {
			return true
		}
	}
	return false
}
