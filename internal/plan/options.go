package plan

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

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
	// Said is what the authors of the change say of it: files that they name come first where not all of them fit.
	Said string
	// Lenient: what is asked for by name and does not fit is a warning, not an error.
	Lenient bool
	// Alone: no archive is made, so that none has what a document leaves out.
	Alone bool
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

// maxSaid bounds, in bytes, what is looked through of the authors' words.
const maxSaid = 64 << 10

// names reports whether words hold the path of a file, or its last element as a word of its own.
func names(said, file string) bool {
	base := path.Base(file)
	if len(base) < 4 {
		return false
	}
	for rest := said[:min(len(said), maxSaid)]; ; {
		i := strings.Index(rest, base)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(rest[:i])
		after, _ := utf8.DecodeRuneInString(rest[i+len(base):])
		if rest = rest[i+len(base):]; !ofName(before) && !ofName(after) {
			return true
		}
	}
}

// ofName reports whether a character may be a part of a file's name.
func ofName(r rune) bool { return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) }
