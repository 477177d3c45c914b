package report

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// Weight is the same file by file.
type Weight struct {
	record.Impact
	// read: imports were read, so that dependents and tests are known.
	read bool
	// rows are the changed files, the weightiest first.
	rows     []WeightRow
	untested []string
	// edges are those between the changed files and the files next to them that the
	// picture shows: of nodes files it has drawn.
	edges        []pictureEdge
	nodes, drawn int
}

// WeightRow is one changed file.
type WeightRow struct {
	change diff.Change
	// added and removed are lines; shown is false where the patch does not show them.
	added, removed int
	shown          bool
	dependents     int
	// unknown says that nobody knows who uses it: its language's imports are not read.
	unknown bool
}

// weight is by how much a change to a file matters: lines changed × files that stand on
// it, itself among them.
func (r WeightRow) weight() int { return (r.added + r.removed) * (1 + r.dependents) }

// Weigh measures the change; nil where there is no base.
func Weigh(s *snapshot.Contents, p *plan.Plan, patches []snapshot.FilePatch, hasBase bool) *Weight {
	if !hasBase {
		return nil
	}
	m := &Weight{read: s.Meta != nil}
	touched := make(map[string]bool, len(p.Changes))
	for _, c := range p.Changes {
		touched[c.Path] = true
	}
	importers := map[string]int{}
	others := map[string]bool{}
	if s.Meta != nil {
		for from, to := range sourceEdges(s.Meta) {
			if touched[to] && from != to {
				importers[to]++
				if !touched[from] {
					others[from] = true
				}
			}
		}
	}
	m.Files, m.Dependents = len(p.Changes), len(others)
	lines := make(map[string]*snapshot.FilePatch, len(patches))
	for i := range patches {
		lines[patches[i].Change.Path] = &patches[i]
	}
	m.rows = make([]WeightRow, 0, len(p.Changes))
	for _, c := range p.Changes {
		r := WeightRow{change: c, dependents: importers[c.Path]}
		if f := lines[c.Path]; f != nil {
			r.added, r.removed, r.shown = f.Added, f.Removed, f.Counted
		}
		m.Added, m.Removed = m.Added+r.added, m.Removed+r.removed
		code := language.Is(c.Path, language.Code) || language.Is(c.Path, language.Markup)
		if r.unknown = code && r.dependents == 0 && (!m.read || !snapshot.HasGraph(c.Path)); r.unknown {
			m.Unknown++
		}
		m.rows = append(m.rows, r)
	}
	slices.SortStableFunc(m.rows, func(a, b WeightRow) int {
		if d := b.weight() - a.weight(); d != 0 {
			return d
		}
		return strings.Compare(a.change.Path, b.change.Path)
	})
	if s.Meta != nil {
		m.Sources, m.untested = untested(s.Meta, m.rows)
		m.Untested = len(m.untested)
		m.edges, m.nodes, m.drawn = neighbourhood(s.Meta, m.rows)
	}
	return m
}

// sourceEdges yields the imports between files of the repository.
func sourceEdges(m *graph.Meta) func(func(from, to string) bool) {
	return func(yield func(from, to string) bool) {
		for from, n := range m.Nodes {
			if n.Kind != graph.Source {
				continue
			}
			for _, e := range n.Edges {
				if to, ok := m.Nodes[e.Target]; ok && to.Kind == graph.Source && !yield(from, e.Target) {
					return
				}
			}
		}
	}
}

// untested returns how many changed files are sources, and those that no changed test
// reaches, the weightiest first.
func untested(m *graph.Meta, rows []WeightRow) (sources int, list []string) {
	reached := map[string]bool{}
	var next []string
	var stems []string
	test := func(name string) bool { _, c := scan.Classify(name); return c == scan.CategoryTest }
	for _, r := range rows {
		if name := r.change.Path; r.change.Status != diff.Deleted && test(name) {
			next = append(next, name)
			stems = append(stems, testless(name))
		}
	}
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		for _, e := range m.Nodes[name].Edges {
			if n, ok := m.Nodes[e.Target]; ok && n.Kind == graph.Source && !reached[e.Target] {
				reached[e.Target] = true
				next = append(next, e.Target)
			}
		}
	}
	for _, r := range rows {
		name := r.change.Path
		if r.change.Status == diff.Deleted || test(name) || !snapshot.HasGraph(name) {
			continue
		}
		sources++
		if !reached[name] && !slices.Contains(stems, testless(name)) {
			list = append(list, name)
		}
	}
	return sources, list
}

var testMark = lazyregexp.New(`^test_|[._-](test|tests|spec)$`)

// testless is a file's name without what marks it as a test.
func testless(name string) string {
	base := path.Base(name)
	base = strings.TrimSuffix(base, path.Ext(base))
	return testMark.ReplaceAllString(base, "")
}

type pictureEdge struct{ from, to string }

// Bounds of the picture: files, and edges of one changed file before others have had
// theirs.
const (
	maxPicture = 25
	fairShare  = 6
)

// neighbourhood returns the imports between the changed files and the files next to
// them, of at most maxPicture files: those of the weightiest changes first, each of
// which gets a few before any gets many. Nodes are how many files there are.
func neighbourhood(m *graph.Meta, rows []WeightRow) (kept []pictureEdge, nodes, drawn int) {
	place := make(map[string]int, len(rows)) // 1 is the weightiest
	for i, r := range rows {
		place[r.change.Path] = i + 1
	}
	var all []pictureEdge
	there := map[string]bool{}
	for from, to := range sourceEdges(m) {
		if from != to && (place[from] > 0 || place[to] > 0) {
			all = append(all, pictureEdge{from, to})
			there[from], there[to] = true, true
		}
	}
	// An edge belongs to its weightier end.
	owner := func(e pictureEdge) int {
		a, b := place[e.from], place[e.to]
		if a == 0 || b != 0 && b < a {
			a = b
		}
		return a
	}
	inner := func(e pictureEdge) int {
		if place[e.from] > 0 && place[e.to] > 0 {
			return 0
		}
		return 1
	}
	slices.SortFunc(all, func(a, b pictureEdge) int {
		if d := owner(a) - owner(b); d != 0 {
			return d
		}
		if d := inner(a) - inner(b); d != 0 {
			return d
		}
		if d := strings.Compare(a.from, b.from); d != 0 {
			return d
		}
		return strings.Compare(a.to, b.to)
	})
	all = slices.Compact(all)
	in := map[string]bool{}
	taken := make([]bool, len(all))
	for _, most := range []int{fairShare, len(all)} {
		count := map[int]int{}
		for i, e := range all {
			fresh := 0
			for _, id := range []string{e.from, e.to} {
				if !in[id] {
					fresh++
				}
			}
			if o := owner(e); !taken[i] && len(in)+fresh <= maxPicture && count[o] < most {
				in[e.from], in[e.to], taken[i] = true, true, true
				count[o]++
			}
		}
	}
	for i, e := range all {
		if taken[i] {
			kept = append(kept, e)
		}
	}
	return kept, len(there), len(in)
}
