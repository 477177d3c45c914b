package action

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// layers is the order of imports: a package may import packages of later
// layers only. Packages of one layer do not know each other.
var layers = [][]string{
	{"cmd/action", "internal/secret/provided", "internal/secret/train", "internal/text/letters", "internal/tokens/vocabulary"},
	{"internal/action"},
	{"internal/deliver", "internal/serve", "internal/client"},
	{"internal/report"},
	{"internal/plan", "internal/review", "internal/lookup"},
	{"internal/snapshot"},
	{"internal/record"},
	{"internal/job"},
	{"internal/brief"},
	{"internal/object/store", "internal/rank", "internal/layout"},
	{"internal/artifact", "internal/forge", "internal/repo", "internal/diff", "internal/stage", "internal/pack", "internal/archive", "internal/object", "internal/watch", "internal/registry", "internal/graph/provider"},
	{"internal/project"},
	{"internal/source"},
	{"internal/graph/typescript", "internal/graph/golang", "internal/graph/python", "internal/graph/jvm", "internal/graph/csharp", "internal/graph/php", "internal/graph/ruby", "internal/graph/rust", "internal/graph/swift", "internal/graph/inclusion"},
	{"internal/graph/views"},
	{"internal/graph/names"},
	{"internal/declaration"},
	{"internal/graph"},
	{"internal/scan", "internal/secret/fit", "internal/claim"},
	{"internal/secret"},
	{"internal/secret/known"},
	{"internal/text", "internal/tokens", "internal/secret/value"},
	{"internal/tree", "internal/language"},
	{"internal/lazyregexp"},
}

// only says which package alone may import a module.
var only = map[string]string{
	"github.com/sethvargo/go-githubactions":     "internal/job",
	"github.com/google/go-github/":              "internal/forge",
	"github.com/go-git/":                        "internal/repo",
	"github.com/tinylib/msgp":                   "internal/pack",
	"github.com/bmatcuk/doublestar/":            "internal/scan internal/secret",
	"oras.land/oras-go/":                        "internal/registry",
	"github.com/opencontainers/":                "internal/registry",
	"modernc.org/sqlite":                        "internal/object/store",
	"github.com/microsoft/typescript-go/tsshim": "internal/graph/typescript",
}

// TestImportsPointOneWay reads every Go file of the product.
func TestImportsPointOneWay(t *testing.T) {
	const module = "github.com/haversack-dev/haversack/"
	level := map[string]int{}
	for i, layer := range layers {
		for _, p := range layer {
			level[p] = i
		}
	}
	files := 0
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if b := d.Name(); b == "testdata" || b == "tsgo" || strings.HasPrefix(b, ".") && b != ".." && b != "." || strings.HasSuffix(b, "test") || strings.HasSuffix(b, "peer") || b == "bench" || b == "fault" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		rel := filepath.ToSlash(strings.TrimPrefix(name, "../../"))
		from := path.Dir(rel)
		at, known := level[from]
		if !known {
			t.Errorf("%s: package %s has no layer: give it one in layers, and a row in docs/ARCHITECTURE.md", rel, from)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, im := range f.Imports {
			p := strings.Trim(im.Path.Value, `"`)
			for prefix, who := range only {
				if strings.HasPrefix(p, prefix) && !contains(strings.Fields(who), from) {
					t.Errorf("%s imports %s, which is for %s alone", rel, p, who)
				}
			}
			to, ours := strings.CutPrefix(p, module)
			if !ours {
				if from == "internal/tree" && strings.Contains(strings.SplitN(p, "/", 2)[0], ".") {
					t.Errorf("%s imports %s: internal/tree knows the standard library only", rel, p)
				}
				continue
			}
			if l, ok := level[to]; !ok || l <= at {
				t.Errorf("%s imports %s: imports point one way (see layers)", rel, to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Errorf("read %d files only", files)
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
