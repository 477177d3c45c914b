// Package graph is the model of what a repository's files need from one
// another, and the formats and questions that stand on it (docs/formats.md).
//
// A Graph is what a provider finds: nodes named by path, edges one by one. A
// Meta is the same with canonical ids and merged edges, as it is archived:
// every id of a file is the address under which an archive holds it.
//
//	source    path in the root                         src/index.ts
//	external  <stan>/context/npm/<name>/<version>/...   of a package; of a Go
//	          module below go, of a distribution of Python below pypi
//	          <stan>/context/abs/<sha256>/<base name>   of no package
//	builtin   <language>:<name>                        node:fs, go:fmt, python:os
//	missing   the import as it is written
//
// A closure walks a Meta from the entries of a State: along the edges whose
// kind an entry asks for, as many steps as it allows. Excludes win.
//
// Everything is ordered bytewise. Nothing here depends on the clock, on the
// machine, or on the order of its input.
package graph

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Kind is what a node stands for. The values are those of the meta's "k".
type Kind uint8

const (
	// Source is a file in the root.
	Source Kind = iota
	// External is a file of a dependency.
	External
	// Builtin is a module of the platform.
	Builtin
	// Missing is an import that leads nowhere.
	Missing
)

var kinds = []string{"source", "external", "builtin", "missing"}

func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "unknown"
}

// File reports whether nodes of the kind stand for files.
func (k Kind) File() bool { return k == Source || k == External }

// Uses is a set of ways in which one file uses another. The bits are those of
// the meta's edges and of the state's entries.
type Uses uint8

const (
	// Runtime is what loading the file loads.
	Runtime Uses = 1
	// Type is what is needed to check types alone.
	Type Uses = 2
	// Dynamic is what is loaded later, if at all.
	Dynamic Uses = 4
	// All is every way there is.
	All Uses = 7
)

var uses = []string{"runtime", "type", "dynamic"}

// String lists the names of the set, joined by "+".
func (u Uses) String() string {
	var names []string
	for i, name := range uses {
		if u&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "+")
}

// ParseUses is the reverse of Uses.String for a single name; "all" is All.
func ParseUses(name string) (Uses, bool) {
	if name == "all" {
		return All, true
	}
	i := slices.Index(uses, name)
	if i < 0 {
		return 0, false
	}
	return 1 << i, true
}

// Resolution is a set of ways in which an edge was found.
type Resolution uint8

const (
	// Explicit is an edge to what an import names.
	Explicit Resolution = 1
	// Implicit is an edge to what defines the imported name, behind files that
	// hand it on; or a guess that is better than nothing (a workspace package
	// that is not built).
	Implicit Resolution = 2
)

func (r Resolution) String() string {
	switch r {
	case Explicit:
		return "explicit"
	case Implicit:
		return "implicit"
	case Explicit | Implicit:
		return "both"
	}
	return "none"
}

// Node is a file, or what an import names in place of one.
type Node struct {
	Kind Kind
	// Language is ts, js, json, md or other.
	Language string
	// Size in bytes; 0 for what is no file.
	Size int64
	// SHA256 of the content in lower hex; "" where nobody asked.
	SHA256 string
	// Description is the file's own summary of itself, or "".
	Description string
	// Address is where an external file stands below <stan>/context, where its provider knows
	// that: go/<module>/<version>/<path>, pypi/<name>/<version>/<path>. Else the package.json above it tells.
	Address string
}

// Edge is one use. In a Graph, Uses and Resolution have one bit each.
type Edge struct {
	Target     string
	Uses       Uses
	Resolution Resolution
}

// Graph is what providers find. Ids of files are paths: relative to the root,
// or absolute for files of a declared external root.
type Graph struct {
	Nodes map[string]*Node
	// Edges by source id, sorted and without duplicates. Absent means none.
	Edges map[string][]Edge
}

// SortEdges orders edges by target, use and resolution, and drops duplicates.
func SortEdges(edges []Edge) []Edge {
	slices.SortFunc(edges, func(a, b Edge) int {
		if n := strings.Compare(a.Target, b.Target); n != 0 {
			return n
		}
		return cmp.Or(cmp.Compare(a.Uses, b.Uses), cmp.Compare(a.Resolution, b.Resolution))
	})
	return slices.Compact(edges)
}

// SourceFile is a file that a provider may read.
type SourceFile struct {
	tree.File
	// SHA256 of what Open yields, in lower hex; "" where it is not known.
	SHA256 string
	// Script is the ending of the language that the first line names of a file whose name has none; "" of any other.
	Script string
}

// As is the name by which the file is read.
func (s *SourceFile) As() string { return language.WithEnding(s.Path, s.Script) }

// Warning is a surprise that did not stop the run.
type Warning struct {
	// Path is the file it is about, or "".
	Path string
	Text string
}

func (w Warning) String() string {
	if w.Path == "" {
		return w.Text
	}
	return text.Name(w.Path) + ": " + w.Text
}

// SortWarnings orders warnings by path and text, and drops duplicates.
func SortWarnings(list []Warning) []Warning {
	slices.SortFunc(list, func(a, b Warning) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(list)
}

// MissingImport is an import that leads nowhere.
type MissingImport struct {
	// Name is the import as it is written.
	Name string
	// Importers are the files that hold it, sorted.
	Importers []string
	// File is the file in the root that the name points to, where there is one
	// that is no module (a style sheet, an image); else "".
	File string
	// Ambient is the file that declares a module of this name; else "".
	Ambient string
}

// Language tells a file's language by its name: ts, js, json, md or other.
func Language(name string) string {
	name = strings.ToLower(path.Base(name))
	switch path.Ext(name) {
	case ".ts", ".tsx", ".mts", ".cts":
		return "ts"
	case ".js", ".jsx", ".mjs", ".cjs":
		return "js"
	case ".json":
		return "json"
	case ".md":
		return "md"
	}
	return "other"
}

// ExternalRoot is a folder outside the root whose files may be looked at.
type ExternalRoot struct {
	// Dir is its absolute path, slash-separated and clean.
	Dir  string
	Root *tree.Root
}

// Roots is where files are: in the root, and below declared folders outside.
type Roots struct {
	// Dir is the absolute path of Root, slash-separated and clean. It matters
	// only to imports that lead into an external root.
	Dir      string
	Root     *tree.Root
	External []ExternalRoot
}

// errOutside is returned for paths in no root.
var errOutside = errors.New("outside every root")

// In returns the root that holds the path (relative to Root, or absolute) and
// the path there.
func (r Roots) In(name string) (*tree.Root, string, error) {
	if !strings.HasPrefix(name, "/") {
		return r.Root, name, nil
	}
	for _, e := range r.External {
		if rel, ok := Below(e.Dir, name); ok {
			return e.Root, rel, nil
		}
	}
	return nil, "", errOutside
}

// ReadFile returns the content of a file of at most limit bytes.
func (r Roots) ReadFile(name string, limit int64) ([]byte, error) {
	root, rel, err := r.In(name)
	if err != nil {
		return nil, err
	}
	return root.ReadFile(rel, limit)
}

// Below returns name relative to the folder dir, when it lies in it.
func Below(dir, name string) (string, bool) {
	if name == dir {
		return ".", true
	}
	if dir != "/" {
		dir += "/"
	}
	return strings.CutPrefix(name, dir)
}
