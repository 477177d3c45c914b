package plan

import (
	"context"
	"fmt"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// rankForTask orders the sealed files by what a task needs.
func rankForTask(ctx context.Context, o Options, v *snapshot.View) (*Ranking, error) {
	s := v.Sealed
	t := rank.Task{Text: []byte(s.Screener.Clean(o.Task)), IsGuide: brief.IsGuide, IsManifest: func(name string) bool { return brief.RoleOf(name) == brief.Manifest }}
	var large []tree.File
	for i := range s.Files {
		switch f := &s.Files[i]; {
		case !f.Extractable() || holds(f, o.Task):
		case f.Size > MaxRanked:
			large = append(large, f.File)
		default:
			t.Files = append(t.Files, f.File)
		}
	}
	order, err := rank.ForTask(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("ranking the files: %w", err)
	}
	r := &Ranking{worded: true, Order: order, Large: rank.FilesNamed(t.Text, large), Place: make(map[string]int, len(order.Files))}
	for i, f := range order.Files {
		r.Place[f.Path] = i + 1
	}
	r.Sources, err = r.findSources(o, v)
	return r, err
}

// holds reports whether a file holds a task, and nothing else: it is where someone wrote it down, and tells a reader nothing more.
func holds(f *scan.File, task string) bool {
	if f.Size != int64(len(task)) {
		return false
	}
	raw, err := f.Read()
	return err == nil && string(raw) == task // what cannot be read is told where it is ranked
}
