package tree

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// ReadRegular returns the content of the regular file name (OpenRegular), or an
// error that holds a LimitError when it is larger than limit bytes.
func ReadRegular(name string, limit int64) ([]byte, error) {
	f, fi, err := OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readUpTo(f, fi.Size(), limit)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return b, nil
}

// readUpTo returns what r yields, of which size bytes are expected.
func readUpTo(r io.Reader, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, &LimitError{limit}
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, &LimitError{limit}
	}
	return b.Bytes(), nil
}
