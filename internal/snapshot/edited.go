package snapshot

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
)

// Edited returns a view as it is once files have another content, and nothing else is otherwise; what changed against the base stays as it
// was. It is nil where the whole has to be looked at again: a file is new or out, it decides on others, or a credential is or was in it.
func (x *Finder) Edited(ctx context.Context, v *View, names []string, options provider.Options) (*View, error) {
	files, kept := slices.Clone(v.Found.Files), slices.Clone(v.Sealed.Files)
	var changed []string
	same := true // the graph
	for _, name := range names {
		i, j := place(files, name), place(kept, name)
		if i < 0 || j < 0 || governs(name) || len(files[i].Redactions)+len(kept[j].Redactions) > 0 {
			return nil, nil
		}
		learned := new(secret.KnownValues)
		file, left, err := v.Found.Search.Admit(name, learned)
		if err != nil {
			return nil, err
		}
		if left != nil || learned.Len() > 0 || file.Mode != files[i].Mode || len(file.Redactions) > 0 {
			return nil, nil
		}
		if file.SHA256 == files[i].SHA256 {
			continue
		}
		changed = append(changed, name)
		raw, err := file.Read()
		if err != nil {
			return nil, err
		}
		if _, held := v.Sealed.Screener.Again(name, raw); held {
			return nil, nil
		}
		if _, told := v.Sealed.Meta.Nodes[name]; same && !told {
			same = false
		}
		if same {
			was, err := files[i].Read()
			if err != nil {
				return nil, err
			}
			same = file.Mode.IsRegular() && provider.SameNeeds(name, was, raw)
		}
		file.Key = kept[j].Key
		files[i], kept[j] = *file, *file
	}
	if len(changed) == 0 {
		return v, nil
	}
	found, contents := *v.Found.SearchResult, *v.Sealed.SealedScan
	found.Files, contents.Files = files, kept
	after, sealed, inventory := *v, *v.Sealed, *v.Found
	inventory.SearchResult, sealed.SealedScan = &found, &contents
	after.Found, after.Sealed = &inventory, &sealed
	if same {
		after.Graph = v.Graph.resized(kept, changed)
		sealed.Meta = resized(v.Sealed.Meta, kept, changed)
		return &after, nil
	}
	d, err := x.regraphed(ctx, v.Graph, &inventory, changed, options)
	if err != nil {
		return nil, err
	}
	sealed.Meta = SealMeta(d, &inventory, &contents)
	sealed.Unresolved = unresolved(contents.Screener, d.Result.Unresolved)
	after.Graph = d
	return &after, nil
}

// resized is a graph of the same edges, in which files have what they hold now.
func (d *Dependencies) resized(files []scan.File, names []string) *Dependencies {
	next, result, canonical := *d, *d.Result, *d.Canonical
	nodes := maps.Clone(result.Graph.Nodes)
	for _, name := range names {
		if n := nodes[name]; n != nil {
			f := &files[place(files, name)]
			now := *n
			now.Size, now.SHA256 = f.Size, f.SHA256
			nodes[name] = &now
		}
	}
	result.Graph = &graph.Graph{Nodes: nodes, Edges: result.Graph.Edges}
	canonical.Meta = resized(canonical.Meta, files, names)
	next.Result, next.Canonical = &result, &canonical
	return &next
}

// resized is a meta in which files have the size that they have now.
func resized(m *graph.Meta, files []scan.File, names []string) *graph.Meta {
	nodes := maps.Clone(m.Nodes)
	for _, name := range names {
		if n, ok := nodes[name]; ok {
			n.Size = files[place(files, name)].Size
			nodes[name] = n
		}
	}
	return &graph.Meta{Nodes: nodes}
}

// place is that of a path in a list that is sorted by it; -1 where it is not there.
func place(files []scan.File, name string) int {
	i, ok := slices.BinarySearchFunc(files, name, func(f scan.File, name string) int { return strings.Compare(f.Path, name) })
	if !ok {
		return -1
	}
	return i
}

// governs reports whether a file's content says something of other files: an ignore file, a manifest, a configuration.
func governs(name string) bool {
	if scan.DecidesNames(name) || strings.HasSuffix(name, secret.AllowFile) || name == job.DefaultsFile || strings.HasSuffix(name, ".gitattributes") {
		return true
	}
	return slices.ContainsFunc(provider.All, func(p graph.Provider) bool { return p.Reads != nil && p.Reads(name) })
}

// regraphed is the graph once files were edited: their edges are read again, and those of the files that import them, which may lead through
// them to what defines a name.
func (x *Finder) regraphed(ctx context.Context, d *Dependencies, f *Inventory, names []string, options provider.Options) (*Dependencies, error) {
	now, sources := d.Result, universe(x.Head, f, job.ModeContext)
	options.Of = setOf(names)
	result, err := provider.Build(ctx, d.Roots, sources, options)
	if err == nil && !handsOnTheSame(now, result, names) {
		options.Of = d.followers(names)
		result, err = provider.Build(ctx, d.Roots, sources, options)
	}
	if err != nil {
		return nil, err
	}
	edges := maps.Clone(now.Graph.Edges)
	handed := maps.Clone(now.Names)
	for id := range options.Of {
		delete(edges, id)
		delete(handed, id)
	}
	maps.Copy(edges, result.Graph.Edges)
	maps.Copy(handed, result.Names)
	used := map[string]bool{}
	for _, list := range edges {
		for _, e := range list {
			used[e.Target] = true
		}
	}
	nodes := result.Graph.Nodes
	for id, n := range now.Graph.Nodes {
		if old := nodes[id]; old == nil && used[id] {
			nodes[id] = n
		} else if old != nil && !options.Of[id] {
			old.Description = n.Description
		}
	}
	joined := *now
	joined.Graph, joined.Names = &graph.Graph{Nodes: nodes, Edges: edges}, handed
	joined.Unresolved = stillUnresolved(now.Unresolved, result.Unresolved, options.Of)
	return &Dependencies{Roots: d.Roots, Result: &joined, Canonical: graph.Canonicalize(joined.Graph, d.Roots, options.StanPath), warnings: d.warnings}, nil
}

// handsOnTheSame reports whether files export what they did, and get it from where they did: then imports of them lead where they led.
func handsOnTheSame(before, now *provider.Result, names []string) bool {
	for _, name := range names {
		b, known := before.Names[name]
		n, still := now.Names[name]
		if !known || !still || !slices.Equal(b.Exports, n.Exports) || !slices.Equal(before.Graph.Edges[name], now.Graph.Edges[name]) {
			return false
		}
	}
	return true
}

// setOf is a list as a set.
func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, x := range list {
		set[x] = true
	}
	return set
}

// followers are files, those that import them, and those that import these through files that hand all names on.
func (d *Dependencies) followers(names []string) map[string]bool {
	importers := map[string][]string{}
	for from, edges := range d.Result.Graph.Edges {
		for _, e := range edges {
			importers[e.Target] = append(importers[e.Target], from)
		}
	}
	of, queue := setOf(names), slices.Clone(names)
	seen := map[string]bool{}
	for len(queue) > 0 {
		name := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, from := range importers[name] {
			of[from] = true
			if !seen[from] && slices.Contains(d.Result.Names[from].Exports, "*") {
				seen[from] = true
				queue = append(queue, from)
			}
		}
	}
	return of
}

// stillUnresolved are the imports that lead nowhere: those of before, less those of the files that were read again, and what these have now.
func stillUnresolved(before, read []graph.MissingImport, of map[string]bool) []graph.MissingImport {
	by := map[string]graph.MissingImport{}
	for _, u := range before {
		u.Importers = slices.DeleteFunc(slices.Clone(u.Importers), func(name string) bool { return of[name] })
		if len(u.Importers) > 0 {
			by[u.Name] = u
		}
	}
	for _, u := range read {
		u.Importers = slices.DeleteFunc(slices.Clone(u.Importers), func(name string) bool { return !of[name] })
		if old, ok := by[u.Name]; ok {
			u.Importers = append(u.Importers, old.Importers...)
		}
		slices.Sort(u.Importers)
		if u.Importers = slices.Compact(u.Importers); len(u.Importers) > 0 {
			by[u.Name] = u
		}
	}
	list := make([]graph.MissingImport, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		list = append(list, by[name])
	}
	return list
}
