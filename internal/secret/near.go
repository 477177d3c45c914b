package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file says what stands near a value: an account has a user and a host beside its password, a test asserts what it made up,
// and a manual says that what it shows is an example.

// near is what stands near a value.
type near uint8

const (
	nearUser      near = iota // a name that is given a user, at most three lines away
	nearHost                  // … a place on the network, or a database
	nearAssertion             // on its line, a word that tests assert with
	nearExample               // … a word of what is to be filled in
	nears
)

// nearSet holds kinds of near, a bit each.
type nearSet uint8

func (s nearSet) has(n near) bool { return s>>n&1 > 0 }

var nearNames = [nears]string{"user", "host", "assertion", "example"}

// nearNamed are the last words of names that are given another value.
var nearNamed = value.WordMap(map[near]string{
	nearUser: "user username login email uid userid usr account principal",
	nearHost: "host hostname server port address addr url uri endpoint database dbname db driver dialect jdbc protocol domain",
})

// nearSaid are words on the value's own line.
var nearSaid = value.WordMap(map[near]string{
	nearAssertion: "assert equal equals expect should assertequal eq tobe verify match matches",
	nearExample:   "example sample demo placeholder replace your change",
})

const (
	maxNear   = 240 // bytes that are looked at before and behind
	nearLines = 3
)

// set returns what stands near the value.
func (n *neighbours) set() nearSet {
	return namesNear(n.before) | namesNear(n.behind) | wordsNear(n.before[n.line:]) | wordsNear(n.behind[:n.end])
}

var wordSigns = value.ByteSetOf(value.WordSigns)

// namesNear returns what names in text say that are given a value.
func namesNear(text []byte) (set nearSet) {
	var buf [32]byte
	for lo := 0; lo < len(text); {
		at := wordSigns.Past(text, lo, len(text)-lo)
		name := bytes.TrimSuffix(text[lo:at], []byte("Name"))
		name = bytes.TrimSuffix(name, []byte("_name"))
		if n, ok := nearNamed[string(value.LastWord(&buf, name))]; ok && assigns(text[at:]) {
			set |= 1 << n
		}
		lo = max(at, lo+1)
	}
	return set
}

// wordsNear returns what is said in a part of the value's line.
func wordsNear(part []byte) (set nearSet) {
	var buf [32]byte
	for len(part) > 0 {
		i := max(value.FirstWord(part), 1)
		if n, ok := nearSaid[string(value.Lower(buf[:], part[:i]))]; ok {
			set |= 1 << n
		}
		part = part[i:]
	}
	return set
}

// assigns reports whether what stands behind a name gives it a value.
func assigns(rest []byte) bool {
	i := value.Past(rest, 0, 1, value.Quotes)
	i = value.Past(rest, i, 4, " \t")
	return i < len(rest) && bytes.IndexByte([]byte("=:>"), rest[i]) >= 0
}

// linesBefore returns where the lines begin that are near before at, and where its own does.
func (r *run) linesBefore(at int) (lo, line int) {
	least := max(0, at-maxNear)
	lo = least + bytes.LastIndexByte(r.text[least:at], '\n') + 1
	line = lo
	for range nearLines {
		if lo > least {
			lo = least + bytes.LastIndexByte(r.text[least:lo-1], '\n') + 1
		}
	}
	return lo, line
}

// linesBehind returns where the lines end that are near behind at, and where its own does.
func (r *run) linesBehind(at int) (hi, end int) {
	most := min(len(r.text), at+maxNear)
	end = value.UpTo(r.text, at, most-at, "\n")
	hi = end
	for range nearLines {
		if hi < most {
			hi = value.UpTo(r.text, hi+1, most-hi-1, "\n")
		}
	}
	return hi, end
}

// leastAlike is how many lines near say that a hash is one of many.
const leastAlike = 3

// oneOfMany reports whether lines near the value give names that are no secret's a hash as long as it, as in lists of what is
// locked, translated or cached.
func (j *judgement) oneOfMany() bool {
	near, n := &j.candidate.near, 0
	for _, part := range [...][]byte{near.before[:near.line], near.behind[min(near.end+1, len(near.behind)):]} {
		for l := range bytes.Lines(part) {
			if alike(l, len(j.value)) {
				n++
			}
		}
	}
	return n >= leastAlike
}

// alike reports whether a line gives a name that is no secret's a hash of n digits.
func alike(l []byte, n int) bool {
	l = bytes.TrimRight(l, value.Spaces+value.Quotes+",;")
	i := value.Back(l, len(l), len(l), value.DigitSigns+"abcdefABCDEF")
	from, to := value.Trimmed(l, 0, i, value.Spaces+value.Quotes+"-:=")
	return len(l)-i == n && to > from && to < i && to-from <= value.MaxName && value.IdentifierOnly(l[from:to]) && value.Classify(l[from:to]).Noun == value.NoNoun
}
