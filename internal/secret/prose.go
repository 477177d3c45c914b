package secret

import (
	"bytes"
)

// This file reads values that only a space or a sentence parts from their names.

// spaced reads a value that only a space parts from its name: in commands,
// Dockerfiles, .netrc, defines and settings.
func (a *assigned) spaced(at int) {
	text := a.r.text
	if text[at] == '\n' || text[at] == '\r' || a.useless() || a.lo > 0 && text[a.lo-1] == '=' {
		return // also the name that is a value itself: -field=password path
	}
	if a.account() {
		return
	}
	if h := a.head(); len(h) >= 6 && bytes.EqualFold(h[len(h)-6:], []byte("public")) {
		return // the public key is ...
	}
	// name As String = "value", name by lazy { "value" }, name is value
	if n := at + 3; n < len(text) && (bytes.EqualFold(text[at:n], []byte("as ")) || string(text[at:n]) == "by ") {
		for i := n; i < len(text) && i < n+24 && text[i] != '\n'; i++ {
			if text[i] == '=' || text[i] == '{' || text[i] == '(' {
				a.quotedOnly = true
				a.plain(i + 1)
				return
			}
		}
		return
	} else if n < len(text) && string(text[at:n]) == "is " {
		at = skipBlank(text, n)
		if i, q, e := a.quote(at); q != 0 {
			a.argument = true
			a.quoted(i, q, e)
			return
		}
		a.prose(at)
		return
	}
	flag := a.lo > 0 && text[a.lo] == '-' || a.lo > 1 && text[a.lo-1] == '-'
	if text[at] == '0' && at+2 < len(text) && text[at+1] == ' ' && (a.style() == asConfig || a.naming().noun >= tokenNoun || a.r.lineStarts(a.lo)) {
		// A switch's mark of plain text: the rest of the line is the secret.
		a.kind.noun = passNoun
		from, to := at+2, at+2
		for to < len(text) && to-from < 128 && !isSpace(text[to]) {
			to++
		}
		if v := text[from:to]; a.lineEnds(to) && len(v) >= 6 && !lookUp(v) && !standIn(v) && !sample(v) {
			a.r.add("password-assignment", from, to, rankKeyed)
			return
		}
	}
	if i, q, n := a.quote(at); q != 0 {
		k := a.naming()
		if q == '`' && a.style() == asProse {
			if !a.verb() || drawn(text[i:min(len(text), i+64)]) {
				a.prose(at)
			}
			return
		}
		if (k.strict || q == '`') && !flag || a.closed != 0 && (a.lo == 0 || !isQuote(text[a.lo-1])) {
			return // the second: "...: $TOKEN" "value"
		}
		a.argument = true
		a.quoted(i, q, n)
		return
	}
	// SQL: identified by is read elsewhere; password is, to equal and the like
	// are prose.
	head := a.head()
	word := false
	switch {
	case flag:
	case len(head) >= 6 && bytes.EqualFold(head[len(head)-6:], []byte("setenv")):
	case ends(head, "ENV", "ARG", "setx", "#define", "-gx", "-x", "config set", "secrets set"), a.style() == asConfig && ends(head, " set"):
	case holds(head, "login "), begins(head, "machine ", "default ", "user "):
		word = true
	case a.style() == asConfig && len(head) == 0 && (a.naming().noun >= tokenNoun && !a.naming().strict || string(a.name()) == "key"):
		word = true
	default:
		a.prose(at)
		return
	}
	end := at
	for end < len(text) && end-at < maxValue && !isSpace(text[end]) && text[end] != '"' && text[end] != '\'' && text[end] != '`' && !(text[end] == '<' && end+1 < len(text) && text[end+1] == '/') {
		end++
	}
	a.r.spend(end - at)
	if end < len(text) && text[end] == '\\' {
		return
	}
	v := text[at:end]
	if i := bytes.IndexByte(v, '\\'); i > 0 && !word {
		end = at + i
		v = v[:i]
	}
	if len(v) < 6 || expression(v) || v[0] == '-' || v[0] == '=' || v[0] == '+' {
		return
	}
	if word {
		rest := end
		for rest < len(text) && (text[rest] == ' ' || text[rest] == '\t') {
			rest++
		}
		if len(head) == 0 && rest < len(text) && text[rest] != '\n' && text[rest] != '\r' && text[rest] != '#' {
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
	text := a.r.text
	k := a.naming()
	if h := a.head(); a.verb() || k.not || k.noun == noNoun || k.noun == mnemonic || len(h) >= 6 && bytes.EqualFold(h[len(h)-6:], []byte("public")) {
		return
	}
	most := min(len(text)-2, at+70)
	i := at
	for i < most && text[i] != '\n' && text[i] != '`' && !(text[i] == '*' && text[i+1] == '*') && !(text[i] == '.' && text[i+1] == ' ') && text[i] != '|' {
		i++
	}
	a.r.spend(max(0, i-at))
	if i >= most || text[i] != '`' && text[i] != '*' {
		return
	}
	mark := text[i]
	for i < len(text) && text[i] == mark {
		i++
	}
	end := i
	for end < len(text) && end-i < 200 && text[end] != mark && !isSpace(text[end]) {
		end++
	}
	if end >= len(text) || text[end] != mark || end-i < 8 {
		return
	}
	v := text[i:end]
	s := shapeOf(v)
	a.r.spend(500)
	if expression(v) || isHash(v) || isUUID(v) || hasOrdinary(v) || !commandValue(v) {
		return
	}
	password := k.noun == passNoun && !k.strict && s.digit > 0 && s.lower+s.upper > 3
	drawn := len(v) >= 16 && random(v) && s.digit >= 3 && s.upper > 1 && s.lower > 1 && s.special+s.joint <= 2
	if password || drawn {
		a.r.add("password-assignment", i, end, rankWeak)
	}
}
