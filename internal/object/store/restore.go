package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
)

// Restore puts a database that came from elsewhere in place of the one called name in a
// folder, and of what SQLite keeps beside it. What r holds is not believed: Open and Resume
// see to that. More than maxBytes, 0 for 1 GiB, is refused, and the old database stays. The
// place must be the caller's own: in a workflow the folder of a checkout can hold
// anything, a link or a database with a made-up history, and Remove clears it where there is
// nothing to restore.
func Restore(folder *os.Root, name string, r io.Reader, maxBytes int64) (err error) {
	if maxBytes == 0 {
		maxBytes = defaultMax
	}
	temp := name + "-" + rand.Text() + waiting
	f, err := folder.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.Remove(temp))
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
	if err := Remove(folder, name); err != nil {
		return err
	}
	return folder.Rename(temp, name)
}

// Remove removes the database called name in a folder with what SQLite keeps beside it. That
// there is none is no error.
func Remove(folder *os.Root, name string) error {
	for _, tail := range append(sidecars, "") {
		if err := folder.RemoveAll(name + tail); err != nil { // a folder may stand there, too
			return fmt.Errorf("removing the session database: %w", err)
		}
	}
	return nil
}
