package record

import (
	"slices"
	"sort"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
)

// ReasonCount is one line of the summary's table of omissions.
type ReasonCount struct {
	Reason string
	Count  int
	Rules  []string // the most frequent first
}

// CountOmissions counts what was left out, the most frequent reason first. What is reserved
// is git's or the engine's own, and nobody's loss.
func CountOmissions(rec *Record) []ReasonCount {
	byReason := map[string]*ReasonCount{}
	rules := map[string]map[string]int{}
	for _, f := range rec.Files {
		if f.Included || f.Reason == string(scan.Reserved) {
			continue
		}
		c := byReason[f.Reason]
		if c == nil {
			c = &ReasonCount{Reason: f.Reason}
			byReason[f.Reason], rules[f.Reason] = c, map[string]int{}
		}
		c.Count++
		rules[f.Reason][f.Rule]++
	}
	var list []ReasonCount
	for reason, c := range byReason {
		for rule := range rules[reason] {
			c.Rules = append(c.Rules, rule)
		}
		slices.SortFunc(c.Rules, func(a, b string) int {
			if d := rules[reason][b] - rules[reason][a]; d != 0 {
				return d
			}
			return strings.Compare(a, b)
		})
		list = append(list, *c)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Count != list[j].Count {
			return list[i].Count > list[j].Count
		}
		return list[i].Reason < list[j].Reason
	})
	return list
}

// Figures are the numbers that summary, outputs and comment share.
type Figures struct {
	Included, Omitted, Redacted int
	Bytes                       int64 // of the files that are included
}

// Count sums up a record's rows.
func Count(rows []Row) Figures {
	var f Figures
	for _, row := range rows {
		if row.Included {
			f.Included++
			f.Bytes += row.SizeBytes
		} else if row.Reason != string(scan.Reserved) {
			f.Omitted++
		}
		f.Redacted += len(row.Redactions)
	}
	return f
}

// EstimateTokens is about how many tokens bytes are: four make one.
func EstimateTokens(bytes int64) int64 { return (bytes + 3) / 4 }
