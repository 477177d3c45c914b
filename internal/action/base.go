package action

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

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// base is what the head is compared with.
type base struct {
	// none: there is nothing to compare with, and no diff archive is made.
	none   bool
	commit string
	reason string
	// root opens the base's files; nil when only hashes are known.
	root  *tree.Root
	files []diff.Entry
	// stores are files outside of the folder that the run is limited to, which are read
	// for the credentials that their names promise.
	stores []diff.Entry
	// saved: ids are the sha256 of archived bytes, not blob ids.
	saved bool
	// undecided: on a desk the base is the head's own commit while something is not
	// committed, else the commit before. Which one holds the search tells, so that
	// one walk serves both; compare picks.
	undecided bool
	// fetched is the store that a missing base was fetched into.
	fetched  *repo.Repository
	warnings []string
}

func (b *base) close() {
	if b == nil {
		return
	}
	if b.root != nil {
		b.root.Close()
	}
	if b.fetched != nil {
		b.fetched.Close()
	}
}

// savedName is STAN's snapshot file, relative to the engine's folder. Runs in
// context mode have one of their own.
func savedName(mode job.Mode) string {
	if mode == job.ModeContext {
		return "diff/.archive.snapshot.context.json"
	}
	return "diff/.archive.snapshot.json"
}

// base decides what the change is measured against. It reads no file of the head. saved
// is the snapshot file that base: saved means. What a thread was handed, which
// base: session means, is known to the thread alone.
func (f *finder) base(ctx context.Context, saved string) (*base, error) {
	switch f.in.Base {
	case job.BaseNone:
		return &base{none: true, reason: "none was asked for"}, nil
	case job.BaseSaved:
		return readSaved(f.h, f.in.Stan, saved)
	case job.BaseAuto:
		if f.h.repo == nil {
			return &base{none: true, reason: "not a git repository"}, nil
		}
		if f.h.commit.SHA == "" {
			return &base{reason: "no commit yet: everything is new"}, nil
		}
		return f.auto(ctx)
	}
	return f.revision(ctx)
}

// auto finds the base that fits what is packed: in a workflow the event's, on a desk the
// branch's.
func (f *finder) auto(ctx context.Context) (*base, error) {
	e, h := f.e, f.h
	if !e.Workflow || f.in.Ref != "" && e.Getenv("GITHUB_EVENT_NAME") == "" {
		return f.desk(ctx)
	}
	steps, err := e.Event.Steps(h.shown.SHA, h.shown.Parents)
	if err != nil {
		return nil, err
	}
	var warnings []string
	for _, s := range steps {
		var b *base
		switch s.Kind {
		case diff.AtDesk:
			b, err = f.desk(ctx)
		case diff.AtNothing:
			b, err = &base{reason: s.Reason}, nil
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
			b.warnings = append(warnings, b.warnings...)
			b.reason += h.onTop()
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.Is(err, errNoneYet) {
			warnings = append(warnings, fmt.Sprintf("base %q could not be had: %v", s.Reason, err))
		}
	}
	return nil, fmt.Errorf("finding the base: %w", err)
}

// errNoneYet: there is no earlier run or tag, which is nobody's fault.
var errNoneYet = errors.New("none yet")

// finder finds, for one head, what it holds and what that is compared with.
type finder struct {
	e  *job.Setting
	in *job.Scope
	h  *head
}

// newFinder is the finder of a head, within a scope.
func newFinder(e *job.Setting, in *job.Scope, h *head) *finder { return &finder{e, in, h} }

// at makes the base from a commit, which is fetched when this clone lacks it.
func (f *finder) at(ctx context.Context, sha, reason string) (*base, error) {
	if b, err := baseAt(f.h, f.h.repo, sha, reason); err == nil {
		return b, nil
	}
	return f.fetch(ctx, sha, reason)
}

// mergeBase asks the API first, which knows the answer without any history;
// then the history that is there.
func (f *finder) mergeBase(ctx context.Context, s diff.Step) (*base, error) {
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
			sha, apiErr = client.MergeBase(ctx, tip, f.h.shown.SHA)
		}
		if apiErr == nil {
			return f.at(ctx, sha, s.Reason)
		}
		if errors.Is(apiErr, forge.ErrUnrelated) {
			return f.unrelated(ctx, tip, s.Ref)
		}
	}
	local := tip
	if branch, ok := f.h.repo.RemoteBranch(s.Ref); ok && s.Ref != "" {
		local = branch.SHA
	}
	if local == "" {
		return nil, fmt.Errorf("branch %q is not in this clone, and the API cannot be asked: %w", s.Ref, apiErr)
	}
	sha, err := f.h.repo.MergeBase(local, f.h.shown.SHA)
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

// past describes the runs whose artifacts belong to this one's thread.
func past(e *job.Setting, in *job.Scope) forge.Past {
	run, _ := strconv.ParseInt(e.Getenv("GITHUB_RUN_ID"), 10, 64)
	branch := e.Getenv("GITHUB_HEAD_REF") // of a pull request
	if branch == "" {
		branch = e.Getenv("GITHUB_REF_NAME")
	}
	return forge.Past{Workflow: forge.WorkflowFile(e.Getenv("GITHUB_WORKFLOW_REF")), Branch: branch,
		Event: e.Getenv("GITHUB_EVENT_NAME"), Artifact: artifact.CleanName(in.ArtifactName), Run: run}
}

// unrelated compares two histories that share no commit directly.
func (f *finder) unrelated(ctx context.Context, tip, name string) (*base, error) {
	name = text.Name(name)
	b, err := f.at(ctx, tip, "tip of "+name+" (unrelated history)")
	if err == nil {
		b.warnings = append(b.warnings, "HEAD and "+name+" have no commit in common; the archives compare their files directly")
	}
	return b, err
}

// maxPastArtifact bounds an artifact of an earlier run, and maxPastRecord the
// record in it.
const (
	maxPastArtifact = 4 << 30
	maxPastRecord   = 64 << 20
)

// pastRun takes the head of the last successful run of the same workflow,
// branch and event. Of what that run's artifact says only a commit id is
// believed, and the commit is then read from the repository.
func (f *finder) pastRun(ctx context.Context, s diff.Step) (*base, error) {
	client, err := f.e.Forge(f.in.Token)
	if err != nil {
		return nil, err
	}
	last, err := client.LastArtifact(ctx, past(f.e, f.in))
	if errors.Is(err, forge.ErrNotFound) {
		return nil, errNoneYet
	}
	if err != nil {
		return nil, err
	}
	zip, err := last.Open(ctx, maxPastArtifact)
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
func baseAt(h *head, from *repo.Repository, sha, reason string) (*base, error) {
	entries, stores, err := commitEntries(from, sha, h)
	if err != nil {
		return nil, err
	}
	root, err := from.Tree(sha)
	if err != nil {
		return nil, err
	}
	return &base{commit: sha, reason: reason, root: root, files: entries, stores: stores}, nil
}

// fetch makes the base from one commit that it fetches into a private store: the user's
// checkout is never fetched into.
func (f *finder) fetch(ctx context.Context, sha, reason string) (*base, error) {
	e, h := f.e, f.h
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
	b.fetched = from
	return b, nil
}

// commitEntries lists a commit's files below the folder that the run is limited to, and
// of those outside the ones that are called like credentials and that the head has not,
// or otherwise.
func commitEntries(r *repo.Repository, sha string, h *head) (list, stores []diff.Entry, err error) {
	files, err := r.Files(sha)
	if err != nil {
		return nil, nil, err
	}
	list = make([]diff.Entry, 0, len(files))
	for _, t := range files {
		e := diff.Entry{Path: t.Path, Mode: t.Mode, ID: t.ID}
		if within(t.Path, h.under) {
			list = append(list, e)
		} else if tier, _ := secret.Name(t.Path); tier != secret.Clear && (h.index[t.Path] == nil || h.index[t.Path].ID != t.ID) {
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
func readSaved(h *head, stan, saved string) (*base, error) {
	shown := stan + "/" + saved
	raw, err := h.readPlace(shown, maxSaved)
	if errors.Is(err, fs.ErrNotExist) {
		return &base{reason: "first-run: no saved snapshot yet", saved: true}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", shown, err)
	}
	b := &base{reason: "saved snapshot", saved: true}
	if b.files, err = parseSaved(raw); err != nil {
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
	return savedEntries(sums), nil
}

// savedEntries lists the members of an archive as the saved snapshot knows them.
func savedEntries(sums map[string]string) []diff.Entry {
	list := make([]diff.Entry, 0, len(sums))
	for p, sum := range sums {
		list = append(list, diff.Entry{Path: p, Mode: 0o644, ID: sum})
	}
	sortEntries(list)
	return list
}

// writeSaved writes the saved snapshot when the input says so.
func writeSaved(in *job.Scope, when job.Saving, h *head, mode job.Mode, sums map[string]string) error {
	if in.Base != job.BaseSaved || when == job.SaveNever || mode == job.ModeMeta {
		return nil
	}
	name := in.Stan + "/" + savedName(mode)
	at, err := h.place(name)
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
	if err := h.writePlace(name, b[:len(b)-1]); err != nil {
		return fmt.Errorf("writing the saved snapshot: %w", err)
	}
	return nil
}
