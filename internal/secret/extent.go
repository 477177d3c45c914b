package secret

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/secret/known"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file finds where a value ends that a rule knows the beginning of: a rule
// may end within a longer token, or where an escape, a joined literal or a line
// goes on with it. What stays of a value is still a part of a secret.

// token reports whether b may stand in a token whatever its alphabet.
func token(b byte) bool { return value.IsWord(b) || b == '-' }

// extent returns the end of the value whose beginning is [start, end).
func (r *run) extent(start, end int) int {
	text := r.text
	v := text[start:min(end, start+value.MaxLook)]
	base64ish := bytes.IndexByte(v, '+') >= 0 || bytes.IndexByte(v, '/') >= 0
	dotted := bytes.IndexByte(v, '.') >= 0
	most := min(len(text), end+maxValue)
	from := end
	for end < most {
		b, next := text[end], value.ByteAt(text, end+1)
		n, sign := 1, byte(0)
		switch {
		case value.IsWord(b), b == '-' && token(next), b == '.' && dotted && value.IsWord(next), (b == '+' || b == '/') && base64ish && value.IsBase64(next):
		case b == '=' && (base64ish || len(v) >= 16) && r.padding(end):
		default:
			if n, sign = r.escapedSign(end); n == 0 {
				n = r.continued(start, end) - end
			}
			base64ish = base64ish || sign == '+' || sign == '/'
		}
		if n <= 0 {
			break
		}
		end += n
	}
	r.spend(4 * (end - from))
	return end
}

// padding reports whether = at at ends base64: at most two, and nothing after.
func (r *run) padding(at int) bool {
	end := value.Past(r.text, at, 3, "=")
	n := end - value.Back(r.text, at, 1, "=")
	next := value.ByteAt(r.text, end)
	if value.IsQuote(next) {
		next = value.ByteAt(r.text, end+1)
		return n <= 2 && !token(next)
	}
	return n <= 2 && !token(next) && next != '{' && next != '$'
}

// escapedSign returns the length of the escape at at of a sign that tokens hold,
// with which the token goes on, and the sign.
func (r *run) escapedSign(at int) (int, byte) {
	var buf [utf8.UTFMax]byte
	text := r.text
	b, n := known.Unescape(buf[:0], text[at:], known.Escaped)
	signs := value.WordSigns + "-+/=.~&"
	if n == 0 {
		// Of quoted-printable only what base64 needs: = stands in many a text.
		b, n = known.Unescape(buf[:0], text[at:], known.Mailed)
		signs = "+/="
	}
	if len(b) != 1 || strings.IndexByte(signs, b[0]) < 0 {
		return 0, 0
	}
	sign := b[0]
	rest := text[at+n : min(len(text), at+n+80)]
	switch {
	case sign == '&' && parameter(rest):
	case sign == '=' || token(sign) || len(rest) > 0 && token(rest[0]):
		return n, sign
	case len(rest) > 0:
		b, _ = known.Unescape(buf[:0], rest, known.Escaped)
		if len(b) == 1 && strings.IndexByte(value.WordSigns+"-+/=", b[0]) >= 0 {
			return n, '+'
		}
	}
	return 0, 0
}

// parameter reports whether v begins with a name and an equal sign, escaped or not,
// as the next parameter of a query does.
func parameter(v []byte) bool {
	i := 0
	for i < len(v) && value.IsIdent(v[i]) {
		i++
	}
	return i > 0 && value.Begins(v[i:], "=", "&#61;", "&equals;", `\u003d`, `\u003D`, `\x3d`, `\x3D`, "%3D", "%3d")
}

// continued returns the end of the part with which the value that begins at start
// goes on after end: on the next line, or in the next literal. It returns end if
// it goes on nowhere.
func (r *run) continued(start, end int) int {
	text := r.text
	line := end // where it ends, perhaps behind a sign that it goes on
	if !breaksAt(text, line) {
		line++
	}
	if breaksAt(text, line) {
		next := value.SkipLineEnd(text, line)
		width := r.column(line - 1)
		switch sign := text[line-1]; {
		case sign == '\\' && r.styleAt(start) == value.AsConfig:
			return r.part(value.SkipBlank(text, next), end, false)
		case sign == '\\', sign == '=' && width >= 70 && width <= 75: // as lines of quoted-printable are
			return r.part(next, end, false)
		case line == end && r.scalar(start):
			return r.scalarLine(start, end, next)
		}
	}
	if at := value.Past(text, end, 1, `\`); value.IsQuote(value.ByteAt(text, at)) {
		if next := r.nextPart(start, at); next > 0 {
			return r.part(next, end, true)
		}
	}
	return end
}

// breaksAt reports whether a line ends at at.
func breaksAt(text []byte, at int) bool {
	return at < len(text) && (text[at] == '\n' || text[at] == '\r')
}

// scalarLine returns the end of the part of a scalar of YAML on the line at next. That
// is indented deeper than the name, and has nothing else on it.
func (r *run) scalarLine(start, end, next int) int {
	at := value.SkipBlank(r.text, next)
	if above := r.indent(start); at-next < above || at-next == above && !r.first(start) {
		return end
	}
	to := r.part(at, end, false)
	if to == len(r.text) || breaksAt(r.text, to) {
		return to
	}
	return end
}

// part returns the end of the token at at if it may be a part of a value, and
// where a literal must close, does; else none.
func (r *run) part(at, none int, literal bool) int {
	text := r.text
	to := value.Past(text, at, value.MaxLook, value.WordSigns+"-+/=.~")
	p := text[at:to]
	r.spend(2 * len(p))
	if literal && (to >= len(text) || !value.IsQuote(text[to]) && text[to] != '\\') || len(p) < 2 {
		return none
	}
	s := value.ShapeOf(p)
	if p[0] == '/' && !value.Random(p) || p[0] == '-' || p[0] == '.' || value.Wordy(p)*2 > len(p) || value.NameLike(p) && s.Digit*4 < s.Length {
		return none
	}
	if s.Digit == 0 && (len(p) < 8 || s.Turns*4 < s.Length) || s.Distinct < 2 {
		return none
	}
	return to
}

// scalar reports whether the value at start may be a scalar of YAML over several
// lines: it begins without a quote, behind its name.
func (r *run) scalar(start int) bool {
	return some(strings.HasSuffix, r.path, ".yaml", ".yml") && start > 1 && strings.IndexByte(" \n", r.text[start-1]) >= 0 &&
		bytes.IndexByte(r.text[max(0, start-value.MaxName):start], ':') >= 0
}

// indent returns how far the line of at is indented.
func (r *run) indent(at int) int {
	lo := value.BackTo(r.text, at, 400, "\n")
	return value.SkipBlank(r.text, lo) - lo
}

// column returns how many bytes stand before at on its line, 80 if more.
func (r *run) column(at int) int { return len(r.before(at, 80)) }

// first reports whether nothing but blanks stands before at on its line.
func (r *run) first(at int) bool {
	at = value.Back(r.text, at, at, " \t")
	return at == 0 || r.text[at-1] == '\n'
}
