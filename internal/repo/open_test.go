package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// open opens dir and closes it with the test.
func open(t *testing.T, dir string) *Repository {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// list prints what a commit or the index tracks, one path a line.
func list(files []TrackedPath) string {
	var b strings.Builder
	for _, f := range files {
		b.WriteString(f.Path)
		switch f.Mode {
		case 0o755:
			b.WriteString(" x")
		case fs.ModeSymlink | 0o777:
			b.WriteString(" link")
		case fs.ModeDir | fs.ModeIrregular:
			b.WriteString(" submodule")
		}
		if f.SkipWorktree {
			b.WriteString(" skipped")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

const sample = `one
x run.sh
ln a.txt link
-- a.txt --
a
-- dir/b.txt --
b
-- dir/sub/c.txt --
c
-- dir.txt --
before dir/ in bytes, not after
-- run.sh --
#!/bin/sh
`

const sampleList = "a.txt\ndir.txt\ndir/b.txt\ndir/sub/c.txt\nlink link\nrun.sh x\n"

// readable checks that everything a run needs can be read.
func readable(t *testing.T, r *Repository, want string) {
	t.Helper()
	head, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.Files(head.SHA)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "files", list(files), want)
	root, err := r.Tree(head.SHA)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Mode&fs.ModeIrregular != 0 {
			continue
		}
		in, err := root.File(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := in.Read()
		if err != nil {
			t.Fatal(err)
		}
		if HashBlob(b) != f.ID || in.ID != f.ID || in.Size != int64(len(b)) {
			t.Errorf("%s: read %d bytes of id %s, listed as %d bytes of id %s", f.Path, len(b), HashBlob(b), in.Size, f.ID)
		}
	}
}

// The rows of the table of repository states that go-git alone does not open,
// or opens wrongly; each made by git itself.
func TestStates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	states := []struct {
		name  string
		make  func(t *testing.T) string
		files string // of HEAD
		index string // "" is the same
	}{
		{name: "plain", make: func(t *testing.T) string { return repotest.New(t, sample).Dir }},
		{name: "sparse", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("sparse-checkout", "set", "dir/sub")
			return g.Dir
		}, index: "a.txt\ndir.txt\ndir/b.txt\ndir/sub/c.txt\nlink link\nrun.sh x\n"},
		{name: "sparse by pattern", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("sparse-checkout", "set", "--no-cone", "/a.txt", "/dir/b.txt")
			return g.Dir
		}, index: "a.txt\ndir.txt skipped\ndir/b.txt\ndir/sub/c.txt skipped\nlink link skipped\nrun.sh x skipped\n"},
		{name: "worktreeConfig in version 0", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("config", "core.repositoryformatversion", "0")
			g.Git("config", "extensions.worktreeConfig", "false")
			return g.Dir
		}},
		{name: "worktreeConfig in version 1", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("config", "extensions.worktreeConfig", "true")
			g.Git("config", "core.repositoryformatversion", "1")
			return g.Dir
		}},
		{name: "relativeWorktrees", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			appendTo(t, g.Path(".git/config"), "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trelativeWorktrees = true\n")
			return g.Dir
		}},
		{name: "partial clone with what it checked out", make: func(t *testing.T) string {
			return repotest.New(t, "old\n-- a.txt --\nold\n", sample).Clone("--filter=blob:none").Dir
		}},
		{name: "alternates", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			dir := filepath.Join(t.TempDir(), "shared")
			g.Git("clone", "--quiet", "--shared", g.Dir, dir)
			return dir
		}},
		{name: "alternates of alternates, relative, packed", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("gc", "--quiet")
			first, second := filepath.Join(filepath.Dir(g.Dir), "first"), filepath.Join(filepath.Dir(g.Dir), "second")
			g.Git("clone", "--quiet", "--shared", g.Dir, first)
			g.Git("clone", "--quiet", "--shared", first, second)
			write(t, filepath.Join(second, ".git/objects/info/alternates"), "# a comment\n../../../first/.git/objects\n")
			return second
		}},
		{name: "an alternate that is gone", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			write(t, g.Path(".git/objects/info/alternates"), "/no/such/objects\n")
			return g.Dir
		}},
		{name: "index of version 3", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("update-index", "--skip-worktree", "a.txt")
			return g.Dir
		}, index: strings.Replace(sampleList, "a.txt\n", "a.txt skipped\n", 1)},
		{name: "index of version 4", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("update-index", "--index-version", "4")
			return g.Dir
		}},
		{name: "untracked cache", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("update-index", "--force-untracked-cache")
			g.Git("status")
			return g.Dir
		}},
		{name: "index without a checksum", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			b := read(t, g.Path(".git/index"))
			write(t, g.Path(".git/index"), b[:len(b)-20]+strings.Repeat("\x00", 20))
			return g.Dir
		}},
		{name: "sparse index", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("sparse-checkout", "init", "--cone", "--sparse-index")
			return g.Dir
		}, index: "a.txt\ndir.txt\ndir/b.txt skipped\ndir/sub/c.txt skipped\nlink link\nrun.sh x\n"},
		{name: "multi-pack index, bitmap, reverse index, commit-graph", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("repack", "-a", "-d", "-q", "--write-bitmap-index", "--write-midx")
			g.Git("commit-graph", "write", "--reachable")
			return g.Dir
		}},
		{name: "packed references", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("tag", "-a", "-m", "v1", "v1")
			g.Git("pack-refs", "--all")
			return g.Dir
		}},
		{name: "shallow", make: func(t *testing.T) string {
			return repotest.New(t, "old\n-- a.txt --\nold\n", sample).Clone("--depth=1").Dir
		}},
		{name: "autocrlf", make: func(t *testing.T) string {
			return repotest.New(t, sample).Clone("--config=core.autocrlf=true").Dir
		}},
		{name: "linked worktree", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			dir := filepath.Join(t.TempDir(), "linked")
			g.Git("worktree", "add", "--quiet", "--detach", dir)
			return dir
		}},
		{name: "linked worktree of a bare repository", make: func(t *testing.T) string {
			g := repotest.New(t, sample).Clone("--bare")
			dir := filepath.Join(t.TempDir(), "linked")
			g.Git("worktree", "add", "--quiet", dir, "main")
			return dir
		}},
		{name: "separate git folder", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("init", "--quiet", "--separate-git-dir", filepath.Join(t.TempDir(), "elsewhere"))
			return g.Dir
		}},
		{name: "submodule and inside it", make: func(t *testing.T) string {
			g := repotest.New(t, "one\n-- z.txt --\nz\n")
			g.Git("submodule", "--quiet", "add", repotest.New(t, sample).URL(), "mod")
			g.Git("commit", "-qm", "two")
			readable(t, open(t, g.Dir), ".gitmodules\nmod submodule\nz.txt\n")
			return g.Path("mod")
		}},
		{name: "submodule.NAME.url without more, negative refspec, remote without address", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			appendTo(t, g.Path(".git/config"), "[remote \"origin\"]\n\tfetch = ^refs/heads/private/*\n[remote \"x\"]\n\tpromisor = false\n[branch \"a b\"]\n\tmerge = nonsense\n[submodule \"../x\"]\n\turl = y\n")
			return g.Dir
		}},
		{name: "core.worktree elsewhere is not followed", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			g.Git("config", "core.worktree", t.TempDir())
			return g.Dir
		}},
		{name: "includes are not read", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			write(t, g.Path("evil"), "[extensions]\n\tobjectFormat = sha256\n")
			appendTo(t, g.Path(".git/config"), "[include]\n\tpath = ../evil\n")
			os.Remove(g.Path("evil"))
			return g.Dir
		}},
		{name: "not ours by owner or mode", make: func(t *testing.T) string {
			g := repotest.New(t, sample)
			if os.Getuid() == 0 {
				filepath.WalkDir(g.Dir, func(p string, _ fs.DirEntry, _ error) error { return os.Lchown(p, 1001, 1001) })
			}
			return g.Dir
		}},
		{name: "lazily fetched packs beside loose objects", make: func(t *testing.T) string {
			g := repotest.New(t, "old\n-- a.txt --\nold\n")
			g.Git("gc", "--quiet")
			g.Commit(sample)
			return g.Dir
		}},
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			dir := s.make(t)
			r := open(t, dir)
			files, index := s.files, s.index
			if files == "" {
				files = sampleList
			}
			if index == "" {
				index = files
			}
			readable(t, r, files)
			same(t, "worktree", r.WorkDir(), real(t, dir))
			idx, err := r.Index()
			if err != nil {
				t.Fatal(err)
			}
			if idx.Warning != "" {
				t.Errorf("warning: %s", idx.Warning)
			}
			same(t, "index", list(idx.Files), index)
		})
	}
}

// A split index cannot be read; the files of HEAD stand in and the user is told.
func TestSplitIndex(t *testing.T) {
	g := repotest.New(t, sample)
	g.Git("update-index", "--split-index")
	idx, err := open(t, g.Dir).Index()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "index", list(idx.Files), sampleList)
	if !strings.Contains(idx.Warning, "split") || !idx.Written.IsZero() {
		t.Errorf("warning %q, written %v", idx.Warning, idx.Written)
	}
}

func TestDamagedIndex(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "text": "hello", "cut": "", "name leads out": "",
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t, sample)
			file := g.Path(".git/index")
			switch old := read(t, file); name {
			case "cut":
				content = old[:len(old)/2]
			case "name leads out":
				content = strings.Replace(old, "dir/b.txt", "../b.txtx", 1)
				content = content[:len(content)-20] + strings.Repeat("\x00", 20)
			}
			write(t, file, content)
			idx, err := open(t, g.Dir).Index()
			if err != nil {
				t.Fatal(err)
			}
			same(t, "index", list(idx.Files), sampleList)
			if idx.Warning == "" {
				t.Error("no warning")
			}
		})
	}
}

func TestUnsupportedFormats(t *testing.T) {
	g := repotest.New(t)
	dir := t.TempDir()
	g.Git("init", "--quiet", "--object-format=sha256", dir)
	_, err := Open(dir)
	if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "sha256") {
		t.Errorf("sha256: %v", err)
	}
	appendTo(t, g.Path(".git/config"), "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n")
	_, err = Open(g.Dir)
	if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "reftable") {
		t.Errorf("reftable: %v", err)
	}
}

func TestWhereIsIt(t *testing.T) {
	g := repotest.New(t, sample)
	r := open(t, g.Path("dir/sub"))
	same(t, "worktree", r.WorkDir(), real(t, g.Dir))
	same(t, "git folder", r.GitDir(), real(t, g.Path(".git")))
	same(t, "prefix", r.Prefix(), "dir/sub")
	same(t, "prefix at the top", open(t, g.Dir).Prefix(), ".")

	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(g.Path("dir"), link); err != nil {
		t.Fatal(err)
	}
	same(t, "prefix through a link", open(t, link).Prefix(), "dir")

	bare := open(t, g.Clone("--bare").Dir)
	same(t, "bare worktree", bare.WorkDir(), "")
	same(t, "bare prefix", bare.Prefix(), ".")
	readable(t, bare, sampleList)
	if idx, err := bare.Index(); err != nil || len(idx.Files) != 0 {
		t.Errorf("bare index: %v, %v", idx, err)
	}

	none := t.TempDir()
	if _, err := Open(none); !errors.Is(err, ErrNone) {
		t.Errorf("no repository: %v", err)
	}
	// An empty folder called .git is no repository; the one above is found.
	if err := os.MkdirAll(g.Path("dir/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	same(t, "above an empty .git", open(t, g.Path("dir")).WorkDir(), real(t, g.Dir))
	if _, err := Open(g.Path("nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	write(t, filepath.Join(none, ".git"), "gitdir: /no/such/place\n")
	if _, err := Open(none); err == nil || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "/no/such/place") {
		t.Errorf(".git file into the void: %v", err)
	}
	write(t, filepath.Join(none, ".git"), "nonsense")
	if _, err := Open(none); err == nil || !strings.Contains(err.Error(), "gitdir:") {
		t.Errorf(".git file of nonsense: %v", err)
	}
}

func TestEmpty(t *testing.T) {
	r := open(t, repotest.New(t).Dir)
	if _, err := r.Head(); !errors.Is(err, ErrNoCommit) {
		t.Errorf("head: %v", err)
	}
	same(t, "branch", r.Branch(), "main")
	if idx, err := r.Index(); err != nil || len(idx.Files) != 0 || idx.Warning != "" {
		t.Errorf("index: %v, %v", idx, err)
	}
	if _, err := r.Resolve("main"); err == nil {
		t.Error("main resolves")
	}
}

// Configuration, references and index may come from anyone: errors, not panics.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	cases := map[string]func(g *repotest.Repo){
		"config of nonsense":       func(g *repotest.Repo) { write(t, g.Path(".git/config"), "[[[\x00=") },
		"config is a folder":       func(g *repotest.Repo) { os.Remove(g.Path(".git/config")); os.Mkdir(g.Path(".git/config"), 0o755) },
		"config of a long line":    func(g *repotest.Repo) { write(t, g.Path(".git/config"), "[a]\nb="+strings.Repeat("x", 1<<20)) },
		"packed-refs of nonsense":  func(g *repotest.Repo) { write(t, g.Path(".git/packed-refs"), "a b c d\n\x00\n") },
		"packed-refs of long line": func(g *repotest.Repo) { write(t, g.Path(".git/packed-refs"), strings.Repeat("a", 1<<20)) },
		"HEAD of nonsense":         func(g *repotest.Repo) { write(t, g.Path(".git/HEAD"), "\x00\x00") },
		"HEAD leads out":           func(g *repotest.Repo) { write(t, g.Path(".git/HEAD"), "ref: ../../../etc/passwd\n") },
		"HEAD points to itself":    func(g *repotest.Repo) { write(t, g.Path(".git/HEAD"), "ref: HEAD\n") },
		"branch of nonsense":       func(g *repotest.Repo) { write(t, g.Path(".git/refs/heads/main"), "nonsense\n") },
		"branch is empty":          func(g *repotest.Repo) { write(t, g.Path(".git/refs/heads/main"), "") },
		"shallow of nonsense":      func(g *repotest.Repo) { write(t, g.Path(".git/shallow"), "x\n\x00") },
		"commondir leads nowhere":  func(g *repotest.Repo) { write(t, g.Path(".git/commondir"), "/no/where\n") },
		"objects are garbage": func(g *repotest.Repo) {
			filepath.WalkDir(g.Path(".git/objects"), func(p string, d fs.DirEntry, _ error) error {
				if d.Type().IsRegular() {
					os.Chmod(p, 0o644)
					return os.WriteFile(p, []byte("garbage"), 0o644)
				}
				return nil
			})
		},
		"pack is garbage": func(g *repotest.Repo) {
			g.Git("gc", "-q")
			packs, _ := filepath.Glob(g.Path(".git/objects/pack/*.pack"))
			os.Chmod(packs[0], 0o644)
			write(t, packs[0], "PACKgarbage")
		},
		"pack index is garbage": func(g *repotest.Repo) {
			g.Git("gc", "-q")
			idx, _ := filepath.Glob(g.Path(".git/objects/pack/*.idx"))
			os.Chmod(idx[0], 0o644)
			b := read(t, idx[0])
			write(t, idx[0], b[:8]+strings.Repeat("\xff", 1024)+b[1032:])
		},
	}
	for name, damage := range cases {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t, sample)
			g.Git("branch", "other")
			damage(g)
			r, err := Open(g.Dir)
			if err != nil {
				return
			}
			defer r.Close()
			r.Branch()
			r.DefaultBranches()
			r.RemoteURL("origin")
			r.IsShallow()
			r.Converted()
			r.InfoExclude()
			for _, rev := range []string{"HEAD", "main", "maim", "abcd", "HEAD~1", "other^{commit}", "@{1}", ":/x", "^", "~", "HEAD^{/x}", "a..b", "HEAD:a", strings.Repeat("x", 5000)} {
				r.Resolve(rev)
			}
			if c, err := r.Head(); err == nil {
				r.Files(c.SHA)
				if root, err := r.Tree(c.SHA); err == nil {
					root.ReadFile("dir/b.txt", 1<<20)
				}
			}
			r.Index()
			r.MergeBase("HEAD", "other")
			r.PreviousTag("HEAD", nil)
		})
	}
}

func real(t *testing.T, dir string) string {
	t.Helper()
	p, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func appendTo(t *testing.T, name, content string) {
	t.Helper()
	write(t, name, read(t, name)+content)
}
