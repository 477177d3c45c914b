// Package provider is the table of languages, and the graph of a repository put
// together from what each of them finds.
//
// Every file belongs to at most one language: to the first in the table that
// claims its name. Where several claim it, those that refuse its first bytes
// are passed over. A script whose name has no ending is claimed as one of the
// language that its first line names. A file that nobody claims is a node
// without edges of its own.
package provider

import (
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/csharp"
	"github.com/haversack-dev/haversack/internal/graph/golang"
	"github.com/haversack-dev/haversack/internal/graph/inclusion"
	"github.com/haversack-dev/haversack/internal/graph/jvm"
	"github.com/haversack-dev/haversack/internal/graph/php"
	"github.com/haversack-dev/haversack/internal/graph/python"
	"github.com/haversack-dev/haversack/internal/graph/ruby"
	"github.com/haversack-dev/haversack/internal/graph/rust"
	"github.com/haversack-dev/haversack/internal/graph/swift"
	"github.com/haversack-dev/haversack/internal/graph/typescript"
	"github.com/haversack-dev/haversack/internal/language"
)

// All are the languages, in the order in which they are asked.
var All = append([]graph.Provider{typescript.Provider, golang.Provider, python.Provider, jvm.Provider, csharp.Provider, php.Provider, ruby.Provider, rust.Provider, swift.Provider}, inclusion.Providers...)

// Options are those of Build.
type Options struct {
	// StanPath is where the program's own files are; ".stan" by default.
	StanPath string
	// Cache is a folder outside the repository in which providers keep what
	// they parsed; "" means none.
	Cache string
	// UsersOf are the sources whose users are wanted by name: what changed.
	UsersOf []string
	// Definitions take what providers find on their way; nil takes none.
	Definitions *Definitions
	// Only are the names of the providers that are asked; nil asks all.
	Only []string
	// Of are the sources whose edges are wanted, nil for all. What answers for no other is
	// not read where the provider can do without it.
	Of map[string]bool
}

// Result is what Build finds.
type Result struct {
	Graph *graph.Graph
	// Names by source: what it exports and imports.
	Names map[string]graph.Names
	// Users by file of Options.UsersOf and by name: the files that use it.
	Users map[string]map[string][]string
	// Unresolved imports, sorted by name.
	Unresolved []graph.MissingImport
	// Languages that have files: those of the table in its order, then those
	// that no provider knows, by name.
	Languages []Language
	Warnings  []graph.Warning
}

// Language says how much of the repository is in a language.
type Language struct {
	Name  string
	Files int
	// Graph is set where a provider read the files.
	Graph bool
	// LeftOut counts imports of packages that are in no root, Undecided names that several files declare.
	LeftOut, Undecided int
}

// Build makes the graph of the sources, which are files of roots.Root, sorted
// by path. Those in .git, in node_modules and in the program's own folders are
// passed over. The error is ctx's.
func Build(ctx context.Context, roots graph.Roots, sources []graph.SourceFile, o Options) (*Result, error) {
	return build(ctx, All, roots, sources, o)
}

func build(ctx context.Context, table []graph.Provider, roots graph.Roots, sources []graph.SourceFile, o Options) (*Result, error) {
	o.StanPath = cmp.Or(o.StanPath, ".stan")
	r := &Result{
		Graph: &graph.Graph{Nodes: make(map[string]*graph.Node, len(sources)), Edges: map[string][]graph.Edge{}},
		Names: map[string]graph.Names{},
		Users: map[string]map[string][]string{},
	}
	var kept []graph.SourceFile
	for _, s := range sources {
		if !graph.PassedOver(s.Path, o.StanPath) {
			kept = append(kept, s)
			r.Graph.Nodes[s.Path] = &graph.Node{Kind: graph.Source, Language: graph.Language(s.Path), Size: s.Size, SHA256: s.SHA256}
		}
	}
	owner := assign(table, kept)
	unresolved := map[string]*graph.MissingImport{}
	owned := make([]int, len(table)) // how many files each provider has
	for _, i := range owner {
		if i >= 0 {
			owned[i]++
		}
	}
	for i := range table {
		if owned[i] == 0 || o.Only != nil && !slices.Contains(o.Only, table[i].Name) {
			continue
		}
		q := graph.Request{Roots: roots, StanPath: o.StanPath, Cache: o.Cache, UsersOf: o.UsersOf,
			Files: make([]graph.SourceFile, 0, owned[i]), Others: make([]graph.SourceFile, 0, len(kept)-owned[i])}
		if o.Definitions != nil {
			q.Defined = o.Definitions.take
		}
		for j, s := range kept {
			if owner[j] == i {
				q.Files = append(q.Files, s)
			} else {
				q.Others = append(q.Others, s)
			}
		}
		if o.Of != nil {
			of := func(s graph.SourceFile) bool { return !o.Of[s.Path] }
			wanted := slices.DeleteFunc(slices.Clone(q.Files), of)
			if table[i].Apart || len(wanted) == 0 {
				q.Files = wanted
			}
		}
		if len(q.Files) == 0 {
			continue
		}
		a, err := table[i].Build(ctx, q)
		if err != nil {
			return nil, err
		}
		if o.Of != nil {
			maps.DeleteFunc(a.Edges, func(id string, _ []graph.Edge) bool { return r.Graph.Nodes[id] != nil && !o.Of[id] })
		}
		r.add(a, unresolved)
		r.Languages = append(r.Languages, read(table[i], q.Files, a.LeftOut, a.Undecided)...)
	}
	r.Languages = append(r.Languages, unread(kept, owner)...)
	for _, u := range unresolved {
		slices.Sort(u.Importers)
		u.Importers = slices.Compact(u.Importers)
		r.Unresolved = append(r.Unresolved, *u)
	}
	slices.SortFunc(r.Unresolved, func(a, b graph.MissingImport) int { return strings.Compare(a.Name, b.Name) })
	r.Warnings = graph.SortWarnings(r.Warnings)
	return r, nil
}

// add takes what one provider answers into the result.
func (r *Result) add(a *graph.Response, unresolved map[string]*graph.MissingImport) {
	for id, n := range a.Nodes {
		if r.Graph.Nodes[id] == nil {
			r.Graph.Nodes[id] = &n
		}
	}
	for id, edges := range a.Edges {
		if len(edges) > 0 {
			r.Graph.Edges[id] = graph.SortEdges(append(r.Graph.Edges[id], edges...))
		}
	}
	for id, text := range a.Descriptions {
		if n := r.Graph.Nodes[id]; n != nil {
			n.Description = text
		}
	}
	for id, names := range a.Names {
		r.Names[id] = names
	}
	for file, names := range a.Users {
		if r.Users[file] == nil {
			r.Users[file] = map[string][]string{}
		}
		for name, users := range names {
			list := append(r.Users[file][name], users...)
			slices.Sort(list)
			r.Users[file][name] = slices.Compact(list)
		}
	}
	for _, u := range a.Unresolved {
		if old := unresolved[u.Name]; old != nil {
			old.Importers = append(old.Importers, u.Importers...)
			old.Ambient = cmp.Or(old.Ambient, u.Ambient)
		} else {
			unresolved[u.Name] = &u
		}
	}
	r.Warnings = append(r.Warnings, a.Warnings...)
}

// For returns the provider of a file's name, or false. It does not look at the
// content.
func For(name string) (graph.Provider, bool) {
	for _, p := range All {
		if p.Claims(name) {
			return p, true
		}
	}
	return graph.Provider{}, false
}

// headSize is how much of a file is looked at where several claim its name.
const headSize = 512

// assign gives each source to one provider: its index in the table, or -1.
func assign(table []graph.Provider, sources []graph.SourceFile) []int {
	owner := make([]int, len(sources))
	for j, s := range sources {
		owner[j] = -1
		var claims []int
		for i, p := range table {
			if p.Claims(s.As()) {
				claims = append(claims, i)
			}
		}
		if len(claims) > 1 {
			head := head(s)
			claims = slices.DeleteFunc(claims, func(i int) bool { return table[i].Refuses != nil && table[i].Refuses(head) })
		}
		if len(claims) > 0 {
			owner[j] = claims[0]
		}
	}
	return owner
}

// head returns the first bytes of a file; nil when it cannot be read.
func head(s graph.SourceFile) []byte {
	f, err := s.Open()
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, headSize))
	if err != nil {
		return nil
	}
	return b
}

// read counts a provider's files: those of its language, and then, by name, those of others that it reads in part.
func read(p graph.Provider, files []graph.SourceFile, leftOut, undecided int) []Language {
	count := map[string]int{}
	own := strings.Fields(p.Language) // TypeScript and JavaScript
	for _, s := range files {
		name := ""
		if l := language.Of(s.As()); l != nil && !slices.Contains(own, l.Name) {
			name = l.Name
		}
		count[name]++
	}
	list := []Language{{p.Language, count[""], true, leftOut, undecided}}
	delete(count, "")
	for _, name := range slices.Sorted(maps.Keys(count)) {
		list = append(list, Language{Name: name, Files: count[name], Graph: true})
	}
	if list[0].Files == 0 && len(list) > 1 {
		list[1].LeftOut, list[1].Undecided = leftOut, undecided
		list = list[1:]
	}
	return list
}

// unread counts the files of languages that no provider knows.
func unread(sources []graph.SourceFile, owner []int) (list []Language) {
	count := map[string]int{}
	for i, s := range sources {
		if l := language.Of(s.As()); owner[i] < 0 && l != nil && l.Kind == language.Code {
			count[l.Name]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		list = append(list, Language{Name: name, Files: count[name]})
	}
	return list
}
