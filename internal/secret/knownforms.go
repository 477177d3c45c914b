package secret

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file finds known values in text, as they are and in other forms.
//
// A hash of a few bytes finds them as they are, and so their hexadecimal
// and base64 forms, which are values of their own: base64 of a text that holds a
// value has at one of three offsets the same middle. What is escaped is found in
// a decoded copy of the run of bytes round each escape.

// index finds many texts at once: at places a stride apart a few bytes are hashed,
// and where the hash is known the texts whose middle holds those bytes are compared.
type index struct {
	small []uint64               // a bit for each hash that occurs
	shift uint                   // of a hash, to the number of bits
	heads map[uint64][]knownForm // by headWidth bytes of their middle
	// stride is how many bytes lie between the places that are hashed: of each text
	// as many heads are known, at as many places side by side.
	stride int
	crowd  *crowd // finds the texts of heads that stand in heads with none
	quote  bool   // a value holds a quote or a backslash
}

// knownForm is a text by which a value is known.
type knownForm struct {
	text  string
	value *knownValue
	// wide is the length of the value's base64, where text is a part of it.
	wide int
	// back is how many bytes of text stand before those that are hashed.
	back int
}

// maxForms is the number of values above which they are looked for as they stand
// and escaped, and not in hexadecimal and base64. The lines of keys are the first to go.
const maxForms = 10_000

// headWidth is the number of bytes that are hashed. The middle is taken, as keys of
// a kind begin alike, and armour ends alike.
const headWidth = 5

// maxStride bounds the heads of one text.
const maxStride = 8

// maxAlike bounds how many texts with the same head are compared at one place: where
// more share one, a crowd finds them.
const maxAlike = 64

func newIndex(values map[string]*knownValue) *index {
	x := &index{heads: make(map[uint64][]knownForm, len(values))}
	x.stride = maxStride
	var forms []knownForm
	add := func(f knownForm) {
		x.stride = min(x.stride, len(f.text)-headWidth+1)
		forms = append(forms, f)
	}
	whole := 0
	for _, v := range values {
		if v.rule != keyRule {
			whole++
		}
	}
	for text, v := range values {
		x.quote = x.quote || strings.ContainsAny(text, "\"'\\")
		v = &knownValue{text: text, rule: v.rule, given: v.given} // which stays while the set changes
		add(knownForm{text: text, value: v})
		if len(values) <= maxForms || whole <= maxForms && v.rule != keyRule {
			otherForms(v, add)
		}
	}
	for _, f := range forms {
		first := headAt(f.text, headWidth+x.stride-1)
		for f.back = first; f.back < first+x.stride; f.back++ {
			h := head([]byte(f.text[f.back:f.back+headWidth]), 0)
			x.heads[h] = append(x.heads[h], f)
		}
	}
	bits := uint(17) // small enough for the processor's first cache
	for bits < 24 && len(x.heads)*64 > 1<<bits {
		bits++
	}
	x.small, x.shift = make([]uint64, 1<<(bits-6)), 64-bits
	var crowded []knownForm
	for h, list := range x.heads {
		b := h * mix >> x.shift
		x.small[b>>6] |= 1 << (b & 63)
		// Longest first, then by text: map order must not show.
		slices.SortFunc(list, func(a, b knownForm) int {
			return cmp.Or(len(b.text)-len(a.text), strings.Compare(a.text, b.text), a.back-b.back, strings.Compare(a.value.text, b.value.text))
		})
		if len(list) > maxAlike {
			crowded, x.heads[h] = append(crowded, list...), nil
		}
	}
	x.crowd = newCrowd(crowded)
	return x
}

// headAt is where in a text the span of bytes begins that are hashed: in the middle,
// or, where the middle repeats itself as much other text may, where it does least.
func headAt(text string, span int) int {
	distinct := func(at int) int {
		var seen bytesIn
		for i := at; i < at+span; i++ {
			seen.add(text[i])
		}
		return seen.count()
	}
	best := (len(text) - span) / 2
	most := distinct(best)
	if 2*most >= span {
		return best
	}
	for at := 0; at+span <= len(text); at += 1 + (len(text)-span)/64 {
		if n := distinct(at); n > most {
			best, most = at, n
		}
	}
	return best
}

// otherForms gives the hexadecimal and base64 forms of a value.
func otherForms(v *knownValue, add func(knownForm)) {
	h := hex.EncodeToString([]byte(v.text))
	add(knownForm{text: h, value: v})
	if up := strings.ToUpper(h); up != h {
		add(knownForm{text: up, value: v})
	}
	wide := base64.StdEncoding.EncodedLen(len(v.text)) + 4
	for skip := range 3 {
		// What stands before the value fills up to its skipth byte.
		n := (len(v.text) - skip) / 3 * 3
		if n < 6 {
			continue
		}
		std := base64.RawStdEncoding.EncodeToString([]byte(v.text[skip : skip+n]))
		url := base64.RawURLEncoding.EncodeToString([]byte(v.text[skip : skip+n]))
		for _, text := range [...]string{std, url} {
			// By two pieces side by side, as a line may end within one: the last, as
			// keys of a kind begin alike. Short ones of what is given by decree could
			// be of words.
			piece := min(16, len(text)/2)
			if piece < 16 && (v.given || piece < minGiven) {
				add(knownForm{text, v, wide, 0})
			} else {
				add(knownForm{text[len(text)-2*piece : len(text)-piece], v, wide, 0})
				add(knownForm{text[len(text)-piece:], v, wide, 0})
			}
			if std == url {
				break
			}
		}
	}
}

// each calls found for the values in text, of which several may begin or end
// within another, and some before the last.
func (x *index) each(text []byte, found func(v *knownValue, start, end int)) {
	if len(text) < minGiven {
		return
	}
	covered := 0 // what base64 was found up to
	take := func(f *knownForm, hi int) {
		lo := hi - len(f.text)
		if f.wide > 0 {
			if hi <= covered {
				return
			}
			lo, hi = encodedRound(text, lo, hi, f.wide)
			covered = hi
		}
		found(f.value, lo, hi)
	}
	var walk crowdWalk
	small, shift, stride := x.small, x.shift&63, x.stride
	for i := 0; i+headWidth <= len(text); i += stride {
		h := head(text, i)
		if b := h * mix >> shift; small[b>>6]&(1<<(b&63)) == 0 {
			continue
		}
		list, known := x.heads[h]
		for n := range list {
			f := &list[n]
			lo := i - f.back
			hi := lo + len(f.text)
			if lo >= 0 && hi <= len(text) && string(text[lo:hi]) == f.text {
				take(f, hi)
			}
		}
		if known && len(list) == 0 {
			x.crowd.look(text, i, &walk, take)
		}
	}
}

// encodedRound widens a piece of base64 to at most n signs of it on either side,
// over the ends of lines.
func encodedRound(text []byte, lo, hi, n int) (int, int) {
	goesOn := func(b byte, gap []byte) bool {
		return (isBase64(b) || b == '-' || b == '_' || b == '=') && (len(gap) == 0 || bytes.Contains(gap, newline))
	}
	for range n {
		i := back(text, lo, 40, spaces)
		if i == 0 || !goesOn(text[i-1], text[i:lo]) {
			break
		}
		lo = i - 1
	}
	for range n {
		i := past(text, hi, 40, spaces)
		if i == len(text) || !goesOn(text[i], text[hi:i]) {
			break
		}
		hi = i + 1
	}
	return lo, hi
}

// search calls found for the values in text in all forms, those as they stand
// first.
func (x *index) search(text []byte, found func(v *knownValue, start, end int)) {
	if x == nil {
		return
	}
	x.each(text, found)
	var d decoder
	for c := range codings {
		d.runs(text, c, x.quote, func() {
			x.each(d.out, func(v *knownValue, start, end int) {
				found(v, d.at[start], d.at[end])
			})
		})
	}
}

func (x *index) find(text []byte, dst []Finding) []Finding {
	first := len(dst)
	// add widens the last finding to f where that begins within it.
	add := func(f Finding) {
		if n := len(dst) - 1; n >= first && f.Start >= dst[n].Start && f.Start < dst[n].End {
			dst[n].End = max(dst[n].End, f.End)
		} else {
			dst = append(dst, f)
		}
	}
	x.search(text, func(v *knownValue, start, end int) { add(Finding{Rule: v.rule, Start: start, End: end}) })
	list := dst[first:]
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	dst = dst[:first]
	line, at := 1, 0
	for _, f := range list {
		line += bytes.Count(text[at:f.Start], newline)
		at, f.Line = f.Start, line
		add(f)
	}
	return dst
}

// head is the headWidth bytes of text at i, as a number.
func head(text []byte, i int) uint64 {
	const mask = 1<<(8*headWidth) - 1
	if i+8 <= len(text) {
		return binary.LittleEndian.Uint64(text[i:]) & mask
	}
	var last [8]byte
	copy(last[:], text[i:])
	return binary.LittleEndian.Uint64(last[:]) & mask
}

// mix spreads a head over the upper bits of a product.
const mix = 0x9E3779B97F4A7C15

// decoder holds a decoded run and where each of its bytes stands in the text.
type decoder struct {
	out []byte
	at  []int // one more than out
}

// maxEscaped bounds a run of bytes that is decoded, in bytes of the text.
const maxEscaped = 32 << 10

// coding is a way to write what a value's bytes are.
type coding int

const (
	escaped coding = iota // as programs, URLs and markup do, and with characters of no width between
	mailed                // quoted-printable
	codings
)

// starts are the bytes that an escape of each coding begins with.
var starts = [codings]string{escaped: "\\%&\xE2\xEF\xC2", mailed: "="}

// runs calls found for each run of bytes without spaces that holds an escape of a
// coding, decoded. Quotes end a run unless a value may hold them.
func (d *decoder) runs(text []byte, c coding, quote bool, found func()) {
	first := starts[c]
	next := [...]int{-1, -1, -1, -1, -1, -1} // where each of these stands
	done := 0
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
		if at == len(text) {
			return
		}
		i = at + 1
		if !begun(text[at:], quote) {
			continue
		}
		var buf [utf8.UTFMax]byte
		if _, n := unescape(buf[:0], text[at:], c); n == 0 {
			continue
		}
		// The run: no space and no quote ends or begins within a value.
		lo := at
		for lo > done && at-lo < maxKnownValue && !endsRun(text[lo-1], quote) {
			lo--
		}
		d.out, d.at = d.out[:0], d.at[:0]
		j := lo
		for j < len(text) && j-lo < maxEscaped {
			out, n := unescape(d.out, text[j:], c)
			if n == 0 {
				if endsRun(text[j], quote) {
					break
				}
				out, n = append(out, text[j]), 1
			}
			for range len(out) - len(d.out) {
				d.at = append(d.at, j)
			}
			d.out = out
			j += n
		}
		d.at = append(d.at, j)
		i, done = max(j, i), j
		found()
	}
}

func endsRun(b byte, quote bool) bool { return isSpace(b) || !quote && isQuote(b) }

// begun reports whether v may begin with an escape that values are hidden in. Most
// backslashes are of line ends and the like.
func begun(v []byte, quote bool) bool {
	if v[0] != '\\' {
		return true
	}
	v = bytes.TrimLeft(v[:min(len(v), 8)], `\`)
	if len(v) == 0 {
		return quote
	}
	return strings.IndexByte("uUx/0123", v[0]) >= 0 || quote && !isLetter(v[0])
}

// unescape appends to dst what the escape at the beginning of v stands for, which may
// be nothing, and returns how many bytes the escape takes, 0 if there is none.
func unescape(dst, v []byte, c coding) ([]byte, int) {
	switch b := v[0]; {
	case c == mailed:
		return unescapeMailed(dst, v)
	case b == '%' && len(v) > 2:
		if n, ok := number(v[1:3], 16); ok {
			return append(dst, byte(n)), 3
		}
	case b == '&':
		return unescapeEntity(dst, v)
	case b == '\\':
		return unescapeBackslash(dst, v)
	case b >= 0x80:
		switch r, n := utf8.DecodeRune(v); r {
		case 0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF: // of no width
			return dst, n
		}
	}
	return dst, 0
}

// unescapeMailed reads =2B of quoted-printable, and the end of a line that goes on.
func unescapeMailed(dst, v []byte) ([]byte, int) {
	if v[0] != '=' {
		return dst, 0
	}
	if n := skipLineEnd(v, 1); v[n-1] == '\n' {
		return dst, n
	}
	if len(v) > 2 && only(v[1:3], digitSigns+"ABCDEF") {
		return append(dst, hexDigit(v[1])<<4|hexDigit(v[2])), 3
	}
	return dst, 0
}

// unescapeEntity reads &amp; and &#38; and &#x26; of markup.
func unescapeEntity(dst, v []byte) ([]byte, int) {
	end := bytes.IndexByte(v[:min(len(v), 10)], ';')
	if end < 2 {
		return dst, 0
	}
	if v[1] != '#' {
		if b, ok := entities[string(v[1:end])]; ok {
			return append(dst, b), end + 1
		}
		return dst, 0
	}
	if end > 3 && v[2]|0x20 == 'x' {
		return character(dst, v[3:end], 16, end+1)
	}
	return character(dst, v[2:end], 10, end+1)
}

// unescapeBackslash reads the escapes of programs, of which the backslash itself may
// be escaped.
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
	switch v[n] {
	case 'u':
		if len(rest) > 0 && rest[0] == '{' {
			end := max(1, bytes.IndexByte(rest[:min(len(rest), 9)], '}'))
			return character(dst, rest[1:end], 16, n+end+2)
		}
		digits = 4
	case 'U':
		digits = 8
	case 'x':
		digits = 2
	case '0', '1', '2', '3':
		if b, ok := number(v[n:min(len(v), n+3)], 8); ok && len(rest) > 1 {
			return append(dst, byte(b)), n + 3
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

// character appends the character with a number; it returns n, 0 if that is none.
func character(dst, digits []byte, base, n int) ([]byte, int) {
	c, ok := number(digits, base)
	if !ok {
		return dst, 0
	}
	return utf8.AppendRune(dst, rune(c)), n
}

// entities are those of markup that stand in values.
var entities = map[string]byte{
	"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\'', "plus": '+', "sol": '/', "equals": '=', "colon": ':',
	"num": '#', "excl": '!', "dollar": '$', "percnt": '%', "commat": '@', "lowbar": '_', "period": '.', "bsol": '\\',
	"semi": ';', "comma": ',', "ast": '*', "quest": '?', "lpar": '(', "rpar": ')',
}

// number reads a number of a base up to 16.
func number(v []byte, base int) (int, bool) {
	n := 0
	for _, b := range v {
		if !isHex(b) || int(hexDigit(b)) >= base {
			return 0, false
		}
		n = n*base + int(hexDigit(b))
	}
	return n, len(v) > 0
}

// plainForms returns what a value stands for where it is escaped or in base64.
func plainForms(v []byte) [][]byte {
	if len(v) > maxKnownValue {
		return nil
	}
	var list [][]byte
	var d decoder
	for c := range codings {
		d.runs(v, c, true, func() {
			if len(d.out) >= minGiven && d.at[0] == 0 && d.at[len(d.out)] == len(v) {
				list = append(list, bytes.Clone(d.out))
			}
		})
	}
	if plain := decoded(v); len(plain) >= minGiven {
		list = append(list, plain)
		if i := bytes.IndexByte(plain, ':'); i > 0 {
			list = append(list, plain[i+1:])
		}
	}
	return list
}
