//go:build unix

package action

import (
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/haversack-dev/haversack/internal/tree"
)

// lockFile locks a file of a folder, which it makes where there is none, until it is closed
// or the process ends. Where another has it locked the error is errLocked at once.
func lockFile(folder *os.Root, name string) (io.Closer, error) {
	f, _, err := tree.OpenIn(folder, name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errLocked
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
