package declaration

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/language"
)

// readCommands reads a language of commands: Shell and PowerShell.
func readCommands(r *reader) {
	start := true
	named := false // the member of a class whose statement is read
	for {
		t := r.next()
		switch t.kind {
		case end:
			return
		case newline, ';', '{', '&', '|':
			start, named = true, false
			continue
		case '}':
			if s := r.top(); len(r.scopes) > 1 && s.kind == inType {
				r.leave(t.line)
			}
			start, named = true, false
			continue
		case word:
			w := string(bytes.ToLower(r.text(t)))
			switch {
			case start && (w == "function" || w == "filter" && r.grammar.language.FoldsCase):
				r.commandFunction(r.headOf(t), r.next())
			case start && r.grammar.language.FoldsCase && (w == "class" || w == "enum"):
				r.commandType(r.headOf(t), w)
			case r.top().kind == inType && r.grammar.language.FoldsCase && r.src[t.start] == '$':
				r.commandProperty(t, named)
				named = true
			case start && !r.grammar.language.FoldsCase || r.top().kind == inType && r.src[t.start] != ':':
				if n := r.peek(); n.kind == '(' && n.start <= t.end+1 {
					r.commandFunction(r.headOf(t), t)
				}
			}
			start = w == "then" || w == "do" || w == "else"
			continue
		case '$', '<', '>':
			r.substituted(t)
		case '[':
			if r.top().kind == inType { // the type of a member
				r.skip('[', ']')
				continue
			}
		}
		start = false
	}
}

// substituted passes what a command of a shell writes, or reads, which stands in parentheses behind a sign.
func (r *reader) substituted(t token) {
	if n := r.peek(); n.kind == '(' && n.start == t.end && !r.grammar.language.FoldsCase {
		r.next()
		r.skip('(', ')')
	}
}

// commandProperty adds a property of a class of PowerShell, unless its statement has named one: what follows that is its value.
func (r *reader) commandProperty(t token, named bool) {
	if named || t.end-t.start < 2 {
		return
	}
	h := r.headOf(t)
	h.last, h.lastLine = t, t.line
	r.add(h, "property", string(r.text(t)[1:]), t, true)
}

// commandFunction takes a function whose name was taken, if a body follows.
func (r *reader) commandFunction(h *head, name token) {
	if name.kind != word {
		return
	}
	text := string(r.text(name))
	h.last, h.lastLine = name, name.line
	if n := r.peek(); n.kind == '(' {
		r.next()
		if inner := r.peek(); inner.kind != ')' && !r.grammar.language.FoldsCase {
			return
		}
		r.skip('(', ')')
		h.last, h.lastLine = r.taken, r.takenLine
	}
	n := r.peek()
	for n.kind == newline {
		r.next()
		n = r.peek()
	}
	if n.kind != '{' && n.kind != '(' && n.kind != '[' {
		return
	}
	kind := "func"
	if r.top().kind == inType {
		if kind = "method"; text == r.top().name {
			kind = "constructor"
		}
	} else if i := bytes.IndexByte([]byte(text), ':'); i > 0 && r.grammar.language.FoldsCase { // script:name
		text = text[i+1:]
	}
	since := len(r.list)
	r.add(h, kind, text, name, true)
	r.next()
	if n.kind == '{' && !r.grammar.language.FoldsCase {
		r.skipCommands()
	} else {
		r.skip(n.kind, closing(n.kind))
	}
	r.ends(since, r.takenLine)
}

// skipCommands passes commands up to the } that closes them: it and { are words there, no parts of others.
func (r *reader) skipCommands() {
	r.blocks++
	defer func() { r.blocks-- }()
	before := byte('{')
	for depth := 1; ; {
		t := r.next()
		switch t.kind {
		case '{':
			if p := r.src[max(0, t.start-1)]; (p == ' ' || p == '\t' || p == '\n') && int(t.end) < len(r.src) && (r.src[t.end] == ' ' || r.src[t.end] == '\n' || r.src[t.end] == '\t') {
				depth++
			}
		case '}':
			if t.fresh || before == ';' || before == newline || before == '}' || before == '{' || before == '&' {
				if depth--; depth == 0 {
					return
				}
			}
		case end:
			return
		}
		before = t.kind
	}
}

// commandType enters a class of PowerShell.
func (r *reader) commandType(h *head, kind string) {
	name := r.next()
	if name.kind != word {
		return
	}
	h.last, h.lastLine = name, name.line
	n := r.peek()
	for n.kind != '{' {
		if n.kind == end || n.kind == ';' {
			return
		}
		r.next()
		n = r.peek()
	}
	r.next()
	s := *r.top()
	s.kind, s.name = inType, string(r.text(name))
	s.def = r.add(h, kind, s.name, name, true)
	s.prefix = r.qualified(s.name)
	r.scopes = append(r.scopes, s)
	if len(r.scopes) > maxScopes {
		r.leave(r.takenLine)
	}
}

// readSQL reads the statements that create something.
func readSQL(r *reader) {
	start := true
	for {
		t := r.next()
		switch {
		case t.kind == end:
			return
		case t.kind == ';':
			start = true
			continue
		case t.kind == word && start && folded(r.text(t), "create"):
			r.create(t)
			start = true
			continue
		case t.kind == word && folded(r.text(t), "go") && t.fresh, t.kind == '/' && t.fresh:
			start = true
			continue
		case t.kind == word && t.fresh && t.column == 0 && folded(r.text(t), "create"):
			r.create(t) // behind a statement without an end
			continue
		}
		start = false
	}
}

func folded(w []byte, want string) bool {
	return len(w) == len(want) && bytes.EqualFold(w, []byte(want))
}

var (
	// creations are what SQL creates, with their kinds; "" is for what is not told.
	creations = map[string]string{"table": "table", "view": "view", "function": "func", "procedure": "func", "proc": "func", "type": "type", "domain": "type", "trigger": "trigger",
		"aggregate": "func", "package": "module", "index": "", "sequence": "", "schema": "", "extension": "", "role": "", "user": "", "database": "", "policy": "", "rule": "", "operator": "", "event": ""}
	createModifiers = language.WordSet("or replace temp temporary unlogged global local materialized recursive unique external foreign virtual constraint editionable noneditionable force algorithm definer clustered nonclustered fulltext secure transient alter undefined merge sql security invoker body")
	routines        = language.WordSet("function procedure proc trigger package")
)

// create takes what is created behind the word create.
func (r *reader) create(t token) {
	h := r.headOf(t)
	var object string
	for range 24 {
		n := r.peek()
		if n.kind == '=' || n.kind == quoted || n.kind == '@' {
			r.next()
			continue
		}
		if n.kind != word {
			return
		}
		w := string(bytes.ToLower(r.text(n)))
		if _, ok := creations[w]; ok {
			object = w
			r.next()
			break
		}
		r.next()
		if !createModifiers[w] && r.taken.kind == word && r.peek().kind != '@' && !(r.peek().kind == word || r.peek().kind == quoted) {
			return
		}
	}
	kind := creations[object]
	for n := r.peek(); n.kind == word && (folded(r.text(n), "if") || folded(r.text(n), "not") || folded(r.text(n), "exists") || folded(r.text(n), "body") || folded(r.text(n), "or")); n = r.peek() {
		r.next()
	}
	name := r.next()
	text := ""
	for name.kind == word || name.kind == quoted || name.kind == '[' {
		part := r.text(name)
		if name.kind == '[' {
			part = r.text(r.next())
			r.next()
		}
		text += string(bytes.Trim(part, "\"`[]'"))
		if r.peek().kind != '.' {
			break
		}
		r.next()
		name = r.next()
		text += "."
	}
	h.last, h.lastLine = token{start: name.start, end: r.taken.end, line: r.takenLine}, r.takenLine
	if n := r.peek(); n.kind == '(' && object != "table" && object != "type" {
		r.parameters(h)
	}
	since := len(r.list)
	if kind != "" {
		r.add(h, kind, text, name, true)
	}
	r.passStatement(routines[object])
	r.ends(since, r.takenLine)
}

// passStatement passes the rest of a statement of SQL; that of a routine may hold others between begin and end.
func (r *reader) passStatement(routine bool) {
	depth := 0
	for {
		t := r.next()
		switch t.kind {
		case end:
			return
		case ';':
			if depth <= 0 {
				return
			}
		case '/':
			if t.fresh && t.column == 0 {
				return
			}
		case word:
			w := r.text(t)
			switch {
			case t.fresh && t.column == 0 && (folded(w, "go") || folded(w, "delimiter")):
				return
			case !routine:
			case folded(w, "begin"), folded(w, "case"):
				depth++
			case folded(w, "end"):
				n := r.peek()
				if n.kind == word && (folded(r.text(n), "if") || folded(r.text(n), "loop") || folded(r.text(n), "while") || folded(r.text(n), "repeat") || folded(r.text(n), "for")) {
					r.next()
					continue
				}
				if n.kind == word && folded(r.text(n), "case") {
					r.next()
				}
				depth--
			}
		}
	}
}
