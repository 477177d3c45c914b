package text

import "bytes"

// Stretch are lines of a text, from 1, both ends of it.
type Stretch struct{ From, To int }

// Keeper keeps of a text what is worth most: pieces of it in their order, with the marker where lines are missing.
type Keeper struct {
	text   []byte
	starts []int // of each line, and the end of the text
	pieces []Stretch
	marker string
}

// NewKeeper is a keeper of a text whose pieces stand in the order of their worth; lines that are in none are kept last.
func NewKeeper(s []byte, pieces []Stretch, marker string) *Keeper {
	k := &Keeper{text: s, pieces: pieces, marker: marker, starts: []int{0}}
	for at := 0; at < len(s); {
		n := bytes.IndexByte(s[at:], '\n') + 1
		if n == 0 {
			n = len(s) - at
		}
		at += n
		k.starts = append(k.starts, at)
	}
	return k
}

// Cut keeps the first lines of the pieces, in their order, that have together, with the markers between them, at most so many bytes.
// Where no more would be missing than a marker takes the lines themselves are kept. With fewer bytes nothing else is kept than with more.
func (k *Keeper) Cut(most int) Cut {
	if len(k.text) <= most {
		return Cut{Head: k.text, HeadLines: lines(k.text)}
	}
	c := Cut{Truncated: true, marker: k.marker}
	n := len(k.starts) - 1
	kept := make([]bool, n+2) // by line, with one that is there before the first, and one behind the last
	kept[0], kept[n+1] = true, true
	size := len(k.marker)
	full := false
	for i := 0; i < len(k.pieces) && !full; i++ {
		for line := max(k.pieces[i].From, 1); line <= min(k.pieces[i].To, n) && !full; line++ {
			if kept[line] {
				continue
			}
			added, cost := k.add(kept, line)
			if size += cost; size > most {
				full = true
				for _, l := range added {
					kept[l] = false
				}
			}
		}
	}
	for line := 1; line <= n; line++ {
		if !kept[line] {
			continue
		}
		end := line
		for end < n && kept[end+1] {
			end++
		}
		c.parts = append(c.parts, k.text[k.starts[line-1]:k.starts[end]])
		if line == 1 {
			c.HeadLines = end
		} else if end == n {
			c.TailLines = end - line + 1
		}
		c.KeptLines += end - line + 1
		c.open = end < n
		line = end
	}
	c.begun = n > 0 && kept[1]
	return c
}

// add keeps a line, and what is missing beside it where that is less than a marker, and returns which were not kept before and
// the bytes that they, with the change in the markers, add.
func (k *Keeper) add(kept []bool, line int) (added []int, cost int) {
	from, to := line, line
	for from > 1 && !kept[from-1] && k.gap(kept, from-1, -1) {
		from--
	}
	for to < len(kept)-2 && !kept[to+1] && k.gap(kept, to+1, 1) {
		to++
	}
	for line := from; line <= to; line++ {
		if kept[line] {
			continue
		}
		kept[line] = true
		added = append(added, line)
		cost += k.starts[line] - k.starts[line-1]
		switch {
		case kept[line-1] && kept[line+1]:
			cost -= len(k.marker)
		case !kept[line-1] && !kept[line+1]:
			cost += len(k.marker)
		}
	}
	return added, cost
}

// gap reports whether the lines that are missing from one on, up or down, have no more bytes than a marker.
func (k *Keeper) gap(kept []bool, line, step int) bool {
	size := 0
	for ; !kept[line]; line += step {
		if size += k.starts[line] - k.starts[line-1]; size > len(k.marker) {
			return false
		}
	}
	return true
}
