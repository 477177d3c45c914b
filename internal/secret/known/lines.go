package known

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// lines calls found for each run of base64 that goes on over the ends of lines, without
// what stands between: indentation, quotes, the sign that joins two texts of a program
// or that a line goes on, a mark of a comment. The lines may be as short as they like, but
// all together have at least least bytes.
func (d *decoder) lines(text []byte, least int, found func()) {
	d.joined = true
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return
		}
		at += n + 1
		if n == 0 {
			continue
		}
		to := at - 1
		b := text[to-1]
		if !lineLasts.Has(b) {
			continue
		}
		if b == 'n' || b == 'r' || !value.IsLetter(b) {
			if to = pieceEnd(text, to); to < 0 {
				continue
			}
		}
		from := pieceStart(text, to, at)
		if from < 0 {
			continue
		}
		lo := to
		for lo > 0 && to-lo < maxEscaped && armourSigns.Has(text[lo-1]) {
			lo--
		}
		hi := armourSigns.Past(text, from, maxEscaped)
		d.steps += to - lo + hi - from
		if to-lo+hi-from < least && lineAfter(text, hi) < 0 {
			continue // as a word and a word of prose
		}
		d.out, d.at = d.out[:0], d.at[:0]
		d.piece(text, lo, to)
		// The lines that follow, as far as each is of one piece.
		for from >= 0 {
			hi = armourSigns.Past(text, from, maxEscaped)
			d.piece(text, from, hi)
			end := lineAfter(text, hi)
			if end < 0 || pieceEnd(text, end) != hi {
				break
			}
			at = end + 1
			if from = pieceStart(text, hi, at); len(d.out) > maxEscaped && from >= 0 {
				found()
				n := copy(d.out, d.out[len(d.out)-overlap:])
				copy(d.at, d.at[len(d.at)-overlap:])
				d.out, d.at = d.out[:n], d.at[:n]
			}
		}
		if len(d.out) >= least && drawnByLot(d.out) {
			found()
		}
	}
}

// escapedLines calls found for each run of base64 in whose lines the ends are escaped, as
// in a text of JSON. All together have at least least bytes; at is where the first of these ends stands.
func (d *decoder) escapedLines(text []byte, at, least int, found func()) {
	d.joined = true
	for {
		n := bytes.Index(text[at:], escapedEnd)
		if n < 0 {
			return
		}
		to := at + n
		if to >= 2 && text[to-1] == 'r' && text[to-2] == '\\' {
			to -= 2
		}
		at += n + 2
		lo := to
		for lo > 0 && to-lo < maxEscaped && armourSigns.Has(text[lo-1]) {
			lo--
		}
		d.steps += to - lo
		if lo == to {
			continue
		}
		d.out, d.at = d.out[:0], d.at[:0]
		d.piece(text, lo, to)
		for len(d.out) <= maxEscaped {
			hi := armourSigns.Past(text, at, maxEscaped)
			d.piece(text, at, hi)
			next := hi
			if bytes.HasPrefix(text[next:], []byte(`\r`)) {
				next += 2
			}
			if hi == at || !bytes.HasPrefix(text[next:], escapedEnd) {
				break
			}
			at = next + 2
		}
		if len(d.out) >= least && drawnByLot(d.out) {
			found()
		}
	}
}

var escapedEnd = []byte(`\n`)

// piece appends [from, to) of the text.
func (d *decoder) piece(text []byte, from, to int) {
	d.out = append(d.out, text[from:to]...)
	d.steps += to - from
	for ; from < to; from++ {
		d.at = append(d.at, from)
	}
}

// maxJoint bounds what stands between two pieces, on either side of the line's end.
const maxJoint = 128

var (
	// armourSigns are the signs of base64, of either alphabet.
	armourSigns = value.ByteSetOf(value.Base64Signs + "-_=")
	// lineBlanks are the spaces within a line, and the sign that some end with.
	lineBlanks = value.ByteSetOf(" \t\r")
	// lineJoins are the signs that join a line to the next, or end it.
	lineJoins = value.ByteSetOf(",;.&\\)|")
	// lineMarks are the signs that mark lines, as comments, lists, patches and mails have them.
	lineMarks = value.ByteSetOf("/-+#*>|;%!:.&")
	// onlyMarks are those that base64 has not.
	onlyMarks = value.ByteSetOf("#*>|;%!:.&")
	// lineLasts are the bytes that a line ends with which has a piece at its end.
	lineLasts = value.ByteSetOf(value.Base64Signs + "-_= \t\r,;.&\\)|" + value.Quotes)
	// lineEndings are what stands behind a piece in its line.
	lineEndings = value.ByteSetOf(" \t\r,;.&)|+-_" + value.Quotes)
)

// drawnByLot reports whether a run may be base64 and no words alone.
func drawnByLot(v []byte) bool {
	for _, b := range v {
		if value.IsUpper(b) || value.IsDigit(b) {
			return true
		}
	}
	return false
}

// lineAfter returns where the line ends behind a piece that ends at at, -1 if more stands
// there than what joins two pieces.
func lineAfter(text []byte, at int) int {
	for most := min(len(text), at+maxJoint); at < most; at++ {
		switch b := text[at]; {
		case b == '\n':
			return at
		case b == '\\':
			if next := value.ByteAt(text, at+1); next == 'n' || next == 'r' {
				at++
			}
		case !lineEndings.Has(b):
			return -1
		}
	}
	return -1
}

// pieceEnd returns where the piece ends that the line ends with which ends at at, or -1
// if it ends with none: before spaces, a sign that joins or goes on, a quote and the
// escape of a line's end.
func pieceEnd(text []byte, at int) int {
	i := at
	for i > 0 && at-i < maxJoint && lineBlanks.Has(text[i-1]) {
		i--
	}
	if i == 0 {
		return -1
	}
	switch b := text[i-1]; {
	case value.IsLetter(b) || value.IsDigit(b):
		if !escapeEnds(text[:i]) {
			return i
		}
	case b == '+' || b == '-' || b == '_': // also a sign of base64
		if i > 1 && (value.IsSpace(text[i-2]) || value.IsQuote(text[i-2])) {
			i--
		}
	case lineJoins.Has(b):
		i--
	case !armourSigns.Has(b) && !value.IsQuote(b):
		return -1
	}
	for i > 0 && at-i < maxJoint && (lineBlanks.Has(text[i-1]) || text[i-1] == '&' || text[i-1] == '\\') {
		i--
	}
	if i > 0 && value.IsQuote(text[i-1]) {
		i--
	}
	for i > 1 && text[i-2] == '\\' && (text[i-1] == 'n' || text[i-1] == 'r') {
		i -= 2
	}
	if i == 0 || !armourSigns.Has(text[i-1]) {
		return -1
	}
	return i
}

// escapeEnds reports whether a text ends with the escape of a line's end.
func escapeEnds(text []byte) bool {
	n := len(text)
	return n > 1 && text[n-2] == '\\' && (text[n-1]|0x20 == 'n' || text[n-1]|0x20 == 'r')
}

// pieceStart returns where the piece begins that the line begins with which begins at
// at, or -1 if it begins with none: behind what the line before begins with too, marks
// of comments, a sign that joins, and a quote. The line before has a piece up to end.
func pieceStart(text []byte, end, at int) int {
	most := min(len(text), at+maxJoint)
	for at < most && value.IsSpace(text[at]) { // also an empty line
		at++
	}
	switch {
	case at == most:
		return -1
	case value.IsLetter(text[at]) || value.IsDigit(text[at]):
		if at+2 < most && value.IsQuote(text[at+1]) && armourSigns.Has(text[at+2]) {
			return at + 2 // b'…' and the like
		}
		return at
	case lineMarks.Has(text[at]):
		at = pastMarks(text, end, at, most)
	}
	for at < most && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at < most && value.IsQuote(text[at]) {
		for at++; at < most && text[at] == ' '; { // BASIC's mark of a comment
			at++
		}
	}
	if at >= most || !armourSigns.Has(text[at]) {
		return -1
	}
	return at
}

// pastMarks returns where what marks a line ends that begins at at.
func pastMarks(text []byte, end, at, most int) int {
	if i := onlyMarks.Past(text[:most], at, maxJoint); i < most && text[i] != '/' && text[i] != '-' && text[i] != '+' {
		return i
	}
	mark := lineMarks.Past(text[:most], at, maxJoint)
	first := max(0, end-value.MaxLook)
	line := first + bytes.LastIndexByte(text[first:end], '\n') + 1
	begin := line
	for begin < end && (text[begin] == ' ' || text[begin] == '\t') {
		begin++
	}
	both := at
	for n := 0; both < mark && begin+n < end && text[begin+n] == text[both]; n++ {
		both++
	}
	if both > at && marked(text, line, both, text[at:both]) {
		return both // of both lines
	}
	if b := value.ByteAt(text[:most], mark); b == ' ' || b == '\t' || value.IsQuote(b) {
		return mark
	}
	return onlyMarks.Past(text[:most], at, maxJoint)
}

// marked reports whether the sign that a line begins with, as the one before does which
// begins at line, marks both, though it may be of base64: where the next line has none, or
// the same, or the one before both has. after is behind the sign.
func marked(text []byte, line, after int, sign []byte) bool {
	if !value.Only(sign, "+/-") {
		return true
	}
	begins := func(at int) bool { return bytes.HasPrefix(text[value.Past(text, at, maxJoint, " \t"):], sign) }
	if line > 0 {
		first := max(0, line-1-value.MaxLook)
		if i := bytes.LastIndexByte(text[first:line-1], '\n'); i >= 0 && begins(first+i+1) {
			return true
		}
	}
	n := bytes.IndexByte(text[after:min(len(text), after+value.MaxLook)], '\n')
	if n < 0 {
		return true
	}
	next := after + n + 1
	return next == len(text) || value.SkipLineEnd(text, next) > next || begins(next)
}
