package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Plan says what archive.tar holds, and why each file is in it or not.
type Plan struct {
	Mode job.Mode
	// Fill is job.FillRank where rank fills the budget.
	Fill job.Fill
	// State is the path of the state that selects, "" where none does.
	State string
	// Task is what the plan is for, in words; "" for a change, or a repository.
	Task string
	// Beside is the task that was asked beside a change; "" where none was.
	Beside string
	// Files are the members, sorted by path: those in members and those in docs.
	Files []tree.File
	// Members are files of the repository and of its dependencies, docs what the
	// engine wrote.
	Members map[string]*scan.File
	Docs    map[string][]byte
	// Likened are the changed files that the document of the change does not show, as it shows their edits in others.
	Likened []string
	// Left says of files that may be archived and are not, why; omitted are the paths
	// that may not be, and what was asked for and did not fit.
	Left    map[string]scan.Exclusion
	Omitted []scan.Omission
	Why     map[string][]string
	// Costs are the tokens of members, where there is a budget.
	Costs map[string]int
	// Changes are what differs from the base, as it is told: with a saved base, in
	// what is archived.
	Changes []diff.Change
	// Fresh are the other members that the reader of the base's archive has not, by
	// path, and why each is there; dropped is what that archive held and this one does not,
	// though it was not deleted. Both are sorted.
	Fresh   []FreshMember
	dropped []string
	// Ranking is empty where rank fills nothing.
	Ranking *Ranking
	// budget is set where not every file is taken; limit and tokens are in tokens, tokens counted
	// where there is a limit.
	budget        *graph.Budget
	Limit, tokens int
	Warnings      []string
	// unlisted counts the files that the archive's map does not hold.
	unlisted int
}

// Choose decides what the archives hold: every file, or of every file what fits a
// budget; or what the basket of a context archive holds, and the engine's documents.
func Choose(o Options, v *snapshot.View, docs *Documents, before *Holdings, r *Ranking) (*Plan, error) {
	s, c := v.Sealed, v.Change
	p := everything(s)
	limit := o.budget()
	switch o.Mode {
	case job.ModeFull:
		if limit == 0 {
			break
		}
		b := fillFull(o, s, docs.Counter, r)
		p.Members, p.Left, p.Why, p.tokens, p.Limit = b.members, b.left, b.why, b.spent, limit
		if n := len(b.left); n > 0 {
			p.Warnings = []string{fmt.Sprintf("budget-tokens %d: %d files do not fit and are left out, what ranks least first", limit, n)}
		}
		budget := graph.Count(nil, b.ranked, snapshot.ChangedPaths(c.Changes), func(name string) int64 { return b.members[name].Size })
		p.budget = &budget
	case job.ModeContext, job.ModeMeta:
		b := fill(o, v, docs, r)
		docs = docs.with(b.excerpted)
		var err error
		if p, err = unpack(o, v, b, docs); err != nil {
			return nil, err
		}
		p.Limit = limit
		p.Fresh, p.dropped = before.compare(o, c, b, docs)
		if o.ranks() {
			p.Warnings = append(p.Warnings, r.notes(p, o.Stan)...)
		}
	case job.ModeAuto: // no run is in it
	}
	if kept := v.Asked.Kept; kept != nil && !bytes.Equal(kept, docs.texts[o.Stan+"/"+record.StateName]) {
		p.Warnings = append(p.Warnings, fmt.Sprintf("the archive's %s is not the one on disk, in which a credential stands: no patch of it applies", o.Stan+"/"+record.StateName))
	}
	p.Fill = o.Fill
	if v.Asked.Raw != nil {
		p.State = o.Stan + "/" + record.StateName
	}
	p.Beside = o.Beside
	p.Mode, p.Task, p.Docs, p.Likened, p.unlisted, p.Ranking = o.Mode, o.Task, docs.texts, docs.likened, docs.unlisted, r
	for _, f := range p.Members {
		p.Files = append(p.Files, f.File)
	}
	for name, b := range p.Docs {
		p.Files = append(p.Files, tree.Bytes(name, b))
	}
	sortFiles(p.Files)
	p.Changes = c.Changes
	if c.Base.Saved {
		p.Changes = sinceSaved(c.Base, p, s)
	}
	return p, nil
}

// everything takes every file that may leave.
func everything(s *snapshot.Contents) *Plan {
	p := &Plan{Members: make(map[string]*scan.File, len(s.Files)), Omitted: s.Omitted}
	for i := range s.Files {
		p.Members[s.Files[i].Path] = &s.Files[i]
	}
	return p
}

// unpack makes the plan of a basket. Of what the state names itself nothing may be
// missing on a desk; in a workflow that is a warning.
func unpack(o Options, v *snapshot.View, b *Basket, docs *Documents) (*Plan, error) {
	s, a, c := v.Sealed, v.Asked, v.Change
	p := &Plan{Members: b.members, Left: b.left, Why: b.why, tokens: b.spent, Costs: b.costs}
	for _, id := range a.Selection.IDs {
		if a.Selection.Distance(id) > 0 || p.Left[id].Reason != scan.OverBudget {
			continue
		}
		if !o.Lenient {
			return nil, job.BadInput("budget-tokens", "%d tokens do not hold what is asked for by name: %s; raise it, or ask for less", b.limit, id)
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s is asked for by name and does not fit into budget-tokens: %d", text.Name(id), b.limit))
	}
	unfit := map[string]bool{}
	for id, f := range s.Asked {
		if l := p.Left[id]; l.Reason != "" {
			unfit[id] = true
			p.Omitted = append(p.Omitted, l.Of(f))
		}
	}
	for _, x := range s.Omitted {
		if !unfit[x.Path] {
			p.Omitted = append(p.Omitted, x)
		}
	}
	slices.SortFunc(p.Omitted, func(a, b scan.Omission) int { return tree.Compare(a.Path, b.Path) })
	sizes := make(map[string]int64, len(s.Files))
	unasked := leftUnasked(o, a, docs)
	for i := range s.Files {
		f := &s.Files[i]
		sizes[f.Path] = f.Size
		if p.Members[f.Path] == nil && docs.texts[f.Path] == nil && p.Left[f.Path].Reason == "" {
			p.Left[f.Path] = unasked
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

// Ranked reports whether rank fills the budget.
func (p *Plan) Ranked() bool { return p.Fill == job.FillRank }

// CountTokens returns the tokens of what is archived, 0 where there is no budget to count them for.
func (p *Plan) CountTokens() int {
	if p.Limit > 0 {
		return p.tokens
	}
	return 0
}

// Sums are the members of archive.tar and the sha256 of each.
func (p *Plan) Sums() map[string]string {
	m := make(map[string]string, len(p.Files))
	for name, f := range p.Members {
		m[name] = f.SHA256
	}
	for name, b := range p.Docs {
		m[name] = Digest(b)
	}
	return m
}

// Digest is the sha256 of bytes in lower hex.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// sinceSaved finds what changed in the archive since a saved base. A file that is
// merely not selected any more was not deleted.
func sinceSaved(b *snapshot.Base, p *Plan, s *snapshot.Contents) []diff.Change {
	packed := make(map[string]bool, len(s.Files))
	for i := range s.Files {
		packed[s.Files[i].Path] = true
	}
	return slices.DeleteFunc(diff.Between(b.Files, snapshot.SavedEntries(p.Sums())), func(c diff.Change) bool {
		return c.Status == diff.Deleted && packed[c.Path]
	})
}

func sortFiles(files []tree.File) {
	slices.SortFunc(files, func(a, b tree.File) int { return tree.Compare(a.Path, b.Path) })
}
