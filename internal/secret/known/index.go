package known

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file finds known values in text, as they are and in other forms.
//
// A hash of a few bytes finds them as they are, and so their hexadecimal
// and base64 forms, which are values of their own: base64 of a text that holds a
// value has at one of three offsets the same middle. What is escaped is found in
// a decoded copy of the run of bytes round each escape, and what stands in lines,
// as short as they may be, in a copy of these without what parts them.

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
	holds  alphabet
	least  int // bytes of the shortest base64 of one, 0 where they are not looked for so
}

// knownForm is a text by which a value is known.
type knownForm struct {
	text  string
	value *knownValue
	// wide is the length of the value's base64, where text is a part of it; before and
	// after are how many of its signs stand on either side of text.
	wide, before, after int
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
		if n := f.before + len(f.text) + f.after; f.wide > 0 && (x.least == 0 || n < x.least) {
			x.least = n
		}
		forms = append(forms, f)
	}
	whole := 0
	for _, v := range values {
		if v.rule != KeyRule {
			whole++
		}
	}
	for text, v := range values {
		x.holds.quote = x.holds.quote || strings.ContainsAny(text, "\"'\\")
		for i := range len(text) {
			if b := text[i]; !value.IsWord(b) && b < utf8.RuneSelf {
				x.holds.signs.Add(b)
			}
		}
		v = &knownValue{text: text, rule: v.rule, given: v.given} // which stays while the set changes
		add(knownForm{text: text, value: v})
		if len(values) <= maxForms || whole <= maxForms && v.rule != KeyRule {
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
		var seen value.ByteSet
		for i := at; i < at+span; i++ {
			seen.Add(text[i])
		}
		return seen.Count()
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
		// Of the value's other bytes at its begin and end tell as many signs beside it.
		signs := [...]int{0, 2, 3}
		before, after := signs[skip], signs[len(v.text)-skip-n]
		std := base64.RawStdEncoding.EncodeToString([]byte(v.text[skip : skip+n]))
		url := base64.RawURLEncoding.EncodeToString([]byte(v.text[skip : skip+n]))
		for _, text := range [...]string{std, url} {
			// By two pieces side by side, as a line may end within one: the last, as
			// keys of a kind begin alike. Short ones of what is given by decree could
			// be of words.
			piece := min(16, len(text)/2)
			f := knownForm{text: text, value: v, wide: wide, before: before, after: after}
			if piece < 16 && (v.given || piece < minGiven) {
				add(f)
			} else {
				f.text, f.before, f.after = text[len(text)-2*piece:len(text)-piece], before+len(text)-2*piece, after+piece
				add(f)
				f.text, f.before, f.after = text[len(text)-piece:], before+len(text)-piece, after
				add(f)
			}
			if std == url {
				break
			}
		}
	}
}

// each calls found for the values in text, of which several may begin or end
// within another, and some before the last. at is nil, or where each byte stands in
// another text. It returns how many bytes it hashed or compared.
func (x *index) each(text []byte, at []int, found func(v *knownValue, start, end int)) (steps int) {
	if len(text) < minGiven {
		return 0
	}
	steps = len(text) / x.stride
	covered := 0 // what base64 was found up to
	take := func(f *knownForm, hi int) {
		lo := hi - len(f.text)
		if f.wide > 0 {
			if hi <= covered {
				return
			}
			lo, hi = encodedRound(text, at, lo, hi, f)
			covered = hi
		}
		found(f.value, lo, hi)
	}
	var walk crowdWalk
	for i := x.next(text, 0); i < len(text); i = x.next(text, i+x.stride) {
		list, known := x.heads[head(text, i)]
		for n := range list {
			f := &list[n]
			lo := i - f.back
			hi := lo + len(f.text)
			steps += len(f.text)
			if lo >= 0 && hi <= len(text) && string(text[lo:hi]) == f.text {
				take(f, hi)
			}
		}
		if known && len(list) == 0 {
			from := max(walk.upTo, i-x.crowd.before)
			x.crowd.look(text, i, &walk, take)
			steps += walk.upTo - from
		}
	}
	return steps
}

// next returns the first place from i on, by strides, whose hash occurs; len(text) or more where none does. It is apart from each, as most
// of the time of a search passes here, waiting for memory: the fewer instructions, the more places are waited for at once.
func (x *index) next(text []byte, i int) int {
	small, shift, stride := x.small, x.shift&63, x.stride
	for ; i+8 <= len(text); i += stride {
		if b := binary.LittleEndian.Uint64(text[i:]) & headMask * mix >> shift; small[b>>6]&(1<<(b&63)) != 0 {
			return i
		}
	}
	for ; i+headWidth <= len(text); i += stride {
		if b := head(text, i) * mix >> shift; small[b>>6]&(1<<(b&63)) != 0 {
			return i
		}
	}
	return len(text)
}

// encodedRound widens a piece of base64 to at most so many signs of it on either side
// as the value's has: in its line, as far as they go, for what they stand for tells
// what stood beside the value; on other lines no farther than the value goes.
func encodedRound(text []byte, at []int, lo, hi int, f *knownForm) (int, int) {
	signs := func(b byte) bool { return value.IsBase64(b) || b == '-' || b == '_' || b == '=' }
	apart := func(i int) bool { return at != nil && at[i] != at[i-1]+1 }
	for n := 0; n < f.wide && lo > 0 && signs(text[lo-1]) && (n < f.before || !apart(lo)); n++ {
		lo--
	}
	for n := 0; n < f.wide && hi < len(text) && signs(text[hi]) && (n < f.after || !apart(hi)); n++ {
		hi++
	}
	return lo, hi
}

// search calls found for the values in text in all forms, those as they stand
// first.
func (x *index) search(text []byte, found func(v *knownValue, start, end int)) {
	if x == nil {
		return
	}
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	x.searchWith(d, text, found)
}

// searchWith is search with a decoder of the caller's.
func (x *index) searchWith(d *decoder, text []byte, found func(v *knownValue, start, end int)) {
	d.steps += x.each(text, nil, found)
	within := func() {
		d.steps += x.each(d.out, d.at, func(v *knownValue, start, end int) { found(v, d.at[start], d.end(end)) })
	}
	first, lineEnd := backslashed(text)
	for c := range codings {
		d.runs(text, first[c], c, &x.holds, within)
	}
	if x.least > 0 {
		d.lines(text, x.least, within)
		d.escapedLines(text, lineEnd, x.least, within)
	}
}

func (x *index) find(text []byte, dst []value.Finding) []value.Finding {
	first := len(dst)
	// add widens the last finding to f where that begins within it.
	add := func(f value.Finding) {
		if n := len(dst) - 1; n >= first && f.Start >= dst[n].Start && f.Start < dst[n].End {
			dst[n].End = max(dst[n].End, f.End)
		} else {
			dst = append(dst, f)
		}
	}
	x.search(text, func(v *knownValue, start, end int) { add(value.Finding{Rule: v.rule, Start: start, End: end}) })
	list := dst[first:]
	slices.SortStableFunc(list, func(a, b value.Finding) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	dst = dst[:first]
	line, at := 1, 0
	for _, f := range list {
		line += bytes.Count(text[at:f.Start], value.Newline)
		at, f.Line = f.Start, line
		add(f)
	}
	return dst
}

// head is the headWidth bytes of text at i, as a number.
func head(text []byte, i int) uint64 {
	if i+8 <= len(text) {
		return binary.LittleEndian.Uint64(text[i:]) & headMask
	}
	var last [8]byte
	copy(last[:], text[i:])
	return binary.LittleEndian.Uint64(last[:]) & headMask
}

const headMask = 1<<(8*headWidth) - 1

// mix spreads a head over the upper bits of a product.
const mix = 0x9E3779B97F4A7C15

// plainForms returns what a value stands for where it is escaped or in base64.
func plainForms(v []byte) [][]byte {
	if len(v) > MaxLength {
		return nil
	}
	var list [][]byte
	var d decoder
	first, _ := backslashed(v)
	for c := range codings {
		d.runs(v, first[c], c, &alphabet{quote: true}, func() {
			if len(d.out) >= minGiven && d.at[0] == 0 && d.at[len(d.out)] == len(v) {
				list = append(list, bytes.Clone(d.out))
			}
		})
	}
	if plain := value.Decoded(v); len(plain) >= minGiven {
		list = append(list, plain)
		if i := bytes.IndexByte(plain, ':'); i > 0 {
			list = append(list, plain[i+1:])
		}
	}
	return list
}
