package rank

import (
	"slices"
	"testing"
)

// What much depends on stands above what little does, and the sum stays what it was.
func TestStanding(t *testing.T) {
	// 0 and 1 import 2, which imports 3; 4 is alone, 5 and 6 import each other.
	edges := [][]int32{{2}, {2}, {3}, nil, nil, {6}, {5}}
	got := Standing(len(edges), edges)
	if !(got[3] > got[2] && got[2] > got[0] && got[5] == got[6] && got[6] > got[3] && got[0] == got[1] && got[1] == got[4]) {
		t.Errorf("standing %d", got)
	}
	var sum int64
	for _, s := range got {
		sum += s
	}
	if sum < 6_990_000 || sum > 7_000_000 {
		t.Errorf("%d in all, not 7 million", sum)
	}
	if got := Standing(0, nil); len(got) != 0 {
		t.Errorf("nothing gives %d", got)
	}
	if again := Standing(len(edges), edges); !slices.Equal(got, again) {
		t.Errorf("%d, and then %d", got, again)
	}
}

// What brings much together stands as high as what much depends on; what does neither is lowest.
func TestProminence(t *testing.T) {
	// 0 imports all of 1, 2 and 3, which import 4; 5 is alone.
	edges := [][]int32{{1, 2, 3}, {4}, {4}, {4}, nil, nil}
	got := Prominence(len(edges), edges)
	if !(got[0] > got[5] && got[4] > got[5] && got[0] == got[4] && got[1] == got[2]) {
		t.Errorf("prominence %d", got)
	}
	if used := Standing(len(edges), edges); !(used[4] > 2*used[0]) {
		t.Errorf("standing %d", used)
	}
	if got := Prominence(0, nil); len(got) != 0 {
		t.Errorf("nothing gives %d", got)
	}
}
