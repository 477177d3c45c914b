package graph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Sized is a path and how many bytes it takes.
type Sized struct {
	Path  string
	Bytes int64
}

// Tokens estimates how many tokens bytes make: a quarter, rounded up.
func Tokens(bytes int64) int64 { return (bytes + 3) / 4 }

// Dropped is a selected file that did not fit.
type Dropped struct {
	Path  string
	Bytes int64
	// Reason says which rule chose it, and how to get it back.
	Reason string
}

// Fit leaves out of a selection what does not fit into tokens beside base bytes.
// Size gives a file's bytes. Files go in this order until the rest fits: those
// farthest from the seeds; of equal distance, dynamic uses before types before
// runtime; then what needs the change before what it needs; then larger ones;
// then by name, last first. Seeds go last. Both results are sorted by path.
//
// tokens <= 0 means no limit. When even nothing would not fit, all is dropped.
func (s *Selection) Fit(tokens, base int64, size func(id string) int64) (kept []string, dropped []Dropped) {
	total := base
	for _, id := range s.IDs {
		total += size(id)
	}
	if tokens <= 0 || Tokens(total) <= tokens {
		return slices.Clone(s.IDs), nil
	}
	order := slices.Clone(s.IDs)
	slices.SortFunc(order, func(a, b string) int {
		x, y := s.reached[a], s.reached[b]
		return cmp.Or(
			-cmp.Compare(x.distance, y.distance),
			-cmp.Compare(weight(x.edge.Uses), weight(y.edge.Uses)),
			-cmp.Compare(btoi(x.dependent), btoi(y.dependent)),
			-cmp.Compare(size(a), size(b)),
			-strings.Compare(a, b),
		)
	})
	gone := map[string]bool{}
	for _, id := range order {
		if Tokens(total) <= tokens {
			break
		}
		n := size(id)
		if n == 0 {
			continue
		}
		total -= n
		gone[id] = true
		dropped = append(dropped, Dropped{id, n, s.reached[id].reason(id, n)})
	}
	for _, id := range s.IDs {
		if !gone[id] {
			kept = append(kept, id)
		}
	}
	slices.SortFunc(dropped, func(a, b Dropped) int { return strings.Compare(a.Path, b.Path) })
	return kept, dropped
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r reach) reason(id string, bytes int64) string {
	where := "asked for by name"
	switch {
	case r.distance == 0:
	case r.dependent:
		where = fmt.Sprintf("%d from the change, needs it (%s)", r.distance, r.edge.Uses)
	default:
		where = fmt.Sprintf("%d from the seeds (%s)", r.distance, r.edge.Uses)
	}
	return fmt.Sprintf("about %d tokens, %s; to get it, raise budget-tokens or ask for %s and for less beside it", Tokens(bytes), where, id)
}

// Budget is what an archive of a plan costs.
type Budget struct {
	Files  int
	Bytes  int64
	Tokens int64
	// BaseOnly, ClosureOnly and Overlap part the files by who asked for them;
	// Changed counts those among all of them that the change touches.
	BaseOnly, ClosureOnly, Overlap, Changed Part
	// Largest are the ten largest files, by size and then by name.
	Largest []Sized
}

// Part is a number of files and their bytes.
type Part struct {
	Files int
	Bytes int64
}

func (p *Part) add(bytes int64) { p.Files++; p.Bytes += bytes }

// largest is how many of the largest files are told.
const largest = 10

// Count makes the budget of an archive that holds base and closure.
func Count(base, closure, changed []string, size func(path string) int64) Budget {
	from := map[string]int{}
	for _, p := range base {
		from[p] |= 1
	}
	for _, p := range closure {
		from[p] |= 2
	}
	touched := map[string]bool{}
	for _, p := range changed {
		touched[p] = true
	}
	var b Budget
	list := make([]Sized, 0, len(from))
	for _, p := range slices.Sorted(maps.Keys(from)) {
		n := size(p)
		b.Files++
		b.Bytes += n
		[]*Part{nil, &b.BaseOnly, &b.ClosureOnly, &b.Overlap}[from[p]].add(n)
		if touched[p] {
			b.Changed.add(n)
		}
		list = append(list, Sized{p, n})
	}
	b.Tokens = Tokens(b.Bytes)
	b.Largest = top(list, largest)
	return b
}

// top returns the n largest, by bytes and then by path.
func top(list []Sized, n int) []Sized {
	slices.SortFunc(list, func(a, b Sized) int {
		return cmp.Or(-cmp.Compare(a.Bytes, b.Bytes), strings.Compare(a.Path, b.Path))
	})
	return slices.Clip(list[:min(n, len(list))])
}
