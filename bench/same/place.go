//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// longest is how long one run may take. One that takes longer is ended, which its exit code then says.
const longest = 5 * time.Minute

// place is where one worker runs its cells: the folder "here" in dir, which after a run moves to "old" or "new".
type place struct{ dir, keep string }

// compare runs both programs on a cell.
func (p place) compare(ctx context.Context, c cell, old, new string) (result, error) {
	sides := []string{filepath.Join(p.dir, "old"), filepath.Join(p.dir, "new")}
	for i, program := range []string{old, new} {
		if err := p.run(ctx, c, program); err != nil {
			return result{}, err
		}
		if err := os.RemoveAll(sides[i]); err != nil {
			return result{}, err
		}
		if err := os.Rename(filepath.Join(p.dir, "here"), sides[i]); err != nil {
			return result{}, err
		}
	}
	diffs, err := compareTrees(sides[0], sides[1])
	if err != nil {
		return result{}, err
	}
	r := result{packed: packed(sides[0]) && packed(sides[1]), diffs: diffs}
	if len(diffs) == 0 || p.keep == "" {
		return r, nil
	}
	to := filepath.Join(p.keep, strings.ReplaceAll(c.name, "/", "-"))
	for _, side := range sides {
		at := filepath.Join(to, filepath.Base(side))
		if err := errors.Join(os.MkdirAll(to, 0o755), os.RemoveAll(at), os.Rename(side, at)); err != nil {
			return r, err
		}
	}
	return r, nil
}

// packed reports whether a side has an archive.
func packed(side string) bool {
	found := false
	for _, dir := range []string{".stan/output", "results"} {
		for _, name := range []string{"archive.tar", "archive.tar.zst"} {
			_, err := os.Stat(filepath.Join(side, "repo", dir, name))
			found = found || err == nil
		}
	}
	return found
}

// run makes a fresh place and runs a cell's steps in it. Of each run what it printed and its exit code are put beside the
// repository, and what it left in .stan, when another one follows.
func (p place) run(ctx context.Context, c cell, program string) error {
	here := filepath.Join(p.dir, "here")
	if err := os.RemoveAll(here); err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(here, name) }
	for _, name := range []string{"home", "cache", "tmp", "runner", "printed"} {
		if err := os.MkdirAll(in(name), 0o755); err != nil {
			return err
		}
	}
	from, objects := c.repo.worktree, ".git/objects/"
	if c.bare {
		from, objects = c.repo.bare, "objects/"
	}
	if err := copyTree(from, in("repo"), objects); err != nil {
		return err
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "TZ=UTC", "HOME=" + in("home"), "XDG_CACHE_HOME=" + in("cache"), "TMPDIR=" + in("tmp")}
	if e := c.event; e != nil {
		if err := os.WriteFile(in("event.json"), []byte(e.payload), 0o644); err != nil {
			return err
		}
		const nobody = "http://127.0.0.1:1"
		env = append(env, "GITHUB_ACTIONS=true", "RUNNER_TEMP="+in("runner"), "GITHUB_WORKSPACE="+in("repo"), "GITHUB_REPOSITORY=owner/name", "GITHUB_REPOSITORY_ID=1",
			"GITHUB_SERVER_URL="+nobody, "GITHUB_API_URL="+nobody, "GITHUB_RUN_ID=7", "GITHUB_RUN_ATTEMPT=1", "GITHUB_JOB=pack", "GITHUB_TOKEN="+jobToken,
			"GITHUB_EVENT_NAME="+e.name, "GITHUB_EVENT_PATH="+in("event.json"), "GITHUB_REF="+e.ref, "GITHUB_REF_NAME="+e.ref[strings.LastIndex(e.ref, "/")+1:],
			"GITHUB_SHA="+c.repo.commits[0], "GITHUB_OUTPUT="+in("printed/output"), "GITHUB_STEP_SUMMARY="+in("printed/summary"))
	}
	for i, s := range c.steps {
		if s.change != nil {
			if err := s.change(ctx, in("repo")); err != nil {
				return fmt.Errorf("changing the repository: %w", err)
			}
			continue
		}
		printed := in(fmt.Sprintf("printed/%d", i+1))
		if err := execute(ctx, in("repo"), env, printed, program, s.args); err != nil {
			return err
		}
		if i == len(c.steps)-1 {
			break
		}
		if err := copyTree(in("repo/.stan"), printed+".stan", ""); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// execute runs a program. That it fails is a result, not an error.
func execute(ctx context.Context, dir string, env []string, printed, program string, args []string) error {
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	stdout, err := os.Create(printed + ".stdout")
	if err != nil {
		return err
	}
	defer stdout.Close()
	stderr, err := os.Create(printed + ".stderr")
	if err != nil {
		return err
	}
	defer stderr.Close()
	cmd := exec.CommandContext(limited, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, stdout, stderr
	var exit *exec.ExitError
	if err := cmd.Run(); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil && !errors.As(err, &exit) {
		return err
	}
	return os.WriteFile(printed+".exit", []byte(cmd.ProcessState.String()+"\n"), 0o644)
}

// copyTree copies files, links and folders with their modes and times, by which git knows what is unchanged. Files whose path
// begins with linked, which nobody writes to, become further names of the same file.
func copyTree(from, to, linked string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, fi.Mode().Perm())
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(name)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case linked != "" && strings.HasPrefix(rel, linked):
			return os.Link(name, target)
		case d.Type().IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(target, data, fi.Mode().Perm()); err != nil {
				return err
			}
			return os.Chtimes(target, fi.ModTime(), fi.ModTime())
		}
		return fmt.Errorf("copying %s: neither file, folder nor link", name)
	})
}
