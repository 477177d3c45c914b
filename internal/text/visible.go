package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns words, which may be anybody's, as one line in which each character
// can be seen: controls, line breaks, what changes the direction of writing, spaces of
// other widths and what is not drawn at all are spelled out as \x1b, \u202e, and bytes
// that are not UTF-8 as \xff. A name that shows as another cannot be made of it.
func Visible(s string) string {
	plain := true
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] < 0x7f
	}
	if plain {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case Seen(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		i += size
	}
	return b.String()
}

// Seen reports whether a character is drawn, in its place in the line.
func Seen(r rune) bool {
	if !strconv.IsPrint(r) {
		return false
	}
	switch {
	case r < 0x34f:
		return true
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f, r == 0x2800, r == 0x3164, r == 0xffa0,
		r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // letters and marks that have no shape
		return false
	}
	return true
}

// Line returns words, which may be anybody's, as one line of a log: visible, and no
// command to the runner of a workflow. The runner takes for one a line whose first signs
// are ::, and ##[ wherever it stands; it compares as a reader of the language does, so
// marks between these signs hide nothing from it. The sign that would make the command
// is spelled as a byte that is not UTF-8 is: \x3a, \x5b.
func Line(words string) string {
	s := Visible(words)
	if !strings.Contains(s, ":") && !strings.Contains(s, "[") {
		return s
	}
	var b strings.Builder
	// colons are those that begin the line, hashes those before this place; marks count as nothing.
	colons, hashes, begun := 0, 0, false
	for _, r := range s {
		mark := unicode.Is(unicode.M, r)
		switch {
		case r == ':' && !begun:
			colons++
		case !mark && (r != ' ' || colons > 0):
			begun = true
		}
		switch {
		case r == ':' && colons == 2 && !begun:
			b.WriteString(`\x3a`)
			begun = true
		case r == '[' && hashes >= 2:
			b.WriteString(`\x5b`)
		default:
			b.WriteRune(r)
		}
		switch {
		case r == '#':
			hashes++
		case !mark:
			hashes = 0
		}
	}
	return b.String()
}

// Lines returns a block of text with each of its lines as Line writes it.
func Lines(block string) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(block, "\n") {
		words, end := strings.CutSuffix(line, "\n")
		b.WriteString(Line(words))
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Quote returns words, which may be anybody's, between quotation marks, as one line in
// which everything is drawn; the marks inside are single ones, so that the two outside
// are where the words begin and end.
func Quote(words string) string {
	s := strings.ReplaceAll(Visible(words), `"`, `'`)
	if short, ok := strings.CutSuffix(s, `\`); ok {
		s = short + `\x5c` // else it would take the mark's meaning where there are escapes
	}
	return `"` + s + `"`
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Name returns a name, which may be anybody's, as a sentence of ours holds it: as it is
// where it is one plain word, such as most paths are, else as Quote does. It cannot go on
// with the sentence.
func Name(name string) string {
	for i, r := range name {
		inside := r == ':' && i > 0 && i+1 < len(name) && alphanumeric(name[i-1]) && alphanumeric(name[i+1]) // node:fs
		if r == ' ' || !Seen(r) || !inside && strings.ContainsRune("\"'`,;:!?<>|\\", r) {
			return Quote(name)
		}
	}
	if name == "" || !utf8.ValidString(name) || len(name) > 2 && strings.HasSuffix(name, ".") {
		return Quote(name)
	}
	return name
}
