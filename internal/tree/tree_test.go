package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func sample(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"in/a.txt": "a", "in/sub/b.txt": "b", "in/sub-x": "x", "outside.txt": "secret"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"in/inside": "sub/b.txt", "in/up": "../outside.txt", "in/dir": "sub", "in/loop": "loop",
		"in/abs": filepath.Join(dir, "outside.txt"), "in/dangling": "nowhere", "in/back": "sub/../a.txt", "in/out-and-in": "../in/a.txt"} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Skip(err)
		}
	}
	return filepath.Join(dir, "in")
}

func TestResolve(t *testing.T) {
	r, err := Open(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for name, want := range map[string]string{"a.txt": "a.txt", "inside": "sub/b.txt", "dir/b.txt": "sub/b.txt", "back": "a.txt", ".": "."} {
		if got, err := r.Resolve(name); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]error{"up": ErrOutside, "abs": ErrOutside, "out-and-in": ErrOutside, "dangling": fs.ErrNotExist, "loop": ErrLoop,
		"../outside.txt": ErrOutside, "/etc": ErrOutside, "a//b": ErrOutside, "": ErrOutside} {
		if got, err := r.Resolve(name); !errors.Is(err, want) {
			t.Errorf("%s: %q, %v; want %v", name, got, err, want)
		}
	}
}

// TestOpenFollowsNoLink: what was a file and is a link now is refused, even
// when the link stays inside.
func TestOpenFollowsNoLink(t *testing.T) {
	dir := sample(t)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, name := range []string{"inside", "up", "abs", "loop", "sub", "nowhere"} {
		if rc, _, err := r.Open(name); err == nil {
			rc.Close()
			t.Errorf("%s opens", name)
		} else if strings.Contains(err.Error(), filepath.ToSlash(dir)) {
			t.Errorf("%s: the error tells where the root is: %v", name, err)
		}
	}
	if _, err := r.ReadFile("a.txt", 0); err == nil {
		t.Error("a file larger than the limit is read")
	}
}

// TestOrder: a depth-first walk yields full paths bytewise.
func TestOrder(t *testing.T) {
	r, err := Open(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	var walk func(dir string)
	walk = func(dir string) {
		list, err := r.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			name := e.Name
			if dir != "." {
				name = dir + "/" + e.Name
			}
			if e.Mode.IsDir() {
				walk(name)
			} else {
				got = append(got, name)
			}
		}
	}
	walk(".")
	if !slices.IsSorted(got) || len(got) != 11 {
		t.Errorf("%q", got)
	}
}

// TestManyFolders opens more folders than are kept, from several goroutines.
func TestManyFolders(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 300 {
		name := strings.Repeat("d/", i%4) + "f" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		names = append(names, name+"/x")
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "x"), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, name := range names {
				b, err := r.ReadFile(name, 100)
				if err != nil || string(b)+"/x" != name {
					t.Errorf("%s: %q, %v", name, b, err)
				}
			}
		})
	}
	wg.Wait()
	r.Close()
	if _, err := r.ReadFile(names[0], 100); err == nil {
		t.Error("a closed root reads")
	}
}

// TestSpool keeps what it was given, in memory and on disk.
func TestSpool(t *testing.T) {
	s := NewSpool(t.TempDir())
	big := strings.Repeat("0123456789abcdef", 1<<16) // 1 MiB
	var files []File
	for i := range 12 {
		f, err := s.Add(string(rune('a'+i)), 0o644, []byte(big[i:]))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	for i, f := range files {
		for range 2 {
			b, err := f.Read()
			if err != nil || string(b) != big[i:] {
				t.Fatalf("file %d: %d bytes, %v", i, len(b), err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if rc, err := files[11].Open(); err == nil {
		if _, err := io.ReadAll(rc); err == nil {
			t.Error("a closed spool reads")
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range []string{".", "a", "a/b", "../a", "/a", "a//b", "a/", "", "a/./b", "a\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if Valid(name) && name != "." {
			clean := filepath.ToSlash(filepath.Clean(filepath.FromSlash(name)))
			if clean != name && !strings.Contains(name, `\`) || strings.HasPrefix(name, "/") {
				t.Errorf("%q is valid and cleans to %q", name, clean)
			}
		}
	})
}

// TestReadInto reads one file after another into the same room.
func TestReadInto(t *testing.T) {
	var room []byte
	for _, text := range []string{"longer than the next", "short", "", "longer than the one before", strings.Repeat("x", 5000)} {
		b, err := Bytes("a", []byte(text)).ReadInto(room)
		if err != nil || string(b) != text {
			t.Fatalf("%q, %v, want %q", b, err, text)
		}
		if cap(room) >= len(text)+512 && &b[:1][0] != &room[:1][0] {
			t.Errorf("%q does not stand in the room of %d bytes", text, cap(room))
		}
		room = b
	}
}
