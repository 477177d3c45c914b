package repo

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Index is what git's index says of the worktree.
type Index struct {
	// Files sorted by path, one entry a path: of a conflict our side, or
	// theirs when we deleted the file. What is intended to be added (git add -N) has
	// the id of an empty blob.
	Files []TrackedPath
	// Conflicts are the paths that are not merged, sorted.
	Conflicts []string
	// Written is when the index was written; zero when there is none.
	Written time.Time
	// Warning is set when the index could not be read and Files is what HEAD
	// tracks instead.
	Warning string
}

// Index reads git's index, once. A bare repository and a fresh one have none.
// The result must not be changed.
func (r *Repository) Index() (*Index, error) {
	r.indexOnce.Do(func() { r.index, r.indexErr = r.indexOrHead() })
	return r.index, r.indexErr
}

func (r *Repository) indexOrHead() (idx *Index, err error) {
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
	raw, err := readFile(name, maxIndex)
	if err != nil {
		return nil, err
	}
	idx, err := decodeIndex(raw)
	if err != nil {
		return nil, err
	}
	assumed := assumedUnchanged(raw, idx.Entries)
	slices.SortStableFunc(idx.Entries, func(a, b *index.Entry) int {
		if c := tree.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return rank(a.Stage) - rank(b.Stage)
	})
	out = &Index{Written: fi.ModTime(), Files: make([]TrackedPath, 0, len(idx.Entries))}
	for i, e := range idx.Entries {
		again := i > 0 && idx.Entries[i-1].Name == e.Name
		if e.Stage != 0 && !again {
			out.Conflicts = append(out.Conflicts, strings.Clone(e.Name))
		}
		if again {
			continue
		}
		name := e.Name
		if e.Mode == filemode.Dir {
			name = strings.TrimSuffix(name, "/")
		}
		if !tree.Valid(name) || name == "." {
			return nil, fmt.Errorf("damaged data: an entry is called %q", e.Name)
		}
		if e.Mode == filemode.Dir {
			if err := r.skipped(out, e); err != nil {
				return nil, err
			}
			continue
		}
		out.Files = append(out.Files, TrackedPath{
			Path: strings.Clone(e.Name), Mode: modeOf(e.Mode), ID: e.Hash.String(),
			Size: int64(e.Size), ModTime: e.ModifiedAt, SkipWorktree: e.SkipWorktree, AssumeUnchanged: assumed[e],
		})
	}
	for i := 1; i < len(out.Files); i++ {
		if out.Files[i-1].Path >= out.Files[i].Path {
			return nil, fmt.Errorf("damaged data: two entries are called %q", out.Files[i].Path)
		}
	}
	return out, nil
}

// skipped adds the files of a folder that a sparse index holds as one entry.
func (r *Repository) skipped(out *Index, e *index.Entry) error {
	from := len(out.Files)
	var err error
	out.Files, err = r.files(out.Files, e.Hash, strings.TrimSuffix(e.Name, "/"), 0)
	for i := from; i < len(out.Files); i++ {
		out.Files[i].SkipWorktree = true
	}
	return err
}

// sparseMark is the extension that announces folders among the entries. go-git
// knows those, and skips extensions in capitals, but refuses this one.
var sparseMark = []byte("sdir\x00\x00\x00\x00")

// decodeIndex reads an index through go-git, with two things put right that git
// writes and go-git refuses: no checksum (index.skipHash) and sparseMark.
func decodeIndex(raw []byte) (*index.Index, error) {
	decode := func(b []byte) (*index.Index, error) {
		idx := new(index.Index)
		return idx, index.NewDecoder(bytes.NewReader(b)).Decode(idx)
	}
	if len(raw) < sha1.Size {
		return nil, errors.New("damaged data: it is too short")
	}
	body, sum := raw[:len(raw)-sha1.Size], raw[len(raw)-sha1.Size:]
	if err := checkIndex(raw); err != nil {
		return nil, err
	}
	if bytes.Count(sum, []byte{0}) == sha1.Size {
		right := sha1.Sum(body)
		copy(sum, right[:])
	}
	idx, err := decode(raw)
	if errors.Is(err, index.ErrUnknownExtension) {
		// The mark follows all entries, where names are.
		if i := bytes.LastIndex(body, sparseMark); i >= 0 {
			body = bytes.Clone(body)
			copy(body[i:], bytes.ToUpper(sparseMark))
			idx, err = decode(signed(body))
		}
	}
	if errors.Is(err, index.ErrUnknownExtension) {
		err = errors.New("it is a split index, which is not supported (git update-index --no-split-index)")
	}
	return idx, err
}

// leastEntry is the least that an entry of the index takes, in any version.
const leastEntry = 62 + 2

// maxPathSum bounds the names of an index of version 4, which are written as the
// difference from the name before: as a multiple of the file's size, beside a
// constant. Where git writes it the names are about as long as the file.
const maxPathSum = 4

// checkIndex refuses an index that claims more than it can hold. What is malformed
// in another way is left to the decoder.
func checkIndex(raw []byte) error {
	if len(raw) < 12 {
		return errors.New("damaged data: it is too short")
	}
	version, count := binary.BigEndian.Uint32(raw[4:]), int64(binary.BigEndian.Uint32(raw[8:]))
	if count > int64(len(raw))/leastEntry {
		return damaged("it claims %d entries, and has %d bytes", count, len(raw))
	}
	if count > maxListed {
		return tooMany
	}
	if version != 4 {
		return nil
	}
	rest, last, sum := raw[12:], int64(0), int64(0)
	for range count {
		if len(rest) < 62 {
			return nil
		}
		extended := rest[60]&0x40 != 0
		if rest = rest[62:]; extended {
			rest = rest[min(2, len(rest)):]
		}
		strip := int64(0)
		for i := 0; ; i++ {
			if i == len(rest) || i > 8 {
				return nil
			}
			if i > 0 {
				strip++
			}
			strip = strip<<7 | int64(rest[i]&0x7f)
			if rest[i]&0x80 == 0 {
				rest = rest[i+1:]
				break
			}
		}
		n := bytes.IndexByte(rest, 0)
		if n < 0 || strip > last {
			return nil
		}
		rest = rest[n+1:]
		last += int64(n) - strip
		if sum += last; sum > maxPathSum*int64(len(raw))+1<<20 {
			return &TooLargeError{fmt.Sprintf("the names in an index of %d bytes are much longer than that", len(raw)), maxPathSum*int64(len(raw)) + 1<<20}
		}
	}
	return nil
}

// entryAssumed is the flag of an entry that git is told to take for unchanged, which
// go-git does not read.
const entryAssumed = 0x8000

// assumedUnchanged returns those entries of a decoded index that have the flag; they
// stand in the order of the file.
func assumedUnchanged(raw []byte, entries []*index.Entry) map[*index.Entry]bool {
	set := map[*index.Entry]bool{}
	version, rest, at := binary.BigEndian.Uint32(raw[4:]), raw[12:], 0
	for _, e := range entries {
		if len(rest) < 62 {
			return set
		}
		flags := binary.BigEndian.Uint16(rest[60:])
		if flags&entryAssumed != 0 {
			set[e] = true
		}
		if at = 62; flags&0x4000 != 0 {
			at += 2
		}
		if version == 4 {
			// The length of what is cut off the name before.
			for at < len(rest) && rest[at]&0x80 != 0 {
				at++
			}
			at++
		}
		if at >= len(rest) {
			return set
		}
		n := bytes.IndexByte(rest[at:], 0)
		if n < 0 {
			return set
		}
		if at += n + 1; version != 4 {
			at = (at + 7) &^ 7
		}
		rest = rest[min(at, len(rest)):]
	}
	return set
}

// signed returns body with its checksum.
func signed(body []byte) []byte {
	sum := sha1.Sum(body)
	return append(body[:len(body):len(body)], sum[:]...)
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
func (t TrackedPath) Clean(in tree.Info, written time.Time) (clean, sure bool) {
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
