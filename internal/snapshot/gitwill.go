package snapshot

import (
	"bytes"
	"fmt"
	"io/fs"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/tree"
)

// userRules are what the user of a desk has told git to ignore in all repositories. In a
// workflow they are the runner's, and are left alone.
func userRules(e *job.Setting, r *repo.Repository) (rules []byte, warnings []string) {
	if e.Workflow {
		return nil, nil
	}
	rules, warning := r.UserExcludes(e.Getenv)
	if warning != "" {
		warnings = []string{warning}
	}
	return rules, warnings
}

// unseen puts the index's version in the place of files whose edits git is told not to
// see (skip-worktree, assume-unchanged): they are no change, and often hold what is
// nobody else's. lower is the root below, nil where there is no such file.
func unseen(h *Head) (lower, root *tree.Root, warnings []string) {
	var hidden []repo.TrackedPath
	var names []string
	for i := range h.tracked {
		t := &h.tracked[i]
		if t.Mode&fs.ModeIrregular != 0 || !h.Repo.Hides(*t) || h.asIndexed(t) {
			continue
		}
		if _, err := h.Repo.BlobSize(t.ID); err != nil {
			continue // absent in a partial clone
		}
		hidden, names = append(hidden, *t), append(names, t.Path)
	}
	if len(hidden) == 0 {
		return nil, h.Root, nil
	}
	return h.Root, tree.Over(h.Root, h.Repo.IndexTree(hidden), names), []string{fmt.Sprintf(
		"git is told to overlook the edits of %s (skip-worktree, assume-unchanged): the index's version is packed, as unchanged", someOf(names))}
}

// asIndexed reports whether a file of the worktree is what the index says.
func (h *Head) asIndexed(t *repo.TrackedPath) bool {
	if _, err := h.Root.Lstat(t.Path); err != nil {
		return false
	}
	e, there := h.entry(t)
	return there && e.ID == t.ID && e.Mode == t.Mode
}

// Bounds of the look at what is in conflict.
const (
	maxConflicts     = 100
	maxConflictBytes = 1 << 20
)

// unsettled says what git has begun and not ended, and which files hold the marks of a
// conflict: a reader would take both sides for the file.
func unsettled(h *Head, conflicts []string) []string {
	op := h.Repo.InProgress()
	if op == "" && len(conflicts) == 0 {
		return nil
	}
	var marked []string
	for _, name := range conflicts[:min(len(conflicts), maxConflicts)] {
		if raw, err := h.Root.ReadFile(name, maxConflictBytes); err == nil && hasMarks(raw) {
			marked = append(marked, name)
		}
	}
	text := "files are in conflict"
	if op != "" {
		text = op + " is in progress"
	}
	switch {
	case len(marked) > 0:
		return []string{fmt.Sprintf("%s: what is packed is neither side, and conflict markers stand in %s", text, someOf(marked))}
	case len(conflicts) > 0:
		return []string{fmt.Sprintf("%s: what is packed is neither side, and not merged yet: %s", text, someOf(conflicts))}
	}
	return []string{text + ": what is packed is neither side"}
}

// hasMarks reports whether a text holds the lines between which git puts two sides.
func hasMarks(raw []byte) bool {
	begun := false
	for line := range bytes.Lines(raw) {
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			begun = true
		case begun && bytes.HasPrefix(line, []byte(">>>>>>> ")):
			return true
		}
	}
	return false
}
