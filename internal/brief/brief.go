// Package brief makes documents that a reader, a model above all, is handed: what is most worth reading of many texts, for a
// change, a task or a newcomer, within a budget of tokens, in Markdown.
//
// Every file of a document has a level: whole; in blocks, which are definitions and the stretches between them; in outline,
// which are the signatures of what it defines; or listed. A change comes first: its patch, then each changed definition as it
// is now, with the outline of the rest of its file. Then blocks of other files follow by what speaks for them, until the budget
// ends or too little speaks for what is left. Once half of a file is taken the rest comes too. The document of a repository
// (Repository) begins with what the repository is and how it is laid out, and goes on by what most depends on.
//
// What is counted is the document as it is written: headings, fences and reasons too. Fenced text is the repository's: no line
// of it can end its fence, and a path is a span of code, as it is. Nothing here reads a clock, or depends on the order of a map.
package brief

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// Level is how much of a file stands in a document.
type Level uint8

const (
	Listed Level = iota
	Outline
	InBlocks
	Whole
	// Out is a level that is asked for alone: nothing says that there is such a file.
	Out
)

var levelNames = [...]string{"listed", "outline", "blocks", "whole", "out"}

func (l Level) String() string { return levelNames[l] }

// Source is a file that a document may show.
type Source struct {
	// Path as it is shown, Text as it may leave.
	Path, Text  string
	Definitions []graph.Definition
	// Why says in a few words each why it is worth reading, the weightiest first.
	Why []string
	// Name is the path in the repository, where it differs from what is shown.
	Name string
	// Needs says of each of its blocks, in their order, how much it is needed: the logarithm of the odds, in millionths. Where
	// it is nil, Need is that of all of them.
	Needs []int64
	Need  int64
	// Place is that of the file in the order in which whole files are needed, from 1; 0 where it has none.
	Place int
	// Rows are what Needs were made from.
	Rows []rank.Row
	// Changed says that it is of the change, Touched which lines the change writes, or takes lines from.
	Changed bool
	Touched []int
	// Held says of a changed file that the reader has all of it but what the change touches.
	Held bool
	// Patched says of a changed file that its every line stands in the patch: it is not shown again.
	Patched bool
	// Seen are the lines of a changed file that stand in the patch, sorted: what they show whole is not shown again.
	Seen []int
	// Left says of a file that the change leaves alone that the lines that count as touched name what it leaves no file of.
	Left bool
	// Original is the name of the file whose texts a changed one holds in another language; "" of others. The patch tells of it.
	Original string
	// Alike says of a changed file that its edit is another's, of which the patch tells.
	Alike bool
	// Told says that the authors of the change name the file.
	Told bool
	// Worth is how much a token of what the change touches in it is worth beside one of another file, from 1; 0 is 1.
	Worth int
	// Note is why a changed file is only listed, such as that it is generated; "" where it is shown.
	Note string
	// Asked is how much of it was asked for.
	Asked LevelRequest

	// outer are, of YAML that is divided around what the change touches, the keys that each line stands in, by their lines.
	outer []int
	// inner are functions within the definitions that the change touches.
	inner  []graph.Definition
	blocks []Block
	sizes  []int32 // of the blocks, in bytes, where the text is not kept
}

// Budget is what a document may cost.
type Budget struct {
	// Tokens of the whole document, 0 without a limit.
	Tokens int
	// Least is the need below which no block is taken, however much room is left.
	Least int64
	// Chance is that of a block of a need, in hundred-thousandths; where it is known, blocks are taken until so much of all chances
	// is among them that the rest is not worth its length.
	Chance func(need int64) int64
	// Times is how many times the tokens of the change, with all that stands before what else it needs, the document has at most,
	// if that is more than enoughOfText; 0 without such a limit.
	Times int
	// Numbers says that each line of code stands behind its number.
	Numbers bool
	// Defined says that what files of code define comes before what else stands in them.
	Defined bool
}

// BudgetOf is a budget of so many tokens for what an order says.
func BudgetOf(order *rank.Order, tokens int) Budget {
	b := Budget{Tokens: tokens, Least: order.NeedAt(LeastChance)}
	switch {
	case order.OfTask() || order.Kind() == rank.OfVersions:
	case order.Kind() == rank.OfText:
		b.Least, b.Times = order.NeedAt(leastOfText), timesOfText
	default:
		b.Least, b.Chance = order.NeedAt(leastOfCode), order.ChanceOf
	}
	return b
}

// entry is a file of a document in the making.
type entry struct {
	*Source
	reason string // why it is there, as it is written
	lines  []string
	taken  []bool
	bytes  int // of the taken ones
	// hollow says that no block tells a reader something alone: then each may stand.
	hollow bool
	// outlined says that signatures stand for the blocks that are not taken.
	outlined bool
	// signed bounds the lines of its outline, where it is not 0.
	signed int
	// ends are the lines at which definitions end by those at which they begin, of a file with lines that are seen.
	ends map[int]int
}

// candidate is one block that may be taken.
type candidate struct {
	file, block int
	need        int64
	tokens      int
}

// Document is a document in the making: the files that were chosen and their blocks.
type Document struct {
	counter *tokens.Counter
	entries []*entry
	spent   int
	limit   int
	numbers bool
	// parted says that the change does not fit: of long lists of values what it touches is shown alone.
	parted bool
	order  []candidate // what was taken beside the change, the most needed first
	// long are definitions of which the rest has longRoom, once what else is needed is there.
	long     []longDefinition
	longRoom int
	// said are the texts of taken blocks of manuals, with the last file of each.
	said map[string]int
	// Passed is how many files of the sources nothing is shown of, though something speaks for them.
	Passed int
}

// What a heading, its reasons and a stretch of lines cost beside their words, in tokens: counted, these are the most.
const (
	headingCost = 12
	stretchCost = 14
)

// smallFile is the most tokens of a changed file that is shown whole whatever was touched in it.
const smallFile = 600

// weightCost is what the logarithm of a block's tokens speaks against it, in thousandths.
const weightCost = 700

// value is what a block of so many bytes is worth for its length.
func value(need int64, bytes int) int64 {
	return need - weightCost*rank.Log(20+bytes/BytesOfToken)/1000
}

// NewDocument chooses what of the sources a document of a change shows, fixed being the tokens of what stands in it beside them.
// Changed sources come in their order, others by need.
func NewDocument(sources []Source, counter *tokens.Counter, fixed int, budget Budget) *Document {
	d := &Document{counter: counter, spent: fixed, limit: budget.Tokens, numbers: budget.Numbers, said: map[string]int{}}
	short := newShortPaths(sources)
	for i := range sources {
		s := &sources[i]
		s.Blocks()
		e := &entry{Source: s, reason: few(short.reasons(s.Why))}
		e.lines = strings.SplitAfter(s.Text, "\n")
		e.taken = make([]bool, len(e.blocks))
		e.hollow = !e.says()
		if len(s.Seen) > 0 {
			e.ends = make(map[int]int, len(s.Definitions))
			for _, one := range ordered(s.defined(), len(e.lines)) { // of several the shortest
				e.ends[one.From] = one.End
			}
		}
		d.entries = append(d.entries, e)
	}
	d.takeChange()
	d.takeAsked()
	d.takeNeeded(budget)
	d.takeLong()
	for _, e := range d.entries {
		if e.bytes == 0 && !e.Changed && !e.outlined {
			d.Passed++
		}
	}
	return d
}

// rest is how many tokens are left; without a limit there is always room.
func (d *Document) rest() int {
	if d.limit == 0 {
		return int(^uint(0) >> 1)
	}
	return d.limit - d.limit/reserve - d.spent
}

// reserve is the part of a budget that is not spent: encoders of one vocabulary differ by up to a hundredth.
const reserve = 64

// takeChange takes what the change touched, as far as there is room for it: first the blocks that hold touched lines, those of
// files that its authors name and those that are short for their worth first, then the rest of small files.
func (d *Document) takeChange() {
	d.parted = !d.changeFits()
	var touched []candidate
	for n, e := range d.entries {
		if !e.asItIs() {
			continue
		}
		for b := range e.blocks {
			if e.touches(b) && !d.seen(e, b) && !e.imports(b, d.parted) && !e.closesAlone(b) && !(d.parted && e.isExpected()) {
				touched = append(touched, candidate{file: n, block: b, tokens: d.cost(e, b)})
			}
		}
	}
	slices.SortStableFunc(touched, func(a, b candidate) int {
		if told := d.entries[a.file].Told; told != d.entries[b.file].Told {
			return map[bool]int{true: -1, false: 1}[told]
		}
		return cmp.Compare(a.tokens*max(d.entries[b.file].Worth, 1), b.tokens*max(d.entries[a.file].Worth, 1))
	})
	room := d.changeRoom(touched)
	kept := 0
	if d.parted {
		kept = room / outlinesPart
		room -= kept
	}
	room -= d.takeTouched(touched, room)
	for n, e := range d.entries {
		if !e.asItIs() {
			continue
		}
		for _, one := range touchedDefinitions(e.Definitions, e.touchedWords(), len(e.lines)) {
			if d.isLong(e, one) {
				room -= d.takeHead(n, one, room)
				room -= d.takeInner(n, one, room)
				d.long = append(d.long, longDefinition{n, one})
				continue
			}
			room -= d.takeDefinition(n, one, room)
		}
	}
	if d.limit > 0 {
		room = min(room, max(0, d.limit/2-d.spent))
	}
	for n, e := range d.entries {
		if e.asItIs() && !e.Asked.below(Whole) && !e.Held && !d.seenInPart(e) && d.counter.Count([]byte(e.Text)) <= smallFile {
			room -= d.takeRest(n, room)
		}
	}
	d.longRoom = room
	if kept > 0 {
		room += min(0, kept-d.outlineUntold(room+kept))
	}
	d.outline(room)
}

// outlinesPart is the part of a change's room that the outlines of its files have, where it does not fit: what there is tells more than the
// short ones of what it touches.
const outlinesPart = 6

// takeTouched takes blocks that a change touches, as far as there is room, and returns what they cost: what others stand in, which says
// nothing without one of them, comes after these, and of a change that does not fit what goes on from a touched block after that one.
func (d *Document) takeTouched(touched []candidate, room int) (spent int) {
	for _, last := range []bool{false, true} {
		for _, c := range touched {
			e := d.entries[c.file]
			framing, goesOn := e.framesAlone(c.block), d.parted && e.goesOn(c.block)
			switch {
			case !last && (framing || goesOn), framing && e.bytes == 0, goesOn && !e.taken[c.block-1]:
				continue
			}
			spent += d.take(c, room-spent)
		}
	}
	return spent
}

// goesOn reports whether a block goes on with a definition whose part before it the change touches too.
func (e *entry) goesOn(b int) bool {
	block := e.blocks[b]
	return b > 0 && block.Name != "" && block.Signature[0] == 0 && e.blocks[b-1].Name == block.Name && e.touches(b-1)
}

// imports reports whether a block is of imports alone, or of a long list of them: the patch tells what changes in it. Of a change that does not
// fit (parted) what it says above them is no more.
func (e *entry) imports(b int, parted bool) bool {
	block := e.blocks[b]
	if block.Name != "" || !language.Is(e.Path, language.Code) {
		return false
	}
	return block.OfList || e.importsAlone(block, parted)
}

// importsAlone reports whether every line of a block that holds anything is of what its file imports, or a comment, unless the change writes
// that one and fits. A list in brackets goes on until they are closed.
func (e *entry) importsAlone(block Block, parted bool) bool {
	open, l, began := 0, language.Of(e.Path), ""
	comments, imports := false, false
	for i, line := range e.lines[block.From-1 : block.To] {
		bare := strings.TrimSpace(line)
		mark := commentMark(l, bare, began)
		if began = ""; mark != "" && mark == l.Open && !strings.Contains(bare, l.Shut) {
			began = mark
		}
		said := mark != "" || opens.MatchString(bare)
		if _, touched := slices.BinarySearch(e.Touched, block.From+i); said && (parted || !touched) {
			comments = true
			continue
		}
		begins := rank.Importing([]byte(bare)) || importBegins.MatchString(bare)
		if bare != "" && open == 0 && !begins {
			return false
		}
		imports = imports || begins
		open = max(0, open+brackets(bare))
	}
	return imports || !comments
}

// isExpected reports whether a file is no code and no manual, and stands among tests: what they read, or what they are to print. Of a
// change that does not fit the patch tells of it.
func (e *entry) isExpected() bool {
	return language.IsTest(e.Path) && !language.Is(e.Path, language.Code) && !sectioned(e.Path)
}

// asItIs reports whether a changed file is shown as it is now.
func (e *entry) asItIs() bool { return e.Changed && e.Note == "" && !e.Patched && !e.isToldByPatch() }

// isToldByPatch reports whether the patch tells all that there is to a changed file: texts in another language, data of which the edit is another
// file's, a list of sums of other files.
func (e *entry) isToldByPatch() bool {
	return e.Original != "" || e.Changed && (path.Ext(e.Path) == ".lock" || e.Alike && language.Is(e.Path, language.Data))
}

// seen reports whether a block stands whole in the patch, and is all of a definition, of an entry of a manual, or in none: parts of
// longer definitions are seen with the rest of theirs. Of a long list, where the change does not fit, what it touches is enough.
func (d *Document) seen(e *entry, b int) bool {
	block := e.blocks[b]
	if len(e.Seen) == 0 {
		return false
	}
	if d.parted && block.OfList {
		return e.seesTouched(block.From, block.To)
	}
	if !e.sees(block.From, block.To) {
		return false
	}
	if block.Name == "" || sectioned(e.Path) {
		return true
	}
	for b > 0 && e.ends[e.blocks[b].From] == 0 && e.blocks[b-1].Name == block.Name {
		b--
	}
	from := e.blocks[b].From
	return e.ends[from] > 0 && e.sees(from, e.ends[from])
}

// sees reports whether the patch shows the lines from and to, but for empty ones.
func (e *entry) sees(from, to int) bool {
	for n := from; n <= to; n++ {
		if _, there := slices.BinarySearch(e.Seen, n); !there && strings.TrimSpace(e.lines[n-1]) != "" {
			return false
		}
	}
	return true
}

// seesTouched reports whether the patch shows what the change touches of the lines from and to, and touches any.
func (e *entry) seesTouched(from, to int) bool {
	at, _ := slices.BinarySearch(e.Touched, from)
	end, _ := slices.BinarySearch(e.Touched, to+1)
	return at < end && !slices.ContainsFunc(e.Touched[at:end], func(line int) bool { return !e.sees(line, line) })
}

// seenInPart reports whether a block that stands whole in the patch is not shown again.
func (d *Document) seenInPart(e *entry) bool {
	for b := range e.blocks {
		if !e.taken[b] && e.touches(b) && d.seen(e, b) {
			return true
		}
	}
	return false
}

// changeFits reports whether half of the budget holds all that the change touches whole, with what is spent; see changeRoom.
func (d *Document) changeFits() bool {
	if d.limit == 0 {
		return true
	}
	room := d.limit/2 + d.limit/headPart - d.spent
	for _, e := range d.entries {
		if !e.asItIs() {
			continue
		}
		for _, one := range touchedDefinitions(e.Definitions, e.touchedWords(), len(e.lines)) {
			if e.sees(one[0], one[1]) {
				continue
			}
			code := []byte(d.code(e, one[0], one[1]))
			if !d.counter.Within(code, room) {
				return false
			}
			room -= d.counter.Count(code)
		}
	}
	return true
}

// changeRoom is the room for the blocks that a change touches. The change, with its patch, has half of a budget: of one that is too
// large for it the patch has its part, and blocks the rest of the half, or touchedPart. What fits but for the head of the document and the heads
// of its files, for which headPart stands, is there whole.
func (d *Document) changeRoom(touched []candidate) int {
	if d.limit == 0 {
		return d.rest()
	}
	words := 0
	for _, c := range touched {
		words += max(0, c.tokens-stretchCost-headingCost)
	}
	if room := d.limit/2 + d.limit/headPart - d.spent; words <= room {
		return min(d.rest(), max(room, d.limit/2))
	}
	return max(0, d.limit/2-d.spent, min(d.rest(), d.limit/touchedPart))
}

// touchedPart is the part of a budget that what a change touches has at least, where it does not fit beside the patch, which may fill
// the half: a hunk without what it stands in tells a reader little.
const touchedPart = 5

// headPart is the part of a budget that is reckoned for the head of a document.
const headPart = 8

// takeDefinition takes the lines of a definition that stand around those which are taken of it, up to the first that do not fit into
// room on each side, and returns what they cost: its end alone says nothing of what was touched in its middle. Of one that holds
// functions (a module, a class, a function around others) and does not fit, what is taken already is all, and of those the touched
// ones, as far as they fit.
func (d *Document) takeDefinition(file int, lines [2]int, room int) (spent int) {
	spent, fits := d.takeWhole(file, lines, room)
	if !fits {
		spent += d.takeInner(file, lines, room-spent)
	}
	return spent
}

// takeInner takes the functions within a definition that the change touches, as far as they fit into room, and returns what they cost. The
// short ones come first, so that what holds others within it, and does not fit either, has its own behind it.
func (d *Document) takeInner(file int, lines [2]int, room int) (spent int) {
	e := d.entries[file]
	for _, one := range touchedDefinitions(e.inner, e.touchedWords(), len(e.lines)) {
		switch {
		case spent >= room:
			return spent
		case lines[0] >= one[0] || one[1] > lines[1]:
		case d.isLong(e, one):
			spent += d.takeHead(file, one, room-spent)
		default:
			n, _ := d.takeWhole(file, one, room-spent)
			spent += n
		}
	}
	return spent
}

// takeWhole is takeDefinition but for the functions of one that holds some and does not fit: of that it takes nothing.
func (d *Document) takeWhole(file int, lines [2]int, room int) (spent int, fits bool) {
	e := d.entries[file]
	from, to := e.blocksOf(lines)
	held := e.firstHeld(from, to)
	all := held < 0 && !d.parted && !e.sees(lines[0], lines[1]) // the patch shows what is touched of it, and not what it is
	if all {
		held = 0
	}
	if held < 0 || room < 1 || d.parted && e.blocks[from+held].OfList {
		return 0, true
	}
	left := 0
	for at := from; at < to && left <= room; at++ {
		if !e.taken[at] {
			left += d.cost(e, at)
		}
	}
	if left > room && (all || holdsFunctions(lines, e.defined())) { // its outline tells more than the functions that happen to stand next to what is touched
		return 0, false
	}
	take := func(at int) bool {
		spent += d.take(candidate{file: file, block: at, tokens: d.cost(e, at)}, room-spent)
		return e.taken[at]
	}
	for at := from + held; at >= from && take(at); at-- {
	}
	for at := from + held; at < to && take(at); at++ {
	}
	return spent, true
}

// firstHeld is the place, among the blocks from and up to to, of the first taken one that the change touches, else of the first taken one; -1
// where none is.
func (e *entry) firstHeld(from, to int) int {
	for b := from; b < to; b++ {
		if e.taken[b] && e.touches(b) {
			return b - from
		}
	}
	return slices.Index(e.taken[from:to], true)
}

// holdsFunctions reports whether functions or tests of several lines stand in a definition, by its first and its last line.
func holdsFunctions(lines [2]int, definitions []graph.Definition) bool {
	return slices.ContainsFunc(definitions, func(one graph.Definition) bool {
		within := one.From > lines[0] && one.End <= lines[1]
		return within && one.End > one.Line && (one.IsFunction() || one.Kind == "test")
	})
}

// touchedDefinitions returns the first and the last line of each definition, of a text of n lines, that is the innermost one of a
// touched line: the short ones first.
func touchedDefinitions(definitions []graph.Definition, touched []int, n int) (list [][2]int) {
	sorted := ordered(definitions, n)
	var open []graph.Definition
	next := 0
	for _, line := range touched {
		for ; next < len(sorted) && sorted[next].From <= line; next++ {
			open = append(open, sorted[next])
		}
		for len(open) > 0 && open[len(open)-1].End < line {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			continue
		}
		one := open[len(open)-1]
		list = append(list, [2]int{one.From, one.End})
	}
	slices.SortFunc(list, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[1]-a[0], b[1]-b[0]), cmp.Compare(a[0], b[0])) })
	return slices.Compact(list)
}

// touchedWords are the touched lines that say anything of what holds them: an empty line between two members is no change of what
// holds both, nor is what a module, a namespace or a class imports at its head.
func (e *entry) touchedWords() (list []int) {
	code := language.Is(e.Path, language.Code)
	for _, line := range e.Touched {
		bare := ""
		if line >= 1 && line <= len(e.lines) {
			if bare = strings.TrimSpace(e.lines[line-1]); bare == "" {
				continue
			}
		}
		if !code || !ImportsWithin(bare) {
			list = append(list, line)
		}
	}
	return list
}

// ImportsWithin reports whether a line of code, without its indentation, imports, where it may stand within a definition: what a class of PHP uses is a part of it.
func ImportsWithin(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "import", "alias", "require", "using", "#include":
		return rest != "" && rest[0] != '=' && rest[0] != '('
	case "use", "pub":
		return strings.Contains(rest, "::") && strings.HasSuffix(rest, ";") && (word == "use" || strings.HasPrefix(rest, "use "))
	}
	return false
}

// outline takes the outlines of changed files that are not shown whole, as far as room goes.
func (d *Document) outline(room int) {
	for _, e := range d.entries {
		if e.asItIs() && !e.Asked.below(Outline) && !e.isTestInPatch() {
			room -= d.outlineOf(e, room)
		}
	}
}

// isTestInPatch reports whether a file is a test and the patch shows all that is touched in it: its other tests say nothing of the change.
func (e *entry) isTestInPatch() bool {
	return !e.Asked.Set && language.IsTest(e.Path) && len(e.Seen) > 0 && !slices.ContainsFunc(e.touchedWords(), func(line int) bool { return !e.sees(line, line) })
}

// outlineUntold takes the outlines of changed files that define what the change touches and neither the patch nor what is taken shows, as far
// as room goes, those with the most of it first, and returns what they cost. One that does not fit is told shorter.
func (d *Document) outlineUntold(room int) (spent int) {
	var list []*entry
	untold := map[*entry]int{}
	for _, e := range d.entries {
		if !e.asItIs() || e.Asked.below(Outline) {
			continue
		}
		for b := range e.blocks {
			if d.untold(e, b) {
				untold[e]++
			}
		}
		if untold[e] > 0 {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b *entry) int { return untold[b] - untold[a] })
	for _, e := range list {
		for e.signed = maxSignatures; e.signed >= leastSignatures && !e.outlined; e.signed /= 2 {
			spent += d.outlineOf(e, room-spent)
		}
		e.signed *= 2
	}
	return spent
}

// untold reports whether the change touches a definition of which nothing is shown.
func (d *Document) untold(e *entry, b int) bool {
	return !e.taken[b] && e.blocks[b].Signature[0] > 0 && e.touches(b) && !d.seen(e, b)
}

// outlineOf takes the outline of a file that is not shown whole, if it fits into room, and returns what it costs.
func (d *Document) outlineOf(e *entry, room int) int {
	list := d.signatures(e)
	if e.outlined || e.bytes == len(e.Text) || len(list) == 0 {
		return 0
	}
	n := d.counter.Count([]byte(strings.Join(list, "\n"))) + stretchCost
	if e.bytes == 0 {
		n += headingCost + d.counter.Count([]byte(e.Path))
	}
	if n > min(room, d.rest()) {
		return 0
	}
	e.outlined = true
	d.spent += n
	return n
}

// takeAsked takes what was asked for of files, in their order, as far as there is room: whole files, and outlines.
func (d *Document) takeAsked() {
	for n, e := range d.entries {
		switch {
		case e.Asked.is(Whole) && e.Note == "":
			d.takeRest(n, d.rest())
		case e.Asked.is(Outline) && !e.Changed:
			d.outlineOf(e, d.rest())
		}
	}
}

// maxSignatures bounds the lines of one outline; a small document has one line of each for every tokensOfSignature that it may have. Counted
// over 20 repositories, of a document of 8,000 tokens outlines of 60 lines take .009 of the places that a change needs, and of 20 lines .002.
const (
	maxSignatures     = 60
	leastSignatures   = 5
	tokensOfSignature = 400
)

// signatures returns the first lines of the signatures of what is not taken, with their numbers: where there are too many, those nearest
// to what the change touches, and a sign for the others; of a change that does not fit, those of what it touches alone.
func (d *Document) signatures(e *entry) (list []string) {
	var all []int
	shown := e.withGaps()
	for b, block := range e.blocks {
		if !shown[b] && block.Signature[0] > 0 && !d.seen(e, b) {
			all = append(all, b)
		}
	}
	most := maxSignatures
	if d.limit > 0 {
		most = min(most, max(leastSignatures, d.limit/tokensOfSignature))
	}
	if e.signed > 0 {
		most = min(most, e.signed)
	}
	kept := all
	if touched := slices.DeleteFunc(slices.Clone(all), func(b int) bool { return !e.touches(b) }); d.parted && len(touched) > 0 {
		kept = touched[:min(most, len(touched))]
	} else if len(all) > most {
		kept = slices.Clone(all)
		slices.SortStableFunc(kept, func(a, b int) int { return e.fromTouched(a) - e.fromTouched(b) })
		kept = kept[:most]
		slices.Sort(kept)
	}
	next, framed := 0, map[string]bool{} // next is of all
	for _, b := range kept {
		if all[next] != b {
			list = append(list, "…")
		}
		next, _ = slices.BinarySearch(all, b+1)
		line := e.blocks[b].Signature[0]
		text := cutLine(strings.TrimRight(e.lines[line-1], " \t\r\n"))
		if framed[text] {
			continue // a namespace that is opened again
		}
		if frames.MatchString(strings.TrimSpace(text)) {
			framed[text] = true
		}
		list = append(list, fmt.Sprintf("%d\t%s", line, text))
	}
	if next < len(all) {
		list = append(list, "…")
	}
	return list
}

// fromTouched is how many lines lie between a block and the touched line that is nearest to it; 0 where none is.
func (e *entry) fromTouched(b int) int {
	block, lines := e.blocks[b], len(e.lines)
	at, there := slices.BinarySearch(e.Touched, block.From)
	if there || len(e.Touched) == 0 {
		return 0
	}
	near := lines
	if at > 0 {
		near = block.From - e.Touched[at-1]
	}
	if at < len(e.Touched) {
		near = min(near, max(0, e.Touched[at]-block.To))
	}
	return near
}

// maxSignature bounds a line of an outline, in bytes.
const maxSignature = 200

func cutLine(line string) string {
	if len(line) <= maxSignature {
		return line
	}
	return strings.ToValidUTF8(line[:maxSignature], "") + "…"
}

// touches reports whether a block holds a line that the change touched, empty lines at its ends aside: what is written before a definition,
// or behind it, ends or begins with an empty line, and says nothing of it.
func (e *entry) touches(b int) bool {
	block := e.blocks[b]
	first, last := block.From, e.lastText(block)
	for first < last && strings.TrimSpace(e.lines[first-1]) == "" {
		first++
	}
	at, _ := slices.BinarySearch(e.Touched, first)
	return at < len(e.Touched) && e.Touched[at] <= last
}

// lastText is the last line of a block that holds anything; 0 if none does.
func (e *entry) lastText(block Block) int {
	for n := min(block.To, len(e.lines)); n >= block.From; n-- {
		if strings.TrimSpace(e.lines[n-1]) != "" {
			return n
		}
	}
	return 0
}

// A part of a budget of filesFrom tokens or more, one in filesPart, is for whole files in the order in which they are needed: what is
// needed of them no block says. Counted over 34 repositories in eleven languages, of which the weights knew 13: at 32,000
// tokens it gives one point of the places that a change needs, and four of those that the next commits touch; at 8,000 it would
// take two. A third would give half a point more of both, and take two of the 37 places that tiedFile tells of, which are callers.
//
// From filesMost tokens on it is all but one in filesPart: small repositories stand there nearly whole, and places of which no block
// says that they are needed decide. A document of 128,000 tokens holds .920 of the places of five repositories that were not looked at
// so, .887 with half, and whole files alone .879 (bench/RESULTS-context.md).
const (
	filesFrom = 16_000
	filesPart = 4
	filesMost = 64_000
)

// forFiles is the part of a budget that is for whole files.
func forFiles(tokens int) int {
	switch {
	case tokens < filesFrom:
		return 0
	case tokens < filesMost:
		return tokens / filesPart
	}
	return tokens - tokens/filesPart
}

// takeNeeded takes blocks by what speaks for them: of other files, and what the change leaves alone in its own; then whole files.
func (d *Document) takeNeeded(budget Budget) {
	if most := max(budget.Times*d.spent, enoughOfText); budget.Times > 0 && (d.limit == 0 || most < d.limit) {
		d.limit = most
	}
	list := d.worthTheirLength(d.candidates(budget.Least), budget.Chance)
	if budget.Defined {
		slices.SortStableFunc(list, func(a, b candidate) int { return d.beside(a) - d.beside(b) })
	}
	files := d.byPlace(budget.Least)
	kept := 0
	if len(files) > 0 {
		kept = forFiles(d.limit)
	}
	d.takeBlocks(list, kept)
	if kept == 0 {
		return
	}
	for _, e := range files {
		kept -= d.takeRest(e, min(kept, d.rest()))
	}
	d.takeBlocks(list, 0)
}

// beside is 1 for a block that defines nothing, of a file that defines something elsewhere, else 0.
func (d *Document) beside(c candidate) int {
	if e := d.entries[c.file]; e.blocks[c.block].Name == "" && len(e.Definitions) > 0 {
		return 1
	}
	return 0
}

// worthTheirLength are the first of the candidates that have enough percent of all chances, as far as twice the limit goes, and of
// the others those whose own chance is not small.
func (d *Document) worthTheirLength(list []candidate, chance func(int64) int64) []candidate {
	if chance == nil {
		return list
	}
	sum, bytes := int64(0), 0
	chances, sums := make([]int64, len(list)), make([]int64, 0, len(list))
	for i, c := range list {
		e := d.entries[c.file]
		need := e.Need
		if c.block < len(e.Needs) {
			need = e.Needs[c.block]
		}
		if chances[i] = chance(need); d.limit > 0 && bytes > 2*d.limit*BytesOfToken {
			continue
		}
		bytes += e.size(c.block)
		if need < mostNeed {
			sum += chances[i]
		}
		sums = append(sums, sum)
	}
	n, _ := slices.BinarySearch(sums, sum*enough/100)
	worth := list[:0:0]
	for i, c := range list {
		if i <= n || chances[i] >= ownChance {
			worth = append(worth, c)
		}
	}
	return worth
}

// enough is the percentage of all chances with which a document ends; what was asked for has more than mostNeed, and is not
// among them. Of ten repositories that no weight knows a document of 128,000 tokens holds .938 of the places that a change
// needs, with it and without, and .924 with 85, which takes a seventh fewer tokens: one small repository in two is then
// behind its whole files.
const (
	enough   = 94
	mostNeed = 1_000_000
	// ownChance, in hundred-thousandths, is one that is worth a block's length whatever else is there.
	ownChance = 500
)

// onlyImports reports whether a block says what its file imports and the file says something else: alone it tells a reader nothing.
func (e *entry) onlyImports(b int) bool {
	return !e.Changed && b < len(e.Needs) && b < len(e.Rows) && e.Rows[b].Importing() &&
		slices.ContainsFunc(e.Rows, func(r rank.Row) bool { return !r.Importing() })
}

// takeBlocks takes blocks in their order, and leaves so many tokens. What a file imports, or opens with, is taken with another block of it.
func (d *Document) takeBlocks(list []candidate, kept int) {
	waiting := map[int][]candidate{} // by file
	for _, c := range list {
		if d.rest()-kept < stretchCost {
			return
		}
		e := d.entries[c.file]
		if e.taken[c.block] || d.saysAgain(e, c.block) {
			continue
		}
		if e.bytes == 0 && (e.onlyImports(c.block) || e.opensAlone(c.block)) {
			waiting[c.file] = append(waiting[c.file], c)
			continue
		}
		if c.tokens = d.costWithin(e, c.block, d.rest()-kept); d.take(c, d.rest()-kept) == 0 {
			continue
		}
		for _, w := range waiting[c.file] {
			w.tokens = d.costWithin(e, w.block, d.rest()-kept)
			d.take(w, d.rest()-kept)
		}
		delete(waiting, c.file)
		if e.bytes*2 < e.words() || e.Changed || e.Asked.below(Whole) {
			continue
		}
		for b := range e.blocks { // half of it is there: the rest comes too
			room := d.rest() - kept
			d.take(candidate{file: c.file, block: b, need: c.need, tokens: d.costWithin(e, b, room)}, room)
		}
	}
}

// byPlace are the files that have a place, in its order, and a block that is needed so much.
func (d *Document) byPlace(least int64) (list []int) {
	for n, e := range d.entries {
		if !e.Changed && !e.Asked.below(Whole) && e.Place > 0 && len(e.Needs) > 0 && slices.Max(e.Needs) >= least {
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return d.entries[a].Place - d.entries[b].Place })
	return list
}

// takeRest takes what is not yet taken of a file, if all of it fits into room, and returns what it costs.
func (d *Document) takeRest(file, room int) int {
	e := d.entries[file]
	if (len(e.Text)-e.bytes)/maxBytesOfToken > room {
		return 0
	}
	var rest []candidate
	n := 0
	for b := range e.blocks {
		if !e.taken[b] && !e.passes(b) {
			c := candidate{file: file, block: b, need: e.Need, tokens: d.counter.Count([]byte(d.code(e, e.blocks[b].From, e.blocks[b].To)))}
			if e.bytes == 0 && len(rest) == 0 {
				c.tokens += stretchCost + headingCost + d.counter.Count([]byte(e.Path+e.reason))
			}
			rest, n = append(rest, c), n+c.tokens
		}
	}
	if n > room {
		return 0
	}
	for _, c := range rest {
		d.take(c, room)
	}
	return n
}

// maxBytesOfToken is about the most bytes of code that a token stands for.
const maxBytesOfToken = 8

// candidates returns the blocks of what is not changed, the most needed for their length first.
func (d *Document) candidates(least int64) []candidate {
	var list []candidate
	styled := d.asksForStyle()
	for n, e := range d.entries {
		if e.Patched || e.isToldByPatch() || e.Changed && (e.Needs == nil || e.Held) {
			continue
		}
		style, plain := e.styleOf(), !styled
		if e.Changed {
			plain = !e.touchesStyle()
		}
		for b, block := range e.blocks {
			chance := e.Need
			if b < len(e.Needs) {
				chance = e.Needs[b]
			}
			if chance < least || d.needless(e, b) || plain && block.From >= style {
				continue
			}
			if e.isDead(b) {
				chance -= ofDead
			}
			list = append(list, candidate{file: n, block: b, need: value(chance, e.size(b))})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.need, a.need), cmp.Compare(a.file, b.file), cmp.Compare(a.block, b.block))
	})
	return list
}

// needless reports whether a block tells a reader nothing, or what the patch tells.
func (d *Document) needless(e *entry, b int) bool {
	switch {
	case e.framesAlone(b), e.passes(b), d.seen(e, b):
		return true
	case e.Changed:
		return d.parted && e.blocks[b].OfList || e.touches(b) && e.imports(b, d.parted)
	}
	return false
}

// frames is a line that begins what the rest of a file stands in, or ends something.
var frames = lazyregexp.New(`^(?:(?:bare)?module [\w.:]+;?|defmodule [\w.]+ do|(?:inline )?namespace [\w.:\\]+ *[;{]?|(?:extern "C" )?\{|[{\[(]* *(?:"[^"]*" *: *)?[{\[(]+|</?[A-Za-z][\w:.-]*(?:\s[^<>]*[^<>/])?>|end\b *(?:#.*)?|[)}\]]+[;,]?(?: *(?://|#).*)?)$`)

// framesAlone reports whether a block holds nothing but what a preprocessor asks, and lines that others stand between or below: alone it
// tells a reader nothing.
func (e *entry) framesAlone(b int) bool {
	if e.hollow {
		return false
	}
	manual, keys := sectioned(e.Path), isYAML(e.Path)
	for _, line := range e.lines[e.blocks[b].From-1 : e.blocks[b].To] {
		bare := strings.TrimSpace(line)
		heads := manual && heading(bare) != "" || keys && keyAlone.MatchString(bare)
		if !e.saysNothing(bare) && !frames.MatchString(bare) && !heads {
			return false
		}
	}
	return true
}

// keyAlone is a line of YAML with a key, of which the value stands below.
var keyAlone = lazyregexp.New(`^[\w.-]+:$`)

// isYAML reports whether a file of this name holds YAML.
func isYAML(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".yml" || ext == ".yaml"
}

// saysNothing reports whether a line, without its indentation, is empty, asks a preprocessor, or in code holds no letter or digit.
func (e *entry) saysNothing(bare string) bool {
	if asks, ok := strings.CutPrefix(bare, "#"); ok {
		if l := language.Of(e.Path); l != nil && !slices.Contains(strings.Fields(l.Comments), "#") {
			asks = strings.TrimLeft(asks, " \t") // in others a comment begins so
		}
		for _, word := range askingWords {
			if strings.HasPrefix(asks, word) {
				return true
			}
		}
	}
	return bare == "" || language.Is(e.Path, language.Code) && !strings.ContainsFunc(bare, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// askingWords are words behind a number sign by which a preprocessor, or a compiler, is asked and that tell nothing of what the lines do.
var askingWords = []string{"if", "el", "endif", "pragma", "region", "endregion"}

// closesAlone reports whether every line of a block says nothing: what it closes stands elsewhere.
func (e *entry) closesAlone(b int) bool {
	return !e.hollow && !slices.ContainsFunc(e.lines[e.blocks[b].From-1:e.blocks[b].To], func(line string) bool { return !e.saysNothing(strings.TrimSpace(line)) })
}

// says reports whether a block of the file tells a reader something alone.
func (e *entry) says() bool {
	for b := range e.blocks {
		if !e.framesAlone(b) {
			return true
		}
	}
	return false
}

// opens is a line that says in what a file stands, or how it is to be read, and nothing of what it holds.
var opens = lazyregexp.New(`^(?:package [\w.]+;?|<\?php|["']use strict["'];?|declare\(strict_types=1\);|# frozen_string_literal: \w+)$`)

// opensAlone reports whether a block holds nothing but what its file opens with: it comes with another one.
func (e *entry) opensAlone(b int) bool {
	return !slices.ContainsFunc(e.lines[e.blocks[b].From-1:e.blocks[b].To], func(line string) bool {
		bare := strings.TrimSpace(line)
		return bare != "" && !opens.MatchString(bare)
	})
}

// BytesOfToken is about how many bytes of code a token stands for.
const BytesOfToken = 4

// size returns the bytes of a block.
func (e *entry) size(b int) int { return len(e.text(b)) }

// text returns the lines of a block.
func (e *entry) text(b int) string {
	return strings.Join(e.lines[e.blocks[b].From-1:e.blocks[b].To], "")
}

// code returns lines of a file as they are shown.
func (d *Document) code(e *entry, from, to int) string {
	text := Printable(strings.Join(e.lines[from-1:to], ""))
	if !d.numbers {
		return shortRedacted(text)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strconv.Itoa(from) + "\t" + line)
		from++
	}
	return b.String()
}

// cost returns what a block costs beside what is taken: one that stands next to a taken one needs no range and fence of its own.
func (d *Document) cost(e *entry, b int) int {
	return max(1, d.counter.Count([]byte(d.code(e, e.blocks[b].From, e.blocks[b].To)))+d.costBeside(e, b))
}

// costWithin is cost of a block that fits into room, and more than room of any other: near the end of a document most blocks do not
// fit, and are not counted to their ends.
func (d *Document) costWithin(e *entry, b, room int) int {
	if e.taken[b] || room < 1 {
		return max(1, room+1)
	}
	code := []byte(d.code(e, e.blocks[b].From, e.blocks[b].To))
	beside := d.costBeside(e, b)
	if d.limit > 0 && !d.counter.Within(code, room-beside) {
		return room + 1
	}
	return max(1, d.counter.Count(code)+beside)
}

// costBeside is what the code of a block costs more, or less, by where it stands.
func (d *Document) costBeside(e *entry, b int) int {
	n := stretchCost
	if b > 0 && e.taken[b-1] {
		n -= stretchCost
	}
	if b+1 < len(e.taken) && e.taken[b+1] {
		n -= stretchCost
	}
	if e.bytes == 0 {
		n += headingCost + d.counter.Count([]byte(e.Path+e.reason))
	}
	return n
}

// take takes a block that is not yet taken if it fits into room, and returns what it costs.
func (d *Document) take(c candidate, room int) int {
	e := d.entries[c.file]
	if e.taken[c.block] || e.passes(c.block) || e.Asked.below(InBlocks) || c.tokens > min(room, d.rest()) {
		return 0
	}
	e.taken[c.block] = true
	e.bytes += e.size(c.block)
	d.spent += c.tokens
	d.order = append(d.order, c)
	if sectioned(e.Path) {
		d.said[strings.TrimSpace(e.text(c.block))] = c.file
	}
	return c.tokens
}

// leastAgain is how many bytes a block has at least of which one is enough.
const leastAgain = 40

// saysAgain reports whether a block of a manual that is not changed says what one of another does that is taken: each version has it.
func (d *Document) saysAgain(e *entry, b int) bool {
	if e.Changed || !sectioned(e.Path) {
		return false
	}
	text := strings.TrimSpace(e.text(b))
	file, there := d.said[text]
	return there && len(text) >= leastAgain && d.entries[file] != e
}

// words returns the bytes of a file but for its licence.
func (e *entry) words() int {
	if len(e.blocks) > 0 && e.passes(0) {
		return len(e.Text) - e.size(0)
	}
	return len(e.Text)
}

// passes reports whether a block is a licence that nobody asks for: it says nothing of the file.
func (e *entry) passes(b int) bool {
	return e.blocks[b].Licence && !e.Asked.is(Whole) && !(e.Changed && e.touches(b))
}

// level returns how much of a file is shown.
func (e *entry) level() Level {
	switch {
	case e.Note != "" || len(e.Text) == 0:
		return Listed
	case e.Patched || e.bytes == len(e.Text):
		return Whole
	case e.bytes > 0:
		return InBlocks
	case e.outlined:
		return Outline
	}
	return Listed
}
