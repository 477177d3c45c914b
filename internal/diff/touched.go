package diff

import (
	"bytes"
	"strconv"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Touched returns the lines of the file after a change that its unified diff writes,
// and for each place where it only takes lines away one of the two between which they
// stood: the next one, but the one before where they followed on that and an empty line
// or the end of the file is next, or where they ended with an empty line as that does.
// In order, counted from 1.
func Touched(patch []byte) []int {
	var list []int
	at, left, leftOld := 0, 0, 0   // the next line after, and how many of both sides the hunk still has
	var before, first, last []byte // the line before what is taken away, and what is
	add := func(line int) {
		if n := len(list); n == 0 || list[n-1] != line {
			list = append(list, line)
		}
	}
	end := func(next []byte) {
		if first == nil {
			return
		}
		follows := !empty(before) && !empty(first) && empty(next)
		closes := empty(before) && empty(last) && !empty(next)
		if at > 1 && (follows || closes) {
			add(at - 1)
		} else {
			add(at)
		}
		first = nil
	}
	for line := range bytes.Lines(patch) {
		switch {
		case left <= 0 && leftOld <= 0:
			end(nil)
			at, left, leftOld = hunk(line)
			before = nil
		case line[0] == '+':
			first, before = nil, line
			add(at)
			at, left = at+1, left-1
		case line[0] == '-':
			if first == nil {
				first = line
			}
			last = line
			leftOld--
		case line[0] == ' ':
			end(line)
			before = line
			at, left, leftOld = at+1, left-1, leftOld-1
		}
	}
	end(nil)
	return list
}

// empty reports whether a line of a patch, or none, holds nothing beside its sign.
func empty(line []byte) bool { return len(line) == 0 || len(bytes.TrimSpace(line[1:])) == 0 }

var hunkHead = lazyregexp.New(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// hunk reads the head of a hunk: the first line after the change, and how many lines
// of both sides follow.
func hunk(line []byte) (start, after, before int) {
	m := hunkHead.FindSubmatch(line)
	if m == nil {
		return 0, 0, 0
	}
	number := func(b []byte) int {
		if b == nil {
			return 1
		}
		n, _ := strconv.Atoi(string(b))
		return n
	}
	return number(m[2]), number(m[3]), number(m[1])
}
