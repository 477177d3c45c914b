package secret

import (
	"bytes"
	"strings"
)

// header holds what the columns of a table are named.
type header struct {
	kinds [64]naming
	n     int
	// tells: a column is named like a secret.
	tells bool
}

func (h *header) add(k naming) {
	h.kinds[h.n] = k
	h.tells = h.tells || h.secret(h.n)
	h.n++
}

// secret reports whether a column is named like a secret.
func (h *header) secret(col int) bool { return h.kinds[col].noun >= tokenNoun && !h.kinds[col].not }

// judge judges the value of a row in a column that is named like a secret.
func (h *header) judge(r *run, col, from, to int) {
	a := assigned{r: r, kind: h.kinds[col], judged: true}
	a.take(formElement, from, to)
}

// columns finds secrets in tables: values below a header that names them.
func (r *run) columns() {
	if len(r.path) < 4 {
		return
	}
	switch ext := r.path[len(r.path)-4:]; {
	case strings.EqualFold(ext, ".csv"):
		r.rows(',')
	case strings.EqualFold(ext, ".tsv"):
		r.rows('\t')
	case strings.EqualFold(ext[1:], ".md") || r.style == asProse:
		r.tables()
	}
}

// rows finds secrets below the first line.
func (r *run) rows(sep byte) {
	head := r.text
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		head = head[:i]
	}
	if len(head) > 4096 || len(head) == len(r.text) {
		return
	}
	if sep == ',' && bytes.IndexByte(head, ',') < 0 && bytes.IndexByte(head, ';') >= 0 {
		sep = ';'
	}
	var h header
	for c := range bytes.SplitSeq(head, []byte{sep}) {
		if h.n == len(h.kinds) {
			break
		}
		h.add(heading(bytes.Trim(c, "\" \r")))
	}
	if !h.tells {
		return
	}
	for at := len(head) + 1; at < len(r.text); at++ {
		for col := 0; at < len(r.text) && r.text[at] != '\n'; col++ {
			from, to, next := field(r.text, at, sep)
			if col < h.n && h.secret(col) && to-from >= 6 && to-from < maxValue {
				h.judge(r, col, from, to)
			}
			if at = next; at < len(r.text) && r.text[at] == sep {
				at++
			}
		}
		if r.full() {
			return
		}
	}
}

// field returns the bounds of the field at at, without its quotes, and where it ends.
func field(text []byte, at int, sep byte) (from, to, end int) {
	from, end = at, at
	if text[from] == '"' {
		for end++; end < len(text) && (text[end] != '"' || end+1 < len(text) && text[end+1] == '"'); end++ {
			if text[end] == '"' {
				end++
			}
		}
	}
	for end < len(text) && text[end] != sep && text[end] != '\n' {
		end++
	}
	to = from + len(bytes.TrimRight(text[from:end], "\r\""))
	if text[from] == '"' && to > from {
		from++
	}
	return from, to, end
}

// heading reads the words of a column's head as one name.
func heading(c []byte) naming {
	var buf [maxName]byte
	n := copy(buf[:], c)
	for i, b := range buf[:n] {
		if b == ' ' {
			buf[i] = '_'
		}
	}
	return classify(buf[:n])
}

var bar = []byte{'|'}

// tables finds secrets in the tables of Markdown, in cells below a header that
// names them.
func (r *run) tables() {
	text := r.text
	var h header
	prev := 0 // where the line before begins
	for line := 0; line < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[line:], '\n'); i >= 0 {
			end = line + i
		}
		l := bytes.TrimSpace(text[line:end])
		switch {
		case len(l) < 3 || l[0] != '|':
			h.n, h.tells = 0, false
		case h.n == 0:
			// A header is told by the rule below it.
			if len(bytes.Trim(l, "|-: ")) == 0 && bytes.IndexByte(l, '-') >= 0 && prev < line {
				h.cells(bytes.TrimSpace(text[prev : line-1]))
			}
		case h.tells:
			h.row(r, line+bytes.IndexByte(text[line:end], '|')+1, end)
		}
		prev, line = line, end+1
		if r.full() {
			return
		}
	}
}

// cells reads the header of a table of Markdown, of which 16 columns are read.
func (h *header) cells(line []byte) {
	for c := range bytes.SplitSeq(bytes.Trim(line, "|"), bar) {
		if h.n == 16 {
			break
		}
		h.add(heading(bytes.Trim(c, " `*_")))
	}
}

// row judges the cells from at to end.
func (h *header) row(r *run, at, end int) {
	for col := 0; at < end && col < h.n; col++ {
		to := end
		if i := bytes.IndexByte(r.text[at:end], '|'); i >= 0 {
			to = at + i
		}
		from, end := trimmed(r.text, at, to, " `*\t\r")
		if h.secret(col) && end-from >= 6 && bytes.IndexByte(r.text[from:end], ' ') < 0 {
			h.judge(r, col, from, end)
		}
		at = to + 1
	}
}
