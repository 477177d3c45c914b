package secret

import (
	"bytes"
)

// This file reads the arguments of calls.

// literal returns the bounds of the text in quotes that begins at or after at on
// the same line, past spaces; ok is false where there is none.
func (r *run) literal(at int) (from, to int, ok bool) {
	escape := skipBlank(r.text, at)
	at = past(r.text, escape, 1, `\`)
	if !isQuote(byteAt(r.text, at)) {
		return 0, 0, false
	}
	to, ok = r.closing(at+1, r.text[at], at-escape)
	return at + 1, to, ok
}

// readHanded finds a key handed to a client among its first arguments.
func readHanded(r *run, start, end int) {
	noun := weakNoun // of client("text", "text") a text may be anything
	switch {
	case hasFold(r.text[start:end], "auth("):
		noun = passNoun
	case hasFold(r.text[start:end], "stripe", "secret", "cookie"):
		noun = tokenNoun
	}
	at := end
	for range 3 {
		from, to, ok := r.literal(at)
		if !ok {
			return
		}
		r.given("login-call", formGiven, noun, from, to)
		if at = skipBlank(r.text, to+1); byteAt(r.text, at) != ',' {
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
	if s := shapeOf(text[end:to]); ok && to-end <= 40 && s.digit > 0 && s.space == 0 { // ("ann@acme.io", "Ann 2") is a name
		r.given("login-call", formGiven, passNoun, end, to)
	}
}

// readTyped finds a password typed into a field by a test or a script: get("#password").type("value"), fill("#password", "value").
func readTyped(r *run, start, end int) {
	from, to, ok := r.literal(end)
	if !ok {
		return
	}
	head := r.before(start, 160)
	r.spend(8 * (to - start + len(head)))
	field := isField(head)
	if isField(r.text[from:to]) {
		if at := skipBlank(r.text, to+1); byteAt(r.text, at) == ',' {
			if lo, hi, second := r.literal(at + 1); second {
				from, to, field = lo, hi, true
			}
		}
	}
	if field && to-from <= 64 {
		r.given("login-call", formGiven, passNoun, from, to)
	}
}

// isField reports whether text names the field of a form that takes a password.
func isField(text []byte) bool {
	return holds(text, "pass", "Pass", "PASS", "pwd", "Pwd", "PWD", "\"pw\"", "'pw'", "#pw", "kennwort", "senha", "contrase", "pin\"", "pin'")
}

// readPair finds a user and a password as the arguments of what takes both.
func readPair(r *run, start, end int) {
	text, noun := r.text, passNoun
	if hasFold(text[start:end], "connect(", "connection(", "database(") && !hasFold(r.before(end, 24), "mysql", "dbi->", "manager.") {
		noun = weakNoun // connect("url", "text")
	}
	i := skipBlank(text, end)
	if i == end || !isQuote(byteAt(text, i)) { // login "user", "value"
		i = upTo(text, end-1, 25, "([\n")
		if i >= min(len(text), end+24) || text[i] == '\n' {
			return
		}
		i++
	}
	// Up to four arguments; a literal after another literal or a name.
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
		if args > 0 && args < 4 {
			r.given("login-call", formGiven, noun, j+1, e)
		}
		if i = e + 1; byteAt(text, i) != ',' {
			return
		}
	}
}
