package source

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
)

// Chain is a place at which a member is named behind calls of which this text does not tell what they give back:
// Of.Calls[0]().Calls[1]().name.
type Chain struct {
	Line int
	// Of are the types, as this text names them, of which the first that declares the first of the calls is meant.
	Of []string
	// Calls are the members that are called, in their order.
	Calls []string
}

// Chains are the places of a name behind such calls, in their order.
func (m *Mentions) Chains(name string) (list []Chain) {
	if m.behind || m.columns && m.name != "Python" {
		return nil // what calls give back is not written in members of types
	}
	m = m.asked(WantedDefinition{})
	for _, i := range m.places(name) {
		sign, k := m.access(i)
		if sign == 0 || k < 0 || m.imported[i] || len(m.receiver(k)) > 0 {
			continue
		}
		c := Chain{Line: int(m.tokens[i].Line)}
		if m.chain(k, len(m.tokens), &c) && len(c.Calls) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// chain adds the calls of an expression that ends at a token, or of what the name there was given before another place.
func (m *Mentions) chain(j, before int, c *Chain) bool {
	if m.chained >= maxChained {
		return false
	}
	m.chained++
	defer func() { m.chained-- }()
	if m.kind(j) == declaration.Word {
		if sign, _ := m.access(j); sign != 0 {
			return false // of a field
		}
		b := m.binding(m.word(j), j)
		if b == nil || b.of != "" || int(b.at) >= before {
			return false
		}
		v := m.assigned(int(b.at))
		if v == 0 {
			return false
		}
		end := m.lastCall(v)
		return end > 0 && m.chain(end, int(b.at), c)
	}
	o := -1
	if m.kind(j) == ')' {
		o = int(m.match[j])
	}
	if o < 1 || m.word(o-1) == "" || m.builds(o-1) {
		return false
	}
	sign, k := m.access(o - 1)
	if sign == 0 || k < 0 {
		return false
	}
	if c.Of = m.receiver(k); len(c.Of) == 0 && !m.chain(k, before, c) {
		return false
	}
	c.Calls = append(c.Calls, m.word(o-1))
	return true
}

// lastCall is the last token of an expression that begins at a token, where it is names and calls alone and ends with a call; else 0.
func (m *Mentions) lastCall(i int) int {
	if m.is(i, "await") {
		i++
	}
	for n := 0; n < maxAround && m.word(i) != "" && m.word(i) != "new"; n++ {
		i++
		if m.kind(i) == '(' && m.match[i] > 0 {
			shut := int(m.match[i])
			if i = shut + 1; m.over(i) {
				return shut
			}
		}
		if k := m.kind(i); k == '?' && (m.kind(i+1) == '.' || m.kind(i+1) == '-') {
			i++
		}
		switch {
		case m.kind(i) == '.':
			i++
		case m.kind(i) == '-' && m.kind(i+1) == '>' && m.arrows, m.kind(i) == ':' && m.kind(i+1) == ':':
			i += 2
		default:
			return 0
		}
	}
	return 0
}

// Declares reports whether this text declares a type of the name.
func (m *Mentions) Declares(name string) bool {
	return slices.ContainsFunc(m.own, func(d graph.Definition) bool {
		switch d.Kind {
		case "class", "interface", "struct", "enum", "trait", "record", "object", "protocol":
			return lastOf(d.Name) == name
		}
		return false
	})
}

// Gives is the type that a member gives back which a type of this text declares, as this text names it: "" where it is not written. declared
// is false where it declares none of the name.
func (m *Mentions) Gives(of, member string) (back string, declared bool) {
	back, declared = m.returned[of+"."+member]
	return back, declared || m.members[of+"."+member]
}

// Extends are the types that one of this text extends, or implements.
func (m *Mentions) Extends(name string) []string {
	for i := range m.blocks {
		if b := &m.blocks[i]; b.typed && b.name == name && len(b.supers) > 0 {
			return b.supers
		}
	}
	return nil
}

// Overloads reports whether the language tells members of one name apart by what they take.
func (m *Mentions) Overloads() bool {
	return m.name != "PHP" && m.name != "Python" && !strings.Contains(m.name, "Script")
}
