package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// byPeer asks another tool for its choice, in its own order where it has one.
func (t *trial) byPeer(ctx context.Context, way string) ([]string, error) {
	if way == "folders" {
		// repomix has no notion of a change: what its users do is to include the
		// changed folders. It packs by path.
		dirs := map[string]bool{}
		for _, p := range t.shown {
			dirs[path.Dir(p)] = true
		}
		var list []string
		for _, p := range t.candidates {
			for dir := path.Dir(p); ; dir = path.Dir(dir) {
				if dirs[dir] {
					list = append(list, p)
				}
				if dirs[dir] || dir == "." {
					break
				}
			}
		}
		return list, nil
	}
	// aider's map of the tree, the shown files being in the chat; files stand in it
	// in the order of their rank's best tags, by path in the text that it prints.
	dir, err := os.MkdirTemp("", "context")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for p, f := range t.head {
		if f.mode == "120000" || f.size > maxBytes {
			continue
		}
		b, err := t.repository.clone.Blob(f.id)
		if err != nil {
			return nil, err
		}
		name := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, b, 0o644); err != nil {
			return nil, err
		}
	}
	args := []string{"--show-repo-map", "--map-tokens", "16000", "--map-multiplier-no-files", "1", "--no-git", "--no-check-update", "--no-analytics", "--yes-always"}
	cmd := exec.CommandContext(ctx, "aider", append(args, t.shown...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running aider: %w", err)
	}
	var list []string
	for line := range strings.SplitSeq(string(out), "\n") {
		p := strings.TrimSuffix(strings.TrimSpace(line), ":")
		if _, ok := slices.BinarySearch(t.candidates, p); ok && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list, nil
}

// runBinary runs a build of the program as a user would, once for each budget. In
// outlined, files that stand in outline count as found.
func (t *trial) runBinary(ctx context.Context, o options) (list, outlined []score, err error) {
	work, err := os.MkdirTemp("", "context")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(work)
	shown := map[string]file{}
	for _, p := range t.shown {
		if f, ok := t.head[p]; ok {
			shown[p] = f
		}
	}
	c := t.repository.clone
	base, head, err := c.commits(ctx, t.Parent, shown, filepath.Join(work, "index"))
	if err != nil {
		return nil, nil, err
	}
	for _, budget := range o.budgets {
		out := filepath.Join(work, fmt.Sprint(budget))
		args := append([]string{"--path", c.Dir, "--ref", head, "--base", base, "--mode", "context", "--budget-tokens", fmt.Sprint(budget),
			"--pack", "none", "--output-dir", out}, o.extra...)
		start := time.Now()
		err := exec.CommandContext(ctx, o.binary, args...).Run()
		s := score{cases: 1, seconds: time.Since(start).Seconds()}
		more := 0.0
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			s.refused = 1
		case err != nil:
			return nil, nil, err
		default:
			ranks, err := readRanks(filepath.Join(out, "record.json"))
			if err != nil {
				return nil, nil, err
			}
			names, n, far, err := t.read(filepath.Join(out, "archive.tar"), ranks)
			if err != nil {
				return nil, nil, err
			}
			found, some := 0, 0
			for _, p := range t.want {
				if names[p] {
					found++
				}
				if names[p] || names[outlines+p] {
					some++
				}
			}
			s.recall, s.tokens, s.far = float64(found)/float64(len(t.want)), n, far
			more = float64(some) / float64(len(t.want))
			if n > budget {
				s.over = 1
			}
		}
		list = append(list, s)
		s.recall = more
		outlined = append(outlined, s)
	}
	return list, outlined, nil
}

// outlines is where an archive has the outlines of files.
const outlines = ".stan/context/outline/"

// readRanks reads the ranks of files from a record: 1 for those of the change.
func readRanks(name string) (map[string]int, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var record struct {
		Files []struct {
			Path string
			Rank int
			Why  []string
		}
	}
	if err := json.Unmarshal(b, &record); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	ranks := map[string]int{".stan/context/change.patch": 1}
	for _, f := range record.Files {
		ranks[f.Path] = f.Rank
		if slices.Contains(f.Why, "changed") {
			ranks[f.Path] = 1
		}
	}
	return ranks, nil
}

// read lists an archive's members and counts the tokens of all of them, and of those
// that are not of the first 100 in the order.
func (t *trial) read(name string, ranks map[string]int) (names map[string]bool, total, far int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, 0, err
	}
	defer f.Close()
	names = map[string]bool{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			return names, total, far, nil
		}
		if err != nil {
			return nil, 0, 0, err
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			return nil, 0, 0, err
		}
		names[h.Name] = true
		n := t.counts.text(b.Bytes())
		total += n
		if rank := ranks[strings.TrimPrefix(h.Name, outlines)]; rank == 0 || rank > 100 {
			far += n
		}
	}
}
