//go:build linux

package hostile

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Types of objects in a pack.
const (
	commit = 1 + iota
	treeType
	blob
	tag
	_
	ofsDelta
	refDelta
)

// packing is a pack in the making. Its ids are made up where nothing depends on
// them: a reader that trusts the index cannot tell.
type packing struct {
	bytes.Buffer
	claim uint32 // objects that its head claims, if not 0
	at    []placed
}

type placed struct {
	id [20]byte
	at int
}

func madeUp(name string) (id [20]byte) { return sha1.Sum([]byte(name)) }

func deflated(write func(io.Writer)) []byte {
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	write(z)
	z.Close()
	return b.Bytes()
}

func deflate(b []byte) []byte { return deflated(func(w io.Writer) { w.Write(b) }) }

// repeat is a stream of n bytes.
func repeat(b byte, n int64) []byte {
	return deflated(func(w io.Writer) {
		for chunk := bytes.Repeat([]byte{b}, 1<<20); n > 0; n -= 1 << 20 {
			w.Write(chunk[:min(n, 1<<20)])
		}
	})
}

func head(typ int, size int64) []byte {
	b := []byte{byte(typ)<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		b[len(b)-1] |= 0x80
		b = append(b, byte(size&0x7f))
	}
	return b
}

// put adds an object: its head says typ and size, extra is its base, stream what
// follows.
func (p *packing) put(id [20]byte, typ int, size int64, extra, stream []byte) int {
	if p.Len() == 0 {
		p.WriteString("PACK\x00\x00\x00\x02\x00\x00\x00\x00")
	}
	at := p.Len()
	p.at = append(p.at, placed{id, at})
	p.Write(head(typ, size))
	p.Write(extra)
	p.Write(stream)
	return at
}

func (p *packing) object(typ int, content []byte) (id [20]byte, at int) {
	name := map[int]string{commit: "commit", treeType: "tree", blob: "blob", tag: "tag"}[typ]
	id = sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", name, len(content), content))
	return id, p.put(id, typ, int64(len(content)), nil, deflate(content))
}

// delta adds an object as a difference from the one at a place.
func (p *packing) delta(id [20]byte, base int, delta []byte) int {
	back := p.Len() - base
	enc := []byte{byte(back & 0x7f)}
	for back >>= 7; back > 0; back >>= 7 {
		back--
		enc = append(enc, 0x80|byte(back&0x7f))
	}
	slices.Reverse(enc)
	return p.put(id, ofsDelta, int64(len(delta)), enc, deflate(delta))
}

func varint(n int64) []byte { return binary.AppendUvarint(nil, uint64(n)) }

// copies is a difference that takes n bytes from the start of a base of from bytes,
// so often.
func copies(from, n int64, times int) []byte {
	d := append(varint(from), varint(n*int64(times))...)
	for range times {
		d = append(d, 0xf0, byte(n), byte(n>>8), byte(n>>16))
	}
	return d
}

func (p *packing) done() []byte {
	b := bytes.Clone(p.Bytes())
	n := p.claim
	if n == 0 {
		n = uint32(len(p.at))
	}
	binary.BigEndian.PutUint32(b[8:], n)
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

// save makes a repository in dir of the pack, with a branch at main.
func (p *packing) save(t *testing.T, dir string, main [20]byte) {
	t.Helper()
	bare(t, dir, hex.EncodeToString(main[:]))
	b := p.done()
	sum := b[len(b)-20:]
	stem := filepath.Join(dir, ".git/objects/pack/pack-"+hex.EncodeToString(sum))
	os.MkdirAll(filepath.Dir(stem), 0o755)
	if err := os.WriteFile(stem+".pack", b, 0o644); err != nil {
		t.Fatal(err)
	}
	list := slices.Clone(p.at)
	slices.SortFunc(list, func(a, b placed) int { return bytes.Compare(a.id[:], b.id[:]) })
	x := []byte("\xfftOc\x00\x00\x00\x02")
	n := 0
	for first := range 256 {
		for n < len(list) && int(list[n].id[0]) == first {
			n++
		}
		count := n
		if p.claim != 0 && first == 255 {
			count = int(p.claim)
		}
		x = binary.BigEndian.AppendUint32(x, uint32(count))
	}
	for _, o := range list {
		x = append(x, o.id[:]...)
	}
	x = append(x, make([]byte, 4*len(list))...)
	for _, o := range list {
		x = binary.BigEndian.AppendUint32(x, uint32(o.at))
	}
	x = append(x, sum...)
	own := sha1.Sum(x)
	if err := os.WriteFile(stem+".idx", append(x, own[:]...), 0o644); err != nil {
		t.Fatal(err)
	}
}

// bare makes a repository without objects.
func bare(t *testing.T, dir, main string) {
	t.Helper()
	write(t, dir, ".git/HEAD", []byte("ref: refs/heads/main\n"))
	write(t, dir, ".git/config", []byte("[core]\n\trepositoryformatversion = 0\n"))
	write(t, dir, ".git/refs/heads/main", []byte(main+"\n"))
	os.MkdirAll(filepath.Join(dir, ".git/objects/pack"), 0o755)
}

// loose writes an object on its own.
func loose(t *testing.T, dir string, id [20]byte, stream []byte) {
	h := hex.EncodeToString(id[:])
	write(t, dir, ".git/objects/"+h[:2]+"/"+h[2:], stream)
}

func entry(mode, name string, id [20]byte) []byte {
	return append([]byte(mode+" "+name+"\x00"), id[:]...)
}

// commitOf is a commit's text.
func commitOf(root [20]byte, when int64, parents ...[20]byte) []byte {
	b := fmt.Appendf(nil, "tree %x\n", root)
	for _, p := range parents {
		b = fmt.Appendf(b, "parent %x\n", p)
	}
	return fmt.Appendf(b, "author a <a@b> %d +0000\ncommitter a <a@b> %d +0000\n\nx\n", when, when)
}

// with saves the pack with a commit of one tree that holds entries.
func (p *packing) with(t *testing.T, dir string, entries ...[]byte) {
	root, _ := p.object(treeType, bytes.Join(entries, nil))
	c, _ := p.object(commit, commitOf(root, 1700000000))
	p.save(t, dir, c)
}
