package pack

import (
	"fmt"
)

// Selection is the choice between the two packs.
type Selection struct {
	Type Type
	// Reason in words, with the numbers that decided.
	Reason string
	// Estimate is the content of a full pack in bytes, after each file is cut to
	// its limit. AtLeast: counting stopped when it was over the limit for certain.
	Estimate int64
	AtLeast  bool
	// Files that a full pack would hold.
	Files int
}

// Select is seed 003's PackSelector. Its rules, in this order: summaries are
// preferred; the estimate exceeds the limit; more files than max-files; else full.
//
// The limit is the smallest of max-content-bytes and the providers' limits.
func Select(src *Source) (Selection, error) {
	c := &src.Limits
	limit, by := c.limit()
	var s Selection
	unsure := 0
	files := extractable(src.Snapshot)
	s.Files = len(files)
	for _, f := range files {
		if n := decodedSize(f); n >= 0 && n <= int64(c.roomFor(f)) {
			s.Estimate += n
		} else {
			unsure++
		}
	}
	// Files that are cut or decoded must be read to know what is left of them.
	s.AtLeast = unsure > 0 && s.Estimate > limit
	if unsure > 0 && !s.AtLeast {
		for i, f := range files {
			if n := decodedSize(f); n >= 0 && n <= int64(c.roomFor(f)) {
				continue
			}
			b, undecodable, err := decode(f)
			if err != nil {
				return Selection{}, err
			}
			if undecodable > 0 && c.SkipUndecodable {
				continue
			}
			s.Estimate += int64(len(c.file(c.roomFor(f)).Cut(b).String()))
			if s.Estimate > limit && i < len(files)-1 {
				s.AtLeast = true
				break
			}
		}
	}
	s.Type = TypeSummary
	about := fmt.Sprintf("%d bytes of content in %d files", s.Estimate, s.Files)
	if s.AtLeast {
		about = "at least " + about
	}
	switch {
	case c.PreferSummary:
		s.Reason = "summary: a summary is preferred"
	case s.Estimate > limit:
		s.Reason = fmt.Sprintf("summary: %s exceed %s", about, by)
	case s.Files > c.MaxFiles:
		s.Reason = fmt.Sprintf("summary: %d files exceed max-files %d", s.Files, c.MaxFiles)
	default:
		s.Type = TypeFull
		s.Reason = fmt.Sprintf("full: %s are within %s and max-files %d", about, by, c.MaxFiles)
	}
	return s, nil
}
