//go:build linux

package hostile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repo"
)

// opened runs do on the repository in dir.
func opened(do func(r *repo.Repository) (string, error)) func(string) (string, error) {
	return func(dir string) (string, error) {
		r, err := repo.Open(dir)
		if err != nil {
			return "", err
		}
		defer r.Close()
		return do(r)
	}
}

// merged asks for the merge base of two branches.
func merged(r *repo.Repository) (string, error) {
	sha, err := r.MergeBase("main", "other")
	return "base " + sha, err
}

// indexed asks for the index, and for what attributes say.
func indexed(r *repo.Repository) (string, error) {
	idx, err := r.Index()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d files, converted %v, %s", len(idx.Files), r.Converted(), idx.Warning), nil
}

func branch(t *testing.T, dir, name string, id [20]byte) {
	write(t, dir, ".git/refs/heads/"+name, []byte(hex.EncodeToString(id[:])+"\n"))
}

// indexHead begins an index of a version.
func indexHead(version, count uint32) []byte {
	b := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	return binary.BigEndian.AppendUint32(b, count)
}

// indexEntry is the fixed part of an entry for a file.
func indexEntry(flags uint16) []byte {
	b := make([]byte, 62)
	binary.BigEndian.PutUint32(b[24:], 0o100644)
	binary.BigEndian.PutUint16(b[60:], flags)
	return b
}

func objectAttacks() []attack {
	bombed := madeUp("bomb")
	file := entry("100644", "a.txt", bombed)
	return []attack{
		{class: "objects", name: "a tree of 600 MB by a delta of 3 KB", run: packHead, want: "the limit is", set: func(t *testing.T, dir string) {
			var p packing
			id, _ := p.object(blob, []byte("x"))
			var b []byte
			for i := range 2000 {
				b = append(b, entry("100644", fmt.Sprintf("f%05d", i), id)...)
			}
			_, at := p.object(treeType, b)
			p.delta(bombed, at, copies(int64(len(b)), int64(len(b)), 600<<20/len(b)))
			c, _ := p.object(commit, commitOf(bombed, 1700000000))
			p.save(t, dir, c)
		}},
		{class: "objects", name: "a commit of 8.4 GB by deltas of 1.2 KB", run: packHead, want: "the limit is", set: func(t *testing.T, dir string) {
			var p packing
			text := append(commitOf(madeUp("t"), 1), bytes.Repeat([]byte("a"), 1<<20)...)
			_, at := p.object(commit, text)
			p.delta(madeUp("c1"), at, copies(int64(len(text)), int64(len(text)), 8000))
			p.save(t, dir, madeUp("c1"))
		}},
		{class: "objects", name: "a loose blob that inflates past its size", run: packHead, want: "more than it says", set: func(t *testing.T, dir string) {
			var p packing
			p.with(t, dir, file)
			stream := deflated(func(w io.Writer) {
				fmt.Fprintf(w, "blob 12\x00")
				zeros(w, 'a', 512<<20)
			})
			loose(t, dir, bombed, stream)
		}},
		{class: "objects", name: "a loose blob of 512 MB", run: packHead, want: "size_limit", set: func(t *testing.T, dir string) {
			var p packing
			p.with(t, dir, file)
			loose(t, dir, bombed, deflated(func(w io.Writer) {
				fmt.Fprintf(w, "blob %d\x00", 512<<20)
				zeros(w, 'a', 512<<20)
			}))
		}},
		{class: "objects", name: "a loose commit of 512 MB", run: packHead, want: "the limit is", set: func(t *testing.T, dir string) {
			bare(t, dir, hex.EncodeToString(bombed[:]))
			loose(t, dir, bombed, deflated(func(w io.Writer) {
				fmt.Fprintf(w, "commit %d\x00", 512<<20)
				zeros(w, 'a', 512<<20)
			}))
		}},
		{class: "objects", name: "a loose object that claims 9 EB", run: packHead, want: "head is", set: func(t *testing.T, dir string) {
			bare(t, dir, hex.EncodeToString(bombed[:]))
			loose(t, dir, bombed, deflate([]byte("commit 9223372036854775807\x00tree")))
		}},
		{class: "objects", name: "a packed blob that inflates past its size", run: packHead, want: "more than it says", set: func(t *testing.T, dir string) {
			var p packing
			p.put(bombed, blob, 100, nil, repeat('a', 512<<20))
			p.with(t, dir, file)
		}},
		{class: "objects", name: "a packed blob of 512 MB", run: packHead, want: "size_limit", set: func(t *testing.T, dir string) {
			var p packing
			p.put(bombed, blob, 512<<20, nil, repeat('a', 512<<20))
			p.with(t, dir, file)
		}},
		{class: "objects", name: "a packed blob that claims 4 GB in ten bytes", run: packHead, want: "claims", set: func(t *testing.T, dir string) {
			var p packing
			p.put(bombed, blob, 4<<30, nil, deflate([]byte("x")))
			p.with(t, dir, file)
		}},
		{class: "objects", name: "blobs of 128 MB by deltas", run: packHead, want: "300 size_limit", seconds: 120, long: true, set: func(t *testing.T, dir string) {
			var p packing
			_, at := p.object(blob, bytes.Repeat([]byte("a"), 1<<20))
			var list [][]byte
			for i := range 300 {
				id := madeUp(fmt.Sprint(i))
				p.delta(id, at, copies(1<<20, 1<<20, 100))
				list = append(list, entry("100644", fmt.Sprintf("f%03d.txt", i), id))
			}
			p.with(t, dir, list...)
		}},
		{class: "objects", name: "a delta that is its own base", run: packHead, want: "circle", set: func(t *testing.T, dir string) {
			var p packing
			p.put(bombed, refDelta, 3, bombed[:], deflate([]byte{1, 1, 1}))
			p.with(t, dir, file)
		}},
		{class: "objects", name: "a commit that is its own base", run: packHead, want: "circle", set: func(t *testing.T, dir string) {
			var p packing
			p.put(bombed, refDelta, 3, bombed[:], deflate([]byte{1, 1, 1}))
			p.save(t, dir, bombed)
		}},
		{class: "objects", name: "3,000 files on a circle of 3,000 deltas", run: packHead, want: "3000 unreadable", set: func(t *testing.T, dir string) {
			var p packing
			var list [][]byte
			for i := range 3000 {
				base := madeUp(fmt.Sprint((i + 1) % 3000))
				p.put(madeUp(fmt.Sprint(i)), refDelta, 3, base[:], deflate([]byte{1, 1, 1}))
				list = append(list, entry("100644", fmt.Sprintf("f%04d.txt", i), madeUp(fmt.Sprint(i))))
			}
			p.with(t, dir, list...)
		}},
		{class: "objects", name: "a base before the pack", run: packHead, want: "no base", set: func(t *testing.T, dir string) {
			var p packing
			p.put(bombed, ofsDelta, 3, []byte{0xff, 0x7f}, deflate([]byte{1, 1, 1}))
			p.with(t, dir, file)
		}},
		{class: "objects", name: "a pack that claims 4G objects", run: packHead, want: "claims 4294967295 objects", set: func(t *testing.T, dir string) {
			p := packing{claim: 1<<32 - 1}
			p.with(t, dir)
			idx, _ := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.idx"))
			os.Truncate(idx[0], 1032+28*(1<<32-1)+40)
		}},
		{class: "objects", name: "an index that claims 4G objects", run: packHead, want: "another size", set: func(t *testing.T, dir string) {
			p := packing{claim: 1<<32 - 1}
			p.with(t, dir)
		}},
		{class: "objects", name: "5,000 files on a chain of 5,000 deltas", run: packHead, want: "4095 files, 905 unreadable", set: func(t *testing.T, dir string) {
			chain(t, dir, 5000, 2000)
		}},
		{class: "objects", name: "400 files of 8 MB on a chain", run: packHead, want: "limit", seconds: 180, long: true, set: func(t *testing.T, dir string) {
			chain(t, dir, 400, 8<<20)
		}},

		{class: "history", name: "1,500 merge bases", run: opened(merged), want: "base ", set: func(t *testing.T, dir string) {
			crisscross(t, dir, 1500, 0)
		}},
		{class: "history", name: "1,500 merge bases with clocks that go backwards", run: opened(merged), want: "base ", set: func(t *testing.T, dir string) {
			crisscross(t, dir, 1500, -1)
		}},
		{class: "history", name: "200,000 commits in a row, and nothing in common", run: opened(merged), want: "no commit in common", long: true, set: func(t *testing.T, dir string) {
			var p packing
			var last [20]byte
			for i := range 200_000 {
				var parents [][20]byte
				if i > 0 {
					parents = [][20]byte{last}
				}
				last, _ = p.object(commit, commitOf(madeUp("t"), int64(i), parents...))
			}
			p.save(t, dir, last)
			other := commitOf(madeUp("other"), 1)
			loose(t, dir, madeUp("o"), deflate(fmt.Appendf(nil, "commit %d\x00%s", len(other), other)))
			branch(t, dir, "other", madeUp("o"))
		}},
		{class: "history", name: "a commit of 80,000 parents", run: opened(merged), want: "not in this clone", set: func(t *testing.T, dir string) {
			var p packing
			var parents [][20]byte
			for i := range 80_000 {
				parents = append(parents, madeUp(fmt.Sprint(i)))
			}
			c, _ := p.object(commit, commitOf(madeUp("t"), 2, parents...))
			o, _ := p.object(commit, commitOf(madeUp("t"), 1))
			p.save(t, dir, c)
			branch(t, dir, "other", o)
		}},
		{class: "history", name: "4,000 messages of 4 MB by deltas", run: opened(merged), want: "base ", long: true, seconds: 120, set: func(t *testing.T, dir string) {
			var p packing
			text := commitOf(madeUp("t"), 5)
			text = append(text, bytes.Repeat([]byte("m"), 3<<20)...)
			root, at := p.object(commit, text)
			last := root
			body := int64(3 << 20)
			start := int64(len(text)) - body
			for i := range 4000 {
				id := madeUp(fmt.Sprint("c", i))
				own := commitOf(madeUp("t"), int64(10+i), last)
				d := append(varint(int64(len(text))), varint(int64(len(own))+body)...)
				for rest := own; len(rest) > 0; {
					n := min(len(rest), 127)
					d = append(append(d, byte(n)), rest[:n]...)
					rest = rest[n:]
				}
				d = append(d, 0xf1, byte(start), byte(body), byte(body>>8), byte(body>>16))
				p.delta(id, at, d)
				last = id
			}
			p.save(t, dir, last)
			branch(t, dir, "other", root)
		}},

		{class: "index", name: "names of version 4 that make 7.7 GB", run: opened(indexed), want: "much longer than that", set: func(t *testing.T, dir string) {
			simple(t, dir)
			b := indexHead(4, 60_001)
			b = append(append(append(b, indexEntry(0xfff)...), 0), append(bytes.Repeat([]byte("a"), 128<<10), 0)...)
			for i := range 60_000 {
				strip := []byte{0}
				if i > 0 {
					strip = []byte{2}
				}
				b = append(append(append(b, indexEntry(0xfff)...), strip...), byte('b'+i%20), byte('b'+i/20%20), 0)
			}
			write(t, dir, ".git/index", append(b, make([]byte, 20)...))
		}},
		{class: "index", name: "4G entries in 100 bytes", run: opened(indexed), want: "claims 4294967295 entries", set: func(t *testing.T, dir string) {
			simple(t, dir)
			write(t, dir, ".git/index", append(indexHead(2, 1<<32-1), make([]byte, 100)...))
		}},
		{class: "index", name: "900 MB of nothing", run: opened(indexed), want: "larger than 268435456 bytes", set: func(t *testing.T, dir string) {
			simple(t, dir)
			sparse(t, dir, ".git/index", string(indexHead(2, 10)), 900<<20)
		}},
		{class: "index", name: "two million entries", run: opened(indexed), want: "the limit", set: func(t *testing.T, dir string) {
			simple(t, dir)
			sparse(t, dir, ".git/index", string(indexHead(2, 2_000_000)), 200<<20)
		}},
		{class: "index", name: "an extension that claims 4 GB", run: opened(indexed), want: "taken instead", set: func(t *testing.T, dir string) {
			simple(t, dir)
			b := append(indexHead(2, 0), "TREE\xff\xff\xff\xff"...)
			write(t, dir, ".git/index", append(b, make([]byte, 60)...))
		}},
	}
}

// simple is a repository of one file.
func simple(t *testing.T, dir string) {
	var p packing
	id, _ := p.object(blob, []byte("x\n"))
	p.with(t, dir, entry("100644", "a.txt", id))
}

// chain makes n files, each a difference from the one before, the last named first.
func chain(t *testing.T, dir string, n, size int) {
	var p packing
	line := []byte("some text that says nothing\n")
	_, at := p.object(blob, bytes.Repeat(line, size/len(line)+1)[:size])
	list := make([][]byte, n)
	for i := range n {
		id := madeUp(fmt.Sprint("f", i))
		d := append(varint(int64(size)), varint(int64(size))...)
		d = append(d, 5)
		d = fmt.Appendf(d, "%05d", i)
		// The rest as it was.
		for from := 5; from < size; {
			k := min(size-from, 0xffffff)
			d = append(d, 0xff, byte(from), byte(from>>8), byte(from>>16), byte(from>>24), byte(k), byte(k>>8), byte(k>>16))
			from += k
		}
		at = p.delta(id, at, d)
		list[n-1-i] = entry("100644", fmt.Sprintf("f%05d.txt", n-1-i), id)
	}
	p.with(t, dir, list...)
}

// crisscross makes two branches that have n merge bases, dated step apart.
func crisscross(t *testing.T, dir string, n int, step int64) {
	var p packing
	root, _ := p.object(commit, commitOf(madeUp("t"), 1))
	var all [][20]byte
	for i := range n {
		c, _ := p.object(commit, commitOf(madeUp(fmt.Sprint("t", i)), 1_000_000+int64(i)*step, root))
		all = append(all, c)
	}
	a, _ := p.object(commit, commitOf(madeUp("a"), 2_000_000, all...))
	b, _ := p.object(commit, commitOf(madeUp("b"), 2_000_001, all...))
	p.save(t, dir, a)
	branch(t, dir, "other", b)
}

// gitFiles asks for everything that git's own files say.
func gitFiles(dir string) (string, error) {
	r, err := repo.Open(dir)
	if err != nil {
		return "", err
	}
	defer r.Close()
	_, err = r.Head()
	said, e := indexed(r)
	said += fmt.Sprintf(", %d of exclude, shallow %v", len(r.InfoExclude()), r.IsShallow())
	if _, e2 := r.Resolve("no-such-branch"); e2 == nil {
		said += ", resolved"
	}
	r.DefaultBranches()
	return said, errors.Join(err, e)
}

func gitFileAttacks() []attack {
	var all []attack
	for _, f := range []struct{ name, head, want string }{
		{"HEAD", "ref: refs/heads/main\n", "the limit is 65536 bytes"},
		{"config", "[core]\n", "larger than 4194304 bytes"},
		{"config.worktree", "[core]\n", "1 files"},
		{"info/exclude", "*.o\n", "0 of exclude"},
		{"info/attributes", "* text\n", "converted false"},
		{"objects/info/alternates", "/tmp\n", "1 files"},
		{"commondir", "..\n", "1 files"},
		{"packed-refs", "# pack-refs\n", "1 files"},
		{"shallow", "1111111111111111111111111111111111111111\n", "1 files"},
		{"refs/heads/main", "1111111111111111111111111111111111111111\n", "the limit is 65536 bytes"},
	} {
		set := func(t *testing.T, dir string) {
			simple(t, dir)
			b := append(indexHead(2, 1), indexEntry(5)...)
			b = append(b, "a.txt\x00\x00\x00\x00\x00"...)
			write(t, dir, ".git/index", append(b, make([]byte, 20)...))
		}
		all = append(all,
			attack{class: "git files", name: f.name + " of 900 MB", run: gitFiles, want: f.want, mebibytes: 256, set: func(t *testing.T, dir string) {
				set(t, dir)
				sparse(t, dir, ".git/"+f.name, f.head, 900<<20)
			}},
			attack{class: "git files", name: f.name + " is a FIFO", run: gitFiles, seconds: 10, mebibytes: 256, set: func(t *testing.T, dir string) {
				set(t, dir)
				fifo(t, filepath.Join(dir, ".git", f.name))
			}},
			attack{class: "git files", name: f.name + " is /dev/zero", run: gitFiles, seconds: 10, mebibytes: 256, set: func(t *testing.T, dir string) {
				set(t, dir)
				name := filepath.Join(dir, ".git", f.name)
				os.MkdirAll(filepath.Dir(name), 0o755)
				os.Remove(name)
				if err := os.Symlink("/dev/zero", name); err != nil {
					t.Fatal(err)
				}
			}},
		)
	}
	return append(all,
		attack{class: "git files", name: "3 MB of one-byte configuration", run: gitFiles, set: func(t *testing.T, dir string) {
			simple(t, dir)
			write(t, dir, ".git/config", []byte(strings.Repeat("[a]\nb\n", 500_000)))
		}},
		attack{class: "git files", name: "60 MB of packed references", run: gitFiles, mebibytes: 1024, long: true, set: func(t *testing.T, dir string) {
			simple(t, dir)
			var b bytes.Buffer
			for i := range 1_000_000 {
				fmt.Fprintf(&b, "%040x refs/tags/%d\n", i+1, i)
			}
			write(t, dir, ".git/packed-refs", b.Bytes())
		}},
		attack{class: "git files", name: "references 1,500 folders deep", run: gitFiles, want: "1 files", seconds: 20, set: func(t *testing.T, dir string) {
			simple(t, dir)
			b := append(indexHead(2, 1), indexEntry(5)...)
			b = append(b, "a.txt\x00\x00\x00\x00\x00"...)
			write(t, dir, ".git/index", append(b, make([]byte, 20)...))
			if err := os.MkdirAll(filepath.Join(dir, ".git/refs/tags"+strings.Repeat("/d", 1500)), 0o755); err != nil {
				t.Fatal(err)
			}
		}},
		attack{class: "git files", name: "30,000 loose references", run: gitFiles, want: "1 files", long: true, set: func(t *testing.T, dir string) {
			simple(t, dir)
			b := append(indexHead(2, 1), indexEntry(5)...)
			b = append(b, "a.txt\x00\x00\x00\x00\x00"...)
			write(t, dir, ".git/index", append(b, make([]byte, 20)...))
			for i := range 30_000 {
				write(t, dir, fmt.Sprintf(".git/refs/tags/%d/%d", i/1000, i), fmt.Appendf(nil, "%040x\n", i+1))
			}
		}},
		attack{class: "git files", name: "alternates in a circle", run: gitFiles, set: func(t *testing.T, dir string) {
			simple(t, dir)
			var b strings.Builder
			for i := range 1000 {
				at := filepath.Join(dir, "alt", fmt.Sprint(i), "objects")
				os.MkdirAll(at, 0o755)
				fmt.Fprintln(&b, at)
				write(t, at, "info/alternates", []byte(filepath.Join(dir, ".git/objects")+"\n"))
			}
			write(t, dir, ".git/objects/info/alternates", []byte(b.String()))
		}},
	)
}
