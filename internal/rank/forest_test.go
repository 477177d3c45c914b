package rank

import "testing"

// A split sends what is over its value to the second node, what is equal to the first; trees are added.
func TestForest(t *testing.T) {
	forest := Forest{Depth: 2, Splits: []Split{
		{0, 10}, {1, 5}, {1, -5},
		{1, 0}, {0, 0}, {0, 20},
	}, Leaves: []int16{
		1, 2, 3, 4,
		10, 20, 30, 40,
	}}
	for _, test := range []struct {
		row  []int16
		want int64
	}{
		{[]int16{10, 5}, 1 + 30},
		{[]int16{10, 6}, 2 + 30},
		{[]int16{11, -5}, 3 + 20},
		{[]int16{21, 1}, 4 + 40},
		{[]int16{0, 0}, 1 + 10},
	} {
		if got := forest.Need(test.row); got != test.want*1000 {
			t.Errorf("Need(%v) = %d, want %d", test.row, got, test.want*1000)
		}
	}
	if got := (&Forest{}).Need(nil); got != 0 {
		t.Errorf("no tree tells %d", got)
	}
}

// The tables are of whole trees, which ask for features that there are.
func TestForestTables(t *testing.T) {
	for name, table := range map[string]struct {
		*Forest
		features int
	}{"blocks": {&blockForest, int(features)}, "whole files": {&wholeForest, FileFeatures}} {
		leaves := 1 << table.Depth
		if trees := len(table.Leaves) / leaves; trees == 0 || len(table.Leaves) != trees*leaves || len(table.Splits) != trees*(leaves-1) {
			t.Errorf("%s: %d splits and %d leaves of depth %d", name, len(table.Splits), len(table.Leaves), table.Depth)
		}
		for _, s := range table.Splits {
			if int(s.Feature) >= table.features {
				t.Errorf("%s: a split asks for feature %d of %d", name, s.Feature, table.features)
			}
		}
	}
}
