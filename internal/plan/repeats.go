package plan

import (
	"bytes"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// toldTwice is how many hunks show a substitution before one more tells nothing: the first may be cut.
const toldTwice = 2

// repeats says of each patch which of its hunks repeat: all that they change was changed so in toldTwice hunks or more before them, in the
// order in which they are read, whatever stands around it: each line of a run that has as many lines as before by what was put for
// what in it, other lines by all of theirs. Of the texts of a program in several languages, the English ones first, what changes is told by
// their names.
func repeats(patches []snapshot.FilePatch, order []int, seed maphash.Seed) [][]bool {
	known := map[uint64]int{}
	list := make([][]bool, len(patches))
	families := familiesOf(patches)
	for _, i := range englishFirst(patches, order, families) {
		status := patches[i].Change.Status
		if patches[i].Untold() != "" || status != diff.Modified && status != diff.Renamed {
			continue
		}
		_, hunks, _ := diff.Hunks(patches[i].Read())
		list[i] = make([]bool, len(hunks))
		for n := range hunks {
			edits := editsIn(&hunks[n], families[i], seed)
			list[i][n] = len(edits) > 0
			for edit := range edits {
				list[i][n] = list[i][n] && known[edit] >= toldTwice
				known[edit]++
			}
		}
	}
	return list
}

// leastFamily is how many languages of a program's texts a change touches at least for one to be told by another.
const leastFamily = toldTwice + 1

// familiesOf tells of each patch of a program's texts in one language, where the change touches leastFamily of them or more, what is the same
// for all of them; "" of others.
func familiesOf(patches []snapshot.FilePatch) []string {
	count := map[string]int{}
	families := make([]string, len(patches))
	for i := range patches {
		if t, ok := language.TranslationOf(patches[i].Change.Path); ok {
			families[i] = t.Family
			count[t.Family]++
		}
	}
	for i, family := range families {
		if count[family] < leastFamily {
			families[i] = ""
		}
	}
	return families
}

// englishFirst is an order in which texts in English come before all else.
func englishFirst(patches []snapshot.FilePatch, order []int, families []string) []int {
	later := func(i int) int {
		if t, _ := language.TranslationOf(patches[i].Change.Path); families[i] != "" && t.IsEnglish() {
			return 0
		}
		return 1
	}
	order = slices.Clone(order)
	slices.SortStableFunc(order, func(a, b int) int { return later(a) - later(b) })
	return order
}

// editsIn are the hashes of what a hunk changes: of a family's texts the names under which they stand.
func editsIn(h *diff.Hunk, family string, seed maphash.Seed) map[uint64]bool {
	if family == "" {
		return editsOf(h, seed)
	}
	names := map[uint64]bool{}
	for _, line := range h.Lines {
		if key := language.TextKey(string(line[1:])); key != "" && line[0] != ' ' {
			names[maphash.String(seed, string(line[:1])+family+"\n"+key)] = true
		}
	}
	return names
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

// editsShown are what the hunks of patches change that are shown.
func editsShown(shown [][]byte, families []string, seed maphash.Seed) map[uint64]bool {
	all := map[uint64]bool{}
	for n, text := range shown {
		_, hunks, _ := diff.Hunks(text)
		for i := range hunks {
			maps.Copy(all, editsIn(&hunks[i], families[n], seed))
		}
	}
	return all
}

// toldBy reports whether all that a patch changes is among some edits.
func toldBy(edits map[uint64]bool, patch []byte, family string, seed maphash.Seed) bool {
	_, hunks, _ := diff.Hunks(patch)
	for i := range hunks {
		for edit := range editsIn(&hunks[i], family, seed) {
			if !edits[edit] {
				return false
			}
		}
	}
	return true
}
