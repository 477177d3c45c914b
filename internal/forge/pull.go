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
	// Title and Body are the author's words, as they are.
	Title, Body string
}

// Side is one end of a pull request. Repository is "owner/name", "" when it is gone,
// and RepositoryID its number, 0 then; Label is "owner:branch", "" when unknown.
type Side struct {
	SHA, Ref, Repository string
	RepositoryID         int64
	Label                string
}

// Fork reports whether the head lies in another repository than the base.
func (p Pull) Fork() bool { return !strings.EqualFold(p.Head.Repository, p.Base.Repository) }

func pull(p *github.PullRequest) Pull {
	side := func(b *github.PullRequestBranch) Side {
		s := Side{SHA: b.GetSHA(), Ref: b.GetRef(), Repository: b.GetRepo().GetFullName(), RepositoryID: b.GetRepo().GetID()}
		owner := b.GetUser().GetLogin()
		if owner == "" {
			owner, _, _ = strings.Cut(s.Repository, "/")
		}
		if owner != "" && s.Ref != "" {
			s.Label = owner + ":" + s.Ref
		}
		if !commitID.MatchString(s.SHA) {
			s.SHA = ""
		}
		return s
	}
	out := Pull{Number: p.GetNumber(), State: p.GetState(), Draft: p.GetDraft(), Merged: p.GetMerged() || !p.GetMergedAt().IsZero(),
		MergeCommit: p.GetMergeCommitSHA(), Head: side(p.GetHead()), Base: side(p.GetBase()), Title: p.GetTitle(), Body: p.GetBody()}
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

// ErrSuperseded is a commit that was the head of a pull request and is not any more.
var ErrSuperseded = errors.New("the pull request has moved on")

// ErrAmbiguous is a head of which two pull requests could be meant.
var ErrAmbiguous = errors.New("which of them is meant cannot be told")

// Origin is where the head of a pull request lies, as the service itself says of a
// run: nobody can have named another's.
type Origin struct {
	// Commit is the full id.
	Commit string
	// Branch is owner:branch, and Repository the id of the repository that it lies in;
	// "" and 0 when unknown.
	Branch     string
	Repository int64
}

// PullOf returns the pull request into this repository whose head is the origin's:
// its commit, its branch with the owner, its repository. Two requests may have one
// commit, one of them somebody else's. It returns ErrNotFound when there is none,
// ErrSuperseded when its head is another commit by now, and ErrAmbiguous when several
// are left, of which open ones go before closed ones. Repository is the id of this
// one; 0, when nobody says it, and its name decides.
func (c *Client) PullOf(ctx context.Context, repository int64, from Origin) (Pull, error) {
	doing := func(err error) (Pull, error) {
		return Pull{}, fmt.Errorf("asking for the pull request of %.12s: %w", from.Commit, err)
	}
	if !commitID.MatchString(from.Commit) {
		return doing(errors.New("a full commit id is wanted"))
	}
	page := github.ListOptions{PerPage: 100}
	list, _, err := c.api.PullRequests.ListPullRequestsWithCommit(ctx, c.owner, c.repo, from.Commit, &page)
	if err = c.words(err); err != nil && !errors.Is(err, ErrNotFound) && !strings.Contains(err.Error(), "No commit found") {
		return doing(err)
	}
	found, err := c.meant(list, repository, from)
	// The commit alone does not find those of forks.
	if owner, branch, ok := strings.Cut(from.Branch, ":"); errors.Is(err, ErrNotFound) && ok && owner != "" && branch != "" {
		list, _, failed := c.api.PullRequests.List(ctx, c.owner, c.repo, &github.PullRequestListOptions{State: "all", Head: from.Branch, ListOptions: page})
		if failed != nil {
			return doing(c.words(failed))
		}
		found, err = c.meant(list, repository, from)
	}
	if err != nil {
		return doing(err)
	}
	return found, nil
}

// into reports whether the request is one into the repository of that id, or where no
// id is known, of that name.
func (p Pull) into(repository int64, name string) bool {
	if repository != 0 && p.Base.RepositoryID != 0 {
		return p.Base.RepositoryID == repository
	}
	return strings.EqualFold(p.Base.Repository, name)
}

// at reports whether the request's head is the origin's branch, whatever commit it
// stands at.
func (p Pull) at(from Origin) bool {
	return (from.Branch == "" || p.Head.Label == from.Branch) &&
		(from.Repository == 0 || p.Head.RepositoryID == 0 || p.Head.RepositoryID == from.Repository)
}

// meant returns the one request that is meant.
func (c *Client) meant(list []*github.PullRequest, repository int64, from Origin) (Pull, error) {
	var open, closed, moved []Pull
	for _, p := range list {
		q := pull(p)
		switch {
		case q.Number <= 0 || !q.into(repository, c.owner+"/"+c.repo) || !q.at(from):
		case q.Head.SHA == from.Commit && q.State == "open":
			open = append(open, q)
		case q.Head.SHA == from.Commit:
			closed = append(closed, q)
		case q.State == "open":
			moved = append(moved, q)
		}
	}
	for _, same := range [][]Pull{open, closed} {
		switch len(same) {
		case 0:
		case 1:
			return same[0], nil
		default:
			return Pull{}, fmt.Errorf("%s have this head: %w", numbers(same), ErrAmbiguous)
		}
	}
	if len(moved) > 0 {
		return Pull{}, fmt.Errorf("%s: %w to %.12s", numbers(moved[:1]), ErrSuperseded, moved[0].Head.SHA)
	}
	return Pull{}, ErrNotFound
}

// numbers names requests, at most four of them.
func numbers(list []Pull) string {
	var b strings.Builder
	for i, p := range list {
		switch {
		case i == 4:
			return fmt.Sprintf("%s and %d more", b.String(), len(list)-i)
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "#%d", p.Number)
	}
	return b.String()
}
