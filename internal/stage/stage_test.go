package stage

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tree"
)

const id = ".stan/context/npm/dep/1.0.0/index.d.ts"

func setup(t *testing.T) (dir string, roots graph.Roots, files map[string]graph.Locator) {
	t.Helper()
	dir = t.TempDir()
	name := filepath.Join(dir, "node_modules", "dep", "index.d.ts")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	content := []byte("export type T = 1;\n")
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	sum := sha256.Sum256(content)
	return dir, graph.Roots{Dir: filepath.ToSlash(dir), Root: root}, map[string]graph.Locator{
		id: {Path: "node_modules/dep/index.d.ts", Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}}
}

func TestRead(t *testing.T) {
	_, roots, files := setup(t)
	b, err := Read(roots, files, id)
	if err != nil || string(b) != "export type T = 1;\n" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := Read(roots, files, id+"x"); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown address: %v", err)
	}
}

// TestReadRefuses what is not what it was: both values are named.
func TestReadRefuses(t *testing.T) {
	for name, spoil := range map[string]func(file string) error{
		"a byte":        func(f string) error { return os.WriteFile(f, []byte("export type T = 2;\n"), 0o644) },
		"longer":        func(f string) error { return os.WriteFile(f, []byte("export type T = 1;\n\n"), 0o644) },
		"gone":          os.Remove,
		"a folder":      func(f string) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o755)) },
		"a link inside": func(f string) error { return errors.Join(os.Rename(f, f+".real"), os.Symlink("index.d.ts.real", f)) },
		"a link outside": func(f string) error {
			out := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(f))), "..", "outside")
			return errors.Join(os.WriteFile(out, []byte("export type T = 1;\n"), 0o644), os.Remove(f), os.Symlink(out, f))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, roots, files := setup(t)
			if err := spoil(filepath.Join(dir, "node_modules", "dep", "index.d.ts")); err != nil {
				t.Fatal(err)
			}
			_, err := Read(roots, files, id)
			if err == nil {
				t.Fatal("no error")
			}
			var m *MismatchError
			if errors.As(err, &m) && (m.Want == m.Got || !strings.Contains(err.Error(), m.Want) || !strings.Contains(err.Error(), m.Got)) {
				t.Errorf("%v does not name both values", err)
			}
			if (name == "a byte" || name == "longer") != (m != nil) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestReadOutside: an address that leads out of every root is refused.
func TestReadOutside(t *testing.T) {
	_, roots, files := setup(t)
	for _, p := range []string{"/etc/hostname", "../x", "node_modules/../../x"} {
		l := files[id]
		l.Path = p
		files["evil"] = l
		if _, err := Read(roots, files, "evil"); err == nil {
			t.Errorf("%s is read", p)
		}
	}
}

func TestIs(t *testing.T) {
	for name, want := range map[string]bool{id: true, ".stan/context/abs/0/x": true, ".stan/context/dependency.meta.json": false, "src/a.ts": false, ".stan/context/npm": false} {
		if Is(name, ".stan") != want {
			t.Errorf("Is(%q) is not %v", name, want)
		}
	}
}
