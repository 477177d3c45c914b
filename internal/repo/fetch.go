package repo

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/avast/retry-go/v5"
	"github.com/go-git/go-billy/v5/osfs"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/http"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

var (
	// ErrAuth: the server asks for a token, or for a better one.
	ErrAuth = errors.New("the server refuses access; give a token that may read it (input token; in a workflow, permissions: contents: read)")
	// ErrNotFound: there is no such repository, or the token may not see it.
	ErrNotFound = errors.New("no such repository, or the token may not see it")
	// ErrGone: the server no longer has the commit.
	ErrGone = errors.New("the server does not have this commit; it was probably removed by a forced push")
)

// Request asks for one commit of a repository elsewhere.
type Request struct {
	// URL is an http or https address, a file address or a local path. Local
	// repositories are opened where they are.
	URL string
	// Token is sent only when the address's host is Host, and never to where a
	// redirect leads from there.
	Token string
	Host  string
	// SHA is a full commit id. Without it Ref names a branch, a tag or a full
	// reference; both empty mean the remote's HEAD.
	SHA string
	Ref string
	// Dir is the folder for the private bare store: absent, empty, or from an
	// earlier Fetch.
	Dir   string
	pause time.Duration // before a second try; for tests

	bounds bounds // of the answers; for tests
}

const (
	// fetched is the reference that a fetched commit gets in the store.
	fetched = "refs/haversack/fetched"
	// tries is how often a fetch that failed on the way is begun.
	tries = 3
	// patience bounds a whole fetch: a server that falls silent must not hold a
	// job until the runner ends it.
	patience = 15 * time.Minute
)

// Fetch gets one commit, without its history, into a private bare store and
// returns that, opened, and the commit. When the server does not hand out a
// commit that no reference points to, its branches and tags are fetched with
// their history. Errors are ErrAuth, ErrNotFound, ErrGone and ErrNoCommit (an
// empty repository), or tell what went wrong on the way.
func Fetch(ctx context.Context, q Request) (r *Repository, c Commit, err error) {
	defer caught(&err)
	what := q.SHA
	if what == "" {
		what = q.Ref
	}
	if what == "" {
		what = "HEAD"
	}
	if plumbing.IsHash(what) {
		q.SHA, what = strings.ToLower(what), strings.ToLower(what)
	} else if q.SHA != "" {
		return nil, Commit{}, fmt.Errorf("fetching %s: not a full commit id", quoted(q.SHA))
	}
	if dir, ok := localPath(q.URL); ok {
		return openLocal(dir, what)
	}
	f, err := newFetch(q)
	if err != nil {
		return nil, Commit{}, fmt.Errorf("fetching %q: %w", plainURL(q.URL), err)
	}
	fail := func(err error) (*Repository, Commit, error) {
		return nil, Commit{}, fmt.Errorf("fetching %s of %q: %w", quoted(what), f.url, f.explain(err))
	}
	if err := f.prepare(); err != nil {
		return fail(err)
	}
	h, err := f.get(ctx)
	f.store.Close()
	if err != nil {
		return fail(err)
	}
	// Opened anew: what go-git has listed of the store is out of date by now.
	r, err = openStore(f.Dir)
	if err != nil {
		return fail(err)
	}
	c, err = r.Resolve(h.String())
	if err != nil {
		r.Close()
		return fail(err)
	}
	return r, c, nil
}

// newFetch checks a request's address, and gives it the token where that is meant
// for it.
func newFetch(q Request) (*fetch, error) {
	u, err := url.Parse(q.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the address is not supported; use https://HOST/OWNER/NAME, file:///PATH or a path")
	}
	if _, secret := u.User.Password(); secret {
		return nil, errors.New("the address holds a password; pass it as input token")
	}
	u.User = nil
	f := &fetch{Request: q, url: u.String()}
	if q.Token != "" && sameHost(u, q.Host) {
		f.auth = &http.BasicAuth{Username: "x-access-token", Password: q.Token}
	}
	return f, nil
}

// Fetchable reports whether an address is of a kind that Fetch takes.
func Fetchable(address string) bool {
	if _, ok := localPath(address); ok {
		return true
	}
	_, err := newFetch(Request{URL: address})
	return err == nil
}

// localPath returns the path that an address on this machine names.
func localPath(raw string) (string, bool) {
	if u, err := url.Parse(raw); err == nil && u.Scheme == "file" {
		p := filepath.FromSlash(u.Path)
		if runtime.GOOS == "windows" {
			p = strings.TrimPrefix(p, `\`)
		}
		return p, u.Host == "" || u.Host == "localhost"
	}
	if strings.Contains(raw, "://") || raw == "" {
		return "", false
	}
	// host:path is git's short form of an ssh address.
	host, _, scp := strings.Cut(raw, ":")
	if scp && !strings.ContainsAny(host, `/\`) && len(host) > 1 {
		return "", false
	}
	return raw, true
}

// openPath opens the repository whose worktree or own folder is dir.
func openPath(dir string) (*Repository, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	r, err := openAt(abs, true)
	if err == nil && r == nil {
		err = ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	return r, nil
}

func openLocal(dir, what string) (*Repository, Commit, error) {
	r, err := openPath(dir)
	if err != nil {
		return nil, Commit{}, err
	}
	c, err := r.Resolve(what)
	if what == "HEAD" {
		c, err = r.Head()
	}
	if err != nil {
		r.Close()
		return nil, Commit{}, fmt.Errorf("opening %s: %w", dir, err)
	}
	return r, c, nil
}

// sameHost reports whether u's host is host, which may carry a port.
func sameHost(u *url.URL, host string) bool {
	if host == "" {
		return false
	}
	strip := func(h string) string {
		return strings.TrimSuffix(strings.ToLower(h), map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
	}
	return strip(u.Host) == strip(host)
}

// fetch is one Request on its way.
type fetch struct {
	Request
	url    string
	auth   transport.AuthMethod
	store  *store
	remote *git.Remote
}

// prepare makes or opens the private store.
func (f *fetch) prepare() error {
	dir, err := filepath.Abs(f.Dir)
	if err != nil {
		return err
	}
	f.Dir = dir
	if !isGitDir(dir) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		st := filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRU(objectCache))
		_, err := git.Init(st, nil)
		st.Close()
		if err != nil {
			return err
		}
	}
	f.store = newStore(dir, dir)
	f.remote = git.NewRemote(f.store, &config.RemoteConfig{Name: "origin", URLs: []string{f.url}})
	return nil
}

// get fetches what the request names and returns its id.
func (f *fetch) get(ctx context.Context) (plumbing.Hash, error) {
	ctx, cancel := context.WithTimeout(withBounds(ctx, f.bounds), patience)
	defer cancel()
	bounded()
	return retry.NewWithData[plumbing.Hash](f.again(ctx)...).Do(func() (plumbing.Hash, error) { return f.once(ctx) })
}

// again says how often and when a request is tried.
func (f *fetch) again(ctx context.Context) []retry.Option {
	return []retry.Option{
		retry.Context(ctx), retry.Attempts(tries), retry.LastErrorOnly(true),
		retry.RetryIf(func(err error) bool { return temporary(err) && ctx.Err() == nil }),
		retry.DelayType(func(n uint, _ error, _ retry.DelayContext) time.Duration {
			return cmp.Or(f.pause, time.Duration(n)*2*time.Second)
		}),
	}
}

func (f *fetch) once(ctx context.Context) (h plumbing.Hash, err error) {
	defer caught(&err)
	if f.SHA == "" {
		name, branch, err := f.advertised(ctx)
		if err != nil {
			return h, err
		}
		if h, err = f.pull(ctx, name.String(), 1); err != nil {
			return h, err
		}
		// The store's own is go-git's, and no branch of the server's.
		head := plumbing.NewHashReference(plumbing.HEAD, h)
		if branch != "" {
			head = plumbing.NewSymbolicReference(plumbing.HEAD, branch)
		}
		return h, f.store.SetReference(head)
	}
	h = plumbing.NewHash(f.SHA)
	if f.store.HasEncodedObject(h) == nil {
		return h, nil
	}
	got, err := f.pull(ctx, f.SHA, 1)
	// "not our ref" may also mean: not at the tip of one.
	if !errors.Is(err, git.ErrExactSHA1NotSupported) && !notOurs(err) {
		return got, err
	}
	refs, err := f.remote.ListContext(ctx, &git.ListOptions{Auth: f.auth, PeelingOption: git.AppendPeeled})
	if err != nil {
		return h, err
	}
	for _, ref := range refs {
		if ref.Hash() == h {
			name, _ := strings.CutSuffix(ref.Name().String(), "^{}")
			return f.pull(ctx, name, 1)
		}
	}
	for _, all := range []string{"refs/heads/*", "refs/tags/*"} {
		if _, err := f.pull(ctx, all, 0); err != nil {
			return h, err
		}
	}
	if f.store.HasEncodedObject(h) != nil {
		return h, ErrGone
	}
	return h, nil
}

// pull fetches src (a full id, a reference, or a pattern of them) and returns
// the id it stands for; of a pattern, nothing.
func (f *fetch) pull(ctx context.Context, src string, depth int) (h plumbing.Hash, err error) {
	dst := fetched
	if tail, ok := strings.CutPrefix(src, "refs/"); ok && strings.HasSuffix(src, "*") {
		dst = "refs/haversack/" + tail
	}
	err = f.remote.FetchContext(ctx, &git.FetchOptions{
		RefSpecs: []config.RefSpec{config.RefSpec("+" + src + ":" + dst)},
		Depth:    depth, Auth: f.auth, Tags: git.NoTags, Force: true,
	})
	if err != nil && !errors.Is(err, git.NoErrAlreadyUpToDate) {
		return h, err
	}
	if dst != fetched {
		return h, nil
	}
	ref, err := storer.ResolveReference(f.store, fetched)
	if err != nil {
		return h, err
	}
	// go-git takes an answer without content for "you have it all".
	if f.store.HasEncodedObject(ref.Hash()) != nil {
		return h, io.ErrUnexpectedEOF
	}
	return ref.Hash(), nil
}

// advertised returns the full name of the reference that the request means, by
// git's rules, among those that the server offers, and the branch that it is, "" for none.
func (f *fetch) advertised(ctx context.Context) (name, branch plumbing.ReferenceName, err error) {
	refs, err := f.remote.ListContext(ctx, &git.ListOptions{Auth: f.auth})
	if err != nil {
		return "", "", err
	}
	has := make(map[plumbing.ReferenceName]bool, len(refs))
	var names []string
	var head plumbing.ReferenceName
	for _, ref := range refs {
		has[ref.Name()] = true
		if ref.Name() == plumbing.HEAD && ref.Type() == plumbing.SymbolicReference {
			head = ref.Target()
		}
		if ref.Name().IsBranch() || ref.Name().IsTag() {
			names = append(names, ref.Name().Short())
		}
	}
	want := f.Ref
	if want == "" {
		want = "HEAD"
	}
	for _, rule := range plumbing.RefRevParseRules {
		name := plumbing.ReferenceName(strings.Replace(rule, "%s", want, 1))
		if !has[name] {
			continue
		}
		if branch = name; name == plumbing.HEAD {
			branch = head
		}
		if !branch.IsBranch() {
			branch = ""
		}
		return name, branch, nil
	}
	if near := nearest(want, names); len(near) > 0 {
		return "", "", fmt.Errorf("%w; near ones: %s", errUnknown, strings.Join(near, ", "))
	}
	return "", "", fmt.Errorf("%w; name a branch, a tag, or a commit by all 40 digits", errUnknown)
}

// unwrapped sees through go-git's wrapper, which does not unwrap.
func unwrapped(err error) error {
	var ue *plumbing.UnexpectedError
	if errors.As(err, &ue) {
		return ue.Err
	}
	return err
}

func notOurs(err error) bool {
	return err != nil && strings.Contains(err.Error(), "not our ref")
}

// temporary reports whether err may not come up again: the connection broke, or
// the server is in trouble.
func temporary(err error) bool {
	err = unwrapped(err)
	var he *http.Err
	var silent *silentError
	var large *TooLargeError
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &silent) || errors.As(err, &large) || errors.As(err, &untrusted) {
		return false
	}
	if errors.As(err, &he) {
		return he.StatusCode() >= nethttp.StatusInternalServerError || he.StatusCode() == nethttp.StatusTooManyRequests
	}
	var ne net.Error
	return errors.As(err, &ne) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// explain puts an error of go-git into words with a fix. What the server wrote
// is left out: it may be a page of HTML.
func (f *fetch) explain(err error) error {
	err = unwrapped(err)
	var he *http.Err
	var silent *silentError
	var large *TooLargeError
	switch {
	case errors.As(err, &silent):
		return silent
	case errors.As(err, &large):
		return large
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed):
		if f.Token != "" && f.auth == nil {
			return fmt.Errorf("%w (the token is for %s and is not sent elsewhere)", ErrAuth, f.Host)
		}
		return ErrAuth
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return ErrNotFound
	case errors.Is(err, transport.ErrEmptyRemoteRepository):
		return ErrNoCommit
	case notOurs(err):
		return ErrGone
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the server is too slow or silent: %w", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the connection broke off")
	case errors.Is(err, pktline.ErrInvalidPktLen), errors.Is(err, packp.ErrEmptyInput), strings.Contains(err.Error(), "invalid pkt-len"):
		return errors.New("the answer is not a git server's; is the address right?")
	case errors.As(err, &he):
		return fmt.Errorf("the server answered with status %d", he.StatusCode())
	case strings.Contains(err.Error(), "no space after hash"):
		return fmt.Errorf("the repository names its objects by sha256, which is not supported; only sha1 is: %w", ErrFormat)
	}
	return err
}
