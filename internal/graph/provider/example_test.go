package provider_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tree"
)

// TestPage asks the example of docs/add-a-language.md, which page_test.go holds
// word for word.
func TestPage(t *testing.T) {
	files := []graph.SourceFile{
		{File: tree.Bytes("a/Makefile", []byte("include x.mk y.mk $(z)\n"))},
		{File: tree.Bytes("a/x.mk", nil)},
	}
	for _, f := range files {
		if !Provider.Claims(f.Path) {
			t.Error(f.Path)
		}
	}
	a, err := Provider.Build(t.Context(), graph.Request{Files: files})
	if err != nil || fmt.Sprint(a.Edges) != "map[a/Makefile:[{a/x.mk runtime explicit}]]" {
		t.Error(a, err)
	}
	page, err := os.ReadFile("../../../docs/add-a-language.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("page_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "package makefile\n")
	shown, _, _ = strings.Cut(shown, "```")
	if _, body, _ := strings.Cut(string(code), "package provider_test\n"); body != shown {
		t.Error("page_test.go and the page differ")
	}
}
