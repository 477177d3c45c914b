package secret

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file finds values that no form gives to a name and that yet stand beside one: password bob VALUE, wants VALUE as its password. It looks at
// the words near the name of a secret that are improbable as words, names or numbers, and weighs what stands between the two. The weights are
// those of a logistic regression on places of credentials, their twins and public repositories; they stand in meaning_weights.go.

const (
	leastMeant    = 10  // bytes of a value
	maxMeant      = 64  // bytes of one
	maxWeighed    = 64  // values that are weighed, of a text: one with more holds tables of such, which are no credentials
	maxMeantAsked = 512 // words that are asked for being such, of a text
	maxMeantLead  = 160 // bytes before a value on its line that are read
	maxMeantTail  = 100 // bytes behind it
	maxMeantAbove = 14  // lines above in which what a line stands below is looked for
	maxMeantLine  = 200 // bytes of such a line
	meantBelow    = 240 // bytes behind a name in which values are looked for
)

// meantSigns are the bytes of values.
var meantSigns = value.ByteSetOf(value.WordSigns + "+/-.!~^*#$%&")

// noteName notes that the name of a secret stands from lo to hi, so that what stands near it is weighed when all else is read.
func (r *run) noteName(lo, hi int) {
	above := value.BackTo(r.text, max(0, value.BackTo(r.text, lo, maxMeantLine, "\n")-1), maxMeantLine, "\n")
	end := min(len(r.text), hi+meantBelow)
	if n := len(r.nearNames); n > 0 && above <= r.nearNames[n-1][1] {
		r.nearNames[n-1][1] = max(end, r.nearNames[n-1][1])
		return
	}
	r.nearNames = append(r.nearNames, [2]int{above, end})
}

// meant finds the values near the names that were noted.
func (r *run) meant() {
	var buf [32]byte
	ext := value.Lower(buf[:], strings.TrimPrefix(path.Ext(r.path), "."))
	if l, known := lonePlaces[string(ext)]; len(r.path) == 0 || known && l == loneNever || r.translated {
		return
	}
	weighed, asked := 0, 0
	for _, near := range r.nearNames {
		r.spend(near[1] - near[0])
		for at := near[0]; at < near[1]; {
			if !meantSigns.Has(r.text[at]) {
				at++
				continue
			}
			end := meantSigns.Past(r.text, at, len(r.text))
			if end-at < leastMeant {
				at = end
				continue
			}
			lo := value.Past(r.text, at, end-at, "-*.")
			hi := value.Back(r.text, end, end-lo, ".*~")
			at = end
			if !r.mayBeMeant(lo, hi) {
				continue
			}
			if asked++; asked > maxMeantAsked {
				return
			}
			kind := r.meantKind(lo, hi)
			if kind == "" || r.isFound(lo, hi) || r.isCleared(lo, hi) {
				continue
			}
			if weighed++; weighed > maxWeighed {
				return
			}
			m := meaning{r: r, lo: lo, hi: hi, kind: kind, weight: meantBias}
			if m.read() && m.weight >= meantThreshold && !value.NoValue(r.text[lo:hi]) && !r.pathTraits().lock {
				r.add(m.rule(), lo, hi, rankWeak)
			}
		}
	}
}

// isFound reports whether a part of the text from lo to hi was found.
func (r *run) isFound(lo, hi int) bool {
	for _, f := range r.found {
		if f.start < hi && lo < f.end {
			return true
		}
	}
	return false
}

// isCleared reports whether a part of the text from lo to hi was given to a name, and is none whatever it looks like.
func (r *run) isCleared(lo, hi int) bool {
	for _, c := range r.cleared {
		if c[0] < hi && lo < c[1] {
			return true
		}
	}
	return false
}

// mayBeMeant reports whether the word from lo to hi has the length, a letter and a digit, is more than a number, and stands where no name of a program does: most words
// do not, and to ask what they are takes long.
func (r *run) mayBeMeant(lo, hi int) bool {
	n := hi - lo
	if n < leastMeant || n > maxMeant {
		return false
	}
	letters, digits, others := 0, 0, 0
	for _, c := range r.text[lo:hi] {
		switch {
		case value.IsDigit(c):
			digits++
		case value.IsLetter(c):
			letters++
			others += boolInt(c|0x20 > 'f')
		default:
			others++
		}
	}
	// Hexadecimal digits are as hashes and public keys are, of which sentences about secrets tell too.
	return letters > 0 && others > 0 && digits > 0 && (n >= lotLength || digits > 1) && !r.namesInCode(lo)
}

// namesInCode reports whether a word of code stands in no quotes, comment or string.
func (r *run) namesInCode(lo int) bool {
	if r.styleAt(lo) != value.AsCode || setOffAs(r.text, lo) != "bare" {
		return false
	}
	return !insideComment(r.text[value.BackTo(r.text, lo, maxMeantLead, "\n"):lo]) && !r.insideString(lo)
}

// meantKind says how the word from lo to hi is improbable as a word, a name or a number; "" where it is not.
func (r *run) meantKind(lo, hi int) string {
	n := hi - lo
	v := r.text[lo:hi]
	s := value.ShapeOf(v)
	r.spend(24 * n)
	var buf [maxMeant]byte
	switch {
	case value.StandsFor(v), value.PasswordHash(v), value.Monotonous(v), value.FileName(v), v[0] == '/', value.IsUUID(v):
		return ""
	case lo > 0 && r.text[lo-1] == '[' && value.ByteAt(r.text, hi) == ']', value.DecodedIn(buf[:], v) != nil:
		return "" // signs that an expression takes, a text in base64
	case value.Begins(v, "AAAA"):
		return "" // as public keys are
	case n >= lotLength && byLot(v, &s):
		switch {
		case s.Special > 0:
			return "signs"
		case s.Upper >= 3 && s.Lower >= 3:
			return "mixed"
		}
		return "lot"
	case s.Digit >= 2 && value.MadeUp(v):
		return "made"
	}
	return ""
}

// meaning is a word near the name of a secret, and what stands between them.
type meaning struct {
	r      *run
	lo, hi int
	kind   string
	weight int  // the sum of what the features weigh, in tenths of the natural logarithm of odds
	token  bool // a token's name tells most of it, and no password's
}

// feature is what is told of a value: where, what, and how.
type feature [3]string

// note adds what a feature weighs.
func (m *meaning) note(f ...string) {
	var key feature
	copy(key[:], f)
	m.weight += int(meantWeights[key])
}

// rule is what a finding is called.
func (m *meaning) rule() string {
	if m.token {
		return "secret-assignment"
	}
	return "password-assignment"
}

// told is what a part of a text tells of a value near it.
type told struct {
	noun                string // of the nearest name of a secret: pass, token, key; "" if there is none
	words               int    // between
	lets, user          bool   // words that say that somebody is let in, or who
	public, hash, known bool   // one of the nearest says that the value is public; a word for a hash; any words
}

// nearestPublic is how many words from a value one may stand that says that it is public.
const nearestPublic = 3

// tell reads the names and words of a part of a text; backwards where the value stands behind it.
func (r *run) tell(text []byte, backwards bool) (t told) {
	r.spend(30 * len(text))
	var words [maxMeantLead][2]uint8
	n := 0
	for i := 0; i < len(text) && n < len(words); {
		if b := text[i]; !value.IsLetter(b) && b != '_' && b < 0x80 {
			i++
			continue
		}
		j := i
		for j < len(text) && (value.IsWord(text[j]) || text[j] >= 0x80 || text[j] == '-' && value.IsLetter(value.ByteAt(text, j+1))) {
			j++
		}
		words[n] = [2]uint8{uint8(i), uint8(j)}
		n++
		i = j
	}
	t.known = n > 0
	for k := range n {
		w := words[k]
		if backwards {
			w = words[n-1-k]
		}
		word := text[w[0]:w[1]]
		if len(word) > value.MaxName {
			continue
		}
		l := lineWords(word)
		t.public = t.public || l.public && k < nearestPublic
		t.hash, t.lets = t.hash || l.hash, t.lets || l.lets
		var buf [32]byte
		t.user = t.user || len(word) < len(buf) && logins[string(value.Lower(buf[:], word))]
		if t.noun == "" {
			t.words = k
			t.noun = nounWord(r.names.classify(word))
		}
	}
	return t
}

// toldOf is what tell says of the line that begins at lo, which is asked once: values in a column have the same lines above.
func (r *run) toldOf(lo int, line []byte) told {
	slot := &r.toldLines[lo%len(r.toldLines)]
	if slot.line == nil || &slot.line[0] != &line[0] || len(slot.line) != len(line) {
		slot.line, slot.told = line, r.tell(line, true)
	}
	return slot.told
}

// toldLine is a line, and what tell says of it.
type toldLine struct {
	line []byte
	told told
}

// nounNames are what nouns are called among the features; the second, where something follows that may make the name another thing's.
var nounNames = map[value.Noun][2]string{value.PassNoun: {"pass", "pass?"}, value.TokenNoun: {"token", "token?"}, value.WeakNoun: {"key", "key?"}}

// nounWord is what a name's noun is called among the features; "" if it names no secret.
func nounWord(k value.Naming) string {
	if k.Not || k.Lot {
		return ""
	}
	return nounNames[k.Noun][boolInt(k.Strict)]
}

// part notes what a part of a text tells, and how far the name stands where that counts.
func (m *meaning) part(where string, t told, far bool) {
	if t.noun != "" {
		m.note(where, t.noun)
		if far {
			m.note(where, t.noun, distance(t.words))
		}
	} else if t.lets {
		m.note(where, "lets")
	}
	for _, f := range [...]struct {
		is   bool
		name string
	}{{t.public, "public"}, {t.hash, "hash"}, {t.user, "user"}} {
		if f.is {
			m.note(where, f.name)
		}
	}
}

// orNone is the name of a noun among the features, or that there is none.
func orNone(noun string) string {
	if noun == "" {
		return "none"
	}
	return noun
}

// distance is what a number of words between is called.
func distance(words int) string {
	switch {
	case words == 0:
		return "next"
	case words == 1:
		return "one"
	case words < 4:
		return "few"
	case words < 8:
		return "some"
	}
	return "many"
}

// handing are words that a sentence hands a value with.
var handing = value.WordSet("with by use using enter type and")

// sign is what stands right before the value, but for quotes.
func (m *meaning) sign(before []byte) string {
	before = bytes.TrimRight(before, " \t*"+value.Quotes)
	if len(before) == 0 {
		return "start"
	}
	const signs = ":=,(>[{/-#@"
	last := before[len(before)-1]
	i := strings.IndexByte(signs, last)
	switch {
	case last == '|':
		return "bar"
	case i >= 0:
		return signs[i : i+1]
	case !value.IsWord(last):
		return "sign"
	}
	var buf [32]byte
	word := value.Lower(buf[:], before[value.Back(before, len(before), 24, value.LetterSigns):])
	switch {
	case equates[string(word)]:
		return "is"
	case handing[string(word)]:
		return "with"
	}
	return "word"
}

// setOffAs is how a word that begins at lo is set off.
func setOffAs(text []byte, lo int) string {
	if lo == 0 {
		return "bare"
	}
	switch text[lo-1] {
	case '"', '\'':
		return "quotes"
	case '`':
		return "ticks"
	case '*':
		return "stars"
	case '>':
		return "tags"
	}
	return "bare"
}

// handedTo returns what the call tells that the value is an argument of, and how many stand before it.
func (m *meaning) handedTo(before []byte) (t told, arguments int) {
	depth := 0
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i] {
		case ')':
			depth++
		case ',':
			arguments += boolInt(depth == 0)
		case '(':
			if depth--; depth < 0 {
				return m.r.tell(before[value.Back(before, i, value.MaxName, value.WordSigns+".:>-"):i], true), arguments
			}
		}
	}
	return t, arguments
}

// read notes the features of the value; false where it is a name of the program's, or no name of a secret stands near.
func (m *meaning) read() bool {
	r, text := m.r, m.r.text
	from := value.BackTo(text, m.lo, maxMeantLead, "\n")
	to := value.UpTo(text, m.hi, maxMeantTail, "\n")
	before, behind := text[from:m.lo], text[m.hi:to]
	around, style := setOffAs(text, m.lo), "settings"
	switch r.styleAt(m.lo) {
	case value.AsCode:
		style = "code"
	case value.AsProse:
		style = "prose"
	case value.AsConfig, value.AsPatch:
	}
	sign := m.sign(before)
	if sign == "#" {
		return false
	}
	b := r.tell(before, true)
	given := b.noun != "" && b.words == 0 && (sign == "=" || sign == ":") // to a name: a form has read it
	if given || value.Ends(bytes.TrimRight(before, " "+value.Quotes), "==", "!=") {
		return false
	}
	e := r.tell(behind, false)
	var call told
	arguments := 0
	if style == "code" || around == "quotes" {
		call, arguments = m.handedTo(before)
	}
	above, up, parent := m.above(from)
	below := told{}
	if to < len(text) {
		below = r.tell(text[to+1:value.UpTo(text, to+1, maxMeantTail, "\n")], false)
	}
	named := false
	for _, t := range [...]*told{&b, &e, &call, &above, &up, &parent, &below} {
		named = named || strings.HasPrefix(t.noun, "pass") || strings.HasPrefix(t.noun, "token")
	}
	if !named {
		return false
	}
	m.token = strings.HasPrefix(b.noun, "token")
	m.part("before", b, true)
	m.part("behind", e, true)
	m.part("call", call, false)
	m.part("above", above, true)
	m.part("up", up, false)
	m.part("parent", parent, false)
	m.part("below", below, false)
	m.note(m.kind)
	m.note(around)
	m.note(style)
	m.note("sign", sign)
	m.note("sign", sign, orNone(b.noun))
	m.note(m.kind, "before", orNone(b.noun))
	if call.known {
		m.note("call")
	}
	if len(bytes.Trim(before, " \t*>-|#="+value.Quotes)) == 0 && len(bytes.Trim(behind, " \t*,;.|=#"+value.Quotes)) == 0 {
		m.note("alone")
		m.note("alone", "above", orNone(above.noun))
	}
	if arguments > 0 {
		m.note("argument", [...]string{"1", "2", "3"}[min(arguments, 3)-1])
		m.note("argument", "before", orNone(b.noun))
	}
	if bytes.IndexByte(before, '@') >= 0 {
		m.note("address")
	}
	return true
}

// above reads the lines above the one that begins at at: the next that is not indented deeper, three more of these, and those that it stands below.
func (m *meaning) above(at int) (above, up, parent told) {
	r, text := m.r, m.r.text
	indent := value.Past(text, at, maxMeantLine, " \t") - at
	least, seen := indent, 0
	for n := 0; n < maxMeantAbove && at > 0; n++ {
		lo := value.BackTo(text, at-1, maxMeantLine, "\n")
		line := text[lo : at-1]
		deep := value.Past(text, lo, maxMeantLine, " \t") - lo
		at = lo
		if len(bytes.TrimSpace(line)) == 0 || seen >= 4 && deep >= least {
			continue
		}
		t := r.toldOf(lo, line)
		switch {
		case deep > indent:
			continue
		case seen == 0:
			above = t
		case seen < 4:
			if up.noun == "" {
				up.noun = t.noun
			}
			up.public, up.hash = up.public || t.public, up.hash || t.hash
			up.lets, up.user = up.lets || t.lets, up.user || t.user
		}
		seen++
		if deep < least {
			least = deep
			if parent.noun == "" && t.noun != "" {
				parent = t
			}
		}
	}
	return above, up, parent
}
