package snapshot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/registry"
)

// Tags are those that the head's results have in a registry where the input names none:
// that of the commit, where the very commit is packed, and last that of the pull request or
// the branch, which is where the last one is found. There is none for a folder.
func Tags(e *job.Setting, in *job.Scope, h *Head) (tags []string) {
	if h.Repo == nil {
		return nil
	}
	if h.Commit.SHA != "" && (h.Kind == "commit" || e.Workflow) {
		tags = append(tags, registry.CommitTag(h.Commit.SHA))
	}
	foreign := in.Repository != "" || in.Ref != ""
	switch ref := e.Getenv("GITHUB_REF"); {
	case e.Event.Number > 0:
		return append(tags, registry.PullTag(e.Event.Number))
	case e.Workflow && !foreign && strings.HasPrefix(ref, "refs/heads/"):
		return append(tags, registry.BranchTag(strings.TrimPrefix(ref, "refs/heads/")))
	case e.Workflow && !foreign:
		return tags // a tag of git's is of one commit
	}
	if b, ok := h.Repo.BranchNamed(in.Ref); ok && in.Ref != "" && in.Ref != "HEAD" {
		return append(tags, registry.BranchTag(b.Plain()))
	}
	name, asked := h.Repo.Branch(), strings.TrimPrefix(in.Ref, "refs/heads/")
	// A repository that was cloned for this run is on the branch that was asked for.
	if name != "" && (asked == "" || asked == "HEAD" || in.Repository != "" && name == asked) {
		return append(tags, registry.BranchTag(name))
	}
	return tags
}

// pushed takes the commit of what was pushed last as the base. Of what the registry says
// only a commit's id is believed, and the commit is then read from the repository.
func (f *Finder) pushed(ctx context.Context) (*Base, error) {
	a, err := registry.ParseAddress(f.in.Base)
	if err != nil {
		return nil, job.BadInput("base", "%w", err)
	}
	if f.Head.Repo == nil {
		return nil, job.BadInput("base", "%s: what is packed is no git repository, so it has no commits", a)
	}
	if a.Reference == "" {
		tags := Tags(f.e, f.in, f.Head)
		if len(tags) == 0 || strings.HasPrefix(tags[len(tags)-1], registry.CommitTag("")) {
			return nil, job.BadInput("base", "%s: no branch is checked out that what was pushed could be of: name a tag", a)
		}
		a = a.At(tags[len(tags)-1])
	}
	client, err := f.e.OpenRegistry(a, f.in, nil)
	if err != nil {
		return nil, err
	}
	last, err := client.Find(ctx, a.Reference)
	if errors.Is(err, registry.ErrNotFound) {
		b, err := f.auto(ctx)
		if err == nil {
			b.Reason += fmt.Sprintf("; nothing is pushed as %s yet", a)
		}
		return b, err
	}
	if err != nil {
		return nil, fmt.Errorf("reading the base %s: %w", a, err)
	}
	if last.Commit == "" {
		return nil, fmt.Errorf("reading the base %s: it names no commit", a)
	}
	return f.at(ctx, last.Commit, "head of what was pushed as "+a.String())
}
