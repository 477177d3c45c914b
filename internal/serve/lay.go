package serve

import (
	"cmp"
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
	Path  string `json:"path,omitempty" jsonschema:"a folder, the root if it is not given; of a file all names are told"`
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
	a := &Answer{}
	deeper, unknown := map[string]int{}, map[string]bool{}
	files, below, left := 0, 0, cut{}
	for i := range s.view.Sealed.Files {
		f := &s.view.Sealed.Files[i]
		rest, ok := under(dir, f.Path)
		if !ok {
			continue
		}
		files++
		if parts := strings.Split(rest, "/"); len(parts) > depth {
			below++
			deeper[path.Join(append([]string{dir}, parts[:depth]...)...)+"/"]++
			continue
		}
		found, known, err := s.index.Offered(f.Path)
		if err != nil {
			return nil, err
		}
		if end := lookup.UndefinedEnd(f.Path); end != "" {
			unknown[end] = true
		} else if !known {
			unknown[f.Path] = true
		}
		most := maxMapped
		if rest == "" { // it is asked for alone
			most = len(found)
		}
		a.Rows = append(a.Rows, Row{Path: f.Path, Doc: left.names(f.Path, found, most), Kind: string(f.Category), Test: language.IsTest(f.Path)})
	}
	if files == 0 {
		return nil, missing(s, dir+"/")
	}
	for _, name := range slices.Sorted(maps.Keys(deeper)) {
		a.Rows = append(a.Rows, Row{Path: name, Kind: "folder", Doc: fmt.Sprintf("%d files", deeper[name])})
	}
	slices.SortStableFunc(a.Rows, func(p, q Row) int { return strings.Compare(p.Path, q.Path) })
	a.Searched = fmt.Sprintf("%d files", files)
	a.Unknown = slices.Sorted(maps.Keys(unknown))
	a.Complete = below == 0 && left.total == 0
	if below > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d files in %d deeper folders are not told one by one: map(path: %q), or map(depth: %d)", below, len(deeper), slices.Min(slices.Collect(maps.Keys(deeper))), depth+2))
	}
	if left.total > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d names of %d files are left out, for more than %d each: map(path: %q) tells all of a file", left.total, left.files, maxMapped, left.first))
	}
	omitted := 0
	for _, o := range s.view.Sealed.Omitted {
		if _, ok := under(dir, o.Path); ok {
			omitted++
		}
	}
	if omitted > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d paths here are left out: ignored, binary, or for credentials", omitted))
	}
	return a, nil
}

// under is a path as it is seen from a folder, "" for the very path; ok is false where it does not lie there.
func under(dir, name string) (rest string, ok bool) {
	if dir == "" {
		return name, true
	}
	if rest, ok = strings.CutPrefix(name, dir); !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.TrimPrefix(rest, "/"), true
}

// cut counts the names that a map leaves out.
type cut struct {
	total, files int
	first        string // the first file that has more
}

// names is what a file defines for others, in a few words.
func (c *cut) names(file string, list []string, most int) string {
	said := strings.Join(list[:min(most, len(list))], ", ")
	if more := len(list) - most; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
		c.total, c.files, c.first = c.total+more, c.files+1, cmp.Or(c.first, file)
	}
	return said
}

// sortedNodes are the ids of a graph in order.
func sortedNodes(m *graph.Meta) []string { return slices.Sorted(maps.Keys(m.Nodes)) }
