package diff

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
)

// contextLines is how many lines that did not change stand around those that did.
const contextLines = 3

// hunkAt is a stretch of both texts: lines that changed and what stands around them.
type hunkAt struct{ old, oldEnd, cur, curEnd int }

// hunks are the stretches that a patch shows, in order.
func (p *pairing) hunks() []hunkAt {
	var list []hunkAt
	x, y := 0, 0
	for x < len(p.old.lines) || y < len(p.cur.lines) {
		if !p.old.changed[x] && !p.cur.changed[y] {
			x, y = x+1, y+1
			continue
		}
		h := hunkAt{old: x, cur: y}
		for p.old.changed[x] {
			x++
		}
		for p.cur.changed[y] {
			y++
		}
		h.oldEnd, h.curEnd = x, y
		if n := len(list); n > 0 && h.old-list[n-1].oldEnd <= 2*contextLines {
			list[n-1].oldEnd, list[n-1].curEnd = x, y
		} else {
			list = append(list, h)
		}
	}
	for i := range list {
		h := &list[i]
		before := min(contextLines, h.old, h.cur)
		after := min(contextLines, len(p.old.lines)-h.oldEnd, len(p.cur.lines)-h.curEnd)
		h.old, h.cur, h.oldEnd, h.curEnd = h.old-before, h.cur-before, h.oldEnd+after, h.curEnd+after
	}
	return list
}

// write writes the hunks, each headed by what it stands in; so many lines stand above both texts.
func (p *pairing) write(b *bytes.Buffer, above int, within func(hunkAt) string) {
	for _, h := range p.hunks() {
		fmt.Fprintf(b, "@@ -%s +%s @@", span(above+h.old, above+h.oldEnd), span(above+h.cur, above+h.curEnd))
		if name := within(h); name != "" {
			b.WriteString(" " + name)
		}
		b.WriteByte('\n')
		x, y := h.old, h.cur
		for x < h.oldEnd || y < h.curEnd {
			switch {
			case p.old.changed[x] && x < h.oldEnd:
				line(b, '-', p.old.lines[x])
				x++
			case p.cur.changed[y] && y < h.curEnd:
				line(b, '+', p.cur.lines[y])
				y++
			default:
				line(b, ' ', p.old.lines[x])
				x, y = x+1, y+1
			}
		}
	}
}

// span writes where lines stand as the head of a hunk does.
func span(from, to int) string {
	switch n := to - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, n)
	}
}

func line(b *bytes.Buffer, sign byte, s string) {
	b.WriteByte(sign)
	b.WriteString(s)
	if !strings.HasSuffix(s, "\n") {
		b.WriteString("\n\\ No newline at end of file\n")
	}
}

// maxHeading is how many bytes of a line a hunk is headed by, as in git.
const maxHeading = 80

// headings says of the hunks of a pairing, one after the other, what they stand in.
type headings struct {
	p             *pairing
	before, after []Head
	// line is the last one of the base that begins like a definition, of those above seen.
	line string
	seen int
}

// of is the innermost definition around the first changed line of a hunk, unless the hunk
// shows where it begins. Where there is none it is the last line of the base the hunk that begins with a letter, _ or $, as in git.
func (s *headings) of(h hunkAt) string {
	x, y := h.old, h.cur
	for x < h.oldEnd && !s.p.old.changed[x] && !s.p.cur.changed[y] {
		x, y = x+1, y+1
	}
	if name := innermost(s.after, y+1, h.cur+1); name != "" {
		return name
	}
	if name := innermost(s.before, x+1, h.old+1); name != "" {
		return name
	}
	for i := h.old - 1; i >= s.seen; i-- {
		if c := s.p.old.lines[i][0]; c == '_' || c == '$' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			s.line = s.p.old.lines[i]
			break
		}
	}
	s.seen = max(s.seen, h.old)
	return cutHeading(s.line)
}

// maxSiblings is how many definitions above a line are looked at for one that holds it.
const maxSiblings = 1000

// innermost is the head of the smallest definition that holds a line and begins above
// another, the first one of a hunk.
func innermost(heads []Head, line, first int) string {
	n := sort.Search(len(heads), func(i int) bool { return heads[i].From >= first })
	for i := n - 1; i >= 0 && i >= n-maxSiblings; i-- {
		if heads[i].To >= line {
			return cutHeading(heads[i].Text)
		}
	}
	return ""
}

func cutHeading(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > maxHeading {
		s = strings.ToValidUTF8(s[:maxHeading], "")
	}
	return strings.TrimRight(s, " \t\r\v\f")
}
