package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads the arguments of calls.

// literal returns the bounds of the text in quotes that begins at or after at on
// the same line, past spaces; ok is false where there is none.
func (r *run) literal(at int) (from, to int, ok bool) {
	escape := value.SkipBlank(r.text, at)
	at = value.Past(r.text, escape, 1, `\`)
	if !value.IsQuote(value.ByteAt(r.text, at)) {
		return 0, 0, false
	}
	to, ok = r.closing(at+1, r.text[at], at-escape)
	return at + 1, to, ok
}

// readHanded finds a key handed to a client among its first arguments.
func readHanded(r *run, start, end int) {
	noun := value.WeakNoun // of client("text", "text") a text may be anything
	switch {
	case value.HasFold(r.text[start:end], "auth("):
		noun = value.PassNoun
	case value.HasFold(r.text[start:end], "stripe", "secret", "cookie"):
		noun = value.TokenNoun
	}
	at := end
	if noun == value.PassNoun {
		at = r.pastNames(at)
	}
	for range 3 {
		from, to, ok := r.literal(at)
		if !ok {
			return
		}
		r.given("login-call", formGiven, noun, from, to)
		if at = value.SkipBlank(r.text, to+1); value.ByteAt(r.text, at) != ',' {
			return
		}
		at++
	}
}

// pastNames returns what stands behind the variables that are the first arguments of a call, two at most: auth(client, "bob", "value").
func (r *run) pastNames(at int) int {
	for range 2 {
		i := value.SkipBlank(r.text, at)
		end := value.Past(r.text, i, value.MaxName, value.NameSigns+"$@&")
		if end == i || value.ByteAt(r.text, end) != ',' {
			break
		}
		at = end + 1
	}
	return at
}

// readAddressed finds a password beside a mail address: ("ann@acme.io", "value").
func readAddressed(r *run, start, end int) {
	text := r.text
	lo := value.BackTo(text, start, 64, value.Quotes+value.Spaces)
	if lo == 0 || !value.IsQuote(text[lo-1]) || bytes.IndexByte(text[lo:start], '@') <= 0 || bytes.ContainsAny(text[lo:start], ":|/") {
		return
	}
	to, ok := r.closing(end, text[end-1], 0)
	r.spend(100 + 8*(to-lo))
	if s := value.ShapeOf(text[end:to]); ok && to-end <= 40 && s.Digit > 0 && s.Space == 0 { // ("ann@acme.io", "Ann 2") is a name
		r.given("login-call", formGiven, value.PassNoun, end, to)
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
	field := isField(head[bytes.LastIndexByte(head, ';')+1:])
	if isField(r.text[from:to]) {
		if at := value.SkipBlank(r.text, to+1); value.ByteAt(r.text, at) == ',' {
			if lo, hi, second := r.literal(at + 1); second {
				from, to, field = lo, hi, true
			}
		}
	}
	if field && to-from <= 64 {
		r.given("login-call", formGiven, value.PassNoun, from, to)
	}
}

// isField reports whether text names the field of a form that takes a password.
func isField(text []byte) bool {
	return value.Holds(text, "pass", "Pass", "PASS", "pwd", "Pwd", "PWD", "\"pw\"", "'pw'", "#pw", "kennwort", "senha", "contrase", "pin\"", "pin'")
}

// drawnAmong takes the texts in quotes of letters and digits that were drawn by lot among the further arguments of what lets somebody in, where one
// that begins at at is computed behind its name, which ends at end, as a driver is.
func (r *run) drawnAmong(at, end int) {
	text, depth := r.text, 1
	if text[end] != '(' && text[end] != ':' {
		return
	}
	most := min(len(text), at+maxCall)
	start := at
	for ; at < most && depth > 0; at++ {
		switch c := text[at]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '{', c == ';':
			depth = 0
		case value.IsQuote(c):
			to, ok := r.closing(at+1, c, 0)
			if !ok {
				depth = 0
				break
			}
			if before := value.ByteAt(text, value.Back(text, at, 4, " ")-1); depth == 1 && before == ',' {
				r.drawn(value.Naming{Noun: value.PassNoun, Lot: true}, at+1, to)
			}
			at = to
		}
	}
	r.spend(at - start)
}

// pastConversion returns what stands behind a call without arguments by which a text is made one of another kind, as "bob".to_owned(), or at.
func pastConversion(text []byte, at int) int {
	if value.ByteAt(text, at) != '.' {
		return at
	}
	if end := value.Past(text, at+1, 24, value.WordSigns); end > at+1 && value.HasPrefixAt(text, end, "()") {
		return end + len("()")
	}
	return at
}

// maxPairArguments bounds the arguments that readPair reads.
const maxPairArguments = 5

// readPair finds a user and a password as the arguments of what takes both.
func readPair(r *run, start, end int) {
	text, noun := r.text, value.PassNoun
	if value.HasFold(text[start:end], "connect(", "connection(", "database(") && !value.HasFold(r.before(end, 24), "mysql", "dbi->", "manager.") {
		noun = value.WeakNoun // connect("url", "text")
	}
	first, i := 1, value.SkipBlank(text, end) // the literal of the first is of a user
	symbol := text[end-1] == ':'
	word := text[end-1] == ' '                                                     // of a statement of SQL
	apart := text[end-1] == '[' || i > end && value.IsQuote(value.ByteAt(text, i)) // blanks alone part them: ["user" "value"], basicAuth "user" "value"
	if symbol {                                                                    // :github, "id", "value"
		first = 2
	} else if i == end && !word || !value.IsQuote(value.ByteAt(text, i)) { // login "user", "value"
		i = value.UpTo(text, end-1, 25, "([\n")
		if i >= min(len(text), end+24) || text[i] == '\n' {
			return
		}
		i++
	}
	if value.IsQuote(value.ByteAt(text, i)) && value.Holds(text[i:r.upTo(i, 80, "\n,")], "://") { // connect("tcp://host", "user", "value")
		first, noun = 2, value.PassNoun
	}
	// A literal after another literal or a name.
	for args := 0; args < maxPairArguments && i < len(text); args++ {
		i = value.Past(text, i, end+400-i, value.Spaces+",")
		// What a value is wrapped in, in Rust.
		if value.HasPrefixAt(text, i, "Some(") {
			i += len("Some(")
		}
		if value.HasPrefixAt(text, i, `<<"`) { // a binary of Erlang's
			i += len("<<")
		}
		j := value.Past(text, i, 64, value.WordSigns+".$@") // behind the name of a variable or a field
		if j >= len(text) {
			return
		}
		if !value.IsQuote(text[j]) {
			if text[j] != ',' {
				r.drawnAmong(i, j)
				return // also named arguments, which are assignments
			}
			i = j
			continue
		}
		e, ok := r.closing(j+1, text[j], 0)
		if !ok {
			return
		}
		if args >= first && args < maxPairArguments {
			r.given("login-call", formGiven, noun, j+1, e)
		}
		i = pastConversion(text, e+1)
		if value.HasPrefixAt(text, i, ">>") {
			i += len(">>")
		}
		if sign := value.SkipBlank(text, i); value.HasPrefixAt(text, sign, "=>") {
			i = sign + len("=>") // user => "value"
			continue
		}
		if value.ByteAt(text, i) != ',' && !(apart && value.ByteAt(text, i) == ' ' && value.IsQuote(value.ByteAt(text, i+1))) {
			return
		}
	}
}
