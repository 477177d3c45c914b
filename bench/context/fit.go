package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"go/format"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/rank"
)

// Fitting makes the table by which internal/rank tells how much a block is needed, out of commits of which one source file is
// shown: a block is needed where it holds a line that the rest of the commit changes. Commits that change no more than they show
// are cases of nothing needed. Blocks of each case are a row each, the ones that seem most needed and some of the others; a
// repository's chance is told by the rows of other repositories alone, wherever a figure is printed.

// block is a row of the fit.
type block struct {
	Row    rank.Row
	File   int32
	Tokens int32
	Hunks  []int32 // that it holds lines of
}

// fitCase is one case.
type fitCase struct {
	Task   string
	Kind   rank.Kind
	Blocks []block
	// Needs are, by hunk, how many blocks hold its lines; any of them will do for an insertion. Of a hunk of a file that is not
	// divided it is 0.
	Needs     []int32
	Insertion []bool
	Fixed     int // the patch
	Changed   int // the changed blocks
}

// tells reports whether a case tells how often blocks are needed in changes of a kind: of those without code only the ones of the
// task plain do, which are as frequent as they are.
func (c *fitCase) tells(kind rank.Kind) bool {
	return c.Kind == kind && (c.Task == "plain") == (kind != rank.OfCode)
}

// fitTasks are what is fitted, and how many cases of each there are to a hundred of change: of several, half of a commit's source
// files are shown. How often blocks of a need are needed is told by plain alone where the change has no line of code, and by the
// others where it has one.
var fitTasks = []struct {
	task  string
	share int
}{{"change", 100}, {"several", 50}, {"review", 70}, {"none", 30}, {"plain", 80}}

// fitCases are those of a repository, kept between runs in a file of o.dir.
func (r *repository) fitCases(ctx context.Context, o options, counts *counts) ([]*fitCase, error) {
	var list []*fitCase
	for _, part := range fitTasks {
		of, err := r.fitCasesOf(ctx, o, part.task, max(1, o.n*part.share/100), counts)
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	r.clone.Forget()
	return list, nil
}

// fitCasesOf are n of one task.
func (r *repository) fitCasesOf(ctx context.Context, o options, task string, n int, counts *counts) ([]*fitCase, error) {
	name := filepath.Join(o.dir, fmt.Sprintf("rows-%s-%s-%d-%d.gob", r.name, task, n, len(rank.Row{})))
	if f, err := os.Open(name); err == nil {
		defer f.Close()
		var list []*fitCase
		return list, gob.NewDecoder(f).Decode(&list)
	}
	var mu sync.Mutex
	byCommit := map[string]*fitCase{}
	cases, err := regionCases(ctx, r.clone, task, n, o.skip)
	if err != nil {
		return nil, err
	}
	err = r.eachRegion(ctx, o, task, cases, counts, func(t *regionTrial) error {
		if err := t.judge(ctx, o); err != nil {
			return err
		}
		one := t.fitCase()
		one.Task, one.Kind = task, t.ranked.Kind()
		mu.Lock()
		defer mu.Unlock()
		byCommit[t.Commit] = one
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []*fitCase
	for _, e := range cases {
		if one := byCommit[e.Commit]; one != nil {
			list = append(list, one)
		}
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return list, gob.NewEncoder(f).Encode(list)
}

func (t *regionTrial) fitCase() *fitCase {
	c := &fitCase{Needs: make([]int32, len(t.hunks)), Insertion: make([]bool, len(t.hunks)), Fixed: t.fixed}
	for h := range t.hunks {
		c.Insertion[h] = t.hunks[h].insertion
	}
	for n := range t.sources {
		s := &t.sources[n]
		if s.Changed {
			c.Changed += len(s.Text) / 5
			continue
		}
		passages := s.Passages()
		for b, place := range s.Blocks() {
			one := block{Row: s.Rows[b], File: int32(n), Tokens: int32(len(passages[b].Text)*10/36 + 12)}
			for h := range t.hunks {
				if x := &t.hunks[h]; x.path == s.Path && x.from <= place.To && place.From <= x.to {
					one.Hunks = append(one.Hunks, int32(h))
					c.Needs[h]++
				}
			}
			c.Blocks = append(c.Blocks, one)
		}
	}
	return c
}

// model tells a row's log odds, in millionths.
type model func(*rank.Row) int64

// recall fills each budget by a model, as a document does, and returns the share of the places that stand there, and the tokens
// that were spent. What has less than least is not taken.
func (c *fitCase) recall(scores []int64, budgets []int, least int64) (shares []float64, spent []int) {
	type candidate struct {
		value int64
		at    int32
	}
	list := make([]candidate, 0, len(scores))
	for i := range scores {
		if scores[i] >= least {
			list = append(list, candidate{scores[i] - 700*rank.Log(int(20+c.Blocks[i].Tokens))/1000, int32(i)})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		switch {
		case a.value > b.value:
			return -1
		case a.value < b.value:
			return 1
		}
		return int(a.at - b.at)
	})
	for _, budget := range budgets {
		left := budget - guideTokens - min(c.Fixed, budget/patchPart) - min(c.Changed, budget/8)
		files := map[int32]bool{}
		got := make([]int32, len(c.Needs))
		for _, x := range list {
			b := &c.Blocks[x.at]
			cost := int(b.Tokens)
			if !files[b.File] {
				cost += 35
			}
			if cost > left {
				if left < 60 {
					break
				}
				continue
			}
			left -= cost
			files[b.File] = true
			for _, h := range b.Hunks {
				got[h]++
			}
		}
		n := 0
		for h := range got {
			if c.Needs[h] > 0 && (got[h] == c.Needs[h] || c.Insertion[h] && got[h] > 0) {
				n++
			}
		}
		shares = append(shares, float64(n)/float64(max(1, len(c.Needs))))
		spent = append(spent, budget-left)
	}
	return shares, spent
}

// example is a row to fit by.
type example struct {
	row    *rank.Row
	needed bool
	weight float64
}

// examples are the rows of some cases: those needed, so many that seem most needed, and so many of the others.
func examples(cases []*fitCase, top, others int) []example {
	var list []example
	for n, c := range cases {
		positives := 0
		var rest []int32
		for i := range c.Blocks {
			if len(c.Blocks[i].Hunks) > 0 {
				positives++
			} else {
				rest = append(rest, int32(i))
			}
		}
		weight := min(1, 6/float64(max(1, positives)))
		slices.SortStableFunc(rest, func(a, b int32) int {
			x, y := quick(&c.Blocks[a].Row), quick(&c.Blocks[b].Row)
			if x != y {
				return y - x
			}
			return int(a - b)
		})
		for i := range c.Blocks {
			if len(c.Blocks[i].Hunks) > 0 {
				list = append(list, example{&c.Blocks[i].Row, true, weight})
			}
		}
		for _, i := range rest[:min(top, len(rest))] {
			list = append(list, example{&c.Blocks[i].Row, false, weight})
		}
		if rest = rest[min(top, len(rest)):]; len(rest) > 0 {
			k := min(others, len(rest))
			for j := range k {
				at := (j*len(rest) + int(uint32(n*7919+j)*2654435761%uint32(len(rest)))) / k % len(rest)
				list = append(list, example{&c.Blocks[rest[at]].Row, false, weight * float64(len(rest)) / float64(k)})
			}
		}
	}
	return list
}

// quick is about how much a row is needed.
func quick(r *rank.Row) int { return rank.Quick(r) }

// fit prints what stands in the document of repositories that the weights of a block's need were not fitted on, and writes the table of
// those that are fitted on all. Where trees are asked for, they are told of and written in their place, with the weights as they are.
func fit(ctx context.Context, o options, repositories []*repository, counts *counts, out io.Writer) error {
	cases, err := allFitCases(ctx, o, repositories, counts, out)
	if err != nil {
		return err
	}
	const folds = 4
	scores := make([][][]int64, len(cases))
	for fold := range folds {
		need := o.fitted(without(cases, fold, folds))
		for i := range cases {
			if i%folds == fold {
				scores[i] = scoreAll(cases[i], need)
			}
		}
	}
	printFit(out, o, repositories, cases, scores)
	var chances [rank.Kinds][]point
	for kind := range rank.Kinds {
		chances[kind] = calibrate(cases, scores, kind)
		printLeast(out, o, chances[kind], cases, scores, kind)
	}
	all := slices.Concat(cases...)
	if o.blocks {
		trees, begin := boost(blockExamples(all), blockGrowth)
		return writeTable(o.table, "-blocks", func(b *bytes.Buffer) {
			fmt.Fprintf(b, "const blockBegin = %d\n\n", int64(math.Round(begin*1e6)))
			writeForest(b, "blockForest tells how much a passage is needed.", trees)
		})
	}
	w := fitLinear(examples(all, 250, 250))
	return writeTable(o.table, "-fit", func(b *bytes.Buffer) {
		writeWeights(b, w)
		b.WriteString("\n")
		writeChances(b, chances)
	})
}

// blockGrowth is how the trees of blocks grow.
var blockGrowth = growth{trees: 100, depth: 5, pace: .08}

// fitted is what tells a block's need by some cases.
func (o options) fitted(cases []*fitCase) model {
	if !o.blocks {
		return fitLinear(examples(cases, 250, 250)).need
	}
	trees, begin := boost(blockExamples(cases), blockGrowth)
	return func(r *rank.Row) int64 {
		return rank.Blend(int64(math.Round(begin*1e6))+trees.Need(r[:]), rank.BlockNeed(r))
	}
}

// blockExamples are the rows of some cases as trees are grown by them.
func blockExamples(cases []*fitCase) []treeExample {
	list := examples(cases, 170, 90)
	rows := make([]treeExample, len(list))
	for i, e := range list {
		rows[i] = treeExample{e.row[:], e.needed, e.weight}
	}
	return rows
}

// allFitCases are the cases of all repositories, and a line is printed of each.
func allFitCases(ctx context.Context, o options, repositories []*repository, counts *counts, out io.Writer) ([][]*fitCase, error) {
	cases := make([][]*fitCase, len(repositories))
	for i, r := range repositories {
		var err error
		if cases[i], err = r.fitCases(ctx, o, counts); err != nil {
			return nil, fmt.Errorf("reading %s: %w", r.name, err)
		}
		n, blocks, reached, hunks := 0, 0, 0, 0
		for _, c := range cases[i] {
			n++
			blocks += len(c.Blocks)
			for _, k := range c.Needs {
				hunks++
				if k > 0 {
					reached++
				}
			}
		}
		fmt.Fprintf(out, "%-24s %d cases, %d blocks each, %d of %d places in divided files\n", r.name, n, blocks/max(1, n), reached, hunks)
	}
	return cases, nil
}

func scoreAll(cases []*fitCase, m model) [][]int64 {
	list := make([][]int64, len(cases))
	var wait sync.WaitGroup
	for k := range 2 {
		wait.Go(func() {
			for i := k; i < len(cases); i += 2 {
				list[i] = make([]int64, len(cases[i].Blocks))
				for b := range cases[i].Blocks {
					list[i][b] = m(&cases[i].Blocks[b].Row)
				}
			}
		})
	}
	wait.Wait()
	return list
}

func ofTask(task string) func(*fitCase) bool { return func(c *fitCase) bool { return c.Task == task } }

// recallOf is the mean share of the places of a repository's chosen cases, by budget, and the tokens spent; nil without cases.
func recallOf(o options, cases []*fitCase, scores [][]int64, choose func(*fitCase) bool, least int64) (shares, spent []float64) {
	n, needing := 0.0, 0.0
	shares, spent = make([]float64, len(o.budgets)), make([]float64, len(o.budgets))
	for c := range cases {
		if !choose(cases[c]) {
			continue
		}
		n++
		x, y := cases[c].recall(scores[c], o.budgets, least)
		if len(cases[c].Needs) > 0 {
			needing++
		}
		for b := range x {
			shares[b] += x[b]
			spent[b] += float64(y[b])
		}
	}
	if n == 0 {
		return nil, nil
	}
	for b := range shares {
		shares[b] /= max(1, needing)
		spent[b] /= n
	}
	return shares, spent
}

// meanRecall is the mean of the repositories.
func meanRecall(o options, cases [][]*fitCase, scores [][][]int64, choose func(*fitCase) bool, least int64) (shares, spent []float64) {
	shares, spent = make([]float64, len(o.budgets)), make([]float64, len(o.budgets))
	n := 0.0
	for i := range cases {
		x, y := recallOf(o, cases[i], scores[i], choose, least)
		if x == nil {
			continue
		}
		n++
		for b := range x {
			shares[b] += x[b]
			spent[b] += y[b]
		}
	}
	for b := range shares {
		shares[b] /= max(1, n)
		spent[b] /= max(1, n)
	}
	return shares, spent
}

func printFit(out io.Writer, o options, repositories []*repository, cases [][]*fitCase, scores [][][]int64) {
	fmt.Fprintf(out, "\nregions at %s, each repository by weights that were fitted without it: change, several, review\n", budgetNames(o.budgets))
	tasks := []string{"change", "several", "review"}
	for i, r := range repositories {
		fmt.Fprintf(out, "%-24s", r.name)
		for _, task := range tasks {
			shares, _ := recallOf(o, cases[i], scores[i], ofTask(task), math.MinInt64)
			fmt.Fprintf(out, "  %-18s", recalls(shares))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%-24s", "mean")
	for _, task := range tasks {
		shares, _ := meanRecall(o, cases, scores, ofTask(task), math.MinInt64)
		fmt.Fprintf(out, "  %-18s", recalls(shares))
	}
	fmt.Fprintln(out)
}

// point says that blocks of this need or more, up to the next point's, are needed as often as that: in hundred-thousandths.
type point struct{ need, chance int64 }

// calibrate tells how often blocks of a need were needed, in changes of a kind: the rising steps that lie nearest to what was counted.
func calibrate(cases [][]*fitCase, scores [][][]int64, kind rank.Kind) []point {
	type group struct{ need, needed, all float64 }
	count := map[int64]*group{}
	for i := range cases {
		for c := range cases[i] {
			if !cases[i][c].tells(kind) {
				continue
			}
			for b, s := range scores[i][c] {
				key := int64(math.Floor(float64(s) / 250_000))
				g := count[key]
				if g == nil {
					g = &group{need: float64(key) * 250_000}
					count[key] = g
				}
				g.all++
				if len(cases[i][c].Blocks[b].Hunks) > 0 {
					g.needed++
				}
			}
		}
	}
	var keys []int64
	for k := range count {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var steps []group
	for _, k := range keys {
		steps = append(steps, *count[k])
		for n := len(steps); n > 1 && steps[n-2].needed/steps[n-2].all >= steps[n-1].needed/steps[n-1].all; n = len(steps) {
			a, b := steps[n-2], steps[n-1]
			steps = append(steps[:n-2], group{a.need, a.needed + b.needed, a.all + b.all})
		}
	}
	var list []point
	for _, g := range steps {
		list = append(list, point{int64(g.need), int64(g.needed / g.all * 100_000)})
	}
	return list
}

// printLeast tells what is lost and saved where a document ends at a chance.
func printLeast(out io.Writer, o options, chances []point, cases [][]*fitCase, scores [][][]int64, kind rank.Kind) {
	tasks := []string{"change", "review", "none"}
	if kind != rank.OfCode {
		tasks = []string{"plain"}
	}
	fmt.Fprintf(out, "\nit ends at a chance of (in hundred-thousandths): regions and mean tokens at %s of %v; of none where nothing is to be found\n", budgetNames(o.budgets), tasks)
	for _, least := range []int64{0, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300} {
		need := int64(math.MinInt64)
		for _, p := range chances {
			if p.chance >= least && least > 0 {
				need = p.need
				break
			}
		}
		fmt.Fprintf(out, "%6d  need %20d", least, need)
		for _, task := range tasks {
			shares, spent := meanRecall(o, cases, scores, func(c *fitCase) bool { return c.Task == task && c.Kind == kind }, need)
			fmt.Fprintf(out, "  %s %.0f", recalls(shares), spent)
		}
		fmt.Fprintln(out)
	}
}

// writeWeights writes those that internal/rank tells a part of a block's need by.
func writeWeights(b *bytes.Buffer, w *linear) {
	fmt.Fprintf(b, "const needBegin = %d\n\n", int64(math.Round(w[columns]*1e6)))
	b.WriteString("// needWeights are what one unit of a feature adds to the log odds, in millionths.\nvar needWeights = [features]int64{\n")
	for f := range columns {
		fmt.Fprintf(b, "%v: %d,\n", rank.Feature(f), int64(math.Round(w[f]*1e6)))
	}
	b.WriteString("}\n")
}

// writeChances writes how often blocks of a need are needed.
func writeChances(b *bytes.Buffer, chances [rank.Kinds][]point) {
	b.WriteString("// chances say how often passages of a need, in millionths, or more were needed, in hundred-thousandths,\n" +
		"// by the kind of the change.\nvar chances = [Kinds][][2]int64{{\n")
	for k, list := range chances {
		if k > 0 {
			b.WriteString("}, {\n")
		}
		for _, p := range list {
			fmt.Fprintf(b, "{%d, %d},\n", p.need, p.chance)
		}
	}
	b.WriteString("}}\n")
}

// writeForest writes a table of trees, which is what is said of it.
func writeForest(b *bytes.Buffer, said string, f rank.Forest) {
	name, _, _ := strings.Cut(said, " ")
	fmt.Fprintf(b, "// %s\nvar %s = Forest{Depth: %d, Splits: []Split{\n", said, name, f.Depth)
	leaves := 1 << f.Depth
	for n, split := range f.Splits {
		fmt.Fprintf(b, "{%d, %d},", split.Feature, split.Over)
		if n%(leaves-1) == leaves-2 {
			b.WriteString("\n")
		}
	}
	b.WriteString("}, Leaves: []int16{\n")
	for n, leaf := range f.Leaves {
		fmt.Fprintf(b, "%d,", leaf)
		if n%leaves == leaves-1 {
			b.WriteString("\n")
		}
	}
	b.WriteString("}}\n")
}

// writeTable writes a table of internal/rank that a flag makes; none where it has no name.
func writeTable(name, flag string, write func(b *bytes.Buffer)) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by bench/context %s. DO NOT EDIT.\n\npackage rank\n\n", flag)
	write(&b)
	text, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// without are the cases of all repositories but those of one fold, on which what is fitted is measured.
func without[T any](cases [][]T, fold, folds int) (rest []T) {
	for i := range cases {
		if i%folds != fold {
			rest = append(rest, cases[i]...)
		}
	}
	return rest
}
