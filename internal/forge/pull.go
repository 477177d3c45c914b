package forge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-github/v60/github"
)

// ErrUnrelated is returned by MergeBase for two commits without a common one.
var ErrUnrelated = errors.New("the commits have no common ancestor")

// MergeBase returns the id of the commit where head's history left base's. Both
// are full commit ids of the repository or of one of its forks. The API knows it
// without any history being fetched.
func (c *Client) MergeBase(ctx context.Context, base, head string) (string, error) {
	doing := func(err error) (string, error) {
		return "", fmt.Errorf("asking where %.12s and %.12s meet: %w", base, head, err)
	}
	if !commitID.MatchString(base) || !commitID.MatchString(head) {
		return doing(errors.New("full commit ids are wanted"))
	}
	// The first page carries up to 300 changed files with their patches, which
	// nobody needs here; the ones behind it do not.
	for _, page := range []int{2, 1} {
		got, _, err := c.api.Repositories.CompareCommits(ctx, c.owner, c.repo, base, head, &github.ListOptions{Page: page, PerPage: 1})
		if err != nil {
			err = c.words(err)
			if errors.Is(err, ErrNotFound) && strings.Contains(err.Error(), "No common ancestor") {
				err = ErrUnrelated
			}
			return doing(err)
		}
		if sha := got.GetMergeBaseCommit().GetSHA(); commitID.MatchString(sha) {
			return sha, nil
		}
	}
	return doing(errors.New("the API named no commit"))
}

// Tip returns the commit that a branch of the repository stands at. It returns
// ErrNotFound when there is no such branch (any more).
func (c *Client) Tip(ctx context.Context, branch string) (string, error) {
	doing := func(err error) (string, error) {
		return "", fmt.Errorf("asking for the tip of branch %q: %w", branch, err)
	}
	// The API's client escapes the parts of a name, but not those that lead
	// elsewhere in an address; git allows them in no branch.
	for part := range strings.SplitSeq(branch, "/") {
		if part == "" || part == "." || part == ".." {
			return doing(ErrNotFound)
		}
	}
	ref, _, err := c.api.Git.GetRef(ctx, c.owner, c.repo, "heads/"+branch)
	if err != nil {
		return doing(c.words(err))
	}
	sha := ref.GetObject().GetSHA()
	if ref.GetRef() != "refs/heads/"+branch || !commitID.MatchString(sha) {
		return doing(errors.New("the API named no commit"))
	}
	return sha, nil
}

// Pull is a pull request.
type Pull struct {
	Number      int
	State       string // "open" or "closed"
	Draft       bool
	Merged      bool
	MergeCommit string // the merge, or the test merge of an open one; "" when there is none
	Head, Base  Side
}

// Side is one end of a pull request. Repository is "owner/name", "" when it is gone.
type Side struct{ SHA, Ref, Repository string }

// Fork reports whether the head lies in another repository than the base.
func (p Pull) Fork() bool { return !strings.EqualFold(p.Head.Repository, p.Base.Repository) }

func pull(p *github.PullRequest) Pull {
	side := func(b *github.PullRequestBranch) Side {
		s := Side{SHA: b.GetSHA(), Ref: b.GetRef(), Repository: b.GetRepo().GetFullName()}
		if !commitID.MatchString(s.SHA) {
			s.SHA = ""
		}
		return s
	}
	out := Pull{Number: p.GetNumber(), State: p.GetState(), Draft: p.GetDraft(), Merged: p.GetMerged() || p.MergedAt != nil,
		MergeCommit: p.GetMergeCommitSHA(), Head: side(p.GetHead()), Base: side(p.GetBase())}
	if !commitID.MatchString(out.MergeCommit) {
		out.MergeCommit = ""
	}
	return out
}

// Pull returns the pull request of that number.
func (c *Client) Pull(ctx context.Context, number int) (Pull, error) {
	p, _, err := c.api.PullRequests.Get(ctx, c.owner, c.repo, number)
	if err != nil {
		return Pull{}, fmt.Errorf("asking for pull request %d: %w", number, c.words(err))
	}
	out := pull(p)
	if out.Number != number || out.Head.SHA == "" || out.Base.SHA == "" {
		return Pull{}, fmt.Errorf("asking for pull request %d: the API's answer names no commits", number)
	}
	return out, nil
}

// PullOf returns the pull request whose head is the commit: an open one before a
// closed one, the newest of several. Branch, "owner:branch" when known, finds
// those of forks that the commit alone does not. It returns ErrNotFound when
// there is none.
func (c *Client) PullOf(ctx context.Context, head, branch string) (Pull, error) {
	doing := func(err error) (Pull, error) {
		return Pull{}, fmt.Errorf("asking for the pull request of %.12s: %w", head, err)
	}
	if !commitID.MatchString(head) {
		return doing(errors.New("a full commit id is wanted"))
	}
	page := github.ListOptions{PerPage: 100}
	list, _, err := c.api.PullRequests.ListPullRequestsWithCommit(ctx, c.owner, c.repo, head, &page)
	if err = c.words(err); err != nil && !errors.Is(err, ErrNotFound) && !strings.Contains(err.Error(), "No commit found") {
		return doing(err)
	}
	found := newest(list, head)
	if found.Number == 0 && strings.Contains(branch, ":") {
		list, _, err = c.api.PullRequests.List(ctx, c.owner, c.repo, &github.PullRequestListOptions{State: "all", Head: branch, ListOptions: page})
		if err != nil {
			return doing(c.words(err))
		}
		found = newest(list, head)
	}
	if found.Number == 0 {
		return doing(ErrNotFound)
	}
	return found, nil
}

func newest(list []*github.PullRequest, head string) Pull {
	var best Pull
	for _, p := range list {
		q := pull(p)
		if q.Head.SHA != head || q.Number <= 0 {
			continue
		}
		if open, bestOpen := q.State == "open", best.State == "open"; best.Number == 0 || open && !bestOpen || open == bestOpen && q.Number > best.Number {
			best = q
		}
	}
	return best
}
