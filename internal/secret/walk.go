package secret

import (
	"bytes"
	"math/bits"
	"strings"
)

// This file holds the sorts of bytes, and the walks over a text as far as bytes are of one.

// bytesIn is a set of bytes.
type bytesIn [4]uint64

func (s *bytesIn) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *bytesIn) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

func setOf(list string) *bytesIn {
	var s bytesIn
	for _, b := range []byte(list) {
		s.add(b)
	}
	return &s
}

// past is past for a set that is walked often.
func (s *bytesIn) past(text []byte, at, n int) int {
	for most := min(len(text), at+n); at < most && s.has(text[at]); {
		at++
	}
	return at
}

func (s *bytesIn) count() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

const (
	spaces      = " \t\n\r\f\v"
	quotes      = "\"'`"
	digitSigns  = "0123456789"
	hexSigns    = digitSigns + "abcdefABCDEF"
	letterSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	wordSigns   = letterSigns + digitSigns + "_"
	base64Signs = letterSigns + digitSigns + "+/"
)

func isLetter(b byte) bool { b |= 0x20; return b >= 'a' && b <= 'z' }
func isUpper(b byte) bool  { return b >= 'A' && b <= 'Z' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
func isHex(b byte) bool    { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }
func isWord(b byte) bool   { return isLetter(b) || isDigit(b) || b == '_' }
func isBase64(b byte) bool { return isLetter(b) || isDigit(b) || b == '+' || b == '/' }
func isQuote(b byte) bool  { return b == '"' || b == '\'' || b == '`' }
func isSpace(b byte) bool  { return b == ' ' || b >= '\t' && b <= '\r' }

// isIdent reports whether b may stand in a name: of a variable, a property, a header, a flag.
func isIdent(b byte) bool { return isWord(b) || b == '-' || b == '.' || b == '$' || b >= 0x80 }

// byteAt returns the byte at at, 0 if the text ends before.
func byteAt(text []byte, at int) byte {
	if at < len(text) {
		return text[at]
	}
	return 0
}

func hasPrefixAt(text []byte, at int, s string) bool {
	return at+len(s) <= len(text) && string(text[at:at+len(s)]) == s
}

// past returns where the first byte stands, from at on, that is not of set; at most n bytes on.
func past(text []byte, at, n int, set string) int {
	for most := min(len(text), at+n); at < most && strings.IndexByte(set, text[at]) >= 0; {
		at++
	}
	return at
}

// upTo returns where the first byte stands, from at on, that is of set; at most n bytes on.
func upTo(text []byte, at, n int, set string) int {
	for most := min(len(text), at+n); at < most && strings.IndexByte(set, text[at]) < 0; {
		at++
	}
	return at
}

// back returns where the bytes of set begin that stand before at, at most n of them.
func back(text []byte, at, n int, set string) int {
	for least := max(0, at-n); at > least && strings.IndexByte(set, text[at-1]) >= 0; {
		at--
	}
	return at
}

// backTo returns where the bytes begin that are not of set and stand before at, at most n of them.
func backTo(text []byte, at, n int, set string) int {
	for least := max(0, at-n); at > least && strings.IndexByte(set, text[at-1]) < 0; {
		at--
	}
	return at
}

// trimmed returns the bounds of what stands in [from, to) without the bytes of set at either end.
func trimmed(text []byte, from, to int, set string) (lo, hi int) {
	lo = past(text, from, to-from, set)
	return lo, back(text, to, to-lo, set)
}

// only reports whether v holds no other bytes than those of set.
func only(v []byte, set string) bool { return past(v, 0, len(v), set) == len(v) }

// hasFold reports whether text holds one of the words, which are in lower case, in any case.
func hasFold(text []byte, words ...string) bool {
	for _, w := range words {
		for i := 0; i+len(w) <= len(text); i++ {
			if text[i]|0x20 == w[0] && bytes.EqualFold(text[i:i+len(w)], []byte(w)) {
				return true
			}
		}
	}
	return false
}

func skipBlank(text []byte, at int) int { return blanks.past(text, at, len(text)) }

var blanks = setOf(" \t")

func skipLineEnd(text []byte, at int) int { return past(text, past(text, at, 1, "\r"), 1, "\n") }
