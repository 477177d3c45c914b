package fit

import (
	"bytes"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/secret"
)

// otherShare is what all candidates of other code weigh together, beside those of labelled repositories: there are many times
// as many, and among them credentials too, test passwords above all.
const otherShare = 0.1

// Examples are the candidates in the files with labels; what nobody labelled there is none. A value counts less the more
// often the repository has it.
func (c *Corpus) Examples(scanner *secret.Scanner) []Example {
	var list []Example
	var values []string
	count := map[string]int{}
	for _, path := range slices.Sorted(maps.Keys(c.Texts)) {
		content := c.Texts[path]
		for _, cand := range scanner.Candidates(path, content) {
			is, unsure := c.told(path, cand.Start, cand.End)
			if unsure || cand.Excepted != "" {
				continue
			}
			v := string(content[cand.Start:cand.End])
			count[v]++
			values = append(values, v)
			list = append(list, Example{Features: cand.Features, Secret: is, Weight: 1})
		}
	}
	for i := range list {
		list[i].Weight /= math.Sqrt(float64(count[values[i]]))
	}
	return list
}

// told reports what labels say of a candidate: it is a credential when it holds half of one, and unsure beside one, or
// where a label is.
func (c *Corpus) told(path string, start, end int) (is, unsure bool) {
	for i := range c.Labels {
		l := &c.Labels[i]
		if l.Path != path || end <= l.Start || l.End <= start {
			continue
		}
		switch {
		case l.Unsure:
			unsure = true
		case l.Secret && (min(end, l.End)-max(start, l.Start))*2 >= l.End-l.Start:
			is = true
		case l.Secret:
			unsure = true
		}
	}
	return is, unsure && !is
}

// None are the candidates below a folder of code that holds few credentials, of every nth file: all count as none.
func None(scanner *secret.Scanner, root string, nth int) ([]Example, error) {
	var list []Example
	n := 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if n++; n%nth != 0 {
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil || len(b) > 1<<20 || bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b) {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		for _, c := range scanner.Candidates(filepath.ToSlash(rel), b) {
			if c.Excepted == "" {
				list = append(list, Example{Features: c.Features, Weight: 1})
			}
		}
		return nil
	})
	return list, err
}

// nth is of how many files of other code one is read.
const nth = 5

// All are the examples of all repositories, and those of other code, weighed against each other.
func All(list []*Corpus, none []string) (each [][]Example, others []Example, err error) {
	scanner, err := secret.New()
	if err != nil {
		return nil, nil, err
	}
	for _, c := range list {
		each = append(each, c.Examples(scanner))
	}
	for _, dir := range none {
		e, err := None(scanner, dir, nth)
		if err != nil {
			return nil, nil, err
		}
		others = append(others, e...)
	}
	total := 0.0
	for _, e := range each {
		for i := range e {
			total += e[i].Weight
		}
	}
	for i := range others {
		others[i].Weight = otherShare * total / float64(len(others))
	}
	return each, others, nil
}

// Folds returns for each repository a model that never saw it.
func Folds(list []*Corpus, none []string) ([]*secret.Model, error) {
	each, others, err := All(list, none)
	if err != nil {
		return nil, err
	}
	models := make([]*secret.Model, len(list))
	var fits sync.WaitGroup
	for i := range list {
		fits.Go(func() {
			rest := slices.Clone(others)
			for j, e := range each {
				if j != i {
					rest = append(rest, e...)
				}
			}
			models[i] = Train(rest)
		})
	}
	fits.Wait()
	return models, nil
}
