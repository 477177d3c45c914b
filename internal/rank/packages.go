package rank

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// maxGonePackages bounds the packages whose names are read out of deleted manifests.
const maxGonePackages = 16

// packageName is the line of a manifest, by its base name, that names the package; its first group is the name.
var packageName = map[string]*lazyregexp.Regexp{
	"package.json":   lazyregexp.New(`^ {0,4}\t?"name"\s*:\s*"([^"\\]+)"`),
	"composer.json":  lazyregexp.New(`^ {0,4}\t?"name"\s*:\s*"([^"\\]+)"`),
	"Cargo.toml":     lazyregexp.New(`^name\s*=\s*"([^"\\]+)"`),
	"pyproject.toml": lazyregexp.New(`^name\s*=\s*"([^"\\]+)"`),
	"go.mod":         lazyregexp.New(`^module\s+(\S+)`),
}

// GonePackages are the names of the packages whose manifests a change deletes, and that no manifest of it names anew: those with a sign in
// them, as one word may name another thing.
func (o *Order) GonePackages() []string { return o.gonePackages }

func gonePackages(changes []Change) (list []string) {
	var kept []string
	for i := range changes {
		c := &changes[i]
		line := packageName[path.Base(c.Path)]
		if line == nil {
			continue
		}
		if name := namedIn(line, c.Patch, '+'); name != "" {
			kept = append(kept, name)
		}
		if name := namedIn(line, c.Patch, '-'); c.Deleted && strings.ContainsAny(name, "/-") && len(list) < maxGonePackages {
			list = append(list, name)
		}
	}
	return slices.DeleteFunc(list, func(name string) bool { return slices.Contains(kept, name) })
}

// namedIn is the name that a patch adds, or takes away, by the first line that names a package; "" where none does.
func namedIn(line *lazyregexp.Regexp, patch []byte, mark byte) string {
	for l := range bytes.Lines(patch) {
		if len(l) == 0 || l[0] != mark {
			continue
		}
		if m := line.FindSubmatch(l[1:]); m != nil {
			return string(m[1])
		}
	}
	return ""
}
