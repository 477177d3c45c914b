package action

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// gate proves, before anything is handed over, that what leaves was approved:
// each member of an archive has the sha256 of bytes that the scan let through,
// or is a document of the engine whose every string was screened.
type gate struct {
	screener *scan.Screener
	approved map[string]string // path → sha256
}

// newGate approves the members of a plan, and the engine's documents once they have
// been screened.
func newGate(s *scan.Screener, members map[string]*scan.File, docs ...map[string][]byte) (*gate, error) {
	g := &gate{screener: s, approved: make(map[string]string, len(members))}
	for name, f := range members {
		g.approved[name] = f.SHA256
	}
	for _, texts := range docs {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if err := g.document(name, texts[name]); err != nil {
				return nil, err
			}
			g.approved[name] = digest(texts[name])
		}
	}
	return g, nil
}

// document screens a text of the engine's own.
func (g *gate) document(name string, text []byte) error {
	var found []secret.Finding
	var err error
	// JSON is read as its reader reads it: string by string, decoded. As plain
	// text a key and the next key's value would look like one assignment.
	if json.Valid(text) {
		err = g.strings(name, text, texts{maphash.MakeSeed(), map[uint64]bool{}}, &found)
	} else {
		found, err = g.screener.Find(name, text)
	}
	if err != nil {
		return &codedError{fmt.Errorf("stopped at the gate: %s: %w", name, err), exitSecret}
	}
	if len(found) > 0 {
		return leak(name, found[0])
	}
	return nil
}

// texts are those that were seen, by a hash that nobody outside can know: a record has hundreds of thousands.
type texts struct {
	seed maphash.Seed
	seen map[uint64]bool
}

// again reports whether a text was seen, and notes it.
func (t texts) again(text []byte) bool {
	h := maphash.Bytes(t.seed, text)
	if t.seen[h] {
		return true
	}
	t.seen[h] = true
	return false
}

// parts returns what lets the parts of one JSON document out, or stops the run.
func (g *gate) parts(name string) func([]byte) error {
	seen := texts{maphash.MakeSeed(), map[uint64]bool{}}
	return func(part []byte) error {
		var found []secret.Finding
		if err := g.strings(name, part, seen, &found); err != nil {
			return &codedError{fmt.Errorf("stopped at the gate: %s: %w", name, err), exitSecret}
		}
		if len(found) > 0 {
			return leak(name, found[0])
		}
		return nil
	}
}

func leak(name string, f secret.Finding) error {
	return &codedError{fmt.Errorf("stopped at the gate: %s, line %d: a credential would have left (rule %s); nothing was written", name, f.Line, f.Rule), exitSecret}
}

// strings screens the strings of a valid JSON document as they read when
// decoded, each text that was not seen once: a record says a path four times.
func (g *gate) strings(name string, doc []byte, seen texts, found *[]secret.Finding) error {
	for {
		i := bytes.IndexByte(doc, '"')
		if i < 0 {
			return nil
		}
		end, escaped := i+1, false
		for ; end < len(doc) && doc[end] != '"'; end++ {
			if doc[end] == '\\' {
				end, escaped = end+1, true
			}
		}
		raw := doc[i+1 : end]
		doc = doc[end+1:]
		if len(raw) <= 7 || seen.again(raw) {
			continue
		}
		if escaped {
			var s string
			if err := json.Unmarshal(append(append([]byte{'"'}, raw...), '"'), &s); err != nil {
				return err
			}
			raw = []byte(s)
		}
		f, err := g.screener.Find(name, raw)
		if err != nil {
			return err
		}
		if *found = append(*found, f...); len(*found) > 0 {
			return nil
		}
	}
}

// members stops the run when a member is not what was approved.
func (g *gate) members(archiveName string, list []archive.Member) error {
	for _, m := range list {
		if sum, ok := g.approved[m.Path]; !ok || sum != m.SHA256 {
			return &codedError{fmt.Errorf("stopped at the gate: %s holds %q, which was not approved; nothing was written", archiveName, m.Path), exitSecret}
		}
	}
	return nil
}
