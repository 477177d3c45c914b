//go:build unix && !linux

package store

import (
	"io"
	"os"
	"syscall"
)

// lockBytes locks the whole file against other stores of this program, and the bytes by
// which SQLite locks a database against other programs.
func lockBytes(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return err
	}
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: sqlitePending, Len: sqliteLocks}
	return syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &l)
}
