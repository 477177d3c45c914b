package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads what a program, a registry or an address writes sign by sign: {'a', 0x62, …}, [97, 98, …], hex:61,62, %3D.

const (
	maxCodesLead = 48  // bytes between a name's sign and the first of a list of characters
	maxCodes     = 256 // characters of a list
	maxPercents  = 3   // how often an address was put into another
)

// characters takes a list of characters, or of their codes, that say together what was drawn by lot; false if none begins at at or soon behind.
func (a *assignment) characters(at int) bool {
	text := a.r.text
	if k := a.naming(); k.Noun < value.TokenNoun || k.Noun == value.Mnemonic || a.useless() {
		return false
	}
	for most := min(len(text), at+maxCodesLead); at < most && strings.IndexByte("\n;\"", text[at]) < 0; at++ {
		if strings.IndexByte("[{(:", text[at]) < 0 {
			continue
		}
		from := value.Past(text, at+1, maxCodesLead, value.Spaces)
		hexadecimal := text[at] == ':' && value.HasFold(text[max(0, at-len("hex(99)")):at], "hex")
		if text[at] == ':' && !hexadecimal {
			continue
		}
		if end := a.codes(from, hexadecimal); end > 0 {
			a.r.add("secret-assignment", from, end, rankKeyed)
			return true
		}
	}
	return false
}

// codes returns where the list of characters ends that begins at at, 0 where it says nothing that was drawn by lot.
func (a *assignment) codes(at int, hexadecimal bool) (end int) {
	text, from := a.r.text, at
	var buf [maxCodes]byte
	said := buf[:0]
	for len(said) < len(buf) {
		b, n := codeAt(text, at, hexadecimal)
		if n == 0 || b != 0 && (b <= ' ' || b >= 0x7F) {
			break
		}
		if end = at + n; b != 0 { // a nought ends a text of C's, and is half of each sign of UTF-16
			said = append(said, b)
		}
		at = value.Past(text, end, maxCodesLead, value.Spaces+`,\`)
	}
	a.r.spend(4 * (at - from))
	if len(said) < lotLength || !byLotText(said) {
		return 0
	}
	return end
}

// codeAt reads the character, or the code of one, at at: 'a', 0x61, 97; in hexadecimal, 61. It returns how long that is, 0 if it is none.
func codeAt(text []byte, at int, hexadecimal bool) (b byte, n int) {
	switch {
	case at+2 >= len(text):
		return 0, 0
	case hexadecimal:
		if value.AllHex(text[at:at+2]) && !value.IsHex(text[at+2]) {
			return value.HexDigit(text[at])<<4 | value.HexDigit(text[at+1]), 2
		}
		return 0, 0
	case value.IsQuote(text[at]) && text[at+2] == text[at] && text[at+1] != '\\':
		return text[at+1], 3
	}
	if b, end := hexByte(text, at); end > 0 {
		return b, end - at
	}
	n = value.Past(text, at, 3, value.DigitSigns) - at
	if value.IsDigit(value.ByteAt(text, at+n)) {
		return 0, 0
	}
	code := 0
	for _, digit := range text[at : at+n] {
		code = code*10 + int(digit-'0')
	}
	if code > 0xFF {
		return 0, 0
	}
	return byte(code), n
}

// percentAt reads the sign at at that an address escapes, %3D, or %253D within another; n is 0 if there is none.
func percentAt(text []byte, at int) (b byte, n int) {
	if value.ByteAt(text, at) != '%' {
		return 0, 0
	}
	i := at + 1
	for range maxPercents {
		if value.HasPrefixAt(text, i, "25") && i+3 < len(text) && value.AllHex(text[i+2:i+4]) {
			i += 2
		}
	}
	if i+1 >= len(text) || !value.AllHex(text[i:i+2]) {
		return 0, 0
	}
	return value.HexDigit(text[i])<<4 | value.HexDigit(text[i+1]), i + 2 - at
}

// escaped takes the value behind a sign that an address escapes: token%3Dvalue%26, %22token%22%3A%22value%22; false if none stands at at.
func (a *assignment) escaped(at int) bool {
	text := a.r.text
	if text[at] != '%' || a.closed != 0 {
		return false
	}
	pastEscaped := func(signs string) bool {
		b, n := percentAt(text, at)
		if n == 0 || strings.IndexByte(signs, b) < 0 {
			return false
		}
		at += n
		return true
	}
	pastEscaped(value.Quotes)
	if !pastEscaped("=:") {
		return false
	}
	at = value.Past(text, at, 1, "+")
	pastEscaped(" ")
	pastEscaped(value.Quotes)
	end := at
	for end < len(text) && end-at < value.MaxLook {
		if value.IsWord(text[end]) || strings.IndexByte("-._~!*", text[end]) >= 0 {
			end++
			continue
		}
		b, n := percentAt(text, end)
		if n == 0 || b <= ' ' || b >= 0x7F || strings.IndexByte(value.Quotes+`&,;}])<>\`, b) >= 0 {
			break
		}
		end += n
	}
	a.r.spend(4 * (end - at))
	if !a.useless() {
		a.take(formQuoted, at, end)
	}
	return true
}

// maxParameter is how far behind a statement what it is handed by name may stand, in bytes.
const maxParameter = 800

// handedByName takes the value that a statement is handed as a parameter which the name is given, of SQL or GraphQL: password = :pw … {"pw": "value"}.
func (a *assignment) handedByName(behind int) {
	text := a.r.text
	if a.placed() {
		return
	}
	at := value.SkipBlank(text, behind)
	if b := value.ByteAt(text, at); b != '=' && b != ':' {
		return
	}
	at = value.SkipBlank(text, at+1)
	lo := value.Past(text, at, 1, "$:@%")
	lo = value.Past(text, lo, 1, "(")
	name := text[lo:value.Past(text, lo, 40, value.WordSigns)]
	if lo == at || len(name) == 0 || !value.IsLetter(name[0]) || !a.r.insideString(a.lo) {
		return
	}
	most := min(len(text), lo+maxParameter)
	a.r.spend(most - lo)
	for i := lo + len(name); i < most; {
		j := a.r.upTo(i, most-i, value.Quotes)
		from, to, ok := a.r.literal(j)
		if !ok || to > most {
			return
		}
		if i = to + 1; string(text[from:to]) != string(name) {
			i = j + 1 // perhaps the end of another
			continue
		}
		sign := value.Past(text, to+1, 3, " :=>")
		if v, end, ok := a.r.literal(sign); ok && sign > to+1 {
			a.far(formMember, v, end)
			return
		}
	}
}

const (
	maxPlaced  = 8   // texts that a statement is handed by their places
	maxPlaces  = 240 // bytes of a statement in which one says so
	maxHanding = 400 // bytes behind it in which they stand
)

// places are how a statement says that a value is handed to it: password = ?, values ($1, %s).
var places = []string{"?", "$1", "%s", ":1", "@p"}

// placed takes what is drawn by lot of the texts that a statement is handed by their places; false if the name stands in none.
func (a *assignment) placed() bool {
	text := a.r.text
	end := a.r.upTo(a.hi, maxPlaces, value.Quotes+"\n;{")
	q := value.ByteAt(text, end)
	if !value.IsQuote(q) || a.closed != 0 || !value.Holds(text[a.hi:end], places...) || a.r.openQuote(a.lo) != q {
		return false
	}
	most := min(len(text), end+maxHanding)
	a.r.spend(2 * (most - a.lo))
	for at, n := end+1, 0; n < maxPlaced; n++ {
		if at = value.UpTo(text, at, most-at, value.Quotes); at >= most || bytes.Contains(text[end:at], []byte("\n\n")) {
			break
		}
		to, ok := a.r.closing(at+1, text[at], 0)
		if !ok {
			break
		}
		a.far(formGiven, at+1, to)
		end, at = at, to+1
	}
	return true
}
