package plan

import (
	"bytes"
	"hash/maphash"
	"maps"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// toldTwice is how many hunks show a substitution before one more tells nothing: the first may be cut.
const toldTwice = 2

// repeats says of each patch which of its hunks repeat: all that they change was changed so in toldTwice hunks or more before them, in the
// order in which they are read, whatever stands around it: each line of a run that has as many lines as before by what was put for
// what in it, other lines by all of theirs.
func repeats(patches []snapshot.FilePatch, order []int, seed maphash.Seed) [][]bool {
	known := map[uint64]int{}
	list := make([][]bool, len(patches))
	for _, i := range order {
		status := patches[i].Change.Status
		if patches[i].Untold() != "" || status != diff.Modified && status != diff.Renamed {
			continue
		}
		_, hunks, _ := diff.Hunks(patches[i].Read())
		list[i] = make([]bool, len(hunks))
		for n := range hunks {
			edits := editsOf(&hunks[n], seed)
			list[i][n] = len(edits) > 0
			for edit := range edits {
				list[i][n] = list[i][n] && known[edit] >= toldTwice
				known[edit]++
			}
		}
	}
	return list
}

// editsOf are the hashes of what a hunk changes.
func editsOf(h *diff.Hunk, seed maphash.Seed) map[uint64]bool {
	edits := map[uint64]bool{}
	var away, came [][]byte
	end := func() {
		if len(away) == len(came) {
			for i := range away {
				old, cur := substitution(away[i], came[i])
				edits[maphash.Bytes(seed, bytes.Join([][]byte{old, cur}, []byte("\n")))] = true
			}
		} else {
			for _, line := range away {
				edits[maphash.Bytes(seed, append([]byte("-"), line...))] = true
			}
			for _, line := range came {
				edits[maphash.Bytes(seed, append([]byte("+"), line...))] = true
			}
		}
		away, came = away[:0], came[:0]
	}
	for _, line := range h.Lines {
		switch bare := bytes.TrimSpace(line[1:]); line[0] {
		case '-':
			if len(came) > 0 {
				end()
			}
			away = append(away, bare)
		case '+':
			came = append(came, bare)
		default:
			end()
		}
	}
	end()
	return edits
}

// substitution is what of one line goes and what of another comes for it, in whole words: what both begin and end with is left out.
func substitution(old, cur []byte) (away, came []byte) {
	from := 0
	for from < min(len(old), len(cur)) && old[from] == cur[from] {
		from++
	}
	for inWord(old, from) || inWord(cur, from) {
		from--
	}
	old, cur = old[from:], cur[from:]
	same := 0
	for same < min(len(old), len(cur)) && old[len(old)-1-same] == cur[len(cur)-1-same] {
		same++
	}
	for same > 0 && (inWord(old, len(old)-same) || inWord(cur, len(cur)-same)) {
		same--
	}
	return old[:len(old)-same], cur[:len(cur)-same]
}

// inWord reports whether a place of a line has signs of one word on both sides.
func inWord(line []byte, at int) bool {
	return at > 0 && at < len(line) && wordSign(line[at-1]) && wordSign(line[at])
}

// wordSign reports whether a byte belongs to a word.
func wordSign(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// allRepeat reports whether each hunk of a patch repeats.
func allRepeat(hunks []bool) bool {
	for _, one := range hunks {
		if !one {
			return false
		}
	}
	return len(hunks) > 0
}

// editsIn are what the hunks of patches change that are shown.
func editsIn(shown [][]byte, seed maphash.Seed) map[uint64]bool {
	all := map[uint64]bool{}
	for _, text := range shown {
		_, hunks, _ := diff.Hunks(text)
		for i := range hunks {
			maps.Copy(all, editsOf(&hunks[i], seed))
		}
	}
	return all
}

// toldBy reports whether all that a patch changes is among some edits.
func toldBy(edits map[uint64]bool, patch []byte, seed maphash.Seed) bool {
	_, hunks, _ := diff.Hunks(patch)
	for i := range hunks {
		for edit := range editsOf(&hunks[i], seed) {
			if !edits[edit] {
				return false
			}
		}
	}
	return true
}
