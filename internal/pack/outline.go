package pack

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
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
)

// Bounds of what a summary names of one file.
const (
	maxExports  = 40
	maxImports  = 40
	maxNotable  = 12
	maxRoutes   = 40
	maxLineRead = 1000 // longer lines are not looked at by patterns
)

// outline is what a file offers and what it uses.
type outline struct {
	exports, imports []string
	docs
	// handed counts the modules whose exports are handed on, in lines from and to.
	handed, handedFrom, handedTo int
	// flags and routes of a program.
	flags []script
	// program: package main with a main function, at mainLine.
	program  bool
	mainLine int
	// defines are its definitions, in their order.
	defines []definedName
	// purpose and usage are what a program's help says of it.
	purpose, usage claim.Quote
	// settings tells what a file of settings sets; told says that it does.
	settings claim.Claim
	told     bool
	err      error
}

// look makes a file's outline from its text, or from what the graph knows.
func look(src *Source, f *scan.File, b []byte) outline {
	var o outline
	l := languageOf(f.Path)
	if l == nil {
		o.settings, o.told = settings(f.Path, b)
		return o
	}
	g, known := src.Outlines[f.Path]
	if l.name == "Go" {
		o = lookGo(f.Path, b)
	} else {
		parts := l.parts(b)
		o = l.look(f.Path, b, parts, !known)
		o.docs = l.docsOf(f.Path, b, parts)
		o.defines = l.definesOf(b, parts)
	}
	o.tells(f.Path, b)
	if known {
		o.exports, o.imports = nil, nil
		for _, e := range g.Exports {
			o.exports = append(o.exports, claim.OneLine(e, 100))
		}
		for _, i := range g.Imports {
			o.imports = append(o.imports, claim.OneLine(i, 200))
		}
	}
	o.exports = limited(unique(o.exports), maxExports)
	slices.Sort(o.imports)
	o.imports = limited(slices.Compact(o.imports), maxImports)
	return o
}

var (
	handOnJS     = lazyregexp.New(`^(?:export\s.*|\}\s*)from\s*['"]([^'"]+)`)
	handOnPython = lazyregexp.New(`^from\s+(\.[\w.]*)\s+import\b`)
)

// handOn is the module whose exports a line hands on, as export * from './x' does; ""
// without one. exporting says that an export statement above goes on.
func handOn(l *language, name string, line []byte, exporting *bool) string {
	var m [][]byte
	switch {
	case l.regexp: // JavaScript and its kin
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

// unique keeps the first of equal elements.
func unique(in []string) []string {
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
func lookGo(name string, b []byte) outline {
	var o outline
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, b, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		o.err = fmt.Errorf("reading Go: %w", err)
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			o.err = located{list[0].Pos.Line, fmt.Errorf("reading Go: %s", list[0].Msg)}
		}
	}
	if file == nil {
		return o
	}
	line := func(p token.Pos) int { return fset.Position(p).Line }
	if file.Doc != nil {
		o.docs.file = claim.Quote{Text: goSentence(file.Doc.Text()), Path: name, Line: line(file.Doc.Pos())}
	}
	o.goSymbol(file, name, line)
	for _, i := range file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			o.imports = append(o.imports, claim.OneLine(p, 200))
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			n := d.Name.Name
			if n == "main" && d.Recv == nil && file.Name.Name == "main" {
				o.program, o.mainLine = true, line(d.Pos())
			} else if d.Recv == nil && n != "init" && n != "_" {
				def := definedName{n, line(d.Pos()), d.Name.IsExported(), isCode, 0}
				if file.Name.Name == "main" {
					def.lines = line(d.End()) - line(d.Pos())
				}
				o.defines = append(o.defines, def)
			} else if d.Recv != nil && len(d.Recv.List) == 1 {
				r := receiver(d.Recv.List[0].Type)
				o.defines = append(o.defines, definedName{r + "." + n, line(d.Pos()), d.Name.IsExported() && ast.IsExported(r), isMethod, 0})
			}
			if !d.Name.IsExported() {
				continue
			}
			if d.Recv != nil && len(d.Recv.List) == 1 {
				r := receiver(d.Recv.List[0].Type)
				if !ast.IsExported(r) {
					continue
				}
				n = r + "." + n
			}
			o.exports = append(o.exports, n)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					o.defines = append(o.defines, definedName{s.Name.Name, line(s.Pos()), s.Name.IsExported(), isCode, 0})
					if s.Name.IsExported() {
						o.exports = append(o.exports, s.Name.Name)
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.Name != "_" {
							o.defines = append(o.defines, definedName{n.Name, line(n.Pos()), n.IsExported(), isValue, 0})
						}
						if n.IsExported() {
							o.exports = append(o.exports, n.Name)
						}
					}
				}
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
				o.flags = append(o.flags, script{name: "--" + f, line: line(n.Pos())})
			}
		case *ast.KeyValueExpr:
			// cobra: Use: "serve [flags]"
			if k, ok := n.Key.(*ast.Ident); ok && k.Name == "Use" {
				if s := literal(n.Value); s != "" {
					o.flags = append(o.flags, script{name: claim.OneLine(s, 100), line: line(n.Pos())})
				}
			}
		}
		return true
	})
	return o
}

// goSymbol finds the comment of what the file is named for, else of the first that it
// exports with one.
func (o *outline) goSymbol(file *ast.File, name string, line func(token.Pos) int) {
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
			o.symbol, o.name, best = claim.Quote{Text: s, Path: name, Line: line(doc.Pos())}, symbol, rank
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
func (l *language) look(name string, b, parts []byte, all bool) outline {
	var o outline
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
		if len(line) > maxLineRead || first == len(line) || parts[at] != inCode {
			continue
		}
		if m := handOn(l, name, line, &exporting); m != "" && !slices.Contains(modules, m) {
			if modules = append(modules, m); len(modules) == 1 {
				o.handedFrom = n
			}
			o.handed, o.handedTo = len(modules), n
		}
		if !all {
			continue
		}
		if l.name == "Rust" {
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
						o.exports = append(o.exports, claim.OneLine(name, 100))
					}
				}
				break
			}
		}
		for _, p := range l.imports {
			for _, m := range pattern(p).FindAllSubmatch(line, 20) {
				o.imports = append(o.imports, claim.OneLine(string(m[1]), 200))
			}
		}
	}
	return o
}

// take adds what a use declaration brings, and hands on.
func (o *outline) take(list []used, public bool) {
	for _, u := range list {
		o.imports = append(o.imports, claim.OneLine(u.path, 200))
		if public && u.name != "" {
			o.exports = append(o.exports, claim.OneLine(u.name, 100))
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
		if endsSentence(s, i) {
			return s[:i]
		}
	}
	return strings.TrimSuffix(s, ".")
}

// kindOf tells a file's format in words, for files that are no program.
func kindOf(name string) string {
	if l := languageOf(name); l != nil {
		return l.name
	}
	base := strings.ToLower(path.Base(name))
	switch {
	case strings.HasPrefix(base, "dockerfile"):
		return "Dockerfile"
	case base == "makefile":
		return "Makefile"
	case base == "go.mod", base == "go.work":
		return "Go module file"
	}
	switch path.Ext(base) {
	case ".json", ".jsonc", ".json5":
		return "JSON"
	case ".yaml", ".yml":
		return "YAML"
	case ".toml":
		return "TOML"
	case ".xml":
		return "XML"
	case ".md", ".markdown", ".mdx":
		return "Markdown"
	case ".rst":
		return "reStructuredText"
	case ".gradle":
		return "Gradle"
	}
	return "Text"
}
