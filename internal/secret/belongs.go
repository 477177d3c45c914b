package secret

import (
	"bytes"
	"strings"
)

// This file says what belongs to a name though it does not stand beside it. A value belongs to a name
//
//   - on the lines below, over empty lines, comments, rules and fences: a heading, a wrapped sentence, a setting whose value comes later;
//   - before it, in the same sentence or line: value is the password, "value", // password;
//   - as another member of the object that the name is the name of, before or behind: {"value": …, "name": NAME}; and where a member
//     says that the object's value is a secret: type: secret, sensitive: true;
//   - in its row or its column of a table: see grid.go.
//
// So far from its name, a value is taken only where it was drawn by lot for all that one can see.

const (
	maxBelow     = 640 // bytes that are looked at below a name
	maxBelowRows = 10  // lines
	maxObject    = 800 // bytes that are looked at on either side for the members of an object
)

// belongs takes the values that belong to the name and stand elsewhere. behind is where the name ends, with what closes it.
func (a *assigned) belongs(behind int) {
	k := a.naming()
	if k.noun < tokenNoun || k.noun == mnemonic || k.not || k.strict || k.authorization {
		return
	}
	if n := a.name(); len(n) >= lotLength && byLotText(n) {
		return // a word within what was drawn by lot itself
	}
	if behind < len(a.r.text) {
		a.beneath(behind)
	}
	a.preceding()
	a.siblings()
	a.cells()
}

// far takes a value that stands apart from its name, if it was drawn by lot.
func (a *assigned) far(f form, from, to int) bool {
	text := a.r.text
	from, to = trimmed(text, from, to, spaces+quotes+"*")
	if i := bytes.IndexByte(text[from:to], '\\'); i > 0 && strings.IndexByte("nrt", byteAt(text, from+i+1)) >= 0 {
		to = from + i // the end of a line that a program writes
	}
	if to-from < lotLength || to-from > maxLook {
		return false
	}
	a.r.spend(8 * (to - from))
	v := text[from:to]
	s := shapeOf(v)
	if i := bytes.IndexByte(bytes.TrimRight(v, "="), '='); i > 0 && i <= 24 && identifierOnly(v[:i]) && (usageOf(v[:i]).letters > 0 || bytes.IndexByte(v[:i], '_') > 0) {
		return false // another name's
	}
	told := f == formTold || f == formSetOff
	if told && a.naming().noun != passNoun && (s.digit == s.n || allHex(v)) {
		return false // of the commit or the sum that a sentence is about too
	}
	if !byLot(v, &s) || standsFor(v) || begins(v, "/", ".", "@") || fileName(v) || told && a.style() == asCode && expression(v) || holds(v, "://") {
		return false
	}
	b := &a.r.far
	*b = *a
	b.take(f, from, to)
	return true
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
	if byteAt(text, at) != '\\' {
		return at + 1
	}
	at += 2
	if i := past(text, at, 1, `"`); i > at {
		if j := past(text, i, 64, spaces+","); byteAt(text, j) == '"' {
			return j + 1
		}
	}
	return at
}

// beneath takes the value on the name's line or on those below.
func (a *assigned) beneath(at int) {
	r, text := a.r, a.r.text
	prose := a.style() == asProse || some(strings.HasSuffix, r.path, ".html", ".htm", ".log", ".out")
	comment := !prose && a.insideComment()
	said := prose || comment && (a.style() != asCode || a.naming().noun == passNoun)
	if said && a.verb() {
		return
	}
	end := r.lineEnd(at)
	r.spend(end - at)
	gap := text[at:end]
	switch {
	case hasValue(gap):
		return
	case said:
		if otherThing(gap) || a.farWord(at, end) {
			return
		}
	case bytes.ContainsFunc(gap, func(c rune) bool { return c < 0x80 && (isLetter(byte(c)) || c == '.') }) && !bytes.ContainsAny(gap, "!&"), !bytes.ContainsAny(gap, ":="):
		return // it has a value, or none
	}
	ended := bytes.Contains(gap, []byte(". "))
	for n, lines := 0, 0; n < maxBelowRows && end < len(text) && end-at < maxBelow; n++ {
		from := nextLine(text, end)
		if end = r.lineEnd(min(from, len(text))); from >= end {
			continue
		}
		r.spend(2 * (end - from))
		lo, hi := trimmed(text, from, end, spaces)
		switch l := text[lo:hi]; {
		case begins(l, "-----"), len(l) > 0 && beginsFold(l, lookUpsBy()[l[0]]...):
			return // a key, which has its own reader, or what is sealed
		case len(l) == 0, only(l, "-=~^*+#_`:.|>/"), begins(l, "```", "~~~", "<!--"), !comment && begins(l, "// ", "/*"), !said && begins(l, "#", ";", "--"):
			continue // also a comment, which says nothing of what is below it
		case a.farLine(lo, hi):
			return
		case !said || len(l) > 200, comment && !begins(l, "#", "//", "*", ";", "--"):
			return
		case prose && begins(l, "#", "="), givesName(l):
			return // of something else
		case !ended && a.farWord(lo, hi):
			return
		}
		ended = ended || bytes.Contains(text[from:end], []byte(". ")) || ends(text[lo:hi], ".")
		if lines++; lines > 2 {
			return
		}
	}
}

// hasValue reports whether what stands behind a name gives it a value, alone on the line, or goes on with what is no sentence.
func hasValue(gap []byte) bool {
	gap = bytes.TrimRight(gap, spaces+",;\"'`")
	if len(gap) > 0 && strings.IndexByte("{([/.\\", gap[0]) >= 0 {
		return true
	}
	v := bytes.TrimLeft(gap, " \t:=\"'`")
	return len(v) > 2 && len(v) < len(gap) && bytes.ContainsAny(gap[:len(gap)-len(v)], ":=") && bytes.IndexByte(v, ' ') < 0 && !only(v, "|>+-*_\\")
}

// otherThing reports whether what stands behind a name makes it the name of another thing: password policy.
func otherThing(gap []byte) bool {
	var buf [32]byte
	gap = bytes.TrimLeft(gap, " *_`")
	w := lower(buf[:], gap[:past(gap, 0, 31, letterSigns)])
	return len(w) > 3 && notAfter[string(w)] && !binding[string(w)]
}

// binding are words behind a noun that bind it to what follows in a sentence.
var binding = wordSet("from with during until after before within always user owner login email host hostname")

// givesName reports whether a line gives a name a value.
func givesName(l []byte) bool {
	l = bytes.TrimLeft(l, "-* \"'`|")
	i := past(l, 0, 40, wordSigns+"-. ")
	return i > 1 && i < len(l)-1 && (l[i] == '=' || l[i] == ':')
}

// farLine takes what stands alone from lo to hi, on a line, less what marks it.
func (a *assigned) farLine(lo, hi int) bool {
	text := a.r.text
	for _, mark := range [...]string{"- ", "* ", "> ", "+ ", "# ", "// ", "; ", ": ", "| "} {
		if hasPrefixAt(text, lo, mark) {
			lo = past(text, lo+len(mark), hi-lo, " ")
		}
	}
	for lo < hi && text[lo] == '<' && isLetter(byteAt(text, lo+1)) { // an element
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
	hi = back(text, hi, 2, ",;")
	return bytes.IndexByte(text[lo:hi], ' ') < 0 && a.far(formBelow, lo, hi)
}

// verb reports whether the name may be a verb of a sentence, or a needle: pass the value on.
func (a *assigned) verb() bool {
	var buf [32]byte
	w := string(lower(buf[:], a.name()))
	return (w == "pass" || w == "passes" || w == "pin" || w == "pins") && string(a.name()) != "PASS"
}

// apart are the bytes that part the words of a sentence.
const apart = spaces + quotes + "<>()[]{},;*|"

// farWord takes the first word between at and end that was drawn by lot, before the sentence ends.
func (a *assigned) farWord(at, end int) bool {
	text := a.r.text
	for at < end {
		if at = past(text, at, end-at, apart); at >= end {
			break
		}
		to := upTo(text, at, end-at, apart)
		if to-at >= lotLength && (at == 0 || strings.IndexByte(spaces+quotes+"<>([*|", text[at-1]) >= 0) {
			lo := at
			if i := bytes.LastIndexAny(text[at:to], "=:"); i >= 0 && i < to-at-1 && identifierOnly(text[at:at+i]) && wordy(text[at:at+i]) > 0 {
				return false // another name's
			}
			if a.far(formTold, lo, back(text, to, 1, ".:!?")) {
				return true
			}
		}
		if ends(text[at:to], ".") && to-at > 3 {
			return false
		}
		at = to
	}
	return false
}

// preceding takes the value that stands before the name on its line, where what is between says so: value is the password.
func (a *assigned) preceding() {
	head := a.r.before(a.lo, 160)
	if len(head) < lotLength+2 || a.verb() || begins(a.r.text[skipBlank(a.r.text, a.hi):], ":", "=") {
		return
	}
	start := a.lo - len(head)
	end := len(head)
	for range 6 {
		end = back(head, end, end, apart+":#/-=.")
		lo := backTo(head, end, end, apart)
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
	return holds(between, " is ", " as ", " # ", "//", "/*", " (", " -- ", " = ", " -> ", " <- ") && !bytes.ContainsAny(between, ".|&:")
}

// valueKeys are what the value of a thing is called whose name is another member.
var valueKeys = wordSet(`
	value val default defaultvalue default_value initialvalue initial_value content contents data current currentvalue current_value text plaintext plain
	stringvalue secretvalue secret_value valuestring v parametervalue
`)

// tellKeys are members that say what sort of thing the value is.
var tellKeys = wordSet("type kind format inputtype input_type input category subtype datatype data_type class widget")

// tells reports whether the name stands where a member says what the object's value is: type: secret, secret: true.
func (a *assigned) tells() bool {
	text := a.r.text
	var buf [32]byte
	hi := back(text, a.lo, 12, quotes+" \\=:")
	lo := back(text, hi, 24, wordSigns+"-")
	if hi < a.lo && bytes.ContainsAny(text[hi:a.lo], ":=") && tellKeys[string(lower(buf[:], text[lo:hi]))] {
		return true
	}
	i := past(text, a.hi, 16, quotes+" \\:=")
	return i > a.hi && bytes.ContainsAny(text[a.hi:i], ":=") && affirmed(text[i:])
}

// affirmed reports whether text begins with a truth.
func affirmed(text []byte) bool {
	return beginsFold(text, "true", "yes", "on\n", "1\n", "1,", "1}") && !isWord(byteAt(text, 4))
}

// siblings takes the value of the object that the name is the name of, or that the name says is secret.
func (a *assigned) siblings() {
	text := a.r.text
	tells := a.tells()
	element := ends(text[:a.lo], ">")
	if !tells && !element && !namesName(text, a.lo) && !(a.closed != 0 && namesName(text, a.lo-1)) {
		return
	}
	lo, hi := a.r.objectOf(a.lo, a.hi)
	a.r.spend(3 * (hi - lo))
	for at := lo; at < hi; {
		i := past(text, at, hi-at, wordSigns+"-")
		if i == at {
			at++
			continue
		}
		key := text[at:i]
		at = i
		var buf [32]byte
		if len(key) > 16 || !valueKeys[string(lower(buf[:], key))] {
			continue
		}
		j := past(text, i, 4, quotes+` \`)
		sign := byteAt(text, j)
		if sign != ':' && sign != '=' && !(sign == '>' && element) {
			continue
		}
		a.siblingValue(skipBlank(text, j+1), hi, tells || element || i > a.hi || !beginsFold(key, "val"))
	}
}

// siblingValue takes the value of a member at at.
func (a *assigned) siblingValue(at, most int, far bool) {
	text := a.r.text
	from, q, escapes := a.r.quote(at)
	to := 0
	switch {
	case q != 0:
		var ok bool
		if to, ok = a.r.closing(from, q, escapes); !ok {
			return
		}
	case byteAt(text, at) == '|' || byteAt(text, at) == '>' && byteAt(text, at-1) == ' ':
		from = past(text, upTo(text, at, 8, "\n"), 80, spaces)
		to = upTo(text, from, max(0, most-from), spaces)
	default:
		from, to = at, upTo(text, at, max(0, most-at), spaces+",<}")
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
			if isLetter(byteAt(text, i+1)) && bytes.IndexByte(text[i:lo], '>') < 0 { // within its tag
				return i, upTo(text, hi, most-hi, ">")
			}
		}
	}
	if ends(text[:lo], ">") { // elements side by side
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
	from, to = backTo(text, lo, lo-least, "\n"), upTo(text, hi, most-hi, "\n")
	column := func(line int) (col int, item bool) {
		i := past(text, line, 200, " \t")
		if hasPrefixAt(text, i, "- ") {
			return past(text, i+1, 40, " ") - line, true
		}
		return i - line, false
	}
	own, first := column(from)
	for !first && from > least {
		above := backTo(text, from-1, from-1-least, "\n")
		col, item := column(above)
		if len(bytes.TrimSpace(text[above:from])) == 0 || col < own {
			break
		}
		from, first = above, item && col == own
	}
	for to < most {
		below := to + 1
		end := upTo(text, below, most-below, "\n")
		col, item := column(below)
		if below >= most || len(bytes.TrimSpace(text[below:end])) == 0 || col < own || item && col == own {
			break
		}
		to = end
	}
	return from, to
}
