// Package diff says what changed between two lists of files, and what the base
// of a change is.
//
// A file is known by its path, its mode and an id of its content; where two
// files have the same id they have the same content. Between pairs a path that
// went with one that came under the same id, as `git diff -M100%` does; Edited
// reads the files that are left and pairs those of which at least half is the
// same, as `git diff -M` does. Drawing draws a change as a patch.
package diff

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Entry is a file in one of the two lists.
type Entry struct {
	Path string
	Mode fs.FileMode
	// ID stands for the content.
	ID string
}

// Status says what happened to a path, in git's letters.
type Status string

const (
	Added    Status = "A"
	Modified Status = "M"
	Deleted  Status = "D"
	Renamed  Status = "R"
	// TypeChanged: a file became a link, or the like.
	TypeChanged Status = "T"
)

// Change is one difference.
type Change struct {
	Status Status
	// Path in the head; of a deletion, in the base.
	Path string
	// OldPath is the path in the base where it is another one, else "".
	OldPath string
	// Same says of a rename that the content is the same to the byte.
	Same bool
	// Similarity of a rename is how much of the content is the same, in percent, in whatever
	// order it stands; 0 of what is no rename.
	Similarity int
}

// Between returns what turns base into head, sorted by path. Both lists are
// sorted by path, without repetition.
func Between(base, head []Entry) []Change {
	var changes []Change
	var gone, came []Entry
	for len(base) > 0 || len(head) > 0 {
		switch {
		case len(head) == 0 || len(base) > 0 && base[0].Path < head[0].Path:
			gone = append(gone, base[0])
			base = base[1:]
		case len(base) == 0 || head[0].Path < base[0].Path:
			came = append(came, head[0])
			head = head[1:]
		default:
			if s := compare(base[0], head[0]); s != "" {
				changes = append(changes, Change{Status: s, Path: head[0].Path})
			}
			base, head = base[1:], head[1:]
		}
	}
	changes = append(changes, rename(gone, came)...)
	sortChanges(changes)
	return changes
}

func sortChanges(changes []Change) {
	slices.SortFunc(changes, func(a, b Change) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(string(a.Status), string(b.Status))
	})
}

func compare(a, b Entry) Status {
	switch {
	case a.Mode.Type() != b.Mode.Type():
		return TypeChanged
	case a.ID != b.ID || a.Mode != b.Mode:
		return Modified
	}
	return ""
}

// rename pairs what came with what went, each of which serves once. Of several
// with the same content git takes one with the same base name, else the first.
func rename(gone, came []Entry) []Change {
	// Candidates are queues, from which each is taken once: many files may have the
	// same content, that of an empty file above all.
	type content struct {
		id   string
		mode fs.FileMode // 0 for every regular file
	}
	type named struct {
		content
		base string
	}
	of := func(e Entry) content {
		if e.Mode.IsRegular() {
			return content{id: e.ID}
		}
		return content{e.ID, e.Mode}
	}
	byContent, byName := map[content][]int{}, map[named][]int{}
	for i, g := range gone {
		c := of(g)
		byContent[c] = append(byContent[c], i)
		n := named{c, path.Base(g.Path)}
		byName[n] = append(byName[n], i)
	}
	used := make([]bool, len(gone))
	// first returns the first of a queue that serves, and what is left with it.
	first := func(queue []int) (int, []int) {
		for len(queue) > 0 && used[queue[0]] {
			queue = queue[1:]
		}
		if len(queue) == 0 {
			return -1, nil
		}
		return queue[0], queue
	}
	var changes []Change
	for _, c := range came {
		best := -1
		if c.ID != "" {
			like := of(c)
			name := named{like, path.Base(c.Path)}
			if best, byName[name] = first(byName[name]); best < 0 {
				best, byContent[like] = first(byContent[like])
			}
		}
		if best < 0 {
			changes = append(changes, Change{Status: Added, Path: c.Path})
			continue
		}
		used[best] = true
		changes = append(changes, Change{Status: Renamed, Path: c.Path, OldPath: gone[best].Path, Same: true, Similarity: 100})
	}
	for i, g := range gone {
		if !used[i] {
			changes = append(changes, Change{Status: Deleted, Path: g.Path})
		}
	}
	return changes
}
