package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/stage"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Closure is what the state and the change ask for.
type Closure struct {
	// State is the committed selection, and raw its text; nil without one.
	State graph.State
	Raw   []byte
	// Untracked: the state is a file on disk that git does not track.
	Untracked bool
	// Kept is the state on disk where it does not select: in meta mode.
	Kept []byte
	// Selection is nil where nothing is selected: in full mode.
	Selection *graph.Selection
	// beyond are files that the search did not take: selected although ignored, or
	// of dependencies. They were searched like all others.
	beyond   scan.Request
	warnings []string
}

// ChooseMode decides between the archives of the whole repository and of a context.
// asked is input mode.
func ChooseMode(e *job.Setting, in *job.Scope, h *Head, asked job.Mode) job.Mode {
	if asked != job.ModeAuto {
		return asked
	}
	if AsksToMerge(e) && in.Base != job.BaseSaved && in.Base != job.BaseSession {
		return job.ModeContext // such a base has no files to draw the change from
	}
	if fi, err := h.Root.Stat(in.Stan + "/" + record.StateName); err == nil && fi.Mode.IsRegular() {
		return job.ModeContext
	}
	return job.ModeFull
}

// Entries are those of a command line.
type Entries struct {
	// State takes the place of the committed one; nil for none.
	State *graph.State
	// File: state is the file's as it is going to be written.
	File bool
	// Must are the entries that must be there.
	Must []graph.Entry
}

// Wish is what a run asks its graph for.
type Wish struct {
	Stan string
	Mode job.Mode
	// Auto: the mode was found, not asked for, so a state that is no file is worth a word.
	Auto bool
	// Idle: nothing is looked for, as the run is going to end at the seal.
	Idle bool
	// How many edges are followed from changed files, and to them; -1: none.
	ChangedDepth, DependentsDepth int
	Entries
}

// Select makes the selection of a mode, and brings in what it names beyond what the
// search took. The entries of a command line take the place of the state file. Without a graph, d, nothing is asked for.
func Select(w Wish, h *Head, f *Inventory, c *Change, d *Dependencies) (*Closure, error) {
	a := &Closure{beyond: scan.Request{Known: new(secret.KnownValues)}}
	wish := graph.Wish{StanPath: w.Stan, ChangedDepth: -1, DependentsDepth: -1}
	if w.Idle || d == nil || w.Mode == job.ModeFull {
		fi, err := h.Root.Stat(w.Stan + "/" + record.StateName)
		if err == nil && !fi.Mode.IsRegular() {
			err = tree.ErrNotRegular
		}
		if w.Auto && noFile(err) {
			a.warnings = append(a.warnings, noState(w.Stan+"/"+record.StateName, err))
		}
		return a, nil
	}
	if w.Mode == job.ModeContext {
		var err error
		if a.State, a.Raw, a.warnings, err = readState(w.Stan, h, w.State); err != nil {
			return nil, err
		}
		a.Untracked = a.Raw != nil && h.Kind == "worktree" && h.Index[w.Stan+"/"+record.StateName] == nil
		wish.State, wish.Changed = a.State, ChangedPaths(c.Changes)
		wish.ChangedDepth, wish.DependentsDepth = w.ChangedDepth, w.DependentsDepth
		if w.State != nil && !w.File {
			wish.Asker = CommandLine
		}
		if err := CheckNamed(h, d.Canonical.Meta, w.Must); err != nil {
			return nil, err
		}
	}
	if w.Mode == job.ModeMeta {
		_, raw, _, err := readState(w.Stan, h, nil)
		if a.Kept = raw; err != nil {
			a.warnings = append(a.warnings, fmt.Sprintf("the archive holds an empty state in place of %s: %v", w.Stan+"/"+record.StateName, err))
		}
	}
	a.Selection = graph.Select(d.Canonical.Meta, wish)
	for _, x := range a.Selection.Warnings {
		a.warnings = append(a.warnings, x.String())
	}
	packed := make(map[string]bool, len(f.Files))
	for i := range f.Files {
		packed[f.Files[i].Path] = true
	}
	for _, id := range a.Selection.IDs {
		if packed[id] || isDocument(id, w.Stan, a.Raw != nil) {
			continue
		}
		file, o, err := admit(w.Stan, f, d, id, a.beyond.Known)
		switch {
		case err != nil:
			return nil, err
		case o != nil:
			a.beyond.Omitted = append(a.beyond.Omitted, *o)
			a.warnings = append(a.warnings, fmt.Sprintf("%s is asked for and left out: %s (%s)", text.Name(id), o.Reason, o.Rule))
		default:
			a.beyond.Files = append(a.beyond.Files, *file)
		}
	}
	return a, nil
}

// CheckNamed checks that what a command line names is in the graph, or at least on disk.
func CheckNamed(h *Head, m *graph.Meta, named []graph.Entry) error {
	for _, n := range named {
		id := path.Clean(n.ID)
		if _, known := m.Nodes[id]; known || Builtin(id) {
			continue
		}
		if h != nil {
			if _, err := h.Root.Lstat(id); err == nil {
				continue
			}
		}
		if strings.ContainsAny(id, "*?[{") {
			return job.WithCode(fmt.Errorf("entry %q: there is no such file; an entry is a file or a folder, and globs go with --include", n.ID), job.ExitInput)
		}
		return job.WithCode(fmt.Errorf("entry %q: there is no such file%s", n.ID, m.Hint(id)), job.ExitInput)
	}
	return nil
}

// isDocument reports whether the engine writes the file of this name into a context
// archive.
func isDocument(name, stan string, state bool) bool {
	switch rest, _ := strings.CutPrefix(name, stan+"/"); rest {
	case record.MetaName, record.GuideName:
		return true
	case record.StateName:
		return state
	}
	return false
}

// readState reads the selection that an assistant has committed. Its text is nil
// without one.
func readState(stan string, h *Head, entries *graph.State) (graph.State, []byte, []string, error) {
	if entries != nil {
		return *entries, entries.Encode(), nil, nil
	}
	name := stan + "/" + record.StateName
	raw, err := h.Root.ReadFile(name, graph.MaxState)
	if errors.Is(err, fs.ErrNotExist) {
		return graph.State{}, nil, nil, nil
	}
	if noFile(err) {
		return graph.State{}, nil, []string{noState(name, err)}, nil
	}
	if err != nil {
		return graph.State{}, nil, nil, job.WithCode(fmt.Errorf("reading %s: %w", name, err), job.ExitInput)
	}
	s, found, err := graph.ParseState(name, raw)
	if err != nil {
		return graph.State{}, nil, nil, job.WithCode(err, job.ExitInput)
	}
	var warnings []string
	for _, w := range found {
		warnings = append(warnings, w.String())
	}
	return s, raw, warnings, nil
}

// noState is the warning for a state that is no file.
func noState(name string, err error) string {
	return fmt.Sprintf("%s is passed over, and nothing is selected by it: %s", name, Cause(err))
}

// AsksToMerge reports whether the run is about a change that asks to be merged.
func AsksToMerge(e *job.Setting) bool {
	return e.Workflow && (e.Event.Number > 0 || strings.HasPrefix(e.Event.Name, "pull_request") || e.Event.Name == "merge_group")
}

// Cause is what is wrong with a file, without the path of the machine.
func Cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// admit brings in one selected file that the search did not take: staged from a
// dependency, or taken although an ignore file or a rule left it out.
func admit(stan string, f *Inventory, d *Dependencies, id string, learned *secret.KnownValues) (*scan.File, *scan.Omission, error) {
	if !stage.Is(id, stan) {
		return f.Search.Admit(id, learned)
	}
	o, suspect, skip := f.Search.Rules.Judge(id)
	if skip {
		return nil, &o, nil
	}
	if paths := d.Canonical.Collisions[id]; len(paths) > 0 {
		return nil, nil, fmt.Errorf("staging %s: %s have this address and different bytes; install one version, or exclude it", id, strings.Join(paths, " and "))
	}
	raw, err := stage.Read(d.Roots, d.Canonical.Files, id)
	if errors.Is(err, stage.ErrUnknown) {
		o := scan.NotInstalled.At(id)
		return nil, &o, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return f.Search.Keep(scan.Content{Path: id, Mode: 0o644, Raw: raw, Suspect: suspect, Asked: true}, learned)
}

// CommandLine is whose entries are called where they are of no state file.
const CommandLine = "command line"

// Builtin reports whether an id is a module of a platform: node:fs, go:fmt, python:os.
func Builtin(id string) bool {
	for _, prefix := range []string{"node:", "go:", "python:"} {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}
