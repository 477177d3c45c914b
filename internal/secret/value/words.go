package value

import (
	"strings"
	"sync"
)

// These are the words that tell values which are no secrets, and the names that programs give from passwords.

// standIns are texts that a value holds which stands in for a secret, in lower case: it is none unless what remains is random.
// Short ones would turn up in random text.
var standIns = [...]string{
	"example", "changeme", "change-me", "change_me", "changeit", "placeholder", "dummy", "redacted", "your-", "your_", "your ", "yourpass",
	"yoursecret", "yourtoken", "yourkey", "yourapi", "insert-", "insert_", "replace", "foobar", "notreal", "not-real", "not_real", "fake-",
	"fake_", "fakekey", "faketoken", "fakesecret", "todo-", "todo_", "fixme", "sample-", "sample_", "mysecret", "my-secret", "my_secret",
	"mypassword", "my-password", "my_password", "my-token", "my_token", "mytoken", "my-api", "my_api", "myapikey", "test-", "test_",
	"testtoken", "testsecret", "testkey", "-here", "_here", "goeshere", "put-", "put_", "enter-", "enter_", "secret-key", "secret_key",
	"supersecret", "super-secret", "super_secret", "topsecret", "top-secret", "notasecret", "not-a-", "not_a_", "1234567", "abcdefg",
	"qwerty", "deadbeef", "cafebabe", "deadc0de", "thisisa", "this-is-a", "this_is_a", "default-", "default_", "-goes-", "fill-in", "lorem",
	"ipsum", "sanitized", "masked", "hidden", "unused", "some-", "some_", "correcthorse", "correct horse", "correct-horse",
}

// WeakWords are values, or values less their digits and signs, that are set where no secret is meant.
var WeakWords = WordSet(`
	password passwd passwort pass pwd pw secret token admin administrator root user username guest test testing tests none null nil true
	false default string undefined postgres mysql mariadb mongo redis rabbitmq rabbit foo bar baz foobar abc abcd abcdef xyz demo key value
	val empty required optional hello world helloworld letmein me my mypass testpass testpassword testuser apikey fake mock stub sample temp
	tmp todo tbd na n/a docker sa dev development local localhost staging prod production oauth sha md utf base http https bcrypt scrypt
	argon argonid pbkdf hmac aes rsa hs rs es ed ps int uint float char varchar nvarchar x v px ms s d h m em rem kb mb gb mypassword
	mysecret userpass userpassword newpassword oldpassword newpass oldpass adminpass adminpassword rootpassword rootpass dbpassword dbpass
	passphrase credentials credential secretkey accesskey accesstoken authtoken bearertoken mytoken somepassword somesecret sometoken
	something whatever anything blah asdf qwerty keyid tokenid secretname id ids field param arg var env wrong wrongpassword wrongpass
	invalid incorrect badpassword badtoken bad aaa aaaa bbb ccc keychain vault kms env-var envvar toor alice minio minioadmin console bitnami
	secretpassword airflow grafana elastic opensearch kafka wordpress keycloak gitlab jenkins sonar bob jwt hunter redacted
`)

// The words as automata: one pass over a value instead of one for each word.
var (
	standInWords = sync.OnceValue(func() *wordList { return newWordList(standIns[:]) })
	// Such texts of values that have the right form.
	sampleWords = sync.OnceValue(func() *wordList {
		return newWordList([]string{
			"example", "placeholder", "changeme", "your", "redacted", "dummy", "123456789", "abcdefghij", "deadbeef", "-here", "_here", "fake",
			"insert", "notreal", "notasecret", "replaceme",
		})
	})
	// Signs that a part of a value was left out or is still to come: a value with
	// one is none, whatever stands beside.
	ElisionWords = sync.OnceValue(func() *Automaton {
		return NewAutomaton([]string{"xxxx", "****", "...", "\u2026", "\u2039", "00000000", "${"}, nil)
	})
	SampleValues = sync.OnceValue(func() *Automaton { return NewAutomaton(lowered(samples), nil) })
)

// wordList finds words in values.
type wordList struct {
	auto  *Automaton
	words []string
}

func newWordList(words []string) *wordList { return &wordList{NewAutomaton(words, nil), words} }

// clear reports whether v, of at most 512 bytes, holds a word and nothing random beside.
func (l *wordList) clear(v []byte) bool {
	if !l.auto.Holds(v) {
		return false
	}
	var buf [512]byte
	rest := buf[:copy(buf[:], v)]
	s := uint32(0)
	for i, b := range v[:len(rest)] {
		if s = l.auto.step(s, b); s&outFlag == 0 {
			continue
		}
		for _, id := range l.auto.Literals(Hit{i + 1, s &^ outFlag}) {
			for j := i + 1 - len(l.words[id]); j <= i; j++ {
				rest[j] = '-'
			}
		}
	}
	return !Drawn(rest)
}

func lowered(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.ToLower(s)
	}
	return out
}

// samples are values that manuals print.
var samples = []string{
	"16c7e42f292c6912e7", "dagmwka4jsxz", "ahdqtcvch1vgwjxfseof", "abc-def1234ghikl", "mtk4njiyndgznd", "ngevfqfyqlku0ufo", "aqodyxdz", "iynuhq8ov4hiax6", "17653672481-", "AbC123dEf456GhI789jKl", "123e4567-e89b", "01234567-89ab", "9a08jv.c0iz", "783bde.3f89", "4twft5niznn84awoo1", "czzcagrsa3f0", // GitHub, Google, Telegram, Discord, SendGrid, AWS, Vault, Slack, UUID, kubeadm
	"b77a5c561934e089", "b03f5f7f11d50a3a", "31bf3856ad364e35", "89845dcd8080cc91", "adb9793829ddae60", "cc7b13ffcd2ddd51", // the public keys of .NET's own assemblies
	"AKIAIOSFODNN7", "wJalrXUtnFEMI", "SflKxwRJSMeKKF2QT4", "je7MtGbClwBF", // AWS, jwt.io
	"QWxhZGRpbjpvcGVu", "QWxhZGRpbjpPcGVu", "dXNlcm5hbWU6cGFzc3dvcmQ", "dXNlcjpwYXNz", "dGVzdDp0ZXN0", "YWRtaW46YWRtaW4", // RFC 7617 and kin
	"4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "TYooMQauvdEDq54NiTphI7jx", // Stripe
	"xxxxxxxxxxxx", "************", "000000000000", "xoxb-not-a-real", "T00000000/B00000000", "mF_9.B5f-4.1JqM", "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l", "2YotnFZFEjr1zCsicMWpAA", "SlAV32hkKG", "tGzv3JOkF0XG5Qx2TlKWIA", // Slack, RFC 6750, jwt.io, RFC 6749
	"0123456789abcdef0123", "0123456789ABCDEF0123", "00112233445566778899", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq", // Azure storage emulator
	"C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw", // Cosmos emulator
	"AIzaSyabcdefghijklmnop", "Zm9vOmJhcg", "cGFzc3dvcmQ=", "YWxhZGRpbjpvcGVuc2VzYW1l",
}

// lookUps are how values begin that name a place, an algorithm, a scheme or a digest, or that are already encrypted.
var lookUps = [...]string{
	"age1", "mfkwewyhkozizj0", "miibijanbgkqh", "miicijanbgkqh", "migfma0gcsqg", "mcowbqydk2v", "mhyweayhkozizj0", "pk_live_", "pk_test_",
	"pk.eyj", "phc_", "sb_publishable_", "process.env", "os.environ", "os.getenv", "getenv", "env.", "env[", "env(", "env:", "system.",
	"vault:", "vault.", "vault/", "secrets.", "secret/", "secret:", "var.", "vars.", "local.", "locals.", "module.", "data.", "config.",
	"settings.", "conf.", "cfg.", "options.", "opts.", "props.", "params.", "args.", "this.", "self.", "import.meta", "ctx.", "req.",
	"request.", "context.", "arn:", "ssm:", "ssm/", "op://", "keyvault", "file:", "file(", "ref+", "aws-ssm", "aws:ssm", "awssm", "gcp-sm",
	"sm://", "azurekv", "projects/", "enc[", "enc(", "$ansible_vault", "vault-encrypted", "sha256:", "sha512:", "sha1:", "sha1-", "sha256-",
	"sha384-", "sha512-", "md5:", "blake", "sealed:", "ej[1:", "http://", "https://", "ftp://", "urn:", "uuid:", "./", "../", "~/", "/run/secrets",
	"/var/", "/etc/", "/usr/", "/opt/", "/home/", "/tmp/", "/secrets", "/mnt/", "/app/", "/root/", "c:\\", "c:/", "d:\\", "%env", "env ",
	"ssh-rsa ", "ssh-dss ", "ssh-ed25519 ", "ecdsa-sha2", "-----begin cert", "-----begin pub", "text/", "application/", "image/",
	"data:image", "bearer $", "bearer {", "bearer <", "function", "async ", "await ", "new ", "return ", "lambda", "fn(", "()", "id=",
	"type=", "public:", "private:", "secretkeyref", "valuefrom", "fromenv", "!ref", "!sub", "!getatt", "!vault", "!secret", "!env", "!join",
	"!importvalue", "resolve:", "encrypted:", "kms:", "credentialsjson:", "ciphertext", "hs256", "hs384", "hs512", "rs256", "rs384", "rs512", "es256", "ps256",
	"aes-", "aes1", "aes2", "aes_", "pbkdf2withhmac", "hmac-", "hmacsha", "sha-", "rsa-", "ecdh", "eddsa", "ed25519", "x25519", "secp256",
	"prime256", "token_", "api_key_", "gcm:", "s3://", "gs://", "oauth2_", "oauth2-", "oauth2.", "user.", "users.", "auth.", "account.",
	"form.", "input.", "aws4-hmac-", "state.", "errors.", "error.", "label.", "messages.", "msg.", "i18n.", "validation.", "login.",
}

// LookUpsBy are the lookUps by their first byte, of either case.
var LookUpsBy = sync.OnceValue(func() *[256][]string {
	var by [256][]string
	for _, p := range lookUps {
		b := p[0]
		by[b] = append(by[b], p)
		if b >= 'a' && b <= 'z' {
			by[b&^0x20] = append(by[b&^0x20], p)
		}
	}
	return &by
})

// kitchenWords are words of the other tables, and of the vocabulary, that people make passwords of.
var kitchenWords = WordSet("pepper salt cookie seed and for not with from the")

// WordSet is the set of the words of a list, parted by spaces.
func WordSet(list string) map[string]bool { return WordMap(map[bool]string{true: list}) }

// WordMap says of each word whose list it stands in.
func WordMap[V comparable](lists map[V]string) map[string]V {
	of := map[string]V{}
	for v, list := range lists {
		for w := range strings.FieldsSeq(list) {
			of[w] = v
		}
	}
	return of
}

// typeWords are the words whose number is a part of them.
var typeWords = WordSet(`
	int uint float sha base utf aes hmac vec win linux arm amd
`)

var extensions = WordSet(`
	pem key crt cer p12 pfx jks json yaml yml txt js ts tsx jsx go py rb java kt cs php html css scss svg png jpg jpeg gif webp avif ico bmp
	pdf mp3 mp4 webm ogg wav woff woff2 ttf otf csv parquet wasm md xml toml ini conf cfg env sh com org net io dev local internal svc lock
	gz zip tar tgz rs mjs cjs vue pub asc gpg sql db log properties tf so dll exe length value name type id tostring map data current
	password token secret
`)
