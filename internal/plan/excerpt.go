package plan

import (
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// ExcerptFolder is where parts of files stand in an archive, below the project's folder: under a path of their own, so that nobody
// takes a part for the file.
const ExcerptFolder = "context/excerpt/"

// excerpts adds to the basket what the change needs of files that do not fit whole, in as many tokens as room: of changed files
// the definitions that it touches and the outline of the rest, of others the blocks that it needs most.
func (b *Basket) excerpts(stan string, s *snapshot.Contents, r *Ranking, files map[string]*scan.File, room int) {
	var parted []brief.Source
	for _, one := range r.Sources {
		name := excerptName(stan, one.Name)
		if f := files[one.Name]; f != nil && b.members[f.Path] == nil && files[name] == nil && s.Asked[name] == nil {
			parted = append(parted, one)
		}
	}
	room = min(room, b.rest())
	d := brief.NewDocument(parted, b.counter, 0, brief.BudgetOf(r.Order, room))
	for {
		texts, costs, spent := map[string][]byte{}, map[string]int{}, 0
		for _, f := range d.Files() {
			text := excerptText(s, f)
			texts[f.Source.Name], costs[f.Source.Name] = text, b.counter.Count(text)
			spent += costs[f.Source.Name]
		}
		if spent > room && d.Drop(spent-room) {
			continue
		}
		if spent > room {
			return
		}
		for name, text := range texts {
			b.spent += costs[name]
			b.excerpted[excerptName(stan, name)] = text
			b.left[name] = leftWithExcerpt(stan)
		}
		return
	}
}

// excerptName is the member that holds a part of a file.
func excerptName(stan, name string) string { return stan + "/" + ExcerptFolder + name }

// excerptText is a part of a file as a member, screened once more: two lines that are apart in the file can tell together what
// neither tells.
func excerptText(s *snapshot.Contents, f brief.File) []byte {
	head := fmt.Sprintf("Excerpt of a file of %d lines, which is not here itself: what the change needs of it.\n\n", strings.Count(f.Source.Text, "\n"))
	doc, _ := s.Screener.Document(f.Source.Name, []byte(head+strings.Join(f.Pieces, "")))
	return doc
}
