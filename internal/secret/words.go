package secret

import (
	"strings"
	"sync"
)

// These are the words that tell values which are no secrets, and the names that
// programs give from passwords.

// elisions are signs that a part of a value was left out or is still to come: a
// value with one is none, whatever stands beside.
var elisions = []string{"xxxx", "****", "...", "\u2026", "\u2039", "00000000", "${"}

// standIns are texts that a value holds which stands in for a secret, in lower
// case: it is none unless what remains is random. Short ones would turn up in
// random text.
var standIns = [...]string{
	"example", "changeme", "change-me", "change_me", "changeit", "placeholder",
	"dummy", "redacted", "your-", "your_", "your ", "yourpass", "yoursecret", "yourtoken", "yourkey",
	"yourapi", "insert-", "insert_", "replace", "foobar", "notreal", "not-real", "not_real", "fake-",
	"fake_", "fakekey", "faketoken", "fakesecret", "todo-", "todo_", "fixme", "sample-", "sample_",
	"mysecret", "my-secret", "my_secret", "mypassword", "my-password", "my_password", "my-token",
	"my_token", "mytoken", "my-api", "my_api", "myapikey", "test-", "test_", "testtoken", "testsecret",
	"testkey", "-here", "_here", "goes-here", "goeshere", "put-", "put_", "enter-", "enter_", "secret-key",
	"secret_key", "supersecret", "super-secret", "super_secret", "topsecret", "top-secret", "notasecret",
	"not-a-", "not_a_", "1234567", "abcdefg", "qwerty", "deadbeef", "cafebabe", "deadc0de", "thisisa",
	"this-is-a", "this_is_a", "default-", "default_", "-goes-", "fill-in", "lorem",
	"ipsum", "sanitized", "masked", "hidden", "unused", "some-", "some_", "correcthorse", "correct horse",
	"correct-horse",
}

// weakWords are values, or values less their digits and signs, that are set
// where no secret is meant.
var weakWords = wordSet(`
	password passwd passwort pass pwd pw secret token admin administrator root user username guest test
	testing tests none null nil true false default string undefined postgres mysql mariadb mongo redis
	rabbitmq rabbit foo bar baz foobar abc abcd abcdef xyz demo key value val empty required optional hello
	world helloworld letmein me my mypass testpass testpassword testuser apikey fake mock stub sample temp
	tmp todo tbd na n/a docker sa dev development local localhost staging prod production oauth sha md utf
	base http https bcrypt scrypt argon argonid pbkdf hmac aes rsa hs rs es ed ps int uint float char
	varchar nvarchar x v px ms s d h m em rem kb mb gb mypassword mysecret userpass userpassword newpassword
	oldpassword newpass oldpass adminpass adminpassword rootpassword rootpass dbpassword dbpass passphrase
	credentials credential secretkey accesskey accesstoken authtoken bearertoken mytoken somepassword
	somesecret sometoken something whatever anything blah asdf qwerty keyid tokenid secretname id ids field
	param arg var env wrong wrongpassword wrongpass invalid incorrect badpassword badtoken bad aaa aaaa bbb
	ccc keychain vault kms env-var toor alice minio minioadmin console bitnami secretpassword airflow
	grafana elastic opensearch kafka wordpress keycloak gitlab jenkins sonar bob jwt hunter
`)

// samplesHold are words within values that have the right form and are none,
// unless what remains is random.
var samplesHold = []string{"example", "placeholder", "changeme", "your", "redacted", "dummy", "123456789", "abcdefghij", "deadbeef", "-here", "_here", "fake", "insert", "notreal", "notasecret", "replaceme"}

// samplesElide are the elisions that turn up in no random value of any form.
var samplesElide = []string{"xxxxx", "...", "***", "${", "00000000"}

// The words as automata: one pass over a value instead of one for each word.
var (
	standInWords  = sync.OnceValue(func() *wordList { return newWordList(standIns[:]) })
	elisionWords  = sync.OnceValue(func() *automaton { return newAutomaton(elisions) })
	sampleWords   = sync.OnceValue(func() *wordList { return newWordList(samplesHold) })
	sampleElision = sync.OnceValue(func() *automaton { return newAutomaton(append(lowered(samples), samplesElide...)) })
	sampleValues  = sync.OnceValue(func() *automaton { return newAutomaton(lowered(samples)) })
)

// wordList finds words in values.
type wordList struct {
	auto  *automaton
	words []string
}

func newWordList(words []string) *wordList { return &wordList{newAutomaton(words), words} }

// clear reports whether v, of at most 512 bytes, holds a word and nothing random
// beside.
func (l *wordList) clear(v []byte) bool {
	if !l.auto.holds(v) {
		return false
	}
	var buf [512]byte
	rest := buf[:copy(buf[:], v)]
	s := uint32(0)
	for i, b := range v[:len(rest)] {
		s = l.auto.next[s&(outFlag-1)+uint32(l.auto.class[b])]
		if s&outFlag == 0 {
			continue
		}
		for _, id := range l.auto.literals(hit{i + 1, s & (outFlag - 1)}) {
			for j := i + 1 - len(l.words[id]); j <= i; j++ {
				rest[j] = '-'
			}
		}
	}
	return !drawn(rest)
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
	"AKIAIOSFODNN7", "wJalrXUtnFEMI", "SflKxwRJSMeKKF2QT4", "je7MtGbClwBF", // AWS, jwt.io
	"QWxhZGRpbjpvcGVu", "QWxhZGRpbjpPcGVu", "dXNlcm5hbWU6cGFzc3dvcmQ", "dXNlcjpwYXNz", "dGVzdDp0ZXN0", "YWRtaW46YWRtaW4", // RFC 7617 and kin
	"4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "TYooMQauvdEDq54NiTphI7jx", // Stripe
	"xoxb-not-a-real", "T00000000/B00000000", "mF_9.B5f-4.1JqM", "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l", "2YotnFZFEjr1zCsicMWpAA", "SlAV32hkKG", "tGzv3JOkF0XG5Qx2TlKWIA", // Slack, RFC 6750, jwt.io, RFC 6749
	"0123456789abcdef0123", "0123456789ABCDEF0123", "00112233445566778899", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq", // Azure storage emulator
	"C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw", // Cosmos emulator
	"AIzaSyabcdefghijklmnop", "Zm9vOmJhcg", "cGFzc3dvcmQ=", "YWxhZGRpbjpvcGVuc2VzYW1l",
}

// lookUps are how values begin that name a place, an algorithm, a scheme or a
// digest, or that are already encrypted.
var lookUps = [...]string{
	"age1", "mfkwewyhkozizj0", "miibijanbgkqh", "miicijanbgkqh", "migfma0gcsqg", "mcowbqydk2v",
	"mhyweayhkozizj0", "pk_live_", "pk_test_", "pk.eyj", "phc_", "sb_publishable_", "process.env",
	"os.environ", "os.getenv", "getenv", "env.", "env[", "env(", "env:", "system.", "vault:", "vault.",
	"vault/", "secrets.", "secret/", "secret:", "var.", "vars.", "local.", "locals.", "module.", "data.",
	"config.", "settings.", "conf.", "cfg.", "options.", "opts.", "props.", "params.", "args.", "this.",
	"self.", "import.meta", "ctx.", "req.", "request.", "context.", "arn:", "ssm:", "ssm/", "op://",
	"keyvault", "file:", "file(", "ref+", "aws-ssm", "aws:ssm", "awssm", "gcp-sm", "sm://", "azurekv",
	"projects/", "enc[", "enc(", "$ansible_vault", "vault-encrypted", "sha256:", "sha512:", "sha1:",
	"sha1-", "sha256-", "sha384-", "sha512-", "md5:", "blake", "sealed:", "http://", "https://", "ftp://",
	"file://", "urn:", "uuid:", "./", "../", "~/", "/run/secrets", "/var/", "/etc/", "/usr/", "/opt/",
	"/home/", "/tmp/", "/secrets", "/mnt/", "/app/", "/root/", "c:\\", "c:/", "d:\\", "%env", "env ",
	"ssh-rsa ", "ssh-dss ", "ssh-ed25519 ", "ecdsa-sha2", "-----begin cert", "-----begin pub", "text/", "application/",
	"image/", "data:image", "bearer $", "bearer {", "bearer <", "function", "async ", "await ", "new ",
	"return ", "lambda", "fn(", "()", "id=", "type=", "public:", "private:", "secretkeyref", "valuefrom",
	"fromenv", "!ref", "!sub", "!getatt", "!vault", "!secret", "!env", "!join", "!importvalue", "resolve:",
	"encrypted:", "kms:", "ciphertext", "hs256", "hs384", "hs512", "rs256", "rs384", "rs512", "es256",
	"ps256", "aes-", "aes1", "aes2", "aes_", "pbkdf2withhmac", "hmac-", "hmacsha", "sha-", "rsa-", "ecdh",
	"edd", "ed25519", "x25519", "secp256", "prime256", "token_", "api_key_", "gcm:", "s3://", "gs://",
	"oauth2_", "oauth2-", "oauth2.", "user.", "users.", "auth.", "account.", "form.", "input.",
	"aws4-hmac-", "state.", "errors.", "error.", "label.", "messages.", "msg.", "i18n.", "validation.", "login.",
}

// lookUpsBy are the lookUps by their first byte, of either case.
var lookUpsBy = sync.OnceValue(func() *[256][]string {
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

// kitchenWords are words of the other tables that people make passwords of.
var kitchenWords = wordSet("pepper salt cookie seed and for not with from the")

// programWords are those of them that the other tables do not hold.
var programWords = wordSet(`
	abstract action actions active actor adapter agent aggregate alert amqp analytics android angular apache
	app apps application applications archive arm array artifact artifacts assert async atomic attr audit
	autocomplete avatar aws axios azure backend banner bar bash batch bean binary bind binding block blur
	body bool boolean boot border box branch bridge broker browser buffer bugs build builds bundle byte call
	camel canvas card case catalog cell channel chart chat child chrome circle class clear cli click client
	clients clone cloud cluster code codec collection com combo command common company compare compile
	complete compose composer compress conf configuration connect connection connector console consumer
	contact container context control cookie copy core cors create creator cron cross css csv curl customer
	daemon dao dashboard data dataset date debug decode decoder decorator deep def delegate delete deploy
	deployment depth description desktop detail details dev device dialog diff directive disk dispatch
	display dist dns doc docker document documents dom dot download draft driver drop dto dummy dynamic edit
	editor elastic elasticsearch element embed emitter encode encoder encrypted engine ent entity entries
	enum error eth exception exec execute exist export extension extra factory failed failure fallback
	feature federation fetch fields filter find first firebase fixture flask flex flink font footer
	forbidden foreign forward framework front frontend gateway gcp gen generate generic get git github
	gitlab global gmail google grafana graph graphql grid grpc gui handle handlers has head header heading
	health helm hidden history home hooks hosts html http https icons identity ids iframe iface impl import
	incoming infra ingress init initial inject inline inner insert inspect install instance int integration
	interface internal invalid invite ios issue istio item items java javascript jenkins jetty job jobs join
	jpa jquery js json junit jvm kafka keycloak keystore kube kubernetes label laravel layer layout lazy
	ldap legacy level lib library line linux list listener load loader loading lock log logger logging logo
	logout look loop mail mailer main manage mapper mapped markdown mask master match matcher material
	matrix max maven media member memory menu merge message meta metric metrics microsoft middleware
	migration min mini minio mixin mobile modal model models modern monitor mongo mongodb mount mouse multi
	mutable mutation native nav navbar nested net netty network next nginx node none normal notification npm
	null number oauth object objects observer office offset oidc old online open openid operation operator
	option oracle order orders org origin outer outgoing output overlay override own package pack pad page
	pages pair panel parallel parent parse partial password patch payload payment payments peer pending
	permission persist person phone php pipe pipeline placeholder plain platform player plugin pod point
	policy poll pool popup port portal post poster postfix posts power preview principal print priority
	privacy private process producer product production products profile profiles progress project projects
	prom prometheus promise prompt prop property protected protocol provider proxy public publish publisher
	pull push python query queue quick rabbit random raw reader readonly ready receive record redirect redux
	refresh regex region register registration registry release reload remember remote remove render
	renderer repeat replace replica reply repo report reports repository request reset resolve resource
	response rest restore result results retry return review revoke root route router routes row ruby rule
	run runner runtime sample sandbox save schedule scheduler schema scope scoped screen script scroll sdk
	search section secure security select selected send sender sentry sequence serial serialize server
	servers service services session setup shadow shape shared shell shop short show sidebar sign signal
	signin signup simple single site size slack slice slider slot smtp snapshot social socket sock sonar
	sort source space spark spec spinner split spring sql sqlite ssh ssl sso stack stage start state static
	stats step stop storage store stream strict string stripe strong struct style styles sub submit success
	suite super support switch symbol sync syntax system table tables tag target task tasks team template
	tenant terminal terraform text thread throttle throw thumbnail ticket tile timer title tls toggle tomcat
	tool toolbar tools tooltip top topic total trace track trait transaction transform transport traefik
	tree trigger trim true type ui unauthorized uninstall unique unit unknown unsafe unset unsigned update
	upgrade upload upper upsert use user users using util utilities utils valid validate values vendor
	verified verify version view viewer viewport virtual visible visual volume vue wait warn warning watch
	watcher web webapp webhook webpack website widget width win window windows with word wordpress work
	worker workers workflow workspace world wrapper write writer xml yaml yml your zero zip zone zookeeper
	disabled enabled plaintext keyring keychain interactive anonymous inherit automatic generated managed
	rotated unchanged external literal expression minimum maximum character characters letter letters digits
	symbols must contain contains least please choose weak required mandatory matches cannot empty new again
	bcrypt argon2 sha256 sha512 md5 passe contraseñas clave mot modifier nouveau neues altes bestätigung
	bestaetigung wiederholen vergessen confirma nueva nuevo actual olvidada olvido
`)

func wordSet(list string) map[string]bool { return wordMap(map[bool]string{true: list}) }

// wordMap says of each word whose list it stands in.
func wordMap[V comparable](lists map[V]string) map[string]V {
	of := map[string]V{}
	for v, list := range lists {
		for w := range strings.FieldsSeq(list) {
			of[w] = v
		}
	}
	return of
}

// typeWords are the words whose number is a part of them.
var typeWords = wordSet(`
	int uint float sha base utf aes hmac vec win linux arm amd
`)

var extensions = wordSet(`
	pem key crt cer p12 pfx jks json yaml yml txt js ts tsx jsx go py rb java kt cs php html css scss svg
	png jpg jpeg gif webp avif ico bmp pdf mp3 mp4 webm ogg wav woff woff2 ttf otf csv parquet wasm md xml toml ini conf cfg env sh com org net io dev local internal svc lock gz zip tar tgz rs
	mjs cjs vue pub asc gpg sql db log properties tf so dll exe length value name type id tostring map data
	current password token secret
`)
