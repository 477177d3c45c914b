package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// hunk is a place that a hidden file's patch changes: lines before the change, from 1; of an insertion, the line that it follows
// and the next one, either of which will do.
type hunk struct {
	path      string
	from, to  int
	insertion bool
}

// sourceExt are the extensions of what counts as a source file.
var sourceExt = func() map[string]bool {
	m := map[string]bool{}
	for ext := range strings.FieldsSeq(`ts tsx mts cts js jsx mjs cjs vue svelte go py pyi java kt kts scala groovy c h cc cpp cxx hpp hh hxx m mm cs fs rs rb php
		swift dart ex exs erl lua pl sh vb`) {
		m["."+ext] = true
	}
	return m
}()

// commit is one commit of a history and the files that it modifies and touches.
type commit struct {
	id, parent string
	time       int64
	modified   []string
	touched    int
}

// readHistory reads commits with one parent, newest first.
func readHistory(ctx context.Context, c *clone, most int) ([]commit, error) {
	log, err := c.Git(ctx, nil, "log", "--no-merges", "--no-renames", "--format=%x01%H %ct %P", "--name-status", "-n", strconv.Itoa(most), "HEAD")
	if err != nil {
		return nil, err
	}
	var list []commit
	for text := range strings.SplitSeq(string(log), "\x01") {
		head, rest, _ := strings.Cut(text, "\n")
		ids := strings.Fields(head)
		if len(ids) != 3 {
			continue
		}
		one := commit{id: ids[0], parent: ids[2]}
		one.time, _ = strconv.ParseInt(ids[1], 10, 64)
		for line := range strings.SplitSeq(rest, "\n") {
			status, name, ok := strings.Cut(line, "\t")
			if !ok || strings.HasPrefix(name, `"`) {
				continue
			}
			one.touched++
			if status == "M" {
				one.modified = append(one.modified, name)
			}
		}
		list = append(list, one)
	}
	return list, nil
}

func (c *commit) sources() []string {
	return slices.DeleteFunc(slices.Clone(c.modified), func(p string) bool { return !sourceExt[strings.ToLower(path.Ext(p))] })
}

// regionCases makes the cases of a task out of a clone's history: of change, commits that modify 2 to 8 source files and touch at
// most 20, of which one is shown that the id draws; of review, such commits with the source files that commits of the next 14
// days touched together with one of theirs; of none, commits that modify one or two files, with nothing to be found; of plain,
// commits that modify other files than sources, which are shown, with their sources to be found, if there are any.
func regionCases(ctx context.Context, c *clone, task string, n, skip int) ([]entry, error) {
	history, err := readHistory(ctx, c, 6000)
	if err != nil {
		return nil, err
	}
	var list []entry
	for i := range history {
		one := &history[i]
		sources := one.sources()
		digits, err := strconv.ParseUint(one.id[:8], 16, 64)
		if err != nil {
			return nil, err
		}
		e := entry{Commit: one.id, Parent: one.parent}
		switch {
		case task == "none":
			if len(one.modified) < 1 || one.touched > 2 || one.touched != len(one.modified) || digits%3 != 0 {
				continue
			}
		case task == "plain":
			for _, p := range one.modified {
				if slices.Contains(sources, p) {
					e.Hidden = append(e.Hidden, p)
				} else {
					e.Shown = append(e.Shown, p)
				}
			}
			if len(e.Shown) == 0 || one.touched > 20 || digits%2 != 0 {
				continue
			}
		case len(sources) < 2 || len(sources) > 8 || one.touched > 20:
			continue
		case task == "review":
			e.Later, e.Next = later(history, i, sources)
			if len(e.Next) == 0 {
				continue
			}
		default:
			at := int(digits % uint64(len(sources)))
			e.Visible = sources[at]
			e.Hidden = slices.Delete(sources, at, at+1)
		}
		if skip > 0 {
			skip--
			continue
		}
		if list = append(list, e); len(list) == n {
			break
		}
	}
	return list, nil
}

// later returns the last of the commits that follow within 14 days and touch one of the files, and the other source files that
// such commits modify.
func later(history []commit, at int, files []string) (last string, others []string) {
	for j := at - 1; j >= max(0, at-400); j-- {
		c := &history[j]
		if c.time-history[at].time > 14*24*3600 {
			break
		}
		if c.touched > 20 || !slices.ContainsFunc(c.modified, func(p string) bool { return slices.Contains(files, p) }) {
			continue
		}
		last = c.id
		for _, p := range c.sources() {
			if !slices.Contains(files, p) && !slices.Contains(others, p) {
				others = append(others, p)
			}
		}
	}
	slices.Sort(others)
	return last, others
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+`)

// hunks are the places where files differ between two commits.
func (c *clone) hunks(ctx context.Context, from, to string, paths []string) ([]hunk, error) {
	patches, err := c.patches(ctx, from, to, paths, 0)
	if err != nil {
		return nil, err
	}
	var list []hunk
	for _, p := range paths {
		for line := range strings.SplitSeq(string(patches[p]), "\n") {
			m := hunkHead.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			at, _ := strconv.Atoi(m[1])
			n := 1
			if m[2] != "" {
				n, _ = strconv.Atoi(m[2])
			}
			h := hunk{path: p, from: at, to: at + n - 1}
			if n == 0 {
				h = hunk{p, at, at + 1, true}
			}
			list = append(list, h)
		}
	}
	return list, nil
}

// regionTrial is one case of which places are to be found.
type regionTrial struct {
	*trial
	hunks   []hunk
	fixed   int // tokens of the document beside its files, without limit
	sources []brief.Source
}

// regions prepares a case for the places that are to be found in it; nil where there are none.
func (r *repository) regions(ctx context.Context, e entry, o options, task string, counts *counts) (*regionTrial, error) {
	inner := task
	if task == "none" {
		inner = "nothing"
	}
	t, err := r.prepare(ctx, e, o, inner, counts)
	if err != nil || t == nil {
		return nil, err
	}
	one := &regionTrial{trial: t}
	from, to := e.Parent, e.Commit
	if task == "review" {
		from, to = e.Commit, e.Later
	}
	if len(t.want) > 0 {
		if one.hunks, err = r.clone.hunks(ctx, from, to, t.want); err != nil {
			return nil, err
		}
	}
	if len(one.hunks) == 0 && task != "none" && task != "plain" {
		return nil, nil
	}
	for _, p := range t.patches {
		one.fixed += counts.text(p)
	}
	return one, nil
}

// source reads a file of the trial.
func (t *regionTrial) source(p string) (*brief.Source, error) {
	b, err := t.repository.clone.Blob(t.head[p].id)
	if err != nil {
		return nil, nil
	}
	s := &brief.Source{Path: p, Text: string(b)}
	if _, ok := provider.For(p); ok {
		if found, err := provider.Define(p, b); err == nil {
			s.Definitions = found
		}
	}
	return s, nil
}

// order ranks the files of the trial, with the sources of what is shown.
func (t *regionTrial) order(ctx context.Context, o options) error {
	around := map[string][]byte{}
	for _, p := range t.shown {
		s, err := t.source(p)
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		s.Changed, s.Touched, s.Why = true, diff.Touched(t.patches[p]), []string{"changed"}
		if language.IsNoise(p, t.patches[p]) {
			s.Note = "generated"
		}
		around[p] = brief.Around(*s)
		t.sources = append(t.sources, *s)
	}
	order, err := t.rankAround(ctx, o, 0, around)
	t.ranked = order
	return err
}

// judge makes the sources of what is needed, with the need of each block, as the weights are fitted by them. The documents that
// are measured are not made of them, but by the program.
func (t *regionTrial) judge(ctx context.Context, o options) error {
	if err := t.order(ctx, o); err != nil {
		return err
	}
	budget := brief.BudgetOf(t.ranked, slices.Max(o.budgets))
	if o.fit {
		budget = brief.Budget{Least: math.MinInt64}
	}
	needed, err := brief.Needed(t.ranked, budget, t.sources, func(p string, _ bool) (*brief.Source, error) { return t.source(p) })
	t.sources = append(t.sources, needed...)
	return err
}

// found is what a document holds of what is to be found.
type found struct {
	region, any float64
	levels      [4]float64 // files to be found, by level
	tokens      int
	over        int
	seconds     float64
	cases       int
}

func (f *found) add(o found) {
	f.region += o.region
	f.any += o.any
	for i := range f.levels {
		f.levels[i] += o.levels[i]
	}
	f.tokens += o.tokens
	f.over += o.over
	f.seconds += o.seconds
	f.cases += o.cases
}

// score holds places against what is shown of each file: lines from and to.
func (t *regionTrial) score(shown func(p string) [][2]int) (f found) {
	hit := map[string]bool{}
	for _, h := range t.hunks {
		ranges := shown(h.path)
		in := func(n int) bool {
			return slices.ContainsFunc(ranges, func(r [2]int) bool { return r[0] <= n && n <= r[1] })
		}
		all, any := true, false
		for n := h.from; n <= h.to; n++ {
			if in(n) {
				any = true
			} else {
				all = false
			}
		}
		if all || any && h.insertion {
			f.region++
		}
		if any {
			hit[h.path] = true
		}
	}
	f.region /= float64(max(1, len(t.hunks)))
	f.any = float64(len(hit)) / float64(max(1, len(t.want)))
	f.cases = 1
	return f
}

// guideTokens is what the head of a document takes beside the patch.
const guideTokens = 300

// missedRegions prints of a case in which whole files in an order hold more places than a document each place that it lacks, with the
// place of its file, the block that it stands in, and that one's need.
func (t *regionTrial) missedRegions(out io.Writer, w *written, order []string, budget int, whole, document found) {
	if whole.region <= document.region {
		return
	}
	sources := map[string]*brief.Source{}
	for i := range t.sources {
		sources[t.sources[i].Path] = &t.sources[i]
	}
	fmt.Fprintf(out, "behind: %s %.10s at %d: document %.3f, files %.3f of %d places; patch %d tokens; shown %s\n", t.repository.name, t.Commit, budget,
		document.region, whole.region, len(t.hunks), t.fixed, strings.Join(t.shown[:min(3, len(t.shown))], " "))
	for _, h := range t.hunks {
		one := *t
		one.hunks = []hunk{h}
		if one.score(w.of).region > 0 {
			continue
		}
		fmt.Fprintf(out, "  %s lines %d to %d, file %d, %s", h.path, h.from, h.to, slices.Index(order, h.path)+1, w.level(h.path))
		if s := sources[h.path]; s != nil {
			for n, block := range s.Blocks() {
				if block.From <= h.from && h.from <= block.To && n < len(s.Needs) {
					fmt.Fprintf(out, ", block %s, lines %d to %d, need %d of %d at most", block.Name, block.From, block.To, s.Needs[n], slices.Max(s.Needs))
				}
			}
		}
		fmt.Fprintln(out)
	}
}

// documents are those that the program makes of the trial, by budget, with what they hold.
func (t *regionTrial) documents(ctx context.Context, o options, counter *tokens.Counter) (list []*written, scores []found, err error) {
	work, err := os.MkdirTemp("", "context")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(work)
	shown := map[string]file{}
	for _, p := range t.shown {
		if f, ok := t.head[p]; ok {
			shown[p] = f
		}
	}
	base, head, err := t.repository.clone.commits(ctx, t.Parent, shown, filepath.Join(work, "index"))
	if err != nil {
		return nil, nil, err
	}
	for _, budget := range o.budgets {
		start := time.Now()
		w, err := t.repository.run(ctx, o, entry{Commit: head, Parent: base}, budget, counter)
		if err != nil {
			return nil, nil, err
		}
		f := t.score(w.of)
		f.tokens, f.seconds = w.tokens, time.Since(start).Seconds()
		if f.tokens > budget {
			f.over = 1
		}
		for _, p := range t.want {
			f.levels[w.level(p)] += 1 / float64(len(t.want))
		}
		list, scores = append(list, w), append(scores, f)
	}
	return list, scores, nil
}

// roomOfWhole is what a document of whole files has for those of an order: beside its head, the patch, and of what is shown an eighth of the
// budget at most.
func (t *regionTrial) roomOfWhole(budget int) int {
	shown := 0
	for _, p := range t.shown {
		shown += t.counts.file(t.repository.clone, t.head[p])
	}
	return budget - guideTokens - min(t.fixed, budget/patchPart) - min(shown, budget/8)
}

// whole takes whole files in an order, as far as there is room.
func (t *regionTrial) whole(order []string, room int) found {
	left, taken := room, map[string]bool{}
	for _, p := range order {
		f := t.head[p]
		if left <= 0 {
			break
		}
		if int(f.size)/16 > left {
			continue
		}
		if n := t.counts.file(t.repository.clone, f) + 14; n <= left {
			left -= n
			taken[p] = true
		}
	}
	f := t.score(func(p string) [][2]int {
		if taken[p] {
			return [][2]int{{0, 1 << 30}}
		}
		return nil
	})
	for _, p := range t.want {
		if taken[p] {
			f.levels[brief.Whole] += 1 / float64(len(t.want))
		} else {
			f.levels[brief.Listed] += 1 / float64(len(t.want))
		}
	}
	f.tokens = room - left
	return f
}

// measureRegions prints how many places of what is hidden stand in the document, beside whole files in three orders, and beside those of the
// first order that have as much room as the document spends on other files than the changed ones (alike).
func measureRegions(ctx context.Context, o options, task string, repositories []*repository, counts *counts, out io.Writer) error {
	ways := []string{"document", "files", "tree", "bm25", "alike"}
	fmt.Fprintf(out, "\n%s: regions at %s\n\n%-24s", task, budgetNames(o.budgets), "")
	for _, w := range ways {
		fmt.Fprintf(out, "%-18s", w)
	}
	fmt.Fprintln(out, "any               whole/blocks at the last  tokens               over  commits  s/commit")
	sums := make([][]found, len(ways))
	for w := range sums {
		sums[w] = make([]found, len(o.budgets))
	}
	for _, r := range repositories {
		cases, err := regionCases(ctx, r.clone, task, o.n, o.skip)
		if err != nil {
			return err
		}
		list := make([][]found, len(ways))
		for w := range list {
			list[w] = make([]found, len(o.budgets))
		}
		var mu sync.Mutex
		counter := new(tokens.Counter)
		spendings, lacks := make([]spending, len(o.budgets)), make([]lacking, len(o.budgets))
		for b := range spendings {
			spendings[b], lacks[b] = spending{}, lacking{}
		}
		err = r.eachRegion(ctx, o, task, cases, counts, func(t *regionTrial) error {
			prepare := t.order
			if o.missed || o.spent {
				prepare = t.judge
			}
			if err := prepare(ctx, o); err != nil {
				return err
			}
			documents, scores, err := t.documents(ctx, o, counter)
			if err != nil {
				return err
			}
			mu.Lock()
			for b, w := range documents {
				if t.spend(spendings[b], w, counter); o.spent {
					t.lack(lacks[b], w, o.budgets[b])
				}
			}
			mu.Unlock()
			files := make([]string, len(t.ranked.Files))
			for i, f := range t.ranked.Files {
				files[i] = f.Path
			}
			words, err := t.byWords()
			if err != nil {
				return err
			}
			orders := [][]string{nil, files, t.byTree(), words, files}
			for w := range ways {
				for b, budget := range o.budgets {
					f := scores[b]
					switch {
					case ways[w] == "alike":
						f = t.whole(orders[w], budget-t.paid(documents[b], counter))
					case w > 0:
						f = t.whole(orders[w], t.roomOfWhole(budget))
					case o.missed:
						mu.Lock()
						t.missedRegions(out, documents[b], files, budget, t.whole(files, t.roomOfWhole(budget)), f)
						mu.Unlock()
					}
					mu.Lock()
					list[w][b].add(f)
					mu.Unlock()
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("measuring %s: %w", r.name, err)
		}
		if list[0][0].cases == 0 {
			continue
		}
		printRegions(out, r.name, list)
		for b := range spendings {
			if o.spent {
				spendings[b].print(out, fmt.Sprint(o.budgets[b]), list[0][0].cases)
				lacks[b].print(out, o.budgets[b], list[0][0].cases)
			}
		}
		for w := range list {
			for b := range list[w] {
				f := list[w][b]
				n := float64(f.cases)
				mean := found{region: f.region / n, any: f.any / n, tokens: f.tokens / f.cases, over: f.over, cases: 1, seconds: f.seconds / n}
				for l := range f.levels {
					mean.levels[l] = f.levels[l] / n
				}
				sums[w][b].add(mean)
			}
		}
		r.clone.Forget()
	}
	if sums[0][0].cases > 0 {
		printRegions(out, "mean", sums)
	}
	return nil
}

func printRegions(out io.Writer, name string, list [][]found) {
	share := func(v float64, n int) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", v/float64(n)), "0") }
	fmt.Fprintf(out, "%-24s", name)
	var any, spent []string
	for w := range list {
		var cells []string
		for b := range list[w] {
			cells = append(cells, share(list[w][b].region, list[w][b].cases))
			if w == 0 {
				any = append(any, share(list[w][b].any, list[w][b].cases))
				spent = append(spent, strconv.Itoa(list[w][b].tokens/list[w][b].cases))
			}
		}
		fmt.Fprintf(out, "%-18s", strings.Join(cells, "/"))
	}
	last := list[0][len(list[0])-1]
	over, seconds := 0, 0.0
	for _, f := range list[0] {
		over += f.over
		seconds += f.seconds
	}
	fmt.Fprintf(out, "%-18s%s/%-20s  %-20s %5d  %7d  %.2f\n", strings.Join(any, "/"), share(last.levels[brief.Whole], last.cases), share(last.levels[brief.InBlocks], last.cases),
		strings.Join(spent, "/"), over, last.cases, seconds/float64(last.cases*len(list[0])))
}

// eachRegion prepares the cases, some at a time, and hands them on.
func (r *repository) eachRegion(ctx context.Context, o options, task string, cases []entry, counts *counts, do func(*regionTrial) error) error {
	return inParallel(ctx, cases, func(ctx context.Context, e entry) error {
		t, err := r.regions(ctx, e, o, task, counts)
		if err != nil || t == nil {
			return err
		}
		return do(t)
	})
}
