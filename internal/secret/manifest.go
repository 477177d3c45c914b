package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads what is a secret by the structure of a manifest: a Secret of Kubernetes, and what Kustomize makes one of.

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
	if !ok || !value.EndsFold(key, "kind") || value.IsWord(value.ByteAt(text, end)) {
		return
	}
	lo, hi := document(text, len(key)-1, end)
	hi = commentEnd(text, len(key)-1, hi)
	r.spend(4 * (hi - lo))
	r.manifestDone = hi
	for at := lo; at < hi; {
		j := bytes.Index(text[at:hi], []byte("ata"))
		if j < 0 {
			return
		}
		at += j + len("ata")
		head := value.Back(text, at, len("stringData")+1, value.WordSigns)
		plain := string(text[head:at]) == "stringData"
		name := string(text[head:at])
		k := value.Past(text[:hi], at, len(text), "\"'`\\")
		if (plain || name == "data" || name == "binaryData") && value.ByteAt(text[:hi], k) == ':' {
			at = max(at, r.manifestData(head, k+1, hi, plain))
		}
	}
}

// quoteSigns may stand round a key and its value on one line.
const quoteSigns = "\"'` \\"

// commentEnd is where a comment of YAML ends that holds a place: a manifest that is commented out goes on no further. It is hi where none does.
func commentEnd(text []byte, at, hi int) int {
	line := bytes.LastIndexByte(text[:at], '\n') + 1
	if value.ByteAt(text, value.Past(text, line, maxKey, " \t")) != '#' {
		return hi
	}
	for line < hi {
		if value.ByteAt(text, value.Past(text, line, maxKey, " \t")) != '#' {
			return line
		}
		n := bytes.IndexByte(text[line:hi], '\n')
		if n < 0 {
			return hi
		}
		line += n + 1
	}
	return hi
}

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
			m.at = value.UpTo(m.text, m.at, len(m.text), "\n")
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
		} else if !value.IsSpace(b) && b != ',' && b != '\\' && !(b == '+' && text[m.at-1] == '\n') {
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
	m.at = value.UpTo(m.text, m.at, len(m.text), ":\n")
	if value.ByteAt(m.text, m.at) != ':' {
		return nil, false
	}
	name = bytes.Trim(m.text[start:m.at], "\"'\\ ")
	m.at = value.Past(m.text, m.at+1, len(m.text), ` \`)
	return name, m.at < len(m.text)
}

// value reads the value of an entry; none begins at the end of the line.
func (m *manifest) value() (from, to int) {
	switch text, b := m.text, m.text[m.at]; {
	case value.IsQuote(b):
		from = m.at + 1
		to, _ = m.r.closing(from, b, boolInt(text[m.at-1] == '\\'))
		to = min(to, len(text))
		m.at = value.Past(text, to, len(text), "\"'`\\")
		return from, to
	case b == '|' || b == '>':
		m.at = value.UpTo(text, m.at, len(text), "\n")
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
		at := value.Past(text, value.Past(text, line, 1, "+"), len(text), " ") // also of a patch
		if from < 0 {
			from, col = at, at-line
		}
		if at-line < col || col == 0 {
			break
		}
		m.at = value.UpTo(text, at, len(text), "\n")
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
	from, to = m.at, value.UpTo(m.text, m.at, len(m.text), end)
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
	if value.LookUp(v) {
		return false
	}
	if !plain {
		b := unfolded(v)
		d := value.Decoded(b)
		if d == nil {
			return len(b) >= 12 && value.Only(b, value.Base64Signs+"=") // a keystore or random bytes
		}
		v = bytes.TrimSpace(d)
	}
	if len(v) == 0 {
		return false
	}
	if v[0] == '{' || bytes.IndexByte(v, '\n') >= 0 {
		// A document: it is one secret if it has one.
		return !plain && value.Holds(v, "PRIVATE KEY", "auth", "assword", "oken", "ecret")
	}
	if value.NoValue(v) || value.Begins(v, "<", "# ", "-----BEGIN CERT", "-----BEGIN PUB", "ssh-") {
		return false
	}
	k := value.Classify(name)
	if k.Noun >= value.TokenNoun && !k.Not {
		return len(v) >= 4
	}
	// Users, hosts, ports and names are no secrets by themselves.
	if i := bytes.Index(v, []byte("://")); i >= 0 {
		at := bytes.IndexByte(v, '@')
		return at > i+3 && bytes.IndexByte(v[i+3:at], ':') > 0
	}
	if value.Random(v) {
		return true
	}
	s := value.ShapeOf(v)
	return s.Space == 0 && !value.Email(v) && !value.FileName(v) && (value.PasswordLike(v, s, k.Noun == value.NoNoun || k.Not) || madeUpPart(v))
}

// madeUpPart reports whether a part of v between joints turns between letters and digits as no word with its number does: my-db-Q92k.
func madeUpPart(v []byte) bool {
	for part := range bytes.FieldsFuncSeq(v, func(c rune) bool { return strings.ContainsRune("-_.:/@", c) }) {
		s := value.ShapeOf(part)
		cases := s.Upper > 0 && s.Lower > 0 && s.Turns >= 2
		small := s.Length >= 5 && s.Digit >= 2 && s.Turns >= 3 && part[0] != 'v'
		if s.Length >= 4 && s.Digit > 0 && s.Digit < s.Length && (cases || small) && !isWordWithNumber(part) {
			return true
		}
	}
	return false
}

// isWordWithNumber reports whether v is a word of four letters or more and digits before or behind it: Node20, 2ndStage.
func isWordWithNumber(v []byte) bool {
	word := bytes.Trim(v, value.DigitSigns)
	return len(word) < len(v) && len(word) >= 4 && value.Only(word, value.LetterSigns) && value.Wordy(word)*2 > len(word)
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

// readGenerator finds the values that Kustomize makes a Secret of: the literals below secretGenerator, each name=value in a list on
// lines of their own or in brackets.
func readGenerator(r *run, start, end int) {
	text := r.text
	if at := value.Past(text, end, 1, value.Quotes); value.ByteAt(text, at) != ':' || start < r.generatorDone {
		return
	}
	indent := r.column(start)
	from := value.UpTo(text, end, maxKey, "\n")
	most := min(len(text), end+maxKey)
	within := false // the literals
	for line := from + 1; line < most; {
		stop := value.UpTo(text, line, most-line, "\n")
		at := value.Past(text, value.Past(text, line, 1, "+"), stop-line, " ")
		r.generatorDone = stop
		switch item := value.HasPrefixAt(text, at, "- "); {
		case at >= stop || text[at] == '#' || text[at] == '\r':
		case r.column(at) < indent || r.column(at) == indent && !item:
			r.spend(4 * (line - start))
			return
		default:
			if name, rest, key := generatorKey(text[at:stop]); key {
				within = string(name) == "literals"
				if within && len(rest) > 0 {
					r.literals(stop-len(rest), stop)
				}
			} else if within && item {
				r.literals(at+len("- "), stop)
			}
		}
		line = stop + 1
	}
	r.spend(4 * (most - start))
}

// generatorKey returns the key that a line of YAML gives a value, and what stands behind it.
func generatorKey(line []byte) (name, rest []byte, ok bool) {
	line = bytes.TrimLeft(line, "- ")
	if i := bytes.Index(line, []byte("literals:")); i >= 0 { // also in braces
		line = line[i:]
	}
	i := bytes.IndexByte(line, ':')
	if i <= 0 || !value.Only(line[:i], value.WordSigns) {
		return nil, nil, false
	}
	return line[:i], bytes.TrimLeft(line[i+1:], " "), true
}

// literals adds the values of name=value from from to to: one, or several in brackets.
func (r *run) literals(from, to int) {
	text := r.text
	from, to = value.Trimmed(text, from, to, " \r")
	if from < to && text[from] == '[' {
		for from++; from < to; {
			at := value.Past(text, from, to-from, " ,")
			end := value.UpTo(text, at, to-at, ",]")
			if q := value.ByteAt(text, at); value.IsQuote(q) {
				end = value.UpTo(text, at+1, to-at-1, string(q)) + 1
			}
			r.generated(at, min(end, to))
			from = max(end, at) + 1
		}
		return
	}
	r.generated(from, to)
}

// generated adds the value of name=value.
func (r *run) generated(from, to int) {
	text := r.text
	from, to = value.Trimmed(text, from, to, " \r\"'")
	i := bytes.IndexByte(text[from:to], '=')
	if i <= 0 {
		return
	}
	r.generatedValue("kubernetes-secret-yaml", text[from:from+i], from+i+1, to)
}

// generatedValue adds the value from from to to that a secret is made of under a name, if it is no mere setting.
func (r *run) generatedValue(rule string, name []byte, from, to int) {
	text := r.text
	from, to = value.Trimmed(text, from, to, " \"'")
	if from < to {
		from, to = r.besideMarks(from, to)
	}
	if to-from >= 4 && manifestValue(name, text[from:to], true) {
		r.add(rule, from, to, rankNamed)
	}
}
