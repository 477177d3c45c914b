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
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// MapArguments are those of map.
type MapArguments struct {
	Path  string `json:"path,omitempty" jsonschema:"a folder, the root if it is not given; of a file all names are told"`
	Depth int    `json:"depth,omitempty" jsonschema:"how many folders deep files are told; if it is not given 2, or 1 where that has no room"`
	Room
}

// maxMapped bounds the definitions that a map names of one file.
const maxMapped = 12

// lay answers what lies where. Where nobody asked how deep, and two folders deep is more than there is room for, it is one.
func (x *Server) lay(_ context.Context, s *sight, in MapArguments) (*Answer, error) {
	if in.Depth > 0 {
		return x.laid(s, in)
	}
	in.Depth = 2
	a, err := x.laid(s, in)
	if err != nil {
		return nil, err
	}
	var all strings.Builder
	for i := range a.Rows {
		all.WriteString(a.Rows[i].text())
	}
	if x.counter.Within([]byte(all.String()), in.within(DefaultTokens).Tokens) {
		return a, nil
	}
	in.Depth = 1
	return x.laid(s, in)
}

// laid is what lies so many folders deep: tests behind all else.
func (x *Server) laid(s *sight, in MapArguments) (*Answer, error) {
	dir := strings.Trim(path.Clean("/"+strings.ReplaceAll(in.Path, "\\", "/")), "/")
	if strings.Contains("/"+in.Path+"/", "/../") {
		return nil, fmt.Errorf("path: %q leads out of the root: paths are relative to it", in.Path)
	}
	depth := in.Depth
	a := &Answer{}
	deeper, unknown := map[string]*folder{}, map[string]bool{}
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
			name := path.Join(append([]string{dir}, parts[:depth]...)...) + "/"
			if deeper[name] == nil {
				deeper[name] = &folder{}
			}
			deeper[name].add(f.Path, parts[depth])
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
		a.Rows = append(a.Rows, Row{Path: f.Path, Doc: left.names(f.Path, found, most), Kind: kindOf(f), Test: language.IsTest(f.Path)})
	}
	if files == 0 {
		return nil, missing(s, dir+"/")
	}
	for _, name := range slices.Sorted(maps.Keys(deeper)) {
		a.Rows = append(a.Rows, Row{Path: name, Kind: "folder", Doc: deeper[name].said(), Test: deeper[name].files == deeper[name].tests})
	}
	slices.SortStableFunc(a.Rows, func(p, q Row) int { return cmp.Or(compareBool(p.Test, q.Test), strings.Compare(p.Path, q.Path)) })
	a.Searched = count(files, "file", "files")
	a.Unknown = slices.Sorted(maps.Keys(unknown))
	a.Complete = below == 0 && left.total == 0
	if below > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%s not told one by one, in %s: map(path: %q), or map(depth: %d)", count(below, "file is", "files are"), count(len(deeper), "deeper folder", "deeper folders"), slices.Min(slices.Collect(maps.Keys(deeper))), depth+2))
	}
	if left.total > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("left out: %s of %s, for more than %d each: map(path: %q) tells all of a file", count(left.total, "name", "names"), count(left.files, "file", "files"), maxMapped, left.first))
	}
	omitted := 0
	for _, o := range s.view.Sealed.Omitted {
		if _, ok := under(dir, o.Path); ok {
			omitted++
		}
	}
	if omitted > 0 {
		a.Notes = append(a.Notes, count(omitted, "path here is", "paths here are")+" left out: ignored, binary, or for credentials")
	}
	return a, nil
}

// kindOf is what a file is for. Of code it is not told what its name alone says, that it is of a database or an interface.
func kindOf(f *scan.File) string {
	byName := []scan.Category{scan.CategoryDatabase, scan.CategoryAPI, scan.CategoryAuth}
	if slices.Contains(byName, f.Category) && source.Runs(f.Path) {
		return string(scan.CategorySource)
	}
	return string(f.Category)
}

// folder is what lies deeper than a map goes.
type folder struct {
	files, tests int
	// holds are the first names in it that are no tests, files without their ending.
	holds []string
}

// maxHeld bounds the names that a map tells of a folder.
const maxHeld = 8

// add counts a file, which lies in the folder by a name of its own or in a folder of that name.
func (d *folder) add(file, name string) {
	d.files++
	if language.IsTest(file) {
		d.tests++
		return
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	if len(d.holds) <= maxHeld && name != "" && !slices.Contains(d.holds, name) {
		d.holds = append(d.holds, name)
	}
}

// said is a folder in a few words.
func (d *folder) said() string {
	said := count(d.files, "file", "files")
	if len(d.holds) > 0 {
		said += ": " + strings.Join(d.holds[:min(maxHeld, len(d.holds))], ", ")
	}
	if len(d.holds) > maxHeld {
		said += ", …"
	}
	return said
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
	list = slices.Compact(slices.Clone(list)) // one that is overloaded is told once
	said := strings.Join(list[:min(most, len(list))], ", ")
	if more := len(list) - most; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
		c.total, c.files, c.first = c.total+more, c.files+1, cmp.Or(c.first, file)
	}
	return said
}

// sortedNodes are the ids of a graph in order.
func sortedNodes(m *graph.Meta) []string { return slices.Sorted(maps.Keys(m.Nodes)) }
