package action

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lockFile opens a file of a folder, which it makes where there is none, that nobody else
// may open until it is closed or the process ends. Where another has it open the error is
// errLocked at once.
func lockFile(folder *os.Root, name string) (io.Closer, error) {
	p, err := syscall.UTF16PtrFromString(filepath.Join(folder.Name(), name))
	if err != nil {
		return nil, err
	}
	const sharingViolation = syscall.Errno(32)
	h, err := syscall.CreateFile(p, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), name), nil
}
