package csharp

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// file is what one source declares and names.
type file struct {
	path string
	// spaces are the namespaces that it writes in, and its using directives; the first is that of the whole file.
	spaces []space
	types  []names.Type
	// scopes are the spaces that the types are declared in.
	scopes []int32
	refs   []ref
	// extends are methods that extend a type, by name, with the type that declares them; calls are methods of values that are called.
	extends map[string]int32
	calls   []call
	// hidden are parameters of types, members are names that stand for a member where a value may stand.
	hidden, members map[string]bool
	project         *project
}

// space is a namespace's block, or the file.
type space struct {
	name   string
	outer  int32
	usings []using
}

// using is a directive: a namespace, a type whose members are meant, or a name for one of both.
type using struct {
	name, as       string
	static, global bool
	// space and places are what it leads to.
	space  string
	places []names.Place
}

// ref is a name that is used: in a type (-1 for none), in a space. value says that a value may be meant.
type ref struct {
	chain     string
	in, space int32
	arity     int32
	value     bool
	attribute bool
	// rooted is set behind global::.
	rooted bool
}

// call is a method that is called on a value, by its name, in a space.
type call struct {
	name  string
	space int32
}

// Bounds of what is kept of one file; of more, the first count.
const (
	maxTypes  = 20_000
	maxRefs   = 20_000
	maxSupers = 32
	maxNested = 100
	// maxChain bounds the words of a qualified name, maxName the bytes of that of a type.
	maxChain, maxName = 16, 300
	// maxArguments bounds the tokens of arguments of a type.
	maxArguments = 120
)

// parser reads one file.
type parser struct {
	*names.Source
	file
	at     int
	blocks []block
	depth  int
	groups int
	// pending is a type whose block has not begun, headed how many groups were open at its name; space is a namespace like it.
	pending, headed int
	space           int32
	enum, supers    bool
	seen            map[ref]bool
	called          map[call]bool
	branches        []branch
	buffer          []byte
	// generic is the token behind the types between < and > that were met last.
	generic int
}

// block is that of a type, or of a namespace (typ is -1).
type block struct {
	typ, space int32
	depth      int
	enum       bool
}

// branch is where a condition of the preprocessor began.
type branch struct {
	depth, groups, pending int
	blocks                 []block
}

func parse(s *names.Source) *file {
	p := &parser{Source: s, file: file{path: s.Path, spaces: []space{{outer: -1}}, hidden: map[string]bool{}, members: map[string]bool{}}, pending: -1, space: -1, seen: map[ref]bool{}, called: map[call]bool{}}
	for p.at < len(p.Tokens) {
		p.token()
	}
	f := p.file
	return &f
}

// current are the innermost type and space.
func (p *parser) current() (typ, space int32) {
	if n := len(p.blocks); n > 0 {
		return p.blocks[n-1].typ, p.blocks[n-1].space
	}
	return -1, 0
}

// token reads what begins at a token.
func (p *parser) token() {
	i := p.at
	p.at++
	switch p.Kind(i) {
	case '{':
		p.depth++
		switch {
		case len(p.blocks) >= maxNested:
		case p.space >= 0:
			p.blocks = append(p.blocks, block{-1, p.space, p.depth, false})
			p.space = -1
		case p.pending >= 0 && p.groups == p.headed:
			_, in := p.current()
			p.blocks = append(p.blocks, block{int32(p.pending), in, p.depth, p.enum})
			p.pending, p.supers = -1, false
		}
	case '}':
		if n := len(p.blocks); n > 0 && p.blocks[n-1].depth == p.depth {
			p.blocks = p.blocks[:n-1]
		}
		p.depth = max(p.depth-1, 0)
	case '(', '[':
		p.groups++
	case ')', ']':
		p.groups = max(p.groups-1, 0)
	case '<':
		if i >= p.generic {
			if n, end := p.arguments(i); n > 0 {
				p.generic = end
			}
		}
	case ';':
		if p.pending >= 0 && p.groups == p.headed {
			p.pending, p.supers = -1, false
		}
		if p.space >= 0 { // the namespace of the rest of the file
			p.blocks = append(p.blocks, block{-1, p.space, 0, false})
			p.space = -1
		}
	case ':':
		if p.pending >= 0 && p.groups == p.headed {
			p.supers = true
		}
	case declaration.Directive:
		p.directive(i)
	case declaration.Word:
		p.word(i)
	}
}

// directive goes back to where a condition began, where another of its branches begins.
func (p *parser) directive(i int) {
	t := p.Tokens[i]
	line := bytes.TrimLeft(p.Text[t.Start:t.End], " \t")
	n := len(p.branches)
	switch {
	case bytes.HasPrefix(line, []byte("if")):
		if n < maxNested {
			p.branches = append(p.branches, branch{p.depth, p.groups, p.pending, append([]block(nil), p.blocks...)})
		}
	case bytes.HasPrefix(line, []byte("el")) && n > 0:
		b := p.branches[n-1]
		p.depth, p.groups, p.pending, p.blocks = b.depth, b.groups, b.pending, append(p.blocks[:0], b.blocks...)
	case bytes.HasPrefix(line, []byte("endif")) && n > 0:
		p.branches = p.branches[:n-1]
	}
}

func (p *parser) word(i int) {
	w := p.Word(i)
	if p.Kind(i-1) != '.' && w[0] >= 'a' && w[0] <= 'z' {
		switch string(w) {
		case "using":
			if p.using(i) {
				return
			}
		case "namespace":
			if p.Kind(i+1) == declaration.Word {
				p.namespace(i)
				return
			}
		case "class", "struct", "interface", "enum", "record":
			if p.declares(i, string(w)) {
				return
			}
		case "delegate":
			p.delegate(i)
			return
		case "this":
			p.extension(i)
		case "where":
			if p.pending >= 0 && p.groups == p.headed {
				p.supers = false
			}
		}
	}
	p.name(i)
}

// extension reads the name of a method whose first parameter is a value of the type that it extends.
func (p *parser) extension(i int) {
	in, _ := p.current()
	n := len(p.blocks)
	if p.Kind(i-1) != '(' || p.Kind(i+1) != declaration.Word || in < 0 || p.groups != 1 || p.blocks[n-1].depth != p.depth {
		return
	}
	at := i - 2
	if p.Kind(at) == '>' { // of its own parameters
		for depth := 0; at > i-maxArguments && p.Kind(at) != 0; at-- {
			if p.Kind(at) == '>' {
				depth++
			} else if p.Kind(at) == '<' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		at--
	}
	if name := p.Word(at); len(name) > 0 && len(p.extends) < maxRefs {
		if p.extends == nil {
			p.extends = map[string]int32{}
		}
		p.extends[p.Keep(name)] = in
	}
}

// call keeps the name of a method that is called on a value.
func (p *parser) call(b []byte, next int) {
	if k := p.Kind(next); k != '(' && (k != '<' || !p.opens(next)) || len(p.calls) >= maxRefs {
		return
	}
	_, space := p.current()
	if p.called[call{string(b), space}] {
		return
	}
	c := call{p.Keep(b), space}
	p.called[c] = true
	p.calls = append(p.calls, c)
}

// using reads a directive, and reports whether it is one.
func (p *parser) using(i int) bool {
	typ, in := p.current()
	if typ >= 0 || p.groups > 0 {
		return false
	}
	u := using{global: p.Is(i-1, "global")}
	next := i + 1
	if p.Is(next, "static") {
		u.static = true
		next++
	}
	if p.Is(next, "unsafe") {
		next++
	}
	if p.Kind(next) == declaration.Word && p.Kind(next+1) == '=' {
		u.as = p.Keep(p.Word(next))
		next += 2
	}
	if p.Is(next, "global") && p.Kind(next+1) == ':' {
		next += 3
	}
	if p.Kind(next) != declaration.Word {
		return false
	}
	parts, end := p.Chain(next, maxChain)
	u.name = string(bytes.Join(parts, []byte(".")))
	switch {
	case p.Kind(end) == ';':
	case p.Kind(end) == '<' && u.as != "":
		n, _ := p.arguments(end)
		u.name += "`" + strconv.Itoa(n)
	default:
		return false
	}
	if s := &p.spaces[in]; len(s.usings) < maxRefs {
		s.usings = append(s.usings, u)
	}
	p.at = end
	return true
}

func (p *parser) namespace(i int) {
	parts, next := p.Chain(i+1, maxChain)
	p.at = next
	if len(p.spaces) >= maxTypes {
		return
	}
	_, in := p.current()
	p.space = int32(len(p.spaces))
	p.spaces = append(p.spaces, space{name: names.Join(p.spaces[in].name, p.Keep(bytes.Join(parts, []byte(".")))), outer: in})
}

// declares reads the name of a type that is declared, and reports whether one is.
func (p *parser) declares(i int, w string) bool {
	if k := p.Kind(i - 1); k == ':' || k == ',' {
		return false // a constraint
	}
	at := i + 1
	if w == "record" && (p.Is(at, "struct") || p.Is(at, "class")) {
		at++
	}
	if p.Kind(at) != declaration.Word || p.Is(at, "where") {
		return false
	}
	if w == "record" {
		switch p.Kind(at + 1) {
		case '(', '<', '{', ':', ';':
		default:
			return false
		}
	}
	p.declare(at)
	p.enum = w == "enum"
	return true
}

// delegate reads the type that a delegate is.
func (p *parser) delegate(i int) {
	for n := i + 1; n < min(i+maxArguments, len(p.Tokens)); n++ {
		switch k := p.Kind(n); {
		case k == ';' || k == '{' || k == '(' && n == i+1:
			return
		case k == declaration.Word && n > i+1 && (p.Kind(n+1) == '(' || p.Kind(n+1) == '<' && p.opens(n+1)):
			was := p.at
			p.declare(n)
			p.at, p.pending = was, -1
			return
		}
	}
}

// opens reports whether the arguments that begin here are followed by a parenthesis.
func (p *parser) opens(i int) bool {
	n, end := p.arguments(i)
	return n > 0 && p.Kind(end) == '('
}

// declare adds the type whose name is a token.
func (p *parser) declare(at int) {
	in, space := p.current()
	name := p.Keep(p.Word(at))
	p.at = at + 1
	if p.Kind(at+1) == '<' {
		n, end := p.arguments(at + 1)
		p.parameters(at+1, end)
		name += "`" + strconv.Itoa(n)
		p.at = end
	}
	if in >= 0 {
		name = p.types[in].Name + "." + name
	}
	if len(p.types) >= maxTypes || len(name) > maxName {
		return
	}
	p.types = append(p.types, names.Type{Space: p.spaces[space].name, Name: name, Outer: in})
	p.scopes = append(p.scopes, space)
	p.pending, p.headed, p.supers, p.enum = len(p.types)-1, p.groups, false, false
}

// parameters hides the names of parameters between two tokens.
func (p *parser) parameters(from, to int) {
	for n := from; n < to; n++ {
		if k := p.Kind(n + 1); p.Kind(n) == declaration.Word && (k == ',' || k == '>') && len(p.hidden) < maxRefs {
			p.hidden[p.Keep(p.Word(n))] = true
		}
	}
}

// arguments counts the types between < and >, and returns the token behind them; 0 where they are no such.
func (p *parser) arguments(i int) (n, next int) {
	n = 1
	for depth, k := 0, i; k < min(i+maxArguments, len(p.Tokens)); k++ {
		switch p.Kind(k) {
		case '<', '(', '[':
			depth++
		case ')', ']':
			depth--
		case '>':
			if depth--; depth == 0 {
				return n, k + 1
			}
		case ',':
			if depth == 1 {
				n++
			}
		case declaration.Word, '.', '?', ':', '*', declaration.Directive:
		default:
			return 0, i
		}
	}
	return 0, i
}

// before are words behind which a name is no name of a member that is declared.
var before = map[string]bool{"return": true, "new": true, "await": true, "is": true, "as": true, "case": true, "throw": true, "else": true, "in": true, "not": true, "and": true, "or": true,
	"when": true, "goto": true, "yield": true, "where": true, "do": true, "out": true, "ref": true, "class": true, "struct": true, "global": true,
	"public": true, "private": true, "protected": true, "internal": true, "static": true, "readonly": true, "override": true, "virtual": true, "abstract": true, "sealed": true, "async": true,
	"partial": true, "extern": true, "const": true, "event": true, "required": true, "params": true, "this": true, "scoped": true, "fixed": true, "implicit": true, "explicit": true, "operator": true, "volatile": true, "using": true, "unsafe": true, "file": true, "on": true, "equals": true, "by": true, "select": true, "from": true, "join": true, "let": true, "orderby": true, "lock": true, "stackalloc": true}

// typed are words behind which a type stands.
var typed = map[string]bool{"new": true, "is": true, "as": true, "not": true}

// name reads a name that may be a type's.
func (p *parser) name(i int) {
	b := p.Word(i)
	rooted := false
	if p.Kind(i-1) == ':' && p.Kind(i-2) == ':' {
		if rooted = p.Is(i-3, "global"); !rooted {
			return
		}
	}
	if p.Kind(i-1) == '.' {
		p.call(b, i+1)
		return
	}
	if !names.Upper(bytes.TrimLeft(b, "_@")) && p.Kind(i+1) != '.' {
		return
	}
	in, space := p.current()
	n := len(p.blocks)
	k, prev := p.Kind(i+1), p.Kind(i-1)
	inEnum := n > 0 && p.blocks[n-1].enum && p.blocks[n-1].depth == p.depth && p.groups == 0
	switch {
	case inEnum && (prev == '{' || prev == ',' || prev == ']') && (k == ',' || k == '=' || k == '}'):
		p.member(b)
		return
	case k == '=' && p.Kind(i+2) != '=' && p.Kind(i+2) != '>' && (prev == '{' || prev == ',' || prev == '('), k == ':' && p.Kind(i+2) != ':' && (prev == '(' || prev == ','):
		return // of an initialiser, or of an argument
	}
	if prev == declaration.Word && !before[string(p.Word(i-1))] || prev == '>' && p.Kind(i-2) != '=' || prev == '?' || prev == ']' && p.Kind(i-2) == '[' || prev == ')' && in >= 0 && p.declaring(n) {
		switch {
		case k == '{' || k == ';' || k == '(' || k == '=', k == ',' && prev != declaration.Word:
			if p.declaring(n) {
				if !bytes.Equal(b, p.Word(i-1)) { // a member that is called as its type leaves the type's name to be used
					p.member(b)
				}
				return
			}
		case k == '<' && p.declaring(n):
			if _, end := p.arguments(i + 1); p.Kind(end) == '(' {
				p.parameters(i+1, end)
				p.member(b)
				p.at = i + 1
				return
			}
		}
	}
	p.reference(i, ref{in: in, space: space, rooted: rooted})
}

// declaring reports whether members are declared here.
func (p *parser) declaring(blocks int) bool {
	return blocks > 0 && p.blocks[blocks-1].typ >= 0 && p.blocks[blocks-1].depth == p.depth && p.groups == 0
}

func (p *parser) member(b []byte) {
	if len(p.members) < maxRefs {
		p.members[p.Keep(b)] = true
	}
}

// reference adds a name that is used.
func (p *parser) reference(i int, r ref) {
	parts, next := p.Chain(i, maxChain)
	if len(parts) > 1 {
		p.call(parts[len(parts)-1], next)
	}
	types := 0
	for n, w := range parts {
		if names.Upper(bytes.TrimLeft(w, "_@")) {
			types++
		} else if types > 0 {
			parts = parts[:n]
			next = i + 2*n - 1
			break
		}
	}
	if types == 0 {
		return
	}
	p.at = next
	p.buffer = append(p.buffer[:0], bytes.TrimPrefix(bytes.Join(parts, []byte(".")), []byte("@"))...)
	k := p.Kind(next)
	if k == '<' {
		if n, end := p.arguments(next); n > 0 {
			r.arity = int32(n)
			k = p.Kind(end)
		}
	}
	prev := p.Word(i - 1)
	isType := typed[string(prev)] || k == declaration.Word || k == '>' || k == '?' || k == '[' && p.Kind(next+1) == ']' || p.supers || p.Kind(i-1) == '<' ||
		p.Kind(i-1) == ',' && k == ',' && i < p.generic ||
		p.Kind(i-1) == '(' && (p.Is(i-2, "typeof") || p.Is(i-2, "catch") || p.Is(i-2, "default") || k == ')' && p.Kind(next+1) == declaration.Word)
	r.attribute = p.Kind(i-1) == '[' && (k == ']' || k == '(' || k == ',') || p.Kind(i-1) == ',' && (k == ']' || k == '(' || k == ',') && p.attributed(i-1)
	if k == '(' && !isType && !r.attribute && len(parts) == 1 {
		if p.pending < 0 {
			return // a call
		}
	}
	r.value = !isType && !r.attribute
	if p.pending >= 0 && p.supers && p.groups == p.headed && p.Kind(i-1) != '<' {
		if t := &p.types[p.pending]; len(t.Supers) < maxSupers && (p.Kind(i-1) == ':' || p.Kind(i-1) == ',') {
			full := string(p.buffer)
			if r.arity > 0 {
				full += "`" + strconv.Itoa(int(r.arity))
			}
			t.Supers = append(t.Supers, full)
		}
	}
	if r.chain = p.Keep(p.buffer); p.seen[r] || len(p.refs) >= maxRefs {
		return
	}
	p.seen[r] = true
	p.refs = append(p.refs, r)
}

// maxAttributes bounds the tokens of attributes before one.
const maxAttributes = 60

// attributed reports whether a comma stands between attributes: within brackets before which no value stands, and behind which
// something is declared.
func (p *parser) attributed(comma int) bool {
	from, depth := comma, 0
	for ; depth >= 0; from-- {
		switch p.Kind(from - 1) {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			depth--
		case ';', 0:
			return false
		}
		if comma-from > maxAttributes {
			return false
		}
	}
	if k := p.Kind(from - 1); p.Kind(from) != '[' || k == declaration.Word || k == ')' || k == ']' && p.Kind(from-2) == '[' {
		return false
	}
	for to := comma; to < comma+maxAttributes; to++ {
		switch p.Kind(to) {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < -1 {
				k := p.Kind(to + 1)
				return p.Kind(to) == ']' && (k == declaration.Word || k == '[' || k == '(')
			}
		case ';', 0:
			return false
		}
	}
	return false
}

// within returns the namespaces in which names are looked for, from the innermost outwards, up to one that is not included.
func within(name, stop string, do func(string) bool) {
	for {
		if !do(name) || name == stop || name == "" {
			return
		}
		if name = name[:max(0, strings.LastIndexByte(name, '.'))]; name == stop {
			return
		}
	}
}
