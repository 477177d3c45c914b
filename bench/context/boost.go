package main

import (
	"math"
	"slices"
	"sync"

	"github.com/haversack-dev/haversack/internal/rank"
)

// treeExample is a row to grow trees by: of a file, or of a passage.
type treeExample struct {
	row    []int16
	needed bool
	weight float64
}

const (
	boostRidge = 20 // how much speaks against a leaf, in examples
	boostLeast = 80 // examples that a split leaves on each side at least
	boostBins  = 64 // intervals of a feature's values that are told apart
)

// growth is how a forest grows.
type growth struct {
	trees, depth int
	pace         float64 // how much of what a tree would say it says
}

// boost fits trees to tell the log odds of examples, one after the other on what those before left; each of half of the features. The
// log odds begin at those of all examples.
func boost(list []treeExample, g growth) (f rank.Forest, begin float64) {
	b := newBoosting(list)
	b.growth, begin = g, b.odds[0]
	f.Depth = g.depth
	for round := range g.trees {
		splits, leaves := b.grow(round)
		f.Splits, f.Leaves = append(f.Splits, splits...), append(f.Leaves, leaves...)
	}
	return f, begin
}

// boosting is what is known of the examples between two trees.
type boosting struct {
	growth
	list   []treeExample
	bounds [][]int16 // by feature: the largest value of each interval but the last
	bins   [][]uint8
	odds   []float64 // as the trees so far tell them
	slope  []float64 // of the loss, and how fast it bends
	bend   []float64
	node   []uint8
}

func newBoosting(list []treeExample) *boosting {
	n, columns := len(list), len(list[0].row)
	b := &boosting{list: list, bounds: make([][]int16, columns), bins: make([][]uint8, columns), odds: make([]float64, n), slope: make([]float64, n), bend: make([]float64, n), node: make([]uint8, n)}
	needed, all := 0.0, 0.0
	for i := range list {
		all += list[i].weight
		if list[i].needed {
			needed += list[i].weight
		}
	}
	for i := range b.odds {
		b.odds[i] = math.Log(needed / (all - needed))
	}
	eachFeature(columns, func(f int) {
		values := make([]int16, n)
		for i := range list {
			values[i] = list[i].row[f]
		}
		slices.Sort(values)
		for k := 1; k < boostBins; k++ {
			if v := values[k*n/boostBins]; v < values[n-1] && (len(b.bounds[f]) == 0 || v > b.bounds[f][len(b.bounds[f])-1]) {
				b.bounds[f] = append(b.bounds[f], v)
			}
		}
		b.bins[f] = make([]uint8, n)
		for i := range list {
			at, _ := slices.BinarySearch(b.bounds[f], list[i].row[f])
			b.bins[f][i] = uint8(at)
		}
	})
	return b
}

// eachFeature calls do for each of so many features, for two at a time.
func eachFeature(n int, do func(f int)) {
	var wait sync.WaitGroup
	for k := range 2 {
		wait.Go(func() {
			for f := k; f < n; f += 2 {
				do(f)
			}
		})
	}
	wait.Wait()
}

// sum is of examples: of their slopes and bends, and how many they are.
type sum struct {
	slope, bend float64
	n           int
}

func (s *sum) add(o sum) { s.slope, s.bend, s.n = s.slope+o.slope, s.bend+o.bend, s.n+o.n }

// less returns s without o.
func (s sum) less(o sum) sum { return sum{s.slope - o.slope, s.bend - o.bend, s.n - o.n} }

func (s sum) gain() float64 { return s.slope * s.slope / (s.bend + boostRidge) }

// cut is where examples of a node are best divided.
type cut struct {
	gain float64
	bin  int
}

// grow adds one tree.
func (b *boosting) grow(round int) (splits []rank.Split, leaves []int16) {
	interior := 1<<b.depth - 1
	splits, leaves = make([]rank.Split, interior), make([]int16, interior+1)
	for i := range b.list {
		p := 1 / (1 + math.Exp(-b.odds[i]))
		b.slope[i], b.bend[i] = p*b.list[i].weight, p*(1-p)*b.list[i].weight
		if b.list[i].needed {
			b.slope[i] -= b.list[i].weight
		}
		b.node[i] = 0
	}
	for first := 0; first < interior; first = 2*first + 1 {
		cuts := make([][]cut, len(b.bins))
		eachFeature(len(b.bins), func(f int) {
			if uint32(round*len(b.bins)+f+1)*2654435761>>16&1 == 0 {
				cuts[f] = b.cuts(f, first)
			}
		})
		for node := first; node <= 2*first; node++ {
			split := &splits[node]
			*split = rank.Split{Over: math.MaxInt16} // all to one side
			best := 1e-6
			for f := range cuts {
				if cuts[f] != nil && cuts[f][node-first].gain > best {
					best = cuts[f][node-first].gain
					*split = rank.Split{Feature: uint8(f), Over: b.bounds[f][cuts[f][node-first].bin]}
				}
			}
		}
		for i := range b.node {
			split := &splits[b.node[i]]
			b.node[i] = 2*b.node[i] + 1
			if b.list[i].row[split.Feature] > split.Over {
				b.node[i]++
			}
		}
	}
	sums := make([]sum, interior+1)
	for i := range b.node {
		sums[int(b.node[i])-interior].add(sum{b.slope[i], b.bend[i], 1})
	}
	for n, s := range sums {
		leaves[n] = int16(math.Round(-1000 * b.pace * s.slope / (s.bend + boostRidge)))
	}
	for i := range b.odds {
		b.odds[i] += float64(leaves[int(b.node[i])-interior]) / 1000
	}
	return splits, leaves
}

// cuts are the best ones by a feature of the nodes from first on, of one level.
func (b *boosting) cuts(f, first int) []cut {
	by := make([][boostBins]sum, first+1)
	for i, bin := range b.bins[f] {
		s := &by[int(b.node[i])-first][bin]
		s.slope, s.bend, s.n = s.slope+b.slope[i], s.bend+b.bend[i], s.n+1
	}
	list := make([]cut, first+1)
	for n := range list {
		var all, left sum
		for bin := range by[n] {
			all.add(by[n][bin])
		}
		for bin := range b.bounds[f] {
			left.add(by[n][bin])
			right := all.less(left)
			if left.n < boostLeast || right.n < boostLeast {
				continue
			}
			if gain := left.gain() + right.gain() - all.gain(); gain > list[n].gain {
				list[n] = cut{gain, bin}
			}
		}
	}
	return list
}
