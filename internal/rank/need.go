package rank

import (
	"math"
	"sort"
)

// BlockNeed returns how much a passage is needed: the logarithm of its odds to be needed, in millionths, by weights that
// bench/context fits (-fit; need_table.go). It is made to order passages; NeedAt tells where it is as probable as one asks.
func BlockNeed(r *Row) int64 {
	z := int64(needBegin)
	for f, v := range r {
		z += needWeights[f] * int64(v)
	}
	return z
}

// SmallNeed returns how much a passage is needed of which a small document may hold few: by those weights, and by trees that
// bench/context grows (-blocks; block_table.go). Larger documents gain nothing by trees (bench/RESULTS-context.md).
func SmallNeed(r *Row) int64 { return Blend(blockBegin+blockForest.Need(r[:]), BlockNeed(r)) }

// treePart is how much of such a need is what trees tell, in tenths; the rest is told by weights.
const treePart = 6

// Blend returns the need of a passage by what trees and what weights tell of it.
func Blend(trees, weights int64) int64 { return (treePart*trees + (10-treePart)*weights) / 10 }

// Kind is what a change is of, as far as it says how often something else is needed.
type Kind uint8

// The kinds: a change with lines of code, or of pages; one of prose and data alone; one of which every line holds a version, but for
// what a package manager writes, and code in languages that define names.
const (
	OfCode Kind = iota
	OfText
	OfVersions
	Kinds
)

// Kind tells what the change is of.
func (o *Order) Kind() Kind {
	switch {
	case o.query.code > 0:
		return OfCode
	case o.query.changed > 0 && o.query.unversioned == 0:
		return OfVersions
	case o.query.written > 0:
		return OfCode
	}
	return OfText
}

// NeedAt returns the least need of passages that are needed at least so many times in a hundred thousand: counted in commits of
// repositories that the weights were not fitted on, by the kind of the change. Where none is, it is more than any need. Beside a
// change of versions none is: of those that seem most needed there one in twenty is, and its document is to be short. What a
// task's passages are worth is not counted as chances: of it all are needed.
func (o *Order) NeedAt(chance int64) int64 {
	switch {
	case o.OfTask():
		return math.MinInt64 / 2
	case o.Kind() == OfVersions:
		return math.MaxInt64
	}
	return needAt(chances[o.Kind()], chance)
}

// ChanceOf returns how often passages of a need were needed, in hundred-thousandths, as NeedAt counts.
func (o *Order) ChanceOf(need int64) int64 {
	return chanceAt(chances[o.Kind()], need)
}

func chanceAt(list [][2]int64, need int64) int64 {
	n := sort.Search(len(list), func(i int) bool { return list[i][0] > need })
	return list[max(0, n-1)][1]
}

func needAt(list [][2]int64, chance int64) int64 {
	for _, p := range list {
		if p[1] >= chance {
			return p[0]
		}
	}
	return math.MaxInt64
}

// Quick is about how much a passage is needed, by a few of what speaks for it.
func Quick(r *Row) int {
	return 1500*int(r[ofText]) + 1000*int(r[ofRare]) + 800*int(r[ofLeft]) + 1500*int(r[fileText]) + 1000*int(r[fileRare]) + 1000*int(r[fileSymbols])
}

// Tied reports whether a passage of a changed file names what the change defines, or what it takes away, or defines what it names.
func (r *Row) Tied() bool { return r[ofUses] > 0 || r[ofDefines] > 0 || r[ofLeft] > 0 }

// Importing reports whether most lines of a passage say what its file imports.
func (r *Row) Importing() bool { return r[ofImporting] >= 500 }
