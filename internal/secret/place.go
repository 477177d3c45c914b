package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file says where on its line a name or a value stands.

// endsWord reports whether b ends a value without quotes.
func endsWord(b byte) bool { return wordEnds.Has(b) }

// wordEnders end a value without quotes, as spaces do.
const wordEnders = value.Quotes + ";,&)}]<>|\\"

var wordEnds = value.ByteSetOf(wordEnders)

// upTo returns where the first byte of set stands from at on, or one of the marks; at most n bytes on. They count as work.
func (r *run) upTo(at, n int, set string, marks ...string) int {
	end := at
	for most := min(len(r.text), at+n); end < most && strings.IndexByte(set, r.text[end]) < 0 && !value.Begins(r.text[end:], marks...); {
		end++
	}
	r.spend(end - at)
	return end
}

// maxEscapes bounds the backslashes before a quote: a text in a text has one, and each more round it twice as many and one.
const maxEscapes = 31

// quote recognises an opening quote at at: of a string with a prefix, escaped within another string, or tripled. It returns
// where the value begins, the quote and the number of backslashes before it.
func (r *run) quote(at int) (from int, q byte, escapes int) {
	text := r.text
	at = pastPrefix(text, at)
	i := value.Past(text, at, maxEscapes, `\`)
	if i >= len(text) || !value.IsQuote(text[i]) {
		return 0, 0, 0
	}
	q, escapes = text[i], i-at
	i++
	switch {
	case escapes > 0 || i+1 >= len(text) || text[i] != q:
	case text[i+1] == q:
		i = value.Past(text, i+2, len(text), "\n\r ")
	case q == '`' && value.IsWord(text[i+1]): // a literal of reStructuredText
		i++
	}
	return i, q, escapes
}

// prefixSigns are the bytes that begin what pastPrefix steps over.
var prefixSigns = value.ByteSetOf("nbrfulNBRFUL@$&<#~")

// pastPrefix steps over what stands before the quote of a string: b"", rb”, L"", @"", r#"", ~s"", and << of Erlang's binaries.
func pastPrefix(text []byte, at int) int {
	if at >= len(text) || !prefixSigns.Has(text[at]) {
		return at
	}
	if at+2 < len(text) && text[at] == '<' && text[at+1] == '<' {
		at += 2
	}
	if text[at] == '~' { // a sigil of Elixir's
		if i := value.Past(text, at+1, 1, "sS"); i > at+1 && value.IsQuote(value.ByteAt(text, i)) {
			return i
		}
		return at
	}
	if text[at] == '#' { // #"…"#
		if i := value.Past(text, at, 4, "#"); value.ByteAt(text, i) == '"' && bytes.IndexByte(text[i:min(len(text), i+value.MaxLook)], '#') > 0 {
			return i
		}
		return at
	}
	i, opens := value.Past(text, at, 1, "@$&"), value.Quotes
	if value.Past(text, at, 1, "nbrfulNBRFUL") > at {
		i, opens = value.Past(text, at, 2, value.LetterSigns), "\"'"
		if raw := value.Past(text, i, 8, "#"); raw > i && text[i-1] == 'r' { // r#"…"#
			i, opens = raw, "\""
		}
	}
	if i < len(text) && strings.IndexByte(opens, text[i]) >= 0 {
		return i
	}
	return at
}

// closing finds the end of a quoted text that begins at from. Where the quote
// does not close, it returns the end of the line or of the bound.
func (r *run) closing(from int, q byte, escapes int) (int, bool) {
	text := r.text
	i, most := from, min(len(text), from+maxValue)
	defer func() { r.spend(i - from) }()
	for ; i < most && (text[i] != '\n' || q == '`'); i++ {
		if text[i] != q {
			continue
		}
		n := i - value.Back(text, i, i-from, `\`)
		if escapes == 0 && n%2 == 0 || escapes > 0 && n <= escapes {
			return i - min(n, escapes), true
		}
	}
	return i, i == most && most < len(text) // long: judged by what was read
}

// queryEnd returns where in v the next parameter of a query begins: &name=; -1 if none does.
func queryEnd(v []byte) int {
	for i, b := range v {
		if b != '&' {
			continue
		}
		j := i + 1
		for j < len(v) && value.IsIdent(v[j]) {
			j++
		}
		if j > i+1 && j < len(v) && v[j] == '=' {
			return i
		}
	}
	return -1
}

// skipScheme steps over the scheme before a credential: Bearer, Basic, Token.
func (r *run) skipScheme(at int) int {
	for _, w := range schemes {
		if value.BeginsFold(r.text[at:], w) && value.HasPrefixAt(r.text, at+len(w), " ") {
			return at + len(w) + 1
		}
	}
	return at
}

var schemes = [...]string{"bearer", "basic", "token", "apikey", "api-key", "key", "jwt", "ghost", "splunk", "genie", "geniekey", "ssws",
	"negotiate", "bot", "oauth", "discogs", "klaviyo-api-key", "deepl-auth-key", "pve", "pbsapitoken", "secret"}

// before returns what stands before at on its line, at most n bytes.
func (r *run) before(at, n int) []byte {
	lo := max(0, at-n)
	return r.text[lo+bytes.LastIndexByte(r.text[lo:at], '\n')+1 : at]
}

// lineStarts reports whether nothing but indentation, a list or patch mark or a
// word that sets variables stands before at on its line.
func (r *run) lineStarts(at int) bool {
	head := r.before(at, 128)
	if len(head) >= 128 {
		return false
	}
	head = bytes.TrimLeft(head, value.Spaces+"-+#$>/*%")
	if len(head) == 0 || head[len(head)-1] == ':' && value.IdentifierOnly(head[:len(head)-1]) {
		return true // a name in a name space: db:password
	}
	head = bytes.TrimRight(head, " ")
	switch string(head) {
	case "ENV", "ARG", "export", "set", "SET", "setenv", "local", "readonly", "declare -x", "set -x", "set -gx", "Environment=", "env:",
		"export -p", "RUN export", "run: export", "$env:", "declare -r", "typeset -x":
		return true
	}
	return false
}

// lineEnds reports whether nothing follows at on its line.
func (r *run) lineEnds(at int) bool {
	at = value.SkipBlank(r.text, at)
	return at >= len(r.text) || r.text[at] == '\n' || r.text[at] == '\r'
}

// insideString reports whether a quote is open before at on its line, or a text of several lines.
func (r *run) insideString(at int) bool { return r.openQuote(at) != 0 || r.insideBlock(at) }

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
		case value.IsQuote(b) && open == 0:
			open = b
		case b == open:
			open = 0
		}
	}
	return open
}

// insideComment reports whether the name's line is a comment so far.
func (a *assignment) insideComment() bool {
	return insideComment(a.r.before(a.lo, maxLead))
}

// inText reports whether the name stands in a text or a comment, where words are no names of the program's.
func (a *assignment) inText() bool {
	lo := a.lo
	if a.closed != 0 && lo > 0 && value.IsQuote(a.r.text[lo-1]) {
		lo-- // the name's own
	}
	return a.insideComment() || a.r.insideString(lo) || a.r.insideElement(lo)
}

// pageText is how far before a word of a page a tag is looked for, in bytes.
const pageText = 512

// insideElement reports whether at stands in the text of an element of a page, whose tag closes before it: in templates on its line.
func (r *run) insideElement(at int) bool {
	if !some(strings.HasSuffix, r.path, "html", ".htm", ".vue", ".svelte", ".jsp", ".erb", ".ejs", ".hbs", ".twig") {
		return false
	}
	head := r.before(at, pageText)
	if some(strings.HasSuffix, r.path, "html", ".htm") {
		head = r.text[max(0, at-pageText):at]
	}
	r.spend(len(head))
	end := bytes.LastIndexAny(head, "<>")
	if end < 0 || head[end] != '>' {
		return false
	}
	tag := head[bytes.LastIndexByte(head[:end], '<')+1 : end]
	return len(tag) < end && len(tag) > 0 && (value.IsLetter(tag[0]) || tag[0] == '/') && !value.BeginsFold(tag, "script", "style")
}

// lineStarts reports whether the name, perhaps in quotes, begins its line.
func (a *assignment) lineStarts() bool {
	lo := max(a.lo, a.line)
	if lo > 0 && value.IsQuote(a.r.text[lo-1]) {
		lo--
	}
	return a.r.lineStarts(lo)
}

// head returns what stands before the name on its line, trimmed.
func (a *assignment) head() []byte {
	h := bytes.TrimSpace(a.r.before(a.lo, 200))
	if value.Begins(h, "+", "-") {
		h = bytes.TrimSpace(h[1:])
	}
	return h
}
