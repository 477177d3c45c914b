package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/text"
)

// maxTagsAsked is of how many tags the service is asked whether the head comes after
// them, the highest version first.
const maxTagsAsked = 5

// previousTag is the base at the tag before the event's. Where that cannot be told or had
// the base is unknown: to call everything new would be an untruth.
func (f *Finder) previousTag(ctx context.Context, s diff.Step) (*Base, error) {
	b, err := f.tagBefore(ctx, s)
	if err == nil || errors.Is(err, errNoneYet) || ctx.Err() != nil {
		return b, err
	}
	return unknownTag(err), nil
}

// tagBefore is the base at the tag before the event's, of the same line. A checkout
// for a workflow has no other tags, or not their history: then the repository that it
// came from is asked for them.
func (f *Finder) tagBefore(ctx context.Context, s diff.Step) (*Base, error) {
	tags, err := f.Head.Repo.Tags()
	if err != nil {
		return nil, err
	}
	groups, versioned := diff.EarlierTags(s.Ref, tagNames(tags))
	cut := f.Head.Repo.IsShallow()
	for _, group := range groups {
		among := make(map[string]bool, len(group))
		for _, name := range group {
			among[name] = true
		}
		at, ok, err := f.Head.Repo.PreviousTag(f.Head.Commit.SHA, func(name string) bool { return among[name] })
		if ok {
			return baseAt(f.Head, f.Head.Repo, at.SHA, s.Reason+" "+text.Name(nameOf(tags, group, at.SHA)))
		}
		if cut = cut || errors.Is(err, repo.ErrShallow); cut {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	// A clone that has other tags, and all of its history, has them all.
	if cut || len(tags) == 0 || len(tags) == 1 && tags[0].Name == s.Ref {
		address, err := f.Head.remote(f.e)
		if err == nil {
			var there repo.RemoteRefs
			if there, err = f.list(ctx, address); err == nil {
				tags = there.Tags
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the tags of the repository cannot be listed: %w", err)
		}
		groups, versioned = diff.EarlierTags(s.Ref, tagNames(tags))
	}
	if !versioned && len(groups[0])+len(groups[1]) > 0 && cut {
		return nil, fmt.Errorf("%q is no version, and the clone is shallow", s.Ref)
	}
	if versioned {
		if at, ok := f.byVersion(ctx, tags, groups); ok {
			return f.at(ctx, at.SHA, s.Reason+" "+text.Name(at.Name)+", by its version")
		}
	}
	return nil, errNoneYet
}

// byVersion is the highest tag of the first group that has any: of those that the
// service says the head comes after, where it can be asked.
func (f *Finder) byVersion(ctx context.Context, tags []repo.Tag, groups [][]string) (repo.Tag, bool) {
	sha := make(map[string]string, len(tags))
	for _, t := range tags {
		sha[t.Name] = t.SHA
	}
	client, err := f.e.Forge(f.in.Token)
	for _, group := range groups {
		var first *repo.Tag
		asked := 0
		for _, name := range group {
			t := repo.Tag{Name: name, SHA: sha[name]}
			if t.SHA == f.Head.Commit.SHA || t.SHA == f.Head.shown.SHA {
				continue
			}
			if first == nil {
				first = &t
			}
			if err != nil || asked == maxTagsAsked {
				break
			}
			asked++
			var at string
			if at, err = client.MergeBase(ctx, t.SHA, f.Head.shown.SHA); err == nil && at == t.SHA {
				return t, true
			}
		}
		if first != nil {
			return *first, true
		}
	}
	return repo.Tag{}, false
}

// unknownTag is the base where nobody can tell what was tagged before.
func unknownTag(why error) *Base {
	return &Base{None: true, Reason: "unknown: the tag before cannot be told",
		Warnings: []string{fmt.Sprintf("no diff archive: the tag before this one cannot be told: %v; set fetch-depth: 0, or say with input base what to compare with", why)}}
}

func tagNames(tags []repo.Tag) []string {
	names := make([]string, len(tags))
	for i, t := range tags {
		names[i] = t.Name
	}
	return names
}

// nameOf is the first tag of a group that stands for a commit.
func nameOf(tags []repo.Tag, group []string, sha string) string {
	for _, name := range group {
		if slices.Contains(tags, repo.Tag{Name: name, SHA: sha}) {
			return name
		}
	}
	return ""
}
