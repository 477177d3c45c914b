package action

import (
	"context"

	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// readGraph reads the imports; nil where the graph is off, or the run is about to end.
func readGraph(ctx context.Context, e *job.Env, in *job.Inputs, x *snapshot.Finder, f *snapshot.Inventory, c *snapshot.Change, mode job.Mode) (*snapshot.Dependencies, error) {
	if snapshot.WillFail(in.Secrets, f, c) {
		return nil, nil
	}
	if needed, err := plan.NeedsGraph(&in.Choice, mode); !needed || err != nil {
		return nil, err
	}
	options := provider.Options{StanPath: in.Stan, Cache: e.CacheDir("graph"), UsersOf: snapshot.ChangedPaths(c.Changes)}
	if mode == job.ModeFull {
		e.Begin("graph") // else it is a part of the selection
		defer e.Begin("select")
	}
	roots, err := snapshot.OpenRoots(&e.Setting, in.ExternalRoots, x.Head)
	if err != nil {
		return nil, err
	}
	return x.BuildGraph(ctx, roots, f, mode, options)
}
