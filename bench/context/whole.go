package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/haversack-dev/haversack/internal/rank"
)

// The trees by which internal/rank tells how much a file is worth taking whole are grown on the cases of -fit: a file is needed where the
// rest of the commit, or the next ones, change a line of it. What is printed are the hunks that stand in files which 24,000 and 96,000 tokens
// hold, the parts of documents of 32,000 and 128,000 that are for whole files: in the order of files, and in that of trees that were
// grown without the repository.

// wholeTasks are what is fitted, and how many cases of each there are to a hundred of change.
var wholeTasks = []struct {
	task  string
	share int
}{{"change", 100}, {"review", 100}, {"several", 40}, {"plain", 30}}

// wholeGrowth is how the trees of files grow.
var wholeGrowth = growth{trees: 80, depth: 4, pace: .12}

// wholeRooms are the tokens that are filled.
var wholeRooms = []int{8_000, 24_000, 96_000}

// wholeCase is one case, by file.
type wholeCase struct {
	Task   string
	Rows   []rank.FileRow
	Bytes  []int
	Place  []int
	Wanted []int // hunks
	All    int   // hunks, those of files without rows among them
}

// wholeCases are those of a repository, kept between runs in a file of o.dir.
func (r *repository) wholeCases(ctx context.Context, o options, counts *counts) (list []*wholeCase, err error) {
	name := filepath.Join(o.dir, fmt.Sprintf("whole-%s-%d-%d.gob", r.name, o.n, rank.FileFeatures))
	if f, err := os.Open(name); err == nil {
		defer f.Close()
		return list, gob.NewDecoder(f).Decode(&list)
	}
	for _, part := range wholeTasks {
		cases, err := regionCases(ctx, r.clone, part.task, max(1, o.n*part.share/100), o.skip)
		if err != nil {
			return nil, err
		}
		var mu sync.Mutex
		byCommit := map[string]*wholeCase{}
		err = r.eachRegion(ctx, o, part.task, cases, counts, func(t *regionTrial) error {
			if err := t.judge(ctx, o); err != nil {
				return err
			}
			one := t.wholeCase()
			one.Task = part.task
			mu.Lock()
			defer mu.Unlock()
			byCommit[t.Commit] = one
			return nil
		})
		if err != nil {
			return nil, err
		}
		for _, e := range cases {
			if one := byCommit[e.Commit]; one != nil && one.All > 0 {
				list = append(list, one)
			}
		}
	}
	r.clone.Forget()
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return list, gob.NewEncoder(f).Encode(list)
}

func (t *regionTrial) wholeCase() *wholeCase {
	place := map[string]int{}
	for i, f := range t.ranked.Files {
		place[f.Path] = i + 1
	}
	c := &wholeCase{All: len(t.hunks)}
	var files []rank.WholeFile
	for n := range t.sources {
		s := &t.sources[n]
		if s.Changed || len(s.Rows) == 0 {
			continue
		}
		wanted := 0
		for _, h := range t.hunks {
			if h.path == s.Path {
				wanted++
			}
		}
		files = append(files, rank.WholeFile{Path: s.Path, Bytes: len(s.Text), Rows: s.Rows})
		c.Bytes, c.Place, c.Wanted = append(c.Bytes, len(s.Text)), append(c.Place, place[s.Path]), append(c.Wanted, wanted)
	}
	c.Rows = t.ranked.FileRows(files)
	return c
}

// worthOf is how much a file is worth taking whole by trees.
func worthOf(trees *rank.Forest, c *wholeCase, i int) int64 {
	return trees.Need(c.Rows[i][:]) + rank.WholeCost(&c.Rows[i], c.Bytes[i])
}

// shares are the parts of the hunks in the files that rooms hold, those of the largest worth first.
func (c *wholeCase) shares(worth func(i int) int64) []float64 {
	order, values := make([]int, len(c.Rows)), make([]int64, len(c.Rows))
	for i := range order {
		order[i], values[i] = i, worth(i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(c.Place[a], c.Place[b]))
	})
	var list []float64
	for _, room := range wholeRooms {
		n := 0
		for _, i := range order {
			if cost := c.Bytes[i]*10/37 + 35; cost <= room {
				room -= cost
				n += c.Wanted[i]
			}
		}
		list = append(list, float64(n)/float64(c.All))
	}
	return list
}

// wholeExamples are the files needed of each case, those of which most is expected, and some of the others.
func wholeExamples(cases []*wholeCase) []treeExample {
	const top, others = 300, 100
	var list []treeExample
	for n, c := range cases {
		var rest []int
		needed := 0
		for i := range c.Rows {
			if c.Wanted[i] > 0 {
				needed++
			} else {
				rest = append(rest, i)
			}
		}
		weight := min(1, 4/float64(max(1, needed)))
		slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(c.Rows[b][expectedColumn], c.Rows[a][expectedColumn]) })
		for i := range c.Rows {
			if c.Wanted[i] > 0 {
				list = append(list, treeExample{c.Rows[i][:], true, weight})
			}
		}
		for _, i := range rest[:min(top, len(rest))] {
			list = append(list, treeExample{c.Rows[i][:], false, weight})
		}
		if rest = rest[min(top, len(rest)):]; len(rest) > 0 {
			k := min(others, len(rest))
			for j := range k {
				at := (j*len(rest) + int(uint32(n*7919+j)*2654435761%uint32(len(rest)))) / k % len(rest)
				list = append(list, treeExample{c.Rows[rest[at]][:], false, weight * float64(len(rest)) / float64(k)})
			}
		}
	}
	return list
}

// expectedColumn is where a row says what is expected of its passages.
const expectedColumn = 3

// fitWhole prints what trees find in repositories that they were grown without, and writes the table of those that are grown on all.
func fitWhole(ctx context.Context, o options, repositories []*repository, counts *counts, out io.Writer) error {
	cases := make([][]*wholeCase, len(repositories))
	var all []*wholeCase
	for i, r := range repositories {
		var err error
		if cases[i], err = r.wholeCases(ctx, o, counts); err != nil {
			return fmt.Errorf("reading %s: %w", r.name, err)
		}
		all = append(all, cases[i]...)
		fmt.Fprintf(out, "%-30s %d cases\n", r.name, len(cases[i]))
	}
	const folds = 5
	sums := map[string][2][]float64{}
	for fold := range folds {
		trees, _ := boost(wholeExamples(without(cases, fold, folds)), wholeGrowth)
		for i := range cases {
			if i%folds == fold {
				addWhole(sums, cases[i], &trees)
			}
		}
	}
	for _, part := range wholeTasks {
		for k, way := range []string{"the order of files", "fitted"} {
			fmt.Fprintf(out, "%-10s %-20s", part.task, way)
			sum := sums[part.task][k]
			for b := 0; b+1 < len(sum); b++ {
				fmt.Fprintf(out, " %.4f", sum[b]/sum[len(sum)-1])
			}
			fmt.Fprintln(out)
		}
	}
	trees, _ := boost(wholeExamples(all), wholeGrowth)
	return writeTable(o.table, "-whole", func(b *bytes.Buffer) {
		writeForest(b, "wholeForest tells how much a file is needed.", trees)
	})
}

// addWhole adds the means of a repository's cases, by task and way: by room, and at last one for the repository.
func addWhole(sums map[string][2][]float64, cases []*wholeCase, trees *rank.Forest) {
	for _, part := range wholeTasks {
		n := 0.0
		var own [2][]float64
		for k := range own {
			own[k] = make([]float64, len(wholeRooms)+1)
		}
		for _, c := range cases {
			if c.Task != part.task {
				continue
			}
			n++
			for k, worth := range []func(i int) int64{
				func(i int) int64 { return -int64(c.Place[i]) },
				func(i int) int64 { return worthOf(trees, c, i) },
			} {
				for b, share := range c.shares(worth) {
					own[k][b] += share
				}
			}
		}
		if n == 0 {
			continue
		}
		sum := sums[part.task]
		for k := range sum {
			if sum[k] == nil {
				sum[k] = make([]float64, len(wholeRooms)+1)
			}
			own[k][len(wholeRooms)] = n
			for b := range sum[k] {
				sum[k][b] += own[k][b] / n
			}
		}
		sums[part.task] = sum
	}
}
