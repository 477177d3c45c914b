package source

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/language"
)

// receiving are the languages whose members are only named behind what they belong to.
var receiving = language.WordSet("Astro Go JavaScript Lua PHP Python Rust Svelte TypeScript Vue")

// assigning are those in which to give a name a value declares a local.
var assigning = language.WordSet("Elixir Julia Perl Python R Ruby Shell")

// uncalled are those in which no local is called: x() is a function, whatever x is.
var uncalled = language.WordSet("Elixir Java Ruby")

// Receives reports whether a member is never named without what it belongs to in this text: as a local, a function, or a key is.
func (m *Mentions) Receives() bool {
	return receiving[m.name] || m.name == "C" && strings.HasSuffix(m.file, ".c")
}

// shadowed reports whether a name surely stands for a local, or a parameter, which the text declares before it.
func (m *Mentions) shadowed(name string, i int) bool {
	if m.kind(i+1) == '(' && uncalled[m.name] {
		return false
	}
	if m.unwraps(i) {
		i--
	}
	list := m.bound[name]
	n, _ := slices.BinarySearchFunc(list, int32(i), func(b binding, at int32) int { return int(b.at - at - 1) })
	for k := n - 1; k >= max(0, n-maxBindings); k-- {
		if b := &list[k]; !b.field && int32(i) < b.to && m.around(b.in, i) && m.declaresLocal(int(b.at)) && !m.firstValue(int(b.at), i) {
			return true
		}
	}
	return false
}

// implementsFor reports whether a token is the type of Rust's impl Trait for Type, and no variable of a loop.
func (m *Mentions) implementsFor(i int) bool {
	return m.name == "Rust" && m.is(i-1, "for") && !m.is(i+1, "in")
}

// unwraps reports whether a token names, in Swift, both a local and what gives it its value: if let x {.
func (m *Mentions) unwraps(i int) bool {
	if m.name != "Swift" || !m.is(i-1, "let") && !m.is(i-1, "var") {
		return false
	}
	switch w := m.word(i - 2); {
	case w != "if" && w != "guard" && w != "while" && m.kind(i-2) != ',':
		return false
	}
	return m.kind(i+1) == '{' || m.kind(i+1) == ',' || m.is(i+1, "else")
}

// firstValue reports whether a token stands in the value that a local is declared with: val x = x(), let x = x.
func (m *Mentions) firstValue(local, i int) bool {
	if w := m.word(local - 1); w != "val" && w != "var" && w != "let" && w != "mut" && (m.kind(local+1) != ':' || m.kind(local+2) != '=') {
		return false
	}
	called := m.kind(i+1) == '(' && m.tokens[i].Line == m.tokens[local].Line
	return (called || m.kind(i-1) == '=' && i-local < 4) && (m.name == "Kotlin" || m.name == "Swift" || m.name == "Go" || m.name == "Rust")
}

// noLocals are words before a name that are no type of it, beside noTypes.
var noLocals = language.WordSet("throws permits with on show hide where required get set catch")

// declaresLocal reports whether a binding declares a name, and does not only give, label or compare one that may be a member.
func (m *Mentions) declaresLocal(i int) bool {
	w := m.word(i - 1)
	switch after := m.kind(i + 1); {
	case w == "out" || w == "ref" || typeWords[w], m.implementsFor(i):
		return false
	case m.kind(i-1) == '&' || m.kind(i-1) == '*': // a mask, or a product
		return false
	case untyped[w], (m.kind(i-1) == '|' || m.kind(i-1) == ',' && after == '|') && m.bars(i), w == "as" && m.name == "Python":
		return true
	case after == '=' && m.kind(i+2) == '>', after == '-' && m.kind(i+2) == '>': // of a lambda, or of a case
		return m.takesArrow(i)
	case m.parameter(i):
		return true
	case assigning[m.name]:
		return m.assigned(i) > 0 || after == ','
	case after == ':' && m.kind(i+2) == '=' && m.behind:
		return true
	case m.before && !m.fresh[i] && !noLocals[w] && (m.kind(i-1) != '?' || m.kind(i-2) != '?'):
		_, ok := m.typeBefore(i)
		return ok
	case m.behind:
		_, ok := m.typeBehind(i)
		return ok
	}
	return false
}

// takesArrow reports whether what stands before an arrow is a parameter, and not what a case compares with.
func (m *Mentions) takesArrow(i int) bool {
	switch m.name {
	case "C#", "Java", "Kotlin":
		return !m.is(i-1, "case") && !names.Upper(m.bytes(i))
	case "Swift":
		return false
	}
	return m.labels && m.after
}

// opener returns the bracket that a token stands in, -1 where it stands in none, or begins a statement that does.
func (m *Mentions) opener(i int) int {
	for j := i - 1; j >= max(0, i-maxHead); j-- {
		switch m.kind(j) {
		case ')', ']', '}':
			if m.match[j] < 0 {
				return -1
			}
			j = int(m.match[j])
		case '(', '[', '{':
			return j
		case ';':
			return -1
		}
	}
	return -1
}

// parameter reports whether a name stands in the parentheses of what a function takes.
func (m *Mentions) parameter(i int) bool {
	open := m.opener(i)
	if m.kind(open) != '(' || m.match[open] < 0 {
		return false
	}
	before := open - 1
	if m.kind(before) == '>' {
		before = max(0, m.genericBefore(before))
	}
	if w := m.word(before); functionWords[w] || w == "init" || w == "constructor" || w == "subscript" {
		return true
	}
	for m.kind(before-1) == '.' && m.kind(before-2) == declaration.Word {
		before -= 2
	}
	if functionWords[m.word(before-1)] {
		return true
	}
	shut := int(m.match[open])
	switch k := m.kind(shut + 1); {
	case k == '=' && m.kind(shut+2) == '>':
		return m.kind(open-1) != declaration.Word
	case k == '{' || k == ':':
		return m.labels && m.after && m.name != "Swift" && m.word(open-1) != "" && !noTypes[m.word(open-1)]
	}
	return false
}

// functionWords begin what declares a function.
var functionWords = language.WordSet("func fun def fn function defp defmacro defmacrop lambda")
