package pack

import (
	"cmp"
	"fmt"
	"slices"
)

// TooSmallError says that even what a summary cannot do without is over the
// limit.
type TooSmallError struct {
	// Limit is what was asked for, By the input that asks for it.
	Limit int64
	By    string
	// Least is the smallest limit that this repository's summary keeps.
	Least int64
}

func (e *TooSmallError) Error() string {
	return fmt.Sprintf("input max-content-bytes: the summary of this repository cannot keep %s; the smallest possible is %d", e.By, e.Least)
}

// unit is an element that a summary can do without.
type unit struct {
	list *cutList
	i    int   // its index
	size int64 // what it takes in JSON
}

// cutList is a list of a summary that can be cut.
type cutList struct {
	name string
	n    int
	cut  int
	drop map[int]bool
}

// fit cuts the summary to its limit: as JSON it then has at most that many bytes.
// Elements go in a fixed order, so that a narrower limit keeps a part of what a
// wider one keeps.
func (p *Summary) fit(c *Constraints) error {
	limit, by := c.limit()
	p.setContentBytes()
	size, err := p.size()
	if err != nil {
		return err
	}
	if size <= limit {
		return nil
	}
	var units []unit
	var lists []*cutList
	line := newLine()
	measure := func(v any) int64 {
		b, _ := line.of(v)
		return int64(len(b)) + 2 // comma and line feed, or comma alone and a quote's worth of slack
	}
	add := func(name string, n int, order []int, size func(int) int64) {
		l := &cutList{name: name, n: n, drop: map[int]bool{}}
		lists = append(lists, l)
		for _, i := range order {
			units = append(units, unit{l, i, size(i)})
		}
	}
	fromEnd := func(n int) []int {
		order := make([]int, n)
		for i := range order {
			order[i] = n - 1 - i
		}
		return order
	}
	add("file_index", len(p.FileIndex), p.leastFirst(), func(i int) int64 { return measure(p.FileIndex[i]) })
	m := &p.Metadata
	add("metadata.encodings", len(m.Encodings), fromEnd(len(m.Encodings)), func(i int) int64 { return measure(m.Encodings[i]) })
	add("risk_hotspots", len(p.RiskHotspots), fromEnd(len(p.RiskHotspots)), func(i int) int64 { return measure(p.RiskHotspots[i]) })
	add("entrypoints", len(p.Entrypoints), fromEnd(len(p.Entrypoints)), func(i int) int64 { return measure(p.Entrypoints[i]) })
	add("key_files_summary", len(p.KeyFilesSummary), fromEnd(len(p.KeyFilesSummary)), func(i int) int64 { return measure(p.KeyFilesSummary[i]) })
	ma := &p.Manifest
	add("manifest.dependencies", len(ma.Dependencies), fromEnd(len(ma.Dependencies)), func(i int) int64 { return measure(ma.Dependencies[i]) })
	strs := func(name string, list []string) {
		add(name, len(list), fromEnd(len(list)), func(i int) int64 { return measure(list[i]) })
	}
	strs("manifest.workspaces", ma.Workspaces)
	strs("manifest.manifests", ma.Manifests)
	strs("manifest.entry_points", ma.EntryPoints)
	add("metadata.warnings", len(m.Warnings), fromEnd(len(m.Warnings)), func(i int) int64 { return measure(m.Warnings[i]) })
	r := &p.RepoSummary
	strs("repo_summary.potential_concerns", r.PotentialConcerns)
	strs("repo_summary.notable_patterns", r.NotablePatterns)
	strs("repo_summary.key_technologies", r.KeyTechnologies)

	// What the notes on the cuts take at most: all of them, with the longest numbers.
	var notes int64
	for _, l := range lists {
		notes += measure(Cut{l.name, l.n, l.n})
	}
	notes += 10 // digits of total_content_bytes only fall
	over := size + notes - limit
	for _, u := range units {
		if over <= 0 {
			break
		}
		u.list.drop[u.i] = true
		u.list.cut++
		over -= u.size - 2 // the last of a list has no comma
	}
	if over > 0 {
		// The reason of the selection may quote the limit: leave room for longer numbers.
		return &TooSmallError{limit, by, limit + over + 20}
	}
	byName := map[string]*cutList{}
	for _, l := range lists {
		byName[l.name] = l
		if l.cut > 0 {
			m.Cuts = append(m.Cuts, Cut{l.name, l.cut, l.n})
		}
	}
	p.FileIndex = keep(p.FileIndex, byName["file_index"])
	m.Encodings = keep(m.Encodings, byName["metadata.encodings"])
	m.Warnings = keep(m.Warnings, byName["metadata.warnings"])
	p.RiskHotspots = keep(p.RiskHotspots, byName["risk_hotspots"])
	p.Entrypoints = keep(p.Entrypoints, byName["entrypoints"])
	p.KeyFilesSummary = keep(p.KeyFilesSummary, byName["key_files_summary"])
	ma.Dependencies = keep(ma.Dependencies, byName["manifest.dependencies"])
	ma.Workspaces = keep(ma.Workspaces, byName["manifest.workspaces"])
	ma.Manifests = keep(ma.Manifests, byName["manifest.manifests"])
	ma.EntryPoints = keep(ma.EntryPoints, byName["manifest.entry_points"])
	r.PotentialConcerns = keep(r.PotentialConcerns, byName["repo_summary.potential_concerns"])
	r.NotablePatterns = keep(r.NotablePatterns, byName["repo_summary.notable_patterns"])
	r.KeyTechnologies = keep(r.KeyTechnologies, byName["repo_summary.key_technologies"])
	p.setContentBytes()
	return nil
}

func keep[T any](list []T, l *cutList) []T {
	if l.cut == 0 {
		return list
	}
	out := make([]T, 0, len(list)-l.cut)
	for i, v := range list {
		if !l.drop[i] {
			out = append(out, v)
		}
	}
	return out
}

// leastFirst orders the rows of the index by what they tell, least first: those
// left out before those included, then by category, the deeper, the later.
func (p *Summary) leastFirst() []int {
	order := make([]int, len(p.FileIndex))
	for i := range order {
		order[i] = i
	}
	key := func(i int) (bool, int, int) {
		e := p.FileIndex[i]
		depth := 0
		for _, c := range e.Path {
			if c == '/' {
				depth++
			}
		}
		return e.Included, -rank[e.Category], -depth
	}
	slices.SortFunc(order, func(a, b int) int {
		ia, ra, da := key(a)
		ib, rb, db := key(b)
		if ia != ib {
			if ib {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(da, db), cmp.Compare(b, a))
	})
	return order
}

// counter counts what is written to it.
type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

// size is the length of the pack as JSON.
func (p *Summary) size() (int64, error) {
	var c counter
	err := p.WriteJSON(&c)
	return c.n, err
}

// setContentBytes counts what was made of content: the four parts that a
// manifest and an index do not have.
func (p *Summary) setContentBytes() {
	line := newLine()
	var n int64
	for _, v := range []any{p.RepoSummary, p.KeyFilesSummary, p.Entrypoints, p.RiskHotspots} {
		b, _ := line.of(v)
		n += int64(len(b))
	}
	p.Metadata.TotalContentBytes = n
}
