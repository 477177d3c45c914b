package secret

import (
	"bytes"
	"strings"
)

// This file tells the passwords that people make of words.

// spacedPhrase reports whether v is a passphrase with spaces: no word that
// programs and their labels are made of, and a digit and a sign; for a variable
// of an environment, four words do.
func spacedPhrase(v []byte, s shape, env bool) bool {
	if s.n < 12 || s.n > 80 || s.high > 0 || s.lower < 8 || s.upper > 3 || bytes.ContainsAny(v, "(){}<>[]:?%\"") || v[len(v)-1] == '.' {
		return false
	}
	if hasOrdinary(v) && !(env && s.space >= 4 && mostlyOwn(v)) {
		return false
	}
	return s.digit > 0 && (s.special > 0 || env) && s.space >= 2 && s.space <= 8 || env && s.space >= 3 && s.space <= 9
}

// appPassword reports whether v is four groups of four lower-case letters, as
// mail services hand passwords for programs out.
func appPassword(v []byte) bool {
	if len(v) != 19 {
		return false
	}
	for i, b := range v {
		if i%5 == 4 != (b == ' ') || b != ' ' && (b < 'a' || b > 'z') {
			return false
		}
	}
	return true
}

// phrase reports whether v is a password made of words and a number: two words
// to six, joined by signs, with two digits to four at the last word, or as a
// part of their own at either end, and at most a letter or a sign after them; or
// four words or more joined by hyphens, without a number. It has the form of a
// name, so it counts only where a password is sure to stand. One that names a
// secret, or that has only words that programs are named with, is none; what is
// more like a name must have no such word. Strictly, it has letters of both
// cases, or a letter or sign after the number.
func phrase(v []byte, strict bool) bool {
	if len(v) < 10 || len(v) > 48 {
		return false
	}
	p, ok := phraseOf(v)
	if !ok || !p.readWords() || p.words < 2 || p.words > 6 {
		return false
	}
	s := shapeOf(v)
	mixed := s.upper > 0 && s.lower > 0
	switch {
	case p.number == 0:
		return !strict && p.words >= 4 && p.own == p.words && p.hyphens == p.words-1
	case p.apart:
		return p.own == p.words && (mixed || p.tail || p.words >= 3 && !strict)
	}
	return p.own > 0 && (!strict || p.tail || mixed)
}

// phraseParts are what a phrase is made of.
type phraseParts struct {
	letters []byte // the words and what joins them
	number  int    // digits at one end
	apart   bool   // the number is a part of its own
	tail    bool   // a letter or a sign follows the number

	words, own, hyphens int // own: of no word that names have
}

// phraseOf parts the number from the words. It must have two digits to four.
func phraseOf(v []byte) (p phraseParts, ok bool) {
	p.letters = v
	if b := v[len(v)-1]; (isLetter(b) || strings.IndexByte("!$#?", b) >= 0) && isDigit(v[len(v)-2]) {
		p.letters, p.tail = v[:len(v)-1], true
	}
	body := len(p.letters)
	p.letters = trimDigits(p.letters)
	p.number = body - len(p.letters)
	if p.number > 0 {
		if n := len(p.letters); n > 0 && isPhraseJoint(p.letters[n-1]) {
			p.letters, p.apart = p.letters[:n-1], true
		}
	} else if isDigit(v[0]) {
		p.number = past(v, 0, len(v), digitSigns)
		if p.number == len(v) || !isPhraseJoint(v[p.number]) {
			return p, false
		}
		p.letters, p.apart = v[p.number+1:], true
	}
	return p, p.number != 1 && p.number <= 4
}

// readWords counts the words, and reports whether they may be of a phrase.
func (p *phraseParts) readWords() bool {
	var buf [32]byte
	for letters := p.letters; len(letters) > 0; {
		i := past(letters, 0, len(letters), letterSigns)
		last := i == len(letters)
		if i < 3 || !last && !isPhraseJoint(letters[i]) || i == len(letters)-1 {
			return false
		}
		if !last && letters[i] == '-' {
			p.hyphens++
		}
		w := lower(buf[:], letters[:i])
		kitchen := kitchenWords[string(w)]
		switch {
		case !kitchen && nounOf(w) != noNoun:
			return false
		case kitchen || !nameWord(w):
			p.own++
		case last && p.number > 0 && !p.apart && typeWords[string(w)]:
			return false // atomic.Int32, Encoding.Base64
		}
		p.words++
		letters = letters[min(len(letters), i+1):]
	}
	return true
}

// madeUp reports whether v, which may have the form of a name, was made up as a
// password: its words are none that programs are named with and it has a digit,
// or case that no name would have; or it has such a word beside others, and
// three digits in a row. It counts only where a password is sure to stand.
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
	case p.digits > 0:
		return true
	}
	return p.signs == 0 && p.joined(v)
}

// joined judges words that joints alone stand between: panda-anchor-orchid,
// Gipfel-kreuz, kiesGrube.west; not Content-Type, org.acme.Thing.
func (p *makeUp) joined(v []byte) bool {
	hyphened := bytes.Count(v, []byte("-")) == p.joints || p.parts >= 4 && bytes.Count(v, []byte("_")) == p.joints
	if p.capitals == 0 && p.parts >= 3 && p.joints == p.parts-1 && hyphened {
		return p.own >= 14 && p.own+p.joints == len(v) && wordy(v)*10 >= p.own*2
	}
	return p.parts > 1 && p.joints > 0 && p.capitals > 0 && p.capitals < p.parts && bytes.Count(v, []byte(".")) < 2
}

// makeUp counts what a value is made of.
type makeUp struct {
	parts, capitals int // runs of letters, and those that begin with a capital
	own, ordinary   int // letters of words that programs are not named with, and words that they are
	digits, run     int // all, and the most in a row
	joints, signs   int
}

// makeUpOf takes v apart; ok is false where it holds what no password that is made up
// does.
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
			if !afterLeet(v, i) && ordinaryWord(lower(buf[:], v[i:j])) {
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

// afterLeet reports whether the letters at at go on with a word behind a digit that
// stands for a letter.
func afterLeet(v []byte, at int) bool {
	return at > 0 && isDigit(v[at-1]) && !isUpper(v[at]) && (at == 1 || !isDigit(v[at-2]))
}

// ordinaryWord reports whether w, in lower case, is a word that programs, their
// parts and their labels are named with.
func ordinaryWord(w []byte) bool {
	return !kitchenWords[string(w)] && (nounOf(w) != noNoun || nameWord(w) || programWords[string(w)])
}

// nameWord reports whether w, in lower case, is a word of the tables of names.
func nameWord(w []byte) bool {
	for _, set := range [...]map[string]bool{weakWords, keyOf, keyNot, notAfter, fineAfter} {
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

// mostlyOwn reports whether v, three words or more joined by hyphens or
// spaces, and perhaps a number, has one ordinary word at most, which is no noun, and
// longer ones beside it.
func mostlyOwn(v []byte) bool {
	ordinary, own, words := 0, 0, 0
	if i := bytes.LastIndexAny(v, "- "); i > 0 && allDigits(v[i+1:]) {
		v = v[:i]
	}
	for w := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == ' ' }) {
		if len(w) < 3 || shapeOf(w).lower != len(w) || nounOf(w) != noNoun {
			return false
		}
		words++
		if ordinaryWord(w) {
			ordinary++
		} else {
			own += len(w)
		}
	}
	return words >= 3 && ordinary <= 1 && own >= 9
}

func isPhraseJoint(b byte) bool { return b == '-' || b == '_' || b == '.' || b == '!' }

// plainWords reports whether v is a password of letters alone, or of words joined
// by signs, none of them a word that programs and labels are made of. It counts
// only in settings, where a password is sure to stand; env means that a variable of an
// environment says so, and fewer letters do.
func plainWords(v []byte, env bool) bool {
	s := shapeOf(v)
	if env && s.special == 1 && s.upper == 1 && isUpper(v[0]) && s.lower+2 == s.n && s.n >= 9 && v[s.n-1] == '!' {
		return !hasOrdinary(v)
	}
	if s.digit+s.special+s.space+s.high > 0 || s.n > 40 || s.lower < 6 || fileName(v) {
		return false
	}
	if hasOrdinary(v) && !(env && s.upper == 0 && s.joint >= 2 && mostlyOwn(v)) {
		return false
	}
	if s.joint == 0 {
		return runTogether(v, s, env)
	}
	return s.lower+s.upper >= 10 && s.joint <= 4 && isLetter(v[0]) && isLetter(v[len(v)-1]) && !bytes.ContainsAny(v, "/:")
}

// runTogether reports whether v is words run together, and no name that one would
// give.
func runTogether(v []byte, s shape, env bool) bool {
	if s.upper > 0 && !(env && s.upper <= 4 && s.turns >= 2 && s.n >= 12 && !isUpper(v[0])) || s.n < 16 && !(env && s.n >= 10) {
		return false
	}
	return s.distinct >= 8 && !holds(v, "pass", "word", "secret", "token", "key", "auth", "user", "admin", "test", "login",
		"config", "service", "default", "value", "change", "here")
}
