package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/scan"
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
	// saved: ids are the sha256 of archived bytes, not blob ids.
	saved bool
	// fetched is the store that a missing base was fetched into.
	fetched *repo.Repository
	warns   []string
}

func (b *base) close() {
	if b.root != nil {
		b.root.Close()
	}
	if b.fetched != nil {
		b.fetched.Close()
	}
}

// savedName is STAN's snapshot file, relative to the engine's folder. Runs in
// context mode have one of their own.
func savedName(mode string) string {
	if mode == "context" {
		return "diff/.archive.snapshot.context.json"
	}
	return "diff/.archive.snapshot.json"
}

// findBase decides what the change is measured against.
func (c *Command) findBase(ctx context.Context, in *Inputs, h *head, dirty func() (bool, error), temp string) (*base, error) {
	switch in.Base {
	case "none":
		return &base{none: true, reason: "none was asked for"}, nil
	case "saved":
		return readSaved(h, in, savedName(mode(in, h)))
	case "auto":
		if h.repo == nil {
			return &base{none: true, reason: "not a git repository"}, nil
		}
		return c.autoBase(ctx, in, h, dirty, temp)
	}
	if h.repo == nil {
		return nil, badInput("base", "%q: not a git repository, so it has no revisions; use none or saved", in.Base)
	}
	at, err := h.repo.Resolve(in.Base)
	if err == nil {
		if b, err := baseAt(h, h.repo, at.SHA, "input base: "+in.Base); err == nil {
			return b, nil
		}
	}
	sha := in.Base
	switch {
	case err == nil:
		sha = at.SHA
	case (sha == "HEAD^" || sha == "HEAD~" || sha == "HEAD~1" || sha == "HEAD^1") && len(h.commit.Parents) > 0:
		sha = h.commit.Parents[0] // a shallow clone knows the parent by name
	}
	if !looksLikeSHA.MatchString(sha) {
		return nil, badInput("base", "%w", err)
	}
	b, fetchErr := c.fetchBase(ctx, in, h, sha, "input base: "+in.Base, temp)
	if fetchErr != nil {
		return nil, badInput("base", "%s is not in this clone: %w", in.Base, fetchErr)
	}
	return b, nil
}

// autoBase finds the base that fits what is packed: in a workflow the event's,
// on a desk the branch's.
func (c *Command) autoBase(ctx context.Context, in *Inputs, h *head, dirty func() (bool, error), temp string) (*base, error) {
	if !inWorkflow(c.Getenv) || in.Ref != "" && c.Getenv("GITHUB_EVENT_NAME") == "" {
		return c.deskBase(ctx, in, h, dirty, temp)
	}
	event, warn := c.event()
	steps, err := event.Steps(h.commit.SHA, h.commit.Parents)
	if err != nil {
		return nil, err
	}
	var warns []string
	if warn != "" {
		warns = append(warns, warn)
	}
	f := &finder{c: c, in: in, h: h, temp: temp, event: event}
	for _, s := range steps {
		var b *base
		switch s.Kind {
		case diff.AtDesk:
			b, err = c.deskBase(ctx, in, h, dirty, temp)
		case diff.AtNothing:
			b, err = &base{reason: s.Reason}, nil
		case diff.AtCommit:
			b, err = f.at(ctx, s.Commit, s.Reason)
		case diff.AtMergeBase:
			b, err = f.mergeBase(ctx, s)
		case diff.AtPreviousTag:
			b, err = f.previousTag(s)
		case diff.AtPastRun:
			b, err = f.pastRun(ctx, s)
		}
		if err == nil {
			b.warns = append(warns, b.warns...)
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.Is(err, errNoneYet) {
			warns = append(warns, fmt.Sprintf("base %q could not be had: %v", s.Reason, err))
		}
	}
	return nil, fmt.Errorf("finding the base: %w", err)
}

// dirty reports whether the head differs from its commit: in what git tracks,
// or by files that it does not track and the rules take.
func (h *head) dirty(ctx context.Context, rules scan.Rules) (bool, error) {
	if h.kind != "worktree" {
		return false, nil
	}
	if changed, err := h.changed(ctx); changed || err != nil {
		return changed, err
	}
	return scan.HasUntracked(ctx, h.root, rules, h.git())
}

// changed reports whether what git tracks differs from the head's commit.
func (h *head) changed(ctx context.Context) (bool, error) {
	own, err := commitEntries(h.repo, h.commit.SHA, h.under)
	if err != nil {
		return false, err
	}
	now, err := h.entries(ctx, &scan.Snapshot{})
	if err != nil {
		return false, err
	}
	return len(diff.Between(own, now)) > 0, nil
}

// errNoneYet: there is no earlier run or tag, which is nobody's fault.
var errNoneYet = errors.New("none yet")

// event reads what started the workflow. A payload that cannot be used is
// said, and the run goes on by what the repository knows.
func (c *Command) event() (diff.Event, string) {
	name, ref := c.Getenv("GITHUB_EVENT_NAME"), c.Getenv("GITHUB_REF")
	file := c.Getenv("GITHUB_EVENT_PATH")
	if file == "" {
		return diff.Event{Name: name, Ref: ref}, ""
	}
	var payload []byte
	f, err := os.Open(file)
	if err == nil {
		payload, err = io.ReadAll(io.LimitReader(f, diff.MaxPayload+1))
		f.Close()
	}
	var e diff.Event
	if err == nil {
		e, err = diff.ParseEvent(name, ref, payload)
	}
	if err != nil {
		return diff.Event{Name: name, Ref: ref}, fmt.Sprintf("the event's payload cannot be used, so the base is found as on a desk: %v", err)
	}
	return e, ""
}

// finder carries out the steps of an event.
type finder struct {
	c     *Command
	in    *Inputs
	h     *head
	temp  string
	event diff.Event
}

// at makes the base from a commit, which is fetched when this clone lacks it.
func (f *finder) at(ctx context.Context, sha, reason string) (*base, error) {
	if b, err := baseAt(f.h, f.h.repo, sha, reason); err == nil {
		return b, nil
	}
	return f.c.fetchBase(ctx, f.in, f.h, sha, reason, f.temp)
}

// forge returns the client of this repository's API, or why there is none.
func (c *Command) forge(in *Inputs) (*forge.Client, error) {
	name := c.Getenv("GITHUB_REPOSITORY")
	switch {
	case name == "":
		return nil, errors.New("GITHUB_REPOSITORY is not set")
	case in.Token == "":
		return nil, errors.New("there is no token")
	}
	return forge.New(c.Getenv("GITHUB_API_URL"), name, in.Token)
}

// mergeBase asks the API first, which knows the answer without any history;
// then the history that is there.
func (f *finder) mergeBase(ctx context.Context, s diff.Step) (*base, error) {
	tip := s.Commit
	client, apiErr := f.c.forge(f.in)
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
			sha, apiErr = client.MergeBase(ctx, tip, f.h.commit.SHA)
		}
		if apiErr == nil {
			return f.at(ctx, sha, s.Reason)
		}
		if errors.Is(apiErr, forge.ErrUnrelated) {
			return f.unrelated(ctx, tip, s)
		}
	}
	local := tip
	for _, ref := range []string{"refs/remotes/origin/" + s.Ref, "refs/heads/" + s.Ref} {
		if at, err := f.h.repo.Resolve(ref); s.Ref != "" && err == nil {
			local = at.SHA
			break
		}
	}
	if local == "" {
		return nil, fmt.Errorf("branch %q is not in this clone, and the API cannot be asked: %w", s.Ref, apiErr)
	}
	sha, err := f.h.repo.MergeBase(local, f.h.commit.SHA)
	switch {
	case errors.Is(err, repo.ErrUnrelated):
		return f.unrelated(ctx, local, s)
	case err != nil && apiErr != nil:
		return nil, fmt.Errorf("%w (and the API cannot be asked: %w); set fetch-depth: 0, or give a token", err, apiErr)
	case err != nil:
		return nil, err
	}
	return f.at(ctx, sha, s.Reason)
}

// past describes the runs whose artifacts belong to this one's thread.
func (f *finder) past() forge.Past {
	run, _ := strconv.ParseInt(f.c.Getenv("GITHUB_RUN_ID"), 10, 64)
	branch := f.c.Getenv("GITHUB_HEAD_REF") // of a pull request
	if branch == "" {
		branch = f.c.Getenv("GITHUB_REF_NAME")
	}
	return forge.Past{Workflow: forge.WorkflowFile(f.c.Getenv("GITHUB_WORKFLOW_REF")), Branch: branch,
		Event: f.c.Getenv("GITHUB_EVENT_NAME"), Artifact: artifact.CleanName(f.in.ArtifactName), Run: run}
}

// unrelated compares two histories that share no commit directly.
func (f *finder) unrelated(ctx context.Context, tip string, s diff.Step) (*base, error) {
	b, err := f.at(ctx, tip, "tip of "+s.Ref+" (unrelated history)")
	if err == nil {
		b.warns = append(b.warns, "HEAD and "+s.Ref+" have no commit in common; the archives compare their files directly")
	}
	return b, err
}

func (f *finder) previousTag(s diff.Step) (*base, error) {
	at, ok, err := f.h.repo.PreviousTag(f.h.commit.SHA)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNoneYet
	}
	return baseAt(f.h, f.h.repo, at.SHA, s.Reason)
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
	client, err := f.c.forge(f.in)
	if err != nil {
		return nil, err
	}
	last, err := client.LastArtifact(ctx, f.past())
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
	var rec struct{ Head Head }
	if err := json.Unmarshal(raw, &rec); err != nil || !looksLikeSHA.MatchString(rec.Head.Commit) {
		return nil, errors.New("the last run's record names no commit")
	}
	return f.at(ctx, rec.Head.Commit, s.Reason)
}

// deskBase finds the base from the repository alone: what the branch has that
// the remote's default branch has not; on that branch itself what is not
// committed yet, or the last commit.
func (c *Command) deskBase(ctx context.Context, in *Inputs, h *head, dirty func() (bool, error), temp string) (*base, error) {
	if ref, ok := h.repo.DefaultBranch(); ok {
		tip, err := h.repo.Resolve(ref)
		if err == nil && tip.SHA != h.commit.SHA {
			sha, err := h.repo.MergeBase(tip.SHA, h.commit.SHA)
			switch {
			case err == nil && sha != h.commit.SHA:
				return baseAt(h, h.repo, sha, "merge base with "+refName(ref))
			case errors.Is(err, repo.ErrUnrelated):
				b, err := baseAt(h, h.repo, tip.SHA, "tip of "+refName(ref)+" (unrelated history)")
				if b != nil {
					b.warns = append(b.warns, "HEAD and "+refName(ref)+" have no commit in common; the archives compare their files directly")
				}
				return b, err
			case err != nil && !errors.Is(err, repo.ErrShallow):
				return nil, err
			}
		}
	}
	switch d, err := dirty(); {
	case err != nil:
		return nil, err
	case d:
		return baseAt(h, h.repo, h.commit.SHA, "HEAD, against what is not committed")
	}
	if len(h.commit.Parents) == 0 {
		return &base{reason: "first commit: everything is new"}, nil
	}
	parent := h.commit.Parents[0]
	if b, err := baseAt(h, h.repo, parent, "HEAD^, the commit before"); err == nil {
		return b, nil
	}
	b, err := c.fetchBase(ctx, in, h, parent, "HEAD^, the commit before", temp)
	if err != nil {
		return &base{none: true, reason: "HEAD^ is not in this clone",
			warns: []string{fmt.Sprintf("no diff archive: HEAD^ (%s) is not in this clone and cannot be fetched: %v; set fetch-depth: 2, or base: none", short(parent), err)}}, nil
	}
	return b, nil
}

func refName(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(ref, "refs/remotes/"), "refs/heads/")
}

// baseAt makes the base from a commit in a store.
func baseAt(h *head, from *repo.Repository, sha, reason string) (*base, error) {
	entries, err := commitEntries(from, sha, h.under)
	if err != nil {
		return nil, err
	}
	root, err := from.Tree(sha)
	if err != nil {
		return nil, err
	}
	return &base{commit: sha, reason: reason, root: root, files: entries}, nil
}

// fetchBase fetches one commit into a private store: the user's checkout is
// never fetched into.
func (c *Command) fetchBase(ctx context.Context, in *Inputs, h *head, sha, reason, temp string) (*base, error) {
	url := h.origin
	if url == "" {
		url = h.repo.RemoteURL("origin")
	}
	if server, name := c.Getenv("GITHUB_SERVER_URL"), c.Getenv("GITHUB_REPOSITORY"); url == "" && server != "" && name != "" {
		url = strings.TrimRight(server, "/") + "/" + name
	}
	if url == "" {
		return nil, errors.New("it has no remote called origin")
	}
	store, err := os.MkdirTemp(temp, "base-")
	if err != nil {
		return nil, err
	}
	token, host := c.tokenFor(in, url)
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

// commitEntries lists a commit's files below a folder.
func commitEntries(r *repo.Repository, sha, under string) ([]diff.Entry, error) {
	files, err := r.Files(sha)
	if err != nil {
		return nil, err
	}
	list := make([]diff.Entry, 0, len(files))
	for _, t := range files {
		if within(t.Path, under) {
			list = append(list, diff.Entry{Path: t.Path, Mode: t.Mode, ID: t.ID})
		}
	}
	return list, nil
}

func sortEntries(list []diff.Entry) {
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
}

// maxSaved is the most bytes a saved snapshot may have.
const maxSaved = 256 << 20

// readSaved reads STAN's snapshot file: a path and the sha256 of its archived
// bytes.
func readSaved(h *head, in *Inputs, saved string) (*base, error) {
	shown := in.Stan + "/" + saved
	name := filepath.Join(h.dir, filepath.FromSlash(shown))
	fi, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &base{reason: "first-run: no saved snapshot yet", saved: true}, nil
	}
	if err == nil && fi.Size() > maxSaved {
		err = fmt.Errorf("larger than %d bytes", maxSaved)
	}
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", shown, err)
	}
	var m map[string]string
	if err := json.Unmarshal(raw, &m); err != nil || m == nil {
		return nil, &codedError{fmt.Errorf("%s is not a snapshot (an object of path: sha256): %s; delete it to start anew", shown, jsonFault(raw, err)), exitInput}
	}
	b := &base{reason: "saved snapshot", saved: true}
	for p, sum := range m {
		b.files = append(b.files, diff.Entry{Path: p, Mode: 0o644, ID: sum})
	}
	sortEntries(b.files)
	return b, nil
}

// jsonFault says where JSON goes wrong.
func jsonFault(raw []byte, err error) string {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	at := int64(-1)
	switch {
	case err == nil:
		return "it is null"
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &typ):
		at = typ.Offset
	}
	if at < 0 || at > int64(len(raw)) {
		return err.Error()
	}
	line := 1 + strings.Count(string(raw[:at]), "\n")
	return fmt.Sprintf("line %d: %v", line, err)
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
func writeSaved(in *Inputs, h *head, mode string, sums map[string]string) error {
	if in.Base != "saved" || in.UpdateSaved == "never" || mode == "meta" {
		return nil
	}
	name, err := h.place(in.Stan + "/" + savedName(mode))
	if err != nil {
		return err
	}
	if _, err := os.Stat(name); err == nil && in.UpdateSaved == "create" {
		return nil
	}
	b, err := marshal(sums, "  ")
	if err != nil {
		return err
	}
	if err := writeAtomic(name, b[:len(b)-1]); err != nil {
		return fmt.Errorf("writing the saved snapshot: %w", err)
	}
	return nil
}
