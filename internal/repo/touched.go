package repo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// maxTouched is how many files a commit may touch to be listed: a larger one ties
	// everything to everything.
	maxTouched = 50
	// maxLooked bounds the entries of folders that one listing looks at: a thousand
	// commits of Linux need two million.
	maxLooked = 20_000_000
)

// Touched lists, for up to n commits from rev on along first parents, the latest first,
// the paths that each touched. A commit that touched more than 50 files has none. A
// shallow clone's history ends where the clone does. cut is set where the folders of so
// many commits hold more entries than are looked at: list has fewer then.
func (r *Repository) Touched(rev string, n int) (list [][]string, cut bool, err error) {
	defer r.lock(&err)()
	c, err := r.resolve(rev)
	if err != nil {
		return nil, false, fmt.Errorf("resolving %s: %w", quoted(rev), err)
	}
	shallow := r.shallow()
	left := maxLooked
	for len(list) < n && len(c.parents) > 0 && !shallow[c.id] {
		parent, err := r.commit(c.parents[0])
		if err != nil {
			return nil, false, fmt.Errorf("reading the history of %s: %w", quoted(rev), err)
		}
		t := difference{repo: r, left: left}
		err = t.compare(parent.tree, c.tree, "", 0)
		if left = t.left; left < 0 {
			return list, true, nil
		}
		if err != nil {
			return nil, false, fmt.Errorf("reading commit %s: %w", c.id, err)
		}
		if len(t.paths) > maxTouched {
			t.paths = nil
		}
		list, c = append(list, t.paths), parent
	}
	return list, false, nil
}

// touched lists what differs between two folders, until it is too much.
type difference struct {
	repo  *Repository
	paths []string
	left  int // entries that may still be looked at
}

func (t *difference) done() bool { return len(t.paths) > maxTouched || t.left < 0 }

// entries are those of a folder, none of the zero id.
func (t *difference) entries(h plumbing.Hash) ([]entry, error) {
	if h == plumbing.ZeroHash {
		return nil, nil
	}
	f, err := t.repo.folder(h)
	if err != nil {
		return nil, err
	}
	t.left -= len(f.entries) + 1
	return f.entries, nil
}

// compare adds the paths that differ between two folders below dir, of which either may be absent.
func (t *difference) compare(before, after plumbing.Hash, dir string, depth int) error {
	if before == after || t.done() {
		return nil
	}
	if depth > maxDepth {
		return damaged("folders nest too deep")
	}
	a, err := t.entries(before)
	if err != nil {
		return err
	}
	b, err := t.entries(after)
	if err != nil {
		return err
	}
	for (len(a) > 0 || len(b) > 0) && !t.done() {
		var old, new entry
		d := 0
		switch {
		case len(b) == 0:
			d = -1
		case len(a) == 0:
			d = 1
		default:
			d = a[0].compare(b[0])
		}
		if d <= 0 {
			old, a = a[0], a[1:]
		}
		if d >= 0 {
			new, b = b[0], b[1:]
		}
		if old == new {
			continue
		}
		e := new
		if e.name == "" {
			e = old
		}
		if !e.isDir() {
			t.paths = append(t.paths, dir+e.name)
		} else if err := t.compare(old.id, new.id, dir+e.name+"/", depth+1); err != nil {
			return err
		}
	}
	return nil
}
