package repo

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"
)

const (
	// maxPack bounds a pack that is fetched: the largest repository that GitHub
	// recommends has 10 GB with its history, and a single commit is asked for.
	maxPack = 8 << 30
	// maxReceived bounds the objects of a pack that is fetched; Linux with its
	// history has eleven million.
	maxReceived = 12_000_000
	// maxReceivedSize bounds one object of it. GitHub takes none over 100 MB.
	maxReceivedSize = 4 << 30
	// unpackedOf is how many times its size a pack may inflate to beyond maxWork.
	unpackedOf = 50
)

// PackfileWriter returns what go-git writes a fetched pack to. While it comes in it
// is checked and written to a temporary file; when it is closed it gets its index
// and its name.
func (s *store) PackfileWriter() (io.WriteCloser, error) {
	dir := filepath.Join(s.dir, "objects", "pack")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "tmp_pack_*")
	if err != nil {
		return nil, err
	}
	in, out := io.Pipe()
	r := &receiver{store: s, f: f, dir: dir, pipe: out, done: make(chan error, 1)}
	go func() {
		err := func() (err error) {
			defer caught(&err)
			return r.receive(in)
		}()
		in.CloseWithError(err) // ends the writer, if anything is left
		r.done <- err
	}()
	return r, nil
}

// receiver is one pack on its way in.
type receiver struct {
	store *store
	f     *os.File
	dir   string
	pipe  *io.PipeWriter
	done  chan error

	objects []packObject
	deltas  int
	work    int64 // bytes inflated
	sum     plumbing.Hash
}

// packObject is an object of a pack.
type packObject struct {
	at  int64
	crc uint32
	id  plumbing.Hash // zero for what is stored as a difference, at first
}

func (r *receiver) Write(p []byte) (int, error) { return r.pipe.Write(p) }

// Close waits for the pack to be checked, and puts it where it belongs.
func (r *receiver) Close() error {
	r.pipe.Close()
	err := <-r.done
	if err == nil && len(r.objects) > 0 {
		err = r.keep()
	} else {
		r.f.Close()
	}
	if err != nil || len(r.objects) == 0 {
		os.Remove(r.f.Name())
	}
	return err
}

// stream reads a pack once: it hashes, sums and keeps what is read.
type stream struct {
	in   *bufio.Reader
	out  *bufio.Writer
	sum  hash.Hash
	crc  uint32
	at   int64
	most int64
	one  [1]byte
}

func (s *stream) ReadByte() (byte, error) {
	b, err := s.in.ReadByte()
	if err != nil {
		return 0, err
	}
	s.one[0] = b
	return b, s.took(s.one[:])
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	if e := s.took(p[:n]); e != nil {
		return n, e
	}
	return n, err
}

func (s *stream) took(p []byte) error {
	if s.at += int64(len(p)); s.at > s.most {
		return &TooLargeError{"the server sends a pack without end", s.most}
	}
	s.sum.Write(p)
	s.crc = crc32.Update(s.crc, crc32.IEEETable, p)
	_, err := s.out.Write(p)
	return err
}

// receive reads the pack and notes where its objects are.
func (r *receiver) receive(pipe io.Reader) error {
	s := &stream{in: bufio.NewReaderSize(pipe, 64<<10), out: bufio.NewWriterSize(r.f, 256<<10), sum: sha1.New(), most: maxPack}
	var head [packHead]byte
	if _, err := io.ReadFull(s, head[:]); err != nil {
		return cutOff(err)
	}
	if string(head[:4]) != "PACK" || binary.BigEndian.Uint32(head[4:]) != 2 {
		return damaged("the server sent no pack")
	}
	count := binary.BigEndian.Uint32(head[8:])
	if count > maxReceived {
		return damaged("the server's pack claims %d objects, and the limit is %d", count, maxReceived)
	}
	var z io.ReadCloser
	buf := make([]byte, 64<<10)
	for range count {
		o := packObject{at: s.at}
		s.crc = 0
		e, err := s.entry()
		if err != nil {
			return cutOff(err)
		}
		if z == nil {
			z, err = zlib.NewReader(s)
		} else {
			err = z.(zlib.Resetter).Reset(s, nil)
		}
		if err != nil {
			return cutOff(err)
		}
		if e.size > maxReceivedSize {
			return &TooLargeError{fmt.Sprintf("the server sends an object of %d bytes", e.size), maxReceivedSize}
		}
		var sum hash.Hash
		var to io.Writer = io.Discard
		if e.delta() {
			r.deltas++
		} else {
			if e.typ != plumbing.BlobObject {
				if err := checkSize(e.typ, e.size); err != nil {
					return err
				}
			}
			sum = sha1.New()
			fmt.Fprintf(sum, "%s %d\x00", e.typ, e.size)
			to = sum
		}
		if err := r.works(e.size, s.at); err != nil {
			return err
		}
		n, err := io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{io.LimitReader(z, e.size)}, buf)
		if err != nil {
			return cutOff(err)
		}
		if n < e.size {
			return errShort
		}
		if err := ended(z); err != nil {
			return cutOff(err)
		}
		if sum != nil {
			sum.Sum(o.id[:0])
		}
		o.crc = s.crc
		r.objects = append(r.objects, o)
	}
	sum := s.sum.Sum(nil)
	if _, err := io.ReadFull(s, r.sum[:]); err != nil {
		return cutOff(err)
	}
	if !bytes.Equal(sum, r.sum[:]) {
		return damaged("the pack's checksum is wrong")
	}
	// What follows a pack is not the pack's.
	_, err := io.Copy(io.Discard, io.LimitReader(s.in, 1<<20))
	if err == nil {
		err = s.out.Flush()
	}
	return err
}

// works counts what is made of the pack, of which have bytes are there.
func (r *receiver) works(n, have int64) error {
	if r.work += n; r.work > maxWork+unpackedOf*have {
		return &TooLargeError{"the server's pack unpacks to too much", maxWork + unpackedOf*have}
	}
	return nil
}

// entry reads the head of the next object.
func (s *stream) entry() (entryHead, error) {
	var b [longestHead]byte
	at, n := s.at, 0
	next := func() (err error) {
		if n == len(b) {
			return damaged("the object at %d has no readable head", at)
		}
		b[n], err = s.ReadByte()
		n++
		return err
	}
	more := func() error {
		for {
			if err := next(); err != nil || b[n-1]&0x80 == 0 {
				return err
			}
		}
	}
	if err := more(); err != nil {
		return entryHead{}, err
	}
	switch plumbing.ObjectType(b[0] >> 4 & 7) {
	case plumbing.OFSDeltaObject:
		if err := more(); err != nil {
			return entryHead{}, err
		}
	case plumbing.REFDeltaObject:
		for range sha1.Size {
			if err := next(); err != nil {
				return entryHead{}, err
			}
		}
	}
	return parseEntry(b[:n], at, s.most)
}

// cutOff is the error of a stream that ended too soon.
func cutOff(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// keep finds the ids of what is stored as differences, writes the index, and gives
// both files their names.
func (r *receiver) keep() error {
	info, err := r.f.Stat()
	if err != nil {
		r.f.Close()
		return err
	}
	p := &pack{f: r.f, end: info.Size() - trailer}
	if r.deltas > 0 {
		err = r.resolve(p)
	}
	if e := r.f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	idx, err := os.CreateTemp(r.dir, "tmp_idx_*")
	if err != nil {
		return err
	}
	defer os.Remove(idx.Name())
	err = r.writeIndex(idx)
	if e := idx.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	// The pack comes first: one without an index is not looked at.
	stem := filepath.Join(r.dir, "pack-"+hex.EncodeToString(r.sum[:]))
	r.store.folders[0].reset() // which may hold one of that name open
	if err := os.Rename(r.f.Name(), stem+".pack"); err != nil {
		return err
	}
	return os.Rename(idx.Name(), stem+".idx")
}

// resolve finds the ids of the objects that are stored as differences: each comes
// after its base.
func (r *receiver) resolve(p *pack) error {
	type child struct {
		base int64
		of   int32
	}
	var byPlace []child
	byID := map[plumbing.Hash][]int32{}
	ready := make([]int32, 0, len(r.objects)-r.deltas)
	for i, o := range r.objects {
		if o.id != plumbing.ZeroHash {
			ready = append(ready, int32(i))
			continue
		}
		e, err := p.entry(o.at)
		if err != nil {
			return err
		}
		if e.typ == plumbing.OFSDeltaObject {
			byPlace = append(byPlace, child{e.from, int32(i)})
		} else {
			byID[e.base] = append(byID[e.base], int32(i))
		}
	}
	slices.SortFunc(byPlace, func(a, b child) int {
		if a.base != b.base {
			return int(min(max(a.base-b.base, -1), 1))
		}
		return int(b.of - a.of)
	})
	slices.Reverse(ready) // it is a stack, and what comes first is looked at first
	if len(byID) > 0 {
		p.ids = make(map[plumbing.Hash]int64, len(r.objects))
	}
	o := &objects{shared: &objectStore{}}
	left := r.deltas
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		at := &r.objects[i]
		if at.id == plumbing.ZeroHash {
			obj, err := o.packed(plumbing.ZeroHash, place{pack: p, at: at.at})
			if err != nil {
				return err
			}
			b, err := content(obj)
			if err != nil {
				return err
			}
			sum := sha1.New()
			fmt.Fprintf(sum, "%s %d\x00", obj.Type(), len(b))
			sum.Write(b)
			sum.Sum(at.id[:0])
			left--
			if err := r.works(int64(len(b)), p.end); err != nil {
				return err
			}
			o.shared.work = 0 // counted here
		}
		if p.ids != nil {
			if _, twice := p.ids[at.id]; !twice {
				p.ids[at.id] = at.at
			}
			ready = append(ready, byID[at.id]...)
			delete(byID, at.id)
		}
		k, _ := slices.BinarySearchFunc(byPlace, at.at, func(c child, at int64) int { return int(min(max(c.base-at, -1), 1)) })
		for ; k < len(byPlace) && byPlace[k].base == at.at; k++ {
			ready = append(ready, byPlace[k].of)
		}
	}
	if left > 0 {
		return damaged("%d objects of the server's pack are differences from what is not in it", left)
	}
	return nil
}

// writeIndex writes the index of the pack, in version 2.
func (r *receiver) writeIndex(f io.Writer) error {
	slices.SortFunc(r.objects, func(a, b packObject) int {
		if c := bytes.Compare(a.id[:], b.id[:]); c != 0 {
			return c
		}
		return int(min(max(a.at-b.at, -1), 1))
	})
	sum := sha1.New()
	buf := bufio.NewWriterSize(f, 256<<10)
	w := io.MultiWriter(buf, sum)
	var err error
	put := func(b []byte) {
		if err == nil {
			_, err = w.Write(b)
		}
	}
	put32 := func(n uint32) { put(binary.BigEndian.AppendUint32(nil, n)) }
	put([]byte("\xfftOc\x00\x00\x00\x02"))
	n := 0
	for first := range fanout {
		for n < len(r.objects) && int(r.objects[n].id[0]) == first {
			n++
		}
		put32(uint32(n))
	}
	for i := range r.objects {
		put(r.objects[i].id[:])
	}
	for i := range r.objects {
		put32(r.objects[i].crc)
	}
	var large []int64
	for i := range r.objects {
		at := r.objects[i].at
		if at >= 1<<31 {
			large = append(large, at)
			at = 1<<31 + int64(len(large)) - 1
		}
		put32(uint32(at))
	}
	for _, at := range large {
		put(binary.BigEndian.AppendUint64(nil, uint64(at)))
	}
	put(r.sum[:])
	if err != nil {
		return err
	}
	if _, err := buf.Write(sum.Sum(nil)); err != nil {
		return err
	}
	return errors.Join(err, buf.Flush())
}
