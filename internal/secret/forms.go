package secret

import (
	"bytes"
	"strings"
)

// This file reads forms: the ways in which a name is given a value. It decides nothing; a value is decided by judge.
//
//	name = value, name: value, "name": "value", name := "value", name => 'value', name == "value"
//	name "value", name - "value", --name value, ENV NAME value, name("value"), "name", "value", name: String = wrap("value")
//	<name>value</name>, <add key="name" value="value"/>, <key>name</key><string>value</string>
//	name Type = "value", name { get; } = "value", and of several names each its own: user, name = "jane", "value"
//	name: NAME, value: value (and as attributes, and as JSON)
//	${NAME:-value}, NAME ?? "value", getenv("NAME", "value"), name: ["value", …], and lists and tables below a name
//	the name is value, the name for it: `value`, | name | value |

// form is how a value stands beside its name.
type form uint8

const (
	formQuoted   form = iota // name = "value", "name": "value"
	formBare                 // name = value, NAME=value
	formWrapped              // name = String("value"), []byte("value")
	formCompared             // name == "value"
	formArgument             // name("value")
	formPair                 // ("name", "value")
	formNext                 // in a list, behind the name: "name", "value", …
	formElement              // <name>value</name>, a cell below the name of a column
	formItem                 // name: ["value", …], and the lines of a list below it
	formMember               // name: {other: "value"}, and the lines of a table below it
	formBelow                // on the lines below the name
	formSpaced               // --name value, NAME 'value'
	formDefault              // ${NAME:-value}, NAME || "value"
	formScheme               // Basic value
	formURL                  // scheme://user:value@host
	formTold                 // the word that a sentence tells: the name is value
	formSetOff               // the same, set off: `value`, **value**, | value |
	formGiven                // what a command, a call or a statement is given that takes one
	forms
)

var formNames = [forms]string{"quoted", "bare", "wrapped", "compared", "argument", "pair", "next", "element", "item", "member", "below", "spaced", "default", "scheme", "URL", "told", "set off", "given"}

// assignmentWords are the literals that the name of a secret holds.
var assignmentWords = []string{
	"pass", "pwd", "pepper", "secret", "token", "key", "auth", "cred", "bearer", "jwt", "session", "sessid", "cookie", "salt", "dsn", "webhook", "mnemonic", "seed",
	"senha", "contrase", "kennwort", "wachtwoord", "_pw", "-pw", "$pw", "art-api", "bindpw", "rootpw", "pw=", "pw =", "pw:", "pw :", "pw\"", "pw'", "psk", " pw ", "sid=", "_pat", "pat:", "pat=", "pat =", "pat\"", "mdp", "pin", "haslo", "pswd", "heslo", "jelsz", "sifre", "parola", "losenord", "passord", "hasło", "şifre", "lösenord",
	"пароль", "Пароль", "ПАРОЛЬ", "пароля", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "סיסמה", "wif ", "wif=", "wif:", "wif\"",
}

const (
	// maxValue bounds a value, in bytes. What is longer is cut there.
	maxValue = 16 << 10
	// maxLook bounds how much of a value is judged, in bytes.
	maxLook = 768
	// maxItems bounds the values read from a list or a table.
	maxItems = 32
)

// assigned is a name whose values are being read.
type assigned struct {
	r      *run
	lo, hi int    // the name
	line   int    // the word that the value's own line begins with, if it is not the name
	closed byte   // the quote that ends the name, 0 = none
	colon  bool   // a colon parts them
	rule   string // what a finding is called; "": by the kind of name

	kind   naming
	judged bool
	st     style
	styled bool
}

// readAssignment looks at a word that names a secret: is it a name that a value is given to?
func readAssignment(r *run, start, end int) {
	text := r.text
	for end > start && !isIdent(text[end-1]) {
		end-- // literals that hold their operator
	}
	for start < end && !isIdent(text[start]) {
		start++
	}
	if end <= r.keyDone {
		return
	}
	lo, hi := r.identifier(start, end)
	r.keyDone = max(hi, r.keyDone)
	r.spend(16 + hi - lo)
	hi = back(text, hi, hi-end, ".-")
	if hi+1 >= len(text) || hi-lo > 2*maxName-8 || r.partOf(lo, hi) {
		return
	}
	r.name = assigned{r: r, lo: lo, hi: hi}
	r.name.read()
}

// partOf reports whether the word is a part of another thing: of the name of a resource, arn:aws:…:secret:name; of the authority
// of a URL, which has its own reader; of an annotation, checksum/secret.
func (r *run) partOf(lo, hi int) bool {
	text := r.text
	switch {
	case endsFold(text[:lo], "checksum/", "/etc/"):
		return true
	case lo > 1 && text[lo-1] == ':' && text[hi] == ':' && isWord(text[lo-2]) && isWord(byteAt(text, hi+1)) && byteAt(text, past(text, hi+1, 64, wordSigns)) == ':':
		return true // of a selector: authenticate(user:password:with:)
	case lo > 2 && text[hi] == ':' && (text[lo-2] == ':' && strings.IndexByte("+!", text[lo-1]) >= 0 || text[lo-1] == ':' && text[lo] == '-'):
		return true // of a list of ciphers: NORMAL:-KX-ALL:+DHE-PSK:+VERS-TLS1.3
	case lo > 1 && text[lo-1] == ':' && text[hi] == ':' && isWord(text[lo-2]) && bytes.IndexByte(text[max(0, lo-64):lo-1], ':') >= 0 && !r.lineStarts(lo):
		return true
	}
	return (text[hi] == ':' || text[hi] == '@') && ends(text[:back(text, lo, 64, wordSigns+"+-%:.")], "://")
}

func (a *assigned) naming() naming {
	if !a.judged {
		a.kind, a.judged = classify(a.r.text[a.lo:a.hi]), true
		a.r.spend(100 + 4*(a.hi-a.lo))
	}
	return a.kind
}

func (a *assigned) style() style {
	if !a.styled {
		a.st, a.styled = a.r.styleAt(a.lo), true
	}
	return a.st
}

// name returns the name's text.
func (a *assigned) name() []byte { return a.r.text[a.lo:a.hi] }

// useless reports whether no value of this name can be a secret.
func (a *assigned) useless() bool {
	k := a.naming()
	return k.not || k.noun == noNoun || a.public() ||
		string(a.name()) == "PASS" && (a.colon || a.closed != 0) || // a verdict
		a.closed != 0 && k.strict && fileName(a.name()) // "secrets.sh": "text"
}

// public reports whether a word before the name on its line says that its value is no secret: Public Key: …,
// PublicKey{ID: 1, Key: …}.
func (a *assigned) public() bool {
	if a.kind.noun != weakNoun {
		return false
	}
	head := a.r.before(a.lo, 64)
	i := max(bytes.LastIndex(head, []byte("ublic")), bytes.LastIndex(head, []byte("UBLIC")))
	if i < 1 || head[i-1]|0x20 != 'p' {
		return false
	}
	rest := head[i+len("ublic"):]
	return string(rest) == " " || hasFold(rest[:min(len(rest), 6)], "key")
}

// assignments part a name from its value; of two, the longer stands first.
var assignments = [...]struct {
	text   string
	form   form
	quoted bool // the value stands in quotes
}{
	{"===", formCompared, false}, {"!==", formCompared, false}, {"==", formCompared, false}, {"!=", formCompared, false},
	{"://", forms, false}, {":::=", formQuoted, false}, {"::=", formQuoted, false}, {":: ", formQuoted, true}, {"::", forms, false}, {":=", formQuoted, false}, {":-", forms, false},
	{"=>", formQuoted, false}, {"=~", forms, false}, {"=", formQuoted, false}, {":", formQuoted, false},
	{"?=", formQuoted, false}, {"??=", formDefault, true}, {"??", formDefault, true}, {"?:", formDefault, true}, {"||=", formDefault, true}, {"||", formDefault, true},
	{"<-", formQuoted, false}, {"+=", formQuoted, true}, {".=", formQuoted, true}, {"->", formQuoted, true},
}

// read finds what stands behind the name, and reads the value there.
func (a *assigned) read() {
	r, text := a.r, a.r.text
	gap := a.close()
	if a.closed != 0 && a.lo > 3 && text[a.lo-1] == a.closed && bytes.HasSuffix(bytes.TrimRight(r.before(a.lo-1, 8), " "), []byte("?")) {
		return // one of two: x ? "pass" : "fail"
	}
	at := skipBlank(text[:min(len(text), gap+64)], gap)
	if at >= len(text) {
		return
	}
	if a.closed == 0 && at > gap {
		at = pastCopula(text, at)
	}
	if a.parallel(at) || a.set(at) {
		return
	}
	a.setBefore()
	switch text[at] {
	case '<', '>', '/':
		a.marked(at)
	case ',':
		a.second(at)
	case '(':
		a.called(at)
	case '{':
		switch {
		case a.accessors(at):
		case text[gap-1] == ')': // fetch("name") { "value" }
			a.value(at+1, formDefault, true)
		case a.closed != 0: // variable "name" { default = "value" }
			a.defaulted(at)
		case at > gap: // tokens { agent = "value" }
			a.members(at + 1)
			fallthrough
		case some(strings.HasSuffix, r.path, ".cpp", ".cc", ".cxx", ".hpp", ".h"):
			a.value(at+1, formQuoted, true)
		default:
			a.value(at+1, formArgument, true)
		}
	case '|':
		if a.style() == asProse {
			a.cell(at + 1)
		}
	case '}':
		if strings.HasSuffix(r.path, ".robot") { // ${PASSWORD}    value
			a.own(at+1, formSpaced)
		}
	case '\n', '\r':
		a.named(at)
	default:
		if a.closed != 0 && (a.attribute(at) || text[gap-1] == ')' || text[gap-1] == ']') {
			return // also the end of a list: (list "a.password") "next", or of a look-up: [d[@"key"] isEqual:d]
		}
		if at > gap {
			a.spaced(at)
		}
	}
}

// parallel reads the value of one of several names that are set together, which has its place: user, name = "jane", "value".
func (a *assigned) parallel(at int) bool {
	text := a.r.text
	if a.closed != 0 || strings.IndexByte(",:=)]", text[at]) < 0 {
		return false
	}
	before := a.before()
	if before < 0 || before == 0 && text[at] != ',' {
		return false
	}
	count := before + 1
	from := at
	for ; count < maxTargets && byteAt(text, at) == ','; count++ {
		i := past(text, at+1, 8, " ")
		if at = past(text, i, 64, targets); at == i {
			return false
		}
		at = skipBlank(text, at)
	}
	a.r.spend(at - from)
	at = skipBlank(text, past(text, at, 1, ")]"))
	at = past(text, at, 1, ":")
	if count < 2 || at+1 >= len(text) || text[at] != '=' || text[at+1] == '=' || text[at+1] == '>' || a.useless() {
		return false
	}
	return a.nth(skipBlank(text, at+1), before, count)
}

// maxTargets bounds the names that are set together.
const maxTargets = 8

// targets are the bytes of what is assigned to: user, c.User, $user, @user.
const targets = wordSigns + ".$@"

// before counts the names before this one in a list of them that begins a statement; -1 if it does not.
func (a *assigned) before() int {
	text, n := a.r.text, 0
	lo := back(text, a.lo, 2, "$@")
	for n < maxTargets {
		i := back(text, lo, 8, " ")
		if i == 0 || text[i-1] != ',' {
			break
		}
		j := back(text, i-1, 8, " ")
		if lo = back(text, j, 64, targets); lo == j {
			return -1
		}
		n++
	}
	a.r.spend(a.lo - lo)
	start := back(text, lo, 8, " \t")
	first := start == 0 || strings.IndexByte("\n([;", text[start-1]) >= 0 || isLetter(text[start-1])
	call := lo > 1 && text[lo-1] == '(' && isIdent(text[lo-2])
	if isDigit(text[lo]) || !first || call {
		return -1
	}
	return n
}

// nth takes the text in quotes that is the nth, from 0 on, of count values at at; false if there are fewer.
func (a *assigned) nth(at, nth, count int) bool {
	text := a.r.text
	at = past(text, at, 1, "([")
	from, to := 0, 0
	for n := range count {
		at = skipBlank(text, at)
		if i, q, escapes := a.r.quote(at); q != 0 {
			end, ok := a.r.closing(i, q, escapes)
			if !ok {
				return false
			}
			if n == nth {
				from, to = i, end
			}
			at = end + 1 + escapes
		} else {
			at = upTo(text, at, 200, ",;()[]{}\n"+quotes)
		}
		if at = skipBlank(text, at); n+1 < count && byteAt(text, at) != ',' {
			return false
		}
		at++
	}
	if to > 0 {
		a.take(formQuoted, from, to)
	}
	return true
}

// set reads the value behind an operator; false if none stands at at.
func (a *assigned) set(at int) bool {
	text := a.r.text
	if n := wideSign(text, at); n > 0 {
		a.value(at+n, formQuoted, false)
		return true
	}
	if text[at] == ':' && isSpace(text[at-1]) && a.bound(at+1) {
		return true
	}
	if text[at] == ':' && a.lo > 1 && text[a.lo-1] == '{' && (text[a.lo-2] == '$' || hasPrefixAt(text, at, ":-")) {
		a.braced(at + 1)
		return true
	}
	if hasPrefixAt(text, at, "- ") && at+2 < len(text) && isQuote(text[at+2]) {
		a.value(at+1, formQuoted, true) // token - "value"
		return true
	}
	if hasPrefixAt(text, at, "or ") && ends(text[:at], ") ", "] ") {
		a.value(at+len("or"), formDefault, true) // getenv("NAME") or "value"
		return true
	}
	if strings.IndexByte("=:!?|<+-.", text[at]) < 0 {
		return false
	}
	for i := range assignments {
		if op := &assignments[i]; hasPrefixAt(text, at, op.text) {
			a.colon = op.text == ":"
			if op.form != forms {
				a.value(at+len(op.text), op.form, op.quoted)
			}
			return true
		}
	}
	return false
}

// bound reports whether the next attribute of an element stands at at, which a program sets: :disabled="busy".
func (a *assigned) bound(at int) bool {
	text := a.r.text
	i := past(text, at, 40, wordSigns+"-.")
	return i > at && byteAt(text, i) == '=' && isQuote(byteAt(text, past(text, i+1, 1, `\`)))
}

// close steps over what closes the name: a quote, perhaps escaped, and brackets.
func (a *assigned) close() int {
	text := a.r.text
	at := past(text[:len(text)-1], a.hi, 4, "\\")
	if isQuote(text[at]) {
		a.closed = text[at]
		at++
	} else {
		at = a.hi
	}
	if byteAt(text, at) == '[' { // secret[16]
		if i := bytes.IndexByte(text[at:min(len(text), at+8)], ']'); i > 0 && identifierOnly(text[at+1:at+i]) {
			at += i + 1
		}
	}
	if a.closed != 0 || a.lo > 0 && text[a.lo-1] == ':' { // also a symbol
		at = past(text, at, len(text), ")]")
	}
	if a.closed == 0 && (hasPrefixAt(text, at, "?:") || hasPrefixAt(text, at, "!:")) {
		at++ // name?: string
	}
	return at
}

// pastCopula steps over what stands between a name and a colon in a sentence: the password is: …
func pastCopula(text []byte, at int) int {
	for _, w := range [...]string{"is", "was", "lautet", "ist", "est", "es", "jest"} {
		if n := at + len(w); n+1 < len(text) && bytes.EqualFold(text[at:n], []byte(w)) {
			if end := skipBlank(text, n); end+1 < len(text) && text[end] == ':' {
				return end
			}
		}
	}
	return at
}

// value reads the value that begins at or behind at; only in quotes, if it is said.
func (a *assigned) value(at int, f form, only bool) {
	text := a.r.text
	start := at
	at = past(text, at, 200, spaces)
	lines := bytes.Count(text[start:at], newline)
	if at >= len(text) || lines > 1 || a.useless() {
		return
	}
	if text[at] == hidden {
		if at = a.pastMark(at); at < 0 {
			return
		}
	}
	if lines == 1 {
		a.below(at, f)
		return
	}
	if a.colon && a.style() == asProse && hasPrefixAt(text, at, "**") { // **Password:** value
		at = skipBlank(text, at+2)
	}
	if hasPrefixAt(text, at, "&'") { // &'static str = "value"
		if i := past(text, at+2, 32, wordSigns); byteAt(text, i) == ' ' {
			at = i
		}
	}
	if a.quoted(at, f) {
		return
	}
	if text[at] == '{' {
		a.members(at + 1)
	}
	if strings.IndexByte("([{", text[at]) >= 0 && a.items(at) {
		return
	}
	if a.bytesOf(at) || a.wrapped(at, f) || only {
		return
	}
	if a.colon && (text[at] == '|' || text[at] == '>') {
		a.block(at)
		return
	}
	a.word(a.pastTag(at), f)
}

// pastTag steps over YAML's tag, or anchor, before a value.
func (a *assigned) pastTag(at int) int {
	if a.colon && a.r.text[at] == '&' && a.style() == asConfig {
		if i := past(a.r.text, at+1, 64, wordSigns); i > at+1 && hasPrefixAt(a.r.text, i, " ") {
			return i + 1
		}
	}
	for _, tag := range [...]string{"!!binary ", "!!str ", "!binary ", "!unsafe "} {
		if a.colon && hasPrefixAt(a.r.text, at, tag) {
			return at + len(tag)
		}
	}
	return at
}

// quoted takes the text in quotes at at; false if none begins there.
func (a *assigned) quoted(at int, f form) bool {
	from, q, escapes := a.r.quote(at)
	if q == 0 {
		return false
	}
	end, ok := a.r.closing(from, q, escapes)
	if !ok && (a.style() != asConfig || q == '`') {
		return true
	}
	if a.closed == 0 && escapes == 0 && a.r.openQuote(a.lo) == q {
		return true // the quote ends the text that the name stands in: "Password: " + next
	}
	if byteAt(a.r.text, skipBlank(a.r.text, end+1+escapes)) == ',' {
		switch f { // the first of several
		case formPair:
			f = formNext
		case formWrapped:
			f = formArgument
		}
	}
	// What does not close in settings: the quote is the value's own, or the text is cut.
	if a.naming().authorization {
		from = a.r.skipScheme(from)
	}
	a.take(f, from, end)
	return true
}

// wrapped reads a value in quotes behind a type, in a call, or as what stands in for one looked up:
// token: string = "value", []byte("value"), env.X ?? "value", getenv("X", "value").
func (a *assigned) wrapped(at int, f form) bool {
	text := a.r.text
	most := min(len(text)-1, at+160)
	i := at
	for ; i < most && text[i] != '\n' && text[i] != ';'; i++ {
		if isQuote(text[i+1]) || text[i+1] == '\\' {
			if _, q, _ := a.r.quote(i + 1); q != 0 {
				a.r.spend(i - at)
				return a.behind(at, i+1, f)
			}
		}
	}
	a.r.spend(i - at)
	return false
}

// behind takes the text in quotes at to if what stands at at before it is a type, a call, or a look-up that it stands in for.
func (a *assigned) behind(at, to int, f form) bool {
	h := bytes.TrimRight(a.r.text[at:to], " ")
	switch {
	case ends(h, "??", "||", " or", "?:"), ends(h, ",") && holds(h, "env", "ENV"):
		a.quoted(to, formDefault)
	case to > at+64 || bytes.ContainsFunc(h, outsideType):
		return false
	case ends(h, "string{"): // a list
		a.quoted(to, formItem)
	case looksUp(h):
		// The text is what the value is called there.
	case ends(h, "(", "{", "(default="):
		a.quoted(to, formWrapped)
	case ends(h, "=") && !ends(h, "==") && f == formQuoted && a.colon && (ends(h, " =") || bytes.IndexByte(h, ' ') < 0):
		a.quoted(to, f)
	default:
		return ends(h, "=") // another name's
	}
	return true
}

// lookUpCalls are calls that are given the name of what they return.
var lookUpCalls = wordSet("get getenv getproperty getstring getparameter getattribute getelementbyid gettext env find lookup query queryselector prompt translate param attr")

// looksUp reports whether h ends where a look-up is given a name: config.get( or $ENV{.
func looksUp(h []byte) bool {
	var buf [32]byte
	n := len(h) - 1
	i := back(h, n, n, wordSigns)
	if h[n] == '{' {
		return i < n && i > 0 && (h[i-1] == '$' || h[i-1] == '@')
	}
	return h[n] == '(' && lookUpCalls[string(lower(buf[:], h[i:n]))]
}

// outsideType reports whether c stands in no type, nor before what a call is given.
func outsideType(c rune) bool {
	return c < 0x80 && !isIdent(byte(c)) && strings.IndexByte(" :([]&*<>|=?{", byte(c)) < 0
}

// word takes the value without quotes that begins at at: in settings to the end of the line, or a comment there, else to what
// ends a word.
func (a *assigned) word(at int, f form) {
	r, text := a.r, a.r.text
	if a.naming().authorization {
		at = r.skipScheme(at)
	}
	if at >= len(text) {
		return
	}
	if f == formQuoted {
		f = formBare
	}
	whole := a.closed == 0 && a.lineStarts() && (a.style() == asConfig || a.style() == asProse && (!a.colon || a.single(at)))
	end := r.wordEnd(at, whole)
	if whole || a.lo > 0 && isQuote(text[a.lo-1]) && a.closed == 0 && !a.colon {
		if to := a.phraseEnd(at, end); to > end {
			a.take(f, at, to)
			return
		}
	}
	end = at + len(folder(text[at:end]))
	tail := ",;.:"
	if whole {
		end = at + len(setting(text[at:end]))
		tail = ",;"
	} else if next := byteAt(text, end); next == '(' || next == '[' || next == '>' && ends(text[at:end], "-") {
		return // a call, a member
	}
	end = back(text, end, end-at, tail)
	if f != formSpaced && a.style() == asCode && end-at < 64 && programName(text[at:end]) && !a.inText() {
		return
	}
	a.take(f, at, end)
}

// programName reports whether v, without quotes in a program, is a name of the program's: token, @token, Token?.
func programName(v []byte) bool {
	v = bytes.TrimSuffix(bytes.TrimPrefix(v, []byte("@")), []byte("?"))
	return len(v) > 0 && isLetter(v[0]) && identifierOnly(v)
}

// wordEnd returns where the word at at ends; whole, where a space follows it.
func (r *run) wordEnd(at int, whole bool) int {
	if at >= r.wordFrom && at < r.wordTo && whole == r.wordWhole {
		return r.wordTo
	}
	end := at
	most := min(len(r.text), at+maxValue)
	for end < most && !isSpace(r.text[end]) && (whole || !endsWord(r.text[end])) {
		end++
	}
	r.spend(2 * (end - at))
	r.wordFrom, r.wordTo, r.wordWhole = at, end, whole
	return end
}

// folder returns the first folder of v where v is the path of a file, and the folder has a number: dir/name=value/file.txt.
func folder(v []byte) []byte {
	if i := bytes.IndexByte(v, '/'); i >= 8 && fileName(v) && shapeOf(v[:i]).digit > 0 {
		return v[:i]
	}
	return v
}

// setting returns what v sets, without the next parameter of a query, or an escape that ends it.
func setting(v []byte) []byte {
	if i := queryEnd(v); i >= 0 {
		return v[:i]
	}
	if i := bytes.IndexByte(v, '\\'); i > 0 && i+1 < len(v) && strings.IndexByte("nr\"", v[i+1]) >= 0 {
		return v[:i]
	}
	return v
}

// phraseEnd returns where a password of words ends whose first ends at end: with the line, or a comment there.
func (a *assigned) phraseEnd(at, end int) int {
	text := a.r.text
	if a.naming().noun != passNoun || byteAt(text, end) != ' ' {
		return end
	}
	signs := "\n\r#"
	if a.lo > 0 && isQuote(text[a.lo-1]) {
		signs += string(text[a.lo-1]) // Environment="NAME=…"
	}
	to := a.r.upTo(end, at+100-end, signs)
	v := bytes.TrimSpace(text[at:to])
	if appPassword(v) || spacedPhrase(v, shapeOf(v), true) && (a.envName() || shapeOf(v).digit > 0) {
		return at + len(v)
	}
	return end
}

// single reports whether one word stands between at and the end of the line.
func (a *assigned) single(at int) bool {
	return a.r.lineEnds(upTo(a.r.text, at, len(a.r.text), spaces))
}

// items takes the texts in quotes behind the bracket at at, one behind the other; false if there is none.
func (a *assigned) items(at int) bool {
	text := a.r.text
	round := text[at] == '('
	at++
	for n := range maxItems {
		at = past(text, at, len(text), spaces+",")
		from, q, escapes := a.r.quote(at)
		if q == 0 {
			return n > 0
		}
		end, ok := a.r.closing(from, q, escapes)
		if !ok {
			return true
		}
		at = skipBlank(text, end+1+escapes)
		next := byteAt(text, at)
		if next == ':' || next == '=' {
			return true // a name of its own
		}
		f := formItem
		if n == 0 && (round || next == '}') {
			f = formQuoted // name = ("value")
		}
		a.take(f, from, end)
	}
	return true
}

// below reads what stands on the line below the name: a text in quotes, or YAML's lists, tables and scalars.
func (a *assigned) below(at int, f form) {
	r, text := a.r, a.r.text
	switch {
	case !a.colon || a.style() == asCode:
		a.quoted(at, f)
		return
	case text[at] == '-':
		a.lines(at)
		return
	case text[at]|0x20 == 'd' && a.defaulted(at), text[at] == '#', r.indent(at) <= r.indent(a.lo):
		return
	}
	a.mapping(at)
	if !a.lineStarts() {
		return
	}
	if i, q, n := r.quote(at); q != 0 {
		if end, ok := r.closing(i, q, n); ok && r.lineEnds(end+1+n) {
			a.take(formBelow, i, end)
		}
		return
	}
	end := r.upTo(at, maxValue, spaces)
	if r.lineEnds(end) && text[end-1] != ':' {
		a.take(formBelow, at, end)
	}
}

// lines takes the lines of a list below the name.
func (a *assigned) lines(at int) {
	text := a.r.text
	for n := 0; n < maxItems && hasPrefixAt(text, at, "- "); n++ {
		end := a.r.upTo(at, maxValue, "\n")
		if from, to := trimmed(text, at+2, end, " \r\"'"); bytes.IndexByte(text[from:to], ':') < 0 {
			a.take(formItem, from, to)
		}
		at = past(text, end, len(text), spaces)
	}
}

// grouped reports whether this name may stand above others whose values are
// secrets: tokens, secrets, apiKey; not key, session or a name with a tail.
func (a *assigned) grouped() bool {
	k := a.naming()
	return (k.noun == tokenNoun || k.noun == passNoun) && !k.strict && !k.authorization && !hasFold(a.name(), "color") // of a design
}

// member takes a value that stands under a name of its own below this one.
func (a *assigned) member(name []byte, from, end int) {
	var buf [32]byte
	k := classify(name[:min(len(name), maxName)])
	w := lastWord(&buf, name)
	if k.not || notAfter[string(w)] || string(w) == "secure" || string(w) == "encrypted" || string(w) == "ciphertext" {
		return
	}
	f := formMember
	if k.noun != noNoun {
		f = formQuoted // Jwt: {Key: "value"}
	}
	a.take(f, from, end)
}

// members takes the values of a table in braces: apiKey: {polygon: "value"}.
func (a *assigned) members(at int) {
	text := a.r.text
	if a.useless() || !a.grouped() {
		return
	}
	most := min(len(text), at+1024)
	for n := 0; n < maxItems && at < most; n++ {
		at = past(text, at, most-at, spaces+quotes+",;")
		lo := at
		for at < most && isIdent(text[at]) {
			at++
		}
		hi := at
		at = past(text, at, most-at, quotes+" ")
		if hi == lo || at+1 >= most || text[at] != ':' && text[at] != '=' {
			break
		}
		from, end, ok := a.r.literal(past(text, at+1, 1, ">"))
		if !ok {
			break
		}
		a.member(text[lo:hi], from, end)
		at = end + 1
	}
	a.r.spend(min(at, most) - a.hi)
}

// mapping takes the values of YAML's table below the name, whose first line is that of at.
func (a *assigned) mapping(at int) {
	text := a.r.text
	if !a.grouped() {
		return
	}
	indent := a.r.indent(at)
	line := at - indent
	for n := 0; n < maxItems && line >= 0 && line < len(text); n++ {
		end := a.r.upTo(line, 400, "\n")
		l := bytes.TrimRight(text[line:end], " \r")
		if len(bytes.TrimLeft(l, " ")) != len(l)-indent {
			return
		}
		if i := bytes.Index(l, []byte(": ")); i > indent && identifierOnly(l[indent:i]) {
			from, to := skipBlank(text, line+i+2), line+len(l)
			if to-from > 2 && isQuote(text[from]) && text[to-1] == text[from] {
				from, to = from+1, to-1
			}
			if from < to && bytes.IndexByte(text[from:to], ' ') < 0 {
				a.member(l[indent:i], from, to)
			}
		}
		line = end + 1
	}
}

// block takes the lines below that are indented: YAML's block.
func (a *assigned) block(at int) {
	text := a.r.text
	i := past(text, at+1, 3, digitSigns+"-+")
	if !a.r.lineEnds(i) {
		return
	}
	nl := bytes.IndexByte(text[i:], '\n')
	if nl < 0 {
		return
	}
	from, first, end, indent := -1, 0, 0, -1
	for line := i + nl + 1; line < len(text) && line-at < maxValue; {
		j := skipBlank(text, past(text, line, 1, "+"))
		stop := upTo(text, j, at+maxValue-j, "\n")
		v := bytes.TrimRight(text[j:stop], " \r")
		if indent < 0 {
			indent = j - line
		}
		spaced := bytes.IndexByte(v, ' ') >= 0
		if j-line < indent || indent == 0 || len(v) == 0 || spaced && (from >= 0 || a.naming().noun != passNoun) {
			break
		}
		end = j + len(v)
		if from < 0 {
			from, first = j, end
		}
		if spaced {
			break // a passphrase
		}
		line = stop + 1
	}
	a.r.spend(max(0, end-at))
	if from < 0 {
		return
	}
	// Of a value of several lines the first tells.
	n := len(a.r.found)
	a.take(formBelow, from, first)
	if len(a.r.found) > n {
		a.r.found[len(a.r.found)-1].end = end
	}
}

// braced takes a default: ${NAME:-value}.
func (a *assigned) braced(at int) {
	text := a.r.text
	if byteAt(text, at) == '?' {
		return // a message
	}
	at = past(text, at, 1, "-")
	end := a.r.upTo(at, 512, "}\n\"")
	if byteAt(text, end) == '}' && end > at && !a.useless() {
		a.take(formDefault, at, end)
	}
}

// defaulted reads the default of a declared variable: of Terraform after its
// name, of CloudFormation below it, of a flag behind it.
func (a *assigned) defaulted(at int) bool {
	text := a.r.text
	if a.useless() {
		return false
	}
	most := min(len(text)-8, at+300)
	for i := at; i < most && text[i] != '}'; i++ {
		if text[i]|0x20 != 'd' || isWord(text[i-1]) || !bytes.EqualFold(text[i:i+7], []byte("default")) {
			continue
		}
		if i = past(text, i+7, most-i-7, " \""); i < most && (text[i] == '=' || text[i] == ':') {
			b := *a
			b.line, b.colon = i, false
			b.own(i+1, formQuoted)
			return true
		}
		return false
	}
	a.r.spend(max(0, most-at))
	return false
}

// own reads a value that stands on a line of its own, behind a word that says so.
func (a *assigned) own(at int, f form) {
	text := a.r.text
	at = skipBlank(text, at)
	if a.quoted(at, f) {
		return
	}
	if a.colon && at < len(text) && (text[at] == '|' || text[at] == '>') {
		a.block(at)
		return
	}
	end := upTo(text, at, maxValue, spaces)
	end = back(text, end, end-at, ",})];")
	if end > at && a.style() != asCode {
		a.take(formBare, at, end)
	}
}

// second reads the text behind a name that is one itself: ("name", "value"), [:name, "value"], {"name", "value"}.
func (a *assigned) second(at int) {
	text, lo := a.r.text, a.lo
	if a.named(at) || text[at-1] == ')' && byteAt(text, skipBlank(text, at+1)) == '(' { // of the next row: ('name'), ('value')
		return
	}
	i := lo - 1
	if a.closed != 0 && i > 0 && text[i] == '/' { // 'system/smtp/password', 'value'
		for i > 0 && lo-i < 64 && (isIdent(text[i]) || text[i] == '/') {
			i--
		}
	}
	if i = back(text, i+1, lo, quotes+"\\ :&") - 1; i < 0 {
		return
	}
	if j := skipBlank(text, at+1); a.closed != 0 && byteAt(text, j)|0x20 == 'd' && a.defaulted(j) {
		return // env("name", default="value"), flag("--name", dest="n", default="value")
	}
	switch {
	case text[i] == '(' && endsFold(text[:i], "flag.string", "flags().string", "fs.string"):
		a.value(at+1, formDefault, true) // what a flag is unless it is set
	case a.closed != 0 && (text[lo] == '-' || text[i] == '['), text[i] == '(', text[i] == '{', // "--token", "value"
		text[lo-1] == ':' && isIdent(text[i]), // set :name, "value"
		hasPrefixAt(text, lo, "CURLOPT_"), begins(a.head(), "buildConfigField", "resValue"):
		a.value(at+1, formPair, true)
	case text[i] == ',' && (a.closed != 0 || isUpper(text[lo])):
		a.value(at+1, formNext, true)
	}
}

// accessors reads what a property is set to, behind how it is accessed: name { get; set; } = "value".
func (a *assigned) accessors(at int) bool {
	text := a.r.text
	end := past(text, at+1, 80, wordSigns+spaces+";")
	if byteAt(text, end) != '}' || !holds(text[at:end], "get;") {
		return false
	}
	if i := skipBlank(text, end+1); byteAt(text, i) == '=' {
		a.value(i+1, formQuoted, true)
	}
	return true
}

// called reads the argument of what has the name: name("value"), or what it is set to: fun name() = "value".
func (a *assigned) called(at int) {
	text := a.r.text
	if hasPrefixAt(text, at, "()") {
		if i := skipBlank(text, at+2); i+1 < len(text) && text[i] == '=' && text[i+1] != '=' {
			a.value(i+1, formQuoted, true)
		}
		return
	}
	a.value(at+1, formArgument, true)
}

// marked reads values in elements: <name>value</name>, <key>name</key><string>value</string>, <a value="value" key="name"/>.
func (a *assigned) marked(at int) {
	text, lo := a.r.text, a.lo
	switch {
	case hasPrefixAt(text, at, "</"):
		a.sibling(at)
	case text[at] == '<', ends(text[:lo], "</"):
		// Another element begins, or this one ends.
	case a.closed != 0 && namesName(text, lo-1):
		a.earlier()
		if text[at] == '>' {
			a.element(at + 1)
		}
	case text[at] == '>' && a.closed == 0 && bytes.IndexByte(a.r.before(lo, 24), '<') >= 0:
		a.element(at + 1)
	}
}

// earlier reads the value that an attribute before the name's gives: <add value="…" key="token"/>.
func (a *assigned) earlier() {
	tag := a.r.before(a.lo, 256)
	tag = tag[bytes.LastIndexByte(tag, '<')+1:]
	if i := bytes.LastIndex(tag, []byte(" value=")); i >= 0 && !a.useless() {
		a.quoted(a.lo-len(tag)+i+len(" value="), formQuoted)
	}
}

// element takes the text of an element.
func (a *assigned) element(at int) { a.elementOf(at, false) }

// elementOf takes the text of an element, in a page only where it is a cell's: else what follows a word is the text's next.
func (a *assigned) elementOf(at int, cell bool) {
	text := a.r.text
	if hasFold(a.name(), "key") && a.hi-a.lo == 3 && strings.HasSuffix(a.r.path, ".plist") {
		return // a name
	}
	if at >= len(text) || a.useless() || !cell && some(strings.HasSuffix, a.r.path, ".html", ".htm") {
		return
	}
	at = past(text, at, 200, spaces)
	// One element more may lie between: <setting name="x"><value>…
	if hasPrefixAt(text, at, "<![CDATA[") {
		at += len("<![CDATA[")
	} else if at+1 < len(text) && text[at] == '<' && text[at+1] != '/' {
		i := bytes.IndexByte(text[at:min(len(text), at+64)], '>')
		if i < 0 {
			return
		}
		at += i + 1
	}
	end := a.r.upTo(at, maxValue, "<", "]]")
	if end >= len(text) || end-at >= maxValue || text[end] == '<' && ends(text[at:end], "=", ":") && byteAt(text, end+1) != '/' {
		return // also <this>: and =<that> of a template
	}
	if v := bytes.TrimSpace(text[at:end]); bytes.IndexByte(v, '\n') < 0 && !(bytes.IndexByte(v, '"') >= 0 && strings.HasSuffix(a.r.path, ".json")) {
		a.take(formElement, at, end)
	}
}

// nameTags are the elements that hold a name.
var nameTags = wordSet("key name string id variable field property code param parametername paramname propertyname optionname label th td dt stringprop")

// sibling reads the value beside a name that is itself a value:
// <key>name</key><string>value</string>.
func (a *assigned) sibling(at int) {
	text := a.r.text
	var buf [32]byte
	i := bytes.IndexByte(text[at:min(len(text), at+40)], '>')
	if i < 0 {
		return
	}
	tag := text[at+2 : at+i]
	cell := len(tag) == 2 // also in a page, and of several words
	lo := a.lo
	if cell {
		lo = back(text, lo, 40, letterSigns+" ")
	}
	if !ends(text[:lo], ">") {
		return
	}
	tag = tag[bytes.LastIndexAny(tag, "-_:.")+1:]
	if !nameTags[string(lower(buf[:], tag))] {
		return // </class> ends what is no name of a value
	}
	at = past(text, at+i+1, len(text), spaces)
	if at+1 < len(text) && text[at] == '<' && isLetter(text[at+1]) {
		if j := bytes.IndexByte(text[at:min(len(text), at+40)], '>'); j > 0 {
			a.elementOf(at+j+1, cell)
		}
	}
}

// attribute reads key="name" value="value" and key="name">value<.
func (a *assigned) attribute(at int) bool {
	text := a.r.text
	i := a.lo - 1
	for i >= 0 && a.lo-i < 64 && (isIdent(text[i]) || text[i] == ':' || text[i] == '/') {
		i-- // the rest of a name in parts: Gateway:ApiKey
	}
	if i = back(text, i+1, a.lo, quotes+"\\") - 1; i < 0 || text[i] != '=' {
		return false
	}
	for j := at; j < len(text) && j < at+120; j++ {
		switch {
		case text[j] == '>':
			if text[j-1] != '/' {
				a.element(j + 1)
			}
			return true
		case text[j] == '<':
			return false
		case beginsFold(text[j:], "value", "content=") && !isWord(text[j-1]):
			i := past(text, j, len(text), letterSigns)
			k := past(text, i, len(text), "= ")
			if k > i && !a.useless() {
				a.quoted(k, formQuoted)
			}
			return true
		}
	}
	return false
}

// nameNames are what the name of a name is called.
var nameNames = wordSet("name key id variable field property parametername parameterkey optionname label secretname env type")

// namesName reports whether the quote at at, or the name, is what an attribute or a member calls the name of a thing:
// <string name="token">, name: TOKEN.
func namesName(text []byte, at int) bool {
	hi := back(text, at, at, quotes+" \\=:")
	lo := back(text, hi, 24, wordSigns)
	var buf [32]byte
	return hi < at && bytes.ContainsAny(text[hi:at], ":=") && nameNames[string(lower(buf[:], text[lo:hi]))]
}

// named reads the value after a name that is itself a value: name: NAME, then value: value. It reports whether the name is one.
func (a *assigned) named(at int) bool {
	text := a.r.text
	if !namesName(text, a.lo) {
		return false
	}
	most := min(len(text)-6, at+160)
	for k := at; k < most && text[k] != '{' && text[k] != '}'; k++ {
		if text[k]|0x20 != 'v' || isWord(text[k-1]) && (text[k] != 'V' || isUpper(text[k-1])) || !beginsFold(text[k:], "val") {
			continue
		}
		i := k + 3
		if beginsFold(text[i:], "ue") {
			i += 2
		}
		i = past(text, i, len(text), quotes+"\\ ")
		if i < len(text) && (text[i] == ':' || text[i] == '=') && !a.useless() {
			b := *a
			b.colon = text[i] == ':'
			if b.style() == asConfig {
				b.line = k
			}
			b.own(i+1, formQuoted)
		}
		return true
	}
	return true
}

// spaced reads a value that only a space parts from its name: in commands, Dockerfiles, .netrc, defines, settings and sentences.
func (a *assigned) spaced(at int) {
	r, text, lo := a.r, a.r.text, a.lo
	flag := text[lo] == '-' || lo > 0 && text[lo-1] == '-'
	from, q, escapes := r.quote(at)
	if bytes.EqualFold(a.name(), []byte("salt")) { // also a program: salt 'minion' state.apply
		return
	}
	if q == 0 && (a.ofType(at) || !flag && !a.leads(at)) || a.useless() || a.within() || a.account() || a.typed(at) {
		return
	}
	switch {
	case lo > 0 && text[lo-1] == '<':
		a.tagged(at)
	case q == '`' && a.style() == asProse:
		a.setOff(at)
	case beginsFold(text[at:], "-value "):
		a.quoted(skipBlank(text, at+len("-value ")), formQuoted)
	case q != 0:
		end, _ := r.closing(from, q, escapes)
		block := hasPrefixAt(text, end, `" {`)                        // resource "aws_key_pair" "main" {
		if a.closed == 0 || lo > 0 && isQuote(text[lo-1]) && !block { // not the second: "...: $TOKEN" "value"
			a.quoted(at, a.definedForm())
		}
	case hasPrefixAt(text, at, "0 ") && a.single(at+2) && shapeOf(a.name()).upper == 0: // a switch's mark of plain text
		a.kind.noun = passNoun
		a.word(at+2, formSpaced)
	case flag && text[at] != '-', a.sets():
		a.take(formSpaced, at, r.upTo(at, maxValue, spaces+quotes+"\\<"))
	default:
		if hasPrefixAt(text, at, "is ") {
			at = skipBlank(text, at+3)
		}
		a.told(at)
		if a.closed == 0 && a.style() == asProse {
			a.setOff(at)
		}
	}
}

// definedForm returns the form of a text in quotes behind a space: set(NAME "value"), (setq name "value"), else NAME "value".
func (a *assigned) definedForm() form {
	if a.closed == 0 && a.style() == asCode && endsFold(a.head(), "(set", "set(", "(setq", "(setf", "(def", "(define", "(defvar", "(defconst", "(defparameter") {
		return formQuoted
	}
	return formSpaced
}

// within reports whether the name is a value itself, or a part of a path, or what is public: -field=password path.
func (a *assigned) within() bool {
	return ends(a.r.text[:a.lo], "=", "/") || endsFold(a.head(), "public")
}

// tagged reads what an element has, or holds, behind an attribute: <Pass encoding="base64">value, <Password value="value"/>.
func (a *assigned) tagged(at int) {
	text := a.r.text
	if hasPrefixAt(text, at, "value=") {
		a.value(at+len("value="), formQuoted, true)
	} else if i := bytes.IndexAny(text[at:min(len(text), at+80)], "<>\n"); i > 0 && text[at+i] == '>' && text[at+i-1] != '/' {
		a.element(at + i + 1)
	}
}

// mixedWord reports whether the word that v begins with has more in it than small letters behind the first.
func mixedWord(v []byte) bool {
	for i, b := range v {
		if isSpace(b) {
			return false
		}
		if (b < 'a' || b > 'z') && !(i == 0 && isUpper(b)) {
			return true
		}
	}
	return true
}

// leads reports, at little cost, whether what stands at at may be a value, or lead to one: it is no mere word of a sentence.
func (a *assigned) leads(at int) bool {
	text := a.r.text
	return mixedWord(text[at:min(len(text), at+24)]) || ends(text[:a.lo], "<") ||
		begins(text[at:], "by ", "is ") || beginsFold(text[at:], "as ") || // name As String = "value", the name is value
		a.style() == asProse || a.style() == asConfig && a.lineStarts()
}

// ofType reads a value in quotes behind a type: name Type = "value".
func (a *assigned) ofType(at int) bool {
	text := a.r.text
	i := past(text, at, 48, wordSigns+"*&.[]")
	if i == at || a.closed != 0 || a.style() == asConfig || byteAt(text, i) != ' ' {
		return false
	}
	if i = skipBlank(text, i); i+1 >= len(text) || text[i] != '=' || text[i+1] == '=' || text[i+1] == '>' {
		return false
	}
	a.value(i+1, formQuoted, true)
	return true
}

// typed reads a value behind a type, or what makes it: name As String = "value", name by lazy { "value" }, name is "value".
func (a *assigned) typed(at int) bool {
	text := a.r.text
	if !beginsFold(text[at:], "as ") && !hasPrefixAt(text, at, "by ") {
		return false
	}
	at += len("as ")
	if i := bytes.IndexAny(text[at:min(len(text), at+24)], "={(\n"); i >= 0 && text[at+i] != '\n' {
		a.value(at+i+1, formQuoted, true)
	}
	return true
}

// sets reports whether the word before the name, or the name's place, sets it to the word behind it.
func (a *assigned) sets() bool {
	head := a.head()
	return endsFold(head, "setenv") || ends(head, "ENV", "ARG", "setx", "#define", "-gx", "-x", "config set", "secrets set") ||
		a.style() == asConfig && (ends(head, " set") || holds(head, "login ") || begins(head, "machine ", "default ", "user ") ||
			len(head) == 0 && a.single(skipBlank(a.r.text, a.hi)))
}

// told takes the word that a sentence or a log line tells: using token value, password is value.
func (a *assigned) told(at int) {
	text := a.r.text
	at = past(text, at, len(text), "`*_") // marks of emphasis
	end := a.r.upTo(at, 600, spaces+wordEnders, "**")
	end = back(text, end, end-at, ".:")
	if v := text[at:end]; len(v) >= 6 && mixedWord(v) && !bytes.EqualFold(a.name(), []byte("pass")) { // also a verb
		a.take(formTold, at, end)
	}
}

// setOff takes the value that a sentence about the name sets off: the key for the office tunnel is **value**.
func (a *assigned) setOff(at int) {
	text := a.r.text
	most := min(len(text)-2, at+70)
	from := a.r.upTo(at, most-at, "\n`|", "**", ". ")
	if from >= most || text[from] != '`' && text[from] != '*' {
		return
	}
	mark := string(text[from])
	from = past(text, from, len(text), mark)
	end := upTo(text, from, 200, spaces+mark)
	if (bytes.EqualFold(a.name(), []byte("pass")) || bytes.EqualFold(a.name(), []byte("pin"))) && !drawn(text[from:end]) {
		return // the verb of a sentence: pass `value` to it
	}
	if from-at > 16 && !holds(text[at:from], "is ", "for ", "with ", "as ", "=", ":") && !drawn(text[from:end]) {
		return // of what else the sentence speaks
	}
	if role := backTo(text, from-len(mark), 24, spaces+"`"); hasPrefixAt(text, role, ":") && ends(text[:from], ":`") {
		return // of another kind: :user:`value`
	}
	if hasPrefixAt(text, end, mark) && mixedWord(text[from:end]) {
		a.take(formSetOff, from, end)
	}
}

// setBefore takes the value that a sentence calls so: `value` as the password, `value` is the key.
func (a *assigned) setBefore() {
	text := a.r.text
	i := back(text, a.lo, 60, letterSigns+" ")
	said := text[i:a.lo]
	if a.closed != 0 || a.style() != asProse || i < 8 || text[i-1] != '`' || !begins(said, " as ", " is the ", " is your ", " for the ") || a.useless() {
		return
	}
	to := back(text, i, 3, "`")
	if from := backTo(text, to, 100, spaces+"`"); from > 0 && text[from-1] == '`' && mixedWord(text[from:to]) {
		a.take(formSetOff, from, to)
	}
}

// cell takes the next cell of a table in prose: | name | value |
func (a *assigned) cell(at int) {
	text := a.r.text
	end := a.r.upTo(at, 300, "|\n")
	if byteAt(text, end) != '|' || a.useless() {
		return
	}
	if from, to := trimmed(text, at, end, " `\t"); to-from >= 6 && bytes.IndexByte(text[from:to], ' ') < 0 {
		a.take(formSetOff, from, to)
	}
}

// bytesOf reads a key written as numbers: aes_key[16] = {0x17, 0xc5, ...}. At
// least sixteen.
func (a *assigned) bytesOf(at int) bool {
	text := a.r.text
	i := upTo(text, at, 40, "{[(\n\"'`;")
	i = past(text, i, at+60-i, spaces+"{[(]123456789")
	if !beginsFold(text[i:], "0x") || !a.ofBytes() {
		return false
	}
	from, end, n := i, i, 0
	var seen bytesIn
	for ; n < 256; n++ {
		b, to := hexByte(text, i)
		if to < 0 {
			break
		}
		seen.add(b)
		i, end = past(text, to, len(text), spaces+",uU"), to
	}
	a.r.spend(2 * (i - at))
	if n < 16 || seen.count()*2 < n || seen[0]&0x3F == 0x3F {
		return false // few, or counted
	}
	a.r.add("secret-assignment", from, end, rankKeyed)
	return true
}

// ofBytes reports whether the name is that of a key made of bytes: no token of a language, and not just key, as tests call it.
func (a *assigned) ofBytes() bool {
	var buf [32]byte
	k, w := a.naming(), lastWord(&buf, a.name())
	return !k.strict && k.noun != mnemonic && (string(w) == "key" || string(w) == "secret") && (len(w) < len(a.name()) || k.noun != weakNoun)
}

// hexByte reads 0x and one or two digits, and returns where it ends; -1 if none stands at at.
func hexByte(text []byte, at int) (byte, int) {
	if at+3 >= len(text) || text[at] != '0' || text[at+1]|0x20 != 'x' || !isHex(text[at+2]) {
		return 0, -1
	}
	b := hexDigit(text[at+2])
	if !isHex(text[at+3]) {
		return b, at + 3
	}
	return b<<4 | hexDigit(text[at+3]), at + 4
}

func hexDigit(b byte) byte {
	if isDigit(b) {
		return b - '0'
	}
	return b | 0x20 - 'a' + 10
}

// lastWord returns the last word of a name in snake or camel case, lower.
func lastWord(buf *[32]byte, name []byte) []byte {
	i := len(name)
	for i > 0 && isLetter(name[i-1]) {
		i--
		if isUpper(name[i]) && !(i > 0 && isUpper(name[i-1])) {
			break
		}
	}
	return lower(buf[:], name[i:])
}

// take has a value judged, without the blanks round it; of a value with marks, each part.
func (a *assigned) take(f form, from, to int) {
	r, text := a.r, a.r.text
	to = min(to, len(text))
	from, to = trimmed(text, from, to, spaces)
	if to-from > 2 && isQuote(text[from]) && text[to-1] == text[from] {
		from, to = from+1, to-1 // quoted once more
	}
	if to-from < 3 || r.pieces(from, to, func(lo, hi int) { a.take(f, lo, hi) }) {
		return
	}
	k := a.naming()
	v := text[from:to]
	if k.noun == weakNoun && hasFold(a.name(), "cookie") && bytes.IndexByte(v[:min(len(v), maxLook)], ';') > 0 {
		for n := 0; n < 64 && from < to; n++ { // name=value; name=value; path=/
			end := upTo(text, from, to-from, ";")
			b := *a
			b.lo, b.judged = past(text, from, end-from, spaces), false
			b.hi = upTo(text, b.lo, end-b.lo, "=")
			if b.hi < end && b.hi-b.lo <= maxName && !b.useless() && bytes.IndexByte(text[b.hi:end], ' ') < 0 {
				b.take(f, b.hi+1, end)
			}
			from = end + 1
		}
		return
	}
	if k.authorization && k.noun == weakNoun || hasFold(a.name(), "userpwd") {
		if i := bytes.IndexByte(v[:min(len(v), 64)], ':'); i > 1 && len(v) > i+4 && identifierOnly(v[:i]) { // user:password
			a.kind.noun, from = passNoun, from+i+1
		}
	}
	r.spend(500 + 52*min(to-from, maxLook))
	r.judge(a, f, from, to)
}
