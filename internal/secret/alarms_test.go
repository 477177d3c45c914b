package secret

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

var shared = sync.OnceValues(New)

// sharedScanner returns the one scanner of the tests that need no own.
func sharedScanner(t *testing.T) *Scanner {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scans returns the values found in text.
func scans(t *testing.T, path, text string) []string {
	t.Helper()
	found, err := sharedScanner(t).Scan(path, []byte(text), nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var list []string
	for _, f := range found {
		list = append(list, text[f.Start:f.End])
	}
	return list
}

// TestWordsClearNoRandomValue holds that a word such as test in a value clears
// it only when nothing random remains.
func TestWordsClearNoRandomValue(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(8, 2))}
	tail := "Zx81" + "kLq0!vR"
	for _, v := range []string{"acme-test-" + tail, tail + "-example", "default-" + tail, "my-password-" + tail, "test_" + m.of(base62, 24), "changeme-" + m.of(hexes, 32), "example." + tail, "some-fake-" + tail, "your" + tail} {
		for _, c := range []struct{ path, before, after string }{
			{"a.py", `password = "`, `"`}, {"a.yaml", "db_password: ", "\n"}, {"a.env.txt", "DB_PASSWORD=", "\n"}, {"a.txt", "postgres://app:", "@db.corp/x"},
		} {
			if got := scans(t, c.path, c.before+v+c.after); len(got) != 1 || got[0] != v {
				t.Errorf("%s in %s: found %q", c.before+v, c.path, got)
			}
		}
	}
	for _, v := range []string{"acme-test-value", "test-password-1", "example-secret-key", "changeme123", "default_password_2024", "my-secret-token-v2", "your-api-key-here", "test-token-12345", "fake-api-key-123", "EXAMPLE_TOKEN_1"} {
		if got := scans(t, "a.py", `password = "`+v+`"`); len(got) > 0 {
			t.Errorf("%s: found %q", v, got)
		}
		if got := scans(t, "a.py", `token = "`+v+`"`); len(got) > 0 {
			t.Errorf("%s: found %q", v, got)
		}
	}
	if tok := "gh" + "p_" + m.of(base62, 29) + "EXAMPLE"; len(scans(t, "a.md", tok)) != 1 {
		t.Error("a random token that ends in EXAMPLE is cleared")
	}
}

// TestFalseAlarms holds what real code showed: none of these is a credential.
func TestFalseAlarms(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(8, 3))}
	akid := "AKIA" + m.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
	font := base64.StdEncoding.EncodeToString(append(make([]byte, 60), m.bytes(3000)...))
	for _, c := range []struct{ kind, path, text string }{
		{"dsn token", "a.php", `yield [true, 'somesms://authToken@default?from=0611223344'];`},
		{"dsn key and secret", "a.php", `yield ['messagemedia://apiKey:apiSecret@host.test?from=TEST'];`},
		{"dsn without secret", "a.php", `yield ['vonage://apiKey:@default?from=0611223344'];`},
		{"dsn user", "a.php", `'linkedin://accessToken:UserId@host.test',`},
		{"dsn in text", "README.md", `SMS_DSN=redlink://apiToken:appToken@default?from=FROM&version=FROM`},
		{"font in a style sheet", "a.css", `src: url(data:font/woff2;base64,` + font + `)`},
		{"font of an application type", "a.svg", `src:url("data:application/font-woff;charset=utf-8;base64,` + font + `")`},
		{"image in a page", "a.html", `<img src="data:image/png;base64,` + font + `">`},
		{"what looks like a token in a font that stands alone", "a.json", `{"base64Font":"` + font[200:280] + "+" + akid + "/" + font[280:340] + `"}`},
		{"the same in the hash of a lock", "pnpm-lock.yaml", "integrity: sha512-" + font[200:230] + "+" + akid + "+" + font[230:270] + "=="},
		{"page token behind an escape", "a.json", `"next: /x?size=9\u0026page_tok` + `en=eyJvZmZzZXQiOiIxMDAiLCJ2IjoxfQ"`},
		{"signing scheme", "a.py", `headers = {"Authorization": "AWS4-HMAC-SHA256"}`},
		{"signing scheme alone", "a.go", `const authAlgorithm = "AWS4-HMAC-SHA256"` + "\n" + `authHeader := "AWS4-HMAC-SHA256 Credential=" + cred`},
		{"class name", "a.php", `->add('pass` + `word', 'Symfony\Component\Form\Extension\Core\Type\RepeatedType')`},
		{"class name, escaped", "a.php", `'token' => "Acme\\Bundle\\Security\\Http2\\TokenFactory",`},
		{"package name", "a.yaml", `password_encoder: org.springframework.security.crypto.argon2.Argon2PasswordEncoder`},
		{"package name as a secret", "a.properties", `token=com.acme.platform.auth.v2.TokenServiceImpl`},
		{"message id", "a.txt", "SmsSid=SM" + m.of(hexes, 32) + "&SmsStatus=delivered"},
		{"account id", "a.js", `accountSid: "AC` + m.of(hexes, 32) + `"`},
		{"translation key", "a.php", `'expectedKey' => 'en_GB.messages.` + m.of(hexes, 40) + `',`},
		{"translation key of words", "a.php", `'key' => 'security.login2.form.passwordConfirm.label3',`},
		{"cookie with a date", "a.php", `$cookie = Cookie::fromString('foo_cookie=foo=1&bar=2&baz=3; expires=Tue, 22 Sep 2020 06:27:09 GMT; path=/');`},
		{"cookie of a word", "a.py", `cookie = "foo=bar; expires=Fri, 20 May 2011 15:25:52 GMT; Max-Age=0; path=/"`},
		{"query for a password", "a.php", `yield ['mongodb://user:?collection=a@localhost?collection=lock'];`},
		{"query for a password, next", "a.php", `'mongodb://user:&collection=a@localhost/?collection=lock'`},
		{"serialized object", "a.php", `'C:74:"Acme\Core\Authentication\Token\UsernamePasswordToken":236:{a:3:{i:0;N;i:1;s:4:"ldap"}}'`},
		{"public key", "a.kt", " * Public Key: " + m.of(hexes, 60) + "..."},
		{"escapes alone", "a.go", `"hot_pepper": "\U0001f336\ufe0f",`},
	} {
		if got := scans(t, c.path, c.text); len(got) > 0 {
			t.Errorf("%s: found %.60q in %.120s", c.kind, got, c.text)
		}
	}
}

// TestCatalogues holds that the codes by which public catalogues name things stay, whatever their column is called: of
// securities, books, genes, compounds, works, and of contracts that anybody may look up.
func TestCatalogues(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(8, 5))}
	const capitals, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	for name, code := range map[string]func() string{
		"key":             func() string { return m.of(capitals, 2) + m.of(capitals+digits, 9) + m.of(digits, 1) },
		"catalog_key":     func() string { return "978" + m.of(digits, 10) },
		"accession_key":   func() string { return "GCA_" + m.of(digits, 9) + ".1" },
		"InChIKey":        func() string { return m.of(capitals, 14) + "-" + m.of(capitals, 10) + "-N" },
		"openlibrary_key": func() string { return "OL" + m.of(digits, 7) + "W" },
		"token":           func() string { return m.of(capitals, 5) },
		"contract":        func() string { return "0x" + m.of("0123456789abcdef", 40) },
	} {
		var b strings.Builder
		b.WriteString("[\n")
		for i := range 20 {
			fmt.Fprintf(&b, " {%q: %q, \"title\": \"Thing %d\"},\n", name, code(), i)
		}
		b.WriteString(" {}\n]\n")
		if got := scans(t, "catalogue.json", b.String()); len(got) > 0 {
			t.Errorf("%s: found %q", name, got)
		}
	}
}

// TestBesideFalseAlarms holds that what is found beside each of them still is.
func TestBesideFalseAlarms(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(8, 4))}
	font := base64.StdEncoding.EncodeToString(append(make([]byte, 60), m.bytes(3000)...))
	key, hex, pw := m.of(base62, 32), m.of(hexes, 64), "Zx81"+"kLq0vR"
	akid := "AKIA" + m.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
	for _, c := range []struct{ kind, path, text, value string }{
		{"dsn with a real token", "a.php", `'somesms://` + key + `@default?from=0611223344'`, key},
		{"dsn with a real secret", "a.yaml", `dsn: vonage://apiKey:` + pw + `@default?from=1`, pw},
		{"dsn under a telling name", "a.ini", "SMS_DSN=twilio://AC12:" + key + "@default", key},
		{"after a font", "a.css", `url(data:font/woff2;base64,` + font + `) "Bearer ` + key + `"`, key},
		{"data that is text", "a.js", `"data:text/plain;base64,` + font + `", token = "` + key + `"`, key},
		{"token that base64 follows", "a.txt", "id " + akid + "/" + font[200:280] + "+" + font[280:340], akid},
		{"token at the end of a path", "a.txt", "https://host.test/files+new/of/the/department/in/the/north/" + akid, akid},
		{"token behind an escape", "a.json", `"next: /x?size=9\u0026auth_tok` + `en=` + key + `"`, key},
		{"signature", "a.http", "Authorization: AWS4-HMAC-SHA256 Credential=" + akid + "/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range, Signature=" + hex, hex},
		{"signature in code", "a.py", `h = {"Authorization": "AWS4-HMAC-SHA256 Credential=` + akid + `/20130524/us-east-1/s3/aws4_request,SignedHeaders=host,Signature=` + hex + `"}`, hex},
		{"session id", "a.txt", "connect.sid=" + key, key},
		{"cookie that is one", "a.py", `cookie = "session=` + key + `; expires=Fri, 20 May 2011 15:25:52 GMT; path=/"`, key},
		{"password with a backslash", "a.php", `'pass` + `word' => 'Zx81\kLq0\vR'`, `Zx81\kLq0\vR`},
		{"password in a mongodb URL", "a.php", `mongodb://user:` + pw + `@localhost?collection=lock`, pw},
		{"password that begins with a question mark", "a.conf", `postgres://user:?` + pw + `@localhost/x`, `?` + pw},
	} {
		found := false
		for _, g := range scans(t, c.path, c.text) {
			found = found || strings.Contains(g, c.value)
		}
		if !found {
			t.Errorf("%s: %.200s: not found, only %q", c.kind, c.text, scans(t, c.path, c.text))
		}
	}
}
