package repo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// maxIncludes is how many files a user's configuration may include, one in another.
const maxIncludes = 10

// UserExcludes returns the rules that the user has told git to ignore files by in all
// repositories: core.excludesFile, or git/ignore in the folder of configurations. They
// are outside of the repository, but the user's own, and are for a desk alone: in a
// workflow they would be a runner's. A file that the repository's configuration names is
// read inside of the worktree only. warning says what could not be read.
func (r *Repository) UserExcludes(getenv func(string) string) (rules []byte, warning string) {
	name := ""
	for _, file := range userConfigs(getenv) {
		if v := excludesFile(file, getenv, 0); v != "" {
			name = v
		}
	}
	if own := r.option("core", "excludesfile"); own != "" {
		name = own
		if filepath.IsAbs(own) || strings.HasPrefix(own, "~") {
			rel, err := filepath.Rel(r.work, own)
			if err != nil || !filepath.IsLocal(rel) {
				return nil, "core.excludesFile of the repository's own configuration leads out of it and is not read: what it would ignore may be packed; set it for yourself (git config --global), or use .git/info/exclude"
			}
			name = rel
		}
	}
	var b []byte
	var err error
	switch {
	case name == "":
		if dir := configDir(getenv); dir != "" {
			b, err = tree.ReadRegular(filepath.Join(dir, "ignore"), maxLines)
		}
	case filepath.IsAbs(name):
		b, err = tree.ReadRegular(name, maxLines)
	default:
		b, err = readInside(r.work, name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, tree.ErrNotRegular) {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err // where it lies is the machine's affair
		}
		return nil, fmt.Sprintf("reading core.excludesFile: %v; what it would ignore may be packed", err)
	}
	return b, ""
}

func readInside(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return tree.ReadIn(root, name, maxLines)
}

// configDir is the folder of the user's configurations of git.
func configDir(getenv func(string) string) string {
	if dir := getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git")
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".config", "git")
	}
	return ""
}

// userConfigs are the configurations that stand for all repositories, the weakest first.
func userConfigs(getenv func(string) string) (files []string) {
	if !isTrue(getenv("GIT_CONFIG_NOSYSTEM")) {
		system := getenv("GIT_CONFIG_SYSTEM")
		if system == "" {
			system = "/etc/gitconfig"
		}
		files = append(files, system)
	}
	if global := getenv("GIT_CONFIG_GLOBAL"); global != "" {
		return append(files, global)
	}
	if dir := configDir(getenv); dir != "" {
		files = append(files, filepath.Join(dir, "config"))
	}
	if home := getenv("HOME"); home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}

// excludesFile is core.excludesFile in one configuration, or in what that includes
// without a condition.
func excludesFile(file string, getenv func(string) string, depth int) string {
	b, err := readFile(file, maxConfig)
	if err != nil {
		return ""
	}
	cfg, err := parseConfig(b)
	if err != nil {
		return ""
	}
	name := ""
	for _, o := range cfg.Raw.Section("include").Options {
		if strings.EqualFold(o.Key, "path") && depth < maxIncludes {
			path := atHome(o.Value, getenv)
			if !filepath.IsAbs(path) {
				path = filepath.Join(filepath.Dir(file), path)
			}
			if v := excludesFile(path, getenv, depth+1); v != "" {
				name = v
			}
		}
	}
	if v := option(cfg, "core", "excludesfile"); v != "" {
		name = atHome(v, getenv)
	}
	return name
}

// atHome puts the user's home in the place of "~".
func atHome(name string, getenv func(string) string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && getenv("HOME") != "" {
		return filepath.Join(getenv("HOME"), rest)
	}
	return name
}

// FoldsCase reports whether git takes names that differ in case alone for the same
// (core.ignorecase).
func (r *Repository) FoldsCase() bool { return isTrue(r.option("core", "ignorecase")) }

// Hides reports whether git is told not to look at the file in the worktree. Under a
// sparse checkout a file that is there is looked at, unless it is said that it may be.
func (r *Repository) Hides(t TrackedPath) bool {
	sparse := isTrue(r.option("core", "sparsecheckout")) && !isTrue(r.option("sparse", "expectfilesoutsideofpatterns"))
	return t.AssumeUnchanged || t.SkipWorktree && !sparse
}

// InProgress says what git has begun in this worktree and not ended, "" if nothing.
func (r *Repository) InProgress() string {
	for _, op := range []struct{ file, what string }{
		{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase"}, {"MERGE_HEAD", "a merge"},
		{"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"},
	} {
		if _, err := os.Lstat(filepath.Join(r.gitDir, op.file)); err == nil {
			return op.what
		}
	}
	return ""
}

// IndexTree returns a root that holds files as the index has them. Only single files can
// be asked for.
func (r *Repository) IndexTree(files []TrackedPath) *tree.Root {
	s := &fileSource{repo: r, files: make(map[string]entry, len(files))}
	for _, t := range files {
		s.files[t.Path] = entry{name: t.Path, mode: t.Mode, id: plumbing.NewHash(t.ID)}
	}
	return tree.New(s)
}

// fileSource is a Source of single files.
type fileSource struct {
	repo  *Repository
	files map[string]entry
}

func (s *fileSource) at(op, name string) (*source, entry, error) {
	e, ok := s.files[name]
	if !ok {
		return nil, e, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return &source{repo: s.repo}, e, nil
}

func (s *fileSource) Close() error { return nil }

func (s *fileSource) List(name string) ([]tree.Entry, error) {
	return nil, &fs.PathError{Op: "list", Path: name, Err: fs.ErrNotExist}
}

func (s *fileSource) Lstat(name string) (in tree.Info, err error) {
	src, e, err := s.at("lstat", name)
	if err != nil {
		return in, err
	}
	defer s.repo.lock(&err)()
	return src.info("lstat", name, e)
}

func (s *fileSource) Open(name string) (rc io.ReadCloser, in tree.Info, err error) {
	src, e, err := s.at("open", name)
	if err != nil {
		return nil, in, err
	}
	defer s.repo.lock(&err)()
	return src.open(name, e)
}

func (s *fileSource) Readlink(name string) (target string, err error) {
	src, e, err := s.at("readlink", name)
	if err != nil {
		return "", err
	}
	defer s.repo.lock(&err)()
	return src.readlink(name, e)
}
