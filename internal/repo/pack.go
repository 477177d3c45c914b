package repo

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// The formats are those of git's gitformat-pack(5).

const (
	packHead   = 12
	trailer    = sha1.Size
	fanout     = 256
	indexHead  = 8
	indexNames = indexHead + 4*fanout
	// indexMark is what an index begins with from version 2 on; the first has no mark. In the first an entry is an offset and
	// an id, behind a table of the same form.
	indexMark  = "\xfftOc"
	firstEntry = 4 + 20
	// indexInMemory is how large the ids of an index may be to be held: those of 1.6
	// million objects. Of a larger one the file is asked.
	indexInMemory = 32 << 20
)

// pack is an open pack with its index.
type pack struct {
	f     *os.File
	end   int64 // of the objects
	idx   *os.File
	names io.ReaderAt // the sorted ids
	count int64
	fan   [fanout]uint32
	large int64 // 64-bit offsets
	first bool  // the index is of version 1: each offset stands before its id, all of them are of 32 bits
	// ids stands in for the index of a pack that has none yet.
	ids map[plumbing.Hash]int64
}

func (p *pack) close() error {
	return errors.Join(p.f.Close(), p.idx.Close())
}

// openPack opens the pack whose name without ".pack" is stem.
func openPack(stem string) (*pack, error) {
	idx, idxInfo, err := tree.OpenRegular(stem + ".idx")
	if err != nil {
		return nil, err
	}
	f, info, err := tree.OpenRegular(stem + ".pack")
	if err != nil {
		idx.Close()
		return nil, err
	}
	p := &pack{f: f, idx: idx, end: info.Size() - trailer}
	if err := p.readIndex(idxInfo.Size(), info.Size()); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// readIndex checks the index, of size bytes, against the pack, of packSize bytes.
func (p *pack) readIndex(size, packSize int64) error {
	var head [indexNames]byte
	var pack [packHead]byte
	if size < indexNames-indexHead+2*trailer || packSize < packHead+trailer {
		return damaged("the pack or its index is too short")
	}
	if n, err := p.idx.ReadAt(head[:], 0); err != nil && n < indexNames-indexHead {
		return err
	}
	if _, err := p.f.ReadAt(pack[:], 0); err != nil {
		return err
	}
	fan := head[indexHead:]
	switch version := binary.BigEndian.Uint32(head[4:]); {
	case string(head[:4]) != indexMark:
		p.first, fan = true, head[:indexNames-indexHead]
	case version != 2:
		return fmt.Errorf("the pack's index is of version %d, and 1 and 2 are read: %w", version, ErrFormat)
	}
	if v := binary.BigEndian.Uint32(pack[4:]); string(pack[:4]) != "PACK" || v != 2 && v != 3 {
		if string(pack[:4]) == "PACK" {
			return fmt.Errorf("the pack is of version %d, and 2 and 3 are read: %w", v, ErrFormat)
		}
		return damaged("not a pack")
	}
	last := uint32(0)
	for i := range p.fan {
		p.fan[i] = binary.BigEndian.Uint32(fan[4*i:])
		if p.fan[i] < last {
			return damaged("the pack's index is out of order")
		}
		last = p.fan[i]
	}
	p.count = int64(last)
	rest := size - indexNames - p.count*(20+4+4) - 2*trailer
	if p.first {
		rest = size - (indexNames - indexHead) - p.count*firstEntry - 2*trailer
	}
	if p.large = rest / 8; rest < 0 || rest%8 != 0 || p.large > p.count || p.first && rest > 0 {
		return damaged("the pack's index has another size than its objects need")
	}
	if claimed := int64(binary.BigEndian.Uint32(pack[8:])); claimed < p.count || claimed > (packSize-packHead-trailer)/leastObject {
		return damaged("the pack claims %d objects, and its index %d; its %d bytes may hold %d", claimed, p.count, packSize, (packSize-packHead-trailer)/leastObject)
	}
	var sums [2][trailer]byte
	if _, err := p.idx.ReadAt(sums[0][:], size-2*trailer); err != nil {
		return err
	}
	if _, err := p.f.ReadAt(sums[1][:], p.end); err != nil {
		return err
	}
	if sums[0] != sums[1] {
		return damaged("the pack's index is another pack's")
	}
	if p.first {
		return p.readFirst()
	}
	p.names = io.NewSectionReader(p.idx, indexNames, 20*p.count)
	if n := 20 * p.count; n <= indexInMemory {
		b := make([]byte, n)
		if _, err := p.idx.ReadAt(b, indexNames); err != nil {
			return err
		}
		p.names = bytes.NewReader(b)
	}
	return nil
}

// readFirst gathers the ids of an index of version 1, which old versions of git wrote, as those of version 2 stand.
func (p *pack) readFirst() error {
	if 20*p.count > indexInMemory {
		return fmt.Errorf("the pack's index is of version 1 and has %d objects, and %d are read; git index-pack writes it anew: %w", p.count, indexInMemory/20, ErrFormat)
	}
	ids := make([]byte, 0, 20*p.count)
	entries := io.NewSectionReader(p.idx, indexNames-indexHead, firstEntry*p.count)
	in := bufio.NewReader(entries)
	var entry [firstEntry]byte
	for range p.count {
		if _, err := io.ReadFull(in, entry[:]); err != nil {
			return err
		}
		ids = append(ids, entry[4:]...)
	}
	p.names = bytes.NewReader(ids)
	return nil
}

// find returns where the object h begins.
func (p *pack) find(h plumbing.Hash) (at int64, ok bool, err error) {
	if p.ids != nil {
		at, ok = p.ids[h]
		return at, ok, nil
	}
	lo, hi := int64(0), int64(p.fan[h[0]])
	if h[0] > 0 {
		lo = int64(p.fan[h[0]-1])
	}
	var id plumbing.Hash
	for lo < hi {
		mid := (lo + hi) / 2
		if _, err := p.names.ReadAt(id[:], 20*mid); err != nil {
			return 0, false, err
		}
		switch c := bytes.Compare(id[:], h[:]); {
		case c == 0:
			at, err := p.offset(mid)
			return at, err == nil, err
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0, false, nil
}

// offset returns where the ith object of the index begins.
func (p *pack) offset(i int64) (int64, error) {
	var b [8]byte
	place := indexNames + p.count*(20+4) + 4*i
	if p.first {
		place = indexNames - indexHead + firstEntry*i
	}
	if _, err := p.idx.ReadAt(b[:4], place); err != nil {
		return 0, err
	}
	at := int64(binary.BigEndian.Uint32(b[:4]))
	if at >= 1<<31 && !p.first {
		if at -= 1 << 31; at >= p.large {
			return 0, damaged("an offset in the pack's index leads nowhere")
		}
		if _, err := p.idx.ReadAt(b[:], indexNames+p.count*(20+4+4)+8*at); err != nil {
			return 0, err
		}
		at = int64(binary.BigEndian.Uint64(b[:]))
	}
	if at < packHead || at >= p.end {
		return 0, damaged("an offset in the pack's index leads out of the pack")
	}
	return at, nil
}

// withPrefix returns the ids that begin with prefix.
func (p *pack) withPrefix(prefix []byte) ([]plumbing.Hash, error) {
	var err error
	var id plumbing.Hash
	read := func(i int) plumbing.Hash {
		if _, e := p.names.ReadAt(id[:], 20*int64(i)); e != nil && err == nil {
			err = e
		}
		return id
	}
	first := sort.Search(int(p.count), func(i int) bool { h := read(i); return bytes.Compare(h[:], prefix) >= 0 })
	var found []plumbing.Hash
	for i := first; i < int(p.count) && err == nil; i++ {
		h := read(i)
		if !bytes.HasPrefix(h[:], prefix) {
			break
		}
		found = append(found, h)
	}
	return found, err
}

// entryHead is the head of an object in a pack.
type entryHead struct {
	at   int64 // where it begins
	data int64 // where its zlib stream begins
	typ  plumbing.ObjectType
	size int64         // inflated
	from int64         // of OFSDeltaObject, where the base begins
	base plumbing.Hash // of REFDeltaObject
}

func (e *entryHead) delta() bool {
	return e.typ == plumbing.OFSDeltaObject || e.typ == plumbing.REFDeltaObject
}

// longestHead is the longest head of an object: ten bytes of size, and an id.
const longestHead = 10 + sha1.Size

// entry reads the head of the object at a place.
func (p *pack) entry(at int64) (entryHead, error) {
	var b [longestHead]byte
	n, err := p.f.ReadAt(b[:min(longestHead, max(0, p.end-at))], at)
	if err != nil && err != io.EOF {
		return entryHead{}, err
	}
	return parseEntry(b[:n], at, p.end)
}

// parseEntry reads the head of the object that begins at a place, where its pack's
// objects end at end.
func parseEntry(b []byte, at, end int64) (entryHead, error) {
	bad := func() (entryHead, error) { return entryHead{}, damaged("the object at %d has no readable head", at) }
	if len(b) == 0 {
		return bad()
	}
	e := entryHead{at: at, typ: plumbing.ObjectType(b[0] >> 4 & 7), size: int64(b[0] & 15)}
	i := 1
	for shift := 4; b[i-1]&0x80 != 0; i, shift = i+1, shift+7 {
		if i == len(b) || shift > 4+7*7 {
			return bad()
		}
		e.size |= int64(b[i]&0x7f) << shift
	}
	switch e.typ {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
	case plumbing.OFSDeltaObject:
		back := int64(0)
		for first := true; ; first = false {
			if i == len(b) || back > 1<<54 {
				return bad()
			}
			c := b[i]
			i++
			if !first {
				back++
			}
			if back = back<<7 | int64(c&0x7f); c&0x80 == 0 {
				break
			}
		}
		if e.from = at - back; back <= 0 || e.from < packHead {
			return entryHead{}, damaged("the difference at %d has no base", at)
		}
	case plumbing.REFDeltaObject:
		if len(b) < i+sha1.Size {
			return bad()
		}
		i += copy(e.base[:], b[i:])
	default:
		return bad()
	}
	e.data = at + int64(i)
	// No stream makes more of what is left of the pack.
	if e.size < 0 || e.size/inflation > end-e.data {
		return entryHead{}, damaged("the object at %d claims %d bytes", at, e.size)
	}
	return e, nil
}

// read inflates an object, or a difference, as it is stored.
func (p *pack) read(e entryHead) ([]byte, error) {
	if e.size > maxWhole {
		return nil, &TooLargeError{"a difference between objects is larger than is read", maxWhole}
	}
	in, err := inflate(p.f, e.data, p.end-e.data)
	if err != nil {
		return nil, err
	}
	defer in.release()
	return whole(in, e.size)
}

// resultSize returns the size of what a difference makes of its base.
func (p *pack) resultSize(e entryHead) (int64, error) {
	in, err := inflate(p.f, e.data, p.end-e.data)
	if err != nil {
		return 0, err
	}
	defer in.release()
	var b [20]byte
	n, err := io.ReadFull(in, b[:min(20, e.size)])
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return 0, err
	}
	_, size, _, err := deltaHead(b[:n])
	return size, err
}

func deltaHead(b []byte) (base, result int64, rest []byte, err error) {
	var sizes [2]int64
	for i := range sizes {
		for shift := 0; ; shift += 7 {
			if len(b) == 0 || shift > 7*7 {
				return 0, 0, nil, damaged("a difference between objects has no head")
			}
			c := b[0]
			b = b[1:]
			sizes[i] |= int64(c&0x7f) << shift
			if c&0x80 == 0 {
				break
			}
		}
	}
	return sizes[0], sizes[1], b, nil
}

// applyDelta makes an object of its base and a difference.
func applyDelta(base, delta []byte) ([]byte, error) {
	bad := damaged("a difference between objects does not fit its base")
	from, size, d, err := deltaHead(delta)
	if err != nil {
		return nil, err
	}
	if from != int64(len(base)) || size > maxWhole {
		return nil, bad
	}
	out := make([]byte, 0, size)
	for len(d) > 0 {
		op := d[0]
		d = d[1:]
		if op&0x80 == 0 { // as it stands in the difference
			n := int(op)
			if n == 0 || n > len(d) || len(out)+n > int(size) {
				return nil, bad
			}
			out = append(out, d[:n]...)
			d = d[n:]
			continue
		}
		var at, n int
		for i := range 7 {
			if op>>i&1 == 0 {
				continue
			}
			if len(d) == 0 {
				return nil, bad
			}
			if i < 4 {
				at |= int(d[0]) << (8 * i)
			} else {
				n |= int(d[0]) << (8 * (i - 4))
			}
			d = d[1:]
		}
		if n == 0 {
			n = 0x10000
		}
		if at > len(base) || n > len(base)-at || len(out)+n > int(size) {
			return nil, bad
		}
		out = append(out, base[at:at+n]...)
	}
	if len(out) != int(size) {
		return nil, bad
	}
	return out, nil
}
