package rank

import (
	"slices"
	"strings"
	"testing"
)

// A file with a passage that uses what changes is worth more whole than one without, and a long one less than a short one that says the same;
// in whatever order the files come.
func TestFileRows(t *testing.T) {
	order, list := judged(t)
	rows := order.Rows(list)
	files := []WholeFile{{"b/ship.go", 120, rows[0]}, {"c/wall.go", 60, rows[1]}, {Path: "d/empty.go"}}
	got := order.FileRows(files)
	if uses, away := WholeNeed(&got[0], 120), WholeNeed(&got[1], 120); uses <= away {
		t.Errorf("what uses the name is worth %d, another %d", uses, away)
	}
	if short, long := WholeNeed(&got[0], 120), WholeNeed(&got[0], 120_000); short <= long {
		t.Errorf("a short file is worth %d, a long one %d", short, long)
	}
	row := &got[0]
	if row[needMost] < row[needSecond] || row[needSecond] < row[needThird] || row[needThird] != leastNeed/1000 || row[turnMost] != 0 || row[needExpected] <= got[1][needExpected] {
		t.Errorf("%v", *row)
	}
	slices.Reverse(files)
	again := order.FileRows(files)
	slices.Reverse(again)
	if !slices.Equal(again, got) {
		t.Error("the order of the files decides")
	}
}

// The table of weights tells which feature each is for: each has a name of its own.
func TestFileFeatureNames(t *testing.T) {
	seen := map[string]bool{}
	for f := range FileFeatures {
		name := FileFeature(f).String()
		if name == "unknown" || seen[name] || !strings.ContainsAny(name, "abcdefghijklmnopqrstuvwxyz") {
			t.Errorf("feature %d is called %q", f, name)
		}
		seen[name] = true
	}
}
