package secret

import (
	"bytes"
	"strings"
)

// This file judges a value together with its name.

// judge adds the value if its name and its own look make it a secret.
func (a *assigned) judge(from, end int, quoted bool) {
	k := a.naming()
	if k.not || k.noun == noNoun || end-from < 4 {
		return
	}
	r := a.r
	if r.pieces(from, min(end, len(r.text)), func(lo, hi int) { a.judge(lo, hi, quoted) }) {
		return
	}
	if k.authorization {
		if from = r.skipScheme(from); from >= end {
			return // the scheme alone, a mark behind it
		}
	}
	if a.hi >= 7 && a.lo <= a.hi-7 && bytes.EqualFold(r.text[a.hi-7:a.hi], []byte("userpwd")) {
		if i := bytes.IndexByte(r.text[from:min(end, from+128)], ':'); i >= 0 {
			from += i + 1 // user:password
		}
	}
	if k.authorization && k.noun == weakNoun {
		// auth: "user:password"
		if i := bytes.IndexByte(r.text[from:min(end, from+64)], ':'); i > 1 && identifierOnly(r.text[from:from+i]) {
			if v := r.text[from+i+1 : min(end, len(r.text))]; len(v) >= 8 && len(v) <= 64 && shapeOf(v).digit >= 2 && shapeOf(v).space == 0 && commandValue(v) && !hasOrdinary(v) {
				r.add("password-assignment", from+i+1, from+i+1+len(v), rankKeyed)
				return
			}
		}
	}
	v := r.text[from:min(end, len(r.text))]
	if k.noun == weakNoun && bytes.IndexByte(v[:min(len(v), maxLook)], ';') > 0 && hasFold(a.name(), "cookie") {
		a.cookies(from, from+len(v), quoted)
		return
	}
	// The beginning of a long value tells what it is.
	look := v[:min(len(v), maxLook)]
	r.spend(500 + 12*len(look))
	if len(v) < 4 || !a.keeps(k, look, quoted) || lockFile(r.path) && !random(look) || sameLetters(a.name(), look) && !random(look) {
		return
	}
	rule, rank := "secret-assignment", rankKeyed
	switch k.noun {
	case passNoun:
		rule = "password-assignment"
	case weakNoun:
		rule, rank = "generic-api-key", rankWeak
	case mnemonic:
		rule = "mnemonic"
	}
	r.add(rule, from, from+len(v), rank)
}

// cookies judges the values of a cookie header: name=value; name=value; path=/.
func (a *assigned) cookies(from, end int, quoted bool) {
	text := a.r.text
	for n := 0; n < 64 && from < end; n++ {
		to := end
		if i := bytes.IndexByte(text[from:end], ';'); i >= 0 {
			to = from + i
		}
		at := from
		if i := bytes.IndexByte(text[from:to], '='); i >= 0 {
			at += i + 1
		}
		if bytes.IndexByte(text[at:to], ' ') < 0 {
			a.judge(at, to, quoted)
		}
		from = to + 1
	}
}

// keeps reports whether v, under such a name, is a secret.
func (a *assigned) keeps(k naming, v []byte, quoted bool) bool {
	if k.noun == mnemonic {
		return words(v) >= 12 || seedBase32(v) && (hasFold(a.name(), "otp") || hasFold(a.name(), "fa_") || a.secret())
	}
	if a.style() == asCode && passwordHash(v) {
		return false // as the rules for them say
	}
	if lookUp(v) || standIn(v) || sample(v) || isTime(v) || bytes.Contains(v[:min(len(v), 64)], []byte("-----BEGIN")) {
		return false // armour has its own reader
	}
	s := shapeOf(v)
	if (s.digit == 0 || s.high > 0 && k.noun != passNoun) && a.r.translated {
		return false
	}
	if len(v) > 2 && (v[0] == '+' || v[0] == '.') && isLetter(v[1]) && bytes.IndexByte(v, '(')+bytes.IndexByte(v, ')') > 0 {
		return false // text put together
	}
	if i := bytes.Index(v, []byte("->")); i > 0 && bytes.IndexByte(v[:i], '$') >= 0 && v[0] == '.' {
		return false // text put together
	}
	if v[0] == '+' && v[len(v)-1] == '+' || bytes.Contains(v, []byte("\"+")) {
		return false // text put together
	}
	if k.noun == passNoun && len(v) > 16 && isPin(a.name()) {
		return false // a certificate is pinned
	}
	if s.space > 0 {
		return a.keepsSpaced(k, v, s, quoted)
	}
	if n := bytes.Count(v, []byte("\\u")) + bytes.Count(v, []byte("\\U")); n > 1 || n == 1 && s.special <= 1 || bytes.Count(v, []byte("\\x")) > 1 {
		return false // text in another script
	}
	if ends(v, "=true", "=false") {
		return false
	}
	d := decoded(v)
	if k.authorization && len(d) > 0 && d[len(d)-1] == ':' {
		return false // no password
	}
	if tells(d) {
		return false
	}
	if len(d) >= 6 {
		// Base64 of text is what the text is.
		if i := bytes.IndexByte(d, ':'); k.authorization && i > 0 {
			return commandValue(d[i+1:]) && !bytes.EqualFold(d[:i], d[i+1:])
		}
		if d = bytes.TrimSpace(d); len(d) == 0 || standIn(d) || nameLike(d) && !madeUp(d) {
			return false
		}
		if k.noun == passNoun && !k.strict && madeUp(d) {
			return true
		}
	}
	if s.distinct < 4 || s.high > 0 && s.digit == 0 || email(v) || fileName(v) && (k.noun != passNoun || s.digit == 0 || s.upper == 0) {
		return false
	}
	if bytes.Contains(v, []byte(":x:")) || bytes.Contains(v, []byte(":/")) || len(bytes.Trim(v, "0123456789eE+-.xX")) == 0 && s.special+s.joint > 0 {
		return false // a line of passwd, a path, a number
	}
	if i := bytes.Index(v, []byte(":{")); i > 0 && allDigits(v[:i]) || namespaced(v) {
		return false // the length of what is serialized; the name of a class
	}
	if holds(v, "[a-z", "[A-Z", "[0-9", "(?:", "(?i", "\\\\b(", "[a-f") {
		return false // an expression
	}
	if isHash(v) && lockFile(a.r.path) || len(v) > 150 && v[0] == 'A' && (v[1] == 'g' || bytes.HasPrefix(v, []byte("AQICAH"))) {
		return false // what is locked; what is sealed
	}
	if isUUID(v) {
		return k.noun >= tokenNoun && !k.strict && !a.compared
	}
	if bytes.Contains(v, []byte("://")) {
		return false // its credentials, if any, are the URL reader's
	}
	if publicPoint(v) || len(v) == 42 && v[0] == '0' && v[1]|0x20 == 'x' && allHex(v[2:]) {
		return false // a public key, the address of an account
	}
	switch {
	case len(v) == 17 && k.noun == weakNoun && begins(v, "app"):
		return false // the id of a base of Airtable's
	case (len(v) == 16 || len(v) == 40) && allHex(v) && (strings.HasSuffix(a.r.path, "gitconfig") || hasFold(a.name(), "gpg") || hasFold(a.name(), "pgp")):
		return false // the id of a key of GnuPG's
	case len(v) == 35 && begins(v, "pub") && allHex(v[3:]):
		return false // Datadog's token for browsers
	}
	if a.argument && s.digit > 0 && nameOfThings(v) {
		return false // a name among names
	}
	byLot := random(v) || mailKey(v)
	switch k.noun {
	case weakNoun:
		if version(v) || bytes.IndexByte(bytes.TrimRight(v, "="), '=') > 0 {
			return false
		}
		if len(v) == 52 && s.upper+s.joint+s.special == 0 && s.digit > 2 && bytes.EqualFold(lastWord(&[32]byte{}, a.name()), []byte("pat")) {
			return true
		}
		if keyBase64(v) || len(v) >= 32 && isHash(v) && envKey(a.name()) && s.digit > 4 {
			return true
		}
		if i := bytes.LastIndexByte(v, '.'); i > 0 && isHash(v[i+1:]) {
			return false // the name of a text, or of a part
		}
		if len(v) < 16 || !byLot || isHash(v) || s.special > 4 {
			return k.authorization && len(v) >= 16 && byLot
		}
		return s.digit >= 2 && s.turns*5 >= s.n && !(allHex(v) && s.n < 32)
	case tokenNoun:
		if a.style() == asConfig && a.given(k) && s.upper+s.digit == 0 && !a.secret() && a.phrases() && phrase(v, false) {
			return true // four words
		}
		if (quoted || a.style() == asConfig) && a.given(k) && a.secret() {
			if secretPhrase(v) {
				return true
			}
			digits := s.digit > 1 || s.digit > 0 && a.style() == asConfig
			if digits && s.upper > 0 && s.n >= 10 && madeUp(v) && !hasOrdinary(v) {
				return true
			}
		}
		if byLot && len(v) >= 14 {
			return true
		}
		if len(v) >= 16 && allHex(v) && s.digit > 2 && (s.lower+s.upper > 2 || s.lower+s.upper > 0 && isHash(v)) {
			return true
		}
		if s.special+s.joint == 0 && s.n < 16 && s.digit <= 2 {
			return false // a name with a number
		}
		if a.compared || k.strict || s.special == 0 && wordy(v)*10 >= (s.lower+s.upper)*7 {
			return false
		}
		return passwordLike(v, s, true)
	default: // passNoun
		if byLot || s.digit+s.joint+s.special == 0 && s.n >= 10 && s.turns*3 >= s.n && s.lower > 1 && s.upper > 1 && wordy(v) == 0 {
			return true
		}
		strict := k.strict || a.compared || a.argument
		if s.lower+s.upper == 0 && s.special == 0 && s.joint == 0 {
			return !strict && s.distinct >= 5 && (len(v) >= 6 && a.style() == asConfig || len(v) >= 10 && quoted)
		}
		if !k.strict && (phrase(v, strict) || madeUp(v) && (s.digit > 0 || a.phrases())) {
			return true
		}
		if !strict && a.phrases() && (a.style() == asConfig || quoted && s.joint == 0) && plainWords(v, a.envName()) {
			return true
		}
		return passwordLike(v, s, strict)
	}
}

// version reports whether v begins as the versions of packages do: 4.18.7_x.
func version(v []byte) bool {
	dots := 0
	for _, b := range v {
		if b == '.' {
			dots++
		} else if !isDigit(b) {
			break
		}
	}
	return dots == 2 && isDigit(v[0])
}

// seedBase32 reports whether v is base32, as seeds of one-time passwords and of
// some wallets are.
func seedBase32(v []byte) bool {
	if len(v) < 16 || len(v) > 64 {
		return false
	}
	for _, b := range v {
		if !isUpper(b) && (b < '2' || b > '7') {
			return false
		}
	}
	return shapeOf(v).digit > 0
}

// given reports whether the value is set to the very name: it is no argument, no
// operand, and nothing follows the noun.
func (a *assigned) given(k naming) bool { return !k.strict && !a.argument && !a.compared }

// secret reports whether the name has the word in one of its usual cases.
func (a *assigned) secret() bool {
	n := a.name()
	return bytes.Contains(n, []byte("secret")) || bytes.Contains(n, []byte("SECRET")) || bytes.Contains(n, []byte("Secret"))
}

// name returns the name's text; nil where it is a line above its value.
func (a *assigned) name() []byte {
	if a.lo > a.hi {
		return nil
	}
	return a.r.text[a.lo:a.hi]
}

// tells reports whether v, decoded from base64, is no secret: the head of a token
// of three parts, or a sentence.
func tells(v []byte) bool {
	return bytes.HasPrefix(v, []byte(`{"alg"`)) || bytes.HasPrefix(v, []byte(`{"typ"`)) || bytes.Count(v, []byte(" ")) >= 2 && wordy(v)*2 > len(v)
}

// passwordHash reports whether v is the hash of a password, marked as such.
func passwordHash(v []byte) bool {
	if i := bytes.IndexByte(v[:min(len(v), 48)], ':'); i > 0 && identifierOnly(v[:i]) {
		v = v[i+1:] // user:hash
	}
	if v = bytes.TrimLeft(v, "*/ "); len(v) > 0 && v[0] == '{' {
		if i := bytes.IndexByte(v, '}'); i > 0 && i < 40 && !begins(v, "{noop") && len(v)-i > 16 {
			return true // {bcrypt}..., {SSHA}...
		}
	}
	return begins(v, "$2a$", "$2b$", "$2x$", "$2y$", "$1$", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "$scrypt", "$e0801$", "pbkdf2_sha", "pbkdf2:", "scrypt:", "bcrypt_sha256$")
}

// isPin reports whether a name ends in pin or pins.
func isPin(name []byte) bool {
	name = bytes.TrimRight(name, "sS")
	return len(name) >= 3 && bytes.EqualFold(name[len(name)-3:], []byte("pin"))
}

// envKey reports whether a name is that of a key in an environment: CENSUS_KEY.
func envKey(name []byte) bool {
	if !bytes.HasSuffix(name, []byte("_KEY")) {
		return false
	}
	for _, b := range name {
		if b >= 'a' && b <= 'z' || b == '.' || b == '-' {
			return false
		}
	}
	return true
}

// passwordLike reports whether somebody may have made v up as a password:
// signs, digits and letters of both cases, at least two of these, and no name.
// Strictly, three of them.
func passwordLike(v []byte, s shape, strict bool) bool {
	if s.n < 6 || s.n > 128 {
		return false
	}
	letters := s.lower + s.upper
	if letters == 0 && s.special == 0 || nameLike(v) || regexLike(v) {
		return false
	}
	kinds := 0
	for _, c := range [...]int{s.lower, s.upper, s.digit, s.special} {
		if c > 0 {
			kinds++
		}
	}
	if s.special > 0 && s.special*2 >= s.n && s.n < 10 {
		return false // punctuation: code, not a password
	}
	if s.digit == 0 {
		// Words and signs: Sommer!Wind? but not Passwort: or *token.
		if s.special == 0 || s.n < 8 || kinds < 3 {
			return false
		}
		return !(s.special == 1 && (!isLetter(v[0]) || !isLetter(v[len(v)-1])) && s.upper <= 1)
	}
	if strict {
		return s.n >= 8 && (kinds >= 3 || kinds == 2 && s.special == 0 && s.digit >= 3 && s.n >= 8 && s.turns >= 3)
	}
	if s.joint > 0 && s.special == 0 && (s.digit <= 2 && wordy(v)*2 > s.n) {
		return false
	}
	return kinds >= 2
}

// keepsSpaced judges a value with spaces: generated salts and passphrases with
// signs and digits, no sentences.
func (a *assigned) keepsSpaced(k naming, v []byte, s shape, quoted bool) bool {
	if k.noun == passNoun && appPassword(v) {
		return true
	}
	if k.noun == passNoun && a.given(k) && a.phrases() && spacedPhrase(v, s, a.envName() || quoted && a.style() == asConfig && s.digit > 0) {
		return true
	}
	if k.noun == tokenNoun && a.given(k) && a.secret() && a.phrases() && s.upper+s.special+s.joint == 0 && s.n < 80 {
		if (s.digit > 1 && s.space >= 3 || quoted && s.space >= 5) && !hasOrdinary(v) {
			return true
		}
	}
	if a.argument || s.n < 12 || s.high > 0 || s.digit < 2 || s.special < 2 {
		return false
	}
	if wordy(v)*3 > s.n || s.distinct < 10 || k.noun < tokenNoun && s.special < 6 {
		return false
	}
	return s.space*8 < s.n
}

// phrases reports whether the file may hold passphrases, and is none of texts for
// people in many languages.
func (a *assigned) phrases() bool {
	return a.style() != asProse && !a.text && !a.r.translated
}

// translated reports whether a path is that of texts for people, in a language.
func translated(path string) bool {
	for len(path) > 0 {
		seg := path
		if i := strings.IndexByte(path, '/'); i >= 0 {
			seg, path = path[:i], path[i+1:]
		} else {
			path = ""
		}
		for _, w := range [...]string{"locale", "i18n", "l10n", "language", "translation", "intl"} {
			if strings.Contains(seg, w) {
				return true
			}
		}
		switch seg {
		case "lang", "langs", "nls", "messages", "strings":
			return true
		}
		if path == "" {
			for _, w := range [...]string{"messages", "strings", "lang.", "lang-", "lang_"} {
				if strings.HasPrefix(seg, w) {
					return true
				}
			}
			for _, w := range [...]string{".po", ".pot", ".xliff", ".xlf", ".resx", ".arb", ".strings", ".ftl"} {
				if strings.HasSuffix(seg, w) {
					return true
				}
			}
		}
	}
	return false
}

// envName reports whether the name is that of a variable of an environment.
func (a *assigned) envName() bool {
	n := a.name()
	return (bytes.IndexByte(n, '_') > 0 || len(n) > 8) && shapeOf(n).lower == 0 || bytes.HasPrefix(n, []byte("ansible_"))
}

// words counts lower-case words in v, 0 if it holds anything else.
func words(v []byte) int {
	n, in := 0, false
	for _, b := range v {
		switch {
		case b >= 'a' && b <= 'z':
			if !in {
				n++
			}
			in = true
		case b == ' ', b == ',':
			in = false
		default:
			return 0
		}
	}
	if len(v) > 12*16*2 {
		return 0
	}
	return n
}

func regexLike(v []byte) bool {
	return holds(v, "\\w", "\\d", "\\s", "\\S", "[a-z", "[A-Z", "[0-9", "(?", ".*", ".+", "[^", "\\.") || v[0] == '^' || v[0] == '\\'
}
