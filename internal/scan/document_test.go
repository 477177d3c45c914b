package scan

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/secret"
)

// TestDocument holds that what a document says is clean for whoever looks at it under its name: a table in a program's text is no
// table there, and is one in Markdown.
func TestDocument(t *testing.T) {
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	s := &Screener{Scanner: scanner, Given: new(secret.Known)}
	const text = "| user | password |\n|---|---|\n| jane | kolibri-27-Fels |\n"
	if got := s.Clean(text); got != text {
		t.Fatalf("without a name: %q", got)
	}
	clean, made := s.Document("context.md", []byte(text))
	found, err := s.Find("context.md", clean)
	if len(made) == 0 || err != nil || len(found) > 0 {
		t.Errorf("%q: %v, %v", clean, found, err)
	}
}
