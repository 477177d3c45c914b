package golang

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// file is what is kept of one source text.
type file struct {
	path string
	dir  string
	// name is the package that the file says it is of.
	name string
	test bool
	// wanted is set where its users are.
	wanted bool
	when   *condition
	// at is its place among the files of its folder.
	at int32

	imports []importSpec
	// declares are the package's names that the file declares, each once.
	declares []declaration
	// methods are those of the types in this package.
	methods []method
	// free are the names that the file uses and does not declare itself.
	free []string
	// from are the names that it selects from such a name: a package's or a
	// variable's. selects are those that it selects from anything else.
	from    []selection
	selects []string

	includes []include
	embeds   []string
	generate []string
	// templates are the paths and patterns of the templates that it reads.
	templates []string
	fault     string
}

// importSpec is one import.
type importSpec struct {
	path string
	// local is its name in the file; "" where it is the package's own.
	local string
	// to is what it means, where that was asked.
	to *link
}

// declaration is what a declaration says of a name.
type declaration struct {
	name string
	// base and of say that it stands for a name of another package.
	base, of string
	// types are the types of this package that it yields: a function's
	// results, a variable's type.
	types []string
}

// maxTypes bounds the types that are kept of one declaration.
const maxTypes = 10

// method is a method, and the type that has it.
type method struct{ of, name string }

// selection is a name, and those that are selected from it.
type selection struct {
	base  string
	names []string
}

// include is a header that a cgo preamble names.
type include struct {
	name string
	dirs []string
}

// parse reads one source text. A text with faults gives what could be read of
// it; one that is not Go at all is an error.
func parse(name string, content []byte) (f *file, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("the parser gives up: %v", r)
		}
	}()
	mode := parser.AllErrors
	if holds(content, `"`, 'C', `"`) || holds(content, "//go", ':', "") && (holds(content, "//go", ':', "embed") || holds(content, "//go", ':', "generate")) {
		mode |= parser.ParseComments
	}
	if mode&parser.ParseComments == 0 {
		if f, ok := quick(name, content); ok {
			f.when = conditionOf(name, content)
			f.templates = templatesOf(content)
			return f, nil
		}
	}
	if f, err = parseTree(name, content, mode); f != nil {
		f.templates = templatesOf(content)
	}
	return f, err
}

// sameNeeds reports whether what is kept of two texts is the same, but for how often and in which order they name what they use: the graph
// is made of nothing else of them.
func sameNeeds(name string, a, b []byte) bool {
	was, err := parse(name, a)
	if err != nil {
		return false
	}
	is, err := parse(name, b)
	return err == nil && was.name == is.name && was.fault == is.fault && reflect.DeepEqual(was.when, is.when) &&
		slices.Equal(was.imports, is.imports) && slices.Equal(was.methods, is.methods) &&
		slices.EqualFunc(was.declares, is.declares, func(a, b declaration) bool {
			return a.name == b.name && a.base == b.base && a.of == b.of && slices.Equal(a.types, b.types)
		}) &&
		slices.Equal(setOf(was.free), setOf(is.free)) && slices.Equal(setOf(was.selects), setOf(is.selects)) &&
		slices.Equal(selected(was.from), selected(is.from)) &&
		slices.EqualFunc(was.includes, is.includes, func(a, b include) bool { return a.name == b.name && slices.Equal(a.dirs, b.dirs) }) &&
		slices.Equal(was.embeds, is.embeds) && slices.Equal(was.templates, is.templates) && slices.Equal(was.generate, is.generate)
}

// setOf is a list as a set, in order.
func setOf(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// selected are selections as a set, in order.
func selected(list []selection) []string {
	var said []string
	for _, s := range list {
		for _, name := range s.names {
			said = append(said, s.base+"."+name)
		}
		said = append(said, s.base)
	}
	return setOf(said)
}

// holds reports whether a text holds the byte c between two others. It looks for the byte alone, which is quick where that is rare.
func holds(content []byte, before string, c byte, after string) bool {
	for {
		i := bytes.IndexByte(content, c)
		if i < 0 {
			return false
		}
		if string(content[max(i-len(before), 0):i]) == before && string(content[i+1:min(i+1+len(after), len(content))]) == after {
			return true
		}
		content = content[i+1:]
	}
}

// parseTree reads a source text by go/parser.
func parseTree(name string, content []byte, mode parser.Mode) (f *file, err error) {
	fset := token.NewFileSet()
	a, fault := parser.ParseFile(fset, name, content, mode)
	if a == nil || a.Name == nil || a.Name.Name == "_" || !bytes.HasPrefix(content[min(max(int(a.Package)-1, 0), len(content)):], []byte("package")) {
		return nil, errors.New("no package clause")
	}
	f = &file{path: name, dir: path.Dir(name), name: strings.Clone(a.Name.Name), test: strings.HasSuffix(name, "_test.go")}
	if fault != nil {
		f.fault = fault.Error()
	}
	f.when = conditionOf(name, content)
	x := extractor{file: f, names: map[string]string{}, declared: map[string]int{}}
	x.imports(a)
	x.declarations(a)
	x.uses(a)
	x.comments(a)
	return f, nil
}

// extractor fills a file from its tree. Names are copied once, so that the text
// is not kept.
type extractor struct {
	file  *file
	names map[string]string
	// declared are the indices of the file's declarations by name.
	declared map[string]int
}

func (x *extractor) intern(s string) string {
	if old, ok := x.names[s]; ok {
		return old
	}
	s = strings.Clone(s)
	x.names[s] = s
	return s
}

// maxImports bounds the imports of one file.
const maxImports = 10_000

func (x *extractor) imports(a *ast.File) {
	for _, spec := range a.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil || p == "" || len(p) > 1000 || len(x.file.imports) >= maxImports {
			continue
		}
		i := importSpec{path: x.intern(p)}
		if spec.Name != nil {
			i.local = x.intern(spec.Name.Name)
		}
		if p == "C" {
			for _, d := range a.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.IMPORT || !slices.Contains(g.Specs, ast.Spec(spec)) {
					continue
				}
				for _, doc := range []*ast.CommentGroup{g.Doc, spec.Doc} {
					if doc != nil {
						x.preamble(doc)
					}
				}
			}
		}
		x.file.imports = append(x.file.imports, i)
	}
}

// preamble reads the headers that C code names.
func (x *extractor) preamble(doc *ast.CommentGroup) {
	var dirs []string
	var names []string
	for _, c := range doc.List {
		text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(c.Text, "//"), "/*"), "*/")
		for line := range strings.SplitSeq(text, "\n") {
			line = strings.TrimSpace(line)
			if rest, ok := strings.CutPrefix(line, "#cgo"); ok {
				for word := range strings.FieldsSeq(rest) {
					if d, ok := strings.CutPrefix(word, "-I"); ok {
						d = strings.TrimPrefix(strings.ReplaceAll(d, "${SRCDIR}", "."), "./")
						dirs = append(dirs, strings.Clone(d))
					}
				}
			} else if rest, ok := strings.CutPrefix(line, "#"); ok {
				if rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "include"); ok {
					rest = strings.TrimSpace(rest)
					if len(rest) > 2 && (rest[0] == '"' || rest[0] == '<') {
						if end := strings.IndexAny(rest[1:], `">`); end > 0 {
							names = append(names, strings.Clone(rest[1:1+end]))
						}
					}
				}
			}
		}
	}
	for _, n := range names[:min(len(names), 1000)] {
		x.file.includes = append(x.file.includes, include{n, dirs})
	}
}

func (x *extractor) declarations(a *ast.File) {
	f := x.file
	for _, d := range a.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				if d.Name.Name != "init" {
					x.declare(d.Name, nil, d.Type.Results)
				}
				continue
			}
			if t := typeName(receiver(d.Recv)); t != "" {
				f.methods = append(f.methods, method{x.intern(t), x.intern(d.Name.Name)})
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					x.declare(s.Name, s.Type, nil)
				case *ast.ValueSpec:
					for i, id := range s.Names {
						switch {
						case i < len(s.Values) && s.Type == nil:
							x.declare(id, s.Values[i], nil)
						default:
							x.declare(id, nil, &ast.FieldList{List: []*ast.Field{{Type: s.Type}}})
						}
					}
				}
			}
		}
	}
}

// declare notes a name of the package: what it stands for, and what it yields. The last declaration of a name counts.
func (x *extractor) declare(id *ast.Ident, value ast.Expr, yields *ast.FieldList) {
	if id.Name == "_" {
		return
	}
	d := declaration{name: x.intern(id.Name)}
	if s, ok := value.(*ast.SelectorExpr); ok {
		if p, ok := s.X.(*ast.Ident); ok && p.Obj == nil {
			d.base, d.of = x.intern(p.Name), x.intern(s.Sel.Name)
		}
	}
	if yields != nil {
		for _, f := range yields.List {
			if t := typeName(f.Type); t != "" && len(d.types) < maxTypes {
				d.types = append(d.types, x.intern(t))
			}
		}
	}
	if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
		value = u.X
	}
	if c, ok := value.(*ast.CompositeLit); ok {
		if t := typeName(c.Type); t != "" {
			d.types = append(d.types, x.intern(t))
		}
	}
	if at, ok := x.declared[d.name]; ok {
		x.file.declares[at] = d
		return
	}
	x.declared[d.name] = len(x.file.declares)
	x.file.declares = append(x.file.declares, d)
}

func receiver(list *ast.FieldList) ast.Expr {
	if len(list.List) == 0 {
		return nil
	}
	return list.List[0].Type
}

// typeName returns the name of the type of this package that t is, points to,
// or holds in a list; else "".
func typeName(t ast.Expr) string {
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.ArrayType:
			t = e.Elt
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// uses finds what the file uses: names that it does not declare (the parser
// resolves those that it does, in their scopes), names selected from them, and
// names selected from anything else.
func (x *extractor) uses(a *ast.File) {
	unresolved := make(map[*ast.Ident]bool, len(a.Unresolved))
	free := map[string]bool{}
	for _, id := range a.Unresolved {
		unresolved[id] = true
		free[x.intern(id.Name)] = true
	}
	from := map[string]map[string]bool{}
	selects := map[string]bool{}
	ast.Inspect(a, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if p, ok := n.X.(*ast.Ident); ok && unresolved[p] {
				name := x.intern(p.Name)
				if from[name] == nil {
					from[name] = map[string]bool{}
				}
				from[name][x.intern(n.Sel.Name)] = true
				return false
			}
			selects[x.intern(n.Sel.Name)] = true
		case *ast.CompositeLit:
			// The parser leaves keys alone, for most are fields.
			switch n.Type.(type) {
			case *ast.MapType, *ast.ArrayType:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if id, ok := kv.Key.(*ast.Ident); ok && id.Obj == nil {
							free[x.intern(id.Name)] = true
						}
					}
				}
			}
		}
		return true
	})
	x.file.free = slices.Sorted(maps.Keys(free))
	x.file.selects = slices.Sorted(maps.Keys(selects))
	for name, used := range from {
		x.file.from = append(x.file.from, selection{name, slices.Sorted(maps.Keys(used))})
	}
}

// comments reads the directives.
func (x *extractor) comments(a *ast.File) {
	for _, g := range a.Comments {
		for _, c := range g.List {
			if rest, ok := strings.CutPrefix(c.Text, "//go:embed "); ok {
				for _, p := range embedPatterns(rest) {
					if len(x.file.embeds) < 1000 {
						x.file.embeds = append(x.file.embeds, strings.Clone(p))
					}
				}
			} else if rest, ok := strings.CutPrefix(c.Text, "//go:generate "); ok {
				for word := range strings.FieldsSeq(rest) {
					if len(x.file.generate) < 1000 && (strings.HasSuffix(word, ".go") || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../")) {
						x.file.generate = append(x.file.generate, strings.Clone(word))
					}
				}
			}
		}
	}
}

// embedPatterns splits the patterns of a directive; they may be quoted.
func embedPatterns(s string) (list []string) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] == '"' || s[0] == '`' {
			q, err := strconv.QuotedPrefix(s)
			if err != nil {
				return list
			}
			p, err := strconv.Unquote(q)
			if err != nil {
				return list
			}
			list, s = append(list, p), s[len(q):]
			continue
		}
		p, rest, _ := strings.Cut(s, " ")
		list, s = append(list, p), rest
	}
	return list
}
