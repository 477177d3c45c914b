package secret

import (
	"bytes"
	"strings"
)

// This file reads values that only a space or a sentence parts from their names.

// spaced reads a value that only a space parts from its name: in commands,
// Dockerfiles, .netrc, defines and settings.
func (a *assigned) spaced(at int) {
	text := a.r.text
	if breaksAt(text, at) || a.useless() || a.lo > 0 && text[a.lo-1] == '=' {
		return // also the name that is a value itself: -field=password path
	}
	head := a.head()
	if a.account() || endsFold(head, "public") { // the public key is ...
		return
	}
	if a.worded(at) || a.marked(at) || a.spacedQuote(at) {
		return
	}
	// SQL: identified by is read elsewhere; password is, to equal and the like
	// are prose.
	switch {
	case a.flag(), endsFold(head, "setenv"),
		ends(head, "ENV", "ARG", "setx", "#define", "-gx", "-x", "config set", "secrets set"),
		a.style() == asConfig && ends(head, " set"):
		a.bareWord(at, false)
	case holds(head, "login "), begins(head, "machine ", "default ", "user "):
		a.bareWord(at, true)
	case len(head) == 0 && a.style() == asConfig && (a.naming().noun >= tokenNoun && !a.naming().strict || string(a.name()) == "key"):
		a.bareWord(at, true)
	default:
		a.prose(at)
	}
}

// flag reports whether the name is that of a flag.
func (a *assigned) flag() bool {
	text := a.r.text
	return a.lo > 0 && text[a.lo] == '-' || a.lo > 1 && text[a.lo-1] == '-'
}

// worded reads a value that a word stands before: name As String = "value", name by
// lazy { "value" }, name is value. It reports whether one does.
func (a *assigned) worded(at int) bool {
	text := a.r.text
	n := at + 3
	if n >= len(text) {
		return false
	}
	switch word := text[at:n]; {
	case bytes.EqualFold(word, []byte("as ")) || string(word) == "by ":
		if i := upTo(text[:min(len(text), n+24)], n, "={(\n"); i < min(len(text), n+24) && text[i] != '\n' {
			a.quotedOnly = true
			a.plain(i + 1)
		}
	case string(word) == "is ":
		at = skipBlank(text, n)
		if i, q, e := a.quote(at); q != 0 {
			a.argument = true
			a.quoted(i, q, e)
		} else {
			a.prose(at)
		}
	default:
		return false
	}
	return true
}

// marked reads the rest of the line behind a switch's mark of plain text, 0.
func (a *assigned) marked(at int) bool {
	if !hasPrefixAt(a.r.text, at, "0 ") || at+2 == len(a.r.text) ||
		a.style() != asConfig && a.naming().noun < tokenNoun && !a.r.lineStarts(a.lo) {
		return false
	}
	a.kind.noun = passNoun
	from, to := at+2, at+2
	for to < len(a.r.text) && to-from < 128 && !isSpace(a.r.text[to]) {
		to++
	}
	if v := a.r.text[from:to]; !a.lineEnds(to) || len(v) < 6 || lookUp(v) || standIn(v) || sample(v) {
		return false
	}
	a.r.add("password-assignment", from, to, rankKeyed)
	return true
}

// spacedQuote reads a value in quotes, and reports whether a quote opens.
func (a *assigned) spacedQuote(at int) bool {
	text := a.r.text
	i, q, n := a.quote(at)
	switch k := a.naming(); {
	case q == 0:
		return false
	case q == '`' && a.style() == asProse:
		if !a.verb() || drawn(text[i:min(len(text), i+64)]) {
			a.prose(at)
		}
	case (k.strict || q == '`') && !a.flag(), a.closed != 0 && (a.lo == 0 || !isQuote(text[a.lo-1])):
		// the second: "...: $TOKEN" "value"
	default:
		a.argument = true
		a.quoted(i, q, n)
	}
	return true
}

// bareWord reads a value without quotes; last means that, at the start of a line, it
// must end the line.
func (a *assigned) bareWord(at int, last bool) {
	text := a.r.text
	end := at
	for end < len(text) && end-at < maxValue && !isSpace(text[end]) && !isQuote(text[end]) && !hasPrefixAt(text, end, "</") {
		end++
	}
	a.r.spend(end - at)
	if end < len(text) && text[end] == '\\' {
		return
	}
	if i := bytes.IndexByte(text[at:end], '\\'); i > 0 && !last {
		end = at + i
	}
	v := text[at:end]
	if len(v) < 6 || expression(v) || v[0] == '-' || v[0] == '=' || v[0] == '+' {
		return
	}
	if last && len(a.head()) == 0 {
		if rest := skipBlank(text, end); rest < len(text) && !breaksAt(text, rest) && text[rest] != '#' {
			return
		}
	}
	a.judge(at, end, false)
}

// verb reports whether the name is rather the verb of a sentence: pass `value` to it.
func (a *assigned) verb() bool { return bytes.EqualFold(a.name(), []byte("pass")) }

// prose reads a value that a sentence or a log line tells: using token value,
// password is value. It must be one beyond doubt.
func (a *assigned) prose(at int) {
	text := a.r.text
	for at < len(text) && (text[at] == '`' || text[at] == '*' || text[at] == '_') { // marks of emphasis
		at++
	}
	end := at
	for end < len(text) && end-at < 600 && !isSpace(text[end]) && !endsWord(text[end]) && !(text[end] == '*' && text[at-1] == '*') {
		end++
	}
	a.r.spend(end - at)
	for end > at && (text[end-1] == '.' || text[end-1] == ':') {
		end--
	}
	v := text[at:end]
	if len(v) < 8 || expression(v) || isHash(v) || isUUID(v) {
		return
	}
	s := shapeOf(v)
	drawn := len(v) >= 20 && random(v) && s.digit >= 3 && s.special+s.joint <= 2
	if drawn || a.naming().noun == passNoun && a.prosePassword(v, s, end) {
		a.judge(at, end, false)
	}
}

// prosePassword judges what a sentence, after which the text goes on at end, tells
// as a password.
func (a *assigned) prosePassword(v []byte, s shape, end int) bool {
	switch {
	case s.special > 0 && s.digit > 0 && s.upper > 0 && s.lower > 0 && s.joint == 0:
		return true
	case a.style() == asCode:
		return false
	case phrase(v, true), random(v) && s.upper > 2 && s.lower > 2 && wordy(v) == 0:
		return true
	case a.naming().strict || !madeUp(v):
		return false
	case s.digit > 0:
		return a.ends(end)
	}
	return a.style() == asConfig && a.lineEnds(end)
}

// emphasised reads the value that a sentence about the name sets off: the key for
// the office tunnel is **value**.
func (a *assigned) emphasised(at int) {
	k := a.naming()
	if a.verb() || k.not || k.noun == noNoun || k.noun == mnemonic || endsFold(a.head(), "public") {
		return
	}
	from, to := a.emphasis(at)
	if to-from < 8 {
		return
	}
	v := a.r.text[from:to]
	s := shapeOf(v)
	a.r.spend(500)
	if expression(v) || isHash(v) || isUUID(v) || hasOrdinary(v) || !commandValue(v) {
		return
	}
	password := k.noun == passNoun && !k.strict && s.digit > 0 && s.lower+s.upper > 3
	drawn := len(v) >= 16 && random(v) && s.digit >= 3 && s.upper > 1 && s.lower > 1 && s.special+s.joint <= 2
	if password || drawn {
		a.r.add("password-assignment", from, to, rankWeak)
	}
}

// emphasis returns the bounds of the next word of the sentence that marks stand round,
// none where there is none.
func (a *assigned) emphasis(at int) (from, to int) {
	text := a.r.text
	most := min(len(text)-2, at+70)
	from = at
	for from < most && strings.IndexByte("\n`|", text[from]) < 0 && !hasPrefixAt(text, from, "**") && !hasPrefixAt(text, from, ". ") {
		from++
	}
	a.r.spend(max(0, from-at))
	if from >= most || text[from] != '`' && text[from] != '*' {
		return 0, 0
	}
	mark := text[from]
	for from < len(text) && text[from] == mark {
		from++
	}
	to = from
	for to < len(text) && to-from < 200 && text[to] != mark && !isSpace(text[to]) {
		to++
	}
	if to >= len(text) || text[to] != mark {
		return 0, 0
	}
	return from, to
}
