package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// Bounds of what is shown.
const (
	maxCommentRows = 10
	maxSummaryRows = 1000
	maxNamed       = 5   // files named in the sentence
	maxShownName   = 120 // characters of a name
)

// report is what the comment and the step summary say of a run. It holds
// counts, tables and names, never the content of a file.
type report struct {
	record.Tally
	rec   *record.Record      // of this run; nil for one that was made elsewhere
	clean func(string) string // screens names; nil = they are
	// weight is the change, file by file; nil without a base, and of a record that
	// was made elsewhere.
	weight *impact
	stan   string
	links  links
}

// links are where the change can be seen: addresses of a commit's files, "" where
// there are none, and the run whose artifact it is.
type links struct{ head, base, run, repository string }

// newLinks says where the files of head and base can be seen. foreign: another repository
// than the workflow's is packed.
func newLinks(e *job.Setting, h *snapshot.Head, foreign bool, base string) links {
	l := links{run: e.Getenv("GITHUB_RUN_ID"), repository: e.Getenv("GITHUB_REPOSITORY")}
	if !e.Workflow || !snapshot.OwnerAndName.MatchString(l.repository) || foreign || h.Repo == nil {
		return l
	}
	at := h.Commit.SHA
	if p := e.Event.Pull; p != nil && p.HeadSHA != "" {
		at = p.HeadSHA // a test merge is forgotten soon
	}
	blob := e.Server().JoinPath(l.repository, "blob").String() + "/"
	l.head = blob + at + "/"
	if base != "" {
		l.base = blob + base + "/"
	}
	return l
}

// newReport gathers what a run has to tell.
func newReport(stan string, rec *record.Record, s *snapshot.Contents, m *impact, l links) *report {
	return &report{Tally: record.NewTally(rec), rec: rec, clean: s.Screener.Clean, weight: m, stan: stan, links: l}
}

// empty reports whether the change is none, so that there is nothing to say of it.
func (p *report) empty() bool { return p.Change != nil && p.Change.Files == 0 }

// markdown writes the report: as a comment for those who review the change, or fuller
// as the step summary.
func (p *report) markdown(full bool, up artifact.Result) string {
	var b strings.Builder
	if p.rec != nil && p.rec.AllAccepted {
		b.WriteString("**" + forge.Text(allAccepted) + "**\n\n")
	}
	b.WriteString("**" + p.sentence() + "**")
	if p.Redacted > 0 {
		fmt.Fprintf(&b, " Credentials redacted or left out: **%d**.", p.Redacted)
	}
	b.WriteString("\n\n")
	p.writeArtifact(&b, up)
	if p.weight != nil && len(p.weight.rows) > 0 {
		p.writeRows(&b, full)
	}
	if p.weight != nil && len(p.weight.edges) > 0 {
		title := "What the change touches, needs, and is needed by"
		if m := p.weight; m.drawn < m.nodes {
			title += fmt.Sprintf(": the %d weightiest of %d files", m.drawn, m.nodes)
		}
		b.WriteString("<details><summary>" + title + "</summary>\n\n" + p.picture() + "\n</details>\n\n")
	}
	p.writePacked(&b, full)
	if full && p.rec != nil {
		for _, w := range p.rec.Warnings {
			fmt.Fprintf(&b, "> ⚠ %s\n\n", forge.Sentence(w))
		}
	}
	return b.String()
}

// sentence says what the change is, in numbers: how many files, who depends on them,
// what of it no test in the change touches.
func (p *report) sentence() string {
	c := p.Change
	if c == nil {
		return fmt.Sprintf("Packed %s; there is no base, so no change is told.", files(p.Included, ""))
	}
	if c.Files == 0 {
		return "Nothing changed" + p.against() + "."
	}
	s := fmt.Sprintf("%s changed (+%d −%d)", files(c.Files, ""), c.Added, c.Removed)
	s += users(c)
	switch {
	case c.Sources == 0:
		return s + "."
	case c.Untested == 0:
		return s + "; tests in the change touch every changed source."
	case c.Untested == c.Sources && c.Sources > 1:
		return s + "; no test in the change touches any of it."
	case c.Sources == 1 && p.weight == nil:
		return s + "; no test in the change touches the changed source."
	case c.Sources == 1:
		return s + "; no test in the change touches " + forge.Code(p.shown(p.weight.untested[0])) + "."
	}
	s += fmt.Sprintf("; no test in the change touches %d of %d changed sources", c.Untested, c.Sources)
	if p.weight != nil {
		for i, name := range p.weight.untested[:min(len(p.weight.untested), maxNamed)] {
			s += []string{": ", ", "}[min(i, 1)] + forge.Code(p.shown(name))
		}
		if n := len(p.weight.untested) - maxNamed; n > 0 {
			s += fmt.Sprintf(" and %d more", n)
		}
	}
	return s + "."
}

// users says who uses the changed files, as far as it is known: an import that is not read, or not followed, may lead to any.
func users(c *record.Impact) string {
	if c.Sources == 0 && c.Dependents == 0 && c.Unknown == 0 {
		return ""
	}
	them := "them"
	if c.Files == 1 {
		them = "it"
	}
	var s string
	switch {
	case c.Unknown >= c.Files && c.Dependents == 0:
		return "; who uses " + them + " is not known"
	case c.Dependents == 0 && c.Sources == 0:
	case c.Dependents == 0:
		s = "; no import that was read leads to " + them
	case c.Dependents == 1:
		s = "; 1 other file imports " + them
	default:
		s = fmt.Sprintf("; %d other files import %s", c.Dependents, them)
	}
	if c.Unknown > 0 {
		s += fmt.Sprintf("; who uses %d of them is not known", c.Unknown)
	}
	return s
}

// against names the base.
func (p *report) against() string {
	if p.BaseCommit == "" {
		return ""
	}
	return fmt.Sprintf(" against `%s`", snapshot.Short(p.BaseCommit))
}

// files counts them.
func files(n int, kind string) string {
	if n == 1 {
		return "1 " + kind + "file"
	}
	return fmt.Sprintf("%d %sfiles", n, kind)
}

// plainWord needs no quotes in a shell.
var plainWord = lazyregexp.New(`^[A-Za-z0-9._/-]+$`)

// writeArtifact says where the results are, and how they are had.
func (p *report) writeArtifact(b *strings.Builder, up artifact.Result) {
	if up.URL != "" {
		size := ""
		if up.Size > 0 {
			size = " (" + job.BytesText(up.Size) + ")"
		}
		fmt.Fprintf(b, "Context for an assistant: [%s](%s)%s, or\n\n", forge.Text(up.Name), up.URL, size)
	}
	if up.Name == "" || p.links.run == "" || !snapshot.OwnerAndName.MatchString(p.links.repository) {
		return
	}
	name := up.Name
	if !plainWord.MatchString(name) {
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	command := "gh run download " + p.links.run + " --repo " + p.links.repository
	if p.rec != nil {
		command += " --name " + text.Visible(name)
	}
	b.WriteString(forge.Fence("sh", command) + "\n")
}

// writeRows lists the changed files, the weightiest first, each linked to where it can
// be seen.
func (p *report) writeRows(b *strings.Builder, full bool) {
	m, most := p.weight, maxCommentRows
	if full {
		most = maxSummaryRows
	}
	b.WriteString("| file | + | − |")
	if m.read {
		b.WriteString(" imported by |")
	}
	b.WriteString("\n|---|---:|---:|")
	if m.read {
		b.WriteString("---:|")
	}
	b.WriteString("\n")
	for _, r := range m.rows[:min(len(m.rows), most)] {
		c := r.change
		name := forge.Code(p.shown(c.Path))
		at := p.links.head
		if c.Status == diff.Deleted {
			at = p.links.base
		}
		// A name that holds a credential is in no address either.
		if at != "" && (p.clean == nil || p.clean(c.Path) == c.Path) {
			name = "[" + name + "](" + at + escapePath(c.Path) + ")"
		}
		switch c.Status {
		case diff.Deleted:
			name += " deleted"
		case diff.Added:
			name += " new"
		case diff.Renamed:
			name = forge.Code(p.shown(c.OldPath)) + " → " + name
		case diff.Modified, diff.TypeChanged: // the rule, which is not said
		}
		added, removed := "–", "–"
		if r.shown {
			added, removed = strconv.Itoa(r.added), strconv.Itoa(r.removed)
		}
		fmt.Fprintf(b, "| %s | %s | %s |", name, added, removed)
		switch {
		case m.read && r.unknown:
			b.WriteString(" – |")
		case m.read:
			fmt.Fprintf(b, " %d |", r.dependents)
		}
		b.WriteString("\n")
	}
	if n := len(m.rows) - most; n > 0 {
		fmt.Fprintf(b, "\n… and %s of less weight (lines changed × files that stand on them).\n", files(n, ""))
	}
	b.WriteString("\n")
}

// escapePath writes a path as part of an address that Markdown leaves alone.
func escapePath(name string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/"
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte(plain, name[i]) >= 0 {
			b.WriteByte(name[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", name[i])
		}
	}
	return b.String()
}

// writePacked says, folded, what was packed and what was left out.
func (p *report) writePacked(b *strings.Builder, full bool) {
	b.WriteString("<details><summary>What was packed, and what was left out</summary>\n\n")
	fmt.Fprintf(b, "%s, %s, mode %s", files(p.Included, ""), job.BytesText(p.Bytes), forge.Text(string(p.Mode)))
	if p.Head != "" {
		fmt.Fprintf(b, ", commit `%s`", snapshot.Short(p.Head))
	}
	b.WriteString(".")
	if p.rec != nil && p.rec.Budget != nil && p.rec.Budget.LimitTokens > 0 {
		fmt.Fprintf(b, " Budget: %d of %d tokens (%s).", p.rec.Budget.Tokens, p.rec.Budget.LimitTokens, forge.Text(p.rec.Budget.Tokenizer))
	}
	if p.BaseCommit != "" {
		fmt.Fprintf(b, " Base `%s`: %s.", snapshot.Short(p.BaseCommit), forge.Sentence(p.Reason))
	} else {
		fmt.Fprintf(b, " Base: %s.", forge.Sentence(p.Reason))
	}
	b.WriteString("\n\n")
	if full && len(p.Outputs) > 0 {
		b.WriteString("| result | size | members | sha256 |\n|---|---:|---:|---|\n")
		for _, o := range p.Outputs {
			fmt.Fprintf(b, "| %s | %s | %d | `%s` |\n", forge.Code(o.Name), job.BytesText(o.Size), o.Members, o.SHA256)
		}
		b.WriteString("\n")
	}
	if p.Omitted > 0 {
		if full {
			b.WriteString("| left out | reason | rules |\n|---:|---|---|\n")
		} else {
			b.WriteString("| left out | reason |\n|---:|---|\n")
		}
		for _, c := range p.Reasons {
			if full {
				fmt.Fprintf(b, "| %d | %s | %s |\n", c.Count, forge.Text(c.Reason), codes(c.Rules, 8))
			} else {
				fmt.Fprintf(b, "| %d | %s |\n", c.Count, forge.Text(c.Reason))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("</details>\n\n")
}

// codes names the first rules of a reason.
func codes(rules []string, n int) string {
	var list []string
	for _, r := range rules[:min(len(rules), n)] {
		list = append(list, forge.Code(r))
	}
	if len(rules) > n {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// shown is a path as people read it, without the credentials in it: escaped, it
// would hide them from the screen of the whole text. A long one is cut in its middle.
func (p *report) shown(name string) string {
	if p.clean != nil {
		name = p.clean(name)
	}
	name = text.Visible(name)
	if r := []rune(name); len(r) > maxShownName {
		name = string(r[:maxShownName/3]) + "…" + string(r[len(r)-maxShownName*2/3:])
	}
	return name
}

// picture draws the neighbourhood. Nodes have numbers for ids, so that no name
// is read as anything but a label.
func (p *report) picture() string {
	ids, touched := map[string]string{}, map[string]bool{}
	for _, r := range p.weight.rows {
		touched[r.change.Path] = true
	}
	var b strings.Builder
	b.WriteString("graph LR\n")
	node := func(name string) string {
		if id, ok := ids[name]; ok {
			return id
		}
		id := fmt.Sprintf("n%d", len(ids))
		ids[name] = id
		style := ""
		if touched[name] {
			style = ":::changed"
		}
		fmt.Fprintf(&b, "  %s[%s]%s\n", id, forge.Label(p.shown(name)), style)
		return id
	}
	for _, e := range p.weight.edges {
		from, to := node(e.from), node(e.to)
		fmt.Fprintf(&b, "  %s --> %s\n", from, to)
	}
	b.WriteString("  classDef changed stroke-width:3px\n")
	return forge.Fence("mermaid", b.String())
}

// talk writes the comment or the step summary, screened, through the gate.
func (p *report) talk(g *plan.Gate, channel string, up artifact.Result) (string, error) {
	return speak(g, channel, readable(g.Screener, g.Screener.Clean(p.markdown(channel == "summary", up))))
}

// readable returns a clean text without the lines in which something is certain once
// they are shown.
func readable(s *scan.Screener, body string) string {
	if s.Clean(html.UnescapeString(body)) == html.UnescapeString(body) {
		return body
	}
	var b strings.Builder
	for line := range strings.Lines(body) {
		if shown := []byte(html.UnescapeString(line)); !bytes.Equal(s.Strip(shown), shown) {
			line = "[REDACTED]\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// speak passes what is to be said through the gate, as it is written and as it reads
// when it is shown.
func speak(g *plan.Gate, channel, body string) (string, error) {
	for _, text := range []string{body, html.UnescapeString(body)} {
		if err := g.Document(channel, []byte(text)); err != nil {
			return "", err
		}
	}
	return body, nil
}

// comment keeps the pull request's comment current. A refusal is one line of
// the log, unless the input says always.
func comment(ctx context.Context, e *job.Env, in *deliveryOptions, p *report, g *plan.Gate, up artifact.Result) error {
	if in.Comment == job.WhenNever || !e.Workflow {
		return nil
	}
	if e.Event.Number == 0 {
		if in.Comment == job.WhenAlways {
			return errors.New("input comment: always: this run is about no pull request, or what it packs is no view of it")
		}
		return nil
	}
	body, err := p.talk(g, "comment", up)
	if err != nil {
		return err
	}
	return postComment(ctx, e, in, e.Event.Number, body, p.empty())
}

// postComment creates or updates the comment of this job. Where there is nothing to say
// a comment that stands already says so, and none is made.
func postComment(ctx context.Context, e *job.Env, in *deliveryOptions, number int, body string, nothing bool) error {
	client, err := e.Forge(in.Token)
	if err == nil {
		// It stands in the comment, where it cannot be seen.
		key := e.Log.Screener.Clean(strings.Join([]string{e.Getenv("GITHUB_WORKFLOW"), e.Getenv("GITHUB_JOB"), in.CommentKey}, "/"))
		say := client.Upsert
		if nothing {
			say = client.Update
		}
		var done forge.Comment
		if done, err = say(ctx, number, key, body); err == nil {
			if done.Action == "" {
				e.Log.Print("Not commented: nothing changed.\n")
			} else {
				e.Log.Line("Comment %s: %s", done.Action, done.URL)
			}
			return nil
		}
	}
	if in.Comment == job.WhenAlways {
		return err
	}
	e.Log.Line("Not commented: %v", err)
	return nil
}

// commentVerb posts the comment of a record that was made elsewhere: in the
// workflow of a fork's pull request, whose token may not comment. Of the record
// only numbers, hashes and known words are used; which pull request it is about
// is asked of the API. A request that has moved on since, or one that cannot be told
// from another, is left alone, and a line says so.
func commentVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if o.record == "" || len(o.args) > 0 {
		return job.UsageError("comment needs --record FILE")
	}
	name := o.record
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.Workspace(), name)
	}
	t, err := record.ReadTally(name)
	if err != nil {
		return err
	}
	number, err := pullOfRun(ctx, e, in)
	if errors.Is(err, forge.ErrSuperseded) || errors.Is(err, forge.ErrAmbiguous) {
		e.Log.Line("Not commented: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	always := *in
	always.Comment = "always"
	there, up := runOf(e)
	r := &report{Tally: *t, stan: in.Stan, links: there}
	return postComment(ctx, e, newDeliveryOptions(&always, ""), number, r.markdown(false, up), r.empty())
}

// runOf is where the artifacts of the run lie that the event is about.
func runOf(e *job.Env) (links, artifact.Result) {
	repository := e.Getenv("GITHUB_REPOSITORY")
	if e.Event.RunID <= 0 || !snapshot.OwnerAndName.MatchString(repository) {
		return links{}, artifact.Result{}
	}
	run := strconv.FormatInt(e.Event.RunID, 10)
	return links{run: run, repository: repository},
		artifact.Result{Name: "the run's artifacts", URL: e.Server().JoinPath(repository, "actions", "runs", run).String()}
}

// pullOfRun finds the pull request that the event is about: by the API, when the
// event is another run's end, because what the payload lists may have moved on.
func pullOfRun(ctx context.Context, e *job.Env, in *job.Inputs) (int, error) {
	if e.Event.RunHead == "" {
		if e.Event.Number > 0 {
			return e.Event.Number, nil
		}
		return 0, errors.New("finding the pull request: the event is about no run and no pull request (use on: workflow_run)")
	}
	client, err := e.Forge(in.Token)
	if err != nil {
		return 0, fmt.Errorf("finding the pull request: %w", err)
	}
	p, err := client.PullOf(ctx, e.Event.Repository, forge.Origin{Commit: e.Event.RunHead, Branch: e.Event.RunBranch, Repository: e.Event.RunRepository})
	return p.Number, err
}
