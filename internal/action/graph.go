package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tree"
)

// prepare does the steps that verbs about the graph share with a whole run:
// everything up to the graph, and nothing is written.
func (c *Command) prepare(ctx context.Context, in *Inputs, o *options, needBase bool) (*run, func(), error) {
	r := &run{c: c, in: in, log: newLog(c, o)}
	r.spool = tree.NewSpool(c.Getenv("RUNNER_TEMP"))
	var err error
	closers := []func(){func() { r.spool.Close() }}
	closeAll := func() {
		r.log.close(err)
		for i := len(closers) - 1; i >= 0; i-- {
			closers[i]()
		}
	}
	fail := func(e error) (*run, func(), error) {
		err = e
		closeAll()
		return nil, nil, e
	}
	if r.temp, err = os.MkdirTemp(c.Getenv("RUNNER_TEMP"), "haversack-"); err != nil {
		return fail(fmt.Errorf("making a temporary folder: %w", err))
	}
	closers = append(closers, func() { os.RemoveAll(r.temp) })
	if err := r.open(ctx); err != nil {
		return fail(err)
	}
	closers = append(closers, r.head.close)
	if !needBase {
		in.Base = "none"
	}
	if err := r.findBase(ctx); err != nil {
		return fail(err)
	}
	closers = append(closers, r.base.close)
	if err := r.scan(ctx); err != nil {
		return fail(err)
	}
	if err := r.compare(ctx); err != nil {
		return fail(err)
	}
	if err := r.step("graph", func() (err error) { r.deps, err = r.buildGraph(ctx); return err }); err != nil {
		return fail(err)
	}
	closers = append(closers, r.deps.close)
	return r, closeAll, nil
}

// graph writes the map and its locators beside the state, and prints a table.
func (c *Command) graph(ctx context.Context, in *Inputs, o *options) error {
	if len(o.args) > 0 {
		return usageError("graph takes no arguments")
	}
	r, done, err := c.prepare(ctx, in, o, false)
	if err != nil {
		return err
	}
	defer done()
	meta := r.deps.canonical.Meta
	if err := newGate(r.screener, r.snap).document(metaName, meta.Encode(), ""); err != nil {
		return err
	}
	for name, b := range map[string][]byte{metaName: meta.Encode(), mapName: r.deps.canonical.Map(filepath.ToSlash(r.head.dir)).Encode()} {
		at, err := r.head.place(in.Stan + "/" + name)
		if err != nil {
			return err
		}
		if err := writeAtomic(at, b); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	if o.json {
		_, err := c.Stdout.Write(meta.Encode())
		return err
	}
	var b strings.Builder
	if err := graph.WriteTable(&b, meta, r.deps.result.Unresolved, 20); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\nWrote %s/%s and %s/%s.\n", in.Stan, metaName, in.Stan, mapName)
	r.log.print(b.String())
	return nil
}

// selection is what the verb select prints as JSON.
type selection struct {
	State    string     `json:"state"`
	Selected []selected `json:"selected"`
	LeftOut  []Row      `json:"left_out"`
	Budget   *Budget    `json:"budget"`
	Warnings []string   `json:"warnings"`
}

type selected struct {
	Path      string   `json:"path"`
	SizeBytes int64    `json:"size_bytes"`
	Why       []string `json:"why"`
}

// selectFiles prints the closure of the state, or of the entries on the command
// line, and what it costs. With --add and --remove it edits the state.
func (c *Command) selectFiles(ctx context.Context, in *Inputs, o *options) error {
	entries, err := parseEntries(o.args)
	if err != nil {
		return err
	}
	var asked *graph.State
	var write func() error
	if len(o.add)+len(o.remove) > 0 {
		if asked, write, err = c.editState(ctx, in, o); err != nil {
			return err
		}
	}
	if len(entries) > 0 {
		asked = &graph.State{Include: entries}
	}
	in.Mode = "context"
	inPull := strings.HasPrefix(c.Getenv("GITHUB_EVENT_NAME"), "pull_request") && inWorkflow(c.Getenv)
	r, done, err := c.prepare(ctx, in, o, inPull || in.ChangedDepth != nil || in.DependentsDepth != nil)
	if err != nil {
		return err
	}
	defer done()
	r.asked = asked
	p, err := r.contextPlan(r.deps)
	if err != nil {
		return err
	}
	r.plan = p
	if write != nil {
		// What is asked for can be had: now the file may change.
		if err := write(); err != nil {
			return err
		}
	}
	out := selection{State: in.Stan + "/" + stateName, Selected: []selected{}, LeftOut: []Row{}, Budget: newBudget(p, in.BudgetTokens), Warnings: r.record.Warnings}
	if len(entries) > 0 {
		out.State = "command line"
	}
	for _, f := range p.files {
		if why := p.why[f.Path]; len(why) > 0 {
			shown, _ := display(f.Path)
			out.Selected = append(out.Selected, selected{shown, f.Size, why})
		}
	}
	for name, l := range p.left {
		if l.reason == "over_budget" {
			shown, _ := display(name)
			out.LeftOut = append(out.LeftOut, Row{Path: shown, Reason: string(l.reason), Rule: l.rule})
		}
	}
	slices.SortFunc(out.LeftOut, func(a, b Row) int { return strings.Compare(a.Path, b.Path) })
	if o.json {
		b, err := marshal(out, "  ")
		if err == nil {
			_, err = c.Stdout.Write(b)
		}
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Selected by %s: %d files\n", out.State, len(out.Selected))
	for _, s := range out.Selected {
		fmt.Fprintf(&b, "%10s  %q\n", bytesText(s.SizeBytes), s.Path)
		if len(s.Why) > 1 {
			fmt.Fprintf(&b, "            because %s\n", oneLine(strings.Join(s.Why, " → ")))
		}
	}
	for _, l := range out.LeftOut {
		fmt.Fprintf(&b, "  left out  %q: %s\n", l.Path, oneLine(l.Rule))
	}
	bud := out.Budget
	fmt.Fprintf(&b, "\nThe archive: %d files, %s, about %d tokens (base %d files, closure %d, both %d).\n", bud.Files, bytesText(bud.SizeBytes),
		bud.EstimatedTokens, bud.Base.Files, bud.Closure.Files, bud.Overlap.Files)
	r.log.print(b.String())
	return nil
}

func parseEntries(args []string) ([]graph.Entry, error) {
	var list []graph.Entry
	for _, a := range args {
		e, err := graph.ParseEntry(a)
		if err != nil {
			return nil, &codedError{err, exitInput}
		}
		list = append(list, e)
	}
	return list, nil
}

// editState adds and removes entries of the state. What is there is validated
// first; write puts the result in the file, minified and sorted.
func (c *Command) editState(ctx context.Context, in *Inputs, o *options) (state *graph.State, write func() error, err error) {
	remove, err := parseEntries(o.remove)
	if err != nil {
		return nil, nil, err
	}
	add, err := parseEntries(o.add)
	if err != nil {
		return nil, nil, err
	}
	h, err := c.openHead(ctx, in, "")
	if err != nil {
		return nil, nil, err
	}
	defer h.close()
	if h.kind == "commit" {
		return nil, nil, usageError("--add and --remove need a worktree")
	}
	name := in.Stan + "/" + stateName
	raw, err := h.root.ReadFile(name, 16<<20)
	if errors.Is(err, fs.ErrNotExist) {
		raw, err = []byte(emptyState), nil
	}
	if err != nil {
		return nil, nil, &codedError{fmt.Errorf("reading %s: %w", name, err), exitInput}
	}
	s, _, err := graph.ParseState(name, raw)
	if err != nil {
		return nil, nil, &codedError{err, exitInput}
	}
	drop := func(id string) bool {
		before := len(s.Include)
		s.Include = slices.DeleteFunc(s.Include, func(x graph.Entry) bool { return path.Clean(x.ID) == path.Clean(id) })
		return len(s.Include) < before
	}
	for i, e := range remove {
		if !drop(e.ID) {
			return nil, nil, &codedError{fmt.Errorf("--remove %s: the state includes no such entry", o.remove[i]), exitInput}
		}
	}
	for i, e := range add {
		drop(e.ID)
		e.ID = path.Clean(e.ID)
		if rule := graph.Reserved(e.ID, in.Stan); rule != "" {
			return nil, nil, &codedError{fmt.Errorf("--add %s: reserved (%s), never archived", o.add[i], rule), exitInput}
		}
		if strings.HasPrefix(e.ID, "node:") {
			return nil, nil, &codedError{fmt.Errorf("--add %s: a built-in module, no file", o.add[i]), exitInput}
		}
		s.Include = append(s.Include, e)
	}
	at, err := h.place(name)
	if err != nil {
		return nil, nil, err
	}
	return &s, func() error { return writeAtomic(at, s.Encode()) }, nil
}
