package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads tables in every notation: a name that is a cell names the cells behind it in its row, or those below it in its column.

// grids are the notations of tables; each reads what belongs to a cell from lo to hi, and reports whether that is one of its.
var grids = [...]struct {
	name string
	read func(a *assignment, lo, hi int) bool
}{
	{"a sign between cells", (*assignment).separated},
	{"a cell an element", (*assignment).elements},
	{"a row in brackets", (*assignment).bracketRows},
	{"a cell an item", (*assignment).itemRows},
	{"cells below each other", (*assignment).aligned},
}

const (
	maxCell    = 48       // bytes of the name of a column
	maxRows    = 5000     // of a table
	maxTable   = 1 << 20  // bytes of a table
	maxHeader  = 2 << 10  // bytes of the row that names columns
	maxRow     = 16 << 10 // bytes of a row behind the name in it
	cellMarks  = " *`\"'_.=~:\r\\"
	rulerSigns = "|-+=:~_^ \t\r#"
)

// cells reads the table that the name is a cell of. A table is read once for each name of its first row.
func (a *assignment) cells() {
	r, text := a.r, a.r.text
	if a.lo > r.gridHead && a.lo < r.gridDone {
		return
	}
	lo, hi := a.lo, a.hi
	// What else the cell says beside the name, as far as it is words.
	for lo > 0 && a.lo-lo < maxCell && (value.IsWord(text[lo-1]) || text[lo-1] == ' ' && !value.Ends(text[:lo], "  ") || strings.IndexByte("*`\"'_.=-(", text[lo-1]) >= 0) {
		lo--
	}
	for hi < len(text) && hi-a.hi < maxCell && !value.HasPrefixAt(text, hi, copied) && (value.IsWord(text[hi]) || text[hi] == ' ' && value.ByteAt(text, hi+1) != ' ' || strings.IndexByte("*`\"'_-:()", text[hi]) >= 0) {
		hi++
	}
	r.spend(2 * (hi - lo))
	if !bordered(text, lo, hi) {
		return
	}
	k := a.naming()
	if lo < a.lo || hi > a.hi {
		k = r.cellNaming(text[lo:hi])
	}
	if k.Noun < value.TokenNoun || k.Noun == value.Mnemonic || k.Not || k.Strict {
		return
	}
	b := &r.heading
	*b = *a
	b.kind, b.judged = k, true
	for i := range grids {
		if grids[i].read(b, lo, hi) {
			return
		}
	}
}

// cellNaming is what the words of a cell tell, as one name.
func (r *run) cellNaming(cell []byte) value.Naming {
	var buf [2 * value.MaxName]byte
	cell = bytes.Trim(cell, cellMarks+"()-")
	name := buf[:copy(buf[:], cell)]
	for i, b := range name {
		if b == ' ' || b == '(' || b == ')' {
			name[i] = '_'
		}
	}
	return r.names.classify(name)
}

// separators part the cells of a line.
var separators = [...]separator{
	{"|", "|", true, false}, {"\t", "\t", false, true}, {"!", "|", true, false}, {"^", "|", true, false}, {"│", "│", true, false}, {"┃", "┃", true, false}, {"║", "║", true, false},
	{"&", "&", false, false}, {",", ",", false, true}, {";", ";", false, true},
}

// separator is a sign that parts the cells of a row.
type separator struct {
	sign, below string // below is what parts those of the rows below the first
	runs        bool   // several of them are one
	quoted      bool   // a cell in quotes may hold them
}

// separated reads tables whose cells a sign parts: Markdown, reStructuredText, Org, AsciiDoc, MediaWiki, LaTeX, CSV, TSV, COPY, what clients of
// databases print.
func (a *assignment) separated(lo, hi int) bool {
	text := a.r.text
	left := value.Back(text, lo, 8, " ")
	right := skipBlankOnly(text, hi)
	start, end := value.BackTo(text, left, maxHeader, "\n"), value.UpTo(text, right, maxHeader, "\n")
	for i := range separators {
		s := &separators[i]
		atLeft, atRight := bytes.HasSuffix(text[:left], []byte(s.sign)), value.HasPrefixAt(text, right, s.sign)
		if !atLeft && !atRight {
			continue
		}
		if value.Ends(text[:left], "{|") && value.HasPrefixAt(text, right, "|}") {
			return false // a text of OCaml's
		}
		begins := atLeft || value.Ends(text[:left], "(") || value.Only(text[start:left], " \t-#>%"+value.Quotes)
		stops := atRight || right >= end || text[right] == '\r' || value.HasPrefixAt(text, right, `\\`) || value.HasPrefixAt(text, right, copied)
		if !begins || !stops {
			continue
		}
		if s.quoted && !a.headed(start, end, s.sign) {
			return false
		}
		return a.rowsBelow(start, end, left, right, i)
	}
	return false
}

func skipBlankOnly(text []byte, at int) int { return value.Past(text, at, 64, " ") }

// headed reports whether a line is names of columns and nothing else, as the first one of a table is whose sign also parts words of
// sentences and arguments.
func (a *assignment) headed(start, end int, sign string) bool {
	line := a.r.text[start:end]
	if from, to, ok := columnsCopied(line); ok {
		line = line[from:to]
	} else if a.style() == value.AsCode && !a.inText() {
		return false
	}
	n := 0
	for c := range bytes.SplitSeq(line, []byte(sign)) {
		c = bytes.Trim(c, cellMarks+"#")
		if n++; len(c) > maxCell || !value.Only(c, value.WordSigns+" -.()/") {
			return false
		}
	}
	return n > 1
}

// copied is what stands behind the columns of what PostgreSQL copies from the lines below.
const copied = ") FROM stdin"

// columnsCopied returns the bounds of the columns that a line copies.
func columnsCopied(line []byte) (from, to int, ok bool) {
	to = bytes.Index(line, []byte(copied))
	from = bytes.LastIndexByte(line[:max(0, to)], '(') + 1
	return from, to, to > from && from > 0
}

// cellsOf calls take for each cell of a line, numbered from 0.
func cellsOf(line []byte, sign string, runs, quoted bool, take func(n, from, to int)) (count int) {
	at := 0
	if runs {
		at = skipBlankOnly(line, 0)
		for value.HasPrefixAt(line, at, sign) {
			at += len(sign)
		}
	}
	for at <= len(line) {
		to := -1
		if i := skipBlankOnly(line, at); quoted && value.ByteAt(line, i) == '"' {
			_, _, to = field(line, i, sign)
		} else if to = bytes.Index(line[at:], []byte(sign)); to >= 0 {
			to += at
		} else {
			to = len(line)
		}
		if runs && to == len(line) && len(bytes.TrimSpace(line[at:])) == 0 {
			break
		}
		take(count, at, to)
		count++
		at = to + len(sign)
		for runs && value.HasPrefixAt(line, at, sign) {
			at += len(sign)
		}
	}
	return count
}

// rowsBelow takes the cells of the row and, where it is the first of its table, of the column.
func (a *assignment) rowsBelow(start, end, left, right, sep int) bool {
	r, text, s := a.r, a.r.text, &separators[sep]
	c := column{assignment: a, parts: s, below: s.below, at: -1, position: -1}
	found := false
	line, from := text[start:end], start
	if lo, hi, ok := columnsCopied(line); ok && s.sign == "," {
		from, line, c.below = start+lo, line[lo:hi], "\t"
	}
	c.count = cellsOf(line, s.sign, s.runs, s.quoted, func(n, lo, hi int) {
		switch {
		case from+lo <= a.lo && a.lo < from+hi:
			c.at = n
		case c.at >= 0:
			found = a.cellValue(from+lo, from+hi) || found
		}
	})
	if found || c.at < 0 {
		return true
	}
	if c.count == 1 {
		c.alone, c.count = true, 0
		c.at += linesAbove(text, start, s.sign)
		c.position = c.at
	}
	at := end + 1
	for rows := 0; rows < maxRows && at < len(text) && at-end < maxTable && !r.full(); rows++ {
		stop := value.UpTo(text, at, maxTable, "\n")
		r.spend(3 * (stop - at + 8))
		if !c.row(at, stop) {
			break
		}
		at = stop + 1
	}
	return a.gridEnds(end, at)
}

// linesAbove counts the lines above start that are a cell each of the row of its own.
func linesAbove(text []byte, start int, sign string) (n int) {
	for i := start; n < 16 && i > 0; n++ {
		above := value.BackTo(text, i-1, maxHeader, "\n")
		l := bytes.TrimSpace(text[above : i-1])
		if !bytes.HasPrefix(l, []byte(sign)) || value.Only(l, rulerSigns+"{}") || bytes.Count(l, []byte(sign)) != 1 {
			break
		}
		i = above
	}
	return n
}

// column is the search of the cells below a name.
type column struct {
	*assignment
	parts    *separator
	below    string // what parts the cells of the rows below
	at       int    // the number of the name's cell in its row, from 0, or -1
	count    int    // cells of that row, where they stand on one line
	alone    bool   // they stand on a line each
	position int    // of the cell of a row that has a line for each, or -1
	empty    int    // lines since the last cell
}

// row looks at the line from at to stop, and reports whether the table goes on behind it.
func (c *column) row(at, stop int) bool {
	l := c.r.text[at:stop]
	trimmed := bytes.TrimSpace(l)
	switch {
	case len(trimmed) == 0:
		c.position = -1
		c.empty++
		return c.empty <= 1 && !c.parts.quoted
	case string(trimmed) == `\.`, value.Begins(trimmed, "|}", "|==="), string(trimmed) == "```":
		return false
	case ruled(trimmed), value.Begins(trimmed, `\hline`, `\midrule`, `\toprule`, `\bottomrule`, `\cline`, "[", ".."):
		c.position = -1
		return true
	case !bytes.Contains(l, []byte(c.below)):
		return false
	}
	c.empty = 0
	n := cellsOf(l, c.below, c.parts.runs, c.parts.quoted, func(n, lo, hi int) {
		if n == c.at && (!c.alone || bytes.Contains(l[min(len(l), hi):], []byte(c.below))) {
			c.cellValue(at+lo, at+hi)
		}
	})
	if n > 1 {
		c.position = -1
		return true
	}
	if c.position++; c.position == c.at || c.count > 0 && c.position%c.count == c.at {
		i := bytes.Index(l, []byte(c.below))
		c.cellValue(at+i+len(c.below), stop)
	}
	return true
}

// gridEnds notes that a table was read from its first row, which ends at head, to at: names below its first row name no column.
func (a *assignment) gridEnds(head, at int) bool {
	if at > head+1 {
		a.r.gridHead, a.r.gridDone = head, at
	}
	return true
}

// ruled reports whether a line parts rows.
func ruled(l []byte) bool {
	for _, b := range l {
		if b < 0x80 && strings.IndexByte(rulerSigns, b) < 0 {
			return false
		}
	}
	return true
}

// cellValue takes the value of a cell.
func (a *assignment) cellValue(from, to int) bool {
	text := a.r.text
	from, to = value.Trimmed(text, from, to, value.Spaces+value.Quotes+"*")
	if i := bytes.Index(text[from:to], []byte(`\\`)); i > 0 && i+2 >= to-from {
		to = from + i // LaTeX's end of a row
	}
	if i := bytes.IndexByte(text[from:to], '{'); i > 0 && i < 12 && text[from] == '\\' && text[to-1] == '}' {
		from, to = from+i+1, to-1 // \texttt{value}
	}
	from, to = value.Trimmed(text, from, to, value.Spaces+value.Quotes+"*=+~")
	return bytes.IndexByte(text[from:to], ' ') < 0 && (a.far(formElement, from, to) || a.cellJudged(from, to))
}

// cellJudged has a cell judged by what it looks like, where it is long, of letters of both cases and digits, and yet not drawn by lot for all
// that one can see: one in 700 of those holds words by chance.
func (a *assignment) cellJudged(from, to int) bool {
	v := a.r.text[from:to]
	if len(v) < lotLength || len(v) > maxAlongValue {
		return false
	}
	a.r.spend(20 * len(v))
	s := value.ShapeOf(v)
	letters := s.Upper + s.Lower
	if s.Upper < 2 || s.Lower < 2 || s.Digit < 1 || letters+s.Digit < len(v) || value.UsageOf(v).Covered*2 >= letters {
		return false
	}
	b := &a.r.far
	*b = *a
	b.take(formElement, from, to)
	return true
}

// elements reads tables whose cells are elements: HTML, DocBook. Of a table whose first named row was read, a name in another row tells the
// cells behind it alone.
func (a *assignment) elements(lo, hi int) bool {
	r, text := a.r, a.r.text
	if !value.Ends(text[:lo], ">") || !value.HasPrefixAt(text, hi, "</") {
		return false
	}
	least, most := max(0, lo-maxHeader), min(len(text), hi+maxTable)
	row := least - 1
	for next := rowStart(text[least:lo]); next >= 0; next = rowStart(text[row+1 : lo]) {
		row += 1 + next
	}
	r.spend(lo - least)
	if row < least {
		return false
	}
	column := countCells(text[row:lo]) - 1
	rows := maxRows
	if row != r.rowHead && row < r.rowsDone {
		rows, most = 1, min(most, hi+maxRow)
	} else {
		if stop := bytes.Index(text[hi:most], []byte("</table")); stop >= 0 {
			most = hi + stop
		}
		r.spend(most - hi)
		r.rowHead, r.rowsDone = row, most
	}
	at := hi
	for read := 0; read < rows && at < most && !r.full(); read++ {
		end := most
		if next := rowStart(text[at+1 : most]); next >= 0 {
			end = at + 1 + next
		}
		r.spend(6 * (end - at))
		n := -1
		if read == 0 { // behind the name in its own row
			n = column
		}
		for i := at; i < end; {
			j := cellStart(text[i:end])
			if j < 0 {
				break
			}
			if i += j; read == 0 || n+1 == column {
				a.textOf(i, end)
			}
			n++
			i++
		}
		at = end
	}
	return true
}

// rowStart returns where the next row begins, -1 if none does.
func rowStart(text []byte) int {
	for i := 0; ; i++ {
		j := bytes.IndexByte(text[i:], '<')
		if j < 0 {
			return -1
		}
		i += j
		for _, tag := range [...]string{"<tr", "<row", "<TR", "<Row"} {
			if value.HasPrefixAt(text, i, tag) && (i+len(tag) == len(text) || strings.IndexByte(">/ \t\r\n", text[i+len(tag)]) >= 0) {
				return i
			}
		}
	}
}

// cellStart returns where the next cell begins, -1 if none does.
func cellStart(text []byte) int {
	for i := 0; i+4 < len(text); {
		j := bytes.IndexByte(text[i:], '<')
		if j < 0 {
			return -1
		}
		i += j
		if value.Begins(text[i:], "<td", "<th", "<entry", "<Cell") && !value.HasPrefixAt(text, i, "<thead") {
			return i
		}
		i++
	}
	return -1
}

func countCells(text []byte) (n int) {
	for i := 0; i < len(text); {
		j := cellStart(text[i:])
		if j < 0 {
			break
		}
		n++
		i += j + 1
	}
	return n
}

// textOf takes the text of the element that begins at at, or of one within it.
func (a *assignment) textOf(at, end int) {
	text := a.r.text
	for range 4 {
		i := bytes.IndexByte(text[at:end], '>')
		if i < 0 {
			return
		}
		if at = value.Past(text, at+i+1, end-at-i-1, value.Spaces); value.ByteAt(text, at) != '<' || value.ByteAt(text, at+1) == '/' {
			break
		}
	}
	if to := value.UpTo(text, at, end-at, "<"); to > at {
		a.far(formElement, at, to)
	}
}

// bracketRows reads tables whose rows stand in brackets: [["user", "password"], ["bob", "value"]].
func (a *assignment) bracketRows(lo, hi int) bool {
	text := a.r.text
	least := max(0, lo-maxHeader)
	open, column := -1, 0
	for i := lo - 1; i >= least && open < 0; i-- {
		switch text[i] {
		case '[', '(':
			open = i
		case ',':
			column++
		case ']', ')', '{', '}', '=', ';':
			return false
		}
	}
	if open < 0 || open > 0 && value.IsWord(text[open-1]) {
		return false
	}
	closing := "]"
	if text[open] == '(' {
		closing = ")"
	}
	at := value.UpTo(text, hi, maxHeader, "[]{}()")
	if !value.HasPrefixAt(text, at, closing) || column == 0 && bytes.IndexByte(text[open:at], ',') < 0 {
		return false
	}
	for rows := 0; rows < maxRows && !a.r.full(); rows++ {
		from := value.UpTo(text, at+1, 80, "[(")
		for value.HasPrefixAt(text, from+1, "[") || value.HasPrefixAt(text, from+1, "(") {
			from++
		}
		if b := value.ByteAt(text, from); b != '[' && b != '(' || value.IsWord(text[from-1]) {
			break
		}
		n, i := 0, from+1
		for i < len(text) && i-from < maxHeader && text[i] != ']' && text[i] != ')' {
			i = value.Past(text, i, 200, value.Spaces)
			start, stop := i, 0
			if f, q, escapes := a.r.quote(i); q != 0 {
				end, ok := a.r.closing(f, q, escapes)
				if !ok {
					return true
				}
				start, stop, i = f, end, end+1+escapes
			} else {
				i = value.UpTo(text, i, maxHeader, ",])\n")
				stop = i
			}
			if n == column {
				a.far(formItem, start, stop)
			}
			i = value.Past(text, i, 200, value.Spaces)
			if value.ByteAt(text, i) != ',' {
				break
			}
			n++
			i++
		}
		a.r.spend(4 * (i - at))
		at = i
	}
	return true
}

// itemRows reads tables whose cells are items of lists: "- - user", "  - password", "- - bob", "  - value", and reStructuredText's.
func (a *assignment) itemRows(lo, hi int) bool {
	text := a.r.text
	item := func(line int) (cell, end int, first, ok bool) {
		end = value.UpTo(text, line, maxHeader, "\n")
		i := value.Past(text, line, 80, " ")
		if value.HasPrefixAt(text, i, "* - ") || value.HasPrefixAt(text, i, "- - ") {
			return i + 4, end, true, true
		}
		return i + 2, end, false, value.HasPrefixAt(text, i, "- ")
	}
	line := value.BackTo(text, lo, 120, "\n")
	cell, end, first, ok := item(line)
	if !ok || cell > a.lo || len(bytes.Trim(text[cell:a.lo], cellMarks+value.LetterSigns)) > 0 {
		return false
	}
	column := 0
	for !first && line > 0 && column < 64 {
		line = value.BackTo(text, line-1, maxHeader, "\n")
		if _, _, first, ok = item(line); !ok {
			return false
		}
		column++
	}
	if !first {
		return false
	}
	n, seen := 0, false
	for rows := 0; rows < maxRows && end+1 < len(text) && !a.r.full(); rows++ {
		line = end + 1
		if cell, end, first, ok = item(line); !ok {
			break
		}
		a.r.spend(3 * (end - line + 8))
		if n++; first {
			n, seen = 0, true
		}
		if seen && n == column {
			a.cellValue(cell, end)
		}
	}
	return true
}

// aligned reads tables whose cells stand below each other, two blanks or more apart.
func (a *assignment) aligned(lo, hi int) bool {
	text := a.r.text
	if a.style() == value.AsCode && !a.inText() {
		return false
	}
	start, end := value.BackTo(text, lo, maxHeader, "\n"), value.UpTo(text, hi, maxHeader, "\n")
	lo, hi = value.Trimmed(text, lo, hi, " ")
	before := len(bytes.TrimSpace(text[start:lo])) > 0
	behind := len(bytes.TrimSpace(text[hi:end])) > 0
	if before && !value.Ends(text[:lo], "  ") || behind && !value.HasPrefixAt(text, hi, "  ") || !before && !behind || !value.Only(text[start:end], value.WordSigns+" -.()/#\r") {
		return false
	}
	from, to := lo-start, hi-start
	if behind {
		to = value.Past(text, hi, 80, " ") - start
	}
	at := end + 1
	for rows := 0; rows < maxRows && at < len(text) && !a.r.full(); rows++ {
		stop := value.UpTo(text, at, maxHeader, "\n")
		l := text[at:stop]
		a.r.spend(2 * (stop - at + 8))
		if len(bytes.TrimSpace(l)) == 0 {
			break
		}
		for i := from; i < min(len(l), to); i++ {
			if l[i] == ' ' || i > 0 && l[i-1] != ' ' || before && !value.Ends(l[:i], "  ") {
				continue
			}
			a.far(formElement, at+i, at+value.UpTo(l, i, len(l), " \t\r"))
			break
		}
		at = stop + 1
	}
	return true
}

// bordered reports, at little cost, whether what stands round a cell from lo to hi may part it from others.
func bordered(text []byte, lo, hi int) bool {
	left, right := value.Back(text, lo, 8, " "), value.Past(text, hi, 8, " ")
	border := func(b byte) bool {
		return b == 0 || b >= 0x80 || strings.IndexByte("|\t!^&,;\n\r()[]<>\"'`-\\#%*", b) >= 0
	}
	return (left == 0 || border(text[left-1]) || lo-left > 1) && (border(value.ByteAt(text, right)) || right-hi > 1)
}
