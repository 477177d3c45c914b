package declaration

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// opening is how a word begins a block, or ends one, in a language of words.
type opening uint8

const (
	// always: wherever it stands.
	always opening = iota + 1
	// leading: where an expression may begin; behind one it modifies it.
	leading
	// looping: like leading, and the do of its line is its own.
	looping
	// doing: unless a loop stands before it in its line.
	doing
	// ending: it ends the innermost.
	ending
)

// wordBlocks is a language whose blocks end with a word.
type wordBlocks struct {
	// words open and close blocks.
	words map[string]opening
	// declare takes a word that may declare; it says whether it took it, and what it opened.
	declare func(r *reader, t token) bool
	// attribute takes the name behind a @; nil where such names say nothing of what follows.
	attribute func(r *reader, t token)
}

// attributes are what stands before a declaration and belongs to it.
type attributes struct {
	// from is the line on which they begin, 0 where there are none.
	from int32
	doc  comment
}

// readWords reads a language whose blocks begin and end with words.
func readWords(r *reader) {
	w := r.grammar.blocks
	loop, lines := false, r.linesBegin()
	for {
		before := r.taken
		t := r.nextPlain(lines)
		switch t.kind {
		case end:
			return
		case newline, ';':
			loop = false
			continue
		case word:
		default:
			continue
		}
		name := r.text(t)
		if r.quotedWord(t, before.kind) {
			if w.attribute != nil && before.kind == '@' {
				w.attribute(r, t)
			}
			continue
		}
		switch kind := w.words[string(name)]; {
		case kind == ending:
			if len(r.scopes) > 1 {
				r.leave(t.line)
			}
			r.attributes = attributes{}
		case kind == always, kind == leading && !r.operand(before), kind == doing && !loop:
			r.open()
		case kind == looping && !r.operand(before):
			r.open()
			loop = true
		case kind == doing:
			loop = false
		case kind == 0 && w.declare(r, t):
			loop = false
		}
	}
}

// operand reports whether a token may end an expression.
func (r *reader) operand(t token) bool {
	switch t.kind {
	case word:
		return !leads[string(r.text(t))]
	case number, quoted, ')', ']', '}':
		return true
	}
	return false
}

// leads are words behind which a word that may modify what stands before it begins an expression instead.
var leads = language.WordSet("and or not if unless while until then do else elsif when in case begin ensure")

// quotedWord reports whether a word is no word of the language: a symbol, a key, the name of a method.
func (r *reader) quotedWord(t token, before byte) bool {
	if t.start > 0 {
		switch p := r.src[t.start-1]; p {
		case '.':
			return !(t.start > 1 && r.src[t.start-2] == '.')
		case ':', '@', '$':
			return true
		}
	}
	n := int(t.end)
	return n < len(r.src) && r.src[n] == ':' && !(n+1 < len(r.src) && r.src[n+1] == ':') && before != '?'
}

// open enters a block that declares nothing.
func (r *reader) open() {
	s := *r.top()
	s.def = -1
	if s.kind != inBody {
		s.kind = inBlock
	}
	r.scopes = append(r.scopes, s)
}

// headOf is the head that begins with a token.
func (r *reader) headOf(t token) *head {
	h := &r.head
	*h = head{tokens: h.tokens[:0], more: h.more[:0], first: t, last: t, lastLine: t.line}
	r.begins(h, t)
	return h
}

// restOfLine takes the rest of a line into a head, and whole groups that begin in it. It reports whether it ended before the word
// stop, or, without one, behind a = of its own.
func (r *reader) restOfLine(h *head, stop string) (stopped bool) {
	depth := 0
	for {
		n := r.peek()
		if n.kind == end || depth == 0 && (n.kind == newline && h.last.kind != ',' || n.kind == ';') {
			return false
		}
		if depth == 0 && n.kind == word && stop != "" && r.is(n, stop) && !r.quotedWord(n, 0) {
			return true
		}
		r.next()
		switch n.kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
			if depth < 0 {
				return false
			}
		case newline:
			continue
		case '=':
			if depth == 0 && stop == "" && n.end < int32(len(r.src)) && r.src[n.end] != '=' && r.src[n.end] != '~' && r.src[n.end] != '>' && r.src[n.start-1] != '=' {
				return true
			}
		}
		h.last, h.lastLine = n, r.takenLine
	}
}

// ruby takes what declares in Ruby.
func ruby(r *reader, t token) bool {
	switch string(r.text(t)) {
	case "class", "module":
		return rubyType(r, t)
	case "def":
		return rubyMethod(r, t)
	case "private", "protected", "public":
		if n := r.peek(); n.kind == newline || n.kind == end {
			r.top().access = !r.is(t, "private")
		} else if r.is(n, "def") {
			r.hideNext = r.is(t, "private")
		}
	case "attr_reader", "attr_accessor", "attr_writer":
		if k := r.top().kind; k != inBody {
			rubyAttributes(r, t)
		}
	case "scope", "define_method", "alias_method":
		if t.fresh && r.top().kind == inType {
			rubyMade(r, t)
		}
	default:
		c := r.src[t.start]
		if !t.fresh || c < 'A' || c > 'Z' {
			return false
		}
		if n := r.peek(); n.kind == '=' && r.top().kind != inBody && int(n.end) < len(r.src) && r.src[n.end] != '=' && r.src[n.end] != '>' && r.src[n.end] != '~' {
			return rubyConstant(r, t)
		}
	}
	return false
}

// rubyConstant adds a constant; where it is a type that is made with a block, what stands in that are its members.
func rubyConstant(r *reader, t token) bool {
	line := r.src[t.end:min(len(r.src), int(t.end)+maxName)]
	line, _, _ = bytes.Cut(line, []byte{'\n'})
	h := r.headOf(t)
	made := typeMade.Match(line) && r.restOfLine(h, "do")
	s, since := *r.top(), len(r.list)
	s.def, s.kind, s.access, s.name = r.add(h, "const", string(r.text(t)), t, r.top().access), inType, true, string(r.text(t))
	r.ends(since, t.line)
	if made {
		r.next()
		s.prefix = r.qualified(s.name)
		r.scopes = append(r.scopes, s)
	}
	return made
}

// typeMade is what makes a type, and begins a block, behind a constant of Ruby.
var typeMade = lazyregexp.New(`^\s*=\s*(?:::)?(?:(?:Struct|Class|Module)\.new|Data\.define)\b[^#{]*\bdo\s*(?:\|[^|]*\|\s*)?$`)

// rubyType enters a class or a module.
func rubyType(r *reader, t token) bool {
	kind := string(r.text(t))
	h := r.headOf(t)
	n := r.peek()
	s := *r.top()
	s.def, s.kind, s.access = -1, inType, true
	if n.kind == '<' { // class << self
		r.scopes = append(r.scopes, s)
		return true
	}
	var name token
	full := ""
	for n.kind == word || n.kind == ':' {
		r.next()
		if h.last, h.lastLine = n, r.takenLine; n.kind == word {
			if name = n; full != "" {
				full += "."
			}
			full += string(r.text(n))
		}
		if n = r.peek(); n.kind == word && h.last.kind == word {
			break
		}
	}
	r.restOfLine(h, "")
	if name.line == 0 {
		r.scopes = append(r.scopes, s)
		return true
	}
	s.name = string(r.text(name))
	s.def = r.add(h, kind, full, name, true)
	s.prefix = r.qualified(full)
	r.scopes = append(r.scopes, s)
	return true
}

// rubyMethod enters a method, unless it has no end.
func rubyMethod(r *reader, t token) bool {
	h := r.headOf(t)
	visible := r.top().access && !r.hideNext
	r.hideNext = false
	name := r.next()
	if n := r.peek(); name.kind == word && (n.kind == '.' || n.kind == ':') && n.start == name.end { // self.name
		r.next()
		name = r.next()
		visible = true
	}
	text := r.operatorText(name)
	h.last, h.lastLine = token{kind: word, start: name.start, end: r.taken.end, line: name.line}, r.takenLine
	endless := false
	if n := r.peek(); n.kind == '(' {
		r.parameters(h)
		n = r.peek()
		endless = n.kind == '='
	} else if n.kind != newline && n.kind != end {
		endless = n.kind == '='
		for r.restOfLine(h, "") && !endless { // def f a, b = 1: what a parameter is without one
		}
	}
	s := *r.top()
	kind := "method"
	if s.prefix == "" && s.kind != inType {
		kind = "func"
	}
	if text == "initialize" {
		kind = "constructor"
	}
	at := -1
	if s.kind != inBody && text != "" {
		at = r.add(h, kind, text, name, visible)
	}
	if endless {
		return true
	}
	s.def, s.kind = at, inBody
	r.scopes = append(r.scopes, s)
	return true
}

// operatorText is the name of a method, which may be an operator, or end with =.
func (r *reader) operatorText(name token) string {
	at := int(name.end)
	switch name.kind {
	case word:
		if at < len(r.src) && r.src[at] == '=' && !(at+1 < len(r.src) && (r.src[at+1] == '=' || r.src[at+1] == '~' || r.src[at+1] == '>')) && at+1 < len(r.src) && (r.src[at+1] == '(' || r.src[at+1] == ' ' && bytes.HasPrefix(bytes.TrimLeft(r.src[at+1:min(len(r.src), at+20)], " "), []byte("("))) {
			r.next()
			return string(r.src[name.start : at+1])
		}
		return string(r.text(name))
	case newline, end, '(':
		return ""
	}
	for at < len(r.src) && at < int(name.start)+4 && bytes.IndexByte([]byte("=<>!~+-*/%&|^[]@"), r.src[at]) >= 0 {
		at++
	}
	for r.peek().kind != end && int(r.peek().end) <= at {
		r.next()
	}
	return string(r.src[name.start:at])
}

// rubyAttributes adds the attributes that a line names.
func rubyAttributes(r *reader, t token) {
	h := r.headOf(t)
	for {
		n := r.peek()
		if n.kind == end || n.kind == newline && h.last.kind != ',' || n.kind == ';' {
			return
		}
		r.next()
		if n.kind == word && h.last.kind == ':' {
			one := *h
			one.last = n
			since := len(r.list)
			r.add(&one, "property", string(r.text(n)), n, r.top().access)
			r.ends(since, n.line)
		}
		if n.kind != newline {
			h.last = n
		}
	}
}

// rubyMade adds the method that a call makes which names it: a scope of a model, define_method, alias_method. What stands behind the name
// is read as any code.
func rubyMade(r *reader, t token) {
	h := r.headOf(t)
	if n := r.peek(); n.kind == '(' {
		r.next()
	}
	if n := r.peek(); n.kind != ':' {
		return
	}
	r.next()
	name := r.peek()
	if name.kind != word {
		return
	}
	r.next()
	h.last = name
	if n := r.peek(); n.kind == ')' {
		r.next()
		h.last = n
	}
	since := len(r.list)
	r.add(h, "method", string(r.text(name)), name, r.top().access)
	r.ends(since, name.line)
}

// elixir takes what declares in Elixir.
func elixir(r *reader, t token) bool {
	if !t.fresh {
		return false
	}
	kind := elixirWords[string(r.text(t))]
	if kind == "" {
		return false
	}
	h := r.headOf(t)
	if a := r.attributes; a.from > 0 && kind != "module" {
		if h.from = a.from; a.doc.end > 0 {
			h.doc = a.doc
		}
	}
	r.attributes = attributes{}
	n := r.peek()
	if n.kind != word && !(n.kind == quoted && kind == "test") {
		return false
	}
	r.next()
	name := n
	text := string(bytes.Trim(r.text(n), `"`))
	for kind == "module" || kind == "interface" || kind == "impl" {
		if n = r.peek(); n.kind != '.' {
			break
		}
		r.next()
		if n = r.next(); n.kind != word {
			break
		}
		text += "." + string(r.text(n))
	}
	if kind == "func" || kind == "macro" {
		if sign := infix(r.src[n.end:]); sign != "" {
			text = sign
		}
	}
	h.last, h.lastLine = token{kind: word, start: name.start, end: r.taken.end, line: name.line}, r.takenLine
	opened := r.restOfLine(h, "do")
	if h.last.kind == ',' { // , do: …
		h.last.end = h.last.start
	}
	s := *r.top()
	s.def = -1
	switch kind {
	case "impl":
		s.prefix, s.kind = text+".", inType
	case "module", "interface":
		s.def, s.kind, s.name = r.add(h, kind, text, name, true), inType, text
		s.prefix = r.qualified(text)
	default:
		if s.kind != inBody && text != "unquote" { // a name that is made
			s.def = r.add(h, kind, text, name, kind != "test" && !r.is(t, "defp") && !r.is(t, "defmacrop") && !r.is(t, "defguardp"))
		}
		s.kind = inBody
	}
	if opened {
		r.next()
		r.scopes = append(r.scopes, s)
	}
	return true
}

// elixirAttribute takes what a module says of itself, or of the function behind it.
func elixirAttribute(r *reader, t token) {
	name := string(r.text(t))
	var doc comment
	if n := r.peek(); n.kind == quoted && (name == "doc" || name == "moduledoc") {
		doc = comment{from: t.line, start: n.start, end: n.end}
		if rest := r.src[doc.start:doc.end]; len(rest) > 2 && rest[0] == '~' { // the letter of a sigil is none of the text
			doc.start += 2
		}
	}
	switch name {
	case "moduledoc":
		if at := r.top().def; at >= 0 && doc.end > 0 {
			r.list[at].Doc = graph.FirstSentence(commentText(r.src[doc.start:doc.end]))
		}
	case "doc", "spec", "impl", "deprecated", "tag":
		if r.attributes.from == 0 {
			r.attributes.from = t.line
			if d := r.lexer.doc; d.end > 0 && d.start < t.start {
				r.attributes.from = d.from
			}
		}
		if doc.end > 0 {
			r.attributes.doc = doc
		}
	}
}

// infix returns the operator that a text begins with, behind blanks: what "def left <> right" defines.
func infix(text []byte) string {
	text = bytes.TrimLeft(text[:min(len(text), 20)], " \t")
	n := 0
	for n < len(text) && bytes.IndexByte([]byte("=<>+-*/|&^~.@!"), text[n]) >= 0 {
		n++
	}
	if n == 0 {
		w, _, ok := bytes.Cut(text, []byte{' '})
		if s := string(w); ok && (s == "and" || s == "or" || s == "in") {
			return s
		}
		return ""
	}
	if n == len(text) || text[n] != ' ' && text[n] != '_' && text[n]|0x20 < 'a' {
		return ""
	}
	return string(text[:n])
}

var elixirWords = map[string]string{"defmodule": "module", "defprotocol": "interface", "defimpl": "impl", "def": "func", "defp": "func", "defmacro": "macro", "defmacrop": "macro",
	"defguard": "macro", "defguardp": "macro", "defdelegate": "func", "test": "test"}

// lua takes what declares in Lua.
func lua(r *reader, t token) bool {
	w := string(r.text(t))
	if w != "function" && w != "local" {
		return t.fresh && luaValue(r, r.headOf(t), t, true)
	}
	h := r.headOf(t)
	visible := true
	if w == "local" {
		visible = false
		if n := r.next(); !r.is(n, "function") {
			return n.kind == word && luaValue(r, h, n, false)
		}
	}
	n := r.peek()
	var name token
	start := n.start
	for n.kind == word || n.kind == '.' || n.kind == ':' {
		if r.next(); n.kind == word {
			name = n
		}
		if n = r.peek(); n.kind == word && r.taken.kind == word {
			break
		}
	}
	s := *r.top()
	s.def = -1
	if name.line > 0 {
		text := string(bytes.ReplaceAll(r.src[start:name.end], []byte(":"), []byte(".")))
		h.last, h.lastLine = name, name.line
		r.parameters(h)
		if s.kind != inBody {
			s.def = r.add(h, "func", text, name, visible)
		}
	}
	s.kind = inBody
	r.scopes = append(r.scopes, s)
	return true
}

// parameters passes the group that follows, as a part of a head.
func (r *reader) parameters(h *head) {
	if n := r.peek(); n.kind == '(' {
		r.next()
		r.skip('(', ')')
		h.last, h.lastLine = token{kind: ')', start: n.start, end: r.taken.end, line: r.takenLine}, r.takenLine
	}
}

// luaValue takes name = function(…), whose name begins with a token that was taken.
func luaValue(r *reader, h *head, t token, visible bool) bool {
	name, start := t, t.start
	n := r.peek()
	for n.kind == '.' || n.kind == word && r.taken.kind == '.' {
		if r.next(); n.kind == word {
			name = n
		}
		n = r.peek()
	}
	if n.kind != '=' || r.top().kind == inBody {
		return false
	}
	r.next()
	if n = r.peek(); !r.is(n, "function") {
		return false
	}
	r.next()
	h.last, h.lastLine = n, n.line
	r.parameters(h)
	s := *r.top()
	s.def, s.kind = r.add(h, "func", string(r.src[start:name.end]), name, visible), inBody
	r.scopes = append(r.scopes, s)
	return true
}
