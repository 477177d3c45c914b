package python

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// errNesting is a text whose brackets do not close each other, or in which a string does not end: what of it is layout is not known.
var errNesting = errors.New("brackets or quotes do not close each other")

// Unformatted writes a source text as what it says, without what a formatter chooses: white space but for the depth of blocks,
// how a statement is broken into lines, commas behind the last of a list, parentheses round the whole of what is assigned or
// returned, the sign of quotes, the case of prefixes and numbers, and the indentation of what documents. Two texts for which it
// is the same do the same and have the same comments in the same order.
func Unformatted(_ string, content []byte) (string, error) {
	f := former{lexer: lexer{src: content, line: 1, fresh: true}}
	for f.lexer.advance(); ; f.lexer.advance() {
		f.comment(int(f.seen), int(f.tok.start))
		f.seen = f.tok.end
		if f.tok.kind == end {
			break
		}
		f.take()
	}
	if f.lost || len(f.open) > 0 {
		return "", errNesting
	}
	f.parts = slices.DeleteFunc(f.parts, func(part string) bool { return part == "" })
	return strings.Join(f.parts, " ") + "\n" + f.comments.String(), nil
}

// former writes what a lexer reads.
type former struct {
	lexer
	parts    []string
	comments strings.Builder
	open     []bracket
	indents  []int
	seen     int32 // where the token before ends
	// head is the first word of the line, depth the level of it; words counts those written of the line, in the words "in".
	head      string
	depth     int
	words, in int
	// opened: the colon that opens the line's block has come.
	opened bool
	// shut is a pair of parentheses that has just closed and may be left out, where begins is not negative.
	shut bracket
	lost bool
}

// bracket is one that is open.
type bracket struct {
	sign byte
	// begins is the place of it in parts; last is the comma behind which nothing has come yet.
	begins, last int
	// commas are those that stand directly in it. called: it follows what it calls, or takes a part of.
	commas         int
	called, around bool
	// imports: it holds the names of an import. kept: it holds words that need the parentheses.
	imports, kept bool
}

// before an expression stand these words; a parenthesis behind one calls nothing.
var leading = map[string]bool{
	"and": true, "as": true, "assert": true, "await": true, "case": true, "del": true, "elif": true, "else": true, "except": true, "exec": true,
	"for": true, "from": true, "if": true, "import": true, "in": true, "is": true, "lambda": true, "match": true, "not": true, "or": true, "print": true,
	"raise": true, "return": true, "type": true, "while": true, "with": true, "yield": true,
}

// whole are the words at the beginning of a line whose expression goes to its end, or to a colon.
var whole = map[string]bool{"return": true, "if": true, "elif": true, "while": true, "assert": true, "with": true}

// heads are the words at the beginning of a line with a block behind its colon.
var heads = map[string]bool{
	"async": true, "class": true, "def": true, "elif": true, "else": true, "except": true, "finally": true, "for": true, "if": true, "try": true, "while": true, "with": true,
}

// take writes the token that was read.
func (f *former) take() {
	text := string(f.src[f.tok.start:f.tok.end])
	previous := ""
	if n := len(f.parts); n > 0 {
		previous = f.parts[n-1]
	}
	if f.shut.around && f.ends() {
		f.parts[f.shut.begins], f.parts[len(f.parts)-1] = "", ""
	}
	f.shut.around = false
	first := f.before[1].kind == newline || len(f.parts) == 0
	switch {
	case f.tok.kind == newline:
		return
	case first:
		f.depth = f.level(f.indent)
		f.begin(text, f.depth)
		previous = ""
	case f.opened && f.before[1].kind == ':': // the block stands on the line
		f.begin(text, f.depth+1)
		previous = ""
	}
	f.words++
	top := len(f.open) - 1
	switch f.tok.kind {
	case '(', '[', '{':
		f.open = append(f.open, bracket{sign: f.tok.kind, begins: len(f.parts), last: -1, called: !first && f.calls(previous), around: f.tok.kind == '(' && f.goesOn(previous), imports: previous == "import"})
	case ')', ']', '}':
		f.close(text)
		return
	case ',':
		if top >= 0 {
			f.open[top].commas++
			f.open[top].last = len(f.parts)
		}
	case word:
		if text == "in" {
			f.in++
		}
		if top >= 0 && (text == "for" || text == "yield" || text == "await" || text == "lambda") {
			f.open[top].kept = true
		}
	case ':':
		if top >= 0 {
			f.open[top].kept = true
		} else if heads[f.head] {
			f.opened = true
		}
	case number:
		text = strings.ToLower(text)
	case quoted:
		text = f.literal(text, first)
	}
	f.parts = append(f.parts, text)
}

// begin begins a line of blocks that are so deep, whose first word is given.
func (f *former) begin(head string, depth int) {
	f.parts = append(f.parts, "\n"+strconv.Itoa(depth))
	f.head, f.words, f.in, f.opened = head, 0, 0, false
}

// calls reports whether a bracket behind the part before calls it, or takes a part of it.
func (f *former) calls(previous string) bool {
	switch f.before[1].kind {
	case word:
		return !leading[previous]
	case ')', ']', quoted:
		return true
	}
	return false
}

// ends reports whether the token ends an expression, whatever stands in it.
func (f *former) ends() bool {
	switch f.tok.kind {
	case newline, ':':
		return true
	case ',', ')', ']', '}':
		return f.shut.commas == 0
	case word: // of a comprehension
		return f.shut.commas == 0 && len(f.open) > 0 && string(f.src[f.tok.start:f.tok.end]) == "for"
	case '=': // of an assignment to several
		return int(f.tok.end) < len(f.src) && f.src[f.tok.end] != '='
	}
	return false
}

// goesOn reports whether what follows the part before may be an expression of its own: behind the sign of an assignment, behind a
// word that begins the line, and as one of a list.
func (f *former) goesOn(previous string) bool {
	switch {
	case previous == "=":
		at := f.before[1].start
		return at > 0 && strings.IndexByte("=!<>:", f.src[at-1]) < 0
	case len(f.open) > 0:
		in := f.open[len(f.open)-1].sign
		return previous == "," || previous == string(in) || previous == ":" && in == '{'
	case previous == "import":
		return f.head == "from"
	case previous == "in":
		return f.head == "for" && f.in == 1
	}
	return f.words == 2 && whole[previous]
}

// close writes a bracket that closes, and takes away the comma before it where it means nothing.
func (f *former) close(text string) {
	n := len(f.open) - 1
	if n < 0 || f.open[n].sign != opens(text[0]) {
		f.lost = true
		return
	}
	b := f.open[n]
	f.open = f.open[:n]
	empty := b.begins == len(f.parts)-1
	if b.last >= 0 && b.last == len(f.parts)-1 && (b.commas > 1 || b.imports || b.sign == '{' || (b.sign == '(') == b.called) {
		f.parts[b.last] = ""
	}
	b.around = b.around && (b.commas == 0 || n == 0 && f.head != "assert") && !b.kept && !empty
	f.parts = append(f.parts, text)
	f.shut = b
}

// opens is the sign that a closing one closes.
func opens(sign byte) byte {
	switch sign {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

// level is the depth of a block that is indented so far.
func (f *former) level(indent int) int {
	for len(f.indents) > 0 && f.indents[len(f.indents)-1] > indent {
		f.indents = f.indents[:len(f.indents)-1]
	}
	if at, found := slices.BinarySearch(f.indents, indent); !found {
		f.indents = slices.Insert(f.indents, at, indent)
	}
	return len(f.indents)
}

// literal is a string with its prefix in lower case and without the sign of its quotes. One that stands alone on its line is for
// people, who see its words.
func (f *former) literal(text string, first bool) string {
	at := strings.IndexAny(text, `"'`)
	prefix, body := strings.ToLower(text[:at]), text[at:]
	n := 1
	if len(body) >= 6 && body[1] == body[0] && body[2] == body[0] {
		n = 3
	}
	if len(body) < 2*n || !strings.HasSuffix(body, body[:n]) {
		f.lost = true // it does not end
		return text
	}
	body = body[n : len(body)-n]
	if !strings.Contains(prefix, "r") {
		body = unescaped(body, strings.Contains(prefix, "b"))
	}
	rest := f.src[f.tok.end:]
	if alone := len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r'; first && alone && n == 3 && prefix == "" {
		var lines []string
		for line := range strings.Lines(body) {
			lines = append(lines, strings.TrimSpace(line))
		}
		body = strings.TrimSpace(strings.Join(lines, "\n"))
	}
	return strings.ReplaceAll(prefix, "u", "") + strconv.Itoa(n) + strconv.Quote(body)
}

// unescaped takes away the signs before quotes, and writes the digits of other escapes in lower case.
func unescaped(s string, isBytes bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := 0
		switch c := s[i]; {
		case c == '"' || c == '\'':
			b.WriteByte(c)
			continue
		case c == 'x':
			digits = 2
		case c == 'u' && !isBytes:
			digits = 4
		case c == 'U' && !isBytes:
			digits = 8
		}
		end := min(i+1+digits, len(s))
		b.WriteString(`\` + s[i:i+1] + strings.ToLower(s[i+1:end]))
		i = end - 1
	}
	return b.String()
}

// comment gathers the comments between two tokens.
func (f *former) comment(from, to int) {
	if from > to {
		return
	}
	for line := range strings.Lines(string(f.src[from:to])) {
		if _, text, ok := strings.Cut(line, "#"); ok {
			f.comments.WriteString("# " + strings.TrimSpace(text) + "\n")
		}
	}
}
