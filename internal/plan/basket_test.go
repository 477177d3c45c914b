package plan

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/scan"
)

// TestPass: what ranks too low to be tried is left out with its reason; what is in, or out
// for another one, stays as it is.
func TestPass(t *testing.T) {
	b := &Basket{members: map[string]*scan.File{"in.go": {}}, left: map[string]scan.Exclusion{"lock.json": {Reason: scan.NotSelected, Rule: "a lock file"}}}
	b.pass([]rank.RankedFile{{Path: "in.go"}, {Path: "lock.json"}, {Path: "far.go"}, {Path: "farther.go"}})
	for name, want := range map[string]scan.Exclusion{"in.go": {}, "lock.json": {Reason: scan.NotSelected, Rule: "a lock file"}, "far.go": leftBelowRank, "farther.go": leftBelowRank} {
		if b.left[name] != want {
			t.Errorf("%s: %v, want %v", name, b.left[name], want)
		}
	}
}

// TestParts: no part of a budget is more than it, the parts together leave an eighth of it to the
// files that rank, be the change as long as it may, and without a budget there is room for everything.
func TestParts(t *testing.T) {
	parts := []part{patchPart, wholePart, systemPart, guidePart, excerptPart, introductionPart, ReservePart}
	for _, limit := range []int{1, 2000, 128_000, 5_000_000} {
		sum := 0
		for _, p := range parts {
			sum += p.of(limit)
		}
		if sum > limit*7/8 {
			t.Errorf("of %d tokens the parts take %d", limit, sum)
		}
	}
	for _, p := range parts {
		if p.of(0) < 1<<40 {
			t.Errorf("without a limit a part is %d", p.of(0))
		}
	}
}
