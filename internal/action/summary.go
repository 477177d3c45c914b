package action

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// reasonCount is one line of the summary's table of omissions.
type reasonCount struct {
	reason string
	count  int
	rules  []string // the most frequent first
}

// omissions counts what was left out, the most frequent reason first.
func omissions(rec *Record) []reasonCount {
	byReason := map[string]*reasonCount{}
	rules := map[string]map[string]int{}
	for _, f := range rec.Files {
		if f.Included {
			continue
		}
		c := byReason[f.Reason]
		if c == nil {
			c = &reasonCount{reason: f.Reason}
			byReason[f.Reason], rules[f.Reason] = c, map[string]int{}
		}
		c.count++
		rules[f.Reason][f.Rule]++
	}
	var list []reasonCount
	for reason, c := range byReason {
		for rule := range rules[reason] {
			c.rules = append(c.rules, rule)
		}
		slices.SortFunc(c.rules, func(a, b string) int {
			if d := rules[reason][b] - rules[reason][a]; d != 0 {
				return d
			}
			return strings.Compare(a, b)
		})
		list = append(list, *c)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].count != list[j].count {
			return list[i].count > list[j].count
		}
		return list[i].reason < list[j].reason
	})
	return list
}

// figures are the numbers that summary, outputs and comment share.
type figures struct {
	included, omitted, redacted int
	bytes                       int64
}

func (rec *Record) figures() figures {
	var f figures
	for _, row := range rec.Files {
		if row.Included {
			f.included++
			f.bytes += row.SizeBytes
		} else {
			f.omitted++
		}
		f.redacted += len(row.Redactions)
	}
	return f
}

func tokens(bytes int64) int64 { return (bytes + 3) / 4 }

// few joins the first rules of a reason.
func few(rules []string, n int) string {
	if len(rules) <= n {
		return strings.Join(rules, ", ")
	}
	return strings.Join(rules[:n], ", ") + ", …"
}

// summary is what a person reads after a run.
func (r *run) summary() string {
	rec, f := r.record, r.record.figures()
	var b strings.Builder
	what := rec.Head.Kind
	if rec.Head.Commit != "" {
		what += " at " + short(rec.Head.Commit)
	}
	fmt.Fprintf(&b, "Packed the %s: %d files, %s, about %d tokens (mode %s).\n", what, f.included, bytesText(f.bytes), tokens(f.bytes), rec.Mode)
	if rec.Base.Commit != "" {
		fmt.Fprintf(&b, "Base %s: %s.\n", short(rec.Base.Commit), rec.Base.Reason)
	} else {
		fmt.Fprintf(&b, "Base: %s.\n", rec.Base.Reason)
	}
	if !r.base.none {
		fmt.Fprintf(&b, "Changed: %s.\n", r.changeCounts())
	}
	if f.redacted > 0 {
		fmt.Fprintf(&b, "Credentials redacted or left out: %d (see record.json for rule and line).\n", f.redacted)
	}
	b.WriteString("\n")
	width := len("record.json")
	for _, o := range rec.Outputs {
		width = max(width, len(o.Name))
	}
	for _, o := range rec.Outputs {
		what := fmt.Sprintf("%6d members", len(o.Members))
		if len(o.Members) == 0 && rec.ContextPackInfo != nil {
			kind := string(rec.ContextPackInfo.Type)
			if strings.HasPrefix(o.Name, "pack.full.") {
				kind = "full"
			}
			what = fmt.Sprintf("%14s", kind+" pack")
		}
		fmt.Fprintf(&b, "  %s/%-*s  %10s  %s  sha256 %s\n", r.outPath, width, o.Name, bytesText(o.SizeBytes), what, short(o.SHA256))
	}
	fmt.Fprintf(&b, "  %s/%-*s  what left, what did not, and why\n", r.outPath, width, "record.json")
	return b.String()
}

// leftOut says what was left out and why, under a heading.
func (r *run) leftOut() (heading, lines string) {
	var b strings.Builder
	total := 0
	for _, c := range omissions(r.record) {
		total += c.count
		fmt.Fprintf(&b, "  %6d  %-14s  %s\n", c.count, c.reason, oneLine(few(c.rules, 4)))
	}
	if total == 0 {
		return "", ""
	}
	return fmt.Sprintf("Left out (%d)", total), b.String()
}

// changeCounts says how much changed, by kind.
func (r *run) changeCounts() string {
	if len(r.changes) == 0 {
		return "nothing"
	}
	counts := map[string]int{}
	for _, c := range r.changes {
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
