package action

import (
	"context"
	"errors"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// settle returns the inputs with what stands elsewhere: the list on standard input, the task, and
// what files of defaults give, each of which is named before it is used. Where the head may be anybody's it is the base's file that counts: the base is found
// first then, and returned; else that is nil.
func settle(ctx context.Context, e *job.Env, in *job.Inputs, head *snapshot.Head) (settled *job.Inputs, base *snapshot.Base, warnings []string, err error) {
	if in, err = withOnly(in); err != nil {
		return nil, nil, nil, err
	}
	if in, err = withTask(e, in); err != nil {
		return nil, nil, nil, err
	}
	// What a thread was handed, and a saved snapshot, have no files.
	if snapshot.Foreign(&e.Setting) && in.Which != job.DefaultsOff && in.Base != job.BaseSession && in.Base != job.BaseSaved {
		e.Begin("base")
		base, err = snapshot.NewFinder(&e.Setting, &in.Scope, head).Base(ctx, "")
		if errors.Is(err, diff.ErrNothingToDo) {
			return in, nil, nil, nil // as is found once more
		}
		if err != nil {
			return nil, nil, nil, err
		}
	}
	settled, warnings, err = snapshot.WithDefaults(ctx, &e.Setting, in, head, base)
	if err != nil {
		base.Close()
		return nil, nil, nil, err
	}
	e.Log.NameDefaults(settled)
	return settled, base, warnings, nil
}
