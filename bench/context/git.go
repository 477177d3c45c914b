package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/bench/gitclone"
	"github.com/haversack-dev/haversack/internal/tree"
)

// clone is a repository as git has it. Objects that are made for the measurement go to a folder beside it: the clone is only read.
type clone struct{ *gitclone.Clone }

// open opens the clone in dir by a repository of our own in work, which borrows its objects.
func open(ctx context.Context, dir, work string) (*clone, error) {
	common, err := gitclone.Git(ctx, dir, nil, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return nil, err
	}
	own := filepath.Join(work, "borrowed", strings.NewReplacer("/", "_", ":", "_").Replace(strings.Trim(dir, "/")))
	if _, err := os.Stat(filepath.Join(own, "HEAD")); err != nil {
		if err := os.MkdirAll(own, 0o755); err != nil {
			return nil, err
		}
		if out, err := exec.CommandContext(ctx, "git", "init", "-q", "--bare", own).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git init: %w\n%s", err, out)
		}
		alternates := filepath.Join(strings.TrimSpace(string(common)), "objects") + "\n"
		if err := os.WriteFile(filepath.Join(own, "objects", "info", "alternates"), []byte(alternates), 0o644); err != nil {
			return nil, err
		}
	}
	head, err := gitclone.Git(ctx, dir, nil, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	if _, err := gitclone.Git(ctx, own, nil, "update-ref", "--no-deref", "HEAD", strings.TrimSpace(string(head))); err != nil {
		return nil, err
	}
	c, err := gitclone.Open(ctx, own)
	if err != nil {
		return nil, err
	}
	return &clone{c}, nil
}

// file is one file of a commit's tree.
type file struct {
	path, mode, id string
	size           int64
}

// files lists a commit's files by path.
func (c *clone) files(ctx context.Context, commit string, paths ...string) (map[string]file, error) {
	out, err := c.Git(ctx, nil, append([]string{"ls-tree", "-r", "-l", "-z", commit, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	list := map[string]file{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		meta, name, ok := strings.Cut(line, "\t")
		f := strings.Fields(meta)
		if !ok || len(f) != 4 || f[1] != "blob" {
			continue
		}
		size, _ := strconv.ParseInt(f[3], 10, 64)
		list[name] = file{name, f[0], f[2], size}
	}
	return list, nil
}

// patches returns the patch of each file between two commits.
func (c *clone) patches(ctx context.Context, from, to string, paths []string, around int) (map[string][]byte, error) {
	out, err := c.Git(ctx, nil, append([]string{"diff", fmt.Sprintf("-U%d", around), "--no-renames", "--no-color", "--no-ext-diff", from, to, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	list := map[string][]byte{}
	for len(out) > 0 {
		next := bytes.Index(out[1:], []byte("\ndiff --git "))
		part := out
		if next >= 0 {
			part, out = out[:next+2], out[next+2:]
		} else {
			out = nil
		}
		line, _, _ := bytes.Cut(part, []byte{'\n'})
		// "diff --git a/P b/P": both names are equal, renames being off.
		names := strings.TrimPrefix(string(line), "diff --git ")
		if half := len(names) / 2; half > 2 && names[:half][1:] == names[half+1:][1:] {
			list[names[2:half]] = part
		}
	}
	return list, nil
}

// commits makes the two commits of a case: the parent's tree, and on it the
// shown files as the commit has them.
func (c *clone) commits(ctx context.Context, parent string, shown map[string]file, index string) (string, string, error) {
	defer os.Remove(index)
	env := []string{"GIT_INDEX_FILE=" + index}
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=x", "GIT_"+who+"_EMAIL=x@x", "GIT_"+who+"_DATE=1700000000 +0000")
	}
	if _, err := c.Git(ctx, env, "read-tree", parent); err != nil {
		return "", "", err
	}
	commit := func(more ...string) (string, error) {
		t, err := c.Git(ctx, env, "write-tree", "--missing-ok") // a clone may lack its largest objects
		if err != nil {
			return "", err
		}
		out, err := c.Git(ctx, env, append([]string{"commit-tree", strings.TrimSpace(string(t)), "-m", "x"}, more...)...)
		return strings.TrimSpace(string(out)), err
	}
	base, err := commit()
	if err != nil {
		return "", "", err
	}
	for p, f := range shown {
		if _, err := c.Git(ctx, env, "update-index", "--add", "--cacheinfo", f.mode+","+f.id+","+p); err != nil {
			return "", "", err
		}
	}
	top, err := commit("-p", base)
	return base, top, err
}

// source reads a tree.Root from a list of files.
type source struct {
	c       *clone
	files   map[string]file
	folders map[string][]tree.Entry
}

func newSource(c *clone, files map[string]file) *source {
	s := &source{c, files, map[string][]tree.Entry{".": nil}}
	for p, f := range files {
		mode, _ := modeOf(f)
		s.add(p, tree.Entry{Name: path.Base(p), Mode: mode.Type(), ID: f.id})
	}
	for _, list := range s.folders {
		slices.SortFunc(list, func(a, b tree.Entry) int {
			if a.Less(b) {
				return -1
			}
			return 1
		})
	}
	return s
}

func (s *source) add(p string, e tree.Entry) {
	dir := path.Dir(p)
	_, known := s.folders[dir]
	s.folders[dir] = append(s.folders[dir], e)
	if !known {
		s.add(dir, tree.Entry{Name: path.Base(dir), Mode: fs.ModeDir})
	}
}

func modeOf(f file) (fs.FileMode, bool) {
	switch f.mode {
	case "120000":
		return fs.ModeSymlink | 0o777, false
	case "100755":
		return 0o755, true
	}
	return 0o644, true
}

func (s *source) Lstat(name string) (tree.Info, error) {
	if f, ok := s.files[name]; ok {
		mode, _ := modeOf(f)
		return tree.Info{Mode: mode, Size: f.size, ID: f.id}, nil
	}
	if _, ok := s.folders[name]; ok {
		return tree.Info{Mode: fs.ModeDir | 0o755}, nil
	}
	return tree.Info{}, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
}

func (s *source) List(name string) ([]tree.Entry, error) {
	if list, ok := s.folders[name]; ok {
		return list, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (s *source) Open(name string) (io.ReadCloser, tree.Info, error) {
	f, ok := s.files[name]
	if !ok {
		return nil, tree.Info{}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	b, err := s.c.Blob(f.id)
	if err != nil {
		return nil, tree.Info{}, err
	}
	mode, _ := modeOf(f)
	return io.NopCloser(bytes.NewReader(b)), tree.Info{Mode: mode, Size: f.size, ID: f.id}, nil
}

func (s *source) Readlink(name string) (string, error) {
	f, ok := s.files[name]
	if !ok || f.mode != "120000" {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: errors.New("no link")}
	}
	b, err := s.c.Blob(f.id)
	return string(b), err
}

func (s *source) Close() error { return nil }
