package graph

import "strings"

// What the readers of tokens have in common.

// Classes of the bytes of a source text, by which words are told; signs and the ends of lines have none.
const (
	ClassSpace = 1 + iota
	ClassWord  // a letter, _, or of a character that is not ASCII
	ClassDigit
)

// Classes are those of all bytes.
var Classes = func() (t [256]byte) {
	for c := range t {
		switch {
		case c == ' ' || c == '\t' || c == '\f' || c == '\r':
			t[c] = ClassSpace
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80:
			t[c] = ClassWord
		case c >= '0' && c <= '9':
			t[c] = ClassDigit
		}
	}
	return t
}()

// Room holds names that are copied from a text: many in one piece of memory. Who keeps a name keeps what shares the piece.
type Room struct{ strings.Builder }

// Copied is a copy of a name. A new piece has least bytes.
func (r *Room) Copied(name []byte, least int) string {
	if r.Cap()-r.Len() < len(name) {
		*r = Room{}
		r.Grow(max(len(name), least))
	}
	from := r.Len()
	_, _ = r.Write(name) // it never fails
	return r.String()[from:]
}
