package text

import "strings"

// manyWords is from how many words on the label of a link's definition is more than a name.
const manyWords = 4

// withoutTitles leaves out what no page shows of the definitions of links in Markdown: their titles, [//]: # (words), labels of many
// words, and addresses in angles that have blanks. The address stays, for it says where a link leads.
func withoutTitles(markdown string) string {
	if !strings.Contains(markdown, "]:") {
		return markdown
	}
	d := definitions{text: markdown, next: map[byte]int{}}
	var b strings.Builder
	for at := 0; at < len(markdown); {
		end := d.lineEnd(at)
		label, ok := d.label(at, end)
		if !ok {
			b.WriteString(markdown[at:end])
			at = end
			continue
		}
		to := d.target(label[1] + len("]:"))
		title, behind := d.title(to)
		if behind < 0 { // a page shows it all, as a paragraph
			b.WriteString(markdown[at:end])
			at = end
			continue
		}
		b.WriteString(markdown[at:label[0]] + shortLabel(markdown[label[0]:label[1]]) + "]:")
		if address := markdown[label[1]+len("]:") : to]; strings.Contains(address, "<") && strings.ContainsAny(strings.TrimSpace(address), " \t") {
			b.WriteString(" <…>")
		} else {
			b.WriteString(address)
		}
		if title {
			b.WriteString(" " + leftOfIt)
		}
		b.WriteString(strings.TrimLeft(markdown[behind:d.lineEnd(behind)], " \t\r"))
		at = d.lineEnd(behind)
	}
	return b.String()
}

// definitions reads those of links in a text, each byte a bounded number of times.
type definitions struct {
	text string
	next map[byte]int // where the next of a sign stands that was looked for, or the next empty line by '\n'; the length of the text where none does
}

// lineEnd is the place behind the line of at.
func (d *definitions) lineEnd(at int) int {
	if i := strings.IndexByte(d.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(d.text)
}

// label is where the label of the definition stands that a line begins with, behind the marks of lists and quotes.
func (d *definitions) label(at, end int) (label [2]int, ok bool) {
	line := d.text[at:end]
	bare := strings.TrimLeft(line, " \t>-*+.)0123456789")
	if !strings.HasPrefix(bare, "[") {
		return label, false
	}
	label[0] = at + len(line) - len(bare) + 1
	n := strings.Index(bare, "]:")
	if n < 2 || strings.ContainsAny(bare[1:n], "[]") {
		return label, false
	}
	label[1] = label[0] + n - 1
	return label, true
}

// target is the place behind the address that follows, perhaps in the next line.
func (d *definitions) target(at int) int {
	i := d.blanks(at)
	if i < len(d.text) && d.text[i] == '\n' {
		i = d.begin(i + 1)
	}
	if i < len(d.text) && d.text[i] == '<' {
		if n := strings.IndexAny(d.text[i:d.lineEnd(i)], ">\n"); n > 0 && d.text[i+n] == '>' {
			return i + n + 1
		}
	}
	for i < len(d.text) && !strings.ContainsRune(" \t\r\n", rune(d.text[i])) {
		i++
	}
	return i
}

// blanks is the place behind the blanks at a place.
func (d *definitions) blanks(at int) int {
	for at < len(d.text) && strings.IndexByte(" \t\r", d.text[at]) >= 0 {
		at++
	}
	return at
}

// begin is where a line of a definition begins behind marks of quotes.
func (d *definitions) begin(at int) int {
	for i := d.blanks(at); ; i = d.blanks(i + 1) {
		if i == len(d.text) || d.text[i] != '>' {
			return i
		}
	}
}

// title reports whether one follows an address, perhaps in the next line, and where it ends; behind is -1 where something else
// follows in the line, so that it is no definition.
func (d *definitions) title(at int) (title bool, behind int) {
	i := d.blanks(at)
	below := i < len(d.text) && d.text[i] == '\n'
	if below {
		i = d.begin(i + 1)
	}
	if i == len(d.text) {
		return false, at
	}
	if shut := map[byte]byte{'"': '"', '\'': '\'', '(': ')'}[d.text[i]]; shut != 0 && i > at {
		end := d.find(shut, i+1)
		if end < d.find('\n', i) && d.ends(end+1) {
			return true, end + 1
		}
	}
	if below {
		return false, at
	}
	return false, -1
}

// ends reports whether nothing follows in the line.
func (d *definitions) ends(at int) bool {
	i := d.blanks(at)
	return i == len(d.text) || d.text[i] == '\n'
}

// find is where a sign stands next that no backslash precedes; of '\n' an empty line.
func (d *definitions) find(sign byte, from int) int {
	if at, known := d.next[sign]; known && at >= from {
		return at
	}
	at := from
	for at < len(d.text) && !(d.text[at] == sign && d.text[at-1] != '\\' && (sign != '\n' || d.ends(at+1))) {
		at++
	}
	d.next[sign] = at
	return at
}

// shortLabel is a label, or … where it is more than a name.
func shortLabel(label string) string {
	if len(strings.Fields(label)) >= manyWords {
		return "…"
	}
	return label
}
