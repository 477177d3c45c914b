package value

import (
	"bytes"
	"strings"
)

// This file tells the passwords that people make of words.

// SpacedPhrase reports whether v is a passphrase with spaces: no word that programs and their labels are made of, and a digit
// and a sign; for a variable of an environment, four words do.
func SpacedPhrase(v []byte, s Shape, env bool) bool {
	if s.Digit == 0 && (Holds(v, ", ") || Ends(v, " the", " of", " to", " a", " an", " or", " and", " for", " in", " with", " is")) {
		return false // a sentence in a language that nobody here reads, or a part of one
	}
	if s.Length > 80 || s.High > 0 || s.Lower < 8 || s.Upper > 3 || bytes.ContainsAny(v, "(){}<>[]:?%\"") || v[len(v)-1] == '.' ||
		HasOrdinary(v) && !(env && s.Space >= 4 && mostlyOwn(v)) {
		return false
	}
	return s.Space <= 9 && (env && s.Space >= 3 || s.Digit > 0 && (s.Special > 0 || env) && s.Space >= 2)
}

// AppPassword reports whether v is four groups of four lower-case letters, as mail services hand passwords for programs out.
func AppPassword(v []byte) bool {
	return len(v) == 19 && v[4] == ' ' && v[9] == ' ' && v[14] == ' ' && ShapeOf(v).Lower == 16
}

// Phrase reports whether v is a password made of words and a number: two words to six, joined by signs, with two digits to four
// at the last word, or as a part of their own at either end, and at most a letter or a sign after them; or four words or more
// joined by hyphens, without a number. It has the form of a name, so it counts only where a password is sure to stand. One that
// names a secret, or that has only words that programs are named with, is none; what is more like a name must have no such
// word.
func Phrase(v []byte) bool {
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
		i := Past(letters, 0, len(letters), LetterSigns)
		if i < 3 || i < len(letters) && strings.IndexByte(phraseJoints, letters[i]) < 0 {
			return false
		}
		w := Lower(buf[:], letters[:i])
		switch kitchen := kitchenWords[string(w)]; {
		case !kitchen && nounOf(w) != NoNoun:
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
		s := ShapeOf(v)
		return own == words && (s.Upper > 0 && s.Lower > 0 || tail || words >= 3)
	}
	return own > 0
}

// phraseJoints join the words of a phrase.
const phraseJoints = "-_.!"

// numbered parts a phrase into its words, and how many digits stand at one end of them: apart where a joint is between, and with
// a letter or a sign as a tail behind them.
func numbered(v []byte) (words []byte, number int, apart, tail bool) {
	rest, last := v, v[len(v)-1]
	if tail = IsDigit(v[len(v)-2]) && (IsLetter(last) || strings.IndexByte("!$#?", last) >= 0); tail {
		rest = v[:len(v)-1]
	}
	body := TrimDigits(rest)
	if number = len(rest) - len(body); number == 0 && IsDigit(v[0]) && strings.IndexByte(phraseJoints, v[Past(v, 0, len(v)-1, DigitSigns)]) >= 0 {
		body = bytes.TrimLeft(v, DigitSigns)
		number = len(v) - len(body)
	}
	words = bytes.Trim(body, phraseJoints)
	return words, number, len(words) < len(body), tail
}

// MadeUp reports whether v, which may have the form of a name, was made up as a password: its words are none that programs are
// named with and it has a digit, or case that no name would have; or it has such a word beside others, and three digits in a
// row. It counts only where a password is sure to stand.
func MadeUp(v []byte) bool {
	if len(v) < 8 || len(v) > 64 {
		return false
	}
	p, ok := makeUpOf(v)
	switch {
	case !ok || p.own < 5:
		return false
	case p.ordinary > 0:
		return p.run >= 3 && p.run <= 6 ||
			p.digits > 0 && (p.signs > 0 || p.own >= 8 && p.capitals > 0 && IsDigit(v[len(v)-1]) && IsLetter(v[len(v)-4]))
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
		case IsLetter(b) || b >= 0x80:
			for j < len(v) && (IsLetter(v[j]) && !(IsUpper(v[j]) && !IsUpper(v[j-1])) || v[j] >= 0x80) {
				j++
			}
			p.parts++
			if IsUpper(b) || b >= 0x80 {
				p.capitals++
			}
			if j-i < 3 {
				break
			}
			// Behind a digit that stands for a letter, a word goes on.
			leet := i > 0 && IsDigit(v[i-1]) && !IsUpper(b) && (i == 1 || !IsDigit(v[i-2]))
			if !leet && OrdinaryWord(Lower(buf[:], v[i:j])) {
				p.ordinary++
			} else {
				p.own += j - i
			}
		case IsDigit(b):
			j = Past(v, i, len(v), DigitSigns)
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

// OrdinaryWord reports whether w, in lower case, is a word that programs, their parts and their labels are named with.
func OrdinaryWord(w []byte) bool {
	return !kitchenWords[string(w)] && (nounOf(w) != NoNoun || nameWord(w) || useOf(w) >= ordinaryUse)
}

// nameWord reports whether w, in lower case, is a word of the tables of names.
func nameWord(w []byte) bool {
	for _, set := range [...]map[string]bool{keyOf, keyNot, NotAfter, fineAfter} {
		if set[string(w)] {
			return true
		}
	}
	return false
}

// Lower returns w in lower case, in buf; of a longer w, what fits.
func Lower[T string | []byte](buf []byte, w T) []byte {
	n := copy(buf, w)
	for i, b := range buf[:n] {
		if IsUpper(b) {
			buf[i] = b | 0x20
		}
	}
	return buf[:n]
}

// FirstWord returns where the run of letters ends that v begins with: before a capital behind a small letter at the latest.
func FirstWord(v []byte) int {
	i := 0
	for i < len(v) && IsLetter(v[i]) && !(i > 0 && IsUpper(v[i]) && !IsUpper(v[i-1])) {
		i++
	}
	return i
}

// HasOrdinary reports whether v, split at what is no letter, has an ordinary word.
func HasOrdinary(v []byte) bool { return OrdinaryLetters(v, 1) > 0 }

// OrdinaryLetters counts the letters of v in words that programs are named with, as far as it has enough.
func OrdinaryLetters(v []byte, enough int) int {
	var buf [32]byte
	n := 0
	for len(v) > 0 && n < enough {
		i := FirstWord(v)
		if i >= 3 && OrdinaryWord(Lower(buf[:], v[:i])) {
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
	v = bytes.TrimRight(v, DigitSigns+"- ")
	for w := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == ' ' }) {
		if len(w) < 3 || ShapeOf(w).Lower != len(w) || nounOf(w) != NoNoun {
			return false
		}
		words++
		if OrdinaryWord(w) {
			ordinary++
		}
	}
	return words >= 3 && ordinary <= 1
}

// PlainWords reports whether v is a password of letters alone, or of words joined by signs, none of them a word that programs
// and labels are made of. It counts only in settings, where a password is sure to stand; env means that a variable of an
// environment says so, and fewer letters do.
func PlainWords(v []byte, env bool) bool {
	s := ShapeOf(v)
	if env && s.Length >= 9 && s.Lower+2 == s.Length && IsUpper(v[0]) && v[s.Length-1] == '!' {
		return !HasOrdinary(v)
	}
	if s.Digit+s.Special+s.Space+s.High > 0 || s.Length > 40 || s.Lower < 6 || HasOrdinary(v) && !(env && mostlyOwn(v)) {
		return false
	}
	if s.Joint > 0 {
		return s.Lower+s.Upper >= 10 && IsLetter(v[0]) && IsLetter(v[len(v)-1]) && !bytes.ContainsAny(v, "/:")
	}
	// Words run together, and no name that one would give.
	if s.Length < 10 || s.Length < 16 && !env || s.Upper > 0 && (!env || s.Upper > 4 || IsUpper(v[0])) || s.Distinct < 8 {
		return false
	}
	return !Holds(v, "pass", "word", "secret", "token", "key", "auth", "user", "admin", "test", "login",
		"config", "service", "default", "value", "change", "here")
}
