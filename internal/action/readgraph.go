package action

import (
	"context"

	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// search is what was found of the head before its imports are read.
type search struct {
	finder *snapshot.Finder
	found  *snapshot.Inventory
	change *snapshot.Change
	mode   job.Mode
	texts  bool // what is asked is told by the files' own texts
}

// readGraph reads the imports; nil where the graph is off or nobody asks for it, or the run is about to end.
func readGraph(ctx context.Context, e *job.Env, in *job.Inputs, s search) (*snapshot.Dependencies, error) {
	if s.texts || snapshot.WillFail(in.Secrets, s.found, s.change) {
		return nil, nil
	}
	if needed, err := plan.NeedsGraph(&in.Choice, s.mode); !needed || err != nil {
		return nil, err
	}
	options := provider.Options{StanPath: in.Stan, Cache: e.CacheDir("graph"), UsersOf: snapshot.ChangedPaths(s.change.Changes), Definitions: provider.NewDefinitions()}
	if s.mode == job.ModeFull {
		e.Begin("graph") // else it is a part of the selection
		defer e.Begin("select")
	}
	roots, err := snapshot.OpenRoots(&e.Setting, in.ExternalRoots, s.finder.Head)
	if err != nil {
		return nil, err
	}
	return s.finder.BuildGraph(ctx, roots, s.found, s.mode, options)
}
