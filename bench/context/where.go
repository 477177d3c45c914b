package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/rank"
)

// lacking says of places that documents lack where they stand in the order of blocks: shares of each case's places, by what is said.
type lacking map[string]float64

// What a block costs beside its text, and its file's heading with its reasons, in tokens, about.
const (
	besideBlock = 14
	besideFile  = 35
)

// reaches are, for each block of what is not changed, the tokens at which it would be taken, if blocks were taken by their worth alone.
func (t *regionTrial) reaches() map[string][]int {
	type one struct {
		path  string
		block int
		worth int64
		size  int
	}
	var all []one
	at := map[string][]int{}
	for i := range t.sources {
		s := &t.sources[i]
		if s.Changed {
			continue
		}
		passages := s.Passages()
		at[s.Path] = make([]int, len(passages))
		for b := range passages {
			need := s.Need
			if b < len(s.Needs) {
				need = s.Needs[b]
			}
			size := len(passages[b].Text) / brief.BytesOfToken
			all = append(all, one{s.Path, b, need - 700*rank.Log(20+size)/1000, size + besideBlock})
		}
	}
	slices.SortStableFunc(all, func(a, b one) int { return cmp.Compare(b.worth, a.worth) })
	sum, begun := 0, map[string]bool{}
	for _, c := range all {
		if sum += c.size; !begun[c.path] {
			begun[c.path] = true
			sum += besideFile
		}
		at[c.path][c.block] = sum
	}
	return at
}

// lack adds what a document lacks to what is known of others.
func (t *regionTrial) lack(into lacking, w *written, budget int) {
	at := t.reaches()
	sources := map[string]*brief.Source{}
	for i := range t.sources {
		sources[t.sources[i].Path] = &t.sources[i]
	}
	for _, h := range t.hunks {
		one := *t
		one.hunks = []hunk{h}
		if one.score(w.of).region > 0 {
			into["there"] += 1 / float64(len(t.hunks))
			continue
		}
		where := whereLacking(w, h, sources[h.path], at[h.path], budget)
		if sources[h.path] == nil {
			where += t.whyUnjudged(h.path)
		}
		into[where] += 1 / float64(len(t.hunks))
	}
}

// whyUnjudged says why a file is not among those that are judged.
func (t *regionTrial) whyUnjudged(name string) string {
	if t.ranked.Need(name) <= 0 {
		return ": nothing speaks for it"
	}
	at := slices.Index(t.ranked.ByNeed(), name)
	for _, most := range []int{20, 50, 100, 200, 500, 1000} {
		if at >= 0 && at < most {
			return fmt.Sprintf(": of the first %d by need", most)
		}
	}
	return ": beyond those read"
}

// whereLacking says of a place whether the document has anything of its file, whether it imports, and how far down its block stands.
func whereLacking(w *written, h hunk, s *brief.Source, at []int, budget int) string {
	file := map[brief.Level]string{brief.Listed: "no file", brief.InBlocks: "in blocks", brief.Whole: "whole"}[w.level(h.path)]
	if s == nil {
		return file + ", not among the files that are judged"
	}
	reach, imports := 0, true
	for b, block := range s.Blocks() {
		if block.From > h.to || h.from > block.To {
			continue
		}
		if reach == 0 || !h.insertion || at[b] < reach {
			reach = max(at[b], map[bool]int{true: 0, false: reach}[h.insertion])
		}
		imports = imports && b < len(s.Rows) && s.Rows[b].Importing()
	}
	what := map[bool]string{true: "imports", false: "other"}[imports]
	for _, times := range []int{1, 2, 4, 8} {
		if reach <= times*budget {
			return fmt.Sprintf("%s, %s, within %d budgets", file, what, times)
		}
	}
	return file + ", " + what + ", farther"
}

func (l lacking) print(out io.Writer, budget, cases int) {
	for _, k := range slices.SortedFunc(maps.Keys(l), func(a, b string) int { return cmp.Or(cmp.Compare(l[b], l[a]), cmp.Compare(a, b)) }) {
		fmt.Fprintf(out, "  places %d %-50s %.3f\n", budget, k, l[k]/float64(cases))
	}
}
