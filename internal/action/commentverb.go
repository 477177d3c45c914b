package action

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/deliver"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// commentVerb posts the comment of a record that was made elsewhere: in the
// workflow of a fork's pull request, whose token may not comment. Of the record
// only numbers, hashes and known words are used; which pull request it is about
// is asked of the API. A request that has moved on since, or one that cannot be told
// from another, is left alone, and a line says so.
func commentVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if o.record == "" || len(o.args) > 0 {
		return job.UsageError("comment needs --record FILE")
	}
	name := o.record
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.Workspace(), name)
	}
	t, err := record.ReadTally(name)
	if err != nil {
		return err
	}
	number, err := pullOfRun(ctx, e, in)
	if errors.Is(err, forge.ErrSuperseded) || errors.Is(err, forge.ErrAmbiguous) {
		e.Log.Line("Not commented: %v", err)
		if o.json {
			return printJSON(e, &deliver.Posting{PullRequest: number, Action: "none", Why: err.Error()})
		}
		return nil
	}
	if err != nil {
		return err
	}
	always := *in
	always.Comment = "always"
	there, up := runOf(e)
	r := &report.Report{Tally: *t, Stan: in.Stan, Links: there}
	body, quiet := r.Markdown(false, up), in.Comment != job.WhenAlways && r.Quiet()
	if quiet && !r.Empty() {
		body = r.Line(up)
	}
	posted, err := deliver.PostComment(ctx, e, newDeliveryOptions(&always, new(options)), deliver.Comment{Number: number, Body: body, Quiet: r.WhySilent(quiet)})
	if err != nil || !o.json {
		return err
	}
	return printJSON(e, &posted)
}

// runOf is where the artifacts of the run lie that the event is about.
func runOf(e *job.Env) (report.Links, artifact.Result) {
	repository := e.Getenv("GITHUB_REPOSITORY")
	if e.Event.RunID <= 0 || !snapshot.OwnerAndName.MatchString(repository) {
		return report.Links{}, artifact.Result{}
	}
	run := strconv.FormatInt(e.Event.RunID, 10)
	return report.Links{Run: run, Repository: repository},
		artifact.Result{Name: "the run's artifacts", URL: e.Server().JoinPath(repository, "actions", "runs", run).String()}
}

// pullOfRun finds the pull request that the event is about: by the API, when the
// event is another run's end, because what the payload lists may have moved on.
func pullOfRun(ctx context.Context, e *job.Env, in *job.Inputs) (int, error) {
	if e.Event.RunHead == "" {
		if e.Event.Number > 0 {
			return e.Event.Number, nil
		}
		return 0, errors.New("finding the pull request: the event is about no run and no pull request (use on: workflow_run)")
	}
	client, err := e.Forge(in.Token)
	if err != nil {
		return 0, fmt.Errorf("finding the pull request: %w", err)
	}
	p, err := client.PullOf(ctx, e.Event.Repository, forge.Origin{Commit: e.Event.RunHead, Branch: e.Event.RunBranch, Repository: e.Event.RunRepository})
	return p.Number, err
}
