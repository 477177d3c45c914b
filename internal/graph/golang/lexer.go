package golang

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

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

// lexeme is one token of a source text. MaxSource bounds the places in it.
type lexeme struct {
	start, end int32
	kind       byte
	// fresh is set when it stands first in its line.
	fresh bool
}

// lexer splits a source text. What is no token is passed over.
type lexer struct {
	src []byte
	at  int
	bad bool
	// tok is the token that was read last, prev the kind of the one before.
	tok  lexeme
	prev byte
}

// The classes of bytes.
const (
	cSpace = graph.ClassSpace
	cWord  = graph.ClassWord
	cDigit = graph.ClassDigit
)

var classes = &graph.Classes

// advance reads the next token.
func (l *lexer) advance() {
	l.prev = l.tok.kind
	src, i, fresh := l.src, l.at, false
	for i < len(src) {
		c, start := src[i], i
		switch classes[c] {
		case cSpace:
			i++
			continue
		case cWord:
			for i++; i < len(src) && classes[src[i]] >= cWord; i++ {
			}
			kind := byte(tWord)
			if keyword(src[start:i]) != "" {
				kind = tKeyword
			}
			l.take(kind, start, i, fresh)
			return
		case cDigit:
			l.take(tLiteral, start, number(src, i), fresh)
			return
		}
		switch c {
		case '\n':
			fresh = true
			i++
			continue
		case '/':
			if i+1 < len(src) && src[i+1] == '/' {
				if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
					i += n
				} else {
					i = len(src)
				}
				continue
			}
			if i+1 < len(src) && src[i+1] == '*' {
				n := bytes.Index(src[i+2:], []byte("*/"))
				if n < 0 {
					l.bad = true
					n = len(src) - i - 4
				}
				fresh = fresh || bytes.IndexByte(src[i:i+n+4], '\n') >= 0
				i += n + 4
				continue
			}
			l.take(tOther, start, l.equals(i+1), fresh)
		case '"', '\'':
			for i++; i < len(src) && src[i] != c && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			if i < len(src) && src[i] == c {
				i++
			} else {
				i, l.bad = min(i, len(src)), true
			}
			l.take(tLiteral, start, i, fresh)
		case '`':
			n := bytes.IndexByte(src[i+1:], '`')
			if n < 0 {
				l.bad = true
				n = len(src) - i - 2
			}
			l.take(tLiteral, start, i+n+2, fresh)
		case '(', ')', '[', ']', '{', '}', ',', ';', '~':
			l.take(c, start, i+1, fresh)
		case '.':
			switch {
			case i+1 < len(src) && classes[src[i+1]] == cDigit:
				l.take(tLiteral, start, number(src, i), fresh)
			case i+2 < len(src) && src[i+1] == '.' && src[i+2] == '.':
				l.take(tDots, start, i+3, fresh)
			default:
				l.take(c, start, i+1, fresh)
			}
		case ':', '=', '*':
			kind := c
			if i = l.equals(i + 1); i-start == 2 {
				if kind = tOther; c == ':' {
					kind = tDefine
				}
			}
			l.take(kind, start, i, fresh)
		default:
			// Signs of one kind run together: && << <- ++ |= and so on.
			i++
			if c == '<' && i < len(src) && src[i] == '-' {
				i++
			} else {
				if i < len(src) && (src[i] == c && c != '!' && c != '^' || c == '&' && src[i] == '^') {
					i++
				}
				i = l.equals(i)
			}
			kind := byte(tOther)
			if c == '&' && i-start == 1 {
				kind = c
			}
			l.take(kind, start, i, fresh)
		}
		return
	}
	l.take(tEnd, i, i, true)
}

// take makes what stands between two places the token.
func (l *lexer) take(kind byte, start, end int, fresh bool) {
	l.tok = lexeme{int32(start), int32(end), kind, fresh}
	l.at = end
}

// equals is the place behind an "=" at i, else i.
func (l *lexer) equals(i int) int {
	if i < len(l.src) && l.src[i] == '=' {
		i++
	}
	return i
}

// number is the place behind the number at start.
func number(src []byte, start int) int {
	i := start + 1
	for ; i < len(src); i++ {
		c := src[i]
		if classes[c] >= cWord || c == '.' {
			continue
		}
		if (c == '+' || c == '-') && (src[i-1]|0x20 == 'e' && !hex(src[start:i]) || src[i-1]|0x20 == 'p') {
			continue
		}
		break
	}
	return i
}

func hex(b []byte) bool { return len(b) > 1 && b[0] == '0' && b[1]|0x20 == 'x' }

// keywords are the language's, each at its place.
var keywords = func() (t [64]string) {
	for _, w := range strings.Fields(`break case chan const continue default defer else fallthrough for func go goto
if import interface map package range return select struct switch type var`) {
		t[place(w[0], w[1], len(w))] = w
	}
	return t
}()

// place is where a keyword stands among the keywords. No two of them meet.
func place(first, second byte, n int) int { return (int(first)<<4 ^ int(second) + n) & 63 }

// keyword is the keyword that a word is, else "".
func keyword(word []byte) string {
	if len(word) > 1 {
		if k := keywords[place(word[0], word[1], len(word))]; k == string(word) {
			return k
		}
	}
	return ""
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
