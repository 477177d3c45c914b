package plan

import (
	"context"
	"fmt"

	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// rankForTask orders the sealed files by what a task needs.
func rankForTask(ctx context.Context, o Options, v *snapshot.View) (*Ranking, error) {
	s := v.Sealed
	t := rank.Task{Text: []byte(s.Screener.Clean(o.Task))}
	for i := range s.Files {
		if f := &s.Files[i]; f.Extractable() && f.Size <= MaxRanked {
			t.Files = append(t.Files, f.File)
		}
	}
	order, err := rank.ForTask(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("ranking the files: %w", err)
	}
	r := &Ranking{worded: true, Order: order, Place: make(map[string]int, len(order.Files))}
	for i, f := range order.Files {
		r.Place[f.Path] = i + 1
	}
	r.Sources, err = r.findSources(o, v)
	return r, err
}
