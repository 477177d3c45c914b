package serve

import (
	"context"
	"fmt"
	"slices"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/review"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// ImpactArguments are those of impact.
type ImpactArguments struct {
	Commit string `json:"commit,omitempty" jsonschema:"a commit, against the one before it; what is changed in the worktree if it is not given"`
	Base   string `json:"base,omitempty" jsonschema:"what the change is measured against; as a run decides if it is not given"`
	Room
}

func (in ImpactArguments) aim() (commit, base string) { return in.Commit, in.Base }

// Bounds of what is told of a change.
const (
	// maxTouched bounds the changed definitions whose users are looked for.
	maxTouched = 60
	// maxUntied bounds the files that name one and may mean another.
	maxUntied = 30
)

// impact answers what a change touches: definitions, who uses them, and the tests that reach them.
func (x *Server) impact(_ context.Context, s *sight, _ ImpactArguments) (*Answer, error) {
	c := s.view.Change
	a := &Answer{Complete: true, Searched: "the change against " + c.Base.Reason}
	if c.Base.None || c.Base.Root == nil {
		return nil, fmt.Errorf("base: there is nothing to measure a change against: %s", c.Base.Reason)
	}
	patches, err := snapshot.DrawPatches(s.view.Sealed, c)
	if err != nil {
		return nil, err
	}
	view := *s.view
	view.Patches = patches
	changed := map[string]bool{}
	for i := range patches {
		changed[patches[i].Change.Path] = true
	}
	var touched []lookup.Definition
	at := map[int]int{} // the row behind which the users of each stand
	for i := range patches {
		p := &patches[i]
		a.Rows = append(a.Rows, Row{Path: p.Change.Path, Kind: "changed", Why: fate(p), Test: language.IsTest(p.Change.Path)})
		f := s.index.File(p.Change.Path)
		if f == nil || p.Change.Status == diff.Deleted {
			continue
		}
		found, err := lookup.Define(f)
		if err != nil {
			return nil, err
		}
		for _, d := range innermost(found, diff.Touched(p.Text)) {
			row := rowOf(d, "changed")
			row.Test = language.IsTest(d.Path)
			a.Rows = append(a.Rows, row)
			touched = append(touched, d)
			at[len(touched)-1] = len(a.Rows)
		}
	}
	if n := len(touched); n > maxTouched {
		a.Complete = false
		a.Notes = append(a.Notes, fmt.Sprintf("users are told of the first %d of %d changed definitions", maxTouched, n))
		touched = touched[:maxTouched]
	}
	used, err := s.outside(touched, changed)
	if err != nil {
		return nil, err
	}
	all := lookup.Usage{}
	var untied []Row // behind all else: they are the first to be cut
	var unread []string
	for i := len(touched) - 1; i >= 0; i-- {
		rows, err := s.told(used[i].Users, 1)
		if err != nil {
			return nil, err
		}
		for k := range rows {
			rows[k].Why = "names " + touched[i].Name + ", " + rows[k].Why
		}
		s.sortUsers(rows)
		tied := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Unsure })
		a.Rows = slices.Insert(a.Rows, at[i], tied...)
		untied = append(slices.DeleteFunc(rows, func(r Row) bool { return !r.Unsure }), untied...)
		all.Others += used[i].Others
		all.Spoken += used[i].Spoken
		all.Elsewhere += used[i].Elsewhere
		all.Renamed = append(all.Renamed, used[i].Renamed...)
		unread = append(unread, used[i].Unread...)
	}
	x.reach(a, review.New(&view, c.Changes))
	if n := len(untied); n > maxUntied {
		a.Complete = false
		a.Notes = append(a.Notes, fmt.Sprintf("%d of %d rows are not told of files that name what changed, and that no import ties to it: references tells them", n-maxUntied, n))
		untied = untied[:maxUntied]
	}
	a.Rows = append(a.Rows, untied...)
	a.account(&all)
	if len(c.Changes) == 0 {
		a.Notes = append(a.Notes, "Nothing is changed")
	}
	a.Unknown, err = s.unread()
	slices.Sort(unread)
	a.Unknown = append(a.Unknown, slices.Compact(unread)...)
	return a, err
}

// fate is what became of a changed file.
func fate(p *snapshot.FilePatch) string {
	said := "changed"
	switch p.Change.Status {
	case diff.Added:
		said = "added"
	case diff.Deleted:
		said = "deleted"
	case diff.Renamed:
		said = "moved from " + p.Change.OldPath
	case diff.TypeChanged:
		said = "of another type"
	case diff.Modified:
	}
	if p.Counted {
		said += fmt.Sprintf(", %d lines added, %d taken away", p.Added, p.Removed)
	}
	return said
}

// innermost are the definitions that hold touched lines: of those that hold each other the inner ones.
func innermost(found []lookup.Definition, touched []int) (list []lookup.Definition) {
	for i, d := range found {
		at, _ := slices.BinarySearch(touched, d.From)
		if at == len(touched) || touched[at] > d.End {
			continue
		}
		inner := slices.ContainsFunc(found[i+1:], func(o lookup.Definition) bool {
			n, _ := slices.BinarySearch(touched, o.From)
			return o.From >= d.From && o.End <= d.End && n < len(touched) && touched[n] <= o.End
		})
		if !inner {
			list = append(list, d)
		}
	}
	return list
}

// outside are the users of changed definitions in files that the change does not touch, tied to them or not.
func (s *sight) outside(touched []lookup.Definition, changed map[string]bool) ([]lookup.Usage, error) {
	subjects := make([]*lookup.Subject, 0, len(touched))
	for _, d := range touched {
		subjects = append(subjects, lookup.NewSubject(d.Name, []lookup.Definition{d}))
	}
	used, err := s.index.Users(subjects, func(t lookup.Tie) bool { return t != lookup.Itself })
	for i := range used {
		used[i].Users = slices.DeleteFunc(used[i].Users, func(u lookup.User) bool { return changed[u.Path] })
	}
	return used, err
}

// reach adds which tests reach what changed, how to run them, and what none reaches.
func (x *Server) reach(a *Answer, r *review.Review) {
	if r == nil {
		return
	}
	for _, t := range r.Reach.Tests {
		a.Rows = append(a.Rows, Row{Path: t, Kind: "test", Why: "reaches a changed function by its name", Test: true})
	}
	for _, f := range r.Reach.Unnamed {
		a.Rows = append(a.Rows, Row{Path: f.Path, Line: f.Line, Name: f.Name, Kind: "untested", Why: "no test reaches it by its name"})
	}
	for _, c := range r.Reach.Commands {
		a.Notes = append(a.Notes, "Tests are run by: "+c)
	}
	if n := r.Reach.Unknown; n > 0 {
		a.Complete = false
		a.Notes = append(a.Notes, fmt.Sprintf("of %d changed functions it is not known which tests reach them", n))
	}
	if r.Unread > 0 {
		a.Complete = false
		a.Notes = append(a.Notes, fmt.Sprintf("%d changed files are more than are compared", r.Unread))
	}
}
