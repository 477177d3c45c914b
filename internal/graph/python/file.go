package python

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/views"
)

// file is what is kept of one source text.
type file struct {
	path string
	dir  string
	stub bool
	// defines are the names that the module binds by itself at its top, sorted.
	defines []string
	imports []importStatement
	// all is __all__, where it is written as a list of names.
	all []string
	// open: __all__ has more than these.
	open bool
	// attrs are the names taken from names that imports bind.
	attrs map[string]map[string]bool
	// named are the dotted paths in strings where frameworks expect them.
	named []string
	// views are the paths in strings that may be templates.
	views []string
	// installed is set for a file of an external root; pair reads it.
	installed *installedFile

	linked, bound sync.Once
	links         links
}

// binds reports whether the module binds a name by itself.
func (f *file) binds(name string) bool {
	_, ok := slices.BinarySearch(f.defines, name)
	return ok
}

// importStatement is one imported module, with the names asked of it.
type importStatement struct {
	// level is the number of leading dots.
	level  int
	module string
	// names are those of "from module import names"; nil for "import module".
	names []binding
	star  bool
	use   graph.Uses
	// as is what "import module as name" binds, or "".
	as string
	// top is set where the module itself binds the names.
	top bool
}

type binding struct{ name, as string }

// reader reads one text.
type reader struct {
	lexer
	file *file

	blocks  []block
	pending byte
	// negated is the kind of the block that an else would have, by indent.
	negated map[int]byte
	// names holds the names that are kept.
	names graph.Room
	// path and list are room for a dotted name, and for the names of an import.
	path []byte
	list []binding
	// listed is set in a statement whose strings name modules.
	listed bool
	// allOf is set in a statement that makes __all__.
	allOf bool
	defs  *[]graph.Definition
	// decorated is the line of the first decorator before a definition, or 0.
	decorated int
	open      []openDefinition
	// header is the name of the class or function whose block is pending.
	header string
	// dotted is set after a name that was taken from another.
	dotted bool
	// defined is the index of the definition whose head is being read, or -1.
	defined int
}

// openDefinition is a definition whose end is not yet known.
type openDefinition struct{ indent, index int }

// block is an indented part of the text.
type block struct {
	indent int
	kind   byte
	name   string
}

// Kinds of blocks.
const (
	plain    byte = 'p'
	function byte = 'd'
	class    byte = 'c'
	typing   byte = 't'
	// untyped is what is read by the machine alone: its else is typing.
	untyped byte = 'u'
)

// maxImports bounds those of one file.
const maxImports = 20_000

// parse reads a source text. Where definitions is not nil, they are added.
func parse(name string, content []byte, definitions *[]graph.Definition) *file {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	f := &file{path: name, dir: path.Dir(name), stub: strings.HasSuffix(name, ".pyi"), attrs: map[string]map[string]bool{}}
	r := &reader{
		lexer: lexer{src: content, line: 1, fresh: true}, file: f, negated: map[int]byte{},
		defs: definitions, defined: -1,
	}
	r.advance()
	for r.tok.kind != end {
		r.logicalLine()
	}
	r.close(-1, int(r.before[1].line))
	r.offer()
	slices.Sort(f.defines)
	f.defines = slices.Clone(slices.Compact(f.defines)) // a text may bind one name a million times
	// An answer has most of these: they get room of their own.
	all := strings.Join(f.defines, "")
	for i, name := range f.defines {
		f.defines[i], all = all[:len(name)], all[len(name):]
	}
	return f
}

// offer has __all__ decide what others see, as far as it is a list of names.
func (r *reader) offer() {
	if r.defs == nil || len(r.file.all) == 0 {
		return
	}
	all := make(map[string]bool, len(r.file.all))
	for _, name := range r.file.all {
		all[name] = true
	}
	for i := range *r.defs {
		d := &(*r.defs)[i]
		first, rest, member := strings.Cut(d.Name, ".")
		switch {
		case !all[first]:
			d.Exported = d.Exported && r.file.open
		case !member:
			d.Exported = true
		default:
			d.Exported = visible(rest)
		}
	}
}

func (r *reader) bytes(t token) []byte { return r.src[t.start:t.end] }

// copied is a copy of what a token says.
func (r *reader) copied(t token) string { return r.names.Copied(r.bytes(t), 256) }

func (r *reader) is(s string) bool {
	return string(r.bytes(r.tok)) == s
}

func (r *reader) within(kind byte) bool {
	for i := range r.blocks {
		if r.blocks[i].kind == kind {
			return true
		}
	}
	return false
}

// logicalLine reads up to and with the end of a logical line.
func (r *reader) logicalLine() {
	indent := r.indent
	for len(r.blocks) > 0 && r.blocks[len(r.blocks)-1].indent > indent {
		r.blocks = r.blocks[:len(r.blocks)-1]
	}
	if r.pending != 0 {
		top := -1
		if n := len(r.blocks); n > 0 {
			top = r.blocks[n-1].indent
		}
		if indent > max(top, 0) || top < 0 && indent > 0 {
			r.blocks = append(r.blocks, block{indent, r.pending, r.header})
		}
	}
	r.pending = 0
	if r.defined >= 0 && r.tok.kind == quoted {
		(*r.defs)[r.defined].Doc = docString(r.bytes(r.tok))
	}
	r.defined = -1
	r.close(indent, int(r.before[1].line))
	if len(r.negated) > 0 {
		maps.DeleteFunc(r.negated, func(i int, _ byte) bool { return i > indent })
	}
	r.statement(indent, len(r.blocks))
	r.advance()
}

// statement reads the statements of a logical line. Blocks that it opens for
// itself ("if x: import y") end with it.
func (r *reader) statement(indent, blocks int) {
	inline := byte(0)
	for {
		r.listed, r.allOf = false, false
		head := byte(0)
		name := ""
		switch r.tok.kind {
		case '(', '[', '*':
			if r.top() {
				r.assignment()
			}
		case '@':
			if r.decorated == 0 {
				r.decorated = int(r.tok.line)
			}
		case word:
			switch string(r.bytes(r.tok)) {
			case "import":
				r.importStatement()
			case "from":
				r.fromStatement()
			case "if", "elif":
				head = r.condition()
				switch head {
				case typing:
					r.negated[indent] = plain
				case untyped:
					r.negated[indent] = typing
				default:
					delete(r.negated, indent)
				}
			case "else":
				head = plain
				if k, ok := r.negated[indent]; ok {
					head = k
				}
			case "def", "class", "async":
				head, name = r.definition(indent)
			case "False", "None", "True", "and", "as", "assert", "await", "break", "continue", "del", "except", "finally", "for", "global",
				"in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield":
				head = plain
			default:
				r.assignment()
			}
		}
		// To the end of the statement, or to the colon after a header.
		lambda := 0
		for {
			if r.tok.kind == newline || r.tok.kind == end {
				if inline != 0 {
					r.blocks = r.blocks[:min(blocks, len(r.blocks))]
				}
				return
			}
			if r.depth == 0 {
				if r.tok.kind == ';' {
					r.advance()
					break
				}
				if r.tok.kind == ':' && lambda > 0 {
					lambda--
				} else if r.tok.kind == ':' && head != 0 {
					if r.defined >= 0 {
						(*r.defs)[r.defined].Head = int(r.tok.line)
					}
					r.advance()
					if r.tok.kind == newline || r.tok.kind == end {
						r.pending, r.header = head, name
						return
					}
					inline = head
					r.blocks = append(r.blocks, block{1 << 30, head, name})
					break
				}
			}
			if r.tok.kind == word && r.depth == 0 && r.is("lambda") {
				lambda++
			}
			r.expression()
		}
	}
}

// expression looks at one token of an expression.
func (r *reader) expression() {
	t := r.tok
	switch t.kind {
	case word:
		if r.allOf && !r.is("extend") && !r.is("append") && !r.is("__all__") {
			r.file.open = true
		}
		if r.before[1].kind == '.' && r.before[0].kind == word && r.before[1].end == t.start {
			if r.dotted {
				break
			}
			// Names are imported before they are used, in the text too.
			base := r.bytes(r.before[0])
			if set, ok := r.file.attrs[string(base)]; ok && !set[string(r.bytes(t))] {
				if set == nil {
					set = map[string]bool{}
					r.file.attrs[string(base)] = set
				}
				set[r.copied(t)] = true
			}
			r.dotted = true
			r.advance()
			return
		}
		r.dotted = r.before[1].kind == '.'
	case quoted:
		r.literal()
	case '.', number:
	default:
		r.dotted = false
	}
	r.advance()
}

// literal looks at a string: it may name a module.
func (r *reader) literal() {
	var called []byte
	if r.before[1].kind == '(' && r.before[0].kind == word {
		called = r.bytes(r.before[0])
	}
	r.view()
	loads := string(called) == "import_module" || string(called) == "__import__"
	if !loads && !r.allOf && !r.listed && !naming[string(called)] {
		return
	}
	s, ok := plainString(r.bytes(r.tok))
	switch {
	case !ok:
	case r.allOf:
		if len(r.file.all) < maxImports {
			r.file.all = append(r.file.all, s)
		}
	case loads:
		level := len(s) - len(strings.TrimLeft(s, "."))
		module := s[level:]
		if level > 0 && !r.packageArgument() {
			return
		}
		if isDotted(module) && len(r.file.imports) < maxImports {
			r.file.imports = append(r.file.imports, importStatement{level: level, module: module, use: graph.Dynamic})
		}
	case strings.Contains(s, ".") && isDotted(s) && len(s) < 300 && len(r.file.named) < maxImports:
		r.file.named = append(r.file.named, s)
	}
}

// view notes a string that may be the path of a template.
func (r *reader) view() {
	b := r.bytes(r.tok)
	if bytes.IndexByte(b[max(0, len(b)-10):], '.') < 0 {
		return
	}
	if s, ok := plainString(b); ok && views.IsLiteral(s) && len(r.file.views) < maxImports {
		r.file.views = append(r.file.views, s)
	}
}

// packageArgument reports whether what follows the string says that it is
// relative to the package of this file.
func (r *reader) packageArgument() bool {
	rest := r.src[r.tok.end:]
	rest = rest[:min(len(rest), 100)]
	rest = bytes.TrimLeft(rest, ", \t\r\n")
	rest = bytes.TrimPrefix(rest, []byte("package"))
	rest = bytes.TrimLeft(rest, "= \t")
	if bytes.HasPrefix(rest, []byte("__package__")) {
		return true
	}
	base := path.Base(r.file.path)
	return bytes.HasPrefix(rest, []byte("__name__")) && (base == "__init__.py" || base == "__init__.pyi")
}

// naming are the functions of frameworks whose first argument is a dotted path.
var naming = map[string]bool{
	"include": true, "import_string": true, "patch": true, "load_object": true, "import_from_string": true, "importorskip": true,
	"locate": true, "autodiscover_modules": true, "setattr": false,
}

// listing are the names at the top of a module whose strings are dotted paths.
var listing = map[string]bool{
	"pytest_plugins": true, "INSTALLED_APPS": true, "MIDDLEWARE": true, "MIDDLEWARE_CLASSES": true, "ROOT_URLCONF": true,
	"WSGI_APPLICATION": true, "ASGI_APPLICATION": true, "AUTHENTICATION_BACKENDS": true, "TEMPLATES": true, "DEFAULT_APP_CONFIG": true,
	"default_app_config": true, "DATABASE_ROUTERS": true, "SPIDER_MODULES": true, "ITEM_PIPELINES": true,
	"DOWNLOADER_MIDDLEWARES": true, "SPIDER_MIDDLEWARES": true, "LOGGING_CONFIG": true, "TEST_RUNNER": true, "CELERY_IMPORTS": true,
}

// plainString returns the content of a string that is short and has no escapes,
// and is neither formatted nor bytes.
func plainString(b []byte) (string, bool) {
	for len(b) > 0 && b[0] != '"' && b[0] != '\'' {
		if b[0]|0x20 != 'u' && b[0]|0x20 != 'r' {
			return "", false
		}
		b = b[1:]
	}
	if len(b) >= 6 && b[1] == b[0] && b[2] == b[0] {
		b = b[3:max(len(b)-3, 3)]
	} else if len(b) >= 2 {
		b = b[1 : len(b)-1]
	}
	if len(b) == 0 || len(b) > 300 || bytes.IndexByte(b, '\\') >= 0 || bytes.IndexByte(b, '\n') >= 0 {
		return "", false
	}
	return string(b), true
}

// isDotted reports whether s is identifiers with dots between.
func isDotted(s string) bool {
	if s == "" {
		return false
	}
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || classes[part[0]] != cWord {
			return false
		}
		for i := range len(part) {
			if classes[part[i]] < cWord {
				return false
			}
		}
	}
	return true
}

// use is the way in which an import here is used.
func (r *reader) use() graph.Uses {
	if r.file.stub || r.within(typing) {
		return graph.Type
	}
	return graph.Runtime
}

// top reports whether the module itself binds what is bound here.
func (r *reader) top() bool { return !r.within(function) && !r.within(class) }

// dottedName reads a.b.c, with the dots before it.
func (r *reader) dottedName() (level int, name string) {
	for r.tok.kind == '.' {
		level++
		r.advance()
	}
	b := r.path[:0]
	for r.tok.kind == word && !r.is("import") {
		b = append(b, r.bytes(r.tok)...)
		r.advance()
		if r.tok.kind != '.' {
			break
		}
		b = append(b, '.')
		r.advance()
	}
	r.path = b
	return level, string(b)
}

// bind notes a name that an import binds.
func (r *reader) bind(name string) {
	if _, ok := r.file.attrs[name]; !ok {
		r.file.attrs[name] = nil
	}
}

func (r *reader) importStatement() {
	r.advance()
	for {
		_, name := r.dottedName()
		if name == "" || strings.HasSuffix(name, ".") {
			return
		}
		i := importStatement{module: name, use: r.use(), top: r.top()}
		if r.tok.kind == word && r.is("as") {
			r.advance()
			if r.tok.kind == word {
				i.as = r.copied(r.tok)
				r.advance()
			}
		}
		if len(r.file.imports) < maxImports {
			r.file.imports = append(r.file.imports, i)
			if i.as != "" {
				r.bind(i.as)
			} else if !strings.Contains(name, ".") {
				r.bind(name)
			}
		}
		if r.tok.kind != ',' {
			return
		}
		r.advance()
	}
}

func (r *reader) fromStatement() {
	r.advance()
	level, name := r.dottedName()
	if !r.is("import") || level == 0 && name == "" || strings.HasSuffix(name, ".") {
		return
	}
	r.advance()
	i := importStatement{level: level, module: name, use: r.use(), top: r.top()}
	if r.tok.kind == '*' {
		i.star = true
		r.advance()
	} else {
		if r.tok.kind == '(' {
			r.advance()
		}
		r.list = r.list[:0]
		for r.tok.kind == word {
			b := binding{name: r.copied(r.tok)}
			b.as = b.name
			r.advance()
			if r.tok.kind == word && r.is("as") {
				r.advance()
				if r.tok.kind == word {
					b.as = r.copied(r.tok)
					r.advance()
				}
			}
			if len(r.list) < maxImports {
				r.list = append(r.list, b)
				r.bind(b.as)
			}
			if r.tok.kind == ',' {
				r.advance()
			}
		}
		if len(r.list) == 0 {
			return
		}
		i.names = slices.Clone(r.list)
	}
	if len(r.file.imports) < maxImports {
		r.file.imports = append(r.file.imports, i)
	}
}

// condition reads the test of an if: whether only type checkers read its block.
func (r *reader) condition() byte {
	r.advance()
	words := make([]token, 0, 4)
	for r.tok.kind == word || r.tok.kind == '.' || r.tok.kind == '(' || r.tok.kind == ')' {
		if r.tok.kind == word {
			if len(words) == cap(words) {
				return plain
			}
			words = append(words, r.tok)
		}
		r.expression()
	}
	n := len(words)
	if r.tok.kind != ':' || n == 0 || string(r.bytes(words[n-1])) != "TYPE_CHECKING" {
		return plain
	}
	not := string(r.bytes(words[0])) == "not"
	switch {
	case n == 1, n == 2 && !not:
		return typing
	case not:
		return untyped
	}
	return plain
}

// assignment reads the names that a statement binds at the top of the module.
func (r *reader) assignment() {
	if !r.top() {
		if r.tok.kind == word && listing[string(r.bytes(r.tok))] {
			r.listed = true
		}
		return
	}
	var few [4]token
	names := few[:0]
	depth := 0
	bind := func() {
		for _, n := range names {
			r.bound(n)
		}
	}
	for {
		switch k := r.tok.kind; k {
		case word:
			if r.before[1].kind == word && len(names) > 0 {
				if len(names) == 1 && string(r.bytes(names[0])) == "type" { // type X = …
					r.bound(r.tok)
					r.advance()
				}
				return
			}
			names = append(names, r.tok)
		case '(', '[':
			if p := r.before[1].kind; len(names) > 0 && (p == word || p == ')' || p == ']') { // a call, or an element
				return
			}
			depth++
		case ')', ']':
			if depth--; depth < 0 {
				return
			}
		case ',', '*':
		case '=':
			if depth > 0 || r.at < len(r.src) && r.src[r.at] == '=' {
				return
			}
			bind()
			names = names[:0] // what follows is the value, or more that is bound: a = b = c
		case ':': // what follows is its type
			if depth > 0 {
				return
			}
			bind()
			r.annotation()
			return
		case '+', '.':
			r.allOf = len(names) == 1 && string(r.bytes(names[0])) == "__all__"
			return
		default:
			return
		}
		r.expression()
	}
}

// annotation passes over the type of a name. What it names is no part of __all__.
func (r *reader) annotation() {
	if !r.allOf {
		return
	}
	r.allOf = false
	for r.tok.kind != newline && r.tok.kind != end && (r.tok.kind != '=' || r.depth > 0) {
		r.expression()
	}
	r.allOf = true
}

// bound takes a name that a statement binds at the top of the module.
func (r *reader) bound(n token) {
	r.file.defines = append(r.file.defines, r.copied(n))
	name := string(r.bytes(n))
	r.allOf = r.allOf || name == "__all__"
	r.listed = r.listed || listing[name]
	if r.defs != nil {
		r.define(name, "var", int(n.line))
	}
}

// definition reads the head of a function or class.
func (r *reader) definition(indent int) (head byte, name string) {
	from := int(r.tok.line)
	if r.is("async") {
		r.advance()
		if !r.is("def") {
			return plain, ""
		}
	}
	head = function
	if r.is("class") {
		head = class
	}
	line := int(r.tok.line)
	r.advance()
	if r.tok.kind != word {
		return head, ""
	}
	top := r.top()
	if top {
		r.file.defines = append(r.file.defines, r.copied(r.tok))
	} else if r.within(function) {
		r.decorated = 0
		return head, ""
	}
	if r.defs == nil {
		r.advance()
		return head, ""
	}
	name = string(r.bytes(r.tok))
	kind := "func"
	full := name
	if !top {
		var outer []string
		for _, b := range r.blocks {
			if b.kind == class {
				outer = append(outer, b.name)
			}
		}
		full = strings.Join(append(outer, name), ".")
		kind = "method"
	}
	if head == class {
		kind = "class"
	}
	r.define(full, kind, line)
	if n := len(*r.defs); n > 0 {
		d := &(*r.defs)[n-1]
		if d.From = from; r.decorated > 0 {
			d.From = r.decorated
		}
		r.open = append(r.open, openDefinition{indent, n - 1})
		r.defined = n - 1
	}
	r.decorated = 0
	r.advance()
	return head, name
}

// maxDefinitions bounds those of one text.
const maxDefinitions = 20_000

func (r *reader) define(name, kind string, line int) {
	if len(*r.defs) >= maxDefinitions {
		return
	}
	exported := visible(name) && !strings.HasPrefix(name, "_")
	*r.defs = append(*r.defs, graph.Definition{Name: name, Kind: kind, From: line, Line: line, Head: line, End: line, Exported: exported})
}

// visible reports whether the last part of a name is one for others.
func visible(name string) bool {
	base := name[strings.LastIndexByte(name, '.')+1:]
	return !strings.HasPrefix(base, "_") || base == "__init__" || base == "__call__"
}

// docString returns the first sentence of a string.
func docString(b []byte) string {
	s := strings.TrimLeft(string(b), "rRuUbBfF")
	for _, q := range []string{"\"\"\"", "'''", "\"", "'"} {
		if strings.HasPrefix(s, q) {
			return graph.FirstSentence(strings.ToValidUTF8(strings.TrimSuffix(s[len(q):], q), "\uFFFD"))
		}
	}
	return ""
}

// close ends the definitions that a line of this indent is no part of; line is
// the last before it.
func (r *reader) close(indent, line int) {
	if r.defs == nil {
		return
	}
	for n := len(r.open); n > 0 && r.open[n-1].indent >= indent; n-- {
		d := &(*r.defs)[r.open[n-1].index]
		d.End = max(line, d.Head)
		r.open = r.open[:n-1]
	}
}
