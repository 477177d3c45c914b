package golang

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"

	"github.com/haversack-dev/haversack/internal/graph"
)

// sym is a name in a text that is being read: an index into its symbols.
type sym int32

// none is no name.
const none sym = -1

// symbol is what is known of a name. It holds no pointers: there are many, and the collector would look at each.
type symbol struct {
	// first are the first eight bytes of one of at least eight, else 0; last are the last eight, or all.
	first, last uint64
	start, end  int32
	// text is one more than the index of the name among the texts that are kept, declared than that among the
	// declarations of the file; 0 is for none.
	text, declared int32
	// free is set where the file uses the name and no declaration around makes it its own; selected
	// where it is selected from anything but such a name.
	free, selected bool
	// throughout is set where it is the declaration's own everywhere in it, open is the number of its scopes
	// there that last; of the declaration whose number is in.
	throughout bool
	in, open   int32
	// picks is one more than the index of the last selection from the name, picked one more than the name that it
	// was selected from last; 0 is for none.
	picks  int32
	picked sym
}

// blank reports whether the name is "_".
func (e *symbol) blank() bool { return e.first == 0 && e.last == '_' }

// symbols are the names of one text. A table of its own takes less than half of the time of a map of strings, and
// is used for the next text again.
type symbols struct {
	src   []byte
	slots []sym // by hash; 0 is free, else one more than the index
	list  []symbol
	// crowded is set when names meet more often than chance has it: the text is not worth the time.
	crowded bool
	texts   []string
	// rooms hold what texts say: the first what may be part of an answer, the second what is not, which
	// an answer is not to keep.
	rooms [2]graph.Room
	room  int
}

// seeds make it impossible to choose names that meet in the table. Nothing depends on their order there.
var seeds = [2]uint64{maphash.Bytes(maphash.MakeSeed(), nil), maphash.Bytes(maphash.MakeSeed(), nil)}

// Bounds of the table: what it begins with, what is kept for the next text, and how many other names one meets in it.
const (
	minSlots  = 1 << 10
	maxSlots  = 1 << 15
	maxProbes = 1 << 10
)

// reset forgets all names.
func (s *symbols) reset(src []byte) {
	if cap(s.slots) < minSlots {
		s.slots = make([]sym, minSlots)
	}
	s.src, s.list, s.slots, s.crowded = src, s.list[:0], s.slots[:minSlots], false
	s.room = 0
	clear(s.slots)
	clear(s.texts)
	s.texts = s.texts[:0]
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^seeds[0], b^seeds[1])
	return hi ^ lo
}

// slot is where the search for a name begins.
func (s *symbols) slot(first, last uint64, start, end int32) uint64 {
	h := first
	for at := start + 8; at < end-8; at += 8 {
		h = mix(h, binary.LittleEndian.Uint64(s.src[at:]))
	}
	return mix(h+uint64(end-start), last) & uint64(len(s.slots)-1)
}

// of is the name that stands between two places, somewhere behind the word package.
func (s *symbols) of(start, end int32) sym {
	first, last := uint64(0), binary.LittleEndian.Uint64(s.src[end-8:])
	if n := end - start; n >= 8 {
		first = binary.LittleEndian.Uint64(s.src[start:])
	} else {
		last >>= 64 - 8*n
	}
	at := s.slot(first, last, start, end)
	for probes := 0; s.slots[at] != 0; probes++ {
		o := &s.list[s.slots[at]-1]
		if o.last == last && o.first == first && o.end-o.start == end-start &&
			(end-start <= 16 || string(s.src[o.start:o.end]) == string(s.src[start:end])) {
			return s.slots[at] - 1
		}
		if probes > maxProbes {
			s.crowded = true
			return 0
		}
		at = (at + 1) & uint64(len(s.slots)-1)
	}
	s.list = append(s.list, symbol{first: first, last: last, start: start, end: end})
	s.slots[at] = sym(len(s.list))
	if 2*len(s.list) > len(s.slots) {
		s.grow()
	}
	return sym(len(s.list) - 1)
}

func (s *symbols) grow() {
	if n := 2 * len(s.slots); n <= cap(s.slots) {
		s.slots = s.slots[:n]
		clear(s.slots)
	} else {
		s.slots = make([]sym, n)
	}
	for i := range s.list {
		e := &s.list[i]
		at := s.slot(e.first, e.last, e.start, e.end)
		for s.slots[at] != 0 {
			at = (at + 1) & uint64(len(s.slots)-1)
		}
		s.slots[at] = sym(i + 1)
	}
}

// text is the name itself, copied: the text is not kept.
func (s *symbols) text(n sym) string {
	e := &s.list[n]
	if e.text == 0 {
		s.texts = append(s.texts, s.copied(s.src[e.start:e.end]))
		e.text = int32(len(s.texts))
	}
	return s.texts[e.text-1]
}

// copied is a copy of what a text says.
func (s *symbols) copied(b []byte) string { return s.rooms[s.room].Copied(b, 4<<10) }

// large reports whether the table is not worth keeping.
func (s *symbols) large() bool { return cap(s.slots) > maxSlots }
