package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads parts of a text as somebody sees them: the lines of a patch that are there after it, and a line without the colours of a
// terminal. What is found in such a view is found in the text.

// view is a part of a text that is read by itself, with where its bytes stand in the text.
type view struct {
	plain  []byte
	pieces []piece
}

// piece is a stretch of a view: where it begins in the view, and in the text.
type piece struct{ at, from int }

// keep appends to the view what stands from from to to in the text.
func (v *view) keep(text []byte, from, to int) {
	if from < to {
		v.pieces = append(v.pieces, piece{len(v.plain), from})
		v.plain = append(v.plain, text[from:to]...)
	}
}

const (
	// maxView bounds a view, and what is read for one, in bytes.
	maxView = 64 << 10
	// aboveHunk is how many lines before those that a patch takes away are read with those that it brings.
	aboveHunk = 3
)

// see reads r.view, and adds what is found in it.
func (r *run) see(path string) {
	v := &r.view
	if r.inner == nil {
		r.inner = &run{table: r.table, judge: judge{model: r.judge.model}, marks: make([]int, len(r.marks)), within: true}
	}
	found, err := r.inner.read(path, v.plain, nil)
	if r.spend(int(r.inner.spent) + 2*len(v.plain)); err != nil {
		r.spent = r.limit + 1 // it was not read to its end
	}
	for _, f := range found {
		for i, p := range v.pieces {
			end := len(v.plain)
			if i+1 < len(v.pieces) {
				end = v.pieces[i+1].at
			}
			from, to := max(f.Start, p.at), min(f.End, end)
			if from < to {
				r.add(f.Rule, p.from+from-p.at, p.from+to-p.at, rankKeyed)
			}
		}
	}
}

// colourLiterals begin what changes the colour of a terminal, itself and as programs write it.
var colourLiterals = []string{"\x1b[", `\u001b[`, `\x1b[`, `\033[`, `\e[`, "^[["}

// readColoured reads the line round a change of colour without all of them.
func readColoured(r *run, start, end int) {
	if r.within || r.sure || start < r.colouredDone {
		return
	}
	text := r.text
	lo := value.BackTo(text, start, 2<<10, "\n")
	hi := value.UpTo(text, end, maxView, "\n")
	r.colouredDone = hi
	v := &r.view
	v.plain, v.pieces = v.plain[:0], v.pieces[:0]
	from := lo
	for at := lo; at < hi; at++ {
		if n := colour(text[at:hi]); n > 0 {
			v.keep(text, from, at)
			at += n - 1
			from = at + 1
		}
	}
	v.keep(text, from, hi)
	r.spend(4 * (hi - lo))
	r.see(r.path)
}

// colour returns the length of the change of a terminal's colour that v begins with, 0 if it begins with none.
func colour(v []byte) int {
	if strings.IndexByte("\x1b\\^", v[0]) < 0 {
		return 0
	}
	for _, l := range colourLiterals {
		if !value.BeginsFold(v, l) {
			continue
		}
		if n := value.Past(v, len(l), 24, value.DigitSigns+";:"); value.ByteAt(v, n) == 'm' || value.ByteAt(v, n) == 'K' {
			return n + 1
		}
	}
	return 0
}

// readHunk reads the lines that a hunk of a patch takes away, and those that it brings, each with those above both and without their signs: what
// goes stands between a name and its new value.
func readHunk(r *run, start, end int) {
	if r.within || r.sure {
		return
	}
	text := r.text
	path := r.path
	if r.style == value.AsPatch {
		lo := max(0, start-(32<<10))
		path = ""
		if i := bytes.LastIndex(text[lo:start], []byte(partMark)); i >= 0 {
			name := lo + i + len(partMark)
			path = string(text[name:value.UpTo(text, name, value.MaxName, "\n\t\r")])
		}
	}
	var above [aboveHunk][2]int // the lines that are there, and how many
	lines := 0
	at := value.UpTo(text, end, len(text)-end, "\n") + 1
	for stop := min(len(text), at+maxView); at < stop && strings.IndexByte(" +-\\\n\r", text[at]) >= 0; {
		if text[at] != '-' && text[at] != '+' {
			to := value.UpTo(text, at, len(text)-at, "\n")
			above[lines%aboveHunk] = [2]int{at + 1, min(len(text), to+1)}
			lines, at = lines+1, to+1
			continue
		}
		kept := lines
		for _, sign := range [...]byte{'-', '+'} {
			v := &r.view
			v.plain, v.pieces = v.plain[:0], v.pieces[:0]
			for i := max(0, kept-aboveHunk); i < kept; i++ {
				v.keep(text, above[i%aboveHunk][0], above[i%aboveHunk][1])
			}
			from := at
			for at < stop && text[at] == sign {
				to := min(len(text), value.UpTo(text, at, len(text)-at, "\n")+1)
				v.keep(text, at+1, to)
				at = to
			}
			if at > from {
				r.see(path)
			}
		}
		lines = 0 // what follows was looked at with what is above it
	}
}
