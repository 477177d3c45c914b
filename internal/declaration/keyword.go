package declaration

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/language"
)

// classifyWords looks at a statement of a language in which a word stands before a name: Rust, Kotlin, Swift, Scala, PHP.
func classifyWords(r *reader, h *head) body {
	t := h.tokens
	i := 0
	for i < len(t) && (t[i].kind == word && r.grammar.modifiers[string(r.text(t[i]))] && !r.names(t, i) || t[i].kind == '(' && i > 0 || t[i].kind == '[' && i > 0 || t[i].kind == quoted) {
		i++
	}
	if i > 0 && i < len(t) && t[i].kind == '?' && r.grammar.pages {
		i++
	}
	if i >= len(t) || t[i].kind != word {
		return r.block(r.grammar.transparent || r.foreign(t[:i]))
	}
	w := string(r.text(t[i]))
	if r.grammar.other != nil && r.grammar.declares[w] == nil {
		return r.grammar.other(r, h, i)
	}
	d := r.grammar.declares[w]
	if d == nil {
		if r.top().commas && i+1 < len(t) && t[i+1].kind == ':' {
			if i > 0 && r.is(t[0], "pub") {
				r.add(h, "field", w, t[i], true)
			}
			return body{}
		}
		return r.other(h, i)
	}
	return d(r, h, i)
}

// foreign reports whether what stands before a brace of Rust says that others define what is declared in it: extern "C".
func (r *reader) foreign(t []token) bool {
	n := len(t)
	if n > 0 && t[n-1].kind == quoted {
		n--
	}
	return n > 0 && r.grammar.language.Name == "Rust" && r.is(t[n-1], "extern")
}

// names reports whether a word that may be a modifier is a name here: nothing that a modifier can stand before follows.
func (r *reader) names(t []token, i int) bool {
	return i+1 < len(t) && (t[i+1].kind == ':' || t[i+1].kind == '=' || t[i+1].kind == '.')
}

// other looks at a statement that no word declares: properties of PHP, blocks.
func (r *reader) other(h *head, i int) body {
	t := h.tokens
	s := r.top()
	if r.grammar.pages {
		if s.kind == inType || s.kind == inInterface {
			r.phpFields(h, i)
			return body{}
		}
		if h.object || r.newClass(t) {
			return r.objectOf(variable(r.text(t[0]), h.object), -1, true)
		}
		if (r.is(t[i], "define") || r.is(t[i], `\define`)) && i+1 < len(t) && t[i+1].kind == '(' {
			text := bytes.TrimLeft(r.src[t[i+1].start+1:t[i+1].end], " \t\r\n")
			if n := len(text); n > 2 && (text[0] == '\'' || text[0] == '"') {
				if end := bytes.IndexByte(text[1:min(n, 200)], text[0]); end > 0 {
					r.add(h, "const", string(text[1:1+end]), t[i], true)
				}
			}
		}
		return r.block(!h.value && t[i].kind == word && phpBlocks[string(r.text(t[i]))])
	}
	if i > 0 && r.is(t[0], "package") && r.grammar.language.Name == "Scala" {
		return r.block(h.close.kind == '{')
	}
	return r.block(r.grammar.transparent && h.close.kind == '{' && i == 0 && len(t) < 3)
}

// variable is the name of a variable of PHP to which something is assigned.
func variable(name []byte, assigned bool) string {
	if bare, ok := bytes.CutPrefix(name, []byte{'$'}); ok && assigned {
		return string(bare)
	}
	return ""
}

// newClass reports whether a statement of PHP makes an object of a class that has no name.
func (r *reader) newClass(t []token) bool {
	for i := range t[:max(0, len(t)-1)] {
		if r.is(t[i], "new") && r.is(t[i+1], "class") {
			return true
		}
	}
	return false
}

var phpBlocks = language.WordSet("if else elseif")

// public reports whether the modifiers before i let others see what follows.
func (r *reader) public(h *head, i int) bool {
	hidden := false
	for _, m := range h.tokens[:min(i, len(h.tokens))] {
		if m.kind != word {
			continue
		}
		switch string(r.text(m)) {
		case "pub", "public", "open", "protected":
			return true
		case "private", "fileprivate", "internal":
			hidden = true
		}
	}
	switch r.grammar.language.Name {
	case "Rust":
		return r.top().kind == inInterface
	case "Swift":
		return r.top().kind == inInterface
	}
	return !hidden
}

// declareType enters a type of this kind, whose name stands behind the word at i.
func declareType(kind string) declare {
	return func(r *reader, h *head, i int) body {
		t := h.tokens
		at := i + 1
		k := kind
		for at < len(t) && t[at].kind == word && at+1 < len(t) && t[at+1].kind == word && (r.grammar.types[string(r.text(t[at]))] != "") {
			k = r.grammar.types[string(r.text(t[at]))]
			at++ // case class, enum class
		}
		s := *r.top()
		s.def, s.trailing, s.commas, s.kind = -1, false, false, inType
		if k == "interface" || k == "trait" {
			s.kind = inInterface
		}
		var name token
		if at < len(t) && t[at].kind == word && !(r.is(t[at], "extends") || r.is(t[at], "implements")) {
			name = t[at]
		}
		if name.line == 0 {
			if r.grammar.language.Name == "Kotlin" && i > 0 { // companion object
				return body{members, s}
			}
			if h.close.kind == '{' && r.grammar.pages {
				return body{}
			}
			return body{members, s}
		}
		visible := r.public(h, i)
		s.name = bare(r.text(name))
		s.def = r.add(h, k, s.name, name, visible)
		s.prefix = r.qualified(s.name)
		s.exported = s.exported && visible
		for _, p := range h.properties {
			r.property(h, s, p)
		}
		return r.typeBody(h, i, k, s)
	}
}

// property adds a parameter of a type that is a property of it.
func (r *reader) property(h *head, s scope, at token) {
	one := head{first: at, last: at, from: at.line, lastLine: at.line}
	r.scopes = append(r.scopes, s)
	r.add(&one, "property", bare(r.text(at)), at, !at.hidden)
	r.scopes = r.scopes[:len(r.scopes)-1]
}

// typeBody is what the block of a type is.
func (r *reader) typeBody(h *head, i int, kind string, s scope) body {
	if kind != "enum" {
		s.commas = r.grammar.language.Name == "Rust" && (kind == "struct" || kind == "union")
		return body{members, s}
	}
	switch r.grammar.language.Name {
	case "Rust", "Protocol Buffers", "GraphQL":
		return body{skipped, s}
	case "Kotlin":
		return body{enumerated, s}
	}
	return body{members, s}
}

// bare is a name without the signs that quote it.
func bare(name []byte) string { return string(bytes.Trim(name, "`")) }

// declareFunction adds a function, whose name is the last word before its parameters.
func declareFunction(r *reader, h *head, i int) body {
	t := h.tokens
	at := -1
	if i+1 < len(t) && t[i+1].kind != word && t[i+1].kind != '(' && t[i+1].kind != '<' && t[i+1].kind != '[' {
		r.operatorFunction(h, i+1)
		return body{}
	}
	from := i + 1
	if r.grammar.language.Name == "Kotlin" {
		from = r.receiver(t, i+1)
	}
	for j := from; j < len(t); j++ {
		if t[j].kind == '(' || t[j].kind == '[' && j > i+1 || t[j].kind == '<' && j > i+1 && t[j-1].kind == word || t[j].kind == ':' || t[j].kind == '=' {
			at = j - 1
			if t[j].kind == '<' && j+1 < len(t) && t[j+1].kind == '.' { // List<T>.name(…)
				continue
			}
			break
		}
		at = j
	}
	if at <= i {
		return body{}
	}
	if t[at].kind != word {
		return body{}
	}
	name, token := bare(r.text(t[at])), t[at]
	s := r.top()
	kind := "func"
	switch s.kind {
	case inType, inInterface:
		kind = "method"
	}
	if s.kind != inFile && (name == "__construct" || name == "this" && r.grammar.language.Name == "Scala") {
		kind = "constructor"
	}
	if h.test {
		kind = "test"
	}
	r.add(h, kind, name, token, r.public(h, i))
	return body{}
}

// receiver returns where, behind a place, the name of a function or a property of Kotlin begins: type parameters and the type
// that it extends stand before it, which may be in parentheses, have arguments, and may be null.
func (r *reader) receiver(t []token, i int) int {
	name := i
	for ; i < len(t); i++ {
		switch t[i].kind {
		case '.':
			name = i + 1
		case word:
			if i > name && r.is(t[i], "by") { // what a property is delegated to
				return name
			}
		case '<', '?', '&':
		case '(':
			if i > name && t[i-1].kind == word || !r.extended(t, i) {
				return name
			}
		default:
			return name
		}
	}
	return name
}

// extended reports whether a group is a type that is extended: behind it a dot and a name follow.
func (r *reader) extended(t []token, i int) bool {
	for i++; i < len(t) && t[i].kind == '?'; i++ {
	}
	return i+1 < len(t) && t[i].kind == '.' && t[i+1].kind == word
}

// operatorFunction adds a function that is called by signs.
func (r *reader) operatorFunction(h *head, at int) {
	t := h.tokens
	last := at
	for last+1 < len(t) && t[last+1].start == t[last].end && t[last+1].kind != word && t[last+1].kind != '(' && t[last+1].kind != '[' {
		last++
	}
	if name := string(r.src[t[at].start:t[last].end]); len(name) < 8 && r.top().kind != inBody {
		r.add(h, "method", name, t[at], r.public(h, at-1))
	}
}

// declareConstructor adds a constructor, which is called as its word.
func declareConstructor(r *reader, h *head, i int) body {
	if k := r.top().kind; (k == inType || k == inInterface) && i+1 < len(h.tokens) {
		r.add(h, "constructor", string(r.text(h.tokens[i])), h.tokens[i], r.public(h, i))
	}
	return body{}
}

// declareValue adds a variable, a property or a constant.
func declareValue(kind string) declare {
	return func(r *reader, h *head, i int) body {
		t := h.tokens
		at, from := -1, i+1
		if r.grammar.language.Name == "Kotlin" {
			from = r.receiver(t, from)
		}
		for j := from; j < len(t); j++ {
			if k := t[j].kind; k != word && k != '.' && k != '<' && k != '?' || at >= 0 && (r.is(t[j], "by") || r.is(t[j], "get") || r.is(t[j], "set")) {
				break
			}
			if w := string(r.text(t[j])); t[j].kind == word && w != "mut" {
				at = j
			}
		}
		if at < 0 {
			return body{}
		}
		s := r.top()
		k := kind
		if k == "var" && (s.kind == inType || s.kind == inInterface) {
			if k = "property"; r.grammar.language.Name == "Swift" && !r.public(h, i) && len(h.tokens) > 0 && r.private(h, i) {
				return body{}
			}
		}
		if j := constWord(r, t[:i]); j {
			k = "const"
		}
		def := r.add(h, k, bare(r.text(t[at])), t[at], r.public(h, i))
		if h.object {
			return r.objectOf(bare(r.text(t[at])), def, r.public(h, i))
		}
		if r.grammar.language.Name == "Swift" {
			r.others(h, k, at, r.public(h, i))
		}
		for _, m := range h.more {
			r.add(h, k, bare(r.text(m)), m, r.public(h, i))
		}
		return body{}
	}
}

// others adds the names of a declaration of Swift behind its first, which stands at a place: let a: X, b: Y.
func (r *reader) others(h *head, kind string, at int, visible bool) {
	t := h.tokens
	for j := at + 1; j+1 < len(t); j++ {
		if t[j].kind == ',' && t[j+1].kind == word && (j+2 == len(t) || t[j+2].kind == ':' || t[j+2].kind == ',') {
			r.add(h, kind, bare(r.text(t[j+1])), t[j+1], visible)
		}
	}
}

// objectOf enters an object that is the value of what was added.
func (r *reader) objectOf(name string, def int, visible bool) body {
	s := *r.top()
	s.def, s.kind, s.name, s.trailing, s.commas = def, inType, name, false, false
	s.prefix = r.qualified(name)
	s.exported = s.exported && visible
	return body{members, s}
}

func constWord(r *reader, t []token) bool {
	for _, one := range t {
		if r.is(one, "const") {
			return true
		}
	}
	return false
}

// private reports whether the modifiers before i say so.
func (r *reader) private(h *head, i int) bool {
	for k, m := range h.tokens[:i] {
		if (r.is(m, "private") || r.is(m, "fileprivate")) && h.tokens[k+1].kind != '(' { // private(set) is who may assign
			return true
		}
	}
	return false
}

// declareName adds what is called by the next word, and passes its block.
func declareName(kind string) declare {
	return func(r *reader, h *head, i int) body {
		if t := h.tokens; i+1 < len(t) && t[i+1].kind == word {
			r.add(h, kind, bare(r.text(t[i+1])), t[i+1], r.public(h, i))
		}
		return body{}
	}
}

// declareModule enters a module: names in it are not qualified.
func declareModule(kind string) declare {
	return func(r *reader, h *head, i int) body {
		t := h.tokens
		if i+1 >= len(t) || t[i+1].kind != word {
			return r.block(h.close.kind == '{')
		}
		s := *r.top()
		s.kind, s.trailing, s.commas, s.name = inNamespace, false, false, ""
		last := i + 1
		for last+2 < len(t) && (t[last+1].kind == '.' || t[last+1].kind == '\\') && t[last+2].kind == word {
			last += 2
		}
		visible := r.public(h, i) || r.grammar.language.Name != "Rust"
		s.def = r.add(h, kind, bare(r.src[t[i+1].start:t[last].end]), t[i+1], visible)
		s.exported = true
		return body{members, s}
	}
}

// declareImpl enters what adds members to a type: impl T for X, extension X.
func declareImpl(r *reader, h *head, i int) body {
	t := h.tokens
	var name token
	for j := i + 1; j < len(t); j++ {
		if t[j].kind == word {
			switch w := string(r.text(t[j])); {
			case w == "for" && r.grammar.language.Name == "Rust":
				if j+1 < len(t) && t[j+1].kind == '<' {
					continue
				}
				name = token{}
				continue
			case w == "where":
				j = len(t)
				continue
			case w == "dyn" || w == "mut" || w == "const":
				continue
			}
			if name.line > 0 && r.grammar.language.Name == "Swift" && t[j-1].kind == '.' { // a type in another
				name.end = t[j].end
				continue
			}
			name = t[j]
		}
		if t[j].kind == ':' && r.grammar.language.Name == "Swift" {
			break
		}
	}
	s := *r.top()
	s.def, s.kind, s.trailing, s.commas = -1, inType, false, false
	s.name = bare(r.text(name))
	if r.grammar.language.Name == "Rust" {
		s.prefix = ""
		s.exported = true
		for _, one := range t[i:] {
			if r.is(one, "for") { // the trait's members can be seen where it can
				s.kind = inInterface
			}
		}
	}
	r.scopes = append(r.scopes, s)
	s.prefix = r.prefixed2(s)
	r.scopes = r.scopes[:len(r.scopes)-1]
	return body{members, s}
}

func (r *reader) prefixed2(s scope) string {
	if s.name == "" {
		return s.prefix
	}
	return r.qualified(s.name)
}

// declareRules adds a macro of Rust: macro_rules! name { … }.
func declareRules(r *reader, h *head, i int) body {
	if t := h.tokens; i+2 < len(t) && t[i+1].kind == '!' && t[i+2].kind == word {
		r.add(h, "macro", string(r.text(t[i+2])), t[i+2], true)
	}
	return body{}
}

// phpFields adds the public properties of a class of PHP.
func (r *reader) phpFields(h *head, i int) {
	t := h.tokens
	if i == 0 || h.close.kind == '{' && i+1 == len(t) {
		return
	}
	visible := false
	for _, m := range t[:i] {
		if w := string(r.text(m)); w == "public" || w == "var" {
			visible = true
		}
	}
	for _, one := range t[i:] {
		if one.kind == word && r.src[one.start] == '$' && visible {
			r.add(h, "field", string(r.src[one.start+1:one.end]), one, true)
		}
	}
}

// page passes what stands between the code of PHP.
func (r *lexer) page() {
	start := r.at
	for {
		n := bytes.Index(r.src[r.at:], []byte("<?"))
		if n < 0 {
			r.at = len(r.src)
			break
		}
		r.at += n + 2
		if rest := r.src[r.at:]; len(rest) >= 3 && bytes.EqualFold(rest[:3], []byte("php")) {
			r.at += 3
			break
		} else if r.at < len(r.src) && (r.src[r.at] == '=' || r.src[r.at] == ' ' || r.src[r.at] == '\n') {
			break
		}
	}
	r.countLines(start)
	r.pending = comment{}
}
