package rank

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// Users are those of what the change touches in one file.
type Users struct {
	// All says that the change touches nothing else that others could use.
	All  bool
	Uses []Use
}

// Use is what a file uses of a changed one.
type Use struct {
	// Path of the file that uses, Name of the definition as people write it, Line at
	// which the changed file defines it.
	Path, Name string
	Line       int
}

// UsersOf are the users of what a change touches in a file: who imports, by name, a definition that holds
// one of the touched lines. definitions are the file's in the head, users the importing files by the name that
// they use, touched the lines of the head that the change writes or takes lines from.
func UsersOf(definitions []graph.Definition, users map[string][]string, touched []int) Users {
	// Names that the file defines otherwise: "default", "*", what it exports renamed.
	// Who imports those may use anything.
	var anything []string
	defined := map[string]bool{}
	for _, x := range definitions {
		defined[outermost(x.Name)] = true
	}
	for name, list := range users {
		if !defined[name] {
			anything = append(anything, list...)
		}
	}
	slices.Sort(anything)
	anything = slices.Compact(anything)
	out := Users{All: true}
	inside := map[int]bool{}
	for _, x := range definitions {
		// What is not exported may still be used by files of its package.
		hit, visible := false, x.Exported || len(users[outermost(x.Name)]) > 0
		for _, n := range touched {
			if visible && x.From <= n && n <= x.End {
				hit, inside[n] = true, true
			}
		}
		if hit {
			for _, user := range slices.Concat(users[outermost(x.Name)], anything) {
				out.Uses = append(out.Uses, Use{Path: user, Name: x.Name, Line: x.Line})
			}
		}
	}
	for _, n := range touched {
		out.All = out.All && inside[n]
	}
	return out
}

// outermost is the name by which a definition is imported: that of its type.
func outermost(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}
