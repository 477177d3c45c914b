// Package layout tells what a formatter of a language changes alone from what a program reads: two texts are the same where nothing
// but that differs.
package layout

import (
	"bytes"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/text"
)

// spacing is what white space within a line tells in a language.
type spacing uint8

const (
	// exactly: whether two tokens stand apart. Nothing is known of the language.
	exactly spacing = iota
	// beside: a sign or a bracket behind a word is another one where it stands apart from that, and not from what follows.
	beside
	// apart: where words end, and no more.
	apart
)

// ending is what the end of a line tells.
type ending uint8

const (
	// line: it ends a statement, but for blank lines; where spacing is known also but for those behind an opening bracket, a comma
	// or an operator, and before a closing bracket.
	line ending = iota
	// open: it ends a statement, but not within parentheses or brackets, behind a sign that asks for more, or before one that goes on.
	open
	// inserted: it is a semicolon behind what may end a statement.
	inserted
	// nothing: semicolons end statements.
	nothing
)

// layout is what formatters of a language choose alone, and what they do not.
type layout struct {
	spacing spacing
	ending  ending
	// closing are the brackets before which a comma means nothing; with tuple, one behind the only value in parentheses makes a tuple.
	closing string
	tuple   bool
	// imports begin the statements whose order among those beside them is chosen, by which lines they are read.
	imports string
	// quotes: '…' and "…" are the same where nothing in them has a meaning of its own.
	quotes bool
	// arms: what follows an arrow needs neither braces round one expression, nor a comma behind braces.
	arms bool
	// braces: they stand round what follows a condition also where it is one statement, or do not.
	braces bool
	// modified: words that say how something is defined have no order.
	modified bool
	// tight: a space behind the sign of a comment makes a directive a comment.
	tight bool
}

// layouts says of languages what their formatters change: gofmt, rustfmt, ktlint, ktfmt, google-java-format, dotnet format,
// CSharpier, clang-format, dart format, swift-format, scalafmt, PHP-CS-Fixer, RuboCop, StyLua, mix format, terraform fmt and buf.
// Others keep their lines, and what stands apart.
var layouts = map[string]*layout{
	"C":                {spacing: apart, ending: nothing, braces: true},
	"SQL":              {spacing: apart, ending: nothing},
	"C#":               {spacing: apart, modified: true, ending: nothing, braces: true, closing: "}", imports: "using"},
	"C++":              {spacing: apart, ending: nothing, braces: true},
	"CUDA":             {spacing: apart, ending: nothing, braces: true},
	"Dart":             {spacing: apart, ending: nothing, braces: true, closing: "])}", tuple: true},
	"Elixir":           {spacing: beside, ending: line, closing: "]}"},
	"Go":               {spacing: apart, ending: inserted, closing: ")}", tight: true, imports: "import"},
	"GraphQL":          {spacing: apart, ending: nothing},
	"Java":             {spacing: apart, modified: true, ending: nothing, braces: true, closing: "}", imports: "import"},
	"Kotlin":           {spacing: apart, modified: true, ending: open, braces: true, closing: "])}", imports: "import"},
	"Lua":              {spacing: apart, ending: nothing, closing: "}", quotes: true},
	"Objective-C":      {spacing: apart, ending: nothing, braces: true},
	"PHP":              {spacing: apart, modified: true, ending: nothing, braces: true, closing: "])", imports: "use", quotes: true},
	"Protocol Buffers": {spacing: apart, ending: nothing, imports: "import"},
	"Ruby":             {spacing: beside, ending: line, closing: "]}", quotes: true},
	"Rust":             {spacing: apart, ending: nothing, closing: "])}", tuple: true, imports: "use mod", arms: true},
	"Scala":            {spacing: beside, ending: open, closing: "])", tuple: true, imports: "import"},
	"Swift":            {spacing: beside, ending: open, closing: "]", imports: "import"},
	"Terraform":        {spacing: apart, ending: open, closing: "]"},
}

// maxCompared bounds, in bytes, a text that is compared.
const maxCompared = 600_000

// unknown is the layout of a language that has no row.
var unknown = &layout{}

// Same reports whether two texts of a path differ in what a formatter of its language chooses alone: the text as a program
// reads it is the same, and so are its comments but for their depth.
func Same(name string, a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	l := language.Of(name)
	a, b = bytes.TrimPrefix(a, mark), bytes.TrimPrefix(b, mark)
	if l == nil || max(len(a), len(b)) > maxCompared || !SameSigns(a, b) {
		return false
	}
	switch {
	case l.Name == "HTML":
		return bytes.Equal(tags(a), tags(b))
	case l.Name == "CSS" || l.Name == "Less" || strings.HasSuffix(name, ".scss"):
		x, ended := styles(name, a)
		y, too := styles(name, b)
		return ended && too && bytes.Equal(x, y)
	case l.Kind == language.Markup:
		return false
	case l.Name == "Markdown":
		return sameManual(a, b)
	case l.Name == "JSON":
		x, ended := values(a)
		y, too := values(b)
		return ended && too && slices.Equal(x, y)
	case provider.SameUnformatted(name, a, b):
		return true
	case l.Kind == language.Code && l.Blocks != language.Indentation:
		if x, ok := statements(name, l, a); ok {
			y, _ := statements(name, l, b)
			return slices.Equal(x, y)
		}
	}
	return slices.Equal(squeezed(a, l), squeezed(b, l))
}

// mark says that a text is UTF-8, to programs of Windows.
var mark = []byte("\ufeff")

// SameSigns reports whether two texts have the same letters and digits, in whatever order: what a formatter changes leaves them.
func SameSigns(a, b []byte) bool {
	var count [256]int
	for _, c := range bytes.TrimPrefix(a, mark) {
		count[c|0x20]++
	}
	for _, c := range bytes.TrimPrefix(b, mark) {
		count[c|0x20]--
	}
	for c, n := range count {
		if n != 0 && wordSign(byte(c)) && c != '_' {
			return false
		}
	}
	return true
}

// squeezed are the lines of a text that hold something, each with its depth where that may tell something. Of code one space stands
// where white space does within a line, outside quotes; from a line on that ends within some, nothing is left out.
func squeezed(content []byte, l *language.Language) (list []string) {
	code := l.Kind == language.Code
	flat := code && (l.Blocks == language.Braces || l.Blocks == language.EndWords) && l.Raw&language.Heredoc == 0
	quote := byte(0)
	for text := range strings.Lines(string(content)) {
		if quote != 0 {
			list = append(list, text)
			continue
		}
		text = strings.TrimRight(text, " \t\r\n")
		body := strings.TrimLeft(text, " \t")
		if body == "" {
			continue
		}
		if !code {
			list = append(list, text)
			continue
		}
		var out []byte
		if !flat {
			out = []byte(text[:len(text)-len(body)])
		}
		space := false
		for i := 0; i < len(body); i++ {
			c := body[i]
			switch {
			case quote == 0 && (c == ' ' || c == '\t'):
				space = true
				continue
			case quote == 0 && (c == '"' || c == '\'' || c == '`'):
				quote = c
			case c == quote:
				quote = 0
			}
			if space {
				out = append(out, ' ')
			}
			out, space = append(out, c), false
		}
		list = append(list, string(out))
	}
	return list
}

// statements are the tokens of a text as a program reads them, with its comments. ok is false where it is not known how the
// language is split.
func statements(name string, l *language.Language, content []byte) (list []string, ok bool) {
	tokens := declaration.Tokens(nil, name, content)
	if len(tokens) == 0 {
		return nil, false
	}
	how := layouts[l.Name]
	if how == nil {
		how = unknown
	}
	r := layoutReader{layout: how, language: l, name: name, text: content, parts: make([]part, 0, len(tokens)), tail: -1}
	r.read(tokens)
	list = make([]string, 0, len(r.parts))
	for i := range r.parts {
		if p := r.parts[i].text; p != "" {
			list = append(list, p)
		}
	}
	if how.imports != "" {
		list = sortImports(list, how)
	}
	if how.modified {
		for i := 0; i < len(list); i++ {
			from := i
			for i < len(list) && modifiers[list[i]] {
				i++
			}
			slices.Sort(list[from:i])
		}
	}
	return list, true
}

// read writes the text of the tokens as the layout has it.
func (r *layoutReader) read(tokens []declaration.Token) {
	for _, t := range tokens {
		if int(t.Start) < r.seen || t.Kind == declaration.Newline || t.Start == t.End {
			continue // of an expression within the string before, or looked at with what stands between
		}
		r.between(int(t.Start))
		r.take(t)
	}
	r.between(len(r.text))
	r.lines = true // the text's end is a line's
	r.endLine()
}

// part is a token, a comment or the end of a statement; what means nothing has no text.
type part struct {
	text string
	kind byte // as that of a token, or one of those below
	// head: it closes what stands behind if, for or while.
	head bool
	// bar: it closes the parameters of a lambda of Rust.
	bar bool
	// before is the place of the part before that is no comment, -1 where there is none.
	before int
}

const (
	remark = 'c' // a comment
	ended  = '\n'
)

// layoutReader writes a text without what a formatter chooses.
type layoutReader struct {
	*layout
	language *language.Language
	name     string
	text     []byte
	seen     int // where what was read ends
	parts    []part
	tail     int // the place of the last part that is no comment, -1 where there is none
	nested   []nesting
	// lines: an end of line stands before what comes; apart: white space does; continued: a directive goes on; document: the lines
	// behind this one are a string.
	lines, apart, continued, document bool
	// noted: the statement holds annotations alone so far, and notes brackets are open round it.
	noted bool
	notes int
	// within: it reads a directive.
	within bool
	// steps counts what was done.
	steps int
}

// nesting is a bracket that is open.
type nesting struct {
	at     int // of it in parts
	commas int
	// called: it follows what it calls, or a part of it is taken; macro: a macro reads what stands in it.
	called, macro bool
	// arm: it is what an arrow leads to; arms: it holds arrows; ends: statements or blocks end in it.
	arm, arms, ends bool
	// lambda: it is what a lambda does; bar: the parameters of one are open.
	lambda, bar bool
	// heads: what it holds decides what comes; body: it holds what comes then.
	heads, body bool
}

// between reads what stands before the token at a place: white space and comments.
func (r *layoutReader) between(to int) {
	r.apart = r.seen < to
	for i := r.seen; i < to; {
		r.steps++
		switch c := r.text[i]; {
		case c == '\n':
			if r.continued {
				r.add(part{text: "\n", kind: ended})
				r.continued = false
			}
			r.lines = true
			i++
			if r.document {
				r.document = false
				r.add(part{text: strings.TrimRight(string(r.text[i:to]), " \t\r\n"), kind: declaration.Quoted})
				i = to
			}
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '\\' && strings.TrimLeft(string(r.text[i+1:min(i+3, to)]), "\r\n") == "":
			for i++; i < to && (r.text[i] == '\r' || r.text[i] == '\n'); i++ {
			}
		case c == '#' && i+1 == to && r.apart: // of a directive
			i++
		default:
			n := r.comment(r.text[i:to])
			r.endLine()
			r.add(part{text: r.remark(string(r.text[i : i+n])), kind: remark})
			i += n
		}
	}
	r.seen = to
}

// comment returns the length of the comment that a text begins with; a text that is no code, such as the page around a script, counts as one.
func (r *layoutReader) comment(rest []byte) int {
	l := r.language
	if l.Open != "" && bytes.HasPrefix(rest, []byte(l.Open)) {
		at, depth := len(l.Open), 1
		for depth > 0 && at < len(rest) {
			switch {
			case bytes.HasPrefix(rest[at:], []byte(l.Shut)):
				at, depth = at+len(l.Shut), depth-1
			case l.Nested && bytes.HasPrefix(rest[at:], []byte(l.Open)):
				at, depth = at+len(l.Open), depth+1
			default:
				at++
			}
		}
		return at
	}
	for sign := range strings.FieldsSeq(l.Comments) {
		if n := bytes.IndexByte(rest, '\n'); n >= 0 && bytes.HasPrefix(rest, []byte(sign)) {
			return n
		}
	}
	for _, tag := range []string{"<?php", "<?="} { // what stands before code of PHP
		if n := bytes.Index(rest, []byte(tag)); n >= 0 && l.Name == "PHP" {
			return n + len(tag)
		}
	}
	return len(rest)
}

// remark is a comment without its depth and its lines, and but where that makes a directive of it, without the space behind its sign.
func (r *layoutReader) remark(text string) string {
	if r.language.Open != "" && strings.HasPrefix(text, r.language.Open) {
		var out []string
		for l := range strings.Lines(text) {
			out = append(out, strings.Fields(strings.TrimPrefix(strings.TrimSpace(l), "* "))...)
		}
		return strings.Join(slices.DeleteFunc(out, func(w string) bool { return w == "*" }), " ")
	}
	text = strings.TrimRight(text, " \t\r")
	n := 0
	for n < len(text) && !wordSign(text[n]) && text[n] != ' ' {
		n++
	}
	if r.tight || n == len(text) || text[n] != ' ' {
		return text
	}
	if rest := strings.TrimLeft(text[n:], " "); rest != "" && wordSign(rest[0]) {
		return text[:n] + rest
	}
	return text
}

// add writes a part.
func (r *layoutReader) add(p part) {
	p.before = r.tail
	if p.kind != remark {
		r.tail = len(r.parts)
	}
	r.parts = append(r.parts, p)
}

// last is the place of the last part that is no comment and was not left out, -1 where there is none.
func (r *layoutReader) last() int {
	for r.steps++; r.tail >= 0 && r.parts[r.tail].text == ""; r.steps++ {
		r.tail = r.parts[r.tail].before
	}
	return r.tail
}

// previous is the place of the one before the part n.
func (r *layoutReader) previous(n int) int {
	for n = r.parts[n].before; n >= 0 && r.parts[n].text == ""; n = r.parts[n].before {
		r.steps++
	}
	return n
}

// sign is the text of a part, "" of none.
func (r *layoutReader) sign(i int) string {
	if i < 0 {
		return ""
	}
	return r.parts[i].text
}

// more are the signs behind which a statement goes on, further those before which it does, where ends of lines may end one; few
// are those of both that are so in all such languages.
var (
	more    = language.WordSet("= , ( [ { -> => ?: && || ?. : else \n")
	further = language.WordSet(". ?. ?: && || ) ] } { = : -> as else catch finally")
	few     = language.WordSet("= , ( [ { && || do")
	closers = language.WordSet(") ] } . |>")
)

// endLine writes the end of a line before what comes, where it ends a statement.
func (r *layoutReader) endLine() {
	if !r.lines {
		return
	}
	r.lines = false
	n := r.last()
	if n < 0 || r.parts[n].kind == ended {
		return
	}
	if r.parts[n].head || r.noted && r.notes == len(r.nested) {
		return
	}
	switch p := r.parts[n]; r.ending {
	case nothing:
		return
	case inserted:
		switch p.kind {
		case declaration.Number, declaration.Quoted, ')', ']', '}':
		case declaration.Word:
			if goesOn[p.text] {
				return
			}
		default:
			if p.text != "++" && p.text != "--" {
				return
			}
		}
	case open:
		if top := len(r.nested) - 1; more[p.text] || top >= 0 && r.parts[r.nested[top].at].kind != '{' {
			return
		}
	case line:
		if r.spacing != exactly && few[strings.TrimPrefix(p.text, " ")] {
			return
		}
	}
	r.add(part{text: "\n", kind: ended})
}

var (
	// goesOn are the words of Go that end no statement.
	goesOn = language.WordSet("case chan const default defer else for func go goto if import interface map package range select struct switch type var")
	// pairs of signs are others than each by itself, and tighter ones are where white space tells.
	pairs   = language.WordSet("++ -- && || <- =~ -> => ?: ?. !! ::")
	tighter = language.WordSet("== != <= >= += -= << >> ** ?? |>")
	// grouping are words behind which a parenthesis calls nothing.
	grouping = language.WordSet("in return if match while let mut ref move else break as where impl for case await yield throw final var val const is switch dyn type")
	// deciding are the words at the beginning of a statement that holds others, or belongs to its block.
	deciding = language.WordSet("if else for while do switch when try case default using lock fixed unsafe val var fun class object interface typealias let const auto static struct union enum typedef")
	// setsApart are the signs behind which a statement begins.
	setsApart = language.WordSet("\n { } ;")
	// after are the words and signs that go on with an expression that ended in braces.
	after = language.WordSet(". ? else , ; as")
)

// take writes a token.
func (r *layoutReader) take(t declaration.Token) {
	text := string(r.text[t.Start:t.End])
	r.seen = int(t.End)
	if r.joined(text) {
		return
	}
	if t.Kind == declaration.Directive {
		r.directive(t)
		return
	}
	r.joinLines(t, text)
	r.endLine()
	n := r.last()
	if len(r.nested) == r.notes || !r.noted {
		r.note(t.Kind, n)
	}
	if t.Kind == ';' && r.ending < nothing && r.spacing != exactly {
		// It is the end of a line where lines have ends.
		if n >= 0 && r.parts[n].kind != ended && !more[r.parts[n].text] {
			r.add(part{text: "\n", kind: ended})
		}
		return
	}
	if t.Kind == declaration.Quoted {
		r.document = r.language.Raw&language.Heredoc != 0 && strings.HasPrefix(text, "<<")
		if r.quotes {
			text = unquoted(text)
		}
	}
	if n >= 0 && r.apart && r.stands(r.parts[n].kind, t) {
		text = " " + text
	}
	if top := r.inner(); n >= 0 && top != nil && r.parts[n].kind == '}' && !after[text] {
		top.ends = top.ends || t.Kind != '}'
	}
	r.nest(t.Kind, text, n)
}

// inner is the innermost of what is open, nil where nothing is.
func (r *layoutReader) inner() *nesting {
	if len(r.nested) == 0 {
		return nil
	}
	return &r.nested[len(r.nested)-1]
}

// joined makes one sign of the part before and a sign that stands at once behind it, where they are one, and reports whether it has.
func (r *layoutReader) joined(text string) bool {
	n := len(r.parts) - 1
	if n < 0 || r.apart || len(text) != 1 || !r.joins(r.parts[n], text) {
		return false
	}
	r.parts[n].text += text
	top := r.inner()
	switch {
	case top == nil:
	case r.parts[n].text == "||":
		top.bar = false
	case r.parts[n].text == "=>":
		top.arms = true
	}
	return true
}

// joinLines forgets the end of the line before a token that goes on with what stands there.
func (r *layoutReader) joinLines(t declaration.Token, text string) {
	sign := text
	if end := int(t.End); len(text) == 1 && end < len(r.text) && pairs[text+string(r.text[end])] {
		sign += string(r.text[end])
	}
	switch r.ending {
	case open:
		if !further[sign] {
			return
		}
	case line:
		if r.spacing == exactly || !closers[sign] {
			return
		}
	default:
		return
	}
	r.lines = false
	if n := r.last(); n >= 0 && r.parts[n].kind == ended {
		r.parts[n].text = ""
	}
}

// nest writes a token behind the part n, with what it opens, closes or parts.
func (r *layoutReader) nest(kind byte, text string, n int) {
	top := r.inner()
	switch kind {
	case '(', '[', '{':
		if r.arms && kind == '{' && r.sign(n) == "," && (top == nil || r.parts[top.at].kind == '{') {
			r.parts[n].text = "" // ends what follows where
			n = r.last()
		}
		r.enter(text, n)
	case ')', ']', '}':
		r.leave(kind, n)
		return
	case ',':
		if r.comma(n) {
			return
		}
	case ';':
		if top != nil {
			top.ends = true
		}
	case '|':
		if r.arms && top != nil && text == "|" && (top.bar || !r.value(n)) {
			r.add(part{text: text, kind: kind, bar: top.bar})
			top.bar = !top.bar
			return
		}
	}
	r.add(part{text: text, kind: kind})
}

// note says of a token behind the part n whether the statement still holds annotations alone.
func (r *layoutReader) note(kind byte, n int) {
	before := r.sign(n)
	switch {
	case kind == '@' && r.ending == open && (r.noted || n < 0 || setsApart[before]):
		r.noted, r.notes = true, len(r.nested)
	case !r.noted, kind == '(' || kind == ')' || kind == '.' || kind == ':':
	case kind != declaration.Word || before != "@" && before != "." && before != ":":
		r.noted = false
	}
}

// directive writes one of the preprocessor. What it defines with parameters has them at once behind its name.
func (r *layoutReader) directive(t declaration.Token) {
	r.lines = false
	text := bytes.TrimRight(r.text[t.Start:t.End], " \t\r")
	if n := len(text); n > 0 && text[n-1] == '\\' {
		text = text[:n-1]
		r.seen = min(len(r.text), r.seen+1) // it goes on behind the line's end
	}
	if r.within {
		r.add(part{text: string(text), kind: '#'})
		return
	}
	inner := layoutReader{layout: r.layout, language: r.language, name: r.name, text: text, tail: -1, within: true}
	list := declaration.Tokens(nil, r.name, text)
	inner.read(list)
	sign := "#"
	if len(list) > 2 && list[2].Kind == '(' && list[1].End == list[2].Start {
		sign = "#()"
	}
	r.add(part{text: sign, kind: '#'})
	r.steps += inner.steps
	for _, p := range inner.parts {
		r.add(p)
	}
	r.continued = true
}

// joins reports whether a sign that follows a part at once is one sign with it.
func (r *layoutReader) joins(p part, sign string) bool {
	return pairs[p.text+sign] || r.spacing != apart && tighter[strings.TrimPrefix(p.text, " ")+sign]
}

// stands reports whether white space between a part of a kind and a token tells something.
func (r *layoutReader) stands(before byte, t declaration.Token) bool {
	switch r.spacing {
	case exactly:
		return before != ended
	case beside:
		return operand(before) && !operand(t.Kind) && strings.IndexByte(",;)]}", t.Kind) < 0 && (t.Kind == '(' || t.Kind == '[' || t.Kind != '{' && !r.spaceAt(int(t.End)))
	case apart:
	}
	return false
}

// spaceAt reports whether white space stands behind an operator that goes on at a place.
func (r *layoutReader) spaceAt(i int) bool {
	for most := min(len(r.text), i+4); i < most && strings.IndexByte("+-*/%&|^!<>=?:.~", r.text[i]) >= 0; {
		i++
	}
	return i >= len(r.text) || r.text[i] == ' ' || r.text[i] == '\t' || r.text[i] == '\n' || r.text[i] == '\r'
}

// operand reports whether something that ends in a part of this kind is a value or a name.
func operand(kind byte) bool {
	switch kind {
	case declaration.Word, declaration.Number, declaration.Quoted, ')', ']', '}':
		return true
	}
	return false
}

// enter opens a bracket behind the part n.
func (r *layoutReader) enter(text string, n int) {
	x := nesting{at: len(r.parts)}
	if n >= 0 {
		p := r.parts[n]
		x.called = text != "(" || p.text == ">" || p.kind != '}' && r.value(n)
		x.macro = p.text == "!" && n > 0 && r.parts[n-1].kind == declaration.Word && !grouping[r.parts[n-1].text]
		x.arm = text == "{" && p.text == "=>"
		x.lambda = r.arms && text == "{" && (p.bar || p.text == "||" && !r.value(n-1))
		x.heads = r.braces && text == "(" && (p.text == "if" || p.text == "for" || p.text == "while")
		x.body = r.braces && text == "{" && (p.head || p.text == "else")
	}
	r.nested = append(r.nested, x)
}

// leave closes a bracket behind the part n.
func (r *layoutReader) leave(kind byte, n int) {
	top := len(r.nested) - 1
	if top < 0 {
		r.add(part{text: string(kind), kind: kind})
		return
	}
	x := r.nested[top]
	r.nested = r.nested[:top]
	if n >= 0 && r.parts[n].kind == ended && r.ending == inserted {
		r.parts[n].text = ""
		n = r.last()
	}
	if n > x.at && r.parts[n].text == "," && strings.IndexByte(r.closing, kind) >= 0 && !x.macro && (!r.tuple || kind != ')' || x.called || x.commas > 1) {
		if before := r.previous(n); before > x.at && r.parts[before].text != "," {
			r.parts[n].text = ""
			n = r.last()
		}
	}
	if x.body && r.single(x.at, n) {
		r.parts[x.at].text = ""
		return
	}
	if x.lambda && !x.ends && n > x.at {
		r.parts[x.at].text = ""
		return
	}
	if r.arms && x.arm && !x.ends && n > x.at {
		// One expression: what leads to it needs no braces, and is ended as others are.
		r.parts[x.at].text = ""
		if r.parts[n].kind != '}' {
			r.add(part{text: ",", kind: ','})
			r.count()
		}
		return
	}
	r.add(part{text: string(kind), kind: kind, head: x.heads})
}

// value reports whether the part n ends a value.
func (r *layoutReader) value(n int) bool {
	return n >= 0 && operand(r.parts[n].kind) && !(r.parts[n].kind == declaration.Word && grouping[r.parts[n].text])
}

// single reports whether one statement that decides nothing stands between a brace and the part n that ends it.
func (r *layoutReader) single(brace, n int) bool {
	if n <= brace || r.ending == nothing && r.parts[n].kind != ';' || r.parts[n].kind == '}' {
		return false
	}
	first := true
	for i := brace + 1; i <= n; i++ {
		r.steps++
		switch p := r.parts[i]; {
		case p.kind == remark || p.text == "" && p.kind != '{':
		case p.kind == '{', p.kind == '#', p.kind == ended, p.kind == ';' && i < n, first && deciding[p.text]:
			return false
		default:
			first = false
		}
	}
	return true
}

// count counts a comma.
func (r *layoutReader) count() {
	if top := len(r.nested) - 1; top >= 0 {
		r.nested[top].commas++
	}
}

// comma reports whether one behind the part n means nothing: the one behind the braces of an arm.
func (r *layoutReader) comma(n int) bool {
	top := len(r.nested) - 1
	if r.arms && top >= 0 && r.nested[top].arms && n >= 0 && (r.parts[n].kind == '}' || r.parts[n].text == ",") {
		return true
	}
	r.count()
	return false
}

// unquoted is a string between the quotes that all have, where neither says more than the other.
func unquoted(text string) string {
	if n := len(text); n > 1 && (text[0] == '\'' || text[0] == '"') && text[n-1] == text[0] && !strings.ContainsAny(text[1:n-1], "\"'\\$#{@") {
		return `"` + text[1:n-1] + `"`
	}
	return text
}

// maxImport bounds the tokens of one statement that is looked at for what it imports.
const maxImport = 512

// sortImports brings the statements that import, of those that stand beside one another, into one order. One that has an attribute
// stays with it.
func sortImports(list []string, how *layout) []string {
	stop := ";"
	if how.ending < nothing {
		stop = "\n"
	}
	var out []string
	for i := 0; i < len(list); {
		var run [][]string
		at := i
		for at < len(list) && (at == 0 || startsBehind(list[at-1]) || list[at-1] == "]" && len(run) == 0) {
			n := importOf(list[at:], how.imports, stop)
			if n == 0 {
				break
			}
			run = append(run, ordered(list[at:at+n], stop))
			at += n
			if at > n && list[at-n-1] == "]" {
				break
			}
		}
		if len(run) == 0 {
			out = append(out, list[i])
			i++
			continue
		}
		slices.SortStableFunc(run, slices.Compare)
		out = append(out, slices.Concat(run...)...)
		i = at
	}
	return out
}

// ordered is an import whose names between brackets stand in one order; one name between braces needs none.
func ordered(list []string, stop string) []string {
	open := slices.IndexFunc(list, func(t string) bool { return t == "{" || t == "(" })
	if open < 0 {
		return slices.Clone(list)
	}
	var names [][]string
	from, depth := open+1, 0
	for i := from; i < len(list) && depth >= 0; i++ {
		switch t := list[i]; {
		case t == "{" || t == "(":
			depth++
		case t == "}" || t == ")":
			depth--
		}
		if depth < 0 || depth == 0 && (list[i] == "," || list[i] == stop) {
			if i > from {
				names = append(names, ordered(list[from:i], stop))
			}
			from = i + 1
		}
	}
	slices.SortStableFunc(names, slices.Compare)
	out := slices.Clone(list[:open])
	if len(names) == 1 && list[open] == "{" && names[0][0] != "self" {
		return slices.Concat(out, names[0], list[from:])
	}
	out = append(out, list[open])
	for _, n := range names {
		out = append(append(out, n...), ",")
	}
	return append(out, list[from:]...)
}

// startsBehind reports whether a statement begins behind a token, or a comment.
func startsBehind(before string) bool {
	return before == ";" || before == "\n" || before == "{" || before == "}" || strings.HasPrefix(before, "//") || strings.HasPrefix(before, "/*") || strings.HasPrefix(before, "<?")
}

// modifiers are words that say how something is defined: among themselves they have no order.
var modifiers = language.WordSet("public private protected internal abstract static final sealed override virtual open data inline suspend const lateinit readonly async extern unsafe synchronized transient volatile native strictfp")

// SortModifiers brings those with which a text begins into one order.
func SortModifiers(text string) string {
	words := strings.Split(text, " ")
	n := 0
	for n < len(words)-1 && modifiers[words[n]] {
		n++
	}
	slices.Sort(words[:n])
	return strings.Join(words, " ")
}

// importOf returns how many tokens the import has with which a list begins, 0 where it begins with none: what calls or assigns is
// no import.
func importOf(list []string, words, stop string) int {
	first := 0
	if list[0] == "pub" && len(list) > 1 {
		first = 1
	}
	if !slices.Contains(strings.Fields(words), list[first]) {
		return 0
	}
	depth := 0
	for i, p := range list[:min(len(list), maxImport)] {
		switch {
		case p == stop && depth == 0:
			return i + 1
		case p == "(" && i == 1 && stop == "\n":
			depth++
		case p == ")" && depth > 0:
			depth--
		case p == "(" || p == "=" || p == "{" && list[first] == "mod" || strings.HasPrefix(p, "//") || strings.HasPrefix(p, "/*"):
			return 0
		}
	}
	return 0
}

// wordSign reports whether a byte belongs to a word.
func wordSign(b byte) bool {
	return b == '$' || text.InWord(b)
}
