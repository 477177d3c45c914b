package repo

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// pkt frames lines as git's protocol does; "" ends a section.
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

// A server that never comes to an end is left, in bytes and in time.
func TestFetchBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const id = "1111111111111111111111111111111111111111"
	list := pkt("# service=git-upload-pack\n", "", id+" HEAD\x00allow-tip-sha1-in-want allow-reachable-sha1-in-want shallow\n", id+" refs/heads/main\n", "")
	for _, tt := range []struct {
		name, want string
		refs, pack func(io.Writer)
	}{
		{"references without end", "the server lists references without end, and the limit is 100000 bytes", func(w io.Writer) {
			io.WriteString(w, pkt("# service=git-upload-pack\n", "", id+" HEAD\x00x\n"))
			for i := 0; ; i++ {
				if _, err := io.WriteString(w, pkt(fmt.Sprintf("%s refs/heads/b%d\n", id, i))); err != nil {
					return
				}
			}
		}, nil},
		{"silence", "the server sent nothing for 300ms", func(w io.Writer) { w.(http.Flusher).Flush(); time.Sleep(2 * time.Second) }, nil},
		{"a silent pack", "the server sent nothing for 300ms", nil, func(w io.Writer) {
			io.WriteString(w, pkt("shallow "+id+"\n", "", "NAK\n")+"PACK\x00\x00\x00\x02\x00\x00\x00\x09")
			w.(http.Flusher).Flush()
			time.Sleep(2 * time.Second)
		}},
		{"a pack without end", "the server sends a pack without end, and the limit is 1000000 bytes", nil, func(w io.Writer) {
			io.WriteString(w, pkt("shallow "+id+"\n", "", "NAK\n")+"PACK\x00\x00\x00\x02\x00\x10\x00\x00")
			for many := bytes.Repeat(blob([]byte("x")), 1000); ; {
				if _, err := w.Write(many); err != nil {
					return
				}
			}
		}},
		{"too many objects", "claims 4294967295 objects", nil, func(w io.Writer) {
			io.WriteString(w, pkt("shallow "+id+"\n", "", "NAK\n")+"PACK\x00\x00\x00\x02\xff\xff\xff\xff")
		}},
		{"not what it says", "holds more than it says", nil, func(w io.Writer) {
			b := blob(make([]byte, 1000))
			b[0], b[1] = 0x35, b[1]&0x7f // of another size
			io.WriteString(w, pkt("shallow "+id+"\n", "", "NAK\n")+"PACK\x00\x00\x00\x02\x00\x00\x00\x01")
			w.Write(append([]byte{0x35}, b[2:]...))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/info/refs") {
					w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
					if tt.refs != nil {
						tt.refs(w)
					} else {
						io.WriteString(w, list)
					}
					return
				}
				w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
				io.Copy(io.Discard, r.Body)
				tt.pack(w)
			}))
			defer s.Close()
			_, _, err := Fetch(t.Context(), Request{URL: s.URL + "/r", SHA: id, Dir: filepath.Join(t.TempDir(), "s"),
				pause: time.Millisecond, bounds: bounds{advertised: 100_000, pack: 1_000_000, stall: 300 * time.Millisecond}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			left, _ := filepath.Glob(filepath.Join(t.TempDir(), "s/objects/pack/*"))
			if len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// blob is a blob as it stands in a pack.
func blob(content []byte) []byte {
	n := len(content)
	head := []byte{byte(3<<4 | n&15)}
	for n >>= 4; n > 0; n >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(n&0x7f))
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(content)
	z.Close()
	return append(head, b.Bytes()...)
}

// What is received is read back, deltas by place and by id, and git agrees with the
// index.
func TestReceive(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	g := repotest.New(t, sample)
	text := strings.Repeat("a line of some length that stays\n", 200)
	for i := range 40 {
		g.Write("grows.txt", text+strings.Repeat(fmt.Sprintln("more", i), i))
		g.Write(fmt.Sprintf("d%d/f", i%7), fmt.Sprint(i))
		g.Git("add", "-A")
		g.Git("commit", "-qm", fmt.Sprint(i))
	}
	for _, options := range [][]string{{"--delta-base-offset"}, {}} {
		out := filepath.Join(t.TempDir(), "p")
		g.Git(append([]string{"-c", "pack.window=50", "-c", "pack.depth=50", "pack-objects", "--all", "-q", "--no-reuse-delta", out}, options...)...)
		packs, _ := filepath.Glob(out + "-*.pack")
		if len(packs) != 1 {
			t.Fatal(packs)
		}
		dir := filepath.Join(t.TempDir(), "bare.git")
		g.Git("init", "-q", "--bare", dir)
		s := newStore(dir, dir)
		w, err := s.PackfileWriter()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := readFile(packs[0], 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(raw); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s.Close()
		mine, _ := filepath.Glob(filepath.Join(dir, "objects/pack/*.idx"))
		if len(mine) != 1 {
			t.Fatal(mine)
		}
		theirs, _ := filepath.Glob(out + "-*.idx")
		a, _ := readFile(mine[0], 1<<30)
		b, _ := readFile(theirs[0], 1<<30)
		if !bytes.Equal(a, b) {
			t.Errorf("%v: the index is not git's", options)
		}
		r := open(t, dir)
		for line := range strings.Lines(g.Git("rev-list", "--all", "--objects", "--no-object-names")) {
			id := strings.TrimSpace(line)
			want := g.Git("cat-file", "-s", id)
			if n, err := r.BlobSize(id); err != nil || fmt.Sprint(n) != strings.TrimSpace(want) {
				t.Errorf("%s: %d, %v; want %s", id, n, err, want)
			}
			if g.Git("cat-file", "-t", id) != "blob" {
				continue
			}
			if b, err := r.Blob(id); err != nil || HashBlob(b) != id {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}

// Differences that are made up are errors, of any kind.
func FuzzDelta(f *testing.F) {
	base := []byte("the base of it all")
	f.Add([]byte{18, 4, 0x90, 4})
	f.Add([]byte{18, 3, 3, 'a', 'b', 'c'})
	f.Add([]byte{18, 0xff, 0xff, 0xff, 0xff, 0x7f, 0xb0, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, delta []byte) {
		b, err := applyDelta(base, delta)
		if _, size, _, e := deltaHead(delta); err == nil && (e != nil || int64(len(b)) != size) {
			t.Errorf("%d bytes, %d wanted", len(b), size)
		}
	})
}

// A pack by anyone is kept whole, or refused.
func FuzzReceive(f *testing.F) {
	seal := func(b []byte) []byte { sum := sha1.Sum(b); return append(b, sum[:]...) }
	one := append([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01"), blob([]byte("hello"))...)
	f.Add(one)
	f.Add(binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		s := newStore(dir, dir)
		defer s.Close()
		w, err := s.PackfileWriter()
		if err != nil {
			t.Fatal(err)
		}
		w.Write(seal(bytes.Clone(b)))
		err = w.Close()
		left, _ := filepath.Glob(filepath.Join(dir, "objects/pack/*"))
		if (len(left) == 2) != (err == nil) && !(len(left) == 0 && err == nil) {
			t.Errorf("%v: %q", err, left)
		}
		var large *TooLargeError
		if err != nil && errors.As(err, &large) && len(b) < 1000 && !strings.Contains(err.Error(), "limit") {
			t.Error(err)
		}
	})
}
