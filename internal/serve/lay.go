package serve

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lookup"
)

// MapArguments are those of map.
type MapArguments struct {
	Path  string `json:"path,omitempty" jsonschema:"a folder, the root if it is not given"`
	Depth int    `json:"depth,omitempty" jsonschema:"how many folders deep files are told, 2 if it is not given"`
	Room
}

// maxMapped bounds the definitions that a map names of one file.
const maxMapped = 12

// lay answers what lies where.
func (x *Server) lay(_ context.Context, s *sight, in MapArguments) (*Answer, error) {
	dir := strings.Trim(path.Clean("/"+strings.ReplaceAll(in.Path, "\\", "/")), "/")
	if strings.Contains("/"+in.Path+"/", "/../") {
		return nil, fmt.Errorf("path: %q leads out of the root: paths are relative to it", in.Path)
	}
	depth := in.Depth
	if depth <= 0 {
		depth = 2
	}
	a := &Answer{Complete: true}
	deeper := map[string]int{}
	files := 0
	for i := range s.view.Sealed.Files {
		f := &s.view.Sealed.Files[i]
		rest := f.Path
		if dir != "" {
			var below bool
			if rest, below = strings.CutPrefix(f.Path, dir+"/"); !below {
				continue
			}
		}
		files++
		if parts := strings.Split(rest, "/"); len(parts) > depth {
			deeper[path.Join(append([]string{dir}, parts[:depth]...)...)+"/"]++
			continue
		}
		found, err := s.index.Offered(f.Path)
		if err != nil {
			return nil, err
		}
		a.Rows = append(a.Rows, Row{Path: f.Path, Doc: outline(found), Kind: string(f.Category), Test: language.IsTest(f.Path)})
	}
	for _, name := range slices.Sorted(maps.Keys(deeper)) {
		a.Rows = append(a.Rows, Row{Path: name, Kind: "folder", Doc: fmt.Sprintf("%d files", deeper[name])})
	}
	slices.SortStableFunc(a.Rows, func(p, q Row) int { return strings.Compare(p.Path, q.Path) })
	if files == 0 {
		return nil, missing(s, dir+"/")
	}
	a.Searched = fmt.Sprintf("%d files", files)
	a.Unknown = lookup.Undefined(s.view.Sealed)
	if n := len(s.view.Sealed.Omitted); n > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d paths of the repository are left out: ignored, binary, or for credentials", n))
	}
	return a, nil
}

// outline is what a file defines for others, in a few words.
func outline(list []string) string {
	said := strings.Join(list[:min(maxMapped, len(list))], ", ")
	if more := len(list) - maxMapped; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return said
}

// sortedNodes are the ids of a graph in order.
func sortedNodes(m *graph.Meta) []string { return slices.Sorted(maps.Keys(m.Nodes)) }
