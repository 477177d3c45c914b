package snapshot

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repo"
)

// look makes sure that what is packed is what the event is about. A workflow may have
// something else checked out than the pull request that set it off: on
// pull_request_target and issue_comment the base branch, unless told otherwise. Then
// the request's own commit takes the head's place, where service and token allow it;
// it is somebody else's, and read from a store of this run's own. Where that cannot
// be, or another revision was asked for, the head is no view of the request: the
// event that comes with it is about none, and nothing is said in its place.
func look(ctx context.Context, e *job.Setting, in *job.Scope, h *Head) (*Head, error) {
	h.Event = e.Event
	if e.EventFault != "" && e.Workflow {
		h.Warnings = append(h.Warnings, e.EventFault)
	}
	h.shown = h.Commit
	if !e.Workflow || h.Event.Number == 0 {
		if c, made, ok := below(h, h.Event); ok {
			h.shown, h.made = c, made
		}
		return h, nil
	}
	p, why := requested(ctx, e, in)
	about := e.Event
	about.Pull = p
	if c, made, ok := below(h, about); p != nil && ok {
		h.Event, h.shown, h.made = about, c, made
		return h, nil
	}
	if why == nil {
		why = beside(e, h)
	}
	if why == nil && e.Event.Name == "pull_request" && in.Base == job.BaseAuto && p != nil && h.Repo != nil {
		return h, nil // a stale checkout, which has no base: the run ends there
	}
	if why == nil {
		why = otherwise(e, in, h)
	}
	if why == nil {
		var seen *Head
		if seen, why = h.fetchRequest(ctx, e, in, p); why == nil {
			h.Close()
			seen.Event = about
			seen.shown = seen.Commit
			return seen, nil
		}
		if ctx.Err() != nil {
			return h, ctx.Err()
		}
	}
	number := h.Event.Number
	h.Event.Pull, h.Event.Number = nil, 0
	at := "the folder"
	if h.Commit.SHA != "" {
		at = Short(h.Commit.SHA)
	}
	h.Warnings = append(h.Warnings, fmt.Sprintf("what is packed, %s, is no view of pull request %d, and its comment is left as it is: %v", at, number, why))
	return h, nil
}

// maxMade is how many commits a job may have made on top of what its event is about.
const maxMade = 100

// below finds the commit that the event is about: the head's own, or one that it was
// made on top of, by as many commits as made says, as by a step that formats.
func below(h *Head, event diff.Event) (c repo.Commit, made int, ok bool) {
	if h.Repo == nil {
		return c, 0, false
	}
	c = h.Commit
	for made = 0; made <= maxMade; made++ {
		if event.About(c.SHA, c.Parents) {
			return c, made, made == 0 || event.Extends()
		}
		if len(c.Parents) == 0 {
			break
		}
		parent, err := h.Repo.Resolve(c.Parents[0])
		if err != nil {
			parent = repo.Commit{SHA: c.Parents[0]} // a shallow clone knows it by name
		}
		c = parent
	}
	return c, 0, false
}

// beside says why the head is of another repository than the event: it lies inside of
// the workspace's, or is a clone of another one, as where a workflow checks out a second.
func beside(e *job.Setting, h *Head) error {
	if h.Repo == nil || h.origin != "" || h.Repo.WorkDir() == "" {
		return nil
	}
	if top, err := repo.Open(e.WorkspaceAbs()); err == nil {
		defer top.Close()
		if top.WorkDir() != "" && !top.Shares(h.Repo) {
			return errors.New("input path names a repository inside of the workspace's own")
		}
	}
	name, server := e.Getenv("GITHUB_REPOSITORY"), e.Server()
	of, err := url.Parse(h.Repo.Remote())
	if err != nil || name == "" || !strings.EqualFold(of.Host, server.Host) || of.Host == "" {
		return nil
	}
	if cloned := strings.TrimSuffix(strings.Trim(of.Path, "/"), ".git"); !strings.EqualFold(cloned, name) {
		return fmt.Errorf("input path names a clone of %s", strconv.Quote(cloned))
	}
	return nil
}

// otherwise says why the request's own commit is not to take the head's place.
func otherwise(e *job.Setting, in *job.Scope, h *Head) error {
	switch {
	case in.Ref != "":
		return errors.New("input ref asks for another revision")
	case in.Repository != "":
		return errors.New("input repository asks for another one")
	case h.Repo == nil:
		return errors.New("it is no git repository")
	case e.Event.Name == "workflow_run" || e.Event.Name == "pull_request":
		return errors.New("something else is checked out")
	}
	return nil
}

// requested is the pull request of the event, by the API where the payload does not
// describe it.
func requested(ctx context.Context, e *job.Setting, in *job.Scope) (*diff.Pull, error) {
	if p := e.Event.Pull; p != nil && p.HeadSHA != "" {
		return p, nil
	}
	client, err := e.Forge(in.Token)
	if err != nil {
		return nil, fmt.Errorf("the API cannot be asked for it: %w", err)
	}
	p, err := client.Pull(ctx, e.Event.Number)
	if err != nil {
		return nil, err
	}
	return &diff.Pull{Number: p.Number, BaseSHA: p.Base.SHA, HeadSHA: p.Head.SHA, BaseRef: p.Base.Ref, Merged: p.Merged, MergeCommit: p.MergeCommit, Title: p.Title, Body: p.Body}, nil
}

// fetchRequest returns the head that the pull request's own commit is.
func (h *Head) fetchRequest(ctx context.Context, e *job.Setting, in *job.Scope, p *diff.Pull) (*Head, error) {
	client, err := e.Forge(in.Token)
	if err != nil {
		return nil, fmt.Errorf("its own commit has no base that could be found: %w", err)
	}
	// The base is asked of the API, too: where that is silent there is no view.
	if _, err := client.Pull(ctx, p.Number); err != nil {
		return nil, err
	}
	address, err := h.remote(e)
	if err != nil {
		return nil, err
	}
	store, err := os.MkdirTemp(e.Temp, "request-")
	if err != nil {
		return nil, err
	}
	token, host := e.TokenFor(in.Token, address)
	r, commit, err := repo.Fetch(ctx, repo.Request{URL: address, Token: token, Host: host, SHA: p.HeadSHA, Dir: store})
	if err != nil {
		return nil, err
	}
	seen := &Head{Repo: r, Dir: h.Dir, under: h.under, Kind: "commit", Commit: commit, origin: address,
		Warnings: []string{fmt.Sprintf("%s is checked out, which is not pull request %d: its own commit %s is packed instead", Short(h.Commit.SHA), p.Number, Short(commit.SHA))}}
	if seen.Root, err = r.Tree(commit.SHA); err == nil {
		seen.tracked, err = r.Files(commit.SHA)
	}
	if err == nil {
		if fi, missing := seen.Root.Lstat(seen.under); missing != nil || !fi.Mode.IsDir() {
			err = fmt.Errorf("%q is no folder in its commit %s", seen.under, Short(commit.SHA))
		}
	}
	if err != nil {
		seen.Close()
		return nil, err
	}
	seen.Index = byPath(seen.tracked)
	return seen, nil
}

// remote is the address that commits are fetched from. Where a checkout came by another
// protocol than can be fetched by, as with an SSH key, it is the service's.
func (h *Head) remote(e *job.Setting) (string, error) {
	if h.origin != "" {
		return h.origin, nil
	}
	own, server, name := h.Repo.Remote(), e.Getenv("GITHUB_SERVER_URL"), e.Getenv("GITHUB_REPOSITORY")
	known := server != "" && name != ""
	switch {
	case own != "" && (!known || repo.Fetchable(own)):
		return own, nil
	case known:
		return e.Server().JoinPath(name).String(), nil
	}
	return "", errors.New("it has no remote")
}
