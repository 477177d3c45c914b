package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/stage"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Dependencies is the graph of a run, as it was read: nothing of it may leave before
// it is sealed.
type Dependencies struct {
	Roots     graph.Roots
	Canonical *graph.Canonical
	Result    *provider.Result
	// Definitions are those that were found on the way; nil where they are not wanted.
	Definitions *provider.Definitions
	warnings    []string
}

// Close closes the roots that files of dependencies were read from.
func (d *Dependencies) Close() {
	if d != nil {
		closeRoots(d.Roots)
	}
}

// Notes returns the warnings for the log. In full mode no archive holds the graph: its surprises are for the record alone (Surprises).
func (d *Dependencies) Notes(mode job.Mode) []string {
	if d == nil || mode == job.ModeFull {
		return nil
	}
	return d.warnings
}

// Surprises are the warnings that are not said.
func (d *Dependencies) Surprises(mode job.Mode) []string {
	if d == nil || mode != job.ModeFull {
		return nil
	}
	return d.warnings
}

// HasGraph reports whether files have a graph that are read by this name.
func HasGraph(name string) bool {
	_, ok := provider.For(name)
	return ok
}

// OpenRoots opens where files of dependencies may be taken from, besides the head.
func OpenRoots(e *job.Setting, external []string, h *Head) (graph.Roots, error) {
	roots := graph.Roots{Dir: filepath.ToSlash(h.Dir), Root: h.Root}
	for _, dir := range external {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(e.WorkspaceAbs(), dir)
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		root, err := tree.Open(dir)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue // the run has warned of it: see unmatched
		}
		if err != nil {
			closeRoots(roots)
			return graph.Roots{}, job.BadInput("external-roots", "%w", err)
		}
		roots.External = append(roots.External, graph.ExternalRoot{Dir: filepath.ToSlash(dir), Root: root})
	}
	return roots, nil
}

func closeRoots(roots graph.Roots) {
	for _, e := range roots.External {
		e.Root.Close()
	}
}

// BuildGraph reads the imports of the files that were found. The graph closes roots.
func (x *Finder) BuildGraph(ctx context.Context, roots graph.Roots, f *Inventory, mode job.Mode, options provider.Options) (*Dependencies, error) {
	d := &Dependencies{Roots: roots, Definitions: options.Definitions}
	var err error
	if d.Result, err = provider.Build(ctx, d.Roots, universe(x.Head, f, mode), options); err != nil {
		d.Close()
		return nil, fmt.Errorf("building the import graph: %w", err)
	}
	d.Canonical = graph.Canonicalize(d.Result.Graph, d.Roots, options.StanPath)
	for _, w := range slices.Concat(d.Result.Warnings, d.Canonical.Warnings) {
		d.warnings = append(d.warnings, w.String())
	}
	return d, nil
}

// universe are the files that the graph is about: what may be archived, and
// binaries, which are nodes that nobody imports from. In full mode, where no archive holds
// the graph, what has no extension and no language is none of it: nobody imports that.
func universe(h *Head, f *Inventory, mode job.Mode) []graph.SourceFile {
	var list []graph.SourceFile
	for i := range f.Files {
		file := &f.Files[i]
		if file.Mode.IsRegular() && (mode != job.ModeFull || path.Ext(file.Path) != "" || language.Of(file.As()) != nil) {
			list = append(list, graph.SourceFile{File: file.File, SHA256: file.SHA256, Script: file.Script})
		}
	}
	for _, o := range f.Omitted {
		if (o.Reason == scan.Binary || o.Reason == scan.LowValue) && !strings.HasSuffix(o.Path, "/") {
			if file, err := h.Root.File(o.Path); err == nil && file.Mode.IsRegular() {
				list = append(list, graph.SourceFile{File: file})
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}

// SealMeta returns the graph as it may leave: ids and descriptions without
// credentials (an import that leads nowhere is an id as it is written, and may be
// an address with a password in it), and of each file the size that it is archived
// with. A file that the seal left out is known by name alone, where it is imported.
func SealMeta(d *Dependencies, f *Inventory, s *scan.SealedScan) *graph.Meta {
	rules := f.Search.Rules
	nodes := d.Canonical.Meta.Nodes
	files := make(map[string]*scan.File, min(len(nodes), len(s.Files)))
	for i := range s.Files {
		if _, ok := nodes[s.Files[i].Path]; ok {
			files[s.Files[i].Path] = &s.Files[i]
		}
	}
	out := map[string]bool{} // left out by the seal
	for i := range f.Files {
		name := f.Files[i].Path
		if _, ok := nodes[name]; ok && files[name] == nil {
			out[name] = true
		}
	}
	imported := map[string]bool{}
	for id, n := range d.Canonical.Meta.Nodes {
		for _, e := range n.Edges {
			imported[e.Target] = imported[e.Target] || !out[id]
		}
	}
	return d.Canonical.Meta.Rewritten(func(id string, n graph.MetaNode) (string, graph.MetaNode) {
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
