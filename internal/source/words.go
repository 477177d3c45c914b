package source

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Word is a place at which a word stands in a text, outside of comments.
type Word struct {
	Line int // from 1
	As   Standing
	// In is the type whose member a name without a receiver would be here; "" without, or where it may be none.
	In string
	// Quoted is the string that it stands in, without its quotes; "" where that is more than names and what joins them.
	Quoted string
	// Of is the name of a type that stands before that of a member, or of one that extends none and declares it there; "" where none does.
	Of string
	// Value: it stands where a value may, so that what is there may call it, or it is extended.
	Value bool
	// Called: nothing but a method can stand there, Read: nothing but a value.
	Called, Read bool
	// Package is the import path, of Go, of the package behind whose name it stands; "" behind anything else.
	Package string
}

// Standing says as what a word stands somewhere.
type Standing uint8

const (
	// Bare: without a receiver.
	Bare Standing = iota
	// Qualified: behind a receiver, a package, a module.
	Qualified
	// Declared: as the name of a member that is declared there.
	Declared
	// Key: in braces, as the name of a member of a value that is made, or taken apart, there.
	Key
	// Local: as a local or a parameter that is declared before it.
	Local
	// Label: as the name of an argument, or of a member that is given a value where its type is made.
	Label
	// Literal: in a string.
	Literal
	// Module: as a part of the name of a module that an import is from.
	Module
	// Template: in a string that a component has as its template, or binds a name of it to.
	Template
)

// maxTags bounds the tags of one text whose names are told.
const maxTags = 2000

// maxQuoted bounds the strings that are told with a word, in bytes.
const maxQuoted = 300

// Words are the places of a word, in their order but for those in strings, which come last.
func (m *Mentions) Words(word string) (list []Word) {
	for _, i := range m.places(word) {
		w := Word{Line: int(m.tokens[i].Line)}
		sign, receiver := m.access(i)
		before, after := m.kind(i-1), m.kind(i+1)
		switch {
		case m.ofModule(i):
			w.As = Module
		case m.private(i): // what does not belong to a class around it is another's
			w.As = Local
		case m.declared[place{w.Line, word}] && m.membersAt[place{w.Line, word}] || sign == 0 && m.declaresMember(i):
			w.As, w.Of = Declared, m.declaring(i)
		case sign != 0:
			w.As, w.Of, w.Package = Qualified, m.typeBeforeName(i), m.packageAt(receiver)
		case m.shadowed(word, i) || m.name == "PHP" && m.text[m.tokens[i].Start] == '$':
			w.As = Local
		case (before == '{' || before == ',') && (m.shortens() && (after == '}' || after == ',') || after == ':' && m.labels) && !m.imported[i] && m.kind(m.opener(i)) == '{':
			w.As = Key
		case m.modules != nil && after == ':' && m.touches(i) && m.kind(i+2) != ':', m.label(i), m.name == "Rust" && (before == '{' || before == ',') && after == ':' && m.kind(i+2) != ':':
			w.As = Label
		default:
			w.As, w.In = Bare, m.memberOf(i)
		}
		w.Value = m.handed(i)
		w.Called, w.Read = m.form(i)
		list = append(list, w)
	}
	return m.inTags(m.inStrings(list, word), word)
}

// packageAt is the import path of the package whose name, of Go, stands at a token; "" where another name does, or none that is sure.
func (m *Mentions) packageAt(i int) string {
	called := m.word(i)
	if m.name != "Go" || called == "" || m.shadowed(called, i) {
		return ""
	}
	for _, imported := range slices.Sorted(maps.Keys(m.paths)) {
		if as := m.paths[imported]; as == called || as == "" && path.Base(imported) == called {
			return imported
		}
	}
	return ""
}

// testTags are what PHPUnit reads of comments: behind them stand names of what a test needs.
var testTags = lazyregexp.New(`@(?:dataProvider|depends|covers|uses)[ \t]+([^\r\n]+)`)

// inTags appends the places of a word behind such a tag, as if it stood in a string of its own.
func (m *Mentions) inTags(list []Word, word string) []Word {
	if m.name != "PHP" || !bytes.Contains(m.text, []byte("@")) {
		return list
	}
	line, from := 1, 0
	for _, at := range testTags.FindAllSubmatchIndex(m.text, maxTags) {
		line += bytes.Count(m.text[from:at[0]], []byte{'\n'})
		from = at[0]
		if slices.Contains(strings.FieldsFunc(string(m.text[at[2]:at[3]]), func(r rune) bool { return r < 0x80 && !wordByte(byte(r)) }), word) {
			list = append(list, Word{Line: line, As: Literal, Quoted: word})
		}
	}
	return list
}

// inStrings appends the places of a word in the text's strings.
func (m *Mentions) inStrings(list []Word, word string) []Word {
	for i, t := range m.tokens {
		if t.Kind == declaration.Quoted {
			n := len(list)
			if list = m.quoted(list, t, word); n < len(list) && m.template(i) {
				for k := range list[n:] {
					list[n+k].As = Template
				}
			}
		}
	}
	return list
}

// template reports whether a string is code of a component: template: '…', or, in what it binds to its host, '(click)': '…', '[class.x]': '…'.
func (m *Mentions) template(i int) bool {
	if !m.requires || m.kind(i-1) != ':' {
		return false
	}
	if m.kind(i-2) != declaration.Quoted {
		return m.is(i-2, "template")
	}
	k := m.tokens[i-2]
	key := bytes.Trim(m.text[k.Start:k.End], "\"'`")
	return len(key) > 0 && (key[0] == '(' || key[0] == '[')
}

// declaring is the type that declares a member at a token, where it extends nothing, as far as one text tells; "" elsewhere.
func (m *Mentions) declaring(i int) string {
	b := &m.blocks[m.in[i]]
	switch m.name {
	case "Python":
		if !b.typed && b.parent >= 0 {
			b = &m.blocks[b.parent]
		}
	case "Java", "PHP", "TypeScript", "JavaScript":
	default:
		return ""
	}
	if !b.typed || len(b.supers) > 0 {
		return ""
	}
	return b.name
}

// handed reports whether a name stands where a value may that is handed on, or is that of a type which another extends.
func (m *Mentions) handed(i int) bool {
	if m.imported[i] {
		return false
	}
	before, after := m.kind(i-1), m.kind(i+1)
	switch w := m.word(i - 1); {
	case w == "extends" || w == "return" || m.extended(i) || m.declaresValue(i):
		return true
	case m.kind(i+1) == '.' && (m.name == "Swift" && m.is(i+2, "self") || m.name == "Ruby" && m.is(i+2, "method")): // Swift's type itself, Ruby's method as a value
		return true
	case before == ':' && m.kind(i-2) == ':' && m.name == "Kotlin": // ::Press
		return true
	case m.name == "Ruby" && m.is(i+1, "do") && m.fresh[i-1]: // describe Press do
		return true
	case before == '[' && m.kind(i-2) == declaration.Word: // arguments of a type
		return false
	}
	begins := before == '(' || before == ',' || before == '[' || before == '=' || before == '>' && m.kind(i-2) == '='
	return begins && (m.ends[i] || bytes.IndexByte([]byte("),];}"), after) >= 0)
}

// extended reports whether a name is that of a type which another extends, in whose head it stands.
func (m *Mentions) extended(i int) bool {
	if m.name == "Ruby" {
		before := m.beforeQualified(i)
		return m.kind(before) == '<' && m.kind(before-1) == declaration.Word
	}
	for j := m.generic(i + 1); j < min(len(m.tokens)-1, i+maxHead); j++ {
		switch k := m.kind(j); {
		case k == '(' && int(m.match[j]) > j:
			j = int(m.match[j])
		case k == '{':
			b := &m.blocks[m.in[j+1]]
			return int(b.open) == j && b.typed && slices.Contains(b.supers, m.word(i))
		case k == ';' || k == '}' || k == ')' || k == '=' || k == '.':
			return false
		}
	}
	return false
}

// ofModule reports whether a token is of the module's name in Python's from a.b import c, or of a namespace's where C# and PHP declare or
// open it.
func (m *Mentions) ofModule(i int) bool {
	if m.name != "Python" || !m.imported[i] {
		return m.ofNamespace(i)
	}
	from, to := i, i
	for m.kind(from-1) == '.' || m.kind(from) == '.' && m.kind(from-1) == declaration.Word && !m.is(from-1, "from") {
		from--
	}
	for m.kind(to+1) == '.' || m.kind(to) == '.' && m.kind(to+1) == declaration.Word && !m.is(to+1, "import") {
		to++
	}
	return m.is(from-1, "from") && m.is(to+1, "import")
}

// ofNamespace reports whether a token is of the name in namespace a.b, or in C#'s using a.b; which has neither static nor an alias.
func (m *Mentions) ofNamespace(i int) bool {
	if m.name != "C#" && m.name != "PHP" {
		return false
	}
	for m.kind(i-1) == '.' && m.kind(i-2) == declaration.Word {
		i -= 2
	}
	return m.is(i-1, "namespace") || m.name == "C#" && m.imported[i] && m.is(i-1, "using") && m.kind(i+1) != '='
}

// shortens reports whether {x} makes, or takes apart, what has a member x.
func (m *Mentions) shortens() bool {
	return m.name == "Rust" || m.labels && m.after && m.name != "Swift"
}

// memberOf is the type whose member a name without a receiver would be at a token, "" where it would be none.
func (m *Mentions) memberOf(i int) string {
	b := &m.blocks[m.in[i]]
	switch {
	case !m.Receives():
		if t := m.typeAround(i); t != nil {
			return t.name
		}
	case m.name == "Python" && b.typed: // a body that runs, in which its members are names
		return b.name
	case m.name == "Python" && b.parent >= 0 && m.blocks[b.parent].typed && i < m.statement(int(b.from)):
		return m.blocks[b.parent].name
	}
	return ""
}

// quoted appends the places of a word in a string.
func (m *Mentions) quoted(list []Word, t declaration.Token, word string) []Word {
	text := m.text[t.Start:t.End]
	for at := 0; word != ""; {
		n := bytes.Index(text[at:], []byte(word))
		if n < 0 {
			return list
		}
		from, to := at+n, at+n+len(word)
		at = to
		if from > 0 && wordByte(text[from-1]) || to < len(text) && wordByte(text[to]) {
			continue
		}
		w := Word{Line: int(t.Line) + bytes.Count(text[:from], []byte{'\n'}), As: Literal}
		if said := bytes.Trim(text, "\"'`"); len(said) <= maxQuoted && !bytes.ContainsFunc(said, func(r rune) bool {
			return r < 0x80 && r != '.' && r != ':' && r != '$' && r != '\\' && r != '@' && r != '/' && !wordByte(byte(r))
		}) {
			w.Quoted = string(said)
		}
		if inAction(text, from, to) {
			w.Quoted = word
		}
		list = append(list, w)
	}
	return list
}

// inAction reports whether a part of a string stands in what a template computes: {{.Name}}.
func inAction(text []byte, from, to int) bool {
	before, after := text[:from], text[to:]
	opened := bytes.LastIndex(before, []byte("{{"))
	closes := bytes.Index(after, []byte("}}"))
	if opened < 0 || closes < 0 {
		return false
	}
	between := bytes.Contains(before[opened:], []byte("}}")) || bytes.Contains(after[:closes], []byte("{{"))
	return !between
}

// Renames are the names under which statements that import a name here hand it on, or use it.
func (m *Mentions) Renames(name string) []string {
	if called := m.names(name); len(called) > 1 {
		return called[1:]
	}
	return nil
}

// HandedOnAs are the other names under which a text hands on what it defines itself: export { a as b }.
func (m *Mentions) HandedOnAs(name string) (list []string) {
	for _, i := range m.importing[name] {
		if as := m.word(i + 2); m.is(i+1, "as") && as != "" && as != "default" {
			list = append(list, as)
		}
	}
	return list
}

// Imports reports whether a statement that imports, or hands on, says a name.
func (m *Mentions) Imports(name string) bool { return len(m.importing[name]) > 0 }

// Defines reports whether the text defines a name for itself, outside of types.
func (m *Mentions) Defines(name string) bool {
	return slices.ContainsFunc(m.own, func(d graph.Definition) bool { return d.Name == name })
}

// DefinesMember reports whether a type of the text has a member of that name.
func (m *Mentions) DefinesMember(name string) bool {
	return slices.ContainsFunc(m.own, func(d graph.Definition) bool { return strings.HasSuffix(d.Name, "."+name) })
}

// Said are the words on lines of the text, both ends included.
func (m *Mentions) Said(from, to int) map[string]bool {
	words := map[string]bool{}
	for i := range m.tokens {
		if line := int(m.tokens[i].Line); line >= from && line <= to {
			if w := m.word(i); w != "" {
				words[w] = true
			}
		}
	}
	return words
}

// MembersOf are the names of what a type of the text declares.
func (m *Mentions) MembersOf(name string) map[string]bool {
	members := map[string]bool{}
	for i := range m.own {
		if outerOf(m.own[i].Name) == name {
			members[lastOf(m.own[i].Name)] = true
		}
	}
	return members
}

// Extending are the types of the text that extend, or implement, one which is called so; not those that are any, or have no name.
func (m *Mentions) Extending(name string) (list []string) {
	for i := range m.blocks {
		b := &m.blocks[i]
		if b.typed && !b.any && b.name != "" && slices.Contains(b.supers, name) && !slices.Contains(list, b.name) {
			list = append(list, b.name)
		}
	}
	for _, i := range m.places(name) { // a type without a body has no block
		if s := m.bodiless(i, name); s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// bodiless is the type in whose head a token stands as what it extends, where no block follows; "" elsewhere.
func (m *Mentions) bodiless(i int, name string) string {
	if !m.after && !m.before || m.name == "Python" {
		return ""
	}
	for at := i - 1; at > max(0, i-maxHead) && m.kind(at) != '{' && m.kind(at) != '}' && m.kind(at) != ';'; at-- {
		if !typeWords[m.word(at)] || m.kind(at-1) == '.' {
			continue
		}
		end := min(m.statement(at), at+maxHead)
		if end <= i || m.kind(end) == '{' {
			return ""
		}
		var b enclosure
		if m.typeHead(&b, m.word(at), at+1, end); b.typed && slices.Contains(b.supers, name) {
			return b.name
		}
		return ""
	}
	return ""
}
