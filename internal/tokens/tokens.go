// Package tokens counts what a text costs a model: tokens of o200k_base.
//
// The vocabulary is loaded when the first text is counted. A text is counted
// once a run, whoever asks: counts are kept by the sha256 of the content. The
// count is a function of the bytes alone.
//
// The encoder's expression goes back over a run of white space once for each of
// its characters: 128 kB of empty lines take it 9 seconds. Runs of one kind of
// character (letters, spaces, signs) that are longer than maxRun are therefore
// cut, and each part counts alone, which adds a token or two a cut. Any other
// text is counted as the encoder counts it. Work is linear: 2 to 6 MB a second,
// whatever the text.
package tokens

import (
	"crypto/sha256"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// Name of the vocabulary, for records.
const Name = "o200k_base"

const (
	// maxRun is the longest run of one kind of character that is encoded whole.
	// Words, indents and rulers of real text are shorter.
	maxRun = 256
	// chunk is about how much is handed to the encoder at once.
	chunk = 16 << 10
)

// load makes the encoder, once in a process: it takes 30 to 50 ms.
var load = sync.OnceValue(codec.NewO200kBase)

// Load loads the vocabulary, so that the first text need not wait for it.
func Load() { load() }

// Counter counts texts, each once. Its methods may be called from several
// goroutines. The zero Counter is ready.
type Counter struct {
	mu   sync.Mutex
	seen map[[sha256.Size]byte]int
}

// Count returns how many tokens the text is.
func (c *Counter) Count(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	return c.CountSum(sha256.Sum256(text), func() []byte { return text })
}

// CountSum is Count of a text whose sha256 is known; read is called when the
// text was not counted before.
func (c *Counter) CountSum(sum [sha256.Size]byte, read func() []byte) int {
	c.mu.Lock()
	n, ok := c.seen[sum]
	c.mu.Unlock()
	if ok {
		return n
	}
	n = count(read())
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[[sha256.Size]byte]int{}
	}
	c.seen[sum] = n
	return n
}

// count encodes the text in pieces that are cut where no token can lie across,
// or where a run is too long.
func count(text []byte) int {
	enc := load()
	total := 0
	for len(text) > 0 {
		n := cut(text)
		// The encoder's only errors are those of invalid UTF-8 in a mode that is
		// not asked for, and of a time limit that is not set.
		k, err := enc.Count(strings.ToValidUTF8(string(text[:n]), "\uFFFD"))
		if err != nil {
			k = n
		}
		total += k
		text = text[n:]
	}
	return total
}

// cut returns how much of the text is encoded next: all of it, or up to a letter
// behind a line's end, or up to where a run becomes too long.
func cut(text []byte) int {
	run, kind := 0, -1
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		k := kindOf(r)
		if i >= chunk && k == letter && text[i-1] == '\n' {
			return i
		}
		if k == kind {
			if run += size; run > maxRun {
				return i
			}
		} else {
			kind, run = k, size
		}
		i += size
	}
	return len(text)
}

const (
	letter = iota
	digit
	space
	sign
)

func kindOf(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r|0x20 && r|0x20 <= 'z':
			return letter
		case '0' <= r && r <= '9':
			return digit
		case r == ' ' || '\t' <= r && r <= '\r':
			return space
		}
		return sign
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letter
	case unicode.IsSpace(r):
		return space
	}
	return sign
}
