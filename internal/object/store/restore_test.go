package store_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/haversack-dev/haversack/internal/object/store"
)

func TestRestore(t *testing.T) {
	ctx := context.Background()
	whole, err := os.ReadFile(made(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "session")
	path := filepath.Join(dir, "objects.db")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	folder, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	only := func(want ...string) {
		t.Helper()
		var got []string
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("there are %q, want %q", got, want)
		}
	}

	if err := store.Restore(folder, "objects.db", bytes.NewReader(whole), int64(len(whole))); err != nil {
		t.Fatal(err)
	}
	only("objects.db")
	// Too large, or cut off: what is there stays.
	if err := store.Restore(folder, "objects.db", bytes.NewReader(whole), int64(len(whole))-1); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("too large: %v", err)
	}
	if err := store.Restore(folder, "objects.db", io.MultiReader(strings.NewReader("SQLite"), iotest.ErrReader(io.ErrUnexpectedEOF)), 0); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut off: %v", err)
	}
	only("objects.db")
	// A journal that lies in wait, and a link, go.
	for _, tail := range []string{"-journal", "-wal", "-shm"} {
		if err := os.WriteFile(path+tail, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	victim := filepath.Join(t.TempDir(), "victim")
	if err := errors.Join(os.WriteFile(victim, []byte("precious"), 0o644), os.Remove(path), os.Symlink(victim, path)); err != nil {
		t.Fatal(err)
	}
	if err := store.Restore(folder, "objects.db", bytes.NewReader(whole), 0); err != nil {
		t.Fatal(err)
	}
	only("objects.db")
	if b, err := os.ReadFile(victim); err != nil || string(b) != "precious" {
		t.Errorf("the link's target is %q, %v", b, err)
	}
	st, note, err := store.Open(ctx, path, store.Options{})
	if err != nil || note != "" {
		t.Fatal(note, err)
	}
	if runs, err := st.Runs(ctx, ""); err != nil || len(runs) != 1 {
		t.Errorf("runs = %v, %v", runs, err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.Remove(folder, "objects.db"), store.Remove(folder, "objects.db")); err != nil {
		t.Error(err)
	}
	only()
}
