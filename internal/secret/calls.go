package secret

import (
	"bytes"
)

// This file reads the arguments of calls.

// literal returns the bounds of the text in quotes that begins at or after at on
// the same line, past spaces; ok is false where there is none.
func (r *run) literal(at int) (from, to int, ok bool) {
	at = skipBlank(r.text, at)
	n := 0
	if at < len(r.text) && r.text[at] == '\\' {
		at, n = at+1, 1
	}
	if at >= len(r.text) || !isQuote(r.text[at]) {
		return 0, 0, false
	}
	to, ok = r.closing(at+1, r.text[at], n)
	return at + 1, to, ok
}

// readHanded finds a key handed to a client among its first arguments.
func readHanded(r *run, start, end int) {
	auth := bytes.EqualFold(r.text[max(start, end-5):end], []byte("auth("))
	at := end
	for range 3 {
		from, to, ok := r.literal(at)
		if !ok {
			return
		}
		lo, hi := r.besideMarks(from, to)
		v := r.text[lo:hi]
		r.spend(100 + 8*len(v))
		hexKey := at > end && len(v) == 32 && allHex(v) && shapeOf(v).digit > 4 && bytes.EqualFold(r.text[start:end], []byte("client.new("))
		key := len(v) >= 24 && len(v) <= 128 && (hexKey || handedKey(v)) && !noValue(v)
		password := auth && len(v) >= 10 && len(v) <= 128 && !fileName(v) && commandValue(v) && (random(v) || passwordLike(v, shapeOf(v), true))
		if key || password {
			r.add("login-call", lo, hi, rankNamed)
		}
		if at = skipBlank(r.text, to+1); at >= len(r.text) || r.text[at] != ',' {
			return
		}
		at++
	}
}

// readAddressed finds a password beside a mail address: ("ann@acme.io", "value").
func readAddressed(r *run, start, end int) {
	text := r.text
	lo := backTo(text, start, 64, quotes+spaces)
	if lo == 0 || !isQuote(text[lo-1]) || bytes.IndexByte(text[lo:start], '@') <= 0 || bytes.ContainsAny(text[lo:start], ":|/") {
		return
	}
	to, ok := r.closing(end, text[end-1], 0)
	r.spend(100 + 8*(to-lo))
	if !ok || to-end < 8 || to-end > 40 {
		return
	}
	v := text[end:to]
	s := shapeOf(v)
	if s.digit == 0 || s.space > 0 || isHash(v) || isUUID(v) || bytes.IndexByte(v, '@') > 0 || hasOrdinary(v) || !commandValue(v) || random(v) {
		return
	}
	if madeUp(v) || passwordLike(v, s, true) {
		r.add("login-call", end, to, rankNamed)
	}
}

// readTyped finds a password typed into a field by a test or a script: get("#password").type("value"), fill("#password", "value").
func readTyped(r *run, start, end int) {
	from, to, ok := r.literal(end)
	head := r.before(start, 160)
	r.spend(8 * (to - start + len(head)))
	field := isField(head)
	if ok && isField(r.text[from:to]) {
		if at := skipBlank(r.text, to+1); at < len(r.text) && r.text[at] == ',' {
			if lo, hi, second := r.literal(at + 1); second {
				from, to, field = lo, hi, true
			}
		}
	}
	from, to = r.besideMarks(from, to)
	if !ok || !field || to-from < 6 || to-from > 64 {
		return
	}
	if v := r.text[from:to]; commandValue(v) && shapeOf(v).digit > 0 {
		r.add("login-call", from, to, rankNamed)
	}
}

// isField reports whether text names the field of a form that takes a password.
func isField(text []byte) bool {
	return holds(text, "pass", "Pass", "PASS", "pwd", "Pwd", "PWD", "\"pw\"", "'pw'", "#pw", "kennwort", "senha", "contrase", "pin\"", "pin'")
}

// passwordCalls are what calls are named that take a password.
var passwordCalls = []string{"basicauth", "basic_auth", "login(", "authentication(", "credentials("}

// hasFold reports whether text holds one of the words, which are in lower case, in any case.
func hasFold(text []byte, words ...string) bool {
	for _, w := range words {
		for i := 0; i+len(w) <= len(text); i++ {
			if text[i]|0x20 == w[0] && bytes.EqualFold(text[i:i+len(w)], []byte(w)) {
				return true
			}
		}
	}
	return false
}

// mailKey reports whether v is a key of Mailgun's: 32, 8 and 8 hex digits.
func mailKey(v []byte) bool {
	return len(v) == 50 && v[32] == '-' && v[41] == '-' && allHex(v[:32]) && allHex(v[33:41]) && allHex(v[42:])
}

// pairedPassword judges an argument that stands after a user; named means that the
// user is a literal, too.
func pairedPassword(v []byte, named bool) bool {
	s := shapeOf(v)
	if s.space > 0 || noValue(v) || fileName(v) || email(v) {
		return false
	}
	if random(v) || mailKey(v) || phrase(v, true) || passwordLike(v, s, true) {
		return true
	}
	return madeUp(v) && s.digit > 0 && (!nameLike(v) || s.upper > 0 || named && s.digit > 1)
}

// pairedWords judges an argument of words alone.
func pairedWords(v []byte) bool {
	s := shapeOf(v)
	return s.joint > 0 && s.upper > 0 && !noValue(v) && !email(v) && plainWords(v, false)
}

// readPair finds a user and a password as the arguments of what takes both.
func readPair(r *run, start, end int) {
	text := r.text
	i := skipBlank(text, end)
	if i == end || i >= len(text) || !isQuote(text[i]) { // login "user", "value"
		i = upTo(text, end-1, 25, "([\n")
		if i >= min(len(text), end+24) || text[i] == '\n' {
			return
		}
		i++
	}
	// Up to four arguments; a literal after another literal or a name.
	literals := 0
	for args := 0; args < 5 && i < len(text); args++ {
		i = past(text, i, end+400-i, spaces+",")
		// What a value is wrapped in, in Rust.
		if hasPrefixAt(text, i, "Some(") {
			i += len("Some(")
		}
		j := past(text, i, 64, wordSigns+".$@") // behind the name of a variable or a field
		if j >= len(text) {
			return
		}
		if !isQuote(text[j]) {
			if text[j] != ',' {
				return // also named arguments, which are assignments
			}
			i = j
			continue
		}
		e, ok := r.closing(j+1, text[j], 0)
		if !ok {
			return
		}
		from, to := r.besideMarks(j+1, e)
		if v := text[from:to]; args > 0 && args < 4 && len(v) >= 6 {
			if pairedPassword(v, literals > 0) || args == 1 && pairedWords(v) && hasFold(text[start:end], passwordCalls...) {
				r.add("login-call", from, to, rankNamed)
			}
		}
		literals++
		if i = e + 1; i < len(text) && text[i] != ',' {
			return
		}
	}
}
