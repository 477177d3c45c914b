package declaration

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/language"
)

// A token's kind is the byte of the sign itself, or one of these, which are no signs.
const (
	end     = 0
	word    = 'i'
	number  = '0'
	quoted  = '"'
	newline = '\n'
)

// token is one token of a source text. graph.MaxSource bounds the places in it.
type token struct {
	start, end int32
	line       int32
	column     int32 // of the first byte, 0 at the start of a line
	kind       byte
	fresh      bool // the first of its line
	hidden     bool // the name of a property that others do not see
}

// comment is a run of comments that stand on lines of their own, one below the other.
type comment struct {
	from, to   int32 // lines
	start, end int32
}

// lexer splits a source text as its language's does, as far as declarations need it. It never fails: what is no token is a
// sign, and what is not closed ends with the text.
type lexer struct {
	src     []byte
	at      int
	line    int32
	begin   int // of the line
	fresh   bool
	classes *[256]byte
	grammar *grammar
	// preprocess is called at the # of a directive; nil where the language has none.
	preprocess func()
	// last is the kind, and where it begins and ends, of the token before.
	last      byte
	lastStart int32
	lastEnd   int32
	// lastLine is the line on which the last token ended.
	lastLine int32
	pending  comment // what stands before the next token
	doc      comment // what stood before the last token that was read, if nothing parted them
	// heredocs are the words that end those which begin with the next line.
	heredocs []heredoc
	ahead    token // where peeked
	peeked   bool
	aheadDoc comment
	// takenLine is the line on which the last token ended that was taken, aheadLine that of the one that was peeked.
	takenLine, aheadLine int32
	// taken is the last token that was taken.
	taken token
	// steps counts what was done: tokens, and bytes that were looked at more than once.
	steps int
}

type heredoc struct {
	word     []byte
	indented bool
}

// The classes of bytes.
const (
	cSpace = 1 + iota
	cNewline
	cWord
	cDigit
	cQuote   // may begin a string
	cComment // may begin a comment
	cHash    // may begin a directive
)

// classesOf are those of a grammar's language.
func classesOf(g *grammar) *[256]byte {
	var t [256]byte
	for c := range t {
		switch {
		case c == '\n':
			t[c] = cNewline
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			t[c] = cSpace
		case c >= '0' && c <= '9':
			t[c] = cDigit
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			t[c] = cWord
		}
	}
	for i := range len(g.letters) {
		t[g.letters[i]] = cWord
	}
	l := g.language
	for _, q := range l.Quotes {
		t[q.Open[0]] = cQuote
	}
	if g.apostrophe != nil {
		t['\''] = cQuote
	}
	for _, raw := range []struct {
		form  language.Raw
		signs string
	}{{language.Heredoc, "<"}, {language.Brackets, "["}, {language.Dollars, "$"}, {language.Percent, "%~"}, {language.Verbatim, `@$"`}, {language.Regexp, "/"}, {language.Hashes, "#'"}} {
		for i := range len(raw.signs) {
			if l.Raw&raw.form != 0 && t[raw.signs[i]] != cWord {
				t[raw.signs[i]] = cQuote
			}
		}
	}
	for _, sign := range append(bytes.Fields([]byte(l.Comments)), []byte(l.Open)) {
		if len(sign) > 0 && sign[0] != '\n' {
			t[sign[0]] = cComment
		}
	}
	if g.directives {
		t['#'] = cHash
	}
	return &t
}

// peek returns the next token without taking it.
func (x *lexer) peek() token {
	if !x.peeked {
		doc := x.doc
		x.ahead = x.read()
		x.aheadDoc, x.doc = x.doc, doc
		x.aheadLine = x.lastLine
		x.peeked = true
	}
	return x.ahead
}

// next takes the next token. Ends of lines are tokens where they end statements.
func (x *lexer) next() token {
	if x.peeked {
		x.peeked = false
		x.doc = x.aheadDoc
		x.takenLine, x.taken = x.aheadLine, x.ahead
		return x.ahead
	}
	x.taken = x.read()
	x.takenLine = x.lastLine
	return x.taken
}

// read reads one token.
func (x *lexer) read() token {
	x.steps++
	for x.at < len(x.src) {
		c := x.src[x.at]
		switch x.classes[c] {
		case cSpace:
			at := x.at + 1
			for at < len(x.src) && x.src[at] == c { // it sets a line in
				at++
			}
			x.at = at
		case cNewline:
			if t, ok := x.endLine(); ok {
				return t
			}
		case cWord:
			if c == '_' && x.at == x.begin && x.dataBehind() {
				x.at = len(x.src)
				continue
			}
			return x.word()
		case cDigit:
			return x.number()
		case cComment:
			if x.comment() {
				continue
			}
			if start := int32(x.at); x.quote() {
				return x.took(quoted, start)
			}
			return x.sign()
		case cQuote:
			if x.comment() { // a sign may begin both, as / does
				continue
			}
			if start := int32(x.at); x.quote() {
				return x.took(quoted, start)
			}
			return x.sign()
		case cHash:
			if x.fresh && x.preprocess != nil && (x.grammar.language.Name != "Swift" || swiftDirective(x.src[x.at+1:])) {
				x.fresh = false
				x.preprocess()
			} else if start := int32(x.at); x.quote() {
				return x.took(quoted, start)
			} else {
				return x.sign()
			}
		default:
			if c == '\\' && x.at+1 < len(x.src) && (x.src[x.at+1] == '\n' || x.src[x.at+1] == '\r') {
				x.at++ // the line goes on
				for x.at < len(x.src) && x.src[x.at] == '\r' {
					x.at++
				}
				if x.at < len(x.src) && x.src[x.at] == '\n' {
					x.at++
					x.startLine()
					x.fresh = false
				}
				continue
			}
			if c == '\\' && x.grammar.spaced && x.at+1 < len(x.src) { // a sign behind it means nothing
				start := int32(x.at)
				x.at += 2
				return x.took(quoted, start)
			}
			return x.sign()
		}
	}
	x.doc = x.pending
	return token{start: int32(len(x.src)), end: int32(len(x.src)), line: x.line, kind: end}
}

// dataBehind reports whether a line, which begins here, ends the code of a file of Ruby.
func (x *lexer) dataBehind() bool {
	rest, ok := bytes.CutPrefix(x.src[x.at:], []byte("__END__"))
	return ok && x.grammar.language.Name == "Ruby" && (len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r')
}

// swiftDirective reports whether what follows a # is a directive of Swift, not a macro.
func swiftDirective(rest []byte) bool {
	for _, w := range []string{"if", "else", "endif", "error", "warning", "sourceLocation"} {
		if hasPrefix(rest, w) {
			return true
		}
	}
	return false
}

// startLine counts a line, the first byte of which comes next.
func (x *lexer) startLine() {
	x.line++
	x.begin = x.at
	x.fresh = true
}

// endLine passes the end of a line, and strings that begin behind it.
func (x *lexer) endLine() (token, bool) {
	t := token{start: int32(x.at), end: int32(x.at) + 1, line: x.line, kind: newline}
	x.at++
	x.startLine()
	for _, h := range x.heredocs {
		x.skipHeredoc(h)
	}
	x.heredocs = x.heredocs[:0]
	if x.grammar.language.Open == "\n=begin" && bytes.HasPrefix(x.src[x.at:], []byte("=begin")) {
		x.at--
		x.line--
		x.comment()
	}
	return t, x.grammar.newlines
}

// maxIndent bounds what stands before a string on its line, in bytes; of more, the rest is not looked at.
const maxIndent = 1000

// took returns the token that ends here.
func (x *lexer) took(kind byte, start int32) token {
	t := token{start: start, end: int32(x.at), line: x.line, column: start - int32(x.begin), kind: kind, fresh: x.fresh}
	if t.column < 0 { // a string that began on a line above
		line := x.src[max(0, int(start)-maxIndent):start]
		t.column = int32(len(line) - 1 - bytes.LastIndexByte(line, '\n'))
		t.line -= int32(bytes.Count(x.src[start:x.at], []byte{'\n'}))
	}
	if x.doc.end > 0 {
		x.doc = comment{}
	}
	if x.pending.end > 0 {
		if x.pending.to+1 >= t.line {
			x.doc = x.pending
		}
		x.pending = comment{}
	}
	x.fresh = false
	x.last, x.lastStart, x.lastEnd, x.lastLine = kind, start, t.end, x.line
	return t
}

func (x *lexer) word() token {
	start := x.at
	src, classes, at := x.src, x.classes, x.at
	for at < len(src) && (classes[src[at]] == cWord || classes[src[at]] == cDigit) {
		at++
	}
	x.at = at
	if at > start+1 && src[at-1] == '_' && x.grammar.language.Name == "Scala" {
		if x.signed() { // unary_-, q_?
			return x.took(word, int32(start))
		}
		if x.last == word && hasPrefix(src[at:], "=(") { // def size_=(n: Int)
			x.at++
			return x.took(word, int32(start))
		}
	}
	if l := x.grammar.language; l.Raw&(language.Hashes|language.Delimited) != 0 && x.at < len(x.src) && (x.src[x.at] == '"' || x.src[x.at] == '#') && x.prefixed(start) {
		return x.took(quoted, int32(start))
	}
	if x.grammar.ask && x.src[start] == '$' && x.at == start+1 && x.at < len(x.src) && bytes.IndexByte([]byte("'\"`&+~!@/;,.<>*?:$\\"), x.src[x.at]) >= 0 {
		x.at++ // $' and the like are variables
		return x.took(word, int32(start))
	}
	if x.grammar.ask && x.at < len(x.src) && (x.src[x.at] == '?' || x.src[x.at] == '!') && (x.at+1 == len(x.src) || x.src[x.at+1] != '=' || x.at+2 < len(x.src) && x.src[x.at+2] == '=') {
		x.at++
	}
	return x.took(word, int32(start))
}

func (x *lexer) number() token {
	start := x.at
	for x.at < len(x.src) && (x.classes[x.src[x.at]] == cDigit || x.classes[x.src[x.at]] == cWord || x.src[x.at] == '\'' && x.grammar.language.Family == "C") {
		x.at++
	}
	return x.took(number, int32(start))
}

// sign takes one byte; in grammars in which names stand between ` and `, such a name.
func (x *lexer) sign() token {
	start := x.at
	if x.signed() {
		return x.took(word, int32(start))
	}
	c := x.src[x.at]
	x.at++
	if c == '?' && x.grammar.ask && !x.ended() && x.character() {
		return x.took(quoted, int32(start))
	}
	if c == '`' && x.grammar.ticks {
		if n := bytes.IndexAny(x.src[x.at:min(len(x.src), x.at+200)], "`\n"); n > 0 && x.src[x.at+n] == '`' {
			x.at += n + 1
			return x.took(word, int32(start))
		}
	}
	return x.took(c, int32(start))
}

// nameSigns are what names of signs are made of, reserved are those signs of Scala that are none.
const nameSigns = "!#%&*+-/:<=>?@\\^|~"

var reserved = language.WordSet("= : => <- <: >: #")

// signed passes a name, or the rest of one, that is made of signs, where one may stand; it reports whether it did. A < behind other
// signs, and before a letter, begins types: func ||<T>.
func (x *lexer) signed() bool {
	if x.grammar.signs == nil || x.last != word || !x.grammar.signs[string(x.src[x.lastStart:x.lastEnd])] {
		return false
	}
	n := x.at
	for n < len(x.src) && bytes.IndexByte([]byte(nameSigns), x.src[n]) >= 0 {
		n++
	}
	if n-x.at > 1 && x.src[n-1] == '<' && n < len(x.src) && x.classes[x.src[n]] == cWord {
		n--
	}
	if n == x.at || reserved[string(x.src[x.at:n])] {
		return false
	}
	x.at = n
	return true
}

// character passes what follows the ? of a character, and reports whether one stands there.
func (x *lexer) character() bool {
	n := x.at
	if n+1 >= len(x.src) || x.classes[x.src[n]] == cSpace || x.src[n] == '\n' {
		return false
	}
	if x.src[n] == '\\' {
		n++
	}
	if c := x.classes[x.src[min(n+1, len(x.src)-1)]]; n+1 < len(x.src) && (c == cWord || c == cDigit) {
		return false
	}
	x.at = min(n+1, len(x.src))
	return true
}

// comment passes a comment that begins here, and reports whether one does.
func (x *lexer) comment() bool {
	l := x.grammar.language
	rest := x.src[x.at:]
	start, from := x.at, x.line
	switch {
	case l.Open != "" && hasPrefix(rest, l.Open):
		x.at += len(l.Open)
		x.line += int32(bytes.Count([]byte(l.Open), []byte{'\n'}))
		x.enclosed()
	case l.Raw&language.Brackets != 0 && hasPrefix(rest, "--[") && longBracket(rest[2:]) >= 0:
		x.at += 2
		x.skipBracket(longBracket(rest[2:]))
	case lineComment(l.Comments, rest):
		if x.grammar.spaced && x.at > 0 && x.classes[x.src[x.at-1]] != cSpace && x.classes[x.src[x.at-1]] != cNewline && x.src[x.at-1] != ';' && x.src[x.at-1] != '(' {
			return false
		}
		if l.Name == "PHP" && hasPrefix(rest, "#[") {
			return false
		}
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		if x.grammar.pages { // ?> ends a comment of PHP, and the code
			if m := bytes.Index(rest[:n], []byte("?>")); m >= 0 {
				n = m
			}
		}
		x.at += n
	default:
		return false
	}
	if x.lastLine < from && !(start == 0 && hasPrefix(rest, "#!")) {
		if x.pending.end > 0 && x.pending.to+1 >= from {
			x.pending.to, x.pending.end = x.line, int32(x.at)
		} else {
			x.pending = comment{from: from, to: x.line, start: int32(start), end: int32(x.at)}
		}
	}
	return true
}

// enclosed passes what stands to the end of a comment that has begun.
func (x *lexer) enclosed() {
	l := x.grammar.language
	first, open := l.Shut[0], byte(0)
	if l.Nested {
		open = l.Open[0]
	}
	for depth := 1; x.at < len(x.src); {
		c := x.src[x.at]
		switch {
		case c == first && hasPrefix(x.src[x.at:], l.Shut):
			x.at += len(l.Shut)
			if c == '\n' {
				x.startLine()
				x.begin -= len(l.Shut) - 1
			}
			if depth--; depth == 0 {
				return
			}
		case c == '\n':
			x.at++
			fresh := x.fresh
			x.startLine()
			x.fresh = fresh || x.fresh
		case c == open && hasPrefix(x.src[x.at:], l.Open):
			x.at += len(l.Open)
			depth++
		default:
			x.at++
		}
	}
}

func lineComment(signs string, rest []byte) bool {
	switch signs {
	case "//":
		return len(rest) > 1 && rest[0] == '/' && rest[1] == '/'
	case "#":
		return rest[0] == '#'
	}
	for len(signs) > 0 {
		n := 0
		for n < len(signs) && signs[n] != ' ' {
			n++
		}
		if hasPrefix(rest, signs[:n]) {
			return true
		}
		signs = signs[min(len(signs), n+1):]
	}
	return false
}

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

// countLines counts the ends of lines from a place to where the lexer is.
func (x *lexer) countLines(from int) {
	for {
		n := bytes.IndexByte(x.src[from:x.at], '\n')
		if n < 0 {
			return
		}
		from += n + 1
		x.line++
		x.begin = from
	}
}
