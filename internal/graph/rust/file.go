package rust

import (
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// scope is a module as a file has it: the file itself, or one in braces.
type scope struct {
	name string
	// spread says that the macros are those of the module around it too.
	spread bool
	// mods are the modules that are files of their own.
	mods []mod
	// inner are the modules in braces, by their index.
	inner []int32
	// items are what the module declares, and whether others see it.
	items map[string]bool
	// macros are those that the modules below see too, where they stand.
	macros map[string]bool
	uses   []use
	// called are the uses by the name that they give, stars those of all names.
	called map[string][]int32
	stars  []int32
}

// mod is "mod name;": paths are those that attributes give, always one of them where plain is set. The macros of a module that is
// spread are those of the module around it too.
type mod struct {
	name   string
	paths  []string
	plain  bool
	spread bool
}

// use is one name of a use declaration; all stands for "*", handed says that others see the name.
type use struct {
	path   string
	as     string
	all    bool
	handed bool
}

// ref is a path in code.
type ref struct {
	scope int32
	path  string
}

// file is what is kept of a text.
type file struct {
	path, dir string
	scopes    []scope
	refs      []ref
	// bare are names without a path behind a "*", called are macros without one.
	bare, called []ref
	// spread are crates whose macros are the file's.
	spread []string
	// loaded are the paths of include!, include_str! and include_bytes!.
	loaded []string
	// macros are those that are exported: their place is the root of the crate.
	macros []string
	// impls are those of types alone.
	impls []inherent
	// nodes are the modules that the file's scopes are, by crate.
	nodes []*node
}

// Bounds of what is kept of one file: modules, names used, modules in one another, steps of a path.
const (
	maxScopes = 2_000
	maxRefs   = 20_000
	maxNested = 100
	maxSteps  = 20
)

// reader reads a file.
type reader struct {
	*names.Source
	f     *file
	scope int32
	// depth counts braces, opened are those within which items are a module's.
	depth  int
	opened []opening
	// paths are those of attributes before a module, spread and exported are what attributes say of macros.
	paths                   []string
	plain, spread, exported bool
	// handed says that a use that is read is seen by others.
	handed bool
	seen   map[ref]bool
	// impls is how deep what stands in the last impl stands, 0 where that has ended.
	impls int
}

// opening is a brace, and the scope around it.
type opening struct {
	depth int
	outer int32
}

func parse(s *names.Source) *file {
	f := &file{path: s.Path, dir: path.Dir(s.Path), scopes: []scope{{items: map[string]bool{}}}}
	r := &reader{Source: s, f: f, seen: map[ref]bool{}}
	for i := 0; i < len(s.Tokens); {
		i = r.token(i)
	}
	return f
}

// token reads what begins with a token, and returns the next.
func (r *reader) token(i int) int {
	switch r.Kind(i) {
	case '#':
		return r.attribute(i)
	case '{':
		clear := r.top() && r.clear(i)
		r.depth++
		if clear && len(r.opened) < maxNested {
			r.opened = append(r.opened, opening{r.depth, r.scope})
		}
	case '}':
		if r.depth--; r.depth < r.impls {
			r.impls = 0
		}
		if n := len(r.opened); n > 0 && r.depth < r.opened[n-1].depth {
			r.opened, r.scope = r.opened[:n-1], r.opened[n-1].outer
		}
		r.forget()
	case ';':
		r.forget()
	case declaration.Word:
		return r.word(i)
	}
	return i + 1
}

// forget forgets what attributes said.
func (r *reader) forget() { r.paths, r.plain, r.spread, r.exported = nil, false, false, false }

// clear reports whether what is in a brace is the module's as if it stood around it: what a macro is given, under a condition in
// it too, and what is declared to be elsewhere.
func (r *reader) clear(i int) bool {
	switch r.Kind(i - 1) {
	case '!':
		return r.Kind(i-2) == declaration.Word
	case declaration.Quoted:
		return r.Is(i-2, "extern")
	case ']', declaration.Word:
		return len(r.opened) > 0 && (r.Kind(i-1) == ']' || r.Is(i-1, "else"))
	}
	return false
}

// attribute reads the paths of an attribute, and the names in it as code.
func (r *reader) attribute(i int) int {
	k := i + 1
	if r.Kind(k) == '!' {
		k++
	}
	if r.Kind(k) != '[' {
		return i + 1
	}
	if r.Is(k+1, "path") && r.Kind(k+2) == '=' && r.Kind(k+3) == declaration.Quoted {
		r.paths, r.plain = append(r.paths, r.text(k+3)), true
		return k + 4
	}
	if r.Is(k+1, "cfg_attr") {
		for n := k; n < k+60 && r.Kind(n) != ']' && r.Kind(n) != 0; n++ {
			if r.Is(n, "path") && r.Kind(n+1) == '=' && r.Kind(n+2) == declaration.Quoted && len(r.paths) < 10 {
				r.paths = append(r.paths, r.text(n+2))
			}
		}
	}
	switch {
	case r.Is(k+1, "macro_use"):
		r.spread = true
	case r.Is(k+1, "macro_export"):
		r.exported = true
	}
	return k + 1
}

// text is what a string says, "" where it is not plain.
func (r *reader) text(i int) string {
	t := r.Tokens[i]
	s := string(r.Text[t.Start:t.End])
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' || strings.ContainsAny(s, "\\\x00\n") {
		return ""
	}
	return s[1 : len(s)-1]
}

// top reports whether what stands here is an item of the module.
func (r *reader) top() bool {
	n := len(r.opened)
	return n == 0 && r.depth == 0 || n > 0 && r.depth == r.opened[n-1].depth
}

// word reads a declaration or a path.
func (r *reader) word(i int) int {
	w := string(r.Word(i))
	next := r.Kind(i+1) == declaration.Word
	switch w {
	case "mod":
		if next {
			return r.module(i)
		}
	case "use":
		if r.Kind(i-1) != '.' && (next || r.Kind(i+1) == ':' || r.Kind(i+1) == '{' || r.Kind(i+1) == '*') {
			r.handed = r.public(i)
			return r.use(i+1, "", 0)
		}
	case "extern":
		if r.Is(i+1, "crate") && r.Kind(i+2) == declaration.Word {
			return r.crate(i)
		}
	case "struct", "enum", "union", "trait", "type", "fn", "const", "static":
		k := i + 1
		for r.Is(k, "mut") || r.Is(k, "unsafe") || r.Is(k, "async") || r.Is(k, "extern") {
			k++
		}
		if r.Is(k, "ref") { // lazy_static
			k++
		}
		if r.top() && r.Kind(k) == declaration.Word && !r.Is(k, "fn") {
			r.f.scopes[r.scope].items[r.name(k)] = r.public(i)
			return k + 1
		}
		if w == "fn" || w == "const" {
			r.member(k)
		}
	case "impl":
		if r.top() {
			r.impl(i)
		}
	case "macro_rules":
		if r.Kind(i+1) == '!' && r.Kind(i+2) == declaration.Word {
			return r.macro(i + 2)
		}
	case "include", "include_str", "include_bytes":
		if r.Kind(i+1) == '!' && r.Kind(i+3) == declaration.Quoted && len(r.f.loaded) < maxScopes {
			if s := r.text(i + 3); s != "" {
				r.f.loaded = append(r.f.loaded, s)
			}
			return i + 4
		}
	}
	r.plainName(i)
	return r.path(i)
}

// public reports whether the words before a declaration say that others see it.
func (r *reader) public(i int) bool {
	for i--; i >= 0; i-- {
		switch string(r.Word(i)) {
		case "unsafe", "async", "const", "extern", "default", "auto":
			continue
		case "pub":
			return true
		}
		if r.Kind(i) != declaration.Quoted {
			break
		}
	}
	if r.Kind(i) != ')' {
		return false
	}
	for k := i - 1; k > i-maxSteps && r.Kind(k) != 0; k-- {
		if r.Kind(k) == '(' {
			return r.Is(k-1, "pub")
		}
	}
	return false
}

// crate reads "extern crate name".
func (r *reader) crate(i int) int {
	name := r.name(i + 2)
	as, handed := name, r.public(i)
	if r.Is(i+3, "as") {
		as = r.name(i + 4)
		i += 2
	}
	switch {
	case name == "self":
		r.add(use{path: "crate", as: as})
	default:
		r.add(use{path: "::" + name, as: as, handed: handed})
		if r.spread && len(r.f.spread) < maxSteps {
			r.f.spread = append(r.f.spread, name)
		}
	}
	return i + 3
}

// macro reads the name of a macro that is declared.
func (r *reader) macro(i int) int {
	s, name := &r.f.scopes[r.scope], r.name(i)
	s.items[name] = r.exported
	if r.top() && len(s.macros) < maxScopes {
		if s.macros == nil {
			s.macros = map[string]bool{}
		}
		s.macros[name] = true
	}
	if r.exported && len(r.f.macros) < maxScopes {
		r.f.macros = append(r.f.macros, name)
	}
	r.exported = false
	return i + 1
}

// plainName keeps a name that has no path: that of a macro that is called, and, where a "*" may give it, that of a type, a
// constant, or of a function that is called.
func (r *reader) plainName(i int) {
	if before := r.Kind(i - 1); before == '.' || before == '$' || before == '\'' || before == ':' && r.Kind(i-2) == ':' {
		return
	}
	next := r.Kind(i + 1)
	list := &r.f.bare
	switch {
	case next == '!' && r.Kind(i+2) != '=':
		list = &r.f.called
	case len(r.f.scopes[r.scope].stars) == 0 || r.Is(i-1, "fn"):
		return
	case names.Upper(r.Word(i)): // behind let and mut too: a pattern, a type that is referred to
	case r.Is(i-1, "let") || r.Is(i-1, "mut"), next != '(' && (next != ':' || r.Kind(i+2) != ':'):
		return
	}
	if r.seen[ref{r.scope, string(r.Word(i))}] || len(*list) >= maxRefs {
		return
	}
	x := ref{r.scope, r.Keep(r.Word(i))}
	r.seen[x] = true
	*list = append(*list, x)
}

// name is a word without r#.
func (r *reader) name(i int) string {
	if string(r.Word(i)) == "r" && r.Kind(i+1) == '#' && r.Kind(i+2) == declaration.Word && r.Touch(i) && r.Touch(i+1) {
		i += 2
	}
	return strings.TrimPrefix(r.Keep(r.Word(i)), "r#")
}

// module reads "mod name;" or the head of one in braces.
func (r *reader) module(i int) int {
	name := r.name(i + 1)
	k := i + 2
	for r.Kind(k) == '#' || r.Kind(k) == declaration.Word && r.Kind(k-1) == '#' {
		k++
	}
	s := &r.f.scopes[r.scope]
	switch r.Kind(k) {
	case ';':
		if len(s.mods) < maxScopes && name != "" {
			s.mods = append(s.mods, mod{name, r.paths, r.plain, r.spread})
		}
		r.forget()
		return k + 1
	case '{':
		r.depth++
		spread := r.spread
		r.forget()
		if len(r.f.scopes) >= maxScopes || len(r.opened) >= maxNested {
			return k + 1
		}
		r.f.scopes = append(r.f.scopes, scope{name: name, spread: spread, items: map[string]bool{}})
		at := int32(len(r.f.scopes) - 1)
		r.f.scopes[r.scope].inner = append(r.f.scopes[r.scope].inner, at)
		r.opened = append(r.opened, opening{r.depth, r.scope})
		r.scope = at
		return k + 1
	}
	return k
}

// add keeps a name of a use declaration.
func (r *reader) add(u use) {
	s := &r.f.scopes[r.scope]
	if len(s.uses) >= maxRefs {
		return
	}
	at := int32(len(s.uses))
	s.uses = append(s.uses, u)
	switch {
	case u.all:
		s.stars = append(s.stars, at)
	case u.path != u.as:
		if s.called == nil {
			s.called = map[string][]int32{}
		}
		s.called[u.as] = append(s.called[u.as], at)
	}
}

// use reads a tree of names behind a prefix, and returns the token behind it.
func (r *reader) use(i int, prefix string, nested int) int {
	p, steps := prefix, strings.Count(prefix, "::")
	for {
		switch {
		case r.Kind(i) == ':' && r.Kind(i+1) == ':':
			if p == "" {
				p = "::"
			}
			i += 2
		case r.Kind(i) == '*':
			r.add(use{path: r.Keep([]byte(p)), all: true, handed: r.handed})
			return i + 1
		case r.Kind(i) == '{' && nested < maxNested:
			for i++; r.Kind(i) != '}' && r.Kind(i) != 0; {
				if r.Kind(i) == ',' {
					i++
					continue
				}
				at := i
				if i = r.use(i, p, nested+1); i == at {
					i++
				}
			}
			return i + 1
		case r.Kind(i) == '$':
			i++
		case r.Kind(i) == declaration.Word && steps < maxSteps:
			name := r.name(i)
			if string(r.Word(i)) == "r" && r.Kind(i+1) == '#' {
				i += 2
			}
			if name == "self" && p != "" && p != "::" {
				// "a::{self}" is a itself.
			} else if p == "" || p == "::" {
				p += name
			} else {
				p += "::" + name
			}
			steps++
			i++
			if r.Kind(i) == ':' && r.Kind(i+1) == ':' {
				continue
			}
			as := p[strings.LastIndexByte(p, ':')+1:]
			if r.Is(i, "as") {
				as = r.name(i + 1)
				i += 2
			}
			r.add(use{path: r.Keep([]byte(p)), as: as, handed: r.handed})
			return i
		default:
			return i
		}
	}
}

// path reads a path of several names in code.
func (r *reader) path(i int) int {
	k := i + 1
	if r.Kind(k) != ':' || r.Kind(k+1) != ':' || !r.Touch(k) {
		return k
	}
	var b []byte
	if r.Kind(i-1) == ':' && r.Kind(i-2) == ':' {
		if c := r.Kind(i - 3); c == '>' || c == declaration.Word {
			return k
		}
		b = append(b, "::"...)
	}
	if r.Kind(i-1) == '.' {
		return k
	}
	b = append(b, r.name(i)...)
	steps := 1
	for r.Kind(k) == ':' && r.Kind(k+1) == ':' && r.Kind(k+2) == declaration.Word && steps < maxSteps {
		b = append(append(b, "::"...), r.name(k+2)...)
		k += 3
		steps++
	}
	if steps > 1 {
		x := ref{r.scope, r.Keep(b)}
		if !r.seen[x] && len(r.f.refs) < maxRefs {
			r.seen[x] = true
			r.f.refs = append(r.f.refs, x)
		}
	}
	return k
}
