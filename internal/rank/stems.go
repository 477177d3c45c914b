package rank

import "strings"

// endings are what English puts behind a word: a task speaks of "migrating" where code says migrate.
var endings = []string{"", "ations", "ation", "ings", "ions", "ing", "ers", "ies", "ion", "ied", "ed", "er", "es", "s", "e", "y"}

// stemsOf returns what may be the stem of a part, itself first.
func stemsOf(part string) []string {
	list := []string{}
	for _, end := range endings {
		if s, ok := strings.CutSuffix(part, end); ok && len(s) >= leastStem && (end != "s" || !strings.HasSuffix(s, "s")) {
			list = append(list, s)
		}
	}
	return list
}

// leastStem is the shortest stem, in letters.
const leastStem = 4

// newStems finds the parts of a query by whatever ending stands behind their stems; a part of the query itself is always found
// as it is.
func newStems(list []term) *table {
	keys := hashes(list)
	index := make([]int32, len(list))
	for i := range index {
		index[i] = int32(i)
	}
	seen := map[string]bool{}
	for i := range list {
		seen[list[i].word] = true
	}
	for i := range list {
		if list[i].whole {
			continue
		}
		for _, s := range stemsOf(list[i].word) {
			for _, end := range endings {
				if w := s + end; !seen[w] {
					seen[w] = true
					keys, index = append(keys, hash(w)), append(index, int32(i))
				}
			}
		}
	}
	t := newTable(keys)
	for i, at := range t.index {
		if at >= 0 {
			t.index[i] = index[at]
		}
	}
	return t
}
