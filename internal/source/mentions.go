package source

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/language"
)

// WantedDefinition is a definition whose uses are looked for in a text that imports the file which defines it.
type WantedDefinition struct {
	// Path is the file, Name the qualified name.
	Path, Name string
	// Construct says that it is a constructor.
	Construct bool
	// Space says that it is a namespace.
	Space bool
	// Told says that the text is known to import it, or its type, by name from where it is defined.
	Told bool
	// Twice says that the text imports another file that defines it, too: what has the name of this very file alone counts as its import.
	Twice bool
	// Returned says that the type it belongs to is the table that its file of Lua returns: who requires the file names it as he likes.
	Returned bool
	// Import is the path by which files of Go import its package, Package the name by which they call it then.
	Import, Package string
	// Extends is the type, of Kotlin, whose values it is named behind although it belongs to no type: fun A.name.
	Extends string
	// Kind is that of the definition, "" where it is not told.
	Kind string
}

// Extended is the type that a function or property of Kotlin outside of types extends, by its signature: "" where it extends none.
func Extended(file, name, signature string) string {
	if ext := path.Ext(file); ext != ".kt" && ext != ".kts" || strings.Contains(name, ".") {
		return ""
	}
	for from := 0; ; {
		i := strings.Index(signature[from:], name)
		if i < 0 || name == "" {
			return ""
		}
		i += from
		from = i + len(name)
		if i > 0 && wordByte(signature[i-1]) || from < len(signature) && wordByte(signature[from]) {
			continue
		}
		before, dotted := strings.CutSuffix(signature[:i], ".")
		if !dotted {
			return ""
		}
		before = strings.TrimRight(before, "?)")
		if strings.HasSuffix(before, ">") { // A<B>.name
			for n, depth := len(before)-1, 0; n >= 0; n-- {
				if before[n] == '>' {
					depth++
				} else if before[n] == '<' {
					depth--
				}
				if depth == 0 {
					before = before[:n]
					break
				}
			}
		}
		n := len(before)
		for n > 0 && wordByte(before[n-1]) {
			n--
		}
		return before[n:]
	}
}

// Member reports whether it belongs to a type.
func (w WantedDefinition) Member() bool { return strings.Contains(w.Name, ".") }

// First is the name by which a definition is imported: that of its type.
func First(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

// Use is a line that names what is wanted.
type Use struct {
	Line int // from 1
	// Sure says that the syntax tells that it is what is wanted: a member whose receiver's type is written. Else it may be.
	Sure bool
	// Imports says that the line only imports, or hands on, the name.
	Imports bool
	// Of is what stands for a type before a member of which it is not sure, as O in O.name: the member is that type's if it
	// declares one of the name. It is "" for values, and where the line names the member in another way too.
	Of string
}

// MaxMentioned bounds the bytes of a text that is looked through for uses.
const MaxMentioned = 2 << 20

// manner is how a language names things, as far as uses need it.
type manner struct {
	// after: a name's type stands behind a colon. before: in front of it. behind: after it, with nothing between.
	after, before, behind bool
	// bare: members are named without a receiver in their type. calls: a type is constructed by calling it.
	bare, calls bool
	// columns: blocks are told by how far lines are set in, not by braces.
	columns bool
	// labels: a name before a colon is none of a value.
	labels bool
	// arrows: -> names a member.
	arrows bool
	// reopens: a type may be declared in several files.
	reopens bool
	// requires: what is given the value of require(…) is imported.
	requires bool
}

// manners are those of the languages by name.
var manners = map[string]manner{
	"Astro": {after: true, labels: true, requires: true}, "JavaScript": {after: true, labels: true, requires: true}, "Svelte": {after: true, labels: true, requires: true},
	"TypeScript": {after: true, labels: true, requires: true}, "Vue": {after: true, labels: true, requires: true},
	"C": {before: true, bare: true, arrows: true}, "C++": {before: true, bare: true, calls: true, arrows: true},
	"CUDA":        {before: true, bare: true, calls: true, arrows: true},
	"Objective-C": {before: true, bare: true, arrows: true},
	"C#":          {before: true, bare: true, labels: true, reopens: true},
	"Dart":        {before: true, bare: true, calls: true, labels: true},
	"Go":          {behind: true},
	"Java":        {before: true, bare: true},
	"Kotlin":      {after: true, bare: true, calls: true},
	"Lua":         {columns: true},
	"PHP":         {before: true, labels: true, arrows: true},
	"Python":      {after: true, calls: true, columns: true},
	"Ruby":        {columns: true, bare: true, labels: true, reopens: true},
	"Rust":        {after: true, reopens: true},
	"Scala":       {after: true, bare: true, calls: true},
	"Swift":       {after: true, bare: true, calls: true, labels: true, reopens: true},
}

// Mentions is a text, split so that it can be asked where it names a definition of another file. Comments and strings name
// nothing.
type Mentions struct {
	manner
	// file is the path of the text, name its language.
	file, name string
	text       []byte
	own        []graph.Definition
	// tokens are those that are no ends of lines; opens says that a statement, ends that a line begins or ends with it.
	tokens []declaration.Token
	fresh  []bool
	ends   []bool
	// match is the other bracket of each that has one, else -1.
	match []int32
	// imported are the tokens of statements that import.
	imported []bool
	blocks   []enclosure
	// in is the block of each token.
	in []int32
	// parted says that a token stands in parentheses.
	parted []bool
	bound  map[string][]binding
	// returned are the types that what this text declares gives back; chained is how many calls are followed.
	returned map[string]string
	chained  int
	// at are the tokens of each word.
	at map[string]*[]int
	// importing are the tokens of statements that import, by word; declared are the names that this text declares, by line.
	importing map[string][]int
	// paths are those that a text of Go imports, with the names that it gives them.
	paths    map[string]string
	declared map[place]bool
	// spread are the types whose members an import gives without their names.
	spread []string
	// membersAt are those of declared that belong to a type.
	membersAt map[place]bool
	// members are the qualified names, of one type, that this text declares.
	members map[string]bool
	// ownNames are the last parts of the names of what a text of Kotlin defines.
	ownNames map[string]bool
	// modules are what a text of Elixir says of modules, nil of other languages.
	modules *modules
	// holders are the tables, of Lua, whose members this text defines; nil until that is asked.
	holders map[string]bool
	// valued says that what is asked for is a value, method that it is called.
	valued, method bool
}

// place is a name on a line.
type place struct {
	line int
	name string
}

// Bounds of how far one mention is looked into.
const (
	// maxImporting bounds how often a name stands in statements that import.
	maxImporting = 16
	// maxAround bounds the tokens around it there.
	maxAround = 64
	// maxBindings bounds the bindings of a name that are looked at for one use.
	maxBindings = 256
)

// enclosure is a body, the whole text the first.
type enclosure struct {
	parent int32
	// from and to are its first token and that behind it, open is its brace.
	from, to, open int32
	// typed says that it holds the members of a type; supers are the names in its head behind that of the type.
	typed  bool
	name   string
	supers []string
	// any says that the name is that of a parameter: impl<T: Show> Print for T.
	any    bool
	column int // of its head, where columns tell blocks
}

// binding is a place at which a name is given to a value, "" where its type is not written.
type binding struct {
	at, in int32
	of     string
	field  bool // of the type around it
	to     int32
}

// NewMentions splits a text. own are its definitions. Nil where its language is none whose texts are split, or it is too long.
func NewMentions(name string, content []byte, own []graph.Definition) *Mentions {
	as := language.As(name, content)
	l := language.Of(as)
	if l == nil || len(content) > MaxMentioned {
		return nil
	}
	m := &Mentions{manner: manners[l.Name], file: name, name: l.Name, text: content, own: own, bound: map[string][]binding{}, at: map[string]*[]int{}, importing: map[string][]int{}, declared: map[place]bool{}, membersAt: map[place]bool{}, members: map[string]bool{}, ownNames: map[string]bool{}}
	m.split(declaration.Tokens(nil, as, content))
	if len(m.tokens) == 0 {
		return nil
	}
	m.index()
	for i := range own {
		at := place{own[i].Line, lastOf(own[i].Name)}
		m.declared[at] = true
		if l.Name == "Kotlin" {
			m.ownNames[at.name] = true
		}
		m.membersAt[at] = m.membersAt[at] || strings.Contains(own[i].Name, ".")
		m.members[outerOf(own[i].Name)+"."+lastOf(own[i].Name)] = true
	}
	m.pair()
	m.markImports()
	if m.requires {
		m.markRequired()
	}
	switch l.Name {
	case "Go":
		m.importPaths()
	case "Elixir":
		m.readModules()
	}
	m.nest()
	m.returns()
	m.bind()
	return m
}

// split parts the ends of lines from the other tokens, and takes directives apart but for includes.
func (m *Mentions) split(list []declaration.Token) {
	fresh := true
	for _, t := range list {
		switch t.Kind {
		case declaration.Newline:
			fresh = true
			if n := len(m.ends); n > 0 {
				m.ends[n-1] = true
			}
			continue
		case declaration.Directive:
			m.directive(t)
			continue
		}
		m.tokens, m.fresh, m.ends = append(m.tokens, t), append(m.fresh, fresh), append(m.ends, false)
		fresh = t.Kind == ';' || t.Kind == '{' || t.Kind == '}'
	}
	m.imported = make([]bool, len(m.tokens))
}

// index finds the places of each word.
func (m *Mentions) index() {
	for i := range m.tokens {
		w := m.bytes(i)
		if len(w) == 0 {
			continue
		}
		list := m.at[string(w)]
		if list == nil {
			list = new([]int)
			m.at[string(w)] = list
		}
		*list = append(*list, i)
	}
}

// directive appends the words of a condition, or of what a macro stands for.
func (m *Mentions) directive(t declaration.Token) {
	rest := m.text[t.Start:t.End]
	first, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	switch string(first) {
	case "if", "elif", "ifdef", "ifndef", "define":
	default:
		return
	}
	at := t.Start + int32(len(rest)-len(bytes.TrimLeft(rest, " \t"))+len(first))
	m.add(declaration.Token{Start: at, End: at, Line: t.Line, Kind: ';'})
	for at < t.End {
		end := at
		for end < t.End && wordByte(m.text[end]) {
			end++
		}
		if end > at {
			m.add(declaration.Token{Start: at, End: end, Line: t.Line, Kind: declaration.Word})
			at = end
			continue
		}
		if c := m.text[at]; c == '.' || c == '-' || c == '>' { // what a member stands behind
			m.add(declaration.Token{Start: at, End: at + 1, Line: t.Line, Kind: c})
		}
		at++
	}
	m.add(declaration.Token{Start: t.End, End: t.End, Line: t.Line, Kind: ';'})
}

func (m *Mentions) add(t declaration.Token) {
	m.tokens, m.fresh, m.ends = append(m.tokens, t), append(m.fresh, true), append(m.ends, false)
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// kind is that of a token, 0 where there is none.
func (m *Mentions) kind(i int) byte {
	if i < 0 || i >= len(m.tokens) {
		return 0
	}
	return m.tokens[i].Kind
}

// bytes is a token's name, nil where it is none: without what marks it as a variable, and without namespaces that are part of it.
func (m *Mentions) bytes(i int) []byte {
	if m.kind(i) != declaration.Word {
		return nil
	}
	w := m.text[m.tokens[i].Start:m.tokens[i].End]
	if m.name == "PHP" {
		w = bytes.TrimPrefix(w[bytes.LastIndexByte(w, '\\')+1:], []byte("$"))
	}
	if len(w) > 1 && w[0] == '`' {
		w = bytes.Trim(w, "`")
	}
	return w
}

// word is bytes as a string.
func (m *Mentions) word(i int) string { return string(m.bytes(i)) }

// is reports whether a token is this word.
func (m *Mentions) is(i int, word string) bool {
	return m.kind(i) == declaration.Word && string(m.text[m.tokens[i].Start:m.tokens[i].End]) == word
}

// pair finds the brackets that belong together.
func (m *Mentions) pair() {
	m.match = make([]int32, len(m.tokens))
	var open []int32
	for i := range m.tokens {
		m.match[i] = -1
		switch k := m.tokens[i].Kind; k {
		case '(', '[', '{':
			open = append(open, int32(i))
		case ')', ']', '}':
			for n := len(open) - 1; n >= max(0, len(open)-8); n-- {
				if closes := map[byte]byte{'(': ')', '[': ']', '{': '}'}[m.tokens[open[n]].Kind]; closes == k {
					m.match[i], m.match[open[n]] = open[n], int32(i)
					open = open[:n]
					break
				}
			}
		}
	}
}

// importWords begin statements that import.
var importWords = map[string]bool{"import": true, "from": true, "use": true, "using": true, "require": true, "require_relative": true, "include": true, "include_once": true,
	"require_once": true, "alias": true, "export": true, "extern": true}

// markImports finds the statements that import, or hand on.
func (m *Mentions) markImports() {
	for i := 0; i < len(m.tokens); i++ {
		w := m.word(i)
		if !m.fresh[i] || !importWords[w] && (w != "pub" && w != "global") {
			continue
		}
		end := m.statement(i)
		if !m.imports(i, end) {
			continue
		}
		m.spreads(i, end)
		for ; i < end; i++ {
			m.imported[i] = true
			if w := m.word(i); w != "" && len(m.importing[w]) < maxImporting {
				m.importing[w] = append(m.importing[w], i)
			}
		}
		i--
	}
}

// spreads keeps the type whose members a statement from i to end imports, all of them: import static p.A.*, using static p.A.
func (m *Mentions) spreads(i, end int) {
	last := end - 1
	for last > i && m.kind(last) == ';' {
		last--
	}
	switch m.name {
	case "C#":
		if m.is(i, "global") {
			i++
		}
		if !m.is(i+1, "static") {
			return
		}
		if m.kind(last) == '>' {
			for last > i && m.kind(last) != '<' {
				last--
			}
			last--
		}
	case "Java", "Kotlin", "Scala":
		if m.kind(last) != '*' && !m.is(last, "_") || m.kind(last-1) != '.' {
			return
		}
		last -= 2
	default:
		return
	}
	if w := m.word(last); last > i && w != "" && w[0] >= 'A' && w[0] <= 'Z' && len(m.spread) < maxImporting {
		m.spread = append(m.spread, w)
	}
}

// spreadMember says whether a name without a receiver is a member of a type whose members an import gives: surely where no other type
// may give it.
func (m *Mentions) spreadMember(i int, types []string) (sure, named bool) {
	if !slices.ContainsFunc(m.spread, func(s string) bool { return slices.Contains(types, s) }) {
		return false, false
	}
	if m.imported[i] || m.label(i) || m.is(i-1, "new") || m.declares(i) {
		return false, false
	}
	if _, bound := m.local(m.word(i), i); bound && (m.name != "Java" || m.kind(i+1) != '(') { // Java has other names for what is called
		return false, false
	}
	t := m.typeAround(i)
	if t != nil && m.members[t.name+"."+m.word(i)] {
		return false, false
	}
	other := slices.ContainsFunc(m.spread, func(s string) bool { return !slices.Contains(types, s) })
	return !other && (t == nil || len(t.supers) == 0), true
}

// markRequired finds what is given what another file exports: const a = require('x'), { b, c: d } = require('y').z, e = await import('z').
func (m *Mentions) markRequired() {
	for _, word := range []string{"require", "import"} {
		for _, i := range m.places(word) {
			if m.imported[i] || m.kind(i+1) != '(' || m.match[i+1] < 0 {
				continue
			}
			end := int(m.match[i+1]) + 1
			for m.kind(end) == '.' && m.kind(end+1) == declaration.Word {
				end += 2
			}
			from := i - 1
			if m.is(from, "await") {
				from--
			}
			if k := m.kind(end); k == '(' || k == '[' || m.kind(from) != '=' {
				continue
			}
			if from--; m.kind(from) == '}' && m.match[from] > 0 {
				from = int(m.match[from])
			}
			switch m.word(from - 1) {
			case "const", "let", "var":
				from--
			default:
				if m.kind(from-1) != ',' {
					continue
				}
			}
			for ; from < end; from++ {
				m.imported[from] = true
				if w := m.word(from); w != "" && len(m.importing[w]) < maxImporting {
					m.importing[w] = append(m.importing[w], from)
				}
			}
		}
	}
}

// imports reports whether a statement from i to end is one that imports.
func (m *Mentions) imports(i, end int) bool {
	switch m.word(i) {
	case "pub", "global":
		j := i + 1
		if m.kind(j) == '(' && m.match[j] > 0 {
			j = int(m.match[j]) + 1
		}
		return j < end && (m.is(j, "use") || m.is(j, "using"))
	case "export":
		if m.name == "Dart" {
			return true
		}
		return m.kind(i+1) == '*' || m.kind(i+1) == '{' || m.is(i+1, "type") && m.kind(i+2) == '{'
	case "extern":
		return m.is(i+1, "crate")
	case "from":
		return m.name == "Python"
	case "use":
		return m.kind(i+1) != '(' && m.kind(i+1) != '.'
	case "using":
		if m.kind(i+1) == '(' || m.is(i+1, "var") || m.is(i+1, "await") {
			return false
		}
		first := i + 1
		if m.is(first, "static") || m.is(first, "namespace") {
			first++
		}
		for j := first; j < end; j++ { // using A x = …;
			if m.kind(j) == declaration.Word && m.kind(j+1) == declaration.Word && j+1 < end {
				return false
			}
		}
		return true
	case "include", "require", "alias":
		return m.name != "Ruby" && m.kind(i+1) != '.' && m.kind(i+1) != '='
	}
	return m.kind(i+1) != '.' && m.kind(i+1) != '='
}

// statement returns the token behind a statement that begins at i.
func (m *Mentions) statement(i int) int {
	start := i
	for ; i < len(m.tokens); i++ {
		switch m.tokens[i].Kind {
		case '(', '[', '{':
			if m.match[i] < 0 {
				return i
			}
			i = int(m.match[i])
		case ';', '}', ')', ']':
			return i
		}
		if i >= start && m.ends[i] && m.kind(i) != ',' && m.kind(i) != '.' {
			return i + 1
		}
	}
	return i
}

// lastOf is the last part of a qualified name, outerOf the part before it, without those around.
func lastOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func outerOf(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return lastOf(name[:i])
}

// constructors are what languages call them.
var constructors = map[string]bool{"constructor": true, "__init__": true, "__new__": true, "__construct": true, "initialize": true, "init": true, "new": true}

// MayStandIn reports whether a text has the bytes of the word by which Of would find a use.
func (w WantedDefinition) MayStandIn(content []byte) bool {
	word, outer := w.parts()
	if w.constructs() {
		word = outer
	}
	if short, ok := w.Attribute(); ok {
		word = short
	}
	if module, ok := w.Raised(); ok && bytes.Contains(content, []byte(module)) {
		return true
	}
	return bytes.Contains(content, []byte(word))
}

// Attribute is the name by which C# writes a class between brackets, where it may leave out the end of the name: [Fast] is FastAttribute.
func (w WantedDefinition) Attribute() (short string, ok bool) {
	last, outer := w.parts()
	if outer != "" && w.Construct {
		last = outer
	}
	short, ok = strings.CutSuffix(last, "Attribute")
	return short, ok && short != "" && path.Ext(w.Path) == ".cs"
}

// unspelled lists the lines that use what is wanted without its name.
func (m *Mentions) unspelled(w WantedDefinition) []Use {
	return append(m.attributes(w), m.raised(w)...)
}

// attributes lists the lines on which it is written so.
func (m *Mentions) attributes(w WantedDefinition) (list []Use) {
	short, ok := w.Attribute()
	if !ok || m.name != "C#" {
		return nil
	}
	for _, word := range []string{short, short + "Attribute"} {
		for _, i := range m.places(word) {
			if o := m.opener(i); m.kind(o) != '[' || !m.opensAttribute(o) {
				continue
			}
			switch m.kind(i - 1) {
			case '[', ',', ':', '.':
				list = append(list, Use{Line: int(m.tokens[i].Line), Sure: true})
			}
		}
	}
	return list
}

// opensAttribute reports whether a bracket begins attributes, and is no index: at the beginning of a line, behind another attribute there, or
// before a parameter.
func (m *Mentions) opensAttribute(o int) bool {
	for n := 0; n < 8 && o > 0 && m.tokens[o].Line == m.tokens[o-1].Line; n++ {
		switch k := m.kind(o - 1); {
		case k == ']' && m.match[o-1] >= 0:
			o = int(m.match[o-1])
		default:
			return k == '(' || k == ',' || k == ';' || k == '{' || k == '}'
		}
	}
	return true
}

// Raised is the name of the module of Elixir that raise is given where the function is the one that it calls: exception.
func (w WantedDefinition) Raised() (module string, ok bool) {
	last, outer := w.parts()
	ext := path.Ext(w.Path)
	return outer, last == "exception" && outer != "" && (ext == ".ex" || ext == ".exs")
}

// raised lists the lines on which Elixir raises by a module, and so calls its function exception: raise Module, "…".
func (m *Mentions) raised(w WantedDefinition) (list []Use) {
	module, ok := w.Raised()
	if !ok || m.name != "Elixir" {
		return nil
	}
	whole := strings.TrimSuffix(w.Name, ".exception")
	called := append(m.aliases(module), module)
	if m.file == w.Path {
		called = append(called, "__MODULE__")
	}
	for _, name := range called {
		for _, i := range m.places(name) {
			first := i
			for m.kind(first-1) == '.' && m.word(first-2) != "" {
				first -= 2
			}
			by := first - 1
			if m.kind(by) == '(' {
				by--
			}
			if !m.is(by, "raise") && !m.is(by, "reraise") || m.kind(i+1) == '.' {
				continue
			}
			said := string(m.text[m.tokens[first].Start:m.tokens[i].End])
			list = append(list, Use{Line: int(m.tokens[i].Line), Sure: first == i && name != "__MODULE__" || strings.HasSuffix("."+whole, "."+said)})
		}
	}
	return list
}

// aliases are the names that a text of Elixir gives a module: alias A.Module, as: Name.
func (m *Mentions) aliases(module string) (list []string) {
	for _, i := range m.places(module) {
		if m.kind(i+1) == ',' && m.is(i+2, "as") && m.kind(i+3) == ':' && m.word(i+4) != "" {
			list = append(list, m.word(i+4))
		}
	}
	return list
}

// asked is the text for one question, which notes in it what it asks, and how deep it is: several may be asked at once.
func (m *Mentions) asked(w WantedDefinition) *Mentions {
	own := *m
	own.valued, own.method = w.Valued(), w.Method()
	return &own
}

// Of lists the lines that name what is wanted, in their order, the surest of each.
func (m *Mentions) Of(w WantedDefinition) []Use {
	m = m.asked(w)
	last, outer := w.parts()
	name := cmp.Or(outer, last)
	called := m.names(name)
	if w.Returned { // each file may have a table of that name
		called = modulesOf(w.Path)
	}
	if w.constructs() {
		return merge(append(m.constructed(called, last), m.unspelled(w)...))
	}
	if m.requires && strings.HasPrefix(last, "#") { // no other file can name it
		return nil
	}
	if called == nil || m.at[last] == nil && (outer != "" || len(called) == 1) {
		return append(m.unspelled(w), m.callables(w, called)...)
	}
	return m.naming(w, called, nil, w.Returned || w.Told || m.modules != nil || !m.importedElsewhere(name, w))
}

// Within is Of for the text that defines what is wanted, on these lines: they are left out.
func (m *Mentions) Within(w WantedDefinition, defined []int) []Use {
	m = m.asked(w)
	last, outer := w.parts()
	var list []Use
	if called := []string{cmp.Or(outer, last)}; w.constructs() {
		list = merge(append(m.constructed(called, last), m.unspelled(w)...))
	} else {
		list = m.naming(w, called, defined, true)
	}
	return slices.DeleteFunc(list, func(u Use) bool { return slices.Contains(defined, u.Line) })
}

// Defined are the lines on which the text defines something whose name ends as this one does.
func (m *Mentions) Defined(name string) (lines []int) {
	last := lastOf(name)
	for i := range m.own {
		if lastOf(m.own[i].Name) == last {
			lines = append(lines, m.own[i].Line)
		}
	}
	return lines
}

// parts are the last part of the name, and that of the type around it, "" without.
func (w WantedDefinition) parts() (last, outer string) {
	last = strings.TrimPrefix(lastOf(w.Name), "$")
	if w.setter() {
		last = last[:len(last)-1]
	}
	return last, outerOf(w.Name)
}

// setter reports whether it is a method of Ruby that is called by giving its name a value: name=.
func (w WantedDefinition) setter() bool {
	n := len(w.Name) - 1
	return n > 0 && w.Name[n] == '=' && wordByte(w.Name[n-1])
}

// given reports whether a token is given a value, by itself or together with what it had.
func (m *Mentions) given(i int) bool {
	for m.kind(i+1) != '=' {
		if i++; !slices.Contains([]byte("+-*/|&%^<>"), m.kind(i)) || !m.touches(i) {
			return false
		}
	}
	return m.kind(i+2) != '=' && m.kind(i+2) != '~' && m.kind(i+2) != '>' || !m.touches(i+1)
}

// touches reports whether nothing stands between a token and the next.
func (m *Mentions) touches(i int) bool {
	return i+1 < len(m.tokens) && m.tokens[i].End == m.tokens[i+1].Start
}

// constructs reports whether it is what constructs a type.
func (w WantedDefinition) constructs() bool {
	last, outer := w.parts()
	return outer != "" && path.Ext(w.Path) != ".lua" && (w.Construct || constructors[last] || last == outer)
}

// BuiltByType reports whether it constructs a type and is called by the name of that alone, behind a word for it or in a call: its own name
// is that of all constructors.
func (w WantedDefinition) BuiltByType() bool {
	last, outer := w.parts()
	if outer == "" {
		return false
	}
	switch l := language.Of(w.Path); {
	case l == nil:
		return false
	case l.Family == "script":
		return last == "constructor"
	case l.Name == "Python":
		return last == "__init__" || last == "__new__"
	case l.Name == "PHP":
		return last == "__construct"
	case l.Name == "Java" || l.Name == "C#" || l.Family == "C":
		return w.Construct && last == outer
	case l.Name == "Kotlin" || l.Name == "Swift" || l.Name == "Ruby":
		return w.Construct && constructors[last]
	}
	return false
}

// NamedConstructor reports whether what constructs a type has a name of its own, by which it is called behind that of the type.
func (w WantedDefinition) NamedConstructor() bool {
	last, outer := w.parts()
	return last != outer && !constructors[last]
}

// naming lists the lines that name what is wanted, which is called so here, or a member of it. defined are the lines that define it.
func (m *Mentions) naming(w WantedDefinition, called []string, defined []int, sureOf bool) []Use {
	last, outer := w.parts()
	var list []Use
	use := func(i int, sure bool) {
		u := Use{Line: int(m.tokens[i].Line), Sure: sure && sureOf, Imports: m.imported[i]}
		if outer != "" && !sure {
			u.Of = m.typeBeforeName(i)
		}
		list = append(list, u)
	}
	if outer != "" {
		for _, i := range m.places(last) {
			if w.setter() && !m.given(i) {
				continue
			}
			if m.modules != nil {
				if sure, named := m.ofModules(i, w); named {
					use(i, sure)
				}
			} else if m.constant(i) {
				if sure, named := m.scoped(i, w); named {
					use(i, sure)
				}
			} else if sure, named := m.member(i, called); named && !m.ofModule(i) {
				use(i, sure)
			}
		}
		return merge(slices.Concat(list, m.raised(w), m.callables(w, called)))
	}
	for _, x := range called {
		for _, i := range m.places(x) {
			if sure, named := m.plain(i, w, defined); named {
				use(i, sure)
			}
		}
	}
	return merge(append(list, m.unspelled(w)...))
}

// places are the tokens of a word.
func (m *Mentions) places(word string) []int {
	if list := m.at[word]; list != nil {
		return *list
	}
	return nil
}

// importedElsewhere reports whether all statements that import a name do it from what has not the name of where it is defined: from
// what may hand it on, and may not.
func (m *Mentions) importedElsewhere(name string, w WantedDefinition) bool {
	stem, dir := stemOf(w.Path), path.Base(path.Dir(w.Path))
	if w.Twice && stem != "index" && stem != "__init__" && stem != "mod" && stem != "lib" {
		dir = stem
	}
	for _, i := range m.importing[name] {
		from := i
		for from > max(0, i-maxAround) && m.imported[from-1] && !m.beginsImport(from) {
			from--
		}
		for j := from; j < min(len(m.tokens), i+maxAround) && m.imported[j] && (j <= i || !m.beginsImport(j)); j++ {
			if w := m.word(j); w == stem || w == dir {
				return false
			}
			if t := m.tokens[j]; t.Kind == declaration.Quoted {
				if quoted := strings.Trim(string(m.text[t.Start:t.End]), "\"'`"); stemOf(quoted) == stem || path.Base(quoted) == dir {
					return false
				}
			}
		}
	}
	return len(m.importing[name]) > 0
}

// ImportsWithin reports whether a text of Rust or Python imports a name, and does so from the package in which a path lies: from a
// place that is told relative to its own, or by a first name that is a part of the path. Which module of it hands the name on is
// not asked.
func (m *Mentions) ImportsWithin(name, of string) bool {
	if m.name != "Rust" && m.name != "Python" {
		return false
	}
	parts := strings.Split(strings.ReplaceAll(path.Dir(of), "-", "_"), "/")
	for _, i := range m.importing[name] {
		from := i
		for from > max(0, i-maxAround) && m.imported[from-1] && !m.beginsImport(from) {
			from--
		}
		for from < i && (m.is(from, "pub") || m.is(from, "use") || m.is(from, "from") || m.is(from, "import") || m.kind(from) == ':') {
			from++
		}
		switch w := m.word(from); {
		case m.name == "Python" && m.kind(from) == '.', m.name == "Rust" && (w == "crate" || w == "super" || w == "self"):
		case w == "" || !slices.Contains(parts, w):
			return false
		}
	}
	return len(m.importing[name]) > 0
}

// beginsImport reports whether a token that stands in what imports is the first of a statement.
func (m *Mentions) beginsImport(i int) bool {
	w := m.word(i)
	if m.requires && (w == "const" || w == "let" || w == "var") {
		return true
	}
	if !m.fresh[i] || !importWords[w] && w != "pub" && w != "global" || w == "from" && m.name != "Python" {
		return false
	}
	return i == 0 || m.kind(i-1) == ';' || m.tokens[i-1].Line != m.tokens[i].Line
}

// stemOf is a path's base name without extensions.
func stemOf(name string) string {
	stem, _, _ := strings.Cut(path.Base(name), ".")
	return stem
}

// merge keeps one use of each line: one that is no import before one that is, a sure one before others.
func merge(list []Use) (kept []Use) {
	slices.SortStableFunc(list, func(a, b Use) int { return a.Line - b.Line })
	for _, u := range list {
		n := len(kept) - 1
		switch {
		case n < 0 || kept[n].Line != u.Line:
			kept = append(kept, u)
		case kept[n].Imports && !u.Imports || kept[n].Imports == u.Imports && u.Sure:
			kept[n] = u
		case u.Of != kept[n].Of && !u.Sure:
			kept[n].Of = ""
		}
	}
	return kept
}

// typeBeforeName is the name of a type that stands before that of a member, "" where none does.
func (m *Mentions) typeBeforeName(i int) string {
	_, j := m.access(i)
	w := m.word(max(j, 0))
	if j < 0 || !names.Upper([]byte(w)) || itself(w) {
		return ""
	}
	if sign, k := m.access(j); sign == '.' && m.name != "Java" && m.name != "Kotlin" && m.name != "Scala" { // a field, or behind a package
		if q := m.word(max(k, 0)); k < 0 || m.name == "Go" || !names.Upper([]byte(q)) {
			return ""
		}
	}
	if _, bound := m.typeOf(w, j); bound {
		return ""
	}
	return w
}

// names are what a name that another file defines is called here: nil where this text defines another of the name.
func (m *Mentions) names(name string) []string {
	if !m.reopens {
		for i := range m.own {
			d := &m.own[i]
			if d.Kind == "alias" {
				continue
			}
			if lastOf(d.Name) == name && (d.Kind == "class" || d.Kind == "interface" || d.Kind == "struct" || d.Kind == "enum" || d.Kind == "trait") {
				return nil
			}
			if d.Name == name && (d.Kind != "func" || m.name != "C" && m.name != "C++") {
				return nil
			}
		}
	}
	list := []string{name}
	for _, i := range m.importing[name] {
		if m.is(i+1, "as") && m.word(i+2) != "" {
			list = append(list, m.word(i+2))
		}
		if m.requires && m.kind(i+1) == ':' && m.word(i+2) != "" { // const { A: B } = require('x')
			list = append(list, m.word(i+2))
		}
		if m.kind(i+1) == '=' && m.kind(i+2) == '>' && m.word(i+3) != "" { // Scala
			list = append(list, m.word(i+3))
		}
		for j := i; j > max(1, i-maxAround) && m.imported[j]; j-- { // using B = N.A
			if m.kind(j) == '=' && m.is(j-2, "using") {
				list = append(list, m.word(j-1))
			}
		}
	}
	return list
}

// access returns the token before the sign by which a name is a member of something, and that sign; 0 where it is none's. -1 is
// one whose receiver is left out.
func (m *Mentions) access(i int) (sign byte, receiver int) {
	switch m.kind(i - 1) {
	case '.':
		j := i - 2
		if k := m.kind(j); k == '?' || k == '!' || k == '&' {
			j--
			if m.kind(j) == '!' {
				j--
			}
		}
		if k := m.kind(j); k != declaration.Word && k != ')' && k != ']' && k != '}' && k != '>' && k != declaration.Quoted || m.fresh[i-1] && !m.columns && m.tokens[i-1].Line != m.tokens[max(j, 0)].Line && k == '}' {
			return '.', -1
		}
		return '.', j
	case '>':
		if m.kind(i-2) == '-' && m.arrows {
			j := i - 3
			if m.kind(j) == '?' {
				j--
			}
			return '.', j
		}
	case ':':
		if m.kind(i-2) == ':' && m.touches(i-2) {
			j := i - 3
			if k := m.kind(j); k != declaration.Word && k != '>' && k != ')' && k != ']' {
				return ':', -1
			}
			return ':', j
		}
		if m.name == "Lua" && m.kind(i-2) == declaration.Word && m.kind(i+1) == '(' {
			return '.', i - 2
		}
	}
	return 0, 0
}

// label reports whether a name before a colon, or an argument's, is no value.
func (m *Mentions) label(i int) bool {
	before := m.kind(i - 1)
	if before != '(' && before != ',' && before != '{' {
		return false
	}
	if m.labels && m.kind(i+1) == ':' && m.kind(i+2) != ':' {
		return true
	}
	return before != '{' && m.kind(i+1) == '=' && m.kind(i+2) != '=' && m.kind(i+2) != '>'
}

// plain says whether a token names what a file defines outside of types, on lines of this text where it is that.
func (m *Mentions) plain(i int, w WantedDefinition, defined []int) (sure, named bool) {
	if !w.Space && m.ofNamespace(i) {
		return false, false
	}
	if m.imported[i] {
		return true, true
	}
	sign, j := m.access(i)
	switch {
	case sign == 0:
		if m.label(i) || m.declaresMember(i) {
			return false, false
		}
		outside := m.kind(i-1) == '=' && m.word(i-2) == m.word(i) && m.label(i-2) // the second x of def f(x=x)
		at := i
		if m.unwraps(i) {
			at--
		}
		if b := m.binding(m.word(i), at); b != nil && !outside && !m.defines(b, m.word(i), defined) {
			return false, false
		}
		return true, true
	case j < 0:
		return sign == ':', sign == ':'
	}
	q := m.word(j)
	if q != "" && m.standsFor(q, w) {
		return true, true
	}
	if w.Extends != "" && sign == '.' { // behind a value, where a member of the value's own type goes first
		return len(m.importing[m.word(i)]) > 0 && slices.Contains(m.receiver(j), w.Extends), true
	}
	if q == "" {
		return false, false
	}
	if sign == ':' {
		return false, true
	}
	return false, len(m.importing[q]) > 0 // what an import names may hand it on
}

// defines reports whether what a binding names is defined on one of these lines: where it is bound, or is given its value (local f; f = function).
func (m *Mentions) defines(b *binding, name string, defined []int) bool {
	if len(defined) == 0 { // in another file
		return false
	}
	if slices.Contains(defined, int(m.tokens[b.at].Line)) {
		return true
	}
	return slices.ContainsFunc(m.places(name), func(i int) bool {
		return slices.Contains(defined, int(m.tokens[i].Line)) && m.binding(name, i-1) == b
	})
}

// standsFor reports whether a name stands for the module, or the package, of what is wanted.
func (m *Mentions) standsFor(q string, w WantedDefinition) bool {
	if w.Import == "" {
		return m.qualifies(q, w.Path)
	}
	as, ok := m.paths[w.Import]
	return ok && (as == q || as == "" && q == w.Package)
}

// importPaths are the paths that a text of Go imports, with the names that it gives them, "" for none.
func (m *Mentions) importPaths() {
	m.paths = map[string]string{}
	for i, t := range m.tokens {
		if m.imported[i] && t.Kind == declaration.Quoted {
			as := m.word(i - 1)
			if as == "import" {
				as = ""
			}
			m.paths[strings.Trim(string(m.text[t.Start:t.End]), "\"`")] = as
		}
	}
}

// PackageOf is the name of the package that a text of Go says it is of, "" where it says none.
func PackageOf(content []byte) string {
	tokens := declaration.Tokens(nil, "a.go", content[:min(len(content), maxClause)])
	for i := 0; i+1 < len(tokens); i++ {
		if t := tokens[i]; t.Kind == declaration.Word && string(content[t.Start:t.End]) == "package" {
			return string(content[tokens[i+1].Start:tokens[i+1].End])
		}
	}
	return ""
}

// maxClause bounds, in bytes, where a text of Go says of which package it is.
const maxClause = 64 << 10

// qualifies reports whether a name stands for the module that a path is.
func (m *Mentions) qualifies(q, name string) bool {
	stem := stemOf(name)
	dir := path.Base(path.Dir(name))
	of := func(w string) bool { return w == stem || w == dir }
	switch q {
	case "crate", "super", "self":
		return m.name == "Rust"
	case stem, dir:
		return true
	}
	for _, i := range m.importing[q] { // import stem as q, import q "path/stem", import * as q from './stem'
		for j := i - 1; j >= max(0, i-maxAround) && m.imported[j] && m.tokens[j].Line == m.tokens[i].Line; j-- {
			if of(m.word(j)) {
				return true
			}
		}
		for j := i + 1; j < min(len(m.tokens), i+maxAround) && m.imported[j] && m.tokens[j].Line == m.tokens[i].Line; j++ {
			if t := m.tokens[j]; t.Kind == declaration.Quoted {
				return of(stemOf(strings.Trim(string(m.text[t.Start:t.End]), "\"'`")))
			}
		}
	}
	return false
}

// member says whether a token names a member of a type that is called one of types.
func (m *Mentions) member(i int, types []string) (sure, named bool) {
	if m.private(i) {
		return m.ofPrivate(i, types)
	}
	sign, j := m.access(i)
	called, read := m.form(i)
	switch {
	case m.method && read, m.valued && called:
		return false, false
	case sign == 0:
		return m.inside(i, types)
	case j < 0:
		return false, sign == '.'
	case m.name == "Rust" && m.kind(i+1) == ':' && m.kind(i+2) == ':' && m.word(i+3) != "":
		return false, false // a module
	}
	of := m.receiver(j)
	if t := m.typeAround(j); t != nil && itself(m.word(j)) && !inherited[m.word(j)] && m.members[t.name+"."+m.word(i)] {
		of = []string{t.name} // which has it for itself
	}
	sure = slices.ContainsFunc(of, func(of string) bool { return slices.Contains(types, of) })
	if !sure && m.imported[i] && (m.name == "Java" || m.name == "Kotlin" || m.name == "Scala") { // of a package, or of another type
		return false, false
	}
	return sure, sure || !m.tabled(of, m.word(i))
}

// private reports whether a token is the name of a member that nothing but the body of its class can name: #x.
func (m *Mentions) private(i int) bool {
	w := m.bytes(i)
	return m.requires && len(w) > 1 && w[0] == '#'
}

// ofPrivate is member for a private name: it belongs to the innermost class around it that declares one.
func (m *Mentions) ofPrivate(i int, types []string) (sure, named bool) {
	for n, at := 0, m.in[i]; at >= 0 && n < maxAround; n, at = n+1, m.blocks[at].parent {
		if b := &m.blocks[at]; b.typed && m.members[b.name+"."+m.word(i)] {
			is := slices.Contains(types, b.name)
			return is, is
		}
	}
	return false, true
}

// constant reports whether a token is a constant of Ruby before which no module stands.
func (m *Mentions) constant(i int) bool {
	sign, _ := m.access(i)
	return m.name == "Ruby" && sign == 0 && m.kind(i+1) != '(' && names.Upper(m.bytes(i))
}

// scoped says whether a constant of Ruby before which no module stands is what is wanted: as Ruby looks for it, in the modules and classes around
// it, the innermost first, then in what the innermost has from others.
func (m *Mentions) scoped(i int, w WantedDefinition) (sure, named bool) {
	if m.imported[i] || m.label(i) || m.declares(i) {
		return false, false
	}
	last, outer := w.parts()
	var innermost *enclosure
	for n, at := 0, m.in[i]; at >= 0 && n < maxAround; n, at = n+1, m.blocks[at].parent {
		b := &m.blocks[at]
		if !b.typed || m.tokens[i].Line == m.tokens[b.from].Line { // the head of a class stands in what is around that
			continue
		}
		switch {
		case m.scopeIs(at, strings.TrimSuffix(w.Name, "."+last)):
			return true, true
		case m.members[b.name+"."+last]:
			return false, false
		case innermost == nil:
			innermost = b
		}
	}
	is := innermost != nil && slices.Contains(innermost.supers, outer)
	return is, is
}

// scopeIs reports whether a module or class is that of a qualified name. One whose head says the modules around it itself has no others around it.
func (m *Mentions) scopeIs(at int32, name string) bool {
	parts := strings.Split(name, ".")
	n := len(parts)
	for k := 0; at >= 0 && k < maxAround; k, at = k+1, m.blocks[at].parent {
		if b := &m.blocks[at]; b.typed {
			if n--; n < 0 || b.name != parts[n] {
				return false
			}
		}
	}
	return n < len(parts)
}

// inside says whether a name without a receiver is a member of the type around it, or of what that extends; in Kotlin it may be one of what
// a lambda is given as its receiver, too.
func (m *Mentions) inside(i int, types []string) (sure, named bool) {
	if of, made := m.madeOf(i); made {
		sure = slices.Contains(types, of)
		return sure, sure || of == ""
	}
	if sure, named = m.ofTypeAround(i, types); named {
		return sure, true
	}
	return false, m.ofLambda(i) || m.symbol(i, types)
}

// symbol reports whether a symbol of Ruby in the body of a class, outside of its methods, may stand for a method of it: before_save :name.
func (m *Mentions) symbol(i int, types []string) bool {
	t := &m.blocks[m.in[i]]
	if m.name != "Ruby" || m.kind(i-1) != ':' || !m.touches(i-1) || !t.typed {
		return false
	}
	return slices.Contains(types, t.name) || slices.ContainsFunc(t.supers, func(s string) bool { return slices.Contains(types, s) })
}

// ofLambda reports whether a name without a receiver is called in a lambda of Kotlin, and nothing of the text has it.
func (m *Mentions) ofLambda(i int) bool {
	if m.name != "Kotlin" || m.kind(i+1) != '(' || m.imported[i] || m.label(i) || m.declares(i) || len(m.importing[m.word(i)]) > 0 || m.ownNames[m.word(i)] {
		return false
	}
	for n, at := 0, m.opener(i); at >= 0 && n < maxAround; n, at = n+1, m.opener(at) {
		if m.kind(at) == '{' && (m.kind(at-1) == declaration.Word && !m.is(at-1, "else") && !m.is(at-1, "try") || m.kind(at-1) == ')') {
			_, bound := m.local(m.word(i), i)
			return !bound
		}
	}
	return false
}

func (m *Mentions) ofTypeAround(i int, types []string) (sure, named bool) {
	for _, k := range m.importing[m.word(i)] { // import static p.A.b
		if _, j := m.access(k); j > 0 && slices.Contains(types, m.word(j)) {
			return true, true
		}
	}
	if sure, named := m.spreadMember(i, types); named {
		return sure, true
	}
	t := m.typeAround(i)
	if t == nil || m.imported[i] || m.label(i) {
		return false, false
	}
	declares := m.declares(i)
	reads := !declares && m.reads(i)
	if !declares && !reads && (!m.bare || m.kind(i+1) != '(' && m.kind(i+1) != ';' && !m.command(i)) {
		return false, false
	}
	if _, bound := m.local(m.word(i), i); bound && !reads {
		return false, false
	}
	if slices.Contains(types, t.name) {
		return true, true
	}
	if !slices.ContainsFunc(t.supers, func(s string) bool { return slices.Contains(types, s) }) {
		return m.ofOuter(t, m.word(i), types)
	}
	return !declares && !m.members[t.name+"."+m.word(i)], true // what declares it again may stand for it, or be another of its name
}

// ofOuter says whether a name without a receiver is a member of a type around that in which it stands. Where one between them extends others,
// these may have it.
func (m *Mentions) ofOuter(t *enclosure, name string, types []string) (sure, named bool) {
	if m.name != "Java" && m.name != "C#" && m.name != "Kotlin" && m.name != "Scala" {
		return false, false
	}
	sure = true
	for n := 0; n < maxAround && !m.members[t.name+"."+name]; n++ {
		sure = sure && len(t.supers) == 0
		at := t.parent
		for at >= 0 && !m.blocks[at].typed {
			at = m.blocks[at].parent
		}
		if at < 0 {
			break
		}
		if t = &m.blocks[at]; slices.Contains(types, t.name) {
			return sure, true
		}
	}
	return false, false
}

// command reports whether a name of Ruby calls a method without parentheses: it is no symbol, and is given no value.
func (m *Mentions) command(i int) bool {
	if m.name != "Ruby" || names.Upper(m.bytes(i)) || m.kind(i-1) == ':' && m.touches(i-1) || m.kind(i-1) == '@' || m.kind(i-1) == '$' {
		return false
	}
	return m.kind(i+1) != '=' || m.kind(i+2) == '=' || m.kind(i+2) == '~' || m.kind(i+2) == '>'
}

// declares reports whether a token is the name of a definition of this text: as the text is read, or behind what declares one.
func (m *Mentions) declares(i int) bool {
	w := m.word(i - 1)
	switch {
	case m.fresh[i]:
	case w == "fun" || w == "func" || w == "def" || w == "fn" || w == "function":
		return true
	case m.before && m.kind(i+1) == '(' && (w != "" && !noTypes[w] && !untyped[w] || m.kind(i-1) == '>' && m.kind(i-2) != '-' && m.genericBefore(i-1) > 0):
		return true
	}
	return m.declared[place{int(m.tokens[i].Line), m.word(i)}]
}

// declaresMember reports whether a name without a receiver is that of a member which is declared there.
func (m *Mentions) declaresMember(i int) bool {
	if m.membersAt[place{int(m.tokens[i].Line), m.word(i)}] {
		return true
	}
	if !m.fresh[i] || m.kind(m.generic(i+1)) != '(' {
		return false
	}
	b := &m.blocks[m.in[i]]
	return m.name == "Go" && b.open > 0 && m.is(int(b.open)-1, "interface") || m.after && m.labels && m.name != "Swift" && b.typed
}

// constructed lists the lines that construct a type which is called so here, or call what constructs it, of this name: in a type that extends
// it, and from another constructor of it.
func (m *Mentions) constructed(types []string, last string) []Use {
	var list []Use
	for _, word := range []string{"super", "parent", "base", "this", last} {
		for _, i := range m.places(word) {
			if m.passesOn(i, types, last) {
				list = append(list, Use{Line: int(m.tokens[i].Line), Sure: true})
			}
		}
	}
	for _, word := range []string{"new", "init", "Self", "described_class"} {
		for _, i := range m.places(word) {
			if of, built := m.unnamed(i); built && (of == "" || slices.Contains(types, of)) {
				list = append(list, Use{Line: int(m.tokens[i].Line), Sure: of != ""})
			}
		}
	}
	for _, of := range types {
		for _, i := range m.places(of) {
			if m.imported[i] {
				continue
			}
			if m.constructs(i) {
				list = append(list, Use{Line: int(m.tokens[i].Line), Sure: true})
			}
		}
	}
	return merge(list)
}

// passesOn reports whether a constructor calls there one of these types, which has this name: super(), super().__init__(), parent::__construct(),
// this(), A.__init__(), super.init().
func (m *Mentions) passesOn(i int, types []string, last string) bool {
	sign, j := m.access(i)
	if m.is(i, last) {
		return constructors[last] && m.name == "Python" && j >= 0 && slices.Contains(types, m.word(j))
	}
	t, own := m.typeAround(i), m.is(i, "this")
	if sign != 0 || t == nil {
		return false
	}
	n := -1 // where the arguments end
	if m.kind(i+1) == '(' {
		n = int(m.match[i+1])
	}
	switch {
	case m.name == "Ruby":
		if b := &m.blocks[m.in[i]]; !m.is(int(b.from), "def") || !m.is(int(b.from)+1, last) {
			return false
		}
	case m.name == "Swift":
		if m.kind(i+1) != '.' || !m.is(i+2, last) {
			return false
		}
	case m.kind(i+1) != '(' && m.name != "PHP":
		return false
	case m.name == "Python" && (n < 0 || !m.is(n+2, last)), m.name == "PHP" && !m.is(i+3, last):
		return false
	case own:
		return (m.before || m.name == "Kotlin") && slices.Contains(types, t.name)
	}
	return slices.ContainsFunc(t.supers, func(s string) bool { return slices.Contains(types, s) })
}

// unnamed reports whether a type is constructed at a token without its name, and which: that around the token, or that of what it is given to.
// It is "" where the syntax does not tell.
func (m *Mentions) unnamed(i int) (of string, built bool) {
	sign, j := m.access(i)
	around := func() (string, bool) {
		if t := m.typeAround(i); t != nil {
			return t.name, true
		}
		return "", false
	}
	switch w := m.word(i); {
	case m.name == "C#" && w == "new" && m.kind(i+1) == '(' && !m.constrains(i), m.name == "Swift" && w == "init" && j < 0:
		return m.givenTo(i)
	case m.name == "Swift" && w == "Self" && sign == 0 && m.kind(i+1) == '(', m.name == "Swift" && w == "init" && sign != 0 && (m.is(j, "self") || m.is(j, "Self")):
		return around()
	case m.name == "Ruby" && w == "described_class":
		return "", m.kind(i+1) == '.' && m.is(i+2, "new")
	case m.name == "Ruby" && w == "new" && (sign == 0 && !m.is(i-1, "def") || m.is(j, "self") || m.is(j, "class") && m.is(j-2, "self")):
		return around()
	}
	return "", false
}

// constrains reports whether C#'s new() says of a type argument that it can be made: where T : A, new().
func (m *Mentions) constrains(i int) bool {
	for j := i - 1; j > max(0, i-maxAround); j-- {
		switch m.kind(j) {
		case '{', '}', ';', '(', ')':
			return false
		}
		if m.is(j, "where") {
			return true
		}
	}
	return false
}

// givenTo is the type, as it is written, of a name that is given a value which begins at a token with new, or with the dot before it.
func (m *Mentions) givenTo(i int) (of string, ok bool) {
	if m.kind(i-1) == '.' {
		i--
	}
	k := i - 1
	if m.kind(k) == '>' && m.kind(k-1) == '=' { // Press Make() => new(3)
		k--
		if m.kind(k-1) == ')' && m.match[k-1] > 0 {
			k = int(m.match[k-1])
		}
	} else if m.kind(k) != '=' {
		return "", true
	}
	if m.kind(k-1) == '}' && m.match[k-1] > 0 { // Press Own { get; } = new(3)
		k = int(m.match[k-1])
	}
	name := k - 1
	if m.name == "Swift" {
		return m.word(name), true
	}
	if before := m.word(name - 1); before != "" && !noTypes[before] && !untyped[before] {
		return before, true
	}
	if of, bound := m.typeOf(m.word(name), name); bound {
		return of, true
	}
	return "", true
}

// constructs reports whether the type that a token names is constructed there.
func (m *Mentions) constructs(i int) bool {
	after := m.generic(i + 1)
	called := (m.calls || m.plus()) && m.kind(after) == '(' && m.kind(i-1) != '~'
	return m.builds(i) || called && !m.declares(i) && !m.headsType(i) || m.plus() && m.braced(i, after) ||
		m.kind(after) == '.' && (m.is(after+1, "new") || m.is(after+1, "init")) || m.kind(after) == ':' && m.is(after+2, "new")
}

// plus reports whether a text may be C++, as headers may.
func (m *Mentions) plus() bool {
	return m.name == "C++" || m.name == "CUDA" || m.name == "C" && !strings.HasSuffix(m.file, ".c")
}

// braced reports whether C++ constructs a type there by its name and braces, A{1} or A a{1}, or by a function that makes one: make_unique<A>(.
func (m *Mentions) braced(i, after int) bool {
	switch {
	case m.kind(i+1) == '>' && m.kind(i+2) == '(':
		from := m.beforeQualified(i)
		return m.kind(from) == '<' && strings.HasPrefix(m.word(from-1), "make_")
	case m.kind(after) == declaration.Word && !m.headsType(i):
		return m.kind(after+1) == '{'
	}
	return m.kind(after) == '{' && !m.headsType(i) && !m.extended(i)
}

// declaresValue reports whether C++ declares a variable of a type there, or what looks like one: A a; A a = 1; A a(1); or gives the type to
// a template, which may build it.
func (m *Mentions) declaresValue(i int) bool {
	if !m.plus() || m.headsType(i) {
		return false
	}
	switch m.kind(i + 1) {
	case '>', ',':
		from := m.kind(m.beforeQualified(i))
		return m.kind(i+1) == '>' && from != '&' || from == '<'
	}
	after := m.generic(i + 1)
	if m.parted[i] || m.kind(after) != declaration.Word {
		return false
	}
	return bytes.IndexByte([]byte("(;=[,"), m.kind(after+1)) >= 0
}

// headsType reports whether a token is the name of a type that is declared there.
func (m *Mentions) headsType(i int) bool { return typeWords[m.word(i-1)] }

// builds reports whether new stands before a name, or before the namespaces that it is in.
func (m *Mentions) builds(i int) bool {
	for n := 0; n < 8; n++ {
		if m.is(i-1, "new") {
			return true
		}
		sign, j := m.access(i)
		if sign == 0 || j < 0 || m.kind(j) != declaration.Word {
			return false
		}
		i = j
	}
	return false
}

// plain are languages whose < compares, or says what a class extends, and begins no arguments of types.
var plain = map[string]bool{"Ruby": true, "Python": true, "PHP": true, "Elixir": true, "Lua": true}

// generic returns the token behind arguments of types that begin at i, i where there are none.
func (m *Mentions) generic(i int) int {
	shut := byte('>')
	switch m.kind(i) {
	case '[':
		if m.name != "Scala" && m.name != "Go" || m.match[i] < 0 {
			return i
		}
		return int(m.match[i]) + 1
	case '<':
		if plain[m.name] {
			return i
		}
	default:
		return i
	}
	depth := 0
	for j := i; j < min(len(m.tokens), i+60); j++ {
		switch k := m.tokens[j].Kind; {
		case k == '<':
			depth++
		case k == shut && m.kind(j-1) != '-' && m.kind(j-1) != '=':
			if depth--; depth == 0 {
				return j + 1
			}
		case k == ';' || k == '{' || k == ')' && depth < 2 && m.match[j] < int32(i):
			return i
		}
	}
	return i
}
