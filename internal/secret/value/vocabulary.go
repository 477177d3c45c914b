package value

import (
	_ "embed"
	"sync"
)

// Vocabulary holds the words that programs, their comments and their manuals are made of, one on a line, in the order of their bytes,
// each with a digit for how usual it is: 1 where one file in 2,500 has it, and one more for each four times as many. Counted by
// "go run ./internal/secret/train -vocabulary" in the code of some 130 packages of registries.
//
//go:embed vocabulary.txt
var Vocabulary string

const (
	// LevelsOfUse are how usual a word can be; one that is not in the vocabulary is at 0.
	LevelsOfUse = 7
	// maxPart is the longest word that is looked for in another, in letters.
	maxPart = 14
	// ordinaryUse is from where on a word is one that names are made of.
	ordinaryUse = 3
)

// vocabularyAt is where the words begin that begin with two letters, and behind the last where they end.
var vocabularyAt = sync.OnceValue(func() *[26*26 + 1]int32 {
	var at [26*26 + 1]int32
	next := 0
	for i := 0; i < len(Vocabulary); {
		for pair := pairOf(Vocabulary[i:]); next <= pair; next++ {
			at[next] = int32(i)
		}
		for Vocabulary[i] != '\n' {
			i++
		}
		i++
	}
	for ; next < len(at); next++ {
		at[next] = int32(len(Vocabulary))
	}
	return &at
})

func pairOf[T string | []byte](w T) int { return int(w[0]-'a')*26 + int(w[1]-'a') }

// useOf returns how usual a word in small letters is.
func useOf(w []byte) int {
	if len(w) < 3 || !Only(w[:2], "abcdefghijklmnopqrstuvwxyz") {
		return 0
	}
	at := vocabularyAt()
	pair := pairOf(w)
	lo, hi := int(at[pair]), int(at[pair+1])
	for lo < hi {
		from, end := (lo+hi)/2, (lo+hi)/2
		for from > lo && Vocabulary[from-1] != '\n' {
			from--
		}
		for Vocabulary[end] != '\n' {
			end++
		}
		switch known := Vocabulary[from : end-1]; {
		case string(w) == known:
			return int(Vocabulary[end-1] - '0')
		case string(w) < known:
			hi = from
		default:
			lo = end + 1
		}
	}
	return 0
}

// Usage is how usual the words are that a value is made of.
type Usage struct {
	Letters     int // in words of the vocabulary
	Covered     int // in words of the vocabulary that its words are put together of
	Least, Most int // of its words of three letters and more; levelsOfUse if it has none
}

// UsageOf reads v word by word.
func UsageOf(v []byte) Usage {
	var buf [32]byte
	u := Usage{Least: LevelsOfUse, Most: LevelsOfUse}
	for len(v) > 0 {
		i := FirstWord(v)
		if i >= 3 {
			n := useOf(Lower(buf[:], v[:i]))
			if n > 0 {
				u.Letters += i
				u.Covered += i
			} else {
				u.Covered += joined(Lower(buf[:], v[:i]))
			}
			if u.Least == LevelsOfUse {
				u.Most = n
			}
			u.Least, u.Most = min(u.Least, n), max(u.Most, n)
		}
		v = v[max(i, 1):]
	}
	return u
}

// joined returns how many letters of a word in lower case stand in words of the vocabulary, of four letters and more, that do not
// overlap.
func joined(w []byte) int {
	var best [33]int // up to each letter
	for i := range w {
		best[i+1] = max(best[i+1], best[i])
		for j := i + 4; j <= min(len(w), i+maxPart); j++ {
			if best[i]+j-i > best[j] && useOf(w[i:j]) > 0 {
				best[j] = best[i] + j - i
			}
		}
	}
	return best[len(w)]
}
