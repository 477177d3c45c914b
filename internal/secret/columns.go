package secret

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// header holds what the columns of a table are named.
type header struct {
	kinds [64]value.Naming
	n     int
	// tells: a column is named like a secret.
	tells bool
}

// read reads the names of columns, which sep parts and around may stand round: of each the words are one name.
func (h *header) read(names []byte, sep, around string) {
	var buf [value.MaxName]byte
	for c := range bytes.SplitSeq(names, []byte(sep)) {
		if h.n == len(h.kinds) {
			return
		}
		name := buf[:copy(buf[:], bytes.Trim(c, around))]
		for i, b := range name {
			if b == ' ' {
				name[i] = '_'
			}
		}
		h.kinds[h.n] = value.Classify(name)
		h.tells = h.tells || h.secret(h.n)
		h.n++
	}
}

// secret reports whether a column is named like a secret.
func (h *header) secret(col int) bool {
	return h.kinds[col].Noun >= value.TokenNoun && !h.kinds[col].Not
}

// judge judges the value of a row if its column is named like a secret.
func (h *header) judge(r *run, col, from, to int) {
	if col < h.n && h.secret(col) && to-from >= 6 {
		a := assignment{r: r, kind: h.kinds[col], judged: true}
		a.take(formElement, from, to)
	}
}

// columns finds secrets in tables: values below a header that names them, and what a file's own name tells of.
func (r *run) columns() {
	r.accounts()
	r.lone()
	r.encoded()
	switch strings.ToLower(path.Ext(r.path)) {
	case ".csv":
		r.rows(",")
	case ".tsv":
		r.rows("\t")
	default:
		if r.style == value.AsProse {
			r.tables()
		}
	}
	r.meant()
}

// rows finds secrets below the first line.
func (r *run) rows(sep string) {
	head, _, more := bytes.Cut(r.text, value.Newline)
	if !more || len(head) > 4096 {
		return
	}
	if sep == "," && bytes.IndexByte(head, ',') < 0 && bytes.IndexByte(head, ';') >= 0 {
		sep = ";"
	}
	var h header
	if h.read(head, sep, "\" \r"); !h.tells {
		return
	}
	for at := len(head) + 1; at < len(r.text); at++ {
		for col := 0; at < len(r.text) && r.text[at] != '\n'; col++ {
			from, to, end := field(r.text, at, sep+"\n")
			if to-from < maxValue {
				h.judge(r, col, from, to)
			}
			at = value.Past(r.text, end, 1, sep)
		}
		if r.full() {
			return
		}
	}
}

// field returns the bounds of the field at at, without its quotes, and where it ends: before any of ends.
func field(text []byte, at int, ends string) (from, to, end int) {
	from, end = at, at
	if text[from] == '"' {
		for end++; end < len(text) && (text[end] != '"' || end+1 < len(text) && text[end+1] == '"'); end++ {
			if text[end] == '"' {
				end++
			}
		}
	}
	end = value.UpTo(text, end, len(text), ends)
	to = from + len(bytes.TrimRight(text[from:end], "\r\""))
	if text[from] == '"' && to > from {
		from++
	}
	return from, to, end
}

// tables finds secrets in the tables of Markdown, in cells below a header that
// names them.
func (r *run) tables() {
	var h header
	var above []byte // the line before
	at := 0          // where the line begins
	for line := range bytes.Lines(r.text) {
		l := bytes.TrimSpace(line)
		switch {
		case len(l) < 3 || l[0] != '|':
			h.n, h.tells = 0, false
		case h.n == 0:
			// A header is told by the rule below it.
			if len(bytes.Trim(l, "|-: ")) == 0 && bytes.IndexByte(l, '-') >= 0 && at > 0 {
				h.read(bytes.Trim(above, "|"), "|", " `*_")
			}
		case h.tells:
			h.cells(r, at+bytes.IndexByte(line, '|')+1, at+len(line))
		}
		above = l
		if at += len(line); r.full() {
			return
		}
	}
}

// cells judges the cells of a row from at to end.
func (h *header) cells(r *run, at, end int) {
	for col := 0; at < end; col++ {
		stop := value.UpTo(r.text, at, end-at, "|")
		from, to := value.Trimmed(r.text, at, stop, " `*\t\r\n")
		if bytes.IndexByte(r.text[from:to], ' ') < 0 {
			h.judge(r, col, from, to)
		}
		at = stop + 1
	}
}
