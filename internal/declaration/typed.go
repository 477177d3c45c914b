package declaration

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// classifyTyped looks at a statement of a language in which a type stands before a name: Java, C#, Dart.
func classifyTyped(r *reader, h *head) body {
	t := h.tokens
	s := r.top()
	visible := r.visible(h, 0)
	i, constant := r.modifiersTyped(t)
	if i < len(t) && t[i].kind == '@' && i+1 < len(t) { // @interface
		i++
	}
	if i >= len(t) {
		if h.close.kind == '{' && s.kind == inFile {
			return r.block(r.grammar.transparent)
		}
		return body{}
	}
	w := string(r.text(t[i]))
	if kind := r.grammar.types[w]; t[i].kind == word && kind != "" && i+1 < len(t) && (t[i+1].kind == word || kind == "extension") {
		return r.typeOf(h, i, kind, visible)
	}
	if t[i].kind == word && statementWords[w] {
		return body{}
	}
	switch w {
	case "delegate", "typedef":
		if at := r.nameBefore(t, i, '('); at > i {
			r.add(h, "type", string(r.text(t[at])), t[at], visible)
		} else if i+1 < len(t) && t[i+1].kind == word {
			r.add(h, "type", string(r.text(t[i+1])), t[i+1], visible)
		}
		return body{}
	case "event":
		if at := lastWord(t); at > i {
			r.add(h, "property", string(r.text(t[at])), t[at], visible)
		}
		return body{}
	}
	if s.kind == inFile && r.grammar.language.Name != "Dart" && !h.value && h.close.kind == '{' && r.nameBefore(t, i, '(') < 0 {
		return body{}
	}
	return member(r, h, i, visible, constant)
}

// modifiersTyped returns the place behind the modifiers that a statement begins with, and whether they make a constant of what
// it declares: it belongs to no value, and is not assigned again.
func (r *reader) modifiersTyped(t []token) (i int, constant bool) {
	static := r.top().kind == inFile
	for ; i < len(t) && (t[i].kind == word && r.grammar.modifiers[string(r.text(t[i]))] || t[i].kind == '-'); i++ {
		switch string(r.text(t[i])) {
		case "const":
			constant, static = true, true
		case "final", "readonly":
			constant = true
		case "static":
			static = true
		}
	}
	return i, constant && static
}

// visible reports whether modifiers say that others see what follows.
func (r *reader) visible(h *head, from int) bool {
	s := r.top()
	if r.grammar.language.Name == "Dart" {
		return true
	}
	for _, one := range h.tokens[from:] {
		if one.kind != word {
			break
		}
		switch string(r.text(one)) {
		case "public", "protected":
			return true
		case "private", "internal", "file":
			return false
		}
	}
	return s.kind == inInterface
}

// typeOf enters a type whose word stands at i.
func (r *reader) typeOf(h *head, i int, kind string, visible bool) body {
	t := h.tokens
	at := i + 1
	for at+1 < len(t) && t[at].kind == word && t[at+1].kind == word && r.grammar.types[string(r.text(t[at]))] != "" {
		if r.grammar.language.Name == "Dart" {
			kind = r.grammar.types[string(r.text(t[at]))]
		}
		at++ // record struct, mixin class
	}
	s := *r.top()
	s.def, s.name, s.trailing, s.commas, s.typedef = -1, string(r.text(t[at])), false, false, false
	if kind == "namespace" {
		s.kind = inNamespace
		last := at
		for last+2 < len(t) && t[last+1].kind == '.' {
			last += 2
		}
		text := string(r.src[t[at].start:t[last].end])
		s.def = r.add(h, kind, text, t[at], true)
		return body{members, s}
	}
	if t[at].kind != word {
		return body{members, s}
	}
	if r.grammar.language.Name == "Dart" {
		visible = s.name[0] != '_'
	}
	if kind == "extension" {
		if at+1 < len(t) && r.is(t[at], "on") && t[at+1].kind == word {
			s.name, s.kind = string(r.text(t[at+1])), inType
			s.prefix = r.qualified(s.name)
			return body{members, s}
		}
		if r.is(t[at], "type") && at+1 < len(t) {
			at++
			s.name = string(r.text(t[at]))
		}
		kind = "class"
	}
	s.def = r.add(h, kind, s.name, t[at], visible)
	s.prefix = r.qualified(s.name)
	s.exported = s.exported && visible
	s.kind = inType
	if kind == "interface" && r.grammar.language.Name != "Dart" {
		s.kind = inInterface
	}
	for _, p := range h.properties {
		r.property(h, s, p)
	}
	if kind == "enum" {
		if r.grammar.language.Name == "C#" {
			return body{skipped, s}
		}
		return body{enumerated, s}
	}
	return body{members, s}
}

// member adds a function, a property or fields, whose type or name stands at i.
func member(r *reader, h *head, i int, visible, constant bool) body {
	t := h.tokens
	s := r.top()
	if at := r.nameBefore(t, i, '('); at >= 0 {
		if r.grammar.language.Name == "Dart" {
			return dartFunction(r, h, i, at)
		}
		return callable(r, h, i, at, visible)
	}
	if at := r.operatorIn(t, i); at >= 0 {
		r.add(h, "method", r.operatorName(t[at:r.groupAfter(t, at)]), t[at], visible)
		return body{}
	}
	last := lastWord(t)
	if last < 0 {
		return body{}
	}
	if h.close.kind == '{' || h.arrow {
		if at := r.nameBefore(t, i, '['); at >= 0 && r.is(t[at], "this") {
			r.add(h, "property", "this", t[at], visible)
			return body{}
		}
		if last == i && s.kind == inType && r.grammar.at && r.is(t[i], s.name) && !h.arrow { // of a record of Java
			r.add(h, "constructor", s.name, t[i], visible)
			return body{}
		}
		if s.kind == inFile && (last == 0 || !r.is(t[last-1], "get") || r.grammar.language.Name != "Dart") || last == i && !r.is(t[last], "get") {
			return body{}
		}
		if last > i {
			r.add(h, "property", string(r.text(t[last])), t[last], visible)
		}
		return body{}
	}
	if r.grammar.language.Name == "Dart" && last > 0 && r.is(t[last-1], "get") && !h.value { // abstract or external
		r.add(h, "property", string(r.text(t[last])), t[last], r.src[t[last].start] != '_')
		return body{}
	}
	fields(r, h, i, visible, constant)
	return body{}
}

// callable adds a method, a constructor or a function, whose name stands at a place; its type, or the name itself, at i.
func callable(r *reader, h *head, i, at int, visible bool) body {
	t := h.tokens
	s := r.top()
	kind, name := "method", string(r.text(t[at]))
	if s.kind == inFile || s.kind == inNamespace {
		kind = "func"
	}
	switch {
	case at > 0 && t[at-1].kind == '~':
		name = "~" + name
	case at == i && name == "extension" && h.close.kind == '{':
		return r.block(true) // its members are called as those of the class around it
	case at == i && name != s.name:
		return body{} // a call
	case s.kind == inFile && (h.close.kind != '{' && !h.arrow || t[at-1].kind == '.'):
		return body{} // a call between the statements of a program
	case at == i:
		kind = "constructor"
	}
	if h.test {
		kind = "test"
	}
	r.add(h, kind, name, t[at], visible)
	return body{}
}

// fields adds those fields that can be seen, and constants.
func fields(r *reader, h *head, i int, visible, constant bool) {
	t := h.tokens
	s := r.top()
	kind := "field"
	switch {
	case constant:
		kind = "const"
	case s.kind == inFile:
		kind = "var"
	}
	if r.grammar.language.Name == "Dart" && i > 0 && i+1 == len(t) && h.value { // final x = 1
		i--
	}
	for part := 0; i <= len(t); part++ {
		stop := i
		for stop < len(t) && t[stop].kind != ',' {
			stop++
		}
		at := lastWord(t[i:stop])
		if at < 0 || part == 0 && at == 0 {
			return
		}
		name := t[i+at]
		if r.grammar.language.Name == "Dart" {
			visible = r.src[name.start] != '_'
		}
		if visible || constant && kind == "const" {
			r.add(h, kind, string(r.text(name)), name, visible)
		}
		i = stop + 1
	}
	for _, at := range h.more {
		if visible {
			r.add(h, kind, string(r.text(at)), at, visible)
		}
	}
}

// nameBefore returns the place of the word before the first group of a kind, type parameters between them left out; -1 where
// there is none.
func (r *reader) nameBefore(t []token, i int, kind byte) int {
	if r.is(t[i], "operator") {
		return -1
	}
	for j := i + 1; j < len(t); j++ {
		if r.is(t[j], "operator") {
			return -1
		}
		if t[j].kind != kind {
			continue
		}
		at := j - 1
		if t[at].kind == '<' && at > i {
			at--
		}
		if kind == '(' && r.is(t[at], "Function") && r.grammar.language.Name == "Dart" {
			continue // a type of functions: the name stands behind it
		}
		if t[at].kind == word && (!r.grammar.modifiers[string(r.text(t[at]))] || at > i && kind == '(' && r.grammar.language.Name == "Dart") && !r.states(t, i, at) {
			return at
		}
		if kind != '(' {
			return -1
		}
	}
	return -1
}

// states reports whether a word is one that statements are made of, and not a name behind its type: `void lock()`, `byte[] export()`.
func (r *reader) states(t []token, i, at int) bool {
	if !statementWords[string(r.text(t[at]))] {
		return false
	}
	return at == i || t[at-1].kind == word && statementWords[string(r.text(t[at-1]))] || strings.IndexByte("<[", t[at-1].kind) < 0 && t[at-1].kind != word
}

// operatorIn returns the place of the word operator, or -1.
func (r *reader) operatorIn(t []token, i int) int {
	for j := i; j < len(t); j++ {
		if r.is(t[j], "operator") {
			return j
		}
	}
	return -1
}

// groupAfter returns the place of the first parentheses behind a place, or where the tokens end.
func (r *reader) groupAfter(t []token, at int) int {
	for j := at + 1; j < len(t); j++ {
		if t[j].kind == '(' {
			return j
		}
	}
	return len(t)
}

// lastWord returns the place of the last word, what follows a = left out, or -1.
func lastWord(t []token) int {
	for j := len(t) - 1; j >= 0; j-- {
		if t[j].kind == word {
			return j
		}
	}
	return -1
}

// dartFunction adds a function, method or constructor of Dart.
func dartFunction(r *reader, h *head, i, at int) body {
	t := h.tokens
	s := r.top()
	name := string(r.text(t[at]))
	kind := "func"
	if s.kind != inFile {
		kind = "method"
		from := at
		for from >= 2 && t[from-1].kind == '.' {
			from -= 2
		}
		if r.is(t[from], s.name) && (from == i || from == at || t[from].start < t[at].start) {
			kind = "constructor"
		}
	} else if at == i && h.close.kind == ';' && !h.arrow {
		return body{}
	}
	r.add(h, kind, name, t[at], name[0] != '_')
	return body{}
}

var statementWords = language.WordSet("return if for while switch throw new else do try catch import package using export library part assert await yield goto lock fixed checked case")
