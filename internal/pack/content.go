package pack

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

var replacement = []byte("\uFFFD")

// decode reads a file as UTF-8, and counts the characters that could not be
// decoded. A replacement character of the file's own in UTF-8 is not one.
func decode(f *scan.File) (s []byte, undecodable int, err error) {
	raw, err := f.Read()
	if err != nil {
		return nil, 0, fmt.Errorf("reading %s: %w", shown(f.Path), err)
	}
	s = text.Decode(raw, f.Encoding)
	switch f.Encoding {
	case text.UTF8, text.UTF8BOM:
		if !utf8.Valid(s) {
			// The scanner's word was UTF-8; were it not, JSON would change the content.
			valid := bytes.ToValidUTF8(s, replacement)
			return valid, bytes.Count(valid, replacement) - bytes.Count(s, replacement), nil
		}
	case text.Latin1: // nothing is undecodable
	default:
		undecodable = bytes.Count(s, replacement)
	}
	return s, undecodable, nil
}

// decodedSize is the length in UTF-8 where it is known without reading, else -1.
func decodedSize(f *scan.File) int64 {
	switch f.Encoding {
	case text.UTF8:
		return f.Size
	case text.UTF8BOM:
		return f.Size - 3
	}
	return -1
}

// roomFor is the most bytes that a full pack keeps of a file.
func (c *Constraints) roomFor(f *scan.File) int {
	if f.Key != nil {
		return min(c.MaxFileBytes, scan.MaxKeyBytes)
	}
	return c.MaxFileBytes
}

// rank orders categories by what they tell about a project, most first.
var rank = map[scan.Category]int{
	scan.CategoryEntrypoint: 0, scan.CategoryConfig: 1, scan.CategoryAuth: 2, scan.CategoryAPI: 3, scan.CategoryDatabase: 4,
	scan.CategorySource: 5, scan.CategoryDocumentation: 6, scan.CategoryBuild: 7, scan.CategoryTest: 8, scan.CategoryOther: 9,
	scan.CategoryDependency: 10,
}

// byImportance orders files for a pack that cannot hold all: key files in their
// order, then by category, the smaller, the shallower, the path.
func byImportance(a, b *scan.File) int {
	switch {
	case a.Key != nil && b.Key != nil:
		return scan.CompareKeys(a, b)
	case a.Key != nil:
		return -1
	case b.Key != nil:
		return 1
	}
	return cmp.Or(
		cmp.Compare(rank[a.Category], rank[b.Category]),
		cmp.Compare(a.Size, b.Size),
		cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")),
		cmp.Compare(a.Path, b.Path),
	)
}

// extractable are the files whose content a pack may hold, most important first.
func extractable(s *scan.Snapshot) []*scan.File {
	var out []*scan.File
	for i := range s.Files {
		if f := &s.Files[i]; f.Extractable() {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, byImportance)
	return out
}

// excluded says why a file of the snapshot is not in a pack, whatever the
// limits; "" when it may be.
func excluded(f *scan.File) string {
	switch {
	case f.Extractable():
		return ""
	case f.LowValue != "":
		return scan.LowValue.Exclusion()
	case f.Mode&fs.ModeSymlink != 0:
		return scan.Special.Exclusion()
	}
	return scan.Binary.Exclusion()
}

// index returns the rows of all scanned paths, sorted by path. out tells what
// keeps a file from the pack beside the reasons of the snapshot.
func index(s *scan.Snapshot, out map[string]string) []Entry {
	rows := make([]Entry, 0, len(s.Files)+len(s.Omitted))
	for i, j := 0, 0; i < len(s.Files) || j < len(s.Omitted); {
		if j == len(s.Omitted) || i < len(s.Files) && s.Files[i].Path < s.Omitted[j].Path {
			f := &s.Files[i]
			why := excluded(f)
			if why == "" {
				why = out[f.Path]
			}
			rows = append(rows, Entry{shown(f.Path), f.Type, f.Category, f.Size, why == "", why})
			i++
		} else {
			o := &s.Omitted[j]
			rows = append(rows, Entry{shown(o.Path), o.Type, o.Category, o.Size, false, o.Reason.Exclusion()})
			j++
		}
	}
	return rows
}

// count fills in what the rows add up to.
func (m *Metadata) count(rows []Entry) {
	m.TotalFilesScanned = len(rows)
	for _, r := range rows {
		if r.Included {
			m.FilesIncluded++
		}
	}
	m.FilesExcluded = m.TotalFilesScanned - m.FilesIncluded
}
