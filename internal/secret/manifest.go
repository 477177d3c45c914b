package secret

import "bytes"

// readManifest finds the values of a Kubernetes Secret: all of data, in base64,
// and of stringData, in any order with kind.
func readManifest(r *run, start, end int) {
	text := r.text
	if start < r.manifestDone {
		return
	}
	// kind: Secret, alone on its line, or "kind": "Secret".
	key, ok := bytes.CutSuffix(bytes.TrimRight(text[:start], quoteSigns), []byte(":"))
	key = bytes.TrimRight(key, quoteSigns)
	if !ok || !endsFold(key, "kind") || isWord(byteAt(text, end)) {
		return
	}
	lo, hi := document(text, len(key)-1, end)
	r.spend(4 * (hi - lo))
	r.manifestDone = hi
	for at := lo; at < hi; {
		j := bytes.Index(text[at:hi], []byte("ata"))
		if j < 0 {
			return
		}
		at += j + len("ata")
		head := back(text, at, len("stringData")+1, wordSigns)
		plain := string(text[head:at]) == "stringData"
		k := past(text[:hi], at, len(text), "\"'`\\")
		if (plain || string(text[head:at]) == "data") && byteAt(text[:hi], k) == ':' {
			at = max(at, r.manifestData(head, k+1, hi, plain))
		}
	}
}

// quoteSigns may stand round a key and its value on one line.
const quoteSigns = "\"'` \\"

// document returns the bounds of the YAML document, or the part of JSON, round
// a place.
func document(text []byte, from, to int) (lo, hi int) {
	lo, hi = max(0, from-maxKey), min(len(text), to+maxKey)
	if i := bytes.LastIndex(text[lo:from], []byte("\n---")); i >= 0 {
		lo += i + 1
	}
	if i := bytes.Index(text[to:hi], []byte("\n---")); i >= 0 {
		hi = to + i
	}
	return lo, hi
}

// manifestData reads the entries below data: or stringData:, which begins at head,
// from at to hi. It returns how far it read.
func (r *run) manifestData(head, at, hi int, plain bool) int {
	m := manifest{r: r, text: r.text[:hi], at: at, indent: r.column(head)}
	if len(bytes.Trim(r.text[head-m.indent:head], ` +-"`)) > 0 {
		m.indent = -1
	}
	for n := 0; n < 200 && m.next(); n++ {
		if m.depth == 0 && m.text[m.at] == '#' {
			m.at = upTo(m.text, m.at, len(m.text), "\n")
			continue
		}
		name, ok := m.name()
		if !ok {
			break
		}
		from, to := m.value()
		if to <= from {
			continue
		}
		r.spend(to - from)
		from, to = r.besideMarks(from, to)
		if to-from >= 4 && manifestValue(name, r.text[from:to], plain) {
			r.add("kubernetes-secret-yaml", from, to, rankNamed)
		}
	}
	r.spend(4 * (m.at - at))
	return m.at
}

// manifest is the reading of a Secret's data.
type manifest struct {
	r      *run
	text   []byte // up to the end of the document
	at     int
	indent int // of data:, -1 where it stands in JSON on one line
	depth  int // of braces
}

// next goes to the next entry and reports whether there is one: what is not deeper
// than data: ends YAML, a brace JSON.
func (m *manifest) next() bool {
	text := m.text
	for ; m.at < len(text); m.at++ {
		b := text[m.at]
		if b == '{' {
			m.depth++
		} else if !isSpace(b) && b != ',' && b != '\\' && !(b == '+' && text[m.at-1] == '\n') {
			break
		}
	}
	if m.at >= len(text) || text[m.at] == '}' {
		return false
	}
	return m.depth > 0 || m.r.column(m.at) > m.indent
}

// name reads the name of an entry and goes on to its value.
func (m *manifest) name() (name []byte, ok bool) {
	start := m.at
	m.at = upTo(m.text, m.at, len(m.text), ":\n")
	if byteAt(m.text, m.at) != ':' {
		return nil, false
	}
	name = bytes.Trim(m.text[start:m.at], "\"'\\ ")
	m.at = past(m.text, m.at+1, len(m.text), ` \`)
	return name, m.at < len(m.text)
}

// value reads the value of an entry; none begins at the end of the line.
func (m *manifest) value() (from, to int) {
	switch text, b := m.text, m.text[m.at]; {
	case isQuote(b):
		from = m.at + 1
		to, _ = m.r.closing(from, b, boolInt(text[m.at-1] == '\\'))
		to = min(to, len(text))
		m.at = past(text, to, len(text), "\"'`\\")
		return from, to
	case b == '|' || b == '>':
		m.at = upTo(text, m.at, len(text), "\n")
		return m.block()
	}
	return m.scalar()
}

// block reads the lines below | or > that are indented as the first is.
func (m *manifest) block() (from, to int) {
	text, col := m.text, 0
	from, to = -1, -1
	for m.at < len(text) {
		line := m.at + 1
		at := past(text, past(text, line, 1, "+"), len(text), " ") // also of a patch
		if from < 0 {
			from, col = at, at-line
		}
		if at-line < col || col == 0 {
			break
		}
		m.at = upTo(text, at, len(text), "\n")
		to = m.at
	}
	return from, to
}

// scalar reads a value without quotes.
func (m *manifest) scalar() (from, to int) {
	end := "\r\n"
	if m.depth > 0 {
		end = "\r\n,}"
	}
	from, to = m.at, upTo(m.text, m.at, len(m.text), end)
	if m.text[from] == '#' { // a comment, and no value
		m.at = to
		return from, from
	}
	if i := bytes.Index(m.text[from:to], []byte(" #")); i >= 0 {
		to = from + i
	}
	m.at = to
	return from, from + len(bytes.TrimRight(m.text[from:to], " "))
}

// manifestValue judges one entry of a Secret.
func manifestValue(name, v []byte, plain bool) bool {
	if lookUp(v) {
		return false
	}
	if !plain {
		b := unfolded(v)
		d := decoded(b)
		if d == nil {
			return len(b) >= 12 && only(b, base64Signs+"=") // a keystore or random bytes
		}
		v = bytes.TrimSpace(d)
	}
	if len(v) == 0 {
		return false
	}
	if v[0] == '{' || bytes.IndexByte(v, '\n') >= 0 {
		// A document: it is one secret if it has one.
		return !plain && holds(v, "PRIVATE KEY", "auth", "assword", "oken", "ecret")
	}
	if noValue(v) || begins(v, "<", "# ", "-----BEGIN CERT", "-----BEGIN PUB", "ssh-") {
		return false
	}
	k := classify(name)
	if k.noun >= tokenNoun && !k.not {
		return len(v) >= 4
	}
	// Users, hosts, ports and names are no secrets by themselves.
	if i := bytes.Index(v, []byte("://")); i >= 0 {
		at := bytes.IndexByte(v, '@')
		return at > i+3 && bytes.IndexByte(v[i+3:at], ':') > 0
	}
	if random(v) {
		return true
	}
	s := shapeOf(v)
	return s.space == 0 && !email(v) && !fileName(v) && passwordLike(v, s, k.noun == noNoun || k.not)
}

// unfolded returns base64 without what lines it is written on add.
func unfolded(v []byte) []byte {
	return bytes.Map(func(c rune) rune {
		if c == '\n' || c == ' ' || c == '\r' || c == '\\' {
			return -1
		}
		return c
	}, v)
}
