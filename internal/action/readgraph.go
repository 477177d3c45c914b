package action

import (
	"context"

	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/graph/typescript"
	"github.com/haversack-dev/haversack/internal/job"
)

// readGraph reads the imports, where something asks for them; nil where nothing does.
func readGraph(ctx context.Context, e *job.Env, in *job.Inputs, x *finder, f *found, c *change, mode job.Mode) (*dependencies, error) {
	if doomed(in.Secrets, f, c) {
		return nil, nil
	}
	shown := pictured(&e.Setting, in.Comment, c)
	if needed, err := needsGraph(&in.Choice, f, c, mode, shown); !needed || err != nil {
		return nil, err
	}
	options := provider.Options{StanPath: in.Stan, Cache: e.CacheDir("graph"), UsersOf: paths(c.changes)}
	if mode == job.ModeFull {
		e.Begin("graph") // else it is a part of the selection
		defer e.Begin("select")
		if !shown && !ranksAll(&in.Choice, c) {
			options.Only = []string{typescript.Provider.Name}
		}
	}
	roots, err := openRoots(&e.Setting, in.ExternalRoots, x.h)
	if err != nil {
		return nil, err
	}
	return buildGraph(ctx, roots, x.h, f, options)
}
