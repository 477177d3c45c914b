package serve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	touched, at, err := s.touched(a, patches)
	if err != nil {
		return nil, err
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
			rows[k].Why = "names " + touched[i][0].Name + ", " + rows[k].Why
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
	leading, err := s.leading(patches, changed)
	if err != nil {
		return nil, err
	}
	a.Rows = append(a.Rows, leading...)
	x.reach(a, review.New(&view, c.Changes))
	if n := len(untied); n > maxUntied {
		a.Complete = false
		a.Notes = append(a.Notes, fmt.Sprintf("left out are %d of %d files that name what changed, and that no import ties to it: references lists them", n-maxUntied, n))
		untied = untied[:maxUntied]
	}
	a.Rows = append(a.Rows, untied...)
	a.account(&all)
	if len(c.Changes) == 0 {
		a.Notes = append(a.Notes, "Nothing is changed")
	}
	a.Unknown, err = s.unreadBeside(slices.Sorted(maps.Keys(changed))...)
	slices.Sort(unread)
	a.Unknown = append(a.Unknown, slices.Compact(unread)...)
	return a, err
}

// touched adds the changed files and their changed definitions, those that are taken away first, and lists these, those together whose users
// are the same: told of each they would be counted twice. at are the rows behind which the users of each belong.
func (s *sight) touched(a *Answer, patches []snapshot.FilePatch) (list [][]lookup.Definition, at []int, err error) {
	broken, err := s.index.Broken()
	if err != nil {
		return nil, nil, err
	}
	place := map[string]int{}
	add := func(d lookup.Definition, row Row) {
		a.Rows = append(a.Rows, row)
		key := usedAs(d)
		i, ok := place[key]
		if ok {
			list[i] = append(list[i], d)
			return
		}
		place[key] = len(list)
		list = append(list, []lookup.Definition{d})
		at = append(at, len(a.Rows))
	}
	for i := range patches {
		p := &patches[i]
		a.Rows = append(a.Rows, Row{Path: p.Change.Path, Kind: "changed", Why: fate(p), Test: language.IsTest(p.Change.Path)})
		var found []lookup.Definition
		if f := s.index.File(p.Change.Path); f != nil && p.Change.Status != diff.Deleted {
			if found, err = lookup.Define(f); err != nil {
				return nil, nil, err
			}
		}
		gone, known := s.gone(p, found)
		if slices.Contains(broken, p.Change.Path) {
			gone = nil // what it still defines is not known, as the answer says
		}
		if !known {
			a.Complete = false
			a.Notes = append(a.Notes, fmt.Sprintf("What %s defined before is not known: who uses what was taken away is not told", p.Change.Path))
		}
		for _, d := range gone {
			add(d, Row{Path: d.Path, Name: d.Name, Kind: "removed", Why: fmt.Sprintf("a %s of line %d of the base", d.Kind, d.Line), Test: language.IsTest(d.Path)})
		}
		for _, d := range innermost(found, diff.Touched(p.Text)) {
			row := rowOf(d, "changed")
			row.Test = language.IsTest(d.Path)
			add(d, row)
		}
	}
	return list, at, nil
}

// usedAs is the same of definitions whose users are the same lines: those of one name in a file, and, in C, those that one file declares and
// another defines, or a copy of it.
func usedAs(d lookup.Definition) string {
	within := d.Path
	if l := language.Of(d.Path); l != nil && l.Family == "C" {
		within = l.Family
	}
	return fmt.Sprintf("%s %s %v", within, d.Name, d.Kind == "constructor")
}

// gone are the definitions of a changed file's base that it has no longer, the members of types behind the others; known is false where the
// base's text may not be shown, or does not parse.
func (s *sight) gone(p *snapshot.FilePatch, now []lookup.Definition) (list []lookup.Definition, known bool) {
	was := cmp.Or(p.Change.OldPath, p.Change.Path)
	if p.Change.Status == diff.Added || !lookup.Defines(was) {
		return nil, true
	}
	content, ok := s.view.Change.TextBefore(s.view.Sealed, was)
	if !ok {
		return nil, false
	}
	before, err := lookup.DefineText(was, content)
	if err != nil {
		return nil, false
	}
	told := map[string]bool{}
	for _, d := range now {
		told[d.Name] = true
	}
	for _, d := range before {
		if !told[d.Name] && d.Kind != "test" {
			told[d.Name] = true
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b lookup.Definition) int {
		return compareBool(strings.Contains(a.Name, "."), strings.Contains(b.Name, "."))
	})
	return list, true
}

// leading are the lines of unchanged files that import, or name with its ending, a path which is no more: who imported it has no edge to it.
func (s *sight) leading(patches []snapshot.FilePatch, changed map[string]bool) (rows []Row, err error) {
	var gone []string
	for i := range patches {
		switch c := &patches[i].Change; c.Status {
		case diff.Deleted:
			gone = append(gone, c.Path)
		case diff.Renamed:
			gone = append(gone, c.OldPath)
		case diff.Added, diff.Modified, diff.TypeChanged:
		}
	}
	found, err := s.index.Leading(gone)
	if err != nil {
		return nil, err
	}
	for _, l := range found {
		if changed[l.From] {
			continue
		}
		row, err := s.leadRow(l, "names "+l.To+", which is no more")
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
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
		said += ", " + count(p.Added, "line", "lines") + fmt.Sprintf(" added, %d taken away", p.Removed)
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
func (s *sight) outside(touched [][]lookup.Definition, changed map[string]bool) ([]lookup.Usage, error) {
	subjects := make([]*lookup.Subject, 0, len(touched))
	for _, list := range touched {
		subjects = append(subjects, lookup.NewSubject(list[0].Name, list))
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
