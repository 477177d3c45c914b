package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads what stands on the line of a name, or of a word that lets somebody in, however the two are bound: by an argument of a
// command, a cell, a call that is handed the one and one that is handed the other. It asks three things alone: that the value was drawn by
// lot from letters of both cases and digits, as no name and no hash is; that between the two stand signs, and words that bind; and that
// none of these words is the name of something else.

const (
	maxAlong      = 96  // bytes of a line that are looked at on either side of a name
	maxAlongValue = 200 // bytes of a value
	maxBinding    = 4   // words between a name and its value
)

// binds are words that may stand between a name and its value.
var binds = value.WordSet(`
	is was are be as to with for now has been will equals equal using use used set put send sends sent type types enter fill in into at here new the a an my your our its this
	it and then value val val1 default text str string raw literal content data plain plaintext current given v s b r f u q qq byte bytes stringwithformat keys sendkeys move let asplaintext
	generated created returned ok okay temporary temp initial equalto eq
`)

// bindsBack are words between a value and the name behind it: value is the password, MOVE value TO PASSWORD.
var bindsBack = value.WordSet("to into as is for the my your our its this a an was")

// drawnSigns are the bytes of what is drawn by lot.
var drawnSigns = value.ByteSetOf(value.WordSigns + "+/=-~!@$%^*.?")

// beside takes what was drawn by lot on the line of the name, behind it or, where a word says so, before it.
func (a *assignment) beside(behind int) {
	text := a.r.text
	most := min(len(text), behind+maxAlong)
	from := a.r.longWord(behind, most)
	if from >= 0 {
		to := drawnSigns.Past(text, from, maxAlongValue)
		for from < to && strings.IndexByte("=-~*.?", text[from]) >= 0 {
			from++ // a sign between the two
		}
		between := text[behind:from]
		if bytes.ContainsAny(between, ":=") && value.Only(between, value.Spaces+value.Quotes+":=") {
			return // what it is given was judged as that
		}
		if a.whole(from, to) && a.binding(between) {
			a.far(formSetOff, from, to)
			return
		}
	}
	a.besideBefore()
}

// longWord returns where the first word of lotLength bytes begins from at on, in the line and before most; -1 where none does.
func (r *run) longWord(at, most int) int {
	text := r.text
	r.spend(most - at)
	for at+lotLength <= len(text) && at < most {
		i := at + lotLength - 1
		for i >= at && drawnSigns.Has(text[i]) {
			i--
		}
		if i < at {
			return at
		}
		if bytes.IndexByte(text[at:i+1], '\n') >= 0 {
			return -1
		}
		at = i + 1
	}
	return -1
}

// binding reports whether what stands between a name and a value says nothing but that they belong together.
func (a *assignment) binding(between []byte) bool {
	joined := a.style() == value.AsCode && bytes.IndexByte(between, '+') >= 0
	if joined || value.Holds(between, "\n", "==", "!=", "=~", " # ") { // or compared, or in a comment behind
		return false
	}
	words, last := 0, false
	sentence := value.Only(between, value.LetterSigns+" ,'")
	for i := 0; i < len(between); {
		n := value.Past(between, i, 32, value.LetterSigns)
		if n == i {
			i++
			continue
		}
		if i > 0 && between[i-1] == '<' { // of markup
			i = n
			continue
		}
		var buf [32]byte
		w := value.Lower(buf[:], between[i:n])
		other := ofHashes[string(w)] || words == 0 && value.NotAfter[string(w)]
		if words++; words > maxBinding || !binds[string(w)] && (!sentence || other) {
			return false
		}
		last = (hashes[string(w)] || numbers[string(w)]) && !binds[string(w)]
		i = n
	}
	return !last
}

// whole reports whether what stands from from to to is of letters of both cases and digits, and no part of something else: of a word, an
// escape, a reference, NAME=value.
func (a *assignment) whole(from, to int) bool {
	text := a.r.text
	v := text[from:to]
	if to-from < lotLength || to-from >= maxAlongValue || v[0] == '$' || from > 0 && value.IsWord(text[from-1]) {
		return false
	}
	next := value.ByteAt(text, to)
	if next == '\\' {
		next = value.ByteAt(text, to+1)
		if next == 'n' || next == 'r' {
			next = '"'
		}
	}
	ends := next == 0 || strings.IndexByte(value.Spaces+value.Quotes+"|,;)]}<>", next) >= 0
	sealed := next == '}' && value.ByteAt(text, from-1) == '{' // {value}, as some keep what is sealed
	if !ends || sealed {
		return false
	}
	if bytes.IndexByte(bytes.TrimRight(v, "="), '=') > 0 || bytes.Contains(v, []byte("@@")) { // @@NAME@@, which is replaced
		return false
	}
	s := value.ShapeOf(v)
	return s.Upper > 1 && s.Lower > 1 && s.Digit > 0 && s.Upper+s.Lower+s.Digit >= lotLength
}

// besideBefore takes the value before the name.
func (a *assignment) besideBefore() {
	text := a.r.text
	head := a.r.before(a.lo, maxAlong)
	if len(head) < lotLength+2 || strings.IndexByte(":=", value.ByteAt(text, value.SkipBlank(text, a.hi))) >= 0 {
		return
	}
	end, words := len(head), 0
	kept := false // it is written to a file of the name
	a.r.spend(len(head))
	// The words between are read from the name on.
	for end > 0 && words <= maxBinding {
		i := end
		for i > 0 && !drawnSigns.Has(head[i-1]) {
			i--
		}
		lo := i
		for lo > 0 && drawnSigns.Has(head[lo-1]) {
			lo--
		}
		if i-lo >= lotLength {
			start := a.lo - len(head)
			if (words > 0 || kept) && a.whole(start+lo, start+i) {
				a.far(formSetOff, start+lo, start+i)
			}
			return
		}
		if stem := bytes.TrimRight(head[:lo], value.Spaces+value.Quotes); words == 0 && value.Ends(stem, ">") {
			kept, end = true, len(stem)-1
			continue
		}
		w := bytes.Trim(head[lo:i], "#/=-.$@*")
		var buf [32]byte
		if len(w) > 0 {
			if words++; len(w) > 8 || !bindsBack[string(value.Lower(buf[:], w))] {
				return
			}
		}
		end = lo
	}
}

// entries are words, no names, that are handed a secret and nothing else, or that say of the value beside them that it is one.
var entries = []string{"unlock", "unprotect", "protect", "unseal", "authenticate", "identify", "securestring", "sensitive", "masked", "confidential", "noecho", "secure()"}

// readEntry finds what such a word is handed on its line: unlock "value", and the value of an object that says it is secret: sensitive: true.
func readEntry(r *run, start, end int) {
	text := r.text
	if r.sure || value.IsLetter(value.ByteAt(text, end)) || start > 0 && value.IsLetter(text[start-1]) && !value.IsUpper(text[start]) {
		return
	}
	r.name = assignment{r: r, lo: start, hi: end, kind: value.Naming{Noun: value.TokenNoun, Lot: true}, judged: true}
	if i := value.Past(text, end, 16, value.Quotes+" \\:="); i > end && affirmed(text[i:]) {
		r.name.siblings()
		return
	}
	if r.declaredBelow(end) {
		return
	}
	r.name.beside(end)
}

// maxMarked bounds the lines between what says of a declaration that it is secret and the declaration.
const maxMarked = 3

// declaredBelow takes what a declaration is given that stands below a word, alone on its line, which says that it is secret: @secure(); and the
// value of an object that the word is the kind of: set_sensitive { name = "…", value = "…" }.
func (r *run) declaredBelow(end int) bool {
	text := r.text
	at := value.SkipBlank(text, value.Past(text, end, 2, "()]"))
	if value.ByteAt(text, at) == '{' {
		most := min(len(text), at+maxObject)
		r.spend(2 * (most - at))
		r.name.valueMembers(at+1, closes(text, at+1, most), true)
		return true
	}
	marks := strings.IndexByte("@[", value.ByteAt(text, value.BackTo(text, r.name.lo, 24, value.Spaces))) >= 0
	if !marks || !r.lineEnds(at) {
		return false
	}
	for n, line := 0, r.upTo(at, 16, "\n")+1; n < maxMarked && line < len(text); n++ {
		stop := r.upTo(line, maxAlongValue, "\n")
		if i := bytes.IndexByte(text[line:stop], '='); i > 0 {
			if from, to, ok := r.literal(line + i + 1); ok {
				r.name.far(formQuoted, from, to)
			}
			return true
		}
		line = stop + 1
	}
	return true
}

// ofHashes are the names of what is no secret though it looks drawn by lot. Between a name and a value one of them has the value for itself.
var ofHashes = value.WordSet("commit revision rev sha hash digest checksum etag image fingerprint build md5 sha1 sha256 sha512")

// maxOwned bounds what is looked at before a value for the word that has it.
const maxOwned = 48

// ownedByAnother reports whether between the name and the value that begins at from a word stands that names a hash, and has the value for
// itself: it is the last one, or the last but what is called for it: get('#commit').type('value').
func (a *assignment) ownedByAnother(from, to int) bool {
	if from <= a.hi {
		return false
	}
	var buf [32]byte
	v := a.r.text[from:to]
	if i := value.Past(v, 0, 24, value.WordSigns); i < len(v) && (v[i] == ':' || v[i] == '=') && ofHashes[string(value.Lower(buf[:], v[bytes.LastIndexByte(v[:i], '_')+1:i]))] {
		return true // commit:value
	}
	between := a.r.text[max(a.hi, from-maxOwned):from]
	a.r.spend(len(between))
	for i, n := len(between), 0; n < 2; n++ {
		hi := i
		for hi > 0 && !value.IsWord(between[hi-1]) {
			hi--
		}
		lo := value.Back(between, hi, 24, value.WordSigns)
		if lo == hi {
			return false
		}
		if lo > 0 && between[lo-1] == '<' && n == 0 { // of markup
			i = lo
			continue
		}
		last := lo + bytes.LastIndexByte(between[lo:hi], '_') + 1
		w := value.Lower(buf[:], between[last:hi])
		if ofHashes[string(w)] {
			return !handed(between[:lo], between[hi:])
		}
		if !binds[string(w)] && !value.IsDigit(between[lo]) { // an address
			return false
		}
		i = lo
	}
	return false
}

// handed reports whether a hash's name stands between a secret's name and its value as what is handed the value, or beside the first in a list
// that is given values: password = sha256("value"), token, revision = "value", "…".
func handed(before, behind []byte) bool {
	behind = bytes.TrimLeft(behind, value.Spaces)
	return len(behind) > 0 && (behind[0] == '(' || behind[0] == '=' && !bytes.ContainsAny(before, "=:(>."))
}
