package tsgo

import (
	"errors"
	"strconv"
	"strings"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/scanner"
)

// errSyntax is a text that is no program: nobody knows what of it is layout.
var errSyntax = errors.New("the text has syntax errors")

// Unformatted writes a source text as what it says, without what a formatter chooses: white space, semicolons and commas that
// separate or end, the sign of quotes, the bar before the first of a union, parentheses that group what is grouped without them or
// stand round one parameter, quotes round a property's name that needs none. Two texts for which it is the same are one program
// with the same comments in the same order. An error is a text of which that is not known.
//
//go:noinline so that the compiler's types stay here
func Unformatted(name, text string) (string, error) {
	return stoppable(&definers, text, func(text string) (string, error) { return unformatted(name, text) })
}

func unformatted(name, text string) (_ string, err error) {
	defer guard(&err)
	kind := core.GetScriptKindFromFileName(name)
	if err := shallow(text, kind); err != nil {
		return "", err
	}
	source := sourceFile(name, text, kind)
	if len(source.Diagnostics()) > 0 {
		return "", errSyntax
	}
	f := former{source: source, text: text}
	f.node(source.AsNode(), nil)
	if f.lost {
		return "", errSyntax
	}
	return f.out.String() + "\n" + f.comments.String(), nil
}

// former writes a syntax tree.
type former struct {
	source        *ast.SourceFile
	text          string
	out, comments strings.Builder
	// lost is set where the tree and the text do not go together.
	lost bool
}

// node writes a node: its kind, its children, and the signs between them.
func (f *former) node(n, parent *ast.Node) {
	switch n.Kind {
	case ast.KindParenthesizedExpression:
		if f.groups(n, parent) {
			f.between(n.Pos(), n.Expression().Pos(), "(")
			f.node(n.Expression(), parent)
			f.between(n.Expression().End(), n.End(), ")")
			return
		}
	case ast.KindParenthesizedType:
		if t := n.AsParenthesizedTypeNode().Type; t != nil {
			f.between(n.Pos(), t.Pos(), "(")
			f.node(t, parent)
			f.between(t.End(), n.End(), ")")
			return
		}
	case ast.KindEmptyStatement, ast.KindSemicolonClassElement:
		if parent != nil && (parent.Kind == ast.KindSourceFile || parent.Kind == ast.KindBlock || parent.Kind == ast.KindModuleBlock || ast.IsClassLike(parent)) {
			f.between(n.Pos(), n.End(), ";")
			return
		}
	case ast.KindStringLiteral, ast.KindNumericLiteral, ast.KindBigIntLiteral, ast.KindNoSubstitutionTemplateLiteral, ast.KindTemplateHead, ast.KindTemplateMiddle,
		ast.KindTemplateTail, ast.KindRegularExpressionLiteral, ast.KindIdentifier, ast.KindPrivateIdentifier, ast.KindJsxText:
		f.leaf(n, parent)
		return
	}
	f.out.WriteString("(" + strconv.Itoa(int(n.Kind)))
	at, drops := n.Pos(), dropped(n)
	n.ForEachChild(func(child *ast.Node) bool {
		if child.Flags&ast.NodeFlagsReparsed != 0 || child.Kind == ast.KindEndOfFile {
			return false
		}
		if child.Pos() < at {
			f.lost = true
			return true
		}
		f.between(at, child.Pos(), drops)
		f.node(child, n)
		at = child.End()
		return false
	})
	f.between(at, n.End(), drops)
	f.out.WriteByte(')')
}

// dropped are the signs that mean nothing between the children of a node, which the tree tells apart.
func dropped(n *ast.Node) string {
	switch n.Kind {
	case ast.KindForStatement:
		return ""
	case ast.KindUnionType:
		return "|"
	case ast.KindIntersectionType:
		return "&"
	case ast.KindArrowFunction, ast.KindNewExpression:
		return ",;()"
	}
	return ",;"
}

// groups reports whether parentheses only hold together what the tree holds together. Those round a chain with ?. end it, those
// round a string at the beginning of a statement keep it from being a directive, and a comment before one may be a type.
func (f *former) groups(n, parent *ast.Node) bool {
	inner := n.Expression()
	for inner.Kind == ast.KindParenthesizedExpression {
		inner = inner.Expression()
	}
	if inner.Flags&ast.NodeFlagsOptionalChain != 0 || inner.Kind == ast.KindStringLiteral && parent != nil && parent.Kind == ast.KindExpressionStatement {
		return false
	}
	return !strings.Contains(f.text[n.Pos():scanner.GetTokenPosOfNode(n, f.source, false)], "/*")
}

// leaf writes a word or a literal.
func (f *former) leaf(n, parent *ast.Node) {
	if n.Kind == ast.KindJsxText {
		if shown := jsxText(f.text[n.Pos():n.End()]); shown != "" {
			f.out.WriteString("(" + strconv.Itoa(int(n.Kind)) + strconv.Quote(shown) + ")")
		}
		return
	}
	start := scanner.GetTokenPosOfNode(n, f.source, false)
	f.between(n.Pos(), start, "")
	text, kind := f.text[start:n.End()], n.Kind
	switch kind {
	case ast.KindNumericLiteral:
		text = n.Text()
	case ast.KindStringLiteral:
		if len(text) < 2 || text[0] != text[len(text)-1] {
			f.lost = true
			return
		}
		text = text[1 : len(text)-1]
		if parent != nil && parent.Kind != ast.KindJsxAttribute {
			text = unescaped(text)
		}
		if isPropertyName(n, parent) && scanner.IsIdentifierText(text, core.LanguageVariantStandard) {
			kind = ast.KindIdentifier
		}
	}
	f.out.WriteString("(" + strconv.Itoa(int(kind)) + strconv.Quote(text) + ")")
}

// isPropertyName reports whether a string is the name of a property, which is the same without quotes.
func isPropertyName(n, parent *ast.Node) bool {
	if parent == nil {
		return false
	}
	switch parent.Kind {
	case ast.KindPropertyAssignment, ast.KindPropertySignature, ast.KindMethodSignature:
		return parent.Name() == n
	}
	return false
}

// unescaped takes away the signs before quotes.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if i++; s[i] != '"' && s[i] != '\'' {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// jsxText is text between elements as it is shown: lines are trimmed where they meet, and those of white space alone are left out.
func jsxText(s string) string {
	lines := strings.Split(s, "\n")
	if len(lines) == 1 {
		return s
	}
	var kept []string
	for i, l := range lines {
		if i > 0 {
			l = strings.TrimLeft(l, " \t")
		}
		if i < len(lines)-1 {
			l = strings.TrimRight(l, " \t\r")
		}
		if l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, " ")
}

// between writes what stands between two places where no word of a program is: signs and keywords, but for those dropped, and
// comments to where they are gathered.
func (f *former) between(from, to int, drop string) {
	for i := from; i < to; {
		switch rest := f.text[i:to]; {
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			f.comment("//", rest[2:n])
			i += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				f.lost = true
				return
			}
			f.comment("/*", rest[2:n])
			i += n + 2
		default:
			if b := rest[0]; b > ' ' && strings.IndexByte(drop, b) < 0 {
				f.out.WriteByte(b)
			}
			i++
		}
	}
}

// comment gathers a comment: its words, whatever they are indented by.
func (f *former) comment(opens, text string) {
	f.comments.WriteString(opens)
	for line := range strings.Lines(text) {
		if opens == "/*" {
			line = strings.TrimPrefix(strings.TrimSpace(line), "*")
		}
		for word := range strings.FieldsSeq(line) {
			f.comments.WriteString(" " + word)
		}
	}
	f.comments.WriteByte('\n')
}
