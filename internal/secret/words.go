package secret

import (
	"strings"
	"sync"
)

// These are the words that tell values which are no secrets, and the names that
// programs give from passwords.

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
	"wrong": true, "wrongpassword": true, "wrongpass": true, "invalid": true, "incorrect": true, "badpassword": true, "badtoken": true, "bad": true, "aaa": true, "aaaa": true, "bbb": true, "ccc": true, "keychain": true, "vault": true, "kms": true, "env-var": true, "toor": true, "alice": true, "minio": true, "minioadmin": true, "console": true, "bitnami": true, "secretpassword": true, "airflow": true, "grafana": true, "elastic": true, "opensearch": true, "kafka": true, "wordpress": true, "keycloak": true, "gitlab": true, "jenkins": true, "sonar": true, "bob": true, "jwt": true, "hunter": true,
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
	"age1", "mfkwewyhkozizj0", "miibijanbgkqh", "miicijanbgkqh", "migfma0gcsqg", "mcowbqydk2v", "mhyweayhkozizj0", "pk_live_", "pk_test_", "pk.eyj", "phc_", "sb_publishable_", "process.env", "os.environ", "os.getenv", "getenv", "env.", "env[", "env(", "env:", "system.", "vault:", "vault.", "vault/", "secrets.", "secret/", "secret:", "var.", "vars.", "local.", "locals.", "module.", "data.",
	"config.", "settings.", "conf.", "cfg.", "options.", "opts.", "props.", "params.", "args.", "this.", "self.", "import.meta", "ctx.", "req.", "request.", "context.", "arn:", "ssm:", "ssm/", "op://", "keyvault", "file:", "file(", "ref+", "aws-ssm", "aws:ssm",
	"awssm", "gcp-sm", "sm://", "azurekv", "projects/", "enc[", "enc(", "$ansible_vault", "vault-encrypted", "sha256:", "sha512:", "sha1:", "sha1-", "sha256-", "sha384-", "sha512-", "md5:", "blake", "sealed:", "http://", "https://", "ftp://", "file://", "urn:", "uuid:", "./", "../", "~/", "/run/secrets", "/var/", "/etc/", "/usr/", "/opt/", "/home/", "/tmp/", "/secrets", "/mnt/", "/app/", "/root/", "c:\\", "c:/", "d:\\", "%env", "env ", "ssh-rsa ", "ssh-ed25519 ", "ecdsa-sha2", "-----begin cert", "-----begin pub",
	"text/", "application/", "image/", "data:image", "bearer $", "bearer {", "bearer <", "function", "async ", "await ", "new ", "return ", "lambda", "fn(", "()", "id=", "type=", "public:", "private:", "secretkeyref", "valuefrom", "fromenv", "!ref", "!sub", "!getatt", "!vault", "!secret", "!env", "!join", "!importvalue", "resolve:", "encrypted:", "kms:", "ciphertext", "hs256", "hs384", "hs512", "rs256", "rs384", "rs512", "es256", "ps256", "aes-", "aes1", "aes2", "aes_", "pbkdf2withhmac", "hmac-", "hmacsha", "sha-", "rsa-", "ecdh", "edd", "ed25519", "x25519", "secp256", "prime256", "token_", "api_key_", "gcm:", "s3://", "gs://", "oauth2_", "oauth2-", "oauth2.", "[redacted", "user.", "users.", "auth.", "account.", "form.", "input.", "state.", "errors.", "error.", "label.", "messages.", "msg.", "i18n.", "validation.", "login.",
}

// kitchenWords are words of the other tables that people make passwords of.
var kitchenWords = map[string]bool{"pepper": true, "salt": true, "cookie": true, "seed": true, "and": true, "for": true, "not": true, "with": true, "from": true, "the": true}

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
	disabled enabled encrypted plaintext prompt keyring keychain interactive anonymous inherit automatic generated managed rotated unchanged external literal expression
	minimum maximum character characters letter letters digits symbols must contain contains least please choose weak strong required mandatory match matches cannot empty new again
	bcrypt argon2 sha256 sha512 md5 passe contraseñas clave mot modifier nouveau neues altes bestätigung bestaetigung wiederholen vergessen confirma nueva nuevo actual olvidada olvido
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// typeWords are the words whose number is a part of them.
var typeWords = map[string]bool{"int": true, "uint": true, "float": true, "sha": true, "base": true, "utf": true, "aes": true, "hmac": true, "vec": true, "win": true, "linux": true, "arm": true, "amd": true}

var extensions = map[string]bool{
	"pem": true, "key": true, "crt": true, "cer": true, "p12": true, "pfx": true, "jks": true, "json": true, "yaml": true, "yml": true, "txt": true, "js": true, "ts": true, "tsx": true, "jsx": true, "go": true, "py": true, "rb": true,
	"java": true, "kt": true, "cs": true, "php": true, "html": true, "css": true, "scss": true, "svg": true, "png": true, "jpg": true, "gif": true, "md": true, "xml": true, "toml": true, "ini": true, "conf": true, "cfg": true, "env": true, "sh": true,
	"com": true, "org": true, "net": true, "io": true, "dev": true, "local": true, "internal": true, "svc": true, "lock": true, "gz": true, "zip": true, "tar": true, "tgz": true, "rs": true, "mjs": true, "cjs": true, "vue": true, "pub": true, "asc": true, "gpg": true, "sql": true, "db": true, "log": true, "properties": true, "tf": true, "so": true, "dll": true, "exe": true,
	"length": true, "value": true, "name": true, "type": true, "id": true, "tostring": true, "map": true, "data": true, "current": true, "password": true, "token": true, "secret": true,
}
