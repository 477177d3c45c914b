package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/tree"
)

// sidecars are what SQLite keeps beside a database, by the ends of their names. It
// believes them: a journal names files that it deletes.
var sidecars = []string{"-journal", "-wal", "-shm"}

const (
	// privatePrefix begins the name of the folder that a copy lies in, and privateName is
	// the copy's.
	privatePrefix = "haversack-objects-"
	privateName   = "objects.db"
	// waiting ends the name of a file that is about to take the database's place.
	waiting = ".tmp"
	// maxSwept bounds the folders of killed runs that one run removes.
	maxSwept = 100
	// maxAside is how often a file is set aside while it is opened.
	maxAside = 3
	// lockPause is how long a lock is let alone before it is tried for again.
	lockPause = 10 * time.Millisecond
)

// magic begins a database of SQLite's.
const magic = "SQLite format 3\x00"

// SQLite is a store in a file. SQLite itself opens a copy of that file, in a folder
// that nobody else can write to, where nothing lies beside it. A Put that succeeds puts
// the copy in the file's place.
type SQLite struct {
	folder *os.Root // that the file lies in
	own    bool     // folder is ours to close
	name   string   // in folder
	path   string   // as users know it
	max    int64
	keep   int64
	limit  int64
	// evicted counts the contents that Puts let go.
	evicted int
	wait    time.Duration

	private string // the folder of the copy
	claimed func() // lets go of it

	mu   sync.RWMutex // held for writing while the copy changes
	db   *sql.DB      // the copy, nil for none
	seen state        // of the file when it was copied
	// batch: the file is locked, and the copy takes its place when the batch ends; ahead:
	// the copy holds more than the file.
	batch, ahead bool
}

// state tells whether a file is still the one that was copied.
type state struct {
	in   fs.FileInfo // nil for none
	head [100]byte   // SQLite counts its changes there
}

func (a state) same(b state) bool {
	return a.in != nil && b.in != nil && os.SameFile(a.in, b.in) && a.in.Size() == b.in.Size() && a.in.ModTime().Equal(b.in.ModTime()) && a.head == b.head
}

// stateOf describes an open file.
func stateOf(f *os.File) (s state, err error) {
	if s.in, err = f.Stat(); err != nil {
		return state{}, err
	}
	if _, err := f.ReadAt(s.head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return state{}, err
	}
	return s, nil
}

// OpenSQLite opens the database at path, or makes it. note tells of what was set aside,
// else it is "".
func OpenSQLite(ctx context.Context, path string, o Options) (s *SQLite, note string, err error) {
	defer func() {
		if err != nil {
			var at *fs.PathError
			if errors.As(err, &at) && errors.Is(err, tree.ErrNotRegular) {
				err = errors.New("it is not a regular file")
			}
			err = fmt.Errorf("opening the session database %s: %w", path, explain(err))
		}
	}()
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMax
	}
	s = &SQLite{folder: o.Folder, name: filepath.Base(path), path: path, max: o.MaxBytes, keep: o.KeepFiles, limit: o.KeepTotal, wait: busy}
	if s.folder == nil {
		dir := filepath.Dir(path)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, "", err
		}
		if s.folder, err = tree.OpenFolder(dir); err != nil {
			return nil, "", err
		}
		s.own = true
	}
	if s.private, s.claimed, err = newPrivate(o.Temp); err == nil {
		note, err = s.load(ctx)
	}
	if err != nil {
		return nil, "", errors.Join(err, s.Close())
	}
	return s, note, nil
}

// newPrivate makes a folder for a copy: in the system's folder for temporary files,
// which is nobody else's in a container, or in temp where that cannot be.
func newPrivate(temp string) (dir string, release func(), err error) {
	sweep(os.TempDir())
	for {
		if dir, err = os.MkdirTemp("", privatePrefix); err != nil && temp != "" {
			dir, err = os.MkdirTemp(temp, privatePrefix)
		}
		if err != nil {
			return "", nil, err
		}
		release, err = claim(dir)
		if errors.Is(err, errBusy) || errors.Is(err, fs.ErrNotExist) {
			continue // another run sweeps it
		}
		if err != nil {
			return "", nil, errors.Join(err, os.RemoveAll(dir))
		}
		if _, err := os.Lstat(dir); err == nil {
			return dir, release, nil
		}
		release() // swept before it was claimed
	}
}

// sweep removes the copies of runs that were killed: those that nobody claims.
func sweep(temp string) {
	names, _ := filepath.Glob(filepath.Join(temp, privatePrefix+"*"))
	for _, dir := range names[:min(len(names), maxSwept)] {
		if in, err := os.Lstat(dir); err != nil || !in.IsDir() || !mine(in) {
			continue
		}
		if release, err := claim(dir); err == nil {
			os.RemoveAll(dir)
			release()
		}
	}
}

// Close frees the copy. The file stays as the last Put left it.
func (s *SQLite) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.db != nil {
		err = s.db.Close()
		s.db = nil
	}
	if s.private != "" {
		err = errors.Join(err, os.RemoveAll(s.private))
		s.claimed()
		s.private = ""
	}
	if s.own {
		err = errors.Join(err, s.folder.Close())
		s.own = false
	}
	return err
}

// lockedFile is the file while nobody else writes to it.
type lockedFile struct {
	f *os.File
	state
	unlock func()
}

func (h *lockedFile) release() {
	h.unlock()
	h.f.Close()
}

// lock waits until nobody else writes to the file, and keeps others from it; where there
// is none it makes an empty one. The lock is SQLite's own: other programs keep to it, too.
func (s *SQLite) lock(ctx context.Context) (*lockedFile, error) {
	over := time.NewTimer(s.wait)
	defer over.Stop()
	for {
		f, in, err := tree.OpenIn(s.folder, s.name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		unlock, err := tryLock(f)
		for errors.Is(err, errBusy) {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-over.C:
				err = fmt.Errorf("another process has been writing to it for %v", s.wait)
			case <-time.After(lockPause):
				unlock, err = tryLock(f)
			}
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		h := &lockedFile{f: f, unlock: unlock}
		now, err := s.folder.Lstat(s.name)
		if err == nil && os.SameFile(in, now) {
			if h.state, err = stateOf(f); err == nil {
				return h, nil
			}
		}
		h.release()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		// Another run has put its own in place meanwhile.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// load copies the file as it is now, and sets it aside where it cannot be used. What
// lies beside it is moved away first: neither this program nor another is to believe it.
func (s *SQLite) load(ctx context.Context) (note string, err error) {
	var notes []string
	for tries := 1; ; tries++ {
		h, err := s.lock(ctx)
		if err != nil {
			return "", err
		}
		moved, err := s.clear()
		notes = append(notes, moved...)
		if err == nil {
			err = s.take(ctx, h)
		}
		var reason notOurs
		unusable := errors.As(err, &reason)
		if unusable {
			var said string
			if said, err = s.setAside(string(reason)); err == nil {
				notes = append(notes, said)
			}
		}
		h.release()
		if unusable && err == nil && tries == maxAside {
			err = errors.New("something else is put in its place again and again")
		}
		if err != nil || !unusable {
			return strings.Join(notes, "; "), err
		}
	}
}

// clear moves away what lies beside the file, and removes what killed runs left there.
func (s *SQLite) clear() (notes []string, err error) {
	for _, tail := range sidecars {
		to, err := moveAside(s.folder, s.name+tail)
		if err != nil {
			return notes, err
		}
		if to != "" {
			notes = append(notes, fmt.Sprintf("%s lay beside the session database and was moved aside as %s: nothing but the database itself is read", s.name+tail, to))
		}
	}
	// Only who has the lock makes them.
	all, err := fs.Glob(s.folder.FS(), globQuoted(s.name)+"-*"+waiting)
	if err != nil {
		return notes, err
	}
	for _, name := range all {
		s.folder.Remove(name)
	}
	return notes, nil
}

// globQuoted is a pattern that means the name itself.
func globQuoted(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// moveAside renames what is called name, if anything is, to the first free name of
// name.aside-1, -2, ..., and returns that.
func moveAside(folder *os.Root, name string) (to string, err error) {
	if _, err := folder.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	for n := 1; ; n++ {
		to := fmt.Sprintf("%s.aside-%d", name, n)
		if _, err := folder.Lstat(to); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return to, folder.Rename(name, to)
	}
}

// setAside renames the file, which is locked, and returns a sentence for the user.
func (s *SQLite) setAside(reason string) (note string, err error) {
	to, err := moveAside(s.folder, s.name)
	if err != nil {
		return "", fmt.Errorf("setting the session database aside, for %s: %w", reason, err)
	}
	return fmt.Sprintf("the session database %s was set aside as %s: %s; this session begins without history", s.path, to, reason), nil
}

// anew sets the file aside for what reading it has shown, unless it is another by now,
// and loads what is there then.
func (s *SQLite) anew(ctx context.Context, reason string) (note string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, err := s.lock(ctx)
	if err != nil {
		return "", err
	}
	if s.seen.same(h.state) {
		note, err = s.setAside(reason)
	}
	h.release()
	if err != nil {
		return "", err
	}
	more, err := s.load(ctx)
	if note != "" && more != "" {
		note += "; "
	}
	return note + more, err
}

// take makes the copy of a file that is locked, and opens it.
func (s *SQLite) take(ctx context.Context, h *lockedFile) error {
	if size := h.in.Size(); size > s.max {
		return notOurs(fmt.Sprintf("its %d bytes are more than %d", size, s.max))
	} else if size > 0 && !strings.HasPrefix(string(h.head[:]), magic) {
		return notOurs("it is not a database")
	}
	if s.db != nil {
		if err := s.db.Close(); err != nil {
			return err
		}
		s.db = nil
	}
	s.seen = state{}
	at := filepath.Join(s.private, privateName)
	for _, tail := range append([]string{""}, sidecars...) {
		if err := os.Remove(at + tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	to, err := os.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(to, io.NewSectionReader(h.f, 0, h.in.Size()), h.in.Size())
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	// What is evicted leaves the file, too: a new database gives pages back (auto_vacuum).
	// What is lost with the machine is the copy: the file is synchronised when it is replaced.
	name := "file:" + (&url.URL{Path: filepath.ToSlash(at)}).EscapedPath() +
		"?_pragma=auto_vacuum(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=synchronous(0)&_pragma=cache_size(-32768)&_pragma=temp_store(2)"
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if err := prepare(ctx, db); err != nil {
		return errors.Join(explain(err), db.Close())
	}
	s.db, s.seen = db, h.state
	return nil
}

// change runs f in a transaction on what the file holds now, and puts the result in the
// file's place.
func (s *SQLite) change(ctx context.Context, f func(c *sql.Conn) error) error {
	if s.batch {
		err := s.edit(ctx, f)
		s.ahead = s.ahead || err == nil
		return err
	}
	h, err := s.hold(ctx)
	if err != nil {
		return err
	}
	defer h.release()
	if err := s.edit(ctx, f); err != nil {
		return err
	}
	return s.replace(ctx, h)
}

// Batch runs f, whose Puts are one writing of the file: they are there for good when Batch
// returns nil, and none is there when it returns an error, f's own or another. What f
// has read then is no longer so. Others wait with their Puts for as long, up to ten seconds.
// There is one batch of a store at a time, and what other goroutines put meanwhile is of it.
func (s *SQLite) Batch(ctx context.Context, f func() error) error {
	h, err := s.begin(ctx)
	if err != nil {
		return fmt.Errorf("writing a batch: %w", readError(err))
	}
	defer h.release()
	failed := f()
	s.mu.Lock()
	defer s.mu.Unlock()
	ahead := s.ahead
	s.batch, s.ahead = false, false
	switch {
	case !ahead:
		return failed
	case failed != nil:
		s.seen = state{}
		return failed
	}
	if err := s.replace(ctx, h); err != nil {
		return fmt.Errorf("writing a batch: %w", readError(err))
	}
	return nil
}

// begin begins a batch.
func (s *SQLite) begin(ctx context.Context) (*lockedFile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.batch {
		return nil, errors.New("the store is in a batch already")
	}
	h, err := s.hold(ctx)
	s.batch = err == nil
	return h, err
}

// hold locks the file, and sees to it that the copy is of what it holds now.
func (s *SQLite) hold(ctx context.Context) (*lockedFile, error) {
	h, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	if s.db == nil || !s.seen.same(h.state) {
		if err := s.take(ctx, h); err != nil {
			h.release()
			return nil, err
		}
	}
	return h, nil
}

// edit runs f in a transaction on the copy.
func (s *SQLite) edit(ctx context.Context, f func(c *sql.Conn) error) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return transact(ctx, c, func() error { return f(c) })
}

// replace puts the copy in place of the file, which is locked.
func (s *SQLite) replace(ctx context.Context, h *lockedFile) error {
	// The copy holds what the file may never: it is taken anew unless all goes well.
	s.seen = state{}
	now, err := s.publish(ctx, h)
	if err != nil {
		return err
	}
	s.seen = now
	return nil
}

// publish puts the copy in place of the file, which is locked.
func (s *SQLite) publish(ctx context.Context, h *lockedFile) (now state, err error) {
	from, err := os.Open(filepath.Join(s.private, privateName))
	if err != nil {
		return state{}, err
	}
	defer from.Close()
	temp := s.name + "-" + rand.Text() + waiting
	to, err := s.folder.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return state{}, err
	}
	defer func() {
		if err != nil {
			s.folder.Remove(temp)
		}
	}()
	if _, err = io.Copy(to, from); err == nil {
		if err = to.Sync(); err == nil {
			now, err = stateOf(to)
		}
	}
	if err = errors.Join(err, to.Close(), ctx.Err()); err != nil {
		return state{}, err
	}
	if runtime.GOOS == "windows" {
		h.f.Close() // what is open is not replaced there; the lock is beside it
	}
	if err = s.folder.Rename(temp, s.name); err != nil {
		return state{}, err
	}
	if dir, err := s.folder.Open("."); err == nil {
		dir.Sync() // fails where a folder cannot be synchronised
		dir.Close()
	}
	return now, nil
}

var _ object.Store = (*SQLite)(nil)
