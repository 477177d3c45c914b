package repo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// maxTouched is how many files a commit may touch to be listed: a larger one ties
// everything to everything.
const maxTouched = 50

// Touched lists, for up to n commits from rev on along first parents, the latest first,
// the paths that each touched. A commit that touched more than 50 files has none. A
// shallow clone's history ends where the clone does.
func (r *Repository) Touched(rev string, n int) (list [][]string, err error) {
	defer r.lock(&err)()
	c, err := r.resolve(rev)
	if err != nil {
		return nil, fmt.Errorf("resolving %s: %w", quoted(rev), err)
	}
	shallow := r.shallow()
	for ; len(list) < n; c, err = c.Parent(0) {
		if err != nil {
			return nil, fmt.Errorf("reading the history of %s: %w", quoted(rev), err)
		}
		if len(c.ParentHashes) == 0 || shallow[c.Hash] {
			return list, nil
		}
		paths, err := touched(c)
		if err != nil {
			return nil, fmt.Errorf("reading commit %s: %w", c.Hash, err)
		}
		list = append(list, paths)
	}
	return list, nil
}

func touched(c *object.Commit) ([]string, error) {
	parent, err := c.Parent(0)
	if err != nil {
		return nil, err
	}
	before, err := parent.Tree()
	if err != nil {
		return nil, err
	}
	after, err := c.Tree()
	if err != nil {
		return nil, err
	}
	changes, err := object.DiffTree(before, after)
	if err != nil || len(changes) > maxTouched {
		return nil, err
	}
	var paths []string
	for _, x := range changes {
		if x.To.Name != "" {
			paths = append(paths, x.To.Name)
		} else {
			paths = append(paths, x.From.Name)
		}
	}
	return paths, nil
}
