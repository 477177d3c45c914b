package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/haversack-dev/haversack/internal/graph"
)

// Define lists the definitions in one text: what stands at the top of it, and
// methods under their types' names; those that an interface asks for stand behind it.
func Define(name string, content []byte) (list []graph.Definition, err error) {
	defer func() {
		if r := recover(); r != nil {
			list, err = nil, fmt.Errorf("parsing %s: %v", name, r)
		}
	}()
	if len(content) > graph.MaxSource {
		return nil, graph.ErrSourceSize
	}
	fset := token.NewFileSet()
	a, fault := parser.ParseFile(fset, name, withoutBodies(content), parser.ParseComments|parser.SkipObjectResolution)
	if a == nil || a.Name == nil {
		return nil, fault
	}
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	add := func(name, kind string, exported bool, doc *ast.CommentGroup, from, to, head token.Pos) {
		d := graph.Definition{Name: name, Kind: kind, Exported: exported, Line: line(from), End: line(to - 1), Head: line(head)}
		d.From = d.Line
		if doc != nil {
			d.From, d.Doc = min(line(doc.Pos()), d.Line), graph.FirstSentence(doc.Text())
		}
		if d.Line > 0 && name != "_" {
			list = append(list, d)
		}
	}
	for _, d := range a.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			head := d.End() - 1
			if d.Body != nil {
				head = d.Body.Lbrace
			}
			if d.Recv == nil {
				add(d.Name.Name, "func", d.Name.IsExported(), d.Doc, d.Pos(), d.End(), head)
			} else if t := typeName(receiver(d.Recv)); t != "" {
				add(t+"."+d.Name.Name, "method", d.Name.IsExported() && ast.IsExported(t), d.Doc, d.Pos(), d.End(), head)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				from, doc := s.Pos(), d.Doc
				if !d.Lparen.IsValid() {
					from = d.Pos()
				}
				switch s := s.(type) {
				case *ast.TypeSpec:
					kind := "type"
					switch s.Type.(type) {
					case *ast.StructType:
						kind = "struct"
					case *ast.InterfaceType:
						kind = "interface"
					}
					if s.Doc != nil {
						doc = s.Doc
					}
					add(s.Name.Name, kind, s.Name.IsExported(), doc, from, s.End(), s.End()-1)
					eachPromised(s.Type, func(m *ast.Field, id *ast.Ident) {
						n := len(list)
						add(s.Name.Name+"."+id.Name, "method", id.IsExported() && s.Name.IsExported(), m.Doc, m.Pos(), m.End(), m.End()-1)
						for ; n < len(list); n++ {
							list[n].Promised = true
						}
					})
				case *ast.ValueSpec:
					if s.Doc != nil || d.Lparen.IsValid() {
						doc = s.Doc
					}
					head := s.Names[len(s.Names)-1].Pos()
					if s.Type != nil {
						head = s.Type.Pos()
					}
					for _, id := range s.Names {
						add(id.Name, d.Tok.String(), id.IsExported(), doc, from, s.End(), head)
					}
				}
			}
		}
	}
	return list, nil
}

// eachPromised calls yield with each method that a type asks for, and the field that it stands in; what it embeds is passed over.
func eachPromised(of ast.Expr, yield func(m *ast.Field, id *ast.Ident)) {
	t, ok := of.(*ast.InterfaceType)
	if !ok || t.Methods == nil {
		return
	}
	for _, m := range t.Methods.List {
		if _, ok := m.Type.(*ast.FuncType); !ok {
			continue
		}
		for _, id := range m.Names {
			yield(m, id)
		}
	}
}
