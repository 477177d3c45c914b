// Package tokens counts what a text costs a model: tokens of o200k_base.
//
// A text is counted once a run, whoever asks: counts are kept by a hash of the content. The
// count is a function of the bytes alone, and that of the encoders which models' makers publish, but for pieces
// of more than maxPiece bytes (a word, a ruler, an indent), which are cut: merging takes the square of a piece's length.
// Bytes that are no UTF-8 count as one U+FFFD a run. Work is linear, whatever the text.
package tokens

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"sync"
	"unicode/utf8"
)

// Name of the vocabulary, for records.
const Name = "o200k_base"

// maxPiece is the longest piece that is encoded whole. Words, indents and rulers of real text are shorter.
const maxPiece = 1024

// laid is the vocabulary as Lay lays it out: internal/tokens/vocabulary makes it. It is used where it lies, so that nothing is
// unpacked when a program begins.
//
//go:embed o200k.table
var laid string

// vocabulary finds the ranks of tokens. Its table is a power of two of slots, at most two fifths full; a token's
// slot holds its rank plus one, at its hash or behind, and above these rankBits more bits of its hash: most of what is
// looked for is no token, and is seen to be none without a look at any text.
type vocabulary struct {
	slots string // numbers of four bytes, as ends
	ends  string // of the token of each rank, in text
	text  string
}

const (
	slotBits = 19
	rankBits = 18
	// Ranks is how many tokens there are, but for those of control.
	Ranks = 199_998
)

// o200k is the vocabulary.
var o200k = vocabulary{laid[:4<<slotBits], laid[4<<slotBits:][:4*Ranks], laid[4<<slotBits+4*Ranks:]}

// entry is the i-th number of a table.
func entry(table string, i uint32) uint32 {
	four := table[4*i : 4*i+4]
	return uint32(four[0]) | uint32(four[1])<<8 | uint32(four[2])<<16 | uint32(four[3])<<24
}

// Lay returns a vocabulary of Ranks tokens, in the order of their ranks, as it is looked through: the slots, where each token
// ends, their bytes.
func Lay(list []string) []byte {
	slots := make([]uint32, 1<<slotBits)
	ends := make([]uint32, len(list))
	var text []byte
	for i, token := range list {
		slot, tag := hash([]byte(token))
		for slots[slot] != 0 {
			slot = (slot + 1) & (1<<slotBits - 1)
		}
		slots[slot] = tag | uint32(i+1)
		text = append(text, token...)
		ends[i] = uint32(len(text))
	}
	b := make([]byte, 0, 4*(len(slots)+len(ends))+len(text))
	for _, n := range slices.Concat(slots, ends) {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return append(b, text...)
}

// hash is of at most maxPiece bytes, most of them fewer than 16: where the search for them begins, and what stands above
// the rank in their slot.
func hash(b []byte) (slot, tag uint32) {
	const k = 0x9E3779B97F4A7C15
	h := uint64(len(b)) * k
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^binary.LittleEndian.Uint64(b), 29) * k
	}
	var rest uint64
	for i, c := range b {
		rest |= uint64(c) << (8 * i)
	}
	h = (h ^ rest) * k
	h = (h ^ h>>32) * k
	return uint32(h >> (64 - slotBits)), uint32(h>>(64-slotBits-(32-rankBits))) << rankBits
}

// none is the rank of what is no token.
const none = math.MaxUint32

// rank returns the rank of a token.
func (v *vocabulary) rank(token []byte) uint32 {
	slot, tag := hash(token)
	return v.rankAt(slot, tag, token)
}

// rankAt is rank of a token whose hash is known.
func (v *vocabulary) rankAt(slot, tag uint32, token []byte) uint32 {
	for ; ; slot = (slot + 1) & (1<<slotBits - 1) {
		at := entry(v.slots, slot)
		if at == 0 {
			return none
		}
		if at&^(1<<rankBits-1) != tag {
			continue
		}
		at &= 1<<rankBits - 1
		from := uint32(0)
		if at > 1 {
			from = entry(v.ends, at-2)
		}
		if v.text[from:entry(v.ends, at-1)] == string(token) {
			return at - 1
		}
	}
}

// Counter counts texts, each once. Its methods may be called from several
// goroutines. The zero Counter is ready.
type Counter struct {
	mu    sync.Mutex
	texts map[hashed]int
	sums  map[[sha256.Size]byte]int // of texts whose sum was known
}

// hashed stands for a text, by a hash that nobody outside can know.
type hashed struct {
	sum    uint64
	length int
}

var seed = maphash.MakeSeed()

func hashedOf(text []byte) hashed { return hashed{maphash.Bytes(seed, text), len(text)} }

// Count returns how many tokens the text is.
func (c *Counter) Count(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	of := hashedOf(text)
	n, ok := c.known(of)
	if !ok {
		n = count(text)
		c.keep(of, n)
	}
	return n
}

// CountSum is Count of a text whose sha256 is known; read is called when none of that
// sum was counted before.
func (c *Counter) CountSum(sum [sha256.Size]byte, read func() []byte) int {
	c.mu.Lock()
	n, ok := c.sums[sum]
	c.mu.Unlock()
	if ok {
		return n
	}
	n = c.Count(read())
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sums == nil {
		c.sums = map[[sha256.Size]byte]int{}
	}
	c.sums[sum] = n
	return n
}

// Within reports whether the text has at most limit tokens. It looks no further than it has to.
func (c *Counter) Within(text []byte, limit int) bool {
	of := hashedOf(text)
	n, ok := c.known(of)
	if ok {
		return n <= limit
	}
	if n = countUpTo(text, limit); n <= limit {
		c.keep(of, n)
	}
	return n <= limit
}

func (c *Counter) known(of hashed) (n int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok = c.texts[of]
	return n, ok
}

func (c *Counter) keep(of hashed, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil {
		c.texts = map[hashed]int{}
	}
	c.texts[of] = n
}

// count splits the text into pieces and counts the tokens of each.
func count(text []byte) int { return countUpTo(text, math.MaxInt) }

// countUpTo is count of a text that has at most limit tokens, and more than limit of any other.
func countUpTo(text []byte, limit int) int {
	v := &o200k
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	m := mergers.Get().(*merger)
	defer mergers.Put(m)
	total := 0
	for i := 0; i < len(text) && total <= limit; {
		end := next(text, i)
		for ; end-i > maxPiece; i += maxPiece {
			total += m.count(v, text[i:i+maxPiece])
		}
		total += m.count(v, text[i:end])
		i = end
	}
	return total
}

// merger merges the bytes of a piece.
type merger struct {
	// starts are where the parts begin, with the end of the last; ranks are those of each part and the next as one.
	starts [maxPiece + 1]uint16
	ranks  [maxPiece + 1]uint32
	// merged are pieces that were merged of late, at their hash: code says the same names again and again.
	merged [1 << mergedBits]mergeCount
	// runs are into how many tokens runs of one byte of ASCII were made, by the byte and their length: indents and rulers. 0: none yet.
	runs [utf8.RuneSelf]*[maxPiece + 1]uint16
}

const mergedBits = 12

// mergeCount is a short piece and into how many tokens it was made.
type mergeCount struct {
	size, tokens uint8 // 0: none yet
	piece        [30]byte
}

// mergers are free to be used.
var mergers = sync.Pool{New: func() any { return new(merger) }}

// count is into how many tokens byte-pair encoding makes a piece of at most maxPiece bytes.
func (m *merger) count(v *vocabulary, piece []byte) int {
	if len(piece) == 1 {
		return 1
	}
	slot, tag := hash(piece)
	if v.rankAt(slot, tag, piece) != none {
		return 1
	}
	known := &m.merged[(slot^tag>>rankBits)&(1<<mergedBits-1)]
	if len(piece) > len(known.piece) {
		if c := piece[0]; c < utf8.RuneSelf && bytes.Equal(piece[1:], piece[:len(piece)-1]) {
			return m.run(v, piece)
		}
		return m.merge(v, piece)
	}
	if string(known.piece[:known.size]) != string(piece) {
		known.tokens = uint8(m.merge(v, piece))
		known.size = uint8(copy(known.piece[:], piece))
	}
	return int(known.tokens)
}

// run is merge of a run of one byte of ASCII, of which each length is merged once.
func (m *merger) run(v *vocabulary, piece []byte) int {
	counts := m.runs[piece[0]]
	if counts == nil {
		counts = new([maxPiece + 1]uint16)
		m.runs[piece[0]] = counts
	}
	n := &counts[len(piece)]
	if *n == 0 {
		*n = uint16(m.merge(v, piece))
	}
	return int(*n)
}

// merge is count of what is no token.
func (m *merger) merge(v *vocabulary, piece []byte) int {
	n := len(piece) // parts
	for i := range n + 1 {
		m.starts[i] = uint16(i)
	}
	pair := func(i int) uint32 {
		if i+2 > n {
			return none
		}
		return v.rank(piece[m.starts[i]:m.starts[i+2]])
	}
	for i := range n {
		m.ranks[i] = pair(i)
	}
	for n > 1 {
		best, at := uint32(none), 0
		for i, r := range m.ranks[:n-1] {
			if r < best {
				best, at = r, i
			}
		}
		if best == none {
			break
		}
		// The part behind it becomes one with it.
		copy(m.starts[at+1:n], m.starts[at+2:n+1])
		copy(m.ranks[at+1:n-1], m.ranks[at+2:n])
		n--
		m.ranks[at] = pair(at)
		if at > 0 {
			m.ranks[at-1] = pair(at - 1)
		}
	}
	return n
}
