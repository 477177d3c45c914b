package object

import (
	"errors"
	"io/fs"
	"os"
	"testing"
)

func TestResolver(t *testing.T) {
	r, err := NewResolver("container",
		Mount{"/workspace", "/home/u/p", "host"},
		Mount{"/workspace/vendor/", "/srv//vendor", "nfs"},
		Mount{"/data", "/", "disk"},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		agent     string
		want      Resolved
		watchable bool
		back      string
	}{
		{"/workspace/src/a.ts", Resolved{"host", "/home/u/p/src/a.ts"}, true, "/workspace/src/a.ts"},
		{"/workspace", Resolved{"host", "/home/u/p"}, true, "/workspace"},
		{"/workspace/", Resolved{"host", "/home/u/p"}, true, "/workspace"},
		{"/workspace//src/../b", Resolved{"host", "/home/u/p/b"}, true, "/workspace/b"},
		{"/workspace/vendor/x", Resolved{"nfs", "/srv/vendor/x"}, true, "/workspace/vendor/x"},
		{"/workspace/vendored", Resolved{"host", "/home/u/p/vendored"}, true, "/workspace/vendored"},
		{"/workspace-x/a", Resolved{"container", "/workspace-x/a"}, false, "/workspace-x/a"},
		{"/data/x", Resolved{"disk", "/x"}, true, "/data/x"},
		{"/etc/hosts", Resolved{"container", "/etc/hosts"}, false, "/etc/hosts"},
		{"/workspace/../../etc", Resolved{"container", "/etc"}, false, "/etc"},
		{"tmp/a", Resolved{"container", "/tmp/a"}, false, "/tmp/a"},
		{"", Resolved{"container", "/"}, false, "/"},
	} {
		got := r.Resolve(c.agent)
		if got != c.want {
			t.Errorf("Resolve(%q) = %v, want %v", c.agent, got, c.want)
		}
		if w := r.Watchable(c.agent); w != c.watchable {
			t.Errorf("Watchable(%q) = %v", c.agent, w)
		}
		if back := r.Reverse(got.CanonicalPath, got.FilesystemID); back != c.back {
			t.Errorf("Reverse(%v) = %q, want %q", got, back, c.back)
		}
	}
	// A canonical path on another file system is shown as it is.
	if got := r.Reverse("/home/u/p/a", "elsewhere"); got != "/home/u/p/a" {
		t.Errorf("Reverse on another file system = %q", got)
	}
	for _, bad := range [][]Mount{{{"workspace", "/x", ""}}, {{"/x", "y", ""}}, {{"/x", "/y", ""}, {"/x/", "/z", ""}}} {
		if _, err := NewResolver("id", bad...); err == nil {
			t.Errorf("NewResolver(%v): no error", bad)
		}
	}
	if _, err := NewResolver(""); err == nil {
		t.Error("NewResolver without an id: no error")
	}
}

func TestResolverOfADesk(t *testing.T) {
	r, err := Identity("machine")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Resolve("/home/u/a"); got != (Resolved{"machine", "/home/u/a"}) {
		t.Errorf("Resolve = %v", got)
	}
	if !r.Watchable("/home/u/a") {
		t.Error("a desk's files are not watchable")
	}
}

func TestResolverOfAWorkflow(t *testing.T) {
	repo := RepositoryFilesystemID("https://github.com/", "42", "")
	if want := sum([]byte("github:https://github.com/42")); repo != want {
		t.Errorf("RepositoryFilesystemID = %s, want %s", repo, want)
	}
	if RepositoryFilesystemID("https://github.com", "42", "pr-1") == repo {
		t.Error("a thread's id is the repository's")
	}
	r, err := Workflow("machine", repo, "/github/workspace", "/home/runner/work/p/p", "/github/workspace")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"/github/workspace/src/a.go", "/home/runner/work/p/p/src/a.go"} {
		if got := r.Resolve(p); got != (Resolved{repo, "/src/a.go"}) {
			t.Errorf("Resolve(%q) = %v", p, got)
		}
	}
	// What lies outside does not pose as a file of the repository.
	if got := r.Resolve("/src/a.go"); got != (Resolved{"machine", "/src/a.go"}) {
		t.Errorf("Resolve outside = %v", got)
	}
}

func TestDefaultFilesystemID(t *testing.T) {
	host := func() (string, error) { return "desk", nil }
	file := func(s string) func(string) ([]byte, error) {
		return func(name string) ([]byte, error) {
			if name != "/etc/machine-id" {
				return nil, fs.ErrNotExist
			}
			return []byte(s), nil
		}
	}
	none := func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	for _, c := range []struct {
		name string
		read func(string) ([]byte, error)
		want string
	}{
		{"machine id", file("m\n"), sum([]byte("m"))},
		{"empty machine id", file("\n"), sum([]byte("desk"))},
		{"uninitialized machine id", file("uninitialized\n"), sum([]byte("desk"))},
		{"no machine id", none, sum([]byte("desk"))},
	} {
		if got, err := defaultFilesystemID(c.read, host); err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
	if _, err := defaultFilesystemID(none, func() (string, error) { return "", os.ErrPermission }); !errors.Is(err, os.ErrPermission) {
		t.Errorf("no name at all: %v", err)
	}
	if id, err := DefaultFilesystemID(); err != nil || !isHash(id) {
		t.Errorf("DefaultFilesystemID = %q, %v", id, err)
	}
}

func TestParseSessionID(t *testing.T) {
	for _, s := range []string{"pr-1", "../../etc/passwd", "a/b", "main", "é", `C:\x`, "con", "a b"} {
		if got, err := ParseSessionID(s); err != nil || got != s {
			t.Errorf("ParseSessionID(%q) = %q, %v", s, got, err)
		}
	}
	for _, s := range []string{"", " a", "a\n", "a\x00b", "\x7f", "\xff", string(make([]byte, 201)), "a\u2028b"} {
		if _, err := ParseSessionID(s); err == nil {
			t.Errorf("ParseSessionID(%q): no error", s)
		}
	}
}
