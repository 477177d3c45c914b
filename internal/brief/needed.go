package brief

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/rank"
)

// A document of a change may show blocks of the files that need it most whatever their size: of maxDivided at most, and of so
// many that together they have no more than maxDividedBytes. Each is read and divided, and its blocks are judged.
const (
	maxDivided      = 1000
	maxDividedBytes = 10 << 20
)

// sameFile is how much less the rest of a changed file is needed than the same block of the nearest other file would be: its reader
// knows where it is, and has its outline. At half of it one in a hundred of the places in other files is lost, and two of those that
// the next commits touch.
const sameFile = 3_000_000

// tiedFile is sameFile for a block that is tied to the change: callers of what it touches, above all, which a reviewer looks for before
// anything else. Where there is room for whole files there is room for them. Of 37 places that ten changes cannot be judged without,
// written down before any document was seen, 24 stand in 32,000 tokens in place of 20, and no place in other files is lost for it;
// in a small document others would pay.
const (
	tiedFile      = 1_200_000
	tiedSmallFile = 2_600_000
)

// ofChanged is how much less a block of a changed file is needed than the same block of another.
func (b Budget) ofChanged(row *rank.Row) int64 {
	switch {
	case !row.Tied():
		return sameFile
	case b.isSmall():
		return tiedSmallFile
	}
	return tiedFile
}

// isSmall reports whether a document has no room for whole files but the short ones.
func (b Budget) isSmall() bool { return b.Tokens > 0 && b.Tokens < filesFrom }

// blockNeed is what tells how much a block is needed: of small documents trees have their part in it.
func (b Budget) blockNeed() func(*rank.Row) int64 {
	if b.isSmall() {
		return rank.SmallNeed
	}
	return rank.BlockNeed
}

// Read makes a source of a path, on several cores at once: nil where the file is not to be shown. What is only judged is not kept,
// and need not be as it may leave; what is shown has to be.
type Read func(path string, shown bool) (*Source, error)

// Needed returns the files of an order that a document may show, by what speaks for them whatever their size, with the need of
// each of their blocks: those that have a block of budget.Least or more, and one of the best that twice the budget holds; for a task, all
// that anything speaks for. The blocks of changed files that are shown get their need, too.
func Needed(order *rank.Order, budget Budget, changed []Source, read Read) ([]Source, error) {
	wanted, gone := wantedTexts(changed), gonePaths(order)
	read = askedLines(read, wanted, gone)
	names := withOriginals(worthReading(order, changed, len(gone) > 0), wanted)
	errs := make([]error, len(names))
	var those []*Source
	var divided []rank.FilePassages
	for i := range changed {
		if s := &changed[i]; s.Changed && s.Note == "" && s.Text != "" {
			those = append(those, s)
			divided = append(divided, rank.FilePassages{Path: s.Path, Passages: s.Passages, Changed: true})
		}
	}
	place := make(map[string]int, len(order.Files))
	if !order.OfTask() {
		for i, f := range order.Files {
			place[f.Path] = i + 1
		}
	}
	var wholes []*entry // of those, the first
	if !order.OfTask() {
		for _, s := range those {
			s.Blocks()
			wholes = append(wholes, &entry{Source: s, lines: strings.SplitAfter(s.Text, "\n")})
		}
	}
	touched, calling := touchedNames(wholes), map[string]bool(nil)
	if budget.forCallers() > 0 {
		calling = touched
	}
	callers, silent := make([]map[int][]string, len(names)), make([][]bool, len(names)) // by file and block
	pinned, folders := make([][]bool, len(names)), resourceFolders(changed)
	asked := askedBlocks{make([][]bool, len(names)), make([][]bool, len(names))}
	for i, name := range names {
		s := &Source{Name: name, Place: place[name]}
		those = append(those, s)
		divided = append(divided, rank.FilePassages{Path: name, Passages: func() []rank.Passage {
			found, err := read(name, false)
			if errs[i] = err; found == nil || err != nil {
				return nil
			}
			list := found.Passages()
			callers[i], silent[i], pinned[i] = found.callersOf(calling), found.silent(list, touched), found.pinning(list, folders)
			asked.note(i, found)
			for b := range list {
				s.sizes = append(s.sizes, int32(len(list[b].Text)))
			}
			return list
		}})
	}
	if order.OfTask() {
		for i, needs := range order.TaskNeeds(divided) {
			those[i].Needs = needs
		}
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		return shown(those, read)
	}
	need := budget.blockNeed()
	calls, room, tested := callingOf(wholes), budget.forNear(), budget.isSmall() && bringsTests(wholes)
	for i, rows := range order.Rows(divided) {
		s := those[i]
		s.Rows, s.Needs = rows, make([]int64, len(rows))
		var near []bool
		if s.Changed {
			near = wholes[i].nearTouched(calls)
		}
		for n := range rows {
			s.Needs[n] = need(&rows[n])
		}
		if s.Changed {
			room = wholes[i].keepNear(near, s.Needs, room)
		}
		for n := range rows {
			switch {
			case !s.Changed && tested && language.IsTest(s.Name):
				s.Needs[n] -= ofOtherTest
			case !s.Changed || wholes[i].touches(n): // what the change touches, and did not fit, is needed as it is
			case near[n]:
				s.Needs[n] += ofNear
			default:
				s.Needs[n] -= budget.ofChanged(&rows[n])
			}
		}
	}
	placeWhole(order, those[len(wholes):], forFiles(budget.Tokens))
	lowerSisters(those[:len(wholes)], those[len(wholes):])
	lowerSilent(those[len(wholes):], silent)
	raisePinned(those[len(wholes):], pinned)
	raiseCallers(those[len(wholes):], callers, budget.forCallers())
	asked.raise(those[:len(wholes)], those[len(wholes):], wanted, budget.forNear())
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return shown(within(those, budget), read)
}

// ofOtherTest is how much less a test is needed that a change leaves alone, where it brings tests of its own and the document is small. Of
// seven repositories that no weight knows a document of 8,000 tokens holds .222 of the places that the next commits touch so, and .208 without;
// one of 32,000 tokens would lose a hundredth.
const ofOtherTest = 1_000_000

// ofSilentTest is how much less what a test holds is needed that a change leaves alone, if it names nothing that the change touches. Of five
// repositories that nothing was chosen by a document of 8,000 tokens held .464 of the places of the same commit before, and .471 since, none
// fewer; one of 32,000 tokens .709 both times.
const ofSilentTest = 500_000

// silent tells which passages of a test name nothing that the change touches; nil of what is no test.
func (s *Source) silent(list []rank.Passage, touched map[string]bool) []bool {
	if len(touched) == 0 || !language.IsTest(s.Path) {
		return nil
	}
	silent := make([]bool, len(list))
	for b := range list {
		silent[b] = true
		for name := range touched {
			if len(name) >= leastNamed && bytes.Contains(list[b].Text, []byte(name)) {
				silent[b] = false
				break
			}
		}
	}
	return silent
}

// leastNamed is how long a name is, in bytes, that is looked for in tests: shorter ones stand anywhere.
const leastNamed = 4

// lowerSilent lowers the need of such passages.
func lowerSilent(others []*Source, silent [][]bool) {
	for i, s := range others {
		for b := range silent[i] {
			if silent[i][b] && b < len(s.Needs) {
				s.Needs[b] -= ofSilentTest
			}
		}
	}
}

// bringsTests reports whether a change touches code, and tests as well.
func bringsTests(entries []*entry) bool {
	code, tests := false, false
	for _, e := range entries {
		if language.Is(e.Path, language.Code) && len(e.Touched) > 0 {
			test := language.IsTest(e.Path)
			code, tests = code || !test, tests || test
		}
	}
	return code && tests
}

// Of files of one name that is also a changed one's, and that are no code, mostSisters tell how such a file is written: board.json of two boards.
// The others are needed ofSister less.
const (
	mostSisters = 2
	ofSister    = 2_000_000
)

// lowerSisters lowers the need of files that tell the same of another thing.
func lowerSisters(changed, others []*Source) {
	named := map[string][]*Source{}
	for _, s := range changed {
		if !language.Is(s.Path, language.Code) {
			named[path.Base(s.Path)] = nil
		}
	}
	for _, s := range others {
		base := path.Base(s.Name)
		if list, ok := named[base]; ok && len(s.Needs) > 0 {
			named[base] = append(list, s)
		}
	}
	for _, list := range named {
		slices.SortStableFunc(list, func(a, b *Source) int { return cmp.Compare(slices.Max(b.Needs), slices.Max(a.Needs)) })
		for _, s := range list[min(mostSisters, len(list)):] {
			for n := range s.Needs {
				s.Needs[n] -= ofSister
			}
		}
	}
}

// listsIgnored reports whether a file of this name lists what a tool passes over: it shares words with whatever names files.
func listsIgnored(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, "ignore")
}

// asksForIgnored reports whether a change touches such a list, or makes an image of what one leaves.
func asksForIgnored(name string, changed []Source) bool {
	return slices.ContainsFunc(changed, func(s Source) bool {
		return listsIgnored(s.Path) || language.IsDockerfile(s.Path) && path.Base(name) == ".dockerignore"
	})
}

// mostOfRoom is how many times the room for whole files a small repository's files have at most. Of twelve small repositories that no tree knows
// documents of 128,000 tokens hold .892 of the places that a change needs, and .773 of those that the next commits touch, by trees, in place of
// .882 and .725; of large ones they hold no more.
const mostOfRoom = 8

// placeWhole puts the files of a small repository into the order in which they are taken whole: by what speaks for them, for their blocks, and
// against their length (bench/RESULTS-context.md).
func placeWhole(order *rank.Order, others []*Source, room int) {
	var placed []*Source
	var files []rank.WholeFile
	total := 0
	for _, s := range others {
		if s.Place == 0 || len(s.Rows) == 0 {
			continue
		}
		size := 0
		for _, n := range s.sizes {
			size += int(n)
		}
		total += size
		placed, files = append(placed, s), append(files, rank.WholeFile{Path: s.Name, Bytes: size, Rows: s.Rows})
	}
	if total > mostOfRoom*room*BytesOfToken {
		return
	}
	worth := make(map[*Source]int64, len(placed))
	for i, row := range order.FileRows(files) {
		worth[placed[i]] = rank.WholeNeed(&row, files[i].Bytes)
	}
	slices.SortFunc(placed, func(a, b *Source) int {
		return cmp.Or(cmp.Compare(worth[b], worth[a]), cmp.Compare(a.Place, b.Place))
	})
	for i, s := range placed {
		s.Place = i + 1
	}
}

// worthReading are the files that are read and divided; all of them, as far as there is room, also those for which nothing speaks.
func worthReading(order *rank.Order, changed []Source, all bool) (names []string) {
	sizes := make(map[string]int64, len(order.Files))
	for _, f := range order.Files {
		sizes[f.Path] = f.Size
	}
	total := int64(0)
	for _, name := range order.ByNeed() {
		if total += sizes[name]; order.Need(name) <= 0 && !all || len(names) == maxDivided || total > maxDividedBytes {
			break
		}
		if order.OfTask() || !listsIgnored(name) || asksForIgnored(name, changed) {
			names = append(names, name)
		}
	}
	return names
}

// within are those of the sources, in their order, that have one of the best blocks which twice the budget holds.
func within(those []*Source, budget Budget) (list []*Source) {
	type candidate struct {
		value  int64
		source int
		size   int32
	}
	var all []candidate
	for i, s := range those {
		for b := range s.sizes {
			if s.Needs[b] >= budget.Least {
				all = append(all, candidate{value(s.Needs[b], int(s.sizes[b])), i, s.sizes[b]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.value, a.value) })
	kept := make([]bool, len(those))
	left := 2 * budget.Tokens * BytesOfToken
	for _, c := range all {
		if budget.Tokens > 0 && left < 0 {
			break
		}
		left -= int(c.size)
		kept[c.source] = true
	}
	keepFiles(those, kept, budget)
	for i, s := range those {
		if kept[i] {
			list = append(list, s)
		}
	}
	return list
}

// keepFiles keeps the files that may be taken whole: twice what there is room for.
func keepFiles(those []*Source, kept []bool, budget Budget) {
	room := forFiles(budget.Tokens) * BytesOfToken
	if room == 0 {
		return
	}
	var order []int
	for i, s := range those {
		if s.Place > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return those[a].Place - those[b].Place })
	left := 2 * room
	for _, i := range order {
		size := 0
		for _, n := range those[i].sizes {
			size += int(n)
		}
		if left < 0 {
			return
		}
		if size <= room && size > 0 && slices.Max(those[i].Needs) >= budget.Least {
			kept[i] = true
			left -= size
		}
	}
}

// shown reads sources again, as they are shown.
func shown(those []*Source, read Read) ([]Source, error) {
	found, errs := make([]*Source, len(those)), make([]error, len(those))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(those)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(those); i = int(next.Add(1)) - 1 {
				found[i], errs[i] = read(those[i].Name, true)
			}
		})
	}
	wait.Wait()
	var list []Source
	for i, s := range found {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if s == nil || len(those[i].Needs) == 0 {
			continue
		}
		s.Name, s.Rows, s.Needs, s.Place = those[i].Name, those[i].Rows, those[i].Needs, those[i].Place
		if len(s.Blocks()) != len(s.Needs) { // what may not leave had lines of its own
			s.Need, s.Needs = slices.Max(s.Needs), nil
		}
		list = append(list, *s)
	}
	return list, nil
}

// Blocks are the blocks of a source.
func (s *Source) Blocks() []Block {
	if s.blocks == nil {
		s.blocks = Blocks(s.Path, []byte(s.Text), s.defined())
	}
	return s.blocks
}

// defined are the definitions of a source, and the functions within those that were looked for.
func (s *Source) defined() []graph.Definition { return slices.Concat(s.Definitions, s.inner) }

// Passages are the blocks of a source, as they are judged. Their texts are parts of one copy.
func (s *Source) Passages() []rank.Passage {
	content := []byte(s.Text)
	s.Blocks()
	starts := make([]int, 1, bytes.Count(content, []byte("\n"))+2)
	for i, c := range content {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(content))
	list := make([]rank.Passage, len(s.blocks))
	for n, b := range s.blocks {
		from, to := starts[b.From-1], starts[min(b.To, len(starts)-1)]
		list[n] = rank.Passage{Text: content[from:to:to], Defines: b.Name}
	}
	return list
}

// Around returns the text of the blocks that hold touched lines: the definitions that a change touches.
func Around(s Source) []byte {
	e := &entry{Source: &s, lines: strings.SplitAfter(s.Text, "\n")}
	var text []byte
	list := s.Passages()
	e.blocks = s.blocks
	for b := range e.blocks {
		if e.touches(b) {
			text = append(text, list[b].Text...)
		}
	}
	return text
}

// LeastChance is the chance of being needed, in hundred-thousandths, below which no block is taken beside a change of versions alone,
// leastOfText that beside one of prose and data, and leastOfCode that beside others, which end before it where enough is taken.
const (
	LeastChance = 200
	leastOfText = 1_000
	leastOfCode = 10
)

// A change of prose and data has a document of at most timesOfText times its own tokens, and may have enoughOfText whatever its own.
const (
	timesOfText  = 4
	enoughOfText = 4_000
)
