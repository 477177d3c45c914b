package plan

import (
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
)

// Options says what a plan is to hold.
type Options struct {
	// Mode is full, context or meta.
	Mode job.Mode
	// Fill is job.FillRank where the files that the change needs fill the budget, else
	// job.FillNone.
	Fill job.Fill
	// Stan is the engine's folder, and Include what is taken whatever else is.
	Stan    string
	Include scan.Patterns
	// Map says which files the map names.
	Map job.MapDetail
	// BudgetTokens is the budget that was asked for, nil for none.
	BudgetTokens *int
	// History is how many commits before the change count for the rank.
	History int
	// Task is what is to be done, in words; "" for a change.
	Task string
	// Beside is a task that is asked beside a change; "" for none.
	Beside string
	// Lenient: what is asked for by name and does not fit is a warning, not an error.
	Lenient bool
}

// DefaultBudget is the budget of a change in context mode, in tokens.
const DefaultBudget = 128_000

// budget is the budget in tokens, 0 without one.
func (o Options) budget() int {
	switch {
	case o.BudgetTokens != nil:
		return *o.BudgetTokens
	case o.ranks():
		return DefaultBudget
	}
	return 0
}

// ranks reports whether the files that the change needs fill the budget.
func (o Options) ranks() bool { return o.Fill == job.FillRank }
