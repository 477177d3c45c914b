package declaration

import "bytes"

// protoOther takes a field of Protocol Buffers, or goes into a group of them.
func protoOther(r *reader, h *head, i int) body {
	t := h.tokens
	switch w := string(r.text(t[i])); {
	case w == "oneof" || w == "group":
		return r.block(h.close.kind == '{')
	case r.top().kind != inType || !h.value || h.close.kind == '{' || w == "option" || w == "reserved" || w == "extensions":
		return body{}
	}
	if at := lastWord(t); at > i {
		r.add(h, "field", string(r.text(t[at])), t[at], true)
	}
	return body{}
}

// classifyGraphQL looks at a statement of GraphQL.
func classifyGraphQL(r *reader, h *head) body {
	t := h.tokens
	i := 0
	if len(t) > 1 && t[0].kind == quoted { // what it says of itself
		doc := t[0]
		h.doc = comment{start: doc.start, end: doc.end}
		i = 1
		h.first = t[1]
	}
	if i < len(t) && r.is(t[i], "extend") {
		i++
	}
	if i >= len(t) || t[i].kind != word {
		return body{}
	}
	s := *r.top()
	if s.kind == inType {
		if i+1 < len(t) && (t[i+1].kind == ':' || t[i+1].kind == '(') {
			r.add(h, "field", string(r.text(t[i])), t[i], true)
		}
		for i++; i+1 < len(t); i++ { // others on its line
			if t[i].kind == word && (t[i+1].kind == ':' || t[i+1].kind == '(' && i+2 < len(t) && t[i+2].kind == ':') {
				r.add(h, "field", string(r.text(t[i])), t[i], true)
			}
		}
		return body{}
	}
	kind := map[string]string{"type": "type", "interface": "interface", "input": "type", "enum": "enum", "union": "type", "scalar": "type", "directive": "macro", "query": "func", "mutation": "func",
		"subscription": "func", "fragment": "func"}[string(r.text(t[i]))]
	at := i + 1
	if kind == "macro" && at < len(t) && t[at].kind == '@' {
		at++
	}
	if kind == "" || at >= len(t) || t[at].kind != word {
		return body{}
	}
	s.name = string(r.text(t[at]))
	s.def = r.add(h, kind, s.name, t[at], true)
	if kind == "enum" || kind == "func" {
		return body{}
	}
	s.prefix, s.kind = r.qualified(s.name), inType
	return body{members, s}
}

// prismaKinds are the kinds of what blocks of Prisma define; a generator defines nothing that is named elsewhere.
var prismaKinds = map[string]string{"model": "type", "type": "type", "view": "type", "enum": "enum", "datasource": "module"}

// classifyPrisma looks at a block of Prisma, a field or a value of it.
func classifyPrisma(r *reader, h *head) body {
	t := h.tokens
	s := *r.top()
	if len(t) < 2 || t[0].kind != word || t[1].kind != word {
		return body{}
	}
	if s.kind == inType {
		r.add(h, "field", string(r.text(t[0])), t[0], true)
		return body{}
	}
	kind := prismaKinds[string(r.text(t[0]))]
	if kind == "" || len(t) != 2 || h.close.kind != '{' {
		return body{}
	}
	s.name = string(r.text(t[1]))
	if s.def = r.add(h, kind, s.name, t[1], true); kind != "type" {
		return body{}
	}
	s.prefix, s.kind = r.qualified(s.name), inType
	return body{members, s}
}

// thriftKinds are the kinds of what blocks of Thrift define.
var thriftKinds = map[string]string{"struct": "struct", "union": "struct", "exception": "struct", "enum": "enum", "senum": "enum", "service": "interface"}

// classifyThrift looks at a definition of Thrift, a field or a function of one.
func classifyThrift(r *reader, h *head) body {
	t := h.tokens
	s := *r.top()
	if s.kind == inInterface {
		for i := 2; i < len(t); i++ { // behind a type, which may have annotations, too
			if t[i].kind == '(' && t[i-1].kind == word {
				r.add(h, "method", string(r.text(t[i-1])), t[i-1], true)
				break
			}
		}
		return body{}
	}
	at := lastWord(t)
	if at < 1 {
		return body{}
	}
	name := string(r.text(t[at]))
	if s.kind == inType {
		r.add(h, "field", name, t[at], true)
		return body{}
	}
	w := string(r.text(t[0]))
	switch kind := thriftKinds[w]; {
	case w == "typedef" && at > 1:
		r.add(h, "type", name, t[at], true)
	case w == "const" && at > 1 && h.value:
		r.add(h, "const", name, t[at], true)
	case kind != "" && t[1].kind == word && h.close.kind == '{':
		s.name = string(r.text(t[1]))
		s.def, s.prefix, s.kind, s.commas = r.add(h, kind, s.name, t[1], true), r.qualified(s.name), inType, true
		if kind == "interface" {
			s.kind = inInterface
		}
		if kind == "enum" {
			return body{skipped, s}
		}
		return body{members, s}
	}
	return body{}
}

// classifyTerraform looks at a block or a value of Terraform.
func classifyTerraform(r *reader, h *head) body {
	t := h.tokens
	if len(t) == 0 || t[0].kind != word {
		return body{}
	}
	w := string(r.text(t[0]))
	s := *r.top()
	if s.kind == inType {
		if h.value {
			r.add(h, "const", w, t[0], true)
		}
		return body{}
	}
	if h.close.kind != '{' {
		return body{}
	}
	if w == "locals" {
		s.kind, s.prefix, s.def = inType, "local.", -1
		s.commas = false
		return body{members, s}
	}
	name := w
	switch w {
	case "variable":
		name = "var"
	case "resource":
		name = ""
	case "data", "module", "output", "provider":
	default:
		return body{}
	}
	at := t[0]
	for _, one := range t[1:] {
		if one.kind != quoted && one.kind != word {
			break
		}
		if name != "" {
			name += "."
		}
		name += string(bytes.Trim(r.text(one), `"`))
		at = one
	}
	if len(t) > 1 && len(name) < maxName {
		r.add(h, w, name, at, true)
	}
	return body{}
}

// classifyObjectiveC looks at a statement of Objective-C.
func classifyObjectiveC(r *reader, h *head) body {
	t := h.tokens
	if len(t) == 0 {
		return body{}
	}
	if w := r.text(t[0])[0]; w == '-' || w == '+' || r.is(t[0], "@property") {
		t = r.withoutAttributes(t)
		h.tokens = t
	}
	switch w := string(r.text(t[0])); w {
	case "@end":
		if r.top().kind == inInterface && len(r.scopes) > 1 {
			r.leave(t[0].line)
		}
		return body{}
	case "@interface", "@protocol", "@implementation":
		return r.objectiveType(h, w)
	case "@property":
		for i, one := range t {
			if one.kind == word && i > 0 && (i+1 == len(t) || t[i+1].kind == ',') {
				r.add(h, "property", string(r.text(one)), one, true)
			}
			if inner := r.src[one.start:one.end]; one.kind == '(' && i > 1 && hasPrefix(inner, "(^") { // a block
				words := bytes.Fields(bytes.Trim(inner, "(^) \t\n"))
				if len(words) > 0 {
					r.add(h, "property", string(words[len(words)-1]), one, true)
				}
			}
		}
		return body{}
	case "-", "+":
		r.objectiveMethod(h)
		return body{}
	case "typedef", "NS_ENUM", "NS_OPTIONS":
		if n := len(t); n > 1 && h.close.kind == '{' && t[n-1].kind == '(' {
			inner := r.src[t[n-1].start+1 : max(t[n-1].start+1, t[n-1].end-1)]
			if i := bytes.LastIndexByte(inner, ','); i >= 0 {
				at := t[n-1]
				r.add(h, "enum", string(bytes.TrimSpace(inner[i+1:])), at, true)
				return body{}
			}
		}
	default:
		if len(w) > 1 && w[0] == '@' {
			return body{}
		}
	}
	b := classifyC(r, h)
	return b
}

// withoutAttributes is what stands before the macros that say for whom a declaration is: NS_UNAVAILABLE, API_AVAILABLE(ios(9)).
func (r *reader) withoutAttributes(t []token) []token {
	for n := len(t); n > 2; n = len(t) {
		last := n - 1
		if t[last].kind == '(' {
			last--
		}
		if t[last].kind != word || last < 2 || t[last-1].kind != word && t[last-1].kind != '(' || !shouted(r.text(t[last])) || bytes.IndexByte(r.text(t[last]), '_') < 1 {
			break
		}
		if t[last-1].kind == '(' && last+1 == n && t[last-2].kind == ':' { // the name of a parameter
			break
		}
		t = t[:last]
	}
	return t
}

// objectiveType enters an interface, a protocol or an implementation.
func (r *reader) objectiveType(h *head, w string) body {
	t := h.tokens
	if len(t) < 2 || t[1].kind != word || w == "@protocol" && h.close.kind == ';' {
		return body{}
	}
	s := *r.top()
	s.def, s.kind, s.trailing, s.name, s.access = -1, inInterface, false, string(r.text(t[1])), true
	category := len(t) > 2 && t[2].kind == '('
	switch {
	case w == "@protocol":
		s.def = r.add(h, "interface", s.name, t[1], true)
	case w == "@interface" && !category:
		s.def = r.add(h, "class", s.name, t[1], true)
	}
	if s.prefix = r.qualified(s.name); len(r.scopes) < maxScopes {
		r.scopes = append(r.scopes, s)
	}
	return body{} // what stands in braces are its variables
}

// objectiveMethod adds a method, whose name is of several parts, of which all but the first may be a colon alone.
func (r *reader) objectiveMethod(h *head) {
	t := h.tokens
	name, at := "", token{}
	i := 1
	if i < len(t) && t[i].kind == '(' {
		i++
	}
	for i < len(t) && (t[i].kind == word || t[i].kind == ':') {
		if at.line == 0 {
			at = t[i]
		}
		part := ""
		if t[i].kind == word {
			part = string(r.text(t[i]))
			i++
		}
		if i == len(t) || t[i].kind != ':' {
			if name == "" {
				name = part
			}
			break
		}
		name += part + ":"
		if i++; i < len(t) && t[i].kind == '(' {
			i++
		}
		for n := 0; i < len(t) && t[i].kind == word && (n == 0 || i+1 == len(t) || t[i+1].kind != ':'); n++ { // the name of a parameter
			i++
		}
	}
	if at.line > 0 {
		r.add(h, "method", name, at, true)
	}
}
