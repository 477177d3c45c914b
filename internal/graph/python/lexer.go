package python

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/graph"
)

// A token's kind is the byte of the sign itself, or one of these, which are no signs.
const (
	end     = 'e'
	newline = '\n'
	word    = 'i'
	quoted  = '"'
	number  = '0'
)

// token is one token of a source text. graph.MaxSource bounds the places in it.
type token struct {
	start, end int32
	// line counts from 1.
	line int32
	kind byte
}

// lexer splits a source text as Python's does, as far as statements need it. It
// never fails: what is no token is passed over.
type lexer struct {
	src   []byte
	at    int
	line  int
	depth int
	// tok is the token that was read last, before are the two before it.
	tok    token
	before [2]token
	// fresh is set at the start of a logical line, indent is the column where the last one began.
	fresh  bool
	indent int
}

// The classes of bytes.
const (
	cSpace = graph.ClassSpace
	cWord  = graph.ClassWord
	cDigit = graph.ClassDigit
)

var classes = &graph.Classes

// advance reads the next token. Logical lines end with newline; those that are
// blank are left out.
func (l *lexer) advance() {
	l.before[0], l.before[1] = l.before[1], l.tok
	src, i, column := l.src, l.at, 0
	for i < len(src) {
		c := src[i]
		switch {
		case c == ' ':
			column++
			i++
		case classes[c] == cSpace:
			if c == '\t' {
				column = column/8*8 + 8
			} else if c == '\f' {
				column = 0
			}
			i++
		case c == '\n':
			column = 0
			i++
			if l.depth == 0 && !l.fresh {
				l.fresh = true
				l.take(newline, i-1, i)
				l.line++
				return
			}
			l.line++
		case c == '#':
			if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(src)
			}
		case c == '\\' && i+1 < len(src) && (src[i+1] == '\n' || src[i+1] == '\r'):
			if i += 2; src[i-1] == '\r' && i < len(src) && src[i] == '\n' {
				i++
			}
			l.line++
		default:
			if l.fresh {
				l.indent, l.fresh = column, false
			}
			l.token(i)
			return
		}
	}
	if !l.fresh {
		l.fresh = true
		l.take(newline, i, i)
		return
	}
	l.take(end, i, i)
}

// take makes what stands between two places the token.
func (l *lexer) take(kind byte, start, end int) {
	l.tok = token{int32(start), int32(end), int32(l.line), kind}
	l.at = end
}

// token reads the token at start.
func (l *lexer) token(start int) {
	src, i, c := l.src, start+1, l.src[start]
	switch {
	case classes[c] == cWord:
		for i < len(src) && classes[src[i]] >= cWord {
			i++
		}
		l.take(word, start, i)
		if i-start <= 3 && i < len(src) && (src[i] == '"' || src[i] == '\'') {
			format := false
			for _, p := range src[start:i] {
				switch p | 0x20 {
				case 'f', 't':
					format = true
				case 'r', 'b', 'u':
				default:
					return
				}
			}
			l.literal(format)
		}
		return
	case c == '"' || c == '\'':
		l.take(quoted, start, start)
		l.literal(false)
		return
	case classes[c] == cDigit || c == '.' && i < len(src) && classes[src[i]] == cDigit:
		for i < len(src) && (classes[src[i]] >= cWord || src[i] == '.') {
			i++
		}
		c = number
	case c == '(' || c == '[' || c == '{':
		l.depth++
	case c == ')' || c == ']' || c == '}':
		l.depth = max(l.depth-1, 0)
	}
	l.take(c, start, i)
}

// literal adds the string that begins here to the token.
func (l *lexer) literal(format bool) {
	l.str(format, 0)
	l.tok.kind, l.tok.end = quoted, int32(l.at)
}

// maxNesting bounds strings in strings.
const maxNesting = 50

// str passes over the string that begins here; a format string may hold others
// between braces.
func (l *lexer) str(format bool, nesting int) {
	quote := l.src[l.at]
	n := 1
	if l.at+2 < len(l.src) && l.src[l.at+1] == quote && l.src[l.at+2] == quote {
		n = 3
	}
	l.at += n
	for l.at < len(l.src) {
		c := l.src[l.at]
		switch {
		case c == '\\':
			if l.at++; l.at < len(l.src) {
				if l.src[l.at] == '\n' {
					l.line++
				}
				l.at++
			}
		case c == '\n':
			if n == 1 {
				// Not closed: the line ends it.
				return
			}
			l.line++
			l.at++
		case c == quote:
			if n == 1 {
				l.at++
				return
			}
			if l.at+2 < len(l.src) && l.src[l.at+1] == quote && l.src[l.at+2] == quote {
				l.at += 3
				return
			}
			l.at++
		case c == '{' && format && nesting < maxNesting:
			if l.at++; l.at < len(l.src) && l.src[l.at] == '{' {
				l.at++
				continue
			}
			if !l.hole(quote, n, nesting+1) {
				return
			}
		default:
			// Most of a text is words and spaces.
			at := l.at + 1
			for at < len(l.src) && classes[l.src[at]] != 0 {
				at++
			}
			l.at = at
		}
	}
}

// hole passes over an expression in a format string, up to its brace. It is
// false where a line ends that should not.
func (l *lexer) hole(quote byte, n, nesting int) bool {
	depth := 1
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '{' || c == '(' || c == '[':
			depth++
			l.at++
		case c == '}' || c == ')' || c == ']':
			l.at++
			if depth--; depth == 0 {
				return true
			}
		case c == '\n':
			if n == 1 && depth <= 1 {
				return false
			}
			l.line++
			l.at++
		case c == quote && n == 1 && closes(l.src[l.at+1:]):
			// Before Python 3.12 the quote ends the string; what follows tells.
			return true
		case c == quote && n == 3 && l.at+2 < len(l.src) && l.src[l.at+1] == c && l.src[l.at+2] == c:
			return true
		case c == '"' || c == '\'':
			l.str(false, nesting)
		default:
			l.at++
		}
	}
	return false
}

// closes reports whether what follows a quote in a hole shows that the string
// ended there: no brace closes the hole before the line ends.
func closes(rest []byte) bool {
	for i, c := range rest {
		if c == '}' {
			return false
		}
		if c == '\n' || i > 200 {
			return true
		}
	}
	return true
}
