package secret

import (
	"bytes"
	"strings"
)

// columns finds secrets in tables: values below a header that names them.
func (r *run) columns() {
	sep := byte(',')
	if len(r.path) < 4 {
		return
	}
	switch ext := r.path[len(r.path)-4:]; {
	case strings.EqualFold(ext, ".csv"):
	case strings.EqualFold(ext, ".tsv"):
		sep = '\t'
	default:
		if strings.EqualFold(ext[1:], ".md") || r.style == asProse {
			r.tables()
		}
		return
	}
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
	var names [64]naming
	n, any := 0, false
	for c := range bytes.SplitSeq(head, []byte{sep}) {
		if n == len(names) {
			break
		}
		names[n] = heading(bytes.Trim(c, "\" \r"))
		any = any || names[n].noun >= tokenNoun && !names[n].not
		n++
	}
	if !any {
		return
	}
	for at := len(head) + 1; at < len(r.text); at++ {
		for col := 0; at < len(r.text) && r.text[at] != '\n'; col++ {
			from := at
			if r.text[at] == '"' {
				for at++; at < len(r.text) && (r.text[at] != '"' || at+1 < len(r.text) && r.text[at+1] == '"'); at++ {
					if r.text[at] == '"' {
						at++
					}
				}
			}
			for at < len(r.text) && r.text[at] != sep && r.text[at] != '\n' {
				at++
			}
			to := at
			for to > from && (r.text[to-1] == '\r' || r.text[to-1] == '"') {
				to--
			}
			if r.text[from] == '"' && to > from {
				from++
			}
			if col < n && names[col].noun >= tokenNoun && !names[col].not && to-from >= 6 && to-from < maxValue {
				a := assigned{r: r, kind: names[col], judged: true}
				a.judge(from, to, true)
			}
			if at < len(r.text) && r.text[at] == sep {
				at++
			}
		}
		if len(r.found) > 4*MaxFindings {
			return
		}
	}
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
	var names [16]naming
	n, any := 0, false
	prev := 0 // where the line before begins
	for line := 0; line < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[line:], '\n'); i >= 0 {
			end = line + i
		}
		l := bytes.TrimSpace(text[line:end])
		switch {
		case len(l) < 3 || l[0] != '|':
			n, any = 0, false
		case n == 0:
			// A header is told by the rule below it.
			if len(bytes.Trim(l, "|-: ")) == 0 && bytes.IndexByte(l, '-') >= 0 && prev < line {
				for c := range bytes.SplitSeq(bytes.Trim(bytes.TrimSpace(text[prev:line-1]), "|"), bar) {
					if n == len(names) {
						break
					}
					names[n] = heading(bytes.Trim(c, " `*_"))
					any = any || names[n].noun >= tokenNoun && !names[n].not
					n++
				}
			}
		case any:
			at := line + bytes.IndexByte(text[line:end], '|') + 1
			for col := 0; at < end && col < n; col++ {
				to := end
				if i := bytes.IndexByte(text[at:end], '|'); i >= 0 {
					to = at + i
				}
				v := bytes.Trim(text[at:to], " `*\t\r")
				if names[col].noun >= tokenNoun && !names[col].not && len(v) >= 6 && bytes.IndexByte(v, ' ') < 0 {
					from := at + bytes.Index(text[at:to], v)
					a := assigned{r: r, kind: names[col], judged: true}
					a.judge(from, from+len(v), true)
				}
				at = to + 1
			}
		}
		prev, line = line, end+1
		if len(r.found) > 4*MaxFindings {
			return
		}
	}
}
