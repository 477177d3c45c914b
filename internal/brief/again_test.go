package brief

import (
	"fmt"
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

// TestAccessors: as long as not all is told, what gets and what sets a property is told in one line.
func TestAccessors(t *testing.T) {
	var b strings.Builder
	b.WriteString("export class Crane {\n")
	for n := range 300 {
		fmt.Fprintf(&b, "  set load%d(v) {\n    this._load = v\n  }\n  static get load%d() {\n    return 1\n  }\n", n, n)
	}
	b.WriteString("}\n")
	doc := strings.Join(described(map[string]string{"src/crane.js": b.String()}, 2000, 0).Document(), "")
	if set, get := strings.Count(doc, "\tset load"), strings.Count(doc, "\tstatic get load"); set < 80 || get > 2 { // what no other line fits into
		t.Errorf("%d properties are told to be set, %d to be got", set, get)
	}
}
