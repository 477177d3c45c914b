//go:build linux

package hostile

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/tree"
)

func fifo(t *testing.T, name string) {
	t.Helper()
	os.MkdirAll(filepath.Dir(name), 0o755)
	os.Remove(name)
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Fatal(err)
	}
}

// zeros writes n bytes of one kind.
func zeros(w io.Writer, b byte, n int64) {
	for chunk := bytes.Repeat([]byte{b}, 1<<20); n > 0; n -= 1 << 20 {
		w.Write(chunk[:min(n, 1<<20)])
	}
}

// converted asks what attributes say of 3,000 files, and packs them.
func converted(dir string) (string, error) {
	r, err := repo.Open(dir)
	if err != nil {
		return "", err
	}
	defer r.Close()
	for i := range 3000 {
		r.SameBlob(fmt.Sprintf("d/e/f%05d.txt", i), []byte("x\r\n"), "0000000000000000000000000000000000000000")
	}
	return "asked", nil
}

// attributed makes a repository whose index holds attribute files.
func attributed(t *testing.T, dir string, files map[string]string) {
	var p packing
	var names []string
	for name := range files {
		names = append(names, name)
	}
	index := indexHead(2, uint32(len(names)))
	slices.Sort(names)
	for _, name := range names {
		id, _ := p.object(blob, []byte(files[name]))
		e := indexEntry(uint16(len(name)))
		copy(e[40:], id[:])
		e = append(e, name...)
		index = append(append(index, e...), make([]byte, 8-len(e)%8)...)
	}
	p.with(t, dir)
	sum := sha1.Sum(index)
	write(t, dir, ".git/index", append(index, sum[:]...))
}

func lines(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()[:n]
}

func globAttacks() []attack {
	intricate := "*a*a*a*a*a*a*a*b%d"
	many := func(t *testing.T, dir string) {
		for i := range 3000 {
			write(t, dir, fmt.Sprintf("d/e/%saaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%05d.txt", "f", i), []byte("x\n"))
		}
	}
	ignore := func(name, what, want string, more ...func(t *testing.T, dir string)) attack {
		return attack{class: "globs", name: name, run: packFolder, want: want, long: want == "3001 files", set: func(t *testing.T, dir string) {
			many(t, dir)
			write(t, dir, ".gitignore", []byte(what))
			for _, m := range more {
				m(t, dir)
			}
		}}
	}
	attribute := func(name string, files map[string]string) attack {
		return attack{class: "globs", name: name, run: converted, want: "asked", set: func(t *testing.T, dir string) { attributed(t, dir, files) }}
	}
	nested := map[string]string{}
	for i := range 500 {
		nested[strings.Repeat("d/", i)+".gitattributes"] = lines(20_000, "*.x%d text\n")
	}
	return []attack{
		attribute("1 MB of attributes on 3,000 files", map[string]string{".gitattributes": lines(1<<20-1, "f%d text\n")}),
		attribute("1 MB of attributes with wildcards", map[string]string{".gitattributes": lines(1<<20-1, intricate+" text\n")}),
		attribute("1 MB of names for one pattern", map[string]string{".gitattributes": lines(1<<20-1, "* a%d\n")}),
		attribute("1 MB of macros", map[string]string{".gitattributes": lines(1<<19, "[attr]m%d text\n") + lines(1<<19-1, "* m%d\n")}),
		attribute("attributes in 500 folders", nested),
		ignore("1 MB of ignored names", lines(1<<20-1, "n%d\n"), "3001 files"),
		ignore("1 MB of globs", lines(1<<20-1, intricate+"\n"), "tried one after another"),
		ignore("1 MB of endings", lines(1<<20-1, "*.e%d\n"), "3001 files"),
		ignore("1 MB of one pattern that is no end", strings.Repeat("*a", 1<<19-1), "3001 files"),
		ignore("ignore files in 900 folders", "x\n", "it is passed over", func(t *testing.T, dir string) {
			at := ""
			for range 900 {
				at += "d/"
				write(t, dir, at+".gitignore", []byte(lines(2000, "*.x%d\n")))
			}
		}),
		ignore("6 MB of ignore files", "x\n", "the limit for all ignore files", func(t *testing.T, dir string) {
			for i := range 12 {
				write(t, dir, fmt.Sprintf("g%d/.gitignore", i), []byte(lines(1<<19, "n%d\n")))
			}
		}),
		ignore("1 MB of rules that take back", lines(100, "n%d\n"), "files", func(t *testing.T, dir string) {
			write(t, dir, ".haversackignore", []byte(strings.Repeat("!"+strings.Repeat("a/", 2000)+"\n", 250)))
		}),
	}
}

func fileAttacks() []attack {
	read := func(names ...string) func(string) (string, error) {
		return func(dir string) (string, error) {
			var errs []error
			for _, n := range names {
				_, err := tree.ReadRegular(filepath.Join(dir, n), 32<<20)
				errs = append(errs, err)
			}
			return "", errors.Join(errs...)
		}
	}
	whole := func(name string) func(string) (string, error) {
		return func(dir string) (string, error) {
			root, err := tree.Open(dir)
			if err != nil {
				return "", err
			}
			defer root.Close()
			f, err := root.File(name)
			if err != nil {
				return "", err
			}
			_, err = f.Read()
			return "", err
		}
	}
	return []attack{
		{class: "files", name: "a text of 3 GB", run: packFolder, want: "1 size_limit", mebibytes: 256, set: func(t *testing.T, dir string) {
			sparse(t, dir, "a.txt", strings.Repeat("text\n", 4000), 3<<30)
		}},
		{class: "files", name: "a file of 1 TB", run: packFolder, want: "1 binary", mebibytes: 256, set: func(t *testing.T, dir string) {
			sparse(t, dir, "a.txt", "text\n", 1<<40)
		}},
		{class: "files", name: "a file of 1 TB read whole", run: whole("a.txt"), want: "larger than 268435456 bytes", mebibytes: 128, set: func(t *testing.T, dir string) {
			sparse(t, dir, "a.txt", "text\n", 1<<40)
		}},
		{class: "files", name: "a FIFO, a device and a socket", run: packFolder, want: "2 special", seconds: 10, set: func(t *testing.T, dir string) {
			fifo(t, filepath.Join(dir, "fifo"))
			os.Symlink("/dev/zero", filepath.Join(dir, "zero"))
			syscall.Mknod(filepath.Join(dir, "sock"), syscall.S_IFSOCK|0o644, 0)
		}},
		{class: "files", name: "a FIFO for an ignore file", run: packFolder, want: "0 files", seconds: 10, set: func(t *testing.T, dir string) {
			fifo(t, filepath.Join(dir, ".gitignore"))
			fifo(t, filepath.Join(dir, ".haversackignore"))
		}},
		{class: "files", name: "documents that are a FIFO, /dev/zero and a folder", run: read("fifo", "zero", "."), want: "not a regular file", seconds: 10, mebibytes: 128, set: func(t *testing.T, dir string) {
			fifo(t, filepath.Join(dir, "fifo"))
			os.Symlink("/dev/zero", filepath.Join(dir, "zero"))
		}},
		{class: "files", name: "a document of 900 MB", run: read("big"), want: "larger than 33554432 bytes", mebibytes: 128, set: func(t *testing.T, dir string) { sparse(t, dir, "big", "{", 900<<20) }},
		{class: "files", name: "a file that grows while it is read", run: growing, want: "1 files", set: func(t *testing.T, dir string) { write(t, dir, "a.txt", []byte("text\n")) }},

		{class: "names", name: "16,000 folders called password=", run: packFolder, want: "16000 credentials (in the name)", set: func(t *testing.T, dir string) {
			for i := range 16_000 {
				os.Mkdir(filepath.Join(dir, fmt.Sprintf("password=x9Kq%05dLm3vT7zR", i)), 0o755)
			}
		}},
		{class: "names", name: "16,000 names that look the same redacted", long: true, run: packFolder, want: "16000 credentials (in the name)", set: func(t *testing.T, dir string) {
			for i := range 8000 {
				write(t, dir, fmt.Sprintf("password=x9Kq%05dLm3vT7zR", i), nil)
				write(t, dir, fmt.Sprintf("password=x9Kq%05dLm3vT7zR (%d)", i, i+2), nil)
			}
		}},
		{class: "names", name: "nested folders called password=", long: true, run: packFolder, want: "credentials (in the name)", set: func(t *testing.T, dir string) {
			for i := range 4000 {
				os.MkdirAll(filepath.Join(dir, fmt.Sprintf("d%d/password=x9Kq%05dLm3vT7zR/e", i%50, i)), 0o755)
			}
		}},
		{class: "names", name: "names of 250 bytes on 20,000 files", long: true, run: packFolder, want: "20000 files", set: func(t *testing.T, dir string) {
			for i := range 20_000 {
				write(t, dir, fmt.Sprintf("%05d%s", i, strings.Repeat("key-", 60)), nil)
			}
		}},

		{class: "diff", name: "60,000 empty files renamed", run: renames(func(i int) (string, string) { return fmt.Sprintf("a/%d", i), fmt.Sprintf("b/%dx", i) }), want: "60000 R"},
		{class: "diff", name: "60,000 empty files of one name moved", run: renames(func(i int) (string, string) { return fmt.Sprintf("a/%05d/f", i), fmt.Sprintf("b/%05d/f", i) }), want: "60000 R"},
		{class: "diff", name: "60,000 links renamed", run: renames(func(i int) (string, string) { return fmt.Sprintf("l/%d", i), fmt.Sprintf("m/%d", i) }), want: "60000 R"},
		{class: "diff", name: "60,000 files come, links go", run: renames(func(i int) (string, string) { return fmt.Sprintf("l/%d", i), fmt.Sprintf("b/%d", i) }), want: "60000 A"},
	}
}

// growing packs a folder while a file in it grows.
func growing(dir string) (string, error) {
	f, err := os.OpenFile(filepath.Join(dir, "a.txt"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	go func() {
		for more := bytes.Repeat([]byte("text\n"), 100); ; {
			f.Write(more)
		}
	}()
	return packFolder(dir)
}

// renames finds the renames of 60,000 files of the same content. Those in l and m
// are links.
func renames(name func(int) (before, after string)) func(string) (string, error) {
	return func(string) (string, error) {
		var base, head []diff.Entry
		mode := func(n string) fs.FileMode {
			if n[0] == 'l' || n[0] == 'm' {
				return fs.ModeSymlink | 0o777
			}
			return 0o644
		}
		for i := range 60_000 {
			a, b := name(i)
			base = append(base, diff.Entry{Path: a, Mode: mode(a), ID: "e"})
			head = append(head, diff.Entry{Path: b, Mode: mode(b), ID: "e"})
		}
		count := map[diff.Status]int{}
		for _, c := range diff.Between(byPath(base), byPath(head)) {
			count[c.Status]++
		}
		said := ""
		for s, n := range count {
			said += fmt.Sprintf("%d %s ", n, s)
		}
		return said, nil
	}
}

func byPath(list []diff.Entry) []diff.Entry {
	slices.SortFunc(list, func(a, b diff.Entry) int { return strings.Compare(a.Path, b.Path) })
	return list
}

func sizeAttacks() []attack {
	flat := func(p *packing, n int) [20]byte {
		id, _ := p.object(blob, []byte("x\n"))
		var b bytes.Buffer
		for i := range n {
			b.Write(entry("100644", fmt.Sprintf("f%06d", i), id))
		}
		root, _ := p.object(treeType, b.Bytes())
		return root
	}
	return []attack{
		{class: "size", name: "1.8 million files from two trees", run: packHead, want: "which is the limit", seconds: 30, set: func(t *testing.T, dir string) {
			var p packing
			sub := flat(&p, 1350)
			var list [][]byte
			for i := range 1350 {
				list = append(list, entry("40000", fmt.Sprintf("d%04d", i), sub))
			}
			p.with(t, dir, list...)
		}},
		{class: "size", name: "10^30 files from 31 trees", run: packHead, want: "which is the limit", seconds: 30, set: func(t *testing.T, dir string) {
			var p packing
			sub := flat(&p, 10)
			for range 29 {
				var b []byte
				for i := range 10 {
					b = append(b, entry("40000", fmt.Sprint(i), sub)...)
				}
				sub, _ = p.object(treeType, b)
			}
			p.with(t, dir, entry("40000", "d", sub))
		}},
		{class: "size", name: "10^30 empty folders", run: packHead, want: "which is the limit", seconds: 30, set: func(t *testing.T, dir string) {
			var p packing
			sub, _ := p.object(treeType, nil)
			for range 30 {
				var b []byte
				for i := range 10 {
					b = append(b, entry("40000", fmt.Sprint(i), sub)...)
				}
				sub, _ = p.object(treeType, b)
			}
			p.with(t, dir, entry("40000", "d", sub))
		}},
		{class: "size", name: "a folder that holds itself", run: packHead, want: "nest too deep", seconds: 30, set: func(t *testing.T, dir string) {
			var p packing
			id := madeUp("self")
			b := append(entry("40000", "a", id), entry("40000", "b", id)...)
			p.put(id, treeType, int64(len(b)), nil, deflate(b))
			p.with(t, dir, entry("40000", "d", id))
		}},
		{class: "size", name: "1.2 million files in two folders", run: packHead, want: "which is the limit", long: true, mebibytes: 1024, set: func(t *testing.T, dir string) {
			var p packing
			a, b := flat(&p, 600_000), flat(&p, 600_001)
			p.with(t, dir, entry("40000", "a", a), entry("40000", "b", b))
		}},
		{class: "size", name: "a folder of 700,000 entries by ref", run: opened(func(r *repo.Repository) (string, error) {
			h, err := r.Head()
			if err != nil {
				return "", err
			}
			files, err := r.Files(h.SHA)
			return fmt.Sprint(len(files), " listed"), err
		}), want: "700000 listed", mebibytes: 768, set: func(t *testing.T, dir string) {
			var p packing
			p.with(t, dir, entry("40000", "d", flat(&p, 700_000)))
		}},
	}
}

func wrongAttacks() []attack {
	dated := func(when int64) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			var p packing
			id, _ := p.object(blob, []byte("x\n"))
			root, _ := p.object(treeType, entry("100644", "a.txt", id))
			c, _ := p.object(commit, commitOf(root, when))
			p.save(t, dir, c)
		}
	}
	named := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			var p packing
			id, _ := p.object(blob, []byte("x\n"))
			p.with(t, dir, entry("100644", "a.txt", id), entry("100644", name, id))
		}
	}
	// unpack reads an archive as verify does.
	unpack := func(dir string) (string, error) {
		f, _, err := tree.OpenRegular(filepath.Join(dir, "a.tar"))
		if err != nil {
			return "", err
		}
		defer f.Close()
		got, err := archive.Read(f, nil)
		return fmt.Sprint(len(got), " members"), err
	}
	return []attack{
		{class: "wrong", name: "a commit of the year 2242", run: packHead, want: "1 files", set: dated(8589934592)},
		{class: "wrong", name: "a commit of the year 292 billion", run: packHead, want: "1 files", set: dated(1 << 62)},
		{class: "wrong", name: "a commit before 1970", run: packHead, want: "1 files", set: dated(-5)},
		{class: "wrong", name: "a name of 70,000 bytes", run: packHead, want: "1 limit (path longer than 4096 bytes)", set: named(strings.Repeat("n", 70_000))},
		{class: "wrong", name: "a name of 4,096 bytes", run: packHead, want: "2 files", set: named(strings.Repeat("n", 4096))},
		{class: "wrong", name: "5,200 nested folders", long: true, run: nestedFolders, want: "1 limit (more than 1024 folders deep)"},
		{class: "wrong", name: "5,200 nested folders by ref", run: packHead, want: "nest too deep", set: func(t *testing.T, dir string) {
			var p packing
			id, _ := p.object(blob, []byte("x\n"))
			sub, _ := p.object(treeType, entry("100644", "a.txt", id))
			for range 5200 {
				sub, _ = p.object(treeType, entry("40000", "d", sub))
			}
			p.with(t, dir, entry("40000", "d", sub))
		}},

		{class: "archive", name: "a zstd bomb of zeros", run: unpack, want: "error", mebibytes: 384, set: func(t *testing.T, dir string) { bomb(t, dir, 1<<30) }},
		{class: "archive", name: "zeros without end behind the end", long: true, run: unpack, want: "zeros stand behind the end", mebibytes: 384, set: func(t *testing.T, dir string) {
			var b bytes.Buffer
			archive.Write(&b, nil, time.Unix(0, 0))
			f, _ := os.Create(filepath.Join(dir, "a.tar"))
			z, _ := archive.Compressor(f)
			z.Write(b.Bytes())
			zeros(z, 0, 4<<30)
			z.Close()
			f.Close()
		}},
		{class: "archive", name: "a FIFO", run: unpack, want: "not a regular file", seconds: 10, set: func(t *testing.T, dir string) { fifo(t, filepath.Join(dir, "a.tar")) }},
		{class: "archive", name: "a window of 2 GB", long: true, run: unpack, want: "error", mebibytes: 384, set: func(t *testing.T, dir string) {
			f, _ := os.Create(filepath.Join(dir, "a.tar"))
			z, err := zstd.NewWriter(f, zstd.WithWindowSize(zstd.MaxWindowSize))
			if err != nil {
				t.Fatal(err)
			}
			zeros(z, 'x', 600<<20)
			z.Close()
			f.Close()
		}},
	}
}

// bomb writes a compressed tar whose one member has n bytes of nothing, and is
// cut off.
func bomb(t *testing.T, dir string, n int64) {
	f, _ := os.Create(filepath.Join(dir, "a.tar"))
	z, _ := archive.Compressor(f)
	zeros(z, 'a', n)
	z.Close()
	f.Close()
}

// nestedFolders makes and packs them in one process, whose folder they are.
func nestedFolders(dir string) (string, error) {
	write := func(name string) error { return os.WriteFile(name, []byte("x\n"), 0o644) }
	if err := os.Chdir(dir); err != nil {
		return "", err
	}
	if err := write("a.txt"); err != nil {
		return "", err
	}
	for range 5200 {
		if err := os.Mkdir("d", 0o755); err != nil {
			return "", err
		}
		if err := os.Chdir("d"); err != nil {
			return "", err
		}
	}
	if err := write("b.txt"); err != nil {
		return "", err
	}
	os.Chdir(dir)
	return packFolder(dir)
}

// served runs do against a server that answers as the handlers say.
func served(h http.HandlerFunc, do func(url, dir string) error) func(string) (string, error) {
	return func(dir string) (string, error) {
		s := httptest.NewServer(h)
		defer s.CloseClientConnections()
		return "", do(s.URL, dir)
	}
}

const wanted = "1111111111111111111111111111111111111111"

func fetched(sha string) func(url, dir string) error {
	return func(url, dir string) error {
		r, _, err := repo.Fetch(context.Background(), repo.Request{URL: url + "/o/r", SHA: sha, Dir: filepath.Join(dir, "store")})
		if err != nil {
			return err
		}
		defer r.Close()
		root, err := r.Tree(sha)
		if err != nil {
			return err
		}
		return root.Close()
	}
}

func pkt(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		if l == "" {
			b.WriteString("0000")
		} else {
			fmt.Fprintf(&b, "%04x%s", len(l)+4, l)
		}
	}
	return b.String()
}

// gitServer advertises one commit, and answers with a pack.
func gitServer(id string, pack func(w io.Writer)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/info/refs") {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			io.WriteString(w, pkt("# service=git-upload-pack\n", "", id+" HEAD\x00allow-tip-sha1-in-want allow-reachable-sha1-in-want shallow ofs-delta\n", id+" refs/heads/main\n", ""))
			return
		}
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		io.WriteString(w, pkt("shallow "+id+"\n", "", "NAK\n"))
		pack(w)
	}
}

func networkAttacks() []attack {
	endless := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		io.WriteString(w, pkt("# service=git-upload-pack\n", "", wanted+" HEAD\x00shallow\n"))
		var b strings.Builder
		for i := 0; ; i++ {
			b.WriteString(pkt(fmt.Sprintf("%s refs/heads/branch-%012d\n", wanted, i)))
			if b.Len() > 1<<20 {
				if _, err := io.WriteString(w, b.String()); err != nil {
					return
				}
				b.Reset()
			}
		}
	}
	answers := func(body func(w io.Writer)) func(string) (string, error) {
		return served(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			body(w)
		}, func(url, _ string) error {
			c, err := forge.New(url, "o/r", "t")
			if err != nil {
				return err
			}
			_, err = c.PullOf(context.Background(), 1, forge.Origin{Commit: wanted, Branch: "o:b"})
			return err
		})
	}
	pack := func(make func(p *packing) [20]byte) func(string) (string, error) {
		return func(dir string) (string, error) {
			var p packing
			id := make(&p)
			sha := hex.EncodeToString(id[:])
			return served(gitServer(sha, func(w io.Writer) { w.Write(p.done()) }), fetched(sha))(dir)
		}
	}
	return []attack{
		{class: "fetch", name: "references without end", long: true, run: served(endless, fetched(wanted)), want: "lists references without end", mebibytes: 1024},
		{class: "fetch", name: "a pack that claims 4G objects", run: served(gitServer(wanted, func(w io.Writer) { io.WriteString(w, "PACK\x00\x00\x00\x02\xff\xff\xff\xff"); zeros(w, 0, 1<<30) }), fetched(wanted)), want: "claims 4294967295 objects"},
		{class: "fetch", name: "a pack of zeros without end", run: served(gitServer(wanted, func(w io.Writer) { io.WriteString(w, "PACK\x00\x00\x00\x02\x00\x00\x00\x09"); zeros(w, 0, 1<<40) }), fetched(wanted)), want: "no readable head"},
		{class: "fetch", name: "a blob bomb with right sums", long: true, run: pack(func(p *packing) [20]byte {
			h := sha1.New()
			n := int64(2 << 30)
			fmt.Fprintf(h, "blob %d\x00", n)
			zeros(h, 0, n)
			p.put([20]byte(h.Sum(nil)), blob, n, nil, repeat(0, n))
			root, _ := p.object(treeType, entry("100644", "a.txt", [20]byte(h.Sum(nil))))
			c, _ := p.object(commit, commitOf(root, 1))
			return c
		})},
		{class: "fetch", name: "a commit bomb", run: pack(func(p *packing) [20]byte {
			p.put(madeUp("c"), commit, 512<<20, nil, repeat('a', 512<<20))
			return madeUp("c")
		}), want: "the limit is 4194304 bytes"},
		{class: "fetch", name: "a tree bomb by delta", run: pack(func(p *packing) [20]byte {
			b := entry("100644", "a", madeUp("x"))
			_, at := p.object(treeType, b)
			p.delta(madeUp("t"), at, copies(int64(len(b)), int64(len(b)), 2_000_000))
			return madeUp("t")
		}), want: "the limit is 33554432 bytes"},
		{class: "fetch", name: "deltas in a circle", run: pack(func(p *packing) [20]byte {
			a, b := madeUp("a"), madeUp("b")
			p.put(a, refDelta, 3, b[:], deflate([]byte{1, 1, 1}))
			p.put(b, refDelta, 3, a[:], deflate([]byte{1, 1, 1}))
			return a
		}), want: "differences from what is not in it"},

		{class: "api", name: "32 MB of empty objects", run: answers(func(w io.Writer) { io.WriteString(w, "["+strings.Repeat("{},", 10<<20)+"{}]") }), want: "more than 200000 objects"},
		{class: "api", name: "an answer without end", run: answers(func(w io.Writer) { io.WriteString(w, "["); zeros(w, ' ', 1<<40) }), want: "over 32 MiB"},
		{class: "api", name: "lists in lists", long: true, run: answers(func(w io.Writer) { io.WriteString(w, strings.Repeat("[", 8<<20)) }), want: "no JSON"},
		{class: "api", name: "a length that is a lie", long: true, waits: true, seconds: 90, run: served(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "[")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, func(url, _ string) error {
			c, err := forge.New(url, "o/r", "t")
			if err != nil {
				return err
			}
			_, first := c.PullOf(context.Background(), 1, forge.Origin{Commit: wanted, Branch: "o:b"})
			_, second := c.Tip(context.Background(), "main")
			return errors.Join(first, second)
		}), want: "no answer within"},
	}
}
