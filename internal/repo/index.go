package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Index is what git's index says of the worktree.
type Index struct {
	// Files sorted by path, one entry a path: of a conflict our side, or
	// theirs when we deleted the file. Intentions to add are not in it.
	Files []Tracked
	// Written is when the index was written; zero when there is none.
	Written time.Time
	// Warning is set when the index could not be read and Files is what HEAD
	// tracks instead.
	Warning string
}

// Index reads git's index. A bare repository and a fresh one have none.
func (r *Repository) Index() (idx *Index, err error) {
	idx, err = r.readIndex()
	if err == nil {
		return idx, nil
	}
	warning := fmt.Sprintf("reading git's index: %v; the files of HEAD are taken instead", err)
	head, err := r.Head()
	if errors.Is(err, ErrNoCommit) {
		return &Index{Warning: warning}, nil
	}
	if err != nil {
		return nil, err
	}
	files, err := r.Files(head.SHA)
	if err != nil {
		return nil, err
	}
	if isTrue(r.option("core", "sparsecheckout")) {
		for i := range files {
			files[i].SkipWorktree = true
		}
	}
	return &Index{Files: files, Warning: warning}, nil
}

func (r *Repository) readIndex() (out *Index, err error) {
	defer r.lock(&err)()
	name := filepath.Join(r.gitDir, "index")
	fi, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Index{}, nil
	}
	if err != nil {
		return nil, err
	}
	raw, err := readFile(name)
	if err != nil {
		return nil, err
	}
	var idx index.Index
	if err := index.NewDecoder(bytes.NewReader(raw)).Decode(&idx); err != nil {
		if errors.Is(err, index.ErrUnknownExtension) {
			err = errors.New("it is split or sparse, which is not supported")
		}
		return nil, err
	}
	slices.SortStableFunc(idx.Entries, func(a, b *index.Entry) int {
		if c := tree.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return rank(a.Stage) - rank(b.Stage)
	})
	out = &Index{Written: fi.ModTime(), Files: make([]Tracked, 0, len(idx.Entries))}
	for i, e := range idx.Entries {
		if e.IntentToAdd || i > 0 && idx.Entries[i-1].Name == e.Name {
			continue
		}
		if !tree.Valid(e.Name) || e.Name == "." {
			return nil, fmt.Errorf("damaged data: an entry is called %q", e.Name)
		}
		out.Files = append(out.Files, Tracked{
			Path: strings.Clone(e.Name), Mode: modeOf(e.Mode), ID: e.Hash.String(),
			Size: int64(e.Size), ModTime: e.ModifiedAt, SkipWorktree: e.SkipWorktree,
		})
	}
	return out, nil
}

// rank orders the entries of one path: merged, ours, theirs, the ancestor's.
func rank(s index.Stage) int {
	switch s {
	case 0:
		return 0
	case index.OurMode:
		return 1
	case index.TheirMode:
		return 2
	}
	return 3
}

// Clean applies git's own rule to a worktree file: it is unmodified when size
// and time are those that the index holds, unless it may have been written
// after the index was (then only the content tells). sure is false when the
// content has to be looked at; clean then means nothing.
func (t Tracked) Clean(in tree.Info, written time.Time) (clean, sure bool) {
	if in.Mode.Type() != t.Mode.Type() {
		return false, true
	}
	if t.ModTime.IsZero() || written.IsZero() {
		return false, false
	}
	// The index keeps 32 bits of the size, and 0 for "look at the content".
	if uint32(in.Size) != uint32(t.Size) {
		return false, t.Size != 0
	}
	at, idx, mod := t.ModTime, written, in.ModTime
	if at.Nanosecond() == 0 || mod.Nanosecond() == 0 {
		at, idx, mod = at.Truncate(time.Second), idx.Truncate(time.Second), mod.Truncate(time.Second)
	}
	if !at.Equal(mod) || !at.Before(idx) {
		return false, false
	}
	return true, true
}
