package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

// budgets are those of the documents, in tokens.
var budgets = [...]int{8_000, 32_000, 128_000}

// reading is what can be read in one document.
type reading struct {
	// some says that lines of every file that is to be found stand there, all that one that the patch replaces does, of each.
	some, all bool
	// lines is the share of all lines that the patch replaces.
	lines float64
}

var counter = new(tokens.Counter)

// read makes the documents of an issue as the program does, and looks what stands in them.
func (one *issue) read(order *rank.Order, files []tree.File) error {
	byPath := map[string]tree.File{}
	for _, f := range files {
		byPath[f.Path] = f
	}
	sources, err := brief.Needed(order, brief.Budget{}, nil, func(name string, shown bool) (*brief.Source, error) {
		if language.IsLock(name) {
			return nil, nil
		}
		raw, err := byPath[name].Read()
		if err != nil || slices.Contains(raw[:min(len(raw), 8<<10)], 0) {
			return nil, err
		}
		s := &brief.Source{Path: name, Text: strings.ToValidUTF8(string(source.Readable(name, raw)), "\uFFFD")}
		if found, err := provider.Define(name, []byte(s.Text)); err == nil {
			s.Definitions = found
		}
		return s, nil
	})
	if err != nil {
		return err
	}
	for b, budget := range budgets {
		text := one.text[:min(len(one.text), budget/4*brief.BytesOfToken)]
		d := brief.NewDocument(sources, counter, counter.Count([]byte(text))+100, brief.Budget{Tokens: budget, Least: order.NeedAt(brief.LeastChance)})
		r := reading{some: true, all: true}
		all, held := 0, 0
		for p, lines := range one.gold {
			stretches := d.Lines(p)
			r.some = r.some && len(stretches) > 0
			hit := false
			for _, n := range lines {
				all++
				if slices.ContainsFunc(stretches, func(s [2]int) bool { return s[0] <= n && n <= s[1] }) {
					held++
					hit = true
				}
			}
			r.all = r.all && (hit || len(lines) == 0)
		}
		if all > 0 {
			r.lines = float64(held) / float64(all)
		}
		one.shown[b] = r
	}
	return nil
}

// reportDocuments prints what the documents hold, within each budget.
func reportDocuments(out io.Writer, issues []*issue) {
	fmt.Fprintf(out, "%-28s %-20s %-20s %s\n", "documents of", "some of each file", "a hunk of each file", "lines of hunks")
	for b, budget := range budgets {
		some, all, lines := 0, 0, 0.
		for _, one := range issues {
			if one.shown[b].some {
				some++
			}
			if one.shown[b].all {
				all++
			}
			lines += one.shown[b].lines
		}
		n := float64(max(1, len(issues)))
		fmt.Fprintf(out, "%-28s %-20.3f %-20.3f %.3f\n", fmt.Sprintf("%d tokens", budget), float64(some)/n, float64(all)/n, lines/n)
	}
}
