package secret

import (
	"bytes"
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
	body := v
	tail := false
	if b := v[len(v)-1]; (isLetter(b) || b == '!' || b == '$' || b == '#' || b == '?') && isDigit(v[len(v)-2]) {
		body, tail = v[:len(v)-1], true
	}
	letters := trimDigits(body)
	number := len(body) - len(letters)
	apart := false // the number is a part of its own
	switch {
	case number > 0:
		if n := len(letters); n > 0 && isPhraseJoint(letters[n-1]) {
			letters, apart = letters[:n-1], true
		}
	case isDigit(v[0]):
		for number < len(v) && isDigit(v[number]) {
			number++
		}
		if number == len(v) || !isPhraseJoint(v[number]) {
			return false
		}
		letters, apart = v[number+1:], true
	}
	if number == 1 || number > 4 {
		return false
	}
	var buf [32]byte
	words, own, hyphens := 0, 0, 0
	for len(letters) > 0 {
		i := 0
		for i < len(letters) && isLetter(letters[i]) {
			i++
		}
		if i < 3 || i < len(letters) && !isPhraseJoint(letters[i]) || i == len(letters)-1 {
			return false
		}
		if i < len(letters) && letters[i] == '-' {
			hyphens++
		}
		w := lower(&buf, letters[:i])
		if (nouns[string(w)] != noNoun || nounEnding(w) != noNoun) && !kitchenWords[string(w)] {
			return false
		}
		if kitchenWords[string(w)] || !weakWords[string(w)] && !keyOf[string(w)] && !keyNot[string(w)] && !notAfter[string(w)] && !fineAfter[string(w)] {
			own++
		} else if i == len(letters) && number > 0 && !apart && typeWords[string(w)] {
			return false // atomic.Int32, Encoding.Base64
		}
		words++
		letters = letters[min(len(letters), i+1):]
	}
	s := shapeOf(v)
	mixed := s.upper > 0 && s.lower > 0
	switch {
	case words < 2 || words > 6:
		return false
	case number == 0:
		return !strict && words >= 4 && own == words && hyphens == words-1
	case apart:
		return own == words && (mixed || tail || words >= 3 && !strict)
	}
	return own > 0 && (!strict || tail || mixed)
}

// madeUp reports whether v, which may have the form of a name, was made up as a
// password: its words are none that programs are named with and it has a digit,
// or case that no name would have; or it has such a word beside others, and
// three digits in a row. It counts only where a password is sure to stand.
func madeUp(v []byte) bool {
	if len(v) < 8 || len(v) > 64 {
		return false
	}
	var buf [32]byte
	own, ordinary, digits, run, parts, capitals, joints, signs := 0, 0, 0, 0, 0, 0, 0, 0
	for i := 0; i < len(v); {
		b := v[i]
		switch {
		case isLetter(b) || b >= 0x80:
			j := i + 1
			for j < len(v) && (isLetter(v[j]) && !(isUpper(v[j]) && !isUpper(v[j-1])) || v[j] >= 0x80) {
				j++
			}
			parts++
			if isUpper(b) || b >= 0x80 {
				capitals++
			}
			if j-i >= 3 {
				leet := i > 0 && isDigit(v[i-1]) && !isUpper(b) && (i == 1 || !isDigit(v[i-2]))
				if !leet && ordinaryWord(lower(&buf, v[i:j])) {
					ordinary++
				} else {
					own += j - i
				}
			}
			i = j
		case isDigit(b):
			j := i
			for j < len(v) && isDigit(v[j]) {
				j++
			}
			digits += j - i
			run = max(run, j-i)
			i = j
		case b == '-' || b == '_' || b == '.':
			joints++
			i++
		case b > ' ' && b < 0x7F && b != '(' && b != '{' && b != '<' && b != '"' && b != '\\':
			signs++
			i++
		default:
			return false
		}
	}
	switch {
	case own < 5:
		return false
	case ordinary > 0:
		return run >= 3 && run <= 6 || digits > 0 && (signs > 0 || own >= 8 && capitals > 0 && isDigit(v[len(v)-1]) && isLetter(v[len(v)-4]))
	case digits > 0:
		return true
	}
	// No digits: panda-anchor-orchid; Gipfel-kreuz, kiesGrube.west; not
	// Content-Type, org.acme.Thing.
	hyphened := bytes.Count(v, []byte("-")) == joints || parts >= 4 && bytes.Count(v, []byte("_")) == joints
	if capitals == 0 && parts >= 3 && joints == parts-1 && signs == 0 && hyphened {
		return own >= 14 && own+joints == len(v) && wordy(v)*10 >= own*2
	}
	return parts > 1 && joints > 0 && capitals > 0 && capitals < parts && signs == 0 && bytes.Count(v, []byte(".")) < 2
}

// ordinaryWord reports whether w, in lower case, is a word that programs, their
// parts and their labels are named with.
func ordinaryWord(w []byte) bool {
	if kitchenWords[string(w)] {
		return false
	}
	if nouns[string(w)] != noNoun || nounEnding(w) != noNoun {
		return true
	}
	for _, set := range [...]map[string]bool{weakWords, keyOf, keyNot, notAfter, fineAfter, programWords} {
		if set[string(w)] {
			return true
		}
	}
	return false
}

// lower returns w in lower case, in buf; of a longer w, what fits.
func lower(buf *[32]byte, w []byte) []byte {
	n := copy(buf[:], w)
	for i, b := range buf[:n] {
		if isUpper(b) {
			buf[i] = b | 0x20
		}
	}
	return buf[:n]
}

// secretPhrase reports whether v is a passphrase of three words or more and a
// number, none of them a word that programs are named with.
func secretPhrase(v []byte) bool {
	n := 0
	for _, b := range v {
		if isPhraseJoint(b) {
			n++
		}
	}
	return n >= 2 && shapeOf(v).digit >= 2 && madeUp(v) && !hasOrdinary(v)
}

// hasOrdinary reports whether v, split at what is no letter, has an ordinary word.
func hasOrdinary(v []byte) bool {
	var buf [32]byte
	for len(v) > 0 {
		i := 0
		for i < len(v) && isLetter(v[i]) && !(i > 0 && isUpper(v[i]) && !isUpper(v[i-1])) {
			i++
		}
		if i >= 3 && ordinaryWord(lower(&buf, v[:i])) {
			return true
		}
		if i == 0 {
			i = 1
		}
		v = v[i:]
	}
	return false
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
		if len(w) < 3 || shapeOf(w).lower != len(w) || nouns[string(w)] != noNoun || nounEnding(w) != noNoun {
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
		if s.upper > 0 && !(env && s.upper <= 4 && s.turns >= 2 && s.n >= 12 && !isUpper(v[0])) || s.n < 16 && !(env && s.n >= 10) {
			return false
		}
		// Words run together: no name that one would give.
		return s.distinct >= 8 && !holds(v, "pass", "word", "secret", "token", "key", "auth", "user", "admin", "test", "login",
			"config", "service", "default", "value", "change", "here")
	}
	return s.lower+s.upper >= 10 && s.joint <= 4 && isLetter(v[0]) && isLetter(v[len(v)-1]) && bytes.IndexByte(v, '/') < 0 && bytes.IndexByte(v, ':') < 0
}
