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
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
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
	thread *object.Thread // nil where there is no history to be had
	store  object.Store
	folder *os.Root // that the database's file lies in, nil for an address
	file   string   // its name there
	// restored: the file was brought here by this run.
	restored bool
	// address is that of a store which is not asked before the screen knows every value,
	// "" for none: what it is asked holds the thread's id.
	address string
	// warnings say what went wrong.
	warnings []string
	closing  *sync.Once
}

// settle closes the store, so that its file is whole. It may be called more than once.
func (s *session) settle() {
	if s != nil && s.store != nil {
		s.closing.Do(func() { s.store.Close() })
	}
}

// close closes the store and its folder.
func (s *session) close() {
	s.settle()
	if s != nil && s.folder != nil {
		s.folder.Close()
	}
}

// batch runs f. In a store in a file what f writes is one writing.
func (s *session) batch(ctx context.Context, f func() error) error {
	if db, ok := s.store.(*store.SQLite); ok {
		return db.Batch(ctx, f)
	}
	return f()
}

// member is the database as a member of an artifact; false where the run has none, or one
// that it did not come to know.
func (s *session) member() (artifact.File, bool) {
	if s == nil || s.folder == nil || s.store == nil && !s.restored {
		return artifact.File{}, false
	}
	s.settle()
	return artifact.In(objectsName, s.folder, s.file), true
}

// notes are the warnings of a session that is on.
func (s *session) notes() []string {
	if s == nil {
		return nil
	}
	return s.warnings
}

// openSession resumes the thread that the inputs name; nil when sessions are off.
func openSession(ctx context.Context, e *job.Env, in *job.Inputs, h *snapshot.Head) *session {
	if in.Session == job.SessionOff {
		return nil
	}
	location, folder, note, err := openStorePlace(e, in, h)
	if err != nil {
		return &session{warnings: []string{"the run goes on without its thread's history: " + err.Error()}}
	}
	if folder == nil && in.Base != job.BaseSession {
		return &session{address: location}
	}
	var warnings []string
	if note != "" {
		warnings = []string{note}
	}
	restored := false
	if e.Workflow && folder != nil {
		if restored, err = restoreObjects(ctx, e, in, folder, filepath.Base(location)); err != nil {
			warnings = append(warnings, "the thread's history could not be restored, so it begins anew: "+err.Error())
		}
	}
	s, err := resume(ctx, e, in, h, storePlace{location, folder, e.Screener})
	s.restored = restored
	s.warnings = append(warnings, s.warnings...)
	if err != nil {
		s.warnings = append(s.warnings, "the run goes on without its thread's history: "+err.Error())
	}
	return s
}

// openStorePlace opens the folder of a store in a file, nil for an address, and returns the store's location. Where
// the repository cannot be written its own store lies in the user's cache, and note says so.
func openStorePlace(e *job.Env, in *job.Inputs, h *snapshot.Head) (location string, folder *os.Root, note string, err error) {
	if location, err = storeLocation(e, in, h); err != nil || store.IsAddress(location) {
		return location, nil, "", err
	}
	folder, err = snapshot.MakeFolder(&e.Setting, h, filepath.Dir(location))
	if err == nil {
		if err = tryWriting(folder, filepath.Base(location)); err != nil {
			folder.Close()
		}
	}
	if err == nil || in.Store != "" || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return location, folder, "", err
	}
	cached, failed := cachedStore(e, in, h)
	if failed != nil {
		return "", nil, "", err
	}
	if folder, err = tree.OpenFolder(filepath.Dir(cached)); err != nil {
		return "", nil, "", err
	}
	return cached, folder, "the repository cannot be written: its thread is kept in the user's cache", nil
}

// cachedStore is the file in the user's cache that stands for the store of a repository that cannot be written.
func cachedStore(e *job.Env, in *job.Inputs, h *snapshot.Head) (string, error) {
	cache := e.CacheDir("session")
	if cache == "" {
		return "", errors.New("there is no cache")
	}
	r, err := e.Resolver(&in.Delivery, h.Dir, "")
	if err != nil {
		return "", err
	}
	place := r.Resolve(r.AgentPath(filepath.ToSlash(h.Dir)))
	sum := sha256.Sum256([]byte(place.FilesystemID + "\x00" + place.CanonicalPath))
	return filepath.Join(cache, hex.EncodeToString(sum[:8])+".db"), nil
}

// tryWriting makes a file in the folder of a store and removes it. It is named as one beside the store, for which nothing packs again.
func tryWriting(folder *os.Root, store string) error {
	name := store + "-" + job.RandomHex()[:16] + ".tmp"
	f, err := folder.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = folder.Remove(name)
	if errors.Is(err, fs.ErrNotExist) { // who has the store locked clears up beside it
		err = nil
	}
	return errors.Join(f.Close(), err)
}

// storePlace is a store, and the screen that what it is told passes.
type storePlace struct {
	location string
	folder   *os.Root // of a store in a file, else nil
	screener *scan.Screener
}

// resume opens a store and the thread in it. Of the
// thread's id counts what the screen lets pass: a store keeps ids for good. The session
// is there with an error, too, for its warnings.
func resume(ctx context.Context, e *job.Env, in *job.Inputs, h *snapshot.Head, at storePlace) (*session, error) {
	location, folder, screener := at.location, at.folder, at.screener
	s := &session{folder: folder, closing: new(sync.Once)}
	id, err := sessionID(e, in, h)
	if err != nil {
		return s, err
	}
	if clean, held := screener.Name(id); held {
		s.warnings = []string{withheldID}
		if id, err = object.ParseSessionID(clean); err != nil {
			return s, err
		}
	}
	resolver, err := e.Resolver(&in.Delivery, h.Dir, apart(folder == nil, id))
	if err != nil {
		return s, err
	}
	if folder != nil {
		s.file = filepath.Base(location)
		ignoreFolder(folder)
	}
	options := storeOptions(e, in)
	options.Folder = folder
	thread, st, note, err := store.Resume(ctx, location, options, store.Session{ID: id, Resolver: resolver, Root: resolver.AgentPath(filepath.ToSlash(h.Dir))})
	if note != "" {
		s.warnings = append(s.warnings, note)
	}
	if err == nil {
		s.thread, s.store = thread, st
	}
	return s, err
}

// maxArtifactContent bounds the contents, in bytes, of a store that a run's artifact takes along.
const maxArtifactContent = 50_000_000

// storeOptions are what the inputs say of a store.
func storeOptions(e *job.Env, in *job.Inputs) store.Options {
	o := store.Options{Temp: e.Temp, Authorization: e.Getenv("HAVERSACK_STORE_AUTHORIZATION"), KeepTotal: in.StoreLimit}
	if in.StoreContent {
		o.KeepFiles = object.MaxContent
	}
	if e.Workflow && !store.IsAddress(in.Store) {
		o.KeepTotal = min(o.KeepTotal, maxArtifactContent)
	}
	return o
}

// withheldID is the warning of a thread that is not kept under its own id.
const withheldID = "the session's id holds a credential: the thread is kept under the id without it"

// withheld returns the session under an id that a screen of all known values lets pass,
// and warnings. Nothing was written under the first.
func (s *session) withheld(ctx context.Context, e *job.Env, in *job.Inputs, h *snapshot.Head, screener *scan.Screener) (*session, []string) {
	if s == nil || s.address == "" && s.thread == nil {
		return s, nil
	}
	for _, word := range placeWords(in, h) {
		if _, held := screener.Name(word); held {
			w := *s
			w.thread = nil
			return &w, []string{"the run is not in its thread's history: the folder's path, a mount or the file system's id holds a credential"}
		}
	}
	if s.address != "" {
		w, err := resume(ctx, e, in, h, storePlace{s.address, nil, screener})
		if err != nil {
			w.warnings = append(w.warnings, "the run goes on without its thread's history: "+err.Error())
		}
		return w, w.warnings
	}
	id, held := screener.Name(s.thread.ID())
	if !held {
		return s, nil
	}
	w := *s
	w.thread = nil
	id, err := object.ParseSessionID(id)
	if err == nil {
		var r *object.Resolver
		if r, err = e.Resolver(&in.Delivery, h.Dir, apart(s.folder == nil, id)); err == nil {
			w.thread, err = object.Resume(ctx, s.store, id, r, r.AgentPath(filepath.ToSlash(h.Dir)))
		}
	}
	if err != nil {
		w.thread = nil
		return &w, []string{"the run is not in its thread's history: its id holds a credential, and without it: " + err.Error()}
	}
	return &w, []string{withheldID}
}

// ignoreFolder keeps a folder of the engine's out of git.
func ignoreFolder(folder *os.Root) {
	// What is there already stays: it may be a link.
	f, err := folder.OpenFile(".gitignore", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err == nil {
		f.WriteString("*\n")
		f.Close()
	}
}

// storeLocation is where objects are kept: an address, or a file.
func storeLocation(e *job.Env, in *job.Inputs, h *snapshot.Head) (string, error) {
	switch {
	case in.Store == "":
		return h.Place(in.Stan + "/session/" + objectsName)
	case store.IsAddress(in.Store), filepath.IsAbs(in.Store):
		return in.Store, nil
	}
	return filepath.Join(e.WorkspaceAbs(), in.Store), nil
}

// sessionID names the thread: the pull request, the branch, or the folder.
func sessionID(e *job.Env, in *job.Inputs, h *snapshot.Head) (string, error) {
	if in.Session != job.SessionAuto {
		return object.ParseSessionID(in.Session)
	}
	if e.Workflow {
		if e.Event.Number > 0 {
			return fmt.Sprintf("pr-%s-%d", e.RepositoryID(), e.Event.Number), nil
		}
		return object.ParseSessionID("branch-" + e.RepositoryID() + "-" + e.Getenv("GITHUB_REF_NAME"))
	}
	r, err := e.Resolver(&in.Delivery, h.Dir, "")
	if err != nil {
		return "", err
	}
	place := r.Resolve(r.AgentPath(filepath.ToSlash(h.Dir)))
	sum := sha256.Sum256([]byte(place.FilesystemID + "\x00" + place.CanonicalPath))
	return "local-" + hex.EncodeToString(sum[:8]), nil
}

// apart is the thread that a file's name in a store holds: none where each thread has its own store.
func apart(shared bool, session string) string {
	if !shared {
		return ""
	}
	return session
}

// placeWords are the words by which a store is told where files lie.
func placeWords(in *job.Inputs, h *snapshot.Head) []string {
	words := []string{filepath.ToSlash(h.Dir), in.FilesystemID}
	for _, m := range in.Mounts {
		words = append(words, m.AgentPrefix, m.CanonicalPrefix, m.FilesystemID)
	}
	return words
}

// restoreObjects brings the database of the thread's last run here. What stands
// in its place is removed first: it may have been committed to the repository.
func restoreObjects(ctx context.Context, e *job.Env, in *job.Inputs, folder *os.Root, name string) (restored bool, err error) {
	if in.Store != "" {
		return false, nil // the user keeps it
	}
	if err := store.Remove(folder, name); err != nil {
		return false, err
	}
	last, err := lastArtifact(ctx, e, in)
	if errors.Is(err, forge.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	zip, err := last.Open(ctx, snapshot.MaxPastArtifact)
	if err != nil {
		return false, err
	}
	raw, err := artifact.Member(zip, zip.Size, objectsName, maxObjects)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := store.Restore(folder, name, bytes.NewReader(raw), maxObjects); err != nil {
		return false, err
	}
	return true, nil
}

// lastArtifact is that of the last successful run of the same workflow, branch
// and event.
func lastArtifact(ctx context.Context, e *job.Env, in *job.Inputs) (forge.PastArtifact, error) {
	client, err := e.Forge(in.Token)
	if err != nil {
		return forge.PastArtifact{}, err
	}
	return client.LastArtifact(ctx, snapshot.PastRuns(&e.Setting, &in.Scope))
}

// sessionBase is the base of `base: session`: what the thread was handed last.
func sessionBase(ctx context.Context, in *job.Inputs, s *session) (*snapshot.Base, error) {
	if in.Session == job.SessionOff {
		return nil, job.BadInput("base", "session needs a thread: set session to auto, or to an id")
	}
	if s == nil || s.thread == nil {
		return &snapshot.Base{Reason: "first-run: the thread has no history", Saved: true}, nil
	}
	members, err := s.thread.Handed(ctx)
	if err != nil {
		return &snapshot.Base{Reason: "first-run: the thread has no history", Saved: true, Warnings: []string{"what the thread was handed last cannot be read: " + err.Error()}}, nil
	}
	if members == nil {
		return &snapshot.Base{Reason: "first-run: nothing was handed to this thread yet", Saved: true}, nil
	}
	b := &snapshot.Base{Reason: "what this thread was handed last", Saved: true}
	if last, ok := s.thread.Last(); ok && job.CommitID.MatchString(last.Commit) {
		b.Commit = last.Commit
	}
	for _, m := range members {
		b.Files = append(b.Files, diff.Entry{Path: m.Path, Mode: 0o644, ID: m.SHA256})
	}
	return b, nil
}

// sinceCommit is the base of a thread's context where no state file selects: what a context is
// selected by is the change, so it is measured from the commit that the thread was handed last,
// whose files can be read. Where another base is asked for, b is nil, that
// commit is not there, or nothing was handed yet, the base stays.
func sinceCommit(ctx context.Context, e *job.Env, in *job.Inputs, f *snapshot.Finder, b *snapshot.Base) (*snapshot.Finder, *snapshot.Base) {
	if b == nil || in.Base != job.BaseSession || snapshot.ChooseMode(&e.Setting, &in.Scope, f.Head, in.Mode) != job.ModeContext {
		return f, b
	}
	if _, err := f.Head.Root.Lstat(in.Stan + "/" + record.StateName); err == nil || b.Commit == "" || f.Head.Repo == nil {
		return f, b
	}
	scope := in.Scope
	scope.Base = b.Commit
	from := snapshot.NewFinder(&e.Setting, &scope, f.Head)
	base, err := from.Base(ctx, snapshot.SavedName(job.ModeContext))
	if err != nil || base.Root == nil {
		return f, b
	}
	base.Reason = "the commit that this thread was handed last"
	return from, base
}

// threadNote is what became of noting in the thread what its assistant is handed.
type threadNote struct {
	info     *record.SessionInfo // nil without a thread
	warnings []string
}

// runNote is what a thread may be told of a run.
type runNote struct {
	session *session
	head    *snapshot.Head
	sealed  *snapshot.Contents
	plan    *plan.Plan
	answer  string // what the run says of itself
	gate    *plan.Gate
	// seen is what changed, of a run that hands nothing over; nil of one that does.
	seen *sighting
}

// noteRun notes a run in the thread: what its assistant is handed; or, of a run that hands
// nothing over, what is seen to have changed.
func noteRun(ctx context.Context, e *job.Env, in *job.Inputs, n runNote) (*threadNote, error) {
	if n.seen != nil {
		return reread(ctx, e, in, n)
	}
	if n.session == nil || n.session.thread == nil {
		return &threadNote{}, nil
	}
	// What became of the files since is noted before what is handed over.
	run := object.Run{ID: "resume/" + job.RandomHex()[:16], Commit: n.head.Commit.SHA}
	var warnings []string
	if _, err := n.session.thread.Reconcile(ctx, run, threadReader(in.Stan, n.head, n.sealed)); err != nil {
		warnings = append(warnings, "what changed since the thread's last run is not in its history: "+err.Error())
	}
	done, err := remember(ctx, n.session, handover(e, in, n), n.gate)
	if err != nil {
		return nil, err
	}
	if db, ok := n.session.store.(interface{ Evicted() int }); ok && db.Evicted() > 0 {
		warnings = append(warnings, fmt.Sprintf("the store is full: the contents of %d older versions were let go, and their hashes kept; store-limit sets how much is kept", db.Evicted()))
	}
	done.warnings = append(warnings, done.warnings...)
	return done, nil
}

// remember writes into the thread what this run puts before its assistant. Only a
// credential on the way into the store is an error.
func remember(ctx context.Context, s *session, h object.Handover, g *plan.Gate) (*threadNote, error) {
	// Of files the store learns names and hashes; the words it is told go through the gate.
	words, err := record.Marshal(struct {
		Guide, Asked, Answered string
		Known, Pinned          []string
		Steps                  []object.Step
	}{h.Guide, h.Asked, h.Answered, h.Known, h.Pinned, h.Steps}, "")
	if err != nil {
		return nil, err
	}
	if err := g.Document("store", words); err != nil {
		return nil, err
	}
	if _, err := s.thread.Record(ctx, h); err != nil {
		return &threadNote{warnings: []string{"the run is not in its thread's history: " + err.Error()}}, nil
	}
	unread, err := s.thread.Unread(ctx)
	if err != nil {
		return &threadNote{warnings: []string{"what the assistant has not read cannot be told: " + err.Error()}}, nil
	}
	return &threadNote{info: threadInfo(s.thread, unread)}, nil
}

// threadInfo is what the record says of a thread.
func threadInfo(t *object.Thread, unread []string) *record.SessionInfo {
	info := &record.SessionInfo{ID: t.ID(), Runs: len(t.Runs()), Unread: []string{}}
	for _, name := range unread {
		shown, _ := record.DisplayPath(name)
		info.Unread = append(info.Unread, shown)
	}
	return info
}

// reread notes in the thread what has become of the files that its assistant was given.
// Nothing is handed over: sets and chat stay as they are, and so does what a later
// run is compared with. A folder that is seen to change stands for all files.
func reread(ctx context.Context, e *job.Env, in *job.Inputs, of runNote) (*threadNote, error) {
	session, h, s, seen := of.session, of.head, of.sealed, of.seen
	if session == nil || session.thread == nil {
		if seen.tell {
			return &threadNote{}, tellEvents(ctx, e, in, of, nil)
		}
		return &threadNote{}, nil
	}
	t := session.thread
	read := threadReader(in.Stan, h, s)
	run := object.Run{ID: s.Screener.Clean(runID(e, in)), Commit: h.Commit.SHA}
	var err error
	var report object.Report
	if seen.All || slices.ContainsFunc(seen.Paths, func(name string) bool { return strings.HasSuffix(name, "/") }) {
		report, err = t.Reconcile(ctx, run, read)
	} else {
		report, err = t.Refresh(ctx, run, seen.Paths, read)
	}
	n := &threadNote{}
	if err != nil {
		n.warnings = []string{"what changed is not in the thread's history: " + err.Error()}
	}
	if seen.tell {
		if err := tellEvents(ctx, e, in, of, report.Compared); err != nil {
			return nil, err
		}
	}
	unread, err := t.Unread(ctx)
	if err != nil {
		n.warnings = append(n.warnings, "what the assistant has not read cannot be told: "+err.Error())
		return n, nil
	}
	n.info = threadInfo(t, unread)
	return n, nil
}

// threadReader reads the files of a snapshot, screened, for a thread. What the engine makes
// itself, and what is there and is left out, cannot be told of: a thread keeps what it has.
func threadReader(stan string, h *snapshot.Head, s *snapshot.Contents) object.Reader {
	files := make(map[string]*scan.File, len(s.Files)+len(s.Asked))
	for i := range s.Files {
		files[s.Files[i].Path] = &s.Files[i]
	}
	maps.Copy(files, s.Asked)
	gone := missing(stan, h)
	return func(name string) ([]byte, error) {
		if f := files[name]; f != nil {
			return f.Read()
		}
		if gone(name) {
			return nil, fs.ErrNotExist
		}
		return nil, errors.New("it is left out of the snapshot")
	}
}

// missing reports of paths whether there is no such file in the repository. What lies in the
// engine's own folder is staged or made by a run, and never missing.
func missing(stan string, h *snapshot.Head) func(name string) bool {
	return func(name string) bool {
		if strings.HasPrefix(name, "/") || strings.HasPrefix(name, stan+"/") {
			return false
		}
		_, err := h.Root.Lstat(name)
		return errors.Is(err, fs.ErrNotExist)
	}
}

// handover says what a run puts before the thread's assistant.
func handover(e *job.Env, in *job.Inputs, n runNote) object.Handover {
	h, s, p, answered := n.head, n.sealed, n.plan, n.answer
	out := object.Handover{
		Run:      object.Run{ID: s.Screener.Clean(runID(e, in)), Commit: h.Commit.SHA, Handed: true},
		Guide:    string(p.Docs[in.Stan+"/"+record.GuideName]),
		Asked:    "haversack: archives of " + h.Kind + " " + snapshot.Short(h.Commit.SHA),
		Answered: s.Screener.Clean(answered),
		Gone:     missing(in.Stan, h),
	}
	sums := p.Sums()
	given := map[string]bool{}
	for _, f := range p.Files {
		out.Files = append(out.Files, object.Member{Path: f.Path, SHA256: sums[f.Path], Open: f.Open})
		given[f.Path] = true
	}
	known := map[string]bool{}
	for i := range s.Files {
		known[s.Files[i].Path] = true
	}
	if s.Meta != nil {
		for id, n := range s.Meta.Nodes {
			if n.Kind == graph.Source || n.Kind == graph.External {
				known[id] = true
			}
		}
	}
	for name := range known {
		if !given[name] {
			out.Known = append(out.Known, name)
		}
	}
	pinned := map[string]bool{}
	for _, name := range snapshot.ChangedPaths(p.Changes) {
		pinned[name] = given[name]
	}
	for name := range given {
		if pinned[name] || in.Include.Match(name) != "" {
			out.Pinned = append(out.Pinned, name)
		}
	}
	slices.Sort(out.Pinned)
	// What the engine did is no toolcall of the assistant's; that it was handed something is one.
	out.Steps = []object.Step{{Tool: "haversack", Args: map[string]any{"mode": p.Mode, "base": s.Base.Reason}, Display: "haversack", Output: out.Answered, Files: slices.Sorted(maps.Keys(given))}}
	return out
}

// runID is unique among the runs of a store.
func runID(e *job.Env, in *job.Inputs) string {
	if id := e.Getenv("GITHUB_RUN_ID"); id != "" && e.Workflow {
		return strings.Join([]string{id, e.Getenv("GITHUB_RUN_ATTEMPT"), e.Getenv("GITHUB_JOB"), in.CommentKey, job.RandomHex()[:8]}, "/")
	}
	return "desk/" + job.RandomHex()[:16]
}

// printText prints as JSON the lines that a function writes.
func printText(e *job.Env, write func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return printJSON(e, &struct {
		Lines []string `json:"lines"`
	}{strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")})
}

func slashRelOr(dir, name string) string {
	if rel := job.SlashRel(dir, name); rel != "" {
		return rel
	}
	return filepath.Base(name)
}
