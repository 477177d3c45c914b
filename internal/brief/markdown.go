package brief

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// Section is a part of a document that begins with a heading. Between its pieces a document may be parted.
type Section struct {
	Heading string
	Pieces  []string
}

// Sections returns the files of the document, those of the change first, in the order of their need.
func (d *Document) Sections() (changed, needed []Section) {
	for _, e := range d.shown() {
		if e.Changed {
			changed = append(changed, d.section(e))
		} else {
			needed = append(needed, d.section(e))
		}
	}
	return changed, needed
}

// Levels returns how many of the changed files, and of the others, are shown at each level.
func (d *Document) Levels() (changed, others map[Level]int) {
	changed, others = map[Level]int{}, map[Level]int{}
	for _, e := range d.entries {
		if e.Changed {
			changed[e.level()]++
		} else {
			others[e.level()]++
		}
	}
	return changed, others
}

// Level returns how much of a file is shown.
func (d *Document) Level(path string) Level {
	for _, e := range d.entries {
		if e.Path == path {
			return e.level()
		}
	}
	return Listed
}

// ShownPaths are the paths of the files of which anything is shown.
func (d *Document) ShownPaths() map[string]bool {
	paths := map[string]bool{}
	for _, e := range d.entries {
		if e.level() > Listed {
			paths[e.Path] = true
		}
	}
	return paths
}

// InPatch reports whether of what a change touches in a file something is not shown again because the patch shows its every line.
func (d *Document) InPatch(path string) bool {
	return slices.ContainsFunc(d.entries, func(e *entry) bool { return e.Path == path && e.Note == "" && (e.Patched || d.seenInPart(e)) })
}

// Lines returns which lines of a file are shown, first and last of each stretch.
func (d *Document) Lines(path string) (list [][2]int) {
	for _, e := range d.entries {
		if e.Path != path {
			continue
		}
		for b, taken := range e.taken {
			if taken {
				list = append(list, [2]int{e.blocks[b].From, e.blocks[b].To})
			}
		}
	}
	return list
}

// Drop takes back what was taken last, blocks of so many tokens or more, and where there are none an outline. It reports whether there was anything to take back.
func (d *Document) Drop(tokens int) bool {
	any := false
	for tokens > 0 && len(d.order) > 0 {
		last := d.order[len(d.order)-1]
		d.order = d.order[:len(d.order)-1]
		e := d.entries[last.file]
		e.taken[last.block] = false
		e.bytes -= e.size(last.block)
		d.spent -= last.tokens
		tokens -= last.tokens
		any = true
	}
	for n := len(d.entries) - 1; n >= 0 && !any; n-- {
		if e := d.entries[n]; e.outlined {
			e.outlined, any = false, true
		}
	}
	return any
}

// Stretch is what a document shows of a file in one piece: lines from 1, both ends of it, and what they define, if it is one thing.
type Stretch struct {
	From, To   int
	Name, Text string
}

// File is what a document shows of one file.
type File struct {
	*Source
	Level     Level
	Stretches []Stretch
	// Outline are the signatures of what is not shown, each a line behind its number and a tab.
	Outline []string
	// Pieces are all of it as Markdown.
	Pieces []string
}

// Files returns what is shown of files, those of the change first, in the order of their need.
func (d *Document) Files() (list []File) {
	for _, e := range d.shown() {
		f := File{Source: e.Source, Level: e.level(), Stretches: d.stretches(e), Pieces: d.section(e).Pieces}
		if e.outlined {
			f.Outline = d.signatures(e)
		}
		list = append(list, f)
	}
	return list
}

// shown are the files of which something is shown, in their order.
func (d *Document) shown() (list []*entry) {
	for _, e := range d.entries {
		if e.Changed && e.level() > Listed && !e.Patched {
			list = append(list, e)
		}
	}
	seen := map[int]bool{}
	for _, c := range d.order {
		if e := d.entries[c.file]; !e.Changed && !seen[c.file] {
			seen[c.file] = true
			list = append(list, e)
		}
	}
	for n, e := range d.entries {
		if !e.Changed && e.outlined && !seen[n] { // its outline alone was asked for
			list = append(list, e)
		}
	}
	return list
}

// stretches are the taken lines of a file: all in one where it is whole and short, else several blocks in one as far as maxPiece goes.
func (d *Document) stretches(e *entry) (list []Stretch) {
	if e.level() == Whole && len(e.Text) <= maxPiece {
		return []Stretch{{From: 1, To: lineCount(e.lines), Text: d.code(e, 1, len(e.lines))}}
	}
	shown := e.withGaps()
	for b := 0; b < len(e.blocks); b++ {
		if !shown[b] {
			continue
		}
		end, size := b, e.size(b)
		for end+1 < len(e.blocks) && shown[end+1] && size+e.size(end+1) <= maxPiece {
			end++
			size += e.size(end)
		}
		from, to := e.blocks[b].From, e.blocks[end].To
		if end+1 == len(e.blocks) || !shown[end+1] {
			to = e.withoutOpening(from, to)
		}
		list = append(list, Stretch{from, to, oneName(e.blocks[b : end+1]), d.code(e, from, to)})
		b = end
	}
	return list
}

// opensGroup is a line that begins a group of declarations.
var opensGroup = lazyregexp.New(`^(?:const|var|type) \($`)

// withoutOpening is the last line of a stretch without a group at its end that only begins there, and empty lines before it: what is declared in
// it is not shown.
func (e *entry) withoutOpening(from, to int) int {
	last := to
	for last > from && strings.TrimSpace(e.lines[last-1]) == "" {
		last--
	}
	if last <= from || !opensGroup.MatchString(strings.TrimSpace(e.lines[last-1])) {
		return to
	}
	for last--; last > from && strings.TrimSpace(e.lines[last-1]) == ""; {
		last--
	}
	return last
}

// maxGap is how many bytes may stand between two taken blocks and be shown with them: to leave them out, and to say so, takes more.
const maxGap = stretchCost * BytesOfToken

// withGaps tells of each block whether it is taken, or stands between two that are and is as short as what would be said of it.
func (e *entry) withGaps() []bool {
	shown := slices.Clone(e.taken)
	last := -1 // the taken one before
	for b, taken := range e.taken {
		if !taken {
			continue
		}
		size := 0
		for n := last + 1; n < b && size <= maxGap; n++ {
			size += e.size(n)
		}
		if last >= 0 && size <= maxGap {
			for n := last + 1; n < b; n++ {
				shown[n] = true
			}
		}
		last = b
	}
	return shown
}

// oneName is what blocks side by side define, if all of them are of one thing, else "".
func oneName(blocks []Block) string {
	for _, b := range blocks {
		if b.Name != blocks[0].Name {
			return ""
		}
	}
	return blocks[0].Name
}

// lineCount is how many lines there are: what follows the last line end is one if it is not empty.
func lineCount(lines []string) int {
	if n := len(lines); n > 0 && lines[n-1] == "" {
		return n - 1
	}
	return len(lines)
}

// passed says how many lines are not shown.
func passed(n int) string {
	if n == 1 {
		return "… 1 line"
	}
	return fmt.Sprintf("… %d lines", n)
}

// lineNumbers are those of a stretch of lines: 5, 5–9.
func lineNumbers(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// linesSaid says which lines stand there.
func linesSaid(from, to int) string {
	if from == to {
		return "line " + lineNumbers(from, to)
	}
	return "lines " + lineNumbers(from, to)
}

// section writes a file: its path, why it is there, and its lines.
func (d *Document) section(e *entry) Section {
	s := Section{Heading: "### " + Span(e.Path) + "\n\n"}
	if e.reason != "" && !e.Changed {
		s.Heading += "Why: " + e.reason + "\n\n"
	}
	language := Language(e.Path)
	stretches := d.stretches(e)
	if e.level() == Whole && len(e.Text) <= maxPiece {
		s.Pieces = append(s.Pieces, Fence(language, withoutEmptyEnd(stretches[0].Text))+"\n")
		return s
	}
	at, told := 1, map[int]bool{}
	for _, one := range stretches {
		text, empty := withoutEmptyStart(withoutEmptyEnd(one.Text))
		from := one.From + empty
		said := linesSaid(from, one.To)
		if one.Name != "" {
			said += ", " + Span(one.Name)
		}
		if in := cmp.Or(e.enclosing(from), e.keysAbove(from, told)); in != "" {
			said += ", in " + in
		}
		if one.From > at {
			said = passed(from-at) + "\n\n" + said
		}
		s.Pieces = append(s.Pieces, said+"\n\n"+Fence(language, text)+"\n")
		at = one.To + 1
	}
	if rest := lineCount(e.lines) - at + 1; e.bytes > 0 && rest > 0 {
		s.Pieces = append(s.Pieces, passed(rest)+"\n\n")
	}
	if list := d.signatures(e); e.outlined && len(list) > 0 {
		s.Pieces = append(s.Pieces, "what else it defines, by line:\n\n"+Fence(language, Printable(strings.Join(list, "\n")+"\n"))+"\n")
	}
	return s
}

// withoutEmptyEnd is a text without the empty lines at its end, but for the first line.
func withoutEmptyEnd(text string) string {
	for {
		at := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n')
		if at < 0 || strings.TrimSpace(text[at:]) != "" {
			return text
		}
		text = text[:at+1]
	}
}

// withoutEmptyStart is a text without the empty lines at its beginning, but for its last line, and how many they are.
func withoutEmptyStart(text string) (rest string, lines int) {
	for {
		line, after, more := strings.Cut(text, "\n")
		if !more || after == "" || strings.TrimSpace(line) != "" {
			return text, lines
		}
		text, lines = after, lines+1
	}
}

// maxPiece bounds, in bytes, a stretch of several blocks that stands in one fence: between two a document may be parted.
const maxPiece = 24 << 10

// MaxParts bounds the parts of a document; where they would be more, they are longer.
const MaxParts = 100

// Parts writes a document in parts of at most limit tokens each: one, if all of it fits, else the head with the change first,
// and at its end an index of what stands in the others, which PartName names. 0 is no limit. A section is parted between its
// pieces, and says so; a piece that is larger than a part is cut between lines. It returns how many tokens all parts have, too.
func Parts(head string, changed, needed []Section, counter *tokens.Counter, limit int) (list []string, count int) {
	whole := head + join("The changed files, as they are now", changed) + join("What else the change needs", needed)
	if limit <= 0 || counter.Within([]byte(whole), limit) {
		return []string{whole}, counter.Count([]byte(whole))
	}
	for ; ; limit *= 2 {
		p := &parts{counter: counter, limit: limit}
		p.limit -= p.limit / 10 // for the index
		p.begin(head)
		p.add("The changed files, as they are now", changed)
		p.limit = limit
		if len(needed) > 0 {
			p.begin("")
			p.add("What else the change needs", needed)
		}
		if len(p.texts) <= MaxParts {
			list = p.written()
			return list, p.count(list)
		}
	}
}

// Chapter is a heading and the sections below it.
type Chapter struct {
	Title    string
	Sections []Section
}

// PartsOf writes a document of chapters in parts as Parts does.
func PartsOf(head string, chapters []Chapter, counter *tokens.Counter, limit int) []string {
	var whole strings.Builder
	whole.WriteString(head)
	for _, c := range chapters {
		whole.WriteString(join(c.Title, c.Sections))
	}
	if limit <= 0 || counter.Within([]byte(whole.String()), limit) {
		return []string{whole.String()}
	}
	return divided(head, chapters, counter, limit).written()
}

// divided is a document of chapters in parts, of which the first has room for an index.
func divided(head string, chapters []Chapter, counter *tokens.Counter, limit int) *parts {
	for ; ; limit *= 2 {
		p := &parts{counter: counter, limit: limit}
		p.limit -= p.limit / 10 // for the index
		p.begin(head)
		for _, c := range chapters {
			p.add(c.Title, c.Sections)
			p.limit = limit
		}
		if len(p.texts) <= MaxParts {
			return p
		}
	}
}

// PartName returns the name of the nth part, from 0: context.md, context.2.md.
func PartName(name string, n int) string {
	if n == 0 {
		return name
	}
	ext := path.Ext(name)
	return fmt.Sprintf("%s.%d%s", strings.TrimSuffix(name, ext), n+1, ext)
}

// join writes a chapter whole.
func join(title string, sections []Section) string {
	if len(sections) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## " + title + "\n\n")
	for _, s := range sections {
		b.WriteString(s.Heading + strings.Join(s.Pieces, ""))
	}
	return b.String()
}

// parts is a document that is written in parts.
type parts struct {
	counter     *tokens.Counter
	limit, room int
	texts       []*bytes.Buffer
	held        [][]string // the headings in each
	pieces      [][]piece  // what each is made of
}

// piece is a stretch of a part whose tokens are none of what stands beside it, from an offset up to the next piece.
type piece struct {
	from   int
	tokens int // -1: what it was counted as is no longer all of it
}

// take tells of a text that is written at the end of a part.
func (p *parts) take(text string, tokens int) {
	if text == "" {
		return
	}
	last := len(p.texts) - 1
	before, list := p.texts[last].Bytes(), p.pieces[last]
	if n := len(list); n > 0 && !parted(before, text) {
		list[n-1].tokens = -1
		return
	}
	p.pieces[last] = append(list, piece{len(before), tokens})
}

// parted reports whether no token reaches from one text into the next: a line ends, and the next begins with no white space,
// which goes with the line's end, nor with a slash, which goes with signs before it. (How o200k_base parts texts.)
func parted(before []byte, text string) bool {
	if len(before) == 0 || before[len(before)-1] != '\n' || text == "" {
		return false
	}
	c := text[0]
	return c > ' ' && c < utf8.RuneSelf && c != '/'
}

// count returns the tokens of all parts, of which only those pieces are counted anew that are more than they were.
func (p *parts) count(list []string) (n int) {
	for i, text := range list {
		for k, one := range p.pieces[i] {
			to := len(text)
			if k+1 < len(p.pieces[i]) {
				to = p.pieces[i][k+1].from
			}
			if one.tokens < 0 {
				one.tokens = p.counter.Count([]byte(text[one.from:to]))
			}
			n += one.tokens
		}
	}
	return n
}

// begin begins a part with this text.
func (p *parts) begin(text string) {
	n := p.counter.Count([]byte(text))
	p.texts, p.held, p.pieces = append(p.texts, new(bytes.Buffer)), append(p.held, nil), append(p.pieces, nil)
	p.take(text, n)
	p.texts[len(p.texts)-1].WriteString(text)
	p.room = p.limit - n
}

// add writes a chapter.
func (p *parts) add(title string, sections []Section) {
	lead := "\n## " + title + "\n\n"
	for _, s := range sections {
		heading := s.Heading
		for _, piece := range p.short(s) {
			text := lead + heading + piece
			n := p.counter.Count([]byte(text))
			counted := n
			if n > p.room && p.texts[len(p.texts)-1].Len() > 0 {
				if heading == "" {
					counted = -1
					text = strings.SplitAfter(s.Heading, "\n")[0] + "\n(continued)\n\n" + piece
					heading = s.Heading
				}
				p.begin("")
			}
			p.take(text, counted)
			last := len(p.texts) - 1
			if heading != "" {
				p.held[last] = append(p.held[last], strings.TrimPrefix(strings.SplitAfter(s.Heading, "\n")[0], "### "))
			}
			p.texts[last].WriteString(text)
			p.room -= n
			lead, heading = "", ""
		}
	}
}

// ofCut is how much of a part's tokens, in hundredths, a stretch of a cut piece has: its part has a heading, and the first an index.
const ofCut = 80

// short are the pieces of a section, of which those that are longer than a part are cut between lines, and a line that is longer
// within itself.
func (p *parts) short(s Section) []string {
	most := p.limit * ofCut / 100
	var list []string
	for i, piece := range s.Pieces {
		if p.counter.Within([]byte(piece), most) {
			if list != nil {
				list = append(list, piece)
			}
			continue
		}
		if list == nil {
			list = slices.Clone(s.Pieces[:i])
		}
		list = append(list, p.cut(piece, most)...)
	}
	if list == nil {
		return s.Pieces
	}
	return list
}

// cut divides a piece into stretches of so many tokens, each in a fence like its own. What a line that is longer goes on with says so.
func (p *parts) cut(piece string, most int) (list []string) {
	at := strings.Index("\n"+piece, "\n```")
	if at < 0 {
		return []string{piece}
	}
	open := strings.SplitAfterN(piece[at:], "\n", 2)[0]
	mark := open[:longestRun(open)]
	from := at + len(open)
	end := strings.LastIndex(piece, "\n"+mark+"\n") + 1
	if end < from {
		return []string{piece}
	}
	before, spent := piece[:from], 0
	start := from
	for at := from; at < end; {
		line := piece[at : at+strings.IndexByte(piece[at:], '\n')+1]
		n := p.counter.Count([]byte(line))
		if spent+n > most && at > start {
			list = append(list, before+piece[start:at]+mark+"\n\n")
			before, start, spent = open, at, 0
		}
		if n > most {
			for _, one := range cutWithin(line, len(line)/(n/most+1)) {
				list = append(list, before+one+"\n"+mark+"\n\n")
				before, start = "… the line goes on\n\n"+open, start+len(one)
			}
			n = p.counter.Count([]byte(piece[start : at+len(line)]))
		}
		spent += n
		at += len(line)
	}
	return append(list, before+piece[start:])
}

// nearCut is how many bytes before the place at which a line is cut a sign is looked for behind which it may be.
const nearCut = 400

// cutWithin are the stretches of a line, of so many bytes at most, but for the last: behind a sign that ends or opens something, where one
// is near, else between two letters.
func cutWithin(line string, most int) (list []string) {
	for most > 0 && len(line) > most {
		at := most
		for at > 0 && !utf8.RuneStart(line[at]) {
			at--
		}
		from := max(0, at-nearCut)
		if sign := strings.LastIndexAny(line[from:at], ";},) "); sign >= 0 {
			at = from + sign + 1
		}
		if at == 0 {
			return list
		}
		list = append(list, line[:at])
		line = line[at:]
	}
	return list
}

// written returns the parts, with the index in the first.
func (p *parts) written() []string {
	index := p.index()
	if n := len(p.pieces[0]); n > 0 {
		p.pieces[0][n-1].tokens = -1 // the index begins with an empty line
	}
	p.texts[0].WriteString(index)
	return p.list()
}

// list are the parts as they are.
func (p *parts) list() []string {
	list := make([]string, len(p.texts))
	for i, t := range p.texts {
		list[i], p.texts[i] = t.String(), nil
	}
	return list
}

// index says what stands in the parts behind the first.
func (p *parts) index() string {
	var b strings.Builder
	b.WriteString("\n## In the other parts\n\n")
	for i, held := range p.held {
		if i == 0 {
			continue
		}
		names := make([]string, len(held))
		for n, h := range held {
			names[n] = strings.TrimSpace(h)
		}
		fmt.Fprintf(&b, "- part %d: %s\n", i+1, strings.Join(names, ", "))
	}
	return b.String()
}

// Span returns anybody's words as a span of code: as they are, but for what cannot be seen, between more backticks than
// stand in them.
func Span(words string) string {
	words = text.Visible(words)
	mark := strings.Repeat("`", longestRun(words)+1)
	if strings.HasPrefix(words, "`") || strings.HasSuffix(words, "`") || strings.Trim(words, " ") == "" {
		words = " " + words + " "
	}
	return mark + words + mark
}

// Fence returns text as a fenced block that nothing in it can end.
func Fence(language, content string) string {
	mark := strings.Repeat("`", max(3, longestRun(content)+1))
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return mark + language + "\n" + content + mark + "\n"
}

// longestRun returns the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

// Words returns words that may be anybody's as plain text: what Markdown would take for mark-up, a link or a mention is
// set in a span of code.
func Words(s string) string {
	s = text.Visible(s)
	if strings.ContainsAny(s, "`*_[]<>\\|#@&~!$^") || strings.Contains(s, "://") || strings.Contains(strings.ToLower(s), "www.") {
		return Span(s)
	}
	return s
}

// Printable shows control characters, which a reader would take for something else, as ?. A carriage return at the end of a
// line is left out.
func Printable(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0x2028 || r == 0x2029 || r == 0x85 {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"))
}

// redactedMark begins what stands in the place of a credential.
const redactedMark = "[REDACTED:"

// shortRedacted is a text in which the empty lines that a credential of several leaves behind its mark are counted, where they are more than one.
func shortRedacted(text string) string {
	if !strings.Contains(text, redactedMark) {
		return text
	}
	var b strings.Builder
	empty, marked := 0, false
	tell := func() {
		switch {
		case empty == 1:
			b.WriteString("\n")
		case empty > 1:
			b.WriteString(passed(empty) + "\n")
		}
		empty = 0
	}
	for line := range strings.Lines(text) {
		if marked && line == "\n" {
			empty++
			continue
		}
		tell()
		b.WriteString(line)
		marked = strings.Contains(line, redactedMark)
	}
	tell()
	return b.String()
}

// isPlain reports whether all of a text is ASCII that is printed as it is, as most code is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// Language is the word behind a fence: the extension where it is a plain one, and no section of a manual's pages, such as 1.
func Language(name string) string {
	if language.IsDockerfile(name) {
		return "dockerfile"
	}
	ext := strings.TrimPrefix(path.Ext(name), ".")
	if ext != "" && ext[0] >= '0' && ext[0] <= '9' {
		return ""
	}
	for _, r := range ext {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return ""
		}
	}
	return ext
}
