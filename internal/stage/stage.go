// Package stage brings files from outside of the repository's own sources into
// an archive: those of dependencies, under the addresses that the graph gave
// them.
//
// Nothing is copied to a folder of its own. A file is read where it is, once;
// what was read must have the size and the sha256 that it had when the graph
// was made, and exactly these bytes go on. Links are not followed, so a link
// that took the file's place is refused. Files are found in the repository or
// in a declared folder outside of it; an address that leads anywhere else is
// refused.
package stage

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// MaxBytes is the most that one staged file may hold.
const MaxBytes = 32 << 20

// ErrUnknown is returned for an address that the map does not hold.
var ErrUnknown = errors.New("the map has no such file")

// MismatchError says that a file is not what it was when the graph was made.
type MismatchError struct {
	ID, What, Want, Got string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("staging %s: %s is %s, it was %s when the graph was made; the file was changed meanwhile, run again", e.ID, e.What, e.Got, e.Want)
}

// Is reports whether an id is an address of staged files below the engine's
// folder.
func Is(id, stan string) bool {
	rest, ok := strings.CutPrefix(id, stan+"/context/")
	first, _, below := strings.Cut(rest, "/")
	return ok && below && slices.Contains(graph.Ecosystems, first)
}

// Read returns the bytes of the file behind an address, verified.
func Read(roots graph.Roots, files map[string]graph.Locator, id string) ([]byte, error) {
	want, ok := files[id]
	if !ok {
		return nil, fmt.Errorf("staging %s: %w", id, ErrUnknown)
	}
	if want.Size > MaxBytes {
		return nil, fmt.Errorf("staging %s: %d bytes, at most %d are staged", id, want.Size, MaxBytes)
	}
	root, name, err := roots.In(want.Path)
	if err != nil {
		return nil, fmt.Errorf("staging %s: %w", id, err)
	}
	rc, in, err := root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("staging %s: %w", id, err)
	}
	defer rc.Close()
	if in.Size != want.Size {
		return nil, &MismatchError{id, "its size", fmt.Sprint(want.Size), fmt.Sprint(in.Size)}
	}
	b, err := io.ReadAll(io.LimitReader(rc, want.Size+1))
	if err != nil {
		return nil, fmt.Errorf("staging %s: %w", id, err)
	}
	if int64(len(b)) != want.Size {
		return nil, &MismatchError{id, "its size", fmt.Sprint(want.Size), fmt.Sprint(len(b))}
	}
	sum := sha256.Sum256(b)
	if got := hex.EncodeToString(sum[:]); got != want.SHA256 {
		return nil, &MismatchError{id, "its sha256", want.SHA256, got}
	}
	return b, nil
}
