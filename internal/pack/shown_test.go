package pack

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// A summary is filled while anything is left to show, in the order of its source, and with nothing else; the index takes an
// eighth at most.
func TestSummaryIsFilled(t *testing.T) {
	files := map[string][]byte{"go.sum": bytes.Repeat([]byte("golang.org/x/x v1.2.3 h1:abc=\n"), 900)}
	for i := range 600 {
		files[fmt.Sprintf("src/part%d/file%03d.go", i%7, i)] = fmt.Appendf(nil, "package part\n\n// F%d is \"quoted\".\nfunc F%d() {}\n%s", i, i, strings.Repeat("// a line\n", 20))
	}
	src := fromFiles(files)
	src.Ranked = slices.DeleteFunc(src.Ranked, func(name string) bool { return name == "go.sum" })
	for _, limit := range []int64{8_000, 30_000, 90_000, 250_000, 1_000_000} {
		src.Limits.MaxContentBytes = limit
		p, err := NewBuilder(src).Summary("")
		if err != nil {
			t.Fatal(err)
		}
		n := int64(len(jsonOf(t, p)))
		left := p.Metadata.cutOf("shown")
		if n > limit || n < limit*8/10 && left > 0 {
			t.Errorf("limit %d: %d bytes, and %d are left out", limit, n, left)
		}
		if len(p.Contents) > src.Limits.MaxFiles {
			t.Errorf("limit %d: %d files", limit, len(p.Contents))
		}
		index := newLine()
		rows, err := index.of(p.FileIndex)
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(rows)) > limit/8 {
			t.Errorf("limit %d: the index takes %d", limit, len(rows))
		}
		for i, c := range p.Contents {
			if c.Path == "go.sum" || c.Content != string(files[c.Path]) || i > 0 && c.Path < p.Contents[i-1].Path {
				t.Errorf("limit %d: %s stands there", limit, c.Path)
			}
		}
		for _, o := range p.Outlines {
			if len(o.Outline) != 1 || !strings.HasPrefix(o.Outline[0], "4 func F") {
				t.Errorf("limit %d: %s is outlined as %q", limit, o.Path, o.Outline)
			}
		}
		if len(p.Outlines) == 0 && limit > 8_000 {
			t.Errorf("limit %d: nothing is outlined", limit)
		}
	}
}

// An outline of a key file stands with what is said of it.
func TestKeyFileOutline(t *testing.T) {
	src := fromFiles(map[string][]byte{"main.go": []byte("package main\n\nfunc main() {}\n"), "util.go": []byte("package main\n\nfunc Help() {}\n")})
	p, err := NewBuilder(src).Summary("")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.KeyFilesSummary) != 1 || !slices.Equal(p.KeyFilesSummary[0].Outline, []string{"3 func main() {}"}) || len(p.Outlines) != 1 || p.Outlines[0].Path != "util.go" {
		t.Errorf("%+v, %+v", p.KeyFilesSummary, p.Outlines)
	}
	if md := string(markdownOf(t, p)); !strings.Contains(md, "```\n3 func main() {}\n```") || !strings.Contains(md, "## Outlines") {
		t.Error(md)
	}
}

// Tests of examples are none of the program's.
func TestTestSources(t *testing.T) {
	for name, want := range map[string]bool{"test/tow_test.rb": true, "examples/tow_test.rb": false, "tests/fixtures/a.py": false, "src/a.test.ts": true, "docs/tests/a.py": false, "src/a.ts": false} {
		f := &scan.File{Encoding: text.UTF8}
		f.Path = name
		f.Type, f.Category = scan.Classify(name)
		if got := isTestSource(f); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// A manifest of tools names the project, and does not make it one of theirs.
func TestNameOfAnother(t *testing.T) {
	_, s := both(t, fromFiles(map[string][]byte{
		"package.json": []byte("{\n\"name\": \"quay\",\n\"devDependencies\": {\"prettier\": \"1\"}\n}\n"), "requirements.txt": []byte("django\n"), "quay/models.py": []byte("class Ship:\n    pass\n"),
	}))
	if got, want := s.RepoSummary.Description, `Its manifest for node calls it "quay" (package.json:2).`; !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// One file is one file.
func TestOneTestBeside(t *testing.T) {
	_, s := both(t, fromFiles(map[string][]byte{
		"src/a.ts": []byte("export const a = 1\n"), "src/a.test.ts": []byte("it()\n"), "test/b.test.ts": []byte("it()\n"), "test/c.test.ts": []byte("it()\n"),
	}))
	if got, want := strings.Join(s.RepoSummary.NotablePatterns, "; "), "Tests stand beside the sources (1 file) and in folders of their own (2 files)"; !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Outlines begin with what the source chose, of key files too; what is told there is not told again, and what may not be shown is not.
func TestOpening(t *testing.T) {
	src := fromFiles(map[string][]byte{"Makefile": []byte("test:\n\tgo test\n"), "main.go": []byte("package main\n\nfunc main() {}\n"), "util.go": []byte("package main\n\nfunc Help() {}\n\nfunc Halt() {}\n")})
	src.Opening = func() []FileOutline {
		return []FileOutline{{Path: "Makefile", Outline: []string{"1 test:", "2 go test"}}, {Path: "main.go", Outline: []string{"3 func main()"}}, {Path: "util.go", Outline: []string{"5 func Halt()"}}, {Path: "gone.go", Outline: []string{"1 package gone"}}}
	}
	_, p := both(t, src)
	var got []string
	for _, o := range p.Outlines {
		got = append(got, o.Path+": "+strings.Join(o.Outline, ", "))
	}
	want := []string{"Makefile: 1 test:, 2 go test", "main.go: 3 func main()", "util.go: 5 func Halt()", "util.go: 3 func Help() {}"}
	if !slices.Equal(got, want) || !slices.Equal(p.KeyFilesSummary[0].Outline, []string{"3 func main() {}"}) {
		t.Errorf("%q, %q", got, p.KeyFilesSummary[0].Outline)
	}
}
