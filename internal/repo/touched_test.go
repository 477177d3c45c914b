package repo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestTouched lists what each commit touched, and ends where a shallow clone does.
func TestTouched(t *testing.T) {
	g := repotest.New(t, "-- a.txt --\na\n", "-- a.txt --\nb\n-- d/b.txt --\nb\n", "-- c.txt --\nc\n")
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, "-- m/%d.txt --\nm\n", i)
	}
	g.Commit(many.String())
	r, err := Open(g.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, cut, err := r.Touched("HEAD", 10)
	if err != nil || cut {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got); s != "[[] [c.txt] [a.txt d/b.txt]]" {
		t.Errorf("got %s", s)
	}
	if got, _, err := r.Touched("HEAD", 2); err != nil || len(got) != 2 {
		t.Errorf("of two: %v, %v", got, err)
	}
	if _, _, err := r.Touched("nothing", 2); err == nil {
		t.Error("no error for a revision that is not there")
	}
}
