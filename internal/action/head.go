package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/tree"
)

// head is what a run packs: a worktree, a commit, or a plain folder.
type head struct {
	repo *repo.Repository // nil for a plain folder
	root *tree.Root
	// dir is the root on disk; of a commit in a bare repository, the folder the
	// program runs in.
	dir string
	// under is the folder inside the root that the run is limited to.
	under  string
	kind   string // commit, worktree, folder
	commit repo.Commit
	// tracked is what git tracks in the head, sorted by path.
	tracked []repo.Tracked
	index   map[string]*repo.Tracked
	written time.Time // of the index
	warns   []string
	// origin is the address of a clone that this run made, else "".
	origin string
}

// place is where on disk a path of the engine's stands. A link on the way, which
// anyone who commits can make, would have the engine write elsewhere: it is refused.
func (h *head) place(name string) (string, error) {
	at := h.dir
	for elem := range strings.SplitSeq(name, "/") {
		at = filepath.Join(at, elem)
		fi, err := os.Lstat(at)
		if err != nil {
			break // nothing stands here yet, or the write says why not
		}
		if fi.Mode()&fs.ModeSymlink != 0 {
			return "", &codedError{fmt.Errorf("writing %s: %s is a link, and none is followed; remove it", name, slashRel(h.dir, at)), exitInput}
		}
	}
	return filepath.Join(h.dir, filepath.FromSlash(name)), nil
}

func (h *head) close() {
	if h.root != nil {
		h.root.Close()
	}
	if h.repo != nil {
		h.repo.Close()
	}
}

// openHead finds what to pack. Temp is a folder for a clone, where one is needed.
func (c *Command) openHead(ctx context.Context, in *Inputs, temp string) (_ *head, err error) {
	dir := in.Path
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.workspace(), dir)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	switch fi, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, badInput("path", "%q is not there: name a folder", in.Path)
	case err != nil:
		return nil, badInput("path", "%w", err)
	case !fi.IsDir():
		return nil, badInput("path", "%q is a file: name a folder", in.Path)
	case filepath.Dir(dir) == dir:
		// A container without a workspace starts here.
		return nil, badInput("path", "%q is the whole file system: name a folder in it", in.Path)
	}
	h := &head{dir: dir, under: "."}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	h.repo, err = repo.Open(dir)
	if address := c.cloneFrom(in, h.repo, dir); address != "" {
		if h.repo != nil {
			h.repo.Close()
			h.repo = nil
		}
		return h, c.clone(ctx, in, h, address, temp)
	}
	if errors.Is(err, repo.ErrNone) {
		if in.Ref != "" {
			return nil, badInput("ref", "%q is not a git repository, so it has no revisions", in.Path)
		}
		h.kind = "folder"
		h.root, err = tree.Open(dir)
		return h, err
	}
	if err != nil {
		return nil, fmt.Errorf("opening the repository: %w", err)
	}
	if in.Ref != "" {
		h.commit, err = h.repo.Resolve(in.Ref)
		if err != nil {
			return nil, badInput("ref", "%w", err)
		}
	} else if h.commit, err = h.repo.Head(); err != nil {
		if errors.Is(err, repo.ErrNoCommit) {
			return nil, badInput("path", "the repository %q has no commit yet: make one first", in.Path)
		}
		return nil, fmt.Errorf("reading HEAD: %w", err)
	}
	if work := h.repo.WorkDir(); work != "" {
		h.under = h.repo.Prefix()
		h.dir = work
	} else {
		h.dir = c.workspaceAbs()
	}
	if in.Ref != "" || h.repo.WorkDir() == "" {
		h.kind = "commit"
		if h.root, err = h.repo.Tree(h.commit.SHA); err != nil {
			return nil, err
		}
		if in, err := h.root.Lstat(h.under); err != nil || !in.Mode.IsDir() {
			return nil, badInput("path", "%q is no folder in commit %s", h.under, short(h.commit.SHA))
		}
		h.tracked, err = h.repo.Files(h.commit.SHA)
	} else {
		h.kind = "worktree"
		if h.root, err = tree.Open(h.dir); err != nil {
			return nil, err
		}
		idx, err := h.repo.Index()
		if err != nil {
			return nil, err
		}
		h.tracked, h.written = idx.Files, idx.Written
		if idx.Warning != "" {
			h.warns = append(h.warns, idx.Warning)
		}
	}
	if err != nil {
		return nil, err
	}
	h.indexTracked()
	return h, nil
}

// cloneFrom returns the address that has to be cloned, or "" when the folder
// holds what is to be packed: the repository that the input names, or in a
// workflow without a checkout this one.
func (c *Command) cloneFrom(in *Inputs, here *repo.Repository, dir string) string {
	name := in.Repository
	if name == "" {
		if here != nil || !inWorkflow(c.Getenv) || c.Getenv("GITHUB_REPOSITORY") == "" {
			return ""
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			return "" // a folder without git is packed as it is
		}
		name = c.Getenv("GITHUB_REPOSITORY")
	}
	address := name
	if ownerAndName.MatchString(name) {
		address = strings.TrimRight(c.server().String(), "/") + "/" + name
	}
	if here != nil && in.Repository != "" {
		if own := strings.TrimSuffix(here.RemoteURL("origin"), ".git"); own == strings.TrimSuffix(address, ".git") {
			return ""
		}
	}
	return address
}

var ownerAndName = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)

// clone fetches one commit into a private bare store and packs from there.
func (c *Command) clone(ctx context.Context, in *Inputs, h *head, address, temp string) error {
	store, err := os.MkdirTemp(temp, "clone-")
	if err != nil {
		return err
	}
	token, host := c.tokenFor(in, address)
	q := repo.Request{URL: address, Token: token, Host: host, Ref: in.Ref, Dir: store}
	if looksLikeSHA.MatchString(in.Ref) {
		q.SHA, q.Ref = in.Ref, ""
	} else if in.Ref == "" && in.Repository == "" {
		q.SHA = c.Getenv("GITHUB_SHA")
	}
	if h.repo, h.commit, err = repo.Fetch(ctx, q); err != nil {
		return badInput("repository", "cloning %s: %w", address, err)
	}
	h.dir, h.kind, h.origin = c.workspaceAbs(), "commit", address
	if h.root, err = h.repo.Tree(h.commit.SHA); err != nil {
		return err
	}
	if h.tracked, err = h.repo.Files(h.commit.SHA); err != nil {
		return err
	}
	h.indexTracked()
	return nil
}

func (h *head) indexTracked() {
	h.index = make(map[string]*repo.Tracked, len(h.tracked))
	for i := range h.tracked {
		h.index[h.tracked[i].Path] = &h.tracked[i]
	}
}

// workspace is the folder that relative paths start from.
func (c *Command) workspace() string {
	if inWorkflow(c.Getenv) {
		if w := c.Getenv("GITHUB_WORKSPACE"); w != "" {
			return w
		}
	}
	if c.Dir != "" {
		return c.Dir
	}
	return "."
}

// git is what the scan has to know of the repository.
func (h *head) git() scan.Git {
	if h.repo == nil {
		return scan.Git{}
	}
	g := scan.Git{Tracked: make(map[string]bool, len(h.tracked))}
	for _, t := range h.tracked {
		g.Tracked[t.Path] = t.Mode&fs.ModeIrregular != 0
	}
	if h.kind != "worktree" {
		return g
	}
	g.Exclude = h.repo.InfoExclude()
	if h.repo.Converted() {
		g.Original = h.original
	}
	return g
}

// original returns the blob of a tracked file whose worktree form is only a
// conversion of it.
func (h *head) original(name string, raw []byte) ([]byte, bool) {
	if t := h.index[name]; t != nil {
		return h.repo.Original(name, raw, t.ID)
	}
	return nil, false
}

// absent are the tracked files that a sparse checkout keeps out of the worktree.
func (h *head) absent() []scan.Omission {
	var list []scan.Omission
	for _, t := range h.tracked {
		if t.SkipWorktree && within(t.Path, h.under) {
			if _, err := h.root.Lstat(t.Path); err != nil {
				o := scan.Omission{Path: t.Path, Reason: scan.NotSelected, Rule: "sparse checkout: not in the worktree"}
				o.Type, o.Category = scan.Classify(t.Path)
				list = append(list, o)
			}
		}
	}
	return list
}

// entries lists the head's files for comparison with a base: what git tracks as
// it stands in the head, and what the snapshot took besides. Content ids are
// git's blob ids; of files git does not track, something no blob id equals.
func (h *head) entries(ctx context.Context, s *scan.Snapshot) ([]diff.Entry, error) {
	list := make([]diff.Entry, 0, len(h.tracked))
	for i := range h.tracked {
		t := &h.tracked[i]
		if !within(t.Path, h.under) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if e, ok := h.entry(t); ok {
			list = append(list, e)
		}
	}
	for i := range s.Files {
		if f := &s.Files[i]; h.index[f.Path] == nil {
			list = append(list, diff.Entry{Path: f.Path, Mode: f.Mode, ID: "sha256:" + f.SHA256})
		}
	}
	sortEntries(list)
	return list, nil
}

// entry describes a tracked file as it stands in the head; ok is false when it
// is not there any more.
func (h *head) entry(t *repo.Tracked) (e diff.Entry, ok bool) {
	e = diff.Entry{Path: t.Path, Mode: t.Mode, ID: t.ID}
	if h.kind != "worktree" || t.Mode&fs.ModeIrregular != 0 {
		return e, true
	}
	in, err := h.root.Lstat(t.Path)
	if err != nil {
		// Kept out by a sparse checkout, or unreadable: not a deletion.
		return e, t.SkipWorktree || !errors.Is(err, fs.ErrNotExist) && !notFolder(err)
	}
	switch {
	case in.Mode&fs.ModeSymlink != 0:
		target, err := h.root.Readlink(t.Path)
		if err != nil {
			return e, true
		}
		e.Mode, e.ID = fs.ModeSymlink|0o777, repo.HashBlob([]byte(target))
		return e, true
	case !in.Mode.IsRegular():
		return e, false
	}
	if runtime.GOOS != "windows" {
		e.Mode = in.Mode
	}
	if clean, sure := t.Clean(in, h.written); clean && sure {
		return e, true
	}
	raw, err := h.read(t.Path)
	if err != nil {
		return e, true
	}
	if id := repo.HashBlob(raw); id != t.ID && !h.repo.SameBlob(t.Path, raw, t.ID) {
		e.ID = id
	}
	return e, true
}

func (h *head) read(name string) ([]byte, error) {
	rc, _, err := h.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	return io.ReadAll(rc)
}

// notFolder reports the error of a path whose parent has become a file.
func notFolder(err error) bool { return strings.Contains(err.Error(), "not a directory") }

// within reports whether a path lies in a folder.
func within(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

func short(sha string) string { return sha[:min(len(sha), 12)] }
