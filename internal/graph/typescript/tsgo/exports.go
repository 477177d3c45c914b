package tsgo

import (
	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/scanner"
)

// whole is the name of what a file exports as its default, or as all that it exports, where it has no other.
const whole = "default"

// export is one name that a text hands out.
type export struct {
	name  string
	at    *ast.Node // what is shown of it
	value *ast.Node // nil where another file has it
}

// export notes what a statement exports of the text's own names, and adds what has no name there.
func (d *definer) export(n *ast.Node) {
	for _, e := range d.exports(n) {
		v := ast.SkipOuterExpressions(e.value, ast.OEKAll)
		local := d.named(v, e.name == whole)
		switch {
		case local != "":
			d.exported[local] = true
			if e.name == whole {
				d.wholes[local] = true
			} else if e.name != local {
				d.extra = append(d.extra, extra{e, "alias"})
			}
		case ast.IsIdentifier(v) && (e.name == whole || v.Text() == "undefined" || n.Kind == ast.KindExportDeclaration),
			ast.IsVoidExpression(v), e.name == whole && required(v): // of another file, or nothing yet
		case ast.IsIdentifier(v), required(v):
			d.extra = append(d.extra, extra{e, "alias"})
		default:
			e.value = v
			d.extra = append(d.extra, extra{e, ""})
		}
	}
}

// named is the name of the text's own that a value is; wrapped: or that a call is made around: memo(Card), connect(a)(Card).
func (d *definer) named(v *ast.Node, wrapped bool) string {
	for range maxWrapped {
		if ast.IsIdentifier(v) && d.locals[v.Text()] {
			return v.Text()
		}
		if !wrapped || !ast.IsCallExpression(v) || len(v.AsCallExpression().Arguments.Nodes) == 0 {
			break
		}
		v = ast.SkipOuterExpressions(v.AsCallExpression().Arguments.Nodes[0], ast.OEKAll)
	}
	return ""
}

// Bounds of how deep what is exported is looked for.
const (
	maxWrapped = 8
	maxChain   = 64
)

// exports are the names that a statement hands out.
func (d *definer) exports(n *ast.Node) (list []export) {
	switch n.Kind {
	case ast.KindExportAssignment: // export default x, export = x
		if e := n.AsExportAssignment().Expression; e != nil {
			return []export{{whole, n, e}}
		}
	case ast.KindExportDeclaration: // export { x, y as z }
		e := n.AsExportDeclaration()
		if e.ModuleSpecifier != nil || e.ExportClause == nil || !ast.IsNamedExports(e.ExportClause) {
			return nil
		}
		for _, s := range e.ExportClause.AsNamedExports().Elements.Nodes {
			local := s.AsExportSpecifier().PropertyName
			if local == nil {
				local = s.Name()
			}
			list = append(list, export{s.Name().Text(), s, local})
		}
	case ast.KindVariableStatement: // const x = module.exports = …
		for _, v := range n.AsVariableStatement().DeclarationList.AsVariableDeclarationList().Declarations.Nodes {
			init := v.AsVariableDeclaration().Initializer
			if init == nil || !ast.IsIdentifier(v.Name()) {
				continue
			}
			targets, _ := assigned(init)
			for _, t := range targets {
				if name := exportedBy(t); name != "" {
					list = append(list, export{name, v, v.Name()})
				} else if d.toOthers(t) {
					d.exported[v.Name().Text()] = true
				}
			}
		}
	case ast.KindReturnStatement:
		if d.returned[n] == whole {
			return d.all(n, ast.SkipOuterExpressions(n.Expression(), ast.OEKAll))
		}
	case ast.KindExpressionStatement:
		e := n.Expression()
		if ast.IsCallExpression(e) {
			return d.called(n, e)
		}
		return d.assignedExports(n, e)
	}
	return list
}

// assignedExports are the names that a chain of assignments hands out.
func (d *definer) assignedExports(n, e *ast.Node) (list []export) {
	targets, value := assigned(e)
	for i, t := range targets {
		name := exportedBy(t)
		switch {
		case name == "":
			if ast.IsIdentifier(value) && d.locals[value.Text()] && d.toOthers(t) {
				d.exported[value.Text()] = true
			}
		case d.handsOver(value):
		case name == whole && ast.IsObjectLiteralExpression(value):
			list = append(list, properties(value)...)
		case name == whole && i > 0 && exportedBy(targets[0]) == whole: // exports = module.exports = x
		default:
			list = append(list, export{name, n, value})
		}
	}
	return list
}

// called are the names that a call hands out: define({…}), Object.defineProperty(exports, 'x', …), Object.assign(exports, {…}).
func (d *definer) called(n, e *ast.Node) []export {
	c := e.AsCallExpression()
	if last := len(c.Arguments.Nodes) - 1; d.script && last >= 0 && isWord(c.Expression, "define") && ast.IsObjectLiteralExpression(c.Arguments.Nodes[last]) {
		return properties(c.Arguments.Nodes[last])
	}
	if !ast.IsPropertyAccessExpression(c.Expression) || !isWord(c.Expression.Expression(), "Object") || len(c.Arguments.Nodes) < 2 || exportedBy(c.Arguments.Nodes[0]) != whole {
		return nil
	}
	second := c.Arguments.Nodes[1]
	switch c.Expression.Name().Text() {
	case "defineProperty":
		if ast.IsStringLiteralLike(second) && second.Text() != "__esModule" && len(c.Arguments.Nodes) > 2 {
			return []export{{second.Text(), n, second}} // what follows says how it is read, and is not what it is
		}
	case "assign":
		if ast.IsObjectLiteralExpression(second) {
			return properties(second)
		}
	}
	return nil
}

// all are the names that a value hands out which is all that a script returns. A call that gives it a name, or that only uses
// something, makes no other.
func (d *definer) all(n, value *ast.Node) []export {
	kind, _ := d.valued(value)
	switch {
	case ast.IsObjectLiteralExpression(value):
		return properties(value)
	case kind != "const", ast.IsIdentifier(value), makesClass(value):
		return []export{{whole, n, value}}
	}
	return nil
}

// properties are the names that an object has, as exports.
func properties(o *ast.Node) (list []export) {
	for _, p := range o.AsObjectLiteralExpression().Properties.Nodes {
		name := p.Name()
		if name == nil || !ast.IsIdentifier(name) && !ast.IsStringLiteral(name) {
			continue
		}
		value := p
		switch p.Kind {
		case ast.KindPropertyAssignment:
			value = p.AsPropertyAssignment().Initializer
		case ast.KindShorthandPropertyAssignment:
			value = name
		}
		list = append(list, export{name.Text(), p, value})
	}
	return list
}

// assigned are what a chain of assignments gives a value to, and the value: a = b = c.
func assigned(e *ast.Node) (targets []*ast.Node, value *ast.Node) {
	value = ast.SkipOuterExpressions(e, ast.OEKAll)
	for len(targets) < maxChain && ast.IsAssignmentExpression(value, true) {
		targets = append(targets, value.AsBinaryExpression().Left)
		value = ast.SkipOuterExpressions(value.AsBinaryExpression().Right, ast.OEKAll)
	}
	return targets, value
}

// exportedBy is the name that CommonJS exports by an assignment to an expression, whole for all, "" for none.
func exportedBy(e *ast.Node) string {
	switch {
	case isWord(e, "exports"), ast.IsModuleExportsAccessExpression(e):
		return whole
	case !ast.IsAccessExpression(e) || exportedBy(e.Expression()) != whole:
		return ""
	}
	if name := ast.GetElementOrPropertyAccessName(e); name != nil {
		return name.Text()
	}
	return ""
}

func isWord(e *ast.Node, word string) bool { return ast.IsIdentifier(e) && e.Text() == word }

// required reports whether a value is what another file exports, or a member of it: require('x').y, await import('x').
func required(v *ast.Node) bool {
	for range maxChain {
		if ast.IsAwaitExpression(v) {
			v = v.Expression()
			return ast.IsCallExpression(v) && v.Expression().Kind == ast.KindImportKeyword
		}
		if ast.IsRequireCall(v, false) {
			return true
		}
		if !ast.IsPropertyAccessExpression(v) {
			return false
		}
		v = v.Expression()
	}
	return false
}

// assignedMember adds the functions that a statement gives to a name of the text: A.prototype.b = function…, A.b = function….
func (d *definer) assignedMember(n *ast.Node) {
	if !ast.IsExpressionStatement(n) {
		return
	}
	targets, value := assigned(n.Expression())
	for _, t := range targets {
		if !ast.IsAccessExpression(t) {
			continue
		}
		name, of := ast.GetElementOrPropertyAccessName(t), t.Expression()
		if name == nil {
			continue
		}
		if name.Text() == "prototype" && ast.IsIdentifier(of) && d.locals[of.Text()] && ast.IsObjectLiteralExpression(value) {
			d.methodsIn(value, of.Text(), d.exported[of.Text()], nil)
			continue
		}
		if ast.IsPropertyAccessExpression(of) && of.Name().Text() == "prototype" {
			of = of.Expression()
		}
		if !ast.IsIdentifier(of) || !d.locals[of.Text()] {
			continue
		}
		if kind, head := d.valued(value); kind == "func" || kind == "class" {
			d.add(n, of.Text()+"."+name.Text(), map[string]string{"func": "method", "class": "class"}[kind], d.exported[of.Text()], head)
		}
	}
}

// methods adds the functions that an object has, and those of the objects in it: of const resolvers = { Query: { user() {} } } the function
// resolvers.Query.user. Who takes a flat one makes members of one thing of both: of export default { methods: { save() {} } } default.save.
func (d *definer) methods(o *ast.Node, of string, exported, flat bool) {
	d.methodsIn(o, of, exported, func(group string) string {
		if flat {
			return of
		}
		return of + "." + group
	})
}

// methodsIn adds the functions that an object has, under the name of it, and those of the objects in it under that which inner gives them.
func (d *definer) methodsIn(o *ast.Node, of string, exported bool, inner func(group string) string) {
	for _, e := range properties(o) {
		if !scanner.IsIdentifierText(e.name, core.LanguageVariantStandard) {
			continue
		}
		value := ast.SkipOuterExpressions(e.value, ast.OEKAll)
		switch kind, head := d.valued(value); {
		case kind == "func" && !gives(value):
			d.add(e.at, of+"."+e.name, "method", exported, head)
		case inner != nil && ast.IsObjectLiteralExpression(value):
			d.methodsIn(value, inner(e.name), exported, nil)
		}
	}
}

// gives reports whether a function is only written as one to give a new array or object each time: items: () => [].
func gives(f *ast.Node) bool {
	if !ast.IsArrowFunction(f) || len(f.Parameters()) > 0 {
		return false
	}
	body := ast.SkipOuterExpressions(f.Body(), ast.OEKAll)
	return ast.IsArrayLiteralExpression(body) || ast.IsObjectLiteralExpression(body)
}

// methodsOf adds the functions that a value of a name has: an object, or one that a call is given, which makes a component, a store or a
// slice of it.
func (d *definer) methodsOf(v *ast.Node, of string, exported bool) {
	switch v = ast.SkipOuterExpressions(v, ast.OEKAll); {
	case ast.IsObjectLiteralExpression(v):
		d.methods(v, of, exported, of == whole)
	case ast.IsCallExpression(v):
		for _, a := range v.Arguments() {
			if a = ast.SkipOuterExpressions(a, ast.OEKAll); ast.IsObjectLiteralExpression(a) {
				d.methods(a, of, exported, true)
			}
		}
	}
}

// valued is the kind of a value, and where what is shown of it ends.
func (d *definer) valued(v *ast.Node) (kind string, head int) {
	switch v.Kind {
	case ast.KindArrowFunction, ast.KindFunctionExpression, ast.KindMethodDeclaration, ast.KindGetAccessor, ast.KindSetAccessor:
		return "func", d.body(v.Body(), v.End())
	case ast.KindClassExpression:
		return "class", v.AsClassExpression().Members.Pos() - 1
	}
	return "const", d.start(v)
}

// extra is what is exported and has no statement of its own that declares it.
type extra struct {
	export
	kind string // "" by its value
}

// addExtra adds those that begin before a place, with what belongs to them.
func (d *definer) addExtra(before int) {
	for len(d.extra) > 0 && d.extra[0].at.Pos() < before {
		d.addValue(d.extra[0])
		d.extra = d.extra[1:]
	}
}

// addValue adds a value that is exported.
func (d *definer) addValue(x extra) {
	kind, head := d.valued(x.value)
	name := x.name
	if x.kind != "" {
		kind = x.kind
	}
	if own := x.value.Name(); name == whole && (kind == "func" || kind == "class") && own != nil && ast.IsIdentifier(own) {
		name = own.Text()
	}
	n := len(d.list)
	d.add(x.at, name, kind, true, head)
	if n == len(d.list) {
		return
	}
	d.list[n].Default = x.name == whole
	v := x.value
	switch {
	case kind == "class":
		for _, m := range v.AsClassExpression().Members.Nodes {
			d.member(m, name, true)
		}
	case kind == "const":
		d.methodsOf(v, name, true)
	}
}

// tops are the statements at the top of a text, and those that stand in a function which is called there, or below an if.
// As is what takes that which they return.
func (d *definer) tops(list []*ast.Node, as string, depth int) (all []*ast.Node) {
	for _, n := range list {
		if n.Flags&ast.NodeFlagsReparsed != 0 {
			continue
		}
		var inner []ran
		apart := false
		if depth < maxWrapped {
			inner, apart = d.running(n, as)
		}
		if !apart {
			all = append(all, n)
		}
		for _, r := range inner {
			all = append(all, d.tops(r.statements, r.as, depth+1)...)
		}
	}
	return all
}
