package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// stretch is a piece of a document: its text as written, with its heading, and the lines of a file that it shows.
type stretch struct {
	kind, path string
	from, to   int
	text       strings.Builder
}

// pieces parts a document into its kinds: head, patch, the changed files' stretches and outlines, and those of others by what they are.
func (w *written) pieces() (list []*stretch) {
	chapter, name, fence := "head", "", ""
	cur := &stretch{kind: "head"}
	list = append(list, cur)
	begin := func(kind string) {
		cur = &stretch{kind: kind, path: name}
		list = append(list, cur)
	}
	for line := range strings.SplitSeq(strings.Join(w.texts, "\n"), "\n") {
		switch m := fenceBegin.FindStringSubmatch(line); {
		case fence != "":
			if line == fence {
				fence = ""
			}
		case strings.HasPrefix(line, "## "):
			name = ""
			switch {
			case strings.HasPrefix(line, "## The changed files"):
				chapter = "changed"
			case strings.HasPrefix(line, "## What else the change needs"):
				chapter = "needed"
			default:
				chapter = "head"
			}
			begin(chapter)
		case chapter != "head" && sectionHead.MatchString(line):
			name = sectionHead.FindStringSubmatch(line)[2]
			begin(chapter)
			cur.from, cur.to = 1, 1<<30
		case lineRange.MatchString(line) && name != "":
			if cur.to < 1<<30 {
				begin(chapter)
			}
			m := lineRange.FindStringSubmatch(line)
			cur.from, _ = strconv.Atoi(m[1])
			cur.to, _ = strconv.Atoi(cmp.Or(m[2], m[1]))
		case strings.HasPrefix(line, "what else it defines"):
			begin("outline")
		case m != nil:
			if fence = m[1]; chapter == "head" && line == fence+"diff" {
				begin("patch")
			}
		case chapter == "head" && cur.kind == "patch":
			begin("head")
		}
		cur.text.WriteString(line + "\n")
	}
	return list
}

// kindOf is the kind of a piece in more words: of a changed file whether the patch shows all of it, of another what it is.
func (w *written) kindOf(s *stretch) string {
	what := "data"
	switch {
	case language.IsTest(s.path):
		what = "test"
	case language.Is(s.path, language.Code), language.Is(s.path, language.Markup):
		what = "code"
	case language.Is(s.path, language.Prose):
		what = "prose"
	}
	switch s.kind {
	case "changed":
		touched, seen := false, true
		for n := s.from; n <= min(s.to, s.from+10_000) && s.to < 1<<30; n++ {
			in := slices.ContainsFunc(w.patched[s.path], func(r [2]int) bool { return r[0] <= n && n <= r[1] })
			touched, seen = touched || in, seen && in
		}
		switch {
		case s.to == 1<<30:
			return "changed whole " + what
		case seen:
			return "changed in patch " + what
		case touched:
			return "changed around " + what
		}
		return "changed rest " + what
	case "needed":
		if s.to == 1<<30 {
			return "whole " + what
		}
		return "blocks " + what
	}
	return s.kind
}

// paid is what a document spends on the change: its head, the patch, and the changed files.
func (t *regionTrial) paid(w *written, counter *tokens.Counter) (n int) {
	for _, s := range w.pieces() {
		if s.kind != "needed" {
			n += counter.Count([]byte(s.text.String()))
		}
	}
	return n
}

// spending is what documents spend by kind, and how many places they hold of it.
type spending map[string]*[3]float64 // tokens, pieces, places

func (t *regionTrial) spend(into spending, w *written, counter *tokens.Counter) {
	share := 1 / float64(max(1, len(t.hunks)))
	for _, s := range w.pieces() {
		kind := w.kindOf(s)
		if into[kind] == nil {
			into[kind] = new([3]float64)
		}
		into[kind][0] += float64(counter.Count([]byte(s.text.String())))
		into[kind][1]++
		for _, h := range t.hunks {
			if s.path == h.path && s.from <= h.from && h.from <= s.to {
				into[kind][2] += share
			}
		}
	}
}

func (s spending) print(out io.Writer, name string, cases int) {
	for _, kind := range slices.SortedFunc(maps.Keys(s), func(a, b string) int { return cmp.Or(cmp.Compare(s[b][0], s[a][0]), cmp.Compare(a, b)) }) {
		one := s[kind]
		fmt.Fprintf(out, "  spent %-14s %-24s %7.0f tokens %5.1f pieces %.3f places, %.3f per 1,000\n", name, kind, one[0]/float64(cases), one[1]/float64(cases), one[2]/float64(cases), 1000*one[2]/max(1, one[0]))
	}
}
