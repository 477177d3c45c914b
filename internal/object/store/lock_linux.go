package store

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// ofdLock is F_OFD_SETLK, a lock of the open file: it keeps off other programs and
// other stores of this one, and ends with the file.
const ofdLock = 37

// lockBytes locks the bytes by which SQLite locks a database.
func lockBytes(f *os.File) error {
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: sqlitePending, Len: sqliteLocks}
	err := syscall.FcntlFlock(f.Fd(), ofdLock, &l)
	if errors.Is(err, syscall.EINVAL) { // a system that has none
		err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &l)
	}
	return err
}
