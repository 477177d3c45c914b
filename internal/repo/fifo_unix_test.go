//go:build unix

package repo

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// Opening a FIFO waits for a writer that never comes.
func TestFIFOs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, name := range []string{"refs/heads/x", "refs/tags/x", "packed-refs", "shallow", "index", "config.worktree", "info/attributes", "info/exclude", "objects/info/alternates", "commondir", "objects/11/11111111111111111111111111111111111111"} {
		g := repotest.New(t, "-- a --\n1\n")
		path := g.Path(".git/" + name)
		g.Write(".git/"+filepath.ToSlash(filepath.Dir(name))+"/made", "")
		if name == "index" {
			g.Git("rm", "-q", "--cached", "a")
			if err := syscall.Unlink(path); err != nil {
				t.Fatal(err)
			}
		}
		if err := syscall.Mkfifo(path, 0o644); err != nil && err != syscall.EEXIST {
			t.Skip(err)
		}
		r, err := Open(g.Dir)
		if err != nil {
			continue
		}
		defer r.Close()
		r.Head()
		r.Resolve("x")
		r.Resolve("1111111111111111111111111111111111111111")
		r.Resolve("none")
		r.Index()
		r.InfoExclude()
		r.Converted()
		r.IsShallow()
		r.DefaultBranches()
		r.PreviousTag("HEAD", nil)
	}
}
