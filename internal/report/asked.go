package report

import (
	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// maxAskedBytes bounds what is read because its level was asked for and its rank alone would not have shown it.
const maxAskedBytes = 10 << 20

// asked returns the sources of a document with the levels that were asked for, and the names of files that it only lists
// because of that: without those that are out or not among the files that the document is of alone, and behind the changed
// ones those that were asked for whole or in outline, whatever their rank.
func asked(in PromptOptions, s *snapshot.Contents, sources []brief.Source) (list []brief.Source, listed []string, err error) {
	if in.Only.All() && len(in.Levels) == 0 {
		return sources, nil, nil
	}
	var needed []brief.Source
	seen := map[string]bool{}
	for _, one := range sources {
		name := one.Name
		seen[name] = true
		one.Asked = in.Levels.Of(name)
		switch {
		case !in.Only.Match(name) || one.Asked.Set && one.Asked.Level == brief.Out:
		case one.Changed:
			list = append(list, one)
		default:
			needed = append(needed, one)
		}
	}
	left := int64(maxAskedBytes)
	for i := range s.Files {
		f := &s.Files[i]
		level := in.Levels.Of(f.Path)
		if !level.Set || !in.Only.Match(f.Path) || !f.Mode.IsRegular() {
			continue
		}
		switch {
		case level.Level == brief.Listed:
			listed = append(listed, shownPath(s, f))
		case seen[f.Path] || level.Level != brief.Whole && level.Level != brief.Outline || !f.Extractable() || f.Size > left:
		default:
			left -= f.Size
			one, err := plan.ReadSource(s, f, true)
			if err != nil {
				return nil, nil, err
			}
			one.Name, one.Asked, one.Why = f.Path, level, []string{"asked for by levels"}
			list = append(list, one)
		}
	}
	return append(list, needed...), listed, nil
}

// listedOf writes the names of the files that are only listed because that was asked for, as long as there is room.
func listedOf(paths []string, spare int) string {
	if len(paths) == 0 || spare > 0 {
		return ""
	}
	c := brief.ListedChapter(paths)[0]
	return "\n## " + c.Title + "\n\n" + c.Sections[0].Pieces[0]
}

// shownPath is a file's path as it may be shown.
func shownPath(s *snapshot.Contents, f *scan.File) string {
	shown, _ := record.DisplayPath(s.Screener.Clean(f.Path))
	return shown
}
