package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// FilePatch is the change of one file as text. Both sides were searched like
// everything that leaves.
type FilePatch struct {
	Change   diff.Change
	Text     []byte // nil where it is not shown
	Redacted bool
}

// DrawPatches draws the change, file by file, as far as it is shown: until the patches
// are longer than maxPatch bytes, or what they change longer than maxBefore.
func DrawPatches(s *Contents, c *Change) ([]FilePatch, error) {
	if c.Base == nil || c.Base.None {
		return nil, nil
	}
	before := make(map[string]bool, len(c.Base.Files))
	for _, e := range c.Base.Files {
		before[e.Path] = true
	}
	after := make(map[string]*diff.Entry, len(c.entries))
	for i := range c.entries {
		after[c.entries[i].Path] = &c.entries[i]
	}
	files := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		files[s.Files[i].Path] = &s.Files[i]
	}
	list := make([]FilePatch, 0, len(c.Changes))
	total, shown := 0, c.Base.Root != nil
	for _, x := range c.Changes {
		list = append(list, FilePatch{Change: x})
		old := cmp.Or(x.OldPath, x.Path)
		passage, looked := c.Before[old]
		if shown = shown && total <= MaxPatch && (looked || !before[old]); !shown {
			continue
		}
		p := &list[len(list)-1]
		var from, to *diff.Side
		if looked {
			if s.CrowdedBefore[old] {
				passage.Withheld = "holds too many credentials"
			}
			side, err := passage.side()
			if err != nil {
				return nil, err
			}
			from, p.Redacted = side, passage.redacted
		}
		if e := after[x.Path]; e != nil && x.Status != diff.Deleted {
			f := files[x.Path]
			to = sideAfter(*e, f)
			p.Redacted = p.Redacted || to.Withheld == "" && len(f.Redactions) > 0
		}
		if from == nil && to == nil {
			p.Text = []byte{}
			continue
		}
		var b bytes.Buffer
		named := x
		named.Path, named.OldPath = s.Screener.Clean(x.Path), s.Screener.Clean(x.OldPath)
		if err := diff.WritePatch(&b, named, from, to); err != nil {
			return nil, err
		}
		p.Text = b.Bytes()
		total += b.Len()
	}
	return list, nil
}

// PatchText joins patches up to about limit bytes. The whole passes the screen once
// more, for what only two lines together show.
func PatchText(s *Contents, patches []FilePatch, limit int) []byte {
	var b strings.Builder
	redacted := false
	for n, p := range patches {
		if b.Len() > limit || p.Text == nil {
			fmt.Fprintf(&b, "# %d more changes are not shown: the patch is longer than %d bytes.\n", len(patches)-n, limit)
			break
		}
		redacted = redacted || p.Redacted
		b.Write(p.Text)
	}
	return ScreenPatch(s, b.String(), redacted)
}

func ScreenPatch(s *Contents, text string, redacted bool) []byte {
	out, held := s.Screener.Document("changes.patch", []byte(text))
	if redacted || held {
		out = append([]byte(diff.PatchHead), out...)
	}
	return out
}

// side is the base's side of a change.
func (p passage) side() (*diff.Side, error) {
	s := &diff.Side{Mode: p.mode, Withheld: p.Withheld}
	if p.Withheld != "" {
		return s, nil
	}
	var err error
	s.Text, err = p.Text.Read()
	return s, err
}

// sideAfter is the head's side of a change: a packed file as it may be shown.
func sideAfter(e diff.Entry, f *scan.File) *diff.Side {
	s := &diff.Side{Mode: e.Mode}
	switch {
	case f == nil:
		s.Withheld = "left out"
		return s
	case f.Size > maxPatchText:
		s.Withheld = "too large"
		return s
	}
	raw, err := f.Read()
	if err != nil {
		s.Withheld = "unreadable"
		return s
	}
	s.Text = text.Decode(raw, f.Encoding)
	return s
}
