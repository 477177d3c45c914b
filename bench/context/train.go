package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/rank"
)

// Training takes the signals of every candidate of every case, which do not
// depend on the weights, and climbs: one weight after another is multiplied by
// each of factors and kept at the best, until a round changes nothing. What is
// made large is the mean of the recalls of all tasks and budgets, of the
// repositories. Printed are the weights, the recalls with them, and the recalls
// of each repository with the weights that it was left out of.
var factors = []int64{0, 500, 700, 850, 1180, 1400, 2000}

// sample is one case as signals.
type sample struct {
	repository int
	task       string
	room       []int
	signals    [][]int32
	cost       []int32
	want       []bool
	wanted     int
}

func train(ctx context.Context, o options, repositories []*repository, counts *counts, out io.Writer) error {
	var samples []*sample
	for at, r := range repositories {
		for _, task := range o.tasks {
			var mu sync.Mutex
			byCommit := map[string]*sample{}
			err := r.each(ctx, o, task, counts, func(t *trial) error {
				order, err := t.rank(ctx, o, o.history)
				if err != nil {
					return err
				}
				s := &sample{repository: at, task: task, wanted: len(t.want)}
				for _, b := range o.budgets {
					s.room = append(s.room, t.room(b))
				}
				most := slices.Max(s.room)
				for _, p := range t.candidates {
					cost := counts.file(r.clone, t.head[p])
					want := slices.Contains(t.want, p)
					if cost > most {
						continue
					}
					row := make([]int32, 0, 10)
					for _, v := range order.Signals(p) {
						row = append(row, int32(v))
					}
					s.signals, s.cost, s.want = append(s.signals, row), append(s.cost, int32(cost)), append(s.want, want)
				}
				mu.Lock()
				byCommit[t.Commit] = s
				mu.Unlock()
				return nil
			})
			if err != nil {
				return err
			}
			for _, e := range r.given.entries(task) {
				if s := byCommit[e.Commit]; s != nil {
					samples = append(samples, s)
				}
			}
		}
	}
	start := rank.DefaultWeights(o.history > 0)
	show := func(name string, of func(repository int) rank.Weights) {
		fmt.Fprintf(out, "%-24s", name)
		for _, task := range o.tasks {
			var sums []float64
			n := 0
			for at := range repositories {
				w := of(at)
				if list := evaluate(samples, w, func(s *sample) bool { return s.repository == at && s.task == task }); list != nil {
					sums = add(sums, list)
					n++
				}
			}
			for b := range sums {
				sums[b] /= float64(n)
			}
			fmt.Fprintf(out, "  %s %s", task, recalls(sums))
		}
		fmt.Fprintln(out)
	}
	show("weights as they are", func(int) rank.Weights { return start })
	best := climb(samples, len(repositories), start, -1)
	show("trained on all", func(int) rank.Weights { return best })
	printWeights(out, best)
	without := make([]rank.Weights, len(repositories))
	for at, r := range repositories {
		without[at] = climb(samples, len(repositories), start, at)
		fmt.Fprintf(out, "without %s: ", r.name)
		printWeights(out, without[at])
	}
	show("each left out", func(at int) rank.Weights { return without[at] })
	return nil
}

func add(sums, list []float64) []float64 {
	if sums == nil {
		sums = make([]float64, len(list))
	}
	for b := range list {
		sums[b] += list[b]
	}
	return sums
}

func printWeights(out io.Writer, w rank.Weights) {
	var list []string
	for s, v := range w {
		list = append(list, fmt.Sprintf("%v %d", rank.Signal(s), v))
	}
	fmt.Fprintln(out, strings.Join(list, ", "))
}

func recalls(list []float64) string {
	var cells []string
	for _, v := range list {
		cells = append(cells, fmt.Sprintf("%.3f", v))
	}
	return strings.Join(cells, "/")
}

// means are the recalls by budget, means of the repositories but one.
func means(samples []*sample, repositories int, w rank.Weights, except int) []float64 {
	var sums []float64
	n := 0
	for r := range repositories {
		if r == except {
			continue
		}
		list := evaluate(samples, w, func(s *sample) bool { return s.repository == r })
		if list == nil {
			continue
		}
		sums = add(sums, list)
		n++
	}
	for b := range sums {
		sums[b] /= float64(n)
	}
	return sums
}

// evaluate is the mean recall of the chosen samples by budget.
func evaluate(samples []*sample, w rank.Weights, choose func(*sample) bool) []float64 {
	var chosen []*sample
	for _, s := range samples {
		if choose(s) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	results := make([][]float64, len(chosen))
	var wait sync.WaitGroup
	for k := range 2 {
		wait.Go(func() {
			for i := k; i < len(chosen); i += 2 {
				results[i] = chosen[i].recall(w)
			}
		})
	}
	wait.Wait()
	sums := make([]float64, len(results[0]))
	for _, r := range results {
		for b := range r {
			sums[b] += r[b] / float64(len(results))
		}
	}
	return sums
}

func (s *sample) recall(w rank.Weights) []float64 {
	type scored struct {
		score int64
		at    int32
	}
	list := make([]scored, len(s.signals))
	for i, row := range s.signals {
		var sum int64
		for k, v := range row {
			part := w[k] * int64(v) / 1000
			if rank.Signal(k) == rank.Size {
				part = -part
			}
			sum += part
		}
		list[i] = scored{sum, int32(i)}
	}
	slices.SortFunc(list, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return int(a.at - b.at)
	})
	var out []float64
	for _, room := range s.room {
		found := 0
		for _, c := range list {
			if cost := int(s.cost[c.at]); cost <= room {
				room -= cost
				if s.want[c.at] {
					found++
				}
				if room < 20 {
					break
				}
			}
		}
		out = append(out, float64(found)/float64(s.wanted))
	}
	return out
}

// climb looks for better weights, one repository left out.
func climb(samples []*sample, repositories int, w rank.Weights, except int) rank.Weights {
	value := func(w rank.Weights) float64 {
		sum := 0.0
		for _, v := range means(samples, repositories, w, except) {
			sum += v
		}
		return sum
	}
	best := value(w)
	for range 6 {
		before := best
		for s := range w {
			if w[s] == 0 {
				continue
			}
			from := w[s]
			for _, f := range factors {
				try := w
				try[s] = (from*f/1000 + 25) / 50 * 50
				// What is gained by less than a file in a thousand is noise.
				if v := value(try); v > best+.0005 {
					best, w = v, try
				}
			}
		}
		if best == before {
			break
		}
	}
	return w
}
