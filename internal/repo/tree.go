package repo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/haversack-dev/haversack/internal/tree"
)

const (
	// maxDepth bounds nested folders, as go-git and git do.
	maxDepth = 1024
	// maxFolders bounds the decoded folders kept, and maxEntries their entries.
	maxFolders = 1 << 16
	maxEntries = 1 << 20
	// linkLimit bounds a link's target, as Linux does.
	linkLimit = 4096
)

// MissingError is an object that a complete clone has and this one lacks.
type MissingError struct {
	ID   string
	Kind string // "commit", "folder" or "file"
	// Filter is the filter of the partial clone ("blob:none"), "" otherwise.
	Filter string
	// Alternate is a folder that the clone borrows objects from and that is not
	// there, "" otherwise.
	Alternate string
}

func (e *MissingError) Error() string {
	if e.Filter != "" {
		return fmt.Sprintf("%s %s is not in this partial clone (filter %s); clone without filter, or run git checkout on what is needed", e.Kind, e.ID, e.Filter)
	}
	if e.Alternate != "" {
		return fmt.Sprintf("%s %s is not in this clone, which borrows objects from %s: that folder is not there; clone without --shared, or mount it at the same path", e.Kind, e.ID, quoted(e.Alternate))
	}
	return fmt.Sprintf("%s %s is not in this clone", e.Kind, e.ID)
}

// missing returns the error for the absent object h.
func (r *Repository) missing(h plumbing.Hash, kind string) error {
	e := &MissingError{ID: h.String(), Kind: kind, Alternate: r.store.absent}
	for _, remote := range r.config.Raw.Section("remote").Subsections {
		for _, o := range remote.Options {
			switch strings.ToLower(o.Key) {
			case "partialclonefilter":
				e.Filter = o.Value
			case "promisor":
				if e.Filter == "" {
					e.Filter = "unknown"
				}
			}
		}
	}
	return e
}

// folder is a decoded tree object, in the order of package tree.
type folder struct {
	entries []entry
}

type entry struct {
	name string
	mode fs.FileMode // type bits, and 0644 or 0755 for files
	id   plumbing.Hash
}

func (e entry) isDir() bool { return e.mode == fs.ModeDir }

// modeOf is the mode of a tree or index entry.
func modeOf(m filemode.FileMode) fs.FileMode {
	switch m & 0o170000 {
	case 0o040000:
		return fs.ModeDir
	case 0o120000:
		return fs.ModeSymlink | 0o777
	case 0o160000:
		return fs.ModeDir | fs.ModeIrregular
	}
	if m&0o100 != 0 {
		return 0o755
	}
	return 0o644
}

// folder returns the decoded tree object h. A tree that git could not check out
// (an entry called "..", two of one name) is an error.
func (r *Repository) folder(h plumbing.Hash) (*folder, error) {
	if f := r.trees[h]; f != nil {
		return f, nil
	}
	o, err := r.store.EncodedObject(plumbing.TreeObject, h)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, r.missing(h, "folder")
	}
	var b []byte
	if err == nil {
		b, err = content(o)
	}
	var f *folder
	if err == nil {
		f, err = decodeTree(b)
	}
	if err != nil {
		return nil, fmt.Errorf("reading folder %s: %w", h, err)
	}
	if r.entries += len(f.entries); len(r.trees) >= maxFolders || r.entries > maxEntries {
		clear(r.trees)
		r.entries = len(f.entries)
	}
	r.trees[h] = f
	return f, nil
}

// commitTree returns the root folder of the commit (or tag) sha.
func (r *Repository) commitTree(sha string) (plumbing.Hash, error) {
	if !plumbing.IsHash(sha) {
		return plumbing.ZeroHash, fmt.Errorf("%s is not a full commit id", quoted(sha))
	}
	c, err := r.peel(plumbing.NewHash(sha))
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return c.tree, nil
}

// Tree returns the files of a commit as a root. It reads from the repository:
// closing the root does nothing, closing the repository ends it.
func (r *Repository) Tree(sha string) (root *tree.Root, err error) {
	defer r.lock(&err)()
	h, err := r.commitTree(sha)
	if err != nil {
		return nil, fmt.Errorf("reading commit %s: %w", quoted(sha), err)
	}
	if _, err := r.folder(h); err != nil {
		return nil, fmt.Errorf("reading commit %s: %w", sha, err)
	}
	return tree.New(&source{repo: r, root: h}), nil
}

// source is the tree of a commit. Links are never followed.
type source struct {
	repo *Repository
	root plumbing.Hash
}

func (s *source) Close() error { return nil }

// find returns the entry called name. The repository is locked.
func (s *source) find(op, name string) (entry, error) {
	at := entry{mode: fs.ModeDir, id: s.root}
	if name == "." {
		return at, nil
	}
	for rest, more := name, true; more; {
		var elem string
		elem, rest, more = strings.Cut(rest, "/")
		if !at.isDir() {
			return entry{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
		f, err := s.repo.folder(at.id)
		if err != nil {
			return entry{}, &fs.PathError{Op: op, Path: name, Err: err}
		}
		next, ok := f.find(elem)
		if !ok {
			return entry{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
		at = next
	}
	return at, nil
}

func (s *source) info(op, name string, e entry) (tree.Info, error) {
	in := tree.Info{Mode: e.mode, ID: e.id.String()}
	if e.mode.IsDir() {
		return in, nil
	}
	size, err := s.repo.store.EncodedObjectSize(e.id)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		err = s.repo.missing(e.id, "file")
	}
	if err != nil {
		return tree.Info{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	in.Size = size
	if e.mode&fs.ModeSymlink != 0 {
		in.Mode = fs.ModeSymlink
	}
	return in, nil
}

func (s *source) Lstat(name string) (in tree.Info, err error) {
	defer s.repo.lock(&err)()
	e, err := s.find("lstat", name)
	if err != nil {
		return tree.Info{}, err
	}
	return s.info("lstat", name, e)
}

func (s *source) List(name string) (list []tree.Entry, err error) {
	defer s.repo.lock(&err)()
	e, err := s.find("list", name)
	if err != nil {
		return nil, err
	}
	if !e.isDir() {
		return nil, &fs.PathError{Op: "list", Path: name, Err: errors.New("not a directory")}
	}
	f, err := s.repo.folder(e.id)
	if err != nil {
		return nil, &fs.PathError{Op: "list", Path: name, Err: err}
	}
	list = make([]tree.Entry, len(f.entries))
	for i, e := range f.entries {
		list[i] = tree.Entry{Name: e.name, Mode: e.mode.Type(), ID: e.id.String()}
	}
	return list, nil
}

func (s *source) Open(name string) (rc io.ReadCloser, in tree.Info, err error) {
	defer s.repo.lock(&err)()
	e, err := s.find("open", name)
	if err != nil {
		return nil, tree.Info{}, err
	}
	return s.open(name, e)
}

// open opens the file that an entry is. The repository is locked.
func (s *source) open(name string, e entry) (io.ReadCloser, tree.Info, error) {
	if !e.mode.IsRegular() {
		return nil, tree.Info{}, &fs.PathError{Op: "open", Path: name, Err: tree.ErrNotRegular}
	}
	rc, size, err := s.repo.blob(e.id)
	if err != nil {
		return nil, tree.Info{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return rc, tree.Info{Mode: e.mode, Size: size, ID: e.id.String()}, nil
}

func (s *source) Readlink(name string) (target string, err error) {
	defer s.repo.lock(&err)()
	e, err := s.find("readlink", name)
	if err != nil {
		return "", err
	}
	return s.readlink(name, e)
}

// readlink returns the target of the link that an entry is. The repository is locked.
func (s *source) readlink(name string, e entry) (string, error) {
	if e.mode&fs.ModeSymlink == 0 {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: errors.New("not a link")}
	}
	o, err := s.repo.blobObject(e.id)
	if err == nil && o.Size() > linkLimit {
		err = errors.New("the target is longer than 4096 bytes")
	}
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	b, err := content(o)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(b), nil
}

func (r *Repository) blobObject(h plumbing.Hash) (plumbing.EncodedObject, error) {
	o, err := r.store.EncodedObject(plumbing.BlobObject, h)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, r.missing(h, "file")
	}
	return o, err
}

// blob returns a reader of the blob h. Small blobs are in memory by now; large
// ones are inflated while they are read.
func (r *Repository) blob(h plumbing.Hash) (io.ReadCloser, int64, error) {
	o, err := r.blobObject(h)
	if err != nil {
		return nil, 0, err
	}
	rc, err := o.Reader()
	return rc, o.Size(), err
}

// content returns the whole content of an object, which must not be changed.
func content(o plumbing.EncodedObject) ([]byte, error) {
	if h, ok := o.(*memoryObject); ok {
		return h.content, nil
	}
	if err := checkSize(o.Type(), o.Size()); err != nil {
		return nil, err
	}
	rc, err := o.Reader()
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	return io.ReadAll(rc)
}

// Blob returns the content of the blob id, which must not be changed. One of more
// than 128 MiB is an error.
func (r *Repository) Blob(id string) (b []byte, err error) {
	defer r.lock(&err)()
	if !plumbing.IsHash(id) {
		return nil, fmt.Errorf("%s is not an object id", quoted(id))
	}
	o, err := r.blobObject(plumbing.NewHash(id))
	if err != nil {
		return nil, err
	}
	return content(o)
}

// BlobSize returns the size of the blob id in bytes without reading it.
func (r *Repository) BlobSize(id string) (n int64, err error) {
	defer r.lock(&err)()
	n, err = r.store.EncodedObjectSize(plumbing.NewHash(id))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		err = r.missing(plumbing.NewHash(id), "file")
	}
	return n, err
}

// TrackedPath is a path that git tracks: an entry of a commit or of the index.
type TrackedPath struct {
	Path string
	// Mode is 0644, 0755, fs.ModeSymlink|0777, or fs.ModeDir|fs.ModeIrregular
	// for a submodule.
	Mode fs.FileMode
	// ID is the blob's id; of a submodule, its commit's.
	ID string
	// Size and ModTime are the worktree file's when git last looked (modulo
	// 2^32); zero where they are not known, as in a commit.
	Size    int64
	ModTime time.Time
	// SkipWorktree is set where a sparse checkout leaves the file out, so that
	// its absence is no deletion.
	SkipWorktree bool
	// AssumeUnchanged is set where git is told not to look for edits.
	AssumeUnchanged bool
}

const (
	// maxListed bounds the files and folders of a listing: twice those of Chromium.
	// A few objects can name more files than there are atoms, because each folder
	// may list the one below many times.
	maxListed = 1_000_000
	// maxCopies bounds those of them that lie in a folder whose very object was
	// listed before, which is what such a trap is made of. Fixtures and vendored
	// code are copied by the hundred.
	maxCopies = 200_000
)

var (
	tooMany   = fmt.Errorf("it lists more than %d files and folders, which is the limit", maxListed)
	tooCopied = fmt.Errorf("its folders repeat each other: more than %d files and folders lie in copies, which is the limit", maxCopies)
)

// Files returns what a commit tracks, sorted by path. No blob is opened. A commit
// of more than a million files and folders is an error.
func (r *Repository) Files(sha string) (files []TrackedPath, err error) {
	defer r.lock(&err)()
	h, err := r.commitTree(sha)
	if err == nil {
		files, err = r.files(nil, h, "", 0)
	}
	if err != nil {
		return nil, fmt.Errorf("reading commit %s: %w", quoted(sha), err)
	}
	return files, nil
}

// files appends what the folder h tracks.
func (r *Repository) files(to []TrackedPath, h plumbing.Hash, dir string, depth int) ([]TrackedPath, error) {
	l := listing{repo: r, files: to, met: len(to), seen: map[plumbing.Hash]bool{}}
	err := l.add(h, dir, depth)
	return l.files, err
}

// listing is a flat list in the making.
type listing struct {
	repo   *Repository
	files  []TrackedPath
	met    int // files and folders
	copies int // those in folders that were listed before
	seen   map[plumbing.Hash]bool
}

func (l *listing) add(h plumbing.Hash, dir string, depth int) error {
	if depth > maxDepth {
		return errors.New("damaged data: folders nest too deep")
	}
	f, err := l.repo.folder(h)
	if err != nil {
		return err
	}
	if l.met += len(f.entries); l.met > maxListed {
		return tooMany
	}
	if l.seen[h] {
		if l.copies += len(f.entries); l.copies > maxCopies {
			return tooCopied
		}
	}
	l.seen[h] = true
	for _, e := range f.entries {
		name := e.name
		if dir != "" {
			name = dir + "/" + name
		}
		if !e.isDir() {
			l.files = append(l.files, TrackedPath{Path: name, Mode: e.mode, ID: e.id.String()})
			continue
		}
		if err := l.add(e.id, name, depth+1); err != nil {
			return err
		}
	}
	return nil
}
