package jvm

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/graph/views"
)

// dialect is one of the languages.
type dialect uint8

const (
	java dialect = iota
	kotlin
	scala
)

// file is what one source declares and names.
type file struct {
	path    string
	dialect dialect
	// space is its package, outer are those of clauses around it, whose names can be seen too.
	space string
	outer []string
	// root is the folder in which the folders of the package begin.
	root    string
	imports []importName
	types   []names.Type
	// members are functions and values of no type.
	members []string
	// facade is the class that holds the members.
	facade string
	refs   []ref
	// own are types of Kotlin that no other file sees.
	own map[string]bool
	// hidden are names that stand for something else in the file: parameters of types, values.
	hidden map[string]bool
	// aliases are the types of Scala that are another one.
	aliases map[int32]bool
	// calls are names in small letters that are called, of Kotlin and Scala; locals those that the file declares anywhere.
	calls  []string
	locals map[string]bool
	// received are functions of Kotlin that are declared with what stands before the dot of a call alone.
	received map[string]bool
	views    []views.Reference
}

// importName is one name of an import: all names in it where star is set.
type importName struct {
	name, as string
	star     bool
	places   []names.Place
	// in is what an import of all names, or of a package, leads to.
	in string
}

// ref is a name that is used in a type, or in none (-1).
type ref struct {
	chain string
	in    int32
}

// Bounds of what is kept of one file; of more, the first count.
const (
	maxTypes  = 20_000
	maxRefs   = 20_000
	maxSupers = 32
	maxNested = 100
	// maxChain bounds the words of a qualified name.
	maxChain = 16
)

// parser reads one file.
type parser struct {
	*names.Source
	file
	at int
	// scopes are the types whose blocks are open, with the depth of each.
	scopes []scope
	depth  int // of braces
	groups int // of parentheses and brackets
	// column is where the line begins that is read, base the depth of the package's block, margin where the line of its first
	// statement begins, -1 before that. They are Scala's alone.
	column, base, margin int
	// extends is where the lines begin of what extends a type of the package without braces: 0 before the first, -1 for none.
	extends int
	// pending is a type whose block has not begun, -1 where there is none; headed is how many groups were open at its name, and
	// named the token that is its name.
	pending, headed, named int
	// enum says that the pending type begins with the names of constants.
	enum bool
	// deep is the column of the line in which the pending type is named.
	deep int
	// supers says that what is named is what the pending type extends, angles how many < are open in its head.
	supers bool
	angles int
	// seen are the names that are used, each with the type that it stands in.
	seen   map[string]bool
	buffer []byte
}

type scope struct {
	typ   int32
	depth int
	// constants says that names of constants may stand here.
	constants bool
	// indented says that the block is what stands further right than column, without braces: Scala's behind a colon.
	indented bool
	column   int
}

func parse(s *names.Source) *file {
	p := &parser{Source: s, file: file{path: s.Path}, pending: -1, margin: -1, extends: -1, seen: map[string]bool{}}
	switch strings.ToLower(path.Ext(s.Path)) {
	case ".kt", ".kts":
		p.dialect = kotlin
	case ".scala", ".sc":
		p.dialect = scala
	}
	for p.at < len(p.Tokens) {
		p.token()
	}
	p.root = names.Root(path.Dir(p.path), p.space)
	if p.dialect == kotlin && p.facade == "" {
		base := path.Base(p.path)
		base = strings.TrimSuffix(base, path.Ext(base))
		p.facade = strings.ToUpper(base[:min(1, len(base))]) + base[min(1, len(base)):] + "Kt"
	}
	f := p.file
	f.views = views.JVM(s)
	return &f
}

// token reads what begins at a token.
func (p *parser) token() {
	i := p.at
	p.at++
	if p.dialect == scala && p.Kind(i) != declaration.Newline && p.first(i) {
		p.line(i)
	}
	switch p.Kind(i) {
	case '{':
		p.depth++
		if p.pending >= 0 && p.groups == p.headed && len(p.scopes) < maxNested {
			p.scopes = append(p.scopes, scope{typ: int32(p.pending), depth: p.depth, constants: p.enum})
			p.selfType(i)
			p.pending, p.supers = -1, false
		}
	case '}':
		for n := len(p.scopes); n > 0 && p.scopes[n-1].indented && p.scopes[n-1].depth >= p.depth; n-- {
			p.scopes = p.scopes[:n-1]
		}
		if n := len(p.scopes); n > 0 && p.scopes[n-1].depth == p.depth {
			p.scopes = p.scopes[:n-1]
		}
		p.depth = max(p.depth-1, 0)
	case '(', '[':
		p.groups++
		if p.dialect == scala && p.Kind(i) == '[' && (p.heads(i) || p.Is(i-2, "def")) {
			p.parameters(i, ']')
		}
	case ')', ']':
		p.groups = max(p.groups-1, 0)
	case '<':
		if p.dialect != scala {
			p.angle(i)
		}
	case '>':
		if p.dialect != scala && p.pending >= 0 && p.groups == p.headed && p.Kind(i-1) != '-' && p.Kind(i-1) != '=' {
			p.angles = max(p.angles-1, 0)
		}
	case ';':
		if p.pending >= 0 && p.groups == p.headed {
			p.pending, p.supers = -1, false
		}
		if n := len(p.scopes); n > 0 && p.scopes[n-1].depth == p.depth {
			p.scopes[n-1].constants = false
		}
	case ':':
		if p.dialect == kotlin && p.pending >= 0 && p.groups == p.headed && p.angles == 0 {
			p.supers = true
		}
		if p.dialect == scala && p.pending >= 0 && p.groups == p.headed && p.first(p.next(i)) && len(p.scopes) < maxNested {
			p.scopes = append(p.scopes, scope{typ: int32(p.pending), depth: p.depth, indented: true, column: p.deep})
			p.selfType(i)
			p.pending, p.supers = -1, false
		}
	case declaration.Word:
		p.word(i)
		return
	}
	if p.dialect == scala {
		p.infix(i)
	}
}

// infix notes a name of signs that stands between types: A < S, F ~> G. Values that are compared are not told from types where
// their names begin with capitals, but a name that no type has leads nowhere.
func (p *parser) infix(i int) {
	if left := p.Word(i - 1); !names.Upper(left) && p.Kind(i-1) != ']' || p.Touch(i-1) && left == nil {
		return
	}
	n := p.signs(i)
	if n == i || n < len(p.Tokens) && !names.Upper(p.Word(n)) && p.Kind(n) != '(' {
		return
	}
	if name := p.Text[p.Tokens[i].Start:p.Tokens[n-1].End]; !reserved[string(name)] {
		p.at = n
		p.refer(name)
	}
}

// signs is the token behind a name of signs that begins at one: that one, where none does.
func (p *parser) signs(i int) int {
	n := i
	for n < min(i+maxSigns, len(p.Tokens)) && (n == i || p.Touch(n-1)) && strings.IndexByte("!#%&*+-/:<=>?@\\^|~", p.Kind(n)) >= 0 {
		n++
	}
	return n
}

// maxSigns bounds the signs of a name.
const maxSigns = 8

// reserved are signs between types of Scala that are no names, or that the language itself declares.
var reserved = map[string]bool{"=": true, ":": true, "=>": true, "?=>": true, "=>>": true, "<-": true, "<:": true, ">:": true, "#": true, "|": true, "&": true, "@": true, "*": true, "?": true}

// first reports whether a token is the first of its line.
func (p *parser) first(i int) bool {
	k := i - 1
	for p.Kind(k) == declaration.Newline {
		k--
	}
	return k < 0 || i >= len(p.Tokens) || p.Tokens[k].Line < p.Tokens[i].Line
}

// selfType takes what Scala says behind the beginning of a block that the type is besides, a => behind it, as what it extends: its
// members can be named in the same way.
func (p *parser) selfType(i int) {
	i = p.next(i)
	if p.dialect != scala || p.Kind(i) != declaration.Word || p.Kind(i+1) != ':' {
		return
	}
	var found []string
	depth := 0
	for n := i + 2; n < min(i+maxSelf, len(p.Tokens)); n++ {
		switch k := p.Kind(n); {
		case k == '[':
			depth++
		case k == ']':
			depth--
		case k == '=':
			if p.Kind(n+1) == '>' && depth == 0 {
				t := &p.types[p.pending]
				t.Supers = append(t.Supers, found[:min(len(found), maxSupers-len(t.Supers))]...)
			}
			return
		case k == declaration.Word && depth == 0 && p.Kind(n-1) != '.' && !p.Is(n, "with"):
			parts, _ := p.Chain(n, maxChain)
			found = append(found, p.Keep(bytes.Join(parts, []byte("."))))
		case k == '{' || k == '}' || k == ';' || k == '(' && depth == 0:
			return
		}
	}
}

// maxSelf bounds the signs of what a type says that it is besides.
const maxSelf = 60

// next is the token behind one, ends of lines left aside.
func (p *parser) next(i int) int {
	for i++; p.Kind(i) == declaration.Newline; {
		i++
	}
	return i
}

// line looks at the first token of a line: blocks end before which it does not stand further right, and so does the head of a type
// that has no block.
func (p *parser) line(i int) {
	p.column = 0
	for at := int(p.Tokens[i].Start) - 1; at >= 0 && (p.Text[at] == ' ' || p.Text[at] == '\t'); at-- {
		p.column++
	}
	if p.groups > 0 {
		return
	}
	if p.margin < 0 && p.depth == p.base {
		p.margin = p.column
	}
	if p.column <= p.margin {
		p.extends = -1
	} else if p.extends == 0 {
		p.extends = p.column
	}
	for n := len(p.scopes); n > 0 && p.scopes[n-1].indented && p.scopes[n-1].depth == p.depth && p.column <= p.scopes[n-1].column; n-- {
		p.scopes = p.scopes[:n-1]
	}
	if p.pending >= 0 && p.column <= p.deep && p.Kind(i) == declaration.Word && !p.goesOn(i) {
		p.pending, p.supers = -1, false
	}
}

// goesOn reports whether a word that begins a line goes on with the head of a type.
func (p *parser) goesOn(i int) bool {
	return p.Is(i, "extends") || p.Is(i, "with") || p.Is(i, "derives")
}

// current is the innermost type, -1 for none.
func (p *parser) current() int32 {
	if n := len(p.scopes); n > 0 {
		return p.scopes[n-1].typ
	}
	return -1
}

// heads reports whether a sign stands right behind the name of the pending type, where its parameters of types begin.
func (p *parser) heads(i int) bool { return p.pending >= 0 && i == p.named+1 }

// angle looks at a < that may begin parameters of types.
func (p *parser) angle(i int) {
	if p.pending >= 0 {
		if p.groups > p.headed { // a parameter of its constructor
			return
		}
		p.angles++
		if p.heads(i) {
			p.parameters(i, '>')
		}
		return
	}
	switch w := p.Word(i - 1); string(w) {
	case "public", "private", "protected", "static", "final", "abstract", "default", "synchronized", "fun", "native":
		p.parameters(i, '>')
	case "":
		if k := p.Kind(i - 1); k == '{' || k == '}' || k == ';' || k == ')' {
			p.parameters(i, '>')
		}
	}
}

// parameters hides the names of parameters of types, which begin at a sign. Where no sign ends them they are none: what is
// compared.
func (p *parser) parameters(i int, shut byte) {
	open := p.Kind(i)
	depth := 0
	var list [maxParameters]int
	count := 0
	for n := i; n < min(i+200, len(p.Tokens)); n++ {
		switch k := p.Kind(n); {
		case k == open:
			depth++
		case k == shut:
			if depth--; depth == 0 {
				for _, at := range list[:count] {
					p.hide(p.Word(at))
				}
				return
			}
		case k == '{' || k == ';':
			return
		case k == declaration.Word && depth == 1 && count < maxParameters && names.Upper(p.Word(n)) && p.parameter(n, open):
			list[count] = n
			count++
		}
	}
}

// maxParameters bounds the parameters of types of one declaration.
const maxParameters = 40

// parameter reports whether a name in such a list may be that of a parameter.
func (p *parser) parameter(n int, open byte) bool {
	if p.Kind(n+1) == '.' {
		return false
	}
	switch b := p.Kind(n - 1); b {
	case open, ',':
		return true
	case '+', '-':
		return p.dialect == scala
	case ')':
		return p.dialect == java
	}
	return p.Is(n-1, "out") || p.Is(n-1, "in") || p.Is(n-1, "reified")
}

func (p *parser) hide(w []byte) {
	if p.hidden == nil {
		p.hidden = map[string]bool{}
	}
	if len(p.hidden) < maxRefs {
		p.hidden[p.Keep(w)] = true
	}
}

// word reads what begins with a word.
func (p *parser) word(i int) {
	w := p.Word(i)
	if w[0] >= 'a' && w[0] <= 'z' && p.Kind(i-1) != '.' {
		if p.keyword(i, string(w)) {
			return
		}
	}
	p.name(i)
}

// keyword reads what a word begins that is lower case, and reports whether it was one of the language's.
func (p *parser) keyword(i int, w string) bool {
	switch w {
	case "package":
		if p.depth == 0 || p.dialect == scala {
			return p.clause(i)
		}
	case "import":
		if p.current() < 0 && (p.depth == 0 || p.dialect == scala) || p.dialect == scala {
			return p.importing(i)
		}
	case "extension":
		if p.dialect == scala && p.first(i) && p.top() {
			p.extends = 0
		}
	case "export":
		if p.dialect == scala && p.first(i) && p.Kind(i+1) == declaration.Word {
			return p.exporting(i)
		}
	case "class", "interface", "enum", "record", "object", "trait", "typealias", "type":
		return p.declares(i, w)
	case "extends", "implements", "with":
		if p.pending >= 0 && p.groups == p.headed {
			p.supers = true
			return true
		}
	case "permits":
		p.supers = p.supers && p.pending < 0
	case "fun", "val", "var", "def":
		if p.dialect != java {
			return p.member(i)
		}
	case "by":
		if p.dialect == kotlin && p.pending >= 0 && p.groups == p.headed {
			p.supers = false
		}
	case "new", "return", "case", "static", "public", "private", "final", "if", "this", "void", "int", "else", "throw", "null", "instanceof", "super":
		return p.Kind(i+1) != '.'
	case "file":
		if p.dialect == kotlin && p.depth == 0 && p.Kind(i-1) == '@' && p.Is(i+2, "JvmName") && p.Kind(i+4) == declaration.Quoted {
			t := p.Tokens[i+4]
			p.facade = string(bytes.Trim(p.Text[t.Start:t.End], `"`))
		}
	}
	return false
}

// clause reads the clause of a package.
func (p *parser) clause(i int) bool {
	if p.Is(i+1, "object") || p.Kind(i+1) != declaration.Word {
		if p.dialect == scala && p.Is(i+1, "object") && p.Kind(i+2) == declaration.Word { // its members are the package's
			p.outer = append(p.outer, p.space)
			p.space = names.Join(p.space, p.Keep(p.Word(i+2)))
			p.at = i + 3
			p.block()
			return true
		}
		return false
	}
	parts, next := p.Chain(i+1, maxChain)
	name := p.Keep(bytes.Join(parts, []byte(".")))
	if p.space != "" && len(p.outer) < maxChain {
		p.outer = append(p.outer, p.space)
		name = names.Join(p.space, name)
	}
	p.space = name
	p.at = next
	p.block()
	return true
}

// block notes where the block of a package of Scala begins, if one stands behind its name.
func (p *parser) block() {
	if p.Kind(p.at) == '{' {
		p.base = p.depth + 1
	}
	p.margin = -1
}

// exporting reads names that Scala gives on to those that use the package: they are imported, and declared.
func (p *parser) exporting(i int) bool {
	n, top := len(p.imports), p.top()
	p.importing(i)
	for _, d := range p.imports[n:] {
		if top && !d.star && len(p.members) < maxTypes {
			p.members = append(p.members, d.as)
		}
	}
	return true
}

// top reports whether what is declared here is the package's, or the file's.
func (p *parser) top() bool {
	if p.dialect == scala {
		return p.current() < 0 && p.groups == 0 && p.depth == p.base && (p.base > 0 || p.column == p.margin || p.column == p.extends)
	}
	return p.depth == 0 && p.groups == 0
}

// importing reads an import.
func (p *parser) importing(i int) bool {
	next := i + 1
	for {
		if p.Is(next, "static") {
			next++
		}
		if p.Kind(next) != declaration.Word {
			break
		}
		var parts [][]byte
		parts, next = p.Chain(next, maxChain)
		name := bytes.Join(parts, []byte("."))
		last := parts[len(parts)-1]
		if end := p.operator(next); end > 0 {
			last = p.Text[p.Tokens[next+1].Start:p.Tokens[end-1].End]
			name = append(append(name, '.'), last...)
			next = end
		}
		switch {
		case p.dialect == scala && string(last) == "_" && len(parts) > 1:
			p.imported(importName{name: string(name[:len(name)-2]), star: true})
		case p.Kind(next) == '.' && p.Kind(next+1) == '*':
			p.imported(importName{name: string(name), star: true})
			next += 2
		case p.Kind(next) == '.' && p.Kind(next+1) == '{' && p.dialect == scala:
			next = p.selectors(next+2, string(name))
		case p.dialect != java && p.Is(next, "as"):
			p.imported(importName{name: string(name), as: string(bytes.Trim(p.Word(next+1), "`"))})
			next += 2
		default:
			p.imported(importName{name: string(name), as: string(last)})
		}
		if p.dialect != scala || p.Kind(next) != ',' {
			break
		}
		next++
	}
	p.at = next
	return true
}

// selectors reads the names in the braces of an import of Scala, and returns the token behind them.
func (p *parser) selectors(i int, name string) int {
	for ; i < len(p.Tokens) && p.Kind(i) != '}'; i++ {
		w := string(bytes.Trim(p.Word(i), "`"))
		if n := p.signs(i); w == "" && n > i && (n > i+1 || p.Kind(i) != '*') {
			w = string(p.Text[p.Tokens[i].Start:p.Tokens[n-1].End])
			i = n - 1
		}
		switch {
		case w == "_" || p.Kind(i) == '*':
			p.imported(importName{name: name, star: true})
		case w == "" || w == "given":
		case p.Kind(i+1) == '=' && p.Kind(i+2) == '>' || p.Is(i+1, "as"):
			to := i + 2
			if p.Kind(i+1) == '=' {
				to++
			}
			if as := string(p.Word(to)); as != "_" {
				p.imported(importName{name: names.Join(name, w), as: as})
			}
			i = to
		default:
			p.imported(importName{name: names.Join(name, w), as: w})
		}
	}
	return i + 1
}

func (p *parser) imported(d importName) {
	if len(p.imports) < maxRefs {
		p.imports = append(p.imports, d)
	}
}

// declares reads the name of a type that is declared, and reports whether one is.
func (p *parser) declares(i int, w string) bool {
	at := i + 1
	if w == "type" && p.dialect != scala || w == "record" && (p.dialect != java || p.Kind(i+2) != '(' && p.Kind(i+2) != '<') ||
		(w == "object" || w == "trait" || w == "typealias") && p.dialect == java || p.Kind(i-1) == ':' {
		return false
	}
	if w == "enum" && p.Is(at, "class") || w == "case" {
		return true
	}
	name := bytes.Trim(p.Word(at), "`")
	if n := p.signs(at); p.dialect == scala && n > at { // type <[A, S]
		name = p.Text[p.Tokens[at].Start:p.Tokens[n-1].End]
		p.declare(n-1, name, false)
		p.at = n
		if w == "type" {
			p.alias()
		}
		return true
	}
	if len(name) == 0 || w == "object" && p.Kind(at) != declaration.Word {
		if w == "object" && p.Is(i-1, "companion") {
			p.declare(i, []byte("Companion"), false)
			return true
		}
		return false
	}
	enum := w == "enum" && p.dialect == java || w == "class" && p.Is(i-1, "enum")
	if p.dialect == kotlin && p.depth == 0 && p.private(i) {
		if p.own == nil {
			p.own = map[string]bool{}
		}
		p.own[p.Keep(name)] = true
		p.hide(name)
	}
	p.declare(at, name, enum)
	p.at = at + 1
	if w == "typealias" || w == "type" {
		p.alias()
	}
	return true
}

// alias notes that the pending type is what it stands for.
func (p *parser) alias() {
	p.supers = true
	if p.dialect != scala || p.pending < 0 || p.groups > 0 {
		return
	}
	if p.aliases == nil {
		p.aliases = map[int32]bool{}
	}
	p.aliases[int32(p.pending)] = true
}

// private reports whether the words before one that declares keep other files from seeing it.
func (p *parser) private(i int) bool {
	for k := i - 1; k >= i-maxChain && p.Kind(k) == declaration.Word; k-- {
		if p.Is(k, "private") {
			return true
		}
	}
	return false
}

// declare adds a type whose block, if it has one, comes next.
func (p *parser) declare(at int, name []byte, enum bool) {
	if len(p.types) >= maxTypes {
		return
	}
	in := p.current()
	full := p.Keep(name)
	if in >= 0 {
		full = p.types[in].Name + "." + full
	}
	if len(full) > maxName {
		return
	}
	p.types = append(p.types, names.Type{Name: full, Outer: in})
	p.pending, p.headed, p.named, p.enum, p.supers, p.angles = len(p.types)-1, p.groups, at, enum, false, 0
	p.deep = p.column
}

// maxName bounds the bytes of the name of a type, with those around it.
const maxName = 300

// member reads a function or value of Kotlin or Scala.
func (p *parser) member(i int) bool {
	if p.pending >= 0 && p.groups == p.headed {
		p.pending, p.supers = -1, false
	}
	if p.Is(i+1, "interface") {
		return false
	}
	top := p.top()
	if n := p.signs(i + 1); p.dialect == scala && n > i+1 { // def ++(a: Int)
		if top && len(p.members) < maxTypes {
			p.members = append(p.members, p.Keep(p.Text[p.Tokens[i+1].Start:p.Tokens[n-1].End]))
		}
		if p.Kind(n) == '[' {
			p.parameters(n, ']')
		}
		p.at = n
		return true
	}
	n, depth := i+1, 0
	last := -1
look:
	for ; n < min(i+60, len(p.Tokens)); n++ {
		switch k := p.Kind(n); k {
		case '<':
			depth++
		case '>':
			depth--
		case '[':
			if p.dialect == scala {
				break look
			}
		case '(', ':', '=', '{', declaration.Newline, ';', ')', ',':
			if depth <= 0 {
				break look
			}
		case declaration.Word:
			if depth <= 0 {
				if p.Is(n, "by") || p.Is(n, "in") || n > i+1 && p.Kind(n-1) == declaration.Word { // val a get() = 1
					break look
				}
				last = n
			}
		}
	}
	if last < 0 {
		return true
	}
	if p.dialect == scala && p.Kind(last+1) == '(' && !p.Is(i, "def") { // a pattern: val Some(x) = y
		return true
	}
	name := bytes.Trim(p.Word(last), "`")
	if top && len(p.members) < maxTypes {
		p.members = append(p.members, p.Keep(name))
		p.receives(last, name)
	}
	p.local(name)
	if names.Upper(name) {
		p.hide(name)
		if last == i+1 {
			p.at = last + 1
		}
	}
	return true
}

// receives notes whether a function is declared with a receiver: what is called without a dot is another.
func (p *parser) receives(i int, name []byte) {
	_, known := p.received[string(name)]
	with := p.dialect == kotlin && p.Kind(i-1) == '.'
	if !with && !known {
		return
	}
	if p.received == nil {
		p.received = map[string]bool{}
	}
	p.received[p.Keep(name)] = with && (!known || p.received[string(name)])
}

// local notes that a file declares a name in small letters.
func (p *parser) local(name []byte) {
	if names.Upper(name) || len(p.locals) >= maxRefs {
		return
	}
	if p.locals == nil {
		p.locals = map[string]bool{}
	}
	p.locals[p.Keep(name)] = true
}

// call notes that a name in small letters is called, or that it is one of a parameter.
func (p *parser) call(i int, b []byte) {
	switch p.Kind(i + 1) {
	case ':':
		if p.Kind(i+2) != ':' {
			p.local(b)
		}
	case '(', '[', '{':
		p.buffer = append(append(p.buffer[:0], b...), '(')
		if p.seen[string(p.buffer)] || len(p.calls) >= maxRefs {
			return
		}
		p.seen[string(p.buffer)] = true
		p.calls = append(p.calls, p.Keep(b))
	}
}

// name reads a name that may be a type's.
func (p *parser) name(i int) {
	if p.Kind(i-1) == '.' || p.Kind(i-1) == ':' && p.Kind(i-2) == ':' && p.Touch(i-2) {
		return
	}
	b := p.Word(i)
	upper := names.Upper(bytes.TrimLeft(b, "_$`"))
	if !upper && p.Kind(i+1) != '.' {
		if p.dialect != java {
			p.call(i, b)
		}
		return
	}
	if n := len(p.scopes); upper && n > 0 && p.scopes[n-1].constants && p.scopes[n-1].depth == p.depth && (p.Kind(i-1) == '{' || p.Kind(i-1) == ',') {
		switch p.Kind(i + 1) {
		case ',', ';', '(', '{', '}', declaration.Newline:
			if p.groups == 0 || p.Kind(i-1) == '{' {
				p.hide(b)
				return
			}
		}
	}
	if p.dialect == java && upper && p.Kind(i+1) == '=' && p.Kind(i+2) != '=' && (p.Kind(i-1) == declaration.Word || p.Kind(i-1) == '>' || p.Kind(i-1) == ']') {
		p.hide(b) // a constant
		return
	}
	p.buffer = append(p.buffer[:0], bytes.Trim(b, "`")...)
	next, n, types := i+1, 1, 0
	if upper {
		types = 1
	}
	for n < maxChain && p.Kind(next) == '.' && p.Kind(next+1) == declaration.Word {
		w := bytes.Trim(p.Word(next+1), "`")
		if up := names.Upper(w); !up && types > 0 {
			break
		} else if up {
			types++
		}
		p.buffer = append(append(p.buffer, '.'), w...)
		next += 2
		n++
	}
	if end := p.operator(next); end > 0 && types == 0 {
		p.buffer = append(p.buffer, p.Text[p.Tokens[next].Start:p.Tokens[end-1].End]...)
		next, types = end, 1
	}
	if types == 0 {
		return // a field, a function
	}
	p.at = next
	if p.pending >= 0 && p.supers && p.groups == p.headed && p.angles == 0 {
		if t := &p.types[p.pending]; len(t.Supers) < maxSupers {
			t.Supers = append(t.Supers, p.Keep(p.buffer))
		}
	}
	p.refer(p.buffer)
}

// operator is the token behind a dot, which stands at a token, and a name of signs of Scala; 0 where none follows.
func (p *parser) operator(i int) int {
	if p.dialect != scala || p.Kind(i) != '.' {
		return 0
	}
	n := p.signs(i + 1)
	if n == i+1 || n == i+2 && p.Kind(i+1) == '*' {
		return 0
	}
	return n
}

// refer notes that a name is used in the current type.
func (p *parser) refer(name []byte) {
	in := p.current()
	n := len(name)
	p.buffer = append(append(p.buffer[:0], name...), byte(in), byte(in>>8), byte(in>>16))
	if p.seen[string(p.buffer)] || len(p.refs) >= maxRefs {
		return
	}
	p.seen[string(p.buffer)] = true
	p.refs = append(p.refs, ref{p.Keep(p.buffer[:n]), in})
}
