package secret

import (
	"bytes"
	"strings"
)

// This file holds what no weight decides: values that are none whatever they look like.

// judged is a candidate that is asked about.
type judged struct {
	candidate
	look
	byLot bool   // it was drawn by lot for all that one can see
	buf   []byte // room for what the value is in base64
}

// exception is a reason why a value is no credential. TestExceptions has two lines for each: one that it clears, and one beside
// it that it does not.
type exception struct {
	reason string
	is     func(j *judged) bool
}

// exceptions are asked in this order.
var exceptions = [...]exception{
	{"stands for another value", func(j *judged) bool {
		if j.byLot && !(j.kind == kindLookUp && standsFor(j.value)) {
			return false // a bracket or a dollar sign in it says nothing
		}
		return (j.kind == kindLookUp || j.kind == kindCode) && !ofAllSigns(j.value, &j.shape)
	}},
	{"is a member of something", func(j *judged) bool {
		quoted := j.notation.opens == '"' || j.notation.opens == '\''
		span := j.style == asProse && j.notation.opens == '`'
		return !j.byLot && !quoted && (j.noun != passNoun || j.style == asCode || span) && member(j.value)
	}},
	{"is a truth, nothing, or a number with a unit", func(j *judged) bool {
		return j.kind == kindConstant || j.kind == kindJWT && holds(j.value, ".e30.") // {}: it speaks for nobody
	}},
	{"is set where none is meant", func(j *judged) bool { return j.kind == kindSetWord }},
	{"is left out", func(j *judged) bool {
		return j.kind == kindElided || isUUID(j.value) && j.shape.distinct <= 2 || j.kind == kindSame && bytes.IndexByte([]byte("xX0*.-_#?"), j.value[0]) >= 0
	}},
	{"is a word of a list", func(j *judged) bool {
		return !j.byLot && j.form == formItem && levelOf[j.kind] < levelDrawn && j.kind != kindDrawnShort && j.kind != kindMixed
	}},
	{"is what a member is called", func(j *judged) bool {
		own := levelOf[j.kind] <= levelOwn || wordy(j.value)*10 >= len(j.value)*8
		return !j.byLot && j.form == formMember && (levelOf[j.kind] <= levelWords || j.noun != passNoun && own)
	}},
	{"says the name again", func(j *judged) bool {
		if i := len(j.value) - len(j.name); i > 1 && i < len(j.value) && bytes.IndexByte([]byte(":/.#"), j.value[i-1]) >= 0 && bytes.EqualFold(j.value[i:], j.name) {
			return true // Ed25519Key: toot:Ed25519Key
		}
		if (j.style == asCode || j.noun == weakNoun) && bytes.EqualFold(trimDigits(j.value), j.name) {
			return true // ResetPasswordKey = "resetpasswordkey1"
		}
		if n := len(j.name) - len(j.value); n > 0 && j.style == asCode && strings.IndexByte("_-.", j.name[n-1]) >= 0 && bytes.EqualFold(j.name[n:], j.value) {
			return true // httpapi_var_curpass = 'curpass'
		}
		if j.style == asCode && j.noun != passNoun && j.shape.digit <= 3 && sameLetters(j.name, j.value) {
			return true // FUNGIBLE_TOKEN_9 = "fungibleToken9"
		}
		return levelOf[j.kind] <= levelOwn && (j.shape.digit == 0 || j.noun != passNoun || j.style != asConfig && standIn(j.value)) && sameLetters(j.name, j.value)
	}},
	{"is of a locked dependency", func(j *judged) bool {
		return j.place.traits.lock && (levelOf[j.kind] < levelDrawn || isDigest(j.value))
	}},
	{"is said in a language of people's", func(j *judged) bool {
		if begins(j.value, "crwdn") {
			return true // a text's place in a translation
		}
		return j.place.translated && !j.byLot && (j.shape.digit == 0 || j.shape.high > 0 || j.shape.space > 0)
	}},
	{"is in another script", func(j *judged) bool {
		if j.shape.high > 0 && j.noun != passNoun {
			return true // no key and no token is
		}
		n := bytes.Count(j.value, []byte(`\u`)) + bytes.Count(j.value, []byte(`\U`))
		if j.noun == passNoun {
			n += bytes.Count(j.value, []byte(`\x`))
		}
		return n > 1 || n == 1 && j.shape.special <= 1
	}},
	{"is the tag of a field", func(j *judged) bool { // `json:"token"`
		i := bytes.Index(j.value, []byte(`:"`))
		return i > 0 && j.notation.opens == '`' && identifierOnly(j.value[:i])
	}},
	{"sets other names", func(j *judged) bool {
		name, v := j.sets()
		if len(name) == 0 || j.byLot {
			return false
		}
		several := bytes.Count(v, []byte("=")) > 0 && bytes.IndexByte(v, ',') >= 0 // source=key,target=app
		told := len(name) > 4 && (j.form == formTold || j.form == formSetOff || j.form == formBelow)
		s := shapeOf(name)
		short := len(name) > 4 && (s.lower == s.n || identifierOnly(name) && s.lower+s.digit == 0) && len(v) < 4 // pass:repeat=0
		return j.noun == weakNoun && !ofAllSigns(j.value, &j.shape) || short || (several || told) && identifierOnly(name)
	}},
	{"is a regular expression", func(j *judged) bool {
		if len(j.value) > 3 && j.value[0] == '^' && ends(j.value, "$") && bytes.ContainsAny(j.value, `()[]{}\*+`) {
			return true
		}
		return j.kind == kindExpression && !j.byLot && holds(j.value, "(?", "]{", "]+", "]*", `\d{`, `\w+`, `\d+`, `\s*`)
	}},
	{"is a list", func(j *judged) bool {
		if i := bytes.IndexByte(j.value, ':'); j.bare && i > 0 && byteAt(j.value, i+1) == '"' && identifierOnly(j.value[:i]) {
			return true // derive_secret:ALG_SHA_256:"6f26…":32
		}
		if j.byLot {
			return false
		}
		signs := bytes.Count(j.value, []byte(":!")) + bytes.Count(j.value, []byte(":+"))
		return signs >= 2 || signs == 1 && begins(j.value, "!", "+") && only(j.value, wordSigns+":!+-") // !PSK:!SRP:!aDSS
	}},
	{"is a JSON web key, whose members are read", func(j *judged) bool { return j.place.ofJWK }},
	{"is the scope of a signature", func(j *judged) bool {
		return ends(j.value, "_request") && bytes.Count(j.value, []byte("/"))+bytes.Count(j.value, []byte("%2F")) >= 4
	}},
	{"is a part of a digest's formula", func(j *judged) bool { // H(H(user:realm:password):nonce:cnonce)
		return endsFold(j.near.told(24), "realm:")
	}},
	{"is where requests are passed to", func(j *judged) bool { // proxy_pass backend;
		return ends(j.value, ";") && endsFold(j.name, "proxy_pass") && identifierOnly(j.value[:len(j.value)-1])
	}},
	{"is a name with a number", func(j *judged) bool {
		name := trimDigits(j.value)
		return j.noun != passNoun && !j.byLot && len(name) < len(j.value)-3 && len(name) >= 6 && wordy(name)*10 >= len(name)*7 && hasOrdinary(name)
	}},
	{"is the name of a class in a sentence", func(j *judged) bool {
		told := j.form == formTold || j.form == formSetOff
		if j.byLot {
			return false
		}
		if bytes.IndexByte(j.value, '\\') > 0 && only(j.value, wordSigns+`\@`) && !drawn(j.value) && (j.noun != passNoun || hasOrdinary(j.value)) {
			return true // Tymon\JWTAuth\Facades\JWTAuth, SOFTWARE\RealVNC\WinVNC4, Api\PasswordController@change
		}
		if last := j.value[bytes.LastIndexByte(j.value, '.')+1:]; len(last) > 0 && isUpper(last[0]) && bytes.Count(j.value, []byte(".")) > 1 && only(j.value, nameSigns) && namespaced(j.value) {
			return true // cookbook.forms.CustomPasswordResetForm
		}
		if j.style == asProse && j.noun != passNoun && typeLike(j.value, &j.shape) {
			return true // OAuth2TokenFormat.SELF_CONTAINED
		}
		if told && j.noun == weakNoun && levelOf[j.kind] <= levelOwn {
			return true // a key is forgotten while `acquire-replicas` runs
		}
		return told && j.noun != passNoun && j.shape.special == 0 && wordy(j.value)*10 >= (j.shape.lower+j.shape.upper)*7 && hasOrdinary(j.value)
	}},
	{"is the address of a coin", func(j *judged) bool { return j.isMint() }},
	{"is a number", func(j *judged) bool {
		digits, ok := bytes.CutPrefix(bytes.TrimPrefix(j.value, []byte("-")), []byte("0x"))
		hex := ok && len(digits) < 18 && allHex(digits) && (j.noun == weakNoun || j.bare && j.style == asCode)
		counted := j.bare && j.style == asCode && isDigit(j.value[0]) && numberOf(j.value)
		return hex || counted || j.kind == kindDigits && j.noun != passNoun && len(j.value) < 12
	}},
	{"is an id", func(j *judged) bool {
		given := j.form == formGiven && j.noun == passNoun // a row: VALUES ('jane@acme.io', '05fb3246-…')
		return j.kind == kindUUID && (given || j.noun == weakNoun && endsFold(bytes.TrimRight(j.name, "s"), "key") || endsFold(j.name, "credentials"))
	}},
	{"is of a text about URLs", func(j *judged) bool {
		i := bytes.IndexByte(j.value, '%')
		if i < 0 || j.byLot || i+2 >= len(j.value) || !isHex(j.value[i+1]) || !isHex(j.value[i+2]) {
			return false
		}
		v := unescapedURL(j.value)
		if bytes.Count(j.value, []byte("%")) == 1 && j.form != formURL {
			return partsOfURL(v)
		}
		return aboutURLs(v) || shapeOf(v).high > 0 || partsOfURL(v)
	}},
	{"is the name of a file", func(j *judged) bool { return j.noun != passNoun && fileName(j.value) && j.kind == kindPlace }},
	{"is named by a hash", func(j *judged) bool {
		i := bytes.LastIndexAny(j.value, "./-:") // also nodekey:…, sha256:…
		if n := bytes.LastIndexByte(j.value, '_'); n > i && hasOrdinary(j.value[:n]) {
			i = n // redirect_tmp_…
		}
		return j.noun == weakNoun && i > 0 && isHash(j.value[i+1:]) && !hasFold(j.value[:i], "priv", "secret")
	}},
	{"is a name itself", func(j *judged) bool {
		text, own := j.near.behind, j.near.before[j.near.line:]
		if j.form == formQuoted || !isQuote(byteAt(text, 0)) || j.notation.opens != text[0] {
			return false
		}
		next := skipBlank(text, 1)
		pair := hasPrefixAt(text, next, "=>") || hasPrefixAt(text, next, ": ")
		return pair && !ends(bytes.TrimRight(own[:max(0, len(own)-1)], " "), "?")
	}},
	{"leads to what follows", func(j *judged) bool { return ends(j.value, ":") && j.form != formScheme && !j.byLot }},
	{"is a sentence", func(j *judged) bool {
		return j.kind == kindSentence && (wordy(j.value)*3 > len(j.value) || hasOrdinary(j.value))
	}},
	{"is what was tested", func(j *judged) bool {
		return j.place.tested
	}},
	{"is a word of a sentence", func(j *judged) bool { return levelOf[j.kind] <= levelOwn && !j.byLot && j.goesOn() }},
	{"asks to be changed", func(j *judged) bool {
		var buf [32]byte
		v := bytes.TrimLeft(lower(buf[:], j.value), "!#*_-")
		if j.byLot || drawn(j.value) {
			return false
		}
		if begins(v, "changethis", "changeme", "change_", "change-", "replaceme", "replacethis", "replace_", "replace-") {
			return true // !ChangeThisSecretKey!
		}
		return j.kind >= kindSetWord && j.kind <= kindWordDigits && begins(v, "change", "replace", "fill", "your", "insert", "placeholder", "put", "enter", "todo", "fixme", "tbd")
	}},
	{"is printed in a manual", func(j *judged) bool { return sampleValues().holds(j.value) }},
	{"is what a command prints", func(j *judged) bool {
		quoted := j.notation.opens == '`' && j.form != formSetOff && j.form != formTold
		span := j.style == asProse && j.shape.space == 0 && levelOf[j.kind] >= levelMixed // password: `value`
		return quoted && !span && !j.byLot && (j.style != asCode || j.place.printed)
	}},
	{"is a fingerprint", func(j *judged) bool {
		return j.noun != passNoun && fingerprint(j.value)
	}},
	{"is the name of an algorithm", func(j *judged) bool { // ECDSAWithSHA256
		return j.noun != passNoun && len(j.value) <= 40 && hasFold(j.value, "sha1", "sha2", "sha3", "sha5", "md5") && only(j.value, wordSigns+"-/") && !drawn(j.value)
	}},
	{"is one of many hashes", func(j *judged) bool { return len(j.value) >= 8 && allHex(j.value) && j.oneOfMany() }},
	{"is a public key, or a hash of one", func(j *judged) bool {
		point := len(j.value) == 66 && j.value[0] == '0' && j.value[1]|1 == '3' && allHex(j.value)
		if point && j.noun == weakNoun && !hasFold(j.name, "priv") {
			return true // of a curve, compressed
		}
		return j.kind == kindPublic || isPin(j.name) && len(j.value) > 16
	}},
	{"is a user without a password", func(j *judged) bool { return ends(j.plain(), ":") }},
	{"is the hash of a password, in code", func(j *judged) bool { return j.kind == kindHash && j.style == asCode }},
	{"is words in base64", func(j *judged) bool {
		d := j.plain()
		if tells(d) {
			return true
		}
		d = bytes.TrimSpace(d)
		if j.noun != passNoun && bytes.Count(d, []byte(" ")) > 1 && only(d, letterSigns+" ,.!?") {
			return true // a sentence
		}
		if begins(d, "-----BEGIN ") && (len(d) < 40 || holds(d[:40], "CERTIFICATE", "PUBLIC")) {
			return true
		}
		if begins(d, "{\"") && ends(d, "}") {
			return len(d) <= 64 && !hasFold(d, "pass", "secret", "key", "token")
		}
		return len(d) >= 6 && bytes.IndexByte(d, ':') < 0 && (standIn(d) || nameLike(d) && !madeUp(d))
	}},
	{"is handed to browsers", func(j *judged) bool { return len(j.value) == 35 && begins(j.value, "pub") && allHex(j.value[3:]) }},
	{"is sealed for another", func(j *judged) bool {
		if begins(j.value, "encrypted-") || isDigit(j.value[0]) && bytes.Count(j.value, []byte("=|")) > 0 && byteAt(j.value, 1) == '.' {
			return true // by the program, which keeps it so
		}
		return len(j.value) > 150 && j.value[0] == 'A' && (j.value[1] == 'g' || begins(j.value, "AQICAH"))
	}},
	{"is the id of a key of GnuPG's", func(j *judged) bool {
		gpg := strings.HasSuffix(j.place.path, "gitconfig") || hasFold(j.name, "gpg", "pgp") || hasFold(j.near.told(100), "gpg") || ends(j.name, "-keys") || ends(j.name, "signingkey") && j.shape.lower == 0
		return gpg && (len(j.value) == 16 || len(j.value) == 40) && allHex(j.value)
	}},
}

// excepted returns why the candidate is none, or "".
func (j *judged) excepted() string {
	for i := range exceptions {
		if exceptions[i].is(j) {
			return exceptions[i].reason
		}
	}
	return ""
}

// member reports whether v is what a program calls a part of something: this.isNot, auth?.useKey, io/ktor/Auth, !settled, load(),
// e.isRead=e.isStream.
func member(v []byte) bool {
	name := bytes.TrimLeft(v, "!")
	name = bytes.TrimSuffix(name, []byte("()"))
	alone, slashes := len(name) == len(v), 0
	for n := 0; ; n++ {
		i := bytes.IndexAny(name, "./=")
		part := name
		if i >= 0 {
			if name[i] == '/' {
				slashes++
			}
			part = bytes.TrimSuffix(name[:i], []byte("?"))
		}
		if i < 0 && n > 1 && allDigits(bytes.TrimLeft(part, "!")) {
			return true // e.first=e.second=0
		}
		if len(part) == 0 || isDigit(part[0]) || drawn(part) {
			return false
		}
		for _, b := range part {
			if !isWord(b) && b != '$' || isDigit(b) && len(part) > 3 {
				return false
			}
		}
		if i < 0 {
			return (n > 0 || !alone) && slashes != 1 // a/b may be a value
		}
		name = name[i+1:]
	}
}

// numberOf reports whether v is a number with its type behind it, as in Rust: 12u64, or in binary: 0b0010.
func numberOf(v []byte) bool {
	if begins(v, "0b") {
		return len(v) > 3 && only(v[2:], "01_")
	}
	rest := bytes.TrimLeft(v, digitSigns+"_")
	return len(rest) > 1 && len(rest) < 6 && strings.IndexByte("uif", rest[0]) >= 0 && (allDigits(rest[1:]) || string(rest[1:]) == "size")
}

// fingerprint reports whether v ends with eight bytes or more in hex, one sign between each, ba:d8:85:…, or as SSH's do: SHA256:…
func fingerprint(v []byte) bool {
	if i := bytes.Index(v, []byte("SHA256:")); i >= 0 && len(bytes.TrimRight(v[i:], "=")) == len("SHA256:")+43 {
		return true
	}
	n := 0
	for i := len(v); i >= 2 && isHex(v[i-1]) && isHex(v[i-2]); i -= 3 {
		if n++; i < 3 || v[i-3] != ':' && v[i-3] != '_' {
			break
		}
	}
	return n >= 8
}

// typeLike reports whether v is what a program calls a type or a part of one: OAuth2TokenCustomizer<JWTEncodingContext>.
func typeLike(v []byte, s *shape) bool {
	return s.digit*8 < s.n && s.upper > 1 && s.lower > 3 && isLetter(v[0]) && only(v, wordSigns+".<>:#()[],$") && wordy(v)*10 >= (s.lower+s.upper)*6 && hasOrdinary(v) && !drawn(v)
}

// partsOfURL reports whether v is a few letters at a time between what parts a URL, as in a test of who reads one: p@ss/w?#.
func partsOfURL(v []byte) bool {
	signs, run := 0, 0
	for _, b := range v {
		switch {
		case isLetter(b):
			if run++; run > 4 {
				return false
			}
		case isDigit(b):
			return false
		default:
			if run = 0; bytes.IndexByte([]byte("/?#[]@:&= "), b) >= 0 {
				signs++
			}
		}
	}
	return signs > 0
}

// isMint reports whether the value is 32 bytes in base58, as public keys of Solana's are, under the name of a token rather than of a key
// that is kept, and what stands near says that it is of a chain.
func (j *judged) isMint() bool {
	const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	if n := len(j.value); j.noun == passNoun || n < 43 || n > 44 || !only(j.value, base58) || hasFold(j.name, "secret", "priv", "seed", "api", "auth") {
		return false
	}
	words := [...]string{"mint", "solana", "publickey", "pubkey", "spl", "lamport", "decimals", "symbol"}
	return hasFold(j.near.before, words[:]...) || hasFold(j.near.behind, words[:]...) || some(strings.Contains, j.place.path, words[:]...)
}

// isDigest reports whether v is what a hash function makes of a file, in hex or base64, perhaps behind the function's name.
func isDigest(v []byte) bool {
	if i := bytes.IndexAny(v, "-:"); i > 0 && i < 8 {
		v = v[i+1:]
	}
	switch n := len(v); {
	case isHash(v):
		return true
	case n == 24 || n == 28 || n == 44 || n == 88:
		return only(v, base64Signs+"=") && v[n-1] == '='
	}
	return false
}

// sets returns the parts of a value that gives another name one; no name if it does not.
func (j *judged) sets() (name, v []byte) {
	if i := bytes.IndexByte(bytes.TrimRight(j.value, "="), '='); i > 0 {
		return j.value[:i], j.value[i+1:]
	}
	return nil, nil
}

// plain is what the value is in base64; nil if that is no text.
func (j *judged) plain() []byte { return decodedIn(j.buf, j.value) }

// goesOn reports whether a word follows, or a text that the value is handed, and no quote ends the value; in NAME=value command it is
// another's.
func (j *judged) goesOn() bool {
	text := j.near.behind
	next := skipBlank(text, 0)
	return j.bare && j.form != formGiven && next > 0 && next < len(text) && (isLetter(text[next]) || isQuote(text[next])) &&
		(j.notation.colon || j.form != formBare || !envName(j.name))
}

// sameLetters reports whether the letters of one of the two, eight and more, stand at the end of those of the other.
func sameLetters(a, b []byte) bool {
	i, j, n := len(a), len(b), 0
	for {
		i, j = backTo(a, i, i, letterSigns), backTo(b, j, j, letterSigns)
		if i == 0 || j == 0 {
			return n >= 8
		}
		i, j = i-1, j-1
		if a[i]|0x20 != b[j]|0x20 {
			return false
		}
		n++
	}
}
