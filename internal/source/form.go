package source

import (
	"github.com/haversack-dev/haversack/internal/declaration"
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
	if sign == 0 || m.imported[i] {
		return false, false
	}
	after := m.kind(i + 1)
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
