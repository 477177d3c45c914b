package action

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/tree"
)

// packShowVerb checks a pack against its schema and prints it for people.
func packShowVerb(_ context.Context, e *job.Env, _ *job.Inputs, o *options) error {
	if len(o.args) != 2 || o.args[0] != "show" {
		return job.UsageError("pack needs show and a file")
	}
	name := o.args[1]
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.Workspace(), name)
	}
	f, fi, err := tree.OpenRegular(name)
	if err != nil {
		return job.WithCode(err, job.ExitInput)
	}
	defer f.Close()
	if fi.Size() > pack.MaxRead {
		return job.WithCode(fmt.Errorf("%s: larger than %d bytes", o.args[1], pack.MaxRead), job.ExitInput)
	}
	if err := e.Tell(func(w io.Writer) error { return pack.Show(w, f) }); err != nil {
		return job.WithCode(fmt.Errorf("%s: %w", o.args[1], err), job.ExitInput)
	}
	return nil
}
