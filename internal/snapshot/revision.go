package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/text"
)

// revision is what input base asks for: a commit, or where the head left it.
type revision struct {
	name string // without the dots
	// dots are those that it was written with: "", ".." or "...".
	dots string
}

// parseRevision reads A, A..HEAD and A...HEAD; what stands on the right can only be
// what is packed.
func parseRevision(h *Head, text string) (revision, error) {
	r := revision{name: text}
	for _, dots := range []string{"...", ".."} {
		left, right, ok := strings.Cut(text, dots)
		if !ok {
			continue
		}
		r.name, r.dots = left, dots
		if left == "" {
			return r, job.BadInput("base", "%q names no revision before the dots: main%sHEAD compares with main", text, dots)
		}
		if right == "" || right == "HEAD" || right == "@" {
			return r, nil
		}
		if at, err := h.Repo.Resolve(right); err != nil || at.SHA != h.Commit.SHA {
			return r, job.BadInput("base", "%q: what is packed, %s, is not %q; write %s%sHEAD, and name by input ref what to pack", text, Short(h.Commit.SHA), right, left, dots)
		}
		return r, nil
	}
	return r, nil
}

// revision is the base that the input names: of a branch, and with three dots of
// any revision, the commit where the head left it; else that commit.
func (f *Finder) revision(ctx context.Context) (*Base, error) {
	e, in, h := f.e, f.in, f.Head
	if h.Repo == nil {
		return nil, job.BadInput("base", "%q: not a git repository, so it has no revisions; use none or saved", in.Base)
	}
	r, err := parseRevision(h, in.Base)
	if err != nil {
		return nil, err
	}
	why := "input base: " + text.Name(in.Base)
	if h.Commit.SHA == "" {
		// HEAD has no history that another's could meet.
		at, err := h.Repo.Resolve(r.name)
		if err != nil {
			return nil, job.BadInput("base", "%w", err)
		}
		return f.exactly(ctx, at.SHA, why+" (that commit: HEAD has none yet)")
	}
	branch, isBranch := h.Repo.BranchNamed(r.name)
	switch {
	case isBranch && r.dots != "..":
		return f.meet(ctx, branch.SHA, branch.Name, why)
	case isBranch:
		return f.exactly(ctx, branch.SHA, why+" ("+text.Name(branch.Name)+" itself)")
	}
	at, err := h.Repo.Resolve(r.name)
	if err == nil && r.dots == "..." {
		return f.meet(ctx, at.SHA, r.name, why)
	}
	if err == nil {
		return f.exactly(ctx, at.SHA, why+" (that commit)")
	}
	switch sha := strings.ToLower(r.name); {
	case job.CommitID.MatchString(sha) && r.dots == "...":
		return f.meet(ctx, sha, Short(sha), why)
	case job.CommitID.MatchString(sha):
		return f.exactly(ctx, sha, why+" (that commit)")
	case parentOf[r.name] && len(h.Commit.Parents) > 0 && r.dots != "...":
		// A shallow clone knows the parent by name.
		return f.exactly(ctx, h.Commit.Parents[0], why+" (that commit)")
	}
	if !e.Workflow && !h.Repo.IsShallow() {
		return nil, job.BadInput("base", "%w", err)
	}
	return f.elsewhere(ctx, r, why, err)
}

// parentOf are names of the head's parent.
var parentOf = map[string]bool{"HEAD^": true, "HEAD~": true, "HEAD~1": true, "HEAD^1": true, "@^": true, "@~": true, "@~1": true, "@^1": true}

// exactly is the base that a commit is.
func (f *Finder) exactly(ctx context.Context, sha, reason string) (*Base, error) {
	b, err := f.at(ctx, sha, reason)
	if err != nil {
		return nil, job.BadInput("base", "%s is not in this clone: %w", f.in.Base, err)
	}
	return b, nil
}

// meet is the base where the head left a branch: by the history that is here, else by
// the service's, which needs none here.
func (f *Finder) meet(ctx context.Context, tip, name, why string) (*Base, error) {
	sha, err := f.Head.Repo.MergeBase(tip, f.Head.Commit.SHA)
	if errors.Is(err, repo.ErrUnrelated) {
		return f.unrelated(ctx, tip, name)
	}
	name = text.Name(name)
	if err != nil {
		client, apiErr := f.e.Forge(f.in.Token)
		if apiErr == nil {
			sha, apiErr = client.MergeBase(ctx, tip, f.Head.shown.SHA)
		}
		if apiErr != nil {
			return nil, job.BadInput("base", "%s: where HEAD left %s cannot be told: %w; by the service neither: %w; set fetch-depth: 0 in actions/checkout, or give a token", f.in.Base, name, err, apiErr)
		}
	}
	reason := fmt.Sprintf("%s (merge base with %s)", why, name)
	if sha == f.Head.Commit.SHA {
		reason = fmt.Sprintf("%s (merge base with %s, which is HEAD)", why, name)
	}
	return f.exactly(ctx, sha, reason)
}

// elsewhere is the base that a name stands for which this clone does not know: of the
// pull request's own base branch what the event says, else what the repository that it
// was cloned from calls so.
func (f *Finder) elsewhere(ctx context.Context, r revision, why string, unknown error) (*Base, error) {
	plain := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(r.name, "refs/"), "heads/"), "origin/")
	if p := f.Head.Event.Pull; p != nil && p.BaseRef == plain && r.dots != ".." {
		if b, err := f.requested(ctx); err == nil {
			b.Reason = why + " (" + b.Reason + ")"
			return b, nil
		}
	}
	address, err := f.Head.remote(f.e)
	if err != nil {
		return nil, job.BadInput("base", "%w", unknown)
	}
	there, err := f.list(ctx, address)
	if err != nil {
		return nil, job.BadInput("base", "%w; and it cannot be asked for elsewhere: %w; set fetch-depth: 0 in actions/checkout", unknown, err)
	}
	for _, t := range there.Tags {
		if t.Name == strings.TrimPrefix(strings.TrimPrefix(r.name, "refs/"), "tags/") && r.dots != "..." {
			return f.exactly(ctx, t.SHA, why+" (that tag)")
		}
	}
	tip, ok := there.Branches[plain]
	var b *Base
	switch {
	case !ok:
		return nil, job.BadInput("base", "%w", unknown)
	case r.dots == "..":
		b, err = f.exactly(ctx, tip, why+" ("+text.Name(plain)+" itself)")
	default:
		b, err = f.meet(ctx, tip, plain, why)
	}
	if err == nil {
		b.vouched = ours(f.e, address)
	}
	return b, err
}

// requested is the base of the event's pull request.
func (f *Finder) requested(ctx context.Context) (*Base, error) {
	steps, err := f.Head.Event.Steps(f.Head.shown.SHA, f.Head.shown.Parents)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		switch s.Kind {
		case diff.AtCommit:
			return f.at(ctx, s.Commit, s.Reason)
		case diff.AtMergeBase:
			return f.mergeBase(ctx, s)
		case diff.AtPreviousTag, diff.AtPastRun, diff.AtNothing, diff.AtDesk: // no commit that the event names
		}
	}
	return nil, errors.New("the event has none")
}

// list asks the repository that this one was cloned from for its branches and tags.
func (f *Finder) list(ctx context.Context, address string) (repo.RemoteRefs, error) {
	dir, err := os.MkdirTemp(f.e.Temp, "list-")
	if err != nil {
		return repo.RemoteRefs{}, err
	}
	token, host := f.e.TokenFor(f.in.Token, address)
	return repo.List(ctx, repo.Request{URL: address, Token: token, Host: host, Dir: dir})
}
