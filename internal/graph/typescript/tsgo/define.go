package tsgo

import (
	"sort"
	"strings"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/scanner"
)

// Definition is a declaration at the top of a text, or a member of one.
type Definition struct {
	Name, Kind            string
	From, Line, Head, End int
	Exported              bool
	// Promised says that an interface or a literal type asks for it.
	Promised bool
	// Default says that it is what the file exports as its default, or all that it exports.
	Default bool
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
	source := sourceFile(name, text, kind)
	return definitions(source, text)
}

// definitions lists those of a text that was read. Nothing in the list is a part of the text.
func definitions(source *ast.SourceFile, text string) (list []Definition, err error) {
	defer guard(&err)
	d := definer{source: source, text: text, locals: map[string]bool{}, exported: map[string]bool{}, wholes: map[string]bool{},
		script: source.ExternalModuleIndicator == nil, returned: map[*ast.Node]string{}, handed: map[string]bool{}}
	for i := range len(text) {
		if text[i] == '\n' {
			d.ends = append(d.ends, i)
		}
	}
	statements := d.tops(source.Statements.Nodes, "", 0)
	for _, n := range statements {
		d.declare(n)
	}
	for _, n := range statements {
		d.export(n)
	}
	for _, n := range statements {
		d.addExtra(n.Pos())
		d.statement(n, "", 0)
		if d.script {
			d.scriptMembers(n)
		} else {
			d.assignedMember(n)
		}
	}
	d.addExtra(len(text) + 1)
	list = make([]Definition, len(d.list))
	for i, one := range d.list {
		one.Name, one.Kind, one.Doc = strings.Clone(one.Name), strings.Clone(one.Kind), strings.Clone(one.Doc)
		list[i] = one
	}
	return list, nil
}

type definer struct {
	source *ast.SourceFile
	text   string
	ends   []int
	// locals are the names that the text declares at its top, exported those of them that others see, wholes those that are its default,
	// or all that it exports.
	locals, exported, wholes map[string]bool
	// extra are exports that no declaration names, in their order.
	extra []extra
	list  []Definition
	// script is set where the text neither imports nor exports by statements. Returned is, by a statement that returns from a function
	// which a script runs, who takes what it returns; handed are the names under which such functions are given others.
	script   bool
	returned map[*ast.Node]string
	handed   map[string]bool
}

// declare notes the names that a statement declares, but for those that are of another file.
func (d *definer) declare(n *ast.Node) {
	if n.Kind == ast.KindImportEqualsDeclaration {
		return
	}
	if name := statementName(n); name != "" && n.Kind != ast.KindVariableStatement {
		d.locals[name] = true
	}
	if n.Kind == ast.KindVariableStatement {
		for _, v := range n.AsVariableStatement().DeclarationList.AsVariableDeclarationList().Declarations.Nodes {
			if init := v.AsVariableDeclaration().Initializer; init == nil || !required(ast.SkipOuterExpressions(init, ast.OEKAll)) {
				for _, name := range boundNames(v.Name(), 0) {
					d.locals[name.Text()] = true
				}
			}
		}
	}
}

// boundNames are the names that a declaration binds: one, or those of a pattern.
func boundNames(n *ast.Node, depth int) (list []*ast.Node) {
	switch {
	case n == nil || depth > maxWrapped:
	case ast.IsIdentifier(n):
		return []*ast.Node{n}
	case ast.IsBindingPattern(n):
		for _, e := range n.AsBindingPattern().Elements.Nodes {
			list = append(list, boundNames(e.Name(), depth+1)...)
		}
	}
	return list
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

// undecorated is where a declaration begins behind its decorators, which belong to it and do not name it.
func (d *definer) undecorated(n *ast.Node) int {
	start := d.start(n)
	if list := n.Modifiers(); list != nil {
		for _, m := range list.Nodes {
			if ast.IsDecorator(m) {
				start = scanner.SkipTrivia(d.text, m.End())
			}
		}
	}
	return start
}

// add adds the definition that a node declares; its signature ends at head.
func (d *definer) add(n *ast.Node, name, kind string, exported bool, head int) {
	if name == "" || len(d.list) >= maxDefinitions {
		return
	}
	start := d.start(n)
	def := Definition{Name: name, Kind: kind, Exported: exported, Default: d.wholes[name] || ast.HasSyntacticModifier(n, ast.ModifierFlagsDefault), Line: d.line(d.undecorated(n)), End: d.line(max(n.End()-1, start))}
	def.Head = min(max(d.line(head), def.Line), def.End)
	def.From = d.line(start)
	before := d.text[min(n.Pos(), start):start]
	if at := strings.LastIndex(before, "/**"); at >= 0 {
		if end := strings.Index(before[at:], "*/"); end >= 0 {
			def.From = d.line(min(n.Pos(), start) + at)
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
		d.variables(n, within, exported)
	}
}

// variables adds what a statement gives names to, but for what it takes from other files, and the functions in their values.
func (d *definer) variables(n *ast.Node, within string, exported bool) {
	list := n.AsVariableStatement().DeclarationList
	kind := "var"
	if list.Flags&ast.NodeFlagsConst != 0 {
		kind = "const"
	}
	for i, v := range list.AsVariableDeclarationList().Declarations.Nodes {
		if i > 0 {
			n = v
		}
		init := v.AsVariableDeclaration().Initializer
		if init != nil && required(ast.SkipOuterExpressions(init, ast.OEKAll)) { // as an import
			continue
		}
		for _, name := range boundNames(v.Name(), 0) {
			k, head := kind, d.start(name)
			if init != nil && name == v.Name() {
				_, value := assigned(init)
				if k, head = d.valued(value); k == "const" {
					k = kind
				}
			}
			seen := exported || d.exported[name.Text()] && within == ""
			d.add(n, within+name.Text(), k, seen, head)
			if init != nil && k == kind && !d.script && name == v.Name() {
				d.methodsOf(init, within+name.Text(), seen)
			}
		}
	}
}

// statementName is the name of what a statement declares, "" where it declares several.
func statementName(n *ast.Node) string {
	if n.Kind != ast.KindVariableStatement && n.Name() != nil && (ast.IsIdentifier(n.Name()) || ast.IsStringLiteral(n.Name())) {
		return n.Name().Text()
	}
	if ast.HasSyntacticModifier(n, ast.ModifierFlagsDefault) {
		return whole
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
	if name == nil || !ast.IsIdentifier(name) && !ast.IsPrivateIdentifier(name) {
		return
	}
	exported = exported && !ast.HasSyntacticModifier(n, ast.ModifierFlagsPrivate) && !ast.IsPrivateIdentifier(name)
	d.add(n, class+"."+name.Text(), kind, exported, d.body(n.Body(), d.start(name)))
}
