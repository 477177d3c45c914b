package golang

import "hash/maphash"

// sym is a name in a text that is being read: an index into its symbols.
type sym int32

// none is no name; listed is what a frame holds in place of one.
const (
	none   sym = -1
	listed sym = -2
)

// symbol is what is known of a name.
type symbol struct {
	start, end int
	hash       uint64
	text       string
	// free is set where the file uses the name and no declaration around makes it its own; selected
	// where it is selected from anything but such a name; declared where the file declares it.
	free, selected, declared bool
	// scopes are those of the declaration whose number is in.
	in     int
	scopes []int
}

// symbols are the names of one text. A table of its own takes half of the time of a map of strings, and
// is used for the next text again.
type symbols struct {
	src   []byte
	slots []sym // by hash; 0 is free, else one more than the index
	list  []symbol
}

// seed makes it impossible to choose names that meet in the table. Nothing depends on their order there.
var seed = maphash.MakeSeed()

// reset forgets all names.
func (s *symbols) reset(src []byte) {
	s.src, s.list = src, s.list[:0]
	if len(s.slots) == 0 {
		s.slots = make([]sym, 1024)
	}
	clear(s.slots)
}

// of is the name that stands between two places.
func (s *symbols) of(start, end int) sym {
	word := s.src[start:end]
	h := maphash.Bytes(seed, word)
	mask := uint64(len(s.slots) - 1)
	at := h & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		e := &s.list[s.slots[at]-1]
		if e.hash == h && string(s.src[e.start:e.end]) == string(word) {
			return s.slots[at] - 1
		}
	}
	n := len(s.list)
	if n < cap(s.list) {
		s.list = s.list[:n+1]
	} else {
		s.list = append(s.list, symbol{})
	}
	s.list[n] = symbol{start: start, end: end, hash: h, scopes: s.list[n].scopes[:0]}
	s.slots[at] = sym(n + 1)
	if 2*len(s.list) > len(s.slots) {
		s.grow()
	}
	return sym(n)
}

func (s *symbols) grow() {
	s.slots = make([]sym, 2*len(s.slots))
	mask := uint64(len(s.slots) - 1)
	for i := range s.list {
		at := s.list[i].hash & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = sym(i + 1)
	}
}

// text is the name itself, copied: the text is not kept.
func (s *symbols) text(n sym) string {
	e := &s.list[n]
	if e.text == "" {
		e.text = string(s.src[e.start:e.end])
	}
	return e.text
}

// blank reports whether the name is "_".
func (s *symbols) blank(n sym) bool {
	e := &s.list[n]
	return e.end-e.start == 1 && s.src[e.start] == '_'
}

// large reports whether the table is not worth keeping.
func (s *symbols) large() bool { return len(s.slots) > 1<<15 }
