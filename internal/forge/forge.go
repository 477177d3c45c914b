// Package forge is the hosting service's API: where two commits meet, which pull
// request a commit belongs to, what the last run of a workflow left behind, and
// the one comment that a pull request gets.
//
// Requests go to one origin, that of the API; the token goes nowhere else, and no
// redirect leads elsewhere. A file of an artifact lies at an address of its own,
// which is read without the token.
//
// A request that may be repeated (all but the making of a comment) is tried up to
// four times, with growing waits, when the answer is 408, 429 or 5xx, is no JSON,
// is cut short, or when the connection breaks. A refusal for too many requests is
// waited for up to a minute, whatever the request. An answer is read whole before
// it is used, and is bounded.
//
// What the API answers is believed no further than its types: commits are checked
// to be ids, runs to be of this repository, and whatever an artifact holds is
// anybody's.
package forge

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/avast/retry-go/v5"
	"github.com/google/go-github/v60/github"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// ErrRefused is a request that the token's rights do not cover: a pull request
// from a fork, a workflow without the permission, a locked conversation. It is
// not worth failing a run for.
var ErrRefused = errors.New("not allowed with this token")

// ErrNotFound is what the API answers for a thing that is not there, or that the
// token may not know of.
var ErrNotFound = errors.New("not found, or not to be seen with this token")

// ErrUnreached is a server to which there is no way: no network, no such name, nobody who
// listens there.
var ErrUnreached = errors.New("the API cannot be reached")

// Client talks to the API about one repository. Its methods are not safe for
// concurrent use.
type Client struct {
	// Timer, when not nil, stands in for waiting between two tries.
	Timer retry.Timer
	// Timeout bounds each single request.
	Timeout time.Duration
	// Tries is how often a request is sent at most.
	Tries uint

	api         *github.Client
	origin      string
	graphql     string
	token       string
	owner, repo string
	base        http.RoundTripper
	login       string        // who the token is, once asked
	trouble     time.Duration // spent on tries that failed
	paused      time.Duration // that the server has asked for, and got
	waits       time.Duration // how long the present try may take
	now         func() time.Time
}

var (
	commitID  = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	nameInURL = lazyregexp.New(`^[A-Za-z0-9._-]+$`)
)

// New returns a client for the repository "owner/name". Api is the address in
// GITHUB_API_URL; "" is github.com's. An empty token asks as anybody.
func New(api, repository, token string) (*Client, error) {
	owner, repo, _ := strings.Cut(repository, "/")
	if !nameInURL.MatchString(owner) || !nameInURL.MatchString(repo) || strings.Trim(owner, ".") == "" || strings.Trim(repo, ".") == "" {
		return nil, fmt.Errorf("repository %q: owner/name is wanted", repository)
	}
	return newClient(api, owner, repo, token)
}

func newClient(api, owner, repo, token string) (*Client, error) {
	if api == "" {
		api = "https://api.github.com"
	}
	u, err := url.Parse(strings.TrimRight(api, "/") + "/")
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" {
		return nil, errors.New("reading GITHUB_API_URL: not the address of an API")
	}
	c := &Client{
		Timeout: 30 * time.Second,
		Tries:   tries,
		origin:  u.Scheme + "://" + u.Host,
		graphql: u.JoinPath("graphql").String(),
		token:   strings.TrimSpace(token),
		owner:   owner,
		repo:    repo,
		base:    http.DefaultTransport.(*http.Transport).Clone(),
		now:     time.Now,
	}
	// Enterprise servers have their API under /api/v3 and GraphQL beside it.
	if strings.HasSuffix(u.Path, "/api/v3/") {
		c.graphql = u.JoinPath("..", "graphql").String()
	}
	c.api = github.NewClient(&http.Client{Transport: c, CheckRedirect: c.redirect})
	c.api.BaseURL = u
	c.api.UserAgent = "haversack"
	return c, nil
}

// redirect lets a reading request go where the API sends it within its own
// origin, as it does for a repository that was renamed.
func (c *Client) redirect(r *http.Request, via []*http.Request) error {
	if len(via) > 3 || r.URL.Scheme+"://"+r.URL.Host != c.origin || r.Method != via[0].Method {
		return http.ErrUseLastResponse
	}
	return nil
}

const (
	tries     = 4
	maxAnswer = 32 << 20         // bytes; a comparison of large commits is the longest
	maxWait   = 45 * time.Second // of pauses that a server asks for, all in all; one that asks for more is not asked again
	// maxValues bounds the objects and lists of an answer: three bytes of each make
	// some hundred of memory. A hundred pull requests, the largest page that is asked
	// for, have 20,000.
	maxValues = 200_000
	// maxTrouble bounds what a run waits for answers that do not come: a server that
	// falls silent again and again must not hold a job for minutes.
	maxTrouble = 12 * time.Second
	// leastPatience is what a try has after that.
	leastPatience = 3 * time.Second
)

// RoundTrip is how the API's client reaches the network: with the token, again
// when it is worth it, and with answers that are whole.
func (c *Client) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme+"://"+r.URL.Host != c.origin {
		return nil, errors.New("the API's client was led to another host")
	}
	repeatable := r.Method != http.MethodPost || r.URL.String() == c.graphql
	var resp *http.Response
	err := c.repeat(r.Context(), func(ctx context.Context) (again bool, after time.Duration, err error) {
		resp, err = c.once(ctx, r)
		again, after = c.again(resp, err, repeatable)
		return again, after, err
	})
	return resp, err
}

// repeat calls try until it does not ask for being called again, at most
// Client.Tries times. Try gets a context of Client.Timeout, and names the least time to wait;
// where all such times are more than maxWait it is not called again.
func (c *Client) repeat(ctx context.Context, try func(context.Context) (again bool, after time.Duration, err error)) error {
	options := []retry.Option{retry.Context(ctx), retry.Attempts(c.Tries), retry.RetryIf(worthwhile), retry.DelayType(pause), retry.LastErrorOnly(true)}
	if c.Timer != nil {
		options = append(options, retry.WithTimer(c.Timer))
	}
	err := retry.New(options...).Do(func() error {
		c.waits = min(c.Timeout, max(maxTrouble-c.trouble, leastPatience))
		once, cancel := context.WithTimeout(ctx, c.waits)
		defer cancel()
		began := time.Now()
		again, after, err := try(once)
		if err != nil {
			if c.trouble += time.Since(began); c.trouble >= maxTrouble {
				again = false
			}
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case again && c.paused+after <= maxWait:
			c.paused += after
			return &notYet{after, err}
		}
		return err
	})
	var last *notYet
	if errors.As(err, &last) {
		return last.err
	}
	return err
}

// notYet is a try after which another is worth while. Err is what it has come to
// where it was the last: nil for an answer, whatever it says.
type notYet struct {
	after time.Duration
	err   error
}

func (n *notYet) Error() string { return fmt.Sprintf("to be tried again: %v", n.err) }

func worthwhile(err error) bool {
	var n *notYet
	return errors.As(err, &n)
}

// pause is how long is waited after the nth try: twice as long each time, and not
// less than was asked for. A spread keeps the jobs of a matrix from coming back in
// step.
func pause(n uint, err error, _ retry.DelayContext) time.Duration {
	delay := time.Second << (n - 1)
	delay += rand.N(delay / 2)
	var last *notYet
	if errors.As(err, &last) {
		delay = max(delay, last.after)
	}
	return delay
}

// once sends the request and reads the whole answer.
func (c *Client) once(ctx context.Context, r *http.Request) (*http.Response, error) {
	r = r.Clone(ctx)
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		r.Body = body
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.base.RoundTrip(r)
	if err != nil {
		return nil, c.broken(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, c.broken(err)
	case len(data) > maxAnswer:
		return nil, fmt.Errorf("the API's answer is over %d MiB", maxAnswer>>20)
	case resp.StatusCode/100 == 2 && len(data) > 0 && !json.Valid(data):
		return nil, &brokenError{text: "the API's answer is no JSON: " + text.QuotedAnswer(data, c.token)}
	case values(data) > maxValues:
		return nil, fmt.Errorf("the API's answer holds more than %d objects", maxValues)
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return resp, nil
}

// values counts the objects and lists of a JSON text.
func values(data []byte) int {
	n, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '{' || c == '['):
			n++
		}
	}
	return n
}

// brokenError is a request of which nobody knows whether it was done.
type brokenError struct {
	text string
	err  error // nil, or ErrUnreached
}

func (e *brokenError) Error() string { return e.text }
func (e *brokenError) Unwrap() error { return e.err }

// untrustedError is a request that was not sent, as the server's certificate is nobody's: the next try would find the same.
type untrustedError struct {
	text string
	err  *tls.CertificateVerificationError
}

func (e *untrustedError) Error() string { return e.text }
func (e *untrustedError) Unwrap() error { return e.err }

func (c *Client) broken(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return &brokenError{text: fmt.Sprintf("no answer within %s", rounded(c.waits))}
	}
	if untrusted := (*tls.CertificateVerificationError)(nil); errors.As(err, &untrusted) {
		return &untrustedError{text.Answer([]byte(err.Error()), c.token), untrusted}
	}
	broken := &brokenError{text: text.Answer([]byte(err.Error()), c.token)}
	if dial := (*net.OpError)(nil); errors.As(err, &dial) && dial.Op == "dial" {
		broken.err = ErrUnreached
	}
	return broken
}

// again reports whether to try again, and the least time to wait before. A
// repeatable request is one that may be done twice.
func (c *Client) again(resp *http.Response, err error, repeatable bool) (bool, time.Duration) {
	if err != nil {
		var broken *brokenError
		return repeatable && errors.As(err, &broken), 0
	}
	switch resp.StatusCode {
	case 408, 500, 502, 503, 504:
		return repeatable, seconds(resp.Header.Get("Retry-After"))
	case 403, 429:
		// Not done, so it may be asked for again whatever it is. 403 is also
		// a refusal for good, which names no time.
		if after := seconds(resp.Header.Get("Retry-After")); after > 0 {
			return true, after
		}
		if reset, e := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64); e == nil && resp.Header.Get("X-RateLimit-Remaining") == "0" {
			return true, max(time.Unix(reset, 0).Sub(c.now()), 0) + time.Second
		}
		return resp.StatusCode == 429, 0
	}
	return false, 0
}

func seconds(s string) time.Duration {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(n) * time.Second
}

// words says in this program's own words what an error of the API's client is.
// Addresses are left out; a server's message is quoted.
func (c *Client) words(err error) error {
	if err == nil {
		return nil
	}
	var limit *github.RateLimitError
	var abuse *github.AbuseRateLimitError
	var answer *github.ErrorResponse
	var accepted *github.AcceptedError
	switch {
	case errors.As(err, &limit):
		when := "within the hour"
		if reset := limit.Rate.Reset; reset.After(time.Unix(0, 0)) {
			when = "at " + reset.UTC().Format(time.RFC3339)
		}
		return fmt.Errorf("the API's hourly limit for this token is used up; it opens again %s", when)
	case errors.As(err, &abuse):
		if abuse.RetryAfter != nil {
			return fmt.Errorf("the API asks for a pause of %s, longer than a run makes (secondary rate limit)", *abuse.RetryAfter)
		}
		return errors.New("the API asks for a longer pause than a run makes (secondary rate limit)")
	case errors.As(err, &accepted):
		return errors.New("the API is still working on it (202)")
	case errors.As(err, &answer) && answer.Response != nil:
		msg := text.QuotedAnswer([]byte(answer.Message), c.token)
		if msg != "" {
			msg = ": " + msg
		}
		for _, e := range answer.Errors {
			if m := text.QuotedAnswer([]byte(e.Message), c.token); m != "" {
				msg += ": " + m
			}
		}
		if after := seconds(answer.Response.Header.Get("Retry-After")); after > maxWait {
			return fmt.Errorf("the API asks for a pause of %s, longer than a run makes (%d)%s", after, answer.Response.StatusCode, msg)
		}
		switch status := answer.Response.StatusCode; status {
		case 401:
			return fmt.Errorf("the API refused the token (401)%s", msg)
		case 403:
			return fmt.Errorf("%w (403)%s", ErrRefused, msg)
		case 404, 410:
			return fmt.Errorf("%w (%d)%s", ErrNotFound, status, msg)
		default:
			return fmt.Errorf("the API answered %d%s", status, msg)
		}
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// rounded returns a time for a message: in whole seconds where there are any.
func rounded(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(time.Second)
	}
	return d
}
