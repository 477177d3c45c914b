package brief

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Block is a stretch of a text that a reader takes as one: a definition with its comment and body, a member of a long one, what
// stands between definitions, a section of a manual. Lines count from 1, both ends are of it.
type Block struct {
	From, To int
	// Name is what the block defines, qualified by what it stands in, or the heading of a section; "" where it has none.
	Name string
	// Signature is the first and the last line of a definition's signature, 0 and 0 where the block is none.
	Signature [2]int
	// OfList says that it is a part of a long list of values.
	OfList bool
	// Licence says that it is the comment at the head of a file that says who may use it, and nothing else.
	Licence bool
}

// A block above maxBlock bytes is divided: into its members, or at its empty lines. Small neighbours are joined up to
// joined bytes.
const (
	maxBlock = 2400
	joined   = 700
)

// Blocks divides a text into blocks: every line is in exactly one of them, in order. definitions are those that the reader of
// its language found, sorted by where they begin or not; of a text without any, lines that are not indented begin blocks, and
// headings those of a manual.
func Blocks(name string, text []byte, definitions []graph.Definition) []Block {
	if len(text) == 0 {
		return nil
	}
	d := &divider{lines: bytes.SplitAfter(text, []byte("\n"))}
	if n := len(d.lines); len(d.lines[n-1]) == 0 {
		d.lines = d.lines[:n-1]
	}
	if sectioned(name) {
		d.sections()
	} else {
		d.definitions = ordered(definitions, len(d.lines))
		from := d.licence(language.Of(name)) + 1
		for i := range d.definitions { // a comment that stands next to a definition counts as its own
			if one := &d.definitions[i]; one.From < from && one.Line >= from {
				one.From = from
			}
		}
		d.between(from, len(d.lines), d.definitions)
	}
	return d.blocks
}

// leastLicence is how many lines a licence has at least that is a block of its own.
const leastLicence = 8

// unknownLanguage has the signs of comments that a text of no known language may begin with: a linker's script, an assembler's source.
var unknownLanguage = language.Language{Comments: "// # ; -- %", Open: "/*", Shut: "*/"}

// words of a licence; a comment that has two of them is one.
var ofLicence = lazyregexp.New(`(?i)\bcopyright\b|\blicen[cs]ed?\b|\bredistribution\b|\bpermission is hereby granted\b|\bwarrant(?:y|ies)\b`)

// licence makes a block of the comment at the head of a text, if it is a long licence, and returns its last line; 0 where there is none.
func (d *divider) licence(l *language.Language) (last int) {
	const most = 80
	if l == nil {
		l = &unknownLanguage
	}
	words, began := map[string]bool{}, ""
	for n := 1; ; n++ {
		if n > most || n >= len(d.lines) {
			return 0 // nothing else stands there
		}
		line := strings.TrimSpace(string(d.lines[n-1]))
		if n == 1 && (strings.HasPrefix(line, "#!") || strings.HasPrefix(line, "<?")) {
			last = n // what runs it, or how it is written, may stand before
			continue
		}
		mark := commentMark(l, line, began)
		if mark == "" && line != "" {
			break
		}
		if mark == "" { // an empty line ends it
			if n > last+1 || began != "" {
				break
			}
			continue
		}
		began, last = mark, n
		for _, word := range ofLicence.FindAllString(line, -1) {
			words[strings.ToLower(word)] = true
		}
		if mark == l.Open && strings.Contains(line, l.Shut) {
			break
		}
	}
	if last < leastLicence || len(words) < 2 {
		return 0
	}
	if d.empty(last + 1) {
		last++
	}
	d.blocks = append(d.blocks, Block{From: 1, To: last, Licence: true})
	return last
}

// unlicensed returns the text of a file without the long licence at its head, which is counted there: nobody reads a program for it.
func unlicensed(name, text string) string {
	last := LicenceLines(name, []byte(text))
	if last == 0 {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	return passed(last) + "\n" + strings.Join(lines[last:], "")
}

// LicenceLines returns how many lines the long licence at the head of a file has, with the empty one below it: 0 where there is none.
func LicenceLines(name string, text []byte) int {
	d := divider{lines: bytes.SplitAfter(text, []byte{'\n'})}
	return d.licence(language.Of(name))
}

// commentMark is what begins a line of comment, where began began the lines before; "" for another line.
func commentMark(l *language.Language, line, began string) string {
	if l.Open != "" && (began == l.Open || began == "" && strings.HasPrefix(line, l.Open)) {
		return l.Open
	}
	for mark := range strings.FieldsSeq(l.Comments) {
		if strings.HasPrefix(line, mark) && (began == "" || began == mark) {
			return mark
		}
	}
	return ""
}

// sectioned reports whether a file of this name is a manual with headings.
func sectioned(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".rst", ".adoc":
		return true
	}
	return false
}

// divider divides one text.
type divider struct {
	lines       [][]byte
	definitions []graph.Definition
	blocks      []Block
}

// ordered returns the definitions that have lines of a text of n lines, by where they begin, those that hold others first.
func ordered(definitions []graph.Definition, n int) []graph.Definition {
	list := make([]graph.Definition, 0, len(definitions))
	for _, d := range definitions {
		if d.From < 1 || d.From > d.Line || d.Line > n {
			continue
		}
		d.End = min(max(d.End, d.Line), n)
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b graph.Definition) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return b.End - a.End
	})
	return list
}

// between divides the lines from and to, which hold these definitions.
func (d *divider) between(from, to int, definitions []graph.Definition) {
	at := from
	for i := 0; i < len(definitions); {
		one := definitions[i]
		end := min(one.End, to)
		inner := i + 1
		for inner < len(definitions) && definitions[inner].From <= end {
			inner++
		}
		if d.onlyNames(one.From, end) && end == one.Line { // which is no block of its own
			i++
			continue
		}
		if one.From < at || one.From > to { // it overlaps the one before: its lines are that one's
			i++
			continue
		}
		d.paragraphs(at, one.From-1, "")
		d.definition(one, end, definitions[i+1:inner])
		at, i = end+1, inner
	}
	d.paragraphs(at, to, "")
}

// definition adds a definition: whole, or where it is long divided into what stands before its members, them, and what stands
// between them.
func (d *divider) definition(one graph.Definition, end int, members []graph.Definition) {
	block := Block{From: one.From, To: end, Name: one.Name, Signature: [2]int{one.Line, min(max(one.Head, one.Line), end)}}
	if one.Line > end {
		block.Signature = [2]int{} // its name stands in what comes behind
	}
	if d.size(one.From, end) <= maxBlock {
		d.blocks = append(d.blocks, block)
		return
	}
	members = slices.DeleteFunc(slices.Clone(members), func(m graph.Definition) bool { return m.From <= one.From })
	first := len(d.blocks)
	if len(members) == 0 {
		d.paragraphs(one.From, end, one.Name)
	} else if d.onlyNames(one.From, members[0].From-1) {
		members[0].From = one.From // what names the file's folder is no block of its own
		d.between(one.From, end, members)
		return
	} else {
		d.paragraphs(one.From, members[0].From-1, one.Name)
		d.between(members[0].From, end, members)
	}
	if first < len(d.blocks) {
		d.blocks[first].Signature = block.Signature
	}
}

// onlyNames reports whether the lines from and to say no more than what the file is called, or stands in.
func (d *divider) onlyNames(from, to int) bool {
	named := false
	for n := from; n <= to; n++ {
		if line := strings.TrimSpace(string(d.lines[n-1])); line != "" && line != "{" {
			if !strings.Contains(line, "namespace ") || !namesFile.MatchString(line) {
				return false
			}
			named = true
		}
	}
	return named
}

// paragraphs adds lines that no definition has: what begins without indentation behind an empty line begins a block, and small
// ones are joined.
func (d *divider) paragraphs(from, to int, name string) {
	if n := len(d.blocks); n > 0 && from <= to && d.silent(from, to) {
		d.blocks[n-1].To = to // an empty line between two definitions is the first one's, and so is what says nothing alone
		return
	}
	for from <= to {
		end, size := from, len(d.lines[from-1])
		for end < to && !(size >= joined && d.begins(end+1, size/joined)) && !(size >= maxBlock && d.empty(end)) && size < 2*maxBlock {
			end++
			size += len(d.lines[end-1])
		}
		d.blocks = append(d.blocks, Block{From: from, To: end, Name: name})
		from = end + 1
	}
}

// begins reports whether a line begins something new: an empty line stands before it, and it is indented by no more than so many
// steps, of four blanks or a tab.
func (d *divider) begins(n, steps int) bool {
	if !d.empty(n-1) || d.empty(n) {
		return false
	}
	line := d.lines[n-1]
	rest := bytes.TrimLeft(line, " \t")
	tabs := bytes.Count(line[:len(line)-len(rest)], []byte{'\t'})
	deep := tabs + (len(line)-len(rest)-tabs+3)/4
	return deep <= min(steps, maxIndent) && rest[0] != '}' && rest[0] != ')' && rest[0] != ']'
}

// maxIndent is how deep a line may be that begins a block of its own.
const maxIndent = 3

// ending is a line that closes what began before it by a word, and may name it: end, end Reader, End Sub, end module a;
var ending = lazyregexp.New(`^[Ee]nd(?: [\w.]+){0,2};?$`)

// silent reports whether all lines from and to are empty, close what began before them, or say who may use what comes behind.
func (d *divider) silent(from, to int) bool {
	for n := from; n <= to; n++ {
		line := bytes.TrimSpace(d.lines[n-1])
		switch string(line) {
		case "private", "protected", "public", "private:", "protected:", "public:":
			continue
		}
		if ending.Match(line) {
			continue
		}
		if len(bytes.TrimLeft(line, "})];,")) > 0 && !bytes.HasPrefix(line, []byte("#endif")) {
			return false
		}
	}
	return true
}

func (d *divider) empty(n int) bool { return len(bytes.TrimSpace(d.lines[n-1])) == 0 }

// size returns the bytes of the lines from and to.
func (d *divider) size(from, to int) int {
	n := 0
	for _, l := range d.lines[from-1 : to] {
		n += len(l)
	}
	return n
}

// sections adds the sections of a manual: a heading and what follows it.
func (d *divider) sections() {
	from, name, fence := 1, "", ""
	for i, line := range d.lines {
		bare := strings.TrimSpace(string(line))
		if mark := fenceOf(bare); mark != "" && (fence == "" || fence == mark) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
		}
		if fence == "" && heading(bare) != "" && i+1 > from {
			d.paragraphs(from, i, name)
			from = i + 1
		}
		if fence == "" && heading(bare) != "" {
			name = plainHeading(heading(bare))
		}
	}
	d.paragraphs(from, len(d.lines), name)
}

func fenceOf(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// heading returns the words of a heading, "" for a line that is no heading.
func heading(line string) string {
	bare := strings.TrimLeft(strings.TrimLeft(line, "#"), "=")
	if n := len(line) - len(bare); n == 0 || n > 6 || !strings.HasPrefix(bare, " ") {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(bare, "#="))
}

// plainHeading is a heading without its headPictures, as it is where it has nothing else: badges say nothing of what stands below.
func plainHeading(name string) string {
	if !strings.Contains(name, "![") {
		return name
	}
	bare := name
	for _, p := range pictures {
		bare = p.ReplaceAllString(bare, "")
	}
	if bare = strings.TrimSpace(bare); bare != "" {
		return bare
	}
	return name
}
