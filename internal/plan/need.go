package plan

import (
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// NeedsGraph reports whether the run reads imports: all do, but for one whose graph is off.
func NeedsGraph(in *job.Choice, mode job.Mode) (bool, error) {
	if mode != job.ModeFull && in.NoGraph {
		return false, job.BadInput("graph", "off: mode %s needs the graph; use auto, or mode: full", mode)
	}
	return !in.NoGraph, nil
}

// Ranks reports whether the files that the change needs fill the archive. unasked: nothing
// else says what it is to hold.
func Ranks(in *job.Choice, c *snapshot.Change, mode job.Mode, unasked bool) bool {
	if mode == job.ModeFull {
		return ranksAll(in, c)
	}
	if mode == job.ModeContext && in.Task != "" {
		return in.Fill != job.FillNone
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
