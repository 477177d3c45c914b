package secret

import (
	"bytes"
	"strings"
)

// assignmentWords are the literals that the name of a secret holds.
var assignmentWords = []string{
	"pass", "pwd", "pepper", "secret", "token", "key", "auth", "cred", "bearer", "jwt", "session", "sessid", "cookie", "salt", "dsn", "webhook", "mnemonic", "seed",
	"senha", "contrase", "kennwort", "wachtwoord", "_pw", "-pw", "$pw", "art-api", "bindpw", "rootpw", "pw=", "pw:", "pw\"", "psk", " pw ", "sid=", "_pat", "pat:", "pat=", "pat =", "pat\"", "mdp", "pin", "haslo", "pswd", "heslo", "jelsz", "sifre", "parola", "losenord", "passord", "hasło", "şifre", "lösenord",
	"пароль", "Пароль", "ПАРОЛЬ", "пароля", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "סיסמה", "wif ", "wif=", "wif:", "wif\"",
}

// maxValue bounds a value, in bytes. What is longer is cut there, and found
// with a name alone if it looks random so far.
const maxValue = 16 << 10

// maxLook bounds how much of a value is judged, in bytes.
const maxLook = 768

// readAssignment looks at a word that names a secret: is it a name that a value
// is given to? Values are given in many forms:
//
//	name = value, name: value, "name": "value", name := "value", name => 'value'
//	name "value", --name value, ENV NAME value, name("value"), "name", "value"
//	<name>value</name>, <add key="name" value="value"/>, <key>name</key><string>value</string>
//	name: NAME, value: value (and as attributes, and as JSON)
//	${NAME:-value}, NAME ?? "value", name == "value"
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
	for hi > end && (text[hi-1] == '.' || text[hi-1] == '-') {
		hi--
	}
	if hi >= len(text) || hi-lo > 2*maxName-8 {
		return
	}
	if lo > 1 && text[lo-1] == ':' && text[hi] == ':' && isWord(text[lo-2]) && bytes.IndexByte(text[max(0, lo-64):lo-1], ':') >= 0 && !r.lineStarts(lo) {
		return // a part of a name: arn:aws:secretsmanager:region:account:secret:name
	}
	if (text[hi] == ':' || text[hi] == '@') && inAuthority(text, lo) {
		return // the user of a URL, whose password has its own reader
	}
	if lo >= 9 && text[lo-1] == '/' && bytes.EqualFold(text[lo-9:lo-1], []byte("checksum")) {
		return // an annotation: checksum/secret
	}
	r.name = assigned{r: r, lo: lo, hi: hi}
	r.given(&r.name)
	at := hi
	// What may close the name.
	closed := byte(0)
	for at < len(text)-1 && text[at] == '\\' && at < hi+4 {
		at++
	}
	if isQuote(text[at]) {
		closed = text[at]
		at++
	} else {
		at = hi
	}
	if at < len(text) && text[at] == '[' {
		for i := at + 1; i < len(text) && i < at+8; i++ {
			if text[i] == ']' {
				at = i + 1
				break
			}
			if !isWord(text[i]) {
				break
			}
		}
	}
	for at < len(text) && (text[at] == ']' || text[at] == ')') && closed != 0 {
		at++
	}
	gap := at
	for at < len(text) && at < gap+64 && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at >= len(text) {
		return
	}
	a := assigned{r: r, lo: lo, hi: hi, closed: closed, gapped: at > gap}
	next := byte(0)
	if at+1 < len(text) {
		next = text[at+1]
	}
	switch c := text[at]; c {
	case '=':
		switch {
		case next == '=':
			a.compared = true
			for at < len(text) && text[at] == '=' {
				at++
			}
			a.plain(at)
		case next == '>':
			a.plain(at + 2)
		case next == '~':
		default:
			a.plain(at + 1)
		}
	case ':':
		switch {
		case next == '=':
			a.plain(at + 2)
		case next == ':':
			if at+2 < len(text) && text[at+2] == '=' {
				a.plain(at + 3)
			} else if at+2 < len(text) && text[at+2] == ' ' {
				a.quotedOnly = true
				a.plain(at + 2)
			}
		case next == '-' && lo > 1 && text[lo-1] == '{':
			a.braced(at + 2)
		case lo > 1 && text[lo-1] == '{' && text[lo-2] == '$':
			a.braced(at + 1)
		default:
			a.colon = true
			a.plain(at + 1)
		}
	case '?':
		if next == '=' || next == '?' || next == ':' {
			a.plain(at + 2)
		}
	case '|':
		if next != '|' && (next == ' ' || next == '`') && a.style() == asProse {
			a.cell(at + 1)
		} else if next == '|' {
			at += 2
			if at < len(text) && text[at] == '=' {
				at++
			}
			a.quotedOnly = true
			a.plain(at)
		}
	case '}':
		if lo > 1 && text[lo-1] == '{' && text[lo-2] == '$' && strings.HasSuffix(a.r.path, ".robot") { // ${PASSWORD}    value
			if i := at + 1; i+1 < len(text) && (text[i] == '\t' || text[i] == ' ' && text[i+1] == ' ') {
				a.closed = 0
				if i = skipBlank(text, i); i < len(text) && text[i] != '\n' {
					end := i
					for end < len(text) && !isSpace(text[end]) {
						end++
					}
					if !a.useless() {
						a.judge(i, end, true)
					}
				}
			}
		}
	case '!':
		if next == '=' {
			a.compared = true
			at += 2
			if at < len(text) && text[at] == '=' {
				at++
			}
			a.plain(at)
		}
	case '+':
		if next == '=' {
			a.quotedOnly = true
			a.plain(at + 2)
		}
	case '<':
		if next == '-' {
			a.plain(at + 2)
		} else if next == '/' {
			a.sibling(at)
		}
	case '-':
		if next == '>' {
			a.quotedOnly = true
			a.plain(at + 2)
		} else if a.gapped {
			a.spaced(at)
		}
	case '>':
		if lo > 1 && text[lo-1] == '/' && text[lo-2] == '<' {
			return // the end of an element
		}
		if lo > 0 && (text[lo-1] == '<' || isQuote(text[lo-1]) && namesName(text, lo-1)) || closed == 0 && bytes.IndexByte(text[max(0, lo-24):lo], '<') >= 0 {
			a.element(at + 1)
		}
	case ',':
		if a.named(at) {
			return
		}
		// The first of two arguments, or of a pair; an item of a list only if the
		// value could be nothing else.
		i := lo - 1
		for i >= 0 && (isQuote(text[i]) || text[i] == '\\' || text[i] == ' ' || text[i] == ':' || text[i] == '&') {
			i--
		}
		path := false
		if closed != 0 && i == lo-1 && i > 0 && text[i] == '/' { // 'system/smtp/password', 'value'
			for i > 0 && lo-i < 64 && (isIdent(text[i]) || text[i] == '/') {
				i--
			}
			if text[i] == closed {
				path = true
				for i--; i > 0 && text[i] == ' '; i-- {
				}
			}
		}
		a.quotedOnly, a.argument = true, true
		switch {
		case closed != 0 && text[lo] == '-': // "--token", "value"
			a.plain(at + 1)
			if j := skipBlank(text, at+1); j < len(text) && text[j]|0x20 == 'd' {
				a.defaulted(j)
			}
		case i >= 0 && text[i] == ',' && (bytes.HasPrefix(a.head(), []byte("buildConfigField")) || bytes.HasPrefix(a.head(), []byte("resValue"))):
			a.plain(at + 1)
		case i >= 0 && text[i] == ',' && bytes.HasPrefix(text[lo:hi], []byte("CURLOPT_")): // an option between its handle and its value
			a.plain(at + 1)
		case i >= 0 && (text[i] == '(' || text[i] == '{' || text[i] == '[' || text[i] == ',') && closed != 0 || i >= 0 && (text[i] == '(' || text[i] == '{'):
			a.last = !(text[i] == '(' && strings.HasSuffix(r.path, ".sql")) // ('smtp.password', 'value', NOW())
			a.item = text[i] == ',' && !path
			a.plain(at + 1)
		}
	case '(':
		a.quotedOnly, a.argument = true, true
		if next == ')' { // fun password() = "value"
			if i := skipBlank(text, at+2); i+1 < len(text) && text[i] == '=' && text[i+1] != '=' {
				a.plain(i + 1)
			}
			return
		}
		a.plain(at + 1)
	case '{':
		if closed == 0 { // name{"value"}
			if a.gapped && !a.useless() {
				a.members(at + 1) // tokens { agent = "value" }
			}
			a.quotedOnly, a.argument = true, true
			a.plain(at + 1)
		} else { // variable "name" { default = "value" }
			a.defaulted(at)
		}
	case '\n', '\r':
		if !a.named(at) {
			a.spaced(at)
		}
	default:
		if closed != 0 && (a.attribute(at) || text[gap-1] == ')') {
			return // also the end of a list: (list "a.password") "next"
		}
		if lo > 0 && text[lo-1] == '<' && a.gapped { // <Pass encoding="base64">value
			if hasPrefixAt(text, at, "value=") && at+6 < len(text) && isQuote(text[at+6]) {
				a.quoted(at+7, text[at+6], 0) // <Password value="value"/>
				return
			}
			for i := at; i < len(text) && i < at+80 && text[i] != '<' && text[i] != '\n'; i++ {
				if text[i] == '>' && text[i-1] != '/' {
					a.element(i + 1)
					return
				}
			}
		}
		if a.gapped {
			a.spaced(at)
			if closed == 0 && a.style() == asProse && isLetter(text[at]) {
				a.emphasised(at)
			}
		}
	}
}

// inAuthority reports whether the name at lo stands behind the :// of a URL with no
// more than a part of a name between.
func inAuthority(text []byte, lo int) bool {
	at := lo
	for at > 0 && lo-at < 64 && (isWord(text[at-1]) || text[at-1] == '+' || text[at-1] == '-' || text[at-1] == '%' || text[at-1] == ':' || text[at-1] == '.') {
		at--
	}
	return at > 2 && text[at-1] == '/' && text[at-2] == '/' && text[at-3] == ':'
}

// assigned is a name whose value is being read.
type assigned struct {
	r      *run
	lo, hi int  // the name
	closed byte // the quote that ends the name, 0 = none
	gapped bool // a space follows the name
	// How the value is given.
	colon, compared, quotedOnly, argument bool
	// last: no further argument may follow the value.
	last bool
	// item: the name is an item of a list itself.
	item bool
	// text: the value is the text of an element, which may be a label.
	text bool

	kind   naming
	judged bool
	st     style
	styled bool
}

func skipBlank(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

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

// useless reports whether no value of this name can be a secret.
func (a *assigned) useless() bool {
	k := a.naming()
	return k.not || k.noun == noNoun || a.public() || string(a.r.text[a.lo:a.hi]) == "PASS" && (a.colon || a.closed != 0) // a verdict
}

// public reports whether a word before the name on its line says that its value is no secret: Public Key: …,
// PublicKey{ID: 1, Key: …}.
func (a *assigned) public() bool {
	if a.kind.noun != weakNoun {
		return false
	}
	head := a.r.text[max(0, a.lo-64):a.lo]
	i := max(bytes.LastIndex(head, []byte("ublic")), bytes.LastIndex(head, []byte("UBLIC")))
	if i < 1 || head[i-1]|0x20 != 'p' || bytes.IndexByte(head[i:], '\n') >= 0 {
		return false
	}
	rest := head[i+len("ublic"):]
	return string(rest) == " " || hasFold(rest[:min(len(rest), 6)], "key")
}

// plain reads the value that begins at or after at.
func (a *assigned) plain(at int) {
	text := a.r.text
	from := at
	lines := 0
	for at < len(text) && at < from+200 && isSpace(text[at]) {
		if text[at] == '\n' {
			lines++
		}
		at++
	}
	if at >= len(text) || lines > 1 || a.useless() {
		return
	}
	a.r.spend(at - from)
	if lines == 1 && a.colon && text[at]|0x20 >= 'a' && a.defaulted(at) {
		return
	}
	if text[at] == hidden {
		if at = a.pastMark(at); at < 0 {
			return
		}
	}
	if lines == 1 {
		// On the next line only a quoted value is still this name's.
		if i, q, n := a.quote(at); q != 0 && !a.colon {
			a.quoted(i, q, n)
		} else if a.colon && a.style() != asCode {
			a.sequence(at)
			a.mapping(at)
			a.below(at)
		}
		return
	}
	if i, q, n := a.quote(at); q != 0 {
		a.quoted(i, q, n)
		return
	}
	if text[at] == '(' && !a.argument { // name = ("value"), perhaps on the next line
		i := at + 1
		for i < len(text) && i < at+120 && isSpace(text[i]) {
			i++
		}
		if j, q, n := a.quote(i); q != 0 {
			a.quoted(j, q, n)
			return
		}
	}
	if text[at] == '{' {
		a.members(at + 1)
	}
	if a.bytesOf(at) {
		return
	}
	if text[at] == '{' && !a.colon {
		if i, q, n := a.quote(skipBlank(text, at+1)); q != 0 { // name={"value"}
			a.quoted(i, q, n)
			return
		}
	}
	if text[at] == '[' {
		if i := skipBlank(text, at+1); i < len(text) && (isQuote(text[i]) || text[i] == '\n') {
			a.items(at + 1)
			return
		}
	}
	if a.quotedOnly {
		a.wrapped(at)
		return
	}
	if a.colon && (text[at] == '|' || text[at] == '>') {
		a.block(at)
		return
	}
	if a.colon && text[at] == '!' { // a YAML tag before the value
		for i := at; i < len(text) && i < at+24 && text[i] != '\n'; i++ {
			if text[i] == ' ' {
				if tag := string(text[at:i]); tag == "!!binary" || tag == "!!str" || tag == "!binary" || tag == "!unsafe" {
					at = i + 1
				}
				break
			}
		}
		if i, q, n := a.quote(at); q != 0 {
			a.quoted(i, q, n)
			return
		}
	}
	if a.colon && a.style() == asCode {
		// A type between the name and its value: name: string = "value".
		for i := at; i < len(text) && i < at+60; i++ {
			b := text[i]
			if b == '=' && i > at && text[i-1] == ' ' {
				if i+1 < len(text) && text[i+1] != '=' && text[i+1] != '>' {
					for i++; i < len(text) && text[i] == ' '; i++ {
					}
					if j, q, n := a.quote(i); q != 0 {
						a.quoted(j, q, n)
					}
				}
				return
			}
			if !isWord(b) && b != ' ' && b != '<' && b != '>' && b != '[' && b != ']' && b != '|' && b != '&' && b != '.' && b != '?' && b != '*' {
				break
			}
		}
	}
	if a.wrapped(at) || a.style() == asCode && a.fallback(at) {
		return
	}
	a.unquoted(at)
}

// quote recognises an opening quote at at: of a string with a prefix, escaped
// within another string, or tripled. It returns where the value begins, the
// quote and the number of backslashes before it.
func (a *assigned) quote(at int) (int, byte, int) {
	text := a.r.text
	if at >= len(text) {
		return 0, 0, 0
	}
	i := at
	if text[i] == '<' && i+2 < len(text) && text[i+1] == '<' {
		i += 2 // Erlang's binaries
	}
	switch text[i] | 0x20 {
	case 'n', 'b', 'r', 'f', 'u', 'l':
		for j := 1; j <= 2 && i+j < len(text); j++ {
			if isQuote(text[i+j]) && text[i+j] != '`' {
				i += j
				break
			}
			if !isLetter(text[i+j]) {
				break
			}
		}
	default:
		if (text[i] == '@' || text[i] == '$' || text[i] == '&') && i+1 < len(text) && isQuote(text[i+1]) {
			i++
		}
	}
	n := 0
	for i < len(text) && text[i] == '\\' && n < 8 {
		i++
		n++
	}
	if i >= len(text) || !isQuote(text[i]) {
		return 0, 0, 0
	}
	q := text[i]
	i++
	if n == 0 && i+1 < len(text) && text[i] == q && text[i+1] == q {
		i += 2
		for i < len(text) && (text[i] == '\n' || text[i] == '\r' || text[i] == ' ') {
			i++
		}
	}
	return i, q, n
}

// quoted reads to the closing quote.
func (a *assigned) quoted(from int, q byte, escapes int) {
	if end, ok := a.r.closing(from, q, escapes); ok {
		if q == '`' && a.style() == asProse && expression(a.r.text[from:end]) {
			return
		}
		if a.last {
			i := end + 1 + escapes
			for i < len(a.r.text) && (isSpace(a.r.text[i]) || isQuote(a.r.text[i])) {
				i++
			}
			if a.item || i < len(a.r.text) && a.r.text[i] == ',' {
				v := a.r.text[from:end]
				s := shapeOf(v)
				closes := i < len(a.r.text) && a.r.text[i] == ')' // (4, 'smtp_pass', 'value')
				if a.item && closes && a.naming().noun == passNoun && commandValue(v) && (passwordLike(v, s, true) || madeUp(v) && s.digit > 0) {
					a.judge(from, end, true)
					return
				}
				if len(v) < 20 || !random(v) || s.digit < 3 || bytes.IndexByte(v, '.') >= 0 {
					return
				}
			}
		}
		a.judge(from, end, true)
	} else if a.style() == asConfig && end > from && q != '`' {
		// No closing quote on the line: the quote is the value's own, or the
		// text is cut. What there is may still be read.
		a.judge(from, end, false)
	}
}

// closing finds the end of a quoted text that begins at from. Where the quote
// does not close, it returns the end of the line or of the bound.
func (r *run) closing(from int, q byte, escapes int) (int, bool) {
	text := r.text
	most := min(len(text), from+maxValue)
	i := from
	defer func() { r.spend(i - from) }()
	for ; i < most; i++ {
		switch b := text[i]; {
		case b == q:
			n := 0
			for j := i - 1; j >= from && text[j] == '\\'; j-- {
				n++
			}
			if escapes == 0 && (n%2 == 0 || i == from) || escapes > 0 && n <= escapes {
				return i - min(n, escapes), true
			}
		case b == '\n' && q != '`':
			return i, false
		}
	}
	if most < len(text) && i-from >= maxValue {
		return i, true // long: judged by what was read
	}
	return i, false
}

// unquoted reads a value without quotes: to the end of the line where the name
// begins it and the file is configuration, else to what ends a word.
func (a *assigned) unquoted(at int) {
	r, text := a.r, a.r.text
	st := a.style()
	k := a.naming()
	if k.authorization {
		at = r.skipScheme(at)
	}
	most := min(len(text), at+maxValue)
	end := at
	if st == asProse && r.lineStarts(a.lo) && (!a.colon || a.single(at)) {
		st = asConfig // a line of a listing
	}
	whole := st == asConfig && a.closed == 0 && r.lineStarts(a.lo)
	if whole {
		if at >= r.lineFrom && at < r.lineTo {
			end = min(r.lineTo, most)
		} else {
			for end < most && text[end] != '\n' && text[end] != '\r' && text[end] != ' ' && text[end] != '\t' {
				end++
			}
			r.spend(2 * (end - at))
			r.lineFrom, r.lineTo = at, end
		}
		if k.noun == passNoun && end == at+4 && at+19 <= len(text) && (at+19 == len(text) || isSpace(text[at+19])) && appPassword(text[at:at+19]) {
			a.judge(at, at+19, false)
			return
		}
		if k.noun == passNoun && !k.strict {
			// POSTGRES_PASSWORD: four words without quotes
			to := end
			for to < most && to-at < 100 && text[to] != '\n' && text[to] != '\r' && text[to] != '#' {
				to++
			}
			if v := bytes.TrimSpace(text[at:to]); len(v) > end-at && a.phrases() && spacedPhrase(v, shapeOf(v), true) && (a.envName() || shapeOf(v).digit > 0) {
				a.judge(at, at+len(v), true)
				return
			}
		}
		// JSON without quotes, arguments on one line.
		v := text[at:end]
		for len(v) > 0 && (v[len(v)-1] == ',' || v[len(v)-1] == ';') {
			v = v[:len(v)-1]
		}
		if i := queryEnd(v); i >= 0 {
			v = v[:i]
		}
		end = at + len(v)
		// More words follow: a sentence or a list, unless a comment.
		rest := end
		for rest < len(text) && (text[rest] == ' ' || text[rest] == '\t') {
			rest++
		}
		if rest < len(text) && isLetter(text[rest]) && a.colon && !random(v) && shapeOf(v[:min(len(v), maxLook)]).special == 0 {
			return
		}
		if i := bytes.IndexByte(v, '\\'); i > 0 && i+1 < len(v) && (v[i+1] == 'n' || v[i+1] == 'r' || v[i+1] == '"') {
			end = at + i
		}
	} else {
		if at >= r.wordFrom && at < r.wordTo {
			end = min(r.wordTo, most)
		} else {
			for end < most && !isSpace(text[end]) && !endsWord(text[end]) {
				end++
			}
			r.spend(2 * (end - at))
			r.wordFrom, r.wordTo = at, end
		}
		for end > at && (text[end-1] == '.' || text[end-1] == ':') {
			end--
		}
	}
	if end <= at {
		return
	}
	if k.noun == passNoun && !k.strict && !k.not && a.lo > 0 && isQuote(text[a.lo-1]) && a.closed == 0 && !a.colon && a.envName() {
		// Environment="X_PASSWORD=four words without quotes"
		if to, ok := r.closing(at, text[a.lo-1], 0); ok && to > end && to-at < 100 && a.phrases() && spacedPhrase(text[at:to], shapeOf(text[at:to]), true) {
			a.judge(at, to, true)
			return
		}
	}
	// The beginning of a long value tells what it is.
	v := text[at:min(end, at+maxLook)]
	r.spend(200 + 8*len(v) + (end-at)/8)
	if k.noun == passNoun && !k.strict && !k.not && a.amongOptions(end) && len(v) >= 6 && identifierOnly(v) && !lookUp(v) && !standIn(v) && !hasOrdinary(v) {
		r.add("password-assignment", at, end, rankKeyed)
		return
	}
	if expression(v) || v[0] == '{' || v[0] == '[' || v[0] == '(' {
		return
	}
	if end < len(text) && (text[end] == '(' || text[end] == '[') {
		return
	}
	if st == asCode && !r.insideString(at) {
		// An expression, unless nobody would name a thing so.
		if k.noun == passNoun && !k.strict && a.colon && r.lineStarts(a.lo) && a.lineEnds(end) && noCode(v) {
			r.add("password-assignment", at, end, rankKeyed) // a line of a text over several
			return
		}
		if identifierOf(v) {
			return
		}
		if !a.insideComment() && !(len(v) >= 20 && random(v) && shapeOf(v).digit >= 4) {
			return
		}
		st = asProse
	}
	if st == asProse && !random(v) {
		s := shapeOf(v)
		if s.digit == 0 || s.lower+s.upper < 3 || len(v) < 7 || s.special == 0 && (s.upper == 0 || s.lower == 0) && k.noun != passNoun {
			return
		}
		// A sentence goes on.
		rest := end
		for rest < len(text) && text[rest] == ' ' {
			rest++
		}
		if rest > end && rest < len(text) && isLetter(text[rest]) && s.special == 0 && s.turns < 3 && !r.setting(rest) {
			return
		}
	}
	a.judge(at, end, false)
}

// queryEnd returns where in v the next parameter of a query begins: &name=; -1 if
// none does.
func queryEnd(v []byte) int {
	for i := bytes.IndexByte(v, '&'); i >= 0; {
		j := i + 1
		for j < len(v) && isIdent(v[j]) {
			j++
		}
		if j > i+1 && j < len(v) && v[j] == '=' {
			return i
		}
		next := bytes.IndexByte(v[i+1:], '&')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return -1
}

// noCode reports whether v is a password that no expression looks like: letters
// of both cases, digits and a sign between them.
func noCode(v []byte) bool {
	s := shapeOf(v)
	if s.n < 8 || s.digit < 2 || s.upper == 0 || s.lower == 0 || s.joint > 0 || s.special == 0 || bytes.ContainsAny(v, "()[]{}<>=+*,;\"'`&|?:/\\") {
		return false
	}
	i := bytes.IndexAny(v, "!#@$%^~")
	return i > 0 && i+1 < len(v) && isWord(v[i+1]) && isWord(v[i-1]) && !lookUp(v) && !standIn(v)
}

// amongOptions reports whether the name and its value, which ends at end, stand in
// a list of settings of one word: username=svc,password=value,ro
func (a *assigned) amongOptions(end int) bool {
	text := a.r.text
	if a.lo == 0 || end >= len(text) || text[a.lo-1] != ',' && text[a.lo-1] != ';' {
		return false
	}
	return (text[end] == ',' || text[end] == ';' || isQuote(text[end])) && a.options()
}

// options reports whether the name follows a user's in a list of settings:
// username=svc,password=value.
func (a *assigned) options() bool {
	before := a.r.text[max(0, a.lo-80):a.lo]
	for _, w := range [...]string{"user=", "username=", "uid=", "User=", "UID=", "User Id=", "Username="} {
		if bytes.Contains(before, []byte(w)) {
			return true
		}
	}
	return false
}

// single reports whether one word stands between at and the end of the line.
func (a *assigned) single(at int) bool {
	text := a.r.text
	for at < len(text) && !isSpace(text[at]) {
		at++
	}
	return a.lineEnds(at)
}

// setting reports whether a word at at is set: user=postgres.
func (r *run) setting(at int) bool {
	for i := at; i < len(r.text) && i < at+40; i++ {
		if r.text[i] == '=' {
			return true
		}
		if !isIdent(r.text[i]) {
			return false
		}
	}
	return false
}

func endsWord(b byte) bool {
	switch b {
	case '"', '\'', '`', ';', ',', '&', ')', '}', ']', '<', '>', '|', '\\':
		return true
	}
	return false
}

// skipScheme steps over the scheme before a credential: Bearer, Basic, Token.
func (r *run) skipScheme(at int) int {
	for _, w := range schemes {
		if at+len(w) < len(r.text) && bytes.EqualFold(r.text[at:at+len(w)], []byte(w)) && r.text[at+len(w)] == ' ' {
			return at + len(w) + 1
		}
	}
	return at
}

var schemes = [...]string{"bearer", "basic", "token", "apikey", "api-key", "key", "jwt", "ghost", "splunk", "genie", "geniekey", "ssws", "negotiate", "bot", "oauth", "discogs", "klaviyo-api-key", "deepl-auth-key", "pve", "pbsapitoken", "secret"}

// lineStarts reports whether nothing but indentation, a list or patch mark or a
// word that sets variables stands before at on its line.
func (r *run) lineStarts(at int) bool {
	lo := at
	for lo > 0 && at-lo < 128 && r.text[lo-1] != '\n' {
		lo--
	}
	head := r.text[lo:at]
	if len(head) >= 128 {
		return false
	}
	for len(head) > 0 && (isSpace(head[0]) || strings.IndexByte("-+#$>/*%", head[0]) >= 0) {
		head = head[1:]
	}
	if len(head) == 0 || head[len(head)-1] == ':' && identifierOnly(head[:len(head)-1]) {
		return true // a name in a name space: db:password
	}
	for len(head) > 0 && head[len(head)-1] == ' ' {
		head = head[:len(head)-1]
	}
	switch string(head) {
	case "ENV", "ARG", "export", "set", "SET", "setenv", "local", "readonly", "declare -x", "set -x", "set -gx", "Environment=", "env:", "export -p", "RUN export", "run: export", "$env:", "declare -r", "typeset -x":
		return true
	}
	return false
}

// insideString reports whether a quote is open before at on its line.
func (r *run) insideString(at int) bool { return r.openQuote(at) != 0 }

// openQuote returns the quote that is open before at on its line, 0 if none is.
func (r *run) openQuote(at int) byte {
	lo := at
	for lo > 0 && at-lo < 512 && r.text[lo-1] != '\n' {
		lo--
	}
	r.spend(at - lo)
	var open byte
	for i := lo; i < at; i++ {
		b := r.text[i]
		if b == '\\' {
			i++
			continue
		}
		if isQuote(b) {
			if open == 0 {
				open = b
			} else if open == b {
				open = 0
			}
		}
	}
	return open
}

// insideComment reports whether the name's line is a comment so far.
func (a *assigned) insideComment() bool {
	text := a.r.text
	lo := a.lo
	for lo > 0 && a.lo-lo < 256 && text[lo-1] != '\n' {
		lo--
	}
	head := bytes.TrimLeft(text[lo:a.lo], " \t+-")
	return begins(head, "//", "#", "*", "/*", "<!--") || holds(head, " // ")
}

// lineEnds reports whether nothing follows at on its line.
func (a *assigned) lineEnds(at int) bool {
	at = skipBlank(a.r.text, at)
	return at >= len(a.r.text) || a.r.text[at] == '\n' || a.r.text[at] == '\r'
}

// ends reports whether a clause ends at at: with the line, or a mark that no
// sentence goes on after without a pause.
func (a *assigned) ends(at int) bool {
	text := a.r.text
	for at < len(text) && (text[at] == '`' || text[at] == '*' || text[at] == '"' || text[at] == '\'') {
		at++
	}
	return a.lineEnds(at) || text[at] == ',' || text[at] == ')' || text[at] == '.' || text[at] == ';' || text[at] == '|' || text[at] == '/'
}

// head returns what stands before the name on its line, trimmed.
func (a *assigned) head() []byte {
	lo := a.lo
	for lo > 0 && a.lo-lo < 200 && a.r.text[lo-1] != '\n' {
		lo--
	}
	h := bytes.TrimSpace(a.r.text[lo:a.lo])
	if len(h) > 0 && (h[0] == '+' || h[0] == '-') {
		h = bytes.TrimSpace(h[1:])
	}
	return h
}
