package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Event is what started a workflow, as far as the base of its change depends
// on it. Everything in it is what somebody else says: ids that are no commit
// ids are dropped when it is read, and the base is checked against HEAD.
type Event struct {
	// Name of the event, "" on a desk.
	Name string
	// Ref that started the run, such as refs/heads/main or refs/tags/v1.
	Ref string
	// Default is the repository's default branch, "" when unknown.
	Default string

	Action string
	// Before and After of a push.
	Before, After   string
	Forced, Deleted bool
	// Pull is the pull request that the event is about; nil if there is none, or
	// only its number is known.
	Pull *Pull
	// Number of the pull request, 0 without one.
	Number int
	// MergeGroupBase is the commit that a merge group builds on.
	MergeGroupBase string
	// Run is the event of the run that a workflow_run is about, and its head.
	Run, RunHead string
}

// Pull is a pull request as an event or the API describes it.
type Pull struct {
	Number           int
	BaseSHA, HeadSHA string
	BaseRef          string
	Merged           bool
	MergeCommit      string
}

// MaxPayload is the most bytes of an event's payload that are read; GitHub's
// own limit for webhooks is 25 MB.
const MaxPayload = 32 << 20

var commitID = regexp.MustCompile(`^[0-9a-f]{40}$`)

const noCommit = "0000000000000000000000000000000000000000"

// ParseEvent reads an event's payload. An empty payload is no error: act sends
// one.
func ParseEvent(name, ref string, payload []byte) (Event, error) {
	e := Event{Name: name, Ref: ref}
	if len(payload) > MaxPayload {
		return e, fmt.Errorf("reading the event's payload: larger than %d bytes", MaxPayload)
	}
	if len(payload) == 0 {
		return e, nil
	}
	type side struct {
		SHA string `json:"sha"`
		Ref string `json:"ref"`
	}
	type pull struct {
		Number         int    `json:"number"`
		Base           side   `json:"base"`
		Head           side   `json:"head"`
		Merged         bool   `json:"merged"`
		MergeCommitSHA string `json:"merge_commit_sha"`
	}
	var p struct {
		Action      string `json:"action"`
		Before      string `json:"before"`
		After       string `json:"after"`
		Forced      bool   `json:"forced"`
		Deleted     bool   `json:"deleted"`
		Number      int    `json:"number"`
		PullRequest *pull  `json:"pull_request"`
		Issue       *struct {
			Number      int       `json:"number"`
			PullRequest *struct{} `json:"pull_request"`
		} `json:"issue"`
		MergeGroup *struct {
			BaseSHA string `json:"base_sha"`
		} `json:"merge_group"`
		WorkflowRun *struct {
			Event        string `json:"event"`
			HeadSHA      string `json:"head_sha"`
			PullRequests []pull `json:"pull_requests"`
		} `json:"workflow_run"`
		Repository struct {
			DefaultBranch string `json:"default_branch"`
		} `json:"repository"`
	}
	if err := json.Unmarshal(payload, &p); err != nil {
		return e, fmt.Errorf("reading the event's payload: %w", err)
	}
	id := func(s string) string {
		if s = strings.ToLower(s); commitID.MatchString(s) {
			return s
		}
		return ""
	}
	take := func(q *pull) *Pull {
		return &Pull{q.Number, id(q.Base.SHA), id(q.Head.SHA), q.Base.Ref, q.Merged, id(q.MergeCommitSHA)}
	}
	e.Action, e.Default = p.Action, p.Repository.DefaultBranch
	e.Before, e.After, e.Forced, e.Deleted = id(p.Before), id(p.After), p.Forced, p.Deleted
	switch {
	case p.PullRequest != nil:
		e.Pull = take(p.PullRequest)
		e.Number = e.Pull.Number
	case p.Issue != nil && p.Issue.PullRequest != nil:
		e.Number = p.Issue.Number
	}
	if p.MergeGroup != nil {
		e.MergeGroupBase = id(p.MergeGroup.BaseSHA)
	}
	if p.WorkflowRun != nil {
		e.Run, e.RunHead = p.WorkflowRun.Event, id(p.WorkflowRun.HeadSHA)
		if len(p.WorkflowRun.PullRequests) > 0 {
			e.Pull = take(&p.WorkflowRun.PullRequests[0])
			e.Number = e.Pull.Number
		}
	}
	return e, nil
}

// Kind says how a step finds a base.
type Kind int

const (
	// AtCommit: the commit itself, which may have to be fetched.
	AtCommit Kind = iota
	// AtMergeBase: where the head left a branch (Ref, or the commit when the
	// branch is gone).
	AtMergeBase
	// AtPreviousTag: the last tag before the head.
	AtPreviousTag
	// AtPastRun: the head of the last successful run's artifact.
	AtPastRun
	// AtNothing: there is no base in the past, everything is new.
	AtNothing
	// AtDesk: as on a desk, from the repository alone.
	AtDesk
)

// Step is one way to find the base. The first step that works decides.
type Step struct {
	Kind   Kind
	Commit string
	Ref    string
	Reason string
}

// ErrNothingToDo is returned for an event after which there is nothing to pack.
var ErrNothingToDo = errors.New("the ref was deleted: there is nothing to pack")

// StaleError says that the checkout is neither the pull request's head nor its
// current test merge, so that its difference to anything would not be the pull
// request's.
type StaleError struct{ Head, Want string }

func (e *StaleError) Error() string {
	return fmt.Sprintf("HEAD is %s, but the pull request's head is %s: the checkout is stale or of something else; run the workflow again, or check out the pull request's head", e.Head, e.Want)
}

// Steps returns the ways to the base of an event, given the commit that is
// checked out and its parents. The table is in the project's documentation
// (README, "What the change is measured against").
func (e Event) Steps(head string, parents []string) ([]Step, error) {
	desk := Step{Kind: AtDesk}
	branch := func(reason string) []Step {
		if e.Default == "" || e.Ref == "refs/heads/"+e.Default {
			return nil
		}
		return []Step{{Kind: AtMergeBase, Ref: e.Default, Reason: reason}}
	}
	switch e.Name {
	case "pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment", "issue_comment":
		if e.Pull != nil {
			return e.pullSteps(head, parents)
		}
		return []Step{desk}, nil
	case "merge_group":
		if e.MergeGroupBase == "" {
			return []Step{desk}, nil
		}
		return []Step{{Kind: AtCommit, Commit: e.MergeGroupBase, Reason: "base of the merge group"}, desk}, nil
	case "push":
		return e.pushSteps(head, desk, branch)
	case "release":
		return []Step{{Kind: AtPreviousTag, Reason: "previous tag"}, {Kind: AtNothing, Reason: "no earlier tag: everything is new"}}, nil
	case "schedule":
		return []Step{{Kind: AtPastRun, Reason: "last scheduled run"}, {Kind: AtNothing, Reason: "first-run"}}, nil
	case "workflow_dispatch", "repository_dispatch":
		if steps := branch("merge base with the default branch"); steps != nil {
			return append(steps, desk), nil
		}
		return []Step{{Kind: AtPastRun, Reason: "last run of this workflow"}, desk}, nil
	case "workflow_run":
		if e.RunHead != head {
			return []Step{desk}, nil
		}
		if e.Pull != nil {
			return e.pullSteps(head, parents)
		}
		return []Step{{Kind: AtPastRun, Reason: "last run of this workflow"}, desk}, nil
	}
	return []Step{desk}, nil
}

// pullSteps decides for a pull request. The head is what is checked out.
func (e Event) pullSteps(head string, parents []string) ([]Step, error) {
	p := e.Pull
	own := []Step{{Kind: AtMergeBase, Ref: p.BaseRef, Commit: p.BaseSHA, Reason: "merge base with " + p.BaseRef}}
	switch {
	case p.HeadSHA == "":
		return []Step{{Kind: AtDesk}}, nil
	case len(parents) == 2 && parents[1] == p.HeadSHA:
		return []Step{{Kind: AtCommit, Commit: parents[0], Reason: "base of the pull request's merge (HEAD^1)"}}, nil
	case head == p.HeadSHA:
		return own, nil
	case p.MergeCommit == head && p.Merged && len(parents) > 0:
		return []Step{{Kind: AtCommit, Commit: parents[0], Reason: "the commit before the merged pull request (HEAD^1)"}}, nil
	case e.Name != "pull_request" && e.Name != "workflow_run":
		// These events check the base branch out unless told otherwise: nothing of
		// the pull request is there to compare.
		return []Step{{Kind: AtDesk}}, nil
	}
	return nil, &StaleError{head, p.HeadSHA}
}

func (e Event) pushSteps(head string, desk Step, branch func(string) []Step) ([]Step, error) {
	switch {
	case e.Deleted || e.After == noCommit:
		return nil, ErrNothingToDo
	case strings.HasPrefix(e.Ref, "refs/tags/"):
		return []Step{{Kind: AtPreviousTag, Reason: "previous tag"}, {Kind: AtNothing, Reason: "no earlier tag: everything is new"}}, nil
	case e.After == "" || e.After != head:
		return []Step{desk}, nil // the payload is about another commit than the one checked out
	case e.Before == noCommit:
		if steps := branch("new branch: merge base with the default branch"); steps != nil {
			return append(steps, desk), nil
		}
		return []Step{{Kind: AtNothing, Reason: "first push: everything is new"}}, nil
	case e.Before == "":
		return []Step{desk}, nil
	case e.Forced:
		steps := []Step{{Kind: AtCommit, Commit: e.Before, Reason: "before the forced push"}}
		return append(append(steps, branch("forced push: merge base with the default branch")...), desk), nil
	}
	return []Step{{Kind: AtCommit, Commit: e.Before, Reason: "before the push"}, desk}, nil
}
