package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads values that only a space parts from their name, in commands, settings and sentences.

// pastCopula steps over what stands at at between a name, which ends at gap, and a colon in a sentence: the password is: …; and over Nim's mark.
func pastCopula(text []byte, gap, at int) int {
	if at == gap {
		return pastStar(text, at)
	}
	for _, w := range [...]string{"is", "was", "lautet", "ist", "est", "es", "jest"} {
		if n := at + len(w); n+1 < len(text) && bytes.EqualFold(text[at:n], []byte(w)) {
			if end := value.SkipBlank(text, n); end+1 < len(text) && text[end] == ':' {
				return end
			}
		}
	}
	return at
}

// pastStar steps over Nim's mark of a name that other modules see: name* = "value", name*: string = "value".
func pastStar(text []byte, at int) int {
	i := value.SkipBlank(text, at+1)
	if text[at] == '*' && i+1 < len(text) && text[i+1] == ' ' && (text[i] == '=' && i > at+1 || text[i] == ':') {
		return i
	}
	return at
}

// stored takes the text behind a directive of an assembler's: password db "value".
func (a *assignment) stored(at int) bool {
	end := value.UpTo(a.r.text, at, 16, value.Spaces)
	if !a.stores(a.r.text[at:end]) {
		return false
	}
	a.value(end, formQuoted, true)
	return true
}

// spaced reads a value that only a space parts from its name: in commands, Dockerfiles, .netrc, defines, settings and sentences.
func (a *assignment) spaced(at int) {
	r, text, lo := a.r, a.r.text, a.lo
	flag := a.flag()
	from, q, escapes := r.quote(at)
	if bytes.EqualFold(a.name(), []byte("salt")) { // also a program: salt 'minion' state.apply
		return
	}
	if a.pastType(at) || a.pictured(at) {
		return
	}
	if q == 0 && (a.ofType(at) || !flag && !a.leads(at)) || a.useless() || a.within() || a.account() || a.typed(at) {
		return
	}
	switch {
	case a.namesTag():
		a.tagged(at)
	case q == '`' && a.style() == value.AsProse:
		a.setOff(at)
	case a.worded(at):
	case q != 0:
		end, _ := r.closing(from, q, escapes)
		block := value.HasPrefixAt(text, end, `" {`)                        // resource "aws_key_pair" "main" {
		if a.closed == 0 || lo > 0 && value.IsQuote(text[lo-1]) && !block { // not the second: "...: $TOKEN" "value"
			a.quoted(at, a.definedForm())
		}
	case value.HasPrefixAt(text, at, "0 ") && a.single(at+2) && value.ShapeOf(a.name()).Upper == 0: // a switch's mark of plain text
		a.kind.Noun = value.PassNoun
		a.word(at+2, formSpaced)
	case a.ofUser(at):
		// Its value stands behind the user.
	case flag && text[at] != '-', a.sets():
		a.take(formSpaced, at, r.upTo(at, maxValue, value.Spaces+value.Quotes+"\\<"))
	default:
		if value.HasPrefixAt(text, at, "is ") {
			at = pastInlineTags(text, value.SkipBlank(text, at+3))
		}
		a.told(at)
		if a.closed == 0 && a.style() == value.AsProse {
			a.setOff(at)
		}
	}
}

// worded takes the text in quotes behind a word that says that it is the value: -Value of PowerShell, put: of Smalltalk; true as well where
// there can be none.
func (a *assignment) worded(at int) bool {
	text := a.r.text
	word := ""
	if from, q, escapes := a.r.quote(at); q != 0 && text[a.lo] == '$' {
		_, closes := a.r.closing(from, q, escapes)
		return !closes // a comment of Vim's, behind what stands for the value
	}
	switch {
	case value.BeginsFold(text[at:], "-value "):
		word = "-value "
	case value.HasPrefixAt(text, at, "put: ") && value.Ends(text[:a.lo], "at: #", "at: '", "at: "):
		word = "put: "
	case value.HasPrefixAt(text, at, `s" `) && string(a.head()) == ":": // Forth's
		at, word = at+len("s"), ""
	default:
		return false
	}
	a.quoted(value.SkipBlank(text, at+len(word)), formQuoted)
	return true
}

// types are between a name and its value where a command writes settings: defaults write, reg add, PlistBuddy's Add :Name string value.
var types = [...]string{"-string ", "-data ", "/t REG_SZ /d ", "string ", "ascii-text ", "plain-text "}

// pastType takes the value behind a type; false if none stands at at.
func (a *assignment) pastType(at int) bool {
	text := a.r.text
	for _, t := range types {
		if value.HasPrefixAt(text, at, t) && (t[0] != 's' || a.lo > 0 && text[a.lo-1] == ':') && !a.useless() {
			a.r.name = *a
			from, to := a.r.argument(value.SkipBlank(text, at+len(t)), value.Spaces+value.Quotes)
			a.take(formSpaced, from, to)
			return true
		}
	}
	return false
}

// pictured takes the value behind a picture, as COBOL has it: name PIC X(40) VALUE "value"; false if none stands at at.
func (a *assignment) pictured(at int) bool {
	text := a.r.text
	if !value.BeginsFold(text[at:], "pic ") && !value.BeginsFold(text[at:], "picture ") {
		return false
	}
	i := a.r.upTo(at, 80, value.Quotes+"\n")
	if i < len(text) && value.IsQuote(text[i]) && value.EndsFold(bytes.TrimRight(text[at:i], " "), " value", " value is") && !a.useless() {
		a.r.name = *a
		a.quoted(i, formQuoted)
	}
	return true
}

// definedForm returns the form of a text in quotes behind a space: set(NAME "value"), (setq name "value"), else NAME "value".
func (a *assignment) definedForm() form {
	if a.closed == 0 && a.style() == value.AsCode && value.EndsFold(a.head(), "(set", "set(", "(setq", "(setf", "(def", "(define", "(defvar", "(defconst", "(defparameter") {
		return formQuoted
	}
	return formSpaced
}

// namesTag reports whether the name is that of an element, perhaps in a name space: <wsse:Password.
func (a *assignment) namesTag() bool {
	text := a.r.text
	return value.Ends(text[:value.Back(text, a.lo, 24, value.WordSigns+":-.")], "<") && (a.lo > 0 && strings.IndexByte("<:", text[a.lo-1]) >= 0)
}

// within reports whether the name is a value itself, or a part of a path, or what is public: -field=password path.
func (a *assignment) within() bool {
	return value.Ends(a.r.text[:a.lo], "=", "/") && !a.keyword() || value.EndsFold(a.head(), "public")
}

// keyword reports whether the name is that of a keyword in a name space, which begins with a colon: :auth/token.
func (a *assignment) keyword() bool {
	text := a.r.text
	slash := value.Back(text, a.lo, 1, "/")
	space := value.Back(text, slash, 64, value.WordSigns+"-.")
	return space < slash && slash < a.lo && space > 0 && text[space-1] == ':' && (space == 1 || strings.IndexByte(" {[(\n\t", text[space-2]) >= 0)
}

// mixedWord reports whether the word that v begins with has more in it than small letters behind the first.
func mixedWord(v []byte) bool {
	for i, b := range v {
		if value.IsSpace(b) {
			return false
		}
		if (b < 'a' || b > 'z') && !(i == 0 && value.IsUpper(b)) {
			return true
		}
	}
	return true
}

// leads reports, at little cost, whether what stands at at may be a value, or lead to one: it is no mere word of a sentence.
func (a *assignment) leads(at int) bool {
	text := a.r.text
	return mixedWord(text[at:min(len(text), at+24)]) || a.namesTag() ||
		value.Begins(text[at:], "by ", "is ") || value.BeginsFold(text[at:], "as ") || // name As String = "value", the name is value
		a.style() == value.AsProse || a.style() == value.AsConfig && a.lineStarts()
}

// typeSigns are the bytes of a type's name.
var typeSigns = value.ByteSetOf(value.WordSigns + "*&.[]")

// ofType reads a value in quotes behind a type: name Type = "value", name VARCHAR2(30) := 'value'.
func (a *assignment) ofType(at int) bool {
	text := a.r.text
	if a.closed != 0 {
		return false
	}
	if value.BeginsFold(text[at:], "constant ") {
		at = value.SkipBlank(text, at+len("constant "))
	}
	i := typeSigns.Past(text, at, 48)
	if i > at && value.ByteAt(text, i) == '(' { // a length: name VARCHAR2(30) := 'value'
		i = value.Past(text, value.Past(text, i+1, 24, value.WordSigns+" ,*"), 1, ")")
	}
	if i == at || value.ByteAt(text, i) != ' ' {
		return false
	}
	i = value.SkipBlank(text, i)
	if value.HasPrefixAt(text, i, ":=") {
		i++
	} else if a.style() == value.AsConfig {
		return false
	}
	if i+1 >= len(text) || text[i] != '=' || text[i+1] == '=' || text[i+1] == '>' {
		return false
	}
	a.value(i+1, formQuoted, true)
	return true
}

// typed reads a value behind a type, or what makes it: name As String = "value", name by lazy { "value" }, name is "value".
func (a *assignment) typed(at int) bool {
	text := a.r.text
	if !value.BeginsFold(text[at:], "as ") && !value.HasPrefixAt(text, at, "by ") {
		return false
	}
	at += len("as ")
	if i := bytes.IndexAny(text[at:min(len(text), at+24)], "={(\n"); i >= 0 && text[at+i] != '\n' {
		a.value(at+i+1, formQuoted, true)
	}
	return true
}

// sets reports whether the word before the name, or the name's place, sets it to the word behind it.
func (a *assignment) sets() bool {
	head := a.head()
	return value.EndsFold(head, "setenv", "setx", "setx /m", "setx.exe") || value.Ends(head, "ENV", "ARG", "#define", "-Ux", "-xg", "-gx", "-x", "config set", "secrets set") ||
		a.style() == value.AsConfig && (value.Ends(head, " set") || value.Holds(head, "login ") || value.Begins(head, "machine ", "default ", "user ") ||
			len(head) == 0 && a.single(value.SkipBlank(a.r.text, a.hi)))
}

// ofUser takes the second of two words behind a setting's name, which the first says whose it is: password root value. False if there
// are not two, or the second was not drawn by lot.
func (a *assignment) ofUser(at int) bool {
	text := a.r.text
	if a.style() != value.AsConfig || len(a.head()) > 0 || a.naming().Noun != value.PassNoun {
		return false
	}
	to := value.Past(text, at, 32, value.WordSigns+"-.@")
	from := value.SkipBlank(text, to)
	return to > at && from > to && a.single(from) && a.far(formSpaced, from, value.UpTo(text, from, maxAccount, value.Spaces))
}

// told takes the word that a sentence or a log line tells: using token value, password is value.
func (a *assignment) told(at int) {
	text := a.r.text
	at = value.Past(text, at, len(text), "`*_") // marks of emphasis
	end := a.r.upTo(at, 600, value.Spaces+wordEnders, "**")
	end = value.Back(text, end, end-at, ".:")
	if v := text[at:end]; len(v) >= 6 && mixedWord(v) && !bytes.EqualFold(a.name(), []byte("pass")) { // also a verb
		a.take(formTold, at, end)
	}
}

// setOff takes the value that a sentence about the name sets off: the key for the office tunnel is **value**.
func (a *assignment) setOff(at int) {
	text := a.r.text
	most := min(len(text)-2, at+70)
	from := a.r.upTo(at, most-at, "\n`|", "**", ". ")
	if from >= most || text[from] != '`' && text[from] != '*' {
		return
	}
	mark := string(text[from])
	from = value.Past(text, from, len(text), mark)
	end := value.UpTo(text, from, 200, value.Spaces+mark)
	if (bytes.EqualFold(a.name(), []byte("pass")) || bytes.EqualFold(a.name(), []byte("pin"))) && !value.Drawn(text[from:end]) {
		return // the verb of a sentence: pass `value` to it
	}
	if from-at > 16 && !value.Holds(text[at:from], "is ", "for ", "with ", "as ", "=", ":") && !value.Drawn(text[from:end]) {
		return // of what else the sentence speaks
	}
	if role := value.BackTo(text, from-len(mark), 24, value.Spaces+"`"); value.HasPrefixAt(text, role, ":") && value.Ends(text[:from], ":`") {
		return // of another kind: :user:`value`
	}
	if value.HasPrefixAt(text, end, mark) && mixedWord(text[from:end]) {
		a.take(formSetOff, from, end)
	}
}

// setBefore takes the value that a sentence calls so: `value` as the password, `value` is the key.
func (a *assignment) setBefore() {
	text := a.r.text
	if a.closed == 0 && (text[a.lo] == '.' || a.lo > 0 && text[a.lo-1] == '.') {
		a.defaultBefore()
	}
	if a.closed != 0 || a.style() != value.AsProse {
		return
	}
	i := value.Back(text, a.lo, 60, value.LetterSigns+" ")
	said := text[i:a.lo]
	if i < 8 || text[i-1] != '`' || !value.Begins(said, " as ", " is the ", " is your ", " for the ") || a.useless() {
		return
	}
	to := value.Back(text, i, 3, "`")
	if from := value.BackTo(text, to, 100, value.Spaces+"`"); from > 0 && text[from-1] == '`' && mixedWord(text[from:to]) {
		a.take(formSetOff, from, to)
	}
}

// cell takes the next cell of a table in prose: | name | value |
func (a *assignment) cell(at int) {
	text := a.r.text
	end := a.r.upTo(at, 300, "|\n")
	if value.ByteAt(text, end) != '|' || a.useless() {
		return
	}
	if from, to := value.Trimmed(text, at, end, " `\t"); to-from >= 6 && bytes.IndexByte(text[from:to], ' ') < 0 {
		a.take(formSetOff, from, to)
	}
}
