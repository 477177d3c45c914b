package repo

import (
	"os"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/tree"
)

// An index by anyone gives sorted valid paths, each once, or a warning.
func FuzzIndex(f *testing.F) {
	g := repotest.New(f, sample)
	name := g.Path(".git/index")
	add := func() {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(append(b[:len(b)-20:len(b)-20], make([]byte, 20)...))
	}
	add()
	g.Git("update-index", "--index-version", "4")
	add()
	g.Git("sparse-checkout", "init", "--cone", "--sparse-index")
	add()
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := Open(g.Dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
		idx, err := r.Index()
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range idx.Files {
			if !tree.Valid(f.Path) || f.Path == "." || i > 0 && idx.Files[i-1].Path >= f.Path || len(f.ID) != 40 {
				t.Errorf("%d: %+v", i, f)
			}
		}
	})
}

// A configuration by anyone opens or is an error.
func FuzzConfig(f *testing.F) {
	for _, s := range []string{"[core]\n\tbare = true\n", "[remote \"origin\"]\n\turl = https://a:b@c/d\n\tfetch = ^x\n", "[extensions]\nobjectFormat=sha256", "[branch \"m\"]\nmerge=\"\\", "[a \"\x00\"]b", "[include]path=/dev/zero"} {
		f.Add(s)
	}
	g := repotest.New(f, sample)
	f.Fuzz(func(t *testing.T, content string) {
		if err := os.WriteFile(g.Path(".git/config"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Open(g.Dir)
		if err != nil {
			return
		}
		defer r.Close()
		r.RemoteURL("origin")
		r.Resolve("@{u}")
		if _, err := r.Head(); err != nil {
			t.Error(err)
		}
	})
}
