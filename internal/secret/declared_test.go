package secret

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDeclared holds that a value is found where languages declare what has it, and nothing beside it.
func TestDeclared(t *testing.T) {
	s := newScanner(t)
	const value = "Zf3D0LXCM3EIMbgJ" + "pUNnkRtOfOueHznB"
	for _, c := range []struct{ path, text string }{
		{"a.go", "const apiTOK string = \"{}\"\n"},
		{"a.go", "var (\n\tapiTOK string = `{}`\n)\n"},
		{"a.go", "\tuser, apiTOK := \"jane\", \"{}\"\n"},
		{"a.go", "\tc.APITOK, c.User = \"{}\", \"jane\"\n"},
		{"a.py", "user, apiTOK = 'jane', '{}'\n"},
		{"a.py", "SECRET_KEY = config('SECRET_KEY', default='{}')\n"},
		{"a.js", "const [user, apiTOK] = ['jane', '{}'];\n"},
		{"a.pl", "my ($user, $apiTOK) = ('jane', '{}');\n"},
		{"a.cs", "public string ApiTOK { get; set; } = \"{}\";\n"},
		{"a.rs", "static API_TOK: &'static str = \"{}\";\n"},
		{"a.rs", "const API_TOK: &str = r#\"{}\"#;\n"},
		{"a.rs", "let api_TOK = br##\"{}\"##;\n"},
		{"a.rs", "const API_TOK: &[u8; 32] = b\"{}\";\n"},
		{"a.rs", "const API_TOK: [u8; 32] = *b\"{}\";\n"},
		{"a.adb", "   API_TOK : constant String := \"{}\";\n"},
		{"a.adb", "   API_TOK : String := \"{}\";\n"},
		{"a.pks", "  api_TOK CONSTANT VARCHAR2(64 CHAR) := '{}';\n"},
		{"a.pas", "const ApiTOK: string = '{}';\n"},
		{"a.cbl", "       01  API-TOK   PIC X(40) VALUE \"{}\".\n"},
		{"a.abap", "DATA(api_TOK) = `{}`.\n"},
		{"a.tcl", "set conf(api_TOK) {{}}\n"},
		{"a.tcl", "set conf(api_TOK) \"{}\"\n"},
		{"a.bash", "conf[api_TOK]={}\n"},
		{"a.awk", "conf[api_TOK] = \"{}\"\n"},
		{"a.pl", "$ENV{API_TOK} = '{}';\n"},
		{"a.pl", "$self->{db}{api_TOK} ||= \"{}\";\n"},
		{"a.pl", "$c->{'api_TOK'} = '{}';\n"},
		{"a.yml", "ApiTOK: {Type: String, NoEcho: true, Default: {}}\n"},
		{"a.rb", "set :api_TOK, '{}'\n"},
		{"a.rb", "ENV.fetch('API_TOK') { '{}' }\n"},
		{"a.rb", "let(:api_TOK) { '{}' }\n"},
		{"a.php", "$apiTOK .= '{}';\n"},
		{"a.php", "$apiTOK ??= '{}';\n"},
		{"Makefile", "API_TOK :::= {}\n"},
		{"a.yml", "apiTOK: &main {}\n"},
		{"a.md", "apiTOK: `{}`\n"},
		{"a.rb", "http.basic_auth 'jane', '{}'\n"},
		{"a.py", "User.objects.create_user('jane', 'j@acme.io', '{}')\n"},
		{"a.ts", "await page.fill('#password', '{}');\n"},
		{"a.py", "p.add_argument('--api-TOK', dest='t', default='{}')\n"},
		{"a.ts", "const pay = new Stripe('{}');\n"},
		{"a.java", "new SecretKeySpec(\"{}\".getBytes(), \"AES\");\n"},
		{"a.html", "<meta name=\"api-TOK\" content=\"{}\">\n"},
		{"a.html", "<tr><td>API TOK</td><td>{}</td></tr>\n"},
		{"a.py", "    api_TOK: str = Field(default=\"{}\")\n"},
		{"a.py", "API_TOK = os.getenv(\"API_TOK\") or \"{}\"\n"},
		{"a.py", "# ask with api_TOK: {}\n"},
		{"a.py", "pw = \"{}\"\n"},
		{"a.go", "\tt := flag.String(\"api-TOK\", \"{}\", \"the one to use\")\n"},
		{"a.cpp", "std::string apiTOK{\"{}\"};\n"},
		{"a.ps1", "Set-Item -Path Env:API_TOK -Value '{}'\n"},
		{"a.bicep", "param apiTOK string = '{}'\n"},
		{"a.json", "{\"Jwt\": {\"Issuer\": \"acme\", \"Key\": \"{}\"}}\n"},
		{"CMakeLists.txt", "set(API_TOK \"{}\")\n"},
		{"a.jmx", "<stringProp name=\"Argument.name\">api_TOK</stringProp><stringProp name=\"Argument.value\">{}</stringProp>\n"},
		{"a.md", "**API TOK:** {}\n"},
		{"a.md", "Use `{}` as the api_TOK.\n"},
		{"a.rst", "api_TOK: ``{}``\n"},
		{"a.sh", "twine upload -u jane -p {} dist/*\n"},
		{"a.bat", "net user jane {} /add\n"},
		{"a.php", "$db = mysqli_connect('db', 'jane', '{}');\n"},
		{"a.rb", "fill_in 'Password', with: '{}'\n"},
		{"a.feature", "    And I fill in \"Password\" with \"{}\"\n"},
		{"a.robot", "    Input Password    id=pw    {}\n"},
		{"a.txt", "fly: FlyV1 {}\n"},
		{"squid.conf", "cache_peer p parent 3128 0 login=jane:{}\n"},
	} {
		text := strings.NewReplacer("TOK", "Tok"+"en", "{}", value).Replace(c.text)
		found, err := s.Scan(c.path, []byte(text), nil)
		if err != nil || len(found) != 1 || text[found[0].Start:found[0].End] != value {
			t.Errorf("%s: %s: %v, %v", c.path, c.text, found, err)
		}
	}
	for _, c := range []struct{ path, text string }{
		{"a.py", "connect(host, pw='x', retries=3, name='Zf3D0LXCM3EIMbgJ')\n"}, // each name has its own
		{"a.go", "\tpassword, id := read(), \"Zf3D0LXCM3EIMbgJ\"\n"},
		{"a.pl", "next if $h{password} == 'Zf3D0LXCM3EIMbgJ';\n"},
		{"a.pl", "%h = (%{token} => 1, name => 'Zf3D0LXCM3EIMbgJ');\n"},
		{"a.rs", "fn key(k: &[u8; 32]) -> bool { name == b\"Zf3D0LXCM3EIMbgJ\" }\n"},
		{"a.tf", "resource \"aws_key_pair\" \"build_17_main\" {\n"},
		{"a.html", "<a href=\"k.html#ssh.PKey\" title=\"ssh.PKey\">\n"},
		{"a.html", "<td>Token</td><td>string</td><dt>Secret</dt><dd>The name of one</dd>\n"},
		{"a.md", "The `Authorization` is the token header, `main` as the key of the map.\n"},
		{"a.yml", "  - source: salt" + "://win/repo/messageanalyzer/MessageAnalyzer64\n"},
		{"a.http", "WWW-Authenticate: NTLM TlRMTVNTUAACAAAAAwAMADAAAAABggEAq6U1NAWaJCIAAAAAAAAAAAAAAAA4AAAA\n"},
		{"a.http", "Sec-WebSocket-Key: NDMyMTUzMjE2MzIxNzMyMQ==\n"},
		{"a.md", "| `tokenSecret` | [`SecretKeySelector`](#secretkeyselector) |\n"},
	} {
		if found, err := s.Scan(c.path, []byte(c.text), nil); err != nil || len(found) > 0 {
			t.Errorf("%s: %s: %v, %v", c.path, c.text, found, err)
		}
	}
	// What is typed may name a field as a selector does.
	const typed = "cy.get('#pw').type('Kranich" + "7!xbote', { log: false });\n"
	if found, err := s.Scan("a.ts", []byte(typed), nil); err != nil || len(found) != 1 {
		t.Errorf("%s: %v, %v", typed, found, err)
	}
}

// TestNested: a text within a text is read as deep as five of them lie in one another.
func TestNested(t *testing.T) {
	s := newScanner(t)
	text := `{"pass` + `word":"Kran7` + `ich!x29"}`
	for depth := range 6 {
		found, err := s.Scan("a.json", []byte(text+"\n"), nil)
		if err != nil || len(found) != 1 || !strings.HasSuffix(text[:found[0].End], "Kran7ich!x29") {
			t.Errorf("%d deep: %v, %v", depth, found, err)
		}
		b, err := json.Marshal(map[string]string{"a": text})
		if err != nil {
			t.Fatal(err)
		}
		text = string(b)
	}
}
