package golang

import "bytes"

// A token's kind is the byte of the sign itself, or one of these.
const (
	tEnd     = 0
	tWord    = 'i'
	tKeyword = 'k'
	tLiteral = 's'
	tDefine  = 'D' // :=
	tDots    = 'E' // ...
	tOther   = 'o' // any other sign
)

// lexeme is one token of a source text.
type lexeme struct {
	kind       byte
	start, end int
	// fresh is set when it stands first in its line.
	fresh bool
}

// lexer splits a source text. What is no token is passed over.
type lexer struct {
	src []byte
	at  int
	bad bool
}

const (
	cSpace = 1 + iota
	cWord
	cDigit
)

var classes = func() (t [256]byte) {
	for c := range t {
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			t[c] = cSpace
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80:
			t[c] = cWord
		case c >= '0' && c <= '9':
			t[c] = cDigit
		}
	}
	return t
}()

func (l *lexer) next() lexeme {
	fresh := false
	for l.at < len(l.src) {
		c := l.src[l.at]
		switch classes[c] {
		case cSpace:
			l.at++
			continue
		case cWord:
			start := l.at
			for l.at++; l.at < len(l.src) && classes[l.src[l.at]] >= cWord; l.at++ {
			}
			kind := byte(tWord)
			if n := l.at - start; n >= 2 && n <= 11 && isKeyword(l.src[start:l.at]) {
				kind = tKeyword
			}
			return lexeme{kind, start, l.at, fresh}
		case cDigit:
			return l.number(fresh)
		}
		start := l.at
		switch c {
		case '\n':
			fresh = true
			l.at++
			continue
		case '/':
			if l.at+1 < len(l.src) && l.src[l.at+1] == '/' {
				if n := bytes.IndexByte(l.src[l.at:], '\n'); n >= 0 {
					l.at += n
				} else {
					l.at = len(l.src)
				}
				continue
			}
			if l.at+1 < len(l.src) && l.src[l.at+1] == '*' {
				l.at += 2
				for {
					if l.at+1 >= len(l.src) {
						l.at, l.bad = len(l.src), true
						break
					}
					if l.src[l.at] == '*' && l.src[l.at+1] == '/' {
						l.at += 2
						break
					}
					if l.src[l.at] == '\n' {
						fresh = true
					}
					l.at++
				}
				continue
			}
			l.at++
			l.equals()
			return lexeme{tOther, start, l.at, fresh}
		case '"', '\'':
			for l.at++; ; l.at++ {
				if l.at >= len(l.src) || l.src[l.at] == '\n' {
					l.bad = true
					break
				}
				if l.src[l.at] == '\\' {
					l.at++
				} else if l.src[l.at] == c {
					l.at++
					break
				}
			}
			l.at = min(l.at, len(l.src))
			return lexeme{tLiteral, start, l.at, fresh}
		case '`':
			for l.at++; l.at < len(l.src) && l.src[l.at] != '`'; l.at++ {
			}
			l.bad = l.bad || l.at >= len(l.src)
			l.at = min(l.at+1, len(l.src))
			return lexeme{tLiteral, start, l.at, fresh}
		case '(', ')', '[', ']', '{', '}', ',', ';', '~':
			l.at++
			return lexeme{c, start, l.at, fresh}
		case '.':
			if l.at+1 < len(l.src) && classes[l.src[l.at+1]] == cDigit {
				return l.number(fresh)
			}
			if l.at+2 < len(l.src) && l.src[l.at+1] == '.' && l.src[l.at+2] == '.' {
				l.at += 3
				return lexeme{tDots, start, l.at, fresh}
			}
			l.at++
			return lexeme{c, start, l.at, fresh}
		case ':':
			if l.at++; l.equals() {
				return lexeme{tDefine, start, l.at, fresh}
			}
			return lexeme{c, start, l.at, fresh}
		case '=':
			if l.at++; l.equals() {
				return lexeme{tOther, start, l.at, fresh}
			}
			return lexeme{c, start, l.at, fresh}
		case '*':
			if l.at++; l.equals() {
				return lexeme{tOther, start, l.at, fresh}
			}
			return lexeme{c, start, l.at, fresh}
		}
		// Signs of one kind run together: && << <- ++ |= and so on.
		l.at++
		if c == '<' && l.at < len(l.src) && l.src[l.at] == '-' {
			l.at++
		} else {
			for l.at < len(l.src) && (l.src[l.at] == c && c != '!' && c != '^' || c == '&' && l.src[l.at] == '^') && l.at-start < 2 {
				l.at++
			}
			l.equals()
		}
		if c == '&' && l.at-start == 1 {
			return lexeme{c, start, l.at, fresh}
		}
		return lexeme{tOther, start, l.at, fresh}
	}
	return lexeme{tEnd, l.at, l.at, true}
}

// equals takes a following "=".
func (l *lexer) equals() bool {
	if l.at < len(l.src) && l.src[l.at] == '=' {
		l.at++
		return true
	}
	return false
}

func (l *lexer) number(fresh bool) lexeme {
	start := l.at
	for l.at++; l.at < len(l.src); l.at++ {
		c := l.src[l.at]
		if classes[c] >= cWord || c == '.' {
			continue
		}
		if (c == '+' || c == '-') && (l.src[l.at-1]|0x20 == 'e' && !hex(l.src[start:l.at]) || l.src[l.at-1]|0x20 == 'p') {
			continue
		}
		break
	}
	return lexeme{tLiteral, start, l.at, fresh}
}

func hex(b []byte) bool { return len(b) > 1 && b[0] == '0' && b[1]|0x20 == 'x' }

func isKeyword(b []byte) bool {
	switch string(b) {
	case "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go", "goto",
		"if", "import", "interface", "map", "package", "range", "return", "select", "struct", "switch", "type", "var":
		return true
	}
	return false
}

// ahead is the first byte after the spaces (no line ends) at i; a comment
// counts as the end of the line.
func (l *lexer) ahead(i int) (c byte, at int) {
	for ; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case classes[c] == cSpace:
		case c == '/' && i+1 < len(l.src) && (l.src[i+1] == '/' || l.src[i+1] == '*'):
			return '\n', i
		default:
			return c, i
		}
	}
	return '\n', i
}
