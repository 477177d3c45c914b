package repo

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Commit is what is known of a commit.
type Commit struct {
	SHA string
	// Time is the committer's, in UTC.
	Time time.Time
	// Parents as the commit names them; in a shallow clone they may be absent.
	Parents []string
	// Message is what its author says, 16 KiB of it at most; what is no UTF-8 in it is replaced.
	Message string
}

func commitOf(c *commit) Commit {
	out := Commit{SHA: c.id.String(), Time: c.when, Message: c.message}
	for _, p := range c.parents {
		out.Parents = append(out.Parents, p.String())
	}
	return out
}

// errUnknown is a revision that nothing is called.
var errUnknown = errors.New("unknown revision")

// Head returns the commit that is checked out; ErrNoCommit when there is none.
func (r *Repository) Head() (c Commit, err error) {
	defer r.lock(&err)()
	ref, err := storer.ResolveReference(r.store, plumbing.HEAD)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return Commit{}, ErrNoCommit
	}
	if err != nil {
		return Commit{}, fmt.Errorf("resolving HEAD: %w", err)
	}
	oc, err := r.commit(ref.Hash())
	if err != nil {
		return Commit{}, fmt.Errorf("resolving HEAD: %w", err)
	}
	return commitOf(oc), nil
}

// Branch returns the short name of the branch that is checked out, "" when
// HEAD is detached.
func (r *Repository) Branch() (name string) {
	var err error
	defer r.lock(&err)()
	ref, e := r.store.Reference(plumbing.HEAD)
	if e != nil || ref.Type() != plumbing.SymbolicReference || !ref.Target().IsBranch() {
		return ""
	}
	return ref.Target().Short()
}

// Resolve returns the commit that a revision names: a full or abbreviated id, a
// reference by any name git accepts, what git describe prints, or @{upstream},
// followed by any of ~N, ^N, ^{}, ^{commit}. Annotated tags are peeled. The
// error for an unknown name offers near ones.
func (r *Repository) Resolve(rev string) (c Commit, err error) {
	defer r.lock(&err)()
	oc, err := r.resolve(rev)
	if err != nil {
		return Commit{}, fmt.Errorf("resolving %s: %w", quoted(rev), err)
	}
	return commitOf(oc), nil
}

func (r *Repository) resolve(rev string) (*commit, error) {
	base, steps := rev, ""
	if i := strings.IndexAny(rev, "^~:"); i >= 0 {
		base, steps = rev[:i], rev[i:]
	}
	if branch, what, ok := strings.Cut(base, "@{"); ok {
		if what = strings.ToLower(what); what != "u}" && what != "upstream}" {
			return nil, errors.New("of @{...} only @{upstream} is supported; name a branch, a tag or a commit")
		}
		up, err := r.upstream(branch)
		if err != nil {
			return nil, err
		}
		base = up
	}
	if base == "@" {
		base = "HEAD"
	}
	if base == "" {
		return nil, errors.New("not a revision; name a branch, a tag or a commit")
	}
	h, err := r.lookup(base)
	if err != nil {
		return nil, err
	}
	c, err := r.peel(h)
	for err == nil && steps != "" {
		c, steps, err = r.step(c, steps)
	}
	return c, err
}

// upstream returns the reference that follows what branch ("" is the current
// one) is set to track.
func (r *Repository) upstream(branch string) (string, error) {
	if branch == "" || branch == "@" || branch == "HEAD" {
		ref, err := r.store.Reference(plumbing.HEAD)
		if err != nil || ref.Type() != plumbing.SymbolicReference {
			return "", errors.New("HEAD is detached and has no upstream")
		}
		branch = ref.Target().Short()
	}
	var remote, merge string
	for _, sub := range r.config.Raw.Section("branch").Subsections {
		if sub.Name == branch {
			remote, merge = sub.Options.Get("remote"), sub.Options.Get("merge")
		}
	}
	name, ok := strings.CutPrefix(merge, "refs/heads/")
	switch {
	case !ok || remote == "":
		return "", fmt.Errorf("branch %s has no upstream (git branch --set-upstream-to)", quoted(branch))
	case remote == ".":
		return merge, nil
	}
	return "refs/remotes/" + remote + "/" + name, nil
}

// step follows the first suffix of steps from c.
func (r *Repository) step(c *commit, steps string) (*commit, string, error) {
	op, rest := steps[0], steps[1:]
	for _, same := range []string{"{}", "{commit}", "{tag}^{}"} {
		if after, ok := strings.CutPrefix(rest, same); op == '^' && ok {
			return c, after, nil
		}
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	n, err := 1, error(nil)
	if digits > 0 {
		n, err = strconv.Atoi(rest[:digits])
	}
	if err != nil || op != '^' && op != '~' || strings.HasPrefix(rest, "{") {
		return nil, "", fmt.Errorf("%s is not supported; a name may be followed by ~N and ^N", quoted(steps))
	}
	rest = rest[digits:]
	if op == '^' {
		if n == 0 {
			return c, rest, nil
		}
		c, err = r.parent(c, n)
		return c, rest, err
	}
	for ; n > 0 && err == nil; n-- {
		c, err = r.parent(c, 1)
	}
	return c, rest, err
}

// parent returns the nth parent of c, counted from 1.
func (r *Repository) parent(c *commit, n int) (*commit, error) {
	if len(c.parents) == 0 {
		return nil, fmt.Errorf("history begins at %s: %w; name fewer steps", c.id.String()[:10], errUnknown)
	}
	if n > len(c.parents) {
		return nil, fmt.Errorf("commit %s has %d parents: %w", c.id.String()[:10], len(c.parents), errUnknown)
	}
	p, err := r.commit(c.parents[n-1])
	var missing *MissingError
	if errors.As(err, &missing) && r.shallow()[c.id] {
		return nil, fmt.Errorf("a parent of %s: %w", c.id.String()[:10], ErrShallow)
	}
	return p, err
}

// described is what git describe prints: tag, distance, abbreviated id.
var described = lazyregexp.New(`^.+-[0-9]+-g([0-9a-f]{4,40})$`)

// lookup returns what a name without suffixes stands for: a full id, then a
// reference by git's rules, then an abbreviated id.
func (r *Repository) lookup(name string) (plumbing.Hash, error) {
	if plumbing.IsHash(name) {
		return plumbing.NewHash(name), nil
	}
	for _, rule := range plumbing.RefRevParseRules {
		ref, err := storer.ResolveReference(r.store, plumbing.ReferenceName(strings.Replace(rule, "%s", name, 1)))
		if err == nil {
			return ref.Hash(), nil
		}
	}
	if name == "HEAD" {
		return plumbing.ZeroHash, ErrNoCommit
	}
	id := name
	if m := described.FindStringSubmatch(name); m != nil {
		id = m[1]
	}
	if h, err := r.abbreviated(id); err == nil || !errors.Is(err, errUnknown) {
		return h, err
	}
	if near := r.near(name); len(near) > 0 {
		return plumbing.ZeroHash, fmt.Errorf("%w; near ones: %s", errUnknown, strings.Join(near, ", "))
	}
	if r.isShallow() {
		return plumbing.ZeroHash, fmt.Errorf("%w; the clone is shallow and may lack it (fetch-depth: 0 in actions/checkout)", errUnknown)
	}
	return plumbing.ZeroHash, fmt.Errorf("%w; git branch --all lists those that are here, git fetch brings more", errUnknown)
}

// abbreviated returns the one commit or tag whose id begins with name.
func (r *Repository) abbreviated(name string) (plumbing.Hash, error) {
	short := strings.ToLower(name)
	if len(short) < 4 || len(short) > 40 || strings.Trim(short, "0123456789abcdef") != "" {
		return plumbing.ZeroHash, errUnknown
	}
	prefix := plumbing.NewHash(short[:len(short)&^1])
	all, err := r.store.HashesWithPrefix(prefix[:len(short)/2])
	if err != nil {
		return plumbing.ZeroHash, err
	}
	var found []plumbing.Hash
	for _, h := range all {
		if !strings.HasPrefix(h.String(), short) {
			continue
		}
		o, err := r.store.EncodedObject(plumbing.AnyObject, h)
		if err == nil && (o.Type() == plumbing.CommitObject || o.Type() == plumbing.TagObject) {
			found = append(found, h)
		}
	}
	switch len(found) {
	case 0:
		return plumbing.ZeroHash, errUnknown
	case 1:
		return found[0], nil
	}
	return plumbing.ZeroHash, fmt.Errorf("%d commits begin with that; write more digits", len(found))
}

// peel follows annotated tags to a commit.
func (r *Repository) peel(h plumbing.Hash) (*commit, error) {
	for range 16 {
		o, err := r.store.EncodedObject(plumbing.AnyObject, h)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return nil, r.missing(h, "commit")
		}
		if err != nil {
			return nil, err
		}
		if t := o.Type(); t != plumbing.CommitObject && t != plumbing.TagObject {
			return nil, fmt.Errorf("%s is a %s, not a commit", h.String()[:10], t)
		}
		b, err := content(o)
		if err != nil {
			return nil, err
		}
		if o.Type() == plumbing.CommitObject {
			return decodeCommit(h, b)
		}
		if h, err = decodeTag(b); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("tags of tags without end")
}

// commit returns the commit h.
func (r *Repository) commit(h plumbing.Hash) (*commit, error) {
	o, err := r.store.EncodedObject(plumbing.CommitObject, h)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, r.missing(h, "commit")
	}
	if err != nil {
		return nil, err
	}
	b, err := content(o)
	if err != nil {
		return nil, err
	}
	return decodeCommit(h, b)
}

// near returns up to three names of references that resemble name, best first.
func (r *Repository) near(name string) []string {
	iter, err := r.store.IterReferences()
	if err != nil {
		return nil
	}
	defer iter.Close()
	var names []string
	iter.ForEach(func(ref *plumbing.Reference) error {
		if n := ref.Name(); n.IsBranch() || n.IsTag() || n.IsRemote() {
			names = append(names, n.Short())
		}
		return nil
	})
	return nearest(name, names)
}

// nearest returns up to three of names that resemble name, best first.
func nearest(name string, names []string) []string {
	type scored struct {
		name string
		d    int
	}
	var list []scored
	seen := map[string]bool{}
	last := func(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }
	for _, n := range names {
		if len(n) > 200 || len(name) > 200 || seen[n] {
			continue
		}
		seen[n] = true
		_, tail, _ := strings.Cut(n, "/") // x of origin/x
		d := min(distance(strings.ToLower(name), strings.ToLower(n)), distance(strings.ToLower(name), strings.ToLower(tail)))
		if strings.EqualFold(last(name), last(n)) {
			d = min(d, 1)
		}
		if d <= 1+len(name)/3 {
			list = append(list, scored{n, d})
		}
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].d != list[j].d {
			return list[i].d < list[j].d
		}
		return list[i].name < list[j].name
	})
	var out []string
	for _, s := range list[:min(3, len(list))] {
		out = append(out, quoted(s.name))
	}
	return out
}

// distance counts the insertions, deletions and replacements between a and b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, diag+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// quoted returns s as it is when it can stand in a message, else quoted.
func quoted(s string) string {
	if q := strconv.Quote(s); s == "" || q != `"`+s+`"` || strings.ContainsAny(s, " ") {
		return q
	}
	return s
}

// fetches reports whether there are branches of a remote.
func (r *Repository) fetches() bool {
	iter, err := r.store.IterReferences()
	if err != nil {
		return false
	}
	defer iter.Close()
	found := false
	iter.ForEach(func(ref *plumbing.Reference) error {
		found = found || ref.Name().IsRemote()
		return nil
	})
	return found
}

// RemoteURL returns the first address of the remote called name, without user
// name and password, fit for Fetch; "" when there is none.
func (r *Repository) RemoteURL(name string) string {
	for _, sub := range r.config.Raw.Section("remote").Subsections {
		if sub.Name != name {
			continue
		}
		for _, o := range sub.Options {
			if !strings.EqualFold(o.Key, "url") {
				continue
			}
			// git reads a relative path from the top of the worktree.
			if p, ok := localPath(o.Value); ok && !filepath.IsAbs(p) {
				top := r.work
				if top == "" {
					top = r.gitDir
				}
				return filepath.Join(top, p)
			}
			return plainURL(o.Value)
		}
	}
	return ""
}

// plainURL drops what must not be printed from an address: of one that cannot
// be read, everything.
func plainURL(raw string) string {
	if !strings.Contains(raw, "://") {
		return raw // a path, or host:path
	}
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if u.Scheme == "ssh" && u.User != nil {
		u.User = url.User(u.User.Username())
	} else {
		u.User = nil
	}
	return u.String()
}

// IsShallow reports whether the clone lacks history.
func (r *Repository) IsShallow() bool {
	var err error
	defer r.lock(&err)()
	return r.isShallow()
}

func (r *Repository) isShallow() bool { return len(r.shallow()) > 0 }

// shallow returns the commits whose parents the clone lacks.
func (r *Repository) shallow() map[plumbing.Hash]bool {
	list, err := r.store.Shallow()
	if err != nil {
		return nil
	}
	set := make(map[plumbing.Hash]bool, len(list))
	for _, h := range list {
		set[h] = true
	}
	return set
}
