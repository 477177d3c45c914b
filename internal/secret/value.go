package secret

import (
	"bytes"
	"encoding/base64"
	"strings"
	"sync"
)

// This file judges values: does this text keep a secret, or stand for one?

// shape counts the kinds of bytes in a value.
type shape struct {
	n, lower, upper, digit int
	joint                  int // - _ . / : joins of words
	special                int // all other printable ASCII
	space, high            int
	turns                  int // changes between lower, upper and digit
	distinct               int
}

func shapeOf(v []byte) shape {
	s := shape{n: len(v)}
	var seen [4]uint64
	last := 0
	for _, b := range v {
		seen[b>>6] |= 1 << (b & 63)
		kind := 0
		switch {
		case b >= 'a' && b <= 'z':
			s.lower++
			kind = 1
		case b >= 'A' && b <= 'Z':
			s.upper++
			kind = 2
		case b >= '0' && b <= '9':
			s.digit++
			kind = 3
		case b == '-' || b == '_' || b == '.' || b == '/' || b == ':':
			s.joint++
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			s.space++
		case b >= 0x80:
			s.high++
		default:
			s.special++
		}
		if kind != 0 && last != 0 && kind != last {
			s.turns++
		}
		last = kind
	}
	for _, w := range seen {
		for ; w != 0; w &= w - 1 {
			s.distinct++
		}
	}
	return s
}

// letterPairs are the pairs of letters usual in the words that programs are
// written with: of each letter, those that may follow.
var letterPairs = func() (t [26]uint32) {
	for i, s := range [26]string{
		"abcdefgiklmnprstuvy", "abcdeilorsuy", "abcdefghiklmoprstuy", "abcdefilmorsuv", "abcdefgilmnopqrstuvwxy",
		"acdefilorstuy", "aceghilnorsu", "aeimortu", "abcdefglmnoprstvxz", "e", "eisu", "acdefilopstuvy", "abeilmopsuy",
		"abcdefgiklmnoprstuv", "abcdefgiklmnoprstuvwx", "acdehiloprstu", "u", "abcdefgiklmnoprstuvy",
		"aceghiklmnoprstuvwy", "acdefhilmoprstuwy", "abcdefgilmnoprst", "aeio", "aehinors", "acefipt", "cimnpst", "aez",
	} {
		for _, c := range s {
			t[i] |= 1 << (c - 'a')
		}
	}
	return t
}()

// wordy returns how many bytes of v lie in what reads like words of four
// letters or more.
func wordy(v []byte) int {
	n := 0
	for i := 0; i < len(v); {
		if !isLetter(v[i]) {
			i++
			continue
		}
		j, usual := i+1, 0
		for j < len(v) && isLetter(v[j]) && !(isUpper(v[j]) && !isUpper(v[j-1])) {
			if letterPairs[(v[j-1]|0x20)-'a']&(1<<((v[j]|0x20)-'a')) != 0 {
				usual++
			}
			j++
		}
		if j-i >= 4 && usual*20 >= (j-i-1)*17 {
			n += j - i
		}
		i = j
	}
	return n
}

func isLetter(b byte) bool { b |= 0x20; return b >= 'a' && b <= 'z' }
func isUpper(b byte) bool  { return b >= 'A' && b <= 'Z' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
func isHex(b byte) bool    { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// random reports whether v looks drawn by lot from an alphabet of letters and
// digits, rather than named by someone. It asks for twelve bytes.
func random(v []byte) bool {
	v = bytes.TrimRight(v, "=")
	if len(v) > 512 {
		v = v[:512]
	}
	s := shapeOf(v)
	if s.n < 12 || s.space > 0 || s.high > 0 || s.distinct < 7 && s.n < 30 || s.distinct < 6 {
		return false
	}
	letters := s.lower + s.upper
	if letters == 0 {
		return false
	}
	w := wordy(v)
	if s.digit == 0 {
		// Letters alone: case that turns where no word would, or no words at all.
		return s.n >= 16 && w*3 < s.n && (s.turns*4 >= s.n || w == 0)
	}
	if s.digit*100 < s.n*4 && s.turns*100 < s.n*28 {
		return false
	}
	return w*100 < s.n*45 && s.turns*100 >= s.n*12
}

func allHex(v []byte) bool {
	for _, b := range v {
		if !isHex(b) {
			return false
		}
	}
	return len(v) > 0
}

func allDigitsOrHex(v []byte) bool { return allHex(v) && shapeOf(v).distinct >= 6 }

// isHash reports whether v has the form of a digest or an object id.
func isHash(v []byte) bool {
	switch len(v) {
	case 32, 40, 56, 64, 96, 128:
		return allHex(v)
	}
	return false
}

// isUUID reports whether v is 8-4-4-4-12 hex digits.
func isUUID(v []byte) bool {
	if len(v) != 36 {
		return false
	}
	for i, b := range v {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if b != '-' {
				return false
			}
		} else if !isHex(b) {
			return false
		}
	}
	return true
}

// standIns are texts that no secret holds but by design, in lower case. Short
// ones would turn up in random text.
var standIns = [...]string{
	"example", "changeme", "change-me", "change_me", "changeit", "placeholder", "xxxx", "****", "....", "dummy",
	"redacted", "your-", "your_", "your ", "yourpass", "yoursecret", "yourtoken", "yourkey", "yourapi", "insert-", "insert_",
	"replace", "foobar", "notreal", "not-real", "not_real", "fake-", "fake_", "fakekey", "faketoken", "fakesecret", "todo-", "todo_", "fixme",
	"sample-", "sample_", "mysecret", "my-secret", "my_secret", "mypassword", "my-password", "my_password",
	"my-token", "my_token", "mytoken", "my-api", "my_api", "myapikey", "test-", "test_", "testtoken", "testsecret", "testkey", "-here", "_here", "goes-here", "goeshere",
	"put-", "put_", "enter-", "enter_", "secret-key", "secret_key", "supersecret", "super-secret", "super_secret", "topsecret", "top-secret",
	"notasecret", "not-a-", "not_a_", "1234567", "abcdefg", "qwerty", "deadbeef", "cafebabe", "deadc0de", "thisisa", "this-is-a", "this_is_a", "default-", "default_", "-goes-", "fill-in", "\u2026", "\u2039", "lorem", "ipsum",
	"sanitized", "masked", "hidden", "unused", "some-", "some_", "correcthorse", "correct horse", "correct-horse",
}

// weakWords are values, or values less their digits and signs, that are set
// where no secret is meant.
var weakWords = map[string]bool{
	"": true, "password": true, "passwd": true, "passwort": true, "pass": true, "pwd": true, "pw": true, "secret": true, "token": true, "admin": true, "administrator": true,
	"root": true, "user": true, "username": true, "guest": true, "test": true, "testing": true, "tests": true, "none": true, "null": true, "nil": true, "true": true, "false": true,
	"default": true, "string": true, "undefined": true, "postgres": true, "mysql": true, "mariadb": true, "mongo": true, "redis": true, "rabbitmq": true, "rabbit": true,
	"foo": true, "bar": true, "baz": true, "foobar": true, "abc": true, "abcd": true, "abcdef": true, "xyz": true, "demo": true, "key": true, "value": true, "val": true, "empty": true, "required": true,
	"optional": true, "hello": true, "world": true, "helloworld": true, "letmein": true, "me": true, "my": true, "mypass": true, "testpass": true, "testpassword": true,
	"testuser": true, "apikey": true, "fake": true, "mock": true, "stub": true, "sample": true, "temp": true, "tmp": true, "todo": true, "tbd": true, "na": true, "n/a": true, "docker": true,
	"sa": true, "dev": true, "development": true, "local": true, "localhost": true, "staging": true, "prod": true, "production": true, "oauth": true, "sha": true, "md": true, "utf": true, "base": true, "http": true,
	"https": true, "bcrypt": true, "scrypt": true, "argon": true, "argonid": true, "pbkdf": true, "hmac": true, "aes": true, "rsa": true, "hs": true, "rs": true, "es": true, "ed": true, "ps": true, "int": true, "uint": true, "float": true, "char": true, "varchar": true, "nvarchar": true, "x": true,
	"v": true, "px": true, "ms": true, "s": true, "d": true, "h": true, "m": true, "em": true, "rem": true, "kb": true, "mb": true, "gb": true, "mypassword": true, "mysecret": true, "userpass": true, "userpassword": true, "newpassword": true, "oldpassword": true,
	"newpass": true, "oldpass": true, "adminpass": true, "adminpassword": true, "rootpassword": true, "rootpass": true, "dbpassword": true, "dbpass": true, "passphrase": true, "credentials": true, "credential": true, "secretkey": true, "accesskey": true,
	"accesstoken": true, "authtoken": true, "bearertoken": true, "mytoken": true, "somepassword": true, "somesecret": true, "sometoken": true, "something": true, "whatever": true, "anything": true, "blah": true, "asdf": true, "qwerty": true, "keyid": true, "tokenid": true, "secretname": true, "id": true, "ids": true, "field": true, "param": true, "arg": true, "var": true, "env": true,
	"wrong": true, "wrongpassword": true, "wrongpass": true, "invalid": true, "incorrect": true, "badpassword": true, "badtoken": true, "bad": true, "aaa": true, "aaaa": true, "bbb": true, "ccc": true, "keychain": true, "vault": true, "kms": true, "env-var": true, "toor": true, "alice": true, "bob": true, "jwt": true, "hunter": true,
}

// standIn reports whether v stands where a secret will be.
func standIn(v []byte) bool {
	if len(v) > 512 {
		v = v[:512]
	}
	var buf [512]byte
	low := buf[:len(v)]
	for i, b := range v {
		if isUpper(b) {
			b |= 0x20
		}
		low[i] = b
	}
	if standInWords().holds(v) {
		return true
	}
	if bytes.HasPrefix(low, []byte("your")) || bytes.HasPrefix(low, []byte("insert")) {
		return true
	}
	if weakWords[string(low)] {
		return true
	}
	// Less digits and signs: admin123, test-1, P@ssw... keeps too little to be one.
	var bare [64]byte
	n := 0
	for _, b := range low {
		if b >= 'a' && b <= 'z' && n < len(bare) {
			bare[n] = b
			n++
		}
	}
	if n < len(bare) && n > 0 && weakWords[string(bare[:n])] {
		// A strong tail saves it: admin#8Kx!92 is one.
		return len(low)-n <= 4
	}
	return monotonous(v)
}

// monotonous reports whether v repeats or counts: aaaa, abababab, 12345678.
func monotonous(v []byte) bool {
	if len(v) < 4 {
		return true
	}
	steps, same, alike := 0, 0, 0
	for i := 1; i < len(v); i++ {
		switch d := int(v[i]) - int(v[i-1]); d {
		case 0:
			same++
		case 1, -1:
			steps++
		}
		if i >= 2 && v[i] == v[i-2] {
			alike++
		}
	}
	n := len(v) - 1
	return same*2 > n || steps*3 >= n*2 || alike*10 >= n*8
}

// samplesHold are words within values that have the right form and are none.
// Four letters turn up in a long random text once in a few million.
var samplesHold = []string{"example", "xxxxx", "placeholder", "changeme", "your", "redacted", "dummy", "123456789", "abcdefghij", "deadbeef", "-here", "_here", "...", "***", "fake", "${", "{{", "insert", "notreal", "notasecret", "replaceme", "00000000"}

// The words as automata: one pass over a value instead of one for each word.
var (
	standInWords = sync.OnceValue(func() *automaton { return newAutomaton(standIns[:]) })
	sampleWords  = sync.OnceValue(func() *automaton { return newAutomaton(append(lowered(samples), samplesHold...)) })
	sampleValues = sync.OnceValue(func() *automaton { return newAutomaton(lowered(samples)) })
)

func lowered(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.ToLower(s)
	}
	return out
}

// samples are values that manuals print.
var samples = []string{
	"16c7e42f292c6912e7", "dagmwka4jsxz", "ahdqtcvch1vgwjxfseof", "abc-def1234ghikl", "mtk4njiyndgznd", "ngevfqfyqlku0ufo", "aqodyxdz", "iynuhq8ov4hiax6", "17653672481-", "123e4567-e89b", "01234567-89ab", "9a08jv.c0iz", "783bde.3f89", "4twft5niznn84awoo1", "czzcagrsa3f0", // GitHub, Google, Telegram, Discord, SendGrid, AWS, Vault, Slack, UUID, kubeadm
	"AKIAIOSFODNN7", "wJalrXUtnFEMI", "SflKxwRJSMeKKF2QT4", "je7MtGbClwBF", // AWS, jwt.io
	"QWxhZGRpbjpvcGVu", "QWxhZGRpbjpPcGVu", "dXNlcm5hbWU6cGFzc3dvcmQ", "dXNlcjpwYXNz", "dGVzdDp0ZXN0", "YWRtaW46YWRtaW4", // RFC 7617 and kin
	"4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "TYooMQauvdEDq54NiTphI7jx", // Stripe
	"xoxb-not-a-real", "T00000000/B00000000", "mF_9.B5f-4.1JqM", "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l", "2YotnFZFEjr1zCsicMWpAA", "SlAV32hkKG", "tGzv3JOkF0XG5Qx2TlKWIA", // Slack, RFC 6750, jwt.io, RFC 6749
	"0123456789abcdef0123", "0123456789ABCDEF0123", "00112233445566778899", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq", // Azure storage emulator
	"C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw", // Cosmos emulator
	"AIzaSyabcdefghijklmnop", "Zm9vOmJhcg", "cGFzc3dvcmQ=", "YWxhZGRpbjpvcGVuc2VzYW1l",
}

// sample reports whether a value that has the form of a secret is known to be
// none: from a manual, or with a placeholder in it.
func sample(v []byte) bool {
	if len(v) > 4096 {
		v = v[:4096]
	}
	words := sampleWords()
	if len(v) > 64 {
		words = sampleValues() // a long random text may hold a short word
	}
	if words.holds(v) {
		return true
	}
	if len(v) > 512 {
		return false
	}
	run, repeated := 1, 1
	for i, b := range v {
		if i > 0 && b|0x20 == v[i-1]|0x20 {
			run++
			repeated = max(repeated, run)
		} else {
			run = 1
		}
	}
	return repeated >= 8 && repeated*3 >= len(v)
}

// lookUp reports whether v says where a secret is kept.
func lookUp(v []byte) bool {
	switch v[0] {
	case '$':
		if len(v) == 1 {
			return true
		}
		if i := bytes.IndexByte(v, '/'); i > 3 && identifierOnly(v[1:i]) && shapeOf(v[1:i]).lower == 0 {
			return true // $HOME/.token
		}
		if v[1] == '{' || v[1] == '(' || v[1] == '$' {
			return true
		}
		if i := bytes.IndexByte(v, ':'); i > 0 && identifierOnly(v[i+1:]) {
			switch string(bytes.ToLower(v[1:i])) {
			case "env", "script", "global", "local", "using", "private":
				return true // PowerShell's scopes
			}
		}
		return identifierOnly(v[1:])
	case '<', '[', '(', '{', '|':
		const pairs = "<>[](){}||"
		end := pairs[strings.IndexByte(pairs, v[0])+1]
		return v[len(v)-1] == end || len(v) > 1 && v[1] == v[0]
	case '%', '@':
		if len(v) > 2 && (v[len(v)-1] == v[0] && identifierOnly(v[1:len(v)-1]) || v[1] == '(' || v[1] == '{') {
			return true
		}
		if v[0] == '%' {
			break
		}
		return v[0] == '@' && (bytes.HasPrefix(v, []byte("@Microsoft")) || identifierOnly(v[1:]) && wordy(v)*2 > len(v))
	case '!', '&', '*', '#':
		if v[0] == '!' && len(v) > 3 && isDigit(v[len(v)-1]) && isDigit(v[len(v)-2]) {
			break // no tag of YAML's
		}
		return len(v) == 1 || v[1] == '{' || v[1] == '*' || isLetter(v[1]) && identifierOnly(v[1:]) && wordy(v)*2 > len(v)
	}
	if i := bytes.IndexByte(v, '='); i > 0 && i+2 < len(v) && v[i+1] == '$' && identifierOnly(v[:i]) && identifierOnly(v[i+2:]) {
		return true // key=$SERVER_KEY
	}
	if i := bytes.LastIndexByte(v, '$'); i > 0 && v[i-1] == '/' && i+2 < len(v) && identifierOnly(v[i+1:]) && shapeOf(v[i+1:]).lower == 0 {
		return true // kv/$NAME
	}
	for _, p := range [...]string{"${", "#{", "%{"} {
		if i := bytes.Index(v, []byte(p)); i >= 0 && i+2 < len(v) && (isLetter(v[i+2]) || v[i+2] == '{' || v[i+2] == '_') {
			return true
		}
	}
	if i := bytes.Index(v, []byte("$(")); i >= 0 && i+2 < len(v) && isLetter(v[i+2]) && v[len(v)-1] == ')' {
		return true
	}
	if len(v) < 40 {
		for _, p := range [...]string{"{{", "<%", "%s", "{}"} {
			if bytes.Contains(v, []byte(p)) {
				return true
			}
		}
	} else if bytes.Contains(v, []byte("{{")) && bytes.Contains(v, []byte("}}")) {
		return true
	}
	for _, p := range lookUps {
		if len(v) >= len(p) && bytes.EqualFold(v[:len(p)], []byte(p)) {
			return true
		}
	}
	return false
}

// lookUps are how values begin that name a place, an algorithm, a scheme or a
// digest, or that are already encrypted.
var lookUps = [...]string{
	"age1", "mfkwewyhkozizj0", "miibijanbgkqh", "miicijanbgkqh", "migfma0gcsqg", "mcowbqydk2v", "mhyweayhkozizj0", "pk_live_", "pk_test_", "pk.eyj", "phc_", "sb_publishable_", "process.env", "os.environ", "os.getenv", "getenv", "env.", "env[", "env(", "env:", "system.", "vault:", "vault.", "vault/", "secrets.", "secret/", "secret:", "var.", "vars.", "local.", "locals.", "module.", "data.",
	"config.", "settings.", "conf.", "cfg.", "options.", "opts.", "props.", "params.", "args.", "this.", "self.", "import.meta", "ctx.", "req.", "request.", "context.", "arn:", "ssm:", "ssm/", "op://", "keyvault", "file:", "file(", "ref+", "aws-ssm", "aws:ssm",
	"awssm", "gcp-sm", "sm://", "azurekv", "projects/", "enc[", "enc(", "$ansible_vault", "vault-encrypted", "sha256:", "sha512:", "sha1:", "sha1-", "sha256-", "sha384-", "sha512-", "md5:", "blake", "sealed:", "http://", "https://", "ftp://", "file://", "urn:", "uuid:", "./", "../", "~/", "/run/secrets", "/var/", "/etc/", "/usr/", "/opt/", "/home/", "/tmp/", "/secrets", "/mnt/", "/app/", "/root/", "c:\\", "c:/", "d:\\", "%env", "env ", "ssh-rsa ", "ssh-ed25519 ", "ecdsa-sha2", "-----begin cert", "-----begin pub",
	"text/", "application/", "image/", "data:image", "bearer $", "bearer {", "bearer <", "function", "async ", "await ", "new ", "return ", "lambda", "fn(", "()", "secretkeyref", "valuefrom", "fromenv", "!ref", "!sub", "!getatt", "!vault", "!secret", "!env", "!join", "!importvalue", "resolve:", "encrypted:", "kms:", "ciphertext", "hs256", "hs384", "hs512", "rs256", "rs384", "rs512", "es256", "ps256", "aes-", "aes1", "aes2", "aes_", "pbkdf2withhmac", "hmac-", "hmacsha", "sha-", "rsa-", "ecdh", "edd", "ed25519", "x25519", "secp256", "prime256", "token_", "api_key_", "gcm:", "s3://", "gs://", "oauth2_", "oauth2-", "oauth2.", "[redacted", "user.", "users.", "auth.", "account.", "form.", "input.", "state.", "errors.", "error.", "label.", "messages.", "msg.", "i18n.", "validation.", "login.",
}

func identifierOnly(v []byte) bool {
	for _, b := range v {
		if !isWord(b) && b != '.' && b != '-' {
			return false
		}
	}
	return true
}

// nameLike reports whether v is a name put together from words and numbers:
// db-password-2, user.token, MyService_v1.
func nameLike(v []byte) bool {
	parts, words, odd := 0, 0, 0
	for len(v) > 0 {
		i := 0
		for i < len(v) && v[i] != '-' && v[i] != '_' && v[i] != '.' && v[i] != '/' && v[i] != ':' {
			i++
		}
		p := v[:i]
		if i < len(v) {
			i++
		}
		v = v[i:]
		if len(p) == 0 {
			continue
		}
		parts++
		s := shapeOf(p)
		if s.special > 0 {
			return false
		}
		switch {
		case s.digit == 0 && (len(p) < 4 || wordy(p)*10 >= len(p)*7):
			words++
		case s.lower+s.upper == 0 && len(p) <= 8:
		case s.lower+s.upper <= 2 && len(p) <= 5: // v1, 10s
		case s.turns <= 1 && s.digit <= 3 && len(p) < 14: // node2, s3, x86
			words++
		default:
			odd++
		}
	}
	return parts > 1 && words > 0 && odd == 0
}

// phrase reports whether v is a password made of words and a number: two words
// to six, joined by signs, with two digits to four at the last word, or as a
// part of their own at either end, and at most a letter or a sign after them; or
// four words or more joined by hyphens, without a number. It has the form of a
// name, so it counts only where a password is sure to stand. One that names a
// secret, or that has only words that programs are named with, is none; what is
// more like a name must have no such word. Strictly, it has letters of both
// cases, or a letter or sign after the number.
func phrase(v []byte, strict bool) bool {
	if len(v) < 10 || len(v) > 48 {
		return false
	}
	body := v
	tail := false
	if b := v[len(v)-1]; (isLetter(b) || b == '!' || b == '$' || b == '#' || b == '?') && isDigit(v[len(v)-2]) {
		body, tail = v[:len(v)-1], true
	}
	letters := trimDigits(body)
	number := len(body) - len(letters)
	apart := false // the number is a part of its own
	switch {
	case number > 0:
		if n := len(letters); n > 0 && isPhraseJoint(letters[n-1]) {
			letters, apart = letters[:n-1], true
		}
	case isDigit(v[0]):
		for number < len(v) && isDigit(v[number]) {
			number++
		}
		if number == len(v) || !isPhraseJoint(v[number]) {
			return false
		}
		letters, apart = v[number+1:], true
	}
	if number == 1 || number > 4 {
		return false
	}
	words, own, hyphens := 0, 0, 0
	for len(letters) > 0 {
		i := 0
		for i < len(letters) && isLetter(letters[i]) {
			i++
		}
		if i < 3 || i < len(letters) && !isPhraseJoint(letters[i]) || i == len(letters)-1 {
			return false
		}
		if i < len(letters) && letters[i] == '-' {
			hyphens++
		}
		w := bytes.ToLower(letters[:i])
		if (nouns[string(w)] != noNoun || nounEnding(w) != noNoun) && !kitchenWords[string(w)] {
			return false
		}
		if kitchenWords[string(w)] || !weakWords[string(w)] && !keyOf[string(w)] && !keyNot[string(w)] && !notAfter[string(w)] && !fineAfter[string(w)] {
			own++
		} else if i == len(letters) && number > 0 && !apart && typeWords[string(w)] {
			return false // atomic.Int32, Encoding.Base64
		}
		words++
		letters = letters[min(len(letters), i+1):]
	}
	s := shapeOf(v)
	mixed := s.upper > 0 && s.lower > 0
	switch {
	case words < 2 || words > 6:
		return false
	case number == 0:
		return !strict && words >= 4 && own == words && hyphens == words-1
	case apart:
		return own == words && (mixed || tail || words >= 3 && !strict)
	}
	return own > 0 && (!strict || tail || mixed)
}

// madeUp reports whether v, which may have the form of a name, was made up as a
// password: its words are none that programs are named with and it has a digit,
// or case that no name would have; or it has such a word beside others, and
// three digits in a row. It counts only where a password is sure to stand.
func madeUp(v []byte) bool {
	if len(v) < 8 || len(v) > 64 {
		return false
	}
	var buf [32]byte
	own, ordinary, digits, run, parts, capitals, joints, signs := 0, 0, 0, 0, 0, 0, 0, 0
	for i := 0; i < len(v); {
		b := v[i]
		switch {
		case isLetter(b) || b >= 0x80:
			j := i + 1
			for j < len(v) && (isLetter(v[j]) && !(isUpper(v[j]) && !isUpper(v[j-1])) || v[j] >= 0x80) {
				j++
			}
			parts++
			if isUpper(b) || b >= 0x80 {
				capitals++
			}
			if j-i >= 3 {
				if ordinaryWord(lower(&buf, v[i:j])) {
					ordinary++
				} else {
					own += j - i
				}
			}
			i = j
		case isDigit(b):
			j := i
			for j < len(v) && isDigit(v[j]) {
				j++
			}
			digits += j - i
			run = max(run, j-i)
			i = j
		case b == '-' || b == '_' || b == '.':
			joints++
			i++
		case b > ' ' && b < 0x7F && b != '(' && b != '{' && b != '<' && b != '"' && b != '\\':
			signs++
			i++
		default:
			return false
		}
	}
	switch {
	case own < 5:
		return false
	case ordinary > 0:
		return run >= 3 && run <= 6 || digits > 0 && signs > 0
	case digits > 0:
		return true
	}
	// No digits: panda-anchor-orchid; Gipfel-kreuz, kiesGrube.west; not
	// Content-Type, org.acme.Thing.
	if capitals == 0 && parts >= 3 && joints == parts-1 && signs == 0 && ordinary == 0 && (bytes.Count(v, []byte("-")) == joints || parts >= 4 && bytes.Count(v, []byte("_")) == joints) {
		return own >= 14 && own+joints == len(v) && wordy(v)*10 >= own*2
	}
	return parts > 1 && joints > 0 && capitals > 0 && capitals < parts && signs == 0 && bytes.Count(v, []byte(".")) < 2
}

// ordinaryWord reports whether w, in lower case, is a word that programs, their
// parts and their labels are named with.
func ordinaryWord(w []byte) bool {
	if kitchenWords[string(w)] {
		return false
	}
	return nouns[string(w)] != noNoun || nounEnding(w) != noNoun || weakWords[string(w)] || keyOf[string(w)] || keyNot[string(w)] || notAfter[string(w)] || fineAfter[string(w)] || programWords[string(w)]
}

// lower returns w in lower case, in buf; of a longer w, what fits.
func lower(buf *[32]byte, w []byte) []byte {
	n := copy(buf[:], w)
	for i, b := range buf[:n] {
		if isUpper(b) {
			buf[i] = b | 0x20
		}
	}
	return buf[:n]
}

// kitchenWords are nouns of secrets that people make passwords of.
var kitchenWords = map[string]bool{"pepper": true, "salt": true, "cookie": true, "seed": true}

// programWords are those of them that the other tables do not hold.
var programWords = wordSet(`
	abstract action actions active actor adapter agent aggregate alert amqp analytics android angular apache app apps application applications archive arm array artifact
	artifacts assert async atomic attr audit autocomplete avatar aws axios azure backend banner bar bash batch bean binary bind binding block blur body bool boolean boot border box branch
	bridge broker browser buffer bugs build builds bundle byte call camel canvas card case catalog cell channel chart chat child chrome circle class clear cli click client clients clone cloud cluster
	code codec collection com combo command common company compare compile complete compose composer compress conf configuration connect connection connector console consumer contact container context control
	cookie copy core cors create creator cron cross css csv curl customer daemon dao dashboard data dataset date debug decode decoder decorator deep def delegate delete deploy deployment depth description desktop detail details
	dev device dialog diff directive disk dispatch display dist dns doc docker document documents dom dot download draft driver drop dto dummy dynamic edit editor elastic elasticsearch element
	embed emitter encode encoder encrypted engine ent entity entries enum error eth exception exec execute exist export extension extra factory failed failure fallback feature federation fetch fields filter find first firebase fixture flask flex flink
	font footer forbidden foreign forward framework front frontend gateway gcp gen generate generic get git github gitlab global gmail google grafana graph graphql grid grpc gui handle handlers has head header heading health
	helm hidden history home hooks hosts html http https icons identity ids iframe iface impl import incoming infra ingress init initial inject inline inner insert inspect install instance int integration interface internal invalid
	invite ios issue istio item items java javascript jenkins jetty job jobs join jpa jquery js json junit jvm kafka keycloak keystore kube kubernetes label laravel layer layout lazy ldap legacy level lib library line linux list listener load loader loading lock log logger logging
	logo logout look loop mail mailer main manage mapper mapped mapper markdown mask master match matcher material matrix max maven media member memory menu merge message meta metric metrics microsoft middleware migration min mini minio mixin mobile
	modal model models modern monitor mongo mongodb mount mouse multi mutable mutation native nav navbar nested net netty network next nginx node none normal notification npm null number oauth object objects observer office offset oidc old online
	open openid operation operator option oracle order orders org origin outer outgoing output overlay override own package pack pad page pages pair panel parallel parent parse partial password patch payload payment payments peer pending permission persist person phone php
	pipe pipeline placeholder plain platform player plugin pod point policy poll pool popup port portal post poster postfix posts power preview principal print priority privacy private process producer product production products profile profiles progress project projects prom prometheus promise prompt prop
	property protected protocol provider proxy public publish publisher pull push python query queue quick rabbit random raw reader readonly ready receive record redirect redux refresh regex region register registration registry release reload remember remote remove render renderer
	repeat replace replica reply repo report reports repository request reset resolve resource response rest restore result results retry return review revoke root route router routes row ruby rule run runner runtime sample sandbox save schedule scheduler schema scope scoped screen script scroll
	sdk search section secure security select selected send sender sentry sequence serial serialize server servers service services session setup shadow shape shared shell shop short show sidebar sign signal signin signup simple single site size slack slice slider slot smtp snapshot social socket sock
	sonar sort source space spark spec spinner split spring sql sqlite ssh ssl sso stack stage start state static stats step stop storage store stream strict string stripe strong struct style styles sub submit success suite super support switch symbol sync syntax system table tables tag
	target task tasks team template tenant terminal terraform text thread throttle throw thumbnail ticket tile timer title tls toggle tomcat tool toolbar tools tooltip top topic total trace track trait transaction transform transport traefik tree trigger trim true type ui unauthorized uninstall unique
	unit unknown unsafe unset unsigned update upgrade upload upper upsert use user users using util utilities utils valid validate values vendor verified verify version view viewer viewport virtual visible visual volume vue wait warn warning watch watcher web webapp webhook webpack website
	widget width win window windows with word wordpress work worker workers workflow workspace world wrapper write writer xml yaml yml your zero zip zone zookeeper
	bcrypt argon2 sha256 sha512 md5 passe contraseñas clave mot modifier nouveau neues altes bestätigung bestaetigung wiederholen vergessen confirma nueva nuevo actual olvidada olvido
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// secretPhrase reports whether v is a passphrase of three words or more and a
// number, none of them a word that programs are named with.
func secretPhrase(v []byte) bool {
	n := 0
	for _, b := range v {
		if isPhraseJoint(b) {
			n++
		}
	}
	return n >= 2 && shapeOf(v).digit >= 2 && phrase(v, false) && madeUp(v) && !hasOrdinary(v)
}

// hasOrdinary reports whether v, split at what is no letter, has an ordinary word.
func hasOrdinary(v []byte) bool {
	var buf [32]byte
	for len(v) > 0 {
		i := 0
		for i < len(v) && isLetter(v[i]) {
			i++
		}
		if i >= 3 && ordinaryWord(lower(&buf, v[:i])) {
			return true
		}
		v = v[min(len(v), i+1):]
	}
	return false
}

// publicPoint reports whether v is an uncompressed point of P-256 in base64, as
// public keys for pushing are handed out.
func publicPoint(v []byte) bool {
	v = bytes.TrimRight(v, "=")
	return len(v) == 87 && v[0] == 'B' && v[1] >= 'A' && v[1] <= 'P'
}

// keyBase64 reports whether v is 32 or 64 bytes in base64, as keys are handed out.
func keyBase64(v []byte) bool {
	if len(v) != 44 && len(v) != 88 || v[len(v)-1] != '=' {
		return false
	}
	var out [66]byte
	n, err := base64.StdEncoding.Decode(out[:], v)
	if err != nil || n != 32 && n != 64 {
		return false
	}
	return shapeOf(out[:n]).distinct >= n/2 && random(bytes.Map(func(r rune) rune {
		if r == '+' || r == '/' {
			return -1
		}
		return r
	}, v))
}

// typeWords are the words whose number is a part of them.
var typeWords = map[string]bool{"int": true, "uint": true, "float": true, "sha": true, "base": true, "utf": true, "aes": true, "hmac": true, "vec": true, "win": true, "linux": true, "arm": true, "amd": true}

func isPhraseJoint(b byte) bool { return b == '-' || b == '_' || b == '.' || b == '!' }

// fileName reports whether v ends like the name of a file or a host.
func fileName(v []byte) bool {
	i := bytes.LastIndexByte(v, '.')
	if i <= 0 || len(v)-i > 12 || len(v)-i < 3 {
		return false
	}
	return extensions[string(bytes.ToLower(v[i+1:]))]
}

var extensions = map[string]bool{
	"pem": true, "key": true, "crt": true, "cer": true, "p12": true, "pfx": true, "jks": true, "json": true, "yaml": true, "yml": true, "txt": true, "js": true, "ts": true, "tsx": true, "jsx": true, "go": true, "py": true, "rb": true,
	"java": true, "kt": true, "cs": true, "php": true, "html": true, "css": true, "scss": true, "svg": true, "png": true, "jpg": true, "gif": true, "md": true, "xml": true, "toml": true, "ini": true, "conf": true, "cfg": true, "env": true, "sh": true,
	"com": true, "org": true, "net": true, "io": true, "dev": true, "local": true, "internal": true, "svc": true, "lock": true, "gz": true, "zip": true, "tar": true, "tgz": true, "rs": true, "mjs": true, "cjs": true, "vue": true, "pub": true, "asc": true, "gpg": true, "sql": true, "db": true, "log": true, "properties": true, "tf": true, "so": true, "dll": true, "exe": true,
	"length": true, "value": true, "name": true, "type": true, "id": true, "tostring": true, "map": true, "data": true, "current": true, "password": true, "token": true, "secret": true,
}

// lockFile reports whether a path is that of a list of what is locked: hashes
// stand beside names there.
func lockFile(path string) bool {
	base := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	return strings.HasSuffix(base, ".lock") || strings.HasSuffix(base, "-lock.json") || strings.HasSuffix(base, "-lock.yaml") || strings.HasSuffix(base, ".sum") || strings.HasSuffix(base, "sums") || strings.HasSuffix(base, ".lock.json") || strings.HasSuffix(base, ".lockfile") || strings.HasSuffix(base, "shrinkwrap.json") || strings.HasSuffix(base, ".resolved")
}

func email(v []byte) bool {
	i := bytes.IndexByte(v, '@')
	return i > 0 && bytes.IndexByte(v[i:], '.') > 0 && fileName(v) && bytes.IndexByte(v[i+1:], '@') < 0
}

// expression reports whether v, unquoted, is code: a call, a path of fields, a
// generic type.
func expression(v []byte) bool {
	if bytes.IndexByte(v, '(') >= 0 || bytes.Contains(v, []byte("->")) || bytes.Contains(v, []byte("::")) || bytes.Contains(v, []byte("=>")) || bytes.Contains(v, []byte("[]")) || bytes.Contains(v, []byte("?.")) {
		return true
	}
	if i := bytes.IndexByte(v, '['); i > 0 && isWord(v[i-1]) {
		return true
	}
	return false
}

// decoded returns what v is in base64, nil if it is not base64 of ASCII text.
func decoded(v []byte) []byte {
	v = bytes.TrimRight(v, "=")
	if len(v) < 4 || len(v) > 8<<10 {
		return nil
	}
	enc := base64.RawStdEncoding
	if bytes.IndexByte(v, '-') >= 0 || bytes.IndexByte(v, '_') >= 0 {
		enc = base64.RawURLEncoding
	}
	out := make([]byte, enc.DecodedLen(len(v)))
	n, err := enc.Decode(out, v)
	if err != nil {
		return nil
	}
	for _, b := range out[:n] {
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' || b >= 0x7F {
			return nil
		}
	}
	return out[:n]
}
