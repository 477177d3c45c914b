package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
)

// A change of more than maxEach files tells those of which only a note is told together, by what they have in common and by folder:
// at most mostFolders of them a line. Fewer than fewAlike are told each by itself.
const (
	maxEach     = 40
	fewAlike    = 5
	mostFolders = 8
)

// changeGroup are changed files that are told in one line.
type changeGroup struct {
	what  string // what they have in common, "" for those that there is no room to name
	paths []string
	from  []string // where those lay that were moved
}

// groupChanges parts the changed files into those that are named, in their order, and groups of the others: of a long list those
// with a note of one kind, and what is more than told, what is shown last.
func groupChanges(changes []ChangedPath, notes map[string]string, shown func(path string) bool, told int) (named []ChangedPath, grouped []changeGroup) {
	kinds := map[string]*changeGroup{}
	if len(changes) > maxEach {
		for _, x := range changes {
			kind := kindOf(x, notes)
			if kind == "" {
				continue
			}
			if kinds[kind] == nil {
				kinds[kind] = &changeGroup{what: kind}
			}
			kinds[kind].add(x)
		}
	}
	var each []ChangedPath
	for _, x := range changes {
		if g := kinds[kindOf(x, notes)]; g == nil || len(g.paths) < fewAlike {
			each = append(each, x)
		}
	}
	var more changeGroup
	name := namesFirst(each, shown, told)
	for i, x := range each {
		if name[i] {
			named = append(named, x)
		} else {
			more.add(x)
		}
	}
	for _, g := range kinds {
		if len(g.paths) >= fewAlike {
			grouped = append(grouped, *g)
		}
	}
	slices.SortFunc(grouped, func(a, b changeGroup) int {
		return cmp.Or(len(b.paths)-len(a.paths), strings.Compare(a.what, b.what))
	})
	if len(more.paths) > 0 {
		grouped = append([]changeGroup{more}, grouped...)
	}
	return named, grouped
}

// namesFirst says which of the changed files are named where so many are: those of which something is shown, then the first of the others.
func namesFirst(changes []ChangedPath, shown func(path string) bool, told int) []bool {
	name := make([]bool, len(changes))
	for _, of := range []bool{true, false} {
		for i, x := range changes {
			if told > 0 && shown(x.Path) == of {
				name[i] = true
				told--
			}
		}
	}
	return name
}

// changeRow is a changed file that is named, with the note behind its name; noted says that the note is about the file itself, and not only
// where it is shown.
type changeRow struct {
	ChangedPath
	noted bool
	says  string
}

// parted divides the note of a file that is not shown into the reason, and its size and lines.
func (r changeRow) parted() (why, numbers string) {
	if at := strings.Index(r.says, " ("); at >= 0 && r.isHidden() {
		return r.says[:at], r.says[at:]
	}
	return r.says, ""
}

// isHidden reports whether a file's row says why its content is not shown.
func (r changeRow) isHidden() bool { return strings.HasPrefix(r.says, ": "+diff.NotShown) }

// rowLines are the lines that name changed files: one each, or one for fewAlike or more of a folder that are not shown for the same reason, and,
// where folded, of which the same is said, where the first of them would stand.
func rowLines(list []changeRow, folded bool) (lines []string) {
	same := map[string][]string{} // their base names
	key := func(x changeRow) string {
		if (!folded || x.noted) && !x.isHidden() || x.OldPath != "" {
			return ""
		}
		why, _ := x.parted()
		return string(x.Status) + "\x00" + path.Dir(x.Path) + "\x00" + why
	}
	for _, x := range list {
		if k := key(x); k != "" {
			_, numbers := x.parted()
			same[k] = append(same[k], brief.Span(path.Base(x.Path))+numbers)
		}
	}
	for _, x := range list {
		k := key(x)
		bases, folds := same[k]
		switch {
		case len(bases) >= fewAlike:
			why, _ := x.parted()
			lines = append(lines, fmt.Sprintf("%s in %s%s: %s", x.Status, brief.Span(path.Dir(x.Path)+"/"), why, strings.Join(bases, ", ")))
			same[k] = nil
		case folds && bases == nil: // its line is written
		case x.OldPath != "":
			lines = append(lines, string(x.Status)+" "+moved(x.OldPath, x.Path)+x.says)
		default:
			lines = append(lines, string(x.Status)+" "+brief.Span(x.Path)+x.says)
		}
	}
	return lines
}

func (g *changeGroup) add(x ChangedPath) {
	g.paths = append(g.paths, x.Path)
	if x.OldPath != "" {
		g.from = append(g.from, x.OldPath)
	}
}

// kindOf is the note of a change without its numbers and sizes; one of a moved file says that it was, and of one that is not shown that it came
// or went.
func kindOf(x ChangedPath, notes map[string]string) string {
	kind, _, _ := strings.Cut(notes[x.Path], ", +")
	if strings.HasPrefix(kind, diff.NotShown) {
		kind, _, _ = strings.Cut(kind, " (")
		kind = map[diff.Status]string{diff.Added: "new, ", diff.Deleted: "deleted, "}[x.Status] + kind
	}
	if kind != "" && x.OldPath != "" {
		kind = "moved, " + kind
	}
	return kind
}

// line tells a group: how many files, what they have in common, and in which folders they lie.
func (g changeGroup) line() string {
	list, rest := folders(g.paths)
	text := fmt.Sprintf("%d files, %s: %s", len(g.paths), g.what, strings.Join(list, ", "))
	if g.what == "" {
		text = fmt.Sprintf("and %d more: %s", len(g.paths), strings.Join(list, ", "))
	}
	if rest > 0 {
		text += fmt.Sprintf(" and %d elsewhere", rest)
	}
	if len(g.from) > 0 {
		list, rest = folders(g.from)
		if text += "; before in " + strings.Join(list, ", "); rest > 0 {
			text += fmt.Sprintf(" and %d elsewhere", rest)
		}
	}
	return text
}

// folders are the folders of files with how many lie in each, the fullest first: as deep as mostFolders of them hold all, or the
// fullest of the first names of paths. rest counts what lies in none of them.
func folders(paths []string) (list []string, rest int) {
	var counts map[string]int
	for depth := 8; depth > 0; depth-- {
		counts = map[string]int{}
		for _, p := range paths {
			parts := strings.Split(path.Dir(p), "/")
			counts[strings.Join(parts[:min(depth, len(parts))], "/")]++
		}
		if len(counts) <= mostFolders {
			break
		}
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	for _, name := range names {
		if len(list) == mostFolders {
			rest += counts[name]
			continue
		}
		shown := name + "/"
		if name == "." {
			shown = "./"
		}
		list = append(list, fmt.Sprintf("%s %d", brief.Span(shown), counts[name]))
	}
	return list, rest
}
