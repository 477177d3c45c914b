package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// States of a repository of a fleet.
const (
	fleetPacked    = "packed"
	fleetUnchanged = "unchanged" // its head is that of the last time
	fleetEmpty     = "empty"     // it has no commit
	fleetFailed    = "failed"
	fleetWaiting   = "waiting" // the fleet ended before its turn
)

const (
	// indexName and pageName are the files that tell of the fleet.
	indexName = "fleet.json"
	pageName  = "fleet.md"
	// lockName is the file that one fleet at a time locks. It stays, and is empty: the
	// system lets go of it when the process ends, however that is.
	lockName = "fleet.lock"
	// stateName is the file in a repository's folder that says of which commit its
	// results are.
	stateName = "fleet.state.json"
	// maxState bounds that file, in bytes.
	maxState = 1 << 20
	// maxWorkers is the most repositories that are packed side by side.
	maxWorkers = 64
)

// FleetIndex is fleet.json. Its schema is schema/fleet.schema.json. It holds no clock: the
// same heads give the same bytes, but for what of them is packed and what unchanged.
type FleetIndex struct {
	Version      int            `json:"v"`
	Tool         record.Tool    `json:"tool"`
	Counts       map[string]int `json:"counts"` // by state
	Duplicates   int            `json:"duplicates"`
	Repositories []fleetRow     `json:"repositories"`
}

// fleetRow is what became of one repository.
type fleetRow struct {
	Name   string `json:"name"`
	Folder string `json:"folder"` // of its results, in that of the fleet
	State  string `json:"state"`
	Error  string `json:"error,omitempty"`
	fleetFacts
}

// fleetFacts are what is kept of a repository that was packed.
type fleetFacts struct {
	Commit string `json:"commit"`
	Pushed string `json:"pushed,omitempty"` // address in a registry
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	// Credentials is how many were found and redacted.
	Credentials int `json:"credentials"`
}

// fleetState is fleet.state.json.
type fleetState struct {
	Inputs string `json:"inputs_sha256"` // of what the results depend on besides the commit
	fleetFacts
}

// fleet is one run over a list.
type fleet struct {
	env    *job.Env
	inputs *job.Inputs
	root   *os.Root
	lock   io.Closer // for as long as the fleet works in the folder
	dir    string    // root's path
	sum    string    // of the inputs, in hex
	again  bool

	mu   sync.Mutex
	done int
	// asking is taken by who asks for an organisation's file; defaults are the answers, by owner.
	asking   sync.Mutex
	defaults map[string]fleetDefaults
}

// fleetDefaults is an organisation's file of defaults, or what is wrong with it.
type fleetDefaults struct {
	file *job.Defaults
	err  error
}

// fleetVerb packs the repositories of a list, each into a folder of its own; or it sums up
// what shards have packed, or prints the list.
func fleetVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	share, err := checkFleet(in, o)
	if err != nil {
		return err
	}
	members, duplicates, err := fleetMembers(ctx, e, in, o)
	if err != nil {
		return err
	}
	if o.list {
		return printList(e, members, o)
	}
	f, err := openFleet(e, in, o)
	if err != nil {
		return err
	}
	defer f.close()
	index := &FleetIndex{Version: 1, Tool: record.Tool{Name: "haversack", Version: e.Version}, Counts: map[string]int{}, Duplicates: duplicates}
	waits := "run it again to go on"
	if o.index != "" {
		waits = "no shard says what became of them"
		if index.Repositories, err = f.gather(members, e.At(o.index)); err != nil {
			return err
		}
	} else {
		index.Repositories = f.packAll(ctx, share.of(members), o.workers)
	}
	for _, r := range index.Repositories {
		index.Counts[r.State]++
	}
	if err := f.write(index, o); err != nil {
		return err
	}
	all := len(index.Repositories)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("fleet: %d of %d repositories wait; %s: %w", index.Counts[fleetWaiting], all, waits, err)
	}
	if n := index.Counts[fleetWaiting]; n > 0 {
		return fmt.Errorf("fleet: %d of %d repositories wait: %s", n, all, waits)
	}
	if n := index.Counts[fleetFailed]; n > 0 {
		return fmt.Errorf("fleet: %d of %d repositories failed; fleet.md in %s says why", n, all, f.dir)
	}
	return nil
}

// checkFleet refuses what a fleet cannot do, before anything is done, and returns the share
// of the list that is asked for.
func checkFleet(in *job.Inputs, o *options) (fleetShare, error) {
	share, err := parseShare(o.shard)
	of := strings.HasPrefix(strings.Join(o.args, " "), ownerPrefix)
	switch {
	case len(o.args) != 1:
		err = job.UsageError("fleet needs one argument: a file with a repository a line, or %sOWNER", ownerPrefix)
	case err != nil:
	case o.workers < 1 || o.workers > maxWorkers:
		err = job.UsageError("--workers %d is not allowed: 1 to %d", o.workers, maxWorkers)
	case in.Repository != "" || in.Ref != "" || in.Task != "" || in.TaskFile != "" || in.Session != "off":
		err = job.UsageError("fleet packs the heads of repositories: repository, ref, task and session are of a single run")
	case in.Push != nil && in.Push.Reference != "":
		err = job.BadInput("push", "%s: each repository of a fleet has a name of its own below this one: leave the tag out", in.Push)
	case !of && (o.topic != "" || o.archived || o.list):
		err = job.UsageError("--topic, --archived and --list go with %sOWNER, whose repositories the API lists: a file is a list already", ownerPrefix)
	case o.index != "" && (o.shard != "" || o.list || o.again):
		err = job.UsageError("--index sums up what shards have packed: --shard, --again and --list are of those that pack")
	case o.shard != "" && o.list:
		err = job.UsageError("--list prints the list of all shards: leave --shard out")
	}
	return share, err
}

// openFleet makes the folder of results.
func openFleet(e *job.Env, in *job.Inputs, o *options) (*fleet, error) {
	dir := in.OutputDir
	if dir == "" {
		dir = "fleet.haversack"
	}
	at, err := filepath.Abs(e.At(dir))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return nil, job.BadInput("output-dir", "%w", err)
	}
	root, err := tree.OpenFolder(at)
	if err != nil {
		return nil, job.BadInput("output-dir", "%w", err)
	}
	lock, err := lockFile(root, lockName)
	if err != nil {
		root.Close()
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("another fleet works in %s: wait for its end, or name another folder by output-dir", at)
		}
		return nil, job.BadInput("output-dir", "%w", err)
	}
	return &fleet{env: e, inputs: in, root: root, lock: lock, dir: at, sum: o.inputsSum(e), again: o.again, defaults: map[string]fleetDefaults{}}, nil
}

// close lets another fleet have the folder.
func (f *fleet) close() {
	f.lock.Close()
	f.root.Close()
}

// errLocked: another process, or fleet, holds the lock.
var errLocked = errors.New("it is locked")

// inputsSum is of all inputs that are given, but for those that no result depends on.
func (o *options) inputsSum(e *job.Env) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", e.Version)
	for _, d := range job.InputTable {
		v, ok := o.given[d.Name]
		if !ok {
			v = job.FromEnv(d.Name, e.Getenv)
		}
		switch d.Name {
		case "token", "registry-config", "output-dir", "limit-seconds", "limit-memory-bytes":
		default:
			fmt.Fprintf(h, "%s %q\n", d.Name, v)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// packAll has workers take one member after the other, in the order of the list.
func (f *fleet) packAll(ctx context.Context, members []fleetMember, workers int) []fleetRow {
	rows := make([]fleetRow, len(members))
	next := make(chan int)
	var group sync.WaitGroup
	for range min(workers, len(members)) {
		group.Go(func() {
			for i := range next {
				rows[i] = f.pack(ctx, members[i])
				f.tell(&rows[i], len(members))
			}
		})
	}
	for i := range members {
		rows[i] = fleetRow{Name: members[i].name, Folder: members[i].slug, State: fleetWaiting}
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	group.Wait()
	return rows
}

// tell says how far the fleet is.
func (f *fleet) tell(r *fleetRow, all int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done++
	line := fmt.Sprintf("%d of %d: %s: %s", f.done, all, r.Name, r.State)
	if r.Error != "" {
		line += ": " + r.Error
	}
	f.env.Log.Line("%s", line)
}

// pack packs one repository, where its head is another than the last time.
func (f *fleet) pack(ctx context.Context, m fleetMember) fleetRow {
	row := fleetRow{Name: m.name, Folder: m.slug}
	err := m.fault
	if err == nil {
		err = f.try(ctx, m, &row)
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		row.State = fleetWaiting
	case errors.Is(err, repo.ErrNoCommit):
		row.State = fleetEmpty
	default:
		row.State, row.Error = fleetFailed, job.OneLine(f.env.Screener.Clean(err.Error()))
	}
	return row
}

// try is pack, with its error.
func (f *fleet) try(ctx context.Context, m fleetMember, row *fleetRow) error {
	ctx, cancel := context.WithTimeoutCause(ctx, time.Duration(f.inputs.LimitSeconds)*time.Second, errors.New("not done within limit-seconds"))
	defer cancel()
	head, branch, err := f.headOf(ctx, m)
	if err != nil {
		return err
	}
	row.Commit = head
	shared, err := f.organisation(ctx, m)
	if err != nil {
		return err
	}
	if done, err := f.isDone(ctx, m, branch, row, f.sumWith(shared)); err != nil || done {
		return err
	}
	if err := f.root.MkdirAll(m.slug, 0o755); err != nil {
		return err
	}
	if err := f.root.Remove(filepath.Join(m.slug, stateName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	in := f.inputsOf(m, shared)
	quiet := *f.env.Silent()
	quiet.Args = nil
	quiet.Getenv = outsideWorkflow(f.env.Getenv)
	e, err := job.Open(&quiet, in.Token, in.SecretsLevel, true)
	if err != nil {
		return err
	}
	if err := run(ctx, e, in, &options{}, upTo{}); err != nil {
		return job.Screened(e.Log.Screener, err)
	}
	tally, err := record.ReadTally(filepath.Join(in.OutputDir, registry.RecordName))
	if err != nil {
		return err
	}
	row.State = fleetPacked
	row.fleetFacts = fleetFacts{Commit: tally.Head, Files: tally.Included, Bytes: tally.Bytes, Credentials: tally.Redacted}
	if in.Push != nil {
		row.Pushed = in.Push.At(registry.CommitTag(tally.Head)).String()
	}
	return f.keep(m.slug, &fleetState{f.sumWith(shared), row.fleetFacts})
}

// organisation is the file of defaults of a member's owner, which is asked for once: in a workflow
// with a token, as in a run of its own there, else where the user wants it.
func (f *fleet) organisation(ctx context.Context, m fleetMember) (*job.Defaults, error) {
	which := f.inputs.Which
	owner, name := f.ownerOf(m)
	if owner == "" || name == snapshot.OrganisationRepository || which == job.DefaultsOff || which == job.DefaultsRepository || which == job.DefaultsAuto && (!f.env.Workflow || f.inputs.Token == "") {
		return &job.Defaults{}, nil
	}
	f.asking.Lock()
	defer f.asking.Unlock()
	if d, asked := f.defaults[owner]; asked {
		return d.file, d.err
	}
	d, warning, err := snapshot.OrganisationDefaults(ctx, &f.env.Setting, f.inputs, owner)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f.defaults[owner] = fleetDefaults{d, err}
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if warning != "" {
		f.env.Log.Warn(warning)
	}
	if len(d.Inputs()) > 0 {
		f.env.Log.Note("defaults of " + d.Name + ": " + strings.Join(d.Inputs(), ", "))
	}
	return d, nil
}

// ownerOf is whose a member is, and its name; "" where nobody knows.
func (f *fleet) ownerOf(m fleetMember) (owner, name string) {
	switch {
	case m.local:
		r, err := repo.Open(f.env.At(m.target))
		if err != nil {
			return "", ""
		}
		defer r.Close()
		return snapshot.OwnerAt(f.env.Server(), r.Remote())
	case strings.Contains(m.target, ":"):
		return snapshot.OwnerAt(f.env.Server(), m.target)
	}
	owner, name, _ = strings.Cut(m.target, "/")
	return owner, name
}

// sumWith is the sum of the inputs with what an organisation's file gives.
func (f *fleet) sumWith(d *job.Defaults) string {
	if len(d.Inputs()) == 0 {
		return f.sum
	}
	sum := sha256.Sum256([]byte(f.sum + "\n" + d.Sum()))
	return hex.EncodeToString(sum[:])
}

// inputsOf are those of the run of one member, with its organisation's file.
func (f *fleet) inputsOf(m fleetMember, shared *job.Defaults) *job.Inputs {
	in := *f.inputs
	in.Organisation = shared
	in.OutputDir, in.Upload, in.Comment = filepath.Join(f.dir, m.slug), job.WhenNever, job.WhenNever
	in.Path, in.Repository, in.Ref = ".", m.target, ""
	if m.local {
		in.Path, in.Repository, in.Ref = f.env.At(m.target), "", "HEAD"
	}
	if in.Push != nil {
		a := *in.Push
		a.Name += "/" + m.slug
		in.Push = &a
	}
	return &in
}

// headOf is the commit of a member's head, and the branch that it is on; "" for none.
func (f *fleet) headOf(ctx context.Context, m fleetMember) (commit, branch string, err error) {
	if m.local {
		r, err := repo.Open(f.env.At(m.target))
		if err != nil {
			return "", "", err
		}
		defer r.Close()
		c, err := r.Head()
		return c.SHA, r.Branch(), err
	}
	address := m.target
	if !strings.Contains(address, ":") {
		address = f.env.Server().JoinPath(address).String()
	}
	token, host := f.env.TokenFor(f.inputs.Token, address)
	l, err := repo.List(ctx, repo.Request{URL: address, Token: token, Host: host, Dir: os.TempDir()})
	if err != nil {
		return "", "", err
	}
	if l.Head == "" {
		return "", "", repo.ErrNoCommit
	}
	return l.Head, l.HeadBranch, nil
}

// isDone reports whether the results of a head are there: by this folder, else by the
// registry, which is asked once. It is asked for the branch, whose tag is the last that a
// push moves: a push that was cut off before is made again.
func (f *fleet) isDone(ctx context.Context, m fleetMember, branch string, row *fleetRow, sum string) (bool, error) {
	if f.again {
		return false, nil
	}
	head := row.Commit
	var s fleetState
	raw, err := tree.ReadIn(f.root, filepath.Join(m.slug, stateName), maxState)
	if err == nil && json.Unmarshal(raw, &s) == nil && s.Commit == head && s.Inputs == sum {
		if _, err := f.root.Lstat(filepath.Join(m.slug, registry.RecordName)); err == nil {
			row.State, row.fleetFacts = fleetUnchanged, s.fleetFacts
			return true, nil
		}
	}
	in := f.inputsOf(m, nil)
	if in.Push == nil || s.Commit == head {
		return false, nil
	}
	client, err := f.env.OpenRegistry(*in.Push, &in.Scope, f.env.Log.Mask)
	if err != nil {
		return false, err
	}
	last := registry.CommitTag(head)
	if branch != "" {
		last = registry.BranchTag(branch)
	}
	commit, err := client.Commit(ctx, last)
	if err != nil {
		return false, fmt.Errorf("asking %s: %w", in.Push, err)
	}
	if commit != head {
		return false, nil
	}
	row.State, row.Pushed = fleetUnchanged, in.Push.At(registry.CommitTag(head)).String()
	return true, nil
}

// outsideWorkflow is the environment of a run that is about another repository than the
// workflow's: its server, and nothing of its event, outputs and tokens.
func outsideWorkflow(getenv func(string) string) func(string) string {
	return func(name string) string {
		own := strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "ACTIONS_")
		if own && !slices.Contains([]string{"GITHUB_SERVER_URL", "GITHUB_API_URL", "GITHUB_TOKEN"}, name) {
			return ""
		}
		return getenv(name)
	}
}

// keep writes the state of a repository's folder, whole or not at all.
func (f *fleet) keep(slug string, s *fleetState) error {
	b, err := record.Marshal(s, "  ")
	if err != nil {
		return err
	}
	return f.put(filepath.Join(slug, stateName), b)
}

// put writes a file of the fleet's folder, whole or not at all.
func (f *fleet) put(name string, b []byte) error {
	temp := filepath.Join(filepath.Dir(name), job.TempPrefix+job.RandomHex())
	if err := f.root.WriteFile(temp, b, 0o644); err != nil {
		return err
	}
	if err := f.root.Rename(temp, name); err != nil {
		return errors.Join(err, f.root.Remove(temp))
	}
	return nil
}

// write writes fleet.json and fleet.md, and says what became of the fleet.
func (f *fleet) write(index *FleetIndex, o *options) error {
	b, err := record.Marshal(index, "  ")
	if err != nil {
		return err
	}
	page := []byte(index.page())
	if err := f.put(indexName, b); err != nil {
		return fmt.Errorf("writing fleet.json: %w", err)
	}
	if err := f.put(pageName, page); err != nil {
		return fmt.Errorf("writing fleet.md: %w", err)
	}
	if o.json {
		return f.env.Results(b)
	}
	return f.env.Log.Answer(job.OneLine(fmt.Sprintf("%s; fleet.json and fleet.md are in %s.", index.sentence(), f.dir)) + "\n")
}
