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
