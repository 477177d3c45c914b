package secret

import (
	"bytes"
	"slices"
)

// This file reads forms: the ways in which a name is given a value. It decides nothing; a candidate is decided by judge.

// form is how a value stands beside its name.
type form uint8

const (
	formQuoted   form = iota // name = "value", "name": "value"
	formBare                 // name = value, NAME=value
	formWrapped              // name = String("value"), []byte("value")
	formCompared             // name == "value"
	formArgument             // name("value"), "name", "value"
	formElement              // <name>value</name>
	formItem                 // name: ["value", …], and the lines of a list below it
	formSpaced               // --name value, NAME 'value'
	formDefault              // ${NAME:-value}, NAME || "value"
	formScheme               // Basic value
	forms
)

// Candidate is a value that stands where a credential may stand.
type Candidate struct {
	// Start and End bound the value in the text.
	Start, End int
	// Features say what it looks like, each once. FeatureName names them.
	Features []uint16
	// Score is the sum of their weights.
	Score int
	// Excepted says why it is none whatever it looks like; it has no features then. Else "".
	Excepted string
}

// giver reads the values that are given to one name.
type giver struct {
	r *run
	// a is the name.
	a *assigned
}

// maxItems bounds the values read from a list.
const maxItems = 16

// given judges the values that a name is given.
func (r *run) given(a *assigned) {
	g := giver{r, a}
	text, lo, hi := r.text, a.lo, a.hi
	at := hi
	// What closes the name: a quote, perhaps escaped, and brackets.
	for at < len(text) && text[at] == '\\' && at < hi+4 {
		at++
	}
	closed := at < len(text) && isQuote(text[at])
	if closed && lo > 3 && text[lo-1] == text[at] {
		i := lo - 2
		for i > 0 && text[i] == ' ' {
			i--
		}
		if text[i] == '?' {
			return // one of two: x ? "pass" : "fail"
		}
	}
	if closed {
		at++
		for at < len(text) && (text[at] == ']' || text[at] == ')') {
			at++
		}
	} else {
		at = hi
		if at < len(text) && text[at] == '[' { // secret[16]
			if i := bytes.IndexByte(text[at:min(len(text), at+8)], ']'); i > 0 {
				at += i + 1
			}
		}
		if at+1 < len(text) && (text[at] == '?' || text[at] == '!') && text[at+1] == ':' {
			at++
		}
	}
	gap := at
	at = skipBlank(text[:min(len(text), at+64)], at)
	if at+1 >= len(text) {
		return
	}
	if closed && (text[at] == '/' || text[at] == '>') && namesName(text, lo-1) {
		g.before()
	}
	if !closed && at > gap {
		at = pastCopula(text, at)
	}
	if n := wideSign(text, at); n > 0 {
		g.value(at+n, formQuoted)
		return
	}
	next := text[at+1]
	switch c := text[at]; {
	case c == ':' && string(text[lo:hi]) == "PASS":
		// a verdict
	case c == '=' && next == '>', c == ':' && next == '=', c == '<' && next == '-', c == '?' && next == '=', c == '|' && next == '|', c == '?' && (next == '?' || next == ':'):
		g.value(at+2, formQuoted)
	case (c == '=' || c == '!') && next == '=':
		for at < len(text) && (text[at] == '=' || text[at] == '!') {
			at++
		}
		g.value(at, formCompared)
	case c == '=' && next != '~', c == ':' && next != ':' && next != '-':
		g.value(at+1, formQuoted)
	case c == ':' && next == '-' && lo > 1 && text[lo-1] == '{':
		if end := bytes.IndexAny(text[at+2:min(len(text), at+258)], "}\n"); end > 0 && text[at+2+end] == '}' {
			g.take(formDefault, at+2, at+2+end)
		}
	case c == ',' && closed, c == '(':
		g.value(at+1, formArgument)
	case c == '>' && lo > 0 && (text[lo-1] == '<' || isQuote(text[lo-1]) && namesName(text, lo-1)):
		if end := bytes.IndexAny(text[at+1:min(len(text), at+513)], "<\n"); end > 0 && text[at+1+end] == '<' {
			g.take(formElement, at+1, at+1+end)
		}
	case at > gap && !closed && (isQuote(c) || text[lo] == '-' && c != '-' && c > ' '):
		g.value(at, formSpaced)
	case at > gap && !closed && c > ' ' && r.style == asConfig && r.lineStarts(lo):
		from, to := g.word(at)
		if g.lineEnd(to) {
			g.take(formSpaced, from, to)
		}
	}
}

// before reads the value that an attribute before the name's gives: <add value="…" key="token"/>.
func (g *giver) before() {
	text := g.r.text
	tag := text[max(0, g.a.lo-256):g.a.lo]
	if i := bytes.LastIndexByte(tag, '<'); i >= 0 {
		tag = tag[i:]
	}
	i := bytes.LastIndex(tag, []byte(" value="))
	if i < 0 {
		return
	}
	at := g.a.lo - len(tag) + i + len(" value=")
	if from, q, n := g.a.quote(at); q != 0 {
		g.quoted(formQuoted, from, q, n)
	}
}

// pastCopula steps over what stands between a name and a colon in a sentence: the password is: …
func pastCopula(text []byte, at int) int {
	for _, w := range [...]string{"is", "was", "lautet", "ist", "est", "es", "jest"} {
		if n := at + len(w); n+1 < len(text) && bytes.EqualFold(text[at:n], []byte(w)) {
			if end := skipBlank(text, n); end+1 < len(text) && text[end] == ':' {
				return end
			}
		}
	}
	return at
}

// namesName reports whether the quote at at opens what an attribute calls the name of a thing: <string name="token">.
func namesName(text []byte, at int) bool {
	hi := at
	for hi > 0 && (text[hi-1] == ' ' || text[hi-1] == '=' || text[hi-1] == '\\') {
		hi--
	}
	lo := hi
	for lo > 0 && hi-lo < 24 && isWord(text[lo-1]) {
		lo--
	}
	for _, w := range nameNames {
		if bytes.EqualFold(text[lo:hi], []byte(w)) && hi < at {
			return true
		}
	}
	return false
}

// value reads the value that begins at or behind at.
func (g *giver) value(at int, f form) {
	text := g.r.text
	lines := 0
	for start := at; at < len(text) && at < start+120 && isSpace(text[at]); at++ {
		if text[at] == '\n' {
			lines++
		}
	}
	if at >= len(text) || lines > 1 || text[at] == hidden {
		return
	}
	a := g.a
	if i, q, n := a.quote(at); q != 0 {
		g.quoted(f, i, q, n)
		return
	}
	if lines == 1 {
		if text[at] == '-' && f == formQuoted && g.r.style != asCode {
			g.lines(at)
		}
		return
	}
	if text[at] == '[' || text[at] == '{' || text[at] == '(' {
		g.items(at + 1)
		return
	}
	// A type before the value, or a call round it: token: string = "value", []byte("value").
	for i := at; i < len(text) && i < at+64; i++ {
		b := text[i]
		if b == '(' || b == '{' || b == '=' || b == ' ' || b == ',' {
			j := i + 1
			for j < len(text) && j < i+3 && (text[j] == ' ' || text[j] == '=') {
				j++
			}
			if from, q, n := a.quote(j); q != 0 {
				if b == '=' {
					if f == formQuoted && text[at-1] != '=' && text[i-1] != '=' && text[i+1] != '=' && !g.set(at) {
						g.quoted(f, from, q, n)
					}
				} else if b != ' ' {
					g.quoted(formWrapped, from, q, n)
				}
				return
			}
		}
		if !isIdent(b) && b != ' ' && b != ':' && b != '(' && b != '[' && b != ']' && b != '&' && b != '*' && b != '<' && b != '>' && b != '|' && b != '=' && b != '?' {
			break
		}
	}
	if f == formArgument {
		return
	}
	from, to := g.word(at)
	if f == formQuoted {
		f = formBare
	}
	g.take(f, from, to)
}

// set reports whether an equal sign stands between the name and at: what follows is no type.
func (g *giver) set(at int) bool { return bytes.IndexByte(g.r.text[g.a.hi:at], '=') >= 0 }

// word bounds the value without quotes that begins at at: in settings to the end of the line, or a comment there.
func (g *giver) word(at int) (from, to int) {
	text := g.r.text
	to = at
	if g.a.naming().authorization {
		at = g.r.skipScheme(at)
	}
	for to = at; to < len(text) && to-at < maxLook && !isSpace(text[to]); to++ {
		if endsWord(text[to]) && (g.r.style != asConfig || !g.r.lineStarts(g.a.lo)) {
			break
		}
	}
	for to > at && (text[to-1] == ',' || text[to-1] == ';' || text[to-1] == '.' && g.r.style != asConfig) {
		to--
	}
	return at, to
}

func (g *giver) lineEnd(at int) bool {
	at = skipBlank(g.r.text, at)
	return at >= len(g.r.text) || g.r.text[at] == '\n' || g.r.text[at] == '\r' || g.r.text[at] == '#'
}

func (g *giver) quoted(f form, from int, q byte, escapes int) {
	end, ok := g.r.closing(from, q, escapes)
	if !ok {
		return
	}
	if g.a.naming().authorization || g.a.naming().noun == noNoun {
		from = g.r.skipScheme(from)
	}
	g.take(f, from, end)
}

// items reads texts in quotes, one behind the other.
func (g *giver) items(at int) {
	text := g.r.text
	a := g.a
	for n := 0; n < maxItems; n++ {
		for at < len(text) && (isSpace(text[at]) || text[at] == ',') {
			at++
		}
		from, q, escapes := a.quote(at)
		if q == 0 {
			return
		}
		end, ok := g.r.closing(from, q, escapes)
		if !ok {
			return
		}
		next := skipBlank(text, end+1+escapes)
		if next < len(text) && (text[next] == ':' || text[next] == '=') {
			return // a name of its own
		}
		g.take(formItem, from, end)
		at = next
	}
}

// lines reads the lines of a list below the name.
func (g *giver) lines(at int) {
	text := g.r.text
	for n := 0; n < maxItems && at+2 < len(text) && text[at] == '-' && text[at+1] == ' '; n++ {
		end := at + 2
		for end < len(text) && text[end] != '\n' && end-at < maxLook {
			end++
		}
		v := bytes.Trim(text[at+2:end], " \r\"'")
		if len(v) > 0 && bytes.IndexByte(v, ':') < 0 {
			from := at + 2 + bytes.Index(text[at+2:end], v)
			g.take(formItem, from, from+len(v))
		}
		for at = end; at < len(text) && isSpace(text[at]); {
			at++
		}
	}
}

// take has a value judged, without the blanks round it.
func (g *giver) take(f form, from, to int) {
	text := g.r.text
	for from < to && isSpace(text[from]) {
		from++
	}
	for from < to && isSpace(text[to-1]) {
		to--
	}
	if to-from < 3 || bytes.IndexByte(text[from:min(to, from+maxLook)], hidden) >= 0 {
		return
	}
	if f == formBare && g.a.style() == asCode && to-from < 64 && identifierOnly(text[from:to]) && isLetter(text[from]) {
		return // a name of the program's
	}
	g.r.spend(500 + 40*min(to-from, maxLook))
	g.r.judge(g.a, f, from, to)
}

// judge adds a candidate that is no exception if its features weigh enough.
func (r *run) judge(a *assigned, f form, from, to int) {
	r.judged = judged{look: r.lookAt(a, f, from, to), name: r.text[a.lo:a.hi], form: f, path: r.path, lock: r.pathTraits().lock}
	j := &r.judged // functions are handed it
	j.goesOn = j.bare && wordFollows(r.text, to)
	if from > 0 && r.text[from-1] == '`' {
		j.quote, j.inString = '`', r.insideString(a.lo)
	}
	k := a.naming()
	if reason := j.excepted(); reason != "" {
		if r.witness != nil && !k.not && k.noun != noNoun {
			r.witness(Candidate{Start: from, End: to, Excepted: reason})
		}
		return
	}
	if k.not || k.noun == noNoun || k.noun == mnemonic || a.public() {
		return
	}
	r.list = r.features(r.list[:0], a, f, &j.look)
	score := 0
	for _, n := range r.list {
		score += int(r.table.model.Weights[n])
	}
	if r.witness != nil {
		r.witness(Candidate{Start: from, End: to, Features: slices.Clone(r.list), Score: score})
	}
	if score < r.table.model.Threshold {
		return
	}
	if from > 0 && isQuote(r.text[from-1]) && !isQuote(r.text[a.hi]) && r.openQuote(a.lo) == r.text[from-1] {
		return // the quote ends the text that the name stands in: "Password: " next
	}
	rule := "secret-assignment"
	switch {
	case f == formScheme:
		rule = "authorization-header"
	case k.noun == passNoun:
		rule = "password-assignment"
	case k.noun == weakNoun:
		rule = "generic-api-key"
	}
	r.add(rule, from, to, rankWeak)
}

// Candidates returns the values in text that names are given, whatever is decided of them. The path tells the language.
func (s *Scanner) Candidates(path string, text []byte) []Candidate {
	r := s.runs.Get().(*run)
	defer s.runs.Put(r)
	r.reset(path, text)
	var list []Candidate
	r.witness = func(c Candidate) { list = append(list, c) }
	_ = r.scan() // those before the budget's end
	r.witness, r.text = nil, nil
	return list
}

// Needs is the score that a candidate needs.
func (s *Scanner) Needs() int { return s.table.model.Threshold }

// Weight is what a feature weighs.
func (s *Scanner) Weight(feature uint16) int { return int(s.table.model.Weights[feature]) }
