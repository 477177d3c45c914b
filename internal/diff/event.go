package diff

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
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
	// Task is the title and the body of the issue that the event is about, and the comment if it is about one: its authors'
	// words, as the page shows them. It is "" for any other event, and for a pull request.
	Task string
	// MergeGroupBase is the commit that a merge group builds on.
	MergeGroupBase string
	// Run is the event of the run that a workflow_run is about; RunHead is its head,
	// and RunBranch where that lies, as owner:branch, "" when unknown.
	Run, RunHead, RunBranch string
	// RunRepository is the id of the repository that RunBranch lies in, and Repository
	// that of the workflow's own; 0 when unknown.
	RunRepository, Repository int64
	// RunID is the run's own id, 0 when unknown.
	RunID int64
}

// Pull is a pull request as an event or the API describes it.
type Pull struct {
	Number           int
	BaseSHA, HeadSHA string
	BaseRef          string
	Merged           bool
	MergeCommit      string
	// Title and Body are the author's words, as they are.
	Title, Body string
	// Fork: the head is known to lie in another repository than the base.
	Fork bool
}

// MaxPayload is the most bytes of an event's payload that are read; GitHub's
// own limit for webhooks is 25 MB.
const MaxPayload = 32 << 20

// maxListed is the most objects of a list in a payload; a run's pull requests are a
// handful, of five objects each.
const maxListed = 5000

// fault says where a payload is not what the service sends.
func fault(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("it is a JSON %s, and an object is wanted", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("%s is a JSON %s, which the service never sends", kind.Field, kind.Value)
	}
	return err
}

// Lacks says what the payload of such an event always holds and this one does not; ""
// when nothing is missing. The base is then found as on a desk.
func (e Event) Lacks() string {
	switch {
	case strings.HasPrefix(e.Name, "pull_request") && (e.Pull == nil || e.Number <= 0):
		return "it describes no pull request"
	case e.Name == "push" && e.After == "" && !e.Deleted:
		return "it names no commit"
	case e.Name == "merge_group" && e.MergeGroupBase == "":
		return "it names no base"
	}
	return ""
}

var commitID = lazyregexp.New(`^[0-9a-f]{40}$`)

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
		SHA  string `json:"sha"`
		Ref  string `json:"ref"`
		Repo struct {
			ID int64 `json:"id"`
		} `json:"repo"`
	}
	type pull struct {
		Number         int    `json:"number"`
		Base           side   `json:"base"`
		Head           side   `json:"head"`
		Merged         bool   `json:"merged"`
		MergeCommitSHA string `json:"merge_commit_sha"`
		Title          string `json:"title"`
		Body           string `json:"body"`
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
			Title       string    `json:"title"`
			Body        string    `json:"body"`
		} `json:"issue"`
		Comment *struct {
			Body string `json:"body"`
		} `json:"comment"`
		MergeGroup *struct {
			BaseSHA string `json:"base_sha"`
		} `json:"merge_group"`
		WorkflowRun *struct {
			ID             int64  `json:"id"`
			Event          string `json:"event"`
			HeadSHA        string `json:"head_sha"`
			HeadBranch     string `json:"head_branch"`
			HeadRepository struct {
				ID    int64 `json:"id"`
				Owner struct {
					Login string `json:"login"`
				} `json:"owner"`
			} `json:"head_repository"`
			PullRequests json.RawMessage `json:"pull_requests"`
		} `json:"workflow_run"`
		Repository struct {
			ID            int64  `json:"id"`
			DefaultBranch string `json:"default_branch"`
		} `json:"repository"`
	}
	if err := json.Unmarshal(payload, &p); err != nil {
		return e, fmt.Errorf("reading the event's payload: %w", fault(err))
	}
	var listed []pull
	if p.WorkflowRun != nil && len(p.WorkflowRun.PullRequests) > 0 {
		// Entries of two bytes would be some hundred of memory each.
		if n := bytes.Count(p.WorkflowRun.PullRequests, []byte{'{'}); n > maxListed {
			return e, fmt.Errorf("reading the event's payload: workflow_run.pull_requests lists more than %d objects", maxListed)
		}
		if err := json.Unmarshal(p.WorkflowRun.PullRequests, &listed); err != nil {
			return e, fmt.Errorf("reading the event's payload: workflow_run.pull_requests: %w", fault(err))
		}
	}
	id := func(s string) string {
		if s = strings.ToLower(s); commitID.MatchString(s) {
			return s
		}
		return ""
	}
	take := func(q *pull) *Pull {
		return &Pull{q.Number, id(q.Base.SHA), id(q.Head.SHA), q.Base.Ref, q.Merged, id(q.MergeCommitSHA), q.Title, q.Body, q.Base.Repo.ID != 0 && q.Head.Repo.ID != q.Base.Repo.ID}
	}
	e.Action, e.Default, e.Repository = p.Action, p.Repository.DefaultBranch, p.Repository.ID
	e.Before, e.After, e.Forced, e.Deleted = id(p.Before), id(p.After), p.Forced, p.Deleted
	switch {
	case p.PullRequest != nil:
		e.Pull = take(p.PullRequest)
		e.Number = e.Pull.Number
	case p.Issue != nil && p.Issue.PullRequest != nil:
		e.Number = p.Issue.Number
	case p.Issue != nil && (name == "issues" || name == "issue_comment"):
		e.Task = p.Issue.Title + "\n\n" + text.Shown(p.Issue.Body)
		if p.Comment != nil {
			e.Task += "\n\n" + text.Shown(p.Comment.Body)
		}
	}
	if p.MergeGroup != nil {
		e.MergeGroupBase = id(p.MergeGroup.BaseSHA)
	}
	if p.WorkflowRun != nil {
		e.Run, e.RunHead = p.WorkflowRun.Event, id(p.WorkflowRun.HeadSHA)
		run := p.WorkflowRun
		e.RunRepository, e.RunID = run.HeadRepository.ID, max(run.ID, 0)
		if owner := run.HeadRepository.Owner.Login; owner != "" && run.HeadBranch != "" {
			e.RunBranch = owner + ":" + run.HeadBranch
		}
		// The list holds every request that has the run's branch or commit for its
		// head, those into other repositories too: forks' own among them. What is left
		// is the one request into this repository from the run's very branch, which
		// still stands where the run saw it, or none.
		var own []*pull
		for i := range listed {
			q := &listed[i]
			if q.Number > 0 && e.Repository != 0 && q.Base.Repo.ID == e.Repository &&
				e.RunRepository != 0 && q.Head.Repo.ID == e.RunRepository && q.Head.Ref == run.HeadBranch && id(q.Head.SHA) == e.RunHead {
				own = append(own, q)
			}
		}
		if len(own) == 1 {
			e.Pull = take(own[0])
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
	// AtPreviousTag: the last tag before the head, of the same line as Ref.
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
	return fmt.Sprintf("HEAD is %s, but the pull request's head is %s, and nothing that leads to HEAD is it or its test merge: the checkout is stale or of something else; check out the pull request's head, or say with input base what to compare with", e.Head, e.Want)
}

// About reports whether a commit is what the event is about: the pull request's head,
// its test merge or what it was merged as, what was pushed, what the other workflow
// ran on.
func (e Event) About(commit string, parents []string) bool {
	switch {
	case e.Pull != nil:
		return e.Pull.Shows(commit, parents)
	case e.Name == "push":
		return e.After == commit
	case e.Name == "workflow_run":
		return e.RunHead == commit
	}
	return false
}

// Extends reports whether commits made on top of a commit of the event's still show
// it. Those on top of a merged request are the base branch's own.
func (e Event) Extends() bool { return e.Pull == nil || !e.Pull.Merged }

// Steps returns the ways to the base of an event, given the commit that is
// checked out and its parents. The table is in the project's documentation
// (docs/bases.md).
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
		return e.tagSteps(), nil
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

// Shows reports whether a commit is a view of the pull request: its head, its test
// merge, or what it was merged as.
func (p Pull) Shows(head string, parents []string) bool {
	return p.HeadSHA != "" && (head == p.HeadSHA || len(parents) == 2 && parents[1] == p.HeadSHA) ||
		p.Merged && p.MergeCommit == head && len(parents) > 0
}

// pullSteps decides for a pull request. The head is what is checked out.
func (e Event) pullSteps(head string, parents []string) ([]Step, error) {
	p := e.Pull
	own := []Step{{Kind: AtMergeBase, Ref: p.BaseRef, Commit: p.BaseSHA, Reason: "merge base with " + text.Name(p.BaseRef)}}
	switch {
	case p.HeadSHA == "":
		return []Step{{Kind: AtDesk}}, nil
	case len(parents) == 2 && parents[1] == p.HeadSHA:
		return []Step{{Kind: AtCommit, Commit: parents[0], Reason: "base of the pull request's merge (HEAD^1)"}}, nil
	case head == p.HeadSHA:
		return own, nil
	case p.MergeCommit == head && p.Merged && len(parents) > 0:
		return []Step{{Kind: AtCommit, Commit: parents[0], Reason: "the commit before the merged pull request (HEAD^1)"}}, nil
	case e.Name != "pull_request":
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
		if e.Before != "" && e.Before != noCommit && e.Before != e.After {
			return append([]Step{{Kind: AtCommit, Commit: e.Before, Reason: "where the tag stood before"}}, e.tagSteps()...), nil
		}
		return e.tagSteps(), nil
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

// tagSteps decides for the tag that the event is about.
func (e Event) tagSteps() []Step {
	return []Step{{Kind: AtPreviousTag, Ref: strings.TrimPrefix(e.Ref, "refs/tags/"), Reason: "previous tag"}, {Kind: AtNothing, Reason: "no earlier tag: everything is new"}}
}
