package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/rank"
)

// TestNeedOfTouched: what a change touches is needed as it is, what it leaves alone in its files less.
func TestNeedOfTouched(t *testing.T) {
	s := functions(6)
	s.Touched = []int{7}
	order, err := rank.Files(t.Context(), rank.Input{Changes: []rank.Change{{Path: "a.go", Patch: []byte("--- a/a.go\n+++ b/a.go\n@@ -7 +7 @@\n-\tprintln(2)\n+\tprintln(3)\n")}}})
	if err != nil {
		t.Fatal(err)
	}
	list := []Source{s}
	if _, err := Needed(order, Budget{Tokens: 8000}, list, nil); err != nil {
		t.Fatal(err)
	}
	for b, block := range list[0].Blocks() {
		left := rank.SmallNeed(&list[0].Rows[b]) - list[0].Needs[b]
		if touched := strings.Contains(block.Name, "f1"); touched != (left == 0) {
			t.Errorf("block %s is needed %d less than it is", block.Name, left)
		}
	}
}
