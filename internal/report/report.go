package report

import (
	"bytes"
	"fmt"
	"html"
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
	MaxCommentRows = 10
	maxSummaryRows = 1000
	maxNamed       = 5   // files named in the sentence
	maxShownName   = 120 // characters of a name
)

// Report is what the comment and the step summary say of a run. It holds
// counts, tables and names, never the content of a file.
type Report struct {
	record.Tally
	rec   *record.Record      // of this run; nil for one that was made elsewhere
	clean func(string) string // screens names; nil = they are
	// weight is the change, file by file; nil without a base, and of a record that
	// was made elsewhere.
	weight *Weight
	Stan   string
	Links  Links
}

// Links are where the change can be seen: addresses of a commit's files, "" where
// there are none, and the run whose artifact it is.
type Links struct{ Head, Base, Run, Repository string }

// NewReport gathers what a run has to tell.
func NewReport(stan string, rec *record.Record, s *snapshot.Contents, m *Weight, l Links) *Report {
	return &Report{Tally: record.NewTally(rec), rec: rec, clean: s.Screener.Clean, weight: m, Stan: stan, Links: l}
}

// Empty reports whether the change is none, so that there is nothing to say of it.
func (p *Report) Empty() bool { return p.Change != nil && p.Change.Files == 0 }

// Markdown writes the report: as a comment for those who review the change, or fuller
// as the step summary.
func (p *Report) Markdown(full bool, up artifact.Result) string {
	var b strings.Builder
	if p.rec != nil && p.rec.AllAccepted {
		b.WriteString("**" + forge.Text(AllAccepted) + "**\n\n")
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
func (p *Report) sentence() string {
	c := p.Change
	if c == nil {
		return fmt.Sprintf("Packed %s; there is no base, so no change is told.", Files(p.Included, ""))
	}
	if c.Files == 0 {
		return "Nothing changed" + p.against() + "."
	}
	s := fmt.Sprintf("%s changed (+%d −%d)", Files(c.Files, ""), c.Added, c.Removed)
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
func (p *Report) against() string {
	if p.BaseCommit == "" {
		return ""
	}
	return fmt.Sprintf(" against `%s`", snapshot.Short(p.BaseCommit))
}

// Files counts them.
func Files(n int, kind string) string {
	if n == 1 {
		return "1 " + kind + "file"
	}
	return fmt.Sprintf("%d %sfiles", n, kind)
}

// plainWord needs no quotes in a shell.
var plainWord = lazyregexp.New(`^[A-Za-z0-9._/-]+$`)

// writeArtifact says where the results are, and how they are had.
func (p *Report) writeArtifact(b *strings.Builder, up artifact.Result) {
	if up.URL != "" {
		size := ""
		if up.Size > 0 {
			size = " (" + job.BytesText(up.Size) + ")"
		}
		fmt.Fprintf(b, "Context for an assistant: [%s](%s)%s, or\n\n", forge.Text(up.Name), up.URL, size)
	}
	if up.Name == "" || p.Links.Run == "" || !snapshot.OwnerAndName.MatchString(p.Links.Repository) {
		return
	}
	name := up.Name
	if !plainWord.MatchString(name) {
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	command := "gh run download " + p.Links.Run + " --repo " + p.Links.Repository
	if p.rec != nil {
		command += " --name " + text.Visible(name)
	}
	b.WriteString(forge.Fence("sh", command) + "\n")
}

// writeRows lists the changed files, the weightiest first, each linked to where it can
// be seen.
func (p *Report) writeRows(b *strings.Builder, full bool) {
	m, most := p.weight, MaxCommentRows
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
		at := p.Links.Head
		if c.Status == diff.Deleted {
			at = p.Links.Base
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
		fmt.Fprintf(b, "\n… and %s of less weight (lines changed × files that stand on them).\n", Files(n, ""))
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
func (p *Report) writePacked(b *strings.Builder, full bool) {
	b.WriteString("<details><summary>What was packed, and what was left out</summary>\n\n")
	fmt.Fprintf(b, "%s, %s, mode %s", Files(p.Included, ""), job.BytesText(p.Bytes), forge.Text(string(p.Mode)))
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
func (p *Report) shown(name string) string {
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
func (p *Report) picture() string {
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

// Talk writes the comment or the step summary, screened, through the gate.
func (p *Report) Talk(g *plan.Gate, channel string, up artifact.Result) (string, error) {
	return Speak(g, channel, readable(g.Screener, g.Screener.Clean(p.Markdown(channel == "summary", up))))
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

// Speak passes what is to be said through the gate, as it is written and as it reads
// when it is shown.
func Speak(g *plan.Gate, channel, body string) (string, error) {
	for _, text := range []string{body, html.UnescapeString(body)} {
		if err := g.Document(channel, []byte(text)); err != nil {
			return "", err
		}
	}
	return body, nil
}
