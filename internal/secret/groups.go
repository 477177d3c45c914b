package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads values that stand below a name, or in brackets behind it: lists, tables and blocks.

// items takes the texts in quotes behind the bracket at at, one behind the other; false if there is none.
func (a *assignment) items(at int) bool {
	text := a.r.text
	round := text[at] == '('
	at++
	for n := range maxItems {
		at = value.Past(text, at, len(text), value.Spaces+",")
		from, q, escapes := a.r.quote(at)
		if q == 0 {
			return n > 0
		}
		end, ok := a.r.closing(from, q, escapes)
		if !ok {
			return true
		}
		at = value.SkipBlank(text, end+1+escapes)
		next := value.ByteAt(text, at)
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
func (a *assignment) below(at int, f form) {
	r, text := a.r, a.r.text
	switch {
	case !a.colon || a.style() == value.AsCode:
		if end := value.UpTo(text, at, 16, value.Spaces); a.stores(text[at:end]) {
			at = value.SkipBlank(text, end)
		}
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
	end := r.upTo(at, maxValue, value.Spaces)
	if r.lineEnds(end) && text[end-1] != ':' {
		a.take(formBelow, at, end)
	}
}

// lines takes the lines of a list below the name.
func (a *assignment) lines(at int) {
	text := a.r.text
	for n := 0; n < maxItems && value.HasPrefixAt(text, at, "- "); n++ {
		end := a.r.upTo(at, maxValue, "\n")
		if from, to := value.Trimmed(text, at+2, end, " \r\"'"); bytes.IndexByte(text[from:to], ':') < 0 {
			a.take(formItem, from, to)
		}
		at = value.Past(text, end, len(text), value.Spaces)
	}
}

// grouped reports whether this name may stand above others whose values are
// secrets: tokens, secrets, apiKey; not key, session or a name with a tail.
func (a *assignment) grouped() bool {
	k := a.naming()
	return (k.Noun == value.TokenNoun || k.Noun == value.PassNoun) && !k.Strict && !k.Authorization && !value.HasFold(a.name(), "color") // of a design
}

// member takes a value that stands under a name of its own below this one.
func (a *assignment) member(name []byte, from, end int) {
	var buf [32]byte
	k := value.Classify(name[:min(len(name), value.MaxName)])
	w := value.LastWord(&buf, name)
	if k.Not || value.NotAfter[string(w)] || string(w) == "secure" || string(w) == "encrypted" || string(w) == "ciphertext" {
		return
	}
	f := formMember
	if k.Noun != value.NoNoun {
		f = formQuoted // Jwt: {Key: "value"}
	}
	a.take(f, from, end)
}

// members takes the values of a table in braces: apiKey: {polygon: "value"}.
func (a *assignment) members(at int) {
	text := a.r.text
	if a.useless() || !a.grouped() {
		return
	}
	most := min(len(text), at+1024)
	for n := 0; n < maxItems && at < most; n++ {
		at = value.Past(text, at, most-at, value.Spaces+value.Quotes+",;")
		lo := at
		for at < most && value.IsIdent(text[at]) {
			at++
		}
		hi := at
		at = value.Past(text, at, most-at, value.Quotes+" ")
		if hi == lo || at+1 >= most || text[at] != ':' && text[at] != '=' {
			break
		}
		from, end, ok := a.r.literal(value.Past(text, at+1, 1, ">"))
		if !ok {
			break
		}
		a.member(text[lo:hi], from, end)
		at = end + 1
	}
	a.r.spend(min(at, most) - a.hi)
}

// mapping takes the values of YAML's table below the name, whose first line is that of at.
func (a *assignment) mapping(at int) {
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
		if i := bytes.Index(l, []byte(": ")); i > indent && value.IdentifierOnly(l[indent:i]) {
			from, to := value.SkipBlank(text, line+i+2), line+len(l)
			if to-from > 2 && value.IsQuote(text[from]) && text[to-1] == text[from] {
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
func (a *assignment) block(at int) {
	text := a.r.text
	i := value.Past(text, at+1, 3, value.DigitSigns+"-+")
	if !a.r.lineEnds(i) {
		return
	}
	nl := bytes.IndexByte(text[i:], '\n')
	if nl < 0 {
		return
	}
	from, first, end, indent := -1, 0, 0, -1
	for line := i + nl + 1; line < len(text) && line-at < maxValue; {
		j := value.SkipBlank(text, value.Past(text, line, 1, "+"))
		stop := value.UpTo(text, j, at+maxValue-j, "\n")
		v := bytes.TrimRight(text[j:stop], " \r")
		if value.Begins(v, "# ") && from < 0 {
			line = stop + 1
			continue // what somebody noted there
		}
		if indent < 0 {
			indent = j - line
		}
		spaced := bytes.IndexByte(v, ' ') >= 0
		if j-line < indent || indent == 0 || len(v) == 0 || spaced && (from >= 0 || a.naming().Noun != value.PassNoun) {
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
