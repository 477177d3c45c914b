package brief

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/rank"
)

// A document of a change may show blocks of the files that need it most whatever their size: of maxDivided at most, and of so
// many that together they have no more than maxDividedBytes. Each is read and divided, and its blocks are judged.
const (
	maxDivided      = 1500
	maxDividedBytes = 8 << 20
)

// Needed returns the files of an order that a document may show, by what speaks for them whatever their size, with the need of
// each of their blocks: those that have one of least need or more; for a task, all that anything speaks for. read makes a source of a path, on several cores at once; nil
// where the file is not to be shown.
func Needed(order *rank.Order, least int64, read func(path string) (*Source, error)) ([]Source, error) {
	sizes := make(map[string]int64, len(order.Files))
	for _, f := range order.Files {
		sizes[f.Path] = f.Size
	}
	var names []string
	total := int64(0)
	for _, name := range order.ByNeed() {
		if order.Need(name) <= 0 || len(names) == maxDivided {
			break
		}
		if total += sizes[name]; total > maxDividedBytes {
			break
		}
		names = append(names, name)
	}
	found, errs := make([]*Source, len(names)), make([]error, len(names))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				if found[i], errs[i] = read(names[i]); found[i] != nil {
					found[i].Name = names[i]
					found[i].blocks = Blocks(names[i], []byte(found[i].Text), found[i].Definitions)
				}
			}
		})
	}
	wait.Wait()
	var divided []rank.Divided
	var those []*Source
	for i := range names {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if found[i] != nil {
			those = append(those, found[i])
			divided = append(divided, rank.Divided{Path: names[i], Passages: found[i].Passages})
		}
	}
	var list []Source
	if order.OfTask() {
		for i, needs := range order.TaskNeeds(divided) {
			those[i].Needs = needs
			list = append(list, *those[i])
		}
		return list, nil
	}
	for i, rows := range order.Rows(divided) {
		s := those[i]
		s.Rows, s.Needs = rows, make([]int64, len(rows))
		needed := false
		for n := range rows {
			s.Needs[n] = rank.BlockNeed(&rows[n])
			needed = needed || s.Needs[n] >= least
		}
		if needed {
			list = append(list, *s)
		}
	}
	return list, nil
}

// Blocks are the blocks of a source.
func (s *Source) Blocks() []Block {
	if s.blocks == nil {
		s.blocks = Blocks(s.Path, []byte(s.Text), s.Definitions)
	}
	return s.blocks
}

// Passages are the blocks of a source, as they are judged.
func (s *Source) Passages() []rank.Passage {
	s.Blocks()
	starts := []int{0}
	for i := range len(s.Text) {
		if s.Text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(s.Text))
	list := make([]rank.Passage, len(s.blocks))
	for n, b := range s.blocks {
		list[n] = rank.Passage{Text: []byte(s.Text[starts[b.From-1]:starts[min(b.To, len(starts)-1)]]), Defines: b.Name}
	}
	return list
}

// Around returns the text of the blocks that hold touched lines: the definitions that a change touches.
func Around(s Source) []byte {
	e := &entry{Source: &s}
	var text []byte
	list := s.Passages()
	e.blocks = s.blocks
	for b := range e.blocks {
		if e.touches(b) {
			text = append(text, list[b].Text...)
		}
	}
	return text
}

// LeastChance is the chance of being needed, in hundred-thousandths, below which no block is taken: of what stands in 128,000
// tokens of a document without it, a document with it has lost less than two points in a hundred.
const LeastChance = 250
