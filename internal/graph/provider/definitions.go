package provider

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
)

// Definitions are what the texts of a run define, by path: a file is read to be judged, again as it is shown, and again for a
// pack, and mostly its text is the same. It is safe for use on several cores at once.
type Definitions struct {
	seed maphash.Seed
	mu   sync.Mutex
	of   map[string]textDefinitions
	held int // bytes of the lists in of
}

// textDefinitions is what one text defines, which has this sum.
type textDefinitions struct {
	sum  uint64
	list []graph.Definition
	// settings are the lines that Settings was told; nil before.
	settings []int
}

// maxHeldDefinitions bounds, in bytes, what is kept of all texts together. What is beyond is read again where it is asked for again.
const maxHeldDefinitions = 4 << 20

// NewDefinitions returns Definitions that know of no text.
func NewDefinitions() *Definitions {
	return &Definitions{seed: maphash.MakeSeed(), of: map[string]textDefinitions{}}
}

// Define returns what a text of this name defines, as the function Define does, and reads a text that it knows only once.
// The list is the caller's own. Nil Definitions know nothing.
func (k *Definitions) Define(name string, content []byte) ([]graph.Definition, error) {
	list, err := k.DefineAll(name, content)
	return shown(list), err
}

// DefineAll is Define with the methods that interfaces ask for, as the function DefineAll is.
func (k *Definitions) DefineAll(name string, content []byte) ([]graph.Definition, error) {
	if k == nil || !Defines(language.As(name, content)) {
		return DefineAll(name, content)
	}
	sum := maphash.Bytes(k.seed, content)
	k.mu.Lock()
	known, ok := k.of[name]
	k.mu.Unlock()
	if ok && known.sum == sum {
		return slices.Clone(known.list), nil
	}
	list, err := DefineAll(name, content)
	if err != nil {
		return nil, err
	}
	k.keep(name, textDefinitions{sum: sum, list: list})
	return list, nil
}

// Settings returns the lines of a text of this name that give values, as read finds them, which is asked once of a text whose
// definitions are kept. The list is the caller's own.
func (k *Definitions) Settings(name string, content []byte, read func() []int) []int {
	if k == nil {
		return read()
	}
	sum := maphash.Bytes(k.seed, content)
	k.mu.Lock()
	known := k.of[name]
	k.mu.Unlock()
	if known.sum == sum && known.settings != nil {
		return slices.Clone(known.settings)
	}
	lines := read()
	more := len(lines) * int(unsafe.Sizeof(0))
	k.mu.Lock()
	defer k.mu.Unlock()
	if known = k.of[name]; known.sum != sum || known.settings != nil || k.held+more > maxHeldDefinitions {
		return lines
	}
	known.settings = append([]int{}, lines...)
	k.held += more
	k.of[name] = known
	return lines
}

// take notes what a provider found in a text on its way, if somebody may ask for it.
func (k *Definitions) take(name string, content []byte, list []graph.Definition) {
	if Defines(language.As(name, content)) {
		k.keep(name, textDefinitions{sum: maphash.Bytes(k.seed, content), list: list})
	}
}

// keep notes what a text defines, in strings of its own: those of a reader may be parts of the text, which would be held too.
func (k *Definitions) keep(name string, one textDefinitions) {
	size := one.bytes()
	k.mu.Lock()
	defer k.mu.Unlock()
	was := k.of[name]
	if k.held-was.bytes()+size > maxHeldDefinitions {
		return
	}
	one.list = slices.Clone(one.list)
	for i := range one.list {
		d := &one.list[i]
		d.Name, d.Doc, d.Signature = strings.Clone(d.Name), strings.Clone(d.Doc), strings.Clone(d.Signature)
	}
	k.held += size - was.bytes()
	k.of[name] = one
}

// bytes are what a list takes, its strings included.
func (t textDefinitions) bytes() int {
	n := len(t.list)*int(unsafe.Sizeof(graph.Definition{})) + len(t.settings)*int(unsafe.Sizeof(0))
	for i := range t.list {
		d := &t.list[i]
		n += len(d.Name) + len(d.Doc) + len(d.Signature)
	}
	return n
}
