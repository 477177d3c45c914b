package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestSaysAgain: what each version of a manual says stands there once; a copy of code is told, and so is a file that the change touches.
func TestSaysAgain(t *testing.T) {
	text := "# Receipts\n\nEach receipt is sent to the recipient of its order.\n"
	code := "export function send() { return 'each receipt is sent to its recipient' }\n"
	var sources []Source
	for _, name := range []string{"docs/v1/receipts.md", "docs/v2/receipts.md", "a/send.js", "b/send.js"} {
		s := Source{Path: name, Text: text, Need: 1_000_000}
		if strings.HasSuffix(name, ".js") {
			s.Text = code
		}
		sources = append(sources, s)
	}
	d := NewDocument(sources, new(tokens.Counter), 0, Budget{Tokens: 4000, Least: -rank.Log(1000)})
	for n, want := range []int{1, 0, 1, 1} {
		if got := len(d.Lines(sources[n].Path)); got != want {
			t.Errorf("%s: %d stretches, want %d", sources[n].Path, got, want)
		}
	}
}
