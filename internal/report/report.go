package report

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/review"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// Bounds of what is shown. A comment has at most 20 rows that are not folded: 7 groups, and what follows.
const (
	maxComment        = 30_000 // bytes of a comment
	maxDefinitionRows = 5
	maxDependencyRows = 4
	maxFoundRows      = 3
	maxFolded         = 50 // rows of a folded list
	maxSummaryRows    = 1000
	maxGroupNames     = 4   // files that a group names
	maxNamed          = 5   // functions, or tests, named in a sentence
	maxShownName      = 120 // characters of a name
	maxNameInTable    = 64  // the same in a table, which a longer one makes wider than a page of 800 pixels
)

// Report is what the comment and the step summary say of a run. Of the content of files it
// holds signatures alone, and of credentials the rule and the place.
type Report struct {
	record.Tally
	rec   *record.Record      // of this run; nil for one that was made elsewhere
	clean func(string) string // screens names; nil = they are
	// review is of the change; nil without a base, and of a record that was made elsewhere.
	review *review.Review
	Stan   string
	Links  Links
}

// Links are where the change can be seen: addresses of a commit's files, "" where
// there are none, and the run whose artifact it is.
type Links struct{ Head, Base, Run, Repository string }

// NewReport gathers what a run has to tell.
func NewReport(stan string, rec *record.Record, s *snapshot.Contents, r *review.Review, l Links) *Report {
	return &Report{Tally: record.NewTally(rec), rec: rec, clean: s.Screener.Clean, review: r, Stan: stan, Links: l}
}

// Empty reports whether the change is none, so that there is nothing to say of it.
func (p *Report) Empty() bool { return p.Change != nil && p.Change.Files == 0 }

// Quiet reports whether a reviewer misses nothing where nothing is said.
func (p *Report) Quiet() bool {
	return p.Change != nil && p.Change.Quiet
}

// WhySilent says why a change needs no comment, "" where it needs one. quiet is what Quiet says, or false where a comment is
// asked for in any case.
func (p *Report) WhySilent(quiet bool) string {
	switch {
	case p.Empty():
		return "nothing changed"
	case quiet:
		return "nothing in the change needs a reviewer's words (" + p.Change.Kind + " alone; comment: always writes)"
	}
	return ""
}

// Line is the report in one line: what a comment becomes where there is nothing for a reviewer.
func (p *Report) Line(up artifact.Result) string {
	var b strings.Builder
	b.WriteString(p.sentence())
	if r := p.review; r != nil {
		for i, d := range r.Dependencies[:min(len(r.Dependencies), maxNamed)] {
			b.WriteString([]string{" ", ", "}[min(i, 1)] + p.version(d))
		}
		if n := len(r.Dependencies) - maxNamed; n > 0 {
			fmt.Fprintf(&b, " and %d more", n)
		}
		if len(r.Dependencies) > 0 {
			b.WriteString(".")
		}
	}
	if up.URL != "" {
		fmt.Fprintf(&b, " [%s](%s)", forge.Text(up.Name), up.URL)
	}
	return b.String() + "\n"
}

// Markdown writes the report: as a comment for those who review the change, of at most maxComment bytes, or fuller
// as the step summary.
func (p *Report) Markdown(full bool, up artifact.Result) string {
	body := p.markdown(full, up, false)
	if !full && len(body) > maxComment {
		body = forge.Truncate(p.markdown(false, up, true), maxComment)
	}
	return body
}

// markdown writes the report. short: the link stands before what may be cut, and nothing is folded.
func (p *Report) markdown(full bool, up artifact.Result, short bool) string {
	var b strings.Builder
	if p.rec != nil && p.rec.AllAccepted {
		b.WriteString("**" + forge.Text(AllAccepted) + "**\n\n")
	}
	b.WriteString("**" + p.sentence() + "**")
	if full && p.Redacted > 0 {
		fmt.Fprintf(&b, " Credentials redacted or left out in the repository: **%d**.", p.Redacted)
	}
	b.WriteString("\n\n")
	if short {
		p.writeArtifact(&b, up)
	}
	if p.review != nil {
		p.writeFound(&b, full)
		p.writeGroups(&b)
		p.writeDefinitions(&b)
		p.writeReach(&b)
		p.writeDependencies(&b)
	}
	if short {
		return b.String()
	}
	p.writeArtifact(&b, up)
	if p.review != nil {
		p.writePicture(&b)
		if full {
			p.writeRows(&b)
		}
	}
	p.writePacked(&b, full)
	if full && p.rec != nil {
		for _, w := range p.rec.Warnings {
			fmt.Fprintf(&b, "> ⚠ %s\n\n", forge.Sentence(w))
		}
	}
	return b.String()
}

// kindTexts say what a change is, behind its size.
var kindTexts = map[string]string{
	"generated": "programs write all of it", "formatting": "only the layout differs", "dependencies": "other versions of dependencies alone",
	"docs": "documents alone", "tests": "tests alone", "refactoring": "mostly moved", "feature": "exports more than before", "change": "changes what is there",
}

// sentence says what the change is, in numbers: its size and kind, who depends on it, what of it no test reaches.
func (p *Report) sentence() string {
	c := p.Change
	if c == nil {
		return fmt.Sprintf("Packed %s; there is no base, so no change is told.", claim.Count(p.Included, "file"))
	}
	if c.Files == 0 {
		return "Nothing changed" + p.against() + "."
	}
	s := fmt.Sprintf("%s changed (+%d −%d)", claim.Count(c.Files, "file"), c.Added, c.Removed)
	if c.Size != "" {
		s = c.Size + ": " + s
	}
	if kind := kindTexts[c.Kind]; kind != "" {
		s += ", " + kind
	}
	if c.Kind == "docs" || c.Kind == "dependencies" || c.Kind == "generated" || c.Kind == "tests" {
		return s + "."
	}
	s += p.alike() + users(c)
	switch n := c.Functions; {
	case n == 0:
	case c.Unnamed == 0 && n == 1:
		s += "; a test reaches the changed function by name"
	case c.Unnamed == 0:
		s += fmt.Sprintf("; tests reach all %d changed functions by name", n)
	case n == 1:
		s += "; no test reaches the changed function by name"
	default:
		s += fmt.Sprintf("; no test reaches %d of %d changed functions by name", c.Unnamed, n)
	}
	if c.FunctionsUnknown > 0 && c.Functions > 0 {
		s += fmt.Sprintf("; of %d more that is not known", c.FunctionsUnknown)
	}
	return s + "."
}

// alike says of how many of the changed files only the layout or the path differs, where a reader is spared much by it.
func (p *Report) alike() string {
	if p.review == nil {
		return ""
	}
	formatted, moved := p.review.Alike()
	var s string
	if n := len(p.review.Files); n > 3 && formatted*4 >= n {
		s += fmt.Sprintf("; of %d only the layout differs", formatted)
	}
	if n := len(p.review.Files); n > 3 && moved*4 >= n {
		s += fmt.Sprintf("; %d moved", moved)
	}
	return s
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

// plainWord needs no quotes in a shell.
var plainWord = lazyregexp.New(`^[A-Za-z0-9._/-]+$`)

// writeArtifact says where the results are, and how they are had.
func (p *Report) writeArtifact(b *strings.Builder, up artifact.Result) {
	if up.URL != "" {
		size := ""
		if up.Size > 0 {
			size = " (" + job.BytesText(up.Size) + ")"
		}
		if up.Raw != nil && up.Raw.URL != "" {
			size += fmt.Sprintf(", [%s](%s) alone", forge.Text(up.Raw.Name), up.Raw.URL)
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
	fmt.Fprintf(b, "%s, %s, mode %s", claim.Count(p.Included, "file"), job.BytesText(p.Bytes), forge.Text(string(p.Mode)))
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
func (p *Report) shown(name string) string { return p.cut(name, maxShownName) }

// cut is a name of at most so many characters.
func (p *Report) cut(name string, most int) string {
	if p.clean != nil {
		name = p.clean(name)
	}
	name = text.Visible(name)
	if r := []rune(name); len(r) > most {
		name = string(r[:most/3]) + "…" + string(r[len(r)-most*2/3:])
	}
	return name
}

// Talk writes the comment or the step summary, screened, through the gate. brief: the comment is one line.
func (p *Report) Talk(g *plan.Gate, channel string, up artifact.Result, brief bool) (string, error) {
	body := ""
	if brief {
		body = p.Line(up)
	} else {
		body = p.Markdown(channel == "summary", up)
	}
	return Speak(g, channel, readable(g.Screener, g.Screener.Clean(body)))
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
