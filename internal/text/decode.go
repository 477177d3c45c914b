// Package text turns bytes into text and back: encodings, lines, and cutting
// at rune and line boundaries.
//
// An encoding is told from the bytes alone: a byte order mark, else valid
// UTF-8, else a legacy encoding that the bytes fit, else latin-1 when no byte
// is NUL. What remains is binary.
package text

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Encoding is the name under which a file's encoding stands in records.
type Encoding string

const (
	UTF8    Encoding = "utf-8"
	UTF8BOM Encoding = "utf-8-bom"
	UTF16LE Encoding = "utf-16le"
	UTF16BE Encoding = "utf-16be"
	Latin1  Encoding = "latin-1"
	// Binary is the absence of an encoding.
	Binary Encoding = ""
)

var (
	bomUTF8    = []byte{0xEF, 0xBB, 0xBF}
	bomUTF16LE = []byte{0xFF, 0xFE}
	bomUTF16BE = []byte{0xFE, 0xFF}
)

var codecs = map[Encoding]encoding.Encoding{
	UTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	UTF16BE: unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	Latin1:  charmap.ISO8859_1,
}

// Detect tells the encoding of a whole file.
func Detect(b []byte) Encoding {
	switch {
	case bytes.HasPrefix(b, bomUTF8) && utf8.Valid(b[3:]) && bytes.IndexByte(b, 0) < 0:
		return UTF8BOM
	case bytes.HasPrefix(b, bomUTF16LE) && len(b)%2 == 0:
		return UTF16LE
	case bytes.HasPrefix(b, bomUTF16BE) && len(b)%2 == 0:
		return UTF16BE
	case bytes.IndexByte(b, 0) >= 0:
		return Binary
	case utf8.Valid(b):
		return UTF8
	}
	return Latin1
}

// Decode returns b as UTF-8 without a byte order mark. UTF-8 is returned as it
// is, not copied. Malformed sequences become U+FFFD.
func Decode(b []byte, e Encoding) []byte {
	switch e {
	case UTF8:
		return b
	case UTF8BOM:
		return b[3:]
	}
	c, ok := codecs[e]
	if !ok {
		return b
	}
	out, err := c.NewDecoder().Bytes(b)
	if err != nil {
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return out
}

// Encode is the reverse of Decode, byte order mark included. Runes that the
// encoding lacks become its replacement.
func Encode(s []byte, e Encoding) []byte {
	switch e {
	case UTF8:
		return s
	case UTF8BOM:
		return append(bytes.Clone(bomUTF8), s...)
	}
	c, ok := codecs[e]
	if !ok {
		return s
	}
	out, err := encoding.ReplaceUnsupported(c.NewEncoder()).Bytes(s)
	if err != nil {
		return s
	}
	return out
}
