package repo

import (
	"crypto/sha256"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// What is unmodified is git's to say: git hash-object tells what it would store.
func TestSameBlobLikeGit(t *testing.T) {
	utf16le := func(s string) string {
		b := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return string(b)
	}
	bodies := []string{
		"a\nb\n", "a\r\nb\r\n", "a\r\nb\n", "a\rb\r\n", "a\r\r\n", "a\x00\r\n", "\x01\x02\r\n", "a\r\n\x1a", strings.Repeat("x", 300) + "\x01\x02\r\n",
		"$Id$\n", "$Id: 0123 $\n", "$Id: 0123 $\r\n", "$Id: broken\n$ x $Id:$ $Id: y", "", "é\n", utf16le("é\r\n"), utf16le("a\nb\n"), "\xe9\n",
	}
	for _, c := range []struct{ attributes, autocrlf string }{
		{"", ""}, {"", "true"}, {"", "input"}, {"", "false"},
		{"* text=auto\n", ""}, {"* text=auto\n", "true"}, {"* text\n", ""}, {"* -text\n", "true"},
		{"* text=auto eol=crlf\n", ""}, {"* eol=crlf\n", ""}, {"* eol=lf\n", "true"}, {"* -text eol=crlf\n", ""},
		{"* crlf\n", ""}, {"* -crlf\n", "true"}, {"* crlf=input\n", ""}, {"* !text crlf=auto\n", ""},
		{"* ident\n", ""}, {"* ident text\n", ""}, {"* binary\n", "true"}, {"* binary\n*.txt text\n", ""},
		{"*.txt text\n*.txt -text\n", ""}, {"*.txt -text\n*.txt text diff\n", ""}, {"dir/*.txt text\n", ""}, {"/f.txt text\n", ""}, {"**/f.txt text\n", ""},
		{"dir/ text\ndir/** text\n", ""}, {"[attr]lines text\n*.txt lines\n", ""}, {"*.txt !!bad\n*.txt text\n", ""}, {"\"f.txt\" text\n", ""}, {"# x\n\n  *.txt text\n", ""},
		{"*.txt working-tree-encoding=UTF-16LE-BOM\n", ""}, {"*.txt text working-tree-encoding=UTF-16LE-BOM\n", ""}, {"*.txt working-tree-encoding=ISO-8859-1\n", ""}, {"*.txt working-tree-encoding=UTF-8\n", ""},
		{"*.txt text=auto working-tree-encoding=nonsense\n", ""},
	} {
		t.Run(strings.TrimSpace(c.attributes)+" autocrlf="+c.autocrlf, func(t *testing.T) {
			t.Parallel()
			g := repotest.New(t, "-- f.txt --\na\nb\n-- dir/f.txt --\na\nb\n")
			if c.attributes != "" {
				g.Write(".gitattributes", c.attributes)
				g.Git("add", ".gitattributes")
			}
			if c.autocrlf != "" {
				g.Git("config", "core.autocrlf", c.autocrlf)
			}
			r := open(t, g.Dir)
			old := map[string]string{}
			idx, err := r.Index()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range idx.Files {
				old[f.Path] = f.ID
			}
			// Every body for the plain rules; every path for rules about paths.
			names, some := []string{"f.txt"}, bodies
			if c.attributes != "" && !strings.HasPrefix(c.attributes, "* ") {
				names, some = []string{"f.txt", "dir/f.txt"}, []string{bodies[0], bodies[1], bodies[2]}
			}
			if strings.Contains(c.attributes, "encoding") {
				names, some = names[:1], bodies
			}
			for _, name := range names {
				for _, body := range some {
					cmd := exec.Command("git", "hash-object", "--stdin", "--path="+name)
					cmd.Dir, cmd.Env, cmd.Stdin = g.Dir, repotest.Env(), strings.NewReader(body)
					out, err := cmd.Output()
					id := strings.TrimSpace(string(out))
					if err != nil {
						continue // git refuses to store it at all
					}
					if !r.SameBlob(name, []byte(body), id) {
						t.Errorf("%s: %q is not the blob that git makes of it", name, body)
					}
					want := id != HashBlob([]byte(body))
					if b, ok := r.Original(name, []byte(body), id); ok && !want {
						t.Errorf("%s: %q has an original, %q", name, body, b)
					} else if _, err := r.BlobSize(id); err == nil && ok != want {
						t.Errorf("%s: %q has no original", name, body)
					}
					if id != HashBlob([]byte(body)) && !r.Converted() {
						t.Errorf("%s: %q is converted", name, body)
					}
					if id != old[name] && body != "a\nb\n" && r.SameBlob(name, []byte(body), old[name]) {
						t.Errorf("%s: %q passes for %q", name, body, "a\nb\n")
					}
				}
			}
		})
	}
}

// The deeper file wins; info/attributes wins over all.
func TestAttributesOrder(t *testing.T) {
	g := repotest.New(t, "-- .gitattributes --\n*.txt text\n-- a/.gitattributes --\n*.txt -text\n-- a/b/.gitattributes --\n[attr]ignored text\n*.txt text\n-- x.txt --\nx\n-- a/x.txt --\nx\n-- a/b/x.txt --\nx\n-- a/b/c/x.txt --\nx\n")
	id, raw := HashBlob([]byte("x\n")), []byte("x\r\n")
	r := open(t, g.Dir)
	for name, want := range map[string]bool{"x.txt": true, "a/x.txt": false, "a/b/x.txt": true, "a/b/c/x.txt": true} {
		if r.SameBlob(name, raw, id) != want {
			t.Errorf("%s: not %v", name, want)
		}
	}
	write(t, g.Path(".git/info/attributes"), "x.txt -text\n")
	r = open(t, g.Dir)
	if r.SameBlob("x.txt", raw, id) {
		t.Error("info/attributes does not win")
	}
}

func TestNotConverted(t *testing.T) {
	g := repotest.New(t, "-- .gitattributes --\n*.png -text\n*.go linguist-generated\n-- a --\na\n")
	r := open(t, g.Dir)
	if r.Converted() {
		t.Error("converted")
	}
	if r.SameBlob("a", []byte("a\r\n"), HashBlob([]byte("a\n"))) {
		t.Error("line ends do not count")
	}
}

// Git LFS files are recognised by their hash; other filters are not run.
func TestFilters(t *testing.T) {
	g := repotest.New(t, "-- .gitattributes --\n*.bin filter=lfs diff=lfs merge=lfs -text\n*.crypt filter=crypt\n*.req filter=lfs\n")
	content := []byte("large\x00content")
	pointer := fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%x\nsize %d\n", sha256.Sum256(content), len(content))
	g.Write("a.bin", pointer)
	g.Write("a.crypt", "x\n")
	g.Git("-c", "filter.crypt.clean=cat", "-c", "filter.lfs.clean=cat", "add", ".")
	g.Git("commit", "-qm", "x")
	g.Git("config", "filter.crypt.clean", "touch "+g.Path("ran")+"; cat")
	g.Git("config", "filter.crypt.smudge", "touch "+g.Path("ran")+"; cat")
	r := open(t, g.Dir)
	if !r.Converted() {
		t.Error("not converted")
	}
	id := HashBlob([]byte(pointer))
	if !r.SameBlob("a.bin", content, id) {
		t.Error("the content of the pointer is not recognised")
	}
	if r.SameBlob("a.bin", content[:5], id) || r.SameBlob("a.crypt", content, HashBlob([]byte("x\n"))) {
		t.Error("other content passes")
	}
	if r.SameBlob("a.bin", content, HashBlob([]byte("x\n"))) {
		t.Error("content passes for what is no pointer")
	}
	readable(t, r, ".gitattributes\na.bin\na.crypt\n")
	if _, err := os.Stat(g.Path("ran")); err == nil {
		t.Error("a filter was run")
	}
}

// Attributes come from strangers.
func FuzzAttributes(f *testing.F) {
	for _, s := range []string{"* text", "a/ text", "/ text", "\"a b\" eol=crlf", "[attr]x y\n[attr]y x\n* x", "!a text", "**/a/** -", "[ text", "\"", "a =", "* -", "\\ x", "a//b text"} {
		f.Add(s, "a/b")
	}
	f.Fuzz(func(t *testing.T, content, name string) {
		c := &converter{attributeSet: newAttributeSet([]*attributeFile{parseAttributes([]byte(content), "", true), parseAttributes([]byte(content), "a/", false)})}
		c.lineEnds(c.of(name))
		c.files[0].converts()
	})
}

// The attributes of a path are those that git finds.
func TestAttributesLikeGit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	patterns := []string{"*", "*.c", "a.c", "/a.c", "d/*.c", "/d/*", "d/**", "**/a.c", "d/**/a.c", "[ab].c", "[!a].c", "?.c", "\"a b.c\"", "d/e", "d/", "*/a.c", "**", "e/a.c", "\\*.c", "a*c", "[attr]m"}
	words := []string{"text", "-text", "!text", "text=auto", "eol=crlf", "eol=lf", "!eol", "ident", "-ident", "filter=lfs", "-filter", "binary", "-binary", "m", "-m", "!m", "working-tree-encoding=ISO-8859-1", "crlf", "-crlf", "b@d"}
	paths := []string{"a.c", "b.c", "a b.c", "d/a.c", "d/b.c", "d/e/a.c", "d/e/f/a.c", "e/a.c", "e/x", "*.c"}
	names := []string{"text", "eol", "ident", "filter", "working-tree-encoding", "crlf", "diff", "merge", "m", "binary"}
	g := repotest.New(t, "-- d/e/f/x --\nx\n")
	rnd := rand.New(rand.NewSource(1))
	file := func() string {
		var b strings.Builder
		for range rnd.Intn(7) {
			b.WriteString(patterns[rnd.Intn(len(patterns))])
			for range 1 + rnd.Intn(3) {
				b.WriteString(" " + words[rnd.Intn(len(words))])
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	for range 100 {
		all := map[string]string{".gitattributes": file(), "d/.gitattributes": file(), "d/e/.gitattributes": file(), ".git/info/attributes": file()}
		for name, text := range all {
			g.Write(name, text)
		}
		g.Git("add", "--all")
		c := open(t, g.Dir).converter()
		out := g.Git(slices.Concat([]string{"check-attr"}, names, []string{"--"}, paths)...)
		for line := range strings.Lines(out + "\n") {
			parts := strings.Split(strings.TrimSuffix(line, "\n"), ": ")
			if len(parts) != 3 {
				t.Fatal(line)
			}
			path, name, want := parts[0], parts[1], parts[2]
			got, ok := c.of(path)[name]
			switch {
			case !ok:
				got = "unspecified"
			case got == isSet:
				got = "set"
			case got == isUnset:
				got = "unset"
			}
			if got != want {
				t.Fatalf("%s of %q is %s, want %s, by %q", name, path, got, want, all)
			}
		}
	}
}

// Original costs nothing where nothing is converted, and gives the blob where
// something is.
func TestOriginal(t *testing.T) {
	g := repotest.New(t, "-- .gitattributes --\n* text=auto\n*.id ident\n-- a.txt --\na\nb\n-- a.id --\n$Id$\n")
	r := open(t, g.Dir)
	for _, c := range []struct {
		name, raw, blob string
		ok              bool
	}{
		{"a.txt", "a\r\nb\r\n", "a\nb\n", true},
		{"a.txt", "a\nb\n", "a\nb\n", false},
		{"a.txt", "other\r\n", "a\nb\n", false},
		{"a.txt", "$Id: 1$\n", "$Id$\n", false},
		{"a.id", "$Id: 1$\n", "$Id$\n", true},
		{"a.id", "$Id: 1$\r\n", "$Id$\n", true},
		{"a.id", "$Id$\n", "$Id$\n", false},
	} {
		b, ok := r.Original(c.name, []byte(c.raw), HashBlob([]byte(c.blob)))
		if ok != c.ok || ok && string(b) != c.blob {
			t.Errorf("%s: %q for %q: %q %v", c.name, c.raw, c.blob, b, ok)
		}
	}
	bare := open(t, g.Clone("--bare").Dir)
	if _, ok := bare.Original("a.txt", []byte("a\r\nb\r\n"), HashBlob([]byte("a\nb\n"))); ok {
		t.Error("a bare repository has no worktree to convert for")
	}
}

// Of a file under a filter that is never run, the index tells whether it is
// unmodified: what git-crypt keeps encrypted must not leave in the clear.
func TestForeignFilter(t *testing.T) {
	g := repotest.New(t, "-- .gitattributes --\n*.key filter=rot\n")
	g.Git("config", "filter.rot.clean", "tr a-z n-za-m")
	g.Git("config", "filter.rot.smudge", "tr a-z n-za-m")
	g.Write("a.key", "secret\n")
	// Older than the index by far, or git itself is not sure.
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(g.Path("a.key"), old, old); err != nil {
		t.Fatal(err)
	}
	g.Git("add", "--all")
	id := g.Git("rev-parse", ":a.key")
	r := open(t, g.Dir)
	if id == HashBlob([]byte("secret\n")) || !r.Converted() {
		t.Fatal("the filter did not run in git")
	}
	if !r.SameBlob("a.key", []byte("secret\n"), id) {
		t.Error("an untouched file is taken for a modified one")
	}
	if b, ok := r.Original("a.key", []byte("secret\n"), id); !ok || string(b) != "frperg\n" {
		t.Errorf("%q %v", b, ok)
	}
	write(t, g.Path("a.key"), "secreT\n")
	if r := open(t, g.Dir); r.SameBlob("a.key", []byte("secreT\n"), id) {
		t.Error("a modified file of the same size is taken for an untouched one")
	}
}
