package secret

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// This file finds where a value ends that a rule knows the beginning of: a rule
// may end within a longer token, or where an escape, a joined literal or a line
// goes on with it. What stays of a value is still a part of a secret.

// token reports whether b may stand in a token whatever its alphabet.
func token(b byte) bool { return isWord(b) || b == '-' }

// extent returns the end of the value whose beginning is [start, end).
func (r *run) extent(start, end int) int {
	text := r.text
	v := text[start:min(end, start+maxLook)]
	base64ish := bytes.IndexByte(v, '+') >= 0 || bytes.IndexByte(v, '/') >= 0
	dotted := bytes.IndexByte(v, '.') >= 0
	most := min(len(text), end+maxValue)
	from := end
	for end < most {
		b := text[end]
		next := byte(0)
		if end+1 < len(text) {
			next = text[end+1]
		}
		switch {
		case isWord(b), b == '-' && token(next), b == '.' && dotted && isWord(next), (b == '+' || b == '/') && base64ish && isBase64(next):
			end++
			continue
		case b == '=' && (base64ish || len(v) >= 16) && r.padding(end):
			end++
			continue
		}
		if n, sign := r.escapedSign(end); n > 0 {
			base64ish = base64ish || sign == '+' || sign == '/'
			end += n
			continue
		}
		if n := r.continued(start, end); n > end {
			end = n
			continue
		}
		break
	}
	r.spend(4 * (end - from))
	return end
}

// padding reports whether = at at ends base64: at most two, and nothing after.
func (r *run) padding(at int) bool {
	end := past(r.text, at, len(r.text), "=")
	n := end - at
	if at > 0 && r.text[at-1] == '=' {
		n++
	}
	return n <= 2 && (end == len(r.text) || !token(r.text[end]) && r.text[end] != '{' && r.text[end] != '$' && !isQuote(r.text[end]) || end < len(r.text) && isQuote(r.text[end]) && (end+1 == len(r.text) || !token(r.text[end+1])))
}

// escapedSign returns the length of the escape at at of a sign that tokens hold,
// with which the token goes on, and the sign.
func (r *run) escapedSign(at int) (int, byte) {
	var buf [utf8.UTFMax]byte
	text := r.text
	b, n := unescape(buf[:0], text[at:], escaped)
	signs := wordSigns + "-+/=.~&"
	if n == 0 {
		// Of quoted-printable only what base64 needs: = stands in many a text.
		b, n = unescape(buf[:0], text[at:], mailed)
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
		b, _ = unescape(buf[:0], rest, escaped)
		if len(b) == 1 && strings.IndexByte(wordSigns+"-+/=", b[0]) >= 0 {
			return n, '+'
		}
	}
	return 0, 0
}

// parameter reports whether v begins with a name and an equal sign, escaped or not,
// as the next parameter of a query does.
func parameter(v []byte) bool {
	i := 0
	for i < len(v) && isIdent(v[i]) {
		i++
	}
	v = v[i:]
	return i > 0 && (begins(v, "=", "&#61;", "&equals;", `\u003d`, `\u003D`, `\x3d`, `\x3D`, "%3D", "%3d"))
}

// continued returns the end of the part with which the value that begins at start
// goes on after end: on the next line, or in the next literal. It returns end if
// it goes on nowhere.
func (r *run) continued(start, end int) int {
	text := r.text
	ended := breaksAt(text, end) // the line, perhaps behind a sign that it goes on
	switch b := text[end]; {
	case b == '\\' && breaksAt(text, end+1):
		return r.nextLine(start, end+1, end)
	case ended && text[end-1] == '\\':
		return r.nextLine(start, end, end)
	case b == '=' && breaksAt(text, end+1) && r.mailed(end):
		return r.part(skipLineEnd(text, end+1), end, false)
	case ended && text[end-1] == '=' && r.mailed(end-1):
		return r.part(skipLineEnd(text, end), end, false)
	case ended && r.scalar(start):
		return r.scalarLine(start, end)
	case b == '\\' && end+1 < len(text) && isQuote(text[end+1]):
		return r.joined(end+1, end)
	case isQuote(b):
		return r.joined(end, end)
	}
	return end
}

// breaksAt reports whether a line ends at at.
func breaksAt(text []byte, at int) bool {
	return at < len(text) && (text[at] == '\n' || text[at] == '\r')
}

// mailed reports whether an equal sign at at ends as long a line as those of
// quoted-printable are.
func (r *run) mailed(at int) bool {
	n := r.column(at)
	return n >= 70 && n <= 75
}

// nextLine returns the end of the part on the line after the end of one at at, none
// if there is none.
func (r *run) nextLine(start, at, none int) int {
	at = skipLineEnd(r.text, at)
	if r.styleAt(start) == asConfig {
		at = skipBlank(r.text, at)
	}
	return r.part(at, none, false)
}

// scalarLine returns the end of the part on the next line of a scalar of YAML. It is
// indented deeper than the name, and has nothing else on it.
func (r *run) scalarLine(start, end int) int {
	text := r.text
	line := skipLineEnd(text, end)
	at := skipBlank(text, line)
	if above := r.indent(start); at-line < above || at-line == above && !r.first(start) {
		return end
	}
	to := r.part(at, end, false)
	if to > end && to < len(text) && !breaksAt(text, to) {
		return end
	}
	return to
}

// joined returns the end of the part in the literal that is joined to the one whose
// quote closes at at, none if there is none.
func (r *run) joined(at, none int) int {
	text := r.text
	i, lines, joint := at+1, 0, false
	for ; i < len(text) && i-at < 160; i++ {
		b := text[i]
		if b == '\n' {
			lines++
		} else if !isSpace(b) && b != '\\' {
			if strings.IndexByte("+.&~", b) < 0 || joint && b != '.' {
				break
			}
			joint = true
		}
	}
	if !joint && lines == 0 {
		return none
	}
	if i+1 < len(text) && isLetter(text[i]) {
		i++ // b"…", f"…"
	}
	if i >= len(text) || text[i] != text[at] {
		return none
	}
	return r.part(i+1, none, true)
}

// part returns the end of the token at at if it may be a part of a value, and
// where a literal must close, does; else none.
func (r *run) part(at, none int, literal bool) int {
	text := r.text
	to := past(text, at, maxLook, wordSigns+"-+/=.~")
	p := text[at:to]
	r.spend(2 * len(p))
	if literal && (to >= len(text) || !isQuote(text[to]) && text[to] != '\\') || len(p) < 2 {
		return none
	}
	s := shapeOf(p)
	if p[0] == '/' && !random(p) || p[0] == '-' || p[0] == '.' || wordy(p)*2 > len(p) || nameLike(p) && s.digit*4 < s.n {
		return none
	}
	if s.digit == 0 && (len(p) < 8 || s.turns*4 < s.n) || s.distinct < 2 {
		return none
	}
	return to
}

// scalar reports whether the value at start may be a scalar of YAML over several
// lines: it begins without a quote, behind its name.
func (r *run) scalar(start int) bool {
	return (strings.HasSuffix(r.path, ".yaml") || strings.HasSuffix(r.path, ".yml")) && start > 1 && (r.text[start-1] == ' ' || r.text[start-1] == '\n') && bytes.IndexByte(r.text[max(0, start-maxName):start], ':') >= 0
}

// indent returns how far the line of at is indented.
func (r *run) indent(at int) int {
	lo := backTo(r.text, at, 400, "\n")
	return skipBlank(r.text, lo) - lo
}

// column returns how many bytes stand before at on its line, 80 if more.
func (r *run) column(at int) int { return len(r.before(at, 80)) }

// first reports whether nothing but blanks stands before at on its line.
func (r *run) first(at int) bool {
	at = back(r.text, at, at, " \t")
	return at == 0 || r.text[at-1] == '\n'
}
