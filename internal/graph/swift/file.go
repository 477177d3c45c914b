package swift

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// file is what one source declares and names.
type file struct {
	path    string
	module  *module
	imports []importName
	// types are those that it declares, with the names of the types around them; functions are those of no type.
	types, functions []string
	// own are those of them that no other file sees: private ones, and what a function declares; functions with a pair of parentheses.
	own  map[string]bool
	refs []ref
	// hidden are parameters of types and of functions.
	hidden map[string]bool
	// targets are those that a manifest declares.
	targets []target
}

// importName is a module that a file imports; item is what it takes of it, "" for all. Who imports the file's module has it too where
// it is handed on.
type importName struct {
	module, item string
	handed       bool
}

// ref is a name that is used, within a type: that of a type, or of a function that is called.
type ref struct {
	chain, in string
	call      bool
}

// target is a module of a package, path is its folder where the manifest says so.
type target struct {
	name, path   string
	test, plugin bool
}

// Bounds of what is kept of one file: names, types in one another, words of a name and bytes of it, tokens of an argument, and of
// what is looked at before a parenthesis.
const (
	maxNames  = 20_000
	maxNested = 100
	maxChain  = 12
	maxName   = 300
	maxTarget = 4_000
)

// parser reads one file.
type parser struct {
	*names.Source
	*file
	at, depth int
	blocks    []block
	// pending is the type whose block has not begun.
	pending string
	seen    map[ref]bool
}

// block is that of a type.
type block struct {
	name  string
	depth int
}

func parse(s *names.Source) *file {
	p := &parser{Source: s, file: &file{path: s.Path, hidden: map[string]bool{}}, seen: map[ref]bool{}}
	if isManifest(s.Path) {
		p.manifest()
		return p.file
	}
	for p.at < len(p.Tokens) {
		i := p.at
		p.at++
		switch p.Kind(i) {
		case '{':
			p.depth++
			if p.pending != "" && len(p.blocks) < maxNested {
				p.blocks = append(p.blocks, block{p.pending, p.depth})
			}
			p.pending = ""
		case '}':
			if n := len(p.blocks); n > 0 && p.blocks[n-1].depth == p.depth {
				p.blocks = p.blocks[:n-1]
			}
			p.depth = max(p.depth-1, 0)
		case declaration.Word:
			p.word(i)
		}
	}
	return p.file
}

func isManifest(name string) bool {
	base := path.Base(name)
	return base == "Package.swift" || strings.HasPrefix(base, "Package@swift-") && strings.HasSuffix(base, ".swift")
}

// kinds are words that say what is imported of a module.
var kinds = map[string]bool{"class": true, "struct": true, "enum": true, "protocol": true, "actor": true, "func": true, "var": true, "let": true, "typealias": true}

func (p *parser) word(i int) {
	next := p.Kind(i+1) == declaration.Word
	if k := p.Kind(i - 1); next && k != '.' {
		switch w := string(p.Word(i)); w {
		case "import":
			p.load(i + 1)
			return
		case "class", "struct", "enum", "protocol", "actor", "typealias":
			if w != "class" || !member[string(p.Word(i+1))] {
				p.declare(i+1, w != "typealias", p.private(i) || p.local())
				return
			}
		case "associatedtype":
			p.hide(i + 1)
			p.at = i + 2
			return
		case "extension":
			parts, after := p.Chain(i+1, maxChain)
			p.pending = p.Keep(bytes.Join(parts, []byte(".")))
			p.refer(ref{chain: p.pending, in: p.within()})
			p.at = after
			return
		case "func":
			if p.depth == 0 && len(p.functions) < maxNames {
				name := p.Keep(bytes.Trim(p.Word(i+1), "`"))
				if p.functions = append(p.functions, name); p.private(i) {
					p.owns(name + "()")
				}
			}
			p.at = i + 2
			p.parameters(i + 2)
			return
		case "case", "let", "var", "some", "any", "inout":
			return
		}
	}
	p.name(i)
}

// member are words that follow "class" where it declares a member, no type.
var member = map[string]bool{"func": true, "var": true, "let": true, "subscript": true, "override": true, "final": true, "private": true, "public": true, "internal": true, "fileprivate": true, "open": true}

// within is the type around what is read, "" for none.
func (p *parser) within() string {
	if n := len(p.blocks); n > 0 {
		return p.blocks[n-1].name
	}
	return ""
}

// load reads what is imported.
func (p *parser) load(i int) {
	x := importName{handed: p.Is(i-2, "_exported") || p.Is(i-2, "@_exported") || p.Is(i-3, "_exported") || p.Is(i-3, "@_exported")}
	of := kinds[string(p.Word(i))] && p.Kind(i+1) == declaration.Word && p.Line(i) == p.Line(i+1)
	if of {
		i++
	}
	parts, after := p.Chain(i, maxChain)
	p.at = after
	x.module = p.Keep(parts[0])
	if of && len(parts) > 1 {
		x.item = p.Keep(bytes.Join(parts[1:], []byte(".")))
	}
	if len(p.imports) < maxNames {
		p.imports = append(p.imports, x)
	}
}

// private reports whether the words before one that declares keep other files from seeing it.
func (p *parser) private(i int) bool {
	for k := i - 1; k >= i-maxChain && p.Kind(k) == declaration.Word; k-- {
		if p.Is(k, "private") || p.Is(k, "fileprivate") {
			return true
		}
	}
	return false
}

// local reports whether what is read stands in a block that is no type's.
func (p *parser) local() bool {
	depth := 0
	if n := len(p.blocks); n > 0 {
		depth = p.blocks[n-1].depth
	}
	return p.depth > depth
}

func (p *parser) owns(name string) {
	if p.own == nil {
		p.own = map[string]bool{}
	}
	p.own[name] = true
}

// declare adds the type whose name is a token; opens says that a block follows, own that no other file sees it.
func (p *parser) declare(i int, opens, own bool) {
	name := p.Keep(bytes.Trim(p.Word(i), "`"))
	if around := p.within(); around != "" {
		own = own || p.own[around]
		name = around + "." + name
	}
	p.at = i + 1
	p.parameters(i + 1)
	if len(name) > maxName || len(p.types) >= maxNames {
		return
	}
	if p.types = append(p.types, name); own {
		p.owns(name)
	}
	if opens {
		p.pending = name
	}
}

// parameters hides the names of parameters of a type or of a function, which begin at a token.
func (p *parser) parameters(i int) {
	if p.Kind(i) != '<' {
		return
	}
	depth := 0
	for k := i; k < i+maxNested && p.Kind(k) != 0; k++ {
		switch p.Kind(k) {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return
			}
		case '{', '}':
			return
		case declaration.Word:
			if before := p.Kind(k - 1); depth == 1 && (before == '<' || before == ',' || p.Is(k-1, "each")) && !p.Is(k, "each") {
				p.hide(k)
			}
		}
	}
}

func (p *parser) hide(i int) {
	if len(p.hidden) < maxNames {
		p.hidden[p.Keep(bytes.Trim(p.Word(i), "`"))] = true
	}
}

// name reads a name that may be a type's, or a function's that is called.
func (p *parser) name(i int) {
	w := bytes.Trim(p.Word(i), "`")
	if k := p.Kind(i - 1); k == '.' || k == '#' || k == '@' && !names.Upper(w) {
		return
	}
	switch {
	case names.Upper(w):
		if p.Is(i-1, "case") && p.Kind(i+1) != '.' || p.Is(i-1, "let") || p.Is(i-1, "var") {
			return
		}
		parts, after := p.Chain(i, maxChain)
		n := 1
		for n < len(parts) && names.Upper(parts[n]) {
			n++
		}
		p.at = after
		p.refer(ref{chain: p.Keep(bytes.Join(parts[:n], []byte("."))), in: p.within()})
	case p.Kind(i+1) == '(' || p.Kind(i+1) == '{':
		if p.Kind(i+1) == '(' && !p.Is(i-1, "func") {
			p.refer(ref{chain: p.Keep(w), in: "", call: true})
		}
	}
}

func (p *parser) refer(r ref) {
	if len(p.refs) < maxNames && len(r.chain) <= maxName && !p.seen[r] {
		p.seen[r] = true
		p.refs = append(p.refs, r)
	}
}

// makers are the functions of a manifest that declare a target.
var makers = map[string]bool{"target": true, "executableTarget": true, "testTarget": true, "macro": true, "plugin": true}

// manifest reads the targets that a manifest declares by literals.
func (p *parser) manifest() {
	for i := 0; i < len(p.Tokens) && len(p.targets) < maxNames; i++ {
		if p.Kind(i-1) != '.' || !makers[string(p.Word(i))] || p.Kind(i+1) != '(' {
			continue
		}
		t := target{test: p.Is(i, "testTarget"), plugin: p.Is(i, "plugin")}
		// What stands within it is none: dependencies of this name are written alike.
		i = p.arguments(i+1, &t)
		if t.name != "" && len(t.name) <= maxName {
			p.targets = append(p.targets, t)
		}
	}
}

// arguments reads those of a target, which begin with a parenthesis; the token that ends them is returned.
func (p *parser) arguments(i int, t *target) (end int) {
	depth := 0
	for end = i; end < i+maxTarget && p.Kind(end) != 0; end++ {
		switch p.Kind(end) {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return end
			}
		case declaration.Word:
			if depth != 1 || p.Kind(end+1) != ':' || p.Kind(end+2) != declaration.Quoted || p.Kind(end+3) != ',' && p.Kind(end+3) != ')' {
				continue
			}
			s := p.Tokens[end+2]
			text := p.Keep(bytes.Trim(p.Text[s.Start:s.End], `"`))
			if p.Is(end, "name") {
				t.name = text
			} else if p.Is(end, "path") {
				t.path = text
			}
		}
	}
	return end
}
