//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// The bytes by which SQLite locks a database: PENDING_BYTE, RESERVED_BYTE, and 510 of
// SHARED_FIRST.
const (
	sqlitePending = 0x40000000
	sqliteLocks   = 512
)

// errBusy: another has the lock.
var errBusy = errors.New("it is locked")

// tryLock locks an open database as one that writes does, or returns errBusy. A file
// system that knows no locks has none.
func tryLock(f *os.File) (unlock func(), err error) {
	switch err := lockBytes(f); {
	case err == nil:
		return func() {}, nil // ends when the file is closed
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EACCES):
		return nil, errBusy
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS):
		return func() {}, nil
	default:
		return nil, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
}

// claim takes a folder for this process, or returns errBusy. It ends with the process.
func claim(dir string) (release func(), err error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, errBusy
	}
	return func() { f.Close() }, nil
}

// mine reports whether a file belongs to whoever runs this.
func mine(in fs.FileInfo) bool {
	st, ok := in.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
