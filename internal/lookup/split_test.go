package lookup

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/tree"
)

// TestSplits holds that texts which are asked for again are not split again, that the oldest go first, and that a long one is not kept.
func TestSplits(t *testing.T) {
	s := newSplits()
	file := func(n int) *scan.File {
		return &scan.File{File: tree.File{Path: fmt.Sprintf("a%d.go", n)}, SHA256: fmt.Sprint(n)}
	}
	content := []byte("package a\n" + strings.Repeat("// a line without any word in it\n", maxSplitText/40))
	content = append(content, "func f() { g() }\n"...)
	first := s.split(file(0), content)
	if first == nil || s.split(file(0), content) != first {
		t.Fatal("what was asked for is split again")
	}
	for n := range 9 {
		s.split(file(n), content)
		s.split(file(0), content)
	}
	if s.size > maxSplit || len(s.by)*len(content) != s.size {
		t.Errorf("%d bytes of %d texts are kept", s.size, len(s.by))
	}
	if s.split(file(0), content) != first || s.by[splitKey{"a1.go", "1"}] != nil || s.by[splitKey{"a8.go", "8"}] == nil {
		t.Error("the oldest is kept, or the last one went")
	}
	n := len(s.by)
	if s.split(file(100), append(content, content...)) == nil || len(s.by) != n {
		t.Error("a long text is kept")
	}
}
