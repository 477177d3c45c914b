package plan

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// Exclusion says why a file that may be archived is no member.
type Exclusion struct {
	Reason scan.Reason
	Rule   string
}

// Omission is a file that is left out.
func (l Exclusion) Omission(f *scan.File) scan.Omission {
	return scan.Omission{Path: f.Path, Reason: l.Reason, Rule: l.Rule, Size: f.Size, Type: f.Type, Category: f.Category}
}

// Why a plan leaves files out, in the words of record.json: what does not depend on the file.
var (
	leftNoRoom     = Exclusion{scan.OverBudget, "does not fit beside what comes first; raise budget-tokens, or ask for it by path"}
	leftBelowRank  = Exclusion{scan.OverBudget, "ranks too low for what is left of budget-tokens"}
	leftByRank     = Exclusion{scan.OverBudget, "does not fit into budget-tokens beside what ranks higher"}
	leftNoChange   = Exclusion{scan.NotSelected, "nothing of the change needs it: it has no text to rank by"}
	leftByMeta     = Exclusion{scan.NotSelected, "mode meta holds the map, and of the files those of the root"}
	leftUnselected = "not in the closure of "
)

// leftOfSelection is why a selected file is left out: how far it is from what is asked for.
func leftOfSelection(s *graph.Selection, f *scan.File) Exclusion {
	return Exclusion{scan.OverBudget, s.Unfit(f.Path, f.Size)}
}

// leftAsLowValue is why a file of the root is left out that costs more than it says.
func leftAsLowValue(f *scan.File) Exclusion {
	return Exclusion{scan.NotSelected, f.LowValue + ", not asked for"}
}

// leftWithExcerpt is why a file is left out of which a part is a member.
func leftWithExcerpt(stan string) Exclusion {
	return Exclusion{scan.OverBudget, "does not fit whole; a part of it stands below " + stan + "/" + strings.TrimSuffix(ExcerptFolder, "/")}
}

// leftUnasked is why a file that nothing left out is no member: what did not select it.
func leftUnasked(o Options, a *snapshot.Closure, docs *Documents) Exclusion {
	state := o.Stan + "/" + record.StateName
	switch {
	case docs.texts[o.Stan+"/"+record.ChangeName] != nil:
		return leftNoChange
	case o.Mode == job.ModeMeta:
		return leftByMeta
	case a.Raw == nil:
		return Exclusion{scan.NotSelected, leftUnselected + "the change, and there is no " + state + " that selects it"}
	}
	return Exclusion{scan.NotSelected, leftUnselected + state + " or of the change"}
}
