package declaration

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
)

// Token is a word, a number, a string or a sign of a text; comments and white space are none.
type Token struct {
	// Start and End are where it stands, Line is that of its first byte, from 1.
	Start, End, Line int32
	// Kind is the byte of a sign, or one of those below.
	Kind byte
}

// The kinds of tokens that are no signs.
const (
	Word   = word
	Number = number
	Quoted = quoted
	// Newline comes only where ends of lines end statements.
	Newline = newline
	// Directive is a line of the preprocessor, without its #.
	Directive = 'd'
)

// Tokens appends the tokens of a text to list: of at most graph.MaxSource bytes of it. There are none where it is not known how
// the path's language is split: that of all whose declarations are read, and of Go, Python, JavaScript and TypeScript. The expressions within a string follow it, each behind a ;.
func Tokens(list []Token, name string, content []byte) []Token {
	g := splitOf(name)
	if g == nil {
		return list
	}
	x := lexer{src: content[:min(len(content), graph.MaxSource)], line: 1, fresh: true, classes: g.classes, grammar: g}
	if hasPrefix(x.src, "\ufeff") {
		x.at, x.begin = 3, 3
	}
	if g.pages {
		x.page()
	}
	return x.tokens(list, 0)
}

// maxNested bounds how deep strings with expressions lie in one another.
const maxNested = 3

// tokens appends what is left of the text. nested is in how many strings it lies.
func (x *lexer) tokens(list []Token, nested int) []Token {
	if x.grammar.directives {
		x.preprocess = func() {
			start, line := x.at, x.line
			for x.at < len(x.src) && x.src[x.at] != '\n' {
				x.at++
			}
			list = append(list, Token{int32(start) + 1, int32(x.at), line, Directive})
		}
	}
	for {
		list = x.plain(list)
		t := x.read()
		if x.grammar.pages && t.kind == '?' && x.at < len(x.src) && x.src[x.at] == '>' {
			x.page()
			t.kind = ';'
		}
		if t.kind == end {
			return list
		}
		list = append(list, Token{t.start, t.end, t.line, t.kind})
		if t.kind == quoted && nested < maxNested {
			list = x.expressions(list, t, nested+1)
		}
	}
}

// plain appends the tokens up to one that read has to look at: a comment, a string, the end of a line on which one may begin.
func (x *lexer) plain(list []Token) []Token {
	lines := x.linesBegin()
	for {
		kind, start, ok := x.plainToken(lines, 0, 0)
		switch {
		case !ok:
			return list
		case kind == newline:
			if x.grammar.newlines {
				list = append(list, Token{int32(start), int32(x.at), x.line - 1, newline})
			}
		default:
			list = append(list, Token{int32(start), int32(x.at), x.line, kind})
		}
	}
}

// skipTo goes on to the next bracket of these, or to what read has to look at: as plain does, and makes no tokens.
func (x *lexer) skipTo(open, shut byte) {
	lines := x.linesBegin()
	for {
		if _, _, ok := x.plainToken(lines, open, shut); !ok {
			return
		}
		x.steps++
	}
}

// plainToken takes the next token, and says where it begins; it takes none that read has to look at, and no bracket of these, which are 0
// for none. linesBegin is what the function says.
func (x *lexer) plainToken(linesBegin bool, open, shut byte) (kind byte, start int, ok bool) {
	src, classes := x.src, x.classes
	at := x.at
	for at < len(src) && classes[src[at]] == cSpace {
		at++
	}
	x.at = at
	if at == len(src) {
		return 0, at, false
	}
	switch c := src[at]; classes[c] {
	case cNewline:
		if linesBegin || len(x.heredocs) > 0 {
			return 0, at, false
		}
		x.at++
		x.line++
		x.begin, x.fresh = x.at, true
		return newline, at, true
	case cWord:
		if x.at = x.wordEnd(at); x.at == at {
			return 0, at, false
		}
		kind = word
	case 0:
		if c == '\\' || c == '`' || c == '?' || open != 0 && (c == open || c == shut) {
			return 0, at, false
		}
		x.at++
		kind = c
	default:
		return 0, at, false
	}
	x.last, x.lastEnd, x.lastLine, x.fresh = kind, int32(x.at), x.line, false
	if x.pending.end > 0 {
		x.pending = comment{}
	}
	return kind, at, true
}

// nextPlain is next, and quicker where read has nothing to look at: no comment stands before the token. linesBegin is what the
// function says.
func (x *lexer) nextPlain(linesBegin bool) token {
	for !x.peeked && x.pending.end == 0 {
		fresh := x.fresh
		kind, start, ok := x.plainToken(linesBegin, 0, 0)
		if !ok {
			break
		}
		x.steps++
		switch {
		case kind != newline:
			if x.doc.end > 0 {
				x.doc = comment{}
			}
			x.taken = token{start: int32(start), end: int32(x.at), line: x.line, column: int32(start - x.begin), kind: kind, fresh: fresh}
		case x.grammar.newlines:
			x.taken = token{start: int32(start), end: int32(x.at), line: x.line - 1, kind: newline}
		default:
			continue
		}
		x.takenLine = x.lastLine
		return x.taken
	}
	return x.next()
}

// linesBegin reports whether a comment may begin with the end of a line.
func (x *lexer) linesBegin() bool {
	return x.grammar.language.Open != "" && x.grammar.language.Open[0] == '\n'
}

// wordEnd is where the word ends that begins at a place; the place itself where read has to look at it, as it may begin a string, end
// with a sign, or end the code.
func (x *lexer) wordEnd(start int) int {
	src, classes := x.src, x.classes
	at := start + 1
	for at < len(src) && (classes[src[at]] == cWord || classes[src[at]] == cDigit) {
		at++
	}
	if g := x.grammar; g.ask || g.language.Raw&(language.Hashes|language.Delimited) != 0 {
		if src[start] == '$' || src[start] == '_' && start == x.begin {
			return start
		}
		if at < len(src) && (src[at] == '"' || src[at] == '#' || src[at] == '?' || src[at] == '!') {
			return start
		}
	}
	return at
}

// hole is how the strings of a language hold expressions.
type hole struct {
	sign string
	shut byte
	// names also stand behind a dollar alone.
	names bool
}

// holes is how a string that begins at a byte holds expressions. It has no sign where it holds none.
func (x *lexer) holes(start int) hole {
	before := byte(0)
	if start > 0 {
		before = x.src[start-1]
	}
	switch c := x.src[start]; x.grammar.language.Name {
	case "Kotlin":
		return hole{"${", '}', true}
	case "Scala": // what stands before it makes something of it
		if before|0x20 >= 'a' && before|0x20 <= 'z' {
			return hole{"${", '}', true}
		}
	case "Dart":
		if before != 'r' {
			return hole{"${", '}', true}
		}
	case "PHP":
		if c != '\'' {
			return hole{"{", '}', true}
		}
	case "Astro", "JavaScript", "Svelte", "TypeScript", "Vue":
		if c == '`' {
			return hole{"${", '}', false}
		}
	case "Python":
		if formatted(x.src[:start]) {
			return hole{"{", '}', false}
		}
	case "Ruby", "Elixir":
		if c != '\'' {
			return hole{"#{", '}', false}
		}
	case "C#":
		if c == '$' || c == '@' && x.src[start+1] == '$' {
			return hole{"{", '}', false}
		}
	case "Swift":
		return hole{"\\(", ')', false}
	}
	return hole{}
}

// expressions appends the tokens of those that a string holds.
func (x *lexer) expressions(list []Token, t token, nested int) []Token {
	h := x.holes(int(t.start))
	if h.sign == "" {
		return list
	}
	if n := len(list) - 2; n >= 0 && x.grammar.language.Name == "Dart" {
		switch string(x.src[list[n].Start:list[n].End]) {
		case "import", "export", "part": // an address
			return list
		}
	}
	line, counted := t.line, int(t.start)
	lineAt := func(at int) int32 {
		line += int32(bytes.Count(x.src[counted:at], []byte{'\n'}))
		counted = at
		return line
	}
	for at := int(t.start); at < int(t.end); {
		n := bytes.Index(x.src[at:t.end], []byte(h.sign))
		if h.names {
			end := int(t.end)
			if n >= 0 {
				end = at + n
			}
			for k := at; k < end; k++ {
				if x.src[k] != '$' || k > at && x.src[k-1] == '\\' {
					continue
				}
				from := k + 1
				for k = from; k < end && nameByte(x.src[k]); k++ {
				}
				if k > from {
					n := lineAt(from)
					list = append(list, Token{int32(from), int32(from), n, ';'}, Token{int32(from), int32(k), n, Word}, Token{int32(k), int32(k), n, ';'})
				}
				k--
			}
		}
		if n < 0 {
			return list
		}
		from := at + n + len(h.sign)
		to := x.closes(from, int(t.end), h)
		if h.sign == "{" && to == from || x.grammar.language.Name == "PHP" && x.src[from] != '$' {
			at = from
			if x.grammar.language.Name != "PHP" {
				at++ // {{ is a brace
			}
			continue
		}
		inner := lexer{src: x.src[:to], at: from, line: lineAt(from), classes: x.classes, grammar: x.grammar}
		list = append(list, Token{int32(from), int32(from), inner.line, ';'})
		list = inner.tokens(list, nested)
		list = append(list, Token{int32(to), int32(to), inner.line, ';'})
		at = max(to, from)
	}
	return list
}

// nameByte reports whether a byte is one of a name behind a dollar.
func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// formatted reports whether what stands before a string of Python makes it one with expressions.
func formatted(before []byte) bool {
	for i := len(before) - 1; i >= max(0, len(before)-2); i-- {
		switch before[i] | 0x20 {
		case 'f':
			return true
		case 'r':
		default:
			return false
		}
	}
	return false
}

// closes returns where the bracket stands that closes an expression, or the colon of its format; at most maxHole bytes behind from.
func (x *lexer) closes(from, to int, h hole) int {
	to = min(to, from+maxHole)
	formats := h.sign == "{" && !h.names
	for i, depth := from, 0; i < to; i++ {
		switch c := x.src[i]; {
		case c == '{' && formats && i == from:
			return from
		case c == h.shut && depth <= 0, c == ':' && formats && depth == 0:
			return i
		case c == '{' || c == '(' || c == '[':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return to
}
