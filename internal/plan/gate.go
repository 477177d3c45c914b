package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// Gate proves, before anything is handed over, that what leaves was approved: each
// member of an archive has the sha256 of bytes that the scan let through, and a
// document of the engine holds no value that is known, in any form, and nothing that
// a rule is sure of. It compares and does not judge again: words that the screen
// passed may have other neighbours in a document, and are the same words.
type Gate struct {
	Screener *scan.Screener
	approved map[string]string // path → sha256
}

// NewGate approves the members of a plan, and the engine's documents once they have
// been screened.
func NewGate(s *scan.Screener, members map[string]*scan.File, docs ...map[string][]byte) (*Gate, error) {
	g := &Gate{Screener: s, approved: make(map[string]string, len(members))}
	for name, f := range members {
		g.approved[name] = f.SHA256
	}
	for _, texts := range docs {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if err := g.Document(name, texts[name]); err != nil {
				return nil, err
			}
			g.approved[name] = Digest(texts[name])
		}
	}
	return g, nil
}

// Document screens a text of the engine's own.
func (g *Gate) Document(name string, text []byte) error {
	var found []secret.Finding
	var err error
	// JSON is read as its reader reads it: string by string, decoded. As plain
	// text a key and the next key's value would look like one assignment.
	if json.Valid(text) {
		err = g.strings(text, texts{maphash.MakeSeed(), map[uint64]bool{}}, &found)
	} else {
		found, err = g.Screener.Certain(text)
	}
	if err != nil {
		return job.WithCode(fmt.Errorf("stopped at the gate: %s: %w", name, err), job.ExitSecret)
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

// Parts returns what lets the parts of one JSON document out, or stops the run.
func (g *Gate) Parts(name string) func([]byte) error {
	seen := texts{maphash.MakeSeed(), map[uint64]bool{}}
	return func(part []byte) error {
		var found []secret.Finding
		if err := g.strings(part, seen, &found); err != nil {
			return job.WithCode(fmt.Errorf("stopped at the gate: %s: %w", name, err), job.ExitSecret)
		}
		if len(found) > 0 {
			return leak(name, found[0])
		}
		return nil
	}
}

func leak(name string, f secret.Finding) error {
	return job.WithCode(fmt.Errorf("stopped at the gate: %s, line %d: a credential would have left (rule %s); nothing was written", name, f.Line, f.Rule), job.ExitSecret)
}

// strings screens the strings of a valid JSON document as they read when
// decoded, each text that was not seen once: a record says a path four times.
func (g *Gate) strings(doc []byte, seen texts, found *[]secret.Finding) error {
	for {
		from, to, raw, err := nextString(doc)
		if from < 0 || err != nil {
			return err
		}
		again := to-from <= 7 || seen.again(doc[from:to])
		doc = doc[to+1:]
		if again {
			continue
		}
		f, err := g.Screener.Certain(raw)
		if err != nil {
			return err
		}
		if *found = append(*found, f...); len(*found) > 0 {
			return nil
		}
	}
}

// nextString returns where the next string of a valid JSON document stands, without its
// quotes, and what it reads as when decoded. from is -1 where there is none.
func nextString(doc []byte) (from, to int, raw []byte, err error) {
	i := bytes.IndexByte(doc, '"')
	if i < 0 {
		return -1, -1, nil, nil
	}
	end, escaped := i+1, false
	for ; end < len(doc) && doc[end] != '"'; end++ {
		if doc[end] == '\\' {
			end, escaped = end+1, true
		}
	}
	raw = doc[i+1 : end]
	if escaped {
		var s string
		if err := json.Unmarshal(doc[i:end+1], &s); err != nil {
			return i + 1, end, nil, err
		}
		raw = []byte(s)
	}
	return i + 1, end, raw, nil
}

// cleanStrings returns a JSON document without the credentials in its strings, as they
// read when decoded.
func cleanStrings(s *scan.Screener, doc []byte) []byte {
	if !json.Valid(doc) {
		return []byte(s.Clean(string(doc)))
	}
	var out []byte
	for rest := doc; ; {
		from, to, raw, err := nextString(rest)
		if from < 0 || err != nil {
			return append(out, rest...)
		}
		out = append(out, rest[:from]...)
		if clean, held := s.Name(string(raw)); held {
			quoted, _ := json.Marshal(clean)
			out = append(out, quoted[1:len(quoted)-1]...)
		} else {
			out = append(out, rest[from:to]...)
		}
		out, rest = append(out, '"'), rest[to+1:]
	}
}

// Members stops the run when a member is not what was approved.
func (g *Gate) Members(archiveName string, list []archive.Member) error {
	for i := range list {
		m := &list[i]
		sum, ok := g.approved[m.Path]
		if !ok || sum != m.SHA256 {
			return job.WithCode(fmt.Errorf("stopped at the gate: %s holds %q, which was not approved; nothing was written", archiveName, m.Path), job.ExitSecret)
		}
		m.SHA256 = sum // the same text, held once: an archive may have a million members
	}
	return nil
}
