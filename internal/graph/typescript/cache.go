package typescript

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/microsoft/typescript-go/tsshim"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tree"
)

// cache keeps what was parsed between runs, by the hash of the content and the
// extension, in one file. What it holds is a function of these two alone. The
// file ends in its own hash; one that does not fit, or an entry that does not
// decode, is as good as none.
type cache struct {
	file string
	old  map[string][]byte

	mu   sync.Mutex
	used map[string][]byte
	new  int
}

// extractor names the code whose answers are kept, and the format of the entries: a file that another code wrote is not read.
// TestExtractor holds it against the sources, and writes it with -update.
const extractor = "3d16b12f"

// maxCache bounds the file; what this run did not use goes first.
const maxCache = 64 << 20

// openCache reads the cache in dir; "" means none, and returns nil.
func openCache(dir string) *cache {
	if dir == "" {
		return nil
	}
	c := &cache{
		file: filepath.Join(dir, fmt.Sprintf("typescript-%s-%s.cache", tsgo.Version(), extractor)),
		old:  map[string][]byte{},
		used: map[string][]byte{},
	}
	b, err := tree.ReadRegular(c.file, 2*maxCache)
	if err != nil || len(b) < sha256.Size {
		return c
	}
	body := b[:len(b)-sha256.Size]
	if sha256.Sum256(body) != [sha256.Size]byte(b[len(body):]) {
		return c
	}
	d := decoder{rest: body}
	for len(d.rest) > 0 {
		key, value := d.bytes(), d.bytes()
		if d.bad {
			break
		}
		c.old[string(key)] = value
	}
	return c
}

// cacheKey names a content in a language.
func cacheKey(name, sum string) string {
	raw, err := hex.DecodeString(sum)
	if err != nil {
		return ""
	}
	ext := strings.ToLower(path.Ext(name))
	if strings.HasSuffix(strings.ToLower(strings.TrimSuffix(name, path.Ext(name))), ".d") {
		ext = ".d" + ext
	}
	return string(raw) + ext
}

// get returns what is kept of a content.
func (c *cache) get(key string) (record, bool) {
	if c == nil || key == "" {
		return record{}, false
	}
	value, ok := c.old[key]
	if !ok {
		return record{}, false
	}
	r, ok := decodeRecord(value)
	if !ok {
		return record{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[key] = value
	return r, true
}

func (c *cache) put(key string, r record) {
	if c == nil || key == "" {
		return
	}
	value := r.encode()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[key] = value
	c.new++
}

// save writes the cache for the next run, if there is news. That it cannot be
// written is no reason to fail.
func (c *cache) save() {
	if c == nil || c.new == 0 {
		return
	}
	var b []byte
	add := func(key string, value []byte) {
		if len(b)+len(key)+len(value) < maxCache {
			b = appendBytes(appendBytes(b, key), string(value))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.used)) {
		add(key, c.used[key])
	}
	for _, key := range slices.Sorted(maps.Keys(c.old)) {
		if _, ok := c.used[key]; !ok {
			add(key, c.old[key])
		}
	}
	sum := sha256.Sum256(b)
	if os.MkdirAll(filepath.Dir(c.file), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(c.file), "typescript-*.tmp")
	if err != nil {
		return
	}
	_, err = f.Write(append(b, sum[:]...))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), c.file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return
	}
	c.removeOthers()
}

// removeOthers removes the files that other versions of the program left: each is as large, and none is read again.
func (c *cache) removeOthers() {
	names, err := os.ReadDir(filepath.Dir(c.file))
	if err != nil {
		return
	}
	for _, n := range names {
		if ours, _ := path.Match("typescript-*.cache", n.Name()); ours && n.Name() != filepath.Base(c.file) {
			_ = os.Remove(filepath.Join(filepath.Dir(c.file), n.Name()))
		}
	}
}

// record is what is kept of one file.
type record struct {
	file        *tsgo.File
	size        int64
	description string
	// asked says that somebody asked for the definitions when it was parsed. defines are these; nil where the reading for imports does
	// not tell them.
	asked   bool
	defines []graph.Definition
}

func (r record) encode() []byte {
	f := r.file
	b := binary.AppendUvarint(nil, uint64(r.size))
	b = appendBytes(b, r.description)
	b = binary.AppendUvarint(b, uint64(f.Faults))
	b = appendBytes(b, f.Fault)
	b = binary.AppendUvarint(b, uint64(f.Line))
	b = binary.AppendUvarint(b, uint64(len(f.Refs)))
	for _, ref := range f.Refs {
		b = append(appendBytes(b, ref.Name), byte(ref.Kind), byte(ref.Form))
		b = binary.AppendUvarint(b, uint64(len(ref.Bindings)))
		for _, n := range ref.Bindings {
			b = append(appendBytes(b, n.Name), flag(n.Type))
		}
	}
	b = appendList(b, f.Defines)
	b = binary.AppendUvarint(b, uint64(len(f.Forwards)))
	for _, w := range f.Forwards {
		b = appendBytes(binary.AppendUvarint(appendBytes(b, w.Name), uint64(w.Module)), w.Of)
	}
	b = binary.AppendUvarint(b, uint64(len(f.Augments)))
	for _, a := range f.Augments {
		b = appendList(appendBytes(b, a.Module), a.Names)
	}
	b = appendList(b, f.Ambient)
	if !r.asked {
		return b
	}
	if b = append(b, flag(r.defines != nil)); r.defines == nil {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(r.defines)))
	for _, d := range r.defines {
		b = append(appendBytes(appendBytes(appendBytes(b, d.Name), d.Kind), d.Doc), flag(d.Exported)|flag(d.Default)<<1|flag(d.Promised)<<2)
		for _, line := range []int{d.From, d.Line, d.Head, d.End} {
			b = binary.AppendUvarint(b, uint64(line))
		}
	}
	return b
}

func flag(is bool) byte {
	if is {
		return 1
	}
	return 0
}

func appendBytes(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendList(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendBytes(b, s)
	}
	return b
}

func decodeRecord(b []byte) (record, bool) {
	d := decoder{rest: b}
	f := &tsgo.File{}
	r := record{file: f, size: int64(d.number()), description: d.text()}
	f.Faults, f.Fault, f.Line = int(d.number()), d.text(), int(d.number())
	for range d.count() {
		ref := tsgo.Ref{Name: d.text(), Kind: tsgo.Kind(d.byte()), Form: tsgo.Form(d.byte())}
		for range d.count() {
			ref.Bindings = append(ref.Bindings, tsgo.Binding{Name: d.text(), Type: d.byte() == 1})
		}
		if ref.Kind > tsgo.Dynamic || ref.Form > tsgo.Glob {
			return record{}, false
		}
		f.Refs = append(f.Refs, ref)
	}
	f.Defines = d.list()
	for range d.count() {
		w := tsgo.Forward{Name: d.text(), Module: int(d.number()), Of: d.text()}
		if w.Module < 0 || w.Module >= len(f.Refs) {
			return record{}, false
		}
		f.Forwards = append(f.Forwards, w)
	}
	for range d.count() {
		f.Augments = append(f.Augments, tsgo.Augment{Module: d.text(), Names: d.list()})
	}
	f.Ambient = d.list()
	if r.asked = len(d.rest) > 0; r.asked && d.byte() == 1 {
		r.defines = d.definitions()
	}
	return r, !d.bad && len(d.rest) == 0 && r.size >= 0
}

// definitions reads the definitions of a text.
func (d *decoder) definitions() []graph.Definition {
	list := []graph.Definition{}
	for range d.count() {
		one := graph.Definition{Name: d.text(), Kind: d.text(), Doc: d.text()}
		flags := d.byte()
		one.Exported, one.Default, one.Promised = flags&1 != 0, flags&2 != 0, flags&4 != 0
		one.From, one.Line, one.Head, one.End = int(d.number()), int(d.number()), int(d.number()), int(d.number())
		list = append(list, one)
	}
	return list
}

// decoder reads what the append functions write; bad is set at the first fault.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 || v > 1<<40 {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// count reads the length of a list, of which each element takes a byte.
func (d *decoder) count() int {
	n := d.number()
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) bytes() []byte {
	n := d.count()
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) text() string { return string(d.bytes()) }

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.bad = true
		return 0
	}
	c := d.rest[0]
	d.rest = d.rest[1:]
	return c
}

func (d *decoder) list() []string {
	var list []string
	for range d.count() {
		list = append(list, d.text())
	}
	return list
}

// cached fills the module from the cache, if all that is asked for is kept there. open reads the content, of which it tells what it
// defines.
func (m *module) cached(sum string, open func() ([]byte, error)) bool {
	r, ok := m.b.cached.get(cacheKey(m.as, sum))
	if !ok || m.defining() && !r.asked {
		return false
	}
	if m.defining() && r.defines != nil {
		content, err := open()
		if err != nil {
			return false
		}
		m.b.defined(m.b.files.id(m.path), content, r.defines)
	}
	m.size, m.sha256, m.description = r.size, sum, r.description
	m.accept(r.file)
	return true
}

// defining reports whether somebody asks what the module defines: of a source.
func (m *module) defining() bool {
	_, own := m.b.known[m.b.files.id(m.path)]
	return own && m.b.defined != nil
}
