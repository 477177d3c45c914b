package source

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph/names"
)

// Elixir says before a function which module it is of, or imports the module: both are told by the text, with the short names that
// alias gives.

// modules are what a text of Elixir says of modules.
type modules struct {
	// short are, by the first name of a module, the whole ones that it may stand for.
	short map[string][]string
	// list are the modules that the text defines, by their first lines.
	list []span
	// taken are the modules whose functions are imported.
	taken []taking
}

// span is a module from line to line, around the one that it stands in, -1 for none.
type span struct {
	name             string
	from, to, around int
}

// taking is a module that is imported: all of it, or the functions that are listed, or all but those.
type taking struct {
	module       string
	listed       []string
	only, except bool
}

// takes reports whether a function comes with it.
func (t taking) takes(name string) bool {
	switch {
	case t.only:
		return slices.Contains(t.listed, name)
	case t.except:
		return !slices.Contains(t.listed, name)
	}
	return true
}

// readModules reads the statements of a text of Elixir that tell about modules.
func (m *Mentions) readModules() {
	m.modules = &modules{short: map[string][]string{}}
	for i := range m.own {
		if d := &m.own[i]; d.Kind == "module" {
			m.modules.list = append(m.modules.list, span{d.Name, d.Line, d.End, -1})
			if strings.Contains(d.Name, ".") {
				m.shorten(lastOf(d.Name), d.Name)
			}
		}
	}
	list := m.modules.list
	slices.SortStableFunc(list, func(a, b span) int { return a.from - b.from })
	for n := range list {
		around := n - 1
		for around >= 0 && list[around].to < list[n].from {
			around = list[around].around
		}
		list[n].around = around
	}
	for i := 0; i < len(m.tokens); i++ {
		alias := m.is(i, "alias")
		if !m.fresh[i] || !m.imported[i] || !alias && !m.is(i, "import") {
			continue
		}
		end := m.statement(i)
		first := i + 1
		last := m.chainEnd(first, end)
		if last < 0 {
			continue
		}
		module := m.moduleSaid(first, last)
		switch {
		case !alias:
			m.modules.taken = append(m.modules.taken, m.taking(module, last+1, end))
		case m.kind(last+1) == '.' && m.kind(last+2) == '{': // alias A.{B, C.D}
			for j := last + 3; j < end; j++ {
				if n := m.chainEnd(j, end); n >= 0 {
					said := m.namesOf(j, n)
					m.shorten(lastOf(said), module+"."+said)
					j = n
				}
			}
		default:
			name := lastOf(module)
			for j := last + 1; j < end; j++ {
				if m.is(j, "as") && m.kind(j+1) == ':' && m.word(j+2) != "" {
					name = m.word(j + 2)
				}
			}
			m.shorten(name, module)
		}
	}
}

// shorten keeps that a name may stand for a module.
func (m *Mentions) shorten(name, module string) {
	if list := m.modules.short[name]; len(list) < maxImporting && !slices.Contains(list, module) {
		m.modules.short[name] = append(list, module)
	}
}

// taking reads what stands behind the module of an import, up to end: , only: [a: 1, b: 2].
func (m *Mentions) taking(module string, from, end int) taking {
	t := taking{module: module}
	for j := from; j < min(end, len(m.tokens)); j++ {
		if w := m.word(j); w != "" && m.kind(j+1) == ':' {
			switch {
			case w == "only" && m.kind(j+2) == ':': // only: :macros
				return t
			case w == "only":
				t.only = true
			case w == "except":
				t.except = true
			case len(t.listed) < maxAround:
				t.listed = append(t.listed, w)
			}
		}
	}
	return t
}

// chainEnd is the last token of the names of modules that begin at one, -1 where none do.
func (m *Mentions) chainEnd(i, end int) int {
	module := func(i int) bool { return names.Upper(m.bytes(i)) || m.is(i, "__MODULE__") }
	if !module(i) {
		return -1
	}
	for i+2 < end && m.kind(i+1) == '.' && module(i+2) {
		i += 2
	}
	return i
}

// namesOf are the names from one token to another.
func (m *Mentions) namesOf(first, last int) string {
	return string(m.text[m.tokens[first].Start:m.tokens[last].End])
}

// moduleSaid is the whole name of the module that a statement says.
func (m *Mentions) moduleSaid(first, last int) string {
	return m.meant(first, last)[0]
}

// meant are the modules that names from one token to another may mean, at least one.
func (m *Mentions) meant(first, last int) (list []string) {
	said := m.namesOf(first, last)
	head, rest, more := strings.Cut(said, ".")
	heads := m.modules.short[head]
	if head == "__MODULE__" {
		heads = []string{m.moduleAt(first)}
	}
	if len(heads) == 0 {
		return []string{said}
	}
	for _, h := range heads {
		if more {
			h += "." + rest
		}
		list = append(list, h)
	}
	return list
}

// moduleAt is the innermost module around a token.
func (m *Mentions) moduleAt(i int) string {
	line := int(m.tokens[i].Line)
	list := m.modules.list
	n, _ := slices.BinarySearchFunc(list, line+1, func(one span, line int) int { return one.from - line })
	for n--; n >= 0 && list[n].to < line; n = list[n].around {
	}
	if n < 0 {
		return ""
	}
	return list[n].name
}

// ofModules says whether a token of Elixir names what is wanted, which a module has.
func (m *Mentions) ofModules(i int, w WantedDefinition) (sure, named bool) {
	name := m.word(i)
	module := strings.TrimSuffix(w.Name, "."+name)
	switch {
	case names.Upper(m.bytes(i)): // a module in a module
		if m.kind(i+1) == '.' && names.Upper(m.bytes(i+2)) {
			return false, false
		}
		return m.means(m.chainBegin(i), i, w.Name)
	case m.kind(i-1) == '.':
		if j := i - 2; names.Upper(m.bytes(j)) || m.is(j, "__MODULE__") {
			return m.means(m.chainBegin(j), j, module)
		}
		return false, m.kind(i+1) == '(' && m.touches(i) // a module that a value is
	case m.kind(i-1) == ':' && m.touches(i-1):
		if j := i - 3; m.kind(i-2) == ',' && names.Upper(m.bytes(j)) { // {Module, :function, arguments}
			return m.means(m.chainBegin(j), j, module)
		}
		return false, false
	case m.imported[i]:
		sure = slices.ContainsFunc(m.modules.taken, func(t taking) bool { return t.only && t.module == module && t.takes(name) })
		return sure, sure
	case m.kind(i+1) == ':' || m.defining(i) || !m.calling(i):
		return false, false
	}
	return m.unqualified(i, name, module)
}

// chainBegin is the first token of the names of modules that end at one.
func (m *Mentions) chainBegin(i int) int {
	for n := 0; n < maxAround && m.kind(i-1) == '.' && (names.Upper(m.bytes(i-2)) || m.is(i-2, "__MODULE__")); n++ {
		i -= 2
	}
	return i
}

// means says whether names from one token to another mean a module: they may where they end as its name does and nothing tells what
// their first stands for.
func (m *Mentions) means(first, last int, module string) (sure, named bool) {
	list := m.meant(first, last)
	switch {
	case slices.Contains(list, module):
		return len(list) == 1, true
	case list[0] == m.namesOf(first, last):
		named = strings.HasSuffix("."+module, "."+list[0])
	}
	return false, named
}

// defining reports whether a function is defined, specified, or handed on to another module where it is named.
func (m *Mentions) defining(i int) bool {
	switch m.word(i - 1) {
	case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "spec", "callback", "macrocallback":
		return true
	}
	return false
}

// calling reports whether a name without a module is called, or captured by &name/1.
func (m *Mentions) calling(i int) bool {
	switch k := m.kind(i + 1); {
	case k == '(':
		return m.touches(i)
	case m.kind(i-1) == '&':
		return k == '/'
	case i+1 >= len(m.tokens) || m.ends[i] || !m.fresh[i] && m.kind(i-1) != '=' && m.kind(i-1) != '>':
		return false
	default:
		return m.word(i+1) != "" && !elixirOperators[m.word(i+1)] || k == '%' || k == '"' || k == '['
	}
}

// elixirOperators are words that stand behind a value.
var elixirOperators = map[string]bool{"do": true, "in": true, "and": true, "or": true, "not": true, "when": true, "end": true, "else": true}

// unqualified is ofModules for a call that says no module: of a function of the module around it, or of one that is imported.
func (m *Mentions) unqualified(i int, name, module string) (sure, named bool) {
	if m.is(i-1, "defdelegate") {
		for j, end := i, m.statement(i); j < end; j++ {
			if m.is(j, "to") && m.kind(j+1) == ':' {
				if end := m.chainEnd(j+2, len(m.tokens)); end >= 0 {
					return m.means(j+2, end, module)
				}
			}
		}
		return false, false
	}
	switch around := m.moduleAt(i); {
	case around == module:
		return true, true
	case m.members[lastOf(around)+"."+name]:
		return false, false
	}
	others := false
	for _, t := range m.modules.taken {
		switch {
		case !t.takes(name):
		case t.module == module:
			named = true
			if t.only {
				return true, true
			}
		default:
			others = true
		}
	}
	return named && !others, named
}
