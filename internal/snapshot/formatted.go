package snapshot

import (
	"bytes"
	"fmt"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/layout"
	"github.com/haversack-dev/haversack/internal/text"
)

// maxLaidOut bounds, in bytes, what is compared of all files for what a formatter chooses: beyond, hunks are shown.
const maxLaidOut = 8 << 20

// findFormatted finds the hunks of a file that change what a formatter chooses alone: with what stood before in their place, a program
// reads the same. All of them are told, and so is a number of them among others.
func (d *drawing) findFormatted(p *FilePatch, from, to *diff.Side) {
	if p.Redacted || p.Generated || from == nil || to == nil || from.Withheld+to.Withheld != "" || language.Of(p.Change.Path) == nil {
		return
	}
	if diff.SpaceAlone(p.Text, meaningOfSpace(p.Change.Path)) {
		p.Alone = spaceAlone
		return
	}
	head, hunks, tail := diff.Hunks(p.Text)
	var those []int
	for i := range hunks {
		if removed, added := sidesOf(&hunks[i]); layout.SameSigns(removed, added) {
			those = append(those, i)
		}
	}
	f := &formatting{d, p.Change.Path, from.Text, to.Text, hunks}
	if those = f.among(those); len(those) == 0 {
		return
	}
	if len(those) == len(hunks) {
		p.Alone = layoutAlone
		return
	}
	b, next, removed, added := bytes.NewBuffer(bytes.Clone(head)), 0, 0, 0
	for i := range hunks {
		if next < len(those) && those[next] == i {
			away, came := hunks[i].Changed()
			removed, added, next = removed+away, added+came, next+1
			continue
		}
		b.Write(hunks[i].Text())
	}
	b.Write(tail)
	fmt.Fprintf(b, "# Left out of %s: %d of %d hunks, in which layout alone changes, +%d -%d.\n",
		text.Name(d.s.Screener.Clean(p.Change.Path)), len(those), len(hunks), added, removed)
	p.formatted = b.Bytes()
}

// sidesOf are the lines that a hunk takes away and adds.
func sidesOf(h *diff.Hunk) (removed, added []byte) {
	for _, line := range h.Lines {
		switch line[0] {
		case '-':
			removed = append(removed, line[1:]...)
		case '+':
			added = append(added, line[1:]...)
		}
	}
	return removed, added
}

// formatting is a file while it is looked through for hunks of layout.
type formatting struct {
	drawing       *drawing
	name          string
	before, after []byte
	hunks         []diff.Hunk
}

// among are those of some hunks that change layout alone: all, or those among each half of them.
func (f *formatting) among(list []int) []int {
	if len(list) == 0 {
		return nil
	}
	if f.drawing.compared += len(f.before) + len(f.after); f.drawing.compared > maxLaidOut {
		return nil
	}
	if layout.Same(f.name, f.without(list), f.after) {
		return list
	}
	if len(list) == 1 {
		return nil
	}
	half := len(list) / 2
	return append(f.among(list[:half:half]), f.among(list[half:])...)
}

// without is the file after the change but for some hunks, in whose place stands what stood there before.
func (f *formatting) without(list []int) []byte {
	if len(list) == len(f.hunks) {
		return f.before
	}
	lines := bytes.SplitAfter(f.after, []byte("\n"))
	var out []byte
	at := 0
	write := func(end int) {
		for ; at < min(end, len(lines)); at++ {
			out = append(out, lines[at]...)
		}
	}
	for _, i := range list {
		h := &f.hunks[i]
		write(h.Cur - 1)
		for _, line := range h.Lines {
			if line[0] == '-' || line[0] == ' ' {
				out = append(out, line[1:]...)
			}
			if line[0] == '+' || line[0] == ' ' {
				at++
			}
		}
	}
	write(len(lines))
	return out
}
