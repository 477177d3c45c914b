package secret

import (
	"bytes"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
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
//
// Lists and tables are read in groups.go, elements in elements.go, what a space parts in spaced.go.

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
	"senha", "contrase", "kennwort", "wachtwoord", "_pw", "-pw", "$pw", "art-api", "bindpw", "rootpw", "pw=", "pw =", "pw:", "pw :", "pw\"", "pw'", "pw>", "pw\t", "pw,", "pw |", "pw)", "pw <", "pw<", "pword", "pwrd", "psw", "pssw", "pasw", "psk", " pw ", "sid=", "_pat", "pat:", "pat=", "pat =", "pat\"", "mdp", "pin", "haslo", "pswd", "heslo", "jelsz", "sifre", "parola", "losenord", "passord", "hasło", "şifre", "lösenord",
	"пароль", "Пароль", "ПАРОЛЬ", "пароля", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "סיסמה", "wif ", "wif=", "wif:", "wif\"",
}

const (
	// maxValue bounds a value, in bytes. What is longer is cut there.
	maxValue = 16 << 10
	// maxItems bounds the values read from a list or a table.
	maxItems = 32
)

// assignment is a name whose values are being read.
type assignment struct {
	r      *run
	lo, hi int    // the name
	line   int    // the word that the value's own line begins with, if it is not the name
	closed byte   // the quote that ends the name, 0 = none
	colon  bool   // a colon parts them
	rule   string // what a finding is called; "": by the kind of name

	kind   value.Naming
	judged bool
	st     value.Style
	styled bool
}

// readAssignment looks at a word that names a secret: is it a name that a value is given to?
func readAssignment(r *run, start, end int) {
	if r.sure {
		return
	}
	text := r.text
	for end > start && !value.IsIdent(text[end-1]) {
		end-- // literals that hold their operator
	}
	for start < end && !value.IsIdent(text[start]) {
		start++
	}
	if end <= r.keyDone {
		return
	}
	lo, hi := value.NameAround(r.text, start, end)
	r.keyDone = max(hi, r.keyDone)
	r.spend(16 + hi - lo)
	hi = value.Back(text, hi, hi-end, ".-")
	if i := bytes.LastIndexByte(text[end:hi], '.'); i >= 0 && hi < len(text) && text[hi] == '(' && adders[string(text[end+i+1:hi])] {
		hi = end + i // password.append("value")
	}
	if hi-lo > 2*value.MaxName-8 {
		return
	}
	if hi+1 >= len(text) { // nothing stands behind it
		r.name = assignment{r: r, lo: lo, hi: hi}
		r.name.belongs(len(text))
		return
	}
	if r.partOf(lo, hi) {
		return
	}
	r.name = assignment{r: r, lo: lo, hi: hi}
	k := r.name.naming()
	r.name.read()
	if k.Noun >= value.TokenNoun {
		r.name = assignment{r: r, lo: lo, hi: hi, kind: k, judged: true}
		r.name.belongs(r.name.close())
	}
}

// adders are methods that add to a text.
var adders = value.WordSet("append push_str concat plus add write write_str")

// partOf reports whether the word is a part of another thing: of the name of a resource, arn:aws:…:secret:name; of the authority
// of a URL, which has its own reader; of an annotation, checksum/secret; of a package.
func (r *run) partOf(lo, hi int) bool {
	text := r.text
	switch {
	case value.EndsFold(text[:lo], "checksum/", "/etc/"):
		return true
	case lo > 1 && text[lo-1] == ':' && text[hi] == ':' && value.IsWord(text[lo-2]) && value.IsWord(value.ByteAt(text, hi+1)) && value.ByteAt(text, value.Past(text, hi+1, 64, value.WordSigns)) == ':':
		return true // of a selector: authenticate(user:password:with:)
	case lo > 2 && text[hi] == ':' && (text[lo-2] == ':' && strings.IndexByte("+!", text[lo-1]) >= 0 || text[lo-1] == ':' && text[lo] == '-'):
		return true // of a list of ciphers: NORMAL:-KX-ALL:+DHE-PSK:+VERS-TLS1.3
	case lo > 1 && text[lo-1] == ':' && text[hi] == ':' && value.IsWord(text[lo-2]) && bytes.IndexByte(text[max(0, lo-64):lo-1], ':') >= 0 && !r.lineStarts(lo):
		return true
	}
	if i := value.Back(text, lo, 1, "/"); i < lo && strings.IndexByte(value.Quotes+`\`, text[hi]) >= 0 && value.Ends(text[:value.Back(text, i, 64, value.NameSigns)], `"@`, `'@`) {
		return true // of a package's name: "@acme/server-token": "workspace:^1.2.0"
	}
	return (text[hi] == ':' || text[hi] == '@') && value.Ends(text[:value.Back(text, lo, 64, value.WordSigns+"+-%:.")], "://")
}

func (a *assignment) naming() value.Naming {
	if !a.judged {
		a.kind, a.judged = a.r.names.classify(a.name()), true
		switch {
		case a.kind.Noun != value.WeakNoun:
		case a.networkKey():
			a.kind.Noun = value.PassNoun
		case a.secretKey():
			a.kind.Noun = value.TokenNoun
		}
		a.r.spend(100 + 4*(a.hi-a.lo))
	}
	return a.kind
}

// secretKey reports whether the name is the second word of two that name a secret: API key, Secret Key.
func (a *assignment) secretKey() bool {
	text := a.r.text
	return a.hi-a.lo <= len("keys") && value.BeginsFold(a.name(), "key") && a.lo > 0 && text[a.lo-1] == ' ' && value.EndsFold(text[:a.lo-1], "api", "secret", "access", "encryption", "signing", "master") ||
		value.EndsFold(text[:a.lo], "login(") && value.ByteAt(text, a.hi) == '=' && string(a.name()) == "key" // wandb.login(key="value")
}

// maxNetwork is how far from a key a network may be named, in bytes.
const maxNetwork = 200

// networkKey reports whether the name is that of a key of a network without wires, which its users type: one that is named stands beside.
func (a *assignment) networkKey() bool {
	name := a.name()
	if !value.EndsFold(name, "key") || value.ByteAt(a.r.text, a.hi) == '>' || len(name) > len("key") && !value.EndsFold(name, ".key", "_key") || a.style() != value.AsConfig || a.kind.Not || a.kind.Strict {
		return false
	}
	text := a.r.text
	a.r.spend(maxNetwork)
	return value.Holds(text[max(0, a.lo-maxNetwork):a.lo], "ssid", "SSID") || value.Holds(text[a.hi:min(len(text), a.hi+maxNetwork)], "ssid", "SSID")
}

func (a *assignment) style() value.Style {
	if !a.styled {
		a.st, a.styled = a.r.styleAt(a.lo), true
	}
	return a.st
}

// name returns the name's text.
func (a *assignment) name() []byte { return a.r.text[a.lo:a.hi] }

// useless reports whether no value of this name can be a secret.
func (a *assignment) useless() bool {
	k := a.naming()
	return k.Not || k.Noun == value.NoNoun || a.public() ||
		string(a.name()) == "PASS" && (a.colon || a.closed != 0) || // a verdict
		a.closed != 0 && k.Strict && value.FileName(a.name()) // "secrets.sh": "text"
}

// public reports whether a word before the name on its line says that its value is no secret: Public Key: …,
// PublicKey{ID: 1, Key: …}.
func (a *assignment) public() bool {
	if a.kind.Noun != value.WeakNoun {
		return false
	}
	head := a.r.before(a.lo, 64)
	i := max(bytes.LastIndex(head, []byte("ublic")), bytes.LastIndex(head, []byte("UBLIC")))
	if i < 1 || head[i-1]|0x20 != 'p' {
		return false
	}
	rest := head[i+len("ublic"):]
	return string(rest) == " " || value.HasFold(rest[:min(len(rest), 6)], "key")
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
func (a *assignment) read() {
	r, text := a.r, a.r.text
	gap := a.close()
	if a.closed != 0 && a.lo > 3 && text[a.lo-1] == a.closed && bytes.HasSuffix(bytes.TrimRight(r.before(a.lo-1, 8), " "), []byte("?")) {
		return // one of two: x ? "pass" : "fail"
	}
	at := value.PastBlanks(text[:min(len(text), gap+64)], gap)
	if at >= len(text) {
		return
	}
	if a.closed == 0 {
		at = pastCopula(text, gap, at)
	}
	if a.assigned(at) {
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
		a.braces(at, gap)
	case '|':
		a.piped(at)
	case ')', ']':
		a.indexed(at)
	case '}':
		a.subscript(at)
	case '.':
		if a.closed != 0 && a.flag() && value.HasPrefixAt(text, at, nextArgument) {
			a.value(at+len(nextArgument), formPair, true)
		}
	case '\n', '\r':
		if !a.named(at) && !a.defines(at) && a.flag() {
			a.itemBelow(at)
		}
	default:
		if a.closed != 0 && (a.deeper(gap, at) || a.attribute(at) || text[gap-1] == ')' || text[gap-1] == ']') {
			return // also the end of a list: (list "a.password") "next", or of a look-up: [d[@"key"] isEqual:d]
		}
		if at > gap && !a.stored(at) {
			a.spaced(at)
		}
	}
}

// assigned reads the value behind what assigns it to the name, alone or with others, or escaped in an address; false if nothing does at at.
func (a *assignment) assigned(at int) bool { return a.parallel(at) || a.escaped(at) || a.set(at) }

// braces reads what stands in the braces that open at at, behind the name, which ends at gap.
func (a *assignment) braces(at, gap int) {
	r, text := a.r, a.r.text
	switch {
	case a.accessors(at):
	case text[gap-1] == ')': // fetch("name") { "value" }
		a.value(at+1, formDefault, true)
	case a.closed != 0: // variable "name" { default = "value" }
		a.defaulted(at)
	case at > gap && (value.Ends(a.head(), "set") || a.flag()): // set name {value}, -name {value}
		if end := a.r.upTo(at+1, 200, "}\n "); value.ByteAt(text, end) == '}' {
			a.take(formQuoted, at+1, end)
		}
	case at > gap: // tokens { agent = "value" }
		a.members(at + 1)
		fallthrough
	case some(strings.HasSuffix, r.path, ".cpp", ".cc", ".cxx", ".hpp", ".h"):
		a.value(at+1, formQuoted, true)
	default:
		a.value(at+1, formArgument, true)
	}
}

// subscript reads the text in quotes that an entry of a table is given, whose name closes at at: $config{name} = 'value'.
func (a *assignment) subscript(at int) {
	text, open := a.r.text, a.lo-1
	if strings.HasSuffix(a.r.path, ".robot") { // ${PASSWORD}    value
		a.own(at+1, formSpaced)
		return
	}
	if some(strings.HasSuffix, a.r.path, ".tex", ".sty", ".cls", ".ltx") {
		a.macro(at + 1)
		return
	}
	if a.closed != 0 {
		open--
	}
	if open < 1 || text[open] != '{' || !value.IsWord(text[open-1]) && text[open-1] != '>' && text[open-1] != '}' {
		return // ${name} stands for the name's value
	}
	i := value.SkipBlank(text, at+1)
	if value.HasPrefixAt(text, i, "||=") || value.HasPrefixAt(text, i, "//=") {
		i += len("||")
	}
	if next := value.ByteAt(text, i+1); value.ByteAt(text, i) == '=' && next != '=' && next != '~' && next != '>' {
		a.value(i+1, formQuoted, true)
	}
}

// maxDeeper bounds the further keys between a name that is one and the value.
const maxDeeper = 4

// deeper reads what an entry below the name's is given: settings["a"]["password"]["user"] = "value". gap is behind the name's bracket.
func (a *assignment) deeper(gap, at int) bool {
	text := a.r.text
	if at != gap || text[gap-1] != ']' {
		return false
	}
	for n := 0; n < maxDeeper && value.ByteAt(text, at) == '['; n++ {
		if index := value.Past(text, at+1, 8, value.DigitSigns); index > at+1 && value.ByteAt(text, index) == ']' {
			at = index + 1 // [0]
			continue
		}
		from, to, ok := a.r.literal(at + 1)
		if !ok || value.ByteAt(text, to+1) != ']' || hashed[string(text[from:to])] || a.r.names.classify(text[from:to]).Not {
			return false
		}
		at = to + len(`"]`)
	}
	i := value.SkipBlank(text, at)
	if at == gap || value.ByteAt(text, i) != '=' || strings.IndexByte("=~>", value.ByteAt(text, i+1)) >= 0 {
		return false
	}
	a.value(i+1, formQuoted, true)
	return true
}

// macro reads what a macro of TeX's is made to stand for, whose name ends before at, or what is set under a name: \newcommand{\name}{value}.
func (a *assignment) macro(at int) {
	text := a.r.text
	if value.ByteAt(text, at) == '{' && !a.useless() {
		if end := a.r.upTo(at+1, maxValue, "{}\n"); value.ByteAt(text, end) == '}' {
			a.take(formQuoted, at+1, end)
		}
	}
}

// indexed reads what an entry is given whose bare name closes at at: set conf(name) {value}, conf[name]='value', DATA(name) = `value`.
func (a *assignment) indexed(at int) {
	text := a.r.text
	if a.closed == 0 && text[at] == ')' && value.EndsFold(a.head(), "(define (") {
		a.value(at+1, formQuoted, true) // a function of Lisp's
		return
	}
	if a.closed != 0 || a.lo < 2 || text[a.lo-1] != '(' && text[a.lo-1] != '[' || !value.IsWord(text[a.lo-2]) {
		return
	}
	i := value.SkipBlank(text, at+1)
	next := value.ByteAt(text, i+1)
	switch {
	case value.ByteAt(text, i) == '=' && strings.IndexByte("=~>", next) < 0:
		inShell := i == at+1 && some(strings.HasSuffix, a.r.path, ".sh", ".bash", ".zsh", ".ksh")
		a.value(i+1, formQuoted, !inShell)
	case i > at+1 && i < len(text) && value.Begins(a.head(), "set ") && text[at] == ')' && !a.useless():
		if text[i] != '{' {
			a.value(i, formQuoted, true)
		} else if end := a.r.upTo(i+1, 200, "}\n "); value.ByteAt(text, end) == '}' {
			a.take(formQuoted, i+1, end)
		}
	}
}

// parallel reads the value of one of several names that are set together, which has its place: user, name = "jane", "value".
func (a *assignment) parallel(at int) bool {
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
	for ; count < maxTargets && value.ByteAt(text, at) == ','; count++ {
		i := value.Past(text, at+1, 8, " ")
		if at = value.Past(text, i, 64, targets); at == i {
			return false
		}
		at = value.SkipBlank(text, at)
	}
	a.r.spend(at - from)
	at = value.SkipBlank(text, value.Past(text, at, 1, ")]"))
	at = value.Past(text, at, 1, ":")
	if count < 2 || at+1 >= len(text) || text[at] != '=' || text[at+1] == '=' || text[at+1] == '>' || a.useless() {
		return false
	}
	return a.nth(value.SkipBlank(text, at+1), before, count)
}

// maxTargets bounds the names that are set together.
const maxTargets = 8

// targets are the bytes of what is assigned to: user, c.User, $user, @user.
const targets = value.WordSigns + ".$@"

// before counts the names before this one in a list of them that begins a statement; -1 if it does not.
func (a *assignment) before() int {
	text, n := a.r.text, 0
	lo := value.Back(text, a.lo, 2, "$@")
	for n < maxTargets {
		i := value.Back(text, lo, 8, " ")
		if i == 0 || text[i-1] != ',' {
			break
		}
		j := value.Back(text, i-1, 8, " ")
		if lo = value.Back(text, j, 64, targets); lo == j {
			return -1
		}
		n++
	}
	a.r.spend(a.lo - lo)
	start := value.Back(text, lo, 8, " \t")
	first := start == 0 || strings.IndexByte("\n([;", text[start-1]) >= 0 || value.IsLetter(text[start-1])
	call := lo > 1 && text[lo-1] == '(' && value.IsIdent(text[lo-2])
	if value.IsDigit(text[lo]) || !first || call {
		return -1
	}
	return n
}

// nth takes the text in quotes that is the nth, from 0 on, of count values at at; false if there are fewer.
func (a *assignment) nth(at, nth, count int) bool {
	text := a.r.text
	at = value.Past(text, at, 1, "([")
	from, to := 0, 0
	for n := range count {
		at = value.SkipBlank(text, at)
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
			at = value.UpTo(text, at, 200, ",;()[]{}\n"+value.Quotes)
		}
		if at = value.SkipBlank(text, at); n+1 < count && value.ByteAt(text, at) != ',' {
			return false
		}
		at++
	}
	if to > 0 {
		a.take(formQuoted, from, to)
	}
	return true
}

// flag reports whether the name is a flag's, whose value is the next word of the command.
func (a *assignment) flag() bool { return a.r.text[a.lo] == '-' || a.lo > 0 && a.r.text[a.lo-1] == '-' }

// set reads the value behind an operator; false if none stands at at.
func (a *assignment) set(at int) bool {
	text := a.r.text
	if n := value.WideSign(text, at); n > 0 {
		a.value(at+n, formQuoted, false)
		return true
	}
	if text[at] == ':' && value.IsSpace(text[at-1]) && a.bound(at+1) {
		return true
	}
	if text[at] == ':' && a.lo > 1 && text[a.lo-1] == '{' && (text[a.lo-2] == '$' || value.HasPrefixAt(text, at, ":-")) {
		a.braced(at + 1)
		return true
	}
	if value.HasPrefixAt(text, at, "=3A ") { // a colon, as mails write it
		a.value(at+len("=3A "), formQuoted, false)
		return true
	}
	if value.HasPrefixAt(text, at, "- ") && at+2 < len(text) && value.IsQuote(text[at+2]) {
		a.value(at+1, formQuoted, true) // token - "value"
		return true
	}
	if value.HasPrefixAt(text, at, "or ") && value.Ends(text[:at], ") ", "] ") {
		a.value(at+len("or"), formDefault, true) // getenv("NAME") or "value"
		return true
	}
	if value.HasPrefixAt(text, at, "to ") && text[at-1] == ' ' {
		switch {
		case a.closed != 0 && a.style() == value.AsCode:
			a.value(at+len("to"), formPair, true) // a pair of Kotlin's
			return true
		case a.closed == 0 && value.EndsFold(a.head(), "set", "set the"):
			a.value(at+len("to"), formQuoted, true) // set name to "value", of AppleScript's and of tests in sentences
			return true
		}
	}
	if strings.IndexByte("=:!?|<+-.", text[at]) < 0 {
		return false
	}
	if value.HasPrefixAt(text, at, "::") && value.IsUpper(text[a.lo]) && a.closed == 0 {
		a.constructed(at + len("::"))
	}
	if value.HasPrefixAt(text, at, ":: ") {
		a.term(at + 2)
	}
	for i := range assignments {
		if op := &assignments[i]; value.HasPrefixAt(text, at, op.text) {
			a.colon = op.text == ":"
			if op.form != forms {
				a.value(at+len(op.text), op.form, op.quoted)
			}
			return true
		}
	}
	return false
}

// term takes the bare value behind two colons: LDIF's, in base64, and that of a list of terms, - name :: value.
func (a *assignment) term(at int) {
	item := a.style() == value.AsProse && len(bytes.Trim(a.r.before(a.lo, 64), " -*+")) == 0
	if i := value.SkipBlank(a.r.text, at); (item || a.style() == value.AsConfig) && !a.useless() && !value.IsQuote(value.ByteAt(a.r.text, i)) {
		a.far(formQuoted, i, value.UpTo(a.r.text, i, value.MaxLook, value.Spaces))
	}
}

// makers are functions of a type that make one of a text.
var makers = value.WordSet("new from from_str of create parse make wrap fromString fromText fromPlainText unsafePlainText plainText valueOf")

// constructed takes what a type of the name is made of: Secret::new("value"), SecretString::from("value").
func (a *assignment) constructed(at int) {
	text := a.r.text
	end := value.Past(text, at, 16, value.WordSigns)
	if value.ByteAt(text, end) != '(' || !makers[string(text[at:end])] || a.naming().Not || a.naming().Noun < value.TokenNoun {
		return
	}
	if from, to, ok := a.r.literal(end + 1); ok {
		b := *a
		b.kind.Strict = false // SecretString is no other thing than a secret
		b.far(formArgument, from, to)
	}
}

// bound reports whether the next attribute of an element stands at at, which a program sets: :disabled="busy".
func (a *assignment) bound(at int) bool {
	text := a.r.text
	i := value.Past(text, at, 40, value.WordSigns+"-.")
	return i > at && value.ByteAt(text, i) == '=' && value.IsQuote(value.ByteAt(text, value.Past(text, i+1, 1, `\`)))
}

// close steps over what closes the name: a quote, perhaps escaped, and brackets.
func (a *assignment) close() int {
	text := a.r.text
	at := value.Past(text[:len(text)-1], a.hi, maxEscapes, `\`)
	if value.IsQuote(text[at]) {
		a.closed = text[at]
		at++
	} else {
		at = a.hi
	}
	if a.closed == 0 && text[at] == '*' && at == a.hi && a.lo > 0 && text[a.lo-1] == '*' && value.ByteAt(text, at+1) == ' ' && value.ByteAt(text, a.lo-2) != '*' {
		at++ // *password*, as Lisp writes what is global
	}
	if value.ByteAt(text, at) == '[' { // secret[16]
		if i := bytes.IndexByte(text[at:min(len(text), at+8)], ']'); i > 0 && value.IdentifierOnly(text[at+1:at+i]) {
			at += i + 1
		}
	}
	if a.closed != 0 || a.lo > 0 && text[a.lo-1] == ':' { // also a symbol
		at = value.Past(text, at, len(text), ")]")
	}
	if a.closed == 0 && (value.HasPrefixAt(text, at, "?:") || value.HasPrefixAt(text, at, "!:")) {
		at++ // name?: string
	}
	return at
}

// value reads the value that begins at or behind at; only in quotes, if it is said.
func (a *assignment) value(at int, f form, only bool) {
	text := a.r.text
	start := at
	at = value.PastBlanks(text, value.Past(text, at, 200, value.Spaces))
	lines := bytes.Count(text[start:at], value.Newline)
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
	if a.colon && a.style() == value.AsProse && value.HasPrefixAt(text, at, "**") { // **Password:** value
		at = value.SkipBlank(text, at+2)
	}
	if a.setApart(at, f) {
		return
	}
	if value.HasPrefixAt(text, at, "&'") { // &'static str = "value"
		if i := value.Past(text, at+2, 32, value.WordSigns); value.ByteAt(text, i) == ' ' {
			at = i
		}
	}
	if a.colon {
		at = pastArrayType(text, at)
	}
	at = pastJoin(text, at)
	if a.quoted(at, f) {
		return
	}
	if a.colon && text[at] == '*' && value.ByteAt(text, at+1) == '"' && a.quoted(at+1, f) { // CUE's default: name: *"value" | string
		return
	}
	if text[at] == '{' {
		if a.colon && a.style() == value.AsConfig {
			a.defaulted(at)
		}
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

// setApart takes a value that is no text behind its name: between tags of a page, on lines down to a word, or sign by sign.
func (a *assignment) setApart(at int, f form) bool {
	return a.board(at, f) || a.hereText(at) || a.characters(at)
}

// raw takes the text that OCaml writes without escapes, {|value|} or {id|value|id}; false if none begins at at.
func (a *assignment) raw(at int, f form) bool {
	text := a.r.text
	if value.ByteAt(text, at) != '{' || a.style() != value.AsCode {
		return false
	}
	from := value.Past(text, at+1, 16, value.LetterSigns+"_")
	if value.ByteAt(text, from) != '|' {
		return false
	}
	end := a.r.upTo(from+1, maxValue, "|\n")
	if !value.HasPrefixAt(text, end+1, string(text[at+1:from])+"}") {
		return false
	}
	a.take(f, from+1, end)
	return true
}

// boardTags are the tags that say how words look.
var boardTags = value.WordSet("b i u s tt code pre quote mono")

// inlineTags are the elements that say how words of a page look.
var inlineTags = value.WordSet("b i u s tt code pre kbd samp mark strong em span font small")

// pastInlineTags steps over the tags of a page, and what they have, that say how the words behind them look.
func pastInlineTags(text []byte, at int) int {
	for range 4 {
		name := value.Past(text, at, 2, "</")
		end := value.Past(text, name, 8, value.LetterSigns)
		if value.ByteAt(text, at) != '<' || !inlineTags[string(text[name:end])] {
			break
		}
		if end = value.UpTo(text, end, 80, "<>\n"); value.ByteAt(text, end) != '>' {
			break
		}
		at = value.SkipBlank(text, end+1)
	}
	return at
}

// board takes a value between the tags of a page's or a board's markup: <b>Password:</b> <code>value</code>, [b]Password:[/b] [code]value[/code];
// false if no tag stands at at.
func (a *assignment) board(at int, f form) bool {
	text := a.r.text
	if from := pastInlineTags(text, at); from > at && a.colon && a.style() != value.AsConfig {
		a.take(f, from, value.UpTo(text, from, value.MaxLook, value.Spaces+"<"))
		return true
	}
	if !a.colon || a.style() != value.AsProse {
		return false
	}
	from := pastBoardTags(text, at)
	if from > at {
		a.take(f, from, value.UpTo(text, from, value.MaxLook, value.Spaces+"["))
	}
	return from > at
}

// pastBoardTags steps over the tags of a board's markup, in brackets.
func pastBoardTags(text []byte, at int) int {
	for range 4 {
		end := value.Past(text, value.Past(text, at+1, 1, "/"), 8, value.LetterSigns)
		if value.ByteAt(text, at) != '[' || value.ByteAt(text, end) != ']' || !boardTags[string(bytes.TrimLeft(text[at+1:end], "/"))] {
			break
		}
		at = value.SkipBlank(text, end+1)
	}
	return at
}

// pastArrayType steps over the type of bytes before a text in quotes: name: &[u8; 32] = b"value".
func pastArrayType(text []byte, at int) int {
	i := value.Past(text, at, 2, "& ")
	if value.ByteAt(text, i) != '[' {
		return at
	}
	i = value.SkipBlank(text, value.Past(text, value.Past(text, i+1, 40, value.WordSigns+"; "), 1, "]"))
	if value.ByteAt(text, i) != '=' || value.ByteAt(text, i+1) != ' ' || text[value.Back(text, i, 1, " ")-1] != ']' {
		return at
	}
	i = value.Past(text, value.SkipBlank(text, i+1), 1, "*")
	if to := pastPrefix(text, i); value.ByteAt(text, to) == '"' {
		return i
	}
	return at
}

// pastTag steps over YAML's tag, or anchor, before a value.
func (a *assignment) pastTag(at int) int {
	if a.colon && a.r.text[at] == '&' && a.style() == value.AsConfig {
		if i := value.Past(a.r.text, at+1, 64, value.WordSigns); i > at+1 && value.HasPrefixAt(a.r.text, i, " ") {
			return i + 1
		}
	}
	for _, tag := range [...]string{"!!binary ", "!!str ", "!binary ", "!unsafe "} {
		if a.colon && value.HasPrefixAt(a.r.text, at, tag) {
			return at + len(tag)
		}
	}
	return at
}

// quoted takes the text in quotes at at; false if none begins there.
func (a *assignment) quoted(at int, f form) bool {
	from, q, escapes := a.r.quote(at)
	if q == 0 {
		return a.raw(at, f)
	}
	end, ok := a.r.closing(from, q, escapes)
	if !ok && (a.style() != value.AsConfig || q == '`') {
		return true
	}
	if a.closed == 0 && escapes == 0 && a.r.openQuote(a.lo) == q {
		return true // the quote ends the text that the name stands in: "Password: " + next
	}
	if sign := value.SkipBlank(a.r.text, end+1+escapes); value.ByteAt(a.r.text, sign) == ',' && !namedArgument(a.r.text, sign+1) {
		switch f { // the first of several
		case formPair:
			if !a.flag() {
				f = formNext
			}
		case formWrapped:
			f = formArgument
		}
	}
	// What does not close in settings: the quote is the value's own, or the text is cut.
	if a.naming().Authorization {
		from = a.r.skipScheme(from)
	}
	a.take(f, from, end)
	return true
}

// namedArgument reports whether an argument with its name stands at at: path=x.
func namedArgument(text []byte, at int) bool {
	at = value.SkipBlank(text, at)
	end := value.Past(text, at, 40, value.WordSigns)
	return end > at && value.ByteAt(text, end) == '=' && value.ByteAt(text, end+1) != '='
}

// wrapped reads a value in quotes behind a type, in a call, or as what stands in for one looked up:
// token: string = "value", []byte("value"), env.X ?? "value", getenv("X", "value").
func (a *assignment) wrapped(at int, f form) bool {
	text := a.r.text
	most := min(len(text)-1, at+160)
	i := at
	for ; i < most && text[i] != '\n' && text[i] != ';'; i++ {
		if value.IsQuote(text[i+1]) || text[i+1] == '\\' {
			if _, q, _ := a.r.quote(i + 1); q != 0 {
				a.r.spend(i - at)
				return a.behind(at, backOverPrefix(text, i+1), f)
			}
		}
	}
	a.r.spend(i - at)
	return false
}

// backOverPrefix returns where the string begins whose quote stands at at, with r or b before it: b"…", r#"…"#.
func backOverPrefix(text []byte, at int) int {
	i := value.Back(text, value.Back(text, at, 8, "#"), 2, "rb")
	if i < at && i > 0 && text[i-1] == ' ' && pastPrefix(text, i) == at {
		return i
	}
	return at
}

// behind takes the text in quotes at to if what stands at at before it is a type, a call, or a look-up that it stands in for.
func (a *assignment) behind(at, to int, f form) bool {
	h := bytes.TrimRight(a.r.text[at:to], " ")
	switch {
	case value.Ends(h, "??", "||", " or", "?:"), value.Ends(h, ",") && value.Holds(h, "env", "ENV"):
		a.quoted(to, formDefault)
	case to > at+64 || slices.ContainsFunc(withoutBang(h), outsideType):
		return false
	case value.Ends(h, "string{"): // a list
		a.quoted(to, formItem)
	case looksUp(h):
		// The text is what the value is called there.
	case value.Ends(h, "(", "{", "(default="):
		a.quoted(to, formWrapped)
	case f == formQuoted && (a.applies(h) || a.stores(h)):
		a.quoted(to, formWrapped)
	case value.Ends(h, "=") && !value.Ends(h, "==") && f == formQuoted && a.colon && (value.Ends(h, " =") || bytes.IndexByte(h, ' ') < 0 || declares(h)):
		a.quoted(to, f)
	default: // another name's, perhaps behind a value
		return value.Ends(h, "=") && !(a.style() == value.AsConfig && byLotText(h[:value.UpTo(h, 0, len(h), value.Spaces)]))
	}
	return true
}

// declares reports whether h is a type of Ada's or Pascal's, and what sets a variable of it: name : constant String := "value".
func declares(h []byte) bool {
	kind, ok := bytes.CutSuffix(h, []byte(" :="))
	return ok && len(kind) > 0 && (value.BeginsFold(kind, "constant ") || value.IsUpper(kind[0])) && value.Only(kind, value.WordSigns+" ._()")
}

// lookUpCalls are calls that are given the name of what they return.
var lookUpCalls = value.WordSet("get getenv getproperty getstring getparameter getattribute getelementbyid gettext env find lookup query queryselector prompt translate param attr")

// applies reports whether h is a function that is handed what stands behind it, in a language that writes no bracket: lib.mkForce "value".
func (a *assignment) applies(h []byte) bool {
	return len(h) > 0 && value.Only(h, value.WordSigns+".'") && value.IsLetter(h[0]) && some(strings.HasSuffix, a.r.path, ".nix", ".hs", ".elm", ".purs", ".dhall", ".ml", ".fs", ".fsx")
}

// storing are the directives of assemblers that a text stands behind.
var storing = value.WordSet(".ascii .asciz .asciiz .string .string8 db dc.b .byte byte")

// stores reports whether h is such a directive, in a program of an assembler's.
func (a *assignment) stores(h []byte) bool {
	return storing[string(h)] && some(strings.HasSuffix, a.r.path, ".s", ".S", ".asm", ".inc", ".nasm")
}

// looksUp reports whether h ends where a look-up is given a name: config.get( or $ENV{.
func looksUp(h []byte) bool {
	var buf [32]byte
	if call, ok := bytes.CutSuffix(h, []byte("(")); ok {
		return lookUpCalls[string(value.Lower(buf[:], call[value.Back(call, len(call), len(call), value.WordSigns):]))]
	}
	name, ok := bytes.CutSuffix(h, []byte("{"))
	i := value.Back(name, len(name), len(name), value.WordSigns)
	return ok && i < len(name) && value.Ends(name[:i], "$", "@")
}

// withoutBang returns h without the sign that ends the name of a macro of Rust's which is called: concat!(.
func withoutBang(h []byte) []byte {
	if i := bytes.IndexByte(h, '!'); i > 0 && i == len(h)-len("!(") && value.IsWord(h[i-1]) {
		return h[:i]
	}
	return h
}

// outsideType reports whether b stands in no type, nor before what a call is given.
func outsideType(b byte) bool {
	return !value.IsIdent(b) && strings.IndexByte(" :([]&*<>|=?{", b) < 0
}

// word takes the value without quotes that begins at at: in settings to the end of the line, or a comment there, else to what
// ends a word.
func (a *assignment) word(at int, f form) {
	r, text := a.r, a.r.text
	if a.naming().Authorization {
		at = r.skipScheme(at)
	}
	if at >= len(text) {
		return
	}
	if f == formQuoted {
		f = formBare
	}
	whole := a.closed == 0 && a.lineStarts() && (a.style() == value.AsConfig || a.style() == value.AsProse && (!a.colon || a.single(at)))
	end := r.wordEnd(at, whole)
	if text[at-1] == '=' && a.connects() {
		end = r.bracketed(at, end)
	}
	inQuotes := a.lo > 0 && value.IsQuote(text[a.lo-1]) && a.closed == 0 && !a.colon
	if whole || inQuotes || a.naming().Noun == value.Mnemonic {
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
	} else if next := value.ByteAt(text, end); next == '(' || next == '[' || next == '>' && value.Ends(text[at:end], "-") {
		return // a call, a member
	}
	end = value.Back(text, end, end-at, tail)
	if f != formSpaced && !a.queried(at, end) && a.ofProgram(at, end) {
		return
	}
	a.take(f, at, end)
}

// programName reports whether v, without quotes in a program, is a name of the program's: token, @token, Token?.
func programName(v []byte) bool {
	v = bytes.TrimSuffix(bytes.TrimPrefix(v, []byte("@")), []byte("?"))
	return len(v) > 0 && value.IsLetter(v[0]) && value.IdentifierOnly(v)
}

// ofProgram reports whether what stands from at to end, without quotes, is a name of the program that it stands in.
func (a *assignment) ofProgram(at, end int) bool {
	return a.style() == value.AsCode && end-at < 64 && programName(a.r.text[at:end]) && !a.inText()
}

// queried reports whether the name is a parameter of an address' query, where what was drawn by lot is a key: ?key=value.
func (a *assignment) queried(at, end int) bool {
	head := a.r.before(a.lo, 200)
	if !value.Ends(head, "&", "?") || !bytes.Contains(head[bytes.LastIndexByte(head, ' ')+1:], []byte("://")) {
		return false
	}
	if v := a.r.text[at:end]; a.kind.Noun == value.WeakNoun && !a.kind.Not && byLotText(v) && !value.AllHex(v) {
		a.kind.Noun = value.TokenNoun
	}
	return true
}

// connects reports whether the name is one of a connection's settings, behind another: Server=db;Password=value.
func (a *assignment) connects() bool {
	return a.closed == 0 && value.Ends(a.r.text[:value.Back(a.r.text, a.lo, 8, value.LetterSigns+" ")], ";")
}

// bracketed returns where the word at at ends that ends at end, if brackets within it are its own: ab(c)d.
func (r *run) bracketed(at, end int) int {
	for most := at + value.MaxLook; end < most && end+1 < len(r.text); {
		i := strings.IndexByte(")]}", r.text[end])
		if i < 0 || bytes.IndexByte(r.text[at:end], "([{"[i]) <= 0 || bytes.IndexByte(r.text[at:end], r.text[end]) >= 0 {
			break
		}
		next := value.Past(r.text, end, 1, ")]}")
		end = r.wordEnd(next, false)
	}
	return end
}

// wordEnd returns where the word at at ends; whole, where a space follows it.
func (r *run) wordEnd(at int, whole bool) int {
	if at >= r.wordFrom && at < r.wordTo && whole == r.wordWhole {
		return r.wordTo
	}
	end := at
	most := min(len(r.text), at+maxValue)
	for end < most && !value.IsSpace(r.text[end]) && (whole || !endsWord(r.text[end])) {
		end++
	}
	r.spend(2 * (end - at))
	r.wordFrom, r.wordTo, r.wordWhole = at, end, whole
	return end
}

// folder returns the first folder of v where v is the path of a file, and the folder has a number: dir/name=value/file.txt.
func folder(v []byte) []byte {
	if i := bytes.IndexByte(v, '/'); i >= 8 && value.FileName(v) && value.ShapeOf(v[:i]).Digit > 0 {
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

const (
	leastPhrase = 12  // words of a phrase that a wallet is made anew from
	maxPhrase   = 300 // bytes of one
)

// phraseEnd returns where a password of words ends whose first ends at end: with the line, or a comment there.
func (a *assignment) phraseEnd(at, end int) int {
	text := a.r.text
	if value.ByteAt(text, end) != ' ' {
		return end
	}
	switch a.naming().Noun {
	case value.Mnemonic:
		if to := a.r.upTo(at, maxPhrase, "\n\r#"); value.Words(text[at:to]) >= leastPhrase {
			return to
		}
		return end
	case value.PassNoun:
	case value.NoNoun, value.WeakNoun, value.TokenNoun:
		return end
	}
	signs := "\n\r#"
	if a.lo > 0 && value.IsQuote(text[a.lo-1]) {
		signs += string(text[a.lo-1]) // Environment="NAME=…"
	}
	to := a.r.upTo(end, at+100-end, signs)
	v := bytes.TrimSpace(text[at:to])
	if value.AppPassword(v) || value.SpacedPhrase(v, value.ShapeOf(v), true) && (envName(a.name()) || value.ShapeOf(v).Digit > 0) {
		return at + len(v)
	}
	return end
}

// single reports whether one word stands between at and the end of the line.
func (a *assignment) single(at int) bool {
	return a.r.lineEnds(value.UpTo(a.r.text, at, len(a.r.text), value.Spaces))
}

// piped takes what a template's filter puts where the name has no value, {{ name | default "value" }}, {{ name|default('value') }}, or the
// next cell of a table in prose.
func (a *assignment) piped(at int) {
	text := a.r.text
	i := value.SkipBlank(text, at+1)
	end := value.Past(text, i, 8, value.LetterSigns)
	for n := 0; n < 3 && a.style() == value.AsConfig && value.HasPrefixAt(text, end, " | "); n++ { // kinds of Nickel's stand between
		i = end + len(" | ")
		end = value.Past(text, i, 16, value.LetterSigns)
	}
	word := string(text[i:end])
	if word == "default" && value.HasPrefixAt(text, end, " = ") {
		end += len(" =")
	}
	switch {
	case (word == "default" || word == "d") && strings.IndexByte(" (:", value.ByteAt(text, end)) >= 0:
		if from, to, ok := a.r.literal(end + 1); ok && !a.useless() {
			a.take(formDefault, from, to)
		}
	case a.style() == value.AsProse:
		a.cell(at + 1)
	}
}

// defaultBefore takes the same before the name, as Go's templates have it: {{ default "value" .path.name }}.
func (a *assignment) defaultBefore() {
	text := a.r.text
	to := value.Back(text, value.Back(text, a.lo, 80, value.NameSigns+"."), 1, " ") - 1
	if to < 0 || !value.IsQuote(text[to]) || a.useless() {
		return
	}
	if from := value.BackTo(text, to, 120, string(text[to])+"\n"); value.Ends(text[:max(0, from-1)], "default ") {
		a.take(formDefault, from, to)
	}
}

// braced takes a default: ${NAME:-value}.
func (a *assignment) braced(at int) {
	text := a.r.text
	if value.ByteAt(text, at) == '?' {
		return // a message
	}
	at = value.Past(text, at, 1, "-")
	end := a.r.upTo(at, 512, "}\n\"")
	if value.ByteAt(text, end) == '}' && end > at && !a.useless() {
		a.take(formDefault, at, end)
	}
}

// defaulted reads the default of a declared variable: of Terraform after its
// name, of CloudFormation below it, of a flag behind it.
func (a *assignment) defaulted(at int) bool {
	text := a.r.text
	if a.useless() {
		return false
	}
	most := min(len(text)-8, at+300)
	for i := at; i < most && text[i] != '}'; i++ {
		if text[i]|0x20 != 'd' || value.IsWord(text[i-1]) || !bytes.EqualFold(text[i:i+7], []byte("default")) {
			continue
		}
		if value.BeginsFold(text[i+7:], "value") { // String.fromEnvironment('NAME', defaultValue: 'value')
			i += len("value")
		}
		if i = value.Past(text, i+7, most-i-7, " \""); i < most && (text[i] == '=' || text[i] == ':') {
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
func (a *assignment) own(at int, f form) {
	text := a.r.text
	at = value.SkipBlank(text, at)
	if a.quoted(at, f) {
		return
	}
	if a.colon && at < len(text) && (text[at] == '|' || text[at] == '>') {
		a.block(at)
		return
	}
	end := value.UpTo(text, at, maxValue, value.Spaces)
	end = value.Back(text, end, end-at, ",})];")
	if end > at && a.style() != value.AsCode {
		a.take(formBare, at, end)
	}
}

// second reads the text behind a name that is one itself: ("name", "value"), [:name, "value"], {"name", "value"}.
func (a *assignment) second(at int) {
	text, lo := a.r.text, a.lo
	if a.named(at) || text[at-1] == ')' && value.ByteAt(text, value.SkipBlank(text, at+1)) == '(' { // of the next row: ('name'), ('value')
		return
	}
	i := lo - 1
	if a.closed != 0 && i > 0 && text[i] == '/' { // 'system/smtp/password', 'value'
		for i > 0 && lo-i < 64 && (value.IsIdent(text[i]) || text[i] == '/') {
			i--
		}
	}
	if i = value.Back(text, i+1, lo, value.Quotes+"\\ :&") - 1; i < 0 {
		return
	}
	if j := value.SkipBlank(text, at+1); a.closed != 0 && value.ByteAt(text, j)|0x20 == 'd' && a.defaulted(j) {
		return // env("name", default="value"), flag("--name", dest="n", default="value")
	} else if a.closed != 0 && value.HasPrefixAt(text, j, "fallback=") {
		a.value(j+len("fallback="), formDefault, true) // get("section", "name", fallback="value")
		return
	}
	switch {
	case text[i] == '(' && value.EndsFold(text[:i], "flag.string", "flags().string", "fs.string"):
		a.value(at+1, formDefault, true) // what a flag is unless it is set
	case a.closed != 0 && (text[lo] == '-' || text[i] == '['), text[i] == '(', text[i] == '{', // "--token", "value"
		text[lo-1] == ':' && value.IsIdent(text[i]), // set :name, "value"
		value.HasPrefixAt(text, lo, "CURLOPT_"), value.Begins(a.head(), "buildConfigField", "resValue"):
		a.value(at+1, formPair, true)
	case text[i] == ',' && (a.closed != 0 || value.IsUpper(text[lo]) || text[lo-1] == ':'): // also a symbol
		f := formNext
		if value.HasFold(a.r.before(a.lo, 64), "user',", "name',", "login',", "user\",", "name\",", "login\",") {
			f = formPair // of names and values in turn: 'username', 'bob', 'password', 'value'
		}
		a.value(at+1, f, true)
	}
}

// accessors reads what a property is set to, behind how it is accessed: name { get; set; } = "value".
func (a *assignment) accessors(at int) bool {
	text := a.r.text
	end := value.Past(text, at+1, 80, value.WordSigns+value.Spaces+";")
	if value.ByteAt(text, end) != '}' || !value.Holds(text[at:end], "get;") {
		return false
	}
	if i := value.SkipBlank(text, end+1); value.ByteAt(text, i) == '=' {
		a.value(i+1, formQuoted, true)
	}
	return true
}

// called reads the argument of what has the name: name("value"), or what it is set to: fun name() = "value".
func (a *assignment) called(at int) {
	text := a.r.text
	if value.HasPrefixAt(text, at, "()") {
		if i := value.SkipBlank(text, at+2); i+1 < len(text) && text[i] == '=' && text[i+1] != '=' {
			a.value(i+1, formQuoted, true)
		}
		return
	}
	if a.made(at+1) || a.fact(at+1) {
		return
	}
	if !a.given(at + 1) {
		a.value(at+1, formArgument, true)
	}
	if end := a.r.upTo(at, 240, ")\n"); !a.useless() {
		a.valueMembers(at, end, true) // password(name: "x", defaultValue: "value")
	}
}

// made takes the text that a type whose name is that of a secret makes one of, Secret.fromString("value"), and the last of those that a type
// of credentials is made of, behind its user: new UsernamePasswordCredentialsImpl(scope, "id", "user", "value"). Both if they were drawn by lot.
func (a *assignment) made(at int) bool {
	text, name := a.r.text, a.name()
	if i := bytes.LastIndexByte(name, '.'); i > 0 {
		kind := name[bytes.LastIndexByte(name[:i], '.')+1 : i]
		if k := value.Classify(kind); len(kind) == 0 || !value.IsUpper(kind[0]) || !makers[string(name[i+1:])] || k.Not || k.Noun < value.TokenNoun || k.Noun == value.Mnemonic {
			return false
		}
		from, to, ok := a.r.literal(at)
		if ok && value.ByteAt(text, value.SkipBlank(text, to+1)) == ')' {
			a.r.drawn(value.Naming{Noun: value.TokenNoun}, from, to)
		}
		return ok
	}
	if len(name) == 0 || !value.IsUpper(name[0]) || !value.HasFold(name, "credential") || !value.HasFold(name, "password", "user", "basic", "login") {
		return false
	}
	from, to, texts := 0, 0, 0
	end := min(len(text), at+maxCall)
	for ; at < end && texts < maxArguments && text[at] != ')' && text[at] != '(' && text[at] != ';'; at++ {
		if value.IsQuote(text[at]) {
			e, ok := a.r.closing(at+1, text[at], 0)
			if !ok {
				break
			}
			from, to, texts = at+1, e, texts+1
			at = e
		}
	}
	a.r.spend(at - a.hi)
	if texts < 2 || value.ByteAt(text, value.Past(text, to+1, 40, value.Spaces)) != ')' {
		return false
	}
	a.r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
	return true
}

// fact takes the last argument of a fact of Prolog's, which is alone on its line: db_password(production, 'value').
func (a *assignment) fact(at int) bool {
	text := a.r.text
	if !a.r.first(a.lo) || a.useless() || a.naming().Noun < value.TokenNoun {
		return false
	}
	end := a.r.upTo(at, maxCall, "\n")
	if !value.Ends(text[at:end], "').", `").`) {
		return false
	}
	a.r.spend(end - at)
	to := end - len("').")
	if from := value.BackTo(text, to, to-at, string(text[to])); from > at {
		return a.far(formArgument, from, to)
	}
	return false
}

// giving are the words that the name of a call begins with that is given a secret for somebody, or under a name: resetPassword("id", "value").
var giving = [...]string{"set", "reset", "change", "update", "store", "save", "put", "add", "insert", "register"}

// given takes what stands behind the first argument of such a call, if it was drawn by lot; true if the first is an id.
func (a *assignment) given(at int) bool {
	text := a.r.text
	name := a.name()
	if name = name[bytes.LastIndexByte(name, '.')+1:]; !value.BeginsFold(name, giving[:]...) || a.useless() || a.naming().Noun < value.TokenNoun {
		return false
	}
	from, to, ok := a.r.literal(at)
	if !ok || value.ByteAt(text, value.SkipBlank(text, to+1)) != ',' {
		return false
	}
	id := value.IsUUID(text[from:to])
	second := false
	for n := 1; n < maxArguments; n++ { // who it is for may take more than one
		sign := value.SkipBlank(text, to+1)
		if from, to, ok = a.r.literal(sign + 1); value.ByteAt(text, sign) != ',' || !ok {
			break
		}
		second = true
		if a.far(formArgument, from, to) {
			break
		}
	}
	return second && id
}

// authorizes returns what the name tells beside v: behind NPM_AUTH what was drawn by lot is a token.
func (a *assignment) authorizes(v []byte) value.Naming {
	if value.EndsFold(a.name(), "_auth") && byLotText(v) && !value.AllHex(v) {
		if a.rule == "" {
			a.rule = "generic-api-key"
		}
		a.kind.Noun, a.kind.Authorization = value.TokenNoun, false
	}
	return a.kind
}

// maxSubstituted bounds what a program fills in at an end of a value, in bytes.
const maxSubstituted = 48

// besideSubstituted returns what of the value from from to to stands beside what is filled in at its beginning or its end: f"{prefix}value",
// value{{ suffix }}. That is the value, if it is none by itself. Without f or two braces the name of a hash stands so: {SSHA}….
func besideSubstituted(text []byte, from, to int) (lo, hi int) {
	v := text[from:to]
	if len(v) > maxSubstituted+value.MaxLook {
		return from, to
	}
	fills := value.Begins(v, "{{") || from > 1 && value.IsQuote(text[from-1]) && strings.IndexByte("fF$", text[from-2]) >= 0
	if i := bytes.IndexByte(v, '}'); v[0] == '{' && fills && i > 1 && i < maxSubstituted {
		return from + value.Past(v, i, 2, "}"), to
	}
	if i := bytes.IndexByte(v, '{'); v[len(v)-1] == '}' && i > 0 && len(v)-i < maxSubstituted {
		return from, from + value.Back(v, i, 1, "$#%")
	}
	return from, to
}

// take has a value judged, without the blanks round it; of a value with marks, each part.
func (a *assignment) take(f form, from, to int) {
	r, text := a.r, a.r.text
	to = min(to, len(text))
	from, to = value.Trimmed(text, from, to, value.Spaces)
	to = value.BackOverWideBlank(text, to)
	if to-from > 2 && value.IsQuote(text[from]) && text[to-1] == text[from] {
		from, to = from+1, to-1 // quoted once more
	}
	if to-from < 3 || r.pieces(from, to, func(lo, hi int) { a.take(f, lo, hi) }) {
		return
	}
	if lo, hi := besideSubstituted(text, from, to); hi-lo < to-from && a.naming().Noun >= value.TokenNoun && byLotText(text[lo:hi]) {
		from, to = lo, hi
	}
	k := a.naming()
	v := text[from:to]
	if a.isFolder(v) {
		return
	}
	if k.Noun == value.Mnemonic && bytes.IndexByte(v, ' ') < 0 { // a seed of one word
		a.kind.Noun, a.kind.Lot = value.TokenNoun, true
		k = a.kind
	}
	if k.Authorization && k.Noun == value.WeakNoun {
		k = a.authorizes(v)
	}
	if k.Lot && (!byLotText(v) || value.AllHex(v) || value.AllDigits(v)) {
		return
	}
	if k.Noun == value.WeakNoun && value.HasFold(a.name(), "cookie") && bytes.IndexByte(v[:min(len(v), value.MaxLook)], ';') > 0 {
		for n := 0; n < 64 && from < to; n++ { // name=value; name=value; path=/
			end := value.UpTo(text, from, to-from, ";")
			b := *a
			b.lo, b.judged = value.Past(text, from, end-from, value.Spaces), false
			b.hi = value.UpTo(text, b.lo, end-b.lo, "=")
			if b.hi < end && b.hi-b.lo <= value.MaxName && !b.useless() && bytes.IndexByte(text[b.hi:end], ' ') < 0 {
				b.take(f, b.hi+1, end)
			}
			from = end + 1
		}
		return
	}
	if k.Authorization && k.Noun == value.WeakNoun || value.HasFold(a.name(), "userpwd") {
		from = a.pastUser(from, to)
	}
	r.spend(500 + 52*min(to-from, value.MaxLook))
	r.submit(a, f, from, to)
}

// pastUser returns where the password begins of user:password from from to to, and from where that is none.
func (a *assignment) pastUser(from, to int) int {
	v := a.r.text[from:to]
	i := bytes.IndexByte(v[:min(len(v), 64)], ':')
	if i <= 1 || len(v) <= i+4 || !value.IdentifierOnly(v[:i]) {
		return from
	}
	a.kind.Noun = value.PassNoun
	if byLotText(v[i+1:]) {
		a.kind.Strict, a.kind.Authorization = false, false // npmAuthIdent is no other thing here
	}
	return from + i + 1
}

// isFolder reports whether v is the folder that a shell is in, or was.
func (a *assignment) isFolder(v []byte) bool {
	return v[0] == '/' && (string(a.name()) == "PWD" || string(a.name()) == "OLDPWD")
}
