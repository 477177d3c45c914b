// Package action is one run of the program: verbs and their flags, and the function run, which
// orders the steps. It makes none of what a step makes, and says all that it says through
// package job.
package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/secret"
)

// Command is the program. It reads and writes nothing of the process but what
// stands here, and files.
type Command struct {
	job.Process
	// Grace is how long a run may take to end by itself once it was interrupted or has
	// used up limit-seconds, 0 for 5 s. A runner waits 7.5 s.
	Grace time.Duration
}

// Run does what the arguments ask for. It says what has failed, and returns it for the
// process's exit code.
func (c *Command) Run(ctx context.Context) error {
	err := c.run(ctx)
	if err == nil {
		return nil
	}
	said := make(chan struct{})
	go func() {
		defer close(said)
		c.Fail(ctx, err)
	}()
	// What the run waits for may be whoever reads its words.
	if left := (*leftError)(nil); !errors.As(err, &left) {
		select {
		case <-said:
			return err
		case <-ctx.Done():
		}
	}
	select {
	case <-said:
	case <-time.After(c.grace()):
	}
	return err
}

// grace is Grace, or what it stands for.
func (c *Command) grace() time.Duration { return cmp.Or(c.Grace, 5*time.Second) }

// leftError is a run that did not end by itself when it had to, wherever it waits. What it
// has in place is whole; the process has to end.
type leftError struct{ err error }

func (e *leftError) Error() string { return e.err.Error() }
func (e *leftError) Unwrap() error { return e.err }

// ended runs f until it ends, or has not for a while after ctx has.
func (c *Command) ended(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(c.grace()):
		return &leftError{fmt.Errorf("interrupted where it waited: %w", ctx.Err())}
	}
}

func (c *Command) run(ctx context.Context) error {
	asked, err := parseArgs(c.Args)
	if err != nil {
		return c.refused(err)
	}
	v, o := asked.verb, asked.options
	if v.name == "" && v.run != nil {
		if err := asked.aim(&c.Process); err != nil {
			return c.refused(err)
		}
	}
	if o.json && v.name != "" && (v.raw || v.speaks) {
		return c.refused(job.UsageError("%s prints what is read by a program already: it has no --json", v.name))
	}
	if v.tell != nil {
		words, err := v.tell(&page{call: asked, process: &c.Process})
		if err != nil {
			return c.refused(err)
		}
		if v.raw {
			return c.Results([]byte(words))
		}
		return c.Print(words)
	}
	in, err := job.ParseInputs(asked.inputs, c.Getenv)
	if err != nil {
		return c.refused(err)
	}
	c.Verbose = o.verbose
	e, err := job.Open(&c.Process, in.Token, in.SecretsLevel, o.printsResult() || v.speaks)
	if err != nil {
		return err
	}
	if err := trust(e, in.CACertificates); err != nil {
		return c.refused(err)
	}
	keepMemory(c.Getenv, in.LimitMemoryBytes)
	over := fmt.Errorf("not done after %d seconds, which is limit-seconds", in.LimitSeconds)
	if !v.lasts {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(in.LimitSeconds)*time.Second, over)
		defer cancel()
	}
	err = c.ended(ctx, func() error { return v.run(ctx, e, in, o) })
	var left *leftError
	stays := errors.As(err, &left)
	if !stays {
		e.Log.Settle() // of a verb that ended before a run, or is none
	}
	switch {
	case err == nil:
		return nil
	case stays && context.Cause(ctx) == over:
		err = &leftError{over}
	case context.Cause(ctx) == over:
		return over
	}
	if stays {
		e.Forsake()
		return err
	}
	return job.Screened(e.Log.Screener, err)
}

// keepMemory has the collector keep within a limit, of which a seventh is left to the program itself, and to what is
// allocated while it collects. GOMEMLIMIT in the environment wins, and so does a container's limit that is lower.
func keepMemory(getenv func(string) string, limit int64) {
	if limit = limit / 7 * 6; getenv("GOMEMLIMIT") == "" && limit < debug.SetMemoryLimit(-1) {
		debug.SetMemoryLimit(limit)
	}
}

// refused screens a mistake on the command line, before there is anything else.
func (c *Command) refused(err error) error {
	s, failed := job.NewScreener(c.Getenv, "", secret.Balanced)
	if failed != nil {
		return failed
	}
	return job.Screened(s, err)
}
