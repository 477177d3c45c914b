//go:build linux

// Bench runs Haversack beside the tools that people use instead, on the same trees, in one run.
//
//	go run ./bench [-rounds 5] [-slow 1] [-dir FOLDER] [TREE...]
//
// The first tree is always the k8s.io/kubernetes v1.34.0 module, as the Go proxy serves it (8,370 files, 92 MB); further ones
// are folders, such as clones of vite and got. Each tree is copied and committed as one commit first, so that all tools meet
// the same. The peers are installed into -dir: repomix 1.18.1 by npm, gitleaks 8.30.1 by go install; sh, tar and cat are there.
//
// What runs:
//
//	haversack    the whole run with defaults: archives, diff, record, packs; its cache is empty each time
//	tar          tar cf - . | cat, the least that reading and writing every byte costs
//	repomix      its defaults (secret check included), REPOMIX_TOKEN_CACHE=0: as on a fresh machine
//	gitleaks     gitleaks dir, its defaults: the secret scan alone
//
// One round runs each tool once on each tree, in an order that turns by one from round to round, after a round that does not
// count and brings every file into the page cache. Seconds depend on the machine; of ratios, which are taken inside each round, the
// median is given. Peak is the largest process of a tool, as the kernel saw it; below 20 MiB it says nothing. A tool that takes
// minutes (gitleaks) runs in the first -slow rounds only.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	repomix    = "repomix@1.18.1"
	gitleaks   = "github.com/zricethezav/gitleaks/v8@v8.30.1"
	kubernetes = "k8s.io/kubernetes@v1.34.0"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each tool runs on each tree")
	slow := flag.Int("slow", 1, "how often a slow tool runs; 0 = never")
	dir := flag.String("dir", filepath.Join(os.TempDir(), "haversack-bench"), "where trees and peers are kept between runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *dir, *rounds, *slow, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, rounds, slow int, folders []string) error {
	if rounds < 1 {
		return errors.New("-rounds must be 1 or more")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "trees"), 0o755); err != nil {
		return err
	}
	tools, err := install(ctx, dir)
	if err != nil {
		return err
	}
	trees, err := trees(ctx, dir, folders)
	if err != nil {
		return err
	}
	for _, tree := range trees {
		var all [][]measure // by round, then tool
		for round := -1; round < rounds; round++ {
			row := make([]measure, len(tools))
			for i := range tools {
				at := (i + max(round, 0)) % len(tools)
				tool := tools[at]
				if tool.slow && (round < 0 || round >= slow) {
					continue
				}
				m, err := tool.measure(ctx, tree, dir)
				if err != nil {
					return fmt.Errorf("running %s on %s: %w", tool.name, filepath.Base(tree), err)
				}
				row[at] = m
			}
			if round >= 0 {
				all = append(all, row)
			}
		}
		if err := report(tree, tools, all); err != nil {
			return err
		}
	}
	return nil
}

// tool is one way to do the work, or a part of it.
type tool struct {
	name string
	args []string
	env  []string
	slow bool
}

// install builds Haversack and fetches the peers, unless an earlier run did.
func install(ctx context.Context, dir string) ([]tool, error) {
	bin := filepath.Join(dir, "bin")
	env := []string{"GOBIN=" + bin, "CGO_ENABLED=0"}
	ours := filepath.Join(bin, "haversack")
	if err := quietly(ctx, "", env, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", ours, "./cmd/action"); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(bin, "gitleaks")); err != nil {
		if err := quietly(ctx, dir, env, "go", "install", gitleaks); err != nil {
			return nil, err
		}
	}
	peer := filepath.Join(dir, "node_modules", ".bin", "repomix")
	if _, err := os.Stat(peer); err != nil {
		if err := quietly(ctx, dir, nil, "npm", "install", "--no-audit", "--no-fund", "--prefix", dir, repomix); err != nil {
			return nil, err
		}
	}
	out := filepath.Join(dir, "out")
	return []tool{
		{name: "haversack", args: []string{ours}, env: []string{"XDG_CACHE_HOME=" + filepath.Join(out, "cache")}},
		{name: "tar", args: []string{"sh", "-c", "tar cf - . | cat >/dev/null"}},
		{name: "repomix", args: []string{peer, "--quiet", "--output", filepath.Join(out, "repomix.xml")},
			env: []string{"REPOMIX_TOKEN_CACHE=0", "TMPDIR=" + out}},
		{name: "gitleaks", args: []string{filepath.Join(bin, "gitleaks"), "dir", "--no-banner", "--log-level=error", "--exit-code=0", "."}, slow: true},
	}, nil
}

// trees lists the folders to run on, each a repository with one commit.
func trees(ctx context.Context, dir string, folders []string) ([]string, error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", kubernetes)
	download.Dir = dir
	listing, err := download.Output()
	if err != nil {
		return nil, fmt.Errorf("downloading %s: %w\n%s", kubernetes, err, listing)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(listing, &module); err != nil {
		return nil, fmt.Errorf("downloading %s: %w", kubernetes, err)
	}
	var all []string
	for _, from := range append([]string{module.Dir}, folders...) {
		name, _, _ := strings.Cut(filepath.Base(filepath.Clean(from)), "@")
		to := filepath.Join(dir, "trees", name)
		all = append(all, to)
		if _, err := os.Stat(filepath.Join(to, ".git", "HEAD")); err == nil {
			continue
		}
		if err := os.RemoveAll(to); err != nil {
			return nil, err
		}
		if err := copyTree(from, to); err != nil {
			return nil, fmt.Errorf("copying %s: %w", from, err)
		}
		env := []string{"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z"}
		for _, args := range [][]string{
			{"init", "--quiet", "--initial-branch=main"},
			{"add", "--all", "--force"},
			{"-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "one"},
		} {
			if err := quietly(ctx, to, env, "git", args...); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// copyTree copies files and links, but no .git; the module cache's files are read-only, the copies are not.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(name)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case d.Type().IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(target, data, 0o644)
		}
		return nil
	})
}

// measure is what one run of a tool took; the zero value is a run that was not made.
type measure struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

func (t tool) measure(ctx context.Context, tree, dir string) (measure, error) {
	out := filepath.Join(dir, "out")
	for _, name := range []string{out, filepath.Join(tree, ".stan")} {
		if err := os.RemoveAll(name); err != nil {
			return measure{}, err
		}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return measure{}, err
	}
	var printed bytes.Buffer
	cmd := exec.CommandContext(ctx, t.args[0], t.args[1:]...)
	cmd.Dir, cmd.Stderr = tree, &printed
	cmd.Env = append(os.Environ(), t.env...)
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil {
		return measure{}, fmt.Errorf("%w\n%s", err, printed.Bytes())
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return measure{}, errors.New("the system does not tell what a process used")
	}
	if err := os.RemoveAll(filepath.Join(tree, ".stan")); err != nil {
		return measure{}, err
	}
	return measure{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Maxrss << 10}, nil
}

// report prints a table: per tool medians, and how many times of Haversack's it takes.
func report(tree string, tools []tool, rounds [][]measure) error {
	files, size := 0, int64(0)
	err := filepath.WalkDir(tree, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			files++
			size += info.Size()
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("\n%s: %d files, %.1f MB, %d rounds\n\n", filepath.Base(tree), files, float64(size)/1e6, len(rounds))
	fmt.Println("| tool | runs | wall s (min) | CPU s | peak MiB | wall / haversack | CPU / haversack | peak / haversack |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for i, tool := range tools {
		var wall, cpu, peak, wallRatio, cpuRatio, peakRatio []float64
		for _, round := range rounds {
			m, ours := round[i], round[0]
			if m.wall == 0 {
				continue
			}
			wall, cpu, peak = append(wall, m.wall.Seconds()), append(cpu, m.cpu.Seconds()), append(peak, float64(m.peak)/(1<<20))
			wallRatio = append(wallRatio, m.wall.Seconds()/ours.wall.Seconds())
			cpuRatio = append(cpuRatio, m.cpu.Seconds()/ours.cpu.Seconds())
			peakRatio = append(peakRatio, float64(m.peak)/float64(ours.peak))
		}
		if len(wall) == 0 {
			continue
		}
		fmt.Printf("| %s | %d | %.3f (%.3f) | %.3f | %.0f | %.3f | %.3f | %.3f |\n", tool.name, len(wall),
			median(wall), slices.Min(wall), median(cpu), median(peak), median(wallRatio), median(cpuRatio), median(peakRatio))
	}
	return nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func quietly(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("running %s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
