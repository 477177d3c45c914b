package diff

import (
	"bytes"
	"strconv"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Touched returns the lines of the file after a change that its unified diff writes,
// and those before which it takes lines away; in order, counted from 1.
func Touched(patch []byte) []int {
	var list []int
	at, left, leftOld := 0, 0, 0 // the next line after, and how many of both sides the hunk still has
	add := func() {
		if n := len(list); n == 0 || list[n-1] != at {
			list = append(list, at)
		}
	}
	for line := range bytes.Lines(patch) {
		switch {
		case left <= 0 && leftOld <= 0:
			at, left, leftOld = hunk(line)
		case line[0] == '+':
			add()
			at, left = at+1, left-1
		case line[0] == '-':
			add()
			leftOld--
		case line[0] == ' ':
			at, left, leftOld = at+1, left-1, leftOld-1
		}
	}
	return list
}

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
