package pack

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

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
			row := newEntry(f.Path, f.Type, f.Category, f.Size, why)
			row.IsKeyFile, row.ContentExtractable = f.Key != nil, f.Extractable()
			rows = append(rows, row)
			i++
		} else {
			o := &s.Omitted[j]
			rows = append(rows, newEntry(o.Path, o.Type, o.Category, o.Size, o.Reason.Exclusion()))
			j++
		}
	}
	return rows
}

// newEntry is a row of the index; why is empty for what is included. What nobody
// could look at, such as a path that was asked for and is not there, is
// classified by its name.
func newEntry(path string, typ scan.Type, category scan.Category, size int64, why string) Entry {
	if typ == "" || category == "" {
		t, c := scan.Classify(path)
		typ, category = cmp.Or(typ, t), cmp.Or(category, c)
	}
	return Entry{
		Path:            claim.Shown(path),
		Type:            typ,
		Category:        category,
		SizeBytes:       max(size, 0),
		Included:        why == "",
		ExclusionReason: why,
	}
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

// Describe is what a scan knows of a file. Paths are relative: nothing that leaves
// holds an absolute one.
func Describe(f *scan.File) FileMetadata {
	row := newEntry(f.Path, f.Type, f.Category, f.Size, excluded(f))
	name := path.Base(row.Path)
	return FileMetadata{
		Path:               row.Path,
		RelativePath:       row.Path,
		Name:               name,
		Extension:          strings.ToLower(path.Ext(strings.TrimLeft(name, "."))),
		SizeBytes:          row.SizeBytes,
		Type:               string(row.Type),
		Category:           string(row.Category),
		IsKeyFile:          f.Key != nil,
		ContentExtractable: f.Extractable(),
	}
}
