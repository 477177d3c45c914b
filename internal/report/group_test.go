package report

import (
	"fmt"
	"strings"
	"testing"
)

// What is alike in a long change is told in a line, by folder; a short one names each file.
func TestGroupChanges(t *testing.T) {
	var changes []ChangedPath
	notes := map[string]string{}
	for i := range 60 {
		p := fmt.Sprintf("src/part%d/file%02d.java", i%3, i)
		changes = append(changes, ChangedPath{Status: "M", Path: p})
		if i >= 10 {
			notes[p] = fmt.Sprintf("white space alone changes, +%d -1", i)
		}
	}
	changes = append(changes, ChangedPath{Status: "M", Path: "go.sum"})
	notes["go.sum"] = "written by a package manager, +3 -3"
	nothing := func(string) bool { return false }
	named, grouped := groupChanges(changes, notes, nothing, 8)
	if len(named) != 8 || len(grouped) != 2 {
		t.Fatalf("%d named, %d groups", len(named), len(grouped))
	}
	var lines []string
	total := len(named)
	for _, g := range grouped {
		lines = append(lines, g.line())
		total += len(g.paths)
	}
	want := "and 3 more: `./` 1, `src/part0/` 1, `src/part2/` 1\n50 files, white space alone changes: `src/part1/` 17, `src/part2/` 17, `src/part0/` 16"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if total != len(changes) {
		t.Errorf("%d of %d are told", total, len(changes))
	}
	if named, grouped := groupChanges(changes[20:50], notes, nothing, 200); len(named) != 30 || grouped != nil {
		t.Errorf("a short change: %d named, %d groups", len(named), len(grouped))
	}
	// Where there is room for a few names, those of files that are shown come first, in their order.
	last := func(p string) bool { return p == "src/part1/file07.java" || p == "src/part0/file09.java" }
	if named, grouped := groupChanges(changes[:10], notes, last, 3); len(named) != 3 || named[1].Path != "src/part1/file07.java" ||
		named[2].Path != "src/part0/file09.java" || len(grouped) != 1 || len(grouped[0].paths) != 7 {
		t.Errorf("named are %v", named)
	}
}

// Files of one folder of which the same is said have one line in a long list, where the first of them stands.
func TestRowLines(t *testing.T) {
	var list []changeRow
	for i := range 6 {
		list = append(list, changeRow{ChangedPath: ChangedPath{Status: "M", Path: fmt.Sprintf("l10n/%d.json", i)}, says: ", not shown"})
	}
	list = append(list[:2], append([]changeRow{
		{ChangedPath: ChangedPath{Status: "M", Path: "l10n/x.json"}, noted: true, says: ": a binary"},
		{ChangedPath: ChangedPath{Status: "R", Path: "l10n/y.json", OldPath: "l10n/z.json"}, says: ", not shown"},
		{ChangedPath: ChangedPath{Status: "A", Path: "l10n/new.json"}, says: ", not shown"},
		{ChangedPath: ChangedPath{Status: "M", Path: "a.go"}, says: ", parts below"},
	}, list[2:]...)...)
	want := "M in `l10n/`, not shown: `0.json`, `1.json`, `2.json`, `3.json`, `4.json`, `5.json`\nM `l10n/x.json`: a binary\nR `l10n/{z.json => y.json}`, not shown\n" +
		"A `l10n/new.json`, not shown\nM `a.go`, parts below"
	if got := strings.Join(rowLines(list, true), "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := rowLines(list, false); len(got) != len(list) {
		t.Errorf("%d lines of %d", len(got), len(list))
	}
}

// Files of one folder that are not shown for the same reason have one line in any list, with the size of each; in a long list they are one
// group, whatever their sizes.
func TestRowLinesHidden(t *testing.T) {
	var list []changeRow
	var changes []ChangedPath
	notes := map[string]string{}
	for i := range 50 {
		x := ChangedPath{Status: "D", Path: fmt.Sprintf("icons/%d.png", i)}
		notes[x.Path] = fmt.Sprintf("not shown: binary (%d bytes)", 100+i)
		changes = append(changes, x)
		list = append(list, changeRow{ChangedPath: x, noted: true, says: ": " + notes[x.Path]})
	}
	want := "D in `icons/`: not shown: binary: `0.png` (100 bytes), `1.png` (101 bytes), `2.png` (102 bytes), `3.png` (103 bytes), `4.png` (104 bytes)"
	if got := strings.Join(rowLines(list[:5], false), "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := rowLines(list[:4], false); len(got) != 4 {
		t.Errorf("%d lines of 4", len(got))
	}
	_, grouped := groupChanges(changes, notes, func(string) bool { return false }, 200)
	if len(grouped) != 1 || grouped[0].line() != "50 files, deleted, not shown: binary: `icons/` 50" {
		t.Errorf("groups %v", grouped)
	}
}

// Folders are as deep as a line has room for.
func TestFolders(t *testing.T) {
	var paths []string
	for i := range 100 {
		paths = append(paths, fmt.Sprintf("a/b%d/c%d/x.go", i%2, i%20))
	}
	list, rest := folders(paths)
	if got := strings.Join(list, " "); got != "`a/b0/` 50 `a/b1/` 50" || rest != 0 {
		t.Errorf("%s and %d", got, rest)
	}
	for i := range 30 {
		paths = append(paths, fmt.Sprintf("z%d/x.go", i))
	}
	if list, rest = folders(paths); len(list) != mostFolders || rest != 30-mostFolders+1 {
		t.Errorf("%v and %d", list, rest)
	}
}
