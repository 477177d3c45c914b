package scan

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// This file says which of the files that are left out are read all the same: what a credential is does not depend on whether the
// file that says so is packed. Of those that git tracks it is each, as anyone who commits may have an ignore file name it; below
// folders of dependencies, and where nothing is tracked or packed, those whose name is one of credentials.

// leave hands on a file or link that is left out, if it is to be learned from.
func (w *walker) leave(name string, e tree.Entry) error {
	if w.learn == nil || !e.Mode.IsRegular() && e.Mode&fs.ModeSymlink == 0 {
		return nil
	}
	tier, _ := secret.Name(name)
	store := w.rules.StoreOf(name)
	submodule, tracked := w.git.Tracked[name]
	if tier == secret.Clear && store == NoStore && (submodule || !tracked && w.git.Tracked != nil || Depends(name)) {
		return nil
	}
	return w.learn(candidate{path: name, mode: e.Mode, id: e.ID, left: true, store: store})
}

// pass notes a folder that is not entered.
func (w *walker) pass(name string) {
	if w.learn == nil || !w.parents[name] {
		return
	}
	if w.passed == nil {
		w.passed = map[string]bool{}
	}
	w.passed[name] = true
}

// leaveRest hands on the tracked files that no walk comes to: those below folders that are not entered, and outside of the folder
// that a run is limited to those whose name is one of credentials.
func (w *walker) leaveRest(ctx context.Context) error {
	if len(w.passed) == 0 && w.rules.Under == "." {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(w.git.Tracked)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		inside := within(name, w.rules.Under)
		if inside && !w.below(name) || !tree.Valid(name) || overlong(name) != "" {
			continue
		}
		if tier, _ := secret.Name(name); !inside && tier == secret.Clear && w.rules.StoreOf(name) == NoStore {
			continue
		}
		in, err := w.root.Lstat(name)
		if err != nil {
			continue
		}
		if w.screen != nil && inside {
			w.screen(name)
		}
		if err := w.leave(name, tree.Entry{Mode: in.Mode.Type(), ID: in.ID}); err != nil {
			return err
		}
	}
	return nil
}

// below reports whether a path lies below a folder that was passed.
func (w *walker) below(name string) bool {
	for d := path.Dir(name); d != "."; d = path.Dir(d) {
		if w.passed[d] {
			return true
		}
	}
	return false
}

// Depends reports whether a path lies below a folder of dependencies.
func Depends(name string) bool {
	for d := path.Dir(name); d != "."; d = path.Dir(d) {
		if v, ok := smartDir(d); ok && v.reason == DependencyDir {
			return true
		}
	}
	return false
}
