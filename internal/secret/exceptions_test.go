package secret

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// TestExceptionsAreTold: docs/credentials.md has a row for each exception, and says what it earns.
func TestExceptionsAreTold(t *testing.T) {
	page, err := os.ReadFile("../../docs/credentials.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exceptions {
		if !strings.Contains(string(page), "\n| "+e.reason+" | ") {
			t.Errorf("docs/credentials.md does not say what this exception earns: %s", e.reason)
		}
	}
}

// TestExceptions holds that each exception clears its example, and lets the one beside it be found.
func TestExceptions(t *testing.T) {
	s := newScanner(t)
	const db, pass = "db_pass" + "word: ", "pa" + "ss: "
	rng := rand.New(rand.NewPCG(1, 1))
	long := make([]byte, 160)
	for i := range long {
		long[i] = base62[rng.IntN(len(base62))]
	}
	gpg := strings.ToUpper("bf13c175e13a24561437" + "d00d48ca37351e0f5136")
	examples := map[string]struct{ path, clears, lets string }{
		"stands for another value":                     {"app.yml", db + "${DB_PASSWORD}", db + "kolibri-27-Fels"},
		"is a truth, nothing, or a number with a unit": {"app.yml", db + "none", db + "nonesuch-91"},
		"is a member of something":                     {"a.ts", "const pa" + "ss: boolean = !this.isNot;", "const pass" + "word = 'Kran7ich!x';"},
		"is set where none is meant":                   {"app.yml", db + "letmein", db + "letmein-Kran7ich"},
		"is left out":                                  {"app.yml", db + "xxxxxxxxxxxx", db + "xxpRq71xx-Taube"},
		"is a word of a list":                          {"app.js", "tokens: ['main', 'backup'],", "tok" + "ens: ['k8Zt29fQwLx7Vb31'],"},
		"is what a member is called":                   {"a.json", `{"authTok` + `en": {"shape": "NonEmptyLengthString"}}`, `{"authTok` + `en": {"value": "k8Zt29fQwLx7Vb31k8Rt2Zq7"}}`},
		"is the tag of a field":                        {"a.go", "Tok" + "en `json:\"tok" + "en-k8Zt29fQwLx7\"`", "tok" + "en := `k8Zt29fQwLx7Vb31k8Rt2Zq7`"},
		"is a part of a digest's formula":              {"a.md", "H(H(user:realm:pass" + "word):nonce:Kran7ich!x)", "H(H(user:pass" + "word):Kran7ich!x"},
		"is where requests are passed to":              {"site.template", "    proxy_" + "pass up" + "stream_91;", "    smtp_" + "pass Kran7ich!x;"},
		"says the name again":                          {"app.yml", "smtp-relay-pass" + "word: smtpRelayPass" + "word", "smtp-relay-pass" + "word: smtpRelayPassage9"},
		"is of a locked dependency":                    {"yarn.lock", "  min" + "i" + pass + "npm:^7.0.4", "  min" + "i" + pass + "k8Zt29fQ" + "wLx7Vb31k8Rt2"},
		"is a word of a sentence":                      {"notes.md", "- " + db + "minimum length is now 14", "- " + db + "Tau7-Kranich!x is now it"},
		"asks to be changed":                           {"app.yml", db + "changeme", db + "charge-Me-71"},
		"is a fingerprint":                             {"a.yml", "SSHK" + "ey: cluster-ba_d8_85_a0_5b_50_b0_01_e0_b2", "SSHK" + "ey: k8Zt29fQwLx7Vb31k8Rt2Zq7"},
		"is the name of an algorithm":                  {"a.yml", "signing_k" + "ey: ECDSAWithSHA256", "signing_k" + "ey: k8Zt29fQwLx7Vb31k8Rt2Zq7"},
		"is one of many hashes": {"state.json", "\"add\": \"4e75995474c20c57\",\n\"new_pass" + "word\": \"7c451e0f436d04a6\",\n\"save\": \"fe46cb83ad1c5a35\",\n\"size\": \"eda5496b306f05bc\",\n",
			"\"add\": \"4e75995474c20c57\",\n\"new_pass" + "word\": \"7c451e0f436d04a6\",\n\"save\": \"fe46\",\n\"size\": \"eda5\",\n"},
		"is a name itself":                          {"a.php", "$x = ['api_tok" + "en', 'k8Zt29fQwLx7Vb31k8Rt2Zq7' => 1];", "$x = ['api_tok" + "en', 'k8Zt29fQwLx7Vb31k8Rt2Zq7'];"},
		"is printed in a manual":                    {"app.yml", "basic_" + db + "QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "basic_" + db + "TWF1cml0ejpLYXJ0b2ZmZWwtNzc="},
		"is what a command prints":                  {"make.sh", "pass" + "word=`pwgen -s 16`", "pass" + "word='pwgen-s-16'"},
		"is a public key, or a hash of one":         {"app.yml", "host_key_" + db + "ssh-dss AAAAB3NzaC1kc3MAAACBAOkTX", "host_key_" + db + "dss-AAAAB3-Kranich"},
		"is a user without a password":              {"api.http", "Authorization: Basic " + "dXNlcjo=", "Authorization: Basic " + "bWF1cml0ejpLYXJ0b2ZmZWwtNzc="},
		"is what was tested":                        {"a.results", "FAIL lrange-1.1\nPASS lreplace-6.1134.utf8.b", "skip_verify: true\npass: lreplace-6.1134.utf8.b\nfail_timeout: 3"},
		"leads to what follows":                     {"app.py", "pass" + "word = 'Kran7ich!x:'", "pass" + "word = 'Kran7ich!x'"},
		"is said in a language of people's":         {"l10n/gd.json", `{"Pass` + `word": "Kran-taube"}`, `{"Pass` + `word": "Kran7ich!x"}`},
		"sets other names":                          {"a_test.go", `	b.Run("Ke` + `y=mediumType/Elem=int32", f)`, `	"api_ke` + `y=k8Zt29fQwLx7Vb31k8Rt2pQ"`},
		"is an id":                                  {"a.go", `	ke` + `ys := []string{"281e580a-da16-89c5-4666-16480e4b7c11"}`, `	apiKe` + `y := "281e580a-da16-89c5-4666-16480e4b7c11"`},
		"is a regular expression":                   {"a.py", "PASS" + "WORD = r'^[PHQ]{31}$'", "pass" + `word = 'Tau7[^Kr4nich#92'`},
		"is a list":                                 {"a.conf", "ssl_cipher_list = !aNULL:!PS" + "K:!DSS:!RC4:!SEED:+HIGH", "ps" + "k: !Tau7-Kr4nich#92"},
		"is the scope of a signature":               {"a.http", "Cred" + "ential=k8Zt29fQ" + "wLx7Vb31/20300101/eu-1/s9/aws4_request, a", "Cred" + "ential=k8Zt29fQ" + "wLx7Vb31k8Rt2, a"},
		"is a name with a number":                   {"Tokens.java", "tok" + "en = \"ExpiresAt4687177990\";", "tok" + "en = \"k8Zt29fQ4687Lx7Vb31k8Rt2pQ\";"},
		"is the name of a class in a sentence":      {"a.md", "the cred" + "ential token `Saml2AuthenticationToken`", "the tok" + "en is `k8Zt29fQ4687Lx7Vb31k8Rt2pQ`"},
		"is a JSON web key, whose members are read": {"a.go", "var ke" + "y = []byte(\"{\\\"kty\\\":\\\"EC\\\",\\\"x\\\":\\\"k8Zt29fQwLx7Vb31k8Rt2pQ\\\"}\")", "var ke" + "y = []byte(\"{k8Zt29fQwLx7Vb31k8Rt2pQ}\")"},
		"is what a class extends":                   {"okrope.api", "public final class okrope3/java/TokenJar : okrope3/CrateJar {", "public final class okrope3/java; tok" + "en : k8Zt29fQwLx7Vb31/CrateJar {"},
		"is a pin of a board":                       {"a.yaml", "reset_p" + "in: GPIO23", "reset_p" + "in: Kran7ich!x"},
		"is the number of an advisory":              {"a.go", "// may not manage tok" + "ens (GHSA-vvcv-vpph-h844).", "// may not manage tok" + "ens (GHSA-vvcv-vpph-h844k8Zt29fQwLx7Vb)."},
		"is counted on":                             {"a.ts", "const tok" + "en = ++fetchTok" + "en9", "const tok" + "en = 'k8Zt29fQwLx7Vb31k8Rt2pQ'"},
		"is the address of a coin":                  {"tokens.ts", "const usdcTok" + "en = 'EPjFWdd5AufqSSqe" + "M2qN1xzybapC8G4wEGGkZwyTDt1v'; // mint", "const usdcApiTok" + "en = 'EPjFWdd5AufqSSqe" + "M2qN1xzybapC8G4wEGGkZwyTDt1v'; // mint"},
		"is a number":                               {"api.txt", "const TOK" + "EN_WRITE = 131080", "const TOK" + "EN_WRITE = k8Zt29fQwLx7Vb31k8Rt2pQ"},
		"is of a text about URLs":                   {"a.json", `"pass` + `word": "%F0%9F%92%A9"`, `"pass` + `word": "%21Kran7ich"`},
		"is the name of a file":                     {"app.js", "avatar" + "Key: 'avatars/34e7bfa3fa871040fee5de0635cf2b508c726077.webp'", "api" + "Key: 'pRq71xxTb9" + "Lm2Zx81kLq0vR9sJw3T'"},
		"is in another script":                      {"app.yml", db + `"Passw\u00f6rter stimmen nicht \u00fcberein"`, db + `"otter lagoon cactus mango 63"`},
		"is named by a hash":                        {"app.php", `'expected` + `Key' => 'en_GB.messages.eb5259dd80d6e3c961a9745f7789090583b5e1e3'`, `'api` + `Key' => 'pRq71xxTb9` + `Lm2Zx81kLq0vR9sJw3T'`},
		"is a sentence":                             {"app.yml", db + "\"The word that opens the gate to the north, 7!\"", db + "\"otter lagoon cactus mango 63\""},
		"is the hash of a password, in code":        {"app.py", "pass" + "word = '{SSHA}k8Zt29fQwLx7Vb31k8Rt2pQ'", "pass" + "word = '{k8Zt29fQwLx7Vb31k8Rt2pQ'"},
		"is words in base64":                        {"app.yml", db + "ZGItcGFzc3dvcmQtbmFtZQ==", db + "S3JhbjdpY2gheEZlbHMyOQ=="},
		"is handed to browsers":                     {"app.js", "client" + "Token: 'pub" + "f0d78cc325fe93abb6e3cd3fc5ad42fb'", "client" + "Secret: 'kZt29fQw" + "Lx7Vb31k8Rt2pQ'"},
		"is sealed for another":                     {"app.yml", db + "AgB" + string(long), db + "BgB" + string(long)},
		"is the id of a key of GnuPG's":             {"home/.gitconfig", "signing" + "key = " + gpg, db + gpg[:38]},
	}
	for _, e := range exceptions {
		x, ok := examples[e.reason]
		if !ok {
			t.Errorf("%s: no examples", e.reason)
		}
		for line, want := range map[string]int{x.clears: 0, x.lets: 1} {
			found, err := s.Scan(x.path, []byte(line+"\n"), nil)
			if err != nil || len(found) != want {
				t.Errorf("%s: %s: %d findings, want %d, %v", e.reason, line, len(found), want, err)
			}
		}
	}
}

// TestTested: accounts one below the other, and settings that begin as results do, are no results of tests.
func TestTested(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	one, two := "Kran7ich"+"!x29q", "Taube29"+"!qWx"
	for text, want := range map[string]int{
		"users:\n  - user: a\n    pass: " + one + "\n  - user: b\n    pass: " + two + "\n": 2,
		"USER a\nPASS " + one + "\nUSER b\nPASS " + two + "\n":                             2,
		"PASS lrange-1.1.utf8\nPASS lreplace-6.1134.utf8.b\n":                              0,
	} {
		found, err := s.Scan("a.yml", []byte(text), nil)
		if err != nil || len(found) != want {
			t.Errorf("%s: %d findings, want %d, %v", text, len(found), want, err)
		}
	}
}

// TestOfAllSigns: a salt drawn from all signs of a keyboard is none of the things that a bracket, a call or an equals sign speaks for
// in other values.
func TestOfAllSigns(t *testing.T) {
	s := newScanner(t)
	for _, line := range []string{
		"define('SECURE_AUTH_SA" + "LT', 'Wq&7hz+{4Kd$u+{[2MTr~k8-[|Q`f-J>;Xc_B/T~RgYh{m[p#{V[-s>aOKQ6Lx');",
		"define('AUTH_SA" + "LT',        'm@xTLQMiHeqRQ);BYfXG8,ddVvUoQ|YmKYMp|;ujEf4yb(=_1[MJbE62U.DD ~3');",
	} {
		list := s.Candidates("config.php", []byte(line+"\n"))
		if len(list) != 1 || list[0].Excepted != "" {
			t.Errorf("%s: %+v, want one candidate, not excepted", line, list)
		}
	}
}

// TestUnnamed: a value that has no name does not say its name again, whatever sign ends it.
func TestUnnamed(t *testing.T) {
	s := newScanner(t)
	for _, end := range []string{"x", ".", "#", "/"} {
		line := "curl -u admin" + ":Kran7ich29Qx" + end + " https://db.acme.io/"
		found, err := s.Scan("deploy.sh", []byte(line+"\n"), nil)
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %d findings, want 1, %v", line, len(found), err)
		}
	}
}

// TestNamesOfOthers: what a standard's error is called, where a server passes requests to, and what people call a password in their language is no
// credential; what stands in the same place and was drawn by lot is one.
func TestNamesOfOthers(t *testing.T) {
	s := newScanner(t)
	for _, c := range []struct {
		path, line string
		want       int
	}{
		{"b.js", ".revertedWith(this.tok" + "en, 'ERC721OutOfBoundsIndex')", 0},
		{"b.js", ".revertedWith(this.tok" + "en, 'k8Zt29fQwLx7Vb31k8Rt2pQ')", 1},
		{"site.template", "    proxy_" + "pass http://unix:$QUAY_SOCK/quay7.sock;", 0},
		{"I18N/pt.json", `"Pass` + `word": "Palavra-passe",`, 0},
		{"I18N/et.json", `"generate-tok` + `en": "Kinnitusmeili koodi loomisel ilmnes probleem. Vaata logisid",`, 0},
		{"I18N/pt.json", `"Pass` + `word": "Kran7ich!x",`, 1},
		{"a.cpp", `LOG(TAG, "  SDA P` + `in: GPIO%u", this->sda_);`, 0},
		{"a.tpl", `{{- $secretK` + `ey := .Values.quay.apiK` + `eySecretKey | default "QUAY_LLM_API_KEY" }}`, 0},
		{"a.tpl", `{{- $secretK` + `ey := .Values.quay.apiK` + `eySecretKey | default "k8Zt29fQ` + `wLx7Vb31k8Rt2pQ" }}`, 1},
		{"yarn.lock", `  resolved "https://registry.yarnpkg.com/eslint-plugin-react-hooks/-/eslint-plugin-react-hooks-4.6.2.tgz#c829eb06c0e6f484b3fbb85a97e57784f328c596"`, 0},
		{"values.yaml", "extra: []\n  # - kind: Secret\n  #   data:\n  #     a: <b>\nimage:\n  pullPolicy: IfNotPresent", 0},
		{"values.yaml", "extra: []\n  # - kind: Secret\n  #   data:\n  #     a: S3Jhbjdp" + "Y2ghIHgyOXE=\nimage:\n  pullPolicy: IfNotPresent", 1},
		{"I18N/pt.json", `"tok` + `en": "kqzVwxJhbnMplKqwzRtsDfgh",`, 1},
	} {
		found, err := s.Scan(c.path, []byte(c.line+"\n"), nil)
		if err != nil || len(found) != c.want {
			t.Errorf("%s: %s: %d findings, want %d, %v", c.path, c.line, len(found), c.want, err)
		}
	}
}
