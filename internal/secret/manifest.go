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
	i := start - 1
	for i >= 0 && (isQuote(text[i]) || text[i] == ' ' || text[i] == '\\') {
		i--
	}
	if i < 4 || text[i] != ':' {
		return
	}
	i--
	for i >= 0 && (isQuote(text[i]) || text[i] == ' ' || text[i] == '\\') {
		i--
	}
	if i < 3 || !bytes.EqualFold(text[i-3:i+1], []byte("kind")) || end < len(text) && isWord(text[end]) {
		return
	}
	lo, hi := document(text, i, end)
	r.spend(4 * (hi - lo))
	r.manifestDone = hi
	for at := lo; at < hi; {
		j := bytes.Index(text[at:hi], []byte("ata"))
		if j < 0 {
			return
		}
		at += j + 3
		head := at - 4
		if head < 0 {
			continue
		}
		plain := false
		switch {
		case text[head] == 'D' && head >= 6 && string(text[head-6:head]) == "string":
			plain = true
			head -= 6
		case text[head] != 'd':
			continue
		}
		k := at
		for k < hi && (isQuote(text[k]) || text[k] == '\\') {
			k++
		}
		if head > 0 && isWord(text[head-1]) || k >= hi || text[k] != ':' {
			continue
		}
		at = max(at, r.manifestData(head, k+1, hi, plain))
	}
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

// manifestData reads the entries below data: or stringData:. It returns how far
// it read.
func (r *run) manifestData(head, at, hi int, plain bool) int {
	text := r.text
	from := at
	defer func() { r.spend(4 * (at - from)) }()
	indent := 0
	for i := head - 1; i >= 0 && text[i] != '\n' && indent < 64; i-- {
		indent++
		if text[i] != ' ' && text[i] != '+' && text[i] != '-' && text[i] != '"' {
			indent = -1 // JSON on one line
			break
		}
	}
	depth := 0
	for n := 0; n < 200 && at < hi; n++ {
		for at < hi && (isSpace(text[at]) || text[at] == ',' || text[at] == '{' || text[at] == '+' && (at == 0 || text[at-1] == '\n') || text[at] == '\\') {
			if text[at] == '{' {
				depth++
			}
			at++
		}
		if at >= hi || text[at] == '}' {
			return at
		}
		if depth == 0 { // YAML: what is not deeper ends it
			col := 0
			for i := at - 1; i >= 0 && text[i] != '\n' && col < 64; i-- {
				col++
			}
			if indent >= 0 && col <= indent {
				return at
			}
			if text[at] == '#' {
				for at < hi && text[at] != '\n' {
					at++
				}
				continue
			}
		}
		start := at
		for at < hi && text[at] != ':' && text[at] != '\n' {
			at++
		}
		if at >= hi || text[at] != ':' {
			return at
		}
		name := bytes.Trim(text[start:at], "\"'\\ ")
		at++
		for at < hi && (text[at] == ' ' || text[at] == '\\') {
			at++
		}
		if at >= hi {
			return at
		}
		v0, v1 := at, at
		switch {
		case isQuote(text[at]):
			v0 = at + 1
			e, _ := r.closing(v0, text[at], boolInt(text[at-1] == '\\'))
			v1 = min(e, hi)
			at = v1
			for at < hi && (isQuote(text[at]) || text[at] == '\\') {
				at++
			}
		case text[at] == '|' || text[at] == '>':
			col := -1
			for at < hi && text[at] != '\n' {
				at++
			}
			v0 = -1
			for at < hi {
				j := at + 1
				for j < hi && (text[j] == ' ' || text[j] == '+' && j == at+1) {
					j++
				}
				if col < 0 {
					col = j - at - 1
					v0 = j
				}
				if j-at-1 < col || col == 0 {
					break
				}
				for j < hi && text[j] != '\n' {
					j++
				}
				v1, at = j, j
			}
			if v0 < 0 || v1 <= v0 {
				continue
			}
		case text[at] == '\n' || text[at] == '\r':
			continue
		default:
			for v1 < hi && text[v1] != '\n' && text[v1] != '\r' && !(depth > 0 && (text[v1] == ',' || text[v1] == '}')) {
				v1++
			}
			if i := bytes.Index(text[v0:v1], []byte(" #")); i >= 0 {
				v1 = v0 + i
			}
			at = v1
			for v1 > v0 && text[v1-1] == ' ' {
				v1--
			}
		}
		r.spend(v1 - v0)
		v0, v1 = r.besideMarks(v0, v1)
		if v1-v0 >= 4 && r.manifestValue(name, text[v0:v1], plain) {
			r.add("kubernetes-secret-yaml", v0, v1, rankNamed)
		}
	}
	return at
}

// manifestValue judges one entry of a Secret.
func (r *run) manifestValue(name, v []byte, plain bool) bool {
	if lookUp(v) && v[0] != '{' {
		return false
	}
	d := v
	if !plain {
		b := bytes.Map(func(c rune) rune {
			if c == '\n' || c == ' ' || c == '\r' || c == '\\' {
				return -1
			}
			return c
		}, v)
		if t := decoded(b); t != nil {
			d = bytes.TrimSpace(t)
		} else {
			// Not text: a keystore or random bytes, if it is base64 at all.
			for _, c := range b {
				if !isBase64(c) && c != '=' {
					return false
				}
			}
			return len(b) >= 12
		}
	}
	if len(d) == 0 {
		return false
	}
	if d[0] == '{' || bytes.Contains(d, []byte("\n")) {
		// A document: it is one secret if it has one.
		for _, w := range [...]string{"PRIVATE KEY", "auth", "assword", "oken", "ecret"} {
			if bytes.Contains(d, []byte(w)) {
				return !plain
			}
		}
		return false
	}
	if len(d) < 3 || standIn(d) || sample(d) || lookUp(d) || d[0] == '<' || bytes.HasPrefix(d, []byte("-----BEGIN CERT")) || bytes.HasPrefix(d, []byte("-----BEGIN PUB")) || bytes.HasPrefix(d, []byte("ssh-")) {
		return false
	}
	k := classify(name)
	if k.noun >= tokenNoun && !k.not {
		return len(d) >= 4
	}
	// Users, hosts, ports and names are no secrets by themselves.
	s := shapeOf(d)
	if bytes.Contains(d, []byte("://")) {
		i := bytes.IndexByte(d, '@')
		return i > 0 && bytes.IndexByte(d[bytes.Index(d, []byte("://"))+3:i], ':') > 0
	}
	if random(d) {
		return true
	}
	return s.space == 0 && !email(d) && !fileName(d) && passwordLike(d, s, k.noun == noNoun || k.not)
}
