package rank

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// ownFolders are the folders of a path that only one machine has, up to the name of the file.
	ownFolders = lazyregexp.New(`(?:/home|/Users|/root|/mnt|/media|/tmp|/private)/(?:[^/\s"'` + "`" + `<>|:]+/)*`)
	// drive begins a path of Windows, which may hold blanks.
	drive = lazyregexp.New(`\b[A-Za-z]:\\+`)
)

// withoutMachine blanks what a task says of somebody's machine: the folders of paths there. The name of the file stays: that it is called
// a.forced.srt may be the matter.
func withoutMachine(text []byte) []byte {
	if !ownFolders.Match(text) && !drive.Match(text) {
		return text
	}
	text = bytes.Clone(text)
	blank := func(part []byte) {
		for i := range part {
			part[i] = ' '
		}
	}
	for _, m := range ownFolders.FindAllSubmatchIndex(text, maxNamings) {
		blank(text[m[0]:m[1]])
	}
	for line := range bytes.Lines(text) {
		m := drive.FindIndex(line)
		if m == nil {
			continue
		}
		path := line[m[0]:]
		if i := bytes.IndexAny(path, "\"'`<>|*?"); i >= 0 {
			path = path[:i]
		}
		if i := bytes.LastIndexByte(path, '\\'); i >= 0 {
			blank(path[:i])
		}
	}
	return text
}

// leastPiece is how many letters a piece of a word has at least that counts as one, where the word has letters beyond ASCII too.
const leastPiece = 6

// withoutPieces blanks the short pieces that are left of words with letters beyond ASCII: of Brücke there is no cke. Letters of other
// scripts divide words: what is written between them in Latin is meant so.
func withoutPieces(text []byte) []byte {
	ascii := func(c byte) bool { return c < utf8.RuneSelf && (c|0x20 >= 'a' && c|0x20 <= 'z') }
	out := text
	for i := 0; i < len(text); {
		from, pieces := i, false
		for i < len(text) {
			if ascii(text[i]) {
				i++
				continue
			}
			r, n := utf8.DecodeRune(text[i:])
			if r < utf8.RuneSelf || !unicode.Is(unicode.Latin, r) {
				break
			}
			pieces = true
			i += n
		}
		if i == from {
			i++
			continue
		}
		if !pieces {
			continue
		}
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		for at := from; at < i; {
			end := at
			for end < i && ascii(text[end]) {
				end++
			}
			if end-at < leastPiece {
				copy(out[at:end], "      ")
			}
			at = max(end, at+1)
		}
	}
	return out
}
