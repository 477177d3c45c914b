package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/tree"
)

func rootOf(t *testing.T, r *Repository, rev string) *tree.Root {
	t.Helper()
	c, err := r.Resolve(rev)
	if err != nil {
		t.Fatal(err)
	}
	root, err := r.Tree(c.SHA)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// The tree of a commit answers as the folder it is checked out to does.
func TestTreeIsLikeDisk(t *testing.T) {
	g := repotest.New(t, sample+"-- aux.c --\nwindows minds\n-- sp ace/\xff\xfe.txt --\nnot utf-8\n-- \\back.txt --\n\n")
	os.Symlink("dir", g.Path("folder"))
	os.Symlink("../outside", g.Path("out"))
	os.Symlink("/etc/passwd", g.Path("abs"))
	g.Commit("links")
	r := open(t, g.Dir)
	git := rootOf(t, r, "HEAD")
	disk, err := tree.Open(g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	n := 0
	var visit func(dir string)
	visit = func(dir string) {
		a, err := git.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		b, err := disk.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(b); i++ {
			if b[i].Name == ".git" {
				b = append(b[:i], b[i+1:]...)
			}
		}
		if len(a) != len(b) {
			t.Fatalf("%s: %v and %v", dir, a, b)
		}
		for i := range a {
			n++
			if a[i].Name != b[i].Name || a[i].Mode != b[i].Mode || a[i].ID == "" {
				t.Errorf("%s: %v and %v", dir, a[i], b[i])
			}
			name := strings.TrimPrefix(dir+"/"+a[i].Name, "./")
			x, err1 := git.Lstat(name)
			y, err2 := disk.Lstat(name)
			if x.Mode != y.Mode || !x.Mode.IsDir() && x.Size != y.Size || err1 != nil || err2 != nil || x.ID != a[i].ID {
				t.Errorf("%s: %v %v and %v %v", name, x, err1, y, err2)
			}
			p, err1 := git.Resolve(name)
			q, err2 := disk.Resolve(name)
			if p != q || errors.Is(err1, tree.ErrOutside) != errors.Is(err2, tree.ErrOutside) || errors.Is(err1, fs.ErrNotExist) != errors.Is(err2, fs.ErrNotExist) {
				t.Errorf("%s: %q %v and %q %v", name, p, err1, q, err2)
			}
			switch {
			case a[i].Mode.IsDir():
				visit(name)
			default:
				f, err1 := git.File(name)
				h, err2 := disk.File(name)
				if err1 != nil || err2 != nil {
					t.Fatal(err1, err2)
				}
				s, _ := f.Read()
				u, _ := h.Read()
				if !bytes.Equal(s, u) || f.Mode != h.Mode {
					t.Errorf("%s: %q and %q", name, s, u)
				}
			}
		}
	}
	visit(".")
	if n < 12 {
		t.Errorf("only %d entries", n)
	}
	for _, root := range []*tree.Root{git, disk} {
		for name, want := range map[string]error{"none": fs.ErrNotExist, "dir/none": fs.ErrNotExist, "../x": tree.ErrOutside, "/x": tree.ErrOutside, "": tree.ErrOutside} {
			if _, err := root.Lstat(name); !errors.Is(err, want) {
				t.Errorf("lstat %q: %v", name, err)
			}
			if _, _, err := root.Open(name); !errors.Is(err, want) {
				t.Errorf("open %q: %v", name, err)
			}
		}
		for _, name := range []string{"dir", "link", "folder", "."} {
			if _, _, err := root.Open(name); err == nil {
				t.Errorf("open %q: no error", name)
			}
		}
		if _, err := root.List("a.txt"); err == nil {
			t.Error("list a.txt: no error")
		}
		if _, err := root.Readlink("a.txt"); err == nil {
			t.Error("readlink a.txt: no error")
		}
		if _, err := root.Lstat("a.txt/x"); err == nil {
			t.Error("lstat a.txt/x: no error")
		}
	}
	if _, err := git.Lstat("a.txt/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a.txt/x: %v", err)
	}
}

func TestSubmoduleEntry(t *testing.T) {
	g := repotest.New(t, "one\n-- a --\n")
	sub := repotest.New(t, "sub\n-- b --\n")
	g.Git("submodule", "--quiet", "add", sub.URL(), "lib/mod")
	g.Git("commit", "-qm", "two")
	r := open(t, g.Dir)
	root := rootOf(t, r, "HEAD")
	list, err := root.List("lib")
	if err != nil || len(list) != 1 || list[0].Mode != fs.ModeDir|fs.ModeIrregular || list[0].ID != sub.Git("rev-parse", "HEAD") {
		t.Errorf("%v, %v", list, err)
	}
	in, err := root.Lstat("lib/mod")
	if err != nil || in.Mode != fs.ModeDir|fs.ModeIrregular {
		t.Errorf("%v, %v", in, err)
	}
	if _, err := root.Lstat("lib/mod/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("inside: %v", err)
	}
	if _, err := root.List("lib/mod"); err == nil {
		t.Error("a submodule lists")
	}
}

// What a partial clone lacks is named, with its filter, wherever it is missed.
func TestPartialClone(t *testing.T) {
	g := repotest.New(t, "one\n-- a --\nold\n-- dir/b --\nb\n", "two\n-- a --\nnew\n")
	for filter, kind := range map[string]string{"blob:none": "file", "tree:0": "folder"} {
		t.Run(filter, func(t *testing.T) {
			c := g.Clone("--filter="+filter, "--no-checkout")
			r := open(t, c.Dir)
			head, err := r.Head()
			if err != nil {
				t.Fatal(err)
			}
			var missing *MissingError
			check := func(what string, err error) {
				t.Helper()
				if !errors.As(err, &missing) || missing.Filter != filter || missing.Kind != kind {
					t.Errorf("%s: %v", what, err)
				}
			}
			if kind == "folder" {
				_, err = r.Files(head.SHA)
				check("files", err)
				_, err = r.Tree(head.SHA)
				check("tree", err)
				return
			}
			files, err := r.Files(head.SHA)
			same(t, "files", list(files), "a\ndir/b\n")
			if err != nil {
				t.Fatal(err)
			}
			root := rootOf(t, r, "HEAD")
			_, err = root.Lstat("a")
			check("lstat", err)
			_, _, err = root.Open("dir/b")
			check("open", err)
			_, err = r.Blob(files[0].ID)
			check("blob", err)
			_, err = r.BlobSize(files[0].ID)
			check("size", err)
		})
	}
}

// Trees that git could not check out are errors, not paths.
func TestHostileTrees(t *testing.T) {
	g := repotest.New(t, "one\n-- a --\n")
	blob, dir := g.Git("rev-parse", "HEAD:a"), g.Git("rev-parse", "HEAD^{tree}")
	raw := func(id string) string {
		var b []byte
		fmt.Sscanf(id, "%x", &b)
		return string(b)
	}
	file := func(name string) string { return "100644 " + name + "\x00" + raw(blob) }
	folder := func(name string) string { return "40000 " + name + "\x00" + raw(dir) }
	for name, content := range map[string]string{
		"..": folder(".."), ".": file("."), "slash": file("a/b"), "twice": file("a") + file("a"), "file and folder": file("a") + folder("a"),
		"empty name": file(""), "cut": file("a")[:20], "no mode": "a\x00" + raw(blob), "huge mode": "99999999999999999999 a\x00" + raw(blob), "text": "hello",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "tree")
			write(t, file, content)
			id := g.Git("hash-object", "-t", "tree", "-w", "--literally", file)
			top := g.Git("commit-tree", "-m", "x", id)
			r := open(t, g.Dir)
			if files, err := r.Files(top); err == nil {
				t.Errorf("files: %q", list(files))
			}
			if _, err := r.Tree(top); err == nil {
				t.Error("tree: no error")
			}
		})
	}
	// Unusual, but git checks it out: modes of old, unsorted entries.
	file2 := filepath.Join(t.TempDir(), "tree")
	write(t, file2, "100664 z\x00"+raw(blob)+"100755 a\x00"+raw(blob))
	top := g.Git("commit-tree", "-m", "x", g.Git("hash-object", "-t", "tree", "-w", "--literally", file2))
	files, err := open(t, g.Dir).Files(top)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "files", list(files), "a x\nz\n")
}

func TestLargeBlob(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 40 MB")
	}
	g := repotest.New(t)
	// Larger than what is held in memory.
	content := bytes.Repeat([]byte("a line of text\n"), (largeObject+5<<20)/15)
	g.Write("large", string(content))
	g.Git("config", "core.compression", "1")
	g.Commit("x")
	for _, packed := range []bool{false, true} {
		if packed {
			g.Git("repack", "-adq")
		}
		root := rootOf(t, open(t, g.Dir), "HEAD")
		rc, in, err := root.Open("large")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(rc)
		if err != nil || !bytes.Equal(got, content) || in.Size != int64(len(content)) {
			t.Errorf("packed %v: %d bytes of %d, %v", packed, len(got), in.Size, err)
		}
		rc.Close()
	}
}

func TestConcurrentReads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "-- d%d/f%d --\n%d\n", i%7, i, i)
	}
	g := repotest.New(t, b.String())
	g.Git("gc", "-q")
	r := open(t, g.Dir)
	root := rootOf(t, r, "HEAD")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				name := fmt.Sprintf("d%d/f%d", i%7, i)
				b, err := root.ReadFile(name, 100)
				if err != nil || string(b) != fmt.Sprint(i, "\n") {
					t.Errorf("%s: %q %v", name, b, err)
				}
				r.Resolve("main")
				r.Converted()
			}
		})
	}
	wg.Wait()
}

func TestClosed(t *testing.T) {
	g := repotest.New(t, sample)
	g.Git("gc", "-q")
	r := open(t, g.Dir)
	root := rootOf(t, r, "HEAD")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	// An error or the content, never a panic.
	root.ReadFile("dir/sub/c.txt", 100)
	r.Close()
}

// Clean agrees with git: what it is sure of, git status confirms.
func TestClean(t *testing.T) {
	g := repotest.New(t, "one\n-- same --\n1\n-- edited --\n1\n-- longer --\n1\n-- touched --\n1\n-- gone --\n1\n-- link --\n1\n")
	old := time.Date(2026, 1, 1, 0, 0, 0, 123456789, time.UTC)
	for _, name := range []string{"same", "edited", "longer", "touched", "gone", "link"} {
		os.Chtimes(g.Path(name), old, old)
	}
	g.Git("update-index", "--refresh")
	g.Write("edited", "2\n")
	g.Write("longer", "12\n")
	g.Write("touched", "1\n")
	os.Remove(g.Path("link"))
	os.Symlink("1", g.Path("link"))
	r := open(t, g.Dir)
	disk, err := tree.Open(g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	idx, err := r.Index()
	if err != nil {
		t.Fatal(err)
	}
	if idx.Written.IsZero() {
		t.Error("written is not known")
	}
	want := map[string]string{"same": "true true", "edited": "false false", "longer": "false true", "touched": "false false", "link": "false true"}
	for _, f := range idx.Files {
		in, err := disk.Lstat(f.Path)
		if err != nil {
			continue
		}
		clean, sure := f.Clean(in, idx.Written)
		if w, ok := want[f.Path]; ok {
			same(t, f.Path, fmt.Sprint(clean, " ", sure), w)
		}
	}

	at := time.Unix(1000, 5)
	f := TrackedPath{Mode: 0o644, Size: 3, ModTime: at}
	in := tree.Info{Mode: 0o644, Size: 3, ModTime: at}
	for _, c := range []struct {
		name    string
		f       TrackedPath
		in      tree.Info
		written time.Time
		want    string
	}{
		{"plain", f, in, time.Unix(1000, 6), "true true"},
		{"written at the same moment", f, in, at, "false false"},
		{"written before", f, in, time.Unix(1000, 4), "false false"},
		{"no index", f, in, time.Time{}, "false false"},
		{"from a commit", TrackedPath{Mode: 0o644}, in, time.Unix(1000, 6), "false false"},
		{"seconds only", TrackedPath{Mode: 0o644, Size: 3, ModTime: time.Unix(1000, 0)}, in, time.Unix(1001, 0), "true true"},
		{"seconds only, written in the same one", TrackedPath{Mode: 0o644, Size: 3, ModTime: time.Unix(1000, 0)}, in, time.Unix(1000, 9), "false false"},
		{"smudged by git", TrackedPath{Mode: 0o644, Size: 0, ModTime: at}, in, time.Unix(1000, 6), "false false"},
		{"4 GiB larger", f, tree.Info{Mode: 0o644, Size: 3 + 1<<32, ModTime: at}, time.Unix(1000, 6), "true true"},
		{"executable now", f, tree.Info{Mode: 0o755, Size: 3, ModTime: at}, time.Unix(1000, 6), "true true"},
	} {
		clean, sure := c.f.Clean(c.in, c.written)
		same(t, c.name, fmt.Sprint(clean, " ", sure), c.want)
	}
}

func TestIndexOfConflict(t *testing.T) {
	g := repotest.New(t, "one\n-- a --\n1\n-- b --\n1\n-- c --\n1\n")
	g.Git("checkout", "-q", "-b", "x")
	g.Commit("rm b\n-- a --\nx\n-- c --\nx\n")
	g.Git("checkout", "-q", "main")
	g.Commit("rm c\n-- a --\nm\n-- b --\nm\n")
	g.Try("merge", "-q", "x")
	g.Write("later", "")
	g.Git("add", "--intent-to-add", "later")
	idx, err := open(t, g.Dir).Index()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "index", list(idx.Files), "a\nb\nc\nlater\n")
	same(t, "conflicts", strings.Join(idx.Conflicts, " "), "a b c")
	same(t, "ours", idx.Files[0].ID, HashBlob([]byte("m\n")))
	same(t, "theirs", idx.Files[2].ID, HashBlob([]byte("x\n")))
}

func TestHashBlob(t *testing.T) {
	same(t, "empty", HashBlob(nil), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
	same(t, "hello", HashBlob([]byte("hello\n")), "ce013625030ba8dba906f756967f9e9ca394464a")
}
