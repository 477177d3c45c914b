package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// A workflow that tries what others build on the repository, in their languages, does not say how it is tested itself.
func TestTestsOthers(t *testing.T) {
	texts := map[string]string{
		".github/workflows/sdk-tests.yml":  "jobs:\n  a:\n    steps:\n      - run: dotnet test\n      - run: pnpm test\n      - run: cargo test\n",
		".github/workflows/test-suite.yml": "jobs:\n  a:\n    steps:\n      - run: cargo test --locked\n",
		"Cargo.toml":                       "[package]\nname = \"quay\"\n",
	}
	r := &Repository{Counter: &tokens.Counter{}, Tokens: 8_000}
	for _, name := range []string{".github/workflows/sdk-tests.yml", ".github/workflows/test-suite.yml", "Cargo.toml"} {
		r.Members = append(r.Members, Member{Path: name, Size: int64(len(texts[name])), Role: Manifest})
	}
	r.Read = func(i int) Content { return Content{Text: texts[r.Members[i].Path]} }
	var first *manifest
	for _, m := range r.newShelves().manifests() {
		if first == nil && m.runsTests() {
			first = m
		}
	}
	if first == nil || !strings.HasSuffix(first.path, "test-suite.yml") {
		t.Errorf("first is %+v", first)
	}
}
