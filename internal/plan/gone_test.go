package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// TestGone: of a change without room for all, deleted files are told by what they defined, code before tests; with room they are shown.
func TestGone(t *testing.T) {
	licence := strings.Repeat("// Licensed to somebody under some conditions that nobody reads here.\n", 20)
	body := func(name string) string {
		return licence + "package store\n\ntype " + name + " struct{ n int }\n\nfunc (s *" + name + ") hidden() {}\n\nfunc (s *" + name + ") Open() {\n" + strings.Repeat("\tsame()\n", 30) + "}\n"
	}
	list := []snapshot.FilePatch{patchOf("main.go", "package main\n\nfunc main() { old() }\n", "package main\n\nfunc main() { now() }\n")}
	for i := range 12 {
		p := patchOf(fmt.Sprintf("store/f%d%s", i, []string{".go", "_test.go"}[i%2]), body(fmt.Sprintf("Store%d", i)), "")
		p.Change.Status, p.Counted = "D", true
		list = append(list, p)
	}
	list = append(list, patchOf("LICENSE", strings.Repeat("words of a licence\n", 60), ""))
	list[len(list)-1].Change.Status = "D"
	c := newCutter()
	screener, err := job.NewScreener(func(string) string { return "" }, "", secret.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	shown, lines := c.shareAll(screener, list, 900, "")
	if shown[0] == nil {
		t.Error("what goes on is not shown")
	}
	cost := 0
	for i := range list {
		cost += c.counter.Count(shown[i]) + c.counter.Count([]byte(lines[i]))
	}
	if cost > 900 {
		t.Errorf("%d tokens", cost)
	}
	if want := "# D store/f0.go, 0 lines: Store0, Open, hidden\n"; lines[1] != want {
		t.Errorf("%q, want %q", lines[1], want)
	}
	if shown[len(list)-1] != nil || shown[2] != nil {
		t.Error("a licence, or a test, that is deleted is shown")
	}
	if shown, lines := c.shareAll(screener, list, 100_000, ""); len(lines) != 0 || shown[len(list)-1] == nil {
		t.Error("with room for all not all is shown")
	}
	if _, lines := c.shareAll(screener, list, 900, "takes store/f11_test.go away"); lines[12] != "" {
		t.Error("what its authors name is told in a line")
	}
}
