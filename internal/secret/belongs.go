package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file says what belongs to a name though it does not stand beside it. A value belongs to a name
//
//   - on the lines below, over empty lines, comments, rules and fences: a heading, a wrapped sentence, a setting whose value comes later;
//   - before it, in the same sentence or line: value is the password, "value", // password;
//   - as another member of the object that the name is the name of, before or behind: {"value": …, "name": NAME}; and where a member
//     says that the object's value is a secret: type: secret, sensitive: true;
//   - in its row or its column of a table: see grid.go;
//   - in its position, where what it is a parameter or a field of is used: see positions.go;
//   - where it stands in for a variable of the environment that the name is given.
//
// So far from its name, a value is taken only where it was drawn by lot for all that one can see.

const (
	maxBelow     = 640 // bytes that are looked at below a name
	maxBelowRows = 10  // lines
	maxObject    = 800 // bytes that are looked at on either side for the members of an object
)

// belongs takes the values that belong to the name and stand elsewhere. behind is where the name ends, with what closes it.
func (a *assignment) belongs(behind int) {
	k := a.naming()
	if k.Noun == value.Mnemonic && !k.Not {
		a.phraseBelow(behind)
	}
	if k.Noun < value.TokenNoun || k.Noun == value.Mnemonic || k.Not || k.Strict || k.Authorization {
		return
	}
	if n := a.name(); len(n) >= lotLength && a.r.names.byLot(n) {
		return // a word within what was drawn by lot itself
	}
	a.r.noteName(a.lo, a.hi)
	if behind < len(a.r.text) {
		a.beneath(behind)
	}
	a.preceding()
	a.siblings()
	a.cells()
	a.positions()
	a.returned(behind)
	a.fallback(behind)
	a.handedByName(behind)
	a.beside(behind)
	a.said(behind)
}

// phraseBelow takes the words of a wallet that stand alone on a line below their heading.
func (a *assignment) phraseBelow(at int) {
	text := a.r.text
	end := a.r.lineEnd(at)
	if at > end || bytes.ContainsFunc(text[at:end], func(c rune) bool { return c < 0x80 && value.IsLetter(byte(c)) }) {
		return // it goes on, or has its phrase
	}
	for n := 0; n < maxBelowRows && end < len(text) && end-at < maxBelow; n++ {
		from := nextLine(text, end)
		if end = a.r.lineEnd(min(from, len(text))); from >= end {
			continue
		}
		lo, hi := value.Trimmed(text, from, end, value.Spaces+value.Quotes+">*-")
		if lo == hi || value.Only(text[lo:hi], "=~_`") {
			continue
		}
		if hi-lo <= maxPhrase && value.Words(text[lo:hi]) >= leastPhrase {
			a.take(formBelow, lo, hi)
		}
		return
	}
}

// maxReturned bounds what stands between a function's name and what it returns, in bytes.
const maxReturned = 64

// returned takes what a function of the name returns, or is made to in a test: def token(): return "value", when(x.token()).thenReturn("value").
func (a *assignment) returned(behind int) {
	text := a.r.text
	if a.style() != value.AsCode || strings.IndexByte("() .}", value.ByteAt(text, behind)) < 0 {
		return
	}
	gap := text[behind:min(len(text), behind+maxReturned)]
	a.r.spend(2 * len(gap))
	i := bytes.Index(gap, []byte("eturn"))
	if i < 1 || gap[i-1]|0x20 != 'r' || bytes.ContainsAny(gap[:i], value.Quotes+"=;,") || !bytes.ContainsAny(gap[:i], "(){}.") || bytes.Count(gap[:i], value.Newline) > 1 {
		return
	}
	at := value.Past(text, behind+i, 16, value.WordSigns)
	if from, to, ok := a.r.literal(value.Past(text, at, 4, " (")); ok && !value.HasPrefixAt(text, from, "eyJ") { // a JWT has its own reader
		a.far(formWrapped, from, to)
	}
}

// lookUps are parts of what looks a value up that may be absent: in the environment, among properties, or with another in its place.
var lookUps = []string{"env", "Env", "ENV", "ropert", "rElse", "etOr", "rDefault", "_default"}

const (
	maxFallback      = 200 // bytes behind a name in which what it is given is read, where that is a variable of the environment
	maxFallbackLines = 4   // lines of that
)

// fallback takes what stands in for a variable of the environment that the name is given, however the language has it: each later text
// in quotes may. password = getenv("PW") ?: "value", pw = env::var("PW").unwrap_or("value"), password: ENV.fetch("PW", "value").
func (a *assignment) fallback(behind int) {
	text := a.r.text
	at := value.SkipBlank(text, behind)
	if b := value.ByteAt(text, at); b == 0 || strings.IndexByte("=:<(", b) < 0 {
		return
	}
	most := min(len(text), at+maxFallback)
	end := a.r.upTo(at, most-at, "\n")
	for n := 1; n < maxFallbackLines && end < most && strings.IndexByte("(,", text[end-1]) >= 0; n++ { // an argument a line
		end = a.r.upTo(end+1, most-end-1, "\n")
	}
	first := value.UpTo(text, at, end-at, value.Quotes+`\`)
	a.r.spend(2 * (end - at))
	if !value.Holds(text[at:first], lookUps...) {
		return
	}
	// The first is what the variable is called, unless a sign between two values stands before it.
	last := text[value.Back(text, first, first-at, " ")-1]
	called := value.IsWord(last) || strings.IndexByte("([{", last) >= 0
	depth := bytes.Count(text[at:first], []byte("("))
	for at = first; at < end; called = false {
		from, to, ok := a.r.literal(at)
		if !ok || to > end || depth < 0 { // what closed the name's own brackets is behind: another is bound
			return
		}
		if !called {
			a.far(formDefault, from, to)
		}
		at = value.UpTo(text, to+1, end-to-1, value.Quotes+`\`)
		for _, b := range text[to:at] {
			switch {
			case b == ')':
				depth--
			case b == '(' && depth >= 0:
				depth++
			}
		}
	}
}

// far takes a value that stands apart from its name, if it was drawn by lot.
func (a *assignment) far(f form, from, to int) bool {
	text := a.r.text
	from, to = value.Trimmed(text, from, to, value.Spaces+value.Quotes+"*")
	if i := bytes.IndexByte(text[from:to], '\\'); i > 0 && strings.IndexByte("nrt", value.ByteAt(text, from+i+1)) >= 0 {
		to = from + i // the end of a line that a program writes
	}
	if to-from < lotLength || to-from > value.MaxLook {
		return false
	}
	a.r.spend(8 * (to - from))
	v := text[from:to]
	s := value.ShapeOf(v)
	if i := bytes.IndexByte(bytes.TrimRight(v, "="), '='); i > 0 && i <= 24 && value.IdentifierOnly(v[:i]) && (value.UsageOf(v[:i]).Letters > 0 || bytes.IndexByte(v[:i], '_') > 0) {
		return false // another name's
	}
	told := f == formTold || f == formSetOff
	if told && named(text[max(0, from-24):from]) {
		return false
	}
	if told && a.naming().Noun != value.PassNoun && (s.Digit == s.Length || value.AllHex(v) && !a.saysIs(from, to)) {
		return false // of the commit or the sum that a sentence is about too
	}
	if (told || f == formBelow) && value.AllHex(v) && a.hashBehind(from, to) {
		return false
	}
	if !byLot(v, &s) || value.StandsFor(v) || value.Begins(v, "/", ".", "@") || value.FileName(v) || told && a.style() == value.AsCode && value.Expression(v) || value.Holds(v, "://", "sha256:") {
		return false
	}
	b := &a.r.far
	*b = *a
	b.take(f, from, to)
	return true
}

// hashBehind reports whether hexadecimal digits behind the name are a hash's: the name has its value, or a word beside them says so.
func (a *assignment) hashBehind(from, to int) bool {
	text := a.r.text
	return bytes.IndexByte(text[min(a.hi, from):from], hidden) >= 0 || a.besideQuotes(from) || value.IsHash(text[from:to]) && a.publicHash(from, to)
}

// phrases are words that a phrase begins with which says what for or whose a thing is, equates those that give it its value.
var (
	phrases = value.WordSet("for of to in on at from with used that which by")
	equates = value.WordSet("is was are be now")
)

// maxSaid bounds a sentence before the name in it, in bytes.
const maxSaid = 120

// saysIs reports whether a sentence says of hexadecimal digits that they are what the name is, which a phrase tells more of, and has no word for
// a hash or a number: the token for our bucket is VALUE, secret key of the shop: VALUE.
func (a *assignment) saysIs(from, to int) bool {
	text := a.r.text
	if from <= a.hi {
		return false
	}
	head := a.r.before(a.lo, maxSaid)
	if i := bytes.LastIndex(head, []byte(". ")); i >= 0 {
		head = head[i:]
	}
	between := bytes.TrimRight(text[a.hi:from], value.Spaces+value.Quotes+"*_")
	a.r.spend(4 * (len(head) + len(between)))
	if len(between) == 0 || publicWord(head) || publicWord(between) || publicWord(text[to:value.UpTo(text, to, nearHash, "\n")]) {
		return false
	}
	var buf [32]byte
	first := value.Past(between, 0, 2, value.Spaces)
	if !phrases[string(value.Lower(buf[:], between[first:value.Past(between, first, 16, value.LetterSigns)]))] {
		return false
	}
	if value.Ends(between, ":", "=") {
		return true
	}
	return equates[string(value.Lower(buf[:], between[value.Back(between, len(between), 16, value.LetterSigns):]))]
}

// publicWord reports whether a text has a word for what is a hash, or a number of something.
func publicWord(text []byte) bool {
	var buf [32]byte
	for i := 0; i < len(text); {
		n := value.Past(text, i, 31, value.LetterSigns)
		if n == i {
			i++
			continue
		}
		w := value.Lower(buf[:], text[i:n])
		if hashes[string(w)] || numbers[string(w)] || ofHashes[string(w)] || otherHex[string(w)] {
			return true
		}
		i = n
	}
	return false
}

// otherHex are words for what else is written in hexadecimal digits.
var otherHex = value.WordSet("public address contract transaction tx object blob example sample color vector vectors test tests")

// nearHash is how far from a hash a word may stand that says of it that it is public.
const nearHash = 24

// publicHash reports whether a word right before the hexadecimal value on its line, or behind it, says which hash or number it is. What else is
// public may be what the value lets in to: the password of an image's registry.
func (a *assignment) publicHash(from, to int) bool {
	text := a.r.text
	before := text[value.BackTo(text, from, nearHash, "\n"):from]
	behind := text[to:value.UpTo(text, to, nearHash, "\n")]
	a.r.spend(4 * (len(before) + len(behind)))
	return lineWords(before).hash || lineWords(behind).hash
}

// besideQuotes reports whether a word in quotes stands beside the name, before from: "name": "value", name `value`.
func (a *assignment) besideQuotes(from int) bool {
	text := a.r.text
	at := value.Past(text, a.hi, 4, value.Spaces+value.Quotes+":=")
	if at >= from || at == a.hi || !value.IsQuote(text[at-1]) {
		return false
	}
	end := value.UpTo(text, at, from-at, apart)
	return end-at >= 6 && end < from && text[end] == text[at-1]
}

// hashed are the words that a sentence names a hash with.
var hashed = value.WordSet("commit revision rev sha hash digest checksum build version tag id trace span cursor etag run")

// named reports whether a sentence that goes on with a value has said that it is a hash's: in commit …
func named(before []byte) bool {
	var buf [32]byte
	i := value.Back(before, len(before), len(before), value.Spaces+value.Quotes+"*|{")
	word := value.Back(before, i, 24, value.LetterSigns)
	if word > 0 && before[word-1] == '\\' { // a command of TeX's
		i = value.Back(before, word-1, 8, value.Spaces)
		word = value.Back(before, i, 24, value.LetterSigns)
	}
	return hashed[string(value.Lower(buf[:], before[word:i]))]
}

// lineEnd returns where the line of at ends, or a line that is written within a text: \n.
func (r *run) lineEnd(at int) int {
	most := min(len(r.text), at+maxBelow)
	for i := at; i < most; i++ {
		if b := r.text[i]; b == '\n' || b == '\\' && i+1 < most && r.text[i+1] == 'n' {
			return i
		}
	}
	return most
}

// nextLine returns where the line begins behind the one that ends at at; a notebook has each line in quotes, in a list.
func nextLine(text []byte, at int) int {
	if value.ByteAt(text, at) != '\\' {
		return at + 1
	}
	at += 2
	if i := value.Past(text, at, 1, `"`); i > at {
		if j := value.Past(text, i, 64, value.Spaces+","); value.ByteAt(text, j) == '"' {
			return j + 1
		}
	}
	return at
}

// beneath takes the value on the name's line or on those below.
func (a *assignment) beneath(at int) {
	r, text := a.r, a.r.text
	below := underneath{assignment: a}
	below.prose = a.style() == value.AsProse || some(strings.HasSuffix, r.path, ".html", ".htm", ".log", ".out")
	below.comment = !below.prose && a.insideComment()
	below.said = below.prose || below.comment && (a.style() != value.AsCode || a.naming().Noun == value.PassNoun)
	if below.said && a.verb() {
		return
	}
	end := r.lineEnd(at)
	r.spend(end - at)
	gap := text[at:end]
	switch {
	case hasValue(gap):
		return
	case below.said:
		if value.Begins(bytes.TrimLeft(gap, " "), "|") || otherThing(gap) || a.farWord(at, end) {
			return
		}
	case !endsOpen(gap):
		return // it has a value, or none
	}
	below.ended = bytes.Contains(gap, []byte(". "))
	for n := 0; n < maxBelowRows && end < len(text) && end-at < maxBelow; n++ {
		from := nextLine(text, end)
		if end = r.lineEnd(min(from, len(text))); from >= end {
			continue
		}
		r.spend(2 * (end - from))
		if !below.line(from, end) {
			return
		}
	}
}

// endsOpen reports whether what stands behind a name on its line says that its value comes later: a sign, and no word that is no
// tag or reference.
func endsOpen(gap []byte) bool {
	word := bytes.ContainsFunc(gap, func(c rune) bool { return c < 0x80 && (value.IsLetter(byte(c)) || c == '.') })
	return bytes.ContainsAny(gap, ":=") && (!word || bytes.ContainsAny(gap, "!&"))
}

// underneath is the search of the lines below a name.
type underneath struct {
	*assignment
	prose, comment, said bool // where the name stands; said: within sentences
	ended                bool // the sentence of the name has ended
	lines                int  // of sentences that were looked at
}

// line looks at the line from from to end, and reports whether the value may stand on a further one.
func (u *underneath) line(from, end int) bool {
	text := u.r.text
	lo, hi := value.Trimmed(text, from+u.prefix(from, end), end, value.Spaces)
	l := text[lo:hi]
	switch {
	case value.Begins(l, "-----"), len(l) > 0 && value.BeginsFold(l, value.LookUpsBy()[l[0]]...):
		return false // a key, which has its own reader, or what is sealed
	case len(l) == 0, value.Only(l, "-=~^*+#_`:.|>/"), u.besides(l):
		return true
	case u.likewise(from, l), u.commented(lo, hi), u.farLine(lo, hi):
		return false
	case !u.said || len(l) > 200, u.comment && !value.Begins(l, "#", "//", "*", ";", "--"):
		return false
	case u.prose && value.Begins(l, "#", "="), givesName(l):
		return false // of something else
	case !u.ended && u.farWord(lo, hi):
		return false
	}
	u.ended = u.ended || bytes.Contains(text[from:end], []byte(". ")) || value.Ends(text[lo:hi], ".")
	u.lines++
	return u.lines <= 2
}

// commented takes the value of the setting from lo to hi that the comment of the name stands above, where what is set has a name that tells
// nothing: # password of the scanner, scanner = value.
func (u *underneath) commented(lo, hi int) bool {
	text := u.r.text
	if !u.comment || u.lines > 0 {
		return false
	}
	sign := value.UpTo(text, lo, min(hi-lo, value.MaxName), "=:\"'`(")
	if b := value.ByteAt(text, sign); b != '=' && b != ':' || sign == lo {
		return false
	}
	told := lineWords(text[lo:sign])
	name := bytes.TrimRight(text[lo:sign], " \t:")
	k := value.Classify(name[bytes.LastIndexByte(name, ' ')+1:])
	u.r.spend(8 * (sign - lo))
	if told.public || k.Not || k.Noun != value.NoNoun {
		return false // which judges by that
	}
	at := value.SkipBlank(text, value.Past(text, sign, 2, "=:"))
	if from, to, ok := u.r.literal(at); ok && from <= at+1 {
		return u.far(formBelow, from, to)
	}
	v := text[at:max(at, hi)]
	return u.style() != value.AsCode && len(v) > 0 && bytes.IndexByte(v, ' ') < 0 && u.far(formBelow, at, value.Back(text, hi, 2, ",;"))
}

// prefix is the length of what the line from from to end begins with as the name's does but for its digits, as lines of a log do: a time, a
// level, a name.
func (u *underneath) prefix(from, end int) int {
	if !u.prose {
		return 0
	}
	text := u.r.text
	own := value.BackTo(text, u.lo, maxLead, "\n")
	n, last := 0, 0
	for n < min(u.lo-own, end-from, maxPrefix) {
		a, b := text[own+n], text[from+n]
		if a != b && !(value.IsDigit(a) && value.IsDigit(b)) {
			break
		}
		if n++; b == ' ' || b == '\t' {
			last = n
		}
	}
	u.r.spend(2 * n)
	if last < leastPrefix {
		return 0
	}
	said, says := speaker(text[own+last:u.lo]), speaker(text[from+last:end])
	if said > 0 && says > 0 {
		last += says
	}
	return last
}

// speaker is the length of the name of who says what stands behind it: Ann: …
func speaker(text []byte) int {
	if n := value.Past(text, 0, maxSpeaker, value.NameSigns+"@"); n > 1 && value.HasPrefixAt(text, n, ": ") {
		return n + len(": ")
	}
	return 0
}

const (
	leastPrefix = 4   // bytes that the lines of a log begin with alike
	maxPrefix   = 120 // that are looked at
	maxSpeaker  = 24  // of a name before what is said
)

// likewise reports whether a line begins where the name's does and gives another name a value: a name without a value stands above it.
func (u *underneath) likewise(from int, l []byte) bool {
	text := u.r.text
	return u.lo == value.BackTo(text, u.lo, maxLead, "\n") && value.ByteAt(text, u.hi) == ':' && value.IsWord(text[from]) && givesName(l) && l[value.Past(l, 0, 40, value.WordSigns+"-")] == ':'
}

// besides reports whether a line is a fence, or a comment beside what the name is in: it says nothing of what is below it.
func (u *underneath) besides(l []byte) bool {
	switch {
	case value.Begins(l, "```", "~~~", "<!--"):
		return true
	case value.Begins(l, "// ", "/*"):
		return !u.comment
	}
	return !u.said && value.Begins(l, "#", ";", "--")
}

// hasValue reports whether what stands behind a name gives it a value, alone on the line, or goes on with what is no sentence.
func hasValue(gap []byte) bool {
	gap = bytes.TrimRight(gap, value.Spaces+",;\"'`")
	if len(gap) > 0 && strings.IndexByte("{([/.\\", gap[0]) >= 0 && !value.Begins(gap, ". ") {
		return true
	}
	v := bytes.TrimLeft(gap, " \t:=\"'`")
	return len(v) > 2 && len(v) < len(gap) && bytes.ContainsAny(gap[:len(gap)-len(v)], ":=") && bytes.IndexByte(v, ' ') < 0 && !value.Only(v, "|>+-*_\\")
}

// otherThing reports whether what stands behind a name makes it the name of another thing: password policy.
func otherThing(gap []byte) bool {
	var buf [32]byte
	gap = bytes.TrimLeft(gap, " *_`")
	w := value.Lower(buf[:], gap[:value.Past(gap, 0, 31, value.LetterSigns)])
	return len(w) > 3 && value.NotAfter[string(w)] && !binding[string(w)]
}

// binding are words behind a noun that bind it to what follows in a sentence.
var binding = value.WordSet("from with during until after before within always user owner login email host hostname")

// givesName reports whether a line gives a name a value.
func givesName(l []byte) bool {
	l = bytes.TrimLeft(l, "-* \"'`|")
	i := value.Past(l, 0, 40, value.WordSigns+"-. ")
	return i > 1 && i < len(l)-1 && (l[i] == '=' || l[i] == ':')
}

// farLine takes what stands alone from lo to hi, on a line, less what marks it.
func (a *assignment) farLine(lo, hi int) bool {
	text := a.r.text
	for _, mark := range [...]string{"- ", "* ", "> ", "+ ", "# ", "// ", "; ", ": ", "| "} {
		if value.HasPrefixAt(text, lo, mark) {
			lo = value.Past(text, lo+len(mark), hi-lo, " ")
		}
	}
	for lo < hi && text[lo] == '<' && value.IsLetter(value.ByteAt(text, lo+1)) { // an element
		i := bytes.IndexByte(text[lo:hi], '>')
		if i < 0 {
			return false
		}
		lo += i + 1
	}
	if i := bytes.Index(text[lo:hi], []byte("</")); i > 0 {
		hi = lo + i
	}
	if from, q, escapes := a.r.quote(lo); q != 0 && from < hi {
		end, ok := a.r.closing(from, q, escapes)
		return ok && end <= hi && a.far(formBelow, from, end)
	}
	hi = value.Back(text, hi, 2, ",;")
	return bytes.IndexByte(text[lo:hi], ' ') < 0 && a.far(formBelow, lo, hi)
}

// verb reports whether the name may be a verb of a sentence, or a needle: pass the value on.
func (a *assignment) verb() bool {
	var buf [32]byte
	w := string(value.Lower(buf[:], a.name()))
	return (w == "pass" || w == "passes" || w == "pin" || w == "pins") && string(a.name()) != "PASS"
}

// apart are the bytes that part the words of a sentence.
const apart = value.Spaces + value.Quotes + "<>()[]{},;*|"

// farWord takes the first word between at and end that was drawn by lot, before the sentence ends.
func (a *assignment) farWord(at, end int) bool {
	text := a.r.text
	for at < end {
		if at = value.Past(text, at, end-at, apart); at >= end {
			break
		}
		to := value.UpTo(text, at, end-at, apart)
		if to-at >= lotLength && (at == 0 || strings.IndexByte(value.Spaces+value.Quotes+"<>([*|", text[at-1]) >= 0 || texArgument(text, at)) {
			lo := at
			if i := bytes.LastIndexAny(text[at:to], "=:"); i >= 0 && i < to-at-1 && value.IdentifierOnly(text[at:at+i]) && value.Wordy(text[at:at+i]) > 0 {
				return false // another name's
			}
			if a.far(formTold, lo, value.Back(text, to, 1, ".:!?")) {
				return true
			}
		}
		if value.Ends(text[at:to], ".") && to-at > 3 {
			return false
		}
		at = to
	}
	return false
}

// texArgument reports whether at is where the argument of a command of TeX begins: \texttt{.
func texArgument(text []byte, at int) bool {
	i := value.Back(text, at-1, 16, value.LetterSigns)
	return text[at-1] == '{' && i < at-1 && i > 0 && text[i-1] == '\\'
}

// preceding takes the value that stands before the name on its line, where what is between says so: value is the password.
func (a *assignment) preceding() {
	head := a.r.before(a.lo, 160)
	if len(head) < lotLength+2 || a.verb() || value.Begins(a.r.text[value.SkipBlank(a.r.text, a.hi):], ":", "=") {
		return
	}
	start := a.lo - len(head)
	end := len(head)
	for range 6 {
		end = value.Back(head, end, end, apart+":#/-=.")
		lo := value.BackTo(head, end, end, apart)
		if end-lo >= lotLength {
			if between := head[end:]; linking(between) {
				a.far(formSetOff, start+lo, start+end)
			}
			return
		}
		if end = lo; end == 0 {
			return
		}
	}
}

// linking reports whether a text between a value and a name behind it says that the value is the name's.
func linking(between []byte) bool {
	return value.Holds(between, " is ", " as ", " # ", "//", "/*", " (", " -- ", " = ", " -> ", " <- ") && !bytes.ContainsAny(between, ".|&:")
}

// valueKeys are what the value of a thing is called whose name is another member.
var valueKeys = value.WordSet(`
	value val default defaultvalue default_value initialvalue initial_value content contents data current currentvalue current_value text plaintext plain
	stringvalue secretvalue secret_value valuestring v parametervalue
`)

// tellKeys are members that say what sort of thing the value is.
var tellKeys = value.WordSet("type kind format inputtype input_type input category subtype datatype data_type class widget")

// tells reports whether the name stands where a member says what the object's value is: type: secret, secret: true.
func (a *assignment) tells() bool {
	text := a.r.text
	var buf [32]byte
	hi := value.Back(text, a.lo, 12, value.Quotes+" \\=:")
	if bytes.ContainsAny(text[hi:a.lo], ":=") {
		lo := value.Back(text, hi, 24, value.WordSigns+"-")
		if tellKeys[string(value.Lower(buf[:], text[lo:hi]))] {
			return true
		}
	}
	i := value.Past(text, a.hi, 16, value.Quotes+" \\:=")
	return i > a.hi && bytes.ContainsAny(text[a.hi:i], ":=") && affirmed(text[i:])
}

// affirmed reports whether text begins with a truth.
func affirmed(text []byte) bool {
	return value.BeginsFold(text, "true", "yes", "on\n", "1\n", "1,", "1}") && !value.IsWord(value.ByteAt(text, 4))
}

// siblings takes the value of the object that the name is the name of, or that the name says is secret.
func (a *assignment) siblings() {
	text := a.r.text
	tells := a.tells()
	element := value.Ends(text[:a.lo], ">")
	start := a.lo
	if start > 0 && text[start-1] == '/' { // "/app/name"
		start = value.Back(text, start, 96, value.NameSigns+"/")
	}
	if a.closed != 0 && value.EndsFold(bytes.TrimRight(text[max(0, a.lo-32):a.lo], value.Quotes+" :@"), "forkey", "forhttpheaderfield") {
		a.firstOf()
		return
	}
	a.sameSubject(start)
	if !tells && !element && !namesName(text, start) && !(a.closed != 0 && namesName(text, start-1)) {
		return
	}
	lo, hi := a.r.objectOf(a.lo, a.hi)
	a.r.spend(3 * (hi - lo))
	a.valueMembers(lo, hi, tells || element)
	if tells && !element { // issecret=true]value
		i := value.Past(text, a.hi, 16, value.Quotes+" \\:=")
		a.beside(value.Past(text, i, 8, value.LetterSigns))
	}
}

// maxSubject bounds what is looked at of a statement for its subject, in bytes.
const maxSubject = 80

// sameSubject takes the value of the next statement where both set members of one thing, this one its name: h.name = "NAME"; h.value = "value".
func (a *assignment) sameSubject(start int) {
	text := a.r.text
	if a.closed == 0 || !namesName(text, start) && !namesName(text, start-1) {
		return
	}
	head := a.r.before(start, maxSubject)
	line := start - len(head)
	from := value.Past(text, line, len(head), " \t")
	dot := bytes.LastIndexByte(head, '.')
	if dot < 0 || line+dot <= from {
		return
	}
	subject := text[from : line+dot+1]
	a.r.spend(4 * len(head))
	next := value.Past(text, a.r.upTo(a.hi, 40, ";\n"), 40, value.Spaces+";")
	if !bytes.HasPrefix(text[next:], subject) {
		return
	}
	key := next + len(subject)
	sign := value.Past(text, key, 24, value.WordSigns)
	var buf [32]byte
	if !valueKeys[string(value.Lower(buf[:], text[key:sign]))] {
		return
	}
	if from, to, ok := a.r.literal(value.Past(text, sign, 8, " :=")); ok {
		a.far(formQuoted, from, to)
	}
}

// firstOf takes the first argument of the call that the name is an argument of: set("value", forKey: "name").
func (a *assignment) firstOf() {
	head := a.r.before(a.lo, maxLead)
	a.r.spend(len(head))
	depth := 0
	for i := len(head) - 1; i >= 0; i-- {
		switch head[i] {
		case ')', ']':
			depth++
		case '(', '[':
			if depth--; depth >= 0 {
				continue
			}
			if j := bytes.IndexAny(head[i:], value.Quotes); j > 0 {
				if from, to, ok := a.r.literal(a.lo - len(head) + i + j); ok {
					a.far(formQuoted, from, to)
				}
			}
			return
		}
	}
}

// memberSigns are the bytes of what a member is called.
var memberSigns = value.ByteSetOf(value.WordSigns + "-")

// valueMembers takes the values of the members between lo and hi that are called what the value of a thing is.
func (a *assignment) valueMembers(lo, hi int, far bool) {
	text := a.r.text
	for at := lo; at < hi; {
		i := memberSigns.Past(text, at, hi-at)
		if i == at {
			at++
			continue
		}
		key := text[at:i]
		at = i
		var buf [32]byte
		if len(key) > 16 || !valueKeys[string(value.Lower(buf[:], key))] {
			continue
		}
		j := value.Past(text, i, 4, value.Quotes+` \`)
		sign := value.ByteAt(text, j)
		if sign != ':' && sign != '=' && !(sign == '>' && far) {
			continue
		}
		a.siblingValue(value.SkipBlank(text, j+1), hi, far || i > a.hi || !value.BeginsFold(key, "val"))
	}
}

// siblingValue takes the value of a member at at.
func (a *assignment) siblingValue(at, most int, far bool) {
	text := a.r.text
	from, q, escapes := a.r.quote(at)
	to := 0
	switch {
	case q != 0:
		var ok bool
		if to, ok = a.r.closing(from, q, escapes); !ok {
			return
		}
	case value.ByteAt(text, at) == '|' || value.ByteAt(text, at) == '>' && value.ByteAt(text, at-1) == ' ':
		from = value.Past(text, value.UpTo(text, at, 8, "\n"), 80, value.Spaces)
		to = value.UpTo(text, from, max(0, most-from), value.Spaces)
	default:
		from, to = at, value.UpTo(text, at, max(0, most-at), value.Spaces+",<}")
	}
	if to <= from || to > most {
		return
	}
	if !a.far(formQuoted, from, to) && !far {
		b := *a
		b.take(formQuoted, from, to)
	}
}

// objectOf returns the bounds of the object that the word from lo to hi is a member of: between braces, within a tag, or YAML's lines
// of the same depth.
func (r *run) objectOf(lo, hi int) (from, to int) {
	text := r.text
	least, most := max(0, lo-maxObject), min(len(text), hi+maxObject)
	r.spend(most - least)
	depth := 0
	for i := lo - 1; i >= least; i-- {
		switch text[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth < 0 {
				return i, closes(text, hi, most)
			}
		case '<':
			if value.IsLetter(value.ByteAt(text, i+1)) && bytes.IndexByte(text[i:lo], '>') < 0 { // within its tag
				return i, value.UpTo(text, hi, most-hi, ">")
			}
		}
	}
	if value.Ends(text[:lo], ">") { // elements side by side
		from, to = max(least, lo-240), min(most, hi+240)
		for _, mark := range [...]string{"</Item>", "\n\n", "</property>", "</entry>"} {
			if i := bytes.LastIndex(text[from:lo], []byte(mark)); i >= 0 {
				from += i
			}
			if i := bytes.Index(text[hi:to], []byte(mark)); i >= 0 {
				to = hi + i
			}
		}
		return from, to
	}
	return r.itemOf(lo, hi, least, most)
}

// closes returns where the brace closes that is open at at.
func closes(text []byte, at, most int) int {
	depth := 0
	for i := at; i < most; i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return most
}

// itemOf returns the bounds of the lines of YAML, or of settings, that are as deep as the one of lo, in the same item of a list.
func (r *run) itemOf(lo, hi, least, most int) (from, to int) {
	text := r.text
	from, to = value.BackTo(text, lo, lo-least, "\n"), value.UpTo(text, hi, most-hi, "\n")
	column := func(line int) (col int, item bool) {
		i := value.Past(text, line, 200, " \t")
		if value.HasPrefixAt(text, i, "- ") {
			return value.Past(text, i+1, 40, " ") - line, true
		}
		return i - line, false
	}
	own, first := column(from)
	for !first && from > least {
		above := value.BackTo(text, from-1, from-1-least, "\n")
		col, item := column(above)
		if len(bytes.TrimSpace(text[above:from])) == 0 || col < own {
			break
		}
		from, first = above, item && col == own
	}
	for to < most {
		below := to + 1
		end := value.UpTo(text, below, most-below, "\n")
		col, item := column(below)
		if below >= most || len(bytes.TrimSpace(text[below:end])) == 0 || col < own || item && col == own {
			break
		}
		to = end
	}
	return from, to
}
