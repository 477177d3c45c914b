package secret

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file goes the other way round than the rest: from the value to what tells of it. Scripts, settings and notes hardly ever hold a word
// of letters of both cases and digits that was drawn by lot and that is public; where one does, its line says what it is: a hash, an id, a version.
// So such a word is a credential there unless its line has a word for something public. In other files but code a word
// on its line must say that somebody is let in, or a question above it.

const (
	maxLone      = 64          // bytes of a value
	maxLoneLine  = 72          // bytes of its line that are looked at on either side
	leastLoneLot = 3 * lotBits // how much likelier drawn by lot than made, as lotBits is
	leastDigits  = 3           // of a word in small letters, and letters
)

// loneness says what a file must tell of a word for it to be a credential by itself.
type loneness uint8

const (
	loneNever    loneness = iota
	loneInQuotes          // its line says that somebody is let in, and it stands in quotes behind another text
	loneTold              // its line says that somebody is let in
	loneUntold            // its line says nothing public
)

// lonePlaces are the extensions of files in which words drawn by lot are credentials unless their lines tell otherwise, and of those in which
// they are data: lists of what is locked, encoded bytes, exchanges of programs.
var lonePlaces = value.WordMap(map[loneness]string{
	loneUntold: "sh bash zsh ksh fish csh ps1 psm1 bat cmd exp ini cfg conf cnf properties env rc service desktop map acl eml txt",
	loneNever:  "geojson lock sum svg ipynb pem crt cer csr key asc gpg pgp pub sig po pot snap golden har patch diff",
})

// public are words of a line that say of a value beside them that it may be seen.
var public = value.WordSet(`
	hash hashes sha sha1 sha224 sha256 sha384 sha512 sum md5 digest digests checksum checksums crc fingerprint integrity sri multihash h1 ssdeep
	id ids uid uuid guid gid oid ulid cid pid msid sid rid tid kid nonce iv salt cursor offset trace span correlation next continuation
	version versions release releases commit commits revision rev build tag tags ref refs branch object blob tree patch serial
	path paths file files folder dir url urls uri link links href src document doc docs spreadsheet page post video channel playlist track album invite
	public pub cert certificate certificates issuer subject signature sig sigs signed thumbprint modulus etag match accept
	name names host hostname title description comment comments label labels displayname location contact address addr wallet donate tx txid block
	manifest cluster node image images run session container layer volume snapshot instance region bucket data base64 encode decode encoded decoded regex regexp pattern
	alias aliases identifier identifiers index banner motd agent
	cve ghsa advisory issue ticket expect expected assert challenge
`)

// hashes are those of them that say of hexadecimal digits which hash or number they are.
var hashes = value.WordSet(`
	hash hashes sha sha1 sha224 sha256 sha384 sha512 sum md5 digest digests checksum checksums crc fingerprint integrity multihash thumbprint
	uid uuid guid nonce iv salt cursor trace span correlation commit commits revision rev etag hexdigest
`)

// numbers are those of them that a number of a thing stands right behind.
var numbers = value.WordSet("id ids kid version versions release releases build tag ref refs branch serial patch")

// lets are words of a line that say that somebody is let in, or what with.
var lets = value.WordSet("user users username login logon signin account auth authorization secret secrets pass passwd password passphrase pwd pw psk pin key keys token cred creds credential credentials denied crypto bind")

// wordBytes are those that value.IsWord knows.
var wordBytes = value.ByteSetOf(value.WordSigns)

// lone finds what was drawn by lot where nothing names it.
func (r *run) lone() {
	most := r.loneness()
	if most == loneNever {
		return
	}
	text := r.text
	r.spend(len(text) / 4)
	if most == loneInQuotes {
		r.loneTexts()
		return
	}
	for at := 0; at+lotLength <= len(text) && !r.full(); {
		last := at + lotLength - 1 // most words end before: they are looked for from there back
		for last >= at && wordBytes.Has(text[last]) {
			last--
		}
		if last >= at {
			at = last + 1
			continue
		}
		to := wordBytes.Past(text, at+lotLength, len(text))
		if to-at <= maxLone {
			r.loneWord(at, to, most)
		}
		at = to + 1
	}
}

// loneTexts finds what was drawn by lot among the texts in quotes behind another.
func (r *run) loneTexts() {
	text := r.text
	for at := 0; !r.full(); {
		i := bytes.IndexByte(text[at:], ',')
		if i < 0 {
			return
		}
		if at += i + 1; at < 2 || text[at-2] != '"' && text[at-2] != '\'' {
			continue
		}
		from := value.Past(text, at, 1, " ") + 1
		if from >= len(text) || text[from-1] != '"' && text[from-1] != '\'' {
			continue
		}
		if to := wordBytes.Past(text, from, len(text)); to-from >= lotLength && to-from <= maxLone {
			r.loneWord(from, to, loneInQuotes)
		}
	}
}

// loneness is what the file's name says of words that stand alone in it.
func (r *run) loneness() loneness {
	var buf [32]byte
	ext := value.Lower(buf[:], strings.TrimPrefix(path.Ext(r.path), "."))
	switch l, known := lonePlaces[string(ext)]; {
	case len(r.path) == 0 || r.style == value.AsPatch || r.translated:
		return loneNever
	case r.style == value.AsCode:
		return loneInQuotes
	case known && l == loneNever:
		return l
	case value.Begins(r.text, "{"):
		return loneTold // data, whatever the name says
	case known:
		return l
	case len(ext) == 0 && !value.Begins(r.text, "#!"):
		return loneNever
	case len(ext) == 0 && bytes.Contains(r.text[:value.UpTo(r.text, 0, 80, "\n")], []byte("sh")):
		return loneUntold
	}
	return loneTold
}

// loneWord judges the word from lo to hi.
func (r *run) loneWord(lo, hi int, most loneness) {
	text := r.text
	v := text[lo:hi]
	if most == loneInQuotes && !behindText(text, lo, hi) {
		return
	}
	s := value.ShapeOf(v)
	mixed := s.Upper >= 3 && s.Lower >= 3 && s.Digit >= 1
	if !mixed && !r.besideLetters(lo, hi, &s) || s.Upper+s.Lower+s.Digit < len(v) || !standsAlone(text, lo, hi) {
		return
	}
	r.spend(20 * len(v))
	var buf [maxLone]byte
	if lotOdds(v) < leastLoneLot*64 || !byLot(v, &s) || value.DecodedIn(buf[:], v) != nil || value.StandsFor(v) || r.pathTraits().lock {
		return
	}
	if !r.loneLine(lo, hi, most, mixed) {
		return
	}
	for _, f := range r.found {
		if f.start < hi && lo < f.end {
			return // it has a name
		}
	}
	r.drawn(value.Naming{Noun: value.PassNoun}, lo, hi)
}

// besideLetters reports whether the word from lo to hi, not of letters of both cases, may be drawn by lot yet: in small letters with digits, or
// beside a user. Less tells of these that they are none of a program's names.
func (r *run) besideLetters(lo, hi int, s *value.Shape) bool {
	if s.Digit < leastDigits {
		return false
	}
	small := s.Upper == 0 && s.Lower >= leastDigits && !value.AllHex(r.text[lo:hi])
	return small || besideUser(r.text, lo, hi)
}

// loneLine reports whether the line of the word from lo to hi, or those above, tell that it is a credential.
func (r *run) loneLine(lo, hi int, most loneness, mixed bool) bool {
	text := r.text
	from := max(lo-maxLoneLine, value.BackTo(text, lo, maxLoneLine, "\n"))
	to := value.UpTo(text, hi, maxLoneLine, "\n")
	r.spend(4 * (to - from))
	for _, mark := range [...]string{" # ", "\t# ", " // ", " -- "} { // what a comment is about
		if i := bytes.LastIndex(text[from:lo], []byte(mark)); i >= 0 {
			from += i
		}
	}
	before, behind := lineWords(text[from:lo]), lineWords(text[hi:to])
	switch {
	case before.public, behind.public, bytes.Contains(text[from:lo], []byte("://")) && !isInput(text[from:lo]):
		return false
	case before.words+behind.words == 0:
		return most != loneInQuotes && r.answers(from)
	case before.lets:
		return true
	case !mixed, most == loneInQuotes:
		return false
	case most == loneTold:
		return r.toldAbove(from)
	}
	return !r.publicAbove(from)
}

// behindText reports whether the word from lo to hi is a text in quotes, behind another and a comma, as arguments are: ("user", "value").
func behindText(text []byte, lo, hi int) bool {
	if lo < 4 || !value.IsQuote(text[lo-1]) || value.ByteAt(text, hi) != text[lo-1] {
		return false
	}
	comma := value.Back(text, lo-1, 2, " ")
	return comma > 2 && value.Ends(text[:comma], `",`, "',") && !value.IsQuote(text[comma-3])
}

// besideUser reports whether the word from lo to hi stands behind a name and a colon, both in quotes or between blanks: "user:value".
func besideUser(text []byte, lo, hi int) bool {
	if lo < 2 || text[lo-1] != ':' {
		return false
	}
	name := value.Back(text, lo-1, value.MaxName, value.WordSigns+"-.@")
	return name < lo-1 && !value.AllHex(text[name:lo-1]) && (name == 0 || value.IsQuote(text[name-1]) && value.ByteAt(text, hi) == text[name-1] || value.IsSpace(text[name-1]) && value.IsSpace(value.ByteAt(text, hi)))
}

// maxParent is how many lines above one are looked at for the one that it stands below.
const maxParent = 6

// toldAbove reports whether the line above the one at at asks what lets somebody in or says who, or the name or section that its line
// stands below says so.
func (r *run) toldAbove(at int) bool {
	text := r.text
	if at == 0 || text[at-1] != '\n' {
		return false
	}
	indent := value.Past(text, at, maxLoneLine, " \t") - at
	for n := range maxParent {
		if at == 0 {
			return false
		}
		lo := value.BackTo(text, at-1, 2*maxLoneLine, "\n")
		line := bytes.TrimRight(text[lo:at-1], value.Spaces)
		r.spend(len(line))
		if n == 0 && beginsWithLogin(line) {
			return true
		}
		asks := n == 0 && value.Ends(line, "?")
		section := value.Begins(line, "[") && value.Ends(line, "]")
		parent := value.Ends(line, ":", "{") && value.Past(text, lo, len(line), " \t")-lo < indent
		if asks || section || parent {
			t := lineWords(line)
			r.spend(4 * len(line))
			return t.lets && !t.public
		}
		at = lo
	}
	return false
}

// publicAbove reports whether a line above the one at at says of what stands below that it is public, as a question, a comment or what a
// program waits for: which commit was it? # revision of the plugins
func (r *run) publicAbove(at int) bool {
	for n := range maxAnswered {
		line, lo := r.lineAbove(at)
		asks := value.Ends(line, "?", "?\"")
		above := n == 0 && (value.Ends(line, ":", ":\"", ":'") || value.Begins(bytes.TrimLeft(line, " \t"), "#", ";", "//", "--", "REM "))
		if asks || above {
			r.spend(4 * len(line))
			t := lineWords(line)
			return (t.hash || asks && t.public) && !t.lets // a comment speaks of files and names above what is none
		}
		if at = lo; at == 0 || givesName(line) && speaker(line) == 0 {
			return false
		}
	}
	return false
}

// lineAbove returns the line above the one at at, and where it begins; none where at begins no line.
func (r *run) lineAbove(at int) (line []byte, lo int) {
	if at == 0 || r.text[at-1] != '\n' {
		return nil, 0
	}
	lo = value.BackTo(r.text, at-1, 2*maxLoneLine, "\n")
	return bytes.TrimRight(r.text[lo:at-1], value.Spaces), lo
}

// maxAnswered is how many lines above a word alone on its line are looked at for what it answers.
const maxAnswered = 4

// answers reports whether the word that stands alone on the line at at is what a command printed that asks for what lets somebody in, or what
// somebody wrote below an address or a question for it.
func (r *run) answers(at int) bool {
	for n := range maxAnswered {
		line, lo := r.lineAbove(at)
		if at = lo; at == 0 && len(line) == 0 {
			return false
		}
		line = bytes.TrimSpace(line)
		typed := n == 0 && value.Begins(line, "$ ", "# ", "% ", "> ", "PS ")
		switch {
		case len(line) == 0:
			continue
		case typed, value.Ends(line, "?"), value.Ends(line, ":"):
			t := lineWords(line)
			r.spend(4 * len(line))
			return t.lets && !t.public
		case n > 0 || !oneWord(line) || bytes.IndexByte(line, '@') < 1:
			return false
		}
	}
	return false
}

// isInput reports whether text ends where a shell hands a program its input: <<< "
func isInput(text []byte) bool {
	return value.Ends(bytes.TrimRight(text, value.Quotes+" "), "<<<")
}

// logins are names of who is let in: what was drawn by lot on the next line is what with.
var logins = value.WordSet("user username login logon account")

// beginsWithLogin reports whether a line gives such a name a value: user: bob.
func beginsWithLogin(line []byte) bool {
	var buf [32]byte
	i := value.Past(line, 0, maxLoneLine, " \t*-+>|"+value.Quotes)
	n := i + value.FirstWord(line[i:])
	sign := value.Past(line, n, 8, " \t"+value.Quotes)
	return logins[string(value.Lower(buf[:], line[i:n]))] && (value.ByteAt(line, sign) == ':' || value.ByteAt(line, sign) == '=') && oneWord(line[sign+1:])
}

// oneWord reports whether text is one word, as who is let in is.
func oneWord(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && bytes.IndexByte(text, ' ') < 0
}

// toldBy is what the words of a part of a line say.
type toldBy struct {
	words              int
	public, hash, lets bool
}

// entering are words that say with the next one, in, that somebody is let in.
var entering = value.WordSet("log logs logged logging sign signs signed signing")

// lineWords reads the words of a part of a line, and of names the words they are made of.
func lineWords(text []byte) (t toldBy) {
	var buf [32]byte
	enters := false
	for len(text) > 0 {
		n := value.FirstWord(text)
		if n == 0 {
			text = text[1:]
			continue
		}
		n = value.Past(text, n, 4, value.DigitSigns)
		if n >= 2 && n < len(buf) {
			w := value.Lower(buf[:], text[:n])
			t.words++
			t.public = t.public || public[string(w)] || joined(w)
			t.hash = t.hash || hashes[string(w)]
			t.lets = t.lets || lets[string(w)] || enters && string(w) == "in"
			enters = entering[string(w)]
		}
		text = text[n:]
	}
	return t
}

// numbered are things whose id is written as one word with them: clientid.
var numbered = value.WordSet("client user project tenant device app application account team page chat channel message object group process thread machine order customer product item request trace build event")

// joined reports whether a word in small letters is what the id or the name of a thing is called: clientid, shortname.
func joined(w []byte) bool {
	if thing, ok := bytes.CutSuffix(w, []byte("id")); ok {
		return numbered[string(thing)]
	}
	return value.Ends(w, "name") && !lets[string(w)]
}

// standsAlone reports whether the word from lo to hi is no part of something longer: of a path, a URL, base64, a name.
func standsAlone(text []byte, lo, hi int) bool {
	if hi < len(text) && text[hi] == '@' {
		return lo > 0 && (text[lo-1] == ':' || text[lo-1] == '/') // user:value@host
	}
	if hi < len(text) && text[hi] == '.' { // of a sentence
		hi++
	}
	if lo > 1 && text[lo-1] == '=' && text[lo-2] == '=' { // behind base64
		return false
	}
	return (lo == 0 || loneBefore.Has(text[lo-1])) && (hi == len(text) || loneBehind.Has(text[hi]))
}

// The bytes that part a word from what it is no part of.
var (
	loneBefore = value.ByteSetOf(value.Spaces + value.Quotes + "=:,([{|;>!")
	loneBehind = value.ByteSetOf(value.Spaces + value.Quotes + ",)]}|;<:\\!")
)
