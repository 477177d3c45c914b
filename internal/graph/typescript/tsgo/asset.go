package tsgo

import (
	"strings"

	"github.com/microsoft/typescript-go/internal/ast"
)

// assets adds what a node asks for that is no import, where it is written out: new URL("x", import.meta.url),
// import.meta.glob("x/*"), require.context("x"), require.resolve("x"), and the templates and styles of a component's decorator.
func (x *extractor) assets(n *ast.Node) {
	switch n.Kind {
	case ast.KindNewExpression:
		e := n.AsNewExpression()
		if e.Arguments != nil && len(e.Arguments.Nodes) == 2 && x.textOf(e.Expression) == "URL" && x.textOf(e.Arguments.Nodes[1]) == "import.meta.url" {
			x.asset(e.Arguments.Nodes[0], Address, "")
		}
	case ast.KindCallExpression:
		e := n.AsCallExpression()
		if len(e.Arguments.Nodes) == 0 || e.Expression.Kind != ast.KindPropertyAccessExpression {
			return
		}
		first := e.Arguments.Nodes[0]
		switch x.textOf(e.Expression) {
		case "require.resolve":
			if ast.IsStringLiteralLike(first) {
				x.add(Ref{Name: first.Text(), Kind: Dynamic, Form: Require})
			}
		case "require.context":
			end := "/**"
			if len(e.Arguments.Nodes) > 1 && x.textOf(e.Arguments.Nodes[1]) == "false" {
				end = "/*"
			}
			if len(e.Arguments.Nodes) > 2 {
				if name := ending(x.textOf(e.Arguments.Nodes[2])); name != "" && end == "/**" {
					end += "/*" + name
				} else {
					end += name
				}
			}
			x.asset(first, Glob, end)
		case "import.meta.glob", "import.meta.globEager":
			x.asset(first, Glob, "")
		default:
			x.mock(e, first)
		}
	case ast.KindPropertyAssignment:
		switch e := n.AsPropertyAssignment(); x.textOf(e.Name()) {
		case "templateUrl", "styleUrl", "styleUrls", "setupFiles", "setupFilesAfterEnv", "globalSetup", "globalTeardown":
			x.asset(e.Initializer, Address, "")
		}
	}
}

// mocks are the calls of Jest and Vitest that name a module.
var mocks = map[string]bool{"mock": true, "doMock": true, "unmock": true, "dontMock": true, "requireActual": true, "requireMock": true, "unstable_mockModule": true, "importActual": true, "importMock": true}

// mock adds the module that a test mocks. One that Jest is told is nowhere need not be there.
func (x *extractor) mock(e *ast.CallExpression, first *ast.Node) {
	of, name, _ := strings.Cut(x.textOf(e.Expression), ".")
	if of != "jest" && of != "vi" || !mocks[name] || !ast.IsStringLiteralLike(first) {
		return
	}
	form := Require
	if n := len(e.Arguments.Nodes); n > 2 && strings.Contains(x.textOf(e.Arguments.Nodes[n-1]), "virtual") {
		form = Address
	}
	x.add(Ref{Name: first.Text(), Kind: Dynamic, Form: form})
}

// ending is what names end with that a pattern matches, as a glob: .{vue,js} for /Base[A-Z]\w+\.(vue|js)$/; "" where nothing is known.
func ending(pattern string) string {
	body, ok := strings.CutPrefix(pattern, "/")
	at := strings.LastIndex(body, "$/")
	if !ok || at < 0 {
		return ""
	}
	body = body[:at]
	end := ""
	for body != "" {
		last := body[len(body)-1]
		switch {
		case last == ')' && !strings.Contains(end, "{"):
			open := strings.LastIndexByte(body, '(')
			if open < 0 {
				return end
			}
			inner := strings.TrimPrefix(body[open+1:len(body)-1], "?:")
			if strings.Trim(inner, letters+"|") != "" {
				return end
			}
			end, body = "{"+strings.ReplaceAll(inner, "|", ",")+"}"+end, body[:open]
		case strings.HasSuffix(body, `\.`) || strings.HasSuffix(body, `\/`):
			if last == '/' { // of the folder
				return end
			}
			end, body = string(last)+end, body[:len(body)-2]
		case strings.IndexByte(letters, last) >= 0 && !strings.HasSuffix(body[:len(body)-1], `\`):
			end, body = string(last)+end, body[:len(body)-1]
		default:
			return end
		}
	}
	return end
}

// letters are the signs that stand for themselves in a pattern.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// asset adds a literal, or those of a list, with what ends the name.
func (x *extractor) asset(n *ast.Node, form Form, end string) {
	switch {
	case n == nil:
	case ast.IsStringLiteralLike(n):
		kind := Runtime
		if form == Glob {
			kind = Dynamic
		}
		x.add(Ref{Name: n.Text() + end, Kind: kind, Form: form})
	case n.Kind == ast.KindArrayLiteralExpression:
		for _, one := range n.AsArrayLiteralExpression().Elements.Nodes {
			if ast.IsStringLiteralLike(one) {
				x.asset(one, form, end)
			}
		}
	}
}

// textOf is the text of a short node, "" of a long one.
func (x *extractor) textOf(n *ast.Node) string {
	if n == nil {
		return ""
	}
	text := x.source.Text()
	from, to := n.Pos(), n.End()
	if from < 0 || to > len(text) || to-from > 100 || from > to {
		return ""
	}
	return strings.TrimSpace(text[from:to])
}
