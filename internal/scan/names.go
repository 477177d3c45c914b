package scan

import (
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Names decides on single paths as a search of the root decides on them by their names:
// whoever watches a folder asks about each change. Ignore files are read once. It is
// for one goroutine.
type Names struct {
	w *walker
	// asked are paths that are taken although ignore files leave them out.
	asked   map[string]bool
	reached map[string]bool // folders above asked paths
	own     ignores
	folders map[string]folderState
}

// folderState is what a walk knows in a folder.
type folderState struct {
	// out: no walk enters the folder.
	out       bool
	up        ignores
	inherited *Omission
}

// NewNames returns what decides on the root's paths by these rules. asked are paths
// that are packed although ignore files leave them out: only what is reserved,
// excluded or a credential by its name speaks against them.
func NewNames(root *tree.Root, rules Rules, git Git, asked []string) *Names {
	n := &Names{w: newWalker(root, rules, git), asked: map[string]bool{}, reached: map[string]bool{".": true}, folders: map[string]folderState{}}
	n.w.warn = func(string) {} // the search itself warns
	for _, name := range asked {
		n.asked[name] = true
		for d := path.Dir(name); !n.reached[d]; d = path.Dir(d) {
			n.reached[d] = true
		}
	}
	n.own = n.w.ownFiles()
	n.folders["."] = folderState{up: n.w.ignoreFileIn(".", n.w.exclude())}
	return n
}

// LeftOut reports whether no search takes the file of this name, or enters the folder.
func (n *Names) LeftOut(name string, folder bool) bool {
	if !within(name, n.w.rules.Under) && !(folder && within(n.w.rules.Under, name)) {
		return true
	}
	if folder {
		return n.enter(name).out
	}
	if n.asked[name] {
		_, _, skip := n.w.rules.Judge(name)
		return skip
	}
	up := n.enter(path.Dir(name))
	if up.out {
		return true
	}
	_, _, skip := n.w.judgeFile(name, up.up, n.own, up.inherited)
	return skip
}

// enter goes down to a folder as a walk does.
func (n *Names) enter(dir string) folderState {
	if in, ok := n.folders[dir]; ok {
		return in
	}
	in := n.enter(path.Dir(dir))
	if !in.out && !within(n.w.rules.Under, dir) { // nothing is asked above Under
		o, skip := n.w.judgeDir(dir, in.up, n.own)
		if !skip && in.inherited != nil && n.w.rules.Include.MatchAll(dir) == "" {
			o, skip = *in.inherited, true
		}
		switch {
		case !skip:
			in.inherited = nil
		case o.overridable && (n.reached[dir] || n.w.rules.Include.Reaches(dir) || n.own.reach(dir)):
			in.inherited = &o
		default:
			in.out = true
		}
	}
	if !in.out {
		in.up = n.w.ignoreFileIn(dir, in.up)
	}
	n.folders[dir] = in
	return in
}

// DecidesNames reports whether the file of this name decides on others: an ignore
// file does.
func DecidesNames(name string) bool {
	switch name {
	case ".councilignore", ".haversackignore":
		return true
	}
	return name == ".gitignore" || strings.HasSuffix(name, "/.gitignore")
}

// within reports whether a path lies in a folder.
func within(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}
