package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/text"
)

// desk finds the base from the repository alone: where the history of the head
// left the branch that it was made from; on that branch itself what is not committed
// yet, or the last commit.
func (f *Finder) desk(ctx context.Context) (*Base, error) {
	h := f.Head
	own, cut, err := origin(h)
	if err != nil {
		return nil, err
	}
	switch {
	case own != nil && own.unrelated:
		return f.unrelated(ctx, own.branch.SHA, own.branch.Name)
	case own != nil && own.commits > 0:
		return baseAt(h, h.Repo, own.at, "merge base with "+own.why)
	}
	var b *Base
	if h.Kind != "worktree" {
		b = f.parent(ctx)
	} else if b, err = baseAt(h, h.Repo, h.Commit.SHA, "HEAD, against what is not committed"); err == nil {
		b.undecided = true
	}
	if b != nil && cut != "" {
		b.Warnings = append(b.Warnings, fmt.Sprintf("where the branch left %s cannot be told, so the change is measured against %s: %v", text.Name(cut), b.Reason, repo.ErrShallow))
	}
	return b, err
}

// lead is how far the head is ahead of a branch that it may have been made from.
type lead struct {
	branch repo.Branch
	// at is the merge base, and commits are those that lead from it to the head.
	at      string
	commits int
	// why is the branch's name, and what speaks for it.
	why       string
	unrelated bool
}

// origin finds the branch that the head was made from: the one that it is set to
// track, unless that is its own copy elsewhere; else of the remotes' default branches
// the nearest, and of equally near ones not the one that is pushed to. It is nil where
// none is known, and has no commits where the head is on it. cut names a branch where
// a shallow clone lacks the history to tell.
func origin(h *Head) (own *lead, cut string, err error) {
	defaults := h.Repo.DefaultBranches()
	var tracked *repo.Branch
	if up, ok := h.Repo.Upstream(); ok && h.Kind == "worktree" && !copyOf(up, h.Repo.Branch(), defaults) {
		tracked = &up
	}
	var leads []lead
	for _, b := range slices.Concat(list(tracked), defaults) {
		why := text.Name(b.Name)
		if tracked != nil && b == *tracked {
			why += ", which the branch tracks"
		} else if len(defaults) > 1 {
			why += ", the nearest of the remotes' default branches"
		}
		if b.SHA == h.Commit.SHA {
			leads = append(leads, lead{branch: b, at: b.SHA, why: why})
		} else {
			at, n, err := h.Repo.Lead(h.Commit.SHA, b.SHA)
			switch {
			case err == nil:
				leads = append(leads, lead{branch: b, at: at, commits: n, why: why})
			case errors.Is(err, repo.ErrShallow):
				cut = cmp.Or(cut, b.Name)
			case errors.Is(err, repo.ErrUnrelated):
				leads = append(leads, lead{branch: b, why: why, unrelated: true})
			default:
				return nil, "", err
			}
		}
		if tracked != nil && b == *tracked && len(leads) == 1 && decides(leads[0], defaults) {
			return &leads[0], "", nil
		}
	}
	if len(leads) == 0 {
		return nil, cut, nil
	}
	pushed := h.Repo.PushDefault()
	// Unrelated ones come last, and of equally near ones that of the remote which is pushed to.
	turn := func(l lead) (unrelated, pushedTo int) {
		if l.unrelated {
			unrelated = 1
		}
		if pushed != "" && l.branch.Remote == pushed {
			pushedTo = 1
		}
		return unrelated, pushedTo
	}
	nearest := slices.MinFunc(leads, func(a, b lead) int {
		unrelatedA, pushedA := turn(a)
		unrelatedB, pushedB := turn(b)
		return cmp.Or(cmp.Compare(unrelatedA, unrelatedB), cmp.Compare(a.commits, b.commits), cmp.Compare(pushedA, pushedB))
	})
	return &nearest, cut, nil
}

// decides reports whether the tracked branch settles where the head comes from: it has
// something that the tracked one has not, or stands on a default branch.
func decides(l lead, defaults []repo.Branch) bool {
	return !l.unrelated && (l.commits > 0 || slices.Contains(defaults, l.branch))
}

func list(b *repo.Branch) []repo.Branch {
	if b == nil {
		return nil
	}
	return []repo.Branch{*b}
}

// copyOf reports whether a tracked branch is the branch's own copy elsewhere, which
// it was pushed to: of the same name, or of the same behind a prefix. A default branch
// is none.
func copyOf(up repo.Branch, own string, defaults []repo.Branch) bool {
	if up.Remote == "" || slices.Contains(defaults, up) {
		return false
	}
	last := func(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }
	return last(up.Plain()) == last(own)
}

// parent is the base where nothing is uncommitted: the commit before the head's.
// A clone that lacks it, and cannot fetch it, has none.
func (f *Finder) parent(ctx context.Context) *Base {
	h := f.Head
	if len(h.Commit.Parents) == 0 {
		return &Base{Reason: "first commit: everything is new"}
	}
	parent := h.Commit.Parents[0]
	if b, err := baseAt(h, h.Repo, parent, "HEAD^, the commit before"); err == nil {
		return b
	}
	b, err := f.fetch(ctx, parent, "HEAD^, the commit before")
	if err != nil {
		return &Base{None: true, Reason: "HEAD^ is not in this clone",
			Warnings: []string{fmt.Sprintf("no diff archive: HEAD^ (%s) is not in this clone and cannot be fetched: %v; set fetch-depth: 2, or base: none", Short(parent), err)}}
	}
	return b
}
