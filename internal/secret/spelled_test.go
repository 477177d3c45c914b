package secret

import (
	"strings"
	"testing"
)

// TestSpelledOut holds that a value is judged by what its escapes stand for, and that it goes whole.
func TestSpelledOut(t *testing.T) {
	const v = "q7Rt2mXw9L" + "kPz4BvNc8d"
	each := func(form func(b byte) string) string {
		var b strings.Builder
		for i := range len(v) {
			b.WriteString(form(v[i]))
		}
		return b.String()
	}
	hex := "0123456789abcdef"
	written := map[string]string{
		"all":     each(func(b byte) string { return `\u00` + string([]byte{hex[b>>4], hex[b&15]}) }),
		"bytes":   each(func(b byte) string { return `\x` + string([]byte{hex[b>>4], hex[b&15]}) }),
		"octal":   each(func(b byte) string { return `\` + string([]byte{'0' + b>>6, '0' + b>>3&7, '0' + b&7}) }),
		"numbers": each(func(b byte) string { return "&#" + string([]byte{'0' + b/100, '0' + b/10%10, '0' + b%10}) + ";" }),
	}
	for _, row := range [...]struct{ path, text, how string }{
		{"a.json", `{"N": "V"}`, `\u0026`}, {"a.json", `{"N": "V"}`, `\u00e4`}, {"a.json", `{"db": {"N": "V"}}`, "all"},
		{"a.json", `{"url": "postgres:\/\/bob:V@db\/x"}`, ""}, {"a.json", `{"url": "postgres://bob:V@db/x"}`, `\u0026`},
		{"a.py", `N = "V"`, `\x26`}, {"a.py", `N = b"V"`, "bytes"}, {"a.c", `const char *N = "V";`, "octal"}, {"a.properties", `db.N=V`, `\u00e4`},
		{"a.toml", `N = "V"`, `\U0001F511`}, {"a.xml", `<N>V</N>`, "numbers"}, {"a.html", `<p>N: <code>V</code></p>`, "numbers"},
		{"a.html", `<p>The N is <b>V</b></p>`, "&amp;"}, {"a.html", `<p>N: V</p>`, ""}, {"a.html", "<p>\n  N: V\n</p>", ""},
		{"a.ini", "db_N\u00a0=\u00a0V", ""}, {"a.ini", "N\u202f: V\u00a0", ""}, {"a.yaml", `N: 'V'`, "''"}, {"a.sql", `CREATE USER bob identified by 'V';`, "''"}, {"a.sh", `mysql -u bob --N='V'`, "''"},
		{"a.ipynb", `["\u001b[1mN\u001b[0m \u001b[38;5;241m=\u001b[39m \u001b[32m'\u001b[39m\u001b[32mV\u001b[39m'"]`, ""}, {"a.log", "\x1b[1mN\x1b[0m \x1b[2m=\x1b[0m V\x1b[0m", ""}, {"a.sh", `printf "N: \033[1mV\033[0m"`, ""},
		{"a.eml", "Content-Transfer-Encoding: quoted-printable\n\nThe N=3A V", ""},
		{"a.svg", `<text><tspan>N</tspan><tspan dx="4">V</tspan></text>`, ""},
		{"a.patch", "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n   N:\n-    changed\n+    V", ""},
		{"a.patch", "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n - name: DB_N\n-  value: changed\n+  value: V", ""},
		{"a.patch", "--- a/a.plist\n+++ b/a.plist\n@@ -1,2 +1,2 @@\n <key>N</key>\n-<string>V</string>\n+<string>changed</string>", ""},
		{"a.patch", "--- /dev/null\n+++ b/a.plist\n@@ -0,0 +1,2 @@\n+<key>N</key>\n+<string>V</string>", ""},
		{"a.md", "as in\n\n```diff\n@@ -1,2 +1,2 @@\n - name: DB_N\n-  value: changed\n+  value: V\n```", ""},
	} {
		secret := v[:10] + row.how + v[10:]
		if w, ok := written[row.how]; ok {
			secret = w
		}
		full := strings.NewReplacer("N", "pass"+"word", "V", secret)
		want := strings.NewReplacer("N", "pass"+"word", "V", "[REDACTED:"+"…]")
		text := full.Replace(row.text) + "\n"
		red := string(Redact([]byte(text), mustScan(t, row.path, text)))
		for _, rule := range [...]string{"password-assignment", "url-credentials", "sql-password", "command-password", "secret-assignment"} {
			red = strings.ReplaceAll(red, ":"+rule+"]", ":…]")
		}
		if red != want.Replace(row.text)+"\n" {
			t.Errorf("%s: %q", row.path, red)
		}
	}
}

// TestSpelledTwins holds that words, paths, expressions and names that are written so stay.
func TestSpelledTwins(t *testing.T) {
	for _, row := range [...]struct{ path, text string }{
		{"a.json", `{"password": "\u5bc6\u7801"}`}, {"a.json", `{"password": "Contrase\u00f1a"}`}, {"a.json", `{"password": "Passwort vergessen?\u00a0Hier"}`},
		{"a.js", `const password = "\d+\x41[a-z]+";`}, {"a.ini", `password_file = C:\x64\users\new`}, {"a.c", `const char *password_magic = "\x00\x01\x02\x9f\x8e\x7d\x6c";`},
		{"a.html", `<p>password: required</p>`}, {"a.html", `<p>Your password: <b>required</b> and <i>secret</i></p>`}, {"a.html", "<script>\npassword = userPassword4\n</script>"},
		{"a.vue", `<p>token = userToken</p>`}, {"a.ini", "revision\u00a0=\u00a0q7Rt2mXw9LkPz4BvNc8d"}, {"a.py", `x = ["q7Rt2mXw9LkPz4BvNc8d""abc def"]`},
		{"a.log", "\x1b[1mrevision\x1b[0m: \x1b[32mq7Rt2mXw9LkPz4BvNc8d\x1b[0m"}, {"a.svg", `<text><tspan>revision</tspan><tspan>q7Rt2mXw9LkPz4BvNc8d</tspan></text>`},
		{"a.patch", "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n   revision:\n-    changed\n+    q7Rt2mXw9LkPz4BvNc8d"},
	} {
		if found := mustScan(t, row.path, row.text+"\n"); len(found) > 0 {
			t.Errorf("%s: %s: %v", row.path, row.text, found)
		}
	}
}
