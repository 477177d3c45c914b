package pack

import (
	"fmt"
	"math"

	"github.com/haversack-dev/haversack/internal/claim"
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

// Select chooses between the two packs. Its rules, in this order: summaries are
// preferred; a full pack would have to leave out or shorten content to keep the limits;
// more files than max-files; else full.
//
// The limits are the smallest of max-content-bytes and the providers' limits, in bytes
// and in tokens. They are of the whole document; its index may be folded.
func (b *Builder) Select() (Selection, error) {
	src := b.src
	c := &src.Limits
	inBytes, inTokens := c.bounds()
	var s Selection
	files := extractable(src.Snapshot)
	s.Files = len(files)
	known := 0
	for _, f := range files {
		if n := decodedSize(f); n >= 0 && n <= int64(c.roomFor(f)) {
			s.Estimate += n
			known++
		}
	}
	s.Type = TypeSummary
	about := func() string {
		return fmt.Sprintf("%d bytes of content in %s", s.Estimate, claim.Count(s.Files, "file"))
	}
	switch {
	case c.PreferSummary:
		s.Reason = "summary: a summary is preferred"
		return s, nil
	case s.Estimate > inBytes.n: // certain without reading
		if s.AtLeast = known < len(files); s.AtLeast {
			s.Reason = fmt.Sprintf("summary: at least %s exceed %s", about(), inBytes.by)
		} else {
			s.Reason = fmt.Sprintf("summary: %s exceed %s", about(), inBytes.by)
		}
		return s, nil
	case c.enough() != nil:
		return s, c.enough()
	}
	all := *src
	all.Limits.MaxFiles = max(len(files), 1)
	all.Limits.MaxTotalBytes = math.MaxInt64
	all.Clean = nil
	// Of a limit in bytes the parts take what they are counted as, so that what stands around the content decides nothing.
	p, err := b.full(&all, "", inTokens == nil)
	if err != nil {
		return Selection{}, err
	}
	limits := inBytes.by
	if inTokens != nil {
		limits += " and " + inTokens.by
	}
	cut := p.cut()
	if !cut || s.Estimate < p.Metadata.TotalContentBytes {
		s.Estimate = p.Metadata.TotalContentBytes
	}
	switch {
	case cut:
		s.AtLeast = known < len(files)
		s.Reason = fmt.Sprintf("summary: %s, with the index and what stands around them, exceed %s", about(), limits)
		if s.AtLeast {
			s.Reason = fmt.Sprintf("summary: at least %s, with the index and what stands around them, exceed %s", about(), limits)
		}
	case s.Files > c.MaxFiles:
		s.Reason = fmt.Sprintf("summary: %s exceed max-files %d", claim.Count(s.Files, "file"), c.MaxFiles)
	default:
		s.Type = TypeFull
		folded := ""
		if p.Metadata.cutOf("file_index") > 0 {
			folded = ", with a folded index,"
		}
		s.Reason = fmt.Sprintf("full: a pack%s of %s is within %s and max-files %d", folded, about(), limits, c.MaxFiles)
	}
	return s, nil
}

// cut reports whether content is left out, or cut because the pack is full.
func (p *Full) cut() bool { return p.Metadata.cutOf("contents") > 0 || p.deeper }

// cutOf is how much of a list was left out.
func (m *Metadata) cutOf(list string) int {
	for _, c := range m.Cuts {
		if c.List == list {
			return c.LeftOut
		}
	}
	return 0
}
