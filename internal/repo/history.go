package repo

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// walk visits history from the latest commit to the oldest, as git does, so
// that it need not see all of it. go-git's own walks start by listing
// everything one side can reach, and end with an error where a shallow clone's
// history does.
type walk struct {
	repo    *Repository
	shallow map[plumbing.Hash]bool
	marks   map[plumbing.Hash]uint
	queue   []*object.Commit
}

func (r *Repository) walk() *walk {
	return &walk{repo: r, shallow: r.shallow(), marks: map[plumbing.Hash]uint{}}
}

func (w *walk) Len() int { return len(w.queue) }
func (w *walk) Less(i, j int) bool {
	a, b := w.queue[i], w.queue[j]
	if d := a.Committer.When.Compare(b.Committer.When); d != 0 {
		return d > 0
	}
	return a.Hash.String() < b.Hash.String()
}
func (w *walk) Swap(i, j int) { w.queue[i], w.queue[j] = w.queue[j], w.queue[i] }
func (w *walk) Push(c any)    { w.queue = append(w.queue, c.(*object.Commit)) }
func (w *walk) Pop() any {
	last := len(w.queue) - 1
	c := w.queue[last]
	w.queue = w.queue[:last]
	return c
}

// mark adds marks to a commit and queues it when any is new.
func (w *walk) mark(c *object.Commit, marks uint) {
	if old := w.marks[c.Hash]; old&marks != marks {
		w.marks[c.Hash] = old | marks
		heap.Push(w, c)
	}
}

// pass hands marks on to the parents of c. cut is true when the clone lacks
// them.
func (w *walk) pass(c *object.Commit, marks uint) (cut bool, err error) {
	if w.shallow[c.Hash] {
		return len(c.ParentHashes) > 0, nil
	}
	for _, h := range c.ParentHashes {
		if w.marks[h]&marks == marks {
			continue
		}
		p, err := w.repo.commit(h)
		if err != nil {
			return false, err
		}
		w.mark(p, marks)
	}
	return false, nil
}

// all reports whether every queued commit has one of marks.
func (w *walk) all(marks uint) bool {
	return !slices.ContainsFunc(w.queue, func(c *object.Commit) bool { return w.marks[c.Hash]&marks == 0 })
}

const (
	ofA   = 1 << iota // an ancestor of a, or a
	ofB               // the same of b
	stale             // an ancestor of a common ancestor
)

// commonAncestors returns the common ancestors of a and b that are no ancestors of
// others, as far as dates tell. cut is true when history that the clone lacks
// may hold better ones.
func (r *Repository) commonAncestors(a, b *object.Commit) (found []*object.Commit, cut bool, err error) {
	w := r.walk()
	w.mark(a, ofA)
	w.mark(b, ofB)
	for w.Len() > 0 && !w.all(stale) {
		c := heap.Pop(w).(*object.Commit)
		marks := w.marks[c.Hash]
		if marks == ofA|ofB {
			found = append(found, c)
			w.marks[c.Hash] |= stale
			marks |= stale
		}
		ends, err := w.pass(c, marks)
		if err != nil {
			return nil, false, err
		}
		cut = cut || ends && marks&stale == 0
	}
	return found, cut, nil
}

// MergeBase returns the best common ancestor of two commits: of several, the
// latest, then the one with the smallest id. The error is ErrUnrelated when
// there is none, ErrShallow when the clone lacks the history to tell.
func (r *Repository) MergeBase(a, b string) (sha string, err error) {
	defer r.lock(&err)()
	var c [2]*object.Commit
	for i, rev := range []string{a, b} {
		if c[i], err = r.resolve(rev); err != nil {
			return "", fmt.Errorf("resolving %s: %w", quoted(rev), err)
		}
	}
	best, err := r.mergeBase(c[0], c[1])
	if err != nil {
		return "", fmt.Errorf("finding the merge base of %s and %s: %w", quoted(a), quoted(b), err)
	}
	return best.Hash.String(), nil
}

func (r *Repository) mergeBase(a, b *object.Commit) (*object.Commit, error) {
	found, cut, err := r.commonAncestors(a, b)
	switch {
	case err != nil:
		return nil, err
	case cut:
		return nil, ErrShallow
	case len(found) == 0:
		return nil, ErrUnrelated
	}
	// Where clocks were wrong, an ancestor of another may be among them.
	var best []*object.Commit
	for _, c := range found {
		redundant := false
		for _, o := range found {
			if o != c && !redundant {
				under, _, err := r.commonAncestors(c, o)
				if err != nil {
					return nil, err
				}
				redundant = slices.ContainsFunc(under, func(u *object.Commit) bool { return u.Hash == c.Hash })
			}
		}
		if !redundant {
			best = append(best, c)
		}
	}
	return slices.MinFunc(best, func(a, b *object.Commit) int {
		if d := b.Committer.When.Compare(a.Committer.When); d != 0 {
			return d
		}
		return strings.Compare(a.Hash.String(), b.Hash.String())
	}), nil
}

// maxTags is how many tags are weighed against each other, as in git describe.
const maxTags = 10

// PreviousTag returns the commit of the nearest tag before sha: the one from
// which the fewest commits lead to sha, as git describe --tags sha^ finds it.
// It is false when there is none.
func (r *Repository) PreviousTag(sha string) (c Commit, ok bool, err error) {
	defer r.lock(&err)()
	from, err := r.resolve(sha)
	if err != nil {
		return Commit{}, false, fmt.Errorf("resolving %s: %w", quoted(sha), err)
	}
	tag, err := r.previousTag(from)
	if err != nil {
		return Commit{}, false, fmt.Errorf("looking for the tag before %s: %w", quoted(sha), err)
	}
	if tag == nil {
		return Commit{}, false, nil
	}
	return commitOf(tag), true, nil
}

func (r *Repository) previousTag(from *object.Commit) (*object.Commit, error) {
	tagged, err := r.tagged()
	if err != nil {
		return nil, err
	}
	// The first mark says no more than visited; each candidate has its own.
	const visited = 1
	type candidate struct {
		commit *object.Commit
		mark   uint
		depth  int // commits that lead from it to from
	}
	var list []candidate
	w := r.walk()
	var marked uint // marks of all candidates
	cut, err := w.pass(from, visited)
	if err != nil {
		return nil, err
	}
	seen := map[plumbing.Hash]bool{}
	every := func() bool {
		for _, t := range list {
			if !w.all(t.mark) {
				return false
			}
		}
		return len(list) > 0
	}
	for w.Len() > 0 && !every() {
		c := heap.Pop(w).(*object.Commit)
		// A tag below another candidate is farther away than that.
		if tagged[c.Hash] && w.marks[c.Hash]&marked == 0 && len(list) < maxTags {
			t := candidate{commit: c, mark: visited << (len(list) + 1), depth: len(seen)}
			list = append(list, t)
			marked |= t.mark
			w.marks[c.Hash] |= t.mark
		}
		if !seen[c.Hash] {
			seen[c.Hash] = true
			for i := range list {
				if w.marks[c.Hash]&list[i].mark == 0 {
					list[i].depth++
				}
			}
		}
		ends, err := w.pass(c, w.marks[c.Hash])
		if err != nil {
			return nil, err
		}
		cut = cut || ends && w.marks[c.Hash]&marked == 0
	}
	if len(list) == 0 {
		if cut {
			return nil, ErrShallow
		}
		return nil, nil
	}
	return slices.MinFunc(list, func(a, b candidate) int { return a.depth - b.depth }).commit, nil
}

// tagged returns the commits that tags point to.
func (r *Repository) tagged() (map[plumbing.Hash]bool, error) {
	iter, err := r.store.IterReferences()
	if err != nil {
		return nil, err
	}
	defer iter.Close()
	set := map[plumbing.Hash]bool{}
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		if !ref.Name().IsTag() {
			return nil
		}
		// A tag may point to a file, or to what a shallow clone lacks.
		if c, err := r.peel(ref.Hash()); err == nil {
			set[c.Hash] = true
		}
		return nil
	})
	return set, err
}
