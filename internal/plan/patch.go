package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

// manyMoved is the most files that a change may have for each file that only moves to have a patch of its own.
const manyMoved = 40

// movedAlone reports whether a change moves a file and nothing else.
func movedAlone(p *snapshot.FilePatch) bool {
	return p.Change.OldPath != "" && p.Change.OldPath != p.Change.Path && len(p.Text) > 0 && len(diff.Touched(p.Text)) == 0
}

// maxUntold bounds the files that a patch names with the reason why it does not show them.
const maxUntold = 20

// maxAlike bounds the files that a patch names because they make its edit, too.
const maxAlike = 20

// What the patch of a file is worth where not all have room: that of code four times what tests, prose and data are, and what only
// goes; of files that define something anew, or that the change's authors name, more: who has seen what is defined understands a
// hundred files that use it by a few of them.
const (
	weightOfCode    = 4
	weightOfDefined = 16
	weightOfTold    = 4
)

// weightOf is what the patch of a file is worth.
func weightOf(p *snapshot.FilePatch, said string) int {
	w := 1
	name := p.Change.Path
	code := language.Is(name, language.Code) || language.Is(name, language.Markup)
	if code && !language.IsTest(name) && p.Change.Status != diff.Deleted {
		w = weightOfCode
		if turnOf(p) == turnOfDefinitions {
			w *= weightOfDefined
		}
	}
	if names(said, name) {
		w *= weightOfTold
	}
	return w
}

// turn is when a changed file is read, the earliest first.
type turn uint8

const (
	turnOfDefinitions turn = iota // code in which definitions begin, or change where they do
	turnOfBodies                  // other code, which uses those above all
	turnOfTests                   // tests and examples
	turnOfRest                    // prose and data, tests' own too
)

// turnOfName is when a file of this name is read, whatever changes in it: turnOfBodies of code.
func turnOfName(name string) turn {
	switch {
	case !language.Is(name, language.Code) && !language.Is(name, language.Markup):
		return turnOfRest
	case language.IsTest(name) || language.IsAside(name):
		return turnOfTests
	}
	return turnOfBodies
}

// turnOf is when a changed file is read: who knows what is defined anew understands who uses it.
func turnOf(p *snapshot.FilePatch) turn {
	if t := turnOfName(p.Change.Path); t != turnOfBodies {
		return t
	}
	if p.Change.Status == diff.Added {
		return turnOfDefinitions
	}
	_, hunks, _ := diff.Hunks(p.Read())
	r := readingOf(p)
	for i := range hunks {
		if told, _ := r.tells(&hunks[i]); told == ofSignature {
			return turnOfDefinitions
		}
	}
	return turnOfBodies
}

// readingOrder is the order in which patches are read, by their turn and then by their path.
func readingOrder(patches []snapshot.FilePatch) []int {
	order, turns := make([]int, len(patches)), make([]turn, len(patches))
	for i := range patches {
		order[i], turns[i] = i, turnOf(&patches[i])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(turns[a], turns[b]), tree.Compare(patches[a].Change.Path, patches[b].Change.Path))
	})
	return order
}

// claim is a patch that asks for room: what it is worth, and how long it is.
type claim struct{ at, weight, size int }

// patchClaims are the patches in the order in which they are shown while there is room: those that are short for what they are
// worth first. Behind each stand those that make the same edit; it is worth what the worthiest of them is.
func patchClaims(patches []snapshot.FilePatch, said string) []claim {
	list := make([]claim, len(patches))
	for i := range patches {
		list[i] = claim{i, weightOf(&patches[i], said), len(patches[i].Read())}
		if first := patches[i].Alike - 1; first >= 0 {
			list[first].weight = max(list[first].weight, list[i].weight)
		}
	}
	for i := range patches {
		if first := patches[i].Alike - 1; first >= 0 {
			list[i].weight, list[i].size = list[first].weight, list[first].size
		}
	}
	slices.SortStableFunc(list, func(a, b claim) int { return cmp.Compare(a.size*b.weight, b.size*a.weight) })
	return list
}

// leastShown is how many tokens the share of a patch has at least. Half of it goes to the names of the file and the sentence how much is
// left out: with 120, a third of the patches of large changes showed up to four lines and left out more.
const leastShown = 240

// cutter cuts patches by their tokens.
type cutter struct {
	counter  *tokens.Counter
	repeats  [][]bool // by patch, as far as is known
	families []string // by patch, likewise; see familiesOf
}

// repeated are the hunks of a patch that repeat.
func (c cutter) repeated(at int) []bool {
	if at < len(c.repeats) {
		return c.repeats[at]
	}
	return nil
}

// claimsOf are the claims of the patches that are to be shown: those of deleted files apart where not all have room, and their authors do
// not name them.
func (c cutter) claimsOf(patches []snapshot.FilePatch, room int, said string) (claims, gone []claim) {
	many := len(patches) > manyMoved
	claims = slices.DeleteFunc(patchClaims(patches, said), func(one claim) bool {
		p := &patches[one.at]
		return many && movedAlone(p) || p.Untold() != "" || p.Read() == nil
	})
	left := room
	for _, one := range claims {
		if !c.counter.Within(patches[one.at].Read(), left) {
			left = -1
			break
		}
		left -= c.counter.Count(patches[one.at].Read())
	}
	if left >= 0 {
		return claims, nil
	}
	rest := claims[:0:0]
	for _, one := range claims {
		if p := &patches[one.at]; p.Change.Status == diff.Deleted && !names(said, p.Change.Path) {
			gone = append(gone, one)
		} else {
			rest = append(rest, one)
		}
	}
	byGone(patches, gone)
	return rest, gone
}

// shareAll is what is shown of each patch in a room, and the lines that tell deleted files by what they defined: these come first, and of what
// all else leaves those of code may stand whole.
func (c cutter) shareAll(s *scan.Screener, patches []snapshot.FilePatch, room int, said string) (shown [][]byte, lines map[int]string) {
	claims, deleted := c.claimsOf(patches, room, said)
	lines, cost := c.goneLines(s, patches, deleted, room/goneLinesPart)
	room -= cost
	shown = c.share(patches, claims, room, said)
	for _, text := range shown {
		room -= c.counter.Count(text)
	}
	c.whole(patches, deleted, shown, lines, room)
	return shown, lines
}

// whole shows the whole patches of deleted code that fit into a room, the short ones first, and tells those files no more by their lines.
func (c cutter) whole(patches []snapshot.FilePatch, claims []claim, shown [][]byte, lines map[int]string, room int) {
	for _, one := range slices.Backward(claims) {
		if turnOfName(patches[one.at].Change.Path) != turnOfBodies {
			continue
		}
		text := patches[one.at].Read()
		had := c.counter.Count([]byte(lines[one.at]))
		if !c.counter.Within(text, room+had) {
			continue
		}
		shown[one.at] = text
		room += had - c.counter.Count(text)
		delete(lines, one.at)
	}
}

// share shares a room of tokens among the patches, and returns what is shown of each, nil where nothing is. What a short one
// leaves of its share the longer ones have; one that is longer than its share is cut. Those of claims alone are shared among.
func (c cutter) share(patches []snapshot.FilePatch, claims []claim, room int, said string) [][]byte {
	shown, all := make([][]byte, len(patches)), 0
	for _, one := range claims {
		if !c.comesLast(one, patches, said) {
			all += one.weight
		}
	}
	var cut, last []claim
	for _, one := range claims {
		p := &patches[one.at]
		if c.comesLast(one, patches, said) {
			last = append(last, one)
			continue
		}
		share := min(room, max(leastShown, room/all*one.weight+room%all*one.weight/all))
		all -= one.weight
		if first := p.Alike - 1; first >= 0 && shown[first] != nil {
			continue
		}
		if c.counter.Within(p.Read(), share) {
			shown[one.at] = p.Read()
		} else if shown[one.at] = c.cut(p, c.repeated(one.at), share); shown[one.at] != nil {
			cut = append(cut, one)
		} else {
			continue
		}
		room -= c.counter.Count(shown[one.at])
	}
	for _, one := range cut { // what is left over makes some of them whole
		had := c.counter.Count(shown[one.at])
		if whole := patches[one.at].Read(); c.counter.Within(whole, room+had) {
			shown[one.at] = whole
			room -= c.counter.Count(whole) - had
		}
	}
	if c.lengthOfTexts(last, patches) > room/textsPart {
		last = slices.DeleteFunc(last, c.isText)
	}
	for _, one := range last {
		p := &patches[one.at]
		if first := p.Alike - 1; (first < 0 || shown[first] == nil) && c.counter.Within(p.Read(), room) {
			shown[one.at] = p.Read()
			room -= c.counter.Count(p.Read())
		}
	}
	return shown
}

// textsPart is the part of the remaining room that a program's texts in further languages may take, all of them or none: their names alone
// tell a reader nearly all.
const textsPart = 4

// isText reports whether a patch is of a program's texts in one of several languages that the change touches.
func (c cutter) isText(one claim) bool { return one.at < len(c.families) && c.families[one.at] != "" }

// lengthOfTexts is how many tokens the patches have of those that are such texts.
func (c cutter) lengthOfTexts(list []claim, patches []snapshot.FilePatch) (n int) {
	for _, one := range list {
		if c.isText(one) {
			n += c.counter.Count(patches[one.at].Read())
		}
	}
	return n
}

// comesLast reports whether a patch tells nothing that others do not, and its authors do not name the file.
func (c cutter) comesLast(one claim, patches []snapshot.FilePatch, said string) bool {
	return allRepeat(c.repeated(one.at)) && !names(said, patches[one.at].Change.Path)
}

// telling is how much a hunk tells, the most first.
type telling uint8

const (
	ofSignature telling = iota // where a definition begins, a line of code changes
	ofSection                  // of tests and prose: leastSection lines of code or more are added in one piece
	ofBody                     // a line of a definition
	ofCode                     // another line of code
	ofWords                    // comments, imports, empty lines
	ofRepeats                  // what hunks before it tell
)

// within reports whether a line is of a comment of several lines, where the one before was or not, but for the line that ends it.
func (r reading) within(was bool, line []byte) bool {
	bare := bytes.TrimSpace(line)
	if r.open == "" || !was && !bytes.HasPrefix(bare, []byte(r.open)) {
		return false
	}
	return !bytes.Contains(bare, []byte(r.shut))
}

// leastSection is how many lines a piece has at least that is added to a test or to prose and comes before lines that change, such as
// a count or a table of contents: what is shorter mostly follows from it.
const leastSection = 3

// headed is a heading of a manual.
var headed = lazyregexp.New(`^(?:#{1,6}|={1,6}) +\S`)

// opensFile is a line that a file begins with, whatever it holds.
var opensFile = lazyregexp.New(`^(?:<\?xml\b|<\?php\s*$|<!(?i:doctype)\b|#!/|declare\(strict_types|["']use strict["'];?$|# frozen_string_literal:)`)

// reading tells lines of code from others in a file.
type reading struct {
	begins []int // the lines after the change at which definitions begin
	signs  []string
	// open and shut enclose comments of several lines, where there are such.
	open, shut string
	// sections says that what is added in one piece tells more than where it stands: of tests and prose. prose is of manuals, where
	// headings begin what signatures begin elsewhere.
	sections, prose bool
}

func readingOf(p *snapshot.FilePatch) reading {
	r := reading{begins: p.Begins, sections: turnOfName(p.Change.Path) >= turnOfTests, prose: language.Is(p.Change.Path, language.Prose)}
	if l := language.Of(p.Change.Path); l != nil && l.Kind != language.Prose {
		r.signs = strings.Fields(l.Comments)
		if l.Open != "" {
			r.signs = append(r.signs, l.Open, "*", l.Shut)
			r.open, r.shut = l.Open, l.Shut
		}
	}
	return r
}

// code reports whether a line, without its mark, is one of code.
func (r reading) code(line []byte) bool {
	bare := bytes.TrimSpace(line)
	for _, sign := range r.signs {
		if bytes.HasPrefix(bare, []byte(sign)) {
			return false
		}
	}
	if opensFile.Match(bare) {
		return false
	}
	worded := bytes.ContainsFunc(bare, func(c rune) bool {
		return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
	})
	return worded && !rank.Importing(bare)
}

// beginsAt reports whether a line after the change begins a definition, or is a heading of a manual.
func (r reading) beginsAt(n int, line []byte) bool {
	_, begins := slices.BinarySearch(r.begins, n)
	return begins || r.prose && headed.Match(line)
}

// tells returns how much a hunk tells, and the place of its first changed line of code: of a section that is added, its first, or that
// of what it defines.
func (r reading) tells(h *diff.Hunk) (told telling, first int) {
	told, first = ofWords, -1
	if at, begins := r.section(h); begins {
		return ofSignature, at
	} else if at >= 0 {
		return ofSection, at
	}
	within := false // a comment of several lines
	cur := h.Cur
	for i, line := range h.Lines {
		within = r.within(within, line[1:])
		if line[0] == '+' || line[0] == '-' {
			if !within && r.code(line[1:]) {
				one := ofCode
				begins := r.beginsAt(cur, line[1:])
				if begins && !r.sections {
					one = ofSignature
				} else if begins || h.Heading != "" {
					one = ofBody
				}
				if told = min(told, one); first < 0 {
					first = i
				}
			}
		}
		if line[0] != '-' {
			cur++
		}
	}
	return told, max(first, 0)
}

// section is the place of the first line of a piece in which a hunk adds leastSection lines of code or more beyond those that it takes
// away there, or in the first such piece in which something begins the line where that does; -1 where there is none, or it does not count.
func (r reading) section(h *diff.Hunk) (at int, begins bool) {
	if !r.sections {
		return -1, false
	}
	at = -1
	from, begun, more := -1, -1, 0
	cur := h.Cur
	for i, line := range h.Lines {
		switch {
		case line[0] == ' ':
			from, begun, more = -1, -1, 0
		case !r.code(line[1:]):
		case line[0] == '-':
			more--
		default:
			if from < 0 {
				from = i
			}
			if more++; begun < 0 && more > 0 && r.beginsAt(cur, line[1:]) {
				begun = i
			}
		}
		if line[0] == '+' && more >= leastSection && begun >= 0 {
			return begun, true
		}
		if more >= leastSection && at < 0 {
			at = from
		}
		if line[0] != '-' {
			cur++
		}
	}
	return at, false
}

const (
	// leastOfHunk is how many tokens of a hunk that is cut are shown at least.
	leastOfHunk = 24
	// spareOfSentence is what the sentence behind a cut patch may have above that of the largest numbers.
	spareOfSentence = 4
	// closeLines is how many lines stand around the changes of a hunk where not all of them are shown.
	closeLines = 1
)

// cut is the part of a file's patch that fits into so many tokens: the hunks that tell most, of those the short ones first, the last
// of them cut, and others from where they tell something on, in their order, and a sentence how much is left out; nil where no hunk fits.
func (c cutter) cut(p *snapshot.FilePatch, repeats []bool, room int) []byte {
	head, hunks, tail := diff.Hunks(p.Read())
	all := 0
	for i := range hunks {
		removed, added := hunks[i].Changed()
		all += removed + added
	}
	longest := leftOut(len(hunks)-1, len(hunks), all, all)
	if room -= c.counter.Count(head) + c.counter.Count(tail) + c.counter.Count([]byte(longest)) + spareOfSentence; room < leastOfHunk {
		return nil
	}
	r := readingOf(p)
	told, sizes := make([]telling, len(hunks)), make([]int, len(hunks))
	order := make([]int, len(hunks))
	for i := range hunks {
		order[i], hunks[i] = i, hunks[i].Close(closeLines)
		if told[i], _ = r.tells(&hunks[i]); len(repeats) > 0 && repeats[i] {
			told[i] = ofRepeats
		}
		for _, line := range hunks[i].Lines {
			sizes[i] += len(line)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(told[a], told[b]), cmp.Compare(sizes[a], sizes[b]))
	})
	if rank.IsChronicle(p.Change.Path) && language.Is(p.Change.Path, language.Prose) {
		order = withoutOldEntries(hunks, order)
	}
	texts, partly := make([][]byte, len(hunks)), make([]bool, len(hunks))
	away, lines := 0, 0
	for _, i := range order {
		if room < leastOfHunk {
			break
		}
		if text := hunks[i].Text(); c.counter.Within(text, room) {
			texts[i] = text
			room -= c.counter.Count(text)
			continue
		}
		// What comes behind it in the order tells less than the beginning of this one.
		_, first := r.tells(&hunks[i])
		if part := c.firstWithin(&hunks[i], first, room); part != nil {
			texts[i], partly[i] = part.Text(), true
			removed, added := part.Changed()
			lines -= removed + added
			room -= c.counter.Count(texts[i])
			rest := hunks[i].From(first)
			if away, more := rest.Changed(); removed+added < away+more {
				break
			}
		}
	}
	b := bytes.NewBuffer(slices.Clone(head))
	for i := range hunks {
		removed, added := hunks[i].Changed()
		if texts[i] == nil {
			away++
		}
		if texts[i] == nil || partly[i] {
			lines += removed + added
		}
		b.Write(texts[i])
	}
	if away == len(hunks) {
		return nil
	}
	b.Write(tail)
	if lines == 0 {
		return b.Bytes()
	}
	b.WriteString(leftOut(away, len(hunks), lines, all))
	return b.Bytes()
}

// withoutOldEntries leaves out of an order the hunks of a list of what was done when that only take away, where others add: old entries go,
// and say nothing of the change.
func withoutOldEntries(hunks []diff.Hunk, order []int) []int {
	adds := func(i int) bool {
		_, added := hunks[i].Changed()
		return added > 0
	}
	if !slices.ContainsFunc(order, adds) {
		return order
	}
	return slices.DeleteFunc(order, func(i int) bool { return !adds(i) })
}

// leftOut says how much of a patch is left out, behind it: its head names the file.
func leftOut(hunks, allHunks, lines, all int) string {
	of := fmt.Sprintf("%d of %d changed lines", lines, all)
	if hunks > 0 {
		of = fmt.Sprintf("%d of %d hunks, %s in all", hunks, allHunks, of)
	}
	return fmt.Sprintf("# Left out here: %s.\n", of)
}

// firstWithin is the beginning of a hunk, from the first changed line of code on where what changes before it is none, that fits into so
// many tokens; nil where no changed line does.
func (c cutter) firstWithin(h *diff.Hunk, first, room int) *diff.Hunk {
	from := *h
	if slices.ContainsFunc(h.Lines[:first], func(line []byte) bool { return line[0] != ' ' }) {
		from = h.From(first)
	}
	removed, added := from.Changed()
	fit, over := 0, removed+added+1
	for fit+1 < over {
		n := fit + (over-fit)/2
		if part := from.First(n); c.counter.Within(part.Text(), room) {
			fit = n
		} else {
			over = n
		}
	}
	if fit == 0 {
		return nil
	}
	part := from.First(fit)
	return &part
}

// changeText is the change as the archive of a context holds it: in so many tokens the patches that fit, and of others the hunks that
// tell most. Where an archive has the rest, it says so. likened are the files of which it shows nothing, as their edits repeat others.
func changeText(s *scan.Screener, patches []snapshot.FilePatch, counter *tokens.Counter, room int, o Options) (text []byte, likened []string, made []secret.Finding) {
	patches = slices.Clone(patches)
	for i := range patches {
		patches[i] = snapshot.WithoutLicence(snapshot.NamedOnce(patches[i]))
	}
	seed, order := maphash.MakeSeed(), readingOrder(patches)
	c := cutter{counter, repeats(patches, order, seed), familiesOf(patches)}
	shown, lines := c.shareAll(s, patches, room, o.Said)
	many := len(patches) > manyMoved
	names, rest := "; archive.diff.tar has their names", "; archive.diff.tar has them"
	if o.Alone {
		names, rest = "", ""
	}
	var b, told, gone, out strings.Builder
	left, untold, moved, redacted := 0, 0, 0, false
	alike := map[int][]int{} // by the patch that is shown for them
	edits := editsShown(shown, c.families, seed)
	var repeated, texts []int
	for _, i := range order {
		p := patches[i]
		if many && movedAlone(&p) {
			moved++
			continue
		}
		if why := p.Untold(); why != "" {
			if untold++; untold <= maxUntold {
				fmt.Fprintf(&told, "# %s %s: %s%s\n", p.Change.Status, job.OneLine(s.Clean(p.Change.Path)), why, p.Numbers())
			}
			continue
		}
		if lines[i] != "" {
			gone.WriteString(lines[i])
			continue
		}
		if first := p.Alike - 1; first >= 0 && shown[i] == nil && shown[first] != nil {
			alike[first] = append(alike[first], i)
			continue
		}
		if shown[i] == nil && allRepeat(c.repeats[i]) && toldBy(edits, p.Read(), c.families[i], seed) {
			likened = append(likened, p.Change.Path)
			if c.families[i] != "" {
				texts = append(texts, i)
			} else {
				repeated = append(repeated, i)
			}
			continue
		}
		if shown[i] == nil {
			if left++; left <= 20 {
				fmt.Fprintf(&out, "# %s %s\n", p.Change.Status, job.OneLine(s.Clean(p.Change.Path)))
			}
			continue
		}
		redacted = redacted || p.Redacted
		b.Write(shown[i])
	}
	if moved > 0 {
		fmt.Fprintf(&b, "# %d more files are moved, their text is the same%s.\n", moved, names)
	}
	for _, first := range slices.Sorted(maps.Keys(alike)) {
		fmt.Fprintf(&b, "# The edit of %s is made in %s\n", job.OneLine(s.Clean(patches[first].Change.Path)), inMore(s, patches, alike[first]))
	}
	if len(repeated) > 0 {
		b.WriteString(nothingNew + inMore(s, patches, repeated) + "\n")
	}
	if len(texts) > 0 {
		b.WriteString(sameTexts + inMore(s, patches, texts) + "\n")
	}
	if gone.Len() > 0 {
		b.WriteString(firstGone + gone.String())
	}
	if untold > maxUntold {
		fmt.Fprintf(&told, "# and %d more\n", untold-maxUntold)
	}
	if untold > 0 {
		b.WriteString(firstUntold + told.String())
	}
	if left > 0 {
		one := fmt.Sprintf("%d more changes are", left)
		if left == 1 {
			one, rest = "1 more change is", strings.Replace(rest, "them", "it", 1)
		}
		fmt.Fprintf(&b, "# %s%s%s:\n%s", one, tooLong, rest, out.String())
	}
	text, made = snapshot.ScreenPatch(s, b.String(), redacted)
	return text, likened, made
}

// tooLong is what the text of a change says of the patches that it leaves out, before their names.
const tooLong = " too long to be shown here"

// nothingNew is what it says of patches that repeat others, before how many and which.
const nothingNew = "# Nothing but edits like those above is made in "

// sameTexts is what it says of patches of a program's texts in further languages, likewise.
const sameTexts = "# Texts of the same names change in "

// firstUntold is what it says before the files of which nothing is shown that could be read, and why.
const firstUntold = "# Not shown, and why:\n"

// WithoutTold is the text of a change without them, for a document that says so of each of these files, or of all of a kind.
func WithoutTold(change string) string {
	at := strings.LastIndex("\n"+change, "\n"+firstUntold)
	if at < 0 {
		return change
	}
	rest := change[at+len(firstUntold):]
	for toldLine.MatchString(rest) {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return change[:at] + rest
}

// toldLine is a line that names such a file, or says how many more there are.
var toldLine = lazyregexp.New(`^# (?:[AMDRT] |and \d+ more\n)`)

// WithoutNames is the text of a change without the names of the patches that it leaves out, for a document that has said of each.
func WithoutNames(change string) string {
	for _, sentence := range []string{nothingNew, sameTexts} {
		if i := strings.LastIndex(change, "\n"+sentence); i >= 0 {
			said, rest, _ := strings.Cut(change[i:], ": ")
			_, behind, _ := strings.Cut(rest, "\n")
			change = change[:i] + said + ".\n" + behind
		}
	}
	i := strings.LastIndex(change, tooLong)
	if i < 0 {
		return change
	}
	line := change[strings.LastIndexByte(change[:i], '\n')+1:]
	said, names, _ := strings.Cut(line, ":\n")
	for name := range strings.Lines(names) {
		if !strings.HasPrefix(name, "# ") {
			return change
		}
	}
	if !strings.HasPrefix(line, "# ") {
		return change // a line of a file
	}
	return strings.TrimSuffix(change, line) + said + ".\n"
}

// inMore names the first of the patches that are told by others.
func inMore(s *scan.Screener, patches []snapshot.FilePatch, list []int) string {
	names := make([]string, 0, maxAlike)
	for _, i := range list[:min(len(list), maxAlike)] {
		names = append(names, string(patches[i].Change.Status)+" "+job.OneLine(s.Clean(patches[i].Change.Path)))
	}
	said := fmt.Sprintf("%d more: %s", len(list), strings.Join(names, ", "))
	if n := len(list) - len(names); n > 0 {
		said += fmt.Sprintf(", and %d others", n)
	}
	return said
}
