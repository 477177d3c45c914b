package secret

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// look examines one literal that ends at end.
func (r *run) look(p *pattern, end int) {
	start := end - len(p.literal)
	switch {
	case p.read != nil:
		p.read(r, start, end)
	case p.set != nil:
		r.lookNamed(p, start, end)
	default:
		r.lookExpression(p, start, end)
	}
}

func (r *run) lookExpression(p *pattern, start, end int) {
	if start < r.marks[p.rule] {
		return // inside the rule's last match
	}
	text := r.text
	if p.boundary && start > 0 && isWord(text[start-1]) == isWord(text[start]) {
		return
	}
	if p.exact != "" && string(text[start:end]) != p.exact {
		return
	}
	if end+len(p.follow) > len(text) {
		return
	}
	for i, b := range text[end : end+len(p.follow)] {
		if !p.follow[i].has(b) {
			return
		}
	}
	ru := r.table.rules[p.rule]
	if ru.path != nil && !ru.path.get().MatchString(r.path) {
		return
	}
	// The window: as far as the sides reach, and a byte more for \b and $.
	lo, hi := start, end
	for least := max(r.marks[p.rule], start-p.before.max); lo > least && p.before.class.has(text[lo-1]); {
		lo--
	}
	if p.lineStart && !startsLine(text, lo, start) {
		return
	}
	for most := min(len(text), end+min(p.after.max, maxWindow)); hi < most && p.after.class.has(text[hi]); {
		hi++
	}
	lo, hi = max(0, lo-1), min(len(text), hi+1)
	r.spend(workStart + workWindow*(hi-lo))
	m := ru.re.get().FindSubmatchIndex(text[lo:hi])
	if m == nil || lo > 0 && m[0] == 0 && isWord(text[lo]) {
		return // also where ^ stands for the beginning of the window, in the middle of a word
	}
	r.marks[p.rule] = lo + m[1]
	a, b := lo+m[0], lo+m[1]
	from, to := r.besideMarks(valueOf(m, ru.group, lo))
	if from >= to {
		return
	}
	if to-from >= maxWindow/2 {
		to = p.valueEnd(text, to)
		r.marks[p.rule] = to
	}
	if !r.accept(ru, a, b, from, to) {
		return
	}
	r.add(ru.id, from, to, rankFormed)
	if ru.id == "aws-access-token" {
		r.beside(from, to)
	}
}

// valueEnd returns where a value ends that is longer than a window up to at: it is a
// secret to its end.
func (p *pattern) valueEnd(text []byte, at int) int {
	for at < len(text) && p.after.class.has(text[at]) && text[at] > ' ' {
		at++
	}
	return at
}

// startsLine reports whether a line begins somewhere from lo to at.
func startsLine(text []byte, lo, at int) bool {
	return lo == 0 || bytes.IndexByte(text[lo-1:at], '\n') >= 0
}

// maxWindow bounds what an expression reads on the far side of a literal.
const maxWindow = 8 << 10

// valueOf returns the bounds of the value in a match at lo.
func valueOf(m []int, group, lo int) (from, to int) {
	if group > 0 && 2*group+1 < len(m) && m[2*group] >= 0 {
		return lo + m[2*group], lo + m[2*group+1]
	}
	for i := 2; i+1 < len(m); i += 2 {
		if m[i+1] > m[i] {
			return lo + m[i], lo + m[i+1]
		}
	}
	return lo + m[0], lo + m[1]
}

// accept applies what a rule says beside its expression.
func (r *run) accept(ru *rule, matchFrom, matchTo, from, to int) bool {
	v := r.text[from:to]
	if ru.entropy > 0 && entropy(v) <= ru.entropy {
		return false
	}
	if ru.extra != nil && !ru.extra(v) {
		return false
	}
	if sample(v) || ru.inData && r.styleAt(from) == asCode {
		return false
	}
	for i := range ru.allow {
		if r.allowedBy(&ru.allow[i], matchFrom, matchTo, v) {
			return false
		}
	}
	return !r.embedded(from, to)
}

// embedded reports whether a value lies in a font, a picture or the like, in base64 behind data:…;base64,
// or is a small part of base64: random bytes, in which any form turns up.
func (r *run) embedded(from, to int) bool {
	text := r.text
	if from < r.blobFrom || from >= r.blobTo {
		lo, hi := from, from
		for lo > r.blobTo && isBase64(text[lo-1]) {
			lo--
		}
		for hi < len(text) && isBase64(text[hi]) {
			hi++
		}
		r.spend(hi - lo)
		r.blobFrom, r.blobTo, r.blob = lo, max(hi, lo+1), noBlob
		head := text[max(0, lo-128):lo]
		if bytes.HasSuffix(head, []byte(";base64,")) {
			i := bytes.LastIndex(head, []byte("data:"))
			if i >= 0 && begins(head[i+5:], "font/", "image/", "audio/", "video/", "application/font", "application/x-font", "application/vnd.ms-fontobject", "application/octet-stream", "application/wasm") {
				r.blob = isBlob
			}
		} else if bytes.IndexByte(text[lo:hi], '+') >= 0 && !pathLike(text[lo:hi]) {
			r.blob = mayBeBlob // what holds no + may be a path
		}
	}
	// What begins the run may be a token that is longer than its rule knows.
	before, after := from-r.blobFrom, max(0, r.blobTo-to)
	return r.blob == isBlob || r.blob == mayBeBlob && before >= leastBlob/2 && before+after >= leastBlob
}

// pathLike reports whether a run of base64's bytes may be a path or a query: it is short enough, and of words, or holds
// more signs than chance gives.
func pathLike(run []byte) bool {
	return len(run) <= 1024 && (wordy(run)*2 >= len(run) || (bytes.Count(run, []byte("/"))+bytes.Count(run, []byte("+")))*16 >= len(run))
}

// blob is what a run of base64 is.
type blob uint8

const (
	noBlob blob = iota
	mayBeBlob
	isBlob
)

// leastBlob is how much base64 stands beside a value that is a part of it by chance: a hash of 64 bytes, less a token.
const leastBlob = 40

func (r *run) allowedBy(a *allowed, matchFrom, matchTo int, v []byte) bool {
	target := v
	switch a.target {
	case "match":
		target = r.text[matchFrom:matchTo]
	case "line":
		target = r.text[backTo(r.text, matchFrom, 500, "\n"):upTo(r.text, matchTo, 500, "\n")]
	}
	if a.all && len(a.paths) > 0 && !slices.ContainsFunc(a.paths, func(p *lazy) bool { return p.get().MatchString(r.path) }) {
		return false
	}
	for _, e := range a.regexes {
		r.spend(workStart + workWindow*len(target))
		if e.get().Match(target) {
			return true
		}
	}
	return len(a.stop) > 0 && holds(bytes.ToLower(v), a.stop...)
}

// lookNamed reads "name, operator, value" for all rules of one service's name.
func (r *run) lookNamed(p *pattern, start, end int) {
	first := r.table.rules[p.set[0]]
	if start < r.marks[p.set[0]] {
		return
	}
	if first.exact != nil { // the name's case counts, or it goes on after the literal
		hi := min(len(r.text), end+24)
		if strings.HasSuffix(first.exact.source, "$") {
			hi = end
		}
		r.spend(workStart + workWindow*(hi-start))
		m := first.exact.get().FindIndex(r.text[start:hi])
		if m == nil {
			return
		}
		end = start + m[1]
	}
	if at, ok := r.operator(end); ok {
		r.tryNamed(p, start, at)
	}
}

// operator reads what gitleaks puts between a name and a value: at most 20
// bytes that go on with the name, 3 quotes or spaces, an operator, 5 quotes,
// spaces or equal signs. It returns where the value begins.
func (r *run) operator(at int) (int, bool) {
	text := r.text
	at = nameRest.past(text, at, 20)
	at = past(text, at, 3, spaces+"\"'")
	if at >= len(text) {
		return 0, false
	}
	switch text[at] {
	case '=', ':', '?', '|':
		at = past(text, at, 4, ":=|?>")
	case '>', ',':
		at++
	default:
		return 0, false
	}
	at = past(text, at, 5, spaces+quotes+"=")
	return at, valueSigns.past(text, at, 1) > at && strings.IndexByte("=:%", text[at]) < 0
}

// What goes on with a service's name, and what its value is of.
var (
	nameRest   = setOf(wordSigns + " \t.-")
	valueSigns = setOf(wordSigns + "-=./+:%")
)

func (r *run) tryNamed(p *pattern, start, at int) {
	text := r.text
	// The values of named rules are at most 100 bytes of these.
	hi := valueSigns.past(text, at, 160)
	if hi-at < 11 {
		return
	}
	hi = min(len(text), hi+1)
	for _, id := range p.set {
		ru := r.table.rules[id]
		if ru.path != nil && !ru.path.get().MatchString(r.path) {
			continue
		}
		r.spend(workStart + workWindow/4*(hi-at))
		m := ru.re.get().FindSubmatchIndex(text[at:hi])
		if m == nil {
			continue
		}
		from, to := r.besideMarks(valueOf(m, 0, at))
		if from >= to {
			continue
		}
		r.marks[p.set[0]] = to
		if !r.accept(ru, start, at+m[1], from, to) || !r.namedValue(start, from, to) {
			continue
		}
		r.add(ru.id, from, to, rankNamed)
		return
	}
}

// namedValue tells secrets from the ids, versions and words that stand beside a
// service's name just as often.
func (r *run) namedValue(nameStart, from, to int) bool {
	v := r.text[from:to]
	lo, hi := r.identifier(nameStart, nameStart+1)
	k := classify(r.text[lo:hi])
	if k.not {
		return false
	}
	if isUUID(v) {
		return k.noun != noNoun
	}
	if !random(v) && !(allHex(v) && shapeOf(v).distinct >= 6 && len(v) >= 24) {
		return false
	}
	return k.noun != noNoun || !isHash(v) || endsFold(r.text[lo:hi], "login")
}

// beside looks for the secret half of an access key near its public half, where
// nothing names it: in a table, a log or a call.
func (r *run) beside(from, to int) {
	lo, hi := max(0, from-160), min(len(r.text), to+160)
	for i := lo; i < hi; {
		j := past(r.text, i, hi-i, base64Signs)
		if j-i == 40 && j < len(r.text) && r.text[j] != '=' && (i < from || i >= to) {
			v := r.text[i:j]
			s := shapeOf(v)
			if s.upper > 3 && s.lower > 3 && s.digit > 1 && random(v) && !sample(v) {
				r.add("aws-secret-access-key", i, j, rankNamed)
			}
		}
		i = max(j, i+1)
	}
}

// entropy is Shannon's, in bits per byte.
func entropy(v []byte) float64 {
	var n [256]int
	for _, b := range v {
		n[b]++
	}
	var e float64
	for _, c := range n {
		if c > 0 {
			f := float64(c) / float64(len(v))
			e -= f * math.Log2(f)
		}
	}
	return e
}
