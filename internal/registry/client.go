package registry

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"
	"oras.land/oras-go/v2/registry/remote/retry"
)

const (
	// MaxConfig is the most bytes of docker's config that are read.
	MaxConfig = 1 << 20
	// MaxManifest is the most bytes of a manifest, as registries have it.
	MaxManifest = 4 << 20
	// maxRedirects is how often a request for a file may be sent on.
	maxRedirects = 3
	// maxRetries is how often a request is repeated that the registry could not answer,
	// and maxWait the longest wait before one. Who asks for a longer one is told so.
	maxRetries = 3
	maxWait    = 15 * time.Second
	// patience is how long a registry may send nothing to speak of.
	patience = 40 * time.Second
	// leastMoved is what it sends, or takes, within that time if it is not given up: who sends a byte a second says nothing.
	leastMoved = 4 << 10
)

var (
	// ErrNotFound: the registry has nothing of that name.
	ErrNotFound = errors.New("the registry has no such artifact")
	// ErrRefused: the registry wants other credentials, or any.
	ErrRefused = errors.New("the registry refuses it")
)

// Options are what is known of a registry besides its address.
type Options struct {
	// Config is docker's configuration, of which "auths" are read; nil for none. No
	// helper that it names is run.
	Config []byte
	// Token is the workflow's token, "" for none, good for TokenHost alone.
	Token, TokenHost string
	// Mask is told of each credential before it is used.
	Mask func(string)
	// Patience is how long the registry may send nothing; 0 for 40 seconds.
	Patience time.Duration
	// Wait is about the first wait before a request is repeated, each next one twice as
	// long; 0 for 200 ms.
	Wait time.Duration
}

// Client speaks to the registry of one address.
type Client struct {
	Address Address
	repo    *remote.Repository
}

// New returns a client; no request is made. An error is one of docker's configuration.
func New(a Address, o Options) (*Client, error) {
	own, err := credentialOf(a.Host, o)
	if err != nil {
		return nil, err
	}
	repo, err := remote.NewRepository(a.Host + "/" + a.Name)
	if err != nil {
		return nil, err
	}
	repo.PlainHTTP = loopback(a.Host)
	repo.MaxMetadataBytes = MaxManifest
	if o.Patience == 0 {
		o.Patience = patience
	}
	if o.Wait == 0 {
		o.Wait = 200 * time.Millisecond
	}
	policy := &retry.GenericPolicy{Retryable: retry.DefaultPredicate, Backoff: retry.ExponentialBackoff(o.Wait, 2, 0.1), MaxWait: maxWait, MaxRetry: maxRetries}
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.DisableCompression = true // sizes and digests are of what is sent
	base.MaxResponseHeaderBytes = 64 << 10
	host := repo.Reference.Host()
	client := &auth.Client{
		Client: &http.Client{
			Transport:     &retry.Transport{Base: &guard{base: base, host: host, plain: repo.PlainHTTP, patience: o.Patience}, Policy: func() retry.Policy { return policy }},
			CheckRedirect: checkRedirect,
		},
		Cache:    auth.NewCache(),
		ClientID: "haversack",
		Credential: func(_ context.Context, to string) (auth.Credential, error) {
			if to != host {
				return auth.EmptyCredential, nil
			}
			return own, nil
		},
	}
	if repo.PlainHTTP {
		client.BlockedRealmPrefixes = []netip.Prefix{} // both are on this machine
	}
	client.SetUserAgent("haversack")
	repo.Client = client
	return &Client{a, repo}, nil
}

// credentialOf is the credential for a host, and tells the mask of it.
func credentialOf(host string, o Options) (auth.Credential, error) {
	var c auth.Credential
	if len(o.Config) > 0 {
		store, err := credentials.NewMemoryStoreFromDockerConfig(o.Config)
		if err != nil {
			// The error may quote what it read.
			return c, errors.New("docker's config is not one: a JSON object is wanted whose auths are objects by host")
		}
		if c, err = store.Get(context.Background(), credentials.ServerAddressFromRegistry(host)); err != nil {
			return c, err
		}
	}
	if c == auth.EmptyCredential && o.Token != "" && host == o.TokenHost {
		c = auth.Credential{Username: "haversack", Password: o.Token}
	}
	if o.Mask != nil {
		for _, s := range []string{c.Password, c.RefreshToken, c.AccessToken} {
			if s != "" {
				o.Mask(s)
			}
		}
		if c.Password != "" {
			o.Mask(base64.StdEncoding.EncodeToString([]byte(c.Username + ":" + c.Password)))
		}
	}
	return c, nil
}

// checkRedirect lets a request for a file be sent on, as registries do to where they keep
// them, and no other.
func checkRedirect(r *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("sent on more than %d times", maxRedirects)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return fmt.Errorf("a %s is sent on to %q, which is not followed", r.Method, r.URL.Host)
	}
	return nil
}

// guard keeps what is sent to the host that was asked for: no content goes to another, and
// nothing without encryption but on this machine.
type guard struct {
	base     http.RoundTripper
	host     string
	plain    bool // the registry is on this machine
	patience time.Duration
	silent   atomic.Bool // it has run out of patience once: what follows has an eighth of it
}

func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	asksForToken := r.Header.Get("Content-Type") == "application/x-www-form-urlencoded"
	switch {
	case r.URL.Scheme != "https" && !(g.plain && loopback(r.URL.Host)):
		return nil, fmt.Errorf("%q is not asked without encryption", r.URL.Host)
	case r.URL.Host != g.host && r.Method != http.MethodGet && r.Method != http.MethodHead && !asksForToken:
		return nil, fmt.Errorf("the registry %q sends content on to %q, which is not followed", g.host, r.URL.Host)
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	patience := g.patience
	if g.silent.Load() {
		patience /= 8
	}
	silent := fmt.Errorf("the registry sent nothing for %s", patience)
	// A body that is being sent takes its time: so much of it that is read counts as a sign of life.
	timer := time.AfterFunc(patience, func() { g.silent.Store(true); cancel(silent) })
	sent := r.WithContext(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		sent.Body = &living{ReadCloser: r.Body, timer: timer, patience: patience}
	}
	resp, err := g.base.RoundTrip(sent)
	if err != nil {
		timer.Stop()
		if context.Cause(ctx) == silent {
			err = silent
		}
		cancel(nil)
		return nil, err
	}
	resp.Body = &living{ReadCloser: resp.Body, timer: timer, patience: patience, closed: func() { timer.Stop(); cancel(nil) }}
	if wait := pause(resp); wait > maxWait {
		resp.Body.Close()
		return nil, fmt.Errorf("the registry answers 429 and asks for a pause of %s: run it again after that", wait)
	}
	return resp, nil
}

// pause is how long a registry that is asked too often wants to be left alone; 0 where it does not say.
func pause(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests {
		return 0
	}
	seconds, err := strconv.ParseInt(resp.Header.Get("Retry-After"), 10, 32)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// living is a body that is given up when nothing of it to speak of comes for a while.
type living struct {
	io.ReadCloser
	timer    *time.Timer
	patience time.Duration
	closed   func()
	moved    int // bytes since the last sign of life
}

func (l *living) Read(p []byte) (int, error) {
	if l.moved >= leastMoved {
		l.timer.Reset(l.patience)
		l.moved = 0
	}
	n, err := l.ReadCloser.Read(p)
	l.moved += n
	return n, err
}

func (l *living) Close() error {
	if l.closed != nil {
		defer l.closed()
	}
	return l.ReadCloser.Close()
}

// told says what an error of the library's means.
func told(err error) error {
	var answer *errcode.ErrorResponse
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errdef.ErrNotFound):
		return ErrNotFound
	case errors.Is(err, auth.ErrBasicCredentialNotFound):
		return fmt.Errorf("%w: it wants credentials, and none are given", ErrRefused)
	case errors.As(err, &answer) && (answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden):
		return fmt.Errorf("%w: it answers %d", ErrRefused, answer.StatusCode)
	case errors.As(err, &answer):
		if len(answer.Errors) > 0 {
			return fmt.Errorf("the registry answers %d: %.200q", answer.StatusCode, answer.Errors[0].Error())
		}
		return fmt.Errorf("the registry answers %d", answer.StatusCode)
	}
	return err
}
