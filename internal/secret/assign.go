package secret

import (
	"bytes"
	"strings"
)

// assignmentWords are the literals that the name of a secret holds.
var assignmentWords = []string{
	"pass", "pwd", "pepper", "secret", "token", "key", "auth", "cred", "bearer", "jwt", "session", "sessid", "cookie", "salt", "dsn", "webhook", "mnemonic", "seed",
	"senha", "contrase", "kennwort", "wachtwoord", "_pw", "-pw", "$pw", "art-api", "bindpw", "rootpw", "pw=", "pw:", "pw\"", "psk", " pw ", "sid=", "_pat", "pat:", "pat=", "pat =", "pat\"", "mdp", "pin", "haslo",
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
	if lo >= 9 && text[lo-1] == '/' && bytes.EqualFold(text[lo-9:lo-1], []byte("checksum")) {
		return // an annotation: checksum/secret
	}
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
		if lo > 0 && (text[lo-1] == '<' || isQuote(text[lo-1])) || bytes.IndexByte(text[max(0, lo-24):lo], '<') >= 0 {
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
			a.last = true
			a.item = text[i] == ',' && !path
			a.plain(at + 1)
		}
	case '(':
		a.quotedOnly, a.argument = true, true
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
		if closed != 0 && a.attribute(at) {
			return
		}
		if lo > 0 && text[lo-1] == '<' && a.gapped { // <Pass encoding="base64">value
			for i := at; i < len(text) && i < at+80 && text[i] != '<' && text[i] != '\n'; i++ {
				if text[i] == '>' && text[i-1] != '/' {
					a.element(i + 1)
					return
				}
			}
		}
		if a.gapped {
			a.spaced(at)
		}
	}
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
	return k.not || k.noun == noNoun || string(a.r.text[a.lo:a.hi]) == "PASS" && (a.colon || a.closed != 0) // a verdict
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
	if lines == 1 {
		// On the next line only a quoted value is still this name's.
		if i, q, n := a.quote(at); q != 0 && !a.colon {
			a.quoted(i, q, n)
		} else if a.colon && a.style() != asCode {
			a.sequence(at)
			a.mapping(at)
		}
		return
	}
	if i, q, n := a.quote(at); q != 0 {
		a.quoted(i, q, n)
		return
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
				if tag := string(text[at:i]); tag == "!!binary" || tag == "!!str" || tag == "!binary" {
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
		if a.last {
			i := end + 1 + escapes
			for i < len(a.r.text) && (isSpace(a.r.text[i]) || isQuote(a.r.text[i])) {
				i++
			}
			if a.item || i < len(a.r.text) && a.r.text[i] == ',' {
				v := a.r.text[from:end]
				if a.item && a.naming().noun == passNoun && i < len(a.r.text) && a.r.text[i] == ')' && commandValue(v) && (passwordLike(v, shapeOf(v), true) || madeUp(v) && shapeOf(v).digit > 0) {
					a.judge(from, end, true) // (4, 'smtp_pass', 'value')
					return
				}
				if len(v) < 20 || !random(v) || shapeOf(v).digit < 3 || bytes.IndexByte(v, '.') >= 0 {
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

// defaulted reads the default of a declared variable: of Terraform after its
// name, of CloudFormation below it.
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
		for i += 7; i < most && (text[i] == ' ' || text[i] == '"'); i++ {
		}
		if i < most && (text[i] == '=' || text[i] == ':') {
			b := *a
			b.closed, b.lo = 0, i
			b.plainNamed(i + 1)
			return true
		}
		return false
	}
	a.r.spend(max(0, most-at))
	return false
}

// wrappers are the ends of the names of functions that take a secret as text.
var wrappers = [...]string{"fromhex", "decodestring", "b64decode", "securestring", "secretstr", "secretstring", "byte", "bytes", "from", "decode", "b64decode", "atob", "string", "some", "secret", "plaintext", "text", "str", "value", "literal", "quote", "unsafe", "bytearray", "of", "password", "token", "key", "credential", "bearer", "basic", "sensitive", "optional", "just", "guardedstring", "getbytes"}

// items reads the quoted values of a list: names = ["value", "value"].
func (a *assigned) items(at int) {
	text := a.r.text
	for n := 0; n < 16; n++ {
		for at < len(text) && (isSpace(text[at]) || text[at] == ',') {
			at++
		}
		i, q, e := a.quote(at)
		if q == 0 {
			return
		}
		end, ok := a.r.closing(i, q, e)
		if !ok {
			return
		}
		if v := text[i:end]; len(v) >= 12 && random(v) {
			a.judge(i, end, true)
		}
		at = end + 1 + e
	}
}

// member judges a value that stands under a name of its own below this one:
// only what was drawn by lot, and under names that do not say otherwise.
func (a *assigned) member(name []byte, from, end int) {
	var buf [32]byte
	k := classify(name[:min(len(name), maxName)])
	v := a.r.text[from:end]
	a.r.spend(200 + 12*len(v))
	if k.not || notAfter[string(lastWord(&buf, name))] || bytes.HasPrefix(v, []byte("0x")) || len(v) < 16 || len(v) > 256 || lookUp(v) || standIn(v) || sample(v) || publicPoint(v) || lockFile(a.r.path) {
		return
	}
	s := shapeOf(v)
	if isUUID(v) || s.space == 0 && s.digit >= 3 && s.special <= 3 && (random(v) && len(v) >= 20 || allHex(v) && len(v) >= 32 && s.lower+s.upper > 4 || keyBase64(v)) {
		a.r.add("secret-assignment", from, end, rankKeyed)
	}
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
	return lower(buf, name[i:])
}

// grouped reports whether this name may stand above others whose values are
// secrets: tokens, secrets, apiKey; not key, session or a name with a tail.
func (a *assigned) grouped() bool {
	k := a.naming()
	return (k.noun == tokenNoun || k.noun == passNoun) && !k.not && !k.strict && !k.authorization
}

// members reads the values of a table in braces: apiKey: {polygon: "value"}.
func (a *assigned) members(at int) {
	text := a.r.text
	if !a.grouped() {
		return
	}
	most := min(len(text), at+1024)
	for n := 0; n < 16 && at < most; n++ {
		for at < most && (isSpace(text[at]) || text[at] == ',' || text[at] == ';' || isQuote(text[at])) {
			at++
		}
		lo := at
		for at < most && (isIdent(text[at])) {
			at++
		}
		hi := at
		for at < most && (text[at] == ' ' || isQuote(text[at])) {
			at++
		}
		if hi == lo || at+1 >= most || text[at] != ':' && text[at] != '=' {
			break
		}
		at++
		if text[at] == '>' {
			at++
		}
		from, end, ok := a.r.literal(at)
		if !ok {
			break
		}
		a.member(text[lo:hi], from, end)
		at = end + 1
	}
	a.r.spend(max(0, min(at, most)-a.hi))
}

// mapping reads the lines of a YAML mapping below its name.
func (a *assigned) mapping(at int) {
	text := a.r.text
	if !a.grouped() {
		return
	}
	line := at
	for line > 0 && text[line-1] != '\n' {
		line--
	}
	own := a.lo
	for own > 0 && text[own-1] != '\n' && a.lo-own < 200 {
		own--
	}
	indent, above := at-line, 0
	for own+above < a.lo && text[own+above] == ' ' {
		above++
	}
	if indent <= above {
		return
	}
	for n := 0; n < 24 && line < len(text); n++ {
		end := line
		for end < len(text) && text[end] != '\n' && end-line < 400 {
			end++
		}
		l := bytes.TrimRight(text[line:end], " \r")
		a.r.spend(end - line)
		if len(l) <= indent || len(bytes.TrimLeft(l, " ")) != len(l)-indent {
			return
		}
		if i := bytes.Index(l, []byte(": ")); i > indent && identifierOnly(l[indent:i]) {
			from, to := line+i+2, line+len(l)
			for from < to && text[from] == ' ' {
				from++
			}
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

// bytesOf reads a key written as numbers: aes_key[16] = {0x17, 0xc5, ...}. At
// least sixteen.
func (a *assigned) bytesOf(at int) bool {
	text := a.r.text
	if k := a.naming(); k.noun < weakNoun || k.noun == mnemonic || k.not || k.strict {
		return false
	}
	var buf [32]byte
	if w := lastWord(&buf, a.name()); string(w) != "key" && string(w) != "secret" || len(w) == len(a.name()) && a.naming().noun == weakNoun {
		return false // tokens of a language; key, as tests call it
	}
	i := at
	for i < len(text) && i < at+40 && text[i] != '{' && text[i] != '[' && text[i] != '(' {
		if text[i] == '\n' || isQuote(text[i]) || text[i] == ';' {
			return false
		}
		i++
	}
	for i < len(text) && i < at+60 && (isSpace(text[i]) || text[i] == '{' || text[i] == '[' || text[i] == '(' || text[i] == ']' || isDigit(text[i]) && text[i] != '0') {
		i++
	}
	from, end, n := i, i, 0
	var seen [256]bool
	distinct := 0
	for i+3 < len(text) && n < 256 && text[i] == '0' && text[i+1]|0x20 == 'x' && isHex(text[i+2]) {
		b := hexDigit(text[i+2])
		i += 3
		if isHex(text[i]) {
			b = b<<4 | hexDigit(text[i])
			i++
		}
		if !seen[b] {
			seen[b] = true
			distinct++
		}
		n++
		end = i
		for i < len(text) && (isSpace(text[i]) || text[i] == ',' || text[i] == 'u' || text[i] == 'U') {
			i++
		}
	}
	a.r.spend(2 * (i - at))
	if n < 16 || distinct*2 < n || n >= 16 && seen[0] && seen[1] && seen[2] && seen[3] && seen[4] && seen[5] {
		return false // few, or counted
	}
	a.r.add("secret-assignment", from, end, rankKeyed)
	return true
}

func hexDigit(b byte) byte {
	if isDigit(b) {
		return b - '0'
	}
	return b | 0x20 - 'a' + 10
}

// cell reads the next cell of a table in prose: | name | value |
func (a *assigned) cell(at int) {
	text := a.r.text
	if a.useless() {
		return
	}
	end := at
	for end < len(text) && end-at < 300 && text[end] != '|' && text[end] != '\n' {
		end++
	}
	if end >= len(text) || text[end] != '|' {
		return
	}
	v := bytes.Trim(text[at:end], " `\t")
	if len(v) < 8 || bytes.IndexByte(v, ' ') >= 0 {
		return
	}
	from := at + bytes.Index(text[at:end], v)
	a.argument = true
	a.judge(from, from+len(v), true)
}

// fallback reads the value that stands in for one looked up:
// env.X ?? "value", getenv("X", "value"), ENV["X"] || "value".
func (a *assigned) fallback(at int) bool {
	text := a.r.text
	most := min(len(text)-3, at+160)
	for i := at; i < most && text[i] != '\n' && text[i] != ';'; i++ {
		if !isQuote(text[i+1]) && !(text[i+1] == '\\' && isQuote(text[i+2])) || text[i] != ' ' && text[i] != ',' {
			continue
		}
		h := bytes.TrimRight(text[at:i+1], " ")
		if !bytes.HasSuffix(h, []byte("??")) && !bytes.HasSuffix(h, []byte("||")) && !bytes.HasSuffix(h, []byte(" or")) && !bytes.HasSuffix(h, []byte("?:")) && !(bytes.HasSuffix(h, []byte(",")) && (bytes.Contains(h, []byte("env")) || bytes.Contains(h, []byte("ENV")))) {
			continue
		}
		a.r.spend(i - at)
		if j, q, n := a.quote(i + 1); q != 0 {
			a.quoted(j, q, n)
			return true
		}
	}
	a.r.spend(max(0, most-at))
	return false
}

// wrapped reads a value within a call: SecretStr("value"), []byte("value").
func (a *assigned) wrapped(at int) bool {
	text := a.r.text
	for i := at; i < len(text) && i < at+60; i++ {
		b := text[i]
		if b == '(' || b == '{' || b == ' ' && i > at {
			if b == ' ' && !(i+1 < len(text) && isQuote(text[i+1])) {
				continue
			}
			j, q, n := a.quote(i + 1)
			if q == 0 {
				return false
			}
			for _, w := range wrappers {
				name := text[at:i]
				for len(name) > 0 && !isLetter(name[len(name)-1]) {
					name = name[:len(name)-1]
				}
				if len(name) >= len(w) && bytes.EqualFold(name[len(name)-len(w):], []byte(w)) {
					if a.naming().noun == weakNoun && (w == "fromhex" || w == "decode" || w == "b64decode" || w == "atob" || w == "decodestring") {
						a.kind.noun = tokenNoun // nobody decodes what is no key
					}
					a.quoted(j, q, n)
					return true
				}
			}
			return false
		}
		if !isWord(b) && b != '.' && b != ':' && b != '[' && b != ']' && b != '&' && b != '*' && b != '-' && b != '<' && b != '>' && b != ' ' {
			return false
		}
	}
	return false
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
	if st == asProse && !a.colon && r.lineStarts(a.lo) {
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
		// JSON without quotes, arguments on one line.
		v := text[at:end]
		for len(v) > 0 && (v[len(v)-1] == ',' || v[len(v)-1] == ';') {
			v = v[:len(v)-1]
		}
		end = at + len(v)
		// More words follow: a sentence or a list, unless a comment.
		rest := end
		for rest < len(text) && (text[rest] == ' ' || text[rest] == '\t') {
			rest++
		}
		if rest < len(text) && isLetter(text[rest]) && a.colon && !random(v) && shapeOf(v).special == 0 {
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
	v := text[at:end]
	if expression(v) || v[0] == '{' || v[0] == '[' || v[0] == '(' {
		return
	}
	if end < len(text) && (text[end] == '(' || text[end] == '[') {
		return
	}
	if st == asCode && !r.insideString(a.lo) {
		// An expression, unless nobody would name a thing so.
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
	for len(head) > 0 && (isSpace(head[0]) || head[0] == '-' || head[0] == '+' || head[0] == '#' || head[0] == '$' || head[0] == '>' || head[0] == '/' || head[0] == '*' || head[0] == '%') {
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
func (r *run) insideString(at int) bool {
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
	return open != 0
}

// insideComment reports whether the name's line is a comment so far.
func (a *assigned) insideComment() bool {
	text := a.r.text
	lo := a.lo
	for lo > 0 && a.lo-lo < 256 && text[lo-1] != '\n' {
		lo--
	}
	head := bytes.TrimLeft(text[lo:a.lo], " \t+-")
	return bytes.HasPrefix(head, []byte("//")) || bytes.HasPrefix(head, []byte("#")) || bytes.HasPrefix(head, []byte("*")) || bytes.HasPrefix(head, []byte("/*")) || bytes.HasPrefix(head, []byte("<!--")) || bytes.Contains(head, []byte(" // "))
}

// block reads a YAML block: the lines below that are indented.
func (a *assigned) block(at int) {
	text := a.r.text
	i := at + 1
	for i < len(text) && i < at+4 && (text[i] == '-' || text[i] == '+' || isDigit(text[i])) {
		i++
	}
	for i < len(text) && (text[i] == ' ' || text[i] == '\r') {
		i++
	}
	if i >= len(text) || text[i] != '\n' {
		return
	}
	from, end := -1, 0
	indent := -1
	for line := i + 1; line < len(text) && line-at < maxValue; {
		j := line
		for j < len(text) && (text[j] == ' ' || text[j] == '\t' || text[j] == '+' && j == line) {
			j++
		}
		stop := j
		for stop < len(text) && text[stop] != '\n' && stop-at < maxValue {
			stop++
		}
		if indent < 0 {
			indent = j - line
		}
		v := bytes.TrimRight(text[j:stop], " \r")
		if j-line < indent || indent == 0 || len(v) == 0 || bytes.IndexByte(v, ' ') >= 0 {
			break
		}
		if from < 0 {
			from = j
		}
		end = j + len(v)
		line = stop + 1
	}
	a.r.spend(max(0, end-at))
	if from >= 0 {
		a.judgeLines(from, end)
	}
}

// judgeLines judges a value of several lines by its first.
func (a *assigned) judgeLines(from, end int) {
	first := end
	if i := bytes.IndexByte(a.r.text[from:end], '\n'); i >= 0 {
		first = from + i
	}
	n := len(a.r.found)
	a.judge(from, first, true)
	if len(a.r.found) > n {
		a.r.found[len(a.r.found)-1].end = end
	}
}

// sequence reads the items of a list under a name: keys:\n  - value.
func (a *assigned) sequence(at int) {
	text := a.r.text
	for n := 0; n < 32 && at+2 < len(text) && text[at] == '-' && text[at+1] == ' '; n++ {
		at += 2
		end := at
		for end < len(text) && text[end] != '\n' && end-at < maxValue {
			end++
		}
		v := bytes.TrimRight(text[at:end], " \r")
		a.r.spend(end - at)
		if bytes.IndexByte(v, ':') < 0 && bytes.IndexByte(v, ' ') < 0 && len(v) >= 16 {
			if isQuote(v[0]) && len(v) > 2 && v[len(v)-1] == v[0] {
				a.judge(at+1, at+len(v)-1, true)
			} else {
				a.judge(at, at+len(v), false)
			}
		}
		at = end
		for at < len(text) && isSpace(text[at]) {
			at++
		}
	}
}

// braced reads a default: ${NAME:-value}.
func (a *assigned) braced(at int) {
	text := a.r.text
	if at < len(text) && (text[at] == '-' || text[at] == '?') {
		if text[at] == '?' {
			return // a message
		}
		at++
	}
	end := at
	for end < len(text) && end-at < 512 && text[end] != '}' && text[end] != '\n' && text[end] != '"' {
		end++
	}
	a.r.spend(end - at)
	if end < len(text) && text[end] == '}' && end > at && !a.useless() {
		a.judge(at, end, true)
	}
}

// element reads the text of an XML element: <name>value</name>.
func (a *assigned) element(at int) {
	text := a.r.text
	if at >= len(text) || a.useless() || strings.HasSuffix(a.r.path, ".html") || strings.HasSuffix(a.r.path, ".htm") {
		return // in a page, the element after a word is the text's next
	}
	from := at
	for at < len(text) && at < from+200 && isSpace(text[at]) {
		at++
	}
	// One element more may lie between: <setting name="x"><value>…
	if at < len(text) && text[at] == '<' && at+1 < len(text) && text[at+1] != '/' {
		if bytes.HasPrefix(text[at:], []byte("<![CDATA[")) {
			at += 9
		} else {
			i := at
			for i < len(text) && i < at+64 && text[i] != '>' {
				i++
			}
			if i >= len(text) || text[i] != '>' {
				return
			}
			at = i + 1
		}
	}
	end := at
	for end < len(text) && end-at < maxValue && text[end] != '<' && !(text[end] == ']' && end+1 < len(text) && text[end+1] == ']') {
		end++
	}
	a.r.spend(end - at)
	v := bytes.TrimSpace(text[at:min(end, len(text))])
	if len(v) == 0 || end >= len(text) || end-at >= maxValue {
		return
	}
	i := at + bytes.Index(text[at:end], v)
	a.text = true
	a.judge(i, i+len(v), true)
}

// sibling reads the value beside a name that is itself a value:
// <key>name</key><string>value</string>.
func (a *assigned) sibling(at int) {
	text := a.r.text
	i := at
	for i < len(text) && i < at+40 && text[i] != '>' {
		i++
	}
	// </class> ends what is no name of a value.
	if i < len(text) && i > at+2 {
		tag := text[at+2 : i]
		if j := bytes.LastIndexAny(tag, "-_:."); j >= 0 {
			tag = tag[j+1:]
		}
		known := false
		for _, w := range [...]string{"key", "name", "string", "id", "variable", "field", "property", "code", "param", "parametername", "paramname", "propertyname", "optionname", "label", "th", "td"} {
			known = known || len(w) == len(tag) && bytes.EqualFold(tag, []byte(w))
		}
		if !known {
			return
		}
	}
	for i++; i < len(text) && i < at+200 && isSpace(text[i]); i++ {
	}
	if i < len(text) && text[i] == '<' && i+1 < len(text) && isLetter(text[i+1]) && a.lo > 0 && text[a.lo-1] == '>' {
		j := i
		for j < len(text) && j < i+40 && text[j] != '>' {
			j++
		}
		a.element(j + 1)
	}
}

// attribute reads key="name" value="value" and key="name">value<.
func (a *assigned) attribute(at int) bool {
	text := a.r.text
	i := a.lo - 1
	for i >= 0 && (isQuote(text[i]) || text[i] == '\\') {
		i--
	}
	if i < 0 || text[i] != '=' {
		return false
	}
	for j := at; j < len(text) && j < at+120; j++ {
		switch {
		case text[j] == '>':
			if text[j-1] == '/' {
				return true
			}
			a.element(j + 1)
			return true
		case text[j] == '<':
			return false
		case text[j]|0x20 == 'v' && j+8 < len(text) && bytes.EqualFold(text[j:j+5], []byte("value")) && !isWord(text[j-1]):
			k := j + 5
			for k < len(text) && (text[k] == '=' || text[k] == ' ') {
				k++
			}
			if k > j+5 && !a.useless() {
				if p, q, n := a.quote(k); q != 0 {
					a.quoted(p, q, n)
				}
			}
			return true
		}
	}
	return false
}

// nameNames are what the name of a name is called.
var nameNames = [...]string{"name", "key", "id", "variable", "field", "property", "parametername", "parameterkey", "optionname", "label", "secretname", "env"}

// named reads the value after a name that is itself a value: name: NAME, then
// value: value.
func (a *assigned) named(at int) bool {
	text := a.r.text
	// Before: name, key or the like, and an operator.
	i := a.lo - 1
	for i >= 0 && (isQuote(text[i]) || text[i] == '\\' || text[i] == ' ') {
		i--
	}
	if i < 1 || text[i] != ':' && text[i] != '=' {
		return false
	}
	i--
	for i >= 0 && (isQuote(text[i]) || text[i] == '\\' || text[i] == ' ') {
		i--
	}
	j := i
	for j >= 0 && i-j < 24 && isWord(text[j]) {
		j--
	}
	word, known := text[j+1:i+1], false
	for _, w := range nameNames {
		known = known || len(w) == len(word) && bytes.EqualFold(word, []byte(w))
	}
	if !known {
		return false
	}
	// After: value, and an operator.
	most := min(len(text)-6, at+160)
	for k := at; k < most; k++ {
		if text[k]|0x20 == 'v' && (bytes.EqualFold(text[k:k+5], []byte("value")) || bytes.EqualFold(text[k:k+3], []byte("val"))) && !isWord(text[k-1]) {
			k += 5
			for k < len(text) && (text[k] == '\\' || isQuote(text[k]) || text[k] == ' ') {
				k++
			}
			if k < len(text) && (text[k] == ':' || text[k] == '=') && !a.useless() {
				b := *a
				b.colon = text[k] == ':'
				b.closed = 0
				if b.style() == asConfig {
					b.lo = k // the value's own line
				}
				b.plainNamed(k + 1)
			}
			return true
		}
		if text[k] == '}' || text[k] == '{' {
			break
		}
	}
	return true
}

func (a *assigned) plainNamed(at int) {
	text := a.r.text
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if i, q, n := a.quote(at); q != 0 {
		a.quoted(i, q, n)
		return
	}
	if a.colon && at < len(text) && (text[at] == '|' || text[at] == '>') {
		a.block(at)
		return
	}
	end := at
	for end < len(text) && end-at < maxValue && !isSpace(text[end]) {
		end++
	}
	for end > at && (text[end-1] == ',' || text[end-1] == '}') {
		end--
	}
	if end > at && !expression(text[at:end]) {
		a.judge(at, end, false)
	}
}

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
		a.told(at)
		return
	}
	flag := a.lo > 0 && text[a.lo] == '-' || a.lo > 1 && text[a.lo-1] == '-'
	if text[at] == '0' && at+2 < len(text) && text[at+1] == ' ' {
		at += 2 // a switch's mark of plain text
	}
	if i, q, n := a.quote(at); q != 0 {
		k := a.naming()
		if q == '`' && a.style() == asProse {
			a.told(at)
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
	case len(head) >= 6 && bytes.EqualFold(head[len(head)-6:], []byte("setenv")), bytes.HasSuffix(head, []byte("ENV")), bytes.HasSuffix(head, []byte("ARG")), bytes.HasSuffix(head, []byte("setenv")), bytes.HasSuffix(head, []byte("set -x")), bytes.HasSuffix(head, []byte("set -gx")), bytes.HasSuffix(head, []byte("setx")), bytes.HasSuffix(head, []byte("#define")), bytes.HasSuffix(head, []byte("-gx")), bytes.HasSuffix(head, []byte("-x")), bytes.HasSuffix(head, []byte("config set")), bytes.HasSuffix(head, []byte("secrets set")):
	case bytes.Contains(head, []byte("login ")), bytes.HasPrefix(head, []byte("machine ")), bytes.HasPrefix(head, []byte("default ")):
		word = true
	case bytes.HasPrefix(head, []byte("user ")):
		word = true
	case a.style() == asConfig && len(head) == 0 && a.naming().noun >= tokenNoun && !a.naming().strict:
		word = true
	default:
		a.told(at)
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

// account reads the password of an account that SQL makes: CREATE USER name WITH
// PASSWORD 'value'. It reports whether the line does.
func (a *assigned) account() bool {
	if a.naming().noun != passNoun {
		return false
	}
	head := a.head()
	known := false
	for _, w := range [...]string{"create ", "alter "} {
		known = known || len(head) > len(w) && bytes.EqualFold(head[:len(w)], []byte(w))
	}
	if !known {
		return false
	}
	from, to, ok := a.r.literal(a.hi)
	if !ok || to-from < 6 {
		return false
	}
	if v := a.r.text[from:to]; !lookUp(v) && !standIn(v) && !sample(v) && !isHash(v) && bytes.IndexByte(v, ' ') < 0 {
		a.r.add("sql-password", from, to, rankNamed)
	}
	return true
}

// told reads a value that a sentence or a log line tells: using token value,
// password is value. It must be one beyond doubt.
func (a *assigned) told(at int) {
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
	if len(v) >= 20 && random(v) && s.digit >= 3 && s.special+s.joint <= 2 || a.naming().noun == passNoun && s.special > 0 && s.digit > 0 && s.upper > 0 && s.lower > 0 && s.joint == 0 || a.naming().noun == passNoun && a.style() != asCode && (phrase(v, true) || s.digit > 0 && !a.naming().strict && a.ends(end) && madeUp(v) || s.digit == 0 && !a.naming().strict && a.style() == asConfig && a.lineEnds(end) && madeUp(v) || random(v) && s.upper > 2 && s.lower > 2 && wordy(v) == 0) {
		a.judge(at, end, false)
	}
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

// judge adds the value if its name and its own look make it a secret.
func (a *assigned) judge(from, end int, quoted bool) {
	k := a.naming()
	if k.not || k.noun == noNoun || end-from < 4 {
		return
	}
	r := a.r
	if k.authorization {
		from = r.skipScheme(from)
	}
	if a.hi >= 7 && a.lo <= a.hi-7 && bytes.EqualFold(r.text[a.hi-7:a.hi], []byte("userpwd")) {
		if i := bytes.IndexByte(r.text[from:min(end, from+128)], ':'); i >= 0 {
			from += i + 1 // user:password
		}
	}
	if k.authorization && k.noun == weakNoun {
		// auth: "user:password"
		if i := bytes.IndexByte(r.text[from:min(end, from+64)], ':'); i > 1 && identifierOnly(r.text[from:from+i]) {
			if v := r.text[from+i+1 : min(end, len(r.text))]; len(v) >= 8 && len(v) <= 64 && shapeOf(v).digit >= 2 && shapeOf(v).space == 0 && commandValue(v) && !hasOrdinary(v) {
				r.add("password-assignment", from+i+1, from+i+1+len(v), rankKeyed)
				return
			}
		}
	}
	v := r.text[from:min(end, len(r.text))]
	// The beginning of a long value tells what it is.
	look := v[:min(len(v), maxLook)]
	r.spend(500 + 12*len(look))
	if len(v) < 4 || !a.keeps(k, look, quoted) {
		return
	}
	rule, rank := "secret-assignment", rankKeyed
	switch k.noun {
	case passNoun:
		rule = "password-assignment"
	case weakNoun:
		rule, rank = "generic-api-key", rankWeak
	case mnemonic:
		rule = "mnemonic"
	}
	r.add(rule, from, from+len(v), rank)
}

// keeps reports whether v, under such a name, is a secret.
func (a *assigned) keeps(k naming, v []byte, quoted bool) bool {
	if k.noun == mnemonic {
		return words(v) >= 12
	}
	if lookUp(v) || standIn(v) || sample(v) || bytes.Contains(v[:min(len(v), 64)], []byte("-----BEGIN")) {
		return false // armour has its own reader
	}
	s := shapeOf(v)
	if v[0] == '+' && v[len(v)-1] == '+' || bytes.Contains(v, []byte("\"+")) {
		return false // text put together
	}
	if k.noun == passNoun && len(v) > 16 && isPin(a.name()) {
		return false // a certificate is pinned
	}
	if s.space > 0 {
		return a.keepsSpaced(k, v, s)
	}
	if bytes.Contains(v, []byte("\\u")) && s.special <= 1 || bytes.Count(v, []byte("\\x")) > 1 || bytes.Count(v, []byte("\\u")) > 1 || bytes.HasSuffix(v, []byte("=true")) || bytes.HasSuffix(v, []byte("=false")) {
		return false
	}
	if d := decoded(v); len(d) >= 6 {
		// Base64 of text is what the text is.
		if i := bytes.IndexByte(d, ':'); k.authorization && i > 0 {
			return commandValue(d[i+1:]) && !bytes.EqualFold(d[:i], d[i+1:])
		}
		if d = bytes.TrimSpace(d); len(d) == 0 || standIn(d) || nameLike(d) && !madeUp(d) {
			return false
		}
		if k.noun == passNoun && !k.strict && madeUp(d) {
			return true
		}
	}
	if s.distinct < 4 || s.high > 0 && s.digit == 0 || email(v) || fileName(v) {
		return false
	}
	if bytes.Contains(v, []byte(":x:")) || bytes.Contains(v, []byte(":/")) || len(bytes.Trim(v, "0123456789eE+-.xX")) == 0 && s.special+s.joint > 0 {
		return false // a line of passwd, a path, a number
	}
	for _, p := range [...]string{"[a-z", "[A-Z", "[0-9", "(?:", "(?i", "\\\\b(", "[a-f"} {
		if bytes.Contains(v, []byte(p)) {
			return false // an expression
		}
	}
	if isHash(v) && lockFile(a.r.path) || len(v) > 150 && v[0] == 'A' && (v[1] == 'g' || bytes.HasPrefix(v, []byte("AQICAH"))) {
		return false // what is locked; what is sealed
	}
	if isUUID(v) {
		return k.noun >= tokenNoun && !k.strict && !a.compared
	}
	if bytes.Contains(v, []byte("://")) {
		return false // its credentials, if any, are the URL reader's
	}
	if publicPoint(v) {
		return false
	}
	drawn := random(v)
	switch k.noun {
	case weakNoun:
		if len(v) == 52 && s.upper+s.joint+s.special == 0 && s.digit > 2 && bytes.EqualFold(lastWord(&[32]byte{}, a.name()), []byte("pat")) {
			return true
		}
		if keyBase64(v) || len(v) >= 32 && isHash(v) && envKey(a.name()) && s.digit > 4 {
			return true
		}
		if len(v) < 16 || !drawn || isHash(v) || s.special > 4 {
			return k.authorization && len(v) >= 16 && drawn
		}
		return s.digit >= 2 && s.turns*5 >= s.n && !(allHex(v) && s.n < 32)
	case tokenNoun:
		if quoted && !k.strict && !a.argument && !a.compared && a.secret() && secretPhrase(v) {
			return true
		}
		if drawn && len(v) >= 14 {
			return true
		}
		if len(v) >= 16 && allHex(v) && s.digit > 2 && s.lower+s.upper > 2 {
			return true
		}
		if s.special+s.joint == 0 && s.n < 16 && s.digit <= 2 {
			return false // a name with a number
		}
		if a.compared || k.strict || s.special == 0 && wordy(v)*10 >= (s.lower+s.upper)*8 {
			return false
		}
		return passwordLike(v, s, true)
	default: // passNoun
		if drawn || s.digit+s.joint+s.special == 0 && s.n >= 10 && s.turns*3 >= s.n && s.lower > 1 && s.upper > 1 && wordy(v) == 0 {
			return true
		}
		strict := k.strict || a.compared || a.argument
		if s.lower+s.upper == 0 && s.special == 0 && s.joint == 0 {
			return len(v) >= 6 && !strict && a.style() == asConfig && s.distinct >= 5
		}
		if !k.strict && (phrase(v, strict) || madeUp(v) && (s.digit > 0 || !a.text)) {
			return true
		}
		return passwordLike(v, s, strict)
	}
}

// secret reports whether the name has the word in one of its usual cases.
func (a *assigned) secret() bool {
	n := a.name()
	return bytes.Contains(n, []byte("secret")) || bytes.Contains(n, []byte("SECRET")) || bytes.Contains(n, []byte("Secret"))
}

// name returns the name's text; nil where it is a line above its value.
func (a *assigned) name() []byte {
	if a.lo > a.hi {
		return nil
	}
	return a.r.text[a.lo:a.hi]
}

// isPin reports whether a name ends in pin or pins.
func isPin(name []byte) bool {
	name = bytes.TrimRight(name, "sS")
	return len(name) >= 3 && bytes.EqualFold(name[len(name)-3:], []byte("pin"))
}

// envKey reports whether a name is that of a key in an environment: CENSUS_KEY.
func envKey(name []byte) bool {
	if !bytes.HasSuffix(name, []byte("_KEY")) {
		return false
	}
	for _, b := range name {
		if b >= 'a' && b <= 'z' || b == '.' || b == '-' {
			return false
		}
	}
	return true
}

// passwordLike reports whether somebody may have made v up as a password:
// signs, digits and letters of both cases, at least two of these, and no name.
// Strictly, three of them.
func passwordLike(v []byte, s shape, strict bool) bool {
	if s.n < 6 || s.n > 128 {
		return false
	}
	letters := s.lower + s.upper
	if letters == 0 && s.special == 0 || nameLike(v) || regexLike(v) {
		return false
	}
	kinds := 0
	for _, c := range [...]int{s.lower, s.upper, s.digit, s.special} {
		if c > 0 {
			kinds++
		}
	}
	if s.special > 0 && s.special*2 >= s.n && s.n < 10 {
		return false // punctuation: code, not a password
	}
	if s.digit == 0 {
		// Words and signs: Sommer!Wind? but not Passwort: or *token.
		if s.special == 0 || s.n < 8 || kinds < 3 {
			return false
		}
		return !(s.special == 1 && (!isLetter(v[0]) || !isLetter(v[len(v)-1])) && s.upper <= 1)
	}
	if strict {
		return s.n >= 8 && (kinds >= 3 || kinds == 2 && s.special == 0 && s.digit >= 3 && s.n >= 8 && s.turns >= 3)
	}
	if s.joint > 0 && s.special == 0 && (s.digit <= 2 && wordy(v)*2 > s.n) {
		return false
	}
	return kinds >= 2
}

// keepsSpaced judges a value with spaces: generated salts and passphrases with
// signs and digits, no sentences.
func (a *assigned) keepsSpaced(k naming, v []byte, s shape) bool {
	if k.noun == passNoun && appPassword(v) {
		return true
	}
	if k.noun == passNoun && !k.strict && !a.argument && !a.compared && a.phrases() && spacedPhrase(v, s, a.envName()) {
		return true
	}
	if k.noun == tokenNoun && !k.strict && !a.argument && !a.compared && a.secret() && a.phrases() && s.digit > 1 && s.space >= 3 && s.upper == 0 && s.special+s.joint == 0 && s.n < 80 && !hasOrdinary(v) {
		return true
	}
	if a.argument || s.n < 12 || s.high > 0 || s.digit < 2 || s.special < 2 {
		return false
	}
	if wordy(v)*3 > s.n || s.distinct < 10 || k.noun < tokenNoun && s.special < 6 {
		return false
	}
	return s.space*8 < s.n
}

// phrases reports whether the file may hold passphrases, and is none of texts for
// people in many languages.
func (a *assigned) phrases() bool {
	for _, w := range [...]string{"locale", "i18n", "lang", "translation", "messages", "strings"} {
		if strings.Contains(a.r.path, w) {
			return false
		}
	}
	return a.style() != asProse && !a.text
}

// envName reports whether the name is that of a variable of an environment.
func (a *assigned) envName() bool {
	n := a.name()
	return bytes.IndexByte(n, '_') > 0 && shapeOf(n).lower == 0
}

// spacedPhrase reports whether v is a passphrase with spaces: no word that
// programs and their labels are made of, and a digit and a sign; for a variable
// of an environment, four words do.
func spacedPhrase(v []byte, s shape, env bool) bool {
	if s.n < 12 || s.n > 80 || s.high > 0 || s.lower < 8 || hasOrdinary(v) || bytes.ContainsAny(v, "(){}<>[]:?%\"") || v[len(v)-1] == '.' || s.upper > 2 {
		return false
	}
	return s.digit > 0 && s.special > 0 && s.space >= 2 && s.space <= 8 || env && s.space >= 3 && s.space <= 9
}

// appPassword reports whether v is four groups of four lower-case letters, as
// mail services hand passwords for programs out.
func appPassword(v []byte) bool {
	if len(v) != 19 {
		return false
	}
	for i, b := range v {
		if i%5 == 4 != (b == ' ') || b != ' ' && (b < 'a' || b > 'z') {
			return false
		}
	}
	return true
}

// words counts lower-case words in v, 0 if it holds anything else.
func words(v []byte) int {
	n, in := 0, false
	for _, b := range v {
		switch {
		case b >= 'a' && b <= 'z':
			if !in {
				n++
			}
			in = true
		case b == ' ', b == ',':
			in = false
		default:
			return 0
		}
	}
	if len(v) > 12*16*2 {
		return 0
	}
	return n
}

func regexLike(v []byte) bool {
	for _, p := range [...]string{"\\w", "\\d", "\\s", "\\S", "[a-z", "[A-Z", "[0-9", "(?", ".*", ".+", "[^", "\\."} {
		if bytes.Contains(v, []byte(p)) {
			return true
		}
	}
	return v[0] == '^' || v[0] == '\\'
}
