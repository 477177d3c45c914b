package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// Of a change that has no room for all of its patches, a file that is deleted is told by what it defined, in a line: its text, of which the
// beginning says least, would take the room of what goes on.

// maxGoneNames bounds the definitions that are named of one deleted file, maxGoneFiles the files that are read for them.
const (
	maxGoneNames = 8
	maxGoneFiles = 400
)

// goneLinesPart is the part of a patch's room that such lines may take.
const goneLinesPart = 3

// firstGone is what the text of a change says before such files.
const firstGone = "# Deleted, with what was defined there:\n"

// goneLines writes a line for each deleted file with what it defined, by patch, in the order of the claims, as long as there is room. cost
// is what the lines take of it.
func (c cutter) goneLines(s *scan.Screener, patches []snapshot.FilePatch, claims []claim, room int) (lines map[int]string, cost int) {
	lines = map[int]string{}
	if cost = c.counter.Count([]byte(firstGone)); cost >= room {
		return lines, 0
	}
	for _, one := range claims[:min(len(claims), maxGoneFiles)] {
		p := &patches[one.at]
		names := definedBefore(p)
		if len(names) == 0 {
			continue
		}
		more := ""
		if n := len(names) - maxGoneNames; n > 0 {
			names, more = names[:maxGoneNames], fmt.Sprintf(" and %d more", n)
		}
		line := fmt.Sprintf("# D %s, %d lines: %s%s\n", job.OneLine(s.Clean(p.Change.Path)), p.Removed, job.OneLine(s.Clean(strings.Join(names, ", "))), more)
		if n := c.counter.Count([]byte(line)); cost+n <= room {
			lines[one.at] = line
			cost += n
		}
	}
	if len(lines) == 0 {
		return lines, 0
	}
	return lines, cost
}

// byGone orders claims of deleted files: code, then tests, then others, the long ones first.
func byGone(patches []snapshot.FilePatch, claims []claim) {
	slices.SortStableFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(turnOfName(patches[a.at].Change.Path), turnOfName(patches[b.at].Change.Path)), cmp.Compare(b.size, a.size))
	})
}

// definedBefore are the names of what a deleted file defined: those that others may have used first, members of a type behind it, without its
// name.
func definedBefore(p *snapshot.FilePatch) []string {
	_, hunks, _ := diff.Hunks(p.Read())
	var text bytes.Buffer
	for i := range hunks {
		for _, line := range hunks[i].Lines {
			text.Write(line[1:])
		}
	}
	reader, ok := provider.For(p.Change.Path)
	if !ok {
		return nil
	}
	found, err := reader.Define(p.Change.Path, text.Bytes())
	if err != nil {
		return nil
	}
	found = slices.DeleteFunc(slices.Clone(found), func(d graph.Definition) bool {
		return d.Name == "" || strings.ContainsAny(d.Name, "\n\r") || d.Kind == "field" || d.Kind == "property" || d.Kind == "namespace" || d.Kind == "module"
	})
	slices.SortStableFunc(found, func(a, b graph.Definition) int { return goneTurn(&a) - goneTurn(&b) })
	var names []string
	for i := range found {
		name := found[i].Name[strings.LastIndexByte(found[i].Name, '.')+1:]
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// goneTurn is when a definition of a deleted file is named, the earliest first.
func goneTurn(d *graph.Definition) (turn int) {
	if !d.Exported {
		turn++
	}
	if strings.Contains(d.Name, ".") {
		turn += 2
	}
	if d.Kind == "macro" { // of C most are guards and numbers
		turn += 4
	}
	return turn
}
