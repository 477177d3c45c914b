//go:build linux

// Same runs two builds of Haversack on the same repositories and compares everything that they leave: after a change that
// must not change what the program does, it says whether that is so.
//
//	go run ./bench/same [-keep DIR] [-only SUBSTRING] [-j N] OLD NEW [NAME=CLONE ...]
//
// OLD and NEW are programs, built alike. Each CLONE is a git repository, with a worktree or bare; it is only read, and needs
// four commits. Two further repositories are made here: "own" has one of everything that Haversack treats in its own way, and
// in "late" files that only a selection brings in hold credentials besides.
//
// What runs:
//
//	matrix     mode full, context, meta × secrets redact, exclude × base none, auto, HEAD~3, saved, session, in a worktree,
//	           and from a bare repository where the base is not something that an earlier run left
//	beside it  secrets: fail, packs, limits, verbs, flags, faulty files, events of a workflow
//
// One of these is a cell: a few runs of the program, with changes of the repository between them. In each cell either program
// gets a fresh copy of the repository at the same path, with a home, a cache and temporary folders of its own. Then these must be
// equal: exit codes, what was printed, and names, modes and bytes of all files below the copy and the folders, but .git. Not
// compared are the timings of record.json and what is random: the runs' ids, the delimiters of outputs, the bytes of a session's
// database. In a workflow's cells the server is an address where nobody answers.
//
// Printed are the counts and each difference once, with the cells that have it. The exit code is 1 if anything differs and 2 if
// the comparison itself failed. With -keep, both sides of each cell that differs stay in DIR. Everything else happens below TMPDIR
// and is removed; many files are made and removed there, so that in memory (TMPDIR=/dev/shm) it takes half of the time.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.keep, "keep", "", "folder in which both sides of each cell that differs are kept")
	flag.StringVar(&o.only, "only", "", "run only the cells whose name holds this")
	flag.IntVar(&o.workers, "j", 2, "how many cells run at once")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Runs two builds of Haversack on the same repositories and compares all that they leave.\n\n"+
			"  same [flags] OLD NEW [NAME=CLONE ...]\n\nOLD and NEW are programs, CLONE is a git repository. Flags:")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() < 2 || o.workers < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	equal, err := o.run(ctx, flag.Arg(0), flag.Arg(1), flag.Args()[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "same:", err)
		os.Exit(2)
	}
	if !equal {
		os.Exit(1)
	}
}

type options struct {
	keep, only string
	workers    int
}

// result is what came out of one cell.
type result struct {
	packed bool // by both
	diffs  []difference
}

func (o *options) run(ctx context.Context, old, new string, clones []string) (equal bool, err error) {
	began := time.Now()
	for _, program := range []*string{&old, &new} {
		if *program, err = exec.LookPath(*program); err == nil {
			*program, err = filepath.Abs(*program)
		}
		if err != nil {
			return false, err
		}
	}
	if o.keep != "" {
		if o.keep, err = filepath.Abs(o.keep); err == nil {
			err = os.MkdirAll(o.keep, 0o755)
		}
		if err != nil {
			return false, err
		}
	}
	work, err := os.MkdirTemp(o.keep, "haversack-same-") // where cells are kept, so that keeping one is a rename
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)

	repositories, err := prepare(ctx, work, clones)
	if err != nil {
		return false, err
	}
	var all []cell
	for _, r := range repositories {
		for _, c := range cells(r) {
			if strings.Contains(c.name, o.only) {
				all = append(all, c)
			}
		}
	}
	if len(all) == 0 {
		return false, fmt.Errorf("no cell's name holds %q", o.only)
	}
	results, err := o.runAll(ctx, work, all, old, new)
	if err != nil {
		return false, err
	}
	equal = report(os.Stdout, all, results)
	fmt.Fprintf(os.Stderr, "same: took %s\n", time.Since(began).Round(time.Second))
	return equal, nil
}

// runAll runs the cells, as many at once as asked for, and stops at the first that cannot be run.
func (o *options) runAll(ctx context.Context, work string, all []cell, old, new string) ([]result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]result, len(all))
	var started, done, differ atomic.Int64
	var workers sync.WaitGroup
	for n := range o.workers {
		workers.Go(func() {
			p := place{dir: filepath.Join(work, fmt.Sprintf("worker-%d", n)), keep: o.keep}
			for i := started.Add(1) - 1; i < int64(len(all)) && ctx.Err() == nil; i = started.Add(1) - 1 {
				r, err := p.compare(ctx, all[i], old, new)
				if err != nil {
					cancel(fmt.Errorf("cell %s: %w", all[i].name, err))
					return
				}
				if results[i] = r; len(r.diffs) > 0 {
					differ.Add(1)
				}
				if n := done.Add(1); n%25 == 0 || n == int64(len(all)) {
					fmt.Fprintf(os.Stderr, "same: %d of %d cells, %d differ\n", n, len(all), differ.Load())
				}
			}
		})
	}
	workers.Wait()
	return results, context.Cause(ctx)
}

// fleeting is what makes equal differences look unlike: sums and numbers.
var fleeting = regexp.MustCompile(`[0-9a-f]{12,}|[0-9]{2,}`)

// report prints the counts and the differences, and tells whether there are none.
func report(w io.Writer, all []cell, results []result) bool {
	type group struct {
		difference
		cells []string
	}
	groups := map[string]*group{}
	idle := map[string]int{} // cells that one or both did not pack, over all repositories
	packed, equal := 0, 0
	for i, r := range results {
		if r.packed {
			packed++
		} else {
			_, name, _ := strings.Cut(all[i].name, "/")
			idle[name]++
		}
		if len(r.diffs) == 0 {
			equal++
		}
		for _, d := range r.diffs {
			key := fleeting.ReplaceAllString(strings.Join([]string{d.file, d.old, d.new}, "\x00"), "#")
			if groups[key] == nil {
				groups[key] = &group{difference: d}
			}
			if !slices.Contains(groups[key].cells, all[i].name) { // two files of a cell may differ alike
				groups[key].cells = append(groups[key].cells, all[i].name)
			}
		}
	}
	fmt.Fprintf(w, "cells run       %5d\npacked by both  %5d\nequal           %5d\n", len(all), packed, equal)
	if len(idle) > 0 {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(idle)) {
			names = append(names, fmt.Sprintf("%s (%d)", name, idle[name]))
		}
		fmt.Fprintf(w, "\nNot packed by both: %s.\n", strings.Join(names, ", "))
	}
	if len(groups) == 0 {
		return true
	}
	fmt.Fprintf(w, "\nDifferences: %d, in %d cells.\n", len(groups), len(all)-equal)
	sorted := slices.SortedFunc(maps.Values(groups), func(a, b *group) int {
		return cmp.Or(len(b.cells)-len(a.cells), strings.Compare(a.file, b.file), strings.Compare(a.where, b.where), strings.Compare(a.old, b.old))
	})
	for _, g := range sorted {
		names, more := g.cells, ""
		if len(names) > 4 {
			names, more = names[:4], ", …"
		}
		fmt.Fprintf(w, "\n%s: %s\n    old  %s\n    new  %s\n    in %d: %s%s\n", g.file, g.where, g.old, g.new, len(g.cells), strings.Join(names, ", "), more)
	}
	return false
}

// prepare makes the repositories: the one of its own, and copies of the clones.
func prepare(ctx context.Context, work string, clones []string) ([]*repository, error) {
	var list []*repository
	for _, name := range []string{"own", "late"} {
		r := &repository{name: name, worktree: filepath.Join(work, name)}
		if err := makeOwn(ctx, r.worktree, name == "late"); err != nil {
			return nil, fmt.Errorf("making the repository %s: %w", name, err)
		}
		list = append(list, r)
	}
	for _, c := range clones {
		name, from, ok := strings.Cut(c, "=")
		if !ok || name == "" || strings.ContainsAny(name, "/.") || slices.ContainsFunc(list, func(r *repository) bool { return r.name == name }) {
			return nil, fmt.Errorf("%q: want NAME=CLONE, each name once and a plain word", c)
		}
		r := &repository{name: name, worktree: filepath.Join(work, name)}
		list = append(list, r)
		from, err := filepath.Abs(from)
		if err == nil {
			_, err = git(ctx, work, "clone", "--quiet", "--template=", from, r.worktree)
		}
		if err == nil {
			_, err = git(ctx, r.worktree, "remote", "remove", "origin") // nothing is fetched
		}
		if err != nil {
			return nil, fmt.Errorf("repository %s: %w", name, err)
		}
	}
	for _, r := range list {
		fmt.Fprintf(os.Stderr, "same: preparing %s\n", r.name)
		if err := r.describe(ctx); err != nil {
			return nil, fmt.Errorf("repository %s: %w", r.name, err)
		}
	}
	return list, nil
}

// git runs git where nobody's configuration counts, and dates and names are fixed. It returns what git prints, without the
// last line's end.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	const date = "2026-01-02T03:04:05Z"
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "safe.directory=*", "-c", "gc.auto=0", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "TZ=UTC", "LC_ALL=C", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
