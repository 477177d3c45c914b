package plan

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// findSources are the files that a document may show, their blocks judged: of a change the changed ones that head has, then what
// it needs; of a task what that needs.
func (r *Ranking) findSources(o Options, v *snapshot.View) ([]brief.Source, error) {
	s := v.Sealed
	files := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		files[s.Files[i].Path] = &s.Files[i]
	}
	list, err := r.changedSources(s, files, v.Patches, o.Said)
	if err != nil {
		return nil, err
	}
	for i := range list {
		one := &list[i]
		one.Held = v.Held.HasRest(one.Name)
		if v.Held.IsBack(one.Name) { // no patch says which lines
			one.Touched, one.Note = every(strings.Count(one.Text, "\n")+1), ""
		}
	}
	changed := make(map[string]bool, len(r.Changed))
	for _, name := range r.Changed {
		changed[name] = true
	}
	budget := brief.Budget{}
	if o.Task == "" {
		budget = brief.BudgetOf(r.Order, o.budget())
	}
	if snapshot.LaidOut(v.Patches) {
		return list, nil // nobody asks what else a formatter's work needs
	}
	needed, err := brief.Needed(r.Order, budget, list, func(name string, shown bool) (*brief.Source, error) {
		f := files[name]
		if f == nil || changed[name] || !f.Extractable() || f.LowValue != "" || o.Task != "" && language.IsLock(name) {
			return nil, nil
		}
		one, err := ReadSource(s, f, shown)
		if language.IsBuilt(name, []byte(one.Text)) {
			return nil, err // its sources say the same
		}
		if o.Task != "" && language.IsGenerated(name, []byte(one.Text)) && !strings.Contains(o.Task, path.Base(name)) {
			return nil, err // what makes it is what a task is about
		}
		return &one, err
	})
	beside := map[string]string{} // the first changed file of each folder
	if o.Task == "" {
		for _, changed := range slices.Backward(r.Changed) {
			beside[path.Dir(changed)] = changed
		}
	}
	for i := range needed {
		why := sayOnce(r.reasonsOf(needed[i].Name, beside))
		if at := slices.IndexFunc(list, func(one brief.Source) bool { return one.Original == needed[i].Name }); at >= 0 {
			why = slices.Insert(why, 0, "what "+list[at].Name+" translates")
		}
		why = slices.Insert(why, 0, needed[i].Why...)
		needed[i].Why = make([]string, len(why))
		for n, w := range why {
			needed[i].Why[n] = s.Screener.Clean(w)
		}
	}
	return append(list, needed...), err
}

// turns are when a document tells what a signal found, the ties of a file to the change first: a reader asks what it has to do with
// the change before which words both hold.
var turns = map[rank.Signal]int{rank.Imports: 0, rank.Symbols: 0, rank.Mirror: 1, rank.Name: 1, rank.Together: 1, rank.Path: tiesEnd, rank.Recent: tiesEnd,
	rank.Rare: wordsTurn, rank.Text: wordsTurn}

const (
	tiesEnd   = 2
	wordsTurn = 3
)

// turnOfReason is when a document tells a reason: imports with files between tie a file less than a name like a changed one's, and
// names that other files define say less than the words.
func turnOfReason(p rank.Part) int {
	switch {
	case p.Loose && p.Signal == rank.Symbols:
		return wordsTurn + 1
	case p.Loose:
		return tiesEnd
	}
	return turns[p.Signal]
}

// reasonsOf are why a file is needed: its ties to the change first, the weightiest first, or else a changed file that it stands next to;
// then what both say, in few words where there is a tie. beside is a changed file of each folder that has one. Of a task, which changes
// none, they are in the order of their weight.
func (r *Ranking) reasonsOf(name string, beside map[string]string) (list []string) {
	parts := slices.DeleteFunc(r.Order.Why(name), func(p rank.Part) bool { return p.Amount <= 0 })
	if len(beside) > 0 {
		slices.SortStableFunc(parts, func(a, b rank.Part) int { return turnOfReason(a) - turnOfReason(b) })
		if other := beside[path.Dir(name)]; other != "" && (len(parts) == 0 || turnOfReason(parts[0]) >= tiesEnd) {
			list = append(list, "next to "+other)
		}
	}
	for i, p := range parts {
		if p.Signal == rank.Path && p.Loose && (len(list) > 0 || i+1 < len(parts)) {
			continue // what lies in the folder of nearly everything
		}
		if len(beside) > 0 && turnOfReason(p) == wordsTurn && len(list) > 0 {
			return append(list, "says "+p.Words)
		}
		list = append(list, p.Reason)
	}
	return list
}

// sayOnce are the reasons of a file that say more than those before: of several that name one file the first, in its place the first
// that says more of it than that there is an import. That it is a test is said once.
func sayOnce(why []string) (list []string) {
	place := map[string]int{} // of the reason that names a file, from 1
	for _, w := range why {
		if slices.Contains(list, w) || w == justTest && slices.ContainsFunc(list, saysTest) {
			continue
		}
		if at := slices.Index(list, justTest); at >= 0 && saysTest(w) {
			if list[at] = w; fileNamed(w) != "" {
				place[fileNamed(w)] = at + 1
			}
			continue
		}
		file := fileNamed(w)
		if at := place[file]; at > 0 {
			if bare := list[at-1]; bare == "imports "+file || bare == "imported by "+file {
				list[at-1] = w
			}
			continue
		}
		list = append(list, w)
		if file != "" {
			place[file] = len(list)
		}
	}
	return list
}

// justTest is the reason of a test that says no more of it.
const justTest = "a test"

// saysTest reports whether a reason begins by saying that a file is a test.
func saysTest(w string) bool { return strings.HasPrefix(w, justTest+",") }

// fileNamed is the last word of a reason that looks like a file's name, without the number of a line; "" where none does.
func fileNamed(reason string) (file string) {
	for word := range strings.FieldsSeq(reason) {
		word, _, _ = strings.Cut(strings.Trim(word, "(),"), ":")
		if strings.ContainsAny(word, "./") {
			file = word
		}
	}
	return file
}

// every returns the numbers of n lines, from 1.
func every(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// changedSources are the changed files that head has, with the lines that the change touches.
func (r *Ranking) changedSources(s *snapshot.Contents, files map[string]*scan.File, patches []snapshot.FilePatch, said string) (list []brief.Source, err error) {
	of := make(map[string]*snapshot.FilePatch, len(patches))
	for i := range patches {
		of[patches[i].Change.Path] = &patches[i]
	}
	for _, name := range readFirst(r.Changed, patches) {
		f := files[name]
		if f == nil {
			continue
		}
		one, err := ReadSource(s, f, true)
		if err != nil {
			return nil, err
		}
		one.Changed, one.Why, one.Name = true, []string{"changed"}, name
		one.Told = names(said, name)
		one.Original = originalOf(name, files)
		if patch := of[name]; patch != nil {
			one.Alike = patch.Alike > 0
			one.Worth = weightOf(patch, "") // of Told the document knows itself
			one.Touched, one.Note = diff.Touched(patch.Read()), onlyListed(f, patch)
			if one.Note == "" && r.Order.Kind() == rank.OfVersions {
				one.Note = "versions alone change, as the patch shows"
			}
			one.Narrow()
		}
		list = append(list, one)
	}
	return list, nil
}

// originalOf returns the file whose texts a file holds in another language: one of its folders, or else the only one in English that is called
// so; "" where there is none.
func originalOf(name string, files map[string]*scan.File) (found string) {
	if one := brief.OriginalOf(name, func(other string) bool { return files[other] != nil }); one != "" {
		return one
	}
	t, ok := language.TranslationOf(name)
	if !ok || t.IsEnglish() {
		return ""
	}
	for other := range files {
		english, ok := language.TranslationOf(other)
		if !ok || !english.IsEnglish() || english.End() != t.End() {
			continue
		}
		if found != "" {
			return ""
		}
		found = other
	}
	return found
}

// readFirst are the names of changed files, each once, in the order in which they are read.
func readFirst(changed []string, patches []snapshot.FilePatch) []string {
	place := make(map[string]int, len(patches))
	for n, i := range readingOrder(patches) {
		place[patches[i].Change.Path] = n
	}
	list := slices.Clone(changed)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(place[a], place[b]), tree.Compare(a, b)) })
	return slices.Compact(list)
}

// onlyListed says why a changed file is not shown, "" where it is.
func onlyListed(f *scan.File, p *snapshot.FilePatch) string {
	switch {
	case language.IsLock(f.Path):
		return "written by a package manager"
	case f.LowValue != "":
		return f.LowValue
	case !f.Extractable():
		return "not text"
	case p.Untold() != "":
		return p.Untold()
	case f.Size > snapshot.MaxPatchText:
		return "too large to stand here"
	case len(p.Text) > 0 && len(diff.Touched(p.Text)) == 0:
		return "the same text"
	}
	return ""
}
