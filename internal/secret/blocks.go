package secret

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file finds the texts of several lines that a program holds: settings, manifests and scripts stand in them, where a value
// needs no quotes.

// block is a text of several lines within a program, without what opens and closes it.
type block struct{ from, to int }

const (
	maxBlocks = 1 << 12  // of one text
	maxHere   = 64 << 10 // bytes, of one that a word closes
	maxLost   = 256      // words that close none
)

// dialect is how a language writes texts of several lines, and comments, in which quotes open none.
type dialect struct {
	opens   string // what opens a text, and closes it
	comment string // what makes the rest of a line a comment
	raw     bool   // a backslash is itself
	here    bool   // <<WORD opens a text, the line WORD closes it
}

// dialects are those of languages that have such texts, by extension.
var dialects = value.WordMap(map[dialect]string{
	{opens: "`", comment: "//", raw: true}:  "go",
	{opens: "`", comment: "//"}:             "js jsx ts tsx mjs cjs mts cts vue svelte",
	{opens: `"""'''`, comment: "#"}:         "py pyi bzl star bazel coffee ex exs jl",
	{opens: `"""`, comment: "//"}:           "java kt kts scala swift cs fs",
	{opens: `"""'''`, comment: "//"}:        "groovy gradle dart",
	{opens: `"#`, comment: "//", raw: true}: "rs",
	{comment: "#", here: true}:              "rb pl pm cr",
	{comment: "//", here: true}:             "php phtml",
})

// writes reports whether text may have a text of several lines.
func (d *dialect) writes(text []byte) bool {
	for marks := d.opens; marks != ""; marks = marks[min(3, len(marks)):] {
		if bytes.Contains(text, []byte(marks[:min(3, len(marks))])) {
			return true
		}
	}
	return d.here
}

// closes returns what closes a text of several lines that the quote at at opens; "" if none begins there.
func (d *dialect) closes(text []byte, at int) string {
	i := strings.IndexByte(d.opens, text[at])
	switch {
	case i >= 0 && len(d.opens) > 2 && value.HasPrefixAt(text, at, d.opens[i:i+3]):
		return d.opens[i : i+3]
	case d.opens == "`" && text[at] == '`', d.opens == `"#` && value.Ends(text[:at], "#") && text[at] == '"':
		return d.opens
	}
	return ""
}

// blockSigns are the bytes that open something, or close it.
var blockSigns = [256]bool{'\\': true, '/': true, '#': true, '<': true, '"': true, '\'': true, '`': true}

// insideBlock reports whether a text of several lines is open at at.
func (r *run) insideBlock(at int) bool {
	if !r.blocksRead {
		r.readBlocks()
	}
	lo, hi := 0, len(r.blocks)
	for lo < hi {
		if m := (lo + hi) / 2; r.blocks[m].to < at {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(r.blocks) && r.blocks[lo].from <= at
}

// readBlocks finds the blocks of the text.
func (r *run) readBlocks() {
	r.blocksRead, r.blocks = true, r.blocks[:0]
	text, lost := r.text, 0
	d, ok := dialects[strings.ToLower(strings.TrimPrefix(path.Ext(r.path), "."))]
	if r.spend(len(text)); !ok || !d.writes(text) {
		return
	}
	for at := 0; at < len(text) && len(r.blocks) < maxBlocks && r.spent <= r.limit; at++ {
		for at < len(text) && !blockSigns[text[at]] {
			at++
		}
		switch b := value.ByteAt(text, at); {
		case b == '\\':
			at++
		case b == '/' && value.ByteAt(text, at+1) == '*' && d.comment == "//":
			n := bytes.Index(text[at:], []byte("*/"))
			if n < 0 {
				return
			}
			at += n + 1
		case b == d.comment[0] && value.HasPrefixAt(text, at, d.comment):
			n := bytes.IndexByte(text[at:], '\n')
			if n < 0 {
				return
			}
			at += n
		case b == '<' && d.here && lost < maxLost && value.HasPrefixAt(text, at, "<<"):
			n := len(r.blocks)
			if at = r.here(at); len(r.blocks) == n {
				lost++
			}
		case value.IsQuote(b):
			at = r.textAt(&d, at)
		}
	}
}

// textAt notes the text that the quote at at opens if it has several lines, and returns where it ends. One that does not close
// takes the rest.
func (r *run) textAt(d *dialect, at int) int {
	text := r.text
	mark := d.closes(text, at)
	if mark == "" {
		return endOfQuoted(text, at)
	}
	from := at + max(1, len(mark)-len(mark)%3)
	end := from
	for ; ; end++ {
		n := bytes.Index(text[end:], []byte(mark))
		if n < 0 {
			return len(text)
		}
		if end += n; d.raw || (end-value.Back(text, end, end-from, `\`))%2 == 0 {
			break
		}
	}
	if bytes.IndexByte(text[from:end], '\n') >= 0 && r.holdsText(d, at) {
		r.blocks = append(r.blocks, block{from, end})
	}
	return end + len(mark) - 1
}

// endOfQuoted returns where the text of one line ends that the quote at at opens, at at if it does not close.
func endOfQuoted(text []byte, at int) int {
	for i := at + 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i
		}
	}
	return at
}

// holdsText reports whether a text that begins at at is handed on: what begins a line in some languages says what a program
// does, and a quote behind what ends an expression closes one that was not seen to open.
func (r *run) holdsText(d *dialect, at int) bool {
	if d.comment == "#" {
		return len(bytes.TrimSpace(r.before(at, 64))) > 0
	}
	i := value.Back(r.text, at, 200, value.Spaces)
	return d.opens != "`" || i == 0 || strings.IndexByte("=(,:[{+?|", r.text[i-1]) >= 0 || i == at && value.IsWord(r.text[i-1]) ||
		value.Ends(r.text[:i], "=>", "return", "default")
}

// here notes the text below the line of <<WORD at at, down to the line WORD, and returns where it ends.
func (r *run) here(at int) int {
	text := r.text
	i := value.Past(text, at, 3, "<")
	i = value.Past(text, i, 1, "~-")
	i = value.Past(text, i, 1, value.Quotes)
	word := text[i:value.Past(text, i, 64, value.WordSigns)]
	from := value.UpTo(text, i, 400, "\n") + 1
	if len(word) < 2 || !value.IsUpper(word[0]) || from >= len(text) {
		return i
	}
	most := min(len(text), from+maxHere)
	r.spend((most - from) / 8)
	for line := from; line < most; line = value.UpTo(text, line, most-line, "\n") + 1 {
		if j := value.SkipBlank(text, line); bytes.HasPrefix(text[j:], word) && !value.IsWord(value.ByteAt(text, j+len(word))) {
			r.blocks = append(r.blocks, block{from, line})
			return j
		}
	}
	return i
}
