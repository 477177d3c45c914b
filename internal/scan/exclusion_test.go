package scan_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// TestOneOmission reads the product: an omission is made by Exclusion.At alone, and the words for it stand in two files, those of
// the search and those of the plan, each once.
func TestOneOmission(t *testing.T) {
	tables := map[string]bool{"internal/scan/exclusion.go": true, "internal/plan/left.go": true}
	fset := token.NewFileSet()
	made, worded := 0, map[string]token.Position{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name = strings.TrimPrefix(filepath.ToSlash(name), "../../")
		ast.Inspect(f, func(n ast.Node) bool {
			x, ok := n.(*ast.CompositeLit)
			if !ok || len(x.Elts) == 0 {
				return true
			}
			switch typeOf(x.Type, name) {
			case "scan.Omission":
				if made++; name != "internal/scan/exclusion.go" {
					t.Errorf("%s: an omission is made by scan.Exclusion.At", fset.Position(x.Pos()))
				}
			case "scan.Exclusion":
				text := wording(x)
				if text == "" {
					return true
				}
				at := fset.Position(x.Pos())
				if !tables[name] {
					t.Errorf("%s: %s: the words of why something is left out stand in internal/scan/exclusion.go or internal/plan/left.go", at, text)
				}
				if old, twice := worded[text]; twice {
					t.Errorf("%s: %s stands at %s too", at, text, old)
				}
				worded[text] = at
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if made != 1 || len(worded) < 25 {
		t.Errorf("%d functions make an omission, of %d wordings: want 1, and those of the product", made, len(worded))
	}
}

// typeOf is the type of a literal in a file, with its package.
func typeOf(x ast.Expr, file string) string {
	switch x := x.(type) {
	case *ast.Ident:
		if strings.HasPrefix(file, "internal/scan/") {
			return "scan." + x.Name
		}
	case *ast.SelectorExpr:
		if p, ok := x.X.(*ast.Ident); ok {
			return p.Name + "." + x.Sel.Name
		}
	}
	return ""
}

// wording is the first text in the rule of an exclusion; "" where the rule is a pattern or what else decided.
func wording(x *ast.CompositeLit) string {
	text := ""
	ast.Inspect(x.Elts[len(x.Elts)-1], func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && text == "" && strings.ContainsFunc(l.Value, unicode.IsLetter) {
			text = l.Value
		}
		return true
	})
	return text
}
