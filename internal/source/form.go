package source

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/language"
)

// Valued reports whether it is a member that has a value, and is not called.
func (w WantedDefinition) Valued() bool {
	switch w.Kind {
	case "field", "property", "const", "constant", "var", "member":
		return w.Member()
	}
	return false
}

// Method reports whether it is a member that is called.
func (w WantedDefinition) Method() bool {
	return w.Member() && (w.Kind == "method" || w.Kind == "func")
}

// form says of a name behind a receiver whether nothing but a method can stand there, as it is called, or nothing but a value: in the languages
// where a method and a field of one name are told apart so.
func (m *Mentions) form(i int) (called, read bool) {
	sign, _ := m.access(i)
	after := m.kind(i + 1)
	if sign == 0 || m.imported[i] {
		return false, m.name == "Java" && !m.imported[i] && after != '(' && (after != '=' || !m.parted[i]) // what an annotation gives a value is called
	}
	switch m.name {
	case "Rust":
		turbofish := after == ':' && m.kind(i+2) == ':' && m.kind(i+3) == '<'
		return sign == '.' && (after == '(' || turbofish), sign == '.' && after != '(' && !turbofish
	case "PHP":
		return after == '(', after != '('
	case "Java": // what is called may be a component of a record
		return false, sign == '.' && after != '('
	case "Kotlin": // a value that is a function may be called
		return false, sign == '.' && after != '(' && after != '{' && after != '<'
	}
	return false, false
}

// behindValue are words that stand behind a value, where others stand behind the name of a type.
var behindValue = language.WordSet("is as in instanceof switch when with and or not if else until downTo to step shl shr xor then")

// reads reports whether a name without a receiver reads, or gives a value to, what the type around it has of that name.
func (m *Mentions) reads(i int) bool {
	if !m.valued || !m.bare || m.name == "Ruby" || m.shadowed(m.word(i), i) {
		return false
	}
	before, after := m.kind(i-1), m.kind(i+1)
	switch {
	case after == declaration.Word && !m.ends[i] && !behindValue[m.word(i+1)]: // the type of what follows
		return false
	case m.is(i-1, "new"), typeWords[m.word(i-1)]:
		return false
	case m.after && before == ':' && m.kind(i-2) != ':': // the type of what it follows
		return false
	case after == '=' && m.kind(i+2) != '=' && m.initializes(m.opener(i)): // a member of what is made there
		return false
	}
	return true
}

// initializes reports whether a brace opens what gives values to the members of what is made before it: new A(b) {, a with {.
func (m *Mentions) initializes(open int) bool {
	if m.kind(open) != '{' {
		return false
	}
	j := open - 1
	if m.kind(j) == ')' && m.match[j] > 0 {
		j = int(m.match[j]) - 1
	}
	if m.kind(j) == '>' {
		j = m.genericBefore(j)
	}
	if m.is(j, "new") || m.is(j, "with") {
		return true
	}
	return m.word(j) != "" && m.is(m.beforeQualified(j), "new")
}

// madeOf says of a name that gives a member its value where what has it is made, A { name: 1 }, which type that is: "" where it is not written.
// made is false of any other name.
func (m *Mentions) madeOf(i int) (of string, made bool) {
	before, after := m.kind(i-1), m.kind(i+1)
	if !m.valued || before != '{' && before != ',' {
		return "", false
	}
	alone := after == ',' || after == '}' && before == ','
	stated := after == ':' && m.kind(i+2) != ':'
	open := m.opener(i)
	if m.kind(open) != '{' {
		return "", false
	}
	switch {
	case m.requires && (stated || alone):
		return "", !m.blocks[m.in[i]].typed && !m.is(open-3, "type")
	case m.name == "Rust" && (stated || alone), m.name == "Go" && stated && m.kind(i+2) != '=':
		return m.madeBy(open)
	case m.name == "C#" && after == '=' && m.kind(i+2) != '=' && m.initializes(open):
		return m.madeBy(open)
	}
	return "", false
}

// madeBy is madeOf by the brace behind the type.
func (m *Mentions) madeBy(open int) (of string, made bool) {
	j := open - 1
	if m.kind(j) == ')' && m.match[j] > 0 { // new A(b) {
		j = int(m.match[j]) - 1
	}
	if m.kind(j) == '>' {
		j = m.genericBefore(j)
	}
	switch of = m.word(j); {
	case of == "Self":
		if t := m.typeAround(open); t != nil {
			return t.name, true
		}
	case of == "new" || of == "with" || of == "" && m.name != "Rust":
		return "", true
	case m.name == "Go" && of != "" || names.Upper([]byte(of)):
		return of, true
	}
	return "", false
}

// callables are the lines of PHP on which strings name a method, behind the class that has it: [A::class, 'name'], [$this, 'name'].
func (m *Mentions) callables(w WantedDefinition, types []string) (list []Use) {
	last, _ := w.parts()
	if m.name != "PHP" || !w.Method() {
		return nil
	}
	for i, t := range m.tokens {
		if t.Kind != declaration.Quoted || strings.Trim(string(m.text[t.Start:t.End]), "\"'") != last || m.kind(i-1) != ',' || m.kind(i+1) != ']' {
			continue
		}
		of := m.word(i - 2)
		if of == "class" && m.kind(i-3) == ':' && m.kind(i-4) == ':' {
			of = m.word(i - 5)
		} else if of != "this" {
			continue
		}
		are := []string{of}
		if around := m.typeAround(i); itself(of) && around != nil {
			are = []string{around.name}
			if !m.members[around.name+"."+last] {
				are = append(are, around.supers...)
			}
		}
		if slices.ContainsFunc(are, func(is string) bool { return slices.Contains(types, is) }) {
			list = append(list, Use{Line: int(t.Line), Sure: true})
		}
	}
	return list
}

// WantedKind is the kind of a definition as users are looked for: a member of a script's type that is a function by its type, and has no body, is
// given a value as others are.
func WantedKind(file, name, kind, signature string) string {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(signature, "readonly "), lastOf(name))
	if l := language.Of(file); ok && kind == "method" && l != nil && l.Family == "script" && strings.HasPrefix(strings.TrimPrefix(rest, "?"), ":") {
		return "property"
	}
	return kind
}
