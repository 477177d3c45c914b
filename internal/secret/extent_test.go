package secret

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"mime/quotedprintable"
	"net/url"
	"strings"
	"testing"
)

// TestWholeValue holds that redaction leaves no part of a value, however it is
// written, and nothing else is taken.
func TestWholeValue(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(12, 1))}
	raw := func(n int) string { // base64 that needs every escape
		for {
			if v := base64.StdEncoding.EncodeToString(m.bytes(n)); strings.Count(v, "+") > 1 && strings.Count(v, "/") > 1 && strings.HasSuffix(v, "==") && !strings.Contains(v[:12], "+") && !strings.Contains(v[:12], "/") {
				return v
			}
		}
	}
	key := raw(64)
	escape := func(signs ...string) string { return strings.NewReplacer(signs...).Replace(key) }
	hex := m.of(hexes, 64)
	tok := "vc" + "p_" + m.of(base62, 24)
	ghp := "gh" + "p_" + m.of(base62, 36)
	half := len(key) / 2
	qp := mailedAs("Account" + "Key=" + key)
	for i, c := range []struct{ path, before, value, after string }{
		{"a.json", `{"c": "AccountName=x;AccountKey=`, escape("+", `\u002B`), `;EndpointSuffix=core"}`},
		{"a.json", `{"c": "AccountKey=`, escape("+", `\u002b`, "/", `\/`, "=", `\u003d`), `"}`},
		{"a.json", `{"storageKey": "`, escape("/", `\/`), `", "next": "value"}`},
		{"a.txt", `https://host/?AccountKey=`, escape("+", "%2B", "/", "%2F", "=", "%3D"), `&user=app`},
		{"a.txt", `AccountKey=`, url.QueryEscape(key), "\nnext line here\n"},
		{"a.xml", `<add connectionString="AccountKey=`, escape("+", "&#43;", "/", "&#x2F;", "=", "&#61;"), `" />`},
		{"a.eml", "Account" + "Key=", strings.TrimPrefix(qp, "Account"+"Key="), "\r\nmore text\r\n"},
		{"a.txt", `api_key = `, hex, "\nother: 12\n"},
		{"a.py", `API_TOKEN = "`, hex[:32] + `" + "` + hex[32:], `"` + "\nx = 1\n"},
		{"a.py", "API_TOKEN = (\"", hex[:32] + "\"\n             \"" + hex[32:], "\")\nx = 1\n"},
		{"a.js", `const apiToken = "`, key[:half] + `" +` + "\n  \"" + key[half:], `";` + "\nconst x = 'y';\n"},
		{"a.js", `f("`, ghp[:40] + `" + "` + m.of(base62, 12), `", "next")`},
		{"a.php", `$token = '`, hex[:40] + `' . '` + hex[40:], `';`},
		{"a.sh", "export API_TOKEN=", hex[:32] + "\\\n" + hex[32:], "\necho done\n"},
		{"a.properties", "api.token=", hex[:32] + "\\\n    " + hex[32:], "\nother=1\n"},
		{"a.txt", "see ", tok + "-58-" + m.of(base62, 10), " for it\n"},
		{"a.yaml", "db:\n  pass" + "word:\n    ", "Zx81" + "kLq0!vR", "\n  user: app\n"},
		{"a.yaml", "db:\n  pass" + "word:\n    \"", "Zx81" + "kLq0!vR", "\"\n  user: app\n"},
		{"a.yaml", "token: ", hex[:32] + "\n  " + hex[32:], "\nnext: value1\n"},
		{"a.yaml", "token:\n  ", hex[:32] + "\n  " + hex[32:], "\nnext: value1\n"},
	} {
		text := []byte(c.before + c.value + c.after)
		found, err := sharedScanner(t).Scan(c.path, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := string(Redact(text, found))
		rule := ""
		if len(found) > 0 {
			rule = found[0].Rule
		}
		want := c.before + "[REDACTED:" + rule + "]" + strings.Repeat("\n", strings.Count(c.value, "\n")) + c.after
		if got != want {
			t.Errorf("%d %s: %q\nleaves  %q\nwant    %q", i, c.path, text, got, want)
		}
	}
}

// TestNothingBeside holds that a value ends where it does.
func TestNothingBeside(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(12, 2))}
	tok := "gh" + "p_" + m.of(base62, 36)
	for _, c := range []struct{ path, before, after string }{
		{"a.js", `f("`, `", "next-argument-2")`},
		{"a.js", `f("`, `" + "/repos/v3/list")`},
		{"a.js", `f("`, `" + suffix2)`},
		{"a.js", `x = ["`, `", "other-9value"]`},
		{"a.js", `x = "`, `";` + "\n\"use strict2\"\n"},
		{"a.txt", "https://host/?token=", "&amp;user=app2"},
		{"a.txt", "https://host/?token=", `\u0026user=app2`},
		{"a.json", `{"url": "https://host/?token=`, `\u0026user\u003dapp2"}`},
		{"a.txt", "It is ", ". Then 2 more."},
		{"a.txt", "It is ", "\nthen-2more\n"},
		{"a.sh", "curl -H 'Authorization: token ", "' \\\n  https://host9/x\n"},
		{"a.sh", "export T=", "\nexport U=value2\n"},
		{"a.yaml", "token: ", "\nother: value9\n"},
		{"a.yaml", "token: ", "\n# comment9\n"},
		{"a.yaml", "- ", "\n- value92\n"},
		{"a.ini", "token=", "\nuser=app9\n"},
		{"a.txt", "https://", "@host9.corp/path"},
		{"a.go", `token := "`, `" // nolint:gosec2`},
		{"a.c", `char *t = "`, `", *u = "Value92";`},
		{"a.md", "`", "`-based x2"},
	} {
		text := c.before + tok + c.after
		got := redacted(t, c.path, text)
		if !strings.HasPrefix(got, c.before+"[REDACTED:") || !strings.HasSuffix(got, "]"+c.after) {
			t.Errorf("%s: %q became %q", c.path, text, got)
		}
	}
}

func mailedAs(v string) string {
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(v))
	_ = w.Close()
	return b.String()
}
