// Package php finds what files of PHP need from one another.
//
// A name is what PHP makes of it: what the namespace imports under it, else a name of the same namespace; of a function the global
// one too. It leads to the file that declares it. Where several do, composer.json says which (autoload and autoload-dev, PSR-4),
// else the nearest is meant. What require and include load is known where it is made of literals and the file's own folder.
//
//	explicit  to what an import or a full name names, and to what is loaded
//	implicit  to what is named without either: of the same namespace, global functions
//
// Names in comments are none, and what a call returns is not known.
package php

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/graph/views"
	"github.com/haversack-dev/haversack/internal/language"
)

// Provider is PHP.
var Provider = graph.Provider{
	Name:     "php",
	Language: "PHP",
	Claims: func(name string) bool {
		l := language.Of(name)
		return l != nil && l.Name == "PHP"
	},
	Reads:  func(name string) bool { return path.Base(name) == "composer.json" },
	Build:  build,
	Define: declaration.Define,

	SameNeeds: names.SameNeeds(parse),
}

// builder makes one answer.
type builder struct {
	files  []*file
	paths  []string
	byPath map[string]bool
	index  *names.Index
	wanted map[string]bool
	views  *views.Index
	// prefixes are the folders of namespaces, by their names in lower case.
	prefixes map[string][]string
	warnings []graph.Warning
}

func build(ctx context.Context, q graph.Request) (*graph.Response, error) {
	b := &builder{index: names.NewIndex(strings.ToLower), wanted: q.Wanted(), byPath: map[string]bool{}, prefixes: map[string][]string{}}
	var err error
	if b.files, b.warnings, err = names.Read(ctx, q, parse); err != nil {
		return nil, err
	}
	for i := range q.Others {
		if path.Base(q.Others[i].Path) == "composer.json" {
			b.composer(&q.Others[i], q.Roots)
		}
	}
	b.views = views.NewIndex(q.Files, q.Others)
	b.paths = make([]string, len(b.files))
	for i, f := range b.files {
		b.paths[i] = q.Files[i].Path
		b.byPath[b.paths[i]] = true
		if f == nil {
			continue
		}
		for _, t := range f.types {
			b.index.Add("", t, names.Place{File: int32(i)})
		}
		for _, t := range f.functions {
			b.index.Add("", t+"()", names.Place{File: int32(i), Type: -1})
		}
	}
	found := make([]names.FileNames, len(b.files))
	if err := graph.Share(ctx, len(b.files), func(i int, w *graph.Work) {
		if b.files[i] != nil {
			found[i] = b.connect(b.files[i], w)
		}
	}); err != nil {
		return nil, err
	}
	return names.Answer(b.paths, found, b.warnings), nil
}

// Bounds of a composer.json: its bytes, and the namespaces of all.
const (
	maxManifest = 1 << 20
	maxPrefixes = 20_000
)

// composer reads which folders hold which namespaces.
func (b *builder) composer(s *graph.SourceFile, roots graph.Roots) {
	type autoload struct {
		PSR4 map[string]any `json:"psr-4"`
	}
	var m struct {
		Autoload    autoload `json:"autoload"`
		AutoloadDev autoload `json:"autoload-dev"`
	}
	if s.Size > maxManifest {
		return
	}
	err := graph.CopySource(s, roots, func(content []byte) error { return json.Unmarshal(content, &m) })
	if err != nil {
		b.warnings = append(b.warnings, graph.Warning{Path: s.Path, Text: "not read: composer.json is none: no namespaces are taken from it"})
		return
	}
	for _, a := range []autoload{m.Autoload, m.AutoloadDev} {
		for prefix, value := range a.PSR4 {
			list, ok := value.([]any)
			if !ok {
				list = []any{value}
			}
			for _, one := range list {
				if dir, ok := one.(string); ok && len(b.prefixes) < maxPrefixes {
					key := strings.ToLower(dots([]byte(prefix)))
					b.prefixes[key] = append(b.prefixes[key], path.Join(path.Dir(s.Path), dir))
				}
			}
		}
	}
}

// autoloaded returns which of the places composer would load for a name; none where it loads none or several.
func (b *builder) autoloaded(name string, list []names.Place) []names.Place {
	for end := len(name); end >= 0; end = strings.LastIndexByte(name[:end], '.') {
		for _, dir := range b.prefixes[strings.ToLower(name[:end])] {
			rest := strings.ReplaceAll(strings.TrimPrefix(name[end:], "."), ".", "/")
			file := path.Join(dir, rest) + ".php"
			if i := slices.IndexFunc(list, func(p names.Place) bool { return b.paths[p.File] == file }); i >= 0 {
				return list[i : i+1]
			}
		}
		if end == 0 {
			break
		}
	}
	return nil
}

// resolve returns the full name of what a name means in a space, and the global one that it may mean instead; whether it is
// imported or full.
func (s *space) resolve(name string, call bool) (full, or string, explicit bool) {
	sign := ""
	if call {
		sign = "()"
	}
	if name[0] == '\\' {
		return dots([]byte(name)) + sign, "", true
	}
	head, rest, qualified := strings.Cut(name, `\`)
	if strings.EqualFold(head, "namespace") && qualified {
		return names.Join(s.name, dots([]byte(rest))) + sign, "", false
	}
	key := strings.ToLower(head)
	if call && !qualified {
		key += sign
	}
	if full, ok := s.uses[key]; ok {
		if qualified {
			full = names.Join(full, dots([]byte(rest))) + sign
		}
		return full, "", true
	}
	full = names.Join(s.name, dots([]byte(name))) + sign
	if call && !qualified && s.name != "" {
		or = name + sign
	}
	return full, or, false
}

// connect finds the edges of a file.
func (b *builder) connect(f *file, w *graph.Work) names.FileNames {
	c := connector{b, f, names.NewFound(w)}
	for k := range f.spaces {
		for _, name := range f.spaces[k].uses {
			c.Names.Imports = append(c.Names.Imports, strings.TrimSuffix(strings.ReplaceAll(name, ".", `\`), "()"))
			if !c.lead(name, true) && len(b.index.Get("", name)) == 0 {
				c.LeftOut++
			}
		}
	}
	for k := range f.refs {
		r := &f.refs[k]
		if !w.Take(1) {
			break
		}
		full, or, explicit := f.spaces[r.space].resolve(r.name, r.call)
		if !c.lead(full, explicit) && or != "" {
			c.lead(or, false)
		}
	}
	for _, name := range f.required {
		c.load(name)
	}
	b.views.Draw(f.path, f.views, &c.FileNames)
	c.Undecided += f.unknown
	for _, t := range f.types {
		c.Names.Exports = append(c.Names.Exports, t[strings.LastIndexByte(t, '.')+1:])
	}
	for _, t := range f.functions {
		c.Names.Exports = append(c.Names.Exports, t[strings.LastIndexByte(t, '.')+1:])
	}
	return c.FileNames
}

// connector finds the edges of one file.
type connector struct {
	*builder
	f *file
	names.FileNames
}

// load draws the edge to a file that is loaded. What does not begin with a folder is looked for beside the file, and from the
// root on.
func (c *connector) load(name string) {
	to := path.Clean(strings.TrimLeft(name, "/")) // one that is above the root is no file of it
	if strings.HasPrefix(name, "/") {
		if !c.byPath[to] {
			c.LeftOut++
			return
		}
	} else {
		root := to
		if to = path.Join(path.Dir(c.f.path), name); !c.byPath[to] {
			to = root
		}
	}
	if c.byPath[to] && to != c.f.path {
		c.Edge(to, graph.Explicit)
		if c.wanted[to] {
			c.Use(to, "*")
		}
	}
}

// lead draws the edge to the file that declares a name, and reports whether one does.
func (c *connector) lead(full string, explicit bool) bool {
	list := c.index.Get("", full)
	if len(list) == 0 {
		return false
	}
	if len(list) > 1 {
		if one := c.autoloaded(full, list); len(one) > 0 {
			list = one
		} else if list = names.Nearest(c.f.path, list, func(i int32) string { return c.paths[i] }); len(list) > 1 {
			c.Undecided++
			return true
		}
	}
	to := c.files[list[0].File]
	if to == c.f {
		return true
	}
	r := graph.Implicit
	if explicit {
		r = graph.Explicit
	}
	c.Edge(to.path, r)
	if c.wanted[to.path] {
		c.Use(to.path, strings.TrimSuffix(full[strings.LastIndexByte(full, '.')+1:], "()"))
	}
	return true
}
