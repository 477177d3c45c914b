package secret

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// The corpus is made at test time: secrets of the right form, with the right
// check digits, in the files they are found in. Nothing of it is ever committed
// or written to disk. Prefixes are put together from halves, so that this file
// holds no secret itself.

// planted is a file with secrets in it.
type planted struct {
	kind, context string
	path, text    string
	values        []string // each must be covered whole
}

// maker draws from one seed.
type maker struct{ *rand.Rand }

const (
	lowers   = "abcdefghijklmnopqrstuvwxyz"
	uppers   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits   = "0123456789"
	base62   = digits + uppers + lowers
	lowDigit = digits + lowers
	hexes    = "0123456789abcdef"
	url64    = base62 + "-_"
	std64    = base62 + "+/"
)

func (m maker) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

func (m maker) pick(list ...string) string { return list[m.IntN(len(list))] }

func (m maker) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.Uint32())
	}
	return b
}

func (m maker) uuid() string {
	return m.of(hexes, 8) + "-" + m.of(hexes, 4) + "-4" + m.of(hexes, 3) + "-a" + m.of(hexes, 3) + "-" + m.of(hexes, 12)
}

// checked appends the six base-62 digits of the CRC-32, as GitHub and npm do.
func (m maker) checked(prefix string, n int) string {
	body := m.of(base62, n)
	c := crc32.ChecksumIEEE([]byte(body))
	var out [6]byte
	for i := 5; i >= 0; i-- {
		out[i] = base62[c%62]
		c /= 62
	}
	return prefix + body + string(out[:])
}

var passwordWords = strings.Fields("summer winter hunter dragon monkey blue river falcon copper ocean tiger orange castle garden silver bridge thunder coffee maple rocket violet marble canyon pepper")

// password is what people make up.
func (m maker) password() string {
	w := func() string { return passwordWords[m.IntN(len(passwordWords))] }
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	switch m.IntN(8) {
	case 0:
		return w() + m.of("123456789", 1) + title(w()) + "!"
	case 1:
		return title(w()) + m.of(digits, 4) + m.pick("!", "#", "@", "$", "?")
	case 2:
		return title(w()) + "-" + title(w()) + "-" + m.of("23456789", 3) + "!"
	case 3:
		return m.of(uppers, 1) + m.of(lowers, 3) + m.pick("@", "#", "%", "!") + m.of(digits, 4) + m.of(lowers, 3)
	case 4:
		return m.of(base62+"!@#%^*", 16)
	case 5:
		return w() + m.of(digits, 3) + title(w()) + m.of(digits, 2)
	case 6:
		return strings.NewReplacer("o", "0", "e", "3", "a", "@").Replace(title(w())+title(w())) + m.of(digits, 2)
	default:
		return m.of(base62, 20)
	}
}

func (m maker) jwt() string {
	enc := base64.RawURLEncoding.EncodeToString
	h := enc([]byte(`{"alg":"HS256","typ":"JWT"}`))
	p := enc(fmt.Appendf(nil, `{"sub":"%d","name":"%s","iat":%d}`, m.IntN(1e9), m.of(lowers, 8), 1600000000+m.IntN(1e8)))
	mac := hmac.New(sha256.New, m.bytes(32))
	mac.Write([]byte(h + "." + p))
	return h + "." + p + "." + enc(mac.Sum(nil))
}

func (m maker) armour(label string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
}

type chacha struct{ *rand.ChaCha8 }

func (m maker) source() chacha {
	var seed [32]byte
	copy(seed[:], m.bytes(32))
	return chacha{rand.NewChaCha8(seed)}
}

func (m maker) privateKey() string {
	pk := "PRIVATE" + " KEY"
	switch m.IntN(6) {
	case 0:
		k, _ := ecdsa.GenerateKey(elliptic.P256(), m.source())
		der, _ := x509.MarshalECPrivateKey(k)
		return m.armour("EC "+pk, der)
	case 1:
		_, k, _ := ed25519.GenerateKey(m.source())
		der, _ := x509.MarshalPKCS8PrivateKey(k)
		return m.armour(pk, der)
	case 2:
		k, _ := rsa.GenerateKey(m.source(), 1024)
		return m.armour("RSA "+pk, x509.MarshalPKCS1PrivateKey(k))
	case 3:
		return m.armour("OPENSSH "+pk, append([]byte("openssh-key-v1\x00\x00\x00\x00\x04none"), m.bytes(300)...))
	case 4:
		return m.armour("ENCRYPTED "+pk, append([]byte{0x30, 0x82, 1, 0x55}, m.bytes(330)...))
	default:
		b := base64.StdEncoding.EncodeToString(m.bytes(420))
		var s strings.Builder
		s.WriteString("-----BEGIN PGP " + pk + " BLOCK-----\nVersion: GnuPG v2\n\n")
		for len(b) > 64 {
			s.WriteString(b[:64] + "\n")
			b = b[64:]
		}
		s.WriteString(b + "\n=" + m.of(std64, 4) + "\n-----END PGP " + pk + " BLOCK-----\n")
		return s.String()
	}
}

// kind is one kind of secret: names that go with it, and the value.
type specimen struct {
	id    string
	names []string // snake case
	value func(m maker) string
}

var tokenKinds = []specimen{
	{"github-pat", []string{"github_token", "gh_pat"}, func(m maker) string { return m.checked("gh"+"p_", 30) }},
	{"github-oauth", []string{"github_token"}, func(m maker) string { return m.checked("gh"+"o_", 30) }},
	{"github-server", []string{"installation_token"}, func(m maker) string { return m.checked("gh"+"s_", 30) }},
	{"github-fine", []string{"github_token"}, func(m maker) string { return "github" + "_pat_" + m.of(base62, 22) + "_" + m.of(base62, 59) }},
	{"gitlab-pat", []string{"gitlab_token"}, func(m maker) string { return "glp" + "at-" + m.of(url64, 20) }},
	{"npm", []string{"npm_token"}, func(m maker) string { return m.checked("np"+"m_", 30) }},
	{"pypi", []string{"pypi_token"}, func(m maker) string { return "pyp" + "i-AgEIcHlwaS5vcmc" + m.of(url64, 140) }},
	{"rubygems", []string{"gem_host_api_key"}, func(m maker) string { return "rubygem" + "s_" + m.of(hexes, 48) }},
	{"crates", []string{"cargo_registry_token"}, func(m maker) string { return "ci" + "o" + m.of(base62, 32) }},
	{"nuget", []string{"nuget_api_key"}, func(m maker) string { return "oy" + "2" + m.of(lowDigit, 43) }},
	{"dockerhub", []string{"dockerhub_token"}, func(m maker) string { return "dckr" + "_pat_" + m.of(url64, 27) }},
	{"aws-key", []string{"aws_access_key_id"}, func(m maker) string { return "AK" + "IA" + m.of(uppers+"234567", 16) }},
	{"aws-secret", []string{"aws_secret_access_key"}, func(m maker) string { return m.of(std64, 40) }},
	{"aws-session", []string{"aws_session_token"}, func(m maker) string { return "IQoJb3Jp" + "Z2lu" + m.of(std64, 300) + "==" }},
	{"gcp-api", []string{"google_api_key", "maps_key"}, func(m maker) string { return "AI" + "za" + m.of(url64, 35) }},
	{"gcp-oauth", []string{"google_client_secret"}, func(m maker) string { return "GOC" + "SPX-" + m.of(url64, 28) }},
	{"azure-storage", []string{"azure_storage_key"}, func(m maker) string { return base64.StdEncoding.EncodeToString(m.bytes(64)) }},
	{"azure-client", []string{"azure_client_secret"}, func(m maker) string { return m.of(base62, 3) + "8" + "Q~" + m.of(url64, 34) }},
	{"digitalocean", []string{"do_token"}, func(m maker) string { return "dop" + "_v1_" + m.of(hexes, 64) }},
	{"alibaba", []string{"alibaba_access_key"}, func(m maker) string { return "LT" + "AI" + m.of(base62, 20) }},
	{"slack-bot", []string{"slack_token"}, func(m maker) string {
		return "xo" + "xb-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(base62, 24)
	}},
	{"slack-user", []string{"slack_user_token"}, func(m maker) string {
		return "xo" + "xp-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(hexes, 32)
	}},
	{"slack-hook", []string{"slack_webhook_url"}, func(m maker) string {
		return "https://hooks.sla" + "ck.com/services/T" + m.of(uppers+digits, 8) + "/B" + m.of(uppers+digits, 8) + "/" + m.of(base62, 24)
	}},
	{"discord-hook", []string{"discord_webhook"}, func(m maker) string {
		return "https://discord.com/api/web" + "hooks/" + m.of("123456789", 18) + "/" + m.of(url64, 68)
	}},
	{"telegram", []string{"telegram_bot_token"}, func(m maker) string { return m.of("123456789", 10) + ":A" + "A" + m.of(url64, 33) }},
	{"stripe-live", []string{"stripe_secret_key"}, func(m maker) string { return "sk" + "_live_" + m.of(base62, 24) }},
	{"stripe-restricted", []string{"stripe_key"}, func(m maker) string { return "rk" + "_live_" + m.of(base62, 32) }},
	{"stripe-hook", []string{"stripe_webhook_secret"}, func(m maker) string { return "whs" + "ec_" + m.of(base62, 32) }},
	{"square", []string{"square_token"}, func(m maker) string { return "sq0" + "atp-" + m.of(url64, 22) }},
	{"shopify", []string{"shopify_token"}, func(m maker) string { return "shp" + "at_" + m.of(hexes, 32) }},
	{"sendgrid", []string{"sendgrid_api_key"}, func(m maker) string { return "S" + "G." + m.of(url64, 22) + "." + m.of(url64, 43) }},
	{"mailgun", []string{"mailgun_api_key"}, func(m maker) string { return "ke" + "y-" + m.of(hexes, 32) }},
	{"mailchimp", []string{"mailchimp_api_key"}, func(m maker) string { return m.of(hexes, 32) + "-us" + m.of("123456789", 1) }},
	{"twilio", []string{"twilio_api_key"}, func(m maker) string { return "S" + "K" + m.of(hexes, 32) }},
	{"twilio-auth", []string{"twilio_auth_token"}, func(m maker) string { return m.of(hexes, 32) }},
	{"openai", []string{"openai_api_key"}, func(m maker) string {
		return "sk" + "-proj-" + m.of(url64, 74) + "T3Blbk" + "FJ" + m.of(url64, 73) + "A"
	}},
	{"anthropic", []string{"anthropic_api_key"}, func(m maker) string { return "sk-a" + "nt-api03-" + m.of(url64, 93) + "AA" }},
	{"huggingface", []string{"hf_token"}, func(m maker) string { return "h" + "f_" + m.of(uppers+lowers, 34) }},
	{"groq", []string{"groq_api_key"}, func(m maker) string { return "gs" + "k_" + m.of(base62, 52) }},
	{"replicate", []string{"replicate_api_token"}, func(m maker) string { return "r" + "8_" + m.of(base62, 37) }},
	{"databricks", []string{"databricks_token"}, func(m maker) string { return "da" + "pi" + m.of(hexes, 32) }},
	{"planetscale", []string{"pscale_password"}, func(m maker) string { return "pscale" + "_pw_" + m.of(base62, 43) }},
	{"supabase", []string{"supabase_service_key"}, func(m maker) string { return m.jwt() }},
	{"vault", []string{"vault_token"}, func(m maker) string { return "hv" + "s." + m.of(url64, 92) }},
	{"terraform", []string{"tfe_token"}, func(m maker) string { return m.of(base62, 14) + ".atla" + "sv1." + m.of(base62, 66) }},
	{"pulumi", []string{"pulumi_access_token"}, func(m maker) string { return "pu" + "l-" + m.of(hexes, 40) }},
	{"circleci", []string{"circle_token"}, func(m maker) string { return m.of(hexes, 40) }},
	{"sonar", []string{"sonar_token"}, func(m maker) string { return "sq" + "p_" + m.of(hexes, 40) }},
	{"grafana", []string{"grafana_token"}, func(m maker) string { return "gl" + "sa_" + m.of(base62, 32) + "_" + m.of(hexes, 8) }},
	{"newrelic", []string{"new_relic_api_key"}, func(m maker) string { return "NR" + "AK-" + m.of(uppers+digits, 27) }},
	{"datadog", []string{"dd_api_key", "datadog_api_key"}, func(m maker) string { return m.of(hexes, 32) }},
	{"sentry", []string{"sentry_auth_token"}, func(m maker) string { return "snt" + "ryu_" + m.of(hexes, 64) }},
	{"notion", []string{"notion_token"}, func(m maker) string { return "nt" + "n_" + m.of(digits, 11) + m.of(base62, 35) }},
	{"linear", []string{"linear_api_key"}, func(m maker) string { return "lin" + "_api_" + m.of(base62, 40) }},
	{"figma", []string{"figma_token"}, func(m maker) string { return "fig" + "d_" + m.of(url64, 40) }},
	{"postman", []string{"postman_key"}, func(m maker) string { return "PM" + "AK-" + m.of(hexes, 24) + "-" + m.of(hexes, 34) }},
	{"doppler", []string{"doppler_token"}, func(m maker) string { return "dp" + ".pt." + m.of(base62, 43) }},
	{"heroku", []string{"heroku_api_key"}, func(m maker) string { return m.uuid() }},
	{"age", []string{"age_key"}, func(m maker) string { return "AGE-SEC" + "RET-KEY-1" + m.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58) }},
	{"jwt", []string{"auth_token", "session_jwt", "id_token"}, maker.jwt},
	{"jwt-secret", []string{"jwt_secret"}, func(m maker) string { return m.of(base62+"!@#%", 32) }},
	{"hex-key", []string{"encryption_key", "app_secret", "signing_key", "master_key"}, func(m maker) string { return m.of(hexes, 64) }},
	{"base64-key", []string{"session_secret", "cookie_secret", "hmac_key", "fernet_key"}, func(m maker) string { return base64.StdEncoding.EncodeToString(m.bytes(32)) }},
	{"api-key", []string{"api_key", "client_secret", "access_token", "refresh_token", "webhook_secret"}, func(m maker) string { return m.of(base62, 32) }},
}

var passwordKind = specimen{"password", []string{"db_password", "password", "smtp_pass", "admin_password", "redis_password", "mysql_root_password", "ldap_bind_password", "postgres_password", "keystore_password", "rabbitmq_pwd", "ftp_passwd"}, maker.password}

func camel(s string) string {
	p := strings.Split(s, "_")
	for i := 1; i < len(p); i++ {
		p[i] = strings.ToUpper(p[i][:1]) + p[i][1:]
	}
	return strings.Join(p, "")
}

func pascal(s string) string { s = camel(s); return strings.ToUpper(s[:1]) + s[1:] }

// context writes a name and its value into a file.
type context struct {
	id, path string
	text     func(m maker, name, v string) string
}

func jsonString(s string) string { b, _ := json.Marshal(s); return string(b) }

// indented prefixes every line.
func indented(prefix, s string) string {
	return prefix + strings.ReplaceAll(s, "\n", "\n"+prefix)
}

var contexts = []context{
	{"go", "internal/client.go", func(m maker, n, v string) string {
		return "package client\n\n// New returns a client.\nfunc New() *Client {\n\treturn &Client{\n\t\t" + pascal(n) + ": \"" + v + "\",\n\t\tTimeout: 30,\n\t}\n}\n"
	}},
	{"go-const", "cmd/main.go", func(m maker, n, v string) string {
		return "package main\n\nconst " + camel(n) + " = `" + v + "`\n"
	}},
	{"ts", "src/config.ts", func(m maker, n, v string) string {
		return "export const config = {\n  " + camel(n) + ": '" + v + "',\n  retries: 3,\n};\n"
	}},
	{"ts-typed", "src/keys.ts", func(m maker, n, v string) string {
		return "const " + camel(n) + ": string = \"" + v + "\";\nexport default " + camel(n) + ";\n"
	}},
	{"js-env", "server.js", func(m maker, n, v string) string {
		return "const x = process.env." + strings.ToUpper(n) + " || '" + v + "';\n"
	}},
	{"jsx", "src/App.jsx", func(m maker, n, v string) string {
		return "export default () => <Provider " + camel(n) + "=\"" + v + "\" retry={3}><App/></Provider>;\n"
	}},
	{"minified", "dist/app.min.js", func(m maker, n, v string) string {
		return "!function(e,t){var n={a:1,b:function(e){return e+1}},r=t.init({" + camel(n) + ":\"" + v + "\",debug:!1,c:n.b(2)});t.go(r)}(window,window.sdk);"
	}},
	{"python", "settings.py", func(m maker, n, v string) string {
		return "import os\n\nDEBUG = False\n" + strings.ToUpper(n) + " = '" + v + "'\nTIMEOUT = 30\n"
	}},
	{"python-dict", "app/db.py", func(m maker, n, v string) string {
		return "DATABASES = {\n    'default': {\n        'ENGINE': 'django.db.backends.postgresql',\n        '" + strings.ToUpper(n) + "': '" + v + "',\n    }\n}\n"
	}},
	{"python-kwarg", "job.py", func(m maker, n, v string) string {
		return "client = Client(host=\"db.internal\", " + n + "=\"" + v + "\", port=5432)\n"
	}},
	{"python-getenv", "conf.py", func(m maker, n, v string) string {
		return "x = os.getenv(\"" + strings.ToUpper(n) + "\", \"" + v + "\")\n"
	}},
	{"ruby", "config/initializers/x.rb", func(m maker, n, v string) string {
		return "X.configure do |c|\n  c." + n + " = '" + v + "'\nend\n"
	}},
	{"ruby-hash", "lib/x.rb", func(m maker, n, v string) string {
		return "OPTS = { :" + n + " => \"" + v + "\", retries: 3 }.freeze\n"
	}},
	{"java", "src/main/java/App.java", func(m maker, n, v string) string {
		return "class App {\n    private static final String " + strings.ToUpper(n) + " = \"" + v + "\";\n}\n"
	}},
	{"java-setter", "src/main/java/Db.java", func(m maker, n, v string) string {
		return "class Db { void go() {\n    ds.set" + pascal(n) + "(\"" + v + "\");\n} }\n"
	}},
	{"csharp", "Startup.cs", func(m maker, n, v string) string {
		return "public class S {\n    public const string " + pascal(n) + " = @\"" + v + "\";\n}\n"
	}},
	{"php", "config.php", func(m maker, n, v string) string {
		return "<?php\nreturn [\n    '" + n + "' => '" + v + "',\n];\n"
	}},
	{"php-define", "inc/const.php", func(m maker, n, v string) string {
		return "<?php\ndefine('" + strings.ToUpper(n) + "', '" + v + "');\n"
	}},
	{"kotlin", "App.kt", func(m maker, n, v string) string { return "private val " + camel(n) + ": String = \"" + v + "\"\n" }},
	{"swift", "Keys.swift", func(m maker, n, v string) string {
		return "struct Keys {\n    static let " + camel(n) + " = \"" + v + "\"\n}\n"
	}},
	{"rust", "src/main.rs", func(m maker, n, v string) string {
		return "const " + strings.ToUpper(n) + ": &str = \"" + v + "\";\n"
	}},
	{"c", "main.c", func(m maker, n, v string) string { return "#define " + strings.ToUpper(n) + " \"" + v + "\"\n" }},
	{"c-array", "net.c", func(m maker, n, v string) string { return "static const char " + n + "[] = \"" + v + "\";\n" }},
	{"dart", "lib/env.dart", func(m maker, n, v string) string { return "const " + camel(n) + " = '" + v + "';\n" }},
	{"elixir", "config/prod.exs", func(m maker, n, v string) string {
		return "config :app, App.Repo,\n  " + n + ": \"" + v + "\",\n  pool_size: 10\n"
	}},
	{"groovy", "build.gradle", func(m maker, n, v string) string {
		return "android { signingConfigs { release {\n    " + camel(n) + " \"" + v + "\"\n} } }\n"
	}},
	{"yaml", "config/app.yaml", func(m maker, n, v string) string {
		return "server:\n  port: 8080\n  " + n + ": " + v + "\n  debug: false\n"
	}},
	{"yaml-quoted", "values.yaml", func(m maker, n, v string) string {
		return "app:\n  " + camel(n) + ": \"" + v + "\"  # rotate\n  replicas: 2\n"
	}},
	{"compose", "docker-compose.yml", func(m maker, n, v string) string {
		return "services:\n  db:\n    image: postgres:16\n    environment:\n      - " + strings.ToUpper(n) + "=" + v + "\n      - TZ=UTC\n"
	}},
	{"k8s-env", "deploy/app.yaml", func(m maker, n, v string) string {
		return "spec:\n  containers:\n  - name: app\n    env:\n    - name: " + strings.ToUpper(n) + "\n      value: \"" + v + "\"\n    - name: MODE\n      value: prod\n"
	}},
	{"k8s-env-bare", "deploy/job.yaml", func(m maker, n, v string) string {
		return "    env:\n    - name: " + strings.ToUpper(n) + "\n      value: " + v + "\n"
	}},
	{"ecs", "task.json", func(m maker, n, v string) string {
		return "{\"environment\": [{\"name\": \"" + strings.ToUpper(n) + "\", \"value\": " + jsonString(v) + "}]}\n"
	}},
	{"workflow", ".github/workflows/ci.yml", func(m maker, n, v string) string {
		return "jobs:\n  b:\n    runs-on: ubuntu-latest\n    env:\n      " + strings.ToUpper(n) + ": " + v + "\n    steps:\n      - run: make\n"
	}},
	{"gitlab-ci", ".gitlab-ci.yml", func(m maker, n, v string) string {
		return "variables:\n  " + strings.ToUpper(n) + ": '" + v + "'\nbuild:\n  script:\n    - make\n"
	}},
	{"ansible", "group_vars/all.yml", func(m maker, n, v string) string { return "---\nuser: deploy\n" + n + ": '" + v + "'\n" }},
	{"json", "config/default.json", func(m maker, n, v string) string {
		return "{\n  \"host\": \"db\",\n  \"" + camel(n) + "\": " + jsonString(v) + ",\n  \"port\": 5432\n}\n"
	}},
	{"json-compact", "appsettings.json", func(m maker, n, v string) string {
		return `{"Logging":{"Level":"Info"},"` + pascal(n) + `":` + jsonString(v) + `,"Hosts":"*"}`
	}},
	{"toml", "config.toml", func(m maker, n, v string) string { return "[server]\n" + n + " = \"" + v + "\"\nport = 80\n" }},
	{"ini", "app.ini", func(m maker, n, v string) string { return "[main]\nhost = x\n" + n + " = " + v + "\n" }},
	{"properties", "application.properties", func(m maker, n, v string) string {
		return "server.port=8080\nspring.app." + strings.ReplaceAll(n, "_", "-") + "=" + v + "\n"
	}},
	{"shell", "deploy.sh", func(m maker, n, v string) string {
		return "#!/bin/sh\nset -e\nexport " + strings.ToUpper(n) + "='" + v + "'\n./run\n"
	}},
	{"shell-bare", "env.sh", func(m maker, n, v string) string { return "export " + strings.ToUpper(n) + "=" + v + "\n" }},
	{"shell-flag", "run.sh", func(m maker, n, v string) string {
		return "#!/bin/sh\ntool --verbose --" + strings.ReplaceAll(n, "_", "-") + " '" + v + "' --out x\n"
	}},
	{"powershell", "deploy.ps1", func(m maker, n, v string) string {
		return "$env:" + strings.ToUpper(n) + " = \"" + v + "\"\n./run.ps1\n"
	}},
	{"batch", "run.bat", func(m maker, n, v string) string {
		return "@echo off\r\nset " + strings.ToUpper(n) + "=" + v + "\r\nrun.exe\r\n"
	}},
	{"makefile", "Makefile", func(m maker, n, v string) string { return strings.ToUpper(n) + " := " + v + "\nall:\n\tgo build\n" }},
	{"dockerfile-env", "Dockerfile", func(m maker, n, v string) string {
		return "FROM alpine\nENV " + strings.ToUpper(n) + "=" + v + "\nCMD [\"/app\"]\n"
	}},
	{"dockerfile-space", "docker/Dockerfile", func(m maker, n, v string) string { return "FROM alpine\nENV " + strings.ToUpper(n) + " " + v + "\n" }},
	{"dockerfile-arg", "Dockerfile.dev", func(m maker, n, v string) string {
		return "FROM alpine\nARG " + strings.ToUpper(n) + "=\"" + v + "\"\n"
	}},
	{"terraform", "main.tf", func(m maker, n, v string) string {
		return "resource \"x\" \"y\" {\n  name = \"y\"\n  " + n + " = \"" + v + "\"\n}\n"
	}},
	{"terraform-var", "variables.tf", func(m maker, n, v string) string {
		return "variable \"" + n + "\" {\n  type    = string\n  default = \"" + v + "\"\n}\n"
	}},
	{"xml-element", "settings-local.xml", func(m maker, n, v string) string {
		return "<?xml version=\"1.0\"?>\n<config>\n  <host>db</host>\n  <" + camel(n) + ">" + v + "</" + camel(n) + ">\n</config>\n"
	}},
	{"xml-add", "Web.config", func(m maker, n, v string) string {
		return "<configuration><appSettings>\n  <add key=\"" + pascal(n) + "\" value=\"" + v + "\" />\n</appSettings></configuration>\n"
	}},
	{"xml-property", "beans.xml", func(m maker, n, v string) string {
		return "<bean>\n  <property name=\"" + camel(n) + "\" value=\"" + v + "\"/>\n</bean>\n"
	}},
	{"plist", "Info.plist", func(m maker, n, v string) string {
		return "<plist><dict>\n\t<key>" + pascal(n) + "</key>\n\t<string>" + v + "</string>\n</dict></plist>\n"
	}},
	{"android", "res/values/keys.xml", func(m maker, n, v string) string {
		return "<resources>\n    <string name=\"" + n + "\" translatable=\"false\">" + v + "</string>\n</resources>\n"
	}},
	{"notebook", "analysis.ipynb", func(m maker, n, v string) string {
		src, _ := json.Marshal([]string{"import x\n", n + " = \"" + v + "\"\n", "x.run(" + n + ")"})
		return "{\"cells\": [{\"cell_type\": \"code\", \"source\": " + string(src) + "}]}\n"
	}},
	{"notebook-env", "train.ipynb", func(m maker, n, v string) string {
		src, _ := json.Marshal([]string{"import os\n", "os.environ['" + strings.ToUpper(n) + "'] = '" + v + "'\n"})
		return "{\"cells\": [{\"cell_type\": \"code\", \"source\": " + string(src) + "}]}\n"
	}},
	{"diff-add", "fix.patch", func(m maker, n, v string) string {
		return "--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,3 @@\n import os\n+" + strings.ToUpper(n) + " = \"" + v + "\"\n x = 1\n"
	}},
	{"diff-del", "rm.diff", func(m maker, n, v string) string {
		return "--- a/conf/app.yml\n+++ b/conf/app.yml\n@@ -1,3 +1,2 @@\n a: 1\n-" + n + ": " + v + "\n b: 2\n"
	}},
	{"readme", "README.md", func(m maker, n, v string) string {
		return "# App\n\nRun it:\n\n```sh\nexport " + strings.ToUpper(n) + "=" + v + "\nmake run\n```\n"
	}},
	{"log", "build.log", func(m maker, n, v string) string {
		return "2026-01-02T03:04:05Z INFO starting\n2026-01-02T03:04:06Z DEBUG connect host=db user=app " + n + "=" + v + " tls=true\n"
	}},
	{"systemd", "app.service", func(m maker, n, v string) string {
		return "[Service]\nEnvironment=\"" + strings.ToUpper(n) + "=" + v + "\"\nExecStart=/app\n"
	}},
	{"jenkinsfile", "Jenkinsfile", func(m maker, n, v string) string {
		return "pipeline {\n  environment {\n    " + strings.ToUpper(n) + " = '" + v + "'\n  }\n}\n"
	}},
	{"query", "notes.txt", func(m maker, n, v string) string {
		return "GET https://api.internal.corp/v1/items?" + n + "=" + strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D", "#", "%23", "@", "%40", "!", "%21", "$", "%24", "^", "%5E", "?", "%3F", "*", "%2A").Replace(v) + "&page=2\n"
	}},
	{"html", "index.html", func(m maker, n, v string) string {
		return "<html><script>\n  window.APP = { " + camel(n) + ": \"" + v + "\" };\n</script></html>\n"
	}},
	{"comment", "util.go", func(m maker, n, v string) string {
		return "package util\n\n// " + n + ": " + v + "\nvar X = 1\n"
	}},
	{"crlf-env", "prod.envfile", func(m maker, n, v string) string { return "A=1\r\n" + strings.ToUpper(n) + "=" + v + "\r\nB=2\r\n" }},
	{"cloudformation", "stack.yaml", func(m maker, n, v string) string {
		return "Parameters:\n  " + pascal(n) + ":\n    Type: String\n    Default: " + v + "\n"
	}},
}

// formed contexts carry a value that tells itself what it is, with no name.
var formedContexts = []context{
	{"call", "a.go", func(m maker, n, v string) string { return "package a\n\nvar c = dial(\"" + v + "\")\n" }},
	{"csv", "export.csv", func(m maker, n, v string) string { return "id,name,v\n1,bob," + v + ",x\n2,eve,,\n" }},
	{"prose", "docs/setup.md", func(m maker, n, v string) string { return "Use the value `" + v + "` for now.\n" }},
	{"array", "list.json", func(m maker, n, v string) string { return "[\"a\", \"" + v + "\", \"b\"]\n" }},
	{"trace", "out.log", func(m maker, n, v string) string { return "error: denied (" + v + "), giving up\n" }},
}

// special are the forms that names alone do not find.
func special(m maker) []planted {
	var list []planted
	add := func(kind, path, text string, values ...string) {
		list = append(list, planted{kind: kind, context: path, path: path, text: text, values: values})
	}
	urlSafe := func() string {
		return strings.NewReplacer("@", "%40", "#", "%23", "?", "%3F", "/", "%2F", "%", "x").Replace(m.password())
	}
	p := urlSafe()
	add("url-postgres", "db.py", "engine = create_engine(\"postgresql://app:"+p+"@db.corp:5432/app\")\n", p)
	p = urlSafe()
	add("url-mongo", "config.yml", "mongo: mongodb+srv://svc:"+p+"@cluster0.ab12c.mongodb.net/prod?retryWrites=true\n", p)
	p = urlSafe()
	add("url-redis", "app.env.txt", "REDIS_URL=redis://:"+p+"@cache.corp:6379/0\n", p)
	p = urlSafe()
	add("url-amqp", "q.rb", "conn = Bunny.new('amqp://worker:"+p+"@mq.corp:5672/%2f')\n", p)
	p = urlSafe()
	add("url-git", "install.sh", "git clone https://ci:"+p+"@git.corp/team/app.git\n", p)
	p = urlSafe()
	add("url-smtp", "mail.toml", "dsn = \"smtps://noreply%40corp.io:"+p+"@smtp.corp.io:465\"\n", p)
	p = urlSafe()
	add("url-proxy", "Dockerfile", "ENV http_proxy http://proxyuser:"+p+"@proxy.corp:3128\n", p)
	p = m.password()
	add("ado-net", "appsettings.json", `{"ConnectionStrings":{"Default":"Server=db;Database=app;User Id=app;Password=`+strings.ReplaceAll(p, ";", "x")+`;Encrypt=true"}}`, p)
	add("odbc", "web.config", `<add name="Db" connectionString="Driver={SQL Server};Server=db;Uid=sa1;Pwd=`+p+`;"/>`, p)
	p = m.of(base62+"!%*", 14)
	add("jdbc", "application.yml", "url: jdbc:mysql://db:3306/app?user=app&password="+p+"&useSSL=true\n", p)
	k := base64.StdEncoding.EncodeToString(m.bytes(64))
	add("azure-conn", "local.json", `{"c":"DefaultEndpointsProtocol=https;AccountName=app;AccountKey=`+k+`;EndpointSuffix=core.windows.net"}`, k)
	k = base64.StdEncoding.EncodeToString(m.bytes(32))
	add("servicebus", "bus.cs", `var c = "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=`+k+`";`, k)
	p = m.of(base62+"!%*", 14)
	add("mysql-dsn", "main.go", "db, err := sql.Open(\"mysql\", \"app:"+p+"@tcp(db:3306)/app\")\n", p)
	p = m.of(base62+"!%*", 14)
	add("libpq", "main.c", "PQconnectdb(\"host=db user=app password="+p+" dbname=app\");\n", p)
	sig := strings.ReplaceAll(strings.ReplaceAll(base64.StdEncoding.EncodeToString(m.bytes(32)), "+", "%2B"), "/", "%2F")
	add("sas", "blob.py", "u = 'https://x.blob.core.windows.net/c/f?sv=2023-01-03&sr=b&sig="+sig+"&se=2027'\n", sig)
	b := m.of(base62, 40)
	add("bearer-go", "c.go", "req.Header.Set(\"Authorization\", \"Bearer "+b+"\")\n", b)
	add("bearer-js", "c.js", "fetch(u, { headers: { Authorization: `Bearer "+b+"` } })\n", b)
	basic := base64.StdEncoding.EncodeToString([]byte("svc:" + m.of(base62, 12)))
	add("basic-curl", "c.sh", "curl -H 'Authorization: Basic "+basic+"' https://api.corp/\n", basic)
	add("basic-http", "r.http", "GET / HTTP/1.1\nHost: x\nAuthorization: Basic "+basic+"\n", basic)
	h := m.of(hexes, 40)
	add("header-apikey", "d.md", "curl -H \"X-Api-Key: "+h+"\" https://api.corp/v1\n", h)
	h = m.of(hexes, 32)
	add("header-private", "e.sh", "curl --header \"PRIVATE-TOKEN: "+h+"\" https://git.corp/api\n", h)
	h = m.of(base62, 32)
	add("cookie", "s.sh", "curl -b 'sessionid="+h+"; theme=dark' https://app.corp\n", h)
	p = m.password()
	add("curl-u", "f.sh", "curl -sS -u 'admin:"+p+"' https://api.corp/x\n", p)
	p = m.of(base62, 14)
	add("curl-u-bare", "g.sh", "curl -u deploy:"+p+" -T f https://repo.corp/\n", p)
	tok := m.uuid()
	add("npmrc", ".npmrc", "registry=https://npm.corp/\n//npm.corp/:_authToken="+tok+"\n", tok)
	np := base64.StdEncoding.EncodeToString([]byte("bot:" + m.of(base62, 16)))
	add("npmrc-auth", "x/.npmrc", "//npm.corp/:_auth="+np+"\nalways-auth=true\n", np)
	p = m.password()
	add("netrc", "docs/netrc.txt", "machine api.corp login bot password "+p+"\n", p)
	p = m.of(base62+"!#", 12)
	add("pgpass", "pgpass.txt", "db.corp:5432:app:app:"+p+"\n", p)
	add("htpasswd", "users.txt", "bob:$apr"+"1$"+m.of(base62, 8)+"$"+m.of(base62+"./", 22)+"\n", "")
	list[len(list)-1].values[0] = strings.TrimSpace(strings.TrimPrefix(list[len(list)-1].text, "bob:"))
	bc := "$2" + "y$10$" + m.of(base62+"./", 53)
	add("bcrypt", "seed.sql", "INSERT INTO users VALUES (1, 'bob', '"+bc+"');\n", bc)
	p = m.password()
	add("sql-identified", "init.sql", "CREATE USER 'app'@'%' IDENTIFIED BY '"+p+"';\n", p)
	p = m.password()
	add("sql-password", "pg.sql", "CREATE ROLE app LOGIN PASSWORD '"+p+"';\n", p)
	p = m.password()
	add("sql-server", "ms.sql", "CREATE LOGIN app WITH PASSWORD = N'"+p+"';\n", p)
	p = m.of(base62+"!#", 12)
	add("mysql-p", "dump.sh", "mysqldump -u root -p"+p+" app > x.sql\n", p)
	p = m.password()
	add("sshpass", "cp.sh", "sshpass -p '"+p+"' scp f bob@h:/x\n", p)
	p = m.password()
	add("docker-login", "ci.sh", "docker login -u bot -p '"+p+"' reg.corp\n", p)
	auth := base64.StdEncoding.EncodeToString([]byte("bot:" + m.of(base62, 16)))
	add("docker-config", "ci/docker.json", "{\"auths\":{\"reg.corp\":{\"auth\":\""+auth+"\"}}}\n", auth)
	kd := base64.StdEncoding.EncodeToString([]byte(m.privateKey()))
	add("kubeconfig", "cluster.yaml", "users:\n- name: a\n  user:\n    client-key-data: "+kd+"\n", kd)
	e1 := base64.StdEncoding.EncodeToString([]byte(m.password()))
	e2 := base64.StdEncoding.EncodeToString([]byte(m.of(base62, 32)))
	add("k8s-secret", "sealed/db.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  password: "+e1+"\n  connection-token: "+e2+"\n  username: YXBw\n", e1, e2)
	p = m.password()
	add("k8s-stringdata", "s.yaml", "kind: Secret\napiVersion: v1\nstringData:\n  admin-password: '"+p+"'\n  user: app\n", p)
	key := m.privateKey()
	add("pem-file", "server-key.txt", key, strings.TrimSpace(key))
	key = m.privateKey()
	add("pem-yaml", "tls.yaml", "tls:\n  key: |\n"+indented("    ", strings.TrimSpace(key))+"\n  port: 1\n", strings.TrimSpace(indented("    ", strings.TrimSpace(key))))
	key = m.privateKey()
	sa, _ := json.Marshal(map[string]string{"type": "service_account", "private_key_id": m.of(hexes, 40), "private_key": key, "client_email": "x@y.iam.gserviceaccount.com"})
	esc := strings.Trim(jsonString(strings.TrimSpace(key)), `"`)
	add("gcp-sa", "sa.json", string(sa), esc)
	key = m.privateKey()
	add("pem-go", "key.go", "package k\n\nvar key = `"+key+"`\n", strings.TrimSpace(key))
	key = m.privateKey()
	add("pem-diff", "k.patch", "--- a/k\n+++ b/k\n@@ -0,0 +1,9 @@\n"+indented("+", strings.TrimSpace(key))+"\n", strings.TrimPrefix(indented("+", strings.TrimSpace(key)), "+"))
	ppk := "PuTTY-User-Key" + "-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPublic-Lines: 2\nAAAAC3NzaC1lZDI1NTE5AAAAI" + m.of(base62, 39) + "\n" + m.of(base62, 16) + "\nPrivate-Lines: 1\n" + m.of(std64, 43) + "=\nPrivate-MAC: " + m.of(hexes, 64) + "\n"
	add("putty", "k.txt", ppk, ppk[strings.Index(ppk, "Private-Lines"):len(ppk)-1])
	d := m.of(url64, 43)
	add("jwk", "jwk.json", `{"kty":"EC","crv":"P-256","x":"`+m.of(url64, 43)+`","y":"`+m.of(url64, 43)+`","d":"`+d+`"}`, d)
	ak, as := "AK"+"IA"+m.of(uppers+"234567", 16), m.of(std64, 40)
	add("aws-pair-csv", "accessKeys.csv", "Access key ID,Secret access key\n"+ak+","+as+"\n", ak, as)
	p = m.password()
	add("spring-jaas", "kafka.properties", "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a\" password=\""+strings.ReplaceAll(p, "$", "x")+"\";\n", strings.ReplaceAll(p, "$", "x"))
	p = m.of(base62+"!#", 12)
	add("redis-conf", "redis.conf", "bind 0.0.0.0\nrequirepass "+p+"\n", p)
	p = m.of(base62+"!#", 14)
	add("requests-auth", "r.py", "requests.get(u, auth=('svc', '"+p+"'))\n", p)
	wg := base64.StdEncoding.EncodeToString(m.bytes(32))
	add("wireguard", "vpn.txt", "[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = "+wg+"\n", wg)
	salt := strings.NewReplacer("'", "x", "\\", "y").Replace(m.of(base62+"!@#$%^&*()-_ []{}<>~`+=,.;:/?|", 64))
	add("wp-salt", "wp.php", "<?php\ndefine('AUTH_KEY',         '"+salt+"');\n", salt)
	p = m.password()
	add("secure-string", "x.ps1", "$p = ConvertTo-SecureString \""+strings.ReplaceAll(p, "$", "x")+"\" -AsPlainText -Force\n", strings.ReplaceAll(p, "$", "x"))
	p = m.password()
	add("maven", "m.xml", "<servers><server><id>r</id><username>u</username><password>"+strings.NewReplacer("<", "x", "&", "y").Replace(p)+"</password></server></servers>\n", strings.NewReplacer("<", "x", "&", "y").Replace(p))
	p = m.of(base62+"!#", 14)
	add("compose-default", "c.yml", "    environment:\n      PGPASSWORD: ${PGPASSWORD:-"+p+"}\n", p)
	jw := m.jwt()
	add("jwt-url", "j.txt", "https://app.corp/cb?t="+jw+"&x=1\n", jw)
	add("jwt-json", "j.json", "{\"data\":[\""+jw+"\"]}\n", jw)
	words := make([]string, 12)
	for i := range words {
		words[i] = passwordWords[m.IntN(len(passwordWords))]
	}
	mn := strings.Join(words, " ")
	add("mnemonic", "hardhat.config.ts", "accounts: { mnemonic: \""+mn+"\" },\n", mn)
	eth := "0x" + m.of(hexes, 64)
	add("eth-key", "deploy.js", "const privateKey = '"+eth+"';\n", eth)
	enc64 := base64.StdEncoding.EncodeToString([]byte("{\n  \"type\": \"service_account\",\n  \"private_key\": \"" + m.of(base62, 200) + "\"}"))
	add("base64-json", "ci.yml", "env:\n  GCP_SA_KEY: "+enc64+"\n", enc64)
	return list
}

// makeCorpus draws one of everything, and values in random contexts.
func makeCorpus(seed uint64) []planted {
	m := maker{rand.New(rand.NewPCG(seed, 7))}
	list := special(m)
	one := func(k specimen, c context) {
		v := k.value(m)
		// What a context cannot hold bare stands quoted in real files.
		if strings.ContainsAny(v, "#$^&*!?%@ ") {
			switch c.id {
			case "yaml", "makefile", "compose", "shell-bare", "dockerfile-env", "dockerfile-space", "readme", "k8s-env-bare", "workflow", "diff-del", "batch", "cloudformation", "log":
				v = strings.NewReplacer("#", "x", "$", "y", "^", "z", "&", "w", "*", "v", "%", "u", "?", "t", "@", "s").Replace(v)
			case "systemd", "groovy", "kotlin", "powershell", "php", "dart":
				v = strings.ReplaceAll(v, "$", "y")
			}
		}
		n := m.pick(k.names...)
		want := v
		text := c.text(m, n, v)
		if !strings.Contains(text, v) { // escaped by the context
			if e := strings.Trim(jsonString(v), `"`); strings.Contains(text, e) {
				want = e
			} else {
				return
			}
		}
		list = append(list, planted{kind: k.id, context: c.id, path: c.path, text: text, values: []string{want}})
	}
	for _, k := range tokenKinds {
		for range 3 {
			one(k, contexts[m.IntN(len(contexts))])
		}
	}
	for _, c := range contexts {
		one(passwordKind, c)
		one(passwordKind, c)
		one(tokenKinds[m.IntN(len(tokenKinds))], c)
	}
	for _, k := range tokenKinds[:34] {
		if k.id == "aws-secret" || k.id == "azure-storage" {
			continue // without a name it tells nothing
		}
		one(k, formedContexts[m.IntN(len(formedContexts))])
	}
	return list
}

// score scans a corpus. A value counts as found when findings cover it whole; a
// finding that touches no value is false.
func score(t *testing.T, s *Scanner, corpus []planted, benign []planted, verbose bool) (recall, precision float64) {
	t.Helper()
	found, values, right, wrong := 0, 0, 0, 0
	for _, f := range corpus {
		text := []byte(f.text)
		got, err := s.Scan(f.path, text, nil)
		if err != nil {
			t.Errorf("%s in %s: %v", f.kind, f.context, err)
		}
		touched := make([]bool, len(got))
		for _, v := range f.values {
			values++
			if !covered(text, v, got, touched) {
				if verbose {
					t.Logf("missed %s in %s: %q\n%s", f.kind, f.context, v, short(f.text))
				}
				continue
			}
			found++
		}
		for i, ok := range touched {
			if ok {
				right++
			} else if wrong++; verbose {
				t.Logf("false %s: %q in %s of %s: %q", got[i].Rule, text[got[i].Start:got[i].End], f.context, f.kind, short(f.text))
			}
		}
		red := Redact(text, got)
		if again, _ := s.Scan(f.path, red, nil); len(again) > 0 && verbose {
			t.Logf("again %s in %s: %q", f.kind, f.context, red)
		}
	}
	for _, f := range benign {
		got, err := s.Scan(f.path, []byte(f.text), nil)
		if err != nil {
			t.Errorf("%s: %v", f.kind, err)
		}
		wrong += len(got)
		for _, g := range got {
			if verbose {
				t.Logf("false %s: %q in %s", g.Rule, f.text[g.Start:g.End], f.kind)
			}
		}
	}
	return float64(found) / float64(values), float64(right) / float64(right+wrong)
}

// covered reports whether every place of v in text lies within one finding, and
// marks the findings that touch v.
func covered(text []byte, v string, got []value.Finding, touched []bool) bool {
	all := true
	n := 0
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(v))
		if i < 0 {
			return all && n > 0
		}
		n++
		start, end := at+i, at+i+len(v)
		in := false
		for j, g := range got {
			if g.Start < end && start < g.End {
				touched[j] = true
			}
			in = in || g.Start <= start && end <= g.End
		}
		all = all && in
		at = end
	}
}

func short(s string) string {
	if len(s) > 400 {
		return s[:400] + "..."
	}
	return s
}

func newScanner(t testing.TB) *Scanner {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCorpus(t *testing.T) {
	s := newScanner(t)
	kinds, files := map[string]bool{}, 0
	for seed := range uint64(4) {
		corpus := makeCorpus(seed)
		for _, f := range corpus {
			kinds[f.kind] = true
		}
		files += len(corpus)
		benign := makeBenign(seed)
		if len(benign) < 60 {
			t.Errorf("%d benign files, want 60", len(benign))
		}
		recall, precision := score(t, s, corpus, benign, testing.Verbose())
		t.Logf("seed %d: %d files, %d benign, recall %.3f, precision %.3f", seed, len(corpus), len(benign), recall, precision)
		if recall < 0.97 || precision < 0.97 {
			t.Errorf("seed %d: recall %.3f, precision %.3f, want 0.97", seed, recall, precision)
		}
	}
	if len(kinds) < 60 || files < 90 {
		t.Errorf("%d kinds in %d files, want 60 in 90", len(kinds), files)
	}
}

var _ = hex.EncodeToString
