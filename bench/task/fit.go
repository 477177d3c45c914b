package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/haversack-dev/haversack/internal/rank"
)

// fitAll makes the weights again: those of all issues, and for each repository those of all others, by which its own are judged.
func fitAll(out io.Writer, names []string, issues []*issue, list bool) {
	for _, one := range issues {
		one.shorten()
	}
	w := fit(issues, nil)
	var places []int
	for _, one := range issues {
		places = append(places, one.place(one.scores(w)))
	}
	fmt.Fprintf(out, "%-28s fitted: %s\n", "all", accuracy(places))
	if list {
		for i, one := range issues {
			one.explain(out, w, places[i])
		}
	}
	w = fit(issues, w)
	sum := 0.
	for _, x := range w {
		sum += max(0, x)
	}
	for s, x := range w {
		fmt.Fprintf(out, "\t%s: %.0f\n", rank.TaskSignal(s), 3000*x/sum)
	}
	var left, commits []int
	for _, name := range names {
		var own, others []*issue
		for _, one := range issues {
			if one.repository == name {
				own = append(own, one)
			} else {
				others = append(others, one)
			}
		}
		if len(own) == 0 || len(others) == 0 {
			continue
		}
		w := fit(others, nil)
		var those []int
		for _, one := range own {
			those = append(those, one.place(one.scores(w)))
		}
		fmt.Fprintf(out, "%-28s left out: %s\n", name, accuracy(those))
		if strings.Contains(own[0].id, "@") {
			commits = append(commits, those...)
		} else {
			left = append(left, those...)
		}
	}
	fmt.Fprintf(out, "%-28s left out: %s\n%-28s left out: %s\n", "issues", accuracy(left), "commits", accuracy(commits))
}

// maxFitted is how many of the first files of an issue are fitted on, beside those that are to be found.
const maxFitted = 300

// shorten leaves the first files of an issue, which are all that its chances tell apart.
func (one *issue) shorten() {
	var list []candidate
	n := 0
	for _, c := range one.candidates {
		if !c.beside {
			n++
		}
		if n <= maxFitted || c.gold {
			list = append(list, c)
		}
	}
	one.candidates = list
}

func (one *issue) scores(w []float64) []float64 {
	list := make([]float64, len(one.candidates))
	for i, c := range one.candidates {
		for s, x := range c.signals {
			list[i] += w[s] * x
		}
	}
	return list
}

// How the weights are fitted.
const (
	rounds = 200
	step   = .15
	ridge  = .002
)

// fit returns the weights that make the gold files most likely where the chance of a candidate is as e to its score; none is
// negative. Given those, it returns them with what speaks against tests, documents and asides, beside which all files stand. The way
// there is Adam's.
func fit(issues []*issue, given []float64) []float64 {
	n := len(issues[0].candidates[0].signals)
	w, m, v, g := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for s := range w {
		w[s] = 1
	}
	if given != nil {
		copy(w, given)
	}
	for round := 1; round <= rounds; round++ {
		clear(g)
		for _, one := range issues {
			one.gradient(w, g, given != nil)
		}
		for s := range w {
			against := rank.TaskSignal(s) >= rank.TaskTest
			if (given != nil) != against && rank.TaskSignal(s) != rank.TaskAside {
				if against {
					w[s] = 0
				}
				continue
			}
			d := g[s]/float64(len(issues)) - ridge*w[s]
			m[s] = .9*m[s] + .1*d
			v[s] = .99*v[s] + .01*d*d
			w[s] += step * (m[s] / (1 - math.Pow(.9, float64(round)))) / (math.Sqrt(v[s]/(1-math.Pow(.99, float64(round)))) + 1e-8)
			if !against {
				w[s] = max(0, w[s])
			}
		}
	}
	return w
}

// gradient adds the gradient of the logarithm of the gold files' chances, among all files or the candidates alone.
func (one *issue) gradient(w, g []float64, all bool) {
	scores := make([]float64, len(one.candidates))
	most := math.Inf(-1)
	for i, c := range one.candidates {
		if c.beside && !all {
			continue
		}
		for s, x := range c.signals {
			scores[i] += w[s] * x
		}
		most = max(most, scores[i])
	}
	sum, gold := 0., 0
	for i := range scores {
		if one.candidates[i].beside && !all {
			scores[i] = 0
			continue
		}
		scores[i] = math.Exp(scores[i] - most)
		sum += scores[i]
		if one.candidates[i].gold {
			gold++
		}
	}
	for i, c := range one.candidates {
		share := -scores[i] / sum
		if c.gold {
			share += 1 / float64(gold)
		}
		if share == 0 || gold == 0 {
			continue
		}
		for s, x := range c.signals {
			g[s] += share * x
		}
	}
}

// explain prints what speaks for an issue's files, and for those that stand before them.
func (one *issue) explain(out io.Writer, w []float64, place int) {
	fmt.Fprintf(out, "%s at %d\n", one.id, place)
	if place <= 5 {
		return
	}
	scores := one.scores(w)
	for i, c := range one.candidates {
		above := 0
		for k, s := range scores {
			if s > scores[i] && !one.candidates[k].beside {
				above++
			}
		}
		if above < 3 && !c.beside || c.gold {
			fmt.Fprintf(out, "\t%d %s %.2f:", above+1, c.path, scores[i])
			for s, x := range c.signals {
				if w[s]*x > .05 {
					fmt.Fprintf(out, " %s %.2f", rank.TaskSignal(s), w[s]*x)
				}
			}
			fmt.Fprintln(out)
		}
	}
}
