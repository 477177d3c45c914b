package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file holds what no weight decides: values that are none whatever they look like.

// judgement is a candidate, with what its look says, while it is decided of.
type judgement struct {
	candidate
	look
	byLot bool   // it was drawn by lot for all that one can see
	buf   []byte // room for what the value is in base64
}

// exception is a reason why a value is no credential. TestExceptions has two lines for each: one that it clears, and one beside
// it that it does not.
type exception struct {
	reason string
	is     func(j *judgement) bool
}

// goesOnBehind reports whether v is letters and digits with brackets among them that hold no name, which no call is: ab1(!)cd.
func goesOnBehind(v []byte) bool {
	open, end := bytes.IndexByte(v, '('), bytes.LastIndexByte(v, ')')
	return open > 0 && end > open+1 && end+1 < len(v) && value.Only(v[:open], value.WordSigns) && value.Only(v[end+1:], value.WordSigns) &&
		!value.Only(v[open+1:end], value.LetterSigns+"_.-, ")
}

// exceptions are asked in this order.
var exceptions = [...]exception{
	{"stands for another value", func(j *judgement) bool {
		if j.byLot && !(j.kind == kindLookUp && value.StandsFor(j.value)) {
			return false // a bracket or a dollar sign in it says nothing
		}
		if j.kind == kindCode && j.Noun == value.PassNoun && goesOnBehind(j.value) {
			return false
		}
		return (j.kind == kindLookUp || j.kind == kindCode) && !value.OfAllSigns(j.value, &j.shape)
	}},
	{"is a member of something", func(j *judgement) bool {
		quoted := j.notation.opens == '"' || j.notation.opens == '\''
		span := j.style == value.AsProse && j.notation.opens == '`'
		return !j.byLot && !quoted && (j.Noun != value.PassNoun || j.style == value.AsCode || span) && member(j.value)
	}},
	{"is a truth, nothing, or a number with a unit", func(j *judgement) bool {
		return j.kind == kindConstant || j.kind == kindJWT && value.Holds(j.value, ".e30.") // {}: it speaks for nobody
	}},
	{"is set where none is meant", func(j *judgement) bool { return j.kind == kindSetWord }},
	{"is left out", func(j *judgement) bool {
		return j.kind == kindElided || value.IsUUID(j.value) && j.shape.Distinct <= 2 || j.kind == kindSame && bytes.IndexByte([]byte("xX0*.-_#?"), j.value[0]) >= 0
	}},
	{"is a word of a list", func(j *judgement) bool {
		return !j.byLot && j.form == formItem && levelOf[j.kind] < levelDrawn && j.kind != kindDrawnShort && j.kind != kindMixed
	}},
	{"is what a member is called", func(j *judgement) bool {
		own := levelOf[j.kind] <= levelOwn || value.Wordy(j.value)*10 >= len(j.value)*8
		return !j.byLot && j.form == formMember && (levelOf[j.kind] <= levelWords || j.Noun != value.PassNoun && own)
	}},
	{"says the name again", func(j *judgement) bool {
		if i := len(j.value) - len(j.name); i > 1 && i < len(j.value) && bytes.IndexByte([]byte(":/.#"), j.value[i-1]) >= 0 && bytes.EqualFold(j.value[i:], j.name) {
			return true // Ed25519Key: toot:Ed25519Key
		}
		if len(j.name) > 0 && (j.style == value.AsCode || j.Noun == value.WeakNoun) && bytes.EqualFold(value.TrimDigits(j.value), j.name) {
			return true // ResetPasswordKey = "resetpasswordkey1"
		}
		if n := len(j.name) - len(j.value); n > 0 && j.style == value.AsCode && strings.IndexByte("_-.", j.name[n-1]) >= 0 && bytes.EqualFold(j.name[n:], j.value) {
			return true // httpapi_var_curpass = 'curpass'
		}
		if j.style == value.AsCode && j.Noun != value.PassNoun && j.shape.Digit <= 3 && sameLetters(j.name, j.value) {
			return true // FUNGIBLE_TOKEN_9 = "fungibleToken9"
		}
		return levelOf[j.kind] <= levelOwn && (j.shape.Digit == 0 || j.Noun != value.PassNoun || j.style != value.AsConfig && value.StandIn(j.value)) && sameLetters(j.name, j.value)
	}},
	{"is of a locked dependency", func(j *judgement) bool {
		return j.place.traits.lock && (levelOf[j.kind] < levelDrawn || isDigest(j.value))
	}},
	{"is said in a language of people's", func(j *judgement) bool {
		if value.Begins(j.value, "crwdn") {
			return true // a text's place in a translation
		}
		if !j.place.translated {
			return false
		}
		if !j.byLot {
			return j.shape.Digit == 0 || j.shape.High > 0 || j.shape.Space > 0
		}
		// What looks drawn by lot may be words of a language whose words are not known here.
		words := j.shape.High > 0 || value.Only(j.value, value.LetterSigns+value.Spaces+"-'.,:!?()")
		return words && j.shape.Digit == 0 && (j.shape.Space > 0 || j.shape.High > 0 || len(j.value) < leastLotOfWords)
	}},
	{"is in another script", func(j *judgement) bool {
		if j.shape.High > 0 && j.Noun != value.PassNoun {
			return true // no key and no token is
		}
		n := bytes.Count(j.value, []byte(`\u`)) + bytes.Count(j.value, []byte(`\U`))
		if j.Noun == value.PassNoun {
			n += bytes.Count(j.value, []byte(`\x`))
		}
		return n > 1 || n == 1 && j.shape.Special <= 1
	}},
	{"is the tag of a field", func(j *judgement) bool { // `json:"token"`
		i := bytes.Index(j.value, []byte(`:"`))
		return i > 0 && j.notation.opens == '`' && value.IdentifierOnly(j.value[:i])
	}},
	{"sets other names", func(j *judgement) bool {
		name, v := j.sets()
		if len(name) == 0 || j.byLot {
			return false
		}
		several := bytes.Count(v, []byte("=")) > 0 && bytes.IndexByte(v, ',') >= 0 // source=key,target=app
		told := len(name) > 4 && (j.form == formTold || j.form == formSetOff || j.form == formBelow)
		s := value.ShapeOf(name)
		short := len(name) > 4 && (s.Lower == s.Length || value.IdentifierOnly(name) && s.Lower+s.Digit == 0) && len(v) < 4 // pass:repeat=0
		return j.Noun == value.WeakNoun && !value.OfAllSigns(j.value, &j.shape) || short || (several || told) && value.IdentifierOnly(name)
	}},
	{"is a regular expression", func(j *judgement) bool {
		if len(j.value) > 3 && j.value[0] == '^' && value.Ends(j.value, "$") && bytes.ContainsAny(j.value, `()[]{}\*+`) {
			return true
		}
		return j.kind == kindExpression && !j.byLot && value.Holds(j.value, "(?", "]{", "]+", "]*", `\d{`, `\w+`, `\d+`, `\s*`)
	}},
	{"is a list", func(j *judgement) bool {
		if i := bytes.IndexByte(j.value, ':'); j.bare && i > 0 && value.ByteAt(j.value, i+1) == '"' && value.IdentifierOnly(j.value[:i]) {
			return true // derive_secret:ALG_SHA_256:"6f26…":32
		}
		if j.byLot {
			return false
		}
		signs := bytes.Count(j.value, []byte(":!")) + bytes.Count(j.value, []byte(":+"))
		return signs >= 2 || signs == 1 && value.Begins(j.value, "!", "+") && value.Only(j.value, value.WordSigns+":!+-") // !PSK:!SRP:!aDSS
	}},
	{"is a JSON web key, whose members are read", func(j *judgement) bool { return j.place.ofJWK }},
	{"is the scope of a signature", func(j *judgement) bool {
		return value.Ends(j.value, "_request") && bytes.Count(j.value, []byte("/"))+bytes.Count(j.value, []byte("%2F")) >= 4
	}},
	{"is a part of a digest's formula", func(j *judgement) bool { // H(H(user:realm:password):nonce:cnonce)
		return value.EndsFold(j.near.told(24), "realm:")
	}},
	{"is where requests are passed to", func(j *judgement) bool { // proxy_pass backend;
		to := bytes.TrimSuffix(j.value, []byte(";"))
		if !value.EndsFold(j.name, "proxy_pass") || bytes.IndexByte(to, '@') >= 0 {
			return false
		}
		return len(to) < len(j.value) && value.IdentifierOnly(to) || value.Begins(to, "http://", "https://", "unix:")
	}},
	{"is a name with a number", func(j *judgement) bool {
		if j.style == value.AsCode && j.Noun != value.PassNoun && isNumberedName(j.value) {
			return true // ERC721OutOfBoundsIndex
		}
		name := value.TrimDigits(j.value)
		return j.Noun != value.PassNoun && !j.byLot && len(name) < len(j.value)-3 && len(name) >= 6 && value.Wordy(name)*10 >= len(name)*7 && value.HasOrdinary(name)
	}},
	{"is the name of a class in a sentence", func(j *judgement) bool {
		told := j.form == formTold || j.form == formSetOff
		if j.byLot {
			return false
		}
		if bytes.IndexByte(j.value, '\\') > 0 && value.Only(j.value, value.WordSigns+`\@`) && !value.Drawn(j.value) && (j.Noun != value.PassNoun || value.HasOrdinary(j.value)) {
			return true // Tymon\JWTAuth\Facades\JWTAuth, SOFTWARE\RealVNC\WinVNC4, Api\PasswordController@change
		}
		if last := j.value[bytes.LastIndexByte(j.value, '.')+1:]; len(last) > 0 && value.IsUpper(last[0]) && bytes.Count(j.value, []byte(".")) > 1 && value.Only(j.value, value.NameSigns) && value.Namespaced(j.value) {
			return true // cookbook.forms.CustomPasswordResetForm
		}
		if j.style == value.AsProse && j.Noun != value.PassNoun && typeLike(j.value, &j.shape) {
			return true // OAuth2TokenFormat.SELF_CONTAINED
		}
		if told && j.Noun == value.WeakNoun && levelOf[j.kind] <= levelOwn {
			return true // a key is forgotten while `acquire-replicas` runs
		}
		return told && j.Noun != value.PassNoun && j.shape.Special == 0 && value.Wordy(j.value)*10 >= (j.shape.Lower+j.shape.Upper)*7 && value.HasOrdinary(j.value)
	}},
	{"is what a class extends", func(j *judgement) bool { // public final class crane/TokenJar : rope3/Jar {
		if !j.notation.colon || !j.notation.bare || !value.Only(j.value, value.WordSigns+"/.$") {
			return false
		}
		lead := j.near.lead[:len(bytes.TrimRight(j.near.lead, value.WordSigns+"/."))] // without the folder of the name
		lead = bytes.TrimRight(lead, " \t")
		return classWords[string(lead[bytes.LastIndexAny(lead, " \t")+1:])]
	}},
	{"is the address of a coin", func(j *judgement) bool { return j.isMint() }},
	{"is a number", func(j *judgement) bool {
		digits, ok := bytes.CutPrefix(bytes.TrimPrefix(j.value, []byte("-")), []byte("0x"))
		digits = bytes.TrimRight(digits, "uUlL")
		hex := ok && len(digits) < 18 && value.AllHex(digits) && (j.Noun == value.WeakNoun || j.bare && j.style == value.AsCode)
		counted := j.bare && j.style == value.AsCode && value.IsDigit(j.value[0]) && numberOf(j.value)
		return hex || counted || j.kind == kindDigits && j.Noun != value.PassNoun && len(j.value) < 12
	}},
	{"is an id", func(j *judgement) bool {
		given := j.form == formGiven && j.Noun == value.PassNoun // a row: VALUES ('jane@acme.io', '05fb3246-…')
		return j.kind == kindUUID && (given || j.Noun == value.WeakNoun && value.EndsFold(bytes.TrimRight(j.name, "s"), "key") || value.EndsFold(j.name, "credentials"))
	}},
	{"is of a text about URLs", func(j *judgement) bool {
		i := bytes.IndexByte(j.value, '%')
		if i < 0 || j.byLot || i+2 >= len(j.value) || !value.IsHex(j.value[i+1]) || !value.IsHex(j.value[i+2]) {
			return false
		}
		v := unescapedURL(j.value)
		if bytes.Count(j.value, []byte("%")) == 1 && j.form != formURL {
			return partsOfURL(v)
		}
		return aboutURLs(v) || value.ShapeOf(v).High > 0 || partsOfURL(v)
	}},
	{"is the name of a file", func(j *judgement) bool {
		return j.Noun != value.PassNoun && value.FileName(j.value) && j.kind == kindPlace
	}},
	{"is named by a hash", func(j *judgement) bool {
		i := bytes.LastIndexAny(j.value, "./-:") // also nodekey:…, sha256:…
		if n := bytes.LastIndexByte(j.value, '_'); n > i && value.HasOrdinary(j.value[:n]) {
			i = n // redirect_tmp_…
		}
		return j.Noun == value.WeakNoun && i > 0 && value.IsHash(j.value[i+1:]) && !value.HasFold(j.value[:i], "priv", "secret")
	}},
	{"is the number of an advisory", func(j *judgement) bool { // GHSA-vvcv-vpph-h844
		return len(j.value) == len("GHSA-vvcv-vpph-h844") && value.Begins(j.value, "GHSA-") && j.value[9] == '-' && j.value[14] == '-'
	}},
	{"is counted on", func(j *judgement) bool { // token = ++lastToken
		return j.style == value.AsCode && j.bare && value.Begins(j.value, "++", "--") && value.IdentifierOnly(j.value[2:])
	}},
	{"is a pin of a board", func(j *judgement) bool { return value.IsPin(j.name) && isBoardPin(j.value) }},
	{"is a name itself", func(j *judgement) bool {
		if isSettingName(j.value) {
			return true // QUAY_LLM_API_KEY
		}
		if v, ok := bytes.CutPrefix(j.value, []byte("*")); ok && j.bare && !j.byLot && value.IdentifierOnly(v) && some(strings.HasSuffix, j.place.path, ".yml", ".yaml") {
			return true // of an anchor
		}
		text, own := j.near.behind, j.near.before[j.near.line:]
		if j.form == formQuoted || !value.IsQuote(value.ByteAt(text, 0)) || j.notation.opens != text[0] {
			return false
		}
		next := value.SkipBlank(text, 1)
		pair := value.HasPrefixAt(text, next, "=>") || value.HasPrefixAt(text, next, ": ")
		return pair && !value.Ends(bytes.TrimRight(own[:max(0, len(own)-1)], " "), "?")
	}},
	{"leads to what follows", func(j *judgement) bool { return value.Ends(j.value, ":") && j.form != formScheme && !j.byLot }},
	{"is a sentence", func(j *judgement) bool {
		return j.kind == kindSentence && (value.Wordy(j.value)*3 > len(j.value) || value.HasOrdinary(j.value))
	}},
	{"is what was tested", func(j *judgement) bool {
		return j.place.tested
	}},
	{"is a word of a sentence", func(j *judgement) bool { return levelOf[j.kind] <= levelOwn && !j.byLot && j.goesOn() }},
	{"asks to be changed", func(j *judgement) bool {
		var buf [32]byte
		v := bytes.TrimLeft(value.Lower(buf[:], j.value), "!#*_-")
		if j.byLot || value.Drawn(j.value) {
			return false
		}
		if value.Begins(v, "changethis", "changeme", "change_", "change-", "replaceme", "replacethis", "replace_", "replace-") {
			return true // !ChangeThisSecretKey!
		}
		return j.kind >= kindSetWord && j.kind <= kindWordDigits && value.Begins(v, "change", "replace", "fill", "your", "insert", "placeholder", "put", "enter", "todo", "fixme", "tbd")
	}},
	{"is printed in a manual", func(j *judgement) bool { return value.SampleValues().Holds(j.value) }},
	{"is what a command prints", func(j *judgement) bool {
		quoted := j.notation.opens == '`' && j.form != formSetOff && j.form != formTold
		span := j.style == value.AsProse && j.shape.Space == 0 && levelOf[j.kind] >= levelMixed // password: `value`
		return quoted && !span && !j.byLot && (j.style != value.AsCode || j.place.printed)
	}},
	{"is a fingerprint", func(j *judgement) bool {
		return j.Noun != value.PassNoun && fingerprint(j.value)
	}},
	{"is the name of an algorithm", func(j *judgement) bool { // ECDSAWithSHA256
		return j.Noun != value.PassNoun && len(j.value) <= 40 && value.HasFold(j.value, "sha1", "sha2", "sha3", "sha5", "md5") && value.Only(j.value, value.WordSigns+"-/") && !value.Drawn(j.value)
	}},
	{"is one of many hashes", func(j *judgement) bool { return len(j.value) >= 8 && value.AllHex(j.value) && j.oneOfMany() }},
	{"is a public key, or a hash of one", func(j *judgement) bool {
		point := len(j.value) == 66 && j.value[0] == '0' && j.value[1]|1 == '3' && value.AllHex(j.value)
		if point && j.Noun == value.WeakNoun && !value.HasFold(j.name, "priv") {
			return true // of a curve, compressed
		}
		return j.kind == kindPublic || value.IsPin(j.name) && len(j.value) > 40 && isDigest(j.value)
	}},
	{"is a user without a password", func(j *judgement) bool { return value.Ends(j.plain(), ":") }},
	{"is the hash of a password, in code", func(j *judgement) bool { return j.kind == kindHash && j.style == value.AsCode }},
	{"is words in base64", func(j *judgement) bool {
		d := j.plain()
		if value.Tells(d) {
			return true
		}
		d = bytes.TrimSpace(d)
		if j.Noun != value.PassNoun && bytes.Count(d, []byte(" ")) > 1 && value.Only(d, value.LetterSigns+" ,.!?") {
			return true // a sentence
		}
		if value.Begins(d, "-----BEGIN ") && (len(d) < 40 || value.Holds(d[:40], "CERTIFICATE", "PUBLIC")) {
			return true
		}
		if value.Begins(d, "{\"") && value.Ends(d, "}") {
			return len(d) <= 64 && !value.HasFold(d, "pass", "secret", "key", "token")
		}
		return len(d) >= 6 && bytes.IndexByte(d, ':') < 0 && (value.StandIn(d) || value.NameLike(d) && !value.MadeUp(d))
	}},
	{"is handed to browsers", func(j *judgement) bool {
		return len(j.value) == 35 && value.Begins(j.value, "pub") && value.AllHex(j.value[3:])
	}},
	{"is sealed for another", func(j *judgement) bool {
		if value.Begins(j.value, "encrypted-") || value.IsDigit(j.value[0]) && bytes.Count(j.value, []byte("=|")) > 0 && value.ByteAt(j.value, 1) == '.' {
			return true // by the program, which keeps it so
		}
		if value.Begins(j.text, "{AQAA") && value.Ends(j.text, "}") {
			return true // by Jenkins
		}
		return len(j.value) > 150 && j.value[0] == 'A' && (j.value[1] == 'g' || value.Begins(j.value, "AQICAH"))
	}},
	{"is the id of a key of GnuPG's", func(j *judgement) bool {
		gpg := strings.HasSuffix(j.place.path, "gitconfig") || value.HasFold(j.name, "gpg", "pgp", "user.signingkey") || value.HasFold(j.near.told(100), "gpg") || value.Ends(j.name, "-keys") || value.Ends(j.name, "signingkey") && j.shape.Lower == 0
		return gpg && (len(j.value) == 16 || len(j.value) == 40) && value.AllHex(j.value)
	}},
}

// excepted returns why the candidate is none, or "".
func (j *judgement) excepted() string {
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
		if i < 0 && n > 1 && value.AllDigits(bytes.TrimLeft(part, "!")) {
			return true // e.first=e.second=0
		}
		if len(part) == 0 || value.IsDigit(part[0]) || value.Drawn(part) {
			return false
		}
		for _, b := range part {
			if !value.IsWord(b) && b != '$' || value.IsDigit(b) && len(part) > 3 {
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
	if value.Begins(v, "0b") {
		return len(v) > 3 && value.Only(v[2:], "01_")
	}
	rest := bytes.TrimLeft(v, value.DigitSigns+"_")
	return len(rest) > 1 && len(rest) < 6 && strings.IndexByte("uif", rest[0]) >= 0 && (value.AllDigits(rest[1:]) || string(rest[1:]) == "size")
}

// fingerprint reports whether v ends with eight bytes or more in hex, one sign between each, ba:d8:85:…, or as SSH's do: SHA256:…
func fingerprint(v []byte) bool {
	if i := bytes.Index(v, []byte("SHA256:")); i >= 0 && len(bytes.TrimRight(v[i:], "=")) == len("SHA256:")+43 {
		return true
	}
	n := 0
	for i := len(v); i >= 2 && value.IsHex(v[i-1]) && value.IsHex(v[i-2]); i -= 3 {
		if n++; i < 3 || v[i-3] != ':' && v[i-3] != '_' {
			break
		}
	}
	return n >= 8
}

// typeLike reports whether v is what a program calls a type or a part of one: OAuth2TokenCustomizer<JWTEncodingContext>.
func typeLike(v []byte, s *value.Shape) bool {
	return s.Digit*8 < s.Length && s.Upper > 1 && s.Lower > 3 && value.IsLetter(v[0]) && value.Only(v, value.WordSigns+".<>:#()[],$") && value.Wordy(v)*10 >= (s.Lower+s.Upper)*6 && value.HasOrdinary(v) && !value.Drawn(v)
}

// partsOfURL reports whether v is a few letters at a time between what parts a URL, as in a test of who reads one: p@ss/w?#.
func partsOfURL(v []byte) bool {
	signs, run := 0, 0
	for _, b := range v {
		switch {
		case value.IsLetter(b):
			if run++; run > 4 {
				return false
			}
		case value.IsDigit(b):
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
func (j *judgement) isMint() bool {
	const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	if n := len(j.value); j.Noun == value.PassNoun || n < 43 || n > 44 || !value.Only(j.value, base58) || value.HasFold(j.name, "secret", "priv", "seed", "api", "auth") {
		return false
	}
	words := [...]string{"mint", "solana", "publickey", "pubkey", "spl", "lamport", "decimals", "symbol"}
	return value.HasFold(j.near.before, words[:]...) || value.HasFold(j.near.behind, words[:]...) || some(strings.Contains, j.place.path, words[:]...)
}

// isDigest reports whether v is what a hash function makes of a file, in hex or base64, perhaps behind the function's name.
func isDigest(v []byte) bool {
	if i := bytes.IndexAny(v, "-:"); i > 0 && i < 8 {
		v = v[i+1:]
	}
	switch n := len(v); {
	case value.IsHash(v):
		return true
	case n == 24 || n == 28 || n == 44 || n == 88:
		return value.Only(v, value.Base64Signs+"=") && v[n-1] == '='
	}
	return false
}

// sets returns the parts of a value that gives another name one; no name if it does not.
func (j *judgement) sets() (name, v []byte) {
	if i := bytes.IndexByte(bytes.TrimRight(j.value, "="), '='); i > 0 {
		return j.value[:i], j.value[i+1:]
	}
	return nil, nil
}

// plain is what the value is in base64; nil if that is no text.
func (j *judgement) plain() []byte { return value.DecodedIn(j.buf, j.value) }

// goesOn reports whether a word follows, or a text that the value is handed, and no quote ends the value; in NAME=value command it is
// another's.
func (j *judgement) goesOn() bool {
	text := j.near.behind
	next := value.SkipBlank(text, 0)
	return j.bare && j.form != formGiven && next > 0 && next < len(text) && (value.IsLetter(text[next]) || value.IsQuote(text[next])) &&
		(j.notation.colon || j.form != formBare || !envName(j.name))
}

// sameLetters reports whether the letters of one of the two, eight and more, stand at the end of those of the other.
func sameLetters(a, b []byte) bool {
	i, j, n := len(a), len(b), 0
	for {
		i, j = value.BackTo(a, i, i, value.LetterSigns), value.BackTo(b, j, j, value.LetterSigns)
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

// classWords are what stands before the name of a type that extends another one.
var classWords = language.WordSet("class interface object struct enum trait")

// leastLotOfWords is from how many letters without a blank a text of a translation is no word: few words of any language have as many.
const leastLotOfWords = 20

// isNumberedName reports whether v is a name of at least three words that begin with capitals, with one number of at most four digits behind the first: what
// standards and their errors are called.
func isNumberedName(v []byte) bool {
	at := bytes.IndexAny(v, value.DigitSigns)
	if at < 2 || !value.Only(v[:at], value.LetterSigns) {
		return false
	}
	rest := bytes.TrimLeft(v[at:], value.DigitSigns)
	if n := len(v) - at - len(rest); n > 4 || !value.Only(rest, value.LetterSigns) {
		return false
	}
	capitals := 0
	for i, c := range rest {
		if value.IsUpper(c) && i+1 < len(rest) && !value.IsUpper(rest[i+1]) {
			capitals++
		}
	}
	return capitals >= 2 && value.IsUpper(rest[0]) && value.Wordy(rest)*10 >= len(rest)*6
}

// isBoardPin reports whether v is what a contact of a board is called: GPIO23, GPIO%u, PA5, D7.
func isBoardPin(v []byte) bool {
	rest := bytes.TrimLeft(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if n := len(v) - len(rest); n == 0 || n > 4 || len(rest) == 0 || len(rest) > 3 {
		return false
	}
	return value.Only(rest, value.DigitSigns) || rest[0] == '%' && value.Only(rest[1:], value.LetterSigns)
}

// isSettingName reports whether v is what a setting is called that holds a credential: three words or more in capitals, of which the last says so.
func isSettingName(v []byte) bool {
	if bytes.Count(v, []byte("_")) < 2 || !value.Only(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") {
		return false
	}
	return value.Ends(v, "_KEY") || value.Ends(v, "_TOKEN") || value.Ends(v, "_SECRET") || value.Ends(v, "_PASSWORD")
}
