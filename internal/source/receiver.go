package source

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/language"
)

// typeWords begin the head of a type.
var typeWords = map[string]bool{"class": true, "struct": true, "interface": true, "trait": true, "object": true, "enum": true, "record": true, "protocol": true, "actor": true,
	"extension": true, "mixin": true, "impl": true, "union": true, "module": true}

// behindType are words that stand behind the name of a type in its head.
var behindType = language.WordSet("extends implements for with final permits where private internal protected public constructor")

// nest finds the blocks, and in which of them each token stands.
func (m *Mentions) nest() {
	m.in, m.parted = make([]int32, len(m.tokens)), make([]bool, len(m.tokens))
	m.blocks = []enclosure{{parent: -1, to: int32(len(m.tokens)), column: -1}}
	if m.columns {
		m.nestByColumns()
	} else {
		m.nestByBraces()
	}
	for i := range m.tokens { // what is mixed into a type
		switch m.word(i) {
		case "include", "extend", "prepend", "use":
			if b := &m.blocks[m.in[i]]; m.fresh[i] && b.typed && (m.name == "Ruby" || m.name == "PHP") {
				b.supers = m.wordsOf(b.supers, i+1, m.statement(i))
			}
		}
	}
}

// nestByBraces takes what stands between braces as blocks; what stands in the parentheses of its head is in the block too.
func (m *Mentions) nestByBraces() {
	var open []int32 // blocks
	starts := []int{0}
	at, depth := int32(0), []int{0}
	for i := range m.tokens {
		last := len(starts) - 1
		m.in[i], m.parted[i] = at, depth[last] > 0
		switch k := m.tokens[i].Kind; k {
		case '{':
			b := enclosure{parent: at, from: int32(i), open: int32(i), to: int32(len(m.tokens))}
			if m.match[i] > 0 {
				b.to = m.match[i]
			}
			m.head(&b, starts[last], i)
			open = append(open, at)
			at = int32(len(m.blocks))
			m.blocks = append(m.blocks, b)
			for j := i - 1; j >= starts[last] && j > i-maxHead; j-- {
				if m.kind(j) == ')' && int(m.match[j]) >= starts[last] {
					for o := int(m.match[j]); j > o; j-- {
						m.in[j] = at
					}
					m.blocks[at].from = int32(j)
				}
			}
			starts, depth = append(starts, i+1), append(depth, 0)
			continue
		case '}':
			if len(open) > 0 && m.match[i] >= 0 {
				at, open = open[len(open)-1], open[:len(open)-1]
				starts, depth = starts[:last], depth[:last]
				if depth[last-1] == 0 {
					starts[last-1] = i + 1
				}
			}
			continue
		case '(', '[':
			depth[last]++
		case ')', ']':
			depth[last] = max(0, depth[last]-1)
		}
		if depth[last] == 0 && (m.tokens[i].Kind == ';' || m.ends[i] && !m.leavesOpen(i) && !m.goesOn(i+1)) {
			starts[last] = i + 1
		}
	}
}

// maxHead bounds the tokens of a head.
const maxHead = 300

// goesOn reports whether a line that begins at a token is still the head that the line before began.
func (m *Mentions) goesOn(i int) bool {
	switch m.word(i) {
	case "extends", "implements", "with", "where", "throws":
		return true
	case "constructor", "private", "internal", "protected", "public":
		return m.name == "Kotlin" && (m.is(i, "constructor") || m.is(i+1, "constructor")) && m.kind(i-1) == declaration.Word
	}
	return m.kind(i) == '{' || m.kind(i) == ':' || m.kind(i) == '>' || m.name == "Kotlin" && m.kind(i) == '@' && m.is(i+2, "constructor")
}

// leavesOpen reports whether a line that ends with a token leaves a head open, for parameters of types or for what is extended.
func (m *Mentions) leavesOpen(i int) bool {
	return m.kind(i) == ',' || m.kind(i) == '<' || m.kind(i) == ':'
}

// parts reports whether a line parts the members of a class of Ruby that can be seen from others: some write it as far left as the class.
func (m *Mentions) parts(i int) bool {
	return m.name == "Ruby" && m.ends[i] && (m.is(i, "private") || m.is(i, "protected") || m.is(i, "public"))
}

// nestByColumns takes what is set in below a head as its block.
func (m *Mentions) nestByColumns() {
	at, end := int32(0), 0
	for i := range m.tokens {
		if i >= end && m.fresh[i] {
			if column, first := m.column(i); first {
				for m.blocks[at].column > column || m.blocks[at].column == column && !(m.blocks[at].typed && m.parts(i)) {
					m.blocks[at].to = int32(i)
					at = m.blocks[at].parent
				}
				stop := m.statement(i)
				if m.heads(i, stop) {
					b := enclosure{parent: at, from: int32(i), to: int32(len(m.tokens)), column: column}
					m.head(&b, i, min(stop, i+maxHead))
					at = int32(len(m.blocks))
					m.blocks = append(m.blocks, b)
				}
				end = min(stop, i+maxHead)
			}
		}
		m.in[i] = at
	}
}

// column is how far the line is set in that a token begins; first is false where it begins none.
func (m *Mentions) column(i int) (column int, first bool) {
	for at := int(m.tokens[i].Start) - 1; at >= 0 && m.text[at] != '\n'; at-- {
		if m.text[at] != ' ' && m.text[at] != '\t' {
			return 0, false
		}
		column++
	}
	return column, true
}

// heads reports whether a line from i to end begins a function or a type.
func (m *Mentions) heads(i, end int) bool {
	switch m.word(i) {
	case "def", "class", "module", "async":
		return true
	}
	for ; i < min(end, i+maxAround) && m.name == "Lua"; i++ {
		if m.is(i, "function") {
			return true
		}
	}
	return false
}

// head reads the type whose block a head from i to end begins.
func (m *Mentions) head(b *enclosure, i, end int) {
	for i = max(i, end-maxHead); i < end; i++ {
		switch k := m.kind(i); {
		case (k == '(' || k == '[') && int(m.match[i]) > i && int(m.match[i]) < end:
			i = int(m.match[i])
		case k == declaration.Word && typeWords[m.word(i)] && m.kind(i-1) != '.' && m.kind(i+1) != '.': // module.exports is a value
			m.typeHead(b, m.word(i), i+1, end)
			return
		case k == ':' && m.kind(i+1) == ':' && m.kind(i+2) == declaration.Word && m.kind(i+3) == '(' && m.word(i-1) != "": // void A::b() {
			b.typed, b.name = true, m.word(i-1)
			return
		}
	}
}

// typeHead reads the name of a type, and what it extends.
func (m *Mentions) typeHead(b *enclosure, kind string, i, end int) {
	for typeWords[m.word(i)] { // enum class
		i++
	}
	parameters := i
	i = m.generic(i)
	if m.word(i) == "" {
		return
	}
	from := i
	b.typed, b.name = true, m.word(i)
	for i++; i < end && (m.kind(i) == '.' || m.kind(i) == ':' && m.kind(i+1) == ':' || m.kind(i) == ':' && m.kind(i-1) == ':' || m.kind(i) == declaration.Word); i++ {
		w := m.word(i)
		if behindType[w] {
			break
		}
		if w != "" {
			b.name = w
		}
	}
	if kind == "impl" {
		i = m.generic(i)
		if m.is(i, "for") {
			b.supers = []string{b.name}
			b.name = m.lastOfPath(i+1, end)
			b.any = m.parametric(parameters, from, b.name)
		}
		return
	}
	b.supers = m.wordsOf(b.supers, max(from+1, i), end)
}

// parametric reports whether a name is that of one of the parameters of types between two tokens, in brackets.
func (m *Mentions) parametric(i, end int, name string) bool {
	for at := i + 1; at < end; at++ {
		if m.is(at, name) && (m.kind(at-1) == '<' && at-1 == i || m.kind(at-1) == ',') {
			return true
		}
	}
	return false
}

// lastOfPath is the last word of a path that begins at a token.
func (m *Mentions) lastOfPath(i, end int) (name string) {
	for ; i < end; i++ {
		switch w := m.word(i); {
		case w != "" && w != "mut" && w != "dyn":
			name = w
		case m.kind(i) == '<' || w != "":
			return name
		}
	}
	return name
}

// wordsOf appends the names between two tokens, but for arguments of types and of constructors.
func (m *Mentions) wordsOf(list []string, i, end int) []string {
	for end = min(end, i+maxHead); i < end; i++ {
		switch k := m.kind(i); {
		case k == '<' || k == '[':
			if j := m.generic(i); j > i {
				i = j - 1
			}
		case k == '(' && m.name != "Python" && int(m.match[i]) > i:
			i = int(m.match[i])
		case m.is(i, "permits") || m.is(i, "where") || m.kind(i+1) == '=' && k == declaration.Word:
			return list
		case k == declaration.Word:
			list = append(list, m.word(i))
		}
	}
	return list
}

// typeAround is the type around a token, nil where there is none.
func (m *Mentions) typeAround(i int) *enclosure {
	for n, at := 0, m.in[i]; at >= 0 && n < maxAround; n, at = n+1, m.blocks[at].parent {
		if m.blocks[at].typed {
			return &m.blocks[at]
		}
	}
	return nil
}

// itself reports whether a word is one for what a method belongs to, and for what its type extends.
func itself(w string) bool {
	switch w {
	case "this", "self", "Self", "cls", "static", "super", "parent", "base":
		return true
	}
	return false
}

// inherited are the words for what a type extends.
var inherited = map[string]bool{"super": true, "parent": true, "base": true}

// receiver returns the types, of which one is that of the expression that ends at a token; none where the syntax does not tell.
func (m *Mentions) receiver(j int) []string {
	switch m.kind(j) {
	case declaration.Word:
		w := m.word(j)
		sign, k := m.access(j)
		switch {
		case sign == 0 && itself(w):
			if t := m.typeAround(j); t != nil {
				return append([]string{t.name}, t.supers...)
			}
			return nil
		case sign != 0 && k >= 0 && itself(m.word(k)), strings.HasPrefix(w, "@"):
			return known(m.fieldOf(w, j))
		case w == "new" && m.name == "Ruby" && k >= 0 && names.Upper([]byte(m.word(k))):
			return []string{m.word(k)}
		case sign != 0:
			if sign == ':' || names.Upper([]byte(w)) {
				return []string{w}
			}
			return nil
		}
		if of, bound := m.typeOf(w, j); bound {
			return known(of)
		}
		return []string{w}
	case ')':
		return m.called(j)
	case declaration.Quoted:
		if module, _ := m.required(j - 1); module != "" {
			return []string{module}
		}
	case '}':
		if o := int(m.match[j]); o > 0 && (m.name == "Go" || m.name == "Rust") && names.Upper([]byte(m.word(o-1))) {
			return []string{m.word(o - 1)}
		}
	}
	return nil
}

func known(of string) []string {
	if of == "" {
		return nil
	}
	return []string{of}
}

// called is receiver for what ends with a parenthesis: a construction, or a cast.
func (m *Mentions) called(j int) []string {
	o := int(m.match[j])
	switch {
	case o < 0:
		return nil
	case m.name == "Lua":
		module, _ := m.required(o - 1)
		return known(module)
	case m.before && m.kind(o+1) == '(' && m.kind(o+2) == declaration.Word && int(m.match[o+1]) == o+3:
		return []string{m.word(o + 2)}
	case m.is(j-2, "as"):
		return known(m.word(j - 1))
	case m.is(o+1, "new"):
		of, _ := m.value(o + 1)
		return known(of)
	}
	c := o - 1
	w := m.word(c)
	if w == "" {
		return nil
	}
	sign, k := m.access(c)
	switch {
	case m.builds(c):
		return []string{w}
	case (w == "new" || w == "default" || w == "init") && sign != 0 && k >= 0 && names.Upper([]byte(m.word(k))):
		return []string{m.word(k)}
	case m.calls && names.Upper([]byte(w)):
		return []string{w}
	}
	return m.back(c)
}

// typeOf is the type of a name at a token, "" where it is not written; bound is false where nothing here gives it a value.
func (m *Mentions) typeOf(name string, i int) (of string, bound bool) {
	b := m.binding(name, i)
	if b == nil {
		return "", false
	}
	return b.of, true
}

// local is typeOf for names that are no members.
func (m *Mentions) local(name string, i int) (of string, bound bool) {
	b := m.binding(name, i)
	if b == nil || b.field {
		return "", false
	}
	return b.of, true
}

// binding is the last before a token in a block around it, or one of the type's behind it.
func (m *Mentions) binding(name string, i int) *binding {
	list := m.bound[name]
	n, _ := slices.BinarySearchFunc(list, int32(i), func(b binding, at int32) int { return int(b.at - at - 1) })
	for k := n - 1; k >= max(0, n-maxBindings); k-- {
		if m.around(list[k].in, i) && int32(i) < list[k].to {
			return &list[k]
		}
	}
	t := m.typeAround(min(i, len(m.tokens)-1))
	for k := range list[:min(len(list), maxBindings)] {
		if list[k].field && (m.around(list[k].in, i) || t != nil && t.name == m.blocks[list[k].in].name) {
			return &list[k]
		}
	}
	return nil
}

// around reports whether a token stands in a block.
func (m *Mentions) around(at int32, i int) bool {
	b := &m.blocks[at]
	return b.from <= int32(i) && int32(i) < b.to
}

// fieldOf is the type of a member of the type around a token: "" where it is not written, or differs.
func (m *Mentions) fieldOf(name string, i int) (of string) {
	list := m.bound[name]
	if len(list) > maxBindings {
		return ""
	}
	t := m.typeAround(i)
	for _, b := range list {
		if !b.field || t == nil || m.blocks[b.in].name != t.name {
			continue
		}
		if b.of == "" || of != "" && of != b.of {
			return ""
		}
		of = b.of
	}
	return of
}
