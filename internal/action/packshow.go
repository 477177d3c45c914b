package action

import (
	"bytes"
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
	show := func() error { return e.Tell(func(w io.Writer) error { return pack.Show(w, f) }) }
	if o.json { // the pack itself, once it is known to be one
		show = func() error {
			var raw bytes.Buffer
			if err := pack.Show(io.Discard, io.TeeReader(f, &raw)); err != nil {
				return err
			}
			return e.Results([]byte(e.Screener.Clean(raw.String())))
		}
	}
	if err := show(); err != nil {
		return job.WithCode(fmt.Errorf("%s: %w", o.args[1], err), job.ExitInput)
	}
	return nil
}
