package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errBusy: another has the lock.
var errBusy = errors.New("it is locked")

// errSharing is ERROR_SHARING_VIOLATION, deleteOnClose FILE_FLAG_DELETE_ON_CLOSE.
const (
	errSharing    = syscall.Errno(32)
	deleteOnClose = 0x04000000
)

// tryLock makes a file beside an open database that goes with its only user, or returns
// errBusy.
func tryLock(f *os.File) (unlock func(), err error) {
	return alone(f.Name() + "-lock")
}

// claim takes a folder for this process, or returns errBusy. It ends with the process.
func claim(dir string) (release func(), err error) { return alone(dir + "-lock") }

// alone opens a file that nobody else can open meanwhile, and that goes when it is closed.
func alone(name string) (release func(), err error) {
	p, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(p, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, deleteOnClose|syscall.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	switch {
	case errors.Is(err, errSharing), errors.Is(err, syscall.ERROR_ACCESS_DENIED):
		return nil, errBusy
	case err != nil:
		return nil, &fs.PathError{Op: "lock", Path: name, Err: err}
	}
	return func() { syscall.CloseHandle(h) }, nil
}

// mine reports whether a file belongs to whoever runs this: the folder for temporary
// files is the user's own.
func mine(fs.FileInfo) bool { return true }
