package repo

import (
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// MergeBase returns the best common ancestor of two commits: of several, the
// latest, then the one with the smallest id. The error is ErrUnrelated when
// there is none, ErrShallow when the clone lacks the history to tell.
func (r *Repository) MergeBase(a, b string) (sha string, err error) {
	defer r.lock(&err)()
	ca, err := r.resolve(a)
	if err != nil {
		return "", fmt.Errorf("resolving %s: %w", quoted(a), err)
	}
	cb, err := r.resolve(b)
	if err != nil {
		return "", fmt.Errorf("resolving %s: %w", quoted(b), err)
	}
	bases, err := ca.MergeBase(cb)
	if errors.Is(err, plumbing.ErrObjectNotFound) && r.isShallow() {
		err = ErrShallow
	}
	if err == nil && len(bases) == 0 {
		if err = ErrUnrelated; r.isShallow() {
			err = ErrShallow
		}
	}
	if err != nil {
		return "", fmt.Errorf("finding the merge base of %s and %s: %w", quoted(a), quoted(b), err)
	}
	best := bases[0]
	for _, c := range bases[1:] {
		if d := c.Committer.When.Compare(best.Committer.When); d > 0 || d == 0 && c.Hash.String() < best.Hash.String() {
			best = c
		}
	}
	return best.Hash.String(), nil
}

// PreviousTag returns the nearest tagged commit before sha, as git describe
// sha^ would; false when there is none.
func (r *Repository) PreviousTag(sha string) (c Commit, ok bool, err error) {
	defer r.lock(&err)()
	from, err := r.resolve(sha)
	if err != nil {
		return Commit{}, false, fmt.Errorf("resolving %s: %w", quoted(sha), err)
	}
	tagged := map[plumbing.Hash]bool{}
	iter, err := r.store.IterReferences()
	if err != nil {
		return Commit{}, false, fmt.Errorf("listing tags: %w", err)
	}
	defer iter.Close()
	iter.ForEach(func(ref *plumbing.Reference) error {
		if ref.Name().IsTag() {
			if c, err := r.peel(ref.Hash()); err == nil {
				tagged[c.Hash] = true
			}
		}
		return nil
	})
	delete(tagged, from.Hash)
	if len(tagged) == 0 {
		return Commit{}, false, nil
	}
	walk := object.NewCommitIterCTime(from, nil, nil)
	defer walk.Close()
	var found *object.Commit
	err = walk.ForEach(func(c *object.Commit) error {
		if tagged[c.Hash] {
			found = c
			return errStop
		}
		return nil
	})
	switch {
	case found != nil:
		return commitOf(found), true, nil
	case errors.Is(err, plumbing.ErrObjectNotFound):
		return Commit{}, false, fmt.Errorf("looking for the tag before %s: %w", quoted(sha), ErrShallow)
	case err != nil:
		return Commit{}, false, fmt.Errorf("looking for the tag before %s: %w", quoted(sha), err)
	}
	return Commit{}, false, nil
}

var errStop = errors.New("found")
