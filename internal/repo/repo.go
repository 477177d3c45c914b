// Package repo reads git repositories, and fetches single commits into private
// ones. It is the only package that knows go-git.
//
// A repository on disk is never written to. None of its hooks, filters,
// credential helpers or commands is ever run; no file that its configuration
// includes is read, and core.worktree is not followed: the worktree is the
// folder that holds .git. Of a user's own configuration, which may include
// others, the ignore file alone is asked, on a desk.
//
// Object ids are 40 lower-case hex digits (SHA-1). Paths are slash-separated
// and relative to the top of the worktree.
//
// All methods may be called from several goroutines.
package repo

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/haversack-dev/haversack/internal/tree"
)

var (
	// ErrNone: there is no repository at the folder or above it.
	ErrNone = errors.New("not a git repository")
	// ErrNoCommit: the repository has no commit yet.
	ErrNoCommit = errors.New("the repository has no commit yet")
	// ErrFormat: the repository's storage format is not supported.
	ErrFormat = errors.New("unsupported repository format")
	// ErrShallow: history ends (shallow clone) before the answer is found.
	ErrShallow = errors.New("the clone is shallow and its history ends before that; fetch more of it (fetch-depth: 0 in actions/checkout, git fetch --unshallow)")
	// ErrUnrelated: two commits have no common ancestor.
	ErrUnrelated = errors.New("the histories have no commit in common")
)

// Repository is an opened repository. Close it after use.
type Repository struct {
	work   string // "" when bare
	gitDir string // the worktree's own folder
	common string // shared with other worktrees; usually gitDir
	prefix string
	config *config.Config

	mu    sync.Mutex // go-git's storage is not safe for concurrent use
	store *store
	trees map[plumbing.Hash]*folder
	// entries of all of trees
	entries int

	indexOnce sync.Once
	index     *Index
	indexErr  error
	convOnce  sync.Once
	conv      *converter
}

// Open opens the repository that dir lies in: dir itself or the nearest folder
// above it. The error is ErrNone when there is none.
func Open(dir string) (*Repository, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening a repository in %s: %w", dir, err)
	}
	// Links are resolved first, so that "above" means what the system means.
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("opening a repository in %s: %w", dir, err)
	}
	if fi, err := os.Stat(abs); err == nil && !fi.IsDir() {
		abs = filepath.Dir(abs)
	}
	// A folder of a pull request can be made to look like a bare repository. It
	// counts as one where no worktree surrounds it, or where its name says so.
	bare := isGitDir(abs) && filepath.Ext(abs) != ".git"
	for up := abs; ; up = filepath.Dir(up) {
		r, err := openAt(up, up == abs && !bare)
		if r == nil && err == nil && bare && up == filepath.Dir(up) {
			r, err = openAt(abs, true)
		}
		if err != nil {
			return nil, fmt.Errorf("opening the repository in %s: %w", up, err)
		}
		if r != nil {
			if r.prefix = "."; r.work != "" {
				rel, err := filepath.Rel(r.work, abs)
				if err != nil {
					r.Close()
					return nil, fmt.Errorf("opening the repository in %s: %w", up, err)
				}
				r.prefix = filepath.ToSlash(rel)
			}
			return r, nil
		}
		if up == filepath.Dir(up) {
			return nil, fmt.Errorf("opening a repository in %s: %w", dir, ErrNone)
		}
	}
}

// openAt opens the repository whose worktree, or if bare may be, own folder is
// dir; nil if dir is neither.
func openAt(dir string, bare bool) (*Repository, error) {
	dot := filepath.Join(dir, ".git")
	fi, err := os.Stat(dot)
	switch {
	case err == nil && fi.IsDir() && isGitDir(dot):
		r, err := openStore(dot)
		if err != nil {
			return nil, err
		}
		// A bare repository may be called .git too; worktrees are then
		// attached to it elsewhere.
		if !isTrue(r.option("core", "bare")) {
			r.work = dir
		}
		return r, nil
	case err == nil && fi.Mode().IsRegular():
		b, err := readFile(dot, maxRef)
		if err != nil {
			return nil, err
		}
		target, ok := strings.CutPrefix(string(b), "gitdir:")
		if target = strings.TrimSpace(target); !ok || target == "" {
			return nil, fmt.Errorf("%s does not name a repository (gitdir: PATH)", dot)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, filepath.FromSlash(target))
		}
		if !isGitDir(target) {
			return nil, fmt.Errorf("%s names %s, which is not a git repository; in a container, mount the main repository at the same path, or run git worktree repair", dot, target)
		}
		r, err := openStore(target)
		if err != nil {
			return nil, err
		}
		// A folder may keep a bare repository in .bare, and its worktrees beside that:
		// it is none itself. A linked worktree is one whatever the shared folder says.
		if r.gitDir != r.common || !isTrue(r.option("core", "bare")) {
			r.work = dir
		}
		return r, nil
	}
	if bare && isGitDir(dir) {
		return openStore(dir)
	}
	return nil, nil
}

// isGitDir reports whether dir looks like a repository's own folder, by the
// rule that git itself goes by.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonDir(dir)
	for _, name := range []string{"objects", "refs"} {
		if fi, err := os.Stat(filepath.Join(common, name)); err != nil || !fi.IsDir() {
			return false
		}
	}
	return true
}

// commonDir returns the folder that a linked worktree's own folder shares with
// the other worktrees, or dir.
func commonDir(dir string) string {
	b, err := readFile(filepath.Join(dir, "commondir"), maxRef)
	if err != nil {
		return dir
	}
	common := strings.TrimSpace(string(b))
	if common == "" {
		return dir
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(dir, filepath.FromSlash(common))
	}
	return filepath.Clean(common)
}

// openStore opens the repository whose own folder is dir.
func openStore(dir string) (r *Repository, err error) {
	defer caught(&err)
	common := commonDir(dir)
	s := newStore(dir, common)
	cfg, err := s.Config()
	if err != nil {
		s.Close()
		return nil, err
	}
	// Sparse checkout and line ends may be set for one worktree alone.
	if b, err := s.read("config.worktree"); err == nil {
		if own, err := parseConfig(b); err == nil {
			for _, sec := range own.Raw.Sections {
				for _, o := range sec.Options {
					cfg.Raw.AddOption(sec.Name, "", o.Key, o.Value)
				}
			}
		}
	}
	return &Repository{
		gitDir: dir, common: common, prefix: ".", config: cfg, store: s,
		trees: map[plumbing.Hash]*folder{},
	}, nil
}

// Bounds of the look for repositories below a folder.
const (
	maxBelowDepth   = 6
	maxBelowFolders = 5000
)

// Below returns the worktrees that lie below a folder, as paths relative to it, sorted; not
// those inside of others. It follows no link, and looks at the folders nearest to the
// top where there are many.
func Below(dir string) []string {
	type folder struct {
		path  string
		depth int
	}
	var found []string
	queue := []folder{{".", 0}}
	for at := 0; at < len(queue) && at < maxBelowFolders; at++ {
		f := queue[at]
		at := filepath.Join(dir, filepath.FromSlash(f.path))
		entries, err := os.ReadDir(at)
		if err != nil {
			continue
		}
		// What a folder is its entries tell: nothing is asked of it that is no repository.
		holds := func(name string) bool {
			_, ok := slices.BinarySearchFunc(entries, name, func(e os.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
			return ok
		}
		switch {
		case f.depth == 0:
		case holds(".git") && isWorktree(at):
			found = append(found, f.path)
			continue
		case f.depth == maxBelowDepth, holds("HEAD") && isGitDir(at):
			continue
		}
		for _, e := range entries {
			if e.IsDir() && e.Name() != ".git" && e.Name() != "node_modules" && len(queue) < maxBelowFolders {
				queue = append(queue, folder{path.Join(f.path, e.Name()), f.depth + 1})
			}
		}
	}
	slices.Sort(found)
	return found
}

func isWorktree(dir string) bool {
	r, err := openAt(dir, false)
	if err != nil || r == nil {
		return false
	}
	defer r.Close()
	return r.work != ""
}

// Close closes the files held open.
func (r *Repository) Close() (err error) {
	defer caught(&err)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.store.Close()
}

// WorkDir returns the top of the worktree, or "" when the repository is bare.
func (r *Repository) WorkDir() string { return r.work }

// GitDir returns the repository's own folder.
func (r *Repository) GitDir() string { return r.gitDir }

// Shares reports whether two are worktrees of one repository.
func (r *Repository) Shares(o *Repository) bool { return r.common == o.common }

// Prefix returns the folder that was opened relative to WorkDir; "." at the
// top and in a bare repository.
func (r *Repository) Prefix() string { return r.prefix }

// InfoExclude returns the repository's own ignore rules (info/exclude), or nil.
func (r *Repository) InfoExclude() []byte {
	b, err := readFile(r.commonFile("info", "exclude"), maxLines)
	if err != nil {
		return nil
	}
	return b
}

// commonFile returns the path of a file in the folder shared by all worktrees.
func (r *Repository) commonFile(elem ...string) string {
	return filepath.Join(append([]string{r.common}, elem...)...)
}

// option returns a value of the repository's configuration, "" if unset.
func (r *Repository) option(section, key string) string { return option(r.config, section, key) }

func option(cfg *config.Config, section, key string) string {
	opts := cfg.Raw.Section(section).Options
	for i := len(opts) - 1; i >= 0; i-- {
		if strings.EqualFold(opts[i].Key, key) {
			return opts[i].Value
		}
	}
	return ""
}

// isTrue reads a boolean as git does.
func isTrue(v string) bool {
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// lock makes go-git ours until the returned function is called, and turns its
// panics into errors: objects, index and references come from others.
func (r *Repository) lock(err *error) func() {
	r.mu.Lock()
	return func() {
		r.mu.Unlock()
		if p := recover(); p != nil {
			*err = fmt.Errorf("reading the repository: damaged data: %v", p)
		}
	}
}

func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("reading the repository: damaged data: %v", p)
	}
}

// readFile returns a file of git's own, which may have limit bytes.
func readFile(name string, limit int64) ([]byte, error) { return tree.ReadRegular(name, limit) }
