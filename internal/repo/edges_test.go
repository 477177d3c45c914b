package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// Revisions that a name alone does not tell stand for what git says.
func TestRevisionsLikeGit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	g := repotest.New(t, "-- a --\n1\n", "-- a --\n2\n")
	g.Git("tag", "-a", "-m", "one", "v1.0")
	g.Git("branch", "feature/x", "HEAD~1")
	c := g.Clone()
	c.Git("checkout", "-q", "-b", "feature/x", "origin/feature/x")
	c.Git("checkout", "-q", "-b", "topic", "--track", "feature/x")
	c.Git("commit", "-q", "--allow-empty", "-m", "three")
	sha := c.Git("rev-parse", "HEAD")
	r := open(t, c.Dir)
	for _, rev := range []string{
		"@{upstream}", "@{u}", "@{u}~0", "topic@{u}", "feature/x@{upstream}", "main@{U}^", "HEAD@{u}",
		"v1.0-3-g" + sha[:8],
	} {
		want := c.Git("rev-parse", strings.Replace(rev, "HEAD@", "@", 1)+"^{commit}")
		if got, err := r.Resolve(rev); err != nil || got.SHA != want {
			t.Errorf("%s: %s %v, want %s", rev, got.SHA, err, want)
		}
	}
	c.Git("checkout", "-q", "--detach")
	for _, rev := range []string{"@{u}", "v1.0@{u}", "nothing@{u}", "@{1}", "@{-1}", "HEAD@{yesterday}", "-g", "x-g123", "@{u"} {
		if got, err := r.Resolve(rev); err == nil {
			t.Errorf("%s: resolved to %s", rev, got.SHA)
		}
	}
	if _, err := open(t, repotest.New(t).Dir).Resolve("HEAD"); !errors.Is(err, ErrNoCommit) {
		t.Errorf("HEAD without a commit: %v", err)
	}
}

// defaultBranch is the name of the first default branch.
func defaultBranch(r *Repository) (string, bool) {
	list := r.DefaultBranches()
	if len(list) == 0 {
		return "", false
	}
	return list[0].Name, true
}

func TestDefaultBranchWithoutRemote(t *testing.T) {
	g := repotest.New(t, "-- a --\n1\n")
	check := func(r *repotest.Repo, want string) {
		t.Helper()
		if got, ok := defaultBranch(open(t, r.Dir)); got != want || ok != (want != "") {
			t.Errorf("%q %v, want %q", got, ok, want)
		}
	}
	check(g, "main")
	g.Git("branch", "-m", "main", "odd")
	check(g, "")
	g.Git("config", "init.defaultBranch", "odd")
	check(g, "odd")
	// A remote that was fetched from has a say: its branch is not guessed.
	c := g.Clone()
	c.Git("branch", "main")
	check(c, "origin/odd")
	c.Git("remote", "set-head", "origin", "--delete")
	check(c, "")
}

// Formats of the future would be read wrongly.
func TestUnknownFormat(t *testing.T) {
	g := repotest.New(t, "-- a --\n1\n")
	g.Git("config", "extensions.fromTheFuture", "1")
	open(t, g.Dir) // version 0: ignored, as git does
	config := filepath.Join(g.Dir, ".git", "config")
	for text, want := range map[string]string{
		"[core]\nrepositoryformatversion = 2\n":                                "format version 2",
		"[core]\nrepositoryformatversion = 1\n[extensions]\nfromTheFuture=1\n": "fromthefuture",
	} {
		if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(g.Dir); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	text := "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\nworktreeConfig = true\nrelativeWorktrees = true\npreciousObjects = true\nnoop = 1\nobjectFormat = sha1\nrefStorage = files\n"
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, g.Dir)
}

// A folder of a pull request that looks like a bare repository must not take
// the place of the repository that it lies in.
func TestBareInsideWorktree(t *testing.T) {
	g := repotest.New(t, "-- d/a --\n1\n")
	g.Git("clone", "-q", "--bare", ".", "d/inner")
	if r := open(t, g.Path("d/inner")); r.WorkDir() == "" || r.Prefix() != "d/inner" {
		t.Errorf("work %q, prefix %q", r.WorkDir(), r.Prefix())
	}
	g.Git("clone", "-q", "--bare", ".", "d/inner.git")
	if r := open(t, g.Path("d/inner.git")); r.WorkDir() != "" {
		t.Errorf("work %q", r.WorkDir())
	}
	// Nothing surrounds this one.
	dir := filepath.Join(t.TempDir(), "store")
	g.Git("clone", "-q", "--bare", ".", dir)
	if r := open(t, dir); r.WorkDir() != "" {
		t.Errorf("work %q", r.WorkDir())
	}
	if r := open(t, g.Path(".git")); r.WorkDir() != "" {
		t.Errorf("work %q", r.WorkDir())
	}
}

func TestAlternateGone(t *testing.T) {
	g := repotest.New(t, "-- a --\n1\n")
	g.Write(".git/objects/info/alternates", "/nowhere/objects\n")
	_, err := open(t, g.Dir).Resolve(strings.Repeat("1", 40))
	var missing *MissingError
	if !errors.As(err, &missing) || missing.Alternate != "/nowhere/objects" || !strings.Contains(err.Error(), "/nowhere/objects") {
		t.Errorf("got %v", err)
	}
}

// A tree of a few objects can name more files than there are atoms.
func TestTreeBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	g := repotest.New(t, "-- a --\n1\n")
	mktree := func(entries string) string {
		t.Helper()
		in := filepath.Join(t.TempDir(), "in")
		if err := os.WriteFile(in, []byte(entries), 0o644); err != nil {
			t.Fatal(err)
		}
		// hash-object takes what mktree is given by a pipe.
		return g.Git("hash-object", "-t", "tree", "-w", "--literally", in)
	}
	raw := func(mode, name, sha string) string {
		var id [20]byte
		for i := range id {
			fmt.Sscanf(sha[2*i:2*i+2], "%02x", &id[i])
		}
		return mode + " " + name + "\x00" + string(id[:])
	}
	for _, bottom := range []string{raw("100644", "f", g.Git("rev-parse", "HEAD:a")), ""} {
		tree := mktree(bottom)
		for range 12 {
			var b strings.Builder
			for i := range 10 {
				b.WriteString(raw("40000", fmt.Sprint("d", i), tree))
			}
			tree = mktree(b.String())
		}
		commit := g.Git("commit-tree", tree, "-m", "bomb")
		r := open(t, g.Dir)
		if _, err := r.Files(commit); err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("got %v", err)
		}
		root, err := r.Tree(commit)
		if err != nil {
			t.Fatal(err)
		}
		if entries, err := root.List("d1/d2/d3"); err != nil || len(entries) != 10 {
			t.Errorf("lazily: %v %v", entries, err)
		}
	}
}

// Packs whose index is of version 1, as git wrote it until 2007 and is still told to, are read as others are.
func TestFirstIndexOfPacks(t *testing.T) {
	g := repotest.New(t, sample)
	g.Git("config", "pack.indexVersion", "1")
	g.Git("repack", "-adq")
	idx, err := filepath.Glob(g.Path(".git/objects/pack/*.idx"))
	if err != nil || len(idx) != 1 {
		t.Fatal(idx, err)
	}
	if b := read(t, idx[0]); strings.HasPrefix(b, indexMark) {
		t.Fatal("git did not write an index of version 1")
	}
	head, err := open(t, g.Dir).Resolve("HEAD")
	if err != nil || head.SHA != strings.TrimSpace(g.Git("rev-parse", "HEAD")) {
		t.Fatal(head, err)
	}
	files, err := open(t, g.Dir).Files(head.SHA)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "files", list(files), sampleList)

	if err := os.Chmod(idx[0], 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, idx[0], indexMark+"\x00\x00\x00\x07"+strings.Repeat("\x00", 2000))
	if _, err := open(t, g.Dir).Files(head.SHA); !errors.Is(err, ErrFormat) || strings.Contains(err.Error(), "damaged") {
		t.Errorf("an index of version 7: %v", err)
	}
}
