//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// rounds is how often what starts a process, or edits a file, is timed.
const rounds = 5

// few are the mixed calls that are timed; those that follow are for the memory alone.
const few = 200

// inWords are questions that are ranked.
var inWords = []string{"where is the configuration read?", "how are errors told to the user", "parse the options of the command line", "what is kept for later calls"}

// material is what calls ask about: names and files of a repository.
type material struct{ names, files []string }

// measure times a server on a repository.
func measure(ctx context.Context, program, dir string, calls int) error {
	graph, err := timed(ctx, program, dir, "graph")
	if err != nil {
		return err
	}
	selects, err := timed(ctx, program, dir, "select")
	if err != nil {
		return err
	}
	m, err := draw(ctx, program, dir)
	if err != nil {
		return err
	}
	first, err := firsts(ctx, program, dir)
	if err != nil {
		return err
	}
	fmt.Printf("graph %s, select %s, first answer %s (%.2f × graph)\n", ms(graph), ms(selects), ms(first), float64(first)/float64(graph))
	s, err := start(ctx, program, dir)
	if err != nil {
		return err
	}
	defer s.close()
	took, by, err := s.mixed(ctx, m, few)
	if err != nil {
		return err
	}
	_, early, err := s.memory()
	if err != nil {
		return err
	}
	if calls > few {
		if _, _, err := s.mixed(ctx, m, calls-few); err != nil {
			return err
		}
	}
	fmt.Printf("%d mixed calls: median %s (%.3f × select), 95 %% within %s, most %s\n", few, ms(middle(took)), float64(middle(took))/float64(selects), ms(took[len(took)*95/100]), ms(took[len(took)-1]))
	for _, name := range []string{"find", "in words", "read", "references", "importers", "map"} {
		if len(by[name]) > 0 {
			fmt.Printf("  %s: median %s of %d\n", name, ms(middle(by[name])), len(by[name]))
		}
	}
	if err := s.edits(ctx, dir, m); err != nil {
		return err
	}
	peak, now, err := s.memory()
	fmt.Printf("memory: %d MiB at most, %d MiB after %d calls, %d MiB at the end, after %d\n", peak>>10, early>>10, few, now>>10, max(few, calls))
	return err
}

// ms writes a time in milliseconds.
func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// middle is the median of times; it sorts them.
func middle(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// timed is the median time of a verb.
func timed(ctx context.Context, program, dir, verb string) (time.Duration, error) {
	var list []time.Duration
	for range rounds {
		cmd := exec.CommandContext(ctx, program, verb)
		cmd.Dir = dir
		at := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", verb, err, out)
		}
		list = append(list, time.Since(at))
	}
	return middle(list), nil
}

// firsts is the median time from a server's start to its first answer.
func firsts(ctx context.Context, program, dir string) (time.Duration, error) {
	var list []time.Duration
	for range rounds {
		at := time.Now()
		s, err := start(ctx, program, dir)
		if err != nil {
			return 0, err
		}
		_, _, err = s.call(ctx, "map", map[string]any{})
		list = append(list, time.Since(at))
		if err := errors.Join(err, s.close()); err != nil {
			return 0, err
		}
	}
	return middle(list), nil
}

// draw draws names and files by lot, the same each time.
func draw(ctx context.Context, program, dir string) (m material, err error) {
	cmd := exec.CommandContext(ctx, program, "graph", "--definitions", "--json")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return m, fmt.Errorf("graph --definitions: %w", err)
	}
	var rows []struct {
		Path, Name string
		Exported   bool
	}
	if err := json.Unmarshal(out, &rows); err != nil {
		return m, fmt.Errorf("graph --definitions: %w", err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for _, r := range rows {
		if !r.Exported || len(m.names) == 20 {
			continue
		}
		m.names = append(m.names, r.Name)
		if !slices.Contains(m.files, r.Path) {
			m.files = append(m.files, r.Path)
		}
	}
	if len(m.names) == 0 {
		return m, errors.New("the repository defines nothing that is known")
	}
	return m, nil
}

// mixed makes calls of all kinds in turn; the times are sorted.
func (s *server) mixed(ctx context.Context, m material, calls int) (all []time.Duration, by map[string][]time.Duration, err error) {
	by = map[string][]time.Duration{}
	for i := range calls {
		turn := i / 5
		name, file := m.names[turn%len(m.names)], m.files[turn%len(m.files)]
		what, tool, arguments := "find", "find", map[string]any{"query": name}
		switch i % 5 {
		case 1:
			what, tool, arguments = "read", "read", map[string]any{"path": file}
		case 2:
			what, tool, arguments = "references", "references", map[string]any{"of": name}
		case 3:
			what, tool, arguments = "map", "map", map[string]any{"depth": 2 + turn%2}
		case 4:
			what, tool, arguments = "importers", "references", map[string]any{"of": file}
			if turn%10 == 0 {
				what, tool, arguments = "in words", "find", map[string]any{"query": inWords[turn/10%len(inWords)]}
			}
		}
		at := time.Now()
		if _, _, err := s.call(ctx, tool, arguments); err != nil {
			return nil, nil, err
		}
		took := time.Since(at)
		all, by[what] = append(all, took), append(by[what], took)
	}
	slices.Sort(all)
	return all, by, nil
}

// edits times answers after one edited file.
func (s *server) edits(ctx context.Context, dir string, m material) error {
	for _, tool := range []string{"read", "find", "references"} {
		var list []time.Duration
		before, err := s.processor()
		if err != nil {
			return err
		}
		for i := range rounds {
			file := m.files[i%len(m.files)]
			arguments := map[string]map[string]any{"read": {"path": file}, "find": {"query": m.names[i]}, "references": {"of": m.names[i]}}[tool]
			took, err := s.edited(ctx, filepath.Join(dir, file), tool, arguments)
			if err != nil {
				return err
			}
			list = append(list, took)
		}
		after, err := s.processor()
		if err != nil {
			return err
		}
		fmt.Printf("after one edited file, %s: median %s, of the processor %s each\n", tool, ms(middle(list)), ms((after-before)/(2*rounds)))
	}
	return nil
}

// edited times a call after a line is appended to a file; the file is put back, and looked at again.
func (s *server) edited(ctx context.Context, name, tool string, arguments map[string]any) (took time.Duration, err error) {
	before, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(name, append(slices.Clone(before), '\n'), info.Mode().Perm()); err != nil {
		return 0, err
	}
	at := time.Now()
	_, _, err = s.call(ctx, tool, arguments)
	took = time.Since(at)
	if err := errors.Join(err, os.WriteFile(name, before, info.Mode().Perm())); err != nil {
		return 0, err
	}
	_, _, err = s.call(ctx, tool, arguments)
	return took, err
}

// processor is the time that the server's process took of processors.
func (s *server) processor() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	const user, system = 11, 12 // behind the name
	if len(words) <= system {
		return 0, fmt.Errorf("reading the times of the server: %q", text)
	}
	ticks := 0
	for _, at := range []int{user, system} {
		n, err := strconv.Atoi(words[at])
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil // of a hundredth of a second each, on Linux
}

// memory is what the server's process took at most, and takes now, in KiB.
func (s *server) memory() (peak, now int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "VmHWM:":
			peak, err = strconv.Atoi(words[1])
		case "VmRSS:":
			now, err = strconv.Atoi(words[1])
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return peak, now, nil
}
