package golang

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// quick reads a source text by its tokens alone, which takes a quarter of the
// time of a parse. Where names are declared is known by a declaration at the top
// of the file at a time, not by scope: a name that a function declares anywhere
// counts as its own in all of it. It reports false for a text that it cannot
// follow, which the parser then reads.
func quick(name string, content []byte) (*file, bool) {
	f := &file{path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), declares: map[string]declared{}}
	q := quickReaders.Get().(*quickReader)
	defer q.release()
	q.lexer, q.file, q.tok, q.prev, q.last, q.current = lexer{src: content}, f, lexeme{}, lexeme{}, 0, 0
	q.symbols.reset(content)
	q.pairs = q.pairs[:0]
	q.advance()
	if q.word() != "package" {
		return nil, false
	}
	q.advance()
	if q.tok.kind != tWord {
		return nil, false
	}
	f.name = q.symbols.text(q.intern(q.tok))
	q.advance()
	for q.tok.kind != tEnd && !q.bad {
		switch {
		case q.tok.kind == ';':
			q.advance()
		case q.tok.kind != tKeyword:
			return nil, false
		default:
			switch q.word() {
			case "import":
				q.imports()
			case "func":
				q.function()
			case "var", "const", "type":
				q.declaration()
			default:
				return nil, false
			}
		}
	}
	if q.bad {
		return nil, false
	}
	q.sum()
	return f, true
}

// quickReaders are used again: most of what a text takes is room for its names.
var quickReaders = sync.Pool{New: func() any { return &quickReader{} }}

// release gives the reader back.
func (q *quickReader) release() {
	q.lexer, q.file, q.symbols.src = lexer{}, nil, nil
	if !q.symbols.large() {
		quickReaders.Put(q)
	}
}

// sum puts into the file what its declarations use.
func (q *quickReader) sum() {
	f, names := q.file, &q.symbols
	slices.Sort(q.pairs)
	pairs := slices.Compact(q.pairs)
	f.from = map[string][]string{}
	for len(pairs) > 0 {
		base, n := pairs[0].name(), 0
		for n < len(pairs) && pairs[n].name() == base {
			n++
		}
		if names.list[base].declared {
			// What the file declares itself is not free.
			for _, u := range pairs[:n] {
				names.list[u.selected()].selected = true
			}
		} else {
			list := make([]string, n)
			for i, u := range pairs[:n] {
				list[i] = names.text(u.selected())
			}
			slices.Sort(list)
			f.from[names.text(base)] = list
		}
		pairs = pairs[n:]
	}
	for i := range names.list {
		if e := &names.list[i]; e.free && !e.declared {
			f.free = append(f.free, names.text(sym(i)))
		}
		if names.list[i].selected {
			f.selects = append(f.selects, names.text(sym(i)))
		}
	}
	slices.Sort(f.free)
	slices.Sort(f.selects)
}

// frame is an open bracket.
type frame struct {
	open byte
	kind byte
	// header is set between a keyword and the brace that it leads to: hControl
	// for if, for and switch, hFunc after the parameters of a function.
	header byte
	// control is set where a function stands in a header of the other kind.
	control bool
	// inCase is set between case and its colon.
	inCase bool
	// named is set when an entry of a list of parameters has a name; pending
	// are the entries that may be names or types.
	named   bool
	pending []sym
	// soon are the names that the statement declares when it ends.
	soon []sym
	// scopes are those that end with the frame, waiting those for the block
	// that a header leads to.
	scopes, waiting []int
	// results is set for parameters that results may follow.
	results bool
}

const (
	hControl = 'c'
	hFunc    = 'f'
)

// Kinds of frames.
const (
	kPlain   = 'e'
	kBlock   = 'b'
	kStruct  = 's'
	kMethods = 'f'
	kLiteral = 'c'
	kListed  = 'm' // a literal of a map or a list
	kParams  = 'p'
	kTypes   = 'T'
	kGroup   = 'g'
)

// used is a name in use, and the name that is selected from it.
type used struct{ name, selected sym }

// pair is a name and one that is selected from it, in an order that is quick to make.
type pair uint64

func (p pair) name() sym     { return sym(p >> 32) }
func (p pair) selected() sym { return sym(uint32(p)) }

// scope is where a name is a function's own: among its uses, from one to
// another; to is -1 while it lasts.
type scope struct{ from, to int }

type quickReader struct {
	lexer
	file *file
	tok  lexeme
	prev lexeme

	symbols symbols
	// pairs are the selections from names that are not a declaration's own.
	pairs []pair

	// Of the declaration that is being read; current tells it from others.
	current int
	uses    []used
	scopes  []scope
	stack   []frame
	// parameters are those of the function that is being read.
	parameters []sym
	// last is the kind of the bracket that was closed last.
	last byte
}

func (q *quickReader) advance() {
	q.prev = q.tok
	q.tok = q.next()
}

func (q *quickReader) intern(t lexeme) sym { return q.symbols.of(t.start, t.end) }

// word is the text of the token when it is a keyword or a name.
func (q *quickReader) word() string {
	if q.tok.kind != tKeyword && q.tok.kind != tWord {
		return ""
	}
	return string(q.src[q.tok.start:q.tok.end])
}

func (q *quickReader) imports() {
	q.advance()
	spec := func() {
		i := imported{}
		if q.tok.kind == tWord {
			i.local = q.symbols.text(q.intern(q.tok))
			q.advance()
		} else if q.tok.kind == '.' {
			i.local = "."
			q.advance()
		}
		if q.tok.kind != tLiteral {
			q.fail()
			return
		}
		p, err := strconv.Unquote(string(q.src[q.tok.start:q.tok.end]))
		if p == "C" {
			q.fail()
			return
		}
		q.advance()
		if err == nil && p != "" && len(p) <= 1000 && len(q.file.imports) < maxImports {
			i.path = p
			q.file.imports = append(q.file.imports, i)
		}
	}
	if q.tok.kind != '(' {
		spec()
		return
	}
	for q.advance(); q.tok.kind != ')' && !q.bad; {
		if q.tok.kind == ';' {
			q.advance()
			continue
		}
		spec()
	}
	q.advance()
}

// begin starts a declaration at the top, finish puts its names away.
func (q *quickReader) begin() {
	q.uses, q.stack, q.scopes, q.parameters = q.uses[:0], q.stack[:0], q.scopes[:0], q.parameters[:0]
	q.current++
}

// locals are the scopes in which a name is the declaration's own.
func (q *quickReader) locals(name sym) []int {
	if e := &q.symbols.list[name]; e.in == q.current {
		return e.scopes
	}
	return nil
}

func (q *quickReader) finish() {
	for i, u := range q.uses {
		if q.symbols.blank(u.name) {
			continue
		}
		own := false
		for _, s := range q.locals(u.name) {
			own = own || q.scopes[s].from <= i && (q.scopes[s].to < 0 || i < q.scopes[s].to)
		}
		if own {
			if u.selected != none {
				q.symbols.list[u.selected].selected = true
			}
			continue
		}
		q.symbols.list[u.name].free = true
		if u.selected != none {
			q.pairs = append(q.pairs, pair(u.name)<<32|pair(u.selected))
		}
	}
}

// maxScopes bounds the declarations of one name in one function.
const maxScopes = 1000

// own declares a name from here on, in the frame at depth, or in the block that
// its header leads to.
func (q *quickReader) own(name sym, depth int) {
	e := &q.symbols.list[name]
	if e.in != q.current {
		e.in, e.scopes = q.current, e.scopes[:0]
	}
	if len(e.scopes) >= maxScopes {
		q.fail()
		return
	}
	q.scopes = append(q.scopes, scope{len(q.uses), -1})
	i := len(q.scopes) - 1
	e.scopes = append(e.scopes, i)
	if depth < 0 {
		q.scopes[i].from = 0
		return
	}
	f := &q.stack[depth]
	if f.header != 0 {
		f.waiting = append(f.waiting, i)
	} else {
		f.scopes = append(f.scopes, i)
	}
}

// settle declares what the statement in a frame declares.
func (q *quickReader) settle(depth int) {
	f := &q.stack[depth]
	for _, n := range f.soon {
		q.own(n, depth)
	}
	f.soon = f.soon[:0]
}

// drop ends scopes.
func (q *quickReader) drop(list []int) {
	for _, i := range list {
		q.scopes[i].to = len(q.uses)
	}
}

// function reads a function or method.
func (q *quickReader) function() {
	q.begin()
	q.advance()
	receiver := none
	if q.tok.kind == '(' {
		// (r *T[K]): the last word outside of brackets is the type.
		depth, brackets := 0, 0
		var words []sym
		for {
			q.advance()
			switch q.tok.kind {
			case '(':
				depth++
			case ')':
				depth--
			case '[':
				brackets++
			case ']':
				brackets--
			case tWord:
				if n := q.intern(q.tok); brackets > 0 {
					q.own(n, -1)
				} else {
					words = append(words, n)
				}
			case tEnd, '{', tKeyword:
				q.fail()
				return
			}
			if depth < 0 {
				break
			}
		}
		if len(words) == 0 || len(words) > 2 {
			q.fail()
			return
		}
		receiver = words[len(words)-1]
		if len(words) == 2 && words[0] != receiver {
			q.own(words[0], -1)
		}
		q.symbols.list[receiver].free = true
		q.advance()
	}
	if q.tok.kind != tWord {
		q.fail()
		return
	}
	name := q.intern(q.tok)
	q.advance()
	if q.tok.kind == '[' {
		q.push('[', kTypes)
		q.advance()
		q.until(0)
	}
	if q.tok.kind != '(' {
		q.fail()
		return
	}
	q.push('(', kParams)
	q.advance()
	q.until(0)
	// What is used from here to the body are the results.
	at := len(q.uses)
	q.push(0, kPlain)
	q.stack[len(q.stack)-1].header = hFunc
	if q.tok.kind == '(' {
		q.push('(', kParams)
		q.advance()
		q.until(1)
	} else {
		for q.tok.kind != '{' && !q.tok.fresh && q.tok.kind != tEnd && !q.bad {
			q.step()
		}
	}
	var types []string
	for _, u := range q.uses[at:] {
		if u.selected == none && len(q.locals(u.name)) == 0 && len(types) < 10 {
			types = append(types, q.symbols.text(u.name))
		}
	}
	if q.tok.kind == '{' && !q.tok.fresh {
		q.stack[0].header = 0
		for _, n := range q.parameters {
			q.own(n, 0)
		}
		q.push('{', kBlock)
		q.advance()
		q.until(1)
	}
	q.stack = q.stack[:0]
	q.finish()
	text := q.symbols.text(name)
	if receiver != none {
		if q.file.methods == nil {
			q.file.methods = map[string][]string{}
		}
		of := q.symbols.text(receiver)
		q.file.methods[of] = append(q.file.methods[of], text)
	} else if text != "init" && text != "_" {
		q.declare(name, declared{types: types})
	}
}

func (q *quickReader) declare(name sym, d declared) {
	q.symbols.list[name].declared = true
	q.file.declares[q.symbols.text(name)] = d
}

// declaration reads var, const or type at the top, one or a group.
func (q *quickReader) declaration() {
	kind := q.word()
	q.advance()
	if q.tok.kind != '(' {
		q.specification(kind)
		return
	}
	for q.advance(); q.tok.kind != ')' && !q.bad; {
		if q.tok.kind == ';' {
			q.advance()
		} else if q.tok.kind != tWord {
			q.fail()
		} else {
			q.specification(kind)
		}
	}
	q.advance()
}

// specification reads one line of a declaration: names, type, values.
func (q *quickReader) specification(kind string) {
	q.begin()
	var names []sym
	for q.tok.kind == tWord {
		names = append(names, q.intern(q.tok))
		q.advance()
		if kind == "type" || q.tok.kind != ',' {
			break
		}
		q.advance()
	}
	if len(names) == 0 {
		q.fail()
		return
	}
	q.push(0, kPlain)
	if kind == "type" && q.tok.kind == '[' && !q.tok.fresh {
		if c, at := q.ahead(q.tok.end); classes[c] == cWord {
			for at < len(q.src) && classes[q.src[at]] >= cWord {
				at++
			}
			if c, _ := q.ahead(at); c != ']' {
				q.push('[', kTypes)
				q.advance()
				q.until(1)
			}
		}
	}
	first, value := q.tok, lexeme{}
	for (!q.tok.fresh || len(q.stack) > 1 || continued(q.prev)) && q.tok.kind != tEnd && !q.bad {
		if len(q.stack) == 1 && (q.tok.kind == ';' || q.tok.kind == ')') {
			break
		}
		if len(q.stack) == 1 && q.tok.kind == '=' && value.kind == 0 {
			value = q.tok
		}
		q.step()
	}
	var d declared
	if len(q.uses) > 0 {
		q.yields(&d, kind, first, value)
	}
	q.stack = q.stack[:0]
	for _, n := range names {
		if !q.symbols.blank(n) {
			q.declare(n, d)
		}
		d.base, d.of = "", ""
	}
	q.finish()
}

// yields finds what a declaration stands for, or what type it gives.
func (q *quickReader) yields(d *declared, kind string, first, value lexeme) {
	at := first
	if value.kind != 0 {
		at = lexeme{start: value.end, end: value.end}
	}
	l := lexer{src: q.src, at: at.start}
	t := l.next()
	if value.kind != 0 && first.start != value.start && kind != "type" {
		// A type and a value: the type counts.
		l.at = first.start
		t = l.next()
	}
	typed := kind != "type" && (value.kind == 0 || first.start != value.start)
	direct := true
	for t.kind == '*' || t.kind == '&' || t.kind == '[' {
		direct = false
		if t.kind == '[' {
			for t.kind != ']' && t.kind != tEnd {
				t = l.next()
			}
		}
		t = l.next()
	}
	if t.kind != tWord {
		return
	}
	name := q.symbols.text(q.intern(t))
	next := l.next()
	switch {
	case next.kind == '.' && !typed:
		sel := l.next()
		after := l.next()
		if direct && sel.kind == tWord && (after.fresh || after.kind == ';' || after.kind == ')') && at.end == value.end || direct && kind == "type" && sel.kind == tWord && (after.fresh || after.kind == ')') {
			d.base, d.of = name, q.symbols.text(q.intern(sel))
		}
	case next.kind == '.':
	case typed || next.kind == '{' && !next.fresh && kind == "var":
		d.types = append(d.types, name)
	}
}

// continued reports whether a line goes on after the token.
func continued(t lexeme) bool {
	switch t.kind {
	case tOther, '&', '*', '=', ',', '.', tDots, '~', '(', '[', '{', tDefine:
		return true
	}
	return false
}

func (q *quickReader) push(open, kind byte) {
	if len(q.stack) > 10_000 {
		q.fail()
		return
	}
	n := len(q.stack)
	if n == cap(q.stack) {
		q.stack = append(q.stack, frame{})
	} else {
		q.stack = q.stack[:n+1]
	}
	// The room for names is used again.
	f := &q.stack[n]
	*f = frame{open: open, kind: kind, pending: f.pending[:0], soon: f.soon[:0], scopes: f.scopes[:0], waiting: f.waiting[:0]}
}

// until reads until no more than n brackets are open.
func (q *quickReader) until(n int) {
	for len(q.stack) > n && !q.bad {
		if q.tok.kind == tEnd {
			q.fail()
			return
		}
		q.step()
	}
}

// step reads one token.
func (q *quickReader) step() {
	t := q.tok
	top := &q.stack[len(q.stack)-1]
	if t.fresh && !continued(q.prev) {
		q.settle(len(q.stack) - 1)
		if top.header != 0 {
			top.header = 0
			q.drop(top.waiting)
			top.waiting = top.waiting[:0]
		}
	}
	switch t.kind {
	case tWord:
		q.name(top)
		return
	case tKeyword:
		q.keyword(top)
		return
	case '(':
		kind := byte(kPlain)
		q.push('(', kind)
	case '[':
		kind := byte(kPlain)
		if q.prev.kind != tWord && q.prev.kind != ')' && q.prev.kind != ']' && q.prev.kind != tLiteral || q.prev.kind == tKeyword {
			kind = kListed
		}
		q.push('[', kind)
	case '{':
		q.brace(top)
	case ')', ']', '}':
		q.pop(t.kind)
		return
	case ';':
		q.settle(len(q.stack) - 1)
	case ':':
		q.settle(len(q.stack) - 1)
		top.inCase = false
	}
	q.advance()
}

// pop closes a bracket.
func (q *quickReader) pop(kind byte) {
	top := q.stack[len(q.stack)-1]
	want := byte('(')
	switch kind {
	case ']':
		want = '['
	case '}':
		want = '{'
	}
	if top.open != want {
		q.fail()
		return
	}
	if top.kind == kParams {
		for _, n := range top.pending {
			if top.named {
				top.soon = append(top.soon, n)
			} else {
				q.uses = append(q.uses, used{n, none})
			}
		}
	}
	q.stack = q.stack[:len(q.stack)-1]
	q.last = top.kind
	q.advance()
	if len(q.stack) == 0 {
		q.parameters = append(q.parameters, top.soon...)
		return
	}
	parent := &q.stack[len(q.stack)-1]
	if top.kind == kParams {
		if top.results {
			parent.control = parent.header == hControl
			parent.header = hFunc
		}
		for _, n := range top.soon {
			q.own(n, len(q.stack)-1)
		}
	}
	if top.kind == kGroup {
		parent.scopes = append(parent.scopes, top.scopes...)
		top.scopes = nil
		for _, n := range top.soon {
			q.own(n, len(q.stack)-1)
		}
	}
	if top.kind == kBlock && q.word() == "else" && !q.tok.fresh {
		parent.waiting = append(parent.waiting, top.scopes...)
	} else {
		q.drop(top.scopes)
	}
	q.drop(top.waiting)
	if top.kind == kParams && top.results {
		if q.tok.kind == '(' && !q.tok.fresh {
			q.push('(', kParams)
			q.advance()
		}
	}
	parent = &q.stack[len(q.stack)-1]
	// []T{ and map[K]V{: remember that a literal of it has keys that are values. Among parameters, of
	// whose names pending holds some, it is a type.
	if top.kind == kListed && top.open == '[' && parent.kind != kParams && q.typeThenBrace() {
		parent.pending = append(parent.pending[:0], listed)
	}
}

// typeThenBrace reports whether a type and a brace follow, on this line.
func (q *quickReader) typeThenBrace() bool {
	for i := q.tok.start; i < len(q.src); i++ {
		switch c := q.src[i]; {
		case classes[c] >= cWord || c == '.' || c == '*' || c == '[' || c == ']':
		case c == '{':
			return true
		default:
			return false
		}
	}
	return false
}

// brace opens a block or a literal.
func (q *quickReader) brace(top *frame) {
	kind := byte(kBlock)
	var waiting []int
	typed := q.prev.kind == '}' && (q.last == kStruct || q.last == kMethods) && !q.tok.fresh
	switch {
	case top.header == hControl && (typed || len(top.pending) > 0 && top.kind != kParams):
		// Of a type that is written out, literals may stand in a header.
		kind = kLiteral
	case top.header == hControl && top.kind != kParams:
		q.settle(len(q.stack) - 1)
		top.header = 0
	case top.header == hFunc && top.kind != kParams:
		top.header = 0
		if top.control {
			top.header, top.control = hControl, false
		}
		waiting = top.waiting
	case q.tok.fresh && !continued(q.prev):
		// A block by itself.
	case q.prev.kind == tWord || q.prev.kind == ']':
		kind = kLiteral
	case q.prev.kind == ',' || q.prev.kind == ':' || q.prev.kind == '{':
		if top.kind == kLiteral || top.kind == kListed {
			kind = kLiteral
		}
	case typed:
		kind = kLiteral
	}
	if kind == kLiteral && top.kind != kParams && len(top.pending) > 0 {
		kind = kListed
	}
	if top.kind != kParams {
		top.pending = top.pending[:0]
	}
	depth := len(q.stack) - 1
	q.push('{', kind)
	if len(waiting) > 0 && !q.bad {
		q.stack[depth+1].scopes = append(q.stack[depth+1].scopes, waiting...)
		q.stack[depth].waiting = q.stack[depth].waiting[:0]
	}
}

func (q *quickReader) keyword(top *frame) {
	word := q.word()
	q.advance()
	switch word {
	case "if", "for", "switch", "select", "else":
		top.header = hControl
	case "case", "default":
		top.inCase = true
	case "func":
		if q.tok.kind != '(' {
			q.fail()
			return
		}
		q.push('(', kParams)
		q.stack[len(q.stack)-1].results = true
		q.advance()
	case "struct", "interface":
		if q.tok.kind != '{' {
			q.fail()
			return
		}
		kind := byte(kStruct)
		if word == "interface" {
			kind = kMethods
		}
		q.push('{', kind)
		q.advance()
	case "var", "const", "type":
		if word == "type" && top.open == '(' && q.tok.kind == ')' {
			// x.(type)
			return
		}
		if top.kind != kBlock {
			q.fail()
			return
		}
		if q.tok.kind == '(' {
			q.push('(', kGroup)
			q.advance()
			return
		}
		if word == "type" && q.tok.kind == tWord {
			q.own(q.intern(q.tok), len(q.stack)-1)
			q.advance()
			return
		}
		q.bind()
	case "break", "continue", "goto":
		if q.tok.kind == tWord && !q.tok.fresh {
			q.advance()
		}
	}
}

// bind reads names that the statement declares.
func (q *quickReader) bind() {
	depth := len(q.stack) - 1
	for q.tok.kind == tWord {
		q.stack[depth].soon = append(q.stack[depth].soon, q.intern(q.tok))
		q.advance()
		if q.tok.kind != ',' {
			return
		}
		q.advance()
	}
}

// name reads a name, and what is selected from it.
func (q *quickReader) name(top *frame) {
	t := q.tok
	next, at := q.ahead(t.end)
	first := q.prev.kind == top.open || q.prev.kind == ','
	switch top.kind {
	case kStruct:
		if t.fresh && !continued(q.prev) || q.prev.kind == '{' || q.prev.kind == ';' || q.prev.kind == ',' {
			switch next {
			case '\n', '}', '`', '"', ';', '.':
			default:
				q.advance()
				return
			}
		}
	case kMethods:
		if next == '(' && (t.fresh || q.prev.kind == '{' || q.prev.kind == ';') {
			q.advance()
			q.advance()
			q.push('(', kParams)
			q.stack[len(q.stack)-1].results = true
			return
		}
	case kGroup:
		if t.fresh || q.prev.kind == '(' || q.prev.kind == ';' {
			q.bind()
			return
		}
	case kTypes:
		if first {
			q.own(q.intern(t), -1)
			q.advance()
			return
		}
	case kParams:
		if first && q.parameter(top, t, next, at) {
			return
		}
	case kLiteral:
		if first && next == ':' && !top.inCase {
			q.advance()
			return
		}
	case kBlock:
		if next == ':' && !top.inCase && at+1 < len(q.src) && q.src[at+1] != '=' && (t.fresh || q.prev.kind == '{' || q.prev.kind == ';') {
			// A label.
			q.advance()
			return
		}
	}
	if q.prev.kind == '.' {
		q.symbols.list[q.intern(t)].selected = true
		q.advance()
		return
	}
	if (next == ',' || next == ':') && (top.kind == kBlock || top.kind == kPlain) && q.defined(t) {
		return
	}
	q.chain()
}

// chain reads a name and one selection.
func (q *quickReader) chain() {
	name := q.intern(q.tok)
	q.advance()
	if q.tok.kind == '.' {
		q.advance()
		if q.tok.kind == tWord {
			q.uses = append(q.uses, used{name, q.intern(q.tok)})
			q.advance()
			return
		}
	}
	q.uses = append(q.uses, used{name, none})
}

// defined reads "a, b :=" when that is what begins here.
func (q *quickReader) defined(t lexeme) bool {
	names := []lexeme{t}
	for i := t.end; ; {
		c, at := q.ahead(i)
		if c == ':' && at+1 < len(q.src) && q.src[at+1] == '=' {
			break
		}
		if c != ',' {
			return false
		}
		c, at = q.ahead(at + 1)
		if classes[c] != cWord || len(names) > 50 {
			return false
		}
		i = at
		for i < len(q.src) && classes[q.src[i]] >= cWord {
			i++
		}
		names = append(names, lexeme{start: at, end: i})
	}
	top := &q.stack[len(q.stack)-1]
	for _, n := range names {
		top.soon = append(top.soon, q.intern(n))
	}
	for q.tok.kind != tDefine && q.tok.kind != tEnd {
		q.advance()
	}
	q.advance()
	return true
}

// parameter reads the first word of an entry in a list of parameters. It is
// false when that is a type.
func (q *quickReader) parameter(top *frame, t lexeme, next byte, at int) bool {
	name := q.intern(t)
	switch {
	case next == ',' || next == ')' || next == '\n':
		top.pending = append(top.pending, name)
	case next == '.' && !(at+2 < len(q.src) && q.src[at+1] == '.' && q.src[at+2] == '.'):
		return false
	case next == '[':
		depth, i := 0, at
		for ; i < len(q.src); i++ {
			if q.src[i] == '[' {
				depth++
			} else if q.src[i] == ']' {
				if depth--; depth == 0 {
					break
				}
			} else if q.src[i] == '\n' {
				break
			}
		}
		if c, _ := q.ahead(i + 1); i-at > 1 && (c == ',' || c == ')') {
			return false
		}
		top.named = true
		top.soon = append(top.soon, name)
	default:
		top.named = true
		top.soon = append(top.soon, name)
	}
	q.advance()
	return true
}

// fail gives the text up.
func (q *quickReader) fail() { q.bad = true }
