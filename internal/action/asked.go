package action

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

// asked is what the state and the change ask for.
type asked struct {
	// state is the committed selection, and raw its text; nil without one.
	state graph.State
	raw   []byte
	// selection is nil where nothing is selected: in full mode.
	selection *graph.Selection
	// beyond are files that the search did not take: selected although ignored, or
	// of dependencies. They were searched like all others.
	beyond   scan.Asked
	warnings []string
}

// modeOf decides between the archives of the whole repository and of a context.
// asked is input mode.
func modeOf(e *job.Setting, in *job.Scope, h *head, asked job.Mode) job.Mode {
	if asked != job.ModeAuto {
		return asked
	}
	if pulled(e) && in.Base != job.BaseSaved && in.Base != job.BaseSession {
		return job.ModeContext // such a base has no files to draw the change from
	}
	if fi, err := h.root.Stat(in.Stan + "/" + record.StateName); err == nil && fi.Mode.IsRegular() {
		return job.ModeContext
	}
	return job.ModeFull
}

// entries are those of a command line.
type entries struct {
	// state takes the place of the committed one; nil for none.
	state *graph.State
	// file: state is the file's as it is going to be written.
	file bool
	// must are the entries that must be there.
	must []graph.Entry
}

// wish is what a run asks its graph for.
type wish struct {
	stan string
	mode job.Mode
	// auto: the mode was found, not asked for, so a state that is no file is worth a word.
	auto bool
	// idle: nothing is looked for, as the run is going to end at the seal.
	idle bool
	// How many edges are followed from changed files, and to them; -1: none.
	changedDepth, dependentsDepth int
	entries
}

// ask makes the selection of a mode, and brings in what it names beyond what the
// search took. The entries of a command line take the place of the state file.
func ask(w wish, h *head, f *found, c *change, d *dependencies) (*asked, error) {
	a := &asked{beyond: scan.Asked{Known: new(secret.Known)}}
	wish := graph.Wish{StanPath: w.stan, ChangedDepth: -1, DependentsDepth: -1}
	if w.idle || w.mode == job.ModeFull {
		fi, err := h.root.Stat(w.stan + "/" + record.StateName)
		if err == nil && !fi.Mode.IsRegular() {
			err = tree.ErrNotRegular
		}
		if w.auto && noFile(err) {
			a.warnings = append(a.warnings, noState(w.stan+"/"+record.StateName, err))
		}
		return a, nil
	}
	if w.mode == job.ModeContext {
		var err error
		if a.state, a.raw, a.warnings, err = readState(w.stan, h, w.state); err != nil {
			return nil, err
		}
		wish.State, wish.Changed = a.state, paths(c.changes)
		wish.ChangedDepth, wish.DependentsDepth = w.changedDepth, w.dependentsDepth
		if w.state != nil && !w.file {
			wish.Asker = commandLine
		}
		if err := there(h, d.canonical.Meta, w.must); err != nil {
			return nil, err
		}
	}
	a.selection = graph.Select(d.canonical.Meta, wish)
	for _, x := range a.selection.Warnings {
		a.warnings = append(a.warnings, x.String())
	}
	packed := make(map[string]bool, len(f.Files))
	for i := range f.Files {
		packed[f.Files[i].Path] = true
	}
	for _, id := range a.selection.IDs {
		if packed[id] || isDocument(id, w.stan, a.raw != nil) {
			continue
		}
		file, o, err := admit(w.stan, f, d, id, a.beyond.Known)
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

// there checks that what a command line names is in the graph, or at least on disk.
func there(h *head, m *graph.Meta, named []graph.Entry) error {
	for _, n := range named {
		id := path.Clean(n.ID)
		if _, known := m.Nodes[id]; known || builtin(id) {
			continue
		}
		if h != nil {
			if _, err := h.root.Lstat(id); err == nil {
				continue
			}
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
func readState(stan string, h *head, entries *graph.State) (graph.State, []byte, []string, error) {
	if entries != nil {
		return *entries, entries.Encode(), nil, nil
	}
	name := stan + "/" + record.StateName
	raw, err := h.root.ReadFile(name, 16<<20)
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
	return fmt.Sprintf("%s is passed over, and nothing is selected by it: %s", name, cause(err))
}

// pulled reports whether the run is about a change that asks to be merged.
func pulled(e *job.Setting) bool {
	return e.Workflow && (e.Event.Number > 0 || strings.HasPrefix(e.Event.Name, "pull_request") || e.Event.Name == "merge_group")
}

// cause is what is wrong with a file, without the path of the machine.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// admit brings in one selected file that the search did not take: staged from a
// dependency, or taken although an ignore file or a rule left it out.
func admit(stan string, f *found, d *dependencies, id string, learned *secret.Known) (*scan.File, *scan.Omission, error) {
	if !stage.Is(id, stan) {
		return f.search.Admit(id, learned)
	}
	o, suspect, skip := f.search.Rules.Judge(id)
	if skip {
		return nil, &o, nil
	}
	if paths := d.canonical.Collisions[id]; len(paths) > 0 {
		return nil, nil, fmt.Errorf("staging %s: %s have this address and different bytes; install one version, or exclude it", id, strings.Join(paths, " and "))
	}
	raw, err := stage.Read(d.roots, d.canonical.Files, id)
	if errors.Is(err, stage.ErrUnknown) {
		return nil, &scan.Omission{Path: id, Reason: scan.Unreadable, Rule: "no dependency has this file"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return f.search.Keep(id, 0o644, raw, suspect, true, learned)
}
