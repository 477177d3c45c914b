package action

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/object"
)

// TestArchitectureIsTrue: the page names every package that has a layer, and what it
// names as `package.Name` is there.
func TestArchitectureIsTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, layer := range layers {
		for _, p := range layer {
			if !strings.Contains(string(page), "`"+p+"`") {
				t.Errorf("docs/ARCHITECTURE.md does not name %s", p)
			}
		}
	}
	names := declared(t)
	found := regexp.MustCompile("`([a-z]+(?:\\.[A-Za-z]+)+)`").FindAllStringSubmatch(string(page), -1)
	checked := 0
	for _, m := range found {
		if strings.HasSuffix(m[1], ".json") || strings.HasSuffix(m[1], ".patch") || strings.HasSuffix(m[1], ".go") {
			continue
		}
		checked++
		if !names[m[1]] {
			t.Errorf("docs/ARCHITECTURE.md names %s, which is not there", m[1])
		}
	}
	if checked < 30 {
		t.Errorf("the page names %d things only", checked)
	}
}

// TestPlacesAreTrue: the files that the page sends people to are there, and what it says stands in one is declared in it.
func TestPlacesAreTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, m := range regexp.MustCompile("((?:`[A-Za-z]+`(?:, | and | or )?)*)(?: in )?`(internal/[^`]+\\.go)`").FindAllStringSubmatch(string(page), -1) {
		b, err := os.ReadFile(filepath.Join("..", "..", m[2]))
		if err != nil {
			t.Errorf("docs/ARCHITECTURE.md: %v", err)
			continue
		}
		for _, name := range regexp.MustCompile("`([A-Za-z]+)`").FindAllStringSubmatch(m[1], -1) {
			checked++
			declares := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t)` + name[1] + `\b`)
			if !declares.Match(b) {
				t.Errorf("docs/ARCHITECTURE.md: %s does not declare %s", m[2], name[1])
			}
		}
	}
	if checked < 20 {
		t.Errorf("the page says of %d names only in which file they stand", checked)
	}
}

// TestHowToAddIsTrue: the files that the page sends people to are there.
func TestHowToAddIsTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/how-to-add.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("`((?:internal|cmd)/[^`]+)`").FindAllStringSubmatch(string(page), -1)
	if len(found) < 10 {
		t.Errorf("the page names %d files only", len(found))
	}
	for _, m := range found {
		if _, err := os.Stat(filepath.Join("..", "..", m[1])); err != nil {
			t.Errorf("docs/how-to-add.md: %v", err)
		}
	}
}

// TestMemoryIsTrue: each row of the page names tests or scripts that are there, and every field of an
// object, every set and every event has a row.
func TestMemoryIsTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/memory.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, dir := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			b, err := os.ReadFile(name)
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(b), -1) {
				tests[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	rows := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || strings.HasSuffix(line, "| shown by |\n") {
			if strings.HasPrefix(line, "| ") && len(cells) != 3 {
				t.Errorf("a row of %d cells: %s", len(cells), line)
			}
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[0], -1) {
			rows[m[1]] = true
		}
		shown := quoted.FindAllStringSubmatch(cells[2], -1)
		if len(shown) == 0 {
			t.Errorf("no test shows: %s", line)
		}
		for _, m := range shown {
			if strings.HasSuffix(m[1], ".txtar") {
				if _, err := os.Stat("../../cmd/action/testdata/script/" + m[1]); err != nil {
					t.Error(err)
				}
			} else if !tests[m[1]] {
				t.Errorf("docs/memory.md names %s, which is not there", m[1])
			}
		}
	}
	var kinds struct {
		Properties struct{ Event struct{ Enum []string } }
	}
	b, err := os.ReadFile("schema/event.schema.json")
	if err == nil {
		err = json.Unmarshal(b, &kinds)
	}
	if err != nil || len(kinds.Properties.Event.Enum) < 12 {
		t.Fatalf("%v, %v", kinds, err)
	}
	want := kinds.Properties.Event.Enum
	for _, o := range []any{object.File{}, object.Toolcall{}, object.Chat{}, object.SystemPrompt{}, object.Session{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(o)) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous {
				want = append(want, name)
			}
		}
	}
	for _, name := range want {
		if !rows[name] {
			t.Errorf("docs/memory.md has no row of %s", name)
		}
	}
}

// declared are the functions, methods and types of the product, as package.Name and
// package.Type.Method.
func declared(t *testing.T) map[string]bool {
	names := map[string]bool{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				at := f.Name.Name + "."
				if d.Recv != nil {
					x := d.Recv.List[0].Type
					if star, ok := x.(*ast.StarExpr); ok {
						x = star.X
					}
					if id, ok := x.(*ast.Ident); ok {
						at += id.Name + "."
					}
				}
				names[at+d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						names[f.Name.Name+"."+s.Name.Name] = true
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
