package job

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Setting is what a step of a run sees of the world that it runs in. It cannot speak:
// what a step has to say it returns.
type Setting struct {
	*Process
	// Workflow: the run is a step of a workflow.
	Workflow bool
	// Event started the workflow; on a desk it is empty.
	Event diff.Event
	// EventFault says why the event's payload cannot be used, "" if it can.
	EventFault string
	// Screener knows rules, and the values that the workflow gave.
	Screener *scan.Screener
	// Temp is a private folder outside of the repository, and Spool keeps screened
	// content in it. Both are there in a run along the line, and end with it.
	Temp  string
	Spool *tree.Spool
	// Progress is counted up by the search, and shown meanwhile.
	Progress *scan.Progress
}

// Env is what a run has before it opens anything: its setting, and its voice.
type Env struct {
	Setting
	// Log passes the screen, and Clock takes the time of the steps.
	Log   *Log
	Clock *Clock
	// made is shared by all copies of an environment.
	made *folders
}

// Open reads the environment. The screen stands from here on: it knows the token, and
// looks for credentials as level says. Quiet: stdout belongs to a result.
func Open(p *Process, token string, level secret.Level, quiet bool) (*Env, error) {
	s, err := NewScreener(p.Getenv, token, level)
	if err != nil {
		return nil, err
	}
	progress := new(scan.Progress)
	e := &Env{Setting: Setting{Process: p, Workflow: inWorkflow(p.Getenv), Screener: s, Progress: progress}, Log: newLog(p, s, progress, quiet), Clock: new(Clock), made: new(folders)}
	e.Event, e.EventFault = readEvent(p.Getenv)
	return e, nil
}

// WithFolder returns the environment with a folder for what only this run may see.
func (e *Env) WithFolder() (*Env, error) {
	temp, err := os.MkdirTemp(e.Getenv("RUNNER_TEMP"), "haversack-")
	if err != nil && e.Getenv("RUNNER_TEMP") != "" {
		// The runner's own folder belongs to its user; a container may run as another.
		temp, err = os.MkdirTemp("", "haversack-")
	}
	if err != nil {
		return nil, fmt.Errorf("making a temporary folder: %w; mount one that user %d may write, such as --tmpfs /tmp", err, os.Geteuid())
	}
	e.made.mu.Lock()
	e.made.list = append(e.made.list, temp)
	e.made.mu.Unlock()
	p := *e
	p.Temp, p.Spool = temp, tree.NewSpool(temp)
	return &p, nil
}

// Close removes the private folder. A run that ends early says what was held back.
func (e *Env) Close() {
	e.Log.Release(e.Log.held)
	e.Log.Settle()
	e.Spool.Close()
	os.RemoveAll(e.Temp)
}

// folders are the private folders that a run made for itself.
type folders struct {
	mu   sync.Mutex
	list []string
}

// Forsake removes the private folders of a run that does not end.
func (e *Env) Forsake() {
	e.made.mu.Lock()
	defer e.made.mu.Unlock()
	for _, dir := range e.made.list {
		os.RemoveAll(dir)
	}
}

// GiveBack gives what the run made beside its results, caches and the engine's folder,
// to the owner of the workspace. stan is the engine's folder on disk.
func (e *Env) GiveBack(stan string) {
	if !e.Workflow {
		return
	}
	own := Owner(e.WorkspaceAbs())
	own(stan)
	if temp := e.Getenv("RUNNER_TEMP"); temp != "" {
		own(filepath.Join(temp, cacheName))
	}
}

// Begin starts a step of the run and ends the one before.
func (e *Env) Begin(step string) {
	e.Log.end()
	e.Clock.begin(step)
	e.Log.begin(step)
}

// EndStep ends the step that runs.
func (e *Env) EndStep() {
	e.Log.end()
	e.Clock.Stop()
}

// tokenVariables hold secrets of the job that nothing in a repository should
// repeat.
var tokenVariables = []string{"INPUT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "HAVERSACK_STORE_AUTHORIZATION"}

// NewScreener reads the rules, and the values that are secrets by decree.
func NewScreener(getenv func(string) string, token string, level secret.Level) (*scan.Screener, error) {
	scanner, err := scannerAt(level)
	if err != nil {
		return nil, fmt.Errorf("reading the secret rules: %w", err)
	}
	given := new(secret.KnownValues)
	given.Give("token", token)
	for _, name := range tokenVariables {
		given.Give("token", getenv(name))
	}
	return &scan.Screener{Scanner: scanner, Given: given, Policy: scan.Redact}, nil
}

// scanners has, by level, the function that makes its scanner when it is first called. A process makes one a level, however many
// repositories it opens: that takes as long as reading ten megabytes, and findings depend on nothing that was read before.
var scanners sync.Map

func scannerAt(level secret.Level) (*secret.Scanner, error) {
	once, _ := scanners.LoadOrStore(level, sync.OnceValues(func() (*secret.Scanner, error) { return secret.NewWith(secret.Committed(level)) }))
	return once.(func() (*secret.Scanner, error))()
}

// Knows has the log and errors say nothing of values that were found so far.
func (e *Env) Knows(found ...*secret.KnownValues) {
	e.Log.Knows(e.Screener.Knowing(secret.Union(found...)))
}

// ScreenedError says what err says, without the credentials in it, in lines that hold
// no control characters.
type ScreenedError struct {
	lines []string
	err   error
}

func (e *ScreenedError) Error() string { return strings.Join(e.lines, "\n") }
func (e *ScreenedError) Unwrap() error { return e.err }

// Screened redacts credentials in an error's text: errors quote inputs, names and
// files, and end up in logs.
func Screened(s *scan.Screener, err error) error {
	if err == nil {
		return nil
	}
	if clean, held := s.Name(err.Error()); held {
		return &ScreenedError{[]string{OneLine(shortened(clean))}, err}
	}
	return &ScreenedError{Faults(err), err}
}

// readEvent reads what started the workflow. A payload that cannot be used is
// said, and the run goes on by what the repository knows.
func readEvent(getenv func(string) string) (diff.Event, string) {
	name, ref := getenv("GITHUB_EVENT_NAME"), getenv("GITHUB_REF")
	file := getenv("GITHUB_EVENT_PATH")
	if file == "" {
		return diff.Event{Name: name, Ref: ref}, ""
	}
	payload, err := tree.ReadRegular(file, diff.MaxPayload)
	if at := new(fs.PathError); errors.As(err, &at) {
		err = fmt.Errorf("reading the event's payload: %w", at.Err) // where it lies is the machine's affair
	}
	var e diff.Event
	if err == nil {
		e, err = diff.ParseEvent(name, ref, payload)
	}
	if err != nil {
		return diff.Event{Name: name, Ref: ref}, fmt.Sprintf("the event's payload cannot be used, so the base is found as on a desk: %v", err)
	}
	// act sends an empty object where it is given no event.
	if lacks := e.Lacks(); lacks != "" && len(bytes.TrimSpace(payload)) > len("{}") {
		return e, fmt.Sprintf("the payload is not that of the event %s, so the base is found as on a desk: %s", name, lacks)
	}
	return e, ""
}

// Workspace is the folder that relative paths start from.
func (e *Setting) Workspace() string {
	if e.Workflow {
		if w := e.Getenv("GITHUB_WORKSPACE"); w != "" {
			return w
		}
	}
	if e.Dir != "" {
		return e.Dir
	}
	return "."
}

// WorkspaceAbs is the workspace as an absolute path with links resolved, as
// the paths of results are.
func (e *Setting) WorkspaceAbs() string {
	dir, err := filepath.Abs(e.Workspace())
	if err != nil {
		return e.Workspace()
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// cacheName is the folder of caches, in the runner's temporary folder or the user's own.
const cacheName = "haversack"

// CacheDir is a folder for what may be computed again, outside of the
// repository; "" when there is none.
func (e *Setting) CacheDir(name string) string {
	if temp := e.Getenv("RUNNER_TEMP"); temp != "" {
		// Earlier steps write there, too: no link leads out of it.
		root, err := tree.OpenFolder(temp)
		if err != nil {
			return ""
		}
		defer root.Close()
		if root.MkdirAll(cacheName+"/"+name, 0o700) != nil {
			return ""
		}
		return filepath.Join(temp, cacheName, name)
	}
	dir := e.Getenv("XDG_CACHE_HOME")
	if dir == "" {
		home := e.Getenv("HOME")
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".cache")
	}
	dir = filepath.Join(dir, cacheName, name)
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}

// Clock takes the time of the steps.
type Clock struct {
	Done  []Timing // in the order in which steps began
	step  string
	start time.Time
}

// begin ends the step before. A step may come in several parts.
func (c *Clock) begin(step string) {
	c.Stop()
	c.step, c.start = step, time.Now()
}

// Stop ends the step that runs, if one does.
func (c *Clock) Stop() {
	if c.step == "" {
		return
	}
	ms := time.Since(c.start).Milliseconds()
	for i := range c.Done {
		if c.Done[i].Step == c.step {
			c.Done[i].Milliseconds += ms
			c.step = ""
			return
		}
	}
	c.Done = append(c.Done, Timing{c.step, ms})
	c.step = ""
}

// Forge returns the client of this repository's API, or why there is none.
func (e *Setting) Forge(token string) (*forge.Client, error) {
	name := e.Getenv("GITHUB_REPOSITORY")
	switch {
	case name == "":
		return nil, errors.New("GITHUB_REPOSITORY is not set")
	case token == "":
		return nil, errors.New("there is no token")
	}
	return e.ForgeOf(name, token)
}

// ForgeOf returns the client of a repository's API, "owner/name", on this run's server. An
// empty token asks as anybody.
func (e *Setting) ForgeOf(name, token string) (*forge.Client, error) {
	return forge.New(e.Getenv("GITHUB_API_URL"), name, token)
}

// Server is the address that the token belongs to.
func (e *Setting) Server() *url.URL {
	u, err := url.Parse(e.Getenv("GITHUB_SERVER_URL"))
	if err != nil || u.Host == "" {
		return &url.URL{Scheme: "https", Host: "github.com"}
	}
	return u
}

// TokenFor returns own, the run's token, if it may be sent to an address: to its own server
// only, and never in the clear where that server speaks https.
func (e *Setting) TokenFor(own, address string) (token, host string) {
	u, err := url.Parse(address)
	if server := e.Server(); err == nil && u.Scheme == server.Scheme && u.Host == server.Host {
		return own, u.Host
	}
	return "", ""
}

// Timing is how long a step took.
type Timing struct {
	Step         string `json:"step"`
	Milliseconds int64  `json:"ms"`
}

// RepositoryID is the repository's number, or its name where nobody says the
// number (act).
func (e *Setting) RepositoryID() string {
	if id := e.Getenv("GITHUB_REPOSITORY_ID"); id != "" {
		return id
	}
	return e.Getenv("GITHUB_REPOSITORY")
}

// About returns the environment with the event as far as the head is a view of it.
func (e *Env) About(event diff.Event) *Env {
	seen := *e
	seen.Event = event
	return &seen
}
