package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/action"
	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// written is a document as it was written: its tokens, and which lines of each file stand in it.
type written struct {
	tokens, parts int
	lines         map[string][][2]int
	patched       map[string][][2]int // those that the patch shows
	texts         []string
}

var (
	sectionHead = regexp.MustCompile("^### (`+) ?(.*?) ?(`+)$")
	lineRange   = regexp.MustCompile(`^lines? (\d+)(?:–(\d+))?`)
	fenceBegin  = regexp.MustCompile("^(`{3,})[a-z0-9]*$")
	// fileHead begins a file of a patch, behind an empty line where its name stands behind --- alone.
	fileHead = regexp.MustCompile(`\n(?:diff --git |\n--- )`)
)

// readDocument reads context.md and its parts.
func readDocument(dir string, counter *tokens.Counter) (*written, error) {
	w := &written{lines: map[string][][2]int{}, patched: map[string][][2]int{}}
	for n := 0; ; n++ {
		b, err := os.ReadFile(filepath.Join(dir, brief.PartName("context.md", n)))
		if errors.Is(err, os.ErrNotExist) && n > 0 {
			return w, nil
		}
		if err != nil {
			return nil, err
		}
		w.parts++
		w.tokens += counter.Count(b)
		w.texts = append(w.texts, string(b))
		w.read(string(b))
	}
}

// read reads which lines of files a part holds: those that it says, or all where a fence follows a file's heading alone, and those
// that the patch shows.
func (w *written) read(text string) {
	name, stated, fence := "", [2]int{}, ""
	var patch *bytes.Buffer
	for line := range strings.SplitSeq(text, "\n") {
		if fence != "" {
			if line == fence {
				if fence = ""; patch != nil {
					w.readPatch(patch.Bytes())
				}
				patch = nil
			} else if patch != nil {
				patch.WriteString(line + "\n")
			}
			continue
		}
		if m := sectionHead.FindStringSubmatch(line); m != nil {
			name, stated = m[2], [2]int{1, 1 << 30}
		} else if strings.HasPrefix(line, "## ") {
			name = ""
		} else if m := lineRange.FindStringSubmatch(line); m != nil {
			stated[0], _ = strconv.Atoi(m[1])
			stated[1], _ = strconv.Atoi(cmp.Or(m[2], m[1]))
		} else if strings.HasPrefix(line, "what else it defines") {
			stated = [2]int{}
		} else if m := fenceBegin.FindStringSubmatch(line); m != nil {
			if fence = m[1]; name != "" && stated[1] > 0 {
				w.lines[name] = append(w.lines[name], stated)
			}
			if name == "" && line == fence+"diff" {
				patch = new(bytes.Buffer)
			}
		}
	}
}

// readPatch reads which lines of the head a patch of several files shows.
func (w *written) readPatch(patch []byte) {
	for _, one := range fileHead.Split("\n"+string(patch), -1) {
		head, hunks, _ := diff.Hunks([]byte(one))
		_, name, _ := strings.Cut("\n"+string(head), "\n+++ b/")
		name, _, _ = strings.Cut(name, "\n")
		for _, h := range hunks {
			if _, lines := h.Sides(); lines > 0 && name != "" {
				w.lines[name] = append(w.lines[name], [2]int{h.Cur, h.Cur + lines - 1})
				w.patched[name] = append(w.patched[name], [2]int{h.Cur, h.Cur + lines - 1})
			}
		}
	}
}

// of are the lines of a file that stand in the document.
func (w *written) of(name string) [][2]int { return w.lines[name] }

// level is how much of a file stands in the document. What stands there in outline alone is not told from what is not.
func (w *written) level(name string) brief.Level {
	switch lines := w.lines[name]; {
	case len(lines) == 0:
		return brief.Listed
	case len(lines) == 1 && lines[0] == [2]int{1, 1 << 30}:
		return brief.Whole
	}
	return brief.InBlocks
}

// holds reports whether the lines from and to of a file stand in the document.
func (w *written) holds(name string, from, to int) bool {
	for n := from; n <= to; n++ {
		if !slices.ContainsFunc(w.lines[name], func(r [2]int) bool { return r[0] <= n && n <= r[1] }) {
			return false
		}
	}
	return true
}

// touchedDefinition is a definition that a change touches: the innermost one of a touched line.
type touchedDefinition struct {
	path, name string
	from, to   int
	touched    int // the first line of it that the change touches
	tokens     int
}

// touchedDefinitions are those of a commit's files that people write.
func (c *clone) touchedDefinitions(ctx context.Context, base, head string, counter *tokens.Counter) ([]touchedDefinition, int, error) {
	status, err := c.Git(ctx, nil, "diff", "--no-renames", "--name-only", "-z", "--diff-filter=AM", base, head)
	if err != nil {
		return nil, 0, err
	}
	names := strings.FieldsFunc(string(status), func(c rune) bool { return c == 0 })
	patches, err := c.patches(ctx, base, head, names, 3)
	if err != nil {
		return nil, 0, err
	}
	var list []touchedDefinition
	patch := 0
	files, err := c.files(ctx, head, names...)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range names {
		patch += counter.Count(patches[p])
		_, ok := provider.For(p)
		f, there := files[p]
		if !ok || !there || f.size > maxBytes || language.IsNoise(p, patches[p]) {
			continue
		}
		text, err := c.Blob(f.id)
		if err != nil {
			continue // a clone may lack its largest objects
		}
		definitions, err := provider.Define(p, text)
		if err != nil || language.IsNoise(p, text) {
			continue
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		seen := map[[2]int]bool{}
		for _, n := range diff.Touched(patches[p]) {
			if n <= len(lines) {
				if bare := bytes.TrimSpace(lines[n-1]); len(bare) == 0 || brief.ImportsWithin(string(bare)) {
					continue // an empty line between two members changes nothing of what holds them, nor does an import at its head
				}
			}
			var inner *graph.Definition
			for i := range definitions {
				d := &definitions[i]
				if d.From <= n && n <= d.End && (inner == nil || d.End-d.From < inner.End-inner.From) {
					inner = d
				}
			}
			if inner == nil || seen[[2]int{inner.From, inner.End}] || inner.End > len(lines) {
				continue
			}
			seen[[2]int{inner.From, inner.End}] = true
			list = append(list, touchedDefinition{p, inner.Name, inner.From, inner.End, n, counter.Count(bytes.Join(lines[inner.From-1:inner.End], nil))})
		}
	}
	return list, patch, nil
}

// measureDocuments runs the program on the last commits of each clone, within each budget, and prints how many documents are over
// it, and which changed definitions are missing though they and the patch fit into half of it: of long ones what is near the touched lines.
func measureDocuments(ctx context.Context, o options, repositories []*repository, out io.Writer) error {
	counter := new(tokens.Counter)
	total, over, missing, fitting, far := 0, 0, 0, 0, 0
	var beyond beyondHalf
	for _, r := range repositories {
		history, err := readHistory(ctx, r.clone, 200)
		if err != nil {
			return err
		}
		history = history[:min(len(history), o.n)]
		var mu sync.Mutex
		spent := make([][]int, len(o.budgets))
		var cases []entry
		for _, c := range history {
			cases = append(cases, entry{Commit: c.id, Parent: c.parent})
		}
		err = inParallel(ctx, cases, func(ctx context.Context, e entry) error {
			definitions, patch, err := r.clone.touchedDefinitions(ctx, e.Parent, e.Commit, counter)
			if err != nil {
				return err
			}
			all := patch
			for _, d := range definitions {
				all += d.tokens
			}
			users, err := r.clone.usersOf(ctx, e.Commit, definitions)
			if err != nil {
				return err
			}
			for b, budget := range o.budgets {
				w, err := r.run(ctx, o, e, budget, counter)
				if err != nil {
					return fmt.Errorf("%s of %s: %w", e.Commit, r.name, err)
				}
				mu.Lock()
				total++
				spent[b] = append(spent[b], w.tokens)
				if w.tokens > budget {
					over++
					fmt.Fprintf(out, "over: %s %.10s at %d: %d tokens\n", r.name, e.Commit, budget, w.tokens)
				}
				if all <= budget/2 {
					for _, d := range definitions {
						elided := d.tokens > budget/longPart && w.holds(d.path, d.touched, d.touched)
						if fitting++; !elided && !w.holds(d.path, d.from, d.to) {
							missing++
							fmt.Fprintf(out, "missing: %s %.10s at %d: %s of %s, lines %d to %d\n", r.name, e.Commit, budget, d.name, d.path, d.from, d.to)
						}
					}
				} else {
					far++
					beyond.add(w, definitions, users)
				}
				mu.Unlock()
			}
			return nil
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-24s %d commits; median tokens", r.name, len(cases))
		for _, list := range spent {
			slices.Sort(list)
			fmt.Fprintf(out, " %d", list[len(list)/2])
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%d of %d documents are over their budget; %d of %d changed definitions are missing where all fit into half of it; in %d documents they do not\n", over, total, missing, fitting, far)
	beyond.print(out)
	return nil
}

// beyondHalf tells of documents whose change does not fit into half of them what stands there of the changed definitions: shares, of
// each document, of which the mean is told.
type beyondHalf struct {
	documents                    int
	whole, used, around, inFiles float64
}

// longPart is the part of a budget above which a changed definition need not stand whole, but its first touched line.
const longPart = 8

// nearHunk is how many lines around a touched one of a definition say what it stands in.
const nearHunk = 10

// add counts a document: the definitions that stand there whole, all alike and by the files that use them, those of which what is near
// the first touched line stands there, and the files of which any definition stands there so.
func (s *beyondHalf) add(w *written, definitions []touchedDefinition, users []int) {
	if len(definitions) == 0 {
		return
	}
	var whole, used, all, around float64
	files, shown := map[string]bool{}, map[string]bool{}
	for i, d := range definitions {
		weight := math.Log(2 + float64(users[i]))
		all += weight
		files[d.path] = true
		if w.holds(d.path, d.from, d.to) {
			whole++
			used += weight
		}
		if w.holds(d.path, max(d.from, d.touched-nearHunk), min(d.to, d.touched+nearHunk)) {
			around++
			shown[d.path] = true
		}
	}
	n := float64(len(definitions))
	s.documents++
	s.whole += whole / n
	s.used += used / all
	s.around += around / n
	s.inFiles += float64(len(shown)) / float64(len(files))
}

func (s *beyondHalf) print(out io.Writer) {
	n := max(1, float64(s.documents))
	fmt.Fprintf(out, "in those, in the mean, %.3f of the changed definitions stand whole, %.3f by the files that use them, of %.3f what is near their first touched line; %.3f of the changed files have one of these\n",
		s.whole/n, s.used/n, s.around/n, s.inFiles/n)
}

// usersOf counts the other files of a commit that hold the name of each definition.
func (c *clone) usersOf(ctx context.Context, commit string, definitions []touchedDefinition) ([]int, error) {
	list, known := make([]int, len(definitions)), map[string][]string{}
	for i, d := range definitions {
		name := d.name[strings.LastIndexAny(d.name, ".:#")+1:]
		files, there := known[name]
		if !there && name != "" {
			found, err := c.Git(ctx, nil, "grep", "-l", "-w", "-F", "-I", "-z", "-e", name, commit)
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) { // none is found
				return nil, err
			}
			files = strings.FieldsFunc(strings.ReplaceAll(string(found), commit+":", ""), func(c rune) bool { return c == 0 })
			known[name] = files
		}
		for _, f := range files {
			if f != d.path {
				list[i]++
			}
		}
	}
	return list, nil
}

// run runs the program, this build's or -binary, on a commit and reads its document.
func (r *repository) run(ctx context.Context, o options, e entry, budget int, counter *tokens.Counter) (*written, error) {
	work, err := os.MkdirTemp("", "context")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	args := append([]string{"--path", r.clone.Dir, "--ref", e.Commit, "--base", e.Parent, "--mode", "context", "--budget-tokens", fmt.Sprint(budget),
		"--pack", "none", "--output-dir", work}, o.extra...)
	var said bytes.Buffer
	if o.binary != "" {
		program := exec.CommandContext(ctx, o.binary, args...)
		program.Stdout, program.Stderr = &said, &said
		err = program.Run()
	} else {
		program := action.Command{Process: job.Process{Args: args, Getenv: os.Getenv, Stdout: &said, Stderr: &said}}
		err = program.Run(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said.Bytes())
	}
	return readDocument(work, counter)
}
