package tree

import (
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"
)

// handle is the open folder itself, for listing it and opening its files with one system call each.
type handle struct {
	once sync.Once
	dir  *os.File
	err  error
}

func (h *handle) close() {
	if h.dir != nil {
		h.dir.Close()
	}
}

// enter opens the handle.
func (f *folder) enter() error {
	f.once.Do(func() { f.dir, f.err = f.root.Open(".") })
	return f.err
}

// list returns what the folder holds. Of a folder that was opened through os.Root, ReadDir would ask for the state of
// each entry too.
func (f *folder) list() ([]fs.DirEntry, error) {
	if err := f.enter(); err != nil {
		return nil, err
	}
	var fd int
	err := retry(func() (err error) {
		fd, err = syscall.Openat(int(f.dir.Fd()), ".", syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: ".", Err: err}
	}
	h := os.NewFile(uintptr(fd), noPath)
	defer h.Close()
	if names, err := h.ReadDir(-1); err == nil {
		return names, nil
	}
	if h, err = f.root.Open("."); err != nil {
		return nil, err
	}
	defer h.Close()
	return h.ReadDir(-1)
}

// noPath is what no file is called: on a file system whose lists do not tell kinds ReadDir asks for them by path, which would be
// one of the working folder's. So it fails, and os.Root is asked.
const noPath = "\x00"

// openFile opens a regular file of the folder. The name is one element and no
// link is followed, so that it stays inside as surely as through os.Root, and
// what was listed as a file and is a link now cannot lend its name to another
// file's content.
func (f *folder) openFile(base string) (io.ReadCloser, Info, error) {
	if err := f.enter(); err != nil {
		return nil, Info{}, err
	}
	var fd int
	var st syscall.Stat_t
	err := retry(func() (err error) {
		// O_NONBLOCK: a FIFO that took a file's place must not hang the run.
		fd, err = syscall.Openat(int(f.dir.Fd()), base, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		return err
	})
	if err == syscall.ELOOP || err == syscall.ENXIO {
		err = ErrNotRegular // a link; a socket
	}
	if err == nil {
		if err = retry(func() error { return syscall.Fstat(fd, &st) }); err == nil && st.Mode&syscall.S_IFMT != syscall.S_IFREG {
			err = ErrNotRegular
		}
		if err != nil {
			syscall.Close(fd)
		}
	}
	if err != nil {
		return nil, Info{}, &fs.PathError{Op: "open", Path: base, Err: err}
	}
	in := Info{Mode: 0o644, Size: st.Size, ModTime: time.Unix(st.Mtim.Unix())}
	if st.Mode&0o100 != 0 {
		in.Mode = 0o755
	}
	return &rawFile{fd: fd, name: base, left: st.Size}, in, nil
}

// rawFile reads a regular file without the poller, which is of no use to it.
type rawFile struct {
	fd   int
	name string
	left int64 // of the size when it was opened
}

func (f *rawFile) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	if f.left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), f.left)]
	err = retry(func() (err error) {
		n, err = syscall.Read(f.fd, p)
		return err
	})
	switch {
	case err != nil:
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: err}
	case n == 0:
		return 0, io.EOF
	}
	f.left -= int64(n)
	return n, nil
}

func (f *rawFile) Close() error {
	if f.fd < 0 {
		return fs.ErrClosed
	}
	err := syscall.Close(f.fd)
	f.fd = -1
	return err
}

func retry(do func() error) error {
	for {
		if err := do(); err != syscall.EINTR {
			return err
		}
	}
}
