package secret

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file weighs how much likelier it is that a value was drawn by lot than that somebody made it: of words, of names, of code.
// Both are models of one character after the other. Drawn by lot, each of the alphabet is as likely as the next. Made, a letter
// follows the one before as in the words of the vocabulary, and kinds of characters follow each other as in what programs are
// written with.

const (
	// lotLength is the length from which on a value can be told to be drawn by lot, whatever its alphabet.
	lotLength = 16
	// lotBits is how much likelier that must be, as a binary logarithm.
	lotBits = 4
	// shortLot is lotLength for letters of both cases alone, with three times the bits.
	shortLot = 12
)

// sort is a kind of character.
type sort uint8

const (
	sortLower sort = iota
	sortUpper
	sortDigit
	sortSign
	sorts
)

// sortSizes are how many characters there are of each sort, as far as values are drawn from them.
var sortSizes = [sorts]int{26, 26, 10, 16}

func sortOf(b byte) sort {
	switch {
	case b >= 'a' && b <= 'z':
		return sortLower
	case value.IsUpper(b):
		return sortUpper
	case value.IsDigit(b):
		return sortDigit
	}
	return sortSign
}

// sortsFollow is how often a character of one sort follows another in what programs are written with, in thousandths.
var sortsFollow = [sorts][sorts]int{
	sortLower: {860, 60, 20, 60},
	sortUpper: {450, 450, 30, 70},
	sortDigit: {70, 50, 750, 130},
	sortSign:  {560, 200, 120, 120},
}

// makerModel says how unlikely it is that what somebody makes goes on so, in 64ths of a bit.
type makerModel struct {
	follow [sorts][sorts]int // a sort behind another
	first  [26]int           // a letter that begins a word
	next   [26][26]int       // a letter behind another
}

// madeCosts counts the vocabulary.
var madeCosts = sync.OnceValue(func() *makerModel {
	var m makerModel
	for i := range sortsFollow {
		for j, n := range sortsFollow[i] {
			m.follow[i][j] = log64(1000) - log64(n)
		}
	}
	var first [26]int
	var next [26][26]int
	for line := range strings.Lines(value.Vocabulary) {
		w := strings.TrimRight(line, "0123456789\n")
		use := int(line[len(w)] - '0')
		for i := range len(w) {
			if i == 0 {
				first[w[i]-'a'] += use
			} else {
				next[w[i-1]-'a'][w[i]-'a'] += use
			}
		}
	}
	costs := func(to, counts []int) {
		sum := 0
		for _, n := range counts {
			sum += 4*n + 1
		}
		for i, n := range counts {
			to[i] = log64(sum) - log64(4*n+1)
		}
	}
	costs(m.first[:], first[:])
	for i := range next {
		costs(m.next[i][:], next[i][:])
	}
	return &m
})

// lotOdds is how much likelier it is that v was drawn by lot than that it was made, in 64ths of a bit.
func lotOdds(v []byte) int {
	m := madeCosts()
	var has [sorts]bool
	for _, b := range v {
		has[sortOf(b)] = true
	}
	capitals := !has[sortLower] // of one case, which says nothing
	size := 0
	for s, is := range has {
		if is {
			size += sortSizes[s]
		}
	}
	odds, last := 0, sortSign
	for i, b := range v {
		s := sortOf(b)
		if capitals && s == sortUpper {
			s = sortLower
		}
		odds += m.follow[last][s] - log64(size)
		switch {
		case s == sortDigit:
			odds += log64(10)
		case s == sortSign:
			odds += log64(16)
		case i == 0 || last >= sortDigit || s == sortUpper && last == sortLower:
			odds += m.first[b|0x20-'a']
		default:
			odds += m.next[v[i-1]|0x20-'a'][b|0x20-'a']
		}
		last = s
	}
	return odds
}

// byLot reports whether v, of lotLength bytes and more, was drawn by lot for all that one can see, whatever its alphabet: it has few
// words, and goes on as no words and no code do.
func byLot(v []byte, s *value.Shape) bool {
	letters := s.Lower + s.Upper
	short := s.Length < lotLength
	switch {
	case short && (s.Length < shortLot || letters < s.Length || s.Lower < 3 || s.Upper < 3):
		return false
	case s.Length > 512 || s.Space > 0 || s.High > 0 || s.Distinct < 6 || value.Monotonous(v):
		return false
	case s.Digit == s.Length:
		return digitsByLot(v)
	case value.AllHex(v):
		return s.Digit > 1 && letters > 1 && s.Distinct >= 7
	case value.Only(v, "yYmMdDhHsSTtzZaAfF-:./'_,"), bytes.Count(v, []byte("%")) > 2: // a date's format, a part of a URL
		return false
	case letters < 4 || number64(v) || value.IsUUID(v) || s.Special > 1 && patternLike(v):
		return false
	}
	odds := lotOdds(v)
	if s.Digit > 0 && s.Special > 0 && unclosed(v) {
		odds += 10 * 64 // which code is not
	}
	if odds < 0 { // its words, which take long to find, tell nothing more
		return false
	}
	known := value.UsageOf(v).Covered * 10
	if short {
		return known < letters*4 && odds >= 3*lotBits*64
	}
	return unmade(s, known, odds)
}

// unmade reports whether a value is none that somebody made, by how many tenths of letters known words cover, and how much likelier it was drawn
// by lot.
func unmade(s *value.Shape, known, odds int) bool {
	letters := s.Lower + s.Upper
	return known < letters*4 && odds >= lotBits*64 || known < letters*5 && odds >= 3*lotBits*64 || turning(s) && known < letters*6 && odds >= 0
}

// turning reports whether letters of both cases and digits take turns so often as words and numbers do not: what holds a word by chance is
// still drawn by lot.
func turning(s *value.Shape) bool {
	return s.Upper > 1 && s.Lower > 1 && s.Digit > 1 && s.Upper+s.Lower+s.Digit == s.Length && s.Turns*2 >= s.Length
}

// number64 reports whether v is an integer of at most 64 bits in hexadecimal, with the letters of its type behind it.
func number64(v []byte) bool {
	digits, ok := bytes.CutPrefix(bytes.TrimRight(v, "uUlL"), []byte("0x"))
	return ok && len(digits) <= 16 && value.AllHex(digits)
}

// unclosed reports whether a bracket opens in v that does not close, or the other way round.
func unclosed(v []byte) bool {
	for _, pair := range [...]string{"()", "[]", "{}"} {
		if bytes.Count(v, []byte(pair[:1])) != bytes.Count(v, []byte(pair[1:])) {
			return true
		}
	}
	return false
}

// digitsByLot reports whether digits alone are none that somebody counts with: they neither end in noughts, nor repeat or count, nor
// are they a power of two, or one less.
func digitsByLot(v []byte) bool {
	if value.Ends(v, "0000") || value.Holds(v, "12345", "98765") {
		return false
	}
	run := 1
	for i := 1; i < len(v); i++ {
		if v[i] != v[i-1] {
			run = 0
		}
		if run++; run > 4 {
			return false
		}
	}
	n, err := strconv.ParseUint(string(v), 10, 64)
	return err != nil || n&(n-1) != 0 && n&(n+1) != 0
}

// pronounced reports whether v, letters of one case, may be a word of a language that the vocabulary does not have: three letters in
// eight are vowels, and no five others stand in a row.
func pronounced(v []byte, s *value.Shape) bool {
	if max(s.Lower, s.Upper) < s.Length-1 {
		return false
	}
	vowels, run := 0, 0
	for _, b := range v {
		if strings.IndexByte("aeiouy", b|0x20) >= 0 {
			vowels++
			run = 0
		} else if run++; run > 4 {
			return false
		}
	}
	return vowels*8 >= s.Length*3
}

// patternLike reports whether v holds what only a regular expression does, which is hardly ever drawn by lot.
func patternLike(v []byte) bool {
	ranges := 0
	for _, r := range [...]string{"A-Z", "a-z", "0-9", "A-F", "a-f"} {
		ranges += bytes.Count(v, []byte(r))
	}
	return ranges > 1 || value.Holds(v, "(?:", "(?i", "(?=", "(?!", "(?<", "(?P", "[a-", "[A-", "[0-", "-z]", "-Z]", "-9]", `[\w`, `[\d`, `[\s`, `\d{`, `\w{`, `\w+`, `\d+`, `\s*`, `\s+`, `\b(`, `\\b(`, "](.*)")
}

// byLotText is byLot of a text whose shape nobody has counted.
func byLotText(v []byte) bool {
	s := value.ShapeOf(v)
	return byLot(v, &s)
}
