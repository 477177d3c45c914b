package diff

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/haversack-dev/haversack/internal/text"
)

// Space says which white space means something in a text: the indentation of lines, and where lines end.
type Space struct{ Indents, Lines bool }

// SpaceAlone reports whether a unified diff changes nothing but white space that means nothing: in every hunk both sides have the
// same words and signs, with the same strings and comments.
func SpaceAlone(patch []byte, means Space) bool {
	var before, after words
	any := false
	same := func() bool {
		return bytes.Equal(before.text, after.text)
	}
	inside := eachLine(patch, func(mark byte, line []byte) bool {
		switch mark {
		case '@':
			if !same() {
				return false
			}
			before.text, after.text = before.text[:0], after.text[:0]
		case ' ':
			before.add(line, means)
			after.add(line, means)
		case '-':
			before.add(line, means)
			any = true
		case '+':
			after.add(line, means)
			any = true
		}
		return true
	})
	return inside && any && same()
}

// eachLine calls do for each head of a hunk, as '@', and each line of one, by its mark, until do says no. It reports whether do
// never did.
func eachLine(patch []byte, do func(mark byte, line []byte) bool) bool {
	left, leftOld := 0, 0
	for line := range bytes.Lines(patch) {
		mark := line[0]
		switch {
		case left <= 0 && leftOld <= 0:
			if _, left, leftOld = hunk(line); left+leftOld == 0 {
				continue
			}
			mark = '@'
		case mark == '+':
			left--
		case mark == '-':
			leftOld--
		case mark == ' ':
			left, leftOld = left-1, leftOld-1
		default:
			continue // that the last line has no end
		}
		if !do(mark, line[1:]) {
			return false
		}
	}
	return true
}

// words are the words and signs of a text, each behind a zero byte.
type words struct{ text []byte }

// operators are signs of which several may be one.
var operators = []byte("+-*/<>=&|!:?.%^~@$\\")

// add adds those of a line.
func (w *words) add(line []byte, means Space) {
	bare := bytes.TrimSpace(line)
	if len(bare) == 0 {
		return
	}
	if means.Indents {
		w.put(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	}
	ended := means.Lines || means.Indents
	for i := 0; i < len(bare); {
		n := 1
		switch c := bare[i]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case text.InWord(c):
			n = run(bare[i:], text.InWord)
		case c == '"' || c == '\'' || c == '`':
			n = quoted(bare[i:])
		case c == '#' || bytes.HasPrefix(bare[i:], []byte("//")) || bytes.HasPrefix(bare[i:], []byte("--")):
			n, ended = len(bare)-i, true // a comment, as far as one can tell, ends with its line
		case bytes.IndexByte(operators, c) >= 0:
			n = run(bare[i:], func(c byte) bool { return bytes.IndexByte(operators, c) >= 0 })
		}
		w.put(bare[i : i+n])
		i += n
	}
	if ended {
		w.put([]byte("\n"))
	}
}

func (w *words) put(word []byte) { w.text = append(append(w.text, 0), word...) }

func run(text []byte, of func(byte) bool) int {
	n := 1
	for n < len(text) && of(text[n]) {
		n++
	}
	return n
}

// quoted is the length of the string that text begins with: to its end, or that of the line.
func quoted(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

// A run of lines that moves has at least leastMoved lines that are not empty, and leastMovedBytes in them.
const (
	leastMoved      = 3
	leastMovedBytes = 60
)

// stretch is a run of removed or added lines of one patch, by the hashes of those that are not empty.
type stretch struct {
	patch int
	lines []uint64
	bytes int
}

// place is a line of a stretch.
type place struct{ stretch, line int }

// MovedTo tells, of each patch that adds no line and of which every run of lines that it takes away stands in one that another
// patch adds, which patch that is, the first run's; of the others -1. Indentation may change on the way. What closes the
// block before, with which a diff may begin a run, and imports in front need not move.
func MovedTo(patches [][]byte) []int {
	seed := maphash.MakeSeed()
	removed := make([][]stretch, len(patches))
	var added []stretch
	to := make([]int, len(patches))
	adds := make([]bool, len(patches))
	for i, p := range patches {
		to[i] = -1
		open := stretch{patch: i}
		was := byte(0)
		shut := func() {
			switch {
			case len(open.lines) == 0:
			case was == '-':
				removed[i] = append(removed[i], open)
			case was == '+':
				adds[i] = true
				added = append(added, open)
			}
			open = stretch{patch: i}
		}
		eachLine(p, func(mark byte, line []byte) bool {
			if mark != was {
				shut()
			}
			was = mark
			bare := bytes.TrimSpace(line)
			if mark != '-' && mark != '+' || len(bare) == 0 || mark == '-' && len(open.lines) == 0 && opens(bare) {
				return true
			}
			open.lines, open.bytes = append(open.lines, maphash.Bytes(seed, bare)), open.bytes+len(bare)
			return true
		})
		shut()
	}
	if !slices.ContainsFunc(removed, func(list []stretch) bool { return len(list) > 0 && !adds[list[0].patch] }) {
		return to
	}
	where := places(added)
	for i := range patches {
		if adds[i] {
			continue
		}
		for n, one := range removed[i] {
			at := find(one, added, where)
			if at < 0 {
				to[i] = -1
				break
			}
			if n == 0 {
				to[i] = added[at].patch
			}
		}
	}
	return to
}

const (
	// maxLike bounds the places of added lines that a removed run is held against.
	maxLike = 8
	// maxMoved bounds the added lines among which those that move are looked for.
	maxMoved = 400_000
)

// opens reports whether a line stays behind when what follows it moves: it closes what came before, or names what the file belongs to
// or imports.
func opens(line []byte) bool {
	return len(line) <= 3 || slices.ContainsFunc(stays, func(word []byte) bool { return bytes.HasPrefix(line, word) })
}

var stays = [][]byte{[]byte("package "), []byte("import "), []byte("from "), []byte("use "), []byte("using "), []byte("namespace "), []byte("#include"), []byte("require")}

// places finds the first places of every leastMoved lines in a row, by their hashes.
func places(added []stretch) map[[leastMoved]uint64][]place {
	where := map[[leastMoved]uint64][]place{}
	room := maxMoved
	for s, one := range added {
		if room -= len(one.lines); room < 0 {
			break
		}
		for at := range max(0, len(one.lines)-leastMoved+1) {
			if key := [leastMoved]uint64(one.lines[at:]); len(where[key]) < maxLike {
				where[key] = append(where[key], place{s, at})
			}
		}
	}
	return where
}

// find returns the added stretch of another patch that holds a removed one, -1 where none does, or it is too short to tell.
func find(one stretch, added []stretch, where map[[leastMoved]uint64][]place) int {
	if len(one.lines) < leastMoved || one.bytes < leastMovedBytes {
		return -1
	}
	for _, p := range where[[leastMoved]uint64(one.lines)] {
		in := &added[p.stretch]
		if in.patch != one.patch && len(in.lines) >= p.line+len(one.lines) && slices.Equal(in.lines[p.line:p.line+len(one.lines)], one.lines) {
			return p.stretch
		}
	}
	return -1
}
