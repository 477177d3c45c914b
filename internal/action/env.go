package action

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// env is what a run has before it opens anything: streams, environment, the event
// that started it, the screen that every word passes, and the log behind it.
type env struct {
	*Command
	// workflow: the run is a step of a workflow.
	workflow bool
	event    diff.Event
	// eventFault says why the event's payload cannot be used, "" if it can.
	eventFault string
	// screener knows rules, and the values that the workflow gave.
	screener *scan.Screener
	log      *log
	clock    *clock
	// temp is a private folder outside of the repository, and spool keeps screened
	// content in it. Both are there in a run along the line, and end with it.
	temp  string
	spool *tree.Spool
	// made is shared by all copies of an environment.
	made *private
}

// newEnv reads the environment. The screen stands from here on.
func newEnv(c *Command, in *Inputs, o *options) (*env, error) {
	s, err := newScreener(c.Getenv, in.Token, in.SecretsLevel)
	if err != nil {
		return nil, err
	}
	e := &env{Command: c, workflow: inWorkflow(c.Getenv), screener: s, log: newLog(c, o, s), clock: new(clock), made: new(private)}
	e.event, e.eventFault = readEvent(c.Getenv)
	return e, nil
}

// private returns the environment with a folder for what only this run may see.
func (e *env) private() (*env, error) {
	temp, err := os.MkdirTemp(e.Getenv("RUNNER_TEMP"), "haversack-")
	if err != nil && e.Getenv("RUNNER_TEMP") != "" {
		// The runner's own folder belongs to its user; a container may run as another.
		temp, err = os.MkdirTemp("", "haversack-")
	}
	if err != nil {
		return nil, fmt.Errorf("making a temporary folder: %w; mount one that user %d may write, such as --tmpfs /tmp", err, os.Geteuid())
	}
	e.made.mu.Lock()
	e.made.folders = append(e.made.folders, temp)
	e.made.mu.Unlock()
	p := *e
	p.temp, p.spool = temp, tree.NewSpool(temp)
	return &p, nil
}

// close removes the private folder. A run that ends early says what was held back.
func (e *env) close() {
	e.log.end()
	e.log.release(e.log.held)
	e.spool.Close()
	os.RemoveAll(e.temp)
}

// private are the folders that a run made for itself.
type private struct {
	mu      sync.Mutex
	folders []string
}

// forsake removes the private folders of a run that does not end.
func (e *env) forsake() {
	e.made.mu.Lock()
	defer e.made.mu.Unlock()
	for _, dir := range e.made.folders {
		os.RemoveAll(dir)
	}
}

// giveBack gives what the run made beside its results, caches and the engine's folder,
// to the owner of the workspace.
func (e *env) giveBack(in *Inputs, h *head) {
	if !e.workflow {
		return
	}
	own := owner(e.workspaceAbs())
	own(filepath.Join(h.dir, filepath.FromSlash(in.Stan)))
	if temp := e.Getenv("RUNNER_TEMP"); temp != "" {
		own(filepath.Join(temp, cacheName))
	}
}

// begin starts a step of the run and ends the one before.
func (e *env) begin(step string) {
	e.log.end()
	e.clock.begin(step)
	e.log.begin(step)
}

// tokenVariables hold secrets of the job that nothing in a repository should
// repeat.
var tokenVariables = []string{"INPUT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "HAVERSACK_STORE_AUTHORIZATION"}

// newScreener reads the rules, and the values that are secrets by decree.
func newScreener(getenv func(string) string, token string, level secret.Level) (*scan.Screener, error) {
	scanner, err := secret.NewWith(secret.Committed(level))
	if err != nil {
		return nil, fmt.Errorf("reading the secret rules: %w", err)
	}
	given := new(secret.Known)
	given.Give("token", token)
	for _, name := range tokenVariables {
		given.Give("token", getenv(name))
	}
	return &scan.Screener{Scanner: scanner, Given: given, Policy: scan.Redact}, nil
}

// knows has the log and errors say nothing of values that were found so far.
func (e *env) knows(found ...*secret.Known) {
	e.log.knows(e.screener.Knowing(secret.Union(found...)))
}

// screenedError says what err says, without the credentials in it, in lines that hold
// no control characters.
type screenedError struct {
	lines []string
	err   error
}

func (e *screenedError) Error() string { return strings.Join(e.lines, "\n") }
func (e *screenedError) Unwrap() error { return e.err }

// screened redacts credentials in an error's text: errors quote inputs, names and
// files, and end up in logs.
func screened(s *scan.Screener, err error) error {
	if err == nil {
		return nil
	}
	if clean, held := s.Name(err.Error()); held {
		return &screenedError{[]string{oneLine(shortened(clean))}, err}
	}
	return &screenedError{faults(err), err}
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

// workspace is the folder that relative paths start from.
func (e *env) workspace() string {
	if e.workflow {
		if w := e.Getenv("GITHUB_WORKSPACE"); w != "" {
			return w
		}
	}
	if e.Dir != "" {
		return e.Dir
	}
	return "."
}

// workspaceAbs is the workspace as an absolute path with links resolved, as
// the paths of results are.
func (e *env) workspaceAbs() string {
	dir, err := filepath.Abs(e.workspace())
	if err != nil {
		return e.workspace()
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// cacheName is the folder of caches, in the runner's temporary folder or the user's own.
const cacheName = "haversack"

// cacheDir is a folder for what may be computed again, outside of the
// repository; "" when there is none.
func (e *env) cacheDir(name string) string {
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

// clock takes the time of the steps.
type clock struct {
	done  []Timing
	step  string
	start time.Time
}

// begin ends the step before. A step may come in several parts.
func (c *clock) begin(step string) {
	c.stop()
	c.step, c.start = step, time.Now()
}

func (c *clock) stop() {
	if c.step == "" {
		return
	}
	ms := time.Since(c.start).Milliseconds()
	for i := range c.done {
		if c.done[i].Step == c.step {
			c.done[i].Milliseconds += ms
			c.step = ""
			return
		}
	}
	c.done = append(c.done, Timing{c.step, ms})
	c.step = ""
}
