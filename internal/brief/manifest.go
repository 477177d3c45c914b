package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// manifest is a file that says how a repository is built, run and tested, and the lines of it that say so, by number from 1.
type manifest struct {
	path  string
	lines []string
	steps []int
}

func readManifest(path, text string) *manifest {
	lines := strings.Split(text, "\n")
	return &manifest{path, lines, steps(path, lines)}
}

// fewestSteps are the lines that a manifest is cut to at least: fewer tell nothing that its name does not.
const fewestSteps = 3

// within returns the lines of a manifest that fit into so many tokens: all of them, or the most telling ones; none where too few fit.
func (m *manifest) within(room int, counter *tokens.Counter) []int {
	if _, n := m.section(m.steps, counter); n <= room {
		return m.steps
	}
	byWorth := slices.Clone(m.steps)
	slices.SortStableFunc(byWorth, func(a, b int) int { return cmp.Compare(m.tells(b), m.tells(a)) })
	most := func(n int) []int {
		list := slices.Clone(byWorth[:n])
		slices.Sort(list)
		return list
	}
	n := 0
	for ; n < len(byWorth); n++ {
		if _, cost := m.section(most(n+1), counter); cost > room {
			break
		}
	}
	if n < fewestSteps {
		return nil
	}
	return most(n)
}

// tellingWords are words of lines that say how a program is built, run, tested, called and divided.
var tellingWords = language.WordSet("test tests build run start check lint install dev serve main bin name module modules scripts entrypoint workspaces members all")

// tells is how much a line says of how the program is built, run and tested: more where it names it, less where the one above does.
func (m *manifest) tells(line int) int {
	names := func(line int) bool {
		return line > 0 && slices.ContainsFunc(language.Words(m.lines[line-1]), func(word string) bool { return tellingWords[word] })
	}
	switch {
	case names(line):
		return 2
	case names(line - 1):
		return 1
	}
	return 0
}

// section writes lines of a manifest with their numbers, and how many are passed over between and behind them, and what it costs.
func (m *manifest) section(list []int, counter *tokens.Counter) (Section, int) {
	var s strings.Builder
	at := 0
	pass := func(to int) {
		if n := said(m.lines[at:to]); at > 0 && n > 0 {
			s.WriteString(passed(n) + "\n")
		}
	}
	for _, n := range list {
		pass(n - 1)
		fmt.Fprintf(&s, "%d\t%s\n", n, cutLine(strings.TrimRight(m.lines[n-1], " \t\r")))
		at = n
	}
	pass(len(m.lines))
	one := Section{Heading: "### " + Span(m.path) + "\n\n", Pieces: []string{Fence(Language(m.path), Printable(s.String())) + "\n"}}
	return one, counter.Count([]byte(one.Heading + one.Pieces[0]))
}
