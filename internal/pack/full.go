package pack

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// BuildFull makes a full pack. reason says why it is this one; Select has one.
// The error is of reading a file.
func BuildFull(src *Source, reason string) (*Full, error) {
	c := &src.Limits
	p := &Full{
		Type:     TypeFull,
		KeyFiles: []KeyFile{},
		Contents: []Content{},
		Metadata: metadata(src, TypeFull, reason),
	}
	m := &p.Metadata
	limit, _ := c.limit()
	left := min(limit, c.MaxTotalBytes)
	out := map[string]string{} // by path, why a file is not in the pack
	full := false              // nothing more fits
	held, of := 0, 0
	for _, f := range extractable(src.Snapshot) {
		of++
		if full || held == c.MaxFiles {
			out[f.Path] = string(scan.SizeLimit)
			continue
		}
		s, undecodable, err := decode(f)
		if err != nil {
			return nil, err
		}
		skip := undecodable > 0 && c.SkipUndecodable
		if f.Encoding != text.UTF8 || undecodable > 0 {
			m.Encodings = append(m.Encodings, EncodingNote{shown(f.Path), string(f.Encoding), undecodable, skip})
		}
		if skip {
			out[f.Path] = string(scan.Binary)
			continue
		}
		room := c.roomFor(f)
		cut := c.file(room).Cut(s)
		if int64(len(cut.String())) > left {
			// The first that does not fit takes what is left; were smaller files
			// let in behind it, a narrower limit could add content.
			full = true
			cut = c.file(int(min(left, int64(room)))).Cut(s)
			if cut.Bytes() == 0 {
				out[f.Path] = string(scan.SizeLimit)
				continue
			}
		}
		held++
		content := cut.String()
		left -= int64(len(content))
		m.TotalContentBytes += int64(len(content))
		if cut.Truncated {
			m.Truncations = append(m.Truncations, Truncation{
				Path:          shown(f.Path),
				OriginalBytes: int64(len(s)),
				KeptBytes:     int64(cut.Bytes()),
				OriginalLines: f.Lines,
				HeadLines:     cut.HeadLines,
				TailLines:     cut.TailLines,
			})
		}
		if f.Key != nil {
			p.KeyFiles = append(p.KeyFiles, KeyFile{shown(f.Path), f.Category, f.Key.Importance, content, cut.Truncated})
		} else {
			p.Contents = append(p.Contents, Content{shown(f.Path), content, cut.Truncated, f.Size})
		}
	}
	slices.SortFunc(p.Contents, func(a, b Content) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(m.Truncations, func(a, b Truncation) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(m.Encodings, func(a, b EncodingNote) int { return strings.Compare(a.Path, b.Path) })
	if n := countValue(out, string(scan.SizeLimit)); n > 0 {
		m.Cuts = append(m.Cuts, Cut{"contents", n, of})
	}
	m.TruncationApplied = len(m.Truncations) > 0
	p.FileIndex = index(src.Snapshot, out)
	m.count(p.FileIndex)
	facts, err := gather(src)
	if err != nil {
		return nil, err
	}
	p.Manifest = facts.manifest()
	m.Warnings = append(m.Warnings, facts.told()...)
	return p, nil
}

func countValue(m map[string]string, v string) int {
	n := 0
	for _, x := range m {
		if x == v {
			n++
		}
	}
	return n
}

func metadata(src *Source, t Type, reason string) Metadata {
	return Metadata{
		PackType:        t,
		CreatedAt:       src.Created,
		SourceRoot:      ".",
		SelectionReason: reason,
		Truncations:     []Truncation{},
		Encodings:       []EncodingNote{},
		Cuts:            []Cut{},
		Warnings:        []Warning{},
	}
}
