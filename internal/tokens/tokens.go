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
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
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

// vocabulary finds the ranks of tokens. They stand in buckets by their hash, one behind another without a gap, and of most
// buckets that are looked through the few bits beside a rank and the size say that what is looked for is no token. A token that stands
// within another, as most do, has no bytes of its own: what lies in a program is carried by everybody who installs it.
type vocabulary struct {
	starts string // of each bucket, and of what is behind the last: numbers of two bytes, as start reads them
	tokens string // of six bytes, as at reads them
	text   string
}

const (
	bucketBits = 16
	tagBits    = 3
	rankBits   = 18
	sizeBits   = 7
	tokenBytes = 6
	// maxText is how many bytes the texts of tokens may have, so that the place of one fits into what the other bits leave.
	maxText = 1 << (8*tokenBytes - tagBits - rankBits - sizeBits)
	// Ranks is how many tokens there are, but for those of control.
	Ranks = 199_998
)

// o200k is the vocabulary.
var o200k = vocabulary{laid[:startBytes], laid[startBytes:][:tokenBytes*Ranks], laid[startBytes+tokenBytes*Ranks:]}

const startBytes = 2 * (1<<bucketBits + 1)

// even is where a bucket begins if all hold as many.
func even(bucket uint32) int { return int(uint64(bucket) * Ranks >> bucketBits) }

// start is where a bucket begins: its number says how far from even.
func (v *vocabulary) start(bucket uint32) int {
	two := v.starts[2*bucket : 2*bucket+2]
	return even(bucket) + int(int16(uint16(two[0])|uint16(two[1])<<8))
}

// token is what stands of a token, from the lowest bit: its tag, its rank, its size less one, where its bytes begin.
type token uint64

func (t token) rank() uint32 { return uint32(t>>tagBits) & (1<<rankBits - 1) }
func (t token) size() int    { return int(t>>(tagBits+rankBits))&(1<<sizeBits-1) + 1 }
func (t token) from() int    { return int(t >> (tagBits + rankBits + sizeBits)) }

// at is the i-th token.
func (v *vocabulary) at(i int) token {
	six := v.tokens[tokenBytes*i : tokenBytes*i+tokenBytes]
	return token(uint32(six[0])|uint32(six[1])<<8|uint32(six[2])<<16|uint32(six[3])<<24) | token(uint16(six[4])|uint16(six[5])<<8)<<32
}

// Lay returns a vocabulary of Ranks tokens, in the order of their ranks, as it is looked through.
func Lay(list []string) ([]byte, error) {
	text, places := share(list)
	if len(list) != Ranks || len(text) > maxText {
		return nil, fmt.Errorf("%d tokens of %d bytes do not fit", len(list), len(text))
	}
	buckets := make([][]token, 1<<bucketBits)
	for rank, word := range list {
		if len(word) == 0 || len(word) > 1<<sizeBits {
			return nil, fmt.Errorf("the token of rank %d has %d bytes", rank, len(word))
		}
		bucket, tag := hash([]byte(word))
		above := token(places[word])<<sizeBits | token(len(word)-1)
		buckets[bucket] = append(buckets[bucket], above<<(rankBits+tagBits)|token(rank)<<tagBits|token(tag))
	}
	b := make([]byte, 0, startBytes+tokenBytes*Ranks+len(text))
	for i, start := 0, 0; i <= len(buckets); i++ {
		apart := start - even(uint32(i))
		if apart != int(int16(apart)) {
			return nil, fmt.Errorf("bucket %d begins %d tokens from where it would", i, apart)
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(apart))
		if i < len(buckets) {
			start += len(buckets[i])
		}
	}
	for _, bucket := range buckets {
		for _, t := range bucket {
			b = binary.LittleEndian.AppendUint32(b, uint32(t))
			b = binary.LittleEndian.AppendUint16(b, uint16(t>>32))
		}
	}
	return append(b, text...), nil
}

// share returns a text in which each word stands, and where: one that stands within another is not said again.
func share(list []string) (text []byte, places map[string]int) {
	places = make(map[string]int, len(list)) // -1: not known yet
	for _, word := range list {
		places[word] = -1
	}
	within := map[string]bool{}
	for _, word := range list {
		parts(word, func(part string, _ int) {
			if _, ok := places[part]; ok && len(part) < len(word) {
				within[part] = true
			}
		})
	}
	for _, word := range list {
		if within[word] {
			continue
		}
		from := len(text)
		text = append(text, word...)
		parts(word, func(part string, i int) {
			if at, ok := places[part]; ok && at < 0 {
				places[part] = from + i
			}
		})
	}
	return text, places
}

// parts hands over each part of a word, and where in it.
func parts(word string, hand func(part string, i int)) {
	for i := range len(word) {
		for end := i + 1; end <= len(word); end++ {
			hand(word[i:end], i)
		}
	}
}

// hash is of at most maxPiece bytes, most of them fewer than 16: the bucket in which they are looked for, and what stands
// below their rank there.
func hash(b []byte) (bucket, tag uint32) {
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
	return uint32(h >> (64 - bucketBits)), uint32(h>>(64-bucketBits-tagBits)) & (1<<tagBits - 1)
}

// none is the rank of what is no token.
const none = math.MaxUint32

// rank returns the rank of a token.
func (v *vocabulary) rank(piece []byte) uint32 {
	bucket, tag := hash(piece)
	return v.rankIn(bucket, tag, piece)
}

// rankIn is rank of a token whose hash is known.
func (v *vocabulary) rankIn(bucket, tag uint32, piece []byte) uint32 {
	below := uint32(len(piece)-1)<<(rankBits+tagBits) | tag
	const mask = (1<<sizeBits-1)<<(rankBits+tagBits) | (1<<tagBits - 1)
	for i, end := v.start(bucket), v.start(bucket+1); i < end; i++ {
		t := v.at(i)
		if uint32(t)&mask == below&mask && v.text[t.from():][:t.size()] == string(piece) {
			return t.rank()
		}
	}
	return none
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
	bucket, tag := hash(piece)
	if v.rankIn(bucket, tag, piece) != none {
		return 1
	}
	known := &m.merged[(bucket^tag<<(mergedBits-tagBits))&(1<<mergedBits-1)]
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
