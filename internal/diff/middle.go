package diff

import "bytes"

// linesAbove is how many lines that are the same stay above the first one that changes: by them a hunk is headed.
const linesAbove = 100

// Middle returns what stands between the lines that two texts have in common at their beginnings and at their ends, with some of
// those, and how many lines are cut off above. A patch of it is one of the texts, where their lines are counted from there.
func Middle(before, after []byte) (above int, x, y []byte) {
	x, y = before, after
	n := min(len(x), len(y))
	head := 0
	for head < n && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < n-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	// The common end begins with the first whole line of it, and some lines of it stay.
	rest := x[len(x)-tail:]
	for range contextLines + 1 {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			rest = nil
			break
		}
		rest = rest[i+1:]
	}
	x, y = x[:len(x)-len(rest)], y[:len(y)-len(rest)]
	from := head
	for range linesAbove + 1 {
		if from = bytes.LastIndexByte(x[:from], '\n'); from < 0 {
			return 0, x, y
		}
	}
	from++
	return bytes.Count(x[:from], []byte("\n")), x[from:], y[from:]
}
