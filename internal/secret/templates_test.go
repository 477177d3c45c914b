package secret

import (
	"slices"
	"strings"
	"testing"
)

// TestBesideTheValue holds what stands round a value of a notation that gives it no name of its own line, and that what only stands behind
// it stays. ‹› is the value; what else is drawn is a hash.
func TestBesideTheValue(t *testing.T) {
	s := newScanner(t)
	const drawn, hex = "Kq8vLmZr2Wx" + "T7nYpQj", "269db5deb842b68422fd" + "dc735c32f96b9f547aee"
	for _, c := range [][2]string{
		{"a.tpl", `{{ .Values.db.pass` + `word | default "‹›" | quote }}`},
		{"a.tpl", `{{ default "‹›" .Values.db.pass` + `word }}`},
		{"a.html", `{{ smtp_pass` + `word|default:"‹›" }}`},
		{"a.tpl", `{{ .Values.db.pass` + `word | default .Values.name }}`},
		{"up.rc", "open -u bob,‹› ftp.acme.io"},
		{"exim.conf", "client_send = : bob : ‹›"},
		{"exim.conf", "client_send = ^bob^‹›"},
		{"a.cpp", `drv->connect("tcp://db:3306", "root", "‹›");`},
		{"a.m", "weboptions('Username','bob','Pass" + "word','‹›')"},
		{"ci.yml", "NPM_AUTH: ‹›"},
		{"up.sh", "lftp -u bob,'‹›' sftp://h"},
		{"up.sh", "ansible-vault encrypt_string --name db '‹›'"},
		{"up.sh", "ftp -n h <<END\nuser bob ‹›\nbin\nEND"},
		{"nginx.conf", "# files of an ftp server\nuser www-data " + hex[:8] + ";"},
		{"a.ovpn", "<auth-user-pass>\nbob\n‹›\n</auth-user-pass>"},
		{"a.ovpn", "<ca>\nbob\n" + drawn + "\n</ca>"},
		{"a.dart", "final h = 'Basic ' + base64Encode(utf8.encode('bob:‹›'));"},
		{"a.js", "headers.set('X-Id', btoa('" + hex + "'))"},
		{"A.java", "KeyStore.load(in, \"‹›\".toCharArray());"},
		{"A.java", "byte[] b = Hex.decodeHex(\"" + hex + "\".toCharArray());"},
		{"A.java", "for (char c : \"ABCDEFGHIJKLMNOPQRSTUVWXYZ\".toCharArray()) {}"},
		{"a.groovy", "Sql.newInstance(\"jdbc:mysql://db/o\", \"bob\", \"‹›\", \"com.mysql.Driver\")"},
		{"a.groovy", "register(\"jdbc:mysql://db/o\", \"com.mysql.cj.jdbc.Driver\", \"com.acme.db.OrdersRepository\")"},
		{"a.R", "pw <- \"‹›\""},
		{"a.md", "- **Grafana**: admin / ‹›"},
		{"a.md", "See admin / settings-and-permissions."},
		{"a.ps1", "New-LocalUser -Name bob (ConvertTo-SecureString ‹› -AsPlainText -Force)"},
		{"a.md", "Log in with the pass" + "word `‹›`.\nThe release is `" + hex + "`."},
		{"a.md", "| User | Pass" + "word | Build |\n|---|---|---|\n| bob | ‹› | " + hex + " |"},
		{"a.log", "settings: {'pass" + "word': '‹›', 'sha': '" + hex + "'}"},
		{"a.md", "docker run -e DB_PASS" + "WORD=‹› db\ndocker pull acme/app@sha256:" + hex + hex[:24]},
		{"a.yml", "db: {user: bob, pass" + "word: *dbpass}"},
	} {
		text := strings.ReplaceAll(c[1], "‹›", drawn) + "\n"
		found, err := s.Scan(c[0], []byte(text), nil)
		var got []string
		for _, f := range found {
			got = append(got, strings.TrimPrefix(text[f.Start:f.End], "bob,"))
		}
		var want []string
		if strings.Contains(c[1], "‹›") {
			want = []string{drawn}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", c[1], got, err)
		}
	}
}
