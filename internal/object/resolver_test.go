package object

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestResolver(t *testing.T) {
	r, err := NewResolver("container",
		Mount{"/workspace", "/home/u/p", "host"},
		Mount{"/workspace/vendor/", "/srv//vendor", "nfs"},
		Mount{"/data", "/", "disk"},
		Mount{"/workspace/cache", "/var/cache", "host"},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		agent     string
		want      Location
		watchable bool
		back      string
	}{
		{"/workspace/src/a.ts", Location{"host", "/home/u/p/src/a.ts"}, true, "/workspace/src/a.ts"},
		{"/workspace", Location{"host", "/home/u/p"}, true, "/workspace"},
		{"/workspace/", Location{"host", "/home/u/p"}, true, "/workspace"},
		{"/workspace//src/../b", Location{"host", "/home/u/p/b"}, true, "/workspace/b"},
		{"/workspace/vendor/x", Location{"nfs", "/srv/vendor/x"}, true, "/workspace/vendor/x"},
		{"/workspace/vendored", Location{"host", "/home/u/p/vendored"}, true, "/workspace/vendored"},
		{"/workspace-x/a", Location{"container", "/workspace-x/a"}, false, "/workspace-x/a"},
		{"/data/x", Location{"disk", "/x"}, true, "/data/x"},
		{"/etc/hosts", Location{"container", "/etc/hosts"}, false, "/etc/hosts"},
		{"/workspace/../../etc", Location{"container", "/etc"}, false, "/etc"},
		{"tmp/a", Location{"container", "/tmp/a"}, false, "/tmp/a"},
		{"", Location{"container", "/"}, false, "/"},
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
	// What a mount lies over is not seen.
	if got := r.Reverse("/home/u/p/cache/x", "host"); got != "/home/u/p/cache/x" {
		t.Errorf("Reverse of what is hidden = %q", got)
	}
	for dir, want := range map[string]string{"/workspace/src": "/workspace/src", "/home/u/p/src": "/workspace/src", "/srv/vendor": "/workspace/vendor", "/data": "/data"} {
		if got := r.AgentPath(dir); got != want {
			t.Errorf("AgentPath(%q) = %q, want %q", dir, got, want)
		}
	}
	for p, want := range map[string]string{"/workspace/src/a": "src/a", "/workspace": "", "/workspace/vendor/x": "", "/workspace/../etc": "", "/etc": ""} {
		if got, ok := r.Below("/workspace", p); got != want && ok || ok != (want != "") {
			t.Errorf("Below(%q) = %q, %v", p, got, ok)
		}
	}
	for dir, want := range map[string]bool{"/": true, "/workspace": true, "/workspace/vendor": true, "/work": false, "/workspace/src": false} {
		if got := r.Encloses(dir); got != want {
			t.Errorf("Encloses(%q) = %v", dir, got)
		}
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

func TestParseMounts(t *testing.T) {
	got, err := ParseMounts([]string{"/work=/home/ada/loom", "", " /work/dye/=/srv/dye=nas-4 ", "/tools=/tools", "/work/warp=/home/ada/loom/warp"})
	want := []Mount{{"/work", "/home/ada/loom", ""}, {"/work/dye", "/srv/dye", "nas-4"}, {"/tools", "/tools", ""}, {"/work/warp", "/home/ada/loom/warp", ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("ParseMounts = %v, %v", got, err)
	}
	for _, c := range []struct{ lines, want string }{
		{"/work", `line 1, "/work": it is agent-prefix=canonical-prefix`},
		{"/work=", "it is agent-prefix"},
		{"=/work", "it is agent-prefix"},
		{"/work=/x=", "it is agent-prefix"},
		{"work=/x", `"work" is relative`},
		{"/work=x", `"x" is relative`},
		{"/work=/x/../y", `holds ".."`},
		{"/./work=/x", `holds "."`},
		{"/work=/x\x00", "is not canonical"},
		{"/work=/x=a\tb", "printable line"},
		{"/work=/x\n/work/=/y", `line 2, "/work/=/y": /work is mounted twice`},
		{"/work=/x\n/play=/x", "it overlaps /work=/x: what lies in /x would have two names, below /work and below /play"},
		{"/work=/x\n/play=/x/y", "what lies in /x/y would have two names, below /work/y and below /play"},
		{"/play=/x/y\n/work=/x", "what lies in /x/y would have two names"},
		{"/a=/b\n/b=/a", "/a=/b loops"},
		{"/a=/a/b", "/a=/a/b loops"},
		{"/=/srv/root", "/=/srv/root loops"},
		{"/a=/b/x\n/b=/c/y\n/c=/a/z", "loops"},
		{strings.Repeat("/a=/b\n", 101), "mounted twice"},
	} {
		if _, err := ParseMounts(strings.Split(c.lines, "\n")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("ParseMounts(%q): %v, want %q", c.lines, err, c.want)
		}
	}
	var many []string
	for i := range maxMounts + 1 {
		many = append(many, fmt.Sprintf("/a%d=/b%d", i, i))
	}
	if _, err := ParseMounts(many); err == nil || !strings.Contains(err.Error(), "more than 100 mounts") {
		t.Errorf("101 mounts: %v", err)
	}
}

// FuzzParseMounts: of mounts that are taken, a path leads to a place and back to a path that leads to
// the same place.
func FuzzParseMounts(f *testing.F) {
	f.Add("/work=/x\n/work/y=/z=other", "/work/y/f", "/x/y/f")
	f.Add("/a=/b\n/b=/c", "/a/f", "/b")
	f.Fuzz(func(t *testing.T, lines, agent, canonical string) {
		mounts, err := ParseMounts(strings.Split(lines, "\n"))
		if err != nil {
			return
		}
		r, err := NewResolver("own", mounts...)
		if err != nil {
			t.Fatalf("taken, and refused later: %v", err)
		}
		at := r.Resolve(agent)
		if back := r.Reverse(at.CanonicalPath, at.FilesystemID); back != at.CanonicalPath && r.Resolve(back) != at {
			t.Errorf("%q is %v, which is %q", agent, at, back)
		}
		p := path.Clean("/" + canonical)
		if back := r.Reverse(p, "own"); back != p && r.Resolve(back) != (Location{"own", p}) {
			t.Errorf("%q is shown as %q, which is %v", p, back, r.Resolve(back))
		}
	})
}

func TestResolverOfADesk(t *testing.T) {
	r, err := Identity("machine")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Resolve("/home/u/a"); got != (Location{"machine", "/home/u/a"}) {
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
		if got := r.Resolve(p); got != (Location{repo, "/src/a.go"}) {
			t.Errorf("Resolve(%q) = %v", p, got)
		}
	}
	w, err := r.With(repo, Mount{AgentPrefix: "/data", CanonicalPrefix: "/srv"}, Mount{AgentPrefix: "/github/workspace", CanonicalPrefix: "/elsewhere", FilesystemID: "nas"})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]Location{"/data/x": {repo, "/srv/x"}, "/github/workspace/x": {"nas", "/elsewhere/x"}, "/home/runner/work/p/p/x": {repo, "/x"}, "/x": {"machine", "/x"}} {
		if got := w.Resolve(p); got != want {
			t.Errorf("with mounts Resolve(%q) = %v, want %v", p, got, want)
		}
	}
	// What lies outside does not pose as a file of the repository.
	if got := r.Resolve("/src/a.go"); got != (Location{"machine", "/src/a.go"}) {
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
