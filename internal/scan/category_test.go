package scan

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

func TestClassify(t *testing.T) {
	table, err := os.ReadFile("testdata/classify.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		path, want, _ := strings.Cut(line, ": ")
		typ, category := Classify(path)
		got := fmt.Sprintf("%s %s", typ, category)
		if k := KeyFile(path); k != nil {
			got += fmt.Sprintf(" %s %s", k.Kind, k.Importance)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func file(path string, size int64) File {
	_, category := Classify(path)
	return File{
		File:     tree.NewFile(path, 0o644, size, "", nil),
		Type:     TypeText,
		Category: category,
		Encoding: text.UTF8,
	}
}

func keys(files []File) string {
	var chosen []*File
	for i := range files {
		if files[i].Key != nil {
			chosen = append(chosen, &files[i])
		}
	}
	slices.SortFunc(chosen, CompareKeys)
	var out []string
	for _, f := range chosen {
		out = append(out, f.Path)
	}
	return strings.Join(out, " ")
}

func TestMarkKeyFiles(t *testing.T) {
	files := []File{
		file("a/package.json", 10), file("auth.go", 9), file("cmd/b/main.go", 70), file("cmd/main.go", 70), file("empty/main.go", 0),
		file("go.mod", 50), file("main.go", 80), file("package.json", 900), file("README.md", 5), file("user_api.go", 1),
	}
	locked := file("src/index.js", 4)
	locked.LowValue = "minified"
	binary := file("src/app.js", 4)
	binary.Encoding = text.Binary
	files = append(files, locked, binary)
	MarkKeyFiles(files)
	// Importance, kind, size, depth, path.
	want := "go.mod package.json cmd/main.go cmd/b/main.go main.go auth.go user_api.go a/package.json README.md"
	if got := keys(files); got != want {
		t.Errorf("key files\n%s, want\n%s", got, want)
	}
	MarkKeyFiles(files) // marks are made anew
	if got := keys(files); got != want {
		t.Errorf("marked twice\n%s, want\n%s", got, want)
	}
}

func TestMarkKeyFilesLimits(t *testing.T) {
	var files []File
	for i := range 10 {
		for _, stem := range []string{"main", "auth", "api", "model", "rbac"} {
			files = append(files, file(fmt.Sprintf("d%d/%s.go", i, stem), int64(100-i)))
		}
		files = append(files, file(fmt.Sprintf("requirements-%d.txt", i), 100), file(fmt.Sprintf("d%d/go.mod", i), 3))
	}
	MarkKeyFiles(files)
	perKind := map[string]int{}
	total := 0
	for _, f := range files {
		if f.Key != nil {
			perKind[f.Key.Kind]++
			total++
		}
	}
	for kind, n := range perKind {
		if n > MaxKeyPerKind {
			t.Errorf("%d files of kind %s", n, kind)
		}
	}
	if total != MaxKeyFiles {
		t.Errorf("%d key files, want %d", total, MaxKeyFiles)
	}
	if got, want := perKind[KindSecurity], 0; got != want {
		t.Errorf("%d security files beyond the total, want %d", got, want)
	}
}

func TestReasons(t *testing.T) {
	for reason, want := range map[Reason]string{
		Credentials: "credentials credentials", Binary: "binary binary", SizeLimit: "size_limit size",
		DependencyDir: "dependency_dir pattern", BuildOutput: "build_output pattern", Cache: "cache pattern",
		PatternMatch: "pattern_match pattern", GitIgnored: "pattern_match pattern", LowValue: "pattern_match pattern",
		Special: "pattern_match pattern", LinkOutside: "pattern_match pattern", Submodule: "pattern_match pattern",
		Unreadable: "pattern_match pattern", Reserved: "pattern_match pattern",
		NotSelected: "pattern_match pattern", OverBudget: "pattern_match pattern",
	} {
		if got := reason.Exclusion() + " " + reason.StatKey(); got != want {
			t.Errorf("%s: %s, want %s", reason, got, want)
		}
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("src/userApi.ts")
	f.Add("a//b\xff")
	f.Fuzz(func(t *testing.T, p string) {
		typ, category := Classify(p)
		if typ == "" || category == "" {
			t.Errorf("%q has no type or category", p)
		}
		KeyFile(p)
	})
}
