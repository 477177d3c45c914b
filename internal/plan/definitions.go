package plan

import (
	"hash/maphash"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
)

// definitions are what texts define, by path: a file is read to be judged, and again as it is shown, and mostly its text is the
// same. It is safe for use on several cores at once.
type definitions struct {
	seed maphash.Seed
	mu   sync.Mutex
	of   map[string]textDefinitions
}

// textDefinitions is what one text defines, which has this sum.
type textDefinitions struct {
	sum  uint64
	list []graph.Definition
}

func newDefinitions() *definitions {
	return &definitions{seed: maphash.MakeSeed(), of: map[string]textDefinitions{}}
}

// define returns what a text defines, as provider.Define does. Nil definitions know nothing.
func (k *definitions) define(name string, content []byte) ([]graph.Definition, error) {
	if k == nil {
		return provider.Define(name, content)
	}
	sum := maphash.Bytes(k.seed, content)
	k.mu.Lock()
	known, ok := k.of[name]
	k.mu.Unlock()
	if ok && known.sum == sum {
		return known.list, nil
	}
	list, err := provider.Define(name, content)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.of[name] = textDefinitions{sum, list}
	return list, nil
}
