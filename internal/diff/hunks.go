package diff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Hunk is one stretch of a file's unified diff: lines that change, and what stands around them.
type Hunk struct {
	// Old and Cur are the numbers of its first lines before and after the change, from 1.
	Old, Cur int
	// Heading is what it stands in, "" where the diff does not say.
	Heading string
	// Lines are those of both sides, each behind its mark and with its end: ' ', '-', '+', and '\' where the line before has no end.
	Lines [][]byte
}

// Hunks parts the unified diff of one file into what stands before its hunks, the hunks, and what stands behind them.
func Hunks(patch []byte) (head []byte, list []Hunk, tail []byte) {
	left, leftOld, at := 0, 0, 0
	end := 0 // of the last hunk
	for line := range bytes.Lines(patch) {
		from := at
		at += len(line)
		if left <= 0 && leftOld <= 0 && line[0] != '\\' {
			if _, left, leftOld = hunk(line); left+leftOld == 0 {
				continue
			}
			if len(list) == 0 {
				head = patch[:from]
			}
			list, end = append(list, headed(line)), at
			continue
		}
		switch line[0] {
		case '+':
			left--
		case '-':
			leftOld--
		case ' ':
			left, leftOld = left-1, leftOld-1
		}
		if n := len(list); n > 0 && (line[0] != '\\' || end == from) {
			list[n-1].Lines, end = append(list[n-1].Lines, line), at
		}
	}
	if len(list) == 0 {
		return patch, nil, nil
	}
	return head, list, patch[end:]
}

// headed is a hunk without lines, of its head.
func headed(line []byte) Hunk {
	fields := strings.SplitN(strings.TrimSuffix(string(line), "\n"), " ", 5)
	first := func(field string) int {
		number, count, counted := strings.Cut(field[1:], ",")
		n, _ := strconv.Atoi(number)
		if counted && count == "0" {
			n++ // an empty side is said to begin with the line before it
		}
		return n
	}
	h := Hunk{Old: first(fields[1]), Cur: first(fields[2])}
	if len(fields) > 4 {
		h.Heading = fields[4]
	}
	return h
}

// Sides are how many lines of a hunk are before the change, and after it.
func (h *Hunk) Sides() (old, cur int) {
	for _, line := range h.Lines {
		switch line[0] {
		case '-':
			old++
		case '+':
			cur++
		case ' ':
			old, cur = old+1, cur+1
		}
	}
	return old, cur
}

// Changed are how many lines of a hunk the change takes away, and adds.
func (h *Hunk) Changed() (removed, added int) {
	for _, line := range h.Lines {
		switch line[0] {
		case '-':
			removed++
		case '+':
			added++
		}
	}
	return removed, added
}

// Text is a hunk with its head as a unified diff has it.
func (h *Hunk) Text() []byte {
	old, cur := h.Sides()
	var b bytes.Buffer
	fmt.Fprintf(&b, "@@ -%s +%s @@", span(h.Old-1, h.Old-1+old), span(h.Cur-1, h.Cur-1+cur))
	if h.Heading != "" {
		b.WriteString(" " + h.Heading)
	}
	b.WriteByte('\n')
	for _, line := range h.Lines {
		b.Write(line)
	}
	return b.Bytes()
}

// From is the hunk without its first n lines.
func (h *Hunk) From(n int) Hunk {
	passed := Hunk{Lines: h.Lines[:n]}
	old, cur := passed.Sides()
	return Hunk{h.Old + old, h.Cur + cur, h.Heading, h.Lines[n:]}
}

// Close is the hunk with at most n lines around its changes, before the first and behind the last of them.
func (h *Hunk) Close(n int) Hunk {
	first, end := 0, len(h.Lines)
	for first < end && h.Lines[first][0] == ' ' {
		first++
	}
	for end > first && h.Lines[end-1][0] == ' ' {
		end--
	}
	cut := *h
	cut.Lines = h.Lines[:min(len(h.Lines), end+n)]
	return cut.From(max(0, first-n))
}

// First is the beginning of a hunk, up to its nth changed line: what is taken away and what comes for it have half each of a run
// that is cut, so that neither stands without the other.
func (h *Hunk) First(n int) Hunk {
	cut := *h
	cut.Lines = nil
	for at := 0; at < len(h.Lines) && n > 0; {
		if h.Lines[at][0] == ' ' {
			cut.Lines = append(cut.Lines, h.Lines[at])
			at++
			continue
		}
		removed, added, next := changedRun(h.Lines, at)
		if len(removed)+len(added) <= n {
			cut.Lines, n = append(cut.Lines, h.Lines[at:next]...), n-len(removed)-len(added)
			at = next
			continue
		}
		away := min(len(removed), max(n-n/2, n-len(added)))
		cut.Lines = append(append(cut.Lines, removed[:away]...), added[:n-away]...)
		return cut
	}
	return cut
}

// changedRun are the changed lines of a run that begins at a line, and where it ends.
func changedRun(lines [][]byte, at int) (removed, added [][]byte, end int) {
	for ; at < len(lines) && lines[at][0] != ' '; at++ {
		switch lines[at][0] {
		case '-':
			removed = append(removed, lines[at])
		case '+':
			added = append(added, lines[at])
		}
	}
	return removed, added, at
}
