package text

import (
	"bytes"
	"unicode/utf8"
)

// Limits say what is kept of a text that is too long: its first and last lines,
// with a marker between them.
type Limits struct {
	// Bytes is the most that is kept, marker included. A text that is not
	// longer is kept whole, however many lines it has.
	Bytes int
	// Head and Tail are the most lines kept at either end.
	Head, Tail int
	Marker     string
}

// Cut is what Limits kept of a text.
type Cut struct {
	// Head and Tail are parts of the text, both empty when nothing of it is kept.
	Head, Tail []byte
	// HeadLines and TailLines count the lines in them, the last one of Head and
	// the first one of Tail also when only a part of it is kept.
	HeadLines, TailLines int
	// Truncated is false when Head is the whole text.
	Truncated bool
	marker    string
	// parts are what a Keeper kept in place of a head and a tail, and KeptLines their lines; begun says that the first is the
	// text's beginning, open that the last is not its end.
	parts       [][]byte
	KeptLines   int
	begun, open bool
}

// Bytes is how many bytes of the text are kept, the marker not counted.
func (c Cut) Bytes() int {
	n := len(c.Head) + len(c.Tail)
	for _, p := range c.parts {
		n += len(p)
	}
	return n
}

// String is what is kept, with the marker where something is missing.
func (c Cut) String() string {
	if !c.Truncated {
		return string(c.Head)
	}
	if len(c.parts) > 0 {
		said := string(bytes.Join(c.parts, []byte(c.marker)))
		if !c.begun {
			said = c.marker + said
		}
		if c.open {
			said += c.marker
		}
		return said
	}
	b := make([]byte, 0, c.Bytes()+len(c.marker))
	return string(append(append(append(b, c.Head...), c.marker...), c.Tail...))
}

// Cut applies the limits. First the text is cut to its first Head and last Tail
// lines, then both to what Bytes leaves beside the marker, in proportion to
// Head and Tail; what one end does not need the other gets. Cutting by bytes
// happens behind a line feed, or, where that would cost more than half of what
// is allowed (enormous lines), between runes. When not even the marker fits,
// nothing is kept.
//
// With smaller Bytes no end of the text grows.
func (l Limits) Cut(s []byte) Cut {
	if len(s) <= l.Bytes {
		return Cut{Head: s, HeadLines: lines(s)}
	}
	c := Cut{Truncated: true}
	room := l.Bytes - len(l.Marker)
	if room < 0 {
		return c
	}
	c.marker = l.Marker
	head, tail := firstLines(s, l.Head), lastLines(s, l.Tail)
	// Where the two overlap, the clamping below parts them: room is less than the text.
	forHead := 0
	if l.Head+l.Tail > 0 {
		// In 64 bits: a user may ask for many lines of many bytes.
		forHead = int(float64(room) * (float64(l.Head) / (float64(l.Head) + float64(l.Tail))))
	}
	forTail := room - forHead
	switch {
	case len(head) < forHead:
		forTail = room - len(head)
	case len(tail) < forTail:
		forHead = room - len(tail)
	}
	c.Head, c.Tail = clampHead(head, forHead), clampTail(tail, forTail)
	c.HeadLines, c.TailLines = lines(c.Head), lines(c.Tail)
	return c
}

// lines counts line feeds, and one more when the last line lacks it.
func lines(s []byte) int {
	n := bytes.Count(s, []byte{'\n'})
	if len(s) > 0 && s[len(s)-1] != '\n' {
		n++
	}
	return n
}

func firstLines(s []byte, n int) []byte {
	end := 0
	for ; n > 0; n-- {
		i := bytes.IndexByte(s[end:], '\n')
		if i < 0 {
			return s
		}
		end += i + 1
	}
	return s[:end]
}

func lastLines(s []byte, n int) []byte {
	if n <= 0 {
		return nil
	}
	end := len(s)
	if end > 0 && s[end-1] == '\n' {
		end-- // it ends the last line and begins none
	}
	for {
		i := bytes.LastIndexByte(s[:end], '\n')
		if n--; i < 0 || n == 0 {
			return s[i+1:]
		}
		end = i
	}
}

func clampHead(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	if i := bytes.LastIndexByte(s[:n], '\n') + 1; i > 0 && i >= n/2 {
		return s[:i]
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func clampTail(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	from := len(s) - n // at least 1
	if i := bytes.IndexByte(s[from-1:], '\n'); i >= 0 && i <= n-n/2 {
		return s[from+i:]
	}
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}
