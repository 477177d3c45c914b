package secret

import (
	"bytes"
	"strings"
)

// This file says where on its line a name or a value stands.

// endsWord reports whether b ends a value without quotes.
func endsWord(b byte) bool {
	switch b {
	case '"', '\'', '`', ';', ',', '&', ')', '}', ']', '<', '>', '|', '\\':
		return true
	}
	return false
}

// quote recognises an opening quote at at: of a string with a prefix, escaped
// within another string, or tripled. It returns where the value begins, the
// quote and the number of backslashes before it.
func (r *run) quote(at int) (from int, q byte, escapes int) {
	text := r.text
	i := pastPrefix(text, at)
	for i < len(text) && text[i] == '\\' && escapes < 8 {
		i++
		escapes++
	}
	if i >= len(text) || !isQuote(text[i]) {
		return 0, 0, 0
	}
	q = text[i]
	i++
	if escapes == 0 && i+1 < len(text) && text[i] == q && text[i+1] == q {
		i = past(text, i+2, len(text), "\n\r ")
	}
	return i, q, escapes
}

// pastPrefix steps over what stands before the quote of a string: b"", rb”, L"", @"", and << of Erlang's binaries.
func pastPrefix(text []byte, at int) int {
	if at+2 < len(text) && text[at] == '<' && text[at+1] == '<' {
		at += 2
	}
	if at >= len(text) {
		return at
	}
	if strings.IndexByte("nbrful", text[at]|0x20) >= 0 && isLetter(text[at]) {
		for j := at + 1; j <= at+2 && j < len(text); j++ {
			if text[j] == '"' || text[j] == '\'' {
				return j
			}
			if !isLetter(text[j]) {
				break
			}
		}
	} else if (text[at] == '@' || text[at] == '$' || text[at] == '&') && at+1 < len(text) && isQuote(text[at+1]) {
		return at + 1
	}
	return at
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

// queryEnd returns where in v the next parameter of a query begins: &name=; -1 if
// none does.
func queryEnd(v []byte) int {
	for i, b := range v {
		if j := i + 1; b == '&' {
			for j < len(v) && isIdent(v[j]) {
				j++
			}
			if j > i+1 && j < len(v) && v[j] == '=' {
				return i
			}
		}
	}
	return -1
}

// skipScheme steps over the scheme before a credential: Bearer, Basic, Token.
func (r *run) skipScheme(at int) int {
	for _, w := range schemes {
		if beginsFold(r.text[at:], w) && hasPrefixAt(r.text, at+len(w), " ") {
			return at + len(w) + 1
		}
	}
	return at
}

var schemes = [...]string{"bearer", "basic", "token", "apikey", "api-key", "key", "jwt", "ghost", "splunk", "genie", "geniekey", "ssws", "negotiate", "bot", "oauth", "discogs", "klaviyo-api-key", "deepl-auth-key", "pve", "pbsapitoken", "secret"}

// before returns what stands before at on its line, at most n bytes.
func (r *run) before(at, n int) []byte {
	lo := at
	for lo > 0 && at-lo < n && r.text[lo-1] != '\n' {
		lo--
	}
	return r.text[lo:at]
}

// lineStarts reports whether nothing but indentation, a list or patch mark or a
// word that sets variables stands before at on its line.
func (r *run) lineStarts(at int) bool {
	head := r.before(at, 128)
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

// lineEnds reports whether nothing follows at on its line.
func (r *run) lineEnds(at int) bool {
	at = skipBlank(r.text, at)
	return at >= len(r.text) || r.text[at] == '\n' || r.text[at] == '\r'
}

// insideString reports whether a quote is open before at on its line.
func (r *run) insideString(at int) bool { return r.openQuote(at) != 0 }

// openQuote returns the quote that is open before at on its line, 0 if none is.
func (r *run) openQuote(at int) byte {
	head := r.before(at, 512)
	r.spend(len(head))
	if len(head) == 512 {
		return 0 // nobody knows
	}
	var open byte
	for i := 0; i < len(head); i++ {
		switch b := head[i]; {
		case b == '\\':
			i++
		case !isQuote(b):
		case open == 0:
			open = b
		case open == b:
			open = 0
		}
	}
	return open
}

// insideComment reports whether the name's line is a comment so far.
func (a *assigned) insideComment() bool {
	head := bytes.TrimLeft(a.r.before(a.lo, 256), " \t+-")
	return begins(head, "//", "#", "*", "/*", "<!--") || holds(head, " // ")
}

// lineStarts reports whether the name, perhaps in quotes, begins its line.
func (a *assigned) lineStarts() bool {
	lo := a.at()
	if lo > 0 && isQuote(a.r.text[lo-1]) {
		lo--
	}
	return a.r.lineStarts(lo)
}

// head returns what stands before the name on its line, trimmed.
func (a *assigned) head() []byte {
	h := bytes.TrimSpace(a.r.before(a.lo, 200))
	if len(h) > 0 && (h[0] == '+' || h[0] == '-') {
		h = bytes.TrimSpace(h[1:])
	}
	return h
}
