package declaration

import (
	"bytes"
	"slices"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// head is what stands of a statement before its body or its end. Groups in parentheses, brackets and, in types, angles are one
// token each, of the kind of their first sign.
type head struct {
	tokens []token
	// first is the first token behind annotations, last the last before the body.
	first, last token
	lastLine    int32
	// from is the first line, of comments and annotations too.
	from int32
	doc  comment
	// close is what ended it: {, ; a newline, } or a comma; 0 is the end of the text.
	close token
	// value says that a = or => stood, and what followed it is passed; more are names behind commas after it.
	value bool
	arrow bool
	more  []token
	// properties are the names of parameters that are properties too.
	properties []token
	// afterComma says that the value that is passed has ended with a comma.
	afterComma bool
	// object says that its value is an object whose type has no name: its members stand in the brace behind the head.
	object bool
	// test says that an annotation calls it a test.
	test bool
	// init says that a list of initialisers has begun.
	init bool
	// template says that it begins with parameters of a template, instance that it asks for one to be made.
	template, instance bool
}

// body is what a statement's block is.
type body struct {
	// kind is what the block is: passed over, or a scope.
	kind bodyKind
	scope
}

type bodyKind uint8

const (
	skipped    bodyKind = iota
	members             // a scope
	enumerated          // constants up to a semicolon, then members
	none                // there is no block: what stands is read as a statement again
)

// readBraces reads a language of braces.
func readBraces(r *reader) {
	if r.grammar.pages {
		r.page()
	}
	for r.statement(&r.head) {
		r.declare(&r.head)
	}
}

// declare takes what a statement says, and goes into its body or past it.
func (r *reader) declare(h *head) {
	since := len(r.list)
	if len(h.tokens) == 0 && h.close.kind != '{' {
		r.closed(h, since)
		return
	}
	b := r.grammar.classify(r, h)
	if h.close.kind != '{' {
		r.ends(since, r.takenLine)
		if h.close.kind == '}' && len(r.scopes) > 1 {
			for i := since; i < len(r.list); i++ {
				r.list[i].End = min(r.list[i].End, max(r.list[i].Head, int(h.last.line)))
			}
		}
		r.closed(h, since)
		return
	}
	switch b.kind {
	case members, enumerated:
		if b.scope.def < 0 && len(r.list) > since && b.scope.kind != inBlock {
			b.scope.def = since
		}
		r.enter(b.scope)
		if b.kind == enumerated {
			r.constants()
		}
	default:
		r.skip('{', '}')
		r.ends(since, r.takenLine)
		h.tokens = h.tokens[:0] // what comes next is no part of it
		if b.scope.trailing {
			r.trailing(b.scope)
		} else if r.grammar.arrow && len(r.list) > since && r.peek().kind == '=' { // int A { get; } = 1;
			r.pass(h)
			r.ends(since, r.takenLine)
			r.closed(h, since)
		}
	}
}

// closed leaves a scope where the statement ended with its brace.
func (r *reader) closed(h *head, since int) {
	if h.close.kind != '}' || len(r.scopes) < 2 {
		return
	}
	h.tokens = h.tokens[:0]
	if s := r.leave(h.close.line); s.trailing {
		r.trailing(s)
	}
}

// trailing reads the names behind the brace of a type.
func (r *reader) trailing(s scope) {
	if t := r.peek(); t.kind == ';' {
		r.next()
		return
	}
	h := &r.head
	if !r.statement(h) {
		return
	}
	since := len(r.list)
	declarators(r, h, 0, s.typedef)
	r.ends(since, r.takenLine)
	if s.from > 0 {
		for i := since; i < len(r.list); i++ {
			r.list[i].From = min(r.list[i].From, int(s.from))
		}
	}
	if h.close.kind == '{' {
		r.skip('{', '}')
	}
	r.closed(h, since)
}

// constants passes the constants of an enumeration, up to the semicolon behind them, or to the brace that ends it.
func (r *reader) constants() {
	for {
		switch t := r.peek(); t.kind {
		case end, '}':
			return
		case ';':
			r.next()
			return
		case '(', '[', '{':
			r.next()
			r.skip(t.kind, closing(t.kind))
		default:
			r.next()
		}
	}
}

func closing(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '<':
		return '>'
	}
	return c + 2
}

// skip passes what stands up to the sign that closes one that was taken.
func (r *reader) skip(open, shut byte) {
	r.blocks++
	defer func() { r.blocks-- }()
	for depth := 1; ; {
		if !r.peeked {
			r.skipTo(open, shut)
		}
		switch t := r.next(); t.kind {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return
			}
		case end:
			return
		}
	}
}

// statement reads a head; false at the end of the text.
func (r *reader) statement(h *head) bool {
	*h = head{tokens: h.tokens[:0], more: h.more[:0]}
	for {
		if r.grammar.lines && len(h.tokens) > 0 {
			// A directive before what follows may end the head.
			if n := r.peek(); len(h.tokens) > 0 && n.fresh && (n.kind == '-' || n.kind == '+' || n.kind == word && (r.src[n.start] == '@' || n.column == 0 && objectiveTypes[string(r.text(h.tokens[0]))])) {
				h.close = token{kind: newline, line: n.line}
				return true
			}
		}
		t := r.next()
		switch t.kind {
		case end:
			h.close = t
			return len(h.tokens) > 0
		case newline:
			if len(h.tokens) == 0 || r.continues(h) {
				continue
			}
			h.close = t
			return true
		case ';', '}':
			if h.close = t; t.kind == ';' && r.oldStyle(h) {
				r.parameterDeclarations(h)
			}
			return true
		case '{':
			if r.literal(h) {
				r.skip('{', '}')
				r.put(h, token{start: t.start, end: int32(r.at), line: t.line, kind: '{'})
				continue
			}
			h.close = t
			return true
		case ',':
			if r.top().commas {
				h.close = t
				return true
			}
			r.put(h, t)
		case '(', '[':
			if !r.group(h, t) {
				return true
			}
		case '<':
			r.angle(h, t)
		case '@', '#':
			if !r.annotation(h, t) {
				r.put(h, t)
			}
		case '=':
			if r.assigns(h, t) {
				r.pass(h)
				return true
			}
			r.put(h, t)
		case ':':
			r.colon(h, t)
		case '?':
			if r.grammar.pages && r.at < len(r.src) && r.src[r.at] == '>' {
				h.close = t
				r.page()
				return true
			}
			r.put(h, t)
		case word:
			r.wordInto(h, t)
			if r.grammar.lines && objectiveLines[string(r.text(t))] {
				h.close = token{kind: newline, line: t.line}
				return true
			}
		default:
			r.put(h, t)
		}
	}
}

// put adds a token to a head.
func (r *reader) put(h *head, t token) {
	if h.first.line == 0 {
		h.first = t
		r.begins(h, t)
	}
	if len(h.tokens) < maxHead {
		h.tokens = append(h.tokens, t)
	}
	h.last, h.lastLine = t, r.takenLine
}

// begins notes the comment before a head.
func (r *reader) begins(h *head, t token) {
	if h.from > 0 {
		return
	}
	h.from = t.line
	if d := r.doc; d.end > 0 && d.start < t.start {
		h.from, h.doc = d.from, d
	}
}

// wordInto adds a word to a head, unless it is an attribute.
func (r *reader) wordInto(h *head, t token) {
	g := r.grammar
	if g.language.Family == "C" && t.fresh && r.macroCalled(h, t) {
		h.tokens, h.first = h.tokens[:0], token{}
	}
	if g.attributes != nil && (g.attributes[string(r.text(t))] || r.is(t, "explicit") && r.peek().kind == '(') {
		r.begins(h, t)
		if n := r.peek(); n.kind == '(' {
			r.next()
			r.skip('(', ')')
		}
		return
	}
	if g.language.Family == "C" && r.is(t, "template") {
		r.begins(h, t)
		h.template = true
		if n := r.peek(); n.kind == '<' {
			r.next()
			r.skipAngles()
		} else if n := len(h.tokens); n == 0 || r.is(h.tokens[n-1], "extern") {
			h.instance = true
		}
		return
	}
	if g.angles && g.language.Family == "C" && r.is(t, "requires") && r.constrains(h) {
		r.constraint()
		if len(h.tokens) > 0 {
			h.last, h.lastLine = r.taken, r.takenLine
		}
		return
	}
	if g.language.Name == "Kotlin" && len(h.tokens) == 0 && r.is(t, "context") && r.peek().kind == '(' {
		r.begins(h, t)
		h.first = t // what it asks for is a part of the signature
		r.next()
		r.skip('(', ')')
		return
	}
	r.put(h, t)
}

// constrains reports whether the word requires, behind a head, begins a constraint: it stands behind the parameters of a
// template or of a function. Elsewhere it is a name of C.
func (r *reader) constrains(h *head) bool {
	if len(h.tokens) == 0 {
		return h.template
	}
	for i := len(h.tokens) - 1; i > 0; i-- {
		if h.tokens[i].kind == '(' {
			return h.tokens[i-1].kind == word || r.operatorBefore(h.tokens, i) >= 0
		}
	}
	return false
}

// constraint passes what a template or a function requires: parts that && and || join, which may hold blocks.
func (r *reader) constraint() {
	for {
		for n := r.peek(); n.kind == '!' || n.kind == ':'; n = r.peek() {
			r.next()
		}
		switch t := r.peek(); {
		case t.kind == '(':
			r.next()
			r.skip('(', ')')
		case r.is(t, "requires"):
			r.next()
			if r.peek().kind == '(' {
				r.next()
				r.skip('(', ')')
			}
			if r.peek().kind == '{' {
				r.next()
				r.skip('{', '}')
			}
		case t.kind == word:
			r.concept()
		default:
			return
		}
		first := r.peek()
		if first.kind != '&' && first.kind != '|' || int(first.end) >= len(r.src) || r.src[first.end] != first.kind {
			return
		}
		r.next()
		r.next()
	}
}

// concept passes the name of a concept, and what it is asked of.
func (r *reader) concept() {
	for {
		r.next()
		if r.peek().kind == '<' {
			r.next()
			r.skipAngles()
		}
		if r.peek().kind != ':' {
			return
		}
		for r.peek().kind == ':' {
			r.next()
		}
		if r.peek().kind != word {
			return
		}
	}
}

// macroCalled reports whether what stands before a word that begins a line, and a declaration, is the use of a macro.
func (r *reader) macroCalled(h *head, t token) bool {
	if !r.macros(h) {
		return false
	}
	w := string(r.text(t))
	return r.grammar.modifiers[w] || r.grammar.types[w] != "" || w == "namespace" || w == "template" || w == "using"
}

// macros reports whether a head holds nothing but uses of macros.
func (r *reader) macros(h *head) bool {
	n := len(h.tokens)
	if n == 0 || n > 8 || h.tokens[0].kind != word {
		return false
	}
	for i, t := range h.tokens {
		if t.kind != '(' && (t.kind != word || !shouted(r.text(t)) || i > 0 && !t.fresh) {
			return false
		}
	}
	return true
}

// shouted reports whether a word has no small letters, as macros are written.
func shouted(w []byte) bool {
	for _, c := range w {
		if c >= 'a' && c <= 'z' {
			return false
		}
	}
	return len(w) > 2
}

// skipAngles passes the parameters of a template.
func (r *reader) skipAngles() {
	r.groups++
	defer func() { r.groups-- }()
	for depth := 1; ; {
		t := r.next()
		switch t.kind {
		case '<':
			depth++
		case '>':
			if t.start > 0 && r.src[t.start-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return
			}
		case '(':
			r.skip('(', ')')
		case '{':
			r.skip('{', '}')
		case ';', end:
			return
		}
	}
}

// group passes what stands in parentheses or brackets, and adds it as one token. False says that the head has ended: they
// are not closed.
func (r *reader) group(h *head, t token) bool {
	if t.kind == '[' && r.grammar.square && len(h.tokens) == 0 {
		r.begins(h, t)
		r.skip('[', ']')
		h.test = h.test || namesTest(r.src[t.start:r.at])
		return true
	}
	if h.first.line == 0 {
		h.first = t
		r.begins(h, t)
	}
	r.groups++
	depth, brackets := 1, 0
	hidden, property := false, false
	for depth > 0 {
		n := r.next()
		if r.grammar.properties && depth == 1 {
			switch {
			case property && n.kind == word && len(h.properties) < maxHead:
				n.hidden = hidden
				h.properties = append(h.properties, n)
				property = false
			case n.kind == ',':
				hidden = false
			case r.is(n, "private"):
				hidden = true
			default:
				property = r.is(n, "val") || r.is(n, "var")
			}
		}
		switch n.kind {
		case '(':
			depth++
		case ')':
			depth--
			brackets = 0
		case '[':
			brackets++
			if t.kind == '[' {
				depth++
			}
		case ']':
			brackets--
			if t.kind == '[' {
				depth--
			}
		case '{':
			r.skip('{', '}')
		case '}', end:
			r.groups--
			h.close = n
			return false
		case ';':
			if t.kind == '(' && brackets <= 0 && r.grammar.language.Name != "Thrift" { // where it may part parameters
				r.groups--
				h.close = n
				return false
			}
		}
	}
	r.groups--
	if t.kind == '(' && r.recorded(h) {
		r.components(h, t)
	}
	if t.kind == '(' && r.caseClass(h) {
		r.caseParameters(h, t)
	}
	r.put(h, token{start: t.start, end: int32(r.at), line: t.line, column: t.column, kind: t.kind, fresh: t.fresh})
	return true
}

// recorded reports whether a head is that of a record of C# or Java, whose parameters come next.
func (r *reader) recorded(h *head) bool {
	if r.grammar.types["record"] == "" || len(h.properties) > 0 {
		return false
	}
	n := len(h.tokens) - 1
	if n > 0 && h.tokens[n].kind == '<' {
		n--
	}
	if n > 1 && (r.is(h.tokens[n-1], "struct") || r.is(h.tokens[n-1], "class")) {
		n--
	}
	return n > 0 && h.tokens[len(h.tokens)-1].kind != '.' && r.is(h.tokens[n-1], "record")
}

// caseClass reports whether a head is that of a case class of Scala, whose first parameters come next: they can be seen without val.
func (r *reader) caseClass(h *head) bool {
	if !r.grammar.properties || r.grammar.language.Name != "Scala" {
		return false
	}
	class := slices.IndexFunc(h.tokens, func(t token) bool { return r.is(t, "class") })
	return class > 0 && r.is(h.tokens[class-1], "case") && !slices.ContainsFunc(h.tokens[class:], func(t token) bool { return t.kind == '(' || r.is(t, "extends") })
}

// caseParameters keeps the names of the parameters of a case class, which stand in a group, before a colon each.
func (r *reader) caseParameters(h *head, t token) {
	x := lexer{src: r.src[:r.at-1], at: int(t.start) + 1, line: t.line, begin: int(t.start - t.column), classes: r.classes, grammar: r.grammar}
	h.properties = h.properties[:0]
	var before token
	hidden, named := false, false
	for depth := 0; len(h.properties) < maxHead; {
		n := x.read()
		switch n.kind {
		case end:
			return
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				hidden, named = false, false
			}
		case ':':
			if depth == 0 && before.kind == word && !named {
				before.hidden, named = hidden, true
				h.properties = append(h.properties, before)
			}
		case word:
			hidden = hidden || depth == 0 && !named && r.is(n, "private")
		}
		before = n
	}
}

// components keeps the names of a record's parameters, which stand in a group: each is a property of it.
func (r *reader) components(h *head, t token) {
	x := lexer{src: r.src[:r.at-1], at: int(t.start) + 1, line: t.line, begin: int(t.start - t.column), classes: r.classes, grammar: r.grammar}
	var before, name token
	for depth := 0; len(h.properties) < maxHead; {
		n := x.read()
		if depth == 0 && before.kind == word && (n.kind == ',' || n.kind == '=' || n.kind == end) && name.kind != '=' {
			h.properties = append(h.properties, before)
		}
		switch n.kind {
		case end:
			return
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',', '=':
			if depth == 0 {
				name = n // behind a = stands a value, up to the comma
			}
		}
		before = n
	}
}

// maxAngle is how far what < begins may lie from its >, in bytes.
const maxAngle = 1000

// angle adds a group of types, or the sign where it begins none.
func (r *reader) angle(h *head, t token) {
	if n := len(h.tokens); !r.grammar.angles || n == 0 || int(t.start) < r.noAngle || r.is(h.tokens[n-1], "operator") {
		r.put(h, t)
		return
	}
	stop := r.closesAngle(int(t.start))
	if stop < 0 {
		r.put(h, t)
		return
	}
	r.groups++
	last := r.last
	for r.at < stop {
		r.next()
	}
	r.groups--
	_ = last
	r.put(h, token{start: t.start, end: int32(r.at), line: t.line, column: t.column, kind: '<', fresh: t.fresh})
}

// closesAngle returns the place behind the > that closes the < at a place, or -1.
func (r *reader) closesAngle(at int) int {
	depth := 0
	for i := at; i < min(len(r.src), at+maxAngle); i++ {
		r.steps++
		switch c := r.src[i]; c {
		case '<':
			depth++
		case '>':
			if p := r.src[i-1]; p == '-' || p == '=' {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case '}':
			if i+1 == len(r.src) || r.src[i+1] != ')' || r.grammar.language.Name != "Dart" { // List<({int a, int b})>
				r.noAngle = i
				return -1
			}
		case ';':
			r.noAngle = i
			return -1
		case '{':
			if r.grammar.language.Name != "Rust" && (r.src[i-1] != '(' || r.grammar.language.Name != "Dart") {
				r.noAngle = i
				return -1
			}
		}
	}
	r.noAngle = at + maxAngle
	return -1
}

// annotation passes @Name(…), #[…] and #![…], and reports whether one stood.
func (r *reader) annotation(h *head, t token) bool {
	g := r.grammar
	switch {
	case t.kind == '@' && g.at:
		n := r.peek()
		if n.kind != word || r.is(n, "interface") {
			return r.is(n, "interface")
		}
		r.begins(h, t)
		start := n.start
		r.next()
		for {
			n = r.peek()
			if n.kind == '.' || n.kind == ':' && n.start == r.taken.end && g.language.Name == "Kotlin" {
				r.next()
				if n = r.peek(); n.kind == word {
					r.next()
					continue
				}
			}
			if n.kind == '(' && (n.start == r.taken.end || g.language.Name == "Java") || n.kind == '[' && r.src[n.start-1] == ':' {
				r.next()
				r.skip(n.kind, closing(n.kind))
			}
			break
		}
		h.test = h.test || namesTest(r.src[start:r.taken.end])
		return true
	case t.kind == '#' && g.hash:
		n := r.peek()
		inner := n.kind == '!'
		if inner {
			r.next()
			n = r.peek()
		}
		if n.kind != '[' {
			return true
		}
		if !inner { // else it is of what holds the statement
			r.begins(h, t)
		}
		r.next()
		start := n.start
		r.skip('[', ']')
		h.test = h.test || !inner && namesTest(r.src[start:r.taken.end])
		return true
	}
	return false
}

// namesTest reports whether an annotation calls what it stands before a test.
func namesTest(text []byte) bool {
	text = bytes.TrimLeft(text, "[(")
	n := 0
	for n < len(text) && (text[n] == '.' || text[n] == ':' || text[n] == '_' || text[n] >= '0' && text[n] <= '9' || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	name := text[:n]
	if i := bytes.LastIndexAny(name, ".:"); i >= 0 {
		name = name[i+1:]
	}
	switch string(name) {
	case "Test", "test", "Fact", "Theory", "TestMethod", "TestCase", "ParameterizedTest", "rstest":
		return true
	}
	return false
}

// assigns reports whether a = begins a value: it is no part of another sign, and of no operator's name.
func (r *reader) assigns(h *head, t token) bool {
	next := byte(0)
	if int(t.end) < len(r.src) {
		next = r.src[t.end]
	}
	n := len(h.tokens)
	if next == '=' || n == 0 || r.is(h.tokens[n-1], "operator") {
		return false
	}
	if next == '>' {
		h.arrow = r.grammar.arrow
		return r.grammar.arrow
	}
	if p := h.tokens[n-1]; p.end == t.start {
		switch p.kind {
		case '=', '!', '+', '-', '*', '/', '%', '&', '|', '^', '<', '~':
			if p.kind != '*' && p.kind != '&' {
				return false
			}
		}
		if n > 1 && r.is(h.tokens[n-2], "operator") || n > 2 && p.kind == '>' && r.is(h.tokens[n-3], "operator") { // operator>>=
			return false
		}
	}
	return !h.init && (r.grammar.assigns == nil || r.grammar.assigns(r, h))
}

// colon adds a colon, unless it ends a word of access: what follows begins anew. Behind a function's parameters it begins a
// list of initialisers.
func (r *reader) colon(h *head, t token) {
	double := int(t.end) < len(r.src) && r.src[t.end] == ':' || t.start > 0 && r.src[t.start-1] == ':'
	n := len(h.tokens)
	if r.grammar.language.Family == "C" && !double && n > 0 && h.tokens[n-1].kind == word {
		if access, ok := accessWords[string(r.text(h.tokens[n-1]))]; ok || n > 1 && r.is(h.tokens[n-1], "slots") {
			if n > 1 && !ok {
				access = accessWords[string(r.text(h.tokens[n-2]))]
			}
			r.top().access = access
			*h = head{tokens: h.tokens[:0], more: h.more[:0]}
			return
		}
	}
	if !double && n > 0 && h.tokens[0].kind != '-' && h.tokens[0].kind != '+' && r.grammar.types[string(r.text(h.tokens[0]))] == "" && (r.grammar.language.Family == "C" || r.grammar.language.Name == "Dart") {
		for i := n - 1; i >= 0 && !h.init; i-- {
			if k := h.tokens[i]; k.kind == '(' {
				h.init = true
			} else if k.kind != word {
				break
			}
		}
	}
	r.put(h, t)
}

// objectiveLines are whole statements.
var objectiveLines = language.WordSet("@end @required @optional")

var accessWords = map[string]bool{"public": true, "protected": true, "private": false, "signals": true, "Q_SIGNALS": true}

// literal reports whether a brace behind the head begins a value, not a body.
func (r *reader) literal(h *head) bool {
	n := len(h.tokens)
	if !h.init || n == 0 {
		return false
	}
	switch p := h.tokens[n-1]; p.kind {
	case word:
		return r.grammar.language.Family == "C" && !r.is(p, "try")
	case '<':
		return true
	case '=', ',', ':':
		return true
	}
	return false
}

// pass passes a value up to the end of its statement.
func (r *reader) pass(h *head) {
	h.value = true
	if r.grammar.newlines {
		r.passLines(h)
		return
	}
	if r.grammar.pages && r.anonymous(h) {
		return
	}
	angle := 0
	var before, name token
	for {
		t := r.next()
		switch t.kind {
		case '(', '[', '{':
			r.skip(t.kind, closing(t.kind))
		case '<':
			if before.kind == word {
				angle++
			}
		case '>':
			if angle > 0 && before.kind != '=' && before.kind != '-' {
				angle--
			}
		case ';', '}', end:
			h.close = t
			if name.line > 0 && t.kind == ';' {
				h.more = append(h.more, name)
			}
			return
		}
		if name.line > 0 {
			if (t.kind == '=' || t.kind == ',' || t.kind == '[') && len(h.more) < maxHead {
				h.more = append(h.more, name)
			}
			name = token{}
		}
		if t.kind == word && angle == 0 && (before.kind == ',' || before.kind == '*' && h.afterComma) {
			name = t
		}
		h.afterComma = t.kind == ',' && angle == 0 || t.kind == '*' && h.afterComma
		before = t
		if r.top().commas && t.kind == ',' {
			h.close = t
			return
		}
	}
}

// passLines passes a value that ends with its line: with one behind which nothing is indented further than the statement.
func (r *reader) passLines(h *head) {
	if r.grammar.language.Name == "Kotlin" && r.anonymous(h) {
		return
	}
	swift, angle := r.grammar.language.Name == "Swift", 0
	var before token
	for {
		t := r.next()
		was := before
		if before = t; t.kind == newline {
			before = was
		}
		switch t.kind {
		case '(', '[', '{':
			r.skip(t.kind, closing(t.kind))
		case '<':
			if was.kind == word && was.end == t.start {
				angle++
			}
		case '>':
			if was.kind != '-' {
				angle = max(angle-1, 0)
			}
		case word: // let a = 1, b = 2
			if swift && angle == 0 && was.kind == ',' && len(h.more) < maxHead {
				if n := r.peek().kind; n == '=' || n == ':' || n == ',' || n == newline {
					h.more = append(h.more, t)
				}
			}
		case ';', '}', ')', ']', end:
			h.close = t
			return
		case ',':
			if r.top().commas {
				h.close = t
				return
			}
		case newline:
			n := r.peek()
			if n.kind == newline || n.kind != end && n.kind != '}' && n.column > h.first.column {
				continue
			}
			if n.kind == '.' || n.kind == '?' && n.column >= h.first.column {
				continue
			}
			h.close = t
			return
		}
	}
}

// anonymous reads the head of an object whose type has no name, where a value is one, up to its brace: object : T {, new class
// extends T {. It reports whether it did.
func (r *reader) anonymous(h *head) bool {
	for r.peek().kind == newline {
		r.next()
	}
	if t := r.peek(); !r.is(t, "object") && !r.is(t, "new") {
		return false
	}
	if r.next(); r.is(r.taken, "new") && !r.is(r.peek(), "class") {
		return false
	}
	for {
		switch t := r.peek(); t.kind {
		case '{':
			h.close, h.object = r.next(), true
			return true
		case '(', '[':
			r.next()
			r.skip(t.kind, closing(t.kind))
		case ';', '}', ')', '=', end:
			return false
		default:
			r.next()
		}
	}
}

// continues reports whether a statement goes on behind the end of a line.
func (r *reader) continues(h *head) bool {
	switch last := h.tokens[len(h.tokens)-1]; last.kind {
	case ',', ':', '.', '=', '+', '-', '|', '&', '<':
		if n := len(h.tokens); last.kind == '<' && last.end-last.start > 1 && !(n > 1 && carries[string(r.text(h.tokens[n-2]))]) {
			break
		}
		return last.kind != ':' || r.grammar.language.Name != "Scala" // whose blocks may begin behind one
	case quoted:
		return len(h.tokens) == 1 && r.grammar.language.Name == "GraphQL"
	case word:
		if n := len(h.tokens); n > 1 && h.tokens[n-2].kind == '.' {
			break // the name of a package may be any word
		}
		if r.grammar.modifiers[string(r.text(last))] || r.grammar.types[string(r.text(last))] != "" || carries[string(r.text(last))] {
			return true
		}
	}
	n := r.peek()
	for n.kind == newline {
		r.next()
		n = r.peek()
	}
	switch n.kind {
	case '{', ':', '=', ',', '.':
		return n.kind != '{' || n.column <= h.first.column+1
	case '-':
		return int(n.end) < len(r.src) && r.src[n.end] == '>'
	case '(':
		return n.column > h.first.column
	case word, '@':
		return follows[string(r.text(n))] || r.grammar.properties && r.constructs(h, int(n.start))
	}
	return false
}

// constructs reports whether a line, that begins at a place, is that of a class's constructor.
func (r *reader) constructs(h *head, at int) bool {
	for _, t := range h.tokens {
		if t.kind == '(' || t.kind == ':' {
			return false
		}
	}
	class := slices.ContainsFunc(h.tokens, func(t token) bool { return r.is(t, "class") })
	return class && primary.Match(r.src[at:min(len(r.src), at+maxBefore)])
}

// maxBefore bounds what stands between a class's name and the word of its constructor.
const maxBefore = 500

// primary is the beginning of a primary constructor of Kotlin: annotations, on lines of their own too, and who sees it stand before the word.
var primary = lazyregexp.New(`^(?:(?:@[\w.:]+(?:\([^()\n]*\))?|private|protected|internal|public|actual|expect|//[^\n]*|/\*[^*]*\*/)\s+)*constructor\b`)

var (
	// carries are words that no statement ends with, follows are words that no statement begins with.
	carries = language.WordSet("extends with implements by where func fun def val var let implements")
	follows = language.WordSet("extends with implements by where throws rethrows derives async")
)
