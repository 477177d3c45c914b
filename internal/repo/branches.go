package repo

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/avast/retry-go/v5"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Branch is a branch of this clone: one's own, or what was last fetched of a
// remote's.
type Branch struct {
	// Name is short: main, or origin/main.
	Name string
	// Remote is that of origin/main, "" of one's own.
	Remote string
	SHA    string
}

// Plain is the branch's name at its own repository: main of origin/main.
func (b Branch) Plain() string { return strings.TrimPrefix(b.Name, b.Remote+"/") }

// maxRemotes is how many remotes are looked at, the first by name after origin.
const maxRemotes = 64

// remotes returns the names of the remotes, origin first: those of the
// configuration, and those that something was fetched from.
func (r *Repository) remotes() []string {
	names := map[string]bool{}
	for _, sub := range r.config.Raw.Section("remote").Subsections {
		names[sub.Name] = true
	}
	if iter, err := r.store.IterReferences(); err == nil {
		defer iter.Close()
		iter.ForEach(func(ref *plumbing.Reference) error {
			tail, ok := strings.CutPrefix(ref.Name().String(), "refs/remotes/")
			if name, branch, _ := strings.Cut(tail, "/"); ok && !strings.Contains(branch, "/") {
				names[name] = true
			}
			return nil
		})
	}
	var list []string
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	if i := slices.Index(list, "origin"); i > 0 { // which clones call the first
		list = slices.Insert(slices.Delete(list, i, i+1), 0, "origin")
	}
	return list[:min(len(list), maxRemotes)]
}

// branch returns the branch that a full reference is.
func (r *Repository) branch(name plumbing.ReferenceName, remote string) (Branch, bool) {
	ref, err := storer.ResolveReference(r.store, name)
	if err != nil {
		return Branch{}, false
	}
	c, err := r.peel(ref.Hash())
	if err != nil {
		return Branch{}, false
	}
	return Branch{Name: name.Short(), Remote: remote, SHA: c.id.String()}, true
}

// DefaultBranches returns each remote's default branch as this clone knows it, such
// as origin/main, origin's first; where nothing was ever fetched from a remote, the
// local init.defaultBranch, main or master. There may be none of them.
func (r *Repository) DefaultBranches() (list []Branch) {
	var err error
	defer r.lock(&err)()
	remotes := r.remotes()
	// A remote that was added later may have no HEAD here; its default branch is
	// called as the others' is.
	names := []string{"main", "master"}
	for _, remote := range remotes {
		if b, ok := r.remoteHead(remote); ok && !slices.Contains(names, b.Plain()) {
			names = append(names, b.Plain())
		}
	}
	for _, remote := range remotes {
		if b, ok := r.remoteHead(remote); ok {
			list = append(list, b)
			continue
		}
		for _, n := range names {
			if b, ok := r.branch(plumbing.NewRemoteReferenceName(remote, n), remote); ok {
				list = append(list, b)
				break
			}
		}
	}
	if len(list) > 0 || r.fetches() {
		return list
	}
	for _, n := range []string{r.option("init", "defaultbranch"), "main", "master"} {
		if n == "" {
			continue
		}
		if b, ok := r.branch(plumbing.NewBranchReferenceName(n), ""); ok {
			return []Branch{b}
		}
	}
	return nil
}

// remoteHead is what a remote's HEAD points to, where a branch of that name is here.
func (r *Repository) remoteHead(remote string) (Branch, bool) {
	ref, err := r.store.Reference(plumbing.NewRemoteHEADReferenceName(remote))
	if err != nil || ref.Type() != plumbing.SymbolicReference {
		return Branch{}, false
	}
	return r.branch(ref.Target(), remote)
}

// Upstream returns the branch that the one that is checked out is set to track
// (branch.NAME.remote and .merge), where it is here.
func (r *Repository) Upstream() (b Branch, ok bool) {
	var err error
	defer r.lock(&err)()
	name, err := r.upstream("")
	if err != nil {
		return Branch{}, false
	}
	ref := plumbing.ReferenceName(name)
	return r.branch(ref, r.remoteOf(ref))
}

// remoteOf is the remote that a reference was fetched from, "" of one's own.
func (r *Repository) remoteOf(ref plumbing.ReferenceName) string {
	tail, ok := strings.CutPrefix(ref.String(), "refs/remotes/")
	if !ok {
		return ""
	}
	for _, remote := range r.remotes() {
		if strings.HasPrefix(tail, remote+"/") {
			return remote
		}
	}
	remote, _, _ := strings.Cut(tail, "/")
	return remote
}

// PushDefault is the remote that the user pushes to (remote.pushDefault), "" when
// that is not said.
func (r *Repository) PushDefault() string { return r.option("remote", "pushdefault") }

// BranchNamed returns the branch that a revision names, by git's rules for names
// without suffixes, or with @{upstream}. A name that nothing here is called may be
// that of a remote's branch: a checkout for a workflow has no others. It is false
// for tags, commits and what is written with ^ or ~.
func (r *Repository) BranchNamed(rev string) (b Branch, ok bool) {
	var err error
	defer r.lock(&err)()
	if own, what, found := strings.Cut(rev, "@{"); found {
		if what = strings.ToLower(what); what != "u}" && what != "upstream}" {
			return Branch{}, false
		}
		name, err := r.upstream(own)
		if err != nil {
			return Branch{}, false
		}
		return r.branch(plumbing.ReferenceName(name), r.remoteOf(plumbing.ReferenceName(name)))
	}
	if rev == "" || plumbing.IsHash(rev) {
		return Branch{}, false
	}
	for _, rule := range plumbing.RefRevParseRules {
		name := plumbing.ReferenceName(strings.Replace(rule, "%s", rev, 1))
		if _, err := storer.ResolveReference(r.store, name); err != nil {
			continue
		}
		if !name.IsBranch() && !name.IsRemote() {
			return Branch{}, false
		}
		if head, ok := r.remoteHead(rev); ok && strings.HasSuffix(rule, "/HEAD") {
			return head, true
		}
		return r.branch(name, r.remoteOf(name))
	}
	if _, err := r.abbreviated(rev); err == nil {
		return Branch{}, false
	}
	return r.remoteBranch(strings.TrimPrefix(rev, "refs/heads/"))
}

// remoteBranch returns the branch of the first remote that has one of that name.
func (r *Repository) remoteBranch(plain string) (Branch, bool) {
	for _, remote := range r.remotes() {
		if b, ok := r.branch(plumbing.NewRemoteReferenceName(remote, plain), remote); ok {
			return b, true
		}
	}
	return Branch{}, false
}

// RemoteBranch returns a branch by its name at its own repository: as the first
// remote that has it was last fetched, else one's own.
func (r *Repository) RemoteBranch(plain string) (b Branch, ok bool) {
	var err error
	defer r.lock(&err)()
	if b, ok = r.remoteBranch(plain); ok {
		return b, true
	}
	return r.branch(plumbing.NewBranchReferenceName(plain), "")
}

// Remote returns the address that commits are best fetched from: origin's, that of
// the remote which the branch tracks, else the first remote's that has one; "" when
// there is none.
func (r *Repository) Remote() string {
	for _, name := range r.fetchOrder() {
		if address := r.RemoteURL(name); address != "" {
			return address
		}
	}
	return ""
}

// fetchOrder are the remotes, the best to fetch from first.
func (r *Repository) fetchOrder() (list []string) {
	var err error
	defer r.lock(&err)()
	list = r.remotes()
	if name, err := r.upstream(""); err == nil && !slices.Contains(list, "origin") {
		if tracked := r.remoteOf(plumbing.ReferenceName(name)); tracked != "" {
			list = slices.Insert(list, 0, tracked)
		}
	}
	return list
}

// Lead returns where the history of sha left that of tip, as MergeBase does, and how
// many commits sha has since then that tip has not.
func (r *Repository) Lead(sha, tip string) (at string, commits int, err error) {
	defer r.lock(&err)()
	a, err := r.resolve(sha)
	if err != nil {
		return "", 0, fmt.Errorf("resolving %s: %w", quoted(sha), err)
	}
	b, err := r.resolve(tip)
	if err != nil {
		return "", 0, fmt.Errorf("resolving %s: %w", quoted(tip), err)
	}
	best, err := r.mergeBase(nodeOf(a), nodeOf(b))
	if err != nil {
		return "", 0, fmt.Errorf("finding the merge base of %s and %s: %w", quoted(sha), quoted(tip), err)
	}
	w := r.walk()
	if _, _, err = w.commonAncestors(nodeOf(a), nodeOf(b)); err != nil {
		return "", 0, err
	}
	for _, marks := range w.marks {
		if marks == ofA {
			commits++
		}
	}
	return best.Hash.String(), commits, nil
}

// Tag is a tag, and the commit that it stands for.
type Tag struct{ Name, SHA string }

// Tags returns the tags of commits, sorted by name. Those that stand for what a
// shallow clone lacks are not among them.
func (r *Repository) Tags() (list []Tag, err error) {
	defer r.lock(&err)()
	iter, err := r.store.IterReferences()
	if err != nil {
		return nil, fmt.Errorf("listing the tags: %w", err)
	}
	defer iter.Close()
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		if !ref.Name().IsTag() {
			return nil
		}
		// A tag may point to a file.
		if c, err := r.peel(ref.Hash()); err == nil {
			list = append(list, Tag{ref.Name().Short(), c.id.String()})
		}
		return nil
	})
	slices.SortFunc(list, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}

// RemoteRefs is what a repository elsewhere says that it has: what each branch and tag
// stands for, annotated tags peeled.
type RemoteRefs struct {
	Tags     []Tag
	Branches map[string]string
	// Head is the commit of the server's HEAD, "" where it has none; HeadBranch is the
	// branch that it is, "" where it is none.
	Head, HeadBranch string
}

// List asks a repository for its branches and tags; of a Request it takes address
// and token. Errors are those of Fetch.
func List(ctx context.Context, q Request) (l RemoteRefs, err error) {
	defer caught(&err)
	if dir, ok := localPath(q.URL); ok {
		return listLocal(dir)
	}
	f, err := newFetch(q)
	if err != nil {
		return RemoteRefs{}, fmt.Errorf("listing the tags of %s: %w", quoted(plainURL(q.URL)), err)
	}
	fail := func(err error) (RemoteRefs, error) {
		return RemoteRefs{}, fmt.Errorf("listing the tags of %s: %w", f.url, f.explain(err))
	}
	if f.Dir, err = os.MkdirTemp(q.Dir, "list-"); err != nil {
		return fail(err)
	}
	defer os.RemoveAll(f.Dir)
	if err := f.prepare(); err != nil {
		return fail(err)
	}
	defer f.store.Close()
	ctx, cancel := context.WithTimeout(withBounds(ctx, f.bounds), patience)
	defer cancel()
	bounded()
	refs, err := retry.NewWithData[[]*plumbing.Reference](f.again(ctx)...).Do(func() (list []*plumbing.Reference, err error) {
		defer caught(&err)
		return f.remote.ListContext(ctx, &git.ListOptions{Auth: f.auth, PeelingOption: git.AppendPeeled})
	})
	if err != nil {
		return fail(err)
	}
	return listed(refs), nil
}

// listed sorts what a server offers. A peeled name follows that of its tag.
func listed(refs []*plumbing.Reference) RemoteRefs {
	l := RemoteRefs{Branches: map[string]string{}}
	tags := map[string]string{}
	peeled := map[string]bool{}
	var head plumbing.ReferenceName
	for _, ref := range refs {
		name, of := strings.CutSuffix(ref.Name().String(), "^{}")
		short, tag := strings.CutPrefix(name, "refs/tags/")
		switch {
		case ref.Name() == plumbing.HEAD && ref.Type() == plumbing.SymbolicReference:
			head = ref.Target()
		case ref.Name() == plumbing.HEAD:
			l.Head = ref.Hash().String()
		case ref.Type() != plumbing.HashReference:
		case tag && (of || !peeled[short]):
			tags[short], peeled[short] = ref.Hash().String(), of
		case ref.Name().IsBranch():
			l.Branches[ref.Name().Short()] = ref.Hash().String()
		}
	}
	if head.IsBranch() {
		l.Head, l.HeadBranch = l.Branches[head.Short()], head.Short()
	}
	for name, sha := range tags {
		l.Tags = append(l.Tags, Tag{name, sha})
	}
	slices.SortFunc(l.Tags, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	return l
}

// listLocal lists a repository on this machine.
func listLocal(dir string) (RemoteRefs, error) {
	r, err := openPath(dir)
	if err != nil {
		return RemoteRefs{}, err
	}
	defer r.Close()
	l := RemoteRefs{Branches: map[string]string{}}
	if l.Tags, err = r.Tags(); err != nil {
		return RemoteRefs{}, err
	}
	defer r.lock(&err)()
	iter, err := r.store.IterReferences()
	if err != nil {
		return RemoteRefs{}, err
	}
	defer iter.Close()
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		if ref.Name().IsBranch() && ref.Type() == plumbing.HashReference {
			l.Branches[ref.Name().Short()] = ref.Hash().String()
		}
		return nil
	})
	if err != nil {
		return RemoteRefs{}, err
	}
	if head, headErr := storer.ResolveReference(r.store, plumbing.HEAD); headErr == nil {
		if l.Head = head.Hash().String(); head.Name().IsBranch() {
			l.HeadBranch = head.Name().Short()
		}
	}
	return l, nil
}
