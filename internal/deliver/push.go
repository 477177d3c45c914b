package deliver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// push has the registry keep the results, and returns their address by digest. It is ""
// where a pull request from a fork has no credentials, which is nobody's fault.
func push(ctx context.Context, e *job.Env, in *Options, r *Results) (string, error) {
	a := *in.Push
	tags := []string{a.Reference}
	if a.Reference == "" {
		tags = snapshot.Tags(&e.Setting, in.Scope, r.Head)
	}
	if len(tags) == 0 {
		return "", job.BadInput("push", "%s: neither a commit nor a branch is packed that a tag could be of: name one, as %s:tag", a, a)
	}
	client, err := e.OpenRegistry(a, in.Scope, e.Log.Mask)
	if err != nil {
		return "", err
	}
	files, err := pushedFiles(r)
	if err != nil {
		return "", err
	}
	facts := registry.Facts{Commit: r.Record.Head.Commit, Base: r.Record.Base.Commit, Mode: string(r.Record.Mode)}
	sum, err := client.Push(ctx, facts, files, tags)
	if errors.Is(err, registry.ErrRefused) && e.Event.Name == "pull_request" && e.Event.Pull != nil && e.Event.Pull.Fork {
		e.Log.Warn(fmt.Sprintf("not pushed to %s: %v. A pull request from a fork is given no secrets and a token that may not write; a workflow of on: workflow_run can push what it made", a, err))
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("pushing to %s: %w", a, err)
	}
	pushed := a.At(sum).String()
	e.Log.Print("\n")
	e.Log.Line("Pushed as %s", pushed)
	for _, tag := range tags {
		e.Log.Line("  %s", a.At(tag))
	}
	return pushed, nil
}

// pushedFiles are the files of the run's results. The record is without its timings, which
// alone differ between two runs on the same commit.
func pushedFiles(r *Results) ([]registry.File, error) {
	var files []registry.File
	for _, o := range r.Record.Outputs {
		files = append(files, registry.File{Name: o.Name, Size: o.SizeBytes, SHA256: o.SHA256, Open: func() (io.ReadCloser, error) {
			f, _, err := tree.OpenIn(r.Out.root, o.Name, os.O_RDONLY, 0)
			return f, err
		}})
	}
	timeless := *r.Record
	timeless.Timings = []job.Timing{}
	var b bytes.Buffer
	if err := record.Encode(&b, &timeless, r.Gate.Parts(registry.RecordName)); err != nil {
		return nil, fmt.Errorf("writing %s: %w", registry.RecordName, err)
	}
	sum := sha256.Sum256(b.Bytes())
	return append(files, registry.File{Name: registry.RecordName, Size: int64(b.Len()), SHA256: hex.EncodeToString(sum[:]), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(b.Bytes())), nil
	}}), nil
}
