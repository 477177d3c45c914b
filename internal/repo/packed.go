package repo

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// packedReferences are those of packed-refs, read once: a name is asked for under each folder in which it may stand, and clones of
// large projects have ten thousand references.
type packedReferences struct {
	mu      sync.Mutex
	size    int64 // of the file that was read, and when it was written
	written time.Time
	list    map[plumbing.ReferenceName]plumbing.Hash
	err     error // what stands behind is not known
}

// find returns a reference as go-git finds it there: one that stands before a line which is none is there.
func (p *packedReferences) find(root billy.Filesystem, n plumbing.ReferenceName) (*plumbing.Reference, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	const name = "packed-refs"
	fi, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, plumbing.ErrReferenceNotFound
	case err != nil:
		return nil, fmt.Errorf("looking for packed references: %w", err)
	case p.list == nil || fi.Size() != p.size || !fi.ModTime().Equal(p.written):
		p.size, p.written = fi.Size(), fi.ModTime()
		p.list = map[plumbing.ReferenceName]plumbing.Hash{}
		p.err = p.read(root, name)
	}
	if id, ok := p.list[n]; ok {
		return plumbing.NewHashReference(n, id), nil
	}
	if p.err != nil {
		return nil, p.err
	}
	return nil, plumbing.ErrReferenceNotFound
}

func (p *packedReferences) read(root billy.Filesystem, name string) error {
	f, err := root.Open(name)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading packed references: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || line[0] == '#' || line[0] == '^' {
			continue
		}
		id, of, two := strings.Cut(line, " ")
		if !two || strings.Contains(of, " ") {
			return dotgit.ErrPackedRefsBadFormat
		}
		if name := plumbing.ReferenceName(of); p.list[name].IsZero() { // the first of a name counts
			p.list[name] = plumbing.NewHash(id)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading packed references: %w", err)
	}
	return nil
}
