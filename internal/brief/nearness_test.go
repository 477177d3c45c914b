package brief

import (
	"slices"
	"testing"
)

// What lies deeper counts less, but not for folders that hold one thing alone.
func TestNearness(t *testing.T) {
	r := &Repository{}
	for _, name := range []string{"main.c", "src/only/one/a.c", "src/only/one/b.c", "lib/x.c", "lib/deep/y.c", "lib/deep/z.c", "docs/a.md"} {
		r.Members = append(r.Members, Member{Path: name, Role: RoleOf(name)})
	}
	if got, want := r.nearness(), []int64{1000, 850, 850, 850, 722, 722, 1000}; !slices.Equal(got, want) {
		t.Errorf("%d, not %d", got, want)
	}
}

// Of two functions alike the one that a comment tells about is told first.
func TestDocumentedFirst(t *testing.T) {
	plain := signature{Definition: Definition{Line: 1, End: 9}, named: 1000}
	told := plain
	told.Documented = true
	if !(told.does() > plain.does()) {
		t.Errorf("%d and %d", told.does(), plain.does())
	}
}
