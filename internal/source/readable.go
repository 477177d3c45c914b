package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Readable is a text as it is put before a reader: of a notebook the sources of its cells,
// with a line for each output, and in every text a line of base64 that is longer than
// maxBase64 is cut to how long it is. What is neither comes back as it is.
func Readable(name string, content []byte) []byte {
	if strings.EqualFold(path.Ext(name), ".ipynb") {
		if cells, ok := notebook(content); ok {
			content = cells
		}
	}
	return CutBase64(content)
}

// maxBase64 is how many characters of base64 are shown: a hash or a small key, no picture.
const maxBase64 = 200

// CutBase64 writes in the place of each run of base64 that is longer than maxBase64 how
// many characters it has. Lines of one length that are one after the other, as in mail and
// certificates, are one run, and so are the parts of a string between two \n.
func CutBase64(content []byte) []byte {
	var out []byte
	for rest := content; ; {
		from, to, n := longBase64(rest)
		if n == 0 {
			if out == nil {
				return content
			}
			return append(out, rest...)
		}
		out = append(out, rest[:from]...)
		out = fmt.Appendf(out, "[%d characters of base64]", n)
		rest = rest[to:]
	}
}

// longBase64 finds the next run that is too long: where it stands, and its characters. Runs of less than leastLine are none; of
// them it reads little more than one byte in leastLine, the last that would have to be of a run.
func longBase64(b []byte) (from, to, n int) {
	for i := 0; i+leastLine <= len(b); {
		last := i + leastLine - 1
		for last >= i && inBase64[b[last]] {
			last--
		}
		if last >= i { // no run that is long enough begins at or before it
			i = last + 1
			continue
		}
		j := i + leastLine
		for j < len(b) && inBase64[b[j]] {
			j++
		}
		end, count := wrapped(b, i, j)
		if count > maxBase64 && drawn(b[i:end]) {
			for end < len(b) && b[end] == '=' {
				end, count = end+1, count+1
			}
			return i, end, count
		}
		i = end
	}
	return 0, 0, 0
}

// leastLine is the least length of a line of base64 that goes on in the next one.
const leastLine = 60

// wrapped goes on over ends of lines, real ones and \n in a string, as long as whole lines
// of one length follow, and one that may be shorter.
func wrapped(b []byte, i, j int) (end, count int) {
	size := j - i
	end, count = j, size
	for {
		next := end
		switch {
		case bytes.HasPrefix(b[next:], []byte("\r\n")), bytes.HasPrefix(b[next:], []byte(`\n`)):
			next += 2
		case bytes.HasPrefix(b[next:], []byte("\n")):
			next++
		default:
			return end, count
		}
		k := next
		for k < len(b) && inBase64[b[k]] {
			k++
		}
		if k-next > size || k == next || k-next < size && k < len(b) && !strings.ContainsRune("=\r\n\"\\", rune(b[k])) {
			return end, count
		}
		end, count = k, count+k-next
		if k-next < size {
			return end, count
		}
	}
}

// inBase64 are the characters of base64.
var inBase64 = func() (set [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		set[c] = true
	}
	return set
}()

// drawn reports whether a run has small letters, capitals and digits, as what is encoded
// has, and no word or path: of each at least one in thirty-two.
func drawn(run []byte) bool {
	var small, large, digits int
	for _, c := range run {
		switch {
		case 'a' <= c && c <= 'z':
			small++
		case 'A' <= c && c <= 'Z':
			large++
		case '0' <= c && c <= '9':
			digits++
		}
	}
	return min(small, large, digits) > 0 && 32*small > len(run) && 32*large > len(run) && 32*digits > len(run)
}

// lines are a text of a notebook, which is a string or a list of lines.
type lines string

// UnmarshalJSON takes both forms, and leaves what is neither empty.
func (l *lines) UnmarshalJSON(b []byte) error {
	var list []string
	var one string
	switch {
	case json.Unmarshal(b, &one) == nil:
		*l = lines(one)
	case json.Unmarshal(b, &list) == nil:
		*l = lines(strings.Join(list, ""))
	}
	return nil
}

// cell is one of a notebook: of version 4, or of version 3 with input and prompt_number.
type cell struct {
	Type    string   `json:"cell_type"`
	Source  lines    `json:"source"`
	Input   lines    `json:"input"`
	Outputs []output `json:"outputs"`
}

// output is what a cell has printed or shown.
type output struct {
	Type string           `json:"output_type"`
	Text lines            `json:"text"`
	Data map[string]lines `json:"data"`
	Name string           `json:"ename"`
	Said string           `json:"evalue"`
}

// notebook writes the cells of a notebook; ok is false if it is none.
func notebook(content []byte) (text []byte, ok bool) {
	var book struct {
		Cells      []cell `json:"cells"`
		Worksheets []struct {
			Cells []cell `json:"cells"`
		} `json:"worksheets"`
	}
	if json.Unmarshal(content, &book) != nil {
		return nil, false
	}
	for _, w := range book.Worksheets {
		book.Cells = append(book.Cells, w.Cells...)
	}
	if len(book.Cells) == 0 {
		return nil, false
	}
	var b bytes.Buffer
	for i, c := range book.Cells {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "# %%%% %s\n", oneLine(c.Type))
		for _, part := range []lines{c.Source, c.Input} {
			if part != "" {
				b.WriteString(strings.TrimRight(string(part), "\n") + "\n")
			}
		}
		for _, o := range c.Outputs {
			b.WriteString("# output: " + o.told() + "\n")
		}
	}
	return b.Bytes(), true
}

// told is an output in one line: what kind it is, how large, and how its text begins.
func (o *output) told() string {
	switch {
	case o.Name != "" || o.Said != "":
		return oneLine(o.Name + ": " + o.Said)
	case len(o.Data) > 0:
		var parts []string
		for kind, data := range o.Data {
			parts = append(parts, fmt.Sprintf("%s (%d characters)", oneLine(kind), utf8.RuneCountInString(string(data))))
		}
		slices.Sort(parts)
		said := strings.Join(parts[:min(len(parts), 5)], ", ")
		if plain := o.Data["text/plain"]; plain != "" {
			said += ": " + oneLine(string(plain))
		}
		return said
	}
	n := strings.Count(strings.TrimRight(string(o.Text), "\n"), "\n") + 1
	return fmt.Sprintf("%s (%d lines): %s", oneLine(o.Type), n, oneLine(string(o.Text)))
}

// maxToldLine is how many bytes an output says of itself.
const maxToldLine = 160

// oneLine is the beginning of a text on one line.
func oneLine(s string) string {
	if len(s) > maxToldLine {
		s = strings.ToValidUTF8(s[:maxToldLine], "") + " …"
	}
	return strings.Join(strings.Fields(s), " ")
}
