package archive

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/tree"
)

var at = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

func link(name, target string) tree.File {
	f := tree.Bytes(name, []byte(target))
	f.Mode = fs.ModeSymlink | 0o777
	return f
}

func script(name, content string) tree.File {
	f := tree.Bytes(name, []byte(content))
	f.Mode = 0o755
	return f
}

func tarOf(t testing.TB, files ...tree.File) ([]byte, []Member) {
	t.Helper()
	slices.SortFunc(files, func(a, b tree.File) int { return tree.Compare(a.Path, b.Path) })
	var b bytes.Buffer
	members, err := Write(&b, files, at)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), members
}

// TestHeaders holds every field of the headers that the package comment fixes.
func TestHeaders(t *testing.T) {
	long := strings.Repeat("long/", 60) + "name"
	b, _ := tarOf(t, tree.Bytes("b.txt", []byte("b")), script("a.sh", "#!"), link("c", "b.txt"), tree.Bytes("é\n\xff", nil), tree.Bytes(long, []byte("x")))
	var got strings.Builder
	tr := tar.NewReader(bytes.NewReader(b))
	for {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		name := h.Name
		if name == long {
			name = "long"
		}
		fmt.Fprintf(&got, "%c %o %d %d %q%q %s %d %q %q %s\n", h.Typeflag, h.Mode, h.Uid, h.Gid, h.Uname, h.Gname,
			h.ModTime.UTC().Format(time.RFC3339Nano), h.Size, name, h.Linkname, h.Format)
	}
	want := `0 755 0 0 """" 2026-01-02T03:04:05Z 2 "a.sh" "" USTAR
0 644 0 0 """" 2026-01-02T03:04:05Z 1 "b.txt" "" USTAR
2 777 0 0 """" 2026-01-02T03:04:05Z 0 "c" "b.txt" USTAR
0 644 0 0 """" 2026-01-02T03:04:05Z 1 "long" "" PAX
0 644 0 0 """" 2026-01-02T03:04:05Z 0 "é\n\xff" "" PAX
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

// TestTarReadsIt has the tar of the machine read what Write makes.
func TestTarReadsIt(t *testing.T) {
	if _, err := exec.LookPath("tar"); err != nil {
		t.Skip("tar is not installed")
	}
	b, members := tarOf(t, tree.Bytes("d/b.txt", []byte("b")), script("a.sh", "#!"), link("c", "d/b.txt"), tree.Bytes("空 白", []byte("x")))
	dir := t.TempDir()
	name := filepath.Join(dir, "a.tar")
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("tar", "-xf", name, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, m := range members {
		fi, err := os.Lstat(filepath.Join(dir, m.Path))
		if err != nil {
			t.Error(err)
		} else if fi.Mode().Type() != m.Mode.Type() {
			t.Errorf("%s: mode %v, want %v", m.Path, fi.Mode(), m.Mode)
		}
	}
}

// TestWriteRefuses what would not be the archive of its files.
func TestWriteRefuses(t *testing.T) {
	for name, files := range map[string][]tree.File{
		"order":      {tree.Bytes("b", nil), tree.Bytes("a", nil)},
		"repetition": {tree.Bytes("a", nil), tree.Bytes("a", nil)},
		"shorter": {tree.NewFile("a", 0o644, 5, "", func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("abc")), nil
		})},
		"longer": {tree.NewFile("a", 0o644, 2, "", func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("abc")), nil
		})},
		"other": {tree.NewFile("a", 0o644, 3, "", func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("abd")), nil
		}).Summed([]byte("abc"))},
		"gone": {tree.NewFile("a", 0o644, 2, "", func() (io.ReadCloser, error) { return nil, fs.ErrNotExist })},
	} {
		if _, err := Write(io.Discard, files, at); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSummed has the sum of a member that was taken when it was read, and of the next that has none.
func TestSummed(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789"), 100_000)
	raw, members := tarOf(t, tree.Bytes("a", big).Summed(big), tree.Bytes("b", big[1:]), tree.Bytes("c", nil).Summed(nil), tree.Bytes("d", big).Summed(big))
	read, err := Read(bytes.NewReader(raw), nil)
	if err != nil || len(read) != len(members) {
		t.Fatalf("%d members, %v", len(read), err)
	}
	for i, m := range read {
		if m.SHA256 != members[i].SHA256 {
			t.Errorf("%s has sha256 %s, Write says %s", m.Path, m.SHA256, members[i].SHA256)
		}
	}
}

// TestReadRefuses archives that Write never makes.
func TestReadRefuses(t *testing.T) {
	good, _ := tarOf(t, tree.Bytes("a", []byte("content")))
	make := func(h tar.Header) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		w.Close()
		return b.Bytes()
	}
	for name, b := range map[string][]byte{
		"cut off":   good[:515],
		"upwards":   make(tar.Header{Name: "../x", Typeflag: tar.TypeReg}),
		"absolute":  make(tar.Header{Name: "/x", Typeflag: tar.TypeReg}),
		"directory": make(tar.Header{Name: "d/", Typeflag: tar.TypeDir}),
		"hard link": make(tar.Header{Name: "l", Linkname: "a", Typeflag: tar.TypeLink}),
		"device":    make(tar.Header{Name: "d", Typeflag: tar.TypeChar}),
		"no tar":    []byte(strings.Repeat("not a tar archive ", 100)),
	} {
		if _, err := Read(bytes.NewReader(b), nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCompare(t *testing.T) {
	a, b, c := Member{Path: "a", Size: 1, SHA256: "1"}, Member{Path: "b", Size: 2, SHA256: "2"}, Member{Path: "c", Size: 3, SHA256: "3"}
	other, larger := b, b
	other.SHA256, larger.Size = "x", 9
	for _, tt := range []struct {
		got  []Member
		want string
	}{
		{[]Member{a, b}, ""},
		{[]Member{a}, `"b" is in the record but not in the archive`},
		{[]Member{a, b, c}, `"c" is in the archive but not in the record`},
		{[]Member{a, other}, `"b" has sha256 x, the record says 2`},
		{[]Member{a, larger}, `"b" has 9 bytes, the record says 2`},
		{[]Member{a, b, b}, `"b" stands twice in the archive`},
		{[]Member{b, a}, `"a" is out of order`},
	} {
		var got []string
		for _, d := range Compare([]Member{a, b}, tt.got, asItIs) {
			got = append(got, d.String())
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("got %q, want %q", s, tt.want)
		}
	}
}

// FuzzWrite: what Write makes, Read reads back equal, compressed or not, and
// writing twice gives the same bytes.
func FuzzWrite(f *testing.F) {
	f.Add(uint64(1), "a/b", []byte("content"))
	f.Add(uint64(2), "\xff\n:", []byte{0})
	f.Fuzz(func(t *testing.T, seed uint64, name string, content []byte) {
		if !tree.Valid(name) || name == "." || len(name) > 2000 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		names := map[string]bool{name: true}
		for range rng.IntN(4) {
			names[fmt.Sprintf("n%d/%s", rng.IntN(3), name)] = true
		}
		var files []tree.File
		for n := range names {
			switch rng.IntN(4) {
			case 0:
				files = append(files, script(n, string(content)))
			case 1:
				if len(content) > 0 && len(content) < 500 && bytes.IndexByte(content, 0) < 0 {
					files = append(files, link(n, string(content)))
					continue
				}
				fallthrough
			default:
				files = append(files, tree.Bytes(n, content))
			}
		}
		one, members := tarOf(t, files...)
		two, _ := tarOf(t, files...)
		if !bytes.Equal(one, two) {
			t.Error("written twice, the bytes differ")
		}
		var packed bytes.Buffer
		z, err := Compressor(&packed)
		if err != nil {
			t.Fatal(err)
		}
		z.Write(one)
		z.Close()
		for _, b := range [][]byte{one, packed.Bytes()} {
			got, err := Read(bytes.NewReader(b), nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := Compare(members, got, asItIs); len(d) > 0 || len(got) != len(members) {
				t.Errorf("read back: %v", d)
			}
		}
	})
}

// BenchmarkWrite writes GOROOT-like content: many small files.
func BenchmarkWrite(b *testing.B) {
	content := bytes.Repeat([]byte("package tree // a line of source\n"), 330)
	var files []tree.File
	for i := range 8000 {
		files = append(files, tree.Bytes(fmt.Sprintf("pkg/d%03d/f%02d.go", i/40, i%40), content))
	}
	b.SetBytes(int64(len(content) * len(files)))
	for b.Loop() {
		if _, err := Write(io.Discard, files, at); err != nil {
			b.Fatal(err)
		}
	}
}

func asItIs(name string) string { return name }
