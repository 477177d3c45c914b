package fit

import (
	"bytes"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/secret"
)

// otherShare is what all candidates of other code weigh together, beside those of labelled repositories: there are many times
// as many, and among them credentials too, test passwords above all.
const otherShare = 0.2

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
		overlap := min(end, l.End) - max(start, l.Start)
		if l.Path != path || overlap <= 0 {
			continue
		}
		holds := l.Secret && !l.Unsure && overlap*2 >= l.End-l.Start
		is = is || holds
		unsure = unsure || (l.Secret || l.Unsure) && !holds
	}
	return is, unsure && !is
}

// None are the candidates below a folder of code that holds few credentials, of every nth file: all count as none.
func None(scanner *secret.Scanner, root string, nth int) ([]Example, error) {
	var list []Example
	n := 0
	folder := os.DirFS(root)
	err := fs.WalkDir(folder, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if n++; n%nth != 0 {
			return nil
		}
		b, err := fs.ReadFile(folder, p)
		if err != nil || len(b) > 1<<20 || bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b) {
			return err
		}
		for _, c := range scanner.Candidates(p, b) {
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

// Data are examples: those of each repository, those of code without credentials to speak of, and made ones.
type Data struct {
	Each         [][]Example
	Others, Made []Example
}

// All reads the examples of all repositories and of other code, and weighs them against each other.
func All(list []*Corpus, none []string) (*Data, error) {
	scanner, err := secret.New()
	if err != nil {
		return nil, err
	}
	d := &Data{Made: Made(scanner)}
	total := 0.0
	for _, c := range list {
		e := c.Examples(scanner)
		for i := range e {
			total += e[i].Weight
		}
		d.Each = append(d.Each, e)
	}
	for _, dir := range none {
		e, err := None(scanner, dir, nth)
		if err != nil {
			return nil, err
		}
		d.Others = append(d.Others, e...)
	}
	share := func(list []Example, of float64) {
		for i := range list {
			list[i].Weight = of * total / float64(len(list))
		}
	}
	share(d.Others, otherShare)
	share(d.Made, madeShare)
	return d, nil
}

// Fit returns the model of all examples but those of one repository; of all where it is none.
//
// Nobody has looked at other code, and the tests in it hold credentials, too: what a first model, which has not seen it, is
// sure of is left out.
func (d *Data) Fit(without int) *secret.Model {
	all := slices.Clone(d.Made)
	for i, e := range d.Each {
		if i != without {
			all = append(all, e...)
		}
	}
	first := Train(all)
	for _, e := range d.Others {
		if score(first, &e) < first.Threshold+sure {
			all = append(all, e)
		}
	}
	return Train(all)
}

// sure is how far above even odds the first model is.
const sure = 20

func score(m *secret.Model, e *Example) int {
	sum := 0
	for _, f := range e.Features {
		sum += int(m.Weights[f])
	}
	return sum
}

// Folds returns for each repository a model that never saw it.
func Folds(list []*Corpus, none []string) ([]*secret.Model, error) {
	d, err := All(list, none)
	if err != nil {
		return nil, err
	}
	models := make([]*secret.Model, len(list))
	var fits sync.WaitGroup
	for i := range list {
		fits.Go(func() { models[i] = d.Fit(i) })
	}
	fits.Wait()
	return models, nil
}
