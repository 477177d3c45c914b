package snapshot

import (
	"net/url"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
)

// answers reports whether a base's files count where the head may be anybody's: the base is what the event says that a request is merged
// into, or lies in the history of that or of this repository's default branch. A commit of the head's own history that the input names
// (HEAD~1), that an earlier run packed, or that was pushed last is none: a request of two commits would allow its own leak.
func (b *Base) answers(e *job.Setting, h *Head) bool {
	switch {
	case b == nil || b.Root == nil || b.undecided:
		return false
	case b.vouched:
		return true
	case h.Repo == nil:
		return false
	}
	trunk := trunks(e, h)
	if slices.Contains(trunk, b.Commit) {
		return true
	}
	return slices.ContainsFunc(trunk, func(tip string) bool {
		at, err := h.Repo.MergeBase(tip, b.Commit)
		return err == nil && at == b.Commit
	})
}

// trunks are the commits that requests are made against, as far as event and clone tell.
func trunks(e *job.Setting, h *Head) (list []string) {
	if sha := e.Event.MergeGroupBase; sha != "" {
		list = append(list, sha)
	}
	branches := h.Repo.DefaultBranches()
	if p := e.Event.Pull; p != nil {
		if p.BaseSHA != "" {
			list = append(list, p.BaseSHA)
		}
		// The request's test merge has the branch as its first parent.
		if up := h.shown.Parents; p.HeadSHA != "" && len(up) == 2 && up[1] == p.HeadSHA {
			list = append(list, up[0])
		}
		if b, ok := h.Repo.RemoteBranch(p.BaseRef); ok {
			branches = append(branches, b)
		}
	}
	for _, b := range branches {
		// A branch here may be called as whoever made the request likes.
		if b.Remote != "" && ours(e, h.Repo.RemoteURL(b.Remote)) {
			list = append(list, b.SHA)
		}
	}
	return list
}

// ours reports whether an address is not that of another repository than the workflow's own, as a fork's is.
func ours(e *job.Setting, address string) bool {
	name, path := e.Getenv("GITHUB_REPOSITORY"), ""
	if u, err := url.Parse(address); err == nil {
		path = u.Path
	} else if _, after, ok := strings.Cut(address, ":"); ok { // git@host:owner/name
		path = after
	}
	if name == "" || strings.HasPrefix(address, "/") { // a folder is nobody's choice but the workflow's
		return true
	}
	return strings.EqualFold(strings.TrimSuffix(strings.Trim(path, "/"), ".git"), name)
}
