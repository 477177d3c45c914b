package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads the expression that a name is given, whatever its lines, calls and signs: "ab" +⏎ "value", ("ab"⏎ "value"), (str "ab" "value"),
// prefix .. "value", new Builder("ab").append("value"). The first text is read by forms. Of those that go on with another text or name, each that was
// drawn by lot is a part of a secret, and so are all that say together what was. What has a name of its own there is that one's.

const (
	maxExpression = 600 // bytes of an expression
	maxNested     = 12  // brackets that are open in one
	leastTogether = 8   // bytes of one of the texts that are a value together
)

// expression is the walk over what a name is given.
type expression struct {
	a       *assignment
	at, end int
	open    [maxNested]byte     // the brackets that are open
	joins   [maxNested + 1]bool // what is in so many goes on with another text
	depth   int
	other   int    // how many were open where something else began than what the name is given; 0 if nothing did
	last    []byte // the signs before; expressionWord or expressionText, where none are
	added   bool   // a word is one of two that a sign joins
	split   bool   // a line ended that goes on
	chosen  bool   // one of two follows: cond ? "ab" : "cd"
	lines   int    // that were left behind
	texts   [maxParts][2]int
	n       int  // texts that go on with each other
	taken   bool // one of them was drawn by lot by itself
}

// What stands before, where no sign does.
var (
	expressionWord = []byte("a")
	expressionText = []byte(`"`)
)

// after reports whether the part before is of a sort, or such a sign.
func (e *expression) after(sort []byte) bool { return string(e.last) == string(sort) }

// joiningSigns are the bytes that the operators of joints are made of, and others that an expression has.
const joiningSigns = "+.&~^*|<>/=:?!%-@$#"

var joining = value.ByteSetOf(joiningSigns)

// formatters are functions, beside joiners, that make one text of a pattern and what they fill in, or add one to another.
var formatters = value.WordSet("format sprintf snprintf stringwithformat stringbyappendingstring append appendformat plus push_str mconcat string concatstrings concat_strings stringbuilder from")

// starts are the signs that give a name an expression.
var starts = value.WordSet("= := : => += .= &= <- << ~= -> ::= ?= ( ,")

// said takes what is drawn by lot of the expression that the name is given, which ends before behind.
func (a *assignment) said(behind int) {
	text := a.r.text
	at := value.SkipBlank(text, behind)
	if at >= len(text) || a.useless() {
		return
	}
	assigns := starts[string(text[at:at+1])] && text[at] != '(' && text[at] != ','
	if !assigns && !value.IsQuote(text[at]) && a.insideComment() { // words, of a sentence
		return
	}
	e := expression{a: a, at: at, end: min(len(text), at+maxExpression)}
	if !e.mayHold() {
		return
	}
	switch sign := text[at:joining.Past(text, at, 3)]; {
	case value.IsLetter(text[at]), value.IsQuote(text[at]) && at > behind, strings.IndexByte("([,{", text[at]) >= 0: // a type, a function's name
	case !starts[string(sign)]:
		return
	}
	for e.at < e.end && e.step() {
	}
	e.together()
	a.r.spend(2 * (e.at - at))
}

// openSigns are the bytes behind which a line goes on, continuing those that a line begins with which goes on with the one above.
var (
	openSigns  = value.ByteSetOf(joiningSigns + "([{,\\_")
	continuing = value.ByteSetOf("+.&~^*|<>\\/#([" + value.Quotes)
)

// mayHold reports whether a text may stand in the expression: most names are given what has none, and ends with its line.
func (e *expression) mayHold() bool {
	text := e.a.r.text[e.at:e.end]
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		i = len(text)
	}
	line := text[:i]
	if bytes.IndexByte(line, '"') >= 0 || bytes.IndexByte(line, '\'') >= 0 || bytes.IndexByte(line, '`') >= 0 {
		return true
	}
	last := i
	for last > 0 && value.IsSpace(line[last-1]) {
		last--
	}
	next := i
	for next < len(text) && value.IsSpace(text[next]) {
		next++
	}
	return next < len(text) && (last == 0 || openSigns.Has(line[last-1]) || continuing.Has(text[next]))
}

// step reads the next part; false where the expression ends.
func (e *expression) step() bool {
	text, b := e.a.r.text, e.a.r.text[e.at]
	switch {
	case b == '\n':
		return e.line()
	case b == ' ' || b == '\t' || b == '\r':
		e.at++
		return true
	case b == '\\':
		e.at++
		if breaksAt(text, e.at) { // of a line that goes on
			e.at, e.split = value.SkipLineEnd(text, e.at), true
			return true
		}
		return e.lines > 0 && value.ByteAt(text, e.at) == ' ' // of Vim's that does
	case value.IsQuote(b):
		return e.text()
	case value.IsWord(b) || b >= 0x80:
		return e.word()
	case strings.IndexByte("([{", b) >= 0:
		return e.opens(b)
	case strings.IndexByte(")]}", b) >= 0:
		if e.depth--; e.depth < e.other {
			e.other = 0
		}
		return e.sign(1)
	case b == ',' || b == ';':
		return e.parts(b)
	}
	if end := e.comment(); end > e.at {
		e.at = end
		return true
	}
	return e.sign(max(joining.Past(text, e.at, 3)-e.at, 1))
}

// parts reads what parts an argument, an item or a statement from the next; false where the expression ends.
func (e *expression) parts(b byte) bool {
	first := len(e.last) == 0
	if e.depth > 0 && !e.joins[e.depth] {
		if e.together(); e.other == 0 {
			e.other = e.depth
		}
	}
	goesOn := e.depth > 0 && (b == ',' || e.open[e.depth-1] == '[') || first && b == ','
	return e.sign(1) && goesOn
}

// sign reads the n bytes that stand between two parts; false where the expression ends, or another name is given what follows, or the same is compared.
func (e *expression) sign(n int) bool {
	s := e.a.r.text[e.at : e.at+n]
	e.at += n
	before := e.last
	if strings.IndexByte("@$#", s[n-1]) >= 0 { // a text's own: + @"value"
		s = s[:n-1]
	}
	if len(s) == 0 {
		return true
	}
	if member := string(s) == "." && value.IsWord(value.ByteAt(e.a.r.text, e.at)); member {
		e.last = expressionWord
		return true
	}
	e.last = s
	e.chosen = e.chosen || s[0] == '?'
	switch string(s) {
	case "==", "===", "!=", "!==":
		return false
	case ":", "=", "=>":
		if e.depth == 0 && len(before) > 0 && !e.chosen {
			return e.lines == 0 && (s[0] == '=' && n == 1 || string(before) == string(expressionText))
		}
	}
	return e.depth >= 0
}

// opens reads a bracket; false where it opens the body of a function.
func (e *expression) opens(b byte) bool {
	text := e.a.r.text
	if e.depth == maxNested || b == '{' && (e.closedBefore() || e.after(expressionWord) && value.ByteAt(text, value.SkipBlank(text, e.at+1)) == '\n') {
		return false
	}
	e.open[e.depth] = b
	e.joins[e.depth+1] = e.joins[e.depth] || e.joining() || e.added && e.after(expressionWord) || e.handsJoiner()
	e.depth++
	e.last = text[e.at : e.at+1]
	e.at++
	return true
}

// opened reports whether a bracket that opens stands before.
func (e *expression) opened() bool {
	return len(e.last) == 1 && strings.IndexByte("([{", e.last[0]) >= 0
}

// closedBefore reports whether one that closes does.
func (e *expression) closedBefore() bool {
	return len(e.last) == 1 && strings.IndexByte(")]}", e.last[0]) >= 0
}

// handsJoiner reports whether the bracket here opens what a function is given that makes one of its texts.
func (e *expression) handsJoiner() bool {
	text := e.a.r.text
	hi := value.Back(text, e.at, 2, " !")
	if hi > 0 && text[hi-1] == '%' {
		return true // "%s%s" % (
	}
	return joinerWord(text[value.Back(text, hi, 24, value.WordSigns):hi])
}

// joinerWord reports whether a function is called so that makes one of its texts.
func joinerWord(word []byte) bool {
	var buf [32]byte
	w := value.Lower(buf[:], word)
	return len(w) >= len("str") && (joiners[string(w)] || formatters[string(w)])
}

// word reads a name or a number, or what stands before a text's quote.
func (e *expression) word() bool {
	text := e.a.r.text
	from := e.at
	for e.at < e.end && (value.IsWord(text[e.at]) || text[e.at] >= 0x80) {
		e.at++
	}
	next := value.ByteAt(text, e.at)
	switch word := text[from:e.at]; {
	case string(word) == "_" && breaksAt(text, e.at): // a line of Visual Basic's that goes on
		e.at = value.SkipLineEnd(text, e.at)
	case len(word) <= 2 && value.IsQuote(next):
	case e.appliesJoiner(next) && joinerWord(word): // (str "ab" "cd"), [@"ab" stringByAppendingString:@"cd"]
		e.joins[e.depth] = true
		e.last = expressionWord
		e.at = value.Past(text, e.at, 1, ":")
	default:
		e.added = e.joining()
		e.last = expressionWord
	}
	return true
}

// appliesJoiner reports whether the word before next may be a function that is handed what follows without brackets of its own.
func (e *expression) appliesJoiner(next byte) bool {
	if e.depth > 0 {
		return next == ':' || next != '(' && e.opened()
	}
	text := e.a.r.text
	at := e.at
	for at < e.end && text[at] == ' ' {
		at++
	}
	return at < e.end && (value.IsQuote(text[at]) || breaksAt(text, at))
}

// comment returns where the comment ends that begins here.
func (e *expression) comment() int {
	text := e.a.r.text
	switch {
	case value.HasPrefixAt(text, e.at, "/*"):
		if i := bytes.Index(text[e.at:e.end], []byte("*/")); i > 0 {
			return e.at + i + 2
		}
	case e.commented(e.at) && !value.IsQuote(value.ByteAt(text, value.SkipBlank(text, e.at+2))): // but for an operator of Fortran's
		return value.UpTo(text, e.at, e.end-e.at, "\n")
	}
	return e.at
}

// commented reports whether a comment begins at at.
func (e *expression) commented(at int) bool {
	text := e.a.r.text
	return value.HasPrefixAt(text, at, "//") || value.HasPrefixAt(text, at, "/*") || value.HasPrefixAt(text, at, "# ")
}

// line goes on to the next line; false where the expression does not.
func (e *expression) line() bool {
	text := e.a.r.text
	e.at++
	e.lines++
	if e.depth > 0 {
		return true
	}
	next := value.Past(text, e.at, e.end-e.at, value.Spaces)
	for n := 0; n < maxBelowRows && next < e.end && e.commented(next); n++ { // comments between
		next = value.Past(text, value.UpTo(text, next, e.end-next, "\n"), e.end-next, value.Spaces)
	}
	switch e.at = min(next, e.end); {
	case next >= e.end || string(e.last) == ":":
		return false
	case len(e.last) == 0 || e.joins[0]:
		return text[next] == '(' || text[next] == '[' // of Lisp's
	case !e.after(expressionWord) && !e.after(expressionText) && !e.closedBefore():
		return true
	}
	quote := value.IsQuote(value.ByteAt(text, pastPrefix(text, next)))
	return quote && e.after(expressionText) && e.adjoins() || e.resumes(next)
}

// adjoins reports whether texts of the language are one with blanks between them.
func (e *expression) adjoins() bool { return some(strings.HasSuffix, e.a.r.path, adjacent[:]...) }

// resumes reports whether a line that begins at at goes on with the expression above it: + "value", .. sep .. "value", \ . 'value'.
func (e *expression) resumes(at int) bool {
	text := e.a.r.text
	at = value.SkipBlank(text, value.Past(text, at, 1, `\`)) // of Vim's
	end := value.Past(text, at, 3, "+.&~^*|<>/")
	if end == at || !joints[string(text[at:end])] {
		return false
	}
	if e.at = at; e.lines > maxBelowRows {
		return false
	}
	next := value.SkipBlank(text, end)
	return value.IsQuote(value.ByteAt(text, pastPrefix(text, next))) || next > end && value.IsWord(value.ByteAt(text, next))
}

// joining reports whether what stands before the part here makes it a part of what the name is given: an operator, or one of two that is chosen.
func (e *expression) joining() bool {
	return joints[string(e.last)] && len(e.last) > 0 || string(e.last) == "%" || e.chosen && (string(e.last) == "?" || string(e.last) == ":")
}

// goesOn reports whether the text at at goes on with another, or with what the program fills in before it.
func (e *expression) goesOn(at int) bool {
	switch {
	case e.joining():
		return true
	case e.joins[e.depth]:
		return string(e.last) != ":" && string(e.last) != "=" && string(e.last) != "=>"
	case e.after(expressionText):
		return e.adjoins() || e.split || at > 0 && value.IsQuote(e.a.r.text[at-1])
	}
	return e.after(expressionWord) && some(strings.HasSuffix, e.a.r.path, adjacent[:8]...)
}

// text reads a text in quotes, and takes it if it goes on with another and was drawn by lot; false where it does not close.
func (e *expression) text() bool {
	r := e.a.r
	q := r.text[e.at]
	if e.a.closed == 0 && e.lines == 0 && e.n == 0 && !e.after(expressionText) && r.openQuote(e.a.lo) == q { // of the text that the name stands in
		e.at++
		e.last = expressionWord
		return true
	}
	goesOn := e.goesOn(e.at)
	from := e.at + 1
	long := value.ByteAt(r.text, from) == q && value.ByteAt(r.text, from+1) == q
	if long { // """
		from += 2
	}
	to, ok := r.closing(from, q, 0)
	if !ok || to >= e.end {
		return false
	}
	if e.holds(from, to, q) {
		e.at, e.end = from, to
		return true
	}
	e.at = to + 1 + 2*boolInt(long)
	e.last, e.split = expressionText, false
	next := value.SkipBlank(r.text, e.at)
	key := value.ByteAt(r.text, next) == ':' && !e.chosen && !value.HasPrefixAt(r.text, next, "::") || value.HasPrefixAt(r.text, next, "=>")
	if key || e.other > 0 || bytes.Count(r.text[from:to], []byte("$")) > 2 { // a hash of a password
		return true
	}
	if !goesOn || e.n == maxParts {
		e.together()
	}
	e.texts[e.n] = [2]int{from, to}
	e.n++
	if goesOn && to-from >= lotLength && !r.isFound(from, to) {
		e.taken = e.a.far(formWrapped, from, to) || e.taken
	}
	return true
}

// holds reports whether a text is itself an expression with texts in other quotes: "[concat('ab', 'value')]", "{{ 'ab' + 'value' }}".
func (e *expression) holds(from, to int, q byte) bool {
	other := byte('\'')
	if q == '\'' {
		other = '"'
	}
	return to-from >= lotLength && q != '`' && bytes.Count(e.a.r.text[from:to], []byte{other}) > 1
}

// together takes the texts that go on with each other, if what they say was drawn by lot.
func (e *expression) together() {
	n, taken := e.n, e.taken
	e.n, e.taken = 0, false
	if n < 2 || taken {
		return
	}
	r := e.a.r
	v := r.joined[:0]
	mixed := false
	for _, t := range e.texts[:n] {
		s := value.ShapeOf(r.text[t[0]:t[1]])
		mixed = mixed || s.Upper > 0 && s.Lower > 0 && s.Digit > 0 && s.Length >= leastTogether
		if v = append(v, r.text[t[0]:t[1]]...); len(v) > value.MaxLook {
			return
		}
	}
	r.joined = v
	if !mixed || len(v) < lotLength || !byLotText(v) || value.PasswordHash(v) {
		return
	}
	rule := "secret-assignment"
	if e.a.naming().Noun == value.PassNoun {
		rule = "password-assignment"
	}
	for _, t := range e.texts[:n] {
		if bytes.IndexByte(r.text[t[0]:t[1]], '%') < 0 && !r.isFound(t[0], t[1]) {
			r.add(rule, t[0], t[1], rankKeyed)
		}
	}
}
