package secret

import (
	"math/rand/v2"
	"testing"
)

// standingBy are places whose value is told by the name of its file, or by its position. ‹› is a value, drawn anew; a text without one stays.
var standingBy = []struct{ path, text string }{
	{"etc/rsyncd.secrets", "# modules\nbackup:‹›\nalice:‹›\n"},
	{"etc/ppp/chap-secrets", "# client server secret addresses\nbob\tl2tpd\t\"‹›\"\t*\nalice * ‹› 10.0.0.5\n"},
	{"etc/ipsec.secrets", "bob : EAP \"‹›\"\ncarol@corp.io : XAUTH \"‹›\"\n"},
	{"etc/exim4/passwd.client", "*.corp.io:bob@corp.io:‹›\n"},
	{"etc/davfs2/secrets", "https://dav.corp.io/ bob ‹›\n"},
	{"etc/dovecot/users", "bob:{PLAIN}‹›:1000:1000::/home/bob\nalice:‹›\n"},
	{"etc/asterisk/voicemail.conf", "[default]\n2001 => ‹›,Bob,bob@corp.io\n"},
	{"etc/asterisk/sip.conf", "register => 2001:‹›@sip.corp.io/2001\n"},
	{"znc/configs/znc.conf", "\tServer = irc.libera.chat +6697 ‹›\n"},
	{"etc/3proxy.cfg", "users bob:CL:‹›\nparent 1000 socks5 10.0.0.1 1080 alice ‹›\n"},
	{"etc/monitrc", "set httpd port 2812\n  allow admin:‹›\n"},
	{"etc/nut/upsmon.conf", "MONITOR ups@localhost 1 upsmon ‹› master\n"},
	{"weechat/sec.conf", "[data]\nlibera = \"‹›\"\n"},
	{"vpn/auth.txt", "bob@corp.io\n‹›\n"},
	{"run/secrets/db_password.txt", "‹›\n"},
	{"ops/secrets.yml", "libera: ‹›\nmirror: \"‹›\"\n"},
	{"net/wlc.cfg", " wpa-psk ascii 0 ‹›\n"},
	{"net/a.rsc", "/snmp community set [ find default=yes ] name=‹›\n"},
	{"zookeeper/jaas.conf", "Server {\n  a.DigestLoginModule required\n  user_super=\"‹›\"\n  user_bob=\"‹›\";\n};\n"},
	{"a.sh", "fly -t prod login -c https://ci.corp -u admin -p ‹›\n"},
	{"a.sql", "CREATE TABLE `users` (`id` int, `price` decimal(8,2), `api_token` varchar(64));\nINSERT INTO `users` VALUES (1,2,'‹›'),(2,3,'‹›');\n"},
	{"a.eml", "Activation code: ‹›\n"},
	{"a.py", "INVITE_CODE = \"‹›\"\n"},

	{"a.kt", "data class Account(val login: String, val secret: String)\nval all = listOf(Account(\"bob\", \"‹›\"))\n"},
	{"a.scala", "case class Login(user: String, password: String)\nval l = Login(\"bob\", \"‹›\")\n"},
	{"a.java", "record Login(String user, String password) {}\nvar l = new Login(\"bob\", \"‹›\");\n"},
	{"a.go", "type cred struct {\n\tUser  string\n\tToken string\n}\n\nvar all = []cred{\n\t{\"bob\", \"‹›\"},\n\t{\"amy\", \"‹›\"},\n}\n"},
	{"a_test.go", "\ttests := []struct {\n\t\tname, user, password string\n\t}{\n\t\t{\"a\", \"bob\", \"‹›\"},\n\t}\n"},
	{"a.c", "struct login { const char *user; const char *password; };\nstatic struct login all[] = {\n\t{\"bob\", \"‹›\"},\n};\n"},
	{"a.rs", "fn login(&self, user: &str, password: &str) {}\nfn main() { c.login(\"bob\", \"‹›\"); }\n"},
	{"a.swift", "let pairs: [(user: String, password: String)] = [(\"bob\", \"‹›\")]\n"},
	{"a_test.py", "@pytest.mark.parametrize(\"user,password\", [\n    (\"bob\", \"‹›\"),\n    (\"amy\", \"‹›\"),\n])\n"},
	{"a.cs", "[InlineData(\"bob\", \"‹›\")]\n[InlineData(\"amy\", \"‹›\")]\npublic void Login(string user, string password) {}\n"},
	{"A.java", "@CsvSource({\"bob, ‹›\", \"amy, ‹›\"})\nvoid login(String user, String password) {}\n"},
	{"a.test.ts", "it.each([[\"bob\", \"‹›\"]])(\"%s\", async (user, password) => {});\n"},
	{"a.rs", "let p = Secret::new(\"‹›\".to_owned());\nlet s = SecretString::from(\"‹›\");\n"},

	{"a.go", "var store = sessions.NewCookieStore([]byte(\"‹›\"))\nm := csrf.Protect([]byte(\"‹›\"))\n"},
	{"a.js", "const sig = createHmac(\"sha256\", \"‹›\").update(body);\njwt.sign({ id: \"q8n6re1q98gx8ajrfgo5vmilf8uq3s1n\" }, \"‹›\");\n"},
	{"a.py", "mac = hmac.new(b\"‹›\", body, hashlib.sha256)\njwt.encode({\"sub\": 1}, \"‹›\", algorithm=\"HS256\")\n"},
	{"A.java", "Algorithm a = Algorithm.HMAC256(\"‹›\");\nvar b = Jwts.builder().signWith(SignatureAlgorithm.HS256, \"‹›\");\n"},
	{"couch/local.ini", "[admins]\nbob = ‹›\namy = ‹›\n[log]\nlevel = info\n"},
	{"mq/users.properties", "admin=‹›\n"},
	{"tls/server.psk", "‹›\n"},
	{"login.http", "------b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n‹›\r\n------b--\r\n"},
	{"a.md", "<!-- admin login: bob / ‹› -->\nThe same user, pass ‹›\n"},
	{"a.sql", "-- login app / ‹›\n"},
	{"a.clp", "CRTUSRPRF USRPRF(BOB) PASSWORD(‹›) USRCLS(*USER)\n"},
	{"a.cbl", "       01  WS-DB-PASSWORD     PIC X(32) VALUE '‹›'.\n"},
	{"a.clixml", "<S N=\"UserName\">bob</S>\n<SS N=\"Password\">‹›</SS>\n"},
	{"a.dart", "const k = String.fromEnvironment('API_KEY', defaultValue: '‹›');\n"},
	{"a.properties", "chave.secreta=‹›\n"},
	{"a.ini", "cle_api = ‹›\n"},
	{"a.env", "SEED=‹›\nWALLET_SEED=‹›\n"},
	{"a.rcv", "connect target sys/‹›@prod\n"},
	{"a.http", "Sec-WebSocket-Protocol: bearer, ‹›\n"},

	{"junos.conf", "set snmp community ‹› authorization read-only\nset security ike policy p pre-shared-key ascii-text \"‹›\"\n"},
	{"snmp.xml", "<snmpd><rocommunity>‹›</rocommunity></snmpd>\n"},
	{"kamctlrc", "DBRWPW=\"‹›\"\nDBROPW=‹›\n"},
	{"Caddyfile", "corp.io {\n\ttls {\n\t\tdns cloudflare ‹›\n\t}\n}\n"},
	{"condarc.yml", "channels:\n  - https://conda.corp.io/t/‹›/private\n"},
	{"pip.ini", "extra-index-url = https://dl.cloudsmith.io/‹›/corp/py/python/simple/\n"},
	{"a.sh", "printf 'bob\\n‹›\\n' | ./login.sh\nprintf \"bob\\n‹›\" > auth.txt\n"},
	{"jetty/realm.properties", "admin: ‹›,user,admin\n"},
	{"a.py", "API_TOKEN_PEPPERS = {1: '‹›'}\n"},

	{"ntp/ntp.keys", "1 SHA1 ‹›\n2 MD5 ‹› # of the lab\n"},
	{"mail/authinfo", "AuthInfo:smtp.corp.io \"U:root\" \"I:bob\" \"P:‹›\"\n"},
	{"shiro.ini", "[users]\nbob = ‹›, admin\n"},
	{"application.properties", "quarkus.security.users.embedded.users.bob=‹›\n"},
	{"a.http", "GET https://api.corp.io/me\nAuthorization: Basic bob ‹›\n"},
	{"a.xml", "<wsse:Password Type=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText\">‹›</wsse:Password>\n"},
	{"a.nix", "users.users.root.initialPassword = lib.mkForce \"‹›\";\n"},
	{"a.tcl", "set dbpass {‹›}\n"},
	{"a.tex", "Zugang: \\texttt{bob} mit Passwort \\texttt{‹›}\n"},
	{"a.rb", "provider :github, 'a1b2', '‹›', scope: 'user'\n"},
	{"a.sql", "EXEC sp_addlinkedsrvlogin 'HQ', 'false', NULL, 'sa', '‹›';\nEXEC sp_addlogin 'bob', '‹›';\n"},
	{"grub.cfg", "set superusers=\"root\"\npassword root ‹›\n"},
	{"a.sh", "kdb5_util create -s <<EOT\n‹›\n‹›\nEOT\nbin/elasticsearch-reset-password -u elastic -i <<< \"‹›\"\nusermod -p \"$(openssl passwd -6 ‹›)\" bob\n"},

	{"jenkins/credentials.xml", "<password>{AQAABAAAAAQSmCHFTv6RzdJ7wNSkVthcj7FwWxhKEW9D/3YZpVHESL=}</password>\n"},
	{"a.env", "SEED=12345\nRANDOM_SEED=1618033988749895\nseed = 98f13708210194c475687be6106a3b84e6bc0a1f\n"},
	{"a.js", "createHmac(\"sha256\", key).update(\"aLongPlainMessageBody\").digest(\"hex\");\ncsrf.protect(\"98f13708210194c475687be6106a3b84e6bc0a1f\");\n"},
	{"a.ini", "[users]\nshell = /bin/zsh\nhome = production-home-folder\n"},
	{"up.http", "Content-Disposition: form-data; name=\"file\"\r\n\r\nq8n6re1q98gx8ajrfgo5vmilf8uq3s1n\r\n"},
	{"a.md", "Log in to your account at docs / getting-started and pass the-name-of-a-user.\n"},
	{"a.sql", "INSERT INTO t VALUES ('a'); -- token value 'createTemporaryTable'\n"},
	{"a.t", "like(get('https://corp.io/t/basic-authentication-works/index.html'), qr/ok/);\nprintf 'a\\nsecond-line-of-the-text\\n'\nprintf 'x\\n98f13708210194c475687be6106a3b84e6bc0a1f\\n'\n"},
	{"pip.ini", "extra-index-url = https://dl.cloudsmith.io/public/corp/py/python/simple/\n"},
	{"jetty/realm.properties", "admin: MD5:98f13708210194c475687be6106a3b84,user\nbob: CRYPT:adpexzg3FUZAk,user\n"},
	{"named.conf", "dns nameserver ns1.internal.corp.io\n  dns search internal-services-one\n"},
	{"a.md", "Recovery phrase: this is what you must write down and keep in a safe place at home\nsnmp community strings-are-in-the-vault\n"},
	{"ntp/ntp.keys", "# id type key\nserver 0.pool.ntp.org iburst\nkeys /etc/ntp/keys\n"},
	{"application.properties", "quarkus.security.users.embedded.roles.bob=administrator\nspring.users.defaults=98f13708210194c475687be6106a3b84\n"},
	{"a.http", "WWW-Authenticate: Basic realm internal-administration\nAuthorization: Basic {{user}} {{password}}\n"},
	{"a.md", "Basic usage q8n6re1q98gx8ajrfgo5vmilf8uq3s1n\n"},
	{"a.hs", "password <- getEnv \"DATABASE_PASSWORD\"\nlabel = password \"EnterYourPassword\"\n"},
	{"a.conf", "com2sec readonly 10.0.0.0/8 <password>\nrwcommunity <password> 10.0.0.4\n"},
	{"a.kts", "password(\"system.db.pass\", \"credentialsJson:6f1c2d34-5a7b-4c8d-9e0f-1a2b3c4d5e6f\")\n"},
	{"a.cpp", "constexpr uint64_t kSecretMagic = 0x5439b6787fb33b69ULL;\n"},
	{"a.s", "\t.quad 0x4b46f6ed9a4d1721 # secret\n"},
	{"a.java", "String password = System.getenv(\"q8n6re1q98gx8ajrfgo5vmilf8uq3s1n\");\n"},
	{"a.py", "conf['git']['token']['sha'] = rev('98f13708210194c475687be6106a3b84e6bc0a1f')\n"},
	{"a.cfg", "password encryption aes-default-configuration\npassword complexity strong-minimum-length\n"},
	{"etc/rsyncd.conf", "[backup]\nsecrets file = /etc/rsyncd.secrets\n"},
	{"etc/ipsec.secrets", ": RSA moonKey.pem\ninclude /var/lib/strongswan/ipsec.secrets.inc\n"},
	{"etc/dovecot/users", "root:x:0:0:root:/root:/bin/bash\n"},
	{"vpn/auth.txt", "bob@corp.io\nthanks for the token\n"},
	{"etc/asterisk/voicemail.conf", "[default]\n2001 => 1234,Bob,bob@corp.io\n"},
	{"etc/monitrc", "allow localhost\nallow 10.0.0.0/8\nallow @monit\n"},
	{"ops/secrets.yml", "sha256: 98f13708210194c475687be6106a3b84e6bc0a1f\npath: /run/secrets\ndriver: kubernetes-secrets-store\n"},
	{"ops/sealed-secrets.yml", "db: AgBy3i4OJSWK+PiTySYZZA9rO43cGDEq\n"},
	{"a_test.go", "\ttests := []struct{ input, token, rest string }{\n\t\t{\"foo bar\", \"createTemporaryTable\", \" bar\"},\n\t\t{\"a\", \"98f13708210194c475687be6106a3b84e6bc0a1f\", \"\"},\n\t}\n"},
	{"a_test.py", "@pytest.mark.parametrize(\"text,digest\", [\n    (\"abc\", \"98f13708210194c475687be6106a3b84e6bc0a1f\"),\n])\n"},
	{"a.cs", "Assert.AreEqual(expected, token);\nAssert.AreEqual(\"x\", \"q8n6re1q98gx8ajrfgo5vmilf8uq3s1n\");\n"},
	{"a.sql", "CREATE TABLE files (id int, sha varchar(64));\nINSERT INTO files VALUES (1,'98f13708210194c475687be6106a3b84e6bc0a1f');\n"},
	{"a.md", "The invite code is on the back. Set invite_code: summer-of-code-2024 or activation code 98f13708210194c475687be6106a3b84e6bc0a1f.\n"},
	{"a.sh", "mkdir -p build/output/directory && docker run -u 1000 -p 8080:80 nginx\nssh -l bob -p 2222 host.corp.io\n"},
}

// TestStandingBy: what the name of a file, a position, or a table's columns tell of is found whole, and what is none stays.
func TestStandingBy(t *testing.T) {
	s := newScanner(t)
	r := rand.New(rand.NewPCG(39, 10))
	for _, p := range standingBy {
		for _, set := range []string{lowers + uppers + "0123456789", lowers + "0123456789", lowers + uppers} {
			checkDrawn(t, s, p.path, p.text, func() string {
				v := make([]byte, 24)
				for i := range v {
					v[i] = set[r.IntN(len(set))]
				}
				return string(v)
			})
		}
	}
}
