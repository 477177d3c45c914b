package declaration

import (
	"bytes"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// margin is how declarations are read of a language by its lines alone: each begins a line at the margin of what holds it, what
// belongs to it stands deeper, and what ends it stands at its own indentation. Most people write most languages so; a text that
// is indented otherwise loses declarations, and gains none that are not there.
type margin struct {
	rules []rule
	// byFirst are the rules that lines may match which begin with a byte, in their order; made when first asked for.
	byFirst [256][]*rule
	made    sync.Once
	// not are words that begin lines which declare nothing, though a rule may match them.
	not map[string]bool
	// closers are lines that end what has their indentation.
	closers *lazyregexp.Regexp
	// braces says that a block ends with a closer or a rule's next line alone, whatever its indentation.
	braces bool
	// goes begins lines that go on with what stands before them at their indentation, behind braces.
	goes *lazyregexp.Regexp
	// clauses says that declarations of one name, one behind another, are one. Where joint is there, only if it matches
	// the last line of the one before.
	clauses bool
	joint   *lazyregexp.Regexp
	// before are lines that belong to the declaration behind them.
	before *lazyregexp.Regexp
	// signs begin a body, behind the signature.
	signs []string
	// short says that the signature is the first line.
	short bool
	// hidden and shown match lines whose declaration cannot be seen elsewhere, or can; nil where there are none.
	hidden, shown *lazyregexp.Regexp
	// list begins, at the first sign of a line, the list of what can be seen: up to the bracket that closes its last sign, or to the
	// end of the line.
	list *lazyregexp.Regexp
	// joined says that a line with an open bracket is matched with the lines up to the one that closes it.
	joined bool
	// mark stands in the comment of what can be seen; where it stands in none, all can.
	mark string
	// ends begins what is no code, up to the end of the text; pods are pages of documentation: =word to =cut.
	ends *lazyregexp.Regexp
	pods bool
}

// where says in what a rule's line may stand.
type where uint8

const (
	anywhere   where = iota
	outOfTypes       // in no type
	inTypes          // in a type
)

// allows reports whether a line may stand there, which stands in a type or in none.
func (w where) allows(inType bool) bool {
	return w == anywhere || (w == inTypes) == inType
}

// rule says which lines declare. The name is the first group of its pattern that is not empty.
type rule struct {
	kind string
	line *lazyregexp.Regexp
	at   where
	// holds says that what stands in it is read too.
	holds bool
	// opens says that it begins another declaration where one of the same name stands before it: its type.
	opens bool
	// needs is what stands in each line of it; nil where there is no such text.
	needs []byte
	// loose says that what stands in it may be indented by any more than it is.
	loose bool
	// section names what the line begins, which is no declaration; within is the section that it must stand in, into the one that
	// stands in a declaration.
	section, within, into string
}

// Bounds of what is read of one line.
const (
	// maxMarginLine bounds the bytes of a line that are looked at.
	maxMarginLine = 1000
	// maxMarginHead bounds the lines of a signature.
	maxMarginHead = 12
	// maxListed bounds the names of a text that its lists say can be seen, maxLists the lists, maxListText the bytes of one.
	maxListed   = 10_000
	maxLists    = 100
	maxListText = 64 << 10
)

// block is what has begun at a margin and not ended.
type block struct {
	indent, child int
	def           int
	rule          *rule
	prefix        string
	// last is the declaration in it that came last, -1 before the first; waits says that it has a type and no clause yet.
	last  int
	waits bool
}

// takes reports whether what stands at an indentation in a block is read.
func (b *block) takes(depth int) bool {
	return b.rule.holds && (b.rule.loose || b.child < 0 || depth == b.child)
}

// marginReader reads one text.
type marginReader struct {
	*reader
	margin *margin
	blocks []block
	line   int32 // of the line that is looked at, from 1
	// content is the last line that says something, text what it says.
	content int32
	text    []byte
	// from is the first line of comments and the like above, 0 where there are none; marked that mark stands there.
	from, docStart, docEnd int32
	marked                 bool
	// inside is what a comment or a string that has begun ends with; prose says that it stands for a comment.
	inside string
	nested int
	prose  bool
	listed map[string]bool
	marks  bool
}

// readMargin reads a language by its lines.
func readMargin(r *reader) {
	m := &marginReader{reader: r, margin: r.grammar.margin}
	m.blocks = []block{{indent: -1, child: 0, def: -1, last: -1, rule: &rule{holds: true}}}
	m.exports()
	m.marks = m.margin.mark != "" && bytes.Contains(r.src, []byte(m.margin.mark))
	for r.at < len(r.src) {
		start := r.at
		stop := len(r.src)
		if n := bytes.IndexByte(r.src[start:], '\n'); n >= 0 {
			stop = start + n
		}
		r.at = min(stop+1, len(r.src))
		m.line++
		r.steps += 1 + (stop-start)/100
		if m.margin.ends != nil && m.inside == "" && m.margin.ends.Match(clip(r.src[start:stop])) {
			break
		}
		m.take(start, stop)
	}
	m.pop(-1, false)
	r.at = len(r.src)
}

// clip is a line as far as it is looked at.
func clip(line []byte) []byte {
	return bytes.TrimRight(line[:min(len(line), maxMarginLine)], " \t\r")
}

// take looks at a line.
func (m *marginReader) take(start, stop int) {
	text := clip(m.src[start:stop])
	bare := bytes.TrimLeft(text, " \t")
	at := start + len(text) - len(bare)
	switch {
	case m.inside != "":
		m.passInside(bare)
		if m.prose {
			m.docEnd = int32(stop)
		} else {
			m.content, m.text = m.line, bare
		}
		return
	case len(bare) == 0:
		if m.from > 0 && !m.margin.clauses { // what stands apart is about something else
			m.forget()
		}
		return
	case m.precedes(bare, at, stop), m.comment(bare, at, stop):
		return
	}
	m.statement(start, at, bare)
	m.forget()
	m.opened(bare)
}

// forget drops the comment that was kept for a declaration.
func (m *marginReader) forget() { m.from, m.docStart, m.docEnd, m.marked = 0, 0, 0, false }

// above keeps a line for the declaration behind it; doc says that it is a comment.
func (m *marginReader) above(bare []byte, at, stop int, doc bool) {
	if m.from == 0 {
		m.from = m.line
	}
	if doc {
		if m.docEnd == 0 {
			m.docStart = int32(at)
		}
		m.docEnd = int32(stop)
	}
	m.marked = m.marked || m.marks && bytes.Contains(bare, []byte(m.margin.mark))
}

// comment reports whether a line is a comment, and keeps it.
func (m *marginReader) comment(bare []byte, at, stop int) bool {
	l := m.grammar.language
	if m.margin.pods && len(bare) > 1 && bare[0] == '=' && bare[1]|0x20 >= 'a' && bare[1]|0x20 <= 'z' && (at == 0 || m.src[at-1] == '\n') {
		if !bytes.HasPrefix(bare, []byte("=cut")) {
			m.inside, m.prose = "=cut", true
		}
		return true
	}
	if l.Open != "" && bytes.HasPrefix(bare, []byte(l.Open)) {
		m.above(bare, at, stop, true)
		m.inside, m.nested, m.prose = l.Shut, 0, true
		m.passInside(bare)
		return true
	}
	for sign := range strings.FieldsSeq(l.Comments) {
		if bytes.HasPrefix(bare, []byte(sign)) {
			if bytes.HasPrefix(bare, []byte("//!")) { // about what holds it
				return true
			}
			m.above(bare, at, stop, true)
			return true
		}
	}
	if m.tripled() && bytes.HasPrefix(bare, []byte(`"""`)) && (m.grammar.language.Name == "Julia") {
		m.above(bare, at, stop, true)
		if bytes.Count(bare, []byte(`"""`)) == 1 {
			m.inside, m.prose = `"""`, true
		}
		return true
	}
	return false
}

// tripled reports whether strings may stand between three quotes.
func (m *marginReader) tripled() bool {
	for _, q := range m.grammar.language.Quotes {
		if q.Open == `"""` {
			return true
		}
	}
	return false
}

// precedes reports whether a line belongs to the declaration behind it, and keeps it.
func (m *marginReader) precedes(bare []byte, at, stop int) bool {
	if m.margin.before == nil || !m.margin.before.Match(bare) {
		return false
	}
	m.above(bare, at, stop, false)
	return true
}

// passInside looks whether what has begun ends in a line.
func (m *marginReader) passInside(bare []byte) {
	l := m.grammar.language
	switch {
	case m.inside == "=cut":
		if bytes.HasPrefix(bare, []byte("=cut")) {
			m.inside = ""
		}
	case m.prose && m.inside == l.Shut && l.Nested:
		for i := 0; i < len(bare); {
			switch rest := bare[i:]; {
			case bytes.HasPrefix(rest, []byte(l.Open)):
				m.nested++
				i += len(l.Open)
			case bytes.HasPrefix(rest, []byte(l.Shut)):
				i += len(l.Shut)
				if m.nested--; m.nested <= 0 {
					m.inside = ""
					return
				}
			default:
				i++
			}
		}
	default:
		if m.inside == `"""` && bytes.Count(bare, []byte(`"""`))%2 == 0 { // strings of their own in what is put into it
			return
		}
		if i := bytes.Index(bare, []byte(m.inside)); i >= 0 && (m.inside != l.Shut || !bytes.HasPrefix(bare, []byte(l.Open)) || i >= len(l.Open)) {
			m.inside = ""
		}
	}
}

// opened looks whether a string or a comment that begins in a line goes on behind it.
func (m *marginReader) opened(bare []byte) {
	l := m.grammar.language
	if m.tripled() && bytes.Count(bare, []byte(`"""`))%2 == 1 {
		m.inside, m.prose = `"""`, false
		return
	}
	if l.Open == "" {
		return
	}
	if i := bytes.LastIndex(bare, []byte(l.Open)); i > 0 && (bare[i-1] == ' ' || bare[i-1] == '\t') && !bytes.Contains(bare[i:], []byte(l.Shut)) &&
		bytes.Count(bare[:i], []byte{'"'})%2 == 0 {
		m.inside, m.nested, m.prose = l.Shut, 1, false
	}
}

// indent is how deep a line's first sign stands.
func indent(lead []byte) int {
	n := 0
	for _, c := range lead {
		if n++; c == '\t' {
			n += 3
		}
	}
	return n
}

// statement takes a line that says something.
func (m *marginReader) statement(start, at int, bare []byte) {
	depth := indent(m.src[start:at])
	defer func() { m.content, m.text = m.line, bare }()
	if m.margin.closers != nil && m.margin.closers.Match(bare) && !bytes.ContainsAny(bare[len(bare)-1:], "{([") {
		m.close(depth)
		return
	}
	top := &m.blocks[len(m.blocks)-1]
	if m.margin.braces && bare[0] == '{' && depth == top.indent && top.def >= 0 { // its own brace
		return
	}
	if depth > top.indent {
		if !top.takes(depth) {
			return
		}
	} else if !m.margin.braces {
		m.pop(depth, false)
		top = &m.blocks[len(m.blocks)-1]
		if top.child >= 0 && depth != top.child && !top.rule.loose {
			return
		}
	}
	found, name := m.match(m.whole(at, bare), depth)
	if found == nil {
		if m.goesOn(depth, bare) {
			return
		}
		if top = &m.blocks[len(m.blocks)-1]; depth > top.indent && top.child < 0 {
			top.child = depth
		}
		return
	}
	if m.margin.braces {
		m.pop(depth, false)
		if top = &m.blocks[len(m.blocks)-1]; !top.takes(depth) {
			return
		}
	}
	top = &m.blocks[len(m.blocks)-1]
	top.child = depth
	m.declareLine(at, depth, found, name)
}

// whole is a line with those behind it up to the one that closes its brackets, where a language is read so.
func (m *marginReader) whole(at int, bare []byte) []byte {
	if !m.margin.joined || strings.IndexByte(",;(", bare[len(bare)-1]) < 0 || bytes.IndexByte(bare, '(') <= 0 {
		return bare
	}
	depth, lines := 0, 0
	for i, c := range m.src[at:min(len(m.src), at+maxMarginLine)] {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\n':
			if depth <= 0 {
				return bytes.Join(bytes.Fields(m.src[at:at+i]), []byte{' '})
			}
			if lines++; lines >= maxMarginHead {
				return bare
			}
		}
		m.steps++
	}
	return bare
}

// goesOn reports whether a line that no rule matches belongs to the last declaration: another clause of it, or the first one
// behind its type.
func (m *marginReader) goesOn(depth int, bare []byte) bool {
	top := &m.blocks[len(m.blocks)-1]
	if !m.margin.clauses || top.last < 0 || depth <= top.indent {
		return false
	}
	name := m.list[top.last].Name[len(top.prefix):]
	if !top.waits && !(bytes.HasPrefix(bare, []byte(name)) && len(bare) > len(name) && bare[len(name)] == ' ') {
		return false
	}
	top.waits = false
	m.begin(block{indent: depth, child: -1, def: top.last, last: -1, rule: &rule{}})
	return true
}

// match returns the rule that a line matches, and the name.
func (m *marginReader) match(bare []byte, depth int) (*rule, []byte) {
	first := bare
	if i := bytes.IndexAny(bare, " \t(:"); i >= 0 {
		first = bare[:i]
	}
	if m.margin.not[string(first)] {
		return nil, nil
	}
	b := m.blocks[len(m.blocks)-1]
	for i := len(m.blocks) - 1; m.margin.braces && i > 0 && depth <= m.blocks[i].indent; i-- {
		b = m.blocks[i-1]
	}
	inType := b.def >= 0 && holdsMembers(m.list[b.def].Kind)
	for _, c := range m.margin.beginning(bare[0]) {
		if c.within != b.rule.section+b.rule.into || !c.at.allows(inType) || !bytes.Contains(bare, c.needs) {
			continue
		}
		if groups := c.line.FindSubmatch(bare); groups != nil {
			for _, g := range groups[1:] {
				if len(g) > 0 {
					if m.margin.not[string(g)] {
						return nil, nil
					}
					if strings.IndexByte("`'\"", g[0]) >= 0 {
						g = bytes.Trim(g, "`'\"")
					}
					return c, g
				}
			}
			return c, nil
		}
	}
	return nil, nil
}

// beginning returns the rules that a line may match which begins with a byte: most lines match none.
func (m *margin) beginning(first byte) []*rule {
	m.made.Do(func() {
		for i := range m.rules {
			for b, may := range m.rules[i].line.First() {
				if may {
					m.byFirst[b] = append(m.byFirst[b], &m.rules[i])
				}
			}
		}
	})
	return m.byFirst[first]
}

func holdsMembers(kind string) bool {
	switch kind {
	case "class", "struct", "union", "enum", "interface", "trait", "type":
		return true
	}
	return false
}

// declareLine adds what a line declares, and enters it.
func (m *marginReader) declareLine(at, depth int, c *rule, name []byte) {
	top := &m.blocks[len(m.blocks)-1]
	next := block{indent: depth, child: -1, def: -1, last: -1, rule: c, prefix: top.prefix}
	if c.section == "" {
		if n := top.last; n >= 0 && m.margin.clauses && !c.holds && string(name) == m.list[n].Name[len(top.prefix):] && (top.waits && !c.opens ||
			!top.waits && !c.opens && (m.margin.joint == nil || m.margin.joint.Match(m.text))) {
			top.waits = false
			next.def = n
			m.begin(next)
			return
		}
		next.def = m.addLine(at, c, name)
		top.last, top.waits = next.def, c.opens
		if c.holds && next.def >= 0 && (holdsMembers(c.kind) || c.kind == "func") {
			next.prefix = m.list[next.def].Name + "."
		}
	}
	m.begin(next)
}

// begin begins a block.
func (m *marginReader) begin(b block) {
	if b.def >= 0 {
		m.list[b.def].End = max(m.list[b.def].End, int(m.line))
		if m.margin.braces && !m.opens(b.indent, m.list[b.def].Head-int(m.line)) {
			return
		}
	}
	if len(m.blocks) < maxScopes {
		m.blocks = append(m.blocks, b)
	}
}

// opens reports whether a declaration goes on behind its head, which has so many more lines than the one that is looked at: a bracket is
// open, the next line stands deeper, or begins with a brace.
func (m *marginReader) opens(depth, more int) bool {
	if more > 0 {
		return true
	}
	start := bytes.LastIndexByte(m.src[:m.at-1], '\n') + 1
	open := 0
	for _, c := range clip(m.src[start:m.at]) {
		switch c {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		}
	}
	if open > 0 {
		return true
	}
	rest := m.src[m.at:min(len(m.src), m.at+maxMarginLine)]
	for len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r') {
		rest = rest[1:]
	}
	bare := bytes.TrimLeft(rest, " \t")
	return len(bare) > 0 && (bare[0] == '{' || m.margin.goes != nil && indent(rest[:len(rest)-len(bare)]) == depth && m.margin.goes.Match(bare) || indent(rest[:len(rest)-len(bare)]) > depth && bare[0] != '\n' && bare[0] != '\r')
}

// addLine adds a declaration whose line begins at a place of the text.
func (m *marginReader) addLine(at int, c *rule, name []byte) int {
	r, top := m.reader, m.blocks[len(m.blocks)-1]
	kind := c.kind
	if kind == "=" { // as what stands before it
		kind = "func"
		if top.last >= 0 {
			kind = r.list[top.last].Kind
		}
	}
	if kind == "func" && top.def >= 0 && holdsMembers(r.list[top.def].Kind) {
		kind = "method"
	}
	if len(name) == 0 || string(name) == "_" || len(r.list) >= maxDefinitions || len(top.prefix)+len(name) > maxName {
		return -1
	}
	d := graph.Definition{Kind: kind, Name: top.prefix + string(name), Line: int(m.line), From: int(m.line), End: int(m.line), Exported: m.seen(r.src[at:], kind, name)}
	if m.from > 0 {
		d.From = int(m.from)
		if m.docEnd > 0 {
			d.Doc = graph.FirstSentence(commentText(withoutSigns(r.src[m.docStart:m.docEnd])))
		}
	}
	stop, lines := m.head(at)
	if end := bytes.IndexByte(r.src[at:], '\n'); c.within != "" && kind == "field" && lines > 0 && end > 0 { // its bracket is that of all fields
		stop, lines = at+end, 0
	}
	d.Signature, d.Head = r.signature(at, stop), int(m.line)+lines
	if top.def >= 0 && !r.list[top.def].Exported {
		d.Exported = false
	}
	r.list = append(r.list, d)
	return len(r.list) - 1
}

// withoutSigns leaves out of a comment what begins its lines in some languages: {-| and (**, #' and %%.
func withoutSigns(raw []byte) []byte {
	var b []byte
	for l := range bytes.Lines(raw[:min(len(raw), 4000)]) {
		b = append(b, bytes.TrimLeft(l, " \t{(-*|'#;!/%\"")...)
	}
	return bytes.TrimRight(b, " \t\r\n-*}")
}

// seen reports whether what a line declares can be seen elsewhere.
func (m *marginReader) seen(rest []byte, kind string, name []byte) bool {
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	rest = clip(rest)
	switch {
	case m.margin.hidden != nil && m.margin.hidden.Match(rest):
		return false
	case m.margin.shown != nil:
		return m.margin.shown.Match(rest)
	case m.listed != nil && len(m.blocks) == 1 && kind != "module":
		return m.listed[string(name)]
	case m.marks:
		return m.marked
	}
	return true
}

// head returns where a signature ends, and how many lines behind its first.
func (m *marginReader) head(at int) (stop, lines int) {
	src, depth, last := m.src, 0, at
	limit := min(len(src), at+maxSignature)
	first := limit
	for i := at; i < limit; i++ {
		m.steps++
		if m.margin.braces && src[i] == '{' && i+1 < len(src) && (src[i+1] == '\n' || src[i+1] == '\r') {
			return i, lines
		}
		if depth == 0 {
			for _, sign := range m.margin.signs {
				if i > at && bytes.HasPrefix(src[i:], []byte(sign)) {
					return i, lines
				}
			}
		}
		switch c := src[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"':
			if n := bytes.IndexByte(src[i+1:limit], '"'); n >= 0 && bytes.IndexByte(src[i+1:i+1+n], '\n') < 0 {
				i += n + 1
			}
		case '\n':
			if first == limit {
				first = i
			}
			if depth <= 0 || m.margin.short {
				if m.margin.braces && lines > 0 {
					return first, 0
				}
				return i, lines
			}
			if lines++; lines >= maxMarginHead {
				return first, 0
			}
		}
		last = i + 1
	}
	if lines > 0 && last < len(src) {
		return first, 0
	}
	return last, lines
}

// close ends what stands at the indentation of a closer.
func (m *marginReader) close(depth int) {
	for n := len(m.blocks) - 1; n > 0 && m.blocks[n].indent >= depth; n-- {
		if m.blocks[n].indent == depth {
			m.pop(depth, true)
			return
		}
	}
	if m.margin.braces { // one that begins deeper than what it ends
		for n := len(m.blocks) - 1; n > 0 && m.blocks[n].indent > depth; n-- {
			m.pop(m.blocks[n].indent, false)
		}
	}
}

// pop ends what stands at this indentation or deeper: with the line that is looked at, or with the last that said something.
func (m *marginReader) pop(depth int, here bool) {
	for n := len(m.blocks) - 1; n > 0 && m.blocks[n].indent >= depth; n-- {
		b := m.blocks[n]
		last := m.content
		if here && b.indent == depth {
			last = m.line
		}
		if b.def >= 0 {
			d := &m.list[b.def]
			d.End = max(d.End, int(last))
		}
		m.blocks = m.blocks[:n]
	}
}

// exports reads which names can be seen, where the text lists them.
func (m *marginReader) exports() {
	if m.margin.list == nil {
		return
	}
	begins, lists := m.margin.list.First(), 0
	for start, stop := 0, 0; start < len(m.src) && lists < maxLists; start = stop + 1 {
		if stop = bytes.IndexByte(m.src[start:], '\n'); stop < 0 {
			stop = len(m.src)
		} else {
			stop += start
		}
		for start < stop && (m.src[start] == ' ' || m.src[start] == '\t') {
			start++
		}
		if start == stop || !begins[m.src[start]] {
			continue
		}
		at := m.margin.list.FindIndex(m.src[start:min(len(m.src), start+maxMarginLine)])
		if at == nil {
			continue
		}
		if lists++; m.listed == nil {
			m.listed = map[string]bool{}
		}
		if !m.names(m.src[start+at[1]-1 : min(len(m.src), start+at[1]+maxListText)]) {
			m.listed = nil // all can
			return
		}
	}
}

// names adds the names of a list, which begins behind the first byte of a text; false where it says that it is of all.
func (m *marginReader) names(text []byte) bool {
	bracketed := text[0] == '(' || text[0] == '['
	if bracketed && bytes.HasPrefix(text[1:], []byte("..)")) {
		return false
	}
	depth, word, sign := 1, -1, -1 // where a word began, and what stands in brackets
	for i := 1; i < len(text) && depth > 0; i++ {
		m.steps++
		c := text[i]
		if c == '_' || c == '\'' || c == '!' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 {
			if word < 0 {
				word = i
			}
			continue
		}
		if word > 0 {
			m.lists(text[word:i])
		}
		word = -1
		switch c {
		case '(', '[':
			depth, sign = depth+1, i+1
		case ')', ']':
			if depth--; sign > 0 {
				m.lists(text[sign:i])
			}
			sign = -1
		case '\n':
			if !bracketed && !bytes.HasSuffix(bytes.TrimRight(text[:i], " \t\r"), []byte{','}) {
				return true
			}
		}
	}
	if word > 0 { // the text ends with it
		m.lists(text[word:])
	}
	return true
}

// lists notes that a name can be seen.
func (m *marginReader) lists(name []byte) {
	if len(name) > 0 && len(m.listed) < maxListed {
		m.listed[string(name)] = true
	}
}
