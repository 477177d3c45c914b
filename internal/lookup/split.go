package lookup

import (
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// Bounds of the texts that are kept split for the next question, in bytes of the texts: split, one takes some ten times as much.
const (
	maxSplit = 1 << 20
	// maxSplitText bounds one: a longer one alone would drive out many.
	maxSplitText = maxSplit / 4
)

// splits keeps texts split, by what they hold: those that were asked for last. An index, and those that follow it after edits, have one
// together.
type splits struct {
	mu   sync.Mutex
	by   map[splitKey]*splitText
	size int
	// asked counts questions for a text: the one with the least number is the first to go.
	asked int
}

// splitKey is a text: its name tells its language.
type splitKey struct{ name, sum string }

type splitText struct {
	mentions *source.Mentions
	size     int
	asked    int
}

func newSplits() *splits { return &splits{by: map[splitKey]*splitText{}} }

// split is a file's text, split; nil where its language's texts are not.
func (s *splits) split(f *scan.File, content []byte) *source.Mentions {
	key := splitKey{f.Path, f.SHA256}
	s.mu.Lock()
	s.asked++
	if t := s.by[key]; t != nil {
		t.asked = s.asked
		s.mu.Unlock()
		return t.mentions
	}
	s.mu.Unlock()
	own, err := provider.DefineAll(f.Path, content)
	if err != nil {
		own = nil
	}
	m := source.NewMentions(f.Path, content, own)
	if m == nil || len(content) > maxSplitText {
		return m
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[key] == nil {
		s.by[key] = &splitText{m, len(content), s.asked}
		s.size += len(content)
	}
	for s.size > maxSplit {
		s.dropOldest()
	}
	return m
}

// dropOldest drops the text that was not asked for the longest time.
func (s *splits) dropOldest() {
	var oldest splitKey
	for key, t := range s.by {
		was := s.by[oldest]
		if was == nil || t.asked < was.asked || t.asked == was.asked && strings.Compare(key.name, oldest.name) < 0 {
			oldest = key
		}
	}
	s.size -= s.by[oldest].size
	delete(s.by, oldest)
}
