package diff

import (
	"bytes"
	"hash/maphash"
)

// An edit is told once for all the files that have it where it has longEdit lines or more that are not empty, and longEditBytes in
// them, else where fewEdits files have it: of a short one what stands around it may be what matters.
const (
	longEdit      = 4
	longEditBytes = 100
	fewEdits      = 5
)

// SameEdits tells, of each patch that takes away and adds the same lines in the same order as one before it, which one that is, the
// first; of the others -1. What stands around the lines, and where, may differ. A patch that changes no line has none, nor one of which
// a side ends without the end of a line.
func SameEdits(patches [][]byte) []int {
	type edit struct{ first, files, lines, bytes int }
	seed := maphash.MakeSeed()
	known := map[uint64]*edit{}
	of := make([]*edit, len(patches))
	for i, p := range patches {
		var h maphash.Hash
		h.SetSeed(seed)
		one := edit{first: i}
		changes := false
		eachLine(p, func(mark byte, line []byte) bool {
			if mark != '+' && mark != '-' {
				return true
			}
			h.WriteByte(mark)
			h.Write(bytes.TrimSuffix(line, []byte("\n")))
			h.WriteByte('\n')
			changes = true
			if bare := bytes.TrimSpace(line); len(bare) > 0 {
				one.lines, one.bytes = one.lines+1, one.bytes+len(bare)
			}
			return true
		})
		if !changes || bytes.Contains(p, []byte("\n\\ ")) {
			continue
		}
		key := h.Sum64()
		if known[key] == nil {
			known[key] = &one
		}
		of[i] = known[key]
		of[i].files++
	}
	to := make([]int, len(patches))
	for i, e := range of {
		if to[i] = -1; e != nil && e.first < i && (e.lines >= longEdit && e.bytes >= longEditBytes || e.files >= fewEdits) {
			to[i] = e.first
		}
	}
	return to
}
