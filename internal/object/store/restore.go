package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Restore puts a database that came from elsewhere in place of the one at path, and of what
// SQLite keeps beside it: the journal of another database would be played back into this one.
// What r holds is not believed: Open and Resume see to that. More than maxBytes, 0 for 1 GiB, is
// refused, and the old database stays. path must be the caller's own: in a workflow the
// folder of a checkout can hold anything, a link or a database with a made-up history, and
// Remove clears it where there is nothing to restore.
func Restore(path string, r io.Reader, maxBytes int64) (err error) {
	if maxBytes == 0 {
		maxBytes = defaultMax
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".restore-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	n, err := io.Copy(f, io.LimitReader(r, maxBytes+1))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("restoring the session database: %w", err)
	}
	if n > maxBytes {
		return fmt.Errorf("restoring the session database: it is larger than %d bytes", maxBytes)
	}
	if err := Remove(path); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Remove removes the database at path with what SQLite keeps beside it. That there is none is
// no error.
func Remove(path string) error {
	for _, tail := range []string{"-journal", "-wal", "-shm", ""} {
		if err := os.Remove(path + tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing the session database: %w", err)
		}
	}
	return nil
}
