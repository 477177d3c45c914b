package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestOpenInWhileReplaced: what a name becomes while it is opened lends it to no other file.
func TestOpenInWhileReplaced(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"own": "own", "other": "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("other", filepath.Join(dir, "probe")); err != nil {
		t.Skip(err)
	}
	root, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for i := 0; err == nil; i++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			os.Remove(filepath.Join(dir, "next"))
			if i%2 == 0 {
				err = os.Symlink("other", filepath.Join(dir, "next"))
			} else {
				err = os.Link(filepath.Join(dir, "own"), filepath.Join(dir, "next"))
			}
			err = errors.Join(err, os.Rename(filepath.Join(dir, "next"), filepath.Join(dir, "x")))
		}
		done <- err
	}()
	opened := 0
	for range 3000 {
		f, _, err := OpenIn(root, "x", os.O_RDONLY, 0)
		if errors.Is(err, ErrNotRegular) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		f.Close()
		if err != nil || string(b) != "own" {
			t.Fatalf("it holds %q, %v", b, err)
		}
		opened++
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
	}
	t.Logf("opened %d times", opened)
}
