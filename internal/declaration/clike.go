package declaration

import (
	"bytes"
	"slices"

	"github.com/haversack-dev/haversack/internal/language"
)

// classifyC looks at a statement of C, C++ or Objective-C.
func classifyC(r *reader, h *head) body {
	t := h.tokens
	if len(t) == 0 {
		return r.block(r.top().kind == inFile || r.top().kind == inNamespace)
	}
	if h.instance {
		return body{}
	}
	lead := r.specifiers(t)
	if lead.end == len(t) {
		return r.block(lead.linkage)
	}
	if b, ok := r.byWordC(h, lead); ok {
		return b
	}
	if lead.friend && h.close.kind != '{' {
		return body{}
	}
	if headC(r, h, lead.end) && len(t) == lead.end+2 {
		return body{}
	}
	if at, name := functionC(r, h, lead); at >= 0 {
		switch {
		case r.grammar.suites[name] && h.close.kind == '{':
			testC(r, h, at)
		case r.grammar.suites != nil && makers[name] && at == 0 && h.close.kind == '{':
			madeC(r, h)
		default:
			r.addFunctionC(h, at, name, !static(r, t[:lead.end]) && r.top().access)
		}
		return body{}
	}
	since := len(r.list)
	declarators(r, h, lead.end, lead.typedef)
	if h.close.kind == '{' && !h.value && len(r.list) == since { // else x{1};
		return r.block(false)
	}
	return body{}
}

// specifiers are the words that a statement of C begins with, before what it declares.
type specifiers struct {
	end                      int // behind the last of them
	typedef, friend, linkage bool
}

// specifiers reads modifiers, extern "C", and macros that stand before the word of a type.
func (r *reader) specifiers(t []token) (s specifiers) {
	for ; s.end < len(t); s.end++ {
		one := t[s.end]
		if one.kind == quoted && s.end > 0 && r.is(t[s.end-1], "extern") {
			s.linkage = true
			continue
		}
		w := string(r.text(one))
		if one.kind != word || !r.grammar.modifiers[w] && !r.macroBefore(t, s.end) {
			break
		}
		s.typedef = s.typedef || w == "typedef"
		s.friend = s.friend || w == "friend"
	}
	return s
}

// macroBefore reports whether a macro stands at a place, before the word of a type or a namespace.
func (r *reader) macroBefore(t []token, at int) bool {
	return shouted(r.text(t[at])) && at+1 < len(t) && r.keyword(t[at+1])
}

// byWordC looks at a statement whose first word says what it is, and reports whether it does: a namespace, a module, a type that
// is defined here or elsewhere.
func (r *reader) byWordC(h *head, lead specifiers) (body, bool) {
	t, i := h.tokens, lead.end
	if t[i].kind != word {
		return body{}, false
	}
	names := i+1 < len(t)
	switch w := string(r.text(t[i])); {
	case w == "namespace" && r.grammar.types["class"] != "":
		return namespaceC(r, h, i), true
	case w == "using":
		if names && h.value && t[i+1].kind == word {
			r.add(h, "type", string(r.text(t[i+1])), t[i+1], true)
		}
		return body{}, true
	case w == "static_assert", w == "_Static_assert", w == "asm", w == "goto":
		return body{}, true
	case w == "module", w == "import":
		return body{}, r.moduleC(h, i)
	case w == "concept" && names:
		r.add(h, "type", string(r.text(t[i+1])), t[i+1], true)
		return body{}, true
	case r.grammar.types[w] == "":
		return body{}, false
	case h.close.kind == '{' && !h.value && !returns(r, t, i):
		return typeC(r, h, i, lead.typedef), true
	default:
		return body{}, lead.friend || r.elsewhere(h, i)
	}
}

// addFunctionC adds the function whose name stands at a place: within a type it is a method, as where its owner stands before it.
func (r *reader) addFunctionC(h *head, at int, name string, exported bool) {
	s := r.top()
	owner, prefix := s.name, s.prefix
	if s.kind != inType && s.kind != inInterface {
		if owner = ownerC(r, h.tokens, at); owner == "" {
			r.add(h, "func", name, h.tokens[at], exported)
			return
		}
		s.prefix = r.qualified(owner)
	}
	kind := "method"
	if name == owner {
		kind = "constructor"
	}
	r.add(h, kind, name, h.tokens[at], exported)
	s.prefix = prefix
}

// elsewhere reports whether a head whose word at i is that of a type names one that is defined elsewhere: struct a; enum class
// a : int;
func (r *reader) elsewhere(h *head, i int) bool {
	t := h.tokens
	if h.close.kind != ';' || h.value || i+1 >= len(t) {
		return false
	}
	if r.is(t[i], "enum") && (r.is(t[i+1], "class") || r.is(t[i+1], "struct")) {
		return true
	}
	if t[i+1].kind != word {
		return false
	}
	return i+2 == len(t) || r.is(t[i], "enum") && t[i+2].kind == ':'
}

// maxOldStyle bounds the bytes in which the types of a function's parameters stand behind them.
const maxOldStyle = 8000

// oldStyle reports whether a head that has ended with a semicolon is that of a function of C whose parameters' types stand
// behind them, as before 1989: name(a, b) int a; char *b; and then its body.
func (r *reader) oldStyle(h *head) bool {
	if r.grammar.language.Name != "C" || r.grammar.angles || r.top().kind != inFile || h.value || r.at < r.noOldStyle {
		return false
	}
	at := r.parameterNames(h.tokens)
	if at < 0 {
		return false
	}
	names := bytes.FieldsFunc(r.src[h.tokens[at].start+1:h.tokens[at].end-1], func(c rune) bool { return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r' })
	typed := false // one of them at least
	for _, one := range bytes.FieldsFunc(r.src[h.tokens[at].end:h.close.start], func(c rune) bool { return c < 0x80 && r.classes[c] != cWord && r.classes[c] != cDigit }) {
		typed = typed || slices.ContainsFunc(names, func(n []byte) bool { return bytes.Equal(n, one) })
	}
	if !typed {
		return false
	}
	at, ok := r.bodyBehind()
	r.noOldStyle = at // from anywhere before, it is the same that is found
	return ok
}

// parameterNames returns the place of a group of names alone behind which a type begins, or -1.
func (r *reader) parameterNames(t []token) int {
	for i := 1; i+2 < len(t); i++ {
		if t[i].kind != '(' || t[i-1].kind != word || t[i+1].kind != word {
			continue
		}
		inner := r.src[t[i].start+1 : t[i].end-1]
		for k, c := range inner {
			class := r.classes[c]
			apart := k > 0 && (class == cWord || class == cDigit) && r.classes[inner[k-1]] == cSpace
			if class != cWord && class != cDigit && class != cSpace && c != ',' && c != '\n' || apart && !separated(inner[:k]) {
				return -1
			}
		}
		return i
	}
	return -1
}

// separated reports whether what stands before a word ends with a comma, or is blank.
func separated(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r\n")
	return len(before) == 0 || before[len(before)-1] == ','
}

// bodyBehind reports whether nothing but declarations stands between here and a brace, and where it found what decides.
func (r *reader) bodyBehind() (int, bool) {
	ended := true
	for i := r.at; i < min(len(r.src), r.at+maxOldStyle); i++ {
		r.steps++
		switch c := r.src[i]; {
		case c == '{':
			return i, ended
		case c == ';':
			ended = true
		case c == '/' && hasPrefix(r.src[i:], "/*"):
			n := bytes.Index(r.src[i+2:min(len(r.src), r.at+maxOldStyle)], []byte("*/"))
			if n < 0 {
				return min(len(r.src), r.at+maxOldStyle), false
			}
			i += n + 3
		case c == '/' && hasPrefix(r.src[i:], "//"), c == '#':
			for i+1 < len(r.src) && r.src[i+1] != '\n' {
				i++
			}
		case r.classes[c] == cWord, r.classes[c] == cDigit, c == '*', c == '(':
			ended = false
		case r.classes[c] == cSpace, bytes.IndexByte([]byte("\n,)[]"), c) >= 0:
		default:
			return i, false
		}
	}
	return min(len(r.src), r.at+maxOldStyle), false
}

// parameterDeclarations passes the types of a function's parameters, which are a part of its signature, up to its body.
func (r *reader) parameterDeclarations(h *head) {
	h.tokens = h.tokens[:r.parameterNames(h.tokens)+1]
	h.last, h.lastLine = h.close, r.takenLine
	for r.peek().kind != '{' {
		if h.last = r.next(); h.last.kind == end {
			break
		}
		h.lastLine = r.takenLine
	}
	h.close = r.next()
}

// moduleC takes what a file of C++ says of modules, and reports whether it says so: the name of the one that it exports is
// declared.
func (r *reader) moduleC(h *head, i int) bool {
	t := h.tokens
	plusplus := r.grammar.types["class"] != "" && (i == 0 || i == 1 && r.is(t[0], "export"))
	if !plusplus || r.top().kind != inFile || h.close.kind != ';' || h.value {
		return false
	}
	if i+1 == len(t) {
		return r.is(t[i], "module")
	}
	for _, one := range t[i+1:] {
		switch one.kind {
		case word, '.', ':':
		case '<', quoted:
			return r.is(t[i], "import")
		default:
			return false
		}
	}
	if i > 0 && r.is(t[i-1], "export") && r.is(t[i], "module") && t[i+1].kind == word {
		r.add(h, "module", string(r.src[t[i+1].start:t[len(t)-1].end]), t[i+1], true)
	}
	return true
}

// keyword reports whether a word begins a type or a namespace.
func (r *reader) keyword(t token) bool {
	return t.kind == word && (r.grammar.types[string(r.text(t))] != "" || r.is(t, "namespace"))
}

// block is the body of a block that declares nothing itself.
func (r *reader) block(open bool) body {
	if !open {
		return body{}
	}
	s := *r.top()
	s.def, s.kind, s.trailing = -1, inBlock, false
	if r.top().kind != inBlock {
		s.kind = r.top().kind
	}
	return body{members, s}
}

// static reports whether a modifier hides what it stands before from other files.
func static(r *reader, modifiers []token) bool {
	if k := r.top().kind; k == inType || k == inInterface {
		return false
	}
	for _, m := range modifiers {
		if r.is(m, "static") {
			return true
		}
	}
	return false
}

// returns reports whether a word of a type is what a function returns: a name and its parameters follow another name.
func returns(r *reader, t []token, i int) bool {
	for j := i + 1; j < len(t); j++ {
		switch t[j].kind {
		case ':':
			if j+1 < len(t) && t[j+1].kind == ':' {
				j++
				continue
			}
			return false
		case '(':
			return j-1 > i+1 && (t[j-1].kind == word || t[j-1].kind == '<') && (j+1 == len(t) || r.grammar.modifiers[string(r.text(t[j+1]))])
		}
	}
	return false
}

// namespaceC enters a namespace.
func namespaceC(r *reader, h *head, i int) body {
	if h.close.kind != '{' {
		return body{}
	}
	s := *r.top()
	s.kind, s.def, s.trailing, s.access, s.name = inNamespace, -1, false, true, ""
	for j := len(h.tokens) - 1; j > i; j-- {
		if h.tokens[j].kind == word && !r.is(h.tokens[j], "inline") {
			s.def = r.add(h, "namespace", string(r.text(h.tokens[j])), h.tokens[j], true)
			break
		}
	}
	s.exported = s.exported && (s.def >= 0 || len(h.tokens) > i+1)
	return body{members, s}
}

// typeC enters a type.
func typeC(r *reader, h *head, i int, typedef bool) body {
	t := h.tokens
	kind := r.grammar.types[string(r.text(t[i]))]
	var name token
	stop := len(t)
	for j := i + 1; j < len(t); j++ {
		if t[j].kind == ':' {
			if j+1 < len(t) && t[j+1].kind == ':' {
				j++
				continue
			}
			stop = j
			break
		}
	}
	for j := i + 1; j < stop; j++ {
		if t[j].kind == '<' && name.line > 0 && !(j+1 < stop && t[j+1].kind == ':') { // else a type within that one
			break
		}
		if w := string(r.text(t[j])); t[j].kind == word && w != "final" && w != "sealed" && w != "class" && w != "struct" {
			name = t[j]
		}
	}
	exported := r.top().access || r.top().kind == inFile || r.top().kind == inNamespace
	s := scope{kind: inType, name: string(r.text(name)), def: -1, exported: exported && r.top().exported, access: kind != "class", typedef: typedef, trailing: true}
	if name.line > 0 {
		s.def = r.add(h, kind, s.name, name, exported)
		s.prefix = r.qualified(s.name)
	} else {
		s.prefix, s.from = r.top().prefix, h.from
	}
	if kind == "enum" {
		return body{skipped, s}
	}
	return body{members, s}
}

// functionC returns the place of the name of the function that a head declares, and the name, or -1.
func functionC(r *reader, h *head, lead specifiers) (int, string) {
	t, from := h.tokens, lead.end
	if lead.typedef {
		return -1, ""
	}
	first, behind := -1, false // the name before the first group that no type stands before; behind: a macro gives its type
	annotated := false         // behind a macro that says something of the parameters
	for j := from; j < len(t) && !r.endsParameters(t, j); j++ {
		if t[j].kind != '(' || j == 0 {
			continue
		}
		switch g, at, name := r.groupC(h, from, j); {
		case g == ofName:
			return at, name
		case (g == ofTyped || g == ofUntyped) && r.counted(t, j): // void printflike(1, 2) name(…)
			annotated = true
		case g == ofUntyped && annotated && first < 0:
			return r.named(t, j-1)
		case g == noParameters, g == ofTyped && first >= 0 && opensAt(t, j+1): // int MACRO(f) (void)
		case g == ofTyped:
			return r.named(t, r.beforePrototype(t, from, j))
		case first < 0:
			first = j - 1
		case first == from && j-2 == first+1 && t[j-2].kind == '(' && shouted(r.text(t[first])): // MACRO(x) name(…)
			first, behind = j-1, !shouted(r.text(t[j-1]))
		}
	}
	if first < 0 || !behind && !r.needsNoType(h, first) || h.close.kind == '{' && notNames[string(r.text(t[first]))] {
		return -1, ""
	}
	return r.named(t, first)
}

// counted reports whether the group at a place begins with a number, as no parameters do, and more of a declaration follows.
func (r *reader) counted(t []token, j int) bool {
	text := bytes.TrimLeft(r.src[t[j].start+1:t[j].end], " \t\r\n")
	return len(text) > 0 && text[0] >= '0' && text[0] <= '9' && j+1 < len(t) && (t[j+1].kind == word || t[j+1].kind == '*')
}

// endsParameters reports whether a sign ends that part of a head in which parameters stand: a list of initialisers, a value.
func (r *reader) endsParameters(t []token, j int) bool {
	switch t[j].kind {
	case ':':
		return !(j+1 < len(t) && t[j+1].kind == ':') && !(j > 0 && t[j-1].kind == ':')
	case '=':
		return !(j > 0 && r.operator(t, j))
	}
	return false
}

// opensAt reports whether a group in parentheses stands at a place.
func opensAt(t []token, j int) bool { return j < len(t) && t[j].kind == '(' }

// group is what a group in parentheses is in the head of a function of C.
type group int

const (
	noParameters group = iota
	ofName             // parameters of a name that is found
	ofTyped            // parameters of the name before them, which has a type, if that is no macro
	ofUntyped          // parameters of the name before them, which has no type: a constructor, or the call of a macro
)

// groupC looks at what stands before the group at j. Where that alone says that it holds parameters, it returns the place of the
// function's name, and the name.
func (r *reader) groupC(h *head, from, j int) (group, int, string) {
	t := h.tokens
	if at := r.operatorBefore(t, j); at >= 0 {
		if at == j-1 && opensAt(t, j+1) {
			return noParameters, 0, "" // operator()(…): at the next
		}
		return ofName, at, r.operatorName(t[at:j])
	}
	before := t[j-1]
	if before.kind == '<' && j > 1 { // f<int>(…)
		if t[j-2].kind != word {
			return noParameters, 0, ""
		}
		return ofName, j - 2, string(r.text(t[j-2]))
	}
	if opensAt(t, j+1) {
		if r.pointer(t, j) {
			return noParameters, 0, ""
		}
		if at, ok := r.enclosed(h, from, j); ok {
			t[j] = at
			return ofName, j, string(r.text(at))
		}
	}
	switch {
	case before.kind != word || plainTypes[string(r.text(before))]:
		return noParameters, 0, ""
	case r.typed(t, from, j-1):
		return ofTyped, 0, ""
	}
	return ofUntyped, 0, ""
}

// enclosed returns the name of a function that stands in parentheses of its own, which keep a macro of its name away: int (name)(…)
func (r *reader) enclosed(h *head, from, j int) (token, bool) {
	t := h.tokens
	if k := t[j-1].kind; k != word && k != '*' || h.value || r.top().kind == inType {
		return token{}, false
	}
	at, ok := r.alone(t[j])
	return at, ok && r.typed(t, from, j)
}

// needsNoType reports whether the function whose name stands at a place may have no type before it: it has a body, or is a
// constructor or a destructor.
func (r *reader) needsNoType(h *head, at int) bool {
	if h.close.kind == '{' {
		return true
	}
	s := r.top()
	if (s.kind == inType || s.kind == inInterface) && r.is(h.tokens[at], s.name) {
		return true
	}
	return at > 0 && (h.tokens[at-1].kind == ':' || h.tokens[at-1].kind == '~')
}

// beforePrototype is the place of the name that parameters at j follow: before a macro that hides them from old compilers, as in
// int f P_((int x));
func (r *reader) beforePrototype(t []token, from, j int) int {
	hides := j-2 > from && t[j-2].kind == word && bytes.HasPrefix(r.text(t[j]), []byte("((")) &&
		bytes.HasSuffix(r.text(t[j]), []byte("))"))
	if hides && (shouted(r.text(t[j-1])) || bytes.HasSuffix(r.text(t[j-1]), []byte("_"))) && r.typed(t, from, j-2) {
		return j - 2
	}
	return j - 1
}

// named is the name of a function at a place, ~ included.
func (r *reader) named(t []token, at int) (int, string) {
	name := string(r.text(t[at]))
	if at > 0 && t[at-1].kind == '~' {
		name = "~" + name
	}
	return at, name
}

// typed reports whether a type stands between a place and a function's name.
func (r *reader) typed(t []token, from, name int) bool {
	i := name - 1
	for i >= from && (t[i].kind == ':' || t[i].kind == '<' || t[i].kind == '~' || t[i].kind == word && t[i+1].kind == ':') {
		if t[i].kind == '<' && t[i+1].kind != ':' {
			return true
		}
		i--
	}
	if i < from {
		return false
	}
	switch p := t[i]; p.kind {
	case '*', '&', '<', '[':
		return true
	case word:
		return !r.grammar.modifiers[string(r.text(p))]
	}
	return false
}

// operator reports whether the sign at a place is of an operator's name.
func (r *reader) operator(t []token, j int) bool {
	for k := j - 1; k >= 0 && k >= j-3; k-- {
		if r.is(t[k], "operator") {
			return true
		}
	}
	return false
}

// operatorBefore returns the place of the word operator whose name ends before a place, or -1.
func (r *reader) operatorBefore(t []token, j int) int {
	for k := j - 1; k >= 0 && k >= j-6; k-- {
		if r.is(t[k], "operator") {
			return k
		}
	}
	return -1
}

// operatorName is how an operator is called.
func (r *reader) operatorName(t []token) string {
	name := "operator"
	for _, one := range t[1:] {
		if w := r.text(one); one.kind == word {
			name += " " + string(w)
		} else if len(w) < 20 {
			name += string(w)
		}
	}
	return name
}

// pointer reports whether the group at a place holds the name of a pointer: (*name), and before parameters (WINAPI *name) and (A::*name).
func (r *reader) pointer(t []token, k int) bool {
	i, stop := int(t[k].start)+1, min(int(t[k].end), int(t[k].start)+maxPointer)
	for from := i; i < stop; i++ {
		switch c := r.src[i]; {
		case c == '*' || c == '^' || c == '&':
			word := len(bytes.TrimSpace(r.src[from:i])) > 0
			return !word || c != '&' && opensAt(t, k+1) && r.pointsAt(t[k], i)
		case r.classes[c] == cSpace || c == '\n':
		case k > 0 && (r.classes[c] == cWord || c == ':' || r.classes[c] == cDigit && i > from):
		default:
			return false
		}
	}
	return false
}

// maxPointer bounds the bytes of a group before the sign of a pointer.
const maxPointer = 200

// pointsAt reports whether behind the sign of a pointer nothing stands in a group but its name.
func (r *reader) pointsAt(t token, sign int) bool {
	at, ok := r.pointed(t)
	return ok && int(at.start) > sign && int(at.end) < int(t.end) && bytes.IndexByte([]byte(")[ \n"), r.src[at.end]) >= 0 && bytes.IndexByte(r.src[at.end:t.end], ',') < 0
}

// ownerC is the type that a function is defined for, outside of it.
func ownerC(r *reader, t []token, at int) string {
	i := at - 1
	if i >= 0 && t[i].kind == '~' {
		i--
	}
	if i < 2 || t[i].kind != ':' || t[i-1].kind != ':' {
		return ""
	}
	if i -= 2; t[i].kind == '<' && i > 0 {
		i--
	}
	if t[i].kind != word {
		return ""
	}
	return string(r.text(t[i]))
}

// testC adds a test of a suite: its name stands in the parentheses.
func testC(r *reader, h *head, at int) {
	inner := r.src[h.tokens[at+1].start+1 : h.tokens[at+1].end-1]
	var name []byte
	for part := range bytes.SplitSeq(inner[:min(len(inner), 200)], []byte{','}) {
		if part = bytes.TrimSpace(part); len(part) > 0 {
			if len(name) > 0 {
				name = append(name, '.')
			}
			name = append(name, part...)
		}
	}
	r.add(h, "test", string(name), h.tokens[at], false)
}

// madeC adds the function that a macro of GoogleMock makes by the first of its words: MATCHER_P(HasName, name, "says so") { … }.
func madeC(r *reader, h *head) {
	inner := r.src[h.tokens[1].start+1 : h.tokens[1].end-1]
	name, _, _ := bytes.Cut(inner[:min(len(inner), 200)], []byte{','})
	r.add(h, "func", string(bytes.TrimSpace(name)), h.tokens[0], true)
}

// headC adds the struct that a macro of BSD's lists and trees makes by the first of its words, RB_HEAD(jobs, job), and reports whether one
// stands at a place.
func headC(r *reader, h *head, at int) bool {
	t := h.tokens
	if at+1 >= len(t) || h.close.kind == '{' || t[at+1].kind != '(' || !listHeads[string(r.text(t[at]))] {
		return false
	}
	inner := r.src[t[at+1].start+1 : t[at+1].end-1]
	name, _, two := bytes.Cut(inner[:min(len(inner), 200)], []byte{','})
	if name = bytes.TrimSpace(name); !two || len(name) == 0 {
		return false
	}
	r.add(h, "struct", string(name), t[at+1], true)
	return true
}

// declarators adds the variables, fields or types that a statement names.
func declarators(r *reader, h *head, i int, typedef bool) {
	t := h.tokens
	s := r.top()
	kind, exported := "var", !static(r, t[:min(i, len(t))])
	switch {
	case typedef:
		kind, exported = "type", true
	case s.kind == inType || s.kind == inInterface:
		if kind, exported = "field", s.access; !exported {
			return
		}
	}
	// What ends with the brace around it declares nothing: MACRO }.
	behind := i == 0 && h.close.kind != '}' && r.src[max(0, int(h.first.start)-1)] != 0 && r.afterBrace(h)
	for part := 0; i <= len(t); part++ {
		stop := i
		for stop < len(t) && t[stop].kind != ',' {
			stop++
		}
		if at, ok := r.declarator(t[i:stop], part == 0 && !behind); ok {
			r.add(h, kind, string(r.text(at)), at, exported)
		} else if part == 0 {
			return
		}
		i = stop + 1
	}
	for _, at := range h.more {
		r.add(h, kind, string(r.text(at)), at, exported)
	}
}

// afterBrace reports whether a head stands behind the brace of a type.
func (r *reader) afterBrace(h *head) bool {
	i := int(h.first.start) - 1
	for i >= 0 && (r.classes[r.src[i]] == cSpace || r.src[i] == '\n') {
		i--
	}
	return i >= 0 && (r.src[i] == '}' || r.src[i] == ')') || i >= 0 && r.classes[r.src[i]] == cWord
}

// declarator returns the name that one declarator declares. Where its type stands before it, a name alone is none.
func (r *reader) declarator(t []token, typed bool) (token, bool) {
	var name token
	count := 0
	for k, one := range t {
		switch one.kind {
		case word:
			if r.is(one, "operator") {
				return name, false
			}
			name = one
			count++
		case '*', '&', '<':
			count++
		case '(':
			if r.pointer(t, k) {
				return r.pointed(one)
			}
			if k > 0 && k+1 < len(t) && t[k+1].kind == '(' { // typedef int (name)(void)
				return r.alone(one)
			}
			if k+1 == len(t) && count > 1 && !typed || count < 2 {
				return name, false
			}
			return name, count > 1
		case '[', ':', '=':
			if one.kind == ':' && (k+1 < len(t) && t[k+1].kind == ':' || k > 0 && t[k-1].kind == ':') {
				continue
			}
			return name, name.line > 0 && (count > 1 || !typed)
		case '.', '-', '+', quoted, number:
			return name, false
		}
	}
	return name, name.line > 0 && (count > 1 || !typed) && !notNames[string(r.text(name))]
}

// alone returns the name that stands alone in a group.
func (r *reader) alone(t token) (token, bool) {
	inner := bytes.TrimSpace(r.src[t.start+1 : max(t.start+1, t.end-1)])
	for _, c := range inner {
		if r.classes[c] != cWord && r.classes[c] != cDigit {
			return t, false
		}
	}
	start := t.start + 1 + int32(bytes.Index(r.src[t.start+1:t.end], inner))
	return token{start: start, end: start + int32(len(inner)), line: t.line, kind: word}, len(inner) > 0 && !plainTypes[string(inner)]
}

// pointed returns the name in a group such as (*name), (*name[3]), (WINAPI *name) or (*const name).
func (r *reader) pointed(t token) (token, bool) {
	i := t.start + 1
	for i < t.end && r.src[i] != '*' && r.src[i] != '^' && r.src[i] != '&' {
		i++
	}
	for n := i; ; i = n {
		for i < t.end && r.classes[r.src[i]] != cWord {
			i++
		}
		n = i
		for n < t.end && (r.classes[r.src[n]] == cWord || r.classes[r.src[n]] == cDigit) {
			n++
		}
		if n > i && ofPointers[string(r.src[i:n])] {
			continue
		}
		at := token{start: i, end: n, line: t.line + int32(bytes.Count(r.src[t.start:i], []byte{'\n'})), kind: word}
		return at, n > i
	}
}

var (
	plainTypes = language.WordSet("void int char short long unsigned signed float double bool return sizeof if while for switch else do case noexcept throw decltype alignas requires defined")
	ofPointers = language.WordSet("const volatile restrict __restrict __restrict__ _Nonnull _Nullable _Atomic")
	notNames   = language.WordSet("catch if while for switch else do return case default const struct class union enum void int char")
)
