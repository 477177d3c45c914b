package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// few joins the first rules of a reason.
func few(rules []string, n int) string {
	if len(rules) <= n {
		return strings.Join(rules, ", ")
	}
	return strings.Join(rules[:n], ", ") + ", …"
}

// AllAccepted is the first line where nothing is screened any more.
const AllAccepted = "Every finding is accepted, in every file: .haversackallow says all."

// TokensText says how many tokens a text is: counted, where they were, else about as many
// as its bytes make.
func TokensText(counted int, estimated int64) string {
	if counted > 0 {
		return fmt.Sprintf("%d tokens", counted)
	}
	return fmt.Sprintf("about %d tokens", estimated)
}

// Headline is the first line of what a person reads after a run. counted are the tokens of
// the members, 0 where they were not counted.
func Headline(h record.Head, mode job.Mode, f record.Figures, counted int) string {
	what := h.Kind
	if h.Commit != "" {
		what += " at " + snapshot.Short(h.Commit)
	}
	return fmt.Sprintf("Packed the %s: %s, %s, %s (mode %s).", what, claim.Count(f.Included, "file"), job.BytesText(f.Bytes), TokensText(counted, record.EstimateTokens(f.Bytes)), mode)
}

// Summary is what a person reads after a run. shown is the output folder.
func Summary(rec *record.Record, shown string, hasBase bool, p *plan.Plan) string {
	f := record.Count(rec.Files)
	var b strings.Builder
	if rec.AllAccepted {
		b.WriteString(AllAccepted + "\n")
	}
	b.WriteString(Headline(rec.Head, rec.Mode, f, p.CountTokens()) + "\n")
	if rec.Base.Commit != "" {
		fmt.Fprintf(&b, "Base %s: %s.\n", snapshot.Short(rec.Base.Commit), rec.Base.Reason)
	} else {
		fmt.Fprintf(&b, "Base: %s.\n", rec.Base.Reason)
	}
	if hasBase {
		fmt.Fprintf(&b, "Changed: %s.\n", changeCounts(p.Changes))
	}
	switch {
	case p.State == "" || p.Mode != job.ModeContext:
	case p.Ranked():
		fmt.Fprintf(&b, "Selected by %s first, then by the rank of the change.\n", p.State)
	case hasBase && len(p.Changes) > 0:
		fmt.Fprintf(&b, "Selected by %s alone; fill: rank adds what the change needs.\n", p.State)
	}
	if len(p.Fresh) > 0 {
		fmt.Fprintf(&b, "New to the reader besides: %s.\n", freshCounts(p.Fresh))
	}
	if text := languagesText(rec); text != "" {
		b.WriteString(text + "\n")
	}
	if f.Redacted > 0 {
		fmt.Fprintf(&b, "Credentials redacted or left out: %d (see record.json for rule and line).\n", f.Redacted)
	}
	b.WriteString("\n")
	width := len("record.json")
	for _, o := range rec.Outputs {
		width = max(width, len(o.Name))
	}
	for _, o := range rec.Outputs {
		what := fmt.Sprintf("%6d members", len(o.Members))
		if slices.Contains(record.PromptNames(), o.Name) {
			what = fmt.Sprintf("%14s", "for a model")
		} else if len(o.Members) == 0 && rec.ContextPackInfo == nil {
			what = fmt.Sprintf("%14s", "change pack")
		} else if len(o.Members) == 0 {
			what = fmt.Sprintf("%14s", packKind(o.Name, rec.ContextPackInfo)+" pack")
		}
		fmt.Fprintf(&b, "  %s/%-*s  %10s  %s  sha256 %s\n", shown, width, o.Name, job.BytesText(o.SizeBytes), what, snapshot.Short(o.SHA256))
	}
	fmt.Fprintf(&b, "  %s/%-*s  what left, what did not, and why\n", shown, width, "record.json")
	return b.String()
}

// packKind is the kind of a pack: where there are two their names tell it.
func packKind(name string, info *pack.Info) string {
	switch {
	case strings.HasPrefix(name, "pack.full."):
		return string(pack.TypeFull)
	case strings.HasPrefix(name, "pack.summary."):
		return string(pack.TypeSummary)
	}
	return string(info.Type)
}

// languagesText says in a line which languages there are, those of most files first; and of which no graph is known, so that
// where files are ranked path and text take its place.
func languagesText(rec *record.Record) string {
	list := slices.Clone(rec.Languages)
	slices.SortStableFunc(list, func(a, b record.LanguageFiles) int { return cmp.Compare(b.Files, a.Files) })
	var known, unknown []string
	for _, l := range list {
		if l.Graph {
			known = append(known, fmt.Sprintf("%s %d", l.Name, l.Files))
		} else {
			unknown = append(unknown, fmt.Sprintf("%s %d", l.Name, l.Files))
		}
	}
	first := func(list []string) string {
		if len(list) > mostLanguages {
			list = append(list[:mostLanguages], fmt.Sprintf("%d more languages", len(list)-mostLanguages))
		}
		return strings.Join(list, ", ")
	}
	none := "no graph of "
	if rec.Mode != "full" {
		none = "ranked by path and text, with no graph: "
	}
	switch {
	case len(list) == 0:
		return ""
	case len(unknown) == 0:
		return "Files by language: " + first(known) + "."
	case len(known) == 0:
		return "Files by language, " + none + first(unknown) + "."
	}
	return "Files by language: " + first(known) + "; " + none + first(unknown) + "."
}

// mostLanguages is how many are named of those with a graph, and of those without.
const mostLanguages = 8

// LeftOutText says what was left out and why, under a heading.
func LeftOutText(rec *record.Record) (heading, lines string) {
	var b strings.Builder
	total := 0
	for _, c := range record.CountOmissions(rec) {
		total += c.Count
		fmt.Fprintf(&b, "  %6d  %-14s  %s\n", c.Count, c.Reason, ruleLines(c.Rules, 4))
	}
	if total == 0 {
		return "", ""
	}
	return fmt.Sprintf("Left out (%d)", total), b.String()
}

// ruleLines are the first n of the rules behind a reason: in one line where that is short, else each in one of its own.
func ruleLines(rules []string, n int) string {
	if line := job.OneLine(few(rules, n)); len(line) <= shortRules {
		return line
	}
	var lines []string
	for _, rule := range rules[:min(n, len(rules))] {
		lines = append(lines, job.OneLine(rule))
	}
	if len(rules) > n {
		lines = append(lines, "…")
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", ruleColumn))
}

const (
	// shortRules is how many bytes of rules stand in one line.
	shortRules = 80
	// ruleColumn is how far they are indented in lines of their own: by the width of count and reason.
	ruleColumn = 26
)

// freshCounts says what the diff archive holds that did not change.
func freshCounts(fresh []plan.FreshMember) string {
	files := 0
	var parts []string
	for _, f := range fresh {
		if f.Why == "selected" {
			files++
		} else {
			parts = append(parts, "the "+f.Why)
		}
	}
	slices.Sort(parts)
	if files > 0 {
		parts = append([]string{fmt.Sprintf("%d selected", files)}, parts...)
	}
	return strings.Join(parts, ", ")
}

// changeCounts says how much changed, by kind.
func changeCounts(changes []diff.Change) string {
	if len(changes) == 0 {
		return "nothing"
	}
	counts := map[string]int{}
	for _, c := range changes {
		counts[string(c.Status)]++
	}
	var parts []string
	for _, k := range []struct{ letter, word string }{{"A", "added"}, {"M", "modified"}, {"D", "deleted"}, {"R", "renamed"}, {"T", "of another type"}} {
		if n := counts[k.letter]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, k.word))
		}
	}
	return strings.Join(parts, ", ")
}
