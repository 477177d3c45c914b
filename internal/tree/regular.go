package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// LimitError is a file that holds more than may be read of it.
type LimitError struct {
	// Limit in bytes.
	Limit int64
}

func (e *LimitError) Error() string { return fmt.Sprintf("larger than %d bytes", e.Limit) }

// OpenRegular opens the regular file name, wherever it lies: it is for files
// that are named by whoever started the program, not by a repository. Links are
// followed. It does not wait at a FIFO, and refuses whatever else is no regular
// file with ErrNotRegular.
func OpenRegular(name string) (*os.File, fs.FileInfo, error) {
	// Opened first and looked at then: what is looked at first can be another
	// file by the time it is opened.
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

// OpenFolder opens the folder dir, wherever it lies, as OpenRegular opens a file: it is
// for folders that are named by whoever started the program. It does not wait at a FIFO.
func OpenFolder(dir string) (*os.Root, error) { return os.OpenRoot(asFolder(dir)) }

// OpenFolderIn opens the folder name, slash-separated, of the open folder root. No link
// leads out of root, and it does not wait at a FIFO.
func OpenFolderIn(root *os.Root, name string) (*os.Root, error) {
	return root.OpenRoot(asFolder(filepath.FromSlash(name)))
}

// asFolder names a folder so that nothing else has that name: to open what takes the
// folder's place may mean to wait.
func asFolder(dir string) string {
	if dir == "" || dir == "." {
		return "."
	}
	return strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator) + "."
}

// OpenIn opens the regular file name, slash-separated, of the open folder root as
// os.OpenFile does: it is for files at places that a repository, or an earlier step,
// can make. No link in the last element is followed and none leads out of root; it
// does not wait at a FIFO, and whatever else is no regular file is refused with
// ErrNotRegular.
func OpenIn(root *os.Root, name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error) {
	name = filepath.FromSlash(name)
	bad := &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	for range maxReplaced {
		// To open a device can do something, so it is looked at first.
		switch li, err := root.Lstat(name); {
		case err == nil && !li.Mode().IsRegular():
			return nil, nil, bad
		case err != nil && (flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist)):
			return nil, nil, err
		}
		f, err := root.OpenFile(name, flag|syscall.O_NONBLOCK, perm)
		if errors.Is(err, syscall.ELOOP) {
			continue // it has become a link meanwhile
		}
		if err != nil {
			return nil, nil, err
		}
		// os.Root follows links that stay inside. What has become one meanwhile lends its
		// name to no other file's content.
		fi, err := f.Stat()
		li, failed := root.Lstat(name)
		switch {
		case err != nil:
			f.Close()
			return nil, nil, err
		case !fi.Mode().IsRegular(), failed == nil && !li.Mode().IsRegular():
			f.Close()
			return nil, nil, bad
		case failed == nil && os.SameFile(fi, li):
			return f, fi, nil
		}
		f.Close() // another file has taken its place, which is as good
	}
	return nil, nil, bad
}

// maxReplaced is how often a file may be replaced while it is opened.
const maxReplaced = 100

// ReadIn returns the content of the regular file name of root (OpenIn), or an error
// that holds a LimitError when it is larger than limit bytes.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, fi, err := OpenIn(root, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	return content(f, fi.Size(), name, limit)
}

// content reads an open file of size bytes to its end, and closes it.
func content(f *os.File, size int64, name string, limit int64) ([]byte, error) {
	defer f.Close()
	b, err := readUpTo(nil, f, size, limit)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return b, nil
}

// ReadRegular returns the content of the regular file name (OpenRegular), or an
// error that holds a LimitError when it is larger than limit bytes.
func ReadRegular(name string, limit int64) ([]byte, error) {
	f, fi, err := OpenRegular(name)
	if err != nil {
		return nil, err
	}
	return content(f, fi.Size(), name, limit)
}

// readUpTo returns what r yields, of which size bytes are expected, in room if that is enough.
func readUpTo(room []byte, r io.Reader, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, &LimitError{limit}
	}
	if int64(cap(room)) < size+bytes.MinRead {
		room = make([]byte, 0, size+bytes.MinRead)
	}
	b := bytes.NewBuffer(room[:0])
	if _, err := b.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, &LimitError{limit}
	}
	return b.Bytes(), nil
}
