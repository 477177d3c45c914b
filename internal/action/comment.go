package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/typescript"
)

// Bounds of what a comment shows.
const (
	maxCommentChanges = 50
	maxPicture        = 25 // nodes
)

// report is what the comment and the step summary say of a run. It holds
// counts, tables and names, never the content of a file.
type report struct {
	rec     *Record
	clean   func(string) string // screens names; nil = they are
	base    bool                // there is a base
	changes []diff.Change
	counts  string           // of the changes, in words
	sizes   map[string]int64 // of the changed files that are packed
	// edges of the change's neighbourhood, for the picture.
	edges   []pictureEdge
	touched map[string]bool
	up      artifact.Result
	stan    string
}

type pictureEdge struct{ from, to string }

// report gathers what the run has to tell.
func (r *run) report(up artifact.Result) *report {
	rep := &report{rec: r.record, base: !r.base.none, changes: r.changes, counts: r.changeCounts(), up: up, stan: r.in.Stan,
		sizes: map[string]int64{}, touched: map[string]bool{}}
	packed := r.archived()
	for _, c := range r.changes {
		if f := packed[c.Path]; f != nil && c.Status != diff.Deleted {
			rep.sizes[c.Path] = f.Size
		}
		rep.touched[c.Path] = true
	}
	if r.deps != nil {
		rep.edges = neighbourhood(r.deps.canonical.Meta, rep.touched)
	}
	return rep
}

// neighbourhood returns the edges between the changed files and the files next
// to them, of at most maxPicture files: changed ones first.
func neighbourhood(m *graph.Meta, touched map[string]bool) []pictureEdge {
	var all []pictureEdge
	for from, n := range m.Nodes {
		if n.Kind != graph.Source {
			continue
		}
		for _, e := range n.Edges {
			if to, ok := m.Nodes[e.Target]; ok && to.Kind == graph.Source && from != e.Target && (touched[from] || touched[e.Target]) {
				all = append(all, pictureEdge{from, e.Target})
			}
		}
	}
	weight := func(e pictureEdge) int {
		if touched[e.from] && touched[e.to] {
			return 0
		}
		return 1
	}
	slices.SortFunc(all, func(a, b pictureEdge) int {
		if d := weight(a) - weight(b); d != 0 {
			return d
		}
		if d := strings.Compare(a.from, b.from); d != 0 {
			return d
		}
		return strings.Compare(a.to, b.to)
	})
	all = slices.Compact(all)
	nodes := map[string]bool{}
	var kept []pictureEdge
	for _, e := range all {
		n := 0
		for _, id := range []string{e.from, e.to} {
			if !nodes[id] {
				n++
			}
		}
		if len(nodes)+n > maxPicture {
			continue
		}
		nodes[e.from], nodes[e.to] = true, true
		kept = append(kept, e)
	}
	return kept
}

// markdown writes the report: as a comment, or fuller as the step summary.
func (p *report) markdown(full bool) string {
	rec, f := p.rec, p.rec.figures()
	var b strings.Builder
	b.WriteString("### Haversack: context of this change\n\n")
	fmt.Fprintf(&b, "Packed **%d files**, %s, about **%d tokens** (mode %s)", f.included, bytesText(f.bytes), tokens(f.bytes), forge.Text(rec.Mode))
	if rec.Head.Commit != "" {
		fmt.Fprintf(&b, ", commit `%s`", short(rec.Head.Commit))
	}
	b.WriteString(".")
	if rec.Base.Commit != "" {
		fmt.Fprintf(&b, " Base `%s`: %s.", short(rec.Base.Commit), forge.Text(rec.Base.Reason))
	} else {
		fmt.Fprintf(&b, " Base: %s.", forge.Text(rec.Base.Reason))
	}
	if f.redacted > 0 {
		fmt.Fprintf(&b, " Credentials redacted or left out: **%d**.", f.redacted)
	}
	b.WriteString("\n\n")
	if p.base && p.changes != nil {
		p.writeChanges(&b, full)
	}
	if len(rec.Outputs) > 0 {
		b.WriteString("| file | size | members | sha256 |\n|---|---:|---:|---|\n")
		for _, o := range rec.Outputs {
			fmt.Fprintf(&b, "| %s | %s | %d | `%s` |\n", forge.Code(o.Name), bytesText(o.SizeBytes), len(o.Members), o.SHA256)
		}
		b.WriteString("\n")
	}
	if p.up.URL != "" {
		fmt.Fprintf(&b, "Artifact: [%s](%s) (%s)\n\n", forge.Text(p.up.Name), p.up.URL, bytesText(p.up.Size))
	}
	if len(p.edges) > 0 {
		b.WriteString("<details><summary>What the change touches, needs, and is needed by</summary>\n\n")
		b.WriteString(p.picture())
		b.WriteString("\n</details>\n\n")
	}
	if f.omitted > 0 {
		fmt.Fprintf(&b, "<details><summary>Left out: %d, and why</summary>\n\n", f.omitted)
		if full {
			b.WriteString("| count | reason | rules |\n|---:|---|---|\n")
		} else {
			b.WriteString("| count | reason |\n|---:|---|\n")
		}
		for _, c := range omissions(rec) {
			if full {
				fmt.Fprintf(&b, "| %d | %s | %s |\n", c.count, forge.Text(c.reason), forge.Text(few(c.rules, 8)))
			} else {
				fmt.Fprintf(&b, "| %d | %s |\n", c.count, forge.Text(c.reason))
			}
		}
		b.WriteString("\n</details>\n\n")
	}
	if full {
		for _, w := range rec.Warnings {
			fmt.Fprintf(&b, "> ⚠ %s\n\n", forge.Text(w))
		}
	}
	if rec.Mode == "full" {
		fmt.Fprintf(&b, "To pack only what a task needs, commit %s: `{\"v\":2,\"i\":[[\"path/of/a/file.ts\",1]]}`. Where %s is ignored, un-ignore it with\n\n",
			forge.Code(p.stan+"/"+stateName), forge.Code(p.stan+"/"))
		b.WriteString(forge.Fence("", fmt.Sprintf("!%s/\n%s/*\n!%s/context/\n%s/context/*\n!%s/%s\n", p.stan, p.stan, p.stan, p.stan, p.stan, stateName)))
	} else {
		fmt.Fprintf(&b, "To get more, add entries to %s; `haversack select` shows what they bring and cost.\n", forge.Code(p.stan+"/"+stateName))
	}
	return b.String()
}

func (p *report) writeChanges(b *strings.Builder, full bool) {
	fmt.Fprintf(b, "**Changed:** %s.\n\n", p.counts)
	if len(p.changes) == 0 {
		return
	}
	most := maxCommentChanges
	if full {
		most = 1000
	}
	b.WriteString("| | path | tokens |\n|---|---|---:|\n")
	for i, c := range p.changes {
		if i == most {
			fmt.Fprintf(b, "| | … and %d more | |\n", len(p.changes)-most)
			break
		}
		name := forge.Code(p.shown(c.Path))
		if c.OldPath != "" {
			name = forge.Code(p.shown(c.OldPath)) + " → " + name
		}
		cost := "–"
		if n, ok := p.sizes[c.Path]; ok {
			cost = fmt.Sprint(tokens(n))
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", c.Status, name, cost)
	}
	b.WriteString("\n")
}

// shown is a path as people read it, without the credentials in it: escaped, it
// would hide them from the screen of the whole text.
func (p *report) shown(name string) string {
	if p.clean != nil {
		name = p.clean(name)
	}
	s, _ := display(name)
	return s
}

// picture draws the neighbourhood. Nodes have numbers for ids, so that no name
// is read as anything but a label.
func (p *report) picture() string {
	ids := map[string]string{}
	var b strings.Builder
	b.WriteString("graph LR\n")
	node := func(name string) string {
		if id, ok := ids[name]; ok {
			return id
		}
		id := fmt.Sprintf("n%d", len(ids))
		ids[name] = id
		style := ""
		if p.touched[name] {
			style = ":::changed"
		}
		fmt.Fprintf(&b, "  %s[%s]%s\n", id, forge.Label(p.shown(name)), style)
		return id
	}
	for _, e := range p.edges {
		from, to := node(e.from), node(e.to)
		fmt.Fprintf(&b, "  %s --> %s\n", from, to)
	}
	b.WriteString("  classDef changed stroke-width:3px\n")
	return forge.Fence("mermaid", b.String())
}

// talk writes the comment or the step summary, screened, through the gate.
func (r *run) talk(channel string, up artifact.Result) (string, error) {
	rep := r.report(up)
	rep.clean = r.screenName
	body := r.screenName(rep.markdown(channel == "summary"))
	b := r.c.tapped(channel, []byte(body))
	g := newGate(r.screener, r.snap)
	if err := g.document(channel, b, ""); err != nil {
		return "", err
	}
	// As it reads when it is shown, too.
	if err := g.document(channel, []byte(html.UnescapeString(string(b))), ""); err != nil {
		return "", err
	}
	return string(b), nil
}

// comment keeps the pull request's comment current. A refusal is one line of
// the log, unless the input says always.
func (r *run) comment(ctx context.Context, up artifact.Result) error {
	if r.in.Comment == "never" || !inWorkflow(r.c.Getenv) {
		return nil
	}
	event, _ := r.c.event()
	if event.Number == 0 {
		if r.in.Comment == "always" {
			return errors.New("input comment: always: this run is about no pull request")
		}
		return nil
	}
	body, err := r.talk("comment", up)
	if err != nil {
		return err
	}
	return r.c.postComment(ctx, r.in, r.log, event.Number, body)
}

// postComment creates or updates the comment of this job.
func (c *Command) postComment(ctx context.Context, in *Inputs, l *log, number int, body string) error {
	client, err := c.forge(in)
	if err == nil {
		key := strings.Join([]string{c.Getenv("GITHUB_WORKFLOW"), c.Getenv("GITHUB_JOB"), in.CommentKey}, "/")
		var done forge.Comment
		if done, err = client.Upsert(ctx, number, key, body); err == nil {
			l.print(fmt.Sprintf("Comment %s: %s\n", done.Action, done.URL))
			return nil
		}
	}
	if in.Comment == "always" {
		return err
	}
	l.print("Not commented: " + oneLine(err.Error()) + "\n")
	return nil
}

// commentVerb posts the comment of a record that was made elsewhere: in the
// workflow of a fork's pull request, whose token may not comment. Of the record
// only numbers, hashes and known words are used; which pull request it is about
// is asked of the API.
func (c *Command) commentVerb(ctx context.Context, in *Inputs, o *options) error {
	if o.record == "" || len(o.args) > 0 {
		return usageError("comment needs --record FILE")
	}
	name := o.record
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.workspace(), name)
	}
	rec, err := readRecord(name)
	if err != nil {
		return err
	}
	body, err := (&report{rec: trusted(rec), up: artifact.Result{}, stan: in.Stan}).markdown(false), error(nil)
	number, err := c.pullOfRun(ctx, in)
	if err != nil {
		return err
	}
	in.Comment = "always"
	return c.postComment(ctx, in, newLog(c, o), number, body)
}

// trusted keeps of a foreign record what cannot say anything: numbers, hex, and
// words from short lists.
func trusted(rec *Record) *Record {
	out := &Record{Mode: "full", Base: Base{Reason: "as the record says"}}
	if slices.Contains([]string{"full", "context", "meta"}, rec.Mode) {
		out.Mode = rec.Mode
	}
	if looksLikeSHA.MatchString(rec.Head.Commit) {
		out.Head.Commit = rec.Head.Commit
	}
	if looksLikeSHA.MatchString(rec.Base.Commit) {
		out.Base.Commit = rec.Base.Commit
	}
	known := map[string]bool{}
	for _, r := range []string{"credentials", "binary", "size_limit", "pattern_match", "gitignored", "low_value", "special", "link_outside",
		"submodule", "unreadable", "reserved", "dependency_dir", "build_output", "cache", "not_selected", "over_budget"} {
		known[r] = true
	}
	for _, f := range rec.Files {
		row := Row{Included: f.Included, SizeBytes: max(f.SizeBytes, 0), Reason: f.Reason, Redactions: f.Redactions}
		if !known[f.Reason] {
			row.Reason = "other"
		}
		out.Files = append(out.Files, row)
	}
	for _, o := range rec.Outputs {
		if slices.Contains(outputNames, o.Name) && looksLikeSHA256.MatchString(o.SHA256) {
			out.Outputs = append(out.Outputs, Output{Name: o.Name, SHA256: o.SHA256, SizeBytes: max(o.SizeBytes, 0), Members: o.Members})
		}
	}
	return out
}

// pullOfRun finds the pull request that the event is about, by the API where
// the event does not say.
func (c *Command) pullOfRun(ctx context.Context, in *Inputs) (int, error) {
	event, _ := c.event()
	if event.Number > 0 {
		return event.Number, nil
	}
	if event.RunHead == "" {
		return 0, errors.New("finding the pull request: the event is about no run and no pull request (use on: workflow_run)")
	}
	client, err := c.forge(in)
	if err != nil {
		return 0, fmt.Errorf("finding the pull request: %w", err)
	}
	p, err := client.PullOf(ctx, event.RunHead, c.runBranch())
	if err != nil {
		return 0, err
	}
	return p.Number, nil
}

// runBranch is "owner:branch" of the run that a workflow_run event is about.
func (c *Command) runBranch() string {
	f, err := os.Open(c.Getenv("GITHUB_EVENT_PATH"))
	if err != nil {
		return ""
	}
	defer f.Close()
	var p struct {
		WorkflowRun struct {
			HeadBranch     string `json:"head_branch"`
			HeadRepository struct {
				Owner struct {
					Login string `json:"login"`
				} `json:"owner"`
			} `json:"head_repository"`
		} `json:"workflow_run"`
	}
	if json.NewDecoder(io.LimitReader(f, diff.MaxPayload)).Decode(&p) != nil || p.WorkflowRun.HeadBranch == "" {
		return ""
	}
	return p.WorkflowRun.HeadRepository.Owner.Login + ":" + p.WorkflowRun.HeadBranch
}

// wantsPicture reports whether the comment needs the graph.
func (r *run) wantsPicture() bool {
	if r.deps != nil || r.in.Graph == "off" || r.in.Comment == "never" || !inWorkflow(r.c.Getenv) {
		return false
	}
	if event, _ := r.c.event(); event.Number == 0 {
		return false
	}
	return slices.ContainsFunc(r.changes, func(c diff.Change) bool { return typescript.Analyses(c.Path) })
}
