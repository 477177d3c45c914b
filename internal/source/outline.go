// Package source tells what a text offers: the names that a file defines, exports and imports, what its author
// says of it, what a program's help says, and what a survey measures: how deep it nests, which routes it
// registers, what it calls that reviews look at. It reads the files of a snapshot, one by one, and nothing
// beside them; it runs nothing, asks no other file, and chooses nothing: what is worth saying, and how much of it
// fits, is for packs to decide.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// Bounds of what is named of one file, and of what is read of it.
const (
	maxExports  = 40
	maxImports  = 40
	MaxLineRead = 1000 // bytes; patterns do not look at longer lines
)

// Outline is what a file offers and what it uses. The zero Outline is of a file in no known language.
type Outline struct {
	// Exports stand in the order of the file, Imports sorted; of longer lists the last element says how many are
	// left out.
	Exports, Imports []string
	Docs
	// Handed counts the modules whose exports are handed on, in lines from and to.
	Handed, HandedFrom, HandedTo int
	// Commands are the flags of a program, as they are typed, and its commands.
	Commands []Command
	// Program: package main with a main function, at MainLine.
	Program  bool
	MainLine int
	// defines are its definitions, in their order.
	defines []definedName
	// purpose and Usage are what a program's help says of it.
	purpose, Usage claim.Quote
	// Err says what keeps the text from being understood; the rest is what stands before it.
	Err error
}

// Command is a flag or command that a program defines, and where.
type Command struct {
	Name string
	Line int
}

// NewOutline makes the outline of a text in a language that is known by its name; of others it is
// empty. known is what the graph knows of the file, where it does.
func NewOutline(name string, b []byte, known *Names) Outline {
	var o Outline
	l := LanguageOf(name)
	if l == nil {
		return o
	}
	if l.Name == "Go" {
		o = lookGo(name, b)
	} else {
		parts := l.parts(b)
		o = l.look(name, b, parts, known == nil)
		o.Docs = l.docsOf(name, b, parts)
		o.defines = l.definesOf(b, parts)
	}
	o.tells(name, b)
	if known != nil {
		o.Exports, o.Imports = nil, nil
		for _, e := range known.Exports {
			o.Exports = append(o.Exports, claim.OneLine(e, 100))
		}
		for _, i := range known.Imports {
			o.Imports = append(o.Imports, claim.OneLine(i, 200))
		}
	}
	o.Exports = limited(Unique(o.Exports), maxExports)
	slices.Sort(o.Imports)
	o.Imports = limited(slices.Compact(o.Imports), maxImports)
	return o
}

// goFunction adds what a function of Go, or a method, defines.
func (o *Outline) goFunction(file *ast.File, d *ast.FuncDecl, line func(token.Pos) int) {
	program := file.Name.Name == "main"
	name, exported, kind, lines := d.Name.Name, d.Name.IsExported(), isCode, 0
	if d.Recv != nil {
		if len(d.Recv.List) != 1 {
			return
		}
		of := receiver(d.Recv.List[0].Type)
		name, exported, kind = of+"."+name, exported && ast.IsExported(of), isMethod
	} else if name == "init" || name == "_" {
		return
	} else if program && name == "main" {
		o.Program, o.MainLine = true, line(d.Pos())
		return
	} else if program {
		lines = line(d.End()) - line(d.Pos())
	}
	o.defines = append(o.defines, definedName{name, line(d.Pos()), exported, kind, lines})
	if exported {
		o.Exports = append(o.Exports, name)
	}
}

// goSpec adds what a declaration of types, constants or variables of Go defines.
func (o *Outline) goSpec(s ast.Spec, line func(token.Pos) int) {
	names, kind := []*ast.Ident(nil), isValue
	switch s := s.(type) {
	case *ast.TypeSpec:
		names, kind = []*ast.Ident{s.Name}, isCode
	case *ast.ValueSpec:
		names = s.Names
	}
	for _, n := range names {
		if n.Name != "_" || kind == isCode {
			o.defines = append(o.defines, definedName{n.Name, line(n.Pos()), n.IsExported(), kind, 0})
		}
		if n.IsExported() {
			o.Exports = append(o.Exports, n.Name)
		}
	}
}

var (
	handOnJS     = lazyregexp.New(`^(?:export\s.*|\}\s*)from\s*['"]([^'"]+)`)
	handOnPython = lazyregexp.New(`^from\s+(\.[\w.]*)\s+import\b`)
)

// handOn is the module whose exports a line hands on, as export * from './x' does; ""
// without one. exporting says that an export statement above goes on.
func handOn(l *Language, name string, line []byte, exporting *bool) string {
	var m [][]byte
	switch {
	case l.scripts(): // JavaScript and its kin
		if open := bytes.HasPrefix(line, []byte("export {")) || bytes.HasPrefix(line, []byte("export type {")); open || line[0] != ' ' && line[0] != '\t' && line[0] != '}' {
			*exporting = open
		}
		if m = handOnJS.FindSubmatch(line); line[0] == '}' && !*exporting {
			m = nil
		}
	case path.Base(name) == "__init__.py":
		m = handOnPython.FindSubmatch(line)
	}
	if m == nil {
		return ""
	}
	return string(m[1])
}

// Unique keeps the first of equal elements.
func Unique(in []string) []string {
	seen := map[string]bool{}
	out := []string{}
	for _, s := range in {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// limited cuts a list and says by how much.
func limited(in []string, n int) []string {
	if len(in) <= n {
		return append([]string{}, in...)
	}
	return append(slices.Clone(in[:n]), fmt.Sprintf("... and %d more", len(in)-n))
}

// lookGo uses Go's own parser. A file with a syntax error tells what stands before it.
func lookGo(name string, b []byte) Outline {
	var o Outline
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, b, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		o.Err = fmt.Errorf("reading Go: %w", err)
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			o.Err = LineError{list[0].Pos.Line, fmt.Errorf("reading Go: %s", list[0].Msg)}
		}
	}
	if file == nil {
		return o
	}
	line := func(p token.Pos) int { return fset.Position(p).Line }
	if file.Doc != nil {
		o.Docs.About = claim.Quote{Text: goSentence(file.Doc.Text()), Path: name, Line: line(file.Doc.Pos())}
	}
	o.goSymbol(file, name, line)
	for _, i := range file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			o.Imports = append(o.Imports, claim.OneLine(p, 200))
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			o.goFunction(file, d, line)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				o.goSpec(s, line)
			}
		}
	}
	if file.Name.Name == "main" {
		for i := range o.defines {
			o.defines[i].exported = true // nothing is: case says nothing there
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f := goFlag(n); f != "" {
				o.Commands = append(o.Commands, Command{Name: "--" + f, Line: line(n.Pos())})
			}
		case *ast.KeyValueExpr:
			// cobra: Use: "serve [flags]"
			if k, ok := n.Key.(*ast.Ident); ok && k.Name == "Use" {
				if s := literal(n.Value); s != "" {
					o.Commands = append(o.Commands, Command{Name: claim.OneLine(s, 100), Line: line(n.Pos())})
				}
			}
		}
		return true
	})
	return o
}

// goSymbol finds the comment of what the file is named for, else of the first that it
// exports with one.
func (o *Outline) goSymbol(file *ast.File, name string, line func(token.Pos) int) {
	stem := plainName(strings.TrimSuffix(path.Base(name), ".go"))
	best := 0
	take := func(symbol string, doc *ast.CommentGroup, rank int) {
		if plainName(symbol) == stem {
			rank += 3
		}
		if doc == nil || !ast.IsExported(symbol) || rank <= best {
			return
		}
		if s := goSentence(doc.Text()); s != "" {
			o.Symbol, o.SymbolName, best = claim.Quote{Text: s, Path: name, Line: line(doc.Pos())}, symbol, rank
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				take(d.Name.Name, d.Doc, 1)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					doc := t.Doc
					if doc == nil {
						doc = d.Doc
					}
					take(t.Name.Name, doc, 2)
				}
			}
		}
	}
}

// goSentence is the first sentence of a doc comment, "" where it is a licence.
func goSentence(s string) string {
	first, _, _ := strings.Cut(s, "\n\n")
	return sentenceOf(first)
}

func receiver(t ast.Expr) string {
	for range 4 {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		}
	}
	return ""
}

// flagFuncs of package flag and pflag, with the place of the name.
var flagFuncs = map[string]int{
	"Bool": 0, "Int": 0, "Int64": 0, "Uint": 0, "String": 0, "Float64": 0, "Duration": 0, "StringP": 0, "BoolP": 0, "IntP": 0, "StringSlice": 0, "Func": 0,
	"BoolVar": 1, "IntVar": 1, "Int64Var": 1, "UintVar": 1, "StringVar": 1, "Float64Var": 1, "DurationVar": 1, "Var": 1, "TextVar": 1, "StringVarP": 1, "BoolVarP": 1, "IntVarP": 1, "StringSliceVar": 1,
}

// goFlag is the flag that a call defines, or "".
func goFlag(c *ast.CallExpr) string {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	i, ok := flagFuncs[sel.Sel.Name]
	if !ok || len(c.Args) < i+2 {
		return ""
	}
	switch x := sel.X.(type) {
	case *ast.Ident:
		switch strings.ToLower(x.Name) {
		case "flag", "flags", "pflag", "fs", "flagset", "f", "cmdflags":
		default:
			return ""
		}
	case *ast.CallExpr: // cmd.Flags().String
		s, ok := x.Fun.(*ast.SelectorExpr)
		if !ok || s.Sel.Name != "Flags" && s.Sel.Name != "PersistentFlags" {
			return ""
		}
	default:
		return ""
	}
	return claim.OneLine(literal(c.Args[i]), 60)
}

func literal(e ast.Expr) string {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(l.Value)
	return s
}

var compiled sync.Map // pattern to *regexp.Regexp: compiled when first needed

func pattern(s string) *regexp.Regexp {
	if re, ok := compiled.Load(s); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(s)
	compiled.Store(s, re)
	return re
}

// look finds what a file hands on and, where they are not known better, its exports
// and imports, by the language's patterns, line by line, in what is no comment.
func (l *Language) look(name string, b, parts []byte, all bool) Outline {
	var o Outline
	if !l.programs() {
		return o
	}
	n := 0
	var modules []string // whose exports are handed on
	exporting := false
	for off := 0; off < len(b); {
		end := lineEnd(b, off)
		line := b[off:end]
		n++
		first := len(line) - len(bytes.TrimLeft(line, " \t"))
		at := off + first
		off = end + 1
		if len(line) > MaxLineRead || first == len(line) || parts[at] != inCode {
			continue
		}
		if m := handOn(l, name, line, &exporting); m != "" && !slices.Contains(modules, m) {
			if modules = append(modules, m); len(modules) == 1 {
				o.HandedFrom = n
			}
			o.Handed, o.HandedTo = len(modules), n
		}
		if !all {
			continue
		}
		if l.Name == "Rust" {
			o.take(usesOf(b[at:], parts[at:]))
		}
		for _, p := range l.exports {
			if m := pattern(p).FindSubmatch(line); m != nil {
				for name := range strings.SplitSeq(string(m[1]), ",") {
					name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "type "))
					if _, as, ok := strings.Cut(name, " as "); ok {
						name = strings.TrimSpace(as)
					}
					if name != "" {
						o.Exports = append(o.Exports, claim.OneLine(name, 100))
					}
				}
				break
			}
		}
		for _, p := range l.imports {
			for _, m := range pattern(p).FindAllSubmatch(line, 20) {
				o.Imports = append(o.Imports, claim.OneLine(string(m[1]), 200))
			}
		}
	}
	return o
}

// take adds what a use declaration brings, and hands on.
func (o *Outline) take(list []used, public bool) {
	for _, u := range list {
		o.Imports = append(o.Imports, claim.OneLine(u.path, 200))
		if public && u.name != "" {
			o.Exports = append(o.Exports, claim.OneLine(u.name, 100))
		}
	}
}

var notProse = lazyregexp.New(`(?i)copyright|licen[cs]e|\bspdx\b|eslint|prettier|@ts-|tslint|istanbul|use strict|coding[:=]|vim:|noqa|pylint|all rights reserved|shellcheck|@flow|@jsx|<reference|sourceMappingURL`)

func sentenceOf(s string) string {
	if s = firstSentence(s); len(s) < 12 || !strings.Contains(s, " ") || notProse.MatchString(s) {
		return ""
	}
	return s
}

// firstSentence is what stands before the first full stop, at most 200 runes.
func firstSentence(s string) string {
	s = claim.OneLine(s, 200)
	for i := 0; i+1 < len(s); i++ {
		if text.EndsSentence(s, i) {
			return s[:i]
		}
	}
	return strings.TrimSuffix(s, ".")
}

// KindOf tells a file's format in words.
func KindOf(name string) string {
	base := strings.ToLower(path.Base(name))
	switch {
	case language.IsDockerfile(name):
		return "Dockerfile"
	case base == "makefile":
		return "Makefile"
	case base == "go.mod", base == "go.work":
		return "Go module file"
	case path.Ext(base) == ".gradle":
		return "Gradle"
	}
	l := language.Of(name)
	if l == nil || l.Name == "Templates" || l.Name == "Tables" || l.Name == "Configuration" {
		return "Text"
	}
	return l.Name
}

// Names is what the dependency graph knows of a file.
type Names struct {
	// Exports are names, in the order of the file.
	Exports []string
	// Imports are specifiers as written.
	Imports []string
}
