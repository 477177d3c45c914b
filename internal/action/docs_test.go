package action

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
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

// pages are the texts for people that stand in the repository, by their paths in it.
func pages(t *testing.T) map[string]string {
	pages := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md"} {
		names, err := filepath.Glob(filepath.Join("..", "..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			pages[strings.TrimPrefix(filepath.ToSlash(name), "../../")] = string(b)
		}
	}
	return pages
}

// TestPlacesAreTrue: where a page says that a name stands in a file, the file is there and declares it. The page about
// credentials names the files of one package, and a few of those below it, by what stands behind its folder.
func TestPlacesAreTrue(t *testing.T) {
	place := regexp.MustCompile("((?:`[A-Za-z]+`(?:, | and | or )?)*)(?: in | of )?`([^` *]+\\.go)`")
	checked := map[string]int{}
	for page, text := range pages(t) {
		for _, m := range place.FindAllStringSubmatch(text, -1) {
			name := m[2]
			if page == "docs/credentials.md" && !strings.HasPrefix(name, "internal/") {
				name = "internal/secret/" + name
			}
			if !strings.HasPrefix(name, "internal/") && !strings.HasPrefix(name, "cmd/") && !strings.HasPrefix(name, "bench/") {
				continue
			}
			b, err := os.ReadFile(filepath.Join("..", "..", name))
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			for _, name := range regexp.MustCompile("`([A-Za-z]+)`").FindAllStringSubmatch(m[1], -1) {
				checked[page]++
				declares := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t)` + name[1] + `\b`)
				if !declares.Match(b) {
					t.Errorf("%s: %s does not declare %s", page, m[2], name[1])
				}
			}
		}
	}
	if n := checked["docs/ARCHITECTURE.md"]; n < 20 {
		t.Errorf("docs/ARCHITECTURE.md says of %d names only in which file they stand", n)
	}
}

// TestPagesAreTrue: the files that pages send people to are there, and so are the headings that links lead to.
func TestPagesAreTrue(t *testing.T) {
	pages := pages(t)
	file := regexp.MustCompile("`((?:internal|cmd|bench|docs|examples|setup|\\.ci)/[^`\\s<*]+)`")
	link := regexp.MustCompile(`\]\(([^()\s:]+)\)`)
	files, links := 0, 0
	for page, text := range pages {
		if page == "CHANGELOG.md" { // its examples are files of other repositories
			continue
		}
		for _, m := range file.FindAllStringSubmatch(text, -1) {
			files++
			if _, err := os.Stat(filepath.Join("..", "..", m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			links++
			target, heading, _ := strings.Cut(m[1], "#")
			name := page
			if target != "" {
				name = path.Join(path.Dir(page), target)
			}
			if _, err := os.Stat(filepath.Join("..", "..", name)); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if heading != "" && !anchors(pages[name])[heading] {
				t.Errorf("%s: %s has no heading %q", page, name, heading)
			}
		}
	}
	if files < 60 || links < 60 {
		t.Errorf("pages name %d files and have %d links only", files, links)
	}
}

// anchors are the names by which links lead to the headings of a page.
func anchors(page string) map[string]bool {
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
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
