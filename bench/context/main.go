// Context measures whether a change's context holds what the change needs.
//
//	go run ./bench/context [flags] CASES.json=CLONE...
//	go run ./bench/context [flags] CLONE...
//
// A case is a real commit. One of its files is shown as the change, and the
// others are to be found (task change); or all of it is shown, and what the
// commits of the next 14 days touched is to be found (task review). Two more
// tasks come out of the same cases: all (as change, but every file of the commit
// that is there before it is to be found: documents and manifests too) and
// several (half of the commit's files are shown, in order of path, the other half
// is to be found). Recall is the share of the wanted files that are taken whole
// within the budget: mean of the commits, then of the repositories.
//
// A file of cases is {"repository", "change": [{"parent", "commit", "visible",
// "hidden"}], "review": [{"parent", "commit", "next"}]}. Without cases, the last
// 64 commits of the clone's HEAD that touch 2 to 20 files are taken, each showing
// one of them that its id chooses; there is no task review then.
//
// Each case is rebuilt as the parent's tree and on it the shown files as the
// commit has them; deleted files stay. The clone is only read.
//
// Ways to choose, beside each other:
//
//	rank     internal/rank over that tree, with the imports of all languages that
//	         have a provider, and the users of what the change touches (default;
//	         -graph and -any-user say less)
//	history  the same with the parent's last 1,000 commits (-history)
//	tree     neighbours in the tree of folders, nearest first
//	bm25     BM25 by the identifiers of the patch
//	folders  the changed folders and those below, by path: what one packs with
//	         repomix --include (-peers)
//	aider    the files of aider's map, in its order, where aider is installed (-peers)
//
// Beside them stands of how many files that import a shown one it is known that they
// use nothing of what the change touches in it.
//
// All are paid for alike: a budget pays 1,500 tokens for a guide and the patch, of
// which it pays a quarter of itself at most; then files in their order, passing
// over what does not fit. Tokens are o200k's. Candidates are the text files of up
// to 600 kB that are not written by a package manager.
//
// With -regions, -documents and -places the program makes the documents, as a user would have it make them: this build's, or
// another one's that -binary names. Beside a document stand whole files in three orders, which pay an eighth of the budget at most for what is
// shown, and (alike) those of the first order with as much room as the document has beside the change.
//
// With -binary, a build of the program is run as a user would run it, on commits
// made of the same trees (-- and further flags after the clones are handed to it),
// and its archive.tar is read; what it refuses counts as nothing found. Beside it, in
// the column outline, files count that stand there in outline only.
//
// With -train, the weights are made again: see train.go.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type options struct {
	tasks   []string
	budgets []int
	n       int
	history int
	around  int
	peers   bool
	graph   []string // names of providers, nil for all
	anyUser bool
	binary  string
	train   bool
	missed  bool
	spent   bool
	regions bool
	fit     bool
	whole   bool
	blocks  bool
	docs    bool
	places  string
	table   string
	skip    int
	dir     string
	extra   []string
}

func main() {
	var o options
	tasks := flag.String("task", "change,review", "what to measure: change, review, all, several")
	flag.IntVar(&o.n, "n", 64, "commits of each repository")
	flag.IntVar(&o.history, "history", 0, "also rank with so many commits of history")
	flag.IntVar(&o.around, "around", 3, "lines around changes in patches")
	languages := flag.String("graph", "all", "languages whose imports are known: all, none, or names of providers, as node,go,python")
	flag.BoolVar(&o.anyUser, "any-user", false, "take every file that imports a changed one for a user of what the change touches")
	flag.BoolVar(&o.peers, "peers", false, "also other tools' ways")
	flag.StringVar(&o.binary, "binary", "", "measure this build of the program in place of the packages")
	flag.BoolVar(&o.train, "train", false, "make the weights again")
	flag.BoolVar(&o.missed, "missed", false, "print the wanted files that rank misses at 32k, with the rank of each; with -regions the places that whole files hold and the document does not")
	flag.BoolVar(&o.spent, "spent", false, "with -regions also print what the documents spend by kind of what stands in them, and the places that each kind holds")
	flag.BoolVar(&o.regions, "regions", false, "measure places instead of files: tasks change and review")
	flag.BoolVar(&o.fit, "fit", false, "make the table of a block's need again (internal/rank/need_table.go)")
	flag.BoolVar(&o.blocks, "blocks", false, "make the trees again that tell a block's need in a small document beside those weights (internal/rank/block_table.go)")
	flag.BoolVar(&o.whole, "whole", false, "make the trees again by which a file is taken whole (internal/rank/whole_table.go)")
	flag.BoolVar(&o.docs, "documents", false, "run the program on the last -n commits of each clone, and hold its documents against their budgets and the changed definitions")
	flag.StringVar(&o.places, "places", "", "run the program on the changes of this list (testdata/places.txt), and print which of the places stand in its documents")
	flag.StringVar(&o.table, "table", "", "with -fit, -blocks and -whole, where the table is written")
	flag.IntVar(&o.skip, "skip", 0, "with -regions, -fit and -blocks, pass over so many of the newest cases")
	flag.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "haversack-context"), "where counts and borrowed clones are kept between runs")
	budgets := flag.String("budgets", "8000,32000,128000", "budgets in tokens")
	flag.Parse()
	args := flag.Args()
	if i := slices.Index(args, "--"); i >= 0 {
		args, o.extra = args[:i], args[i+1:]
	}
	o.tasks = strings.Split(*tasks, ",")
	switch *languages {
	case "all":
	case "none":
		o.graph = []string{}
	default:
		o.graph = strings.Split(*languages, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := json.Unmarshal([]byte("["+*budgets+"]"), &o.budgets)
	if err == nil {
		err = run(ctx, o, args, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "context:", err)
		os.Exit(1)
	}
}

// repository is a clone and its cases.
type repository struct {
	name  string
	clone *clone
	given *given
}

// given is a file of cases.
type given struct {
	Repository string  `json:"repository"`
	Change     []entry `json:"change"`
	Review     []entry `json:"review"`
}

type entry struct {
	Commit  string   `json:"commit"`
	Parent  string   `json:"parent"`
	Visible string   `json:"visible"`
	Hidden  []string `json:"hidden"`
	Next    []string `json:"next"`
	// Shown are several files to be shown.
	Shown []string `json:"-"`
	// Later is the commit up to which what is to be found was changed.
	Later string `json:"-"`
}

func run(ctx context.Context, o options, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("no clone given")
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	counts, err := openCounts(filepath.Join(o.dir, "tokens.txt"))
	if err != nil {
		return err
	}
	defer counts.close()
	var repositories []*repository
	for _, arg := range args {
		cases, dir, ok := strings.Cut(arg, "=")
		if !ok {
			cases, dir = "", arg
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return err
		}
		r := &repository{}
		if r.clone, err = open(ctx, dir, o.dir); err != nil {
			return fmt.Errorf("opening %s: %w", dir, err)
		}
		defer r.clone.Close()
		r.name = strings.TrimSuffix(filepath.Base(cmp.Or(cases, dir)), ".json")
		if folder := filepath.Base(filepath.Dir(dir)); cases == "" && r.name == "repo" {
			r.name = folder
		}
		if !o.regions && !o.fit && !o.blocks && !o.whole && !o.docs && o.places == "" {
			if r.given, err = readCases(ctx, cases, r.clone, o.n); err != nil {
				return err
			}
		}
		repositories = append(repositories, r)
	}
	if o.docs {
		return measureDocuments(ctx, o, repositories, out)
	}
	if o.places != "" {
		return measurePlaces(ctx, o, repositories, out)
	}
	if o.whole {
		o.fit = true // all files are judged
		return fitWhole(ctx, o, repositories, counts, out)
	}
	if o.fit || o.blocks {
		o.fit = true
		return fit(ctx, o, repositories, counts, out)
	}
	if o.train {
		return train(ctx, o, repositories, counts, out)
	}
	for _, task := range o.tasks {
		if o.regions {
			if err := measureRegions(ctx, o, task, repositories, counts, out); err != nil {
				return err
			}
			continue
		}
		if err := measure(ctx, o, task, repositories, counts, out); err != nil {
			return err
		}
	}
	return nil
}

// readCases reads a file of cases, or makes them from the clone's history.
func readCases(ctx context.Context, name string, c *clone, n int) (*given, error) {
	g := &given{}
	if name != "" {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return g, json.Unmarshal(b, g)
	}
	log, err := c.Git(ctx, nil, "log", "--no-merges", "--no-renames", "--format=%x01%H %P", "--name-only", "-z", "--diff-filter=M", "-n", "4000", "HEAD")
	if err != nil {
		return nil, err
	}
	for commit := range strings.SplitSeq(string(log), "\x01") {
		list := strings.FieldsFunc(commit, func(c rune) bool { return c == 0 || c == '\n' })
		if len(list) < 3 || len(list) > 21 || len(g.Change) >= n {
			continue
		}
		ids := strings.Fields(list[0])
		if len(ids) != 2 {
			continue
		}
		// Any file will do, but always the same one.
		digits, err := strconv.ParseUint(ids[0][:8], 16, 64)
		if err != nil {
			return nil, err
		}
		at := 1 + int(digits%uint64(len(list)-1))
		visible := list[at]
		g.Change = append(g.Change, entry{Commit: ids[0], Parent: ids[1], Visible: visible, Hidden: slices.Delete(list, at, at+1)[1:]})
	}
	return g, nil
}

// entries lists the cases of a task.
func (g *given) entries(task string) []entry {
	if task == "review" {
		return g.Review
	}
	return g.Change
}

// ways are the ways to choose that are measured, in the order of the columns.
func (o *options) ways() []string {
	if o.binary != "" {
		return []string{"binary", "outline", "tree", "bm25"}
	}
	list := []string{"rank"}
	if o.history > 0 {
		list = append(list, "history")
	}
	list = append(list, "tree", "bm25")
	if o.peers {
		list = append(list, "folders")
		if _, err := exec.LookPath("aider"); err == nil {
			list = append(list, "aider")
		}
	}
	return list
}

// score is what one way reaches within one budget.
type score struct {
	recall         float64
	cases, refused int
	over           int // budgets that were not kept
	tokens         int
	// far are the tokens in members that are neither of the change nor, whole or in
	// outline, of the first 100 files in the program's order.
	far     int
	seconds float64
}

func (s *score) add(o score) {
	s.recall += o.recall
	s.cases += o.cases
	s.refused += o.refused
	s.over += o.over
	s.tokens += o.tokens
	s.far += o.far
	s.seconds += o.seconds
}

func measure(ctx context.Context, o options, task string, repositories []*repository, counts *counts, out io.Writer) error {
	ways := o.ways()
	fmt.Fprintf(out, "\n%s: recall at %s\n\n%-14s", task, budgetNames(o.budgets), "")
	for _, w := range ways {
		fmt.Fprintf(out, "%-22s", w)
	}
	fmt.Fprintln(out, "commits  s/commit  mean tokens")
	means := make([][]float64, len(ways))
	for i := range means {
		means[i] = make([]float64, len(o.budgets))
	}
	measured := 0
	for _, r := range repositories {
		scores, n, told, err := r.measure(ctx, o, task, counts, out)
		if err != nil {
			return fmt.Errorf("measuring %s: %w", r.name, err)
		}
		if n == 0 {
			continue
		}
		measured++
		fmt.Fprintf(out, "%-14s", r.name)
		for w := range ways {
			var cells []string
			for b := range o.budgets {
				s := &scores[w][b]
				mean := s.recall / float64(max(1, s.cases))
				means[w][b] += mean
				cell := strings.TrimPrefix(fmt.Sprintf("%.3f", mean), "0")
				if s.refused > 0 {
					cell += fmt.Sprintf("(%d refused)", s.refused)
				}
				if s.over > 0 {
					cell += fmt.Sprintf("(%d over)", s.over)
				}
				cells = append(cells, cell)
			}
			fmt.Fprintf(out, "%-22s", strings.Join(cells, "/"))
		}
		fmt.Fprintf(out, "%7d  %8.2f ", n, scores[0][0].seconds/float64(n))
		for b := range o.budgets {
			fmt.Fprintf(out, " %d", scores[0][b].tokens/n)
			if o.binary != "" {
				fmt.Fprintf(out, " (far %d%%)", 100*scores[0][b].far/max(1, scores[0][b].tokens))
			}
		}
		if o.binary == "" {
			fmt.Fprintf(out, "  %d of %d dependents unaffected", told.unaffected, told.dependents)
		}
		fmt.Fprintln(out)
	}
	if measured > 1 {
		fmt.Fprintf(out, "%-14s", "mean")
		for w := range ways {
			var cells []string
			for b := range o.budgets {
				cells = append(cells, strings.TrimPrefix(fmt.Sprintf("%.3f", means[w][b]/float64(measured)), "0"))
			}
			fmt.Fprintf(out, "%-22s", strings.Join(cells, "/"))
		}
		fmt.Fprintln(out)
	}
	return nil
}

func budgetNames(list []int) string {
	var names []string
	for _, b := range list {
		names = append(names, fmt.Sprintf("%dk", b/1000))
	}
	return strings.Join(names, "/")
}

// uses counts the files that import a shown one, and those of them that use nothing of what the change touches.
type uses struct{ dependents, unaffected int }

// measure runs every way on the cases of one task: scores by way and budget, how many cases there were, and who uses
// what they change.
func (r *repository) measure(ctx context.Context, o options, task string, counts *counts, out io.Writer) ([][]score, int, uses, error) {
	ways := o.ways()
	total := make([][]score, len(ways))
	for w := range total {
		total[w] = make([]score, len(o.budgets))
	}
	var mu sync.Mutex
	n := 0
	var told uses
	found := classes{}
	err := r.each(ctx, o, task, counts, func(t *trial) error {
		var outlined []score
		for w, way := range ways {
			start := time.Now()
			var list []score
			if way == "binary" {
				var err error
				if list, outlined, err = t.runBinary(ctx, o); err != nil {
					return err
				}
			} else if way == "outline" {
				list = outlined
			} else {
				order, err := t.order(ctx, way, o)
				if err != nil {
					return fmt.Errorf("%s on %s: %w", way, t.Commit, err)
				}
				seconds := time.Since(start).Seconds()
				for _, b := range o.budgets {
					s := t.fill(order, b)
					s.seconds = seconds
					list = append(list, s)
				}
				if o.missed && way == "rank" {
					mu.Lock()
					t.missed(out, order, 32000, found)
					mu.Unlock()
				}
			}
			mu.Lock()
			for b := range list {
				total[w][b].add(list[b])
			}
			mu.Unlock()
		}
		mu.Lock()
		n++
		told.dependents += t.uses.dependents
		told.unaffected += t.uses.unaffected
		mu.Unlock()
		return nil
	})
	for _, class := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(out, "class %s %s: %d of %d at 32k\n", r.name, class, found[class][0], found[class][1])
	}
	return total, n, told, err
}

// each prepares the cases of a task, some at a time, and hands them on.
func (r *repository) each(ctx context.Context, o options, task string, counts *counts, do func(*trial) error) error {
	entries := r.given.entries(task)
	return inParallel(ctx, entries[:min(len(entries), o.n)], func(ctx context.Context, e entry) error {
		t, err := r.prepare(ctx, e, o, task, counts)
		if err != nil || t == nil {
			return err
		}
		return do(t)
	})
}

// inParallel hands cases on, as many at a time as there are processors, until one fails.
func inParallel(ctx context.Context, entries []entry, do func(context.Context, entry) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	next := make(chan entry)
	for range max(1, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for e := range next {
				if err := do(ctx, e); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, e := range entries {
		select {
		case next <- e:
		case <-ctx.Done():
		}
	}
	close(next)
	wait.Wait()
	return context.Cause(ctx)
}
