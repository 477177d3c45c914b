package golang

import (
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bodies of functions go, and nothing else.
func TestWithoutBodies(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"package a\n\nfunc f() {\n\tx := \"}\" // }\n\ty := '}'\n}\n\nfunc g() {}\n", "package a\n\nfunc f() {\n\n\n}\n\nfunc g() {}\n"},
		{"package a\nfunc f() (a struct{ b int }, c interface{ D() }) { return }\n", "package a\nfunc f() (a struct{ b int }, c interface{ D() }) {}\n"},
		{"package a\nfunc f() struct{ b int } { return }\nvar x = 1\n", "package a\nfunc f() struct{ b int } {}\nvar x = 1\n"},
		{"package a\nfunc f[T interface{ ~int }](x [len(y{})]T) map[string]struct{} { /* { */ }\n", "package a\nfunc f[T interface{ ~int }](x [len(y{})]T) map[string]struct{} {}\n"},
		{"package a\nfunc outside()\n\nvar t = T{\n\t1,\n}\n", "package a\nfunc outside()\n\nvar t = T{\n\t1,\n}\n"},
		{"package a\nfunc f() { a := `}\n`; b() }; func g() { c() }\n", "package a\nfunc f() {\n}; func g() {}\n"},
		{"package a\nfunc f() { if x {\n", "package a\nfunc f() { if x {\n"},
		{"package a\nfunc f() { x := \"\n\" }\nfunc g() { y }\n", "package a\nfunc f() { x := \"\n\" }\nfunc g() { y }\n"},
		{"package a\n}\nfunc f() { x() }\n", "package a\n}\nfunc f() { x() }\n"},
		{"", ""},
	} {
		if got := string(withoutBodies([]byte(c.text))); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Every declaration of Go's own library keeps its lines and its comment.
func TestBodiesKeepLines(t *testing.T) {
	files := 0
	for _, dir := range []string{"go", "net/http", "encoding", "runtime", "internal/types/testdata"} {
		err := filepath.WalkDir(filepath.Join(gobuild.Default.GOROOT, "src", dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || d.IsDir() || testing.Short() && files > 100 {
				return nil
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			files++
			whole, err := declarations(text)
			if err != nil {
				return nil // no valid text
			}
			bare, err := declarations(withoutBodies(text))
			if err != nil || bare != whole {
				t.Errorf("%s: %v\n%s\nwant\n%s", name, err, bare, whole)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("%d files", files)
	}
}

// declarations lists those of a text, with their lines.
func declarations(text []byte) (string, error) {
	set := token.NewFileSet()
	a, err := parser.ParseFile(set, "a.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	line := func(p token.Pos) int { return set.PositionFor(p, false).Line }
	var b strings.Builder
	for _, d := range a.Decls {
		fmt.Fprint(&b, line(d.Pos()), "-", line(d.End()))
		switch d := d.(type) {
		case *ast.FuncDecl:
			fmt.Fprint(&b, " ", d.Name.Name, " ", d.Doc.Text())
			if d.Body != nil {
				fmt.Fprint(&b, " body ", line(d.Body.Lbrace))
			}
		case *ast.GenDecl:
			fmt.Fprint(&b, " ", d.Tok, " ", d.Doc.Text())
			for _, s := range d.Specs {
				fmt.Fprint(&b, " ", line(s.Pos()), "-", line(s.End()))
			}
		}
		fmt.Fprintln(&b)
	}
	return b.String(), nil
}
