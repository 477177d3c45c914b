package secret

import (
	"bytes"
	"strings"
)

// This file reads the forms in which values are given other than name = value.

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
	from, end = a.r.besideMarks(from, end)
	v := a.r.text[from:end]
	a.r.spend(200 + 12*len(v))
	w := lastWord(&buf, name)
	switch {
	case len(v) < 16 || len(v) > 256 || k.not || notAfter[string(w)]:
		return
	case string(w) == "secure", string(w) == "encrypted", string(w) == "ciphertext":
		return
	case begins(v, "0x") || lookUp(v) || standIn(v) || sample(v) || publicPoint(v) || lockFile(a.r.path) || tells(decoded(v)):
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
	if hasFold(a.name(), "color") {
		return false // of a design
	}
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
		if !ends(h, "??", "||", " or", "?:") && !(ends(h, ",") && holds(h, "env", "ENV")) {
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

// below reads a scalar on the line below its name, which is indented further and
// holds nothing else.
func (a *assigned) below(at int) {
	r, text := a.r, a.r.text
	if text[at] == '-' || text[at] == '#' || !a.lineStarts() || r.indent(at) <= r.indent(a.lo) {
		return
	}
	if i, q, n := a.quote(at); q != 0 {
		if end, ok := r.closing(i, q, n); ok && a.lineEnds(end+1+n) {
			a.judge(i, end, true)
		}
		return
	}
	end := at
	for end < len(text) && end-at < maxValue && !isSpace(text[end]) {
		end++
	}
	r.spend(end - at)
	if v := text[at:end]; a.lineEnds(end) && v[len(v)-1] != ':' && !expression(v) && v[0] != '{' && v[0] != '[' {
		a.judge(at, end, false)
	}
}

// lineStarts reports whether the name, perhaps in quotes, begins its line.
func (a *assigned) lineStarts() bool {
	lo := a.lo
	if lo > 0 && isQuote(a.r.text[lo-1]) {
		lo--
	}
	return a.r.lineStarts(lo)
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
		if j-line < indent || indent == 0 || len(v) == 0 {
			break
		}
		if bytes.IndexByte(v, ' ') >= 0 {
			if from < 0 && a.naming().noun == passNoun {
				from, end = j, j+len(v) // a passphrase
			}
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
	if end+1 < len(text) && text[end] == '<' && (v[len(v)-1] == '=' || v[len(v)-1] == ':') && text[end+1] != '/' {
		return // <this>: and =<that> of a template
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
	for i >= 0 && a.lo-i < 64 && (isIdent(text[i]) || text[i] == ':' || text[i] == '/') {
		i-- // the rest of a name in parts: Gateway:ApiKey
	}
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
var nameNames = [...]string{"name", "key", "id", "variable", "field", "property", "parametername", "parameterkey", "optionname", "label", "secretname", "env", "type"}

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
		if text[k]|0x20 == 'v' && (bytes.EqualFold(text[k:k+5], []byte("value")) || bytes.EqualFold(text[k:k+3], []byte("val"))) && (!isWord(text[k-1]) || text[k] == 'V' && !isUpper(text[k-1])) {
			k += 5
			for k < len(text) && (text[k] == '\\' || isQuote(text[k]) || text[k] == ' ') {
				k++
			}
			if k < len(text) && (text[k] == ':' || text[k] == '=') && !a.useless() {
				b := *a
				b.colon = text[k] == ':'
				b.closed = 0
				b.argument = len(word) == 4 && bytes.EqualFold(word, []byte("type"))
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
	for end > at && strings.IndexByte(",})];", text[end-1]) >= 0 {
		end--
	}
	if v := text[at:end]; a.style() == asCode && !(random(v) && shapeOf(v).digit > 3) {
		return // an expression
	}
	if end > at && !expression(text[at:end]) {
		a.judge(at, end, false)
	}
}
