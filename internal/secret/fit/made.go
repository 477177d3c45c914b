package fit

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret"
)

// madeShare is how much the made examples weigh together, as a part of the labelled ones.
const madeShare = 0.8

// madeTexts is how many texts are made.
const madeTexts = 60000

// places are the forms that values are written in, and the file for it. N is the name in the case of the place, V the value.
var places = [...]struct{ path, text string }{
	{"app/settings.py", "N_S = \"{}\"\n"}, {"app/settings.py", "N_S = '{}'\n"}, {"src/client.ts", "const N_C = \"{}\";\n"}, {"src/client.ts", "  N_C: '{}',\n"},
	{"src/Main.java", "    private static final String N_U = \"{}\";\n"}, {"main.go", "\tN_C := \"{}\"\n"}, {"main.go", "\t\tN_P: \"{}\",\n"},
	{"main.go", "\tN_C := []byte(\"{}\")\n"}, {"src/Main.java", "\tclient.setN_P(\"{}\");\n"}, {"lib/client.rb", "  N_S: '{}',\n"}, {"lib/client.rb", "  :N_S => \"{}\",\n"},
	{"config.json", "  \"N_C\": \"{}\",\n"}, {"config.json", "{\"N_S\":\"{}\",\"port\":1}\n"}, {"config.json", "{\"N_S\":[\"{}\"],\"port\":1}\n"}, {"config.yml", "  N_S: {}\n"}, {"config.yaml", "N_C: \"{}\"\n"},
	{".env", "N_U={}\n"}, {"deploy/app.env", "N_U=\"{}\"\n"}, {"run.sh", "export N_U={}\n"}, {"run.sh", "client --N_K {} --verbose\n"}, {"run.sh", "client --N_K={}\n"},
	{"app.properties", "server.N_D={}\n"}, {"app.properties", "N_D = {}\n"}, {"app.ini", "N_S = {}\n"}, {"pom.xml", "  <N_C>{}</N_C>\n"}, {"web.config", "<add key=\"N_P\" value=\"{}\" />\n"},
	{"main.tf", "  N_S = \"{}\"\n"}, {"Dockerfile", "ENV N_U {}\n"}, {"Dockerfile", "ENV N_U={}\n"}, {"README.md", "    N_U={}\n"}, {"docs/use.md", "Set N_S: `{}`\n"}, {"docs/use.md", "```\nN_S = \"{}\"\n```\n"},
	{"spec/a.yml", "    body: '{\"N_S\":\"{}\",\"expires\":1}'\n"}, {"spec/b.json", "  \"raw\": \"{\\\"N_C\\\": \\\"{}\\\"}\"\n"}, {"src/a.cs", "    public string N_P { get; } = \"{}\";\n"},
	{"src/a.kt", "    val N_C = \"{}\"\n"}, {"src/a.rs", "    let N_S = \"{}\";\n"}, {"src/a.php", "    'N_S' => '{}',\n"}, {"src/a.php", "define('N_U', '{}');\n"}, {"src/a.go", "os.Setenv(\"N_U\", \"{}\")\n"}, {"src/a.js", "map.set('N_S', '{}')\n"}, {"src/a.cs", "  {\"N_C\", \"{}\"},\n"},
	{"src/a.py", "connect(\"host=db user=app N_S={}\")\n"}, {"src/a.cs", "var c = \"Server=db;User=app;N_P={};Encrypt=True\";\n"}, {"a.gradle", "  N_C \"{}\"\n"}, {"src/a.js", "process.env.N_U || '{}'\n"},
	{"test/a_test.go", "\tif N_C != \"{}\" {\n"}, {"compose.yml", "      - N_U={}\n"}, {"a.tfvars", "N_S=\"{}\"\n"}, {"src/a.scala", "  N_C = \"{}\" // as made\n"}, {"src/a.py", "# N_S = \"{}\"\n"},
	{"app.yml", "N_S:\n  - {}\n  - other\n"}, {"app.yml", "N_S:\n    {}\n"}, {"src/a.js", "N_Cs: ['{}'],\n"}, {"src/a.js", "  N_C: ['{}', '{}'],\n"}, {"home/netrc", "machine api.acme.io login svc N_S {}\n"}, {"a.robot", "${N_U}    {}\n"}, {"app.yml", "N_S: |\n    {}\nnext: 1\n"}, {"app.yml", "N_S:\n  main: {}\n  port: 80\n"},
	{"src/a.ts", "N_C: { main: \"{}\" },\n"}, {"src/a.groovy", "  N_C '{}'\n"}, {"app.conf", "N_S {}\n"}, {"docs/use.md", "The N_S is {}\n"}, {"notes.md", "the N_S is `{}`\n"}, {"notes.md", "Log in as `dba` (N_S `{}`).\n"}, {"docs/use.md", "- N_S `{}`\n"}, {"README.md", "the N_S is `{}`\n"}, {"docs/a.md", "pass the N_S `{}` to it\n"}, {"docs/a.md", "using N_S {} for it\n"}, {"docs/a.md", "With the N_S `{}` it works.\n"}, {"chat.txt", "ann: the new N_S is {} please keep it\n"}, {"docs/use.md", "The N_S for it is **{}**.\n"},
	{"main.go", "const N_C string = \"{}\"\n"}, {"main.go", "\tuser, N_C := \"jane\", \"{}\"\n"}, {"src/a.cs", "    public string N_P { get; set; } = \"{}\";\n"}, {"settings.py", "N_U = config('N_U', default='{}')\n"},
	{"lib/a.rb", "set :N_S, '{}'\n"}, {"src/a.rs", "static N_U: &'static str = \"{}\";\n"}, {"notes.md", "N_S: `{}`\n"}, {"src/a.php", "$N_S .= '{}';\n"},
	{"notes.txt", "app N_S = '{}'\n"}, {"notes.txt", "app N_S: \"{}\"\n"}, {"notes.txt", "N_S={}\n"}, {"notes.txt", "app N_S: {}\n"},
	{"docs/use.md", "| N_S | {} |\n"}, {"src/a.py", "os.environ.get(\"N_U\", \"{}\")\n"}, {"src/a.exs", "config :app, N_S: \"{}\"\n"}, {"src/a.go", "client.New(\"N_S\", \"{}\")\n"},
	{"table.csv", "id,N_S\n1,{}\n"}, {"docs/use.md", "| user | N_S |\n|---|---|\n| jane | {} |\n"}, {"a.tf", "variable \"N_S\" {\n  default = \"{}\"\n}\n"}, {"compose.yml", "  N_U: ${N_U:-{}}\n"},
	{"app.yml", "- name: N_U\n  value: {}\n"}, {"a.plist", "<key>N_C</key><string>{}</string>\n"}, {"src/a.vb", "Dim N_C As String = \"{}\"\n"}, {"app.yml", "url: postgres://app:{}@db.internal/app\n"}, {"src/a.py", "dsn = \"mongodb://svc:{}@10.0.0.7/app\"\n"}, {"a.lua", "N_S = [[a]], \"{}\"\n"},
	{"deploy.py", "CONF = \"\"\"\nuser: svc\nN_S: {}\n\"\"\"\n"}, {"main_test.go", "const c = `\nN_U={}\nPORT=1\n`\n"}, {"docs/use.rst", "N_S: ``{}``\n"}, {"README.md", "**N_S:** {}\n"},
	{"notes.txt", "postgres://app:{}@db.acme.io/x\n"}, {"docs/use.md", "Connect to `redis://:{}@cache:6379`.\n"},
}

// given are places that name nothing, where a password is sure to stand, or a key.
var given = [...]struct{ path, text string }{
	{"run.sh", "mysql -u root -p{} app\n"}, {"run.sh", "curl -u jane:{} https://api.acme.io/x\n"}, {"run.sh", "echo '{}' | docker login --password-stdin r.acme.io\n"},
	{"run.sh", "sshpass -p '{}' ssh jane@acme.io\n"}, {"run.sh", "redis-cli -a {} ping\n"}, {"run.sh", "unzip -P {} a.zip\n"}, {"README.md", "    $ curl -u jane:{} https://api.acme.io\n"},
	{"README.md", "Run `docker login -u jane -p {} r.acme.io` first.\n"}, {"ci.yml", "  - run: htpasswd -b .users jane {}\n"}, {"src/a.py", "os.system(\"mysql -uroot -p{}\")\n"},
	{"src/a.py", "smtp.login(\"jane\", \"{}\")\n"}, {"src/a.php", "$db = mysqli_connect('db', 'jane', '{}');\n"}, {"spec/a.rb", "fill_in 'Password', with: '{}'\n"}, {"src/a.py", "requests.get(url, auth=('jane', '{}'))\n"}, {"test/a.js", "await page.fill('#password', '{}');\n"},
	{"test/a.js", "cy.get('#password').type('{}')\n"}, {"src/A.java", "c = DriverManager.getConnection(url, \"app\", \"{}\");\n"}, {"src/a.rb", "basic_auth 'jane', '{}'\n"},
	{"init.sql", "CREATE USER app WITH PASSWORD '{}';\n"}, {"init.sql", "CREATE USER 'app'@'%' IDENTIFIED BY '{}';\n"}, {"pgpass.txt", "db.internal:5432:app:svc:{}\n"},
	{"main.go", "a := smtp.PlainAuth(\"\", \"jane@acme.io\", \"{}\", host)\n"}, {"main.go", "db, err := sql.Open(\"mysql\", \"app:{}@tcp(db:3306)/app\")\n"},
	{"src/a.ts", "await login(\"ann@acme.io\", \"{}\");\n"}, {"src/a.py", "client = acme.Client(\"{}\")\n"}, {"src/a.js", "const c = new Client('{}');\n"},
	{"src/a.js", "const t = jwt.sign(payload, '{}');\n"}, {"src/a.js", "crypto.createHmac('sha256', '{}')\n"}, {"run.sh", "netlify login --auth {}\n"},
	{"run.sh", "curl -H \"Authorization: Bearer {}\" https://api.acme.io\n"}, {"lib/a.rb", "c = Client.new('{}')\n"}, {"router.cfg", "tacacs-server host 10.0.0.7 key {}\n"},
}

// decoys are places whose value is none that the name before it tells, whatever it looks like.
var decoys = [...]struct{ path, text string }{
	{"test/a_test.go", "\thash := F(\"N_S\", \"{}\", 12, true)\n"}, {"lib/a.rb", "  list = [\"N_S\", \"{}\", \"other\"]\n"}, {"src/a.py", "sha256(N_S, \"{}\", 4)\n"},
	{"src/a.ts", "  N_CHash: '{}',\n"}, {"app.yml", "N_S_id: {}\n"}, {"src/a.java", "  assertEquals(N_CLength, \"{}\");\n"}, {"docs/use.md", "The N_S is checked in {} too\n"},
}

// argument is where a word is more often handed to what tests a password.
var argument = struct{ path, text string }{"test/a_test.go", "\tok := CheckN_P(\"{}\", hash)\n"}

// names say what a value is, in words; those of the second list are told by their last word to hold something else.
var (
	passNames  = [...]string{"password", "db password", "passwd", "user pass", "admin password", "pwd", "passphrase", "smtp password", "redis pass", "key store password"}
	tokenNames = [...]string{"api key", "token", "access token", "secret", "client secret", "auth token", "secret key", "encryption key", "private key", "api secret", "refresh token", "tokens", "signing key", "consumer key", "app secret", "cred", "credential", "cred"}
	weakNames  = [...]string{"key", "auth", "session", "cookie", "salt", "session id", "aes key", "key auth"}
)

var madeWords = strings.Fields(`river summer winter dragon falcon copper silver garden monkey orange purple coffee tiger castle bridge mountain
	rabbit pepper ginger candle forest thunder marble velvet harbor meadow sunset planet rocket violin anchor walnut pirate wizard jungle
	hammer basket lemon cherry yellow autumn frozen gentle hollow lucky mellow noble proud quiet rapid shiny swift tender vivid wild young`)

var plainMade = strings.Fields(`user name value type config default service client server request response handler manager provider factory
	table column field option update create delete select query index count list item group role admin local remote test example invalid
	required missing wrong expired header body form input label button reset confirm enter your current previous next encode decode token
	secret key password api auth pass credential my some fake dummy`)

type maker struct{ *rand.Rand }

func (m maker) pick(list []string) string { return list[m.IntN(len(list))] }

// from draws n characters.
func (m maker) from(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	uppers  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	hexes   = "0123456789abcdef"
	letters = lowers + uppers + digits
	signs   = "!@#$%^&*+?-_"
)

// title begins a word with a capital.
func title(w string) string { return strings.ToUpper(w[:1]) + w[1:] }

// key makes a value that was drawn by lot.
func (m maker) key() string {
	switch m.IntN(17) {
	case 16:
		return m.from(letters+signs+"()[]{}<>|;:,.~ ", 64)
	case 14:
		return m.from(hexes, 32) + "-" + m.from(hexes, 8) + "-" + m.from(hexes, 8)
	case 15:
		return m.pick(plainMade) + "-" + m.from(letters, 12+m.IntN(20))
	case 12:
		return m.from(lowers+digits, 8) + "-" + m.from(lowers+digits, 4) + "-" + m.from(lowers+digits, 4) + "-" + m.from(lowers+digits, 12)
	case 13:
		return m.from(uppers+digits, 7) + "-" + m.from(uppers+digits, 7) + "-" + m.from(uppers+digits, 7)
	case 0, 8, 9:
		return m.from(hexes, []int{16, 24, 32, 40, 64}[m.IntN(5)])
	case 1:
		return m.from(letters+"+/", []int{23, 43, 86}[m.IntN(3)]) + "=="[:1+m.IntN(2)]
	case 2, 10:
		return m.from(letters+"-_", 20+m.IntN(60))
	case 3:
		return m.from(lowers+digits, 16+m.IntN(32))
	case 4:
		return m.from(uppers+digits, 16+m.IntN(16))
	case 5:
		return m.pick(madeWords)[:2] + "_" + m.from(letters, 16+m.IntN(24))
	case 6:
		return fmt.Sprintf("%s-%s-%s-%s-%s", m.from(hexes, 8), m.from(hexes, 4), m.from(hexes, 4), m.from(hexes, 4), m.from(hexes, 12))
	}
	return m.from(letters, 16+m.IntN(32))
}

// password makes one as people and their programs do.
func (m maker) password() string {
	w, x := m.pick(madeWords), m.pick(madeWords)
	switch m.IntN(13) {
	case 12: // for rules that ask for all sorts
		return title(m.pick(plainMade)) + m.from("!@#$", m.IntN(2)) + m.from(digits, 1+m.IntN(5)) + m.from("!@#$", 1)
	case 10:
		joint := m.from("-._", 1)
		return title(w) + joint + title(x) + joint + title(m.pick(madeWords))
	case 11:
		return m.pick(plainMade) + m.from("-_.", 1) + m.from(letters+signs, 10+m.IntN(6))
	case 0:
		return m.from(letters+signs, 8+m.IntN(12))
	case 1:
		return m.from(letters, 8+m.IntN(16))
	case 2:
		return title(w) + m.from(digits, 2+m.IntN(3)) + m.from("!@#$", m.IntN(2))
	case 3:
		return w + title(x) + m.from(digits, 2+m.IntN(3))
	case 4:
		return title(w) + m.from("!@#$-_.", 1) + title(x) + m.from(digits, 1+m.IntN(4))
	case 5:
		return strings.NewReplacer("a", "@", "o", "0", "i", "1", "e", "3").Replace(title(w)+title(x)) + m.from("!#$", m.IntN(3))
	case 6:
		return w + m.from(digits, 2+m.IntN(3))
	case 7, 8:
		return w + " " + x + " " + m.pick(madeWords) + " " + m.pick([]string{m.from(digits, 2), m.pick(madeWords), title(m.pick(madeWords)) + " " + m.from(digits, 1)})
	}
	return w + "-" + x + "-" + m.pick(madeWords) + m.from(digits, m.IntN(3))
}

// none makes a value that is no credential though its name is one's.
func (m maker) none() string {
	w, x := m.pick(plainMade), m.pick(plainMade)
	switch m.IntN(17) {
	case 0:
		return w
	case 1:
		return w + title(x)
	case 2:
		return w + "_" + x
	case 3:
		return w + "-" + x
	case 4:
		return strings.ToUpper(w + "_" + x)
	case 5:
		return "/etc/" + w + "/" + x
	case 6:
		return "https://" + w + ".example.com/" + x
	case 7:
		return title(w) + " the " + x + " of the " + m.pick(plainMade)
	case 8:
		return []string{"true", "false", "null", "none", "string", "0", "1", "3600", "required", "", "N/A"}[m.IntN(11)]
	case 9:
		return []string{"<" + w + ">", "${" + strings.ToUpper(w) + "}", "{{ " + w + " }}", "your-" + w, "changeme", "xxxxxxxx", "********", "your_" + w + "_here", "..."}[m.IntN(9)]
	case 10:
		return w + "." + x + "." + m.pick(plainMade)
	case 11:
		return title(w) + title(x) + title(m.pick(plainMade))
	case 12:
		return "com." + w + "." + x + "." + title(w)
	case 13:
		return w + "." + []string{"json", "pem", "key", "txt", "go", "com"}[m.IntN(6)]
	case 14:
		return w + m.from(digits, 1)
	case 15:
		return w + m.from("-_", 1) + x + m.from("-_", 1) + m.pick(plainMade) + m.from("-_", 1) + []string{"v1", "v2", "123", "1", "01"}[m.IntN(5)]
	}
	return title(w) + " " + x + " and " + m.pick(plainMade) + m.from(".,:", 1) + " " + m.pick(plainMade) + " " + w + " " + m.pick(plainMade)
}

// written is a name in the cases that a place asks for.
func written(place, name string) string {
	words := strings.Fields(name)
	pascal := ""
	for _, w := range words {
		pascal += title(w)
	}
	camel := words[0] + pascal[len(words[0]):]
	return strings.NewReplacer("N_S", strings.Join(words, "_"), "N_U", strings.ToUpper(strings.Join(words, "_")), "N_C", camel, "N_P", pascal,
		"N_K", strings.Join(words, "-"), "N_D", strings.Join(words, ".")).Replace(place)
}

// Made are examples that nobody wrote: names, places and values drawn by lot. They say what a credential looks like where the
// labelled repositories happen to have none of its kind.
func Made(scanner *secret.Scanner) []Example {
	m := maker{rand.New(rand.NewPCG(23, 23))}
	var list []Example
	for range madeTexts {
		place := places[m.IntN(len(places))]
		if m.IntN(6) == 0 {
			place = given[m.IntN(len(given))]
		}
		var name, value string
		is := m.IntN(2) == 0
		switch m.IntN(5) {
		case 0, 1:
			name, value = m.pick(passNames[:]), m.password()
			if m.IntN(4) == 0 {
				value = m.key()
			}
		case 2, 3:
			name, value = m.pick(tokenNames[:]), m.key()
			if m.IntN(3) == 0 {
				value = m.password()
			}
		default:
			name, value = m.pick(weakNames[:]), m.from(letters, 16+m.IntN(48))
		}
		if !is {
			value = m.none()
			if m.IntN(8) == 0 {
				place, value = decoys[m.IntN(len(decoys))], m.key()
			} else if m.IntN(12) == 0 {
				place, value = argument, m.pick(madeWords)
			}
		}
		text := strings.Replace(written(place.text, name), "{}", value, 1)
		at := strings.Index(text, value)
		for _, c := range scanner.Candidates(place.path, []byte(text)) {
			if c.Excepted == "" && (!is || at >= 0 && (min(c.End, at+len(value))-max(c.Start, at))*2 >= len(value)) {
				list = append(list, Example{Features: c.Features, Secret: is, Weight: 1})
			}
		}
	}
	return list
}
