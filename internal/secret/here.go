package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads a value that stands on the lines below its name, down to a line that a word ends: name = <<WORD, and define NAME of make.

const (
	maxHereLead  = 48      // bytes between a name's sign and <<, as of $(cat <<WORD
	maxHereValue = 4 << 10 // bytes of the lines
)

// hereSigns are the bytes of calls that are handed such a text.
const hereSigns = value.WordSigns + `$( ."'`

// hereText takes the lines that <<WORD at at, or in a call there, opens; false if nothing does.
func (a *assignment) hereText(at int) bool {
	text := a.r.text
	open := value.Past(text, at, maxHereLead, hereSigns)
	if !value.HasPrefixAt(text, open, "<<") || a.useless() {
		return false
	}
	lo := value.Past(text, value.Past(text, open, 3, "<"), 1, "~-")
	lo = value.Past(text, value.Past(text, lo, 2, " "), 1, value.Quotes)
	word := text[lo:value.Past(text, lo, value.MaxName, value.WordSigns)]
	if len(word) < 2 || !value.IsLetter(word[0]) {
		return false
	}
	return a.linesTo(a.r.upTo(lo, maxHereValue, "\n"), word)
}

// linesTo takes the lines below the one that ends at at, down to the one that begins with a word; false where none does. Of several each is a
// part of the value, if all are words.
func (a *assignment) linesTo(at int, word []byte) bool {
	text := a.r.text
	most := min(len(text), at+maxHereValue)
	var lines [maxItems][2]int
	n := 0
	for line := at + 1; line < most; {
		end := value.UpTo(text, line, most-line, "\n")
		lo, hi := value.Trimmed(text, line, end, value.Spaces)
		if bytes.HasPrefix(text[lo:hi], word) && !value.IsWord(value.ByteAt(text, lo+len(word))) {
			a.r.spend(2 * (end - at))
			for _, l := range lines[:n] {
				if n == 1 || bytes.IndexByte(text[l[0]:l[1]], ' ') < 0 {
					a.take(formQuoted, l[0], l[1])
				}
			}
			return true
		}
		if lo < hi {
			if n == len(lines) {
				return false
			}
			lines[n] = [2]int{lo, hi}
			n++
		}
		line = end + 1
	}
	a.r.spend(2 * (most - min(at, most)))
	return false
}

// endDefine ends what make's define gives a name.
var endDefine = []byte("endef")

// defines takes the lines below a name that make's define gives; false where none does.
func (a *assignment) defines(at int) bool {
	return value.Ends(a.head(), "define") && !a.useless() && a.linesTo(value.Past(a.r.text, at, 1, "\r"), endDefine)
}
