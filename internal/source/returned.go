package source

import (
	"github.com/haversack-dev/haversack/internal/declaration"
)

// maxChained bounds the calls of one chain whose types are followed: a().b().c().
const maxChained = 8

// returns finds the types that what this text declares gives back, where they are written: of members by the type around them and
// their names, of functions by "." and the name. Of what is declared twice with unlike types it is "".
func (m *Mentions) returns() {
	m.returned = map[string]string{}
	for i := range m.tokens {
		if m.kind(i) != declaration.Word || !m.declared[place{int(m.tokens[i].Line), m.word(i)}] {
			continue
		}
		o := m.generic(i + 1)
		if m.kind(o) != '(' || m.match[o] < 0 || m.imported[i] {
			continue
		}
		if sign, _ := m.access(i); sign != 0 { // the body of what another text declares
			continue
		}
		of, told := m.gives(i, int(m.match[o])+1)
		if !told {
			continue
		}
		key, in := "."+m.word(i), m.in[i]
		if m.columns && in > 0 && m.tokens[m.blocks[in].from].Line == m.tokens[i].Line {
			in = m.blocks[in].parent // it is the head of its own block
		}
		if at := &m.blocks[in]; at.typed {
			key = at.name + key
		} else if in > 0 {
			continue // within a function
		}
		if old, known := m.returned[key]; known && old != of {
			of = ""
		}
		m.returned[key] = of
	}
}

// gives returns the type that a function gives back whose name is a token, and behind whose parameters another stands; told is false
// where it is no declaration.
func (m *Mentions) gives(i, behind int) (of string, told bool) {
	switch {
	case m.kind(behind) == ':' && m.kind(behind+1) != ':' && (m.after && m.name != "Python" || m.name == "PHP"):
		behind++
	case m.kind(behind) == '-' && m.kind(behind+1) == '>' && m.after:
		behind += 2
	case m.before && m.name != "PHP" && !m.fresh[i]:
		return m.givesBefore(i), true
	default:
		k := m.kind(behind)
		return "", k == '{' || k == ';' || k == '=' || m.ends[behind-1]
	}
	if m.kind(behind) == '?' {
		behind++
	}
	if m.name == "Python" {
		if m.word(behind) != "" && m.kind(behind+1) == ':' {
			return m.word(behind), true
		}
		return "", true
	}
	of, ok := m.typeAfter(behind)
	if !ok {
		of = ""
	}
	return of, true
}

// givesBefore is the type that stands before the name of a function.
func (m *Mentions) givesBefore(i int) string {
	p := i - 1
	for n := 0; n < 4 && (m.kind(p) == '*' || m.kind(p) == '&' || m.kind(p) == '?' || m.is(p, "const")); n++ {
		p--
	}
	if m.kind(p) == '>' {
		p = m.genericBefore(p)
	}
	w := m.word(p)
	if noTypes[w] || untyped[w] {
		return ""
	}
	return w
}

// back returns the type that a call gives back whose name is a token, nil where this text does not tell.
func (m *Mentions) back(c int) []string {
	if m.chained >= maxChained || len(m.returned) == 0 {
		return nil
	}
	m.chained++
	defer func() { m.chained-- }()
	sign, k := m.access(c)
	var owners []string
	switch {
	case sign != 0 && k < 0:
		return nil
	case sign != 0:
		owners = m.receiver(k)
	default:
		if t := m.typeAround(c); m.bare && t != nil {
			owners = append([]string{t.name}, t.supers...)
		}
		owners = append(owners[:len(owners):len(owners)], "")
		if _, bound := m.typeOf(m.word(c), c); bound { // a value that is called
			return nil
		}
	}
	for n, owner := range owners {
		of, ok := m.returned[owner+"."+m.word(c)]
		switch {
		case !ok:
			continue
		case itself(of):
			return owners[n : n+1]
		}
		return known(of)
	}
	return nil
}

// ownCall returns the type of an expression that begins at a token, where a function of this text, or a member of the type around it, is
// called and nothing else is done: f(), this.f(); else "".
func (m *Mentions) ownCall(i int) string {
	c := i
	if itself(m.word(i)) {
		switch {
		case m.kind(i+1) == '.':
			c = i + 2
		case m.kind(i+1) == '-' && m.kind(i+2) == '>' && m.arrows, m.kind(i+1) == ':' && m.kind(i+2) == ':':
			c = i + 3
		}
	}
	o := m.generic(c + 1)
	if m.word(c) == "" || m.kind(o) != '(' || m.match[o] < 0 || !m.over(int(m.match[o])+1) {
		return ""
	}
	if of := m.back(c); len(of) > 0 {
		return of[0]
	}
	return ""
}
