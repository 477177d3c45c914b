package object

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
)

// Member is a file that was put before the assistant.
type Member struct {
	// Path is slash-separated and relative to the thread's root.
	Path string
	// SHA256 of the content as archived, in lower hex.
	SHA256 string
	// Open reads that content. It is called for new and changed files only; where it
	// is nil the store learns the hash alone.
	Open func() (io.ReadCloser, error)
}

// Step is one thing a run did, and what it said. All of it is screened.
type Step struct {
	Tool string
	// Args are JSON values.
	Args map[string]any
	// Display is the arguments for reading, or "".
	Display string
	Failed  bool
	Output  string
	// Files are the paths it was about.
	Files []string
}

// Handover is what one run puts before the assistant.
type Handover struct {
	Run Run
	// Files are the archive's members: they are active, and no other file is.
	Files []Member
	// Known are the paths of files that the assistant has heard of and was not given.
	Known []string
	// Pinned are the files that a budget drops last. No other file is pinned.
	Pinned []string
	// Gone says of a file that the thread met earlier whether it is confirmed to be
	// no more; nil says so of none. What is left out now is not gone.
	Gone func(path string) bool
	// Steps that ran, in order.
	Steps []Step
	// Guide is what the assistant is told to do, "" for none.
	Guide string
	// Asked and Answered are the turn that the run adds to the chat.
	Asked, Answered string
}

// Report counts what a recording did to file objects.
type Report struct {
	Created, Updated, Unchanged, Deleted int
	// Orphaned files could not be looked at; they stay as they are.
	Orphaned int
	// Skipped files cannot be objects.
	Skipped []SkippedFile
	// Compared are the paths of those that a comparison with the files gave a version, sorted.
	Compared []string
}

// SkippedFile is a file that cannot be an object, and why.
type SkippedFile struct {
	Path string
	Err  error
}

// Toolcalls stay active while they are among the last windowPerTurn of one of the last
// windowTurns turns. Older ones leave the active set by themselves, unless they are pinned.
const (
	windowTurns   = 3
	windowPerTurn = 5
)

// maxTurns bounds a chat's document, which is written anew with every run.
const maxTurns = 100

// maxAttempts bounds how often a recording starts again because another run of the
// same thread wrote meanwhile.
const maxAttempts = 8

// Reader reads a file's content, screened. An error that wraps fs.ErrNotExist confirms
// that the file is no more; any other says that it cannot be told.
type Reader func(path string) ([]byte, error)

// Thread is a session as this program keeps it: its sets, the newest version of
// all in them, and the store behind.
type Thread struct {
	id       string
	store    Store
	resolver *Resolver
	root     string

	sets   *sets
	stored *Session // as the store has it, nil where it has none
	chat   *Chat
	guide  *SystemPrompt
	heads  map[string]Object // content objects, without content
	runs   []Run
	base   []Member
	based  bool
	gone   map[string]bool // of files without a hash: those that are deleted; nil until asked
}

// Resume opens a thread: the session document, the sets, and the newest version of
// every object in its index. A session that the store does not have begins empty. root is
// the folder, as the agent sees it, that paths are relative to.
func Resume(ctx context.Context, st Store, session string, r *Resolver, root string) (*Thread, error) {
	id, err := ParseSessionID(session)
	if err != nil {
		return nil, err
	}
	t := &Thread{id: id, store: st, resolver: r, root: path.Clean("/" + root)}
	return t, t.load(ctx)
}

// load reads the thread's state from the store.
func (t *Thread) load(ctx context.Context) error {
	own, err := t.store.Get(ctx, Query{IDs: []string{SessionID(t.id), ChatID(t.id), SystemPromptID(t.id)}})
	if err != nil {
		return fmt.Errorf("resuming session %q: %w", t.id, err)
	}
	t.stored, _ = own[SessionID(t.id)].(*Session)
	t.chat, _ = own[ChatID(t.id)].(*Chat)
	t.guide, _ = own[SystemPromptID(t.id)].(*SystemPrompt)
	if t.stored == nil {
		t.sets = &sets{at: map[string]int{}}
	} else if t.sets, err = newSets(t.stored); err != nil {
		return fmt.Errorf("resuming session %q: %w: %w", t.id, ErrDamaged, err)
	}
	if t.heads, err = t.store.Get(ctx, Query{IDs: t.sets.ids}); err != nil {
		return fmt.Errorf("resuming session %q: %w", t.id, err)
	}
	for id, o := range t.heads {
		switch o.(type) {
		case *File, *Toolcall:
		default:
			return fmt.Errorf("resuming session %q: %w: session_index holds %s, which is infrastructure", t.id, ErrDamaged, clip(id))
		}
	}
	if t.runs, err = t.store.Runs(ctx, t.id); err != nil {
		return fmt.Errorf("resuming session %q: %w", t.id, err)
	}
	t.gone = nil
	t.based = false
	return nil
}

// ID returns the session's id.
func (t *Thread) ID() string { return t.id }

// Runs returns the thread's runs, oldest first.
func (t *Thread) Runs() []Run { return slices.Clone(t.runs) }

// Last returns the last run that handed an archive over.
func (t *Thread) Last() (Run, bool) {
	for _, r := range slices.Backward(t.runs) {
		if r.Handed {
			return r, true
		}
	}
	return Run{}, false
}

// Handed returns the files that the last archive held, sorted by path, with the hashes
// they had in it: the base of base: session. It is nil where no archive was handed over
// yet. The members' Open is nil.
func (t *Thread) Handed(ctx context.Context) ([]Member, error) {
	last, ok := t.Last()
	if !ok {
		return nil, nil
	}
	if t.based {
		return t.base, nil
	}
	all, err := t.store.Runs(ctx, "")
	if err != nil {
		return nil, err
	}
	session, heads := t.stored, t.heads
	if len(all) == 0 || all[len(all)-1].ID != last.ID {
		own, err := t.store.Get(ctx, Query{IDs: []string{SessionID(t.id)}, Run: last.ID})
		if err != nil {
			return nil, err
		}
		session, ok = own[SessionID(t.id)].(*Session)
		if !ok {
			return nil, fmt.Errorf("%w: run %q of session %q left no session", ErrDamaged, clip(last.ID), t.id)
		}
		if heads, err = t.store.Get(ctx, Query{IDs: session.ActiveSet, Run: last.ID}); err != nil {
			return nil, err
		}
	}
	if session == nil {
		return nil, nil
	}
	base := make([]Member, 0, len(session.ActiveSet))
	for _, id := range session.ActiveSet {
		f, ok := heads[id].(*File)
		if !ok || f.FileHash == nil {
			continue
		}
		base = append(base, Member{Path: t.display(f), SHA256: *f.FileHash})
	}
	slices.SortFunc(base, func(a, b Member) int { return strings.Compare(a.Path, b.Path) })
	t.base, t.based = base, true
	return base, nil
}

// Unread returns the paths of files that the thread's assistant knows by name and was never
// given, sorted. The store may have their content.
func (t *Thread) Unread(ctx context.Context) ([]string, error) {
	given, err := t.store.EverActive(ctx, SessionID(t.id))
	if err != nil {
		return nil, err
	}
	var out []string
	for i, id := range t.sets.ids {
		f, ok := t.heads[id].(*File)
		if !ok || given[id] && f.FileHash != nil || t.sets.levels[i]&pooled == 0 {
			continue
		}
		if f.FileHash == nil {
			gone, err := t.isGone(ctx, id)
			if err != nil {
				return nil, err
			}
			if gone {
				continue
			}
		}
		out = append(out, t.display(f))
	}
	slices.Sort(out)
	return out, nil
}

// source returns the binding of a path relative to the root.
func (t *Thread) source(rel string) Source {
	return t.resolver.Resolve(t.root + "/" + rel).Source()
}

// display returns a file's path relative to the root, or as the agent sees it where
// it lies outside.
func (t *Thread) display(f *File) string {
	p := t.resolver.Reverse(f.Source.Path, f.Source.FilesystemID)
	// Several mounts may hold the root; ask each path that leads back to the file.
	if rest, ok := under(p, t.root); ok && rest != "" {
		return strings.TrimPrefix(rest, "/")
	}
	own := t.resolver.Resolve(t.root)
	if own.FilesystemID == f.Source.FilesystemID {
		if rest, ok := under(f.Source.Path, own.CanonicalPath); ok && rest != "" {
			return strings.TrimPrefix(rest, "/")
		}
	}
	return p
}

// CheckRun tells what is wrong with a run's names, or returns nil.
func CheckRun(r Run) error {
	if err := checkName("run id", r.ID); err != nil {
		return err
	}
	if _, err := ParseSessionID(r.Session); err != nil {
		return err
	}
	if r.Commit == "" {
		return nil
	}
	return checkName("commit", r.Commit)
}

// ours reports whether a file is on a file system that the resolver speaks for.
func (t *Thread) ours(f *File) bool {
	return f.Source.FilesystemID == t.resolver.id || slices.ContainsFunc(t.resolver.forward, func(m Mount) bool {
		return m.FilesystemID == f.Source.FilesystemID
	})
}

// Activate puts an object's content in context. A stub is read first and becomes a full
// object; where it cannot be read the error wraps ErrInaccessible and nothing changes. Of an
// object outside the session the error is ErrNotInSession, of infrastructure
// ErrInfrastructure.
func (t *Thread) Activate(ctx context.Context, run Run, id string, read Reader) error {
	_, err := t.Apply(ctx, run, Event{Event: EventActivate, ID: id}, read)
	return err
}

// Deactivate takes an object's content out of context. It stays in the pool; a pin does
// not hold it.
func (t *Thread) Deactivate(ctx context.Context, run Run, id string) error {
	_, err := t.Apply(ctx, run, Event{Event: EventDeactivate, ID: id}, nil)
	return err
}

// Pin keeps an object from leaving the context by itself.
func (t *Thread) Pin(ctx context.Context, run Run, id string) error {
	_, err := t.Apply(ctx, run, Event{Event: EventPin, ID: id}, nil)
	return err
}

// Unpin takes the pin away.
func (t *Thread) Unpin(ctx context.Context, run Run, id string) error {
	_, err := t.Apply(ctx, run, Event{Event: EventUnpin, ID: id}, nil)
	return err
}

// Reconcile compares every file of the session with what is there: what changed becomes
// a version, stubs that can be read become full objects, what is confirmed gone loses its
// content, and what cannot be looked at stays as it is. No set changes. It
// brings a resumed session up to date with the disk.
func (t *Thread) Reconcile(ctx context.Context, run Run, read Reader) (Report, error) {
	return t.refresh(ctx, run, slices.Values(t.sets.ids), read)
}

// Refresh does the same for the paths that a watcher names. Paths that the session
// never met are passed over.
func (t *Thread) Refresh(ctx context.Context, run Run, paths []string, read Reader) (Report, error) {
	return t.refresh(ctx, run, func(yield func(string) bool) {
		for _, p := range slices.Compact(slices.Sorted(slices.Values(paths))) {
			src := t.source(p)
			if id := IdentityHash(TypeFile, &src, ""); t.sets.has(id, 0) && !yield(id) {
				return
			}
		}
	}, read)
}

func (t *Thread) refresh(ctx context.Context, run Run, ids iter.Seq[string], read Reader) (Report, error) {
	run.Session, run.Handed = t.id, false
	if err := CheckRun(run); err != nil {
		return Report{}, err
	}
	var report Report
	var changed []Object
	for id := range ids {
		f, ok := t.heads[id].(*File)
		if !ok {
			continue
		}
		next, err := t.reread(ctx, f, read, &report)
		if err != nil {
			return Report{}, err
		}
		if next != nil {
			changed = append(changed, next)
			report.Compared = append(report.Compared, t.display(f))
		}
	}
	slices.Sort(report.Compared)
	if len(changed) == 0 {
		return report, nil
	}
	if err := t.store.Put(ctx, Write{Run: run, Objects: each(changed...)}); err != nil {
		return Report{}, err
	}
	for _, o := range changed {
		if f, ok := o.(*File); ok && f.FileHash == nil {
			t.mark(f.ID, true)
		}
		t.heads[HeadOf(o).ID] = headOnly(o)
	}
	t.runs = append(t.runs, run)
	t.based = false
	return report, nil
}

// reread returns the next version of a file, or nil where there is none.
func (t *Thread) reread(ctx context.Context, f *File, read Reader, report *Report) (*File, error) {
	if !t.ours(f) {
		report.Orphaned++
		return nil, nil
	}
	raw, err := read(t.display(f))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.FileHash == nil {
			if gone, err := t.isGone(ctx, f.ID); err != nil || gone {
				report.Unchanged++
				return nil, err
			}
		}
		report.Deleted++
		return NewStub(*f.Source)
	case err != nil:
		report.Orphaned++
		return nil, nil
	case f.FileHash != nil && *f.FileHash == FileHash(raw):
		report.Unchanged++
		return nil, nil
	}
	report.Updated++
	return NewFile(*f.Source, raw)
}
