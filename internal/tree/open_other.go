//go:build !linux

package tree

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

// handle has nothing to hold where files are opened through os.Root alone.
type handle struct{}

func (handle) close() {}

// list returns what the folder holds.
func (f *folder) list() ([]fs.DirEntry, error) {
	h, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return h.ReadDir(-1)
}

// openFile opens a regular file of the folder and follows no link.
func (f *folder) openFile(base string) (io.ReadCloser, Info, error) {
	// O_NONBLOCK: a FIFO that took a file's place must not hang the run.
	h, err := f.root.OpenFile(base, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, Info{}, err
	}
	fi, err := h.Stat()
	if err != nil {
		h.Close()
		return nil, Info{}, err
	}
	// os.Root follows links as long as they stay inside. What was listed as a
	// file and is a link now must not lend its name to another file's content.
	li, err := f.root.Lstat(base)
	if err != nil || !fi.Mode().IsRegular() || !os.SameFile(fi, li) {
		h.Close()
		return nil, Info{}, &fs.PathError{Op: "open", Path: base, Err: ErrNotRegular}
	}
	return &sizedReader{io.LimitReader(h, fi.Size()), h}, info(fi), nil
}

// sizedReader reads no more of a file than it held when it was opened.
type sizedReader struct {
	io.Reader
	io.Closer
}
