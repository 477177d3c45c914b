package value

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// This file judges names: does what is called this hold a secret?

// Noun is what a name says its value is.
type Noun uint8

const (
	NoNoun    Noun = iota // nothing of a secret
	WeakNoun              // key, auth, session: often no secret
	TokenNoun             // token, api key, secret
	PassNoun              // password
	Mnemonic              // words in a row
)

// Naming is what a name tells of its value.
type Naming struct {
	Noun          Noun // the kind of secret, NoNoun if it tells of none
	Not           bool // the name says that its value is no secret
	Strict        bool // something follows the noun that may make it another thing
	Authorization bool // the value starts with the name of a scheme
	Lot           bool // only what was drawn by lot is one: other codes are words, and shorter
}

// nouns are the words that say what a value is, with those for a password in other languages.
var nouns = withTerms(WordMap(map[Noun]string{
	PassNoun: `
	password passwords passwd passphrase passcode pwd psw pass pw passwort kennwort senha contrasena contraseña motdepasse mdp wachtwoord
	haslo lozinka salasana adgangskode bindpw rootpw masterauth psk presharedkey passkey pin authtok pswd cred passe heslo jelszo sifre
	parola losenord passord hasło jelszó şifre lösenord пароль Пароль ПАРОЛЬ пароля 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 סיסמה
	`,
	TokenNoun: `
	secret secrets token tokens apikey apikeys secretkey accesskey authkey privatekey credential credentials creds bearer jwt authorization
	signingkey encryptionkey masterkey licensekey accountkey sharedkey appkey secretid pepper peppers wif
	`,
	WeakNoun: `
	pat key keys auth access session sessionid phpsessid sid cookie cookies salt api dsn webhook otp totp
	`,
	Mnemonic: "mnemonic seedphrase seed",
}))

// keyOf are the words before "key" that make it a secret one.
var keyOf = WordSet(`
	api secret access private auth signing sign signature encryption encrypt encrypted decryption decrypt master account storage service app
	application client consumer shared session cookie license licence admin root server deploy fernet jwt hmac aes crypt crypto cipher
	function integration routing webhook subscription bot token security authentication data write record decryptor wallet signer deployer
	validator stripe openai anthropic sendgrid mailgun twilio datadog dd algolia maps google gcp aws azure cosmos tls ssl ssh gpg pgp rsa ec
	host ingest ingestion register registration rails preshared pre hf cohere gemini groq mistral pinecone newrelic relic sentry rollbar bugsnag honeycomb segment
	pagerduty opsgenie cloudflare linode vultr heroku snyk sonar kaggle wandb comet huggingface
`)

// codeOf are the words before "code" that make it one that lets its owner in.
var codeOf = WordSet("invite invitation recovery backup activation redeem redemption registration unlock license licence scratch emergency rescue sponsor")

// phraseOf are the words before "phrase" or "words" that make these the ones a wallet is made anew from.
var phraseOf = WordSet("recovery backup wallet mnemonic secret seed restore")

// CodeNames are the names of such codes and phrases, as a text of a program or of people's writes them.
func CodeNames() (list []string) {
	for _, w := range slices.Sorted(maps.Keys(codeOf)) {
		list = append(list, spelled(w, "code")...)
	}
	for _, w := range slices.Sorted(maps.Keys(phraseOf)) {
		list = append(list, spelled(w, "phrase")...)
		list = append(list, spelled(w, "words")...)
	}
	return list
}

// spelled returns two words as one name, in the ways that names are written.
func spelled(first, second string) (list []string) {
	for _, sign := range [...]string{"", "_", "-", " "} {
		list = append(list, first+sign+second)
	}
	return list
}

// keyNot are the words before "key" or "token" that make it no secret.
var keyNot = WordSet(`
	public pub publishable sealed sender progress project cache foreign sort partition row object group map dict hash index idempotency idempotent dedup dedupe site
	sitekey hot natural shard lookup translation i18n locale message msg label lang config setting settings env property field column query
	sync cancellation cancel csrf xsrf authenticity csrfmiddleware next page continuation pagination cursor eos bos pad unk socket cls sep mask special stop max min num
	total count prompt completion input output usage by react json yaml node tree file path s3 blob asset chunk image event metric tag
	resource unique composite candidate super surrogate range sorting has is no without missing invalid expired valid verify verification
	known trusted trust certificate cert ca registry arrow shortcut hotkey keyboard modifier shift ctrl alt enter escape esc tab press ascii
	color design theme syntax lexer parser ast parse comment js left right current previous prev peek type string number identifier operator
	keyword websocket punctuation newline whitespace eof end start first last
`)

// sessionOf are the words before "sid" that make it the id of a session.
var sessionOf = WordSet("connect session sess php express http auth cookie web login user")

// NotAfter are the words after a noun that make it no secret.
var NotAfter = WordSet(`
	pub public name names id ids uuid guid file files filename path paths dir directory folder url urls uri endpoint host hostname port
	address type types kind length len size bits count counts min max limit limits ttl age expiry expires expire expiration expired lifetime
	duration timeout interval policy policies field fields label labels hint placeholder message messages msg error errors err prompt title
	text desc description help regex regexp pattern format encoding algorithm algorithms alg algo cipher version versions ref refs reference
	selector arn class classes provider providers store manager service handler factory mode enabled enable disabled disable required
	optional rule rules strength score reset change changed updated created at mtime ctime date time timestamp column columns header headers
	param params parameter prefix suffix index idx env var variable mount mapping schema scheme method methods issuer audience scope scopes
	realm status state usage usages budget cost price per rate page form input inputs button link icon image component view controller
	template module package plugin hash hashes hashed digest checksum sha sha1 sha256 md md5 fingerprint thumbprint verification verifier
	validator validation location source src target dest owner user username login email role group groups domain region zone namespace
	annotation command cmd script helper process func function callback cb fn resolver getter generator builder parser stream list map set
	data array json config settings options opts props spec info meta metadata properties property attribute attributes alias board frame ring
	word words down up vault tab management rotation rotate revision rev commit ready valid invalid only flag flow grant exchange request
	response server issue bucket limiter lists ed ing izer kid usecase test tests mock sample example demo language locale theme color style
	width height position weight order level levels available supported allowed denied within during until after before always forgot
	forgotten recovery less free based storetype keeper checker check expiring by for from to of in is or and not with challenge resource
	sharing counter last family ase object instance entry node nodes kinds event events trigger hook protection review account tree cache
	row space separator delimiter maker symbol contract decimals supply balance amount transfer uris slot pos kindof offset range lower
	upper ips cidr cidrs sub jti iat nbf
`)

// fineAfter are the words after a noun that leave it what it is.
var fineAfter = WordSet(`
	base64 b64 base hex raw plain plaintext value val string str prod production staging stage dev live qa uat default old new primary
	secondary backup main master root admin ro rw read write current previous confirm confirmation again key keys token secret password data
	pem content contents const internal external pair material bytes salt phrase local ci github gitlab npm pypi slack db database postgres
	mysql redis aws us eu api auth
`)

// MaxName is how many bytes of a name are read on either side of a place in it.
const MaxName = 96

// NameAround widens [start, end) of a text to the whole name, at most maxName bytes on either side.
func NameAround(text []byte, start, end int) (lo, hi int) {
	lo, hi = start, end
	for least := max(0, start-MaxName); lo > least && IsIdent(text[lo-1]) && (text[lo-1] < 0x80 || !endsWideBlank(text[:lo])); {
		lo--
	}
	// An escape is another character: \u0026page_token=, as JSON writes &.
	if lo > 0 && text[lo-1] == '\\' && lo+5 <= start && text[lo] == 'u' && AllHex(text[lo+1:lo+5]) {
		lo += 5
	}
	if lo > 0 && text[lo-1] == '%' {
		for more := true; more && lo+2 <= start && AllHex(text[lo:lo+2]); lo += 2 {
			more = HasPrefixAt(text, lo, "25") // so is %3F, and %253F
		}
	}
	for most := min(len(text), end+MaxName); hi < most && IsIdent(text[hi]) && (text[hi] < 0x80 || WideSign(text, hi) == 0 && WideBlank(text, hi) == 0); {
		hi++
	}
	return lo, hi
}

// WideSign returns the length of the colon or equal sign of full width at at; 0 if there is none.
func WideSign(text []byte, at int) int {
	if text[at] == 0xEF && at+2 < len(text) && text[at+1] == 0xBC && (text[at+2] == 0x9A || text[at+2] == 0x9D) {
		return 3
	}
	return 0
}

// WideBlank returns the length of the blank at at that is none of ASCII's, as French has it before a colon and pages between words, or of a
// mark of direction; 0 if there is none.
func WideBlank(text []byte, at int) int {
	switch b, next := text[at], ByteAt(text, at+1); {
	case b == 0xC2 && next == 0xA0:
		return 2
	case b == 0xE2 && next == 0x80 && strings.IndexByte("\x89\x8E\x8F\xAF", ByteAt(text, at+2)) >= 0, b == 0xE3 && next == 0x80 && ByteAt(text, at+2) == 0x80:
		return 3
	}
	return 0
}

// endsWideBlank reports whether text ends with such a blank.
func endsWideBlank(text []byte) bool { return BackOverWideBlank(text, len(text)) < len(text) }

// BackOverWideBlank returns where the blank begins that is none of ASCII's and ends at at; at itself where none does.
func BackOverWideBlank(text []byte, at int) int {
	for n := 2; n <= 3 && n <= at; n++ {
		if WideBlank(text, at-n) == n {
			return at - n
		}
	}
	return at
}

// PastBlanks returns where the first byte stands from at on that is no blank, of ASCII's or another.
func PastBlanks(text []byte, at int) int {
	for at = SkipBlank(text, at); at < len(text) && text[at] >= 0x80; at = SkipBlank(text, at) {
		n := WideBlank(text, at)
		if n == 0 {
			break
		}
		at += n
	}
	return at
}

// Classify reads a name word by word: snake, kebab, camel and dotted names alike.
func Classify(name []byte) Naming {
	var p nameParts
	p.split(name)
	k, at := p.noun()
	if at >= 0 {
		p.readBefore(at, &k)
		p.readAfter(at, &k)
	}
	return k
}

// nameParts are the words of a name, in lower case.
type nameParts struct {
	text   [2 * MaxName]byte
	bounds [40]int // the word i stands between bounds i and i+1 of text
	n      int
}

func (p *nameParts) split(name []byte) {
	n := 0
	for i, b := range name[:min(len(name), len(p.text))] {
		if b == '_' || b == '-' || b == '.' || b == '$' || b == ' ' {
			p.cut(n)
			continue
		}
		if IsUpper(b) {
			if i > 0 && beginsWord(name, i) {
				p.cut(n)
			}
			b |= 0x20
		}
		p.text[n] = b
		n++
	}
	p.cut(n)
}

// cut ends a word at at.
func (p *nameParts) cut(at int) {
	if at > p.bounds[p.n] && p.n < len(p.bounds)-1 {
		p.n++
		p.bounds[p.n] = at
	}
}

func (p *nameParts) word(i int) []byte { return p.text[p.bounds[i]:p.bounds[i+1]] }

// beginsWord reports whether the capital at at begins a word: where case rises, and before the last capital of a run of them:
// APIKey, DBPassword.
func beginsWord(name []byte, at int) bool {
	before, small := name[at-1], at+1 < len(name) && !IsUpper(name[at+1])
	switch {
	case IsUpper(before):
		return small && IsLetter(name[at+1])
	case IsDigit(before):
		return small
	}
	return IsLetter(before)
}

// noun finds the last noun of a name, and where it stands; -1 if there is none.
func (p *nameParts) noun() (k Naming, at int) {
	at = -1
	for i := p.n - 1; i >= 0; i-- {
		w := TrimDigits(p.word(i))
		n := nounOf(w)
		if k.Lot = at < 0 && i > 0 && n == NoNoun && (string(w) == "code" || string(w) == "codes") && codeOf[string(p.word(i-1))]; k.Lot {
			return Naming{Noun: TokenNoun, Lot: true}, i
		}
		if at < 0 && i > 0 && n == NoNoun && (string(w) == "phrase" || string(w) == "words") && phraseOf[string(p.word(i-1))] {
			return Naming{Noun: Mnemonic}, i
		}
		switch {
		case n == NoNoun:
			continue
		case at < 0:
			at, k.Noun = i, n
			k.Authorization = string(w) == "authorization" || string(w) == "auth"
			if n == WeakNoun {
				continue
			}
		case n > k.Noun && i == at-1:
			// A stronger noun before a weak one: secret_access_key, password_key.
			k.Noun = n
		}
		break
	}
	return k, at
}

// readBefore takes what the words before the noun at at tell.
func (p *nameParts) readBefore(at int, k *Naming) {
	if at == 0 {
		return
	}
	noun, before := p.word(at), p.word(at-1)
	switch w := TrimDigits(bytes.TrimSuffix(noun, []byte("s"))); {
	case string(w) == "key" && keyOf[string(before)]:
		k.Noun = max(k.Noun, TokenNoun)
	case string(w) == "key", Ends(w, "token"):
		k.Not = keyNot[string(before)] && !(string(noun) == "token" && string(before) == "registry") // a registry's keys are Windows' settings
	case string(noun) == "salt" && (string(before) == "signing" || string(before) == "encryption"): // what signs is made of it
		k.Noun = TokenNoun
	case string(noun) == "sid":
		k.Not = at == p.n-1 && !sessionOf[string(before)] // the id of a message, an account
	}
	for i := range at {
		switch string(p.word(i)) {
		case "public", "publishable", "pubkey", "csrf", "xsrf", "fingerprint", "checksum", "hashed":
			k.Not = true
		case "hash", "digest", "length", "size", "number":
			k.Not = k.Not || i+1 < at && string(p.word(i+1)) == "of" // sha3_256_hash_of_signing_key
		case "fastcgi", "uwsgi", "scgi", "grpc", "memcached":
			if string(noun) == "pass" {
				k.Not = true // where nginx passes a request on
			}
		case "cookie", "session", "securecookie":
			if string(before) == "hash" { // securecookie's hash key signs
				k.Not, k.Noun = false, max(k.Noun, TokenNoun)
			}
		}
	}
}

// readAfter takes what the words after the noun at at tell.
func (p *nameParts) readAfter(at int, k *Naming) {
	for i := at + 1; i < p.n; i++ {
		switch w := TrimDigits(p.word(i)); {
		case len(w) == 0, fineAfter[string(w)], string(w) == "v":
		case NotAfter[string(w)]:
			k.Not = true
		default:
			k.Strict = true
		}
	}
}

// nounOf returns the noun that w, in lower case, is, or ends with where words run together: dbpassword.
func nounOf(w []byte) Noun {
	if n, ok := nouns[string(w)]; ok {
		return n
	}
	switch {
	case Ends(w, "pass"):
		if len(w) < 6 || otherPasses[string(w)] {
			return NoNoun
		}
		return PassNoun
	case Ends(w, "password", "passwd", "passwort", "passphrase", "pwd"):
		return PassNoun
	case Ends(w, "secret", "token", "credentials", "apikey", "secretkey", "accesskey", "privatekey", "masterkey", "authkey", "seckey"):
		return TokenNoun
	case Ends(w, "sessionid"):
		return WeakNoun
	case Ends(w, "mnemonic"):
		return Mnemonic
	case abbreviated(w):
		return PassNoun
	}
	return NoNoun
}

// otherPasses are words that end like a password and are none.
var otherPasses = WordSet(`
	bypass compass encompass trespass surpass overpass underpass multipass onepass twopass singlepass renderpass shadowpass lowpass highpass
	bandpass allpass keepass lastpass
`)

// TrimDigits returns a word without the digits at its end.
func TrimDigits(w []byte) []byte {
	for len(w) > 0 && IsDigit(w[len(w)-1]) {
		w = w[:len(w)-1]
	}
	return w
}

// LastWord returns the last word of a name in snake or camel case, lower.
func LastWord(buf *[32]byte, name []byte) []byte {
	i := len(name)
	for i > 0 && IsLetter(name[i-1]) {
		i--
		if IsUpper(name[i]) && !(i > 0 && IsUpper(name[i-1])) {
			break
		}
	}
	return Lower(buf[:], name[i:])
}
