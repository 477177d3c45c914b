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

// packShowVerb checks a pack against its schema and prints it for people, or in another of its forms.
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
		return job.WithCode(fmt.Errorf("%w; name a pack, as a run leaves it: .stan/output/pack.json", err), job.ExitInput)
	}
	defer f.Close()
	if fi.Size() > pack.MaxRead {
		return job.WithCode(fmt.Errorf("%s: larger than %d bytes", o.args[1], pack.MaxRead), job.ExitInput)
	}
	if to := o.form(); to != "" {
		text, err := convert(e, f, to)
		if err != nil {
			return job.WithCode(fmt.Errorf("%s: %w", o.args[1], err), job.ExitInput)
		}
		return e.Results(text)
	}
	if err := e.Tell(func(w io.Writer) error { return pack.Show(w, f) }); err != nil {
		return job.WithCode(fmt.Errorf("%s: %w", o.args[1], err), job.ExitInput)
	}
	return nil
}

// convert reads a pack and returns it in a form, screened as all that is printed.
func convert(e *job.Env, f io.Reader, to pack.Format) ([]byte, error) {
	first := to
	if to == pack.Msgpack {
		first = pack.JSON // MessagePack is no text, which the screen reads
	}
	var b bytes.Buffer
	if err := pack.Convert(&b, f, first); err != nil {
		return nil, err
	}
	text := []byte(e.Screener.Clean(b.String()))
	if to == pack.Msgpack {
		return pack.MessagePack(text)
	}
	return text, nil
}

// form is the form in which a pack is asked for, "" for that for people.
func (o *options) form() pack.Format {
	switch {
	case o.markdown:
		return pack.Markdown
	case o.msgpack:
		return pack.Msgpack
	case o.json:
		return pack.JSON
	}
	return ""
}
