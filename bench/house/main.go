// House counts what makes code hard or easy to find one's way in, from the syntax trees of the product: packages of internal
// and cmd, without tests, generated files and what is for tests alone.
//
//	go run ./bench/house [-names] [FOLDER]
//
// Printed is a row a package, and all of them together:
//
//	lines       lines of code that are neither blank nor comment alone
//	functions   and methods, with literals as parts of them
//	operators   && and || a hundred lines
//	branches    functions of more than 30: one, and one more for each if, for, case, && and ||
//	parameters  functions of more than 5
//	participles types whose name ends like a past participle: asked, given, known
//	exported    names of package level, methods and fields that other packages can use
//	env, in     functions that take all of a run's environment, or all of its inputs
//
// With -names it lists what branches, parameters, participles, env and in count. FOLDER is the module, "." if not said; a copy
// of an earlier commit can be counted the same way.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds that the house keeps.
const (
	mostBranches   = 30
	mostParameters = 5
)

// counts are those of a package.
type counts struct {
	lines, functions, operators, exported          int
	branches, parameters, participles, whole, asks []string // names
}

func main() {
	names := flag.Bool("names", false, "list what is counted by name")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	packages, err := countModule(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
	fmt.Printf("%-34s %7s %9s %9s %8s %10s %11s %8s %5s %5s\n", "package", "lines", "functions", "operators", "branches", "parameters", "participles", "exported", "env", "in")
	var all counts
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		packages[name].print(name)
		all.add(packages[name])
	}
	all.print("all")
	if *names {
		for _, list := range []struct {
			title string
			names []string
		}{{"more than 30 branches", all.branches}, {"more than 5 parameters", all.parameters}, {"participles", all.participles}, {"take an environment", all.whole}, {"take all inputs", all.asks}} {
			fmt.Printf("\n%s:\n  %s\n", list.title, strings.Join(list.names, "\n  "))
		}
	}
}

func (c *counts) print(name string) {
	fmt.Printf("%-34s %7d %9d %9.1f %8d %10d %11d %8d %5d %5d\n", name, c.lines, c.functions, 100*float64(c.operators)/float64(max(c.lines, 1)),
		len(c.branches), len(c.parameters), len(c.participles), c.exported, len(c.whole), len(c.asks))
}

func (c *counts) add(o *counts) {
	c.lines, c.functions, c.operators, c.exported = c.lines+o.lines, c.functions+o.functions, c.operators+o.operators, c.exported+o.exported
	c.branches, c.parameters, c.participles = append(c.branches, o.branches...), append(c.parameters, o.parameters...), append(c.participles, o.participles...)
	c.whole, c.asks = append(c.whole, o.whole...), append(c.asks, o.asks...)
}

// countModule counts the packages of a module by their folders.
func countModule(root string) (map[string]*counts, error) {
	packages := map[string]*counts{}
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if b := d.Name(); b == "testdata" || b == "fault" || b == "hostile" || strings.HasSuffix(b, "test") || strings.HasSuffix(b, "peer") {
					return filepath.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, name, src, parser.ParseComments)
			if err != nil {
				return err
			}
			if ast.IsGenerated(f) {
				return nil
			}
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			dir := path.Dir(filepath.ToSlash(rel))
			if packages[dir] == nil {
				packages[dir] = &counts{}
			}
			packages[dir].file(f, src)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return packages, nil
}

// file adds a file.
func (c *counts) file(f *ast.File, src []byte) {
	c.lines += codeLines(src)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			c.function(f.Name.Name, d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				c.spec(f.Name.Name, s)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			c.operators++
		}
		return true
	})
}

func (c *counts) function(pkg string, d *ast.FuncDecl) {
	name := pkg + "." + d.Name.Name
	if d.Recv != nil {
		name = pkg + "." + typeName(d.Recv.List[0].Type) + "." + d.Name.Name
	}
	c.functions++
	if d.Name.IsExported() {
		c.exported++
	}
	parameters := 0
	for _, p := range d.Type.Params.List {
		parameters += max(1, len(p.Names))
		switch typeName(p.Type) {
		case "env", "Env":
			c.whole = append(c.whole, name)
		case "Inputs":
			c.asks = append(c.asks, name)
		}
	}
	if parameters > mostParameters {
		c.parameters = append(c.parameters, fmt.Sprintf("%s (%d)", name, parameters))
	}
	if n := branchesOf(d); n > mostBranches {
		c.branches = append(c.branches, fmt.Sprintf("%s (%d)", name, n))
	}
}

func (c *counts) spec(pkg string, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() {
				c.exported++
			}
		}
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			c.exported++
		}
		if participle(s.Name.Name) {
			c.participles = append(c.participles, pkg+"."+s.Name.Name)
		}
		if of, ok := s.Type.(*ast.StructType); ok {
			for _, f := range of.Fields.List {
				for _, n := range f.Names {
					if n.IsExported() {
						c.exported++
					}
				}
			}
		}
	}
}

// irregular are past participles that do not end in -ed and are no other word's name here.
var irregular = []string{"found", "given", "told", "known", "kept", "built", "made", "seen", "held", "written", "taken", "left", "drawn", "shown"}

// participle reports whether the last word of a name is a past participle.
func participle(name string) bool {
	last := name
	for i := len(name) - 1; i > 0; i-- {
		if name[i] >= 'A' && name[i] <= 'Z' {
			last = name[i:]
			break
		}
	}
	last = strings.ToLower(last)
	return len(last) > 4 && strings.HasSuffix(last, "ed") && !strings.HasSuffix(last, "eed") || slices.Contains(irregular, last)
}

// branchesOf counts the ways through a function.
func branchesOf(d *ast.FuncDecl) int {
	n := 1
	ast.Inspect(d, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// typeName is the last word of a type, "" for what is no name.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// codeLines counts the lines that hold a token.
func codeLines(src []byte) int {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		at := file.Line(pos)
		for i := range 1 + bytes.Count([]byte(lit), []byte("\n")) {
			lines[at+i] = true
		}
	}
}
