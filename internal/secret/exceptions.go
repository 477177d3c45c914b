package secret

import (
	"bytes"
	"strings"
)

// This file holds what no weight decides: values that are none whatever they look like.

// judged is a candidate that is asked about.
type judged struct {
	look
	name  []byte
	form  form
	path  string
	lock  bool // the path is that of a list of locked dependencies
	quote byte // before the value, 0 if it has none
	// inString: the name stands in a text of a program.
	inString bool
	// goesOn: a word follows, and no quote ends the value.
	goesOn bool
}

// exception is a reason why a value is no credential. TestExceptions has two lines for each: one that it clears, and one beside
// it that it does not.
type exception struct {
	reason string
	is     func(j *judged) bool
}

// exceptions are asked in this order.
var exceptions = [...]exception{
	{"stands for another value", func(j *judged) bool { return j.kind == kindLookUp || j.kind == kindCode }},
	{"is a truth, nothing, or a number with a unit", func(j *judged) bool { return j.kind == kindConstant }},
	{"is left out", func(j *judged) bool {
		return j.kind == kindElided || j.kind == kindSame && bytes.IndexByte([]byte("xX0*.-_#?"), j.value[0]) >= 0
	}},
	{"is the name of a secret", func(j *judged) bool {
		return j.form == formItem && levelOf[j.kind] < levelDrawn && j.kind != kindDrawnShort && j.kind != kindMixed
	}},
	{"says the name again", func(j *judged) bool {
		return (j.kind == kindNameLike || j.kind == kindCamel) && sameLetters(j.name, j.value)
	}},
	{"is of a locked dependency", func(j *judged) bool { return j.lock && levelOf[j.kind] < levelDrawn }},
	{"is a word of a sentence", func(j *judged) bool { return j.goesOn && levelOf[j.kind] <= levelOwn }},
	{"asks to be changed", func(j *judged) bool {
		var buf [32]byte
		return j.kind >= kindSetWord && j.kind <= kindWordDigits && begins(lower(&buf, j.value), "change", "replace", "your", "insert", "placeholder", "put", "enter", "todo", "fixme", "tbd")
	}},
	{"is printed in a manual", func(j *judged) bool { return sampleValues().holds(j.value) }},
	{"is what a command prints", func(j *judged) bool { return j.quote == '`' && (j.style != asCode || j.inString) }},
	{"is a public key, or a hash of one", func(j *judged) bool {
		return j.kind == kindPublic || isPin(j.name) && len(j.value) > 16
	}},
	{"is a user without a password", func(j *judged) bool { return bytes.HasSuffix(decoded(j.value), []byte(":")) }},
	{"is sealed for another", func(j *judged) bool {
		return len(j.value) > 150 && j.value[0] == 'A' && (j.value[1] == 'g' || begins(j.value, "AQICAH"))
	}},
	{"is the id of a key of GnuPG's", func(j *judged) bool {
		return (len(j.value) == 16 || len(j.value) == 40) && allHex(j.value) && (strings.HasSuffix(j.path, "gitconfig") || hasFold(j.name, "gpg") || hasFold(j.name, "pgp"))
	}},
}

// excepted returns why the candidate is none, or "".
func (j *judged) excepted() string {
	for i := range exceptions {
		if exceptions[i].is(j) {
			return exceptions[i].reason
		}
	}
	return ""
}

// sameLetters reports whether the letters of one of the two, eight and more, stand at the end of those of the other.
func sameLetters(a, b []byte) bool {
	i, j, n := len(a), len(b), 0
	for {
		for i > 0 && !isLetter(a[i-1]) {
			i--
		}
		for j > 0 && !isLetter(b[j-1]) {
			j--
		}
		if i == 0 || j == 0 {
			return n >= 8
		}
		i, j = i-1, j-1
		if a[i]|0x20 != b[j]|0x20 {
			return false
		}
		n++
	}
}
