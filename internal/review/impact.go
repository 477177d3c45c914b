package review

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// Impact is the review in numbers, as a record holds it.
func (r *Review) Impact() *record.Impact {
	if r == nil {
		return nil
	}
	m := &record.Impact{Files: len(r.Files), Dependents: r.Users, Unknown: r.UsersUnknown, Sources: r.sources, Untested: r.untested,
		Size: string(r.Size), Kind: string(r.Kind), Quiet: r.Quiet(),
		Functions: r.Reach.Functions, Unnamed: len(r.Reach.Unnamed), FunctionsUnknown: r.Reach.Unknown}
	for i := range r.Files {
		m.Added, m.Removed = m.Added+r.Files[i].Added, m.Removed+r.Files[i].Removed
	}
	return m
}

// countUntested counts the changed sources whose imports are read, and those of them that no changed test imports, over however
// many files, nor bears the name of.
func (c *changeView) countUntested() (sources, untested int) {
	if c.v.Sealed.Meta == nil {
		return 0, 0
	}
	reached := map[string]bool{}
	var next, stems []string
	for i := range c.list {
		if f := &c.list[i]; f.Status != diff.Deleted && f.Class == Test {
			next = append(next, f.Path)
			stems = append(stems, testless(f.Path))
		}
	}
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		for _, to := range c.imports[name] {
			if !reached[to] {
				reached[to] = true
				next = append(next, to)
			}
		}
	}
	for i := range c.list {
		f := &c.list[i]
		if f.Status == diff.Deleted || f.Class == Test || !snapshot.HasGraph(f.as()) {
			continue
		}
		sources++
		if !reached[f.Path] && !slices.Contains(stems, testless(f.Path)) {
			untested++
		}
	}
	return sources, untested
}

var testMark = lazyregexp.New(`^test_|[._-](test|tests|spec)$`)

// testless is a file's name without what marks it as a test.
func testless(name string) string {
	base := path.Base(name)
	base = strings.TrimSuffix(base, path.Ext(base))
	return testMark.ReplaceAllString(base, "")
}
