package plan

import (
	"fmt"
	"slices"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// OutlineFolder is where the outlines of an archive stand, below the project's folder.
const OutlineFolder = "context/outline/"

// maxOutlined bounds how many files of the order are looked at for an outline.
const maxOutlined = 150

// outlines adds to the basket what the files define that rank high and do not fit
// whole, in as many tokens as room: signatures, types and comments with the numbers of
// their lines. Each stands under a name of its own, never under the file's.
func (b *Basket) outlines(stan string, s *snapshot.Contents, r *Ranking, files map[string]*scan.File, room int) {
	for n, ranked := range r.Order.Files {
		f := files[ranked.Path]
		name := stan + "/" + OutlineFolder + ranked.Path
		if n == maxOutlined || room <= 0 {
			return
		}
		if f == nil || b.members[f.Path] != nil || files[name] != nil || s.Asked[name] != nil || !f.Extractable() {
			continue
		}
		doc := outlineText(s, f)
		if doc == nil || len(doc)/BytesOfToken > room {
			continue
		}
		if cost := b.counter.Count(doc); cost <= min(room, b.rest()) {
			room -= cost
			b.spent += cost
			b.outlined[name] = doc
			b.left[f.Path] = leftWithOutline(stan)
		}
	}
}

// outlineText is the outline of a file, screened once more: two lines that are apart
// in the file can tell together what neither tells. It is nil where an outline says
// nothing, or hardly less than the file.
func outlineText(s *snapshot.Contents, f *scan.File) []byte {
	if !provider.Defines(f.Path) {
		return nil
	}
	raw, err := f.Read()
	if err != nil {
		return nil
	}
	content := text.Decode(raw, f.Encoding)
	definitions, err := provider.Define(f.Path, content)
	if err != nil || !slices.ContainsFunc(definitions, func(d graph.Definition) bool { return d.Exported }) {
		return nil
	}
	body := graph.Outline(content, definitions)
	if body == "" || len(body) > len(content)*2/3 {
		return nil
	}
	doc := []byte(fmt.Sprintf("Outline of a file of %d lines: what it defines, with line numbers, without the bodies.\n\n", f.Lines) + body)
	doc, _ = s.Screener.Document(f.Path, doc)
	return doc
}
