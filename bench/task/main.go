// Task measures whether the files that an issue is about are found by its words.
//
//	go run ./bench/task -rows ROWS.jsonl [flags] OWNER/NAME=CLONE...
//	go run ./bench/task -commits 20 [flags] CLONE...
//
// With both, the commits are those of the clones that have no issue among the rows.
//
// ROWS.jsonl has one issue a line: {"instance_id", "meta_data": {"repo", "base_commit", "problem_statement", "patch"}}, as
// evaluation/loc_output/locagent/claude_3-5/loc_outputs.jsonl of gersteinlab/LocAgent has the issues of SWE-bench Lite. Those are
// taken whose repository is named with a clone that holds the base commit; a fork serves where the origin is too large to clone.
//
// With -commits, the cases are the last so many commits of each clone that say in their message which issue they close ("fixes #1",
// "closes #1"), and change 1 to 5 files of code that are no tests and were there before. The issue itself is not at hand: its text is
// the message's first lines, without those that name the issue, people or paths. That is less than an issue says.
//
// An issue is found within k if all files that its patch changes stand among the first k. Files are read out of git's objects, as
// the base commit has them; candidates are files of the languages of the patch that are no tests. Ways to order them, beside each
// other:
//
//	bm25    BM25 of identifiers' parts, of whole files
//	fusion  BM25 1, paths named .4, modules named .2, definitions named .2, rare identifiers .25, path words .2
//	ours    rank.ForTask, as the program has it
//	left    with -fit: rank.ForTask's signals, each repository by the weights that all the others give
//
// With -fit, the weights are made again, and printed. With -documents, the document of each issue is made as the program makes it,
// and measured: issues all of whose files have a line of a changed definition in it, and the share of the lines of the hunks.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/bench/gitclone"
	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/rank"
)

func main() {
	var o options
	flag.StringVar(&o.rows, "rows", "", "a file of issues")
	flag.IntVar(&o.commits, "commits", 0, "take so many commits of each clone that close an issue")
	flag.IntVar(&o.skip, "skip", 0, "of the commits of each clone, leave out so many of the last")
	flag.BoolVar(&o.fit, "fit", false, "make the weights again")
	flag.BoolVar(&o.documents, "documents", false, "measure documents")
	flag.BoolVar(&o.list, "list", false, "print the place of each issue's files")
	flag.IntVar(&o.every, "every", 1, "take each so-manieth case")
	flag.StringVar(&o.keep, "keep", "", "a file in which the signals are kept: they are made once")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "task:", err)
		os.Exit(1)
	}
}

type options struct {
	rows           string
	commits, every int
	skip           int
	fit            bool
	documents      bool
	list           bool
	keep           string
}

// issue is one case.
type issue struct {
	id, repository, base, text string
	clone                      *gitclone.Clone
	// gold are the files that are to be found, and the lines of each that the patch replaces, or writes behind.
	gold map[string][]int

	candidates []candidate
	places     [3]int // the place of the last gold file, from 1, by way
	shown      [len(budgets)]reading
}

// candidate is a file that may be named.
type candidate struct {
	path string
	gold bool
	// beside says that it is none, but stands in a document: a test, a text, a file of another language.
	beside  bool
	signals []float64
}

func run(ctx context.Context, o options, args []string, out io.Writer) error {
	if o.rows == "" && o.commits == 0 || len(args) == 0 {
		return errors.New("give clones, and -rows, -commits or both")
	}
	clones := map[string]*gitclone.Clone{}
	var names []string
	for _, arg := range args {
		name, dir, ok := strings.Cut(arg, "=")
		if !ok {
			name, dir = path.Base(arg), arg
		}
		c, err := gitclone.Open(ctx, dir)
		if err != nil {
			return err
		}
		clones[name] = c
		names = append(names, name)
	}
	var issues []*issue
	of := map[string]bool{}
	if o.rows != "" {
		var err error
		if issues, err = readRows(ctx, o.rows, clones); err != nil {
			return err
		}
		for _, one := range issues {
			of[one.repository] = true
		}
	}
	if o.commits > 0 {
		for _, name := range names {
			if of[name] {
				continue
			}
			list, err := closing(ctx, name, clones[name], o.skip+o.commits)
			if err != nil {
				return err
			}
			issues = append(issues, list[min(o.skip, len(list)):]...)
		}
	}
	var kept []*issue
	for i := 0; i < len(issues); i += max(1, o.every) {
		kept = append(kept, issues[i])
	}
	if !load(o.keep, kept) {
		if err := inParallel(ctx, kept, func(one *issue) error { return one.measure(ctx, o) }); err != nil {
			return err
		}
		if err := store(o.keep, kept); err != nil {
			return err
		}
	}
	if o.list {
		for _, one := range kept {
			fmt.Fprintf(out, "%s\t%v\t%v\n", one.id, one.places, one.shown)
		}
	}
	report(out, names, kept)
	if o.documents {
		reportDocuments(out, kept)
	}
	if o.fit {
		fitAll(out, names, kept, o.list)
	}
	return nil
}

// inParallel does something with each issue.
func inParallel(ctx context.Context, list []*issue, do func(*issue) error) error {
	errs := make([]error, len(list))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if errs[i] = do(list[i]); errs[i] != nil {
					errs[i] = fmt.Errorf("%s: %w", list[i].id, errs[i])
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// readRows reads the issues of the repositories that there are clones of.
func readRows(ctx context.Context, name string, clones map[string]*gitclone.Clone) (list []*issue, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) == 0 && errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		var row struct {
			ID   string `json:"instance_id"`
			Meta struct {
				Repo  string `json:"repo"`
				Base  string `json:"base_commit"`
				Text  string `json:"problem_statement"`
				Patch string `json:"patch"`
			} `json:"meta_data"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c := clones[row.Meta.Repo]
		if c == nil {
			continue
		}
		if _, err := c.Git(ctx, nil, "cat-file", "-e", row.Meta.Base+"^{commit}"); err != nil {
			continue
		}
		list = append(list, &issue{id: row.ID, repository: row.Meta.Repo, base: row.Meta.Base, text: row.Meta.Text, clone: c, gold: goldOf(row.Meta.Patch)})
	}
	slices.SortFunc(list, func(a, b *issue) int { return strings.Compare(a.id, b.id) })
	return list, nil
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@`)

// goldOf returns the files that a patch changes, and the lines of each in the base that it takes away, or before which it writes.
func goldOf(patch string) map[string][]int {
	gold := map[string][]int{}
	name, line := "", 0
	for l := range strings.SplitSeq(patch, "\n") {
		if rest, ok := strings.CutPrefix(l, "--- "); ok {
			if name = strings.TrimPrefix(rest, "a/"); name == "/dev/null" {
				name = ""
			} else {
				gold[name] = nil
			}
			continue
		}
		if m := hunkHead.FindStringSubmatch(l); m != nil {
			line, _ = strconv.Atoi(m[1])
			continue
		}
		if name == "" || line == 0 || l == "" || strings.HasPrefix(l, "+++ ") {
			continue
		}
		switch l[0] {
		case '-':
			gold[name] = append(gold[name], line)
			line++
		case '+':
			if n := max(1, line-1); !slices.Contains(gold[name], n) {
				gold[name] = append(gold[name], n)
			}
		case ' ':
			line++
		case 'd':
			line = 0
		}
	}
	return gold
}

var (
	closes  = regexp.MustCompile(`(?i)\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?):? (?:\S*/\S*)?#\d+`)
	trailer = regexp.MustCompile(`^[A-Z][A-Za-z-]+-(?:by|authored-by): `)
	located = regexp.MustCompile(`\S*[\w-]+/\S+|\S+\.\w{1,5}:\d+\S*`)
	issueNo = regexp.MustCompile(`\(?#\d+\)?`)
)

// textOf returns what a commit's message says of an issue: its first lines, without paths, people and numbers of issues.
func textOf(message string) string {
	var lines []string
	for l := range strings.SplitSeq(message, "\n") {
		if len(lines) == maxLines {
			break
		}
		if trailer.MatchString(l) {
			continue
		}
		l = issueNo.ReplaceAllString(located.ReplaceAllString(closes.ReplaceAllString(l, ""), ""), "")
		if strings.TrimSpace(l) != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// maxLines is how many lines of a message are an issue's text.
const maxLines = 12

// closing returns the last n commits of a clone that close an issue.
func closing(ctx context.Context, name string, c *gitclone.Clone, n int) (list []*issue, err error) {
	out, err := c.Git(ctx, nil, "log", "--no-merges", "-n", "20000", "--format=%H%x00%P%x00%B%x01", "-i", "-E", "--grep=(fix(es|ed)?|close[sd]?|resolve[sd]?):? #[0-9]+", "HEAD")
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(out), "\x01") {
		f := strings.SplitN(strings.TrimSpace(entry), "\x00", 3)
		if len(list) == n || len(f) < 3 {
			break
		}
		text := textOf(f[2])
		if !closes.MatchString(f[2]) || strings.Contains(f[1], " ") || f[1] == "" || len(strings.Fields(text)) < 5 {
			continue
		}
		patch, err := c.Git(ctx, nil, "diff", "--no-color", "--no-ext-diff", f[1], f[0])
		if err != nil {
			return nil, err
		}
		gold := goldOf(string(patch))
		for p := range gold {
			if l := language.Of(p); l == nil || l.Kind != language.Code || language.IsTest(p) || language.IsNoise(p, nil) {
				delete(gold, p)
			}
		}
		if len(gold) == 0 || len(gold) > 5 {
			continue
		}
		list = append(list, &issue{id: name + "@" + f[0][:10], repository: name, base: f[1], text: text, clone: c, gold: gold})
	}
	return list, nil
}

// ways are the ways to order, in the order of issue.places.
var ways = [...]string{"bm25", "fusion", "ours"}

// fusion is what a study of twelve repositories found best of a few signals.
var fusion = map[rank.TaskSignal]float64{rank.TaskText: 1, rank.TaskNamed: .4, rank.TaskModule: .2, rank.TaskDefined: .2, rank.TaskRare: .25, rank.TaskPath: .2}

// maxBeside is how far down the order files count that are no candidates.
const maxBeside = 300

// measure orders an issue's files in all ways.
func (one *issue) measure(ctx context.Context, o options) error {
	list, err := files(ctx, one.clone, one.base)
	if err != nil {
		return err
	}
	order, err := rank.ForTask(ctx, rank.Task{Text: []byte(one.text), Files: list, IsManifest: isManifest, IsGuide: brief.IsGuide})
	if err != nil {
		return err
	}
	languages := map[string]bool{}
	for p := range one.gold {
		if l := language.Of(p); l != nil {
			languages[l.Name] = true
		}
	}
	var most []float64
	for n := range order.Files {
		p := order.Files[n].Path
		_, gold := one.gold[p]
		l := language.Of(p)
		if n > maxBeside && !gold && (l == nil || !languages[l.Name] || language.IsTest(p)) {
			continue
		}
		c := candidate{path: p, gold: gold, beside: !gold && (l == nil || !languages[l.Name] || language.IsTest(p))}
		for s, v := range order.TaskSignals(p) {
			c.signals = append(c.signals, float64(v)/1e6)
			if s >= len(most) {
				most = append(most, 0)
			}
			if !c.beside {
				most[s] = max(most[s], c.signals[s])
			}
		}
		one.candidates = append(one.candidates, c)
	}
	byWeights := func(weights map[rank.TaskSignal]float64) []float64 {
		scores := make([]float64, len(one.candidates))
		for i, c := range one.candidates {
			for s := range rank.TaskSignal(len(c.signals)) {
				if most[s] > 0 {
					scores[i] += weights[s] * c.signals[s] / most[s]
				}
			}
		}
		return scores
	}
	one.places[0] = one.place(byWeights(map[rank.TaskSignal]float64{rank.TaskText: 1}))
	one.places[1] = one.place(byWeights(fusion))
	own := make([]float64, len(one.candidates))
	for i := range own {
		own[i] = -float64(i)
	}
	one.places[2] = one.place(own)
	if o.documents {
		return one.read(order, list)
	}
	return nil
}

func isManifest(name string) bool { return brief.RoleOf(name) == brief.Manifest }

// nowhere is the place of what is no candidate.
const nowhere = 1 << 30

// place returns the place of the last of the gold files, from 1; of equal scores the first candidate's is better.
func (one *issue) place(scores []float64) int {
	worst, found := 0, 0
	for g, c := range one.candidates {
		if !c.gold {
			continue
		}
		found++
		at := 1
		for i, s := range scores {
			if !one.candidates[i].beside && (s > scores[g] || s == scores[g] && i < g) {
				at++
			}
		}
		worst = max(worst, at)
	}
	if found < len(one.gold) {
		return nowhere
	}
	return worst
}

// report prints the share of the issues found within 1, 5 and 10, by repository and way.
func report(out io.Writer, names []string, issues []*issue) {
	fmt.Fprintf(out, "%-28s %6s", "", "issues")
	for _, w := range ways {
		fmt.Fprintf(out, "  %-15s", w)
	}
	fmt.Fprintln(out)
	row := func(name string, list []*issue) {
		fmt.Fprintf(out, "%-28s %6d", name, len(list))
		for w := range ways {
			var places []int
			for _, one := range list {
				places = append(places, one.places[w])
			}
			fmt.Fprintf(out, "  %s", accuracy(places))
		}
		fmt.Fprintln(out)
	}
	for _, name := range names {
		var list []*issue
		for _, one := range issues {
			if one.repository == name {
				list = append(list, one)
			}
		}
		row(name, list)
	}
	var rows, commits []*issue
	for _, one := range issues {
		if strings.Contains(one.id, "@") {
			commits = append(commits, one)
		} else {
			rows = append(rows, one)
		}
	}
	if len(rows) > 0 {
		row("issues", rows)
	}
	if len(commits) > 0 {
		row("commits", commits)
	}
}

// accuracy says how many of the places are within 1, 5 and 10.
func accuracy(places []int) string {
	var words []string
	for _, k := range []int{1, 5, 10} {
		n := 0
		for _, p := range places {
			if p <= k {
				n++
			}
		}
		words = append(words, strings.TrimPrefix(fmt.Sprintf("%.3f", float64(n)/float64(max(1, len(places)))), "0"))
	}
	return strings.Join(words, "/")
}
