package action

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// outside are results of steps that are no values: they stand for something outside
// of the program, which changes while it is written.
var outside = map[string]string{
	"Folder": "the output folder",
	"Env":    "streams and the log",
}

// TestValuesStayAsMade reads the program's types and code. What a step of run returns
// is written only by functions that return it: no field is assigned, and no slice or
// map in it is written, anywhere else. No function literal assigns a variable of run.
// No struct of the rooms with more than twelve fields is written by its methods.
func TestValuesStayAsMade(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	loaded, err := packages.Load(&packages.Config{Dir: "../..", Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedExportFile},
		"./internal/...", "./cmd/...")
	if err != nil {
		t.Fatal(err)
	}
	var own *packages.Package
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors[0])
		}
		if strings.HasSuffix(p.PkgPath, "/internal/action") {
			own = p
		}
	}
	line := function(own.Syntax, "run")
	if line == nil {
		t.Fatal("there is no function run")
	}
	values := resultTypes(line, own.TypesInfo, own.Types)
	for _, name := range []string{"Head", "Base", "Inventory", "Change", "Dependencies", "Closure", "Contents", "Ranking", "Documents", "Holdings", "Plan", "Gate", "Archives", "Record"} {
		if !slices.ContainsFunc(values, func(n string) bool { return strings.HasSuffix(n, "."+name) }) {
			t.Errorf("no step returns %s: %s", name, values)
		}
	}
	for _, p := range loaded {
		for _, fault := range writes(p.Syntax, p.TypesInfo, p.Fset, values) {
			t.Error(fault)
		}
	}
	for _, fault := range captured(line, own.TypesInfo, own.Fset) {
		t.Error(fault)
	}
	for _, p := range loaded {
		if slices.Contains(rooms, path.Base(p.PkgPath)) {
			for _, fault := range large(p.Syntax, p.TypesInfo, p.Fset, 12) {
				t.Error(fault)
			}
		}
	}
}

// rooms are the packages that hold a run's steps.
var rooms = []string{"action", "deliver", "report", "plan", "snapshot", "record", "job"}

// TestChecksCanFail shows the check code that breaks each rule.
func TestChecksCanFail(t *testing.T) {
	const src = `package p
type inner struct{ list []int; index map[string]int }
type value struct { inner; n int; next *value }
type other struct{ a, b, c int }
func make1() *value { v := &value{}; v.n = 1; v.list = append(v.list, 1); return v }
func bad1(v *value) { v.n = 2 }
func bad2(v *value) { v.list[0]++ }
func bad3(v value) { delete(v.index, "") }
func bad4(v *value) { list := v.list; list[0] = 1 }
func bad5(v *value) { p := &v.list[0]; *p = 1 }
func bad6(v *value) { for i := range v.list { v.next.inner.list[i] = 0 } }
func (v *value) bad7() { v.next = nil }
func (o *other) bad8() { o.a = 1 }
func good(v *value, w value) int { n := v.n; n++; o := other{}; o.a = v.list[0]; w.n = 1; return n }
func run() { v := make1(); func() { v = nil }(); good(v, *v) }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	files := []*ast.File{file}
	line := function(files, "run")
	values := resultTypes(line, info, pkg)
	if !slices.Equal(values, []string{"p.value"}) {
		t.Errorf("results are %s", values)
	}
	var met []string
	for _, fault := range writes(files, info, fset, values) {
		for _, name := range []string{"bad1", "bad2", "bad3", "bad4", "bad5", "bad6", "bad7"} {
			if strings.Contains(fault, name) {
				met = append(met, name)
			}
		}
	}
	slices.Sort(met)
	if want := []string{"bad1", "bad2", "bad3", "bad4", "bad5", "bad6", "bad7"}; !slices.Equal(slices.Compact(met), want) {
		t.Errorf("met %s, want %s", met, want)
	}
	if n := len(captured(line, info, fset)); n != 1 {
		t.Errorf("%d literals assign variables of run, want 1", n)
	}
	if n := len(large(files, info, fset, 2)); n != 2 {
		t.Errorf("%d methods write large structs, want 2", n)
	}
}

func function(files []*ast.File, name string) *ast.FuncDecl {
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
				return fn
			}
		}
	}
	return nil
}

// resultTypes are the struct types of this module that the calls in a function return.
func resultTypes(fn *ast.FuncDecl, info *types.Info, pkg *types.Package) []string {
	var list []string
	module, _, _ := strings.Cut(pkg.Path(), "/internal/")
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sig, ok := info.TypeOf(call.Fun).(*types.Signature)
		if !ok {
			return true
		}
		for v := range sig.Results().Variables() {
			named := namedStruct(v.Type())
			if named == nil || named.Obj().Pkg() == nil || !strings.HasPrefix(named.Obj().Pkg().Path(), module) || outside[named.Obj().Name()] != "" {
				continue
			}
			list = append(list, named.Obj().Pkg().Path()+"."+named.Obj().Name())
			// What is embedded is part of the value.
			s := named.Underlying().(*types.Struct)
			for f := range s.Fields() {
				if in := namedStruct(f.Type()); f.Embedded() && in != nil && in.Obj().Exported() {
					list = append(list, in.Obj().Pkg().Path()+"."+in.Obj().Name())
				}
			}
		}
		return true
	})
	slices.Sort(list)
	return slices.Compact(list)
}

func namedStruct(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		if _, ok := n.Underlying().(*types.Struct); ok {
			return n
		}
	}
	return nil
}

// writes are the places where a value of one of the types is written in a function
// that does not return it.
func writes(files []*ast.File, info *types.Info, fset *token.FileSet, values []string) []string {
	var faults []string
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			returned := map[string]bool{}
			if fn.Type.Results != nil {
				for _, r := range fn.Type.Results.List {
					if n := namedStruct(info.TypeOf(r.Type)); n != nil {
						returned[n.Obj().Pkg().Path()+"."+n.Obj().Name()] = true
					}
				}
			}
			aliases := map[types.Object]string{}
			// of names the value that an expression reaches into, "" for none.
			var of func(x ast.Expr) string
			of = func(x ast.Expr) string {
				switch x := ast.Unparen(x).(type) {
				case *ast.Ident:
					return aliases[info.Uses[x]]
				case *ast.SelectorExpr:
					if n := namedStruct(info.TypeOf(x.X)); n != nil && n.Obj().Pkg() != nil {
						if name := n.Obj().Pkg().Path() + "." + n.Obj().Name(); slices.Contains(values, name) && !returned[name] {
							if info.Selections[x] != nil && info.Selections[x].Kind() == types.FieldVal {
								return name
							}
						}
					}
					return of(x.X)
				case *ast.IndexExpr:
					return of(x.X)
				case *ast.SliceExpr:
					return of(x.X)
				case *ast.StarExpr:
					return of(x.X)
				case *ast.UnaryExpr:
					if x.Op == token.AND {
						return of(x.X)
					}
				}
				return ""
			}
			fault := func(n ast.Node, x ast.Expr) {
				if id, ok := ast.Unparen(x).(*ast.Ident); ok && aliases[info.Uses[id]] != "" {
					return // a local variable takes another value
				}
				if copied(x, info) {
					return
				}
				if name := of(x); name != "" {
					faults = append(faults, fmt.Sprintf("%s: %s writes a value of %s that another step made", fset.Position(n.Pos()), fn.Name.Name, name))
				}
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for i, x := range n.Lhs {
						fault(n, x)
						id, ok := x.(*ast.Ident)
						if !ok || len(n.Rhs) != len(n.Lhs) {
							continue
						}
						obj := cmpOr(info.Defs[id], info.Uses[id])
						if obj == nil {
							continue
						}
						switch obj.Type().Underlying().(type) {
						case *types.Slice, *types.Map, *types.Pointer:
							if name := of(n.Rhs[i]); name != "" {
								aliases[obj] = name
							}
						}
					}
				case *ast.IncDecStmt:
					fault(n, n.X)
				case *ast.CallExpr:
					if len(n.Args) > 0 && rewrites(n, info) {
						if name := of(n.Args[0]); name != "" {
							faults = append(faults, fmt.Sprintf("%s: %s writes into a value of %s that another step made", fset.Position(n.Pos()), fn.Name.Name, name))
						}
					}
				}
				return true
			})
		}
	}
	return faults
}

// copied reports whether an expression is a field of a local copy of a struct.
func copied(x ast.Expr, info *types.Info) bool {
	s, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if _, ok := info.TypeOf(s.X).Underlying().(*types.Struct); !ok {
		return false
	}
	if _, ok := s.X.(*ast.Ident); ok {
		return true
	}
	return copied(s.X, info)
}

func cmpOr(a, b types.Object) types.Object {
	if a != nil {
		return a
	}
	return b
}

// rewrites reports whether a call writes into its first argument.
func rewrites(call *ast.CallExpr, info *types.Info) bool {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, builtin := info.Uses[f].(*types.Builtin)
		return builtin && (f.Name == "delete" || f.Name == "clear" || f.Name == "copy")
	case *ast.SelectorExpr:
		obj := info.Uses[f.Sel]
		if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != "slices" && obj.Pkg().Path() != "sort" {
			return false
		}
		return slices.ContainsFunc([]string{"Sort", "Slice", "Stable", "Strings", "Ints", "Reverse", "Delete", "Compact", "Insert", "Replace"}, func(p string) bool {
			return strings.HasPrefix(f.Sel.Name, p) && f.Sel.Name != "Sorted"
		})
	}
	return false
}

// captured are the assignments by which a function literal changes a variable of the
// function around it.
func captured(fn *ast.FuncDecl, info *types.Info, fset *token.FileSet) []string {
	var faults []string
	ast.Inspect(fn, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		ast.Inspect(lit, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for _, x := range a.Lhs {
					if id, ok := x.(*ast.Ident); ok {
						if obj := info.Uses[id]; obj != nil && obj.Pos() < lit.Pos() && obj.Pos() > fn.Pos() {
							faults = append(faults, fmt.Sprintf("%s: a function literal assigns %s of %s", fset.Position(a.Pos()), id.Name, fn.Name.Name))
						}
					}
				}
			}
			return true
		})
		return false
	})
	return faults
}

// large are the methods that write fields of their own struct where it has more than
// most fields.
func large(files []*ast.File, info *types.Info, fset *token.FileSet, most int) []string {
	var faults []string
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Body == nil || len(fn.Recv.List[0].Names) == 0 {
				continue
			}
			named := namedStruct(info.TypeOf(fn.Recv.List[0].Type))
			if named == nil || named.Underlying().(*types.Struct).NumFields() <= most {
				continue
			}
			self := info.Defs[fn.Recv.List[0].Names[0]]
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if a, ok := n.(*ast.AssignStmt); ok {
					for _, x := range a.Lhs {
						if s, ok := x.(*ast.SelectorExpr); ok {
							if id, ok := s.X.(*ast.Ident); ok && info.Uses[id] == self {
								faults = append(faults, fmt.Sprintf("%s: %s has %d fields and writes itself", fset.Position(a.Pos()), named.Obj().Name(), named.Underlying().(*types.Struct).NumFields()))
							}
						}
					}
				}
				return true
			})
		}
	}
	return faults
}
