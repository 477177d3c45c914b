package snapshot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Base is what the head is compared with.
type Base struct {
	// None: there is nothing to compare with, and no diff archive is made.
	None   bool
	Commit string
	Reason string
	// Root opens the base's files; nil when only hashes are known.
	Root  *tree.Root
	Files []diff.Entry
	// stores are files outside of the folder that the run is limited to, which are read
	// for the credentials that their names promise.
	stores []diff.Entry
	// Saved: ids are the sha256 of archived bytes, not blob ids.
	Saved bool
	// undecided: on a desk the base is the head's own commit while something is not
	// committed, else the commit before. Which one holds the search tells, so that
	// one walk serves both; compare picks.
	undecided bool
	// vouched: the service says that it lies in the history of a branch of this repository.
	vouched bool
	// Fetched is the store that a missing base was fetched into.
	Fetched  *repo.Repository
	Warnings []string
}

// Close closes what the base is read from; nil has nothing open.
func (b *Base) Close() {
	if b == nil {
		return
	}
	if b.Root != nil {
		b.Root.Close()
	}
	if b.Fetched != nil {
		b.Fetched.Close()
	}
}

// SavedName is STAN's snapshot file, relative to the engine's folder. Runs in
// context mode have one of their own.
func SavedName(mode job.Mode) string {
	if mode == job.ModeContext {
		return "diff/.archive.snapshot.context.json"
	}
	return "diff/.archive.snapshot.json"
}

// Base decides what the change is measured against. It reads no file of the head. saved
// is the snapshot file that base: saved means. What a thread was handed, which
// base: session means, is known to the thread alone.
func (f *Finder) Base(ctx context.Context, saved string) (*Base, error) {
	switch f.in.Base {
	case job.BaseNone:
		return &Base{None: true, Reason: "none was asked for"}, nil
	case job.BaseTask:
		return &Base{None: true, Reason: "a task is packed, no change"}, nil
	case job.BaseSaved:
		return readSaved(f.Head, f.in.Stan, saved)
	case job.BaseAuto:
		if f.Head.Repo == nil {
			return &Base{None: true, Reason: "not a git repository"}, nil
		}
		if f.Head.Commit.SHA == "" {
			return &Base{Reason: "no commit yet: everything is new"}, nil
		}
		return f.auto(ctx)
	}
	if strings.HasPrefix(f.in.Base, registry.Scheme) {
		return f.pushed(ctx)
	}
	return f.revision(ctx)
}

// auto finds the base that fits what is packed: in a workflow the event's, on a desk the
// branch's.
func (f *Finder) auto(ctx context.Context) (*Base, error) {
	e, h := f.e, f.Head
	if !e.Workflow || f.in.Ref != "" && e.Getenv("GITHUB_EVENT_NAME") == "" {
		return f.desk(ctx)
	}
	steps, err := e.Event.Steps(h.shown.SHA, h.shown.Parents)
	if err != nil {
		return nil, err
	}
	var warnings []string
	for _, s := range steps {
		var b *Base
		switch s.Kind {
		case diff.AtDesk:
			b, err = f.desk(ctx)
		case diff.AtNothing:
			b, err = &Base{Reason: s.Reason}, nil
		case diff.AtCommit:
			b, err = f.at(ctx, s.Commit, s.Reason)
		case diff.AtMergeBase:
			b, err = f.mergeBase(ctx, s)
		case diff.AtPreviousTag:
			b, err = f.previousTag(ctx, s)
		case diff.AtPastRun:
			b, err = f.pastRun(ctx, s)
		}
		if err == nil {
			b.Warnings = append(warnings, b.Warnings...)
			b.Reason += h.onTop()
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.Is(err, errNoneYet) {
			warnings = append(warnings, fmt.Sprintf("base %q cannot be used: %v", s.Reason, err))
		}
	}
	return nil, fmt.Errorf("finding the base: %w", err)
}

// errNoneYet: there is no earlier run or tag, which is nobody's fault.
var errNoneYet = errors.New("none yet")

// Finder finds, for one head, what it holds and what that is compared with.
type Finder struct {
	e    *job.Setting
	in   *job.Scope
	Head *Head
}

// NewFinder is the finder of a head, within a scope.
func NewFinder(e *job.Setting, in *job.Scope, h *Head) *Finder { return &Finder{e, in, h} }

// at makes the base from a commit, which is fetched when this clone lacks it.
func (f *Finder) at(ctx context.Context, sha, reason string) (*Base, error) {
	if b, err := baseAt(f.Head, f.Head.Repo, sha, reason); err == nil {
		return b, nil
	}
	return f.fetch(ctx, sha, reason)
}

// mergeBase asks the API first, which knows the answer without any history;
// then the history that is there.
func (f *Finder) mergeBase(ctx context.Context, s diff.Step) (*Base, error) {
	tip := s.Commit
	client, apiErr := f.e.Forge(f.in.Token)
	if apiErr == nil {
		var sha string
		if s.Ref != "" {
			if t, err := client.Tip(ctx, s.Ref); err == nil {
				tip = t
			} else if !errors.Is(err, forge.ErrNotFound) || tip == "" {
				apiErr = err
			}
		}
		if apiErr == nil {
			sha, apiErr = client.MergeBase(ctx, tip, f.Head.shown.SHA)
		}
		if apiErr == nil {
			b, err := f.at(ctx, sha, s.Reason)
			if err == nil {
				b.vouched = true
			}
			return b, err
		}
		if errors.Is(apiErr, forge.ErrUnrelated) {
			return f.unrelated(ctx, tip, s.Ref)
		}
	}
	local := tip
	if branch, ok := f.Head.Repo.RemoteBranch(s.Ref); ok && s.Ref != "" {
		local = branch.SHA
	}
	if local == "" {
		return nil, fmt.Errorf("branch %q is not in this clone, and the API cannot be asked: %w", s.Ref, apiErr)
	}
	sha, err := f.Head.Repo.MergeBase(local, f.Head.shown.SHA)
	switch {
	case errors.Is(err, repo.ErrUnrelated):
		return f.unrelated(ctx, local, s.Ref)
	case err != nil && apiErr != nil:
		return nil, fmt.Errorf("%w (and the API cannot be asked: %w); set fetch-depth: 0, or give a token", err, apiErr)
	case err != nil:
		return nil, err
	}
	return f.at(ctx, sha, s.Reason)
}

// PastRuns describes the runs whose artifacts belong to this one's thread.
func PastRuns(e *job.Setting, in *job.Scope) forge.Past {
	run, _ := strconv.ParseInt(e.Getenv("GITHUB_RUN_ID"), 10, 64)
	branch := e.Getenv("GITHUB_HEAD_REF") // of a pull request
	if branch == "" {
		branch = e.Getenv("GITHUB_REF_NAME")
	}
	return forge.Past{Workflow: forge.WorkflowFile(e.Getenv("GITHUB_WORKFLOW_REF")), Branch: branch,
		Event: e.Getenv("GITHUB_EVENT_NAME"), Artifact: artifact.CleanName(in.ArtifactName), Run: run}
}

// unrelated compares two histories that share no commit directly.
func (f *Finder) unrelated(ctx context.Context, tip, name string) (*Base, error) {
	name = text.Name(name)
	b, err := f.at(ctx, tip, "tip of "+name+" (unrelated history)")
	if err == nil {
		b.Warnings = append(b.Warnings, "HEAD and "+name+" have no commit in common; the archives compare their files directly")
	}
	return b, err
}

// MaxPastArtifact bounds an artifact of an earlier run, and maxPastRecord the
// record in it.
const (
	MaxPastArtifact = 4 << 30
	maxPastRecord   = 64 << 20
)

// pastRun takes the head of the last successful run of the same workflow,
// branch and event. Of what that run's artifact says only a commit id is
// believed, and the commit is then read from the repository.
func (f *Finder) pastRun(ctx context.Context, s diff.Step) (*Base, error) {
	client, err := f.e.Forge(f.in.Token)
	if err != nil {
		return nil, err
	}
	last, err := client.LastArtifact(ctx, PastRuns(f.e, f.in))
	if errors.Is(err, forge.ErrNotFound) {
		return nil, errNoneYet
	}
	if err != nil {
		return nil, err
	}
	zip, err := last.Open(ctx, MaxPastArtifact)
	if err != nil {
		return nil, err
	}
	raw, err := artifact.Member(zip, zip.Size, "record.json", maxPastRecord)
	if err != nil {
		return nil, err
	}
	var rec struct{ Head record.Head }
	if err := json.Unmarshal(raw, &rec); err != nil || !job.CommitID.MatchString(rec.Head.Commit) {
		return nil, errors.New("the last run's record names no commit")
	}
	return f.at(ctx, rec.Head.Commit, s.Reason)
}

// baseAt makes the base from a commit in a store.
func baseAt(h *Head, from *repo.Repository, sha, reason string) (*Base, error) {
	entries, stores, err := commitEntries(from, sha, h)
	if err != nil {
		return nil, err
	}
	root, err := from.Tree(sha)
	if err != nil {
		return nil, err
	}
	return &Base{Commit: sha, Reason: reason, Root: root, Files: entries, stores: stores}, nil
}

// fetch makes the base from one commit that it fetches into a private store: the user's
// checkout is never fetched into.
func (f *Finder) fetch(ctx context.Context, sha, reason string) (*Base, error) {
	e, h := f.e, f.Head
	url, err := h.remote(e)
	if err != nil {
		return nil, err
	}
	store, err := os.MkdirTemp(e.Temp, "base-")
	if err != nil {
		return nil, err
	}
	token, host := e.TokenFor(f.in.Token, url)
	from, at, err := repo.Fetch(ctx, repo.Request{URL: url, Token: token, Host: host, SHA: sha, Dir: store})
	if err != nil {
		return nil, err
	}
	b, err := baseAt(h, from, at.SHA, reason)
	if err != nil {
		from.Close()
		return nil, err
	}
	b.Fetched = from
	return b, nil
}

// commitEntries lists a commit's files below the folder that the run is limited to, and
// of those outside the ones that are called like credentials and that the head has not,
// or otherwise.
func commitEntries(r *repo.Repository, sha string, h *Head) (list, stores []diff.Entry, err error) {
	files, err := r.Files(sha)
	if err != nil {
		return nil, nil, err
	}
	list = make([]diff.Entry, 0, len(files))
	for _, t := range files {
		e := diff.Entry{Path: t.Path, Mode: t.Mode, ID: t.ID}
		if within(t.Path, h.under) {
			list = append(list, e)
		} else if tier, _ := secret.Name(t.Path); tier != secret.Clear && (h.Index[t.Path] == nil || h.Index[t.Path].ID != t.ID) {
			stores = append(stores, e)
		}
	}
	return list, stores, nil
}

func sortEntries(list []diff.Entry) {
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
}

// maxSaved is the most bytes a saved snapshot may have: a million files.
const maxSaved = 128 << 20

// readSaved reads STAN's snapshot file: a path and the sha256 of its archived
// bytes.
func readSaved(h *Head, stan, saved string) (*Base, error) {
	shown := stan + "/" + saved
	raw, err := h.readPlace(shown, maxSaved)
	if errors.Is(err, fs.ErrNotExist) {
		return &Base{Reason: "first-run: no saved snapshot yet", Saved: true}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", shown, err)
	}
	b := &Base{Reason: "saved snapshot", Saved: true}
	if b.Files, err = parseSaved(raw); err != nil {
		return nil, job.WithCode(fmt.Errorf("%s is not a snapshot (an object of path: sha256): %w; delete it to start anew", shown, err), job.ExitInput)
	}
	return b, nil
}

// parseSaved reads a snapshot entry by entry: of one path's several sums the last
// counts.
func parseSaved(raw []byte) ([]diff.Entry, error) {
	s := record.NewStream(bytes.NewReader(raw), record.MaxRecord, record.MaxValue, 10_000)
	sums := map[string]string{}
	null, err := s.Open('{')
	if err == nil && null {
		err = errors.New("it is null")
	}
	for err == nil && s.More() {
		var path json.Token
		if path, err = s.Next(); err != nil {
			break
		}
		var sum string
		if err = s.Value(&sum); err == nil && !job.Checksum.MatchString(sum) {
			err = errors.New("the value is no sha256")
		}
		if len(sums) == record.MaxRows {
			err = fmt.Errorf("it lists more than %d files", record.MaxRows)
		}
		name, _ := path.(string)
		sums[name] = sum
	}
	if err == nil {
		if _, err = s.Next(); err == nil {
			err = s.End()
		}
	}
	if err != nil {
		at := min(s.Offset(), int64(len(raw)))
		var there *record.PlacedError
		if errors.As(err, &there) {
			err = there.Err
		}
		return nil, fmt.Errorf("line %d: %w", 1+bytes.Count(raw[:at], []byte("\n")), err)
	}
	return SavedEntries(sums), nil
}

// SavedEntries lists the members of an archive as the saved snapshot knows them.
func SavedEntries(sums map[string]string) []diff.Entry {
	list := make([]diff.Entry, 0, len(sums))
	for p, sum := range sums {
		list = append(list, diff.Entry{Path: p, Mode: 0o644, ID: sum})
	}
	sortEntries(list)
	return list
}

// WriteSaved writes the saved snapshot when the input says so.
func WriteSaved(in *job.Scope, when job.Saving, h *Head, mode job.Mode, sums map[string]string) error {
	if in.Base != job.BaseSaved || when == job.SaveNever || mode == job.ModeMeta {
		return nil
	}
	name := in.Stan + "/" + SavedName(mode)
	at, err := h.Place(name)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(at); err == nil && when == job.SaveCreate {
		return nil
	}
	b, err := record.Marshal(sums, "  ")
	if err != nil {
		return err
	}
	if err := h.WritePlace(name, b[:len(b)-1]); err != nil {
		return fmt.Errorf("writing the saved snapshot: %w", err)
	}
	return nil
}
