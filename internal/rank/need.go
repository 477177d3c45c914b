package rank

import "sort"

// BlockNeed returns how much a passage is needed: the logarithm of its odds to be needed, in millionths, by weights that
// bench/context fits (-fit; need_table.go). It is made to order passages; Chance tells how often one of such a need is.
func BlockNeed(r *Row) int64 {
	z := int64(needBegin)
	for f, v := range r {
		z += needWeights[f] * int64(v)
	}
	return z
}

// Chance returns how often passages of such a need were needed, in hundred-thousandths, counted in commits of repositories that
// the trees were not fitted on.
func Chance(need int64) int64 {
	at := sort.Search(len(chances), func(i int) bool { return chances[i][0] > need })
	if at == 0 {
		return 0
	}
	return chances[at-1][1]
}

// NeedAt returns the least need whose chance is at least so many hundred-thousandths.
func NeedAt(chance int64) int64 {
	at := sort.Search(len(chances), func(i int) bool { return chances[i][1] >= chance })
	return chances[min(at, len(chances)-1)][0]
}

// Quick is about how much a passage is needed, by a few of what speaks for it.
func Quick(r *Row) int {
	return 1500*int(r[ofText]) + 1000*int(r[ofRare]) + 800*int(r[ofLeft]) + 1500*int(r[fileText]) + 1000*int(r[fileRare]) + 1000*int(r[fileSymbols])
}
