package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Bounds of what is read in place of a repository: the map, and the archive around it.
const (
	maxArchivedMap = 32 << 20
	maxArchive     = 4 << 30
)

// mapArchive is what a host has that holds no repository: the map, and the state beside it
// in an archive.
type mapArchive struct {
	meta  *graph.Meta
	state []byte // nil where there is none
	// where the state stands, as people know it.
	where string
}

// openArchived reads a map, or the archive that holds it.
func openArchived(e *job.Env, in *job.Inputs, name string) (*mapArchive, error) {
	shown := filepath.Base(name)
	refused := func(err error) (*mapArchive, error) {
		return nil, job.WithCode(fmt.Errorf("--meta %q: %w; give a dependency.meta.json, or the archive that holds it", shown, err), job.ExitInput)
	}
	name = e.At(name)
	f, _, err := tree.OpenRegular(name) // named by the user
	if err != nil {
		return refused(unnamed(err))
	}
	defer f.Close()
	a, raw := &mapArchive{}, []byte(nil)
	if strings.Contains(shown, ".tar") {
		_, err = archive.ReadUpTo(f, maxArchive, func(m archive.Member, body io.Reader) error {
			switch m.Path {
			case in.Stan + "/" + record.MetaName:
				raw, err = atMost(body, maxArchivedMap)
			case in.Stan + "/" + record.StateName:
				a.state, err = atMost(body, maxArchivedMap)
			}
			return err
		})
		if err == nil && raw == nil {
			err = fmt.Errorf("the archive holds no %s/%s", in.Stan, record.MetaName)
		}
		a.where = in.Stan + "/" + record.StateName + " of the archive"
	} else {
		raw, err = atMost(f, maxArchivedMap)
	}
	if err != nil {
		return refused(err)
	}
	if a.meta, err = graph.ParseMeta(raw); err != nil {
		return refused(err)
	}
	return a, nil
}

func atMost(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("larger than %d bytes", limit)
	}
	return b, err
}

// selectArchived prints the closure that a map alone tells, for hosts without the
// repository: of the entries, or of the archive's own state.
func selectArchived(e *job.Env, in *job.Inputs, o *options, named *graph.State) error {
	if len(o.add)+len(o.remove) > 0 {
		return job.UsageError("--meta edits nothing: it goes without --add and --remove")
	}
	options, err := summaryOptions(o)
	if err != nil {
		return err
	}
	a, err := openArchived(e, in, o.meta)
	if err != nil {
		return err
	}
	if len(o.args) == 0 && a.state == nil {
		return job.UsageError("--meta: there is no state beside the map; name entries")
	}
	if o.summary {
		include, exclude, err := looseEntries(o)
		if err != nil {
			return err
		}
		if len(o.args) == 0 {
			var state struct{ I, X []any }
			if err := json.Unmarshal(a.state, &state); err != nil {
				return job.WithCode(fmt.Errorf("reading %s: %w", a.where, err), job.ExitInput)
			}
			include, exclude = state.I, append(state.X, exclude...)
		}
		return printSummary(e, o, e.Screener, graph.Summarize(a.meta.Inflate(), include, exclude, options))
	}
	if err := snapshot.CheckNamed(nil, a.meta, append(named.Include, named.Exclude...)); err != nil {
		return err
	}
	out := &selection{State: snapshot.CommandLine, SelectedBy: []string{snapshot.CommandLine}, Selected: []selectedFile{}, LeftOut: []record.Row{}, Warnings: []string{}}
	wish := graph.Wish{State: *named, StanPath: in.Stan, ChangedDepth: -1, DependentsDepth: -1, Asker: snapshot.CommandLine}
	if len(o.args) == 0 {
		state, warnings, err := graph.ParseState(a.where, a.state)
		if err != nil {
			return job.WithCode(err, job.ExitInput)
		}
		for _, w := range warnings {
			out.Warnings = append(out.Warnings, w.String())
		}
		state.Exclude = append(state.Exclude, named.Exclude...)
		wish.State, wish.Asker, out.State, out.SelectedBy = state, "", a.where, []string{a.where}
	}
	s := graph.Select(a.meta, wish)
	for _, w := range s.Warnings {
		out.Warnings = append(out.Warnings, w.String())
	}
	ways := new(plan.Basket)
	for _, id := range s.IDs {
		shown, _ := record.DisplayPath(id)
		out.Selected = append(out.Selected, selectedFile{Path: shown, SizeBytes: s.Size(id), Why: ways.Steps(s, id)})
	}
	return out.print(e, o, e.Screener)
}

// unnamed takes the path off an error: where a file lies is the machine's affair.
func unnamed(err error) error {
	var at interface{ Unwrap() error }
	if errors.As(err, &at) && at.Unwrap() != nil {
		return at.Unwrap()
	}
	return err
}
