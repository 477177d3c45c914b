package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// Unseen are the places at which files load what only a run can tell, so that no edge leads there.
type Unseen struct {
	Places, Files int
	// First are the first of them, by path and line: maxUnseen at most.
	First []UnseenPlace
	// Forms are those of the places, the most frequent first.
	Forms []Form
}

// UnseenPlace is one place, and the form of what loads there.
type UnseenPlace struct {
	Path string
	source.UnfollowedLoad
}

// maxUnseen is how many places are told one by one.
const maxUnseen = 20

// Form is one way of loading, and at how many places it stands.
type Form struct {
	Name   string
	Places int
}

// rooms are for the text of the next file, of at most source.MaxMentioned bytes and what it has grown since it was listed.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// UnseenLoads looks through the files of a sealed repository. The error is of reading them.
func UnseenLoads(s *snapshot.Contents) (Unseen, error) {
	found := make([][]source.UnfollowedLoad, len(s.Files))
	faults := make([]error, len(s.Files))
	// Nothing ends this context: what is asked is read to its end.
	_ = graph.Each(context.Background(), len(s.Files), func(i int) {
		f := &s.Files[i]
		if !f.Extractable() || f.Size > source.MaxMentioned || !source.Loads(f.As()) {
			return
		}
		room := rooms.Get().(*[]byte)
		defer rooms.Put(room)
		raw, err := f.ReadInto(*room)
		if err != nil {
			faults[i] = fmt.Errorf("reading %s: %w", f.Path, err)
			return
		}
		*room = raw // what is found has none of it
		found[i] = source.LoadsUnseen(f.As(), text.Decode(raw, f.Encoding))
	})
	var u Unseen
	forms := map[string]int{}
	for i, list := range found {
		for _, x := range list {
			if len(u.First) < maxUnseen {
				u.First = append(u.First, UnseenPlace{s.Files[i].Path, x})
			}
			u.Places++
			forms[x.Form]++
		}
		if len(list) > 0 {
			u.Files++
		}
	}
	for name, n := range forms {
		u.Forms = append(u.Forms, Form{name, n})
	}
	slices.SortFunc(u.Forms, func(a, b Form) int {
		return cmp.Or(cmp.Compare(b.Places, a.Places), strings.Compare(a.Name, b.Name))
	})
	return u, errors.Join(faults...)
}
