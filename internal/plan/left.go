package plan

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// LeftByOnly is why a pack leaves out what include-only does not name.
var LeftByOnly = scan.Exclusion{Reason: scan.NotSelected, Rule: "include-only"}

// Why a plan leaves files out, in the words of record.json: what does not depend on the file.
var (
	leftNoRoom     = scan.Exclusion{Reason: scan.OverBudget, Rule: "does not fit beside what comes first; raise budget-tokens, or ask for it by path"}
	leftBelowRank  = scan.Exclusion{Reason: scan.OverBudget, Rule: "ranks too low for what is left of budget-tokens"}
	leftByRank     = scan.Exclusion{Reason: scan.OverBudget, Rule: "does not fit into budget-tokens beside what ranks higher"}
	leftNoChange   = scan.Exclusion{Reason: scan.NotSelected, Rule: "nothing of the change needs it: it has no text to rank by"}
	leftNoTask     = scan.Exclusion{Reason: scan.NotSelected, Rule: "nothing of the task needs it: it has no text to rank by"}
	leftByMeta     = scan.Exclusion{Reason: scan.NotSelected, Rule: "mode meta holds the map, and of the files those of the root"}
	leftUnselected = "not in the closure of "
)

// leftOfSelection is why a selected file is left out: how far it is from what is asked for.
func leftOfSelection(s *graph.Selection, f *scan.File) scan.Exclusion {
	return scan.Exclusion{Reason: scan.OverBudget, Rule: s.Unfit(f.Path, f.Size)}
}

// leftAsLowValue is why a file of the root is left out that costs more than it says.
func leftAsLowValue(f *scan.File) scan.Exclusion {
	return scan.Exclusion{Reason: scan.NotSelected, Rule: f.LowValue + ", not asked for"}
}

// leftWithExcerpt is why a file is left out of which a part is a member.
func leftWithExcerpt(stan string) scan.Exclusion {
	return scan.Exclusion{Reason: scan.OverBudget, Rule: "does not fit whole; a part of it stands below " + stan + "/" + strings.TrimSuffix(ExcerptFolder, "/")}
}

// leftUnasked is why a file is no member though no rule leaves it out: it names what did not select the file.
func leftUnasked(o Options, a *snapshot.Closure, docs *Documents) scan.Exclusion {
	state := o.Stan + "/" + record.StateName
	switch {
	case docs.texts[o.Stan+"/"+record.ChangeName] != nil:
		return leftNoChange
	case o.Mode == job.ModeContext && o.Task != "":
		return leftNoTask
	case o.Mode == job.ModeMeta:
		return leftByMeta
	case a.Raw == nil:
		return scan.Exclusion{Reason: scan.NotSelected, Rule: leftUnselected + "the change, and there is no " + state + " that selects it"}
	}
	return scan.Exclusion{Reason: scan.NotSelected, Rule: leftUnselected + state + " or of the change"}
}
