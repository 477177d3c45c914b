package typescript

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	tsgo "github.com/microsoft/typescript-go/tsshim"
)

// Provider is TypeScript and JavaScript.
var Provider = graph.Provider{
	Name:     "node",
	Language: "TypeScript and JavaScript",
	Claims:   Analyses,
	// Translations of Qt end in .ts, and HTML is served in place of scripts.
	Refuses: func(head []byte) bool { return notCode(string(head)) },
	Reads: func(name string) bool {
		base := path.Base(name)
		return tool(base) != "" || path.Ext(base) == ".json" && strings.Contains(base, "config")
	},
	Apart:       true,
	Build:       respond,
	Define:      Define,
	Unformatted: unformatted,
	SameNeeds:   sameNeeds,
}

// sameNeeds reports whether what is kept of two texts is the same: what is kept between runs decides on a file's edges by itself.
func sameNeeds(name string, a, b []byte) bool {
	if tool(name) != "" { // it decides on the edges of others
		return bytes.Equal(a, b)
	}
	was, ok := kept(name, a)
	if !ok {
		return false
	}
	is, ok := kept(name, b)
	return ok && bytes.Equal(was, is)
}

// kept is what is kept of a text, but for its size; false where it is kept of none.
func kept(name string, content []byte) ([]byte, bool) {
	text, err := decode(content)
	if err != nil || notCode(text) && !isComponent(name) {
		return nil, false
	}
	file, _, code, err := parseFile(new(tsgo.Parser), base+"/"+name, text, false)
	if err != nil {
		return nil, false
	}
	return record{file: file, description: describe(code)}.encode(), true
}

func respond(ctx context.Context, q graph.Request) (*graph.Response, error) {
	sources := slices.Concat(q.Files, q.Others)
	slices.SortFunc(sources, func(a, b graph.SourceFile) int { return strings.Compare(a.Path, b.Path) })
	b := newBuilder(q.Roots, sources, q.StanPath)
	b.cached, b.defined = openCache(q.Cache), q.Defined
	for _, name := range q.UsersOf {
		b.wanted[b.files.abs(name)] = true
	}
	r, err := b.build(ctx)
	if err != nil {
		return nil, err
	}
	a := &graph.Response{
		Edges: r.Graph.Edges, Nodes: map[string]graph.Node{}, Descriptions: map[string]string{},
		Names: map[string]graph.Names{}, Unresolved: r.Unresolved, Warnings: r.Warnings, Users: b.users(),
	}
	for id, n := range r.Graph.Nodes {
		if _, ok := b.known[id]; !ok {
			a.Nodes[id] = *n
		} else if n.Description != "" {
			a.Descriptions[id] = n.Description
		}
	}
	for name, o := range r.Outlines {
		a.Names[name] = graph.Names(o)
	}
	return a, nil
}

// users are the files that import the names which the wanted files define.
func (b *builder) users() map[string]map[string][]string {
	if len(b.wanted) == 0 {
		return nil
	}
	all := map[string]map[string][]string{}
	for i := range b.sources {
		m := b.modules.get(b.files.abs(b.sources[i].Path))
		if m == nil {
			continue
		}
		steps := 0
		for j, t := range m.resolved() {
			for _, n := range m.file.Refs[j].Bindings {
				for _, file := range b.definers(t, []tsgo.Binding{n}, n.Type, &steps) {
					if !b.wanted[file] {
						continue
					}
					id := b.files.id(file)
					if all[id] == nil {
						all[id] = map[string][]string{}
					}
					all[id][n.Name] = append(all[id][n.Name], b.sources[i].Path)
				}
			}
		}
	}
	for _, names := range all {
		for n, list := range names {
			slices.Sort(list)
			names[n] = slices.Compact(list)
		}
	}
	return all
}
