package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
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

// savedSnapshot is STAN's snapshot file, relative to the engine's folder.
const savedSnapshot = "diff/.archive.snapshot.json"

// findBase decides what the change is measured against.
func (c *Command) findBase(ctx context.Context, in *Inputs, h *head, entries []diff.Entry, temp string) (*base, error) {
	switch in.Base {
	case "none":
		return &base{none: true, reason: "base: none"}, nil
	case "saved":
		return readSaved(filepath.Join(h.dir, filepath.FromSlash(in.Stan), filepath.FromSlash(savedSnapshot)), in)
	case "auto":
		if h.repo == nil {
			return &base{none: true, reason: "not a git repository"}, nil
		}
		return c.autoBase(ctx, in, h, entries, temp)
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
	if err == nil {
		sha = at.SHA
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

// autoBase finds the base on a desk: what the branch has that the remote's
// default branch has not; on that branch itself what is not committed yet, or
// the last commit.
func (c *Command) autoBase(ctx context.Context, in *Inputs, h *head, entries []diff.Entry, temp string) (*base, error) {
	own, err := commitEntries(h.repo, h.commit.SHA, h.under)
	if err != nil {
		return nil, err
	}
	dirty := h.kind == "worktree" && len(diff.Between(own, entries)) > 0
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
	if dirty {
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
	url := h.repo.RemoteURL("origin")
	if url == "" {
		return nil, errors.New("it has no remote called origin")
	}
	store, err := os.MkdirTemp(temp, "base-")
	if err != nil {
		return nil, err
	}
	from, at, err := repo.Fetch(ctx, repo.Request{URL: url, Token: in.Token, Host: c.serverHost(), SHA: sha, Dir: store})
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
func readSaved(name string, in *Inputs) (*base, error) {
	shown := in.Stan + "/" + savedSnapshot
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

// savedEntries lists the snapshot's files as the saved snapshot knows them.
func savedEntries(files []scan.File) []diff.Entry {
	list := make([]diff.Entry, 0, len(files))
	for i := range files {
		list = append(list, diff.Entry{Path: files[i].Path, Mode: 0o644, ID: files[i].SHA256})
	}
	return list
}

// writeSaved writes the saved snapshot when the input says so.
func writeSaved(in *Inputs, h *head, files []scan.File) error {
	name := filepath.Join(h.dir, filepath.FromSlash(in.Stan), filepath.FromSlash(savedSnapshot))
	if in.Base != "saved" || in.UpdateSaved == "never" {
		return nil
	}
	if _, err := os.Stat(name); err == nil && in.UpdateSaved == "create" {
		return nil
	}
	m := make(map[string]string, len(files))
	for i := range files {
		m[files[i].Path] = files[i].SHA256
	}
	b, err := marshal(m, "  ")
	if err != nil {
		return err
	}
	if err := writeAtomic(name, b[:len(b)-1]); err != nil {
		return fmt.Errorf("writing the saved snapshot: %w", err)
	}
	return nil
}
