package action

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/watch"
)

// objectsName is the database's name in an artifact, and maxObjects the most
// bytes of one that is restored from there.
const (
	objectsName = "objects.db"
	maxObjects  = 256 << 20
)

// session is the thread of a run. What goes wrong with it is a warning: it
// never fails a run.
type session struct {
	thread *object.Thread
	store  object.Store
	file   string // the database's file, "" for an address
}

func (s *session) close() {
	if s != nil && s.store != nil {
		s.store.Close()
		s.store = nil
	}
}

// openSession resumes the thread that the inputs name; nil when sessions are
// off, or when there is no history to be had.
func (r *run) openSession(ctx context.Context) *session {
	if r.in.Session == "off" {
		return nil
	}
	location, err := r.c.storeLocation(r.in, r.head)
	if err != nil {
		r.warn("the run goes on without its thread's history: " + err.Error())
		return nil
	}
	if inWorkflow(r.c.Getenv) && !store.IsAddress(location) {
		if err := r.restoreObjects(ctx, location); err != nil {
			r.warn("the thread's history could not be restored, so it begins anew: " + err.Error())
		}
	}
	s, note, err := r.c.resume(ctx, r.in, r.head, location)
	if note != "" {
		r.warn(note)
	}
	if err != nil {
		r.warn("the run goes on without its thread's history: " + err.Error())
		return nil
	}
	return s
}

// resume opens a store and the thread in it.
func (c *Command) resume(ctx context.Context, in *Inputs, h *head, location string) (*session, string, error) {
	id, err := c.sessionID(in, h)
	if err != nil {
		return nil, "", err
	}
	resolver, err := c.resolver(h, store.IsAddress(location), id)
	if err != nil {
		return nil, "", err
	}
	s := &session{}
	if !store.IsAddress(location) {
		s.file = location
		if err := os.MkdirAll(filepath.Dir(location), 0o755); err != nil {
			return nil, "", err
		}
		ignoreFolder(filepath.Dir(location))
	}
	var note string
	s.thread, s.store, note, err = store.Resume(ctx, location, store.Options{Authorization: c.Getenv("HAVERSACK_STORE_AUTHORIZATION")}, id, resolver, filepath.ToSlash(h.dir))
	if err != nil {
		return nil, note, err
	}
	return s, note, nil
}

// ignoreFolder keeps a folder of the engine's out of git.
func ignoreFolder(dir string) {
	name := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		os.WriteFile(name, []byte("*\n"), 0o644)
	}
}

// storeLocation is where objects are kept: an address, or a file.
func (c *Command) storeLocation(in *Inputs, h *head) (string, error) {
	switch {
	case in.Store == "":
		return h.place(in.Stan + "/session/" + objectsName)
	case store.IsAddress(in.Store), filepath.IsAbs(in.Store):
		return in.Store, nil
	}
	return filepath.Join(c.workspaceAbs(), in.Store), nil
}

// repositoryID is the repository's number, or its name where nobody says the
// number (act).
func (c *Command) repositoryID() string {
	if id := c.Getenv("GITHUB_REPOSITORY_ID"); id != "" {
		return id
	}
	return c.Getenv("GITHUB_REPOSITORY")
}

// sessionID names the thread: the pull request, the branch, or the folder.
func (c *Command) sessionID(in *Inputs, h *head) (string, error) {
	if in.Session != "auto" {
		return object.ParseSessionID(in.Session)
	}
	if inWorkflow(c.Getenv) {
		if event, _ := c.event(); event.Number > 0 {
			return fmt.Sprintf("pr-%s-%d", c.repositoryID(), event.Number), nil
		}
		branch := c.Getenv("GITHUB_REF_NAME")
		if scanner, err := secret.New(); err != nil {
			return "", err
		} else if found, err := scanner.Scan("", []byte(branch), nil); err != nil || len(found) > 0 {
			branch = "withheld" // a credential: the store keeps ids for good
		}
		return object.ParseSessionID("branch-" + c.repositoryID() + "-" + branch)
	}
	fsid, err := object.DefaultFilesystemID()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(fsid + "\x00" + filepath.ToSlash(h.dir)))
	return "local-" + hex.EncodeToString(sum[:8]), nil
}

// resolver says how this machine's paths are named in the store.
func (c *Command) resolver(h *head, shared bool, session string) (*object.Resolver, error) {
	machine, err := object.DefaultFilesystemID()
	if err != nil {
		return nil, err
	}
	if !inWorkflow(c.Getenv) {
		return object.Identity(machine)
	}
	thread := ""
	if shared {
		thread = session
	}
	return object.Workflow(machine, object.RepositoryFilesystemID(c.Getenv("GITHUB_SERVER_URL"), c.repositoryID(), thread),
		"/github/workspace", c.workspaceAbs(), filepath.ToSlash(h.dir))
}

// restoreObjects brings the database of the thread's last run here. What stands
// in its place is removed first: it may have been committed to the repository.
func (r *run) restoreObjects(ctx context.Context, location string) error {
	if r.in.Store != "" {
		return nil // the user keeps it
	}
	if err := store.Remove(location); err != nil {
		return err
	}
	last, err := r.lastArtifact(ctx)
	if errors.Is(err, forge.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	zip, err := last.Open(ctx, maxPastArtifact)
	if err != nil {
		return err
	}
	raw, err := artifact.Member(zip, zip.Size, objectsName, maxObjects)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(location), 0o755); err != nil {
		return err
	}
	return store.Restore(location, bytes.NewReader(raw), maxObjects)
}

// lastArtifact is that of the last successful run of the same workflow, branch
// and event.
func (r *run) lastArtifact(ctx context.Context) (forge.PastArtifact, error) {
	f := &finder{c: r.c, in: r.in, h: r.head}
	client, err := r.c.forge(r.in)
	if err != nil {
		return forge.PastArtifact{}, err
	}
	return client.LastArtifact(ctx, f.past())
}

// sessionBase is the base of `base: session`: what the thread was handed last.
func (r *run) sessionBase(ctx context.Context) (*base, error) {
	if r.in.Session == "off" {
		return nil, badInput("base", "session needs a thread: set session to auto, or to an id")
	}
	if r.session == nil {
		return &base{reason: "first-run: the thread has no history", saved: true}, nil
	}
	members, err := r.session.thread.Handed(ctx)
	if err != nil {
		r.warn("what the thread was handed last cannot be read: " + err.Error())
		return &base{reason: "first-run: the thread has no history", saved: true}, nil
	}
	if members == nil {
		return &base{reason: "first-run: nothing was handed to this thread yet", saved: true}, nil
	}
	b := &base{reason: "what this thread was handed last", saved: true}
	if last, ok := r.session.thread.Last(); ok && looksLikeSHA.MatchString(last.Commit) {
		b.commit = last.Commit
	}
	for _, m := range members {
		b.files = append(b.files, diff.Entry{Path: m.Path, Mode: 0o644, ID: m.SHA256})
	}
	return b, nil
}

// recordSession writes into the thread what this run puts before its assistant.
// Only a credential on the way into the store is an error.
func (r *run) recordSession(ctx context.Context) error {
	if r.session == nil {
		return nil
	}
	h := object.Handover{
		Run:      object.Run{ID: r.runID(), Commit: r.head.commit.SHA, Handed: true},
		Guide:    string(r.plan.docs[r.in.Stan+"/"+guideName]),
		Asked:    "haversack: archives of " + r.record.Head.Kind + " " + short(r.record.Head.Commit),
		Answered: strings.SplitN(r.screenName(r.summary()), "\n", 2)[0],
		Gone: func(name string) bool {
			_, err := r.head.root.Lstat(name)
			return errors.Is(err, fs.ErrNotExist)
		},
	}
	sums := r.sums()
	given := map[string]bool{}
	for _, f := range r.plan.files {
		h.Files = append(h.Files, object.Member{Path: f.Path, SHA256: sums[f.Path], Open: f.Open})
		given[f.Path] = true
	}
	known := map[string]bool{}
	for i := range r.snap.Files {
		known[r.snap.Files[i].Path] = true
	}
	if r.deps != nil {
		for id, n := range r.deps.canonical.Meta.Nodes {
			if n.Kind == graph.Source || n.Kind == graph.External {
				known[id] = true
			}
		}
	}
	for name := range known {
		if !given[name] {
			h.Known = append(h.Known, name)
		}
	}
	for _, name := range r.changedPaths() {
		if given[name] {
			h.Pinned = append(h.Pinned, name)
		}
	}
	for name := range given {
		if r.in.Include.Match(name) != "" && !slices.Contains(h.Pinned, name) {
			h.Pinned = append(h.Pinned, name)
		}
	}
	slices.Sort(h.Pinned)
	for _, s := range r.steps {
		h.Steps = append(h.Steps, object.Step{Tool: "haversack " + s, Args: map[string]any{"mode": r.plan.mode, "base": r.screenName(r.base.reason)}, Display: s})
	}
	// Of files the store learns names and hashes; the words it is told go through the gate.
	words, err := marshal(struct {
		Guide, Asked, Answered string
		Known, Pinned          []string
		Steps                  []object.Step
	}{h.Guide, h.Asked, h.Answered, h.Known, h.Pinned, h.Steps}, "")
	if err != nil {
		return err
	}
	if err := newGate(r.screener, r.snap).document("store", r.c.tapped("store", words), ""); err != nil {
		return err
	}
	if _, err := r.session.thread.Record(ctx, h); err != nil {
		r.warn("the run is not in its thread's history: " + err.Error())
		return nil
	}
	unread, err := r.session.thread.Unread(ctx)
	if err != nil {
		r.warn("what the assistant has not read cannot be told: " + err.Error())
		return nil
	}
	info := &SessionInfo{ID: r.session.thread.ID(), Runs: len(r.session.thread.Runs()), Unread: []string{}}
	for _, name := range unread {
		shown, _ := display(name)
		info.Unread = append(info.Unread, shown)
	}
	r.record.Session = info
	return nil
}

// SessionInfo is what the record says of the thread.
type SessionInfo struct {
	ID   string `json:"id"`
	Runs int    `json:"runs"`
	// Unread are the files that the assistant knows of and has not been given.
	Unread []string `json:"unread"`
}

// runID is unique among the runs of a store.
func (r *run) runID() string {
	if id := r.c.Getenv("GITHUB_RUN_ID"); id != "" && inWorkflow(r.c.Getenv) {
		return strings.Join([]string{id, r.c.Getenv("GITHUB_RUN_ATTEMPT"), r.c.Getenv("GITHUB_JOB"), r.in.CommentKey, randomHex()[:8]}, "/")
	}
	return "desk/" + randomHex()[:16]
}

// sessionVerb shows, renders, or tells the history of a file.
func (c *Command) sessionVerb(ctx context.Context, in *Inputs, o *options) error {
	if len(o.args) == 0 {
		return usageError("session needs one of show, render, history PATH")
	}
	if in.Session == "off" {
		in.Session = "auto"
	}
	h, err := c.openHead(ctx, in, "")
	if err != nil {
		return err
	}
	defer h.close()
	location, err := c.storeLocation(in, h)
	if err != nil {
		return err
	}
	if !store.IsAddress(location) {
		if _, err := os.Stat(location); err != nil {
			return &codedError{fmt.Errorf("there is no session yet: %s is not there; run with --session auto", slashRelOr(h.dir, location)), exitInput}
		}
	}
	s, note, err := c.resume(ctx, in, h, location)
	if note != "" {
		fmt.Fprintln(c.Stderr, "haversack: warning:", note)
	}
	if err != nil {
		return err
	}
	defer s.close()
	read := func(name string) ([]byte, error) { return h.root.ReadFile(name, 32<<20) }
	switch verb, args := o.args[0], o.args[1:]; {
	case verb == "show" && len(args) == 0 && o.json:
		return s.thread.ShowJSON(ctx, c.Stdout)
	case verb == "show" && len(args) == 0:
		return s.thread.Show(ctx, c.Stdout)
	case verb == "render" && len(args) == 0:
		return s.thread.Render(ctx, c.Stdout, read)
	case verb == "history" && len(args) == 1:
		return s.thread.History(ctx, c.Stdout, args[0])
	}
	return usageError("session needs one of show, render, history PATH")
}

func slashRelOr(dir, name string) string {
	if rel := slashRel(dir, name); rel != "" {
		return rel
	}
	return filepath.Base(name)
}

// watch packs again whenever something changes, until it is interrupted. With a
// session, what changed is noted in the thread, whose sets stay as they are.
func (c *Command) watch(ctx context.Context, in *Inputs, o *options) error {
	if len(o.args) > 0 {
		return usageError("watch takes no arguments")
	}
	if err := c.pack(ctx, in, o); err != nil {
		return err
	}
	h, err := c.openHead(ctx, in, "")
	if err != nil {
		return err
	}
	dir, stan, under := h.dir, in.Stan, h.under
	h.close()
	quiet := &options{json: true}
	ignore := func(name string, folder bool) bool {
		name = strings.TrimSuffix(name, "/")
		if name == ".git" || strings.HasPrefix(name, ".git/") || strings.Contains("/"+name+"/", "/node_modules/") {
			return true
		}
		for _, d := range []string{"output", "diff", "patch", "session", "context"} {
			if within(name, stan+"/"+d) && name != stan+"/"+stateName && !(folder && name == stan+"/context") {
				return true
			}
		}
		if in.OutputDir != "" && within(filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(name))), filepath.ToSlash(filepath.Join(c.workspaceAbs(), in.OutputDir))) {
			return true
		}
		return under != "." && !within(name, under) && !within(under, name)
	}
	fmt.Fprintln(c.Stderr, "haversack: watching; interrupt to end")
	return watch.Run(ctx, dir, watch.Options{Ignore: ignore}, func(ctx context.Context, b watch.Batch) error {
		again := *c
		again.Stdout = io.Discard
		if err := again.pack(ctx, in, quiet); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			// A worktree in the middle of a change may not be packed; the next one will.
			fmt.Fprintln(c.Stderr, "haversack:", err)
			return nil
		}
		what := fmt.Sprintf("%d changes", len(b.Paths))
		if len(b.Paths) == 1 {
			what = fmt.Sprintf("%q", b.Paths[0])
		}
		fmt.Fprintf(c.Stdout, "Packed again after %s.\n", what)
		return nil
	})
}
