package source

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/language"
)

// noTypes are words before a name that are none of a type; untyped are those that bind it without one.
var (
	noTypes = language.WordSet(`return new else in case throw await yield import package goto delete typeof is as instanceof operator using namespace do of not and or if when while
		default break continue assert print echo raise def function fn func fun end then unless until elif except global nonlocal lambda sizeof co_return co_await co_yield
		class struct interface enum trait protocol extends implements abstract override public private protected internal async synchronized open sealed inline`)
	untyped = language.WordSet("var auto let val const final late static out ref for foreach local each lazy register volatile readonly")
	goWords = language.WordSet("return range go defer case func type package import else if for chan map switch select goto interface struct const default")
	nothing = language.WordSet("None null nil undefined nullptr NULL")
)

// bind finds where names are given to values, and of which types these are where the syntax tells.
func (m *Mentions) bind() {
	for i := range m.tokens {
		if m.tokens[i].Kind == '(' && m.takes(i) {
			m.bindParameters(i)
		}
		w := m.word(i)
		if w == "" || m.imported[i] {
			continue
		}
		sign, k := m.access(i)
		switch {
		case sign != 0 && (k < 0 || !itself(m.word(k))):
			continue
		case sign != 0: // this.r = …
			if v := m.assigned(i); v > 0 {
				if of, ok := m.value(v); ok {
					m.give(i, of, true)
				}
			} else if m.after && m.kind(i+1) == ':' && m.kind(i+2) != ':' {
				if of, ok := m.typeAfter(i + 2); ok {
					m.give(i, of, true)
				}
			}
			continue
		}
		if of, ok := m.typeWritten(i); ok {
			m.give(i, of, false)
		} else if v := m.assigned(i); v > 0 && !m.label(i) {
			m.bindAssigned(i, v)
		} else if m.bindsUntyped(i) {
			m.give(i, "", false)
		}
	}
}

// give adds a binding.
func (m *Mentions) give(i int, of string, field bool) {
	b := binding{at: int32(i), in: m.in[i], of: of, to: int32(len(m.tokens))}
	for k := i - 1; k > i-4 && m.kind(k) != '(' && m.kind(k) != ',' && !m.fresh[i]; k-- { // a parameter that is a member too
		w := m.word(k)
		field = field || w == "private" || w == "public" || w == "protected" || w == "readonly"
	}
	switch at := &m.blocks[b.in]; {
	case field, strings.HasPrefix(m.word(i), "@"):
		b.field = true
		for n := 0; n < maxAround && b.in > 0 && !m.blocks[b.in].typed; n++ {
			b.in = m.blocks[b.in].parent
		}
	case at.typed && m.parted[i] && b.at > at.open: // a parameter of what has no block
		b.to = int32(m.bodilessEnd(i))
	default:
		b.field = at.typed
		if end := m.headed(i); end > 0 {
			b.to = int32(end)
		}
	}
	w := m.word(i)
	if list := m.bound[w]; len(list) > 0 && list[len(list)-1].at >= b.at {
		return
	}
	m.bound[w] = append(m.bound[w], b)
}

// bodilessEnd is the token at which what has no block, and takes the parameter at a token, ends: the next semicolon, or the brace around it.
func (m *Mentions) bodilessEnd(i int) int {
	end := i + maxAround
	for j := i + 1; j < min(end, len(m.tokens)); j++ {
		switch m.kind(j) {
		case '(', '[', '{':
			if int(m.match[j]) > j {
				j = int(m.match[j])
			}
		case ';', '}':
			return j
		}
	}
	return end
}

// headings begin statements whose heads may bind names for their blocks alone, without parentheses.
var headings = map[string]string{"if": "Go Swift", "for": "Go Rust Swift", "while": "Swift", "switch": "Go"}

// headed returns the token behind the blocks of the statement in whose head, and on whose first line, a token stands; 0 where it stands in none.
func (m *Mentions) headed(i int) int {
	if m.name != "Go" && m.name != "Swift" && m.name != "Rust" {
		return 0
	}
	j := i
	for !strings.Contains(headings[string(m.bytes(j))], m.name) {
		if j--; j < max(0, i-maxAround) || m.tokens[j].Line != m.tokens[i].Line || m.kind(j) == '{' || m.kind(j) == '}' {
			return 0
		}
	}
	for j = i + 1; j < min(len(m.tokens), i+maxHead); j++ {
		switch k := m.kind(j); {
		case (k == '(' || k == '[') && int(m.match[j]) > j:
			j = int(m.match[j])
		case k == '{' && int(m.match[j]) > j:
			if j = int(m.match[j]); !m.is(j+1, "else") {
				return j + 1
			}
		case k == '}' || k == ')':
			return 0
		}
	}
	return 0
}

// assigned returns the first token of the value that a name is given, 0 without.
func (m *Mentions) assigned(i int) int {
	j := i + 1
	if m.after && m.kind(i-1) == ':' && m.kind(i-2) != ':' && !(m.columns && m.fresh[i]) || m.behind && m.kind(i-1) == declaration.Word && !m.fresh[i] && !goWords[m.word(i-1)] && !untyped[m.word(i-1)] {
		return 0 // it is the type
	}
	if m.kind(j) == ':' && m.kind(j+1) == '=' {
		return j + 2
	}
	if m.kind(j) == '=' && m.kind(j+1) != '=' && m.kind(j+1) != '>' && m.kind(j+1) != '~' {
		return j + 1
	}
	return 0
}

// bindAssigned binds a name, and those before it behind commas, to a value.
func (m *Mentions) bindAssigned(i, v int) {
	of, ok := m.value(v)
	if m.kind(i-1) == ',' && m.kind(i-2) == declaration.Word {
		of, ok = "", true
		for n := 0; n < 8 && m.kind(i-1) == ',' && m.kind(i-2) == declaration.Word; n++ {
			i -= 2
		}
		for ; i < v; i++ {
			if m.word(i) != "" {
				m.give(i, "", false)
			}
		}
		return
	}
	if table := m.tableOf(i, v); table != "" {
		of = table
	}
	if ok {
		m.give(i, of, false)
	}
}

// typeWritten returns the type that stands before or behind a name where it is declared.
func (m *Mentions) typeWritten(i int) (of string, ok bool) {
	switch {
	case typeWords[m.word(i-1)]: // a type, and what it extends
		return "", false
	case m.columns && m.ends[min(i+1, len(m.tokens)-1)]: // what begins a block: def f() -> A:
		return "", false
	case m.after && m.kind(i+1) == ':' && m.kind(i+2) != ':':
		return m.typeAfter(i + 2)
	case m.behind:
		return m.typeBehind(i)
	case m.before && !m.fresh[i]:
		return m.typeBefore(i)
	}
	return "", false
}

// typeAfter reads a type that begins at a token.
func (m *Mentions) typeAfter(i int) (of string, ok bool) {
	for n := 0; n < 6; n++ {
		switch w := m.word(i); {
		case m.kind(i) == '&' || m.kind(i) == '*' || w == "mut" || w == "dyn" || w == "inout" || w == "some" || w == "any":
			i++
		}
	}
	if m.kind(i) == declaration.Quoted && m.name == "Python" {
		t := m.tokens[i]
		of = strings.Trim(string(m.text[t.Start:t.End]), "\"'")
		i++
	} else {
		for m.word(i) != "" {
			of = m.word(i)
			i++
			switch {
			case m.kind(i) == '.' && m.kind(i+1) == declaration.Word:
				i++
				continue
			case m.kind(i) == ':' && m.kind(i+1) == ':':
				i += 2
				continue
			}
			break
		}
		i = m.generic(i)
	}
	if of == "" {
		return "", false
	}
	switch k := m.kind(i); {
	case k == '|':
		if nothing[m.word(i+1)] {
			return of, true
		}
		return "", true
	case k == ',' || k == ')' || k == '=' || k == ';' || k == '{' || k == '}' || k == '?' || k == '!' || k == 0 || m.ends[i-1]:
		return of, true
	case k == '[':
		return "", true
	}
	return "", false
}

// typeBehind reads the type behind a name of Go.
func (m *Mentions) typeBehind(i int) (of string, ok bool) {
	if goWords[m.word(i)] || m.ends[i] {
		return "", false
	}
	j := i + 1
	if m.kind(j) == '*' && m.tokens[j].Start > m.tokens[i].End && m.kind(j+1) == declaration.Word && m.tokens[j].End == m.tokens[j+1].Start {
		j++
	}
	if m.word(j) == "" || goWords[m.word(j)] {
		return "", false
	}
	of = m.word(j)
	for m.kind(j+1) == '.' && m.word(j+2) != "" {
		j += 2
		of = m.word(j)
	}
	j = m.generic(j + 1)
	if k := m.kind(j); k == ',' || k == ')' || k == '=' || k == '{' || m.ends[j-1] {
		return of, true
	}
	return "", false
}

// typeBefore reads the type before a name.
func (m *Mentions) typeBefore(i int) (of string, ok bool) {
	if !m.endsDeclarator(i) {
		return "", false
	}
	p := i - 1
	if m.kind(p) == '?' && (m.kind(i+1) == ':' || p < 1 || m.tokens[p].Start > m.tokens[p-1].End) {
		return "", false // of a choice: a ? b : c
	}
	pointer := false
	for n := 0; n < 4 && (m.kind(p) == '*' || m.kind(p) == '&' || m.kind(p) == '?' || m.is(p, "const")); n++ {
		pointer = pointer || m.kind(p) == '*' || m.kind(p) == '&'
		p--
	}
	if m.kind(p) == '>' {
		p = m.genericBefore(p)
	}
	if m.kind(p) == ']' && m.kind(p-1) == '[' {
		return "", true
	}
	w := m.word(p)
	if w == "" || noTypes[w] || untyped[w] || m.imported[p] {
		return "", false
	}
	q := m.beforeQualified(p)
	if pointer && !m.fresh[q+1] && m.kind(q) != '(' && m.kind(q) != ',' && m.kind(q) != declaration.Word {
		return "", false // a product
	}
	return w, true
}

// beforeQualified returns the token before a name that ends at i with what qualifies it: a.b, a::b.
func (m *Mentions) beforeQualified(i int) int {
	q := i - 1
	for n := 0; n < 8 && (m.kind(q) == '.' || m.kind(q) == ':' && m.kind(q-1) == ':'); n++ {
		if m.kind(q) == ':' {
			q--
		}
		q--
		if m.kind(q) == declaration.Word {
			q--
		}
	}
	return q
}

// endsDeclarator reports whether what stands behind a name may follow one that is declared.
func (m *Mentions) endsDeclarator(i int) bool {
	switch m.kind(i + 1) {
	case ';', ',', ')', '[', '&', 0:
		return true
	case '=', ':':
		return m.kind(i+2) != m.kind(i+1)
	case '{':
		return m.calls
	case '(':
		return m.calls && m.name != "Dart" && !m.declared[place{int(m.tokens[i].Line), m.word(i)}] && m.kind(i+2) != ')'
	}
	return m.is(i+1, "in") || m.is(i+1, "when")
}

// genericBefore returns the token before arguments of types that end at i.
func (m *Mentions) genericBefore(i int) int {
	depth := 0
	for j := i; j > max(0, i-60); j-- {
		switch m.kind(j) {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return j - 1
			}
		case ';', '{', '}', '(':
			return -1
		}
	}
	return -1
}

// bars reports whether a name between bars is what a block takes, and no flag.
func (m *Mentions) bars(i int) bool {
	c := m.text[m.tokens[i].Start]
	return (m.name == "Ruby" || m.name == "Rust") && (c < 'A' || c > 'Z')
}

// takesApart reports whether a token begins a pattern by the name of a type, which takes a value apart: let A { b } = c, if let A::B = c,
// val A(b) = c.
func (m *Mentions) takesApart(i int) bool {
	switch k := m.kind(i + 1); m.name {
	case "Rust":
		return k == '{' || k == '(' || k == ':' && m.kind(i+2) == ':'
	case "Scala":
		return k == '('
	}
	return false
}

// bindsUntyped reports whether a name is bound where nothing tells its type.
func (m *Mentions) bindsUntyped(i int) bool {
	switch {
	case m.implementsFor(i), m.takesApart(i):
		return false
	case untyped[m.word(i-1)]:
		k := m.kind(i + 1)
		return !m.before || k == ',' || k == ';' || k == ')' || k == ':' && m.kind(i+2) != ':' || m.is(i+1, "in")
	case m.is(i+1, "in") && m.kind(i-1) == '{', m.is(i-1, "as") && m.name == "Python":
		return true
	case (m.kind(i-1) == '|' || m.kind(i-1) == ',') && (m.kind(i+1) == '|' || m.kind(i-1) == '|' && m.kind(i+1) == ','):
		return m.bars(i)
	case m.kind(i+1) == '=' && m.kind(i+2) == '>' && m.name != "PHP" && m.name != "Ruby":
		return true
	case m.kind(i+1) == '-' && m.kind(i+2) == '>':
		return m.name == "Java" || m.name == "Kotlin"
	}
	return false
}

// takes reports whether parentheses hold the parameters of a function whose types need not be written.
func (m *Mentions) takes(i int) bool {
	if m.match[i] < 0 || m.imported[i] {
		return false
	}
	w, b := m.word(i-1), m.word(i-2)
	if w == "function" || w == "def" || w == "lambda" || b == "def" || b == "function" || m.name == "Lua" && m.kind(i-2) == '.' && m.is(i-4, "function") || m.name == "Ruby" && m.kind(i-2) == '.' && m.is(i-4, "def") {
		return true
	}
	shut := int(m.match[i])
	if m.kind(shut+1) == '=' && m.kind(shut+2) == '>' || m.kind(shut+1) == '-' && m.kind(shut+2) == '>' && m.name == "Java" {
		return true
	}
	return m.labels && m.after && m.kind(shut+1) == '{' && w != "" && w != "if" && w != "while" && w != "for" && w != "switch"
}

// bindParameters binds those in parentheses without a type.
func (m *Mentions) bindParameters(i int) {
	for j := i + 1; j < int(m.match[i]); j++ {
		switch m.kind(j) {
		case '(', '[', '{':
			if m.match[j] > 0 {
				j = int(m.match[j])
			}
			continue
		}
		k := m.kind(j + 1)
		if m.word(j) == "" || k != ',' && k != ')' && (k != '=' || m.kind(j+2) == '=') {
			continue
		}
		if before := m.kind(j - 1); before == '(' || before == ',' || before == '*' || before == '&' || before == '.' {
			m.give(j, "", false)
		}
	}
}

// value returns the type of an expression that begins at a token, "" where the syntax does not tell; ok is false where it is
// nothing: null, nil.
func (m *Mentions) value(i int) (of string, ok bool) {
	for n := 0; n < 4 && (m.is(i, "await") || m.is(i, "try") || m.is(i, "const") || m.kind(i) == '&' || m.kind(i) == '*'); n++ {
		i++
	}
	built := m.is(i, "new")
	if built {
		i++
	} else if of := m.ownCall(i); of != "" {
		return of, true
	}
	outer, last, j := m.path(i)
	if last == "" {
		return "", true
	}
	if k := m.generic(j); k > j {
		j = k
	}
	end := j
	if k := m.kind(j); (k == '(' || k == '{' && (m.name == "Go" || m.name == "Rust")) && m.match[j] > 0 {
		end = int(m.match[j]) + 1
	}
	if !m.over(end) {
		return "", true
	}
	upper := names.Upper([]byte(last))
	switch {
	case built:
		return last, true
	case (last == "new" || last == "default" || last == "init") && names.Upper([]byte(outer)):
		return outer, true
	case m.kind(j) == '(' && m.calls && upper, m.kind(j) == '{' && end > j && upper:
		return last, true
	case end == j && outer == "":
		if nothing[last] {
			return "", false
		}
		of, _ = m.typeOf(last, i)
		return of, true
	}
	return "", true
}

// path returns the last two names of a path that begins at a token, and the token behind it.
func (m *Mentions) path(i int) (outer, last string, next int) {
	last, next = m.word(i), i+1
	for n := 0; n < 8; n++ {
		at := next
		if m.kind(at) == '.' || m.kind(at) == '\\' {
			at++
		} else if m.kind(at) == ':' && m.kind(at+1) == ':' {
			at += 2
		}
		if at == next || m.word(at) == "" {
			break
		}
		outer, last, next = last, m.word(at), at+1
	}
	return outer, last, next
}

// over reports whether an expression is over before a token.
func (m *Mentions) over(i int) bool {
	switch m.kind(i) {
	case '.', '?', '-', '[', '(':
		return false
	case ';', ',', ')', '}', ']', 0:
		return true
	case ':':
		return m.kind(i+1) != ':'
	case '{':
		return m.name == "Kotlin"
	}
	return m.ends[i-1] || m.fresh[i]
}
