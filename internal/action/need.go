package action

import (
	"slices"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph/typescript"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// needsGraph reports whether something asks for the graph: a selection, a summary,
// or the picture in a comment.
func needsGraph(in *job.Choice, f *snapshot.Inventory, c *snapshot.Change, mode job.Mode, pictured bool) (bool, error) {
	switch {
	case mode != job.ModeFull && in.NoGraph:
		return false, job.BadInput("graph", "off: mode %s needs the graph; use auto, or mode: full", mode)
	case mode != job.ModeFull:
		return true, nil
	case in.NoGraph:
		return false, nil
	}
	if pictured || ranksAll(in, c) {
		return true, nil
	}
	if !slices.ContainsFunc(f.Files, func(f scan.File) bool { return summarised(f.Path) }) {
		return false, nil
	}
	switch in.Pack {
	case job.PackSummary, job.PackBoth:
		return true, nil
	case job.PackAuto, job.PackChange:
		// What Seal redacts besides changes few bytes. Where these decide, a summary
		// goes without the graph.
		choice, err := pack.NewBuilder(&pack.Source{Snapshot: &scan.Snapshot{Files: f.Files, Omitted: f.Omitted}, Limits: in.Limits}).Type()
		if err != nil {
			return false, packFault("choosing the pack", err)
		}
		return choice == pack.TypeSummary, nil
	case job.PackFull, job.PackNone:
	}
	return false, nil
}

// pictured reports whether the comment shows what the change touches.
func pictured(e *job.Setting, comment job.When, c *snapshot.Change) bool {
	return comment != job.WhenNever && e.Workflow && e.Event.Number != 0 && slices.ContainsFunc(c.Changes, func(c diff.Change) bool { return snapshot.HasGraph(c.Path) })
}

// summarised reports whether a summary tells what files of this name offer. Of other
// languages it reads the files itself: their graph costs more than the summary.
func summarised(name string) bool { return typescript.Provider.Claims(name) }

// ranks reports whether the files that the change needs fill the archive. unasked: nothing
// else says what it is to hold.
func ranks(in *job.Choice, c *snapshot.Change, mode job.Mode, unasked bool) bool {
	if mode == job.ModeFull {
		return ranksAll(in, c)
	}
	if mode != job.ModeContext || c.Base.Root == nil || len(c.Changes) == 0 || in.Fill == job.FillNone {
		return false // without the base's files there is no change to rank by
	}
	return in.Fill == job.FillRank || unasked
}

// ranksAll reports whether the change says what of all files is taken within a budget.
func ranksAll(in *job.Choice, c *snapshot.Change) bool {
	return bounded(in.BudgetTokens) && c.Base.Root != nil && len(c.Changes) > 0 && in.Fill != job.FillNone
}
