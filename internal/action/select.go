package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/deliver"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// graphVerb writes the map and its locators beside the state, and prints a table.
func graphVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if len(o.args) > 0 && !o.definitions && o.ask == nil {
		return job.UsageError("graph takes no arguments")
	}
	alone := *in
	alone.Origins = in.Fixed("mode", "graph")
	alone.Base, alone.Mode, alone.NoGraph, alone.Session = job.BaseNone, job.ModeMeta, false, job.SessionOff
	if top := topOf(&e.Setting, &alone.Scope); o.ask != nil && top != "" {
		alone.Path = top
	}
	return run(ctx, e, &alone, o, upTo{graph: true, texts: o.texts || o.definitions})
}

// topOf is the top of the repository in which the program was started, "" if there is none, or path names another folder: what uses a
// file may stand anywhere in it.
func topOf(e *job.Setting, in *job.Scope) string {
	if in.Path != "." {
		return ""
	}
	r, err := repo.Open(e.WorkspaceAbs())
	if err != nil {
		return ""
	}
	defer r.Close()
	return r.WorkDir()
}

// writeGraph is the end of the verb graph.
func writeGraph(e *job.Env, in *job.Inputs, o *options, v *snapshot.View) error {
	h, d, s := v.Head, v.Graph, v.Sealed
	if o.definitions {
		return printDefinitions(e, o, s)
	}
	if o.ask != nil {
		return printAnswer(e, in, o, v)
	}
	g, err := plan.NewGate(s.Screener, nil)
	if err != nil {
		return err
	}
	files := deliver.GraphFiles(h, d, s)
	text, told := files[path.Base(record.MetaName)], fmt.Sprintf("Wrote %s/%s and %s/%s.", in.Stan, record.MetaName, in.Stan, record.MapName)
	if h.Kind == "commit" {
		told = "Not written: the graph is of a commit, and the folder is that of a worktree."
	} else {
		kept, err := deliver.OpenKept(&e.Setting, in.Stan, h)
		if err != nil {
			return err
		}
		defer kept.Abort()
		if err := kept.KeepGraph(g, files); err != nil {
			return err
		}
		if err := kept.Commit(job.Owner(h.Dir)); err != nil {
			return err
		}
	}
	if o.json {
		return e.Results(text)
	}
	var b strings.Builder
	if err := graph.WriteTable(&b, s.Meta, d.Result.Unresolved, 20); err != nil {
		return err
	}
	unseen, err := lookup.UnseenLoads(s)
	if err != nil {
		return err
	}
	b.WriteString(tellUnseen(unseen, d.Result.Languages))
	fmt.Fprintf(&b, "\n%s\n", told)
	e.Log.Print(b.String())
	return nil
}

// tellUnseen says what is seen and not followed, and of which languages nothing is known.
func tellUnseen(u lookup.Unseen, languages []provider.Language) string {
	var b strings.Builder
	if u.Places > 0 {
		var forms []string
		for _, f := range u.Forms {
			forms = append(forms, fmt.Sprintf("%s %d", f.Name, f.Places))
		}
		shown, _ := record.DisplayPath(u.First[0].Path)
		fmt.Fprintf(&b, "\nNot followed, as no literal names what is loaded: %s in %s, the first is %s:%d: %s.\n", some(u.Places, "place"), some(u.Files, "file"), text.Name(shown), u.First[0].Line,
			strings.Join(forms, ", "))
	}
	for _, l := range languages {
		switch {
		case !l.Graph:
			fmt.Fprintf(&b, "\nImports of %s are not read: %s.\n", l.Name, some(l.Files, "file"))
		case l.Undecided > 0:
			fmt.Fprintf(&b, "\nNot decided, as several files declare the name: %s in %s.\n", some(l.Undecided, "name"), l.Name)
		}
	}
	return b.String()
}

// some is a number of things.
func some(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// selection is what the verb select prints as JSON.
type selection struct {
	// State is the file that was gone by, "command line", or "" where there is none.
	State string `json:"state"`
	// SelectedBy are all that had a say.
	SelectedBy []string       `json:"selected_by"`
	Selected   []selectedFile `json:"selected"`
	LeftOut    []record.Row   `json:"left_out"`
	Budget     *record.Budget `json:"budget"`
	Warnings   []string       `json:"warnings"`
}

type selectedFile struct {
	Path      string `json:"path"`
	SizeBytes int64  `json:"size_bytes"`
	// Tokens are counted where there is a budget.
	Tokens int      `json:"tokens,omitempty"`
	Why    []string `json:"why"`
}

// selectVerb prints the closure of the state, or of the entries on the command
// line, and what it costs. With --add, --remove and --exclude it edits the state.
func selectVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	named, err := parseState(o.args, o.exclude)
	if err != nil {
		return err
	}
	switch {
	case o.uses != "" && !o.summary:
		return job.UsageError("--default-uses goes with --summary")
	case o.meta != "":
		return selectArchived(e, in, o, named)
	case o.summary:
		return summarise(ctx, e, in, o)
	}
	stop := upTo{plan: true}
	switch {
	case len(o.add)+len(o.remove) > 0, len(o.exclude) > 0 && len(o.args) == 0:
		stop.entries.File = true
		if stop.entries.State, stop.save, err = editState(ctx, e, in, o); err != nil {
			return err
		}
		added, err := parseState(o.add, o.exclude)
		if err != nil {
			return err
		}
		stop.entries.Must = slices.Concat(added.Include, added.Exclude)
	}
	if len(o.args) > 0 {
		stop.entries.State = named
		stop.entries.Must = slices.Concat(stop.entries.Must, named.Include, named.Exclude)
	}
	alone := *in
	alone.Origins = in.Fixed("mode")
	alone.Mode, alone.Session = job.ModeContext, job.SessionOff
	if len(o.args) > 0 && in.Fill == job.FillAuto {
		alone.Origins = in.Fixed("mode", "fill")
		alone.Fill = job.FillNone // the entries alone are asked about
	}
	return run(ctx, e, &alone, o, stop)
}

// parseState reads the entries of a command line: those that begin with "!", and those
// of out, are left out.
func parseState(args, out []string) (*graph.State, error) {
	s := new(graph.State)
	for _, a := range args {
		rest, not := strings.CutPrefix(a, "!")
		x, err := graph.ParseEntry(rest)
		switch {
		case err != nil:
			return nil, job.WithCode(err, job.ExitInput)
		case not:
			s.Exclude = append(s.Exclude, x)
		default:
			s.Include = append(s.Include, x)
		}
	}
	for _, a := range out {
		x, err := graph.ParseEntry(strings.TrimPrefix(a, "!"))
		if err != nil {
			return nil, job.WithCode(err, job.ExitInput)
		}
		s.Exclude = append(s.Exclude, x)
	}
	return s, nil
}

// closureSummary is what select --summary prints as JSON, under the names of
// stan-context.
type closureSummary struct {
	SelectedNodeIDs []string      `json:"selectedNodeIds"`
	TotalBytes      int64         `json:"totalBytes"`
	Largest         []largestNode `json:"largest"`
	Warnings        []string      `json:"warnings"`
}

type largestNode struct {
	NodeID string `json:"nodeId"`
	Bytes  int64  `json:"bytes"`
}

// summarise sums up the closure of entries, of the command line or of the state, as the
// helper of stan-context does: what is wrong in them is a warning.
func summarise(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	options, err := summaryOptions(o)
	if err != nil {
		return err
	}
	include, exclude, err := looseEntries(o)
	if err != nil {
		return err
	}
	if len(o.args) == 0 {
		h, err := snapshot.OpenHead(ctx, &e.Setting, &in.Scope)
		if err != nil {
			return err
		}
		name := in.Stan + "/" + record.StateName
		raw, err := h.Root.ReadFile(name, graph.MaxState)
		h.Close()
		var state struct{ I, X []any }
		if err == nil {
			err = json.Unmarshal(raw, &state)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return job.WithCode(fmt.Errorf("there is no %s to sum up: name entries, or commit a state", name), job.ExitInput)
		}
		if err != nil {
			return job.WithCode(fmt.Errorf("reading %s: %w; name entries, or commit a state", name, err), job.ExitInput)
		}
		include, exclude = state.I, append(state.X, exclude...)
	}
	alone := *in
	alone.Origins = in.Fixed("mode", "graph")
	alone.Base, alone.Mode, alone.NoGraph, alone.Session = job.BaseNone, job.ModeMeta, false, job.SessionOff
	return run(ctx, e, &alone, o, upTo{graph: true, sum: func(m *graph.Meta) graph.Summary {
		return graph.Summarize(m.Inflate(), include, exclude, options)
	}})
}

// summaryOptions are those of select --summary.
func summaryOptions(o *options) (s graph.SummaryOptions, err error) {
	if len(o.add)+len(o.remove) > 0 {
		return s, job.UsageError("--summary edits nothing: it goes without --add and --remove")
	}
	if o.uses != "" {
		u, err := graph.ParseUseSet(o.uses)
		if err != nil {
			return s, job.UsageError("--default-uses %w", err)
		}
		s.DefaultUses = &u
	}
	return s, nil
}

// looseEntries reads the entries of a command line, of which some may be left out.
func looseEntries(o *options) (include, exclude []any, err error) {
	for _, a := range slices.Concat(o.args, negated(o.exclude)) {
		rest, not := strings.CutPrefix(a, "!")
		entry, err := graph.LooseEntry(rest)
		switch {
		case err != nil:
			return nil, nil, job.WithCode(err, job.ExitInput)
		case not:
			exclude = append(exclude, entry)
		default:
			include = append(include, entry)
		}
	}
	return include, exclude, nil
}

// negated marks entries as such that are left out.
func negated(entries []string) []string {
	var list []string
	for _, a := range entries {
		list = append(list, "!"+strings.TrimPrefix(a, "!"))
	}
	return list
}

// printSummary is the end of select --summary.
func printSummary(e *job.Env, o *options, screener *scan.Screener, sum graph.Summary) error {
	out := closureSummary{SelectedNodeIDs: []string{}, TotalBytes: sum.TotalBytes, Largest: []largestNode{}, Warnings: append([]string{}, sum.Warnings...)}
	out.SelectedNodeIDs = append(out.SelectedNodeIDs, sum.SelectedNodeIDs...)
	for _, l := range sum.Largest {
		out.Largest = append(out.Largest, largestNode{l.Path, l.Bytes})
	}
	snapshot.Clean(screener, &out)
	if o.json {
		b, err := record.Marshal(out, "  ")
		if err == nil {
			err = e.Results(b)
		}
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Selected: %s, %s\n", claim.Count(len(out.SelectedNodeIDs), "file"), job.BytesText(out.TotalBytes))
	for _, id := range out.SelectedNodeIDs {
		fmt.Fprintf(&b, "  %q\n", id)
	}
	b.WriteString("Largest:\n")
	for _, l := range out.Largest {
		fmt.Fprintf(&b, "%10s  %q\n", job.BytesText(l.Bytes), l.NodeID)
	}
	for _, w := range out.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", job.OneLine(w))
	}
	e.Log.Print(b.String())
	return nil
}

// printSelection is the end of the verb select.
func printSelection(e *job.Env, in *job.Inputs, o *options, view *snapshot.View, p *plan.Plan) error {
	s := view.Sealed
	out := selection{SelectedBy: []string{}, Selected: []selectedFile{}, LeftOut: []record.Row{}, Budget: plan.NewBudget(p), Warnings: append([]string{}, s.Warnings...)}
	switch {
	case len(o.args) > 0:
		out.State, out.SelectedBy = snapshot.CommandLine, append(out.SelectedBy, snapshot.CommandLine)
	case view.Asked.Raw != nil:
		out.State, out.SelectedBy = in.Stan+"/"+record.StateName, append(out.SelectedBy, in.Stan+"/"+record.StateName)
	}
	if in.ChangedDepth >= 0 || in.DependentsDepth >= 0 {
		out.SelectedBy = append(out.SelectedBy, "the graph around the change")
	}
	if p.Ranked() {
		out.SelectedBy = append(out.SelectedBy, "the rank of the change")
	}
	for _, f := range p.Files {
		if why := p.Why[f.Path]; len(why) > 0 {
			shown, _ := record.DisplayPath(f.Path)
			out.Selected = append(out.Selected, selectedFile{shown, f.Size, p.Costs[f.Path], why})
		}
	}
	for name, l := range p.Left {
		if l.Reason == scan.OverBudget {
			shown, _ := record.DisplayPath(name)
			out.LeftOut = append(out.LeftOut, record.Row{Path: shown, Reason: string(l.Reason), Rule: l.Rule})
		}
	}
	slices.SortFunc(out.LeftOut, func(a, b record.Row) int { return strings.Compare(a.Path, b.Path) })
	return out.print(e, o, s.Screener)
}

// print writes a selection as JSON, or for people.
func (out *selection) print(e *job.Env, o *options, screener *scan.Screener) error {
	snapshot.Clean(screener, out)
	if o.json {
		b, err := record.Marshal(out, "  ")
		if err == nil {
			err = e.Results(b)
		}
		return err
	}
	var b strings.Builder
	by := strings.Join(out.SelectedBy, " and ")
	if by == "" {
		by = "nothing (there is no state; name entries)"
	}
	fmt.Fprintf(&b, "Selected by %s: %s\n", job.OneLine(by), claim.Count(len(out.Selected), "file"))
	for _, s := range out.Selected {
		tokens := ""
		if s.Tokens > 0 {
			tokens = fmt.Sprintf("  %d tokens", s.Tokens)
		}
		fmt.Fprintf(&b, "%10s  %q%s\n", job.BytesText(s.SizeBytes), s.Path, tokens)
		if len(s.Why) > 1 {
			fmt.Fprintf(&b, "            because %s\n", job.OneLine(strings.Join(s.Why, " → ")))
		}
	}
	for _, l := range out.LeftOut {
		fmt.Fprintf(&b, "  left out  %q: %s\n", l.Path, job.OneLine(l.Rule))
	}
	if bud := out.Budget; bud != nil {
		fmt.Fprintf(&b, "\nThe archive: %d files, %s, %s (base %d files, closure %d, both %d).\n", bud.Files, job.BytesText(bud.SizeBytes),
			report.TokensText(bud.Tokens, bud.EstimatedTokens), bud.Base.Files, bud.Closure.Files, bud.Overlap.Files)
	}
	for _, w := range out.Warnings {
		if out.Budget == nil {
			fmt.Fprintf(&b, "warning: %s\n", job.OneLine(w))
		}
	}
	e.Log.Print(b.String())
	return nil
}

// editState adds and removes entries of the state, of what it includes and of what it
// excludes. What is there is validated
// first; write puts the result in the file, minified and sorted.
func editState(ctx context.Context, e *job.Env, in *job.Inputs, o *options) (state *graph.State, write func() error, err error) {
	remove, err := parseState(o.remove, nil)
	if err != nil {
		return nil, nil, err
	}
	add, err := parseState(o.add, o.exclude)
	if err != nil {
		return nil, nil, err
	}
	h, err := snapshot.OpenHead(ctx, &e.Setting, &in.Scope)
	if err != nil {
		return nil, nil, err
	}
	defer h.Close()
	if h.Kind == "commit" {
		return nil, nil, job.UsageError("--add and --remove need a worktree")
	}
	name := in.Stan + "/" + record.StateName
	raw, err := h.Root.ReadFile(name, graph.MaxState)
	if errors.Is(err, fs.ErrNotExist) && len(o.add)+len(o.remove) == 0 {
		// A state that asks for nothing would empty the archives of later runs.
		return nil, nil, job.UsageError("--exclude: there is no %s to edit; say with --add what is selected, or give a pattern", name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		raw, err = []byte(plan.EmptyState), nil
	}
	if err != nil {
		return nil, nil, job.WithCode(fmt.Errorf("reading %s: %w", name, err), job.ExitInput)
	}
	s, _, err := graph.ParseState(name, raw)
	if err != nil {
		return nil, nil, job.WithCode(err, job.ExitInput)
	}
	for _, x := range remove.Include {
		if !dropEntry(&s.Include, x.ID) && !dropEntry(&s.Exclude, x.ID) {
			return nil, nil, job.WithCode(fmt.Errorf("--remove %s: the state includes no such entry", x.ID), job.ExitInput)
		}
	}
	for _, x := range remove.Exclude {
		if !dropEntry(&s.Exclude, x.ID) {
			return nil, nil, job.WithCode(fmt.Errorf("--remove !%s: the state excludes no such entry", x.ID), job.ExitInput)
		}
	}
	for _, x := range add.Include {
		if rule := graph.Reserved(path.Clean(x.ID), in.Stan); rule != "" {
			return nil, nil, job.WithCode(fmt.Errorf("--add %s: reserved (%s), never archived", x, rule), job.ExitInput)
		}
		if snapshot.Builtin(path.Clean(x.ID)) {
			return nil, nil, job.WithCode(fmt.Errorf("--add %s: a built-in module, no file", x), job.ExitInput)
		}
		setEntry(&s.Include, x)
	}
	for _, x := range add.Exclude {
		if fi, err := h.Root.Lstat(path.Clean(x.ID)); err == nil && fi.Mode.IsDir() {
			return nil, nil, job.WithCode(fmt.Errorf("--exclude %s: a folder, and entries are files; --exclude %s/** is a pattern for this run", x, x.ID), job.ExitInput)
		}
		setEntry(&s.Exclude, x)
	}
	if _, err := h.Place(name); err != nil {
		return nil, nil, err
	}
	return &s, func() error { return h.WritePlace(name, s.Encode()) }, nil
}

// dropEntry takes the entries of an id off a list; it reports whether there were any.
func dropEntry(list *[]graph.Entry, id string) bool {
	before := len(*list)
	*list = slices.DeleteFunc(*list, func(x graph.Entry) bool { return path.Clean(x.ID) == path.Clean(id) })
	return len(*list) < before
}

// setEntry sets the one entry of an id.
func setEntry(list *[]graph.Entry, x graph.Entry) {
	dropEntry(list, x.ID)
	x.ID = path.Clean(x.ID)
	*list = append(*list, x)
}
