package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

const (
	guide     = 1500 // tokens that a budget pays first
	maxBytes  = 600_000
	patchPart = 4 // a budget pays at most one part in so many for the patch
)

// trial is one case, rebuilt.
type trial struct {
	entry
	repository *repository
	counts     *counts
	head       map[string]file
	shown      []string
	patches    map[string][]byte
	candidates []string // text files, the shown ones left out
	want       []string
	uses       uses
	ranked     *rank.Order
}

// prepare rebuilds a case; nil when nothing is left to be found.
func (r *repository) prepare(ctx context.Context, e entry, o options, task string, counts *counts) (*trial, error) {
	t := &trial{entry: e, repository: r, counts: counts}
	var err error
	if t.head, err = r.clone.files(ctx, e.Parent); err != nil {
		return nil, err
	}
	status, err := r.clone.Git(ctx, nil, "diff", "--no-renames", "--name-only", "-z", "--diff-filter=AM", e.Parent, e.Commit)
	if err != nil {
		return nil, err
	}
	touched := strings.FieldsFunc(string(status), func(c rune) bool { return c == 0 })
	switch task {
	case "change":
		t.shown, t.want = []string{e.Visible}, e.Hidden
	case "all":
		t.shown, t.want = []string{e.Visible}, slices.DeleteFunc(touched, func(p string) bool { return p == e.Visible })
	case "several":
		both := append([]string{e.Visible}, e.Hidden...)
		if len(both) < 3 {
			return nil, nil
		}
		slices.Sort(both)
		t.shown, t.want = both[:(len(both)+1)/2], both[(len(both)+1)/2:]
	case "review":
		t.shown, t.want = touched, e.Next
	case "nothing":
		t.shown = touched
	case "plain":
		t.shown, t.want = e.Shown, e.Hidden
	default:
		return nil, fmt.Errorf("no task %q", task)
	}
	changed, err := r.clone.files(ctx, e.Commit, t.shown...)
	if err != nil {
		return nil, err
	}
	for p, f := range changed {
		if slices.Contains(t.shown, p) {
			t.head[p] = f
		}
	}
	t.want = slices.DeleteFunc(slices.Clone(t.want), func(p string) bool { _, ok := t.head[p]; return !ok })
	t.want = slices.DeleteFunc(t.want, language.IsLock)
	if task != "review" {
		for _, p := range t.shown {
			if _, err := r.clone.Blob(t.head[p].id); err != nil {
				return nil, nil // a clone may lack its largest objects
			}
		}
	}
	if len(t.want) == 0 && task != "nothing" && task != "plain" {
		return nil, nil
	}
	if t.patches, err = r.clone.patches(ctx, e.Parent, e.Commit, t.shown, o.around); err != nil {
		return nil, err
	}
	for p, f := range t.head {
		if f.size > maxBytes || f.mode == "120000" || language.IsLock(p) || slices.Contains(t.shown, p) {
			continue
		}
		b, err := r.clone.Blob(f.id)
		if err != nil {
			continue // a clone may lack its largest objects
		}
		if bytes.IndexByte(b[:min(len(b), 8000)], 0) < 0 {
			t.candidates = append(t.candidates, p)
		}
	}
	slices.Sort(t.candidates)
	return t, nil
}

// order puts the candidates in the order of one way.
func (t *trial) order(ctx context.Context, way string, o options) ([]string, error) {
	switch way {
	case "rank", "history":
		commits := 0
		if way == "history" {
			commits = o.history
		}
		order, err := t.rank(ctx, o, commits)
		if err != nil {
			return nil, err
		}
		list := make([]string, len(order.Files))
		for i, f := range order.Files {
			list[i] = f.Path
		}
		return list, nil
	case "tree":
		return t.byTree(), nil
	case "bm25":
		return t.byWords()
	case "aider", "folders":
		return t.byPeer(ctx, way)
	}
	return nil, fmt.Errorf("no way %q", way)
}

func (t *trial) rank(ctx context.Context, o options, commits int) (*rank.Order, error) {
	return t.rankAround(ctx, o, commits, nil)
}

// rankAround is rank where it is known which definitions the change touches.
func (t *trial) rankAround(ctx context.Context, o options, commits int, around map[string][]byte) (*rank.Order, error) {
	in := rank.Input{}
	for _, p := range t.shown {
		in.Changes = append(in.Changes, rank.Change{Path: p, Patch: t.patches[p], Around: around[p]})
	}
	for _, p := range slices.Concat(t.candidates, t.shown) {
		if f, ok := t.head[p]; ok {
			mode, _ := modeOf(f)
			in.Files = append(in.Files, tree.NewFile(p, mode, f.size, f.id, func() (io.ReadCloser, error) {
				b, err := t.repository.clone.Blob(f.id)
				return io.NopCloser(bytes.NewReader(b)), err
			}))
		}
	}
	known, err := t.graph(ctx, o)
	if err != nil {
		return nil, err
	}
	in.Edges = edgesOf(known)
	if !o.anyUser {
		if in.Users, err = t.users(known); err != nil {
			return nil, err
		}
	}
	t.count(in)
	if commits > 0 {
		if in.History, err = t.history(ctx, commits); err != nil {
			return nil, err
		}
	}
	return rank.Files(ctx, in)
}

// graph is that of the head's files, in the languages that are asked for.
func (t *trial) graph(ctx context.Context, o options) (*provider.Result, error) {
	root := tree.New(newSource(t.repository.clone, t.head))
	var sources []graph.SourceFile
	for p, f := range t.head {
		if mode, ok := modeOf(f); ok && mode.IsRegular() {
			sources = append(sources, graph.SourceFile{File: tree.NewFile(p, mode, f.size, f.id, func() (io.ReadCloser, error) {
				b, err := t.repository.clone.Blob(f.id)
				return io.NopCloser(bytes.NewReader(b)), err
			})})
		}
	}
	slices.SortFunc(sources, func(a, b graph.SourceFile) int { return strings.Compare(a.Path, b.Path) })
	return provider.Build(ctx, graph.Roots{Dir: "/", Root: root}, sources, provider.Options{UsersOf: t.shown, Only: o.graph})
}

// edgesOf are the edges from file to file.
func edgesOf(known *provider.Result) map[string][]string {
	edges := map[string][]string{}
	for from, list := range known.Graph.Edges {
		for _, e := range list {
			edges[from] = append(edges[from], e.Target)
		}
	}
	return edges
}

// users are those of what the shown change touches, by shown file.
func (t *trial) users(known *provider.Result) (map[string]rank.Users, error) {
	list := map[string]rank.Users{}
	for _, p := range t.shown {
		by := known.Users[p]
		_, ok := provider.For(p)
		if len(by) == 0 || !ok {
			continue
		}
		b, err := t.repository.clone.Blob(t.head[p].id)
		if err != nil {
			return nil, err
		}
		definitions, err := provider.Define(p, b)
		if err != nil {
			continue // the run says so, too, and goes on without
		}
		if u := rank.UsersOf(definitions, by, diff.Touched(t.patches[p])); len(u.Uses) > 0 {
			list[p] = u
		}
	}
	return list, nil
}

// count counts the files that import a shown one, once for each that they import.
func (t *trial) count(in rank.Input) {
	t.uses = uses{}
	for from, targets := range in.Edges {
		if slices.Contains(t.shown, from) {
			continue
		}
		seen := map[string]bool{}
		for _, to := range targets {
			if seen[to] || !slices.Contains(t.shown, to) {
				continue
			}
			seen[to] = true
			t.uses.dependents++
			u := in.Users[to]
			if u.All && !slices.ContainsFunc(u.Uses, func(u rank.Use) bool { return u.Path == from }) {
				t.uses.unaffected++
			}
		}
	}
}

func (t *trial) history(ctx context.Context, n int) ([]rank.Commit, error) {
	out, err := t.repository.clone.Git(ctx, nil, "log", "--no-renames", "--name-only", "-z", "--format=%x01", "-n", fmt.Sprint(n), t.Parent)
	if err != nil {
		return nil, err
	}
	var list []rank.Commit
	for part := range strings.SplitSeq(string(out), "\x01") {
		if files := strings.FieldsFunc(part, func(c rune) bool { return c == 0 || c == '\n' }); len(files) > 0 {
			list = append(list, rank.Commit{Files: files})
		}
	}
	return list, nil
}

// byTree orders by how many folders lie between a file and the change.
func (t *trial) byTree() []string {
	far := map[string]int{}
	for _, p := range t.candidates {
		best := math.MaxInt
		a := strings.Split(path.Dir(p), "/")
		for _, s := range t.shown {
			b := strings.Split(path.Dir(s), "/")
			same := 0
			for same < min(len(a), len(b)) && a[same] == b[same] {
				same++
			}
			best = min(best, len(a)+len(b)-2*same)
		}
		far[p] = best
	}
	list := slices.Clone(t.candidates)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(far[a], far[b]) })
	return list
}

func identifiers(text []byte, do func(word string)) {
	for i := 0; i < len(text); {
		if !letter(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && (letter(text[i]) || '0' <= text[i] && text[i] <= '9') {
			i++
		}
		if i-start >= 3 {
			do(string(text[start:i]))
		}
	}
}

func letter(c byte) bool { return c == '_' || c == '$' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// byWords orders by BM25 over whole identifiers.
func (t *trial) byWords() ([]string, error) {
	query := map[string]float64{}
	for _, patch := range t.patches {
		_, hunks, _ := bytes.Cut(patch, []byte("\n@@"))
		identifiers(hunks, func(w string) { query[w]++ })
	}
	counts := make([]map[string]float64, len(t.candidates))
	lengths := make([]float64, len(t.candidates))
	df := map[string]float64{}
	var total float64
	for i, p := range t.candidates {
		b, err := t.repository.clone.Blob(t.head[p].id)
		if err != nil {
			return nil, err
		}
		counts[i] = map[string]float64{}
		identifiers(b, func(w string) {
			lengths[i]++
			if query[w] > 0 {
				counts[i][w]++
			}
		})
		for w := range counts[i] {
			df[w]++
		}
		total += lengths[i]
	}
	n := float64(len(t.candidates))
	scores := map[string]float64{}
	for i, p := range t.candidates {
		words := make([]string, 0, len(counts[i]))
		for w := range counts[i] {
			words = append(words, w)
		}
		slices.Sort(words) // sums of fractions depend on their order
		for _, w := range words {
			c := counts[i][w]
			scores[p] += (1 + math.Log(query[w])) * math.Log(1+(n-df[w]+.5)/(df[w]+.5)) * c * 2.2 / (c + 1.2*(.25+.75*lengths[i]*n/total))
		}
	}
	list := slices.Clone(t.candidates)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(scores[b], scores[a]) })
	return list, nil
}

// room is what a budget has left for files.
func (t *trial) room(budget int) int {
	patch := 0
	for _, p := range t.patches {
		patch += t.counts.text(p)
	}
	return budget - guide - min(patch, budget/patchPart)
}

// fill takes files in order until the budget is full.
func (t *trial) fill(order []string, budget int) score {
	room := t.room(budget)
	left, found := room, 0
	for _, p := range order {
		if left <= 0 {
			break
		}
		f := t.head[p]
		if int(f.size)/16 > left {
			continue // a token of source is no longer than that on average
		}
		n := t.counts.file(t.repository.clone, f)
		if n > left {
			continue
		}
		left -= n
		if slices.Contains(t.want, p) {
			found++
		}
	}
	return score{recall: float64(found) / float64(len(t.want)), cases: 1, tokens: budget - left}
}

// classes counts the wanted files by class, and those that are found.
type classes map[string][2]int

// missed prints the wanted files that an order misses, and counts all by class.
func (t *trial) missed(out io.Writer, order []string, budget int, c classes) {
	left := t.room(budget)
	for i, p := range order {
		n := t.counts.file(t.repository.clone, t.head[p])
		taken := n <= left
		if taken {
			left -= n
		}
		if !slices.Contains(t.want, p) {
			continue
		}
		count := c[classOf(p)]
		count[1]++
		if taken {
			count[0]++
		} else {
			fmt.Fprintf(out, "missed %s %.10s %s <- %s: rank %d, %d tokens\n", t.repository.name, t.Commit, p, strings.Join(t.shown[:min(3, len(t.shown))], " "), i+1, n)
		}
		c[classOf(p)] = count
	}
}

func classOf(p string) string {
	base := strings.ToLower(path.Base(p))
	switch ext := path.Ext(base); {
	case strings.HasPrefix(base, "changelog"):
		return "changelog"
	case slices.Contains([]string{"package.json", "go.mod", "pyproject.toml", "cargo.toml", "setup.py", "setup.cfg", "pom.xml"}, base):
		return "manifest"
	case slices.Contains([]string{".md", ".mdx", ".rst", ".adoc", ".txt"}, ext):
		return "document"
	case slices.Contains([]string{".json", ".jsonc", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".xml"}, ext) || strings.HasPrefix(base, "."):
		return "configuration"
	case slices.Contains([]string{".html", ".css", ".scss", ".less", ".svg"}, ext):
		return "style and markup"
	case slices.Contains([]string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".go", ".py", ".rs", ".java"}, ext):
		return "code"
	}
	return "other"
}

// counts keeps tokens of blobs between runs: they are a function of the bytes.
type counts struct {
	mu      sync.Mutex
	known   map[string]int
	counter tokens.Counter
	w       *bufio.Writer
	f       *os.File
}

func openCounts(name string) (*counts, error) {
	c := &counts{known: map[string]int{}}
	if b, err := os.ReadFile(name); err == nil {
		for line := range strings.SplitSeq(string(b), "\n") {
			var id string
			var n int
			if k, _ := fmt.Sscan(line, &id, &n); k == 2 {
				c.known[id] = n
			}
		}
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	c.f, c.w = f, bufio.NewWriter(f)
	return c, nil
}

func (c *counts) close() { c.w.Flush(); c.f.Close() }

func (c *counts) text(b []byte) int { return c.counter.Count(b) }

func (c *counts) file(from *clone, f file) int {
	c.mu.Lock()
	n, ok := c.known[f.id]
	c.mu.Unlock()
	if ok {
		return n
	}
	b, err := from.Blob(f.id)
	if err != nil {
		return math.MaxInt
	}
	n = c.counter.Count(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[f.id] = n
	fmt.Fprintln(c.w, f.id, n)
	return n
}
