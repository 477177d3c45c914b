package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestPartsCutLongPieces: a piece that is longer than a part is cut between its lines, each stretch in a fence like its own; no line is lost.
func TestPartsCutLongPieces(t *testing.T) {
	counter := new(tokens.Counter)
	content := strings.Repeat("variable \"a\" {\n```\n", 2000)
	list := PartsOf("# It\n", []Chapter{{"Files", []Section{{Heading: "### `v.tf`\n\n", Pieces: []string{"lines 1–4000\n\n" + Fence("tf", content) + "\n"}}}}}, counter, 3000)
	got := ""
	for i, part := range list {
		if n := counter.Count([]byte(part)); n > 3000 {
			t.Errorf("part %d has %d tokens", i+1, n)
		}
		_, inside, opened := strings.Cut(part, "````tf\n")
		inside, _, closed := strings.Cut(inside, "````\n")
		if !opened || !closed || !strings.Contains(part, "### `v.tf`") {
			t.Errorf("part %d: %.200s", i+1, part)
		}
		got += inside
	}
	if got != content {
		t.Errorf("%d bytes of %d", len(got), len(content))
	}
}
