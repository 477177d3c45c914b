package repo

import (
	"bufio"
	"bytes"
	linked "container/list"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Objects are read here and not by go-git, which believes the sizes that an object
// declares, inflates past them, follows a delta to its base by recursion, and so
// can be made to fill the memory, or to end the program, by a few hundred bytes
// that anybody may push. Every number that an object states is checked before
// memory is given for it, and again while it is inflated.

const (
	// maxCommit bounds a commit or tag: the longest messages are some hundred KB.
	maxCommit = 4 << 20
	// maxTree bounds a folder: some 700,000 entries.
	maxTree = 32 << 20
	// maxWhole bounds an object that is held in memory. It is beyond the 100 MB of
	// the largest file that GitHub takes. A larger one is streamed if it is stored as
	// it is, and refused if it is stored as a difference from another.
	maxWhole = 128 << 20
	// largeObject is the size above which an object is streamed.
	largeObject = 32 << 20
	// maxChain bounds how many differences lead to an object. git writes 50, at most
	// 4095.
	maxChain = 4095
	// maxChainBytes bounds what is made on the way to one object, maxWork what one
	// run makes on the way to all of them: enough for every file of the largest
	// repositories, and some ten seconds.
	maxChainBytes = 4 << 30
	maxWork       = 32 << 30
	// inflation is the most that deflate makes of a byte (1032).
	inflation = 1040
	// leastObject is the least that an object takes in a pack: its head, and an
	// empty zlib stream.
	leastObject = 9
)

// objectCache bounds the objects that are kept, for being the base of others. More
// gains nothing when each blob is read once; delta bases fit.
const objectCache = 16 << 20

// largestCached is the largest object that is kept.
const largestCached = objectCache / 4

// A TooLargeError is an object, or one of git's own files, over a limit of this
// package.
type TooLargeError struct {
	// What is too large, and the limit.
	What  string
	Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s, and the limit is %d bytes", e.What, e.Limit)
}

// Unwrap makes it a limit of package tree.
func (e *TooLargeError) Unwrap() error { return &tree.LimitError{Limit: e.Limit} }

var errBudget = &TooLargeError{"too much would have to be unpacked on the way to the repository's objects", maxWork}

// damaged is an object that is not what it says.
func damaged(format string, args ...any) error {
	return fmt.Errorf("damaged data: "+format, args...)
}

// objects reads one folder of objects.
type objects struct {
	dir    string
	shared *objectStore
	packs  []*pack // nil before the first use
	listed bool
}

// objectStore is what the object folders of a repository have in common.
type objectStore struct {
	cache cacheOf
	work  int64 // bytes made on the way to objects
	// broken are objects that have no end, or none within the limits.
	broken map[cacheKey]error
}

// maxBroken bounds what is remembered of them.
const maxBroken = 1 << 18

// breaks notes that an object cannot be made.
func (s *objectStore) breaks(p *pack, at int64, err error) {
	if s.broken == nil {
		s.broken = map[cacheKey]error{}
	}
	if len(s.broken) < maxBroken {
		s.broken[cacheKey{p, at}] = err
	}
}

// reset forgets which packs there are.
func (o *objects) reset() {
	o.close()
	o.packs, o.listed = nil, false
}

func (o *objects) close() error {
	var err error
	for _, p := range o.packs {
		if e := p.close(); err == nil {
			err = e
		}
	}
	o.packs = nil
	return err
}

// list finds the packs.
func (o *objects) list() error {
	if o.listed {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(o.dir, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), ".pack")
		if !ok || !strings.HasPrefix(stem, "pack-") {
			continue
		}
		p, err := openPack(filepath.Join(o.dir, "pack", stem))
		if errors.Is(err, fs.ErrNotExist) {
			continue // without an index, it is still being written
		}
		if err != nil {
			o.close()
			return fmt.Errorf("opening %s: %w", e.Name(), err)
		}
		o.packs = append(o.packs, p)
	}
	o.listed = true
	return nil
}

// place is where an object lies: in a pack, or on its own.
type place struct {
	pack  *pack
	at    int64
	loose *os.File
}

// find returns where h lies. What lies on its own has to be closed.
func (o *objects) find(h plumbing.Hash) (place, error) {
	if err := o.list(); err != nil {
		return place{}, err
	}
	for i, p := range o.packs {
		at, ok, err := p.find(h)
		if err != nil {
			return place{}, err
		}
		if ok {
			if i > 0 { // neighbours are asked for together
				copy(o.packs[1:i+1], o.packs[:i])
				o.packs[0] = p
			}
			return place{pack: p, at: at}, nil
		}
	}
	id := h.String()
	f, _, err := tree.OpenRegular(filepath.Join(o.dir, id[:2], id[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		return place{}, plumbing.ErrObjectNotFound
	}
	return place{loose: f}, err
}

// size returns an object's size without inflating it.
func (o *objects) size(h plumbing.Hash) (int64, error) {
	at, err := o.find(h)
	if err != nil {
		return 0, err
	}
	if at.loose != nil {
		defer at.loose.Close()
		l, err := openLoose(at.loose)
		if err != nil {
			return 0, err
		}
		defer l.release()
		return l.size, nil
	}
	if c, ok := o.shared.cache.get(at.pack, at.at); ok {
		return int64(len(c.content)), nil
	}
	e, err := at.pack.entry(at.at)
	if err != nil {
		return 0, err
	}
	if !e.delta() {
		return e.size, nil
	}
	size, err := at.pack.resultSize(e)
	return size, err
}

// object returns the object h.
func (o *objects) object(h plumbing.Hash) (plumbing.EncodedObject, error) {
	at, err := o.find(h)
	if err != nil {
		return nil, err
	}
	if at.loose != nil {
		return o.loose(h, at.loose)
	}
	return o.packed(h, at)
}

// limitOf is how large an object of a type may be.
func limitOf(t plumbing.ObjectType) int64 {
	switch t {
	case plumbing.CommitObject, plumbing.TagObject:
		return maxCommit
	case plumbing.TreeObject:
		return maxTree
	}
	return maxWhole
}

// checkSize refuses an object of more bytes than are read of its type.
func checkSize(t plumbing.ObjectType, size int64) error {
	if limit := limitOf(t); size > limit {
		return &TooLargeError{fmt.Sprintf("the %s has %d bytes", t, size), limit}
	}
	return nil
}

// looseObject is an object on its own, its head read.
type looseObject struct {
	typ  plumbing.ObjectType
	size int64
	body io.Reader
	in   *inflater
}

func (l *looseObject) release() { l.in.release() }

// openLoose reads the head of a loose object.
func openLoose(f *os.File) (*looseObject, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	in, err := inflate(f, 0, fi.Size())
	if err != nil {
		return nil, err
	}
	l := &looseObject{in: in, body: in}
	// "blob 12\0": the longest has 27 bytes.
	head := make([]byte, 0, 32)
	for b := [1]byte{}; ; {
		if _, err := io.ReadFull(in, b[:]); err != nil || len(head) == cap(head) {
			in.release()
			return nil, damaged("a loose object has no head")
		}
		if b[0] == 0 {
			break
		}
		head = append(head, b[0])
	}
	name, digits, _ := strings.Cut(string(head), " ")
	l.typ, err = plumbing.ParseObjectType(name)
	if err == nil {
		l.size, err = strconv.ParseInt(digits, 10, 64)
	}
	if err != nil || l.size < 0 || l.size > (fi.Size()+1)*inflation || l.typ == plumbing.OFSDeltaObject || l.typ == plumbing.REFDeltaObject {
		in.release()
		return nil, damaged("a loose object's head is %q", head)
	}
	return l, nil
}

func (o *objects) loose(h plumbing.Hash, f *os.File) (plumbing.EncodedObject, error) {
	defer f.Close()
	l, err := openLoose(f)
	if err != nil {
		return nil, err
	}
	defer l.release()
	if l.typ == plumbing.BlobObject && l.size > largeObject {
		name := f.Name()
		return &streamObject{h, l.typ, l.size, func() (io.ReadCloser, error) {
			f, _, err := tree.OpenRegular(name)
			if err != nil {
				return nil, err
			}
			l, err := openLoose(f)
			if err != nil {
				f.Close()
				return nil, err
			}
			return &exact{r: l.in, left: l.size, close: func() error { l.release(); return f.Close() }}, nil
		}}, nil
	}
	if err := checkSize(l.typ, l.size); err != nil {
		return nil, err
	}
	b, err := whole(l.in, l.size)
	if err != nil {
		return nil, err
	}
	return memory(h, l.typ, b), nil
}

// link is one difference on the way from an object to its base.
type link struct {
	entryHead
	result int64 // the size of what it makes
}

// packed returns an object of a pack. It follows the chain of differences down to
// an object that is stored whole, or kept, and applies them on the way up.
func (o *objects) packed(h plumbing.Hash, at place) (plumbing.EncodedObject, error) {
	p, cache := at.pack, &o.shared.cache
	var chain []link
	var seen map[int64]bool // of bases named by id, which may lead in a circle
	var base cacheValue
	for next := at.at; ; {
		if err := o.shared.broken[cacheKey{p, next}]; err != nil {
			return nil, o.breakAll(p, chain, err)
		}
		if c, ok := cache.get(p, next); ok {
			base = c
			break
		}
		e, err := p.entry(next)
		if err != nil {
			return nil, err
		}
		if !e.delta() {
			if e.typ == plumbing.BlobObject && e.size > largeObject && len(chain) == 0 {
				return p.stream(h, e), nil
			}
			if err := checkSize(e.typ, e.size); err != nil {
				return nil, err
			}
			b, err := p.read(e)
			if err != nil {
				return nil, err
			}
			base = cacheValue{typ: e.typ, content: b}
			cache.put(p, next, base)
			break
		}
		if len(chain) == maxLinks {
			return nil, o.breakAll(p, chain, errDeep)
		}
		size, err := p.resultSize(e)
		if err != nil {
			return nil, err
		}
		if size > maxWhole {
			return nil, &TooLargeError{fmt.Sprintf("an object of %d bytes is stored as a difference", size), maxWhole}
		}
		chain = append(chain, link{e, size})
		if e.typ == plumbing.REFDeltaObject {
			if seen == nil {
				seen = map[int64]bool{}
			}
			to, ok, err := p.find(e.base)
			if err != nil {
				return nil, err
			}
			if !ok {
				return nil, damaged("the base %s of a difference is not in its pack", e.base)
			}
			if seen[e.at] {
				return nil, o.breakAll(p, chain, errCircle)
			}
			seen[e.at] = true
			next = to
			continue
		}
		next = e.from
	}
	// What stands too deep does so whether or not a base of it is kept.
	if over := base.depth + len(chain) - maxChain; over > 0 {
		return nil, o.breakAll(p, chain[:min(over, len(chain))], errDeep)
	}
	total := int64(0)
	for _, l := range chain {
		total += l.result + l.size
	}
	if base.below+total > maxChainBytes {
		return nil, &TooLargeError{"an object is stored as a chain of large differences", maxChainBytes}
	}
	if len(chain) == 0 {
		return memory(h, base.typ, base.content), nil
	}
	// What the chain ends in says what all of it is.
	if err := checkSize(base.typ, chain[0].result); err != nil {
		return nil, err
	}
	if o.shared.work += total; o.shared.work > maxWork {
		return nil, errBudget
	}
	base, err := o.apply(p, base, chain)
	if err != nil {
		return nil, err
	}
	return memory(h, base.typ, base.content), nil
}

// apply makes what a chain of differences ends in, its last one first, and keeps each on the way.
func (o *objects) apply(p *pack, base cacheValue, chain []link) (cacheValue, error) {
	for _, l := range slices.Backward(chain) {
		if err := checkSize(base.typ, l.result); err != nil {
			return base, err
		}
		delta, err := p.read(l.entryHead)
		if err != nil {
			return base, err
		}
		if l.result > largeObject {
			// What the last one left behind would stay until memory had doubled.
			runtime.GC()
		}
		b, err := applyDelta(base.content, delta)
		if err != nil {
			return base, err
		}
		base = cacheValue{base.typ, b, base.depth + 1, base.below + l.result + l.size}
		o.shared.cache.put(p, l.at, base)
	}
	return base, nil
}

// stream is a large object that stands whole in the pack: it is inflated each time it is read.
func (p *pack) stream(h plumbing.Hash, e entryHead) *streamObject {
	return &streamObject{h, e.typ, e.size, func() (io.ReadCloser, error) {
		in, err := inflate(p.f, e.data, p.end-e.data)
		if err != nil {
			return nil, err
		}
		return &exact{r: in, left: e.size, close: func() error { in.release(); return nil }}, nil
	}}
}

// maxLinks bounds the differences that are followed to see how deep they lead.
const maxLinks = 1 << 20

var (
	errDeep   = damaged("an object stands at the end of more than %d differences", maxChain)
	errCircle = damaged("differences between objects lead in a circle")
)

// breakAll notes that none of the objects of a chain can be made, so that the next
// one that leads to them need not follow it again.
func (o *objects) breakAll(p *pack, chain []link, err error) error {
	for _, l := range chain {
		o.shared.breaks(p, l.at, err)
	}
	return err
}

// withPrefix returns the ids that begin with prefix.
func (o *objects) withPrefix(prefix []byte) ([]plumbing.Hash, error) {
	if err := o.list(); err != nil {
		return nil, err
	}
	var found []plumbing.Hash
	for _, p := range o.packs {
		more, err := p.withPrefix(prefix)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	if len(prefix) == 0 {
		return found, nil
	}
	first := fmt.Sprintf("%02x", prefix[0])
	entries, err := os.ReadDir(filepath.Join(o.dir, first))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if id := first + e.Name(); plumbing.IsHash(id) {
			if h := plumbing.NewHash(id); bytes.HasPrefix(h[:], prefix) {
				found = append(found, h)
			}
		}
	}
	return found, nil
}

// memory returns an object that is held whole. The content must not be changed.
func memory(h plumbing.Hash, t plumbing.ObjectType, content []byte) plumbing.EncodedObject {
	return &memoryObject{h, t, content}
}

// memoryObject is an object in memory whose id is known without hashing it.
type memoryObject struct {
	id      plumbing.Hash
	typ     plumbing.ObjectType
	content []byte
}

func (h *memoryObject) Hash() plumbing.Hash         { return h.id }
func (h *memoryObject) Type() plumbing.ObjectType   { return h.typ }
func (h *memoryObject) SetType(plumbing.ObjectType) {}
func (h *memoryObject) Size() int64                 { return int64(len(h.content)) }
func (h *memoryObject) SetSize(int64)               {}
func (h *memoryObject) Reader() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(h.content)), nil
}
func (h *memoryObject) Writer() (io.WriteCloser, error) { return nil, errReadOnly }

var errReadOnly = errors.New("objects are only read")

// streamObject is an object that is inflated each time it is read.
type streamObject struct {
	id   plumbing.Hash
	typ  plumbing.ObjectType
	size int64
	open func() (io.ReadCloser, error)
}

func (s *streamObject) Hash() plumbing.Hash            { return s.id }
func (s *streamObject) Type() plumbing.ObjectType      { return s.typ }
func (s *streamObject) SetType(plumbing.ObjectType)    {}
func (s *streamObject) Size() int64                    { return s.size }
func (s *streamObject) SetSize(int64)                  {}
func (s *streamObject) Reader() (io.ReadCloser, error) { return s.open() }
func (s *streamObject) Writer() (io.WriteCloser, error) {
	return nil, errReadOnly
}

// exact reads what was declared, no more and no less.
type exact struct {
	r     io.Reader
	left  int64
	close func() error
}

func (e *exact) Read(p []byte) (int, error) {
	if e.left == 0 {
		if err := ended(e.r); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if err == io.EOF {
		if err = nil; e.left > 0 {
			err = errShort
		}
	}
	return n, err
}

func (e *exact) Close() error { return e.close() }

var errShort = damaged("an object holds less than it says")

// ended reports whether r ends here.
func ended(r io.Reader) error {
	var b [1]byte
	switch n, err := io.ReadFull(r, b[:]); {
	case n > 0:
		return damaged("an object holds more than it says")
	case err != io.EOF:
		return err
	}
	return nil
}

// whole reads the size bytes that r must hold.
func whole(r io.Reader, size int64) ([]byte, error) {
	b := make([]byte, size)
	if _, err := io.ReadFull(r, b); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = errShort
		}
		return nil, err
	}
	return b, ended(r)
}

// inflater is a reader that is used again.
type inflater struct {
	io.ReadCloser
	buf *bufio.Reader
}

var inflaters sync.Pool

// inflate reads the zlib stream that begins at a place of f, which holds at most n
// bytes.
func inflate(f io.ReaderAt, at, n int64) (*inflater, error) {
	section := io.NewSectionReader(f, at, n)
	if in, ok := inflaters.Get().(*inflater); ok {
		in.buf.Reset(section)
		if err := in.ReadCloser.(zlib.Resetter).Reset(in.buf, nil); err != nil {
			return nil, damaged("%v", err)
		}
		return in, nil
	}
	in := &inflater{buf: bufio.NewReader(section)}
	r, err := zlib.NewReader(in.buf)
	if err != nil {
		return nil, damaged("%v", err)
	}
	in.ReadCloser = r
	return in, nil
}

func (in *inflater) release() {
	in.buf.Reset(nil)
	inflaters.Put(in)
}

// cacheOf keeps objects for being the base of others, those used last.
type cacheOf struct {
	bytes int64
	order linked.List // of *kept, the one used last in front
	at    map[cacheKey]*linked.Element
}

type cacheKey struct {
	pack *pack
	at   int64
}

type cacheValue struct {
	typ     plumbing.ObjectType
	content []byte
	// depth is how many differences led to it, and below what they made.
	depth int
	below int64
}

type cacheEntry struct {
	key cacheKey
	cacheValue
}

func (c *cacheOf) get(p *pack, at int64) (cacheValue, bool) {
	e, ok := c.at[cacheKey{p, at}]
	if !ok {
		return cacheValue{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cacheEntry).cacheValue, true
}

// overhead is what an entry costs beside its content.
const overhead = 200

func (c *cacheOf) put(p *pack, at int64, v cacheValue) {
	if len(v.content) > largestCached {
		return
	}
	if c.at == nil {
		c.at = map[cacheKey]*linked.Element{}
	}
	key := cacheKey{p, at}
	if _, ok := c.at[key]; ok {
		return
	}
	c.at[key] = c.order.PushFront(&cacheEntry{key, v})
	for c.bytes += int64(len(v.content)) + overhead; c.bytes > objectCache; {
		last := c.order.Back()
		k := c.order.Remove(last).(*cacheEntry)
		delete(c.at, k.key)
		c.bytes -= int64(len(k.content)) + overhead
	}
}
