package deliver

import (
	"context"
	"errors"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// NewLinks says where the files of head and base can be seen. foreign: another repository
// than the workflow's is packed.
func NewLinks(e *job.Setting, h *snapshot.Head, foreign bool, base string) report.Links {
	l := report.Links{Run: e.Getenv("GITHUB_RUN_ID"), Repository: e.Getenv("GITHUB_REPOSITORY")}
	if !e.Workflow || !snapshot.OwnerAndName.MatchString(l.Repository) || foreign || h.Repo == nil {
		return l
	}
	at := h.Commit.SHA
	if p := e.Event.Pull; p != nil && p.HeadSHA != "" {
		at = p.HeadSHA // a test merge is forgotten soon
	}
	blob := e.Server().JoinPath(l.Repository, "blob").String() + "/"
	l.Head = blob + at + "/"
	if base != "" {
		l.Base = blob + base + "/"
	}
	return l
}

// comment keeps the pull request's comment current. A refusal is one line of
// the log, unless the input says always.
func comment(ctx context.Context, e *job.Env, in *Options, r *Results, up artifact.Result) error {
	if in.Comment == job.WhenNever || !e.Workflow {
		return nil
	}
	if e.Event.Number == 0 {
		if in.Comment == job.WhenAlways {
			return errors.New("input comment: always: this run is about no pull request, or what it packs is no view of it")
		}
		return nil
	}
	quiet := in.Comment != job.WhenAlways && r.Report.Quiet()
	body, err := r.Report.Talk(r.Gate, "comment", up, quiet)
	if err != nil {
		return err
	}
	_, err = PostComment(ctx, e, in, Comment{e.Event.Number, body, r.Report.WhySilent(quiet)})
	return err
}

// Comment is what this job writes on a pull request.
type Comment struct {
	Number int // the request's
	Body   string
	// Quiet says why there is nothing to say, "" where there is.
	Quiet string
}

// Posting is what became of a comment.
type Posting struct {
	PullRequest int    `json:"pull_request"`
	Action      string `json:"action"` // "created", "updated", "unchanged", or "none"
	URL         string `json:"url,omitempty"`
	Why         string `json:"why,omitempty"` // of none
}

// PostComment creates or updates the comment of this job. Where there is nothing to say it makes no comment, and a comment that is there
// already says so.
func PostComment(ctx context.Context, e *job.Env, in *Options, c Comment) (Posting, error) {
	none := Posting{PullRequest: c.Number, Action: "none"}
	client, err := e.Forge(in.Token)
	if err == nil {
		// It stands in the comment, where it cannot be seen.
		key := e.Log.Screener.Clean(strings.Join([]string{e.Getenv("GITHUB_WORKFLOW"), e.Getenv("GITHUB_JOB"), in.CommentKey}, "/"))
		say := client.Upsert
		if c.Quiet != "" {
			say = client.Update
		}
		var done forge.Comment
		if done, err = say(ctx, c.Number, key, c.Body); err == nil {
			if done.Action == "" {
				e.Log.Line("Not commented: %s.", c.Quiet)
				none.Why = c.Quiet
				return none, nil
			}
			e.Log.Line("Comment %s: %s", done.Action, done.URL)
			return Posting{PullRequest: c.Number, Action: done.Action, URL: done.URL}, nil
		}
	}
	if in.Comment == job.WhenAlways {
		return none, err
	}
	e.Log.Line("Not commented: %v", err)
	none.Why = err.Error()
	return none, nil
}
