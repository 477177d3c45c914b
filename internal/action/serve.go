package action

import (
	"context"
	"os"

	"github.com/spf13/pflag"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/serve"
)

// serveVerb answers a model's questions until its client closes, or it is interrupted.
func serveVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if len(o.args) > 0 {
		return job.UsageError("serve takes no arguments")
	}
	r := serve.NewRepository(e, in)
	defer r.Close()
	return serve.NewServer(e, r).Stdio(ctx, os.Stdin, e.Stdout)
}

func serveFlags(*pflag.FlagSet, *options) {}
