package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOver(t *testing.T) {
	root := func(files ...string) *Root {
		dir := t.TempDir()
		for _, f := range files {
			name, text, _ := strings.Cut(f, "=")
			at := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r
	}
	lower := root("a=new", "b=same", "d/added=x", "e/f/added=x", "was=file")
	upper := root("a=old", "b=other", "d/gone=y", "g/h/gone=z", "was/folder=1")
	o := Over(lower, upper, []string{"a", "d/added", "d/gone", "g/h/gone", "e/f/added", "was", "was/folder"})
	for name, want := range map[string]string{"a": "old", "b": "same", "d/gone": "y", "g/h/gone": "z", "was/folder": "1"} {
		if got, err := o.ReadFile(name, 100); err != nil || string(got) != want {
			t.Errorf("%s holds %q %v, want %q", name, got, err, want)
		}
	}
	if _, err := o.Lstat("d/added"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("d/added: %v", err)
	}
	if _, _, err := o.Open("d/added"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("d/added: %v", err)
	}
	for dir, want := range map[string]string{".": "a b d/ e/ g/ was/", "d": "gone", "g": "h/", "g/h": "gone", "e/f": "", "was": "folder"} {
		list, err := o.List(dir)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
		}
		var names []string
		for _, e := range list {
			if e.Mode.IsDir() {
				e.Name += "/"
			}
			names = append(names, e.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s holds %q, want %q", dir, got, want)
		}
	}
}
