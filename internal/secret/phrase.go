package secret

import (
	"bytes"
	"strings"
)

// This file tells the passwords that people make of words.

// spacedPhrase reports whether v is a passphrase with spaces: no word that programs and their labels are made of, and a digit
// and a sign; for a variable of an environment, four words do.
func spacedPhrase(v []byte, s shape, env bool) bool {
	if s.digit == 0 && (holds(v, ", ") || ends(v, " the", " of", " to", " a", " an", " or", " and", " for", " in", " with", " is")) {
		return false // a sentence in a language that nobody here reads, or a part of one
	}
	if s.n > 80 || s.high > 0 || s.lower < 8 || s.upper > 3 || bytes.ContainsAny(v, "(){}<>[]:?%\"") || v[len(v)-1] == '.' ||
		hasOrdinary(v) && !(env && s.space >= 4 && mostlyOwn(v)) {
		return false
	}
	return s.space <= 9 && (env && s.space >= 3 || s.digit > 0 && (s.special > 0 || env) && s.space >= 2)
}

// appPassword reports whether v is four groups of four lower-case letters, as mail services hand passwords for programs out.
func appPassword(v []byte) bool {
	return len(v) == 19 && v[4] == ' ' && v[9] == ' ' && v[14] == ' ' && shapeOf(v).lower == 16
}

// phrase reports whether v is a password made of words and a number: two words to six, joined by signs, with two digits to four
// at the last word, or as a part of their own at either end, and at most a letter or a sign after them; or four words or more
// joined by hyphens, without a number. It has the form of a name, so it counts only where a password is sure to stand. One that
// names a secret, or that has only words that programs are named with, is none; what is more like a name must have no such
// word.
func phrase(v []byte) bool {
	if len(v) < 10 || len(v) > 48 {
		return false
	}
	letters, number, apart, tail := numbered(v)
	if number == 1 || number > 4 || apart && number == 0 {
		return false
	}
	hyphened := !bytes.ContainsAny(letters, "_.!")
	var buf [32]byte
	words, own := 0, 0 // own: of no word that names have
	for len(letters) > 0 {
		i := past(letters, 0, len(letters), letterSigns)
		if i < 3 || i < len(letters) && strings.IndexByte(phraseJoints, letters[i]) < 0 {
			return false
		}
		w := lower(buf[:], letters[:i])
		switch kitchen := kitchenWords[string(w)]; {
		case !kitchen && nounOf(w) != noNoun:
			return false
		case !kitchen && i == len(letters) && !apart && typeWords[string(w)]:
			return false // atomic.Int32, Encoding.Base64
		case kitchen || !nameWord(w):
			own++
		}
		words++
		letters = letters[min(len(letters), i+1):]
	}
	switch {
	case words < 2 || words > 6:
		return false
	case number == 0:
		return words >= 4 && own == words && hyphened
	case apart:
		s := shapeOf(v)
		return own == words && (s.upper > 0 && s.lower > 0 || tail || words >= 3)
	}
	return own > 0
}

// phraseJoints join the words of a phrase.
const phraseJoints = "-_.!"

// numbered parts a phrase into its words, and how many digits stand at one end of them: apart where a joint is between, and with
// a letter or a sign as a tail behind them.
func numbered(v []byte) (words []byte, number int, apart, tail bool) {
	rest, last := v, v[len(v)-1]
	if tail = isDigit(v[len(v)-2]) && (isLetter(last) || strings.IndexByte("!$#?", last) >= 0); tail {
		rest = v[:len(v)-1]
	}
	body := trimDigits(rest)
	if number = len(rest) - len(body); number == 0 && isDigit(v[0]) && strings.IndexByte(phraseJoints, v[past(v, 0, len(v)-1, digitSigns)]) >= 0 {
		body = bytes.TrimLeft(v, digitSigns)
		number = len(v) - len(body)
	}
	words = bytes.Trim(body, phraseJoints)
	return words, number, len(words) < len(body), tail
}

// madeUp reports whether v, which may have the form of a name, was made up as a password: its words are none that programs are
// named with and it has a digit, or case that no name would have; or it has such a word beside others, and three digits in a
// row. It counts only where a password is sure to stand.
func madeUp(v []byte) bool {
	if len(v) < 8 || len(v) > 64 {
		return false
	}
	p, ok := makeUpOf(v)
	switch {
	case !ok || p.own < 5:
		return false
	case p.ordinary > 0:
		return p.run >= 3 && p.run <= 6 ||
			p.digits > 0 && (p.signs > 0 || p.own >= 8 && p.capitals > 0 && isDigit(v[len(v)-1]) && isLetter(v[len(v)-4]))
	case p.digits+p.signs > 0:
		return p.digits > 0
	case p.capitals == 0: // panda-anchor-orchid
		hyphened := bytes.Count(v, []byte("-")) == p.joints || p.parts >= 4 && bytes.Count(v, []byte("_")) == p.joints
		return hyphened && p.parts >= 3 && p.own >= 14 && p.own+p.joints == len(v)
	}
	// Gipfel-kreuz, kiesGrube.west; not Content-Type, org.acme.Thing.
	return p.joints > 0 && p.capitals < p.parts && bytes.Count(v, []byte(".")) < 2
}

// makeUp counts what a value is made of.
type makeUp struct {
	parts, capitals int // runs of letters, and those that begin with a capital
	own, ordinary   int // letters of words that programs are not named with, and words that they are
	digits, run     int // all, and the most in a row
	joints, signs   int
}

// makeUpOf takes v apart; ok is false where it holds what no password that is made up does.
func makeUpOf(v []byte) (p makeUp, ok bool) {
	var buf [32]byte
	for i := 0; i < len(v); {
		b, j := v[i], i+1
		switch {
		case isLetter(b) || b >= 0x80:
			for j < len(v) && (isLetter(v[j]) && !(isUpper(v[j]) && !isUpper(v[j-1])) || v[j] >= 0x80) {
				j++
			}
			p.parts++
			if isUpper(b) || b >= 0x80 {
				p.capitals++
			}
			if j-i < 3 {
				break
			}
			// Behind a digit that stands for a letter, a word goes on.
			leet := i > 0 && isDigit(v[i-1]) && !isUpper(b) && (i == 1 || !isDigit(v[i-2]))
			if !leet && ordinaryWord(lower(buf[:], v[i:j])) {
				p.ordinary++
			} else {
				p.own += j - i
			}
		case isDigit(b):
			j = past(v, i, len(v), digitSigns)
			p.digits += j - i
			p.run = max(p.run, j-i)
		case b == '-' || b == '_' || b == '.':
			p.joints++
		case b > ' ' && b < 0x7F && strings.IndexByte(`({<"\`, b) < 0:
			p.signs++
		default:
			return p, false
		}
		i = j
	}
	return p, true
}

// ordinaryWord reports whether w, in lower case, is a word that programs, their parts and their labels are named with.
func ordinaryWord(w []byte) bool {
	return !kitchenWords[string(w)] && (nounOf(w) != noNoun || nameWord(w) || useOf(w) >= ordinaryUse)
}

// nameWord reports whether w, in lower case, is a word of the tables of names.
func nameWord(w []byte) bool {
	for _, set := range [...]map[string]bool{keyOf, keyNot, notAfter, fineAfter} {
		if set[string(w)] {
			return true
		}
	}
	return false
}

// lower returns w in lower case, in buf; of a longer w, what fits.
func lower[T string | []byte](buf []byte, w T) []byte {
	n := copy(buf, w)
	for i, b := range buf[:n] {
		if isUpper(b) {
			buf[i] = b | 0x20
		}
	}
	return buf[:n]
}

// firstWord returns where the run of letters ends that v begins with: before a capital behind a small letter at the latest.
func firstWord(v []byte) int {
	i := 0
	for i < len(v) && isLetter(v[i]) && !(i > 0 && isUpper(v[i]) && !isUpper(v[i-1])) {
		i++
	}
	return i
}

// hasOrdinary reports whether v, split at what is no letter, has an ordinary word.
func hasOrdinary(v []byte) bool { return ordinaryLetters(v, 1) > 0 }

// ordinaryLetters counts the letters of v in words that programs are named with, as far as it has enough.
func ordinaryLetters(v []byte, enough int) int {
	var buf [32]byte
	n := 0
	for len(v) > 0 && n < enough {
		i := firstWord(v)
		if i >= 3 && ordinaryWord(lower(buf[:], v[:i])) {
			n += i
		}
		v = v[max(i, 1):]
	}
	return n
}

// mostlyOwn reports whether v, three words or more joined by hyphens or spaces, and perhaps a number, has one ordinary word at
// most, which is no noun.
func mostlyOwn(v []byte) bool {
	ordinary, words := 0, 0
	v = bytes.TrimRight(v, digitSigns+"- ")
	for w := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == ' ' }) {
		if len(w) < 3 || shapeOf(w).lower != len(w) || nounOf(w) != noNoun {
			return false
		}
		words++
		if ordinaryWord(w) {
			ordinary++
		}
	}
	return words >= 3 && ordinary <= 1
}

// plainWords reports whether v is a password of letters alone, or of words joined by signs, none of them a word that programs
// and labels are made of. It counts only in settings, where a password is sure to stand; env means that a variable of an
// environment says so, and fewer letters do.
func plainWords(v []byte, env bool) bool {
	s := shapeOf(v)
	if env && s.n >= 9 && s.lower+2 == s.n && isUpper(v[0]) && v[s.n-1] == '!' {
		return !hasOrdinary(v)
	}
	if s.digit+s.special+s.space+s.high > 0 || s.n > 40 || s.lower < 6 || hasOrdinary(v) && !(env && mostlyOwn(v)) {
		return false
	}
	if s.joint > 0 {
		return s.lower+s.upper >= 10 && isLetter(v[0]) && isLetter(v[len(v)-1]) && !bytes.ContainsAny(v, "/:")
	}
	// Words run together, and no name that one would give.
	if s.n < 10 || s.n < 16 && !env || s.upper > 0 && (!env || s.upper > 4 || isUpper(v[0])) || s.distinct < 8 {
		return false
	}
	return !holds(v, "pass", "word", "secret", "token", "key", "auth", "user", "admin", "test", "login",
		"config", "service", "default", "value", "change", "here")
}
