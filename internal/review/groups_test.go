package review

import (
	"fmt"
	"slices"
	"testing"

	"github.com/haversack-dev/haversack/internal/diff"
)

// TestManyFolders: of however many folders, deep, flat or at the root, a few groups are made that hold each file once. Every two of
// so many cannot be compared.
func TestManyFolders(t *testing.T) {
	for name, format := range map[string]string{"flat": "f%[1]d/a.go", "below": "x/y/f%[1]d/a.go", "deep": "p%[2]d/q%[3]d/r%[1]d/s/t/u/v/w/a.go", "one": "x/%[1]d.go", "root": "%[1]d.go"} {
		c := &changeView{}
		const n = 10_000
		for i := range n {
			p := fmt.Sprintf(format, i, i%10, i%100)
			c.list = append(c.list, File{Change: diff.Change{Path: p}, Class: Source, Added: i % 7})
		}
		list := c.groups()
		var all []int
		for _, g := range list {
			all = append(all, g.Files...)
		}
		slices.Sort(all)
		if len(list) > maxGroups || len(all) != n || all[0] != 0 || len(slices.Compact(all)) != n {
			t.Errorf("%s: %d groups of %d files", name, len(list), len(all))
		}
	}
}

// TestUpper cuts a folder's name at a depth.
func TestUpper(t *testing.T) {
	for _, c := range []struct {
		name  string
		depth int
		want  string
	}{{"a/b/c/", 2, "a/b/"}, {"a/b/c/", 3, "a/b/c/"}, {"a/b/c/", 9, "a/b/c/"}, {"/", 1, "/"}} {
		if got := upper(c.name, c.depth); got != c.want {
			t.Errorf("%s at depth %d: %s", c.name, c.depth, got)
		}
	}
}

// TestCommon: the folder that holds both.
func TestCommon(t *testing.T) {
	for _, c := range [][3]string{{"x/y/", "x/z/", "x/"}, {"x/", "x/y/", "x/"}, {"x/y/", "x/", "x/"}, {"x/", "xy/", "/"}, {"/", "x/", "/"}, {"/", "/", "/"}, {"x/y/", "x/y/", "x/y/"}} {
		if got := common(c[0], c[1]); got != c[2] {
			t.Errorf("%s and %s: %s", c[0], c[1], got)
		}
	}
}
