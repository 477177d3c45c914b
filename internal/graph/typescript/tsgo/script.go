package tsgo

import (
	"slices"
	"strings"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/scanner"
)

// A script has no import and no export: what it offers stands in functions that are called where they stand, and becomes known
// by assignments, by objects whose members are put into others, and by calls that give an object a name.

// maxNested bounds how deep objects in objects are read for the functions that they hold.
const maxNested = 4

// globals are words for what every script of a page sees.
var globals = map[string]bool{"window": true, "self": true, "globalThis": true, "global": true, "root": true}

// loaders are called with a function that is the rest of a script, once what it needs is there: define([…], function () {…}).
var loaders = map[string]bool{"define": true, "require": true, "requirejs": true, "$": true, "jQuery": true, "ready": true, "domReady": true}

// mergers put what objects hold into their first argument, or into what they are called on.
var mergers = map[string]bool{"extend": true, "assign": true, "mixin": true, "mix": true, "augment": true, "addMethods": true, "implement": true}

// makers make a class of what an object holds.
var makers = map[string]bool{"extend": true, "create": true, "createClass": true, "createReactClass": true, "declare": true,
	"subclass": true, "inherit": true, "component": true, "defineComponent": true, "Class": true}

// namers give the name that is their first argument to a class or a function.
var namers = map[string]bool{"define": true, "declare": true, "widget": true, "component": true, "controller": true, "directive": true,
	"service": true, "factory": true, "filter": true, "provider": true, "createClass": true}

// libraries are words for what holds the functions of all, whose extend adds to them.
var libraries = map[string]bool{"fn": true, "$": true, "jQuery": true, "_": true}

// ran are statements that run as the text is loaded, and the name of what they return: "" where nobody takes it.
type ran struct {
	statements []*ast.Node
	as         string
}

// running are the statements that run within one, whose function returns what is named. Apart reports that it says nothing else.
func (d *definer) running(n *ast.Node, as string) (list []ran, apart bool) {
	switch n.Kind {
	case ast.KindIfStatement:
		s := n.AsIfStatement()
		for _, branch := range []*ast.Node{s.ThenStatement, s.ElseStatement} {
			switch {
			case branch == nil:
			case ast.IsBlock(branch):
				list = append(list, ran{branch.Statements(), as})
			default:
				list = append(list, ran{[]*ast.Node{branch}, as})
			}
		}
		return list, true
	case ast.KindVariableStatement:
		if !d.script {
			return nil, false
		}
		for _, v := range n.AsVariableStatement().DeclarationList.AsVariableDeclarationList().Declarations.Nodes {
			if init := v.AsVariableDeclaration().Initializer; init != nil && ast.IsIdentifier(v.Name()) {
				_, value := assigned(init)
				list = appendRan(list, immediate(value), v.Name().Text())
			}
		}
	case ast.KindReturnStatement:
		if e := n.Expression(); e != nil && as != "" {
			d.returned[n] = as
			list = appendRan(nil, immediate(ast.SkipOuterExpressions(e, ast.OEKAll)), as)
		}
	case ast.KindExpressionStatement:
		targets, value := assigned(n.Expression())
		switch {
		case len(targets) == 0:
			if list = d.loaded(value); len(list) > 0 || !d.script {
				return list, len(list) > 0
			}
			for _, c := range chained(value) {
				if names(c) {
					list = appendRan(list, lastHanded(c), c.Arguments()[0].Text())
				}
			}
		case d.script:
			list = appendRan(nil, immediate(value), d.scriptName(targets[0]))
		}
	}
	return list, false
}

// appendRan appends the statements of a function.
func appendRan(list []ran, f *ast.Node, as string) []ran {
	if f == nil || !ast.IsFunctionExpressionOrArrowFunction(f) || f.Body() == nil || !ast.IsBlock(f.Body()) {
		return list
	}
	return append(list, ran{f.Body().Statements(), as})
}

// calledBy is what a call calls, with new or without; nil of what is no call.
func calledBy(e *ast.Node) *ast.Node {
	switch {
	case ast.IsCallExpression(e):
		return e.AsCallExpression().Expression
	case ast.IsNewExpression(e):
		return e.AsNewExpression().Expression
	}
	return nil
}

// immediate is the function that an expression calls where it stands: (function () {…})(), (() => {…}).call(this), new function () {…}.
func immediate(e *ast.Node) *ast.Node {
	f := calledBy(e)
	if f == nil {
		return nil
	}
	f = ast.SkipOuterExpressions(f, ast.OEKAll)
	if ast.IsPropertyAccessExpression(f) && (f.Name().Text() == "call" || f.Name().Text() == "apply") {
		f = ast.SkipOuterExpressions(f.Expression(), ast.OEKAll)
	}
	if ast.IsFunctionExpressionOrArrowFunction(f) {
		return f
	}
	return nil
}

// loaded are the statements that a call at the top runs: of the function that is called where it stands; in a script of those too
// that it is handed, and of the last that a loader is handed.
func (d *definer) loaded(e *ast.Node) (list []ran) {
	switch e.Kind {
	case ast.KindPrefixUnaryExpression:
		e = ast.SkipOuterExpressions(e.AsPrefixUnaryExpression().Operand, ast.OEKAll)
	case ast.KindVoidExpression:
		e = ast.SkipOuterExpressions(e.Expression(), ast.OEKAll)
	}
	if f := immediate(e); f != nil {
		list = appendRan(nil, f, "")
		if !d.script {
			return list
		}
		for _, a := range e.Arguments() {
			before := len(list)
			if list = appendRan(list, ast.SkipOuterExpressions(a, ast.OEKAll), whole); len(list) > before {
				d.handsIn(f)
			}
		}
		return list
	}
	verb := calledWord(e)
	if !d.script || !ast.IsCallExpression(e) || len(e.Arguments()) == 0 {
		return nil
	}
	if !loaders[verb] && !(verb == "addEventListener" && isLiteral(e.Arguments()[0], "DOMContentLoaded", "load")) {
		return nil
	}
	as := ""
	if verb == "define" {
		as = whole
	}
	for _, a := range slices.Backward(e.Arguments()) {
		if list = appendRan(nil, ast.SkipOuterExpressions(a, ast.OEKAll), as); len(list) > 0 {
			break
		}
	}
	return list
}

// handsIn notes the names under which a function is handed others.
func (d *definer) handsIn(f *ast.Node) {
	for _, p := range f.Parameters() {
		if ast.IsIdentifier(p.Name()) {
			d.handed[p.Name().Text()] = true
		}
	}
}

// calledWord is the last word of what a call calls: extend for _.extend(…), Class for new Class(…).
func calledWord(e *ast.Node) string {
	f := calledBy(e)
	switch {
	case f == nil:
		return ""
	case ast.IsIdentifier(f):
		return f.Text()
	case ast.IsPropertyAccessExpression(f):
		return f.Name().Text()
	}
	return ""
}

func isLiteral(e *ast.Node, texts ...string) bool {
	return ast.IsStringLiteralLike(e) && slices.Contains(texts, e.Text())
}

// words are those of a chain of names: window, App, views for window.App.views; nil for what is no such chain.
func words(e *ast.Node) (list []string) {
	for range maxChain {
		e = ast.SkipOuterExpressions(e, ast.OEKAll)
		switch {
		case ast.IsIdentifier(e):
			list = append(list, e.Text())
		case e.Kind == ast.KindThisKeyword:
			list = append(list, "this")
		case ast.IsAccessExpression(e):
			name := ast.GetElementOrPropertyAccessName(e)
			if name == nil {
				return nil
			}
			list = append(list, name.Text())
			e = e.Expression()
			continue
		default:
			return nil
		}
		slices.Reverse(list)
		return list
	}
	return nil
}

// scriptName is the name that a script gives by assigning to an expression, without what every script sees and without
// prototypes: App.Model.get for window.App.Model.prototype.get; "" for none.
func (d *definer) scriptName(e *ast.Node) string {
	list := words(e)
	if len(list) > 1 && (list[0] == "this" || globals[list[0]] && (!d.locals[list[0]] || list[0] == "root")) {
		list = list[1:]
	}
	if len(list) == 0 || list[0] == "exports" || list[0] == "module" {
		return ""
	}
	first := list[0]
	if list = slices.DeleteFunc(list[1:], func(word string) bool { return word == "prototype" }); len(list) == 0 {
		return first
	}
	return first + "." + strings.Join(list, ".")
}

// global is the one word that an assignment makes known to all scripts: X for window.X, "" for none.
func (d *definer) global(e *ast.Node) string {
	list := words(e)
	if len(list) != 2 {
		return ""
	}
	if of := list[0]; of == "this" || globals[of] && (!d.locals[of] || of == "root") {
		return list[1]
	}
	return ""
}

// seen reports whether others see what has a name in a script: it belongs to what is exported, or to what another script made.
func (d *definer) seen(name string) bool {
	of, _, _ := strings.Cut(name, ".")
	return d.exported[of] || !d.locals[of]
}

// toOthers reports whether a script assigns to what another script made, or to what every script sees.
func (d *definer) toOthers(e *ast.Node) bool {
	name := d.scriptName(e)
	of, _, _ := strings.Cut(name, ".")
	return d.script && name != "" && (d.global(e) != "" || strings.Contains(name, ".") && !d.locals[of])
}

// handsOver reports whether a value is what a wrapper is handed, or what that returns: module.exports = factory(require('x')).
func (d *definer) handsOver(v *ast.Node) bool {
	if ast.IsCallExpression(v) {
		v = ast.SkipOuterExpressions(v.AsCallExpression().Expression, ast.OEKAll)
	}
	return ast.IsIdentifier(v) && d.handed[v.Text()] && !d.locals[v.Text()]
}

// scriptMembers adds what a statement of a script gives a name to beside its own: by assignments, in objects, and by calls.
func (d *definer) scriptMembers(n *ast.Node) {
	switch n.Kind {
	case ast.KindVariableStatement:
		for _, v := range n.AsVariableStatement().DeclarationList.AsVariableDeclarationList().Declarations.Nodes {
			if init := v.AsVariableDeclaration().Initializer; init != nil && ast.IsIdentifier(v.Name()) {
				_, value := assigned(init)
				d.held(value, v.Name().Text())
				d.namedCalls(n, value)
			}
		}
	case ast.KindReturnStatement:
		if n.Expression() == nil {
			return
		}
		targets, value := assigned(n.Expression())
		switch as := d.returned[n]; {
		case len(targets) > 0:
			d.given(n, targets, value)
		case as != "" && as != whole:
			d.held(value, as)
		case !makesClass(value):
			d.merged(value)
		}
		d.namedCalls(n, value)
	case ast.KindExpressionStatement:
		targets, value := assigned(n.Expression())
		if len(targets) == 0 {
			d.merged(value)
			d.namedCalls(n, value)
			return
		}
		d.given(n, targets, value)
		d.namedCalls(n, value)
	}
}

// given adds what a statement gives a value to, and what the value holds.
func (d *definer) given(n *ast.Node, targets []*ast.Node, value *ast.Node) {
	kind, head := d.valued(value)
	holder := ""
	for _, t := range targets {
		name := d.scriptName(t)
		switch {
		case name == "":
			continue
		case strings.Contains(name, "."):
			if kind != "const" {
				d.add(n, name, map[string]string{"func": "method", "class": "class"}[kind], d.seen(name), head)
			}
		case kind != "const", d.global(t) == name && !d.locals[name] && !ast.IsIdentifier(value) && !d.handsOver(value):
			d.add(n, name, kind, d.seen(name), head)
		}
		if holder == "" {
			holder = name
		}
	}
	if holder == "" {
		return
	}
	if kind == "class" {
		for _, m := range value.AsClassExpression().Members.Nodes {
			d.member(m, holder, d.seen(holder))
		}
	}
	d.held(value, holder)
}

// held adds the functions that a value of a name holds: an object, or a class that a call makes of objects.
func (d *definer) held(v *ast.Node, name string) {
	switch {
	case ast.IsObjectLiteralExpression(v):
		d.nested(v, name, 0)
	case makes(v) && !names(v):
		d.objects(v.Arguments(), name)
	}
}

// makes reports whether a call may make a class of what an object holds.
func makes(v *ast.Node) bool { return makers[calledWord(v)] && !isWord(calledOn(v), "Object") }

// makesClass reports whether it does, rather than put members into what is there: View.extend({…}), not $.fn.extend({…}).
func makesClass(v *ast.Node) bool {
	if !makes(v) || names(v) {
		return false
	}
	list := words(calledOn(v))
	return len(list) > 0 && !libraries[list[len(list)-1]]
}

// names reports whether a call gives its last argument the name that is written out as its first.
func names(c *ast.Node) bool {
	if !ast.IsCallExpression(c) || len(c.Arguments()) < 2 {
		return false
	}
	first, verb := c.Arguments()[0], calledWord(c)
	return (namers[verb] || strings.HasPrefix(verb, "define") || strings.HasPrefix(verb, "register")) && ast.IsStringLiteralLike(first) && isDotted(first.Text())
}

// lastHanded is the last argument of a call, or the last member of an array that is it: what is handed to a function stands before it.
func lastHanded(c *ast.Node) *ast.Node {
	last := ast.SkipOuterExpressions(c.Arguments()[len(c.Arguments())-1], ast.OEKAll)
	if ast.IsArrayLiteralExpression(last) {
		if list := last.AsArrayLiteralExpression().Elements.Nodes; len(list) > 0 {
			return ast.SkipOuterExpressions(list[len(list)-1], ast.OEKAll)
		}
	}
	return last
}

// objects adds the functions that objects among a call's arguments hold.
func (d *definer) objects(arguments []*ast.Node, name string) {
	for _, a := range arguments {
		if a = ast.SkipOuterExpressions(a, ast.OEKAll); ast.IsObjectLiteralExpression(a) {
			d.nested(a, name, 0)
		}
	}
}

// nested adds the functions that an object holds, and those of objects in it.
func (d *definer) nested(o *ast.Node, of string, depth int) {
	for _, e := range properties(o) {
		name := of + "." + e.name
		if e.name == "prototype" {
			name = of
		}
		value := ast.SkipOuterExpressions(e.value, ast.OEKAll)
		switch kind, head := d.valued(value); {
		case kind == "func":
			d.add(e.at, name, "method", d.seen(of), head)
		case ast.IsObjectLiteralExpression(value) && depth < maxNested:
			d.nested(value, name, depth+1)
		}
	}
}

// calledOn is what a call's word is a member of: $ for $.extend(…).
func calledOn(e *ast.Node) *ast.Node {
	f := e.Expression()
	if ast.IsPropertyAccessExpression(f) {
		return f.Expression()
	}
	return f
}

// merged adds what a call puts into an object that has a name: $.extend($.fn, {…}), jQuery.extend({…}), Object.assign(A.prototype, {…}).
func (d *definer) merged(e *ast.Node) {
	if !ast.IsCallExpression(e) || !mergers[calledWord(e)] {
		return
	}
	arguments := e.Arguments()
	if len(arguments) > 0 && arguments[0].Kind == ast.KindTrueKeyword { // deep
		arguments = arguments[1:]
	}
	if len(arguments) == 0 {
		return
	}
	into := arguments[0]
	if ast.IsObjectLiteralExpression(into) {
		if into = calledOn(e); isWord(into, "Object") || into == e.Expression() {
			return
		}
	}
	if name := d.scriptName(into); name != "" {
		d.objects(arguments, name)
	}
}

// chained are the calls of a chain, in their order: a.b() and a.b().c() of a.b().c().
func chained(e *ast.Node) (calls []*ast.Node) {
	for range maxChain {
		if !ast.IsCallExpression(e) {
			break
		}
		calls = append(calls, e)
		e = ast.SkipOuterExpressions(calledOn(e), ast.OEKAll)
	}
	slices.Reverse(calls)
	return calls
}

// namedCalls adds what calls give a name to that is written out: $.widget('ui.dialog', {…}), module.controller('Page', function () {…}).
func (d *definer) namedCalls(n, e *ast.Node) {
	for _, c := range chained(e) {
		d.namedCall(n, c)
	}
}

func (d *definer) namedCall(n, c *ast.Node) {
	if !names(c) {
		return
	}
	arguments := c.Arguments()
	name, last := arguments[0].Text(), lastHanded(c)
	kind, head := d.valued(last)
	if kind == "const" {
		if !ast.IsObjectLiteralExpression(last) {
			return
		}
		kind, head = "class", last.Pos()
	}
	count := len(d.list)
	d.add(n, name, kind, true, head)
	if f := c.Expression(); len(d.list) > count && ast.IsPropertyAccessExpression(f) && ast.IsCallExpression(f.Expression()) {
		one := &d.list[count]
		one.Line = d.line(d.start(f.Name()))
		one.From, one.End = one.Line, d.line(c.End()-1)
		one.Head = min(max(one.Head, one.Line), one.End)
	}
	d.objects(append(slices.Clip(arguments[:len(arguments)-1]), last), name)
}

// isDotted reports whether a text is a name, or names with dots between them.
func isDotted(text string) bool {
	for word := range strings.SplitSeq(text, ".") {
		if !scanner.IsIdentifierText(word, core.LanguageVariantStandard) {
			return false
		}
	}
	return true
}
