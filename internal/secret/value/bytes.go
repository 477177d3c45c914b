// Package value tells what kind of word a value or a name is: drawn by lot or made of words, a hash, a path, a look-up, a name
// that says its value is a secret. It knows the bytes of the one word alone, and nothing of where it stands in a file.
package value

import (
	"bytes"
	"math/bits"
	"strings"
)

// This file holds the sorts of bytes, and the walks over a text as far as bytes are of one.

// ByteSet is a set of bytes.
type ByteSet [4]uint64

// Add adds a byte to the set.
func (s *ByteSet) Add(b byte) { s[b>>6] |= 1 << (b & 63) }

// Has reports whether the set holds a byte.
func (s *ByteSet) Has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

// ByteSetOf returns the set of the bytes of a text.
func ByteSetOf(list string) *ByteSet {
	var s ByteSet
	for _, b := range []byte(list) {
		s.Add(b)
	}
	return &s
}

// Past returns where the first byte stands, from at on, that is not of the set; at most n bytes on.
func (s *ByteSet) Past(text []byte, at, n int) int {
	for most := min(len(text), at+n); at < most && s.Has(text[at]); {
		at++
	}
	return at
}

// Count returns how many bytes the set holds.
func (s *ByteSet) Count() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

// Sorts of bytes of ASCII, for the walks of this package.
const (
	Spaces      = " \t\n\r\f\v"
	Quotes      = "\"'`"
	DigitSigns  = "0123456789"
	HexSigns    = DigitSigns + "abcdefABCDEF"
	LetterSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	WordSigns   = LetterSigns + DigitSigns + "_"
	Base64Signs = LetterSigns + DigitSigns + "+/"
)

// IsLetter reports whether b is a letter of ASCII.
func IsLetter(b byte) bool { b |= 0x20; return b >= 'a' && b <= 'z' }

// IsUpper reports whether b is a capital of ASCII.
func IsUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

// IsDigit reports whether b is a decimal digit.
func IsDigit(b byte) bool { return b >= '0' && b <= '9' }

// IsHex reports whether b is a hexadecimal digit, of either case.
func IsHex(b byte) bool { return IsDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// IsWord reports whether b is of WordSigns.
func IsWord(b byte) bool { return IsLetter(b) || IsDigit(b) || b == '_' }

// IsBase64 reports whether b is of Base64Signs: base64 in its first alphabet, without padding.
func IsBase64(b byte) bool { return IsLetter(b) || IsDigit(b) || b == '+' || b == '/' }

// IsQuote reports whether b is of Quotes.
func IsQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

// IsSpace reports whether b is of Spaces.
func IsSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

// IsIdent reports whether b may stand in a name: of a variable, a property, a header, a flag.
func IsIdent(b byte) bool { return IsWord(b) || b == '-' || b == '.' || b == '$' || b >= 0x80 }

// ByteAt returns the byte at at, 0 if the text ends before.
func ByteAt(text []byte, at int) byte {
	if at < len(text) {
		return text[at]
	}
	return 0
}

// HasPrefixAt reports whether s stands in the text at at.
func HasPrefixAt(text []byte, at int, s string) bool {
	return at+len(s) <= len(text) && string(text[at:at+len(s)]) == s
}

// Past returns where the first byte stands, from at on, that is not of set; at most n bytes on.
func Past(text []byte, at, n int, set string) int {
	sorts, rest := sortsOf(set)
	for most := min(len(text), at+n); at < most && sorts.has(text[at], rest); {
		at++
	}
	return at
}

// UpTo returns where the first byte stands, from at on, that is of set; at most n bytes on.
func UpTo(text []byte, at, n int, set string) int {
	sorts, rest := sortsOf(set)
	for most := min(len(text), at+n); at < most && !sorts.has(text[at], rest); {
		at++
	}
	return at
}

// Back returns where the bytes of set begin that stand before at, at most n of them.
func Back(text []byte, at, n int, set string) int {
	sorts, rest := sortsOf(set)
	for least := max(0, at-n); at > least && sorts.has(text[at-1], rest); {
		at--
	}
	return at
}

// BackTo returns where the bytes begin that are not of set and stand before at, at most n of them.
func BackTo(text []byte, at, n int, set string) int {
	sorts, rest := sortsOf(set)
	for least := max(0, at-n); at > least && !sorts.has(text[at-1], rest); {
		at--
	}
	return at
}

// sorts are the sorts of bytes that a set begins with. These are told by what they are, which takes less than to look for them.
type sorts struct{ letters, digits bool }

// sortsOf returns the sorts that a set begins with, and what else it holds.
func sortsOf(set string) (s sorts, rest string) {
	rest, s.letters = strings.CutPrefix(set, LetterSigns)
	rest, s.digits = strings.CutPrefix(rest, DigitSigns)
	return s, rest
}

// has reports whether b is of the sorts or of rest, which is short.
func (s sorts) has(b byte, rest string) bool {
	if s.letters && IsLetter(b) || s.digits && IsDigit(b) {
		return true
	}
	for i := range len(rest) {
		if rest[i] == b {
			return true
		}
	}
	return false
}

// Trimmed returns the bounds of what stands in [from, to) without the bytes of set at either end.
func Trimmed(text []byte, from, to int, set string) (lo, hi int) {
	lo = Past(text, from, to-from, set)
	return lo, Back(text, to, to-lo, set)
}

// Only reports whether v holds no other bytes than those of set.
func Only(v []byte, set string) bool { return Past(v, 0, len(v), set) == len(v) }

// HasFold reports whether text holds one of the words, which are in lower case, in any case.
func HasFold(text []byte, words ...string) bool {
	for _, w := range words {
		for i := 0; i+len(w) <= len(text); i++ {
			if text[i]|0x20 == w[0] && bytes.EqualFold(text[i:i+len(w)], []byte(w)) {
				return true
			}
		}
	}
	return false
}

// SkipBlank returns where the spaces and tabs end that stand at at.
func SkipBlank(text []byte, at int) int { return blanks.Past(text, at, len(text)) }

var blanks = ByteSetOf(" \t")

// SkipLineEnd returns where the line begins whose predecessor ends at at: behind LF or CRLF; at itself where no line ends.
func SkipLineEnd(text []byte, at int) int { return Past(text, Past(text, at, 1, "\r"), 1, "\n") }
