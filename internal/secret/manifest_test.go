package secret

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestManifests: what a manifest makes a secret is one whatever it is called, in each way in which YAML writes it; what stands
// beside it is none. ‹ and › are round a value that must be found.
func TestManifests(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(17, 3))}
	b64 := func(v string) string { return base64.StdEncoding.EncodeToString([]byte(v)) }
	pw := func() string { return "orders-db-" + m.of(uppers, 1) + m.of("23456789", 2) + m.of(lowers, 2) }
	head := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: foo\n"
	long := b64(m.of(base62, 80))
	gen := "kind: Kustomization\nsecretGenerator:\n- name: s3\n"
	id, role := m.uuid(), m.uuid()
	for _, c := range []struct{ name, path, text string }{
		{"on the line", "a.yaml", head + "data:\n  foo: ‹" + b64(pw()) + "›\n"},
		{"literal block", "a.yaml", head + "data:\n  foo: |\n    ‹" + b64(pw()) + "›\n  user: " + b64("admin") + "\n"},
		{"folded block", "a.yaml", head + "data:\n  foo: >-\n    ‹" + b64(pw()) + "›\n"},
		{"folded over lines", "a.yaml", head + "data:\n  foo: >\n    ‹" + long[:60] + "\n    " + long[60:] + "›\n"},
		{"binary data", "a.yaml", head + "binaryData:\n  foo: ‹" + base64.StdEncoding.EncodeToString(m.bytes(40)) + "›\n"},
		{"plain data", "a.yaml", head + "stringData:\n  foo: |\n    ‹" + pw() + "›\n  host: db.example.com\n"},
		{"block in quotes and order", "a.yaml", "data:\n  \"foo\": |-\n    ‹" + b64(pw()) + "›\nkind: Secret\n"},
		{"no secret", "a.yaml", head + "data:\n  region: " + b64("us-east-1") + "\n  host: " + b64("db-0.prod.svc") + "\n  image: " + b64("node20-alpine") + "\n"},
		{"literals", "kustomization.yaml", gen + "  literals:\n  - smtp=‹Qz92ksLmPw1›\n  - API_KEY=\"‹Tz92ksLmPw1aa›\"\n  - 'x=‹" + pw() + "›'\n  - user=admin\n  type: Opaque\nimages:\n- name: a=Qz92ksLmPw1\n"},
		{"literals in brackets", "kustomization.yaml", gen + "  literals: [smtp=‹Qz92ksLmPw1›, \"y=‹Rz92ksLmPw1›\"]\n"},
		{"literals indented", "kustomization.yaml", "secretGenerator:\n  - name: s3\n    literals:\n      - smtp=‹Qz92ksLmPw1›\n    envs:\n      - a.env\n"},
		{"literals of what is no secret", "kustomization.yaml", "configMapGenerator:\n- name: s3\n  literals:\n  - smtp=Qz92ksLmPw1\n"},
		{"AppRole", "login.sh", "vault write auth/approle/login role_id=‹" + role + "› secret_id=‹" + id + "›\n"},
		{"AppRole in JSON", "a.json", "{\"role_id\": \"‹" + role + "›\", \"secret_id\": \"‹" + id + "›\"}\n"},
		{"AppRole in a table", "out.txt", "secret_id             ‹" + id + "›\nsecret_id_accessor    " + role + "\n"},
		{"another role", "a.json", "{\"user_id\": \"" + id + "\", \"role_id\": \"" + role + "\"}\n"},
		{"SETX", "a.bat", "SETX DB_PASSWORD ‹Kran7ich-Taube›\nsetx /M API_TOKEN ‹" + m.of(base62, 30) + "›\n"},
		{"pods", "Podfile.lock", "SPEC CHECKSUMS:\n  AppAuth: " + m.of(hexes, 40) + "\n  KeychainAccess: " + m.of(hexes, 40) + "\nPODFILE CHECKSUM: " + m.of(hexes, 40) + "\n"},
		{"providers", ".terraform.lock.hcl", "provider \"vault-token\" {\n  key = \"h1:" + base64.StdEncoding.EncodeToString(m.bytes(32)) + "\"\n  token = \"zh:" + m.of(hexes, 64) + "\"\n}\n"},
		{"sums", "sums.txt", "authtoken: " + m.of(hexes, 64) + "\npassword-store: " + m.of(hexes, 64) + "\n"},
	} {
		text := strings.NewReplacer("‹", "", "›", "").Replace(c.text)
		found, err := s.Scan(c.path, []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := text
		for i := len(found) - 1; i >= 0; i-- {
			got = got[:found[i].Start] + "‹" + got[found[i].Start:found[i].End] + "›" + got[found[i].End:]
		}
		if got != c.text {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.text)
		}
	}
}
