package secret

import "testing"

// TestHardWritings: names of other languages and scripts, and values in places that are hard to read.
func TestHardWritings(t *testing.T) {
	s := newScanner(t)
	const v, w = "Kran7ich!x", "fels-Taube29"
	pass := "pass" + "word"
	for _, c := range []struct{ path, line string }{
		{"a.txt", "пароль: " + v}, {"a.md", "Пароль: " + w}, {"a.txt", "密码：" + v}, {"a.yml", "密码: " + w},
		{"a.txt", "パスワード: " + v}, {"a.txt", "パスワード：" + w}, {"a.md", "Das Passwort lautet: " + v}, {"a.txt", "Passwort lautet: " + w},
		{"a.txt", "mot de passe : " + v}, {"a.md", "Mot de passe: " + w}, {"a.yml", "contraseña: " + v}, {"a.properties", "contraseña=" + w},
		{"a.ini", "pswd = " + v}, {"a.json", `{"db_pswd": "` + w + `"}`}, {"a.py", `cred = "` + v + `"`}, {"a.js", `const cred = '` + v + `';`},
		{"a.json", `{"body": "{\"` + pass + `\":\"` + v + `\"}"}`}, {"a.sh", `curl -d "{\"` + pass + `\": \"` + w + `\"}"`},
		{"a.json", `{"ParameterKey": "DB` + pass + `", "ParameterValue": "` + v + `"}`}, {"a.yml", "- ParameterKey: Db" + pass + "\n  ParameterValue: " + w},
		{"a.xml", `<add value="` + v + `" key="db` + pass + `"/>`}, {"a.xml", `<property value="` + w + `" name="` + pass + `"/>`},
		{"a.js", `client.login("admin", "` + v + `")`}, {"a.py", `session.login('root', '` + w + `')`},
		{"a.rs", `.basic_auth("user", Some("` + v + `"))`}, {"a.rs", `req.basic_auth("svc", Some("` + w + `".to_string()))`},
		{"a.sh", "htpasswd -b .htpasswd admin " + v}, {"a.sh", "htpasswd -cb /etc/x/.htpasswd bob " + w},
		{"a.sh", "openssl enc -aes-256-cbc -k " + v + " -in a"}, {"a.sh", "openssl enc -d -aes256 -k " + w + " -in x"},
		{"a.sh", "unzip -P " + v + " a.zip"}, {"a.sh", "unzip -o -P " + w + " b.zip"},
		{"a.sh", "ssh-keygen -t ed25519 -N " + v + " -f k"}, {"a.sh", "ssh-keygen -N '" + w + "' -f id"},
	} {
		found, err := s.Scan(c.path, []byte(c.line+"\n"), nil)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %s: not found, %v", c.path, c.line, err)
		}
	}
}
