package graph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FileSize is a path and how many bytes it takes.
type FileSize struct {
	Path  string
	Bytes int64
}

// Tokens estimates how many tokens bytes make: a quarter, rounded up.
func Tokens(bytes int64) int64 { return (bytes + 3) / 4 }

// Nearest returns the selected ids in the order in which a budget is spent on them:
// those nearest to the seeds first; of equal distance, runtime uses before types before
// dynamic ones; then what the change needs before what needs it; then smaller ones;
// then by name. Size gives a file's bytes.
func (s *Selection) Nearest(size func(id string) int64) []string {
	order := slices.Clone(s.IDs)
	slices.SortFunc(order, func(a, b string) int {
		x, y := s.reached[a], s.reached[b]
		return cmp.Or(
			cmp.Compare(x.distance, y.distance),
			cmp.Compare(weight(x.edge.Uses), weight(y.edge.Uses)),
			cmp.Compare(btoi(x.dependent), btoi(y.dependent)),
			cmp.Compare(size(a), size(b)),
			strings.Compare(a, b),
		)
	})
	return order
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Unfit says of a selected file that does not fit which rule chose it, and how to get
// it all the same.
func (s *Selection) Unfit(id string, bytes int64) string {
	r, where := s.reached[id], "asked for by name"
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
	Largest []FileSize
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
	list := make([]FileSize, 0, len(from))
	for _, p := range slices.Sorted(maps.Keys(from)) {
		n := size(p)
		b.Files++
		b.Bytes += n
		[]*Part{nil, &b.BaseOnly, &b.ClosureOnly, &b.Overlap}[from[p]].add(n)
		if touched[p] {
			b.Changed.add(n)
		}
		list = append(list, FileSize{p, n})
	}
	b.Tokens = Tokens(b.Bytes)
	b.Largest = top(list, largest)
	return b
}

// top returns the n largest, by bytes and then by path.
func top(list []FileSize, n int) []FileSize {
	slices.SortFunc(list, func(a, b FileSize) int {
		return cmp.Or(-cmp.Compare(a.Bytes, b.Bytes), strings.Compare(a.Path, b.Path))
	})
	return slices.Clip(list[:min(n, len(list))])
}
