package python

// kind is what a token is.
type kind uint8

const (
	end kind = iota
	newline
	word
	quoted
	number
	sign
)

// token is one token of a source text.
type token struct {
	kind       kind
	start, end int
	// line counts from 1; indent is the column of the first token of a logical
	// line, else -1.
	line, indent int
}

// lexer splits a source text as Python's does, as far as statements need it. It
// never fails: what is no token is passed over.
type lexer struct {
	src   []byte
	at    int
	line  int
	depth int
	// fresh is set at the start of a logical line.
	fresh bool
}

func isWordStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool { return isWordStart(c) || isDigit(c) }

// next returns the next token. Logical lines end with newline; those that are
// blank are left out.
func (l *lexer) next() token {
	column := 0
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == ' ' || c == '\f':
			column++
			if c == '\f' {
				column = 0
			}
			l.at++
		case c == '\t':
			column = column/8*8 + 8
			l.at++
		case c == '\r':
			l.at++
		case c == '\\' && l.at+1 < len(l.src) && (l.src[l.at+1] == '\n' || l.src[l.at+1] == '\r'):
			l.at++
			if l.src[l.at] == '\r' {
				l.at++
			}
			if l.at < len(l.src) && l.src[l.at] == '\n' {
				l.at++
			}
			l.line++
		case c == '#':
			for l.at < len(l.src) && l.src[l.at] != '\n' {
				l.at++
			}
		case c == '\n':
			t := token{newline, l.at, l.at + 1, l.line, -1}
			l.at++
			l.line++
			column = 0
			if l.depth == 0 && !l.fresh {
				l.fresh = true
				return t
			}
		default:
			indent := -1
			if l.fresh {
				indent, l.fresh = column, false
			}
			t := l.token(c)
			t.indent = indent
			return t
		}
	}
	if !l.fresh {
		l.fresh = true
		return token{newline, l.at, l.at, l.line, -1}
	}
	return token{end, l.at, l.at, l.line, -1}
}

func (l *lexer) token(c byte) token {
	start, line := l.at, l.line
	switch {
	case isWordStart(c):
		for l.at < len(l.src) && isWord(l.src[l.at]) {
			l.at++
		}
		if n := l.at - start; n <= 3 && l.at < len(l.src) && (l.src[l.at] == '"' || l.src[l.at] == '\'') {
			format, prefix := false, true
			for _, p := range l.src[start:l.at] {
				switch p | 0x20 {
				case 'f', 't':
					format = true
				case 'r', 'b', 'u':
				default:
					prefix = false
				}
			}
			if prefix {
				l.str(format, 0)
				return token{quoted, start, l.at, line, -1}
			}
		}
		return token{word, start, l.at, line, -1}
	case c == '"' || c == '\'':
		l.str(false, 0)
		return token{quoted, start, l.at, line, -1}
	case isDigit(c) || c == '.' && l.at+1 < len(l.src) && isDigit(l.src[l.at+1]):
		for l.at < len(l.src) && (isWord(l.src[l.at]) || l.src[l.at] == '.') {
			l.at++
		}
		return token{number, start, l.at, line, -1}
	case c == '(' || c == '[' || c == '{':
		l.depth++
	case c == ')' || c == ']' || c == '}':
		l.depth = max(l.depth-1, 0)
	}
	l.at++
	return token{sign, start, l.at, line, -1}
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
			l.at++
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
