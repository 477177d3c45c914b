package declaration

import (
	"bytes"
	"slices"

	"github.com/haversack-dev/haversack/internal/language"
)

// quote passes a string that begins here, and reports whether one does.
func (x *lexer) quote() bool {
	l := x.grammar.language
	if l.Raw != 0 && x.raw(l.Raw) {
		return true
	}
	rest := x.src[x.at:]
	if rest[0] == '\'' && x.grammar.apostrophe != nil {
		n := x.grammar.apostrophe(rest)
		x.at += n
		return n > 0
	}
	for i := range l.Quotes {
		if q := &l.Quotes[i]; q.Open[0] == rest[0] && hasPrefix(rest, q.Open) {
			x.string(q)
			return true
		}
	}
	return false
}

// string passes a string of this form.
func (x *lexer) string(q *language.Quote) {
	start := x.at
	x.at += len(q.Open)
	shut, holes := q.Shut[0], x.grammar.holes
	if x.grammar.prefixed && (start == 0 || !nameByte(x.src[start-1])) {
		holes = 0
	}
	for x.at < len(x.src) {
		c := x.src[x.at]
		switch {
		case c == '\\' && holes == '\\' && x.at+1 < len(x.src) && x.src[x.at+1] == '(':
			x.at++
			x.hole(q)
			continue
		case c == shut && hasPrefix(x.src[x.at:], q.Shut):
			if q.Escape == shut && x.at+1 < len(x.src) && x.src[x.at+1] == shut {
				x.at += 2
				continue
			}
			x.at += len(q.Shut)
			for n := 0; n < 2 && len(q.Shut) == 3 && q.Escape == 0 && x.at < len(x.src) && x.src[x.at] == shut; n++ {
				x.at++ // the last three of a row of quotes end it
			}
			x.countLines(start)
			return
		case c == q.Escape && q.Escape != shut:
			x.at = min(x.at+2, len(x.src))
			continue
		case c == '\n' && !q.Lines:
			x.countLines(start)
			return
		case c == '$' && x.grammar.spaced && x.at+1 < len(x.src) && (x.src[x.at+1] == '(' || x.src[x.at+1] == '{'):
			x.substitution(0)
			continue
		case c == '$' && x.grammar.expressions && q.Open == `"` && x.at+1 < len(x.src) && x.src[x.at+1] == '(':
			x.expression()
			continue
		case c == '$' && holes == '$' && x.at+1 < len(x.src) && x.src[x.at+1] == '{', c == holes && c != '$' && x.at+1 < len(x.src) && (x.src[x.at+1] == '{' || x.src[x.at+1] == '('):
			x.at++
			x.hole(q)
			continue
		}
		x.at++
	}
	x.countLines(start)
}

// maxSubstitutions bounds how deep the substitutions of a shell's string lie in one another.
const maxSubstitutions = 20

// substitution passes what a string of a shell is given: $(…) or ${…}, which may hold strings, and those others.
func (x *lexer) substitution(nested int) {
	open := x.src[x.at+1]
	shut := closing(open)
	quoted := false
	depth := 0
	for x.at++; x.at < len(x.src); x.at++ {
		switch c := x.src[x.at]; {
		case c == '\\':
			x.at++
		case c == '"' && nested < maxSubstitutions:
			quoted = !quoted
		case c == '\'' && !quoted && open == '(':
			n := bytes.IndexByte(x.src[x.at+1:], '\'')
			if n < 0 {
				x.at = len(x.src)
				return
			}
			x.at += n + 1
		case c == '$' && nested < maxSubstitutions && x.at+1 < len(x.src) && (x.src[x.at+1] == '(' || x.src[x.at+1] == '{'):
			x.substitution(nested + 1)
			x.at--
		case quoted:
		case c == '#' && open == '(' && x.classes[x.src[x.at-1]] == cSpace:
			if n := bytes.IndexByte(x.src[x.at:], '\n'); n >= 0 {
				x.at += n - 1
			}
		case c == open:
			depth++
		case c == shut:
			if depth--; depth == 0 {
				x.at++
				return
			}
		}
	}
	x.at = min(x.at, len(x.src))
}

// expression passes what a string of PowerShell is given: $(…), which may hold strings, and those others.
func (x *lexer) expression() {
	var quotes [maxSubstitutions]bool // whether a string is open, of each that is in it
	var depths [maxSubstitutions]int
	n := 0
	for stop := min(len(x.src), x.at+maxHole); x.at < stop; x.at++ {
		switch c := x.src[x.at]; {
		case c == '`':
			x.at++
		case c == '$' && x.at+1 < stop && x.src[x.at+1] == '(' && (quotes[n] || depths[n] == 0) && n+1 < maxSubstitutions:
			if depths[n] > 0 {
				n++
			}
			depths[n], quotes[n] = 1, false
			x.at++
		case c == '"':
			quotes[n] = !quotes[n]
		case quotes[n]:
		case c == '\'':
			if m := bytes.IndexByte(x.src[x.at+1:stop], '\''); m >= 0 {
				x.at += m + 1
			}
		case c == '(':
			depths[n]++
		case c == ')':
			if depths[n]--; depths[n] > 0 {
				continue
			}
			if n == 0 {
				x.at++
				return
			}
			n--
		}
	}
	x.at = min(x.at, len(x.src))
}

// hole passes an expression within a string, up to its brace; a string in it may hold quotes. It ends with the line where
// the string does.
func (x *lexer) hole(q *language.Quote) {
	depth := 0
	open := x.src[x.at]
	shut := byte('}')
	if open == '(' {
		shut = ')'
	}
	for stop := min(len(x.src), x.at+maxHole); x.at < stop; x.at++ {
		switch c := x.src[x.at]; {
		case c == open:
			depth++
		case c == shut:
			if depth--; depth == 0 {
				x.at++
				return
			}
		case c == '\\':
			x.at++
		case depth > 0 && (c == '"' || c == '\'' && x.singles()):
			if n := onLine(x.src[x.at+1:stop], c); n >= 0 {
				x.at += n + 1
			}
		case c == '/' && x.grammar.language.Raw&language.Regexp != 0 && bytes.IndexByte([]byte("(,=:"), x.src[x.at-1]) >= 0:
			if n := onLine(x.src[x.at+1:stop], c); n >= 0 {
				x.at += n + 1
			}
		case c == '\n' && !q.Lines:
			return
		}
	}
	x.at = min(x.at, len(x.src))
}

// singles reports whether ' opens a string, or a character, wherever it stands.
func (x *lexer) singles() bool {
	return x.grammar.apostrophe == nil && slices.ContainsFunc(x.grammar.language.Quotes, func(q language.Quote) bool { return q.Open == "'" })
}

// onLine is where a quote ends what it opened before the text, on the same line; -1 where it does not.
func onLine(rest []byte, quote byte) int {
	for i := 0; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

// maxHole bounds an expression within a string: what is longer is no expression.
const maxHole = 4096

// raw passes a string whose end depends on its beginning.
func (x *lexer) raw(forms language.Raw) bool {
	rest := x.src[x.at:]
	switch c := rest[0]; {
	case c == '<' && forms&language.Heredoc != 0:
		return x.heredoc()
	case c == '[' && forms&language.Brackets != 0:
		if n := longBracket(rest); n >= 0 {
			x.skipBracket(n)
			return true
		}
	case c == '$' && forms&language.Dollars != 0:
		return x.dollars()
	case (c == '%' || c == '~') && forms&language.Percent != 0:
		return x.percent()
	case (c == '@' || c == '$' || c == '"') && forms&language.Verbatim != 0:
		return x.verbatim()
	case c == '/' && forms&language.Regexp != 0:
		return x.regexp()
	case c == '#' && forms&language.Hashes != 0:
		return x.prefixed(x.at)
	}
	return false
}

// prefixed passes a raw string whose prefix stands from start to here: r#"…"#, R"x(…)x".
func (x *lexer) prefixed(start int) bool {
	prefix := x.src[start:x.at]
	rest := x.src[x.at:]
	if x.grammar.language.Raw&language.Delimited != 0 {
		if rest[0] != '"' || len(prefix) == 0 || len(prefix) > 3 || prefix[len(prefix)-1] != 'R' {
			return false
		}
		n := bytes.IndexByte(rest[:min(len(rest), 20)], '(')
		if n < 0 {
			return false
		}
		x.until(n+1, append(append([]byte{')'}, rest[1:n]...), '"'))
		return true
	}
	if p := string(prefix); p != "" && p != "r" && p != "br" && p != "cr" {
		return false
	}
	n := 0
	for n < min(len(rest), 256) && rest[n] == '#' {
		x.steps++
		n++
	}
	if n == len(rest) || rest[n] != '"' || n > 255 || len(prefix) == 0 && x.grammar.language.Name != "Swift" {
		return false
	}
	shut := append([]byte{'"'}, bytes.Repeat([]byte{'#'}, n)...)
	if len(prefix) == 0 && hasPrefix(rest[n:], `"""`) {
		x.until(n+3, append([]byte(`""`), shut...))
	} else {
		x.until(n+1, shut)
	}
	return true
}

// until passes so many bytes, and then all up to the end of what ends it.
func (x *lexer) until(skip int, shut []byte) {
	start := x.at
	x.at += skip
	if n := bytes.Index(x.src[x.at:], shut); n >= 0 {
		x.at += n + len(shut)
	} else {
		x.at = len(x.src)
	}
	x.countLines(start)
}

// verbatim passes @"…", $@"…", """…""" and $"…".
func (x *lexer) verbatim() bool {
	i := x.at
	at := false
	for i < min(len(x.src), x.at+8) && (x.src[i] == '@' || x.src[i] == '$') {
		at = at || x.src[i] == '@'
		x.steps++
		i++
	}
	n := 0
	for i+n < len(x.src) && x.src[i+n] == '"' {
		n++
	}
	switch {
	case n == 0:
		return false
	case n >= 3 && !at:
		x.until(i+n-x.at, bytes.Repeat([]byte{'"'}, n))
	case at:
		x.at = i
		x.string(&verbatim)
	case i > x.at:
		x.at = i
		x.string(&ordinary)
	default:
		return false
	}
	return true
}

var verbatim, ordinary = language.Quote{Open: `"`, Shut: `"`, Escape: '"', Lines: true}, language.Quote{Open: `"`, Shut: `"`, Escape: '\\'}

// longBracket returns how many = stand between the brackets of a long bracket that begins here, or -1.
func longBracket(rest []byte) int {
	if len(rest) == 0 || rest[0] != '[' {
		return -1
	}
	n := 1
	for n < len(rest) && rest[n] == '=' {
		n++
	}
	if n == len(rest) || rest[n] != '[' {
		return -1
	}
	return n - 1
}

func (x *lexer) skipBracket(level int) {
	x.until(level+2, append(append([]byte{']'}, bytes.Repeat([]byte{'='}, level)...), ']'))
}

// dollars passes $tag$…$tag$.
func (x *lexer) dollars() bool {
	rest := x.src[x.at:]
	n := 1
	for n < len(rest) && n < 64 && (x.classes[rest[n]] == cWord || x.classes[rest[n]] == cDigit) {
		n++
	}
	if n == len(rest) || rest[n] != '$' || n > 1 && x.classes[rest[1]] == cDigit {
		return false
	}
	x.until(n+1, bytes.Clone(rest[:n+1]))
	return true
}

// percent passes %q(…), %w[…], %(…) and ~s"…".
func (x *lexer) percent() bool {
	rest := x.src[x.at:]
	if rest[0] == '%' && x.ended() && (len(rest) < 2 || rest[1] == ' ' || rest[1] == '=' || x.last != word) {
		return false
	}
	n := 1
	for n < len(rest) && n < 12 && x.classes[rest[n]] == cWord {
		n++
	}
	if n == len(rest) || rest[0] == '~' && n == 1 || rest[0] == '%' && n > 2 || x.grammar.language.Name == "Elixir" && rest[0] == '%' {
		return false
	}
	open := rest[n]
	if triple := rest[n:min(len(rest), n+3)]; string(triple) == `"""` || string(triple) == `'''` {
		x.until(n+3, bytes.Clone(triple))
		return true
	}
	shut := open
	switch open {
	case '(':
		shut = ')'
	case '[':
		shut = ']'
	case '{':
		shut = '}'
	case '<':
		shut = '>'
	case '|', '!', '/', '"', '\'', '^', '-', '@', '+':
	default:
		return false
	}
	x.delimited(n, open, shut)
	return true
}

// delimited passes n bytes, and then what open and shut enclose.
func (x *lexer) delimited(n int, open, shut byte) {
	start := x.at
	x.at += n + 1
	for depth := 1; x.at < len(x.src); x.at++ {
		switch c := x.src[x.at]; {
		case c == '\\':
			x.at++
		case c == shut:
			if depth--; depth == 0 {
				x.at++
				x.countLines(start)
				return
			}
		case c == open:
			depth++
		}
	}
	x.at = len(x.src)
	x.countLines(start)
}

// ended reports whether the token before may end an expression.
func (x *lexer) ended() bool {
	switch x.last {
	case word:
		w := x.lastWord()
		return !x.grammar.before[string(w)]
	case number, quoted, ')', ']', '}':
		return true
	}
	return false
}

// lastWord is the last token's text, where it was a word.
func (x *lexer) lastWord() []byte {
	i := int(x.lastEnd)
	for i > 0 && i > int(x.lastEnd)-40 && (x.classes[x.src[i-1]] == cWord || x.classes[x.src[i-1]] == cDigit) {
		i--
	}
	return x.src[i:x.lastEnd]
}

// regexp passes /…/ where an expression may begin, which ends with its line.
func (x *lexer) regexp() bool {
	rest := x.src[x.at:]
	if x.ended() && (x.last != word || len(rest) < 2 || rest[1] == ' ' || rest[1] == '=' || x.at > 0 && x.classes[x.src[x.at-1]] != cSpace) {
		return false
	}
	class := false
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class || x.grammar.language.Name == "Ruby" {
				x.at += i + 1
				return true
			}
		}
	}
	if x.grammar.language.Name == "Ruby" && x.last != word { // one of several lines, with x
		if n := bytes.IndexByte(rest[1:min(len(rest), 4000)], '/'); n > 0 && rest[1] == '\n' {
			start := x.at
			x.at += n + 2
			x.countLines(start)
			return true
		}
	}
	return false
}

// heredoc reads what begins one: its text begins with the next line.
func (x *lexer) heredoc() bool {
	rest := x.src[x.at:]
	n := 2
	if !hasPrefix(rest, "<<") {
		return false
	}
	ruby := x.grammar.language.Name == "Ruby"
	if x.grammar.language.Name == "PHP" {
		if n = 3; !hasPrefix(rest, "<<<") {
			return false
		}
		for n < len(rest) && rest[n] == ' ' {
			n++
		}
	} else if hasPrefix(rest, "<<<") { // a string that follows
		x.at += 3
		return true
	}
	indented := false
	if n < len(rest) && (rest[n] == '-' || rest[n] == '~') {
		indented = true
		n++
	}
	if x.grammar.language.Name == "Shell" {
		for n < len(rest) && rest[n] == ' ' {
			n++
		}
	}
	quote := byte(0)
	if n < len(rest) && (rest[n] == '"' || rest[n] == '\'' || rest[n] == '`' || rest[n] == '\\') {
		if quote = rest[n]; quote == '\\' {
			quote = 0
		}
		n++
	}
	start := n
	for n < len(rest) && n < start+80 && (x.classes[rest[n]] == cWord || x.classes[rest[n]] == cDigit || quote != 0 && rest[n] != quote && rest[n] != '\n') {
		n++
	}
	if n == start || x.classes[rest[start]] == cDigit || quote != 0 && (n == len(rest) || rest[n] != quote) {
		return false
	}
	if ruby && quote == 0 && (!indented && (x.ended() && x.last != word || rest[start] < 'A' || rest[start] > 'Z') || indented && x.last == ')') {
		return false
	}
	h := heredoc{word: rest[start:n], indented: indented || x.grammar.language.Name == "PHP" || x.grammar.language.Family == "Terraform"}
	if quote != 0 {
		n++
	}
	x.at += n
	if len(x.heredocs) < 64 {
		x.heredocs = append(x.heredocs, h)
	}
	return true
}

// skipHeredoc passes the lines of one, the word that ends it too.
func (x *lexer) skipHeredoc(h heredoc) {
	for x.at < len(x.src) {
		line := x.src[x.at:]
		n := bytes.IndexByte(line, '\n')
		if n < 0 {
			n = len(line)
		}
		line = line[:n]
		bare := bytes.TrimRight(line, "\r")
		if h.indented {
			bare = bytes.TrimLeft(bare, " \t")
		}
		if bytes.HasPrefix(bare, h.word) {
			tail := bare[len(h.word):]
			if len(tail) == 0 || x.grammar.language.Name == "PHP" && x.classes[tail[0]] != cWord && x.classes[tail[0]] != cDigit {
				x.at += len(line) - len(tail)
				if len(tail) == 0 {
					x.at += n - len(line)
				}
				x.fresh = false
				return
			}
		}
		if x.at += n; x.at < len(x.src) {
			x.at++
			x.startLine()
		}
	}
}
