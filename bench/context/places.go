package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// place is what a reviewer must read beside a patch, as a person who read the repository says.
type place struct {
	path, what string
	from, to   int
}

// judged is a change with its places.
type judged struct {
	repository, commit string
	places             []place
}

var placeLine = regexp.MustCompile(`^\t(.+):(\d+)-(\d+) (.+)$`)

// readPlaces reads a list such as testdata/places.txt.
func readPlaces(name string) ([]judged, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []judged
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if m := placeLine.FindStringSubmatch(line); m != nil && len(list) > 0 {
			from, _ := strconv.Atoi(m[2])
			to, _ := strconv.Atoi(m[3])
			one := &list[len(list)-1]
			one.places = append(one.places, place{m[1], m[4], from, to})
			continue
		}
		repository, commit, ok := strings.Cut(line, " ")
		if !ok || line[0] == '\t' {
			return nil, fmt.Errorf("%s:%d: neither a repository and its commit nor a place", name, n+1)
		}
		list = append(list, judged{repository: repository, commit: commit})
	}
	return list, nil
}

// measurePlaces runs the program on the changes of a list whose repositories are among the clones, and prints of each place what
// share of its lines stands in the document of each budget, and how many stand there whole.
func measurePlaces(ctx context.Context, o options, repositories []*repository, out io.Writer) error {
	list, err := readPlaces(o.places)
	if err != nil {
		return err
	}
	counter := new(tokens.Counter)
	shares, whole, all := make([]float64, len(o.budgets)), make([]int, len(o.budgets)), 0
	for _, c := range list {
		r := ofName(repositories, c.repository)
		if r == nil {
			fmt.Fprintf(out, "%s: no clone of it is given\n", c.repository)
			continue
		}
		parent, err := r.clone.Git(ctx, nil, "rev-parse", c.commit+"^")
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %.10s\n", c.repository, c.commit)
		var documents []*written
		for _, budget := range o.budgets {
			w, err := r.run(ctx, o, entry{Commit: c.commit, Parent: strings.TrimSpace(string(parent))}, budget, counter)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", c.commit, c.repository, err)
			}
			documents = append(documents, w)
		}
		for _, p := range c.places {
			all++
			for b, w := range documents {
				there := 0
				for n := p.from; n <= p.to; n++ {
					if w.holds(p.path, n, n) {
						there++
					}
				}
				share := float64(there) / float64(p.to-p.from+1)
				if shares[b] += share; there == p.to-p.from+1 {
					whole[b]++
				}
				fmt.Fprintf(out, "  %.2f", share)
			}
			fmt.Fprintf(out, "  %s:%d-%d, %s\n", p.path, p.from, p.to, p.what)
		}
	}
	for b, budget := range o.budgets {
		fmt.Fprintf(out, "%d tokens: %.3f of the lines, %d of %d places whole\n", budget, shares[b]/float64(max(1, all)), whole[b], all)
	}
	return nil
}

// ofName is the repository that is called so, with or without its owner.
func ofName(list []*repository, name string) *repository {
	for _, r := range list {
		if r.name == name || strings.ReplaceAll(r.name, "+", "/") == name || r.name == name[strings.LastIndexByte(name, '/')+1:] {
			return r
		}
	}
	return nil
}
