package secret

import (
	"bytes"
	"math"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// look examines one literal that ends at end.
func (r *run) look(p *pattern, end int) {
	start := end - len(p.literal)
	switch {
	case p.read != nil:
		p.read(r, start, end)
	case start < r.marks[p.rule]: // inside the rule's last match
	case p.set != nil:
		if !r.sure {
			r.lookNamed(p, start, end)
		}
	default:
		r.lookExpression(p, start, end)
	}
}

func (r *run) lookExpression(p *pattern, start, end int) {
	text := r.text
	if p.boundary && start > 0 && value.IsWord(text[start-1]) == value.IsWord(text[start]) {
		return
	}
	if p.exact != "" && string(text[start:end]) != p.exact {
		return
	}
	for i, c := range p.follow {
		if end+i >= len(text) || !c.Has(text[end+i]) {
			return
		}
	}
	// The window: as far as the sides reach, and a byte more for \b and $.
	lo := start
	for least := max(r.marks[p.rule], start-p.before.max); lo > least && p.before.class.Has(text[lo-1]); {
		lo--
	}
	if p.lineStart && lo > 0 && bytes.IndexByte(text[lo-1:start], '\n') < 0 {
		return
	}
	hi := p.after.class.Past(text, end, min(p.after.max, maxWindow))
	lo, hi = max(0, lo-1), min(len(text), hi+1)
	for i := range len(p.needs) {
		if bytes.IndexByte(text[lo:hi], p.needs[i]) < 0 {
			return
		}
	}
	ru := r.table.rules[p.rule]
	r.spend(workStart + workWindow*(hi-lo))
	m := ru.re().FindSubmatchIndex(text[lo:hi])
	if m == nil || lo > 0 && m[0] == 0 && value.IsWord(text[lo]) {
		return // also where ^ stands for the beginning of the window, in the middle of a word
	}
	r.marks[p.rule] = lo + m[1]
	from, to := r.besideMarks(valueOf(m, ru.group, lo))
	if from >= to {
		return
	}
	if to-from >= maxWindow/2 { // longer than a window: a secret to its end
		for to < len(text) && p.after.class.Has(text[to]) && text[to] > ' ' {
			to++
		}
		r.marks[p.rule] = to
	}
	if ru.given != value.NoNoun {
		r.given(ru.id, formGiven, ru.given, from, to)
		return
	}
	if !r.accept(ru, from, to) || r.sure && !ru.tells(text[from:to]) {
		return
	}
	r.add(ru.id, from, to, rankFormed)
	if ru.id == "aws-access-token" {
		r.beside(from, to)
	}
}

// tells reports whether a value tells by itself that it is the rule's: the expression matches it with nothing beside it, and where
// it stands does not matter.
func (ru *rule) tells(v []byte) bool {
	if ru.inData || ru.given != value.NoNoun {
		return false
	}
	m := ru.re().FindSubmatchIndex(v)
	if m == nil {
		return false
	}
	from, to := valueOf(m, ru.group, 0)
	return from == 0 && to == len(v)
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
func (r *run) accept(ru *rule, from, to int) bool {
	v := r.text[from:to]
	if ru.entropy > 0 && value.Entropy(v) <= ru.entropy || ru.extra != nil && !ru.extra(v) {
		return false
	}
	if len(v) >= 24 && value.ShapeOf(v).Digit == 0 && value.Wordy(v)*10 >= 7*len(v) {
		return false // the name of a thing: glc_StateBeginUnderwater
	}
	if value.Sample(v) || ru.inData && r.styleAt(from) == value.AsCode {
		return false
	}
	for _, e := range ru.allow {
		r.spend(workStart + workWindow*len(v))
		if e().Match(v) {
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
		lo, hi := from, base64Set.Past(text, from, len(text))
		least := r.blobTo // no run of base64 reaches over another's end
		if from < r.blobFrom {
			least = 0 // hits come from several places of the text by turns
		}
		for lo > least && value.IsBase64(text[lo-1]) {
			lo--
		}
		r.spend(hi - lo)
		r.blobFrom, r.blobTo, r.besideBlob = lo, max(hi, lo+1), noBlob
		head := text[max(0, lo-128):lo]
		if bytes.HasSuffix(head, []byte(";base64,")) {
			i := bytes.LastIndex(head, []byte("data:"))
			if i >= 0 && value.Begins(head[i+5:], media...) {
				r.besideBlob = 0
			}
		} else if bytes.IndexByte(text[lo:hi], '+') >= 0 && !pathLike(text[lo:hi]) {
			r.besideBlob = leastBlob // what holds no + may be a path
		}
	}
	// What begins the run may be a token that is longer than its rule knows.
	before, after := from-r.blobFrom, max(0, r.blobTo-to)
	return before >= r.besideBlob/2 && before+after >= r.besideBlob
}

const (
	// leastBlob is how much base64 stands beside a value that is a part of it by chance: a hash of 64 bytes, less a token.
	leastBlob = 40
	// noBlob is more than ever stands beside a value.
	noBlob = math.MaxInt
)

// media are the types of data that is no text.
var media = []string{"font/", "image/", "audio/", "video/", "application/font", "application/x-font", "application/vnd.ms-fontobject",
	"application/octet-stream", "application/wasm"}

// pathLike reports whether a run of base64's bytes may be a path or a query: it is short enough, and of words, or holds
// more signs than chance gives.
func pathLike(run []byte) bool {
	return len(run) <= 1024 && (value.Wordy(run)*2 >= len(run) || (bytes.Count(run, []byte("/"))+bytes.Count(run, []byte("+")))*16 >= len(run))
}

// lookNamed reads "name, operator, value" for all rules of one service's name.
func (r *run) lookNamed(p *pattern, start, end int) {
	text := r.text
	if exact := r.table.rules[p.rule].exact; exact != nil {
		hi := min(len(text), end+24)
		r.spend(workStart + workWindow*(hi-start))
		m := exact().FindIndex(text[start:hi])
		if m == nil {
			return
		}
		end = start + m[1]
	}
	at, ok := r.operator(end)
	if !ok {
		return
	}
	// The values of named rules are at most 100 bytes of these.
	hi := valueSigns.Past(text, at, 160)
	if hi-at < 11 {
		return
	}
	hi = min(len(text), hi+1)
	for _, id := range p.set {
		ru := r.table.rules[id]
		r.spend(workStart + workWindow/4*(hi-at))
		m := ru.re().FindSubmatchIndex(text[at:hi])
		if m == nil {
			continue
		}
		from, to := r.besideMarks(valueOf(m, 0, at))
		if from >= to {
			continue
		}
		r.marks[p.rule] = to
		if r.accept(ru, from, to) && r.namedValue(start, from, to) {
			r.add(ru.id, from, to, rankNamed)
			return
		}
	}
}

// operator reads what gitleaks puts between a name and a value: at most 20 bytes that go on with the name, 3 quotes or spaces,
// an operator, 5 quotes, spaces or equal signs. It returns where the value begins.
func (r *run) operator(at int) (int, bool) {
	text := r.text
	at = nameQuotes.Past(text, nameRest.Past(text, at, 20), 3)
	sign := operators.Past(text, at, 1)
	if sign == at {
		return at, false
	}
	if text[at] != '>' && text[at] != ',' {
		sign = value.Past(text, at, 4, ":=|?>")
	}
	at = valueOpens.Past(text, sign, 5)
	return at, valueSigns.Past(text, at, 1) > at && strings.IndexByte("=:%", text[at]) < 0
}

// What goes on with a service's name, and what its value is of.
var (
	nameRest   = value.ByteSetOf(value.WordSigns + " \t.-")
	nameQuotes = value.ByteSetOf(value.Spaces + "\"'")
	operators  = value.ByteSetOf("=:?|>,")
	valueOpens = value.ByteSetOf(value.Spaces + value.Quotes + "=")
	valueSigns = value.ByteSetOf(value.WordSigns + "-=./+:%")
	base64Set  = value.ByteSetOf(value.Base64Signs)
)

// namedValue tells secrets from the ids, versions and words that stand beside a service's name just as often.
func (r *run) namedValue(nameStart, from, to int) bool {
	v := r.text[from:to]
	lo, hi := value.NameAround(r.text, nameStart, nameStart+1)
	k := value.Classify(r.text[lo:hi])
	if k.Not || !value.IsUUID(v) && !value.Random(v) && !(value.AllHex(v) && value.ShapeOf(v).Distinct >= 6 && len(v) >= 24) {
		return false
	}
	return k.Noun != value.NoNoun || !value.IsUUID(v) && (!value.IsHash(v) || value.EndsFold(r.text[lo:hi], "login"))
}

// beside looks for the secret half of an access key near its public half, where nothing names it: in a table, a log or a call.
func (r *run) beside(from, to int) {
	lo, hi := max(0, from-160), min(len(r.text), to+160)
	for i := lo; i < hi; {
		j := value.Past(r.text, i, hi-i, value.Base64Signs)
		if j-i == 40 && j < len(r.text) && r.text[j] != '=' && (i < from || i >= to) {
			v := r.text[i:j]
			s := value.ShapeOf(v)
			if s.Upper > 3 && s.Lower > 3 && s.Digit > 1 && value.Random(v) && !value.Sample(v) {
				r.add("aws-secret-access-key", i, j, rankNamed)
			}
		}
		i = max(j, i+1)
	}
}
