package typescript

import (
	"crypto/sha256"
	options "flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/microsoft/typescript-go/tsshim"
)

var update = options.Bool("update", false, "write the name of the code whose answers the cache keeps")

// TestExtractor holds the name of the code whose answers the cache keeps against that code: with a cache of the version before, a run
// would tell what the version before did.
func TestExtractor(t *testing.T) {
	var names []string
	for _, glob := range []string{"*.go", "tsgo/*.go"} {
		found, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	constant := regexp.MustCompile(`const extractor = "[0-9a-f]*"`)
	sum := sha256.New()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b = []byte(strings.ReplaceAll(string(constant.ReplaceAll(b, nil)), "\r\n", "\n"))
		fmt.Fprintf(sum, "%s %d\n%s", filepath.ToSlash(name), len(b), b)
	}
	want := fmt.Sprintf("%x", sum.Sum(nil))[:8]
	if want == extractor {
		return
	}
	if !*update {
		t.Fatalf("the code that reads TypeScript has changed, and what another version kept would be told: go test ./internal/graph/typescript -run TestExtractor -update")
	}
	b, err := os.ReadFile("cache.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("cache.go", constant.ReplaceAll(b, []byte(`const extractor = "`+want+`"`)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestOtherVersions: what another version kept is not read, and removed once there is something of this one's.
func TestOtherVersions(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "typescript-1-5.cache")
	beside := filepath.Join(dir, "typescript.txt")
	for _, name := range []string{other, beside} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := openCache(dir)
	c.save()
	if _, err := os.Stat(other); err != nil {
		t.Errorf("removed, and nothing was kept: %v", err)
	}
	c.put("key", record{file: &tsgo.File{}})
	c.save()
	if _, err := os.Stat(other); err == nil {
		t.Error("another version's file is still there")
	}
	if _, err := os.Stat(beside); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(c.file); err != nil {
		t.Error(err)
	}
}
