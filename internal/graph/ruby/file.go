package ruby

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/graph/views"
)

// file is what one source declares and names.
type file struct {
	path string
	// scopes are the classes and modules that it opens, constants the others that it sets, in full, with dots.
	scopes    []scope
	constants []string
	refs      []ref
	loads     []load
	views     []views.Reference
	// unknown counts the loads whose names are made when they are run.
	unknown int
}

// scope is a class or module: where it stands among the others (-1 for none around it), the lines of its block, and whether more
// than other classes and modules stands in it here.
type scope struct {
	names.Type
	from, to int32
	filled   bool
}

// ref is a constant that is used, with dots, in a scope; rooted where it begins with ::.
type ref struct {
	chain  string
	in     int32
	rooted bool
}

// load is a file that is loaded: how, and what is written.
type load struct {
	how  byte // r for require, . for require_relative, l for load, a for autoload
	name string
}

// Bounds of what is kept of one file; of more, the first count.
const (
	maxScopes = 20_000
	maxRefs   = 20_000
	maxLoads  = 5_000
	// maxSupers bounds what a class or module extends, maxChain the words of a constant's name.
	maxSupers = 32
	maxChain  = 16
)

// parser reads one file.
type parser struct {
	*names.Source
	file
	at int
	// definitions are those of the file in their order, next is the first that has not begun, open are those that have begun and not
	// ended, with the scope that each is, or lies in.
	definitions []graph.Definition
	next        int
	open        []openBlock
	seen        map[ref]bool
}

type openBlock struct {
	end   int
	scope int32
	// is says that it is the scope, not a method or a value in it.
	is bool
}

func parse(s *names.Source) *file {
	p := &parser{Source: s, file: file{path: s.Path}, definitions: declaration.Read(s.As, s.Text), seen: map[ref]bool{}}
	for p.at < len(p.Tokens) {
		i := p.at
		p.at++
		if p.Kind(i) == declaration.Newline {
			continue
		}
		p.stand(int(p.Tokens[i].Line))
		if p.Kind(i) == declaration.Word {
			p.word(i)
		} else {
			p.fill(i)
		}
	}
	for i := range p.scopes {
		p.scopes[i].from, p.scopes[i].to = 0, 0 // where they stood says nothing once they are read
	}
	f := p.file
	f.views = views.Ruby(s)
	return &f
}

// stand goes to a line: what has ended is left, what begins is entered.
func (p *parser) stand(line int) {
	leave := func(line int) {
		for n := len(p.open); n > 0 && p.open[n-1].end < line; n = len(p.open) {
			p.open = p.open[:n-1]
		}
	}
	for p.next < len(p.definitions) && p.definitions[p.next].Line <= line {
		d := &p.definitions[p.next]
		p.next++
		leave(d.Line)
		in := p.current()
		if d.Kind != "class" && d.Kind != "module" {
			if d.Kind == "const" && len(p.constants) < maxScopes {
				p.constants = append(p.constants, d.Name)
			}
			if in >= 0 {
				p.scopes[in].filled = true
			}
			p.open = append(p.open, openBlock{d.End, in, false})
			continue
		}
		if len(p.scopes) >= maxScopes {
			continue
		}
		p.scopes = append(p.scopes, scope{Type: names.Type{Name: d.Name, Outer: in}, from: int32(d.Line), to: int32(d.End)})
		p.open = append(p.open, openBlock{d.End, int32(len(p.scopes) - 1), true})
	}
	leave(line)
}

// current is the innermost scope, -1 for none.
func (p *parser) current() int32 {
	if n := len(p.open); n > 0 {
		return p.open[n-1].scope
	}
	return -1
}

// fill notes that something stands in a scope that is neither its head nor its end.
func (p *parser) fill(i int) {
	if n := len(p.open); n > 0 && p.open[n-1].is && p.open[n-1].scope >= 0 {
		s := &p.scopes[p.open[n-1].scope]
		if line := p.Tokens[i].Line; line > s.from && line < s.to {
			s.filled = true
		}
	}
}

// path2 reports whether :: stands at two tokens.
func (p *parser) path2(i int) bool { return p.Kind(i) == ':' && p.Kind(i+1) == ':' && p.Touch(i) }

func (p *parser) word(i int) {
	w := p.Word(i)
	p.fill(i)
	if p.Kind(i-1) == '.' {
		return
	}
	switch string(w) {
	case "require", "require_relative", "load", "autoload":
		p.load(i, string(w))
		return
	case "class", "module":
		p.head(i)
		return
	case "include", "extend", "prepend":
		p.extends(i + 1)
		return
	}
	if w[0] >= 'A' && w[0] <= 'Z' {
		p.constant(i, p.current())
	}
}

// head reads the head of a class or module: its name is no use of it, what it extends is one outside of it.
func (p *parser) head(i int) {
	n := i + 1
	if p.path2(n) {
		n += 2
	}
	if w := p.Word(n); len(w) == 0 || w[0] < 'A' || w[0] > 'Z' {
		return
	}
	for p.path2(n+1) && p.Kind(n+3) == declaration.Word {
		n += 3
	}
	p.at = n + 1
	in := p.current()
	if p.Kind(n+1) != '<' || p.Kind(n+2) == '<' || in < 0 {
		return
	}
	n += 2
	p.scopes[in].filled = true
	if p.path2(n) {
		n += 2
	}
	if w := p.Word(n); len(w) > 0 && w[0] >= 'A' && w[0] <= 'Z' {
		p.at = n
		p.super(in, p.constant(n, p.scopes[in].Outer))
	}
}

// extends reads the modules that are included.
func (p *parser) extends(i int) {
	in := p.current()
	if p.Kind(i) == '(' {
		i++
	}
	for {
		if p.path2(i) {
			i += 2
		}
		if w := p.Word(i); len(w) == 0 || w[0] < 'A' || w[0] > 'Z' {
			return
		}
		chain := p.constant(i, in)
		if in >= 0 {
			p.super(in, chain)
		}
		if i = p.at; p.Kind(i) != ',' {
			return
		}
		i++
	}
}

func (p *parser) super(in int32, chain string) {
	if s := &p.scopes[in]; chain != "" && len(s.Supers) < maxSupers {
		s.Supers = append(s.Supers, chain)
	}
}

// constant reads a constant that is used in a scope, and returns its name, "" where it is none.
func (p *parser) constant(i int, in int32) string {
	rooted := false
	if p.Kind(i-1) == ':' {
		switch {
		case !p.path2(i - 2):
			if p.Touch(i-1) && (!p.Touch(i-2) || p.Kind(i-2) != declaration.Word) {
				return "" // a symbol
			}
		case p.Kind(i-3) == declaration.Word && p.Touch(i-3) || p.Kind(i-3) == ')' || p.Kind(i-3) == ']':
			return "" // of what is not known
		default:
			rooted = true
		}
	}
	var chain []byte
	n := i
	for parts := 1; ; parts++ {
		chain = append(chain, p.Word(n)...)
		p.at = n + 1
		if parts >= maxChain || !p.path2(n+1) || p.Kind(n+3) != declaration.Word || !upper(p.Word(n+3)) || p.Kind(n+4) == '(' && p.Touch(n+3) {
			break
		}
		chain = append(chain, '.')
		n += 3
	}
	switch k := p.Kind(n + 1); {
	case k == ':' && p.Touch(n) && !p.path2(n+1), k == '(' && p.Touch(n) && n == i:
		return "" // a name of an argument, or of a method
	case k == '=' && p.Kind(n+2) != '=' && p.Kind(n+2) != '~' && p.Kind(n+2) != '>':
		return ""
	}
	r := ref{chain: string(chain), in: in, rooted: rooted}
	if rooted {
		chain = append([]byte("."), chain...)
	}
	if p.seen[r] || len(p.refs) >= maxRefs {
		return string(chain)
	}
	r.chain = p.Keep([]byte(r.chain))
	p.seen[r] = true
	p.refs = append(p.refs, r)
	return string(chain)
}

func upper(b []byte) bool { return len(b) > 0 && b[0] >= 'A' && b[0] <= 'Z' }

// load reads a file that is loaded.
func (p *parser) load(i int, how string) {
	n := i + 1
	if p.Kind(n) == '(' {
		n++
	}
	kind := how[0]
	switch how {
	case "require_relative":
		kind = '.'
	case "autoload":
		if p.Kind(n) != ':' || p.Kind(n+1) != declaration.Word {
			return
		}
		name := p.Word(n + 1)
		if n += 2; p.Kind(n) != ',' {
			p.autoload(string(name))
			return
		}
		n++
	}
	if p.Kind(n) != declaration.Quoted {
		// A method of that name, with other arguments, is no load.
		if k := p.Kind(n); k == declaration.Word && how != "load" && how != "autoload" && p.Tokens[n].Line == p.Tokens[i].Line && p.Tokens[n].Start > p.Tokens[i].End {
			p.unknown++
		}
		return
	}
	t := p.Tokens[n]
	text := p.Text[t.Start:t.End]
	switch p.Kind(n + 1) {
	case declaration.Newline, ')', ';', '}', 0:
	default:
		if !p.Is(n+1, "end") && !p.Is(n+1, "if") && !p.Is(n+1, "unless") && !p.Is(n+1, "rescue") && p.Kind(n+1) != ',' {
			p.unknown++
			return
		}
	}
	if len(text) < 3 || text[0] != '"' && text[0] != '\'' || bytes.ContainsAny(text, "#\\\n") {
		p.unknown++
		return
	}
	if p.at = n + 1; len(p.loads) < maxLoads {
		p.loads = append(p.loads, load{kind, string(text[1 : len(text)-1])})
	}
}

// autoload loads what ActiveSupport's autoload does: the file that a constant of the module is named after.
func (p *parser) autoload(name string) {
	if in := p.current(); in >= 0 {
		name = p.scopes[in].Name + "." + name
	}
	if len(p.loads) < maxLoads {
		p.loads = append(p.loads, load{'a', underscored(name)})
	}
}

// underscored is the path that is named after a constant: Shop.HTTPCart is shop/http_cart.
func underscored(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '.':
			b.WriteByte('/')
			continue
		case c >= 'A' && c <= 'Z':
			before, after := byte('.'), byte('.')
			if i > 0 {
				before = name[i-1]
			}
			if i+1 < len(name) {
				after = name[i+1]
			}
			if before >= 'a' && before <= 'z' || before >= '0' && before <= '9' || before >= 'A' && before <= 'Z' && after >= 'a' && after <= 'z' {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// named reports whether a path is that which a constant's file has below a folder from which constants are loaded: lib, those of app.
func named(file, full string) bool {
	file = strings.TrimSuffix(file, ".rb")
	count := 1 + strings.Count(full, ".")
	elements := strings.Split(file, "/")
	if len(elements) <= count {
		return len(elements) == count && flat(file) == flat(strings.ReplaceAll(full, ".", "/"))
	}
	rest := elements[len(elements)-count:]
	if flat(strings.Join(rest, "/")) != flat(strings.ReplaceAll(full, ".", "/")) {
		return false
	}
	root := elements[:len(elements)-count]
	last := root[len(root)-1]
	return last == "lib" || last == "src" || last == "concerns" || len(root) > 1 && root[len(root)-2] == "app"
}

// flat is a name without what inflections add or take.
func flat(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
