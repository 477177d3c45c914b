package repo

import (
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// walk visits history from the latest commit to the oldest, as git does, so
// that it need not see all of it. go-git's own walks start by listing
// everything one side can reach, and end with an error where a shallow clone's
// history does.
type walk struct {
	repo    *Repository
	shallow map[plumbing.Hash]bool
	marks   map[plumbing.Hash]uint
	queue   []node
	queued  map[plumbing.Hash]int // how often each commit is queued
	lack    [maxMarks]int         // by mark, how many of the queue lack it
	steps   int                   // that may still be taken
}

// node is what a walk keeps of a commit; a message may be long.
type node struct {
	Hash    plumbing.Hash
	When    time.Time
	Parents []plumbing.Hash
}

func nodeOf(c *commit) node { return node{c.id, c.when, c.parents} }

// maxMarks is how many marks a walk tells apart.
const maxMarks = 2 + maxTags

// maxSteps bounds the commits and the parents of one walk: Linux has 1.4 million.
const maxSteps = 2_000_000

// maxRedundant bounds the commits that are read to see whether one common ancestor
// is another's.
const maxRedundant = 200_000

var errLongHistory = fmt.Errorf("more than %d commits would have to be read, which is the limit", maxSteps)

func (r *Repository) walk() *walk {
	return &walk{repo: r, shallow: r.shallow(), marks: map[plumbing.Hash]uint{}, queued: map[plumbing.Hash]int{}, steps: maxSteps}
}

func (w *walk) Len() int { return len(w.queue) }
func (w *walk) Less(i, j int) bool {
	a, b := &w.queue[i], &w.queue[j]
	if d := a.When.Compare(b.When); d != 0 {
		return d > 0
	}
	return bytes.Compare(a.Hash[:], b.Hash[:]) < 0
}
func (w *walk) Swap(i, j int) { w.queue[i], w.queue[j] = w.queue[j], w.queue[i] }
func (w *walk) Push(c any)    { w.queue = append(w.queue, c.(node)) }
func (w *walk) Pop() any {
	last := len(w.queue) - 1
	c := w.queue[last]
	w.queue = w.queue[:last]
	return c
}

// mark adds marks to a commit and queues it when any is new.
func (w *walk) mark(c node, marks uint) {
	if w.marks[c.Hash]&marks == marks {
		return
	}
	w.set(c.Hash, marks)
	w.count(c.Hash, 1)
	heap.Push(w, c)
}

// set adds marks to a commit.
func (w *walk) set(h plumbing.Hash, marks uint) {
	old := w.marks[h]
	w.marks[h] = old | marks
	if n := w.queued[h]; n > 0 {
		for i := range w.lack {
			if bit := uint(1) << i; marks&^old&bit != 0 {
				w.lack[i] -= n
			}
		}
	}
}

// count notes that a commit is n times more often in the queue.
func (w *walk) count(h plumbing.Hash, n int) {
	if w.queued[h] += n; w.queued[h] == 0 {
		delete(w.queued, h)
	}
	for i := range w.lack {
		if w.marks[h]&(1<<i) == 0 {
			w.lack[i] += n
		}
	}
}

// next takes the latest commit from the queue.
func (w *walk) next() (node, error) {
	c := heap.Pop(w).(node)
	w.count(c.Hash, -1)
	// A parent that is named is looked up, however often it was.
	if w.steps -= max(1, len(c.Parents)); w.steps < 0 {
		return c, errLongHistory
	}
	return c, nil
}

// pass hands marks on to the parents of c. cut is true when the clone lacks
// them.
func (w *walk) pass(c node, marks uint) (cut bool, err error) {
	if w.shallow[c.Hash] {
		return len(c.Parents) > 0, nil
	}
	for _, h := range c.Parents {
		if w.marks[h]&marks == marks {
			continue
		}
		p, err := w.repo.commit(h)
		if err != nil {
			return false, err
		}
		w.mark(nodeOf(p), marks)
	}
	return false, nil
}

// all reports whether every queued commit has the mark.
func (w *walk) all(mark uint) bool { return w.lack[bits.TrailingZeros(mark)] == 0 }

const (
	ofA   = 1 << iota // an ancestor of a, or a
	ofB               // the same of b
	stale             // an ancestor of a common ancestor
)

// commonAncestors returns the common ancestors of a and b that are no ancestors of
// others, as far as dates tell. cut is true when history that the clone lacks
// may hold better ones.
func (r *Repository) commonAncestors(a, b node) (found []node, cut bool, err error) {
	return r.walk().commonAncestors(a, b)
}

func (w *walk) commonAncestors(a, b node) (found []node, cut bool, err error) {
	w.mark(a, ofA)
	w.mark(b, ofB)
	for w.Len() > 0 && !w.all(stale) {
		c, err := w.next()
		if err != nil {
			return nil, false, err
		}
		marks := w.marks[c.Hash]
		if marks == ofA|ofB {
			found = append(found, c)
			w.set(c.Hash, stale)
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
	var c [2]*commit
	for i, rev := range []string{a, b} {
		if c[i], err = r.resolve(rev); err != nil {
			return "", fmt.Errorf("resolving %s: %w", quoted(rev), err)
		}
	}
	best, err := r.mergeBase(nodeOf(c[0]), nodeOf(c[1]))
	if err != nil {
		return "", fmt.Errorf("finding the merge base of %s and %s: %w", quoted(a), quoted(b), err)
	}
	return best.Hash.String(), nil
}

// maxPaired is up to how many common ancestors each is held against each other one.
// A history that criss-crosses has two or three.
const maxPaired = 16

func (r *Repository) mergeBase(a, b node) (node, error) {
	found, cut, err := r.commonAncestors(a, b)
	switch {
	case err != nil:
		return node{}, err
	case cut:
		return node{}, ErrShallow
	case len(found) == 0:
		return node{}, ErrUnrelated
	}
	latest := func(a, b node) int {
		if d := b.When.Compare(a.When); d != 0 {
			return d
		}
		return bytes.Compare(a.Hash[:], b.Hash[:])
	}
	// Where clocks were wrong, an ancestor of another may be among them. Of many the
	// latest are looked at: where clocks were right, the answer is the first.
	slices.SortFunc(found, latest)
	found = found[:min(len(found), maxPaired)]
	steps := maxRedundant
	for _, c := range found {
		redundant := false
		for _, o := range found {
			if o.Hash != c.Hash && !redundant {
				w := r.walk()
				w.steps = steps
				under, _, err := w.commonAncestors(c, o)
				if errors.Is(err, errLongHistory) {
					return found[0], nil
				}
				if err != nil {
					return node{}, err
				}
				steps = w.steps
				redundant = slices.ContainsFunc(under, func(u node) bool { return u.Hash == c.Hash })
			}
		}
		if !redundant {
			return c, nil
		}
	}
	return found[0], nil
}

// maxTags is how many tags are weighed against each other, as in git describe.
const maxTags = 10

// PreviousTag returns the commit of the nearest tag before sha: the one from
// which the fewest commits lead to sha, as git describe --tags sha^ finds it. Only
// tags whose names are among are looked at; all where that is nil. It is false when
// there is none.
func (r *Repository) PreviousTag(sha string, among func(name string) bool) (c Commit, ok bool, err error) {
	defer r.lock(&err)()
	from, err := r.resolve(sha)
	if err != nil {
		return Commit{}, false, fmt.Errorf("resolving %s: %w", quoted(sha), err)
	}
	tag, err := r.previousTag(nodeOf(from), among)
	if err != nil {
		return Commit{}, false, fmt.Errorf("looking for the tag before %s: %w", quoted(sha), err)
	}
	if tag == plumbing.ZeroHash {
		return Commit{}, false, nil
	}
	oc, err := r.commit(tag)
	if err != nil {
		return Commit{}, false, fmt.Errorf("looking for the tag before %s: %w", quoted(sha), err)
	}
	return commitOf(oc), true, nil
}

func (r *Repository) previousTag(from node, among func(string) bool) (plumbing.Hash, error) {
	tagged, err := r.tagged(among)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	// The first mark says no more than visited; each candidate has its own.
	const visited = 1
	type candidate struct {
		commit plumbing.Hash
		mark   uint
		depth  int // commits that lead from it to from
	}
	var list []candidate
	w := r.walk()
	var marked uint // marks of all candidates
	cut, err := w.pass(from, visited)
	if err != nil {
		return plumbing.ZeroHash, err
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
		c, err := w.next()
		if err != nil {
			return plumbing.ZeroHash, err
		}
		// A tag below another candidate is farther away than that.
		if tagged[c.Hash] && w.marks[c.Hash]&marked == 0 && len(list) < maxTags {
			t := candidate{commit: c.Hash, mark: visited << (len(list) + 1), depth: len(seen)}
			list = append(list, t)
			marked |= t.mark
			w.set(c.Hash, t.mark)
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
			return plumbing.ZeroHash, err
		}
		cut = cut || ends && w.marks[c.Hash]&marked == 0
	}
	if len(list) == 0 {
		if cut {
			return plumbing.ZeroHash, ErrShallow
		}
		return plumbing.ZeroHash, nil
	}
	return slices.MinFunc(list, func(a, b candidate) int { return a.depth - b.depth }).commit, nil
}

// tagged returns the commits that tags point to, those whose names are among.
func (r *Repository) tagged(among func(string) bool) (map[plumbing.Hash]bool, error) {
	iter, err := r.store.IterReferences()
	if err != nil {
		return nil, err
	}
	defer iter.Close()
	set := map[plumbing.Hash]bool{}
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		if !ref.Name().IsTag() || among != nil && !among(ref.Name().Short()) {
			return nil
		}
		// A tag may point to a file, or to what a shallow clone lacks.
		if c, err := r.peel(ref.Hash()); err == nil {
			set[c.id] = true
		}
		return nil
	})
	return set, err
}
