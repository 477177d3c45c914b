// Package text turns bytes into text and back: encodings, lines, and cutting
// at rune and line boundaries.
//
// An encoding is told from the bytes alone, in this order: a byte order mark
// (UTF-8, UTF-16); a NUL byte means binary; valid UTF-8, which ASCII is; UTF-8
// with at most 1 bad byte in 1,000 (see damaged); else what says the bytes outside of ASCII in the fewest bits: an East Asian
// encoding whose structure and common characters they show (Shift-JIS, EUC-JP, EUC-KR, GBK, GB18030, Big5), an encoding of
// one byte a letter by how common its letters are in the languages that were written in it (see alphabets), or UTF-8 in which some bytes are wrong. What is dear in all
// of them is read as UTF-8, each wrong byte replaced and counted. Bytes that would be of one byte a letter but hold many control
// characters are binary. ISO-2022 and UTF-32 are not known: the first
// comes out as ASCII, the second as binary. Where ISO 8859 and a windows encoding read a text alike it is called the former, for want of
// any byte that tells.
//
// Valid UTF-8 without NUL is never taken for anything else. Detecting looks at
// each byte at most a few times, and at no more than a bounded part of a file
// that is not UTF-8 (see legacy.go).
package text

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
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
	// GB18030 is GBK with characters of four bytes.
	GB18030 Encoding = "gb18030"
	Big5    Encoding = "big5"
	// Latin1 is ISO 8859-1: each byte is the code point of the same number, so
	// that decoding and encoding it loses nothing.
	Latin1 Encoding = "latin-1"
	// Windows1252 is Latin1 with quotes, dashes and a few letters where Latin1 has controls. The other encodings of one byte a
	// letter are in alphabets.
	Windows1252 Encoding = "windows-1252"
	// Binary is the absence of an encoding.
	Binary Encoding = ""
)

var (
	bomUTF8    = []byte{0xEF, 0xBB, 0xBF}
	bomUTF16LE = []byte{0xFF, 0xFE}
	bomUTF16BE = []byte{0xFE, 0xFF}
)

var codecs = func() map[Encoding]encoding.Encoding {
	all := map[Encoding]encoding.Encoding{
		UTF16LE:  unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		UTF16BE:  unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
		ShiftJIS: japanese.ShiftJIS,
		EUCJP:    japanese.EUCJP,
		EUCKR:    korean.EUCKR,
		GBK:      simplifiedchinese.GBK,
		GB18030:  simplifiedchinese.GB18030,
		Big5:     traditionalchinese.Big5,
	}
	for _, a := range alphabets {
		all[a.encoding] = a.codes
	}
	return all
}()

// oneByte reports whether an encoding has one byte a letter.
func oneByte(e Encoding) bool {
	return slices.ContainsFunc(alphabets, func(a alphabet) bool { return a.encoding == e })
}

// Detect tells the encoding of a whole file.
func Detect(b []byte) Encoding {
	switch {
	case bytes.HasPrefix(b, bomUTF8) && bytes.IndexByte(b, 0) < 0 && Undecodable(b[3:], UTF8)*perBadByteMarked <= len(b):
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
