package known

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads the grammars in which the characters of a value are escaped: those
// of programs and shells, of URLs, of markup, of style sheets and SQL, of mail. What an
// escape stands for that has no width is nothing, and so is what has no width itself.

// decoder holds a decoded run and where each of its bytes stands in the text.
type decoder struct {
	out []byte
	at  []int // one more than out
	// joined says that the bytes stand for themselves, and some are apart in the text.
	joined bool
	// steps counts the bytes that were read more closely than to find where something may begin: those that were
	// decoded, joined, hashed and compared. What takes longer than its length shows in it.
	steps int
}

// decoders are those at rest. One holds parts of files, and is not shown.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// end is where in the text the bytes before n end.
func (d *decoder) end(n int) int {
	if d.joined && n > 0 {
		return d.at[n-1] + 1
	}
	return d.at[n]
}

const (
	// maxEscaped bounds a run of bytes that is decoded, in bytes of the text.
	maxEscaped = 32 << 10
	// overlap is what two parts of a longer run share, so that a value may stand on
	// their border.
	overlap = 8 << 10
)

// Coding is a way to write what a value's bytes are.
type Coding int

const (
	Escaped Coding = iota // as programs, shells, URLs and markup do, and with characters of no width between
	styled                // as style sheets do, SQL's U&'' and LDAP: the digits follow the backslash
	counted               // as Lua and Haskell do, by decimal numbers
	Mailed                // quoted-printable
	codings
)

// starts are the bytes that an escape of each Coding begins with, beside what has no width.
var starts = [codings]string{Escaped: "\\%&`", styled: `\`, counted: `\`, Mailed: "="}

// seconds are the bytes that what begins with starts goes on with, where it is an escape.
var seconds = [codings]*value.ByteSet{styled: value.ByteSetOf(`\+` + value.HexSigns), counted: value.ByteSetOf(`\` + value.DigitSigns), Mailed: value.ByteSetOf("\r\n" + value.HexSigns)}

// alphabet is what the values hold that are looked for.
type alphabet struct {
	quote bool          // a quote or a backslash
	signs value.ByteSet // those of ASCII that are no part of a word
}

// backslashed says where in a text the first backslash stands that begins an escape of each Coding, and the first escape of a
// line's end; the text's length for none. One walk over the backslashes says of most texts that they hold none of styled and counted.
func backslashed(text []byte) (first [codings]int, lineEnd int) {
	none := len(text)
	first, lineEnd = [codings]int{Escaped: none, styled: none, counted: none}, none
	for at := 0; max(first[styled], first[counted], lineEnd) == none; at++ {
		n := bytes.IndexByte(text[at:], '\\')
		if n < 0 {
			break
		}
		at += n
		first[Escaped] = min(first[Escaped], at)
		next := value.ByteAt(text, at+1)
		for _, c := range [...]Coding{styled, counted} {
			if seconds[c].Has(next) {
				first[c] = min(first[c], at)
			}
		}
		if next == 'n' {
			lineEnd = min(lineEnd, at)
		}
	}
	return first, lineEnd
}

// runs calls found for each run of bytes without spaces that holds an escape of a
// Coding, decoded; from is where the first backslash of one stands. Quotes end a run unless a value may hold them.
func (d *decoder) runs(text []byte, from int, c Coding, a *alphabet, found func()) {
	first := starts[c]
	next := [...]int{-1, -1, -1, -1, -1} // where each of these stands, and what has no width
	if first[0] == '\\' {
		next[0] = from
	}
	done := 0
	d.joined = false
	for i := 0; ; {
		at := len(text)
		for n := range len(first) {
			if next[n] < i {
				next[n] = len(text)
				if j := bytes.IndexByte(text[i:], first[n]); j >= 0 {
					next[n] = i + j
				}
			}
			at = min(at, next[n])
		}
		if c == Escaped {
			if next[4] < i {
				next[4] = nextWidthless(text, i)
			}
			at = min(at, next[4])
		}
		if at == len(text) {
			return
		}
		i = at + 1
		if next := seconds[c]; next != nil && !next.Has(value.ByteAt(text, i)) || !begun(text[at:], c, a) {
			continue
		}
		// The run: no space and no quote ends or begins within a value.
		lo := at
		for lo > done && at-lo < MaxLength && !endsRun(text[lo-1], a.quote) {
			lo--
		}
		d.out, d.at = d.out[:0], d.at[:0]
		j, whole := d.run(text, lo, c, a)
		d.steps += at - lo + j - lo
		if i, done = max(j, i), j; !whole {
			i = max(j-overlap, i)
			done = i
		}
		found()
	}
}

// run decodes the run that begins at j, and returns where it ends, and whether that is
// its end.
func (d *decoder) run(text []byte, j int, c Coding, a *alphabet) (end int, whole bool) {
	for lo := j; j < len(text); {
		if j-lo >= maxEscaped {
			d.at = append(d.at, j)
			return j, false
		}
		out, n := Unescape(d.out, text[j:], c)
		if n == 0 {
			switch {
			case c != Mailed && signEscaped(text[j:], a):
				out, n = append(out, text[j+1]), 2
			case endsRun(text[j], a.quote):
				d.at = append(d.at, j)
				return j, true
			default:
				out, n = append(out, text[j]), 1
			}
		}
		for range len(out) - len(d.out) {
			d.at = append(d.at, j)
		}
		d.out = out
		j += n
	}
	d.at = append(d.at, j)
	return j, true
}

func endsRun(b byte, quote bool) bool { return value.IsSpace(b) || !quote && value.IsQuote(b) }

// signEscaped reports whether v begins with a sign of values behind a backslash, as
// shells and expressions have it, or behind the backtick of PowerShell.
func signEscaped(v []byte, a *alphabet) bool {
	return len(v) > 1 && a.signs.Has(v[1]) && (v[0] == '\\' || v[0] == '`' && (v[1] == '$' || value.IsQuote(v[1])))
}

// begun reports whether v begins with an escape that values are hidden in. Most
// backslashes are of line ends and the like.
func begun(v []byte, c Coding, a *alphabet) bool {
	var buf [4 * utf8.UTFMax]byte
	if c == Escaped && signEscaped(v, a) {
		return true
	}
	if c == Escaped && v[0] == '\\' {
		rest := bytes.TrimLeft(v[:min(len(v), 8)], `\`)
		if len(rest) == 0 {
			return a.quote
		}
		if strings.IndexByte("uUxoN/01234567", rest[0]) < 0 && (!a.quote || value.IsLetter(rest[0])) {
			return false
		}
	}
	_, n := Unescape(buf[:0], v, c)
	return n > 0
}

// Unescape appends to dst what the escape at the beginning of v stands for, which may
// be nothing, and returns how many bytes the escape takes, 0 if there is none.
func Unescape(dst, v []byte, c Coding) ([]byte, int) {
	switch b := v[0]; {
	case c == Mailed:
		return unescapeMailed(dst, v)
	case c == styled:
		return unescapeStyle(dst, v)
	case c == counted:
		return unescapeDecimal(dst, v)
	case b == '%':
		return unescapePercent(dst, v)
	case b == '&':
		return unescapeEntity(dst, v)
	case b == '\\':
		return unescapeBackslash(dst, v)
	case b == '`' && len(v) > 2 && v[1] == 'u' && v[2] == '{':
		return unescapeBraces(dst, v, 2, 16)
	case b >= utf8.RuneSelf:
		if r, n := utf8.DecodeRune(v); widthless(r) {
			return dst, n
		}
	}
	return dst, 0
}

// unescapePercent reads %2B of URLs, and %u002B.
func unescapePercent(dst, v []byte) ([]byte, int) {
	if len(v) > 5 && v[1]|0x20 == 'u' {
		return character(dst, v[2:6], 16, 6)
	}
	if len(v) > 2 {
		if n, ok := number(v[1:3], 16); ok {
			return append(dst, byte(n)), 3
		}
	}
	return dst, 0
}

// unescapeMailed reads =2B of quoted-printable, and the end of a line that goes on.
func unescapeMailed(dst, v []byte) ([]byte, int) {
	if v[0] != '=' {
		return dst, 0
	}
	if n := value.SkipLineEnd(v, 1); v[n-1] == '\n' {
		return dst, n
	}
	if len(v) > 2 && value.IsHex(v[1]) && value.IsHex(v[2]) {
		return append(dst, value.HexDigit(v[1])<<4|value.HexDigit(v[2])), 3
	}
	return dst, 0
}

// unescapeEntity reads &amp; and &#38; and &#x26; of markup. Numbers may have zeros
// before them, and lack the semicolon.
func unescapeEntity(dst, v []byte) ([]byte, int) {
	if len(v) < 3 {
		return dst, 0
	}
	if v[1] != '#' {
		end := value.Past(v, 1, maxEntity, value.LetterSigns+value.DigitSigns)
		b, ok := entities[string(v[1:end])]
		switch {
		case !ok || value.ByteAt(v, end) != ';' && !bareEntities[string(v[1:end])]:
			return dst, 0
		case b != 0:
			dst = append(dst, b)
		}
		return dst, value.Past(v, end, 1, ";")
	}
	from, base := 2, 10
	if v[2]|0x20 == 'x' {
		from, base = 3, 16
	}
	for from < len(v) && v[from] == '0' {
		from++
	}
	end := from
	for end < len(v) && end-from < 7 && value.IsHex(v[end]) && int(value.HexDigit(v[end])) < base {
		end++
	}
	if value.ByteAt(v, end) == ';' {
		return character(dst, v[from:end], base, end+1)
	}
	return visible(dst, v, from, end, base)
}

// visible reads the longest number of the digits from from to end that is of a visible
// character of ASCII: where nothing ends it, the next digit may be the text's.
func visible(dst, v []byte, from, end, base int) ([]byte, int) {
	for ; end-from >= 2; end-- {
		if n, ok := number(v[from:end], base); ok && n > ' ' && n < 0x7F {
			return append(dst, byte(n)), end
		}
	}
	return dst, 0
}

// unescapeStyle reads \6b and \00006B, of which a space may be the end, and \+00006B; in
// a run also what else stands behind a backslash, as itself.
func unescapeStyle(dst, v []byte) ([]byte, int) {
	if v[0] != '\\' {
		return dst, 0
	}
	from := value.Past(v, value.Past(v, 1, 3, `\`), 1, "+")
	end := from
	for end < len(v) && end-from < 6 && value.IsHex(v[end]) {
		end++
	}
	dst, n := visible(dst, v, from, end, 16)
	if n == end && n > 0 {
		switch {
		case bytes.HasPrefix(v[n:], []byte("\r\n")):
			n += 2
		case n < len(v) && value.IsSpace(v[n]):
			n++
		}
	}
	return dst, n
}

// unescapeDecimal reads \43, of up to three digits, where it is of a visible character.
func unescapeDecimal(dst, v []byte) ([]byte, int) {
	if v[0] != '\\' {
		return dst, 0
	}
	from := value.Past(v, 1, 3, `\`)
	if end := value.Past(v, from, 3, value.DigitSigns); end-from >= 2 {
		return visible(dst, v, from, end, 10)
	}
	return dst, 0
}

// unescapeBackslash reads the escapes of programs and shells, of which the backslash
// itself may be escaped.
func unescapeBackslash(dst, v []byte) ([]byte, int) {
	n := 1
	for n < len(v) && n < 4 && v[n] == '\\' {
		n++
	}
	if n == len(v) {
		return dst, 0
	}
	digits := 0
	rest := v[n+1:]
	braces := len(rest) > 0 && rest[0] == '{'
	switch v[n] {
	case 'u':
		if digits = 4; braces {
			return unescapeBraces(dst, v, n+1, 16)
		}
	case 'x':
		if digits = 2; braces {
			return unescapeBraces(dst, v, n+1, 16)
		}
	case 'o':
		if braces {
			return unescapeBraces(dst, v, n+1, 8)
		}
	case 'N':
		if braces {
			return unescapeName(dst, v, n+1)
		}
	case 'U':
		digits = 8
	case '0', '1', '2', '3', '4', '5', '6', '7':
		if out, end := unescapeOctal(dst, v, n); end > 0 {
			return out, end
		}
	case '"', '\'', '/', '`':
		return append(dst, v[n]), n + 1
	case 'n':
		return append(dst, '\n'), n + 1
	}
	if len(rest) >= digits {
		if out, n := character(dst, rest[:digits], 16, n+1+digits); n > 0 {
			return out, n
		}
	}
	if n > 1 {
		return append(dst, '\\'), n
	}
	return dst, 0
}

// unescapeOctal reads \053, \53 where no third digit follows, and \0053 as echo has it.
func unescapeOctal(dst, v []byte, from int) ([]byte, int) {
	end := from
	for end < len(v) && end-from < 4 && v[end] >= '0' && v[end] <= '7' {
		end++
	}
	if end-from == 4 {
		if n, _ := number(v[from:end], 8); v[from] == '0' && n > ' ' && n < 0x7F && v[from+1] < '2' {
			if short, _ := number(v[from:from+3], 8); short < ' ' {
				return append(dst, byte(n)), end
			}
		}
		end--
	}
	n, ok := number(v[from:end], 8)
	if !ok || n > 0xFF || end-from < 3 && n <= ' ' {
		return dst, 0
	}
	return append(dst, byte(n)), end
}

// unescapeBraces reads the numbers in braces that open at at, one or several.
func unescapeBraces(dst, v []byte, at, base int) ([]byte, int) {
	size := len(dst)
	for i := at + 1; i < len(v); {
		from := value.Past(v, i, maxEntity, " ")
		for from < len(v) && v[from] == '0' {
			from++
		}
		end := from
		for end < len(v) && end-from < 7 && value.IsHex(v[end]) {
			end++
		}
		var n int
		if dst, n = character(dst, v[from:end], base, end); n == 0 {
			break
		}
		if i = value.Past(v, end, maxEntity, " "); value.ByteAt(v, i) == '}' {
			return dst, i + 1
		}
		if i == end {
			break
		}
	}
	return dst[:size], 0
}

// unescapeName reads what stands in the braces of \N that open at at: U+002B, or the
// name of a letter, a digit or a sign.
func unescapeName(dst, v []byte, at int) ([]byte, int) {
	end := at + 1 + bytes.IndexByte(v[at+1:min(len(v), at+64)], '}')
	if end <= at {
		return dst, 0
	}
	name := v[at+1 : end]
	if hex, ok := bytes.CutPrefix(name, []byte("U+")); ok {
		return character(dst, bytes.TrimLeft(hex, "0"), 16, end+1)
	}
	for _, letter := range [...]struct {
		words string
		bit   byte
	}{{"LATIN SMALL LETTER ", 0x20}, {"LATIN CAPITAL LETTER ", 0}} {
		if c, ok := bytes.CutPrefix(bytes.ToUpper(name), []byte(letter.words)); ok && len(c) == 1 && value.IsLetter(c[0]) {
			return append(dst, c[0]|letter.bit), end + 1
		}
	}
	if b, ok := characterNames[strings.ToUpper(string(name))]; ok {
		return append(dst, b), end + 1
	}
	return dst, 0
}

// character appends the character with a number, nothing where it has no width; it
// returns n, 0 if that is none.
func character(dst, digits []byte, base, n int) ([]byte, int) {
	c, ok := number(digits, base)
	if !ok {
		return dst, 0
	}
	if widthless(rune(c)) {
		return dst, n
	}
	return utf8.AppendRune(dst, rune(c)), n
}

// number reads a number of a base up to 16, that is one of a character.
func number(v []byte, base int) (int, bool) {
	n := 0
	for _, b := range v {
		if !value.IsHex(b) || int(value.HexDigit(b)) >= base || n > unicode.MaxRune {
			return 0, false
		}
		n = n*base + int(value.HexDigit(b))
	}
	return n, len(v) > 0
}

// maxEntity is longer than the name of an entity that is read.
const maxEntity = 32

// entities are those of markup that stand for a character of ASCII, and, as 0, those
// that stand for one of no width.
var entities = map[string]byte{
	"amp": '&', "AMP": '&', "lt": '<', "LT": '<', "gt": '>', "GT": '>', "quot": '"', "QUOT": '"', "apos": '\'',
	"plus": '+', "sol": '/', "equals": '=', "colon": ':', "num": '#', "excl": '!', "dollar": '$', "percnt": '%', "commat": '@',
	"lowbar": '_', "UnderBar": '_', "period": '.', "bsol": '\\', "semi": ';', "comma": ',', "ast": '*', "midast": '*', "quest": '?',
	"lpar": '(', "rpar": ')', "lsqb": '[', "lbrack": '[', "rsqb": ']', "rbrack": ']', "lcub": '{', "lbrace": '{', "rcub": '}', "rbrace": '}',
	"Hat": '^', "grave": '`', "DiacriticalGrave": '`', "verbar": '|', "vert": '|', "VerticalLine": '|', "Tab": '\t', "NewLine": '\n',
	"shy": 0, "zwj": 0, "zwnj": 0, "lrm": 0, "rlm": 0, "ZeroWidthSpace": 0, "NegativeThinSpace": 0, "NegativeMediumSpace": 0,
	"NegativeThickSpace": 0, "NegativeVeryThinSpace": 0, "NoBreak": 0, "ApplyFunction": 0, "af": 0, "InvisibleTimes": 0, "it": 0, "InvisibleComma": 0, "ic": 0,
}

// bareEntities are those that need no semicolon.
var bareEntities = value.WordSet("amp AMP lt LT gt GT quot QUOT shy")

// characterNames are Unicode's names of digits and signs.
var characterNames = map[string]byte{
	"DIGIT ZERO": '0', "DIGIT ONE": '1', "DIGIT TWO": '2', "DIGIT THREE": '3', "DIGIT FOUR": '4', "DIGIT FIVE": '5', "DIGIT SIX": '6',
	"DIGIT SEVEN": '7', "DIGIT EIGHT": '8', "DIGIT NINE": '9', "PLUS SIGN": '+', "HYPHEN-MINUS": '-', "LOW LINE": '_', "SOLIDUS": '/',
	"EQUALS SIGN": '=', "FULL STOP": '.', "COMMA": ',', "COLON": ':', "SEMICOLON": ';', "EXCLAMATION MARK": '!', "QUESTION MARK": '?',
	"NUMBER SIGN": '#', "DOLLAR SIGN": '$', "PERCENT SIGN": '%', "AMPERSAND": '&', "ASTERISK": '*', "COMMERCIAL AT": '@', "REVERSE SOLIDUS": '\\',
	"QUOTATION MARK": '"', "APOSTROPHE": '\'', "GRAVE ACCENT": '`', "TILDE": '~', "VERTICAL LINE": '|', "CIRCUMFLEX ACCENT": '^',
	"LEFT PARENTHESIS": '(', "RIGHT PARENTHESIS": ')', "LEFT SQUARE BRACKET": '[', "RIGHT SQUARE BRACKET": ']',
	"LEFT CURLY BRACKET": '{', "RIGHT CURLY BRACKET": '}', "LESS-THAN SIGN": '<', "GREATER-THAN SIGN": '>',
}

// widthless reports whether a character is none that is seen, by what Unicode says of
// it: it controls how others are shown, or need not be shown where it is not known.
func widthless(r rune) bool { return r >= 0xAD && unicode.In(r, widthlessTables...) }

var widthlessTables = []*unicode.RangeTable{unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}

// widthlessStarts has a bit for each two bytes with which the UTF-8 of a character of no
// width begins.
var widthlessStarts = func() *[1 << 10]uint64 {
	var starts [1 << 10]uint64
	var buf [utf8.UTFMax]byte
	note := func(lo, hi, stride rune) {
		for r := lo; r <= hi; r += stride {
			if utf8.EncodeRune(buf[:], r) > 1 {
				n := uint(buf[0])<<8 | uint(buf[1])
				starts[n>>6] |= 1 << (n & 63)
			}
		}
	}
	for _, t := range widthlessTables {
		for _, x := range t.R16 {
			note(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
		for _, x := range t.R32 {
			note(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
	}
	return &starts
}()

// nextWidthless returns where from i on the next character of no width stands.
func nextWidthless(text []byte, i int) int {
	const high = 0x8080808080808080
	for i+1 < len(text) {
		if text[i] < utf8.RuneSelf {
			for i+8 <= len(text) && binary.LittleEndian.Uint64(text[i:])&high == 0 {
				i += 8
			}
			if i+8 <= len(text) {
				i += bits.TrailingZeros64(binary.LittleEndian.Uint64(text[i:])&high) / 8
			} else {
				for i < len(text) && text[i] < utf8.RuneSelf {
					i++
				}
			}
			continue
		}
		if n := uint(text[i])<<8 | uint(text[i+1]); widthlessStarts[n>>6]&(1<<(n&63)) == 0 {
			for i++; i < len(text) && text[i]&0xC0 == 0x80; {
				i++ // the rest of the character
			}
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if widthless(r) {
			return i
		}
		i += n
	}
	return len(text)
}
