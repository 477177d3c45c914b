package graph

import "context"

// Work is what finding the edges of one file may still take. It is a count, so that what is given up is the same
// on every machine.
type Work struct {
	// Steps are names that are looked up, and files that are looked at; Edges are those that are drawn.
	Steps, Edges int
	// Cut says that one of them did not suffice.
	Cut bool
}

// Take takes n steps. It reports whether they were left; where they were not, none are from then on.
func (w *Work) Take(n int) bool {
	if w.Steps < n {
		w.Steps, w.Cut = 0, true
		return false
	}
	w.Steps -= n
	return true
}

// Draw takes an edge.
func (w *Work) Draw() bool {
	if w.Edges <= 0 {
		w.Cut = true
		return false
	}
	w.Edges--
	return true
}

const (
	// maxSteps and maxEdges bound what the edges of all files of a language take: a hundred times as
	// much as those of the largest repositories, some seconds; and their edges, some 150 MB.
	maxSteps = 400_000_000
	maxEdges = 2_500_000
	// leastSteps and leastEdges are what a file has however much others took.
	leastSteps = 2000
	leastEdges = 20
	// block is how many files are worked on before what they took is counted.
	block = 256
)

// Share calls do for each of n files, with what its edges may take: no more than its part of what those of the
// blocks of files before it left. do counts down what it is given.
func Share(ctx context.Context, n int, do func(i int, w *Work)) error {
	left := Work{Steps: maxSteps, Edges: maxEdges}
	for from := 0; from < n; from += block {
		most := Work{Steps: max(left.Steps/block, leastSteps), Edges: max(left.Edges/block, leastEdges)}
		given := make([]Work, min(block, n-from))
		err := Each(ctx, len(given), func(i int) {
			given[i] = most
			do(from+i, &given[i])
		})
		if err != nil {
			return err
		}
		for _, w := range given {
			left.Steps -= most.Steps - w.Steps
			left.Edges -= most.Edges - w.Edges
		}
		left.Steps, left.Edges = max(left.Steps, 0), max(left.Edges, 0)
	}
	return nil
}
