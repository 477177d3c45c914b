package tsgo

import (
	"sort"
	"strings"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/parser"
	"github.com/microsoft/typescript-go/internal/scanner"
	"github.com/microsoft/typescript-go/internal/tspath"
)

// Definition is a declaration at the top of a text, or a member of one.
type Definition struct {
	Name, Kind            string
	From, Line, Head, End int
	Exported              bool
	// Promised says that an interface or a literal type asks for it.
	Promised bool
	// Doc is the text of its JSDoc comment.
	Doc string
}

// definers reads definitions.
var definers Parser

// Define lists the definitions in a source text.
//
//go:noinline so that the compiler's types stay here
func Define(name, text string) ([]Definition, error) {
	return stoppable(&definers, text, func(text string) ([]Definition, error) {
		return define(name, text)
	})
}

func define(name, text string) (list []Definition, err error) {
	defer guard(&err)
	kind := core.GetScriptKindFromFileName(name)
	if err := shallow(text, kind); err != nil {
		return nil, err
	}
	source := parser.ParseSourceFile(ast.SourceFileParseOptions{FileName: name, Path: tspath.Path(name)}, text, kind)
	return definitions(source, text)
}

// definitions lists those of a text that was read. Nothing in the list is a part of the text.
func definitions(source *ast.SourceFile, text string) (list []Definition, err error) {
	defer guard(&err)
	d := definer{source: source, text: text, exported: map[string]bool{}}
	for i := range len(text) {
		if text[i] == '\n' {
			d.ends = append(d.ends, i)
		}
	}
	for _, n := range source.Statements.Nodes {
		if n.Kind == ast.KindExportAssignment { // export default x, export = x
			if e := n.AsExportAssignment().Expression; e != nil && ast.IsIdentifier(e) {
				d.exported[e.Text()] = true
			}
		}
		if n.Kind == ast.KindExportDeclaration {
			e := n.AsExportDeclaration()
			if e.ModuleSpecifier == nil && e.ExportClause != nil && ast.IsNamedExports(e.ExportClause) {
				for _, s := range e.ExportClause.AsNamedExports().Elements.Nodes {
					local := s.AsExportSpecifier().PropertyName
					if local == nil {
						local = s.Name()
					}
					d.exported[local.Text()] = true
				}
			}
		}
	}
	for _, n := range source.Statements.Nodes {
		if n.Flags&ast.NodeFlagsReparsed == 0 {
			d.statement(n, "", 0)
		}
	}
	list = make([]Definition, len(d.list))
	for i, one := range d.list {
		one.Name, one.Kind, one.Doc = strings.Clone(one.Name), strings.Clone(one.Kind), strings.Clone(one.Doc)
		list[i] = one
	}
	return list, nil
}

type definer struct {
	source   *ast.SourceFile
	text     string
	ends     []int
	exported map[string]bool
	list     []Definition
}

// maxDefinitions bounds those of one text.
const maxDefinitions = 20_000

func (d *definer) line(pos int) int {
	return 1 + sort.SearchInts(d.ends, min(max(pos, 0), len(d.text)))
}

// start is where a node begins, without the comments before it.
func (d *definer) start(n *ast.Node) int {
	return scanner.GetTokenPosOfNode(n, d.source, false)
}

// add adds the definition that whole declares; its signature ends at head.
func (d *definer) add(whole *ast.Node, name, kind string, exported bool, head int) {
	if name == "" || len(d.list) >= maxDefinitions {
		return
	}
	start := d.start(whole)
	def := Definition{Name: name, Kind: kind, Exported: exported, Line: d.line(start), End: d.line(max(whole.End()-1, start))}
	def.Head = min(max(d.line(head), def.Line), def.End)
	def.From = def.Line
	before := d.text[min(whole.Pos(), start):start]
	if at := strings.LastIndex(before, "/**"); at >= 0 {
		if end := strings.Index(before[at:], "*/"); end >= 0 {
			def.From = d.line(min(whole.Pos(), start) + at)
			def.Doc = comment(before[at+3 : at+end])
		}
	}
	d.list = append(d.list, def)
}

// comment returns the prose of a JSDoc comment before its tags.
func comment(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "*"))
		if strings.HasPrefix(line, "@") {
			break
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func (d *definer) statement(n *ast.Node, within string, depth int) {
	exported := ast.HasSyntacticModifier(n, ast.ModifierFlagsExport)
	name := statementName(n)
	exported = exported || d.exported[name] && within == ""
	full := within + name
	switch n.Kind {
	case ast.KindFunctionDeclaration:
		d.add(n, full, "func", exported, d.body(n.Body(), n.End()))
	case ast.KindClassDeclaration:
		c := n.AsClassDeclaration()
		d.add(n, full, "class", exported, c.Members.Pos()-1)
		for _, m := range c.Members.Nodes {
			d.member(m, full, exported)
		}
	case ast.KindInterfaceDeclaration:
		d.add(n, full, "interface", exported, n.End())
		d.promised(n.AsInterfaceDeclaration().Members, full, exported)
	case ast.KindTypeAliasDeclaration:
		d.add(n, full, "type", exported, n.End())
		if t := n.AsTypeAliasDeclaration().Type; t != nil && t.Kind == ast.KindTypeLiteral {
			d.promised(t.AsTypeLiteralNode().Members, full, exported)
		}
	case ast.KindEnumDeclaration:
		d.add(n, full, "enum", exported, n.End())
	case ast.KindModuleDeclaration:
		body := n.Body()
		d.add(n, full, "namespace", exported, d.body(body, n.End()))
		if body != nil && ast.IsModuleBlock(body) && depth < 20 {
			for _, s := range body.Statements() {
				d.statement(s, full+".", depth+1)
			}
		}
	case ast.KindVariableStatement:
		list := n.AsVariableStatement().DeclarationList
		kind := "var"
		if list.Flags&ast.NodeFlagsConst != 0 {
			kind = "const"
		}
		for _, v := range list.AsVariableDeclarationList().Declarations.Nodes {
			if v.Name() == nil || !ast.IsIdentifier(v.Name()) {
				continue
			}
			name, k, head := v.Name().Text(), kind, d.start(v.Name())
			if init := v.AsVariableDeclaration().Initializer; init != nil {
				switch init.Kind {
				case ast.KindArrowFunction, ast.KindFunctionExpression:
					k, head = "func", d.body(init.Body(), init.End())
				case ast.KindClassExpression:
					k = "class"
				default:
					head = d.start(init)
				}
			}
			d.add(n, within+name, k, exported || d.exported[name] && within == "", head)
		}
	}
}

// statementName is the name of what a statement declares, "" where it declares several.
func statementName(n *ast.Node) string {
	if n.Kind != ast.KindVariableStatement && n.Name() != nil && (ast.IsIdentifier(n.Name()) || ast.IsStringLiteral(n.Name())) {
		return n.Name().Text()
	}
	if ast.HasSyntacticModifier(n, ast.ModifierFlagsDefault) {
		return "default"
	}
	return ""
}

// promised adds the methods that a type asks for: what is called. Its other properties are told by its signature.
func (d *definer) promised(members *ast.NodeList, of string, exported bool) {
	for _, m := range members.Nodes {
		name := m.Name()
		switch m.Kind {
		case ast.KindMethodSignature:
		case ast.KindPropertySignature:
			if t := m.AsPropertySignatureDeclaration().Type; t == nil || t.Kind != ast.KindFunctionType {
				continue
			}
		default:
			continue
		}
		if name == nil || !ast.IsIdentifier(name) {
			continue
		}
		n := len(d.list)
		if d.add(m, of+"."+name.Text(), "method", exported, m.End()); n < len(d.list) {
			d.list[n].Promised = true
		}
	}
}

// body is where the body begins, or end where there is none.
func (d *definer) body(n *ast.Node, end int) int {
	if n == nil {
		return end
	}
	return d.start(n)
}

func (d *definer) member(n *ast.Node, class string, exported bool) {
	name := n.Name()
	kind := "method"
	switch n.Kind {
	case ast.KindMethodDeclaration, ast.KindGetAccessor, ast.KindSetAccessor:
	case ast.KindPropertyDeclaration:
		kind = "field"
	case ast.KindConstructor:
		d.add(n, class+".constructor", kind, exported, d.body(n.Body(), n.End()))
		return
	default:
		return
	}
	if name == nil || !ast.IsIdentifier(name) {
		return
	}
	exported = exported && !ast.HasSyntacticModifier(n, ast.ModifierFlagsPrivate)
	d.add(n, class+"."+name.Text(), kind, exported, d.body(n.Body(), d.start(name)))
}
