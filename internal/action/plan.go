package action

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// plan says what archive.tar holds, and why each file is in it or not.
type plan struct {
	mode job.Mode
	// fill is job.FillRank where rank fills the budget.
	fill job.Fill
	// files are the members, sorted by path: those in members and those in docs.
	files []tree.File
	// members are files of the repository and of its dependencies, docs what the
	// engine wrote.
	members map[string]*scan.File
	docs    map[string][]byte
	// left says of files that may be archived and are not, why; omitted are the paths
	// that may not be, and what was asked for and did not fit.
	left    map[string]leftOut
	omitted []scan.Omission
	why     map[string][]string
	// costs are the tokens of members, where there is a budget.
	costs map[string]int
	// changes are what differs from the base, as it is told: with a saved base, in
	// what is archived.
	changes []diff.Change
	// fresh are the other members that the reader of the base's archive has not, by
	// path, and why each is there; dropped is what that archive held and this one does not,
	// though it was not deleted. Both are sorted.
	fresh   []freshMember
	dropped []string
	// ranking is empty where rank fills nothing.
	ranking *ranking
	// budget is set where not every file is taken; limit and tokens are in tokens, tokens counted
	// where there is a limit.
	budget        *graph.Budget
	limit, tokens int
	warnings      []string
	// unlisted counts the files that the archive's map does not hold.
	unlisted int
}

// choose decides what the archives hold: every file, or of every file what fits a
// budget; or what the basket of a context archive holds, and the engine's documents.
func choose(o Options, v *snapshot.View, docs *documents, before *given, r *ranking) (*plan, error) {
	s, c := v.Sealed, v.Change
	p := everything(s)
	limit := o.budget()
	switch o.Mode {
	case job.ModeFull:
		if limit == 0 {
			break
		}
		b := fillFull(o, s, docs.counter, r)
		p.members, p.left, p.why, p.tokens, p.limit = b.members, b.left, b.why, b.spent, limit
		if n := len(b.left); n > 0 {
			p.warnings = []string{fmt.Sprintf("budget-tokens %d: %d files do not fit and are left out, what ranks least first", limit, n)}
		}
		budget := graph.Count(nil, b.ranked, snapshot.ChangedPaths(c.Changes), func(name string) int64 { return b.members[name].Size })
		p.budget = &budget
	case job.ModeContext, job.ModeMeta:
		b := fill(o, v, docs, r)
		docs = docs.with(b.outlined)
		var err error
		if p, err = unpack(o, v, b, docs); err != nil {
			return nil, err
		}
		p.limit = limit
		p.fresh, p.dropped = before.compare(o, c, b, docs)
		if o.ranks() {
			p.warnings = append(p.warnings, r.notes(p)...)
		}
	case job.ModeAuto: // no run is in it
	}
	p.fill = o.Fill
	p.mode, p.docs, p.unlisted, p.ranking = o.Mode, docs.texts, docs.unlisted, r
	for _, f := range p.members {
		p.files = append(p.files, f.File)
	}
	for name, b := range p.docs {
		p.files = append(p.files, tree.Bytes(name, b))
	}
	sortFiles(p.files)
	p.changes = c.Changes
	if c.Base.Saved {
		p.changes = sinceSaved(c.Base, p, s)
	}
	return p, nil
}

// everything takes every file that may leave.
func everything(s *snapshot.Contents) *plan {
	p := &plan{members: make(map[string]*scan.File, len(s.Files)), omitted: s.Omitted}
	for i := range s.Files {
		p.members[s.Files[i].Path] = &s.Files[i]
	}
	return p
}

// unpack makes the plan of a basket. Of what the state names itself nothing may be
// missing on a desk; in a workflow that is a warning.
func unpack(o Options, v *snapshot.View, b *basket, docs *documents) (*plan, error) {
	s, a, c := v.Sealed, v.Asked, v.Change
	p := &plan{members: b.members, left: b.left, why: b.why, tokens: b.spent, costs: b.costs}
	for _, id := range a.Selection.IDs {
		if a.Selection.Distance(id) > 0 || p.left[id].reason != scan.OverBudget {
			continue
		}
		if !o.Lenient {
			return nil, job.BadInput("budget-tokens", "%d tokens do not hold what is asked for by name: %s; raise it, or ask for less", b.limit, id)
		}
		p.warnings = append(p.warnings, fmt.Sprintf("%s is asked for by name and does not fit into budget-tokens: %d", text.Name(id), b.limit))
	}
	unfit := map[string]bool{}
	for id, f := range s.Asked {
		if l := p.left[id]; l.reason != "" {
			unfit[id] = true
			p.omitted = append(p.omitted, l.omission(f))
		}
	}
	for _, x := range s.Omitted {
		if !unfit[x.Path] {
			p.omitted = append(p.omitted, x)
		}
	}
	slices.SortFunc(p.omitted, func(a, b scan.Omission) int { return tree.Compare(a.Path, b.Path) })
	sizes := make(map[string]int64, len(s.Files))
	unasked := leftUnasked(o, a, docs)
	for i := range s.Files {
		f := &s.Files[i]
		sizes[f.Path] = f.Size
		if p.members[f.Path] == nil && docs.texts[f.Path] == nil && p.left[f.Path].reason == "" {
			p.left[f.Path] = unasked
		}
	}
	for name, f := range s.Asked {
		sizes[name] = f.Size
	}
	base := b.base
	for name, text := range docs.texts {
		sizes[name] = int64(len(text))
		base = append(base, name)
	}
	all := append(slices.Clone(b.closure), b.ranked...)
	// The files of the root that are selected count for both.
	for _, name := range b.closure {
		if f := sizes[name]; f >= 0 && (root(name) || system(o.Stan, name) || o.Include.Match(name) != "") {
			base = append(base, name)
		}
	}
	budget := graph.Count(base, all, snapshot.ChangedPaths(c.Changes), func(name string) int64 { return sizes[name] })
	p.budget = &budget
	return p, nil
}

// ranked reports whether rank fills the budget.
func (p *plan) ranked() bool { return p.fill == job.FillRank }

// counted are the tokens of what is archived, 0 where nothing was to count them for.
func (p *plan) counted() int {
	if p.limit > 0 {
		return p.tokens
	}
	return 0
}

// sums are the members of archive.tar and the sha256 of each.
func (p *plan) sums() map[string]string {
	m := make(map[string]string, len(p.files))
	for name, f := range p.members {
		m[name] = f.SHA256
	}
	for name, b := range p.docs {
		m[name] = digest(b)
	}
	return m
}

// digest is the sha256 of bytes in lower hex.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// sinceSaved finds what changed in the archive since a saved base. A file that is
// merely not selected any more was not deleted.
func sinceSaved(b *snapshot.Base, p *plan, s *snapshot.Contents) []diff.Change {
	packed := make(map[string]bool, len(s.Files))
	for i := range s.Files {
		packed[s.Files[i].Path] = true
	}
	return slices.DeleteFunc(diff.Between(b.Files, snapshot.SavedEntries(p.sums())), func(c diff.Change) bool {
		return c.Status == diff.Deleted && packed[c.Path]
	})
}

func sortFiles(files []tree.File) {
	slices.SortFunc(files, func(a, b tree.File) int { return tree.Compare(a.Path, b.Path) })
}
