package review

import (
	"slices"
	"testing"
)

// Of tests that name a function, the one that is called as its file comes first, then the nearest.
func TestArrangeTests(t *testing.T) {
	s := &search{tests: []string{"tests/test_benchmarks_quay.py", "tests/test_ship.py", "tests/test_quay.py", "src/QuayTest.java", "ui/quay.spec.ts"}}
	s.arrangeTests([]node{{file: "quay/_quay.py"}, {file: "quay/rope.py"}})
	if want := []string{"tests/test_quay.py", "src/QuayTest.java", "ui/quay.spec.ts", "tests/test_benchmarks_quay.py", "tests/test_ship.py"}; !slices.Equal(s.tests, want) {
		t.Errorf("%q, want %q", s.tests, want)
	}
}
