package plan

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/stage"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Holdings is what the reader of a context archive of the base has: what the base's state
// selects in the base's graph, and the engine's documents.
type Holdings struct {
	// selected are the ids that the base's state asks for.
	selected map[string]bool
	docs     map[string][]byte
	// had are the selected ids that stood for files.
	had []string
	// unknown reports whether nothing tells if a file was the same at the base.
	unknown func(id string) bool
}

// FreshMember is a member that did not change and is new to the reader.
type FreshMember struct{ path, Why string }

// FindHoldings finds what the reader has: nil where the diff archive is what changed and
// no more, because no state asks for anything, or because the base says itself what was
// handed over. A base without a state has one that asks for nothing. cache is the folder of
// the graph's cache.
func FindHoldings(ctx context.Context, o Options, v *snapshot.View, cache string) (*Holdings, error) {
	h, f, c, d, a, s := v.Head, v.Found, v.Change, v.Graph, v.Asked, v.Sealed
	if o.Mode != job.ModeContext || a.Raw == nil || c.Base.None || c.Base.Saved {
		return nil, nil
	}
	there := make(map[string]bool, len(s.Files))
	for i := range s.Files {
		there[s.Files[i].Path] = true
	}
	g := &Holdings{selected: map[string]bool{}, docs: map[string][]byte{}, unknown: func(id string) bool {
		if stage.Is(id, o.Stan) {
			// The address of an installed package names its version.
			return !strings.Contains("/"+d.Canonical.Files[id].Path, "/node_modules/")
		}
		return !there[id] && h.Index[id] == nil // ignored: no change tells of it
	}}
	if c.Base.Root == nil {
		return g, nil // everything is new
	}
	state, raw := graph.State{}, []byte(nil)
	name := o.Stan + "/" + record.StateName
	if text, err := c.Base.Root.ReadFile(name, graph.MaxState); err == nil {
		// What was no state asked for nothing.
		if state, _, err = graph.ParseState(name, text); err == nil {
			raw = text
		}
	}
	then, err := graphBefore(ctx, o.Stan, cache, v)
	if err != nil {
		return nil, err
	}
	selection := graph.Select(then.Canonical.Meta, graph.Wish{StanPath: o.Stan, State: state, ChangedDepth: -1, DependentsDepth: -1})
	for _, id := range selection.IDs {
		g.selected[id] = true
		_, known := then.Canonical.Meta.Nodes[id]
		if _, err := h.Root.Lstat(id); !known && err != nil {
			continue // a name of nothing
		}
		if _, _, skip := f.Search.Rules.Judge(id); !skip {
			g.had = append(g.had, id)
		}
	}
	// The documents are made as the base's own run made them.
	unranked := o
	unranked.Fill = job.FillNone
	g.docs = Compose(unranked, Material{s.Screener, sizesBefore(snapshot.SealMeta(then, f, s.SealedScan), c), &snapshot.Closure{State: state, Raw: raw, Selection: selection}, nil}).texts
	for id, n := range s.Meta.Nodes {
		if n.Kind.File() && g.unknown(id) {
			delete(g.docs, o.Stan+"/"+record.MetaName) // its size may have been another
			break
		}
	}
	return g, nil
}

// compare finds the members of a basket and its documents that did not change and that
// the reader has not, and what the reader has that is not in them and was not deleted.
// Files that rank has added stand in archive.tar alone.
func (g *Holdings) compare(o Options, c *snapshot.Change, b *Basket, docs *Documents) (fresh []FreshMember, dropped []string) {
	if g == nil {
		return nil, nil
	}
	told, gone := map[string]bool{}, map[string]bool{}
	for _, x := range c.Changes {
		if x.Status == diff.Deleted {
			gone[x.Path] = true
		} else {
			told[x.Path], gone[x.OldPath] = true, true
		}
	}
	for _, id := range b.closure {
		if b.members[id] != nil && docs.texts[id] == nil && !told[id] && (!g.selected[id] && !claimed(o, b, id) || g.unknown(id)) {
			fresh = append(fresh, FreshMember{id, "selected"})
		}
	}
	why := map[string]string{o.Stan + "/" + record.MetaName: "map", o.Stan + "/" + record.StateName: "state", o.Stan + "/" + record.GuideName: "guide"}
	for name, text := range docs.texts {
		if why[name] != "" && !told[name] && !bytes.Equal(g.docs[name], text) {
			fresh = append(fresh, FreshMember{name, why[name]})
		}
	}
	slices.SortFunc(fresh, func(a, b FreshMember) int { return tree.Compare(a.path, b.path) })
	for _, id := range g.had {
		if b.members[id] == nil && docs.texts[id] == nil && !gone[id] {
			dropped = append(dropped, id)
		}
	}
	return fresh, dropped
}

// claimed reports whether every context archive holds the file, whatever a state asks
// for.
func claimed(o Options, b *Basket, name string) bool {
	f := b.members[name]
	return (root(name) || system(o.Stan, name)) && f.LowValue == "" || o.Include.Match(name) != ""
}

// alsoEntries are the plan's fresh members and dropped files as they are told.
func (p *Plan) alsoEntries(s *snapshot.Contents) (also []record.AlsoEntry, dropped []string) {
	for _, f := range p.Fresh {
		x := record.AlsoEntry{Why: f.Why}
		x.Path, _ = record.DisplayPath(s.Screener.Clean(f.path))
		if m := p.Members[f.path]; m != nil {
			x.Size, x.SHA256 = m.Size, m.SHA256
		} else {
			x.Size, x.SHA256 = int64(len(p.Docs[f.path])), Digest(p.Docs[f.path])
		}
		also = append(also, x)
	}
	for _, name := range p.dropped {
		shown, _ := record.DisplayPath(s.Screener.Clean(name))
		dropped = append(dropped, shown)
	}
	return also, dropped
}

// graphBefore is the graph as it was at the base: the head's, with the edges of what
// changed read from the base, and of what leads there.
func graphBefore(ctx context.Context, stan, cache string, v *snapshot.View) (*snapshot.Dependencies, error) {
	f, c, d := v.Found, v.Change, v.Graph
	names, gone, old := changedNames(c)
	of := edgesOf(d, gone, old)
	if len(of) == 0 && len(gone) == 0 && len(old) == 0 {
		return d, nil
	}
	roots := d.Roots
	roots.Root = tree.Over(d.Roots.Root, c.Base.Root, names)
	now := d.Result.Graph
	then := &graph.Graph{Nodes: make(map[string]*graph.Node, len(now.Nodes)), Edges: make(map[string][]graph.Edge, len(now.Edges))}
	var sources []graph.SourceFile
	taken := make(map[string]*scan.File, len(f.Files))
	for i := range f.Files {
		taken[f.Files[i].Path] = &f.Files[i]
	}
	for id, n := range now.Nodes {
		_, changed := old[id]
		if gone[id] || changed {
			continue
		}
		then.Nodes[id] = n
		if x := taken[id]; x != nil && x.Mode.IsRegular() {
			sources = append(sources, graph.SourceFile{File: x.File, SHA256: x.SHA256, Script: x.Script})
		}
	}
	for id, entry := range old {
		x, _, skip := f.Search.Rules.ByName(id)
		if skip && x.Reason != scan.Binary && x.Reason != scan.LowValue || !entry.Mode.IsRegular() {
			continue
		}
		if file, err := c.Base.Root.File(id); err == nil {
			sources = append(sources, graph.SourceFile{File: file, Script: scriptOf(file)})
		}
	}
	slices.SortFunc(sources, func(a, b graph.SourceFile) int { return strings.Compare(a.Path, b.Path) })
	result, err := provider.Build(ctx, roots, sources, provider.Options{StanPath: stan, Cache: cache, Of: of})
	if err != nil {
		return nil, fmt.Errorf("reading the imports of the base: %w", err)
	}
	join(then, now, result.Graph, of)
	// A name that no edge of the base leads to is not one that the base's files hold.
	used := map[string]bool{}
	for _, edges := range then.Edges {
		for _, x := range edges {
			used[x.Target] = true
		}
	}
	maps.DeleteFunc(then.Nodes, func(id string, n *graph.Node) bool { return !used[id] && taken[id] == nil && n.Kind != graph.Source })
	return &snapshot.Dependencies{Roots: roots, Canonical: graph.Canonicalize(then, roots, stan), Result: result}, nil
}

// scriptOf reads what a file of the base says that runs it, where its name says nothing.
func scriptOf(f tree.File) string {
	if path.Ext(f.Path) != "" || language.Of(f.Path) != nil {
		return ""
	}
	rc, err := f.Open()
	if err != nil {
		return "" // the provider of its language would say so
	}
	defer rc.Close()
	head, err := io.ReadAll(io.LimitReader(rc, language.MaxRunner))
	if err != nil {
		return ""
	}
	return language.Script(f.Path, head)
}

// changedNames are the paths of a change on either side: those that the head alone has, and those of the base with what it has there.
func changedNames(c *snapshot.Change) (names []string, gone map[string]bool, old map[string]diff.Entry) {
	gone, old = map[string]bool{}, map[string]diff.Entry{}
	before := make(map[string]diff.Entry, len(c.Base.Files))
	for _, x := range c.Base.Files {
		before[x.Path] = x
	}
	for _, x := range c.Changes {
		for _, name := range []string{x.Path, x.OldPath} {
			if name == "" {
				continue
			}
			names = append(names, name)
			if entry, ok := before[name]; ok {
				old[name] = entry
			} else {
				gone[name] = true
			}
		}
	}
	return names, gone, old
}

// join adds to then what was read of the base, and the edges of now that hold for both: not those of the files of.
func join(then, now, read *graph.Graph, of map[string]bool) {
	for id, n := range read.Nodes {
		if then.Nodes[id] == nil {
			then.Nodes[id] = n
		}
	}
	for id, edges := range now.Edges {
		if then.Nodes[id] != nil && !of[id] {
			then.Edges[id] = edges
		}
	}
	for id, edges := range read.Edges {
		if then.Edges[id] == nil {
			then.Edges[id] = edges
		}
	}
}

// edgesOf are the sources whose edges at the base are not those that the head's graph
// has: files that changed, and those whose imports may have led elsewhere, to what was
// there then, or past what was not there yet. Where a manifest or a configuration
// changed, this is all files of its language.
func edgesOf(d *snapshot.Dependencies, gone map[string]bool, old map[string]diff.Entry) map[string]bool {
	of := map[string]bool{}
	stems := map[string]bool{}
	lost := false // a file of the base is no more
	var touched []string
	everyOf := map[string]bool{} // providers, by name
	for name := range old {
		touched = append(touched, name)
		of[name] = true
		if d.Result.Graph.Nodes[name] == nil {
			lost = true
			stems[bare(name)], stems[path.Dir(name)] = true, true
		}
	}
	for name := range gone {
		touched = append(touched, name)
	}
	for _, name := range touched {
		for _, p := range provider.All {
			if p.Reads != nil && p.Reads(name) {
				everyOf[p.Name] = true
			}
		}
	}
	importers := map[string][]string{}
	for from, edges := range d.Result.Graph.Edges {
		if p, ok := provider.For(from); ok && everyOf[p.Name] {
			of[from] = true
		}
		for _, x := range edges {
			importers[x.Target] = append(importers[x.Target], from)
			n := d.Result.Graph.Nodes[x.Target]
			if lost && (n == nil || n.Kind == graph.Missing || stems[bare(x.Target)] || stems[path.Dir(x.Target)]) {
				of[from] = true
			}
		}
	}
	// Imports lead on through files that hand names on.
	seen := map[string]bool{}
	for len(touched) > 0 {
		name := touched[len(touched)-1]
		touched = touched[:len(touched)-1]
		for _, from := range importers[name] {
			of[from] = true
			if !seen[from] && slices.Contains(d.Result.Names[from].Exports, "*") {
				seen[from] = true
				touched = append(touched, from)
			}
		}
	}
	return of
}

// bare is a path without what may be left out of an import: what follows the first
// dot of the last element.
func bare(name string) string {
	dir, base := path.Split(name)
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return dir + base
}

// sizesBefore gives the files that changed the sizes that they had at the base.
func sizesBefore(m *graph.Meta, c *snapshot.Change) *graph.Meta {
	sizes := map[string]int64{}
	for _, x := range c.Changes {
		for _, name := range []string{x.Path, x.OldPath} {
			if b, ok := c.Before[name]; ok && b.Withheld == "" {
				sizes[name] = b.Text.Size
			} else if in, err := c.Base.Root.Lstat(name); name != "" && err == nil && in.Mode&fs.ModeType == 0 {
				sizes[name] = in.Size
			}
		}
	}
	return m.Rewritten(func(id string, n graph.MetaNode) (string, graph.MetaNode) {
		if size, ok := sizes[id]; ok && n.Kind.File() {
			n.Size = size
		}
		return id, n
	})
}
