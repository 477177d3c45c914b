package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// Desk is what a person at a terminal is told of a run: what was made, where, and of what
// most of it is.
type Desk struct {
	Record  *record.Record
	Shown   string // the output folder
	Stan    string // the engine's folder, which is in no bar
	HasBase bool
	Plan    *plan.Plan
	// PromptTokens are those of context.md, as counted; 0 where there is none.
	PromptTokens int
	// Width is how many columns lines may have, Blocks whether bars are drawn by blocks.
	Width  int
	Blocks bool
}

// Text returns the first line and those below it.
func (d *Desk) Text() (heading string, lines []string) {
	rec := d.Record
	f := record.Count(rec.Files)
	what := rec.Head.Kind
	if rec.Head.Commit != "" {
		what += " at " + snapshot.Short(rec.Head.Commit)
	}
	files := job.Number(f.Included) + " files"
	if f.Included == 1 {
		files = "1 file"
	}
	heading = fmt.Sprintf("Packed %s of the %s, %s (mode %s)", files, what, job.BytesText(f.Bytes), rec.Mode)
	if n := d.Plan.CountTokens(); n > 0 {
		heading = fmt.Sprintf("Packed %s of the %s, %s, %s tokens (mode %s)", files, what, job.BytesText(f.Bytes), job.Number(n), rec.Mode)
	}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	add("")
	parts, prompt := 0, int64(0)
	width := len("record.json")
	for _, o := range rec.Outputs {
		width = max(width, len(o.Name))
		if slices.Contains(record.PromptNames(), o.Name) {
			parts++
			prompt += o.SizeBytes
		}
	}
	add("In %s:", d.Shown)
	for _, o := range rec.Outputs {
		what, size := job.Number(len(o.Members))+" members", o.SizeBytes
		switch {
		case o.Name == record.PromptName:
			what, size = job.Number(d.PromptTokens)+" tokens", prompt
			if parts > 1 {
				what += fmt.Sprintf(", %d parts", parts)
			}
		case slices.Contains(record.PromptNames(), o.Name):
			continue // said with the first
		case len(o.Members) == 0 && rec.ContextPackInfo == nil:
			what = "change pack"
		case len(o.Members) == 0:
			what = packKind(o.Name, rec.ContextPackInfo) + " pack"
		}
		add("  %-*s  %9s  %s", width, o.Name, job.BytesText(size), what)
	}
	add("  %-*s  %9s  %s", width, "record.json", "", "what left, and why")
	lines = append(lines, d.bars()...)
	add("")
	if rec.AllAccepted {
		add("%s", AllAccepted)
	}
	if rec.Base.Commit != "" {
		add("Base %s: %s.", snapshot.Short(rec.Base.Commit), rec.Base.Reason)
	} else {
		add("Base: %s.", rec.Base.Reason)
	}
	if d.HasBase {
		add("Changed: %s.", changeCounts(d.Plan.Changes))
	}
	if len(d.Plan.Fresh) > 0 {
		add("New to the reader besides: %s.", freshCounts(d.Plan.Fresh))
	}
	if f.Redacted > 0 {
		add("Credentials redacted or left out: %s (haversack why PATH names rule and line).", job.Number(f.Redacted))
	}
	var left []string
	for _, c := range record.CountOmissions(rec) {
		left = append(left, fmt.Sprintf("%s %s", job.Number(c.Count), strings.ReplaceAll(c.Reason, "_", " ")))
	}
	if len(left) > 0 {
		add("Left out: %s (haversack why PATH).", strings.Join(left, ", "))
	}
	return heading, lines
}

// heaviest is how many folders are drawn.
const heaviest = 5

// bars draws the folders that most of the packed bytes lie in.
func (d *Desk) bars() []string {
	folders, total := folderSizes(d.Record.Files, d.Stan)
	if len(folders) < 2 || total == 0 {
		return nil
	}
	slices.SortFunc(folders, func(a, b folderSize) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), strings.Compare(a.name, b.name))
	})
	folders = folders[:min(heaviest, len(folders))]
	names := 0
	for i := range folders {
		folders[i].name = job.OneLine(folders[i].name)
		names = max(names, len([]rune(folders[i].name)))
	}
	// "  name  1023.9 KB  100 %  bar"
	names = min(names, max(d.Width/3, 8))
	room := d.Width - names - 24
	lines := []string{"", "Heaviest folders:"}
	for _, f := range folders {
		name := []rune(f.name)
		if len(name) > names {
			name = append([]rune("..."), name[len(name)-names+3:]...)
		}
		line := fmt.Sprintf("  %-*s  %9s  %3d %%", names, string(name), job.BytesText(f.bytes), f.bytes*100/total)
		if room >= 5 {
			mark := "#"
			if d.Blocks {
				mark = "\u2588"
			}
			n := int(f.bytes * int64(min(room, 30)) / folders[0].bytes)
			line += "  " + strings.Repeat(mark, max(n, 1))
		}
		lines = append(lines, line)
	}
	return lines
}

// folderSize is how many packed bytes lie in a folder and below it.
type folderSize struct {
	name  string
	bytes int64
}

// folderSizes sums the packed files up by folders, two deep where the first has folders of
// its own, and all together, without what lies in the engine's folder.
func folderSizes(rows []record.Row, stan string) (list []folderSize, total int64) {
	sizes := map[string]int64{}
	for i := range rows {
		r := &rows[i]
		if !r.Included || strings.HasPrefix(r.Path, stan+"/") {
			continue
		}
		total += r.SizeBytes
		parts := strings.SplitN(r.Path, "/", 3)
		sizes[strings.Join(parts[:max(len(parts)-1, 0)], "/")+"/"] += r.SizeBytes
	}
	for name, n := range sizes {
		if name == "/" {
			name = "./"
		}
		list = append(list, folderSize{name, n})
	}
	return list, total
}
