// Package tree is what every other package passes on: a file that can be
// opened, and a root under which files are found.
//
// Paths are slash-separated and relative to the root, whatever the machine.
// A valid path is "." or one or more elements joined by "/"; no element is
// empty, "." or "..", and none holds a NUL byte. Paths are bytes, not
// necessarily UTF-8.
//
// A Root reads from a folder on disk or from the tree of a commit; which of
// the two cannot be told from outside. Nothing outside the root is ever opened:
// on disk os.Root sees to it, in a commit there is no outside. Listing and
// stating are lazy, so a Root also reaches ignored files and node_modules at no
// cost to those who never ask.
//
// Order is bytewise by full path, which for the entries of one folder means
// comparing directories as if their names ended in "/".
package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// ErrOutside is returned for a link that leads out of the root, and for a path
// that is not valid.
var ErrOutside = errors.New("leads out of the root")

// ErrNotRegular is returned when something other than a regular file is opened.
var ErrNotRegular = errors.New("not a regular file")

// maxLinks bounds the links followed while one path is resolved (Linux: 40).
const maxLinks = 40

// File is a file that can be opened, wherever its bytes are: on disk, in a git
// object, in the spool of screened content, or in memory.
type File struct {
	// Path is relative to the root that the file was found in.
	Path string
	// Mode holds the type bits and 0644 or 0755. A symbolic link is
	// fs.ModeSymlink, and Open yields its target as text.
	Mode fs.FileMode
	// Size in bytes of what Open yields.
	Size int64
	// ID is the git blob id in lower hex where it is known without reading, else "".
	ID string

	open func() (io.ReadCloser, error)
	sum  *Sum
}

// NewFile returns a file whose content open yields. Open may be called any
// number of times and from several goroutines.
func NewFile(name string, mode fs.FileMode, size int64, id string, open func() (io.ReadCloser, error)) File {
	return File{Path: name, Mode: mode, Size: size, ID: id, open: open}
}

// Bytes returns a file that holds content, mode 0644.
func Bytes(name string, content []byte) File {
	return NewFile(name, 0o644, int64(len(content)), "", func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	})
}

// Open returns a reader of the file's content. The caller closes it.
func (f File) Open() (io.ReadCloser, error) { return f.open() }

// MaxRead bounds what Read returns: nothing that is held whole comes near to it,
// and a file that claims more must not be believed with an allocation.
const MaxRead = 256 << 20

// Read returns the whole content. More than MaxRead bytes, or more than the file
// said, is an error.
func (f File) Read() ([]byte, error) { return f.ReadInto(nil) }

// ReadInto is Read into the room that b has, as far as it has: who reads one file after another gives the last content back, of
// which nothing is kept.
func (f File) ReadInto(b []byte) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err = readUpTo(b, r, f.Size, min(max(f.Size, grow), MaxRead))
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", f.Path, err)
	}
	return b, nil
}

// grow is how large a file may have become since it was listed smaller.
const grow = 1 << 20

// Entry is one name in a folder.
type Entry struct {
	Name string
	// Mode holds the type bits alone (fs.ModeDir, fs.ModeSymlink, ...).
	// A submodule's commit is fs.ModeDir|fs.ModeIrregular.
	Mode fs.FileMode
	// ID is the git object id where the root is a commit, else "".
	ID string
}

// Info is what is known of a path without reading its content.
type Info struct {
	// Mode holds the type bits and, for regular files, 0644 or 0755.
	Mode fs.FileMode
	// Size in bytes; of a link, the length of its target.
	Size int64
	// ModTime is zero where the root is a commit.
	ModTime time.Time
	// ID is the git object id where the root is a commit, else "".
	ID string
}

// Source is what a Root reads from. No method follows a link in the last
// element of the name; whether links in earlier elements are followed is left
// to the source, as long as none leads out. Names are valid paths.
type Source interface {
	Lstat(name string) (Info, error)
	// List returns a folder's entries in the package's order.
	List(name string) ([]Entry, error)
	// Open opens a regular file and tells its size as opened, which is the most
	// that it yields: what is written to it meanwhile is not read.
	Open(name string) (io.ReadCloser, Info, error)
	Readlink(name string) (string, error)
	Close() error
}

// Root is a folder or the tree of a commit, closed to everything outside it.
// Its methods may be called from several goroutines.
type Root struct{ src Source }

// New returns the root that reads from src.
func New(src Source) *Root { return &Root{src} }

// Close releases what the root holds open. Files found in it no longer open.
func (r *Root) Close() error { return r.src.Close() }

// Valid reports whether name is a path as the package comment defines it.
func Valid(name string) bool {
	if name == "." {
		return true
	}
	if strings.IndexByte(name, 0) >= 0 {
		return false
	}
	for {
		elem, rest, more := strings.Cut(name, "/")
		if elem == "" || elem == "." || elem == ".." {
			return false
		}
		if !more {
			return true
		}
		name = rest
	}
}

// Lstat describes name and follows no link in its last element.
func (r *Root) Lstat(name string) (Info, error) {
	if !Valid(name) {
		return Info{}, &fs.PathError{Op: "lstat", Path: name, Err: ErrOutside}
	}
	return r.src.Lstat(name)
}

// List returns the entries of a folder in the package's order.
func (r *Root) List(name string) ([]Entry, error) {
	if !Valid(name) {
		return nil, &fs.PathError{Op: "list", Path: name, Err: ErrOutside}
	}
	return r.src.List(name)
}

// Open opens the regular file name, and tells its mode and size as opened. It
// follows no link in the last element: resolve links first.
func (r *Root) Open(name string) (io.ReadCloser, Info, error) {
	if !Valid(name) {
		return nil, Info{}, &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
	}
	return r.src.Open(name)
}

// Readlink returns the text of the link name.
func (r *Root) Readlink(name string) (string, error) {
	if !Valid(name) {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: ErrOutside}
	}
	return r.src.Readlink(name)
}

// File returns the regular file or link name as a File.
func (r *Root) File(name string) (File, error) {
	in, err := r.Lstat(name)
	if err != nil {
		return File{}, err
	}
	switch {
	case in.Mode.IsRegular():
		return NewFile(name, in.Mode, in.Size, in.ID, func() (io.ReadCloser, error) {
			rc, _, err := r.Open(name)
			return rc, err
		}), nil
	case in.Mode&fs.ModeSymlink != 0:
		target, err := r.Readlink(name)
		if err != nil {
			return File{}, err
		}
		f := Bytes(name, []byte(target))
		f.Mode, f.ID = fs.ModeSymlink|0o777, in.ID
		return f, nil
	}
	return File{}, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
}

// ReadFile returns the content of the regular file name, or an error when it
// holds more than limit bytes. Links are resolved inside the root.
func (r *Root) ReadFile(name string, limit int64) ([]byte, error) {
	// Resolving asks for each folder on the way; most names need none of it.
	rc, in, err := r.Open(name)
	if err != nil {
		if name, err = r.Resolve(name); err != nil {
			return nil, err
		}
		if rc, in, err = r.Open(name); err != nil {
			return nil, err
		}
	}
	defer rc.Close()
	b, err := readUpTo(nil, rc, in.Size, limit)
	var over *LimitError
	if errors.As(err, &over) {
		err = &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return b, err
}

// Stat describes what name leads to, links resolved inside the root.
func (r *Root) Stat(name string) (Info, error) {
	real, err := r.Resolve(name)
	if err != nil {
		return Info{}, err
	}
	return r.src.Lstat(real)
}

// Resolve returns the path that name leads to when every link on the way is
// followed. The error is ErrOutside when a link leads out of the root (an
// absolute target does), and wraps fs.ErrNotExist when nothing is there.
func (r *Root) Resolve(name string) (string, error) {
	if !Valid(name) {
		return "", &fs.PathError{Op: "resolve", Path: name, Err: ErrOutside}
	}
	if name == "." {
		return name, nil
	}
	done, rest, links := "", name, 0
	for rest != "" {
		elem, tail, _ := strings.Cut(rest, "/")
		rest = tail
		switch elem {
		case "", ".":
			continue
		case "..":
			if done == "" {
				return "", &fs.PathError{Op: "resolve", Path: name, Err: ErrOutside}
			}
			if done = path.Dir(done); done == "." {
				done = ""
			}
			continue
		}
		next := path.Join(done, elem)
		in, err := r.src.Lstat(next)
		if err != nil {
			return "", err
		}
		if in.Mode&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return "", &fs.PathError{Op: "resolve", Path: name, Err: ErrLoop}
		}
		target, err := r.src.Readlink(next)
		if err != nil {
			return "", err
		}
		if target == "" || strings.HasPrefix(target, "/") || strings.IndexByte(target, 0) >= 0 {
			return "", &fs.PathError{Op: "resolve", Path: name, Err: ErrOutside}
		}
		rest = target + "/" + rest
	}
	if done == "" {
		done = "."
	}
	return done, nil
}

// ErrLoop is returned for links that lead to one another.
var ErrLoop = errors.New("too many links")

// Compare orders paths bytewise. It is the order of every list in this program.
func Compare(a, b string) int { return strings.Compare(a, b) }

// Less orders the entries of one folder so that a depth-first walk yields full
// paths in the order of Compare.
func (e Entry) Less(o Entry) bool { return e.key() < o.key() }

func (e Entry) key() string {
	if e.Mode.IsDir() && e.Mode&fs.ModeIrregular == 0 {
		return e.Name + "/"
	}
	return e.Name
}
