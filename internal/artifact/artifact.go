// Package artifact is a client of the workflow artifact service, version 4: it
// uploads one artifact from a running job, lists and downloads the artifacts of
// the same run.
//
// An artifact is a zip archive. Its entries are deflated at the level that was asked
// for, or stored, as those that are compressed already are; they stand in the order
// they were given, with one fixed time and mode: same files, same bytes. Entries are streamed from their files; at most one block
// of 8 MiB is in memory. Every file is read twice, first for its size and check
// sums, then for its bytes, and an upload whose file changed in between fails
// before the service is told that it is complete.
//
// An upload is four steps: CreateArtifact answers with a signed address; the
// bytes go there in blocks, one after the other (a known server stores blocks in
// the order they arrive, whatever their list says); the list of blocks is
// committed; FinalizeArtifact names size and sha256. Until the last step nobody
// sees the artifact, and an upload that fails takes its unfinished artifact back.
//
// A call is tried up to five times, with growing waits, when the answer is 408,
// 429 or 5xx, is no JSON, is cut short, or when the connection breaks. As an
// answer can be lost after the work was done, a conflict that follows such a
// loss is looked into rather than reported.
//
// Names are unique within a run. On a re-run the artifact that the same job made
// in an earlier attempt is replaced; the service's job id, which is made from
// the job's place in the workflow and so the same in every attempt, tells whose
// it is. An artifact of another job is replaced only when that was asked for.
//
// Requests carry the job's token to the service's own origin and nowhere else:
// redirects are not followed, and the signed addresses are used without it.
// Signatures are handed to Client.Mask before their first use, and stand in no
// error of this package. What a server answers is quoted on one line, cut, and
// without secrets.
//
// The wire form is that of the service's published client, @actions/artifact;
// answers are read in either spelling of JSON names, 64-bit numbers as strings
// or numbers, unknown fields ignored.
package artifact

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/avast/retry-go/v5"

	"github.com/haversack-dev/haversack/internal/text"
)

// Client talks to the artifact service for one job. Its methods are not safe for
// concurrent use.
type Client struct {
	// Mask, when not nil, is given every secret that an answer contains (the
	// signature of an address, as it stands and decoded) before it is used.
	Mask func(secret string)
	// Timer, when not nil, stands in for waiting between two attempts.
	Timer retry.Timer
	// Timeout bounds the sending of one block of 8 MiB, and each download. Calls
	// of the service, which are short, have answerTime at most.
	Timeout time.Duration

	origin  string // scheme://host of the service
	token   string
	run     string // the service's id of the run
	job     string // the service's id of the job
	pages   string // address of the run for people, or ""
	attempt int    // 1 for the first run
	tries   uint   // how often a call is tried, all in all
	maxDays int    // retention the repository allows, 0 = unknown
	http    *http.Client
	trouble time.Duration // spent on calls that failed
	now     func() time.Time
	secrets []string // never to be printed
}

// AbsentError says that there is no artifact service to talk to. Nothing is
// wrong with the files: they stay where they are, and Fix says how to keep them.
type AbsentError struct{ Why, Fix string }

func (e *AbsentError) Error() string { return e.Why + "; " + e.Fix }

// ServiceError is a failure of the artifact service or of its storage: it refused, as
// it does when the account's storage is used up, or did not answer as it should.
// Nothing is wrong with the files, nor with what was asked for.
type ServiceError struct{ err error }

func (e *ServiceError) Error() string { return e.err.Error() }
func (e *ServiceError) Unwrap() error { return e.err }

const useUploadAction = "the files are left where they are: add a step with actions/upload-artifact (include-hidden-files: true when their folder starts with a dot)"

// FromEnv returns the client for the job that the environment describes. It
// returns an *AbsentError where a job has no artifact service: on a desk, in a
// plain `run:` step, on a server without version 4 of the service.
//
// It reads ACTIONS_RUNTIME_TOKEN, ACTIONS_RESULTS_URL,
// ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS, GITHUB_ACTIONS, GITHUB_SERVER_URL,
// GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT, GITHUB_RETENTION_DAYS
// and ACT.
func FromEnv(getenv func(string) string) (*Client, error) {
	token, results := getenv("ACTIONS_RUNTIME_TOKEN"), getenv("ACTIONS_RESULTS_URL")
	switch {
	case token == "" && getenv("GITHUB_ACTIONS") != "true":
		return nil, &AbsentError{"this is not a workflow job, so there is no artifact service", "the files are left where they are"}
	case token == "":
		return nil, &AbsentError{"this step was not given the artifact service's token (ACTIONS_RUNTIME_TOKEN): actions get it, `run:` steps do not", useUploadAction}
	case results == "":
		return nil, &AbsentError{"this server names no artifact service of version 4 (ACTIONS_RESULTS_URL is not set), as Enterprise Server does", useUploadAction}
	}
	u, err := url.Parse(results)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("reading ACTIONS_RESULTS_URL: not an http or https address")
	}
	run, job, err := backendIDs(token)
	if err != nil {
		return nil, err
	}
	c := &Client{
		Timeout: 5 * time.Minute,
		origin:  u.Scheme + "://" + u.Host,
		token:   token,
		run:     run,
		job:     job,
		attempt: positive(getenv("GITHUB_RUN_ATTEMPT")),
		maxDays: positive(getenv("GITHUB_RETENTION_DAYS")),
		tries:   tries,
		now:     time.Now,
		secrets: []string{token},
	}
	if ms := positive(getenv("ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS")); ms > 0 {
		c.Timeout = time.Duration(ms) * time.Millisecond
	}
	server, repo, id := getenv("GITHUB_SERVER_URL"), getenv("GITHUB_REPOSITORY"), getenv("GITHUB_RUN_ID")
	if server != "" && repo != "" && positive(id) > 0 && getenv("ACT") != "true" { // act has no pages
		c.pages = strings.TrimRight(server, "/") + "/" + repo + "/actions/runs/" + id
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	c.http = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// positive reads a whole number above zero, in days, milliseconds or attempts;
// anything else is 0, as these variables are set by programs of many kinds.
func positive(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// backendIDs reads the ids of run and job from the token's scope
// "Actions.Results:RUN:JOB". The token's signature is the service's to check.
func backendIDs(token string) (run, job string, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return "", "", errors.New("reading ACTIONS_RUNTIME_TOKEN: not a JSON web token")
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return "", "", errors.New("reading ACTIONS_RUNTIME_TOKEN: its payload is not base64")
	}
	var claims struct {
		Scopes string `json:"scp"`
	}
	if err := json.Unmarshal(payload, &claims); err != nil {
		return "", "", errors.New("reading ACTIONS_RUNTIME_TOKEN: its payload is not JSON")
	}
	for scope := range strings.FieldsSeq(claims.Scopes) {
		p := strings.Split(scope, ":")
		if p[0] != "Actions.Results" {
			continue
		}
		if len(p) != 3 || p[1] == "" || p[2] == "" {
			return "", "", errors.New("reading ACTIONS_RUNTIME_TOKEN: its scope Actions.Results does not name a run and a job")
		}
		return p[1], p[2], nil
	}
	return "", "", &AbsentError{"the job's token does not open the artifact service (no scope Actions.Results)", useUploadAction}
}

// maxName is the longest artifact name, in bytes.
const maxName = 255

const notInPaths = "\":<>|*?\r\n"

// CheckName reports why name cannot name an artifact: it is empty, too long, or
// holds one of `" : < > | * ? \ /`, a control character or bytes that are not UTF-8.
func CheckName(name string) error {
	switch i := strings.IndexFunc(name, badInName); {
	case name == "":
		return errors.New("artifact name is empty")
	case len(name) > maxName:
		return fmt.Errorf("artifact name %.40q… is longer than %d bytes", name, maxName)
	case !utf8.ValidString(name):
		return fmt.Errorf("artifact name %q is not UTF-8", name)
	case i >= 0:
		r, _ := utf8.DecodeRuneInString(name[i:])
		return fmt.Errorf("artifact name %q contains %q; %q would do", name, r, CleanName(name))
	case name == "." || name == "..":
		return fmt.Errorf("artifact name %q is not a name", name)
	}
	return nil
}

func badInName(r rune) bool {
	return r < ' ' || r == 0x7f || r == '\\' || r == '/' || strings.ContainsRune(notInPaths, r)
}

// CleanName returns the nearest name that CheckName accepts: each character that
// cannot stand becomes "-" (a branch feature/x becomes feature-x), and the end is
// cut off when it is too long. A name of which nothing is left is "artifact".
func CleanName(name string) string {
	s := strings.Map(func(r rune) rune {
		if badInName(r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(name, "-"))
	if len(s) > maxName {
		s = s[:maxName]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	if s == "" || s == "." || s == ".." || s != name && strings.Trim(s, ".-") == "" {
		return "artifact"
	}
	return s
}

// checkMember reports why name cannot name a file inside an artifact.
func checkMember(name string) error {
	if name == "" || name[0] == '/' || !utf8.ValidString(name) || strings.ContainsAny(name, notInPaths+"\\\x00") ||
		slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return e == "" || e == "." || e == ".." }) {
		return fmt.Errorf("file name %q cannot stand in an artifact", name)
	}
	return nil
}

// tries is how often a call is tried, unless the client has another number.
const tries = 5

const (
	// maxTrouble bounds what a run waits for answers and storage that fail, with the pauses between: a service
	// that falls silent again and again must not hold a job. Five tries that are refused at once take less.
	maxTrouble = 36 * time.Second
	// leastPatience is what a try has after that.
	leastPatience = 3 * time.Second
	// answerTime is how long a call of the service, which is short, may take.
	answerTime = 20 * time.Second
	// maxPause is the longest pause that is made because the service asks for it.
	maxPause = 20 * time.Second
)

// errSilent ends a try in which nothing was sent or received for as long as the run has patience.
var errSilent = errors.New("nothing came")

// transient is a failure that may pass. After is the least time to wait, when
// the server named one. Lost says that the server may have done the work.
type transient struct {
	err   error
	after time.Duration
}

func (t *transient) Error() string { return t.err.Error() }
func (t *transient) Unwrap() error { return t.err }

// retry calls try until it returns nil or a failure that will not pass, at most
// c.tries times. Each try has at most limit, and what is left of maxTrouble where nothing goes on: alive says that something does.
func (c *Client) retry(ctx context.Context, limit time.Duration, try func(ctx context.Context, alive func()) error) error {
	paused := func(n uint, err error, config retry.DelayContext) time.Duration {
		delay := pause(n, err, config)
		c.trouble += delay
		return delay
	}
	options := []retry.Option{retry.Context(ctx), retry.Attempts(c.tries), retry.RetryIf(passes), retry.DelayType(paused), retry.LastErrorOnly(true)}
	if c.Timer != nil {
		options = append(options, retry.WithTimer(c.Timer))
	}
	var pass *transient
	tried := uint(0)
	err := retry.New(options...).Do(func() error {
		tried++
		once, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		patience := min(limit, max(maxTrouble-c.trouble, leastPatience))
		once, quiet := context.WithCancelCause(once)
		defer quiet(nil)
		timer := time.AfterFunc(patience, func() { quiet(errSilent) })
		defer timer.Stop()
		began := time.Now()
		err := try(once, func() { timer.Reset(patience) })
		if err != nil {
			c.trouble += time.Since(began)
		}
		if errors.As(err, &pass) && context.Cause(once) == errSilent {
			pass.err = fmt.Errorf("no answer within %s", patience.Round(time.Millisecond))
		}
		if errors.As(err, &pass) && pass.after > maxPause {
			return fmt.Errorf("%w (it asks for a pause of %s, longer than a run makes)", pass.err, pass.after)
		}
		if c.trouble > maxTrouble && tried < c.tries && errors.As(err, &pass) && ctx.Err() == nil {
			return fmt.Errorf("%w (given up: %s were spent on calls that failed)", pass.err, maxTrouble)
		}
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.As(err, &pass) && errors.Is(pass.err, context.DeadlineExceeded) {
			pass.err = fmt.Errorf("no answer within %s", limit)
		}
		return err
	})
	if errors.As(err, &pass) {
		err = fmt.Errorf("%w (tried %d times)", pass.err, c.tries)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &ServiceError{err}
}

// moving is what is sent or received; each read of it says that something goes on.
type moving struct {
	io.Reader
	alive func()
}

func (m *moving) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if n > 0 {
		m.alive()
	}
	return n, err
}

// passes reports whether a failure may pass.
func passes(err error) bool {
	var pass *transient
	return errors.As(err, &pass)
}

// pause is how long is waited after the nth try: each time half as much again, and
// not less than the server asked for. A spread keeps the jobs of a
// matrix from coming back in step.
func pause(n uint, err error, _ retry.DelayContext) time.Duration {
	delay := 3 * time.Second
	for range n - 1 {
		delay = delay * 3 / 2
	}
	delay += rand.N(delay / 2)
	var pass *transient
	if errors.As(err, &pass) {
		delay = max(delay, pass.after)
	}
	return delay
}

// untrustedError is a server whose certificate is nobody's, which the next try would find again.
type untrustedError struct {
	text string
	err  *tls.CertificateVerificationError
}

func (e *untrustedError) Error() string { return e.text }
func (e *untrustedError) Unwrap() error { return e.err }

// broken makes a failure of the connection, or of reading an answer, one that may
// pass. The address is dropped from it: it may be a signed one.
func (c *Client) broken(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if untrusted := (*tls.CertificateVerificationError)(nil); errors.As(err, &untrusted) {
		return &untrustedError{text.Answer([]byte(err.Error()), c.secrets...), untrusted}
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		err = errors.New(text.Answer([]byte(err.Error()), c.secrets...))
	}
	return &transient{err: err}
}

// temporary reports whether an HTTP status may pass by itself.
func temporary(status int) bool {
	switch status {
	case 408, 429, 500, 502, 503, 504:
		return true
	}
	return false
}

// retryAfter reads the header of that name in seconds; the form with a date is
// answered by the usual wait.
func retryAfter(h http.Header) time.Duration {
	return time.Duration(positive(h.Get("Retry-After"))) * time.Second
}

// mask takes note of what must not be printed.
func (c *Client) mask(secret string) {
	if secret == "" || slices.Contains(c.secrets, secret) {
		return
	}
	c.secrets = append(c.secrets, secret)
	if c.Mask != nil {
		c.Mask(secret)
	}
}
