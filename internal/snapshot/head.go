package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Head is what a run packs: a worktree, a commit, or a plain folder.
type Head struct {
	Repo *repo.Repository // nil for a plain folder
	Root *tree.Root
	// Dir is the root on disk; of a commit in a bare repository, the folder the
	// program runs in.
	Dir string
	// under is the folder inside the root that the run is limited to.
	under  string
	Kind   string // commit, worktree, folder
	Commit repo.Commit
	// Time is that of every member of an archive.
	Time time.Time
	// tracked is what git tracks in the head, sorted by path; index finds it by path.
	tracked []repo.TrackedPath
	Index   map[string]*repo.TrackedPath
	written time.Time // of git's index
	// disk is what root lies over where git is told not to see edits, else nil.
	disk *tree.Root
	// rules are what the user has told git to ignore everywhere.
	rules []byte
	// origin is the address of a clone that this run made, else "".
	origin string
	// Event is what the run is about, as far as the head shows it: no pull request
	// where something else is packed.
	Event diff.Event
	// shown is the commit that the event is about: the head, or what made commits of
	// this job's stand on; then made counts them.
	shown    repo.Commit
	made     int
	Warnings []string
}

// onTop says of a head that this job has made commits for that they count.
func (h *Head) onTop() string {
	switch h.made {
	case 0:
		return ""
	case 1:
		return "; one commit on top of what the event is about counts as its change"
	}
	return fmt.Sprintf("; %d commits on top of what the event is about count as its change", h.made)
}

// Place is where on disk a path of the engine's stands. A link on the way, which
// anyone who commits can make, would have the engine write elsewhere: it is refused.
func (h *Head) Place(name string) (string, error) {
	at := h.Dir
	for elem := range strings.SplitSeq(name, "/") {
		at = filepath.Join(at, elem)
		fi, err := os.Lstat(at)
		if err != nil {
			break // nothing stands here yet, or the write says why not
		}
		if fi.Mode()&fs.ModeSymlink != 0 {
			return "", job.WithCode(fmt.Errorf("writing %s: %s is a link, and none is followed; remove it", name, job.SlashRel(h.Dir, at)), job.ExitInput)
		}
	}
	return filepath.Join(h.Dir, filepath.FromSlash(name)), nil
}

// Close closes what the head is read from.
func (h *Head) Close() {
	for _, root := range []*tree.Root{h.Root, h.disk} {
		if root != nil {
			root.Close()
		}
	}
	if h.Repo != nil {
		h.Repo.Close()
	}
}

// OpenHead finds what to pack.
func OpenHead(ctx context.Context, e *job.Setting, in *job.Scope) (*Head, error) {
	there, err := locate(ctx, e, in)
	if err != nil {
		return nil, err
	}
	h, err := look(ctx, e, in, there)
	if err != nil {
		there.Close()
		return nil, err
	}
	if h.Time, err = memberTime(e, h.Commit); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// memberTime is the time of every member: SOURCE_DATE_EPOCH, else the head
// commit's, else 0.
func memberTime(e *job.Setting, commit repo.Commit) (time.Time, error) {
	if s := e.Getenv("SOURCE_DATE_EPOCH"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return time.Time{}, job.WithCode(fmt.Errorf("SOURCE_DATE_EPOCH %q: a number of seconds since 1970 is needed", s), job.ExitInput)
		}
		return time.Unix(n, 0).UTC(), nil
	}
	if commit.SHA == "" {
		return time.Unix(0, 0).UTC(), nil
	}
	return time.Unix(max(commit.Time.Unix(), 0), 0).UTC(), nil
}

// locate opens the worktree, commit or folder that the inputs name.
func locate(ctx context.Context, e *job.Setting, in *job.Scope) (*Head, error) {
	dir, err := folder(e, in)
	if err != nil {
		return nil, err
	}
	r, err := repo.Open(dir)
	if address := cloneFrom(e, in, r, dir); address != "" {
		if r != nil {
			r.Close()
		}
		return clone(ctx, e, in, address)
	}
	if errors.Is(err, repo.ErrNone) {
		return plainFolder(e, in, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the repository: %w", err)
	}
	h, err := checkedOut(e, in, r)
	if err != nil {
		r.Close()
		return nil, err
	}
	return h, nil
}

// plainFolder is the head in a folder that is no repository. A workflow that checks out
// into a folder of its workspace means what is in there: the workspace holds what other
// steps left, too.
func plainFolder(e *job.Setting, in *job.Scope, dir string) (*Head, error) {
	below := repo.Below(dir)
	switch {
	case len(below) == 0:
	case e.Workflow && dir == e.WorkspaceAbs():
		return nil, job.BadInput("path", "%q is no git repository, but %s below it %s: set path: %s", in.Path, someOf(below), isOrAre(below), below[0])
	case in.Ref != "":
		return nil, job.BadInput("ref", "%q is not a git repository, so it has no revisions; %s below it %s: set path: %s", in.Path, someOf(below), isOrAre(below), below[0])
	}
	if in.Ref != "" {
		return nil, job.BadInput("ref", "%q is not a git repository, so it has no revisions", in.Path)
	}
	root, err := tree.Open(dir)
	if err != nil {
		return nil, err
	}
	h := &Head{Root: root, Dir: dir, under: ".", Kind: "folder"}
	if len(below) > 0 {
		h.Warnings = []string{fmt.Sprintf("%q is no git repository and is packed as a folder, without %s below it, which %s: name one by path to pack it", in.Path, someOf(below), isOrAre(below))}
	}
	return h, nil
}

// someOf names the first few of a list.
func someOf(names []string) string {
	var quoted []string
	for _, n := range names[:min(len(names), 5)] {
		quoted = append(quoted, strconv.Quote(n))
	}
	if more := len(names) - len(quoted); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(quoted, ", "), more)
	}
	return strings.Join(quoted, ", ")
}

func isOrAre(names []string) string {
	if len(names) == 1 {
		return "is one"
	}
	return "are some"
}

// folder is the folder that the input path names.
func folder(e *job.Setting, in *job.Scope) (string, error) {
	dir := in.Path
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(e.Workspace(), dir)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if link := leadsOut(e, dir); link != "" {
		return "", job.BadInput("path", "%q is a link that leads out of the repository, or the workspace, that it lies in, and whoever commits can make one: name the folder itself", link)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	switch fi, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return "", job.BadInput("path", "%q is not there: name a folder", in.Path)
	case err != nil:
		return "", job.BadInput("path", "%w", err)
	case !fi.IsDir():
		return "", job.BadInput("path", "%q is a file: name a folder", in.Path)
	case filepath.Dir(dir) == dir:
		// A container without a workspace starts here.
		return "", job.BadInput("path", "%q is the whole file system: name a folder in it", in.Path)
	}
	return dir, nil
}

// leadsOut is the first link on the way from the workspace to a folder below it that leads out of the repository around the link, or of a
// workflow's workspace; "" without one.
func leadsOut(e *job.Setting, dir string) string {
	start, err := filepath.Abs(e.Workspace())
	if err != nil {
		return ""
	}
	rel := job.SlashRel(start, dir)
	if rel == "" || rel == "." {
		return ""
	}
	at := e.WorkspaceAbs()
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		link := filepath.Join(at, part)
		real, err := filepath.EvalSymlinks(link)
		if err != nil {
			return "" // as Stat tells
		}
		if real == link {
			at = link
			continue
		}
		end, err := filepath.EvalSymlinks(filepath.Join(append([]string{real}, parts[i+1:]...)...))
		if top := around(e, at); err == nil && top != "" && job.SlashRel(top, end) == "" {
			return strings.Join(parts[:i+1], "/")
		}
		at = real
	}
	return ""
}

// around is the worktree that a folder lies in, or a workflow's workspace; "" in neither.
func around(e *job.Setting, dir string) string {
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil || e.Workflow && up == e.WorkspaceAbs() {
			return up
		}
		if up == filepath.Dir(up) {
			return ""
		}
	}
}

// checkedOut is the head in a repository that is there: its worktree, or a commit
// of it.
func checkedOut(e *job.Setting, in *job.Scope, r *repo.Repository) (*Head, error) {
	commit, err := r.Head()
	if in.Ref != "" {
		if commit, err = r.Resolve(in.Ref); err != nil {
			return nil, job.BadInput("ref", "%w", err)
		}
	}
	switch {
	case errors.Is(err, repo.ErrNoCommit) && r.WorkDir() == "":
		return nil, job.BadInput("path", "the repository %q has no commit yet, and no worktree: make a commit first", in.Path)
	case errors.Is(err, repo.ErrNoCommit):
		// A branch that has none yet: its worktree is packed, and all of it is new.
	case err != nil:
		return nil, fmt.Errorf("reading HEAD: %w", err)
	}
	h := &Head{Repo: r, Dir: e.WorkspaceAbs(), under: ".", Commit: commit}
	if work := r.WorkDir(); work != "" {
		h.Dir, h.under = work, r.Prefix()
	}
	if in.Ref != "" || r.WorkDir() == "" {
		h.Kind = "commit"
		if h.Root, err = r.Tree(commit.SHA); err != nil {
			return nil, err
		}
		if in, err := h.Root.Lstat(h.under); err != nil || !in.Mode.IsDir() {
			return nil, job.BadInput("path", "%q is no folder in commit %s", h.under, Short(commit.SHA))
		}
		if h.tracked, err = r.Files(commit.SHA); err != nil {
			return nil, err
		}
		h.Warnings = bareNote(e, in, r, commit)
	} else {
		h.Kind = "worktree"
		idx, err := r.Index()
		if err != nil {
			return nil, err
		}
		if h.Root, err = tree.Open(h.Dir); err != nil {
			return nil, err
		}
		h.tracked, h.written = idx.Files, idx.Written
		if idx.Warning != "" {
			h.Warnings = append(h.Warnings, idx.Warning)
		}
		h.Index = byPath(h.tracked)
		var notes []string
		if h.rules, notes = userRules(e, r); len(notes) > 0 {
			h.Warnings = append(h.Warnings, notes...)
		}
		h.Warnings = append(h.Warnings, unsettled(h, idx.Conflicts)...)
		h.disk, h.Root, notes = unseen(h)
		h.Warnings = append(h.Warnings, notes...)
	}
	h.Index = byPath(h.tracked)
	return h, nil
}

// bareNote says of a bare repository with worktrees beside it that its own HEAD is
// packed.
func bareNote(e *job.Setting, in *job.Scope, r *repo.Repository, commit repo.Commit) []string {
	if r.WorkDir() != "" || in.Ref != "" {
		return nil
	}
	dir, err := folder(e, in)
	if err != nil {
		return nil
	}
	below := repo.Below(dir)
	if len(below) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%q is a bare repository, of which HEAD is packed, %s; %s below it %s: name one by path to pack a worktree", in.Path, Short(commit.SHA), someOf(below), isOrAre(below))}
}

func byPath(tracked []repo.TrackedPath) map[string]*repo.TrackedPath {
	index := make(map[string]*repo.TrackedPath, len(tracked))
	for i := range tracked {
		index[tracked[i].Path] = &tracked[i]
	}
	return index
}

// cloneFrom returns the address that has to be cloned, or "" when the folder
// holds what is to be packed: the repository that the input names, or in a
// workflow without a checkout this one.
func cloneFrom(e *job.Setting, in *job.Scope, here *repo.Repository, dir string) string {
	name := in.Repository
	if name == "" {
		if here != nil || !e.Workflow || e.Getenv("GITHUB_REPOSITORY") == "" {
			return ""
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			return "" // a folder without git is packed as it is
		}
		name = e.Getenv("GITHUB_REPOSITORY")
	}
	address := name
	if OwnerAndName.MatchString(name) {
		address = strings.TrimRight(e.Server().String(), "/") + "/" + name
	}
	if here != nil && in.Repository != "" {
		if own := strings.TrimSuffix(here.Remote(), ".git"); own == strings.TrimSuffix(address, ".git") {
			return ""
		}
	}
	return address
}

// OwnerAndName is a repository as the hosting service calls it.
var OwnerAndName = lazyregexp.New(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)

// clone fetches one commit into a private bare store and packs from there.
func clone(ctx context.Context, e *job.Setting, in *job.Scope, address string) (*Head, error) {
	store, err := os.MkdirTemp(e.Temp, "clone-")
	if err != nil {
		return nil, err
	}
	token, host := e.TokenFor(in.Token, address)
	q := repo.Request{URL: address, Token: token, Host: host, Ref: in.Ref, Dir: store}
	if job.CommitID.MatchString(in.Ref) {
		q.SHA, q.Ref = in.Ref, ""
	} else if in.Ref == "" && in.Repository == "" {
		q.SHA = e.Getenv("GITHUB_SHA")
	}
	r, commit, err := repo.Fetch(ctx, q)
	if err != nil {
		return nil, job.BadInput("repository", "cloning %q: %w", address, err)
	}
	h := &Head{Repo: r, Dir: e.WorkspaceAbs(), under: ".", Kind: "commit", Commit: commit, origin: address}
	if h.Root, err = r.Tree(commit.SHA); err == nil {
		h.tracked, err = r.Files(commit.SHA)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	h.Index = byPath(h.tracked)
	return h, nil
}

// Git is what the scan has to know of the repository.
func (h *Head) Git() scan.Git {
	if h.Repo == nil {
		return scan.Git{}
	}
	g := scan.Git{Tracked: make(map[string]bool, len(h.tracked))}
	for _, t := range h.tracked {
		g.Tracked[t.Path] = t.Mode&fs.ModeIrregular != 0
	}
	if h.Kind != "worktree" {
		return g
	}
	g.Exclude, g.User, g.FoldCase = h.Repo.InfoExclude(), h.rules, h.Repo.FoldsCase()
	if h.Repo.Converted() {
		g.Original = h.original
	}
	return g
}

// original returns the blob of a tracked file whose worktree form is only a
// conversion of it.
func (h *Head) original(name string, raw []byte) ([]byte, bool) {
	if t := h.Index[name]; t != nil {
		return h.Repo.Original(name, raw, t.ID)
	}
	return nil, false
}

// absent are the tracked files that a sparse checkout keeps out of the worktree.
func (h *Head) absent() []scan.Omission {
	var list []scan.Omission
	for _, t := range h.tracked {
		if t.SkipWorktree && within(t.Path, h.under) {
			if _, err := h.Root.Lstat(t.Path); err != nil {
				o := scan.NotInWorktree.At(t.Path)
				o.Type, o.Category = scan.Classify(t.Path)
				list = append(list, o)
			}
		}
	}
	return list
}

// entries lists the head's files for comparison with a base: what git tracks as
// it stands in the head, and what the search found besides. Content ids are
// git's blob ids; of files git does not track, something no blob id equals.
func (h *Head) entries(ctx context.Context, found *scan.SearchResult) ([]diff.Entry, error) {
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
	for i := range found.Files {
		if f := &found.Files[i]; h.Index[f.Path] == nil {
			list = append(list, diff.Entry{Path: f.Path, Mode: f.Mode, ID: unknownToGit + f.SHA256})
		}
	}
	sortEntries(list)
	return list, nil
}

// identify gives files of which the index knows nothing git's id where the base has their path: a file that only left the
// index, or whose index is lost, is what it was. Both lists are sorted by path.
func (h *Head) identify(entries, base []diff.Entry) {
	if h.Kind != "worktree" {
		return
	}
	for i := range entries {
		e := &entries[i]
		for len(base) > 0 && base[0].Path < e.Path {
			base = base[1:]
		}
		if len(base) == 0 || base[0].Path != e.Path {
			continue
		}
		if !strings.HasPrefix(e.ID, unknownToGit) || base[0].Mode&fs.ModeIrregular != 0 {
			continue
		}
		if of, ok := h.entry(&repo.TrackedPath{Path: e.Path, Mode: base[0].Mode, ID: base[0].ID}); ok {
			*e = of
		}
	}
}

// unknownToGit begins the id of a file that is not in the index: the digest by which the scan knows it.
const unknownToGit = "sha256:"

// entry describes a tracked file as it stands in the head; ok is false when it
// is not there any more.
func (h *Head) entry(t *repo.TrackedPath) (e diff.Entry, ok bool) {
	e = diff.Entry{Path: t.Path, Mode: t.Mode, ID: t.ID}
	if h.Kind != "worktree" || t.Mode&fs.ModeIrregular != 0 {
		return e, true
	}
	in, err := h.Root.Lstat(t.Path)
	if err != nil {
		// Kept out by a sparse checkout, or unreadable: not a deletion.
		return e, t.SkipWorktree || t.AssumeUnchanged || !errors.Is(err, fs.ErrNotExist) && !notFolder(err)
	}
	switch {
	case in.Mode&fs.ModeSymlink != 0:
		target, err := h.Root.Readlink(t.Path)
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
	if in.Size > scan.MaxFileBytes {
		// No file of this size is packed, so what it holds need not be read: it is
		// another than the index says.
		e.ID = "larger than what is read"
		return e, true
	}
	raw, err := h.Root.ReadFile(t.Path, scan.MaxFileBytes)
	if err != nil {
		return e, true
	}
	if id := repo.HashBlob(raw); id != t.ID && !h.Repo.SameBlob(t.Path, raw, t.ID) {
		e.ID = id
	}
	return e, true
}

// notFolder reports the error of a path whose parent has become a file.
func notFolder(err error) bool { return strings.Contains(err.Error(), "not a directory") }

// within reports whether a path lies in a folder.
func within(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// Short is a commit's id, or a sum, as people are told it: its first twelve digits.
func Short(sha string) string { return sha[:min(len(sha), 12)] }
