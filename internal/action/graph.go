package action

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/graph/typescript"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/stage"
	"github.com/haversack-dev/haversack/internal/tree"
)

// dependencies is the graph of a run, as it was read: nothing of it may leave before
// it is sealed.
type dependencies struct {
	roots     graph.Roots
	canonical *graph.Canonical
	result    *provider.Result
	warnings  []string
	// whole says that every language was asked.
	whole bool
}

func (d *dependencies) close() {
	if d == nil {
		return
	}
	for _, e := range d.roots.External {
		e.Root.Close()
	}
}

// notes are the warnings that are said. In full mode no archive holds the graph: its
// surprises are for the record.
func (d *dependencies) notes(mode job.Mode) []string {
	if d == nil || mode == job.ModeFull {
		return nil
	}
	return d.warnings
}

// needsGraph reports whether something asks for the graph: a selection, a summary,
// or the picture in a comment.
func needsGraph(e *job.Env, in *job.Inputs, f *found, c *change, mode job.Mode) (bool, error) {
	switch {
	case doomed(in, f, c):
		return false, nil
	case mode != job.ModeFull && in.NoGraph:
		return false, job.BadInput("graph", "off: mode %s needs the graph; use auto, or mode: full", mode)
	case mode != job.ModeFull:
		return true, nil
	case in.NoGraph:
		return false, nil
	}
	if pictured(e, in, c) || ranksAll(in, c) {
		return true, nil
	}
	if !slices.ContainsFunc(f.Files, func(f scan.File) bool { return summarised(f.Path) }) {
		return false, nil
	}
	switch in.Pack {
	case job.PackSummary, job.PackBoth:
		return true, nil
	case job.PackAuto, job.PackChange:
		// What Seal redacts besides changes few bytes. Where these decide, a summary
		// goes without the graph.
		choice, err := pack.NewBuilder(&pack.Source{Snapshot: &scan.Snapshot{Files: f.Files, Omitted: f.Omitted}, Limits: in.Limits}).Type()
		if err != nil {
			return false, packFault("choosing the pack", err)
		}
		return choice == pack.TypeSummary, nil
	case job.PackFull, job.PackNone:
	}
	return false, nil
}

// pictured reports whether the comment shows what the change touches.
func pictured(e *job.Env, in *job.Inputs, c *change) bool {
	return in.Comment != job.WhenNever && e.Workflow && e.Event.Number != 0 && slices.ContainsFunc(c.changes, func(c diff.Change) bool { return analysed(c.Path) })
}

// summarised reports whether a summary tells what files of this name offer. Of other
// languages it reads the files itself: their graph costs more than the summary.
func summarised(name string) bool { return typescript.Provider.Claims(name) }

// analysed reports whether files of this name have a graph.
func analysed(name string) bool {
	_, ok := provider.For(name)
	return ok
}

// buildGraph reads the imports of the files that were found; nil where nothing asks
// for the graph.
func buildGraph(ctx context.Context, e *job.Env, in *job.Inputs, h *head, f *found, c *change, mode job.Mode) (*dependencies, error) {
	if needed, err := needsGraph(e, in, f, c, mode); !needed || err != nil {
		return nil, err
	}
	if mode == job.ModeFull {
		e.Begin("graph") // else it is a part of the selection
		defer e.Begin("select")
	}
	d := &dependencies{roots: graph.Roots{Dir: filepath.ToSlash(h.dir), Root: h.root}}
	for _, dir := range in.ExternalRoots {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(e.WorkspaceAbs(), dir)
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		root, err := tree.Open(dir)
		if err != nil {
			d.close()
			return nil, job.BadInput("external-roots", "%w", err)
		}
		d.roots.External = append(d.roots.External, graph.ExternalRoot{Dir: filepath.ToSlash(dir), Root: root})
	}
	options := provider.Options{StanPath: in.Stan, Cache: e.CacheDir("graph"), UsersOf: paths(c.changes)}
	if mode == job.ModeFull && !pictured(e, in, c) && !ranksAll(in, c) {
		options.Only = []string{typescript.Provider.Name}
	}
	d.whole = options.Only == nil
	var err error
	if d.result, err = provider.Build(ctx, d.roots, universe(h, f), options); err != nil {
		d.close()
		return nil, fmt.Errorf("building the import graph: %w", err)
	}
	d.canonical = graph.Canonicalize(d.result.Graph, d.roots, in.Stan)
	for _, w := range slices.Concat(d.result.Warnings, d.canonical.Warnings) {
		d.warnings = append(d.warnings, w.String())
	}
	return d, nil
}

// universe are the files that the graph is about: what may be archived, and
// binaries, which are nodes that nobody imports from.
func universe(h *head, f *found) []graph.SourceFile {
	list := make([]graph.SourceFile, 0, len(f.Files))
	for i := range f.Files {
		if file := &f.Files[i]; file.Mode.IsRegular() {
			list = append(list, graph.SourceFile{File: file.File, SHA256: file.SHA256})
		}
	}
	for _, o := range f.Omitted {
		if (o.Reason == scan.Binary || o.Reason == scan.LowValue) && !strings.HasSuffix(o.Path, "/") {
			if file, err := h.root.File(o.Path); err == nil && file.Mode.IsRegular() {
				list = append(list, graph.SourceFile{File: file})
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}

// sealMeta returns the graph as it may leave: ids and descriptions without
// credentials (an import that leads nowhere is an id as it is written, and may be
// an address with a password in it), and of each file the size that it is archived
// with. A file that the seal left out is known by name alone, where it is imported.
func sealMeta(d *dependencies, f *found, s *scan.Sealed) *graph.Meta {
	rules := f.search.Rules
	files := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		files[s.Files[i].Path] = &s.Files[i]
	}
	out := map[string]bool{} // left out by the seal
	for i := range f.Files {
		if name := f.Files[i].Path; files[name] == nil {
			out[name] = true
		}
	}
	imported := map[string]bool{}
	for id, n := range d.canonical.Meta.Nodes {
		for _, e := range n.Edges {
			imported[e.Target] = imported[e.Target] || !out[id]
		}
	}
	return d.canonical.Meta.Rewritten(func(id string, n graph.MetaNode) (string, graph.MetaNode) {
		if out[id] {
			if n.Edges = nil; !imported[id] {
				return "", n
			}
		}
		if n.Description != "" && files[id] == nil && !stage.Is(id, rules.Stan) {
			if _, _, skip := rules.Judge(id); skip {
				n.Description = "" // what may not be archived says nothing of itself
			}
		}
		n.Description = graph.ShortDescription(s.Screener.Clean(n.Description))
		if f := files[id]; f != nil {
			n.Size = f.Size
		} else if f := s.Asked[id]; f != nil {
			n.Size = f.Size
		}
		if id = s.Screener.Clean(id); n.Kind == graph.Missing {
			id = graph.ShortName(id)
		}
		return id, n
	})
}
