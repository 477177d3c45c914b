package golang

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// quick reads a source text by its tokens alone, which takes an eighth of the
// time of a parse. Where names are declared is known by a declaration at the top
// of the file at a time, not by scope: a name that a function declares anywhere
// counts as its own in all of it. It reports false for a text that it cannot
// follow, which the parser then reads.
func quick(name string, content []byte) (*file, bool) {
	f := &file{path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go")}
	q := quickReaders.Get().(*quickReader)
	defer q.release()
	q.lexer, q.file, q.last, q.current = lexer{src: content}, f, 0, 0
	q.symbols.reset(content)
	q.picks, q.imported, q.declared, q.methods = q.picks[:0], q.imported[:0], q.declared[:0], q.methods[:0]
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
	q.lexer, q.file = lexer{}, nil
	clear(q.imported)
	clear(q.declared)
	clear(q.methods)
	q.symbols.reset(nil)
	if !q.symbols.large() {
		quickReaders.Put(q)
	}
}

// sum puts into the file what was found.
func (q *quickReader) sum() {
	f, names := q.file, &q.symbols
	f.imports, f.declares, f.methods = slices.Clone(q.imported), slices.Clone(q.declared), slices.Clone(q.methods)
	names.room = 1
	q.from = q.from[:0]
	for i := range names.list {
		e, n := &names.list[i], 0
		for at := e.picks; at > 0; at = q.picks[at-1].next {
			n++
			if e.declared != 0 {
				// What the file declares itself is not free.
				names.list[q.picks[at-1].name].selected = true
			}
		}
		if n == 0 || e.declared != 0 {
			continue
		}
		list := q.strings(n)
		for at := e.picks; at > 0; at = q.picks[at-1].next {
			n--
			list[n] = names.text(q.picks[at-1].name)
		}
		q.from = append(q.from, selection{names.text(sym(i)), list})
	}
	f.from = slices.Clone(q.from)
	clear(q.from)
	free, selects := 0, 0
	for i := range names.list {
		e := &names.list[i]
		if e.free = e.free && e.declared == 0; e.free {
			free++
		}
		if e.selected {
			selects++
		}
	}
	f.free, f.selects = q.strings(free)[:0], q.strings(selects)[:0]
	for i := range names.list {
		e := &names.list[i]
		if e.free {
			f.free = append(f.free, names.text(sym(i)))
		}
		if e.selected {
			f.selects = append(f.selects, names.text(sym(i)))
		}
	}
}

// strings is a list of n, which shares its room with others.
func (q *quickReader) strings(n int) []string {
	if cap(q.room)-len(q.room) < n {
		q.room = make([]string, 0, max(n, 256))
	}
	at := len(q.room)
	q.room = q.room[:at+n]
	return q.room[at:len(q.room):len(q.room)]
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
	// named is set when an entry of a list of parameters has a name.
	named bool
	// results is set for parameters that results may follow.
	results bool
	// listed is set before a literal of a list or a map.
	listed bool
	// pending and soon are where the frame's own begin among the reader's.
	pending, soon int32
	// scopes is one more than the index of the first of those that end with the
	// frame, waiting that of those for the block that a header leads to; 0 is for none.
	scopes, waiting int32
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

// scope is where a name is a function's own. pick is a name that is selected from a free one. next is one more than the
// index of the next of the frame, or of the name; 0 is for none.
type (
	scope struct {
		name sym
		next int32
	}
	pick struct {
		name sym
		next int32
	}
)

type quickReader struct {
	lexer
	file *file

	symbols symbols
	// picks are the selections from names that are not a declaration's own.
	picks []pick
	// Of the file, which gets copies of their own length.
	imported []importSpec
	declared []declaration
	methods  []method
	from     []selection
	room     []string

	// Of the declaration that is being read; current tells it from others.
	// used is set when it uses any name, uses are those that are not its own so far.
	current int32
	used    bool
	uses    []used
	scopes  []scope
	stack   []frame
	// pending are entries of lists of parameters that may be names or types, soon
	// the names that statements declare when they end: each frame's follow those of the frame around it.
	pending, soon []sym
	// parameters are those of the function that is being read.
	parameters []sym
	// last is the kind of the bracket that was closed last.
	last byte
}

func (q *quickReader) intern(t lexeme) sym {
	n := q.symbols.of(t.start, t.end)
	q.bad = q.bad || q.symbols.crowded
	return n
}

// word is the token when it is a keyword.
func (q *quickReader) word() string {
	if q.tok.kind != tKeyword {
		return ""
	}
	return keyword(q.src[q.tok.start:q.tok.end])
}

func (q *quickReader) imports() {
	q.advance()
	spec := func() {
		i := importSpec{}
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
		if err == nil && p != "" && len(p) <= 1000 && len(q.imported) < maxImports {
			i.path = q.symbols.copied([]byte(p))
			q.imported = append(q.imported, i)
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
	q.pending, q.soon, q.used = q.pending[:0], q.soon[:0], false
	q.current++
}

func (q *quickReader) finish() {
	for _, u := range q.uses {
		e := &q.symbols.list[u.name]
		switch {
		case e.blank():
		case e.in != q.current || !e.throughout:
			e.free = true
			if u.selected != none {
				q.pick(u)
			}
		case u.selected != none:
			q.symbols.list[u.selected].selected = true
		}
	}
}

// pick notes a selection from a free name; one that is repeated at once is not noted again.
func (q *quickReader) pick(u used) {
	e, s := &q.symbols.list[u.name], &q.symbols.list[u.selected]
	if s.picked != u.name+1 {
		s.picked = u.name + 1
		q.picks = append(q.picks, pick{u.selected, e.picks})
		e.picks = int32(len(q.picks))
	}
}

// use notes a name in use, unless it is the declaration's own there.
func (q *quickReader) use(name, selected sym) {
	q.used = true
	e := &q.symbols.list[name]
	if e.in != q.current || e.open == 0 {
		q.uses = append(q.uses, used{name, selected})
	} else if selected != none && !e.blank() {
		q.symbols.list[selected].selected = true
	}
}

// own declares a name from here on, in the frame at depth, or in the block that
// its header leads to; at a depth below 0 in all of the declaration.
func (q *quickReader) own(name sym, depth int) {
	e := &q.symbols.list[name]
	if e.in != q.current {
		e.in, e.open, e.throughout = q.current, 0, false
	}
	e.open++
	if depth < 0 {
		e.throughout = true
		return
	}
	list := &q.stack[depth].scopes
	if q.stack[depth].header != 0 {
		list = &q.stack[depth].waiting
	}
	q.scopes = append(q.scopes, scope{name, *list})
	*list = int32(len(q.scopes))
}

// settle declares what the statement in the last frame declares.
func (q *quickReader) settle() {
	depth := len(q.stack) - 1
	first := q.stack[depth].soon
	for _, n := range q.soon[first:] {
		q.own(n, depth)
	}
	q.soon = q.soon[:first]
}

// drop ends scopes.
func (q *quickReader) drop(first int32) {
	for at := first; at > 0; at = q.scopes[at-1].next {
		q.symbols.list[q.scopes[at-1].name].open--
	}
}

// joined is the first of two lists of scopes as one.
func (q *quickReader) joined(a, b int32) int32 {
	if a == 0 {
		return b
	}
	at := a
	for q.scopes[at-1].next > 0 {
		at = q.scopes[at-1].next
	}
	q.scopes[at-1].next = b
	return a
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
	var results [maxTypes]string
	types := results[:0]
	for _, u := range q.uses[at:] {
		if u.selected == none && q.symbols.list[u.name].in != q.current && len(types) < maxTypes {
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
		q.methods = append(q.methods, method{q.symbols.text(receiver), text})
	} else if text != "init" && text != "_" {
		list := q.strings(len(types))
		copy(list, types)
		q.declare(name, declaration{types: list})
	}
}

// declare notes a name of the package. The last declaration of a name counts.
func (q *quickReader) declare(name sym, d declaration) {
	d.name = q.symbols.text(name)
	e := &q.symbols.list[name]
	if e.declared == 0 {
		q.declared = append(q.declared, d)
		e.declared = int32(len(q.declared))
	}
	q.declared[e.declared-1] = d
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
		if c, at := q.ahead(int(q.tok.end)); classes[c] == cWord {
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
	for (!q.tok.fresh || len(q.stack) > 1 || continues[q.prev]) && q.tok.kind != tEnd && !q.bad {
		if len(q.stack) == 1 && (q.tok.kind == ';' || q.tok.kind == ')') {
			break
		}
		if len(q.stack) == 1 && q.tok.kind == '=' && value.kind == 0 {
			value = q.tok
		}
		q.step()
	}
	var d declaration
	if q.used {
		q.yields(&d, kind, first, value)
	}
	q.stack = q.stack[:0]
	for _, n := range names {
		if !q.symbols.list[n].blank() {
			q.declare(n, d)
		}
		d.base, d.of = "", ""
	}
	q.finish()
}

// yields finds what a declaration stands for, or what type it gives.
func (q *quickReader) yields(d *declaration, kind string, first, value lexeme) {
	at := first
	if value.kind != 0 {
		at = lexeme{start: value.end, end: value.end}
	}
	l := lexer{src: q.src}
	next := func() lexeme {
		l.advance()
		return l.tok
	}
	l.at = int(at.start)
	t := next()
	if value.kind != 0 && first.start != value.start && kind != "type" {
		// A type and a value: the type counts.
		l.at = int(first.start)
		t = next()
	}
	typed := kind != "type" && (value.kind == 0 || first.start != value.start)
	direct := true
	for t.kind == '*' || t.kind == '&' || t.kind == '[' {
		direct = false
		if t.kind == '[' {
			for t.kind != ']' && t.kind != tEnd {
				t = next()
			}
		}
		t = next()
	}
	if t.kind != tWord {
		return
	}
	name := q.symbols.text(q.intern(t))
	dot := next()
	switch {
	case dot.kind == '.' && !typed:
		sel := next()
		after := next()
		if direct && sel.kind == tWord && (after.fresh || after.kind == ';' || after.kind == ')') && at.end == value.end || direct && kind == "type" && sel.kind == tWord && (after.fresh || after.kind == ')') {
			d.base, d.of = name, q.symbols.text(q.intern(sel))
		}
	case dot.kind == '.':
	case typed || dot.kind == '{' && !dot.fresh && kind == "var":
		d.types = q.strings(1)
		d.types[0] = name
	}
}

// continues are the kinds of tokens after which a line goes on.
var continues = [256]bool{
	tOther: true, '&': true, '*': true, '=': true, ',': true, '.': true, tDots: true, '~': true, '(': true, '[': true, '{': true, tDefine: true,
}

func (q *quickReader) push(open, kind byte) {
	if len(q.stack) > 10_000 {
		q.fail()
		return
	}
	q.stack = append(q.stack, frame{})
	f := &q.stack[len(q.stack)-1]
	f.open, f.kind, f.pending, f.soon = open, kind, int32(len(q.pending)), int32(len(q.soon))
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
	if t.fresh && !continues[q.prev] {
		q.settle()
		if top.header != 0 {
			top.header = 0
			q.drop(top.waiting)
			top.waiting = 0
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
		q.push('(', kPlain)
	case '[':
		kind := byte(kPlain)
		if q.prev != tWord && q.prev != ')' && q.prev != ']' && q.prev != tLiteral || q.prev == tKeyword {
			kind = kListed
		}
		q.push('[', kind)
	case '{':
		q.brace(top)
	case ')', ']', '}':
		q.pop(t.kind)
		return
	case ';':
		q.settle()
	case ':':
		q.settle()
		top.inCase = false
	}
	q.advance()
}

// pop closes a bracket.
func (q *quickReader) pop(kind byte) {
	top := &q.stack[len(q.stack)-1]
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
		for _, n := range q.pending[top.pending:] {
			if top.named {
				q.soon = append(q.soon, n)
			} else {
				q.use(n, none)
			}
		}
		q.pending = q.pending[:top.pending]
	}
	soon := q.soon[top.soon:]
	q.soon = q.soon[:top.soon]
	q.stack = q.stack[:len(q.stack)-1]
	q.last = top.kind
	q.advance()
	if len(q.stack) == 0 {
		q.parameters = append(q.parameters, soon...)
		return
	}
	parent := &q.stack[len(q.stack)-1]
	if top.results {
		parent.control = parent.header == hControl
		parent.header = hFunc
	}
	if top.kind == kGroup {
		parent.scopes = q.joined(top.scopes, parent.scopes)
		top.scopes = 0
	}
	if top.kind == kParams || top.kind == kGroup {
		for _, n := range soon {
			q.own(n, len(q.stack)-1)
		}
	}
	if top.kind == kBlock && q.word() == "else" && !q.tok.fresh {
		parent.waiting = q.joined(top.scopes, parent.waiting)
	} else {
		q.drop(top.scopes)
	}
	q.drop(top.waiting)
	if top.results && q.tok.kind == '(' && !q.tok.fresh {
		q.push('(', kParams)
		q.advance()
		return
	}
	// []T{ and map[K]V{: remember that a literal of it has keys that are values. Among parameters it is a type.
	if top.kind == kListed && top.open == '[' && parent.kind != kParams && q.typeThenBrace() {
		parent.listed = true
	}
}

// typeThenBrace reports whether a type and a brace follow, on this line.
func (q *quickReader) typeThenBrace() bool {
	for _, c := range q.src[q.tok.start:] {
		switch {
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
	waiting := int32(0)
	typed := q.prev == '}' && (q.last == kStruct || q.last == kMethods) && !q.tok.fresh
	switch {
	case top.header == hControl && (typed || top.listed):
		// Of a type that is written out, literals may stand in a header.
		kind = kLiteral
	case top.header == hControl && top.kind != kParams:
		q.settle()
		top.header = 0
	case top.header == hFunc && top.kind != kParams:
		top.header = 0
		if top.control {
			top.header, top.control = hControl, false
		}
		waiting, top.waiting = top.waiting, 0
	case q.tok.fresh && !continues[q.prev]:
		// A block by itself.
	case q.prev == tWord || q.prev == ']':
		kind = kLiteral
	case q.prev == ',' || q.prev == ':' || q.prev == '{':
		if top.kind == kLiteral || top.kind == kListed {
			kind = kLiteral
		}
	case typed:
		kind = kLiteral
	}
	if kind == kLiteral && top.listed {
		kind = kListed
	}
	top.listed = false
	q.push('{', kind)
	q.stack[len(q.stack)-1].scopes = waiting
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
	for q.tok.kind == tWord {
		q.soon = append(q.soon, q.intern(q.tok))
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
	next, at := q.ahead(int(t.end))
	first := q.prev == top.open || q.prev == ','
	switch top.kind {
	case kStruct:
		if t.fresh && !continues[q.prev] || q.prev == '{' || q.prev == ';' || q.prev == ',' {
			switch next {
			case '\n', '}', '`', '"', ';', '.':
			default:
				q.advance()
				return
			}
		}
	case kMethods:
		if next == '(' && (t.fresh || q.prev == '{' || q.prev == ';') {
			q.advance()
			q.advance()
			q.push('(', kParams)
			q.stack[len(q.stack)-1].results = true
			return
		}
	case kGroup:
		if t.fresh || q.prev == '(' || q.prev == ';' {
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
		if next == ':' && !top.inCase && at+1 < len(q.src) && q.src[at+1] != '=' && (t.fresh || q.prev == '{' || q.prev == ';') {
			// A label.
			q.advance()
			return
		}
	}
	if q.prev == '.' {
		q.symbols.list[q.intern(t)].selected = true
		q.advance()
		return
	}
	if (next == ',' || next == ':') && (top.kind == kBlock || top.kind == kPlain) && q.defined() {
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
			q.use(name, q.intern(q.tok))
			q.advance()
			return
		}
	}
	q.use(name, none)
}

// defined reads "a, b :=" when that is what begins here.
func (q *quickReader) defined() bool {
	i := int(q.tok.end)
	for n := 1; ; n++ {
		c, at := q.ahead(i)
		if c == ':' && at+1 < len(q.src) && q.src[at+1] == '=' {
			break
		}
		if c != ',' {
			return false
		}
		c, at = q.ahead(at + 1)
		if classes[c] != cWord || n > 50 {
			return false
		}
		for i = at; i < len(q.src) && classes[q.src[i]] >= cWord; i++ {
		}
	}
	for ; q.tok.kind != tDefine && q.tok.kind != tEnd; q.advance() {
		if q.tok.kind != ',' {
			q.soon = append(q.soon, q.intern(q.tok))
		}
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
		q.pending = append(q.pending, name)
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
		q.soon = append(q.soon, name)
	default:
		top.named = true
		q.soon = append(q.soon, name)
	}
	q.advance()
	return true
}

// fail gives the text up.
func (q *quickReader) fail() { q.bad = true }
