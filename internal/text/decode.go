// Package text turns bytes into text and back: encodings, lines, and cutting
// at rune and line boundaries.
//
// An encoding is told from the bytes alone, in this order: a byte order mark
// (UTF-8, UTF-16); a NUL byte means binary; valid UTF-8, which ASCII is; UTF-8
// with at most 1 bad byte in 1,000 (see damaged); a legacy East Asian encoding
// whose structure and common characters the bytes show (Shift-JIS, EUC-JP,
// EUC-KR, GBK); latin-1. Bytes that would be latin-1 but hold many control
// characters are binary. Big5, ISO-2022 and UTF-32 are not known: the first two
// come out as latin-1 and as ASCII, the third as binary.
//
// Valid UTF-8 without NUL is never taken for anything else. Detecting looks at
// each byte at most a few times, and at no more than a bounded part of a file
// that is not UTF-8 (see legacy.go).
package text

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Encoding is the name under which a file's encoding stands in records.
type Encoding string

const (
	UTF8    Encoding = "utf-8"
	UTF8BOM Encoding = "utf-8-bom"
	UTF16LE Encoding = "utf-16le"
	UTF16BE Encoding = "utf-16be"
	// ShiftJIS, EUCJP, EUCKR and GBK are as browsers decode them: with the
	// vendors' extensions (windows-31j, windows-949, code page 936).
	ShiftJIS Encoding = "shift-jis"
	EUCJP    Encoding = "euc-jp"
	EUCKR    Encoding = "euc-kr"
	GBK      Encoding = "gbk"
	// Latin1 is ISO 8859-1: each byte is the code point of the same number, so
	// that decoding and encoding it loses nothing.
	Latin1 Encoding = "latin-1"
	// Binary is the absence of an encoding.
	Binary Encoding = ""
)

var (
	bomUTF8    = []byte{0xEF, 0xBB, 0xBF}
	bomUTF16LE = []byte{0xFF, 0xFE}
	bomUTF16BE = []byte{0xFE, 0xFF}
)

var codecs = map[Encoding]encoding.Encoding{
	UTF16LE:  unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	UTF16BE:  unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	ShiftJIS: japanese.ShiftJIS,
	EUCJP:    japanese.EUCJP,
	EUCKR:    korean.EUCKR,
	GBK:      simplifiedchinese.GBK,
	Latin1:   charmap.ISO8859_1,
}

// Detect tells the encoding of a whole file.
func Detect(b []byte) Encoding {
	switch {
	case bytes.HasPrefix(b, bomUTF8) && bytes.IndexByte(b, 0) < 0 && Undecodable(b[3:], UTF8)*perBadByte <= len(b):
		return UTF8BOM
	case bytes.HasPrefix(b, bomUTF16LE) && isUTF16(b, 1):
		return UTF16LE
	case bytes.HasPrefix(b, bomUTF16BE) && isUTF16(b, 0):
		return UTF16BE
	case bytes.IndexByte(b, 0) >= 0:
		return Binary
	case utf8.Valid(b), damaged(b):
		return UTF8
	}
	return detectLegacy(b)
}

// Undecodable counts the characters of b that Decode replaces with U+FFFD. In
// UTF-8 each byte that belongs to no character counts as one.
func Undecodable(b []byte, e Encoding) int {
	switch e {
	case UTF8, UTF8BOM:
		if utf8.Valid(b) {
			return 0
		}
		n := 0
		for i := 0; i < len(b); {
			r, size := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size == 1 {
				n++
			}
			i += size
		}
		return n
	case Latin1, Binary:
		return 0
	}
	return bytes.Count(Decode(b, e), replacement)
}

var replacement = []byte("\uFFFD")

// valid returns s with each byte that belongs to no character replaced; s
// itself when there is none.
func valid(s []byte) []byte {
	n := Undecodable(s, UTF8)
	if n == 0 {
		return s
	}
	out := make([]byte, 0, len(s)+2*n)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		if r == utf8.RuneError && size == 1 {
			out = append(out, replacement...)
		} else {
			out = append(out, s[i:i+size]...)
		}
		i += size
	}
	return out
}

// Decode returns b as UTF-8 without a byte order mark. Valid UTF-8 is returned
// as it is, not copied. Malformed sequences become U+FFFD, see Undecodable.
func Decode(b []byte, e Encoding) []byte {
	switch e {
	case UTF8:
		return valid(b)
	case UTF8BOM:
		return valid(b[3:])
	}
	c, ok := codecs[e]
	if !ok {
		return b
	}
	out, err := c.NewDecoder().Bytes(b)
	if err != nil {
		return valid(b)
	}
	return out
}

// Encode is the reverse of Decode, byte order mark included. Runes that the
// encoding lacks become its replacement; U+FFFD stays what it is in UTF-8.
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
