package serve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/plan"
)

// FindArguments are those of find.
type FindArguments struct {
	Query string `json:"query" jsonschema:"a symbol, qualified or not, or a question or a task in words"`
	Tests bool   `json:"tests,omitempty" jsonschema:"tests first, and not last"`
	Room
}

// find answers where something is.
func (x *Server) find(ctx context.Context, s *sight, in FindArguments) (*Answer, error) {
	query := strings.TrimSpace(in.Query)
	if query == "" {
		return nil, fmt.Errorf("query: empty; name a symbol, or say in words what is looked for")
	}
	a := &Answer{}
	var err error
	if symbol(query) {
		if err = s.symbols(a, query, in.Tests); err != nil {
			return nil, err
		}
		if len(a.Rows) > 0 {
			return a, nil
		}
		a.Notes = append(a.Notes, fmt.Sprintf("No definition is called %q; what follows are passages that speak of it", query))
	}
	if a.Rows, err = x.ranked(ctx, s, in, query); err != nil {
		return nil, err
	}
	a.Searched = "the words of " + count(len(s.view.Sealed.Files), "file", "files") + ", and the names that they define"
	// What ranks is what speaks most for itself, never all that there is.
	a.Complete = false
	if len(a.Rows) > 0 {
		a.Notes = append(a.Notes, "Ranked by what the words say: what is not here may still exist")
	}
	return a, err
}

// symbol reports whether a question is one name.
func symbol(query string) bool {
	return len(query) < 200 && !strings.ContainsFunc(query, func(r rune) bool {
		return r < 0x80 && !strings.ContainsRune(`_$.:#\`, r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// symbols adds the definitions of a name: those that are called so, else those that differ in case alone.
func (s *sight) symbols(a *Answer, query string, tests bool) error {
	asked := lookup.Dotted(query)
	found, err := s.index.Meant(asked)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		low := strings.ToLower(asked)
		if found, err = s.index.Definitions(func(file, name string) bool { return lookup.Means(strings.ToLower(file), strings.ToLower(name), low) }); err != nil {
			return err
		}
		if len(found) > 0 {
			a.Notes = append(a.Notes, fmt.Sprintf("Nothing is called %q in these very letters: capitals differ", asked))
		}
	}
	for _, d := range found {
		row := rowOf(d, "")
		row.Test = language.IsTest(d.Path)
		a.Rows = append(a.Rows, row)
	}
	slices.SortStableFunc(a.Rows, func(p, q Row) int {
		return cmp.Or(compareBool(q.Test == tests, p.Test == tests), compareBool(q.Name == asked, p.Name == asked))
	})
	a.Unknown, err = s.undefined(asked)
	a.Searched = "the definitions of " + count(len(s.view.Sealed.Files), "file", "files")
	a.Complete = true
	return err
}

// undefined are the endings, and the files, of code whose definitions are not known, as far as they say the last part of a name.
func (s *sight) undefined(asked string) ([]string, error) {
	word := asked[strings.LastIndexByte(asked, '.')+1:]
	broken, err := s.index.BrokenSaying(word)
	if err != nil {
		return nil, err
	}
	ends, err := lookup.UndefinedSaying(s.view.Sealed, word)
	return append(ends, broken...), err
}

// compareBool puts what is true after what is not.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// maxPassages bounds the passages that one question brings.
const maxPassages = 200

// passages are the blocks of a ranking, the most needed first.
func passages(r *plan.Ranking, tests bool) []Row {
	type block struct {
		row  Row
		need int64
	}
	var list []block
	for i := range r.Sources {
		src := &r.Sources[i]
		lines := strings.Split(src.Text, "\n")
		for n, b := range brief.Blocks(src.Path, []byte(src.Text), src.Definitions) {
			need := src.Need
			if n < len(src.Needs) {
				need = src.Needs[n]
			}
			list = append(list, block{Row{Path: src.Path, Line: b.From, To: b.To, Name: b.Name, Signature: headline(lines, b), Why: strings.Join(src.Why[:min(1, len(src.Why))], ""), Test: language.IsTest(src.Path)}, need})
		}
	}
	slices.SortStableFunc(list, func(a, b block) int {
		return cmp.Or(compareBool(b.row.Test == tests, a.row.Test == tests), cmp.Compare(b.need, a.need))
	})
	rows := make([]Row, 0, min(maxPassages, len(list)))
	for _, b := range list[:min(maxPassages, len(list))] {
		b.row.Signature, b.row.Name = strings.Clone(b.row.Signature), strings.Clone(b.row.Name) // they would keep the whole texts
		rows = append(rows, b.row)
	}
	return rows
}

// headline is what a block shows of itself in one line: its signature, else its first line with words.
func headline(lines []string, b brief.Block) string {
	from, to := b.From, b.To
	if b.Signature[0] > 0 {
		from, to = b.Signature[0], b.Signature[1]
	}
	for n := from; n <= min(to, len(lines)); n++ {
		if said := strings.TrimSpace(lines[n-1]); strings.ContainsFunc(said, func(r rune) bool { return r > 0x7f || r|0x20 >= 'a' && r|0x20 <= 'z' }) {
			if len(said) > maxHeadline {
				said = strings.ToValidUTF8(said[:maxHeadline], "") + "…"
			}
			return said
		}
	}
	return ""
}

// maxHeadline bounds the line that a passage shows of itself, in bytes.
const maxHeadline = 160

// rankings keeps what the last few questions in words brought, of one sight: a question is often asked again, for more.
type rankings struct {
	mu   sync.Mutex
	of   int64 // the sight's number: it is not kept for this
	by   map[string][]Row
	list []string
}

// maxRankings bounds the questions whose passages are kept.
const maxRankings = 4

// ranked are the passages of the repository that speak of what a question asks, the most needed first. They are the caller's.
func (x *Server) ranked(ctx context.Context, s *sight, in FindArguments, query string) ([]Row, error) {
	k := &x.rankings
	key := fmt.Sprint(in.Tests, query)
	k.mu.Lock()
	if k.of != s.number {
		k.of, k.by, k.list = s.number, map[string][]Row{}, nil
	}
	rows, ok := k.by[key]
	k.mu.Unlock()
	if ok {
		return slices.Clone(rows), nil
	}
	o := s.planned()
	o.Task = query
	r, err := plan.RankFiles(ctx, o, s.view)
	if err != nil {
		return nil, err
	}
	rows = passages(r, in.Tests)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == s.number {
		k.by[key] = slices.Clone(rows)
		if k.list = append(k.list, key); len(k.list) > maxRankings {
			delete(k.by, k.list[0])
			k.list = k.list[1:]
		}
	}
	return rows, nil
}

// planned are the options of what is ranked and planned for a reader of this server.
func (s *sight) planned() plan.Options {
	in := s.in
	return plan.Options{Mode: job.ModeContext, Fill: job.FillRank, Stan: in.Stan, Include: in.Include, Map: in.Map, History: in.History, Lenient: true, Alone: true}
}
